"""Sensor, fit and linear system of the face: against closed forms, eigen and response."""

import numpy as np
import pytest

import flexwheel as fw
from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.body.mesh_format import read_mesh
from flexwheel.results.dataset import make_dataset
from flexwheel.track.irregularity import file_record

RIGID = {
    "vehicle": {"file": "manchester_v1"}, "run": {"duration_s": 1.0, "speed_kmh": 100.0}, "track": {"model": "rigid"},
    "drive": {"kind": "body_force"}, "contact": {"tangential": "kalker_linear"},
    "irregularity": {"spectrum": "none", "roughness": "none"},
}  # fmt: skip


def turning_body(layout, speed=25.0):
    """Results of a body that keeps its place in the track's frame but for a yaw and a pitch of its own."""
    time = np.arange(0.0, 8.0, 1e-3)
    zero = np.zeros((len(time), 1, 3))
    arrays = {f"body_{name}": zero.copy() for name in (
        "position", "velocity", "angular_velocity", "angular_acceleration", "measured_acceleration")}  # fmt: skip
    arrays["body_position"][:, 0, 0], arrays["body_velocity"][:, 0, 0] = speed * time, speed
    scenario = fw.Scenario.of(RIGID | {"track": {"model": "rigid", "layout": layout}})
    attributes = {"scenario": scenario.toml()}
    return (
        time,
        arrays,
        lambda: make_dataset("vehicle", arrays, {"time": time, "body": ["car_body"]}, attributes=attributes),
    )


def test_a_sensor_off_the_centre_of_a_body_that_yaws_and_pitches():
    """Closed form of a rigid body that turns about y: a = y''.  x r gives z: -pitch'' x; and centripetal -w^2 x."""
    time, arrays, made = turning_body([{"kind": "straight", "length_m": 500.0}])
    w = 2.0 * np.pi * 1.5
    arrays["body_angular_velocity"][:, 0, 2] = 0.02 * w * np.cos(w * time)
    arrays["body_angular_acceleration"][:, 0, 2] = -0.02 * w * w * np.sin(w * time)
    arrays["body_measured_acceleration"][:, 0, 2] = 9.81
    results, place = made(), (9.5, 0.0, 0.0)
    bent = results.assign_attrs(scenario=results.attrs["scenario"] + '\n[body.car_body]\nmesh = "a.inp"\n')
    up = fw.Sensor("car_body", place, "z").of(results).values
    np.testing.assert_allclose(up, 9.81 + 9.5 * 0.02 * w * w * np.sin(w * time), atol=1e-4)  # stored in single
    along = fw.Sensor("car_body", place, [1.0, 0.0, 0.0]).of(results).values
    np.testing.assert_allclose(along, -9.5 * (0.02 * w * np.cos(w * time)) ** 2, atol=1e-6)
    slow = fw.Sensor("car_body", place, low_pass_hz=0.5).of(results).values
    assert (
        np.max(np.abs(slow[3000:5000] - 9.81)) < 0.05
    )  # three times the corner: (1/3)^8 of 17 m/s2 is 3e-3; and the ends
    for wrong, said in (
        (lambda: fw.Sensor("car", place).of(results), "body must be one of car_body, got 'car'"),
        (lambda: fw.Sensor("car_body", place).of(bent), "body must be rigid, got 'car_body'.*body_point_accel"),
        (lambda: fw.Sensor("car_body", (1.0,)), "place must be three numbers .*got .1.0"),
        (lambda: fw.Sensor("car_body", place, "w"), "direction must be x, y, z or a vector, got 'w'"),
        (lambda: fw.Sensor("car_body", low_pass_hz=900.0).of(results), "low_pass_hz must be above 0 and below 500"),
    ):
        with pytest.raises(ScenarioError, match=said):
            wrong()


def test_a_sensor_on_a_wheelset_does_not_spin():
    """At a journal it is what the axle box feels: turns with yaw and roll; the spin's terms were added."""
    time, arrays, made = turning_body([{"kind": "straight", "length_m": 500.0}])
    arrays["body_angular_velocity"][:, 0] = [0.02, 0.01, 25.0 / 0.46]  # yaw, roll, spin
    arrays["body_angular_acceleration"][:, 0] = [0.3, 0.2, 0.1]
    results = made().assign_coords(wheelset=["car_body"])
    felt = [fw.Sensor("car_body", (0.2, 1.0, 0.0), axis).of(results).values[0] for axis in "xyz"]
    rates = [-0.2 * 0.02**2 - 0.3, 0.2 * 0.3 - 0.02**2 - 0.01**2, 0.2 + 0.2 * 0.01 * 0.02]
    np.testing.assert_allclose(felt, rates, atol=1e-6)


def test_a_sensor_feels_the_turning_of_the_track():
    """At x ahead of the centre a transition of V^2 dk/ds adds x V^2 dk/ds across; an arc -x (V/R)^2 along."""
    layout = [{"kind": "transition", "length_m": 80.0}, {"kind": "arc", "length_m": 300.0, "radius_m": 400.0}]
    time, _, made = turning_body([{"kind": "straight", "length_m": 10.0}, *layout])
    results = made()
    across = fw.Sensor("car_body", (9.5, 0.0, 0.0), "y").of(results).values
    along = fw.Sensor("car_body", (9.5, 0.0, 0.0), "x").of(results).values
    assert across[time.searchsorted(2.0)] == pytest.approx(9.5 * 25.0**2 / (400.0 * 80.0), rel=1e-6)
    assert along[time.searchsorted(5.0)] == pytest.approx(-9.5 * (25.0 / 400.0) ** 2, rel=1e-6)


def test_fit_finds_what_made_the_values():
    """A decaying oscillation of two parameters with 2 % noise: within three standard errors; exact without noise."""
    time = np.linspace(0.0, 2.0, 400)

    def swing(stiffness, damping):
        return np.exp(-damping * time) * np.cos(np.sqrt(stiffness) * time)

    exact = fw.fit(swing, swing(300.0, 0.8), {"stiffness": 320.0, "damping": 1.0})
    assert exact.value == pytest.approx({"stiffness": 300.0, "damping": 0.8}, rel=1e-6)
    noisy = swing(300.0, 0.8) + 0.02 * np.random.default_rng(3).normal(size=400)
    found = fw.fit(swing, noisy, {"stiffness": 320.0, "damping": 1.0}, sigma=0.02)
    for name, value in (("stiffness", 300.0), ("damping", 0.8)):
        assert abs(found.value[name] - value) < 3.0 * found.standard_error[name] < 0.05 * value
    assert repr(found).startswith("<Fit stiffness = ") and "damping" in found._repr_html_()


def test_fit_says_what_is_wrong():
    line = lambda a, b: np.array([a + b, 2.0 * (a + b), 3.0 * (a + b)])  # noqa: E731
    with pytest.raises(ScenarioError, match="does not tell a, b apart"):
        fw.fit(line, [2.0, 4.0, 6.0], {"a": 1.1, "b": 1.2})
    with pytest.raises(ScenarioError, match=r"shape \(2,\) as measured, got \(3,\)"):
        fw.fit(line, [2.0, 4.0], {"a": 1.0, "b": 1.0})
    with pytest.raises(ScenarioError, match="start of 'a' must be within 2 and 3, got 1"):
        fw.fit(line, [2.0, 4.0], {"a": 1.0, "b": 1.0}, {"a": (2.0, 3.0)})
    with pytest.raises(ConvergenceError, match="not settled after 2 runs of the model; the last was at a = 1"):
        fw.fit(line, [2.0, 4.0, 9.0], {"a": 1.0, "b": 1.0}, most_runs=2)


def test_linear_has_the_eigenvalues_of_eigen_and_the_transfer_of_response():
    """On rigid rails, where both are exact: forces on wheels by each rail's irregularity, in phase of their places."""
    scenario = fw.Scenario.of(RIGID)
    system, speed = fw.linear(scenario), 100.0 / 3.6
    found = fw.eigen(scenario, [100.0], critical=False).frequency.values[0]
    swing = system.eigenvalues[(np.abs(system.eigenvalues) > 1e-2) & (system.eigenvalues.imag > 1e-6)]
    np.testing.assert_allclose(np.sort(np.abs(swing)) / (2.0 * np.pi), found, rtol=1e-6)
    spectra = fw.response(scenario, highest_hz=50.0, step_hz=10.0)
    hz, transfer = spectra.frequency.values, system.transfer(spectra.frequency.values)
    own = np.zeros((len(hz), 8, 3, 4), dtype=complex)
    forces = [f"{wheel} force {axis}" for wheel in spectra.wheel.values for axis in "xyz"]
    for name, part in scenario.vehicle.wheelsets.items():
        inputs = [f"{name} {side} irregularity {way}" for side in ("left", "right") for way in ("lateral", "vertical")]
        turn = np.exp(2j * np.pi * hz * part["position_m"] / speed)[:, None, None, None]
        own += turn * transfer.sel(output=forces, input=inputs).values.reshape(own.shape)
    expected = spectra.force_per_irregularity.values
    expected = expected[..., 0] + 1j * expected[..., 1]
    np.testing.assert_allclose(own, expected, atol=1e-9 * np.abs(expected).max())
    assert (len(system.A), len(system.inputs), len(system.outputs)) == (100, 74, 66) and "100 states" in repr(system)
    with pytest.raises(ScenarioError, match="speed_kmh must be a number above 0, at most 1000, got -3"):
        fw.linear(scenario, -3.0)


def test_arrays_become_the_files_a_scenario_names():
    """An irregularity, a profile and a mesh read back as they were given."""
    s = np.arange(0.0, 20.0, 0.25)
    z = 1e-3 * np.sin(s)
    file = fw.irregularity(s, left_vertical=z)
    scenario = fw.Scenario.example("manchester_s_curve", {"irregularity": {"file": file}})
    record = file_record(scenario["irregularity.file"])
    np.testing.assert_array_equal(record.values[:, 1], z)
    assert not record.values[:, [0, 2, 3]].any() and record.step == 0.25
    points = np.array([[x, y, z] for z in (0.0, 1.0) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], dtype=float)
    read = read_mesh(fw.mesh(points, {"hexahedron": [range(8)]}, (2.1e11, 0.3, 7850.0)))[0]
    np.testing.assert_array_equal(read.nodes, points)
    assert read.element_count == 1 and read.materials[0].density == 7850.0
    y = np.linspace(-50.0, 50.0, 201)
    assert np.loadtxt(fw.profile(y, 1e-3 * y**2)).tolist() == np.stack([y, 1e-3 * y**2], axis=1).tolist()
    for wrong, said in (
        (lambda: fw.irregularity(s, left=z), "heights must be of left_lateral, .*got .'left'"),
        (lambda: fw.irregularity(s[::-1], left_vertical=z), "s_m must be four numbers or more, rising"),
        (lambda: fw.irregularity(s, left_vertical=z[1:]), "left_vertical must be 80 numbers as s_m, got 79"),
        (lambda: fw.profile(y, y[1:]), "z_mm must be 201 numbers as y_mm, got 200"),
        (lambda: fw.mesh(points, {"brick": [range(8)]}, (1.0, 0.3, 1.0)), "cells must be of tetra, .*got 'brick'"),
    ):
        with pytest.raises(fw.FlexwheelError, match=said):
            wrong()


def test_a_locomotive_takes_its_steps_and_is_a_unit(tmp_path):
    """Steps are those of the command's core; a changed scenario without a file of its own is written as a unit."""
    slow = fw.Scenario.example("feve3000_curve", {"run.speed_kmh": 30.0})
    locomotive = fw.realtime(slow)
    start = locomotive.q[0]
    locomotive.step(500)
    np.testing.assert_allclose(locomotive.q[0] - start, 0.5 * 30.0 / 3.6, rtol=0.02)  # it slows down by its resistance
    unit = fw.fmu(slow, tmp_path / "slow.fmu", fmi="3.0", sources_only=True)
    assert unit.file.is_file() and unit.step_s == locomotive.time_step and set(unit.inputs) == set(locomotive.inputs)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda folder: fw.realtime("as4_curve"), "kind must be 'realtime', got 'vehicle'"),
        (lambda folder: fw.fmu("train_2", folder / "a.fmu"), "train_2.toml: kind must be 'realtime' or 'vehicle'"),
        (lambda folder: fw.fmu("feve3000_curve", folder / "a.zip"), "out must be a name that ends in .fmu, got"),
        (lambda folder: fw.fmu("feve3000_curve", folder / "a.fmu", "4"), "fmi must be one of 2.0, 3.0, got 4"),
    ],
)
def test_what_cannot_be_stepped_or_a_unit_is_refused(tmp_path, call, words):
    with pytest.raises(ScenarioError, match=words):
        call(tmp_path)
    assert not list(tmp_path.iterdir())
