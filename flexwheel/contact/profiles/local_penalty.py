"""Most likely section behind noisy points, with a penalty of its own at every place.

The curve is the points of a pilot curve moved along its normals by u. Its curvature k has second differences
g = k'' [1/mm^3], and

    sum (distance - u)^2/sigma^2 + sum g^2/tau^2

is least. A small tau gives a straight line of k, a large one lets k bend or leap: at joints of arcs, at edges of
ground facets. tau^2 at a place is the mean of the expected g^2 there and at its neighbours (weights 1/4, 1/2, 1/4),
which makes the points more likely (expectation-maximisation; its steps are lengthened). So the points say themselves
where there is shape. With tau = sigma (2 pi/cutoff)^4 waves of the cutoff wavelength pass at half their height.

Sources: Dempster, Laird and Rubin 1977, Journal of the Royal Statistical Society B 39 (the maximisation); Tipping 2001,
Journal of Machine Learning Research 1 (a variance of its own for every term); Erisman and Tinney 1975, Communications
of the ACM 18 (entries of an inverse within the band). Verified in tests/contact/test_profile_smoothing_verified.py.
"""

import numpy as np
import scipy

from flexwheel.contact.profiles.ground_edges import COARSEST, find_edges
from flexwheel.numerics.kernels import kernel

SHORTEST = 3.0  # cutoff, in spacings of the points
_STEPS = 400  # at most; after 60, curves of points 0.1 mm apart have twice their parameters
_LENGTHENED = 1.8  # steps, in the logarithm of tau^2
_SETTLED = 0.02  # change of that
_PASSES, _AGAIN = 2, 40  # of edges; steps with those found
_PASSING_STEPS = 30  # after these the curve moves by less than it errs
_GENTLE = 0.005  # [1/mm^2] change of the curvature that is no leap; that of worn treads
_STAYS = 5e-6  # [mm]
_APART = 0.1  # of the way between points beside them, two points at least


def penalised(length, base, normal, distance, sigma, cutoffs):
    """Moves u (n,) [mm] of points along the normals of a curve, and what they are worth.

    Parameters
    ----------
    length : (n,) float [mm]      along the curve, ascending
    base, normal : (n, 2) float   places on the curve [mm] and unit normals
    distance : (n,) float [mm]    of the measured points, along the normals
    sigma : (n,) float [mm]       standard deviation of their noise
    cutoffs : float, float, (n,) [mm]   wavelengths: the first everywhere, the largest and the smallest

    Returns
    -------
    u : (n,) float [mm]
    cutoff : (n,) float [mm]      wavelength that passes at half its height
    freedom : float               parameters that the curve amounts to

    Verified in tests/contact/test_profile_smoothing_verified.py.
    """
    step = np.diff(length)  # points that noise brings together: differences of theirs would be without bound
    step = np.maximum(step, _APART * np.maximum(np.append(step[0], step[:-1]), np.append(step[1:], step[-1])))
    length = np.append(0.0, np.cumsum(step))
    rows, given = _differences(length, base, normal)
    start, longest, narrowest = cutoffs
    middle = sigma[2:-2]
    least, most, square = (middle**2 * (2.0 * np.pi / c) ** 8 for c in (longest, narrowest[2:-2], start))
    u, square, freedom = _maximised(rows, given, distance, sigma, (least, most, square))
    across, bent = _differences(length, base, normal, order=0)
    edges = []
    for _ in range(_PASSES if np.median(np.diff(length)) < COARSEST else 0):
        curvature = bent + sum(across[:, k] * u[k : k + bent.size] for k in range(3))
        square, shift = find_edges(_least, length[1:-1], curvature, (rows, given), (distance, sigma), square, edges)
        if not edges:
            break
        u, square, freedom = _maximised(rows, given - shift, distance, sigma, (least, most, square), _AGAIN)
    cutoff = 2.0 * np.pi * (middle**2 / square) ** 0.125
    return u, np.pad(cutoff, 2, mode="edge"), freedom + 2.0 * len(edges)


def _maximised(rows, given, distance, sigma, limits, steps=None):
    """Moves u (n,), variances of g (m,) by maximisation from the last of limits, within the others, and freedom."""
    least, most, square = limits
    n, m = distance.size, given.size
    inverse = np.empty((rows.shape[1], n))
    for _ in range(steps or _STEPS):
        factor, u, g = _least(rows, given, 1.0 / square, 1.0 / sigma**2, distance)
        inverse_in_band(factor, inverse)
        spread = np.zeros(m)
        for k in range(rows.shape[1]):
            for j in range(k + 1):
                spread += (1.0 + (j < k)) * rows[:, k] * rows[:, j] * inverse[k - j, j : j + m]
        found = np.pad(g**2 + spread, 1, mode="edge")
        found = 0.25 * found[:-2] + 0.5 * found[1:-1] + 0.25 * found[2:]
        found = np.clip(square * (found / square) ** _LENGTHENED, least, most)
        change, square = np.abs(np.log(found / square)).max(), found
        if change < _SETTLED:
            break
    return u, square, float(np.sum(inverse[0] / sigma**2))


def passing(length, base, normal, known):
    """Moves u (n,) [mm] along its normals of the other places of a curve, with which its curvature k changes least.

    Least is the sum of sqrt(k'^2 + _GENTLE^2), by least squares with weights from the step before: few places where the
    curvature leaps, in place of the waves that a cubic spline makes of a joint of arcs.

    known : (n,) bool    places that stay

    Source: Rudin, Osher and Fatemi 1992, Physica D 60 (least sum of sizes). Verified in
    tests/contact/test_profiles_files_verified.py.
    """
    rows, given = _differences(length, base, normal, order=1)
    square = np.ones(given.size)
    for _ in range(_PASSING_STEPS):
        _, u, g = _least(rows, given, 1.0 / square, known / _STAYS**2, np.zeros(length.size))
        square = np.hypot(g, _GENTLE)
    return np.where(known, 0.0, u)


def _least(rows, given, weight, stiffness, distance):
    """Moves u (n,) for which sum stiffness (u - distance)^2 + sum weight g^2 is least, g = given + rows u, and g.

    Returns
    -------
    factor : (b, n) float    Cholesky factor of the system; u (n,), g (m,)
    """
    band, right, m = np.zeros((rows.shape[1], distance.size)), stiffness * distance, given.size
    band[0] = stiffness
    for k in range(rows.shape[1]):
        right[k : k + m] -= rows[:, k] * given * weight
        for j in range(k + 1):
            band[k - j, j : j + m] += weight * rows[:, k] * rows[:, j]
    factor = scipy.linalg.cholesky_banded(band, lower=True)
    u = scipy.linalg.cho_solve_banded((factor, True), right)
    return factor, u, given + sum(rows[:, k] * u[k : k + m] for k in range(rows.shape[1]))


def _differences(length, base, normal, order=2):
    """Differences of the curvature: rows (n - 2 - order, 3 + order) of how they follow u, and their values at u = 0."""
    step = np.diff(length)
    before, after = step[:-1], step[1:]
    shares = 2.0 / (before + after) * np.stack([1.0 / before, -1.0 / before - 1.0 / after, 1.0 / after])
    n, inner = length.size, normal[1:-1]
    rows = np.stack([shares[k] * np.sum(inner * normal[k : n - 2 + k], axis=1) for k in range(3)], axis=1)
    given = sum(shares[k] * np.sum(inner * base[k : n - 2 + k], axis=1) for k in range(3))
    place = length[1:-1]
    for _ in range(order):
        step = np.diff(place)
        longer = np.zeros((rows.shape[0] - 1, rows.shape[1] + 1))
        longer[:, 1:] += rows[1:] / step[:, None]
        longer[:, :-1] -= rows[:-1] / step[:, None]
        rows, given, place = longer, np.diff(given) / step, 0.5 * (place[1:] + place[:-1])
    return rows, given


@kernel
def inverse_in_band(factor, inverse):
    """Entries within the band of the inverse of a symmetric matrix, from its Cholesky factor.

    factor : (b + 1, n) float    L[j + k, j] at [k, j], as scipy.linalg.cholesky_banded with lower=True
    inverse : (b + 1, n) float   out, likewise

    Source: Erisman and Tinney 1975.
    """
    n, width = factor.shape[1], factor.shape[0] - 1
    for j in range(n - 1, -1, -1):
        each, reach = 1.0 / factor[0, j], min(width, n - 1 - j)
        for r in range(reach, 0, -1):
            i, whole = j + r, 0.0
            for k in range(1, reach + 1):
                q = j + k
                whole += factor[k, j] * (inverse[i - q, q] if i >= q else inverse[q - i, i])
            inverse[r, j] = -whole * each
        whole = each
        for k in range(1, reach + 1):
            whole -= factor[k, j] * inverse[k, j]
        inverse[0, j] = whole * each
