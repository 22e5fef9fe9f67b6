"""Vehicles, couplers and traction of a train from the tables of TOML files, labels kept."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, replace

import numpy as np
from pydantic import ValidationError

from flexwheel.errors import ScenarioError
from flexwheel.io import train_keys as keys
from flexwheel.train.air_brake import AirBrake
from flexwheel.train.coupler import (
    Coupler,
    CouplingSide,
    check_coupler,
    linear_coupler,
    rigid_bar,
)
from flexwheel.train.traction import TractionCurves, adhesion_power_curves, check_traction
from flexwheel.train.vehicle import Vehicle, check_vehicle

COUPLER_KEYS = {
    "coupler": keys.CouplerKeys,
    "hook_and_buffers": keys.HookKeys,
    "rigid_bar": keys.RigidBarKeys,
    "elastic_bar": keys.ElasticBarKeys,
}


@dataclass(frozen=True)
class Label:
    """Where a value of a part comes from."""

    key: str
    source: str
    confidence: str


@dataclass(frozen=True)
class Parts:
    """Parts by name, as plain tables, and the place each came from."""

    vehicle: dict[str, dict] = field(default_factory=dict)
    coupler: dict[str, dict] = field(default_factory=dict)
    traction: dict[str, dict] = field(default_factory=dict)
    air_brake: dict = field(default_factory=dict)
    place: dict[str, str] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)

    def with_tables(self, tables, where):
        """These parts with those of one file added; the file's take precedence."""
        merged = {name: dict(getattr(self, name)) for name in ("vehicle", "coupler", "traction", "air_brake")}
        place, labels = dict(self.place), dict(self.labels)
        for group in ("vehicle", "coupler", "traction"):
            for name, table in (tables.get(group) or {}).items():
                if not isinstance(table, dict):
                    raise ScenarioError(f"{where}: {group}.{name} is a value; expected a table of keys")
                merged[group][name] = plain(table, f"{group}.{name}", labels)
                place[f"{group}.{name}"] = where
        if tables.get("air_brake"):
            merged["air_brake"] = plain(tables["air_brake"], "air_brake", labels)
            place["air_brake"] = where
        return Parts(**merged, place=place, labels=labels)


def plain(table, where, labels):
    """A table with every { value, source, confidence } replaced by its value; the labels go into `labels`."""
    values = {}
    for key in [key for key in labels if key.startswith(where + ".")]:
        del labels[key]
    for key, value in table.items():
        if isinstance(value, dict) and "value" in value:
            labels[f"{where}.{key}"] = Label(
                f"{where}.{key}", str(value.get("source", "")), str(value.get("confidence", ""))
            )
            value = value["value"]
        values[key] = value
    return values


def checked(model, table, where):
    """Pydantic model of a table; the first problem as one line."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        problem = error.errors()[0]
        at = ".".join(str(p) for p in problem["loc"])
        if problem["type"] == "extra_forbidden":
            known = sorted(_fields(model, problem["loc"][:-1]))
            close = difflib.get_close_matches(str(problem["loc"][-1]), known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
            raise ScenarioError(f"{where}: unknown key {at!r}; {hint}") from None
        if problem["type"] == "missing":
            raise ScenarioError(f"{where}: {at} is missing") from None
        came = problem.get("input")
        shown = "" if isinstance(came, dict) else f"; got {came!r}"
        message = problem["msg"].removeprefix("Value error, ").replace("Input should be", "should be")
        raise ScenarioError(f"{where}: {at} {message}{shown}") from None


def _fields(model, where):
    """Names of the keys of the section that where leads to."""
    for part in where:
        kind = getattr(model.model_fields.get(part), "annotation", None)
        model = kind if hasattr(kind, "model_fields") else model
    return model.model_fields


def find(parts, group, name, asked_by):
    """Table of a part, or one line that says what there is."""
    tables = getattr(parts, group)
    if name not in tables:
        close = difflib.get_close_matches(name, tables, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(sorted(tables)) or 'none'}"
        raise ScenarioError(f"{asked_by}: unknown {group} {name!r}; {hint}")
    return tables[name], f"{parts.place[f'{group}.{name}']}: {group}.{name}"


def make_vehicle(parts, name, asked_by):
    """Vehicle of a name."""
    table, where = find(parts, "vehicle", name, asked_by)
    k = checked(keys.VehicleKeys, table, where)
    friction = columns(k.brake_friction, 2, f"{where}: brake_friction")
    traction = None if k.traction is None else make_traction(parts, k.traction, where)
    vehicle = Vehicle(
        name,
        k.mass_t * 1e3,
        k.length_m,
        k.axles,
        k.resistance_factor,
        k.brake_force_kN * 1e3,
        friction[0] / 3.6,
        friction[1],
        traction,
    )
    check_vehicle(vehicle)
    return vehicle


def make_traction(parts, name, asked_by):
    """Traction and dynamic-brake curves of a name."""
    table, where = find(parts, "traction", name, asked_by)
    if "tractive_effort_kN" in table:
        k = checked(keys.TractionFormKeys, table, where)
        return adhesion_power_curves(
            name,
            k.tractive_effort_kN * 1e3,
            k.power_kW * 1e3,
            k.brake_effort_kN * 1e3,
            k.brake_power_kW * 1e3,
            k.notches,
            brake_fade_speed=k.brake_fade_kmh / 3.6,
        )
    if "traction_kN" not in table:
        raise ScenarioError(f"{where}: no curve; give speed_kmh and traction_kN, or tractive_effort_kN and power_kW")
    k = checked(keys.TractionCurveKeys, table, where)
    speed = np.array(k.speed_kmh) / 3.6
    rows = {"traction_kN": k.traction_kN, "dynamic_brake_kN": k.dynamic_brake_kN or [[0.0] * len(speed)]}
    for label, table_rows in rows.items():
        for n, row in enumerate(table_rows, start=1):
            if len(row) != len(speed):
                raise ScenarioError(
                    f"{where}: {label} of notch {n} has {len(row)} values; expected {len(speed)}, one per speed"
                )
    arrays = [np.vstack([np.zeros(len(speed)), np.array(r) * 1e3]) for r in rows.values()]
    curves = TractionCurves(name, speed, *arrays)
    check_traction(curves)
    return curves


def make_coupler(parts, name, asked_by):
    """Coupling system of a name."""
    table, where = find(parts, "coupler", name, asked_by)
    kind = table.get("kind", "coupler")
    if kind not in COUPLER_KEYS:
        raise ScenarioError(f"{where}: kind = {kind!r}; expected one of {', '.join(COUPLER_KEYS)}")
    k = checked(COUPLER_KEYS[kind], table, where)
    if kind == "rigid_bar":
        return rigid_bar(name)
    if kind == "elastic_bar":
        return linear_coupler(name, k.stiffness_kN_per_mm * 1e6, damping=k.damping_kN_s_per_m * 1e3)
    common = {"transition_speed": k.transition_mm_per_s * 1e-3, "damping": k.damping_kN_s_per_m * 1e3}
    if kind == "coupler":
        draft = side(k.draft, k.solid_kN_per_mm, f"{where}: draft").in_series(k.gears)
        buff = draft
        if k.buff is not None:
            buff = side(k.buff, k.solid_kN_per_mm, f"{where}: buff").in_series(k.gears)
        half = 0.5e-3 * k.clearance_mm
        coupler = Coupler(name, draft, buff, half, half, **common)
    else:
        hook = side(k.hook, k.hook_solid_kN_per_mm, f"{where}: hook").in_series(k.hook_gears)
        one = side(k.buffer, k.buffer_solid_kN_per_mm, f"{where}: buffer").in_series(k.buffer_gears)
        m = k.buffers_side_by_side
        buffers = replace(
            one, loading=m * one.loading, unloading=m * one.unloading, solid_stiffness=m * one.solid_stiffness
        )
        coupler = Coupler(name, hook, buffers, 0.0, -1e-3 * k.pretension_mm, **common)
    try:
        check_coupler(coupler)
    except ScenarioError as error:
        raise ScenarioError(f"{parts.place[f'coupler.{name}']}: {error}") from None
    return coupler


def side(rows, solid, where):
    """One side of a coupling from rows of mm, kN, kN and the solid stiffness in kN/mm."""
    deflection, loading, unloading = columns(rows, 3, where)
    return CouplingSide(deflection * 1e-3, loading * 1e3, unloading * 1e3, solid * 1e6)


def columns(rows, count, where):
    """Columns of a list of rows, (count, k)."""
    for n, row in enumerate(rows, start=1):
        if len(row) != count:
            raise ScenarioError(f"{where}: row {n} has {len(row)} values; expected {count}")
    if not rows:
        raise ScenarioError(f"{where}: has no rows")
    return np.array(rows, dtype=float).T.copy()


def make_air_brake(parts):
    """Air brake of the train."""
    k = checked(keys.AirBrakeKeys, parts.air_brake, f"{parts.place.get('air_brake', 'scenario')}: air_brake")
    return AirBrake(k.apply_m_per_s, k.release_m_per_s, k.build_up_s, k.release_s, k.growth_s_per_km / 1e3)
