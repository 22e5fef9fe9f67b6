"""Creep force of an elliptic patch without spin: T = mu N (1 - (1 - t/3)^3) up to t = 3, mu N beyond.

t is the length of pi a b G (xi/phi, eta/psi) / (mu N). With g = a/b, D^2 = cos^2 + g^2 sin^2, and integrals over a
quarter of a turn, J = int cos^2/D and L = g^2 int sin^2 cos^2/D^3: phi = J - nu (J - L), psi = J - nu L. These are the
paper's phi = B - nu (D - C), psi = B - nu g^2 C for a <= b, and its other pair for a >= b, in one form.

Source: Vermeulen and Johnson, Contact of nonspherical elastic bodies transmitting tangential forces, Journal of Applied
Mechanics 31 (1964) 338-340. Slopes at no creepage are 16 to 20 % above Kalker's on a circle at
nu = 0.28, hence `slope_ratio`.
"""

import math

from flexwheel.base.option import Option
from flexwheel.contact.tangential import TangentialLaw
from flexwheel.numerics.kernels import kernel

SLOPE = 0  # of `numbers`
POINTS = 48  # midpoint rule on a periodic function: within 1e-8 for 0.1 < g < 10


@kernel
def flexibility(g, poisson):
    """phi, psi."""
    plain, mixed = 0.0, 0.0
    for i in range(POINTS):
        angle = 0.5 * math.pi * (i + 0.5) / POINTS
        c2, s2 = math.cos(angle) ** 2, math.sin(angle) ** 2
        d2 = c2 + g * g * s2
        plain += c2 / math.sqrt(d2)
        mixed += g * g * s2 * c2 / (d2 * math.sqrt(d2))
    plain, mixed = 0.5 * math.pi / POINTS * plain, 0.5 * math.pi / POINTS * mixed
    return plain - poisson * (plain - mixed), plain - poisson * mixed


@kernel
def vermeulen_johnson(numbers, patch):
    """Fx, Fy [N], Mz = 0 on the wheel."""
    ellipse, most = patch.ellipse, patch.friction * patch.normal_force
    phi, psi = flexibility(ellipse.a / ellipse.b, patch.poisson)
    stiffness = numbers[SLOPE] * math.pi * ellipse.a * ellipse.b * ellipse.shear_modulus
    x, y = stiffness * patch.xi / phi, stiffness * patch.eta / psi
    linear = math.sqrt(x * x + y * y)
    if most <= 0.0 or linear < 1e-300:
        return 0.0, 0.0, 0.0
    rest = max(1.0 - linear / (3.0 * most), 0.0)
    keep = most * (1.0 - rest * rest * rest) / linear
    return -keep * x, -keep * y, 0.0


VERMEULEN_JOHNSON = TangentialLaw(
    name="vermeulen_johnson",
    meaning="Vermeulen and Johnson 1964, without spin",
    keys=(Option("slope_ratio", 1.0, 0.05, 1.0, "slope at no creepage over that of clean surfaces"),),
    force=vermeulen_johnson,
)
