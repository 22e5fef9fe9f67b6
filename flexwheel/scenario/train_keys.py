"""Every key of a train scenario and of the files of train parts, with unit and default.

A number of a part may also be a table { value, source, confidence }; the label is kept and printed.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from flexwheel.scenario.section import Finite, Flag, NonNegative, Number, Section, Whole


def within(low, high):
    """Number between two bounds; outside it is a slip, or nothing the solver can do."""
    return Annotated[Number, Field(ge=low, le=high)]


Place = within(-1e7, 1e7)  # [m] along the route
Seconds = within(0.0, 1e4)
Speed = within(0.0, 1000.0)  # [km/h]
Force = within(0.0, 1e5)  # [kN]
Stiffness = within(1e-3, 1e5)  # [kN/mm]
Damping = within(0.0, 1e5)  # [kN s/m]
Transition = within(0.01, 1e3)  # [mm/s]
Power = within(0.0, 1e6)  # [kW]
Rows = list[list[within(-1e6, 1e6)]]


class RunKeys(Section):
    """Section [run]."""

    duration_s: within(1e-3, 1e7)
    start_m: Place = Field(description="front of the train on the route")
    speed_kmh: Speed = 0.0
    tolerance: within(1e-10, 1.0) = 1e-6
    longest_step_s: within(1e-4, 1.0) = 0.2
    locate_s: within(0.0, 1.0) = 1e-5
    check_tolerance: Flag = Field(
        True, description="run at twice the tolerance as well; halve both until the largest forces stay within 10 N"
    )
    energy: Flag = True
    deflection_coupler: Annotated[Whole, Field(ge=1)] | None = None


class FormationKeys(Section):
    """One block of the formation, from the head."""

    vehicle: str
    count: Annotated[Whole, Field(ge=1, le=2000)] = 1
    coupler: str | None = Field(None, description="inside the block; default the train's")
    pair: str | None = Field(None, description="coupling inside pairs, e.g. rigid_bar")
    channel: Annotated[Whole, Field(ge=0, le=15)] = 0
    radio_delay_s: Seconds = 0.0
    cylinder: str | None = Field(None, description="brake cylinders of the block, e.g. uic_g; default the vehicle's")


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
    distance_m: list[Place] | None = None
    gradient_permille: list[Finite] | None = None
    curvature_per_km: list[Finite] | None = None


class DrivingKeys(Section):
    """Section [driving]."""

    mode: Literal["by_time", "by_distance", "hold_speed"]
    file: str | None = Field(
        None,
        description="columns time_s or distance_m, notch (or notch_0, notch_1 ...), brake; hold_speed: distance_m and "
        "speed_kmh",
    )
    at: list[Place] | None = Field(None, description="s or m; points of the notch or of the speed to hold")
    notch: list[within(-100.0, 100.0)] | None = Field(None, description="positive traction, negative dynamic brake")
    speed_kmh: list[within(0.1, 1000.0)] | None = Field(None, description="hold_speed: over distance")
    brake_at: list[Place] | None = None
    brake: list[Annotated[Number, Field(ge=0.0, le=1.0)]] | None = Field(None, description="fraction of full service")
    tick_s: within(1e-3, 60.0) = 1.0
    gain_notch_per_m_s: within(1e-6, 1e4) = 4.0
    reset_per_s: within(0.0, 1e2) = 0.02
    max_notch: NonNegative | None = Field(None, description="default the highest of the locomotives")
    max_brake_notch: NonNegative | None = Field(None, description="default the highest of the locomotives")
    notch_per_s: within(1e-6, 1e3) = 0.25
    whole_notches: Flag = False
    air_brake_above_kmh: within(1e-3, 1000.0) = 5.4
    air_brake: Annotated[Number, Field(ge=0.0, le=1.0)] = 0.3


class VehicleKeys(Section):
    """Table [vehicle.NAME]."""

    mass_t: within(1e-2, 1e4)
    length_m: within(0.1, 500.0)
    axles: Annotated[Whole, Field(ge=2, le=32)] = 4
    resistance_factor: within(0.0, 100.0) = 1.0
    brake_force_kN: Force = 0.0
    brake_friction: Rows = Field(
        default_factory=lambda: [[0.0, 1.0]], description="rows of km/h and friction relative to standstill"
    )
    traction: str | None = None
    cylinder: str | None = Field(None, description="of the air brake, e.g. uic_p; default that of [air_brake]")


class CouplerKeys(Section):
    """Table [coupler.NAME] of a coupler with draft gears."""

    kind: Literal["coupler"] = "coupler"
    gears: Annotated[Whole, Field(ge=1, le=4)] = 2
    clearance_mm: within(0.0, 1e3) = 0.0
    draft: Rows
    buff: Rows | None = None
    solid_kN_per_mm: Stiffness
    transition_mm_per_s: Transition = 10.0
    damping_kN_s_per_m: Damping = 0.0


class HookKeys(Section):
    """Table [coupler.NAME] of hook and buffers."""

    kind: Literal["hook_and_buffers"]
    hook_gears: Annotated[Whole, Field(ge=1, le=4)] = 2
    hook: Rows
    hook_solid_kN_per_mm: Stiffness
    buffer_gears: Annotated[Whole, Field(ge=1, le=4)] = 2
    buffers_side_by_side: Annotated[Whole, Field(ge=1, le=4)] = 2
    buffer: Rows
    buffer_solid_kN_per_mm: Stiffness
    pretension_mm: within(-1e3, 1e3) = 0.0
    transition_mm_per_s: Transition = 10.0
    damping_kN_s_per_m: Damping = 0.0


class RigidBarKeys(Section):
    """Table [coupler.NAME] of a bar without deflection."""

    kind: Literal["rigid_bar"]


class ElasticBarKeys(Section):
    """Table [coupler.NAME] of an elastic bar."""

    kind: Literal["elastic_bar"]
    stiffness_kN_per_mm: Stiffness
    damping_kN_s_per_m: Damping = 0.0


class NotchPowerKeys(Section):
    """Table [traction.NAME]: starting effort and power at each notch; a force is min(effort, power/speed).

    One number is that of the highest notch N: notch n has n/N of the effort and (n/N)^2 of the power in traction,
    n/N of both in the dynamic brake. A list has one number per notch.
    """

    notches: Annotated[Whole, Field(ge=1, le=100)] | None = Field(None, description="default 8, or those of a list")
    tractive_effort_kN: Force | list[Force]
    power_kW: Power | list[Power]
    brake_effort_kN: Force | list[Force] | None = Field(None, description="dynamic brake; default none")
    brake_power_kW: Power | list[Power] | None = None
    brake_fade_kmh: within(1e-3, 1000.0) = Field(8.0, description="below it the dynamic brake fades to zero at 0")
    adhesion: Literal["curtius_kniffler"] | within(0.01, 1.0) | None = Field(
        None, description="coefficient, or the formula 0.161 + 7.5/(44 + km/h); default: no limit"
    )
    adhesive_mass_t: within(1e-2, 1e4) | None = Field(None, description="on driven wheels, with adhesion")


class TractionCurveKeys(Section):
    """Table [traction.NAME]: one curve per notch."""

    speed_kmh: list[Speed]
    traction_kN: list[list[Force]]
    dynamic_brake_kN: list[list[Force]] | None = None


class CylinderKeys(Section):
    """Table [cylinder.NAME]: brake cylinder by its times, or by its curves."""

    fill_s: within(1e-3, 1e4) | None = Field(None, description="to 95 % of the largest pressure")
    release_s: within(1e-3, 1e4) | None = Field(None, description="from the largest pressure to 0.4 bar")
    shape: Literal["linear", "exponential"] = "linear"
    max_bar: within(0.41, 100.0) = 3.8
    fill: Rows | None = Field(None, description="in place of fill_s: rows of s and bar, from 0 to the largest pressure")
    release: Rows | None = Field(None, description="in place of release_s: from the largest pressure to 0")


class AirBrakeKeys(Section):
    """Table [air_brake]."""

    apply_m_per_s: within(1.0, 1e9) = 250.0
    release_m_per_s: within(1.0, 1e9) = 180.0
    cylinder: str | None = Field(
        None, description="of all vehicles that name none; default: a lag of build_up_s and release_s"
    )
    build_up_s: within(1e-3, 1e4) = Field(15.0, description="lag: to 95 % of the change")
    release_s: within(1e-3, 1e4) = 30.0
    growth_s_per_km: within(0.0, 1e4) = Field(0.0, description="longer filling and release away from a brake source")


class PartsKeys(Section):
    """A file of parts."""

    vehicle: dict[str, dict] = Field(default_factory=dict)
    coupler: dict[str, dict] = Field(default_factory=dict)
    traction: dict[str, dict] = Field(default_factory=dict)
    cylinder: dict[str, dict] = Field(default_factory=dict)
    air_brake: dict | None = None


class TrainScenarioKeys(PartsKeys):
    """A whole scenario."""

    kind: Literal["train"]
    title: str = ""
    run: RunKeys
    train: TrainKeys
    route: RouteKeys
    driving: DrivingKeys
