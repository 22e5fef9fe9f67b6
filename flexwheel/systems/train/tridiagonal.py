"""Symmetric tridiagonal system over a range of unknowns, factored once and solved often."""

from flexwheel.numerics.kernels import kernel


@kernel
def factor(a, b, diagonal, off, ratio):
    """Factor rows a..b-1 in place: diagonal becomes the inverse pivots, ratio the multipliers.

    off[i] couples rows i and i + 1. No pivoting: the matrices here are diagonally dominant.
    """
    diagonal[a] = 1.0 / diagonal[a]
    for i in range(a + 1, b):
        ratio[i] = off[i - 1] * diagonal[i - 1]
        diagonal[i] = 1.0 / (diagonal[i] - ratio[i] * off[i - 1])


@kernel
def solve(a, b, diagonal, off, ratio, r):
    """Solve in place with the factors; r[a:b] becomes the solution."""
    for i in range(a + 1, b):
        r[i] -= ratio[i] * r[i - 1]
    r[b - 1] *= diagonal[b - 1]
    for i in range(b - 2, a - 1, -1):
        r[i] = (r[i] - off[i] * r[i + 1]) * diagonal[i]
