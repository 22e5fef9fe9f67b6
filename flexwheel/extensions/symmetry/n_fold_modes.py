"""Craig-Bampton modes of an n-fold mesh, harmonic by harmonic."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.craig_bampton import (
    FixedModes,
    ModeChoice,
    TiedProblem,
    count_without_split,
    reduced_modes,
    with_exact_modes,
    with_journal_shapes,
)
from flexwheel.body.cyclic import whole_scalar_mass
from flexwheel.body.eigen import lowest_modes
from flexwheel.body.general_modes import Truncated, interface_averages
from flexwheel.body.interfaces import Interface
from flexwheel.body.mesh import Mesh
from flexwheel.body.modal_basis import ModalBasis
from flexwheel.extensions.symmetry.n_fold import NFold
from flexwheel.extensions.symmetry.sector import Harmonic, Sector, copies_of, has_pair, on_mesh

AXES = {0: (1, 4), 1: (2, 3)}  # interface coordinates of a harmonic; in k = 1 the others are i times these


class _Part(NamedTuple):
    """One harmonic with its interfaces and solvers."""

    harmonic: Harmonic
    problem: TiedProblem
    free: object  # f (A, m) -> response of the free body
    held: object  # (f (A, m), g (C, m)) -> response with interface coordinates g


class HarmonicShapes(NamedTuple):
    """Modes of one harmonic."""

    order: int
    frequency: np.ndarray  # (h,) [Hz]
    shapes: np.ndarray  # (A, h) M-orthonormal
    place: np.ndarray  # (h, 1 or 2) rank of each mode among those of the whole mesh


def whole_rings(fold: NFold, interfaces: tuple[Interface, ...]) -> bool:
    """Whether the sectors of a mesh map its interfaces onto themselves."""
    return all(np.isin(fold.following[i.nodes], i.nodes).all() for i in interfaces)


def n_fold_modes(
    mesh: Mesh, sector: Sector, harmonics: list[Harmonic], interfaces: tuple[Interface, ...], choice: ModeChoice
) -> tuple[ModalBasis, Truncated, list[HarmonicShapes], sp.csr_matrix]:
    """Modes as of `general_modes` with averaging coupling, Truncated, modes by harmonic, and mass (N, N) between nodes.

    Verified in tests/verification/test_n_fold_verified.py.
    """
    fold = sector.fold
    rows = interface_averages(mesh, interfaces)
    on = np.unique(np.concatenate([i.nodes for i in interfaces]))
    sides = rows[:, (3 * on[:, None] + np.arange(3)).ravel()].T / np.sqrt(fold.sections)
    parts = [_part(h, (copies_of(sector, h.order, on).conj().T @ sides).toarray()) for h in harmonics]
    take = _below if choice.fixed_interface is None else _by_number
    found, fixed_frequency = take(fold, parts, choice)
    entries = sorted(
        (f, part.harmonic.order, column, member)
        for part, _, _, (frequency, _) in found
        for column, f in enumerate(frequency)
        for member in range(1 + has_pair(fold, part.harmonic.order))
    )
    rank = {entry[1:]: j for j, entry in enumerate(entries)}
    shapes = np.empty((len(mesh.nodes), 3, len(entries)))
    members = []
    for part, _, _, (own_hz, own) in found:
        k = part.harmonic.order
        place = [[rank[k, c, m] for m in range(1 + has_pair(fold, k))] for c in range(own.shape[1])]
        members.append(
            HarmonicShapes(k, own_hz, own, np.array(place, dtype=np.int64).reshape(own.shape[1], 1 + has_pair(fold, k)))
        )
        if len(place):
            shapes[..., members[-1].place.T.ravel()] = on_mesh(sector, k, own)
    frequency = np.array([entry[0] for entry in entries])
    count = len(entries)
    modal = ModalBasis(
        shapes=shapes,
        frequency=frequency,
        order=np.full(count, -1),
        generator=np.zeros((count, count)),
        fixed_frequency=fixed_frequency,
        constraint_shapes=_pictures([on_mesh(sector, p.harmonic.order, c) for p, c, _, _ in found]),
        fixed_shapes=_pictures([on_mesh(sector, p.harmonic.order, f.shapes) for p, _, f, _ in found]),
    )
    truncated = _truncated(sector, harmonics, members)
    rows = rows[:, (3 * on[:, None] + np.arange(3)).ravel()] @ truncated.recover(on)
    scalar = whole_scalar_mass(fold, sector.nodes, sp.kron(sector.scalar_mass, sp.identity(3)))
    return modal, truncated._replace(rows=rows.tocsr()), members, scalar


def _truncated(sector, harmonics, members):
    """Truncated in orthonormal coordinates: amplitudes of all harmonics, of pairs sqrt(2) times real, then imaginary
    parts; without rows."""
    pair, n = [has_pair(sector.fold, h.order) for h in harmonics], sector.fold.sections

    def recover(nodes):
        parts = [copies_of(sector, h.order, nodes) / np.sqrt(n) for h in harmonics]
        parts = [
            [np.sqrt(2) * c.real, -np.sqrt(2) * c.imag] if two else [c] for c, two in zip(parts, pair, strict=True)
        ]
        return sp.hstack([c for both in parts for c in both], format="csr")

    def solve(h, m, f):
        return h.solve(f) - m.shapes @ ((m.shapes.conj().T @ f) / (2 * np.pi * m.frequency[:, None]) ** 2)

    mass = _ByHarmonic([h.mass.__matmul__ for h in harmonics], pair, harmonics)
    solve = _ByHarmonic([partial(solve, h, m) for h, m in zip(harmonics, members, strict=True)], pair, harmonics)
    return Truncated(mass, None, solve.__matmul__, recover)


class _ByHarmonic(NamedTuple):
    """Block diagonal operator on the coordinates of _truncated."""

    blocks: list  # function of amplitudes (A, m) of each harmonic
    pair: list[bool]
    harmonics: list[Harmonic]

    def __matmul__(self, x):
        out, at = np.empty_like(x), 0
        for block, pair, h in zip(self.blocks, self.pair, self.harmonics, strict=True):
            size = h.mass.shape[0]
            one, two = slice(at, at + size), slice(at + size, at + 2 * size)
            at += size * (1 + pair)
            if not pair:
                out[one] = block(x[one])
            elif np.iscomplexobj(h.mass):
                y = block(x[one] + 1j * x[two])
                out[one], out[two] = y.real, y.imag
            else:
                out[one], out[two] = block(x[one]), block(x[two])
        return out


def partners(members: list[HarmonicShapes]) -> np.ndarray:
    """(H,) other member of each mode's pair, itself where there is none."""
    out = np.zeros(sum(m.place.size for m in members), dtype=np.int64)
    for m in members:
        out[m.place] = m.place[:, ::-1]
    return out


def _part(harmonic, sides):
    """Part of a harmonic; sides: amplitudes (A, 6 I) of loads on the interfaces."""
    k = harmonic.order
    own = sides[:, [6 * i + a for i in range(sides.shape[1] // 6) for a in AXES.get(k, ())]]
    rest = np.delete(sides, [6 * i + a for i in range(sides.shape[1] // 6) for a in (*AXES.get(k, ()), 0, 5)], axis=1)
    if np.abs(rest if k < 2 else sides).max() > 1e-9 * max(1.0, np.abs(sides).max()):
        raise MeshError("interfaces are not whole rings about the axle, as the route by sectors needs")
    if np.iscomplexobj(own) and not np.iscomplexobj(harmonic.mass):  # real ones times a phase
        peak = own[np.argmax(np.abs(own), axis=0), np.arange(own.shape[1])]
        own = (own * (peak.conj() / np.abs(peak))).real
    problem = TiedProblem(harmonic.stiffness, harmonic.mass, sp.csr_matrix(own.conj().T), None)
    return _Part(harmonic, problem, harmonic.solve, _held(harmonic, own))


def _held(harmonic, sides):
    """Solver with held interfaces: a free response, loads there, and a rigid motion."""
    response, rigid = harmonic.solve(sides), harmonic.rigid
    count = sides.shape[1]
    moved = sides.conj().T @ rigid
    corner = np.block([[-sides.conj().T @ response, moved], [moved.conj().T, np.zeros((rigid.shape[1],) * 2)]])

    def solve(f, g=0.0):
        x = harmonic.solve(f)
        if not count:
            return x
        right = np.concatenate([g - sides.conj().T @ x, rigid.conj().T @ f])
        edge = la.solve(corner, right)
        return x - response @ edge[:count] + rigid @ edge[count:]

    return solve


def _below(fold, parts, choice):
    """(part, constraint modes, fixed-interface modes, modes) of each harmonic, and fixed-interface frequencies."""
    out = []
    for part in parts:
        exact = _all_below(part, part.free, choice.up_to)
        constraint = _constraint(part)
        modes = with_journal_shapes(part.problem, exact, constraint, part.harmonic.rigid, part.free)
        out.append((part, constraint, FixedModes(np.zeros(0), constraint[:, :0]), modes))
    return out, np.zeros(0)


def _by_number(fold, parts, choice):
    """As `_below`, by number of fixed-interface modes."""
    wanted, times = choice.fixed_interface, [1 + has_pair(fold, p.harmonic.order) for p in parts]
    fixed = [FixedModes(*_lowest(p, p.held, 4 if wanted else 0)) for p in parts]
    while wanted:
        every = np.sort(np.concatenate([np.repeat(f.frequency, t) for f, t in zip(fixed, times, strict=True)]))
        limit = every[wanted + 7] if len(every) > wanted + 7 else np.inf
        short = [i for i, f in enumerate(fixed) if f.frequency[-1] < limit]
        if not short:
            break
        for i in short:
            fixed[i] = FixedModes(*_lowest(parts[i], parts[i].held, 2 * len(fixed[i].frequency)))
    every = np.sort(np.concatenate([np.repeat(f.frequency, t) for f, t in zip(fixed, times, strict=True)]))
    count = count_without_split(every, wanted)
    cutoff = every[count - 1] * (1 + 1e-9) if count else -1.0
    out = []
    for part, found in zip(parts, fixed, strict=True):
        kept = FixedModes(*(x[..., found.frequency <= cutoff] for x in found))
        constraint = _constraint(part)
        basis = np.hstack([constraint, kept.shapes])
        frequency, shapes = reduced_modes(part.problem, basis, part.harmonic.rigid.shape[1])
        exact = _all_below(part, part.free, min(choice.exact_below, cutoff), len(frequency))
        out.append((part, constraint, kept, with_exact_modes(part.problem, frequency, shapes, exact)))
    return out, every[:count]


def _constraint(part):
    count = part.problem.rows.shape[0]
    zero = np.zeros((part.problem.mass.shape[0], count), dtype=part.problem.mass.dtype)
    return part.held(zero, np.eye(count)) if count else zero


class _Solver(NamedTuple):
    """A solution in the face of a factor."""

    solve: object


def _lowest(part, solve, count, below=np.inf):
    mass = part.problem.mass
    if count == 0:
        return np.zeros(0), np.zeros((mass.shape[0], 0), dtype=mass.dtype)
    return lowest_modes(_Solver(solve), mass, count, below)


def _all_below(part, solve, below, most=np.inf):
    """At most `most` modes under a frequency [Hz]."""
    count = min(16, most)
    while True:
        frequency, shapes = _lowest(part, solve, count if below > 0 else 0, below)
        if len(frequency) < count or count == most or frequency[-1] >= below:
            low = frequency < below
            return FixedModes(frequency[low], shapes[:, low])
        count = min(2 * count, most)


def _pictures(fields):
    return np.concatenate(fields, axis=2).astype(np.float32)
