"""What presses on a wheel beside its running rail, such as a check rail: declared as a RailsBeside, called by address.

It adds to wrench and tangents of the contact law, in the same frame. Without one a wheel costs one comparison more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.base.registry import Registry
from flexwheel.base.variables import BESIDE
from flexwheel.numerics.kernels import Entry, entry, far_call, types


class WheelBeside(NamedTuple):
    """Motion of one wheel, left-like frame of `wheel_rail`."""

    d: np.ndarray  # (6,) [m, rad] pose of its profile origin against its rail
    v: np.ndarray  # (6,) [m/s, rad/s] material velocity there, spin included
    gap_rate: np.ndarray  # (6,) [m/s, rad/s] rate of the pose
    place: float  # [m] arc length of the wheelset
    speed: float  # [m/s] along the track
    curvature: float  # [1/m] of the track, positive to the field side
    BY_VALUE = True


class BesideCall(NamedTuple):
    """Rails beside the running rail, in the contact tables of a wheel."""

    there: bool
    entry: Entry  # kernel (numbers, WheelBeside, ContactResult, record), which adds to the result
    numbers: np.ndarray  # (n,)


NONE = BesideCall(False, Entry(0, 0), np.zeros(0))


@dataclass(frozen=True)
class RailsBeside:
    """How rails beside the running rail are laid; found through RAILS_BESIDE."""

    name: str  # of the key in [track]
    lay: Callable  # (ContactTables (2 W), ContactSection, sections of the key, PlacedProfiles (2 W)) -> ContactTables


RAILS_BESIDE = Registry("rail beside the running rail", "flexwheel.rails_beside", RailsBeside)
_ROLE = "rail beside the running rail"
press_beside = far_call(_ROLE, types.none)


def beside_call(kernel, numbers, result) -> BesideCall:
    """Call of a kernel with its numbers (n,); result: a ContactResult, for its types."""
    motion = WheelBeside(*np.zeros((3, 6)), 0.0, 0.0, 0.0)
    numbers = np.ascontiguousarray(numbers, dtype=float)
    return BesideCall(True, entry(kernel, numbers, motion, result, np.zeros(len(BESIDE)), role=_ROLE), numbers)
