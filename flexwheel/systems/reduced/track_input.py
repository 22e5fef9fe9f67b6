"""What the track gives the simplified vehicle at an instant: frames, their relative places, irregularity."""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.track.layout import track_frame

SPACING = 0.25
"""[m] of the table of track frames; offsets are cubic between its rows, curvature and gravity linear."""


class TrackTable(NamedTuple):
    """Track frames of all units along the route, rows at start + i SPACING of the vehicle's reference."""

    start: float
    offset: np.ndarray  # (n, U, 5) as scratch.offset
    offset_slope: np.ndarray  # (n, U, 5) its derivative by arc length
    frame: np.ndarray  # (n, U, 9) curvature, its derivative by arc length, gravity in track axes


def make_track_table(model, scratch, start, end, units):
    """TrackTable from `start` to `end` [m] of the vehicle's reference; model and scratch as handles."""
    count = max(int(np.ceil((end - start) / SPACING)), 1) + 1
    table = TrackTable(
        float(start), np.zeros((count, units, 5)), np.zeros((count, units, 5)), np.zeros((count, units, 9))
    )
    _fill(model, scratch, table.start, table.offset, table.offset_slope, table.frame)
    return table


@kernel
def track_inputs(model, scratch, time):
    """Fill track, offset, offset_rate and rails of the scratch for a time [s]; frames from the table."""
    speed = model.speed + model.acceleration * time
    here = model.start + model.speed * time + 0.5 * model.acceleration * time * time
    offset, rate, track, rails = scratch.offset, scratch.offset_rate, scratch.track, scratch.rails
    position = model.position
    table_offset, table_slope, table_frame = model.table.offset, model.table.offset_slope, model.table.frame
    t = (here - model.table.start) / SPACING
    if t < 0.0 or t > table_offset.shape[0] - 1.0:
        frames(model, scratch, here, speed)
    else:
        i = min(int(t), table_offset.shape[0] - 2)
        t -= i
        s = 1.0 - t
        h0, h1 = s * s * (1.0 + 2.0 * t), t * t * (3.0 - 2.0 * t)
        g0, g1 = SPACING * t * s * s, -SPACING * t * t * s
        d0 = 6.0 * t * s * speed / SPACING
        e0, e1 = s * (1.0 - 3.0 * t) * speed, t * (3.0 * t - 2.0) * speed
        for u in range(offset.shape[0]):
            for k in range(5):
                a, b = table_offset[i, u, k], table_offset[i + 1, u, k]
                p, q = table_slope[i, u, k], table_slope[i + 1, u, k]
                offset[u, k] = h0 * a + h1 * b + g0 * p + g1 * q
                rate[u, k] = d0 * (b - a) + e0 * p + e1 * q
            for k in range(9):
                track[u, 2 + k] = s * table_frame[i, u, k] + t * table_frame[i + 1, u, k]
    for u in range(offset.shape[0]):
        track[u, 0] = speed
        track[u, 1] = model.acceleration
        for k in range(3):
            track[u, 5 + k] *= speed
    table = model.irregularity
    first = position.shape[0] - rails.shape[0]
    for w in range(rails.shape[0]):
        irregularity_motion(table, here + position[first + w], speed, model.acceleration, rails[w])


@kernel
def _fill(model, scratch, start, offset, slope, frame):
    """Rows of a table, at unit speed."""
    for i in range(offset.shape[0]):
        frames(model, scratch, start + SPACING * i, 1.0)
        for u in range(offset.shape[1]):
            for k in range(5):
                offset[i, u, k], slope[i, u, k] = scratch.offset[u, k], scratch.offset_rate[u, k]
            for k in range(9):
                frame[i, u, k] = scratch.track[u, 2 + k]


@kernel
def frames(model, scratch, here, speed):
    """Fill offset, offset_rate and, in track, curvature, its derivative by arc length and gravity.

    The common frame is the track frame at the vehicle's middle; lateral offsets are those of the unit's centre. Offsets
    are exact in the position of each frame and, as
    small angles, in its rotation relative to the common one.
    """
    units = model.position.shape[0]
    origin, kappa, dkappa, place = scratch.vectors[0], scratch.vectors[1], scratch.vectors[2], scratch.vectors[3]
    own, common = scratch.rotation[0], scratch.rotation[1]
    first, last = model.position[0], model.position[0]
    for u in range(units):
        first, last = min(first, model.position[u]), max(last, model.position[u])
    middle = 0.5 * (first + last)
    track_frame(model.layout, here + middle, origin, common, kappa, dkappa)
    wx, wy, wz = speed * kappa[0], speed * kappa[1], speed * kappa[2]
    for u in range(units):
        x = model.position[u]
        track_frame(model.layout, here + x, place, own, kappa, dkappa)
        row = scratch.track[u]
        for k in range(3):
            row[2 + k] = kappa[k]
            row[5 + k] = dkappa[k]
            row[8 + k] = -model.gravity * own[2, k]
        d0, d1, d2 = place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]
        dx = common[0, 0] * d0 + common[1, 0] * d1 + common[2, 0] * d2
        dy = common[0, 1] * d0 + common[1, 1] * d1 + common[2, 1] * d2
        dz = common[0, 2] * d0 + common[1, 2] * d1 + common[2, 2] * d2
        xx, xy = turned(common, own, 0, 0), turned(common, own, 0, 1)
        yx, zx = turned(common, own, 1, 0), turned(common, own, 2, 0)
        xz = turned(common, own, 0, 2)
        zy, yz = turned(common, own, 2, 1), turned(common, own, 1, 2)
        offset, rate = scratch.offset[u], scratch.offset_rate[u]
        offset[0] = dy - 0.5 * (zy - yz) * model.height[u]
        offset[1] = 0.5 * (zy - yz)
        offset[2] = 0.5 * (yx - xy)
        offset[3] = dz
        offset[4] = 0.5 * (xz - zx)
        rate[1] = speed * (xx * kappa[0] + xy * kappa[1] + xz * kappa[2]) - wx
        rate[2] = speed * (zx * kappa[0] + zy * kappa[1] + turned(common, own, 2, 2) * kappa[2]) - wz
        rate[0] = speed * yx - (wz * dx - wx * dz) - rate[1] * model.height[u]
        rate[3] = speed * zx - (wx * dy - wy * dx)
        rate[4] = speed * (yx * kappa[0] + turned(common, own, 1, 1) * kappa[1] + yz * kappa[2]) - wy


@kernel(inline="always")
def turned(common, own, i, j):
    """Component (i, j) of the rotation from a unit's frame to the common frame."""
    return common[0, i] * own[0, j] + common[1, i] * own[1, j] + common[2, i] * own[2, j]


@kernel
def irregularity_motion(table, s, speed, acceleration, out):
    """Long-wave irregularity at arc length s seen from the moving vehicle: out (12,) values, rates, second derivatives.

    Order of each four: left lateral, left vertical, right lateral, right vertical [m, m/s, m/s2].
    """
    for c in range(12):
        out[c] = 0.0
    n = table.long.shape[0]
    t = (s - table.long_start) / table.long_step
    if n <= 3 or t < 1.0 or t >= n - 2.0:
        return
    i = int(t)
    x = t - i
    y = 1.0 - x
    h = 1.0 / table.long_step
    for c in range(4):
        a, b, e, f = table.long[i - 1, c], table.long[i, c], table.long[i + 1, c], table.long[i + 2, c]
        value = (
            y * y * y * a + (3.0 * x * x * x - 6.0 * x * x + 4.0) * b + (3.0 * y * y * y - 6.0 * y * y + 4.0) * e
            + x * x * x * f
        ) / 6.0  # fmt: skip
        slope = 0.5 * h * (-y * y * a + (3.0 * x * x - 4.0 * x) * b - (3.0 * y * y - 4.0 * y) * e + x * x * f)
        bend = h * h * (y * a + (3.0 * x - 2.0) * b + (3.0 * y - 2.0) * e + x * f)
        out[c] = value
        out[4 + c] = speed * slope  # 001 (irregularity)
        out[8 + c] = speed * speed * bend + acceleration * slope
