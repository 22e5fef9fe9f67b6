"""Largest stresses of every surface node over all samples of a run, without computing all of them.

Von Mises stress and the largest magnitude of a principal stress are convex functions of the stress tensor: along a
straight line none passes the larger of its ends. The stress at a place that stands hardly moves from one millisecond
to the next, and that of a material point between two sections lies between theirs. So in a window of STRIDE samples a
node's value is at most the largest one at the window's ends at the sections it passes, plus what the coefficients
deviate from the straight line in time, plus what the field deviates from one between sections. Windows in which that
passes what the node has reached already are computed sample by sample, from the rows of the material point.
"""

import numpy as np

from flexwheel.numerics.kernels import FAST, kernel

QUANTITIES = ("von_mises", "tension", "compression")
"""Of an envelope: largest von Mises stress, largest and smallest principal stress."""
STRIDE = 16  # samples of a window
_CHUNK = 512  # windows looked at together
_ALLOWED = np.float32(1.0004)  # share of what was reached beyond which samples are computed: the envelope's error
_SMALL = np.float32(0.25)  # tension or compression below this share of the node's von Mises stress is not sought
_BEND = np.float32(1.5 / 8.0)  # of the second difference: an eighth of it, and half as much for its change
_COARSE = np.float32(2e-3)  # share of von Mises stress above which that is looked at in halves of a section
_QUARTER = np.float32(0.25)
_SIX_FAR, _SIX_NEAR, _SIX = (np.float32(x / 256) for x in (3.0, -25.0, 150.0))
_FOUR_NEAR, _FOUR = (np.float32(x / 16) for x in (-1.0, 9.0))
_NONE = np.float32(-1e30)  # of a quantity without a sample
_ZERO, _ONE, _TWO, _THREE, _HALF, _THIRD = (np.float32(x) for x in (0.0, 1.0, 2.0, 3.0, 0.5, 1 / 3))
_DET, _TINY, _NORM = np.float32(13.5), np.float32(1e-20), np.float32(2 / 3)
_C0, _C1, _C2, _C3, _C4, _C5 = (
    np.float32(x) for x in (0.50000137, 0.57725041, -0.10988446, 0.04763451, -0.01912183, 0.0041208)
)


class EnvelopeSweep:
    """Envelope of StressRows over blocks of samples.

    best : (3, C, S) float32 [Pa]   largest so far, compression positive
    sample : (3, C, S) int64        number of the sample, -1 without one
    """

    def __init__(self, rows):
        self.rows = rows
        rings, sections = rows.material.shape[:2]
        tensor = rows.standing.reshape(rings, -1, 6, sections)
        self.norm = _size(
            tensor
        )  # (C, k, S) at least von Mises and principal stress under one unit of each coefficient
        self.best = np.full((rings, len(QUANTITIES), sections), _NONE)
        self.sample = np.full(self.best.shape, -1, dtype=np.int64)
        self.samples = self.computed = 0  # of the run; of them and all nodes, one by one
        self._peak = np.empty((6, sections), dtype=np.float32)

    def values(self):
        """(3, C, S) float64 [Pa], tension positive; nan where there is none. And the numbers of the samples."""
        values = np.where(self.sample >= 0, self.best, np.nan).astype(float).swapaxes(0, 1)
        values[2] *= -1.0
        return values, self.sample.swapaxes(0, 1)

    def seed(self, coefficients, numbers):
        """Take in samples from all over the run, of these numbers: what is reached then need not be sought later."""
        moving = coefficients.shift, coefficients.material, numbers
        for first in range(0, len(numbers), _CHUNK):
            ends = np.arange(first, min(first + _CHUNK, len(numbers)))
            values, found, _ = self._scratch(len(ends))
            for c in range(len(self.best)):
                np.matmul(coefficients.standing[ends], self.rows.standing[c], out=values.reshape(len(ends), -1))
                _fill(values, False, found)
                _start(found, ends, 0, moving, self._of_ring(c), self._peak)

    def add(self, coefficients):
        """StressCoefficients of samples that follow those before."""
        count = len(coefficients.shift)
        ends = np.append(np.arange(0, count - 1, STRIDE), count - 1)
        moving = coefficients.shift, coefficients.material, np.arange(self.samples, self.samples + count)
        for first in range(0, max(len(ends) - 1, 1), _CHUNK):
            self._windows(ends[first : first + _CHUNK + 1], coefficients.standing, moving)
        self.samples += count

    def _windows(self, ends, standing, moving):
        held, off = standing[ends], np.zeros((len(ends) - 1, standing.shape[1]), dtype=np.float32)
        _deviation(standing, ends, off)
        values, found, more = self._scratch(len(ends))
        for c in range(len(self.best)):
            np.matmul(held, self.rows.standing[c], out=values.reshape(len(ends), -1))
            np.matmul(off, self.norm[c], out=more)
            _fill(values, self.rows.turning, found)
            _start(found, ends, STRIDE // 2, moving, self._of_ring(c), self._peak)
            self.computed += _search(found, more, ends, moving, self._of_ring(c), self._peak)

    def _scratch(self, count):
        """Tensors at `count` samples, what `_fill` makes of them, what the windows between add."""
        shapes = (count, 6), (7, count), (max(count - 1, 0),)
        return [np.empty((*shape, self.best.shape[2]), dtype=np.float32) for shape in shapes]

    def _of_ring(self, c):
        return self.rows.material[c], self.best[c], self.sample[c]


def _size(tensor):
    """At least the von Mises and the principal stresses (C, k, S) of tensors (C, k, 6, S)."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(tensor, 2, 0)
    shear = xy**2 + yz**2 + zx**2
    mises = 0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) + 3.0 * shear
    return np.sqrt(np.maximum(mises, xx**2 + yy**2 + zz**2 + 2.0 * shear))


@kernel(fastmath=FAST)
def _deviation(coefficients, ends, off):
    """Largest deviation off (W, k) of coefficients (T, k) from the straight line between the ends of a window."""
    for w in range(off.shape[0]):
        a, b = ends[w], ends[w + 1]
        for t in range(a + 1, b):
            part = np.float32((t - a) / (b - a))
            for k in range(off.shape[1]):
                straight = (_ONE - part) * coefficients[a, k] + part * coefficients[b, k]
                off[w, k] = max(off[w, k], abs(coefficients[t, k] - straight))


@kernel(inline="always")
def _root(x):
    """Largest root y in [1/2, 1] of 4 y^3 - 3 y = x, |x| <= 1: cos(acos(x) / 3), to 2e-6."""
    y = np.sqrt(_HALF + _HALF * x)  # cos(acos(x) / 2); the root is regular in it, here a Chebyshev interpolation
    return _C0 + y * (_C1 + y * (_C2 + y * (_C3 + y * (_C4 + y * _C5))))


@kernel(inline="always")
def _invariants(xx, yy, zz, xy, yz, zx):
    """Von Mises stress, largest principal stress, smallest one with its sign turned (float32)."""
    mean = (xx + yy + zz) * _THIRD
    a, b, c = xx - mean, yy - mean, zz - mean
    mises = np.sqrt(_THREE * (_HALF * (a * a + b * b + c * c) + xy * xy + yz * yz + zx * zx))
    det = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx)
    x = _DET * det / (mises * mises * mises + _TINY)  # cosine of three times the Lode angle
    x = min(max(x, -_ONE), _ONE)
    size = _NORM * mises
    return mises, mean + size * _root(x), size * _root(-x) - mean


@kernel(inline="always")
def _size_of(xx, yy, zz, xy, yz, zx):
    """At least the von Mises and the principal stresses of a tensor."""
    square = xx * xx + yy * yy + zz * zz + _TWO * (xy * xy + yz * yz + zx * zx)
    mean = xx + yy + zz
    return np.sqrt(max(square, _HALF * (_THREE * square - mean * mean)))


@kernel(inline="always")
def _bend(values, j, before, s, after):
    """Size of the second difference over three sections."""
    xx = values[j, 0, before] - _TWO * values[j, 0, s] + values[j, 0, after]
    yy = values[j, 1, before] - _TWO * values[j, 1, s] + values[j, 1, after]
    zz = values[j, 2, before] - _TWO * values[j, 2, s] + values[j, 2, after]
    xy = values[j, 3, before] - _TWO * values[j, 3, s] + values[j, 3, after]
    yz = values[j, 4, before] - _TWO * values[j, 4, s] + values[j, 4, after]
    zx = values[j, 5, before] - _TWO * values[j, 5, s] + values[j, 5, after]
    return _size_of(xx, yy, zz, xy, yz, zx)


@kernel(fastmath=FAST)
def _fill(values, turning, found):
    """Fill found (7, J, S) of values (J, 6, S): invariants at sections, what they may reach up to the next, scratch."""
    last = values.shape[2] - 1
    for j in range(values.shape[0]):
        for s in range(last + 1):
            found[0, j, s], found[1, j, s], found[2, j, s] = _invariants(
                values[j, 0, s], values[j, 1, s], values[j, 2, s], values[j, 3, s], values[j, 4, s], values[j, 5, s]
            )
        if not turning:
            for f in range(3):
                for s in range(last + 1):
                    found[3 + f, j, s] = found[f, j, s]
            continue
        for s in range(1, last):
            found[6, j, s] = _bend(values, j, s - 1, s, s + 1)
        found[6, j, 0] = _bend(values, j, last, 0, min(1, last))
        found[6, j, last] = _bend(values, j, max(last - 1, 0), last, 0)
        for f in range(3):
            for s in range(last):
                bend = _BEND * max(found[6, j, s], found[6, j, s + 1])
                found[3 + f, j, s] = max(found[f, j, s], found[f, j, s + 1]) + bend
            found[3 + f, j, last] = max(found[f, j, last], found[f, j, 0]) + _BEND * max(
                found[6, j, last], found[6, j, 0]
            )
        for s in range(last + 1):
            after = s + 1 if s < last else 0
            bend = _BEND * max(found[6, j, s], found[6, j, after])
            if bend > _COARSE * found[0, j, s]:
                _halve(values, j, s, _QUARTER * bend, found)


@kernel(inline="always")
def _midway(x, at):
    """Value midway between sections s and c, through six sections, and what four would give more."""
    a, b, s, c, d, e = at
    far, near, inner = x[a] + x[e], x[b] + x[d], x[s] + x[c]
    six = _SIX_FAR * far + _SIX_NEAR * near + _SIX * inner
    return six, _FOUR_NEAR * near + _FOUR * inner - six


@kernel(fastmath=FAST)
def _halve(values, j, s, bend, found):
    """Lower what may be reached from section s to the next by the stress midway; bend: of half a section."""
    n = values.shape[2]
    at = (s - 2) % n, (s - 1) % n, s, (s + 1) % n, (s + 2) % n, (s + 3) % n
    xx, off_xx = _midway(values[j, 0], at)
    yy, off_yy = _midway(values[j, 1], at)
    zz, off_zz = _midway(values[j, 2], at)
    xy, off_xy = _midway(values[j, 3], at)
    yz, off_yz = _midway(values[j, 4], at)
    zx, off_zx = _midway(values[j, 5], at)
    mid = _invariants(xx, yy, zz, xy, yz, zx)
    beyond = bend + _size_of(off_xx, off_yy, off_zz, off_xy, off_yz, off_zx)
    for f in range(3):
        reach = max(found[f, j, s], mid[f], found[f, j, at[3]]) + beyond
        found[3 + f, j, s] = min(found[3 + f, j, s], reach)


@kernel(fastmath=FAST)
def _compute(m, t, moving, mine):
    """Take the stress of material node m of a ring at sample t into the envelope."""
    shift, coefficients, number = moving
    rows, best, sample = mine
    row = rows[(m + shift[t]) % rows.shape[0]]
    xx = yy = zz = xy = yz = zx = _ZERO
    for k in range(rows.shape[2]):
        c = coefficients[t, k]
        xx += row[0, k] * c
        yy += row[1, k] * c
        zz += row[2, k] * c
        xy += row[3, k] * c
        yz += row[4, k] * c
        zx += row[5, k] * c
    reached = _invariants(xx, yy, zz, xy, yz, zx)
    for f in range(3):
        if reached[f] > best[f, m]:
            best[f, m], sample[f, m] = reached[f], number[t]


@kernel(inline="always")
def _may_pass(bound, first, s, best, m):
    """Whether what stands in column s of three rows of bound passes what node m has reached."""
    reached = _ALLOWED * best[0, m]
    return (
        bound[first, s] > reached
        or bound[first + 1, s] > max(_ALLOWED * best[1, m], _SMALL * reached)
        or bound[first + 2, s] > max(_ALLOWED * best[2, m], _SMALL * reached)
    )


@kernel
def _start(found, ends, about, moving, mine, peak):
    """Compute every node about those ends of windows at which the section it passes has its largest stresses."""
    shift, best, sections = moving[0], mine[1], found.shape[2]
    peak[:] = _NONE
    for j in range(found.shape[1]):
        ahead = shift[ends[j]] % sections
        for m in range(sections):
            s = m + ahead
            s = s - sections if s >= sections else s
            for f in range(3):
                if found[f, j, s] > peak[f, m]:
                    peak[f, m], peak[3 + f, m] = found[f, j, s], j
    for m in range(sections):
        for f in range(3):
            if peak[f, m] > max(best[f, m], _SMALL * best[0, m]):
                j = int(peak[3 + f, m])
                for t in range(max(ends[j] - about, ends[0]), min(ends[j] + about, ends[-1]) + 1):
                    _compute(m, t, moving, mine)


@kernel(fastmath=FAST)
def _reach(found, more, w, passed, bound):
    """What may be reached in window w: between sections in rows 3 to 5 of bound, by every node in rows 0 to 2."""
    start, stop = passed
    last = found.shape[2] - 1
    for f in range(3):
        for s in range(last):
            beyond = max(more[w, s], more[w, s + 1])
            bound[3 + f, s] = max(found[3 + f, w, s], found[3 + f, w + 1, s]) + beyond
        bound[3 + f, last] = max(found[3 + f, w, last], found[3 + f, w + 1, last]) + max(more[w, last], more[w, 0])
        for k in range(start, stop):
            ahead = k % (last + 1)
            stay = last + 1 - ahead
            for m in range(stay):
                there = bound[3 + f, m + ahead]
                bound[f, m] = there if k == start else max(bound[f, m], there)
            for m in range(stay, last + 1):
                there = bound[3 + f, m - stay]
                bound[f, m] = there if k == start else max(bound[f, m], there)


@kernel
def _search(found, more, ends, moving, mine, bound):
    """Compute the windows of a ring in which a node may pass its best; returns the number of samples computed."""
    shift, best, sections = moving[0], mine[1], found.shape[2]
    computed = 0
    for w in range(more.shape[0]):
        first, last = ends[w], ends[w + 1]
        start = min(shift[first], shift[last])
        stop = min(max(shift[first], shift[last]) + 1, start + sections)
        _reach(found, more, w, (start, stop), bound)
        for m in range(sections):
            if _may_pass(bound, 0, m, best, m):
                for t in range(first, last + 1):
                    if _may_pass(bound, 3, (m + shift[t]) % sections, best, m):
                        _compute(m, t, moving, mine)
                        computed += 1
    return computed
