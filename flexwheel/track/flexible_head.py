"""The flexible rail under a wheel: head motion from the element's nodes, compliance, and forces onto the nodes.

The element that carries a load has its clamped deflection besides, with its inertia; the nodal state is the projection
of the whole motion on the shape functions, see loaded_element. Kernels only; see flexible_rail for the step.
"""

import numpy as np

from flexwheel.numerics.kernels import FAST, kernel
from flexwheel.numerics.kernels.lane_arithmetic import lane
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store
from flexwheel.track.flexible_chain import solve_at
from flexwheel.track.loaded_element import ALONG, CLAMPED, PROJECTED, PROJECTED_SLOPE, TWICE, evaluate
from flexwheel.track.rail_types import (
    HEAD_ABOVE_CENTROID,
    HEAD_ABOVE_SHEAR_CENTRE,
    INNER_TWIST,
    NEW_FORCE,
    NOWHERE,
    OLD_FORCE,
    PHI_LATERAL,
    PHI_VERTICAL,
    PLACE,
    RESPONSE,
    D,
    V,
)
from flexwheel.track.timoshenko import deflection_shape, rotation_shape, rotation_slope_shape, slope_shape


@kernel(inline="always")
def locate(model, state, s):
    """Element of the wheel and the place in it: (first node, x in [0, 1]).

    The two belong together: on a node, callers that round otherwise find the end of one element or the start of the
    next, which is the same place; the node of one with the x of the other is an element off.
    """
    z = (s - state.first_bay[0] * model.bay) / model.element
    i = int(np.floor(z))
    last = model.place.shape[0] - 2
    if i < 0:
        i = 0
    elif i > last:
        i = last
    return i, z - i


@kernel
def loaded_row(model, state, x):
    """Which row of RailState.loaded holds the tables at x: one of late, or the oldest, evaluated."""
    kept = state.loaded
    last = kept.shape[1] - 1
    for r in range(kept.shape[0]):
        if kept[r, last] == x:
            return r
    r = state.turn[0] = (state.turn[0] + 1) % kept.shape[0]
    evaluate(model.loaded, x, kept[r, :last])
    kept[r, last] = x
    return r


@kernel(inline="always")
def head_rows(model, x):
    """Head displacement per value of the element: ux, uz by (w, b, u) x 2, inner; uy, roll by (v, tz, r) x 2, inner."""
    l, section = model.element, model.section
    hc, hs = section[HEAD_ABOVE_CENTROID], section[HEAD_ABOVE_SHEAR_CENTRE]
    n, t = deflection_shape(x, l, section[PHI_VERTICAL]), rotation_shape(x, l, section[PHI_VERTICAL])
    y = deflection_shape(x, l, section[PHI_LATERAL])
    z = 1.0 - x
    twist = section[INNER_TWIST] * x * z
    ux = (-hc * t[0], -hc * t[1], z, -hc * t[2], -hc * t[3], x, 0.0)
    uz = (n[0], n[1], 0.0, n[2], n[3], 0.0, 0.0)
    uy = (y[0], y[1], -hs * z, y[2], y[3], -hs * x, -hs * twist)
    roll = (0.0, 0.0, z, 0.0, 0.0, x, twist)
    return ux, uz, uy, roll


@kernel(inline="always")
def head_slope_rows(model, x):
    """Derivatives of head_rows along the rail [1/m]."""
    l, section = model.element, model.section
    hc, hs = section[HEAD_ABOVE_CENTROID], section[HEAD_ABOVE_SHEAR_CENTRE]
    n, t = slope_shape(x, l, section[PHI_VERTICAL]), rotation_slope_shape(x, l, section[PHI_VERTICAL])
    y = slope_shape(x, l, section[PHI_LATERAL])
    z = 1.0 / l
    twist = section[INNER_TWIST] * (1.0 - 2.0 * x) * z
    ux = (-hc * t[0], -hc * t[1], -z, -hc * t[2], -hc * t[3], z, 0.0)
    uz = (n[0], n[1], 0.0, n[2], n[3], 0.0, 0.0)
    uy = (y[0], y[1], hs * z, y[2], y[3], -hs * z, -hs * twist)
    roll = (0.0, 0.0, -z, 0.0, 0.0, z, twist)
    return ux, uz, uy, roll


@kernel(inline="always")
def gather(field, i, lane):
    """The seven values of element i in one lane."""
    return (
        field[i, 0, lane],
        field[i, 1, lane],
        field[i, 2, lane],
        field[i + 1, 0, lane],
        field[i + 1, 1, lane],
        field[i + 1, 2, lane],
        field[i, 3, lane],
    )


@kernel(fastmath=FAST)
def element_response(model, state, i, side, p, out):
    """Accelerations (7,) of element i in plane p: free of contact, and of every force added in this step."""
    response, push, seat, lane = state.rail[RESPONSE], state.push, state.seat[0], side + 2 * p
    half, g = model.green.shape[3] // 2, model.inner
    for k in range(3):
        out[k], out[3 + k] = response[i, k, lane], response[i + 1, k, lane]
    out[6] = response[i, 3, lane]
    for w in range(side, push.shape[0], 2):
        f = push[w, p]
        if abs(seat[w] - i) >= half or not stands(state, w):
            continue
        for b in range(2):
            node = seat[w] + b
            green = model.green[node % model.elements, p]
            o = half - node + i
            for c in range(3):
                force = f[3 * b + c]
                for k in range(3):
                    out[k] += force * green[c, o, k]
                    out[3 + k] += force * green[c, o + 1, k]
        if seat[w] == i:
            out[6] += f[6]
    for k in range(6):
        out[6] -= g[k, lane] * out[k]


@kernel(inline="always")
def dot(a, b):
    """Product of a row with the values of an element."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]


@kernel(inline="always")
def product(table, at, a, b):
    """Row of a 2 x 2 block, stored from `at` on, times (a, b)."""
    return table[at] * a + table[at + 1] * b


@kernel(inline="always")
def momentum_of(table, at):
    """Momentum (7,) of a unit force, from a row of the tables."""
    return table[at], table[at + 1], table[at + 2], table[at + 3], table[at + 4], table[at + 5], table[at + 6]


@kernel(inline="always")
def less(a, factor, b):
    """a - factor b of an element's values."""
    return (
        a[0] - factor * b[0],
        a[1] - factor * b[1],
        a[2] - factor * b[2],
        a[3] - factor * b[3],
        a[4] - factor * b[4],
        a[5] - factor * b[5],
        a[6] - factor * b[6],
    )


@kernel
def flexible_free_at(model, state, axle, s, side, e, e_dot, e_slope):
    """Head displacement, material velocity and slope at the wheel, with the forces added in this step so far.

    The velocity is that of the projection, what the deflection carried along adds to it, (phi'^T - N M^-1 m') V F, and
    (c - N M^-1 m) dF/dt; the rate of m^T z'' is left out, which a step alone does not give without feeding on itself.
    """
    i, x = locate(model, state, s)
    wheel, rail, inverse = state.wheel, state.rail, 1.0 / model.beta_dt2
    table = state.loaded[loaded_row(model, state, x)]
    solve_at(model, state, i)
    w = 2 * axle + side
    rows, along = head_rows(model, x), head_slope_rows(model, x)
    speed = (s - wheel[PLACE, w, 1]) / model.dt
    for p in range(2):
        lane, a, b = side + 2 * p, p, 2 + p
        response = state.element[0]
        element_response(model, state, i, side, p, response)
        moved = less(gather(rail[D], i, lane), -model.beta_dt2, response)
        rate = less(gather(rail[V], i, lane), -model.gamma_dt, response)
        first, second = wheel[NEW_FORCE, w, a], wheel[NEW_FORCE, w, b]
        old_first, old_second = wheel[OLD_FORCE, w, a], wheel[OLD_FORCE, w, b]
        d_first, d_second = first - old_first, second - old_second
        for r in range(2):
            c = a + 2 * r
            o = 4 * p + 2 * r
            row, slope = rows[2 * p + r], along[2 * p + r]
            m = momentum_of(table, 14 * p + 7 * r)
            inertial = dot(m, response) + inverse * product(table, TWICE + o, first, second)
            projected = product(table, PROJECTED + o, first, second)
            e[c] = dot(row, moved) + product(table, CLAMPED + o, first, second) - inertial
            e_slope[c] = dot(slope, moved) + product(table, ALONG + o, first, second)
            carried = table[ALONG + 4 * p + r] * old_first + table[ALONG + 4 * p + 2 + r] * old_second
            carried -= product(table, PROJECTED_SLOPE + o, old_first, old_second)
            e_dot[c] = dot(row, rate) + model.gamma_dt * inverse * projected + speed * carried
            inside = product(table, CLAMPED + o, d_first, d_second) - product(table, PROJECTED + o, d_first, d_second)
            e_dot[c] += inside / model.dt


@kernel(fastmath=FAST)
def flexible_compliance(model, state, s, side, compliance, mobility):
    """Compliance and mobility of the head at the wheel: nodal part from pair, and the loaded element's own."""
    i, x = locate(model, state, s)
    k = i % model.elements
    table, inverse = state.loaded[loaded_row(model, state, x)], 1.0 / model.beta_dt2
    rows = head_rows(model, x)
    for a in range(4):
        for b in range(4):
            compliance[a, b] = 0.0
            mobility[a, b] = 0.0
    for p in range(2):
        pair = model.pair[k, p]
        for c in range(2):
            column = product_of(pair, less(rows[2 * p + c], inverse, momentum_of(table, 14 * p + 7 * c)))
            for r in range(2):
                row = rows[2 * p + r]
                m = momentum_of(table, 14 * p + 7 * r)
                o = 4 * p + 2 * r + c
                direct, behind = dot(row, column), dot(m, column) + inverse * table[TWICE + o]
                a, b = p + 2 * r, p + 2 * c
                compliance[a, b] = model.beta_dt2 * direct - behind + table[CLAMPED + o]
                own = table[CLAMPED + o] - table[PROJECTED + o]
                mobility[a, b] = model.gamma_dt * (direct + inverse * table[PROJECTED + o]) + own / model.dt


@kernel(inline="always")
def product_of(columns, a):
    """Product (7,) of a matrix, given by its columns (7, 8), with an element's values."""
    x = load_lanes(columns, 0, 8) * a[0]
    x += load_lanes(columns, 8, 8) * a[1]
    x += load_lanes(columns, 16, 8) * a[2]
    x += load_lanes(columns, 24, 8) * a[3]
    x += load_lanes(columns, 32, 8) * a[4]
    x += load_lanes(columns, 40, 8) * a[5]
    x += load_lanes(columns, 48, 8) * a[6]
    return lane(x, 0), lane(x, 1), lane(x, 2), lane(x, 3), lane(x, 4), lane(x, 5), lane(x, 6)


@kernel
def flexible_add(model, state, axle, s, side, force):
    """Add the acceleration due to force (4,) on the head at the wheel, momentum of its element included."""
    i, x = locate(model, state, s)
    w = 2 * axle + side
    for c in range(4):
        state.wheel[NEW_FORCE, w, c] += force[c]
    state.wheel[PLACE, w, 0], state.wheel[PLACE, w, 2] = s, x
    state.seat[0, w] = i
    table, inverse = state.loaded[loaded_row(model, state, x)], 1.0 / model.beta_dt2
    rows = head_rows(model, x)
    for p in range(2):
        a = less(rows[2 * p], inverse, momentum_of(table, 14 * p))
        b = less(rows[2 * p + 1], inverse, momentum_of(table, 14 * p + 7))
        f, lane = state.push[w, p], side + 2 * p
        inner = a[6] * force[p] + b[6] * force[p + 2]
        f[6] += model.inner[6, lane] * inner
        for k in range(6):
            f[k] += a[k] * force[p] + b[k] * force[p + 2] - model.inner[k, lane] * inner


@kernel(inline="always")
def stands(state, w):
    """Whether a wheel presses on the rail in this step; else its seat may be anywhere."""
    f = state.wheel[NEW_FORCE, w]
    return f[0] != 0.0 or f[1] != 0.0 or f[2] != 0.0 or f[3] != 0.0


@kernel
def press(state, w, load):
    """Add what a wheel presses on the nodes to a load (N, 4, 4)."""
    i = state.seat[0, w]
    for p in range(2):
        f, lane = state.push[w, p], w % 2 + 2 * p
        for k in range(3):
            load[i, k, lane] += f[k]
            load[i + 1, k, lane] += f[3 + k]
        load[i, 3, lane] += f[6]


@kernel(fastmath=FAST)
def project(model, state):
    """New forces' projections M^-1 m F, kept for the two next steps, into the state."""
    spread_forces(model, state)
    speed = model.march[0] / model.beta_dt2
    add_projections(state, 0, V, speed)
    add_projections(state, 0, D, model.march[1] * speed + model.march[2] / model.beta_dt2)


@kernel(fastmath=FAST)
def spread_forces(model, state):
    """Projections of the new forces into carried; those there become the ones before."""
    for w in range(state.push.shape[0]):
        new, old, older = state.carried[0, w], state.carried[1, w], state.carried[2, w]
        for k in range(0, 16 * new.shape[0], 16):
            store(older, k, load_lanes(old, k, 16))
            store(old, k, load_lanes(new, k, 16))
        state.seat[3, w], state.seat[2, w] = state.seat[2, w], state.seat[1, w]
        state.seat[1, w] = state.seat[0, w] if stands(state, w) else NOWHERE
    for w in range(state.push.shape[0]):
        i = state.seat[1, w]
        if i == NOWHERE:
            continue
        g = state.element
        for k in range(0, g.size, 16):
            store(g, k, fill_lanes(0.0, 16))
        _momenta(model, state, w, g)
        if w % 2 == 0 and state.seat[1, w + 1] == i:
            _momenta(model, state, w + 1, g)
            state.seat[1, w + 1] = NOWHERE
        new, spread = state.carried[0, w], model.spread
        size = 16 * new.shape[0]
        for k in range(0, size, 16):
            y = load_lanes(g, 0, 16) * load_lanes(spread, k, 16)
            for c in range(1, 7):
                y += load_lanes(g, 16 * c, 16) * load_lanes(spread, k + c * size, 16)
            store(new, k, y)


@kernel(fastmath=FAST)
def _momenta(model, state, w, out):
    """Momentum m F of a wheel's forces into its lanes of out (7, 16), four times over."""
    force = state.wheel[NEW_FORCE, w]
    table = state.loaded[loaded_row(model, state, state.wheel[PLACE, w, 2])]
    for p in range(2):
        for c in range(7):
            momentum = table[14 * p + c] * force[p] + table[14 * p + 7 + c] * force[p + 2]
            for k in range(w % 2 + 2 * p, 16, 4):
                out[c, k] = momentum


@kernel(fastmath=FAST)
def add_projections(state, age, row, factor):
    """Add factor times the last forces' projections (age 0) or those before (1, 2) to D or V (row) of the rails."""
    field, half = state.rail[row], state.carried.shape[2] // 2
    for w in range(state.push.shape[0]):
        start = state.seat[1 + age, w] + 1 - half
        own = state.carried[age, w]
        for j in range(max(0, start), min(field.shape[0], start + 2 * half)):
            o = 16 * j
            store(field, o, load_lanes(field, o, 16) + factor * load_lanes(own, o - 16 * start, 16))


@kernel
def age_loads(state):
    """The forces of the last step become old, those of the one before older."""
    wheel = state.wheel
    for w in range(wheel.shape[1]):
        for c in range(4):
            wheel[OLD_FORCE, w, c] = wheel[NEW_FORCE, w, c]
            wheel[NEW_FORCE, w, c] = 0.0
        wheel[PLACE, w, 1] = wheel[PLACE, w, 0]
        for p in range(2):
            for k in range(7):
                state.push[w, p, k] = 0.0


@kernel
def lead_velocities(model, state, factor):
    """Add factor times what makes the velocities of the projection those of the rail, which dampers feel.

    y = M^-1 m F. The step itself adds gamma dt (z'' - y/(beta dt^2)) to them, with g = gamma/beta thus -g y/dt. With
    the last three y they end at z' - y', right to the second order as the step is: coefficients of g, 5/2 - 3 g,
    3 g - 4 and 3/2 - g add up to no change, unit slope and no curvature.
    """
    g = model.dt * model.gamma_dt / model.beta_dt2
    add_projections(state, 0, V, factor * (3.0 * g - 2.5) / model.dt)
    add_projections(state, 1, V, factor * (4.0 - 3.0 * g) / model.dt)
    add_projections(state, 2, V, factor * (g - 1.5) / model.dt)


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
