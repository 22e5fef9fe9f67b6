"""Stiffness and damping matrices of the force elements about a given pose."""

import numpy as np

from flexwheel.vehicle.elements.columns import Poses
from flexwheel.vehicle.suspension import forces_at


def _small_rotation(vector):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(vector)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def suspension_matrices(elements, poses, state, step=1e-6):
    """Stiffness and damping by central differences of the forces, internal states held.

    Parameters
    ----------
    elements, poses, state : SuspensionElements, Poses, SuspensionState
    step : float     of displacement [m, rad] and of velocity [m/s, rad/s]

    Returns
    -------
    stiffness, damping : (6 B, 6 B)    minus the derivative of the wrenches by (displacement, small
                                       rotation vector)
                                       of each body and by their rates, global axes
    """
    position, rotation, velocity, omega = poses
    bodies = len(position)
    size = 6 * bodies

    def forces(p, r, v, o):
        return forces_at(elements, Poses(p, r, v, o), state).ravel()

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
