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

from flexwheel.numerics.kernels import FAST, kernel
from flexwheel.numerics.kernels.lane_arithmetic import any_lane, both, cell, first_four, lane, next_two, where
from flexwheel.numerics.kernels.lanes import load, store

_NEAR, _NEAR_YAWED = 5e-5, 5e-4  # [m] apart at most where a sample may stand beside a contact; the latter where
# the locus moves several times faster than the wheel coordinate
_STEEP = 0.3  # of the wheel, where it does
_ENDED = 8e-3  # [m] apart at most where the flange may overlap with the end of a rail beside the sample
FAR = 1.0  # [m] gap where the rail has no surface
OFF = -0.5 * FAR  # [m] a depth below this is none
LEAST_BEND = 0.05  # taken for less
YAWED = 6e-4  # tangent of the yaw, squared (25 mrad), from which the locus may run back: all points are sampled
UPRIGHT, ASKEW = 2.89e-4, 4e-4  # the same (17, 20 mrad): patches are upright below, from there on wholly askew
SPARE = 28  # rows of the coarse wheel behind its last point, far from any rail: blocks of samples may end there
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
    yawed: float  # how far curvature and skewness due to yaw are counted: 0 below UPRIGHT, 1 from ASKEW


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
    first: int  # contact can be found from this sample
    last: int  # to this one
    BY_VALUE = True


class LocusPoint(NamedTuple):
    """Point of the contact locus against the rail; or four points, in lanes."""

    depth: float  # [m] below the rail's surface along its normal; negative: apart
    x: float  # [m] from P
    y: float  # [m] from the rail crown
    z: float
    slope: float  # of the common tangent dz/dy: mean of the locus and the rail at the foot
    direction: float  # the same with the rail straight above the point, which gives the direction of the exact
    # half-space solution (the foot's is 1 degree steeper under a heavily loaded flange)
    bend: float  # of `bend_along`
    rise: float  # of the depth per way y


class CoarseRows(NamedTuple):
    """Rows of the coarse wheel: of its points, and of every fourth of them alone, as many as there are, then empty."""

    y: int
    height: int
    slope: int
    second: int  # derivative
    fourth_y: int
    fourth_height: int
    fourth_slope: int
    fourth_second: int
    near: int  # [m] of every fourth: gap within which the finer scan is needed, here or at the next


class CellColumns(NamedTuple):
    """Columns of a profile's cells: cubic height + slope t s + c2 t^2 + c3 t^3 (s its width), and what is linear."""

    height: int
    slope: int
    c2: int
    c3: int
    cosine: int  # of a rail's slope
    cosine_step: int
    second: int  # of a wheel [1/m], by its slopes a cell on either side; that of the cubics leaps between cells
    second_step: int


COARSE = CoarseRows(*range(len(CoarseRows._fields)))
CELL = CellColumns(0, 1, 2, 3, 4, 5, 4, 5)


@kernel(fastmath=FAST, forceinline=True)
def cell_of(table, start, inverse_step, y):
    """Cell of a uniform table that holds y, a whole float, and the place 0 ... 1 in it; the end cells are extended."""
    t = y * inverse_step - start * inverse_step
    i = cell(t, table.shape[0] - 2)
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
def across_wheel(pose, x, y, z):
    """Lateral coordinate of the wheel [m] of a point, x relative to P, y and z to the rail crown."""
    return pose.cos_roll * (pose.cos_yaw * (y - pose.y) - pose.sin_yaw * x) + pose.sin_roll * (z - pose.z)


@kernel(fastmath=FAST, forceinline=True)
def bend_along(pose, height, second, sb, cb):
    """Curvature of the wheel's surface along the rail over that around the axle: 1 below UPRIGHT (module text).

    height [m], second [1/m] : of the profile at the point; sb, cb : sine and cosine of its section angle
    """
    along = pose.cos_yaw * cb + pose.sin_yaw * pose.sin_roll * sb
    return 1.0 + pose.yawed * (along * along - pose.sin_yaw * pose.sin_yaw * (pose.radius + height) * second - 1.0)


@kernel(fastmath=FAST, forceinline=True)
def large_yaw(tan_yaw):
    """How far curvature and skewness due to yaw are counted: 0 below UPRIGHT, 1 from ASKEW, smooth between.

    Below, both change a patch by some per cent at most, while their kinks (jumps of the profile's curvature, a zone
    that changes its parts) keep steps of a run from converging.
    """
    part = min(max((tan_yaw * tan_yaw - UPRIGHT) / (ASKEW - UPRIGHT), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


@kernel(fastmath=FAST, forceinline=True)
def rail_above(pair, y, z):
    """Height of the rail, straight beyond its ends, over a point [m], slope and cosine, and if it has a surface."""
    i, place = cell_of(pair.rail, pair.rail_start, pair.inverse_step, y)
    height, slope, c2, c3 = first_four(pair.rail, i)
    cosine, cosine_step = next_two(pair.rail, i)
    c1, t = slope / pair.inverse_step, min(max(place, 0.0), 1.0)
    bent = c1 + t * (2.0 * c2 + 3.0 * t * c3)
    above = height + t * (c1 + t * (c2 + t * c3)) + (place - t) * bent - z
    return above, bent * pair.inverse_step, cosine + t * cosine_step, both(place >= -1.0, place <= 2.0)


@kernel(fastmath=FAST, forceinline=True)
def _normal_depth(pair, y, z):
    """Depth of a point below the rail [m] along the normal at its foot; slope and cosine there; slope above it."""
    above, slope, cosine, held = rail_above(pair, y, z)
    aside = above * slope * cosine * cosine
    above, foot_slope, cosine, _ = rail_above(pair, y - aside, z)
    return where(held, (above + aside * foot_slope) * cosine, -FAR), foot_slope, cosine, slope


@kernel(fastmath=FAST, forceinline=True)
def wheel_locus(pair, pose, eta):
    """x, y, z of a LocusPoint, the wheel's slope dz/dy across the rail there, and the bend."""
    wheel, inverse_step = pair.wheel, pair.inverse_step
    i, t = cell_of(wheel, pair.wheel_start, inverse_step, eta)
    height, slope, c2, c3 = first_four(wheel, i)
    second, second_step = next_two(wheel, i)
    c1 = slope / inverse_step
    height += t * (c1 + t * (c2 + t * c3))
    slope = (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * inverse_step
    x, y, z, sb, cb = wheel_point(pose, height, slope, eta)
    across = pose.sin_yaw * sb + pose.cos_yaw * (pose.sin_roll * cb - pose.cos_roll * slope)
    bend = bend_along(pose, height, second + t * second_step, sb, cb)
    return x, y, z, across / (pose.cos_roll * cb + pose.sin_roll * slope), bend


@kernel(fastmath=FAST, forceinline=True)
def penetration(pair, pose, eta):
    """Depth of the locus point below the rail surface, along the rail's normal (negative: apart).

    The normal stands at the foot of the point on the rail, which on a flange lies a tenth of a millimetre beside it:
    with the slope straight above the point the depth across a flange would be a cubic, curved 10 % too much.
    eta: a number, or four in lanes.

    Returns
    -------
    LocusPoint
    """
    x, y, z, wheel_slope, bend = wheel_locus(pair, pose, eta)
    depth, foot_slope, cosine, rail_slope = _normal_depth(pair, y, z)
    slope, direction = 0.5 * (foot_slope + wheel_slope), 0.5 * (rail_slope + wheel_slope)
    return LocusPoint(depth, x, y, z, slope, direction, bend, cosine * (foot_slope - wheel_slope))


@kernel(fastmath=FAST)
def locus_point(pair, pose, eta):
    """`penetration` of one number, compiled once."""
    return penetration(pair, pose, eta)


@kernel(fastmath=FAST)
def depth_at(pair, pose, eta):
    """The depth of `penetration` [m] alone, -FAR where the locus runs back."""
    point = locus_point(pair, pose, eta)
    if pose.tan_yaw * pose.tan_yaw > YAWED and not point.bend > 0.0:
        return -FAR
    return point.depth


@kernel(inline="always")
def near_rail(pose):
    """How far apart [m] a sample may be where contact is looked for beside it, at the rail's foot."""
    return _NEAR if pose.tan_yaw * pose.tan_yaw < YAWED else _NEAR_YAWED


@kernel(fastmath=FAST, forceinline=True)
def _sampled(coarse_wheel, pair, pose, place):
    """Depth in lanes at four coarse points, from a flat index on, by the rail's slope straight above them.

    Returns
    -------
    depth [m], y, z [m] of the points, slope of the wheel there
    """
    n = coarse_wheel.shape[1]
    height, slope = load(coarse_wheel, place + n), load(coarse_wheel, place + 2 * n)
    _, y, z, sb, cb = wheel_point(pose, height, slope, load(coarse_wheel, place))
    above, _, cosine, held = rail_above(pair, y, z)
    depth = where(held, above * cosine, -FAR)
    if pose.tan_yaw * pose.tan_yaw > YAWED:
        second = load(coarse_wheel, place + 3 * n)
        depth = where(bend_along(pose, height, second, sb, cb) > 0.0, depth, -FAR)
    return depth, y, z, slope


@kernel(fastmath=FAST)
def _may_overlap(coarse_wheel, pair, pose, i, step):
    """Whether the flange, falling from coarse point i over four steps [m], may meet the rail where that ends."""
    height, slope = coarse_wheel[COARSE.height, i], coarse_wheel[COARSE.slope, i]
    _, y, z, _, _ = wheel_point(pose, height, slope, coarse_wheel[COARSE.y, i])
    above, slope, _, _ = rail_above(pair, y, z)
    return above + 4.0 * step * max(_STEEPEST_FLANGE - abs(slope), 0.0) > 0.0


@kernel(fastmath=FAST)
def scan(coarse_wheel, pair, pose, coarse):
    """Fill coarse (n,) with the depth at every coarse point of the wheel, to some nanometres where they are near.

    Every fourth value is computed first; those between are computed only where the bodies are near, elsewhere
    they take the smaller of both. Two millimetres apart, the overlap can exceed both values by B (1 mm / cos(delta))^2,
    0.01 mm on the tread and 0.4 mm on the flange; where the rail ends between them it may by millimetres.

    Returns
    -------
    first, last    samples between which contact can be found, none where last < first
    """
    n = coarse.size
    start = coarse_wheel[COARSE.y, 0]
    inverse_width = (n - 1) / (coarse_wheel[COARSE.y, n - 1] - start)
    rail_end = pair.rail_start + (pair.rail.shape[0] - 1) / pair.inverse_step
    # yaw takes a point of slope s to the field side by r |s| tan^2(yaw)
    side = max(_SIDE, 0.001 + _STEEPEST_FLANGE * (pose.radius + 0.03) * pose.tan_yaw * pose.tan_yaw)
    left, right = pair.rail_start - pose.y - side, rail_end - pose.y + side
    begin = max(int((left - start) * inverse_width), 0) // 4
    end = min(int((right - start) * inverse_width), n - SPARE) // 4
    for i in range(n):
        coarse[i] = -FAR
    for b in range(begin, end + 2, 4):
        depth, _, _, _ = _sampled(coarse_wheel, pair, pose, COARSE.fourth_y * n + b)
        coarse[4 * b], coarse[4 * b + 4] = lane(depth, 0), lane(depth, 1)
        coarse[4 * b + 8], coarse[4 * b + 12] = lane(depth, 2), lane(depth, 3)
    yawed = pose.tan_yaw * pose.tan_yaw > YAWED
    first, last = n, -1
    for b in range(begin, end + 1):
        i = 4 * b
        left, right = coarse[i], coarse[i + 4]
        ended = min(left, right) < OFF and max(left, right) > -_ENDED
        ended = ended and _may_overlap(coarse_wheel, pair, pose, i + 4 if left < OFF else i, 1.05 / inverse_width)
        if yawed or ended or max(left, right) > -coarse_wheel[COARSE.near, b]:
            depth, y, z, slope = _sampled(coarse_wheel, pair, pose, i)
            steep = both(abs(slope) > _STEEP, depth > -near_rail(pose))
            if any_lane(steep):  # by the slope at the foot
                depth = where(steep, _normal_depth(pair, y, z)[0], depth)
            store(coarse, i, depth)
            first, last = min(first, i), i + 4
        else:
            coarse[i + 1] = coarse[i + 2] = coarse[i + 3] = min(left, right)
    return first, last


@kernel(fastmath=FAST)
def off_profile(pair, pose):
    """Whether a wheel without contact has left the rail sideways: its tread stands below the crown, beside it."""
    wheel_end = pair.wheel_start + (pair.wheel.shape[0] - 1) / pair.inverse_step
    return pose.z < -0.02 or pose.y + wheel_end < 0.0 or pose.y + pair.wheel_start > 0.0
