"""Creep force by Polach's closed formula for an elliptic contact, with a spin moment.

The published formula has a lateral force from spin, -Bs phi, and no moment, so that lateral slip against that force
gives power. The moment here is m eta - t phi: Kalker's slopes, lowered where the force saturates and at most that of a
patch that only spins. With a force -f (xi, eta) from slip, the power lost is f (xi^2 + eta^2) + (Bs - m) eta phi +
t phi^2: m is kept within 2 sqrt(f t) of Bs, so that none is gained.

Source: Polach, A fast wheel-rail forces calculation computer code, Vehicle System Dynamics Supplement 33
(1999) 728-739; reduction factors for adhesion and slip: Polach, Wear 258 (2005) 992-1000. The moment: own, median error
0.02 mu N sqrt(ab), p90 0.10 against FASTSIM. Verified in tests/verification/test_polach_verified.py.
"""

import math

import numpy as np

from flexwheel.base.errors import ContactError
from flexwheel.base.option import Option
from flexwheel.contact.kalker_coefficients import kalker_ellipse
from flexwheel.contact.saturation import saturation_factor
from flexwheel.contact.tangential import TangentialLaw
from flexwheel.numerics.kernels import FAST, kernel

_SPINS = 3.0 * math.pi / 16.0  # moment over mu N and radius of a circle that only spins, under Hertz's pressure


@kernel(fastmath=FAST)
def polach_force(ellipse, xi, eta, phi, bound, k_adhesion, k_slip):
    """Fx, Fy [N], Mz [N m] on the wheel; |F| <= bound = mu load."""
    a, b, shear_modulus = ellipse.a, ellipse.b, ellipse.shear_modulus
    if bound <= 0.0:
        return 0.0, 0.0, 0.0
    shifted = eta + phi * a
    lateral = shifted if abs(shifted) > abs(eta) else eta
    total = math.sqrt(xi * xi + lateral * lateral)
    if total < 1e-300:
        return 0.0, 0.0, 0.0
    plain = math.sqrt(xi * xi + eta * eta)
    cjj = math.sqrt((ellipse.c11 * xi) ** 2 + (ellipse.c22 * eta) ** 2) / plain if plain > 1e-300 else ellipse.c22
    gradient = shear_modulus * math.pi * a * b * cjj * total / (4.0 * bound)
    adhesion, slip = k_adhesion * gradient, k_slip * gradient
    slope = 2.0 * bound / (math.pi * total) * (adhesion / (1.0 + adhesion * adhesion) + math.atan(slip))
    # lateral force from spin
    shape = 1.0 + 6.3 * (1.0 - math.exp(-a / b))
    es = 8.0 / 3.0 * b * math.sqrt(a * b) / bound * shear_modulus * ellipse.c23 / shape * total
    delta = (es * es - 1.0) / (es * es + 1.0)
    km = es * (delta**3 / 3.0 - delta * delta / 2.0 + 1.0 / 6.0) - (1.0 - delta * delta) ** 1.5 / 3.0
    by_spin = -9.0 / 16.0 * a * bound * km * shape / total
    fx, fy = -slope * xi, -slope * eta - by_spin * phi
    size = math.sqrt(fx * fx + fy * fy)
    keep = bound / size if size > bound else 1.0
    # moment
    stiffness, root = shear_modulus * a * b, math.sqrt(a * b)
    slips = stiffness * math.sqrt((ellipse.c11 * xi) ** 2 + (ellipse.c22 * eta) ** 2)
    moves = stiffness * math.sqrt((ellipse.c11 * xi) ** 2 + (ellipse.c22 * lateral) ** 2)
    turn = stiffness * a * b * ellipse.c33 * saturation_factor(slips, bound)
    cross = stiffness * root * ellipse.c23 * saturation_factor(moves, bound) ** 3
    rest = saturation_factor(abs(cross * eta - turn * phi), _SPINS * bound * root)
    apart, by_spin = 2.0 * math.sqrt(keep * slope * rest * turn), keep * by_spin
    cross = min(max(rest * cross, by_spin - apart), by_spin + apart)
    return keep * fx, keep * fy, cross * eta - rest * turn * phi


def polach(a, b, load, mu, creepage, *, shear_modulus=82e9, poisson=0.28, k_adhesion=1.0, k_slip=1.0):
    """Creep force of an elliptic contact by Polach's formula, with the spin moment of this module.

    Parameters
    ----------
    a, b : float [m]                 semi-axes, a along rolling
    load, mu : float [N, -]
    creepage : (3,) [-, -, 1/m]      xi, eta, phi; wheel minus rail
    shear_modulus, poisson : float [Pa, -]
    k_adhesion, k_slip : float [-]   Polach's reduction factors, k_slip <= k_adhesion <= 1

    Returns
    -------
    (3,) float [N, N, N m]           Fx, Fy, Mz on the wheel, patch frame; |F| <= mu load

    Raises
    ------
    ContactError                     for reduction factors that break 0 < k_slip <= k_adhesion <= 1
    """
    if not 0.0 < k_slip <= k_adhesion <= 1.0:
        raise ContactError(
            f"polach: 0 < k_slip <= k_adhesion <= 1 must hold, got k_adhesion = {k_adhesion:g}, k_slip = {k_slip:g}"
        )
    ellipse = kalker_ellipse(a, b, shear_modulus, poisson)
    return np.array(polach_force(ellipse, *creepage, mu * load, k_adhesion, k_slip))


@kernel(fastmath=FAST)
def _of_patch(numbers, patch):
    """Fx, Fy [N], Mz [N m] of a RollingPatch."""
    bound = patch.normal_force * patch.friction
    return polach_force(patch.ellipse, patch.xi, patch.eta, patch.phi, bound, numbers[0], numbers[1])


_FACTOR = "none; quoted after Polach 2005: {} on dry, {} on wet rail"
POLACH = TangentialLaw(
    "polach",
    "closed formula of Polach 1999 with the factors of 2005, and a spin moment",
    (
        Option("k_adhesion", 1.0, 0.01, 1.0, "factor on the slope in the area of adhesion", _FACTOR.format(1.0, 0.3)),
        Option("k_slip", 1.0, 0.01, 1.0, "factor in the area of slip", _FACTOR.format(0.4, 0.1), most="k_adhesion"),
    ),
    _of_patch,
)
