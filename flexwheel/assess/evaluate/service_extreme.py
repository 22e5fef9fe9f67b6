"""The largest amplitude of a service, extrapolated from runs: exponential excesses over a high level of each run.

Of the n cycles of a run the k = sqrt(n), at least LEAST, largest are taken; their excess over the next one is taken as
exponential, mean m. A track of L km has k cycles above that level u, so that w S km of service have

    N(x) = w S k / L exp(-(x - u) / m)

above x, and the largest amplitude of a service is where the sum over the runs is 1: exceeded once on average. The bound
takes for each m the upper end of its one-sided interval, 2 k m / chi^2(1 - confidence, 2 k), exact for independent
exponential excesses. Cycles of one curve are alike, so that fewer are independent: longer runs say more than a bound.
Verified in tests/assess/test_collective.py.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2

LEAST = 10
"""Cycles of a run's tail; a choice. A run with fewer than twice as many gives none."""


def largest_of_service(amplitudes, ways, shares, service, confidence):
    """Level (2,) [as amplitudes]: exceeded once on average in a service, and its upper bound; nan with too few cycles.

    Parameters
    ----------
    amplitudes : sequence of (n,) float     of the cycles of each run
    ways, shares : (R,) float               way of the runs [km], part of the service that each stands for
    service : float [km]
    confidence : float
    """
    tails = [_tail(np.sort(a)[::-1]) for a in amplitudes]
    if any(tail is None for tail in tails):
        return np.full(2, np.nan)
    level, mean, count = np.array(tails).T
    many = np.asarray(shares) * service * count / np.asarray(ways)
    seen = max(float(np.max(a)) for a in amplitudes)
    return np.array([
        max(seen, _once(level, mean * wider, many))
        for wider in (np.ones(len(tails)), 2.0 * count / chi2.ppf(1.0 - confidence, 2.0 * count))
    ])  # fmt: skip


def _tail(falling):
    """(level, mean excess, number) of the largest amplitudes of a run; None where it has too few."""
    count = max(LEAST, int(np.sqrt(len(falling))))
    if len(falling) < 2 * count:
        return None
    level = falling[count]
    return level, max(float(np.mean(falling[:count] - level)), 1e-9 * level), count


def _once(level, mean, many):
    """Where the sum of many exp(-(x - level) / mean) is 1."""
    alone = level + mean * np.log(np.maximum(many, 1.0))

    def above(x):
        return float(np.log(np.sum(np.exp(np.minimum(np.log(many) - (x - level) / mean, 700.0)))))

    low, high = float(alone.max()), float((alone + mean * np.log(len(level))).max())
    return high if above(high) >= 0.0 or high <= low else low if above(low) <= 0.0 else brentq(above, low, high)
