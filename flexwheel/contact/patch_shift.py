"""How a patch moves over both profiles with the wheel's pose, and the tangents that come of it.

Pressed deeper, or tilted, the overlap of the strips changes, and with it the centre of the load and the direction of
the contact plane: to first order, for a zone that keeps its share of the depth. Verified in
tests/contact/test_contact_wrench.py.
"""

from typing import NamedTuple

from flexwheel.contact.gap import FAST
from flexwheel.contact.patch import NORMAL
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes


class PatchShift(NamedTuple):
    """How a patch moves on the wheel, and its load changes, per approach [m] and per tilt [rad] of wheel against rail.

    A tilt turns the wheel onto the side of larger s. The angle is that of the contact plane.
    """

    along_by_press: float  # of the centre of the load, along the rail
    across_by_press: float  # in the contact plane
    turn_by_press: float  # [rad/m]
    along_by_tilt: float  # [m/rad]
    across_by_tilt: float
    turn_by_tilt: float
    load_by_tilt: float  # [1/rad] over the load
    skew: float  # way of the strips' middles along the rail per way across
    curvature: float  # [1/m] of the rail's cross-section: its angle per way across
    known: float  # 0: all the others are 0, of a normal law whose strips are not those of zones
    BY_VALUE = True


UNKNOWN = PatchShift(*[0.0] * len(PatchShift._fields))


@kernel(fastmath=FAST)
def patch_shift(strip, normal, depth):
    """PatchShift of a patch.

    strip : (12, n) its strips    normal : (12,) NORMAL    depth : float [m]   largest overlap
    """
    row = strip.shape[1]
    x, slope, turn = normal[NORMAL.x], normal[NORMAL.sine] / normal[NORMAL.cosine], normal[NORMAL.cosine] ** 2
    one, high, far, square = fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    ahead, lean = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    ahead_far, lean_far = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    for j in range(0, int(normal[NORMAL.strips]), 16):
        w, s = load_lanes(strip, STRIP.width * row + j, 16), load_lanes(strip, STRIP.s * row + j, 16)
        along = load_lanes(strip, STRIP.x * row + j, 16) - x
        angle = load_lanes(strip, STRIP.direction * row + j, 16) - slope
        one += w
        high += w * load_lanes(strip, STRIP.excess * row + j, 16)
        ahead += w * along
        lean += w * angle
        w *= s
        far += w
        square += w * s
        ahead_far += w * along
        lean_far += w * angle
    width, load, first, second = total(one), total(high) + 1e-300, total(far), total(square)
    a, b, c, d = total(ahead), total(lean) * turn, total(ahead_far), total(lean_far) * turn
    each, middle = 1.0 / load, first / (width + 1e-300)
    press = each * min(1.5 * load / (width * depth), 1.0)  # share of the depth that the zone has, were it a parabola
    spread = second - first * middle + 1e-300
    # the mean of both profiles' curvatures less half of what they differ by, for which the zone is as wide as it is
    curvature = (d - b * middle) / spread - 0.5 * load / (second + 1e-300)
    return PatchShift(
        press * a, press * first, press * b, each * c, each * second, each * d,
        each * first / 3.0, (c - a * middle) / spread, curvature, 1.0,
    )  # fmt: skip
