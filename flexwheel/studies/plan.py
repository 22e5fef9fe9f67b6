"""A study read and laid out: every run with its values, looked at before the first one begins."""

import difflib
import json
from dataclasses import dataclass, replace
from pathlib import Path

import flexwheel
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import LARGEST_TOML, digest, parse_toml, read_text
from flexwheel.base.shipped import EXAMPLES
from flexwheel.base.variables import LABELS, variables
from flexwheel.run.keys.changed_vehicle import contents, source_of_run, split
from flexwheel.run.keys.overrides import apply_override
from flexwheel.run.keys.reader import (
    Places,
    ScenarioSource,
    read_scenario_source,
    resolved_file,
    validated,
)
from flexwheel.run.keys.section import NamesFile
from flexwheel.run.keys.toml_text import scenario_toml, toml_value
from flexwheel.studies.sampling import points
from flexwheel.studies.study_keys import SAFETY, StudyFile
from flexwheel.vehicle.vehicle_file import read_vehicle


@dataclass(frozen=True)
class Study:
    """A study file, and the scenario that all of its runs share."""

    file: StudyFile
    base: ScenarioSource
    name: str  # of the study, for titles


@dataclass(frozen=True)
class PlannedRun:
    """One run of a study."""

    number: int  # from 0, in the order of the study
    values: tuple  # of each of `vary`; None where the scenario's own stays
    overrides: tuple[str, ...]  # section.key=value, of the scenario or of the vehicle's file
    digest: str  # of all that decides its figures


def read_study(path, settings=()) -> Study:
    """Study of a TOML file.

    Parameters
    ----------
    path : str or Path
    settings : sequence of str      "section.key=value" of the study file's own keys

    Raises
    ------
    ScenarioError   naming file, line, key, what came and what was expected
    """
    text = read_text(path, "a study in TOML", largest=LARGEST_TOML)
    data, place = parse_toml(text, path), Places(Path(path), text, tuple(settings))
    if "study" not in data and "run" in data:
        raise ScenarioError(f"{path} must be a study, with a table [study] that names a scenario, but is a scenario")
    for setting in settings:
        apply_override(data, setting, StudyFile)
    file = validated(StudyFile, data, place)
    base = _base(file, place)
    return Study(file, base, file.study.title or Path(path).stem)


def study_of(source: ScenarioSource, tables) -> Study:
    """Study of a scenario at hand; tables: those of a study file, without study.scenario."""
    path = Path("study")
    data = {**tables, "study": {"scenario": str(source.path), **tables.get("study", {})}}
    file = validated(StudyFile, data, Places(path))
    name = file.study.title or source.path.stem
    return Study(file, replace(source, overrides=(*source.overrides, *file.study.set)), name)


def _base(file, place):
    """Scenario of a study file, with what it sets for all runs."""
    name = file.study.scenario
    if not Path(name).suffix:
        known = sorted(path.stem for path in EXAMPLES.glob("*.toml"))
        if name not in known:
            raise ScenarioError(
                place.says(
                    ("study", "scenario"),
                    f"must be one of {', '.join(known)}, or the name of a .toml file, got {name!r}",
                )
            )
        name = f"{name}.toml"
    path = resolved_file(name, NamesFile((EXAMPLES,)), place, ("study", "scenario"))
    scenario, _ = split(file.study.set)
    source = read_scenario_source(path, scenario)
    return replace(source, overrides=file.study.set)


def planned_runs(study) -> list[PlannedRun]:
    """Every run of a study, its scenario read and checked; nothing is reduced, compiled or run.

    Raises
    ------
    ScenarioError   naming the run's values, key, what came and what was expected
    """
    file, out = study.file, []
    check_figures(file.figure, study.base.scenario)
    told = json.dumps([figure.model_dump(mode="json") for figure in file.figure]) + flexwheel.__version__
    for number, values in enumerate(points(file.study, file.vary)):
        changed = [
            f"{key}={toml_value(list(value) if isinstance(value, tuple) else value)}"
            for item, value in zip(file.vary, values, strict=True)
            for key in item.keys
            if value is not None
        ]
        overrides = (*study.base.overrides, *changed)
        try:
            source = source_of_run(study.base.text, study.base.path, overrides)
        except ScenarioError as error:
            raise ScenarioError(f"run {number} of the study ({', '.join(changed) or 'as it is'}): {error}") from None
        out.append(PlannedRun(number, values, overrides, digest(told + _inputs(source))))
    return out


def _inputs(source):
    """Text of all that a run reads, and the contents of every file that it names."""
    scenario = source.scenario
    parts = [scenario_toml(scenario)]
    if hasattr(getattr(scenario, "vehicle", None), "file"):
        parts.append(contents(read_vehicle(scenario.vehicle.file).path))
    return "\n".join([*parts, *_files(scenario.model_dump(mode="json"))])


def _files(value):
    """Digests of the files that the keys in a value name: meshes, profiles, tables."""
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _files(part)
    elif isinstance(value, str) and Path(value).is_absolute():
        yield contents(value)


def check_figures(figures, scenario):
    """Refuse figures of variables, labels and reductions that no run of the scenario has."""
    kind = scenario.kind
    known = variables(kind)
    for figure in figures:
        where = f"figure {figure.label!r}"
        if figure.of == SAFETY:
            if not {"wheel_force", "body_position"} <= set(known):
                raise ScenarioError(
                    f"{where}: of = 'safety' is of vehicles, the scenario is of kind {kind!r}; "
                    f"expected [[figure]] of one of {', '.join(known)}"
                )
            continue
        if figure.of not in known:
            close = difflib.get_close_matches(figure.of, known, n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise ScenarioError(f"{where}: of must be one of {SAFETY}, {', '.join(known)}, got {figure.of!r}{hint}")
        variable = known[figure.of]
        if "time" not in variable.dims and figure.take not in ("max", "min", "mean", "abs_max"):
            raise ScenarioError(f"{where}: take must be max, min, mean or abs_max for {figure.of}, got {figure.take!r}")
        for dim, label in figure.where.items():
            if dim not in variable.dims or dim == "time":
                dims = ", ".join(dim for dim in variable.dims if dim != "time") or "none"
                raise ScenarioError(f"{where}: where.{dim} must be a dimension of {figure.of} ({dims})")
            if dim in LABELS and label not in LABELS[dim]:
                raise ScenarioError(f"{where}: where.{dim} must be one of {', '.join(LABELS[dim])}, got {label!r}")
