"""Keys that nothing reads beside another key's value, such as a window's margin on a full-length track.

A table names them, each with the key that decides and the values beside which it is read. A key that a user gives in
vain is refused; only where an override (`--set track.model=rigid`) made it idle is it a warning, so that a file need
not be stripped to try a variant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from flexwheel.errors import ScenarioError
from flexwheel.profiles.chosen_profile import is_shipped
from flexwheel.scenario.vehicle_keys import WheelsetSection
from flexwheel.track.rail_models import RAIL_MODELS


@dataclass(frozen=True)
class Rule:
    """Keys that are read only where another one has one of some values.

    Attributes
    ----------
    keys : tuple of str      dotted; `*` stands for any name, the same in `decides`; a section stands for all in it
    decides : str            key that decides, likewise
    read : tuple or callable its values beside which the keys are read, or a test of the value
    remedy : str             what to set it to; made from `read` where that is a tuple
    """

    keys: tuple[str, ...]
    decides: str
    read: tuple | Callable
    remedy: str = ""


def _given(value):
    return value is not None


def _has_joint(layout):
    """Whether the curvature jumps somewhere, as `build.track.with_joints` sees it."""
    value = [(1.0 / s.radius_m, s.cant_mm or 0.0) if s.kind == "arc" else (0.0, 0.0) for s in layout]
    return any(
        a.kind != "transition" and b.kind != "transition" and va[0] != vb[0]
        for a, b, va, vb in zip(layout[:-1], layout[1:], value[:-1], value[1:], strict=True)
    )


IMPLICIT = ("newmark", "park")
SPECTRUM = ("irregularity.spectrum", "irregularity.level", "irregularity.track_class")
LONG_WAVES = ("irregularity.longest_wave_m", "irregularity.shortest_wave_m")
HOLD = (
    "gain_notch_per_m_s", "reset_per_s", "max_notch", "max_brake_notch", "notch_per_s", "whole_notches",
    "air_brake_above_kmh", "air_brake", "speed_kmh",
)  # fmt: skip
FLEXIBLE_WHEELSET = tuple(name for name in WheelsetSection.model_fields if name != "formulation")


def _in(section, names):
    return tuple(f"{section}.{name}" for name in names)


def _rail_rules():
    """Rules of the keys of [track] that not every rail model reads, as the rail models declare them."""
    keys = dict.fromkeys(key for model in RAIL_MODELS.values() for key in model.reads)
    return tuple(
        Rule((f"track.{key}",), "track.model", tuple(name for name, m in RAIL_MODELS.items() if key in m.reads))
        for key in keys
    )


def _driving_rules(section):
    """Rules of the keys of a driver, in a train scenario and in a [train] section."""
    schedule = _in(section, ("at", "notch", "speed_kmh"))
    return (
        Rule(_in(section, HOLD), f"{section}.mode", ("hold_speed",)),
        Rule(_in(section, ("notch", "brake_at", "brake")), f"{section}.mode", ("by_time", "by_distance")),
        Rule(schedule, f"{section}.file", (None,), f"leave {section}.file out"),
    )


RULES = (
    Rule(("run.newmark_beta",), "run.integrator", ("newmark",)),
    Rule(("run.contact_iterations_max", "run.contact_tolerance_n"), "run.integrator", IMPLICIT),
    Rule(("run.compare_modes",), "wheelset", lambda w: any(s.formulation == "flexible" for s in w.values()),
         "make a wheelset flexible"),
    Rule(_in("wheelset.*", FLEXIBLE_WHEELSET), "wheelset.*.formulation", ("flexible",)),
    Rule(("wheelset.*.interfaces",), "wheelset.*.interface_sets", (None,), "leave interface_sets out"),
    Rule(("track.joint_length_m",), "track.layout", _has_joint, "let an arc meet its neighbour without a transition"),
    *_rail_rules(),
    Rule(_in("track", ("window_margin_bays", "absorbing_bays", "absorbing_rate_1_s")), "track.extent", ("window",)),
    Rule(("track.absorbing_rate_1_s",), "track.absorbing_bays", lambda n: n > 0, "set track.absorbing_bays"),
    Rule(("track.foundation.mesh_unit",), "track.foundation.mesh", _given, "give track.foundation.mesh"),
    Rule(("track.foundation.lift_off",), "track.foundation.vertical.law_mm_kn", (None,),
         "leave the law out, or let it end at zero compression"),
    Rule((*SPECTRUM, *LONG_WAVES), "irregularity.file", (None,), "leave irregularity.file out"),
    Rule(LONG_WAVES, "irregularity.spectrum", ("erri_b176", "fra")),
    Rule(("irregularity.level",), "irregularity.spectrum", ("erri_b176",)),
    Rule(("irregularity.track_class",), "irregularity.spectrum", ("fra",)),
    Rule(_in("irregularity", ("roughness_shift_db", "roughness_longest_wave_m", "roughness_shortest_wave_m",
                              "contact_filter")), "irregularity.roughness", lambda name: name != "none",
         "name a table"),
    Rule(("irregularity.seed",), "irregularity", lambda i: i.spectrum != "none" and i.file is None
         or i.roughness != "none", "choose a spectrum or a roughness"),
    Rule(("irregularity.lateral",), "irregularity", lambda i: i.spectrum != "none" or i.file is not None,
         "choose a spectrum or a file"),
    Rule(("irregularity.ramp_m",), "irregularity", lambda i: i.spectrum != "none" or i.file is not None
         or i.roughness != "none", "choose a spectrum, a file or a roughness"),
    Rule(("contact.penetration",), "contact.normal", ("semi_hertzian",)),
    Rule(("contact.cells_per_strip", "contact.traction_bound"), "contact.tangential", ("fastsim",)),
    Rule(("contact.wheel_file",), "contact.wheel_profile", lambda name: not is_shipped(name, "wheel"), "name a file"),
    Rule(("contact.rail_file",), "contact.rail_profile", lambda name: not is_shipped(name, "rail"), "name a file"),
    Rule(("contact.rail_inclination",), "contact.rail_file.inclined", (None, False), "set inclined = false"),
    Rule(("drive.gain_n_s_m", "drive.integral_gain_n_m", "drive.force_max_kn"), "drive.kind",
         ("body_force", "axle_torque")),
    *_driving_rules("train.driving"),
)  # fmt: skip
"""Of a scenario of a vehicle."""
FULL_ONLY = (
    "drive", "run.step_s", "run.integrator", "run.newmark_beta",
    "run.contact_iterations_max", "run.contact_tolerance_n", "run.unconverged_share_max",
    "track.model", *(key for rule in _rail_rules() for key in rule.keys),
    *_in("contact", ("tangential", "traction_bound", "cells_per_strip", "normal_damping_ns_m")),
)  # fmt: skip
REDUCED_RULES = (
    Rule(FULL_ONLY, "reduced.full_model", (True,)),
    Rule(("drive",), "reduced.acceleration_m_s2", (0.0,)),
    Rule(("reduced.conicity",), "reduced.tread", ("conicity", "cone")),
    Rule(("reduced.conicity_amplitude_mm",), "reduced", lambda r: r.tread == "conicity" or r.conicity is None,
         "leave reduced.conicity out"),
)  # fmt: skip
"""Further ones of the simplified model, whose keys stand under `reduced`."""
REALTIME_RULES = (
    Rule(_in("track", ("wavelength_m", "phase_right_deg", "irregularity_start_m", "irregularity_ramp_m")),
         "track.amplitude_mm", lambda mm: mm != 0.0, "set an amplitude"),
    Rule(("track.tilt_with_cross_level",), "track", lambda t: t.amplitude_mm and t.phase_right_deg % 360.0,
         "set an amplitude and a phase"),
    Rule(_in("track", ("transition_start_m", "transition_length_m", "transition_form")), "track.shift_m",
         lambda m: m != 0.0, "set a shift"),
    Rule(_in("contact", ("flange_damping", "flange_clearance_mm")), "contact.flange_stiffness", lambda k: k > 0.0,
         "set a stiffness"),
)  # fmt: skip
"""Of a real-time scenario."""
TRAIN_RULES = (
    *_driving_rules("driving"),
    Rule(_in("route", ("distance_m", "gradient_permille", "curvature_per_km")), "route.file", (None,),
         "leave route.file out"),
)  # fmt: skip
"""Of a scenario of a train."""


def key_paths(model, where=(), given=True):
    """Paths (tuples of str and int) of every key of a section that was given, or of every key it has."""
    if isinstance(model, BaseModel):
        for name in type(model).model_fields:
            if name in model.model_fields_set or not given:
                yield from key_paths(getattr(model, name), (*where, name), given)
    elif isinstance(model, dict) and any(isinstance(item, BaseModel) for item in model.values()):
        for name, item in model.items():
            yield from key_paths(item, (*where, name), given)
    elif isinstance(model, tuple | list) and any(isinstance(item, BaseModel) for item in model):
        for number, item in enumerate(model):
            yield from key_paths(item, (*where, number), given)
    elif model != ():  # an empty list asks for nothing
        yield where


def idle_keys(model, rules, given=True):
    """Keys that nothing reads.

    Parameters
    ----------
    model : BaseModel       a whole scenario, or a dict of its sections
    rules : sequence of Rule
    given : bool            only those that were given

    Returns
    -------
    list of (path, decides, text)    text says beside what nothing reads the key, and how it would be
    """
    found, seen = [], set()
    paths = list(key_paths(model, (), given))
    for rule in rules:
        for path in paths:
            star = _matched(rule.keys, path)
            if star is None or path in seen:
                continue
            decides = rule.decides.replace("*", star)
            value = _value(model, decides.split("."))
            if rule.read(value) if callable(rule.read) else value in rule.read:
                continue
            seen.add(path)
            found.append((path, decides, _text(rule, decides, value)))
    return found


def idle_lines(model, rules) -> list[str]:
    """A line for every value beside which given keys are idle."""
    lines = {}
    for path, _, text in idle_keys(model, rules):
        lines.setdefault(text, []).append(".".join(str(part) for part in path))
    return [f"{', '.join(keys)}: {text}" for text, keys in lines.items()]


def refuse_idle(model, rules, overrides, place):
    """Refuse a key that is idle whatever the overrides are, or that an override itself gives.

    Parameters
    ----------
    model, rules                     as `idle_keys`
    overrides : sequence of str      "key=value"
    place : callable(path)           file, line and key of a path, for the message

    Raises
    ------
    ScenarioError
    """
    names = [override.partition("=")[0].strip() for override in overrides]
    for path, decides, text in idle_keys(model, rules):
        key = ".".join(str(part) for part in path)
        own = any(_touch(key, name) for name in names)
        if own or not any(_touch(decides, name) for name in names):
            raise ScenarioError(f"{place(path)}: {text}")


def _text(rule, decides, value):
    word = "" if isinstance(value, BaseModel | dict | tuple) else f" = {_shown(value)}"
    if value is None:
        word = " left out"
    remedy = rule.remedy or f"set {decides} = {' or '.join(_shown(v) for v in rule.read)}"
    return f"nothing reads it with {decides}{word}; remove it, or {remedy}"


def _shown(value):
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _touch(a, b):
    """Whether one of two dotted keys is the other or lies within it."""
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")


def _matched(patterns, path):
    """Name that the star of a matching pattern stands for ("" where it has none); None where no pattern matches."""
    for pattern in patterns:
        parts = pattern.split(".")
        if len(parts) <= len(path) and all(p in ("*", str(q)) for p, q in zip(parts, path, strict=False)):
            return next((str(q) for p, q in zip(parts, path, strict=False) if p == "*"), "")
    return None


def _value(value, parts):
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
    return value
