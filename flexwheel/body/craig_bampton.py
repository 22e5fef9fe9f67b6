"""Craig-Bampton reduction: constraint modes, fixed-interface modes, modes of the reduced matrices.

The body's coordinates x carry interface rows C: C x are the interface coordinates. Constraint modes are the static
shapes with C x = unit vectors; fixed-interface modes have C x = 0. Both follow from one bordered solution

    [K  C^T] [x     ]   [f]
    [C   0 ] [lambda] = [g]

which serves rigid coupling (C selects coordinates) and averaging coupling alike.

Fixed-interface modes converge slowly where the free ends move much: with 29 of them the axial mode of the shipped
wheelset at 937 Hz comes out 2 to 10 % high. The modes below a stated frequency are therefore replaced by those of the
full matrices; the rest of the Craig-Bampton space, made M-orthogonal to them, stays. The count does not change.

Source: Craig, Bampton 1968, AIAA Journal 6(7), 1313-1319; paper 004, section 2.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sla

from flexwheel.base.errors import ConvergenceError
from flexwheel.body.ties import congruent

EQUAL = 1e-4  # relative gap below which two frequencies count as one group that must not be split
SPANNED = 1e-12  # of a shape's squared size: what other shapes leave of it is rounding
RIGID = 1e-3  # of the first flexible frequency: below it a mode is rigid


class TiedProblem(NamedTuple):
    """Stiffness and mass after the coupling of the interfaces, x = coordinates."""

    stiffness: sp.csc_matrix  # (D, D)
    mass: sp.csc_matrix  # (D, D)
    rows: sp.csr_matrix  # (C, D) interface coordinates C x
    recover: sp.csr_matrix | None  # (F, D) full amplitudes from x; None: x are the full amplitudes


class ModeChoice(NamedTuple):
    """Which modes a reduction takes."""

    fixed_interface: int | None  # that many fixed-interface modes; None: all free modes below `up_to`
    up_to: float  # [Hz] used where fixed_interface is None
    exact_below: float  # [Hz] of a choice by number: modes below are those of the full matrices; 0: none


class FixedModes(NamedTuple):
    """Fixed-interface modes, M-orthonormal, ascending."""

    frequency: np.ndarray  # (k,) [Hz]
    shapes: np.ndarray  # (D, k)


def tie_rigid(stiffness, mass, slaves: np.ndarray, motion: np.ndarray) -> TiedProblem:
    """Slave coordinates follow `motion` (len(slaves), C) times C new interface coordinates, appended last."""
    size, count = stiffness.shape[0], motion.shape[1]
    free = np.setdiff1d(np.arange(size), slaves)
    keep = sp.csr_matrix((np.ones(len(free)), (free, np.arange(len(free)))), shape=(size, len(free)))
    tied = sp.coo_matrix(motion)
    tied = sp.csr_matrix((tied.data, (slaves[tied.row], tied.col)), shape=(size, count))
    recover = sp.hstack([keep, tied]).tocsr()
    rows = sp.hstack([sp.csr_matrix((count, len(free))), sp.identity(count)]).tocsr()
    k, m = (congruent(recover, a).tocsc() for a in (stiffness, mass))
    return TiedProblem(k, m, rows, recover)


def constraint_modes(size: int, rows: sp.spmatrix, solve) -> np.ndarray:
    """(D, C) static shapes with C x = unit vectors."""
    count = rows.shape[0]
    return solve(np.zeros((size, count)), np.eye(count)) if count else np.zeros((size, 0))


def fixed_interface_modes(problem: TiedProblem, count: int, solve) -> FixedModes:
    """The `count` lowest modes with C x = 0, by inverse Lanczos on the bordered solution.

    Raises ConvergenceError when ARPACK does not converge.
    """
    size = problem.stiffness.shape[0]
    count = min(count, size - problem.rows.shape[0] - 1)
    if count <= 0:
        return FixedModes(np.zeros(0), np.zeros((size, 0)))
    inverse = sla.LinearOperator((size, size), matvec=solve, dtype=float)
    start = np.random.default_rng(1).standard_normal(size)
    try:
        value, shape = sla.eigsh(
            problem.stiffness, count, problem.mass, sigma=0.0, OPinv=inverse, v0=solve(problem.mass @ start)
        )
    except sla.ArpackError as error:
        raise ConvergenceError(f"fixed-interface modes: {count} of {size} coordinates: {error}") from error
    ascending = np.argsort(value)
    return FixedModes(np.sqrt(np.abs(value[ascending])) / (2 * np.pi), shape[:, ascending])


def count_without_split(frequency: np.ndarray, wanted: int) -> int:
    """Number of modes nearest to `wanted` that separates no group of equal frequencies; the larger one of two.

    `frequency` ascending with multiplicity, reaching beyond the group of mode `wanted`; 0 wanted stays 0.
    """
    if wanted <= 0:
        return 0
    gaps = np.diff(frequency) > EQUAL * frequency[1:]
    cuts = np.concatenate([[0], 1 + np.flatnonzero(gaps)])
    distance = np.abs(cuts - wanted)
    return int(cuts[distance == distance.min()].max())


def reduced_modes(problem: TiedProblem, basis: np.ndarray, rigid: int) -> tuple[np.ndarray, np.ndarray]:
    """Modes of the matrices reduced to `basis` (D, m), the `rigid` lowest dropped.

    Returns
    -------
    frequency : (m - rigid,) [Hz]
    shapes : (D, m - rigid)        M-orthonormal, stiffness diagonal

    Raises ConvergenceError when the number of zero frequencies is not `rigid`.
    """
    if basis.shape[1] == 0:
        return np.zeros(0), basis
    basis = basis / _size(problem, basis)
    k, m = (basis.conj().T @ (a @ basis) for a in (problem.stiffness, problem.mass))
    value, vector = la.eigh((k + k.conj().T) / 2, (m + m.conj().T) / 2)
    frequency = np.sqrt(np.abs(value)) / (2 * np.pi)
    if rigid < len(frequency):
        zero = int((frequency < RIGID * frequency[rigid]).sum())
        if zero != rigid:
            raise ConvergenceError(
                f"Craig-Bampton: {zero} rigid modes found, {rigid} expected; lowest frequencies "
                f"{np.array2string(frequency[: rigid + 2], precision=3)} Hz"
            )
    return frequency[rigid:], basis @ vector[:, rigid:]


def tied_coordinates(problem: TiedProblem, motion: np.ndarray) -> np.ndarray:
    """Coordinates (D, r) of a motion (F, r) that respects the coupling."""
    if problem.recover is None or motion.shape[1] == 0:
        return motion if problem.recover is None else np.zeros((problem.recover.shape[1], 0))
    t = problem.recover
    return sla.splu((t.T @ t).tocsc()).solve(t.T @ motion)


def with_exact_modes(
    problem: TiedProblem, frequency: np.ndarray, shapes: np.ndarray, exact: FixedModes
) -> tuple[np.ndarray, np.ndarray]:
    """Modes of span(exact modes, part of the Craig-Bampton space M-orthogonal to them), as many as before.

    frequency (h,), shapes (D, h): Craig-Bampton modes; exact: at most h modes of the full matrices.
    """
    kept = min(len(exact.frequency), len(frequency))
    if kept == 0:
        return frequency, shapes
    exact_shapes = exact.shapes[:, :kept]
    overlap = exact_shapes.conj().T @ (problem.mass @ shapes)
    rest = shapes @ la.svd(overlap)[2][kept:].conj().T
    rest -= exact_shapes @ (exact_shapes.conj().T @ (problem.mass @ rest))
    high, rest = reduced_modes(problem, rest, 0)
    order = np.argsort(np.concatenate([exact.frequency[:kept], high]), kind="stable")
    return np.concatenate([exact.frequency[:kept], high])[order], np.hstack([exact_shapes, rest])[:, order]


def free_modes_below(problem: TiedProblem, rigid: np.ndarray, solve, below: float) -> FixedModes:
    """All flexible modes under a frequency [Hz], ascending; solve: the solution bordered by M rigid (D, r)."""
    free = problem._replace(rows=sp.csr_matrix((problem.mass @ rigid).T))
    most, count = problem.stiffness.shape[0] - rigid.shape[1] - 1, 12
    while True:
        found = fixed_interface_modes(free, min(count, most), solve)
        if len(found.frequency) == 0 or found.frequency[-1] >= below or count >= most:
            low = found.frequency < below
            return FixedModes(found.frequency[low], found.shapes[:, low])
        count *= 2


def with_journal_shapes(
    problem: TiedProblem, exact: FixedModes, constraint: np.ndarray, rigid: np.ndarray, solve
) -> tuple[np.ndarray, np.ndarray]:
    """Modes of span(exact modes, constraint modes, what the inertia of the latter calls for) without the rigid ones.

    The truncated modes answer a load on the interfaces with the sum of phi phi^T / (omega_k^2 - omega^2). Beside the
    exact modes the constraint modes x hold its value at rest, K^+ M x its change with the square of the frequency: the
    axle boxes, which are heavy against an axle's end, need both.

    constraint (D, C), whose span holds the rigid motions (D, r): 2 (C - r) modes beyond the exact ones; solve: as
    `free_modes_below`.

    Source: Craig, Hale 1988, Journal of Guidance, Control, and Dynamics 11(6), 562-570 (block-Krylov
    component synthesis).
    """
    count = constraint.shape[1] - rigid.shape[1]
    if count <= 0:
        return exact.frequency, exact.shapes
    held = np.hstack([rigid @ la.inv(la.cholesky(rigid.conj().T @ (problem.mass @ rigid))), exact.shapes])
    static = _orthonormal(problem, constraint, held, count)
    second = _orthonormal(problem, solve(problem.mass @ static), np.hstack([held, static]), count)
    high, rest = reduced_modes(problem, np.hstack([static, second]), 0)
    order = np.argsort(np.concatenate([exact.frequency, high]), kind="stable")
    return np.concatenate([exact.frequency, high])[order], np.hstack([exact.shapes, rest])[:, order]


def with_static_shapes(
    problem: TiedProblem, exact: FixedModes, static: np.ndarray, rigid: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Modes of span(exact modes, static responses of the free body (D, C)) without the rigid motions (D, r)."""
    held = np.hstack([rigid @ la.inv(la.cholesky(rigid.conj().T @ (problem.mass @ rigid))), exact.shapes])
    high, rest = reduced_modes(problem, _orthonormal(problem, static, held, static.shape[1], SPANNED), 0)
    order = np.argsort(np.concatenate([exact.frequency, high]), kind="stable")
    return np.concatenate([exact.frequency, high])[order], np.hstack([exact.shapes, rest])[:, order]


def _orthonormal(problem, shapes, held, count, least=0.0):
    """M-orthonormal basis (D, count) of the largest part of shapes (D, C) that is M-orthogonal to `held`.

    least : below that share of their squared size parts are left out
    """
    rest = shapes / _size(problem, shapes)
    for _ in range(2):  # the second time for rounding
        rest = rest - held @ (held.conj().T @ (problem.mass @ rest))
    value, vector = la.eigh(rest.conj().T @ (problem.mass @ rest))
    count = min(count, int((value > least).sum())) if least else count
    return rest @ (vector[:, -count:] / np.sqrt(value[-count:]))


def _size(problem, shapes):
    """Square root of the modal mass of each shape."""
    return np.sqrt(np.einsum("ij,ij->j", shapes.conj(), problem.mass @ shapes).real)
