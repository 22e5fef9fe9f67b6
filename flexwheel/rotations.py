"""Elementary rotations, active: R(angle) turns a vector by +angle about the axis (right-handed)."""

import numpy as np
from numba import njit


@njit(cache=True, inline="always")
def rotation_x(angle, out):
    """Fill out (3, 3) with the rotation by angle [rad] about x."""
    c, s = np.cos(angle), np.sin(angle)
    out[0, 0] = 1.0
    out[0, 1] = 0.0
    out[0, 2] = 0.0
    out[1, 0] = 0.0
    out[1, 1] = c
    out[1, 2] = -s
    out[2, 0] = 0.0
    out[2, 1] = s
    out[2, 2] = c


@njit(cache=True, inline="always")
def rotation_y(angle, out):
    """Fill out (3, 3) with the rotation by angle [rad] about y."""
    c, s = np.cos(angle), np.sin(angle)
    out[0, 0] = c
    out[0, 1] = 0.0
    out[0, 2] = s
    out[1, 0] = 0.0
    out[1, 1] = 1.0
    out[1, 2] = 0.0
    out[2, 0] = -s
    out[2, 1] = 0.0
    out[2, 2] = c


@njit(cache=True, inline="always")
def rotation_z(angle, out):
    """Fill out (3, 3) with the rotation by angle [rad] about z."""
    c, s = np.cos(angle), np.sin(angle)
    out[0, 0] = c
    out[0, 1] = -s
    out[0, 2] = 0.0
    out[1, 0] = s
    out[1, 1] = c
    out[1, 2] = 0.0
    out[2, 0] = 0.0
    out[2, 1] = 0.0
    out[2, 2] = 1.0
