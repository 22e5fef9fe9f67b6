"""The flexible rail under a wheel: head motion from the element's nodes, compliance, and forces onto the nodes.

The element that carries a load has its clamped deflection besides, with its inertia; the nodal state is the projection
of the whole motion on the shape functions, see loaded_element. Kernels only; see flexible_rail for the step.
"""

import numpy as np

from flexwheel.kernels import FAST, kernel
from flexwheel.track.loaded_element import (
    CLAMPED,
    HALF_SLOPE,
    M_ROLL,
    M_X,
    M_Y,
    M_Z,
    PROJECTED,
    PROJECTED_SLOPE,
    TWICE,
    evaluate,
)
from flexwheel.track.rail_types import (
    HEAD_ABOVE_CENTROID,
    HEAD_ABOVE_SHEAR_CENTRE,
    INNER_TWIST,
    NEW_FORCE,
    OLD_FORCE,
    OLDER_FORCE,
    PHI_LATERAL,
    PHI_VERTICAL,
    PLACE,
    RESPONSE,
    D,
    V,
)
from flexwheel.track.timoshenko import (
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
def nodal(field, response, factor, i, lane, inner):
    """The seven new values of element i in one lane: field + factor * response, and the inner one as given."""
    return (
        field[i, 0, lane] + factor * response[i, 0, lane],
        field[i, 1, lane] + factor * response[i, 1, lane],
        field[i, 2, lane] + factor * response[i, 2, lane],
        field[i + 1, 0, lane] + factor * response[i + 1, 0, lane],
        field[i + 1, 1, lane] + factor * response[i + 1, 1, lane],
        field[i + 1, 2, lane] + factor * response[i + 1, 2, lane],
        inner,
    )


@kernel(inline="always")
def inner_response(model, response, i, lane):
    """Acceleration of element i's inner value: that of the nodes held, less what they take along."""
    g = model.inner
    return response[i, 3, lane] - (
        g[0, lane] * response[i, 0, lane]
        + g[1, lane] * response[i, 1, lane]
        + g[2, lane] * response[i, 2, lane]
        + g[3, lane] * response[i + 1, 0, lane]
        + g[4, lane] * response[i + 1, 1, lane]
        + g[5, lane] * response[i + 1, 2, lane]
    )


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

    The velocity is that of the projection, what the deflection carried along adds to it, (1/2 c' - N M^-1 m') V F, and
    (c - N M^-1 m) dF/dt; the rate of m^T z'' is left out, which a step alone does not give without feeding on itself.
    """
    i, x = locate(model, state, s)
    evaluate(model.loaded, x, state.loaded)
    wheel, rail, table, inverse = state.wheel, state.rail, state.loaded, 1.0 / model.beta_dt2
    w = 2 * axle + side
    rows, along = head_rows(model, x), head_slope_rows(model, x)
    speed = (s - wheel[PLACE, w, 1]) / model.dt
    for p in range(2):
        lane, a, b = side + 2 * p, p, 2 + p
        inner = inner_response(model, rail[RESPONSE], i, lane)
        response = nodal(rail[RESPONSE], rail[RESPONSE], 0.0, i, lane, inner)
        moved = nodal(rail[D], rail[RESPONSE], model.beta_dt2, i, lane, rail[D, i, 3, lane] + model.beta_dt2 * inner)
        rate = nodal(rail[V], rail[RESPONSE], model.gamma_dt, i, lane, rail[V, i, 3, lane] + model.gamma_dt * inner)
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
            e_slope[c] = dot(slope, moved) + product(table, HALF_SLOPE + o, first, second)
            carried = product(table, HALF_SLOPE + o, old_first, old_second)
            carried -= product(table, PROJECTED_SLOPE + o, old_first, old_second)
            e_dot[c] = dot(row, rate) + model.gamma_dt * inverse * projected + speed * carried
            inside = product(table, CLAMPED + o, d_first, d_second) - product(table, PROJECTED + o, d_first, d_second)
            e_dot[c] += inside / model.dt


@kernel
def flexible_compliance(model, state, s, side, compliance, mobility):
    """Compliance and mobility of the head at the wheel: nodal part from pair, and the loaded element's own."""
    i, x = locate(model, state, s)
    k = i % model.elements
    evaluate(model.loaded, x, state.loaded)
    table, inverse = state.loaded, 1.0 / model.beta_dt2
    rows = head_rows(model, x)
    for a in range(4):
        for b in range(4):
            compliance[a, b] = 0.0
            mobility[a, b] = 0.0
    for p in range(2):
        pair = model.pair[k, p]
        for c in range(2):
            column = times(pair, less(rows[2 * p + c], inverse, momentum_of(table, 14 * p + 7 * c)))
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
def times(matrix, a):
    """Product (7,) of a matrix with an element's values."""
    return (
        dot(matrix[0], a),
        dot(matrix[1], a),
        dot(matrix[2], a),
        dot(matrix[3], a),
        dot(matrix[4], a),
        dot(matrix[5], a),
        dot(matrix[6], a),
    )


@kernel
def flexible_add(model, state, axle, s, side, force):
    """Add the acceleration due to force (4,) on the head at the wheel, momentum of its element included."""
    i, x = locate(model, state, s)
    w = 2 * axle + side
    for c in range(4):
        state.wheel[NEW_FORCE, w, c] += force[c]
    state.wheel[PLACE, w, 0] = s
    evaluate(model.loaded, x, state.loaded)
    table, inverse = state.loaded, 1.0 / model.beta_dt2
    rows = head_rows(model, x)
    ux, uz = less(rows[0], inverse, momentum_of(table, M_X)), less(rows[1], inverse, momentum_of(table, M_Z))
    uy, roll = less(rows[2], inverse, momentum_of(table, M_Y)), less(rows[3], inverse, momentum_of(table, M_ROLL))
    add_element_force(model, state.rail[RESPONSE], i, side, ux, force[0], uz, force[2])
    add_element_force(model, state.rail[RESPONSE], i, side + 2, uy, force[1], roll, force[3])


@kernel(inline="always")
def add_element_force(model, response, i, lane, a, f, b, g):
    """Add the columns of the inverse for f a + g b on an element's values; the inner one hands its share on."""
    inner, r = f * a[6] + g * b[6], model.inner
    response[i, 3, lane] += r[6, lane] * inner
    for k in range(2):
        o = 3 * k
        add_node_force(
            model,
            response,
            i + k,
            lane,
            f * a[o] + g * b[o] - r[o, lane] * inner,
            f * a[o + 1] + g * b[o + 1] - r[o + 1, lane] * inner,
            f * a[o + 2] + g * b[o + 2] - r[o + 2, lane] * inner,
        )


@kernel(fastmath=FAST)
def add_projection(model, state, w, s, force, factor, field):
    """Add factor * M^-1 m F of a wheel at s to a nodal field (N, 3, 4)."""
    i, x = locate(model, state, s)
    lane, half = w % 2, model.spread.shape[1] // 2
    evaluate(model.loaded, x, state.loaded)
    first, last = max(0, i + 1 - half), min(field.shape[0], i + 1 + half)
    for p in range(2):
        a, b = factor * force[p], factor * force[p + 2]
        g = state.loaded[14 * p : 14 * p + 7]
        for k in range(7):
            g[k] = a * g[k] + b * state.loaded[14 * p + 7 + k]
        for j in range(first, last):
            row = model.spread[p, j - i - 1 + half]
            for c in range(4):
                field[j, c, lane + 2 * p] += dot(row[c], g)


@kernel
def age_loads(state):
    """The forces of the last step become old, those of the one before older."""
    wheel = state.wheel
    for w in range(wheel.shape[1]):
        for c in range(4):
            wheel[OLDER_FORCE, w, c] = wheel[OLD_FORCE, w, c]
            wheel[OLD_FORCE, w, c] = wheel[NEW_FORCE, w, c]
            wheel[NEW_FORCE, w, c] = 0.0
        wheel[PLACE, w, 2] = wheel[PLACE, w, 1]
        wheel[PLACE, w, 1] = wheel[PLACE, w, 0]


@kernel
def lead_velocities(model, state, factor):
    """Add factor times what makes the velocities of the projection those of the rail, which dampers feel.

    y = M^-1 m F. The step adds gamma dt (z'' - y/(beta dt^2)) to them; with (gamma/(beta dt)) (2 - r) y_old and
    -(gamma/(beta dt)) (1 - r) y_older, r = beta/gamma, they end at z' - y'.
    """
    wheel = state.wheel
    ahead = factor * model.gamma_dt / model.beta_dt2
    r = model.beta_dt2 / (model.gamma_dt * model.dt)
    for w in range(wheel.shape[1]):
        add_projection(model, state, w, wheel[PLACE, w, 1], wheel[OLD_FORCE, w], (2.0 - r) * ahead, state.rail[V])
        add_projection(model, state, w, wheel[PLACE, w, 2], wheel[OLDER_FORCE, w], (r - 1.0) * ahead, state.rail[V])


@kernel
def add_projections(model, state, factor, field):
    """Add factor * M^-1 m F of every wheel's new force to a nodal field."""
    for w in range(state.wheel.shape[1]):
        add_projection(model, state, w, state.wheel[PLACE, w, 0], state.wheel[NEW_FORCE, w], factor, field)


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
