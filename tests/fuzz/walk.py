"""Every key of a scenario changed by itself: what it changes, or the line that refuses it.

`python -m tests.fuzz.walk` writes the table of docs/keys.md from short runs; the test of the suite compares what the
time loop is given, which takes seconds.
"""

from __future__ import annotations

import itertools
from functools import cache
from types import NoneType
from typing import Literal, get_args, get_origin

import numpy as np
from pydantic import BaseModel

from flexwheel.errors import FlexwheelError
from flexwheel.io.idle_keys import REDUCED_RULES, RULES, TRAIN_RULES
from flexwheel.io.scenario_keys import Scenario

from . import bases
from .mutate import toml

BED = str(bases.MESHES / "ballast_bed.inp")
COARSE = str(bases.MESHES / "wheelset_coarse.inp")
FLEXIBLE = {"wheelset.front.formulation": "flexible", "wheelset.front.mesh": COARSE,
            "wheelset.front.exact_below_hz": 0.0, "wheelset.front.fixed_interface_modes": 7}  # fmt: skip
LAYOUT = [
    {"kind": "straight", "length_m": 2.0}, {"kind": "transition", "length_m": 20.0},
    {"kind": "arc", "length_m": 100.0, "radius_m": 300.0, "cant_mm": 50.0},
]  # fmt: skip
BASE = {
    "run.speed_kmh": 72.0, "run.duration_s": 0.05, "run.step_s": 2e-4, "run.output_step_s": 1e-3,
    "run.start_position_m": 20.0, "run.title": "walk", "vehicle.file": "as4", "track.model": "massless",
    "track.layout": LAYOUT, "irregularity.ramp_m": 1.0,
}  # fmt: skip
STEEL = {"wheelset.front.youngs_modulus_pa": 2.1e11, "wheelset.front.poissons_ratio": 0.3,
         "wheelset.front.density_kg_m3": 7850.0}  # fmt: skip
CONTEXT = {  # key or section -> what must be set for it to be read, beyond what the rules of io.idle_keys say
    "wheelset": FLEXIBLE,
    "wheelset.front.formulation": {**FLEXIBLE, "wheelset.front.formulation": "rigid"},
    "wheelset.front.youngs_modulus_pa": STEEL, "wheelset.front.poissons_ratio": STEEL,
    "wheelset.front.density_kg_m3": STEEL,
    "run.compare_modes": FLEXIBLE,
    "run.end_position_m": {"run.duration_s": None, "run.end_position_m": 21.0},
    "track.joint_length_m": {"track.layout": [{"kind": "straight", "length_m": 21.0}, {"kind": "arc", "length_m": 90.0,
                             "radius_m": 300.0}]},
    "track.foundation.mesh_unit": {"track.foundation.mesh": BED},
    "irregularity.file": {"irregularity.spectrum": None},
    "train": {"vehicle.file": "freight_wagon", "track.model": "rigid", "drive.kind": "none",
              **{f"train.{k}": v for k, v in bases.wagon_in_train()["train"].items()}},
    "drive.kind": {"run.speed_kmh": 72.0},
}  # fmt: skip
VALUES = {  # key -> another value, where it cannot be made from the type
    "run.title": "another", "run.compare_modes": ["lagrangian"], "run.end_position_m": 21.5, "run.output_step_s": 2e-3,
    "run.step_s": 1e-4, "vehicle.file": "manchester_v1", "track.rail": "r65", "track.foundation.mesh": BED,
    "track.layout.0.kind": "transition", "track.vertical": [{"position_m": 25.0, "gradient_permille": 10.0}],
    "irregularity.file": "irregularity.csv", "irregularity.roughness": "average_network",
    "contact.wheel_profile": "wheel.csv", "contact.rail_profile": "UIC60", "contact.gauge_mm": 1437.0,
    "wheelset.front.mesh": str(bases.MESHES / "wheelset_coarse.msh"), "wheelset.front.axle_axis": "auto",
    "wheelset.front.interface_sets": ["JOURNAL_RIGHT", "JOURNAL_LEFT"],
    "wheelset.front.tread_sets": ["TREAD_RIGHT", "TREAD_LEFT"], "wheelset.front.control_nodes": ["tread_left"],
    "assumed": {"contact.friction": "a guess"},
    "track.fastener.vertical.law_mm_kn": [[-1.0, -200.0], [0.0, 0.0], [1.0, 300.0]],
    "track.fastener.lateral.law_mm_kn": [[-1.0, -40.0], [0.0, 0.0], [1.0, 60.0]],
    "track.foundation.vertical.law_mm_kn": [[-1.0, 0.0], [0.0, 0.0], [1.0, 60.0]],
    "track.foundation.lateral.law_mm_kn": [[-1.0, -40.0], [0.0, 0.0], [1.0, 60.0]],
    "track.support": "support.toml", "train.coupler": "rigid_bar", "train.place": 2,
    "train.parts": ["train_couplers.toml", "stock.toml"], "train.forces": "prescribed",
}  # fmt: skip
NO_RESULT = {  # key -> why a change of it cannot change a result; each is shown otherwise
    "accept": "turns an error into a warning; tests of io.disagreements",
}


def keys_of(model, prefix=""):
    """(dotted key, annotation, default) of every key of a model; `front` and `0` stand for names and numbers."""
    for name, field in model.model_fields.items():
        kind, key = _section(field.annotation), f"{prefix}{name}"
        many = get_origin(field.annotation) in (tuple, dict, list)
        if kind is None or key == "wheelset.front.control_nodes":
            yield key, field.annotation, field.default
        elif get_origin(field.annotation) is dict:
            yield from keys_of(kind, f"{key}.front.")
        elif many:
            yield key, field.annotation, field.default
            yield from keys_of(kind, f"{key}.0.")
        else:
            yield from keys_of(kind, f"{key}.")


def _section(annotation):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for a in get_args(annotation) if (found := _section(a)) is not None), None)


def other_values(key, annotation, now):
    """Values of a key that are not its present one, to be tried in turn."""
    if key in VALUES:
        return [VALUES[key]]
    annotation = getattr(annotation, "__origin__", annotation) if hasattr(annotation, "__metadata__") else annotation
    kinds = [annotation, *get_args(annotation)]
    words = [w for k in kinds if get_origin(k) is Literal for w in get_args(k)]
    if words:
        return [w for w in words if w != now]
    if bool in kinds:
        return [not now]
    whole = int in kinds or any(int in get_args(k) for k in kinds)
    if isinstance(now, int | float) and not isinstance(now, bool):
        return [now + 1, now - 1] if whole and not isinstance(now, float) else [now * 1.25 or 0.5, now * 0.8 or 0.1]
    if NoneType in kinds or now is None:
        return [1e5, 1.0, 0.3]
    return []


def context_of(key, rules):
    """Settings under which a key is read: of CONTEXT, and of the rules that decide it."""
    found = {}
    parts = key.split(".")
    for rule in rules:
        if not callable(rule.read) and any(_covers(p, parts) for p in rule.keys):
            decides = rule.decides.replace("*", "front")
            if _get_default(decides) not in rule.read or decides in BASE:
                found[decides] = rule.read[0]
    for depth in range(1, len(parts) + 1):
        found |= CONTEXT.get(".".join(parts[:depth]), {})
    return {k: v for k, v in found.items() if k != key or v is None or key in ("wheelset.front.mesh",)}


def _covers(pattern, parts):
    pattern = pattern.split(".")
    return len(pattern) <= len(parts) and all(p in ("*", q) for p, q in zip(pattern, parts, strict=False))


@cache
def _defaults():
    return {key: default for key, _, default in keys_of(Scenario)}


def _get_default(key):
    value = _defaults().get(key)
    return None if repr(value) == "PydanticUndefined" else value


def tree_of(*settings):
    """Tree of keys from dotted settings, later ones over earlier ones; None takes a key out."""
    tree = {}
    for key, value in itertools.chain.from_iterable(s.items() for s in settings):
        table, parts = tree, key.split(".")
        for part in parts[:-1]:
            table = table[int(part)] if isinstance(table, list) else table.setdefault(part, {})
        if isinstance(table, list):
            table[int(parts[-1])] = value
        elif value is None:
            table.pop(parts[-1], None)
        else:
            table[parts[-1]] = value
    return tree


def now_of(tree, key, default):
    """Present value of a key in a tree."""
    value = tree
    for part in key.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError):
            return default
    return value
