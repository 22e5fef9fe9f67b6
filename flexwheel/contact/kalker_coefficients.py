"""Kalker's creepage coefficients c11, c22, c23, c33 of an elliptic contact.

Table for 0.1 <= a/b <= 10 at nu = 0, 0.25, 0.5; 1/c is interpolated quadratically in nu (it is all but
linear). Between rows c is taken either linearly in a/b or b/a, whichever is below 1 ("linear", the way the
solver CONTACT does, and so the way published FASTSIM values were made), or by a monotone cubic in ln(a/b)
("smooth": no kinks, and up to 2 % lower between b/a = 0.2 and 0.4, where c is strongly curved). Beyond the
table the asymptotes of slender ellipses are used, scaled to join it.

Sources: Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990), table E.3 (c11, c22, c23) and
asymptotes; no-slip runs of the solver CONTACT agree with these within 1-2.6 %. c33 is taken from those runs:
for a/b <= 1 the printed c33 is 3 % lower, but for long contacts it falls far below them (0.53 against 1.38 at
a/b = 10, nu = 0.25), a difference that is not explained here. Beyond a/b = 10, c33 is held constant.
Verified in tests/contact/test_kalker_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ContactError

_RATIO = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
_NU = (0.0, 0.25, 0.5)
# columns: nu = 0, 0.25, 0.5; first ten rows a/b = 0.1 ... 1.0, then b/a = 0.9 ... 0.1
_C11 = """2.51 3.31 4.85  2.59 3.37 4.81  2.68 3.44 4.80  2.78 3.53 4.82  2.88 3.62 4.83
 2.98 3.72 4.91  3.09 3.81 4.97  3.19 3.91 5.05  3.29 4.01 5.12  3.40 4.12 5.20
 3.51 4.22 5.30  3.65 4.36 5.42  3.82 4.54 5.58  4.06 4.78 5.80  4.37 5.10 6.11
 4.84 5.57 6.57  5.57 6.34 7.34  6.96 7.78 8.82  10.7 11.7 12.9"""
_C22 = """2.51 2.52 2.53  2.59 2.63 2.66  2.68 2.75 2.81  2.78 2.88 2.98  2.88 3.01 3.14
 2.98 3.14 3.31  3.09 3.28 3.48  3.19 3.41 3.65  3.29 3.54 3.82  3.40 3.67 3.98
 3.51 3.81 4.16  3.65 3.99 4.39  3.82 4.21 4.67  4.06 4.50 5.04  4.37 4.90 5.56
 4.84 5.48 6.31  5.57 6.40 7.51  6.96 8.14 9.79  10.7 12.8 16.0"""
_C23 = """0.334 0.473 0.731  0.483 0.603 0.809  0.607 0.715 0.889  0.720 0.823 0.977  0.827 0.929 1.07
 0.930 1.03 1.18  1.03 1.14 1.29  1.13 1.25 1.40  1.23 1.36 1.51  1.33 1.47 1.63
 1.44 1.59 1.77  1.58 1.75 1.94  1.76 1.95 2.18  2.01 2.23 2.50  2.35 2.62 2.96
 2.88 3.24 3.70  3.79 4.32 5.01  5.72 6.63 7.89  12.2 14.6 18.0"""
_C33 = """6.601 8.5366 12.101  3.539 4.3906 5.8463  2.5472 3.0375 3.8326  2.0645 2.3741 2.8587
 1.7813 1.9826 2.2894  1.5959 1.7258 1.9196  1.4670 1.5451 1.6618  1.3729 1.4115 1.4708
 1.3004 1.3089 1.3258  1.2449 1.2289 1.2110
 1.1960 1.1574 1.1104  1.1489 1.0878 1.0116  1.1047 1.0210 0.9163  1.0643 0.9570 0.8252
 1.0294 0.8999 0.7414  1.0059 0.8537 0.6709  1.0059 0.8329 0.6307  1.0727 0.8889 0.6839
 1.5084 1.3842 1.2882"""
_LOG_RATIO = np.log(np.concatenate([_RATIO, 1.0 / _RATIO[-2::-1]]))
_TABLE = np.stack([np.array(text.split(), float).reshape(19, 3) for text in (_C11, _C22, _C23, _C33)])


class Ellipse(NamedTuple):
    """Elliptic contact with Kalker's coefficients."""

    a: float  # [m] semi-axis along rolling
    b: float  # [m]
    shear_modulus: float  # [Pa]
    c11: float
    c22: float
    c23: float
    c33: float


def kalker_ellipse(a, b, shear_modulus, poisson):
    """Ellipse with the coefficients of its semi-axes a, b [m], at G [Pa] and Poisson's ratio."""
    return Ellipse(a, b, shear_modulus, *kalker_coefficients(a / b, poisson))


def kalker_coefficients(a_over_b, nu, interpolation="linear"):
    """Kalker coefficients c11, c22, c23, c33.

    Fx = -G a b c11 xi, Fy = -G a b (c22 eta + sqrt(ab) c23 phi), Mz = G a b (sqrt(ab) c23 eta - a b c33 phi).

    Parameters
    ----------
    a_over_b : (...) float   semi-axis along rolling over the lateral one
    nu : float               Poisson's ratio, 0 to 0.5
    interpolation : str      "linear" or "smooth", see the text above

    Returns
    -------
    (4, ...) float [-]       c11, c22, c23, c33

    Raises
    ------
    ContactError             when a/b is not positive or nu is outside 0 ... 0.5
    """
    ratio = np.asarray(a_over_b, float)
    if not (0.0 <= nu <= 0.5):
        raise ContactError(f"Kalker coefficients: nu must be 0 to 0.5, got {nu!r}")
    if np.any(~(ratio > 0.0)) or np.any(~np.isfinite(ratio)):
        raise ContactError(f"Kalker coefficients: a/b must be a positive number, got {a_over_b!r}")
    if interpolation not in ("linear", "smooth"):
        raise ContactError(f"Kalker coefficients: interpolation must be linear or smooth, got {interpolation!r}")
    table = _at_nu(nu)
    within = np.clip(ratio, 0.1, 10.0)
    if interpolation == "smooth":
        inside = _monotone(_LOG_RATIO, table, np.log(within))
    else:
        rows = np.concatenate([_RATIO, 2.0 - _RATIO[-2::-1]])
        at = np.where(within <= 1.0, within, 2.0 - 1.0 / within)
        inside = np.stack([np.interp(at, rows, column) for column in table])
    short = _short(np.minimum(ratio, 0.1), nu) * _column(table[:, 0] / _short(0.1, nu), ratio)
    long = _long(np.minimum(1.0 / ratio, 0.1), nu) * _column(table[:, -1] / _long(0.1, nu), ratio)
    return np.where(ratio < 0.1, short, np.where(ratio > 10.0, long, inside))


def _monotone(x, y, at):
    """Monotone cubic through y (c, n) at x (n,), at the places `at`: Fritsch and Butland 1984, SIAM J. Sci. Stat.
    Comput. 5(2), 300-304; at the ends the slope of a parabola through three points, at most three times the rise."""
    h = np.diff(x)
    rise = np.diff(y) / h
    near, far = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    turns = rise[:, 1:] * rise[:, :-1] <= 0.0
    before, after = (np.where(turns, 1.0, m) for m in (rise[:, :-1], rise[:, 1:]))
    inner = np.where(turns, 0.0, 1.0 / ((near / before + far / after) / (near + far)))
    ends = [((2.0 * h[i] + h[j]) * rise[:, i] - h[i] * rise[:, j]) / (h[i] + h[j]) for i, j in ((0, 1), (-1, -2))]
    most = 3.0 * rise[:, [0, -1]]
    first, last = np.clip(np.transpose(ends), np.minimum(most, 0.0), np.maximum(most, 0.0)).T
    slope = np.column_stack([first, inner, last])
    k = np.clip(np.searchsorted(x, at, "right") - 1, 0, len(h) - 1)
    t = (slope[:, :-1] + slope[:, 1:] - 2.0 * rise) / h
    s, bend = at - x[k], (rise - slope[:, :-1]) / h - t
    return y[:, k] + slope[:, k] * s + bend[:, k] * (s * s) + (t / h)[:, k] * (s * s * s)


def _at_nu(nu):
    """Table (4, 19) at one Poisson's ratio, 1/c quadratic through the three columns."""
    u = (nu - _NU[1]) / 0.25
    low, middle, high = np.moveaxis(1.0 / _TABLE, 2, 0)
    return 1.0 / (middle + 0.5 * u * (high - low) + 0.5 * u * u * (high - 2.0 * middle + low))


def _column(values, like):
    """values (4,) shaped to broadcast against (4, ...)."""
    return values.reshape((4,) + (1,) * np.ndim(like))


def _short(g, nu):
    """Asymptotes for g = a/b -> 0 (contact short in the rolling direction)."""
    g = np.asarray(g, float)
    big = np.log(16.0 / g**2)
    c23 = np.pi * np.sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (0.5 * big + np.log(4.0) - 5.0))
    one = np.ones_like(g)
    return np.stack(
        [np.pi**2 / (4.0 * (1.0 - nu)) * one, np.pi**2 / 4.0 * one, c23, np.pi**2 / (16.0 * (1.0 - nu) * g)]
    )


def _long(g, nu):
    """Asymptotes for g = b/a -> 0 (contact long in the rolling direction)."""
    g = np.asarray(g, float)
    big = np.log(16.0 / g**2)
    d1 = big - 2.0 * nu
    d2 = (1.0 - nu) * big + 2.0 * nu
    d3 = (1.0 - nu) * big - 2.0 + 4.0 * nu
    add = 3.0 - np.log(4.0)
    return np.stack(
        [
            2.0 * np.pi / (g * d1) * (1.0 + add / d1),
            2.0 * np.pi / (g * d2) * (1.0 + (1.0 - nu) * add / d2),
            2.0 * np.pi / (3.0 * g**1.5 * d3),
            np.ones_like(g),
        ]
    )
