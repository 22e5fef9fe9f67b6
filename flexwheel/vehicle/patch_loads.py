"""Loads of the contact patches of a run on the nodes near the running surface.

The force F of a wheel is shared among its patches by their normal loads and by the directions e of their forces, F_i =
A_i F with the sum of A_i = 1 (`_part`). For each, the wrench that it has on the profile as a whole gives way to a
smooth load at its place, which the mesh resolves, and the field of a half-space under the patch less that load
(`patch_motion`).
"""

from collections import deque
from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.body.tread_field import way_along
from flexwheel.numerics.kernels import kernel

FADE = 0.005  # [m] beyond the band of loads over which a patch is left to the profile as a whole
ISOTROPIC = 0.003  # share of a patch that any direction has: those 3 degrees apart are not told apart
_lies = deque(maxlen=4)  # (profile, what _lie_of made of it)
X, Y, SHARE, HALF_LENGTH, HALF_WIDTH, FIELD, UP = range(7)
"""Columns of a history's patches: place ahead of the lowest point and on the profile, positive to the field side [m];
share of the wheel's load; half length and half width [m]; its force on the wheel, to the field side and up [N]."""


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
    tread, mine, found = body.treads[w], np.ascontiguousarray(patches[:, w]), []
    left = np.array(wrench)
    own = left[..., 6 * w : 6 * w + 6]
    forces = own[..., :3].copy()
    for slot in range(mine.shape[1]):
        rows = np.flatnonzero(mine[:, slot, SHARE] > 0.0)
        patch = placed(tread, mine[rows, slot])
        weight = fade(patch[:, Y], place)
        if not np.all(weight > 0.0):
            rows, patch, weight = (of[weight > 0.0] for of in (rows, patch, weight))
        if not len(rows):
            continue
        first, share = between_places(place, patch[:, Y])
        taken = _Taken(rows, slot, weight, first, share, inclination(tread, patch[:, Y]))
        smooth, local = np.empty((len(rows), 3, 12)), np.empty((3, len(rows), 3))
        _take(own, forces, mine, taken, (tread.side, tread.lateral, near.across[k], near.rise[k]), smooth, local)
        found.append(NearLoad(rows, smooth, 3 * first, patch[:, X] / tread.radius, patch, local))
    return found, left


class _Taken(NamedTuple):
    """Patches of one slot that are taken from the wrenches."""

    rows: np.ndarray  # (N,) samples
    slot: int
    weight: np.ndarray  # (N,) of what is taken
    first: np.ndarray  # (N,) first of four places of the band
    share: np.ndarray  # (N, 4) of these
    angle: np.ndarray  # (N,) by which the surface rises with y there [rad]


@kernel
def _take(own, forces, patches, taken, places, smooth, local):
    """Take one patch from what is left of the wheel's wrenches, and set `smooth` and `force` of its NearLoad.

    Parameters
    ----------
    own : (T, 3, 6)        what is left; changed
    forces : (T, 3, 3)     of the wheel
    patches : (T, P, 7)    of the wheel
    taken : _Taken
    places : (side, lateral [m], across (n,), rise (n,))   of the wheel; from its middle to the places of the band [m]
    smooth : (N, 3, 12), local : (3, N, 3)   set
    """
    side, lateral, across, rise = places
    for i in range(len(taken.rows)):
        t, first, share = taken.rows[i], taken.first[i], taken.share[i]
        along, yy, yz, zy, zz = _part(patches[t], taken.slot, side)
        weight, c, s = taken.weight[i], np.cos(taken.angle[i]), np.sin(taken.angle[i])
        ax, ay, az = patches[t, taken.slot, X], -lateral, 0.0
        for n in range(4):
            ay += share[n] * across[first + n]
            az += share[n] * rise[first + n]
        for d in range(3):
            x, y, z = forces[t, d, 0], forces[t, d, 1], forces[t, d, 2]
            fx, fy, fz = weight * along * x, weight * (yy * y + yz * z), weight * (zy * y + zz * z)
            load = (fx, fy, fz, ay * fz - az * fy, az * fx - ax * fz, ax * fy - ay * fx)
            for n in range(6):
                own[t, d, n] -= load[n]
            for n in range(12):
                smooth[i, d, n] = share[n // 3] * load[n % 3]
            local[d, i, 0], local[d, i, 1], local[d, i, 2] = fx, c * fy - s * fz, s * fy + c * fz


@kernel
def _part(patches, slot, side):
    """A_i of the wheel's force that a patch of (P, 7) has: its element along, and yy, yz, zy, zz across.

    Across, A_i = w_i (e_i e_i^T + eps) (sum of the same)^-1, e_i the direction of the patch's force, w_i its share: two
    patches of different directions have what makes up the force. Along by shares. The sum of all is 1.
    """
    several, sum_a, sum_b, sum_c, a, b, c = 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for p in range(len(patches)):
        share, y, z = patches[p, SHARE], patches[p, FIELD], patches[p, UP]
        if share > 0.0:
            size = max(np.sqrt(y * y + z * z), 1e-30)
            y, z = (side * y / size, z / size) if np.isfinite(size) else (0.0, 0.0)
            own_a, own_b, own_c = share * (y * y + ISOTROPIC), share * y * z, share * (z * z + ISOTROPIC)
            several += 1
            sum_a, sum_b, sum_c = sum_a + own_a, sum_b + own_b, sum_c + own_c
            if p == slot:
                a, b, c = own_a, own_b, own_c
    share = patches[slot, SHARE]
    if several == 1:
        return share, share, 0.0, 0.0, share
    scale = 1.0 / (sum_a * sum_c - sum_b * sum_b)
    yy, yz = scale * (a * sum_c - b * sum_b), scale * (b * sum_a - a * sum_b)
    return share, yy, yz, scale * (b * sum_c - c * sum_b), scale * (c * sum_a - b * sum_b)


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
    way = way_along(tread, tread.profile[:, 0])
    _lies.append((tread.profile, scipy.interpolate.PchipInterpolator(way, tread.profile)))
    return _lies[-1][1]


def placed(tread, patch):
    """Patches (..., 7) with Y along the profile."""
    out = patch.copy()
    out[..., Y] = way_along(tread, tread.lateral + tread.side * patch[..., Y])
    return out


def fade(y, place):
    """Weight of patches at y: 1 over the band of the loads, 0 beyond it."""
    beyond = np.maximum(place[0] - y, y - place[-1]) / FADE
    x = np.clip(np.nan_to_num(beyond, nan=1.0), 0.0, 1.0)
    return 1.0 - x * x * (3.0 - 2.0 * x)
