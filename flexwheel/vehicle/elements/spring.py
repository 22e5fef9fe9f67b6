"""Spring (bushing): three translational and three rotational laws in the axes of one of the two bodies.

The relative vector is u = R^T (p_b - p_a), the force on body b is preload - law(u - rest). The force pair acts at the
point of the other body, so that it is the exact derivative of a potential V(u) and creates no net moment. A coil
spring's laws act at mid-length, where shear and bending of a spring with clamped ends decouple; an anti-roll bar has a
rotational law alone.
"""

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.columns import (
    AXES_OF_B,
    BODY_A,
    BODY_B,
    DAMPING,
    FORCE_ROW,
    FORCE_TABLE,
    INNER_ROW,
    LOSS_ROW,
    MOMENT_ROW,
    POINT_A,
    POINT_B,
    PRELOAD,
    RATE_ROW,
    REST,
    STIFFNESS,
    STORED,
    STROKE_ROW,
    TURN_DAMPING,
    TURN_LOSS_ROW,
    TURN_RATE_ROW,
    TURN_ROW,
    TURN_STIFFNESS,
    TURNS,
    add_force,
    attachment,
    axes_of,
    axis_of,
    home_body,
    span,
)
from flexwheel.vehicle.elements.element_reader import POINTS, ZERO
from flexwheel.vehicle.elements.force_law import ForceElement, ForceLaw, spring_kinks
from flexwheel.vehicle.force_tables import table_force, table_tangent, table_work


@kernel
def between(elements, e, poses):
    """Home body, arms at which the pair acts on a and b, vector from a to b and its rate as the home body sees it.

    The rate of the relative vector for home b too: the vector p_b - p_a turns with b as well.
    """
    integer, number = elements.integer, elements.number
    a, b = integer[e, BODY_A], integer[e, BODY_B]
    pa = attachment(poses, a, number, e, POINT_A)
    pb = attachment(poses, b, number, e, POINT_B)
    home = b if integer[e, AXES_OF_B] == 1 else a
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    ox, oy, oz = 0.0, 0.0, 0.0
    if home >= 0:
        ox, oy, oz = poses.omega[home, 0], poses.omega[home, 1], poses.omega[home, 2]
    vx = pb[6] - pa[6] - (oy * dz - oz * dy)
    vy = pb[7] - pa[7] - (oz * dx - ox * dz)
    vz = pb[8] - pa[8] - (ox * dy - oy * dx)
    arm_a, arm_b = pa[:3], pb[:3]
    if integer[e, AXES_OF_B] == 1:
        arm_b = (pb[0] - dx, pb[1] - dy, pb[2] - dz)  # at p_a: lever from b is r_b - d
    else:
        arm_a = (pa[0] + dx, pa[1] + dy, pa[2] + dz)
    return home, arm_a, arm_b, (dx, dy, dz), (vx, vy, vz)


@kernel
def axis_of_turn(poses, a, b):
    """Axis of R_a^T R_b times the sine of its angle."""
    rotation = poses.rotation
    x = y = z = 0.0
    for k in range(3):
        a0 = rotation[a, k, 0] if a >= 0 else (1.0 if k == 0 else 0.0)
        a1 = rotation[a, k, 1] if a >= 0 else (1.0 if k == 1 else 0.0)
        a2 = rotation[a, k, 2] if a >= 0 else (1.0 if k == 2 else 0.0)
        b0 = rotation[b, k, 0] if b >= 0 else (1.0 if k == 0 else 0.0)
        b1 = rotation[b, k, 1] if b >= 0 else (1.0 if k == 1 else 0.0)
        b2 = rotation[b, k, 2] if b >= 0 else (1.0 if k == 2 else 0.0)
        x += 0.5 * (a2 * b1 - a1 * b2)
        y += 0.5 * (a0 * b2 - a2 * b0)
        z += 0.5 * (a1 * b0 - a0 * b1)
    return x, y, z


@kernel
def spring_force(elements, e, poses, state, applied):
    """Three laws along the axes of the home body, and three about them."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    a, b = integer[e, BODY_A], integer[e, BODY_B]
    home, arm_a, arm_b, (dx, dy, dz), (vx, vy, vz) = between(elements, e, poses)
    fx, fy, fz = 0.0, 0.0, 0.0
    for i in range(3):
        gx, gy, gz = axis_of(poses, home, i)
        u = gx * dx + gy * dy + gz * dz - number[e, REST + i]
        if integer[e, FORCE_TABLE + i] >= 0:
            law = table_force(tables, integer[e, FORCE_TABLE + i], u)[0]
        else:
            law = number[e, STIFFNESS + i] * u
        law += number[e, DAMPING + i] * (gx * vx + gy * vy + gz * vz)
        force = number[e, PRELOAD + i] - law
        fx += force * gx
        fy += force * gy
        fz += force * gz
    add_force(applied, a, arm_a, (-fx, -fy, -fz))
    add_force(applied, b, arm_b, (fx, fy, fz))
    if integer[e, TURNS] == 1:
        turn_moments(elements, e, poses, home, applied)


@kernel
def turn_between(poses, a, b):
    """Rotation vector of b relative to a; its components are the same in the axes of a and of b."""
    tx, ty, tz = axis_of_turn(poses, a, b)
    sine = np.sqrt(tx * tx + ty * ty + tz * tz)
    scale = np.arcsin(min(1.0, sine)) / sine if sine > 1e-8 else 1.0
    return scale * tx, scale * ty, scale * tz


@kernel
def turn_rate(poses, a, b, axis):
    """Angular velocity of b less that of a about an axis."""
    omega, (gx, gy, gz), rate = poses.omega, axis, 0.0
    if b >= 0:
        rate += gx * omega[b, 0] + gy * omega[b, 1] + gz * omega[b, 2]
    if a >= 0:
        rate -= gx * omega[a, 0] + gy * omega[a, 1] + gz * omega[a, 2]
    return rate


@kernel
def turn_moments(elements, e, poses, home, applied):
    """Moments of the relative rotation vector, in the axes of the home body; equal and opposite."""
    number = elements.number
    a, b = elements.integer[e, BODY_A], elements.integer[e, BODY_B]
    turns = turn_between(poses, a, b)
    mx, my, mz = 0.0, 0.0, 0.0
    for i in range(3):
        turn = turns[i]
        gx, gy, gz = axis_of(poses, home, i)
        rate = turn_rate(poses, a, b, (gx, gy, gz))
        moment = -number[e, TURN_STIFFNESS + i] * turn - number[e, TURN_DAMPING + i] * rate
        mx += moment * gx
        my += moment * gy
        mz += moment * gz
    if b >= 0:
        applied[b, 3] += mx
        applied[b, 4] += my
        applied[b, 5] += mz
    if a >= 0:
        applied[a, 3] -= mx
        applied[a, 4] -= my
        applied[a, 5] -= mz


@kernel
def spring_measure(elements, e, poses, state, record):
    """Record along and about the axes of the home body."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    a, b = integer[e, BODY_A], integer[e, BODY_B]
    home, _, _, (dx, dy, dz), (vx, vy, vz) = between(elements, e, poses)
    turns = turn_between(poses, a, b)
    for i in range(3):
        gx, gy, gz = axis_of(poses, home, i)
        u = gx * dx + gy * dy + gz * dz - number[e, REST + i]
        rate = gx * vx + gy * vy + gz * vz
        if integer[e, FORCE_TABLE + i] >= 0:
            elastic = table_force(tables, integer[e, FORCE_TABLE + i], u)[0]
            stored = table_work(tables, integer[e, FORCE_TABLE + i], u)
        else:
            elastic = number[e, STIFFNESS + i] * u
            stored = 0.5 * elastic * u
        damping = number[e, DAMPING + i] * rate
        record[FORCE_ROW, i] = elastic + damping - number[e, PRELOAD + i]
        record[STROKE_ROW, i], record[RATE_ROW, i], record[LOSS_ROW, i] = u, rate, damping
        record[INNER_ROW, STORED] += stored - number[e, PRELOAD + i] * u
        if integer[e, TURNS] == 1:
            rate = turn_rate(poses, a, b, (gx, gy, gz))
            elastic, damping = number[e, TURN_STIFFNESS + i] * turns[i], number[e, TURN_DAMPING + i] * rate
            record[MOMENT_ROW, i], record[TURN_LOSS_ROW, i] = elastic + damping, damping
            record[TURN_ROW, i], record[TURN_RATE_ROW, i] = turns[i], rate
            record[INNER_ROW, STORED] += 0.5 * elastic * turns[i]


@kernel
def spring_tangent(elements, e, poses, state, weights, rows):
    """A row for every axis with stiffness or damping, of translation and of rotation."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    home, arm_a, arm_b, (dx, dy, dz), _ = between(elements, e, poses)
    count = 0
    for i in range(3):
        gx, gy, gz = axis_of(poses, home, i)
        k = number[e, STIFFNESS + i]
        if integer[e, FORCE_TABLE + i] >= 0:
            u = gx * dx + gy * dy + gz * dz - number[e, REST + i]
            k = table_tangent(tables, integer[e, FORCE_TABLE + i], u, weights.stiffest)
        kappa = weights.stiffness * k + weights.damping * number[e, DAMPING + i]
        if kappa > 0.0:
            point_row(rows[count], kappa, (gx, gy, gz), arm_a, arm_b)
            count += 1
    if integer[e, TURNS] == 1:
        for i in range(3):
            kappa = weights.stiffness * number[e, TURN_STIFFNESS + i] + weights.damping * number[e, TURN_DAMPING + i]
            if kappa > 0.0:
                row = rows[count]
                row[0] = kappa
                row[1], row[2], row[3] = axis_of(poses, home, i)
                row[10] = 1.0
                count += 1
    return count


@kernel
def point_row(row, kappa, axis, arm_a, arm_b):
    """A tangent row of the relative motion of two points along an axis."""
    row[0] = kappa
    row[1], row[2], row[3] = axis
    row[4], row[5], row[6] = arm_a
    row[7], row[8], row[9] = arm_b
    row[10] = 0.0


def spring_kinks_of(elements, e, poses, reach, speed_reach):
    """Kinks of the tables where the element stands."""
    u = axes_of(poses, home_body(elements, e)).T @ span(elements, e, poses) - elements.number[e, REST : REST + 3]
    return [text for i in range(3) for text in spring_kinks(elements, e, i, u[i], reach)]


BUSHING = ForceLaw("bushing", spring_force, spring_tangent, measure=spring_measure, kinks=spring_kinks_of)


def read_spring(read):
    """Fields of a spring or coil spring."""
    tables = {}
    for axis, letter in enumerate("xyz"):
        table = read.table(f"force_table_{letter}", "displacement_m", increasing=False)
        if table is not None:
            tables[axis] = table
    if (
        not tables
        and "stiffness_n_per_m" not in read.mapping
        and not any(key.startswith(("rotational", "damping")) for key in read.mapping)
    ):
        read.refuse("stiffness_n_per_m", "three numbers")
    stiffness = read.vector("stiffness_n_per_m", ZERO)
    for axis in tables:
        if stiffness[axis]:
            read.refuse("stiffness_n_per_m", f"zero in {'xyz'[axis]}, which force_table_{'xyz'[axis]} gives")
    return dict(
        law=BUSHING,
        stiffness=stiffness,
        damping=read.vector("damping_n_s_per_m", ZERO),
        turn_stiffness=read.vector("rotational_stiffness_n_m_per_rad", ZERO),
        turn_damping=read.vector("rotational_damping_n_m_s_per_rad", ZERO),
        preload=read.vector("preload_n", ZERO, signed=True),
        axes_of_b=read.side(),
        force_tables=tables,
    )


def read_anti_roll_bar(read):
    """Fields of an anti-roll bar."""
    return dict(
        law=BUSHING,
        turn_stiffness=(read.number("roll_stiffness_n_m_per_rad"), 0.0, 0.0),
        turn_damping=(read.number("roll_damping_n_m_s_per_rad", 0.0), 0.0, 0.0),
        axes_of_b=read.side(),
    )


def between_points(point_a, point_b, vector, name, kind):
    """The points as they are, and the vector at rest."""
    return point_a, point_b, vector


KEYS = POINTS | {
    "stiffness_n_per_m",
    "damping_n_s_per_m",
    "rotational_stiffness_n_m_per_rad",
    "rotational_damping_n_m_s_per_rad",
    "preload_n",
    "axes_of",
    "force_table_x",
    "force_table_y",
    "force_table_z",
}
SPRING = ForceElement("spring", KEYS, read_spring, between_points)
COIL_SPRING = ForceElement(
    "coil_spring",
    KEYS,
    read_spring,
    lambda point_a, point_b, vector, name, kind: (point_a + 0.5 * vector, point_b - 0.5 * vector, np.zeros(3)),
)
ANTI_ROLL_BAR = ForceElement(
    "anti_roll_bar",
    frozenset({"roll_stiffness_n_m_per_rad", "roll_damping_n_m_s_per_rad", "axes_of"}),
    read_anti_roll_bar,
    lambda point_a, point_b, vector, name, kind: (point_a, point_b, np.zeros(3)),
)
