"""Keys of the alignment of a scenario's track: stretches in plan, points where the gradient changes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from flexwheel.scenario.section import Finite, Length, Place, Section


class LayoutSegment(Section):
    """One stretch of the alignment; curvature runs linearly within a transition."""

    kind: Literal["straight", "transition", "arc"] = Field(description="kind of stretch")
    length_m: Length = Field(description="arc length of the stretch")
    radius_m: Finite | None = Field(None, description="radius of an arc; positive turns left, negative right")
    cant_mm: Finite | None = Field(None, description="height of the outer rail over the inner one in an arc")

    @model_validator(mode="after")
    def _arc_has_radius(self):
        if self.kind == "arc" and (self.radius_m is None or abs(self.radius_m) < 20.0):
            raise ValueError("an arc needs radius_m of at least 20 m either way")
        if self.kind != "arc" and (self.radius_m is not None or self.cant_mm is not None):
            raise ValueError("radius_m and cant_mm belong to arcs; a transition takes them from its neighbours")
        return self


class VerticalPoint(Section):
    """A point where the gradient changes, rounded by a parabola."""

    position_m: Place = Field(description="arc length of the point")
    gradient_permille: Finite = Field(ge=-200.0, le=200.0, description="gradient beyond the point, positive uphill")
    rounding_m: Length = Field(20.0, description="length of the parabola about the point")
