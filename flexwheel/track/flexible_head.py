"""The flexible rail under a wheel: head motion from the element's nodes, compliance, and forces onto the nodes.

Compliance is exact for the discretised track plus the static compliance of the clamped element, so that a load within
an element sees the beam and not the element. Kernels only; see flexible_rail for the step.
"""

import numpy as np
from numba import njit

from flexwheel.track.rail_types import (
    EA,
    EI_LATERAL,
    EI_VERTICAL,
    GJ,
    HEAD_ABOVE_CENTROID,
    HEAD_ABOVE_SHEAR_CENTRE,
    KGA_LATERAL,
    KGA_VERTICAL,
    PHI_LATERAL,
    PHI_VERTICAL,
    RESPONSE,
    D,
    V,
)
from flexwheel.track.timoshenko import (
    clamped_compliance,
    deflection_shape,
    rotation_shape,
    rotation_slope_shape,
    slope_shape,
)

FAST = {"reassoc", "contract", "arcp", "nsz"}
"""What the compiler may reorder; NaN stays NaN."""


@njit(cache=True, inline="always")
def locate(model, state, s):
    """Element of the wheel and the place in it: (first node, x in [0, 1])."""
    z = (s - state.first_bay[0] * model.bay) / model.element
    i = int(np.floor(z))
    last = model.chain.shape[0] - 2
    if i < 0:
        i = 0
    elif i > last:
        i = last
    return i, z - i


@njit(cache=True, error_model="numpy")
def flexible_free_at(model, state, s, side, e, e_dot, e_slope):
    """Head displacement, material velocity and slope at the wheel, without this step's contact forces."""
    i, x = locate(model, state, s)
    d, v, a = state.rail[D], state.rail[V], state.rail[RESPONSE]
    l, b2, g1 = model.element, model.beta_dt2, model.gamma_dt
    phi_v, phi_l = model.section[PHI_VERTICAL], model.section[PHI_LATERAL]
    hc, hs = model.section[HEAD_ABOVE_CENTROID], model.section[HEAD_ABOVE_SHEAR_CENTRE]
    n, t, dn, dt = (
        deflection_shape(x, l, phi_v),
        rotation_shape(x, l, phi_v),
        slope_shape(x, l, phi_v),
        rotation_slope_shape(x, l, phi_v),
    )
    ny, dny = deflection_shape(x, l, phi_l), slope_shape(x, l, phi_l)
    for c in range(4):
        e[c] = 0.0
        e_dot[c] = 0.0
        e_slope[c] = 0.0
    for k in range(2):
        j, m = i + k, side + 2
        bar, dbar = (x, 1.0 / l) if k == 1 else (1.0 - x, -1.0 / l)
        n0, n1, t0, t1 = (n[2], n[3], t[2], t[3]) if k == 1 else (n[0], n[1], t[0], t[1])
        dn0, dn1, dt0, dt1 = (dn[2], dn[3], dt[2], dt[3]) if k == 1 else (dn[0], dn[1], dt[0], dt[1])
        y0, y1, dy0, dy1 = (ny[2], ny[3], dny[2], dny[3]) if k == 1 else (ny[0], ny[1], dny[0], dny[1])
        w = d[j, 0, side] + b2 * a[j, 0, side]
        b = d[j, 1, side] + b2 * a[j, 1, side]
        u = d[j, 2, side] + b2 * a[j, 2, side]
        p = d[j, 0, m] + b2 * a[j, 0, m]
        q = d[j, 1, m] + b2 * a[j, 1, m]
        r = d[j, 2, m] + b2 * a[j, 2, m]
        e[0] += bar * u - hc * (t0 * w + t1 * b)
        e[1] += y0 * p + y1 * q - hs * bar * r
        e[2] += n0 * w + n1 * b
        e[3] += bar * r
        e_slope[0] += dbar * u - hc * (dt0 * w + dt1 * b)
        e_slope[1] += dy0 * p + dy1 * q - hs * dbar * r
        e_slope[2] += dn0 * w + dn1 * b
        e_slope[3] += dbar * r
        w = v[j, 0, side] + g1 * a[j, 0, side]
        b = v[j, 1, side] + g1 * a[j, 1, side]
        u = v[j, 2, side] + g1 * a[j, 2, side]
        p = v[j, 0, m] + g1 * a[j, 0, m]
        q = v[j, 1, m] + g1 * a[j, 1, m]
        r = v[j, 2, m] + g1 * a[j, 2, m]
        e_dot[0] += bar * u - hc * (t0 * w + t1 * b)
        e_dot[1] += y0 * p + y1 * q - hs * bar * r
        e_dot[2] += n0 * w + n1 * b
        e_dot[3] += bar * r


@njit(cache=True, inline="always")
def head_rows(model, x):
    """Head displacement per nodal value of the element: rows ux, uz on (w, b, u) x 2; uy, roll on (v, tz, r) x 2."""
    l, hc, hs = model.element, model.section[HEAD_ABOVE_CENTROID], model.section[HEAD_ABOVE_SHEAR_CENTRE]
    n, t = deflection_shape(x, l, model.section[PHI_VERTICAL]), rotation_shape(x, l, model.section[PHI_VERTICAL])
    y = deflection_shape(x, l, model.section[PHI_LATERAL])
    z = 1.0 - x
    ux = (-hc * t[0], -hc * t[1], z, -hc * t[2], -hc * t[3], x)
    uz = (n[0], n[1], 0.0, n[2], n[3], 0.0)
    uy = (y[0], y[1], -hs * z, y[2], y[3], -hs * x)
    roll = (0.0, 0.0, z, 0.0, 0.0, x)
    return ux, uz, uy, roll


@njit(cache=True, error_model="numpy")
def flexible_compliance(model, state, s, compliance, mobility):
    """Compliance and mobility of the head at the wheel: nodal part from pair, and the clamped element's own."""
    i, x = locate(model, state, s)
    k = i % model.elements
    ux, uz, uy, roll = head_rows(model, x)
    for a in range(4):
        for b in range(4):
            compliance[a, b] = 0.0
    xx, xz, zz, yy, yr, rr = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for a in range(6):
        px, pz, py, pr = 0.0, 0.0, 0.0, 0.0
        for b in range(6):
            px += model.pair[k, 0, a, b] * ux[b]
            pz += model.pair[k, 0, a, b] * uz[b]
            py += model.pair[k, 1, a, b] * uy[b]
            pr += model.pair[k, 1, a, b] * roll[b]
        xx += ux[a] * px
        xz += ux[a] * pz
        zz += uz[a] * pz
        yy += uy[a] * py
        yr += uy[a] * pr
        rr += roll[a] * pr
    compliance[0, 0] = xx
    compliance[0, 2] = xz
    compliance[2, 0] = xz
    compliance[2, 2] = zz
    compliance[1, 1] = yy
    compliance[1, 3] = yr
    compliance[3, 1] = yr
    compliance[3, 3] = rr
    for a in range(4):
        for b in range(4):
            mobility[a, b] = model.gamma_dt * compliance[a, b]
            compliance[a, b] = model.beta_dt2 * compliance[a, b]
    add_clamped_compliance(model, x, compliance)


@njit(cache=True, error_model="numpy")
def add_clamped_compliance(model, x, compliance):
    """Add the static compliance (4, 4) of the clamped element at x in [0, 1]."""
    l, section = model.element, model.section
    hc, hs = section[HEAD_ABOVE_CENTROID], section[HEAD_ABOVE_SHEAR_CENTRE]
    ww, wb, bb = clamped_compliance(x, l, section[EI_VERTICAL], section[KGA_VERTICAL])
    vv, _, _ = clamped_compliance(x, l, section[EI_LATERAL], section[KGA_LATERAL])
    bar = x * (1.0 - x) * l
    twist = bar / section[GJ]
    compliance[0, 0] += bar / section[EA] + hc * hc * bb
    compliance[0, 2] -= hc * wb
    compliance[2, 0] -= hc * wb
    compliance[2, 2] += ww
    compliance[1, 1] += vv + hs * hs * twist
    compliance[1, 3] -= hs * twist
    compliance[3, 1] -= hs * twist
    compliance[3, 3] += twist


def clamped_head_compliance(model, x):
    """Static compliance (4, 4) of the clamped element at x in [0, 1], of the head."""
    out = np.zeros((4, 4))
    add_clamped_compliance(model, x, out)
    return out


@njit(cache=True, fastmath=FAST, error_model="numpy")
def flexible_add(model, state, s, side, force):
    """Add the acceleration due to force (4,) on the head at the wheel."""
    i, x = locate(model, state, s)
    ux, uz, uy, roll = head_rows(model, x)
    for k in range(2):
        o = 3 * k
        add_node_force(
            model,
            state.rail[RESPONSE],
            i + k,
            side,
            ux[o] * force[0] + uz[o] * force[2],
            ux[o + 1] * force[0] + uz[o + 1] * force[2],
            ux[o + 2] * force[0] + uz[o + 2] * force[2],
        )
        add_node_force(
            model,
            state.rail[RESPONSE],
            i + k,
            side + 2,
            uy[o] * force[1] + roll[o] * force[3],
            uy[o + 1] * force[1] + roll[o + 1] * force[3],
            uy[o + 2] * force[1] + roll[o + 2] * force[3],
        )


@njit(cache=True, fastmath=FAST, error_model="numpy")
def add_node_force(model, response, node, lane, f0, f1, f2):
    """Add the columns of the inverse for the three force components on a node."""
    green = model.green[node % model.elements, lane // 2]
    reach = (green.shape[1] - 1) // 2
    first, last = max(0, node - reach), min(response.shape[0], node + reach + 1)
    o = reach - node
    for j in range(first, last):
        for c in range(3):
            response[j, c, lane] += f0 * green[0, j + o, c] + f1 * green[1, j + o, c] + f2 * green[2, j + o, c]
