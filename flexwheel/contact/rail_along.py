"""Rails whose section changes along the track: the rail that a wheel meets at its place, laid once a step.

Sections stand at stations, as heights and slopes on one grid across the track; between two stations heights are linear
along it. A surface that only one of the two has sinks away from it and ends 1 mm below; where no station has one, no
surface is laid, as beside a rail that is the same everywhere. Where the rail rises by m along the track, a wheel of
radius R touches it R m ahead of its axle, and a crest sooner than its axle is there. At every y it therefore meets

    z_wheel(y, s) = max over x of z(y, s + x) - x^2 / (2 R),

which stands for the rail at the wheel's place s: without yaw exact to x^4 / (8 R^3), 6 um at a rise of 1:10. Its
derivative along the track is x / R at the maximum: the rail's normal leans by that, and the rail comes up to the wheel
by that times the speed. Left out: the lead of the contact of a yawed wheel (rise times some mm), curvature of the rail
along the track, and contact at two places of one y, ahead and behind (the bottom of a dip).

Source: the envelope of a circle on a line, derived here. Verified in tests/contact/test_rail_along_verified.py.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.base.registry import Registry
from flexwheel.contact.gap import CELL, FAR, FAST, OFF, cell_of
from flexwheel.numerics.kernels import handle, kernel

REACH = 0.06  # [m] ahead and behind the axle where the rail is looked at; 46 mm are reached at a rise of 1:10
FLOOR = -0.05  # [m] height at a station where it has no rail; a flange reaches 0.03 below the tread
_SUNK = 1e-3  # [m] below the only station that has it, where a surface ends


class RailAlong(NamedTuple):
    """Sections of the rail under one wheel."""

    place: np.ndarray  # (m,) [m] stations along the track, ascending; none: one rail everywhere
    height: np.ndarray  # (m, nr) [m] at the nodes of the rail
    slope: np.ndarray  # (m, nr)
    met: np.ndarray  # (3, nr) height [m], slope and rise along the track of the rail that is laid
    radius: float  # [m] of the wheel
    alone: np.ndarray  # (1,) number of the section that is laid alone, -1: none


UNIFORM = RailAlong(np.zeros(0), *np.zeros((3, 0, 0)), 1.0, np.zeros(1, dtype=np.int64))


@dataclass(frozen=True)
class RailSections:
    """How sections of rails along the track are read and laid; found through RAIL_SECTIONS."""

    name: str
    read: (
        Callable  # (ContactSection, side, Profile of the rail) -> sections (m), each with a `place` [m]; disagreements
    )
    tables: Callable  # (ContactTables, sections, Placement) -> ContactTables with their `along`, the first one laid


RAIL_SECTIONS = Registry("reader of rail sections", "flexwheel.rail_sections", RailSections)


@kernel
def lay_rail(tables, s):
    """Fill the rail of a wheel's own ContactTables with what the wheel meets at the arc length s [m]."""
    along, place, alone = tables.along, tables.along.place, tables.along.alone
    last = place.size - 1
    if last < 0:
        return
    beyond = 0 if s <= place[0] else (last if s >= place[last] else -1)
    first = 0
    while first < last and place[first + 1] < s - REACH:
        first += 1
    end = first
    while end < last and place[end] <= s + REACH:
        end += 1
    if end == first and alone[0] == beyond:
        return
    alone[0] = beyond if end == first else -1
    height, slope, rise = along.met[0], along.met[1], along.met[2]
    for i in range(height.size):
        height[i] = along.height[beyond, i] if beyond >= 0 and along.height[beyond, i] > FLOOR else -FAR
        slope[i], rise[i] = along.slope[max(beyond, 0), i], 0.0
    for k in range(first, end):
        reach = max(place[k] - s, -REACH), min(place[k + 1] - s, REACH)
        _meet(along, k, s - place[k], 1.0 / (place[k + 1] - place[k]), reach)
    _lay(tables.pair.rail, 1.0 / tables.pair.inverse_step, height, slope)


@kernel(fastmath=FAST)
def _meet(along, k, ahead, per_length, reach):
    """Raise what is met to the stretch from section k to the next; ahead [m] of section k, reach [m] before, behind."""
    height, slope, rise = along.met[0], along.met[1], along.met[2]
    h0, h1, s0, s1 = along.height[k], along.height[k + 1], along.slope[k], along.slope[k + 1]
    gain, curved = along.radius * per_length, 1.0 / along.radius
    for i in range(height.size):
        change = h1[i] - h0[i]
        x = min(max(gain * change, reach[0]), reach[1])
        part = (ahead + x) * per_length
        met = h0[i] + part * change - 0.5 * curved * x * x
        least = max(h0[i], h1[i]) - _SUNK if min(h0[i], h1[i]) <= FLOOR else FLOOR
        higher = met > max(height[i], least, FLOOR)
        slope[i] = s0[i] + part * (s1[i] - s0[i]) if higher else slope[i]
        rise[i] = curved * x if higher else rise[i]
        height[i] = met if higher else height[i]


@kernel
def _lay(rail, step, height, slope):
    """Cells of a rail from heights [m] and slopes at its nodes, `step` [m] apart, to the last bit as `cells_of`."""
    after, further = slope[0], 1.0 / math.sqrt(1.0 + slope[0] * slope[0])
    for i in range(height.size - 1):
        before, cosine, after = after, further, slope[i + 1]
        further = 1.0 / math.sqrt(1.0 + after * after)
        change, bent, bends = height[i + 1] - height[i], step * before, step * after
        wall = abs(change) > step * (abs(before) + abs(after) + 0.5)
        if wall or height[i] < OFF:  # no surface, nor one between there and its neighbour
            rail[i, CELL.height], rail[i, CELL.slope], rail[i, CELL.c2], rail[i, CELL.c3] = -FAR, 0.0, 0.0, 0.0
            rail[i, CELL.cosine], rail[i, CELL.cosine_step] = 1.0, 0.0
            continue
        rail[i, CELL.height], rail[i, CELL.slope] = height[i], before
        rail[i, CELL.c2], rail[i, CELL.c3] = 3.0 * change - 2.0 * bent - bends, bent + bends - 2.0 * change
        rail[i, CELL.cosine], rail[i, CELL.cosine_step] = cosine, further - cosine


@kernel(fastmath=FAST, forceinline=True)
def rise_along(tables, y):
    """Rise along the track of the rail that is laid, at y [m] from its crown; 0 for one rail everywhere."""
    rows, pair = tables.along.met, tables.pair
    if rows.shape[1] == 0:
        return 0.0
    cell, t = cell_of(pair.rail, pair.rail_start, pair.inverse_step, y)
    i = int(cell)
    return rows[2, i] + min(max(t, 0.0), 1.0) * (rows[2, i + 1] - rows[2, i])


def lay_at(tables, s):
    """`lay_rail` from outside a kernel."""
    lay_rail(handle(tables), float(s))
