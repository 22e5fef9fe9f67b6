"""Harmonics of an n-fold mesh: matrices of one sector with its sides joined, one factor for each.

With theta = 2 pi/n the displacement of an orbit in sector s is that of harmonic k, seen in axes turned by s theta,

    v_s = x e^(i k s theta) / sqrt(n),     k = 0 ... n/2, real for k = 0 and n/2

so that x of all harmonics together has the length of the field. A node on the axle moves in k = 0 (along) and k = 1
(across, as q (1, 0, -i)/sqrt(2)) alone. Where a reflection maps the mesh onto itself, too, the matrices are real in
amplitudes of their own. Matrices of all harmonics have one pattern and are factorized in one order.

Source: Thomas 1979, International Journal for Numerical Methods in Engineering 14, 81-102 (cyclic symmetry).
Verified in tests/verification/test_n_fold_verified.py.
"""

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.body.assembly import assemble
from flexwheel.body.bordered import factor_held
from flexwheel.body.elimination_tree import elimination_tree
from flexwheel.body.invariants import scalar_mass_matrix
from flexwheel.body.mesh import Mesh
from flexwheel.body.multifrontal import MultifrontalFactor, multifrontal_cholesky
from flexwheel.body.revolution import submesh
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.extensions.symmetry.harmonic_matrices import (
    Mirrored,
    Pattern,
    TurnedBlocks,
    in_pairs,
    pattern_of,
    turned_blocks,
)
from flexwheel.extensions.symmetry.n_fold import NFold


@dataclass(frozen=True)
class Sector:
    """Matrices of the elements of sector 0."""

    fold: NFold
    mesh: Mesh
    nodes: np.ndarray  # (U,) their rows in the whole mesh
    vertex: np.ndarray  # (N,) of each node of the whole mesh: its orbit, R + its place among the nodes on the axle
    ahead: np.ndarray  # (N,) sectors by which a node lies ahead of that of its orbit in sector 0
    scalar_mass: sp.csr_matrix  # (U, U)
    patterns: tuple[Pattern, Pattern]  # of the vertices, of their pairs
    stiffness: TurnedBlocks
    mass: TurnedBlocks
    real: dict[int, Mirrored]  # by harmonic k


class Harmonic(NamedTuple):
    """One harmonic, A amplitudes: 3*vertex + axis; what a node on the axle does not do in it is held."""

    order: int  # k
    stiffness: sp.csr_matrix  # (A, A)
    mass: sp.csr_matrix  # (A, A)
    rigid: np.ndarray  # (A, r) rigid motions in it, M-orthonormal
    inertia: np.ndarray  # (A, r) mass times them
    held: np.ndarray  # (h,) amplitudes that are zero in the factor
    factor: MultifrontalFactor

    def solve(self, loads: np.ndarray) -> np.ndarray:
        """Elastic response (A, m) to loads (A, m), balanced by the inertia of the body."""
        if not self.rigid.shape[1]:
            return self.factor.solve(loads)
        right = loads - self.inertia @ (self.rigid.conj().T @ loads)
        right[self.held] = 0.0
        x = self.factor.solve(right)
        return x - self.rigid @ (self.inertia.conj().T @ x)


def sector_matrices(mesh: Mesh, fold: NFold, options) -> Sector:
    """Sector of a mesh; options: FormulationOptions."""
    part, nodes = submesh(mesh, fold.sector_elements)
    orbits = fold.ring.shape[1]
    vertex, ahead = np.empty(len(mesh.nodes), dtype=np.int64), np.zeros(len(mesh.nodes), dtype=np.int64)
    vertex[fold.ring], vertex[fold.axis] = np.arange(orbits), orbits + np.arange(len(fold.axis))
    ahead[fold.ring] = np.arange(fold.sections)[:, None]
    real = {
        k: real_amplitudes(fold, vertex, ahead, k)
        for k in range(fold.sections // 2 + 1)
        if fold.mirror and has_pair(fold, k)
    }
    stiffness, mass = assemble(part, options)
    pairs = stiffness.tobsr((3, 3))
    pairs = sp.csr_matrix((np.ones(len(pairs.indices), dtype=bool), pairs.indices, pairs.indptr))
    pattern = pattern_of(pairs, vertex[nodes, None])
    patterns = pattern, pattern_of(pattern.nodes(), real[1].vertices) if real else pattern
    turned = [turned_blocks(matrix, pattern, vertex[nodes], ahead[nodes], fold.step) for matrix in (stiffness, mass)]
    return Sector(fold, part, nodes, vertex, ahead, scalar_mass_matrix(mass), patterns, *turned, real)


def has_pair(fold: NFold, order: int) -> bool:
    """Whether a harmonic is complex, two real fields each."""
    return 0 < 2 * order < fold.sections


def copies_of(sector: Sector, order: int, nodes: np.ndarray) -> sp.csr_matrix:
    """(3 L, A) displacements, times sqrt(n), of nodes (L,) of the mesh by the amplitudes of a harmonic."""
    fold, vertex = sector.fold, sector.vertex[nodes]
    angle, size = fold.step * sector.ahead[nodes], fold.ring.shape[1] + len(fold.axis)
    blocks = _turns(angle) * np.exp(1j * order * angle)[:, None, None]
    blocks[vertex >= fold.ring.shape[1]] = axle_amplitudes(order)
    shape = 3 * len(nodes), 3 * size
    out = sp.bsr_matrix((blocks, vertex, np.arange(len(nodes) + 1)), shape=shape).tocsr()
    out = out if has_pair(fold, order) else out.real
    out.eliminate_zeros()
    return out @ sector.real[order].basis if order in sector.real else out


def _turns(angle):
    """Ry (n, 3, 3) of angles [rad]."""
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros(len(angle)), np.ones(len(angle))
    return np.moveaxis(np.array([[c, zero, s], [zero, one, zero], [-s, zero, c]]), 2, 0)


def axle_amplitudes(order: int) -> np.ndarray:
    """(3, 3) displacement of a node on the axle by its three amplitudes in a harmonic, times sqrt(n)."""
    out = np.zeros((3, 3), dtype=complex)
    if order == 0:
        out[1, 1] = 1.0
    elif order == 1:
        out[:, 0] = np.sqrt(0.5), 0.0, -1j * np.sqrt(0.5)
    return out


def real_amplitudes(fold: NFold, vertex: np.ndarray, ahead: np.ndarray, order: int) -> Mirrored:
    """Basis (A, A) of the amplitudes that a reflection of the mesh and complex conjugation leave as they are.

    The reflection P takes node r of sector 0 to node r' of sector j, and a field of harmonic k to one of -k, whose
    complex conjugate has the amplitudes y_r' = A conj(x_r), A = Ry(-j theta) P e^(-i k j theta). In vectors with y = x
    the matrices are real: (e, A e) and (i e, -i A e) for two orbits; for one with r' = r the square root of A, a
    reflection times a phase.
    """
    reflection, led = fold.mirror
    base, orbits = fold.ring[0], fold.ring.shape[1]
    to, turn = vertex[led[base]], fold.step * ahead[led[base]]
    a = np.swapaxes(_turns(turn), 1, 2) @ reflection
    value, root = np.linalg.eigh(a)
    root = root * np.where(value < 0, 1j, 1.0)[:, None, :] * np.exp(-0.5j * order * turn)[:, None, None]
    a = np.sqrt(0.5) * a * np.exp(-1j * order * turn)[:, None, None]
    across = axle_amplitudes(1)[:, 0]
    share = np.zeros((orbits + len(fold.axis), 2, 3, 3), dtype=complex)
    share[orbits:, 0] = np.sqrt(across.conj() @ reflection @ across.conj()) * np.eye(3)
    own = np.arange(orbits)
    first, second, alone = own < to, own > to, own == to
    share[:orbits][first] = np.sqrt(0.5) * np.array([np.eye(3), 1j * np.eye(3)])
    share[:orbits][second] = np.stack([a[to[second]], -1j * a[to[second]]], axis=1)
    share[:orbits, 0][alone] = root[alone]
    vertices = np.tile(np.arange(len(share))[:, None], 2)
    vertices[:orbits] = np.sort(np.stack([own, to], axis=1), axis=1)
    indptr, size = np.arange(0, 2 * len(share) + 1, 2), 3 * len(share)
    basis = sp.bsr_matrix((share.reshape(-1, 3, 3), vertices.ravel(), indptr), shape=(size, size)).tocsr()
    basis.eliminate_zeros()
    return Mirrored(vertices, share, basis)


def amplitudes_of(sector: Sector, order: int, field: np.ndarray) -> np.ndarray:
    """Amplitudes (A, m) in a harmonic of a field (N, 3, m) that is of it alone, complex or real, times sqrt(n)."""
    fold = sector.fold
    on_axle = np.einsum("ca,ncm->nam", axle_amplitudes(order).conj(), field[fold.axis])
    out = np.concatenate([field[fold.ring[0]], on_axle]).reshape(
        3 * (fold.ring.shape[1] + len(fold.axis)), field.shape[2]
    )
    if order in sector.real:
        return sector.real[order].basis.conj().T @ out
    return out if has_pair(fold, order) else out.real


def on_mesh(sector: Sector, order: int, amplitudes: np.ndarray) -> np.ndarray:
    """Real fields (N, 3, m or 2 m) of amplitudes (A, m) in a harmonic: cosine members, then sine members."""
    fold, m, pair = sector.fold, amplitudes.shape[1], has_pair(sector.fold, order)
    x = sector.real[order].basis @ amplitudes if order in sector.real else amplitudes
    x = (x * np.sqrt((1.0 + pair) / fold.sections)).reshape(len(amplitudes) // 3, 3, m)
    out = np.zeros((len(fold.following), 3, m * (1 + pair)))
    for s, rows in enumerate(fold.ring):
        z = x[: len(rows)] * (np.exp(1j * order * s * fold.step) if pair else np.cos(order * s * fold.step))
        z = np.concatenate([z.real, z.imag][: 1 + pair], axis=2)
        cosine, sine = np.cos(s * fold.step), np.sin(s * fold.step)
        out[rows, 0] = cosine * z[:, 0] + sine * z[:, 2]
        out[rows, 1] = z[:, 1]
        out[rows, 2] = cosine * z[:, 2] - sine * z[:, 0]
    on_axle = np.einsum("ca,nam->ncm", axle_amplitudes(order), x[fold.ring.shape[1] :])
    out[fold.axis] = np.concatenate([on_axle.real, on_axle.imag][: 1 + pair], axis=2)
    return out


def harmonics_of(sector: Sector, nodes: np.ndarray) -> list[Harmonic]:
    """All harmonics with their factors; nodes (N, 3) of the whole mesh."""
    trees: dict[bool, list] = {}
    return [_harmonic(sector, k, nodes, trees) for k in range(sector.fold.sections // 2 + 1)]


def _harmonic(sector, order, nodes, trees):
    fold, real, (pattern, wide) = sector.fold, sector.real.get(order), sector.patterns
    orbits, across = fold.ring.shape[1], axle_amplitudes(order)
    on_axle = np.arange(pattern.indptr[orbits], len(pattern.indices)), np.flatnonzero(pattern.indices >= orbits)
    matrices = []
    for part in (sector.stiffness, sector.mass):
        blocks = part.added(fold.step * order)
        blocks[on_axle[0]] = across.conj().T @ blocks[on_axle[0]]
        blocks[on_axle[1]] = blocks[on_axle[1]] @ across
        if real:
            matrices.append(wide.matrix(in_pairs(pattern, wide, blocks, real)))
        else:
            matrices.append(pattern.matrix(blocks if has_pair(fold, order) else blocks.real.copy()))
    stiffness, mass = matrices
    mass = mass.copy()  # the pattern's arrays stay
    mass.eliminate_zeros()
    motion = rigid_modes(nodes).reshape(len(nodes), 3, 6)
    motion = {0: motion[..., [1, 4]], 1: motion[..., [0, 3]] - 1j * motion[..., [2, 5]]}.get(order, motion[..., :0])
    rigid = amplitudes_of(sector, order, motion)
    held = np.zeros(0, dtype=np.int64)
    if real:  # real and imaginary parts are multiples of the same motions
        rigid = la.svd(np.hstack([rigid.real, rigid.imag]), full_matrices=False)[0][:, : rigid.shape[1]]
    if rigid.shape[1]:
        rigid = rigid @ la.inv(la.cholesky(rigid.conj().T @ (mass @ rigid)))
        held = la.qr(rigid.conj().T, mode="r", pivoting=True)[1][: rigid.shape[1]]
    diagonal = stiffness.diagonal()
    idle = np.flatnonzero(diagonal == 0.0)
    stiffness.setdiag(np.where(diagonal == 0.0, diagonal.max(), diagonal))
    held = np.sort(np.concatenate([held, idle]))
    kind = real is not None
    if kind not in trees:
        trees[kind] = elimination_tree(stiffness)
    factor = factor_held(stiffness, held, partial(multifrontal_cholesky, tree=trees[kind]))
    stiffness.setdiag(diagonal)
    return Harmonic(order, stiffness, mass, rigid, mass @ rigid, held, factor)
