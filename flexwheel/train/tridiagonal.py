"""Symmetric tridiagonal system, factored once and solved often."""

from flexwheel.train.kernel import kernel


@kernel
def factor(diagonal, off, ratio):
    """Factor in place: diagonal becomes pivots, ratio the multipliers; no pivoting (diagonally dominant)."""
    for i in range(1, diagonal.shape[0]):
        ratio[i] = off[i - 1] / diagonal[i - 1]
        diagonal[i] -= ratio[i] * off[i - 1]


@kernel
def solve(diagonal, off, ratio, r):
    """Solve in place with the factors; r (n,) becomes the solution."""
    n = diagonal.shape[0]
    for i in range(1, n):
        r[i] -= ratio[i] * r[i - 1]
    r[n - 1] /= diagonal[n - 1]
    for i in range(n - 2, -1, -1):
        r[i] = (r[i] - off[i] * r[i + 1]) / diagonal[i]
