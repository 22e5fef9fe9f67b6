"""Friction by region of the rail, falling with the sliding velocity: top of rail and tread, gauge face and flange.

The region goes by the angle of the contact plane; between the two angles the coefficient changes linearly.
Verified in tests/contact/test_friction_laws.py.
"""

import math

from flexwheel.base.option import Option
from flexwheel.contact.friction.law import FrictionLaw
from flexwheel.extensions.friction.falling import falling_friction
from flexwheel.numerics.kernels import kernel

_ASSUMED = "assumed: the arcs of a 60E1 between head and gauge face"
ANGLES = (
    Option(
        "top_to_deg", 20.0, 0.0, 90.0, "contact angle up to which the top of rail holds", _ASSUMED, most="face_from_deg"
    ),
    Option("face_from_deg", 45.0, 0.0, 90.0, "contact angle from which the gauge face holds", _ASSUMED),
)
FACE = 4


@kernel(inline="always")
def share_of_face(numbers, angle):
    """Share of the gauge face, 0 to 1, by ANGLES, the first two numbers, and the contact angle [rad]."""
    beyond, wide = math.degrees(angle) - numbers[0], numbers[1] - numbers[0]
    return min(max(beyond / wide, 0.0), 1.0) if wide > 0.0 else (1.0 if beyond > 0.0 else 0.0)


@kernel
def regional_friction(friction, numbers, sliding):
    """Coefficient, and its derivative by the sliding velocity [s/m]."""
    share = share_of_face(numbers, sliding.angle)
    return falling_friction(friction + share * (numbers[FACE] - friction), numbers[2:4], sliding)


REGIONAL = FrictionLaw(
    name="regional",
    meaning="contact.friction on top of rail and tread, another on gauge face and flange",
    keys=(
        *ANGLES,
        Option("limit_ratio", 1.0, 0.0, 1.0, "coefficient at great sliding velocity over that at none"),
        Option(
            "decay_s_m", 0.6, 0.0, 100.0, "exponential decay by sliding velocity", "assumed: that of the law falling"
        ),
        Option("gauge_face", 0.15, 0.0, 1.5, "coefficient on the gauge face", "assumed: a lubricated one"),
    ),
    coefficient=regional_friction,
    largest=lambda friction, values: max(friction, values[FACE]),
)
