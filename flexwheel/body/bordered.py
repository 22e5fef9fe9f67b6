"""Solution of [K B; B^T 0] for a stiffness that leaves motions free: K held at a few coordinates, then let go.

A dense border would fill the factor; here it meets a small matrix alone.

Verified in tests/verification/test_reduction_residual_verified.py.
"""

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sla

from flexwheel.body.multifrontal import multifrontal_cholesky


def bordered_solver(stiffness: sp.spmatrix, border: np.ndarray):
    """Solver of [K B; B^T 0] for small problems: function (f (D,) or (D, m), g (b, m) or 0) -> x.

    The columns of B determine the motions that K leaves free; without border, K must be positive definite.
    """
    if border.shape[1] == 0:
        return _symmetric_lu(stiffness).solve
    return bordered_solvers(sp.csr_matrix(stiffness), border, [border], factorize=_symmetric_lu)[0]


def _symmetric_lu(matrix):
    options = {"SymmetricMode": True}
    return sla.splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)


def bordered_solvers(stiffness: sp.csr_matrix, rigid, borders, holdable=None, factorize=multifrontal_cholesky):
    """Solvers of [K B; B^T 0] for several borders from one factorization of K held at a few coordinates.

    Parameters
    ----------
    stiffness : (D, D) sparse        symmetric
    rigid : (D, r)                   motions that it leaves free, or forces that balance these; as many coordinates
                                     are held
    borders : list of (D, b) dense
    holdable : (D,)                  weights by which the coordinates to hold are chosen; None: alike
    factorize : function             of a positive definite csr_matrix

    Returns
    -------
    solve : list of functions        (f (D,) or (D, m), g = 0) -> x, one for each border
    """
    motion = rigid if holdable is None else rigid * holdable[:, None]
    held = np.sort(la.qr(motion.T, mode="r", pivoting=True)[1][: rigid.shape[1]])
    coupling = stiffness[:, held].toarray()
    corner, coupling[held] = coupling[held], 0.0
    factor = factor_held(stiffness, held, factorize)
    responses = factor.solve(np.hstack([coupling, *borders]))
    responses[held] = 0.0
    of_coupling, *of_borders = np.split(responses, np.cumsum([len(held)] + [b.shape[1] for b in borders[:-1]]), axis=1)
    return [
        _bordered(factor, held, corner, np.hstack([coupling, border]), np.hstack([of_coupling, response]))
        for border, response in zip(borders, of_borders, strict=True)
    ]


def factor_held(stiffness, held, factorize):
    """Factor of K without what couples the held coordinates; for that time K itself is changed, to save a copy."""
    stiffness.sort_indices()
    matrix = sp.csr_matrix((stiffness.data, stiffness.indices, stiffness.indptr), stiffness.shape)
    near = np.unique(matrix[held].indices)
    entries = np.concatenate([near[:0], *(np.arange(*matrix.indptr[row : row + 2]) for row in near)])
    row, column = np.repeat(near, np.diff(matrix.indptr)[near]), matrix.indices[entries]
    entries = entries[(row != column) & (np.isin(row, held) | np.isin(column, held))]
    kept = matrix.data[entries]
    matrix.data[entries] = 0.0
    try:
        return factorize(matrix)
    finally:
        matrix.data[entries] = kept


def _bordered(factor, held, corner, side, response):
    """Solver for one border; side (D, r + b) the coupling of the held coordinates, then the border."""
    count, size = len(held), len(side)
    inner = np.zeros((side.shape[1],) * 2)
    inner[:count, :count] = corner
    inner[:count, count:] = side[held, count:]
    inner[count:, :count] = side[held, count:].T
    inner -= side.T @ response
    scale = np.ones(len(inner))
    scale[:count] = 1.0 / np.sqrt(np.diag(corner))
    scale[count:] = 1.0 / np.abs(inner * scale[:, None])[:count, count:].max(0)
    small = la.lu_factor(inner * np.outer(scale, scale))

    def solve(f, g=0.0):
        flat = f.reshape(size, -1)
        x = factor.solve(flat) if flat.any() else np.zeros_like(flat)
        x[held] = 0.0
        lower = np.zeros((len(inner), flat.shape[1]))
        lower[:count] = flat[held]
        lower[count:] = g
        lower -= side.T @ x
        edge = scale[:, None] * la.lu_solve(small, scale[:, None] * lower)
        x -= response @ edge
        x[held] = edge[:count]
        return x.reshape(f.shape)

    return solve
