"""Vehicles built in Python: what a file has, and back; what is wrong is named with key and value."""

import runpy
from pathlib import Path

import pytest

import flexwheel as fw
from flexwheel.base.errors import ScenarioError

STORY = Path(__file__).resolve().parents[2] / "examples" / "coach_in_python.py"
COACH = runpy.run_path(str(STORY))["coach"]


def test_a_coach_built_in_python_is_that_of_its_file():
    """Every number and every name in its order, so the run has the same bits; built in at most 60 lines."""
    built, read = COACH(), fw.Vehicle.read("manchester_v1")
    for part in ("bodies", "wheelsets"):
        assert list(getattr(built, part).items()) == list(getattr(read, part).items())
    assert list(built.file.elements.items()) == list(read.file.elements.items())
    assert (built.file.wheel, built.file.axle_box, built.kind) == (read.file.wheel, read.file.axle_box, read.kind)
    assert STORY.read_text().split("def main")[0].count("\n") <= 60


def test_a_vehicle_goes_to_a_file_and_back(tmp_path):
    for vehicle in (COACH(), fw.Vehicle.read("as4")):
        assert fw.Vehicle.read(vehicle.to_toml(tmp_path / "own.toml")) == vehicle
    assert COACH(1.3e6) != COACH() and COACH() == COACH()
    scenario = fw.Scenario.example("manchester_s_curve", {"vehicle": COACH(1.3e6)})
    assert scenario.vehicle == COACH(1.3e6)
    again = fw.Scenario.example("manchester_s_curve", {"vehicle.file": str(tmp_path / "own.toml")})
    assert again.vehicle == fw.Vehicle.read("as4")
    assert repr(scenario.vehicle) == "<Vehicle Manchester coach: 3 bodies, 4 wheelsets, 8 groups of elements>"
    assert len(repr(scenario)) < 100


def test_what_is_wrong_is_named_with_key_and_value():
    with pytest.raises(ScenarioError, match="Vehicle Manchester coach: elements.primary_spring.*negative, got .*-1.0"):
        COACH(-1.0)
    wheel, axle = {"radius_m": 0.46, "flange_back_m": 1.36}, {"position_m": 0.0, "mass_kg": 1e3}
    with pytest.raises(ScenarioError, match="wheelsets.only.roll_inertia_kg_m2 must be given: a positive number"):
        fw.Vehicle(wheel=wheel, wheelsets={"only": axle})
    axle |= {"roll_inertia_kg_m2": 1e3, "spin_inertia_kg_m2": 1e2, "journal_y_m": 1.0}
    spring = {"kind": "sprung", "other_body": "ground", "point_a_m": [0, 0, 0], "point_b_m": [0, 0, 1]}
    with pytest.raises(ScenarioError, match="kind must be one of .*spring.*got 'sprung'"):
        fw.Vehicle(wheel=wheel, wheelsets={"only": axle}, elements={"primary": spring})
