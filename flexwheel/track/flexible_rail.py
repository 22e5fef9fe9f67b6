"""Flexible rails in the time domain: one step of both rails as four lanes of block-tridiagonal solves.

The effective matrix A = M + gamma dt C + beta dt^2 K of the whole track is constant and factorised before the run.
A step predicts d and v and solves A a = -K d - C v for all four lanes together (2 rails x planes V, L, which fill one
SIMD register), from both ends towards the middle and back. The contact needs that at the wheels only; their forces
join the eliminated loads when the step is finished, and the way back is gone once more.
A moving window keeps the cost independent of the track's length; it is carried forward by whole bays, at rest ahead,
with absorbing layers at both ends. Kernels only; see rail_model for the interface, flexible_build for the set-up.

Source: Friedman-Kosmatka elements (timoshenko.py); Newmark 1959 for the displacement form.
"""

import numpy as np

from flexwheel.kernels import kernel
from flexwheel.kernels.lanes import fill, less, more, times
from flexwheel.kernels.lanes import load as load4
from flexwheel.kernels.lanes import store as store4
from flexwheel.track.bed import coupling_load
from flexwheel.track.flexible_chain import eliminate, solve_about_wheels, substitute
from flexwheel.track.flexible_head import FAST, age_loads, lead_velocities, press, project, stands
from flexwheel.track.force_law import correct_supports, predict_corrections
from flexwheel.track.rail_types import (
    CONDENSED,
    FIRST,
    FOOT_BELOW_CENTROID,
    FOOT_BELOW_SHEAR_CENTRE,
    FOUNDATION,
    INNER,
    LAST,
    LAYER,
    LOAD,
    RAIL_DAMPING,
    RESPONSE,
    UPPER,
    WORK,
    A,
    D,
    V,
)


@kernel(fastmath=FAST)
def flexible_predict(model, state, coefficients):
    """Predictor in d, v and semi-sleepers; free acceleration of the rails in response."""
    _predict_field(coefficients, state.rail[D], state.rail[V], state.rail[A], state.rail_past)
    _predict_field(coefficients, state.sleeper[D], state.sleeper[V], state.sleeper[A], state.sleeper_past)
    age_loads(state)
    lead_velocities(model, state, 1.0)
    if model.law_table.shape[0] > 0:
        predict_corrections(model, state)
    work = state.rail[WORK]
    _rail_load(model, state.rail[D], state.rail[V], work)
    _support_load(model, state, work)
    lead_velocities(model, state, -1.0)
    eliminate(model, work, 0, work.shape[0] - 1)
    solve_about_wheels(model, state)


@kernel(fastmath=FAST)
def _predict_field(coefficients, d, v, a, past):
    """Predictor of one field in place, its history moved on by one step."""
    wd, wv = coefficients.displacement_weights, coefficients.velocity_weights
    d1, d2 = wd[0, 1], wd[0, 2]
    v2 = wv[0, 2]
    flat_d, flat_v, flat_a = d.reshape(d.size), v.reshape(d.size), a.reshape(d.size)
    if past.shape[0] == 0:
        for k in range(flat_d.size):
            flat_d[k] += d1 * flat_v[k] + d2 * flat_a[k]
            flat_v[k] += v2 * flat_a[k]
        return
    p = past.reshape((past.shape[0], 3, d.size))
    for k in range(flat_d.size):
        d0, v0, a0 = flat_d[k], flat_v[k], flat_a[k]
        d_new = wd[0, 0] * d0 + wd[0, 1] * v0 + wd[0, 2] * a0
        v_new = wv[0, 0] * d0 + wv[0, 1] * v0 + wv[0, 2] * a0
        d_new += wd[1, 0] * p[0, 0, k] + wd[1, 1] * p[0, 1, k] + wd[1, 2] * p[0, 2, k]
        v_new += wv[1, 0] * p[0, 0, k] + wv[1, 1] * p[0, 1, k] + wv[1, 2] * p[0, 2, k]
        d_new += wd[2, 0] * p[1, 0, k] + wd[2, 1] * p[1, 1, k] + wd[2, 2] * p[1, 2, k]
        v_new += wv[2, 0] * p[1, 0, k] + wv[2, 1] * p[1, 1, k] + wv[2, 2] * p[1, 2, k]
        for q in range(3):
            p[1, q, k] = p[0, q, k]
        p[0, 0, k] = d0
        p[0, 1, k] = v0
        p[0, 2, k] = a0
        flat_d[k] = d_new
        flat_v[k] = v_new


@kernel(fastmath=FAST)
def _rail_load(model, d, v, load):
    """load = -(rail stiffness)(d + damping v) - layer v, inner values eliminated; the load of those by their inertia.

    Bending (0, 1) and bar (2) do not couple in stiffness.
    """
    nodes, k, g, chain = d.shape[0], model.stiffness, model.inner, model.chain
    at, up = 36 * INNER, 36 * UPPER
    k00, k11, k22 = load4(k, at), load4(k, at + 16), load4(k, at + 32)
    u00, u01, u10, u11, u22 = load4(k, up), load4(k, up + 4), load4(k, up + 12), load4(k, up + 16), load4(k, up + 32)
    g0, g1, g2, g3 = load4(g, 0), load4(g, 4), load4(g, 8), load4(g, 12)
    g4, g5, held, spring = load4(g, 16), load4(g, 20), load4(g, 24), load4(g, 28)
    c, zero = fill(model.section[RAIL_DAMPING]), fill(0.0)
    h0, h1, h2 = more(load4(d, 0), c, load4(v, 0)), more(load4(d, 4), c, load4(v, 4)), more(load4(d, 8), c, load4(v, 8))
    w0, w1, w2, before = zero, zero, zero, zero
    for i in range(nodes):
        o = 16 * i
        n = o + 16 if i < nodes - 1 else o
        e0, e1 = more(load4(d, n), c, load4(v, n)), more(load4(d, n + 4), c, load4(v, n + 4))
        e2 = more(load4(d, n + 8), c, load4(v, n + 8))
        inner = times(spring, more(load4(d, o + 12), c, load4(v, o + 12)))  # minus the load
        r0 = less(less(less(less(zero, k00, h0), u00, e0), u01, e1), u00, w0)
        r1 = less(less(less(less(zero, k11, h1), u10, e0), u11, e1), u01, w0)
        r2 = less(less(less(zero, k22, h2), u22, e2), u22, w2)
        store4(load, o, more(more(less(r0, u10, w1), g0, inner), g3, before))
        store4(load, o + 4, more(more(less(r1, u11, w1), g1, inner), g4, before))
        store4(load, o + 8, more(more(r2, g2, inner), g5, before))
        store4(load, o + 12, less(zero, held, inner))
        w0, w1, w2, h0, h1, h2, before = h0, h1, h2, e0, e1, e2, inner
    _end_load(model, d, v, load, 0, 1, FIRST)
    _end_load(model, d, v, load, nodes - 1, nodes - 2, LAST)
    for i in range(nodes):
        if chain[i, LAYER, 0, 0] != 0.0:
            for c in range(3):
                for l in range(4):
                    load[i, c, l] -= chain[i, LAYER, c, l] * v[i, c, l]


@kernel(fastmath=FAST)
def _end_load(model, d, v, load, i, j, row):
    """Load of an end node i with the neighbour j, the inner value's share as in _rail_load."""
    k, u, g, damping = model.stiffness, model.stiffness[UPPER], model.inner, model.section[RAIL_DAMPING]
    m, o = min(i, j), 0 if i < j else 3
    for c in range(3):
        for l in range(4):
            inner = g[7, l] * (d[m, 3, l] + damping * v[m, 3, l])
            load[i, c, l] = g[o + c, l] * inner
            for q in range(3):
                coupling = u[c, q, l] if i < j else u[q, c, l]
                load[i, c, l] -= k[row, c, q, l] * (d[i, q, l] + damping * v[i, q, l])
                load[i, c, l] -= coupling * (d[j, q, l] + damping * v[j, q, l])


@kernel(fastmath=FAST)
def _support_load(model, state, load):
    """Fasteners and condensed semi-sleepers; leaves the semi-sleepers' own load in sleeper_load."""
    d, v, sd, sv = state.rail[D], state.rail[V], state.sleeper[D], state.sleeper[V]
    own, extra = state.sleeper[LOAD], state.correction
    kx, cx = model.support[0, 0], model.support[0, 1]
    ky, cy = model.support[1, 0], model.support[1, 1]
    kz, cz = model.support[2, 0], model.support[2, 1]
    kr, cr = model.support[3, 0], model.support[3, 1]
    kp, cp = model.support[4, 0], model.support[4, 1]
    kw, cw = model.support[5, 0], model.support[5, 1]
    fz, fcz = model.support[FOUNDATION, 0], model.support[FOUNDATION, 1]
    fy, fcy = model.support[FOUNDATION + 1, 0], model.support[FOUNDATION + 1, 1]
    fr, fcr = model.support[FOUNDATION + 2, 0], model.support[FOUNDATION + 2, 1]
    az = model.support[CONDENSED, 0] * model.support[CONDENSED, 1]
    ay = model.support[CONDENSED + 1, 0] * model.support[CONDENSED + 1, 1]
    ar = model.support[CONDENSED + 2, 0] * model.support[CONDENSED + 2, 1]
    hc, hs = model.section[FOOT_BELOW_CENTROID], model.section[FOOT_BELOW_SHEAR_CENTRE]
    coupling_load(model.coupling, sd, sv, own)
    for j in range(sd.shape[0]):
        i = j * model.elements
        for l in range(2):
            f = kz * (d[i, 0, l] - sd[j, 0, l]) + cz * (v[i, 0, l] - sv[j, 0, l]) + extra[0, j, l]
            r = f - fz * sd[j, 0, l] - fcz * sv[j, 0, l] - extra[2, j, l] + own[j, 0, l]
            own[j, 0, l] = r
            load[i, 0, l] += az * r - f
            g = kx * (d[i, 2, l] + hc * d[i, 1, l]) + cx * (v[i, 2, l] + hc * v[i, 1, l])
            load[i, 2, l] -= g
            load[i, 1, l] -= hc * g + kp * d[i, 1, l] + cp * v[i, 1, l]
            m = l + 2
            f = ky * (d[i, 0, m] + hs * d[i, 2, m] - sd[j, 1, l]) + extra[1, j, l]
            f += cy * (v[i, 0, m] + hs * v[i, 2, m] - sv[j, 1, l])
            r = f - fy * sd[j, 1, l] - fcy * sv[j, 1, l] - extra[3, j, l] + own[j, 1, l]
            own[j, 1, l] = r
            f -= ay * r
            g = kr * (d[i, 2, m] - sd[j, 2, l]) + cr * (v[i, 2, m] - sv[j, 2, l])
            r = g - fr * sd[j, 2, l] - fcr * sv[j, 2, l] + own[j, 2, l]
            own[j, 2, l] = r
            g -= ar * r
            load[i, 0, m] -= f
            load[i, 2, m] -= hs * f + g
            load[i, 1, m] -= kw * d[i, 1, m] + cw * v[i, 1, m]


@kernel(fastmath=FAST)
def flexible_finish(model, state, coefficients):
    """Nonlinear corrections, semi-sleepers, new displacement and velocity. Returns 0, or 1 not converged."""
    status = 0
    _press(model, state, state.rail[WORK], state.rail[RESPONSE])
    if model.law_table.shape[0] > 0:
        lead_velocities(model, state, 1.0)
        status = correct_supports(model, state)
        lead_velocities(model, state, -1.0)
    b2, g1 = model.beta_dt2, model.gamma_dt
    w, own = state.rail[RESPONSE], state.sleeper[LOAD]
    sd, sv, sa = state.sleeper[D], state.sleeper[V], state.sleeper[A]
    hs, condensed = model.section[FOOT_BELOW_SHEAR_CENTRE], model.support[CONDENSED:]
    for j in range(sd.shape[0]):
        i = j * model.elements
        for l in range(2):
            m = l + 2
            sa[j, 0, l] = (own[j, 0, l] + condensed[0, 1] * w[i, 0, l]) * condensed[0, 0]
            y = w[i, 0, m] + hs * w[i, 2, m]
            sa[j, 1, l] = (own[j, 1, l] + condensed[1, 1] * y) * condensed[1, 0]
            sa[j, 2, l] = (own[j, 2, l] + condensed[2, 1] * w[i, 2, m]) * condensed[2, 0]
            for k in range(3):
                sd[j, k, l] += b2 * sa[j, k, l]
                sv[j, k, l] += g1 * sa[j, k, l]
    _update(model, state, w)
    project(model, state)
    return status


@kernel(fastmath=FAST)
def _press(model, state, y, x):
    """Solve anew with the forces of the wheels: what they add is eliminated in x, then joins the loads y."""
    middle = y.shape[0] // 2
    first, last = middle, middle
    for w in range(state.push.shape[0]):
        if stands(state, w):
            first, last = min(first, state.seat[0, w]), max(last, state.seat[0, w] + 1)
    size = 16 * (last + 1 - first)
    added, loads = x[first : last + 1].reshape(size), y[first : last + 1].reshape(size)
    for k in range(size):
        added[k] = 0.0
    for w in range(state.push.shape[0]):
        if stands(state, w):
            press(state, w, x)
    eliminate(model, x, first, last)
    for k in range(size):
        loads[k] += added[k]
    substitute(model, y, x, 0, y.shape[0] - 1)


@kernel
def _update(model, state, x):
    """New a, d and v from the accelerations x, which end as zero.

    Those of inner values are what they are with the nodes held, less what the nodes take along.
    """
    d, v, a, g = state.rail[D], state.rail[V], state.rail[A], model.inner
    half, once, zero = fill(model.beta_dt2), fill(model.gamma_dt), fill(0.0)
    g0, g1, g2 = load4(g, 0), load4(g, 4), load4(g, 8)
    g3, g4, g5 = load4(g, 12), load4(g, 16), load4(g, 20)
    nodes = x.shape[0]
    for i in range(nodes):
        o = 16 * i
        n = o + 16 if i < nodes - 1 else o
        inner = less(less(less(load4(x, o + 12), g0, load4(x, o)), g1, load4(x, o + 4)), g2, load4(x, o + 8))
        inner = less(less(less(inner, g3, load4(x, n)), g4, load4(x, n + 4)), g5, load4(x, n + 8))
        store4(x, o + 12, inner if i < nodes - 1 else zero)
        for k in range(o, o + 16, 4):
            new = load4(x, k)
            store4(a, k, new)
            store4(d, k, more(load4(d, k), half, new))
            store4(v, k, more(load4(v, k), once, new))
            store4(x, k, zero)


@kernel
def flexible_shift(model, state, s_front):
    """Carry the window forward until the front wheel is in or behind the front bay; returns the bays moved."""
    if model.front_bay < 0:
        return 0
    bay = int(np.floor(s_front / model.bay)) - state.first_bay[0]
    bays = bay - model.front_bay
    if bays <= 0:
        return 0
    nodes = bays * model.elements
    for q in range(3):
        _carry(state.rail[q], nodes)
        _carry(state.sleeper[q], bays)
    for i in range(state.rail_past.shape[0]):
        for q in range(3):
            _carry(state.rail_past[i, q], nodes)
            _carry(state.sleeper_past[i, q], bays)
    for i in range(4):
        for j in range(state.correction.shape[1]):
            for l in range(2):
                ahead = j + bays
                state.correction[i, j, l] = state.correction[i, ahead, l] if ahead < state.correction.shape[1] else 0.0
    for i in range(state.seat.shape[0]):
        for w in range(state.seat.shape[1]):
            state.seat[i, w] -= nodes
    state.first_bay[0] += bays
    return bays


@kernel
def _carry(field, rows):
    """Move an (n, 3, l) field rows towards its start, at rest at the end."""
    n = field.shape[0]
    for i in range(n):
        for k in range(field.shape[1]):
            for l in range(field.shape[2]):
                field[i, k, l] = field[i + rows, k, l] if i + rows < n else 0.0
