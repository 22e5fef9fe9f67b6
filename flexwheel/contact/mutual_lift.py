"""Patches of a wheel that lift each other, for laws that take each patch alone.

The load Q of a patch presses the surfaces of wheel and rail apart under another patch by c Q, so that less is left of
that patch's approach h: its load alone, N, becomes N (1 - sum(c Q)/h)^e with e = h/N dN/dh. c is the displacement over
the load of a strip with a semi-elliptic pressure, times the cosine between both normals. The strip has the variance
along the rail of both patches together; their distance is reduced for their widths. c is the same both ways, so that
the loads have a potential. A patch with less load is a similar, smaller one.

Readings of merging regions are lifted by those that may stand beside them: with the separations s of `separate_regions`
taken as chances, by the share of another reading, over s where both end at one saddle.

Source: Johnson 1985, sections 3.4 and 4.2, and own derivation.
Verified in tests/verification/test_mutual_lift_verified.py.
"""

import math

from flexwheel.contact.elliptic import k_minus_e
from flexwheel.contact.gap import FAST
from flexwheel.contact.patch import NORMAL
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lanes import load_lanes, store

# variance of a patch over its semi-axis squared: a pressure of Hertz has 1/5, a flat punch, which weighs what it meets
# by reciprocity, 1/3; their mean is the same both ways
_SPREAD = 4.0 / 15.0
_OVER = 1.13  # relaxation: neighbours that are about to merge take a third of each other's approach
_ENOUGH = 1e-8  # of a load: reached in 13 turns at most in 2,558 poses of new and worn pairs with several patches
_TURNS = 40
_TURNS_OF_TANGENTS = 10


@kernel(fastmath=FAST)
def fill_lifts(modulus, regions, count, normal, lift):
    """What presses the surfaces apart at a patch, a row each, over the loads of the others [m/N], by their chances."""
    each = 1.0 / (math.pi * modulus)
    for p in range(count):
        lift[p, p] = 0.0
        for q in range(p):
            lift[p, q], lift[q, p] = 0.0, 0.0
            one, other = (p, q) if regions[p, REGION.first] < regions[q, REGION.first] else (q, p)
            if regions[one, REGION.last] >= regions[other, REGION.first]:
                continue
            n, m, chance = normal[p], normal[q], 1.0
            if regions[one, REGION.last] + 1 == regions[other, REGION.first]:
                chance = 1.0 / regions[other, REGION.apart]
            dx, dy, dz = n[NORMAL.x] - m[NORMAL.x], n[NORMAL.y] - m[NORMAL.y], n[NORMAL.z] - m[NORMAL.z]
            along = 4.0 * _SPREAD * (n[NORMAL.half_length] ** 2 + m[NORMAL.half_length] ** 2) + 1e-18
            across = 2.0 * _SPREAD * (n[NORMAL.half_width] ** 2 + m[NORMAL.half_width] ** 2)
            apart = dx * dx + dy * dy + dz * dz
            apart = max(apart - across, 0.25 * apart)
            facing = n[NORMAL.cosine] * m[NORMAL.cosine] + n[NORMAL.sine] * m[NORMAL.sine]
            rise = each * 4.0 * math.sqrt(along + apart) * k_minus_e(apart / (along + apart)) / (math.pi * along)
            lift[p, q] = chance * facing * rise * regions[q, REGION.share]
            lift[q, p] = chance * facing * rise * regions[p, REGION.share]


@kernel(fastmath=FAST)
def lift_patches(lift, regions, count, normal, strips):
    """Loads, sizes and stiffness of the first `count` patches as they lift each other, from those of each alone.

    Returns how many carry load; their rows come first.
    """
    for p in range(count):
        regions[p, REGION.load] = normal[p, NORMAL.normal_force]
    for _ in range(_TURNS):
        change = 0.0
        for p in range(count):
            alone, h, lost = normal[p, NORMAL.normal_force], regions[p, REGION.depth], 0.0
            if not alone > 0.0:
                continue
            for q in range(count):
                lost += lift[p, q] * regions[q, REGION.load]
            regions[p, REGION.left] = max(1.0 - lost / h, 0.0)
            load = alone * regions[p, REGION.left] ** (normal[p, NORMAL.stiffness] * h / alone)
            step = _OVER * (load - regions[p, REGION.load])
            regions[p, REGION.load] = max(regions[p, REGION.load] + step, 0.0)
            change = max(change, abs(step) / alone)
        if change < _ENOUGH:
            break
    for p in range(count):
        if normal[p, NORMAL.normal_force] > 0.0 and regions[p, REGION.left] < 1.0:
            _shrink(regions[p, REGION.left], normal[p], strips[p], regions[p, REGION.depth])
    kept = 0
    for p in range(count):
        if not normal[p, NORMAL.normal_force] > 0.0:
            continue
        if kept < p:
            _copy(regions, p, kept)
            _copy(normal, p, kept)
            _copy(lift, p, kept)
            _copy(lift.T, p, kept)
            for k in range(strips.shape[1]):
                _copy(strips[:, k], p, kept)
        kept += 1
    return kept


@kernel(fastmath=FAST)
def _copy(rows, p, to):
    """Copy row p."""
    for k in range(rows.shape[1]):
        rows[to, k] = rows[p, k]


@kernel(fastmath=FAST)
def _shrink(left, row, strip, h):
    """The patch on the part of its approach h [m] that is left to it: a similar one."""
    size, power = math.sqrt(left), row[NORMAL.stiffness] * h / row[NORMAL.normal_force]
    load = left**power
    row[NORMAL.normal_force] *= load
    row[NORMAL.stiffness] *= load / (left + 1e-300)
    row[NORMAL.factor] *= load / (left * size + 1e-300)
    row[NORMAL.half_length] *= size
    row[NORMAL.half_width] *= size
    row[NORMAL.area] *= left
    width = strip.shape[1]
    for j in range(0, int(row[NORMAL.strips]), 16):
        for k in (STRIP.s, STRIP.width, STRIP.root, STRIP.half, STRIP.offset):
            store(strip, k * width + j, size * load_lanes(strip, k * width + j, 16))
        for k, middle in ((STRIP.x, row[NORMAL.x]), (STRIP.y, row[NORMAL.y]), (STRIP.z, row[NORMAL.z])):
            store(strip, k * width + j, middle + size * (load_lanes(strip, k * width + j, 16) - middle))


@kernel(fastmath=FAST)
def press_together(lift, count, normal, press):
    """Change of loads with the pose as all lift: `press` (n, 6), a stiffness times the wrench of a normal each."""
    for p in range(count):
        for k in range(6):
            press[p, 6 + k] = press[p, k]
    for _ in range(_TURNS_OF_TANGENTS):
        for p in range(count):
            for k in range(6):
                lost = 0.0
                for q in range(count):
                    lost += lift[p, q] * press[q, k]
                press[p, k] = press[p, 6 + k] - normal[p, NORMAL.stiffness] * lost
