"""Gap between a yawed, rolled wheel of revolution and a prismatic rail, along the wheel's contact locus.

At each lateral coordinate eta of the wheel the point nearest to the rail is where the wheel's normal has no
component along the rail; for a yawed wheel it leads or trails by about r tan(delta) psi.

Source: the contact locus of Wang 1984; derived here from n_x = 0 for a surface of revolution.
"""

import math
from typing import NamedTuple

from numba import njit

_NEAR = 1e-3  # [m] gap below which the flange is sampled finely; a tenth of it on the tread
FAR = 1.0  # [m] gap where the rail has no surface


class Pose(NamedTuple):
    """Wheel profile origin relative to the rail crown, left-like frame."""

    radius: float  # [m] at the profile origin
    y: float  # [m]
    z: float  # [m]
    sin_roll: float
    cos_roll: float
    sin_yaw: float
    cos_yaw: float
    tan_yaw: float


@njit(cache=True, inline="always")
def hermite(table, start, inverse_step, y):
    """Height and slope of a uniform table (n, 2) at y by cubic Hermite interpolation; linear beyond its ends."""
    t = (y - start) * inverse_step
    last = table.shape[0] - 2
    i = int(t)
    if t < 0.0:
        return table[0, 0] + table[0, 1] * (y - start), table[0, 1]
    if i > last:
        return table[last + 1, 0] + table[last + 1, 1] * (t - last - 1) / inverse_step, table[last + 1, 1]
    t -= i
    step = 1.0 / inverse_step
    h0, h1 = table[i, 0], table[i + 1, 0]
    m0, m1 = step * table[i, 1], step * table[i + 1, 1]
    c2 = 3.0 * (h1 - h0) - 2.0 * m0 - m1
    c3 = 2.0 * (h0 - h1) + m0 + m1
    return h0 + t * (m0 + t * (c2 + t * c3)), (m0 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step


@njit(cache=True)
def make_pose(offset, radius, d):
    """Pose of a wheel from d = (x, y, z, roll, pitch, yaw) relative to the rail crown."""
    sr, cr = math.sin(d[3]), math.cos(d[3])
    sy, cy = math.sin(d[5]), math.cos(d[5])
    return Pose(radius, offset + d[1], d[2], sr, cr, sy, cy, sy / cy)


@njit(cache=True, inline="always")
def wheel_point(pose, height, slope, eta):
    """Point of the contact locus, x relative to P, y and z to the rail crown, and its slope dz/dy.

    height, slope : of the wheel profile at its lateral coordinate eta.
    """
    r = pose.radius + height
    sb = pose.tan_yaw * (pose.sin_roll - pose.cos_roll * slope)
    cb = math.sqrt(1.0 - sb * sb)
    down = -height + r * sb * sb / (1.0 + cb)  # above P, along the wheel's own vertical
    side = pose.cos_roll * eta - pose.sin_roll * down
    x = pose.cos_yaw * r * sb - pose.sin_yaw * side
    y = pose.y + pose.sin_yaw * r * sb + pose.cos_yaw * side
    z = pose.z + pose.sin_roll * eta + pose.cos_roll * down
    return x, y, z, (pose.sin_roll - pose.cos_roll * slope) / (pose.cos_roll + pose.sin_roll * slope)


@njit(cache=True, inline="always")
def penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta):
    """Depth of the locus point below the rail surface, along the rail's normal (negative: apart).

    wheel, wheel_start, rail, rail_start, inverse_step : of ContactTables, passed one by one because a kernel
    that unpacks the tuple for every point spends its time counting references.

    Returns
    -------
    depth [m], x, y, z [m], rail_slope, wheel_slope [-]
    """
    height, slope = hermite(wheel, wheel_start, inverse_step, eta)
    x, y, z, wheel_slope = wheel_point(pose, height, slope, eta)
    t = (y - rail_start) * inverse_step
    depth, rail_slope = -FAR, 0.0
    if t >= 0.0 and t <= rail.shape[0] - 1.0:
        rail_z, rail_slope = hermite(rail, rail_start, inverse_step, y)
        depth = (rail_z - z) / math.sqrt(1.0 + rail_slope * rail_slope)
    return depth, x, y, z, rail_slope, wheel_slope


@njit(cache=True, inline="always")
def _sample(wheel, wheel_start, rail, rail_start, inverse_step, pose, k):
    """Depth at point k of the wheel table, linear in the rail table."""
    _, y, z, _ = wheel_point(pose, wheel[k, 0], wheel[k, 1], wheel_start + k / inverse_step)
    t = (y - rail_start) * inverse_step
    if t < 0.0 or t >= rail.shape[0] - 1.0:
        return -FAR
    j = int(t)
    t -= j
    rail_z = rail[j, 0] + t * (rail[j + 1, 0] - rail[j, 0])
    rail_slope = rail[j, 1] + t * (rail[j + 1, 1] - rail[j, 1])
    return (rail_z - z) / math.sqrt(1.0 + rail_slope * rail_slope)


@njit(cache=True, error_model="numpy")
def scan(wheel, wheel_start, rail, rail_start, inverse_step, pose, every, coarse):
    """Fill coarse (n,) with the depth at every `every`-th point of the wheel table.

    Every fourth value is computed first; those between are computed only where the bodies are near, elsewhere
    they are interpolated. Two millimetres apart, the overlap can exceed both values by B (1 mm / cos(delta))^2,
    0.01 mm on the tread and 0.4 mm on the flange.
    """
    last = coarse.size - 1
    left = _sample(wheel, wheel_start, rail, rail_start, inverse_step, pose, 0)
    coarse[0] = left
    i = 0
    while i < last:
        ahead = min(i + 4, last)
        right = _sample(wheel, wheel_start, rail, rail_start, inverse_step, pose, ahead * every)
        coarse[ahead] = right
        slope = max(abs(wheel[i * every, 1]), abs(wheel[ahead * every, 1]))
        near = max(left, right) > -_NEAR * (0.1 + min(1.0, 4.0 * slope * slope))
        for m in range(i + 1, ahead):
            if near:
                coarse[m] = _sample(wheel, wheel_start, rail, rail_start, inverse_step, pose, m * every)
            else:
                coarse[m] = left + (right - left) * (m - i) / (ahead - i)
        left = right
        i = ahead


@njit(cache=True)
def off_profile(tables, pose):
    """Whether a wheel without contact has left the rail sideways: its tread stands below the crown, beside it."""
    wheel_end = tables.wheel_start + (tables.wheel.shape[0] - 1) / tables.inverse_step
    return pose.z < -0.02 or pose.y + wheel_end < 0.0 or pose.y + tables.wheel_start > 0.0
