"""Keys of the section [track]: alignment, rails and their supports."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from flexwheel.body.mesh_format import LENGTH_UNITS
from flexwheel.run.keys.section import (
    Damping,
    Finite,
    Flag,
    Length,
    Mass,
    NamesFile,
    NonNegative,
    Only,
    Place,
    Positive,
    Section,
    Stiffness,
    Usual,
    Whole,
    within,
)
from flexwheel.track.rail_models import RAIL_MODELS

FULL = Only("reduced.full_model", (True,))
"""Of keys that the simplified model does not have: in its scenarios they are read by the full model beside it."""
WINDOW = Only("track.extent", ("window",))


def read_by(key):
    """Rule of a key within [track] that not every rail model reads, as the rail models declare them."""
    return Only("track.model", tuple(name for name, model in RAIL_MODELS.items() if key in model.reads))


def _has_joint(layout):
    """Whether the curvature jumps somewhere, as `build_track.with_joints` sees it."""
    value = [(1.0 / s.radius_m, s.cant_mm or 0.0) if s.kind == "arc" else (0.0, 0.0) for s in layout]
    return any(
        a.kind != "transition" and b.kind != "transition" and va[0] != vb[0]
        for a, b, va, vb in zip(layout[:-1], layout[1:], value[:-1], value[1:], strict=True)
    )


class LayoutSegment(Section):
    """One stretch of the alignment; curvature runs linearly within a transition."""

    kind: Literal["straight", "transition", "arc"] = Field(description="kind of stretch")
    length_m: within(1e-3, 1e6) = Field(description="arc length of the stretch")
    radius_m: Finite | None = Field(None, description="radius of an arc; positive turns left, negative right")
    cant_mm: Finite | None = Field(
        None, description="height of the outer rail over the inner one in an arc, on a base of contact.gauge_mm + 65 mm"
    )

    @model_validator(mode="after")
    def _arc_has_radius(self):
        if self.kind == "arc" and (self.radius_m is None or abs(self.radius_m) < 20.0):
            raise ValueError("an arc needs radius_m, at least 20 m to the left or at most -20 m to the right")
        if self.kind != "arc" and (self.radius_m is not None or self.cant_mm is not None):
            raise ValueError("radius_m and cant_mm belong to arcs; a transition takes them from its neighbours")
        return self


class VerticalPoint(Section):
    """A point where the gradient changes, rounded by a parabola."""

    position_m: Place = Field(description="arc length of the point")
    gradient_permille: Finite = Field(ge=-200.0, le=200.0, description="gradient beyond the point, positive uphill")
    rounding_m: Length = Field(20.0, description="length of the parabola about the point")


class LinearSpringKeys(Section):
    """A spring and damper; keys left out keep the value of the support file."""

    stiffness_n_m: Stiffness | None = Field(None, description="stiffness")
    damping_ns_m: Damping | None = Field(None, description="viscous damping")


class SpringKeys(LinearSpringKeys):
    """A spring and damper, or a force law; keys left out keep the value of the support file."""

    law_mm_kn: tuple[tuple[Finite, Finite], ...] | None = Field(
        None, description="pairs of compression [mm] and force [kN] in place of the linear law"
    )


class RollSpringKeys(Section):
    """A rotational spring and damper; keys left out keep the value of the support file."""

    stiffness_nm_rad: Stiffness | None = Field(None, description="stiffness")
    damping_nms_rad: Damping | None = Field(None, description="viscous damping")


class FastenerSection(Section):
    """Rail fastener and pad of one rail seat."""

    vertical: Annotated[SpringKeys, Usual(5e6, 5e9, "softest to hardest rail pad", "stiffness_n_m")] = Field(
        SpringKeys(), description="pad"
    )
    lateral: Annotated[SpringKeys, Usual(1e6, 1e9, "rail clip", "stiffness_n_m")] = Field(
        SpringKeys(), description="clip and pad in shear"
    )
    longitudinal: LinearSpringKeys = Field(LinearSpringKeys(), description="along the rail")
    roll: RollSpringKeys = Field(RollSpringKeys(), description="rail roll")


class SleeperSection(Section):
    """Rigid half sleeper; keys left out keep the value of the support file."""

    mass_kg: Annotated[Mass | None, Usual(20.0, 300.0, "half a sleeper")] = Field(
        None, description="mass of the half sleeper"
    )
    roll_inertia_kg_m2: Mass | None = Field(None, description="roll inertia of the half sleeper about its own centre")


class FoundationSection(Section):
    """What carries a half sleeper."""

    vertical: Annotated[SpringKeys, Usual(1e6, 1e9, "ballast under half a sleeper", "stiffness_n_m")] = Field(
        SpringKeys(), description="ballast"
    )
    lateral: Annotated[SpringKeys, Usual(1e6, 1e9, "ballast under half a sleeper", "stiffness_n_m")] = Field(
        SpringKeys(), description="ballast"
    )
    roll: RollSpringKeys = Field(RollSpringKeys(), description="ballast")
    lift_off: Annotated[
        Flag,
        Only("track.foundation.vertical.law_mm_kn", (None,), "leave the law out, or let it end at zero compression"),
    ] = Field(False, description="whether a half sleeper may lift off its base")
    mesh: Annotated[str | None, NamesFile()] = Field(
        None,
        description="FE mesh of the track bed (x along the track, y left, z up) between the ground and the springs of "
        "this section: an odd number of bays with node sets SEAT_LEFT_1 .., SEAT_RIGHT_1 .. under the half sleepers, "
        "clamped at FOUNDATION_BASE or else at the lowest nodes; statically reduced to the seats, without its mass",
    )
    mesh_unit: Annotated[
        Literal[*LENGTH_UNITS], Only(".mesh", lambda name: name is not None, "give track.foundation.mesh")
    ] = Field("m", description="length unit of the mesh file")


class RigidRailSection(Section):
    """Supports of the massless and inertial rail models, one wheel's rail."""

    longitudinal_stiffness_n_m: Stiffness = Field(4.0e7, description="along the rail")
    longitudinal_damping_ns_m: Damping = Field(1.0e5, description="along the rail")
    vertical_stiffness_n_m: Annotated[Stiffness, Usual(1e6, 1e10, "rail on its supports")] = Field(
        4.4e7, description="rail on its support, vertical"
    )
    vertical_damping_ns_m: Damping = Field(1.0e5, description="vertical")
    lateral_stiffness_n_m: Annotated[Stiffness, Usual(1e6, 1e10, "rail on its supports")] = Field(
        1.8e7, description="lateral"
    )
    lateral_damping_ns_m: Damping = Field(1.0e5, description="lateral")
    roll_stiffness_nm_rad: Stiffness = Field(1.0e7, description="rail roll")
    roll_damping_nms_rad: Damping = Field(1.0e4, description="rail roll")
    mass_kg: Annotated[Mass, read_by("rigid_rail.mass_kg"), Usual(10.0, 1000.0, "rail that moves with a wheel")] = (
        Field(60.0, description="mass of rail that moves with a wheel, inertial model only")
    )
    roll_inertia_kg_m2: Annotated[Mass, read_by("rigid_rail.roll_inertia_kg_m2")] = Field(
        0.3, description="inertial model only"
    )


class CheckRailSection(Section):
    """A check rail on a stretch of the track, carried by the running rail beside it."""

    side: Literal["left", "right"] = Field(description="running rail beside which it stands, towards the track centre")
    start_m: Place = Field(description="arc length of its first end, flare included")
    end_m: Place = Field(description="arc length of its other end, flare included")
    flangeway_mm: within(20.0, 200.0) = Field(
        description="from the gauge face of the running rail to its face, 14 mm below the running surface"
    )
    height_mm: within(-20.0, 200.0) = Field(description="its top above the running surface")
    edge_radius_mm: within(0.5, 100.0) = Field(description="radius between its face and its top")
    flare_length_m: Length = Field(description="length over which the flangeway widens to either end")
    flare_opening_mm: within(0.0, 500.0) = Field(description="by how much it is wider at the ends")
    face_inclination: within(0.0, 0.5) = Field(0.0, description="tangent by which its face leans away with height")
    stiffness_n_m: Stiffness | None = Field(
        None, description="of its mounting against the running rail, lateral; left out: rigid"
    )
    friction: within(0.0, 1.5) | None = Field(
        None, description="coefficient of friction on its face; left out: contact.friction"
    )


class TrackSection(Section):
    """Alignment and track model."""

    layout: tuple[LayoutSegment, ...] = Field(
        (LayoutSegment(kind="straight", length_m=1000.0),),
        min_length=1,
        description="stretches in order from s = 0",
    )
    vertical: tuple[VerticalPoint, ...] = Field((), description="changes of gradient; none is a level track")
    joint_length_m: Annotated[
        Positive,
        Only(".layout", _has_joint, "let an arc meet its neighbour without a transition"),
        Usual(0.05, 20.0, "a shorter one acts as an impact"),
    ] = Field(
        0.5,
        le=20.0,
        description="length over which the curvature changes where an arc meets its neighbour without a transition",
    )
    model: Annotated[Literal[*RAIL_MODELS], FULL] = Field("flexible", description="rail model; rigid: fixed rails")
    extent: Annotated[Literal["window", "full_length"], read_by("extent"), FULL] = Field(
        "window", description="flexible track: a window that travels with the vehicle, or every sleeper of the route"
    )
    window_margin_bays: Annotated[
        Annotated[Whole, Field(ge=20, le=500)] | None, read_by("window_margin_bays"), WINDOW, FULL
    ] = Field(
        None,
        description="bays before and behind the outer wheelsets; default: enough for waves to decay "
        "by the damping of the track",
    )
    absorbing_bays: Annotated[Whole, Field(ge=0, le=250), read_by("absorbing_bays"), WINDOW, FULL] = Field(
        15, description="bays of the margin that absorb waves, at each end"
    )
    absorbing_rate_1_s: Annotated[
        NonNegative,
        read_by("absorbing_rate_1_s"),
        WINDOW,
        Only(".absorbing_bays", lambda n: n > 0, "set track.absorbing_bays"),
        FULL,
    ] = Field(1000.0, le=1e9, description="largest damping rate of the absorbing bays")
    support: Annotated[str, NamesFile(), read_by("support"), FULL] = Field(
        "ballasted", description="shipped set of fastener, sleeper and foundation, or a TOML file like it"
    )
    rail: Annotated[str, NamesFile(), read_by("rail"), FULL] = Field(
        "uic60", description="shipped rail section (uic60, r65), or a TOML file like it"
    )
    bay_m: Annotated[Positive | None, read_by("bay_m"), FULL, Usual(0.4, 0.9, "sleeper spacing")] = Field(
        None, description="sleeper spacing; the default is that of the support file"
    )
    elements_per_bay: Annotated[Whole, Field(ge=1, le=8), read_by("elements_per_bay"), FULL] = Field(
        4, description="rail elements between sleepers; best value: bay / (3000 m/s * step_s)"
    )
    rail_mass: Annotated[Literal["matched", "blended", "consistent", "lumped"], read_by("rail_mass"), FULL] = Field(
        "matched", description="mass of the rail elements: matched to the step; blended is half consistent, half lumped"
    )
    fastener: Annotated[FastenerSection, read_by("fastener"), FULL] = Field(
        FastenerSection(), description="springs between rail and half sleeper"
    )
    sleeper: Annotated[SleeperSection, read_by("sleeper"), FULL] = Field(SleeperSection(), description="half sleepers")
    foundation: Annotated[FoundationSection, read_by("foundation"), FULL] = Field(
        FoundationSection(), description="springs under the half sleepers"
    )
    rigid_rail: Annotated[RigidRailSection, read_by("rigid_rail"), FULL] = Field(
        RigidRailSection(), description="massless and inertial models"
    )
    check_rail: tuple[CheckRailSection, ...] = Field((), description="check rails, against the backs of flanges")
