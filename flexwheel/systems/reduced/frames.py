"""Velocity and acceleration in a track frame that follows the centre line, as expressions.

The frame of a body stands at the body's own arc length s and turns with the angular velocity V kappa(s); the body keeps
its distance along the track, so that its position in the frame is (0, y, h + z) with small y and z. Inputs of every
kernel: speed V, its rate, curvature kappa, its time rate V dkappa/ds, and gravity, all in track axes.
"""

from dataclasses import dataclass

from flexwheel.systems.symbolic.calculus import Derivative, differentiate, substitute
from flexwheel.systems.symbolic.expression import symbol
from flexwheel.systems.symbolic.symbolic_vectors import cross3

TRACK_INPUTS = ("V", "dV", "kx", "ky", "kz", "dkx", "dky", "dkz", "gx", "gy", "gz")
"""Speed, acceleration, curvature vector, its time rate, gravity: one entry each per lane."""


@dataclass(frozen=True)
class TrackFrame:
    """Symbols of a moving track frame."""

    speed: object
    omega: tuple  # angular velocity
    gravity: tuple
    rates: dict  # symbol -> time derivative


def track_frame_symbols(graph):
    """TrackFrame of a graph."""
    s = {name: symbol(graph, name) for name in TRACK_INPUTS}
    rates = {s["V"]: s["dV"], s["kx"]: s["dkx"], s["ky"]: s["dky"], s["kz"]: s["dkz"]}
    omega = tuple(s["V"] * s[name] for name in ("kx", "ky", "kz"))
    return TrackFrame(s["V"], omega, (s["gx"], s["gy"], s["gz"]), rates)


def coordinates(graph, names):
    """Symbols of coordinates, velocities and accelerations, and the rates that tie them: dict and dict."""
    found, rates = {}, {}
    for name in names:
        q, qd, qdd = (symbol(graph, text) for text in (name, f"{name}'", f"{name}''"))
        found[name] = (q, qd, qdd)
        rates[q], rates[qd] = qd, qdd
    return found, rates


def velocity_in_frame(frame, position, rate):
    """Velocity of a point at `position` in the frame, track axes; `rate` differentiates in time."""
    turning = cross3(frame.omega, position)
    along = (frame.speed, 0.0, 0.0)
    return tuple(along[k] + rate(position[k]) + turning[k] for k in range(3))  # 001 (track frame)


def acceleration_in_frame(frame, velocity, rate):
    """Acceleration from the velocity's components in the turning frame."""
    turning = cross3(frame.omega, velocity)
    return tuple(rate(velocity[k]) + turning[k] for k in range(3))  # 001 (track frame)


def first_order(expressions, variables):
    """Expressions up to first order in `variables`, about zero."""
    zero = dict.fromkeys(variables, 0.0)
    result = list(substitute(expressions, zero))
    for variable in variables:
        slopes = substitute([differentiate(e, variable) for e in expressions], zero)
        result = [r + slope * variable for r, slope in zip(result, slopes, strict=True)]
    return result


def time_derivative(graph, *tables):
    """d/dt with the rates of all tables."""
    rates = {}
    for table in tables:
        rates.update(table)
    return Derivative(graph, rates)
