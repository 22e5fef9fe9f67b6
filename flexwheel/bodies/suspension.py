"""Suspension forces between points fixed in two bodies: springs, dampers, friction, rods, stops, anti-roll
bars.

Three families of kernel serve all kinds of element:

- *bushing* (spring, coil spring, anti-roll bar): the relative vector u = R^T (p_b - p_a) and the relative
rotation in
  the axes R of one of the two bodies, three translational and three rotational laws. The force pair acts
  at the point of the other body, so that it is the exact derivative of a potential V(u) and creates no net
  moment.
- *stop*: as a bushing along one axis, silent within its clearance; it pushes, it never pulls.
- *axial* (damper, series damper, friction damper, traction rod): tension along the line between the points.

Internal states are proposed from the accepted ones at every iteration and accepted once a step; with the
proposed state held, the forces are functions of position and velocity alone.
Force laws: f on body b is preload - law(u - rest); tension is preload + law(length - rest).

Source: series (Maxwell) element integrated exactly for a displacement linear in time; friction as an
elastic-plastic element (Jenkins 1962, J. Appl. Mech. 29, 115-119). Verified in
tests/property/test_suspension.py and tests/verification/test_suspension_elements.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexwheel.bodies.force_tables import ForceTables, solve_table, table_force
from flexwheel.kernels import kernel

BUSHING, STOP, AXIAL, SERIES_DAMPER, FRICTION = 0, 1, 2, 3, 4


class SuspensionElements(NamedTuple):
    """E elements, constant, one row each; few arrays, because every array of a tuple costs time in a kernel."""

    integer: np.ndarray  # (E, 9) columns KIND .. DAMPER_TABLE
    number: np.ndarray  # (E, 31) columns POINT_A .. LIMIT
    tables: ForceTables


# columns of SuspensionElements.integer
KIND = 0
BODY_A = 1  # -1: the ground, its points are global
BODY_B = 2
AXES_OF_B = 3  # 1: laws in the axes of body b, 0: of body a
TURNS = 4  # 1: has rotational stiffness or damping
FORCE_TABLE = 5  # 3 columns: table in place of stiffness, -1: none
DAMPER_TABLE = 8  # table in place of damping, -1: none
INTEGER_COLUMNS = 9

# columns of SuspensionElements.number; vectors take three
POINT_A = 0  # from the body's centre [m]
POINT_B = 3
REST = 6  # relative vector, or in the first column the length, of the nominal pose [m]
PRELOAD = 9  # force on body b, or in the first column the tension, of the nominal pose [N]
STIFFNESS = 12  # [N/m]
DAMPING = 15  # [N s/m]
TURN_STIFFNESS = 18  # [N m/rad]
TURN_DAMPING = 21  # [N m s/rad]
AXIS = 24  # unit axis of a stop
CLEARANCE = 27  # 2 columns: of a stop, to the negative and to the positive side [m]
SERIES = 29  # stiffness in series with a damper or a slider [N/m]
LIMIT = 30  # friction force [N]
NUMBER_COLUMNS = 31


class SuspensionState(NamedTuple):
    """Internal states: piston or slider displacement, and elongation [m]."""

    accepted: np.ndarray  # (E, 2)
    proposed: np.ndarray  # (E, 2)


def make_suspension_state(elements: SuspensionElements) -> SuspensionState:
    """Internal states of the nominal pose: nothing displaced."""
    count = len(elements.integer)
    return SuspensionState(np.zeros((count, 2)), np.zeros((count, 2)))


@kernel
def attachment(position, rotation, velocity, omega, body, number, e, first):
    """Lever arm, global position and velocity of an attachment point, as nine scalars."""
    if body < 0:
        return 0.0, 0.0, 0.0, number[e, first + 0], number[e, first + 1], number[e, first + 2], 0.0, 0.0, 0.0
    x, y, z = number[e, first + 0], number[e, first + 1], number[e, first + 2]
    R = rotation
    rx = R[body, 0, 0] * x + R[body, 0, 1] * y + R[body, 0, 2] * z
    ry = R[body, 1, 0] * x + R[body, 1, 1] * y + R[body, 1, 2] * z
    rz = R[body, 2, 0] * x + R[body, 2, 1] * y + R[body, 2, 2] * z
    ox, oy, oz = omega[body, 0], omega[body, 1], omega[body, 2]
    return (
        rx,
        ry,
        rz,
        position[body, 0] + rx,
        position[body, 1] + ry,
        position[body, 2] + rz,
        velocity[body, 0] + oy * rz - oz * ry,
        velocity[body, 1] + oz * rx - ox * rz,
        velocity[body, 2] + ox * ry - oy * rx,
    )


@kernel
def _add(applied, body, rx, ry, rz, fx, fy, fz):
    """Add a force at lever arm r to the wrench of a body."""
    if body < 0:
        return
    applied[body, 0] += fx
    applied[body, 1] += fy
    applied[body, 2] += fz
    applied[body, 3] += ry * fz - rz * fy
    applied[body, 4] += rz * fx - rx * fz
    applied[body, 5] += rx * fy - ry * fx


@kernel
def elongation(integer, number, e, position, rotation, velocity, omega):
    """Elongation over the nominal length and its rate, of an axial element."""
    a, b = integer[e, BODY_A], integer[e, BODY_B]
    pa = attachment(position, rotation, velocity, omega, a, number, e, POINT_A)
    pb = attachment(position, rotation, velocity, omega, b, number, e, POINT_B)
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    rate = (dx * (pb[6] - pa[6]) + dy * (pb[7] - pa[7]) + dz * (pb[8] - pa[8])) / length
    return length - number[e, REST], rate


@kernel
def _axial_tension(integer, number, tables, e, x, rate, proposed):
    """Tension of an axial element at elongation x [m] and rate [m/s]."""
    kind = integer[e, KIND]
    if kind == SERIES_DAMPER:
        return number[e, PRELOAD] + number[e, SERIES] * (x - proposed[e, 0])
    if integer[e, DAMPER_TABLE] >= 0:
        damping = table_force(tables, integer[e, DAMPER_TABLE], rate)[0]
    else:
        damping = number[e, DAMPING] * rate
    if integer[e, FORCE_TABLE] >= 0:
        spring = table_force(tables, integer[e, FORCE_TABLE], x)[0]
    else:
        spring = number[e, STIFFNESS] * x
    tension = number[e, PRELOAD] + spring + damping
    if kind == FRICTION:
        tension += number[e, SERIES] * (x - proposed[e, 0])
    return tension


@kernel
def _axial_forces(integer, number, tables, e, position, rotation, velocity, omega, proposed, applied):
    """Tension along the line between the points."""
    a, b = integer[e, BODY_A], integer[e, BODY_B]
    pa = attachment(position, rotation, velocity, omega, a, number, e, POINT_A)
    pb = attachment(position, rotation, velocity, omega, b, number, e, POINT_B)
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    rate = (dx * (pb[6] - pa[6]) + dy * (pb[7] - pa[7]) + dz * (pb[8] - pa[8])) / length
    tension = _axial_tension(integer, number, tables, e, length - number[e, REST], rate, proposed)
    fx, fy, fz = tension * dx / length, tension * dy / length, tension * dz / length
    _add(applied, a, pa[0], pa[1], pa[2], fx, fy, fz)
    _add(applied, b, pb[0], pb[1], pb[2], -fx, -fy, -fz)


@kernel
def _stop_force(integer, number, tables, e, u, rate):
    """Force on body b along the axis of a stop at displacement u [m]; it never pulls."""
    if u > number[e, CLEARANCE + 1]:
        depth, sign = u - number[e, CLEARANCE + 1], 1.0
    elif u < -number[e, CLEARANCE]:
        depth, sign = -number[e, CLEARANCE] - u, -1.0
    else:
        return 0.0
    if integer[e, FORCE_TABLE] >= 0:
        force = table_force(tables, integer[e, FORCE_TABLE], depth)[0]
    else:
        force = number[e, STIFFNESS] * depth
    return -sign * max(0.0, force + number[e, DAMPING] * sign * rate)


@kernel
def _axis_of_turn(rotation, a, b):
    """Axis of R_a^T R_b times the sine of its angle."""
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
def _bushing_forces(integer, number, tables, e, position, rotation, velocity, omega, applied):
    """Laws in the axes of one body; the force pair acts at the point of the other."""
    a, b = integer[e, BODY_A], integer[e, BODY_B]
    pa = attachment(position, rotation, velocity, omega, a, number, e, POINT_A)
    pb = attachment(position, rotation, velocity, omega, b, number, e, POINT_B)
    home = b if integer[e, AXES_OF_B] == 1 else a
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    ox, oy, oz = 0.0, 0.0, 0.0
    if home >= 0:
        ox, oy, oz = omega[home, 0], omega[home, 1], omega[home, 2]
    # rate of the relative vector as seen from the home body; for home b the vector p_b - p_a turns with b
    # as well
    vx = pb[6] - pa[6] - (oy * dz - oz * dy)
    vy = pb[7] - pa[7] - (oz * dx - ox * dz)
    vz = pb[8] - pa[8] - (ox * dy - oy * dx)
    fx, fy, fz = 0.0, 0.0, 0.0
    if integer[e, KIND] == STOP:
        gx, gy, gz = 0.0, 0.0, 0.0
        for i in range(3):
            n = number[e, AXIS + i]
            gx += n * (rotation[home, 0, i] if home >= 0 else (1.0 if i == 0 else 0.0))
            gy += n * (rotation[home, 1, i] if home >= 0 else (1.0 if i == 1 else 0.0))
            gz += n * (rotation[home, 2, i] if home >= 0 else (1.0 if i == 2 else 0.0))
        u = gx * dx + gy * dy + gz * dz
        for i in range(3):
            u -= number[e, AXIS + i] * number[e, REST + i]
        force = _stop_force(integer, number, tables, e, u, gx * vx + gy * vy + gz * vz)
        fx, fy, fz = force * gx, force * gy, force * gz
    else:
        for i in range(3):
            gx = rotation[home, 0, i] if home >= 0 else (1.0 if i == 0 else 0.0)
            gy = rotation[home, 1, i] if home >= 0 else (1.0 if i == 1 else 0.0)
            gz = rotation[home, 2, i] if home >= 0 else (1.0 if i == 2 else 0.0)
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
    if integer[e, AXES_OF_B] == 1:
        # at p_a: lever from b is r_b - d
        _add(applied, a, pa[0], pa[1], pa[2], -fx, -fy, -fz)
        _add(applied, b, pb[0] - dx, pb[1] - dy, pb[2] - dz, fx, fy, fz)
    else:
        _add(applied, a, pa[0] + dx, pa[1] + dy, pa[2] + dz, -fx, -fy, -fz)
        _add(applied, b, pb[0], pb[1], pb[2], fx, fy, fz)


@kernel
def _bushing_moments(integer, number, e, rotation, omega, applied):
    """Moments of the relative rotation vector, in the axes of the home body; equal and opposite."""
    a, b = integer[e, BODY_A], integer[e, BODY_B]
    home = b if integer[e, AXES_OF_B] == 1 else a
    # rotation vector of b relative to a; its components are the same in the axes of a and of b
    tx, ty, tz = _axis_of_turn(rotation, a, b)
    sine = np.sqrt(tx * tx + ty * ty + tz * tz)
    scale = np.arcsin(min(1.0, sine)) / sine if sine > 1e-8 else 1.0
    mx, my, mz = 0.0, 0.0, 0.0
    for i in range(3):
        turn = scale * (tx if i == 0 else (ty if i == 1 else tz))
        gx = rotation[home, 0, i] if home >= 0 else (1.0 if i == 0 else 0.0)
        gy = rotation[home, 1, i] if home >= 0 else (1.0 if i == 1 else 0.0)
        gz = rotation[home, 2, i] if home >= 0 else (1.0 if i == 2 else 0.0)
        rate = 0.0
        if b >= 0:
            rate += gx * omega[b, 0] + gy * omega[b, 1] + gz * omega[b, 2]
        if a >= 0:
            rate -= gx * omega[a, 0] + gy * omega[a, 1] + gz * omega[a, 2]
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
def suspension_forces(elements, position, rotation, velocity, omega, state, applied):
    """Add the wrenches of all elements to the bodies.

    Parameters
    ----------
    elements : SuspensionElements
    position : (B, 3) [m]         centres, global
    rotation : (B, 3, 3)          frame that carries the attachments -> global
    velocity, omega : (B, 3)      of centre and frame, global axes [m/s, rad/s]
    state : SuspensionState       its proposed values are used
    applied : (B, 6) [N, N m]     added to: force and moment about the centre, global axes
    """
    integer, number, tables = elements.integer, elements.number, elements.tables
    proposed = state.proposed
    for e in range(integer.shape[0]):
        kind = integer[e, KIND]
        if kind == BUSHING or kind == STOP:
            _bushing_forces(integer, number, tables, e, position, rotation, velocity, omega, applied)
            if integer[e, TURNS] == 1:
                _bushing_moments(integer, number, e, rotation, omega, applied)
        else:
            _axial_forces(integer, number, tables, e, position, rotation, velocity, omega, proposed, applied)


@kernel
def suspension_propose(elements, position, rotation, velocity, omega, dt, state):
    """Internal states at the end of a step of dt [s] that ends at the given pose.

    dt = 0: settled state; dt < 0: held as accepted, for derivatives by the pose and by the states apart.

    A series damper follows f' = k x' - (k/c) f exactly for x linear over the step (tabulated: implicit
    midpoint); a slider moves when its spring reaches the friction force.
    """
    integer, number, tables = elements.integer, elements.number, elements.tables
    accepted, proposed = state.accepted, state.proposed
    for e in range(integer.shape[0]):
        kind = integer[e, KIND]
        if kind == SERIES_DAMPER:
            x, _ = elongation(integer, number, e, position, rotation, velocity, omega)
            k = number[e, SERIES]
            piston, before = accepted[e, 0], accepted[e, 1]
            force = k * (before - piston)
            if dt <= 0.0:
                force = 0.0
            elif integer[e, DAMPER_TABLE] >= 0:
                mean = force + 0.5 * k * (x - before)
                speed = solve_table(tables, integer[e, DAMPER_TABLE], 0.5 * k * dt, mean)
                force += k * (x - before - speed * dt)
            elif number[e, DAMPING] > 0.0:
                c = number[e, DAMPING]
                ratio = k * dt / c
                force = force * np.exp(-ratio) - c * (x - before) / dt * np.expm1(-ratio)
            else:
                force = 0.0
            proposed[e, 0] = x - force / k if dt >= 0.0 else piston
            proposed[e, 1] = x
        elif kind == FRICTION:
            x, _ = elongation(integer, number, e, position, rotation, velocity, omega)
            slider = accepted[e, 0]
            bound = number[e, LIMIT] / number[e, SERIES]
            if dt >= 0.0:
                slider = min(max(slider, x - bound), x + bound)
            proposed[e, 0] = slider
            proposed[e, 1] = x


@kernel
def suspension_accept(state):
    """Accept the proposed internal states."""
    for e in range(state.accepted.shape[0]):
        for i in range(state.accepted.shape[1]):
            state.accepted[e, i] = state.proposed[e, i]
