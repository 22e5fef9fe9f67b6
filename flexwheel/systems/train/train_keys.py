"""Keys of the scenario of a train, of the section [train] of a vehicle's scenario, and of the files of train parts.

A value of a part may also be a table { value, source, confidence }; the label is kept and printed.
"""

from typing import Annotated, Literal

from pydantic import Field

from flexwheel.run.keys.section import (
    VEHICLES,
    CheckpointSpacing,
    Flag,
    NamesFile,
    NonNegative,
    Only,
    Positive,
    Section,
    Share,
    TablesOf,
    Title,
    Whole,
    checkpoint_key,
    within,
)

Place = within(-1e7, 1e7)  # [m] along the route
Seconds = within(0.0, 1e4)
Time = within(1e-3, 1e4)  # [s] of brakes
Speed = within(0.0, 1000.0)  # [km/h]
Force = within(0.0, 1e5)  # [kN]
Stiffness = within(1e-3, 1e5)  # [kN/mm]
Damping = within(0.0, 1e5)  # [kN s/m]
Transition = within(0.01, 1e3)  # [mm/s]
Power = within(0.0, 1e6)  # [kW]
Wave = within(1.0, 1e9)  # [m/s] of a brake application
Gears = Annotated[Whole, Field(ge=1, le=4)]
Rows = list[list[within(-1e6, 1e6)]]
NO_FILE = Only(".file", (None,), "leave file out")
HOLD, SCHEDULE = Only(".mode", ("hold_speed",)), Only(".mode", ("by_time", "by_distance"))
PARTS = NamesFile((VEHICLES,))


class RunKeys(Section):
    """How long, from where, how fast, how exactly."""

    duration_s: within(1e-3, 1e7) = Field(description="simulated time")
    start_position_m: Place = Field(description="front of the train on the route at the start")
    speed_kmh: Speed = Field(0.0, description="speed at the start")
    tolerance: within(1e-10, 1.0) = Field(1e-6, description="relative tolerance of the integrator")
    longest_step_s: within(1e-4, 1.0) = Field(0.2, description="longest step of the integrator")
    locate_s: within(0.0, 1.0) = Field(1e-5, description="tolerance in time of the ends of clearances")
    check_tolerance: Flag = Field(
        True, description="run at twice the tolerance as well; halve both until the largest forces stay within 10 N"
    )
    energy: Flag = Field(True, description="true: store the balance of energy")
    deflection_coupler: Annotated[Whole, Field(ge=1)] | None = Field(
        None, description="coupler whose deflections the summary prints, from 1 at the head; default the first"
    )
    checkpoint_s: CheckpointSpacing = checkpoint_key(3600.0)


class FormationKeys(Section):
    """One block of the formation, from the head."""

    vehicle: str = Field(description="name of a vehicle of the parts")
    count: Annotated[Whole, Field(ge=1, le=2000)] = Field(1, description="vehicles in the block")
    coupler: str | None = Field(None, description="coupler inside the block; default: that of the train")
    pair: str | None = Field(None, description="coupling inside pairs, e.g. rigid_bar")
    channel: Annotated[Whole, Field(ge=0, le=15)] = Field(
        0, description="column of notches that the locomotives of the block follow"
    )
    radio_delay_s: Seconds = Field(0.0, description="delay after which the locomotives of the block follow the driver")
    cylinder: str | None = Field(None, description="brake cylinders of the block, e.g. uic_g; default the vehicle's")


class Formed(Section):
    """Vehicles and what couples them."""

    parts: Annotated[tuple[str, ...], PARTS] = Field(
        ("train_stock.toml", "train_couplers.toml"),
        description="files of vehicles, couplers and traction; later ones and a train's own scenario take precedence",
    )
    coupler: str = Field("autocoupler", description="coupler between vehicles")
    formation: tuple[FormationKeys, ...] = Field(min_length=1, description="blocks of vehicles from the head")


class RouteKeys(Section):
    """The line: a file of columns distance_m, gradient_permille, and radius_m or curvature_per_km; or rows here."""

    file: Annotated[str | None, NamesFile()] = Field(
        None, description="CSV file with the columns distance_m, gradient_permille, and radius_m or curvature_per_km"
    )
    distance_m: Annotated[list[Place] | None, NO_FILE] = Field(None, description="points of the line, rising")
    gradient_permille: Annotated[list[within(-1e6, 1e6)] | None, NO_FILE] = Field(
        None, description="at the points, positive uphill"
    )
    curvature_1_km: Annotated[list[within(-1e6, 1e6)] | None, NO_FILE] = Field(
        None, description="at the points, positive to the left; default a straight"
    )


class DrivingKeys(Section):
    """Notch and brake by time or by distance, or a driver who holds a speed."""

    mode: Literal["by_time", "by_distance", "hold_speed"] = Field(
        description="meaning of the points in `at`: time, distance, or distance with a speed to hold"
    )
    file: Annotated[str | None, NamesFile()] = Field(
        None,
        description="columns time_s or distance_m, notch (or notch_0, notch_1 ...), brake; hold_speed: distance_m and "
        "speed_kmh",
    )
    at: Annotated[list[Place] | None, NO_FILE] = Field(
        None, description="s or m; points of the notch or of the speed to hold"
    )
    notch: Annotated[list[within(-100.0, 100.0)] | None, SCHEDULE, NO_FILE] = Field(
        None, description="positive traction, negative dynamic brake"
    )
    speed_kmh: Annotated[list[within(0.1, 1000.0)] | None, HOLD, NO_FILE] = Field(
        None, description="speed to hold, over distance"
    )
    brake_at: Annotated[list[Place] | None, SCHEDULE] = Field(None, description="s or m; points of the brake")
    brake: Annotated[list[Share] | None, SCHEDULE] = Field(None, description="fraction of full service")
    tick_s: within(1e-3, 60.0) = Field(1.0, description="time between the driver's decisions and stored samples")
    gain_notch_s_m: Annotated[within(1e-6, 1e4), HOLD] = Field(4.0, description="notches per m/s of speed deficit")
    reset_1_s: Annotated[within(0.0, 1e2), HOLD] = Field(
        0.02, description="rate at which a lasting deficit adds notches"
    )
    max_notch: Annotated[NonNegative | None, HOLD] = Field(None, description="default the highest of the locomotives")
    max_brake_notch: Annotated[NonNegative | None, HOLD] = Field(
        None, description="default the highest of the locomotives"
    )
    notch_rate_1_s: Annotated[within(1e-6, 1e3), HOLD] = Field(0.25, description="notches a second, at most")
    whole_notches: Annotated[Flag, HOLD] = Field(False, description="whether the driver sets whole notches alone")
    air_brake_above_kmh: Annotated[within(1e-3, 1000.0), HOLD] = Field(
        5.4, description="excess of speed at which the air brake is applied"
    )
    air_brake: Annotated[Share, HOLD] = Field(
        0.3, description="fraction of full service that is applied above overspeed"
    )


class TrainAround(Formed):
    """Train around the vehicle: coupler forces, its resistance and its air brake act on its first body.

    The line is that of [track].
    """

    place: Annotated[Whole, Field(ge=1)] = Field(
        description="place of the detailed vehicle in the formation, from 1 at the head"
    )
    forces: Literal["element", "prescribed"] = Field(
        "element",
        description="element: the train ahead and behind moves with the vehicle, hidden in force elements; prescribed: "
        "coupler forces by time from a run of the train alone",
    )
    coupler_length_m: within(0.1, 10.0) = Field(1.6, description="between the pivots of two vehicles")
    pivot_height_m: Positive = Field(1.06, description="coupler pivots above the rails")
    neighbours: Literal["alike", "on_centre_line"] = Field(
        "alike", description="whether the neighbours' pivots shift sideways on their springs as this vehicle's do"
    )
    driving: DrivingKeys = Field(description="notch and brake by time or distance, or a speed to hold")


class VehicleKeys(Section):
    """A vehicle of a train."""

    mass_t: within(1e-2, 1e4) = Field(description="mass with load")
    length_m: within(0.1, 500.0) = Field(description="length over couplers")
    axles: Annotated[Whole, Field(ge=2, le=32)] = Field(4, description="number of axles in the resistance formula")
    resistance_factor: within(0.0, 100.0) = Field(1.0, description="factor on the speed-dependent resistance")
    brake_force_kn: Force = Field(0.0, description="force of the air brake at full service, at standstill")
    brake_friction: Rows = Field([[0.0, 1.0]], description="rows of km/h and friction relative to standstill")
    traction: str | None = Field(None, description="name of a traction of the parts; default none")
    cylinder: str | None = Field(None, description="of the air brake, e.g. uic_p; default that of [air_brake]")


class CouplerKeys(Section):
    """A coupler with draft gears."""

    kind: Literal["coupler"] = Field("coupler", description="may be left out")
    gears: Gears = Field(2, description="draft gears in series")
    clearance_mm: within(0.0, 1e3) = Field(0.0, description="slack between draft and buff")
    draft: Rows = Field(description="of one gear: rows of mm, kN loading, kN unloading")
    buff: Rows | None = Field(None, description="as draft, in buff; default: as draft")
    solid_kn_mm: Stiffness = Field(description="stiffness beyond the table")
    transition_mm_s: Transition = Field(10.0, description="rate over which loading passes into unloading")
    damping_kns_m: Damping = Field(0.0, description="viscous damping")


class HookKeys(Section):
    """Hook and buffers."""

    kind: Literal["hook_and_buffers"] = Field(description="hook and buffers")
    hook_gears: Gears = Field(2, description="hooks in series")
    hook: Rows = Field(description="of one hook: rows of mm, kN loading, kN unloading")
    hook_solid_kn_mm: Stiffness = Field(description="stiffness beyond the table")
    buffer_gears: Gears = Field(2, description="buffers in series")
    buffers_side_by_side: Gears = Field(2, description="left and right")
    buffer: Rows = Field(description="of one buffer: rows of mm, kN loading, kN unloading")
    buffer_solid_kn_mm: Stiffness = Field(description="stiffness beyond the table")
    pretension_mm: within(-1e3, 1e3) = Field(0.0, description="compression of the buffers at rest")
    transition_mm_s: Transition = Field(10.0, description="rate over which loading passes into unloading")
    damping_kns_m: Damping = Field(0.0, description="viscous damping")


class RigidBarKeys(Section):
    """A bar without deflection."""

    kind: Literal["rigid_bar"] = Field(description="a bar without deflection")


class ElasticBarKeys(Section):
    """An elastic bar."""

    kind: Literal["elastic_bar"] = Field(description="an elastic bar")
    stiffness_kn_mm: Stiffness = Field(description="stiffness in draft and buff")
    damping_kns_m: Damping = Field(0.0, description="viscous damping")


class NotchPowerKeys(Section):
    """Starting effort and power at each notch; a force is min(effort, power/speed).

    One number is that of the highest notch N: notch n has n/N of the effort and (n/N)^2 of the power in traction,
    n/N of both in the dynamic brake. A list has one number per notch.
    """

    notches: Annotated[Whole, Field(ge=1, le=100)] | None = Field(None, description="default 8, or those of a list")
    tractive_effort_kn: Force | list[Force] = Field(description="starting effort")
    power_kw: Power | list[Power] = Field(description="power at the wheel rims")
    brake_effort_kn: Force | list[Force] | None = Field(None, description="dynamic brake; default none")
    brake_power_kw: Power | list[Power] | None = Field(None, description="dynamic brake")
    brake_fade_kmh: within(1e-3, 1000.0) = Field(8.0, description="below it the dynamic brake fades to zero at 0")
    adhesion: Literal["curtius_kniffler"] | within(0.01, 1.0) | None = Field(
        None, description="coefficient, or the formula 0.161 + 7.5/(44 + km/h); default: no limit"
    )
    adhesive_mass_t: within(1e-2, 1e4) | None = Field(None, description="on driven wheels, with adhesion")


class TractionCurveKeys(Section):
    """One curve of traction, or of dynamic brake, per notch."""

    speed_kmh: list[Speed] = Field(description="points of the curves")
    traction_kn: list[list[Force]] = Field(description="one row per notch, one value per speed")
    dynamic_brake_kn: list[list[Force]] | None = Field(
        None, description="as traction_kn, of the dynamic brake; default none"
    )


class CylinderKeys(Section):
    """A brake cylinder by its times, or by its curves."""

    fill_s: Time | None = Field(None, description="time from start of filling to 95 % of the largest pressure")
    release_s: Time | None = Field(None, description="time from the largest pressure to 0.4 bar")
    shape: Literal["linear", "exponential"] = Field("linear", description="curve of filling and release over time")
    max_bar: within(0.41, 100.0) = Field(3.8, description="largest pressure")
    fill: Rows | None = Field(None, description="in place of fill_s: rows of s and bar, from 0 to the largest pressure")
    release: Rows | None = Field(None, description="in place of release_s: from the largest pressure to 0")


class AirBrakeKeys(Section):
    """The air brake of the whole train."""

    apply_m_s: Wave = Field(250.0, description="speed at which an application travels")
    release_m_s: Wave = Field(180.0, description="speed at which a release travels")
    cylinder: str | None = Field(
        None, description="cylinder of all vehicles that name none; default: a lag of build_up_s and release_s"
    )
    build_up_s: Time = Field(15.0, description="lag: to 95 % of the change")
    release_s: Time = Field(30.0, description="lag of the release: to 95 % of the change")
    growth_s_km: Seconds = Field(0.0, description="longer filling and release away from a brake source")


class PartsKeys(Section):
    """Vehicles, couplings and brakes of trains; each table of a name takes the place of an earlier one of that name."""

    vehicle: Annotated[dict[str, dict], TablesOf((VehicleKeys,))] = Field({}, description="vehicles by name")
    coupler: Annotated[dict[str, dict], TablesOf((CouplerKeys, HookKeys, RigidBarKeys, ElasticBarKeys))] = Field(
        {}, description="couplings by name"
    )
    traction: Annotated[dict[str, dict], TablesOf((NotchPowerKeys, TractionCurveKeys))] = Field(
        {}, description="traction and dynamic brakes by name"
    )
    cylinder: Annotated[dict[str, dict], TablesOf((CylinderKeys,))] = Field({}, description="brake cylinders by name")
    air_brake: Annotated[dict | None, TablesOf((AirBrakeKeys,))] = Field(None, description="air brake")


class TrainScenario(PartsKeys):
    """A train on its route: longitudinal dynamics."""

    kind: Literal["train"] = Field(description="a train")
    title: Title = ""
    run: RunKeys
    train: Formed
    route: RouteKeys
    driving: DrivingKeys
