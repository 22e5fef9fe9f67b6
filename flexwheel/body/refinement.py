"""A mesh with every element split, on the curved surfaces that its nodes lie on.

An edge of a linear element gets a node in its middle, off the chord by l^2/8 times a curvature,

    x = (x_a + x_b) / 2 - l^2/8 k,    k_b = 2 / (l_ab + l_bc) ((x_c - x_b) / l_bc - (x_b - x_a) / l_ab),

c the next node of the line a, b: that one neighbour of b that shares no element with a. Of the curvatures at the two
ends the one that varies less along its own side counts, so that a straight line stays straight where an arc begins
(essentially non-oscillatory interpolation). Lines end at corners: no curvature is taken there. Second-order elements
have such nodes. Children are mapped by the second-order shape functions. All is linear in the positions and so applies
to displacements as well: a field linear in space is repeated without error, and one of second order along the lines.

Source: Harten, Engquist, Osher, Chakravarthy 1987, Journal of Computational Physics 71(2), 231-303.
Verified in tests/verification/test_submodel_verified.py.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.elements import EDGES, LINEAR_KIND, REFERENCE_NODES, shape_functions
from flexwheel.body.mesh import ElementBlock, Mesh

ARC = np.radians(46.0)  # a line that turns by more at a node has a corner there; a quarter circle of two cells has not
ROUNDING = 1e-12  # of weights
STRAIGHT = 1e-6  # [rad] a line that turns by less is straight
SECOND_KIND = {"hex8": "hex20", "wedge6": "wedge15", "tet4": "tet10"}


def refined(mesh: Mesh, around: Mesh, corners=(), driven=()):
    """Every element of a mesh split into eight.

    Parameters
    ----------
    mesh : Mesh                 elements to split
    around : Mesh               the same nodes, and more elements: lines are followed in these
    corners : (c,) int          nodes where the surface has a corner
    driven : (d,) int           nodes

    Returns
    -------
    fine : Mesh                 of the same kinds of elements
    operator : (n, N) csr_matrix   its nodes, and displacements there, from those of `mesh`
    same : (N,) int             its node that is that of `mesh`, -1 where there is none
    followers : (n,) bool       nodes on what `driven` nodes bound: edges and faces with no other corner

    Raises
    ------
    MeshError                   pyramids
    """
    whole = [block.kind for block in mesh.blocks if LINEAR_KIND[block.kind] not in SECOND_KIND]
    if whole:
        raise MeshError(f"submodel: elements around the node must be hexahedra, wedges or tetrahedra, got {whole[0]}")
    lifted, connectivities = _second_order(mesh, around, corners)
    number = np.random.default_rng(0).integers(0, 2**63, len(mesh.nodes), dtype=np.uint64)
    other = ~np.isin(np.arange(len(mesh.nodes)), driven)
    keys, rows, held, blocks = [], [], [], []
    for block, second in zip(mesh.blocks, connectivities, strict=True):
        linear = LINEAR_KIND[block.kind]
        places = _children(block.kind)
        share = np.rint(64 * shape_functions(linear, places)).astype(np.int64)
        nodes = block.connectivity[:, : share.shape[1]]
        keys.append((number[nodes] @ share.astype(np.uint64).T).ravel())
        held.append((other[nodes].astype(np.int64) @ share.T == 0).ravel())
        weights = shape_functions(SECOND_KIND[linear], places)
        count = len(second) * len(places)
        column = np.repeat(second[:, None], len(places), axis=1).ravel()
        weights = np.tile(weights.ravel(), len(second))
        start = np.arange(0, len(weights) + 1, second.shape[1])
        rows.append(sp.csr_matrix((weights, column, start), shape=(count, lifted.shape[0])))
        blocks.append(replace(block, connectivity=np.arange(count).reshape(-1, block.connectivity.shape[1])))
    unique, first, of = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
    operator, start, made = sp.csr_matrix(sp.vstack(rows, format="csr")[first] @ lifted), 0, []
    operator.data[np.abs(operator.data) < ROUNDING] = 0.0
    operator.eliminate_zeros()
    for block in blocks:
        size = block.connectivity.size
        connectivity = of.ravel()[start : start + size].reshape(block.connectivity.shape)
        made.append(ElementBlock(block.kind, connectivity, np.arange(len(connectivity)) + 1, block.material))
        start += size
    fine = Mesh(operator @ mesh.nodes, np.arange(len(unique)) + 1, tuple(made), mesh.materials)
    same, alone = np.full(len(mesh.nodes), -1), np.flatnonzero(np.diff(operator.indptr) == 1)
    same[operator.indices[operator.indptr[alone]]] = alone
    return fine, operator, same, np.concatenate(held)[first]


def _second_order(mesh, around, corners):
    """(N + E, N) csr_matrix from nodes to nodes and middles of edges; per block the rows (e, n) of its second kind."""
    count, ends = len(mesh.nodes), []
    for block in around.blocks:
        pairs = block.connectivity[:, np.array(EDGES[SECOND_KIND[LINEAR_KIND[block.kind]]])]
        ends.append(np.sort(pairs.reshape(-1, 2), axis=1))
    ends = np.unique(np.concatenate(ends), axis=0)
    ends = ends[ends[:, 0] != ends[:, 1]]
    middles, known = _middles(around, ends, corners), ends @ [count, 1]
    connectivities = []
    for block in mesh.blocks:
        if block.kind in SECOND_KIND:
            pairs = np.sort(block.connectivity[:, np.array(EDGES[SECOND_KIND[block.kind]])], axis=2)
            at = np.searchsorted(known, pairs @ [count, 1])
            at = np.where(pairs[..., 0] == pairs[..., 1], pairs[..., 0], count + at)
            connectivities.append(np.concatenate([block.connectivity, at], axis=1))
        else:
            connectivities.append(block.connectivity)
    return sp.vstack([sp.identity(count), middles], format="csr"), connectivities


def _middles(mesh, ends, corners):
    """(E, N) csr_matrix of the middles of edges `ends` (E, 2)."""
    count, edges = len(mesh.nodes), len(ends)
    tail, head = np.concatenate([ends, ends[:, ::-1]]).T
    following = _following(mesh, tail, head)
    length = np.maximum(np.linalg.norm(mesh.nodes[head] - mesh.nodes[tail], axis=1), 1e-300)
    lines, on = np.flatnonzero(following >= 0), following[following >= 0]
    before, after = length[lines], length[on]
    third = 2.0 / (before + after)
    weights = np.stack([third / before, -third / before - third / after, third / after], axis=1)
    nodes = np.stack([tail[lines], head[lines], head[on]], axis=1)
    place = np.repeat(lines, 3), nodes.ravel()
    curvature = sp.csr_matrix((weights.ravel(), place), shape=(2 * edges, count))
    value = curvature @ mesh.nodes
    turn = np.zeros(2 * edges)
    turn[lines] = 0.5 * (before + after)
    turn = turn * np.linalg.norm(value, axis=1)
    valid = (following >= 0) & (turn <= 2.0 * np.sin(ARC / 2)) & ~np.isin(head, corners)
    further = np.where(following >= 0, following, 0)
    change = value - np.where((valid[further] & (following >= 0))[:, None], value[further], 0.0)
    rough = np.linalg.norm(change, axis=1) * length
    weight = np.where(valid, 1.0 / (rough + 1e-3 * turn + STRAIGHT) ** 4, 0.0).reshape(2, edges)
    weight = weight / np.maximum(weight.sum(axis=0), 1e-300)
    mean = sp.csr_matrix((np.full(2 * edges, 0.5), ends.ravel(), np.arange(0, 2 * edges + 1, 2)), (edges, count))
    drop = length[:edges] ** 2 / 8.0
    return mean - sum(sp.diags(drop * w) @ curvature[k * edges : (k + 1) * edges] for k, w in enumerate(weight))


def _following(mesh, tail, head):
    """(2 E,) directed edge that goes on straight from each directed edge, -1 where none or more than one does."""
    count, size = len(mesh.nodes), len(tail)
    owner, nodes, first = [], [], 0
    for block in mesh.blocks:
        corners = block.connectivity[:, : len(REFERENCE_NODES[LINEAR_KIND[block.kind]])]
        nodes.append(corners.ravel())
        owner.append(first + np.repeat(np.arange(len(corners)), corners.shape[1]))
        first += len(corners)
    of = sp.csr_matrix((np.ones(len(np.concatenate(nodes))), (np.concatenate(nodes), np.concatenate(owner))))
    together = (of @ of.T).tocoo()
    together = np.sort(together.row.astype(np.int64) * count + together.col)
    order = np.argsort(tail, kind="stable")
    start = np.searchsorted(tail[order], np.arange(count + 1))
    many = start[head + 1] - start[head]
    edge = np.repeat(np.arange(size), many)
    slot = np.arange(len(edge)) - np.repeat(np.cumsum(many) - many, many)
    candidate = order[start[head][edge] + slot]
    key = tail[edge].astype(np.int64) * count + head[candidate]
    at = np.minimum(np.searchsorted(together, key), len(together) - 1)
    apart = together[at] != key
    found = np.bincount(edge[apart], minlength=size)
    out = np.full(size, -1)
    out[edge[apart]] = candidate[apart]
    return np.where(found == 1, out, -1)


@cache
def _children(kind):
    """(8 n, 3) reference places of the nodes of an element's children, child by child."""
    linear = LINEAR_KIND[kind]
    at = shape_functions(linear, REFERENCE_NODES[kind])
    return np.einsum("qn,bnk->bqk", at, _halves(linear)).reshape(-1, 3)


def _halves(linear):
    """(8, n, 3) corners of the children."""
    corners = REFERENCE_NODES[linear]
    if linear == "tet4":
        tip = [0.5 * (corners + corner) for corner in corners]
        m = {
            pair: 0.5 * (corners[pair[0]] + corners[pair[1]])
            for pair in ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
        }
        around = [m[0, 1], m[1, 2], m[2, 3], m[0, 3]]  # about the line from the middle of 0 2 to that of 1 3
        inner = [np.array([m[0, 2], m[1, 3], around[k], around[(k + 1) % 4]]) for k in range(4)]
        inner = [part if np.linalg.det(part[1:] - part[0]) > 0 else part[[0, 1, 3, 2]] for part in inner]
        return np.array(tip + inner)
    if linear == "wedge6":
        plane, along = corners[:3, :2], np.array([-1.0, 0.0, 1.0])
        thirds = [0.5 * (plane + corner) for corner in plane]
        thirds.append(0.5 * (plane[[1, 2, 0]] + plane[[2, 0, 1]]))
        pair = lambda p, z: np.column_stack([p, np.full(3, z)])  # noqa: E731
        return np.array(
            [np.vstack([pair(p, a), pair(p, b)]) for p in thirds for a, b in zip(along, along[1:], strict=False)]
        )
    return np.array([0.5 * (corners + corner) for corner in corners])
