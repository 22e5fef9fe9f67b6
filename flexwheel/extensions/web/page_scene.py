"""What a kind of run declares of its results, so that a page can draw them without knowing the kind."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BodyColour:
    """A quantity that colours bodies, and whose history a body has."""

    name: str
    label: str
    unit: str  # in which it is shown
    factor: float  # from the values' unit to that
    values: Any  # (T, bodies)


@dataclass(frozen=True)
class PageScene:
    """Results as a page draws them, in the axes of a vehicle run: along the track, y left, z above the rails.

    Attributes
    ----------
    results : Dataset   time, body_position (time, body, path), body_angle (time, body, rotation), with wheel_force,
                        patch_* and irregularity where there are wheels, as in results of kind "vehicle"
    parts : dict        what bodies look like, as `extensions.web.vehicle_parts` makes it; None: of the vehicle file
    line : (n, 5)       arc length, x, y, z [m] and heading [rad] of the track; None: it is drawn straight
    """

    name: str  # where results hold several; "" otherwise
    results: Any
    parts: dict | None = None
    colours: tuple[BodyColour, ...] = ()
    extremes: tuple = ()  # (words, time [s]) beside those that a page finds
    line: Any = None
    note: str = ""
    motions: tuple = ()  # PageMotion, which the page animates
    rest: bool = False  # nothing else moves


@dataclass(frozen=True)
class PageMotion:
    """What moves as the real part of a complex shape times exp(i w t)."""

    label: str  # what moves most, or what excites it
    frequency_hz: float
    bodies: dict  # body -> (6,) complex [m, rad]: along, lateral, vertical, yaw, roll, pitch
    modal: dict  # flexible wheelset -> (H,) complex coordinates of its modes, of the mesh that does not turn
    damping_ratio: float | None = None  # negative: it grows; None: a response, whose size means something
