"""Matrices T^H A T of the harmonics of a sector, block by block (3 x 3) in one pattern for all of them.

Vertices are the orbits, then the nodes on the axle. In axes turned with its sector, R = Ry(a theta), a node that lies a
sectors ahead moves as its orbit times e^(i k a theta), so that the block of two nodes enters that of their orbits as

    e^(i k (a_j - a_i) theta) R_i^T A_ij R_j

Only the phase depends on the harmonic k. With the basis y of a reflection, in which the matrices are real (sector.py),
rows of one orbit of each pair are enough: v + S v, S v = A conj(v), has the real part of sqrt(2) <v, ...>.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from flexwheel.body.assembly import column_of
from flexwheel.numerics.kernels import kernel


class Pattern(NamedTuple):
    """Pairs of vertices, sorted CSR, and the places of their 3 x 3 blocks in a matrix."""

    indptr: np.ndarray  # (V + 1,)
    indices: np.ndarray  # (B,)
    entries: sp.csr_matrix  # (3 V, 3 V) of integers: where each number is among the blocks

    def matrix(self, blocks: np.ndarray) -> sp.csr_matrix:
        """(3 V, 3 V) of blocks (B, 3, 3)."""
        at = self.entries
        return sp.csr_matrix((blocks.ravel()[at.data], at.indices, at.indptr), at.shape)


class TurnedBlocks(NamedTuple):
    """Sums of the blocks of a sector's matrix in axes turned with its nodes, and blocks between nodes of which one is
    a sector ahead of the other, or more, to be added with a phase."""

    sums: np.ndarray  # (B, 3, 3)
    place: np.ndarray  # (E,) in the pattern of vertices
    ahead: np.ndarray  # (E,) sectors by which the node of the column is ahead of that of the row
    blocks: np.ndarray  # (E, 3, 3)

    def added(self, angle: float, axle, across) -> np.ndarray:
        """(B, 3, 3) sums with a phase `angle` [rad] for each sector ahead.

        axle : (2, ...) places of blocks whose row, whose column is a node on the axle
        across : (3, 3) displacement of a node on the axle by its amplitudes
        """
        out = self.sums.astype(complex)
        np.add.at(out, self.place, np.exp(1j * angle * self.ahead)[:, None, None] * self.blocks)
        rows, columns = axle
        out[rows] = across.conj().T @ out[rows]
        out[columns] = out[columns] @ across
        return out


class Mirrored(NamedTuple):
    """Amplitudes x = basis @ y of a harmonic in which its matrices are real."""

    to: np.ndarray  # (V,) partner of each vertex, or itself
    turn: np.ndarray  # (V, 3, 3) A at a vertex with a partner, else its basis
    basis: sp.csr_matrix  # (3 V, 3 V) unitary


def vertex_pattern(matrix: sp.csr_matrix, vertex: np.ndarray, count: int) -> Pattern:
    """Pattern of `count` vertices from that of a matrix (3 U, 3 U) of nodes; vertex (U,) of each node."""
    pairs = matrix.tobsr((3, 3))
    near = sp.csr_matrix((np.ones(len(pairs.indices), dtype=bool), pairs.indices, pairs.indptr), (len(vertex),) * 2)
    lump = sp.csr_matrix((np.ones(len(vertex), dtype=bool), (np.arange(len(vertex)), vertex)), (len(vertex), count))
    return _sorted(lump.T @ near @ lump)


def pattern_of_pairs(pattern: Pattern, to: np.ndarray) -> Pattern:
    """Pattern in which the partners of both vertices are near as well."""
    count = len(to)
    own = np.arange(count)
    both = sp.csr_matrix((np.ones(2 * count, dtype=bool), (np.tile(own, 2), np.append(own, to))), (count, count))
    near = sp.csr_matrix((np.ones(len(pattern.indices), dtype=bool), pattern.indices, pattern.indptr), (count, count))
    return _sorted(both @ near @ both)


def turned_blocks(matrix, pattern: Pattern, vertex, ahead, step) -> TurnedBlocks:
    """TurnedBlocks of a matrix (3 U, 3 U) of nodes; vertex, ahead (U,) of each node, step [rad] of a sector."""
    pairs = matrix.tobsr((3, 3))
    row = np.repeat(np.arange(len(vertex)), np.diff(pairs.indptr))
    place = np.empty(len(row), dtype=np.int64)
    _places(pattern.indptr, pattern.indices, vertex[row], vertex[pairs.indices], place)
    _turn(pairs.data, np.cos(step * ahead), np.sin(step * ahead), row, pairs.indices)
    between = ahead[pairs.indices] - ahead[row]
    sums, some = np.zeros((len(pattern.indices), 3, 3)), np.flatnonzero(between)
    _add_alike(place, between, pairs.data, sums)
    return TurnedBlocks(sums, place[some], between[some], pairs.data[some])


def in_pairs(pattern: Pattern, wide: Pattern, blocks: np.ndarray, mirrored: Mirrored) -> np.ndarray:
    """Real blocks (C, 3, 3) of `wide`, a `pattern_of_pairs`, from complex ones of the pattern."""
    out = np.zeros((len(wide.indices), 3, 3))
    x = np.empty((3, 3), dtype=complex)
    _pair(pattern.indptr, pattern.indices, blocks, mirrored.to, mirrored.turn, wide.indptr, wide.indices, out, x)
    return out


def _sorted(near):
    near = near.tocsr()
    near.sort_indices()
    at = np.arange(9 * near.nnz, dtype=np.int32).reshape(-1, 3, 3)
    entries = sp.bsr_matrix((at, near.indices, near.indptr), shape=[3 * n for n in near.shape]).tocsr()
    return Pattern(near.indptr.astype(np.int64), near.indices.astype(np.int64), entries)


@kernel
def _places(indptr, indices, row, column, place):
    """Place of each pair of vertices in the pattern."""
    for e in range(len(row)):
        place[e] = column_of(indptr, indices, row[e], column[e])


@kernel
def _turn(blocks, c, s, row, column):
    """blocks <- R_i^T blocks R_j in place; R = Ry of the cosine and sine of each node."""
    for e in range(len(row)):
        ci, si, cj, sj = c[row[e]], s[row[e]], c[column[e]], s[column[e]]
        for b in range(3):
            x, z = blocks[e, 0, b], blocks[e, 2, b]
            blocks[e, 0, b], blocks[e, 2, b] = ci * x - si * z, si * x + ci * z
        for a in range(3):
            x, z = blocks[e, a, 0], blocks[e, a, 2]
            blocks[e, a, 0], blocks[e, a, 2] = x * cj - z * sj, x * sj + z * cj


@kernel
def _add_alike(place, between, blocks, out):
    """Add the blocks of nodes of which none is ahead."""
    for e in range(len(place)):
        if between[e] == 0:
            for a in range(3):
                for b in range(3):
                    out[place[e], a, b] += blocks[e, a, b]


@kernel
def _pair(indptr, indices, blocks, to, turn, wide_indptr, wide_indices, out, x):
    """Add the blocks of one vertex of each pair to those of both; of a vertex without partner `turn` is the basis."""
    half = np.sqrt(0.5)
    for o in range(len(to)):
        if to[o] < o:
            continue
        for e in range(indptr[o], indptr[o + 1]):
            q, r = indices[e], to[indices[e]]
            for a in range(3):
                for b in range(3):
                    if q < r:
                        x[a, b] = half * blocks[e, a, b]
                    else:
                        x[a, b] = 0.0
                        for d in range(3):
                            x[a, b] += blocks[e, a, d] * turn[r, d, b]
                        if q != r:
                            x[a, b] *= half
            _put(x, o, to[o], turn, column_of(wide_indptr, wide_indices, o, min(q, r)),
                 column_of(wide_indptr, wide_indices, to[o], min(q, r)), out)  # fmt: skip
            if q != r:
                for a in range(3):
                    for b in range(3):
                        x[a, b] *= 1j if q < r else -1j
                _put(x, o, to[o], turn, column_of(wide_indptr, wide_indices, o, max(q, r)),
                     column_of(wide_indptr, wide_indices, to[o], max(q, r)), out)  # fmt: skip


@kernel
def _put(x, o, partner, turn, place, second, out):
    """Add x (3, 3), rows of a vertex o, at its place and at that of its partner."""
    for a in range(3):
        for b in range(3):
            if o == partner:
                for d in range(3):
                    out[place, a, b] += (np.conj(turn[o, d, a]) * x[d, b]).real
            else:
                out[place, a, b] += np.sqrt(2.0) * x[a, b].real
                out[second, a, b] += np.sqrt(2.0) * x[a, b].imag
