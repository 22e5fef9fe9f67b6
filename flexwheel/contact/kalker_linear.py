"""Linear creep force of Kalker, with or without saturation.

Source: Kalker 1967; Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990), section 2.2.
Verified in tests/verification/test_kalker.py.
"""

import math

import numpy as np

from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.saturation import saturation_factor
from flexwheel.kernels import kernel


@kernel(inline="always")
def linear_force(a, b, shear_modulus, c11, c22, c23, c33, xi, eta, phi):
    """Fx, Fy [N], Mz [N m] on the wheel: -G ab (c11 xi; c22 eta + c c23 phi; -c c23 eta + c^2 c33 phi)."""
    ab = a * b
    c = math.sqrt(ab)
    fx = -shear_modulus * ab * c11 * xi
    fy = -shear_modulus * ab * (c22 * eta + c * c23 * phi)
    mz = shear_modulus * ab * c * (c23 * eta - c * c33 * phi)
    return fx, fy, mz


def kalker_linear(a, b, xi, eta, phi, *, shear_modulus=82e9, poisson=0.28, mu=None, load=None):
    """Creep force of an elliptic contact by Kalker's linear theory.

    Parameters
    ----------
    a, b : float [m]                 semi-axes, a along rolling
    xi, eta, phi : float [-, -, 1/m] creepage, wheel minus rail
    shear_modulus, poisson : float [Pa, -]
    mu, load : float [-, N] or None  if both are given the force is saturated (Shen, Hedrick, Elkins)

    Returns
    -------
    (3,) float [N, N, N m]           Fx, Fy, Mz on the wheel, patch frame
    """
    c11, c22, c23, c33 = kalker_coefficients(a / b, poisson)
    force = np.array(linear_force(a, b, shear_modulus, c11, c22, c23, c33, xi, eta, phi))
    if mu is not None and load is not None:
        force *= saturation_factor(np.hypot(force[0], force[1]), mu * load)
    return force
