"""Strips of `balanced_strips`: where they are cut across an overlap, and what is known of them beforehand.

A part is what lies about one first-touch point, from where the overlap begins or ends or from the saddle beside it.
Parts that readings hold together are sampled and cut together, in numbers that need not be whole: each has a share of
the samples and strips of every reading that holds it, so that both go over from those of the whole to those of its
parts while the saddle sinks. A sample or a strip may lie in two parts.
"""

import math
from typing import NamedTuple

from flexwheel.contact.contact_tables import SYSTEM_ROWS
from flexwheel.contact.gap import FAST, LEAST_BEND, rail_above, wheel_locus
from flexwheel.contact.regions import REGION
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import single_root, total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

SAMPLES = 29  # of the depth of a patch of its own; with those beside them 32, in two registers
ROOM = 144  # at most, of parts that are sampled together
_EVEN = 2.4  # over the strips, of the mean curvature of an overlap: strips are cut no wider than for this
_SHALLOW = 0.04, 0.02, 0.32  # density of strips where an ellipse would not reach: first, more a strip, at most
_NONE = 1e-11  # [m]: a strip of no width
_DEEPER = 1.4  # depth of the zone over that of the ellipse, from which strips are dense
HELD = 0.1  # of the depth, up to which the edge of an overlap has less than whole strips, at the edge none
_SPREAD = 0.10, 0.15  # of the samples that have the curvature of an overlap that is to be borne
_NO_WAY = 1e-30  # between lanes without samples
_EMPTY = 1e-9  # strips of a sample
_PART_OF = 0.25  # of a whole strip, as wide as which the last part of one is for itself where it is none


class PartColumns(NamedTuple):
    """Columns of `normal` of a reading, and of the part of one that holds no other, before patches have them."""

    eps: int  # as `shape_of_zone`
    stretch: int
    lean: int
    height: int  # [m]
    start: int  # columns of the system, parts of columns too
    end: int
    alone: int  # 1: a part
    left: int  # [m] on the wheel
    right: int
    first: int  # sample, parts of samples too
    last: int
    beside: int  # [m] way across a strip's place where the wheel is yawed


PART = PartColumns(*range(len(PartColumns._fields)))


class SampleRows(NamedTuple):
    """Rows of the system that have samples, before the matrices have them."""

    depth: int  # [m]
    width: int  # [m] on the wheel
    way: int  # [m] between samples
    weight: int  # of the depth in the area across the normal
    direction: int
    z: int  # [m]
    bend: int
    density: int  # strips of a sample
    held: int  # 0 ... 1
    own: int  # both of one reading
    own_held: int
    place: int  # [m] of strips, and ends of their widths
    end: int


class SystemRows(NamedTuple):
    """Rows of the system of strips of a wheel, a strip a column; the matrices follow."""

    x: int  # [m] contact locus, from P
    y: int  # [m] from the rail crown
    z: int
    depth: int  # [m] overlap in the middle of the pressure
    width: int  # [m]
    own: int  # [m] width by which a strip displaces its own middle
    up: int  # normal
    aside: int
    per: int  # [m] half-length squared of the overlap, over it
    c: int  # [Pa/m] pressure c sqrt(b - x^2)
    middle: int  # [m] of the pressure, from P
    b: int  # [m^2] half-length squared
    touches: int  # 1 or 0, 0.5 where it is not known
    lack: int  # [m] right side of the conditions, then what is left of them
    order: int  # scratch, over the right sides of a solution
    need: int  # [m] right side of the conditions for b
    place: int  # 0, 1, 2 ...
    moved: int  # [-, m] approach by each motion of the wheel: y, z, roll, yaw; and arm of the moment about y
    rate: int  # [N/m, N] of the load by each


MOTIONS, WRENCH = 4, (1, 2, 3, 5, 4)  # of a wheel that press strips; their places in a pose, and that of pitch
_MOVED = len(SystemRows._fields) - 2
ROW = SystemRows(*range(_MOVED), _MOVED, _MOVED + MOTIONS + 1)
MOVED, RATES = ROW.moved, ROW.rate
FIRST = SYSTEM_ROWS  # row of the matrices
SAMPLE = SampleRows(*range(FIRST, FIRST + len(SampleRows._fields)))
_AT = 8  # column of the first sample


@kernel(inline="always")
def strips_of_part(nodes):
    """Strips across a part that is a patch of its own."""
    return math.pi / nodes.angle


@kernel(fastmath=FAST, forceinline=True)
def held_part(place, start, end):
    """Part of the columns at `place` that lies from column start to column end, parts of columns too."""
    return min(max(end - place, 0.0), 1.0) - min(max(start - place, 0.0), 1.0)


@kernel(fastmath=FAST)
def sample_parts(pair, pose, regions, parts, low, high, scratch):
    """Depths in the middles of the samples of rows low ... high of parts, and what sums over them take.

    Beside them, in the lanes that are left, one before them, one behind, and those at the first touches: their heights.

    Returns
    -------
    float    number of samples, the last one no whole one
    """
    row, count = scratch.shape[1], parts[high, PART.last]
    columns = int(math.ceil(count - 1e-9))
    lanes = columns + 3 + high - low
    for i in range(0, lanes, 16):
        place, at = load_lanes(scratch, ROW.place * row + i, 16) - 1.0, _AT - 1 + i
        eta, width, start, before, each = fill_lanes(0.0, 16), fill_lanes(0.0, 16), 1e9, 0.0, 0.0
        for p in range(low, high + 1):
            if parts[p, PART.alone] > 0.0:
                first, last, left = parts[p, PART.first], parts[p, PART.last], parts[p, PART.left]
                each = (parts[p, PART.right] - left) / (last - first)
                if left < start:
                    start, before = left, each
                    eta += each * min(place + 0.5, 0.0)
                eta += each * (min(max(place + 0.5, first), last) - first)
                width += each * held_part(place, first, last)
        eta += start + each * max(place + 0.5 - count, 0.0)  # of the last one, which is taken as if it were whole
        store(scratch, SAMPLE.own * row + at, eta)
        store(scratch, SAMPLE.width * row + at, width)
        way = width + each * (1.0 - held_part(place, 0.0, count))
        store(scratch, SAMPLE.way * row + at, where(place < 0.0, before, way))
    for p in range(low, high + 1):
        scratch[SAMPLE.own, _AT + columns + 1 + p - low] = regions[p, REGION.place]
    for i in range(0, lanes, 16):
        at = _AT - 1 + i
        _, _, z, bend, direction, here, _, _, _ = _midway(pair, pose, load_lanes(scratch, SAMPLE.own * row + at, 16))
        bend = max(bend, LEAST_BEND)
        store(scratch, SAMPLE.depth * row + at, here)
        store(scratch, SAMPLE.weight * row + at, bend * single_root(1.0 + direction * direction))
        store(scratch, SAMPLE.direction * row + at, direction)
        store(scratch, SAMPLE.z * row + at, z)
        store(scratch, SAMPLE.bend * row + at, bend)
        store(scratch, SAMPLE.density * row + at, fill_lanes(0.0, 16))
        store(scratch, SAMPLE.held * row + at, fill_lanes(0.0, 16))
    for p in range(low, high + 1):
        parts[p, PART.height] = max(scratch[SAMPLE.depth, _AT + columns + 1 + p - low], 1e-9)
    return count


@kernel(fastmath=FAST, forceinline=True)
def _ways(scratch, place):
    """Widths of whole samples [m], and the ways from their middles to those before and after."""
    way = load_lanes(scratch, place, 16)
    return way, 0.5 * (way + load_lanes(scratch, place - 1, 16)), 0.5 * (way + load_lanes(scratch, place + 1, 16))


@kernel(fastmath=FAST)
def reading_sums(pose, reading, level, scratch):
    """Sums of what lies above a level, over the samples of a reading.

    Returns
    -------
    weight, flat, rise, high, bent    as `measure_zone` has them; the last three by flat
    """
    row, none, first, last = scratch.shape[1], fill_lanes(0.0, 16), reading[PART.first], reading[PART.last]
    weight, flat, rise, high, bent = none, none, none, none, none
    for i in range(int(first) // 16 * 16, int(math.ceil(last - 1e-9)), 16):
        at = _AT + i
        place = SAMPLE.depth * row + at
        above = load_lanes(scratch, place, 16) - level
        # the mean over a sample across which the depth is linear
        way, before, after = _ways(scratch, SAMPLE.way * row + at)
        across = abs(load_lanes(scratch, place + 1, 16) - load_lanes(scratch, place - 1, 16))
        half = 0.5 * way * across / (before + after + _NO_WAY) + 1e-12
        part_of = max(above + half, 0.0)
        excess = where(above < half, part_of * part_of * (0.25 / half), above)
        excess *= load_lanes(scratch, SAMPLE.width * row + at, 16)
        excess *= held_part(load_lanes(scratch, ROW.place * row + i, 16), first, last)
        weight = weight + excess * load_lanes(scratch, SAMPLE.weight * row + at, 16)
        flat = flat + excess
        rise = rise + excess * load_lanes(scratch, SAMPLE.direction * row + at, 16)
        high = high + excess * load_lanes(scratch, SAMPLE.z * row + at, 16)
        bent = bent + excess * load_lanes(scratch, SAMPLE.bend * row + at, 16)
    each = 1.0 / pose.cos_yaw
    return total(weight) * each, total(flat) * each, total(rise) * each, total(high) * each, total(bent) * each


@kernel(fastmath=FAST)
def add_density(reading, share, whole, strips, most, yawed, scratch):
    """Add a reading's density of strips to its samples, by its share and width [m], and how far strips are whole.

    It is the root of the depth's curvature, less where the depth is no part of an ellipse's, and smoothed; at the edge
    of an overlap it is none. Where the curvature is that of a few kinks, and where the wheel is yawed, by which
    curvatures along the rail differ from strip to strip, there are up to twice as many strips, or most.
    """
    row, peak, first, last = scratch.shape[1], reading[PART.height], reading[PART.first], reading[PART.last]
    shallow, measure = min(_SHALLOW[0] + _SHALLOW[1] * strips, _SHALLOW[2]), fill_lanes(0.0, 16)
    even, level = 8.0 * _EVEN / strips * peak / (whole * whole), (1.0 - min(_DEEPER * reading[PART.eps], 1.0)) * peak
    low, high = int(first) // 16 * 16, int(math.ceil(last - 1e-9))
    flat, sharp = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    for i in range(low, high, 16):
        at = _AT + i
        place = SAMPLE.depth * row + at
        here, (way, before, after) = load_lanes(scratch, place, 16), _ways(scratch, SAMPLE.way * row + at)
        bend = before * (load_lanes(scratch, place + 1, 16) - here) + after * (
            load_lanes(scratch, place - 1, 16) - here
        )
        bend *= 2.0 * way * way / (before * after * (before + after) + _NO_WAY)
        deep = min(max((here - level) * (4.0 / (peak - level)), 0.0), 1.0)
        held = min(max(here * (1.0 / (HELD * peak)), 0.0), 1.0)
        held *= held * (3.0 - 2.0 * held)
        density = math.sqrt(abs(bend) + even * way * way) * (shallow + (1.0 - shallow) * deep)
        store(scratch, SAMPLE.own * row + at, held * density)
        bent = held_part(load_lanes(scratch, ROW.place * row + i, 16), first, last) * deep * abs(bend)
        flat += bent
        sharp += bent * bent
        store(scratch, SAMPLE.own_held * row + at, held)
    end = _AT + (high + 15) // 16 * 16
    scratch[SAMPLE.own, _AT + low - 1], scratch[SAMPLE.own, end] = 0.0, 0.0
    for i in range(low, high, 16):
        at, place = SAMPLE.own * row + _AT + i, load_lanes(scratch, ROW.place * row + i, 16)
        before, after = held_part(place - 1.0, first, last), held_part(place + 1.0, first, last)
        smooth = (1.0 - 0.25 * (before + after)) * load_lanes(scratch, at, 16)
        smooth += 0.25 * (before * load_lanes(scratch, at - 1, 16) + after * load_lanes(scratch, at + 1, 16))
        smooth *= held_part(place, first, last)
        store(scratch, SAMPLE.place * row + i, smooth)
        measure += smooth
    all_bent = total(flat)
    spread = all_bent * all_bent / (total(sharp) * (last - first) + 1e-300)
    more = min(max((_SPREAD[1] - spread) / (_SPREAD[1] - _SPREAD[0]), 0.0), 1.0)
    strips = min(strips * (1.0 + max(more * more * (3.0 - 2.0 * more), yawed)), most)
    factor = share * strips / (total(measure) + 1e-300)
    for i in range(low, high, 16):
        at = _AT + i
        held = held_part(load_lanes(scratch, ROW.place * row + i, 16), first, last)
        dense = load_lanes(scratch, SAMPLE.density * row + at, 16)
        store(scratch, SAMPLE.density * row + at, dense + factor * load_lanes(scratch, SAMPLE.place * row + i, 16))
        whole_of = load_lanes(scratch, SAMPLE.held * row + at, 16)
        own = load_lanes(scratch, SAMPLE.own_held * row + at, 16)
        store(scratch, SAMPLE.held * row + at, whole_of + (share * held) * own)


@kernel(fastmath=FAST)
def cut_parts(parts, low, high, samples, scratch):
    """Cut rows low ... high of parts into strips; start and end of each part, from 0 on, into its row.

    Middles [m] on the wheel and widths [m] along it into the rows SAMPLE.place and SAMPLE.end.

    Returns
    -------
    int    columns, in eights, the last ones of no width
    """
    row, whole, start, count = scratch.shape[1], 0.0, 1e9, int(math.ceil(samples - 1e-9))
    for p in range(low, high + 1):
        if parts[p, PART.alone] > 0.0:
            start, measure = min(start, parts[p, PART.left]), fill_lanes(0.0, 16)
            for i in range(0, count, 16):
                place = load_lanes(scratch, ROW.place * row + i, 16)
                density = load_lanes(scratch, SAMPLE.density * row + _AT + i, 16)
                measure += density * held_part(place, parts[p, PART.first], parts[p, PART.last])
            parts[p, PART.start] = whole
            whole += total(measure)
            parts[p, PART.end] = whole
    for i in range(_AT, _AT + count, 16):
        density = load_lanes(scratch, SAMPLE.density * row + i, 16)
        store(scratch, SAMPLE.own * row + i, 1.0 / max(density, _EMPTY))
    columns = int(math.ceil(0.125 * whole - 1e-9)) * 8
    scratch[SAMPLE.end, _AT - 1] = 0.0
    for j in range(0, columns, 8):
        strip = load_lanes(scratch, ROW.place * row + j, 8)
        end = min(strip + 1.0, whole)
        middle = 0.5 * (min(strip, whole) + end)
        place, edge, passed = fill_lanes(start, 8), fill_lanes(0.0, 8), 0.0
        for i in range(_AT, _AT + count):
            inverse, width = scratch[SAMPLE.own, i], scratch[SAMPLE.width, i]
            place += width * min(max((middle - passed) * inverse, 0.0), 1.0)
            edge += (width * scratch[SAMPLE.held, i]) * min(max((end - passed) * inverse, 0.0), 1.0)
            passed += scratch[SAMPLE.density, i]
        store(scratch, SAMPLE.place * row + j, place)
        store(scratch, SAMPLE.end * row + _AT + j, edge)
    for j in range(0, columns, 8):
        at = SAMPLE.end * row + _AT + j
        ends = load_lanes(scratch, at, 8) - load_lanes(scratch, at - 1, 8)
        store(scratch, SAMPLE.end * row + j, where(ends > _NONE, ends, 0.0))
    return columns


@kernel(fastmath=FAST, forceinline=True)
def _midway(pair, pose, eta):
    """Points of the locus, and their depth along the normals midway between wheel and rail.

    Along the rail's normal, as `penetration` has it, the depth leaps where a facet ends.

    Returns
    -------
    x, y, z [m], bend, direction    of a LocusPoint
    depth [m], slope, arc           and slope dz/dy of the common tangent there, and the root of 1 + slope^2
    way                             along that tangent [m] per way across the rail, of the wheel
    """
    x, y, z, wheel, bend = wheel_locus(pair, pose, eta)
    above, rail, _, _ = rail_above(pair, y, z)
    direction = 0.5 * (wheel + rail)
    aside = direction * above / (1.0 + rail * direction)
    above, rail, cosine, _ = rail_above(pair, y - aside, z)
    share = cosine * single_root(1.0 + wheel * wheel)  # of the rail's slope, so that both normals turn as far
    slope = (wheel + share * rail) / (1.0 + share)
    up = (above + rail * aside) / (1.0 + rail * slope)
    arc = math.sqrt(1.0 + slope * slope)
    return x, y, z, bend, direction, up * arc, slope, arc, (1.0 + wheel * slope) / arc


@kernel(fastmath=FAST)
def fill_parts(pair, pose, parts, low, high, columns, strip, at):
    """Strips cut by `cut_parts` into columns of the system from `at` on.

    Along a strip of a yawed wheel the place on its profile changes by PART.beside each way: its curvature is a mean.

    The last strip may be part of one. Its condition asks for a load that falls with the width by its logarithm only: a
    narrow one would have any pressure. For itself it is wider by ROW.own, so that load and width vanish together.
    """
    row, per_eta, whole = strip.shape[1], 1.0 / pose.cos_yaw, 0.0
    for p in range(low, high + 1):
        whole = max(whole, parts[p, PART.end]) if parts[p, PART.alone] > 0.0 else whole
    for i in range(0, columns, 8):
        j, eta = at + i, load_lanes(strip, SAMPLE.place * row + i, 8)
        column = load_lanes(strip, ROW.place * row + i, 8)
        x, y, z, bend, _, depth, slope, arc, way = _midway(pair, pose, eta)
        bend = max(bend, LEAST_BEND)
        if pose.yawed > 0.0:
            beside = fill_lanes(0.0, 8)
            for p in range(low, high + 1):
                if parts[p, PART.alone] > 0.0:
                    beside += parts[p, PART.beside] * held_part(column, parts[p, PART.start], parts[p, PART.end])
            before, after = wheel_locus(pair, pose, eta - beside)[4], wheel_locus(pair, pose, eta + beside)[4]
            along = 0.5 * bend + 0.25 * (max(before, LEAST_BEND) + max(after, LEAST_BEND))
        else:
            along = bend
        upright = along * (pose.cos_roll + slope * pose.sin_roll)
        for k in (ROW.b, ROW.c, ROW.middle):
            store(strip, k * row + j, fill_lanes(0.0, 8))
        store(strip, ROW.x * row + j, x)
        store(strip, ROW.y * row + j, y)
        store(strip, ROW.z * row + j, z)
        store(strip, ROW.depth * row + j, depth)
        store(strip, ROW.up * row + j, 1.0 / arc)
        store(strip, ROW.aside * row + j, -slope / arc)
        store(strip, ROW.per * row + j, 2.0 * (pose.radius + pose.z - z) * way / upright)
        width = per_eta * load_lanes(strip, SAMPLE.end * row + i, 8) * way * bend
        part_of = min(max(whole - column, _NONE), 1.0)
        store(strip, ROW.width * row + j, width)
        store(strip, ROW.own * row + j, width * (1.0 + _PART_OF * (1.0 - part_of) * (1.0 - part_of) / part_of))
