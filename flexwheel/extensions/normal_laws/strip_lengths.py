"""Half-lengths squared b of the strips of `balanced_strips`, by how displacements fall on the way to their ends."""

import math

from flexwheel.contact.gap import FAST
from flexwheel.contact.regions import REGION
from flexwheel.extensions.normal_laws.merging_parts import AHEAD
from flexwheel.extensions.normal_laws.patch_of_strips import LEAST
from flexwheel.extensions.normal_laws.strip_influence import between, felt_width, half_displacement
from flexwheel.extensions.normal_laws.strip_places import FIRST, PART, ROW, held_part
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

UNSURE = 0.5  # in ROW.touches
_SOFTEST = 0.8, 0.5  # of the mean c: where lengths are found once, twice
_FEW = 0.4  # of the mean c by the loads, below which strips count for little
_BEGUN = 0.01  # of a wheel's load: patches of less begin to touch
_MOST = 2.5  # correction of b


@kernel(fastmath=FAST)
def _sums(strip, first, last, own, little):
    """Sum of c by a weight, and of the weight, over the strips from column first to column last.

    The weight is b times width times c/(own c + little): a strip's load with own = 0 and little = 1; what is as areas
    are with own = 1, where strips that begin to touch, of c less than little, hardly count.
    """
    row, load, size = strip.shape[1], fill_lanes(0.0, 8), fill_lanes(0.0, 8)
    for i in range(int(first) // 8 * 8, int(math.ceil(last)), 8):
        c, place = load_lanes(strip, ROW.c * row + i, 8), load_lanes(strip, ROW.place * row + i, 8)
        part = held_part(place, first, last) * c / (own * c + little + 1e-300) * load_lanes(strip, ROW.b * row + i, 8)
        part *= load_lanes(strip, ROW.width * row + i, 8)
        load += part * c
        size += part
    return total(load), total(size)


@kernel(fastmath=FAST)
def _least(found, strip, m, yawed):
    """Least c of the strips into ROW.order: a part of their mean on the patch, by the shares of readings.

    Of the patch, as c goes by curvature: that of a flange would shorten the strips of a tread. One that begins to touch
    has that of the wheel.
    """
    row, (regions, count, normal) = strip.shape[1], found
    softest = _SOFTEST[0] + yawed * (_SOFTEST[1] - _SOFTEST[0])
    for i in range(0, m, 8):
        store(strip, ROW.order * row + i, fill_lanes(0.0, 8))
    wheel_load, wheel_size = _sums(strip, 0.0, float(m), 0.0, 1.0)
    wheel_part, wheel_area = _sums(strip, 0.0, float(m), 1.0, _FEW * wheel_load / (wheel_size + 1e-300))
    for r in range(count):
        first, last = normal[r, PART.start], normal[r, PART.end]
        load, size = _sums(strip, first, last, 0.0, 1.0)
        by_load = (load + _BEGUN * wheel_load) / (size + _BEGUN * wheel_size + 1e-300)
        load, size = _sums(strip, first, last, 1.0, _FEW * by_load)
        mean = (load + _BEGUN * wheel_part) / (size + _BEGUN * wheel_area + 1e-300)
        unlike = min(mean / (by_load + 1e-300), 1.0)  # less where few strips have most of the load: at a facet's edge
        least = regions[r, REGION.share] * softest * mean * unlike * unlike * unlike
        for i in range(int(first) // 8 * 8, int(math.ceil(last)), 8):
            held = held_part(load_lanes(strip, ROW.place * row + i, 8), first, last)
            store(strip, ROW.order * row + i, load_lanes(strip, ROW.order * row + i, 8) + held * least)


@kernel(fastmath=FAST)
def take_lengths(strip, m, part):
    """Go this part of the way to the b in ROW.lack, no farther than by _MOST; strips without pressure keep theirs."""
    row = strip.shape[1]
    for i in range(0, m, 8):
        b, c = load_lanes(strip, ROW.b * row + i, 8), load_lanes(strip, ROW.c * row + i, 8)
        change = min(max(load_lanes(strip, ROW.lack * row + i, 8), b / _MOST), _MOST * b) - b
        store(strip, ROW.b * row + i, b + where(c > 0.0, part * change, 0.0))
        touches = where(load_lanes(strip, ROW.touches * row + i, 8) > 0.0, 1.0, UNSURE)
        store(strip, ROW.touches * row + i, where(load_lanes(strip, ROW.width * row + i, 8) > 0.0, touches, 0.0))


@kernel(fastmath=FAST)
def find_lengths(found, strip, m, each, yawed):
    """b of the strips, into ROW.lack, by how the displacement falls; c alike so that a strip's load stays."""
    row = strip.shape[1]
    _least(found, strip, m, yawed)
    for i in range(0, m, 8):
        fall = fill_lanes(0.0, 8)
        for j in range(m):
            fall += strip[ROW.c, j] * load_lanes(strip, (FIRST + 2 * m + j) * row + i, 8)
        b, middle = load_lanes(strip, ROW.b * row + i, 8), load_lanes(strip, ROW.middle * row + i, 8)
        if yawed > 0.0:
            step, exact = AHEAD * math.sqrt(b), fill_lanes(0.0, 8)
            for j in range(m):
                if strip[ROW.c, j] > 0.0:
                    facing, apart = between(strip, j, i)
                    ahead = middle - strip[ROW.middle, j]
                    one, _, _ = half_displacement(strip[ROW.b, j], apart, (ahead + step) * (ahead + step))
                    other, _, _ = half_displacement(strip[ROW.b, j], apart, (ahead - step) * (ahead - step))
                    here = load_lanes(strip, (FIRST + j) * row + i, 8)
                    exact += strip[ROW.c, j] * (here - each * felt_width(strip, j, i) * facing * (one + other))
            fall += yawed * (exact - fall)
        fall /= (AHEAD * AHEAD) * b
        fall = min(max(fall * load_lanes(strip, ROW.per * row + i, 8), 1.0 / _MOST), _MOST)
        store(strip, ROW.lack * row + i, math.sqrt(fall))
    for i in range(0, m, 8):
        c = load_lanes(strip, ROW.c * row + i, 8)
        product = c * load_lanes(strip, ROW.b * row + i, 8)
        c = max(c / load_lanes(strip, ROW.lack * row + i, 8), load_lanes(strip, ROW.order * row + i, 8))
        store(strip, ROW.lack * row + i, max(product / c, LEAST))
        store(strip, ROW.c * row + i, c)
