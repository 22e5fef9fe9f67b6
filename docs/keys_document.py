"""docs/scenario.md: the reference of every key of every kind of scenario, made from their declarations."""

import types
import typing

from pydantic_core import PydanticUndefined

from flexwheel.base.kind import KINDS
from flexwheel.run.keys.idle_keys import remedy, rules_of
from flexwheel.run.keys.section import UNITS, TablesOf, section_in

HEAD = """# Scenario keys

Made by `python docs/keys_document.py > docs/scenario.md` from the declarations of the keys in
`flexwheel/run/keys/*_keys.py` and `flexwheel/systems`; a test holds it current. `flexwheel schema` writes the same as a
JSON schema for editors, `flexwheel check SCENARIO` looks at a file and all it names without running it.

A scenario is a TOML file. `kind` at its top says what it is of: {kinds}. Every key may be set on the command line as
`--set section.key=value`. File names are relative to the scenario file, then to the working folder, then to the shipped
`meshes/` and `track/`, or for vehicle files and parts of trains `flexwheel/vehicle/files/`.

The unit is the end of the key's name: {units}. Keys without such an end are pure numbers or words.

A key that nothing reads beside another one's value is refused, so that no setting is given in vain; the tables say
"only with". Where a `--set` changes that other value, keys of the file that become idle are a warning. What each key
changes in a short run: `docs/keys.md`.
"""


def scenario_document():
    """Markdown text of all kinds, sections and keys."""
    models = {kind: value.keys for kind, value in KINDS.items()}
    kinds = ", ".join(f"`{kind}` ({_default_doc(model)})" for kind, model in models.items())
    units = ", ".join(f"`_{end}` {unit}" for end, unit in UNITS.items())
    lines = [HEAD.format(kinds=kinds, units=units).rstrip(), ""]
    first = models[KINDS.default]
    for kind, model in models.items():
        lines += [f'# `kind = "{kind}"`', "", _one_line(model.__doc__), ""]
        shared = first if issubclass(model, first) and model is not first else None
        if shared:
            lines += [f'All sections of `kind = "{KINDS.default}"`, and:', ""]
        _section(model, model, (), lines, set(shared.model_fields) - {"kind"} if shared else ())
    return "\n".join(lines).rstrip() + "\n"


def _default_doc(model):
    return model.model_fields["kind"].description


def _section(root, model, path, lines, without=()):
    """One table of the plain keys of a section, then its subsections."""
    fields = {name: field for name, field in model.model_fields.items() if name not in without}
    inner = {name: found for name, field in fields.items() if (found := _sections_in(field))}
    plain = {name: field for name, field in fields.items() if name not in inner}
    if path:
        lines += [f"## `[{'.'.join(path)}]`", "", _one_line(model.__doc__), ""]
    if plain:
        lines += ["| key | values | default | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{name}` | {_kind(field.annotation, field.metadata)} | {_default(field)} | "
            f"{field.description or ''}{_only(root, model, path, name)} |"
            for name, field in plain.items()
        ]
        lines.append("")
    for name, found in inner.items():
        many = str(fields[name].annotation).startswith("dict")
        for section in found:
            _section(root, section, (*path, name, "NAME") if many else (*path, name), lines)


def _sections_in(field):
    """Sections that a field holds: its own, or those of which it is a table."""
    for item in field.metadata:
        if isinstance(item, TablesOf):
            return item.sections
    found = section_in(field.annotation)
    return (found,) if found else ()


def _only(root, model, path, name):
    """Beside what a key is read, where the kind of scenario has the key that decides."""
    words = []
    for rule in rules_of(model, name):
        decides = ".".join(path) + rule.decides if rule.decides.startswith(".") else rule.decides
        if not rule.decides.startswith(".") and decides.split(".")[0] not in root.model_fields:
            continue
        if callable(rule.read) or None in rule.read:
            words.append(f"where it acts: {remedy(rule, decides)}")
        else:
            words.append(f"with `{decides.strip('.')}` = {' or '.join(f'`{word}`' for word in rule.read)}")
    return f"; only {' and '.join(words)}" if words else ""


def _one_line(text):
    return " ".join((text or "").split())


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
    if value is None or value == "":
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else repr(value)}`"


if __name__ == "__main__":
    print(scenario_document(), end="")
