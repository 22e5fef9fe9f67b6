"""The contact patches of a run as a control node on or near the running surface feels them.

The force of a wheel is shared among its patches by their normal loads. For each, the wrench that it has on the profile
as a whole gives way to a smooth load at its place, which the mesh resolves, and the field of a half-space under the
patch less that load (fe.tread_field). The patch has Hertz's pressure over its half length and half width, and tractions
alike; the node moves past it at the speed of the rim, x = -R alpha - x_contact, so that

    u'  = x' u_x F + u F'
    u'' = x'^2 u_xx F + x'' u_x F + 2 x' u_x F' + u F''.

Moves of the patch over the profile, some 0.1 m/s beside 20, add nothing to the rates. Depth counts as R ln(R/r): rings
under a load of one order n decay with (r/R)^n.

For a node that turns the waves along are left out where they pass with more than PASS_HZ to STOP_HZ, which samples
0.1 ms apart do not hold: they would stand in the spectrum as other frequencies.
"""

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline

from flexwheel.fe.half_space_field import (
    FieldTable,
    add_moving_field,
    ellipsoid_wave,
    field_table,
    grid_waves,
    half_space_rows,
)
from flexwheel.fe.mesh import Material
from flexwheel.fe.tread_field import NEAR, hat_wave, smooth_wave

PASS_HZ, STOP_HZ = 2500.0, 5000.0
FADE = 0.005  # [m] beyond the band of loads over which a patch is left to the profile as a whole
LENGTH, COUNT = (0.6, 0.3), (1024, 256)  # [m] and points of the grid along and across
REACH = 30.0  # waves of k_0 that the grid holds: the smooth load is below 1e-3 there
RUNG = 0.1  # of the logarithm of size and speed: tables are of the nearest rung, so that they hang on no sample
WINDOW = 0.01  # [m] steps of the width that a table has across
X, Y, SHARE, HALF_LENGTH, HALF_WIDTH = range(5)
"""Columns of a history's patches: place ahead of the lowest point and on the profile, positive to the field side [m];
share of the wheel's load; half length and half width [m]."""


SECTIONS_TO_A_WAVE = 8.0
DEEP = 0.025  # [m] to which a rim's vertical field is within 1 dB at all orders (flexwheel verify "rolling patch")


class PatchTables(NamedTuple):
    """Half-space fields of a patch less the smooth load, for one node and point."""

    size: tuple[float, float]  # half length and half width of the patch [m]
    patch: FieldTable
    longer: FieldTable  # derivative with ln of the half length
    wider: FieldTable


class NearLoad(NamedTuple):
    """One patch of each sample, as the near field takes it."""

    smooth: tuple[np.ndarray, np.ndarray, np.ndarray]  # (T, 3 M) forces on the places of the band and their two rates
    ahead: np.ndarray  # (T,) angle of the patch ahead of the lowest point [rad]
    patch: np.ndarray  # (T, 5), Y in the body frame
    force: np.ndarray  # (3, T, 3) with its two rates


def near_loads(body, k, patches, wrench):
    """Loads of the k-th near node, and what is left of the wrenches on the profiles.

    Parameters
    ----------
    patches : (T, W, P, 5)     columns X, Y, SHARE, HALF_LENGTH, HALF_WIDTH; share 0 where there is none
    wrench : (3, T, W 6)       Fx Fy Fz Mx My Mz with two rates

    Returns
    -------
    list of NearLoad, (3, T, W 6)
    """
    near = body.near
    w, place = near.tread[k], near.place[k]
    tread, left, found = body.treads[w], wrench.copy(), []
    own = slice(6 * w, 6 * w + 6)
    for slot in range(patches.shape[2]):
        patch = _placed(tread, patches[:, w, slot])
        weight = np.where(patch[:, SHARE] > 0.0, patch[:, SHARE], 0.0) * _fade(patch[:, Y], place)
        if not np.any(weight > 0.0):
            continue
        y = np.clip(np.where(weight > 0.0, patch[:, Y], place[0]), place[0], place[-1])
        force = np.ascontiguousarray(weight[:, None] * wrench[:, :, own][..., :3])
        basis = CubicSpline(place, np.eye(len(place)))(y)
        smooth = (basis[None, :, :, None] * force[:, :, None]).reshape(*force.shape[:2], -1)
        arm, rise = y - tread.lateral, basis @ near.rise[k]
        x = np.where(weight > 0.0, patch[:, X], 0.0)
        left[..., own][..., :3] -= force
        left[..., own][..., 3] -= arm * force[..., 2] - rise * force[..., 1]
        left[..., own][..., 4] -= rise * force[..., 0] - x * force[..., 2]
        left[..., own][..., 5] -= x * force[..., 1] - arm * force[..., 0]
        ahead = x / tread.radius
        found.append(NearLoad(tuple(smooth), ahead, patch, force))
    return found, left


def valid_to_hz(body, node, speed, patches=True):
    """Frequency [Hz] to which motion of a control node that turns is that of a load which rolls, and what ends it.

    Parameters
    ----------
    node : int             of body.control
    speed : float [m/s]
    patches : bool         whether the run stored its contact patches

    Returns
    -------
    (float, str)     inf and "" where neither sections nor patch set a limit
    """
    tread = body.treads[0]
    turn = speed / (2.0 * np.pi * tread.radius)
    found = np.flatnonzero(body.near.node == node)
    x, y, z = body.control.position[node]
    below = min(
        np.hypot(y - line[:, 0], np.hypot(x, z) - line[:, 1]).min() for line in (t.profile for t in body.treads)
    )
    if len(found) and patches:
        k = found[0]
        if body.near.depth[k] <= DEEP:
            return PASS_HZ, f"waves of the patch that pass with more than {PASS_HZ:g} Hz are left out"
        hz = 0.5 * body.near.wave_limit[k] * speed / (2.0 * np.pi)
        return hz, "elements of the rim and half-space disagree by more than 1 dB at this depth"
    if below > NEAR:
        return np.inf, ""
    order = len(tread.angle) / SECTIONS_TO_A_WAVE
    missing = "the contact patches are not stored" if len(found) else "no half-space stands for the flange"
    return order * turn, f"sections of the mesh: fewer than {SECTIONS_TO_A_WAVE:g} to the wave, and {missing}"


def _placed(tread, patch):
    """Patches (n, 5) with Y in the body frame."""
    out = patch.copy()
    out[:, Y] = tread.lateral + tread.side * patch[:, Y]
    return out


def _fade(y, place):
    """Weight of patches at y: 1 over the band of the loads, 0 beyond it."""
    beyond = np.maximum(place[0] - y, y - place[-1]) / FADE
    x = np.clip(np.nan_to_num(beyond, nan=1.0), 0.0, 1.0)
    return 1.0 - x * x * (3.0 - 2.0 * x)


def smoothed(body, k, table):
    """Influence (lag, n, W, 6) of wrenches on the profiles, its wheel's as the smooth load takes it along.

    The patches leave moments of it, a tenth of a percent of the load's, which the mesh would put on single sections.
    """
    w = body.near.tread[k]
    order = np.arange(len(table) // 2 + 1)
    kept = smooth_wave(order / body.treads[w].radius, body.near.wave_limit[k])
    out = table.copy()
    out[:, :, w] = np.fft.irfft(kept[:, None, None] * np.fft.rfft(table[:, :, w], axis=0), len(table), axis=0)
    return out


def patch_field(body, k, tables, load, angle, rate, acceleration):
    """Motion and stress (T, 15) of the near node by the half-space: displacement, velocity, acceleration, stress.

    Parameters
    ----------
    tables : PatchTables
    load : NearLoad
    angle, rate, acceleration : (T,)     of the node from the lowest point [rad], and of the wheel
    """
    radius = body.treads[body.near.tread[k]].radius
    turned = np.mod(angle + load.ahead + np.pi, 2.0 * np.pi) - np.pi
    y = body.control.position[body.near.node[k], 1] - load.patch[:, Y]
    place, speed = np.stack([-radius * turned, y], axis=1), -radius * np.stack([rate, acceleration], axis=1)
    out = np.zeros((len(angle), 15))
    longer, wider = (
        np.log(np.clip(np.where(load.patch[:, c] > 0.0, load.patch[:, c], size), 0.5 * size, 2.0 * size) / size)
        for c, size in zip((HALF_LENGTH, HALF_WIDTH), tables.size, strict=True)
    )
    for table, factor in ((tables.patch, np.ones(len(y))), (tables.longer, longer), (tables.wider, wider)):
        add_moving_field(*table, place, speed, factor, load.force, np.empty((4, 6)), out)
    return out


def patch_tables(body, k, patches, rate, turning, known):
    """PatchTables of the k-th near node, kept in the dict `known`; None where no patch comes near.

    Parameters
    ----------
    patches : (T, W, P, 5)
    rate : (T,) [rad/s]       of the wheel
    turning : bool            of the node that turns
    """
    near = body.near
    w = near.tread[k]
    mine = _placed(body.treads[w], patches[:, w].reshape(-1, 5))
    weight = np.where(mine[:, SHARE] > 0.0, mine[:, SHARE], 0.0) * _fade(mine[:, Y], near.place[k])
    mine, weight = mine[weight > 0.0], weight[weight > 0.0]
    if not len(mine):
        return None
    sizes = tuple(_rung(float(np.average(mine[:, c], weights=weight))) for c in (HALF_LENGTH, HALF_WIDTH))
    speed = body.treads[w].radius * float(np.mean(np.abs(rate)))
    speed = _rung(speed) if turning and speed > 0.1 else 0.0
    across = body.control.position[near.node[k], 1] - mine[:, Y]
    most = 0.45 * LENGTH[1]
    low, high = np.floor(across.min() / WINDOW), np.ceil(across.max() / WINDOW)
    ahead = 0.0 if turning else np.ceil(np.abs(mine[:, X]).max() / WINDOW)
    key = ("patch", k, turning, sizes, speed, low, high, ahead)
    if key not in known:
        window = (max(low * WINDOW, -most), min(high * WINDOW, most))
        known[key] = _tables(near, k, body.treads[w].radius, sizes, speed, window, None if turning else ahead * WINDOW)
    return known[key]


def _rung(value):
    return float(np.exp(RUNG * np.round(np.log(value) / RUNG)))


def _tables(near, k, radius, sizes, speed, across, ahead):
    """PatchTables over a window across, and along where that is given."""
    length = (max(LENGTH[0], REACH / near.wave_limit[k]), LENGTH[1])
    spacing = tuple(size / count for size, count in zip(length, COUNT, strict=True))
    kx, ky = grid_waves(spacing, COUNT)
    depth, growth = near_depth(near, k, radius)
    material = Material(float(near.youngs_modulus[k]), float(near.poissons_ratio[k]), 0.0)
    rows = half_space_rows(kx, ky, depth, material) * growth
    most = min(0.45 * length[0], 0.9 * np.pi * radius)
    window = ((-most, most) if ahead is None else (-ahead, ahead), across)
    load, size = ellipsoid_wave(kx, ky, *sizes)
    square = np.maximum((sizes[0] * kx) ** 2 + (sizes[1] * ky) ** 2, 1e-30)
    passed = _passed(np.abs(kx) * speed / (2.0 * np.pi))
    smooth = smooth_wave(kx, near.wave_limit[k]) * hat_wave(ky, near.half_width[k])
    tables = (
        load * passed - smooth,
        size * passed * (sizes[0] * kx) ** 2 / square,
        size * passed * (sizes[1] * ky) ** 2 / square,
    )
    return PatchTables(sizes, *(field_table(wave, rows, spacing, COUNT, window) for wave in tables))


def near_depth(near, k, radius):
    """Depth [m] at which the half-space decays as the ring under its surface of that radius does, and a factor."""
    left = radius / (radius - near.depth[k])
    return float(radius * np.log(left)), float(np.sqrt(left))


def _passed(frequency):
    """Share of the waves of a frequency [Hz] that is kept."""
    x = np.clip((frequency - PASS_HZ) / (STOP_HZ - PASS_HZ), 0.0, 1.0)
    return 0.5 * (1.0 + np.cos(np.pi * x))
