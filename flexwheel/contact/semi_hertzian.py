"""Semi-Hertzian normal contact: virtual penetration on strips, with the shape correction of an ellipse.

The contact zone is where the undeformed bodies overlap by more than (1 - eps) of the deepest overlap h. Each
strip has its own half-length a_j = stretch * sqrt(2 R_j (overlap_j - (1 - eps) h)), with R_j the wheel's radius there
over the cosine of its slope there, and a semi-elliptic pressure c sqrt(a_j^2 - x^2); c follows from the displacement h
at the middle of the patch,

    pi E* h = c * sum_j integral integral sqrt(a_j^2 - x^2) / distance,

whose integral along a strip is 2 sqrt(a^2 + s^2) (K - E)(a^2/(a^2 + s^2)) for a strip at the distance s.
`plain_kp` has eps = 0.55 and stretch = 1. The default takes both from the Hertz ellipse whose lateral curvature
gives the width of the zone, so that it is exact for an ellipse.

Sources: Piotrowski and Kik, Vehicle System Dynamics 46 (2008) 27-48 (virtual penetration, strips);
Johnson 1985, section 4.2 (ellipse). Verified in tests/verification/test_semi_hertzian_verified.py.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.contact.elliptic import k_minus_e
from flexwheel.contact.gap import FAST, LEAST_BEND, OFF, YAWED, depth_at, penetration
from flexwheel.contact.regions import REGION
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import both, held_before, lane, lanes_of, total, where
from flexwheel.numerics.kernels.lanes import fill, fill_lanes, load, load_lanes, store

EDGE_STEPS = 2  # on the exact depth
_SHORT = 2e-5  # [m] a step of Newton's that leaves a fraction of a micrometre, edges being a millimetre from the peak
_UNSURE = 0.1  # of the depth above the level: what may be left after the first of them
_HALVINGS = 9  # of a step, where a whole zone may lie between two samples or the depth end before the level
MEASURED = 0.5  # of the depth: the zone whose area gives the equivalent ellipse
CLOSE = 1e-9  # of a part: nearer a strip is not to the middle of the load
_MARKED = 0.3  # of a peak's excess: a saddle this far below it splits the part


class StripRows(NamedTuple):
    """Rows of the strips of a patch; a strip runs along the rail at one place across the zone."""

    x: int  # [m] contact locus, from P
    y: int  # [m] from the rail crown
    z: int
    excess: int  # [m] overlap above the level
    root: int  # [m] width by which sums are taken of what ends like a square root at both edges of a part
    circle: int  # [m] twice the wheel's radius over the cosine of its slope
    lean: int  # bend times the cosine of the slope
    s: int  # [m] across the tangent plane, from the centre of the load
    width: int  # [m]
    half: int  # [m] half-length
    offset: int  # [m] of the middle along x
    peak: int  # [Pa] in the middle, and half-length [m], of laws that take a wheel as a whole: FASTSIM, with one factor
    long: int  # of pressure, is given another half-length, under which a strip bears the same load


STRIP = StripRows(*range(len(StripRows._fields)))


def empty_strips(count):
    """Room (13, n) for strips, with columns up to a multiple of sixteen: they are taken sixteen at a time."""
    return np.zeros((len(STRIP), count + -count % 16))


class Nodes(NamedTuple):
    """Strips across a connected part of a patch, dense at its edges; fours of them, the last ones of no width."""

    place: np.ndarray  # (n,) 0 ... 1
    width: np.ndarray  # (n,) sum 1
    root: np.ndarray  # (n,) widths by which what ends like a square root at both edges is summed exactly
    angle: float  # [rad] between the strips on the half-circle above the part
    BY_VALUE = True


class Crossing(NamedTuple):
    """Cell of the samples in which the depth falls to a level, going away from a peak."""

    root: float  # [m] guess of the place
    slope: float  # of the depth there, going away; 0: no guess
    near: float  # [m] towards the peak, and the depth there
    inner: float
    node: float  # [m] away from it, and the depth there; the same as `near` where the limit is reached before
    outer: float


class EndPeak(NamedTuple):
    """First or last peak of a part of a zone."""

    place: float  # [m]
    height: float
    limit: float  # [m] the part ends there at the latest


class Zone(NamedTuple):
    """Contact zone of a patch: sums over its strips, and means weighted with excess * width / bend."""

    strips: int
    weight: float  # [m^2] sum of excess * width / bend
    eta: float  # [m] on the wheel
    x: float  # [m] from P
    y: float  # [m] from the rail crown
    z: float
    slope: float  # dz/dy of the direction
    bend: float


@kernel(fastmath=FAST)
def _bracketed(pair, pose, level, near, inner, beyond, outer):
    """Where the depth falls to `level` between `near`, of depth `inner` above it, and `beyond`, of depth `outer`."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (near + beyond)
        depth = depth_at(pair, pose, middle)
        if depth >= level:
            near, inner = middle, depth
        else:
            beyond, outer = middle, depth
    return near + (beyond - near) * (inner - level) / (inner - outer) if outer > OFF else near


@kernel(fastmath=FAST)
def _crossing(start, sampled, eta, h, level, limit):
    """Where the sampled depth crosses `level`, going from its peak h at `eta` towards `limit`; a parabola's guess."""
    step, coarse = sampled.step, sampled.depth
    side = 1 if limit > eta else -1
    first = int((eta - start) / step) + (1 if side > 0 else 0)
    i = first
    while i > 0 and i < coarse.size - 1 and coarse[i] >= level:
        i += side
        if side * (start + i * step - limit) >= step:
            return Crossing(limit, 0.0, limit, level, limit, level)
    node, outer = start + i * step, coarse[i]
    near, inner = (eta, h) if i == first else (node - side * step, coarse[i - side])
    if outer < OFF:
        return Crossing(node, 0.0, near, inner, node, outer)
    if i == first:
        reach = abs(node - eta)
        t = math.sqrt((h - level) / (h - outer))
        slope = -2.0 * (h - level) / max(reach * t, 1e-12)
        return Crossing(eta + side * reach * t, slope, near, inner, node, outer)
    over, under = inner - level, outer - level
    bend = coarse[i - 2 * side] - level - 2.0 * over + under if coarse[i - 2 * side] > OFF else 0.0
    t = over / (over - under)
    for _ in range(2):
        value = over + t * (under - over) + 0.5 * t * (t - 1.0) * bend
        t -= value / (under - over + (t - 0.5) * bend)
    t = min(max(t, 0.0), 1.0)
    slope = (under - over + (t - 0.5) * bend) / step
    return Crossing(node - side * step * (1.0 - t), slope, near, inner, node, outer)


@kernel(fastmath=FAST)
def _refined(pair, pose, crossing, h, level, limit, longest):
    """The crossing on the exact depth, not past `limit`, where the two steps of `_zone_edges` do not find it.

    Newton's step with the parabola's slope, then a secant's. Where the parabola misleads (a kink or a shallow saddle
    beside the peak), or at large yaw, the edge is bracketed instead. The limit is the edge where the depth is above the
    level up to there.
    """
    near, inner, node, outer = crossing.near, crossing.inner, crossing.node, crossing.outer
    side = 1.0 if node > near else -1.0
    root, slope = crossing.root, crossing.slope
    if near == node or side * (near - limit) >= 0.0:
        return limit
    if side * (node - limit) > 0.0:
        node, outer = limit, depth_at(pair, pose, limit)
        if outer >= level:
            return limit
    before, shift = h - level, 0.0
    found = side * (root - node) < 0.0 and not (outer < OFF or pose.tan_yaw * pose.tan_yaw > YAWED)
    for k in range(EDGE_STEPS if found else 0):
        lack = level - depth_at(pair, pose, root)
        if k > 0:
            secant = (before - lack) / shift if shift != 0.0 else slope
            slope = secant if secant < 0.5 * slope and secant > 2.0 * slope else slope
        before = lack
        shift = min(max(lack / slope, -longest), longest)
        root += side * shift
    found = found and abs(before) <= _UNSURE * (h - level)
    if not (found and side * (root - near) >= 0.0 and side * (root - node) <= 0.0):  # nor on another flank
        root = _bracketed(pair, pose, level, near, inner, node, outer)
    return root


@kernel(fastmath=FAST)
def _zone_edges(pair, pose, sampled, low, high, level):
    """Where the penetration falls to `level` below the peak `low` and above the peak `high` (or the same).

    The cells are found on the sampled depth, a parabola gives the first guess, Newton's steps on the exact depth and
    its slope refine both edges at once, until a step is shorter than `_SHORT`. What is left enters sums over the zone
    squared.
    """
    left = _crossing(pair.wheel_start, sampled, low.place, low.height, level, low.limit)
    right = _crossing(pair.wheel_start, sampled, high.place, high.height, level, high.limit)
    if left.slope < 0.0 and right.slope < 0.0 and pose.tan_yaw * pose.tan_yaw < YAWED:
        root = lanes_of(left.root, right.root, left.root, right.root)
        ahead, step = lanes_of(-1.0, 1.0, -1.0, 1.0), sampled.step
        for _ in range(EDGE_STEPS):
            point = penetration(pair, pose, root)
            shift = (level - point.depth) / point.rise
            root += shift
            falls = ahead * point.rise < 0.0
            short = both(abs(shift) < _SHORT, falls)
            if held_before(short) == 4:
                a, b = lane(root, 0), lane(root, 1)
                # where the depth hardly falls, a step may end on another flank, far off, or past a saddle
                low_end, high_end = max(left.node - step, low.limit), min(right.node + step, high.limit)
                if low_end <= a <= left.near and right.near <= b <= high_end:
                    return a, b
    a = _refined(pair, pose, left, low.height, level, low.limit, sampled.step)
    return a, _refined(pair, pose, right, high.height, level, high.limit, sampled.step)


@kernel(fastmath=FAST)
def zone_parts(pair, pose, sampled, peaks, region, level, parts):
    """Edges of the parts of a region's zone above `level`.

    A part ends where the depth falls to the level, and at a marked saddle within the zone: there the pieces meet, so
    that sums over the parts stay continuous when the saddle sinks below the level.

    Returns
    -------
    int                  rows filled in parts (m, 2) [m]
    """
    heights, saddle = peaks.heights, peaks.saddle_heights
    last = int(region[REGION.last])
    reached, high = region[REGION.low], region[REGION.high]
    count, k = 0, int(region[REGION.first])
    while k <= last and count < parts.shape[0]:
        if heights[k] <= level:
            k += 1
            continue
        low, head = EndPeak(peaks.places[k], heights[k], reached), count
        while k < last and saddle[k] > level and count + 1 < parts.shape[0]:
            lower = min(heights[k], heights[k + 1])
            if lower - saddle[k] > _MARKED * (lower - level):
                parts[count, 1] = peaks.saddle_places[k]
                count += 1
                parts[count, 0] = peaks.saddle_places[k]
            k += 1
        limit = peaks.saddle_places[k] if k < last else high
        left, right = _zone_edges(pair, pose, sampled, low, EndPeak(peaks.places[k], heights[k], limit), level)
        reached = max(left, right)
        parts[head, 0], parts[count, 1] = left, reached
        count += 1
        k += 1
    return count


@kernel(fastmath=FAST)
def fill_zone(pair, pose, level, parts, count, nodes, strip):
    """Sample the parts of a zone above `level`, each in as many strips as there are nodes; returns a Zone."""
    none = fill_lanes(0.0, 16)
    weight, eta_mean, x_mean, y_mean, z_mean, flat, rise, bent = none, none, none, none, none, none, none, none
    n, row = nodes.place.size, strip.shape[1]
    per_eta = 1.0 / pose.cos_yaw  # times the bend: dy/deta along the locus
    for p in range(count):
        left, reach = parts[p, 0], parts[p, 1] - parts[p, 0]
        for i in range(0, n, 16):
            j = p * n + i
            eta = left + reach * load_lanes(nodes.place, i, 16)
            point = penetration(pair, pose, eta)
            bend = max(point.bend, LEAST_BEND)
            excess = max(point.depth - level, 0.0)
            straight = (reach * per_eta) * load_lanes(nodes.width, i, 16)
            arc = math.sqrt(1.0 + point.slope * point.slope)
            load_here = excess * straight * arc  # half-length squared times width
            store(strip, STRIP.x * row + j, point.x)
            store(strip, STRIP.y * row + j, point.y)
            store(strip, STRIP.z * row + j, point.z)
            store(strip, STRIP.excess * row + j, excess)
            store(strip, STRIP.width * row + j, straight * arc * bend)
            # along x the overlap falls with the wheel's curvature there: bend x^2/(2 r), times the cosine of the slope
            store(strip, STRIP.circle * row + j, 2.0 * (pose.radius + pose.z - point.z) * arc)
            store(strip, STRIP.lean * row + j, bend * (pose.cos_roll + point.slope * pose.sin_roll))
            store(strip, STRIP.root * row + j, (reach * per_eta) * load_lanes(nodes.root, i, 16) * arc * bend)
            weight = weight + load_here
            eta_mean = eta_mean + load_here * eta
            x_mean = x_mean + load_here * point.x
            y_mean = y_mean + load_here * point.y
            z_mean = z_mean + load_here * point.z
            bent = bent + load_here * bend
            flat = flat + excess * straight
            rise = rise + excess * straight * point.direction
    whole = total(weight)
    if whole <= 0.0:
        return Zone(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    each = 1.0 / whole
    eta, slope = total(eta_mean) * each, total(rise) / total(flat)
    return Zone(
        count * n,
        whole,
        eta,
        total(x_mean) * each,
        total(y_mean) * each,
        total(z_mean) * each,
        slope,
        total(bent) * each,
    )


@kernel(fastmath=FAST)
def measure_zone(pair, pose, level, parts, count, nodes):
    """Overlap above `level` in the parts of a zone.

    Returns
    -------
    weight [m^2], slope [-], z [m], bend [-]
        area of the overlap, and the means by its load: slope dz/dy, height, curvature along the rail over that around
        the axle
    """
    none = fill(0.0)
    weight, flat, rise, high, bent = none, none, none, none, none
    per_eta = 1.0 / pose.cos_yaw
    for p in range(count):
        left, reach = parts[p, 0], parts[p, 1] - parts[p, 0]
        for i in range(0, nodes.place.size, 4):
            point = penetration(pair, pose, left + reach * load(nodes.place, i))
            bend = max(point.bend, LEAST_BEND)
            excess = max(point.depth - level, 0.0) * ((reach * per_eta) * load(nodes.width, i))
            weight = weight + excess * bend * math.sqrt(1.0 + point.slope * point.slope)
            flat = flat + excess
            rise = rise + excess * point.direction
            high = high + excess * point.z
            bent = bent + excess * bend
    each = 1.0 / (total(flat) + 1e-300)
    return total(weight), total(rise) * each, total(high) * each, total(bent) * each


@kernel(fastmath=FAST, forceinline=True)
def displacement_line(a, s):
    """Integral of sqrt(a^2 - x^2)/distance [m] along a strip at the distance s > 0; four strips in lanes."""
    square = a * a + s * s
    return 2.0 * math.sqrt(square) * k_minus_e(s * s / square)


@kernel(fastmath=FAST)
def singular_sum(nodes, middle):
    """Sum over the strips of ln|x - middle| less n times its integral's mean, on the part from 0 to 1.

    A sum over strips of f(x) ln|x - middle|, by their root widths, is too large by f(middle) times this: the mean of
    ln|cos t - cos c| over the half-circle is -ln 2 for any c. 0 where the middle lies off the part.
    """
    if not 0.0 < middle < 1.0:
        return 0.0
    product = fill_lanes(1.0, 16)
    for i in range(0, nodes.place.size, 16):
        apart = max(abs(load_lanes(nodes.place, i, 16) - middle), CLOSE)
        product *= where(load_lanes(nodes.root, i, 16) > 0.0, 4.0 * apart, 1.0)
    whole = 1.0
    for k in range(16):
        whole *= lane(product, k)
    return math.log(whole)
