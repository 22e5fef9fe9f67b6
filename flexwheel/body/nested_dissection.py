"""Elimination tree of a symmetric sparse matrix by nested dissection with level-set separators.

DOF with the same pattern (the three of a node) are one vertex. A part of the graph is numbered by
distance from one of its far ends; the level that cuts off most for its size separates it, and the two
sides are cut again.

Source: George, Liu 1981, Computer Solution of Large Sparse Positive Definite Systems, chapters 7 and 8.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.body.metis_order import metis_parts
from flexwheel.numerics.kernels import kernel


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
    indptr, indices, unknowns = _compressed_graph(matrix)
    at, members = unknowns
    parts = metis_parts(indptr, indices, np.diff(at)) or _dissect(indptr, indices, np.diff(at), leaf_size)
    order = np.concatenate([vertices for vertices, _ in parts])
    part_at = _starts([len(vertices) for vertices, _ in parts])
    child_at = _starts([len(children) for _, children in parts])
    child = np.array([c for _, children in parts for c in children], dtype=np.int64)
    boundary_at, boundary = _boundaries((indptr, indices), order, part_at, child_at, child)
    pivots, boundaries = (
        np.split(members[_ranges(at[v], at[v + 1])], _starts(at[v + 1] - at[v])[ends[1:-1]])
        for v, ends in ((order, part_at), (order[boundary], boundary_at))
    )
    return [Supernode(*node) for node in zip(pivots, boundaries, (tuple(c) for _, c in parts), strict=True)]


def _starts(sizes):
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))])


def _ranges(start, end):
    """start[0], ... end[0] - 1, start[1], ..."""
    size = end - start
    return np.repeat(start - np.cumsum(size) + size, size) + np.arange(size.sum())


def _compressed_graph(matrix):
    """Graph of the groups of rows with equal pattern: CSR without diagonal, and (at, members) of the groups."""
    indptr, indices, size = matrix.indptr, matrix.indices, matrix.shape[0]
    label = np.random.default_rng(1).integers(-(2**62), 2**62, size)
    key = np.empty(size, dtype=np.int64)
    _row_keys(indptr, indices, label, key)
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    at = _starts(np.bincount(group))
    near = indices[_ranges(indptr[first].astype(np.int64), indptr[first + 1])]
    row = np.repeat(np.arange(len(first)), np.diff(indptr)[first])
    kept = (first[group[near]] == near) & (group[near] != row)  # one unknown stands for its group
    return (
        _starts(np.bincount(row[kept], minlength=len(first))),
        group[near[kept]],
        (at, np.argsort(group, kind="stable")),
    )


@kernel
def _row_keys(indptr, indices, label, key):
    """Sum of the labels of every row's columns: rows of one key have one pattern."""
    for row in range(len(key)):
        total = 0
        for k in range(indptr[row], indptr[row + 1]):
            total += label[indices[k]]
        key[row] = total


def _boundaries(graph, order, part_at, child_at, child):
    """(at, places) in the order of elimination of the later vertices that each part couples to, ascending."""
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    at, size = np.zeros(len(part_at), dtype=np.int64), 8 * len(order)
    while True:
        out = np.empty(size, dtype=np.int64)
        if _fill_boundaries(graph, order, position, (part_at, child_at, child), np.full(len(order), -1), at, out):
            break
        size *= 2
    places = out[: at[-1]]
    return at, places[np.lexsort((places, np.repeat(np.arange(len(part_at) - 1), np.diff(at))))]


@kernel
def _fill_boundaries(graph, order, position, parts, mark, at, out):
    """Fill `at` and the places of every part's boundary, unsorted; False where `out` is too short."""
    (indptr, indices), (part_at, child_at, child) = graph, parts
    for p in range(len(part_at) - 1):
        end, last = at[p], part_at[p + 1] - 1
        if end + len(order) - last > len(out):
            return False
        for v in order[part_at[p] : last + 1]:
            for k in range(indptr[v], indptr[v + 1]):
                w = position[indices[k]]
                if w > last and mark[w] != p:
                    mark[w] = p
                    out[end] = w
                    end += 1
        for c in child[child_at[p] : child_at[p + 1]]:
            for w in out[at[c] : at[c + 1]]:
                if w > last and mark[w] != p:
                    mark[w] = p
                    out[end] = w
                    end += 1
        at[p + 1] = end
    return True


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
