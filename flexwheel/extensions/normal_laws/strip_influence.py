"""Displacements of the strips of `balanced_strips` by each other.

The pressure of strip j is c_j sqrt(b_j - x^2) about its own middle, b_j its half-length squared. At the distance s
beside it and `ahead` of its middle it makes the displacement

    c_j w_j/(pi E*) 2 (K - E)(m) sqrt(S^2 - ahead^2 g),  S = (R_1 + R_2)/2,  m = b_j/S^2,  g = 2 - m K/(K - E),

w_j its width, times the cosine of the angle between the normals of both, R_1 and R_2 the distances from its ends. That
is exact to the second order of `ahead`, and with g (1 + 0.055 m (ahead/S)^2) within 0.4 % of quadratures, but for
places within a tenth of a strip's end (11 %). Its derivative by b_j is close to c_j w_j/(pi E*) K(m)/S. With both at
one b, it is q/(t + (1 - t) sqrt q) of itself at q times that b, t chosen for the derivative: exact at none and, far
off, at any q; within 2.1 % of its change for q from 1/2 to 2. The logarithm of a strip's own kernel is that of the
trapezoidal rule, s = w/(2 pi).
"""

import math

from flexwheel.contact.elliptic import k_and_difference
from flexwheel.contact.gap import FAST
from flexwheel.extensions.normal_laws.merging_parts import AHEAD
from flexwheel.extensions.normal_laws.strip_places import FIRST, ROW
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import where
from flexwheel.numerics.kernels.lanes import load_lanes, store

_CLOSE = 1e-18  # [m^2] of strips of no width, which fill up eights
_BENT = 0.055  # of the influence ahead, a fit
_LESS = 0.807, -0.969, 0.45, -0.544, 0.101, 0.056  # of the fall over a way, a fit
_ON = 1e-12  # complement of m on a strip


@kernel(fastmath=FAST, forceinline=True)
def half_displacement(b, apart, along):
    """Half the displacement of the module's text [m], 1/S^2 and m K/(K - E); apart, along: ways, squared."""
    around = along + apart + b
    square = 0.5 * (around + math.sqrt(max(around * around - 4.0 * b * along, 0.0)))  # S^2, from R_1 R_2
    inverse = 1.0 / square
    k, difference = k_and_difference(max((square - b) * inverse, _ON))
    difference = max(difference, _ON)
    ratio = b * inverse * k / difference
    nearer = max(2.0 - ratio, 0.0) * (1.0 + _BENT * b * along * inverse * inverse)
    return difference * math.sqrt(max(square - along * nearer, 0.0)), inverse, ratio


@kernel(fastmath=FAST, forceinline=True)
def between(strip, j, i):
    """Cosine of the angle between the normals of strip j and of eight from i on, and their distance squared."""
    row = strip.shape[1]
    up, aside = load_lanes(strip, ROW.up * row + i, 8), load_lanes(strip, ROW.aside * row + i, 8)
    dy = load_lanes(strip, ROW.y * row + i, 8) - strip[ROW.y, j]
    dz = load_lanes(strip, ROW.z * row + i, 8) - strip[ROW.z, j]
    own = load_lanes(strip, ROW.own * row + i, 8) * (0.5 / math.pi)
    return strip[ROW.up, j] * up + strip[ROW.aside, j] * aside, max(dy * dy + dz * dz, max(own * own, _CLOSE))


@kernel(fastmath=FAST, forceinline=True)
def felt_width(strip, j, i):
    """Width of strip j as eight from i on feel it [m]."""
    row, width = strip.shape[1], strip[ROW.width, j]
    on = abs(load_lanes(strip, ROW.place * row + i, 8) - float(j)) < 0.5
    return where(on, load_lanes(strip, ROW.own * row + i, 8), width)


@kernel(fastmath=FAST)
def fill_influence(strip, m, each):
    """Displacements by c of each strip, a row each, at b; t of the module's text; and their fall on the way ahead."""
    row = strip.shape[1]
    for i in range(0, m, 8):
        middle, way = load_lanes(strip, ROW.middle * row + i, 8), load_lanes(strip, ROW.b * row + i, 8)
        way *= AHEAD * AHEAD
        for j in range(m):
            b = strip[ROW.b, j]
            facing, apart = between(strip, j, i)
            ahead = middle - strip[ROW.middle, j]
            along = ahead * ahead
            near, inverse, ratio = half_displacement(b, apart, along)
            m1, step = b * inverse, way * inverse
            m4 = m1 * m1 * m1 * m1
            less = _LESS[0] + m1 * _LESS[1] + m4 * (_LESS[2] + _LESS[3] * m4) + step * (_LESS[4] + _LESS[5] * m4)
            fall = 0.5 * step / (1.0 + step * less) * (1.0 - along * inverse * (2.0 * ratio - 3.0 * m1 - 1.0))
            near *= (2.0 * each) * felt_width(strip, j, i) * facing
            store(strip, (FIRST + j) * row + i, near)
            store(strip, (FIRST + m + j) * row + i, ratio - 1.0)
            store(strip, (FIRST + 2 * m + j) * row + i, near * fall)
