"""Every key of a train scenario and of the files of train parts, with unit and default.

A number of a part may also be a table { value, source, confidence }; the label is kept and printed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from flexwheel.io.section_keys import Finite, Flag, NonNegative, Number, Positive, Section, Whole

Rows = list[list[Finite]]


class RunKeys(Section):
    """Section [run]."""

    duration_s: Positive
    start_m: Finite = Field(description="front of the train on the route")
    speed_kmh: NonNegative = 0.0
    tolerance: Positive = 1e-4
    longest_step_s: Positive = 0.2
    locate_s: NonNegative = 1e-3
    check_tolerance: Flag = Field(True, description="run again at half the tolerance until the largest force stays")
    energy: Flag = True
    deflection_coupler: Annotated[Whole, Field(ge=1)] | None = None


class FormationKeys(Section):
    """One block of the formation, from the head."""

    vehicle: str
    count: Annotated[Whole, Field(ge=1, le=2000)] = 1
    coupler: str | None = Field(None, description="inside the block; default the train's")
    pair: str | None = Field(None, description="coupling inside pairs, e.g. rigid_bar")
    channel: Annotated[Whole, Field(ge=0, le=15)] = 0
    radio_delay_s: NonNegative = 0.0


class TrainKeys(Section):
    """Section [train]."""

    parts: list[str] = Field(
        default_factory=lambda: ["train_stock.toml", "train_couplers.toml"],
        description="files of vehicles, couplers and traction; later ones and the scenario itself take precedence",
    )
    coupler: str = "autocoupler"
    formation: list[FormationKeys] = Field(min_length=1)


class RouteKeys(Section):
    """Section [route]: a file of columns distance_m, gradient_permille, and radius_m or curvature_per_km; or rows."""

    file: str | None = None
    distance_m: list[Finite] | None = None
    gradient_permille: list[Finite] | None = None
    curvature_per_km: list[Finite] | None = None


class DrivingKeys(Section):
    """Section [driving]."""

    mode: Literal["by_time", "by_distance", "hold_speed"]
    file: str | None = Field(None, description="columns time_s or distance_m, notch (or notch_0, notch_1 ...), brake")
    at: list[Finite] | None = Field(None, description="s or m; points of the notch or of the speed to hold")
    notch: list[Finite] | None = Field(None, description="positive traction, negative dynamic brake")
    speed_kmh: list[Positive] | None = Field(None, description="hold_speed: over distance")
    brake_at: list[Finite] | None = None
    brake: list[Annotated[Number, Field(ge=0.0, le=1.0)]] | None = Field(None, description="fraction of full service")
    tick_s: Annotated[Number, Field(gt=0.0, le=60.0)] = 1.0
    gain_notch_per_m_s: Positive = 4.0
    reset_per_s: NonNegative = 0.02
    max_notch: NonNegative = 8.0
    max_brake_notch: NonNegative = 8.0
    notch_per_s: Positive = 0.25
    whole_notches: Flag = False
    air_brake_above_kmh: Positive = 5.4
    air_brake: Annotated[Number, Field(ge=0.0, le=1.0)] = 0.3


class VehicleKeys(Section):
    """Table [vehicle.NAME]."""

    mass_t: Positive
    length_m: Positive
    axles: Annotated[Whole, Field(ge=2, le=32)] = 4
    resistance_factor: NonNegative = 1.0
    brake_force_kN: NonNegative = 0.0
    brake_friction: Rows = Field(default_factory=lambda: [[0.0, 1.0]])
    traction: str | None = None


class CouplerKeys(Section):
    """Table [coupler.NAME] of a coupler with draft gears."""

    kind: Literal["coupler"] = "coupler"
    gears: Annotated[Whole, Field(ge=1, le=4)] = 2
    clearance_mm: NonNegative = 0.0
    draft: Rows
    buff: Rows | None = None
    solid_kN_per_mm: Positive
    transition_mm_per_s: Positive = 10.0
    damping_kN_s_per_m: NonNegative = 0.0


class HookKeys(Section):
    """Table [coupler.NAME] of hook and buffers."""

    kind: Literal["hook_and_buffers"]
    hook_gears: Annotated[Whole, Field(ge=1, le=4)] = 2
    hook: Rows
    hook_solid_kN_per_mm: Positive
    buffer_gears: Annotated[Whole, Field(ge=1, le=4)] = 2
    buffers_side_by_side: Annotated[Whole, Field(ge=1, le=4)] = 2
    buffer: Rows
    buffer_solid_kN_per_mm: Positive
    pretension_mm: Finite = 0.0
    transition_mm_per_s: Positive = 10.0
    damping_kN_s_per_m: NonNegative = 0.0


class RigidBarKeys(Section):
    """Table [coupler.NAME] of a bar without deflection."""

    kind: Literal["rigid_bar"]


class ElasticBarKeys(Section):
    """Table [coupler.NAME] of an elastic bar."""

    kind: Literal["elastic_bar"]
    stiffness_kN_per_mm: Positive
    damping_kN_s_per_m: NonNegative = 0.0


class TractionFormKeys(Section):
    """Table [traction.NAME]: effort and power per notch."""

    notches: Annotated[Whole, Field(ge=1, le=100)] = 8
    tractive_effort_kN: Positive
    power_kW: Positive
    brake_effort_kN: Positive
    brake_power_kW: Positive
    brake_fade_kmh: Positive = 8.0


class TractionCurveKeys(Section):
    """Table [traction.NAME]: one curve per notch."""

    speed_kmh: list[NonNegative]
    traction_kN: list[list[NonNegative]]
    dynamic_brake_kN: list[list[NonNegative]] | None = None


class AirBrakeKeys(Section):
    """Table [air_brake]."""

    apply_m_per_s: Positive = 250.0
    release_m_per_s: Positive = 180.0
    build_up_s: Positive = 15.0
    release_s: Positive = 30.0
    growth_s_per_km: NonNegative = 0.0


class PartsKeys(Section):
    """A file of parts."""

    vehicle: dict[str, dict] = Field(default_factory=dict)
    coupler: dict[str, dict] = Field(default_factory=dict)
    traction: dict[str, dict] = Field(default_factory=dict)
    air_brake: dict | None = None


class TrainScenarioKeys(PartsKeys):
    """A whole scenario."""

    kind: Literal["train"]
    title: str = ""
    run: RunKeys
    train: TrainKeys
    route: RouteKeys
    driving: DrivingKeys
