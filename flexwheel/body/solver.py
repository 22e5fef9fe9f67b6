"""Sparse factorization of a symmetric matrix: the fastest solver at hand, one face.

CHOLMOD (scikit-sparse) or PARDISO (pypardiso) is picked up when it can be imported. Without them a
positive definite matrix goes to the multifrontal Cholesky of this package, an indefinite one to scipy's
SuperLU.
"""

import importlib
import weakref

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.body.multifrontal import multifrontal_cholesky

SOLVERS = ("cholmod", "pardiso", "multifrontal", "superlu")


class Factor:
    """A factorized matrix; `name` says by which solver."""

    def __init__(self, name, solve, size):
        self.name = name
        self.size = size
        self._solve = solve

    def solve(self, right_side):
        """Solution for right_side (D,) or (D, L), same shape."""
        right_side = np.asarray(right_side, dtype=float)
        if right_side.shape[0] != self.size:
            raise ValueError(f"right side has {right_side.shape[0]} rows, the matrix {self.size}")
        return self._solve(right_side)


def factorize(matrix, definite=True, solver=None) -> Factor:
    """Factorize a symmetric sparse matrix.

    Parameters
    ----------
    matrix : (D, D) sparse          symmetric
    definite : bool                 positive definite; an indefinite one skips the Cholesky solvers
    solver : str, optional          one of SOLVERS; default: the first that is installed

    Raises
    ------
    ConvergenceError                the matrix is singular to working precision
    ScenarioError                   the solver asked for is unknown or not installed
    """
    if solver is not None and solver not in SOLVERS:
        raise ScenarioError(f"solver {solver!r}: expected one of {', '.join(SOLVERS)}")
    makers = {"cholmod": _cholmod, "pardiso": _pardiso, "multifrontal": _multifrontal, "superlu": _superlu}
    for name in (solver,) if solver else SOLVERS:
        if name in ("cholmod", "multifrontal") and not definite and solver is None:
            continue
        factor = makers[name](matrix, definite)
        if factor is not None:
            return factor
    raise ScenarioError(f"solver {solver!r} is not installed")


def _optional(module):
    """The module, or None where it is missing or broken (it may fail in any way on a missing library)."""
    try:
        return importlib.import_module(module)
    except Exception:
        return None


def _superlu(matrix, definite):
    matrix = sp.csc_matrix(matrix)
    try:
        factor = splu(
            matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0 if definite else 0.1,
            options={"SymmetricMode": True},
        )  # fmt: skip
    except RuntimeError as error:
        raise ConvergenceError(f"SuperLU, {matrix.shape[0]} unknowns: {error}") from error
    return Factor("superlu (scipy)", factor.solve, matrix.shape[0])


def _multifrontal(matrix, definite):
    if not definite:
        raise ScenarioError("the multifrontal Cholesky factorizes positive definite matrices only")
    return Factor("multifrontal", multifrontal_cholesky(matrix).solve, matrix.shape[0])


def _cholmod(matrix, definite):
    cholmod = _optional("sksparse.cholmod")
    if cholmod is None or not hasattr(cholmod, "cholesky"):
        return None
    if not definite:
        raise ScenarioError("CHOLMOD factorizes positive definite matrices only")
    matrix = sp.csc_matrix(matrix)
    try:
        factor = cholmod.cholesky(matrix)
    except Exception as error:  # its error classes differ between versions
        raise ConvergenceError(f"CHOLMOD, {matrix.shape[0]} unknowns: {error}") from error
    return Factor("cholmod (scikit-sparse)", factor, matrix.shape[0])


def _pardiso(matrix, definite):
    pypardiso = _optional("pypardiso")
    if pypardiso is None:
        return None
    upper = sp.csr_matrix(sp.triu(matrix, format="csr"))
    upper.sort_indices()
    solver = pypardiso.PyPardisoSolver(mtype=2 if definite else -2)
    try:
        solver.factorize(upper)
    except pypardiso.PyPardisoError as error:
        raise ConvergenceError(f"PARDISO, {matrix.shape[0]} unknowns: {error}") from error

    def solve(right_side):
        return solver.solve(upper, np.asfortranarray(right_side))

    factor = Factor("pardiso (pypardiso)", solve, matrix.shape[0])
    weakref.finalize(factor, solver.free_memory, everything=True)  # it keeps its factors until told
    return factor
