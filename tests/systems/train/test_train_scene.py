"""A train as a page draws it: forces of couplers on vehicles, and the line of the route."""

import numpy as np
import pytest

from flexwheel.systems.train.route import Route
from flexwheel.systems.train.simulate_train import simulate
from flexwheel.systems.train.train_dataset import make_train_dataset
from flexwheel.systems.train.train_run import read_train_scenario
from flexwheel.systems.train.train_scene import line_of, train_scenes
from tests.train_scenario_text import GOOD


def test_a_curve_is_a_circle_and_a_slope_a_rise():
    radius, gradient = 400.0, 0.01
    route = Route(np.array([0.0, 1e3]), np.full(2, gradient), np.full(2, 1.0 / radius))
    s, x, y, z, heading = line_of(route, 0.0, 600.0).T
    np.testing.assert_allclose(heading, s / radius, rtol=1e-12)
    np.testing.assert_allclose(z, gradient * s, rtol=1e-12)
    # trapezoidal rule, steps h of 20 m: of a circle's integrals the share (h / R)^2 / 12, of points at twice the radius
    np.testing.assert_allclose(np.hypot(x, y - radius), radius, rtol=(20.1 / radius) ** 2 / 6.0)


def test_vehicles_have_the_force_of_their_couplers(tmp_path):
    (tmp_path / "train.toml").write_text(GOOD, encoding="utf-8")
    built = read_train_scenario(tmp_path / "train.toml")
    results = make_train_dataset(built, simulate(built.run))
    (scene,) = train_scenes(results)
    force, (larger, rear, *_) = results.force.values, scene.colours
    np.testing.assert_array_equal(rear.values[:, :-1], force)
    assert np.all(rear.values[:, -1] == 0.0) and np.all(np.abs(larger.values[:, 0]) == np.abs(force[:, 0]))
    np.testing.assert_array_equal(np.abs(larger.values[:, 1]), np.abs(force[:, :2]).max(axis=1))
    np.testing.assert_array_equal(scene.results.body_position.sel(path="s"), results.position)
    (words, time) = scene.extremes[0]
    peak = results.peak_force.sel(side="draft")
    assert f"{float(np.abs(peak).max()) / 1e3:.0f} kN" in words
    assert time == pytest.approx(float(results.peak_time.sel(side="draft")[int(np.abs(peak.values).argmax())]))
