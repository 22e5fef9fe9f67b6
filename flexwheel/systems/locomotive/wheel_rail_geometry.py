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
    base_line: object  # BaseLine of the rail
    directions: tuple  # n of the rail, out of it, and t_x, t_y; axes of the base line
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
    curves = [_cubic(coefficients[name], s_rail) for name in TRACK_CURVES]
    first, second = ([c[order] for c in curves[:3]] for order in (1, 2))
    line = BaseLine(first)
    sine, cosine = turn(curves[3][0])
    beside, above = u_rail * cosine - g * sine, u_rail * sine + g * cosine  # of the base line
    offset = line.to_ground((0.0, beside, above))
    rail_point = tuple(c[0] + x for c, x in zip(curves, offset, strict=False))  # 000 (7)
    along = [constant(graph, x) for x in (1.0, 0.0, 0.0)]
    if exact_tangent:  # d(rail point)/ds times the length of `first`; the axes turn by `rolling` about it
        rolling = curves[3][1] * line.length + line.heading_rate(second) * line.z
        along = line.square - dot3(offset, second), -(rolling * above), rolling * beside
    across = 0.0 * g1, cosine - g1 * sine, sine + g1 * cosine  # d(rail point)/du
    upright = cross3(along, across)
    lengths = sqrt(dot3(along, along)), sqrt(1.0 + g1 * g1)
    height = sqrt(dot3(upright, upright)) if unit_normal else lengths[0] * lengths[1]
    directions = tuple(  # 000 (10)
        tuple(x / length for x in v) for v, length in zip((upright, along, across), (height, *lengths), strict=True)
    )
    return SurfaceGeometry(
        surface, coefficients, wheel_point, (wheel_x, wheel_y), rail_point, line, directions, (f, f1, f2), (g, g1, g2)
    )


class BaseLine:
    """Axes along a rail's base line, level to its left, and upwards, from the line's derivative in ground axes.

    The axes are kept as they come out of products; each length divides once.
    """

    def __init__(self, derivative):
        self.x, self.y, self.z = derivative
        self._level_square = self.x * self.x + self.y * self.y
        self.square = self._level_square + self.z * self.z
        self._level, self.length = sqrt(self._level_square), sqrt(self.square)
        self._up = self._level * self.length

    def heading_rate(self, second):
        """Turning about the vertical, from the second derivative."""
        return (self.x * second[1] - self.y * second[0]) / self._level_square

    def from_ground(self, c):
        """Components in ground axes to components in these."""
        level = self.x * c[0] + self.y * c[1]
        return (
            (level + self.z * c[2]) / self.length,
            (self.x * c[1] - self.y * c[0]) / self._level,
            (self._level_square * c[2] - self.z * level) / self._up,
        )

    def to_ground(self, c):
        """Components in these axes to components in ground axes."""
        along, across, up = c[0] / self.length, c[1] / self._level, c[2] / self._up
        level = along - self.z * up
        return (
            self.x * level - self.y * across,
            self.y * level + self.x * across,
            self.z * along + self._level_square * up,
        )


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
        wheel = geometry.wheel_point
        turned = self.to_ground([wheel[0], wheel[1] + offset, wheel[2]])
        gap = [self.at[k] + turned[k] - geometry.rail_point[k] for k in range(3)]
        gap = geometry.base_line.from_ground(gap)
        normal, *sliding = (dot3(v, gap) for v in geometry.directions)  # 000 (8)
        n = self.to_wheelset(geometry.base_line.to_ground(geometry.directions[0]))
        return normal, [*sliding, *(dot3(t, n) for t in geometry.wheel_tangents)]  # 000 (9)


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


def _cubic(coefficients, x):
    """Value, first and second derivative of a cubic piece (eq 5), by Horner's scheme: they share their products."""
    a, b, c, d, start = coefficients
    t = x - start
    first = a * t
    second = first + b
    third = second * t + c
    half = first + second
    return third * t + d, half * t + third, 2.0 * (first + half)  # 000 (5)
