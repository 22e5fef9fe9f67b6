"""Balanced strips: every strip of a wheel feels all others, its pressure and its length from conditions of its own.

The pressure of strip j is c_j sqrt(b_j - x^2) about its own middle, b_j its half-length squared. At the distance s beside
it and `ahead` of its middle it makes the displacement

    c_j w_j/(pi E*) 2 S (K - E)(m) sqrt(1 - (ahead/S)^2 (2 - m K/(K - E))),  S = (R_1 + R_2)/2,  m = b_j/S^2,

w_j its width, times the cosine of the angle between the normals of both, R_1 and R_2 the distances from its ends. That
is exact abreast of it and right to 1 % elsewhere. Its derivative by b_j is close to c_j w_j/(pi E*) K(m)/S. The logarithm
of a strip's own kernel is that of the trapezoidal rule, s = w/(2 pi).

Two conditions hold in each strip: in its middle the displacement is the overlap, and half-way to its ends it has fallen as
the overlap has, by curvature. They are met in two steps from the lengths of `semi_hertzian`: c, by the first condition;
b, by what the second then lacks; b again, by the first. The first and the last are linear complementarity problems (no
strip pulls, and none without pressure overlaps), whose solution depends continuously on the pose. The middles of the strips
lie as in the ellipse of Hertz of the zone, askew to the rail where the wheel is yawed.

A part of a zone is the whole overlap. Its strips are narrow where the depth is curved, so that a facet's edge has some of
its own, and wide where the overlap is too shallow for an ellipse to reach.

All strips of a wheel are one system: patches lift each other, and the sum of the forces does not depend on how strips
are cut into patches. While regions merge, the first b are means of the readings by their shares, and each
reading holds its strips of the one solution.

Sources: Johnson 1985, section 4.2; own derivation of the strips.
Verified in tests/verification/test_balanced_strips_verified.py; `benchmarks/patch_accuracy.py` for worn pairs.
"""

import math

from flexwheel.contact.contact_tables import SYSTEM_ROWS
from flexwheel.contact.elliptic import k_and_difference
from flexwheel.contact.gap import FAST, LEAST_BEND, cell_of, penetration
from flexwheel.contact.normal import NormalLaw
from flexwheel.contact.patch import NORMAL, zone_shape
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import STRIP, zone_parts
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import first_four, total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

_TURNS = 8  # changes of the set of strips in contact
_CLOSE = 1e-18  # [m^2] of strips of no width, which fill up sixteens
_LEAST = 1e-14  # [m^2] half-length squared of a strip that is left out
_SAMPLES = 48  # of the depth, by which a part is cut into strips
_EVEN = 0.1  # of the mean curvature of an overlap: strips are cut no wider than for this
_SHALLOW = 0.1  # density of strips where an ellipse would not reach
_DEEPER = 1.4  # depth of the zone over that of the ellipse, from which strips are dense
_SMOOTHED = 3  # times
_AHEAD = 0.6  # of the half-length, where the displacement is asked for again
_SOFTEST = 0.05  # of the mean c
_ON = 1e-12  # complement of m on a strip
_MOST = 2.5  # correction of b
_SHORTEST = 0.05  # of the length of the overlap squared

# rows of the system; _PER is b over the overlap of a strip alone, _MIDDLE that of its pressure
_X, _Y, _Z, _DEPTH, _WIDTH, _UP, _ASIDE, _PER, _C, _MIDDLE, _B, _GROWTH, _TOUCHES, _LACK, _START = range(15)
_FIRST = SYSTEM_ROWS  # of the matrices


@kernel(fastmath=FAST)
def balanced_strips(law, pair, pose, sampled, peaks, regions, count, parts, system, strips, normal):
    """All patches of a wheel; as NormalLaw.wheel. None in a scratch that was made for another law."""
    if system.shape[1] == 0:
        return 0
    n, m, p = law.nodes.place.size, 0, 0
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
        for k in range(found):
            _cut(pair, pose, parts[k, 0], parts[k, 1], own[REGION.depth], shape[0], law.nodes, system)
            _fill_part(pair, pose, parts[k, 0], parts[k, 1], law.nodes, system, m)
            m += n
        normal[p, 7] = m
    for r in range(count):
        _first_lengths(regions, count, r, normal, system)
    for j in range(0, m, 16):
        per, depth = load_lanes(system, _PER * row + j, 16), load_lanes(system, _DEPTH * row + j, 16)
        aside = load_lanes(system, _MIDDLE * row + j, 16) - load_lanes(system, _X * row + j, 16)
        b = load_lanes(system, _B * row + j, 16)
        store(system, _TOUCHES * row + j, where(b * load_lanes(system, _WIDTH * row + j, 16) > 0.0, 1.0, 0.0))
        store(system, _B * row + j, max(b, per * max(_SHORTEST * depth, 0.0) + _LEAST))
        store(system, _DEPTH * row + j, depth - aside * aside / per)
    each = 1.0 / (math.pi * law.contact_modulus)
    _pressures(system, m, each)
    _lengths(system, m, each)
    _matrix(system, m, each)
    _solve(system, m, _B)
    for r in range(count):  # columns of each reading, before rows of `normal` are written over
        low, high = m, 0
        for p in range(count):
            inside = regions[p, REGION.first] >= regions[r, REGION.first]
            at, end = int(normal[p, 6]), int(normal[p, 7])
            if inside and regions[p, REGION.last] <= regions[r, REGION.last] and end > at:
                low, high = min(low, at), max(high, end)
        system[_TOUCHES, r], system[_LACK, r] = low, high
    kept = 0
    for r in range(count):
        columns_of = int(system[_TOUCHES, r]), int(system[_LACK, r])
        _finished(system, columns_of, strips[kept], normal[kept])
        if normal[kept, NORMAL.normal_force] > 0.0:  # others are lifted off
            for k in range(regions.shape[1]):
                regions[kept, k] = regions[r, k]
            kept += 1
    return kept


@kernel(fastmath=FAST)
def _cut(pair, pose, left, right, peak, eps, nodes, scratch):
    """Middles and widths of strips across a part, over its width, into the first two rows of the matrices.

    Their density is the root of the depth's curvature, smoothed, and less where the depth is no part of an ellipse's.
    """
    row, step = scratch.shape[1], (right - left) / _SAMPLES
    place, wide, depth, dense = _FIRST, _FIRST + 1, _FIRST + 2, _FIRST + 3
    for i in range(_SAMPLES):
        scratch[place, i] = left + (i + 0.5) * step
    for i in range(0, _SAMPLES, 16):
        _, here, _ = _midway(pair, pose, load_lanes(scratch, place * row + i, 16))
        store(scratch, depth * row + i, here)
    even, level = 8.0 * _EVEN * peak / (_SAMPLES * _SAMPLES), (1.0 - min(_DEEPER * eps, 1.0)) * peak
    for i in range(_SAMPLES):
        k = min(max(i, 1), _SAMPLES - 2)
        here = scratch[depth, i]
        bent = abs(scratch[depth, k + 1] - 2.0 * scratch[depth, k] + scratch[depth, k - 1])
        deep = min(max(4.0 * (here - level) / (peak - level), 0.0), 1.0)
        scratch[dense, i] = math.sqrt(even + bent) * (_SHALLOW + (1.0 - _SHALLOW) * deep)
    for _ in range(_SMOOTHED):
        before = scratch[dense, 0]
        for i in range(_SAMPLES):
            here, after = scratch[dense, i], scratch[dense, min(i + 1, _SAMPLES - 1)]
            scratch[dense, i] = 0.25 * (before + after) + 0.5 * here
            before = here
    whole = 0.0
    for i in range(_SAMPLES):
        whole += scratch[dense, i]
    wanted = int(math.pi / nodes.angle + 0.5)
    each, passed, i, edge = 0.5 * whole / wanted, 0.0, 0, 0.0
    for k in range(1, 2 * wanted + 1):  # edges and middles in turn
        while i < _SAMPLES - 1 and passed + scratch[dense, i] < k * each:
            passed += scratch[dense, i]
            i += 1
        at = min((i + (k * each - passed) / scratch[dense, i]) / _SAMPLES, 1.0)
        if k % 2 == 1:
            scratch[place, k // 2] = at
        else:
            scratch[wide, k // 2 - 1], edge = at - edge, at
    for k in range(wanted, nodes.place.size):
        scratch[place, k], scratch[wide, k] = 1.0, 0.0


@kernel(fastmath=FAST, forceinline=True)
def _midway(pair, pose, eta):
    """Points of the locus, and their depth [m] along the normals midway between wheel and rail and the slopes to these.

    Along the rail's normal, as `penetration` has it, the depth leaps where a facet ends.
    """
    point = penetration(pair, pose, eta)
    above, rail = _rail(pair, point.y)
    wheel = 2.0 * point.direction - rail
    slope = point.direction
    up = (above - point.z) / (1.0 + rail * slope)
    foot = point.y - slope * up
    above, rail = _rail(pair, foot)
    slope = 0.5 * (wheel + rail)
    up = (above - point.z + rail * (point.y - foot)) / (1.0 + rail * slope)
    return point, up * math.sqrt(1.0 + slope * slope), slope


@kernel(fastmath=FAST, forceinline=True)
def _rail(pair, y):
    """Height [m] and slope of the rail."""
    i, t = cell_of(pair.rail, pair.rail_start, pair.inverse_step, y)
    height, slope, c2, c3 = first_four(pair.rail, i)
    c1 = slope / pair.inverse_step
    return height + t * (c1 + t * (c2 + t * c3)), (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * pair.inverse_step


@kernel(fastmath=FAST)
def _fill_part(pair, pose, left, right, nodes, strip, at):
    """Strips between two places, cut as `_cut` has it, into columns of the system from `at` on."""
    row, reach, per_eta = strip.shape[1], right - left, 1.0 / pose.cos_yaw
    n = nodes.place.size
    for i in range(0, n, 16):
        j = at + i
        point, depth, slope = _midway(pair, pose, left + reach * load_lanes(strip, _FIRST * row + i, 16))
        bend = max(point.bend, LEAST_BEND)
        arc = math.sqrt(1.0 + slope * slope)
        upright = bend * (pose.cos_roll + slope * pose.sin_roll)
        for k in (_B, _C, _MIDDLE):
            store(strip, k * row + j, fill_lanes(0.0, 16))
        store(strip, _X * row + j, point.x)
        store(strip, _Y * row + j, point.y)
        store(strip, _Z * row + j, point.z)
        store(strip, _DEPTH * row + j, depth)
        store(strip, _UP * row + j, 1.0 / arc)
        store(strip, _ASIDE * row + j, -slope / arc)
        store(strip, _PER * row + j, 2.0 * (pose.radius + pose.z - point.z) * arc / upright)
        store(strip, _WIDTH * row + j, (reach * per_eta) * load_lanes(strip, (_FIRST + 1) * row + i, 16) * arc * bend)


@kernel(fastmath=FAST)
def _first_lengths(regions, count, r, normal, system):
    """Add a reading's share of the half-lengths squared and of the middles of an ellipse like its zone."""
    row, shape, h, share = system.shape[1], normal[r], regions[r, REGION.depth], regions[r, REGION.share]
    start, long, lean = (1.0 - shape[0]) * h, shape[1] * shape[1], shape[2]
    first, last = regions[r, REGION.first], regions[r, REGION.last]
    load, ahead = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    for p in range(count):
        if regions[p, REGION.first] >= first and regions[p, REGION.last] <= last:
            for j in range(int(normal[p, 6]), int(normal[p, 7]), 16):
                square = long * load_lanes(system, _PER * row + j, 16)
                square *= max(load_lanes(system, _DEPTH * row + j, 16) - start, 0.0)
                store(system, _B * row + j, load_lanes(system, _B * row + j, 16) + share * square)
                square *= load_lanes(system, _WIDTH * row + j, 16)
                load += square
                ahead += square * load_lanes(system, _X * row + j, 16)
    mean = total(ahead) / (total(load) + 1e-300)
    for p in range(count):
        if regions[p, REGION.first] >= first and regions[p, REGION.last] <= last:
            for j in range(int(normal[p, 6]), int(normal[p, 7]), 16):
                x = load_lanes(system, _X * row + j, 16)
                middle = load_lanes(system, _MIDDLE * row + j, 16) + share * (lean * (x - mean) + mean)
                store(system, _MIDDLE * row + j, middle)


@kernel(fastmath=FAST, forceinline=True)
def _seen(b, apart, ahead):
    """S (K - E) sqrt(...) of the module's text [m], K and S^2 [m^2]; apart: distance beside the strip, squared."""
    along = ahead * ahead
    round_it = along + apart + b
    ends = math.sqrt(max(round_it * round_it - 4.0 * b * along, 0.0))  # R_1 R_2
    square = 0.5 * (round_it + ends)
    k, difference = k_and_difference(max(0.5 * (along + apart - b + ends) / square, _ON))
    difference = max(difference, _ON)
    return difference * math.sqrt(max(square - along * max(2.0 - b * k / (square * difference), 0.0), 0.0)), k, square


@kernel(fastmath=FAST)
def _pressures(strip, m, each):
    """c of the strips by the overlaps in their middles."""
    row = strip.shape[1]
    for i in range(m):
        own, middle = strip[_WIDTH, i] / (2.0 * math.pi), strip[_MIDDLE, i]
        for j in range(0, m, 16):
            facing, apart = _between(strip, i, j)
            there = load_lanes(strip, _MIDDLE * row + j, 16)
            near, _, _ = _seen(load_lanes(strip, _B * row + j, 16), max(apart, max(own * own, _CLOSE)), middle - there)
            weight = facing * load_lanes(strip, _WIDTH * row + j, 16)
            store(strip, (_FIRST + i) * row + j, 2.0 * each * weight * near)
        strip[_LACK, i] = strip[_DEPTH, i]
    _solve(strip, m, _C)


@kernel(fastmath=FAST, forceinline=True)
def _between(strip, i, j):
    """Cosine of the angle between the normals of strip i and of sixteen from j on, and their distance squared."""
    row = strip.shape[1]
    up, aside = load_lanes(strip, _UP * row + j, 16), load_lanes(strip, _ASIDE * row + j, 16)
    dy = load_lanes(strip, _Y * row + j, 16) - strip[_Y, i]
    dz = load_lanes(strip, _Z * row + j, 16) - strip[_Z, i]
    return strip[_UP, i] * up + strip[_ASIDE, i] * aside, dy * dy + dz * dz


@kernel(fastmath=FAST)
def _lengths(strip, m, each):
    """b of the strips by the curvature of the displacement, c alike so that a strip's load stays."""
    row, load, size = strip.shape[1], 0.0, 0.0
    for i in range(m):
        b, longer = strip[_B, i], 1.0
        if strip[_C, i] > 0.0:
            own, middle, step = strip[_WIDTH, i] / (2.0 * math.pi), strip[_MIDDLE, i], _AHEAD * math.sqrt(b)
            seen = fill_lanes(0.0, 16)
            for j in range(0, m, 16):
                facing, apart = _between(strip, i, j)
                square, apart = load_lanes(strip, _B * row + j, 16), max(apart, max(own * own, _CLOSE))
                ahead = middle - load_lanes(strip, _MIDDLE * row + j, 16)
                one, _, _ = _seen(square, apart, ahead + step)
                other, _, _ = _seen(square, apart, ahead - step)
                weight = load_lanes(strip, _WIDTH * row + j, 16) * load_lanes(strip, _C * row + j, 16)
                seen += facing * weight * (one + other)
            fall = 2.0 * (strip[_DEPTH, i] - each * total(seen)) * strip[_PER, i] / (2.0 * step * step)
            fall = min(max(fall, 1.0 / _MOST), _MOST)
            longer = math.sqrt(fall * math.sqrt(fall))
            load += strip[_C, i] * b * strip[_WIDTH, i]
            size += b * strip[_WIDTH, i]
        strip[_START, i] = longer
    mean = load / (size + 1e-300)
    for i in range(m):
        if strip[_C, i] > 0.0:
            strip[_B, i] *= strip[_START, i]
            strip[_C, i] = max(strip[_C, i] / strip[_START, i], _SOFTEST * mean)
        else:
            strip[_B, i], strip[_C, i] = _LEAST, mean


@kernel(fastmath=FAST)
def _matrix(strip, m, each):
    """Derivatives of the displacements by b, behind the rows of the strips, and the overlaps they are to make."""
    row = strip.shape[1]
    for i in range(m):
        own, middle = strip[_WIDTH, i] / (2.0 * math.pi), strip[_MIDDLE, i]
        seen = fill_lanes(0.0, 16)
        for j in range(0, m, 16):
            facing, apart = _between(strip, i, j)
            b, ahead = load_lanes(strip, _B * row + j, 16), middle - load_lanes(strip, _MIDDLE * row + j, 16)
            near, k, square = _seen(b, max(apart, max(own * own, _CLOSE)), ahead)
            weight = each * facing * load_lanes(strip, _WIDTH * row + j, 16) * load_lanes(strip, _C * row + j, 16)
            steep = k / math.sqrt(square)
            seen += weight * (steep * b - 2.0 * near)
            store(strip, (_FIRST + i) * row + j, weight * steep)
        strip[_LACK, i] = strip[_DEPTH, i] + total(seen)


@kernel(fastmath=FAST)
def _solve(strip, m, of):
    """Row `of` >= 0 by the matrix, with sums equal to _LACK where it is more than 0 and not less elsewhere."""
    first, second, row = _FIRST, _FIRST + strip.shape[1], strip.shape[1]
    for _ in range(_TURNS):
        for i in range(m):
            if strip[_TOUCHES, i] > 0.0:
                for j in range(0, m, 16):
                    touches = load_lanes(strip, _TOUCHES * row + j, 16)
                    store(strip, (second + i) * row + j, touches * load_lanes(strip, (first + i) * row + j, 16))
                strip[of, i], strip[_GROWTH, i] = strip[_LACK, i], 1.0
            else:
                for j in range(0, m, 16):
                    store(strip, (second + i) * row + j, fill_lanes(0.0, 16))
                strip[second + i, i], strip[of, i], strip[_GROWTH, i] = 1.0, 0.0, 0.0
        for k in range(m):
            if strip[_TOUCHES, k] == 0.0:
                continue
            inverse = 1.0 / strip[second + k, k]
            for i in range(k + 1, m):
                f = strip[second + i, k] * inverse
                if f != 0.0:
                    for j in range(k - k % 16, m, 16):
                        at, to = (second + k) * row + j, (second + i) * row + j
                        store(strip, to, load_lanes(strip, to, 16) - f * load_lanes(strip, at, 16))
                    strip[of, i] -= f * strip[of, k]
                    strip[_GROWTH, i] -= f * strip[_GROWTH, k]
        for k in range(m - 1, -1, -1):
            step, growth = strip[of, k], strip[_GROWTH, k]
            if strip[_TOUCHES, k] > 0.0:
                for j in range(k + 1, m):
                    step -= strip[second + k, j] * strip[of, j]
                    growth -= strip[second + k, j] * strip[_GROWTH, j]
            strip[of, k], strip[_GROWTH, k] = step / strip[second + k, k], growth / strip[second + k, k]
        changed = False
        for i in range(m):
            if strip[_TOUCHES, i] > 0.0:
                if strip[of, i] < 0.0:
                    strip[_TOUCHES, i], changed = 0.0, True
            elif strip[_WIDTH, i] > 0.0:
                lack = strip[_LACK, i]
                for j in range(m):
                    lack -= strip[first + i, j] * strip[of, j]
                if lack > 0.0:
                    strip[_TOUCHES, i], changed = 1.0, True
        if not changed:
            break
    for i in range(m):
        strip[of, i] = max(strip[of, i], 0.0)


@kernel(fastmath=FAST)
def _finished(system, ends, strip, row):
    """Row of NORMAL of the strips from ends[0] on before ends[1], and their rows as FASTSIM takes them."""
    low, high = ends
    load, growth, x, y, z, across, up, longest, most = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(NORMAL)):
        row[k] = 0.0
    row[NORMAL.cosine] = 1.0
    for i in range(low, high):
        width = system[_WIDTH, i] * system[_C, i]
        here = width * system[_B, i]
        load += here
        growth += width * system[_GROWTH, i]
        x += here * system[_MIDDLE, i]
        y += here * system[_Y, i]
        z += here * system[_Z, i]
        across += here * system[_ASIDE, i]
        up += here * system[_UP, i]
        longest = max(longest, system[_B, i])
        most = max(most, system[_B, i] * system[_C, i] * system[_C, i])
    if not load > 0.0:
        return
    x, y, z, resultant = x / load, y / load, z / load, math.sqrt(across * across + up * up)
    ca, sa, n, area = up / resultant, -across / resultant, 0, 0.0
    for i in range(low, high):
        if system[_B, i] > _LEAST and n < strip.shape[1]:
            half, width = math.sqrt(system[_B, i]), system[_WIDTH, i]
            strip[STRIP.x, n], strip[STRIP.y, n], strip[STRIP.z, n] = system[_X, i], system[_Y, i], system[_Z, i]
            strip[STRIP.s, n] = (system[_Y, i] - y) * ca + (system[_Z, i] - z) * sa
            strip[STRIP.width, n] = strip[STRIP.root, n] = width
            strip[STRIP.half, n], strip[STRIP.offset, n] = half, system[_MIDDLE, i] - x
            area += 2.0 * half * width
            n += 1
    for i in range(n, n + -n % 16):
        strip[STRIP.width, i] = strip[STRIP.half, i] = 0.0
    half_length = math.sqrt(longest)
    row[NORMAL.normal_force], row[NORMAL.factor] = 0.5 * math.pi * resultant, math.sqrt(most) / half_length
    row[NORMAL.stiffness] = 0.5 * math.pi * growth * resultant / load
    row[NORMAL.x], row[NORMAL.y], row[NORMAL.z], row[NORMAL.cosine], row[NORMAL.sine] = x, y, z, ca, sa
    row[NORMAL.half_length], row[NORMAL.half_width] = half_length, area / (math.pi * half_length)
    row[NORMAL.area], row[NORMAL.strips] = area, n


BALANCED_STRIPS = NormalLaw(
    "balanced_strips", "strips that feel the pressure of all others of a wheel, each of a length and pressure of its own",
    None, wheel=balanced_strips,
)  # fmt: skip
