"""Waves of the circumferential orders at a control node on or near a running surface, under a patch that stands.

What `patch_motion` is for a run, for one patch a wheel: with the smooth load's rows at the place of the patch and
the half-space's field of the patch less that load, order k of the angle is the wave number -k/R along.
"""

import numpy as np

from flexwheel.base.variables import PATCH
from flexwheel.body.half_space_field import ellipsoid_wave, half_space_rows
from flexwheel.body.mesh import Material
from flexwheel.body.tread_field import hat_wave, smooth_wave, way_along
from flexwheel.vehicle.patch_motion import (
    HALF_LENGTH,
    HALF_WIDTH,
    SHARE,
    X,
    Y,
    between_places,
    faded,
    in_section_axes,
    inclination,
    near_depth,
    placed,
    surface_axes,
)

HIGHEST_WAVE = 8.0  # half lengths of the patch times the wave number: 5 % of the pressure's transform is left
ACROSS = 2000.0, 10.0  # [1/m] highest wave number across and its step
CHUNK = 50


def standing_patches(linear, wheelset):
    """(2, P, 7) contact patches of a wheelset of a LinearModel, columns of patch_motion."""
    records = linear.patches[wheelset]
    load = records[..., PATCH.normal_force]
    share = load / np.maximum(load.sum(axis=-1, keepdims=True), 1e-300)
    columns = [records[..., c] for c in (PATCH.x_contact, PATCH.y_wheel, PATCH.half_length, PATCH.half_width)]
    forces = np.zeros_like(load)  # on straight track one patch carries the wheel
    return np.stack([*columns[:2], share, *columns[2:], forces, forces], axis=-1)


def with_patch(body, k, patches, order, load):
    """Orders and load rows (K, 9, L) with the patch of the near node's wheel in them.

    Parameters
    ----------
    patches : (2, P, 7)     of the wheelset, columns of patch_motion; the largest share counts
    order : (K,)            ascending, load (K, 9, L): of the wrenches on the profiles as wholes, node at section 0
    """
    near, w = body.near, body.near.tread[k]
    tread = body.treads[w]
    patch = placed(tread, patches[w, np.argmax(np.nan_to_num(patches[w, :, SHARE]))])
    place = near.place[k]
    if not (patch[SHARE] > 0.0 and place[0] <= patch[Y] <= place[-1]):
        return order, load
    most = max(int(order[-1]), int(np.ceil(HIGHEST_WAVE / patch[HALF_LENGTH] * tread.radius)))
    wide = np.zeros((2 * most + 1, *load.shape[1:]), dtype=complex)
    wide[most + order[0] : most + order[-1] + 1] = load
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
    added += _half_space(body, k, patch, most)
    added *= np.exp(1j * np.arange(-most, most + 1) * patch[X] / tread.radius)[:, None, None]
    wide[..., at : at + 3] = added
    wide[..., at + 2] -= arm * moments[..., 0]
    wide[..., at + 1] += rise * moments[..., 0]
    wide[..., at] += arm * moments[..., 2] - rise * moments[..., 1]
    wide[..., at + 2] += patch[X] * moments[..., 1]
    wide[..., at + 1] -= patch[X] * moments[..., 2]
    return np.arange(-most, most + 1), wide


def _half_space(body, k, patch, most):
    """(2 most + 1, 9, 3) waves of the half-space under the patch less the smooth load."""
    near, tread = body.near, body.treads[body.near.tread[k]]
    radius, here = tread.radius, way_along(tread, body.control.position[near.node[k], 1])
    loaded, lies = surface_axes(inclination(tread, patch[Y])), inclination(tread, here)
    depth, growth = near_depth(near, k, radius)
    material = Material(float(near.youngs_modulus[k]), float(near.poissons_ratio[k]), 0.0)
    ky = np.arange(-ACROSS[0], ACROSS[0] + 1.0, ACROSS[1]) + 0.5 * ACROSS[1]
    across = np.exp(1j * ky * (here - patch[Y])) * ACROSS[1] / (2.0 * np.pi)
    out = np.zeros((2 * most + 1, 9, 3), dtype=complex)
    for start in range(0, most + 1, CHUNK):
        order = np.arange(start, min(start + CHUNK, most + 1))
        kx = -order[:, None] / radius
        load = ellipsoid_wave(kx, ky, patch[HALF_LENGTH], patch[HALF_WIDTH])[0] * faded(ky, ACROSS[0])
        load = load - smooth_wave(kx, near.wave_limit[k]) * hat_wave(ky, near.half_width[k])
        rows = half_space_rows(np.broadcast_to(kx, load.shape), np.broadcast_to(ky, load.shape), depth, material)
        wave = np.einsum("caky,ky,ab->ckb", rows, load * across, loaded) * growth / (2.0 * np.pi * radius)
        wave = in_section_axes(wave, lies).swapaxes(0, 1)
        out[most + order] = wave
        out[most - order] = wave.conj()
    return out
