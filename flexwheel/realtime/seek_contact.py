"""Contact point of one wheel by search across the tread, for when Newton's method finds none nearby.

Where wheel and rail nearly conform, the tangency condition can lose its root as the wheel moves or rolls: the contact
then jumps to another place of the tread. The search takes the deepest local minimum of the distance in the plane across
the rail; the flange is left out, since one point per wheel is modelled (paper 000, section 3.1).
"""

from __future__ import annotations

import numpy as np
from numba import njit

SAMPLES = 240


@njit(cache=True)
def piece(knots, u):
    """Index of the piece that holds u."""
    low, high = 0, knots.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if u >= knots[middle]:
            low = middle
        else:
            high = middle
    return low


@njit(cache=True)
def _value(knots, table, u):
    k = piece(knots, u)
    t = u - knots[k]
    return ((table[k, 0] * t + table[k, 1]) * t + table[k, 2]) * t + table[k, 3]


@njit(cache=True)
def seek_contact(work, at, tables, lane):
    """Set u_wheel and u_rail of a lane to the closest approach on the tread; False when there is none."""
    side = lane & 1
    offset = work[at.fixed + lane]
    s = work[at.surface + 16 + lane]
    k = int((s - tables.track_start) / tables.track_spacing)
    if not 0 <= k < tables.track.shape[1]:
        return False
    t = s - (tables.track_start + k * tables.track_spacing)
    point, slope = np.empty(4), np.empty(3)
    for i in range(4):
        a, b, c, d = tables.track[side, k, 4 * i : 4 * i + 4]
        point[i] = ((a * t + b) * t + c) * t + d
        if i < 3:
            slope[i] = (3.0 * a * t + 2.0 * b) * t + c
    level = np.sqrt(slope[0] ** 2 + slope[1] ** 2)
    length = np.sqrt(level**2 + slope[2] ** 2)
    tx, ty, tz = slope[0] / length, slope[1] / length, slope[2] / length
    ax, ay = -slope[1] / level, slope[0] / level
    ux, uy, uz = -tz * ay, tz * ax, tx * ay - ty * ax
    cosine, sine = np.cos(point[3]), np.sin(point[3])
    cx, cy, cz = cosine * ax + sine * ux, cosine * ay + sine * uy, sine * uz
    nx, ny, nz = cosine * ux - sine * ax, cosine * uy - sine * ay, cosine * uz
    # axle direction and the wheel's reference point, across and above the rail's base
    ex, ey, ez = work[at.pose + 48 + lane], work[at.pose + 56 + lane], work[at.pose + 64 + lane]
    dx = work[at.pose + lane] + offset * ex - point[0]
    dy = work[at.pose + 8 + lane] + offset * ey - point[1]
    dz = work[at.pose + 16 + lane] + offset * ez - point[2]
    across, above = dx * cx + dy * cy + dz * cz, dx * nx + dy * ny + dz * nz
    tilt = ex * nx + ey * ny + ez * nz
    flat = np.sqrt(max(1.0 - tilt * tilt, 0.0))
    low, high = tables.tread[side, 0], tables.tread[side, 1]
    best, found = 1e9, False
    before, last, last_u, last_v = 1e9, 1e9, 0.0, 0.0
    for i in range(SAMPLES + 1):
        u = low + (high - low) * i / SAMPLES
        radius = _value(tables.wheel_knots[side], tables.wheel[side], u)
        v = across + u * flat + radius * tilt
        gap = 1e9
        if tables.rail_knots[side, 0] <= v <= tables.rail_knots[side, -1]:
            gap = above + u * tilt - radius * flat - _value(tables.rail_knots[side], tables.rail[side], v)
        if last < before and last <= gap and last < best and before < 1e8 and gap < 1e8:
            best, found = last, True
            work[at.surface + 8 + lane], work[at.surface + 24 + lane] = last_u, last_v
        before, last, last_u, last_v = last, gap, u, v
    return found
