"""Turning the modal coordinates back after each step: the two Eulerian variants of a flexible wheelset.

A step is integrated in material coordinates w on a mesh that turns by d_alpha; afterwards the mesh is put
back and every stored value (w, w', w'', past values of a multistep method) is referred to it anew. The
displacement field itself is then turned forward by d_alpha relative to the mesh:

    exact:           w <- expm(J d_alpha) w                              2x2 rotations of the mode pairs
    interpolated:    w <- (1 - lambda) w + lambda X_p w,  lambda = d_alpha / sector angle    paper 004,
                     (17)-(24)

A turn by one sector maps a pair of order n to a turn by n beta, so the interpolation shortens the pair by
|1 - lambda + lambda exp(i n beta)| each step. That is artificial damping; its rate at small lambda is
n^2 beta Omega / 2 whatever the step.

Verified in tests/verification/test_bodies_eulerian_map.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexwheel.errors import MeshError
from flexwheel.kernel import kernel


class TurningPairs(NamedTuple):
    """Mode pairs (i, j) with J[j, i] = order, J[i, j] = -order; modes in no pair are of order zero."""

    pair: np.ndarray  # (K, 2)
    order: np.ndarray  # (K,) signed; as measured on the mesh, within 1e-3 of a whole number


def turning_pairs(generator, frequency_hz, closure_defect=0.0, tolerance=1e-3, name="flexible body") -> TurningPairs:
    """Mode pairs of a basis that turns into itself, or a refusal that names the modes at fault.

    Parameters
    ----------
    generator : (H, H)           J, skew: a field turned by +theta about y has coefficients expm(J theta) w
    frequency_hz : (H,)          for the message
    closure_defect : float       largest part of a turned mode outside the basis
    tolerance : float            on the defect, on coupling outside the pairs and on the distance to a
                                 whole order

    Raises
    ------
    MeshError                    the basis is not closed under rotation
    """
    generator = np.asarray(generator, dtype=float)
    count = len(generator)
    remedy = 'use "lagrangian", or a mesh of revolution whose mode pairs are kept whole'

    def modes(i, j):
        return f"modes {i + 1} and {j + 1} ({frequency_hz[i]:.2f} and {frequency_hz[j]:.2f} Hz)"

    if not np.isfinite(generator).all() or not np.isfinite(closure_defect):
        raise MeshError(f"{name}: the mesh is not of revolution, so its modes cannot be turned; {remedy}")
    partner = np.full(count, -1)
    pairs, orders = [], []
    for i in range(count):
        if partner[i] >= 0:
            continue
        j = int(np.argmax(np.abs(generator[:, i])))
        size = abs(generator[j, i])
        if size < 0.5:
            continue
        if partner[j] >= 0:
            k = int(partner[j])
            raise MeshError(f"{name}: {modes(i, j)} are coupled by rotation, and so are {modes(j, k)}; {remedy}")
        if abs(size - round(size)) > tolerance * max(1.0, size):
            raise MeshError(
                f"{name}: {modes(i, j)} turn into each other with order {size:.4f}, not a whole number: "
                f"the pair is not closed under rotation; {remedy}"
            )
        partner[i], partner[j] = j, i
        pairs.append((i, j))
        orders.append(generator[j, i])
    rest = generator.copy()
    for (i, j), n in zip(pairs, orders, strict=True):
        rest[j, i] -= n
        rest[i, j] += n
    if count and np.abs(rest).max() > tolerance * max(1.0, np.abs(generator).max()):
        j, i = np.unravel_index(np.argmax(np.abs(rest)), rest.shape)
        raise MeshError(
            f"{name}: rotation couples {modes(i, j)} by {abs(rest[j, i]):.2e} outside the pairs, "
            f"allowed {tolerance:.0e}; {remedy}"
        )
    if closure_defect > tolerance:
        worst = [p for p in range(count) if partner[p] < 0] or [count - 1]
        i = worst[-1]
        raise MeshError(
            f"{name}: a turned mode leaves the basis by {closure_defect:.2e}, allowed {tolerance:.0e} "
            f"(look at mode {i + 1}, {frequency_hz[i]:.2f} Hz, which has no partner); {remedy}"
        )
    return TurningPairs(np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(orders, dtype=float))


@kernel()
def turn_modes(pairs, angle, values):
    """values <- expm(J angle) values in place, values (H,); angle [rad] about +y."""
    for p in range(pairs.pair.shape[0]):
        i, j = pairs.pair[p, 0], pairs.pair[p, 1]
        c, s = np.cos(pairs.order[p] * angle), np.sin(pairs.order[p] * angle)
        x, y = values[i], values[j]
        values[i] = c * x - s * y
        values[j] = s * x + c * y


@kernel()
def interpolate_modes(sector_map, part, values, scratch):
    """values <- (1 - part) values + part X_p values in place; part = d_alpha / sector angle.

    Whole sectors in `part` are turned by X_p itself, so that the interpolation always lies between two
    neighbouring meshes; a negative part (rolling backwards) uses the transpose, which turns back.
    """
    h = values.shape[0]
    forward = part >= 0.0
    left = abs(part)
    while left > 0.0:
        share = min(left, 1.0)
        for k in range(h):
            turned = 0.0
            for i in range(h):
                turned += (sector_map[k, i] if forward else sector_map[i, k]) * values[i]
            scratch[k] = (1.0 - share) * values[k] + share * turned  # (17), (24)
        for k in range(h):
            values[k] = scratch[k]
        left -= share


def artificial_damping(order, sector_angle, spin_rate, dt):
    """Decay rate and frequency error that the interpolation gives a pair of order n.

    Parameters
    ----------
    order : int or array           n
    sector_angle : float [rad]     beta
    spin_rate : float [rad/s]      Omega
    dt : float [s]

    Returns
    -------
    rate : same as order [1/s]     amplitude decays as exp(-rate t); n^2 beta Omega / 2 at small Omega dt
    shift : same as order [rad/s]  turn of the pattern beyond n Omega
    """
    part = abs(spin_rate) * dt / sector_angle
    whole, share = np.floor(part), part - np.floor(part)
    n = np.asarray(order, dtype=float)
    factor = 1 - share + share * np.exp(1j * n * sector_angle)
    rate = -np.log(np.abs(factor)) / dt
    shift = (np.angle(factor) + n * sector_angle * whole) / dt - n * abs(spin_rate)
    return rate, shift * np.sign(spin_rate)


def measured_damping(generator, sector_map, sector_angle, spin_rate, dt, steps=1000):
    """Decay rate (H,) [1/s] of each mode's pair under `steps` applications of the interpolated map itself.

    Measured, for the report of a run: the norm of the turned-back coordinates after a start in that mode
    alone.
    """
    count = len(generator)
    rate = np.zeros(count)
    scratch = np.empty(count)
    sector_map = np.ascontiguousarray(sector_map, dtype=float)
    for k in range(count):
        values = np.zeros(count)
        values[k] = 1.0
        for _ in range(steps):
            interpolate_modes(sector_map, spin_rate * dt / sector_angle, values, scratch)
        rate[k] = -np.log(np.linalg.norm(values)) / (steps * dt)
    return rate
