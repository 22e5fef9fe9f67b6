"""Train scenarios: a TOML file with `kind = "train"` in, a TrainRun out; errors are one line each."""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.errors import ScenarioError
from flexwheel.io import train_keys as keys
from flexwheel.io.idle_keys import TRAIN_RULES, refuse_idle
from flexwheel.io.paths import PACKAGE_FOLDER, PACKAGED_FOLDERS
from flexwheel.io.scenario import place_of
from flexwheel.io.toml_lines import line_of
from flexwheel.io.train_parts import Label, Parts, checked, make_air_brake, make_coupler, make_vehicle
from flexwheel.train.driving import BY_DISTANCE, BY_TIME, HOLD_SPEED, Driving, check_driving
from flexwheel.train.route import Route, check_route
from flexwheel.train.simulate import TrainRun, check_run
from flexwheel.train.train import Train

MODES = {"by_time": BY_TIME, "by_distance": BY_DISTANCE, "hold_speed": HOLD_SPEED}


@dataclass(frozen=True)
class TrainScenario:
    """A train run, and what its file says besides.

    Attributes
    ----------
    run : TrainRun
    title, text, path                  of the file
    check_tolerance : bool
    deflection_coupler : int           from 1 at the head
    labels : tuple of Label            sources of the parts used, assumed ones among them
    """

    run: TrainRun
    title: str
    text: str
    path: Path
    check_tolerance: bool
    deflection_coupler: int
    labels: tuple[Label, ...]

    @property
    def assumed(self):
        """Keys whose values are stand-ins, not data."""
        return tuple(label.key for label in self.labels if label.confidence == "assumed")


def is_train_scenario(path):
    """Whether a file is a TOML scenario with `kind = "train"`; False for anything unreadable."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8")).get("kind") == "train"
    except (OSError, ValueError):
        return False


def read_train_scenario(path, overrides=()):
    """Read a train scenario.

    Parameters
    ----------
    path : str or Path
    overrides : sequence of "section.key=value"

    Returns
    -------
    TrainScenario

    Raises
    ------
    ScenarioError   one line: file, key, what came, what was expected
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: not UTF-8 text") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{path}: not valid TOML: {error}") from None
    for override in overrides:
        apply_override(data, override)
    keys_given = checked_with_line(data, path, text, overrides)
    refuse_idle(keys_given, TRAIN_RULES, overrides, place_of(path, text, overrides))
    return build_scenario(keys_given, data, path, text)


def checked_with_line(data, path, text, overrides=()):
    """Keys of the scenario; a problem names its line, or the override that it came by, where it can."""
    try:
        return checked(keys.TrainScenarioKeys, data, str(path))
    except ScenarioError as error:
        words = str(error).removeprefix(f"{path}: ").replace("unknown key ", "").split()
        for override in reversed(overrides):
            if words[0].strip("';") == override.partition("=")[0].strip():
                raise ScenarioError(str(error).replace(f"{path}:", f"--set {override}:", 1)) from None
        where = tuple(int(p) if p.isdigit() else p for p in words[0].strip("';").split("."))
        line = line_of(text, where)
        if line is None:
            raise
        raise ScenarioError(str(error).replace(f"{path}:", f"{path}:{line}:", 1)) from None


def build_scenario(k, data, path, text):
    """TrainScenario of checked keys."""
    parts = Parts()
    for name in k.train.parts:
        file = find_file(name, path, PACKAGE_FOLDER / "vehicles")
        parts = parts.with_tables(read_parts(file), str(file.name))
    parts = parts.with_tables(data, str(path))
    vehicles, couplers, channel, delay = form(k.train, parts, path)
    train = Train(tuple(vehicles), tuple(couplers), np.array(channel), np.array(delay), make_air_brake(parts))
    run = TrainRun(
        train,
        make_route(k.route, path),
        make_driving(k.driving, path),
        k.run.start_m,
        k.run.speed_kmh / 3.6,
        k.run.duration_s,
        k.run.tolerance,
        k.run.longest_step_s,
        k.run.locate_s,
        k.run.energy,
    )
    try:
        check_run(run)
    except ScenarioError as error:
        raise ScenarioError(f"{path}: {error}") from None
    reference = k.run.deflection_coupler or 1
    if reference > max(1, len(couplers)):
        raise ScenarioError(f"{path}: run.deflection_coupler = {reference}; expected at most {len(couplers)}")
    used = {f"vehicle.{v.name}" for v in vehicles} | {f"coupler.{c.name}" for c in couplers} | {"air_brake"}
    used |= {f"traction.{v.traction.name}" for v in vehicles if v.traction is not None}
    labels = tuple(label for key, label in parts.labels.items() if key.rsplit(".", 1)[0] in used)
    return TrainScenario(run, k.title or path.stem, text, path, k.run.check_tolerance, reference, labels)


def read_parts(file):
    """Tables of a file of parts."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"{file}: not valid TOML: {error}") from None
    checked(keys.PartsKeys, data, str(file))
    return data


def form(k, parts, path):
    """Vehicles, couplers, channels and delays of a formation."""
    vehicles, couplers, channel, delay = [], [], [], []
    made = {}

    def coupler(name, where):
        if name not in made:
            made[name] = make_coupler(parts, name, where)
        return made[name]

    stock = {}
    for number, block in enumerate(k.formation):
        where = f"{path}: train.formation[{number}]"
        if block.vehicle not in stock:
            stock[block.vehicle] = make_vehicle(parts, block.vehicle, where)
        for i in range(block.count):
            if vehicles:
                name = k.coupler if i == 0 else (block.coupler or k.coupler)
                if i % 2 == 1 and block.pair:
                    name = block.pair
                couplers.append(coupler(name, where))
            vehicles.append(stock[block.vehicle])
            channel.append(block.channel)
            delay.append(block.radio_delay_s)
    return vehicles, couplers, channel, delay


def make_route(k, path):
    """Route of the keys."""
    if k.file is not None:
        file = find_file(k.file, path)
        table = read_columns(file)
        curvature = table.get("curvature_per_km")
        if curvature is None and "radius_m" in table:
            radius = table["radius_m"]
            curvature = np.where(radius == 0, 0.0, 1e3 / np.where(radius == 0, 1.0, radius))
        for name in ("distance_m", "gradient_permille"):
            if name not in table:
                raise ScenarioError(f"{file}: column {name} is missing; it has {', '.join(table)}")
        if curvature is None:
            raise ScenarioError(f"{file}: neither column curvature_per_km nor radius_m; it has {', '.join(table)}")
        name = file.name
        columns = table["distance_m"], table["gradient_permille"], curvature
    else:
        if k.distance_m is None or k.gradient_permille is None:
            raise ScenarioError(f"{path}: route: give file, or distance_m and gradient_permille")
        name = "in the scenario"
        columns = [
            np.array(c, dtype=float)
            for c in (
                k.distance_m,
                k.gradient_permille,
                k.curvature_per_km if k.curvature_per_km is not None else [0.0] * len(k.distance_m),
            )
        ]
    route = Route(columns[0], np.asarray(columns[1]) * 1e-3, np.asarray(columns[2]) * 1e-3, name)
    check_route(route)
    return route


def make_driving(k, path):
    """Driving of the keys."""
    at, level, brake_at, brake = k.at, None if k.notch is None else [k.notch], k.brake_at, k.brake
    if k.file is not None:
        file = find_file(k.file, path)
        table = read_columns(file)
        axis = "time_s" if k.mode == "by_time" else "distance_m"
        notches = sorted(name for name in table if name == "notch" or name.startswith("notch_"))
        if axis not in table or not notches:
            raise ScenarioError(
                f"{file}: needs the columns {axis} and notch for mode {k.mode}; it has {', '.join(table)}"
            )
        at, level = table[axis], [table[name] for name in notches]
        if "brake" in table:
            brake_at, brake = table[axis], table["brake"]
    if at is None:
        raise ScenarioError(f"{path}: driving: give file, or at with notch or speed_kmh")
    at = np.array(at, dtype=float)
    speed = np.zeros(1)
    if k.mode == "hold_speed":
        if k.speed_kmh is None:
            raise ScenarioError(f"{path}: driving: mode hold_speed needs speed_kmh")
        speed, level = np.array(k.speed_kmh) / 3.6, [np.zeros(len(at))]
    if level is None:
        raise ScenarioError(f"{path}: driving: notch is missing")
    if any(len(row) != len(at) for row in level):
        raise ScenarioError(f"{path}: driving: {len(at)} points and {len(level[0])} notches; expected equal")
    if (brake_at is None) != (brake is None):
        raise ScenarioError(f"{path}: driving: give brake_at and brake together")
    driving = Driving(
        MODES[k.mode],
        at,
        np.array(level, dtype=float),
        np.zeros(1) if brake_at is None else np.array(brake_at, dtype=float),
        np.zeros(1) if brake is None else np.array(brake, dtype=float),
        speed,
        k.tick_s,
        k.gain_notch_per_m_s,
        k.reset_per_s,
        k.max_notch,
        k.max_brake_notch,
        k.notch_per_s,
        k.whole_notches,
        k.air_brake_above_kmh / 3.6,
        k.air_brake,
    )
    check_driving(driving)
    return driving


def read_columns(file):
    """Columns of a CSV file by name; lines that start with # are remarks."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    rows = list(csv.reader(lines))
    if len(rows) < 2:
        raise ScenarioError(f"{file}: no rows; expected a line of column names and rows of numbers")
    names = [name.strip() for name in rows[0]]
    for number, row in enumerate(rows[1:], start=1):
        if len(row) != len(names):
            raise ScenarioError(f"{file}: row {number} has {len(row)} values; expected {len(names)}")
    try:
        values = np.array(rows[1:], dtype=float)
    except ValueError as error:
        raise ScenarioError(f"{file}: {error}; expected numbers") from None
    return dict(zip(names, values.T.copy(), strict=True))


def find_file(name, scenario, *folders):
    """A file named in a scenario: beside it, in the working folder, or among the packaged data."""
    places = [scenario.resolve().parent, Path.cwd(), *folders, *PACKAGED_FOLDERS]
    for folder in places:
        candidate = (folder / Path(name).expanduser()).resolve()
        if candidate.is_file():
            return candidate
    raise ScenarioError(f"{scenario}: no such file {name!r}; looked in {', '.join(str(p) for p in places)}")


def apply_override(data, override):
    """Set one key from "section.key=value"."""
    key, equals, value = override.partition("=")
    parts = key.strip().split(".")
    if not equals or not parts[0]:
        raise ScenarioError(f"--set {override}: expected section.key=value")
    table = data
    for part in parts[:-1]:
        if isinstance(table, list):
            if not part.isdigit() or int(part) >= len(table):
                raise ScenarioError(f"--set {override}: {part} should be an index from 0 to {len(table) - 1}")
            table = table[int(part)]
        else:
            table = table.setdefault(part, {})
        if not isinstance(table, dict | list):
            raise ScenarioError(f"--set {override}: {part} is a value, not a section")
    try:
        parsed = tomllib.loads(f"value = {value.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value.strip()
    if isinstance(table, list):
        raise ScenarioError(f"--set {override}: names a list, not a key")
    table[parts[-1]] = parsed
