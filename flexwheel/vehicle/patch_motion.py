"""The contact patches of a run as a control node on or near the running surface feels them.

The wrench that a patch has on the profile as a whole gives way to a smooth load at its place, which the mesh resolves,
and the field of a half-space under the patch less that load (`patch_loads`, tread_field). The half-space is the running
surface laid out flat: its distance across is the way along the profile, forces and motion are in axes along and normal
to the surface where patch and node lie. The patch has Hertz's pressure over its half length and half width, and
tractions alike; the node moves past it at the speed of the rim, x = -R alpha - x_contact, so that

    u'  = x' u_x F + u F'
    u'' = x'^2 u_xx F + x'' u_x F + 2 x' u_x F' + u F''.

This is under patches at rest on the profile, whose moves are some 0.1 m/s beside 20; the fixed point has the rates of
their moves besides (`control_nodes.rates_of_moves`). Patches come and go in all sizes: fields, with their derivatives
with the logarithms of both sizes, are tables at fixed sizes, between which Hermite's cubics interpolate (3 % of the
pressure), so that no sample hangs on what else a run has. Depth counts as R ln(R/r): rings under a load of one order n
decay with (r/R)^n.

A node that turns lacks waves that pass with more than PASS_HZ to STOP_HZ, which samples 0.1 ms apart would fold.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.fft import irfft, rfft
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
from flexwheel.vehicle.patch_loads import HALF_LENGTH, HALF_WIDTH, SHARE, X, Y, fade, inclination, placed

PASS_HZ, STOP_HZ = 2500.0, 5000.0  # the second twice the first: `faded`
LENGTH, COUNT = (0.6, 0.3), (1024, 256)  # [m] and points of the grid along and across
REACH = 30.0  # waves of k_0 that the grid holds: the smooth load is below 1e-3 there
RUNG, SLOWEST = 0.1, 0.1  # of the logarithm of the speed, tables are of the nearest rung; [m/s] that leaves no wave out
LATTICE = 0.25  # of the logarithms of half length and half width over USUAL: tables are of its points
NARROW = -2  # points up to here, half widths of 3.6 mm, have a grid half as coarse across
CORNERS = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])  # of its cells, which are of one speed each
USUAL = 0.006  # [m] of a patch
SMALLEST, LARGEST = -8, 6  # points of 0.8 mm, below which the grid holds no patch, and 27 mm
FAR = 10.0  # half sizes from which the size of a patch of given resultant is not felt; half of it counts as near
WINDOW = 0.03  # [m] steps of the size that a table has
SECTIONS_TO_A_WAVE = 8.0
ROOT, BESIDE = -0.030, 0.027  # [m] flange root from the tread datum; way from it at which the field of patches there is
# less than 0.5 dB of a rough rail's third octaves off, 2.5 dB of a smooth rail's
DEEP = 0.025  # [m] to which a rim's vertical field is within 1 dB at all orders (flexwheel verify "rolling patch")


class PatchTables(NamedTuple):
    """Half-space fields of a patch less the smooth load, for one node and point."""

    turning: bool  # node
    usual: dict[int, FieldTable]  # by speed: of a patch of usual size
    sized: dict[tuple[int, int, int], FieldTable]  # by points: what patches have besides, and its derivatives
    # with the logarithms of half length and half width: m = 9


def surface_axes(angle):
    """(..., 3, 3) from section axes to axes x, along the surface and into it, where it rises by an angle."""
    c, s, one, zero = np.cos(angle), np.sin(angle), np.ones(np.shape(angle)), np.zeros(np.shape(angle))
    rows = [[one, zero, zero], [zero, c, -s], [zero, s, c]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def in_section_axes(rows, angle):
    """Displacement and stress (9, ...) of the axes of a surface that rises by an angle, in section axes."""
    turn = surface_axes(angle).T
    return np.concatenate([np.tensordot(turn, rows[:3], 1), np.tensordot(turned_stress(turn), rows[3:], 1)])


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


def smoothed(body, k, table):
    """Influence (lag, n, W, 6) of wrenches on the profiles, its wheel's as the smooth load takes it along.

    The patches leave moments of it, a tenth of a percent of the load's, which the mesh would put on single sections.
    """
    w = body.near.tread[k]
    order = np.arange(len(table) // 2 + 1)
    kept = smooth_wave(order / body.treads[w].radius, body.near.wave_limit[k])
    out = table.copy()
    out[:, :, w] = irfft(kept[:, None, None] * rfft(table[:, :, w], axis=0), len(table), axis=0)
    return out


def patch_field(body, k, tables, load, angle, rates, rows=9):
    """Motion and stress (N, 15) of the near node by the half-space: displacement, velocity, acceleration, stress.

    Parameters
    ----------
    tables, load : PatchTables, NearLoad
    angle : (N,)       of the node from the lowest point [rad]
    rates : (N, 2)     spin rate of the wheel and its rate
    rows : int         9, or 3 without stress
    """
    tread = body.treads[body.near.tread[k]]
    here = way_along(tread, body.control.position[body.near.node[k], 1])
    along = -tread.radius * ((angle + load.ahead + np.pi) % (2.0 * np.pi) - np.pi)
    place, out = np.stack([along, here - load.patch[:, Y]], axis=1), np.zeros((len(angle), 15))
    speed, force, scratch = -tread.radius * rates, load.force, np.empty((7, 88))
    present = 1.0 * np.any(force[0], axis=-1)
    at, felt = _on_lattice(load.patch, place[:, 1], tables.turning * speed[:, 0])
    for rung, table in tables.usual.items():
        add_moving_field(*table, place, speed, (present * (at[:, 2] == rung))[:, None], force, rows, scratch, out)
    longest = max((len(table.value) * table.spacing[0] for table in tables.sized.values()), default=0.0)
    found = np.flatnonzero((felt * present > 0.0) & (np.abs(place[:, 0]) < longest))
    cells, of_cell = _cells(at[found])
    order = np.argsort(of_cell, kind="stable")
    found, ends = found[order], np.cumsum(np.bincount(of_cell))
    at, place, speed, felt, added, force = (*(x[found] for x in (at, place, speed, felt, out)), force[:, found])
    away = at[:, :2] - np.floor(at[:, :2]) - CORNERS[:, None, :2]
    near = 1.0 - np.abs(away)
    flat, steep = near * near * (3.0 - 2.0 * near), LATTICE * away * near * near  # cubic Hermite interpolation
    shares = np.stack([flat.prod(axis=2), steep[..., 0] * flat[..., 1], flat[..., 0] * steep[..., 1]], axis=2)
    shares = felt[:, None] * shares
    for cell, part in zip(cells, map(slice, ends - np.diff(ends, prepend=0), ends), strict=True):
        for point, share in zip((cell + CORNERS).tolist(), shares, strict=True):
            table = tables.sized[tuple(point)]
            add_moving_field(*table, place[part], speed[part], share[part], force[:, part], rows, scratch, added[part])
    out[found] = added
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
    parts = [_reaching(body, k, given, turning * rate) for given in (patches, beside) if given is not None]
    met, moving = (np.concatenate(part) for part in zip(*parts, strict=True))
    if not len(met):
        return None
    tread, node = body.treads[body.near.tread[k]], body.near.node[k]
    across = way_along(tread, body.control.position[node, 1]) - met[:, Y]
    home = 0.0 if turning else (tread.angle[body.control.home[node]] + np.pi) % (2.0 * np.pi) - np.pi
    ahead = 1.0 if turning else np.abs(met[:, X] + tread.radius * home).max()
    reach = tuple(float(WINDOW * np.ceil(way / WINDOW)) for way in (ahead, np.abs(across).max()))
    at, felt = _on_lattice(met, across, tread.radius * moving)
    corners = (_cells(at[felt > 0.0])[0][:, None] + CORNERS).reshape(-1, 3)
    found = {}, {}
    for point in (*np.unique(at[:, 2]).astype(int).tolist(), *map(tuple, corners.tolist())):
        key = "patch", k, turning, point, reach
        if key not in known:
            known[key] = _table(body.near, k, tread.radius, point, reach, turning)
        found[isinstance(point, tuple)][point] = known[key]
    return PatchTables(turning, *found)


def _on_lattice(patch, across, speed):
    """Places (N, 3) of sizes of patches (N, 7) and of speeds, and by how much (N,) the size is felt so far across."""
    size, rung = np.fmax(patch[:, [HALF_LENGTH, HALF_WIDTH]], 1e-6), np.log(np.fmax(np.abs(speed), SLOWEST)) / RUNG
    at = np.column_stack([np.clip(np.log(size / USUAL) / LATTICE, SMALLEST, LARGEST), np.round(rung)])
    return at, faded(across, FAR * size.max(axis=1))


def _cells(at):
    """Cells (C, 3) of the lattice in which places are, and which (N,)."""
    first, sides = np.array([SMALLEST, SMALLEST, int(np.log(SLOWEST) / RUNG)]), (LARGEST - SMALLEST + 1,) * 2 + (200,)
    found, of_cell = np.unique(np.ravel_multi_index((np.floor(at).astype(int) - first).T, sides), return_inverse=True)
    return np.stack(np.unravel_index(found, sides), axis=1) + first, of_cell


def _reaching(body, k, patches, rate):
    """Patches (N, 7) that come near, placed, and rates (N,) of theirs (T,)."""
    w = body.near.tread[k]
    mine = patches[..., w, :, :]
    there = mine[..., SHARE] > 0.0
    mine, rate = placed(body.treads[w], mine[there]), rate[np.nonzero(there)[0]]
    come = fade(mine[:, Y], body.near.place[k]) > 0.0
    return mine[come], rate[come]


def _table(near, k, radius, point, reach, turning):
    """FieldTable of a point of the lattice less the usual patch; of a rung alone of that less the smooth load."""
    *size, rung = point if isinstance(point, tuple) else (point,)
    shorter, finer = 4 if size else 1, 2 if size and size[1] <= NARROW else 1  # the size is not felt so far away
    length = (max(LENGTH[0], REACH / near.wave_limit[k]) / shorter, LENGTH[1] / finer)
    count = COUNT[0] // shorter, COUNT[1]
    spacing = tuple(size / count for size, count in zip(length, count, strict=True))
    kx, ky = grid_waves(spacing, count)
    rows = _grid_rows(spacing, count, *near_depth(near, k, radius), near.youngs_modulus[k], near.poissons_ratio[k])
    most = [min(0.45 * length[0], 0.9 * np.pi * radius), 0.45 * length[1]]
    along = faded(kx * np.exp(RUNG * rung) / (2.0 * np.pi), STOP_HZ)
    load = ellipsoid_wave(kx, ky, USUAL, USUAL)[0] * along * faded(ky, ky.max() / finer)
    waves = [load - smooth_wave(kx, near.wave_limit[k]) * hat_wave(ky, near.half_width[k])]
    if size:
        sizes = USUAL * np.exp(LATTICE * np.array(size))
        most = np.fmin(most, FAR * max(*np.exp(LATTICE) * sizes, USUAL))  # of patches from this point to the next
        own, grown = (wave * along * faded(ky, ky.max()) for wave in ellipsoid_wave(kx, ky, *sizes))
        square = np.maximum((sizes[0] * kx) ** 2 + (sizes[1] * ky) ** 2, 1e-30)
        waves = [own - load, grown * (sizes[0] * kx) ** 2 / square, grown * (sizes[1] * ky) ** 2 / square]
    table = field_table(np.stack(waves), rows, spacing, count, np.fmin(reach, most))
    if turning:  # the node comes to the ends of the table, where the field must not stop at once
        x = table.spacing[0] * np.arange(-2, len(table.value) - 2)
        table.value[:] *= faded(x, most[0])[:, None, None]
    return table


@lru_cache(maxsize=4)
def _grid_rows(spacing, count, depth, growth, youngs_modulus, poissons_ratio):
    """`half_space_rows` on the grid of a near node, times a factor."""
    return half_space_rows(*grid_waves(spacing, count), depth, Material(youngs_modulus, poissons_ratio, 0.0)) * growth


def faded(x, end):
    """1 to half of an end, 0 at it, a cosine between.

    A transform cut off at its highest wave rings: 3 dB 27 mm beside a patch, where the field is 1e-4 of that under it.
    """
    return 0.5 * (1.0 + np.cos(np.pi * np.clip(2.0 * np.abs(x) / end - 1.0, 0.0, 1.0)))


def near_depth(near, k, radius):
    """Depth [m] at which the half-space decays as the ring under its surface of that radius does, and a factor."""
    left = radius / (radius - near.depth[k])
    return float(radius * np.log(left)), float(np.sqrt(left))
