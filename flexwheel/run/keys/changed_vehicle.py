"""A scenario in which keys of the vehicle's own file are changed too, by overrides that begin with `vehicle.`."""

import difflib
from functools import lru_cache
from pathlib import Path

from flexwheel.base.cache_root import NotOwnError, cache_root, own_folder
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import digest, read_toml
from flexwheel.base.output_files import output_folder, write_whole
from flexwheel.run.keys.overrides import apply_override
from flexwheel.run.keys.reader import ScenarioSource, scenario_source
from flexwheel.run.keys.section import Section
from flexwheel.run.keys.toml_text import toml_text, toml_value
from flexwheel.vehicle.vehicle_file import read_vehicle

OF_VEHICLE = "vehicle."
"""How keys of the vehicle's own file begin; `vehicle.file` is one of the scenario."""
FOLDER = "study_vehicles"


def split(overrides):
    """Those of the scenario, and (key, override) of the vehicle's file."""
    scenario, vehicle = [], []
    for override in overrides:
        key = override.partition("=")[0].strip()
        if key.startswith(OF_VEHICLE) and key != "vehicle.file":
            vehicle.append((key.removeprefix(OF_VEHICLE), override))
        else:
            scenario.append(override)
    return scenario, vehicle


def contents(path):
    """Digest of a file; it is read again where it has changed."""
    try:
        seen = Path(path).stat()
    except (OSError, ValueError):
        return ""
    return _digest_of(str(path), seen.st_mtime_ns, seen.st_size) if Path(path).is_file() else ""


@lru_cache(maxsize=1000)
def _digest_of(path, _changed, _size):
    return digest(Path(path).read_bytes())


def source_of_run(text, path, overrides) -> ScenarioSource:
    """Scenario of a run. Where keys of the vehicle's file are changed, a changed copy of it stands in the cache."""
    path, (scenario, vehicle) = Path(path), split(overrides)
    source = scenario_source(text, path, scenario)
    if not vehicle:
        return source
    if not hasattr(getattr(source.scenario, "vehicle", None), "file"):
        raise ScenarioError(f"{vehicle[0][1]}: a scenario of kind {source.scenario.kind!r} names no vehicle's file")
    place = _changed_vehicle(
        source.scenario.vehicle.file, tuple(vehicle), contents(read_vehicle(source.scenario.vehicle.file).path)
    )
    return scenario_source(text, path, [*scenario, f"vehicle.file={toml_value(place)}"])


@lru_cache(maxsize=1000)
def _changed_vehicle(file, changes, _contents):
    """Path of a vehicle file with (key, override) put in, named by its contents."""
    path = Path(read_vehicle(file).path)
    data = read_toml(path, "a vehicle in TOML")
    for key, override in changes:
        _put(data, key, override, path)
    changed = kept(FOLDER, path.stem, ".toml", toml_text(data))
    read_vehicle(changed)
    return str(changed)


def kept(folder, name, suffix, text):
    """Path of a text in a folder of the cache, named by `name` and what it holds; written if it is not there."""
    path = _own_output_folder(cache_root() / folder) / f"{name}-{digest(text)[:20]}{suffix}"
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_whole(path, lambda target: target.write_text(text, encoding="utf-8"))
    return path


def _own_output_folder(path):
    """As `output_folder`, in the cache and this user's alone."""
    try:
        own_folder(path, named_by_us=True)
    except NotOwnError as error:
        raise ScenarioError(f"{error}; set FLEXWHEEL_CACHE to a folder that only you can write") from None
    except OSError:
        pass  # the next one says it
    return output_folder(path)


def _put(data, key, override, path):
    """Put the value of "key=value" in the tables of a vehicle file; a labelled value keeps its label."""
    *where, last = key.split(".")
    table = data
    for part in where:
        if not isinstance(table.get(part), dict):
            raise ScenarioError(f"{override}: {path} has no table {part!r}; it has {', '.join(map(str, table))}")
        table = table[part]
    if last not in table:
        close = difflib.get_close_matches(last, table, n=1)
        hint = f", did you mean {close[0]}?" if close else ""
        raise ScenarioError(f"{override}: {path} has no key {key!r}{hint} It has there {', '.join(map(str, table))}")
    labelled = isinstance(table[last], dict) and "value" in table[last]
    changed = {}
    apply_override(changed, f"value={override.partition('=')[2]}", Section)
    table[last] = {**table[last], **changed} if labelled else changed["value"]
