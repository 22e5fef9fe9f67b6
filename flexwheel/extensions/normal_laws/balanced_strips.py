"""Balanced strips: each strip of a wheel feels all others and has a pressure and a length by conditions of its own.

The pressure of strip j is c_j sqrt(b_j - x^2) about its own middle; `strip_influence` has the displacement it makes.
Two conditions hold in each strip: in its middle the displacement is the overlap, and on the way to its ends it has
fallen as the overlap has, by curvature. They are met in steps from the lengths of `semi_hertzian`, at which all
displacements are found: c, by the first; b, by what the second then lacks; b again, by the first. Where the wheel is
yawed the displacements are found again with the second b, and the steps taken from there. The first and the last are
linear complementarity problems (no strip pulls, and none without pressure overlaps), whose solution depends
continuously on the pose. The middles of the strips lie as in the ellipse of Hertz of the zone, askew to the rail where
the wheel is yawed. Depth and pressure are along the normals midway between wheel and rail.

By reciprocity the force of a patch over its stiffness is the mean overlap under the pressure of a flat punch on the
same area, which is how b grows with the approach; of a patch beside others the growth itself is taken.

Strips are narrow where the depth is curved, so that the edge of a facet has some of its own, and wider where the
overlap is too shallow for an ellipse to reach; where it begins and ends counts for nothing.

All strips of a wheel are one system: patches lift each other, and the sum of the forces does not depend on how strips
are cut into patches. While regions merge, the density of strips and the first b are means of the readings by their
shares, and each reading holds its strips, and parts of strips, of the one solution.

Sources: Johnson 1985, section 4.2; own derivation of the strips.
Verified in tests/verification/test_balanced_strips_verified.py; `benchmarks/patch_accuracy.py` for worn pairs.
"""

import math

from flexwheel.contact.gap import FAST
from flexwheel.contact.normal import NormalLaw
from flexwheel.contact.patch import NORMAL
from flexwheel.contact.regions import REGION
from flexwheel.extensions.normal_laws.merging_parts import cut_together
from flexwheel.extensions.normal_laws.patch_of_strips import LEAST, patch_of_strips
from flexwheel.extensions.normal_laws.strip_influence import fill_influence
from flexwheel.extensions.normal_laws.strip_lengths import UNSURE, find_lengths, take_lengths
from flexwheel.extensions.normal_laws.strip_places import FIRST, MOTIONS, MOVED, PART, RATES, ROW, WRENCH, held_part
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import any_lane, both, either, total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

_TURNS = 8  # changes of the set of strips in contact
_SHORTEST = 0.2  # of the length of the overlap squared


@kernel(fastmath=FAST)
def balanced_strips(law, pair, pose, sampled, peaks, regions, count, parts, system, strips, normal, changes):
    """All patches of a wheel; as NormalLaw.wheel. None in a scratch that was made for another law."""
    if system.shape[1] == 0:
        return 0
    row = system.shape[1]
    for j in range(row if system[ROW.place, row - 1] == 0.0 else 0):
        system[ROW.place, j] = j
    m, low, (press, stiffness) = 0, 0, changes
    while low < count:  # readings that hold parts together; they follow each other
        high, last = low, regions[low, REGION.last]
        while high + 1 < count and regions[high + 1, REGION.first] <= last:
            high += 1
            last = max(last, regions[high, REGION.last])
        m += cut_together(law, pair, pose, (sampled, peaks, parts), (regions, low, high), normal, system, m)
        low = high + 1
    for r in range(count):
        _first_lengths(regions[r, REGION.share], normal[r], system)
    for j in range(0, m, 8):
        per, depth = load_lanes(system, ROW.per * row + j, 8), load_lanes(system, ROW.depth * row + j, 8)
        aside = load_lanes(system, ROW.middle * row + j, 8) - load_lanes(system, ROW.x * row + j, 8)
        b = load_lanes(system, ROW.b * row + j, 8)
        least = per * max(_SHORTEST * depth, 0.0) + LEAST
        wide = load_lanes(system, ROW.width * row + j, 8) > 0.0
        store(system, ROW.touches * row + j, where(both(b > least, wide), 1.0, where(wide, UNSURE, 0.0)))
        store(system, ROW.b * row + j, max(b, least))
        store(system, ROW.depth * row + j, depth - aside * aside / per)
    each = 1.0 / (math.pi * law.contact_modulus)
    found = regions, count, normal
    fill_influence(system, m, each)
    _solve(system, m, FIRST, ROW.depth, ROW.c, 0)
    if pose.yawed > 0.0:
        find_lengths(found, system, m, each, pose.yawed)
        take_lengths(system, m, pose.yawed)
        fill_influence(system, m, each)
        _solve(system, m, FIRST, ROW.depth, ROW.c, 0)
    find_lengths(found, system, m, each, pose.yawed)
    _matrix(system, m)
    _moved(system, m, pose)
    _solve(system, m, FIRST + 2 * m, ROW.need, ROW.b, MOTIONS)
    _stiffness(system, m, stiffness)
    for r in range(count):  # columns of each reading, before rows of `normal` are written over
        system[ROW.touches, r], system[ROW.lack, r] = normal[r, PART.start], normal[r, PART.end]
    kept = 0
    for r in range(count):
        columns_of = system[ROW.touches, r], system[ROW.lack, r]
        patch_of_strips(system, columns_of, strips[kept], normal[kept], press[kept])
        if normal[kept, NORMAL.normal_force] > 0.0:  # others are lifted off
            for k in range(regions.shape[1]):
                regions[kept, k] = regions[r, k]
            kept += 1
    return kept


@kernel(fastmath=FAST)
def _first_lengths(share, reading, system):
    """Add a reading's share of the half-lengths squared and of the middles of an ellipse like its zone."""
    row = system.shape[1]
    start, long = (1.0 - reading[PART.eps]) * reading[PART.height], reading[PART.stretch] * reading[PART.stretch]
    load, ahead = fill_lanes(0.0, 8), fill_lanes(0.0, 8)
    first, last = reading[PART.start], reading[PART.end]
    low, high = int(first) // 8 * 8, int(math.ceil(last))
    for j in range(low, high, 8):
        held = held_part(load_lanes(system, ROW.place * row + j, 8), first, last)
        square = held * load_lanes(system, ROW.per * row + j, 8)
        square *= long * max(load_lanes(system, ROW.depth * row + j, 8) - start, 0.0)
        store(system, ROW.b * row + j, load_lanes(system, ROW.b * row + j, 8) + share * square)
        square *= load_lanes(system, ROW.width * row + j, 8)
        load += square
        ahead += square * load_lanes(system, ROW.x * row + j, 8)
    mean = total(ahead) / (total(load) + 1e-300)
    for j in range(low, high, 8):
        held = share * held_part(load_lanes(system, ROW.place * row + j, 8), first, last)
        x = load_lanes(system, ROW.x * row + j, 8)
        middle = load_lanes(system, ROW.middle * row + j, 8) + held * (reading[PART.lean] * (x - mean) + mean)
        store(system, ROW.middle * row + j, middle)


@kernel(fastmath=FAST)
def _matrix(strip, m):
    """Derivatives of the displacements by b, at ROW.lack, and right side ROW.need for b itself."""
    row = strip.shape[1]
    for i in range(0, m, 8):
        seen = fill_lanes(0.0, 8)
        for j in range(m):
            before, now, c = strip[ROW.b, j], strip[ROW.lack, j], strip[ROW.c, j]
            ratio = now / before
            root = math.sqrt(ratio)
            theta = load_lanes(strip, (FIRST + m + j) * row + i, 8)
            near = c * load_lanes(strip, (FIRST + j) * row + i, 8)
            half = root - theta * root
            each = 1.0 / (theta + half)
            steep = near * each
            near = steep * ratio
            steep *= (theta + 0.5 * half) * each * (1.0 / before)
            seen += steep * now - near
            store(strip, (FIRST + 2 * m + j) * row + i, steep)
        store(strip, ROW.need * row + i, load_lanes(strip, ROW.depth * row + i, 8) + seen)


@kernel(fastmath=FAST)
def _solve(strip, m, matrix, right, of, rates):
    """Row `of` >= 0, with sums equal to row `right` where it is more than 0 and not less elsewhere.

    And its rates with those of `right` in the first `rates` rows of MOVED, into rows of RATES.

    Elimination after Gauss and Jordan, a condition a lane, so that those of strips that do not touch show what they
    lack. Strips of which it is not known are taken last, and only where the others leave them some overlap: influences
    are positive, so that those after them can only leave less.
    """
    row, work = strip.shape[1], FIRST + 3 * m
    for _ in range(_TURNS):
        for i in range(0, m, 8):
            store(strip, ROW.lack * row + i, load_lanes(strip, right * row + i, 8))
            for r in range(rates):
                store(strip, (RATES + r) * row + i, load_lanes(strip, (MOVED + r) * row + i, 8))
        for k in range(m):
            if strip[ROW.touches, k] > 0.0:
                for i in range(0, m, 8):
                    store(strip, (work + k) * row + i, load_lanes(strip, (matrix + k) * row + i, 8))
        for surely in (1.0, UNSURE):
            for k in range(m):
                if strip[ROW.touches, k] != surely:
                    continue
                if surely < 1.0:
                    if not strip[ROW.lack, k] > 0.0:
                        strip[ROW.touches, k] = 0.0
                        continue
                    strip[ROW.touches, k] = 1.0
                inverse = 1.0 / strip[work + k, k]
                for i in range(0, m, 8):
                    on = abs(load_lanes(strip, ROW.place * row + i, 8) - float(k)) < 0.5
                    others = -inverse * load_lanes(strip, (work + k) * row + i, 8)
                    store(strip, ROW.order * row + i, where(on, inverse - 1.0, others))
                for j in range(m):
                    later = strip[ROW.touches, j] == surely and j > k
                    if later or (strip[ROW.touches, j] == UNSURE and surely == 1.0):
                        _eliminate(strip, m, work + j, k)
                _eliminate(strip, m, ROW.lack, k)
                for r in range(rates):
                    _eliminate(strip, m, RATES + r, k)
        changed = False
        for i in range(0, m, 8):
            x, touches = load_lanes(strip, ROW.lack * row + i, 8), load_lanes(strip, ROW.touches * row + i, 8)
            lacks = x * load_lanes(strip, ROW.width * row + i, 8) > 0.0
            wrong = either(both(touches > 0.0, x < 0.0), both(touches <= 0.0, lacks))
            changed = changed or any_lane(wrong)
            store(strip, ROW.touches * row + i, where(wrong, 1.0 - touches, touches))
        if not changed:
            break
    for i in range(0, m, 8):
        touches = load_lanes(strip, ROW.touches * row + i, 8)
        store(strip, of * row + i, max(touches * load_lanes(strip, ROW.lack * row + i, 8), 0.0))
        each = touches * load_lanes(strip, ROW.c * row + i, 8) * load_lanes(strip, ROW.width * row + i, 8)
        for r in range(rates):
            rate = load_lanes(strip, (RATES + r) * row + i, 8)
            store(strip, (RATES + r) * row + i, 0.5 * math.pi * each * rate)


@kernel(fastmath=FAST)
def _moved(strip, m, pose):
    """Approach of each strip in its middle as the wheel is pressed along y, z and turned by roll, pitch and yaw."""
    row = strip.shape[1]
    for i in range(0, m, 8):
        up, aside = load_lanes(strip, ROW.up * row + i, 8), load_lanes(strip, ROW.aside * row + i, 8)
        x = load_lanes(strip, ROW.middle * row + i, 8)
        y, z = load_lanes(strip, ROW.y * row + i, 8) - pose.y, load_lanes(strip, ROW.z * row + i, 8) - pose.z
        store(strip, MOVED * row + i, aside)
        store(strip, (MOVED + 1) * row + i, up)
        store(strip, (MOVED + 2) * row + i, y * up - z * aside)
        store(strip, (MOVED + 3) * row + i, x * aside)
        store(strip, (MOVED + 4) * row + i, -x * up)  # no approach, the wheel is round, but a moment


@kernel(fastmath=FAST)
def _stiffness(strip, m, stiffness):
    """Change of the wrench (6, 6) as the wheel is pressed, from the rates of the strips' loads.

    It is that of a potential, so that the error of single strips, by which it is not symmetric, is halved.
    """
    row = strip.shape[1]
    for c in range(MOTIONS + 1):
        for k in range(MOTIONS):
            change = fill_lanes(0.0, 8)
            for i in range(0, m, 8):
                change += load_lanes(strip, (MOVED + c) * row + i, 8) * load_lanes(strip, (RATES + k) * row + i, 8)
            stiffness[WRENCH[c], WRENCH[k]] = total(change)
    for c in range(MOTIONS):
        for k in range(c):
            mean = 0.5 * (stiffness[WRENCH[c], WRENCH[k]] + stiffness[WRENCH[k], WRENCH[c]])
            stiffness[WRENCH[c], WRENCH[k]], stiffness[WRENCH[k], WRENCH[c]] = mean, mean


@kernel(fastmath=FAST, forceinline=True)
def _eliminate(strip, m, at, k):
    """Add a multiple of ROW.order to row `at`."""
    row, own = strip.shape[1], strip[at, k]
    for i in range(0, m, 8):
        there = load_lanes(strip, at * row + i, 8)
        store(strip, at * row + i, there + own * load_lanes(strip, ROW.order * row + i, 8))


BALANCED_STRIPS = NormalLaw(
    "balanced_strips",
    "strips that feel all others of a wheel, each with a pressure and a length of its own; where an overlap has a few "
    "kinks up to twice as many, no more than the next multiple of 16",
    None, at_places=True, wheel=balanced_strips, strips=8,
)  # fmt: skip
