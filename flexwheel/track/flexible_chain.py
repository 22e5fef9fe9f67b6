"""The block-tridiagonal chain of both rails, solved from both ends towards the middle and back: two recurrences.

On the way in the loads of elements, fasteners, semi-sleepers and absorbing layers come about node by node; on the way
out every node moves on to the values predicted for the next step. So the rails are read twice a step. Four lanes
everywhere: both rails and both planes. Factors: flexible_assembly.from_both_ends. Kernels only.
"""

from flexwheel.kernels import kernel
from flexwheel.kernels.lanes import fill, less, minus, more, plus, times
from flexwheel.kernels.lanes import load as load4
from flexwheel.kernels.lanes import store as store4
from flexwheel.track.rail_types import (
    FIRST,
    INNER,
    LAST,
    LOAD,
    LOWER,
    PIVOT,
    RAIL_DAMPING,
    RESPONSE,
    UPPER,
    WORK,
    D,
    V,
)


@kernel
def eliminate_loads(model, state):
    """Loads -K d - C v of the nodes, eliminated from both ends towards the middle, in WORK, with those of inner values.

    Loads of inner values are accelerations with the nodes held; those of the semi-sleepers stay in their LOAD.
    """
    d, v, y, chain, place = state.rail[D], state.rail[V], state.rail[WORK], model.chain, model.place
    last, middle, bay = y.shape[0] - 1, y.shape[0] // 2, model.elements
    c = fill(model.section[RAIL_DAMPING])
    k, spring, held = _constants(model), load4(model.inner, 28), load4(model.inner, 24)
    seats = d, v, state.sleeper[D], state.sleeper[V], state.sleeper[LOAD], state.correction, model.bearing
    layers = v, model.layer, model.node_mass
    rest = fill(0.0), fill(0.0), fill(0.0), fill(0.0)
    left, right = _strain(d, v, c, spring, 0), _strain(d, v, c, spring, last)
    behind, ahead = rest, rest
    onto_left, onto_right = _beyond(model.stiffness, LAST, left), _beyond(model.stiffness, FIRST, right)
    seat, other = 0, state.sleeper.shape[1] - 1
    for i in range(middle):
        following = _strain(d, v, c, spring, i + 1)
        load = _bend(k, behind, left, following, onto_left)
        if i == seat * bay:
            load = _bear(seats, i, seat, load)
            seat += 1
        load = _absorb(layers, i, load)
        _keep(y, i, load, times(held, left[3]))
        onto_left = _onto(chain, place[i], load)
        behind, left = left, following
        j = last - i
        if j > middle:
            following = _strain(d, v, c, spring, j - 1)
            load = _bend(k, following, right, ahead, onto_right)
            if j == other * bay:
                load = _bear(seats, j, other, load)
                other -= 1
            load = _absorb(layers, j, load)
            _keep(y, j, load, times(held, right[3]))
            onto_right = _onto(chain, place[j], load)
            ahead, right = right, following
    load = _bend(k, behind, left, ahead, onto_left)
    load = plus(load[0], onto_right[0]), plus(load[1], onto_right[1]), plus(load[2], onto_right[2])
    if middle == seat * bay:
        load = _bear(seats, middle, seat, load)
    _keep(y, middle, _absorb(layers, middle, load), times(held, left[3]))


@kernel(inline="always")
def _constants(model):
    """Rail stiffness on the diagonal and above it, where it is not zero, and what nodes take of inner values."""
    k, g, at, up = model.stiffness, model.inner, 36 * INNER, 36 * UPPER
    own = load4(k, at), load4(k, at + 16), load4(k, at + 32)
    upper = load4(k, up), load4(k, up + 4), load4(k, up + 12), load4(k, up + 16), load4(k, up + 32)
    return own, upper, _six(g)


@kernel(inline="always")
def _six(g):
    """Rows of RailModel.inner that belong to nodal values."""
    return load4(g, 0), load4(g, 4), load4(g, 8), load4(g, 12), load4(g, 16), load4(g, 20)


@kernel(inline="always")
def _strain(d, v, c, spring, i):
    """d + c v of node i, and minus the load that this is for the inner value of the element behind it."""
    o = 16 * i
    e0, e1 = more(load4(d, o), c, load4(v, o)), more(load4(d, o + 4), c, load4(v, o + 4))
    e2, e3 = more(load4(d, o + 8), c, load4(v, o + 8)), more(load4(d, o + 12), c, load4(v, o + 12))
    return e0, e1, e2, times(spring, e3)


@kernel(inline="always")
def _bend(k, before, own, after, onto):
    """Load of a node from the rail, inner values eliminated, and `onto`; bending and bar do not couple in stiffness."""
    (k00, k11, k22), (u00, u01, u10, u11, u22), (g0, g1, g2, g3, g4, g5) = k
    w0, w1, w2, b = before
    h0, h1, h2, a = own
    e0, e1, e2, _ = after
    r0 = less(less(less(less(onto[0], k00, h0), u00, e0), u01, e1), u00, w0)
    r1 = less(less(less(less(onto[1], k11, h1), u10, e0), u11, e1), u01, w0)
    r2 = less(less(less(onto[2], k22, h2), u22, e2), u22, w2)
    r0 = more(more(less(r0, u10, w1), g0, a), g3, b)
    r1 = more(more(less(r1, u11, w1), g1, a), g4, b)
    return r0, r1, more(more(r2, g2, a), g5, b)


@kernel(inline="always")
def _beyond(stiffness, row, e):
    """Load of the element that an end node does not have, taken away."""
    m = 36 * row
    r0 = more(more(times(load4(stiffness, m), e[0]), load4(stiffness, m + 4), e[1]), load4(stiffness, m + 8), e[2])
    m += 12
    r1 = more(more(times(load4(stiffness, m), e[0]), load4(stiffness, m + 4), e[1]), load4(stiffness, m + 8), e[2])
    m += 12
    r2 = more(more(times(load4(stiffness, m), e[0]), load4(stiffness, m + 4), e[1]), load4(stiffness, m + 8), e[2])
    return r0, r1, r2


@kernel(inline="always")
def _bear(seats, i, j, load):
    """Load of node i with the fastener and the condensed semi-sleeper of support j."""
    d, v, sd, sv, own, extra, k = seats
    s = 8 * j
    d0, d1, d2 = _values(d, i)
    v0, v1, v2 = _values(v, i)
    s0, s1, t0, t1 = load4(sd, s), load4(sd, s + 4), load4(sv, s), load4(sv, s + 4)
    arm, along = load4(k, 56), load4(k, 60)
    f = times(load4(k, 0), minus(more(d0, arm, d2), s0))
    f = plus(more(f, load4(k, 4), minus(more(v0, arm, v2), t0)), load4(extra, 4 * j))
    r = less(less(plus(f, load4(own, s)), load4(k, 24), s0), load4(k, 28), t0)
    r = minus(r, load4(extra, 4 * (own.shape[0] + j)))
    store4(own, s, r)
    f = less(f, times(load4(k, 40), load4(k, 44)), r)
    g = times(load4(k, 8), minus(more(d2, along, d1), s1))
    g = more(g, load4(k, 12), minus(more(v2, along, v1), t1))
    r = less(less(plus(g, load4(own, s + 4)), load4(k, 32), s1), load4(k, 36), t1)
    store4(own, s + 4, r)
    g = less(g, times(load4(k, 48), load4(k, 52)), r)
    turned = less(less(less(load[1], along, g), load4(k, 16), d1), load4(k, 20), v1)
    return minus(load[0], f), turned, less(minus(load[2], g), arm, f)


@kernel(inline="always")
def _absorb(layers, i, load):
    """Load of node i with the dampers of an absorbing layer."""
    v, rate, mass = layers
    if rate[i] != 0.0:
        c, o = fill(rate[i]), 16 * i
        r0 = less(load[0], times(c, load4(mass, 0)), load4(v, o))
        r1 = less(load[1], times(c, load4(mass, 4)), load4(v, o + 4))
        load = r0, r1, less(load[2], times(c, load4(mass, 8)), load4(v, o + 8))
    return load


@kernel(inline="always")
def _keep(y, i, load, inner):
    """Put the load of a node and minus that of the inner value of the element behind it into row i."""
    o = 16 * i
    store4(y, o, load[0])
    store4(y, o + 4, load[1])
    store4(y, o + 8, load[2])
    store4(y, o + 12, minus(fill(0.0), inner))


@kernel(inline="always")
def _onto(c, row, y):
    """Minus the multiplier of a node times its eliminated load: what it adds to its neighbour towards the middle."""
    m, zero = 72 * row + 12 * LOWER, fill(0.0)
    a, b, e = y
    y0 = less(less(less(zero, load4(c, m), a), load4(c, m + 4), b), load4(c, m + 8), e)
    y1 = less(less(less(zero, load4(c, m + 12), a), load4(c, m + 16), b), load4(c, m + 20), e)
    y2 = less(less(less(zero, load4(c, m + 24), a), load4(c, m + 28), b), load4(c, m + 32), e)
    return y0, y1, y2


@kernel
def eliminate(model, y, first, last):
    """Elimination from both ends towards the middle node, in place; loads stand on nodes first to last only."""
    c, place, middle = model.chain, model.place, y.shape[0] // 2
    for i in range(first, middle):
        _add(y, i + 1, _onto(c, place[i], _values(y, i)))
    for i in range(last, middle, -1):
        _add(y, i - 1, _onto(c, place[i], _values(y, i)))


@kernel(inline="always")
def _values(y, i):
    """The three values of node i."""
    return load4(y, 16 * i), load4(y, 16 * i + 4), load4(y, 16 * i + 8)


@kernel(inline="always")
def _add(y, i, x):
    """Add to the three values of node i."""
    o = 16 * i
    store4(y, o, plus(load4(y, o), x[0]))
    store4(y, o + 4, plus(load4(y, o + 4), x[1]))
    store4(y, o + 8, plus(load4(y, o + 8), x[2]))


@kernel(inline="always")
def _pivot(c, row, y):
    """Values of a node from its pivot alone."""
    m = 72 * row + 12 * PIVOT
    a, b, e = y
    x0 = more(more(times(load4(c, m), a), load4(c, m + 4), b), load4(c, m + 8), e)
    x1 = more(more(times(load4(c, m + 12), a), load4(c, m + 16), b), load4(c, m + 20), e)
    x2 = more(more(times(load4(c, m + 24), a), load4(c, m + 28), b), load4(c, m + 32), e)
    return x0, x1, x2


@kernel(inline="always")
def _from(c, row, y, x):
    """Values of a node from its pivot and its neighbour towards the middle, which is solved."""
    w = 72 * row + 12 * LOWER
    x0, x1, x2 = _pivot(c, row, y)
    p, q, r = x
    x0 = less(less(less(x0, load4(c, w), p), load4(c, w + 12), q), load4(c, w + 24), r)
    x1 = less(less(less(x1, load4(c, w + 4), p), load4(c, w + 16), q), load4(c, w + 28), r)
    x2 = less(less(less(x2, load4(c, w + 8), p), load4(c, w + 20), q), load4(c, w + 32), r)
    return x0, x1, x2


@kernel
def substitute(model, y, x, first, last):
    """From the middle node to nodes first and last: accelerations x of the eliminated loads y; inner values stay."""
    c, place, middle = model.chain, model.place, y.shape[0] // 2
    own = _pivot(c, place[middle], _values(y, middle))
    _put(x, middle, own, y)
    moved = own
    for i in range(middle - 1, first - 1, -1):
        moved = _from(c, place[i], _values(y, i), moved)
        _put(x, i, moved, y)
    moved = own
    for i in range(middle + 1, last + 1):
        moved = _from(c, place[i], _values(y, i), moved)
        _put(x, i, moved, y)


@kernel(inline="always")
def _put(x, i, values, y):
    """Put three values into node i, the fourth as it is in y."""
    o = 16 * i
    store4(x, o, values[0])
    store4(x, o + 4, values[1])
    store4(x, o + 8, values[2])
    store4(x, o + 12, load4(y, o + 12))


@kernel
def solve_about_wheels(model, state):
    """Accelerations free of contact where the wheels stood at the last step, and a bay around."""
    first, last = state.rail.shape[1] - 1, 0
    for w in range(state.seat.shape[1]):
        first, last = min(first, state.seat[0, w]), max(last, state.seat[0, w])
    first, last = max(first - model.elements, 0), min(last + model.elements + 1, state.rail.shape[1] - 1)
    substitute(model, state.rail[WORK], state.rail[RESPONSE], first, last)
    middle = state.rail.shape[1] // 2
    state.solved[0], state.solved[1] = min(first, middle), max(last, middle)


@kernel
def solve_at(model, state, i):
    """Accelerations free of contact at element i too."""
    if i < state.solved[0] or i + 1 > state.solved[1]:
        last = state.rail.shape[1] - 1
        substitute(model, state.rail[WORK], state.rail[RESPONSE], 0, last)
        state.solved[0], state.solved[1] = 0, last


@kernel
def substitute_and_move(model, state):
    """From the middle outwards: accelerations of the eliminated loads, and every node moved on by them at once."""
    y, c, place = state.rail[WORK], model.chain, model.place
    last, middle, bay = y.shape[0] - 1, y.shape[0] // 2, model.elements
    rails = state.rail[D], state.rail[V], _march(model)
    seats = state.sleeper[D], state.sleeper[V], state.sleeper[LOAD], model.bearing, rails[2]
    g = _six(model.inner)
    own = _pivot(c, place[middle], _values(y, middle))
    _move(rails, 16 * middle, own)
    seat = middle // bay
    other = seat + 1
    if seat * bay == middle:
        _move_support(seats, seat, own)
        seat -= 1
    left, right = own, own
    for k in range(1, middle + 1):
        i, j = middle - k, middle + k
        own = _from(c, place[i], _values(y, i), left)
        _move_inner(rails, y, i, g, own, left)
        _move(rails, 16 * i, own)
        if i == seat * bay:
            _move_support(seats, seat, own)
            seat -= 1
        left = own
        if j <= last:
            own = _from(c, place[j], _values(y, j), right)
            _move_inner(rails, y, j - 1, g, right, own)
            _move(rails, 16 * j, own)
            if j == other * bay:
                _move_support(seats, other, own)
                other += 1
            right = own


@kernel
def move(model, state):
    """Every node moved on by the accelerations in RESPONSE."""
    x, y, last, bay = state.rail[RESPONSE], state.rail[WORK], state.rail.shape[1] - 1, model.elements
    rails = state.rail[D], state.rail[V], _march(model)
    seats = state.sleeper[D], state.sleeper[V], state.sleeper[LOAD], model.bearing, rails[2]
    g = _six(model.inner)
    for i in range(last + 1):
        own = _values(x, i)
        _move(rails, 16 * i, own)
        if i < last:
            _move_inner(rails, y, i, g, own, _values(x, i + 1))
        if i % bay == 0:
            _move_support(seats, i // bay, own)


@kernel(inline="always")
def _march(model):
    """RailModel.march in lanes."""
    return fill(model.march[0]), fill(model.march[1]), fill(model.march[2])


@kernel(inline="always")
def _advance(d, v, march, o, a):
    """Displacements and velocities from o on, moved on by accelerations a."""
    speed = more(load4(v, o), march[0], a)
    store4(v, o, speed)
    store4(d, o, more(more(load4(d, o), march[1], speed), march[2], a))


@kernel(inline="always")
def _move(rails, o, x):
    """A node's three values, from o on."""
    d, v, march = rails
    _advance(d, v, march, o, x[0])
    _advance(d, v, march, o + 4, x[1])
    _advance(d, v, march, o + 8, x[2])


@kernel(inline="always")
def _move_inner(rails, y, i, g, near, far):
    """The inner value of the element behind node i: as with the nodes held, less what these take along."""
    d, v, march = rails
    inner = less(less(less(load4(y, 16 * i + 12), g[0], near[0]), g[1], near[1]), g[2], near[2])
    inner = less(less(less(inner, g[3], far[0]), g[4], far[1]), g[5], far[2])
    _advance(d, v, march, 16 * i + 12, inner)


@kernel(inline="always")
def _move_support(seats, j, x):
    """Semi-sleepers of support j under the nodal accelerations x."""
    sd, sv, own, k, march = seats
    up = more(load4(own, 8 * j), load4(k, 44), more(x[0], load4(k, 56), x[2]))
    _advance(sd, sv, march, 8 * j, times(load4(k, 40), up))
    _advance(sd, sv, march, 8 * j + 4, times(load4(k, 48), more(load4(own, 8 * j + 4), load4(k, 52), x[2])))
