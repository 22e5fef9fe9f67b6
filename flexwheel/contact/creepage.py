"""Directions and creepages of a contact patch, from the full kinematics of the wheel.

Patch frame, left-like: x along the rail, t lateral in the tangent plane, n into the wheel. With the contact
angle delta (dz/dy = tan delta), t = (0, cos delta, sin delta), n = (0, -sin delta, cos delta).
Verified in tests/verification/test_wheel_rail_verified.py.
"""

import math

import numpy as np

from flexwheel.numerics.kernels import FAST, kernel


@kernel(fastmath=FAST)
def patch_directions(cx, cy, cz, ca, sa, arm):
    """Fill arm (3, 6): wrench about P of a unit force along x, t, n at the offset c from P [m]; ca, sa of the angle."""
    for k in range(3):
        ex = 1.0 if k == 0 else 0.0
        ey = ca if k == 1 else (-sa if k == 2 else 0.0)
        ez = sa if k == 1 else (ca if k == 2 else 0.0)
        arm[k, 0] = ex
        arm[k, 1] = ey
        arm[k, 2] = ez
        arm[k, 3] = cy * ez - cz * ey
        arm[k, 4] = cz * ex - cx * ez
        arm[k, 5] = cx * ey - cy * ex


@kernel(fastmath=FAST)
def patch_creepage(arm, v, speed, creepage):
    """Fill creepage (3,) = xi, eta [-], phi [1/m] from v (6,), wheel minus rail, over `speed`."""
    for k in range(2):
        total = 0.0
        for i in range(6):
            total += arm[k, i] * v[i]
        creepage[k] = total / speed
    creepage[2] = (arm[2, 0] * v[3] + arm[2, 1] * v[4] + arm[2, 2] * v[5]) / speed


def creepages(offset, angle, velocity, speed):
    """Creepages at a contact point.

    Parameters
    ----------
    offset : (3,) float [m]         contact point from the wheel's reference point P
    angle : float [rad]             contact angle delta, rail dz/dy = tan delta, left-like frame
    velocity : (6,) float           material velocity of the wheel at P and its angular velocity, relative to rail
    speed : float [m/s]             reference speed

    Returns
    -------
    (3,) float [-, -, 1/m]          xi, eta, phi; wheel minus rail
    """
    arm, out = np.zeros((3, 6)), np.zeros(3)
    patch_directions(*np.asarray(offset, float), math.cos(angle), math.sin(angle), arm)
    patch_creepage(arm, np.asarray(velocity, float), float(speed), out)
    return out
