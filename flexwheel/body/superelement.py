"""A body as stiffness, mass and damping in a few coordinates, as codes exchange reduced bodies.

A coordinate is a component of the motion of a node (1 to 6: translations, rotations, along the axes of the places) or a
further one (0), such as the amplitude of a fixed-interface mode. The body is free: no support, six rigid motions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.rigid_motion import rigid_modes

SYMMETRIC = 1e-6  # of the largest entry: a difference of opposite entries beyond it is no rounding of a text file

FARTHEST = 1e6  # [m], or [mm] of a file in mm
SMALLEST = 1e-9  # singular value of scaled attachment rows below which two of them move together


@dataclass(frozen=True)
class RecoveryPoint:
    """A point whose motion and stress follow from the coordinates."""

    name: str
    position: np.ndarray  # (3,) [m]
    motion: np.ndarray  # (3, D) translation by the coordinates
    stress: np.ndarray  # (6, D) xx yy zz xy yz zx [Pa]


@dataclass(frozen=True)
class Superelement:
    """Matrices of a free body in D coordinates, SI units; matrices dense or sparse."""

    stiffness: np.ndarray  # (D, D)
    mass: np.ndarray  # (D, D)
    node: np.ndarray  # (D,) id of the node a coordinate belongs to; of a further one 0 or its own id
    component: np.ndarray  # (D,) 1 .. 6 of the node; 0: a further coordinate
    place: Mapping[int, np.ndarray]  # node id -> (3,) [m]
    damping: np.ndarray | None = None  # (D, D) viscous
    structural: np.ndarray | None = None  # (D, D) imaginary part of the stiffness
    attachments: Mapping[str, int] = field(default_factory=dict)  # name -> node id, where the file has names
    points: tuple[RecoveryPoint, ...] = ()
    first_moments: np.ndarray | None = None  # (3, 3, D) int rho X_a u_b, X from the mass centre [kg m]
    notes: tuple[str, ...] = ()

    def __post_init__(self):
        size = len(self.node)
        for label in ("stiffness", "mass", "damping", "structural"):
            matrix = getattr(self, label)
            if matrix is None:
                continue
            word = f"{label} matrix" if label != "structural" else "structural damping matrix"
            if matrix.ndim != 2 or matrix.shape != (size, size):
                raise MeshError(f"{word} must be {size} by {size} for {size} coordinates, got {matrix.shape}")
            values = matrix.data if sp.issparse(matrix) else matrix
            if not np.isfinite(values).all():
                raise MeshError(f"{word} must be finite numbers, got nan or infinite ones")
            largest = abs(matrix).max() if size else 0.0
            off = abs(matrix - matrix.T).max() if size else 0.0
            if off > SYMMETRIC * largest:
                raise MeshError(f"{word} must be symmetric, got opposite entries that differ by {off:.3g}")
        if size < 7:
            raise MeshError(f"a flexible body has at least 7 coordinates, got {size}")
        if len(self.component) != size or not np.isin(self.component, range(7)).all():
            raise MeshError("component must be 1 to 6, or 0 for a further coordinate, one for each coordinate")
        for node, place in self.place.items():
            if not np.abs(place).max() < FARTHEST:
                raise MeshError(
                    f"place of node {node} must be finite and within {FARTHEST:g} m, got {np.asarray(place)}"
                )
        pairs = [(n, c) for n, c in zip(self.node.tolist(), self.component.tolist(), strict=True) if c]
        if twice := [p for p in set(pairs) if pairs.count(p) > 1]:
            raise MeshError(f"node {twice[0][0]} has component {twice[0][1]} twice")
        if unplaced := sorted({n for n, _ in pairs} - set(self.place)):
            raise MeshError(
                f"no place of node {unplaced[0]}{f' and {len(unplaced) - 1} more' if unplaced[1:] else ''}: add the "
                "file that has it (GRID, *NODE) to `matrices`, or position_m of the attachment"
            )


def rigid_coordinates(body: Superelement, point: np.ndarray) -> np.ndarray:
    """(D, 6) translations and rotations about a point (3,) in the coordinates; further ones follow without force.

    Raises MeshError where the nodes do not hold the rigid motions, or further coordinates are loose.
    """
    held, free = np.flatnonzero(body.component), np.flatnonzero(body.component == 0)
    rigid = np.zeros((len(body.node), 6))
    if len(held):
        nodes = np.array([body.place[n] for n in body.node[held].tolist()], dtype=float)
        of_node = np.zeros((len(held), 6, 6))
        of_node[:, :3] = rigid_modes(nodes, point).reshape(-1, 3, 6)
        of_node[:, 3:, 3:] = np.eye(3)
        rigid[held] = of_node[np.arange(len(held)), body.component[held] - 1]
    size = np.linalg.svd(rigid / np.maximum(np.linalg.norm(rigid, axis=0), 1e-300), compute_uv=False)
    if size[5] < SMALLEST * size[0]:
        raise MeshError("the components of its nodes do not hold the six rigid motions of a free body")
    if len(free):
        stiffness = sp.csr_matrix(body.stiffness)[free]
        load = stiffness[:, held] @ rigid[held]
        if np.abs(load).max() > 0.0:
            try:
                rigid[free] = -la.solve(stiffness[:, free].toarray(), load, assume_a="sym")
            except la.LinAlgError:
                raise MeshError("further coordinates are tied to nodes and have no stiffness of their own") from None
    return rigid


def in_metres(body: Superelement, unit: str) -> Superelement:
    """Matrices of a file in N, t, mm, s (unit "mm") in SI; "m" leaves them.

    With u in mm the energies 1/2 u^T K u and 1/2 v^T M v are in N mm.
    """
    if unit == "m":
        return body
    factor = np.where((body.component > 0) & (body.component < 4), 1e3, 1.0)
    scale = sp.diags(factor)

    def turned(matrix):
        return None if matrix is None else 1e-3 * (scale @ matrix @ scale)

    return Superelement(
        turned(body.stiffness), turned(body.mass), body.node, body.component,
        {n: 1e-3 * np.asarray(x) for n, x in body.place.items()}, turned(body.damping), turned(body.structural),
        body.attachments,
        tuple(
            RecoveryPoint(p.name, 1e-3 * p.position, 1e-3 * p.motion * factor, 1e6 * p.stress * factor)
            for p in body.points
        ),
        None if body.first_moments is None else body.first_moments * factor, body.notes,
    )  # fmt: skip


def superelement_of(body) -> Superelement:
    """Craig-Bampton form of a FlexibleBody: six coordinates of every attachment, then its fixed-interface modes.

    Nodes 1, 2 ... are the attachments; the modes, of unit mass, are coordinates of the ids that follow. Mass and
    stiffness hold what the reduced body has, exactly.

    Raises MeshError where attachments are more than the modes can move independently.

    Source: Craig, Bampton 1968, AIAA Journal 6(7), 1313-1319.
    """
    omega, count, held = 2.0 * np.pi * body.frequency_hz, len(body.frequency_hz), body.attachments
    of_place = np.zeros((len(body.place), 6, 6 + count))
    of_place[:, :3, :6] = rigid_modes(body.place).reshape(-1, 3, 6)
    of_place[:, 3:, 3:6] = np.eye(3)
    of_place[:, :, 6:] = body.place_rows
    rows = of_place[:held].reshape(-1, 6 + count)
    stiffness = np.diag(np.concatenate([np.zeros(6), omega**2]))
    damping = np.diag(np.concatenate([np.zeros(6), 2.0 * body.damping_ratio * omega]))
    mass = la.block_diag(body.mass * np.eye(3), body.inertia, np.eye(count))
    shapes = _craig_bampton(rows, stiffness, mass)
    second = 0.5 * np.trace(body.inertia) * np.eye(3) - body.inertia
    moments = np.zeros((3, 3, 6 + count))
    moments[:, :, 3:6] = np.einsum("ac,bkc->abk", second, np.cross(np.eye(3)[None], np.eye(3)[:, None]).T)
    moments[:, :, 6:] = body.p_xh
    stress = np.concatenate([np.zeros((len(body.place) - held, 6, 6)), body.stress_rows], axis=-1)
    free = shapes.shape[1] - len(rows)
    places = body.place + body.centre
    stiffness, mass, damping = (_even(shapes.T @ a @ shapes) for a in (stiffness, mass, damping))
    stiffness[: len(rows), len(rows) :] = stiffness[len(rows) :, : len(rows)] = 0.0
    return Superelement(
        stiffness,
        mass,
        np.concatenate([np.repeat(np.arange(1, held + 1), 6), np.arange(held + 1, held + 1 + free)]),
        np.concatenate([np.tile(np.arange(1, 7), held), np.zeros(free, dtype=np.int64)]),
        {n + 1: places[n] for n in range(held)},
        damping,
        attachments={name: n + 1 for n, name in enumerate(body.place_name[:held])},
        points=tuple(
            RecoveryPoint(name, places[held + p], of_place[held + p, :3] @ shapes, stress[p] @ shapes)
            for p, name in enumerate(body.place_name[held:])
        ),
        first_moments=moments @ shapes,
    )


def _craig_bampton(rows, stiffness, mass):
    """(Z, C + k) shapes with rows (C, Z) equal to unit vectors, then the modes with rows at rest."""
    unit = la.inv(la.cholesky(mass))  # columns of unit mass
    own = rows @ unit
    size = np.linalg.norm(own, axis=1, keepdims=True)
    left, value, right = la.svd(own / size)
    if len(rows) > own.shape[1] or value[-1] < SMALLEST:
        raise MeshError(
            f"{len(rows) // 6} attachments have more independent motions than the {own.shape[1] - 6} modes: raise "
            "modes_up_to_hz or name fewer attachments"
        )
    still = unit @ right[len(rows) :].T
    own = unit @ (right[: len(rows)].T / value) @ (left.T / size.T)
    inner = still.T @ stiffness @ still
    if not len(inner):
        return own
    own -= still @ la.solve(inner, still.T @ (stiffness @ own), assume_a="pos")
    return np.hstack([own, still @ la.eigh(_even(inner))[1]])


def _even(matrix):
    return 0.5 * (matrix + matrix.T)
