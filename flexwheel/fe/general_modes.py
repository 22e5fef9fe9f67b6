"""Craig-Bampton modes of any mesh by sparse factorization.

One factorization of the stiffness, held at six coordinates, serves constraint modes, fixed-interface modes, free modes
and static residual: the missing coordinates and any further rows enter as a border.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.fe.craig_bampton import (
    FixedModes,
    ModeChoice,
    TiedProblem,
    constraint_modes,
    count_without_split,
    fixed_interface_modes,
    reduced_modes,
    tie_rigid,
    tied_coordinates,
    with_exact_modes,
    with_journal_shapes,
)
from flexwheel.fe.eigen import natural_modes
from flexwheel.fe.interfaces import Interface
from flexwheel.fe.mesh import Mesh
from flexwheel.fe.modal_basis import ModalBasis
from flexwheel.fe.rigid_motion import rigid_modes
from flexwheel.fe.solver import factorize

SMALL = 400  # unknowns below which natural_modes would use dense matrices without the border


class HeldSolver:
    """Solver of [K B; B^T 0] for any border B, from one factorization of K held at a few coordinates."""

    def __init__(self, stiffness: sp.spmatrix, rigid: np.ndarray, solver: str | None = None):
        self.size = stiffness.shape[0]
        _, _, pivots = la.qr(rigid.T, mode="economic", pivoting=True)
        self.held = np.sort(pivots[: rigid.shape[1]])
        self.free = np.setdiff1d(np.arange(self.size), self.held)
        stiffness = stiffness.tocsr()
        rows = stiffness[self.free]
        self._coupling = rows[:, self.held].toarray()
        self._corner = stiffness[self.held][:, self.held].toarray()
        self._factor = factorize(rows[:, self.free], definite=True, solver=solver)
        self._held_response = self._factor.solve(self._coupling)
        self.name = self._factor.name

    def bordered(self, border: np.ndarray):
        """Function (f (D,) or (D, m), g) -> x for a dense border (D, b)."""
        count = border.shape[1]
        side = np.hstack([self._coupling, border[self.free]])
        response = np.hstack([self._held_response, self._factor.solve(border[self.free])])
        corner = np.zeros((len(self.held) + count,) * 2)
        corner[: len(self.held), : len(self.held)] = self._corner
        corner[: len(self.held), len(self.held) :] = border[self.held]
        corner[len(self.held) :, : len(self.held)] = border[self.held].T
        corner -= side.T @ response
        scale = np.ones(len(corner))
        scale[: len(self.held)] = 1.0 / np.sqrt(np.diag(self._corner))
        scale[len(self.held) :] = 1.0 / np.abs(corner * scale[:, None])[: len(self.held), len(self.held) :].max(0)
        factor = la.lu_factor(corner * np.outer(scale, scale))

        def solve(f, g=0.0):
            flat = f.reshape(self.size, -1)
            inner = self._factor.solve(flat[self.free])
            lower = np.zeros((len(corner), flat.shape[1]))
            lower[: len(self.held)] = flat[self.held]
            lower[len(self.held) :] = g
            lower -= side.T @ inner
            edge = scale[:, None] * la.lu_solve(factor, scale[:, None] * lower)
            x = np.empty_like(flat)
            x[self.free] = inner - response @ edge
            x[self.held] = edge[: len(self.held)]
            return x.reshape(f.shape)

        return solve


class _Bordered(NamedTuple):
    """A bordered solution in the face of a Factor."""

    solve: object
    size: int
    name: str = "bordered"


class GeneralModes(NamedTuple):
    """What the static residual needs of the general route."""

    problem: TiedProblem
    free_solve: object  # f -> elastic response of the free body under f balanced by its inertia
    shapes: np.ndarray  # (D, H) flexible modes in the coordinates of the tied problem
    frequency: np.ndarray  # (H,) [Hz]
    solver: str


def general_modes(
    mesh: Mesh,
    stiffness: sp.spmatrix,
    mass: sp.spmatrix,
    interfaces: tuple[Interface, ...],
    coupling: str,
    choice: ModeChoice,
    solver: str | None = None,
) -> tuple[ModalBasis, GeneralModes]:
    """Flexible Craig-Bampton modes of the whole mesh; orders and generator are left unknown.

    Parameters as `cyclic_modes`, with the matrices (3 N, 3 N) of the whole mesh; solver as `factorize`.

    Verified in tests/verification/test_reduction.py.
    """
    problem = _tie(stiffness, mass, interfaces, coupling)
    rigid = tied_coordinates(problem, rigid_modes(mesh.nodes))
    held = HeldSolver(problem.stiffness, rigid, solver)
    fixed_solve = held.bordered(problem.rows.T.toarray())
    constraint = constraint_modes(problem.stiffness.shape[0], problem.rows, fixed_solve)
    inertia = problem.mass @ rigid
    free_solve = held.bordered(inertia)
    free = problem._replace(rows=sp.csr_matrix(inertia.T))
    fixed, count = FixedModes(np.zeros(0), np.zeros((problem.stiffness.shape[0], 0))), 0
    if choice.fixed_interface is None:
        exact = _below(free, free_solve, choice.up_to)
        frequency, shapes = with_journal_shapes(problem, exact, constraint, rigid, free_solve)
    else:
        wanted = choice.fixed_interface
        fixed = _lowest(problem, fixed_solve, wanted + 8 if wanted else 0)
        count = count_without_split(fixed.frequency, wanted)
        basis = np.hstack([constraint, fixed.shapes[:, :count]])
        frequency, shapes = reduced_modes(problem, basis, 6)
        limit = min(choice.exact_below, fixed.frequency[count - 1] if count else 0.0)
        if limit > 0:
            exact = _lowest(free, free_solve, len(frequency))
            low = exact.frequency < limit
            exact = FixedModes(exact.frequency[low], exact.shapes[:, low])
            frequency, shapes = with_exact_modes(problem, frequency, shapes, exact)
    full = shapes if problem.recover is None else problem.recover @ shapes
    modes = len(frequency)
    modal = ModalBasis(
        shapes=np.ascontiguousarray(full).reshape(len(mesh.nodes), 3, modes),
        frequency=frequency,
        order=np.full(modes, -1),
        generator=np.zeros((modes, modes)),
        fixed_frequency=fixed.frequency[:count],
        constraint_shapes=_on_mesh(problem, constraint, mesh),
        fixed_shapes=_on_mesh(problem, fixed.shapes[:, :count], mesh),
    )
    return modal, GeneralModes(problem, free_solve, shapes, frequency, held.name)


def _on_mesh(problem, coordinates, mesh):
    full = coordinates if problem.recover is None else problem.recover @ coordinates
    return full.reshape(len(mesh.nodes), 3, coordinates.shape[1])


def _lowest(problem, solve, count):
    size = problem.stiffness.shape[0]
    if count == 0:
        return FixedModes(np.zeros(0), np.zeros((size, 0)))
    if size <= SMALL:
        return fixed_interface_modes(problem, count, solve)
    count = min(count, size - problem.rows.shape[0] - 1)
    return FixedModes(*natural_modes(problem.stiffness, problem.mass, count, shift=0.0, factor=_Bordered(solve, size)))


def _below(problem, solve, below):
    """All modes under a frequency [Hz]."""
    count = 48
    while True:
        found = _lowest(problem, solve, count)
        if len(found.frequency) < count or found.frequency[-1] >= below:
            low = found.frequency < below
            return FixedModes(found.frequency[low], found.shapes[:, low])
        count *= 2


def _tie(stiffness, mass, interfaces, coupling):
    dofs = [(3 * i.nodes[:, None] + np.arange(3)).ravel() for i in interfaces]
    columns = 6 * len(interfaces)
    if coupling == "rigid":
        motion = np.zeros((sum(map(len, dofs)), columns))
        start = 0
        for k, interface in enumerate(interfaces):
            motion[start : start + len(dofs[k]), 6 * k : 6 * k + 6] = interface.rigid_motion
            start += len(dofs[k])
        return tie_rigid(stiffness, mass, np.concatenate(dofs), motion)
    rows = [
        sp.csr_matrix(
            (i.average.ravel(), (np.repeat(np.arange(6), len(d)), np.tile(d, 6))), shape=(6, stiffness.shape[0])
        )
        for i, d in zip(interfaces, dofs, strict=True)
    ]
    return TiedProblem(stiffness, mass, sp.vstack(rows).tocsr(), None)
