"""Contact point of one wheel by search across the tread, for when Newton's method finds none nearby.

Where wheel and rail nearly conform, the tangency condition can lose its root as the wheel moves or rolls: the contact
then jumps to another place of the tread. The search takes the deepest local minimum of the distance in the plane across
the rail; the flange is left out, since one point per wheel is modelled (paper 000, section 3.1).
"""

import numpy as np

from flexwheel.numerics.kernels import kernel

SAMPLES = 240


@kernel
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


@kernel
def _value(knots, table, u):
    k = piece(knots, u)
    t = u - knots[k]
    return ((table[k, 0] * t + table[k, 1]) * t + table[k, 2]) * t + table[k, 3]


@kernel
def _point_and_slope(curve, first, t):
    """Value and derivative of the cubic whose coefficients stand from `first` on."""
    a, b, c, d = curve[first], curve[first + 1], curve[first + 2], curve[first + 3]
    return ((a * t + b) * t + c) * t + d, (3.0 * a * t + 2.0 * b) * t + c


@kernel
def seek_contact(work, at, tables, lane):
    """Set u_wheel and u_rail of a lane to the closest approach on the tread; False when there is none."""
    side = lane & 1
    offset = work[at.fixed + lane]
    s = work[at.surface + 16 + lane]
    k = int((s - tables.track_start) / tables.track_spacing)
    if not 0 <= k < tables.track.shape[1]:
        return False
    t = s - (tables.track_start + k * tables.track_spacing)
    curve = tables.track[side, k]
    x, slope_x = _point_and_slope(curve, 0, t)
    y, slope_y = _point_and_slope(curve, 4, t)
    z, slope_z = _point_and_slope(curve, 8, t)
    angle, _ = _point_and_slope(curve, 12, t)
    level = np.sqrt(slope_x**2 + slope_y**2)
    length = np.sqrt(level**2 + slope_z**2)
    tx, ty, tz = slope_x / length, slope_y / length, slope_z / length
    ax, ay = -slope_y / level, slope_x / level
    ux, uy, uz = -tz * ay, tz * ax, tx * ay - ty * ax
    cosine, sine = np.cos(angle), np.sin(angle)
    cx, cy, cz = cosine * ax + sine * ux, cosine * ay + sine * uy, sine * uz
    nx, ny, nz = cosine * ux - sine * ax, cosine * uy - sine * ay, cosine * uz
    # axle direction and the wheel's reference point, across and above the rail's base
    ex, ey, ez = work[at.pose + 48 + lane], work[at.pose + 56 + lane], work[at.pose + 64 + lane]
    dx = work[at.pose + lane] + offset * ex - x
    dy = work[at.pose + 8 + lane] + offset * ey - y
    dz = work[at.pose + 16 + lane] + offset * ez - z
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
