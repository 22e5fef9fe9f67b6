"""Groups of options: a command takes frozen dataclasses of options, and typer sees their fields as its options."""

import functools
import inspect
from dataclasses import MISSING, fields, is_dataclass
from typing import get_type_hints


def spread(command):
    """The command with every parameter that is a dataclass replaced by its fields, in their order.

    Fields are declared as parameters of a command are, `name: Annotated[type, typer.Option(...)] = default`. The
    command is called with the groups made of what it was given; one without groups comes back as it is.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    if not groups:
        return command
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        parameters += _options(groups[name]) if name in groups else [_option(name, hints[name], parameter.default)]

    @functools.wraps(command)
    def spread_command(**given):
        made = {name: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for name, kind in groups.items()}
        return command(**made, **given)

    spread_command.__signature__ = inspect.Signature(parameters)
    spread_command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return spread_command


def _options(group):
    """Parameters of the fields of a group."""
    hints = get_type_hints(group, include_extras=True)
    return [_option(f.name, hints[f.name], f.default) for f in fields(group)]


def _option(name, hint, default):
    empty = inspect.Parameter.empty if default is MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=empty, annotation=hint)
