"""What a force element declares about itself: its law, for the step and for linear analysis, and its keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.columns import DAMPER_TABLE, FORCE_TABLE
from flexwheel.vehicle.force_tables import table_slopes

MOST_ROWS = 6
ROW_COLUMNS = 11  # kappa, g (3), lever arm on body a (3), on body b (3), 1: of rotations
SAME_SLOPE = 1e-6  # relative difference below which two slopes are one


@kernel
def no_rate(elements, e, poses, state):
    """Rate of the internal state of a law without one."""
    return 0.0


def _itself(law, elements, e, friction):
    return law


def _none(elements, e, poses, reach, speed_reach):
    return []


@dataclass(frozen=True, eq=False)
class ForceLaw:
    """The law of an element; kernels get handles of SuspensionElements, Poses, SuspensionState.

    Every law, a spring or damper along one axis, resists the relative motion g . (p_b - p_a) of two material points (or
    of two bodies' rotations) and so adds kappa d d^T to the matrix of the bodies' coordinates. Preloads, which turn
    with the bodies, are left out of kappa: beside the inertia they are small.
    """

    name: str
    # kernel elements, e, poses, state, applied: adds the wrenches of element e to applied (B, 6) [N, N m], force and
    # moment about the centre, global axes; of the state the proposed values
    force: Callable
    # kernel elements, e, poses, state, Weights, rows (MOST_ROWS, ROW_COLUMNS): fills a row for each direction in which
    # the element resists, global axes; returns how many
    tangent: Callable
    # elements, e, poses, dt, state: internal states at the end of a step of dt [s] that ends at the poses. dt = 0:
    # settled; dt < 0: held as accepted, but the elongation is written
    propose: Callable | None = None
    # elements, e, poses, state -> rate of the first internal state, for the explicit step; None: it sticks and slides,
    # no smooth formula integrates it
    rate: Callable | None = no_rate
    # elements, e, poses, state, record (RECORD_ROWS, 3): fills force, stroke, rate and energy, see `columns`; None: the
    # run can store none of them
    measure: Callable | None = None
    dry: bool = False  # what its inner state takes up is dry friction, not damping
    # law, elements, e, friction ("sticking" or "sliding") -> ForceLaw it is in linear analysis
    linear: Callable = _itself
    # elements, e -> r [1/s] of z' = r (x - z), x the elongation, z the first internal state; None: the state is held in
    # linear analysis
    relaxation: Callable | None = None
    # elements, e, poses, reach [m], speed_reach [m/s] -> list of texts on laws whose slope jumps where the element
    # stands
    kinks: Callable = _none
    # elements, rows of this law, poses, friction -> line on how they are taken in linear analysis
    note: Callable | None = None
    without_state: ForceLaw | None = None  # what it is for models that have no internal states
    one_sided: bool = False  # it acts on one side of a clearance only


LAWS: list[ForceLaw] = []
"""Laws of every element packed in this process; the column LAW is a place in it."""


def place_of(law):
    """Place of a law in LAWS."""
    if law not in LAWS:
        LAWS.append(law)
    return LAWS.index(law)


@dataclass(frozen=True)
class ForceElement:
    """A kind of element in a vehicle file; found through `kinds`."""

    name: str  # value of the key `kind`
    # frozenset of str beside kind, name, body_a, body_b; with point_a_m and point_b_m it acts between points
    keys: frozenset[str]
    read: Callable  # Reader -> fields of SuspensionElement, `law` among them
    # points on a and b (3,), vector between them (3,) in the nominal pose, name -> points that the law acts at and what
    # is at rest between them; raises ScenarioError
    rest: Callable


def kink(slopes, unit, of):
    """Text on two slopes of a law to its two sides, in a list; an empty one where they are one slope."""
    if abs(slopes[1] - slopes[0]) <= SAME_SLOPE * max(map(abs, slopes)):
        return []
    return [f"{of} of {slopes[0]:.4g} {unit} to one side and {slopes[1]:.4g} to the other"]


def damper_kinks(elements, e, speed_reach):
    """`kink` of the table of a damper at rest."""
    table = elements.integer[e, DAMPER_TABLE]
    return [] if table < 0 else kink(table_slopes(elements.tables, table, 0.0, speed_reach), "N s/m", "damping")


def spring_kinks(elements, e, i, x, reach):
    """`kink` of the force table of axis i at displacement x [m]."""
    table = elements.integer[e, FORCE_TABLE + i]
    return [] if table < 0 else kink(table_slopes(elements.tables, table, x, reach), "N/m", "stiffness")
