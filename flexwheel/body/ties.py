"""Ties, rigid sets and equations of a mesh as one transformation u = T z from the coordinates that stay free.

z holds the displacements that follow nothing, then six coordinates of every rigid set (translation and rotation about
the mean of its nodes) and those of its stretches. What follows a node that itself follows others is followed through.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Equation, Mesh, RigidSet
from flexwheel.body.rigid_motion import rigid_modes

MOST_LINKS = 20  # followers of followers


def free_coordinates(mesh: Mesh, loose: tuple[int, ...] = ()) -> sp.csr_matrix | None:
    """T (3 N, n) of a mesh; None for one without ties.

    loose : places in mesh.ties of ties whose nodes may move against what they follow: three coordinates for each node,
    the last ones in that order

    Raises
    ------
    MeshError       a displacement that follows twice, or in a circle; a rigid set of under three nodes or on a line

    Verified in tests/verification/test_assembly_verified.py.
    """
    if not mesh.ties:
        return None
    size = whole = mesh.dof_count
    owner = np.full(size, -1)
    rows, columns, values = [], [], []
    for number, tie in enumerate(mesh.ties):
        if isinstance(tie, RigidSet):
            own, others, factors = _rigid(mesh, tie, whole)
            whole += factors.shape[1]
        elif isinstance(tie, Equation):
            own, others, factors = _equation(tie)
        else:
            own = (3 * tie.nodes[:, None] + np.arange(3)).ravel()
            others = (3 * tie.faces[:, None] + np.arange(3)[:, None]).reshape(len(own), -1)
            factors = np.repeat(tie.weights, 3, axis=0)
        taken = own[(owner[own] >= 0) | (np.bincount(own, minlength=size)[own] > 1)]
        if len(taken):
            other = mesh.ties[owner[taken[0]]].name if owner[taken[0]] >= 0 else tie.name
            raise MeshError(
                f"node {mesh.node_ids[taken[0] // 3]} follows twice, by {other} and {tie.name}: take it out of one"
            )
        owner[own] = number
        rows.append(np.repeat(own, others.shape[1]))
        columns.append(others.ravel())
        values.append(factors.ravel())
    for number in loose:
        own = (3 * mesh.ties[number].nodes[:, None] + np.arange(3)).ravel()
        rows.append(own)
        columns.append(whole + np.arange(len(own)))
        values.append(np.ones(len(own)))
        whole += len(own)
    free = np.concatenate([np.flatnonzero(owner < 0), np.arange(size, whole)])
    follows = sp.csr_matrix(
        (
            np.concatenate([*values, np.ones(len(free))]),
            (np.concatenate([*rows, free]), np.concatenate([*columns, free])),
        ),
        shape=(whole, whole),
    )
    follows.eliminate_zeros()
    found, dependent = follows, np.setdiff1d(np.arange(size), free)
    for _ in range(MOST_LINKS):
        left = found[:, dependent]
        left.eliminate_zeros()
        if left.nnz == 0:
            return found[:size][:, free].tocsr()
        found = found @ follows
    dof = dependent[np.argmax(np.asarray(abs(left).sum(axis=0)).ravel() > 0)]
    raise MeshError(
        f"{mesh.ties[owner[dof]].name}: node {mesh.node_ids[dof // 3]} follows in a circle, or through more than "
        f"{MOST_LINKS} others: let the one surface follow the other only"
    )


def held_together(recover, matrix):
    """A matrix (3 N, 3 N) in the free coordinates; recover: T or None."""
    return matrix if recover is None else congruent(recover, matrix).tocsr()


def congruent(recover, matrix):
    """T^T A T of a symmetric or Hermitian A, of symmetric pattern, too.

    Products leave out what is zero on one side by rounding, and a factorization by the pattern of rows would be wrong.
    """
    product = recover.T @ matrix @ recover
    return 0.5 * (product + product.conj().T)


def columns_of(mesh: Mesh, recover, dofs: np.ndarray) -> np.ndarray:
    """Free coordinates that are the given displacements themselves; recover: T or None.

    Raises
    ------
    MeshError       one of them follows others
    """
    if recover is None:
        return dofs
    rows = recover[dofs]
    single = np.diff(rows.indptr) == 1
    bad = ~single | (np.asarray(rows.sum(axis=1)).ravel() != 1.0)
    if bad.any():
        raise MeshError(
            f"node {mesh.node_ids[dofs[np.argmax(bad)] // 3]} follows others (a tie, a rigid set or an equation) and "
            "cannot be held or moved on its own: take other nodes"
        )
    return rows.indices


def held_columns(mesh: Mesh, recover, dofs: np.ndarray) -> tuple[np.ndarray, sp.csr_matrix]:
    """Free coordinates that given displacements hold at zero, and these displacements (d, n) by them.

    recover : T or None; a rigid set is held by displacements of it that leave it no motion

    Raises
    ------
    MeshError       displacements that follow others and do not hold all of these
    """
    if recover is None:
        return dofs, sp.identity(len(dofs), format="csr")
    rows = recover[dofs].tocsr()
    columns = np.unique(rows.indices)
    rows = rows[:, columns]
    _, part = connected_components(rows.T @ rows, directed=False)
    for k in np.flatnonzero(np.bincount(part) > 1):
        own = np.flatnonzero(part == k)
        block = rows[:, own]
        if np.linalg.matrix_rank(block[np.diff(block.indptr) > 0].toarray()) < len(own):
            columns_of(mesh, recover, dofs[np.diff(block.indptr) > 0])
    return columns, rows


def _rigid(mesh, tie, first):
    places = mesh.nodes[tie.nodes]
    spread = np.linalg.svd(places - places[:1], compute_uv=False)
    on_line = len(places) < 3 or spread[1] < 1e-9 * spread[0]
    if on_line and tie.stretch is None:
        raise MeshError(f"{tie.name}: {len(places)} nodes on one line have no rotation about it")
    own = (3 * tie.nodes[:, None] + np.arange(3)).ravel()
    factors = rigid_modes(places, places.mean(axis=0))
    factors[np.abs(factors) < 1e-12 * spread[0]] = 0.0  # a node in the middle is moved by the translations alone
    if tie.stretch is not None:
        factors = np.hstack([factors, tie.stretch.reshape(len(own), -1)])
    if on_line:  # shells of one plane with other thicknesses or offsets: what they can do apart from one another
        basis, size, _ = np.linalg.svd(factors, full_matrices=False)
        factors = basis[:, size > 1e-9 * size[0]]
    return own, np.tile(first + np.arange(factors.shape[1]), (len(own), 1)), factors


def _equation(tie):
    """The largest displacement of the first node by all others."""
    axis = int(np.argmax(np.abs(tie.coefficients[0])))
    pivot = tie.coefficients[0, axis]
    if pivot == 0.0:
        raise MeshError(f"{tie.name}: the first node has no coefficient")
    dofs = (3 * tie.nodes[:, None] + np.arange(3)).ravel()
    factors = -tie.coefficients.ravel() / pivot
    keep = (np.arange(len(dofs)) != axis) & (factors != 0.0)
    return dofs[axis : axis + 1], dofs[keep][None], factors[keep][None]
