"""Multifrontal Cholesky factorization: dense BLAS on the supernodes of a nested dissection.

Every supernode gathers its rows and what its children left over in a dense front, eliminates its pivots
and passes the rest to its parent. No solver library is needed beyond scipy's BLAS; right sides are
solved in blocks.

Source: Duff, Reid 1983, ACM TOMS 9(3), 302-325; Liu 1992, SIAM Review 34(1), 82-109.
"""

import numpy as np
import scipy.sparse as sp
from scipy.linalg.blas import dgemm, dsyrk, dtrsm
from scipy.linalg.lapack import dpotrf

from flexwheel.errors import ConvergenceError
from flexwheel.fe.nested_dissection import elimination_tree
from flexwheel.kernels import kernel


class MultifrontalFactor:
    """L of A = L L^T, front by front."""

    def __init__(self, tree, diagonal_blocks, lower_blocks):
        self._diagonal = diagonal_blocks
        self._lower = lower_blocks
        self._order = np.concatenate([node.pivots for node in tree])
        place, ends = np.empty_like(self._order), np.cumsum([len(node.pivots) for node in tree])
        place[self._order] = np.arange(len(place))
        self._fronts = [
            (end - len(node.pivots), end, place[node.boundary], diagonal, lower)
            for node, end, diagonal, lower in zip(tree, ends, diagonal_blocks, lower_blocks, strict=True)
            if len(node.pivots)
        ]

    @property
    def entries(self):
        """Number of stored numbers."""
        return sum(d.size + low.size for d, low in zip(self._diagonal, self._lower, strict=True))

    def solve(self, right_side):
        """Solution for right_side (D,) or (D, L)."""
        x = np.array(right_side, dtype=float).reshape(len(right_side), -1)[self._order]
        for start, end, boundary, diagonal, lower in self._fronts:  # rows of x are columns of Fortran's arrays
            y = dtrsm(1.0, diagonal, x[start:end].T, side=1, lower=1, trans_a=1, overwrite_b=1)
            if len(boundary):
                x[boundary] -= dgemm(1.0, y, lower, trans_b=1).T
        for start, end, boundary, diagonal, lower in reversed(self._fronts):
            y = x[start:end].T
            if len(boundary):
                y = dgemm(-1.0, x[boundary].T, lower, beta=1.0, c=y, overwrite_c=1)
            dtrsm(1.0, diagonal, y, side=1, lower=1, overwrite_b=1)
        out = np.empty_like(x)
        out[self._order] = x
        return out.reshape(np.shape(right_side))


def multifrontal_cholesky(matrix) -> MultifrontalFactor:
    """Factorize a symmetric positive definite sparse matrix (D, D).

    Raises
    ------
    ConvergenceError    a pivot is not positive
    """
    matrix = sp.csr_matrix(matrix)
    matrix.sum_duplicates()
    tree = elimination_tree(matrix)
    indptr, indices, data = matrix.indptr, matrix.indices, matrix.data
    local = np.full(matrix.shape[0], -1, dtype=np.int64)
    updates = {}
    diagonal_blocks, lower_blocks = [], []
    for number, node in enumerate(tree):
        p, b = len(node.pivots), len(node.boundary)
        rows = np.concatenate([node.pivots, node.boundary])
        local[rows] = np.arange(p + b)
        f11, f21, f22 = (np.zeros(shape, order="F") for shape in ((p, p), (b, p), (b, b)))
        _gather_rows(indptr, indices, data, node.pivots, local, f11, f21)
        for child in node.children:
            child_update = updates.pop(child)
            _extend_add(child_update, local[tree[child].boundary], f11, f21, f22)
        local[rows] = -1
        if p:
            f11, info = dpotrf(f11, lower=1, overwrite_a=1)
            if info != 0:
                raise ConvergenceError(
                    f"Cholesky, {matrix.shape[0]} unknowns: not positive definite (front {number} of {len(tree)})"
                )
            if b:
                f21 = dtrsm(1.0, f11, f21, side=1, lower=1, trans_a=1, overwrite_b=1)
                f22 = dsyrk(-1.0, f21, beta=1.0, c=f22, lower=1, overwrite_c=1)
        diagonal_blocks.append(f11)
        lower_blocks.append(f21)
        updates[number] = f22
    return MultifrontalFactor(tree, diagonal_blocks, lower_blocks)


@kernel
def _gather_rows(indptr, indices, data, pivots, local, f11, f21):
    """Add the matrix columns of the pivots, lower triangle, to the front."""
    p = len(pivots)
    for c in range(p):
        for k in range(indptr[pivots[c]], indptr[pivots[c] + 1]):
            r = local[indices[k]]
            if r >= p:
                f21[r - p, c] += data[k]
            elif r >= c:
                f11[r, c] += data[k]


@kernel
def _extend_add(update, place, f11, f21, f22):
    """Add a child's remainder (lower triangle) at its places in the front; places ascend."""
    p = f11.shape[0]
    for j in range(update.shape[0]):
        c = place[j]
        for i in range(j, update.shape[0]):
            r = place[i]
            low, high = (c, r) if c < r else (r, c)
            if high < p:
                f11[high, low] += update[i, j]
            elif low < p:
                f21[high - p, low] += update[i, j]
            else:
                f22[high - p, low - p] += update[i, j]
