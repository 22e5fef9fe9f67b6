"""Vehicles, couplers and traction of a train from the tables of TOML files, labels kept."""

import difflib
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError, of_place
from flexwheel.run.keys.reader import Places, validated
from flexwheel.run.keys.renamed import RENAMED
from flexwheel.systems.train import train_keys as keys
from flexwheel.systems.train.air_brake import AirBrake
from flexwheel.systems.train.coupler import (
    Coupler,
    CouplingSide,
    check_coupler,
    linear_coupler,
    rigid_bar,
)
from flexwheel.systems.train.cylinder import exponential_cylinder, linear_cylinder, table_cylinder
from flexwheel.systems.train.traction import (
    CURTIUS_KNIFFLER,
    NotchPower,
    TractionCurves,
    adhesion_limit,
    check_traction,
)
from flexwheel.systems.train.train_vehicle import TrainVehicle, check_vehicle

GROUPS = ("vehicle", "coupler", "traction", "cylinder")
COUPLER_KEYS = {
    "coupler": keys.CouplerKeys,
    "hook_and_buffers": keys.HookKeys,
    "rigid_bar": keys.RigidBarKeys,
    "elastic_bar": keys.ElasticBarKeys,
}


@dataclass(frozen=True)
class PartLabel:
    """Where a value of a part comes from."""

    key: str
    source: str
    confidence: str


@dataclass(frozen=True)
class Parts:
    """Parts by name, as plain tables, and the Places of the file each came from."""

    vehicle: dict[str, dict] = field(default_factory=dict)
    coupler: dict[str, dict] = field(default_factory=dict)
    traction: dict[str, dict] = field(default_factory=dict)
    cylinder: dict[str, dict] = field(default_factory=dict)
    air_brake: dict = field(default_factory=dict)
    place: dict[str, Places] = field(default_factory=dict)
    labels: dict[str, PartLabel] = field(default_factory=dict)

    def with_tables(self, tables, where):
        """These parts with those of one file added; the file's take precedence. where: Places of the file.

        A table of a name takes the place of the whole table there was; of [air_brake] the file's keys take precedence
        one by one.
        """
        merged = {name: dict(getattr(self, name)) for name in (*GROUPS, "air_brake")}
        place, labels = dict(self.place), dict(self.labels)
        for group in GROUPS:
            for name, table in (tables.get(group) or {}).items():
                if not isinstance(table, dict):
                    raise ScenarioError(f"{where.of((group, name))} must be a table of keys, got a value")
                merged[group][name] = plain(table, f"{group}.{name}", labels)
                place[f"{group}.{name}"] = where
        if tables.get("air_brake"):
            given = plain(tables["air_brake"], "air_brake", labels)
            lag = ("build_up_s", "release_s")
            dropped = {"cylinder"} if any(key in given for key in lag) else set(lag) if "cylinder" in given else set()
            for key in dropped - set(given):
                merged["air_brake"].pop(key, None)
                labels.pop(f"air_brake.{key}", None)
            merged["air_brake"].update(given)
            place["air_brake"] = where
        return Parts(**merged, place=place, labels=labels)


def plain(table, where, labels):
    """A table with every { value, source, confidence } replaced by its value; the labels go into `labels`."""
    values = {}
    for key in list(labels):
        if key.startswith(where + ".") and (where != "air_brake" or key.rpartition(".")[2] in table):
            del labels[key]
    for key, value in table.items():
        if isinstance(value, dict) and "value" in value:
            labels[f"{where}.{key}"] = PartLabel(
                f"{where}.{key}", str(value.get("source", "")), str(value.get("confidence", ""))
            )
            value = value["value"]
        values[key] = value
    return values


def find(parts, group, name, asked_by):
    """Table of a part and its Places, or one line that says what there is."""
    tables = getattr(parts, group)
    if name not in tables:
        close = difflib.get_close_matches(name, tables, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(sorted(tables)) or 'none'}"
        raise ScenarioError(f"{asked_by}: unknown {group} {name!r}; {hint}")
    return tables[name], parts.place[f"{group}.{name}"].at(group, name)


def make_vehicle(parts, name, asked_by):
    """Vehicle of a name."""
    table, where = find(parts, "vehicle", name, asked_by)
    k = validated(keys.VehicleKeys, table, where)
    friction = columns(k.brake_friction, 2, f"{where}: brake_friction")
    if k.brake_force_kn == 0.0 and {"brake_friction", "cylinder"} & k.model_fields_set:
        key = "brake_friction" if "brake_friction" in k.model_fields_set else "cylinder"
        raise ScenarioError(f"{where}: {key} without brake_force_kn does nothing; give the force or leave it out")
    traction = None if k.traction is None else make_traction(parts, k.traction, where)
    vehicle = TrainVehicle(
        name,
        k.mass_t * 1e3,
        k.length_m,
        k.axles,
        k.resistance_factor,
        k.brake_force_kn * 1e3,
        friction[0] / 3.6,
        friction[1],
        traction,
        None if k.cylinder is None else make_cylinder(parts, k.cylinder, where),
    )
    check_vehicle(vehicle)
    return vehicle


def make_traction(parts, name, asked_by):
    """Traction and dynamic brake of a name: power at a notch, or curves."""
    table, where = find(parts, "traction", name, asked_by)
    if "tractive_effort_kn" in table:
        return make_notch_power(name, validated(keys.NotchPowerKeys, table, where), where)
    if not {"traction_kn", *RENAMED} & set(table):
        raise ScenarioError(f"{where}: no curve; give speed_kmh and traction_kn, or tractive_effort_kn and power_kw")
    k = validated(keys.TractionCurveKeys, table, where)
    speed = np.array(k.speed_kmh) / 3.6
    rows = {"traction_kn": k.traction_kn, "dynamic_brake_kn": k.dynamic_brake_kn or [[0.0] * len(speed)]}
    for label, table_rows in rows.items():
        for n, row in enumerate(table_rows, start=1):
            if len(row) != len(speed):
                raise ScenarioError(
                    f"{where}: {label} of notch {n} must have {len(speed)} values, one per speed, got {len(row)}"
                )
    arrays = [np.vstack([np.zeros(len(speed)), np.array(r) * 1e3]) for r in rows.values()]
    curves = TractionCurves(name, speed, *arrays)
    check_traction(curves)
    return curves


def make_notch_power(name, k, where):
    """Power at a notch of checked keys."""
    if (k.brake_effort_kn is None) != (k.brake_power_kw is None):
        raise ScenarioError(f"{where}: give brake_effort_kn and brake_power_kw together, or neither")
    if k.brake_effort_kn is None and "brake_fade_kmh" in k.model_fields_set:
        raise ScenarioError(f"{where}: brake_fade_kmh without brake_effort_kn does nothing")
    if (k.adhesion is None) != (k.adhesive_mass_t is None):
        raise ScenarioError(f"{where}: give adhesion and adhesive_mass_t together, or neither")
    pairs = ((k.tractive_effort_kn, k.power_kw, 2), (k.brake_effort_kn or [], k.brake_power_kw or [], 1))
    values = []
    for effort, power, exponent in pairs:
        counts = {len(v) for v in (effort, power) if isinstance(v, list) and v} or {k.notches or 8}
        if k.notches is not None and pairs[0][0] is effort:
            counts.add(k.notches)
        if len(counts) > 1:
            shown = " and ".join(map(str, sorted(counts)))
            raise ScenarioError(f"{where}: efforts and powers must be as many as notches says, got {shown}")
        share = np.arange(1, counts.pop() + 1)
        share = share / share[-1]
        values += [1e3 * np.array(effort) * (1.0 if isinstance(effort, list) else share)]
        values += [1e3 * np.array(power) * (1.0 if isinstance(power, list) else share**exponent)]
    limit = {}
    if k.adhesion is not None:
        law = CURTIUS_KNIFFLER if isinstance(k.adhesion, str) else (k.adhesion, 0.0, 1.0)
        limit = {"adhesion": adhesion_limit(k.adhesive_mass_t * 1e3, law)}
    form = NotchPower(name, *(np.append(0.0, v) for v in values), k.brake_fade_kmh / 3.6, **limit)
    try:
        check_traction(form)
    except ScenarioError as error:
        raise ScenarioError(f"{where}: {str(error).partition(': ')[2]}") from None
    return form


def make_cylinder(parts, name, asked_by):
    """Brake cylinder of a name: by its times or by its curves."""
    table, where = find(parts, "cylinder", name, asked_by)
    k = validated(keys.CylinderKeys, table, where)
    tables, times = (k.fill, k.release), (k.fill_s, k.release_s)
    if None not in tables and times == (None, None):
        unused = [key for key in ("shape", "max_bar") if key in k.model_fields_set]
        if unused:
            raise ScenarioError(f"{where}: {unused[0]} is not read beside fill and release; remove it")
        make = table_cylinder
        arguments = [columns(rows, 2, f"{where}: {key}").T for rows, key in ((k.fill, "fill"), (k.release, "release"))]
    elif tables == (None, None) and None not in times:
        make = exponential_cylinder if k.shape == "exponential" else linear_cylinder
        arguments = [*times, k.max_bar]
    else:
        raise ScenarioError(
            f"{where}: give fill_s and release_s, or fill and release; got {', '.join(table) or 'none'}"
        )
    with of_place(parts.place[f"cylinder.{name}"]):
        return make(name, *arguments)


def make_coupler(parts, name, asked_by):
    """Coupling system of a name."""
    table, where = find(parts, "coupler", name, asked_by)
    kind = table.get("kind", "coupler")
    if kind not in COUPLER_KEYS:
        raise ScenarioError(f"{where}: kind must be one of {', '.join(COUPLER_KEYS)}, got {kind!r}")
    k = validated(COUPLER_KEYS[kind], table, where)
    if kind == "rigid_bar":
        return rigid_bar(name)
    if kind == "elastic_bar":
        return linear_coupler(name, k.stiffness_kn_mm * 1e6, damping=k.damping_kns_m * 1e3)
    common = {"transition_speed": k.transition_mm_s * 1e-3, "damping": k.damping_kns_m * 1e3}
    if kind == "coupler":
        draft = side(k.draft, k.solid_kn_mm, f"{where}: draft").in_series(k.gears)
        buff = draft
        if k.buff is not None:
            buff = side(k.buff, k.solid_kn_mm, f"{where}: buff").in_series(k.gears)
        half = 0.5e-3 * k.clearance_mm
        coupler = Coupler(name, draft, buff, half, half, **common)
    else:
        hook = side(k.hook, k.hook_solid_kn_mm, f"{where}: hook").in_series(k.hook_gears)
        one = side(k.buffer, k.buffer_solid_kn_mm, f"{where}: buffer").in_series(k.buffer_gears)
        m = k.buffers_side_by_side
        buffers = replace(
            one, loading=m * one.loading, unloading=m * one.unloading, solid_stiffness=m * one.solid_stiffness
        )
        coupler = Coupler(name, hook, buffers, 0.0, -1e-3 * k.pretension_mm, **common)
    with of_place(parts.place[f"coupler.{name}"]):
        check_coupler(coupler)
    return coupler


def side(rows, solid, where):
    """One side of a coupling from rows of mm, kN, kN and the solid stiffness in kN/mm."""
    deflection, loading, unloading = columns(rows, 3, where)
    return CouplingSide(deflection * 1e-3, loading * 1e3, unloading * 1e3, solid * 1e6)


def columns(rows, count, where):
    """Columns of a list of rows, (count, k)."""
    for n, row in enumerate(rows, start=1):
        if len(row) != count:
            raise ScenarioError(f"{where}: row {n} must have {count} values, got {len(row)}")
    if not rows:
        raise ScenarioError(f"{where}: has no rows")
    return np.array(rows, dtype=float).T.copy()


def make_air_brake(parts):
    """Air brake of the train, and the cylinder of vehicles that name none (None: the lag)."""
    where = parts.place.get("air_brake", Places(Path("scenario"))).at("air_brake")
    k = validated(keys.AirBrakeKeys, parts.air_brake, where)
    lag = [key for key in ("build_up_s", "release_s") if key in k.model_fields_set]
    if k.cylinder is not None and lag:
        raise ScenarioError(f"{where}: {lag[0]} is not read beside cylinder; the times of {k.cylinder!r} hold")
    cylinder = None if k.cylinder is None else make_cylinder(parts, k.cylinder, where)
    return AirBrake(k.apply_m_s, k.release_m_s, k.build_up_s, k.release_s, k.growth_s_km / 1e3), cylinder
