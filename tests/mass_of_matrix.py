"""Mass properties from a mass matrix and its rigid motions, whatever couples its axes."""

from typing import NamedTuple

import numpy as np

from flexwheel.body.rigid_motion import rigid_modes


class MassProperties(NamedTuple):
    """Mass, centre and inertia tensor of a body."""

    mass: float  # [kg]
    centre: np.ndarray  # (3,) mesh coordinates [m]
    inertia: np.ndarray  # (3, 3) about the centre, mesh axes [kg m2]


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
