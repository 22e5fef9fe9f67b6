"""Slip and friction energy in every cell of a patch by FASTSIM, as `contact.fastsim` marches it.

Over a cell the surfaces slip by what the rigid bodies do and by what the elastic displacement L t changes from edge to
edge, where the traction is the mean of both cells' and 0 at the ends of a strip; the energy spent by way is -t s. The
elastic part of its sum vanishes, as over any strip that ends free.

FASTSIM gives spin a flexibility of its own, so that its slip is phi L1/L3 and phi L2/L3; slip and energy of a patch are
therefore scaled so that the energy is that of its forces, -(Fx xi + Fy eta + Mz phi).
Source: Kalker 1982. Verified in tests/assess/test_wear_verified.py.
"""

import math

from flexwheel.contact.fastsim import ALONG, bound_scale
from flexwheel.contact.gap import FAST
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.numerics.kernels import kernel

_MOST = 100.0  # times, by which slip is scaled


@kernel(fastmath=FAST)
def strip_slip(n, strip, limit, creepage, flexibility, cells, work, slide):
    """Fill work (nx, n) [Pa] and slide (nx, n) [-] of the cells from the leading to the trailing edge.

    n, strip, limit, creepage, flexibility, cells : of `fastsim_strips`
    work : out, friction energy by area and way; slide : out, slip by way
    """
    L1, L2, L3 = flexibility
    xi, eta, phi = creepage[0] / L1, creepage[1] / L2, creepage[2] / L3
    scale, nx = bound_scale(n, strip, limit, cells), cells.row.shape[1]
    spent, given = 0.0, 0.0  # energy by way, of the cells and of the forces
    for j in range(n):
        aj, tx, ty = strip[STRIP.half, j], 0.0, 0.0
        along = xi - phi * strip[STRIP.s, j]
        for i in range(nx):
            u, step = cells.row[ALONG.place, i], cells.row[ALONG.way, i] * aj + 1e-30
            across = eta + phi * (aj * (u + 0.5 * cells.row[ALONG.way, i]) + strip[STRIP.offset, j])
            trial_x, trial_y = tx - step * along, ty - step * across
            high = scale * (aj * aj if cells.parabolic else aj)
            most = high * cells.row[ALONG.bound, i]
            over = (trial_x * trial_x + trial_y * trial_y) / (most * most + 1e-30) - 1.0
            free = cells.row[ALONG.drag, i] * aj * math.sqrt(along * along + across * across) / (high + 1e-30)
            more = step * max(min(0.25 * over, free), 0.0)
            trial_x -= more * along
            trial_y -= more * (eta + phi * (aj * u + strip[STRIP.offset, j]))
            size = math.sqrt(trial_x * trial_x + trial_y * trial_y)
            keep = most / size if size > most else 1.0
            tx, ty = keep * trial_x, keep * trial_y
            work[i, j], slide[i, j] = tx, ty
        before_x, before_y = 0.0, 0.0
        for i in range(nx):
            tx, ty = work[i, j], slide[i, j]
            after_x, after_y = (0.5 * (tx + work[i + 1, j]), 0.5 * (ty + slide[i + 1, j])) if i + 1 < nx else (0.0, 0.0)
            u, per_cell = cells.row[ALONG.place, i], 1.0 / (cells.row[ALONG.width, i] * aj + 1e-30)
            rigid_x = (xi - phi * strip[STRIP.s, j]) * L1
            rigid_y = (eta + phi * (aj * u + strip[STRIP.offset, j])) * L2
            x, y = (after_x - before_x) * per_cell * L1, (after_y - before_y) * per_cell * L2
            each = tx * rigid_x + ty * rigid_y + 0.5 * ((before_x + after_x) * x + (before_y + after_y) * y)
            work[i, j], slide[i, j] = max(-each, 0.0), math.hypot(rigid_x + x, rigid_y + y)
            area = aj * cells.row[ALONG.width, i] * strip[STRIP.width, j]
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
