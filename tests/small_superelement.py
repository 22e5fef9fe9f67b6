"""Matrices of a small body: two nodes of six components and one mode."""

import numpy as np

from flexwheel.body.superelement import RecoveryPoint, Superelement

PLACES = {1: np.array([0.0, 0.0, 0.0]), 2: np.array([1.0, 0.5, 0.0])}


def small_body():
    """Two nodes of six components, one mode: springs of their relative rigid motion and of the mode."""
    away = PLACES[2] - PLACES[1]
    relative = np.zeros((6, 13))
    relative[:, 6:12] = np.eye(6)
    relative[:, :6] = -np.eye(6)
    relative[:3, 3:6] = np.cross(np.eye(3), away).T * -1.0
    stiffness = relative.T @ np.diag([3e6, 2e6, 1e6, 4e4, 5e4, 6e4]) @ relative
    stiffness[12, 12] = 4e5
    mass = np.diag([100.0] * 3 + [5.0] * 3 + [80.0] * 3 + [4.0] * 3 + [1.0])
    mass[12, 0] = mass[0, 12] = 2.0
    mass[12, 6] = mass[6, 12] = -2.0  # the mode moves no mass centre
    points = (RecoveryPoint("tip", np.array([2.0, 0.0, 0.0]), relative[:3], 1e9 * relative),)
    return Superelement(
        stiffness,
        mass,
        np.array([1] * 6 + [2] * 6 + [3]),
        np.array([*range(1, 7)] * 2 + [0]),
        PLACES,
        1e-4 * stiffness,
        attachments={"left": 1, "right": 2},
        points=points,
        first_moments=np.arange(117.0).reshape(3, 3, 13),
    )
