"""Symbolic geometry of one wheel on one rail with generic profiles (paper 000, eqs 5-11).

The wheel is a surface of revolution with radius f_w(u_w); the rail's profile f_r(u_r) is carried along a space curve
with camber. Each function is written as one cubic with coefficient symbols, filled in at run time by look-up.

The wheel's angle is counted from the lowest point (theta_w - pi/2 of the paper), so that it stays small and its sine
and cosine are polynomials: exact to rounding below 0.5 rad.
"""

import math
from dataclasses import dataclass

from flexwheel.systems.symbolic.expression import constant, cos, sin, sqrt, symbol
from flexwheel.systems.symbolic.symbolic_vectors import cross3, dot3

SURFACE = ("angle", "u_wheel", "s_rail", "u_rail")
TRACK_CURVES = ("track_x", "track_y", "track_z", "camber")


@dataclass(frozen=True)
class SurfaceGeometry:
    """Contact of one wheel; triples of expressions."""

    surface: list  # angle, u_wheel, s_rail, u_rail
    coefficients: dict  # curve -> [a, b, c, d, break point]; the track's curves share their break point
    wheel_point: tuple  # from the wheel's reference point, axes of the non-spinning wheelset
    wheel_tangents: tuple  # t_x, t_y of the wheel, same axes
    rail_point: tuple  # from the ground's origin, ground axes
    rail_tangents: tuple  # t_x, t_y of the rail, ground axes
    normal: tuple  # n of the rail, ground axes, out of the rail
    radius: tuple  # f_w and its two derivatives
    rail_height: tuple  # f_r and its two derivatives


def contact_geometry(graph, tag="", unit_normal=True, polynomials=True, exact_tangent=True):
    """Geometry with symbols named after `tag`.

    unit_normal : bool     t_x x t_y is not of unit length where the rail twists; False leaves it so, as paper 000
    polynomials : bool     sine and cosine as polynomials, which lanes need
    exact_tangent : bool   t_x of the rail is the derivative of its surface; False: along the base line, which is the
                           same only where the rail does not twist (for operation counts)
    """
    turn = sine_and_cosine if polynomials else (lambda x: (sin(x), cos(x)))
    surface = [symbol(graph, f"{name}{tag}") for name in SURFACE]
    coefficients = {
        curve: [symbol(graph, f"{curve}.{c}{tag}") for c in ("a", "b", "c", "d", "break")]
        for curve in ("wheel", "rail", *TRACK_CURVES)
    }
    for curve in TRACK_CURVES[1:]:
        coefficients[curve][4] = coefficients["track_x"][4]
    angle, u_wheel, s_rail, u_rail = surface
    f, f1, f2 = _cubic(coefficients["wheel"], u_wheel)
    sine, cosine = turn(angle)
    flat = 1.0 / sqrt(1.0 + f1 * f1)
    wheel_point = (-(f * sine), u_wheel, -(f * cosine))  # 000 (6)
    wheel_x = (-cosine, 0.0 * cosine, sine)  # 000 (11)
    wheel_y = (-(f1 * sine) * flat, flat, -(f1 * cosine) * flat)  # 000 (11)
    g, g1, g2 = _cubic(coefficients["rail"], u_rail)
    centre, axes, speed, turning = _rail_frame(coefficients, s_rail, turn)
    _, across, up = axes
    rail_point = tuple(centre[k] + u_rail * across[k] + g * up[k] for k in range(3))  # 000 (7)
    if exact_tangent:
        # d(rail point)/ds in the axes along, across and up: speed along + turning x (u across + g up)
        along = (speed + (turning[1] * g - turning[2] * u_rail), -(turning[0] * g), turning[0] * u_rail)
        scale = 1.0 / sqrt(dot3(along, along))
        tangent = [x * scale for x in along]
    else:
        tangent = [constant(graph, x) for x in (1.0, 0.0, 0.0)]
    scale = 1.0 / sqrt(1.0 + g1 * g1)
    slope = g1 * scale
    upright = (tangent[1] * slope - tangent[2] * scale, -(tangent[0] * slope), tangent[0] * scale)
    if unit_normal:
        length = 1.0 / sqrt(dot3(upright, upright))
        upright = [x * length for x in upright]
    rail_x, normal = _combined(axes, tangent), _combined(axes, upright)  # 000 (10)
    rail_y = tuple(scale * across[k] + slope * up[k] for k in range(3))
    return SurfaceGeometry(
        surface, coefficients, wheel_point, (wheel_x, wheel_y), rail_point, (rail_x, rail_y), normal,
        (f, f1, f2), (g, g1, g2),
    )  # fmt: skip


class WheelPose:
    """Pose of a wheelset in lanes: its centre, and the axes of its non-spinning frame, in ground axes.

    Attributes
    ----------
    at, columns : expressions    place of the centre; unit vectors of the frame, one a column
    """

    def __init__(self, graph, pose):
        self._unit = [[constant(graph, 1.0 if k == j else 0.0) for k in range(3)] for j in range(3)]
        self.at, self.columns = pose[:3], [pose[3:6], pose[6:9], pose[9:12]]

    def to_ground(self, c):
        """Components in the frame to components in ground axes."""
        return [dot3([self.columns[j][k] for j in range(3)], c) for k in range(3)]

    def to_wheelset(self, c):
        """Components in ground axes to components in the frame."""
        return [dot3(self.columns[j], c) for j in range(3)]

    def rates(self, velocity, turning):
        """Rates of the pose's entries with velocity and turning of the frame, both in its axes: dict for Derivative."""
        rates = dict(zip(self.at, self.to_ground(velocity), strict=True))
        for column, unit in zip(self.columns, self._unit, strict=True):
            rates.update(zip(column, self.to_ground(cross3(turning, unit)), strict=True))
        return rates

    def constraints(self, geometry, offset):
        """Normal constraint and the four tangent ones of a wheel whose reference point lies `offset` along the axle."""
        wheel, n, (tx, ty) = geometry.wheel_point, geometry.normal, geometry.rail_tangents
        turned = self.to_ground([wheel[0], wheel[1] + offset, wheel[2]])
        gap = [self.at[k] + turned[k] - geometry.rail_point[k] for k in range(3)]
        tangents = [self.to_ground(t) for t in geometry.wheel_tangents]
        normal = dot3(n, gap)  # 000 (8)
        return normal, [dot3(tx, gap), dot3(ty, gap), dot3(tangents[0], n), dot3(tangents[1], n)]  # 000 (9)


def sine_and_cosine(x):
    """Polynomials of sine and cosine, to rounding for |x| < 0.5."""
    z = x * x
    s = c = None
    for n in (6, 5, 4, 3, 2, 1):
        sign = -1.0 if n % 2 else 1.0
        s = sign / math.factorial(2 * n + 1) + (z * s if s is not None else 0.0 * z)
    for n in (7, 6, 5, 4, 3, 2, 1):
        sign = -1.0 if n % 2 else 1.0
        c = sign / math.factorial(2 * n) + (z * c if c is not None else 0.0 * z)
    return x + x * (z * s), 1.0 + z * c


def _combined(axes, parts):
    """Vector from its parts along three axes."""
    return tuple(dot3([axis[k] for axis in axes], parts) for k in range(3))


def _rail_frame(coefficients, s_rail, turn):
    """Frame of the rail's base curve with its camber, as it moves along.

    Returns the point, the unit vectors along, across and up, the length of d(point)/ds, and the turning of the frame
    per unit of s in its own axes. The frame is heading, then slope, then camber; level = dx, dy without dz.
    """
    curves = [_cubic(coefficients[name], s_rail) for name in TRACK_CURVES]
    (dx, dy, dz), (ddx, ddy, ddz) = ([c[order] for c in curves[:3]] for order in (1, 2))
    level_square = dx * dx + dy * dy
    level, speed = sqrt(level_square), sqrt(level_square + dz * dz)
    flat, scale = 1.0 / level, 1.0 / speed
    east, north = dx * flat, dy * flat  # heading
    rise, run = dz * scale, level * scale  # slope
    tangent = [east * run, north * run, rise]
    across = [-north, east, 0.0 * flat]
    up = [-(east * rise), -(north * rise), run]
    heading_rate = (east * ddy - north * ddx) * flat
    slope_rate = (ddz * run - rise * (east * ddx + north * ddy)) * scale
    nick, yaw = -slope_rate, heading_rate * run
    sine, cosine = turn(curves[3][0])
    tilted = [cosine * across[k] + sine * up[k] for k in range(3)]
    raised = [cosine * up[k] - sine * across[k] for k in range(3)]
    turning = (
        heading_rate * rise + curves[3][1],
        cosine * nick + sine * yaw,
        cosine * yaw - sine * nick,
    )
    return [c[0] for c in curves[:3]], (tangent, tilted, raised), speed, turning


def _cubic(coefficients, x):
    """Value, first and second derivative of a cubic piece (eq 5), by Horner's scheme: they share their products."""
    a, b, c, d, start = coefficients
    t = x - start
    first = a * t
    second = first + b
    third = second * t + c
    half = first + second
    return third * t + d, half * t + third, 2.0 * (first + half)  # 000 (5)
