"""Every key of a scenario file, with its unit, default and meaning.

One class is one section of the TOML file. Values are checked for type and range here; what needs a second
file (a mesh, a profile) is checked where that file is read. Key names end in their unit; keys without a
suffix are pure numbers or words.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from flexwheel.disagreements import DISAGREEMENTS
from flexwheel.scenario.section import (
    Damping,
    Finite,
    Flag,
    Length,
    Modulus,
    NonNegative,
    Number,
    Place,
    Positive,
    Section,
    Whole,
)
from flexwheel.scenario.track_keys import TrackSection
from flexwheel.scenario.train_section import TrainSection


class RunSection(Section):
    """How far, how fast, with what step."""

    title: str = Field("", description="one line that names the run in pictures and results")
    speed_kmh: Positive = Field(80.0, le=500.0, description="running speed")
    duration_s: Positive | None = Field(None, le=1e6, description="simulated time; give this or end_position_m")
    end_position_m: Place | None = Field(
        None, description="arc length of the leading wheelset at which the run ends; give this or duration_s"
    )
    start_position_m: Place = Field(0.0, description="arc length of the leading wheelset at the start")
    step_s: Positive = Field(5e-5, ge=1e-7, le=1e-2, description="time step of the integration")
    integrator: Literal["newmark", "park", "dormand_prince"] = Field(
        "newmark",
        description="time integration scheme; dormand_prince: explicit, fifth order, rigid wheelsets on rigid rails",
    )
    newmark_beta: Annotated[Number, Field(ge=0.0, le=0.25)] = Field(
        0.25,
        description="Newmark's beta: 1/4 average acceleration, 1/12 Fox-Goodwin (omega step < 2.45)",
    )
    output_step_s: Positive = Field(1e-4, le=10.0, description="spacing of stored samples; a multiple of step_s")
    settling_s: NonNegative | None = Field(
        None,
        le=1e6,
        description="time at the start that every statistic and spectrum leaves out; default: the time over "
        "irregularity.ramp_m (where there is irregularity) and 1 s, about a period of a body on its springs",
    )
    compare_modes: tuple[Literal["lagrangian", "eulerian_interpolated", "eulerian"], ...] = Field(
        (), description="run once more with each of these in place of the flexible wheelsets' mode, into subfolders"
    )
    contact_iterations_max: Annotated[Whole, Field(ge=1, le=200)] = Field(
        12, description="Newton iterations a step may take; steps that take them all are counted and printed"
    )
    contact_tolerance_n: Positive = Field(
        5.0, le=1e4, description="largest estimated error of a contact force when the iterations of a step end"
    )
    unconverged_share_max: Annotated[Number, Field(ge=0.0, le=1.0)] = Field(
        1e-3, description="share of the steps, beyond five, that may end unconverged before a run is incomplete"
    )

    @model_validator(mode="after")
    def _one_end(self):
        if (self.duration_s is None) == (self.end_position_m is None):
            raise ValueError("give one of duration_s and end_position_m, not both and not neither")
        if self.end_position_m is not None and self.end_position_m <= self.start_position_m:
            raise ValueError("end_position_m must lie beyond start_position_m")
        ratio = self.output_step_s / self.step_s
        if ratio < 0.999 or abs(ratio - round(ratio)) > 1e-6 * ratio:
            raise ValueError(f"output_step_s must be a whole multiple of step_s, got {ratio:g} times it")
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
    def stride(self) -> int:
        """Steps between stored samples."""
        return max(1, round(self.output_step_s / self.step_s))


class ControlNode(Section):
    """A node of the mesh at which stress and motion are wanted: by id, by name of a node set, or by place."""

    name: str | None = Field(None, description="what the node is called in results; also a preset name")
    id: Whole | None = Field(None, description="node id in the mesh file")
    position_m: tuple[Finite, Finite, Finite] | None = Field(
        None,
        description="x, y, z in the mesh as placed: axle along y, its middle at the origin; the nearest node is taken",
    )

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, int) and not isinstance(value, bool):
            return {"id": value}
        if isinstance(value, list | tuple):
            return {"position_m": value}
        return value


class WheelsetSection(Section):
    """One wheelset of the vehicle; a flexible one is made from an FE mesh."""

    formulation: Literal["flexible", "rigid"] = Field("rigid", description="flexible needs a mesh")
    mesh: str | None = Field(None, description="FE mesh file (.inp, .msh, .bdf), relative to this scenario file")
    mesh_unit: Literal["m", "mm"] = Field("m", description="length unit of the mesh file")
    ignore: tuple[str, ...] = Field(
        (),
        description="cards of the mesh file that carry mass, stiffness or a constraint, are not read, and are left out "
        "knowingly; names as the message that refuses them prints them",
    )
    youngs_modulus_pa: Modulus | None = Field(None, description="overrides the mesh file")
    poissons_ratio: Number | None = Field(None, gt=-1.0, lt=0.5, description="overrides the mesh file")
    density_kg_m3: Positive | None = Field(None, le=1e5, description="overrides the mesh file")
    axle_axis: Literal["auto", "x", "y", "z"] = Field(
        "y", description="axis of the mesh along the axle; auto finds it from the inertia"
    )
    element: Literal["default", "full"] = Field(
        "default",
        description="default: incompatible modes for 8-node, reduced integration for 20-node hexahedra; full: plain",
    )
    mass: Literal["consistent", "lumped"] = Field("consistent", description="FE mass matrix")
    mode: Literal["lagrangian", "eulerian_interpolated", "eulerian"] = Field(
        "eulerian", description="how the turning of the mesh is treated"
    )
    fixed_interface_modes: Annotated[Whole, Field(ge=0, le=2000)] = Field(
        29, description="fixed-interface modes beside the 12 constraint modes; no pair is split"
    )
    damping_ratio: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        0.01, description="ratio of critical damping of every flexible mode"
    )
    exact_below_hz: NonNegative = Field(
        1300.0,
        le=1e6,
        description="free modes up to here are those of the full mesh; 0: Craig-Bampton alone, as the paper",
    )
    coupling: Literal["rigid", "averaging"] = Field(
        "averaging", description="how the journals are tied to the interface nodes (RBE2 or RBE3)"
    )
    interfaces: Literal["journals", "end_faces"] = Field(
        "journals", description="where the interface nodes sit: the journals, or the axle ends as in the paper"
    )
    interface_sets: tuple[str, str] | None = Field(
        None, description="node sets of the left and right interface, instead of `interfaces`"
    )
    tread_sets: tuple[str, str] | None = Field(
        None, description="node sets of the left and right running surface; default TREAD_LEFT and TREAD_RIGHT"
    )
    route: Literal["auto", "cyclic", "general"] = Field(
        "auto", description="reduction by cyclic symmetry, which needs a mesh of revolution, or by the sparse solver"
    )
    force_distribution: Literal["least_squares", "shape_functions", "inverse_distance"] = Field(
        "least_squares",
        description="how the contact force is spread over nodes: over the profile by the rows that also give its "
        "motion, over the facet by its shape functions, or inversely to the distances (the paper's simple rule)",
    )
    residual: Literal["static", "modal_only"] = Field(
        "static", description="whether stress and compliance carry the static part of the truncated modes"
    )
    centrifugal: Literal["both", "paper", "none"] = Field(
        "both",
        description="centrifugal softening with the geometric stiffness of the prestress (both), without it "
        "(paper), or neither: gyroscopic terms alone, meshes of revolution only (none)",
    )
    control_nodes: tuple[ControlNode, ...] = Field(
        (ControlNode(name="web_fillet_right"), ControlNode(name="tread_right")),
        description="nodes watched: preset name, node id, or x, y, z",
    )
    control_node_tolerance_mm: Positive = Field(
        5.0, le=1e3, description="how far from the place asked for a control node may lie"
    )

    @model_validator(mode="after")
    def _mesh_when_flexible(self):
        if self.formulation == "flexible" and self.mesh is None:
            raise ValueError('a flexible wheelset needs mesh = "file"')
        return self


class VehicleSection(Section):
    """The vehicle and its parameters."""

    file: str = Field("as4", description="name of a shipped vehicle, or a TOML file relative to this scenario file")


class IrregularitySection(Section):
    """Deviations of both rails from the ideal track."""

    spectrum: Literal["erri_b176", "fra", "none"] = Field("erri_b176", description="long-wave spectrum")
    level: Literal["low", "high"] = Field("high", description="level of the ERRI spectrum")
    track_class: Annotated[Whole, Field(ge=1, le=6)] = Field(4, description="class of the FRA spectrum, 1 the worst")
    seed: Annotated[Whole, Field(ge=0)] = Field(1, description="same seed, same track")
    longest_wave_m: Length = Field(100.0, description="cut-off of the long-wave spectrum")
    shortest_wave_m: Length = Field(1.0, description="cut-off of the long-wave spectrum")
    lateral: Flag = Field(True, description="whether the lateral irregularity acts as well")
    roughness: str = Field(
        "iso3095", description="third-octave table of short waves: iso3095, average_network, a CSV file, or none"
    )
    roughness_shift_db: Finite = Field(0.0, ge=-200.0, le=200.0, description="added to every band of the table")
    roughness_longest_wave_m: Positive = Field(0.63, description="cut-off of the roughness")
    roughness_shortest_wave_m: Positive = Field(0.01, description="cut-off of the roughness")
    contact_filter: Flag = Field(True, description="whether waves shorter than the patch are filtered")
    ramp_m: NonNegative = Field(10.0, le=1e6, description="length over which irregularity grows at the start")
    file: str | None = Field(
        None,
        description="CSV table in place of the spectra: a header, then rows of s_m (or distance_m), rising, and any of "
        "left_lateral, left_vertical, right_lateral, right_vertical, each with its unit, _m, _mm or _um, e.g. "
        "left_vertical_mm; left and up positive; a column left out is zero",
    )

    @model_validator(mode="after")
    def _order(self):
        if self.longest_wave_m <= self.shortest_wave_m:
            raise ValueError("longest_wave_m must exceed shortest_wave_m")
        if self.roughness_longest_wave_m <= self.roughness_shortest_wave_m:
            raise ValueError("roughness_longest_wave_m must exceed roughness_shortest_wave_m")
        return self


class ProfileFileSection(Section):
    """How the file of a profile is to be read."""

    unit: Literal["mm", "m"] = Field("mm", description="of its numbers; a .prw, .prr or MiniProf file's own goes first")
    decimal: Literal["point", "comma"] = Field("point", description="how its numbers are written")
    mirror_y: Flag = Field(False, description="its y points to the track centre (a wheel's flange at +y)")
    mirror_z: Flag = Field(False, description="its z points upward")
    smoothing_mm: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        0.0, description="rms distance of the curve from the points; 0 passes through them"
    )


class WheelFileSection(ProfileFileSection):
    """Likewise, of a wheel."""

    shift_y_mm: Annotated[Number, Field(ge=-200.0, le=200.0)] = Field(
        0.0, description="added to y, mirrored; -70 where the file's y = 0 is the flange back"
    )


class RailFileSection(ProfileFileSection):
    """Likewise, of a rail; its y = 0 does not matter."""

    inclined: Flag | None = Field(
        None, description="true: the rail stands in its file as in track; false: upright; must be given"
    )


class ContactSection(Section):
    """Profiles, their placing, and the contact laws."""

    wheel_profile: str = Field("S1002", description="shipped profile, or a file of y, z points")
    rail_profile: str = Field("60E1", description="shipped profile, or a file of y, z points")
    wheel_file: WheelFileSection = Field(WheelFileSection(), description="how a wheel_profile from a file is read")
    rail_file: RailFileSection = Field(RailFileSection(), description="how a rail_profile from a file is read")
    rail_inclination: Annotated[Number, Field(ge=0.0, le=0.2)] = Field(
        0.025, description="1/40 = 0.025, 1/20 = 0.05; not of a file whose rail stands inclined"
    )
    gauge_mm: Positive = Field(1435.0, ge=300.0, le=3000.0, description="14 mm below the rail heads")
    friction: Annotated[Number, Field(ge=0.0, le=1.5)] = Field(0.3, description="coefficient of friction")
    youngs_modulus_pa: Modulus = Field(2.1e11, description="of wheel and rail steel in the contact law")
    poissons_ratio: Annotated[Number, Field(ge=0.0, lt=0.5)] = Field(0.28, description="idem")
    detection: Literal["scan", "grid", "dist", "diff", "simplex", "compass", "network", "table"] = Field(
        "scan", description="finds the first-touch points; network and table need `flexwheel detection-train`"
    )
    normal: Literal["semi_hertzian", "hertz"] = Field("semi_hertzian", description="normal contact")
    penetration: Literal["equivalent_ellipse", "classical"] = Field(
        "equivalent_ellipse", description="epsilon from an equivalent ellipse, or 0.55 throughout"
    )
    tangential: Literal["fastsim", "kalker_linear", "polach"] = Field("fastsim", description="creep force law")
    traction_bound: Literal["elliptic", "parabolic"] = Field(
        "elliptic", description="of FASTSIM: mu times Hertz's pressure, or parabolic as in Kalker 1982"
    )
    strips: Annotated[Whole, Field(ge=4, le=400)] = Field(24, description="strips across each patch")
    cells_per_strip: Annotated[Whole, Field(ge=4, le=200)] = Field(20, description="FASTSIM cells along a strip")
    normal_damping_ns_m: Damping = Field(1.0e4, description="normal damping of a closed contact")


class DriveSection(Section):
    """What holds the speed."""

    kind: Literal["body_force", "axle_torque", "none"] = Field(
        "body_force",
        description="force on the car body along the track, torque on the driven wheelsets (reaction on the frame "
        "of each), or nothing; both follow gain (V - v) + integral gain",
    )
    gain_n_s_m: Damping = Field(2.0e4, description="force per speed deficit; a torque takes it times the radius")
    integral_gain_n_m: NonNegative = Field(2.0e3, le=1e12, description="force per accumulated distance deficit")
    force_max_kn: Positive = Field(60.0, le=1e6, description="limit of the drive")


class Scenario(Section):
    """A whole scenario file."""

    run: RunSection
    vehicle: VehicleSection = Field(VehicleSection(), description="vehicle")
    wheelset: dict[str, WheelsetSection] = Field(
        {}, description="by name of the vehicle's wheelsets; those not named are rigid"
    )
    track: TrackSection = Field(TrackSection(), description="track")
    irregularity: IrregularitySection = Field(IrregularitySection(), description="irregularity")
    contact: ContactSection = Field(ContactSection(), description="contact")
    drive: DriveSection = Field(DriveSection(), description="drive")
    train: TrainSection | None = Field(None, description="train around the vehicle")
    assumed: dict[str, str] = Field(
        {}, description="keys of this file whose values are assumed, each with its reason; printed by the run"
    )
    accept: tuple[Literal[*DISAGREEMENTS], ...] = Field(
        (), description="disagreements between inputs that are meant; each is a warning of the run instead of an error"
    )
