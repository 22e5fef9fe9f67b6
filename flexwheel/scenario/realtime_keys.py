"""Every key of a real-time scenario (`kind = "realtime"`), with its unit, default, range and meaning."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from flexwheel.scenario.section import Flag, Number, Section, Whole

LONGEST_STEP = 0.02  # [s]; bogies pitch and bounce at some 10 Hz
MOST_KNOTS = 1_000_000  # of the rails; 256 bytes each, twice as much while they are made
MOST_SAMPLES = 500_000  # of the results; 1.5 kB each, three times as much while they are written


def between(low, high):
    """Numbers from low to high."""
    return Annotated[Number, Field(ge=low, le=high, allow_inf_nan=False)]


class VehicleKeys(Section):
    """Parameters and profiles of the locomotive."""

    file: str = Field("feve3000.toml", description="parameters; beside the scenario or shipped (flexwheel/vehicles)")
    profiles: str = Field("", description="cubic pieces of wheels and rail, CSV; the vehicle file's own if not given")
    values: dict[str, Number] = Field({}, description="parameters of the vehicle file in place of its values")


class TrackKeys(Section):
    """Two parallel straights joined by a double transition, with a sine as vertical irregularity."""

    end_m: between(-1e6, 1e6) = Field(1000.0, description="x at which the rails end")
    shift_m: between(-1e6, 1e6) = Field(0.0, description="of the second straight to the left")
    transition_start_m: between(-1e6, 1e6) = Field(
        0.0, description="x at which the line begins to leave the first straight"
    )
    transition_length_m: between(0.1, 1e6) = Field(1.0, description="along x, for the whole shift")
    transition_form: Literal["quintic", "septic"] = Field(
        "quintic", description="curvature continuous, or its rate as well"
    )
    amplitude_mm: between(-100.0, 100.0) = Field(0.0, description="of the vertical sine of both rails")
    wavelength_m: between(0.1, 1e4) = Field(10.0, description="of the sine")
    phase_right_deg: between(-360.0, 360.0) = Field(0.0, description="of the right rail's sine before the left one's")
    irregularity_start_m: between(-1e9, 1e6) = Field(-1e9, description="x at which the sine begins")
    irregularity_ramp_m: between(0.0, 1e6) = Field(1e-3, description="length over which it grows to its amplitude")
    inclination: between(0.0, 0.2) = Field(0.0, description="of the rails toward the centre: 1/20 = 0.05")
    tilt_with_cross_level: Flag = Field(False, description="both rails turn with the difference of their heights")
    knot_spacing_m: between(0.01, 100.0) = Field(
        0.25, description="of the splines of the rails; at most a sixth of wave and transition"
    )

    @model_validator(mode="after")
    def _resolved(self):
        if self.amplitude_mm and self.knot_spacing_m > self.wavelength_m / 6.0:
            raise ValueError(
                f"knot_spacing_m = {self.knot_spacing_m:g} m, expected at most a sixth of the wave, "
                f"{self.wavelength_m / 6.0:g} m"
            )
        if self.shift_m and self.knot_spacing_m > self.transition_length_m / 6.0:
            raise ValueError(
                f"knot_spacing_m = {self.knot_spacing_m:g} m, expected at most a sixth of the transition, "
                f"{self.transition_length_m / 6.0:g} m"
            )
        return self


class RunKeys(Section):
    """How far, how fast, with what step and torques."""

    duration_s: between(1e-6, 1e5) = Field(10.0, description="simulated time")
    time_step_s: between(1e-6, LONGEST_STEP) = Field(1e-3, description="step of the integration")
    speed_kmh: between(-300.0, 300.0) = Field(60.0, description="at the start; negative runs backwards")
    start_m: between(-1e6, 1e6) = Field(
        0.0, description="x of the body's reference at the start; rails begin 30 m before it"
    )
    lateral_offset_mm: between(-50.0, 50.0) = Field(0.0, description="of the whole vehicle to the left at the start")
    body_height_m: Annotated[Number, Field(gt=0.0, le=5.0, allow_inf_nan=False)] = Field(
        0.7443, description="of the body's reference above the rail base at the start"
    )
    motor_torque_Nm: between(-1e6, 1e6) = Field(0.0, description="of each motor, driving forward")
    brake_torque_Nm: between(-1e6, 1e6) = Field(0.0, description="on each wheelset, against forward rolling")
    record_every: Annotated[Whole, Field(ge=1, le=10_000)] = Field(10, description="steps between stored samples")
    unconverged_share_max: between(0.0, 1.0) = Field(
        1e-3,
        description="share of the steps, beyond five, whose contact constraints may end above their tolerance before "
        "a run is incomplete",
    )

    @property
    def steps(self) -> int:
        """Number of steps."""
        return round(self.duration_s / self.time_step_s)

    @model_validator(mode="after")
    def _lengths(self):
        if self.steps < self.record_every:
            raise ValueError(
                f"duration_s = {self.duration_s:g} s is {self.steps} steps, expected at least record_every = "
                f"{self.record_every} of them, so that there is a sample"
            )
        if self.steps > MOST_SAMPLES * self.record_every:
            raise ValueError(
                f"{self.steps} steps with record_every = {self.record_every} are {self.steps // self.record_every} "
                f"samples, expected at most {MOST_SAMPLES}; take a larger record_every or a shorter duration_s"
            )
        return self


class ContactKeys(Section):
    """Contact law, method of the step, and the stop in place of the flange."""

    shear_modulus: Literal["right", "paper"] = Field(
        "right", description="E/(2(1 + nu)), or E/(2(1 - nu)) as the authors of paper 000 have it"
    )
    friction: between(0.0, 1.5) = Field(
        0.0, description="coefficient at which creep forces saturate; 0: Kalker's linear law without bound"
    )
    method: Literal["imex", "explicit", "trapezoidal"] = Field("imex", description="time integration")
    tolerance: between(1e-12, 1e-3) = Field(1e-6, description="of the contact constraints [m, -]")
    flange_stiffness: between(0.0, 1e10) = Field(0.0, description="of a lateral stop [N/m]; 0: no stop")
    flange_damping: between(0.0, 1e8) = Field(0.0, description="of the stop [N s/m]")
    flange_clearance_mm: between(0.0, 50.0) = Field(5.0, description="lateral shift at which the stop begins")
    solution: Literal["sparse", "partitioned", "augmented"] = Field(
        "sparse", description="of the step system: static sparse LU, coordinate partitioning, or equation (14)"
    )


class RealtimeKeys(Section):
    """A whole real-time scenario."""

    kind: Literal["realtime"] = Field("realtime", description="what makes the file a real-time scenario")
    title: str = Field("", description="one line that names the run in pictures and results")
    vehicle: VehicleKeys = Field(VehicleKeys(), description="vehicle")
    track: TrackKeys = Field(TrackKeys(), description="track")
    run: RunKeys = Field(RunKeys(), description="run")
    contact: ContactKeys = Field(ContactKeys(), description="contact")
    assumed: dict[str, str] = Field(
        {}, description="keys of this file whose values are assumed, each with its reason; printed by the run"
    )

    @model_validator(mode="after")
    def _rails(self):
        start, knots = self.run.start_m - 30.0, self.track.knot_spacing_m
        if self.track.end_m <= self.run.start_m:
            raise ValueError(f"track.end_m = {self.track.end_m:g} m, expected more than its start, {start:g} m")
        if (self.track.end_m - start) / knots > MOST_KNOTS:
            raise ValueError(
                f"rails from {start:g} to {self.track.end_m:g} m with track.knot_spacing_m = {knots:g}: expected at "
                f"most {MOST_KNOTS} knots"
            )
        return self
