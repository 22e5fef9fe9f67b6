"""Objects that Python makes, as the tables of a scenario and the files it names: they are kept in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flexwheel.base.errors import ScenarioError
from flexwheel.run.keys.changed_vehicle import kept

FOLDER = "from_python"


def plain(value: Any) -> Any:
    """A value as TOML has it; objects of the face as their tables."""
    if hasattr(value, "table"):
        return plain(value.table())
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        beside = {key: inner for one in value.values() for key, inner in getattr(one, "beside", {}).items()}
        for key in beside.keys() & {str(key).partition(".")[0] for key in value}:
            raise ScenarioError(f"{key}: given by an object beside it too; give one of them")
        return {key: plain(inner) for key, inner in {**beside, **value}.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, Path) else value


def kept_file(name: str, suffix: str, text: str) -> str:
    """Path of a file of the cache with this text; the same text is the same file."""
    letters = "".join(letter if letter.isalnum() else "_" for letter in name)[:40]
    return str(kept(FOLDER, letters, suffix, text))
