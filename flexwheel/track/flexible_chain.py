"""The block-tridiagonal chain of both rails, solved from both ends towards the middle and back: two recurrences.

Factors: flexible_assembly.from_both_ends. Kernels only.
"""

from flexwheel.kernels import kernel
from flexwheel.kernels.lanes import less, more, times
from flexwheel.kernels.lanes import load as load4
from flexwheel.kernels.lanes import store as store4
from flexwheel.track.rail_types import LOWER, PIVOT, RESPONSE, WORK


@kernel
def eliminate(model, y, first, last):
    """Elimination from both ends towards the middle node, in place; loads stand on nodes first to last only."""
    c, middle = model.chain, y.shape[0] // 2
    left, right = min(first, middle), max(last, middle)
    while left < middle or right > middle:
        if left < middle:
            _onto(c, y, left, left + 1)
            left += 1
        if right > middle:
            _onto(c, y, right, right - 1)
            right -= 1


@kernel(inline="always")
def _onto(c, y, i, j):
    """y of node j less the multiplier of node i times y of node i."""
    o, m, n = 16 * i, 84 * i + 12 * LOWER, 16 * j
    a, b, e = load4(y, o), load4(y, o + 4), load4(y, o + 8)
    y0 = less(less(less(load4(y, n), load4(c, m), a), load4(c, m + 4), b), load4(c, m + 8), e)
    y1 = less(less(less(load4(y, n + 4), load4(c, m + 12), a), load4(c, m + 16), b), load4(c, m + 20), e)
    y2 = less(less(less(load4(y, n + 8), load4(c, m + 24), a), load4(c, m + 28), b), load4(c, m + 32), e)
    store4(y, n, y0)
    store4(y, n + 4, y1)
    store4(y, n + 8, y2)


@kernel
def substitute(model, y, x, first, last):
    """From the middle node to nodes first and last: accelerations x of the eliminated loads y; inner values stay."""
    c, middle = model.chain, y.shape[0] // 2
    _pivot(c, y, x, middle)
    left, right = middle, middle
    while left > first or right < last:
        if left > first:
            left -= 1
            _from(c, y, x, left, left + 1)
        if right < last:
            right += 1
            _from(c, y, x, right, right - 1)


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
def _pivot(c, y, x, i):
    """x of node i from its pivot alone."""
    o, m = 16 * i, 84 * i + 12 * PIVOT
    a, b, e = load4(y, o), load4(y, o + 4), load4(y, o + 8)
    store4(x, o, more(more(times(load4(c, m), a), load4(c, m + 4), b), load4(c, m + 8), e))
    store4(x, o + 4, more(more(times(load4(c, m + 12), a), load4(c, m + 16), b), load4(c, m + 20), e))
    store4(x, o + 8, more(more(times(load4(c, m + 24), a), load4(c, m + 28), b), load4(c, m + 32), e))
    store4(x, o + 12, load4(y, o + 12))


@kernel(inline="always")
def _from(c, y, x, i, j):
    """x of node i from its pivot and node j, which is solved."""
    o, m, w, n = 16 * i, 84 * i + 12 * PIVOT, 84 * i + 12 * LOWER, 16 * j
    a, b, e = load4(y, o), load4(y, o + 4), load4(y, o + 8)
    p, q, r = load4(x, n), load4(x, n + 4), load4(x, n + 8)
    x0 = more(more(times(load4(c, m), a), load4(c, m + 4), b), load4(c, m + 8), e)
    x1 = more(more(times(load4(c, m + 12), a), load4(c, m + 16), b), load4(c, m + 20), e)
    x2 = more(more(times(load4(c, m + 24), a), load4(c, m + 28), b), load4(c, m + 32), e)
    store4(x, o, less(less(less(x0, load4(c, w), p), load4(c, w + 12), q), load4(c, w + 24), r))
    store4(x, o + 4, less(less(less(x1, load4(c, w + 4), p), load4(c, w + 16), q), load4(c, w + 28), r))
    store4(x, o + 8, less(less(less(x2, load4(c, w + 8), p), load4(c, w + 20), q), load4(c, w + 32), r))
    store4(x, o + 12, load4(y, o + 12))
