"""Supernodes of a symmetric sparse matrix in METIS's order of nested dissection, or in one of minimum degree.

From the order follow the elimination tree and the rows of every column; columns with nearly the same rows are
eliminated together.

Source: Karypis, Kumar 1998, SIAM J. Sci. Comput. 20(1), 359-392; Liu 1990, SIAM J. Matrix Anal. Appl. 11(1), 134-172;
joined columns: Ashcraft, Grimes 1989, ACM TOMS 15(4), 291-309; minimum degree, as SuperLU has it: Liu 1985, ACM TOMS
11(2), 141-153.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import spilu

from flexwheel.numerics.kernels import kernel

try:
    from pymetis import CSRAdjacency, nested_dissection
except ImportError:  # there are no wheels for Windows
    nested_dissection = None

_SMALL = 32  # unknowns up to which fronts are joined whatever zeros they hold
_ZEROS = 0.1  # of the entries of a joined front that may be zeros


def supernode_parts(indptr, indices, weight):
    """(vertices, children) of every supernode of a graph, children before parents.

    Parameters
    ----------
    indptr, indices : (V + 1,), (E,) int64    graph without diagonal
    weight : (V,) int                         unknowns of a vertex
    """
    order = _order(indptr, indices).astype(np.int64)
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    parent, below = np.full(len(order), -1), np.zeros(len(order), dtype=np.int64)
    _tree(indptr, indices, order, position, parent, np.full(len(order), -1))
    _rows_below(indptr, indices, order, position, weight, parent, np.full(len(order), -1), below)
    owner, zeros = np.arange(len(order)), np.zeros(len(order))
    first_child, next_child = np.full(len(order), -1), np.full(len(order), -1)
    _join(parent, below, weight[order].astype(np.int64), _SMALL, _ZEROS, owner, zeros, first_child, next_child)
    heads = np.flatnonzero(owner == np.arange(len(order)))
    number = np.full(len(order), -1)
    number[heads] = np.arange(len(heads))
    group = number[owner]
    by_group = np.argsort(group, kind="stable")
    vertices = np.split(order[by_group], np.cumsum(np.bincount(group))[:-1])
    children = [[] for _ in heads]
    for k, head in enumerate(heads):
        if parent[head] >= 0:
            children[group[parent[head]]].append(k)
    return list(zip(vertices, children, strict=True))


def _order(indptr, indices):
    """Vertices in order of elimination, by METIS where it is installed."""
    if not len(indices):
        return np.arange(len(indptr) - 1)
    if nested_dissection is not None:
        return np.asarray(nested_dissection(CSRAdjacency(indptr, indices))[0])
    graph = sp.csc_matrix((-np.ones(len(indices)), indices, indptr)) + sp.diags(1.0 + np.diff(indptr))
    ordered = spilu(
        graph, drop_tol=1.0, fill_factor=1.0, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )  # fmt: skip
    return np.argsort(ordered.perm_c)  # the factor itself, of next to nothing, is not used


@kernel
def _tree(indptr, indices, order, position, parent, ancestor):
    """Fill the parents of the elimination tree."""
    for i in range(len(order)):
        for k in range(indptr[order[i]], indptr[order[i] + 1]):
            j = position[indices[k]]
            while j >= 0 and j < i:
                above = ancestor[j]
                ancestor[j] = i
                if above < 0:
                    parent[j] = i
                if above == i:
                    break
                j = above


@kernel
def _rows_below(indptr, indices, order, position, weight, parent, mark, below):
    """Fill the number of rows of every column of the factor below its own vertex."""
    for i in range(len(order)):
        mark[i] = i
        for k in range(indptr[order[i]], indptr[order[i] + 1]):
            j = position[indices[k]]
            while j < i and mark[j] != i:
                below[j] += weight[order[i]]
                mark[j] = i
                j = parent[j]


@kernel
def _join(parent, below, size, small, share, owner, zeros, first_child, next_child):
    """Join children with their parents where few zeros come in; `owner` is the last vertex of each front.

    size : (V,) pivots of each front, changed; zeros : (V,) in it; the children of each in two linked arrays
    """
    for p in range(len(parent)):
        c = first_child[p]
        kept = -1
        while c >= 0:
            following = next_child[c]
            new = zeros[c] + zeros[p] + size[c] * float(size[p] + below[p] - below[c])
            pivots = size[c] + size[p]
            if pivots <= small or new <= share * pivots * (0.5 * pivots + below[p]):
                owner[c] = p
                zeros[p] = new
                size[p] = pivots
                d = first_child[c]  # its children are now children of p
                while d >= 0:
                    after = next_child[d]
                    next_child[d] = kept
                    kept = d
                    d = after
            else:
                next_child[c] = kept
                kept = c
            c = following
        first_child[p] = kept
        if parent[p] >= 0:
            next_child[p] = first_child[parent[p]]
            first_child[parent[p]] = p
    for p in range(len(parent) - 1, -1, -1):
        owner[p] = owner[owner[p]]
