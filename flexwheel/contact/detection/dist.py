"""DIST: local minima of the distance between wheel and rail, eqs 8-17.

Parallel normals give, for every y_r of the wheel, the point of the locus (12) and, by inverting the rail's slope, the
point of the rail with the same normal (13); that the normal also points along the distance (9) is one equation in
y_r (15): the offset of the two points along their common tangent, which has the sign of the distance's derivative.
Its roots are bracketed as in DIFF; blocks whose wheel cannot be below the rail are left out as well, because a
contact point must be indented (16). A root at which the offset rises through zero is a minimum across the track
(second of eqs 17, on the rail's parallel curve through the wheel point and also where curvatures jump), one at which
the locus goes forward is one along it (first of eqs 17).

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 3.1.
Verified in tests/assess/test_detection_verified.py.
"""

import math

from flexwheel.contact.detection.detection_tables import HIGH, LOW
from flexwheel.contact.detection.diff import (
    EXACT,
    STEPS,
    enter_minimum,
    fold_margin,
    level_of,
    narrowed,
    rail_slope_range,
)
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
    wheel_slope_in_track,
)
from flexwheel.contact.gap import CELL, FAST
from flexwheel.numerics.kernels import kernel

_FOOT_STEPS = 40
_FOOT_EXACT = 1e-7  # [m] the step after which Newton is quadratically closer


@kernel(fastmath=FAST, forceinline=True)
def rail_place_for(pair, slope):
    """Rail coordinate [m] where the rail has this slope: the inverse of b' in eq 13."""
    rail_at = pair.rail_at
    sine = slope / math.sqrt(1.0 + slope * slope)
    t = (sine - pair.sine_start) * pair.inverse_sine_step
    last = rail_at.size - 2
    i = min(max(int(t), 0), last)
    t = min(max(t - i, 0.0), 1.0)
    return rail_at[i] + t * (rail_at[i + 1] - rail_at[i])  # 003 (13)


@kernel(fastmath=FAST)
def rail_foot(pair, y, z):
    """Rail coordinate [m] of the rail point nearest to (y, z), by Newton's method from the point above or below."""
    foot = y
    for _ in range(_FOOT_STEPS):
        b, slope = rail_section(pair, foot)
        t = (foot - pair.rail_start) * pair.inverse_step
        i = min(max(int(t), 0), pair.rail.shape[0] - 2)
        bend = (pair.rail[i + 1, CELL.slope] - pair.rail[i, CELL.slope]) * pair.inverse_step
        metric = 1.0 + slope * slope
        change = ((y - foot) + (z - b) * slope) / max(metric - (z - b) * bend, 0.3 * metric)
        foot += change
        if abs(change) < _FOOT_EXACT:
            break
    return foot


@kernel(fastmath=FAST, forceinline=True)
def rail_distance(pair, y, z):
    """Distance [m] of a point from the rail's profile."""
    foot = rail_foot(pair, y, z)
    b = rail_section(pair, foot)[0]
    return math.sqrt((y - foot) ** 2 + (z - b) ** 2)


@kernel(fastmath=FAST)
def normal_distance(pair, pose, eta):
    """Signed distance [m] of the locus point at eta from the rail's surface; negative: indented."""
    point = vertical_difference(pair, pose, eta)
    if point.y == OFF:
        return OFF
    return math.copysign(rail_distance(pair, point.y, point.z), point.value)


@kernel(fastmath=FAST, forceinline=True)
def tangent_offset(pair, pose, eta):
    """Offset of the wheel point from the rail point of the same normal along their tangent [m], eqs 9 and 15.

    For a rail whose slope cannot be inverted, the difference of the slopes at the wheel point and at its nearest rail
    point, which has the same sign.

    Returns
    -------
    offset, distance [m]   distance along the normal, negative: indented (16); OFF without a locus point
    """
    h, s = wheel_section(pair, eta)
    sine, cosine = locus_sine(pose, s)
    if sine == OFF:
        return OFF, OFF
    _, y, z = place_in_track(pose, pose.radius + h, eta, sine, cosine)
    slope = wheel_slope_in_track(pose, s, sine, cosine)  # 003 (8)
    if pair.invertible == 1:
        place = rail_place_for(pair, slope)
    else:
        place = rail_foot(pair, y, z)
    b, rail_slope = rail_section(pair, place)
    c = 1.0 / math.sqrt(1.0 + rail_slope * rail_slope)
    distance = c * ((z - b) - rail_slope * (y - place))
    if pair.invertible == 1:
        return c * ((y - place) + rail_slope * (z - b)), distance  # 003 (9), (15)
    return slope - rail_slope, distance


@kernel(fastmath=FAST, forceinline=True)
def _node(pair, pose, i):
    """Lateral place [m] of node i's locus point and its vertical difference [m]."""
    sine, cosine = locus_sine(pose, pair.wheel[i, CELL.slope])
    if sine == OFF:
        return OFF, 0.0
    eta = pair.wheel_start + i / pair.inverse_step
    _, y, z = place_in_track(pose, pose.radius + pair.wheel[i, CELL.height], eta, sine, cosine)
    b = rail_section(pair, y)[0]
    return y, z - b


@kernel(fastmath=FAST, forceinline=True)
def _least(pose, width, left, right, wheel_range, rail_range):
    """Lower bound [m] of the vertical difference over a block with these values at its ends and these slopes in it,
    and how far, across the track, the rail point of equal normal can then be from the wheel's at a root [m].
    """
    wheel_flat, wheel_steep = wheel_range
    rail_flat, rail_steep = rail_range
    low = (pose.sin_roll - pose.cos_roll * wheel_steep) / (pose.cos_roll + pose.sin_roll * wheel_steep)
    high = (pose.sin_roll - pose.cos_roll * wheel_flat) / (pose.cos_roll + pose.sin_roll * wheel_flat)
    slack = 1.0 + 2.0 * pose.tan_yaw * pose.tan_yaw * (1.0 + max(low * low, high * high))
    rate = slack * max(high - rail_flat, rail_steep - low)
    least = 0.5 * (left + right) - 0.5 * width * rate
    square = max(low * low, high * high)
    return least, -least * slack * math.sqrt(square / (1.0 + square))


@kernel(fastmath=FAST)
def dist_points(tables, pose, places, depths):
    """Contact points: indented local minima of the distance between wheel and rail.

    Parameters
    ----------
    tables : DetectionTables or its handle
    pose : Pose
    places : (m,) [m]      out: wheel coordinate of each, ascending
    depths : (m,) [m]      out: indentation along the common normal

    Returns
    -------
    int                    number of points; m + 1 when there are more than fit
    """
    blocks, spans, pair = tables.blocks, tables.spans, tables.pair
    first, last = first_and_last_node(pair, pose)
    step = 1.0 / pair.inverse_step
    count, i = 0, first
    known_node, known = -1, 0.0  # tangent offset of the node looked at last
    if last <= first:
        return 0
    y_left, left = _node(pair, pose, i)
    while i < last:
        level = level_of(i)
        while i + (1 << level) > last:
            level -= 1
        while True:
            k = i + (1 << level)
            block = i >> level
            y_right, right = _node(pair, pose, k)
            margin = fold_margin(pose, blocks, level, block)
            y_low, y_high = min(y_left, y_right) - margin, max(y_left, y_right) + margin
            if y_high < pair.rail_start or y_low > pair.rail_end:
                break
            inside = y_low >= pair.rail_start and y_high <= pair.rail_end
            if not inside:
                if level == 0:
                    break
                level -= 1
                continue
            wheel_range = blocks[level, block, LOW], blocks[level, block, HIGH]
            rail_range = rail_slope_range(spans, pair, y_low, y_high)
            least, reach = _least(pose, y_high - y_low, left, right, wheel_range, rail_range)
            if least > 0.0:
                break
            flat, steep = rail_slope_range(spans, pair, y_low - reach, y_high + reach)
            if wheel_slope_for(pose, steep) > wheel_range[HIGH] or wheel_slope_for(pose, flat) < wheel_range[LOW]:
                break
            if level > 0:
                level -= 1
                continue
            eta = pair.wheel_start + i * step
            if known_node != i:
                known = tangent_offset(pair, pose, eta)[0]
            below, above = known, tangent_offset(pair, pose, eta + step)[0]
            known_node, known = k, above
            low, high = eta, eta + step
            if below * above > 0.0 and min(abs(below), abs(above)) <= abs(above - below):  # it may turn in between
                middle = tangent_offset(pair, pose, eta + 0.5 * step)[0]
                if below < 0.0:
                    high, above = eta + 0.5 * step, middle
                else:
                    low, below = eta + 0.5 * step, middle
            if below < 0.0 and above >= 0.0:
                root = _root(pair, pose, low, high, below, above)
                distance = tangent_offset(pair, pose, root)[1]
                if distance <= 0.0 and advances(pair, pose, root):  # 003 (16), (17)
                    count = enter_minimum(places, depths, count, root, -distance)
                    if count > places.size:
                        return count
            break
        i, y_left, left = k, y_right, right
    return count


@kernel(fastmath=FAST)
def _root(pair, pose, left, right, below, above):
    """Root of the tangent offset, by regula falsi with the Illinois weights."""
    last, middle = 0, left
    for _ in range(STEPS):
        before = middle
        middle = right - above * (right - left) / (above - below)
        value = tangent_offset(pair, pose, middle)[0]
        left, below, right, above, last = narrowed(left, below, right, above, last, middle, value)
        if abs(middle - before) < EXACT or value == 0.0:
            break
    return middle


@kernel(fastmath=FAST)
def distance_root(pair, pose, left, right):
    """Local minimum of the distance between two wheel coordinates, where its derivative changes sign.

    Returns
    -------
    bool, eta [m], distance [m]    False where the derivative does not rise through zero between them
    """
    below = tangent_offset(pair, pose, left)[0]
    above = tangent_offset(pair, pose, right)[0]
    if not (below < 0.0 and above >= 0.0 and above < OFF):
        return False, left, OFF
    eta = _root(pair, pose, left, right, below, above)
    return True, eta, tangent_offset(pair, pose, eta)[1]
