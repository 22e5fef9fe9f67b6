"""Patches of a wheel that lift each other, for laws that take each patch alone.

A load Q on one patch lowers the surface under another, so that less is left of the approach h of that: with N(h) of
the law alone, N h^-e (h - sum of c Q)^e, e by its stiffness. c is the displacement over the load of strips
with a semi-elliptic pressure, half as long as both patches differ along the rail (root mean square), at their distance
less what their widths bring them nearer, times the cosine between their normals. It is the same both ways, so that the
loads have a potential. A patch with less load is the same one, smaller.

Readings of merging regions are lifted by those that may stand beside them: with the separations s of `separate_regions`
taken as chances, by the share of another reading, over s where both end at one saddle.

Source: Johnson 1985, sections 3.4 and 4.2, and own derivation. Verified in tests/verification/test_mutual_lift_verified.py.
"""

import math

from flexwheel.contact.elliptic import k_minus_e
from flexwheel.contact.gap import FAST
from flexwheel.contact.patch import NORMAL
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lanes import load_lanes, store

_SPREAD = (
    4.0 / 15.0
)  # variance over the semi-axis squared: mean of a pressure of Hertz (1/5), and that of a flat punch (1/3)
_OVER = 1.13  # relaxation: neighbours that are about to merge take a third of each other's approach
_ENOUGH = 1e-8  # of a load
_TURNS = 40


@kernel(fastmath=FAST)
def lift_patches(modulus, regions, count, normal, strips):
    """Loads, sizes and stiffness of the first `count` patches as they lift each other, from those of each alone."""
    for p in range(count):
        regions[p, REGION.load] = normal[p, NORMAL.normal_force]
    each = 1.0 / (math.pi * modulus)
    for _ in range(_TURNS):
        change = 0.0
        for p in range(count):
            alone, h = normal[p, NORMAL.normal_force], regions[p, REGION.depth]
            if not alone > 0.0:
                continue
            lost = 0.0
            for q in range(count):
                lost += _lift(each, regions, normal, p, q) * regions[q, REGION.load]
            left = max(1.0 - lost / h, 0.0)
            load = alone * left ** (normal[p, NORMAL.stiffness] * h / alone)
            step = _OVER * (load - regions[p, REGION.load])
            regions[p, REGION.load] = max(regions[p, REGION.load] + step, 0.0)
            change = max(change, abs(step) / alone)
        if change < _ENOUGH:
            break
    for p in range(count):
        alone, h, row = normal[p, NORMAL.normal_force], regions[p, REGION.depth], normal[p]
        if alone > 0.0:
            power = row[NORMAL.stiffness] * h / alone
            left = (regions[p, REGION.load] / alone) ** (1.0 / power)
            regions[p, REGION.left] = left
            row[NORMAL.stiffness] = power * regions[p, REGION.load] / (left * h + 1e-300)
    for p in range(count):
        regions[p, REGION.growth] = normal[p, NORMAL.stiffness]
    for _ in range(_TURNS // 4):
        for p in range(count):
            lost = 0.0
            for q in range(count):
                lost += _lift(each, regions, normal, p, q) * regions[q, REGION.growth]
            regions[p, REGION.growth] = normal[p, NORMAL.stiffness] * (1.0 - lost)
    for p in range(count):
        _shrink(regions[p], normal[p], strips[p])


@kernel(fastmath=FAST)
def _lift(each, regions, normal, p, q):
    """Rise of the surface at patch p over the load of patch q [m/N], by the chance that q stands beside p."""
    one, other = (p, q) if regions[p, REGION.first] < regions[q, REGION.first] else (q, p)
    if regions[one, REGION.last] >= regions[other, REGION.first]:
        return 0.0
    chance = regions[q, REGION.share]
    if regions[one, REGION.last] + 1 == regions[other, REGION.first]:
        chance /= regions[other, REGION.apart]
    n, m = normal[p], normal[q]
    dx, dy, dz = n[NORMAL.x] - m[NORMAL.x], n[NORMAL.y] - m[NORMAL.y], n[NORMAL.z] - m[NORMAL.z]
    along = 4.0 * _SPREAD * (n[NORMAL.half_length] ** 2 + m[NORMAL.half_length] ** 2)
    across = 2.0 * _SPREAD * (n[NORMAL.half_width] ** 2 + m[NORMAL.half_width] ** 2)
    apart = dx * dx + dy * dy + dz * dz
    apart = max(apart - across, 0.25 * apart)
    around = along + apart
    facing = n[NORMAL.cosine] * m[NORMAL.cosine] + n[NORMAL.sine] * m[NORMAL.sine]
    return chance * facing * each * 4.0 * math.sqrt(around) * k_minus_e(apart / around) / (math.pi * along)


@kernel(fastmath=FAST)
def _shrink(region, row, strip):
    """The patch with its load after lifting: a similar one on the part of the approach that is left."""
    left, alone = region[REGION.left], row[NORMAL.normal_force]
    row[NORMAL.stiffness] = region[REGION.growth]
    if not alone > 0.0 or left == 1.0:
        return
    size = math.sqrt(left)
    row[NORMAL.normal_force] = region[REGION.load]
    row[NORMAL.factor] *= region[REGION.load] / (alone * left * size + 1e-300)
    row[NORMAL.half_length] *= size
    row[NORMAL.half_width] *= size
    row[NORMAL.area] *= left
    width = strip.shape[1]
    for j in range(0, int(row[NORMAL.strips]), 16):
        for k in (STRIP.s, STRIP.width, STRIP.root, STRIP.half, STRIP.offset):
            store(strip, k * width + j, size * load_lanes(strip, k * width + j, 16))
        for k, middle in ((STRIP.x, row[NORMAL.x]), (STRIP.y, row[NORMAL.y]), (STRIP.z, row[NORMAL.z])):
            store(strip, k * width + j, middle + size * (load_lanes(strip, k * width + j, 16) - middle))
