"""Motion and stress of the truncated modes at a control node that loads pass: splines around the axle, and their sums.

An influence on a mesh of revolution is Fourier's series through its sections, as `node_motion` takes it. It is kept as
a periodic cubic spline through FINER of its values to a section, by one coefficient each.
"""

import math

import numpy as np
from scipy.fft import irfft, rfft

from flexwheel.numerics.kernels import FAST, kernel

FINER = 16  # values of a Fourier series to a section: its spline has the curvature of the highest order within 0.4 %


def influence_spline(table):
    """Influence table (S, ...) at equal angles as coefficients (FINER S + 3, ...) of cubic B-splines, the first and
    the last two those of the other end; nan where a place of the table is."""
    sections = len(table)
    wave = rfft(np.ascontiguousarray(table), axis=0)
    if sections % 2 == 0:
        wave[-1] *= 0.5  # the highest order has a negative beside it now
    turn = 2.0 * np.pi / (FINER * sections) * np.arange(len(wave))
    wave *= (FINER * 3.0 / (2.0 + np.cos(turn))).reshape(-1, *(1,) * (table.ndim - 1))  # transform of the B-spline
    coefficients = irfft(wave, FINER * sections, axis=0)
    return np.ascontiguousarray(np.concatenate([coefficients[-1:], coefficients, coefficients[:2]]))


def add_residual_motion(influence, loads, angle, rates, values, first=None):
    """Add displacement, velocity, acceleration and stress of the truncated modes.

    Parameters
    ----------
    influence : (N, 9, M, K)   `influence_spline` of displacement x y z and stress, of M terms: those of G, G_2, G_3
    loads : (T, 2 M + 1, k)    loads and their time derivatives; term m takes three of them from 2 m on
    angle : (T,) [rad]         of the node from the loaded section
    rates : (T, 2)             spin rate and its rate [rad/s, rad/s2]
    values : (T, 15)           displacement, velocity, acceleration (3 each), stress (6)
    first : (T,)               column of the influence that belongs to the first load
    """
    first = np.zeros(len(angle), dtype=np.int64) if first is None else first
    sum_influences(influence, np.ascontiguousarray(loads), np.asarray(angle, dtype=float), rates, first, values)


@kernel(fastmath=FAST)
def sum_influences(influence, loads, angle, rates, first, values):
    """As `add_residual_motion`; nan where an angle is not finite."""
    sections = influence.shape[0] - 3
    rows, terms, columns = influence.shape[1], influence.shape[2], loads.shape[2]
    step = 2.0 * math.pi / sections
    for t in range(angle.shape[0]):
        if not math.isfinite(angle[t]):
            values[t] = math.nan
            continue
        place = angle[t] / (2.0 * math.pi)
        place = (place - math.floor(place)) * sections
        i = min(int(place), sections - 1)
        x = place - i
        y = 1.0 - x
        p, s = y * y * y / 6.0, x * x * x / 6.0
        q, r = (4.0 + x * x * (3.0 * x - 6.0)) / 6.0, (4.0 + y * y * (3.0 * y - 6.0)) / 6.0
        p1, s1 = -0.5 * y * y / step, 0.5 * x * x / step
        q1, r1 = 0.5 * x * (3.0 * x - 4.0) / step, -0.5 * y * (3.0 * y - 4.0) / step
        p2, q2, r2, s2 = y / step**2, (3.0 * x - 2.0) / step**2, (3.0 * y - 2.0) / step**2, x / step**2
        f, rate, acceleration = first[t], rates[t, 0], rates[t, 1]
        for row in range(3):
            u, u1, u2, turned, turned1, turned2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            for m in range(terms):
                load, load1, load2 = loads[t, 2 * m], loads[t, 2 * m + 1], loads[t, 2 * m + 2]
                a, b = influence[i, row, m, f:], influence[i + 1, row, m, f:]
                c, d = influence[i + 2, row, m, f:], influence[i + 3, row, m, f:]
                for k in range(columns):
                    value = p * a[k] + q * b[k] + r * c[k] + s * d[k]
                    slope = p1 * a[k] + q1 * b[k] + r1 * c[k] + s1 * d[k]
                    u += value * load[k]
                    u1 += value * load1[k]
                    u2 += value * load2[k]
                    turned += slope * load[k]
                    turned1 += slope * load1[k]
                    turned2 += (p2 * a[k] + q2 * b[k] + r2 * c[k] + s2 * d[k]) * load[k]
            values[t, row] += u
            values[t, 3 + row] += rate * turned + u1
            values[t, 6 + row] += rate**2 * turned2 + acceleration * turned + 2.0 * rate * turned1 + u2
        for row in range(3, rows):
            stress = 0.0
            for m in range(terms):
                load = loads[t, 2 * m]
                a, b = influence[i, row, m, f:], influence[i + 1, row, m, f:]
                c, d = influence[i + 2, row, m, f:], influence[i + 3, row, m, f:]
                for k in range(columns):
                    stress += (p * a[k] + q * b[k] + r * c[k] + s * d[k]) * load[k]
            values[t, 6 + row] += stress
