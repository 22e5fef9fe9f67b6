"""The locomotive as a page draws it: wheels touch rails, forces carry it, places are those along the track."""

import numpy as np
import pytest

from flexwheel.results.files import read_results
from flexwheel.systems.locomotive.build_locomotive import profile_curves, rails_of, read_realtime_scenario
from flexwheel.systems.locomotive.realtime_scene import body_poses, rail_contact, realtime_scenes
from tests.cli_cases import command
from tests.systems.locomotive.realtime_support import EXAMPLE

SET = ["run.duration_s=3", "track.transition_start_m=5"]  # where curvature and irregularity are not small
TOUCH = 2e-5  # [m]: constraints are held to contact.tolerance = 1e-6, the start's to what one placing of rails gives


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loco")
    words = [word for key in SET for word in ("--set", key)]
    assert command("run", EXAMPLE, "--out", folder, "-q", *words) == 0
    return read_results(folder)


def test_wheels_touch_rails(results):
    scenario = read_realtime_scenario(EXAMPLE, SET)
    curves, poses = profile_curves(scenario), body_poses(results, scenario.values)
    rails = rails_of(scenario, float(curves["rail"](0.0)))
    half = 0.5 * scenario.values["geometry.wheel_reference_spacing"]
    for w, name in enumerate(map(str, results.wheel.values)):
        own, (centre, axes, _) = results.sel(wheel=name), poses[name.rpartition(" ")[0]]
        point, _ = rail_contact(rails, curves["rail"], w % 2, own.s_rail.values, own.u_rail.values)
        u, angle = own.u_wheel.values, own.contact_angle.values
        radius = curves["wheel_right" if w % 2 else "wheel_left"](u)
        offset = -half if w % 2 else half
        wheel = np.stack([-radius * np.sin(angle), u + offset, -radius * np.cos(angle)], axis=-1)
        apart = centre + np.einsum("tij,tj->ti", axes, wheel) - point
        assert np.abs(apart).max() < TOUCH


def test_forces_carry_the_vehicle_and_places_are_along_the_track(results):
    (scene,) = realtime_scenes(results)
    run = scene.results
    carried = run.wheel_force.sel(force="Q").sum("wheel").values
    weight = 34250.68 * 9.8
    assert np.mean(carried) == pytest.approx(weight, rel=0.03)  # bounce on irregularities of 10 mm
    place, angle = run.body_position, run.body_angle
    assert np.all(np.abs(place.sel(path="y")) < 0.2)  # the line itself goes 50 m to the side
    assert np.all(np.abs(angle.sel(rotation="yaw")) < 0.1) and np.all(np.abs(angle.sel(rotation="roll")) < 0.1)
    ahead = place.sel(body="front.1", path="s") - place.sel(body="rear.2", path="s")
    np.testing.assert_allclose(ahead, 9.5 + 2 * 1.0925, atol=0.05)  # wheel base, along a curve of 200 m
    speed = np.gradient(place.sel(body="car_body", path="s").values, run.time.values)
    np.testing.assert_allclose(speed[5:-5], 85.32 / 3.6, rtol=0.02)
