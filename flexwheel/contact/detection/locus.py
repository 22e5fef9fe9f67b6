"""Contact locus of the wheel and the rail below it.

The points of the wheel whose normal has no component along the rail: only there can the wheel touch a prismatic rail.
Eq 10 is squared to eq 12; of its two roots eq 10 decides.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, eqs (4)-(6), (10)-(13).
Verified in tests/contact/test_detection_locus_verified.py.
"""

import math
from typing import NamedTuple

from flexwheel.contact.gap import CELL, FAST
from flexwheel.numerics.kernels import kernel

OFF = 1e3  # [m] lateral place of a point that does not exist


class Difference(NamedTuple):
    """Vertical difference of eq 20 at a point of the locus."""

    value: float  # [m] negative: the bodies overlap
    x: float  # [m] relative to P
    y: float  # [m] relative to the rail crown; OFF where the locus has no point
    z: float
    wheel_slope: float  # dz/dy across the track
    rail_slope: float


@kernel(fastmath=FAST, forceinline=True)
def locus_sine(pose, slope):
    """Sine of the section angle of the locus, and its cosine; OFF where eq 10 has no root.

    slope : r'(y_r) of the wheel
    """
    r11, r12 = pose.cos_yaw, -pose.sin_yaw * pose.cos_roll  # 003 (4)
    r13 = pose.sin_yaw * pose.sin_roll
    m = r11 * r11 + r13 * r13
    square = m - (r12 * slope) ** 2
    if square < 0.0:
        return OFF, 0.0
    root = math.sqrt(square)  # 003 (11)
    if r11 * root - r13 * r12 * slope < 0.0:  # 003 (10), the other root of (12) would be meant
        return OFF, 0.0
    sine = (r11 * r12 * slope + r13 * root) / m  # 003 (12), the root that satisfies (10)
    return sine, math.sqrt(max(1.0 - sine * sine, 0.0))


@kernel(fastmath=FAST, forceinline=True)
def wheel_slope_in_track(pose, slope, sine, cosine):
    """Slope dz/dy of the wheel's surface across the track at the locus, eq 13."""
    r21, r22, r23 = pose.sin_yaw, pose.cos_yaw * pose.cos_roll, -pose.cos_yaw * pose.sin_roll
    return (r21 * sine - r22 * slope - r23 * cosine) / (pose.sin_roll * slope + pose.cos_roll * cosine)  # 003 (13)


@kernel(fastmath=FAST, forceinline=True)
def place_in_track(pose, radius, eta, sine, cosine):
    """x relative to P, y and z relative to the rail crown of a point of the locus [m]; eqs 5 and 6."""
    ahead, up = radius * sine, pose.radius - radius * cosine  # 003 (5)
    side = pose.cos_roll * eta - pose.sin_roll * up
    x = pose.cos_yaw * ahead - pose.sin_yaw * side  # 003 (14)
    y = pose.y + pose.sin_yaw * ahead + pose.cos_yaw * side  # 003 (6)
    z = pose.z + pose.sin_roll * eta + pose.cos_roll * up
    return x, y, z


@kernel(fastmath=FAST, forceinline=True)
def wheel_slope_for(pose, slope):
    """Slope r' of the wheel at which its normal is parallel to a rail of this slope: eqs 10 and 13 turned round.

    It falls as the rail's slope grows, so that the comparison of slopes keeps its sense, reversed.
    """
    a = pose.sin_yaw * slope
    b = pose.cos_roll + pose.cos_yaw * pose.sin_roll * slope
    return (pose.sin_roll - pose.cos_yaw * pose.cos_roll * slope) / math.sqrt(a * a + b * b)


@kernel(fastmath=FAST, forceinline=True)
def wheel_section(pair, eta):
    """Height [m] and slope of the wheel's profile at eta; outside the table its end cells go on."""
    return _height_and_slope(pair.wheel, pair.wheel_start, pair.inverse_step, eta)


@kernel(fastmath=FAST, forceinline=True)
def rail_section(pair, y):
    """Height [m] and slope of the rail's profile at y; outside the table its end cells go on."""
    return _height_and_slope(pair.rail, pair.rail_start, pair.inverse_step, y)


@kernel(fastmath=FAST, forceinline=True)
def _height_and_slope(profile, start, inverse_step, y):
    """Height [m] and slope of a profile on a uniform grid."""
    t = (y - start) * inverse_step
    i = min(max(int(t), 0), profile.shape[0] - 2)
    t -= i
    slope = profile[i, CELL.slope]
    bend = profile[i + 1, CELL.slope] - slope
    return profile[i, CELL.height] + t * (slope + 0.5 * t * bend) / inverse_step, slope + t * bend


@kernel(fastmath=FAST, forceinline=True)
def vertical_difference(pair, pose, eta):
    """Difference D of eq 20 at the locus point of wheel coordinate eta, where it is least along the circle."""
    h, s = wheel_section(pair, eta)
    sine, cosine = locus_sine(pose, s)
    if sine == OFF:
        return Difference(OFF, 0.0, OFF, 0.0, 0.0, 0.0)
    x, y, z = place_in_track(pose, pose.radius + h, eta, sine, cosine)
    b, rail_slope = rail_section(pair, y)  # 003 (7)
    slope = wheel_slope_in_track(pose, s, sine, cosine)
    return Difference(z - b, x, y, z, slope, rail_slope)  # 003 (19), (20)


@kernel(fastmath=FAST)
def advances(pair, pose, eta):
    """Whether the locus moves to the field side with the wheel coordinate.

    Where a strongly yawed wheel's locus folds back, its points are not convex along the rail: the first of eqs 17.
    """
    step = 0.02 / pair.inverse_step
    left, right = vertical_difference(pair, pose, eta - step), vertical_difference(pair, pose, eta + step)
    return right.y > left.y  # 003 (17)


@kernel(fastmath=FAST)
def first_and_last_node(pair, pose):
    """Nodes of the wheel that can stand over the rail, with a margin for what roll and yaw shift."""
    margin = 0.002 + 0.04 * abs(pose.sin_roll) + 0.5 * pose.sin_yaw * pose.sin_yaw * 4.0
    first = int((pair.rail_start - pose.y - margin - pair.wheel_start) * pair.inverse_step)
    last = int((pair.rail_end - pose.y + margin - pair.wheel_start) * pair.inverse_step) + 1
    return max(first, 0), min(last, pair.wheel.shape[0] - 1)
