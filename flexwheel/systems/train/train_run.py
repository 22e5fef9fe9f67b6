"""Train scenarios: a TOML file with `kind = "train"` in, a TrainRun out; errors are one line each."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError, of_place
from flexwheel.base.input_files import LARGEST_TOML, parse_toml, read_text
from flexwheel.run.keys.reader import Places, read_scenario_source, validated
from flexwheel.run.keys.section import VEHICLES
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.systems.train.check_run import check_run
from flexwheel.systems.train.route import Route, check_route
from flexwheel.systems.train.simulate_train import TrainRun
from flexwheel.systems.train.train import Train
from flexwheel.systems.train.train_driving import make_driving
from flexwheel.systems.train.train_keys import PartsKeys
from flexwheel.systems.train.train_parts import (
    GROUPS,
    PartLabel,
    Parts,
    make_air_brake,
    make_coupler,
    make_cylinder,
    make_vehicle,
)
from flexwheel.systems.train.train_tables import read_columns

MOST_VEHICLES = 2000


@dataclass(frozen=True)
class BuiltTrain:
    """A train run, and what its file says besides."""

    run: TrainRun
    title: str  # of the file
    text: str  # as run, every key resolved
    path: Path
    check_tolerance: bool
    deflection_coupler: int  # from 1 at the head
    labels: tuple[PartLabel, ...]  # sources of the parts used, assumed ones among them

    @property
    def assumed(self):
        """Keys whose values are stand-ins, not data."""
        return tuple(label.key for label in self.labels if label.confidence == "assumed")


def read_train_scenario(path, overrides=()):
    """TrainScenario of a file with `kind = "train"`; arguments and errors as `reader.read_scenario`."""
    return build_train_run(read_scenario_source(path, overrides, ("train",)))


def build_train_run(source):
    """Train scenario of what was read (ScenarioSource); one line of error as the reader's."""
    k, path = source.scenario, source.path
    own = {name: value for name in PartsKeys.model_fields if (value := getattr(k, name))}
    parts = read_all_parts(k.train.parts).with_tables(own, source.places)
    train, used, labels = make_train(k.train, parts, path)
    for group in GROUPS:
        for name in getattr(k, group):
            if f"{group}.{name}" not in used:
                raise ScenarioError(f"{path}: {group}.{name} is used by no vehicle of the train; leave it out")
    run = TrainRun(
        train,
        make_route(k.route, path),
        make_driving(k.driving, path, train),
        k.run.start_position_m,
        k.run.speed_kmh / 3.6,
        k.run.duration_s,
        k.run.tolerance,
        k.run.longest_step_s,
        k.run.locate_s,
        k.run.energy,
    )
    with of_place(path):
        check_run(run)
    reference = k.run.deflection_coupler or 1
    if reference > max(1, len(train.couplers)):
        raise ScenarioError(f"{path}: run.deflection_coupler must be at most {len(train.couplers)}, got {reference}")
    return BuiltTrain(run, k.title or path.stem, scenario_toml(k), path, k.run.check_tolerance, reference, labels)


def read_all_parts(names):
    """Parts of the files a train names."""
    parts = Parts()
    for name in names:
        file = VEHICLES / name  # which a name with a folder stands instead of
        text = read_text(file, "a file of train parts", largest=LARGEST_TOML)
        place = Places(Path(file.name), text)
        data = parse_toml(text, file.name)
        validated(PartsKeys, data, place)
        parts = parts.with_tables(data, place)
    return parts


def make_train(k, parts, path):
    """Train of a formation: (Train, names of the parts used, labels of those)."""
    air_brake, cylinder = make_air_brake(parts)
    vehicles, couplers, channel, delay = form(k, parts, path)
    if all(v.cylinder is not None for v in vehicles):
        lag = [key for key in ("build_up_s", "release_s", "cylinder") if key in parts.air_brake]
        if lag and parts.place["air_brake"].path == path:
            raise ScenarioError(f"{path}: air_brake.{lag[0]} does nothing: every vehicle names a cylinder")
    made = {}  # equal vehicles stay one object
    for v in vehicles:
        made[id(v)] = made.get(id(v)) or (v if v.cylinder or not cylinder else replace(v, cylinder=cylinder))
    vehicles = tuple(made[id(v)] for v in vehicles)
    train = Train(vehicles, tuple(couplers), np.array(channel), np.array(delay), air_brake)
    used = {f"vehicle.{v.name}" for v in vehicles} | {f"coupler.{c.name}" for c in couplers} | {"air_brake"}
    used |= {f"traction.{v.traction.name}" for v in vehicles if v.traction is not None}
    used |= {f"cylinder.{v.cylinder.name}" for v in vehicles if v.cylinder is not None}
    labels = tuple(label for key, label in parts.labels.items() if key.rsplit(".", 1)[0] in used)
    return train, used, labels


def form(k, parts, path):
    """Vehicles, couplers, channels and delays of a formation."""
    vehicles, couplers, channel, delay = [], [], [], []
    made, stock, cylinders = {}, {}, {}

    def coupler(name, where):
        if name not in made:
            made[name] = make_coupler(parts, name, where)
        return made[name]

    for number, block in enumerate(k.formation):
        where = f"{path}: train.formation[{number}]"
        if block.vehicle not in stock:
            stock[block.vehicle] = make_vehicle(parts, block.vehicle, where)
        vehicle = stock[block.vehicle]
        check_block(block, vehicle, where)
        if block.cylinder is not None:
            if block.cylinder not in cylinders:
                cylinders[block.cylinder] = make_cylinder(parts, block.cylinder, where)
            vehicle = replace(vehicle, cylinder=cylinders[block.cylinder])
        for i in range(block.count):
            if vehicles:
                name = k.coupler if i == 0 else (block.coupler or k.coupler)
                if i % 2 == 1 and block.pair:
                    name = block.pair
                couplers.append(coupler(name, where))
            vehicles.append(vehicle)
            channel.append(block.channel)
            delay.append(block.radio_delay_s)
            if len(vehicles) > MOST_VEHICLES:
                raise ScenarioError(f"{path}: train.formation has more than {MOST_VEHICLES} vehicles")
    if "coupler" in k.model_fields_set and k.coupler not in made:
        raise ScenarioError(f"{path}: train.coupler = {k.coupler!r} joins no two vehicles; leave it out")
    return vehicles, couplers, channel, delay


def check_block(block, vehicle, where):
    """Refuse keys of a block that do nothing in it."""
    if block.count == 1 and (block.pair or block.coupler):
        key = "pair" if block.pair else "coupler"
        raise ScenarioError(f"{where}: {key} is inside the block; count = 1 has none")
    if block.count == 2 and block.pair and block.coupler:
        raise ScenarioError(f"{where}: coupler does nothing: the two vehicles are a pair")
    if vehicle.traction is None:
        for key in ("channel", "radio_delay_s"):
            if getattr(block, key):
                raise ScenarioError(f"{where}: {key} does nothing: {block.vehicle!r} has no traction")
    if block.cylinder is not None and vehicle.brake_force == 0.0:
        raise ScenarioError(f"{where}: cylinder does nothing: {block.vehicle!r} has no brake_force_kn")


def make_route(k, path):
    """Route of the keys."""
    if k.file is not None:
        file = Path(k.file)
        table = read_columns(file, {"distance_m", "gradient_permille", "curvature_per_km", "radius_m"})
        curvature = table.get("curvature_per_km")
        if curvature is not None and "radius_m" in table:
            raise ScenarioError(f"{file} must have one of the columns curvature_per_km and radius_m, got both")
        if curvature is None and "radius_m" in table:
            radius = table["radius_m"]
            curvature = np.where(radius == 0, 0.0, 1e3 / np.where(radius == 0, 1.0, radius))
        for name in ("distance_m", "gradient_permille"):
            if name not in table:
                raise ScenarioError(f"{file}: column {name} must be given; it has {', '.join(table)}")
        if curvature is None:
            raise ScenarioError(f"{file}: neither column curvature_per_km nor radius_m; it has {', '.join(table)}")
        name = file.name
        columns = table["distance_m"], table["gradient_permille"], curvature
    else:
        if k.distance_m is None or k.gradient_permille is None:
            raise ScenarioError(f"{path}: route: give file, or distance_m and gradient_permille")
        name = "in the scenario"
        straight = [0.0] * len(k.distance_m)
        columns = [
            np.array(c, dtype=float)
            for c in (k.distance_m, k.gradient_permille, straight if k.curvature_1_km is None else k.curvature_1_km)
        ]
    route = Route(columns[0], np.asarray(columns[1]) * 1e-3, np.asarray(columns[2]) * 1e-3, name)
    with of_place(path):
        check_route(route)
    return route
