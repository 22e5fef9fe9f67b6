"""Symbolic sparse LU solves what numpy solves, with fill only where predicted."""

import numpy as np
import pytest

from flexwheel.base.errors import FlexwheelError
from flexwheel.systems.symbolic.atoms import Graph
from flexwheel.systems.symbolic.calculus import evaluate
from flexwheel.systems.symbolic.expression import constant, symbol
from flexwheel.systems.symbolic.sparse_lu import eliminate, solve_sparse, substitute


@pytest.mark.parametrize("seed", range(5))
def test_against_dense_solution(seed):
    rng = np.random.default_rng(seed)
    n = 9
    dense = np.where(rng.random((n, n)) < 0.3, rng.normal(size=(n, n)), 0.0) + 3.0 * np.eye(n)
    right = rng.normal(size=n)
    g = Graph()
    matrix = {(i, j): symbol(g, f"a{i}_{j}") for i in range(n) for j in range(n) if dense[i, j]}
    b = [symbol(g, f"b{i}") for i in range(n)]
    values = {f"a{i}_{j}": dense[i, j] for i in range(n) for j in range(n)} | {f"b{i}": right[i] for i in range(n)}
    order = list(rng.permutation(n))
    x = evaluate(solve_sparse(matrix, b, order), values)
    assert x == pytest.approx(np.linalg.solve(dense, right), rel=1e-10)  # no pivoting: some loss allowed


def test_pivots_eliminated_in_two_parts():
    rng = np.random.default_rng(7)
    n, first = 7, (4, 1, 6)
    rest = [k for k in range(n) if k not in first]
    dense, right = rng.normal(size=(n, n)) + 4.0 * np.eye(n), rng.normal(size=n)
    g = Graph()
    a = {(i, j): symbol(g, f"a{i}_{j}") for i in range(n) for j in range(n)}
    b = [symbol(g, f"b{i}") for i in range(n)]
    values = {f"a{i}_{j}": dense[i, j] for i, j in a} | {f"b{i}": right[i] for i in range(n)}
    inverse = eliminate(a, b, first, rest)
    left = np.array([[evaluate([a[i, j]], values)[0] for j in rest] for i in rest])
    corner = dense[np.ix_(rest, first)] @ np.linalg.inv(dense[np.ix_(first, first)])
    assert left == pytest.approx(dense[np.ix_(rest, rest)] - corner @ dense[np.ix_(first, rest)], rel=1e-10)
    assert not any((i, k) in a for i in rest for k in first)
    known = dict(zip(rest, np.linalg.solve(dense, right)[rest], strict=True))
    x = substitute(a, b, inverse, first, {k: constant(g, value) for k, value in known.items()}, rest)
    assert evaluate([x[k] for k in range(n)], values) == pytest.approx(np.linalg.solve(dense, right), rel=1e-10)


def test_arrow_matrix_fills_only_in_a_bad_order():
    def atoms(order):
        g = Graph()
        pattern = {(k, k) for k in range(5)} | {(0, k) for k in range(5)} | {(k, 0) for k in range(5)}
        matrix = {(i, j): symbol(g, f"a{i}_{j}") for i, j in pattern}
        solve_sparse(matrix, [symbol(g, f"b{k}") for k in range(5)], order)
        return len(g)

    assert 2 * atoms([1, 2, 3, 4, 0]) < atoms([0, 1, 2, 3, 4])


def test_structural_zero_pivot_is_refused():
    g = Graph()
    a, b = symbol(g, "a"), symbol(g, "b")
    with pytest.raises(FlexwheelError, match="pivot 0"):
        solve_sparse({(0, 1): a, (1, 0): b}, [a, b], [0, 1])
