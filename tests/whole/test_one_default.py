"""An option has one default and one meaning, whichever door it is set at: commands, calls of `fw`, scenario keys."""

import inspect
from collections import defaultdict
from dataclasses import MISSING, fields, is_dataclass
from typing import get_type_hints

import flexwheel as fw
from flexwheel.base.command import COMMANDS
from flexwheel.base.kind import KINDS
from flexwheel.contact.contact_tables import RANGES, ContactOptions
from flexwheel.contact.friction.coefficient import FRICTION
from flexwheel.run.keys.contact_keys import ContactSection
from flexwheel.run.keys.section import section_in
from flexwheel.systems.reduced.simplified_model import ContactZones

OWN = {
    "speed_kmh": "contact stands still unless told, linear has the scenario's, as a run",
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
    "view": "one picture's file of a mesh, whether to draw all pictures of a run",
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


OF_KEYS = {
    "accept": "repeated option, list of a scenario", "ignore": "repeated option, list of a scenario",
    "count": "vehicles of a train; modes printed", "depth_mm": "of a flat; worn off by a step of wear",
    "exact_below_hz": "reduce passes on what is given; the reduction has the key's 1300 Hz",
    "inclination": "of the real-time core's plain rail 0; a list or a ratio in commands",
    "lateral": "whether the track is rough across; a share of the load in EN 13103",
    "mass_kg": "of rail that moves with a wheel; on the journals of an axle, unless a run has its loads",
    "modes_up_to_hz": "see above; a response goes beyond a run's frequencies",
    "name": "of a control node; of an example", "parts": "files of a train; whether tables show parts",
    "normal": "contact has time for the half space, a run has not",
    "poissons_ratio": "of the contact; None takes the mesh file's", "youngs_modulus_pa": "see poissons_ratio",
    "radius_m": "of a curve; of a wheel", "rail": "a section with its mass; a profile",
    "smoothing_mm": "see above", "unit": "see above", "file": "of a vehicle; of training data",
    "speed_kmh": "of a run; contact stands still unless told", "strips": "of a patch in every step; of one creep force",
}  # fmt: skip
"""Options with another default than the scenario key of their name, and why."""


def defaults_of_keys(section, path):
    """(name, default, path) of the keys of a section and of those within it."""
    for name, field in section.model_fields.items():
        inner = section_in(field.annotation)
        if inner:
            yield from defaults_of_keys(inner, f"{path}.{name}")
        elif not field.is_required():
            yield name, field.default, f"{path}.{name}"


def test_options_have_the_defaults_of_the_keys_of_their_names():
    keys = defaultdict(set)
    for kind in KINDS.values():
        for name, default, _ in defaults_of_keys(kind.keys, kind.name):
            keys[name].add(repr(default))
    options = defaultdict(set)
    for name, default, _ in declared():
        options[name].add(repr(default))
    shared = keys.keys() & options.keys()
    assert len(shared) > 25
    other = {name: (keys[name], options[name]) for name in shared if keys[name] != options[name]}
    assert set(other) == set(OF_KEYS), {name: other.get(name) for name in set(other) ^ set(OF_KEYS)}


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
