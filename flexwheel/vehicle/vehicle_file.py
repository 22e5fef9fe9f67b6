"""Vehicle files: bodies, wheelsets, axle boxes and force elements with the source of every value.

A value is a number, or a table { value, source, confidence, note, factor }; by the factor an uncertain value may be off
(`flexwheel sensitivity`). What is `assumed` stays so: the list of these values goes along
with the vehicle and is printed by every run.

Any number of bodies (car body, bogie frames), wheelsets and force elements. A wheelset may name the body that carries
it (`frame`). An element table stands for a group of equal elements:

- without `body_a`: one at every axle box (of `wheelsets`, if given), mirrored to the right side; `other_body` is a
  body, `ground`, or `frame` for the body that carries the wheelset;
- with `body_a` (a body, or a list of bodies): one on each side of every such body, or with `sides` = "middle", "left",
  "right" only there; point_a_m and point_b_m are given from the centre of body a, or with `heights` = "rail" with z
  counted from the rails;
- `x_m` lists further copies along the track, `mirror_x` mirrors copies behind the middle of the vehicle in x as well;
- `static_share` names the body, or the bodies, whose weight the group carries in equal parts.

`kind` (locomotive, railcar, coach, freight_wagon) is that of the limits of EN 14363.

Without an [axle_box] the elements at axle boxes act on the wheelset itself, at its journals.
"""

import difflib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, exists, off_by, read_toml

FOLDER = Path(__file__).resolve().parent / "files"
CONFIDENCES = ("published", "published (secondary)", "derived", "assumed")
LABEL_KEYS = ("value", "unit", "source", "confidence", "note", "factor")
TOP_KEYS = {"name", "source", "kind", "wheel", "bodies", "wheelsets", "axle_box", "elements"}
LEAST = 1e-6
"""[kg, kg m2, m] of masses, moments of inertia, lengths: less is nothing of a vehicle; its matrices are singular."""
BODY_KEYS = {"mass_kg", "roll_inertia_kg_m2", "pitch_inertia_kg_m2", "yaw_inertia_kg_m2", "position_m"}
WHEELSET_KEYS = {"position_m", "mass_kg", "roll_inertia_kg_m2", "spin_inertia_kg_m2", "journal_y_m", "driven", "frame"}
BOX_KEYS = {"mass_kg", "roll_inertia_kg_m2", "pitch_inertia_kg_m2", "yaw_inertia_kg_m2", "centre_m", "revolute"}
WHEEL_KEYS = {"radius_m", "flange_back_m"}
FLAGS = ("driven", "revolute", "mirror_x")
WHEEL_SIZES = {"radius_m": (0.1, 3.0), "flange_back_m": (0.2, 3.0)}  # [m] what profiles can be placed on
LARGEST = 1e15  # of any number: steel of a metre's size has 1e11 N/m
SIDES = ("both", "left", "right", "middle")
KINDS = ("locomotive", "railcar", "coach", "freight_wagon")
IDLE_BESIDE = (("wheelsets", "body_a"), ("preload_n", "static_share"))  # keys of an element that shut out each other
UNCERTAIN = ("assumed",)


@dataclass(frozen=True)
class Label:
    """Where a value comes from."""

    key: str
    value: object
    source: str
    confidence: str
    note: str = ""
    factor: float | None = None  # by which the value may be off, for `flexwheel sensitivity`


@dataclass(frozen=True)
class VehicleFile:
    """A vehicle as its file states it: plain values under the keys of the file, and their labels."""

    name: str
    path: str = field(compare=False)
    wheel: dict
    bodies: dict[str, dict]
    wheelsets: dict[str, dict]  # leading one first
    axle_box: dict | None
    elements: dict[str, dict]
    labels: tuple[Label, ...]
    kind: str = ""  # one of KINDS, or empty where the file names none

    @property
    def assumed(self) -> tuple[Label, ...]:
        """Values that are placeholders or memory, not data."""
        return tuple(label for label in self.labels if label.confidence in UNCERTAIN)


def read_vehicle(name_or_path) -> VehicleFile:
    """Vehicle of a shipped name, or of a TOML file.

    Raises
    ------
    ScenarioError   no such vehicle, not TOML, an unknown or missing key, a value that is not finite or of the
                    wrong sign; file and key are named
    """
    path = _find(name_or_path)
    return vehicle_of(read_toml(path, "a vehicle in TOML"), path)


def vehicle_of(data, path) -> VehicleFile:
    """Vehicle of the tables of a file; path names them in messages; errors as `read_vehicle`."""
    labels = []
    plain = _plain(data, "", labels, path)
    _check_numbers(plain, "", path)
    _known(plain, TOP_KEYS, path, "")
    for key in ("wheel", "bodies", "wheelsets"):
        if not isinstance(plain.get(key), dict):
            raise ScenarioError(f"{path}: table [{key}] must be given")
    if not isinstance(plain.get("elements", {}), dict):
        raise ScenarioError(f"{path}: elements must be a table of tables, got {plain['elements']!r}")
    vehicle = VehicleFile(
        name=str(plain.get("name", path.stem)),
        path=str(path),
        wheel=plain["wheel"],
        bodies=plain["bodies"],
        wheelsets=dict(sorted(plain["wheelsets"].items(), key=lambda item: -_number(item[1], "position_m", path))),
        axle_box=plain.get("axle_box"),
        elements=plain.get("elements", {}),
        labels=tuple(labels),
        kind=plain.get("kind", ""),
    )
    if "kind" in plain:
        _one_of(vehicle.kind, KINDS, f"{path}: kind")
    _check(vehicle, path)
    return vehicle


def _find(name_or_path):
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return path
    path = FOLDER / f"{name_or_path}.toml"
    if not exists(path):
        known = ", ".join(
            sorted(p.stem for p in FOLDER.glob("*.toml") if "[wheelsets." in p.read_text(encoding="utf-8"))
        )
        raise ScenarioError(f"vehicle must be one of {known}, or a .toml file, got {str(name_or_path)!r}")
    return path


def _plain(table, prefix, labels, path):
    """Values without their labels; labels collected."""
    out = {}
    for key, value in table.items():
        where = f"{prefix}{key}"
        if isinstance(value, dict) and "value" in value:
            unknown = set(value) - set(LABEL_KEYS)
            if unknown:
                raise ScenarioError(
                    f"{path}: {where}: unknown label {sorted(unknown)[0]!r}; known: {', '.join(LABEL_KEYS)}"
                )
            confidence = value.get("confidence", "")
            if confidence not in CONFIDENCES:
                raise ScenarioError(
                    f"{path}: {where}.confidence must be one of {'; '.join(CONFIDENCES)}, got {confidence!r}"
                )
            factor = off_by(value, f"{path}: {where}")
            note = value.get("note", "")
            labels.append(Label(where, value["value"], value.get("source", ""), confidence, note, factor))
            out[key] = value["value"]
        elif isinstance(value, dict):
            out[key] = _plain(value, where + ".", labels, path)
        else:
            out[key] = value
    return out


def _check_numbers(value, where, path):
    """Every number is finite and none absurd; a flag stands only where a flag is meant."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_numbers(inner, f"{where}.{key}" if where else key, path)
    elif isinstance(value, list):
        for inner in value:
            _check_numbers(inner, where, path)
    elif isinstance(value, bool) != (where.rpartition(".")[2] in FLAGS):
        meant = "a number, a text or a table" if isinstance(value, bool) else "true or false"
        raise ScenarioError(f"{path}: {where} must be {meant}, got {clipped(str(value).lower())}")
    elif isinstance(value, int | float) and not abs(value) <= LARGEST:
        came = clipped(str(value))
        raise ScenarioError(f"{path}: {where} must be a finite number from {-LARGEST:g} to {LARGEST:g}, got {came}")


def _known(table, known, path, where):
    for key in table:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f", did you mean {close[0]}? Known" if close else "; known"
            raise ScenarioError(f"{path}: unknown key {where}{key}{hint}: {', '.join(sorted(known))}")


def _number(table, key, path):
    value = table.get(key) if isinstance(table, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise ScenarioError(f"{path}: {key} must be a number, got {value!r}")
    return float(value)


def _check(vehicle, path):
    for section in ("bodies", "wheelsets", "elements"):
        for name, table in getattr(vehicle, section).items():
            if not isinstance(table, dict):
                raise ScenarioError(f"{path}: {section}.{name} must be a table of keys, got {table!r}")
    if not isinstance(vehicle.axle_box, dict | None):
        raise ScenarioError(f"{path}: axle_box must be a table of keys, got {vehicle.axle_box!r}")
    for name, group in vehicle.elements.items():
        _element(group, path, f"elements.{name}.")
    _known(vehicle.wheel, WHEEL_KEYS, path, "wheel.")
    _positive(vehicle.wheel, WHEEL_KEYS, path, "wheel.")
    for key, (low, high) in WHEEL_SIZES.items():
        if not low <= vehicle.wheel[key] <= high:
            raise ScenarioError(f"{path}: wheel.{key} must be {low:g} to {high:g} m, got {vehicle.wheel[key]:g}")
    for name, body in vehicle.bodies.items():
        _known(body, BODY_KEYS, path, f"bodies.{name}.")
        _positive(body, BODY_KEYS - {"position_m"}, path, f"bodies.{name}.")
        _vector(body, "position_m", path, f"bodies.{name}.")
    for name, wheelset in vehicle.wheelsets.items():
        _known(wheelset, WHEELSET_KEYS, path, f"wheelsets.{name}.")
        _positive(wheelset, WHEELSET_KEYS - {"position_m", "driven", "frame"}, path, f"wheelsets.{name}.")
        _flag(wheelset, "driven", path, f"wheelsets.{name}.")
        _one_of(wheelset.get("frame"), [None, *vehicle.bodies], f"{path}: wheelsets.{name}.frame")
    if vehicle.axle_box is not None:
        _known(vehicle.axle_box, BOX_KEYS, path, "axle_box.")
        _positive(vehicle.axle_box, BOX_KEYS - {"centre_m", "revolute"}, path, "axle_box.")
        _vector(vehicle.axle_box, "centre_m", path, "axle_box.")
        _flag(vehicle.axle_box, "revolute", path, "axle_box.")
    if not vehicle.wheelsets:
        raise ScenarioError(f"{path}: at least one table [wheelsets.NAME] must be given")


def _positive(table, keys, path, where):
    for key in sorted(keys):
        value = table.get(key)
        number = isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)
        if not number or value < LEAST:
            raise ScenarioError(f"{path}: {where}{key} must be a positive number, at least {LEAST:g}, got {value!r}")


def _vector(table, key, path, where):
    value = table.get(key)
    if not _numbers(value) or len(value) != 3:
        raise ScenarioError(f"{path}: {where}{key} must be three numbers, got {value!r}")


def _numbers(value):
    """Whether value is a list of finite numbers, at least one."""
    number = lambda x: isinstance(x, int | float) and not isinstance(x, bool) and np.isfinite(x)  # noqa: E731
    return isinstance(value, list) and len(value) > 0 and all(number(x) for x in value)


def _one_of(value, known, where):
    if value not in known:
        raise ScenarioError(
            f"{where} must be one of {', '.join(str(k) for k in known if k is not None)}, got {value!r}"
        )


def _element(group, path, where):
    if group.get("kind") != "anti_roll_bar":
        for key in ("point_a_m", "point_b_m"):
            _vector(group, key, path, where)
    if "x_m" in group and not _numbers(group["x_m"]):
        raise ScenarioError(f"{path}: {where}x_m must be a list of numbers, got {group['x_m']!r}")
    _one_of(group.get("sides", "both"), SIDES, f"{path}: {where}sides")
    _one_of(group.get("heights", "body"), ("body", "rail"), f"{path}: {where}heights")
    _flag(group, "mirror_x", path, where)
    for key in ("body_a", "static_share"):
        value = group.get(key, "")
        if not all(isinstance(name, str) for name in (value if isinstance(value, list) else [value])):
            raise ScenarioError(f"{path}: {where}{key} must be the name of a body, or a list of names, got {value!r}")
    if not isinstance(group.get("other_body", ""), str):
        raise ScenarioError(f"{path}: {where}other_body must be the name of a body, got {group['other_body']!r}")
    for key, beside in IDLE_BESIDE:
        if key in group and beside in group:
            raise ScenarioError(f"{path}: {where}{key} is not read beside {beside}; remove one of them")
    for key in ("sides", "heights"):
        if key in group and group.get("kind") == "anti_roll_bar":
            raise ScenarioError(f"{path}: {where}{key} is not read in an anti_roll_bar, which has no points; remove it")


def _flag(table, key, path, where):
    if not isinstance(table.get(key, False), bool):
        raise ScenarioError(f"{path}: {where}{key} must be true or false, got {table[key]!r}")
