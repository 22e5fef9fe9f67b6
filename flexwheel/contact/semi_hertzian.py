"""Semi-Hertzian normal contact: virtual penetration on strips, with the shape correction of an ellipse.

The contact zone is where the undeformed bodies overlap by more than (1 - eps) of the deepest overlap h. Each
strip has its own half-length a_j = stretch * sqrt(2 R_j (overlap_j - (1 - eps) h)), with R_j the wheel's radius there
over the cosine of its slope there, and a semi-elliptic pressure c sqrt(a_j^2 - x^2); c follows from the displacement h
at the middle of the patch,

    pi E* h = c * sum_j integral integral sqrt(a_j^2 - x^2) / distance,

whose integral along a strip is 2 sqrt(a^2 + s^2) (K - E)(a^2/(a^2 + s^2)) for a strip at the distance s.
`plain_kp` has eps = 0.55 and stretch = 1. The default takes both from the Hertz ellipse whose lateral curvature
gives the width of the zone, so that it is exact for an ellipse.

Sources: Piotrowski and Kik, Vehicle System Dynamics 46 (2008) 27-48 (virtual penetration, strips);
Johnson 1985, section 4.2 (ellipse). Verified in tests/verification/test_semi_hertzian.py.
"""

import math

from flexwheel.contact.elliptic import k_minus_e
from flexwheel.contact.gap import FAST, LEAST_BEND, OFF, YAWED, depth_at, penetration
from flexwheel.kernels import kernel

# rows of the strip scratch array
X, Y, Z, EXCESS, BELOW, ABOVE, S, WIDTH, HALF, PX, PY, OFFSET = range(12)
CIRCLE, LEAN = HALF, PX  # until half-length and traction take their places
EDGE_STEPS = 2  # on the exact depth
_UNSURE = 0.1  # of the depth above the level: what may be left after the first of them
_HALVINGS = 9  # of a step, where a whole zone may lie between two samples or the depth end before the level
_MARKED = 0.3  # of a peak's excess: a saddle this far below it splits the part


@kernel(fastmath=FAST)
def _bracketed(wheel, wheel_start, rail, rail_start, inverse_step, pose, level, near, inner, beyond, outer):
    """Where the depth falls to `level` between `near`, of depth `inner` above it, and `beyond`, of depth `outer`."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (near + beyond)
        depth = depth_at(wheel, wheel_start, rail, rail_start, inverse_step, pose, middle)
        if depth >= level:
            near, inner = middle, depth
        else:
            beyond, outer = middle, depth
    return near + (beyond - near) * (inner - level) / (inner - outer) if outer > OFF else near


@kernel(fastmath=FAST)
def zone_edge(wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, limit):
    """Where the penetration falls to `level`, going from its peak h at `eta` towards `limit`, not past it.

    The cell is found on the sampled depth, a parabola gives the first guess, two steps on the exact depth refine
    it: Newton's with the parabola's slope, then a secant's. What is left enters sums over the zone squared. Where the
    parabola misleads (a kink beside the peak), or at large yaw, the edge is bracketed instead.
    """
    side = 1 if limit > eta else -1
    first = int((eta - wheel_start) / step) + (1 if side > 0 else 0)
    i = first
    while i > 0 and i < coarse.size - 1 and coarse[i] >= level:
        i += side
        if side * (wheel_start + i * step - limit) >= step:
            return limit
    node = wheel_start + i * step
    near, inner = (eta, h) if i == first else (node - side * step, coarse[i - side])
    if coarse[i] < OFF or pose.tan_yaw * pose.tan_yaw > YAWED:
        root = _bracketed(wheel, wheel_start, rail, rail_start, inverse_step, pose, level, near, inner, node, coarse[i])
        return limit if side * (root - limit) >= 0.0 else root
    if i == first:
        reach = abs(node - eta)
        t = math.sqrt((h - level) / (h - coarse[i]))
        root = eta + side * reach * t
        slope = -2.0 * (h - level) / max(reach * t, 1e-12)
    else:
        over, under = inner - level, coarse[i] - level
        bend = coarse[i - 2 * side] - level - 2.0 * over + under if coarse[i - 2 * side] > OFF else 0.0
        t = over / (over - under)
        for _ in range(2):
            value = over + t * (under - over) + 0.5 * t * (t - 1.0) * bend
            t -= value / (under - over + (t - 0.5) * bend)
        t = min(max(t, 0.0), 1.0)
        root = node - side * step * (1.0 - t)
        slope = (under - over + (t - 0.5) * bend) / step
    before, shift = 0.0, 0.0
    for k in range(EDGE_STEPS):
        if side * (root - limit) >= 0.0:
            return limit
        lack = level - depth_at(wheel, wheel_start, rail, rail_start, inverse_step, pose, root)
        if k > 0:
            secant = (before - lack) / shift if shift != 0.0 else slope
            slope = secant if secant < 0.5 * slope and secant > 2.0 * slope else slope
        before = lack
        shift = min(max(lack / slope, -step), step)
        root += side * shift
    if abs(before) > _UNSURE * (h - level) or side * (root - near) < 0.0:  # or found on the far side of the peak
        root = _bracketed(wheel, wheel_start, rail, rail_start, inverse_step, pose, level, near, inner, node, coarse[i])
    if side * (root - limit) >= 0.0:
        return limit
    return root


@kernel(fastmath=FAST, forceinline=True)
def _cubic_place(rows, start, inverse_step, logarithm):
    """Row i and the weights of rows i - 1 ... i + 2 of a table over a uniform grid of logarithms, cubic between."""
    t = (logarithm - start) * inverse_step
    t = min(max(t, 1.0), rows - 2.000001)
    i = int(t)
    t -= i
    w0 = 0.5 * t * (-1.0 + t * (2.0 - t))
    w1 = 1.0 + 0.5 * t * t * (-5.0 + 3.0 * t)
    w2 = 0.5 * t * (1.0 + t * (4.0 - 3.0 * t))
    w3 = 0.5 * t * t * (t - 1.0)
    return i, w0, w1, w2, w3


@kernel(fastmath=FAST)
def log_table_2(table, start, inverse_step, logarithm):
    """First two columns of a table over a uniform grid of logarithms."""
    i, w0, w1, w2, w3 = _cubic_place(table.shape[0], start, inverse_step, logarithm)
    a = w0 * table[i - 1, 0] + w1 * table[i, 0] + w2 * table[i + 1, 0] + w3 * table[i + 2, 0]
    b = w0 * table[i - 1, 1] + w1 * table[i, 1] + w2 * table[i + 1, 1] + w3 * table[i + 2, 1]
    return a, b


@kernel(fastmath=FAST)
def log_table_4(table, start, inverse_step, logarithm):
    """First four columns of a table over a uniform grid of logarithms."""
    i, w0, w1, w2, w3 = _cubic_place(table.shape[0], start, inverse_step, logarithm)
    a = w0 * table[i - 1, 0] + w1 * table[i, 0] + w2 * table[i + 1, 0] + w3 * table[i + 2, 0]
    b = w0 * table[i - 1, 1] + w1 * table[i, 1] + w2 * table[i + 1, 1] + w3 * table[i + 2, 1]
    c = w0 * table[i - 1, 2] + w1 * table[i, 2] + w2 * table[i + 1, 2] + w3 * table[i + 2, 2]
    d = w0 * table[i - 1, 3] + w1 * table[i, 3] + w2 * table[i + 1, 3] + w3 * table[i + 2, 3]
    return a, b, c, d


@kernel(fastmath=FAST)
def zone_parts(
    wheel,
    wheel_start,
    rail,
    rail_start,
    inverse_step,
    pose,
    step,
    coarse,
    peaks,
    heights,
    saddles,
    region,
    level,
    parts,
):
    """Edges of the parts of a region's zone above `level`.

    A part ends where the depth falls to the level, and at a marked saddle within the zone: there the pieces meet, so
    that sums over the parts stay continuous when the saddle sinks below the level.

    Returns
    -------
    int                  rows filled in parts (m, 2) [m]
    """
    last = int(region[6])
    reached, high = region[2], region[3]
    count, k = 0, int(region[5])
    while k <= last and count < parts.shape[0]:
        h = heights[k]
        if h <= level:
            k += 1
            continue
        left = zone_edge(
            wheel,
            wheel_start,
            rail,
            rail_start,
            inverse_step,
            pose,
            step,
            coarse,
            peaks[k],
            h,
            level,
            reached,
        )
        while k < last and saddles[k, 0] > level and count + 1 < parts.shape[0]:
            lower = min(heights[k], heights[k + 1])
            if lower - saddles[k, 0] > _MARKED * (lower - level):
                parts[count, 0], parts[count, 1] = left, saddles[k, 1]
                left = saddles[k, 1]
                count += 1
            k += 1
        limit = saddles[k, 1] if k < last else high
        right = zone_edge(
            wheel,
            wheel_start,
            rail,
            rail_start,
            inverse_step,
            pose,
            step,
            coarse,
            peaks[k],
            heights[k],
            level,
            limit,
        )
        parts[count, 0], parts[count, 1] = left, max(left, right)
        reached = max(left, right)
        count += 1
        k += 1
    return count


@kernel(fastmath=FAST)
def fill_zone(wheel, wheel_start, rail, rail_start, inverse_step, pose, level, parts, count, node, width, edge, strip):
    """Sample the parts of a zone above `level`, each in as many strips as there are nodes.

    Returns
    -------
    strips : int
    weight [m^2], eta, x, y, z [m], slope, bend [-]
        sum of excess * width / bend, and the means weighted by it; slope dz/dy of the direction
    """
    weight, eta_mean, x_mean, y_mean, z_mean, flat, rise, bent = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    n = node.size
    per_eta = 1.0 / pose.cos_yaw  # times the bend: dy/deta along the locus
    for p in range(count):
        left, reach = parts[p, 0], parts[p, 1] - parts[p, 0]
        for i in range(n):
            j = p * n + i
            eta = left + reach * node[i]
            depth, x, y, z, slope, direction, bend = penetration(
                wheel, wheel_start, rail, rail_start, inverse_step, pose, eta
            )
            bend = max(bend, LEAST_BEND)
            excess = max(depth - level, 0.0)
            straight = reach * width[i] * per_eta
            strip[X, j], strip[Y, j], strip[Z, j] = x, y, z
            arc = math.sqrt(1.0 + slope * slope)
            edges = reach * arc * bend * per_eta
            load = excess * straight * arc  # half-length squared times width
            strip[EXCESS, j], strip[WIDTH, j] = excess, straight * arc * bend
            # along x the overlap falls with the wheel's curvature there: bend x^2/(2 r), times the cosine of the slope
            strip[CIRCLE, j] = 2.0 * (pose.radius + pose.z - z) * arc
            strip[LEAN, j] = bend * (pose.cos_roll + slope * pose.sin_roll)
            strip[BELOW, j], strip[ABOVE, j] = edge[i, 0] * edges, edge[i, 1] * edges
            weight += load
            eta_mean += load * eta
            x_mean += load * x
            y_mean += load * y
            z_mean += load * z
            bent += load * bend
            flat += excess * straight
            rise += excess * straight * direction
    if weight <= 0.0:
        return 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
    each = 1.0 / weight
    return count * n, weight, eta_mean * each, x_mean * each, y_mean * each, z_mean * each, rise / flat, bent * each


@kernel(fastmath=FAST)
def measure_zone(wheel, wheel_start, rail, rail_start, inverse_step, pose, level, parts, count, node, width):
    """Overlap above `level` in the parts of a zone.

    Returns
    -------
    weight [m^2], slope [-], z [m], bend [-]
        area of the overlap, and the means by its load: slope dz/dy, height, curvature along the rail over that around
        the axle
    """
    weight, flat, rise, high, bent = 0.0, 0.0, 0.0, 0.0, 0.0
    per_eta = 1.0 / pose.cos_yaw
    for p in range(count):
        left, reach = parts[p, 0], parts[p, 1] - parts[p, 0]
        for i in range(node.size):
            depth, _, _, z, slope, direction, bend = penetration(
                wheel, wheel_start, rail, rail_start, inverse_step, pose, left + reach * node[i]
            )
            bend = max(bend, LEAST_BEND)
            excess = max(depth - level, 0.0) * (reach * per_eta) * width[i]
            weight += excess * bend * math.sqrt(1.0 + slope * slope)
            flat += excess
            rise += excess * direction
            high += excess * z
            bent += excess * bend
    each = 1.0 / (flat + 1e-300)
    return weight, rise * each, high * each, bent * each


@kernel(fastmath=FAST)
def displacement_integral(strip, n, s0):
    """Sum over strips of the integral of sqrt(a_j^2 - x^2)/distance [m^2], seen from (0, s0).

    The logarithm that is singular at the strip's own place is averaged over the strip's cell, from BELOW to ABOVE it.
    """
    total = 0.0
    for j in range(n):
        a = strip[HALF, j]
        if a <= 0.0:
            continue
        below, above = strip[BELOW, j], strip[ABOVE, j]
        s = strip[S, j] - s0
        if s < 0.0:
            s, below, above = -s, above, below
        w = below + above
        far = max(s, 1e-9 * w)
        square = a * a + far * far
        line = 2.0 * math.sqrt(square) * k_minus_e(far * far / square)
        if s < 3.0 * w:
            high, low = s + above, s - below
            mean = (high * math.log(high) - low * math.log(max(abs(low), 1e-300))) / w - 1.0
            line += 2.0 * a * (math.log(far) - mean)
        else:
            x = 0.5 * (above - below) / s
            u = (w / (s + x * s)) ** 2
            line += 2.0 * a * (u * (1.0 / 24.0 + u * (1.0 / 320.0 + u / 2688.0)) - x * (1.0 - x * (0.5 - x / 3.0)))
        total += line * w
    return total
