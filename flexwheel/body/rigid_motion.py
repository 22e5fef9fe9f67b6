"""Rigid motions of a mesh and the mass properties they give with a mass matrix."""

from typing import NamedTuple

import numpy as np


class MassProperties(NamedTuple):
    """Mass, centre and inertia tensor of a body."""

    mass: float  # [kg]
    centre: np.ndarray  # (3,) mesh coordinates [m]
    inertia: np.ndarray  # (3, 3) about the centre, mesh axes [kg m2]


def rigid_modes(nodes, point=(0.0, 0.0, 0.0)):
    """Unit translations along x, y, z and unit rotations about x, y, z through `point`.

    Parameters
    ----------
    nodes : (N, 3) [m]
    point : (3,) [m]

    Returns
    -------
    modes : (3 N, 6)   columns 0-2 [m/m], columns 3-5 [m/rad]: theta x (node - point)
    """
    x, y, z = (np.asarray(nodes, dtype=float) - np.asarray(point, dtype=float)).T
    modes = np.zeros((len(x), 3, 6))
    modes[:, [0, 1, 2], [0, 1, 2]] = 1.0
    modes[:, 1, 3], modes[:, 2, 3] = -z, y
    modes[:, 0, 4], modes[:, 2, 4] = z, -x
    modes[:, 0, 5], modes[:, 1, 5] = -y, x
    return modes.reshape(-1, 6)


def mass_properties(nodes, mass_matrix) -> MassProperties:
    """Mass, centre and inertia about the centre from the mass matrix, exact for the mesh as a body."""
    centred = np.asarray(nodes, dtype=float) - np.mean(nodes, axis=0)  # large offsets would cancel digits
    rigid = rigid_modes(centred)
    generalized = rigid.T @ (mass_matrix @ rigid)
    total = float(generalized[0, 0])
    first = np.array([generalized[1, 5], generalized[2, 3], generalized[0, 4]])  # int rho (x, y, z)
    offset = first / total
    square = offset @ offset
    inertia = generalized[3:, 3:] - total * (square * np.eye(3) - np.outer(offset, offset))
    return MassProperties(total, np.mean(nodes, axis=0) + offset, 0.5 * (inertia + inertia.T))
