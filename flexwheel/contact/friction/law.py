"""What a friction law declares: the coefficient of friction of a patch, by its sliding, force and place.

Every tangential law takes the coefficient as its bound, mu N, one for the whole patch. `response` and `eigen`
differentiate the contact law numerically, the coefficient's change with slip included. Values are entry points in the
group "flexwheel.friction_laws"; their kernels are called by address.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.option import Option, option_values
from flexwheel.base.registry import Registry
from flexwheel.numerics.kernels import Entry, entry, far_call, kernel, types


class Sliding(NamedTuple):
    """What a friction law is given of a patch."""

    velocity: float  # [m/s] of the wheel against the rail in the middle of the patch, rigid bodies; 0 or more
    rolling: float  # [m/s] speed that creepages are counted against
    normal_force: float  # [N]
    area: float  # [m2]
    y_rail: float  # [m] on the rail profile, to the field side
    place: float  # [m] arc length of the wheel along the track
    angle: float  # [rad] of the contact plane, positive on the gauge face
    BY_VALUE = True


class FrictionCall(NamedTuple):
    """A friction law in the contact tables."""

    varies: bool  # False: the coefficient is ContactTables.friction
    entry: Entry  # of its kernel
    numbers: np.ndarray  # (k,) of its keys


@dataclass(frozen=True, eq=False)
class FrictionLaw:
    """A friction law; found through FRICTION_LAWS.

    A scenario chooses it by `contact.friction_law = NAME`, and sets its keys in the section `[contact.NAME_friction]`.
    """

    name: str
    meaning: str
    keys: tuple[Option, ...] = ()  # beside contact.friction; the kernel has their values in this order
    # kernel friction, numbers (k,), Sliding -> coefficient, and its derivative by the velocity [s/m], which the step's
    # tangent takes; None: the coefficient is `friction`. friction: contact.friction
    coefficient: Callable | None = None
    # friction, values (k,) -> largest coefficient that it gives, which Nadal's limit takes
    largest: Callable = lambda friction, values: friction
    # file -> rows (n, k) of the left and of the right rail, of which the kernel has one's behind the values of the
    # keys; the law then needs `contact.friction_file`
    rows: Callable | None = None


FRICTION_LAWS = Registry("friction law", "flexwheel.friction_laws", FrictionLaw, "constant")
PLAIN = FrictionCall(False, Entry(0, 0), np.zeros(0))
"""The constant coefficient."""

_ROLE = "coefficient of friction"
_coefficient = far_call(_ROLE, types.UniTuple(types.float64, 2))


def friction_call(name, rows=(), **values) -> FrictionCall:
    """A friction law with its keys, those left out at their defaults; its kernel is compiled if it is not yet.

    rows : (n, k) float    of a table, for laws that have one

    Raises
    ------
    ScenarioError    no such law or key, or a value out of range
    """
    law = FRICTION_LAWS.require(name, "contact friction_law")
    numbers = option_values(law.keys, values, f"{FRICTION_LAWS.noun} {name!r}")
    if (law.rows is None) != (len(rows) == 0):
        raise ScenarioError(f"{FRICTION_LAWS.noun} {name!r} {'needs' if law.rows else 'takes no'} rows of a table")
    if law.coefficient is None:
        return PLAIN
    numbers = np.append(numbers, rows)
    return FrictionCall(True, entry(law.coefficient, 1.0, numbers, Sliding(*np.ones(7).tolist()), role=_ROLE), numbers)


@kernel(inline="always")
def coefficient_of_friction(tables, rolling, creepage, patch, place):
    """Coefficient of friction of a patch, and its derivative by the sliding velocity [s/m].

    patch : normal force [N], area [m2], y_rail [m], contact angle [rad]
    """
    if not tables.friction_law.varies:
        return tables.friction, 0.0
    velocity = rolling * math.sqrt(creepage[0] * creepage[0] + creepage[1] * creepage[1])
    sliding = Sliding(velocity, rolling, patch[0], patch[1], patch[2], place, patch[3])
    return _coefficient(tables.friction_law.entry, (tables.friction, tables.friction_law.numbers, sliding))


@kernel(inline="always")
def rolling_speed(speed, xi):
    """Speed that creepages are counted against, of running speed and longitudinal creepage: mean of wheel and rail."""
    return speed / (1.0 + 0.5 * xi)
