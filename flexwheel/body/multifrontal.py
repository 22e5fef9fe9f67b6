"""Multifrontal Cholesky factorization: dense BLAS on supernodes.

Every supernode gathers its rows and what its children left over in a dense front, eliminates its pivots
and passes the rest to its parent. No solver library is needed beyond scipy's BLAS.

Source: Duff, Reid 1983, ACM TOMS 9(3), 302-325; Liu 1992, SIAM Review 34(1), 82-109.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg import blas, lapack

from flexwheel.base.capacity import require_memory
from flexwheel.base.errors import ConvergenceError, MeshError
from flexwheel.body.elimination_tree import elimination_tree
from flexwheel.body.supernodal_solve import WIDTH, solve_in_place
from flexwheel.numerics.kernels import kernel


class MultifrontalFactor(NamedTuple):
    """L of A = L L^T, front by front, as supernodal_solve reads it."""

    order: np.ndarray  # (D,) unknowns in order of elimination; 2 D rows for a complex matrix
    first: np.ndarray  # (F + 1,) first pivot of every front, by that order
    at: np.ndarray  # (F + 1,) its first number
    boundary_at: np.ndarray  # (F + 1,) its first row of boundary
    boundary: np.ndarray  # (B,) rows it couples to, by that order
    values: np.ndarray  # numbers of L
    work: np.ndarray  # (2, D * WIDTH) right sides in that order, in use again at every solution

    def solve(self, right_side):
        """Solution for right_side (D,) or (D, L), complex for a complex matrix."""
        if np.iscomplexobj(right_side) and len(right_side) == len(self.order):  # of a real matrix
            two = self.solve(np.hstack([right_side.real, right_side.imag]))
            return two[:, : two.shape[1] // 2] + 1j * two[:, two.shape[1] // 2 :]
        if np.iscomplexobj(right_side):
            two = np.stack([right_side.real, right_side.imag], axis=1)
            two = self.solve(two.reshape(2 * len(two), *two.shape[2:])).reshape(two.shape)
            return two[:, 0] + 1j * two[:, 1]
        if len(right_side) != len(self.order):
            raise ValueError(f"right side has {len(right_side)} rows, the matrix {len(self.order)}")
        right = np.ascontiguousarray(right_side, dtype=float).reshape(len(right_side), -1)
        out, batches = np.empty(right.shape), range(0, right.shape[1], WIDTH)
        for two in (batches[k : k + 2] for k in range(0, len(batches), 2)):
            for x, start in zip(self.work, two, strict=False):
                _take(right, self.order, start, x)
            solve_in_place(self.work.ravel(), len(two), *self[1:-1])
            for x, start in zip(self.work, two, strict=False):
                _put(x, self.order, start, out)
        return out.reshape(np.shape(right_side))


def multifrontal_cholesky(matrix, tree=None) -> MultifrontalFactor:
    """Factorize a symmetric positive definite sparse matrix (D, D), or a complex Hermitian one.

    The factor of a complex one is that of the real matrix (2 D, 2 D) of its 2 x 2 blocks [re -im; im re], real parts
    first: the triangle of these blocks is the real one, as the diagonal of L is real.
    tree: `elimination_tree` of a matrix with the same pattern, where there is one.

    Raises
    ------
    ConvergenceError    a pivot is not positive
    """
    matrix = sp.csr_matrix(matrix)
    matrix.sum_duplicates()
    tree = tree or elimination_tree(matrix)
    pair = 1 + np.iscomplexobj(matrix)
    indptr, indices, data = matrix.indptr, matrix.indices, matrix.data.conj()  # of columns
    potrf, trsm = (lapack.zpotrf, blas.ztrsm) if pair == 2 else (lapack.dpotrf, blas.dtrsm)
    rank_k = blas.zherk if pair == 2 else blas.dsyrk
    factor = _empty_factor(tree, pair)
    local = np.full(matrix.shape[0], -1, dtype=np.int64)
    updates = {}
    for number, node in enumerate(tree):
        p, b = len(node.pivots), len(node.boundary)
        rows = np.concatenate([node.pivots, node.boundary])
        local[rows] = np.arange(p + b)
        middle = factor.at[number] + pair * p * (pair * p + 1) // 2
        below = factor.values[middle : factor.at[number + 1]].reshape(pair * b, pair * p)
        f11, f22, f21 = (np.zeros(shape, dtype=data.dtype) for shape in ((p, p), (b, b), (b, p)))
        _gather_rows(indptr, indices, data, node.pivots, local, f11, f21)
        for child in node.children:
            _extend_add(updates.pop(child), local[tree[child].boundary], f11, f21, f22)
        local[rows] = -1
        if p:  # rows here are columns of Fortran's arrays, lower triangles upper ones
            upper, info = potrf(f11.T, lower=0, clean=0, overwrite_a=1)
            if info != 0:
                raise ConvergenceError(
                    f"Cholesky, {matrix.shape[0]} unknowns: not positive definite (front {number} of {len(tree)})"
                )
            _pack(_real(f11), factor.values[factor.at[number] : middle])
            if b:
                f21 = trsm(1.0, upper, f21.T, side=0, lower=0, trans_a=pair, overwrite_b=1).T
                rank_k(-1.0, f21.T, beta=1.0, c=f22.T, trans=pair, lower=0, overwrite_c=1)
                below[:] = _real(f21)
        updates[number] = f22
    return factor


def _real(front):
    """A front of real numbers from one of complex ones."""
    if not np.iscomplexobj(front):
        return front
    out = np.empty((2 * front.shape[0], 2 * front.shape[1]))
    out[::2, ::2] = out[1::2, 1::2] = front.real
    out[1::2, ::2], out[::2, 1::2] = front.imag, -front.imag
    return out


def _empty_factor(tree, pair):
    pivots, boundaries = ([_each(node[k], pair) for node in tree] for k in (0, 1))
    p, b = (np.array([len(rows) for rows in part], dtype=np.int64) for part in (pivots, boundaries))
    first, at, boundary_at = (np.concatenate([[0], np.cumsum(n)]) for n in (p, p * (p + 1) // 2 + p * b, b))
    order = np.concatenate(pivots)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(place))
    fronts = float(np.max(p + b, initial=0)) ** 2  # the largest, with its children's remainders as large again
    require_memory(
        8.0 * (at[-1] + 2.0 * fronts + 2.0 * WIDTH * len(order)),
        f"factor of {len(order)} unknowns of a mesh",
        "take a coarser mesh, linear elements, or a mesh of revolution",
        error=MeshError,
    )
    boundary, work = place[np.concatenate(boundaries)], np.zeros((2, len(order) * WIDTH))
    return MultifrontalFactor(order, first, at, boundary_at, boundary, np.empty(at[-1]), work)


def _each(rows, pair):
    """Rows of the real matrix."""
    return rows if pair == 1 else (2 * rows[:, None] + np.arange(2)).ravel()


@kernel
def _take(right, order, start, x):
    """WIDTH columns from `start` on in the order of elimination; those that are missing stay."""
    for p in range(len(order)):
        for c in range(start, min(start + WIDTH, right.shape[1])):
            x[WIDTH * p + c - start] = right[order[p], c]


@kernel
def _put(x, order, start, out):
    """The way back of _take."""
    for p in range(len(order)):
        for c in range(start, min(start + WIDTH, out.shape[1])):
            out[order[p], c] = x[WIDTH * p + c - start]


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
    p, inner = f11.shape[0], 0
    while inner < len(place) and place[inner] < p:
        inner += 1
    for i in range(len(place)):
        r = place[i]
        if i < inner:
            for j in range(i + 1):
                f11[r, place[j]] += update[i, j]
        else:
            for j in range(inner):
                f21[r - p, place[j]] += update[i, j]
            for j in range(inner, i + 1):
                f22[r - p, place[j] - p] += update[i, j]


@kernel
def _pack(triangle, out):
    """Lower triangle row by row."""
    at = 0
    for i in range(triangle.shape[0]):
        for j in range(i + 1):
            out[at] = triangle[i, j]
            at += 1
