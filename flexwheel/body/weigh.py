"""Mass, centre and inertia of a mesh by the quadrature of its mass matrix, without the matrix."""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import check_materials
from flexwheel.body.attached_mass import mass_points
from flexwheel.body.elements import element_tables
from flexwheel.body.mesh import Mesh

PIECE = 4000  # elements at once: 30 MB


class Weight(NamedTuple):
    """Rigid-body figures of a mesh."""

    mass: float  # [kg]
    centre: np.ndarray  # (3,) [m]
    inertia: np.ndarray  # (3, 3) about the centre [kg m2]


def weigh(mesh: Mesh) -> Weight:
    """Weight of a mesh with its attached masses.

    Raises
    ------
    MeshError      a material without modulus or density, an inverted element, as `assemble`

    Verified in tests/body/test_growth.py.
    """
    check_materials(mesh)
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for weight, at in _points(mesh):
        mass += weight.sum()
        first += weight @ at
        second += (weight[:, None] * at).T @ at
    centre = first / mass
    spread = second - mass * np.outer(centre, centre)
    return Weight(float(mass), centre, np.trace(spread) * np.eye(3) - spread)


def _points(mesh):
    """Mass [kg] and place of all points of quadrature, piece by piece, and of the attached masses."""
    if mesh.has_points:
        points = mass_points(mesh)
        yield points.mass, points.position
    for block in mesh.blocks:
        tables, density = element_tables(block.kind), mesh.materials[block.material].density
        for start in range(0, len(block.connectivity), PIECE):
            x = mesh.nodes[block.connectivity[start : start + PIECE]]
            volume = _determinant(np.einsum("qna,enb->eqab", tables.mass_gradients, x, optimize=True))
            bad = np.flatnonzero(~(volume > 0.0).all(axis=1))
            if len(bad):
                raise MeshError(f"{block.kind} element {block.ids[start + bad[0]]}: Jacobian not positive")
            yield (density * volume * tables.mass_weights).ravel(), (tables.mass_shape @ x).reshape(-1, 3)


def _determinant(j):
    """Of matrices (..., 3, 3)."""
    cross = np.cross(j[..., 1, :], j[..., 2, :])
    return np.einsum("...a,...a->...", j[..., 0, :], cross)
