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
from numba import njit

from flexwheel.bodies.force_tables import ForceTables, solve_table, table_force

BUSHING, STOP, AXIAL, SERIES_DAMPER, FRICTION = 0, 1, 2, 3, 4


class SuspensionElements(NamedTuple):
    """E elements, constant; body -1 is the ground, its points are global. Points are from the body's
    centre."""

    kind: np.ndarray  # (E,)
    body_a: np.ndarray  # (E,)
    body_b: np.ndarray  # (E,)
    axes_of_b: np.ndarray  # (E,) 1: laws in the axes of body b, 0: of body a
    point_a: np.ndarray  # (E, 3) [m]
    point_b: np.ndarray  # (E, 3) [m]
    rest: np.ndarray  # (E, 3) relative vector, or in [0] the length, of the nominal pose [m]
    preload: np.ndarray  # (E, 3) force on body b, or in [0] the tension, of the nominal pose [N]
    stiffness: np.ndarray  # (E, 3) [N/m]
    damping: np.ndarray  # (E, 3) [N s/m]
    turn_stiffness: np.ndarray  # (E, 3) [N m/rad]
    turn_damping: np.ndarray  # (E, 3) [N m s/rad]
    axis: np.ndarray  # (E, 3) unit axis of a stop
    clearance: np.ndarray  # (E, 2) of a stop: to the negative and to the positive side [m]
    series: np.ndarray  # (E,) stiffness in series with a damper or a slider [N/m]
    limit: np.ndarray  # (E,) friction force [N]
    force_table: np.ndarray  # (E, 3) table in place of stiffness, -1: none
    damper_table: np.ndarray  # (E,) table in place of damping[:, 0], -1: none
    tables: ForceTables


class SuspensionState(NamedTuple):
    """Internal states: piston or slider displacement, and elongation [m]."""

    accepted: np.ndarray  # (E, 2)
    proposed: np.ndarray  # (E, 2)


def make_suspension_state(elements: SuspensionElements) -> SuspensionState:
    """Internal states of the nominal pose: nothing displaced."""
    count = len(elements.kind)
    return SuspensionState(np.zeros((count, 2)), np.zeros((count, 2)))


@njit(cache=True)
def _attachment(position, rotation, velocity, omega, body, point, e):
    """Lever arm, global position and velocity of an attachment point, as nine scalars."""
    if body < 0:
        return 0.0, 0.0, 0.0, point[e, 0], point[e, 1], point[e, 2], 0.0, 0.0, 0.0
    x, y, z = point[e, 0], point[e, 1], point[e, 2]
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


@njit(cache=True)
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


@njit(cache=True)
def elongation(elements, e, position, rotation, velocity, omega):
    """Elongation over the nominal length and its rate, of an axial element."""
    a, b = elements.body_a[e], elements.body_b[e]
    pa = _attachment(position, rotation, velocity, omega, a, elements.point_a, e)
    pb = _attachment(position, rotation, velocity, omega, b, elements.point_b, e)
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    rate = (dx * (pb[6] - pa[6]) + dy * (pb[7] - pa[7]) + dz * (pb[8] - pa[8])) / length
    return length - elements.rest[e, 0], rate


@njit(cache=True)
def _axial_tension(elements, e, x, rate, state):
    """Tension of an axial element at elongation x [m] and rate [m/s]."""
    kind = elements.kind[e]
    tables = elements.tables
    if kind == SERIES_DAMPER:
        return elements.preload[e, 0] + elements.series[e] * (x - state.proposed[e, 0])
    if elements.damper_table[e] >= 0:
        damping = table_force(tables, elements.damper_table[e], rate)[0]
    else:
        damping = elements.damping[e, 0] * rate
    if elements.force_table[e, 0] >= 0:
        spring = table_force(tables, elements.force_table[e, 0], x)[0]
    else:
        spring = elements.stiffness[e, 0] * x
    tension = elements.preload[e, 0] + spring + damping
    if kind == FRICTION:
        tension += elements.series[e] * (x - state.proposed[e, 0])
    return tension


@njit(cache=True)
def _axial_forces(elements, e, position, rotation, velocity, omega, state, applied):
    """Tension along the line between the points."""
    a, b = elements.body_a[e], elements.body_b[e]
    pa = _attachment(position, rotation, velocity, omega, a, elements.point_a, e)
    pb = _attachment(position, rotation, velocity, omega, b, elements.point_b, e)
    dx, dy, dz = pb[3] - pa[3], pb[4] - pa[4], pb[5] - pa[5]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    rate = (dx * (pb[6] - pa[6]) + dy * (pb[7] - pa[7]) + dz * (pb[8] - pa[8])) / length
    tension = _axial_tension(elements, e, length - elements.rest[e, 0], rate, state)
    fx, fy, fz = tension * dx / length, tension * dy / length, tension * dz / length
    _add(applied, a, pa[0], pa[1], pa[2], fx, fy, fz)
    _add(applied, b, pb[0], pb[1], pb[2], -fx, -fy, -fz)


@njit(cache=True)
def _stop_force(elements, e, u, rate):
    """Force on body b along the axis of a stop at displacement u [m]; it never pulls."""
    if u > elements.clearance[e, 1]:
        depth, sign = u - elements.clearance[e, 1], 1.0
    elif u < -elements.clearance[e, 0]:
        depth, sign = -elements.clearance[e, 0] - u, -1.0
    else:
        return 0.0
    if elements.force_table[e, 0] >= 0:
        force = table_force(elements.tables, elements.force_table[e, 0], depth)[0]
    else:
        force = elements.stiffness[e, 0] * depth
    return -sign * max(0.0, force + elements.damping[e, 0] * sign * rate)


@njit(cache=True)
def _relative_turn(rotation, a, b, i, j):
    """Entry (i, j) of R_a^T R_b."""
    total = 0.0
    for k in range(3):
        left = rotation[a, k, i] if a >= 0 else (1.0 if k == i else 0.0)
        right = rotation[b, k, j] if b >= 0 else (1.0 if k == j else 0.0)
        total += left * right
    return total


@njit(cache=True)
def _bushing_forces(elements, e, position, rotation, velocity, omega, applied):
    """Laws in the axes of one body; the force pair acts at the point of the other."""
    a, b = elements.body_a[e], elements.body_b[e]
    pa = _attachment(position, rotation, velocity, omega, a, elements.point_a, e)
    pb = _attachment(position, rotation, velocity, omega, b, elements.point_b, e)
    home = b if elements.axes_of_b[e] == 1 else a
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
    if elements.kind[e] == STOP:
        gx, gy, gz = 0.0, 0.0, 0.0
        for i in range(3):
            n = elements.axis[e, i]
            gx += n * (rotation[home, 0, i] if home >= 0 else (1.0 if i == 0 else 0.0))
            gy += n * (rotation[home, 1, i] if home >= 0 else (1.0 if i == 1 else 0.0))
            gz += n * (rotation[home, 2, i] if home >= 0 else (1.0 if i == 2 else 0.0))
        u = gx * dx + gy * dy + gz * dz
        for i in range(3):
            u -= elements.axis[e, i] * elements.rest[e, i]
        force = _stop_force(elements, e, u, gx * vx + gy * vy + gz * vz)
        fx, fy, fz = force * gx, force * gy, force * gz
    else:
        for i in range(3):
            gx = rotation[home, 0, i] if home >= 0 else (1.0 if i == 0 else 0.0)
            gy = rotation[home, 1, i] if home >= 0 else (1.0 if i == 1 else 0.0)
            gz = rotation[home, 2, i] if home >= 0 else (1.0 if i == 2 else 0.0)
            u = gx * dx + gy * dy + gz * dz - elements.rest[e, i]
            if elements.force_table[e, i] >= 0:
                law = table_force(elements.tables, elements.force_table[e, i], u)[0]
            else:
                law = elements.stiffness[e, i] * u
            law += elements.damping[e, i] * (gx * vx + gy * vy + gz * vz)
            force = elements.preload[e, i] - law
            fx += force * gx
            fy += force * gy
            fz += force * gz
    if elements.axes_of_b[e] == 1:
        # at p_a: lever from b is r_b - d
        _add(applied, a, pa[0], pa[1], pa[2], -fx, -fy, -fz)
        _add(applied, b, pb[0] - dx, pb[1] - dy, pb[2] - dz, fx, fy, fz)
    else:
        _add(applied, a, pa[0] + dx, pa[1] + dy, pa[2] + dz, -fx, -fy, -fz)
        _add(applied, b, pb[0], pb[1], pb[2], fx, fy, fz)


@njit(cache=True)
def _bushing_moments(elements, e, rotation, omega, applied):
    """Moments of the relative rotation vector, in the axes of the home body; equal and opposite."""
    a, b = elements.body_a[e], elements.body_b[e]
    home = b if elements.axes_of_b[e] == 1 else a
    # rotation vector of b relative to a; its components are the same in the axes of a and of b
    tx = 0.5 * (_relative_turn(rotation, a, b, 2, 1) - _relative_turn(rotation, a, b, 1, 2))
    ty = 0.5 * (_relative_turn(rotation, a, b, 0, 2) - _relative_turn(rotation, a, b, 2, 0))
    tz = 0.5 * (_relative_turn(rotation, a, b, 1, 0) - _relative_turn(rotation, a, b, 0, 1))
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
        moment = -elements.turn_stiffness[e, i] * turn - elements.turn_damping[e, i] * rate
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


@njit(cache=True)
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
    for e in range(elements.kind.shape[0]):
        if elements.kind[e] == BUSHING:
            _bushing_forces(elements, e, position, rotation, velocity, omega, applied)
            if (
                elements.turn_stiffness[e, 0] != 0.0
                or elements.turn_stiffness[e, 1] != 0.0
                or elements.turn_stiffness[e, 2] != 0.0
                or elements.turn_damping[e, 0] != 0.0
                or elements.turn_damping[e, 1] != 0.0
                or elements.turn_damping[e, 2] != 0.0
            ):
                _bushing_moments(elements, e, rotation, omega, applied)
        elif elements.kind[e] == STOP:
            _bushing_forces(elements, e, position, rotation, velocity, omega, applied)
        else:
            _axial_forces(elements, e, position, rotation, velocity, omega, state, applied)


@njit(cache=True)
def suspension_propose(elements, position, rotation, velocity, omega, dt, state):
    """Internal states at the end of a step of dt [s] that ends at the given pose; dt <= 0: settled state.

    A series damper follows f' = k x' - (k/c) f exactly for x linear over the step (tabulated: implicit
    midpoint); a slider moves when its spring reaches the friction force.
    """
    for e in range(elements.kind.shape[0]):
        kind = elements.kind[e]
        if kind == SERIES_DAMPER:
            x, _ = elongation(elements, e, position, rotation, velocity, omega)
            k = elements.series[e]
            piston, before = state.accepted[e, 0], state.accepted[e, 1]
            force = k * (before - piston)
            if dt <= 0.0:
                force = 0.0
            elif elements.damper_table[e] >= 0:
                mean = force + 0.5 * k * (x - before)
                speed = solve_table(elements.tables, elements.damper_table[e], 0.5 * k * dt, mean)
                force += k * (x - before - speed * dt)
            elif elements.damping[e, 0] > 0.0:
                c = elements.damping[e, 0]
                ratio = k * dt / c
                force = force * np.exp(-ratio) - c * (x - before) / dt * np.expm1(-ratio)
            else:
                force = 0.0
            state.proposed[e, 0] = x - force / k
            state.proposed[e, 1] = x
        elif kind == FRICTION:
            x, _ = elongation(elements, e, position, rotation, velocity, omega)
            slider = state.accepted[e, 0]
            bound = elements.limit[e] / elements.series[e]
            slider = min(max(slider, x - bound), x + bound)
            state.proposed[e, 0] = slider
            state.proposed[e, 1] = x


@njit(cache=True)
def suspension_accept(state):
    """Accept the proposed internal states."""
    for e in range(state.accepted.shape[0]):
        for i in range(state.accepted.shape[1]):
            state.accepted[e, i] = state.proposed[e, i]
