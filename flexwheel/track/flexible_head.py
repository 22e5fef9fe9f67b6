"""The flexible rail under a wheel: head motion from the element's nodes, compliance, and forces onto the nodes.

Compliance is exact for the discretised track plus the static compliance of the clamped element, so that a load within
an element sees the beam and not the element. Kernels only; see flexible_rail for the step.
"""

import numpy as np

from flexwheel.kernels import FAST, kernel
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


@kernel(inline="always")
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


@kernel(inline="always")
def head_rows(model, x):
    """Head displacement per nodal value of the element: rows ux, uz on (w, b, u) x 2; uy, roll on (v, tz, r) x 2."""
    l, section = model.element, model.section
    hc, hs = section[HEAD_ABOVE_CENTROID], section[HEAD_ABOVE_SHEAR_CENTRE]
    n, t = deflection_shape(x, l, section[PHI_VERTICAL]), rotation_shape(x, l, section[PHI_VERTICAL])
    y = deflection_shape(x, l, section[PHI_LATERAL])
    z = 1.0 - x
    ux = (-hc * t[0], -hc * t[1], z, -hc * t[2], -hc * t[3], x)
    uz = (n[0], n[1], 0.0, n[2], n[3], 0.0)
    uy = (y[0], y[1], -hs * z, y[2], y[3], -hs * x)
    roll = (0.0, 0.0, z, 0.0, 0.0, x)
    return ux, uz, uy, roll


@kernel(inline="always")
def head_slope_rows(model, x):
    """Derivatives of head_rows along the rail [1/m]."""
    l, section = model.element, model.section
    hc, hs = section[HEAD_ABOVE_CENTROID], section[HEAD_ABOVE_SHEAR_CENTRE]
    n, t = slope_shape(x, l, section[PHI_VERTICAL]), rotation_slope_shape(x, l, section[PHI_VERTICAL])
    y = slope_shape(x, l, section[PHI_LATERAL])
    z = 1.0 / l
    ux = (-hc * t[0], -hc * t[1], -z, -hc * t[2], -hc * t[3], z)
    uz = (n[0], n[1], 0.0, n[2], n[3], 0.0)
    uy = (y[0], y[1], hs * z, y[2], y[3], -hs * z)
    roll = (0.0, 0.0, -z, 0.0, 0.0, z)
    return ux, uz, uy, roll


@kernel(inline="always")
def nodal(field, response, factor, i, lane):
    """The six new nodal values of element i in one lane: field + factor * response."""
    return (
        field[i, 0, lane] + factor * response[i, 0, lane],
        field[i, 1, lane] + factor * response[i, 1, lane],
        field[i, 2, lane] + factor * response[i, 2, lane],
        field[i + 1, 0, lane] + factor * response[i + 1, 0, lane],
        field[i + 1, 1, lane] + factor * response[i + 1, 1, lane],
        field[i + 1, 2, lane] + factor * response[i + 1, 2, lane],
    )


@kernel(inline="always")
def dot(a, b):
    """Product of a row with nodal values."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@kernel
def flexible_free_at(model, state, axle, s, side, e, e_dot, e_slope):
    """Head displacement, material velocity and slope at the wheel, without this step's contact forces."""
    i, x = locate(model, state, s)
    ux, uz, uy, roll = head_rows(model, x)
    rail = state.rail
    upright = nodal(rail[D], rail[RESPONSE], model.beta_dt2, i, side)
    sideways = nodal(rail[D], rail[RESPONSE], model.beta_dt2, i, side + 2)
    e[0] = dot(ux, upright)
    e[1] = dot(uy, sideways)
    e[2] = dot(uz, upright)
    e[3] = dot(roll, sideways)
    dux, duz, duy, droll = head_slope_rows(model, x)
    e_slope[0] = dot(dux, upright)
    e_slope[1] = dot(duy, sideways)
    e_slope[2] = dot(duz, upright)
    e_slope[3] = dot(droll, sideways)
    upright = nodal(rail[V], rail[RESPONSE], model.gamma_dt, i, side)
    sideways = nodal(rail[V], rail[RESPONSE], model.gamma_dt, i, side + 2)
    e_dot[0] = dot(ux, upright)
    e_dot[1] = dot(uy, sideways)
    e_dot[2] = dot(uz, upright)
    e_dot[3] = dot(roll, sideways)


@kernel
def flexible_compliance(model, state, s, side, compliance, mobility):
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


@kernel
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


@kernel(fastmath=FAST)
def flexible_add(model, state, axle, s, side, force):
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


@kernel(fastmath=FAST)
def add_node_force(model, response, node, lane, f0, f1, f2):
    """Add the columns of the inverse for the three force components on a node."""
    green = model.green[node % model.elements, lane // 2]
    reach = (green.shape[1] - 1) // 2
    first, last = max(0, node - reach), min(response.shape[0], node + reach + 1)
    o = reach - node
    for j in range(first, last):
        for c in range(3):
            response[j, c, lane] += f0 * green[0, j + o, c] + f1 * green[1, j + o, c] + f2 * green[2, j + o, c]
