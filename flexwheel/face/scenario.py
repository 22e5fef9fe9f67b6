"""Scenario of the face: read, checked, changed, shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from flexwheel.assess.figures.notebook_pages import html_table
from flexwheel.base.errors import ScenarioError, UnknownKeyError
from flexwheel.base.input_files import clipped
from flexwheel.base.kind import KINDS
from flexwheel.base.shipped import EXAMPLES
from flexwheel.face.display import Displayed
from flexwheel.face.kept import plain
from flexwheel.face.track import Track
from flexwheel.face.vehicle import Vehicle
from flexwheel.face.vehicle_body import VehicleBody
from flexwheel.face.wheelset import Wheelset
from flexwheel.run.keys.changed_vehicle import source_of_run
from flexwheel.run.keys.idle_keys import idle_lines
from flexwheel.run.keys.reader import ScenarioSource, read_scenario_source
from flexwheel.run.keys.toml_text import scenario_toml, toml_text, toml_value


@dataclass(frozen=True, repr=False, eq=False)
class Scenario(Displayed):
    """A scenario of any kind, read and checked; it never changes, `changed` gives another one.

    Example
    -------
    >>> scenario = fw.Scenario.example("as4_curve", {"run.speed_kmh": 60.0})
    >>> scenario["run.speed_kmh"], scenario.kind
    (60.0, 'vehicle')
    """

    source: ScenarioSource  # of the reader: values, text, file, what was changed

    def __post_init__(self):
        if not isinstance(self.source, ScenarioSource):
            raise ScenarioError(
                "a Scenario must be made by Scenario.read(file), Scenario.example(name) or Scenario.of(tables), got "
                f"Scenario({clipped(repr(self.source))})"
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.toml() == other.toml()

    def __hash__(self) -> int:
        return hash(self.toml())

    def __reduce__(self):
        return _read_again, (self.source.text, self.source.path, self.source.overrides)

    @classmethod
    def read(cls, path: str | Path, changes: Mapping[str, Any] | None = None) -> Scenario:
        """Scenario of a TOML file.

        Parameters
        ----------
        path : str or Path
        changes : dict      as of `changed`

        Raises
        ------
        ScenarioError       naming file, line, key, what came and what was expected

        Example
        -------
        >>> fw.Scenario.read("examples/as4_curve.toml").check()
        ()
        """
        return cls(read_scenario_source(path)).changed(changes or {})

    @classmethod
    def example(cls, name: str, changes: Mapping[str, Any] | None = None) -> Scenario:
        """Scenario of a shipped example: `flexwheel examples` lists them.

        Example
        -------
        >>> fw.Scenario.example("manchester_s_curve").vehicle.name
        'Manchester benchmark vehicle 1 (passenger coach)'
        """
        path = EXAMPLES / f"{name}.toml"
        if not path.is_file():
            known = ", ".join(sorted(file.stem for file in EXAMPLES.glob("*.toml")))
            raise ScenarioError(f"an example must be one of {known}, got {name!r}")
        return cls.read(path, changes)

    @classmethod
    def of(cls, tables: Mapping[str, Any]) -> Scenario:
        """Scenario of nested tables, as a file would have them; files are looked for in the working folder.

        Example
        -------
        >>> fw.Scenario.of({"run": {"duration_s": 2.0}, "track": {"model": "rigid"}})["track.model"]
        'rigid'
        """
        if not isinstance(tables, Mapping):
            raise ScenarioError(
                f"tables must be a dict of sections, got {clipped(repr(tables))}; Scenario.read reads a file, "
                "Scenario.example a shipped example"
            )
        path = Path.cwd() / "scenario.toml"
        return cls(source_of_run(toml_text(plain(tables)), path, ()))

    def changed(self, changes: Mapping[str, Any]) -> Scenario:
        """The scenario with other values.

        Parameters
        ----------
        changes : dict      key with dots -> value: numbers, words, lists, tables, or a Vehicle (of "vehicle"), Wheelset
                            (of "wheelset.NAME"), VehicleBody (of "body.NAME"), or Track (of "track"); keys of the
                            vehicle's own file after "vehicle."

        Example
        -------
        >>> slow = scenario.changed({"run.speed_kmh": 40.0, "vehicle.bodies.car_body.mass_kg": 30e3})
        """
        if not isinstance(changes, Mapping):
            raise ScenarioError(f"changes must be a dict of keys and values, got {clipped(repr(changes))}")
        told = [f"{key}={toml_value(value)}" for key, value in plain(changes).items()]
        return Scenario(source_of_run(self.source.text, self.source.path, (*self.source.overrides, *told)))

    def __getitem__(self, key: str) -> Any:
        """Value of a key with dots, defaults included.

        Example
        -------
        >>> scenario["track.layout.2.radius_m"]
        300.0
        """
        value = self.source.scenario
        for part in str(key).split("."):
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, tuple) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            elif part in getattr(type(value), "model_fields", {}):
                value = getattr(value, part)
            else:
                fields = getattr(type(value), "model_fields", value if isinstance(value, dict) else ())
                raise UnknownKeyError(f"{key}: no {part!r}; known here: {', '.join(map(str, fields)) or 'nothing'}")
        return value

    @property
    def kind(self) -> str:
        """vehicle, realtime, train or reduced.

        Example
        -------
        >>> fw.Scenario.example("train_2").kind
        'train'
        """
        return str(self["kind"])

    @cached_property
    def vehicle(self) -> Vehicle:
        """The vehicle of a scenario of kind vehicle or reduced.

        Example
        -------
        >>> scenario.vehicle.mass_kg
        """
        return Vehicle.read(self["vehicle.file"])

    @cached_property
    def track(self) -> Track:
        """The track of a scenario of kind vehicle or reduced.

        Example
        -------
        >>> scenario.track.length_m
        1310.0
        """
        return Track(self["track"])

    @cached_property
    def wheelsets(self) -> dict[str, Wheelset]:
        """Flexible wheelsets by name.

        Example
        -------
        >>> scenario.wheelsets["front"].frequencies_hz[:3]
        """
        sections = self["wheelset"].items()
        return {name: Wheelset(part, name) for name, part in sections if part.formulation == "flexible"}

    @cached_property
    def bodies(self) -> dict[str, VehicleBody]:
        """Flexible bodies that are no wheelsets, by name.

        Example
        -------
        >>> scenario.bodies["car_body"].frequencies_hz[:3]
        """
        return {name: VehicleBody(part) for name, part in self["body"].items()}

    def check(self) -> tuple[str, ...]:
        """Look at everything a run would read; returns what is doubtful, raises what is wrong (as `flexwheel check`).

        Example
        -------
        >>> fw.Scenario.example("as4_curve").check()
        ()
        """
        return (*idle_lines(self.source.scenario), *KINDS[self.kind].check(self.source))

    def toml(self) -> str:
        """Every key that is read, with its value, as TOML text that reads back to the same run.

        Example
        -------
        >>> Path("resolved.toml").write_text(scenario.toml())
        """
        return scenario_toml(self.source.scenario)

    def _head(self):
        return self.source.path.name, f"kind {self.kind}, {len(self.source.overrides)} changed"

    def _parts(self):
        given = self.source.scenario.model_fields_set - {"assumed"}
        rows = [row for key, value in self.source.scenario if key in given for row in _rows(key, value)]
        return [html_table(("key", "value"), rows)]


def _read_again(text: str, path: Path, overrides: tuple[str, ...]) -> Scenario:
    return Scenario(source_of_run(text, path, overrides))


def _rows(name: str, value: Any) -> list[tuple[str, str]]:
    """(key, value) of what was given within a section; of an absolute path its name alone."""
    fields = getattr(value, "model_fields_set", None)
    if fields is not None:
        return [row for key, inner in value if key in fields for row in _rows(f"{name}.{key}", inner)]
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in _rows(f"{name}.{key}", inner)]
    if isinstance(value, tuple) and value and hasattr(value[0], "model_fields_set"):
        return [row for number, inner in enumerate(value) for row in _rows(f"{name}.{number}", inner)]
    if isinstance(value, str) and Path(value).is_absolute():
        value = Path(value).name
    return [(name, str(list(value) if isinstance(value, tuple) else value))]
