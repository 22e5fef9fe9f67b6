"""Compass search: local minima of the vertical difference by steps along the axes, halved where none helps.

Source: Kolda, Lewis and Torczon 2003, SIAM Review 45(3); used for this problem by Falomi, Malvezzi and Meli 2011,
Wear 271. Verified in tests/assess/test_detection_verified.py.
"""

from flexwheel.contact.detection.profile_surface import surface_difference
from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel

_SIZE = 5e-4  # [m] first step
_END = 1e-5  # [m] step at which it stops
_STEPS = 400


@kernel(fastmath=FAST)
def compass_descend(pair, pose, eta):
    """End of one search from x = 0 and eta [m]: x, eta and value."""
    x = 0.0
    best = surface_difference(pair, pose, x, eta)
    step = _SIZE
    direction = 0  # 0, 1: along eta; 2, 3: along x; the last that helped is tried first
    for _ in range(_STEPS):
        moved = False
        for turn in range(4):
            way = (direction + turn) & 3
            dx = step * ((way == 2) - 1.0 * (way == 3))
            de = step * ((way == 0) - 1.0 * (way == 1))
            value = surface_difference(pair, pose, x + dx, eta + de)
            if value < best:
                best, x, eta, direction, moved = value, x + dx, eta + de, way, True
                break
        if not moved:
            step *= 0.5
            if step < _END:
                break
    return x, eta, best
