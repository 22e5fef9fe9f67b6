"""Hertz contact of two smooth bodies with exact elliptic integrals.

The undeformed distance is A x^2 + B y^2. With the long semi-axis l, the short one s, g = s/l and

    D = (K - E)/e^2,     C = (E - g^2 K)/e^2 = K - D,     e^2 = 1 - g^2,

the curvatures are (p0/E*) s D / l^2 along the long axis and (p0/E*) C / s along the short one, and the
approach is (p0/E*) s K. The forms stay exact at g = 1.

Sources: Johnson, Contact Mechanics (1985), section 4.2; Hertz 1882; Abramowitz and Stegun (1964), 17.6.3 and 17.6.4.
Verified in tests/contact/test_hertz_verified.py.
"""

import numpy as np


def elliptic_factors(g):
    """D = (K - E)/e^2, C = (E - g^2 K)/e^2 and K at the axis ratio g = short/long in (0, 1], by Gauss's mean."""
    e2 = np.maximum(1.0 - g * g, 1e-6)  # nearer to a circle the terms below are beyond the last digit
    a, b, total = 0.5 * (1.0 + g), np.sqrt(g), 0.5 + 0.25 * (1.0 - g) / (1.0 + g)
    for n in range(1, 10):  # the mean of 1 and exp(-40) is then at its last digit
        difference, a, b = 0.5 * (a - b), 0.5 * (a + b), np.sqrt(a * b)
        total = total + 2.0**n * difference * difference / e2
    K = 0.5 * np.pi / a
    return K * total, K * (1.0 - total), K


def axis_ratio(curvature_ratio):
    """Axis ratio g = short/long for the curvature ratio (long over short) in (0, 1]: g^2 D / C grows with ln g."""
    ratio = np.asarray(curvature_ratio, float)
    low, high = np.full(ratio.shape, -40.0), np.zeros(ratio.shape)
    for _ in range(100):
        middle = 0.5 * (low + high)
        D, C, _ = elliptic_factors(np.exp(middle))
        above = np.exp(2.0 * middle) * D / C > ratio
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return np.exp(0.5 * (low + high))[()]


def zone_factors(curvature_ratio):
    """Depth of the contact zone in the undeformed penetration, per axis, for A/B.

    eps_x = A a^2 / approach and eps_y = B b^2 / approach; both are 1/2 on a circle. They are what virtual
    penetration needs to reproduce the Hertz ellipse.

    Parameters
    ----------
    curvature_ratio : (...) float   A/B > 0

    Returns
    -------
    eps_x, eps_y, a_over_b : (...) float
    """
    ratio = np.asarray(curvature_ratio, float)
    g = axis_ratio(np.minimum(ratio, 1.0 / ratio))
    D, C, K = elliptic_factors(g)
    along_long, along_short = D / K, C / K
    x_is_long = ratio <= 1.0
    eps_x = np.where(x_is_long, along_long, along_short)
    eps_y = np.where(x_is_long, along_short, along_long)
    return eps_x, eps_y, np.where(x_is_long, 1.0 / g, g)
