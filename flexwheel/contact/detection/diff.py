"""DIFF: local minima of the vertical difference between wheel and rail, eqs 18-22.

With eq 10 the gradient of D vanishes where the wheel's slope across the track equals the rail's below it: one equation
in y_r (21). Its roots are bracketed block by block: where the range of the wheel's slope over a block of cells and that
of the rail below it do not meet there is no root; other blocks are halved down to one cell (0.05 mm).

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 3.2.
Verified in tests/assess/test_detection_verified.py.
"""

import math

from flexwheel.contact.detection.detection_tables import HIGH, LOW, TOP_LEVEL
from flexwheel.contact.detection.locus import (
    OFF,
    advances,
    first_and_last_node,
    locus_sine,
    place_in_track,
    rail_section,
    vertical_difference,
    wheel_section,
    wheel_slope_for,
)
from flexwheel.contact.gap import CELL, FAST
from flexwheel.numerics.kernels import kernel

SAME = 2.5e-4  # [m] minima nearer than this, where the surfaces nearly coincide, are one: the lower
STEPS = 12  # of the root search in one cell
EXACT = 1e-9  # [m] width of a root's bracket


@kernel(fastmath=FAST, forceinline=True)
def level_of(i):
    """Largest level of a block that may begin at cell i."""
    level = 0
    while level < TOP_LEVEL and (i >> level) & 1 == 0:
        level += 1
    return level


@kernel(fastmath=FAST, forceinline=True)
def rail_slope_range(spans, pair, low, high):
    """Lowest and highest slope of the rail between two lateral coordinates [m]."""
    cells = spans.shape[1] - 1
    i = min(max(int((low - pair.rail_start) * pair.inverse_step), 0), cells - 1)
    k = min(max(int((high - pair.rail_start) * pair.inverse_step), i), cells - 1)
    level = 0
    while (2 << level) <= k + 1 - i:
        level += 1
    k = k + 1 - (1 << level)
    return (min(spans[level, i, LOW], spans[level, k, LOW]), max(spans[level, i, HIGH], spans[level, k, HIGH]))


@kernel(fastmath=FAST, forceinline=True)
def fold_margin(pose, blocks, level, block):
    """How far the locus can leave the range of a block's ends [m]: what yaw moves sideways over its slopes."""
    spread = blocks[level, block, HIGH] - blocks[level, block, LOW]
    return 1.05 * (pose.radius + 0.03) * abs(pose.sin_yaw * pose.tan_yaw) * spread


@kernel(fastmath=FAST, forceinline=True)
def slope_difference(pair, pose, eta):
    """Sign of dD/dy at wheel coordinate eta, as a difference of wheel slopes; NaN-free, OFF without a locus point."""
    h, s = wheel_section(pair, eta)
    sine, cosine = locus_sine(pose, s)
    if sine == OFF:
        return OFF
    y = place_in_track(pose, pose.radius + h, eta, sine, cosine)[1]
    return wheel_slope_for(pose, rail_section(pair, y)[1]) - s  # 003 (18), (21)


@kernel(fastmath=FAST, forceinline=True)
def node_place(pair, pose, i):
    """Lateral place of node i's locus point [m], OFF without one."""
    sine, cosine = locus_sine(pose, pair.wheel[i, CELL.slope])
    if sine == OFF:
        return OFF
    eta = pair.wheel_start + i / pair.inverse_step
    return place_in_track(pose, pose.radius + pair.wheel[i, CELL.height], eta, sine, cosine)[1]


@kernel(fastmath=FAST, forceinline=True)
def narrowed(left, below, right, above, last, middle, value):
    """Bracket of a root, its values and the side that moved last, after a value between; Illinois weights."""
    if value < 0.0:
        return middle, value, right, above * 0.5 if last < 0 else above, -1
    return left, below * 0.5 if last > 0 else below, middle, value, 1


@kernel(fastmath=FAST)
def slope_root(pair, pose, left, right, below, above):
    """Root of the slope difference between two wheel coordinates where it is `below` < 0 and `above` >= 0.

    Regula falsi with the Illinois weights.
    """
    last, middle = 0, left
    for _ in range(STEPS):
        before = middle
        middle = right - above * (right - left) / (above - below)
        value = slope_difference(pair, pose, middle)
        left, below, right, above, last = narrowed(left, below, right, above, last, middle, value)
        if abs(middle - before) < EXACT or value == 0.0:
            break
    return middle


@kernel(fastmath=FAST)
def enter_minimum(places, depths, count, eta, depth):
    """Enter a minimum after the others; one nearer than SAME to the last is the same, and the deeper stays.

    Returns
    -------
    int                    number of minima; m + 1 when there are more than fit
    """
    if count > 0 and eta - places[count - 1] < SAME:
        if depth > depths[count - 1]:
            places[count - 1], depths[count - 1] = eta, depth
        return count
    if count < places.size:
        places[count], depths[count] = eta, depth
    return count + 1


@kernel(fastmath=FAST)
def _roots_in_cell(pair, pose, i, y_left, y_right, places, count):
    """Enter the minima in one cell of the wheel; within it both slopes are linear between the rail's nodes."""
    step = 1.0 / pair.inverse_step
    start = pair.wheel_start + i * step
    node = int((min(y_left, y_right) - pair.rail_start) * pair.inverse_step) + 1
    left, below = start, slope_difference(pair, pose, start)
    done = False
    while not done:
        share = (pair.rail_start + node * step - y_left) / (y_right - y_left)
        done = not 0.0 < share < 1.0
        right = start + step if done else start + share * step
        above = slope_difference(pair, pose, right)
        if below < 0.0 and above >= 0.0 and above < OFF:
            eta = slope_root(pair, pose, left, right, below, above)
            if advances(pair, pose, eta):
                if count > 0 and eta - places[count - 1] < SAME:
                    known = vertical_difference(pair, pose, places[count - 1])
                    if vertical_difference(pair, pose, eta).value < known.value:
                        places[count - 1] = eta
                elif count == places.size:
                    return count + 1
                else:
                    places[count] = eta
                    count += 1
        left, below = right, above
        node += 1
    return count


@kernel(fastmath=FAST)
def diff_minima(tables, pose, places):
    """Wheel coordinates of all local minima of the vertical difference, ascending.

    Parameters
    ----------
    tables : DetectionTables or its handle
    pose : Pose
    places : (m,) [m]      out

    Returns
    -------
    int                    number of minima; m + 1 when there are more than fit
    """
    blocks, spans, pair = tables.blocks, tables.spans, tables.pair
    first, last = first_and_last_node(pair, pose)
    count, i = 0, first
    if last <= first:
        return 0
    y_left = node_place(pair, pose, i)
    while i < last:
        level = level_of(i)
        while i + (1 << level) > last:
            level -= 1
        while True:
            k = i + (1 << level)
            block = i >> level
            y_right = node_place(pair, pose, k)
            margin = fold_margin(pose, blocks, level, block)
            y_low, y_high = min(y_left, y_right) - margin, max(y_left, y_right) + margin
            if y_high < pair.rail_start or y_low > pair.rail_end:
                break
            flat, steep = rail_slope_range(spans, pair, y_low, y_high)
            if wheel_slope_for(pose, steep) > blocks[level, block, HIGH]:
                break
            if wheel_slope_for(pose, flat) < blocks[level, block, LOW]:
                break
            if level > 0:
                level -= 1
                continue
            if y_low >= pair.rail_start and y_high <= pair.rail_end:
                count = _roots_in_cell(pair, pose, i, y_left, y_right, places, count)
                if count > places.size:
                    return count
            break
        i, y_left = k, y_right
    return count


@kernel(fastmath=FAST)
def diff_depth(tables, pose, eta):
    """Indentation at a minimum of the vertical difference, along the rail's normal (22), and the normal's cosine.

    Returns
    -------
    depth [m] (negative: apart), cosine [-]
    """
    found = vertical_difference(tables.pair, pose, eta)
    cosine = 1.0 / math.sqrt(1.0 + found.rail_slope * found.rail_slope)
    return -found.value * cosine, cosine  # 003 (22)
