"""Arrays of the step's driver: work array, places in it, tables of profiles, rails and contact."""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.locomotive.dense_solution import SPARSE, make_dense
from flexwheel.systems.locomotive.hertz_kalker import T_LIMIT, hertz_kalker_table
from flexwheel.systems.locomotive.locomotive_step import Tables, WorkPlaces
from flexwheel.systems.symbolic.compiled_program import work_array

TREAD_INSIDE, TREAD_OUTSIDE = 0.031, 0.04  # of u_wheel, towards the flange and the field side [m]


def make_work(generated):
    """Work array with the constant entries of the Jacobian."""
    work = work_array(generated.size)
    for place, value in generated.constants:
        work[place] = value
    return work


def make_places(generated):
    """Offsets of the blocks that the driver reads or writes."""
    b = generated.blocks
    own = {name: b[name].offset for name in WorkPlaces._fields if name in b}
    return WorkPlaces(**own, n=len(generated.coordinates), width=b["jacobian"].count // 24)


def make_solution(generated, kind):
    """Structure and scratch of a dense solution; None for the sparse one."""
    if kind == SPARSE:
        return None
    spin = [generated.coordinates.index(f"{name}.spin") for name in generated.wheelsets]
    return make_dense(kind, generated.mass_keys, spin, len(generated.coordinates))


def make_tables(generated, profiles, rails, poisson):
    """Tables of profiles, rails and contact.

    Raises
    ------
    ScenarioError     when left and right profiles have different numbers of pieces
    """
    for pair in ((profiles.wheel_left, profiles.wheel_right), (profiles.rail_left, profiles.rail_right)):
        if pair[0].knots.shape != pair[1].knots.shape:
            raise ScenarioError("profiles: left and right must have equally many pieces")
    width = generated.blocks["jacobian"].count // 24
    columns = np.full((len(generated.columns), width), -1, np.int64)
    for w, indices in enumerate(generated.columns):
        columns[w, : len(indices)] = indices
    both = {
        name: np.ascontiguousarray(np.stack([getattr(left, field), getattr(right, field)]))
        for name, left, right, field in (
            ("wheel_knots", profiles.wheel_left, profiles.wheel_right, "knots"),
            ("wheel", profiles.wheel_left, profiles.wheel_right, "coefficients"),
            ("rail_knots", profiles.rail_left, profiles.rail_right, "knots"),
            ("rail", profiles.rail_left, profiles.rail_right, "coefficients"),
        )
    }
    return Tables(
        **both,
        track_start=rails.start,
        track_spacing=rails.spacing,
        track=rails.coefficients,
        hertz_kalker=hertz_kalker_table(poisson),
        t_limit=T_LIMIT,
        columns=columns,
        tread=np.array([[-TREAD_INSIDE, TREAD_OUTSIDE], [-TREAD_OUTSIDE, TREAD_INSIDE]]),
    )
