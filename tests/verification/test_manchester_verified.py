"""Manchester benchmark coach: modes of the plane models, weight, mirrored curve, explicit against implicit step.

Sources: data set of vehicle 1 (flexwheel/vehicle/files/manchester_v1.toml); frequencies derived from it in closed form.
"""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import execute
from flexwheel.vehicle.build_vehicle import vehicle_bodies, vehicle_elements, vehicle_wheelsets
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.vehicle_file import FOLDER, read_vehicle
from flexwheel.verification import manchester


@pytest.fixture(scope="module")
def coach():
    vehicle = read_vehicle("manchester_v1")
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, 0.75))
    return vehicle, assembly, vehicle_elements(vehicle, assembly)


def scenario(*settings):
    return read_scenario(manchester.S_CURVE, settings)


def test_modes_and_the_full_model_beside_them():
    for row in manchester.modes():
        assert row.passed is not False, row


def test_elements_of_the_coach(coach):
    vehicle, assembly, elements = coach
    kinds = [e.name.split(" ")[0] for e in elements]
    assert {k: kinds.count(k) for k in kinds} == {
        "primary_spring": 8,
        "primary_vertical_damper": 8,
        "secondary_spring": 4,
        "secondary_vertical_damper": 4,
        "secondary_lateral_damper": 4,
        "lateral_bump_stop": 2,
        "anti_roll_bar": 2,
        "traction_rod": 2,
    }
    springs = [e for e in elements if e.name.startswith("primary_spring")]
    frames = [assembly.pose_names[e.body_b] for e in springs]
    assert frames == ["front_bogie"] * 4 + ["rear_bogie"] * 4


def test_springs_carry_what_stands_on_them(coach):
    vehicle, assembly, elements = coach
    carried = {"primary_spring": 32000.0 + 2 * 2615.0, "secondary_spring": 32000.0}
    for name, mass in carried.items():
        load = sum(e.preload[2] for e in elements if e.name.startswith(name))
        np.testing.assert_allclose(load, mass * 9.81, rtol=1e-12)


def test_wheel_loads_are_the_weight():
    for row in manchester.wheel_loads():
        assert row.passed, row


def test_assumed_values_are_listed(coach):
    keys = {label.key for label in coach[0].assumed}
    assert "elements.traction_rod.stiffness_n_per_m" in keys
    assert "elements.primary_vertical_damper.series_stiffness_n_per_m" in keys
    assert all(label.source for label in coach[0].labels)


def test_mirrored_curve_gives_mirrored_forces():
    runs = []
    for radius in (-190.0, 190.0):
        chosen = scenario(f"track.layout.1.radius_m={radius}", "run.start_position_m=47", "run.end_position_m=53")
        runs.append(execute(build_simulation(chosen, {})).wheel_force.values.reshape(-1, 4, 2, 3))
    largest = np.abs(runs[0]).max(axis=(0, 1, 2))
    difference = np.abs(runs[0] - runs[1][:, :, ::-1]).max(axis=(0, 1, 2))
    # places of 50 m are rounded by 7e-15 m, of which a contact's 2e9 N/m make 1.4e-5 N, 6e-10 of the least of these
    # forces; ten such, as they come together and grow through one half second of flange contact
    assert np.all(difference < 6e-9 * largest), difference / largest


def test_explicit_step_follows_the_implicit_one():
    runs = []
    for name in ("newmark", "dormand_prince"):
        chosen = scenario(f"run.integrator={name}", "run.start_position_m=47", "run.end_position_m=51.5")
        runs.append(execute(build_simulation(chosen, {})))
    y = [r.body_position.sel(body="wheelset_1", path="y").values for r in runs]
    # second order of the trapezoidal rule at 0.5 ms against fifth order, before the flange strikes
    assert np.abs(y[0] - y[1]).max() < 2e-3 * np.abs(y[0]).max()
    assert np.abs(y[0]).max() > 1e-3


def test_explicit_step_refuses_rails_that_move():
    with pytest.raises(ScenarioError, match="track.model = 'rigid'"):
        build_simulation(scenario("run.integrator=dormand_prince", "track.model=massless"), {})


def test_short_segments_between_curvature_joints_are_refused():
    with pytest.raises(ScenarioError, match="joint_length_m"):
        build_simulation(scenario("track.joint_length_m=4.0"), {})


BAD = [
    ('frame = "front_bogie"', 'frame = "bogie"', "wheelsets.wheelset_1.frame must be .*got 'bogie'"),
    ('other_body = "frame"', 'other_body = "bogie"', "other_body must be .*got 'bogie'"),
    ('body_a = ["front_bogie", "rear_bogie"]', 'body_a = ["front_bogie", "bogie"]', "'bogie'"),
    ('sides = "middle"', 'sides = "centre"', "sides must be .*got 'centre'"),
    ('heights = "rail"', 'heights = "top"', "heights must be .*got 'top'"),
    ("[0.0, 600.0, 1760.0", "[0.0, 600.0, inf", "a finite number"),
    ('value = ["car_body", "frame"]', 'value = ["car_body", "coach"]', "static_share must be .*got .*'coach'"),
]


@pytest.mark.parametrize(("old", "new", "expected"), BAD)
def test_bad_vehicle_files_are_refused_with_key_and_file(tmp_path, old, new, expected):
    text = (FOLDER / "manchester_v1.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "coach.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ScenarioError, match=expected) as caught:
        vehicle = read_vehicle(path)
        vehicle_elements(vehicle, assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, 0.75)))
    assert str(path) in str(caught.value)
