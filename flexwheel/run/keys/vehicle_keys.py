"""Keys of the scenario of a vehicle, which most kinds of scenario share.

What needs a second file (a mesh, a profile) is checked where that file is read, by `flexwheel check` and by the run.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field, create_model, model_validator

from flexwheel.base.coupled_system import COUPLED_SYSTEMS
from flexwheel.base.disagreements import DISAGREEMENTS
from flexwheel.base.variables import GROUPS, named, vehicle_variables
from flexwheel.run.keys.contact_keys import ContactSection
from flexwheel.run.keys.irregularity_keys import IrregularitySection
from flexwheel.run.keys.mesh_keys import BodySection, ControlNodeKeys, MeshKeys, PressFitKeys
from flexwheel.run.keys.roundness_keys import RoundnessSection
from flexwheel.run.keys.section import (
    Assumed,
    CheckpointSpacing,
    Damping,
    Flag,
    Modulus,
    NamesFile,
    NonNegative,
    Number,
    Only,
    Place,
    Positive,
    Section,
    Title,
    Usual,
    Whole,
    checkpoint_key,
    whole_multiple,
)
from flexwheel.run.keys.track_keys import FULL, TrackSection

IMPLICIT = Only(".integrator", ("newmark", "park"))
HELD = Only(".kind", ("body_force", "axle_torque"))


def _any_flexible(wheelsets):
    return any(w.formulation == "flexible" for w in wheelsets.values())


def _number(value):
    return value is not None


class RunSection(Section):
    """How far, how fast, with what step."""

    title: Title = ""
    speed_kmh: Annotated[
        Positive, Usual(1.0, 400.0, "slower is a shunt by hand, faster is no wheel on rail in service")
    ] = Field(80.0, le=500.0, description="running speed, at the start where there is a profile")
    speed_profile_s_kmh: Annotated[
        tuple[tuple[Positive, Annotated[Positive, Field(le=500.0)]], ...], IMPLICIT, Only("drive.kind", HELD.read), FULL
    ] = Field((), description="pairs of time and speed that the drive holds, straight between them, constant behind")
    duration_s: Annotated[Positive | None, Usual(0.0, 7200.0, "two hours")] = Field(
        None, le=1e6, description="simulated time; give this or end_position_m"
    )
    end_position_m: Place | None = Field(
        None, description="arc length of the leading wheelset at which the run ends; give this or duration_s"
    )
    start_position_m: Place = Field(0.0, description="arc length of the leading wheelset at the start")
    step_s: Annotated[Positive, FULL, Usual(1e-6, 2e-3, "a wheel on its contact moves at 50 Hz and more")] = Field(
        5e-5, ge=1e-7, le=1e-2, description="time step of the integration"
    )
    integrator: Annotated[Literal["newmark", "park", "dormand_prince"], FULL] = Field(
        "newmark",
        description="time integration scheme; dormand_prince: explicit, fifth order, rigid wheelsets on rigid rails",
    )
    newmark_beta: Annotated[Number, Field(ge=0.0, le=0.25), Only(".integrator", ("newmark",)), FULL] = Field(
        0.25, description="Newmark's beta: 1/4 average acceleration, 1/12 Fox-Goodwin (omega step < 2.45)"
    )
    wheelsets_in_phase: Annotated[Flag, Only(".integrator", ("newmark",)), Only(".newmark_beta", (0.25,)), FULL] = (
        Field(
            True,
            description="a beta for each coordinate of a wheelset that the step resolves, so that its frequencies do "
            "not depend on the step; false: newmark_beta for all, as is done where connections are so stiff that the "
            "iteration matrix holds them",
        )
    )
    output_step_s: Positive = Field(1e-4, le=10.0, description="spacing of stored samples; a multiple of step_s")
    settling_s: NonNegative | None = Field(
        None,
        le=1e6,
        description="time at the start that every statistic and spectrum leaves out; default: the time over "
        "irregularity.ramp_m (where there is irregularity) and 1 s, about a period of a body on its springs",
    )
    compare_modes: Annotated[
        tuple[Literal["lagrangian", "eulerian_interpolated", "eulerian"], ...],
        Only("wheelset", _any_flexible, "make a wheelset flexible"),
    ] = Field(
        (),
        description="the run is repeated with each of these modes of the flexible wheelsets; results go to subfolders",
    )
    contact_iterations_max: Annotated[Whole, Field(ge=1, le=200), IMPLICIT, FULL] = Field(
        12,
        description="largest number of Newton iterations of a step; steps that reach it count as "
        "unconverged and are printed",
    )
    contact_tolerance_n: Annotated[Positive, IMPLICIT, FULL] = Field(
        5.0,
        le=1e4,
        description="largest estimated error of a contact force when the iterations of a step end; the patches of a "
        "wheel miss its force by ten times that at most",
    )
    unconverged_share_max: Annotated[Number, Field(ge=0.0, le=1.0), FULL] = Field(
        1e-3,
        description="share of the steps that may end unconverged (five always may); above it the run is incomplete",
    )

    checkpoint_s: CheckpointSpacing = checkpoint_key(10.0)

    @model_validator(mode="after")
    def _one_end(self):
        if (self.duration_s is None) == (self.end_position_m is None):
            raise ValueError("give exactly one of duration_s and end_position_m")
        if self.end_position_m is not None and self.end_position_m <= self.start_position_m:
            raise ValueError("end_position_m must lie beyond start_position_m")
        times = [time for time, _ in self.speed_profile_s_kmh]
        if times and self.duration_s is None:
            raise ValueError("a run with speed_profile_s_kmh ends at duration_s, not at end_position_m")
        if any(later <= time for time, later in pairwise(times)):
            raise ValueError(f"times of speed_profile_s_kmh must grow, got {times}")
        whole_multiple(self.output_step_s, self.step_s)
        if self.duration < self.output_step_s - 0.5 * self.step_s:
            raise ValueError(f"run of {self.duration:g} s: it ends before its first sample, at output_step_s")
        return self

    @property
    def speed(self) -> float:
        """Running speed [m/s]."""
        return self.speed_kmh / 3.6

    @property
    def duration(self) -> float:
        """Simulated time [s]."""
        way = (self.end_position_m or 0.0) - self.start_position_m
        return way / self.speed if self.duration_s is None else self.duration_s

    @property
    def profile(self) -> np.ndarray:
        """Time [s] and speed [m/s] (n, 2) of the points of the speed profile, the start first."""
        return np.array([(0.0, self.speed), *((time, kmh / 3.6) for time, kmh in self.speed_profile_s_kmh)])

    def place_at(self, time) -> float:
        """Arc length [m] of the leading wheelset a time [s] after the start."""
        at = np.append([t for t in self.profile[:, 0] if t < time], time)
        speed = np.interp(at, *self.profile.T)
        return self.start_position_m + float(0.5 * (speed[1:] + speed[:-1]) @ np.diff(at))

    @property
    def stride(self) -> int:
        """Steps between stored samples."""
        return max(1, round(self.output_step_s / self.step_s))


class OutputSection(Section):
    """What of a run is stored; how often: `run.output_step_s`."""

    variables: tuple[str, ...] = Field(
        (),
        description="variables to store, by name or by their beginning and `*` (`patch_*`): docs/results.md; "
        "default: all but those marked `asked` there",
    )
    also: tuple[Literal[GROUPS], ...] = Field(
        (),
        description="further groups of variables to store: elements (force, stroke and rate of every force element "
        "and of the drive), energy (energy balance)",
    )
    start_s: NonNegative = Field(0.0, le=1e6, description="time of the first stored sample, rounded to a step")

    @property
    def groups(self) -> tuple[str, ...]:
        """Groups asked for, in `also` or by the name of one of their variables."""
        asked = {name for wanted in self.variables for name in named(wanted, vehicle_variables())}
        of_names = {variable.when for variable in vehicle_variables() if variable.name in asked}
        return tuple(group for group in GROUPS if group in self.also or group in of_names)

    @model_validator(mode="after")
    def _known(self):
        known = vehicle_variables()
        for name in self.variables:
            if not named(name, known):
                raise ValueError(f"variables: {name!r} is none of {', '.join(v.name for v in known)}")
        return self


class WheelsetSection(MeshKeys):
    """One wheelset of the vehicle; a flexible one is made from an FE mesh."""

    ONLY = Only(".formulation", ("flexible",))

    formulation: Literal["flexible", "rigid"] = Field("rigid", description="flexible needs a mesh")
    youngs_modulus_pa: Annotated[Modulus | None, Usual(1.9e11, 2.2e11, "steel")] = Field(
        None, description="overrides the mesh file"
    )
    poissons_ratio: Annotated[Number | None, Usual(0.25, 0.35, "steel")] = Field(
        None, gt=-1.0, lt=0.5, description="overrides the mesh file"
    )
    density_kg_m3: Annotated[Positive | None, Usual(7600.0, 8100.0, "steel")] = Field(
        None, le=1e5, description="overrides the mesh file"
    )
    axle_axis: Literal["auto", "x", "y", "z"] = Field(
        "y", description="axis of the mesh along the axle; auto finds it from the inertia"
    )
    mode: Literal["lagrangian", "eulerian_interpolated", "eulerian"] = Field(
        "eulerian", description="how the rotation of the mesh is treated: docs/glossary.md"
    )
    modes_up_to_hz: Annotated[
        Positive, Only(".fixed_interface_modes", (None,), "leave fixed_interface_modes out"), Usual(500.0, 5e3, "range")
    ] = Field(
        2000.0,
        le=1e5,
        description="free modes of the full mesh up to here, of every circumferential order, beside the 12 shapes for "
        "loads on the journals; what lies above acts statically at the treads",
    )
    fixed_interface_modes: Annotated[Whole | None, Field(ge=0, le=2000)] = Field(
        None,
        description="that many fixed-interface modes (Craig-Bampton) in place of modes_up_to_hz, as in paper 004; no "
        "pair is split",
    )
    damping_ratio: Annotated[Number, Field(ge=0.0, lt=1.0), Usual(0.0, 0.1, "material of a wheelset")] = Field(
        0.01, description="ratio of critical damping of every flexible mode"
    )
    exact_below_hz: Annotated[NonNegative, Only(".fixed_interface_modes", _number, "give fixed_interface_modes")] = (
        Field(
            1300.0,
            le=1e6,
            description="modes up to here are free modes of the full mesh; 0: Craig-Bampton only, as in paper 004",
        )
    )
    coupling: Literal["rigid", "averaging"] = Field(
        "averaging", description="how the journals are tied to the interface nodes (RBE2 or RBE3)"
    )
    interfaces: Annotated[
        Literal["journals", "end_faces"], Only(".interface_sets", (None,), "leave interface_sets out")
    ] = Field("journals", description="where the interface nodes sit: the journals, or the axle ends as in paper 004")
    interface_sets: tuple[str, str] | None = Field(
        None, description="node sets of the left and right interface, instead of `interfaces`"
    )
    tread_sets: tuple[str, str] | None = Field(
        None, description="node sets of the left and right running surface; default TREAD_LEFT and TREAD_RIGHT"
    )
    tread_datum_mm: Annotated[Positive | None, Usual(600.0, 900.0, "wheels of 1000 to 1668 mm gauge")] = Field(
        None,
        le=2000.0,
        description="distance of the tread datum (rolling circle) from the mesh's y = 0; default 70 mm outside the "
        "flange back, the innermost node of the rim",
    )
    route: Literal["auto", "cyclic", "general"] = Field(
        "auto",
        description="reduction by cyclic symmetry, which needs a mesh of revolution or one that a part of a turn maps "
        "onto itself, or by the sparse solver",
    )
    force_distribution: Literal["least_squares", "shape_functions", "inverse_distance"] = Field(
        "least_squares",
        description="how the contact force is spread over nodes: over the profile by the rows that also give its "
        "motion, over the facet by its shape functions, or inversely to the distances (simple rule of paper 004; other "
        "than shape_functions only with between_sections = linear)",
    )
    between_sections: Literal["smooth", "linear"] = Field(
        "smooth",
        description="rows of a spinning mesh (lagrangian, also in run.compare_modes) at the contact between two of its "
        "sections: by the modes' own harmonics (a periodic spline where the mesh is not of revolution), or linearly as "
        "in paper 004, which makes lines at the section-passing frequency",
    )
    residual: Literal["static", "modal_only"] = Field(
        "static",
        description="static: stress and compliance include the static part of truncated modes; modal_only: without it",
    )
    centrifugal: Literal["both", "paper", "none"] = Field(
        "both",
        description="centrifugal softening with the geometric stiffness of the prestress (both), without it "
        "(paper), or neither: gyroscopic terms alone, meshes of revolution only (none)",
    )
    control_nodes: tuple[ControlNodeKeys, ...] = Field(
        (ControlNodeKeys(name="web_fillet_right"), ControlNodeKeys(name="tread_right")),
        description="nodes whose motion and stress are stored: preset name, node id, or x, y, z",
    )
    control_node_tolerance_mm: Positive = Field(
        5.0,
        le=1e3,
        description="largest distance between position_m of a control node and the nearest node of the mesh",
    )

    submodel: Flag = Field(
        False,
        description="stress of the control nodes from a second, local mesh: the elements around each split twice, "
        "moved at their boundary as the mesh is",
    )
    press_fits: tuple[PressFitKeys, ...] = Field(
        (),
        description="press fits of the mesh: their stress goes into that of control nodes as prestress, their contact "
        "pressure into the audit; a `*CONTACT PAIR` named here is held as a tie",
    )

    @model_validator(mode="after")
    def _mesh_when_flexible(self):
        if self.formulation == "flexible" and self.mesh is None:
            raise ValueError("mesh must be given for a flexible wheelset")
        if self.force_distribution == "inverse_distance" and self.between_sections != "linear":
            raise ValueError(
                "force_distribution = inverse_distance needs between_sections = linear, or changes nothing"
            )
        return self


class VehicleSection(Section):
    """The vehicle and its parameters."""

    file: Annotated[str, NamesFile()] = Field(
        "as4", description="name of a shipped vehicle, or a TOML file relative to this scenario file"
    )


class DriveSection(Section):
    """What holds the speed."""

    kind: Literal["body_force", "axle_torque", "none"] = Field(
        "body_force",
        description="force on the car body along the track, torque on the driven wheelsets (reaction on the frame "
        "of each), or nothing; both follow gain (V - v) + integral gain",
    )
    gain_ns_m: Annotated[Damping, HELD] = Field(
        2.0e4, description="force per speed below run.speed_kmh; a torque is this times the wheel radius"
    )
    integral_gain_n_m: Annotated[NonNegative, HELD] = Field(
        2.0e3, le=1e12, description="force per distance behind constant speed"
    )
    force_max_kn: Annotated[Positive, HELD, Usual(0.0, 1000.0, "two heavy locomotives")] = Field(
        60.0, le=1e6, description="largest force of the drive"
    )


class VehicleScenario(Section):
    """A vehicle on its track."""

    kind: Literal["vehicle"] = Field("vehicle", description="a vehicle on its track; may be left out")
    run: RunSection
    vehicle: VehicleSection = Field(VehicleSection(), description="vehicle")
    wheelset: dict[str, WheelsetSection] = Field(
        {}, description="wheelsets of the vehicle by name; one that is not named is rigid"
    )
    body: Annotated[dict[str, BodySection], FULL] = Field(
        {}, description="flexible bodies of the vehicle by name; one that is not named is rigid"
    )
    track: TrackSection = Field(TrackSection(), description="track")
    irregularity: IrregularitySection = Field(IrregularitySection(), description="irregularity")
    roundness: Annotated[dict[str, RoundnessSection], FULL] = Field(
        {}, description='by name of a wheel, such as "front left"; those not named are round'
    )
    contact: ContactSection = Field(ContactSection(), description="contact")
    output: OutputSection = Field(OutputSection(), description="what the results hold")
    drive: Annotated[DriveSection, FULL, Only("reduced.acceleration_m_s2", (0.0,))] = Field(
        DriveSection(), description="drive"
    )
    assumed: Assumed = {}
    accept: tuple[Literal[*DISAGREEMENTS], ...] = Field(
        (), description="disagreements between inputs that are intended: each becomes a warning instead of an error"
    )

    def refused(self):
        """(key, message) of what would leave no result."""
        if round(self.output.start_s / self.run.step_s) > round(self.run.duration / self.run.step_s):
            yield (
                "output.start_s",
                f"must lie before the end of the run, {self.run.duration:g} s, got {self.output.start_s:g} s",
            )


_SECTIONS = {
    name: (system.keys | None, Field(None, description=system.meaning)) for name, system in COUPLED_SYSTEMS.items()
}
if not TYPE_CHECKING:  # the sections of what can be coupled to a vehicle
    VehicleScenario = create_model(
        "VehicleScenario", __base__=VehicleScenario, __module__=__name__, __doc__=VehicleScenario.__doc__, **_SECTIONS
    )
