"""Symmetries beside revolution by which a mesh is reduced: each a declaration, found by name."""

from collections.abc import Callable
from dataclasses import dataclass

from flexwheel.base.registry import Registry


@dataclass(frozen=True)
class SymmetryRoute:
    """Route of a mesh that turns about the axle map onto itself.

    Its symmetries have `route` (this), `sections` n, `step` [rad], `following` (N,): row of the node one sector further
    about +y, `sector_elements`: per block the rows of one sector, and `why_lagrangian`: why modes do not turn further.
    """

    name: str
    detect: Callable  # mesh -> (symmetry or None, one line)
    missing: Callable  # (symmetry, interfaces, ReductionOptions) -> what the route cannot do, "" where nothing
    parts: Callable  # (mesh, symmetry, reduction_routes.Wanted) -> reduction_routes.ReductionParts


SYMMETRY_ROUTES = Registry("symmetry of a mesh", "flexwheel.symmetry_routes", SymmetryRoute)
