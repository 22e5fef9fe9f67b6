"""Directions in which a force element resists, and how much: its part of an iteration matrix.

Every law of an element, a spring or damper along one axis, resists the relative motion
g . (p_b - p_a) of two material points (or of two bodies' rotations) and so adds kappa d d^T to the matrix of the
bodies' coordinates. Preloads, which turn with the bodies, are left out: beside the inertia they are small.
"""

import numpy as np

from flexwheel.bodies.force_tables import table_force
from flexwheel.bodies.suspension import (
    AXES_OF_B,
    AXIS,
    BODY_A,
    BODY_B,
    BUSHING,
    CLEARANCE,
    DAMPER_TABLE,
    DAMPING,
    FORCE_TABLE,
    FRICTION,
    KIND,
    LIMIT,
    POINT_A,
    POINT_B,
    REST,
    SERIES,
    SERIES_DAMPER,
    STIFFNESS,
    STOP,
    TURN_DAMPING,
    TURN_STIFFNESS,
    TURNS,
    attachment,
)
from flexwheel.kernels import kernel

MOST_ROWS = 6
ROW_COLUMNS = 11  # kappa, g (3), lever arm on body a (3), on body b (3), 1: of rotations


@kernel
def _slope(tables, t, x, stiffest):
    """Slope of table t at x, or its steepest; never negative."""
    if not stiffest:
        return max(0.0, table_force(tables, t, x)[1])
    steepest = 0.0
    for k in range(tables.first[t] + 1, tables.first[t] + tables.count[t]):
        steepest = max(steepest, (tables.force[k] - tables.force[k - 1]) / (tables.x[k] - tables.x[k - 1]))
    return steepest


@kernel
def _axial_tangent(integer, number, tables, e, x, rate, dt, bd, gd, state, stiffest):
    """kappa of the tension of an axial element at elongation x [m] and its rate."""
    kind = integer[e, KIND]
    c = number[e, DAMPING]
    if kind == SERIES_DAMPER:
        k = number[e, SERIES]
        if integer[e, DAMPER_TABLE] >= 0:
            speed = (state.proposed[e, 0] - state.accepted[e, 0]) / dt
            own = _slope(tables, integer[e, DAMPER_TABLE], speed, stiffest)
            return bd * k * own / (own + 0.5 * k * dt)
        return bd * c / dt * -np.expm1(-k * dt / c) if c > 0.0 else 0.0
    if integer[e, DAMPER_TABLE] >= 0:
        c = _slope(tables, integer[e, DAMPER_TABLE], rate, stiffest)
    k = number[e, STIFFNESS]
    if integer[e, FORCE_TABLE] >= 0:
        k = _slope(tables, integer[e, FORCE_TABLE], x, stiffest)
    if kind == FRICTION:
        stretch = number[e, SERIES] * abs(x - state.proposed[e, 0])
        if stiffest or stretch < (1.0 - 1e-9) * number[e, LIMIT]:
            k += number[e, SERIES]
    return bd * k + gd * c


@kernel
def tangent_rows(elements, e, position, rotation, velocity, omega, state, dt, bd, gd, stiffest, rows):
    """Rows (MOST_ROWS, ROW_COLUMNS) of element e, global axes; returns how many.

    Parameters
    ----------
    elements : SuspensionElements
    position, rotation, velocity, omega, state : as `suspension_forces`
    dt, bd, gd : float      step [s]; weights beta dt^2 of stiffness and gamma dt of damping, so that kappa is in kg
    stiffest : bool         every stop closed, every table at its steepest, every slider stuck
    rows : (MOST_ROWS, ROW_COLUMNS)   out
    """
    integer, number, tables = elements.integer, elements.number, elements.tables
    a, b, kind = integer[e, BODY_A], integer[e, BODY_B], integer[e, KIND]
    pa = attachment(position, rotation, velocity, omega, a, number, e, POINT_A)
    pb = attachment(position, rotation, velocity, omega, b, number, e, POINT_B)
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    count = 0
    if kind != BUSHING and kind != STOP:
        length = np.sqrt(dx * dx + dy * dy + dz * dz)
        rate = (dx * (pb[6] - pa[6]) + dy * (pb[7] - pa[7]) + dz * (pb[8] - pa[8])) / length
        x = length - number[e, REST]
        rows[0, 0] = _axial_tangent(integer, number, tables, e, x, rate, dt, bd, gd, state, stiffest)
        rows[0, 1], rows[0, 2], rows[0, 3] = dx / length, dy / length, dz / length
        for i in range(3):
            rows[0, 4 + i], rows[0, 7 + i] = pa[i], pb[i]
        rows[0, 10] = 0.0
        return 1
    home = b if integer[e, AXES_OF_B] == 1 else a
    # both forces act at one point: that of the body whose axes the law does not use
    ax, ay, az, bx, by, bz = pa[0], pa[1], pa[2], pb[0], pb[1], pb[2]
    if integer[e, AXES_OF_B] == 1:
        bx, by, bz = bx - dx, by - dy, bz - dz
    else:
        ax, ay, az = ax + dx, ay + dy, az + dz
    for i in range(3):
        gx, gy, gz = 0.0, 0.0, 0.0
        if kind == STOP:
            if i > 0:
                break
            for j in range(3):
                n = number[e, AXIS + j]
                gx += n * (rotation[home, 0, j] if home >= 0 else (1.0 if j == 0 else 0.0))
                gy += n * (rotation[home, 1, j] if home >= 0 else (1.0 if j == 1 else 0.0))
                gz += n * (rotation[home, 2, j] if home >= 0 else (1.0 if j == 2 else 0.0))
        else:
            gx = rotation[home, 0, i] if home >= 0 else (1.0 if i == 0 else 0.0)
            gy = rotation[home, 1, i] if home >= 0 else (1.0 if i == 1 else 0.0)
            gz = rotation[home, 2, i] if home >= 0 else (1.0 if i == 2 else 0.0)
        u = gx * dx + gy * dy + gz * dz
        k, c = number[e, STIFFNESS + i], number[e, DAMPING + i]
        if kind == STOP:
            for j in range(3):
                u -= number[e, AXIS + j] * number[e, REST + j]
            depth = max(u - number[e, CLEARANCE + 1], -number[e, CLEARANCE] - u)
            if not stiffest and depth <= 0.0:
                return 0
        else:
            u -= number[e, REST + i]
            depth = u
        if integer[e, FORCE_TABLE + i] >= 0:
            k = _slope(tables, integer[e, FORCE_TABLE + i], depth, stiffest)
        kappa = bd * k + gd * c
        if kappa > 0.0:
            rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = kappa, gx, gy, gz
            rows[count, 4], rows[count, 5], rows[count, 6] = ax, ay, az
            rows[count, 7], rows[count, 8], rows[count, 9] = bx, by, bz
            rows[count, 10] = 0.0
            count += 1
    if kind == BUSHING and integer[e, TURNS] == 1:
        for i in range(3):
            kappa = bd * number[e, TURN_STIFFNESS + i] + gd * number[e, TURN_DAMPING + i]
            if kappa > 0.0:
                rows[count, 0] = kappa
                for j in range(3):
                    rows[count, 1 + j] = rotation[home, j, i] if home >= 0 else (1.0 if i == j else 0.0)
                rows[count, 10] = 1.0
                count += 1
    return count
