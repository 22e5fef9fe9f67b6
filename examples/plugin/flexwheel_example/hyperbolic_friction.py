"""Friction that falls with the sliding velocity w as a hyperbola: mu = mu0 (A + (1 - A)/(1 + w/w0))."""

from flexwheel.base.option import Option
from flexwheel.contact.friction.law import FrictionLaw
from flexwheel.numerics.kernels import kernel

RATIO, HALF = 0, 1  # of `numbers`, in the order of the keys


@kernel
def hyperbolic_friction(friction, numbers, sliding):
    """Coefficient, and its derivative by the sliding velocity [s/m]."""
    rest = 1.0 / (1.0 + sliding.velocity / numbers[HALF])
    falls = friction * (1.0 - numbers[RATIO]) * rest
    return friction * numbers[RATIO] + falls, -falls * rest / numbers[HALF]


HYPERBOLIC = FrictionLaw(
    name="hyperbolic",
    meaning="falls with the sliding velocity as a hyperbola, from contact.friction at none",
    keys=(
        Option("limit_ratio", 0.5, 0.0, 1.0, "coefficient at great sliding velocity over contact.friction", "assumed"),
        Option("half_m_s", 1.0, 1e-3, 100.0, "sliding velocity at which half of the fall is done", "assumed"),
    ),
    coefficient=hyperbolic_friction,
)
