"""Strips of `balanced_strips`: where they are cut across a part of a zone, and what is known of them beforehand."""

import math
from typing import NamedTuple

from flexwheel.contact.contact_tables import SYSTEM_ROWS
from flexwheel.contact.gap import FAST, LEAST_BEND, cell_of, penetration
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import first_four, total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

_SAMPLES = 32  # of the depth, by which a part is cut into strips
_EVEN = 2.4  # over the strips, of the mean curvature of an overlap: strips are cut no wider than for this
_SHALLOW = 0.04, 0.02, 0.32  # density of strips where an ellipse would not reach: first, more a strip, at most
_NONE = 1e-9  # of a part: a strip of no width
_SMOOTHED = 1  # times
_DEEPER = 1.4  # depth of the zone over that of the ellipse, from which strips are dense


class SystemRows(NamedTuple):
    """Rows of the system of strips of a wheel, a strip a column; the matrices follow."""

    x: int  # [m] contact locus, from P
    y: int  # [m] from the rail crown
    z: int
    depth: int  # [m] overlap in the middle of the pressure
    width: int  # [m]
    up: int  # normal
    aside: int
    per: int  # [m] half-length squared of the overlap, over it
    c: int  # [Pa/m] pressure c sqrt(b - x^2)
    middle: int  # [m] of the pressure, from P
    b: int  # [m^2] half-length squared
    growth: int  # [m] of b with the approach
    touches: int  # 1 or 0, 0.5 where it is not known
    lack: int  # [m] right side of the conditions, then what is left of them
    order: int  # scratch, over the right sides of a solution
    need: int  # [m] right side of the conditions for b
    place: int  # 0, 1, 2 ...


ROW = SystemRows(*range(len(SystemRows._fields)))
FIRST = SYSTEM_ROWS  # row of the matrices
_DEPTH = FIRST + 4  # row of the samples of the first part


@kernel(inline="always")
def columns_of_part(nodes):
    """Columns of the system for the strips across a part: as many as there are nodes, in eights."""
    return int(math.pi / nodes.angle + 7.5) // 8 * 8


@kernel(fastmath=FAST)
def sample_part(pair, pose, left, right, level, k, scratch):
    """Depths in the middles of _SAMPLES equal cells of the k-th part, into a row of the matrices, and sums over them.

    Returns
    -------
    weight, flat, rise, high, bent    as `measure_zone` has them, of what lies above the level; the last three by flat
    """
    row, n = scratch.shape[1], _SAMPLES
    none, each = fill_lanes(0.0, 16), (right - left) / n
    weight, flat, rise, high, bent = none, none, none, none, none
    for i in range(0, n, 16):
        point, here, _ = _midway(pair, pose, left + each * (load_lanes(scratch, ROW.place * row + i, 16) + 0.5))
        store(scratch, (_DEPTH + k) * row + 8 + i, here)
        bend = max(point.bend, LEAST_BEND)
        excess = max(here - level, 0.0)
        weight += excess * bend * math.sqrt(1.0 + point.direction * point.direction)
        flat += excess
        rise += excess * point.direction
        high += excess * point.z
        bent += excess * bend
    each /= pose.cos_yaw
    return total(weight) * each, total(flat) * each, total(rise) * each, total(high) * each, total(bent) * each


@kernel(fastmath=FAST)
def cut_part(peak, eps, nodes, k, scratch):
    """Middles and widths of strips across the k-th part, over its width, into the first two rows of the matrices.

    Their density is the root of the depth's curvature, smoothed, and less where the depth is no part of an ellipse's;
    it is constant about each of _SAMPLES places.
    """
    row, columns, n = scratch.shape[1], columns_of_part(nodes), _SAMPLES
    place, wide, depth, dense, each = FIRST, FIRST + 1, _DEPTH + k, FIRST + 2, FIRST + 3
    # and one beyond both ends, on parabolas
    scratch[depth, 7] = 3.0 * (scratch[depth, 8] - scratch[depth, 9]) + scratch[depth, 10]
    scratch[depth, 8 + n] = 3.0 * (scratch[depth, 7 + n] - scratch[depth, 6 + n]) + scratch[depth, 5 + n]
    strips = math.pi / nodes.angle
    shallow, even = min(_SHALLOW[0] + _SHALLOW[1] * strips, _SHALLOW[2]), 8.0 * _EVEN / (strips * n * n) * peak
    level, whole = (1.0 - min(_DEEPER * eps, 1.0)) * peak, fill_lanes(0.0, 16)
    for i in range(0, n, 16):
        here = load_lanes(scratch, depth * row + 8 + i, 16)
        beside = load_lanes(scratch, depth * row + 9 + i, 16) + load_lanes(scratch, depth * row + 7 + i, 16)
        deep = min(max((here - level) * (4.0 / (peak - level)), 0.0), 1.0)
        density = math.sqrt(abs(beside - 2.0 * here) + even) * (shallow + (1.0 - shallow) * deep)
        store(scratch, dense * row + 8 + i, density)
    for _ in range(_SMOOTHED):
        scratch[dense, 7], scratch[dense, 8 + n] = scratch[dense, 8], scratch[dense, 7 + n]
        for i in range(0, n, 16):
            beside = load_lanes(scratch, dense * row + 9 + i, 16) + load_lanes(scratch, dense * row + 7 + i, 16)
            here = 0.5 * load_lanes(scratch, dense * row + 8 + i, 16) + 0.25 * beside
            store(scratch, each * row + 8 + i, here)
        dense, each = each, dense
    for i in range(0, n, 16):
        density = load_lanes(scratch, dense * row + 8 + i, 16)
        store(scratch, each * row + 8 + i, 1.0 / density)
        whole += density
    per = total(whole) * nodes.angle / math.pi  # of a strip
    scratch[wide, 7] = 0.0
    for j in range(0, columns, 8):
        middle = per * (load_lanes(scratch, ROW.place * row + j, 8) + 0.5)
        end = middle + 0.5 * per
        at, edge, passed = fill_lanes(0.0, 8), fill_lanes(0.0, 8), 0.0
        for i in range(n):
            inverse = scratch[each, 8 + i]
            at += min(max((middle - passed) * inverse, 0.0), 1.0)
            edge += min(max((end - passed) * inverse, 0.0), 1.0)
            passed += scratch[dense, 8 + i]
        store(scratch, place * row + j, at * (1.0 / n))
        store(scratch, wide * row + 8 + j, edge * (1.0 / n))
    for j in range(0, columns, 8):
        ends = load_lanes(scratch, wide * row + 8 + j, 8) - load_lanes(scratch, wide * row + 7 + j, 8)
        store(scratch, wide * row + j, where(ends > _NONE, ends, 0.0))  # columns that fill up eights


@kernel(fastmath=FAST, forceinline=True)
def _midway(pair, pose, eta):
    """Points of the locus, and their depth [m] along the normals midway between wheel and rail and the slopes to these.

    Along the rail's normal, as `penetration` has it, the depth leaps where a facet ends.
    """
    point = penetration(pair, pose, eta)
    above, rail = _rail(pair, point.y)
    wheel = 2.0 * point.direction - rail
    slope = point.direction
    up = (above - point.z) / (1.0 + rail * slope)
    foot = point.y - slope * up
    above, rail = _rail(pair, foot)
    slope = 0.5 * (wheel + rail)
    up = (above - point.z + rail * (point.y - foot)) / (1.0 + rail * slope)
    return point, up * math.sqrt(1.0 + slope * slope), slope


@kernel(fastmath=FAST)
def depth_midway(pair, pose, eta):
    """Depth of `_midway` [m] at one place."""
    return _midway(pair, pose, eta)[1]


@kernel(fastmath=FAST, forceinline=True)
def _rail(pair, y):
    """Height [m] and slope of the rail."""
    i, t = cell_of(pair.rail, pair.rail_start, pair.inverse_step, y)
    height, slope, c2, c3 = first_four(pair.rail, i)
    c1 = slope / pair.inverse_step
    return height + t * (c1 + t * (c2 + t * c3)), (c1 + t * (2.0 * c2 + 3.0 * t * c3)) * pair.inverse_step


@kernel(fastmath=FAST)
def fill_part(pair, pose, left, right, beside, nodes, strip, at):
    """Strips between two places, cut as `cut_part` has it, into columns of the system from `at` on.

    Along a strip of a yawed wheel the place on its profile changes by `beside` [m] each way: its curvature is a mean.
    """
    row, reach, per_eta = strip.shape[1], right - left, 1.0 / pose.cos_yaw
    n = columns_of_part(nodes)
    for i in range(0, n, 8):
        j = at + i
        point, depth, slope = _midway(pair, pose, left + reach * load_lanes(strip, FIRST * row + i, 8))
        bend = max(point.bend, LEAST_BEND)
        if pose.yawed > 0.0:
            before = penetration(pair, pose, left + reach * load_lanes(strip, FIRST * row + i, 8) - beside)
            after = penetration(pair, pose, left + reach * load_lanes(strip, FIRST * row + i, 8) + beside)
            along = 0.5 * bend + 0.25 * (max(before.bend, LEAST_BEND) + max(after.bend, LEAST_BEND))
        else:
            along = bend
        arc = math.sqrt(1.0 + slope * slope)
        upright = along * (pose.cos_roll + slope * pose.sin_roll)
        for k in (ROW.b, ROW.c, ROW.middle):
            store(strip, k * row + j, fill_lanes(0.0, 8))
        store(strip, ROW.x * row + j, point.x)
        store(strip, ROW.y * row + j, point.y)
        store(strip, ROW.z * row + j, point.z)
        store(strip, ROW.depth * row + j, depth)
        store(strip, ROW.up * row + j, 1.0 / arc)
        store(strip, ROW.aside * row + j, -slope / arc)
        store(strip, ROW.per * row + j, 2.0 * (pose.radius + pose.z - point.z) * arc / upright)
        store(strip, ROW.width * row + j, (reach * per_eta) * load_lanes(strip, (FIRST + 1) * row + i, 8) * arc * bend)
