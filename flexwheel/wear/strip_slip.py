"""Slip and friction energy in every cell of a patch by FASTSIM, as `contact.fastsim` marches it.

Over a cell the surfaces slip by what the rigid bodies do and by what the elastic displacement L t changes from edge to
edge, where the traction is the mean of both cells' and 0 at the ends of a strip; the energy spent by way is -t s. The
elastic part of its sum vanishes, as over any strip that ends free.

FASTSIM gives spin a flexibility of its own, so that its slip is phi L1/L3 and phi L2/L3; slip and energy of a patch are
therefore scaled so that the energy is that of its forces, -(Fx xi + Fy eta + Mz phi).
Source: Kalker 1982. Verified in tests/verification/test_wear.py.
"""

import math

from flexwheel.contact.fastsim import PARABOLIC
from flexwheel.contact.gap import FAST
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.kernels import kernel

_MOST = 100.0  # times, by which slip is scaled


@kernel(fastmath=FAST)
def strip_slip(n, strip, limit, creepage, flexibility, bound, nx, work, slide):
    """Fill work (nx, n) [Pa] and slide (nx, n) [-] of the cells from the leading to the trailing edge.

    n, strip, limit, creepage, flexibility, bound, nx : of `fastsim_strips`
    work : out, friction energy by area and way; slide : out, slip by way
    """
    L1, L2, L3 = flexibility
    xi, eta, phi = creepage[0] / L1, creepage[1] / L2, creepage[2] / L3
    total, cells = 0.0, 0.0
    for j in range(n):
        aj = strip[STRIP.half, j]
        total += aj * aj * strip[STRIP.width, j] * (aj if bound == PARABOLIC else 1.0)
    for i in range(nx):
        u = 1.0 - (2.0 * i + 1.0) / nx
        cells += (1.0 - u * u) if bound == PARABOLIC else math.sqrt(1.0 - u * u)
    total *= 2.0 * cells / nx
    scale = limit / total if total > 0.0 else 0.0
    spent, given = 0.0, 0.0  # energy by way, of the cells and of the forces
    for j in range(n):
        aj, tx, ty = strip[STRIP.half, j], 0.0, 0.0
        for i in range(nx):
            u = 1.0 - (2.0 * i + 1.0) / nx
            way = 2.0 / nx if i > 0 else 1.0 / nx
            step = way * aj + 1e-30
            trial_x = tx - step * (xi - phi * strip[STRIP.s, j])
            trial_y = ty - step * (eta + phi * (aj * (u + 0.5 * way) + strip[STRIP.offset, j]))
            most = scale * ((1.0 - u * u) * aj * aj if bound == PARABOLIC else math.sqrt(1.0 - u * u) * aj)
            size = math.sqrt(trial_x * trial_x + trial_y * trial_y)
            keep = most / size if size > most else 1.0
            tx, ty = keep * trial_x, keep * trial_y
            work[i, j], slide[i, j] = tx, ty
        before_x, before_y, per_cell = 0.0, 0.0, 0.5 * nx / (aj + 1e-30)
        for i in range(nx):
            tx, ty = work[i, j], slide[i, j]
            after_x, after_y = (0.5 * (tx + work[i + 1, j]), 0.5 * (ty + slide[i + 1, j])) if i + 1 < nx else (0.0, 0.0)
            u = 1.0 - (2.0 * i + 1.0) / nx
            rigid_x = (xi - phi * strip[STRIP.s, j]) * L1
            rigid_y = (eta + phi * (aj * u + strip[STRIP.offset, j])) * L2
            x, y = (after_x - before_x) * per_cell * L1, (after_y - before_y) * per_cell * L2
            each = tx * rigid_x + ty * rigid_y + 0.5 * ((before_x + after_x) * x + (before_y + after_y) * y)
            work[i, j], slide[i, j] = max(-each, 0.0), math.hypot(rigid_x + x, rigid_y + y)
            area = 2.0 * aj / nx * strip[STRIP.width, j]
            spent += work[i, j] * area
            given -= area * tx * (creepage[0] - creepage[2] * strip[STRIP.s, j])
            given -= area * ty * (creepage[1] + creepage[2] * (aj * u + strip[STRIP.offset, j]))
            before_x, before_y = after_x, after_y
    if spent > 0.0:
        scale = min(max(given / spent, 1.0 / _MOST), _MOST)
        for j in range(n):
            for i in range(nx):
                work[i, j] *= scale
                slide[i, j] *= scale
