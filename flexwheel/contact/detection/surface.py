"""The vertical difference over the whole wheel surface, eq 20, for the searches in two dimensions.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, eqs (5), (6), (19), (20).
"""

import math

from flexwheel.contact.detection.locus import OFF, height_and_slope
from flexwheel.contact.gap import FAST
from flexwheel.kernels import kernel

START_SPACING = 4e-3  # [m] between the starts of a search
EDGE = 1e-4  # [m] a search that ends this near to the edge has found no minimum
SAME = 1e-3  # [m] two ends of searches nearer than this are one minimum


@kernel(fastmath=FAST, forceinline=True)
def surface_difference(wheel, rail, pair, pose, x, eta):
    """Vertical difference [m] of the wheel's lower surface at (x, eta) in the wheelset's axes; OFF beside the rail."""
    r = pose.radius + height_and_slope(wheel, pair.wheel_start, pair.inverse_step, eta)[0]
    square = r * r - x * x
    wheel_end = pair.wheel_start + (wheel.shape[0] - 1) / pair.inverse_step
    if square <= 0.0 or eta < pair.wheel_start or eta > wheel_end:
        return OFF
    up = pose.radius - math.sqrt(square)  # 003 (5)
    y = pose.y + pose.sin_yaw * x + pose.cos_yaw * (pose.cos_roll * eta - pose.sin_roll * up)  # 003 (6)
    if y < pair.rail_start or y > pair.rail_end:
        return OFF
    z = pose.z + pose.sin_roll * eta + pose.cos_roll * up
    return z - height_and_slope(rail, pair.rail_start, pair.inverse_step, y)[0]  # 003 (19), (20)


@kernel(fastmath=FAST)
def keep_minimum(wheel, rail, pair, pose, x, eta, value, reach, places, values, count):
    """Enter the end of a search among the minima, ascending, unless it is at the rail's edge or known already.

    Returns
    -------
    int        number of minima; places.size + 1 when there are more than fit
    """
    for side in (-reach, reach):
        if surface_difference(wheel, rail, pair, pose, x, eta + side) == OFF:
            return count
    for k in range(min(count, places.size)):
        if abs(places[k] - eta) < SAME:
            if value < values[k]:
                places[k], values[k] = eta, value
            return count
    if count >= places.size:
        return places.size + 1
    k = count
    while k > 0 and places[k - 1] > eta:
        places[k], values[k] = places[k - 1], values[k - 1]
        k -= 1
    places[k], values[k] = eta, value
    return count + 1
