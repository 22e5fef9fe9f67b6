"""Craig-Bampton modes of a mesh of revolution, order by order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.bordered import bordered_solver
from flexwheel.body.craig_bampton import (
    FixedModes,
    ModeChoice,
    TiedProblem,
    constraint_modes,
    count_without_split,
    fixed_interface_modes,
    free_modes_below,
    reduced_modes,
    tie_rigid,
    tied_coordinates,
    with_exact_modes,
    with_journal_shapes,
)
from flexwheel.body.cyclic import (
    COSINE,
    HarmonicBlock,
    SectorMatrix,
    amplitude_count,
    expand,
    harmonic_blocks,
    harmonic_rows,
    rigid_amplitudes,
)
from flexwheel.body.interfaces import Interface
from flexwheel.body.modal_basis import ModalBasis
from flexwheel.body.revolution import Revolution

_TOGETHER = 8  # modes that are put on the mesh before they are written beside each other


class TiedBlock(NamedTuple):
    """One block after the coupling of the interfaces."""

    block: HarmonicBlock
    problem: TiedProblem


class HarmonicModes(NamedTuple):
    """Retained flexible modes of one block."""

    tied: TiedBlock
    frequency: np.ndarray  # (h,) [Hz]
    shapes: np.ndarray  # (D, h) coordinates of the tied problem, M-orthonormal
    place: np.ndarray  # (h, phases) rank of each mode among those of the whole mesh


def interface_axes(block: HarmonicBlock) -> tuple[int, ...]:
    """Interface coordinates (0-5) that a block moves in its first phase."""
    if block.order == 0:
        return (1,) if block.phases == (COSINE,) else (4,)
    return (2, 3) if block.order == 1 else ()


def tied_blocks(stiffness, mass, interfaces, coupling: str, order: int) -> list[TiedBlock]:
    """Blocks of one order with the interfaces coupled; `stiffness`, `mass`: SectorMatrix."""
    revolution = stiffness.revolution
    return [
        TiedBlock(block, _tie(revolution, block, interfaces, coupling))
        for block in harmonic_blocks(stiffness, mass, order)
    ]


def full_amplitudes(tied: TiedBlock, coordinates: np.ndarray, size: int) -> np.ndarray:
    """Amplitudes (size, m) of the order from coordinates (D, m) of the tied block."""
    out = np.zeros((size, coordinates.shape[1]))
    out[tied.block.dof] = coordinates if tied.problem.recover is None else tied.problem.recover @ coordinates
    return out


def check_rotation_symmetric(revolution: Revolution, interfaces: tuple[Interface, ...]) -> None:
    """Refuse interface patches that are not whole rings about the axle."""
    for interface in interfaces:
        if not np.array_equal(np.sort(revolution.following[interface.nodes]), np.sort(interface.nodes)):
            raise MeshError(
                f"interface {interface.name}: its nodes are not whole rings about the axle, as the cyclic route needs; "
                "take whole rings or route = 'general'"
            )


def cyclic_modes(
    revolution: Revolution,
    stiffness: SectorMatrix,
    mass: SectorMatrix,
    interfaces: tuple[Interface, ...],
    coupling: str,
    choice: ModeChoice,
) -> tuple[ModalBasis, list[HarmonicModes]]:
    """Flexible Craig-Bampton modes of the whole mesh with their orders and exact cosine-sine pairs.

    Parameters
    ----------
    stiffness, mass : SectorMatrix
    coupling : "rigid" or "averaging"
    choice : ModeChoice                 by number: the nearest count that splits no group is taken

    Returns
    -------
    basis : ModalBasis
    harmonics : list of HarmonicModes   the same modes in amplitude space

    Verified in tests/verification/test_reduction_verified.py.
    """
    check_rotation_symmetric(revolution, interfaces)
    take = _by_frequency if choice.fixed_interface is None else _by_number
    found, fixed_frequency = take(stiffness, mass, interfaces, coupling, choice)
    harmonics = []
    for tied, _, _, (frequency, shapes) in found:
        if len(frequency):
            rank = np.full((len(frequency), len(tied.block.phases)), -1)
            harmonics.append(HarmonicModes(tied, frequency, shapes, rank))
    return _expanded(revolution, harmonics, fixed_frequency, _pictures(revolution, found)), harmonics


def _by_number(stiffness, mass, interfaces, coupling, choice):
    """(tied block, constraint modes, fixed-interface modes, modes) of each block, and fixed-interface frequencies."""
    found = _fixed_modes(stiffness, mass, interfaces, coupling, choice.fixed_interface)
    frequencies = np.sort(np.concatenate([np.repeat(f.frequency, len(t.block.phases)) for t, _, f in found]))
    count = count_without_split(frequencies, choice.fixed_interface)
    cutoff = frequencies[count - 1] * (1 + 1e-9) if count else -1.0
    exact_below = min(choice.exact_below, cutoff)
    parts = []
    for tied, constraint, fixed in found:
        kept = FixedModes(*(x[..., fixed.frequency <= cutoff] for x in fixed))
        rigid = rigid_coordinates(stiffness.revolution, tied)
        frequency, shapes = reduced_modes(tied.problem, np.hstack([constraint, kept.shapes]), rigid.shape[1])
        exact = _free_modes(tied.problem, rigid, len(frequency), exact_below)
        parts.append((tied, constraint, kept, with_exact_modes(tied.problem, frequency, shapes, exact)))
    return parts, frequencies[:count]


def _by_frequency(stiffness, mass, interfaces, coupling, choice):
    """As `_by_number`: all free modes below the frequency and what loads on the journals add to them.

    Orders end where the lowest mode has passed the frequency twice in a row.
    """
    parts, passed, order = [], 0, 0
    while order < (stiffness.revolution.sections + 1) // 2 and passed < 2:
        any_below = False
        for tied in tied_blocks(stiffness, mass, interfaces, coupling, order):
            problem = tied.problem
            rigid = rigid_coordinates(stiffness.revolution, tied)
            held = bordered_solver(problem.stiffness, problem.rows.T.toarray())
            constraint = constraint_modes(problem.stiffness.shape[0], problem.rows, held)
            free = bordered_solver(problem.stiffness, problem.mass @ rigid)
            exact = free_modes_below(problem, rigid, free, choice.up_to)
            none = FixedModes(np.zeros(0), np.zeros((problem.stiffness.shape[0], 0)))
            parts.append((tied, constraint, none, with_journal_shapes(problem, exact, constraint, rigid, free)))
            any_below = any_below or len(exact.frequency) > 0
        passed = passed + 1 if order > 2 and not any_below else 0
        order += 1
    return parts, np.zeros(0)


def rigid_coordinates(revolution: Revolution, tied: TiedBlock) -> np.ndarray:
    """Rigid motions (D, r) of a block in the coordinates of its tied problem."""
    block = tied.block
    rigid = rigid_amplitudes(revolution, block.order, block.phases, 0.0)
    return tied_coordinates(tied.problem, rigid[block.dof])


def _free_modes(problem, rigid, most, below):
    """Flexible modes of the full block under a frequency, at most `most`."""
    size = problem.stiffness.shape[0]
    if most == 0 or below <= 0:
        return FixedModes(np.zeros(0), np.zeros((size, 0)))
    held = problem.mass @ rigid
    solve = bordered_solver(problem.stiffness, held)
    found = fixed_interface_modes(problem._replace(rows=sp.csr_matrix(held.T)), most, solve)
    low = found.frequency < below
    return FixedModes(found.frequency[low], found.shapes[:, low])


def _tie(revolution, block, interfaces, coupling):
    axes = interface_axes(block)
    size = block.stiffness.shape[0]
    if coupling == "averaging":
        if not axes:
            return TiedProblem(block.stiffness, block.mass, sp.csr_matrix((0, size)), None)
        rows = []
        for interface in interfaces:
            moves = harmonic_rows(revolution, interface.nodes, block.order, block.phases[0])
            rows.append(sp.csr_matrix(interface.average[list(axes)]) @ moves[:, block.dof])
        return TiedProblem(block.stiffness, block.mass, sp.vstack(rows).tocsr(), None)
    slaves, motions = [], []
    place = np.full(block.dof.max() + 1, -1)
    place[block.dof] = np.arange(size)
    for interface in interfaces:
        rigid = rigid_amplitudes(revolution, block.order, block.phases, interface.centre[1])
        amplitudes = _patch_amplitudes(revolution, interface.nodes, block.order)
        held = place[amplitudes[amplitudes < len(place)]]
        held = held[held >= 0]
        slaves.append(held)
        motions.append(rigid[block.dof][held])
    motion = np.zeros((sum(map(len, slaves)), len(axes) * len(interfaces)))
    start = 0
    for k, (held, rigid) in enumerate(zip(slaves, motions, strict=True)):
        motion[start : start + len(held), k * len(axes) : (k + 1) * len(axes)] = rigid
        start += len(held)
    return tie_rigid(block.stiffness, block.mass, np.concatenate(slaves), motion)


def _patch_amplitudes(revolution, nodes, order):
    """Amplitude rows of the orbits and axle nodes of a patch."""
    orbits = np.flatnonzero(np.isin(revolution.ring[0], nodes))
    rows = [(3 * orbits[:, None] + np.arange(3)).ravel()]
    if order < 2:
        rows.append(3 * revolution.orbits + np.flatnonzero(np.isin(revolution.axis, nodes)))
    return np.concatenate(rows)


def _fixed_modes(stiffness, mass, interfaces, coupling, wanted):
    """(tied block, constraint modes, fixed-interface modes) of every order that matters.

    Complete up to a little above the frequency of mode `wanted`; orders end where the lowest frequency has passed
    it twice in a row. The order S/2, whose sine member the mesh cannot show, is left out.
    """
    found: list[tuple[TiedBlock, np.ndarray, FixedModes]] = []
    solvers = []
    passed, order = 0, 0
    while order < (stiffness.revolution.sections + 1) // 2 and passed < 2:
        lowest = np.inf
        for tied in tied_blocks(stiffness, mass, interfaces, coupling, order):
            solve = bordered_solver(tied.problem.stiffness, tied.problem.rows.T.toarray())
            constraint = constraint_modes(tied.problem.stiffness.shape[0], tied.problem.rows, solve)
            fixed = fixed_interface_modes(tied.problem, 6 if wanted else 0, solve)
            found.append((tied, constraint, fixed))
            solvers.append(solve)
            lowest = min(lowest, fixed.frequency.min(initial=np.inf))
        passed = passed + 1 if order > 2 and lowest > _limit(found, wanted) else 0
        order += 1
    while True:
        limit = _limit(found, wanted)
        short = [
            i
            for i, (tied, _, fixed) in enumerate(found)
            if len(fixed.frequency)
            and fixed.frequency[-1] < limit
            and len(fixed.frequency) < tied.problem.stiffness.shape[0] - tied.problem.rows.shape[0] - 1
        ]
        if not short:
            break
        for i in short:
            tied, constraint, fixed = found[i]
            more = fixed_interface_modes(tied.problem, 2 * len(fixed.frequency), solvers[i])
            found[i] = (tied, constraint, more)
    trimmed = []
    for tied, constraint, fixed in found:
        below = fixed.frequency <= limit
        trimmed.append((tied, constraint, FixedModes(fixed.frequency[below], fixed.shapes[:, below])))
    return trimmed


def _limit(found, wanted):
    """Frequency a little above mode wanted + 2 of those found so far, with multiplicity."""
    if not wanted:
        return 0.0
    every = np.sort(np.concatenate([np.repeat(f.frequency, len(t.block.phases)) for t, _, f in found]))
    return 1.001 * every[wanted + 2] if len(every) > wanted + 2 else np.inf


def _expanded(revolution, harmonics, fixed_frequency, pictures):
    """All modes on the mesh, ascending in frequency, cosine before sine; fills the ranks of `harmonics`."""
    entries = [
        (f, h.tied.block.order, i, column, member, phase)
        for i, h in enumerate(harmonics)
        for column, f in enumerate(h.frequency)
        for member, phase in enumerate(h.tied.block.phases)
    ]
    entries.sort()
    count = len(entries)
    nodes = len(revolution.following)
    shapes, fields = np.empty((nodes, 3, count)), np.empty((_TOGETHER, nodes, 3, 1))  # rows of one field lie together
    generator = np.zeros((count, count))
    amplitudes = [full_amplitudes(h.tied, h.shapes, amplitude_count(revolution, h.tied.block.order)) for h in harmonics]
    for j, (_, order, i, column, member, phase) in enumerate(entries):
        harmonics[i].place[column, member] = j
        k = j % _TOGETHER
        expand(revolution, order, phase, amplitudes[i][:, column : column + 1], fields[k])
        if k + 1 == _TOGETHER or j + 1 == count:
            shapes[:, :, j - k : j + 1] = fields[: k + 1, ..., 0].transpose(1, 2, 0)
        if order and phase == COSINE:
            generator[j + 1, j], generator[j, j + 1] = order, -order
    return ModalBasis(
        shapes=shapes,
        frequency=np.array([e[0] for e in entries]),
        order=np.array([e[1] for e in entries]),
        generator=generator,
        fixed_frequency=fixed_frequency,
        constraint_shapes=pictures[0],
        fixed_shapes=pictures[1],
    )


def _pictures(revolution, found):
    """Constraint and fixed-interface modes on the mesh, the latter ascending in frequency."""
    constraint, fixed = [], []
    for tied, static, modes, _ in found:
        order = tied.block.order
        size = amplitude_count(revolution, order)
        for phase in tied.block.phases:
            constraint += [(order, phase, a) for a in full_amplitudes(tied, static, size).T]
            shapes = full_amplitudes(tied, modes.shapes, size).T
            fixed += [(f, order, phase, a) for f, a in zip(modes.frequency, shapes, strict=True)]
    fixed.sort(key=lambda e: (e[0], e[1], -e[2]))
    out = []
    for entries in (constraint, [e[1:] for e in fixed]):
        shapes = np.empty((len(revolution.following), 3, len(entries)), dtype=np.float32)
        for j, (order, phase, amplitude) in enumerate(entries):
            expand(revolution, order, phase, amplitude[:, None], shapes[:, :, j : j + 1])
        out.append(shapes)
    return out
