"""Scenarios of the simplified model: a scenario file with `kind = "reduced"` and a section [reduced].

All other sections are those of any scenario, so that the same file describes the simplified vehicle and the full model
beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from flexwheel.errors import ScenarioError
from flexwheel.input_files import LARGEST_TOML, read_text, regular_file
from flexwheel.scenario.idle_keys import REDUCED_RULES, RULES, refuse_idle
from flexwheel.scenario.reader import scenario_data, validated
from flexwheel.scenario.section import Flag, Number, Section
from flexwheel.scenario.vehicle_keys import Scenario

IDLE_RULES = RULES + REDUCED_RULES
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
        "equivalent conicity with a contact angle fitted to the profiles; or the cone of that conicity, as the paper",
    )
    conicity: Annotated[Number, Field(gt=0.0, lt=0.6)] | None = Field(
        None,
        description="equivalent conicity; from the profiles where not given; refused with tread = 'profiles', whose "
        "tables have their own",
    )
    conicity_amplitude_mm: Annotated[Number, Field(gt=0.0, le=20.0)] = Field(
        3.0, description="amplitude at which the profiles' conicity is taken"
    )
    flange_clearance_mm: Annotated[Number, Field(gt=0.0, le=50.0)] | None = Field(
        None, description="lateral play; from the profiles where not given"
    )
    flange_angle_deg: Annotated[Number, Field(gt=20.0, lt=85.0)] = Field(70.0, description="of the flange")
    flange_stiffness_n_m: Annotated[Number, Field(gt=0.0, le=1e10)] = Field(5e7, description="normal to the flange")
    flange_damping_ns_m: Annotated[Number, Field(ge=0.0, le=1e8)] = Field(2e4, description="normal to the flange")
    creep: Literal["saturated", "linear"] = Field(
        "saturated", description="Kalker's linear law bounded by friction, or unbounded as in the paper"
    )
    load_dependent: Flag = Field(True, description="creep coefficients grow with the load to the power 2/3")
    climb_shift_mm: Annotated[Number, Field(gt=0.0, le=50.0)] = Field(
        5.0, description="beyond flange contact at which the run ends as derailed"
    )
    lateral_offset_mm: Annotated[Number, Field(ge=-50.0, le=50.0)] = Field(
        0.0, description="of all wheelsets at the start, in both models; short of the shift that counts as derailed"
    )
    acceleration_m_s2: Annotated[Number, Field(ge=-10.0, le=10.0)] = Field(
        0.0,
        description="of the prescribed motion along the track; the full model is driven by the force that this needs",
    )
    full_model: Flag = Field(True, description="run the three-dimensional model beside it")


class ReducedScenario(Scenario):
    """A whole scenario file of the simplified model."""

    kind: Literal["reduced"]
    reduced: ReducedSection = Field(ReducedSection(), description="simplified model")


@dataclass(frozen=True)
class ReducedSource:
    """Scenario, settings of the simplified model, and the text they came from."""

    scenario: ReducedScenario
    reduced: ReducedSection
    path: Path
    text: str


def read_reduced_scenario(path, overrides=()):
    """Read and check a scenario.

    Parameters
    ----------
    path : str or Path
    overrides : sequence of str      "section.key=value"; those of `reduced` go to that section

    Returns
    -------
    ReducedSource

    Raises
    ------
    ScenarioError                    naming file, line, key, what came and what was expected
    """
    path = regular_file(path, "a scenario in TOML")
    text = read_text(path, "a scenario in TOML", largest=LARGEST_TOML)
    data, place = scenario_data(text, path, tuple(overrides), ReducedScenario)
    scenario = validated(ReducedScenario, data, place)
    _check(scenario, scenario.reduced, place)
    refuse_idle(scenario, IDLE_RULES, overrides, place.of)
    return ReducedSource(scenario, scenario.reduced, path, text)


def _check(scenario, reduced, place):
    """What the simplified model cannot do, and what would do nothing."""
    run = scenario.run

    def refuse(key, message):
        raise ScenarioError(f"{place.of(tuple(key.split('.')))}: {message}")

    if any(w.formulation == "flexible" for w in scenario.wheelset.values()):
        refuse("wheelset", "a flexible wheelset: the simplified model has rigid ones only")
    if scenario.wheelset:
        refuse("wheelset", "without effect on rigid wheelsets; leave the section out")
    if run.settling_s is not None:
        refuse("run.settling_s", "the simplified model has no statistics; leave it out")
    if scenario.train is not None:
        refuse("train", "the simplified model runs a single vehicle; leave the section out")
    if scenario.irregularity.roughness != "none":
        refuse(
            "irregularity.roughness",
            f"{scenario.irregularity.roughness!r}: the simplified model takes long waves only; set it to 'none'",
        )
    ratio = run.output_step_s / reduced.step_s
    if ratio < 0.999 or abs(ratio - round(ratio)) > 1e-6 * ratio:
        refuse(
            "run.output_step_s",
            f"{run.output_step_s:g} s: expected a whole multiple of reduced.step_s, {reduced.step_s:g} s",
        )
    samples = run.duration / run.output_step_s
    if not 1.0 - 1e-9 <= samples <= MOST_SAMPLES:
        refuse(
            "run.output_step_s",
            f"{run.output_step_s:g} s over {run.duration:g} s: {samples:.3g} samples, expected 1 to {MOST_SAMPLES}",
        )
    if reduced.acceleration_m_s2 > 0.0 and reduced.full_model and scenario.irregularity.spectrum != "none":
        refuse(
            "reduced.acceleration_m_s2",
            f"{reduced.acceleration_m_s2:g}: the full model's irregularity ends where the run ends at constant speed; "
            "set reduced.full_model = false, or irregularity.spectrum = 'none'",
        )
