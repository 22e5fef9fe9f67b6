"""Dry friction along the line between two points: an elastic-plastic element beside a spring and a damper.

Source: Jenkins 1962, J. Appl. Mech. 29, 115-119.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.axial import (
    AXIAL,
    along_line,
    axial_kinks,
    axial_measure,
    elongation,
    line,
    line_row,
    parallel_slopes,
    parallel_tension,
    pull,
)
from flexwheel.vehicle.elements.columns import FORCE_ROW, INNER_ROW, LIMIT, SERIES, SLIP, SLIP_FORCE, STORED
from flexwheel.vehicle.elements.element_reader import POINTS
from flexwheel.vehicle.elements.force_law import ForceElement, ForceLaw


@kernel
def friction_force(elements, e, poses, state, applied):
    """Tension of spring, damper and the spring of the slider."""
    arm_a, arm_b, way, x, rate = line(elements, e, poses)
    tension = parallel_tension(elements, e, x, rate)
    tension += elements.number[e, SERIES] * (x - state.proposed[e, 0])
    pull(elements, e, arm_a, arm_b, way, tension, applied)


@kernel
def friction_propose(elements, e, poses, dt, state):
    """The slider moves when its spring reaches the friction force."""
    number = elements.number
    x, _ = elongation(elements, e, poses)
    slider = state.accepted[e, 0]
    bound = number[e, LIMIT] / number[e, SERIES]
    if dt >= 0.0:
        slider = min(max(slider, x - bound), x + bound)
    state.proposed[e, 0] = slider
    state.proposed[e, 1] = x


@kernel
def friction_measure(elements, e, poses, state, record):
    """Record along the line; the slider is the inner state."""
    axial_measure(elements, e, poses, state, record)
    x, _ = elongation(elements, e, poses)
    stretch = x - state.proposed[e, 0]
    force = elements.number[e, SERIES] * stretch
    record[FORCE_ROW, 0] += force
    record[INNER_ROW, SLIP], record[INNER_ROW, SLIP_FORCE] = state.proposed[e, 0], force
    record[INNER_ROW, STORED] += 0.5 * force * stretch


@kernel
def friction_tangent(elements, e, poses, state, weights, rows):
    """One row; the slider's spring while it sticks."""
    number = elements.number
    arm_a, arm_b, way, x, rate = line(elements, e, poses)
    k, c = parallel_slopes(elements, e, x, rate, weights.stiffest)
    stretch = number[e, SERIES] * abs(x - state.proposed[e, 0])
    if weights.stiffest > 0.0 or stretch < (1.0 - 1e-9) * number[e, LIMIT]:
        k += number[e, SERIES]
    line_row(arm_a, arm_b, way, weights.stiffness * k + weights.damping * c, rows)
    return 1


FRICTION = ForceLaw(
    "friction damper",
    friction_force,
    friction_tangent,
    friction_propose,
    rate=None,
    measure=friction_measure,
    dry=True,
    linear=lambda law, elements, e, friction: AXIAL if friction == "sliding" else law,
    kinks=axial_kinks,
    note=lambda elements, rows, poses, friction: f"dry friction {friction}",
)


def read_friction_damper(read):
    """Fields of a friction damper."""
    return dict(
        law=FRICTION,
        limit=read.number("friction_force_n"),
        series=read.number("series_stiffness_n_per_m", positive=True),
        damping=(read.number("damping_n_s_per_m", 0.0), 0.0, 0.0),
        stiffness=(read.number("stiffness_n_per_m", 0.0), 0.0, 0.0),
    )


FRICTION_DAMPER = ForceElement(
    "friction_damper",
    POINTS | {"friction_force_n", "series_stiffness_n_per_m", "damping_n_s_per_m", "stiffness_n_per_m"},
    read_friction_damper,
    along_line,
)
