"""Doors of train scenarios: what is hostile, absurd or without effect ends in one line that says where."""

import re
import threading

import numpy as np
import pytest
from cli_cases import ROOT, command
from train_scenario_text import GOOD

from flexwheel.base.errors import ScenarioError
from flexwheel.results.check_results import check_results
from flexwheel.results.files import read_results
from flexwheel.systems.train import simulate_train
from flexwheel.systems.train.simulate_train import simulate
from flexwheel.systems.train.train_dataset import make_train_dataset
from flexwheel.systems.train.train_keys import TrainScenario
from flexwheel.systems.train.train_run import read_train_scenario
from flexwheel.systems.train.warnings import train_warnings

ROUTE = GOOD[GOOD.index("distance_m") : GOOD.index("[driving]")]
SCHEDULE = 'mode = "by_time"\nat = [0, 10]\nnotch = [2, 6]'
HEAD = b"distance_m,gradient_permille,radius_m\n"
TWO_FILES = {"line.csv": HEAD + b"0,0,0\n5000,1,0\n", "drive.csv": b"time_s,notch\n0,2\n"}

OVERRIDES = {
    "run.duration_s=1e300": "run.duration_s",
    "run.duration_s=9e6": r"results must be at most 2 GB, got 4.03 GB: duration 9e\+06 s at a tick of 1 s",
    "run.longest_step_s=1e-300": "run.longest_step_s must be at least 0.0001, got 1e-300",
    "run.tolerance=1e-300": "run.tolerance",
    "run.start_position_m=1e300": "run.start_position_m",
    "driving.tick_s=1e-9": "driving.tick_s",
    "driving.at=[0, 1e300]": "driving.at",
    "route.distance_m=[0, 1000, 1e300]": "route.distance_m",
    "driving.notch=[2, 9]": "driving: notch 9; the highest of vehicle 'locomotive' is 8",
    "driving.notch=[2, -9]": "driving: notch -9; vehicle 'locomotive' has 8 notches of dynamic brake",
    "train.formation.0.vehicle=ore_wagon": "driving: channel 0 has notches and no locomotive listens to it",
    "train.formation.1.channel=1": r"formation\[1\]: channel does nothing: 'ore_wagon' has no traction",
    "train.formation.1.radio_delay_s=1": r"formation\[1\]: radio_delay_s does nothing",
    "train.formation.0.pair=rigid_bar": r"formation\[0\]: pair is inside the block; count = 1 has none",
    "train.formation.0.cylinder=uic_x": r"unknown cylinder 'uic_x'; did you mean uic_[gp]\?",
    "air_brake.cylinder=uic_q": r"unknown cylinder 'uic_q'",
    "driving.max_notch=3": "driving.max_notch",
    "driving.speed_kmh=[30]": "driving.speed_kmh",
}

EDITS = {
    "own part that no vehicle uses": (
        "[route]", "[vehicle.tank]\nmass_t = 80\nlength_m = 15\n[route]", "vehicle.tank is used by no vehicle"
    ),
    "lag beside a cylinder": (
        "[route]", '[air_brake]\ncylinder = "uic_p"\nbuild_up_s = 3\n[route]', "build_up_s is not read beside cylinder"
    ),
    "half a cylinder": (
        "[route]", "[cylinder.mine]\nfill_s = 3\n[air_brake]\ncylinder = \"mine\"\n[route]", "give fill_s and release_s"
    ),
    "adhesion of no mass": (
        "[route]",
        "[traction.diesel_3100]\ntractive_effort_kn = 400\npower_kw = 2000\nadhesion = 0.3\n[route]",
        "give adhesion and adhesive_mass_t together",
    ),
    "efforts and powers of unequal number": (
        "[route]",
        "[traction.diesel_3100]\ntractive_effort_kn = [100, 200]\npower_kw = [500, 900, 1200]\n[route]",
        "efforts and powers must be as many as notches says, got 2 and 3",
    ),
    "brake schedule of a train without brakes": (
        "notch = [2, 6]", "notch = [2, 6]\nbrake_at = [0, 5]\nbrake = [0, 1]\n[vehicle.ore_wagon]\nmass_t = 90\n"
        "length_m = 11\n[vehicle.locomotive]\nmass_t = 120\nlength_m = 20\ntraction = \"diesel_3100\"",
        "brake is applied and no vehicle of the train has a brake force",
    ),
}  # fmt: skip

FILES = {
    "Latin-1": ("line.csv", b"# Stra\xdfe\n" + HEAD, r"line.csv:1: byte 6 \(0xdf\)"),
    "word": ("line.csv", HEAD + b"0,0,0\n90,flat,0\n", r"line.csv:3: gradient_permille must be a number"),
    "nan": ("line.csv", HEAD + b"0,0,0\n90,nan,0\n", r"line.csv:3: gradient_permille must be a number"),
    "gap": ("line.csv", HEAD + b"0,0,0\n90,,0\n", r"line.csv:3: gradient_permille must be a number, got ''"),
    "short row": ("line.csv", HEAD + b"0,0\n", r"line.csv:2: the row must have 3 values, got 2"),
    "twice": ("line.csv", b"distance_m,distance_m,radius_m\n0,0,0\n", r"column 'distance_m' is given twice"),
    "unknown column": ("line.csv", b"distance_m,gradient_permile,radius_m\n0,0,0\n", r"unknown column 'gradient_perm"),
    "both curvatures": (
        "line.csv",
        b"distance_m,gradient_permille,radius_m,curvature_per_km\n0,0,0,1\n5000,0,0,1\n",
        "must have one of the columns .* got both",
    ),
    "drive word": ("drive.csv", b"time_s,notch\n0,2\n10,full\n", r"drive.csv:3: notch must be a number, got .full."),
    "drive column": ("drive.csv", b"time_s,notch,break\n0,2,0\n10,3,0\n", r"column 'break' does nothing"),
    "channels with a gap": ("drive.csv", b"time_s,notch_0,notch_2\n0,2,0\n", r"must be notch, or notch_0, notch_1"),
    "drive Latin-1": ("drive.csv", b"# \xe4\ntime_s,notch\n0,2\n", r"drive.csv:1: byte 2 \(0xe4\)"),
}  # fmt: skip


def refused(path, pattern, overrides=()):
    with pytest.raises(ScenarioError) as caught:
        read_train_scenario(path, overrides)
    message = str(caught.value)
    assert "\n" not in message and re.search(pattern, message), message


@pytest.mark.parametrize("override", OVERRIDES)
def test_overrides(tmp_path, override):
    (tmp_path / "train.toml").write_text(GOOD)
    refused(tmp_path / "train.toml", OVERRIDES[override], [override])


@pytest.mark.parametrize("name", EDITS)
def test_parts(tmp_path, name):
    old, new, pattern = EDITS[name]
    (tmp_path / "train.toml").write_text(GOOD.replace(old, new, 1))
    refused(tmp_path / "train.toml", pattern)


@pytest.mark.parametrize("name", FILES)
def test_side_files(tmp_path, name):
    file, content, pattern = FILES[name]
    for side, text in TWO_FILES.items():
        (tmp_path / side).write_bytes(content if side == file else text)
    text = GOOD.replace(ROUTE, 'file = "line.csv"\n').replace(SCHEDULE, 'mode = "by_time"\nfile = "drive.csv"')
    (tmp_path / "train.toml").write_text(text)
    refused(tmp_path / "train.toml", pattern)


def test_places_in_double_precision(tmp_path):
    """A position of 7 km in a single-precision number is off by half a millimetre."""
    (tmp_path / "train.toml").write_text(GOOD.replace("[0, 1000, 5000]", "[0, 1000, 9000]").replace("400.0", "7000.1"))
    scenario = read_train_scenario(tmp_path / "train.toml", ["run.duration_s=3"])
    results = simulate(scenario.run)
    dataset = make_train_dataset(scenario, results)
    assert np.array_equal(dataset.position.values, results.position)
    assert np.array_equal(dataset.peak_force.values, results.peak_force)
    for name in ("vehicle_name", "coupling_name"):
        with pytest.raises(ScenarioError, match=f"no coordinate {name}"):
            check_results(dataset.drop_vars(name), "results.nc")


def test_what_left_its_data_is_said(tmp_path):
    """A short draft-gear table, a brake friction curve that ends below the speed, an effort beyond adhesion."""
    text = GOOD.replace(
        "[route]",
        "[coupler.mine]\ngears = 1\ndraft = [[0, 0, 0], [2, 100, 20]]\nsolid_kn_mm = 100\n"
        "[vehicle.ore_wagon]\nmass_t = 100\nlength_m = 11\nbrake_force_kn = 70\nbrake_friction = [[0, 1], [10, 0.9]]\n"
        "[traction.diesel_3100]\ntractive_effort_kn = 900\npower_kw = 3000\n[route]",
    ).replace('pair = "rigid_bar"', 'coupler = "mine"')
    schedule = "speed_kmh = 40\nstart_position_m"
    braked = "notch = [2, 6]\nbrake_at = [0, 2]\nbrake = [0, 1]"
    text = text.replace("start_position_m", schedule).replace("notch = [2, 6]", braked)
    (tmp_path / "train.toml").write_text(text)
    scenario = read_train_scenario(tmp_path / "train.toml")
    lines = "\n".join(train_warnings(scenario.run, simulate(scenario.run)))
    assert "couplings 'mine' went beyond their tables" in lines
    assert "its brake friction curve ends at 10 km/h" in lines
    assert "tractive effort 900 kN is 0.68 of its weight" in lines


def test_flags_are_no_numbers():
    with pytest.raises(ValueError, match="speed_kmh"):
        TrainScenario.model_validate({"run": {"speed_kmh": True}})


def test_interrupted_train_ends_with_2_and_a_whole_file(tmp_path, capsys, monkeypatch):
    whole, main = simulate_train.run_ticks, threading.current_thread()

    def stopped(first, last, *arguments):
        if first > 60 and threading.current_thread() is main:
            raise KeyboardInterrupt
        return whole(first, last, *arguments)

    monkeypatch.setattr(simulate_train, "run_ticks", stopped)
    train = ROOT / "examples" / "train_2.toml"
    assert command("run", str(train), "--out", str(tmp_path), "--quiet") == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and "run not complete: interrupted at t = 100.0 s" in lines[0]
    results = read_results(tmp_path)
    assert results.attrs["complete"] is False and results.time[-1] == 100.0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["results.nc", "resume"]
