"""Elimination tree of a symmetric sparse matrix by nested dissection with level-set separators.

DOF with the same pattern (the three of a node) are one vertex. A part of the graph is numbered by
distance from one of its far ends; the level that cuts off most for its size separates it, and the two
sides are cut again.

Source: George, Liu 1981, Computer Solution of Large Sparse Positive Definite Systems, chapters 7 and 8.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from flexwheel.fe.metis_order import metis_parts
from flexwheel.kernels import kernel


class Supernode(NamedTuple):
    """Unknowns eliminated together; the tree is stored children before parents."""

    pivots: np.ndarray  # rows eliminated here
    boundary: np.ndarray  # rows of ancestors they couple to, in order of elimination
    children: tuple[int, ...]


def elimination_tree(matrix, leaf_size=90) -> list[Supernode]:
    """Supernodes of a symmetric matrix, children before parents.

    Parameters
    ----------
    matrix : (D, D) csr_matrix    symmetric pattern with a full diagonal
    leaf_size : int               parts up to this many rows are not cut again
    """
    matrix.sort_indices()
    indptr, indices, members, weight = _compressed_graph(matrix)
    parts = metis_parts(indptr, indices, weight) or _dissect(indptr, indices, weight, leaf_size)
    position = np.empty(len(weight), dtype=np.int64)
    position[np.concatenate([vertices for vertices, _ in parts])] = np.arange(len(weight))
    boundaries, tree = [], []
    for vertices, children in parts:
        near = [indices[indptr[v] : indptr[v + 1]] for v in vertices] + [boundaries[c] for c in children]
        later = np.unique(np.concatenate(near))
        last = position[vertices].max(initial=-1)
        boundary = later[position[later] > last]
        boundary = boundary[np.argsort(position[boundary])]
        boundaries.append(boundary)
        tree.append(Supernode(_rows(members, vertices), _rows(members, boundary), tuple(children)))
    return tree


def _rows(members, vertices):
    return np.concatenate([members[v] for v in vertices]) if len(vertices) else np.empty(0, dtype=np.int64)


def _compressed_graph(matrix):
    """Graph of the groups of rows with equal pattern: CSR without diagonal, the groups, their sizes."""
    size = matrix.shape[0]
    pattern = sp.csr_matrix((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape)
    label = np.random.default_rng(1).random(size)
    keys = np.stack([pattern @ label, np.diff(matrix.indptr)], axis=1)
    _, first, group = np.unique(np.round(keys, 9), axis=0, return_index=True, return_inverse=True)
    group = group.ravel()
    order = np.argsort(group, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(group))[:-1])
    gather = sp.csr_matrix((np.ones(size), (group, np.arange(size))), shape=(len(first), size))
    graph = sp.csr_matrix(gather @ pattern @ gather.T)
    graph.setdiag(0)
    graph.eliminate_zeros()
    return graph.indptr.astype(np.int64), graph.indices.astype(np.int64), members, np.bincount(group)


def _dissect(indptr, indices, weight, leaf_size):
    """(vertices, children) of every supernode, children before parents."""
    count = len(weight)
    label = np.zeros(count, dtype=np.int64)
    level, queue = np.full(count, -1, dtype=np.int64), np.empty(count, dtype=np.int64)
    parts, done, labels = [], {}, 1
    stack = [(0, np.arange(count), None)]  # (key, vertices) to cut, or (key, separator, keys of the children)
    next_key = 1
    while stack:
        key, vertices, children = stack.pop()
        if children is not None:
            parts.append((vertices, [done[c] for c in children]))
            done[key] = len(parts) - 1
            continue
        label[vertices] = labels
        sides = None
        if weight[vertices].sum() > leaf_size:
            sides = _separate(indptr, indices, weight, label, labels, vertices, level, queue)
        labels += 1
        if sides is None:
            parts.append((vertices, []))
            done[key] = len(parts) - 1
            continue
        separator, below, above = sides
        stack.append((key, separator, (next_key, next_key + 1)))
        stack.append((next_key, below, None))
        stack.append((next_key + 1, above, None))
        next_key += 2
    return parts


def _separate(indptr, indices, weight, label, current, vertices, level, queue):
    """Separator and the two sides, or None where no level separates anything."""
    reached = _levels(indptr, indices, label, current, vertices[0], vertices, level, queue)
    if reached < len(vertices):  # not connected: nothing separates
        inside = level[vertices] >= 0
        return vertices[:0], vertices[inside], vertices[~inside]
    for _ in range(2):  # towards a far end of the part
        _levels(indptr, indices, label, current, queue[reached - 1], vertices, level, queue)
    sizes = np.bincount(level[vertices], weights=weight[vertices])
    below = np.cumsum(sizes) - sizes
    above = sizes.sum() - below - sizes
    smaller = np.minimum(below, above)
    if smaller.max() <= 0:
        return None
    score = np.where(smaller > 0, sizes / np.maximum(smaller, 1e-9), np.inf)
    cut = int(np.argmin(score))
    side = np.sign(level[vertices] - cut)
    on_cut = vertices[side == 0]
    needed = np.zeros(len(on_cut), dtype=np.bool_)
    _has_neighbour_at(indptr, indices, label, current, on_cut, level, cut + 1, needed)
    below_cut = np.concatenate([vertices[side < 0], on_cut[~needed]])
    return on_cut[needed], below_cut, vertices[side > 0]


@kernel
def _levels(indptr, indices, label, current, start, vertices, level, queue):
    """Fill level (distance from start within the part, -1 unreached) and queue; return the number reached."""
    for v in vertices:
        level[v] = -1
    queue[0] = start
    level[start] = 0
    head, tail = 0, 1
    while head < tail:
        v = queue[head]
        head += 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if label[w] == current and level[w] < 0:
                level[w] = level[v] + 1
                queue[tail] = w
                tail += 1
    return tail


@kernel
def _has_neighbour_at(indptr, indices, label, current, vertices, level, wanted, found):
    """Set found where a vertex has a neighbour of its part at the level wanted."""
    for i in range(len(vertices)):
        for k in range(indptr[vertices[i]], indptr[vertices[i] + 1]):
            w = indices[k]
            if label[w] == current and level[w] == wanted:
                found[i] = True
                break
