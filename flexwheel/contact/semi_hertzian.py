"""Semi-Hertzian normal contact: virtual penetration on strips, with the shape correction of an ellipse.

The contact zone is where the undeformed bodies overlap by more than (1 - eps) of the deepest overlap h. Each
strip has its own half-length a_j = stretch * sqrt(2 R (overlap_j - (1 - eps) h)) and a semi-elliptic pressure
c sqrt(a_j^2 - x^2); c follows from the displacement h at the middle of the patch,

    pi E* h = c * sum_j integral integral sqrt(a_j^2 - x^2) / distance,

whose integral along a strip is 2 sqrt(a^2 + s^2) (K - E)(a^2/(a^2 + s^2)) for a strip at the distance s.
`plain_kp` has eps = 0.55 and stretch = 1. The default takes both from the Hertz ellipse whose lateral curvature
gives the width of the zone, so that it is exact for an ellipse.

Sources: Piotrowski and Kik, Vehicle System Dynamics 46 (2008) 27-48 (virtual penetration, strips);
Johnson 1985, section 4.2 (ellipse). Verified in tests/verification/test_semi_hertzian.py.
"""

import math

from numba import njit

from flexwheel.contact.elliptic import k_minus_e
from flexwheel.contact.gap import FAST, penetration

# rows of the strip scratch array
X, Y, Z, EXCESS, SLOPE, S, WIDTH, HALF, PX, PY, OFFSET = range(11)


@njit(cache=True, fastmath=FAST, error_model="numpy")
def zone_edge(
    wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, side, limit, steps
):
    """Where the penetration falls to `level`, going from its peak h at `eta` to one side, not past `limit`.

    The cell is found on the sampled depth, a parabola gives the first guess, `steps` Newton steps on the exact
    depth with the parabola's slope refine it.
    """
    first = int((eta - wheel_start) / step) + (1 if side > 0 else 0)
    i = first
    while i > 0 and i < coarse.size - 1 and coarse[i] >= level:
        i += side
        if side * (wheel_start + i * step - limit) >= step:
            return limit
    node = wheel_start + i * step
    if i == first:
        reach = abs(node - eta)
        t = math.sqrt((h - level) / (h - coarse[i]))
        root = eta + side * reach * t
        slope = -2.0 * (h - level) / max(reach * t, 1e-12)
    else:
        inner, outer = coarse[i - side] - level, coarse[i] - level
        bend = coarse[i - 2 * side] - level - 2.0 * inner + outer
        t = inner / (inner - outer)
        for _ in range(2):
            value = inner + t * (outer - inner) + 0.5 * t * (t - 1.0) * bend
            t -= value / (outer - inner + (t - 0.5) * bend)
        t = min(max(t, 0.0), 1.0)
        root = node - side * step * (1.0 - t)
        slope = (outer - inner + (t - 0.5) * bend) / step
    for _ in range(steps):
        if side * (root - limit) >= 0.0:
            return limit
        depth = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, root)[0]
        shift = (level - depth) / slope
        root += side * min(max(shift, -step), step)
    if side * (root - limit) >= 0.0:
        return limit
    return root


@njit(cache=True, fastmath=FAST, error_model="numpy")
def log_table(table, start, inverse_step, logarithm, column):
    """Column of a table over a uniform grid of logarithms, cubic between points."""
    t = (logarithm - start) * inverse_step
    t = min(max(t, 1.0), table.shape[0] - 2.000001)
    i = int(t)
    t -= i
    p0, p1, p2, p3 = table[i - 1, column], table[i, column], table[i + 1, column], table[i + 2, column]
    return p1 + 0.5 * t * (p2 - p0 + t * (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3 + t * (3.0 * (p1 - p2) + p3 - p0)))


@njit(cache=True, fastmath=FAST, error_model="numpy")
def fill_zone(
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
    region,
    level,
    strip,
    n,
    refine,
):
    """Sample the zone of a region above `level`: n equal strips on each of its connected parts.

    Parts appear with no width and no depth, so that sums over the strips stay continuous.

    Returns
    -------
    count : int                   strips
    weight [m^2], x, y, z [m], slope [-]
        sum of excess * width, and the means weighted by it; slope dz/dy of the common tangent
    """
    low, high, first, last = region[2], region[3], int(region[5]), int(region[6])
    weight, x_mean, y_mean, z_mean, flat, rise = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    reached, count = low, 0
    for k in range(first, last + 1):
        eta, h = peaks[k], heights[k]
        if h <= level or eta <= reached or count + n > strip.shape[1]:
            continue
        left = zone_edge(
            wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, -1, reached, refine
        )
        right = zone_edge(
            wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, 1, high, refine
        )
        reached = right
        cell = (right - left) / n
        for j in range(count, count + n):
            depth, x, y, z, rail_slope, wheel_slope = penetration(
                wheel, wheel_start, rail, rail_start, inverse_step, pose, left + (j - count + 0.5) * cell
            )
            excess = max(depth - level, 0.0)
            slope = 0.5 * (rail_slope + wheel_slope)
            strip[X, j], strip[Y, j], strip[Z, j] = x, y, z
            strip[EXCESS, j], strip[SLOPE, j], strip[WIDTH, j] = excess, slope, cell
            load = excess * cell * math.sqrt(1.0 + slope * slope)
            weight += load
            x_mean += load * x
            y_mean += load * y
            z_mean += load * z
            flat += excess * cell
            rise += excess * cell * slope
        count += n
    if weight <= 0.0:
        return 0, 0.0, 0.0, 0.0, 0.0, 0.0
    return count, weight, x_mean / weight, y_mean / weight, z_mean / weight, rise / flat


@njit(cache=True, fastmath=FAST, error_model="numpy")
def measure_zone(
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
    region,
    level,
    n,
):
    """Area of a region's overlap above `level` [m^2] and the overlap's mean slope dz/dy, from n points each part."""
    low, high, first, last = region[2], region[3], int(region[5]), int(region[6])
    weight, flat, rise = 0.0, 0.0, 0.0
    reached = low
    for k in range(first, last + 1):
        eta, h = peaks[k], heights[k]
        if h <= level or eta <= reached:
            continue
        left = zone_edge(
            wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, -1, reached, 1
        )
        right = zone_edge(
            wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, 1, high, 1
        )
        reached = right
        cell = (right - left) / n
        for j in range(n):
            depth, _, _, _, rail_slope, wheel_slope = penetration(
                wheel, wheel_start, rail, rail_start, inverse_step, pose, left + (j + 0.5) * cell
            )
            excess = max(depth - level, 0.0) * cell
            slope = 0.5 * (rail_slope + wheel_slope)
            weight += excess * math.sqrt(1.0 + slope * slope)
            flat += excess
            rise += excess * slope
    return weight, rise / (flat + 1e-300)


@njit(cache=True, fastmath=FAST, error_model="numpy")
def displacement_integral(strip, n, s0):
    """Sum over strips of the integral of sqrt(a_j^2 - x^2)/distance [m^2], seen from (0, s0).

    The logarithm that is singular at the strip's own middle is averaged over the strip's width.
    """
    total = 0.0
    for j in range(n):
        a = strip[HALF, j]
        if a <= 0.0:
            continue
        w = strip[WIDTH, j]
        s = abs(strip[S, j] - s0)
        far = max(s, 1e-9 * w)
        square = a * a + far * far
        line = 2.0 * math.sqrt(square) * k_minus_e(far * far / square)
        if s < 3.0 * w:
            high, low = s + 0.5 * w, s - 0.5 * w
            mean = (high * math.log(high) - low * math.log(max(abs(low), 1e-300))) / w - 1.0
            line += 2.0 * a * (math.log(far) - mean)
        else:
            u = (w / s) ** 2
            line += 2.0 * a * u * (1.0 / 24.0 + u * (1.0 / 320.0 + u / 2688.0))
        total += line * w
    return total
