"""Scenarios of the simplified model: a scenario file with `kind = "reduced"` and a section [reduced].

All other sections are those of any scenario, so that the same file describes the simplified vehicle and the full model
beside it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from flexwheel.errors import ScenarioError
from flexwheel.io.idle_keys import REDUCED_RULES, RULES, refuse_idle
from flexwheel.io.scenario import parse_scenario, place_of
from flexwheel.io.scenario_keys import Scenario
from flexwheel.io.section_keys import Finite, Flag, NonNegative, Number, Positive, Section
from flexwheel.io.toml_lines import line_of

NAME = "reduced"


class ReducedSection(Section):
    """Settings of the simplified model."""

    step_s: Positive = Field(1e-3, le=0.02, description="time step of the simplified model")
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
        None, description="equivalent conicity; from the profiles where not given"
    )
    conicity_amplitude_mm: Positive = Field(3.0, description="amplitude at which the profiles' conicity is taken")
    flange_clearance_mm: Positive | None = Field(None, description="lateral play; from the profiles where not given")
    flange_angle_deg: Annotated[Number, Field(gt=20.0, lt=85.0)] = Field(70.0, description="of the flange")
    flange_stiffness_n_m: Positive = Field(5e7, description="normal to the flange")
    flange_damping_ns_m: NonNegative = Field(2e4, description="normal to the flange")
    creep: Literal["saturated", "linear"] = Field(
        "saturated", description="Kalker's linear law bounded by friction, or unbounded as in the paper"
    )
    load_dependent: Flag = Field(True, description="creep coefficients grow with the load to the power 2/3")
    climb_shift_mm: Positive = Field(5.0, description="beyond flange contact at which the run ends as derailed")
    lateral_offset_mm: Finite = Field(0.0, description="of all wheelsets at the start, in both models")
    acceleration_m_s2: Finite = Field(
        0.0,
        description="of the prescribed motion along the track; the full model is driven by the force that this needs",
    )
    full_model: Flag = Field(True, description="run the three-dimensional model beside it")


@dataclass(frozen=True)
class ReducedSource:
    """Scenario, settings of the simplified model, and the text they came from."""

    scenario: Scenario
    reduced: ReducedSection
    path: Path
    text: str


def is_reduced_scenario(path):
    """Whether a file is a TOML scenario with `kind = "reduced"`; False for anything unreadable."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8")).get("kind") == NAME
    except (OSError, ValueError):
        return False


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
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text)
    own = [o for o in overrides if o.strip().startswith(f"{NAME}.")]
    section = data.get(NAME, {})
    if not isinstance(section, dict):
        raise ScenarioError(f"{path}: {NAME} = {section!r}: expected a table of keys")
    for override in own:
        key, equals, value = override.partition("=")
        if not equals:
            raise ScenarioError(f"--set {override}: expected {NAME}.key=value")
        try:
            section[key.strip().partition(".")[2]] = tomllib.loads(f"value = {value.strip()}")["value"]
        except tomllib.TOMLDecodeError:
            section[key.strip().partition(".")[2]] = value.strip()
    try:
        reduced = ReducedSection.model_validate(section)
    except ValidationError as error:
        raise ScenarioError(_message(error, path, text)) from None
    scenario = parse_scenario(_without_own_part(text), path, [o for o in overrides if o not in own])
    _check(scenario, reduced, path)
    sections = {name: getattr(scenario, name) for name in Scenario.model_fields} | {NAME: reduced}
    refuse_idle(sections, RULES + REDUCED_RULES, overrides, place_of(path, text, overrides))
    return ReducedSource(scenario, reduced, path, text)


def _without_own_part(text):
    """Text with `kind` and the section [reduced] blanked, so that line numbers stay."""
    lines, inside = [], False
    for line in text.splitlines():
        if re.match(r"\s*\[", line):
            inside = bool(re.match(rf"\s*\[\s*{NAME}\s*\]", line))
        drop = inside or re.match(r"\s*kind\s*=\s*[\"']" + NAME + r"[\"']", line)
        lines.append("" if drop else line)
    return "\n".join(lines) + "\n"


def _message(error, path, text):
    problem = error.errors()[0]
    key = ".".join([NAME, *(str(p) for p in problem["loc"])])
    line = line_of(text, (NAME, *problem["loc"]))
    where = f"{path}:{line}: key {key}" if line else f"{path}: key {key}"
    if problem["type"] == "extra_forbidden":
        return f"{where}: unknown key; known here: {', '.join(sorted(ReducedSection.model_fields))}"
    return f"{where}: {problem['msg'].replace('Input should be', 'should be')}; got {problem.get('input')!r}"


def _check(scenario, reduced, path):
    """What the simplified model cannot do."""
    if scenario.train is not None:
        raise ScenarioError(f"{path}: a section [train]: the simplified model runs without couplers")
    if any(w.formulation == "flexible" for w in scenario.wheelset.values()):
        raise ScenarioError(f"{path}: a flexible wheelset: the simplified model has rigid ones only")
    if scenario.irregularity.roughness != "none":
        raise ScenarioError(
            f"{path}: irregularity.roughness = {scenario.irregularity.roughness!r}: the simplified model takes "
            "long waves only; set it to 'none'"
        )
    ratio = scenario.run.output_step_s / reduced.step_s
    if ratio < 0.999 or abs(ratio - round(ratio)) > 1e-6 * ratio:
        raise ScenarioError(
            f"{path}: run.output_step_s = {scenario.run.output_step_s:g} s: expected a whole multiple of "
            f"reduced.step_s, {reduced.step_s:g} s"
        )
    if reduced.acceleration_m_s2 > 0.0 and reduced.full_model and scenario.irregularity.spectrum != "none":
        raise ScenarioError(
            f"{path}: reduced.acceleration_m_s2 = {reduced.acceleration_m_s2:g}: the full model's irregularity ends "
            "where the run ends at constant speed; set reduced.full_model = false, or irregularity.spectrum = 'none'"
        )
