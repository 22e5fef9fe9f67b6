"""Complex modes for a page: frequency, damping and shape of a body between spring and damper."""

from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.assess import vehicle_motions
from flexwheel.assess.linearise import LinearModel
from flexwheel.vehicle.step.coordinate_labels import BODY_LABELS

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
    monkeypatch.setattr(vehicle_motions, "parse_scenario", lambda *_: scenario)
    monkeypatch.setattr(vehicle_motions, "flexible_wheelsets", lambda *_: {"front": SimpleNamespace(body=None)})
    monkeypatch.setattr(vehicle_motions, "running_at", lambda *_: lambda speed: linear)
    found = vehicle_motions.vehicle_motions(SimpleNamespace(attrs={"scenario": ""}), lambda line: None)
    assert [m.frequency_hz for m in found] == pytest.approx(omega / (2.0 * np.pi), rel=1e-9)
    assert [m.damping_ratio for m in found] == pytest.approx([DAMPING] * n, rel=1e-9)
    assert [m.label for m in found] == list(labels)
    for k, motion in enumerate(found):
        shape = np.abs(np.concatenate([motion.bodies["front"], motion.modal["front"]]))
        assert shape.argmax() == k and np.delete(shape, k) == pytest.approx(0.0, abs=1e-9 * shape[k])
