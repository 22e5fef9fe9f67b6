"""Keys of the section [track]; as io.scenario_keys."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from flexwheel.scenario.alignment_keys import LayoutSegment, VerticalPoint
from flexwheel.scenario.section import Damping, Finite, Flag, Mass, NonNegative, Positive, Section, Stiffness, Whole
from flexwheel.track.rail_models import RAIL_MODELS


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

    vertical: SpringKeys = Field(SpringKeys(), description="pad")
    lateral: SpringKeys = Field(SpringKeys(), description="clip and pad in shear")
    longitudinal: LinearSpringKeys = Field(LinearSpringKeys(), description="along the rail")
    roll: RollSpringKeys = Field(RollSpringKeys(), description="rail roll")


class SleeperSection(Section):
    """Rigid half sleeper; keys left out keep the value of the support file."""

    mass_kg: Mass | None = Field(None, description="mass of the half")
    roll_inertia_kg_m2: Mass | None = Field(None, description="about its own centre")


class FoundationSection(Section):
    """What carries a half sleeper."""

    vertical: SpringKeys = Field(SpringKeys(), description="ballast")
    lateral: SpringKeys = Field(SpringKeys(), description="ballast")
    roll: RollSpringKeys = Field(RollSpringKeys(), description="ballast")
    lift_off: Flag = Field(False, description="whether a half sleeper may lift off its base")
    mesh: str | None = Field(
        None,
        description="FE mesh of the track bed (x along the track, y left, z up) between the ground and the springs of "
        "this section: an odd number of bays with node sets SEAT_LEFT_1 .., SEAT_RIGHT_1 .. under the half sleepers, "
        "clamped at FOUNDATION_BASE or else at the lowest nodes; statically reduced to the seats, without its mass",
    )
    mesh_unit: Literal["m", "mm"] = Field("m", description="length unit of the mesh file")


class RigidRailSection(Section):
    """Supports of the massless and inertial rail models, one wheel's rail."""

    longitudinal_stiffness_n_m: Stiffness = Field(4.0e7, description="along the rail")
    longitudinal_damping_ns_m: Damping = Field(1.0e5, description="along the rail")
    vertical_stiffness_n_m: Stiffness = Field(4.4e7, description="rail on its support, vertical")
    vertical_damping_ns_m: Damping = Field(1.0e5, description="vertical")
    lateral_stiffness_n_m: Stiffness = Field(1.8e7, description="lateral")
    lateral_damping_ns_m: Damping = Field(1.0e5, description="lateral")
    roll_stiffness_nm_rad: Stiffness = Field(1.0e7, description="rail roll")
    roll_damping_nms_rad: Damping = Field(1.0e4, description="rail roll")
    mass_kg: Mass = Field(60.0, description="rail moving with a wheel, inertial model only")
    roll_inertia_kg_m2: Mass = Field(0.3, description="inertial model only")


class TrackSection(Section):
    """Alignment and track model."""

    layout: tuple[LayoutSegment, ...] = Field(
        (LayoutSegment(kind="straight", length_m=1000.0),), description="stretches in order from s = 0"
    )
    vertical: tuple[VerticalPoint, ...] = Field((), description="changes of gradient; none is a level track")
    joint_length_m: Positive = Field(
        0.5,
        le=20.0,
        description="length over which the curvature changes where an arc meets its neighbour without a transition",
    )
    model: Literal[*RAIL_MODELS] = Field(
        "flexible", description="rail model; rigid: rails that do not move"
    )
    extent: Literal["window", "full_length"] = Field(
        "window",
        description="flexible track: a window that travels with the vehicle, or every sleeper of the route",
    )
    window_margin_bays: Annotated[Whole, Field(ge=20, le=500)] = Field(
        30, description="bays before and behind the outer wheelsets"
    )
    absorbing_bays: Annotated[Whole, Field(ge=0, le=250)] = Field(15, description="of these, absorbing at each end")
    absorbing_rate_1_s: NonNegative = Field(3000.0, le=1e9, description="largest damping rate of the absorbing bays")
    support: str = Field(
        "ballasted", description="shipped set of fastener, sleeper and foundation, or a TOML file like it"
    )
    rail: str = Field("uic60", description="shipped rail section (uic60, r65), or a TOML file like it")
    bay_m: Positive | None = Field(None, description="sleeper spacing; the default is that of the support file")
    elements_per_bay: Annotated[Whole, Field(ge=1, le=8)] = Field(2, description="rail elements between sleepers")
    rail_mass: Literal["blended", "consistent", "lumped"] = Field(
        "blended", description="mass matrix of the rail elements; blended is half consistent, half lumped"
    )
    fastener: FastenerSection = Field(FastenerSection(), description="rail seats")
    sleeper: SleeperSection = Field(SleeperSection(), description="half sleepers")
    foundation: FoundationSection = Field(FoundationSection(), description="under the half sleepers")
    rigid_rail: RigidRailSection = Field(RigidRailSection(), description="massless and inertial models")
