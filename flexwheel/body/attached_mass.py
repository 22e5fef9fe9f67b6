"""Point masses that nodes of a mesh carry: mass matrix, and the points whose motion they follow.

A mass at a node moves with it; its offset and inertia follow the mean rotation of the nodes around (least squares).
A mass carried by many nodes follows their mean motion (RBE3). Either way displacement and rotation of the mass are
rows of nodal displacements that reproduce every rigid motion, and mass and inertia stand as point masses: the mass
itself, and pairs at +-d on the principal axes of its second moment, so that all integrals over the body stay sums
int rho F G over points.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.coupling import averaging_rows, require_turned
from flexwheel.body.mesh import AttachedMass, Mesh

MOST_NODES = 2000  # of one mass: its block of the mass matrix is full


class MassPoints(NamedTuple):
    """Points that stand for the attached masses."""

    position: np.ndarray  # (Q, 3) [m]
    mass: np.ndarray  # (Q,) [kg]; negative where an inertia without mass needs it
    rows: sp.csr_matrix  # (3 Q, 3 N) displacement of the points from that of the nodes


def mass_points(mesh: Mesh) -> MassPoints:
    """Points of all attached masses of a mesh, then those of its beams.

    Raises
    ------
    MeshError       nodes on one line that give no rotation, an inertia that is not positive semi-definite

    Verified in tests/verification/test_attached_mass_verified.py.
    """
    positions, masses, rows = [np.zeros((0, 3))], [np.zeros(0)], [sp.csr_matrix((0, mesh.dof_count))]
    for item in mesh.masses:
        point, mass = _points(item)
        reference, motion, dofs = _motion(mesh, item, point)
        blocks = []
        for p in point:
            arm = p - reference
            cross = np.array([[0, arm[2], -arm[1]], [-arm[2], 0, arm[0]], [arm[1], -arm[0], 0]])  # theta x arm
            blocks.append(motion[:3] + cross @ motion[3:])
        block = np.vstack(blocks)
        at = np.repeat(np.arange(len(block)), len(dofs)), np.tile(dofs, len(block))
        rows.append(sp.csr_matrix((block.ravel(), at), shape=(len(block), mesh.dof_count)))
        positions.append(point)
        masses.append(mass)
    if mesh.beams is not None:
        own = mesh.beams
        dofs = (3 * own.nodes[:, :, None] + np.arange(3)).reshape(len(own.ids), 1, -1)
        block = own.rows.reshape(-1, dofs.shape[2])
        columns = np.repeat(dofs, own.rows.shape[1] * 3, axis=1).reshape(block.shape)
        at = np.repeat(np.arange(len(block)), block.shape[1]), columns.ravel()
        rows.append(sp.csr_matrix((block.ravel(), at), shape=(len(block), mesh.dof_count)))
        positions.append(own.position.reshape(-1, 3))
        masses.append(own.mass.ravel())
    return MassPoints(np.vstack(positions), np.concatenate(masses), sp.vstack(rows).tocsr())


def attached_matrix(points: MassPoints) -> sp.csr_matrix:
    """Mass matrix (3 N, 3 N) of the points [kg]; couples axes where offsets or inertias do."""
    weight = sp.diags(np.repeat(points.mass, 3))
    matrix = (points.rows.T @ weight @ points.rows).tocsr()
    return ((matrix + matrix.T) * 0.5).tocsr()


def with_points(mesh: Mesh, scalar_mass: sp.spmatrix, shapes: np.ndarray):
    """Scalar mass (N', N'), positions (N', 3) and shapes (N', 3, H) of the nodes and, behind them, the mass points.

    scalar_mass (N, N) is that of the solids alone.
    """
    if not mesh.has_points:
        return scalar_mass, mesh.nodes, shapes
    points = mass_points(mesh)
    modes = shapes.shape[2]
    moved = (points.rows @ shapes.reshape(mesh.dof_count, modes)).reshape(-1, 3, modes)
    whole = sp.block_diag([scalar_mass, sp.diags(points.mass)]).tocsr()
    return whole, np.vstack([mesh.nodes, points.position]), np.concatenate([shapes, moved])


def _points(item: AttachedMass) -> tuple[np.ndarray, np.ndarray]:
    """Positions (Q, 3) and masses (Q,) with the mass, centre and inertia of an attached mass."""
    if item.mass < 0 or np.linalg.eigvalsh(item.inertia).min(initial=0.0) < -1e-9 * np.abs(item.inertia).max():
        raise MeshError(f"{item.name}: mass {item.mass:g} kg or inertia is negative")
    if not np.any(item.inertia):
        return item.position[None], np.array([item.mass])
    second = 0.5 * np.trace(item.inertia) * np.eye(3) - item.inertia  # int rho x x^T
    moment, axes = np.linalg.eigh(second)
    square = np.trace(second) / item.mass if item.mass > 0 else 0.01  # [m2]: no mass is left in the middle
    pair = 0.5 * moment / square
    offset = np.sqrt(square) * axes.T
    position = np.vstack([item.position, item.position + offset, item.position - offset])
    return position, np.concatenate([[item.mass - 2 * pair.sum()], pair, pair])


def _motion(mesh, item, points):
    """Reference point (3,), rows (6, n) of its translation and rotation, and the n unknowns they act on."""
    if item.node is not None and len(points) == 1 and np.allclose(points[0], mesh.nodes[item.node], rtol=0, atol=1e-12):
        motion = np.zeros((6, 3))
        motion[:3] = np.eye(3)
        return points[0], motion, 3 * item.node + np.arange(3)
    if item.node is None and len(points) == 1:
        nodes = np.unique(item.nodes)
        if np.allclose(points[0], mesh.nodes[nodes].mean(axis=0), rtol=0, atol=1e-12):
            motion = np.zeros((6, 3 * len(nodes)))
            motion[:3] = np.tile(np.eye(3), len(nodes)) / len(nodes)
            return points[0], motion, (3 * nodes[:, None] + np.arange(3)).ravel()
    nodes = np.unique(_around(mesh, item.node) if item.node is not None else item.nodes)
    if len(nodes) > MOST_NODES:
        raise MeshError(f"{item.name}: carried by {len(nodes)} nodes, expected at most {MOST_NODES}")
    reference = mesh.nodes[item.node] if item.node is not None else item.position
    require_turned(item.name, mesh.nodes[nodes])
    motion = averaging_rows(mesh.nodes[nodes], reference)
    if item.node is not None:
        place = int(np.searchsorted(nodes, item.node))
        motion[:3] = 0.0
        motion[:3, 3 * place : 3 * place + 3] = np.eye(3)
    return reference, motion, (3 * nodes[:, None] + np.arange(3)).ravel()


def _around(mesh, node):
    """Nodes of the elements that hold a node."""
    parts = [b.connectivity[(b.connectivity == node).any(axis=1)].ravel() for b in mesh.blocks]
    return np.unique(np.concatenate(parts))
