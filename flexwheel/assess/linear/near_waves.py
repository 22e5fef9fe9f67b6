"""Waves of the circumferential orders at a control node on or near a running surface, under a patch that stands.

What `patch_motion` is for a run, for one patch a wheel: with the smooth load's rows at the place of the patch and
the half-space's field of the patch less that load, order k of the angle is the wave number -k/R along.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.variables import PATCH
from flexwheel.body.half_space_field import ellipsoid_wave, half_space_rows
from flexwheel.body.mesh import Material
from flexwheel.body.tread_field import hat_wave, smooth_wave, way_along
from flexwheel.vehicle.patch_loads import HALF_LENGTH, HALF_WIDTH, SHARE, X, Y, between_places, inclination, placed
from flexwheel.vehicle.patch_motion import COUNT, LENGTH, faded, in_section_axes, near_depth, surface_axes

HIGHEST_WAVE = 8.0  # half lengths of the patch times the wave number: 5 % of the pressure's transform is left
ACROSS = np.pi * COUNT[1] / LENGTH[1], 10.0  # [1/m] highest wave number across, that of a run's grid, and its step
CHUNK = 50
MOVES = X, Y, HALF_LENGTH, HALF_WIDTH
"""Columns that move with the load and the pose of the wheel, in the order of `linearise.PLACE`."""
MOVE = 1e-5  # [m] of them, either way, for derivatives: a fortieth of the shortest wave across over 2 pi


class StandingPatches(NamedTuple):
    """Contact patches of a wheelset in steady running and what it carries on them."""

    patches: np.ndarray  # (2, P, 7) columns of patch_loads
    wrench: np.ndarray  # (12,) on the wheels about their profile origins

    def heaviest(self, w):
        """The patch (7,) of a wheel that carries most."""
        return self.patches[w, np.argmax(np.nan_to_num(self.patches[w, :, SHARE]))]


def standing_patches(linear, wheelset):
    """StandingPatches of a wheelset of a LinearModel."""
    records = linear.patches[wheelset]
    load = records[..., PATCH.normal_force]
    share = load / np.maximum(load.sum(axis=-1, keepdims=True), 1e-300)
    columns = [records[..., c] for c in (PATCH.x_contact, PATCH.y_wheel, PATCH.half_length, PATCH.half_width)]
    forces = np.zeros_like(load)  # on straight track one patch carries the wheel
    patches = np.stack([*columns[:2], share, *columns[2:], forces, forces], axis=-1)
    return StandingPatches(patches, linear.steady[3][wheelset].ravel())


def with_patch(body, k, standing, order, load):
    """Orders and rows (K, 9, L + 8) with the patch of the near node's wheel in them, the last 8 by MOVES of the
    patches, left before right, under the steady wrench.

    Parameters
    ----------
    standing : StandingPatches    of the wheelset; the largest share counts
    order : (K,)                  ascending
    load : (K, 9, L)              of the wrenches on the profiles as wholes, node at section 0
    """
    near, w = body.near, body.near.tread[k]
    tread, patch = body.treads[w], standing.heaviest(w)
    steps = MOVE * np.eye(len(patch))[list(MOVES)]
    varied = placed(tread, patch + np.concatenate([[0.0 * patch], steps, -steps]))
    place = near.place[k]
    if not (patch[SHARE] > 0.0 and place[0] <= varied[0, Y] <= place[-1]):
        return order, with_moves(load)
    most = max(int(order[-1]), int(np.ceil(HIGHEST_WAVE / patch[HALF_LENGTH] * tread.radius)))
    wide = np.zeros((2 * most + 1, *load.shape[1:]), dtype=complex)
    wide[most + order[0] : most + order[-1] + 1] = load
    local = _half_space(body, k, varied, most)
    rows = [_under(body, k, at, wide.copy(), field) for at, field in zip(varied, local, strict=True)]
    steady = [own[..., : len(standing.wrench)] @ standing.wrench for own in rows[1:]]
    out = with_moves(rows[0])
    for c in range(len(MOVES)):
        out[..., load.shape[2] + len(MOVES) * w + c] = (steady[c] - steady[c + len(MOVES)]) / (2.0 * MOVE)
    return np.arange(-most, most + 1), out


def with_moves(load):
    """Rows (K, 9, L) with those by MOVES of both patches behind them, which are 0."""
    return np.concatenate([load, np.zeros((*load.shape[:2], 2 * len(MOVES)), dtype=load.dtype)], axis=2)


def _under(body, k, patch, wide, local):
    """Rows (2 most + 1, 9, L) `wide` of wrenches on the profiles, with a patch (7,) in place of its wheel's, whose
    half-space has the waves `local`."""
    near, w = body.near, body.near.tread[k]
    tread, place, most = body.treads[w], near.place[k], len(wide) // 2
    first, share = between_places(place, patch[Y])
    basis = np.zeros(len(place))
    basis[first : first + 4] = share
    arm, rise = basis @ near.across[k] - tread.lateral, basis @ near.rise[k]
    at = 6 * w
    smooth = smooth_wave(np.arange(-most, most + 1) / tread.radius, near.wave_limit[k])
    wide[..., at : at + 6] *= smooth[:, None, None]
    moments = wide[..., at + 3 : at + 6].copy()
    table = np.einsum("scma,m->sca", np.concatenate([near.displacement[k], near.stress[k]], axis=1), basis)
    sections = len(table)
    waves = np.fft.fft(table, axis=0) / sections
    own = np.fft.fftfreq(sections, 1.0 / sections).astype(int)
    inside = np.abs(own) * 2 < sections  # of the highest order the smooth load holds nothing
    added = np.zeros((2 * most + 1, 9, 3), dtype=complex)
    added[most + own[inside]] = waves[inside]
    added += local
    added *= np.exp(1j * np.arange(-most, most + 1) * patch[X] / tread.radius)[:, None, None]
    wide[..., at : at + 3] = added
    wide[..., at + 2] -= arm * moments[..., 0]
    wide[..., at + 1] += rise * moments[..., 0]
    wide[..., at] += arm * moments[..., 2] - rise * moments[..., 1]
    wide[..., at + 2] += patch[X] * moments[..., 1]
    wide[..., at + 1] -= patch[X] * moments[..., 2]
    return wide


def _half_space(body, k, patches, most):
    """(V, 2 most + 1, 9, 3) waves of the half-space under each of patches (V, 7) less the smooth load."""
    near, tread = body.near, body.treads[body.near.tread[k]]
    radius, here = tread.radius, way_along(tread, body.control.position[near.node[k], 1])
    loaded, lies = surface_axes(inclination(tread, patches[:, Y])), inclination(tread, here)
    depth, growth = near_depth(near, k, radius)
    material = Material(float(near.youngs_modulus[k]), float(near.poissons_ratio[k]), 0.0)
    ky = np.arange(-ACROSS[0], ACROSS[0] + 1.0, ACROSS[1]) + 0.5 * ACROSS[1]
    across = np.exp(1j * ky * (here - patches[:, Y, None])) * ACROSS[1] / (2.0 * np.pi)
    sizes, of = np.unique(patches[:, [HALF_LENGTH, HALF_WIDTH]], axis=0, return_inverse=True)
    out = np.zeros((len(patches), 2 * most + 1, 9, 3), dtype=complex)
    for start in range(0, most + 1, CHUNK):
        order = np.arange(start, min(start + CHUNK, most + 1))
        kx = -order[:, None] / radius
        smooth = smooth_wave(kx, near.wave_limit[k]) * hat_wave(ky, near.half_width[k])
        rows = half_space_rows(np.broadcast_to(kx, smooth.shape), np.broadcast_to(ky, smooth.shape), depth, material)
        load = np.stack([ellipsoid_wave(kx, ky, *size)[0] * faded(ky, ACROSS[0]) - smooth for size in sizes], axis=-1)
        waves = rows.reshape(27, *smooth.shape).swapaxes(0, 1) @ (load[..., of] * across.T)  # (k, 27, V)
        for v in range(len(patches)):
            wave = waves[..., v].reshape(-1, 9, 3).swapaxes(0, 1) @ loaded[v] * growth / (2.0 * np.pi * radius)
            wave = in_section_axes(wave, lies).swapaxes(0, 1)
            out[v, most + order] = wave
            out[v, most - order] = wave.conj()
    return out
