"""Harmonics of an n-fold mesh: matrices of one sector with its sides joined, one factor for each.

With theta = 2 pi/n the displacement of an orbit in sector s is that of harmonic k, seen in axes turned by s theta,

    v_s = x e^(i k s theta) / sqrt(n),     k = 0 ... n/2, real for k = 0 and n/2

so that x of all harmonics together has the length of the field. A node on the axle moves in k = 0 (along) and k = 1
(across, as q (1, 0, -i)/sqrt(2)) alone. The matrices of a harmonic are T^H K T and T^H M T of those of a sector, T the
copies of a node on both sides of the sector by its amplitude. Where a reflection maps the mesh onto itself, too, they
are real in amplitudes of their own.

Source: Thomas 1979, International Journal for Numerical Methods in Engineering 14, 81-102 (cyclic symmetry).
Verified in tests/verification/test_n_fold_verified.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.body.assembly import assemble
from flexwheel.body.mesh import Mesh
from flexwheel.body.multifrontal import MultifrontalFactor, multifrontal_cholesky
from flexwheel.body.n_fold import NFold
from flexwheel.body.revolution import submesh
from flexwheel.body.rigid_motion import rigid_modes


@dataclass(frozen=True)
class Sector:
    """Matrices of the elements of sector 0, body axes."""

    fold: NFold
    mesh: Mesh
    nodes: np.ndarray  # (U,) their rows in the whole mesh
    orbit: np.ndarray  # (U,) -1 on the axle
    ahead: np.ndarray  # (U,) sectors by which a node lies ahead of that of its orbit in sector 0
    stiffness: sp.csr_matrix  # (3 U, 3 U)
    mass: sp.csr_matrix  # (3 U, 3 U)
    real: dict[int, sp.csr_matrix]  # by harmonic k: (A, A) unitary, amplitudes by those in which its matrices are real


class Harmonic(NamedTuple):
    """One harmonic, A amplitudes: 3*orbit + axis, then one per node on the axle for k = 0 and 1."""

    order: int  # k
    copies: sp.csr_matrix  # (3 U, A) displacements of the sector's nodes by amplitudes
    stiffness: sp.csr_matrix  # (A, A)
    mass: sp.csr_matrix  # (A, A)
    rigid: np.ndarray  # (A, r) rigid motions in it, M-orthonormal
    inertia: np.ndarray  # (A, r) mass times them
    held: np.ndarray  # (r,) amplitudes that are zero in the factor
    factor: MultifrontalFactor

    def solve(self, loads: np.ndarray) -> np.ndarray:
        """Elastic response (A, m) to loads (A, m), balanced by the inertia of the body."""
        right = loads - self.inertia @ (self.rigid.conj().T @ loads)
        right[self.held] = 0.0
        x = self.factor.solve(right)
        return x - self.rigid @ (self.inertia.conj().T @ x)


def sector_matrices(mesh: Mesh, fold: NFold, options) -> Sector:
    """Sector of a mesh; options: FormulationOptions."""
    part, nodes = submesh(mesh, fold.sector_elements)
    orbit, ahead = np.full(len(mesh.nodes), -1), np.zeros(len(mesh.nodes), dtype=np.int64)
    orbit[fold.ring] = np.arange(fold.ring.shape[1])
    ahead[fold.ring] = np.arange(fold.sections)[:, None]
    real = {
        k: real_amplitudes(fold, orbit, ahead, k)
        for k in range(fold.sections // 2 + 1)
        if fold.mirror and has_pair(fold, k)
    }
    return Sector(fold, part, nodes, orbit[nodes], ahead[nodes], *assemble(part, options), real)


def has_pair(fold: NFold, order: int) -> bool:
    """Whether a harmonic is complex, two real fields each."""
    return 0 < 2 * order < fold.sections


def copies_of(sector: Sector, order: int) -> sp.csr_matrix:
    """(3 U, A) displacements of the sector's nodes by the amplitudes of a harmonic."""
    fold, pair = sector.fold, has_pair(sector.fold, order)
    off = np.flatnonzero(sector.orbit >= 0)
    angle = fold.step * sector.ahead[off]
    phase = np.exp(1j * order * angle)
    c, s = phase * np.cos(angle), phase * np.sin(angle)
    row, column = 3 * off, 3 * sector.orbit[off]
    rows = [row, row, row + 1, row + 2, row + 2]
    columns = [column, column + 2, column + 1, column, column + 2]
    values = [c, s, phase, -s, c]
    size = 3 * fold.ring.shape[1]
    if order < 2:
        on = np.flatnonzero(sector.orbit < 0)
        place = size + np.searchsorted(fold.axis, sector.nodes[on])
        half = np.full(len(on), np.sqrt(0.5) + 0j)
        rows += [3 * on, 3 * on + 2] if order else [3 * on + 1]
        columns += [place, place] if order else [place]
        values += [half, -1j * half] if order else [np.ones(len(on))]
        size += len(fold.axis)
    values = np.concatenate(values)
    entries = values if pair else values.real, (np.concatenate(rows), np.concatenate(columns))
    out = sp.csr_matrix(entries, shape=(3 * len(sector.nodes), size))
    out.eliminate_zeros()
    return out @ sector.real[order] if order in sector.real else out


def real_amplitudes(fold: NFold, orbit: np.ndarray, ahead: np.ndarray, order: int) -> sp.csr_matrix:
    """Basis (A, A) of the amplitudes that a reflection of the mesh and complex conjugation leave as they are.

    The reflection P takes node r of sector 0 to node r' of sector j, and a field of harmonic k to one of -k, whose
    complex conjugate has the amplitudes y_r' = A conj(x_r), A = Ry(-j theta) P e^(-i k j theta). In vectors with y = x
    the matrices are real: (e, A e) and (i e, -i A e) for two orbits; for one with r' = r the square root of A, a
    reflection times a phase.
    """
    reflection, led = fold.mirror
    base, size = fold.ring[0], 3 * fold.ring.shape[1]
    to, turn = orbit[led[base]], fold.step * ahead[led[base]]
    c, s, zero, one = np.cos(turn), np.sin(turn), np.zeros(len(turn)), np.ones(len(turn))
    back = np.moveaxis(np.array([[c, zero, -s], [zero, one, zero], [s, zero, c]]), 2, 0)
    a = (back @ reflection) * np.exp(-1j * order * turn)[:, None, None]
    own = np.arange(len(base))
    half = np.sqrt(0.5)
    blocks, places = [], []
    first, second = own[own < to], to[own < to]
    eye = np.broadcast_to(np.eye(3), (len(first), 3, 3))
    for rows, columns, block in ((first, first, eye), (first, second, 1j * eye), (second, first, a[first]),
                                 (second, second, -1j * a[first])):  # fmt: skip
        blocks.append(half * block)
        places.append((rows, columns))
    alone = own[own == to]
    root = np.exp(-0.5j * order * turn[alone])[:, None, None]
    value, vector = np.linalg.eigh((back @ reflection)[alone])
    blocks.append(root * vector * np.where(value < 0, 1j, 1.0)[:, None, :])
    places.append((alone, alone))
    rows = np.concatenate([np.repeat(3 * r, 9) + np.tile(np.repeat(np.arange(3), 3), len(r)) for r, _ in places])
    columns = np.concatenate([np.repeat(3 * q, 9) + np.tile(np.arange(3), 3 * len(q)) for _, q in places])
    values = np.concatenate([np.asarray(b, dtype=complex).ravel() for b in blocks])
    if order == 1:
        across = np.array([1.0, 0.0, -1j]) * half
        phase = np.sqrt(across.conj() @ reflection @ across.conj())
        on = size + np.arange(len(fold.axis))
        rows, columns = np.concatenate([rows, on]), np.concatenate([columns, on])
        values = np.concatenate([values, np.full(len(on), phase)])
        size += len(on)
    return sp.csr_matrix((values, (rows, columns)), shape=(size, size))


def amplitudes_of(sector: Sector, field: np.ndarray, loads: bool = True) -> list[np.ndarray]:
    """Amplitudes (A, m) in every harmonic of loads on the mesh (3 N, m), or of displacements."""
    fold = sector.fold
    body = field.reshape(len(fold.following), 3, -1)
    turned = np.fft.rfft(_turned(fold, body[fold.ring], -1.0), axis=0) / np.sqrt(fold.sections)
    out = [part.reshape(-1, field.shape[1]) for part in turned]
    scale = np.sqrt(fold.sections) ** (-1.0 if loads else 1.0)
    x, y, z = np.moveaxis(body[fold.axis], 1, 0) * scale
    out[0] = np.concatenate([out[0], y])
    out[1] = np.concatenate([out[1], (x + 1j * z) * np.sqrt(0.5)])
    out = [sector.real[k].conj().T @ part if k in sector.real else part for k, part in enumerate(out)]
    return [part if has_pair(fold, k) else part.real for k, part in enumerate(out)]


def on_mesh(sector: Sector, parts: dict[int, np.ndarray]) -> np.ndarray:
    """Displacements (3 N, m) of the mesh from amplitudes (A, m) by harmonic; those left out are zero."""
    fold = sector.fold
    parts = {k: sector.real[k] @ part if k in sector.real else part for k, part in parts.items()}
    orbits, some = fold.ring.shape[1], next(iter(parts.values()))
    spectrum = np.zeros((fold.sections // 2 + 1, orbits, 3, some.shape[1]), dtype=complex)
    for k, part in parts.items():
        spectrum[k] = part[: 3 * orbits].reshape(orbits, 3, -1)
    turned = np.fft.irfft(spectrum, fold.sections, axis=0) * np.sqrt(fold.sections)
    out = np.zeros((len(fold.following), 3, some.shape[1]))
    out[fold.ring] = _turned(fold, turned, 1.0)
    if 0 in parts:
        out[fold.axis, 1] = parts[0][3 * orbits :].real / np.sqrt(fold.sections)
    if 1 in parts:
        across = parts[1][3 * orbits :] * np.sqrt(2.0 / fold.sections)
        out[fold.axis, 0], out[fold.axis, 2] = across.real, across.imag
    return out.reshape(3 * len(out), some.shape[1])


def _turned(fold, vectors, sign):
    """Ry(+- s theta) of vectors (n, R, 3, m)."""
    angle = (sign * fold.step * np.arange(fold.sections))[:, None, None]
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = np.moveaxis(vectors, 2, 0)
    return np.stack([c * x + s * z, y, c * z - s * x], axis=2)


def harmonics_of(sector: Sector, nodes: np.ndarray) -> list[Harmonic]:
    """All harmonics with their factors; nodes (N, 3) of the whole mesh."""
    rigid = amplitudes_of(sector, rigid_modes(nodes), loads=False)
    return [_harmonic(sector, k, rigid[k]) for k in range(sector.fold.sections // 2 + 1)]


def _harmonic(sector, order, rigid):
    copies = copies_of(sector, order)
    turned = copies.conj().T.tocsr()
    stiffness, mass = ((turned @ (matrix @ copies)).tocsr() for matrix in (sector.stiffness, sector.mass))
    if order in sector.real:
        stiffness, mass = stiffness.real, mass.real
    rigid = rigid[:, {0: [1, 4], 1: [2, 3]}.get(order, [])]  # in k = 1 the other two are i times these
    held = np.zeros(0, dtype=np.int64)
    if order in sector.real:  # real and imaginary parts are multiples of the same motions
        rigid = la.svd(np.hstack([rigid.real, rigid.imag]), full_matrices=False)[0][:, : rigid.shape[1]]
    if rigid.shape[1]:
        rigid = rigid @ la.inv(la.cholesky(rigid.conj().T @ (mass @ rigid)))
        held = la.qr(rigid.conj().T, mode="r", pivoting=True)[1][: rigid.shape[1]]
    kept = np.ones(len(rigid))
    kept[held] = 0.0
    alone = sp.diags(kept) @ stiffness @ sp.diags(kept) + sp.diags((1.0 - kept) * stiffness.diagonal().real)
    alone = 0.5 * (alone + alone.conj().T)  # of symmetric pattern, too: rounding leaves zeros on one side alone
    if alone.shape[0] % 3 == 0:
        alone = alone.tobsr((3, 3)).tocsr()  # a node's unknowns with one pattern are one vertex of the graph in order
    return Harmonic(order, copies, stiffness, mass, rigid, mass @ rigid, held, multifrontal_cholesky(alone))


def response_on_mesh(sector: Sector, harmonics: list[Harmonic], loads: np.ndarray) -> np.ndarray:
    """Elastic response (3 N, m) of the whole free mesh to loads (3 N, m), balanced by its inertia."""
    amplitudes = amplitudes_of(sector, loads)
    return on_mesh(sector, {h.order: h.solve(amplitudes[h.order]) for h in harmonics})
