"""Shapes of the linear vehicle for a page: modes of bodies between spring and damper, response to long waves."""

from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.assess import linear_shapes
from flexwheel.assess.linearise import LinearModel
from flexwheel.assess.response import ResponseSettings, response_scenario
from flexwheel.base.errors import ScenarioError
from flexwheel.run.keys.reader import read_scenario
from flexwheel.vehicle.step.coordinate_labels import BODY_LABELS
from tests.straight_scenario_text import STRAIGHT

HZ, DAMPING, LIGHT = np.arange(1.0, 7.0), 0.1, "body"


def test_motions_are_those_of_oscillators(monkeypatch):
    """Each coordinate of a body and two modes oscillate on their own: closed forms, ascending."""
    omega = 2.0 * np.pi * np.concatenate([HZ, [20.0, 21.0]])
    labels = tuple(f"front {axis}" for axis in BODY_LABELS) + ("front mode 1+2 (n = 1, 20.0 Hz)",) * 2
    n, mass = len(omega), np.eye(len(omega))
    damping, stiffness = 2.0 * DAMPING * np.diag(omega), np.diag(omega**2)
    rows, none = np.zeros((1, 2, 6, n)), np.zeros((1, 2, 6, 6))
    linear = LinearModel(20.0, mass, damping, stiffness, damping, stiffness, rows, none, labels)
    scenario = SimpleNamespace(run=SimpleNamespace(speed=20.0))
    monkeypatch.setattr(linear_shapes, "parse_scenario", lambda *_: scenario)
    monkeypatch.setattr(linear_shapes, "flexible_wheelsets", lambda *_: {"front": SimpleNamespace(body=None)})
    monkeypatch.setattr(linear_shapes, "running_at", lambda *_: lambda speed: linear)
    found = linear_shapes.vehicle_motions(SimpleNamespace(attrs={"scenario": ""}), lambda line: None)
    assert [m.frequency_hz for m in found] == pytest.approx(omega / (2.0 * np.pi), rel=1e-9)
    assert [m.damping_ratio for m in found] == pytest.approx([DAMPING] * n, rel=1e-9)
    assert [m.label for m in found] == list(labels)
    for k, motion in enumerate(found):
        shape = np.abs(np.concatenate([motion.bodies["front"], motion.modal["front"]]))
        assert shape.argmax() == k and np.delete(shape, k) == pytest.approx(0.0, abs=1e-9 * shape[k])


def test_long_waves_carry_the_vehicle(tmp_path):
    """Waves of 220 m: bodies rise, tilt and shift with the rails, each in the phase of its place along the wave.

    What a body under a suspension adds is of the order of the square of 0.1 Hz over its own frequency, 1 Hz and more:
    1 %; what a wheelset between conical wheels adds in the lateral direction is that of its own wave, 15 m and more.
    """
    path = tmp_path / "s.toml"
    path.write_text(STRAIGHT, encoding="utf-8")
    settings = ResponseSettings(highest_hz=20.0, step_hz=0.1)
    scenario = response_scenario(read_scenario(path, []), settings)
    found = linear_shapes.response_shapes(scenario, {}, settings, [0.1], lambda line: None)
    assert [m.label for m in found] == ["level", "cross level", "alignment"] and found[0].damping_ratio is None
    at, hz = linear_shapes.at_rest(scenario), found[0].frequency_hz
    assert abs(hz - 0.1) < 0.05
    for name in map(str, at.body.values):
        ahead = float(at.body_position.sel(body=name, path="s")[0])
        carried = np.exp(2j * np.pi * hz * ahead / (80.0 / 3.6))
        level, cross, aligned = (m.bodies[name] for m in found)
        assert level[2] == pytest.approx(carried, abs=0.02)
        assert cross[4] == pytest.approx(carried / 0.75, rel=0.05)  # over the rails' distance of 1.5 m
        assert aligned[1] == pytest.approx(carried, abs=0.05)
    with pytest.raises(ScenarioError, match=r"--shapes-hz must be from .* to 20 .--highest-hz., got 25"):
        linear_shapes.response_shapes(scenario, {}, settings, [25.0], lambda line: None)
