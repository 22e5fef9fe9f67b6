"""Turning of modal coordinates about the axle: one field seen from a spinning and a non-turning mesh."""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import FAST, kernel

PAIRED = 1e-12
"""Of the largest square of an order, off the diagonal of J^2: rounding."""


class ModeTurning(NamedTuple):
    """The generator J of the modes' rotation, made once per body.

    Where its square is diagonal, as of modes that turn into themselves, that is all that a rotation needs; else the
    unitary eigenvectors, J = U diag(i order) U^H.
    """

    generator: np.ndarray  # (H, H)
    order: np.ndarray  # (H,) float
    vectors: np.ndarray | None  # (H, H) complex


def mode_turning(generator):
    """ModeTurning of the skew generator J (H, H) of ReducedBody."""
    square = -generator @ generator
    own = np.diag(square)
    if np.max(np.abs(square - np.diag(own)), initial=0.0) <= PAIRED * np.max(own, initial=0.0):
        return ModeTurning(generator, np.sqrt(np.maximum(own, 0.0)), None)
    order, vectors = np.linalg.eigh(-1j * generator)
    return ModeTurning(generator, order, vectors)


def turned(turning, coefficients, angle):
    """Coefficients of the field turned by +angle about y: expm(J angle) w.

    Parameters
    ----------
    turning : ModeTurning
    coefficients : (T, H) float
    angle : (T,) float [rad]

    Returns
    -------
    (T, H) float
    """
    return turned_rows(turning, np.eye(len(turning.order)), [coefficients], angle)[0]


def turned_rows(turning, rows, coefficients, angle):
    """Rows (n, H) times each of several `coefficients` as `turned`: list of (T, n)."""
    if turning.vectors is not None:
        waves = np.exp(1j * np.outer(angle, turning.order))
        rows = turning.vectors.T @ rows.T
        return [((w @ turning.vectors.conj() * waves) @ rows).real for w in coefficients]
    each, place = np.unique(turning.order, return_inverse=True)  # cos(n a) w + sin(n a) J w / n
    turns = np.outer(angle, each)
    waves = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    across = rows @ (turning.generator / np.where(turning.order > 0.0, turning.order, 1.0)[:, None])
    found = []
    for w in coefficients:
        found.append(np.empty((len(angle), len(rows))))
        sum_turned(
            np.stack([rows, across]), place, waves, np.ascontiguousarray(w), np.empty((2, len(place))), found[-1]
        )
    return found


@kernel(fastmath=FAST)
def sum_turned(rows, place, waves, coefficients, turned, out):
    """Rows (2, n, H) times coefficients (T, H) times waves (T, 2, N), the p-th of which is that of mode h by `place`.

    turned : (2, H)     scratch
    out : (T, n)
    """
    for t in range(out.shape[0]):
        for h in range(place.shape[0]):
            w, p = coefficients[t, h], place[h]
            turned[0, h], turned[1, h] = waves[t, 0, p] * w, waves[t, 1, p] * w
        for n in range(out.shape[1]):
            total = 0.0
            for h in range(place.shape[0]):
                total += rows[0, n, h] * turned[0, h] + rows[1, n, h] * turned[1, h]
            out[t, n] = total


def material_rates(generator, position, velocity, acceleration, spin_rate, spin_acceleration):
    """Rates of the material from time derivatives of coefficients held in the non-turning mesh.

    R w_S' = w' - W J w and R w_S'' = w'' - 2 W J w' + (W^2 J^2 - W' J) w, W the spin rate.

    Parameters
    ----------
    generator : (H, H)
    position, velocity, acceleration : (T, H)
    spin_rate : (T,) [rad/s]
    spin_acceleration : (T,) [rad/s2]

    Returns
    -------
    (T, H), (T, H)      velocity and acceleration seen from the spinning wheel, axes of the non-turning mesh
    """
    rate = spin_rate[:, None]
    turned_position = position @ generator.T
    material_velocity = velocity - rate * turned_position
    material_acceleration = (
        acceleration
        - 2.0 * rate * (velocity @ generator.T)
        + rate**2 * (turned_position @ generator.T)
        - spin_acceleration[:, None] * turned_position
    )
    return material_velocity, material_acceleration
