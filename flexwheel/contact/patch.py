"""Semi-Hertzian patches: zone, half-lengths, load and pressure; `plain_kp` without the correction of the shape."""

import math
from collections import namedtuple
from typing import NamedTuple

from flexwheel.contact.gap import FAST, LEAST_BEND, YAWED, locus_point
from flexwheel.contact.log_table import log_table_2
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import (
    CLOSE,
    MEASURED,
    STRIP,
    displacement_line,
    fill_zone,
    measure_zone,
    singular_sum,
    zone_parts,
)
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

_SKEWED = 2e-4  # part of the curvature that is left out of a patch's skewness, so that hardly skew ones cost nothing


class NormalContact(NamedTuple):
    """Normal contact of one patch; pressure = factor * sqrt(a_j^2 - x^2) on each strip, whatever the law."""

    normal_force: float  # [N] elastic: factor pi/2 sum a_j^2 width_j
    factor: float  # [Pa/m]
    stiffness: float  # [N/m] d normal_force / d approach, while other patches keep their loads
    x: float  # [m] centre of the load, relative to P
    y: float  # [m] relative to the rail crown
    z: float
    cosine: float  # of the contact angle
    sine: float
    half_length: float  # [m] of the longest strip
    half_width: float  # [m]
    area: float  # [m^2]
    strips: float  # used


_COLUMNS = *NormalContact._fields, "peak"
NORMAL = namedtuple("NormalColumns", _COLUMNS)(*range(len(_COLUMNS)))
"""Columns of a record of normal contacts; peak: largest pressure [Pa]."""


@kernel(fastmath=FAST)
def semi_hertzian(law, pair, pose, sampled, peaks, region, parts, strip):
    """Patch on strips; as NormalLaw.patch.

    Its shape is that of the ellipse of Hertz as wide as its zone; with a number, `plain_kp`, the zone is that share of
    the depth, and the half-lengths are those of the overlap.
    """
    h = region[REGION.depth]
    eps, stretch, lean, stiffer = 1.0, 1.0, 1.0, 1.0
    if law.numbers.size > 0:
        eps = law.numbers[0]
    else:
        eps, stretch, lean, stiffer, _, _ = zone_shape(law, pair, pose, sampled, peaks, region, parts)
    level = (1.0 - eps) * h
    count = zone_parts(pair, pose, sampled, peaks, region, level, parts)
    found = fill_zone(pair, pose, level, parts, count, law.nodes, strip)
    n, x, y, z = found.strips, found.x, found.y, found.z
    if found.weight <= 0.0:
        return NormalContact(0.0, 0.0, 0.0, x, y, z, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    ca = 1.0 / math.sqrt(1.0 + found.slope * found.slope)
    sa = found.slope * ca
    along = stretch * stretch * 2.0 * (pose.radius + pose.z - z)
    along /= found.bend * (ca * pose.cos_roll + sa * pose.sin_roll)
    # depth at the middle of the load; where parts of a patch stand apart there may be none: the mean level counts
    point = locus_point(pair, pose, found.eta)
    bend = max(point.bend, LEAST_BEND)
    depth = max(point.depth, level) if point.bend > 0.0 or pose.tan_yaw * pose.tan_yaw <= YAWED else level
    beside = (point.y - y) * ca + (point.z - z) * sa
    singular, close = 0.0, CLOSE * CLOSE
    for p in range(count):
        reach = parts[p, 1] - parts[p, 0]
        way = (found.eta - parts[p, 0]) / reach
        if 0.0 < way < 1.0:
            arc = 1.0 + point.slope * point.slope
            tall = 2.0 * (pose.radius + pose.z - point.z) * math.sqrt(arc) * (depth - level)
            a = stretch * math.sqrt(tall / (bend * (pose.cos_roll + point.slope * pose.sin_roll)))
            root = law.nodes.angle * math.sqrt(way * (1.0 - way) * arc) * bend * reach / pose.cos_yaw
            singular, close = 2.0 * a * root * singular_sum(law.nodes, way), CLOSE * reach
    squares, area, width, seen = fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    row = strip.shape[1]
    for j in range(0, n, 16):
        w = load_lanes(strip, STRIP.width * row + j, 16)
        square = load_lanes(strip, STRIP.circle * row + j, 16) * load_lanes(strip, STRIP.excess * row + j, 16)
        square *= (stretch * stretch) / load_lanes(strip, STRIP.lean * row + j, 16)
        a = math.sqrt(square)
        root = load_lanes(strip, STRIP.root * row + j, 16)
        s = (load_lanes(strip, STRIP.y * row + j, 16) - y) * ca + (load_lanes(strip, STRIP.z * row + j, 16) - z) * sa
        store(strip, STRIP.s * row + j, s)
        store(strip, STRIP.half * row + j, a)
        store(strip, STRIP.offset * row + j, lean * (load_lanes(strip, STRIP.x * row + j, 16) - x))
        squares += square * w
        area += a * root
        width += w
        seen += displacement_line(a, max(abs(s - beside), close)) * root
    factor = stiffer * math.pi * law.contact_modulus * depth / (total(seen) + singular)
    normal_force = 0.5 * math.pi * factor * total(squares)
    stiffness = normal_force * (1.0 / h + along * eps * total(width) / (3.0 * total(squares)))
    half_length = math.sqrt(along * eps * h)
    return NormalContact(
        normal_force, factor, stiffness, x, y, z, ca, sa, half_length, 0.5 * total(width), 2.0 * total(area), float(n)
    )


@kernel(fastmath=FAST, forceinline=True)
def zone_shape(law, pair, pose, sampled, peaks, region, parts):
    """Shape of a patch like the ellipse of Hertz as wide as its zone at the depth MEASURED.

    Returns
    -------
    eps, stretch, lean, stiffer    as `skew_ellipse`
    A, B [1/m]                     distance A x^2 + B s^2, along the rail and across
    """
    h = region[REGION.depth]
    level = (1.0 - MEASURED) * h
    n = zone_parts(pair, pose, sampled, peaks, region, level, parts)
    zone = measure_zone(pair, pose, level, parts, n, law.probes)
    skew = _skewness(law, pair, pose, parts, n, zone[1]) if pose.yawed > 0.0 and n > 0 else 0.0
    return shape_of_zone(law.zone, pose, h, zone, skew)


@kernel(fastmath=FAST, forceinline=True)
def shape_of_zone(table, pose, h, zone, skew):
    """As `zone_shape`, of a zone as `measure_zone` gives it, at a largest depth h [m]."""
    weight, slope, z, bend = zone
    # half-width of the parabola with the same area above the level; A = bend cos(delta)/(2 r), B = eps h / b^2
    b = 0.75 * weight / (MEASURED * h) + 1e-9
    A = bend / (2.0 * (pose.radius + pose.z - z) * math.sqrt(1.0 + slope * slope))
    B = MEASURED * h / (b * b)
    askew = pose.yawed * A * skew * skew - _SKEWED * (A + B) if skew != 0.0 else 0.0
    if askew > 0.0:
        eps, stretch, lean, stiffer = skew_ellipse(table, A, B, math.sqrt(askew / A))
    else:
        eps, stretch = log_table_2(table, math.log(A / B))
        lean, stiffer = upright_lean(A, B, stretch), 1.0
    return eps, stretch, 1.0 + pose.yawed * (lean - 1.0), stiffer, A, B


@kernel(fastmath=FAST, forceinline=True)
def _skewness(law, pair, pose, parts, count, slope):
    """Way of the locus along the rail per way across a zone of mean slope dz/dy, from its first node to its last."""
    probe = law.probes.place
    first = locus_point(pair, pose, parts[0, 0] + (parts[0, 1] - parts[0, 0]) * probe[0])
    end = parts[count - 1]
    last = locus_point(pair, pose, end[0] + (end[1] - end[0]) * probe[-1])
    return (last.x - first.x) / ((last.y - first.y) * math.sqrt(1.0 + slope * slope) + 1e-12)


@kernel(fastmath=FAST)
def upright_lean(A, B, stretch):
    """Lean of `skew_ellipse` where the skewness vanishes: A (a^2/b^2 - 1)/(B - A) with a^2/b^2 = stretch^2 B/A.

    Nearly circular contacts have a/b = (B/A)^(2/3), so 4/3.
    """
    apart = B - A
    if abs(apart) < 2e-3 * B:
        return 4.0 / 3.0
    return (stretch * stretch * B - A) / apart


@kernel(fastmath=FAST)
def skew_ellipse(zone, A, B, skew):
    """Zone of an elliptic contact whose axes stand askew to the rail: distance A (x - skew s)^2 + B s^2.

    The ellipse of Hertz stands along the principal axes of that form; its rows along x, and its width, are those of
    strips with half-length stretch sqrt(eps h/A) in a zone of the depth eps h.

    Returns
    -------
    eps, stretch, lean, stiffer
        lean: slope of the middles of the rows over `skew`; stiffer: displacement in the middle of the same rows set
        upright, over that of this ellipse
    """
    across = B + A * skew * skew
    half = 0.5 * (A + across)
    root = math.sqrt(max(half * half - A * B, 0.0))
    flat, steep = A * B / (half + root), half + root  # principal curvatures
    eps, long = log_table_2(zone, math.log(flat / steep))
    b2 = eps / steep  # squared semi-axes over h
    a2 = long * long * eps / flat
    turned = (A - flat) / (steep - flat)  # squared sine of the long axis' angle
    row = (1.0 - turned) / a2 + turned / b2  # coefficient of x^2 of the ellipse
    width2 = row * a2 * b2
    lean = A * (1.0 / b2 - 1.0 / a2) / ((steep - flat) * row)
    stiffer = _mean(math.sqrt(1.0 / a2), math.sqrt(1.0 / b2)) / _mean(math.sqrt(row), math.sqrt(1.0 / width2))
    return B * width2, math.sqrt(A / (row * B * width2)), lean, stiffer


@kernel(fastmath=FAST)
def _mean(a, b):
    """Arithmetic-geometric mean; pi/2 over it is the complete elliptic integral."""
    for _ in range(4):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return a
