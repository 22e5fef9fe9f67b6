"""`--set section.key=value`: one value put into the tables of a scenario before they are checked."""

import tomllib
from types import NoneType
from typing import Literal, get_args, get_origin

from pydantic import BaseModel

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped


def apply_override(data: dict, override: str, model: type[BaseModel]) -> None:
    """Put a value into tables.

    Parameters
    ----------
    data : dict         changed in place
    override : str      "section.key=value"; the value is TOML. A bare word is text, and where the key takes nothing
                        but text, so is all that is not in quotes (60E1 is a profile, not a number)
    model : type        the keys

    Raises
    ------
    ScenarioError       no key or no value, a path through something that is no table, more than one value
    """
    key, equals, text = override.partition("=")
    parts = [part.strip() for part in key.split(".")]
    if not equals or not all(parts):
        raise ScenarioError(f"--set must be section.key=value, e.g. run.speed_kmh=100, got {clipped(override)}")
    value = override_value(text, takes_only_text(model, parts), override)
    table = data
    for part in parts[:-1]:
        table = _list_item(table, part, override) if isinstance(table, list) else table.setdefault(part, {})
        if not isinstance(table, dict | list):
            raise ScenarioError(f"--set {clipped(override)}: {part} is a value, not a section")
    if isinstance(table, list):
        _list_item(table, parts[-1], override)
        table[int(parts[-1])] = value
        return
    if parts in (["run", "duration_s"], ["run", "end_position_m"]):
        table.pop("duration_s", None), table.pop("end_position_m", None)  # either one ends the run
    table[parts[-1]] = value


def override_value(text: str, only_text: bool, override: str):
    """Value of the text after the equals sign."""
    text = text.strip()
    try:
        read = tomllib.loads(f"value = {text}")
    except RecursionError:
        raise ScenarioError(f"--set {clipped(override)}: nested too deep") from None
    except ValueError:  # a bare word, or a number of too many digits, which then is no number
        return text
    if len(read) != 1:
        raise ScenarioError(f"--set must be one value, got {clipped(' '.join(override.split()))}")
    return text if only_text and not isinstance(read["value"], str) else read["value"]


def takes_only_text(model: type[BaseModel], parts) -> bool:
    """Whether the key that parts lead to, from the top of a model, is declared as text or words and nothing else."""
    kind = model
    for part in parts:
        kind = _inner(kind, part)
    kinds = [item for item in _members(kind) if item is not NoneType]
    return bool(kinds) and all(
        item is str or get_origin(item) is Literal and all(isinstance(word, str) for word in get_args(item))
        for item in kinds
    )


def _inner(kind, part):
    """Type one step further in: a field of a section, an item of a table or a list; None where there is none."""
    for item in _members(kind):
        if isinstance(item, type) and issubclass(item, BaseModel):
            if part in item.model_fields:
                return item.model_fields[part].annotation
        elif get_origin(item) is dict:
            return get_args(item)[1]
        elif get_origin(item) in (tuple, list) and get_args(item):
            return get_args(item)[0]
    return None


def _members(kind):
    if kind is None:
        return []
    if hasattr(kind, "__metadata__"):
        return _members(kind.__origin__)
    if get_origin(kind) in (Literal, dict, tuple, list) or isinstance(kind, type) and not get_args(kind):
        return [kind]
    return [member for item in get_args(kind) for member in _members(item)]


def _list_item(items, part, override):
    if not part.isdecimal() or int(part) >= len(items):
        raise ScenarioError(f"--set {clipped(override)}: {part} must be an index from 0 to {len(items) - 1}")
    return items[int(part)]
