"""Products of rows and matrices in kernels against numpy, at sizes that fill registers and that do not."""

import numpy as np
import pytest

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.products import add_columns, products, responses, row_times

ROUNDING = 1e-13


@kernel
def _add(a, rows, factor, out, first, n):
    add_columns(a, rows, factor, out, first, n)


@kernel
def _row(a, i, b, first, n):
    return row_times(a, i, b, first, n)


@pytest.mark.parametrize("n", [1, 5, 8, 13, 16, 31, 32, 45, 61, 64, 75])
def test_against_numpy(n):
    rng = np.random.default_rng(n)
    wide = n + -n % 16
    rows, gain = rng.normal(size=(12, n)), rng.uniform(size=n)
    matrix = np.zeros((n, wide))
    matrix[:, :n] = rng.normal(size=(n, n))
    solved = np.full((12, wide), np.nan)
    products(rows, matrix, n, solved)
    np.testing.assert_allclose(solved[:, :n], rows @ matrix[:, :n], rtol=ROUNDING, atol=ROUNDING * n)
    x, x_gain = np.zeros((12, 12)), np.zeros((12, 12))
    responses(rows, solved, gain, n, np.zeros((n, 12)), x, x_gain)
    np.testing.assert_allclose(x, solved[:, :n] @ rows.T, rtol=ROUNDING, atol=ROUNDING * n**2)
    np.testing.assert_allclose(x_gain, (rows * gain) @ solved[:, :n].T, rtol=ROUNDING, atol=ROUNDING * n**2)
    for first in (0, 3):
        before = rng.normal(size=n + 5)
        out, factor = before.copy(), rng.normal(size=n)
        _add(matrix, n, factor, out, first, n)
        before[first : first + n] += factor @ matrix[:, :n]
        np.testing.assert_allclose(out, before, rtol=ROUNDING, atol=ROUNDING * n, err_msg="and nothing beside")
        assert _row(matrix, n - 1, out, first, n) == pytest.approx(
            float(matrix[-1, :n] @ out[first : first + n]), rel=ROUNDING, abs=ROUNDING * n
        )
