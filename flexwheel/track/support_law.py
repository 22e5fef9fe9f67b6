"""Nonlinear support laws as correction forces on the linear track.

The linear law stays in the factorised matrix; the difference, tabulated law minus linear law, is a force that is
evaluated at the predicted state, so that the free response and the contact see it, and iterated to consistency when
the step is finished. The iteration contracts by (change of stiffness) beta dt^2 / mass, a few per cent at 5e-5 s.
Where a table is flat (a foundation that has lifted off) its damper does not act either.

Laws: 0 fastener z, 1 fastener y, 2 foundation z, 3 foundation y. Abscissa: compression for z, displacement towards
the field side for y.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.track.flexible_head import FAST, add_node_force
from flexwheel.track.rail_types import CONDENSED, FASTENER, FOOT_BELOW_SHEAR_CENTRE, FOUNDATION, LOAD, RESPONSE, D, V

TOLERANCE = 1e-3
"""[N] change of a correction force below which the iteration ends."""

MOST_ITERATIONS = 30


def preloaded_law(law, preload):
    """Law about the equilibrium under a permanent compression preload [N], e.g. dead weight or clip force.

    Parameters
    ----------
    law : (n, 2) [m, N]      compression and force of the unloaded element, e.g. ((-1, 0), (0, 0), (0.001, 4e4))
    preload : float [N]

    Returns
    -------
    law : tuple of (m, N)    through (0, 0)
    """
    table = checked_law(law, "law", through_zero=False)
    above = np.flatnonzero(table[:, 1] >= preload)
    below = np.flatnonzero(table[:, 1] < preload)
    if not len(above) or (preload > 0.0 and not len(below)):
        raise ScenarioError(f"preload {preload!r} N is outside the law's forces {table[0, 1]:g} to {table[-1, 1]:g} N")
    j = above[0]
    if j == 0:
        shift = table[0, 0]
    else:
        (x0, f0), (x1, f1) = table[j - 1], table[j]
        shift = x0 + (preload - f0) * (x1 - x0) / (f1 - f0)
    moved = table - np.array([shift, preload])
    if not np.any(moved[:, 0] == 0.0):
        moved = np.insert(moved, np.searchsorted(moved[:, 0], 0.0), [0.0, 0.0], axis=0)
    return tuple(map(tuple, moved))


def checked_law(law, where, through_zero=True):
    """Law as an array; ScenarioError unless it rises, in order, from below to above zero and through (0, 0)."""
    table = np.array(law, dtype=float)
    if table.ndim != 2 or table.shape[1:] != (2,) or len(table) < 2 or not np.all(np.isfinite(table)):
        raise ScenarioError(f"{where} must be two or more pairs (compression m, force N), got {law!r}")
    if np.any(np.diff(table[:, 0]) <= 0.0):
        raise ScenarioError(f"{where}: compressions must rise")
    if np.any(np.diff(table[:, 1]) < 0.0):
        raise ScenarioError(f"{where}: forces must not fall with compression")
    if through_zero:
        zero = np.interp(0.0, table[:, 0], table[:, 1])
        if not table[0, 0] <= 0.0 <= table[-1, 0] or abs(zero) > 1e-6 * np.max(np.abs(table[:, 1])):
            raise ScenarioError(f"{where}: the law must pass (0, 0); preloaded_law makes one")
    return table


def law_tables(track):
    """law_start (5,) and law_table (n, 2) of a FlexibleTrack; empty where every spring is linear."""
    base = track.foundation
    springs = [track.fastener.vertical, track.fastener.lateral]
    springs += [base.vertical, base.lateral] if base is not None else [None, None]
    names = ("fastener vertical", "fastener lateral", "foundation vertical", "foundation lateral")
    start, rows = [0], []
    for name, spring in zip(names, springs, strict=True):
        if spring is not None and spring.law is not None:
            rows.append(checked_law(spring.law, f"law of the {name} spring"))
        start.append(sum(len(r) for r in rows))
    return np.array(start), np.concatenate(rows) if rows else np.zeros((0, 2))


@kernel(fastmath=FAST)
def law_force(start, table, law, x):
    """Force [N] and tangent [N/m] of a tabulated law at x [m]; the end pieces go on straight."""
    low, high = start[law], start[law + 1] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, 0] <= x:
            low = middle
        else:
            high = middle
    tangent = (table[high, 1] - table[low, 1]) / (table[high, 0] - table[low, 0])
    return table[low, 1] + tangent * (x - table[low, 0]), tangent


@kernel(fastmath=FAST)
def _difference(model, law, side, spring, damper, stretch, rate):
    """Law minus linear law, as a tension force (along +stretch resisted): stretch up (z) or to the left (y)."""
    start = model.law_start
    if start[law + 1] == start[law]:
        return 0.0
    sign = -1.0 if law % 2 == 0 or side == 1 else 1.0
    force, tangent = law_force(start, model.law_table, law, sign * stretch)
    out = sign * force - spring * stretch
    if tangent == 0.0:
        out -= damper * rate
    return out


@kernel(fastmath=FAST)
def predict_corrections(model, state):
    """Corrections at the predicted state."""
    d, v, sd, sv, extra = state.rail[D], state.rail[V], state.sleeper[D], state.sleeper[V], state.correction
    f, b = model.support[FASTENER:FOUNDATION], model.support[FOUNDATION:CONDENSED]
    hs = model.section[FOOT_BELOW_SHEAR_CENTRE]
    for j in range(sd.shape[0]):
        i = j * model.elements
        for l in range(2):
            for plane in range(2):
                m, q = l + 2 * plane, 2 - plane
                arm = hs * plane
                base, dbase = sd[j, plane, l], sv[j, plane, l]
                x, dx = d[i, 0, m] + arm * d[i, 2, m] - base, v[i, 0, m] + arm * v[i, 2, m] - dbase
                extra[0, j, plane, l] = _difference(model, plane, l, f[q, 0], f[q, 1], x, dx)
                extra[1, j, plane, l] = _difference(model, 2 + plane, l, b[plane, 0], b[plane, 1], base, dbase)


@kernel(fastmath=FAST)
def correct_supports(model, state):
    """Iterate the corrections with the response of this step; returns 0, or 1 if they did not settle."""
    d, v, w, own = state.rail[D], state.rail[V], state.rail[RESPONSE], state.sleeper[LOAD]
    sd, sv, extra = state.sleeper[D], state.sleeper[V], state.correction
    f, b = model.support[FASTENER:FOUNDATION], model.support[FOUNDATION:CONDENSED]
    hs = model.section[FOOT_BELOW_SHEAR_CENTRE]
    b2, g1, con = model.beta_dt2, model.gamma_dt, model.support[CONDENSED:]
    for _ in range(MOST_ITERATIONS):
        largest = 0.0
        for j in range(sd.shape[0]):
            i = j * model.elements
            for l in range(2):
                for plane in range(2):
                    m = l + 2 * plane
                    arm = hs * plane
                    a = w[i, 0, m] + arm * w[i, 2, m]
                    sa = (own[j, plane, l] + con[plane, 1] * a) * con[plane, 0]
                    base, dbase = sd[j, plane, l] + b2 * sa, sv[j, plane, l] + g1 * sa
                    x = d[i, 0, m] + arm * d[i, 2, m] + b2 * a - base
                    dx = v[i, 0, m] + arm * v[i, 2, m] + g1 * a - dbase
                    q = 2 - plane
                    top = _difference(model, plane, l, f[q, 0], f[q, 1], x, dx)
                    low = _difference(model, 2 + plane, l, b[plane, 0], b[plane, 1], base, dbase)
                    top_change, low_change = top - extra[0, j, plane, l], low - extra[1, j, plane, l]
                    change = max(abs(top_change), abs(low_change))
                    if change > largest:
                        largest = change
                    if change > 0.1 * TOLERANCE:
                        extra[0, j, plane, l] = top
                        extra[1, j, plane, l] = low
                        net = top_change - low_change
                        own[j, plane, l] += net
                        rail = con[plane, 0] * con[plane, 1] * net - top_change
                        add_node_force(model, w, i, m, rail, 0.0, arm * rail)
        if largest < TOLERANCE:
            return 0
    return 1
