"""Friction that falls with the sliding velocity w: mu = mu0 ((1 - A) exp(-B w) + A).

The force of a sliding wheel then falls with slip, which takes energy out of nothing but the drive: vibrations of the
wheelset in torsion, of a wheel that squeals, may grow. This is physics, not the step: the tangents hold the fall.

Source: Polach, Creep forces in simulations of traction vehicles running on adhesion limit, Wear 258 (2005) 992-1000.
Verified in tests/contact/test_friction_laws.py.
"""

import math

from flexwheel.base.option import Option
from flexwheel.contact.friction.law import FrictionLaw
from flexwheel.numerics.kernels import kernel

RATIO, DECAY = 0, 1
_ASSUMED = "assumed: quoted after Polach 2005 for dry rail, not compared with the paper"


@kernel
def falling_friction(friction, numbers, sliding):
    """Coefficient, and its derivative by the sliding velocity [s/m]."""
    ratio, decay = numbers[RATIO], numbers[DECAY]
    falls = friction * (1.0 - ratio) * math.exp(-decay * sliding.velocity)
    return falls + friction * ratio, -decay * falls


FALLING = FrictionLaw(
    name="falling",
    meaning="falls with the sliding velocity, from contact.friction at none",
    keys=(
        Option("limit_ratio", 0.4, 0.0, 1.0, "coefficient at great sliding velocity over contact.friction", _ASSUMED),
        Option("decay_s_m", 0.6, 0.0, 100.0, "exponential decay by sliding velocity", _ASSUMED),
    ),
    coefficient=falling_friction,
)
