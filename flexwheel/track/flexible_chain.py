"""The block-tridiagonal chain of both rails, solved from both ends towards the middle and back: two recurrences.

Four lanes hold both rails and both planes. Over the whole track (flexible_loads, flexible_motion) both recurrences go
on together, in eight lanes: a node left of the middle in the first half, in the second its image, as far from the other
end. `inner` and `outer` are a node's sides towards the middle and towards its end. There is a middle node. Factors:
flexible_assembly.from_both_ends. Kernels only.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lanes import (
    first_half,
    joined,
    less,
    load_lanes,
    more,
    negative,
    plus,
    second_half,
    store,
    swapped,
    times,
)
from flexwheel.numerics.kernels.lanes import load as load4
from flexwheel.track.rail_types import LOWER, RESPONSE, WORK


@kernel
def eliminate(model, y, first, last):
    """Elimination from both ends towards the middle node, in place; loads stand on nodes first to last only."""
    c, place, middle = model.chain, model.place, y.shape[0] // 2
    for i in range(first, middle):
        _add(y, i + 1, onto_inner(_block_of_one(c, _factors(place, i, middle) + 24 * LOWER), _values(y, i)))
    for i in range(last, middle, -1):
        _add(y, i - 1, onto_inner(_block_of_one(c, _factors(place, i, middle) + 24 * LOWER), _values(y, i)))


@kernel
def substitute(model, y, x, first, last):
    """From the middle node to nodes first and last: accelerations x of the eliminated loads y; inner values stay."""
    c, place, middle = model.chain, model.place, y.shape[0] // 2
    own = pivoted(_block_of_one(c, 144 * place[middle]), _values(y, middle))
    _fill(x, middle, own, y)
    moved = own
    for i in range(middle - 1, first - 1, -1):
        m = _factors(place, i, middle)
        moved = from_inner(_block_of_one(c, m), _block_of_one(c, m + 24 * LOWER), _values(y, i), moved)
        _fill(x, i, moved, y)
    moved = own
    for i in range(middle + 1, last + 1):
        m = _factors(place, i, middle)
        moved = from_inner(_block_of_one(c, m), _block_of_one(c, m + 24 * LOWER), _values(y, i), moved)
        _fill(x, i, moved, y)


@kernel(inline="always")
def _fill(x, i, values, y):
    """Put three values into node i, the fourth as it is in y."""
    o = 16 * i
    store(x, o, values[0])
    store(x, o + 4, values[1])
    store(x, o + 8, values[2])
    store(x, o + 12, load4(y, o + 12))


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


@kernel(inline="always")
def two(array, o, p):
    """Four doubles from o on and four from p on."""
    return joined(load4(array, o), load4(array, p))


@kernel(inline="always")
def twice(array, o):
    """Four doubles from o on, twice."""
    return joined(load4(array, o), load4(array, o))


@kernel(inline="always")
def put(array, o, p, x):
    """Put the first half from o on, and the second from p on."""
    store(array, p, second_half(x))
    store(array, o, first_half(x))


@kernel(inline="always")
def both_values(y, i, j):
    """The three values of nodes i and j."""
    o, p = 16 * i, 16 * j
    return two(y, o, p), two(y, o + 4, p + 4), two(y, o + 8, p + 8)


@kernel(inline="always")
def _values(y, i):
    """The three values of node i."""
    return load4(y, 16 * i), load4(y, 16 * i + 4), load4(y, 16 * i + 8)


@kernel(inline="always")
def _add(y, i, x):
    """Add to the three values of node i."""
    o = 16 * i
    store(y, o, plus(load4(y, o), x[0]))
    store(y, o + 4, plus(load4(y, o + 4), x[1]))
    store(y, o + 8, plus(load4(y, o + 8), x[2]))


@kernel(inline="always")
def sides(g):
    """Rows of RailModel.inner that belong to nodal values: of a node for the element inner of it, then outer."""
    near = two(g, 0, 12), two(g, 4, 16), two(g, 8, 20)
    return near, (swapped(near[0]), swapped(near[1]), swapped(near[2]))


@kernel(inline="always")
def block(c, m):
    """A block of the factors of a node and its image."""
    return (
        load_lanes(c, m, 8),
        load_lanes(c, m + 8, 8),
        load_lanes(c, m + 16, 8),
        load_lanes(c, m + 24, 8),
        load_lanes(c, m + 32, 8),
        load_lanes(c, m + 40, 8),
        load_lanes(c, m + 48, 8),
        load_lanes(c, m + 56, 8),
        load_lanes(c, m + 64, 8),
    )


@kernel(inline="always")
def _block_of_one(c, m):
    """The same of one of them."""
    return (
        load4(c, m),
        load4(c, m + 8),
        load4(c, m + 16),
        load4(c, m + 24),
        load4(c, m + 32),
        load4(c, m + 40),
        load4(c, m + 48),
        load4(c, m + 56),
        load4(c, m + 64),
    )


@kernel(inline="always")
def _factors(place, i, middle):
    """Where the factors of one node start."""
    return 144 * place[i] + (4 if i > middle else 0)


@kernel(inline="always")
def onto_inner(m, y):
    """Minus the multiplier of a node times its eliminated load: what it adds to its neighbour towards the middle."""
    a, b, e = y
    a = negative(a)
    y0, y1, y2 = less(times(m[0], a), m[1], b), less(times(m[3], a), m[4], b), less(times(m[6], a), m[7], b)
    return less(y0, m[2], e), less(y1, m[5], e), less(y2, m[8], e)


@kernel(inline="always")
def pivoted(m, y):
    """Values of a node from its pivot alone."""
    a, b, e = y
    x0 = more(more(times(m[0], a), m[1], b), m[2], e)
    x1 = more(more(times(m[3], a), m[4], b), m[5], e)
    return x0, x1, more(more(times(m[6], a), m[7], b), m[8], e)


@kernel(inline="always")
def from_inner(pivot, m, y, x):
    """Values of a node from its pivot, its multiplier and its neighbour towards the middle, which is solved."""
    x0, x1, x2 = pivoted(pivot, y)
    p, q, r = x
    x0 = less(less(less(x0, m[0], p), m[3], q), m[6], r)
    x1 = less(less(less(x1, m[1], p), m[4], q), m[7], r)
    return x0, x1, less(less(less(x2, m[2], p), m[5], q), m[8], r)
