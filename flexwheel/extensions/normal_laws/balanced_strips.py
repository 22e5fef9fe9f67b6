"""Balanced strips: each strip of a wheel feels all others and has a pressure and a length by conditions of its own.

The pressure of strip j is c_j sqrt(b_j - x^2) about its own middle, b_j its half-length squared. At the distance s
beside it and `ahead` of its middle it makes the displacement

    c_j w_j/(pi E*) 2 (K - E)(m) sqrt(S^2 - ahead^2 g),  S = (R_1 + R_2)/2,  m = b_j/S^2,  g = 2 - m K/(K - E),

w_j its width, times the cosine of the angle between the normals of both, R_1 and R_2 the distances from its ends. That
is exact to the second order of `ahead`, and with g (1 + 0.055 m (ahead/S)^2) within 0.4 % of quadratures, but for
places within a tenth of a strip's end (11 %). Its derivative by b_j is close to c_j w_j/(pi E*) K(m)/S. The logarithm
of a strip's own kernel is that of the trapezoidal rule, s = w/(2 pi).

Two conditions hold in each strip: in its middle the displacement is the overlap, and on the way to its ends it has
fallen as the overlap has, by curvature. They are met in steps from the lengths of `semi_hertzian`: c, by the first; b,
by what the second then lacks; b again, by the first. The first and the last are linear complementarity problems (no
strip pulls, and none without pressure overlaps), whose solution depends continuously on the pose. The middles of the
strips lie as in the ellipse of Hertz of the zone, askew to the rail where the wheel is yawed. The depth is that along
the normals midway between wheel and rail, in whose direction the pressure acts.

A part of a zone is the whole overlap. Its strips are narrow where the depth is curved, so that the edge of a facet has
some of its own, and wider where the overlap is too shallow for an ellipse to reach.

All strips of a wheel are one system: patches lift each other, and the sum of the forces does not depend on how strips
are cut into patches. While regions merge, the first b are means of the readings by their shares, and each
reading holds its strips of the one solution.

Sources: Johnson 1985, section 4.2; own derivation of the strips.
Verified in tests/verification/test_balanced_strips_verified.py; `benchmarks/patch_accuracy.py` for worn pairs.
"""

import math

from flexwheel.contact.elliptic import k_and_difference
from flexwheel.contact.gap import FAST
from flexwheel.contact.normal import NormalLaw
from flexwheel.contact.patch import NORMAL, zone_shape
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import STRIP, zone_parts
from flexwheel.extensions.normal_laws.strip_places import FIRST, ROW, columns_of_part, cut_part, fill_part
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

_TURNS = 8  # changes of the set of strips in contact
_CLOSE = 1e-18  # [m^2] of strips of no width, which fill up eights
_LEAST = 1e-14  # [m^2] half-length squared of a strip that is left out
_AHEAD = 0.6  # of the half-length, where the displacement is asked for again
_SOFTEST = 0.6  # of the mean c
_BENT = 0.055  # of the influence ahead, a fit
_ON = 1e-12  # complement of m on a strip
_MOST = 2.5  # correction of b
_SHORTEST = 0.2  # of the length of the overlap squared


@kernel(fastmath=FAST)
def balanced_strips(law, pair, pose, sampled, peaks, regions, count, parts, system, strips, normal):
    """All patches of a wheel; as NormalLaw.wheel. None in a scratch that was made for another law."""
    if system.shape[1] == 0:
        return 0
    n, m = columns_of_part(law.nodes), 0
    row = system.shape[1]
    # rows of `normal` hold a region's shape, and the columns of those regions that hold no other
    for p in range(count):
        own, alone = regions[p], True
        for r in range(count):
            inside = regions[r, REGION.first] >= own[REGION.first] and regions[r, REGION.last] <= own[REGION.last]
            alone = alone and (r == p or not inside)
        shape = zone_shape(law, pair, pose, sampled, peaks, own, parts)
        for k in range(len(shape)):
            normal[p, k] = shape[k]
        normal[p, 6], normal[p, 7] = m, m
        if not alone:
            continue
        found = zone_parts(pair, pose, sampled, peaks, own, 0.0, parts)
        beside = _AHEAD * pose.sin_yaw * shape[1] * math.sqrt(shape[0] * own[REGION.depth] / shape[4])
        for k in range(found):
            cut_part(pair, pose, parts[k, 0], parts[k, 1], own[REGION.depth], shape[0], law.nodes, system)
            fill_part(pair, pose, parts[k, 0], parts[k, 1], beside, law.nodes, system, m)
            m += n
        normal[p, 7] = m
    for r in range(count):
        _first_lengths(regions, count, r, normal, system)
    for j in range(0, m, 8):
        per, depth = load_lanes(system, ROW.per * row + j, 8), load_lanes(system, ROW.depth * row + j, 8)
        aside = load_lanes(system, ROW.middle * row + j, 8) - load_lanes(system, ROW.x * row + j, 8)
        b = load_lanes(system, ROW.b * row + j, 8)
        store(system, ROW.touches * row + j, where(b * load_lanes(system, ROW.width * row + j, 8) > 0.0, 1.0, 0.0))
        store(system, ROW.b * row + j, max(b, per * max(_SHORTEST * depth, 0.0) + _LEAST))
        store(system, ROW.depth * row + j, depth - aside * aside / per)
    each = 1.0 / (math.pi * law.contact_modulus)
    _pressures(system, m, each)
    _lengths(system, m, each, pose.yawed)
    _matrix(system, m, each)
    _solve(system, m, ROW.b)
    for r in range(count):  # columns of each reading, before rows of `normal` are written over
        low, high = m, 0
        for p in range(count):
            inside = regions[p, REGION.first] >= regions[r, REGION.first]
            at, end = int(normal[p, 6]), int(normal[p, 7])
            if inside and regions[p, REGION.last] <= regions[r, REGION.last] and end > at:
                low, high = min(low, at), max(high, end)
        system[ROW.touches, r], system[ROW.lack, r] = low, high
    kept = 0
    for r in range(count):
        columns_of = int(system[ROW.touches, r]), int(system[ROW.lack, r])
        _finished(system, columns_of, strips[kept], normal[kept])
        if normal[kept, NORMAL.normal_force] > 0.0:  # others are lifted off
            for k in range(regions.shape[1]):
                regions[kept, k] = regions[r, k]
            kept += 1
    return kept


@kernel(fastmath=FAST)
def _first_lengths(regions, count, r, normal, system):
    """Add a reading's share of the half-lengths squared and of the middles of an ellipse like its zone."""
    row, shape, h, share = system.shape[1], normal[r], regions[r, REGION.depth], regions[r, REGION.share]
    start, long, lean = (1.0 - shape[0]) * h, shape[1] * shape[1], shape[2]
    first, last = regions[r, REGION.first], regions[r, REGION.last]
    load, ahead = fill_lanes(0.0, 8), fill_lanes(0.0, 8)
    for p in range(count):
        if regions[p, REGION.first] >= first and regions[p, REGION.last] <= last:
            for j in range(int(normal[p, 6]), int(normal[p, 7]), 8):
                square = long * load_lanes(system, ROW.per * row + j, 8)
                square *= max(load_lanes(system, ROW.depth * row + j, 8) - start, 0.0)
                store(system, ROW.b * row + j, load_lanes(system, ROW.b * row + j, 8) + share * square)
                square *= load_lanes(system, ROW.width * row + j, 8)
                load += square
                ahead += square * load_lanes(system, ROW.x * row + j, 8)
    mean = total(ahead) / (total(load) + 1e-300)
    for p in range(count):
        if regions[p, REGION.first] >= first and regions[p, REGION.last] <= last:
            for j in range(int(normal[p, 6]), int(normal[p, 7]), 8):
                x = load_lanes(system, ROW.x * row + j, 8)
                middle = load_lanes(system, ROW.middle * row + j, 8) + share * (lean * (x - mean) + mean)
                store(system, ROW.middle * row + j, middle)


@kernel(fastmath=FAST, forceinline=True)
def _seen(b, apart, ahead):
    """S (K - E) sqrt(...) of the module's text [m], K, K - E, 1/S^2; apart: distance beside the strip, squared."""
    along = ahead * ahead
    round_it = along + apart + b
    ends = math.sqrt(max(round_it * round_it - 4.0 * b * along, 0.0))  # R_1 R_2
    square = 0.5 * (round_it + ends)
    each = 1.0 / square
    k, difference = k_and_difference(max(0.5 * (along + apart - b + ends) * each, _ON))
    difference = max(difference, _ON)
    nearer = max(2.0 * difference - b * each * k, 0.0) * (1.0 + _BENT * b * along * each * each)
    return math.sqrt(difference * max(difference * square - along * nearer, 0.0)), k, difference, each


@kernel(fastmath=FAST, forceinline=True)
def _both_ways(b, apart, ahead, step):
    """Mean of `_seen` a step ahead and a step behind, of strips little ahead of each other.

    `_seen` is a function of the square of what is ahead, whose mean is ahead^2 + step^2; by its second derivative
    (U_xxxx = (4 E b - 3 (K - E) b + (K - E) s^2)/S^5 twice, by Laplace's equation about the strip) comes the rest.
    """
    along, square = ahead * ahead, step * step
    seen, k, difference, inverse = _seen(b, apart, math.sqrt(along + square))
    bent = (4.0 * k - 7.0 * difference) * b + difference * apart
    return seen + (along * square * (1.0 / 6.0)) * bent * math.sqrt(inverse) * inverse * inverse


@kernel(fastmath=FAST)
def _pressures(strip, m, each):
    """c of the strips by the overlaps in their middles."""
    row = strip.shape[1]
    for i in range(m):
        own, middle = strip[ROW.width, i] / (2.0 * math.pi), strip[ROW.middle, i]
        for j in range(0, m, 8):
            facing, apart = _between(strip, i, j)
            there = load_lanes(strip, ROW.middle * row + j, 8)
            near, _, _, _ = _seen(
                load_lanes(strip, ROW.b * row + j, 8), max(apart, max(own * own, _CLOSE)), middle - there
            )
            weight = facing * load_lanes(strip, ROW.width * row + j, 8)
            store(strip, (FIRST + i) * row + j, 2.0 * each * weight * near)
        strip[ROW.lack, i] = strip[ROW.depth, i]
    _solve(strip, m, ROW.c)


@kernel(fastmath=FAST, forceinline=True)
def _between(strip, i, j):
    """Cosine of the angle between the normals of strip i and of eight from j on, and their distance squared."""
    row = strip.shape[1]
    up, aside = load_lanes(strip, ROW.up * row + j, 8), load_lanes(strip, ROW.aside * row + j, 8)
    dy = load_lanes(strip, ROW.y * row + j, 8) - strip[ROW.y, i]
    dz = load_lanes(strip, ROW.z * row + j, 8) - strip[ROW.z, i]
    return strip[ROW.up, i] * up + strip[ROW.aside, i] * aside, dy * dy + dz * dz


@kernel(fastmath=FAST)
def _lengths(strip, m, each, yawed):
    """b of the strips by the curvature of the displacement, c alike so that a strip's load stays."""
    row, load, size = strip.shape[1], 0.0, 0.0
    for i in range(m):
        b, longer = strip[ROW.b, i], 1.0
        if strip[ROW.c, i] > 0.0:
            own, middle, step = strip[ROW.width, i] / (2.0 * math.pi), strip[ROW.middle, i], _AHEAD * math.sqrt(b)
            seen = fill_lanes(0.0, 8)
            for j in range(0, m, 8):
                facing, apart = _between(strip, i, j)
                square, apart = load_lanes(strip, ROW.b * row + j, 8), max(apart, max(own * own, _CLOSE))
                ahead = middle - load_lanes(strip, ROW.middle * row + j, 8)
                both = 2.0 * _both_ways(square, apart, ahead, step)
                if yawed > 0.0:
                    one, _, _, _ = _seen(square, apart, ahead + step)
                    other, _, _, _ = _seen(square, apart, ahead - step)
                    both += yawed * (one + other - both)
                weight = load_lanes(strip, ROW.width * row + j, 8) * load_lanes(strip, ROW.c * row + j, 8)
                seen += facing * weight * both
            fall = 2.0 * (strip[ROW.depth, i] - each * total(seen)) * strip[ROW.per, i] / (2.0 * step * step)
            fall = min(max(fall, 1.0 / _MOST), _MOST)
            longer = math.sqrt(fall * math.sqrt(fall))
            load += strip[ROW.c, i] * b * strip[ROW.width, i]
            size += b * strip[ROW.width, i]
        strip[ROW.order, i] = longer
    mean = load / (size + 1e-300)
    for i in range(m):
        if strip[ROW.c, i] > 0.0:
            product = strip[ROW.c, i] * strip[ROW.b, i]
            strip[ROW.c, i] = max(strip[ROW.c, i] / strip[ROW.order, i], _SOFTEST * mean)
            strip[ROW.b, i] = max(product / strip[ROW.c, i], _LEAST)
        else:
            strip[ROW.b, i], strip[ROW.c, i] = _LEAST, mean


@kernel(fastmath=FAST)
def _matrix(strip, m, each):
    """Derivatives of the displacements by b, behind the rows of the strips, and the overlaps they are to make."""
    row = strip.shape[1]
    for i in range(m):
        own, middle = strip[ROW.width, i] / (2.0 * math.pi), strip[ROW.middle, i]
        seen = fill_lanes(0.0, 8)
        for j in range(0, m, 8):
            facing, apart = _between(strip, i, j)
            b, ahead = load_lanes(strip, ROW.b * row + j, 8), middle - load_lanes(strip, ROW.middle * row + j, 8)
            near, k, _, inverse = _seen(b, max(apart, max(own * own, _CLOSE)), ahead)
            weight = each * facing * load_lanes(strip, ROW.width * row + j, 8) * load_lanes(strip, ROW.c * row + j, 8)
            steep = k * math.sqrt(inverse)
            seen += weight * (steep * b - 2.0 * near)
            store(strip, (FIRST + i) * row + j, weight * steep)
        strip[ROW.lack, i] = strip[ROW.depth, i] + total(seen)


@kernel(fastmath=FAST)
def _solve(strip, m, of):
    """Row `of` >= 0 by the matrix, with sums equal to ROW.lack where it is more than 0 and not less elsewhere."""
    row = strip.shape[1]
    for _ in range(_TURNS):
        n = 0
        for i in range(m):
            if strip[ROW.touches, i] > 0.0:
                strip[ROW.order, n] = i
                n += 1
        _eliminated(strip, m, n)
        for j in range(0, m, 8):
            store(strip, of * row + j, fill_lanes(0.0, 8))
            store(strip, ROW.growth * row + j, fill_lanes(0.0, 8))
        changed = False
        for k in range(n):
            i = int(strip[ROW.order, k])
            strip[of, i], strip[ROW.growth, i] = strip[FIRST + m + k, n], strip[FIRST + m + k, n + 1]
            if strip[of, i] < 0.0:
                strip[ROW.touches, i], changed = 0.0, True
        for i in range(m):
            if strip[ROW.touches, i] == 0.0 and strip[of, i] == 0.0 and strip[ROW.width, i] > 0.0:
                seen = fill_lanes(0.0, 8)
                for j in range(0, m, 8):
                    seen += load_lanes(strip, (FIRST + i) * row + j, 8) * load_lanes(strip, of * row + j, 8)
                if strip[ROW.lack, i] > total(seen):
                    strip[ROW.touches, i], changed = 1.0, True
        if not changed:
            break
    for i in range(m):
        strip[of, i] = max(strip[of, i], 0.0)


@kernel(fastmath=FAST)
def _eliminated(strip, m, n):
    """Solutions for ROW.lack and for ones, behind the n columns of the strips in ROW.order; Gauss without pivots."""
    row, second = strip.shape[1], FIRST + m
    for k in range(n):
        i = int(strip[ROW.order, k])
        for c in range(n):
            strip[second + k, c] = strip[FIRST + i, int(strip[ROW.order, c])]
        strip[second + k, n], strip[second + k, n + 1] = strip[ROW.lack, i], 1.0
    for k in range(n):
        inverse, at = 1.0 / strip[second + k, k], (second + k) * row
        strip[second + k, k] = inverse
        for i in range(k + 1, n):
            f, to = strip[second + i, k] * inverse, (second + i) * row
            for j in range(k + 1 - (k + 1) % 8, n + 2, 8):
                store(strip, to + j, load_lanes(strip, to + j, 8) - f * load_lanes(strip, at + j, 8))
    for k in range(n - 1, -1, -1):
        one = strip[second + k, n] * strip[second + k, k]
        other = strip[second + k, n + 1] * strip[second + k, k]
        strip[second + k, n], strip[second + k, n + 1] = one, other
        for i in range(k):
            strip[second + i, n] -= strip[second + i, k] * one
            strip[second + i, n + 1] -= strip[second + i, k] * other


@kernel(fastmath=FAST)
def _area(system, low, high):
    """Area [m^2] of a patch whose half-length squared is linear from strip to strip, and on to its end."""
    area = 0.0
    for i in range(low, high):
        b, width = system[ROW.b, i], system[ROW.width, i]
        half = math.sqrt(b)
        if not b > _LEAST:
            continue
        for side in (-1, 1):
            k, back = i + side, i - side
            beside = system[ROW.b, k] if low <= k < high else 0.0
            way = 0.5 * (width + system[ROW.width, k]) if low <= k < high else 0.5 * width
            if beside > _LEAST:
                other = math.sqrt(beside)
                area += way * (b + half * other + beside) / (1.5 * (half + other))
            else:
                if low <= back < high and system[ROW.b, back] > b:
                    way = min(way, 0.5 * b * (width + system[ROW.width, back]) / (system[ROW.b, back] - b))
                area += way * half / 0.75
    return area


@kernel(fastmath=FAST)
def _finished(system, ends, strip, row):
    """Row of NORMAL of the strips from ends[0] on before ends[1], and their rows as FASTSIM takes them.

    FASTSIM has one factor of pressure for a patch: a strip gets the half-length with which it carries its load under
    that factor, which is the one that keeps the patch's area. The largest pressure is that of their own.
    """
    low, high = ends
    outline, load, growth, x, y, z, across, up, most = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(NORMAL)):
        row[k] = 0.0
    row[NORMAL.cosine] = 1.0
    for i in range(low, high):
        width = system[ROW.width, i] * system[ROW.c, i]
        here = width * system[ROW.b, i]
        load += here
        growth += width * system[ROW.growth, i]
        x += here * system[ROW.middle, i]
        y += here * system[ROW.y, i]
        z += here * system[ROW.z, i]
        across += here * system[ROW.aside, i]
        up += here * system[ROW.up, i]
        outline += system[ROW.width, i] * math.sqrt(max(system[ROW.c, i] * system[ROW.b, i], 0.0))
        most = max(most, system[ROW.b, i] * system[ROW.c, i] * system[ROW.c, i])
    if not load > 0.0:
        return
    x, y, z, resultant = x / load, y / load, z / load, math.sqrt(across * across + up * up)
    ca, sa, n, area = up / resultant, -across / resultant, 0, _area(system, low, high)
    factor = (2.0 * outline / area) ** 2
    for i in range(low, high):
        if system[ROW.b, i] > _LEAST and n < strip.shape[1]:
            half, width = math.sqrt(system[ROW.c, i] * system[ROW.b, i] / factor), system[ROW.width, i]
            strip[STRIP.x, n], strip[STRIP.y, n], strip[STRIP.z, n] = (
                system[ROW.x, i],
                system[ROW.y, i],
                system[ROW.z, i],
            )
            strip[STRIP.s, n] = (system[ROW.y, i] - y) * ca + (system[ROW.z, i] - z) * sa
            strip[STRIP.width, n] = strip[STRIP.root, n] = width
            strip[STRIP.half, n], strip[STRIP.offset, n] = half, system[ROW.middle, i] - x
            n += 1
    for i in range(n, n + -n % 16):
        strip[STRIP.width, i] = strip[STRIP.half, i] = 0.0
    half_length = math.sqrt(most) / factor
    row[NORMAL.normal_force], row[NORMAL.factor] = 0.5 * math.pi * resultant, factor
    row[NORMAL.stiffness] = 0.5 * math.pi * growth * resultant / load
    row[NORMAL.x], row[NORMAL.y], row[NORMAL.z], row[NORMAL.cosine], row[NORMAL.sine] = x, y, z, ca, sa
    row[NORMAL.half_length], row[NORMAL.half_width] = half_length, area / (math.pi * half_length)
    row[NORMAL.area], row[NORMAL.strips] = area, n


BALANCED_STRIPS = NormalLaw(
    "balanced_strips", "strips that feel all others of a wheel, each with a pressure and a length of its own",
    None, wheel=balanced_strips,
)  # fmt: skip
