"""Craig-Bampton modes of any mesh by sparse factorization.

One factorization of the stiffness, held at six coordinates, serves constraint modes, fixed-interface modes, free modes
and static residual: the missing coordinates and any further rows enter as a border.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.body.bordered import bordered_solvers
from flexwheel.body.craig_bampton import (
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
    with_static_shapes,
)
from flexwheel.body.eigen import natural_modes
from flexwheel.body.interfaces import Interface
from flexwheel.body.mesh import Mesh, RigidSet
from flexwheel.body.modal_basis import ModalBasis
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.ties import columns_of, free_coordinates, held_together

SELDOM = 1e-3
"""Weight of a rotation among coordinates to hold: taken where no translation holds the body, as of beams on a line."""
SMALL = 400  # unknowns below which natural_modes would use dense matrices without the border


class _Bordered(NamedTuple):
    """A bordered solution in the face of a factor."""

    solve: object


class GeneralModes(NamedTuple):
    """Modes and solver of the general route."""

    problem: TiedProblem
    free_solve: object  # f -> elastic response of the free body under f balanced by its inertia
    shapes: np.ndarray  # (D, H) flexible modes in the coordinates of the tied problem
    frequency: np.ndarray  # (H,) [Hz]


class Truncated(NamedTuple):
    """What the static residual needs of a route, in coordinates x (D,) of its own."""

    mass: object  # (D, D)
    rows: sp.csr_matrix  # (C, D) interface coordinates
    solve: object  # f (D, m) -> elastic response of the free body less the share of its modes
    recover: object  # node rows (L,) -> (3 L, D) csr_matrix, their displacements; its transpose: loads on them


def truncated(general: GeneralModes) -> Truncated:
    """Truncated of the general route."""
    problem, shapes, omega = general.problem, general.shapes, 2 * np.pi * general.frequency
    whole = sp.identity(problem.mass.shape[0], format="csr") if problem.recover is None else problem.recover.tocsr()

    def solve(f):
        return general.free_solve(f) - shapes @ ((shapes.T @ f) / omega[:, None] ** 2)

    return Truncated(
        problem.mass, problem.rows, solve, lambda nodes: whole[(3 * nodes[:, None] + np.arange(3)).ravel()]
    )


def general_modes(
    mesh: Mesh,
    stiffness: sp.spmatrix,
    mass: sp.spmatrix,
    interfaces: tuple[Interface, ...],
    coupling: str,
    choice: ModeChoice,
    of_free_body: bool = False,
) -> tuple[ModalBasis, GeneralModes]:
    """Flexible Craig-Bampton modes of the whole mesh; orders and generator are left unknown.

    Parameters as `cyclic_modes`, with the matrices (3 N, 3 N) of the whole mesh. of_free_body: beside the free modes
    the responses of the free body to unit loads on the interfaces, balanced by its inertia, not the constraint modes.

    Verified in tests/verification/test_reduction_verified.py.
    """
    problem = _tie(mesh, stiffness, mass, interfaces, coupling)
    rigid = tied_coordinates(problem, rigid_modes(mesh.nodes))
    inertia = problem.mass @ rigid
    borders = [problem.rows.T.toarray(), inertia]
    holdable = None
    if any(isinstance(tie, RigidSet) for tie in mesh.ties):  # translations: a rotation would hold the body weakly
        turns = problem.recover.tocsc(copy=True)
        turns.data = (turns.data != 1.0).astype(float)
        holdable = np.where(np.asarray(turns.sum(axis=0)).ravel() == 0.0, 1.0, SELDOM)
    fixed_solve, free_solve = bordered_solvers(problem.stiffness, rigid, borders, holdable)
    constraint = constraint_modes(problem.stiffness.shape[0], problem.rows, fixed_solve)
    free = problem._replace(rows=sp.csr_matrix(inertia.T))
    fixed, count = FixedModes(np.zeros(0), np.zeros((problem.stiffness.shape[0], 0))), 0
    if choice.fixed_interface is None:
        exact = _below(free, free_solve, choice.up_to)
        if of_free_body:
            frequency, shapes = with_static_shapes(problem, exact, free_solve(problem.rows.T.toarray()), rigid)
        else:
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
    return modal, GeneralModes(problem, free_solve, shapes, frequency)


def _on_mesh(problem, coordinates, mesh):
    full = coordinates if problem.recover is None else problem.recover @ coordinates
    return full.reshape(len(mesh.nodes), 3, coordinates.shape[1])


def _lowest(problem, solve, count, below=np.inf):
    size = problem.stiffness.shape[0]
    if count == 0:
        return FixedModes(np.zeros(0), np.zeros((size, 0)))
    if size <= SMALL:
        return fixed_interface_modes(problem, count, solve)
    count = min(count, size - problem.rows.shape[0] - 1)
    factor = _Bordered(solve)
    return FixedModes(*natural_modes(problem.stiffness, problem.mass, count, shift=0.0, factor=factor, below=below))


def _below(problem, solve, below):
    """All modes under a frequency [Hz]."""
    count = 48
    while True:
        found = _lowest(problem, solve, count, below)
        if len(found.frequency) < count or found.frequency[-1] >= below:
            low = found.frequency < below
            return FixedModes(found.frequency[low], found.shapes[:, low])
        count *= 2


def _tie(mesh, stiffness, mass, interfaces, coupling):
    recover = free_coordinates(mesh)
    stiffness, mass = (held_together(recover, a) for a in (stiffness, mass))
    dofs = [(3 * i.nodes[:, None] + np.arange(3)).ravel() for i in interfaces]
    if coupling == "rigid":
        motion = la.block_diag(*(i.rigid_motion for i in interfaces))
        slaves = np.concatenate(dofs)
        if recover is None:
            return tie_rigid(stiffness, mass, slaves, motion)
        tied = tie_rigid(stiffness, mass, columns_of(mesh, recover, slaves), motion)
        return tied._replace(recover=(recover @ tied.recover).tocsr())
    rows = interface_averages(mesh, interfaces)
    return TiedProblem(stiffness, mass, (rows if recover is None else rows @ recover).tocsr(), recover)


def interface_averages(mesh: Mesh, interfaces: tuple[Interface, ...]) -> sp.csr_matrix:
    """(6 I, 3 N) least-squares motions of the interfaces."""
    dofs = [(3 * i.nodes[:, None] + np.arange(3)).ravel() for i in interfaces]
    rows = [
        sp.csr_matrix((i.average.ravel(), (np.repeat(np.arange(6), len(d)), np.tile(d, 6))), (6, mesh.dof_count))
        for i, d in zip(interfaces, dofs, strict=True)
    ]
    return sp.vstack(rows).tocsr()
