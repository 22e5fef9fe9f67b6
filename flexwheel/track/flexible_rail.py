"""Flexible rails in the time domain: one step of both rails as four lanes of block-tridiagonal solves.

The effective matrix A = M + gamma dt C + beta dt^2 K of the whole track is constant and factorised before the run.
A step predicts d and v, solves A a = -K d - C v for all four lanes together (2 rails x planes V, L; the innermost
loop runs over lanes, which fills one SIMD register), and adds columns of the inverse for the few contact forces.
A moving window keeps the cost independent of the track's length; it is carried forward by whole bays, at rest ahead,
with absorbing layers at both ends. Kernels only; see rail_model for the interface, flexible_build for the set-up.

Source: Friedman-Kosmatka elements (timoshenko.py); Newmark 1959 for the displacement form.
"""

import numpy as np

from flexwheel.kernels import kernel
from flexwheel.track.bed import coupling_load
from flexwheel.track.flexible_head import FAST, add_projections, age_loads, inner_response, lead_velocities
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
    LOWER,
    PIVOT,
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
    _rail_load(model, state.rail[D], state.rail[V], state.rail[WORK], state.rail[RESPONSE])
    _support_load(model, state, state.rail[RESPONSE])
    lead_velocities(model, state, -1.0)
    _solve(model, state.rail[RESPONSE])


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
def _rail_load(model, d, v, work, load):
    """load = -(rail stiffness)(d + damping v) - layer v; bending (0, 1) and bar (2) do not couple in stiffness."""
    nodes = d.shape[0]
    k, u, chain = model.stiffness, model.stiffness[UPPER], model.chain
    damping = model.section[RAIL_DAMPING]
    for i in range(nodes):
        for c in range(4):
            for l in range(4):
                work[i, c, l] = d[i, c, l] + damping * v[i, c, l]
    for i in range(1, nodes - 1):
        for l in range(4):
            w0, w1, w2 = work[i - 1, 0, l], work[i - 1, 1, l], work[i - 1, 2, l]
            e0, e1, e2 = work[i + 1, 0, l], work[i + 1, 1, l], work[i + 1, 2, l]
            load[i, 0, l] = -(
                k[INNER, 0, 0, l] * work[i, 0, l]
                + u[0, 0, l] * e0
                + u[0, 1, l] * e1
                + u[0, 0, l] * w0
                + u[1, 0, l] * w1
                + chain[i, LAYER, 0, l] * v[i, 0, l]
            )
            load[i, 1, l] = -(
                k[INNER, 1, 1, l] * work[i, 1, l]
                + u[1, 0, l] * e0
                + u[1, 1, l] * e1
                + u[0, 1, l] * w0
                + u[1, 1, l] * w1
                + chain[i, LAYER, 1, l] * v[i, 1, l]
            )
            load[i, 2, l] = -(
                k[INNER, 2, 2, l] * work[i, 2, l]
                + u[2, 2, l] * e2
                + u[2, 2, l] * w2
                + chain[i, LAYER, 2, l] * v[i, 2, l]
            )
    n = nodes - 1
    for i in range(nodes):
        for l in range(4):
            load[i, 3, l] = -model.inner[7, l] * work[i, 3, l]
    for c in range(3):
        for l in range(4):
            load[0, c, l] = -chain[0, LAYER, c, l] * v[0, c, l]
            load[n, c, l] = -chain[n, LAYER, c, l] * v[n, c, l]
            for q in range(3):
                load[0, c, l] -= k[FIRST, c, q, l] * work[0, q, l] + u[c, q, l] * work[1, q, l]
                load[n, c, l] -= k[LAST, c, q, l] * work[n, q, l] + u[q, c, l] * work[n - 1, q, l]


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
def _solve(model, x):
    """Solve in place: x holds the load, then the acceleration; of inner values that with the nodes held."""
    c, g = model.chain, model.inner
    nodes = x.shape[0]
    for i in range(nodes - 1):
        for l in range(4):
            inner = x[i, 3, l]
            x[i, 3, l] = g[6, l] * inner
            for k in range(3):
                x[i, k, l] -= g[k, l] * inner
                x[i + 1, k, l] -= g[3 + k, l] * inner
    for i in range(1, nodes):
        for l in range(4):
            a, b, e = x[i - 1, 0, l], x[i - 1, 1, l], x[i - 1, 2, l]
            x[i, 0, l] -= c[i, LOWER, 0, l] * a + c[i, LOWER, 1, l] * b + c[i, LOWER, 2, l] * e
            x[i, 1, l] -= c[i, LOWER + 1, 0, l] * a + c[i, LOWER + 1, 1, l] * b + c[i, LOWER + 1, 2, l] * e
            x[i, 2, l] -= c[i, LOWER + 2, 0, l] * a + c[i, LOWER + 2, 1, l] * b + c[i, LOWER + 2, 2, l] * e
    i = nodes - 1
    for l in range(4):
        a, b, e = x[i, 0, l], x[i, 1, l], x[i, 2, l]
        x[i, 0, l] = c[i, PIVOT, 0, l] * a + c[i, PIVOT, 1, l] * b + c[i, PIVOT, 2, l] * e
        x[i, 1, l] = c[i, PIVOT + 1, 0, l] * a + c[i, PIVOT + 1, 1, l] * b + c[i, PIVOT + 1, 2, l] * e
        x[i, 2, l] = c[i, PIVOT + 2, 0, l] * a + c[i, PIVOT + 2, 1, l] * b + c[i, PIVOT + 2, 2, l] * e
    for i in range(nodes - 2, -1, -1):
        j = i + 1
        for l in range(4):
            a, b, e = x[i, 0, l], x[i, 1, l], x[i, 2, l]
            p, q, r = x[j, 0, l], x[j, 1, l], x[j, 2, l]
            x[i, 0, l] = (
                c[i, PIVOT, 0, l] * a
                + c[i, PIVOT, 1, l] * b
                + c[i, PIVOT, 2, l] * e
                - (c[j, LOWER, 0, l] * p + c[j, LOWER + 1, 0, l] * q + c[j, LOWER + 2, 0, l] * r)
            )
            x[i, 1, l] = (
                c[i, PIVOT + 1, 0, l] * a
                + c[i, PIVOT + 1, 1, l] * b
                + c[i, PIVOT + 1, 2, l] * e
                - (c[j, LOWER, 1, l] * p + c[j, LOWER + 1, 1, l] * q + c[j, LOWER + 2, 1, l] * r)
            )
            x[i, 2, l] = (
                c[i, PIVOT + 2, 0, l] * a
                + c[i, PIVOT + 2, 1, l] * b
                + c[i, PIVOT + 2, 2, l] * e
                - (c[j, LOWER, 2, l] * p + c[j, LOWER + 1, 2, l] * q + c[j, LOWER + 2, 2, l] * r)
            )


@kernel(fastmath=FAST)
def flexible_finish(model, state, coefficients):
    """Nonlinear corrections, semi-sleepers, new displacement and velocity. Returns 0, or 1 not converged."""
    status = 0
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
    for i in range(w.shape[0] - 1):
        for l in range(4):
            w[i, 3, l] = inner_response(model, w, i, l)
    d, v, a = state.rail[D].reshape(w.size), state.rail[V].reshape(w.size), state.rail[A].reshape(w.size)
    flat = w.reshape(w.size)
    for k in range(flat.size):
        a[k] = flat[k]
    add_projections(model, state, 1.0 / b2, state.rail[A])
    for k in range(flat.size):
        d[k] += b2 * a[k]
        v[k] += g1 * a[k]
        flat[k] -= a[k]
    return status


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
