"""Saturation of a linear creep force at the friction bound.

Sources: Vermeulen and Johnson 1964; Shen, Hedrick and Elkins, 8th IAVSD Symposium 1983.
"""

import numpy as np

from flexwheel.kernels import kernel


@kernel(inline="always")
def saturation_factor(linear, bound):
    """Creep force over linear creep force: 1 - f/3 + f^2/27 for f = linear/bound < 3, else 1/f."""
    if bound <= 0.0:
        return 0.0
    f = linear / bound
    return 1.0 - f / 3.0 + f * f / 27.0 if f < 3.0 else 1.0 / f


def saturate(fx, fy, mu, load):
    """Creep force from its linear value by the cubic law of Shen, Hedrick and Elkins.

    Parameters
    ----------
    fx, fy : float [N]    linear creep force, spin included
    mu, load : float [-, N]

    Returns
    -------
    fx, fy : float [N]    |F| <= mu load
    """
    factor = saturation_factor(np.hypot(fx, fy), mu * load)
    return factor * fx, factor * fy
