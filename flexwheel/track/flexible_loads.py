"""The way in: loads of elements, fasteners, semi-sleepers and absorbing layers, node by node, eliminated at once.

With the way out (flexible_motion) the rails are read twice a step. Lanes as in flexible_chain. Kernels only.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lanes import fill, fill_lanes, joined, less, minus, more, plus, swapped, times
from flexwheel.track.flexible_chain import block, both_values, onto_inner, put, sides, twice, two
from flexwheel.track.rail_types import FIRST, INNER, LAST, LOAD, LOWER, RAIL_DAMPING, UPPER, WORK, D, V


@kernel
def eliminate_loads(model, state):
    """Loads -K d - C v of the nodes, eliminated from both ends towards the middle, in WORK, with those of inner values.

    Loads of inner values are accelerations with the nodes held; those of the semi-sleepers stay in their LOAD.
    """
    d, v, y, chain, place = state.rail[D], state.rail[V], state.rail[WORK], model.chain, model.place
    last, middle, bay = y.shape[0] - 1, y.shape[0] // 2, model.elements
    c = fill_lanes(model.section[RAIL_DAMPING], 8)
    k, spring, held = _constants(model), twice(model.inner, 28), minus(fill_lanes(0.0, 8), twice(model.inner, 24))
    seats = d, v, state.sleeper[D], state.sleeper[V], state.sleeper[LOAD], state.correction, model.bearing
    layers = v, model.layer, model.node_mass
    outer = fill_lanes(0.0, 8), fill_lanes(0.0, 8), fill_lanes(0.0, 8), fill_lanes(0.0, 8)
    own = _strain(d, v, c, spring, 0, last)
    onto = _beyond(model.stiffness, own)
    onto = onto[0], onto[1], less(onto[2], twice(model.ends, 0), two(v, 8, 16 * last + 8))
    seat, other = 0, state.sleeper.shape[1] - 1
    for i in range(middle):
        j = last - i
        inner = _strain(d, v, c, spring, i + 1, j - 1)
        load = _absorb(layers, i, j, _bend(k, outer, own, inner))
        if i == seat * bay:
            load = _bear(seats, i, j, seat, other, load)
            seat, other = seat + 1, other - 1
        load = plus(load[0], onto[0]), plus(load[1], onto[1]), plus(load[2], onto[2])
        _keep(y, i, j, load)
        put(y, 16 * i + 12, 16 * j - 4, times(held, own[3]))
        onto = onto_inner(block(chain, 144 * place[i] + 24 * LOWER), load)
        outer, own = own, inner
    load = _bend(k, outer, own, (swapped(outer[0]), swapped(outer[1]), swapped(outer[2])))
    load = _absorb(layers, middle, middle, load)
    if middle == seat * bay:
        load = _bear(seats, middle, middle, seat, seat, load)
    r0, r1, r2 = plus(load[0], onto[0]), plus(load[1], onto[1]), plus(load[2], onto[2])
    _keep(y, middle, middle, (plus(r0, swapped(onto[0])), plus(r1, swapped(onto[1])), plus(r2, swapped(onto[2]))))


@kernel(inline="always")
def _constants(model):
    """Rail stiffness on the diagonal and above it, where it is not zero, and what nodes take of inner values.

    Between a node's deflection and its neighbours' rotations, inner and outer ones: turned round their sign changes.
    """
    k, at, up = model.stiffness, 36 * INNER, 36 * UPPER
    own = twice(k, at), twice(k, at + 16), twice(k, at + 32)
    upper = twice(k, up), twice(k, up + 16), twice(k, up + 32)
    return own, upper, two(k, up + 4, up + 12), two(k, up + 12, up + 4), sides(model.inner)


@kernel(inline="always")
def _strain(d, v, c, spring, i, j):
    """d + c v of nodes i and j, and minus the load that this is for the inner value of the element inner of them."""
    o, p = 16 * i, 16 * j
    e0 = more(two(d, o, p), c, two(v, o, p))
    e1 = more(two(d, o + 4, p + 4), c, two(v, o + 4, p + 4))
    e2 = more(two(d, o + 8, p + 8), c, two(v, o + 8, p + 8))
    return e0, e1, e2, times(spring, more(two(d, o + 12, p - 4), c, two(v, o + 12, p - 4)))


@kernel(inline="always")
def _bend(k, outer, own, inner):
    """Load of a node from the rail, inner values eliminated; bending and bar do not couple in stiffness."""
    (k00, k11, k22), (u00, u11, u22), to, fro, (near, far) = k
    w0, w1, w2, b = outer
    h0, h1, h2, a = own
    e0, e1, e2 = inner[0], inner[1], inner[2]
    r0 = less(less(times(near[0], a), k00, h0), u00, plus(e0, w0))
    r1 = less(less(times(near[1], a), k11, h1), u11, plus(e1, w1))
    r2 = less(less(times(near[2], a), k22, h2), u22, plus(e2, w2))
    r0 = more(less(less(r0, to, e1), fro, w1), far[0], b)
    r1 = more(less(less(r1, fro, e0), to, w0), far[1], b)
    return r0, r1, more(r2, far[2], b)


@kernel(inline="always")
def _beyond(k, e):
    """Load of the element that an end node does not have, taken away."""
    o, p = 36 * LAST, 36 * FIRST
    r0 = more(more(times(two(k, o, p), e[0]), two(k, o + 4, p + 4), e[1]), two(k, o + 8, p + 8), e[2])
    o, p = o + 12, p + 12
    r1 = more(more(times(two(k, o, p), e[0]), two(k, o + 4, p + 4), e[1]), two(k, o + 8, p + 8), e[2])
    o, p = o + 12, p + 12
    r2 = more(more(times(two(k, o, p), e[0]), two(k, o + 4, p + 4), e[1]), two(k, o + 8, p + 8), e[2])
    return r0, r1, r2


@kernel(inline="always")
def _bear(seats, i, j, seat, other, load):
    """Load of nodes i and j with the fasteners and the condensed semi-sleepers of two supports."""
    d, v, sd, sv, own, extra, bearing = seats
    s, t, n = 8 * seat, 8 * other, 4 * own.shape[0]
    d0, d1, d2 = both_values(d, i, j)
    v0, v1, v2 = both_values(v, i, j)
    arm, along = twice(bearing, 56), twice(bearing, 60)
    s0, t0 = two(sd, s, t), two(sv, s, t)
    f = times(twice(bearing, 0), minus(more(d0, arm, d2), s0))
    f = plus(more(f, twice(bearing, 4), minus(more(v0, arm, v2), t0)), two(extra, 4 * seat, 4 * other))
    r = less(less(plus(f, two(own, s, t)), twice(bearing, 24), s0), twice(bearing, 28), t0)
    r = minus(r, two(extra, n + 4 * seat, n + 4 * other))
    put(own, s, t, r)
    f = less(f, times(twice(bearing, 40), twice(bearing, 44)), r)
    s, t = s + 4, t + 4
    s1, t1 = two(sd, s, t), two(sv, s, t)
    g = times(twice(bearing, 8), minus(more(d2, along, d1), s1))
    g = more(g, twice(bearing, 12), minus(more(v2, along, v1), t1))
    r = less(less(plus(g, two(own, s, t)), twice(bearing, 32), s1), twice(bearing, 36), t1)
    put(own, s, t, r)
    g = less(g, times(twice(bearing, 48), twice(bearing, 52)), r)
    turned = less(less(less(load[1], along, g), twice(bearing, 16), d1), twice(bearing, 20), v1)
    return minus(load[0], f), turned, less(minus(load[2], g), arm, f)


@kernel(inline="always")
def _absorb(layers, i, j, load):
    """Load of nodes i and j with the dampers of an absorbing layer."""
    v, rate, mass = layers
    if rate[i] != 0.0 or rate[j] != 0.0:
        v0, v1, v2 = both_values(v, i, j)
        c = joined(fill(rate[i]), fill(rate[j]))
        r0 = less(load[0], times(c, twice(mass, 0)), v0)
        r1 = less(load[1], times(c, twice(mass, 4)), v1)
        load = r0, r1, less(load[2], times(c, twice(mass, 8)), v2)
    return load


@kernel(inline="always")
def _keep(y, i, j, x):
    """Put the three values of nodes i and j."""
    o, p = 16 * i, 16 * j
    put(y, o, p, x[0])
    put(y, o + 4, p + 4, x[1])
    put(y, o + 8, p + 8, x[2])
