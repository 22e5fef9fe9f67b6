"""Balanced strips: every strip of a wheel feels all others; one Newton step from the semi-Hertzian patches.

The pressure of strip j is c_j sqrt(b_j - x^2), b_j its half-length squared. In the middle of strip i, at the distance s
from it, it makes the displacement

    c_j w_j/(pi E*) 2 S (K - E)(m),  S^2 = b_j + s^2,  m = b_j/S^2,  whose derivative by b_j is  c_j w_j/(pi E*) K(m)/S,

w_j its width, times the cosine of the angle between the normals of both. The displacement shall be the overlap where
b_i > 0, and not less elsewhere. One step on these conditions is taken from the b of `semi_hertzian`, as a linear
complementarity problem, whose solution depends continuously on the pose; c stays that of the ellipse of Hertz of the
zone. The logarithm of a strip's own kernel is that of the trapezoidal rule, s = w/(2 pi). In a zone askew to the rail
the strips are set upright as in `semi_hertzian`, and the overlap is changed so that an ellipse stays one.

All strips of a wheel are one system: patches lift each other, and the sum of the forces does not depend on how strips
are cut into patches. While regions merge, c and the first b are means of the readings by their shares, and each
reading holds its strips of the one solution. Where the grid of strips changes (two humps of a zone become one) the
force jumps by up to 2 % of the load with 16 strips.

Sources: Johnson 1985, section 4.2; own derivation of the strips.
Verified in tests/verification/test_balanced_strips_verified.py; `benchmarks/patch_accuracy.py` for worn pairs.
"""

import math

from flexwheel.contact.contact_tables import SYSTEM_ROWS
from flexwheel.contact.elliptic import k_and_difference
from flexwheel.contact.gap import FAST, LEAST_BEND, penetration
from flexwheel.contact.normal import NormalLaw
from flexwheel.contact.patch import NORMAL, zone_shape
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import STRIP, zone_parts
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

WIDER = 1.4  # depth of a zone of strips over that of the ellipse
_TURNS = 8  # changes of the set of strips in contact
_CLOSE = 1e-18  # [m^2] of strips of no width, which fill up sixteens
_LEAST = 1e-14  # [m^2] half-length squared of a strip that is left out

# rows of the system; c over `stiffer` is soft, row _PER is b over the overlap of a strip alone
_X, _Y, _Z, _DEPTH, _WIDTH, _SLOPE, _PER, _C, _SOFT, _B, _GROWTH, _TOUCHES, _LACK, _STEP = range(14)
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
        level = (1.0 - min(WIDER * normal[p, 0], 1.0)) * own[REGION.depth]
        found = zone_parts(pair, pose, sampled, peaks, own, level, parts)
        for k in range(found):
            _fill_part(pair, pose, parts[k, 0], parts[k, 1], law.nodes, system, m)
            m += n
        normal[p, 7] = m
    for r in range(count):
        reading, share = regions[r], regions[r, REGION.share]
        h = reading[REGION.depth]
        shape = normal[r]
        eps, stretch, stiffer, A, B = shape[0], shape[1], shape[3], shape[4], shape[5]
        a, b = stretch * math.sqrt(eps * h / A), math.sqrt(eps * h / B)
        factor = share * law.contact_modulus * h * stiffer / (math.pi * a * a * b) * 2.0 * _mean(a, b)
        steep = _across((b / a) * (b / a)) / eps if stiffer != 1.0 else 1.0
        start = (1.0 - eps) * h
        for p in range(count):
            inside = regions[p, REGION.first] >= reading[REGION.first]
            if not (inside and regions[p, REGION.last] <= reading[REGION.last]):
                continue
            for j in range(int(normal[p, 6]), int(normal[p, 7]), 16):
                depth = load_lanes(system, _DEPTH * row + j, 16)
                square = stretch * stretch * load_lanes(system, _PER * row + j, 16) * max(depth - start, 0.0)
                store(system, _B * row + j, load_lanes(system, _B * row + j, 16) + share * square)
                store(system, _C * row + j, load_lanes(system, _C * row + j, 16) + factor)
                store(system, _SOFT * row + j, load_lanes(system, _SOFT * row + j, 16) + factor / stiffer)
                more = share * (h - steep * (h - depth))
                store(system, _STEP * row + j, load_lanes(system, _STEP * row + j, 16) + more)
    for j in range(0, m, 16):
        store(system, _DEPTH * row + j, load_lanes(system, _STEP * row + j, 16))
    _matrix(system, m, 1.0 / (math.pi * law.contact_modulus))
    _solve(system, m)
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
        _finished(system, columns_of, normal[r, 2], strips[kept], normal[kept])
        if normal[kept, NORMAL.normal_force] > 0.0:  # others are lifted off
            for k in range(regions.shape[1]):
                regions[kept, k] = regions[r, k]
            kept += 1
    return kept


@kernel(fastmath=FAST)
def _fill_part(pair, pose, left, right, nodes, strip, at):
    """Strips between two places, into columns of the system from `at` on."""
    row, reach, per_eta = strip.shape[1], right - left, 1.0 / pose.cos_yaw
    for i in range(0, nodes.place.size, 16):
        j = at + i
        point = penetration(pair, pose, left + reach * load_lanes(nodes.place, i, 16))
        bend = max(point.bend, LEAST_BEND)
        arc = math.sqrt(1.0 + point.slope * point.slope)
        upright = bend * (pose.cos_roll + point.slope * pose.sin_roll)
        for k in (_B, _C, _SOFT, _STEP):
            store(strip, k * row + j, fill_lanes(0.0, 16))
        store(strip, _X * row + j, point.x)
        store(strip, _Y * row + j, point.y)
        store(strip, _Z * row + j, point.z)
        store(strip, _DEPTH * row + j, point.depth)
        store(strip, _SLOPE * row + j, point.slope)
        store(strip, _PER * row + j, 2.0 * (pose.radius + pose.z - point.z) * arc / upright)
        store(strip, _WIDTH * row + j, (reach * per_eta) * load_lanes(nodes.root, i, 16) * arc * bend)


@kernel(fastmath=FAST)
def _matrix(strip, m, each):
    """Derivatives of the displacements by b, behind the rows of the strips, and what displacements lack."""
    row = strip.shape[1]
    for i in range(m):
        y, z, slope, own = strip[_Y, i], strip[_Z, i], strip[_SLOPE, i], strip[_WIDTH, i] / (2.0 * math.pi)
        seen, arc = fill_lanes(0.0, 16), 1.0 / math.sqrt(1.0 + slope * slope)
        for j in range(0, m, 16):
            b, there = load_lanes(strip, _B * row + j, 16), load_lanes(strip, _SLOPE * row + j, 16)
            dy, dz = load_lanes(strip, _Y * row + j, 16) - y, load_lanes(strip, _Z * row + j, 16) - z
            apart = max(dy * dy + dz * dz, max(own * own, _CLOSE))
            square = b + apart
            inverse = 1.0 / square
            k, difference = k_and_difference(apart * inverse)
            facing = (arc + (arc * slope) * there) / math.sqrt((1.0 + there * there) * square)
            weight = each * facing * load_lanes(strip, _WIDTH * row + j, 16) * load_lanes(strip, _SOFT * row + j, 16)
            seen += 2.0 * weight * square * difference
            store(strip, (_FIRST + i) * row + j, weight * k)
        strip[_LACK, i] = strip[_DEPTH, i] - total(seen)


@kernel(fastmath=FAST)
def _solve(strip, m):
    """b of the strips by one step, and its growth with the approach."""
    first, second, row, b = _FIRST, _FIRST + strip.shape[1], strip.shape[1], strip[_B]
    for i in range(m):
        wide = strip[_WIDTH, i] > 0.0
        strip[_TOUCHES, i] = 1.0 if wide and (b[i] > 0.0 or strip[_LACK, i] > 0.0) else 0.0
    for _ in range(_TURNS):
        for i in range(m):
            if strip[_TOUCHES, i] > 0.0:
                for j in range(0, m, 16):
                    store(strip, (second + i) * row + j, load_lanes(strip, (first + i) * row + j, 16))
                strip[_STEP, i], strip[_GROWTH, i] = strip[_LACK, i], 1.0
            else:
                for j in range(0, m, 16):
                    store(strip, (second + i) * row + j, fill_lanes(0.0, 16))
                strip[second + i, i] = 1.0
                strip[_STEP, i], strip[_GROWTH, i] = -b[i], 0.0
        for k in range(m):
            inverse = 1.0 / strip[second + k, k]
            for i in range(k + 1, m):
                f = strip[second + i, k] * inverse
                if f != 0.0:
                    for j in range(k - k % 16, m, 16):
                        at, to = (second + k) * row + j, (second + i) * row + j
                        store(strip, to, load_lanes(strip, to, 16) - f * load_lanes(strip, at, 16))
                    strip[_STEP, i] -= f * strip[_STEP, k]
                    strip[_GROWTH, i] -= f * strip[_GROWTH, k]
        for k in range(m - 1, -1, -1):
            step, growth = strip[_STEP, k], strip[_GROWTH, k]
            for j in range(k + 1, m):
                step -= strip[second + k, j] * strip[_STEP, j]
                growth -= strip[second + k, j] * strip[_GROWTH, j]
            strip[_STEP, k], strip[_GROWTH, k] = step / strip[second + k, k], growth / strip[second + k, k]
        changed = False
        for i in range(m):
            if strip[_TOUCHES, i] > 0.0:
                if b[i] + strip[_STEP, i] < 0.0:
                    strip[_TOUCHES, i], changed = 0.0, True
            elif strip[_WIDTH, i] > 0.0:
                lack = strip[_LACK, i]
                for j in range(m):
                    lack -= strip[first + i, j] * strip[_STEP, j]
                if lack > 0.0:
                    strip[_TOUCHES, i], changed = 1.0, True
        if not changed:
            break
    for i in range(m):
        b[i] = max(b[i] + strip[_STEP, i], 0.0)


@kernel(fastmath=FAST)
def _finished(system, ends, lean, strip, row):
    """Row of NORMAL of the strips from ends[0] on before ends[1], and their rows as FASTSIM takes them."""
    low, high = ends
    load, growth, x, y, z, across, up, longest, most = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(NORMAL)):
        row[k] = 0.0
    row[NORMAL.cosine] = 1.0
    for i in range(low, high):
        width = system[_WIDTH, i] * system[_C, i]
        here, arc = width * system[_B, i], 1.0 / math.sqrt(1.0 + system[_SLOPE, i] * system[_SLOPE, i])
        load += here
        growth += width * system[_GROWTH, i]
        x += here * system[_X, i]
        y += here * system[_Y, i]
        z += here * system[_Z, i]
        across -= here * arc * system[_SLOPE, i]
        up += here * arc
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
            strip[STRIP.half, n], strip[STRIP.offset, n] = half, lean * (system[_X, i] - x)
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


@kernel(fastmath=FAST)
def _across(square):
    """Depth B b^2 of an upright ellipse's zone over its approach, from (b/a)^2, b across."""
    if square > 1.0:
        return 1.0 - _across_long(1.0 / square)
    return _across_long(square)


@kernel(fastmath=FAST)
def _across_long(square):
    """The same for b <= a: (E - (b/a)^2 K)/(m K) = 1 - (K - E)/(m K)."""
    c = min(square, 0.9999)
    k, difference = k_and_difference(c)
    return 1.0 - difference / ((1.0 - c) * k)


@kernel(fastmath=FAST)
def _mean(a, b):
    """Arithmetic-geometric mean; pi/2 over it is the complete elliptic integral."""
    for _ in range(5):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return a


BALANCED_STRIPS = NormalLaw(
    "balanced_strips", "strips that feel the pressure of all others of a wheel, by one step from semi-Hertzian patches",
    None, wheel=balanced_strips,
)  # fmt: skip
