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
import itertools
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, exists, off_by, read_toml
from flexwheel.vehicle.elements.kinds import FORCE_ELEMENTS

FOLDER = Path(__file__).resolve().parent / "files"
CONFIDENCES = ("published", "published (secondary)", "derived", "assumed")
LABEL_KEYS = ("value", "unit", "source", "confidence", "note", "factor")
LEAST = 1e-6
"""[kg, kg m2, m] of masses, moments of inertia, lengths: less is nothing of a vehicle; its matrices are singular."""
ORIGIN = 0.01  # [m] from which the place of the leading wheelset may be off
LARGEST = 1e15  # of any number: steel of a metre's size has 1e11 N/m
KINDS = ("locomotive", "railcar", "coach", "freight_wagon")


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)


def _are_numbers(value, count=None):
    return isinstance(value, list) and len(value) == (count or max(len(value), 1)) and all(map(_is_number, value))


def _are_names(value):
    """Names, each once."""
    names = value if isinstance(value, list) else [value]
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(names)


def _within(low, high):
    """Rule of a length."""
    return f"{low:g} to {high:g} m", lambda value: _is_number(value) and low <= value <= high


def _one_of(*known):
    """Rule of a key that may be left out."""
    return f"one of {', '.join(known)}", lambda value: value is None or value in known


# what a key must be, and a test of its value; None: left out
NUMBER = "a number", _is_number
POSITIVE = f"a positive number, at least {LEAST:g}", lambda value: _is_number(value) and value >= LEAST
VECTOR = "three numbers", lambda value: _are_numbers(value, 3)
FLAG = "true or false", lambda value: value is None or isinstance(value, bool)
NAME = "the name of a body", lambda value: value is None or isinstance(value, str)
NAMES = "the name of a body, or a list of names, each once", lambda value: value is None or _are_names(value)
INERTIA = dict.fromkeys(("mass_kg", "roll_inertia_kg_m2", "pitch_inertia_kg_m2", "yaw_inertia_kg_m2"), POSITIVE)
AXLE = dict.fromkeys(("mass_kg", "roll_inertia_kg_m2", "spin_inertia_kg_m2", "journal_y_m"), POSITIVE)

TOP_KEYS = {"name", "source", "kind", "wheel", "bodies", "wheelsets", "axle_box", "elements"}
WHEEL_KEYS = {"radius_m": _within(0.1, 3.0), "flange_back_m": _within(0.2, 3.0)}  # what profiles can be placed on
BODY_KEYS = INERTIA | {"position_m": VECTOR}
BOX_KEYS = INERTIA | {"centre_m": VECTOR, "revolute": FLAG}
WHEELSET_KEYS = AXLE | {"position_m": NUMBER, "driven": FLAG, "frame": NAME}
GROUP_KEYS = {
    "x_m": ("a list of numbers", lambda value: value is None or _are_numbers(value)),
    "sides": _one_of("both", "left", "right", "middle"),
    "heights": _one_of("body", "rail"),
    "mirror_x": FLAG,
    "body_a": NAMES,
    "static_share": NAMES,
    "other_body": NAME,
    "wheelsets": (
        "a list of wheelsets, each once",
        lambda value: value is None or (isinstance(value, list) and _are_names(value)),
    ),
}
"""Of a group of elements, beside those of the element itself."""
FLAGS = {key for keys in (BOX_KEYS, WHEELSET_KEYS, GROUP_KEYS) for key, rule in keys.items() if rule is FLAG}
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
    _check(plain, path)
    return VehicleFile(
        name=str(plain.get("name", path.stem)),
        path=str(path),
        wheel=plain["wheel"],
        bodies=plain["bodies"],
        wheelsets=dict(sorted(plain["wheelsets"].items(), key=lambda item: -item[1]["position_m"])),
        axle_box=plain.get("axle_box"),
        elements=plain.get("elements", {}),
        labels=tuple(labels),
        kind=plain.get("kind", ""),
    )


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


def _check(plain, path):
    """Refuse tables of a vehicle that are not as declared."""
    _require(plain, {"kind": _one_of(*KINDS)}, path, "")
    for section in ("bodies", "wheelsets", "elements"):
        for name, table in plain.get(section, {}).items():
            if not isinstance(table, dict):
                raise ScenarioError(f"{path}: {section}.{name} must be a table of keys, got {table!r}")
    if not isinstance(plain.get("axle_box", {}), dict):
        raise ScenarioError(f"{path}: axle_box must be a table of keys, got {plain['axle_box']!r}")
    for name, group in plain.get("elements", {}).items():
        _element(group, path, f"elements.{name}.")
    wheelset_keys = WHEELSET_KEYS | {"frame": _one_of(*plain["bodies"])}
    sections = [("wheel.", plain["wheel"], WHEEL_KEYS)]
    sections += [(f"bodies.{name}.", body, BODY_KEYS) for name, body in plain["bodies"].items()]
    sections += [(f"wheelsets.{name}.", wheelset, wheelset_keys) for name, wheelset in plain["wheelsets"].items()]
    sections += [("axle_box.", plain["axle_box"], BOX_KEYS)] if "axle_box" in plain else []
    for where, table, keys in sections:
        _known(table, keys, path, where)
        _require(table, keys, path, where)
    if not plain["wheelsets"]:
        raise ScenarioError(f"{path}: at least one table [wheelsets.NAME] must be given")
    for name in sorted({"ground", "frame", *plain["wheelsets"]} & set(plain["bodies"])):
        raise ScenarioError(f"{path}: bodies.{name} must have another name than a wheelset, ground and frame")
    places = sorted(((table["position_m"], name) for name, table in plain["wheelsets"].items()), reverse=True)
    place, first = places[0]
    if abs(place) > ORIGIN:
        said = f"must be 0, from which every position_m counts, got {place:g}: take that off all of them"
        raise ScenarioError(f"{path}: wheelsets.{first}.position_m {said}")
    for (ahead, leading), (place, name) in itertools.pairwise(places):
        if ahead - place < 2.0 * plain["wheel"]["radius_m"]:
            said = f"must be two wheel radii from wheelsets.{leading}.position_m = {ahead:g} or more, got {place:g}"
            raise ScenarioError(f"{path}: wheelsets.{name}.position_m {said}")


def _require(table, keys, path, where):
    """Refuse values of a table that are not as the rules of its keys say."""
    for key, (expected, allowed) in keys.items():
        if not allowed(table.get(key)):
            came = f"be {expected}, got {table[key]!r}" if key in table else f"be given: {expected}"
            raise ScenarioError(f"{path}: {where}{key} must {came}")


def _element(group, path, where):
    kinds = sorted(FORCE_ELEMENTS)
    _require(group, {"kind": (f"one of {', '.join(kinds)}", kinds.__contains__)}, path, where)
    points = {} if group.get("kind") == "anti_roll_bar" else dict.fromkeys(("point_a_m", "point_b_m"), VECTOR)
    _require(group, points | GROUP_KEYS, path, where)
    for key, beside in IDLE_BESIDE:
        if key in group and beside in group:
            raise ScenarioError(f"{path}: {where}{key} is not read beside {beside}; remove one of them")
    for key in ("sides", "heights", "x_m", "mirror_x"):
        if key in group and group.get("kind") == "anti_roll_bar":
            raise ScenarioError(f"{path}: {where}{key} is not read in an anti_roll_bar, which has no points; remove it")
