"""Gap between a yawed, rolled wheel of revolution and a prismatic rail, along the wheel's contact locus.

At each lateral coordinate eta of the wheel the point nearest to the rail is where the wheel's normal has no
component along the rail; for a yawed wheel it leads or trails by about r tan(delta) psi.

Source: the contact locus of Wang 1984; derived here from n_x = 0 for a surface of revolution.
"""

import math
from typing import NamedTuple

from flexwheel.kernel import kernel

FAST = {"contract", "reassoc", "nsz", "arcp"}  # floating-point freedoms of the kernels; not-a-numbers stay
_FOOT_WITHIN = 2e-5  # [m] apart at most where the scan looks for the foot of a point on the rail
_STEEP = 0.3  # of the wheel, where it does
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


# columns of a profile table: cubic h + slope t s + c2 t^2 + c3 t^3 of each cell (s its width), cosine of the slope
HEIGHT, SLOPE, C2, C3, COSINE, COSINE_STEP = range(6)


@kernel(fastmath=FAST, error_model="numpy", forceinline=True)
def cell_of(table, start, inverse_step, y):
    """Cell of a uniform table that holds y, and the place 0 ... 1 in it; the end cells are extended."""
    t = (y - start) * inverse_step
    i = min(max(int(t), 0), table.shape[0] - 2)
    return i, t - i


@kernel()
def make_pose(offset, radius, d):
    """Pose of a wheel from d = (x, y, z, roll, pitch, yaw) relative to the rail crown."""
    sr, cr = math.sin(d[3]), math.cos(d[3])
    sy, cy = math.sin(d[5]), math.cos(d[5])
    return Pose(radius, offset + d[1], d[2], sr, cr, sy, cy, sy / cy)


@kernel(fastmath=FAST, error_model="numpy", forceinline=True)
def wheel_point(pose, height, slope, eta):
    """Point of the contact locus, x relative to P, y and z to the rail crown.

    height, slope : of the wheel profile at its lateral coordinate eta.
    """
    r = pose.radius + height
    sb = pose.tan_yaw * (pose.sin_roll - pose.cos_roll * slope)
    q = sb * sb
    down = r * q * (0.5 + q * (0.125 + 0.0625 * q)) - height  # above P, along the wheel's own vertical: 1 - cos b
    side = pose.cos_roll * eta - pose.sin_roll * down
    ahead = r * sb
    x = pose.cos_yaw * ahead - pose.sin_yaw * side
    y = pose.y + pose.sin_yaw * ahead + pose.cos_yaw * side
    z = pose.z + pose.sin_roll * eta + pose.cos_roll * down
    return x, y, z


@kernel(fastmath=FAST, error_model="numpy", forceinline=True)
def _normal_depth(rail, rail_start, inverse_step, y, z):
    """Depth of a point below the rail [m] along the normal at its foot, and the rail's slope there."""
    step = 1.0 / inverse_step
    i, t = cell_of(rail, rail_start, inverse_step, y)
    beside = t < -1.0 or t > 2.0
    c1, c2, c3 = rail[i, SLOPE] * step, rail[i, C2], rail[i, C3]
    above = rail[i, HEIGHT] + t * (c1 + t * (c2 + t * c3)) - z
    slope = (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step
    cosine = rail[i, COSINE] + t * rail[i, COSINE_STEP]
    aside = above * slope * cosine * cosine
    i, t = cell_of(rail, rail_start, inverse_step, y - aside)
    c1, c2, c3 = rail[i, SLOPE] * step, rail[i, C2], rail[i, C3]
    slope = (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step
    above = rail[i, HEIGHT] + t * (c1 + t * (c2 + t * c3)) - z + aside * slope
    depth = above * (rail[i, COSINE] + t * rail[i, COSINE_STEP])
    return -FAR if beside else depth, slope


@kernel(fastmath=FAST, error_model="numpy", forceinline=True)
def penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta):
    """Depth of the locus point below the rail surface, along the rail's normal (negative: apart).

    The normal stands at the foot of the point on the rail, which on a flange lies a tenth of a millimetre beside it:
    with the slope straight above the point the depth across a flange would be a cubic, curved 10 % too much.

    wheel, wheel_start, rail, rail_start, inverse_step : of ContactTables

    Returns
    -------
    depth [m], x, y, z [m], rail_slope [-], wheel_slope [-]
        rail_slope at the foot; wheel_slope is dz/dy of the contact locus
    """
    i, t = cell_of(wheel, wheel_start, inverse_step, eta)
    step = 1.0 / inverse_step
    c1, c2, c3 = wheel[i, SLOPE] * step, wheel[i, C2], wheel[i, C3]
    height = wheel[i, HEIGHT] + t * (c1 + t * (c2 + t * c3))
    slope = (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step
    x, y, z = wheel_point(pose, height, slope, eta)
    wheel_slope = (pose.sin_roll - pose.cos_roll * slope) / (pose.cos_roll + pose.sin_roll * slope)
    depth, rail_slope = _normal_depth(rail, rail_start, inverse_step, y, z)
    return depth, x, y, z, rail_slope, wheel_slope


@kernel(fastmath=FAST, error_model="numpy", forceinline=True)
def depth_at(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta):
    """The depth of `penetration` [m] alone; inlined, so that the rest is not computed."""
    return penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta)[0]


@kernel(fastmath=FAST, error_model="numpy", forceinline=True)
def _sample(coarse_wheel, rail, rail_start, inverse_step, pose, k):
    """Depth at coarse point k of the wheel."""
    _, y, z = wheel_point(pose, coarse_wheel[k, 1], coarse_wheel[k, 2], coarse_wheel[k, 0])
    i, t = cell_of(rail, rail_start, inverse_step, y)
    rail_z = rail[i, HEIGHT] + t * (rail[i, SLOPE] / inverse_step + t * (rail[i, C2] + t * rail[i, C3]))
    depth = (rail_z - z) * (rail[i, COSINE] + t * rail[i, COSINE_STEP])
    return depth if t >= -1.0 and t <= 2.0 else -FAR


@kernel(fastmath=FAST, error_model="numpy")
def scan(coarse_wheel, rail, rail_start, inverse_step, pose, coarse):
    """Fill coarse (n,) with the depth at every coarse point of the wheel, to some nanometres where they are near.

    Every fourth value is computed first; those between are computed only where the bodies are near, elsewhere
    they take the smaller of both. Two millimetres apart, the overlap can exceed both values by B (1 mm / cos(delta))^2,
    0.01 mm on the tread and 0.4 mm on the flange.
    """
    n = coarse.size
    inverse_width = (n - 1) / (coarse_wheel[n - 1, 0] - coarse_wheel[0, 0])
    rail_end = rail_start + (rail.shape[0] - 1) / inverse_step
    # a margin of 5 mm for what roll and yaw shift sideways
    first = max(int((rail_start - pose.y - 0.005 - coarse_wheel[0, 0]) * inverse_width), 0)
    last = min(int((rail_end - pose.y + 0.005 - coarse_wheel[0, 0]) * inverse_width), n - 1)
    for i in range(0, min(first, n)):
        coarse[i] = -FAR
    for i in range(max(last + 1, 0), n):
        coarse[i] = -FAR
    if last <= first:
        return
    left = _sample(coarse_wheel, rail, rail_start, inverse_step, pose, first)
    coarse[first] = left
    i = first
    while i < last:
        ahead = min(i + 4, last)
        right = _sample(coarse_wheel, rail, rail_start, inverse_step, pose, ahead)
        coarse[ahead] = right
        if max(left, right) > -max(coarse_wheel[i, 3], coarse_wheel[ahead, 3]):
            for m in range(i + 1, ahead):
                coarse[m] = _sample(coarse_wheel, rail, rail_start, inverse_step, pose, m)
        else:
            for m in range(i + 1, ahead):
                coarse[m] = min(left, right)
        left = right
        i = ahead
    _scan_flange(coarse_wheel, rail, rail_start, inverse_step, pose, coarse, first, last)


@kernel(fastmath=FAST, error_model="numpy")
def _scan_flange(coarse_wheel, rail, rail_start, inverse_step, pose, coarse, first, last):
    """Correct samples of a steep wheel near the rail to the normal at its foot."""
    for k in range(first, last + 1):
        if abs(coarse_wheel[k, 2]) > _STEEP and coarse[k] > -_FOOT_WITHIN:
            _, y, z = wheel_point(pose, coarse_wheel[k, 1], coarse_wheel[k, 2], coarse_wheel[k, 0])
            coarse[k] = _normal_depth(rail, rail_start, inverse_step, y, z)[0]


@kernel()
def off_profile(tables, pose):
    """Whether a wheel without contact has left the rail sideways: its tread stands below the crown, beside it."""
    wheel_end = tables.wheel_start + (tables.wheel.shape[0] - 1) / tables.inverse_step
    return pose.z < -0.02 or pose.y + wheel_end < 0.0 or pose.y + tables.wheel_start > 0.0
