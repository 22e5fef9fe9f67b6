"""Gap between a yawed, rolled wheel of revolution and a prismatic rail, along the wheel's contact locus.

At each lateral coordinate eta of the wheel the point nearest to the rail is where the wheel's normal has no
component along the rail; for a yawed wheel it leads or trails by about r tan(delta) psi.

Along the rail the wheel's surface has the curvature k1 cos^2(theta) + k2 sin^2(theta), with k1 = 1/(rho A) around the
axle, k2 = -h''/A^3 of the profile, A^2 = 1 + h'^2, and theta between the rail and the direction of rolling (Euler). Its
ratio to k1 is called `bend` here: 1 without yaw, less in the hollow throat of a flange, more on its convex face. Where
it is not positive the point is no nearest one: the locus runs back there, between two places of contact that lie
apart along the rail (from some 35 mrad in the throat of S1002).

Source: the contact locus of Wang 1984; derived here from n_x = 0 for a surface of revolution.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.kernels import FAST, kernel

_NEAR, _NEAR_YAWED = 5e-5, 5e-4  # [m] apart at most where a sample may stand beside a contact; the latter where
# the locus moves several times faster than the wheel coordinate
_STEEP = 0.3  # of the wheel, where it does
FAR = 1.0  # [m] gap where the rail has no surface
OFF = -0.5 * FAR  # [m] a depth below this is none
LEAST_BEND = 0.05  # taken for less
YAWED = 6e-4  # tangent of the yaw, squared (25 mrad), from which the locus may run back, or move several times
# faster than the wheel coordinate: every point is then sampled and edges are bracketed
UPRIGHT = 3.2e-4  # tangent of the yaw, squared (18 mrad), below which patches are upright
_SIDE = 0.005  # [m] margin of the scan for what roll and small yaw shift sideways
_STEEPEST_FLANGE = 3.5  # slope of a wheel up to which it looks for contact at any yaw


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
    yawed: float  # how far curvature and skewness due to yaw are counted: 0 below UPRIGHT, 1 from YAWED


class ProfilePair(NamedTuple):
    """Both profiles on uniform grids of one step, a cell a row (columns CELL); passed by value, it costs nothing.

    Lateral coordinates are those of the left-like frame (y to the field side); heights out of the material.
    """

    wheel: np.ndarray  # (nw, 6)
    wheel_start: float  # [m] lateral coordinate of the wheel's first node
    rail: np.ndarray  # (nr, 6) of the inclined rail
    rail_start: float  # [m]
    inverse_step: float  # [1/m] of both grids
    BY_VALUE = True


class SampledDepth(NamedTuple):
    """Depth at every coarse point of the wheel."""

    step: float  # [m] between the points
    depth: np.ndarray  # (n,) [m]
    BY_VALUE = True


class LocusPoint(NamedTuple):
    """Point of the contact locus against the rail."""

    depth: float  # [m] below the rail's surface along its normal; negative: apart
    x: float  # [m] from P
    y: float  # [m] from the rail crown
    z: float
    slope: float  # of the common tangent dz/dy: mean of the locus and the rail at the foot
    direction: float  # the same with the rail straight above the point, which gives the direction of the exact
    # half-space solution (the foot's is 1 degree steeper under a heavily loaded flange)
    bend: float  # of `bend_along`


class CoarseColumns(NamedTuple):
    """Columns of the coarse wheel."""

    y: int
    height: int
    slope: int
    near: int  # [m] gap within which the finer scan is needed
    second: int  # derivative


class CellColumns(NamedTuple):
    """Columns of a profile's cells: cubic height + slope t s + c2 t^2 + c3 t^3 (s its width), cosine of the slope."""

    height: int
    slope: int
    c2: int
    c3: int
    cosine: int
    cosine_step: int


COARSE = CoarseColumns(*range(len(CoarseColumns._fields)))
CELL = CellColumns(*range(len(CellColumns._fields)))


@kernel(fastmath=FAST, forceinline=True)
def cell_of(table, start, inverse_step, y):
    """Cell of a uniform table that holds y, and the place 0 ... 1 in it; the end cells are extended."""
    t = (y - start) * inverse_step
    i = min(max(int(t), 0), table.shape[0] - 2)
    return i, t - i


@kernel(fastmath=FAST)
def make_pose(offset, radius, d):
    """Pose of a wheel from d = (x, y, z, roll, pitch, yaw) relative to the rail crown."""
    sr, cr = math.sin(d[3]), math.cos(d[3])
    sy, cy = math.sin(d[5]), math.cos(d[5])
    return Pose(radius, offset + d[1], d[2], sr, cr, sy, cy, sy / cy, large_yaw(sy / cy))


@kernel(fastmath=FAST, forceinline=True)
def wheel_point(pose, height, slope, eta):
    """Point of the contact locus, x relative to P, y and z to the rail crown; sine and cosine of its section angle b.

    height, slope : of the wheel profile at its lateral coordinate eta; b beyond a right angle is cut off.
    """
    r = pose.radius + height
    sb = pose.tan_yaw * (pose.sin_roll - pose.cos_roll * slope)
    q = sb * sb
    if pose.tan_yaw * pose.tan_yaw < YAWED:
        fall = q * (0.5 + q * (0.125 + 0.0625 * q))
    else:
        fall = 1.0 - math.sqrt(max(1.0 - q, 0.0))
    down = r * fall - height  # above P, along the wheel's own vertical
    side = pose.cos_roll * eta - pose.sin_roll * down
    ahead = r * sb
    x = pose.cos_yaw * ahead - pose.sin_yaw * side
    y = pose.y + pose.sin_yaw * ahead + pose.cos_yaw * side
    z = pose.z + pose.sin_roll * eta + pose.cos_roll * down
    return x, y, z, sb, 1.0 - fall


@kernel(fastmath=FAST, forceinline=True)
def bend_along(pose, height, second, sb, cb):
    """Curvature of the wheel's surface along the rail over that around the axle: 1 below UPRIGHT (module text).

    height [m], second [1/m] : of the profile at the point; sb, cb : sine and cosine of its section angle
    """
    along = pose.cos_yaw * cb + pose.sin_yaw * pose.sin_roll * sb
    return 1.0 + pose.yawed * (along * along - pose.sin_yaw * pose.sin_yaw * (pose.radius + height) * second - 1.0)


@kernel(fastmath=FAST, forceinline=True)
def large_yaw(tan_yaw):
    """How far curvature and skewness due to yaw are counted: 0 below UPRIGHT, 1 from YAWED, smooth between.

    Below, both change a patch by some per cent at most, while their kinks (jumps of the profile's curvature, a zone
    that changes its parts) keep steps of a run from converging.
    """
    part = min(max((tan_yaw * tan_yaw - UPRIGHT) / (YAWED - UPRIGHT), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


@kernel(fastmath=FAST, forceinline=True)
def _normal_depth(pair, y, z):
    """Depth of a point below the rail [m] along the normal at its foot, the rail's slope there and above the point."""
    rail, inverse_step = pair.rail, pair.inverse_step
    step = 1.0 / inverse_step
    i, t = cell_of(rail, pair.rail_start, inverse_step, y)
    beside = t < -1.0 or t > 2.0
    c1, c2, c3 = rail[i, CELL.slope] * step, rail[i, CELL.c2], rail[i, CELL.c3]
    above = rail[i, CELL.height] + t * (c1 + t * (c2 + t * c3)) - z
    slope = (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step
    cosine = rail[i, CELL.cosine] + t * rail[i, CELL.cosine_step]
    aside = above * slope * cosine * cosine
    i, t = cell_of(rail, pair.rail_start, inverse_step, y - aside)
    c1, c2, c3 = rail[i, CELL.slope] * step, rail[i, CELL.c2], rail[i, CELL.c3]
    foot_slope = (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step
    above = rail[i, CELL.height] + t * (c1 + t * (c2 + t * c3)) - z + aside * foot_slope
    depth = above * (rail[i, CELL.cosine] + t * rail[i, CELL.cosine_step])
    return -FAR if beside else depth, foot_slope, slope


@kernel(fastmath=FAST, forceinline=True)
def penetration(pair, pose, eta):
    """Depth of the locus point below the rail surface, along the rail's normal (negative: apart).

    The normal stands at the foot of the point on the rail, which on a flange lies a tenth of a millimetre beside it:
    with the slope straight above the point the depth across a flange would be a cubic, curved 10 % too much.

    Returns
    -------
    LocusPoint
    """
    wheel, inverse_step = pair.wheel, pair.inverse_step
    i, t = cell_of(wheel, pair.wheel_start, inverse_step, eta)
    step = 1.0 / inverse_step
    c1, c2, c3 = wheel[i, CELL.slope] * step, wheel[i, CELL.c2], wheel[i, CELL.c3]
    height = wheel[i, CELL.height] + t * (c1 + t * (c2 + t * c3))
    slope = (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step
    x, y, z, sb, cb = wheel_point(pose, height, slope, eta)
    across = pose.sin_yaw * sb + pose.cos_yaw * (pose.sin_roll * cb - pose.cos_roll * slope)
    wheel_slope = across / (pose.cos_roll * cb + pose.sin_roll * slope)
    depth, foot_slope, rail_slope = _normal_depth(pair, y, z)
    bend = bend_along(pose, height, (2.0 * c2 + 6.0 * t * c3) * inverse_step * inverse_step, sb, cb)
    return LocusPoint(depth, x, y, z, 0.5 * (foot_slope + wheel_slope), 0.5 * (rail_slope + wheel_slope), bend)


@kernel(fastmath=FAST, forceinline=True)
def depth_at(pair, pose, eta):
    """The depth of `penetration` [m] alone, -FAR where the locus runs back; inlined: the rest is not computed."""
    point = penetration(pair, pose, eta)
    if pose.tan_yaw * pose.tan_yaw > YAWED and not point.bend > 0.0:
        return -FAR
    return point.depth


@kernel(fastmath=FAST, forceinline=True)
def _coarse_point(coarse_wheel, pose, k):
    """`wheel_point` of coarse point k."""
    row = coarse_wheel[k]
    return wheel_point(pose, row[COARSE.height], row[COARSE.slope], row[COARSE.y])


@kernel(fastmath=FAST, forceinline=True)
def _sample(coarse_wheel, pair, pose, yawed, k):
    """Depth at coarse point k of the wheel."""
    _, y, z, sb, cb = _coarse_point(coarse_wheel, pose, k)
    if yawed and not bend_along(pose, coarse_wheel[k, COARSE.height], coarse_wheel[k, COARSE.second], sb, cb) > 0.0:
        return -FAR
    rail, inverse_step = pair.rail, pair.inverse_step
    i, t = cell_of(rail, pair.rail_start, inverse_step, y)
    c1, c2, c3 = rail[i, CELL.slope] / inverse_step, rail[i, CELL.c2], rail[i, CELL.c3]
    above = rail[i, CELL.height] + t * (c1 + t * (c2 + t * c3)) - z
    depth = above * (rail[i, CELL.cosine] + t * rail[i, CELL.cosine_step])
    return depth if t >= -1.0 and t <= 2.0 else -FAR


@kernel(inline="always")
def near_rail(pose):
    """How far apart [m] a sample may be where contact is looked for beside it, at the rail's foot."""
    return _NEAR if pose.tan_yaw * pose.tan_yaw < YAWED else _NEAR_YAWED


@kernel(fastmath=FAST)
def scan(coarse_wheel, pair, pose, coarse):
    """Fill coarse (n,) with the depth at every coarse point of the wheel, to some nanometres where they are near.

    Every fourth value is computed first; those between are computed only where the bodies are near, elsewhere
    they take the smaller of both. Two millimetres apart, the overlap can exceed both values by B (1 mm / cos(delta))^2,
    0.01 mm on the tread and 0.4 mm on the flange.
    """
    n = coarse.size
    inverse_width = (n - 1) / (coarse_wheel[n - 1, COARSE.y] - coarse_wheel[0, COARSE.y])
    rail_end = pair.rail_start + (pair.rail.shape[0] - 1) / pair.inverse_step
    # yaw takes a point of slope s to the field side by r |s| tan^2(yaw)
    side = max(_SIDE, 0.001 + _STEEPEST_FLANGE * (pose.radius + 0.03) * pose.tan_yaw * pose.tan_yaw)
    first = max(int((pair.rail_start - pose.y - side - coarse_wheel[0, COARSE.y]) * inverse_width), 0)
    last = min(int((rail_end - pose.y + side - coarse_wheel[0, COARSE.y]) * inverse_width), n - 1)
    for i in range(0, min(first, n)):
        coarse[i] = -FAR
    for i in range(max(last + 1, 0), n):
        coarse[i] = -FAR
    if last <= first:
        return
    yawed = pose.tan_yaw * pose.tan_yaw > YAWED
    if yawed:
        for i in range(first, last + 1):
            coarse[i] = _sample(coarse_wheel, pair, pose, True, i)
        _scan_flange(coarse_wheel, pair, pose, coarse, first, last)
        return
    left = _sample(coarse_wheel, pair, pose, False, first)
    coarse[first] = left
    i = first
    while i < last:
        ahead = min(i + 4, last)
        right = _sample(coarse_wheel, pair, pose, False, ahead)
        coarse[ahead] = right
        if max(left, right) > -max(coarse_wheel[i, COARSE.near], coarse_wheel[ahead, COARSE.near]):
            for m in range(i + 1, ahead):
                coarse[m] = _sample(coarse_wheel, pair, pose, False, m)
        else:
            for m in range(i + 1, ahead):
                coarse[m] = min(left, right)
        left = right
        i = ahead
    _scan_flange(coarse_wheel, pair, pose, coarse, first, last)


@kernel(fastmath=FAST)
def _scan_flange(coarse_wheel, pair, pose, coarse, first, last):
    """Correct samples of a steep wheel near the rail to the normal at its foot."""
    within = near_rail(pose)
    for k in range(first, last + 1):
        if abs(coarse_wheel[k, COARSE.slope]) > _STEEP and coarse[k] > -within:
            _, y, z, _, _ = _coarse_point(coarse_wheel, pose, k)
            coarse[k] = _normal_depth(pair, y, z)[0]


@kernel(fastmath=FAST)
def off_profile(pair, pose):
    """Whether a wheel without contact has left the rail sideways: its tread stands below the crown, beside it."""
    wheel_end = pair.wheel_start + (pair.wheel.shape[0] - 1) / pair.inverse_step
    return pose.z < -0.02 or pose.y + wheel_end < 0.0 or pose.y + pair.wheel_start > 0.0
