"""Edges that stand out of a section, as grinding leaves them, in noisy points.

Penalties on g = k'' (`local_penalty`) blur an edge over a millimetre or more, and miss its place. Where the curvature k
turns the section by _TURN more than around, an edge k = -angle (1 - |s - place|/_WIDTH)/_WIDTH is tried, on which no
penalty acts, with the penalties between edges. Place and angle are the most likely ones; it is kept if it is sharp and
the points are more likely with it. Its width is not estimated: if edges 0.25 mm wide are four times as sharp, the
largest pressure changes by 4 % in the median of poses on ground rails (37 % in one of ten).

Verified in tests/contact/test_profile_smoothing_verified.py.
"""

import numpy as np
import scipy

COARSEST = 0.3  # [mm] spacing of points that show edges
_WIDTH = 0.3  # [mm] half of an edge's
_TURN, _LEAST = 0.06, 0.08  # [rad] of a trial, of an edge; waves of 4 mm and 10 um, as in measured wheels, turn by 0.03
_GAIN = 4.0  # of twice the logarithm of the points' likelihood
_REACH, _APART, _WINDOW = 0.75, 2.2, 8.0  # [mm] of a trial; between edges; of the points that tell of one
_TRIES, _SWEEPS = 0.05 * np.arange(-15, 16), 2  # [mm]


def find_edges(least, place, curvature, known, points, square, edges):
    """Variances (m,) of g beside the edges [1/mm^6], and the g (m,) of the edges.

    Parameters
    ----------
    least : function                     rows, given, weight, stiffness, distance -> factor, u, g (`local_penalty`)
    place, curvature : (m + 2,) float    [mm, 1/mm] of the curve without edges; hollow is positive
    known : (m, 5), (m,) float           rows, given: g = given + rows u [1/mm^3]
    points : (m + 4,), (m + 4,) float    distances from the curve, standard deviation of their noise [mm]
    square : (m,) float [1/mm^6]         variances of g
    edges : list of [place, angle]       [mm, rad] found before; changed, and added to
    """
    (rows, given), (distance, sigma), inner = known, points, place[1:-1]
    turned = np.append(0.0, np.cumsum(-0.5 * (curvature[1:] + curvature[:-1]) * np.diff(place)))
    ends = sum(np.interp(place + side * 2.0 * _REACH, place, curvature) for side in (-1.0, 1.0))
    turn = np.interp(place + _REACH, place, turned) - np.interp(place - _REACH, place, turned) + _REACH * ends
    turn[(place < place[0] + 0.5 * _WINDOW) | (place > place[-1] - 0.5 * _WINDOW)] = 0.0
    for at, _ in edges:
        turn[np.abs(place - at) < _REACH] = 0.0

    def of_edges():
        return sum((angle * _bend(place, at) for at, angle in edges), np.zeros(inner.size))

    def likely(centre, square, tries):
        """Twice the negative logarithm of the likelihood around a centre [mm], without and with the best edge there."""
        a, b = np.searchsorted(inner, [centre - _WINDOW, centre + _WINDOW])
        weight, stiff, near = 1.0 / square[a:b], 1.0 / sigma[a : b + 4] ** 2, distance[a : b + 4]
        factor, u, g = least(rows[a:b], (given - of_edges())[a:b], weight, stiff, near)
        value = np.sum(stiff * (near - u) ** 2) + np.sum(weight * g**2)
        value += 2.0 * np.sum(np.log(factor[0])) - np.sum(np.log(weight))
        best = value, centre, 0.0
        for at in centre + tries:
            bend, right = _bend(place, at)[a:b], np.zeros(u.size)
            for k in range(rows.shape[1]):
                right[k : k + bend.size] += rows[a:b, k] * weight * bend
            rise = np.sum(weight * g * bend)
            fall = np.sum(weight * bend**2) - right @ scipy.linalg.cho_solve_banded((factor, True), right)
            best = min(best, (value - rise**2 / fall, at, rise / fall))
        return value, best

    while turn.max() > _TURN:
        centre = place[np.argmax(turn)]
        turn[np.abs(place - centre) < _REACH] = 0.0
        before, after = (inner > centre - _APART) & (inner < centre), (inner > centre) & (inner < centre + _APART)
        if not (before.any() and after.any()):
            continue
        i, j = (int(np.argmin(np.where(side, square, np.inf))) for side in (before, after))
        between = square.copy()
        between[i : j + 1] = np.geomspace(square[i], square[j], j + 1 - i)
        value, at, angle = likely(centre, between, _TRIES)[1]
        if angle > _LEAST and value < likely(centre, square, ())[0] - _GAIN:
            edges.append([at, angle])
            square = between
    for _ in range(_SWEEPS):
        for edge in edges:
            edge[1] = 0.0
            edge[:] = likely(edge[0], square, 0.4 * _TRIES)[1][1:]
    return square, of_edges()


def _bend(place, at):
    """g (m,) of an edge of 1 rad `at` a place, of curvatures at places (m + 2,) [mm]."""
    curvature = np.maximum(1.0 - np.abs(place - at) / _WIDTH, 0.0) / -_WIDTH
    slope, middle = np.diff(curvature) / np.diff(place), 0.5 * (place[1:] + place[:-1])
    return np.diff(slope) / np.diff(middle)
