"""Hertz contact of two smooth bodies with exact elliptic integrals.

The undeformed distance is A x^2 + B y^2. With the long semi-axis l, the short one s, g = s/l and Carlson's R_D,

    D = (K - E)/e^2 = R_D(0, g^2, 1)/3,     C = (E - g^2 K)/e^2 = g^2 R_D(0, 1, g^2)/3,   e^2 = 1 - g^2,

the curvatures are (p0/E*) s D / l^2 along the long axis and (p0/E*) C / s along the short one, and the
approach is (p0/E*) s K. The forms stay exact at g = 1.

Source: Johnson, Contact Mechanics (1985), section 4.2; Hertz 1882.
Verified in tests/contact/test_hertz_verified.py.
"""

import numpy as np
import scipy


def elliptic_factors(g):
    """D = (K - E)/e^2, C = (E - g^2 K)/e^2 and K at the axis ratio g = short/long in (0, 1]."""
    elliprd, ellipkm1 = scipy.special.elliprd, scipy.special.ellipkm1
    return elliprd(0.0, g * g, 1.0) / 3.0, g * g * elliprd(0.0, 1.0, g * g) / 3.0, ellipkm1(g * g)


def axis_ratio(curvature_ratio):
    """Axis ratio g = short/long for the curvature ratio (long over short axis) in (0, 1].

    Bisection on ln g of the increasing function g^2 D / C, to the last digit.
    """
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
