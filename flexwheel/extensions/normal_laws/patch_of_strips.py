"""A patch of `balanced_strips` from its solved strips: load, centre, area, largest pressure, and strips for FASTSIM.

The largest pressure is that of a parabola through the strip of the largest and those beside it.
"""

import math

from flexwheel.contact.gap import FAST
from flexwheel.contact.patch import NORMAL
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.extensions.normal_laws.strip_places import MOTIONS, RATES, ROW, WRENCH, held_part
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import any_lane, total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

LEAST = 1e-14  # [m^2] half-length squared of a strip that is left out
_BEFORE = 0.9  # of the way on to 0 of a line through the last two strips, which on an ellipse leads too far
_BORN = 0.25  # of b: a strip beside with less of it touches in part
_RISE = 0.05  # at most, of the largest pressure squared over that in the middle of its strip


@kernel(fastmath=FAST, forceinline=True)
def _to_side(here, beside, back):
    """Half the area [m^2] from the middles of strips to those beside them, or to the end of the patch.

    Half-length squared and width of a strip each; back: on the other side. The former is linear, and on to the end: it
    lies beyond the strip beside as far as that one touches.
    """
    b, width = here
    half, other = math.sqrt(b), math.sqrt(beside[0])
    way = 0.5 * (width + beside[1])
    ends = 0.5 * _BEFORE * b * (width + back[1]) / max(back[0] - b, LEAST)
    last = where(back[0] > b, min(way, ends), way) * half / 0.75
    between = way * (b + half * other + beside[0]) / (1.5 * (half + other + 1e-300))
    both = min(min(b, beside[0]) / (_BORN * max(b, beside[0]) + LEAST), 1.0)
    return both * between + (1.0 - both) * where(b > beside[0], last, 0.0)


@kernel(fastmath=FAST)
def patch_of_strips(system, ends, strip, row, press):
    """Row of NORMAL of the strips from column ends[0] to ends[1], parts of columns too, and their rows for FASTSIM.

    And the change of the load with the motions of the wheel, `press`.

    FASTSIM has one factor of pressure for a patch: a strip gets the half-length with which it carries its load under
    that factor, which is the one that keeps the patch's area. The largest pressure is that of their own.
    """
    (start, end), size, none = ends, system.shape[1], fill_lanes(0.0, 8)
    low, high = int(min(start, end)), int(math.ceil(end))
    outline, load, area = none, none, none
    x_sum, y_sum, z_sum, across_sum, up_sum = none, none, none, none, none
    most, top, n = 0.0, low, 0
    for k in range(len(NORMAL)):
        row[k] = 0.0
    for k in range(6):
        press[k] = 0.0
    row[NORMAL.cosine] = 1.0
    for i in range(low // 8 * 8, high, 8):
        b, c = load_lanes(system, ROW.b * size + i, 8), load_lanes(system, ROW.c * size + i, 8)
        place = load_lanes(system, ROW.place * size + i, 8)
        held = held_part(place, start, end)
        wide = held * load_lanes(system, ROW.width * size + i, 8)
        here = wide * c * b
        load = load + here
        for k in range(MOTIONS):
            press[WRENCH[k]] += total(held * load_lanes(system, (RATES + k) * size + i, 8))
        x_sum = x_sum + here * load_lanes(system, ROW.middle * size + i, 8)
        y_sum = y_sum + here * load_lanes(system, ROW.y * size + i, 8)
        z_sum = z_sum + here * load_lanes(system, ROW.z * size + i, 8)
        across_sum = across_sum + here * load_lanes(system, ROW.aside * size + i, 8)
        up_sum = up_sum + here * load_lanes(system, ROW.up * size + i, 8)
        outline = outline + wide * math.sqrt(max(c * b, 0.0))
        first, last = place < low + 0.5, place > high - 1.5
        left = where(first, 0.0, load_lanes(system, ROW.b * size + i - 1, 8))
        left_wide = where(first, 0.0, load_lanes(system, ROW.width * size + i - 1, 8))
        right = where(last, 0.0, load_lanes(system, ROW.b * size + i + 1, 8))
        right_wide = where(last, 0.0, load_lanes(system, ROW.width * size + i + 1, 8))
        both_sides = _to_side((b, wide), (left, left_wide), (right, right_wide))
        both_sides += _to_side((b, wide), (right, right_wide), (left, left_wide))
        area = area + where(b * held > LEAST, both_sides, 0.0)
    for i in range(low, high):
        square = system[ROW.b, i] * system[ROW.c, i] * system[ROW.c, i]
        if square > most:
            most, top = square, i
    carried, area_of, upward, aside = total(load), total(area), total(up_sum), total(across_sum)
    if not carried > 0.0:
        return
    each, resultant = 1.0 / carried, math.sqrt(upward * upward + aside * aside)
    x, y, z = total(x_sum) * each, total(y_sum) * each, total(z_sum) * each
    ca, sa, factor = upward / resultant, -aside / resultant, (2.0 * total(outline) / area_of) ** 2
    room = strip.shape[1]
    for i in range(low // 8 * 8, high, 8):
        held = held_part(load_lanes(system, ROW.place * size + i, 8), start, end)
        b = load_lanes(system, ROW.b * size + i, 8)
        on = held * b > LEAST
        if any_lane(on) and n + 8 <= room:
            here_x = load_lanes(system, ROW.x * size + i, 8)
            here_y, here_z = load_lanes(system, ROW.y * size + i, 8), load_lanes(system, ROW.z * size + i, 8)
            store(strip, STRIP.x * room + n, here_x)
            store(strip, STRIP.y * room + n, here_y)
            store(strip, STRIP.z * room + n, here_z)
            store(strip, STRIP.s * room + n, (here_y - y) * ca + (here_z - z) * sa)
            width = where(on, held * load_lanes(system, ROW.width * size + i, 8), 0.0)
            store(strip, STRIP.width * room + n, width)
            store(strip, STRIP.root * room + n, width)
            c = load_lanes(system, ROW.c * size + i, 8)
            square, long = where(on, c * b, 0.0), math.sqrt(where(on, b, 0.0))
            store(strip, STRIP.long * room + n, long)
            store(strip, STRIP.peak * room + n, c * long)
            store(strip, STRIP.half * room + n, math.sqrt(square * (1.0 / factor)))
            store(strip, STRIP.offset * room + n, load_lanes(system, ROW.middle * size + i, 8) - x)
            n += 8
    if n % 16 > 0:
        store(strip, STRIP.width * room + n, none)
        store(strip, STRIP.half * room + n, none)
    if low < top < high - 1:  # on the parabola through three strips
        before = 0.5 * (system[ROW.width, top] + system[ROW.width, top - 1])
        after = 0.5 * (system[ROW.width, top] + system[ROW.width, top + 1])
        down = most - system[ROW.b, top - 1] * system[ROW.c, top - 1] ** 2
        fall = most - system[ROW.b, top + 1] * system[ROW.c, top + 1] ** 2
        slope = (down * after * after - fall * before * before) / (before * after * (before + after))
        bend = (down * after + fall * before) / (before * after * (before + after) + 1e-300)
        most += min(0.25 * slope * slope / (bend + 1e-300), _RISE * most)
    half_length = math.sqrt(most) / factor
    row[NORMAL.normal_force], row[NORMAL.factor] = 0.5 * math.pi * resultant, factor
    row[NORMAL.stiffness] = ca * press[2] - sa * press[1]
    row[NORMAL.x], row[NORMAL.y], row[NORMAL.z], row[NORMAL.cosine], row[NORMAL.sine] = x, y, z, ca, sa
    row[NORMAL.half_length], row[NORMAL.half_width] = half_length, area_of / (math.pi * half_length)
    row[NORMAL.area], row[NORMAL.strips] = area_of, n
