"""Stress at nodes by patch recovery: a quadratic polynomial fitted to the stress at the best points of the elements.

Best are the recovery points of second-order elements and the mean of those of linear ones, their centre: there alone
the stress of the incompatible hexahedron is of second order, elsewhere it keeps the gradients of bending only. The
patch of a node are its elements of one elasticity, and those that share a face with them as long as they do not
determine the polynomial (a surface has one layer of elements). Terms that stay undetermined are left out. The fit is
made in the principal axes of the samples, scaled to their spread, so that neither the shape of elements nor a turn of
the mesh matters; near samples count more.

Source: Zienkiewicz, Zhu 1992, International Journal for Numerical Methods in Engineering 33, 1331-1364; patches that
reach further at surfaces: Zhang, Naga 2005, SIAM Journal on Scientific Computing 26(4), 1192-1213.
Verified in tests/verification/test_stress_error_verified.py.
"""

import numpy as np
import scipy.sparse as sp

from flexwheel.body.elements import element_tables
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh import Mesh
from flexwheel.body.stress import STRESS_PAIRS, point_operators
from flexwheel.body.surface import CORNER_FACES

AT_CENTRE = ("hex8", "wedge6", "tet4", "pyramid5")
DETERMINED = 0.01  # least variance of a quadratic term beside the linear ones; 0.8 for points that fill a line evenly
REACH = 4.0  # largest value of such a term at the node, of its rms over the samples; 3.4 a face beyond three layers
FLAT = 1e-10  # of the largest variance of the samples along an axis: below, they lie in a plane
LAYERS = 3  # of face neighbours at most
_BATCH, _CHUNK = 256, 500  # nodes fitted, elements whose operators are held at once


def patch_stress_rows(mesh: Mesh, node_rows, options: FormulationOptions | None = None):
    """(6 n, D) csr_matrix [Pa/m] of the recovered stress at nodes, as `stress.stress_rows` of the averaged one."""
    weights, out = patch_weights(mesh, np.atleast_1d(node_rows), options).tocsc(), 0.0
    for first, operator, dofs in _samples(mesh, np.flatnonzero(np.diff(weights.indptr)), options):
        count, width = operator.shape[0], operator.shape[2]
        place = np.repeat(np.arange(6 * count), width), np.repeat(dofs, 6, axis=0).ravel()
        local = sp.csr_matrix((operator.ravel(), place), shape=(6 * count, mesh.dof_count))
        out = out + sp.kron(weights[:, first], sp.identity(6), format="csr") @ local
    return sp.csr_matrix(out)


def patch_stress(mesh: Mesh, displacement, options: FormulationOptions | None = None):
    """Recovered stress (N, 6, L) [Pa] at all nodes under displacement (D, L) [m]."""
    weights, parts = patch_weights(mesh, np.arange(len(mesh.nodes)), options), []
    for _, operator, dofs in _samples(mesh, None, options):
        parts.append(operator @ displacement[dofs])
    samples = np.concatenate(parts)
    return (weights @ samples.reshape(len(samples), -1)).reshape(len(mesh.nodes), 6, -1)


def patch_weights(mesh: Mesh, rows, options: FormulationOptions | None = None):
    """(n, Q) csr_matrix from values at the samples, block by block and element by element, to the nodes `rows`."""
    places, owners = _sample_points(mesh, options)
    of_element = sp.csr_matrix((np.ones(len(owners)), (owners, np.arange(len(owners)))))
    members, around, kind = _node_elements(mesh)[rows], _face_neighbours(mesh), _elasticity(mesh)
    out = 0.0
    for k in np.unique(kind):
        own = sp.diags((kind == k).astype(float))
        patch = (members @ own).tocsr()
        patch.eliminate_zeros()
        share = np.diff(patch.indptr) / np.diff(members.indptr)
        out = out + sp.diags(share) @ _fitted(patch, around @ own, of_element, places, mesh.nodes[rows])
    return sp.csr_matrix(out)


def _samples(mesh, wanted, options):
    """Numbers of samples (q,), their operators (q, 6, 3n) and DOF (q, 3n), some elements at a time.

    wanted: numbers of those asked for; None: all.
    """
    first = 0
    for block in mesh.blocks:
        mixing = _mixing(block.kind, options)
        number = first + np.arange(len(block.connectivity) * len(mixing)).reshape(-1, len(mixing))
        first += number.size
        some = np.arange(len(number)) if wanted is None else np.flatnonzero(np.isin(number[:, 0], wanted))
        for chunk in (some[k : k + _CHUNK] for k in range(0, len(some), _CHUNK)):
            operator = point_operators(mesh, block, chunk, options)[0]
            mixed = np.einsum("qs,esck->eqck", mixing, operator, optimize=True)
            dofs = (3 * block.connectivity[chunk][:, :, None] + np.arange(3)).reshape(len(chunk), -1)
            count = number[chunk].size
            yield number[chunk].ravel(), mixed.reshape(count, 6, -1), np.repeat(dofs, len(mixing), axis=0)


def _mixing(kind, options):
    """(q, S) from the recovery points of an element to its samples."""
    count = len(element_tables(kind, options or FormulationOptions()).stress_shape)
    return np.full((1, count), 1.0 / count) if kind in AT_CENTRE else np.eye(count)


def _sample_points(mesh, options):
    """Places (Q, 3) of the samples and their elements (Q,)."""
    places, owners, first = [], [], 0
    for block in mesh.blocks:
        mixing = _mixing(block.kind, options)
        shape = mixing @ element_tables(block.kind, options or FormulationOptions()).stress_shape
        places.append(np.einsum("qn,enk->eqk", shape, mesh.nodes[block.connectivity]).reshape(-1, 3))
        owners.append(first + np.repeat(np.arange(len(block.connectivity)), len(mixing)))
        first += len(block.connectivity)
    return np.concatenate(places), np.concatenate(owners)


def _fitted(patch, around, of_element, places, nodes):
    """(n, Q) weights of the nodes; patch (n, E) their elements, those without any have no weights."""
    open_rows, parts = np.flatnonzero(np.diff(patch.indptr)), []
    current = patch[open_rows]
    for layer in range(LAYERS + 1):
        chosen = sp.csr_matrix(current @ of_element)
        weights, whole = _weights(chosen, places, nodes[open_rows])
        done = whole | (layer == LAYERS)
        found = weights[done].tocoo()
        parts.append((found.data, open_rows[done][found.row], found.col))
        open_rows, current = open_rows[~done], current[~done]
        if not len(open_rows):
            break
        current = current + current @ around
        current.data[:] = 1.0
    data, row, column = (np.concatenate(part) for part in zip(*parts, strict=True))
    return sp.csr_matrix((data, (row, column)), shape=(patch.shape[0], len(places)))


def _weights(chosen, places, nodes):
    """csr_matrix of the weights of the samples `chosen` (nonzero) of each node; (n,) whether they determine the fit."""
    size = np.diff(chosen.indptr)
    data, whole = np.zeros(chosen.nnz), np.zeros(len(nodes), dtype=bool)
    order = np.argsort(size, kind="stable")
    for rows in (order[first : first + _BATCH] for first in range(0, len(order), _BATCH)):
        slot = np.arange(size[rows].max())[None]
        there = slot < size[rows][:, None]
        entry = np.where(there, chosen.indptr[rows][:, None] + slot, 0)
        fitted, whole[rows] = polynomial_weights(places[chosen.indices[entry]] - nodes[rows][:, None], there)
        data[entry[there]] = fitted[there]
    return sp.csr_matrix((data, chosen.indices, chosen.indptr), shape=chosen.shape), whole


def polynomial_weights(away, there):
    """Weights of samples for the value of the fitted polynomial at a point.

    Parameters
    ----------
    away : (B, m, 3) [m]        samples from the point
    there : (B, m) bool         those that exist

    Returns
    -------
    weights (B, m), and (B,) whether all quadratic terms are determined
    """
    share = there / there.sum(axis=1, keepdims=True)
    _, u, at = _in_principal_axes(away, share)
    square = ((u - at[:, None]) ** 2).sum(axis=2)
    share = there / (square + 0.25 * np.where(there, square, np.inf).min(axis=1, keepdims=True) + 1e-300)
    share = share / share.sum(axis=1, keepdims=True)
    flat, u, at = _in_principal_axes(away, share)
    linear = 1.0 + np.einsum("bml,bl->bm", u, at)
    q, q_at = _quadratic(u), _quadratic(at)
    middle, along = np.einsum("bm,bmq->bq", share, q), np.einsum("bm,bml,bmq->blq", share, u, q)
    q = q - middle[:, None] - u @ along
    q_at = q_at - middle - np.einsum("bl,blq->bq", at, along)
    held, turn = np.linalg.eigh(np.einsum("bm,bmq,bmr->bqr", share, q, q))
    value = np.einsum("bqr,bq->br", turn, q_at)
    kept = (held > DETERMINED) & (value**2 <= REACH**2 * held)
    coefficient = np.einsum("bqr,br->bq", turn, np.where(kept, value / np.maximum(held, DETERMINED), 0.0))
    return share * (linear + np.einsum("bmq,bq->bm", q, coefficient)), kept.all(axis=1) & ~flat


def _in_principal_axes(away, share):
    """Whether the samples lie in a plane, and samples and point in their principal axes, variance 1 along each."""
    mean = np.einsum("bm,bmk->bk", share, away)
    spread, axes = np.linalg.eigh(np.einsum("bm,bmk,bml->bkl", share, away - mean[:, None], away - mean[:, None]))
    thick = spread > FLAT * spread[:, -1:]
    axes = axes * np.where(thick, 1.0 / np.sqrt(np.maximum(spread, 1e-300)), 0.0)[:, None]
    return ~thick[:, 0], (away - mean[:, None]) @ axes, np.einsum("bk,bkl->bl", -mean, axes)


def _quadratic(u):
    """Quadratic monomials (..., 6) so weighted that a turn of the axes turns them orthogonally."""
    return np.stack([u[..., i] * u[..., j] * (1.0 if i == j else np.sqrt(2.0)) for i, j in STRESS_PAIRS], axis=-1)


def _node_elements(mesh):
    """(N, E) 1 where a node belongs to an element."""
    nodes = [block.connectivity for block in mesh.blocks]
    count = sum(map(len, nodes))
    owner = np.repeat(np.arange(count), np.concatenate([np.full(len(c), c.shape[1]) for c in nodes]))
    flat = np.concatenate([c.ravel() for c in nodes])
    out = sp.csr_matrix((np.ones(len(flat)), (flat, owner)), shape=(len(mesh.nodes), count))
    out.data[:] = 1.0  # a collapsed element names a node twice
    return out


def _face_neighbours(mesh):
    """(E, E) nonzero where two elements share a face."""
    faces, owner, first = [], [], 0
    for block in mesh.blocks:
        for corners in CORNER_FACES[block.kind]:
            some = np.sort(block.connectivity[:, corners], axis=1)
            faces.append(np.pad(some, ((0, 0), (0, 4 - some.shape[1])), constant_values=-1))
            owner.append(first + np.arange(len(some)))
        first += len(block.connectivity)
    faces, owner = np.concatenate(faces), np.concatenate(owner)
    number = np.unique(faces, axis=0, return_inverse=True)[1].ravel()
    of = sp.csr_matrix((np.ones(len(owner)), (owner, number)), shape=(first, number.max() + 1))
    return of @ of.T


def _elasticity(mesh):
    """(E,) number of the pair of constants of each element."""
    pairs = [mesh.materials[block.material] for block in mesh.blocks]
    pairs = [(material.youngs_modulus, material.poissons_ratio) for material in pairs]
    known = sorted(set(pairs))
    return np.repeat([known.index(pair) for pair in pairs], [len(block.connectivity) for block in mesh.blocks])
