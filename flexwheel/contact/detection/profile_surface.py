"""The vertical difference over the whole wheel surface, eq 20, for the searches in two dimensions.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, eqs (5), (6), (19), (20).
"""

import math

from flexwheel.contact.detection.locus import OFF, rail_section, wheel_section
from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel


@kernel(fastmath=FAST, forceinline=True)
def surface_place(pair, pose, x, eta):
    """y, z [m] of the wheel's lower surface at (x, eta) in the wheelset's axes; y is OFF beyond the wheel."""
    r = pose.radius + wheel_section(pair, eta)[0]
    square = r * r - x * x
    wheel_end = pair.wheel_start + (pair.wheel.shape[0] - 1) / pair.inverse_step
    if square <= 0.0 or eta < pair.wheel_start or eta > wheel_end:
        return OFF, 0.0
    up = pose.radius - math.sqrt(square)  # 003 (5)
    y = pose.y + pose.sin_yaw * x + pose.cos_yaw * (pose.cos_roll * eta - pose.sin_roll * up)  # 003 (6)
    return y, pose.z + pose.sin_roll * eta + pose.cos_roll * up


@kernel(fastmath=FAST, forceinline=True)
def surface_difference(pair, pose, x, eta):
    """Vertical difference [m] of the wheel's lower surface at (x, eta) in the wheelset's axes; OFF beside the rail."""
    y, z = surface_place(pair, pose, x, eta)
    return z - rail_section(pair, y)[0] if pair.rail_start <= y <= pair.rail_end else OFF  # 003 (19), (20)
