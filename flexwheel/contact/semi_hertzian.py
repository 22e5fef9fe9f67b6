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
Johnson 1985, section 4.2 (ellipse). Verified in tests/verification/test_semi_hertzian.py.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.contact.elliptic import k_minus_e
from flexwheel.contact.gap import FAST, LEAST_BEND, OFF, YAWED, depth_at, penetration
from flexwheel.contact.regions import REGION
from flexwheel.kernels import kernel

EDGE_STEPS = 2  # on the exact depth
_UNSURE = 0.1  # of the depth above the level: what may be left after the first of them
_HALVINGS = 9  # of a step, where a whole zone may lie between two samples or the depth end before the level
_MARKED = 0.3  # of a peak's excess: a saddle this far below it splits the part


class StripRows(NamedTuple):
    """Rows of the strips of a patch; a strip runs along the rail at one place across the zone."""

    x: int  # [m] contact locus, from P
    y: int  # [m] from the rail crown
    z: int
    excess: int  # [m] overlap above the level
    below: int  # [m] from the strip to the edges of its cell, across
    above: int
    circle: int  # [m] twice the wheel's radius over the cosine of its slope
    lean: int  # bend times the cosine of the slope
    s: int  # [m] across the tangent plane, from the centre of the load
    width: int  # [m]
    half: int  # [m] half-length
    offset: int  # [m] of the middle along x
    traction_x: int  # [Pa] FASTSIM's, in the cell it has come to
    traction_y: int
    sum_x: int  # of the tractions over the strip's cells
    sum_y: int
    sum_m: int  # of the lateral ones with their place -1 ... 1


STRIP = StripRows(*range(len(StripRows._fields)))


class Nodes(NamedTuple):
    """Strips across a connected part of a patch, dense at its edges."""

    place: np.ndarray  # (n,) 0 ... 1
    width: np.ndarray  # (n,) sum 1
    edge: np.ndarray  # (n, 2) distance of each strip's cell edges from its place; the cells touch
    BY_VALUE = True


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
def zone_edge(pair, pose, sampled, eta, h, level, limit):
    """Where the penetration falls to `level`, going from its peak h at `eta` towards `limit`, not past it.

    The cell is found on the sampled depth, a parabola gives the first guess, two steps on the exact depth refine
    it: Newton's with the parabola's slope, then a secant's. What is left enters sums over the zone squared. Where the
    parabola misleads (a kink beside the peak), or at large yaw, the edge is bracketed instead.
    """
    wheel_start, step, coarse = pair.wheel_start, sampled.step, sampled.depth
    side = 1 if limit > eta else -1
    first = int((eta - wheel_start) / step) + (1 if side > 0 else 0)
    i = first
    while i > 0 and i < coarse.size - 1 and coarse[i] >= level:
        i += side
        if side * (wheel_start + i * step - limit) >= step:
            return limit
    node = wheel_start + i * step
    near, inner = (eta, h) if i == first else (node - side * step, coarse[i - side])
    if coarse[i] < OFF or pose.tan_yaw * pose.tan_yaw > YAWED:
        root = _bracketed(pair, pose, level, near, inner, node, coarse[i])
        return limit if side * (root - limit) >= 0.0 else root
    if i == first:
        reach = abs(node - eta)
        t = math.sqrt((h - level) / (h - coarse[i]))
        root = eta + side * reach * t
        slope = -2.0 * (h - level) / max(reach * t, 1e-12)
    else:
        over, under = inner - level, coarse[i] - level
        bend = coarse[i - 2 * side] - level - 2.0 * over + under if coarse[i - 2 * side] > OFF else 0.0
        t = over / (over - under)
        for _ in range(2):
            value = over + t * (under - over) + 0.5 * t * (t - 1.0) * bend
            t -= value / (under - over + (t - 0.5) * bend)
        t = min(max(t, 0.0), 1.0)
        root = node - side * step * (1.0 - t)
        slope = (under - over + (t - 0.5) * bend) / step
    before, shift = 0.0, 0.0
    for k in range(EDGE_STEPS):
        if side * (root - limit) >= 0.0:
            return limit
        lack = level - depth_at(pair, pose, root)
        if k > 0:
            secant = (before - lack) / shift if shift != 0.0 else slope
            slope = secant if secant < 0.5 * slope and secant > 2.0 * slope else slope
        before = lack
        shift = min(max(lack / slope, -step), step)
        root += side * shift
    if abs(before) > _UNSURE * (h - level) or side * (root - near) < 0.0:  # or found on the far side of the peak
        root = _bracketed(pair, pose, level, near, inner, node, coarse[i])
    if side * (root - limit) >= 0.0:
        return limit
    return root


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
        left = zone_edge(pair, pose, sampled, peaks.places[k], heights[k], level, reached)
        while k < last and saddle[k] > level and count + 1 < parts.shape[0]:
            lower = min(heights[k], heights[k + 1])
            if lower - saddle[k] > _MARKED * (lower - level):
                parts[count, 0], parts[count, 1] = left, peaks.saddle_places[k]
                left = peaks.saddle_places[k]
                count += 1
            k += 1
        limit = peaks.saddle_places[k] if k < last else high
        right = zone_edge(pair, pose, sampled, peaks.places[k], heights[k], level, limit)
        reached = max(left, right)
        parts[count, 0], parts[count, 1] = left, reached
        count += 1
        k += 1
    return count


@kernel(fastmath=FAST)
def fill_zone(pair, pose, level, parts, count, nodes, strip):
    """Sample the parts of a zone above `level`, each in as many strips as there are nodes; returns a Zone."""
    weight, eta_mean, x_mean, y_mean, z_mean, flat, rise, bent = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    n = nodes.place.size
    per_eta = 1.0 / pose.cos_yaw  # times the bend: dy/deta along the locus
    for p in range(count):
        left, reach = parts[p, 0], parts[p, 1] - parts[p, 0]
        for i in range(n):
            j = p * n + i
            eta = left + reach * nodes.place[i]
            point = penetration(pair, pose, eta)
            bend = max(point.bend, LEAST_BEND)
            excess = max(point.depth - level, 0.0)
            straight = reach * nodes.width[i] * per_eta
            strip[STRIP.x, j], strip[STRIP.y, j], strip[STRIP.z, j] = point.x, point.y, point.z
            arc = math.sqrt(1.0 + point.slope * point.slope)
            edges = reach * arc * bend * per_eta
            load = excess * straight * arc  # half-length squared times width
            strip[STRIP.excess, j], strip[STRIP.width, j] = excess, straight * arc * bend
            # along x the overlap falls with the wheel's curvature there: bend x^2/(2 r), times the cosine of the slope
            strip[STRIP.circle, j] = 2.0 * (pose.radius + pose.z - point.z) * arc
            strip[STRIP.lean, j] = bend * (pose.cos_roll + point.slope * pose.sin_roll)
            strip[STRIP.below, j], strip[STRIP.above, j] = nodes.edge[i, 0] * edges, nodes.edge[i, 1] * edges
            weight += load
            eta_mean += load * eta
            x_mean += load * point.x
            y_mean += load * point.y
            z_mean += load * point.z
            bent += load * bend
            flat += excess * straight
            rise += excess * straight * point.direction
    if weight <= 0.0:
        return Zone(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    each = 1.0 / weight
    return Zone(
        count * n, weight, eta_mean * each, x_mean * each, y_mean * each, z_mean * each, rise / flat, bent * each
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
    weight, flat, rise, high, bent = 0.0, 0.0, 0.0, 0.0, 0.0
    per_eta = 1.0 / pose.cos_yaw
    for p in range(count):
        left, reach = parts[p, 0], parts[p, 1] - parts[p, 0]
        for i in range(nodes.place.size):
            point = penetration(pair, pose, left + reach * nodes.place[i])
            bend = max(point.bend, LEAST_BEND)
            excess = max(point.depth - level, 0.0) * (reach * per_eta) * nodes.width[i]
            weight += excess * bend * math.sqrt(1.0 + point.slope * point.slope)
            flat += excess
            rise += excess * point.direction
            high += excess * point.z
            bent += excess * bend
    each = 1.0 / (flat + 1e-300)
    return weight, rise * each, high * each, bent * each


@kernel(fastmath=FAST)
def displacement_integral(strip, n):
    """Sum over strips of the integral of sqrt(a_j^2 - x^2)/distance [m^2], seen from the middle, s = 0.

    The logarithm that is singular at the strip's own place is averaged over its cell, from `below` to `above` it.
    """
    total = 0.0
    for j in range(n):
        a = strip[STRIP.half, j]
        if a <= 0.0:
            continue
        below, above = strip[STRIP.below, j], strip[STRIP.above, j]
        s = strip[STRIP.s, j]
        if s < 0.0:
            s, below, above = -s, above, below
        w = below + above
        far = max(s, 1e-9 * w)
        square = a * a + far * far
        line = 2.0 * math.sqrt(square) * k_minus_e(far * far / square)
        if s < 3.0 * w:
            high, low = s + above, s - below
            mean = (high * math.log(high) - low * math.log(max(abs(low), 1e-300))) / w - 1.0
            line += 2.0 * a * (math.log(far) - mean)
        else:
            x = 0.5 * (above - below) / s
            u = (w / (s + x * s)) ** 2
            line += 2.0 * a * (u * (1.0 / 24.0 + u * (1.0 / 320.0 + u / 2688.0)) - x * (1.0 - x * (0.5 - x / 3.0)))
        total += line * w
    return total
