"""Ellipse of Hertz as strips, with curvature, place and slope averaged over the overlap above half of its depth.

At the first-touch point itself the curvature jumps where arcs of the profiles join, and the force with it; the
parabola with the area of the overlap above half of its depth has the curvature there on constant ones, and a
continuous one on others.
"""

import math

from flexwheel.contact.gap import FAST
from flexwheel.contact.log_table import log_table_2
from flexwheel.contact.normal import NormalLaw
from flexwheel.contact.patch import NormalContact
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import (
    CLOSE,
    MEASURED,
    STRIP,
    displacement_line,
    fill_zone,
    singular_sum,
    zone_parts,
)
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store


@kernel(fastmath=FAST)
def hertz(law, pair, pose, sampled, peaks, region, parts, strip):
    """Patch of Hertz (module text); as NormalLaw.patch."""
    level = (1.0 - MEASURED) * region[REGION.depth]
    count = zone_parts(pair, pose, sampled, peaks, region, level, parts)
    return _ellipse(law, pair, pose, level, parts, count, strip, region[REGION.depth])


@kernel(fastmath=FAST)
def _ellipse(law, pair, pose, level, parts, count, strip, h):
    """Ellipse of the overlap above `level` [m] in the parts of a zone, at an approach h [m]."""
    nodes = law.nodes
    found = fill_zone(pair, pose, level, parts, count, nodes, strip)
    x, y, z = found.x, found.y, found.z
    if found.weight <= 0.0:
        return NormalContact(0.0, 0.0, 0.0, x, y, z, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    arc = math.sqrt(1.0 + found.slope * found.slope)
    A = 0.5 * found.bend / (arc * (pose.radius + pose.z - z))
    B = MEASURED * h / (0.75 * found.weight / (MEASURED * h) + 1e-9) ** 2
    eps_y, stretch = log_table_2(law.zone, math.log(A / B))
    b = math.sqrt(eps_y * h / B)
    a = stretch * math.sqrt(eps_y * h / A)
    n, row, seen = nodes.place.size, strip.shape[1], fill_lanes(0.0, 16)
    singular = 2.0 * a * b * nodes.angle * singular_sum(nodes, 0.5)
    for j in range(0, n, 16):
        u = 2.0 * load_lanes(nodes.place, j, 16) - 1.0
        root, half = 2.0 * b * load_lanes(nodes.root, j, 16), a * math.sqrt(1.0 - u * u)
        store(strip, STRIP.s * row + j, b * u)
        store(strip, STRIP.width * row + j, 2.0 * b * load_lanes(nodes.width, j, 16))
        store(strip, STRIP.offset * row + j, fill_lanes(0.0, 16))
        store(strip, STRIP.half * row + j, half)
        seen += displacement_line(half, max(abs(b * u), CLOSE * b)) * root
    factor = math.pi * law.contact_modulus * h / (total(seen) + singular)
    normal_force = 2.0 / 3.0 * math.pi * factor * a * a * b
    return NormalContact(
        normal_force,
        factor,
        1.5 * normal_force / h,
        x,
        y,
        z,
        1.0 / arc,
        found.slope / arc,
        a,
        b,
        math.pi * a * b,
        float(n),
    )


HERTZ = NormalLaw("hertz", "ellipse of Hertz, with the mean curvature of the overlap", hertz)
