"""The simplified vehicle as a page draws it."""

import numpy as np
import pytest
import xarray as xr

from flexwheel.systems.reduced.reduced_scenes import reduced_scenes

SCENARIO = 'kind = "reduced"\n[vehicle]\nfile = "as4"\n[run]\nduration_s = 1.0\nspeed_kmh = 80.0\n'


def test_simplified_models_stand_where_the_vehicle_stands():
    bodies, wheelsets = ["car_body", "front", "rear"], ["front", "rear"]
    wheels = [f"{w} {side}" for w in wheelsets for side in ("left", "right")]
    shift, turn = np.zeros((1, 2, 3, 2)), np.zeros((1, 2, 3, 3))
    shift[0, 1, 1], turn[0, 1, 0] = (3e-3, -2e-3), (0.01, 0.02, 0.03)  # y, z of front; roll, yaw, pitch of the body
    quantities = ["tread_normal", "creep_x", "creep_y", "flange_normal", "flange_x", "lateral_force", "vertical_force"]
    results = xr.Dataset(
        {
            "position": (("model", "time", "body", "shift"), shift),
            "angle_position": (("model", "time", "body", "turn"), turn),
            "wheel_force": (("model", "time", "wheel", "quantity"), np.tile(np.arange(7.0), (1, 2, 4, 1))),
            "irregularity": (("time", "wheelset", "rail"), np.arange(16.0).reshape(2, 2, 4)),
            "arc_length": ("time", [10.0, 10.46]),
        },
        {"model": ["simplified"], "time": [0.0, 1.0], "body": bodies, "wheelset": wheelsets, "wheel": wheels,
         "quantity": quantities, "shift": ["y", "z"], "turn": ["roll", "yaw", "pitch"]},
    )  # fmt: skip
    (scene,) = reduced_scenes(results.assign_attrs(scenario=SCENARIO))
    last = scene.results.isel(time=1)
    assert scene.name == "simplified"
    np.testing.assert_allclose(last.body_position.sel(body="front"), (10.46, 0.003, 0.458))  # vehicle file: radius 0.46
    np.testing.assert_allclose(last.body_position.sel(body="rear"), (10.46 - 8.5, 0.0, 0.46))
    np.testing.assert_allclose(last.body_angle.sel(body="car_body"), (0.02, 0.01, 0.03))  # yaw, roll, pitch
    assert float(last.body_angle.sel(body="rear", rotation="spin")) == pytest.approx(1.0)  # one radius along
    np.testing.assert_allclose(last.wheel_force.sel(wheel="front left"), (-5.0, 5.0, 6.0))
    np.testing.assert_allclose(last.irregularity.sel(wheel="front right"), (10.0, 11.0))
