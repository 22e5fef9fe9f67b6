"""Forward and backward substitution of a factor kept front by front, sixteen right sides at a time.

The rows of L of a front lie one behind the other: the lower triangle of its pivots row by row, then the rows of its
boundary. Four rows are taken at once, so that every number of L is read once for sixteen right sides. A row of x holds
the sixteen values of one unknown.
"""

from flexwheel.numerics.kernels import (
    kernel,
    lane_arithmetic,  # noqa: F401, lets + and * take lanes
)
from flexwheel.numerics.kernels.lanes import load_lanes, store

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


@kernel(inline="always")
def _row(x, row):
    """The sixteen values of a row."""
    return load_lanes(x, 16 * row, 16)


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
    a0, a1, a2, a3 = _row(x, rows[0]), _row(x, rows[1]), _row(x, rows[2]), _row(x, rows[3])
    for j in range(count):
        y = _row(x, s + j)
        a0 -= values[o0 + j] * y
        a1 -= values[o1 + j] * y
        a2 -= values[o2 + j] * y
        a3 -= values[o3 + j] * y
    store(x, WIDTH * rows[0], a0)
    store(x, WIDTH * rows[1], a1)
    store(x, WIDTH * rows[2], a2)
    store(x, WIDTH * rows[3], a3)


@kernel
def _spread_four(x, values, rows, o, triangle, s, count):
    """x of `count` rows from s on less four rows of L, turned, times x of `rows`."""
    o0, o1, o2, o3 = _places(o, triangle, count)
    a0, a1, a2, a3 = _row(x, rows[0]), _row(x, rows[1]), _row(x, rows[2]), _row(x, rows[3])
    for j in range(count):
        y = _row(x, s + j) - values[o0 + j] * a0 - values[o1 + j] * a1
        store(x, WIDTH * (s + j), y - values[o2 + j] * a2 - values[o3 + j] * a3)


@kernel
def _subtract(x, values, row, o, s, count):
    """As _subtract_four of one row."""
    a = _row(x, row)
    for j in range(count):
        a -= values[o + j] * _row(x, s + j)
    store(x, WIDTH * row, a)


@kernel
def _spread(x, values, row, o, s, count):
    """As _spread_four of one row."""
    a = _row(x, row)
    for j in range(count):
        store(x, WIDTH * (s + j), _row(x, s + j) - values[o + j] * a)


@kernel
def _scale(x, row, factor):
    """x of a row times a number."""
    store(x, WIDTH * row, factor * _row(x, row))
