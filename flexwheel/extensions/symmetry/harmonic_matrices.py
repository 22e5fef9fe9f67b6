"""Matrices T^H A T of the harmonics of a sector, block by block (3 x 3) in one pattern for all of them.

Vertices are the orbits, then the nodes on the axle. In axes turned with its sector, R = Ry(a theta), a node that lies a
sectors ahead moves as its orbit times e^(i k a theta), so that the block of two nodes enters that of their orbits as

    e^(i k (a_j - a_i) theta) R_i^T A_ij R_j

Only the phase depends on the harmonic k. In the basis of a reflection (sector.py) the matrices are real, and rows of
one vertex of each pair give half of every sum.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from flexwheel.body.assembly import column_of
from flexwheel.numerics.kernels import kernel


class Pattern(NamedTuple):
    """Pairs of vertices, sorted CSR."""

    indptr: np.ndarray  # (V + 1,)
    indices: np.ndarray  # (B,)
    entries: sp.csr_matrix  # (3 V, 3 V) of integers: where each number is among the blocks

    def nodes(self) -> sp.csr_matrix:
        """(V, V) of True."""
        return sp.csr_matrix((np.ones(len(self.indices), dtype=bool), self.indices, self.indptr))

    def matrix(self, blocks: np.ndarray) -> sp.csr_matrix:
        """(3 V, 3 V) of blocks (B, 3, 3)."""
        at = self.entries
        return sp.csr_matrix((blocks.ravel()[at.data], at.indices, at.indptr), at.shape)


class TurnedBlocks(NamedTuple):
    """Blocks of a sector's matrix in axes turned with its nodes: sums, and those that enter with a phase."""

    sums: np.ndarray  # (B, 3, 3)
    place: np.ndarray  # (E,) in the pattern of vertices
    ahead: np.ndarray  # (E,) sectors by which the node of the column is ahead of that of the row
    blocks: np.ndarray  # (E, 3, 3)

    def added(self, angle: float) -> np.ndarray:
        """(B, 3, 3) with a phase `angle` [rad] for each sector ahead."""
        out = self.sums.astype(complex)
        np.add.at(out, self.place, np.exp(1j * angle * self.ahead)[:, None, None] * self.blocks)
        return out


class Mirrored(NamedTuple):
    """Amplitudes x = basis @ y of a harmonic in which its matrices are real; a vertex and its partner share theirs."""

    vertices: np.ndarray  # (V, 2) the pair of each vertex, ascending
    share: np.ndarray  # (V, 2, 3, 3) what y of these give it; the second is zero where it is its own partner
    basis: sp.csr_matrix  # (3 V, 3 V) unitary


def pattern_of(near: sp.csr_matrix, vertices: np.ndarray) -> Pattern:
    """Pattern of vertices from that of nodes, or of others (U, U); vertices (U, m) which each belongs to."""
    row = np.repeat(np.arange(len(vertices)), vertices.shape[1])
    lump = sp.csr_matrix((np.ones(len(row), dtype=bool), (row, vertices.ravel())))
    found = (lump.T @ near.astype(bool) @ lump).tocsr()
    found.sort_indices()
    at = np.arange(9 * found.nnz, dtype=np.int32).reshape(-1, 3, 3)
    entries = sp.bsr_matrix((at, found.indices, found.indptr), shape=[3 * n for n in found.shape]).tocsr()
    return Pattern(found.indptr.astype(np.int64), found.indices.astype(np.int64), entries)


def turned_blocks(matrix, pattern: Pattern, vertex, ahead, step) -> TurnedBlocks:
    """TurnedBlocks of a matrix (3 U, 3 U) of nodes; vertex, ahead (U,) of each node, step [rad] of a sector."""
    pairs = matrix.tobsr((3, 3))
    row, column = np.repeat(np.arange(len(vertex)), np.diff(pairs.indptr)), pairs.indices
    place, between = np.empty(len(row), dtype=np.int64), ahead[column] - ahead[row]
    sums, some = np.zeros((len(pattern.indices), 3, 3)), np.flatnonzero(between)
    _turn(pairs.data, np.cos(step * ahead), np.sin(step * ahead), row, column)
    _add_alike(pattern[:2], vertex, (row, column), between, pairs.data, place, sums)
    return TurnedBlocks(sums, place[some], between[some], pairs.data[some])


def in_pairs(pattern: Pattern, wide: Pattern, blocks: np.ndarray, mirrored: Mirrored) -> np.ndarray:
    """Real blocks (C, 3, 3) of `wide`, which is of pairs, from complex ones of the pattern."""
    out, x = np.zeros((len(wide.indices), 3, 3)), np.empty((3, 3), dtype=complex)
    _pair(pattern[:2], wide[:2], blocks, mirrored.vertices, mirrored.share, out, x)
    return out


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
def _add_alike(pattern, vertex, nodes, between, blocks, place, out):
    """Find the places of blocks; add those of nodes of which none is ahead."""
    for e in range(len(between)):
        place[e] = column_of(pattern[0], pattern[1], vertex[nodes[0][e]], vertex[nodes[1][e]])
        if between[e] == 0:
            for a in range(3):
                for b in range(3):
                    out[place[e], a, b] += blocks[e, a, b]


@kernel
def _pair(pattern, wide, blocks, vertices, share, out, x):
    """Add share^H blocks share: of two partners the real part of one's rows, twice."""
    indptr, indices = pattern
    for o in range(len(vertices)):
        own = 1 if vertices[o, 0] == vertices[o, 1] else 2
        if own == 2 and o == vertices[o, 1]:
            continue
        for e in range(indptr[o], indptr[o + 1]):
            q = indices[e]
            for t in range(1 if vertices[q, 0] == vertices[q, 1] else 2):
                for a in range(3):
                    for b in range(3):
                        x[a, b] = 0.0
                        for d in range(3):
                            x[a, b] += blocks[e, a, d] * share[q, t, d, b]
                for s in range(own):
                    place = column_of(wide[0], wide[1], vertices[o, s], vertices[q, t])
                    for a in range(3):
                        for b in range(3):
                            for d in range(3):
                                y = share[o, s, d, a]
                                out[place, a, b] += own * (y.real * x[d, b].real + y.imag * x[d, b].imag)
