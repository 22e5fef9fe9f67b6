"""The reader of scenarios of every kind: TOML in, one frozen value out; errors name file, line, key, what came and was
expected."""

import difflib
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import (
    LARGEST_TOML,
    clipped,
    exists,
    expanded,
    parse_toml,
    read_text,
    regular_file,
    shown,
)
from flexwheel.base.kind import KINDS, VEHICLE
from flexwheel.base.shipped import EXAMPLES
from flexwheel.base.variables import SIDES
from flexwheel.run.keys.idle_keys import refuse_idle
from flexwheel.run.keys.overrides import apply_override
from flexwheel.run.keys.renamed import RENAMED
from flexwheel.run.keys.section import VEHICLES, NamesFile, Section, section_in
from flexwheel.run.keys.toml_lines import line_of
from flexwheel.vehicle.vehicle_file import read_vehicle


@dataclass(frozen=True)
class Places:
    """Names the place a value came from: an override, or a line of the file.

    `within` is the path of the table from the top of the file, where only that is looked at.
    """

    path: Path
    text: str = ""
    overrides: tuple[str, ...] = ()
    within: tuple = ()

    def of(self, where=()):
        """Words for messages, of a key by its path (tuple of str and int)."""
        source, key = self.named(where)
        return f"{source}: {key}" if key else source

    def says(self, where, text):
        """A sentence about a key: `KEY must ... (FILE:LINE)`, or `KEY: text (FILE:LINE)`."""
        source, key = self.named(where)
        verb = text.startswith(("must ", "is ", "has "))
        return f"{key}{'' if verb else ':'} {text} ({source})" if key else f"{source}: {text}"

    def named(self, where):
        """Where the value of a key comes from, and the key in full."""
        where = (*self.within, *where)
        key = ".".join(str(part) for part in where)
        for override in reversed(self.overrides) if where else ():
            name = override.partition("=")[0].strip()
            if key == name or key.startswith(name + ".") or name.startswith(key + "."):
                return f"--set {clipped(override)}", key
        line = line_of(self.text, where) if where else None
        return f"{self.path}:{line}" if line else str(self.path), key

    __str__ = of

    def at(self, *where):
        """Places of a table further in."""
        return replace(self, within=(*self.within, *where))


@dataclass(frozen=True)
class ScenarioSource:
    """A scenario with the text it came from, so that results can carry both."""

    scenario: Section
    path: Path
    text: str
    overrides: tuple[str, ...] = ()

    @property
    def places(self) -> Places:
        """Names the place each value came from."""
        return Places(self.path, self.text, self.overrides)


def read_scenario(path, overrides=(), kinds=(VEHICLE,)):
    """Scenario of a TOML file.

    Parameters
    ----------
    path : str or Path
    overrides : sequence of str     "section.key=value", applied in order after reading; the value is TOML, or
                                    a bare word
    kinds : sequence of str         kinds, of KINDS, that the caller can take

    Returns
    -------
    Section     of the kind's keys; file names in it are absolute

    Raises
    ------
    ScenarioError   naming file, line, key, what came and what was expected
    """
    return read_scenario_source(path, overrides, kinds).scenario


def read_scenario_source(path, overrides=(), kinds=KINDS) -> ScenarioSource:
    """As read_scenario, of any kind, with the text kept; a bare name without such a file is a shipped example's."""
    example = EXAMPLES / f"{path}.toml"
    if Path(path).name == str(path) and not exists(Path(path)) and example.is_file():
        path = example
    path = regular_file(path, "a scenario in TOML")
    return scenario_source(_text(path), path, overrides, kinds)


def scenario_source(text, path, overrides=(), kinds=KINDS) -> ScenarioSource:
    """As read_scenario_source, of a text at hand; path names it, and relative file names in it start at its folder."""
    source = ScenarioSource(None, path, text, tuple(overrides))
    source = replace(source, scenario=parse_scenario(text, path, overrides, kinds))
    for key, message in getattr(source.scenario, "refused", tuple)():
        raise ScenarioError(source.places.says(key.split("."), message))
    refuse_idle(source.scenario, overrides, source.places.says)
    return source


def parse_scenario(text, path=Path("scenario.toml"), overrides=(), kinds=(VEHICLE,)):
    """Scenario of a TOML text; relative file names in it start at the folder of path. Idle keys are let pass."""
    place = Places(Path(path), text, tuple(overrides))
    data = parse_toml(text, path)
    kind = _kind(data, place)
    if kind not in kinds:
        raise ScenarioError(
            place.says(("kind",), f"must be {' or '.join(map(repr, kinds))}, got {kind!r}, which 'flexwheel run' takes")
        )
    data["kind"], model = kind, KINDS[kind].keys
    for override in overrides:
        apply_override(data, override, model)
    if data["kind"] != kind:
        raise ScenarioError(
            place.says(("kind",), f"must be {kind!r} as in the file, got {clipped(repr(data['kind']))}")
        )
    try:
        _resolve_files(model, data, place)
    except ScenarioError:
        _refuse_wheelsets(model, data, place)
        raise
    return validated(model, data, place)


def _refuse_wheelsets(model, data, place):
    """Refuse a table of a wheelset or wheel that the vehicle does not have: that comes before a wrong file in it."""
    if "wheelset" not in model.model_fields:
        return
    try:
        vehicle = data.get("vehicle", {}).get("file", model.model_fields["vehicle"].default.file)
        wheelsets = list(read_vehicle(vehicle).wheelsets)
        own_wheels = data.get("contact", {}).get("wheels", {})
    except (ScenarioError, AttributeError):
        return
    wheels = [f"{name} {side}" for name in wheelsets for side in SIDES]
    for where, tables, what, known in (
        (("wheelset",), data.get("wheelset"), "wheelset", wheelsets),
        (("roundness",), data.get("roundness"), "wheel", wheels),
        (("contact", "wheels"), own_wheels, "wheel", wheels),
    ):
        for name in tables if isinstance(tables, dict) else ():
            if name not in known:
                has = f"must name a {what} of the vehicle ({', '.join(known)}), got {clipped(repr(name))}"
                raise ScenarioError(place.says((*where, name), has))


def validated(model, data, place: Places):
    """Tables as a section that is not a whole scenario; errors name file, line and key."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ScenarioError(first_problem(error, place, model)) from None


def _text(path):
    return read_text(path, "a scenario in TOML", largest=LARGEST_TOML)


def _kind(data, place):
    kind = data.get("kind", KINDS.default)
    if not (isinstance(kind, str) and kind in KINDS):
        raise ScenarioError(place.says(("kind",), f"must be one of {', '.join(KINDS)}, got {clipped(repr(kind))}"))
    return kind


def _resolve_files(model, data, place, where=()):
    """Make file names absolute: from the scenario's folder, the working folder or the packaged data."""
    for name, field in model.model_fields.items():
        value, key = data.get(name), (*where, name)
        inner = section_in(field.annotation)
        for rule in field.metadata:
            if isinstance(rule, NamesFile) and name in data:
                data[name] = resolved_file(value, rule, place, key)
        if inner and isinstance(value, dict | list):
            tables = value.items() if str(field.annotation).startswith("dict") else [(None, value)]
            tables = enumerate(value) if isinstance(value, list) else tables
            for part, table in tables:
                if isinstance(table, dict):
                    _resolve_files(inner, table, place, key if part is None else (*key, part))


def resolved_file(value, rule, place, key):
    """Absolute name of the file that the value of a key names, or of each of a list; other words as they are.

    One among the shipped vehicles keeps its short name, so that a resolved scenario can move to another installation.
    """
    if isinstance(value, list):
        return [resolved_file(item, rule, place, (*key, number)) for number, item in enumerate(value)]
    if not isinstance(value, str) or not ("/" in value or "\\" in value or Path(value).suffix):
        return value
    try:
        candidate = expanded(value)
        folders = list(dict.fromkeys([place.path.resolve().parent, Path.cwd(), *rule.folders]))
        for folder in [Path("/")] if candidate.is_absolute() else folders:
            if exists(folder / candidate):
                return value if folder == VEHICLES else str((folder / candidate).resolve())
        if candidate.is_absolute() or os.path.lexists(folders[0] / candidate):
            return str(regular_file(folders[0] / candidate))
    except (ScenarioError, OSError, ValueError) as error:
        raise ScenarioError(place.says(key, str(error))) from None
    searched = ", ".join(shown(folder) for folder in folders)
    raise ScenarioError(place.says(key, f"must be a file, got {shown(value)!r}, which is in none of {searched}"))


def first_problem(error, place, model):
    """One line on the first problem pydantic found."""
    problems = error.errors()
    renamed = (p for p in problems if p["type"] == "extra_forbidden" and p["loc"][-1] in RENAMED)
    problem = next(renamed, problems[0])
    where = tuple(part for part in problem["loc"] if not str(part).startswith("function-"))
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    if problem["type"] == "missing":
        return f"{place.says(where, _must_be_given(where, model))}{more}"
    if problem["type"] == "extra_forbidden":
        return _unknown_key(where, place, model) + more
    came = problem.get("input")
    message, got = _plain(problem["msg"]), "" if isinstance(came, dict | BaseModel) else clipped(repr(came))
    return place.says(where, f"{message}{got and ', got ' + got}") + more


_PLAIN = (
    (r"^Value error, ", ""),
    (r"^Input should be", "must be"),
    ("greater than or equal to", "at least"),
    ("less than or equal to", "at most"),
    ("greater than", "above"),
    ("less than", "below"),
    (r"a valid dictionary( or instance of \w+)?", "a table of keys"),
    (r"a valid tuple", "a list"),
    (r"^Tuple should have (.*) items? after validation.*", r"must have \1 in its list"),
    (r"a valid (number|integer|boolean|string)(, .*)?$", lambda found: _TYPES[found[1]]),
)
_TYPES = {"number": "a number", "integer": "a whole number", "boolean": "true or false", "string": "a text in quotes"}


def _plain(message):
    """A message of pydantic in the words of this package."""
    for pattern, words in _PLAIN:
        message = re.sub(pattern, words, message)
    return message


def _must_be_given(where, model):
    """Message on a key that is left out; a section is a table."""
    field = _known_keys(model, where[:-1]).get(str(where[-1]))
    section = field is not None and section_in(field.annotation) is field.annotation
    return "must be given" + (f", a table [{where[-1]}]" if section else "")


def _unknown_key(where, place, model):
    """Message on a key that is not known: its new name, the kind of scenario that has it, or the keys there are."""
    source, full = place.named(where)
    key, known = str(where[-1]), sorted(_known_keys(model, where[:-1]))
    said = f"unknown key {full} ({source})"
    if RENAMED.get(key) in known:
        return f"{said}: it is called {RENAMED[key]} now"
    kinds = [kind for kind, other in KINDS.items() if len(where) == 1 and key in other.keys.model_fields]
    if kinds and model is KINDS[VEHICLE].keys:
        return f"{said}: add kind = {' or '.join(map(repr, kinds))} at the top of the file for it"
    close = difflib.get_close_matches(key, known, n=1)
    hint = f", did you mean {close[0]}? Known here" if close else "; known here"
    return f"{said}{hint}: {', '.join(known)}"


def _known_keys(model, where):
    """Names of the fields of the section that where leads to."""
    for part in where:
        field = model.model_fields.get(str(part))
        model = section_in(field.annotation) or model if field else model
    return model.model_fields
