"""Twenty unstable and twenty stable vehicles, seeded: what `check` and `eigen` say of them.

    python benchmarks/growth.py                  all, both
    python benchmarks/growth.py --check-only     without `eigen` (no compilation, 40 s)

The vehicles are the shipped coach, railcar and freight wagon, changed. Unstable: an axle box that turns freely under a
load, a body whose centre stands too high for its springs, springs that push the further they are pressed (tables of
negative stiffness), wheelsets without any guidance under a car body whose springs push it aside, and negative damping,
which no vehicle file may have. Stable: stiffness, damping and masses within half and twice those of the file.
"""

import argparse
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.run.check_scenario import check_scenario
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.keys.toml_text import toml_text
from flexwheel.vehicle.vehicle_file import FOLDER

SCENARIO = """kind = "vehicle"
[run]
duration_s = 0.1
step_s = 1e-4
output_step_s = 1e-3
speed_kmh = 30.0
[vehicle]
file = "vehicle.toml"
[track]
model = "rigid"
layout = [{ kind = "straight", length_m = 100.0 }]
[irregularity]
spectrum = "none"
roughness = "none"
"""
BOX = {
    "mass_kg": 100.0, "roll_inertia_kg_m2": 3.0, "pitch_inertia_kg_m2": 5.0, "yaw_inertia_kg_m2": 5.0,
    "centre_m": [0.0, 0.0, 0.0],
}  # fmt: skip
KINDS = ("axle box without support", "inverted pendulum", "negative stiffness", "no yaw stiffness", "negative damping")


def plain(value):
    """Values of a vehicle file without their labels."""
    if isinstance(value, dict):
        return plain(value["value"]) if "value" in value else {key: plain(item) for key, item in value.items()}
    return value


def shipped(name):
    """A shipped vehicle as plain tables."""
    return plain(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def unstable(kind, seed):
    """Vehicle with one fault, and a word that what is found must hold."""
    random = np.random.default_rng(seed)
    if kind == "axle box without support":
        vehicle = shipped("manchester_v1")
        vehicle["axle_box"] = BOX | {"pitch_inertia_kg_m2": random.uniform(2.0, 20.0)}
        return vehicle, "axle box"
    if kind == "inverted pendulum":
        vehicle = shipped(random.choice(["manchester_v1", "as4", "freight_wagon"]))
        vehicle["bodies"]["car_body"]["position_m"][2] += random.uniform(25.0, 40.0)
        return vehicle, "car_body"
    if kind == "negative stiffness":
        vehicle = shipped("manchester_v1")
        element = vehicle["elements"]["secondary_spring"]
        element["stiffness_n_per_m"][1] = 0.0
        push = random.uniform(2e5, 1e6)
        element["force_table_y"] = {"displacement_m": [-0.1, 0.1], "force_n": [0.1 * push, -0.1 * push]}
        return vehicle, "car_body"
    if kind == "no yaw stiffness":
        vehicle = shipped("as4")
        elements = vehicle["elements"]
        elements["suspension_spring"]["stiffness_n_per_m"][:2] = [0.0, 0.0]
        elements["suspension_spring"]["damping_n_s_per_m"][:2] = [0.0, 0.0]
        elements["traction_rod"]["stiffness_n_per_m"] = random.uniform(0.0, 10.0)
        elements["inclined_friction_damper"]["series_stiffness_n_per_m"] = 10.0
        return vehicle, ""
    vehicle = shipped(random.choice(["manchester_v1", "as4"]))
    name = random.choice([key for key, item in vehicle["elements"].items() if item["kind"] == "damper"])
    vehicle["elements"][name]["damping_n_s_per_m"] *= -random.uniform(0.1, 2.0)
    return vehicle, name


def stable(seed):
    """Shipped vehicle with its stiffness, damping and masses by factors from a half to two."""
    random = np.random.default_rng(1000 + seed)
    vehicle = shipped(("manchester_v1", "as4", "freight_wagon")[seed % 3])
    for element in vehicle["elements"].values():
        for key, value in element.items():
            if "stiffness" in key or "damping" in key or "friction_force" in key:
                element[key] = (random.uniform(0.5, 2.0) * np.array(value)).tolist()
    factor = random.uniform(0.5, 2.0)
    for key in ("mass_kg", "roll_inertia_kg_m2", "pitch_inertia_kg_m2", "yaw_inertia_kg_m2"):
        vehicle["bodies"]["car_body"][key] *= factor
    return vehicle


def written(folder, vehicle):
    """Scenario file of a vehicle in a folder."""
    (folder / "vehicle.toml").write_text(toml_text(vehicle), encoding="utf-8")
    (folder / "s.toml").write_text(SCENARIO, encoding="utf-8")
    return folder / "s.toml"


def checked(path):
    """What `check` refuses, empty where it refuses nothing."""
    try:
        check_scenario(path)
    except FlexwheelError as error:
        return str(error)
    return ""


def analysed(path):
    """What `eigen` finds to grow at 30 km/h, or refuses; and its critical speed [m/s]."""
    from flexwheel.assess.linear_analysis import analyse

    try:
        found = analyse(read_scenario(path), np.array([30.0, 300.0]) / 3.6)
    except FlexwheelError as error:
        return str(error), float("nan")
    return "; ".join(growth.text() for growth in found.growths[0]), found.critical


def main():
    """Table of all vehicles; exit code 1 where one is named wrongly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check-only", action="store_true")
    options = parser.parse_args()
    wrong = 0
    cases = [(kind, *unstable(kind, seed)) for seed, kind in enumerate(KINDS * 4)]
    cases += [("stable", stable(seed), None) for seed in range(20)]
    for kind, vehicle, word in cases:
        with tempfile.TemporaryDirectory() as folder:
            path = written(Path(folder), vehicle)
            started = time.process_time()
            found = checked(path)
            seconds = time.process_time() - started
            right = not found if word is None else bool(found) and word in found
            line = f"check {seconds:4.1f} s: {found.rpartition('.toml: ')[2][:90] or '-'}"
            if not options.check_only:
                grown, critical = analysed(path)
                right &= not grown if word is None else bool(grown) and word in grown and np.isnan(critical)
                line += f" | eigen: {grown.rpartition('.toml: ')[2][:90] or '-'}, critical {3.6 * critical:.0f} km/h"
        wrong += not right
        print(f"{'ok   ' if right else 'WRONG'} {vehicle['name']}, {kind}: {line}", flush=True)
    print(f"{len(cases) - wrong} of {len(cases)} right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
