"""Where growth begins, along a parameter."""

import numpy as np


def onset_of_growth(growth, low, high, tolerance, scans=13):
    """Lowest parameter between low and high at which something grows, by scan and bisection.

    Parameters
    ----------
    growth : callable        parameter -> growth rate, positive where it grows (speed [m/s] -> [1/s] for hunting)
    low, high, tolerance : float   same unit as the parameter
    scans : int              equidistant values tried before the bisection

    Returns
    -------
    float                    low where it grows there already, nan where it grows at no value tried
    """
    values = np.linspace(low, high, scans)
    if growth(values[0]) > 0.0:
        return float(values[0])
    for a, b in zip(values[:-1], values[1:], strict=True):
        if growth(b) > 0.0:
            while b - a > tolerance:
                middle = 0.5 * (a + b)
                a, b = (a, middle) if growth(middle) > 0.0 else (middle, b)
            return float(0.5 * (a + b))
    return float("nan")
