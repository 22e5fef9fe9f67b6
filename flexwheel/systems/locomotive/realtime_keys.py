"""Keys of the scenario of a locomotive in the real-time core, and of its vehicle file."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from flexwheel.run.keys.section import (
    VEHICLES,
    Assumed,
    CheckpointSpacing,
    Flag,
    NamesFile,
    Number,
    Only,
    Section,
    Title,
    checkpoint_key,
    whole_multiple,
    within,
)

LONGEST_STEP = 0.02  # [s]; bogies pitch and bounce at some 10 Hz
MOST_KNOTS = 1_000_000  # of the rails; 256 bytes each, twice as much while they are made
MOST_SAMPLES = 500_000  # of the results; 1.5 kB each, three times as much while they are written
CORE_FILE = NamesFile((VEHICLES,))
WAVE = Only(".amplitude_mm", lambda mm: mm != 0.0, "set an amplitude")
SHIFTED = Only(".shift_m", lambda m: m != 0.0, "set a shift")
STOP = Only(".flange_stiffness_n_m", lambda k: k > 0.0, "set a stiffness")


class LocomotiveKeys(Section):
    """Parameters and profiles of the locomotive."""

    file: Annotated[str, CORE_FILE] = Field("feve3000.toml", description="vehicle file with the parameters, TOML")
    profiles: Annotated[str, CORE_FILE] = Field(
        "", description="profiles of wheel and rail as cubic pieces, CSV; default: those of the vehicle file"
    )
    values: dict[str, Number] = Field({}, description="parameters of the vehicle file in place of its values")


class TrackKeys(Section):
    """Two parallel straights joined by a double transition, with a sine as vertical irregularity."""

    end_m: within(-1e6, 1e6) = Field(1000.0, description="x at which the rails end")
    shift_m: within(-1e6, 1e6) = Field(0.0, description="shift of the second straight to the left")
    transition_start_m: Annotated[within(-1e6, 1e6), SHIFTED] = Field(
        0.0, description="x at which the line begins to leave the first straight"
    )
    transition_length_m: Annotated[within(0.1, 1e6), SHIFTED] = Field(
        1.0, description="length of the transition along x"
    )
    transition_form: Annotated[Literal["quintic", "septic"], SHIFTED] = Field(
        "quintic", description="form of the transition: curvature continuous, or its rate as well"
    )
    amplitude_mm: within(-100.0, 100.0) = Field(0.0, description="amplitude of the vertical sine of both rails")
    wavelength_m: Annotated[within(0.1, 1e4), WAVE] = Field(10.0, description="wavelength of the sine")
    phase_right_deg: Annotated[within(-360.0, 360.0), WAVE] = Field(
        0.0, description="phase by which the sine of the right rail leads that of the left rail"
    )
    irregularity_start_m: Annotated[within(-1e9, 1e6), WAVE] = Field(-1e9, description="x at which the sine begins")
    irregularity_ramp_m: Annotated[within(0.0, 1e6), WAVE] = Field(
        1e-3, description="length over which the sine grows to its amplitude"
    )
    inclination: within(0.0, 0.2) = Field(0.0, description="inclination of the rails to the track centre: 1/20 = 0.05")
    tilt_with_cross_level: Annotated[
        Flag, Only("track", lambda t: t.amplitude_mm and t.phase_right_deg % 360.0, "set an amplitude and a phase")
    ] = Field(False, description="true: both rails roll with the difference of their heights")
    knot_spacing_m: within(0.01, 100.0) = Field(
        0.25, description="distance of the spline knots of the rails; at most a sixth of wavelength and transition"
    )

    @model_validator(mode="after")
    def _resolved(self):
        waves = (self.amplitude_mm, "wave", self.wavelength_m), (self.shift_m, "transition", self.transition_length_m)
        for size, name, length in waves:
            if size and self.knot_spacing_m > length / 6.0:
                raise ValueError(
                    f"knot_spacing_m = {self.knot_spacing_m:g} m, expected at most a sixth of the {name}, "
                    f"{length / 6.0:g} m"
                )
        return self


class RealtimeRunKeys(Section):
    """How far, how fast, with what step and torques."""

    duration_s: within(1e-6, 1e5) = Field(10.0, description="simulated time")
    step_s: within(1e-6, LONGEST_STEP) = Field(1e-3, description="time step of the integration")
    speed_kmh: within(-300.0, 300.0) = Field(60.0, description="speed at the start; negative runs backwards")
    start_position_m: within(-1e6, 1e6) = Field(
        0.0, description="x of the body's reference at the start; rails begin 30 m before it"
    )
    lateral_offset_mm: within(-50.0, 50.0) = Field(
        0.0, description="lateral shift of the whole vehicle at the start, positive to the left"
    )
    body_height_m: Annotated[Number, Field(gt=0.0, le=5.0)] = Field(
        0.7443, description="height of the body's reference above the rail base at the start"
    )
    motor_torque_nm: within(-1e6, 1e6) = Field(0.0, description="torque of each motor, positive forward")
    brake_torque_nm: within(-1e6, 1e6) = Field(
        0.0, description="brake torque on each wheelset, against forward rolling"
    )
    output_step_s: within(1e-6, 200.0) = Field(0.01, description="spacing of stored samples; a multiple of step_s")
    unconverged_share_max: within(0.0, 1.0) = Field(
        1e-3,
        description="share of the steps, beyond five, whose contact constraints may end above their tolerance before "
        "a run is incomplete",
    )
    checkpoint_s: CheckpointSpacing = checkpoint_key(1000.0)

    @property
    def steps(self) -> int:
        """Number of steps."""
        return round(self.duration_s / self.step_s)

    @property
    def stride(self) -> int:
        """Steps between stored samples."""
        return max(1, round(self.output_step_s / self.step_s))

    @model_validator(mode="after")
    def _lengths(self):
        whole_multiple(self.output_step_s, self.step_s)
        samples = self.steps // self.stride
        if not 1 <= samples <= MOST_SAMPLES:
            raise ValueError(
                f"output_step_s = {self.output_step_s:g} s over {self.duration_s:g} s: {samples} samples, expected 1 "
                f"to {MOST_SAMPLES}, the first after output_step_s"
            )
        return self


class ContactKeys(Section):
    """Contact law, method of the step, and the stop in place of the flange."""

    shear_modulus: Literal["right", "paper"] = Field(
        "right",
        description="shear modulus: right = E/(2(1 + nu)), paper = E/(2(1 - nu)) as used by the authors of paper 000",
    )
    friction: within(0.0, 1.5) = Field(
        0.0, description="coefficient of friction; 0: Kalker's linear law without saturation"
    )
    method: Literal["imex", "explicit", "trapezoidal"] = Field("imex", description="time integration")
    tolerance: within(1e-12, 1e-3) = Field(1e-6, description="tolerance of the contact constraints [m, -]")
    flange_stiffness_n_m: within(0.0, 1e10) = Field(0.0, description="stiffness of a lateral stop; 0: no stop")
    flange_damping_ns_m: Annotated[within(0.0, 1e8), STOP] = Field(0.0, description="damping of the stop")
    flange_clearance_mm: Annotated[within(0.0, 50.0), STOP] = Field(
        5.0, description="lateral shift at which the stop acts"
    )
    solution: Literal["sparse", "partitioned", "augmented"] = Field(
        "sparse",
        description="solver of a step: static sparse LU, coordinate partitioning, or equation (14) of paper 000",
    )


class RealtimeScenario(Section):
    """A locomotive in the real-time core."""

    kind: Literal["realtime"] = Field(description="a locomotive in the real-time core")
    title: Title = ""
    vehicle: LocomotiveKeys = Field(LocomotiveKeys(), description="vehicle")
    track: TrackKeys = Field(TrackKeys(), description="track")
    run: RealtimeRunKeys = Field(RealtimeRunKeys(), description="run")
    contact: ContactKeys = Field(ContactKeys(), description="contact")
    assumed: Assumed = {}

    def refused(self):
        """(key, message) of rails that the run cannot have."""
        start, knots = self.run.start_position_m - 30.0, self.track.knot_spacing_m
        if self.track.end_m <= self.run.start_position_m:
            yield "track.end_m", f"must be above the start of the rails, {start:g} m, got {self.track.end_m:g} m"
        if (self.track.end_m - start) / knots > MOST_KNOTS:
            yield (
                "track.end_m",
                f"must give at most {MOST_KNOTS} knots, got rails from {start:g} to {self.track.end_m:g} m with "
                f"track.knot_spacing_m = {knots:g}",
            )
