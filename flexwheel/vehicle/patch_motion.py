"""The contact patches of a run as a control node on or near the running surface feels them.

The force F of a wheel is shared among its patches by their normal loads and by the directions e of their forces, F_i =
A_i F with the sum of A_i = 1 (`_parts`). For each, the wrench that it has on the profile as a whole gives way to a
smooth load at its place, which the mesh resolves, and the field of a half-space under the patch less that load
(tread_field). The half-space is the running surface laid out flat: its distance across is the way along the profile,
forces and motion are in axes along and normal to the surface where patch and node lie. The patch has Hertz's pressure
over its half length and half width, and tractions alike; the node moves past it at the speed of the rim,
x = -R alpha - x_contact, so that

    u'  = x' u_x F + u F'
    u'' = x'^2 u_xx F + x'' u_x F + 2 x' u_x F' + u F''.

This is under patches at rest on the profile, whose moves are some 0.1 m/s beside 20; the fixed point has the rates of
their moves besides (`control_nodes.rates_of_moves`). Depth counts as R ln(R/r): rings under a load of one order n decay
with (r/R)^n.

For a node that turns the waves along are left out where they pass with more than PASS_HZ to STOP_HZ, which samples
0.1 ms apart do not hold: they would stand in the spectrum as other frequencies.
"""

from collections import deque
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.linalg import block_diag

from flexwheel.body.control_rings import turned_stress
from flexwheel.body.half_space_field import (
    FieldTable,
    add_moving_field,
    ellipsoid_wave,
    field_table,
    grid_waves,
    half_space_rows,
)
from flexwheel.body.mesh import Material
from flexwheel.body.tread_field import NEAR, hat_wave, smooth_wave, way_along
from flexwheel.numerics.kernels import kernel

PASS_HZ, STOP_HZ = 2500.0, 5000.0
FADE = 0.005  # [m] beyond the band of loads over which a patch is left to the profile as a whole
LENGTH, COUNT = (0.6, 0.3), (1024, 256)  # [m] and points of the grid along and across
REACH = 30.0  # waves of k_0 that the grid holds: the smooth load is below 1e-3 there
RUNG = 0.1  # of the logarithm of size and speed: tables are of the nearest rung, so that they hang on no sample
FAR = 3.0  # half lengths across from which the size of a patch of given resultant is not felt
WINDOW = 0.01  # [m] steps of the width that a table has across
ISOTROPIC = 0.003  # share of a patch that any direction has: those 3 degrees apart are not told apart
_lies = deque(maxlen=4)  # (profile, what _lie_of made of it)
X, Y, SHARE, HALF_LENGTH, HALF_WIDTH, FIELD, UP = range(7)
"""Columns of a history's patches: place ahead of the lowest point and on the profile, positive to the field side [m];
share of the wheel's load; half length and half width [m]; its force on the wheel, to the field side and up [N]."""

SECTIONS_TO_A_WAVE = 8.0
ROOT, BESIDE = -0.030, 0.027  # [m] flange root from the tread datum; way from it at which the field of patches there is
# less than 0.5 dB of a rough rail's third octaves off, 2.5 dB of a smooth rail's
DEEP = 0.025  # [m] to which a rim's vertical field is within 1 dB at all orders (flexwheel verify "rolling patch")


class PatchTables(NamedTuple):
    """Half-space fields of a patch less the smooth load, for one node and point."""

    size: tuple[float, float]  # half length and half width of the patch [m]
    patch: FieldTable
    longer: FieldTable  # derivative with ln of the half length
    wider: FieldTable

    def of_motion(self):
        """The same without stress."""
        return PatchTables(self.size, *(t._replace(value=t.value[:, :, :3].copy()) for t in self[1:]))


class NearLoad(NamedTuple):
    """One patch of each of N samples, as the near field takes it."""

    rows: np.ndarray  # (N,) numbers of these samples
    smooth: np.ndarray  # (N, 3, 12) forces on four places of the band and their two rates
    first: np.ndarray  # (N,) three times the number of the first of them
    ahead: np.ndarray  # (N,) angle of the patch ahead of the lowest point [rad]
    patch: np.ndarray  # (N, 7), Y along the profile from the tread datum, rising with y of the body frame
    force: np.ndarray  # (3, N, 3) with its two rates, in the axes of the surface at the patch


def near_loads(body, k, patches, wrench):
    """Loads of the k-th near node, and what is left of the wrenches on the profiles.

    Parameters
    ----------
    patches : (T, W, P, 7)     columns X .. UP; share 0 where there is none
    wrench : (T, 3, W 6)       Fx Fy Fz Mx My Mz with two rates

    Returns
    -------
    list of NearLoad, (T, 3, W 6)
    """
    near = body.near
    w, place = near.tread[k], near.place[k]
    tread, left, found = body.treads[w], np.array(wrench), []
    own = left[..., 6 * w : 6 * w + 6]
    forces, parts = own[..., :3].copy(), _parts(patches[:, w], tread.side)
    for slot in range(patches.shape[2]):
        rows = np.flatnonzero(patches[:, w, slot, SHARE] > 0.0)
        patch = placed(tread, patches[rows, w, slot])
        weight = _fade(patch[:, Y], place)
        inside = weight > 0.0
        if not inside.any():
            continue
        rows, patch, weight = rows[inside], patch[inside], weight[inside]
        first, share = between_places(place, patch[:, Y])
        four = first[:, None] + np.arange(4)
        across, rise = (np.sum(share * of[four], axis=1) for of in (near.across[k], near.rise[k]))
        at = np.stack([patch[:, X], across - tread.lateral, rise, inclination(tread, patch[:, Y])], axis=1)
        part = weight[:, None, None] * parts[rows, slot]
        smooth, local = np.empty((len(rows), 3, 12)), np.empty((3, len(rows), 3))
        _take(own, forces, rows, part, share, at, smooth, local)
        found.append(NearLoad(rows, smooth, 3 * first, patch[:, X] / tread.radius, patch, local))
    return found, left


@kernel
def _take(own, forces, rows, part, share, at, smooth, local):
    """Take one patch from what is left of the wheel's wrenches, and set `smooth` and `force` of its NearLoad.

    Parameters
    ----------
    own : (T, 3, 6)        what is left; changed
    forces : (T, 3, 3)     of the wheel
    rows : (N,)            samples of the patch
    part : (N, 3, 3)       its part of the force
    share : (N, 4)         of four places of the band
    at : (N, 4)            way from P to the patch [m]; angle by which the surface rises with y there [rad]
    smooth : (N, 3, 12), local : (3, N, 3)   set
    """
    for i in range(len(rows)):
        a, t, c, s = part[i], rows[i], np.cos(at[i, 3]), np.sin(at[i, 3])
        ax, ay, az = at[i, 0], at[i, 1], at[i, 2]
        for d in range(3):
            x, y, z = forces[t, d, 0], forces[t, d, 1], forces[t, d, 2]
            fx, fy, fz = (
                a[0, 0] * x + a[0, 1] * y + a[0, 2] * z,
                a[1, 0] * x + a[1, 1] * y + a[1, 2] * z,
                a[2, 0] * x + a[2, 1] * y + a[2, 2] * z,
            )
            taken = (fx, fy, fz, ay * fz - az * fy, az * fx - ax * fz, ax * fy - ay * fx)
            for n in range(6):
                own[t, d, n] -= taken[n]
            for n in range(12):
                smooth[i, d, n] = share[i, n // 3] * taken[n % 3]
            local[d, i, 0], local[d, i, 1], local[d, i, 2] = fx, c * fy - s * fz, s * fy + c * fz


def between_places(place, way):
    """First (T,) of four places of equal distance and their shares (T, 4) of a load at a way along the profile, by
    Lagrange's cubics: their resultant is the load's."""
    at = (np.clip(way, place[0], place[-1]) - place[0]) / (place[1] - place[0])
    first = np.clip(np.floor(at).astype(np.int64) - 1, 0, len(place) - 4)
    a, b, c, d = (at - first - i for i in range(4))
    return first, np.stack([-b * c * d / 6.0, a * c * d / 2.0, -a * b * d / 2.0, a * b * c / 6.0], axis=-1)


def inclination(tread, way):
    """Angle [rad] by which the running surface rises with y at a way along the profile."""
    slope = _lie_of(tread)(np.nan_to_num(way), 1)
    return np.arctan2(slope[..., 1], slope[..., 0])


def _lie_of(tread):
    """Spline of the running surface, y and height by the way along it; those of the last profiles are kept."""
    for profile, found in _lies:
        if profile is tread.profile:
            return found
    line = tread.profile[np.argsort(tread.profile[:, 0])]
    _lies.append((tread.profile, PchipInterpolator(way_along(tread, line[:, 0]), line)))
    return _lies[-1][1]


def surface_axes(angle):
    """(..., 3, 3) from section axes to axes x, along the surface and into it, where it rises by an angle."""
    c, s, one, zero = np.cos(angle), np.sin(angle), np.ones(np.shape(angle)), np.zeros(np.shape(angle))
    rows = [[one, zero, zero], [zero, c, -s], [zero, s, c]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def in_section_axes(rows, angle):
    """Displacement and stress (9, ...) of the axes of a surface that rises by an angle, in section axes."""
    turn = surface_axes(angle).T
    return np.concatenate([np.tensordot(turn, rows[:3], 1), np.tensordot(turned_stress(turn), rows[3:], 1)])


def _parts(patches, side):
    """(T, P, 3, 3) A_i of the wheel's force that each patch (T, P, 7) has, whose sum is 1.

    Across, A_i = w_i (e_i e_i^T + eps) (sum of the same)^-1, e_i the direction of the patch's force, w_i its share: two
    patches of different directions have what makes up the force. Along by shares.
    """
    share = np.where(patches[..., SHARE] > 0.0, patches[..., SHARE], 0.0)
    out = share[..., None, None] * np.eye(3)
    several = np.flatnonzero(np.count_nonzero(share, axis=1) > 1)
    share, patches = share[several], patches[several]
    along, up = (np.where(share > 0.0, np.nan_to_num(patches[..., c]), 0.0) for c in (FIELD, UP))
    size = np.maximum(np.hypot(along, up), 1e-30)
    along, up = side * along / size, up / size
    a, b, c = share * (along**2 + ISOTROPIC), share * along * up, share * (up**2 + ISOTROPIC)
    sum_a, sum_b, sum_c = (x.sum(axis=1, keepdims=True) for x in (a, b, c))
    scale = 1.0 / (sum_a * sum_c - sum_b**2)
    rows = ((a * sum_c - b * sum_b, b * sum_a - a * sum_b), (b * sum_c - c * sum_b, c * sum_a - b * sum_b))
    out[several, :, 1:, 1:] = np.moveaxis(np.array(rows) * scale, (0, 1), (-2, -1))
    return out


def valid_to_hz(body, node, speed, patches=True, curve=False, smooth=False):
    """Frequency [Hz] to which motion of a control node that turns is that of a load which rolls, and what ends it.

    Parameters
    ----------
    node : int             of body.control
    speed : float [m/s]
    patches : bool         whether the run stored its contact patches
    curve : bool           whether they may lie in the flange root
    smooth : bool          whether nothing but the steady load moves the node above some 30 Hz: no roughness

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
        hz = 0.5 * body.near.wave_limit[k] * speed / (2.0 * np.pi)
        if body.near.depth[k] > DEEP:
            return hz, "elements of the rim and half-space disagree by more than 1 dB at this depth"
        own = body.treads[body.near.tread[k]]
        beside = own.side * (y - own.lateral) - ROOT
        if curve and (smooth or beside < BESIDE):
            where = "smooth rail" if smooth else "a node near the flange root"
            return hz, f"{where} in a curve: the flange root shades the field of patches in it, as no half-space does"
        return PASS_HZ, f"waves of the patch that pass with more than {PASS_HZ:g} Hz are left out"
    if below > NEAR:
        return np.inf, ""
    order = len(tread.angle) / SECTIONS_TO_A_WAVE
    missing = "the contact patches are not stored" if len(found) else "no half-space stands for the flange"
    return order * turn, f"sections of the mesh: fewer than {SECTIONS_TO_A_WAVE:g} to the wave, and {missing}"


def placed(tread, patch):
    """Patches (..., 7) with Y along the profile."""
    out = patch.copy()
    out[..., Y] = way_along(tread, tread.lateral + tread.side * patch[..., Y])
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


def patch_field(body, k, tables, load, angle, rates):
    """Motion and stress (N, 15) of the near node by the half-space: displacement, velocity, acceleration, stress.

    Parameters
    ----------
    tables : PatchTables
    load : NearLoad
    angle : (N,)       of the node from the lowest point [rad]
    rates : (N, 2)     spin rate of the wheel and its rate
    """
    tread = body.treads[body.near.tread[k]]
    here = way_along(tread, body.control.position[body.near.node[k], 1])
    turned = np.mod(angle + load.ahead + np.pi, 2.0 * np.pi) - np.pi
    y = here - load.patch[:, Y]
    place, out = np.stack([-tread.radius * turned, y], axis=1), np.zeros((len(angle), 15))
    longer, wider = (
        np.log(np.clip(np.where(load.patch[:, c] > 0.0, load.patch[:, c], size), 0.5 * size, 2.0 * size) / size)
        for c, size in zip((HALF_LENGTH, HALF_WIDTH), tables.size, strict=True)
    )
    present = np.any(load.force[0], axis=-1)
    sized = np.abs(y) < FAR * max(tables.size)
    for table, factor in ((tables.patch, 1.0), (tables.longer, sized * longer), (tables.wider, sized * wider)):
        add_moving_field(*table, place, -tread.radius * rates, present * factor, load.force, np.empty((4, 6)), out)
    turn = in_section_axes(np.eye(9), inclination(tread, here))
    return out @ block_diag(*[turn[:3, :3]] * 3, turn[3:, 3:]).T


def patch_tables(body, k, patches, rate, turning, known, beside=None):
    """PatchTables of the k-th near node, kept in the dict `known`; None where no patch comes near.

    Parameters
    ----------
    patches : (T, W, P, 7)
    beside : (..., W, P, 7), optional     others that the tables are to reach
    rate : (T,) [rad/s]       of the wheel
    turning : bool            of the node that turns
    """
    near = body.near
    w = near.tread[k]
    mine, weight = _reaching(body, k, patches)
    if not len(mine):
        return None
    met = mine if beside is None else np.concatenate([mine, _reaching(body, k, beside)[0]])
    sizes = tuple(_rung(float(np.average(mine[:, c], weights=weight))) for c in (HALF_LENGTH, HALF_WIDTH))
    speed = body.treads[w].radius * float(np.mean(np.abs(rate)))
    speed = _rung(speed) if turning and speed > 0.1 else 0.0
    across = way_along(body.treads[w], body.control.position[near.node[k], 1]) - met[:, Y]
    most = 0.45 * LENGTH[1]
    low, high = np.floor(across.min() / WINDOW), np.ceil(across.max() / WINDOW)
    ahead = 0.0 if turning else np.ceil(np.abs(met[:, X]).max() / WINDOW)
    key = ("patch", k, turning, sizes, speed, low, high, ahead)
    if key not in known:
        window = (max(low * WINDOW, -most), min(high * WINDOW, most))
        known[key] = _tables(near, k, body.treads[w].radius, sizes, speed, window, None if turning else ahead * WINDOW)
    return known[key]


def _reaching(body, k, patches):
    """Patches (N, 7) that come near, placed, and their weights (N,)."""
    w = body.near.tread[k]
    mine = patches[..., w, :, :].reshape(-1, patches.shape[-1])
    mine = placed(body.treads[w], mine[mine[:, SHARE] > 0.0])
    weight = mine[:, SHARE] * _fade(mine[:, Y], body.near.place[k])
    return mine[weight > 0.0], weight[weight > 0.0]


def _rung(value):
    return float(np.exp(RUNG * np.round(np.log(value) / RUNG)))


def _tables(near, k, radius, sizes, speed, across, ahead):
    """PatchTables over a window across, and along where that is given."""
    length = (max(LENGTH[0], REACH / near.wave_limit[k]), LENGTH[1])
    spacing = tuple(size / count for size, count in zip(length, COUNT, strict=True))
    kx, ky = grid_waves(spacing, COUNT)
    elastic = float(near.youngs_modulus[k]), float(near.poissons_ratio[k])
    rows = _grid_rows(spacing, *near_depth(near, k, radius), *elastic)
    most = min(0.45 * length[0], 0.9 * np.pi * radius)
    window = ((-most, most) if ahead is None else (-ahead, ahead), across)
    load, size = (wave * faded(ky, np.abs(ky).max()) for wave in ellipsoid_wave(kx, ky, *sizes))
    square = np.maximum((sizes[0] * kx) ** 2 + (sizes[1] * ky) ** 2, 1e-30)
    passed = _passed(np.abs(kx) * speed / (2.0 * np.pi))
    smooth = smooth_wave(kx, near.wave_limit[k]) * hat_wave(ky, near.half_width[k])
    tables = (
        load * passed - smooth,
        size * passed * (sizes[0] * kx) ** 2 / square,
        size * passed * (sizes[1] * ky) ** 2 / square,
    )
    made = [field_table(wave, rows, spacing, COUNT, window) for wave in tables]
    if ahead is None:  # a node that turns comes to the ends of the table, where the field must not stop at once
        for table in made:
            x = table.start[0] + table.spacing[0] * np.arange(len(table.value))
            table.value[...] *= faded(x, most)[:, None, None, None]
    return PatchTables(sizes, *made)


@lru_cache(maxsize=2)
def _grid_rows(spacing, depth, growth, youngs_modulus, poissons_ratio):
    """`half_space_rows` on the grid of a near node, times a factor."""
    return half_space_rows(*grid_waves(spacing, COUNT), depth, Material(youngs_modulus, poissons_ratio, 0.0)) * growth


def faded(x, end):
    """1 to half of an end, 0 at it, a cosine between.

    A transform cut off at its highest wave rings: 3 dB 27 mm beside a patch, where the field is 1e-4 of that under it.
    """
    return 0.5 * (1.0 + np.cos(np.pi * np.clip(2.0 * np.abs(x) / end - 1.0, 0.0, 1.0)))


def near_depth(near, k, radius):
    """Depth [m] at which the half-space decays as the ring under its surface of that radius does, and a factor."""
    left = radius / (radius - near.depth[k])
    return float(radius * np.log(left)), float(np.sqrt(left))


def _passed(frequency):
    """Share of the waves of a frequency [Hz] that is kept."""
    x = np.clip((frequency - PASS_HZ) / (STOP_HZ - PASS_HZ), 0.0, 1.0)
    return 0.5 * (1.0 + np.cos(np.pi * x))
