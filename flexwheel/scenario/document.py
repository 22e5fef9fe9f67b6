"""The reference of all scenario keys as Markdown, made from the keys themselves."""

from __future__ import annotations

import sys
import types
import typing

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from flexwheel.scenario.idle_keys import RULES
from flexwheel.scenario.realtime_keys import RealtimeKeys
from flexwheel.scenario.reduced_keys import ReducedSection
from flexwheel.scenario.vehicle_keys import Scenario

HEAD = """# Scenario keys

Made by `python -m flexwheel.scenario.document > docs/scenario.md` from `flexwheel/scenario/vehicle_keys.py`; a test
holds it current.

A scenario is a TOML file. Every key may be set on the command line as `--set section.key=value`. The unit is the end
of the key's name: `_m` metre, `_s` second, `_kmh`, `_n_m` N/m, `_ns_m` N s/m, `_nm_rad` N m/rad, `_pa` pascal. File
names are relative to the scenario file, then to the working folder, then to the shipped `meshes/` and `track/`.

A key that nothing reads beside another one's value is refused, so that no setting is given in vain; the tables say
"only with". Where a `--set` changes that other value, keys of the file that become idle are a warning. What each key
changes in a short run: `docs/keys.md`.
"""


def scenario_document():
    """Markdown text of all sections and keys."""
    lines = [HEAD.rstrip(), ""]
    _section(Scenario, (), lines)
    return "\n".join(lines).rstrip() + "\n"


def key_tables(model, path=()):
    """Markdown tables of the keys of a section and of those in it, for a page that has its own headings."""
    lines = []
    _section(model, path, lines)
    return "\n".join(f"#{line}" if line.startswith("## ") else line for line in lines).rstrip() + "\n"


def _only(path):
    """What a key is read beside, of the rules that name words."""
    words = []
    for rule in RULES:
        if callable(rule.read) or None in rule.read or "*" in rule.decides:
            continue
        if any(path[: len(key)] == key for key in (tuple(k.split(".")) for k in rule.keys)):
            words.append(f"`{rule.decides}` = {' or '.join(f'`{word}`' for word in rule.read)}")
    return f"; only with {' and '.join(words)}" if words else ""


def _section(model, path, lines):
    """One table of the plain keys of a section, then its subsections."""
    plain, inner = [], []
    for name, field in model.model_fields.items():
        found = _model_in(field.annotation)
        (plain if found is None else inner).append((name, field, found))
    if path:
        lines += [f"## `[{'.'.join(path)}]`", "", _one_line(model.__doc__), ""]
    if plain:
        lines += ["| key | values | default | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{name}` | {_values(field)} | {_default(field)} | {field.description or ''}{_only((*path, name))} |"
            for name, field, _ in plain
        ]
        lines.append("")
    for name, field, found in inner:
        text = str(field.annotation)
        if text.startswith("dict"):
            _section(found, (*path, name, "NAME"), lines)
        elif text.startswith("tuple"):
            _section(found, (*path, f"{name}"), lines)
        else:
            _section(found, (*path, name), lines)


def _model_in(annotation):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in typing.get_args(annotation):
        found = _model_in(argument)
        if found is not None:
            return found
    return None


def _one_line(text):
    return " ".join((text or "").split())


def _values(field):
    return _kind(field.annotation, field.metadata)


def _kind(annotation, metadata=()):
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return ", ".join(f"`{value}`" for value in typing.get_args(annotation))
    if origin is typing.Annotated:
        inner, *rest = typing.get_args(annotation)
        return _kind(inner, [*rest, *metadata])
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_kind(part, metadata) for part in typing.get_args(annotation) if part is not type(None))
    if origin in (tuple, list):
        parts = [part for part in typing.get_args(annotation) if part is not Ellipsis]
        return "list of " + ", ".join(_kind(part) for part in parts)
    if origin is dict:
        return f"table of {_kind(typing.get_args(annotation)[1])}s"
    name = {float: "number", int: "whole number", str: "word", bool: "true, false"}.get(annotation, str(annotation))
    return " ".join([name, *_limits(metadata)])


def _limits(metadata):
    """The closest lower and the closest upper limit."""
    lower, upper = [], []
    for item in metadata:
        for part in getattr(item, "metadata", None) or [item]:
            for key, sign, found in (("gt", ">", lower), ("ge", ">=", lower), ("lt", "<", upper), ("le", "<=", upper)):
                value = getattr(part, key, None)
                if value is not None:
                    found.append((value, sign))
    return [f"{sign} {value:g}" for value, sign in [*sorted(lower)[-1:], *sorted(upper)[:1]]]


def _default(field):
    if field.default is PydanticUndefined:
        return "required"
    value = field.default
    if value is None:
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value!r}`" if value != "" else ""


if __name__ == "__main__":
    others = {"realtime": (RealtimeKeys, ()), "reduced": (ReducedSection, ("reduced",))}
    print(key_tables(*others[sys.argv[1]]) if len(sys.argv) > 1 else scenario_document(), end="")
