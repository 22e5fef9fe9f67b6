"""Tension along the line between two points: a spring and a damper in parallel, of a traction rod or a plain damper.

The tension is preload + law(length - rest). Further laws along a line (damper in series with a spring, friction)
share its geometry.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.columns import (
    BODY_A,
    BODY_B,
    DAMPER_TABLE,
    DAMPING,
    FORCE_ROW,
    FORCE_TABLE,
    INNER_ROW,
    LOSS_ROW,
    POINT_A,
    POINT_B,
    PRELOAD,
    RATE_ROW,
    REST,
    STIFFNESS,
    STORED,
    STROKE_ROW,
    add_force,
    attachment,
    span,
)
from flexwheel.vehicle.elements.element_reader import POINTS
from flexwheel.vehicle.elements.force_law import ForceElement, ForceLaw, damper_kinks, spring_kinks
from flexwheel.vehicle.force_tables import table_force, table_tangent, table_work


@kernel
def line(elements, e, poses):
    """Arms of the points on a and b, direction from a to b, elongation over the nominal length and its rate."""
    integer, number = elements.integer, elements.number
    pa = attachment(poses, integer[e, BODY_A], number, e, POINT_A)
    pb = attachment(poses, integer[e, BODY_B], number, e, POINT_B)
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    rate = (dx * (pb[6] - pa[6]) + dy * (pb[7] - pa[7]) + dz * (pb[8] - pa[8])) / length
    return pa[:3], pb[:3], (dx, dy, dz, length), length - number[e, REST], rate


@kernel
def elongation(elements, e, poses):
    """Elongation over the nominal length and its rate."""
    _, _, _, x, rate = line(elements, e, poses)
    return x, rate


@kernel
def pull(elements, e, arm_a, arm_b, way, tension, applied):
    """Add a tension [N] along the line; way: vector from a to b and its length."""
    dx, dy, dz, length = way
    fx, fy, fz = tension * dx / length, tension * dy / length, tension * dz / length
    add_force(applied, elements.integer[e, BODY_A], arm_a, (fx, fy, fz))
    add_force(applied, elements.integer[e, BODY_B], arm_b, (-fx, -fy, -fz))


@kernel
def line_row(arm_a, arm_b, way, kappa, rows):
    """The tangent's one row."""
    dx, dy, dz, length = way
    rows[0, 0] = kappa
    rows[0, 1], rows[0, 2], rows[0, 3] = dx / length, dy / length, dz / length
    rows[0, 4], rows[0, 5], rows[0, 6] = arm_a
    rows[0, 7], rows[0, 8], rows[0, 9] = arm_b
    rows[0, 10] = 0.0


@kernel
def parallel_tension(elements, e, x, rate):
    """Preload, spring and damper at elongation x [m] and rate [m/s]."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    if integer[e, DAMPER_TABLE] >= 0:
        damping = table_force(tables, integer[e, DAMPER_TABLE], rate)[0]
    else:
        damping = number[e, DAMPING] * rate
    if integer[e, FORCE_TABLE] >= 0:
        spring = table_force(tables, integer[e, FORCE_TABLE], x)[0]
    else:
        spring = number[e, STIFFNESS] * x
    return number[e, PRELOAD] + spring + damping


@kernel
def parallel_slopes(elements, e, x, rate, stiffest):
    """Stiffness and damping of spring and damper."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    k, c = number[e, STIFFNESS], number[e, DAMPING]
    if integer[e, DAMPER_TABLE] >= 0:
        c = table_tangent(tables, integer[e, DAMPER_TABLE], rate, stiffest)
    if integer[e, FORCE_TABLE] >= 0:
        k = table_tangent(tables, integer[e, FORCE_TABLE], x, stiffest)
    return k, c


@kernel
def axial_force(elements, e, poses, state, applied):
    """Tension of spring and damper in parallel."""
    arm_a, arm_b, way, x, rate = line(elements, e, poses)
    pull(elements, e, arm_a, arm_b, way, parallel_tension(elements, e, x, rate), applied)


@kernel
def axial_measure(elements, e, poses, state, record):
    """Record along the line."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    x, rate = elongation(elements, e, poses)
    record[FORCE_ROW, 0], record[STROKE_ROW, 0] = parallel_tension(elements, e, x, rate), x
    record[RATE_ROW, 0] = rate
    if integer[e, DAMPER_TABLE] >= 0:
        record[LOSS_ROW, 0] = table_force(tables, integer[e, DAMPER_TABLE], rate)[0]
    else:
        record[LOSS_ROW, 0] = number[e, DAMPING] * rate
    if integer[e, FORCE_TABLE] >= 0:
        stored = table_work(tables, integer[e, FORCE_TABLE], x)
    else:
        stored = 0.5 * number[e, STIFFNESS] * x * x
    record[INNER_ROW, STORED] = stored + number[e, PRELOAD] * x


@kernel
def axial_tangent(elements, e, poses, state, weights, rows):
    """One row."""
    arm_a, arm_b, way, x, rate = line(elements, e, poses)
    k, c = parallel_slopes(elements, e, x, rate, weights.stiffest)
    line_row(arm_a, arm_b, way, weights.stiffness * k + weights.damping * c, rows)
    return 1


def axial_kinks(elements, e, poses, reach, speed_reach):
    """Kinks of the tables where the element stands."""
    x = np.linalg.norm(span(elements, e, poses)) - elements.number[e, REST]
    return damper_kinks(elements, e, speed_reach) + spring_kinks(elements, e, 0, x, reach)


AXIAL = ForceLaw("axial", axial_force, axial_tangent, measure=axial_measure, kinks=axial_kinks)


def along_line(point_a, point_b, vector, name, kind):
    """Length at rest of an element along a line."""
    length = np.linalg.norm(vector)
    if length < 1e-6:
        raise ScenarioError(
            f"suspension element {name}: its points coincide in the nominal pose; a {kind} needs a length"
        )
    return point_a, point_b, np.array([length])


def read_traction_rod(read):
    """Fields of a traction rod."""
    table = read.table("force_table", "displacement_m", increasing=False)
    read.not_beside_table(table, "stiffness_n_per_m")
    return dict(
        law=AXIAL,
        stiffness=(0.0 if table is not None else read.number("stiffness_n_per_m"), 0.0, 0.0),
        damping=(read.number("damping_n_s_per_m", 0.0), 0.0, 0.0),
        preload=(read.number("preload_n", 0.0, signed=True), 0.0, 0.0),
        force_tables={} if table is None else {0: table},
    )


TRACTION_ROD = ForceElement(
    "traction_rod",
    POINTS | {"stiffness_n_per_m", "force_table", "damping_n_s_per_m", "preload_n"},
    read_traction_rod,
    along_line,
)
