"""How the spectra of a scenario change with every value that no source stands behind."""

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from flexwheel.assess.response import ResponseSettings, respond, response_scenario, unexcited, vehicle_on_rails
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.input_files import read_toml
from flexwheel.base.output_files import write_whole
from flexwheel.base.shipped import TRACK
from flexwheel.contact.profiles.chosen_profile import is_shipped
from flexwheel.run.assumed_ranking import SENSITIVITY_NAME, identity
from flexwheel.run.keys.contact_keys import RailFileSection
from flexwheel.run.keys.toml_text import toml_text
from flexwheel.track.roughness import PATCH_HALF_LENGTH
from flexwheel.track.track_labels import rail_labels, spectrum_labels, support_labels
from flexwheel.track.track_parameters import read_track_table
from flexwheel.vehicle.vehicle_file import read_vehicle

FACTORS = {"profile": 1.1, "contact.friction": 1.3, "contact.normal_damping_ns_m": 2.0, "contact_filter": 1.5}
"""Of assumed values that stand in no file of their own; heights of a profile are multiplied."""
USUAL_FACTOR = 1.5  # of a value whose file states none
WITHIN_DB = 60.0  # below the highest band: weaker bands do not count
QUANTITIES = {
    "vertical force": ("contact_force_band", lambda x: x[:, :, 2]),
    "lateral force": ("contact_force_band", lambda x: x[:, :, 1]),
    "radial acceleration": ("acceleration_band", lambda x: x[:, :, 1, 2]),
    "axial acceleration": ("acceleration_band", lambda x: x[:, :, 1, 1]),
    "von Mises stress": ("von_mises_band", lambda x: x[:, :, 1]),
}
"""Name -> variable of the response and what is taken of it (B, ...). Of nodes the fixed point: the turning node's bands
hold resonances of 2 to 4 Hz, shifted by its orders, that a step of 3 Hz does not resolve."""


@dataclass(frozen=True)
class ChangedValue:
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
    """Variations of a scenario, and lines on assumed values that cannot be varied; changed files go into `folder`.

    Keys are the heads of the lines of `assumptions.assumed_values`.
    """
    found, left = [], []
    vehicle = read_vehicle(scenario.vehicle.file)
    data = read_toml(vehicle.path, "a vehicle in TOML")
    for label in vehicle.assumed:
        factor = label.factor or USUAL_FACTOR
        changed = times(label.value, factor)
        name = f"vehicle {Path(scenario.vehicle.file).stem}: {label.key}"
        if changed is None:
            left.append(f"{name} = {label.value}: no number")
            continue
        path = write_changed(data, label.key, changed, folder / f"vehicle_{len(found)}.toml")
        found.append(
            ChangedValue(name, label.value, factor, _with(scenario, "vehicle", file=str(path)), settings, False)
        )
    for key, labels, kind in (("rail", rail_labels, "rail"), ("support", support_labels, "flexible")):
        if scenario.track.model != "flexible":
            continue
        name = getattr(scenario.track, key)
        if key not in scenario.track.model_fields_set:
            left.append(f"track: {key} = {name}: a name; its assumed values are varied one by one")
        for label in labels(name):
            factor, inner = label.factor or USUAL_FACTOR, label.key.partition(": ")[2]
            path = folder / f"{key}_{len(found)}.toml"
            write_changed(read_track_table(name, kind), inner, times(label.value, factor), path)
            other = _with(scenario, "track", **{key: str(path)})
            found.append(ChangedValue(f"track: {label.key}", label.value, factor, other, settings, True))
    for add in (_of_contact, _of_irregularity, _of_scenario):
        more, lines = add(scenario, settings, folder)
        found, left = found + more, left + lines
    return found, left


def _with(scenario, section, **keys):
    """The scenario with keys of a section replaced."""
    return scenario.model_copy(update={section: getattr(scenario, section).model_copy(update=keys)})


def _of_contact(scenario, settings, folder):
    """Variations of contact keys that the scenario leaves to their defaults: laws, and heights of the profiles."""
    found, contact = [], scenario.contact
    for key in ("friction", "normal_damping_ns_m"):
        value, factor = getattr(contact, key), FACTORS[f"contact.{key}"]
        if key not in contact.model_fields_set:
            changed = _with(scenario, "contact", **{key: value * factor})
            found.append(ChangedValue(f"contact: {key}", value, factor, changed, settings, False))
    for kind, more in (("wheel", {}), ("rail", {"rail_file": RailFileSection(inclined=False)})):
        key, factor = f"{kind}_profile", FACTORS["profile"]
        name = getattr(contact, key)
        if key in contact.model_fields_set or not is_shipped(name, kind):
            continue
        points = np.loadtxt(TRACK / "profiles" / f"{name.upper()}.csv", delimiter=",", skiprows=2)
        path = folder / f"{kind}.csv"
        np.savetxt(path, points * [1.0, factor], "%.9f", ",", header="y_mm,z_mm", comments="")
        changed = _with(scenario, "contact", **{key: str(path)}, **more)
        found.append(ChangedValue(f"contact: {key}", f"heights of {name}", factor, changed, settings, False))
    return found, []


def _of_irregularity(scenario, settings, folder):
    """Variations of the spectrum's assumed constants and of the contact filter."""
    found, left, rough = [], [], scenario.irregularity
    if rough.file is None and rough.spectrum != "none":
        table = read_toml(TRACK / "irregularity" / f"{rough.spectrum}.toml", "a spectrum")
        for label in spectrum_labels(rough.spectrum):
            factor, inner = label.factor or USUAL_FACTOR, label.key.partition(": ")[2]
            path = write_changed(table, inner, times(label.value, factor), folder / f"spectrum_{len(found)}.toml")
            other = replace(settings, spectrum_file=str(path))
            found.append(ChangedValue(f"irregularity: {label.key}", label.value, factor, scenario, other, False))
    left = [
        f"irregularity: {key} = {getattr(rough, key)}: a name"
        for key in ("spectrum", "roughness")
        if key not in rough.model_fields_set
    ]
    if rough.roughness != "none" and rough.contact_filter:
        factor = FACTORS["contact_filter"]
        longer = replace(settings, patch_half_length_m=PATCH_HALF_LENGTH * factor)
        value = f"{1e3 * PATCH_HALF_LENGTH:g} mm"
        found.append(ChangedValue("irregularity: contact_filter", value, factor, scenario, longer, False))
    return found, left


def _of_scenario(scenario, settings, folder):
    """Variations of the keys that the scenario itself calls assumed."""
    found, left = [], []
    for key in scenario.assumed:
        factor = FACTORS.get(key, USUAL_FACTOR)
        try:
            value, changed = _changed_key(scenario, key.split("."), factor)
        except (AttributeError, KeyError, IndexError, ValueError, TypeError):
            value, changed = "", None
        if key.startswith("track.layout") or changed is None:
            why = "a response is of straight track" if key.startswith("track.layout") else "no number"
            left.append(f"scenario: {key}: {why}")
            continue
        rails = key.startswith(("track", "run.speed"))
        found.append(ChangedValue(f"scenario: {key}", value, factor, changed, settings, rails))
    return found, left


def _changed_key(part, where, factor):
    """Value at a key, and `part` with it multiplied; None for what is no number."""
    if not where:
        return part, times(part, factor)
    name = where[0]
    if isinstance(part, list | tuple):
        value, changed = _changed_key(part[int(name)], where[1:], factor)
        return value, None if changed is None else [*part[: int(name)], changed, *part[int(name) + 1 :]]
    value, changed = _changed_key(part[name] if isinstance(part, dict) else getattr(part, name), where[1:], factor)
    if changed is None:
        return value, None
    return value, {**part, name: changed} if isinstance(part, dict) else part.model_copy(update={name: changed})


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
    path.write_text(toml_text(copy), encoding="utf-8")
    return path


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
    if unexcited(scenario.irregularity):
        raise ScenarioError("irregularity must have a spectrum, roughness or file: without one, no spectrum can change")
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


def sensitivity_record(scenario, bands, changes, left):
    """What a sensitivity found as plain data: of every value the factor, the largest change and where it is."""
    values = []
    for c in changes:
        value = {"key": c.key, "value": c.value, "factor": c.factor, "largest_db": c.largest}
        if c.levels:
            quantity = max(c.levels, key=lambda name: np.max(np.abs(c.levels[name])))
            band = int(np.argmax(np.abs(c.levels[quantity])))
            value |= {"quantity": quantity, "band_hz": float(bands[band]), "change": float(c.levels[quantity][band])}
        change = {name: level.tolist() for name, level in c.levels.items()}
        values.append({**value, "change_db": change, "refused": c.refused or None})
    return {
        "kind": "sensitivity",
        "title": scenario.run.title,
        "scenario_digest": identity(scenario),
        "bands_hz": bands.tolist(),
        "values": values,
        "not_varied": list(left),
    }


def write_sensitivity(record, folder):
    """Write a record as sensitivity.json in a folder, whole or not at all; returns its Path."""
    path = Path(folder) / SENSITIVITY_NAME
    write_whole(path, lambda target: target.write_text(json.dumps(record), encoding="utf-8"))
    return path
