"""Look at everything a run would read, without running or reducing anything."""

from dataclasses import dataclass

from flexwheel.base.kind import KINDS
from flexwheel.run.keys.idle_keys import idle_lines
from flexwheel.run.keys.reader import ScenarioSource, read_scenario_source
from flexwheel.run.keys.section import NamesFile, Section


@dataclass(frozen=True)
class Checked:
    """A scenario in which nothing was found wrong."""

    source: ScenarioSource
    files: tuple[str, ...]  # that its keys name
    warnings: tuple[str, ...]


def check_scenario(path, overrides=()) -> Checked:
    """Check a scenario of any kind and all files it names: profiles, tables, vehicle, track, parts of trains, meshes.

    Parameters
    ----------
    path : str or Path
    overrides : sequence of str     "section.key=value"

    Raises
    ------
    ScenarioError, MeshError        one line: file, line where it is known, key, what came, what was expected
    """
    source = read_scenario_source(path, overrides)
    warnings = KINDS[source.scenario.kind].check(source)
    return Checked(source, tuple(named_files(source.scenario)), (*idle_lines(source.scenario), *warnings))


def named_files(section):
    """Names of the files that the keys of a section and of those in it name."""
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if any(isinstance(item, NamesFile) for item in field.metadata) and value:
            yield from (value,) if isinstance(value, str) else value
        items = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        for item in items:
            if isinstance(item, Section):
                yield from named_files(item)
