"""Normal contact of one patch: its zone, half-lengths, load and pressure."""

import math

from numba import njit

from flexwheel.contact.gap import penetration
from flexwheel.contact.semi_hertzian import (
    ANGLE,
    EXCESS,
    HALF,
    OFFSET,
    WIDTH,
    S,
    X,
    Y,
    Z,
    displacement_integral,
    fill_strips,
    log_table,
    zone_edge,
)
from flexwheel.contact.tables import COARSE_EVERY, LOG_COUNT, LOG_MAX, LOG_MIN

SEMI_HERTZIAN, PLAIN_KP, HERTZ = 0, 1, 2
_LOG_SCALE = (LOG_COUNT - 1) / (LOG_MAX - LOG_MIN)


@njit(cache=True, error_model="numpy")
def patch_normal(tables, pose, coarse, strip, eta, h, low, high):
    """Load and strips of one patch.

    Parameters
    ----------
    tables, pose : ContactTables, Pose
    coarse : (n,) [m]         sampled depth
    strip : (11, strips)      out: S, WIDTH, HALF, OFFSET of each strip
    eta, h : float [m]        first-touch point of the patch on the wheel, and depth there
    low, high : float [m]     range of eta that belongs to the patch

    Returns
    -------
    load [N], pressure_factor [Pa/m], stiffness [N/m], x, y, z [m], angle [rad], half_length, half_width [m],
    area [m^2]
        pressure = factor * sqrt(a_j^2 - x^2); position is the load's centre, x relative to P, y, z to the crown
    """
    n = tables.strips
    wheel_slope = penetration(tables, pose, eta)[5]
    A = 0.5 * math.cos(math.atan(wheel_slope) - math.asin(pose.sin_roll)) / pose.radius
    if tables.normal_model == HERTZ:
        return _hertz(tables, pose, strip, eta, h, A)
    eps, stretch = tables.epsilon, 1.0
    if tables.normal_model == SEMI_HERTZIAN:
        eps = 0.5
        for _ in range(2):
            B = _lateral_curvature(tables, pose, coarse, eta, h, low, high, eps)
            eps = log_table(tables.zone, LOG_MIN, _LOG_SCALE, A / B, 0)
            stretch = log_table(tables.zone, LOG_MIN, _LOG_SCALE, A / B, 1)
    level = (1.0 - eps) * h
    left = zone_edge(tables, pose, COARSE_EVERY, coarse, eta, level, -1, low)
    right = zone_edge(tables, pose, COARSE_EVERY, coarse, eta, level, 1, high)
    weight, x, y, z, angle = fill_strips(tables, pose, left, right, level, strip, n)
    if weight <= 0.0:
        return 0.0, 0.0, 0.0, x, y, z, angle, 0.0, 0.0, 0.0
    ca, sa = math.cos(angle), math.sin(angle)
    along, squares, area, longest, width = 2.0 * pose.radius / ca, 0.0, 0.0, 0.0, 0.0
    for j in range(n):
        slope = strip[ANGLE, j]
        w = strip[WIDTH, j] * (ca + slope * sa) / math.sqrt(1.0 + slope * slope)
        a = stretch * math.sqrt(along * strip[EXCESS, j])
        strip[S, j] = (strip[Y, j] - y) * ca + (strip[Z, j] - z) * sa
        strip[WIDTH, j], strip[HALF, j], strip[OFFSET, j] = w, a, strip[X, j] - x
        squares += a * a * w
        area += 2.0 * a * w
        longest = max(longest, a)
        width += w
    depth = _depth_at(strip, n, level, 0.0)
    factor = math.pi * tables.contact_modulus * depth / displacement_integral(strip, n, 0.0)
    load = 0.5 * math.pi * factor * squares
    growth = stretch * stretch * along * eps * width / squares
    stiffness = load * (1.0 / h + growth / 3.0)
    return load, factor, stiffness, x, y, z, angle, longest, 0.5 * width, area


@njit(cache=True, error_model="numpy")
def _lateral_curvature(tables, pose, coarse, eta, h, low, high, eps):
    """Half the relative lateral curvature [1/m] of the parabola as wide as the zone at depth eps h."""
    level = (1.0 - eps) * h
    left = zone_edge(tables, pose, COARSE_EVERY, coarse, eta, level, -1, low)
    right = zone_edge(tables, pose, COARSE_EVERY, coarse, eta, level, 1, high)
    _, _, y0, z0, _, _ = penetration(tables, pose, left)
    _, _, y1, z1, _, _ = penetration(tables, pose, right)
    square = 0.25 * ((y1 - y0) ** 2 + (z1 - z0) ** 2) + 1e-14
    return eps * h / square


@njit(cache=True, error_model="numpy")
def _depth_at(strip, n, level, s):
    """Overlap [m] at the lateral position s of a patch, linear between strips."""
    if strip[S, 0] >= s:
        return level + strip[EXCESS, 0]
    for j in range(1, n):
        if strip[S, j] >= s:
            t = (s - strip[S, j - 1]) / (strip[S, j] - strip[S, j - 1])
            return level + strip[EXCESS, j - 1] + t * (strip[EXCESS, j] - strip[EXCESS, j - 1])
    return level + strip[EXCESS, n - 1]


@njit(cache=True, error_model="numpy")
def _hertz(tables, pose, strip, eta, h, A):
    """Ellipse of Hertz from the curvature at the first-touch point, as strips."""
    n = tables.strips
    near = 2.5e-4
    left = penetration(tables, pose, eta - near)[0]
    right = penetration(tables, pose, eta + near)[0]
    _, x, y, z, rail_slope, wheel_slope = penetration(tables, pose, eta)
    arc = near * math.sqrt(1.0 + wheel_slope * wheel_slope)
    B = max(0.5 * (2.0 * h - left - right) / (arc * arc), 1e-3)
    eps_y = log_table(tables.zone, LOG_MIN, _LOG_SCALE, A / B, 0)
    stretch = log_table(tables.zone, LOG_MIN, _LOG_SCALE, A / B, 1)
    b = math.sqrt(eps_y * h / B)
    a = stretch * math.sqrt(eps_y * h / A)
    for j in range(n):
        u = -1.0 + (2.0 * j + 1.0) / n
        strip[S, j], strip[WIDTH, j], strip[OFFSET, j] = b * u, 2.0 * b / n, 0.0
        strip[HALF, j] = a * math.sqrt(1.0 - u * u)
    factor = math.pi * tables.contact_modulus * h / displacement_integral(strip, n, 0.0)
    load = 2.0 / 3.0 * math.pi * factor * a * a * b
    angle = math.atan(0.5 * (rail_slope + wheel_slope))
    return load, factor, 1.5 * load / h, x, y, z, angle, a, b, math.pi * a * b
