"""Scenario files: TOML in, one frozen value out; errors name file, line, key, what came and was expected."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from flexwheel.errors import ScenarioError
from flexwheel.input_files import LARGEST_TOML, clipped, exists, expanded, parse_toml, read_text, regular_file
from flexwheel.scenario.idle_keys import RULES, idle_keys, refuse_idle
from flexwheel.scenario.overrides import apply_override
from flexwheel.scenario.toml_lines import line_of
from flexwheel.scenario.vehicle_keys import Scenario
from flexwheel.shipped import MESHES, TRACK

FILE_KEYS = (
    ("wheelset", "*", "mesh"),
    ("track", "foundation", "mesh"),
    ("track", "support"),
    ("track", "rail"),
    ("irregularity", "file"),
    ("irregularity", "roughness"),
    ("vehicle", "file"),
    ("train", "driving", "file"),
    ("train", "parts"),
    ("contact", "wheel_profile"),
    ("contact", "rail_profile"),
)


@dataclass(frozen=True)
class ScenarioSource:
    """A scenario with the text it came from, so that results can carry both."""

    scenario: Scenario
    path: Path
    text: str
    overrides: tuple[str, ...] = ()


KINDS = ("train", "realtime", "reduced")
"""What `kind` at the top of a scenario may be; without it a run of a vehicle."""


def scenario_kind(path):
    """One of KINDS, or "" where the file has no key `kind`."""
    path = regular_file(path, "a scenario in TOML")
    kind = parse_toml(read_text(path, "a scenario in TOML", largest=LARGEST_TOML), path).get("kind", "")
    if kind not in ("", *KINDS):
        raise ScenarioError(f"{path}: kind = {clipped(repr(kind))}; expected one of {', '.join(KINDS)}, or no such key")
    return kind


def read_scenario(path, overrides=()):
    """Scenario of a TOML file.

    Parameters
    ----------
    path : str or Path
    overrides : sequence of str     "section.key=value", applied in order after reading; the value is TOML, or
                                    a bare word

    Returns
    -------
    Scenario    file names in it are absolute

    Raises
    ------
    ScenarioError   naming file, line, key, what came and what was expected
    """
    return read_scenario_source(path, overrides).scenario


def read_scenario_source(path, overrides=()):
    """As read_scenario, with the text kept: ScenarioSource."""
    path = regular_file(path, "a scenario in TOML")
    text = read_text(path, "a scenario in TOML", largest=LARGEST_TOML)
    scenario = parse_scenario(text, path, overrides)
    refuse_idle(scenario, RULES, overrides, place_of(path, text, overrides))
    return ScenarioSource(scenario, path, text, tuple(overrides))


def parse_scenario(text, path=Path("scenario.toml"), overrides=()):
    """Scenario of a TOML text; relative file names in it start at the folder of path."""
    return validated(Scenario, *scenario_data(text, path, overrides))


def scenario_data(text, path, overrides=(), model=Scenario):
    """Tables of a TOML text with the overrides applied, and the Places its values came from.

    model : type        the keys that the overrides set
    """
    data = parse_toml(text, path)
    place = Places(path, text, tuple(overrides))
    for override in overrides:
        apply_override(data, override, model)
    if model is Scenario and data.get("kind") in KINDS:
        raise ScenarioError(
            f"{place.of(('kind',))}: expected a scenario without this key; got {data['kind']!r}, "
            "which 'flexwheel run' takes"
        )
    if issubclass(model, Scenario):
        _resolve_files(data, place)
    return data, place


def validated(model, data, place):
    """The tables as a model; errors name file, line and key."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(_first_error(error, place, model)) from None


def place_of(path, text, overrides=()):
    """Function that names the place a key (tuple of str and int) came from: an override, or a line of the file."""
    return Places(Path(path), text, tuple(overrides)).of


def scenario_toml(scenario):
    """Every key of a scenario that is read, with its resolved value, as TOML text that reads back to the same run."""
    lines = []
    tables = scenario.model_dump(mode="json", exclude_none=True)
    for path, _, _ in idle_keys(scenario, RULES, given=False):
        table = tables
        for part in path[:-1]:
            table = table[part] if isinstance(table, list) or part in table else {}
        table.pop(path[-1], None)
    _write_table(tables, (), lines)
    return "\n".join(lines).strip() + "\n"


def _resolve_files(data, place):
    """Make file names absolute: from the scenario's folder, the working folder or the packaged data."""
    for pattern in FILE_KEYS:
        for table, key, where in _matches(data, pattern, ()):
            value = table[key]
            if isinstance(value, list):  # of part files, which may also be shipped ones
                table[key] = [str(_beside(item, place) or item) if isinstance(item, str) else item for item in value]
            if isinstance(value, str) and ("/" in value or "\\" in value or Path(value).suffix):
                table[key] = str(_existing(value, where, place))


def _matches(table, pattern, where):
    if not isinstance(table, dict):
        return
    head, rest = pattern[0], pattern[1:]
    for name in list(table) if head == "*" else [head]:
        if name not in table:
            continue
        if rest:
            yield from _matches(table[name], rest, (*where, name))
        else:
            yield table, name, (*where, name)


def _beside(value, place):
    """Absolute path of a file that stands in the scenario's folder, None where none does."""
    candidate = place.path.resolve().parent / value
    return candidate.resolve() if exists(candidate) else None


def _existing(value, where, place):
    try:
        candidate = expanded(value)
        folders = [place.path.resolve().parent, Path.cwd(), MESHES, TRACK]
        for folder in [Path("/")] if candidate.is_absolute() else folders:
            if exists(folder / candidate):
                return (folder / candidate).resolve()
        return regular_file(folders[0] / candidate)
    except ScenarioError as error:
        raise ScenarioError(f"{place.of(where)}: {error}") from None


@dataclass(frozen=True)
class Places:
    """Names the place a value came from: an override, or a line of the file."""

    path: Path
    text: str
    overrides: tuple[str, ...]

    def of(self, where):
        key = ".".join(str(part) for part in where)
        for override in reversed(self.overrides):
            name = override.partition("=")[0].strip()
            if key == name or key.startswith(name + ".") or name.startswith(key + "."):
                return f"--set {clipped(override)}: key {key}"
        line = line_of(self.text, where)
        return f"{self.path}:{line}: key {key}" if line else f"{self.path}: key {key}"


def _first_error(error, place, model):
    problems = error.errors()
    problem = problems[0]
    where = tuple(part for part in problem["loc"] if not str(part).startswith("function-"))
    kind = problem["type"]
    if kind == "extra_forbidden":
        message = _unknown_key(where, _known_keys(model, where[:-1]))
    elif kind == "missing":
        message = f"{place.of(where[:-1]) if where[:-1] else place.path}: {where[-1]} is missing"
        return message + _more(problems)
    else:
        came = problem.get("input")
        got = "" if isinstance(came, dict | BaseModel) else f"; got {clipped(repr(came))}"
        message = _plain(problem["msg"]) + got
    return f"{place.of(where) if where else place.path}: {message}{_more(problems)}"


def _plain(message):
    message = message.removeprefix("Value error, ").replace("Input should be", "should be")
    message = re.sub(r"a valid dictionary( or instance of \w+)?", "a table of keys", message)
    return message.replace("a valid tuple", "a list")


def _more(problems):
    return f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""


def _unknown_key(where, known):
    known = sorted(known)
    close = difflib.get_close_matches(str(where[-1]), known, n=1)
    hint = f", did you mean {close[0]}?" if close else ""
    return f"unknown key {where[-1]!r}{hint or ';'} known here: {', '.join(known)}"


def _known_keys(model, where):
    """Names of the fields of the section that where leads to."""
    for part in where:
        if isinstance(part, int):
            continue
        field = model.model_fields.get(str(part))
        if field is None:
            continue
        found = _section_of(field.annotation)
        if found is not None:
            model = found
    return model.model_fields


def _section_of(annotation):
    """The Section class inside a type such as tuple[LayoutSegment, ...] or dict[str, WheelsetSection]."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _section_of(argument)
        if found is not None:
            return found
    return None


def _write_table(table, path, lines):
    plain = {key: value for key, value in table.items() if not _is_table(value)}
    if path and plain:
        lines.append(f"\n[{'.'.join(path)}]")
    for key, value in plain.items():
        lines.append(f"{_toml_key(key)} = {_toml_value(value)}")
    for key, value in table.items():
        if isinstance(value, dict):
            _write_table(value, (*path, _toml_key(key)), lines)


def _is_table(value):
    return isinstance(value, dict)


def _toml_key(key):
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isalnum() and bare.isascii() else _toml_value(key)


def _toml_character(c):
    if c in '"\\':
        return f"\\{c}"
    return f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c


def _toml_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(_toml_character(c) for c in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(_toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml_key(k)} = {_toml_value(v)}" for k, v in value.items()) + " }"
    return repr(value)
