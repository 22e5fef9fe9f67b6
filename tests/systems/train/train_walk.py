"""Every key of a train scenario and of the parts in it changed by itself, in trains that have them all."""

from __future__ import annotations

import copy

from flexwheel.base.errors import FlexwheelError
from flexwheel.systems.train import train_keys as keys
from flexwheel.systems.train.train_run import read_train_scenario
from tests.fuzz.flat import differences, flat
from tests.fuzz.mutate import at, toml
from tests.fuzz.walk import Step

GEAR = [[0.0, 0.0, 0.0], [40.0, 300.0, 80.0], [80.0, 900.0, 300.0]]
PARTS = {
    "vehicle": {
        "engine": {"mass_t": 120.0, "length_m": 20.0, "axles": 6, "resistance_factor": 1.1, "brake_force_kn": 90.0,
                   "brake_friction": [[0.0, 1.0], [80.0, 0.7]], "traction": "form", "cylinder": "times"},
        "second": {"mass_t": 110.0, "length_m": 19.0, "traction": "curves"},
        "wagon": {"mass_t": 80.0, "length_m": 14.0, "brake_force_kn": 60.0, "cylinder": "curves"},
    },
    "coupler": {
        "gear": {"kind": "coupler", "gears": 2, "clearance_mm": 10.0, "draft": GEAR,
                 "buff": [[0.0, 0.0, 0.0], [60.0, 800.0, 200.0]], "solid_kn_mm": 100.0,
                 "transition_mm_s": 12.0, "damping_kns_m": 5.0},
        "hook": {"kind": "hook_and_buffers", "hook_gears": 1, "hook": GEAR, "hook_solid_kn_mm": 90.0,
                 "buffer_gears": 2, "buffers_side_by_side": 2, "buffer": GEAR, "buffer_solid_kn_mm": 110.0,
                 "pretension_mm": 5.0, "transition_mm_s": 11.0, "damping_kns_m": 6.0},
        "elastic": {"kind": "elastic_bar", "stiffness_kn_mm": 80.0, "damping_kns_m": 7.0},
        "stiff": {"kind": "rigid_bar"},
    },
    "traction": {
        "form": {"notches": 8, "tractive_effort_kn": 500.0, "power_kw": 3000.0, "brake_effort_kn": 300.0,
                 "brake_power_kw": 2500.0, "brake_fade_kmh": 9.0, "adhesion": 0.3, "adhesive_mass_t": 110.0},
        "curves": {"speed_kmh": [0.0, 40.0, 100.0], "traction_kn": [[300.0, 200.0, 80.0]],
                   "dynamic_brake_kn": [[0.0, 150.0, 60.0]]},
    },
    "cylinder": {
        "times": {"fill_s": 4.0, "release_s": 18.0, "shape": "exponential", "max_bar": 3.6},
        "curves": {"fill": [[0.0, 0.0], [12.0, 3.8]], "release": [[0.0, 3.8], [45.0, 0.0]]},
    },
    "air_brake": {"apply_m_s": 240.0, "release_m_s": 170.0, "build_up_s": 14.0, "release_s": 29.0,
                  "growth_s_km": 1.0},
}  # fmt: skip
FORMATION = [
    {"vehicle": "engine", "count": 2, "coupler": "hook", "channel": 0},
    {"vehicle": "wagon", "count": 4, "coupler": "elastic", "pair": "stiff"},
    {"vehicle": "second", "count": 1, "radio_delay_s": 0.4}, {"vehicle": "wagon", "count": 2, "cylinder": "times"},
]  # fmt: skip
BY_TIME = {
    "kind": "train", "title": "walk",
    "run": {"duration_s": 20.0, "start_position_m": 400.0, "speed_kmh": 30.0, "tolerance": 1e-5, "longest_step_s": 0.15,
            "locate_s": 2e-3, "check_tolerance": True, "energy": True, "deflection_coupler": 2},
    "train": {"parts": ["train_stock.toml"], "coupler": "gear", "formation": FORMATION},
    "route": {"distance_m": [0.0, 1000.0, 5000.0], "gradient_permille": [0.0, 2.0, 1.0],
              "curvature_1_km": [0.0, 1.0, 2.0]},
    "driving": {"mode": "by_time", "at": [0.0, 2.0, 6.0], "notch": [1.0, 0.5, -0.5], "brake_at": [0.0, 5.0],
                "brake": [0.1, 0.5], "tick_s": 0.5},
    **PARTS,
}  # fmt: skip
HOLD = {**BY_TIME, "driving": {
    "mode": "hold_speed", "at": [0.0, 900.0], "speed_kmh": [30.0, 40.0], "tick_s": 0.5, "gain_notch_s_m": 3.0,
    "reset_1_s": 0.03, "max_notch": 0.8, "max_brake_notch": 0.9, "notch_rate_1_s": 0.3, "whole_notches": True,
    "air_brake_above_kmh": 4.0, "air_brake": 0.2,
}}  # fmt: skip
WORDS = {"exponential": "linear", "walk": "other", "hook": "gear", "elastic": "gear", "stiff": "gear", "gear": "hook",
         "times": "curves", "curves": "times", "form": "curves", "by_time": "by_distance"}  # fmt: skip
KINDS = ("kind", "vehicle")  # words that choose the other keys; each choice is in the trees above


def missing_train_keys():
    """Keys of the models that no tree above has."""
    have = set(_names(BY_TIME)) | set(_names(HOLD))
    models = [m for m in vars(keys).values() if isinstance(m, type) and issubclass(m, keys.Section)]
    models = [m for m in models if m is not keys.TrainAround]
    return {name for m in models for name in m.model_fields} - have - {"file", "checkpoint_s"}  # tests of --resume


def _names(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)


def _leaves(value, where=()):
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        inner = isinstance(item, dict) or isinstance(item, list) and item and isinstance(item[0], dict)
        if inner:
            yield from _leaves(item, (*where, key))
        else:
            yield (*where, key)


def given_to_the_train(path):
    """Flat table of what a train scenario gives its run."""
    source = read_train_scenario(path)
    table = flat(source)
    return {name: value for name, value in table.items() if name not in (".text", ".path") and ".place" not in name[:7]}


def train_steps(folder):
    """Steps of the walk through both trees."""
    for name, base in (("by_time", BY_TIME), ("hold_speed", HOLD)):
        first = _asked(folder, base)
        for path in _leaves(base):
            if path[-1] in KINDS or name == "hold_speed" and path[0] != "driving":
                continue
            tree = copy.deepcopy(base)
            before = at(tree, path)
            after = _other(before)
            if after is None:
                continue
            at(tree, path[:-1])[path[-1]] = after
            step = Step(".".join(map(str, path)), f"driving.mode = {name}", before, after, ())
            try:
                step.changed = tuple(differences(first, _asked(folder, tree)))
            except FlexwheelError as error:
                step.refused = str(error)
            yield step


def _asked(folder, tree):
    (folder / "t.toml").write_text(toml(tree), encoding="utf-8")
    return given_to_the_train(folder / "t.toml")


def _other(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return WORDS.get(value)
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return 1.1 * value or 0.01
    if isinstance(value, list) and value and isinstance(value[0], list):
        return [*value[:-1], [1.1 * v for v in value[-1]]]
    return [*value[:-1], 1.1 * value[-1]] if value and isinstance(value[-1], float) else None
