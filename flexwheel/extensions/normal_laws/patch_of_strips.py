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
_MEAN = 0.8  # of the largest on an ellipse: mean, by the load, of what is 1 - s^2/b^2 across
_BORN = (
    0.1  # of the half-length squared: strips that are shorter count for less of their area, so that it does not leap
)
_WHOLE = 2.0 * 1.16238  # where they begin to touch; on an ellipse the whole area then is so much of the sum
_RISE = 0.05  # at most, of the largest pressure squared over that in the middle of its strip


@kernel(fastmath=FAST)
def patch_of_strips(system, ends, strip, row, press):
    """Row of NORMAL of the strips from column ends[0] to ends[1], parts of columns too, and their rows for FASTSIM.

    And the change of the load with the motions of the wheel, `press`.

    FASTSIM has one factor of pressure for a patch: a strip gets the half-length with which it carries its load under
    that factor, which is the one that keeps the patch's area. The half-length is that of an ellipse with the same mean,
    by the load, of half-lengths squared. The largest pressure is that of the strips.
    """
    (start, end), size, none = ends, system.shape[1], fill_lanes(0.0, 8)
    low, high = int(min(start, end)), int(math.ceil(end))
    outline, load, long, met = none, none, none, none
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
        long = long + here * b
    for i in range(low, high):
        square = system[ROW.b, i] * system[ROW.c, i] * system[ROW.c, i]
        if square > most:
            most, top = square, i
    carried, upward, aside = total(load), total(up_sum), total(across_sum)
    if not carried > 0.0:
        return
    each, resultant = 1.0 / carried, math.sqrt(upward * upward + aside * aside)
    x, y, z = total(x_sum) * each, total(y_sum) * each, total(z_sum) * each
    long_square = total(long) * each / _MEAN
    for i in range(low // 8 * 8, high, 8):
        b = load_lanes(system, ROW.b * size + i, 8)
        wide = held_part(load_lanes(system, ROW.place * size + i, 8), start, end)
        wide *= load_lanes(system, ROW.width * size + i, 8)
        met_part = wide * b * math.sqrt(b) / (b + _BORN * long_square)
        met += met_part
        outline += met_part * math.sqrt(load_lanes(system, ROW.c * size + i, 8))
    half_length, area = math.sqrt(long_square), _WHOLE * total(met)
    ca, sa, factor = upward / resultant, -aside / resultant, (total(outline) / total(met)) ** 2
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
            square, half = where(on, c * b, 0.0), math.sqrt(where(on, b, 0.0))
            store(strip, STRIP.long * room + n, half)
            store(strip, STRIP.peak * room + n, c * half)
            store(strip, STRIP.half * room + n, math.sqrt(square * (1.0 / factor)))
            store(strip, STRIP.offset * room + n, load_lanes(system, ROW.middle * size + i, 8) - x)
            n += 8
    if low < top < high - 1:  # on the parabola through three strips
        before = 0.5 * (system[ROW.width, top] + system[ROW.width, top - 1])
        after = 0.5 * (system[ROW.width, top] + system[ROW.width, top + 1])
        down = most - system[ROW.b, top - 1] * system[ROW.c, top - 1] ** 2
        fall = most - system[ROW.b, top + 1] * system[ROW.c, top + 1] ** 2
        slope = (down * after * after - fall * before * before) / (before * after * (before + after))
        bend = (down * after + fall * before) / (before * after * (before + after) + 1e-300)
        most += min(0.25 * slope * slope / (bend + 1e-300), _RISE * most)
    row[NORMAL.normal_force], row[NORMAL.factor] = 0.5 * math.pi * resultant, factor
    row[NORMAL.stiffness] = ca * press[2] - sa * press[1]
    row[NORMAL.x], row[NORMAL.y], row[NORMAL.z], row[NORMAL.cosine], row[NORMAL.sine] = x, y, z, ca, sa
    row[NORMAL.half_length], row[NORMAL.half_width] = half_length, area / (math.pi * half_length)
    row[NORMAL.area], row[NORMAL.strips], row[NORMAL.peak] = area, n, math.sqrt(most)
