"""Stiffness and damping matrices of a suspension about a given pose, for linear analysis and iteration
matrices."""

from __future__ import annotations

import numpy as np

from flexwheel.bodies.suspension import (
    AXIAL,
    FRICTION,
    KIND,
    SERIES_DAMPER,
    SuspensionElements,
    suspension_forces,
)


def _small_rotation(vector):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(vector)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def linear_elements(elements: SuspensionElements, friction: str = "sticking") -> SuspensionElements:
    """Elements for an eigenvalue analysis: series dampers without their series spring, sliders stuck or free.

    friction: "sticking" keeps the series stiffness of friction dampers, "sliding" drops it.
    """
    integer = elements.integer.copy()
    kind = integer[:, KIND]
    kind[kind == SERIES_DAMPER] = AXIAL
    if friction == "sliding":
        kind[kind == FRICTION] = AXIAL
    elif friction != "sticking":
        raise ValueError(f"friction = {friction!r}: expected 'sticking' or 'sliding'")
    return elements._replace(integer=integer)


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
