"""How the spectra of a scenario change with every value that no source stands behind."""

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from flexwheel.errors import FlexwheelError
from flexwheel.input_files import read_toml
from flexwheel.run.response import ResponseSettings, respond, response_scenario, vehicle_on_rails
from flexwheel.track.labels import rail_labels, support_labels
from flexwheel.track.parameters import read_track_table
from flexwheel.track.roughness import PATCH_HALF_LENGTH
from flexwheel.vehicles.vehicle_file import read_vehicle

FACTORS = {"profile": 1.0, "contact.friction": 1.3, "contact.normal_damping_ns_m": 2.0, "patch": 1.5}
"""Of assumed values that stand in no file of their own."""
USUAL_FACTOR = 1.5  # of a value whose file states none
WITHIN_DB = 60.0  # below the highest band: weaker bands do not count
QUANTITIES = {
    "vertical force": ("contact_force_band", lambda x: x[:, :, 2]),
    "lateral force": ("contact_force_band", lambda x: x[:, :, 1]),
    "radial acceleration": ("acceleration_band", lambda x: x[:, :, :, 2]),
    "axial acceleration": ("acceleration_band", lambda x: x[:, :, :, 1]),
    "von Mises stress": ("von_mises_band", lambda x: x),
}
"""Name -> variable of the response and what is taken of it (B, ...)."""


@dataclass(frozen=True)
class Variation:
    """One assumed value, times its factor."""

    key: str  # file and key within it
    value: object
    factor: float
    scenario: object  # VehicleScenario with the changed value
    settings: ResponseSettings
    own_rails: bool  # whether the rails are other ones


@dataclass(frozen=True)
class Change:
    """What a variation does: level (B,) [dB] of each quantity, of the wheel, node or point that changes most."""

    key: str
    value: object
    factor: float
    levels: dict  # quantity -> (B,) [dB]
    refused: str = ""  # why there are none

    @property
    def largest(self):
        """Largest change of any quantity [dB]."""
        return max((float(np.nanmax(np.abs(level), initial=0.0)) for level in self.levels.values()), default=0.0)


def variations(scenario, settings, folder):
    """Variations of a scenario, and lines on assumed values that cannot be varied; changed files go into `folder`."""
    found, left = [], []
    vehicle = read_vehicle(scenario.vehicle.file)
    data = read_toml(vehicle.path, "a vehicle in TOML")
    for label in vehicle.assumed:
        changed = times(label.value, label.factor or USUAL_FACTOR)
        name = f"vehicle {Path(vehicle.path).stem}: {label.key}"
        if changed is None:
            left.append(f"{name} = {label.value}: no number")
            continue
        path = write_changed(data, label.key, changed, folder / f"vehicle_{len(found)}.toml")
        part = scenario.vehicle.model_copy(update={"file": str(path)})
        other = scenario.model_copy(update={"vehicle": part})
        found.append(Variation(name, label.value, label.factor or USUAL_FACTOR, other, settings, False))
    for key, labels, kind in (("rail", rail_labels, "rail"), ("support", support_labels, "flexible")):
        if scenario.track.model != "flexible":
            continue
        name = getattr(scenario.track, key)
        for label in labels(name):
            factor = label.factor or USUAL_FACTOR
            inner = label.key.partition(": ")[2]
            path = folder / f"{key}_{len(found)}.toml"
            write_changed(read_track_table(name, kind), inner, times(label.value, factor), path)
            track = scenario.track.model_copy(update={key: str(path)})
            other = scenario.model_copy(update={"track": track})
            found.append(Variation(f"track {label.key}", label.value, factor, other, settings, True))
    return found + _of_scenario(scenario, settings), left


def _of_scenario(scenario, settings):
    """Variations of what stands in the scenario, or in no file."""
    found = []
    contact = scenario.contact
    if "contact.friction" in scenario.assumed or "friction" not in contact.model_fields_set:
        factor = FACTORS["contact.friction"]
        other = contact.model_copy(update={"friction": contact.friction * factor})
        changed = scenario.model_copy(update={"contact": other})
        found.append(Variation("contact.friction", contact.friction, factor, changed, settings, False))
    if "normal_damping_ns_m" not in contact.model_fields_set:
        factor = FACTORS["contact.normal_damping_ns_m"]
        other = contact.model_copy(update={"normal_damping_ns_m": contact.normal_damping_ns_m * factor})
        changed = scenario.model_copy(update={"contact": other})
        value = contact.normal_damping_ns_m
        found.append(Variation("contact.normal_damping_ns_m", value, factor, changed, settings, False))
    rough = scenario.irregularity
    if rough.roughness != "none" and rough.contact_filter:
        factor = FACTORS["patch"]
        longer = replace(settings, patch_half_length_m=PATCH_HALF_LENGTH * factor)
        name = "irregularity: half length of the contact filter"
        found.append(Variation(name, PATCH_HALF_LENGTH, factor, scenario, longer, False))
    return found


def times(value, factor):
    """A number, or a list of numbers, times a factor; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value * factor
    if isinstance(value, list) and all(isinstance(x, int | float) and not isinstance(x, bool) for x in value):
        return [x * factor for x in value]
    return None


def write_changed(data, key, value, path):
    """Write a TOML table with one value changed; key with dots, its entry a table with `value`."""
    copy = json.loads(json.dumps(data))
    *where, last = key.split(".")
    table = copy
    for part in where:
        table = table[part]
    table[last]["value"] = value
    path.write_text("\n".join(toml_lines(copy)), encoding="utf-8")
    return path


def toml_lines(table, prefix=""):
    """Lines of a TOML file of nested tables, numbers, texts, flags and lists of them."""
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    yield from (f"{json.dumps(key)} = {json.dumps(value)}" for key, value in plain.items())
    for key, value in table.items():
        if isinstance(value, dict):
            name = f"{prefix}{json.dumps(key)}"
            yield f"[{name}]"
            yield from toml_lines(value, f"{name}.")


def sensitivity(scenario, bodies, settings=None, report=lambda part, line="": None):
    """Changes of the third octaves with every assumed value, the largest first.

    Parameters
    ----------
    scenario : VehicleScenario
    bodies : dict               ReducedBody of each flexible wheelset of `response_scenario`
    settings : ResponseSettings

    Returns
    -------
    bands (B,) [Hz], changes, lines on what was not varied
    """
    settings = settings or ResponseSettings(step_hz=3.0, harmonics=1)
    chosen = response_scenario(scenario, settings)
    base, _, steady = vehicle_on_rails(chosen, bodies, settings)
    rails = base.rail, steady
    reference, labels, _ = respond(scenario, bodies, settings, rails=rails)
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        found, left = variations(scenario, settings, Path(folder))
        for k, item in enumerate(found):
            report(k / len(found), item.key)
            try:
                own = None if item.own_rails or item.key.endswith("position_m") else rails
                arrays, _, _ = respond(item.scenario, bodies, item.settings, rails=own)
                levels = {name: change_of(arrays, reference, *how) for name, how in QUANTITIES.items()}
                levels = {name: level for name, level in levels.items() if level is not None}
                changes.append(Change(item.key, item.value, item.factor, levels))
            except FlexwheelError as error:
                changes.append(Change(item.key, item.value, item.factor, {}, str(error)))
    changes.sort(key=lambda change: -change.largest)
    return labels["band"], changes, left


def change_of(arrays, reference, variable, part):
    """Level (B,) [dB] by which a quantity changes, in each band that of the wheel or node that changes most."""
    if variable not in reference:
        return None
    new, old = (part(x[variable]).reshape(len(x[variable]), -1) for x in (arrays, reference))
    with np.errstate(divide="ignore", invalid="ignore"):
        level = 20.0 * np.log10(new / old)
    heard = old > old.max(axis=0) * 10.0 ** (-WITHIN_DB / 20.0)
    level = np.where(heard & np.isfinite(level), level, 0.0)
    return level[np.arange(len(level)), np.argmax(np.abs(level), axis=1)]
