"""What the track gives the simplified vehicle at an instant: frames, their places relative to each other, irregularity."""

from __future__ import annotations

from numba import njit

from flexwheel.track.layout import track_frame


@njit(cache=True)
def track_inputs(model, work, time):
    """Fill work.track, work.offset, work.offset_rate and work.rails for a time [s].

    The common frame is the track frame at the vehicle's middle; lateral offsets are those of the unit's centre. Offsets
    are exact in the position of each frame and, as
    small angles, in its rotation relative to the common one.
    """
    speed = model.speed + model.acceleration * time
    here = model.start + model.speed * time + 0.5 * model.acceleration * time * time
    units = model.position.shape[0]
    origin, kappa, dkappa, place = work.vectors[0], work.vectors[1], work.vectors[2], work.vectors[3]
    own, common = work.rotation[0], work.rotation[1]
    middle = 0.5 * (model.position.min() + model.position.max())
    track_frame(model.layout, here + middle, origin, common, kappa, dkappa)
    wx, wy, wz = speed * kappa[0], speed * kappa[1], speed * kappa[2]
    for u in range(units):
        x = model.position[u]
        track_frame(model.layout, here + x, place, own, kappa, dkappa)
        row = work.track[u]
        row[0], row[1] = speed, model.acceleration
        for k in range(3):
            row[2 + k] = kappa[k]
            row[5 + k] = speed * dkappa[k]
            row[8 + k] = -model.gravity * own[2, k]
        d0, d1, d2 = place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]
        dx = common[0, 0] * d0 + common[1, 0] * d1 + common[2, 0] * d2
        dy = common[0, 1] * d0 + common[1, 1] * d1 + common[2, 1] * d2
        dz = common[0, 2] * d0 + common[1, 2] * d1 + common[2, 2] * d2
        xx, xy = turned(common, own, 0, 0), turned(common, own, 0, 1)
        yx, zx = turned(common, own, 1, 0), turned(common, own, 2, 0)
        xz = turned(common, own, 0, 2)
        zy, yz = turned(common, own, 2, 1), turned(common, own, 1, 2)
        offset, rate = work.offset[u], work.offset_rate[u]
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
    first = units - work.rails.shape[0]
    for w in range(work.rails.shape[0]):
        irregularity_motion(
            model.irregularity, here + model.position[first + w], speed, model.acceleration, work.rails[w]
        )


@njit(cache=True, inline="always")
def turned(common, own, i, j):
    """Component (i, j) of the rotation from a unit's frame to the common frame."""
    return common[0, i] * own[0, j] + common[1, i] * own[1, j] + common[2, i] * own[2, j]


@njit(cache=True, error_model="numpy")
def irregularity_motion(table, s, speed, acceleration, out):
    """Long-wave irregularity at arc length s as seen from the moving vehicle: out (12,) values, rates, second derivatives.

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
        out[4 + c] = speed * slope
        out[8 + c] = speed * speed * bend + acceleration * slope
