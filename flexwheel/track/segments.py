"""Pieces of an alignment: straights, transitions, arcs, changes of grade; checked where they are made."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError

SMALLEST_RADIUS = 25.0
"""[m] below the tightest street tramway; the gauge's own geometry (quasi-straight frame) is doubtful
there."""


@dataclass(frozen=True)
class Straight:
    """Straight of length_m, without cant."""

    length_m: float

    def __post_init__(self):
        _check_length("straight", self.length_m)


@dataclass(frozen=True)
class Transition:
    """Clothoid of length_m: curvature and cant go linearly in arc length between its two neighbours'
    values."""

    length_m: float

    def __post_init__(self):
        _check_length("transition", self.length_m)


@dataclass(frozen=True)
class Arc:
    """Circular arc of length_m and radius_m, turning 'left' or 'right'; cant_mm > 0 raises the outer rail."""

    length_m: float
    radius_m: float
    turn: str
    cant_mm: float = 0.0

    def __post_init__(self):
        _check_length("arc", self.length_m)
        if not (np.isfinite(self.radius_m) and self.radius_m >= SMALLEST_RADIUS):
            raise ScenarioError(f"arc radius_m must be at least {SMALLEST_RADIUS:g} m, got {self.radius_m!r}")
        if self.turn not in ("left", "right"):
            raise ScenarioError(f"arc turn must be 'left' or 'right', got {self.turn!r}")
        if not (np.isfinite(self.cant_mm) and abs(self.cant_mm) <= 300.0):
            raise ScenarioError(f"arc cant_mm must be -300 to 300 mm, got {self.cant_mm!r}")

    @property
    def curvature(self):
        """[1/m], positive to the left."""
        return (1.0 if self.turn == "left" else -1.0) / self.radius_m

    @property
    def cant(self):
        """[m], height of the left rail above the right rail."""
        return (-1.0 if self.turn == "left" else 1.0) * 1e-3 * self.cant_mm


@dataclass(frozen=True)
class GradeChange:
    """Change to slope_permille (rise per arc length, up positive) by a parabola of curve_length_m centred at
    at_m."""

    at_m: float
    slope_permille: float
    curve_length_m: float

    def __post_init__(self):
        _check_length("vertical curve", self.curve_length_m)
        if not (np.isfinite(self.slope_permille) and abs(self.slope_permille) <= 200.0):
            raise ScenarioError(f"slope_permille must be -200 to 200, got {self.slope_permille!r}")
        if not np.isfinite(self.at_m):
            raise ScenarioError(f"grade change at_m must be a number, got {self.at_m!r}")


def _check_length(what, length):
    """Lengths are positive and finite."""
    if not (np.isfinite(length) and length > 0.0):
        raise ScenarioError(f"{what} length_m must be a positive number, got {length!r}")


def end_values(segments):
    """Curvature [1/m] and cant [m] at both ends of every segment: two (n, 2) arrays.

    Raises ScenarioError where a transition has no neighbour to take its value from, or the cant would jump.
    """
    n = len(segments)
    curvature, cant = np.zeros((n, 2)), np.zeros((n, 2))
    for i, segment in enumerate(segments):
        if isinstance(segment, Arc):
            curvature[i], cant[i] = segment.curvature, segment.cant
    for i, segment in enumerate(segments):
        if isinstance(segment, Transition):
            for side, j in ((0, i - 1), (1, i + 1)):
                if not 0 <= j < n or isinstance(segments[j], Transition):
                    raise ScenarioError(f"segment {i}, a transition, must have a straight or an arc on both sides")
                curvature[i, side], cant[i, side] = curvature[j, 0], cant[j, 0]
    for i in range(n - 1):
        if cant[i, 1] != cant[i + 1, 0]:
            raise ScenarioError(
                f"cant jumps from {1e3 * cant[i, 1]:g} to {1e3 * cant[i + 1, 0]:g} mm between segments {i} "
                f"and {i + 1}: put a transition between them"
            )
    return curvature, cant
