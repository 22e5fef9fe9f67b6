"""The way out: accelerations from the middle outwards, and every node moved on by them at once.

Lanes as in flexible_chain. Kernels only.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lanes import fill_lanes, less, more, times
from flexwheel.track.flexible_chain import block, both_values, from_inner, pivoted, put, sides, twice, two
from flexwheel.track.rail_types import LOAD, LOWER, RESPONSE, WORK, D, V


@kernel
def substitute_and_move(model, state):
    """From the middle outwards: accelerations of the eliminated loads, and every node moved on by them at once."""
    d, v, y, c, place = state.rail[D], state.rail[V], state.rail[WORK], model.chain, model.place
    last, middle, bay, march = y.shape[0] - 1, y.shape[0] // 2, model.elements, _march(model)
    seats = state.sleeper[D], state.sleeper[V], state.sleeper[LOAD], model.bearing, march
    near, far = sides(model.inner)
    inner = pivoted(block(c, 144 * place[middle]), both_values(y, middle, middle))
    _move(d, v, march, middle, middle, inner)
    seat = middle // bay
    other = seat
    if seat * bay == middle:
        _move_supports(seats, seat, seat, inner)
        seat -= 1
    other += 1
    for i in range(middle - 1, -1, -1):
        j, m = last - i, 144 * place[i]
        own = from_inner(block(c, m), block(c, m + 24 * LOWER), both_values(y, i, j), inner)
        _move(d, v, march, i, j, own)
        _move_inner(d, v, march, i, j, _inner_value(two(y, 16 * i + 12, 16 * j - 4), near, own, far, inner))
        if i == seat * bay:
            _move_supports(seats, seat, other, own)
            seat, other = seat - 1, other + 1
        inner = own


@kernel
def move(model, state):
    """Every node moved on by the accelerations in RESPONSE."""
    d, v, y, x = state.rail[D], state.rail[V], state.rail[WORK], state.rail[RESPONSE]
    last, middle, bay, march = x.shape[0] - 1, x.shape[0] // 2, model.elements, _march(model)
    seats = state.sleeper[D], state.sleeper[V], state.sleeper[LOAD], model.bearing, march
    near, far = sides(model.inner)
    for i in range(middle + 1):
        j, own = last - i, both_values(x, i, last - i)
        _move(d, v, march, i, j, own)
        if i < middle:
            inner = both_values(x, i + 1, j - 1)
            _move_inner(d, v, march, i, j, _inner_value(two(y, 16 * i + 12, 16 * j - 4), near, own, far, inner))
        if i % bay == 0:
            _move_supports(seats, i // bay, j // bay, own)


@kernel(inline="always")
def _march(model):
    """RailModel.march in lanes."""
    return fill_lanes(model.march[0], 8), fill_lanes(model.march[1], 8), fill_lanes(model.march[2], 8)


@kernel(inline="always")
def _advance(d, v, march, o, p, a):
    """Displacements and velocities from o and from p on, moved on by accelerations a."""
    speed = more(two(v, o, p), march[0], a)
    moved = more(more(two(d, o, p), march[1], speed), march[2], a)
    put(v, o, p, speed)
    put(d, o, p, moved)


@kernel(inline="always")
def _move(d, v, march, i, j, x):
    """The three values of nodes i and j."""
    o, p = 16 * i, 16 * j
    _advance(d, v, march, o, p, x[0])
    _advance(d, v, march, o + 4, p + 4, x[1])
    _advance(d, v, march, o + 8, p + 8, x[2])


@kernel(inline="always")
def _inner_value(held, near, own, far, inner):
    """Acceleration of the inner value of an element: as with the nodes held, less what these take along."""
    x = less(less(less(held, near[0], own[0]), near[1], own[1]), near[2], own[2])
    return less(less(less(x, far[0], inner[0]), far[1], inner[1]), far[2], inner[2])


@kernel(inline="always")
def _move_inner(d, v, march, i, j, x):
    """The inner values of the elements inner of nodes i and j."""
    _advance(d, v, march, 16 * i + 12, 16 * j - 4, x)


@kernel(inline="always")
def _move_supports(seats, seat, other, x):
    """Semi-sleepers of two supports under the nodal accelerations x."""
    sd, sv, own, k, march = seats
    s, t = 8 * seat, 8 * other
    up = more(two(own, s, t), twice(k, 44), more(x[0], twice(k, 56), x[2]))
    _advance(sd, sv, march, s, t, times(twice(k, 40), up))
    s, t = s + 4, t + 4
    _advance(sd, sv, march, s, t, times(twice(k, 48), more(two(own, s, t), twice(k, 52), x[2])))
