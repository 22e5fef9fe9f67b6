"""Turning of modal coordinates about the axle: one field seen from a spinning and a non-turning mesh."""

from typing import NamedTuple

import numpy as np


class ModeTurning(NamedTuple):
    """Eigenvectors of the generator J, made once per body."""

    vectors: np.ndarray  # (H, H) complex, unitary
    order: np.ndarray  # (H,) float, J = U diag(i order) U^H


def mode_turning(generator):
    """Decompose the skew generator J (H, H) of ReducedBody."""
    order, vectors = np.linalg.eigh(-1j * generator)
    return ModeTurning(vectors, order)


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
    spectral = coefficients @ turning.vectors.conj()
    spectral *= np.exp(1j * np.outer(angle, turning.order))
    return (spectral @ turning.vectors.T).real


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
