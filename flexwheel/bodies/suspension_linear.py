"""Stiffness and damping matrices of a suspension about a given pose, for linear analysis and iteration
matrices."""

from __future__ import annotations

import numpy as np

from flexwheel.bodies.force_tables import table_force
from flexwheel.bodies.suspension import (
    AXES_OF_B,
    AXIAL,
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
    POINT_A,
    POINT_B,
    REST,
    SERIES_DAMPER,
    STIFFNESS,
    STOP,
    SuspensionElements,
    suspension_forces,
)

SAME_SLOPE = 1e-6  # relative difference below which two slopes are one


def _small_rotation(vector):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(vector)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def linear_elements(elements: SuspensionElements, friction="sticking", series=True) -> SuspensionElements:
    """Elements for a linear analysis: sliders stuck or free; series dampers that damp nothing are without force.

    friction: "sticking" keeps the series stiffness of friction dampers, "sliding" drops it.
    series: False takes the series springs of dampers as rigid, for models that have no state for them.
    """
    integer = elements.integer.copy()
    kind = integer[:, KIND]
    kind[(kind == SERIES_DAMPER) & ((rest_damping(elements) == 0.0) | (not series))] = AXIAL
    if friction == "sliding":
        kind[kind == FRICTION] = AXIAL
    elif friction != "sticking":
        raise ValueError(f"friction = {friction!r}: expected 'sticking' or 'sliding'")
    return elements._replace(integer=integer)


def rest_damping(elements: SuspensionElements):
    """Damping (E,) [N s/m] of every axial element at rest, of a table the mean of the slopes to both sides."""
    damping = elements.number[:, DAMPING].copy()
    for e in np.flatnonzero(elements.integer[:, DAMPER_TABLE] >= 0):
        damping[e] = np.mean(_slopes(elements.tables, elements.integer[e, DAMPER_TABLE], 0.0, 1e-9))
    return damping


def _slopes(tables, table, x, reach):
    """Slopes of a table below and above x, at a distance `reach`."""
    return tuple(table_force.py_func(tables, table, x + side * reach)[1] for side in (-1.0, 1.0))


def kinks(elements: SuspensionElements, position, rotation, reach, speed_reach):
    """Laws whose slope changes where the elements stand, at rest.

    Parameters
    ----------
    position (B, 3), rotation (B, 3, 3) : as `suspension_forces`
    reach, speed_reach : float [m], [m/s]     how near a change of slope counts

    Returns
    -------
    list of (element, text)    the text gives both slopes
    """
    found = []

    def compare(e, slopes, unit, of):
        if abs(slopes[1] - slopes[0]) > SAME_SLOPE * max(map(abs, slopes)):
            found.append((e, f"{of} of {slopes[0]:.4g} {unit} to one side and {slopes[1]:.4g} to the other"))

    for e, row in enumerate(elements.integer):
        if row[DAMPER_TABLE] >= 0:
            compare(e, _slopes(elements.tables, row[DAMPER_TABLE], 0.0, speed_reach), "N s/m", "damping")
        if row[KIND] == STOP:
            u = stop_displacement(elements, e, position, rotation)
            depth = max(u - elements.number[e, CLEARANCE + 1], -elements.number[e, CLEARANCE] - u)
            stiffness = elements.number[e, STIFFNESS]
            if row[FORCE_TABLE] >= 0:
                below, above = _slopes(elements.tables, row[FORCE_TABLE], max(depth, 0.0), reach)
                compare(e, (0.0 if depth < reach else below, 0.0 if depth < -reach else above), "N/m", "stiffness")
            elif abs(depth) < reach:
                compare(e, (0.0, stiffness), "N/m", "stiffness")
            continue
        span = _span(elements, e, position, rotation)
        for i in range(3):
            if row[FORCE_TABLE + i] < 0:
                continue
            if row[KIND] == BUSHING:
                home = _home(elements, e)
                axes = np.eye(3) if home < 0 else rotation[home]
                x = axes[:, i] @ span - elements.number[e, REST + i]
            else:
                x = np.linalg.norm(span) - elements.number[e, REST]
            compare(e, _slopes(elements.tables, row[FORCE_TABLE + i], x, reach), "N/m", "stiffness")
    return found


def stop_displacement(elements, e, position, rotation):
    """Displacement [m] of a bump stop along its axis."""
    home = _home(elements, e)
    axis = elements.number[e, AXIS : AXIS + 3]
    axes = np.eye(3) if home < 0 else rotation[home]
    return float(axes @ axis @ _span(elements, e, position, rotation) - axis @ elements.number[e, REST : REST + 3])


def _home(elements, e):
    """Body in whose axes the laws of a bushing or stop are."""
    return elements.integer[e, BODY_B if elements.integer[e, AXES_OF_B] == 1 else BODY_A]


def _span(elements, e, position, rotation):
    """Vector from the point on body a to that on body b, global axes."""
    ends = []
    for body, first in ((elements.integer[e, BODY_A], POINT_A), (elements.integer[e, BODY_B], POINT_B)):
        point = elements.number[e, first : first + 3]
        ends.append(point if body < 0 else position[body] + rotation[body] @ point)
    return ends[1] - ends[0]


def suspension_matrices(elements, position, rotation, velocity, omega, state, step=1e-6):
    """Stiffness and damping by central differences of the forces, internal states held.

    Parameters
    ----------
    position (B, 3), rotation (B, 3, 3), velocity (B, 3), omega (B, 3), state : as `suspension_forces`
    step : float     of displacement [m, rad] and of velocity [m/s, rad/s]

    Returns
    -------
    stiffness, damping : (6 B, 6 B)    minus the derivative of the wrenches by (displacement, small
                                       rotation vector)
                                       of each body and by their rates, global axes
    """
    bodies = len(position)
    size = 6 * bodies

    def forces(p, r, v, o):
        applied = np.zeros((bodies, 6))
        suspension_forces(elements, p, r, v, o, state, applied)
        return applied.ravel()

    stiffness, damping = np.empty((size, size)), np.empty((size, size))
    for b in range(bodies):
        for i in range(6):
            ends = []
            for sign in (1.0, -1.0):
                p, r = position.copy(), rotation.copy()
                shift = np.zeros(3)
                shift[i % 3] = sign * step
                if i < 3:
                    p[b] += shift
                else:
                    r[b] = _small_rotation(shift) @ r[b]
                v, o = velocity.copy(), omega.copy()
                (v if i < 3 else o)[b] += shift
                ends.append((forces(p, r, velocity, omega), forces(position, rotation, v, o)))
            stiffness[:, 6 * b + i] = (ends[1][0] - ends[0][0]) / (2 * step)
            damping[:, 6 * b + i] = (ends[1][1] - ends[0][1]) / (2 * step)
    return stiffness, damping
