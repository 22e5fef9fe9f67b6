"""Strips of `balanced_strips`: where they are cut across a part of a zone, and what is known of them beforehand."""

import math
from typing import NamedTuple

from flexwheel.contact.contact_tables import SYSTEM_ROWS
from flexwheel.contact.gap import FAST, LEAST_BEND, cell_of, penetration
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import first_four
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

_SAMPLES = 48  # of the depth, by which a part is cut into strips
_EVEN = 0.1  # of the mean curvature of an overlap: strips are cut no wider than for this
_SHALLOW = 0.32  # density of strips where an ellipse would not reach
_DEEPER = 1.4  # depth of the zone over that of the ellipse, from which strips are dense
_SMOOTHED = 3  # times


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
    touches: int  # 1 or 0
    lack: int  # [m] right side of the conditions
    order: int  # strips that touch, one after the other; factor of b


ROW = SystemRows(*range(len(SystemRows._fields)))
FIRST = SYSTEM_ROWS  # row of the matrices


@kernel(inline="always")
def columns_of_part(nodes):
    """Columns of the system for the strips across a part: as many as there are nodes, in eights."""
    return int(math.pi / nodes.angle + 7.5) // 8 * 8


@kernel(fastmath=FAST)
def cut_part(pair, pose, left, right, peak, eps, nodes, scratch):
    """Middles and widths of strips across a part, over its width, into the first two rows of the matrices.

    Their density is the root of the depth's curvature, smoothed, and less where the depth is no part of an ellipse's.
    """
    row, step = scratch.shape[1], (right - left) / _SAMPLES
    place, wide, depth, dense = FIRST, FIRST + 1, FIRST + 2, FIRST + 3
    for i in range(_SAMPLES):
        scratch[place, i] = left + (i + 0.5) * step
    for i in range(0, _SAMPLES, 16):
        _, here, _ = _midway(pair, pose, load_lanes(scratch, place * row + i, 16))
        store(scratch, depth * row + i, here)
    even, level = 8.0 * _EVEN * peak / (_SAMPLES * _SAMPLES), (1.0 - min(_DEEPER * eps, 1.0)) * peak
    for i in range(_SAMPLES):
        k = min(max(i, 1), _SAMPLES - 2)
        here = scratch[depth, i]
        bent = abs(scratch[depth, k + 1] - 2.0 * scratch[depth, k] + scratch[depth, k - 1])
        deep = min(max(4.0 * (here - level) / (peak - level), 0.0), 1.0)
        scratch[dense, i] = math.sqrt(even + bent) * (_SHALLOW + (1.0 - _SHALLOW) * deep)
    for _ in range(_SMOOTHED):
        before = scratch[dense, 0]
        for i in range(_SAMPLES):
            here, after = scratch[dense, i], scratch[dense, min(i + 1, _SAMPLES - 1)]
            scratch[dense, i] = 0.25 * (before + after) + 0.5 * here
            before = here
    whole = 0.0
    for i in range(_SAMPLES):
        whole += scratch[dense, i]
    wanted = int(math.pi / nodes.angle + 0.5)
    each, passed, i, edge = 0.5 * whole / wanted, 0.0, 0, 0.0
    for k in range(1, 2 * wanted + 1):  # edges and middles in turn
        while i < _SAMPLES - 1 and passed + scratch[dense, i] < k * each:
            passed += scratch[dense, i]
            i += 1
        at = min((i + (k * each - passed) / scratch[dense, i]) / _SAMPLES, 1.0)
        if k % 2 == 1:
            scratch[place, k // 2] = at
        else:
            scratch[wide, k // 2 - 1], edge = at - edge, at
    for k in range(wanted, wanted + -wanted % 8):
        scratch[place, k], scratch[wide, k] = 1.0, 0.0


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
