"""The configurations of the paper's comparison and the wheel poses they mean.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, table 1.
"""

import math

import numpy as np

from flexwheel.contact.detection.diff import diff_depth, diff_minima
from flexwheel.contact.detection.dist import dist_points
from flexwheel.contact.gap import Pose, large_yaw
from flexwheel.kernels import kernel

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


@kernel
def wheel_pose(tables, radius, wheel_y, yaw, roll, shift, height):
    """Pose of the left wheel of a wheelset whose centre is displaced by shift and height.

    radius : float [m]   of the wheel at its profile origin, and the height of the axle above it
    wheel_y : float [m]  profile origin from the wheelset's centre
    yaw, roll : [rad]    R2 = Rz(yaw) Rx(roll), eq 4
    shift, height : [m]  G_y, and G_z counted from the height at which the centred wheel's origin is at the crown's
    """
    sr, cr = math.sin(roll), math.cos(roll)
    sy, cy = math.sin(yaw), math.cos(yaw)
    y = shift + cy * (cr * wheel_y + sr * radius) - (wheel_y - tables.pair.offset)
    z = height + sr * wheel_y - cr * radius + radius
    return Pose(radius, y, z, sr, cr, sy, cy, sy / cy, large_yaw(sy / cy))


@kernel
def pressed_height(tables, radius, wheel_y, yaw, roll, shift, indentation, places, depths):
    """G_z [m] at which the largest normal indentation of the contact points is `indentation`."""
    pose = wheel_pose(tables, radius, wheel_y, yaw, roll, shift, 0.0)
    height = -1.0
    for k in range(min(diff_minima(tables, pose, places), places.size)):
        depth, cosine = diff_depth(tables, pose, places[k])
        height = max(height, (depth - indentation) / cosine)
    for _ in range(10):
        pose = wheel_pose(tables, radius, wheel_y, yaw, roll, shift, height)
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
