"""Rows of a running surface between two of its sections: value and slope in the angle about the axle.

LINEAR     straight between the two neighbouring sections (paper 004, figure 6); the slope jumps at every section, so
           a constant force on a turning mesh makes lines at the section-passing frequency
HARMONIC   a mode of circumferential order n goes around as cos(n alpha) and sin(n alpha): the rows at any angle are
           those of section 0 with the columns of each pair turned, rows(alpha) = rows(0) expm(-J alpha); exact, where
           the modes turn into themselves
SPLINE     periodic cubic spline through the sections, for any other mesh: value, slope and curvature are continuous

Verified in tests/vehicle/test_bodies_tread_contact_verified.py.
"""

from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.eulerian_map import CLOSURE, mode_pairs

LINEAR, HARMONIC, SPLINE = 0, 1, 2
TWO_PI = 2.0 * np.pi
WHOLE = 1e-6
"""Distance of an order from a whole number: a mode must come back to itself after a turn."""


class Between(NamedTuple):
    """How rows go on between sections."""

    rule: int  # LINEAR, HARMONIC or SPLINE
    pair: np.ndarray  # (K, 2) modes that turn into each other, ascending in |order|, -1 where unused
    order: np.ndarray  # (K,) signed order: J[i, j] = -n, J[j, i] = n


def between_sections(generator, closure_defect, wanted="smooth") -> Between:
    """Rule for modes with a generator (H, H) and closure defect; wanted: smooth or linear (the paper's)."""
    pair, order = mode_pairs(generator)
    ascending = np.argsort(np.abs(order), kind="stable")  # modes of one order share their cosine and sine
    pair, order = pair[ascending], order[ascending]
    if wanted == "linear":
        return Between(LINEAR, pair, order)
    closed = np.isfinite(closure_defect) and closure_defect <= CLOSURE and len(np.unique(pair)) == pair.size
    whole = bool(np.all(np.abs(order - np.round(order)) < WHOLE))
    return Between(HARMONIC if closed and whole else SPLINE, pair, order)


def section_slopes(angle, table):
    """d table / d angle (S, ...) at the sections of a table (S, ...) at `angle` (S,), by the periodic cubic spline."""
    around = np.append(angle, angle[0] + TWO_PI)
    values = np.concatenate([table, table[:1]])
    return scipy.interpolate.CubicSpline(around, values, bc_type="periodic")(np.asarray(angle), 1)


@kernel
def turn_columns(between, angle, rows):
    """rows <- rows expm(J angle) in place, rows (C, H): the rows of the section at -angle from those of section 0."""
    last, c, s = 0.0, 1.0, 0.0
    for p in range(between.order.shape[0]):
        i, j = between.pair[p, 0], between.pair[p, 1]
        if i < 0:
            break
        n = between.order[p]
        if n != last:
            last, c, s = n, np.cos(n * angle), np.sin(n * angle)
        for k in range(rows.shape[0]):
            x, y = rows[k, i], rows[k, j]
            rows[k, i] = c * x + s * y
            rows[k, j] = c * y - s * x


@kernel
def turned_rows(between, table, angle, rows):
    """Rows (C, H) of the section at -angle from a table (S, C, H)."""
    for k in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            rows[k, m] = table[0, k, m]
    if angle != 0.0:
        turn_columns(between, angle, rows)


@kernel
def turned_slope(between, rows, slope):
    """slope = rows J, the rate of `turn_columns` with the angle; rows and slope (C, H)."""
    for k in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            slope[k, m] = 0.0
    for p in range(between.order.shape[0]):
        i, j = between.pair[p, 0], between.pair[p, 1]
        if i < 0:
            break
        n = between.order[p]
        for k in range(rows.shape[0]):
            slope[k, i] += n * rows[k, j]
            slope[k, j] -= n * rows[k, i]


@kernel
def hermite(part, span):
    """Weights of value and slope at both ends of a section, of the value at `part` (0 to 1) and of its slope there."""
    rest = 1.0 - part
    value = (1.0 + 2.0 * part) * rest * rest, span * part * rest * rest, part * part * (3.0 - 2.0 * part)
    slope = -6.0 * part * rest / span, (1.0 - 3.0 * part) * rest
    return (*value, -span * part * part * rest), (*slope, 6.0 * part * rest / span, part * (3.0 * part - 2.0))
