"""Keys of the scenario of the simplified model: those of a vehicle's scenario, and a section [reduced].

The same file describes the simplified vehicle and the full model beside it.
"""

from typing import Annotated, Literal

from pydantic import Field

from flexwheel.base.coupled_system import coupled_section
from flexwheel.contact.friction.law import FRICTION_LAWS
from flexwheel.run.keys.section import Flag, Number, Only, Section, whole_multiple
from flexwheel.run.keys.vehicle_keys import OutputSection, VehicleScenario
from flexwheel.track.excitation import excitations_of

MOST_SAMPLES = 500_000  # of the results; 1.4 kB each with four wheelsets, three times as much while they are written


class ReducedSection(Section):
    """Settings of the simplified model."""

    step_s: Annotated[Number, Field(ge=1e-6, le=0.02)] = Field(1e-3, description="time step of the simplified model")
    method: Literal["ros2", "rk4"] = Field(
        "ros2",
        description="Rosenbrock, second order, implicit in the creep damping; or Runge-Kutta, fourth order, which low "
        "speed makes unstable",
    )
    tread: Literal["profiles", "conicity", "cone"] = Field(
        "profiles",
        description="rolling radius and contact angle of the treads: tables made from the profiles; "
        "equivalent conicity with a contact angle fitted to the profiles; or that conicity's cone, as in paper 001",
    )
    conicity: Annotated[Annotated[Number, Field(gt=0.0, lt=0.6)] | None, Only(".tread", ("conicity", "cone"))] = Field(
        None,
        description="equivalent conicity; from the profiles where not given; refused with tread = 'profiles', whose "
        "tables have their own",
    )
    conicity_amplitude_mm: Annotated[
        Number,
        Field(gt=0.0, le=20.0),
        Only("reduced", lambda r: r.tread == "conicity" or r.conicity is None, "leave reduced.conicity out"),
    ] = Field(3.0, description="amplitude at which the profiles' conicity is taken")
    flange_clearance_mm: Annotated[Number, Field(gt=0.0, le=50.0)] | None = Field(
        None, description="lateral play; from the profiles where not given"
    )
    flange_angle_deg: Annotated[Number, Field(gt=20.0, lt=85.0)] = Field(70.0, description="angle of the flange")
    flange_stiffness_n_m: Annotated[Number, Field(gt=0.0, le=1e10)] = Field(5e7, description="normal to the flange")
    flange_damping_ns_m: Annotated[Number, Field(ge=0.0, le=1e8)] = Field(2e4, description="normal to the flange")
    creep: Literal["saturated", "linear"] = Field(
        "saturated", description="Kalker's linear law limited by friction, or without limit as in paper 001"
    )
    load_dependent: Flag = Field(True, description="creep coefficients grow with the load to the power 2/3")
    climb_shift_mm: Annotated[Number, Field(gt=0.0, le=50.0)] = Field(
        5.0, description="lateral shift beyond flange contact at which the run ends as derailed"
    )
    lateral_offset_mm: Annotated[Number, Field(ge=-50.0, le=50.0)] = Field(
        0.0,
        description="lateral shift of all wheelsets at the start, in both models; smaller than the shift of derailment",
    )
    acceleration_m_s2: Annotated[Number, Field(ge=-10.0, le=10.0)] = Field(
        0.0,
        description="acceleration along the track; the full model is driven by the force that this needs",
    )
    full_model: Flag = Field(True, description="true: run the three-dimensional model as well and compare")


class ReducedScenario(VehicleScenario):
    """A vehicle in the simplified model, and the full one beside it."""

    kind: Literal["reduced"] = Field(description="the simplified model of a vehicle")
    reduced: ReducedSection = Field(ReducedSection(), description="simplified model")

    def refused(self):
        """(key, message) of what the simplified model cannot do, and of what would do nothing."""
        run, reduced = self.run, self.reduced
        if any(w.formulation == "flexible" for w in self.wheelset.values()):
            yield "wheelset", "a flexible wheelset: the simplified model has rigid ones only"
        if self.body:
            yield "body", "a flexible body: the simplified model has rigid ones only"
        if self.wheelset:
            yield "wheelset", "without effect on rigid wheelsets; leave the section out"
        if run.settling_s is not None:
            yield "run.settling_s", "the simplified model has no statistics; leave it out"
        if self.output != OutputSection():
            yield "output", "the simplified model stores all it has from t = 0; leave the section out"
        system, _ = coupled_section(self)
        if system is not None:
            yield system.name, "the simplified model runs a single vehicle; leave the section out"
        for excitation, _ in excitations_of(self.irregularity):
            yield f"irregularity.{excitation.name}", "the simplified model takes long waves only; leave the section out"
        if self.track.check_rail:
            yield "track.check_rail", "the simplified model has no check rails; leave them out"
        if self.contact.friction_law != FRICTION_LAWS.default:
            yield (
                "contact.friction_law",
                f"{self.contact.friction_law!r}: the simplified model has one coefficient; set it to 'constant'",
            )
        if self.irregularity.roughness != "none":
            yield (
                "irregularity.roughness",
                f"{self.irregularity.roughness!r}: the simplified model takes long waves only; set it to 'none'",
            )
        try:
            whole_multiple(run.output_step_s, reduced.step_s, "reduced.step_s")
        except ValueError as error:
            yield "run.output_step_s", str(error)
        samples = run.duration / run.output_step_s
        if not 1.0 - 1e-9 <= samples <= MOST_SAMPLES:
            yield (
                "run.output_step_s",
                f"{run.output_step_s:g} s over {run.duration:g} s: {samples:.3g} samples, expected 1 to {MOST_SAMPLES}",
            )
        if reduced.acceleration_m_s2 > 0.0 and reduced.full_model and self.irregularity.spectrum != "none":
            yield (
                "reduced.acceleration_m_s2",
                f"{reduced.acceleration_m_s2:g}: the full model's irregularity ends where the run ends at constant "
                "speed; set reduced.full_model = false, or irregularity.spectrum = 'none'",
            )
