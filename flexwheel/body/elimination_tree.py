"""Elimination tree of a symmetric sparse matrix: what is eliminated together, in which order, and what it couples to.

DOF with the same pattern (the three of a node) are one vertex of the graph that is put in order.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.body.metis_order import supernode_parts
from flexwheel.numerics.kernels import kernel


class Supernode(NamedTuple):
    """Unknowns eliminated together; the tree is stored children before parents."""

    pivots: np.ndarray  # rows eliminated here
    boundary: np.ndarray  # rows of ancestors they couple to, in order of elimination
    children: tuple[int, ...]


def elimination_tree(matrix) -> list[Supernode]:
    """Supernodes of a symmetric matrix, children before parents.

    Parameters
    ----------
    matrix : (D, D) csr_matrix    symmetric pattern with a full diagonal
    """
    matrix.sort_indices()
    indptr, indices, unknowns = _compressed_graph(matrix)
    at, members = unknowns
    parts = supernode_parts(indptr, indices, np.diff(at))
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
