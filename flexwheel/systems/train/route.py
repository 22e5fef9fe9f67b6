"""Gradient and curvature by distance, straight lines between the points of the table."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel


@dataclass(frozen=True)
class Route:
    """A line as the train feels it."""

    distance: np.ndarray  # (k,) [m] strictly rising
    gradient: np.ndarray  # (k,) [-] positive uphill (0.001 is 1 per mille)
    curvature: np.ndarray  # (k,) [1/m] sign left positive; only its size resists
    name: str = "route"
    source: str = field(default="", compare=False)

    @property
    def height(self):
        """(k,) float [m] height of the points: integral of the gradient from the first one."""
        steps = 0.5 * (self.gradient[1:] + self.gradient[:-1]) * np.diff(self.distance)
        return np.concatenate([[0.0], np.cumsum(steps)])


class RouteArrays(NamedTuple):
    """Route for the kernels."""

    distance: np.ndarray
    gradient: np.ndarray
    curvature: np.ndarray  # absolute value


def check_route(route):
    """Refuse a route that is not a function of distance, or that is steeper or tighter than a railway can be."""
    where = f"route '{route.name}'"
    sizes = {np.shape(a) for a in (route.distance, route.gradient, route.curvature)}
    if len(sizes) != 1 or len(route.distance) < 2:
        raise ScenarioError(f"{where}: columns of unequal length or fewer than 2 rows")
    for label, a in (
        ("distance", route.distance),
        ("gradient", route.gradient),
        ("curvature", route.curvature),
    ):
        if not np.all(np.isfinite(a)):
            raise ScenarioError(f"{where}: {label} in row {int(np.argmax(~np.isfinite(a))) + 1} is not a number")
    if np.any(np.diff(route.distance) <= 0):
        row = int(np.argmax(np.diff(route.distance) <= 0)) + 2
        raise ScenarioError(
            f"{where}: distance does not rise at row {row}: {route.distance[row - 2]:g} m then "
            f"{route.distance[row - 1]:g} m"
        )
    if np.any(np.abs(route.gradient) > 0.1):
        row = int(np.argmax(np.abs(route.gradient) > 0.1)) + 1
        raise ScenarioError(
            f"{where}: gradient must be within 100 per mille, got {route.gradient[row - 1] * 1e3:g} in row {row}; is "
            "its unit per mille?"
        )
    if np.any(np.abs(route.curvature) > 1 / 20.0):
        row = int(np.argmax(np.abs(route.curvature) > 1 / 20.0)) + 1
        raise ScenarioError(
            f"{where}: curve radius must be 20 m or more, got {1 / abs(route.curvature[row - 1]):g} in row {row}"
        )


def pack_route(route):
    """Arrays for the kernels."""
    check_route(route)
    return RouteArrays(
        np.ascontiguousarray(route.distance, dtype=float),
        np.ascontiguousarray(route.gradient, dtype=float),
        np.ascontiguousarray(np.abs(route.curvature), dtype=float),
    )


@kernel
def route_at(s, hint, route):
    """Gradient [-] and |curvature| [1/m] at s with their slopes along the route, and the interval (the next hint).

    Beyond the ends of the route the last values hold.
    """
    j = hint
    last = route.distance.shape[0] - 2
    while j < last and s >= route.distance[j + 1]:
        j += 1
    while j > 0 and s < route.distance[j]:
        j -= 1
    width = route.distance[j + 1] - route.distance[j]
    along = s - route.distance[j]
    gradient_slope = (route.gradient[j + 1] - route.gradient[j]) / width
    curvature_slope = (route.curvature[j + 1] - route.curvature[j]) / width
    if along < 0.0 or along > width:
        along = min(width, max(0.0, along))
        return (
            route.gradient[j] + along * gradient_slope,
            route.curvature[j] + along * curvature_slope,
            0.0,
            0.0,
            j,
        )
    return (
        route.gradient[j] + along * gradient_slope,
        route.curvature[j] + along * curvature_slope,
        gradient_slope,
        curvature_slope,
        j,
    )
