"""Bump stop: a spring and a damper along one axis, silent within its clearance; it pushes, it never pulls."""

from collections.abc import Sequence

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.columns import (
    AXIS,
    BODY_A,
    BODY_B,
    CLEARANCE,
    DAMPING,
    FORCE_ROW,
    FORCE_TABLE,
    INNER_ROW,
    LOSS_ROW,
    RATE_ROW,
    REST,
    STIFFNESS,
    STORED,
    STROKE_ROW,
    add_force,
    axes_of,
    axis_of,
    home_body,
    span,
)
from flexwheel.vehicle.elements.element_reader import POINTS
from flexwheel.vehicle.elements.force_law import ForceElement, ForceLaw, damper_kinks, kink
from flexwheel.vehicle.elements.spring import between, between_points, point_row
from flexwheel.vehicle.force_tables import table_force, table_slopes, table_tangent, table_work


@kernel
def along_axis(elements, e, poses, home, vector):
    """Axis of the stop, global (3 scalars), and the displacement along it [m]."""
    number = elements.number
    dx, dy, dz = vector
    gx, gy, gz = 0.0, 0.0, 0.0
    for i in range(3):
        n = number[e, AXIS + i]
        ax, ay, az = axis_of(poses, home, i)
        gx += n * ax
        gy += n * ay
        gz += n * az
    u = gx * dx + gy * dy + gz * dz
    for i in range(3):
        u -= number[e, AXIS + i] * number[e, REST + i]
    return (gx, gy, gz), u


@kernel
def push_of(elements, e, u, rate):
    """Force on body b along the axis at displacement u [m]; it never pulls."""
    integer, number = elements.integer, elements.number
    if u > number[e, CLEARANCE + 1]:
        depth, sign = u - number[e, CLEARANCE + 1], 1.0
    elif u < -number[e, CLEARANCE]:
        depth, sign = -number[e, CLEARANCE] - u, -1.0
    else:
        return 0.0
    if integer[e, FORCE_TABLE] >= 0:
        force = table_force(elements.tables, integer[e, FORCE_TABLE], depth)[0]
    else:
        force = number[e, STIFFNESS] * depth
    return -sign * max(0.0, force + number[e, DAMPING] * sign * rate)


@kernel
def stop_force(elements, e, poses, state, applied):
    """Push along the axis."""
    home, arm_a, arm_b, vector, (vx, vy, vz) = between(elements, e, poses)
    (gx, gy, gz), u = along_axis(elements, e, poses, home, vector)
    force = push_of(elements, e, u, gx * vx + gy * vy + gz * vz)
    fx, fy, fz = force * gx, force * gy, force * gz
    add_force(applied, elements.integer[e, BODY_A], arm_a, (-fx, -fy, -fz))
    add_force(applied, elements.integer[e, BODY_B], arm_b, (fx, fy, fz))


@kernel
def stop_measure(elements, e, poses, state, record):
    """Record along the axis; what the force lacks of the elastic one is damping."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    home, _, _, vector, (vx, vy, vz) = between(elements, e, poses)
    (gx, gy, gz), u = along_axis(elements, e, poses, home, vector)
    rate = gx * vx + gy * vy + gz * vz
    force = -push_of(elements, e, u, rate)
    record[FORCE_ROW, 0], record[STROKE_ROW, 0], record[RATE_ROW, 0] = force, u, rate
    above = u - number[e, CLEARANCE + 1]
    depth, sign = (above, 1.0) if above > 0.0 else (-number[e, CLEARANCE] - u, -1.0)
    if depth <= 0.0:
        return
    if integer[e, FORCE_TABLE] >= 0:
        elastic = table_force(tables, integer[e, FORCE_TABLE], depth)[0]
        record[INNER_ROW, STORED] = table_work(tables, integer[e, FORCE_TABLE], depth)
    else:
        elastic = number[e, STIFFNESS] * depth
        record[INNER_ROW, STORED] = 0.5 * elastic * depth
    record[LOSS_ROW, 0] = force - sign * elastic


@kernel
def stop_tangent(elements, e, poses, state, weights, rows):
    """One row while it is closed."""
    integer, number = elements.integer, elements.number
    home, arm_a, arm_b, vector, _ = between(elements, e, poses)
    axis, u = along_axis(elements, e, poses, home, vector)
    depth = max(u - number[e, CLEARANCE + 1], -number[e, CLEARANCE] - u)
    if weights.stiffest == 0.0 and depth <= 0.0:
        return 0
    k = number[e, STIFFNESS]
    if integer[e, FORCE_TABLE] >= 0:
        k = table_tangent(elements.tables, integer[e, FORCE_TABLE], depth, weights.stiffest)
    kappa = weights.stiffness * k + weights.damping * number[e, DAMPING]
    if kappa <= 0.0:
        return 0
    point_row(rows[0], kappa, axis, arm_a, arm_b)
    return 1


def stop_displacement(elements, e, poses):
    """Displacement [m] along the axis."""
    axis = elements.number[e, AXIS : AXIS + 3]
    axes = axes_of(poses, home_body(elements, e))
    return float(axes @ axis @ span(elements, e, poses) - axis @ elements.number[e, REST : REST + 3])


def stop_kinks(elements, e, poses, reach, speed_reach):
    """First touch, and the kinks of the table where the stop stands."""
    u = stop_displacement(elements, e, poses)
    depth = max(u - elements.number[e, CLEARANCE + 1], -elements.number[e, CLEARANCE] - u)
    found = damper_kinks(elements, e, speed_reach)
    table = elements.integer[e, FORCE_TABLE]
    if table >= 0:
        below, above = table_slopes(elements.tables, table, max(depth, 0.0), reach)
        slopes = (0.0 if depth < reach else below, 0.0 if depth < -reach else above)
        return found + kink(slopes, "N/m", "stiffness")
    return found + (kink((0.0, elements.number[e, STIFFNESS]), "N/m", "stiffness") if abs(depth) < reach else [])


def stop_note(elements, rows, poses, friction):
    """How many are open and closed."""
    u = np.array([stop_displacement(elements, e, poses) for e in rows])
    clearance = elements.number[rows, CLEARANCE : CLEARANCE + 2]
    closed = int(np.sum((u > clearance[:, 1]) | (u < -clearance[:, 0])))
    return f"{len(rows)} bump stops at rest: {len(rows) - closed} open, {closed} closed"


STOP = ForceLaw(
    "bump stop", stop_force, stop_tangent, measure=stop_measure, kinks=stop_kinks, note=stop_note, one_sided=True
)


def read_bump_stop(read):
    """Fields of a bump stop."""
    axis = np.array(read.vector("axis", signed=True))
    length = np.linalg.norm(axis)
    if length == 0.0:
        read.refuse("axis", "a direction, not zero")
    clearance = read.mapping.get("clearance_m")
    if isinstance(clearance, int | float) and not isinstance(clearance, bool):
        clearance = (clearance, clearance)
    if not isinstance(clearance, Sequence) or isinstance(clearance, str) or len(clearance) != 2:
        read.refuse("clearance_m", "one number or two, negative and positive side (inf: none)")
    try:
        clearance = tuple(float(x) for x in clearance)
    except (TypeError, ValueError):
        read.refuse("clearance_m", "numbers")
    if np.isnan(clearance).any() or min(clearance) < 0:
        read.refuse("clearance_m", "numbers that are not negative")
    table = read.table("force_table", "displacement_m", increasing=False)
    if table is not None and (table[0][0] != 0.0 or table[1][0] != 0.0):
        read.refuse("force_table", "a table that starts at zero force and zero displacement (first touch)")
    read.not_beside_table(table, "stiffness_n_per_m")
    return dict(
        law=STOP,
        axis=tuple(axis / length),
        clearance=clearance,
        stiffness=(0.0 if table is not None else read.number("stiffness_n_per_m"), 0.0, 0.0),
        damping=(read.number("damping_n_s_per_m", 0.0), 0.0, 0.0),
        axes_of_b=read.side(),
        force_tables={} if table is None else {0: table},
    )


BUMP_STOP = ForceElement(
    "bump_stop",
    POINTS | {"axis", "clearance_m", "stiffness_n_per_m", "force_table", "damping_n_s_per_m", "axes_of"},
    read_bump_stop,
    between_points,
)
