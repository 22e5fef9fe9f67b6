"""Largest stresses of every surface node over all samples of a run, without computing all of them.

Von Mises stress and the largest magnitude of a principal stress are convex functions of the stress tensor, and along a
straight line no convex function passes the larger of its ends. So between two samples some steps apart a node's value
is at most the larger one of both, plus the norm of what the coefficients deviate from the straight line. Where that
does not pass what the node has reached already, the samples between are done with; elsewhere they are computed.
Stresses are taken from those combinations of the coefficients that carry them (principal components, relative to each
node's own size); what is left out is LEFT_OUT of it, rms, and counts as deviation.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.kernels import FAST, kernel

QUANTITIES = ("von_mises", "tension", "compression")
"""Of an envelope: largest von Mises stress; principal stress of largest magnitude where that is tension, and where it
is compression."""
STRIDE = 4  # samples from one that is computed for all nodes to the next
LEFT_OUT = 3e-5  # rms; peaks of a node under the tread are far above its rms
_ALLOWED = np.float32(1.0004)  # share of what was reached beyond which samples are computed: the envelope's error
_SMALL = np.float32(0.25)  # tension or compression below this share of the node's von Mises stress is not sought
RANK = 1e-13  # of mean squares; what goes with less of the stress is rounding
GROUP = 8  # neighbouring nodes for which intervals are computed together
_NONE = np.float32(-1e30)  # of a quantity without a sample
_THIRD, _HALF, _ONE, _TWO, _THREE = (np.float32(x) for x in (1 / 3, 0.5, 1.0, 2.0, 3.0))
_ZERO, _DET, _TINY, _NORM, _START = (
    np.float32(0.0),
    np.float32(13.5),
    np.float32(1e-20),
    np.float32(2 / 3),
    np.float32(0.55),
)


@dataclass(frozen=True)
class Screen:
    """Combinations of coefficients, those that carry most stress first."""

    turn: np.ndarray  # (K, k) coefficients @ turn are the combinations
    reduced: np.ndarray  # (S, 6, C, r) rows of the first r of them
    norm: np.ndarray  # (S, C, K) larger one of von Mises and principal stress under one unit of each coefficient
    rest: np.ndarray  # (S, C, k - r) the same of the combinations left out


class EnvelopeSweep:
    """Envelope of StressRows over blocks of samples; moment (K, K): mean of c c^T over all samples that will follow.

    best : (3, S, C) float32 [Pa]   largest so far, compression positive
    sample : (3, S, C) int64        number of the sample, -1 without one
    """

    def __init__(self, rows, moment):
        self.rows, self.turning, self.screen = rows.rows, rows.turning, make_screen(rows.rows, moment)
        sections, _, nodes, _ = self.rows.shape
        self.best = np.full((len(QUANTITIES), sections, nodes), _NONE)
        self.sample = np.full(self.best.shape, -1, dtype=np.int64)
        self.samples = self.computed = 0  # of the run; of them and all nodes, in full

    def values(self):
        """(3, S, C) float64 [Pa], tension positive; nan where there is none."""
        values = np.where(self.sample >= 0, self.best, np.nan).astype(float)
        values[2] *= -1.0
        return values

    def add(self, shift, coefficients):
        """Samples that follow those before: shift (T,), coefficients (T, K) of `stress_coefficients`."""
        screen, shift = self.screen, shift if self.turning else np.zeros_like(shift)
        held = screen.reduced.shape[3]
        columns, first, last = _intervals(shift)
        carried = coefficients @ screen.turn
        bend = _deviation(coefficients, columns, first, last)
        left = screen.rest @ np.abs(carried[:, held:]).max(axis=0).astype(np.float32)
        narrow = np.ascontiguousarray(carried[:, :held], dtype=np.float32)
        inner = np.flatnonzero(columns[last] > columns[first] + 1)
        moved = shift[columns[first]]
        for q in range(len(self.rows)):
            ends = self._take(q, slice(None), narrow, columns, shift)
            beyond = screen.norm[q] @ bend
            beyond += left[q, :, None]
            wanted = np.zeros((-(-ends.shape[1] // GROUP), len(first)), dtype=np.bool_)
            _flag(ends, beyond, (first, last, moved, inner, q), self.best, wanted)
            for group, flags in enumerate(wanted):
                if flags.any():
                    between = _between(columns[first[flags]], columns[last[flags]])
                    self._take(q, slice(group * GROUP, (group + 1) * GROUP), narrow, between, shift)
        self.samples += len(shift)

    def _take(self, q, nodes, narrow, columns, shift):
        """Add some samples of some nodes of section q; returns their invariants (3, n, J)."""
        rows = self.screen.reduced[q][:, nodes]
        count = rows.shape[1]
        values = (rows.reshape(6 * count, -1) @ narrow[columns].T).reshape(6, count, -1)
        out = np.empty((3, count, len(columns)), dtype=np.float32)
        _fill(values, out)
        pieces = np.concatenate([[0], np.flatnonzero(np.diff(shift[columns])) + 1, [len(columns)]])
        place = columns, pieces, shift, q, nodes.start or 0, self.samples
        _raise(out, place, self.best, self.sample, np.empty(len(QUANTITIES), dtype=np.float32))
        self.computed += out[0].size
        return out


def _intervals(shift):
    """Samples taken for all nodes, and the intervals (first, last) among them; within one no section is passed."""
    jumps = np.flatnonzero(np.diff(shift)) + 1
    starts, ends = np.append(0, jumps), np.append(jumps, len(shift)) - 1
    pieces = [np.append(np.arange(a, b, STRIDE), b) for a, b in zip(starts, ends, strict=True)]
    size = np.array([len(piece) for piece in pieces])
    last = np.setdiff1d(np.arange(size.sum()), np.cumsum(size) - size)
    return np.concatenate(pieces), last - 1, last


def _between(start, stop):
    """Samples within intervals, ends left out."""
    count = stop - start - 1
    return np.repeat(start + 1 - (np.cumsum(count) - count), count) + np.arange(count.sum())


def _deviation(coefficients, columns, first, last):
    """(K, I) float32 largest deviation of each coefficient from the straight line between the ends of an interval."""
    steps = columns[last] - columns[first]
    out = np.zeros((coefficients.shape[1], len(first)))
    for k in range(1, int(steps.max(initial=0))):
        rows = np.flatnonzero(steps > k)
        a, b = coefficients[columns[first[rows]]], coefficients[columns[last[rows]]]
        part = (k / steps[rows])[:, None]
        off = np.abs(coefficients[columns[first[rows]] + k] - (1.0 - part) * a - part * b)
        out[:, rows] = np.maximum(out[:, rows], off.T)
    return out.astype(np.float32)


def make_screen(rows, moment):
    """Screen of rows (S, 6, C, K) for coefficients with the mean products (K, K) given."""
    sections, _, nodes, count = rows.shape
    unit = np.sqrt(np.diag(moment))
    unit[unit == 0.0] = 1.0
    moment = moment / unit / unit[:, None]
    unit32, moment32 = unit.astype(np.float32), moment.astype(np.float32)
    gram = np.zeros((count, count))
    largest = 0.0
    for q in range(sections):
        scaled = rows[q] * unit32
        size = np.einsum("acj,acj->c", scaled @ moment32, scaled)  # mean square of the node's stress
        largest = max(largest, float(size.max()))
        scaled /= np.sqrt(np.maximum(size, 1e-6 * largest))[None, :, None] + _TINY
        scaled = scaled.reshape(-1, count).astype(float)
        gram += scaled.T @ scaled
    value, vector = np.linalg.eigh(gram)
    root = vector * np.sqrt(np.maximum(value, 0.0))  # gram = root root^T: |root^T c| is the stress relative to its size
    carried, direction = np.linalg.eigh(root.T @ moment @ root)
    kept = carried > RANK * carried[-1]
    carried, turn = carried[kept][::-1], (root @ direction[:, kept])[:, ::-1]
    tail = np.cumsum(carried[::-1])[::-1]
    held = max(int(np.sum(tail > LEFT_OUT**2 * tail[0])), 1)
    back = unit32[:, None] * (moment @ turn / carried).astype(np.float32)  # the coefficients as they go with each
    reduced = np.empty((sections, 6, nodes, held), dtype=np.float32)
    norm = np.empty((sections, nodes, count), dtype=np.float32)
    rest = np.empty((sections, nodes, back.shape[1] - held), dtype=np.float32)
    for q in range(sections):
        turned = (rows[q].reshape(-1, count) @ back).reshape(6, nodes, -1)
        reduced[q] = turned[..., :held]
        _norms(np.ascontiguousarray(turned[..., held:]), rest[q])
        _norms(rows[q], norm[q])
    return Screen(turn / unit[:, None], reduced, norm, rest)


@kernel(inline="always")
def _root(x):
    """Largest root y in [1/2, 1] of 4 y^3 - 3 y = x, |x| <= 1: cos(acos(x) / 3), to 1e-5."""
    y = _HALF + _HALF * np.sqrt((_ONE + x) * _START)
    for _ in range(5):
        y = _HALF + _HALF * np.sqrt((_ONE + x) / (_ONE + y))
    return y


@kernel(inline="always")
def _invariants(xx, yy, zz, xy, yz, zx):
    """Von Mises stress, largest magnitude of a principal stress, sum of the outer two (float32)."""
    mean = (xx + yy + zz) * _THIRD
    a, b, c = xx - mean, yy - mean, zz - mean
    mises = np.sqrt(_THREE * (_HALF * (a * a + b * b + c * c) + xy * xy + yz * yz + zx * zx))
    det = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx)
    x = _DET * det / (mises * mises * mises + _TINY)  # cosine of three times the Lode angle
    x = min(max(x, -_ONE), _ONE)
    size = _NORM * mises
    highest, lowest = mean + size * _root(x), mean - size * _root(-x)
    return mises, max(highest, -lowest), highest + lowest


@kernel(fastmath=FAST)
def _fill(values, out):
    """Fill out (3, C, J) with the invariants of values (6, C, J)."""
    for i in range(values.shape[1]):
        for j in range(values.shape[2]):
            out[0, i, j], out[1, i, j], out[2, i, j] = _invariants(
                values[0, i, j], values[1, i, j], values[2, i, j], values[3, i, j], values[4, i, j], values[5, i, j]
            )


@kernel(fastmath=FAST)
def _norms(tensor, norm):
    """Fill norm (C, K) with the larger one of von Mises and principal stress of tensors (6, C, K)."""
    for i in range(norm.shape[0]):
        for k in range(norm.shape[1]):
            mises, principal, _ = _invariants(
                tensor[0, i, k], tensor[1, i, k], tensor[2, i, k], tensor[3, i, k], tensor[4, i, k], tensor[5, i, k]
            )
            norm[i, k] = max(mises, principal)


@kernel(fastmath=FAST)
def _peaks(out, i, start, stop, peak):
    """Fill peak (3,) with the largest of each quantity of node i over columns of invariants (3, C, J)."""
    mises = tension = compression = _NONE
    for j in range(start, stop):
        principal, pulled = out[1, i, j], out[2, i, j] > _ZERO
        mises = max(mises, out[0, i, j])
        tension = max(tension, principal if pulled else _NONE)
        compression = max(compression, _NONE if pulled else principal)
    peak[0], peak[1], peak[2] = mises, tension, compression


@kernel
def _raise(out, place, best, sample, peak):
    """Take invariants (3, C, J) of nodes from `node` on of section q at some samples into the envelope."""
    columns, pieces, shift, q, node, offset = place
    sections = best.shape[1]
    for i in range(out.shape[1]):
        n = node + i
        for p in range(pieces.shape[0] - 1):
            s = (q - shift[columns[pieces[p]]]) % sections
            _peaks(out, i, pieces[p], pieces[p + 1], peak)
            for f in range(best.shape[0]):
                if peak[f] > best[f, s, n]:
                    best[f, s, n] = peak[f]
                    source = min(f, 1)
                    for j in range(pieces[p], pieces[p + 1]):
                        if out[source, i, j] == peak[f]:
                            sample[f, s, n] = offset + columns[j]


@kernel
def _flag(ends, beyond, intervals, best, wanted):
    """Mark in wanted (G, I) the intervals within which a node of a group may pass its best; beyond (C, I)."""
    first, last, moved, inner, q = intervals
    sections = best.shape[1]
    for i in range(ends.shape[1]):
        g = i // GROUP
        for k in inner:
            if wanted[g, k]:
                continue
            a, b, s, more = first[k], last[k], (q - moved[k]) % sections, beyond[i, k]
            mises = max(ends[0, i, a], ends[0, i, b]) + more
            principal = max(ends[1, i, a], ends[1, i, b]) + more
            reached = _ALLOWED * best[0, s, i]
            wanted[g, k] = (
                mises > reached
                or (
                    principal > max(_ALLOWED * best[1, s, i], _SMALL * reached)
                    and max(ends[2, i, a], ends[2, i, b]) + _TWO * more > 0.0
                )
                or (
                    principal > max(_ALLOWED * best[2, s, i], _SMALL * reached)
                    and min(ends[2, i, a], ends[2, i, b]) - _TWO * more < 0.0
                )
            )
