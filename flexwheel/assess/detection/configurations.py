"""The configurations of the paper's comparison and the wheel poses they mean.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, table 1.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.contact.detection.diff import diff_depth, diff_minima
from flexwheel.contact.detection.dist import dist_points
from flexwheel.contact.gap import Pose, large_yaw
from flexwheel.numerics.kernels import kernel

YAW = np.arange(81) * np.pi / 14400  # [rad] 0 ... 1 degree
ROLL = np.pi / 240 * np.arange(-80, 81) / 80  # [rad]
SHIFT = 0.125e-3 * np.arange(-80, 81)  # [m]
COUNT = YAW.size * ROLL.size * SHIFT.size  # 2,099,601
INDENTATION = 0.33e-3  # [m] largest normal indentation: Hertz under 100 kN on one point


def configuration(index):
    """Yaw [rad], roll [rad] and lateral shift [m] of configurations (n,) counted from 0."""
    yaw, roll, shift = np.unravel_index(np.asarray(index), (YAW.size, ROLL.size, SHIFT.size))
    return YAW[yaw], ROLL[roll], SHIFT[shift]


def chosen(count):
    """Indices of `count` configurations spread evenly over all, in an order that favours none of the variables."""
    if count >= COUNT:
        return np.arange(COUNT)
    stride = 1299827  # prime to COUNT: a full cycle through all configurations
    return np.sort((np.arange(count, dtype=np.int64) * stride) % COUNT)


class Configuration(NamedTuple):
    """Left wheel of a wheelset that is turned and displaced."""

    radius: float  # [m] of the wheel at its profile origin, and the height of the axle above it
    wheel_y: float  # [m] profile origin from the wheelset's centre
    yaw: float  # [rad] R2 = Rz(yaw) Rx(roll), eq 4
    roll: float
    shift: float  # [m] G_y


class Configurations(NamedTuple):
    """Configurations of one wheelset, (n,) each, and the heights they are looked at from."""

    radius: float  # [m] as in Configuration
    wheel_y: float
    yaw: np.ndarray  # [rad]
    roll: np.ndarray
    shift: np.ndarray  # [m]
    height: np.ndarray  # [m] G_z as `wheel_pose` takes it


@kernel
def configuration_of(cases, i):
    """Configuration i of Configurations."""
    return Configuration(cases.radius, cases.wheel_y, cases.yaw[i], cases.roll[i], cases.shift[i])


@kernel
def wheel_pose(tables, case, height):
    """Pose of the left wheel of a wheelset whose centre is displaced by shift and height.

    tables : DetectionTables
    case : Configuration
    height : float [m]   G_z counted from the height at which the centred wheel's origin is at the crown's
    """
    sr, cr = math.sin(case.roll), math.cos(case.roll)
    sy, cy = math.sin(case.yaw), math.cos(case.yaw)
    y = case.shift + cy * (cr * case.wheel_y + sr * case.radius) - (case.wheel_y - tables.pair.offset)
    z = height + sr * case.wheel_y - cr * case.radius + case.radius
    return Pose(case.radius, y, z, sr, cr, sy, cy, sy / cy, large_yaw(sy / cy))


@kernel
def pressed_height(tables, case, indentation, places, depths):
    """G_z [m] at which the largest normal indentation of the contact points is `indentation`."""
    pose = wheel_pose(tables, case, 0.0)
    height = -1.0
    for k in range(min(diff_minima(tables, pose, places), places.size)):
        depth, cosine = diff_depth(tables, pose, places[k])
        height = max(height, (depth - indentation) / cosine)
    for _ in range(10):
        pose = wheel_pose(tables, case, height)
        count = min(dist_points(tables, pose, places, depths), places.size)
        if count == 0:
            height -= indentation
            continue
        rise = -1.0
        for k in range(count):
            cosine = diff_depth(tables, pose, places[k])[1]
            rise = max(rise, (depths[k] - indentation) / cosine)
        height += rise
        if abs(rise) < 1e-6:
            break
    return height
