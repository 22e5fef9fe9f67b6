"""Relations between runs that must agree: mirror, split segments, moved origin, names and order of bodies, output step,
run length, threads, workers, defaults written out. By hand: python -m tests.fuzz.relations [--case coach].

Each relation has a bound with a ground: bit by bit where the same numbers are added in the same order; ROUNDING where
sums are made in another order or places are other numbers: 1e-13 of a length of 100 m is 1e-11 m, through a contact
of 1e9 N/m 0.01 N of 50 kN, with some hundred steps for it to spread: 1e-6 of the largest force. The contact iteration
ends at SHARP, so that one iteration more or less is below that.
"""

from __future__ import annotations

import argparse
import copy
import sys
import tempfile
import threading
import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np

import flexwheel as fw

from . import bases
from .mutate import toml

EQUAL, ROUNDING = 0.0, 1e-6
SHARP = {"contact_tolerance_n": 1e-3, "contact_iterations_max": 40, "settling_s": 0.0}
KEPT = ("wheel_force", "body_position", "modal_coordinate", "stress", "absolute_acceleration")


class Relation(NamedTuple):
    """Largest difference found over the scale of its variable, and the bound on it."""

    name: str
    difference: float
    bound: float
    where: str


def coach():
    """Manchester coach on rigid rails through a curve, an irregularity from a file, 0.3 s."""
    t = bases.coach_run()
    t["run"] |= {"duration_s": 0.3, "step_s": 5e-4, "output_step_s": 1e-3, "start_position_m": 40.0, **SHARP}
    t["run"]["speed_kmh"] = 60.0
    t["track"]["layout"] = [
        {"kind": "straight", "length_m": 42.0}, {"kind": "transition", "length_m": 20.0},
        {"kind": "arc", "length_m": 100.0, "radius_m": 300.0, "cant_mm": 60.0},
    ]  # fmt: skip
    t["irregularity"] = {"file": "i.csv", "roughness": "none", "ramp_m": 0.0}
    return t


def railcar():
    """AS4 with the coarse flexible wheelset on flexible rails, 0.06 s."""
    t = bases.flexible_run()
    t["run"] |= {"duration_s": 0.06, "step_s": 1e-4, "output_step_s": 1e-4, "start_position_m": 40.0, **SHARP}
    t["track"] = {
        "model": "flexible", "extent": "window", "elements_per_bay": 2,
        "layout": [{"kind": "straight", "length_m": 42.0}, {"kind": "transition", "length_m": 30.0},
                   {"kind": "arc", "length_m": 100.0, "radius_m": 300.0, "cant_mm": 60.0}],
    }  # fmt: skip
    t["irregularity"] = {"file": "i.csv", "roughness": "none", "ramp_m": 0.0}
    return t


CASES = {"coach": coach, "railcar": railcar}


def irregularity(shift=0.0, mirrored=False):
    """Text of a file of long waves (place, left y and z, right y and z [mm]) from -60 to 200 m, knots every 0.25 m."""
    s = np.arange(-60.0, 200.01, 0.25)
    waves = [0.8 * np.sin(s / 2.1), 0.6 * np.cos(s / 1.3), 0.7 * np.cos(s / 1.7), 0.9 * np.sin(s / 2.9)]
    if mirrored:
        waves = [-waves[2], waves[3], -waves[0], waves[1]]
    head = "s_m,left_lateral_mm,left_vertical_mm,right_lateral_mm,right_vertical_mm"
    rows = (",".join(f"{x!r}" for x in map(float, row)) for row in np.column_stack([s + shift, *waves]))
    return "\n".join([head, *rows, ""])


class Runs:
    """Runs of a case in a folder of their own."""

    def __init__(self, name, folder):
        self.tree, self.folder, self.count = CASES[name](), Path(folder), 0
        self.flexible = "wheelset" in self.tree
        self.base = self.run(self.tree)

    def place(self, tree, **files):
        """Scenario file of a tree, beside the irregularity and further files (name -> text)."""
        self.count += 1
        place = self.folder / f"{self.count}"
        place.mkdir()
        for name, text in {"i.csv": irregularity(), **files}.items():
            (place / name).write_text(text)
        (place / "s.toml").write_text(toml(tree))
        return place / "s.toml"

    def run(self, tree, **files):
        """Results of a tree, loaded."""
        return fw.run(self.place(tree, **files), quiet=True).load()


def changed(tree, **sections):
    """A copy of a tree with other values in its sections."""
    out = copy.deepcopy(tree)
    for name, values in sections.items():
        out[name] = out.get(name, {}) | values
    return out


def difference(found, wanted):
    """(largest difference over the largest value of its variable, name) of the variables that matter."""
    worst = 0.0, ""
    for name in KEPT:
        if name in wanted:
            a, b = found[name].values.astype(float), wanted[name].values.astype(float)
            scale = max(np.nanmax(np.abs(b)), 1e-30)
            size = np.nanmax(np.abs(a - b)) / scale if a.shape == b.shape else np.inf
            worst = max(worst, (float(size), name))
    return worst


def output_step(runs):
    """Every fifth sample alone."""
    step = runs.tree["run"]["output_step_s"]
    found = runs.run(changed(runs.tree, run={"output_step_s": 5 * step}))
    size, name = difference(found, runs.base.isel(time=slice(None, None, 5)))
    return [Relation("output step", size, ROUNDING, name)]


def run_length(runs):
    """The first half alone."""
    found = runs.run(changed(runs.tree, run={"duration_s": 0.5 * runs.tree["run"]["duration_s"]}))
    size, name = difference(found, runs.base.isel(time=slice(0, found.sizes["time"])))
    # at the control nodes longer records are multiplied in other blocks: sums of some hundred terms in another order
    return [Relation("run length", size, 1e-12 if runs.flexible else EQUAL, name)]


def explicit_defaults(runs):
    """The scenario that the results hold, with every key of it; mesh and other files by their paths."""
    tree = tomllib.loads(str(runs.base.attrs["scenario"]))
    size, name = difference(runs.run(tree), runs.base)
    return [Relation("defaults written out", size, EQUAL, name)]


def split_segments(runs):
    """Straight and arc each cut in two."""
    layout = []
    for part in runs.tree["track"]["layout"]:
        pieces = 2 if part["kind"] != "transition" else 1
        layout += pieces * [part | {"length_m": part["length_m"] / pieces}]
    size, name = difference(runs.run(changed(runs.tree, track={"layout": layout})), runs.base)
    return [Relation("split segments", size, ROUNDING, name)]


def moved_origin(runs):
    """All of the track 24 m further on, by a longer first straight: 40 bays."""
    shift, tree = 24.0, copy.deepcopy(runs.tree)
    tree["track"]["layout"][0]["length_m"] += shift
    tree["run"]["start_position_m"] += shift
    found = runs.run(tree, **{"i.csv": irregularity(shift)})
    found = found.assign(body_position=found.body_position - shift * (found.path == "s"))
    size, name = difference(found, runs.base)
    return [Relation("moved origin", size, ROUNDING, name)]


def mirror(runs):
    """Curve, irregularity, left and right exchanged; forces alone, as control nodes are on one side."""
    tree = copy.deepcopy(runs.tree)
    for part in tree["track"]["layout"]:
        if "radius_m" in part:
            part["radius_m"] *= -1.0
    found = runs.run(tree, **{"i.csv": irregularity(mirrored=True)})
    swapped = [f"{w.rpartition(' ')[0]} {'right' if w.endswith('left') else 'left'}" for w in found.wheel.values]
    a, b = found.wheel_force.sel(wheel=swapped).values, runs.base.wheel_force.values
    # the flexible wheelset's mesh file has nine digits: the halves are mirror images within 1e-9 of 1 m
    bound = 1e-4 if runs.flexible else ROUNDING
    return [Relation("mirror", float(np.abs(a - b).max() / np.abs(b).max()), bound, "wheel_force")]


def names_and_order(runs):
    """Force elements in the opposite order, and bodies but the first (it takes the drive); both under other names."""
    name = runs.tree["vehicle"]["file"]
    vehicle = bases.unlabelled(bases.tree(bases.VEHICLES / f"{name}.toml"))
    names = {old: f"{old}_b" for table in ("bodies",) for old in vehicle.get(table, {})}

    def renamed(value):
        if isinstance(value, list):
            return [renamed(item) for item in value]
        if isinstance(value, dict):
            return {key: renamed(item) for key, item in value.items()}
        return names.get(value, value) if isinstance(value, str) else value

    other = {key: renamed(value) for key, value in vehicle.items()}
    first, *rest = other["bodies"].items()
    other["bodies"] = {names[key]: value for key, value in [first, *reversed(rest)]}
    other["elements"] = {f"{key}_e": value for key, value in reversed(other["elements"].items())}
    tree = changed(runs.tree, vehicle={"file": "v.toml"})
    found = runs.run(tree, **{"v.toml": toml(other)})
    wanted = runs.base.assign_coords(body=[names.get(str(b), str(b)) for b in runs.base.body.values])
    size, where = difference(found.sel(body=wanted.body.values), wanted)
    return [Relation("names and order of bodies", size, ROUNDING, where)]


def threads(runs):
    """Three at once in this process."""
    places, found = [runs.place(runs.tree) for _ in range(3)], [None] * 3

    def one(k):
        found[k] = fw.run(places[k], quiet=True).load()

    at_once = [threading.Thread(target=one, args=(k,)) for k in range(3)]
    for thread in at_once:
        thread.start()
    for thread in at_once:
        thread.join()
    size, name = max(difference(results, runs.base) for results in found)
    return [Relation("threads", size, EQUAL, name)]


def workers(runs):
    """A study of two speeds in this process, in one worker and in two."""
    scenario = fw.Scenario.read(runs.place(runs.tree))
    figure = {"of": "wheel_force", "take": "max", "where": {"force": "Q"}, "name": "q"}
    vary = {"run.speed_kmh": [50.0, 60.0]}
    studies = [fw.sweep(scenario, vary, [figure], workers=number).load() for number in (0, 1, 2)]
    values = [study["q"].values for study in studies]
    size = max(float(np.abs(v - values[0]).max() / np.abs(values[0]).max()) for v in values[1:])  # nan: no figure
    return [Relation("workers", size, EQUAL, "q")]


RELATIONS = {
    "output step": output_step,
    "run length": run_length,
    "defaults": explicit_defaults,
    "split": split_segments,
    "origin": moved_origin,
    "mirror": mirror,
    "names": names_and_order,
    "threads": threads,
    "workers": workers,
}


def main():
    """A line a relation; exit code 1 when one does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.relations", description=__doc__.split("\n\n")[0])
    parser.add_argument("--case", choices=CASES)
    parser.add_argument("--only", choices=RELATIONS)
    given, failed = parser.parse_args(), False
    for case in [given.case] if given.case else CASES:
        with tempfile.TemporaryDirectory() as folder:
            runs = Runs(case, folder)
            for name in [given.only] if given.only else RELATIONS:
                for relation in RELATIONS[name](runs):
                    holds = relation.difference <= relation.bound  # nan does not
                    failed |= not holds
                    print(
                        f"{'holds' if holds else 'FAILS'} {case}: {relation.name}: {relation.difference:.2e} "
                        f"(bound {relation.bound:g}) {relation.where}",
                        flush=True,
                    )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
