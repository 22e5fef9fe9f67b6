"""Volume, mass, centre and inertia of a mesh by quadrature over its elements; printed at import."""

import weakref
from typing import NamedTuple

import numpy as np

from flexwheel.body import quadrature
from flexwheel.body.elements import LINEAR_KIND, REFERENCE_NODES, shape_functions, shape_gradients
from flexwheel.body.mesh import Mesh

_RULES = {  # exact for the inertia of a straight-edged element
    "hex8": quadrature.cube(3),
    "wedge6": quadrature.wedge(6, 3),
    "tet4": quadrature.tetrahedron(14),
    "pyramid5": quadrature.pyramid(4),
}


class MeshMass(NamedTuple):
    """Integrals over the body; with density 1 where the mesh has no material."""

    volume: float  # [m3]
    mass: float  # [kg], or [m3] without material
    centre: np.ndarray  # (3,) [m]
    inertia: np.ndarray  # (3, 3) about the centre [kg m2]


class _Last:
    """The mesh asked for last: an import asks twice."""

    mesh = staticmethod(lambda: None)
    properties = None


def mass_properties(mesh: Mesh) -> MeshMass:
    """Volume, mass, mass centre and inertia tensor of a mesh.

    Returns
    -------
    MassProperties   inertia about the centre, mesh axes

    Verified in tests/verification/test_mesh_import_place_verified.py.
    """
    if _Last.mesh() is not mesh:
        _Last.properties, _Last.mesh = _integrals(mesh), weakref.ref(mesh)
    return _Last.properties


def _integrals(mesh):
    """MassProperties by quadrature."""
    volume, mass, first, second = 0.0, 0.0, np.zeros(3), np.zeros((3, 3))
    for block in mesh.blocks:
        density = mesh.materials[block.material].density if mesh.materials else 1.0
        rule = _RULES[LINEAR_KIND[block.kind]]
        corners = mesh.nodes[block.connectivity]
        coordinates = corners.transpose(0, 2, 1).reshape(-1, corners.shape[1])
        for n, dn, weight in zip(
            shape_functions(block.kind, rule.points),
            shape_gradients(block.kind, rule.points),
            rule.weights,
            strict=True,
        ):
            cell = weight * _determinant((coordinates @ dn).reshape(-1, 3, 3))
            x = (coordinates @ n).reshape(-1, 3)
            volume += cell.sum()
            mass += density * cell.sum()
            first += density * cell @ x
            second += density * (x * cell[:, None]).T @ x
    for item in mesh.masses if mesh.materials else ():
        mass += item.mass
        first += item.mass * item.position
        second += item.mass * np.outer(item.position, item.position)
        second += 0.5 * np.trace(item.inertia) * np.eye(3) - item.inertia
    if mesh.beams is not None:
        x, weight = mesh.beams.position.reshape(-1, 3), mesh.beams.mass.ravel()
        mass, first, second = mass + weight.sum(), first + weight @ x, second + (x * weight[:, None]).T @ x
    centre = first / mass
    about_centre = second - mass * np.outer(centre, centre)
    return MeshMass(volume, mass, centre, np.trace(about_centre) * np.eye(3) - about_centre)


def vertex_jacobians(kind: str, corners: np.ndarray) -> np.ndarray:
    """Determinant of the Jacobian at the vertices and the middle of elements (E, n, 3) -> (E, v + 1)."""
    reference = REFERENCE_NODES[LINEAR_KIND[kind]]
    points = np.concatenate([reference, reference.mean(axis=0, keepdims=True)])
    coordinates = corners.transpose(0, 2, 1).reshape(-1, corners.shape[1])
    gradients = shape_gradients(kind, points)
    return np.stack([_determinant((coordinates @ dn).reshape(-1, 3, 3)) for dn in gradients], axis=1)


def _determinant(jacobian: np.ndarray) -> np.ndarray:
    """det dx/dxi, (E, 3, 3) -> (E,)."""
    a, b, c = (jacobian[:, :, k].T for k in range(3))
    normal = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    return normal[0] * c[0] + normal[1] * c[1] + normal[2] * c[2]
