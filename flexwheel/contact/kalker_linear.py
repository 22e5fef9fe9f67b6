"""Linear creep force of Kalker, with or without saturation.

Source: Kalker 1967; Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990), section 2.2.
Verified in tests/contact/test_kalker_verified.py.
"""

import math

import numpy as np

from flexwheel.contact.kalker_coefficients import kalker_ellipse
from flexwheel.contact.saturation import saturation_factor
from flexwheel.numerics.kernels import kernel


@kernel(inline="always")
def linear_force(ellipse, xi, eta, phi):
    """Fx, Fy [N], Mz [N m] on the wheel: -G ab (c11 xi; c22 eta + c c23 phi; -c c23 eta + c^2 c33 phi)."""
    ab = ellipse.a * ellipse.b
    c = math.sqrt(ab)
    fx = -ellipse.shear_modulus * ab * ellipse.c11 * xi
    fy = -ellipse.shear_modulus * ab * (ellipse.c22 * eta + c * ellipse.c23 * phi)
    mz = ellipse.shear_modulus * ab * c * (ellipse.c23 * eta - c * ellipse.c33 * phi)
    return fx, fy, mz


def kalker_linear(a, b, creepage, *, shear_modulus=82e9, poisson=0.28, mu=None, load=None):
    """Creep force of an elliptic contact by Kalker's linear theory.

    Parameters
    ----------
    a, b : float [m]                 semi-axes, a along rolling
    creepage : (3,) [-, -, 1/m]      xi, eta, phi; wheel minus rail
    shear_modulus, poisson : float [Pa, -]
    mu, load : float [-, N] or None  if both are given the force is saturated (Shen, Hedrick, Elkins)

    Returns
    -------
    (3,) float [N, N, N m]           Fx, Fy, Mz on the wheel, patch frame
    """
    force = np.array(linear_force(kalker_ellipse(a, b, shear_modulus, poisson), *creepage))
    if mu is not None and load is not None:
        force *= saturation_factor(np.hypot(force[0], force[1]), mu * load)
    return force
