"""Forward and backward substitution of a factor kept front by front, sixteen right sides at a time.

The rows of L of a front lie one behind the other: the lower triangle of its pivots row by row, then the rows of its
boundary. Four rows are taken at once, so that every number of L is read once for sixteen right sides. A row of x holds
the sixteen values of one unknown.
"""

from flexwheel.kernels import kernel
from flexwheel.kernels.eight_lanes import fill, less, load, store, times

WIDTH = 16  # right sides of a batch


@kernel
def solve_in_place(x, count, first, at, boundary_at, boundary, values):
    """L L^T x = x, unknowns in order of elimination.

    Parameters
    ----------
    x : (n * D * 16,)                   right sides, on return the solutions; n batches one after the other
    count : int                         n
    first, at, boundary_at : (F + 1,)   of every front: its first pivot, first number of L, first row of boundary
    boundary : (B,)                     rows that the fronts couple to
    values : (E,)                       numbers of L
    """
    fronts, size = len(first) - 1, first[len(first) - 1]
    for f in range(fronts):
        rows = boundary[boundary_at[f] : boundary_at[f + 1]]
        for n in range(count):  # while L of the front is at hand
            _forward(x, n * size, first[f], first[f + 1] - first[f], rows, values[at[f] : at[f + 1]])
    for f in range(fronts - 1, -1, -1):
        rows = boundary[boundary_at[f] : boundary_at[f + 1]]
        for n in range(count):
            _backward(x, n * size, first[f], first[f + 1] - first[f], rows, values[at[f] : at[f + 1]])


@kernel
def _forward(x, batch, pivot, p, boundary, values):
    """One front: its p pivots from row `pivot` of the batch on, then what they do to the rows of the boundary."""
    s = batch + pivot
    i = 0
    while i + 4 <= p:
        _subtract_four(x, values, (s + i, s + i + 1, s + i + 2, s + i + 3), i * (i + 1) // 2, i, s, i)
        for k in range(i, i + 4):
            _subtract(x, values, s + k, k * (k + 1) // 2 + i, s + i, k - i)
            _scale(x, s + k, 1.0 / values[k * (k + 1) // 2 + k])
        i += 4
    for k in range(i, p):
        _subtract(x, values, s + k, k * (k + 1) // 2, s, k)
        _scale(x, s + k, 1.0 / values[k * (k + 1) // 2 + k])
    o, b = p * (p + 1) // 2, 0
    while b + 4 <= len(boundary):
        rows = (batch + boundary[b], batch + boundary[b + 1], batch + boundary[b + 2], batch + boundary[b + 3])
        _subtract_four(x, values, rows, o + b * p, -1, s, p)
        b += 4
    while b < len(boundary):
        _subtract(x, values, batch + boundary[b], o + b * p, s, p)
        b += 1


@kernel
def _backward(x, batch, pivot, p, boundary, values):
    """The way back of _forward."""
    s = batch + pivot
    o, b = p * (p + 1) // 2, 0
    while b + 4 <= len(boundary):
        rows = (batch + boundary[b], batch + boundary[b + 1], batch + boundary[b + 2], batch + boundary[b + 3])
        _spread_four(x, values, rows, o + b * p, -1, s, p)
        b += 4
    while b < len(boundary):
        _spread(x, values, batch + boundary[b], o + b * p, s, p)
        b += 1
    whole = p - p % 4
    for k in range(p - 1, whole - 1, -1):
        _scale(x, s + k, 1.0 / values[k * (k + 1) // 2 + k])
        _spread(x, values, s + k, k * (k + 1) // 2, s, k)
    for i in range(whole - 4, -1, -4):
        for k in range(i + 3, i - 1, -1):
            _scale(x, s + k, 1.0 / values[k * (k + 1) // 2 + k])
            _spread(x, values, s + k, k * (k + 1) // 2 + i, s + i, k - i)
        _spread_four(x, values, (s + i, s + i + 1, s + i + 2, s + i + 3), i * (i + 1) // 2, i, s, i)


@kernel
def _places(o, triangle, count):
    """First numbers of four rows of L: the rows i = triangle to i + 3 of a triangle, or where that is -1 full rows."""
    if triangle < 0:
        return o, o + count, o + 2 * count, o + 3 * count
    i = triangle
    return o, o + i + 1, o + 2 * i + 3, o + 3 * i + 6


@kernel
def _subtract_four(x, values, rows, o, triangle, s, count):
    """x of four rows less their numbers of L times x of `count` rows from s on."""
    o0, o1, o2, o3 = _places(o, triangle, count)
    t0, t1, t2, t3 = 16 * rows[0], 16 * rows[1], 16 * rows[2], 16 * rows[3]
    a0, b0, a1, b1 = load(x, t0), load(x, t0 + 8), load(x, t1), load(x, t1 + 8)
    a2, b2, a3, b3 = load(x, t2), load(x, t2 + 8), load(x, t3), load(x, t3 + 8)
    for j in range(count):
        y, z = load(x, 16 * (s + j)), load(x, 16 * (s + j) + 8)
        m0, m1, m2, m3 = fill(values[o0 + j]), fill(values[o1 + j]), fill(values[o2 + j]), fill(values[o3 + j])
        a0, b0, a1, b1 = less(a0, m0, y), less(b0, m0, z), less(a1, m1, y), less(b1, m1, z)
        a2, b2, a3, b3 = less(a2, m2, y), less(b2, m2, z), less(a3, m3, y), less(b3, m3, z)
    store(x, t0, a0)
    store(x, t0 + 8, b0)
    store(x, t1, a1)
    store(x, t1 + 8, b1)
    store(x, t2, a2)
    store(x, t2 + 8, b2)
    store(x, t3, a3)
    store(x, t3 + 8, b3)


@kernel
def _spread_four(x, values, rows, o, triangle, s, count):
    """x of `count` rows from s on less four rows of L, turned, times x of `rows`."""
    o0, o1, o2, o3 = _places(o, triangle, count)
    t0, t1, t2, t3 = 16 * rows[0], 16 * rows[1], 16 * rows[2], 16 * rows[3]
    a0, b0, a1, b1 = load(x, t0), load(x, t0 + 8), load(x, t1), load(x, t1 + 8)
    a2, b2, a3, b3 = load(x, t2), load(x, t2 + 8), load(x, t3), load(x, t3 + 8)
    for j in range(count):
        t = 16 * (s + j)
        m0, m1, m2, m3 = fill(values[o0 + j]), fill(values[o1 + j]), fill(values[o2 + j]), fill(values[o3 + j])
        store(x, t, less(less(less(less(load(x, t), m0, a0), m1, a1), m2, a2), m3, a3))
        store(x, t + 8, less(less(less(less(load(x, t + 8), m0, b0), m1, b1), m2, b2), m3, b3))


@kernel
def _subtract(x, values, row, o, s, count):
    """As _subtract_four of one row."""
    a, b = load(x, 16 * row), load(x, 16 * row + 8)
    for j in range(count):
        m = fill(values[o + j])
        a, b = less(a, m, load(x, 16 * (s + j))), less(b, m, load(x, 16 * (s + j) + 8))
    store(x, 16 * row, a)
    store(x, 16 * row + 8, b)


@kernel
def _spread(x, values, row, o, s, count):
    """As _spread_four of one row."""
    a, b = load(x, 16 * row), load(x, 16 * row + 8)
    for j in range(count):
        t, m = 16 * (s + j), fill(values[o + j])
        store(x, t, less(load(x, t), m, a))
        store(x, t + 8, less(load(x, t + 8), m, b))


@kernel
def _scale(x, row, factor):
    """x of a row times a number."""
    for t in (16 * row, 16 * row + 8):
        store(x, t, times(load(x, t), fill(factor)))
