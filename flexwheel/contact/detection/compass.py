"""Compass search: local minima of the vertical difference by steps along the axes, halved where none helps.

Source: Kolda, Lewis and Torczon 2003, SIAM Review 45(3); used for this problem by Falomi, Malvezzi and Meli 2011,
Wear 271. Verified in tests/verification/test_detection.py.
"""

from flexwheel.contact.detection.locus import first_and_last_node
from flexwheel.contact.detection.surface import EDGE, START_SPACING, keep_minimum, surface_difference
from flexwheel.contact.gap import FAST
from flexwheel.kernels import kernel

_SIZE = 5e-4  # [m] first step
_END = 1e-5  # [m] step at which it stops
_STEPS = 400


@kernel(fastmath=FAST)
def _descend(wheel, rail, pair, pose, x, eta):
    """End of one search: x, eta and value."""
    best = surface_difference(wheel, rail, pair, pose, x, eta)
    step = _SIZE
    direction = 0  # 0, 1: along eta; 2, 3: along x; the last that helped is tried first
    for _ in range(_STEPS):
        moved = False
        for turn in range(4):
            way = (direction + turn) & 3
            dx = step * ((way == 2) - 1.0 * (way == 3))
            de = step * ((way == 0) - 1.0 * (way == 1))
            value = surface_difference(wheel, rail, pair, pose, x + dx, eta + de)
            if value < best:
                best, x, eta, direction, moved = value, x + dx, eta + de, way, True
                break
        if not moved:
            step *= 0.5
            if step < _END:
                break
    return x, eta, best


@kernel(fastmath=FAST)
def compass_minima(tables, pose, places, values):
    """Local minima of the vertical difference by compass searches; arguments and result as `simplex_minima`."""
    wheel, rail, pair = tables.wheel, tables.rail, tables.pair
    first, last = first_and_last_node(wheel, pair, pose)
    low = pair.wheel_start + first / pair.inverse_step
    high = pair.wheel_start + last / pair.inverse_step
    count = 0
    for k in range(int((high - low) / START_SPACING)):
        x, eta, value = _descend(wheel, rail, pair, pose, 0.0, low + (k + 0.5) * START_SPACING)
        count = keep_minimum(wheel, rail, pair, pose, x, eta, value, EDGE, places, values, count)
    return count
