"""Scenarios of the simplified model on the command line, their results and pictures, and the observer example."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from flexwheel.face.cli import make_app
from flexwheel.results.files import read_results
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.systems.reduced.model_comparison import compare_models
from tests import cf_rules

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCENARIOS = (
    "wheelset_curve", "wheelset_small_curve", "ml95_curve", "ml95_small_curve", "ml95_straight", "manchester_curve",
)  # fmt: skip


def run(*arguments):
    return CliRunner().invoke(make_app(), ["run", *map(str, arguments)])


def test_simplified_model_alone(tmp_path):
    out = tmp_path / "out"
    result = run(EXAMPLES / "ml95_curve.toml", "--set", "reduced.full_model=false", "--out", out, "--json", "--quiet")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["complete"] is True
    assert figures["agreement"] == []
    assert not cf_rules.broken(out / "results.nc")
    dataset = read_results(out)
    assert list(dataset.model.values) == ["simplified"]
    assert dataset.sizes["wheelset"] == 4
    # quasi-static in the curve: the wheels carry the whole weight, and together the centrifugal force
    q = dataset.wheel_force.isel(time=-1).sel(quantity="vertical_force").values
    assert q.sum() == pytest.approx(18800.0 * 9.81, rel=2e-3)  # kg of ML95; the inclination of forces is second order
    y = dataset.wheel_force.isel(time=-1).sel(quantity="lateral_force").values[0]
    sides = np.where(np.arange(8) % 2 == 0, 1.0, -1.0)
    assert -(y * sides).sum() == pytest.approx(18800.0 * (60.0 / 3.6) ** 2 / 600.0, rel=0.02)
    assert sorted(p.name for p in (out / "pictures").iterdir()) == [
        "accelerations.png", "levels.png", "wheel_forces.png", "wheelsets.png",
    ]  # fmt: skip


def test_derailed_run_is_kept_and_said(tmp_path, monkeypatch):
    monkeypatch.setattr("flexwheel.systems.reduced.run_reduced.draw", lambda *arguments: None)
    out = tmp_path / "out"
    changes = ["--set", "reduced.full_model=false", "--set", "run.speed_kmh=110"]
    result = run(EXAMPLES / "ml95_small_curve.toml", *changes, "--out", out, "--quiet")
    assert result.exit_code != 0
    dataset = read_results(out)
    assert dataset.attrs["complete"] is False
    assert "derailed at t = " in dataset.attrs["status"]
    assert compare_models(dataset) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_shipped_scenarios_are_read(name):
    source = read_scenario_source(EXAMPLES / f"{name}.toml")
    assert source.scenario.assumed  # what is chosen is said


def test_observer_converges_from_a_wrong_start():
    main = runpy.run_path(str(EXAMPLES / "observer.py"))["main"]
    figures = main("simplified", show=lambda text: None)
    assert figures["first_error_mm"] == pytest.approx(5.0, abs=0.1)
    # measured 0.56 of 0.83 mm; the filter expects 0.54 mm
    assert figures["position_error_rms_mm"] < 0.75 * figures["position_rms_mm"]
    assert figures["position_error_rms_mm"] < 1.5 * figures["expected_position_error_mm"]
    assert figures["alignment_error_rms_mm"] < figures["alignment_rms_mm"]
