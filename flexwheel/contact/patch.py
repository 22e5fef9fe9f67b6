"""Normal contact of one patch: its zone, half-lengths, load and pressure."""

import math
from typing import NamedTuple

from numba import njit

from flexwheel.contact.gap import penetration
from flexwheel.contact.semi_hertzian import (
    EXCESS,
    HALF,
    OFFSET,
    SLOPE,
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


class NormalContact(NamedTuple):
    """Normal contact of one patch; pressure = factor * sqrt(a_j^2 - x^2)."""

    load: float  # [N]
    factor: float  # [Pa/m]
    stiffness: float  # [N/m] d load / d approach
    x: float  # [m] centre of the load, relative to P
    y: float  # [m] relative to the rail crown
    z: float
    cosine: float  # of the contact angle
    sine: float
    half_length: float  # [m] of the longest strip
    half_width: float  # [m]
    area: float  # [m^2]


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
    NormalContact
    """
    n = tables.strips
    wheel, rail, zone = tables.wheel, tables.rail, tables.zone
    wheel_start, rail_start, inverse_step = tables.wheel_start, tables.rail_start, tables.inverse_step
    step = COARSE_EVERY / inverse_step
    middle = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta)
    slope = 0.5 * (middle[4] + middle[5])
    root = math.sqrt(1.0 + slope * slope)
    A = 0.5 * (pose.cos_roll + slope * pose.sin_roll) / (root * pose.radius)
    if tables.normal_model == HERTZ:
        near = 2.5e-4
        left = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta - near)[0]
        right = penetration(wheel, wheel_start, rail, rail_start, inverse_step, pose, eta + near)[0]
        B = max(0.5 * (2.0 * h - left - right) / (near * root) ** 2, 1e-3)
        return _hertz(tables.contact_modulus, zone, strip, n, h, A, B, middle[1], middle[2], middle[3], slope)
    eps, stretch = tables.epsilon, 1.0
    if tables.normal_model == SEMI_HERTZIAN:
        eps = 0.5
        for _ in range(2):
            level = (1.0 - eps) * h
            left = zone_edge(
                wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, -1, low, 2
            )
            right = zone_edge(
                wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, 1, high, 2
            )
            rise = _wheel_rise(wheel, wheel_start, inverse_step, left, right)
            log_ratio = math.log(A * 0.25 * ((right - left) ** 2 + rise * rise + 1e-14) / (eps * h))
            eps = log_table(zone, LOG_MIN, _LOG_SCALE, log_ratio, 0)
            stretch = log_table(zone, LOG_MIN, _LOG_SCALE, log_ratio, 1)
    level = (1.0 - eps) * h
    left = zone_edge(wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, -1, low, 3)
    right = zone_edge(wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, eta, h, level, 1, high, 3)
    weight, x, y, z, slope = fill_strips(
        wheel, wheel_start, rail, rail_start, inverse_step, pose, left, right, level, strip, n
    )
    if weight <= 0.0:
        return NormalContact(0.0, 0.0, 0.0, x, y, z, 1.0, 0.0, 0.0, 0.0, 0.0)
    ca = 1.0 / math.sqrt(1.0 + slope * slope)
    sa = slope * ca
    along = stretch * stretch * 2.0 * pose.radius / (ca * pose.cos_roll + sa * pose.sin_roll)
    squares, area, most, width = 0.0, 0.0, 0.0, 0.0
    for j in range(n):
        w = strip[WIDTH, j] * (ca + strip[SLOPE, j] * sa)
        square = along * strip[EXCESS, j]
        a = math.sqrt(square)
        strip[S, j] = (strip[Y, j] - y) * ca + (strip[Z, j] - z) * sa
        strip[WIDTH, j], strip[HALF, j], strip[OFFSET, j] = w, a, strip[X, j] - x
        squares += square * w
        area += a * w
        most = max(most, square)
        width += w
    depth = _depth_at(strip, n, level, 0.0)
    factor = math.pi * tables.contact_modulus * depth / displacement_integral(strip, n, 0.0)
    load = 0.5 * math.pi * factor * squares
    stiffness = load * (1.0 / h + along * eps * width / (3.0 * squares))
    return NormalContact(load, factor, stiffness, x, y, z, ca, sa, math.sqrt(most), 0.5 * width, 2.0 * area)


@njit(cache=True, inline="always")
def _wheel_rise(wheel, wheel_start, inverse_step, left, right):
    """Height difference of the wheel profile between two points, linear between table points [m]."""
    rise = 0.0
    for side in range(2):
        t = ((right if side == 1 else left) - wheel_start) * inverse_step
        i = min(max(int(t), 0), wheel.shape[0] - 2)
        t -= i
        value = wheel[i, 0] + t * (wheel[i + 1, 0] - wheel[i, 0])
        rise += value if side == 1 else -value
    return rise


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
def _hertz(modulus, zone, strip, n, h, A, B, x, y, z, slope):
    """Ellipse of Hertz from the curvatures at the first-touch point, as strips."""
    log_ratio = math.log(A / B)
    eps_y = log_table(zone, LOG_MIN, _LOG_SCALE, log_ratio, 0)
    stretch = log_table(zone, LOG_MIN, _LOG_SCALE, log_ratio, 1)
    b = math.sqrt(eps_y * h / B)
    a = stretch * math.sqrt(eps_y * h / A)
    for j in range(n):
        u = -1.0 + (2.0 * j + 1.0) / n
        strip[S, j], strip[WIDTH, j], strip[OFFSET, j] = b * u, 2.0 * b / n, 0.0
        strip[HALF, j] = a * math.sqrt(1.0 - u * u)
    factor = math.pi * modulus * h / displacement_integral(strip, n, 0.0)
    load = 2.0 / 3.0 * math.pi * factor * a * a * b
    ca = 1.0 / math.sqrt(1.0 + slope * slope)
    return NormalContact(load, factor, 1.5 * load / h, x, y, z, ca, slope * ca, a, b, math.pi * a * b)
