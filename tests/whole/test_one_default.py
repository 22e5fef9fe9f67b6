"""An option has one default and one meaning, whichever door it is set at: commands, calls of `fw`, scenario keys."""

import inspect
from collections import defaultdict
from dataclasses import MISSING, fields, is_dataclass
from typing import get_type_hints

import flexwheel as fw
from flexwheel.base.command import COMMANDS
from flexwheel.contact.contact_tables import RANGES, ContactOptions
from flexwheel.contact.friction.coefficient import FRICTION
from flexwheel.run.keys.contact_keys import ContactSection
from flexwheel.systems.reduced.simplified_model import ContactZones

OWN = {
    "load_kn": "creep is one patch of given load, contact a loaded wheelset",
    "mu": "creep without it is the linear law, unbounded",
    "inclination": "a list of rails to compare in detection-compare, one rail elsewhere",
    "side": "contact loads both wheels; a strength calculation takes one",
    "roll_mrad": "contact solves the roll; detection-train samples up to it",
    "yaw_mrad": "contact stands in it; detection-train samples up to it",
    "modes_up_to_hz": "reduce counts modes where none is given",
    "resume": "a folder on the command line, whether to go on beside `out` in Python",
    "smoothing_mm": "a worn profile that was computed is smoothed, a file is taken as it is",
    "speeds_kmh": "text of low:high:step on the command line, the same numbers in Python",
    "step_hz": "sensitivity compares third octaves of many runs",
    "steps": "the number to time, and the number of table rows",
    "top": "rows to print, of different tables",
    "unit": "profiles come in mm, meshes in m",
}
"""Options of one name and several defaults, and why: they mean or suit different things."""


def declared():
    """(name, default, where) of the options of commands, their groups, and calls."""
    for name, command in COMMANDS.items():
        hints = get_type_hints(command.function, include_extras=True)
        for key, parameter in inspect.signature(command.function).parameters.items():
            if is_dataclass(hints.get(key)):
                own = [(f.name, f.default) for f in fields(hints[key]) if f.default is not MISSING]
            else:
                own = [] if parameter.default is parameter.empty else [(key, parameter.default)]
            yield from ((option, default, f"flexwheel {name}") for option, default in own)
    for name in (n for n in dir(fw) if not n.startswith("_")):
        if not callable(getattr(fw, name)) or inspect.isclass(getattr(fw, name)):
            continue
        for key, parameter in inspect.signature(getattr(fw, name)).parameters.items():
            if parameter.default is not parameter.empty:
                yield key, parameter.default, f"fw.{name}"


def test_options_of_one_name_have_one_default():
    found = defaultdict(lambda: defaultdict(list))
    for name, default, where in declared():
        found[name][repr(default)].append(where)
    assert len(found) > 100
    several = {name: dict(defaults) for name, defaults in found.items() if len(defaults) > 1}
    assert set(several) == set(OWN), {name: several.get(name) for name in set(several) ^ set(OWN)}


def test_friction_has_one_default_and_one_range():
    (least,), (most,) = ([getattr(m, k) for m in ContactSection.model_fields["friction"].metadata if hasattr(m, k)]
                         for k in ("ge", "le"))  # fmt: skip
    defaults = {name: default for option, default, name in declared() if option == "mu" and default is not None}
    defaults |= {"scenario": ContactSection().friction, "tables": ContactOptions().friction}
    defaults["simplified model"] = ContactZones.__dataclass_fields__["friction"].default
    assert set(defaults) >= {"flexwheel contact", "scenario", "tables"}
    assert set(defaults.values()) == {FRICTION.default}, defaults
    assert (least, most) == RANGES["friction"] == (FRICTION.low, FRICTION.high)
