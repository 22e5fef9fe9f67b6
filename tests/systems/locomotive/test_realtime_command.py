"""flexwheel run on a real-time scenario, its results, pictures and tables; the paced runner."""

import io
import json
import time

import numpy as np
import pytest
import xarray as xr
from typer.testing import CliRunner

from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.face.cli import make_app
from flexwheel.results.files import read_results, write_results
from flexwheel.systems.locomotive.input_lines import InputLines
from flexwheel.systems.locomotive.paced_runner import run_paced
from flexwheel.systems.locomotive.simulator import RealtimeLocomotive
from tests import cf_rules
from tests.systems.locomotive.realtime_support import EXAMPLE, locomotive


def test_run_writes_results_and_pictures(tmp_path):
    arguments = ["run", str(EXAMPLE), "--out", str(tmp_path), "--set", "run.duration_s=1.5", "--json", "--view"]
    done = CliRunner().invoke(make_app(), arguments)
    assert done.exit_code == 0, done.output
    figures = json.loads(done.output)
    assert figures["complete"] and figures["steps"] == 1500
    assert any("cg_z" in line for line in figures["assumed"])
    assert any("contact.friction" in line for line in figures["assumed"])
    assert not cf_rules.broken(tmp_path / "results.nc")
    with xr.open_dataset(tmp_path / "results.nc") as results:
        assert results.sizes["time"] == 151 and float(results.time[0]) == 0.0
        assert results.attrs["complete"] == "true"
        assert results.normal_force.units == "N"
        assert float(results.normal_force.mean()) == pytest.approx(34250.68 * 9.8 / 8, rel=0.02)
        with pytest.raises(ScenarioError, match="coordinate names z not once"):
            write_results(results.isel(coordinate=slice(0, 2)), tmp_path / "cut.nc")
            read_results(tmp_path / "cut.nc")
    assert {p.name for p in (tmp_path / "pictures").iterdir()} >= {
        "figure_11_path.png", "figure_12_hunting.png", "figure_13_creep.png", "figure_14_iterations.png",
        "figure_7_augmented.png", "figure_8_embedded.png", "figure_9_step.png",
    }  # fmt: skip


def test_creepages_of_a_vehicle_that_stands_are_numbers(tmp_path):
    arguments = ["run", str(EXAMPLE), "--out", str(tmp_path), "--set", "run.duration_s=0.01"]
    assert CliRunner().invoke(make_app(), [*arguments, "--set", "run.speed_kmh=1e-300"]).exit_code == 0
    with xr.open_dataset(tmp_path / "results.nc") as results:
        assert all(np.isfinite(results[f"creepage_{name}"].values).all() for name in ("x", "y", "spin"))


def test_stopped_run_is_written_as_far_as_it_went(tmp_path):
    settings = ["--set", "track.end_m=40.0", "--set", "run.duration_s=5.0", "--json"]
    done = CliRunner().invoke(make_app(), ["run", str(EXAMPLE), "--out", str(tmp_path), *settings])
    assert isinstance(done.exception, FlexwheelError) and "not complete" in str(done.exception)  # exit code 2
    assert "beyond the end of the track" in json.loads(done.output)["status"]
    with xr.open_dataset(tmp_path / "results.nc") as results:
        assert results.attrs["complete"] == "false"
        assert 100 < results.sizes["time"] < 500


def test_too_many_steps_without_convergence_end_as_incomplete(tmp_path, monkeypatch):
    """Beyond run.unconverged_share_max; five steps never count. Before, such projections were not told."""
    counts = {"steps": 6000, "not_converged": 7, "tangent_iterations": 26, "normal_iterations": 1}
    monkeypatch.setattr(RealtimeLocomotive, "run_counts", property(lambda self: counts))
    arguments = ["run", str(EXAMPLE), "--out", str(tmp_path), "--set", "run.duration_s=0.1", "--json"]
    done = CliRunner().invoke(make_app(), arguments)
    assert isinstance(done.exception, FlexwheelError)
    assert "above their tolerance in 7 of 6000 steps" in json.loads(done.output)["status"]
    done = CliRunner().invoke(make_app(), [*arguments, "--set", "run.unconverged_share_max=0.01"])
    assert done.exit_code == 0 and json.loads(done.output)["steps_not_converged"] == 7
    counts["not_converged"], counts["steps"] = 5, 100
    assert CliRunner().invoke(make_app(), arguments).exit_code == 0


def test_tables(tmp_path):
    done = CliRunner().invoke(make_app(), ["realtime-tables", str(EXAMPLE), "--steps", "200", "--json"])
    assert done.exit_code == 0, done.output
    tables = json.loads(done.output)
    assert {row["function"] for row in tables["operations"]} >= {"M", "delta", "phi_n", "gamma_n"}
    assert all(row["microseconds"] > 0.0 for row in tables["times"])


def test_paced_run_keeps_time_reads_inputs_and_sends_outputs():
    loco = locomotive()
    seen = []
    begun = time.perf_counter()
    report = run_paced(loco, 0.3, lambda t: {"motor.rear.1": 100.0 * t}, seen.append, every=10)
    assert time.perf_counter() - begun >= 0.3
    assert report.steps == 300 and len(seen) == 30
    assert 0 <= report.overruns <= 300
    assert loco.torques[loco.inputs.index("motor.rear.1")] == pytest.approx(29.9)
    assert seen[0]["normal_force"].shape == (8,)
    assert len(report.lines()) == 2
    for duration, pace in ((-1.0, 1.0), (float("nan"), 1.0), (1.0, 0.0), (1.0, float("inf"))):
        with pytest.raises(FlexwheelError, match="positive"):
            run_paced(loco, duration, pace=pace)
    for duration in (1e18, float("inf")):
        with pytest.raises(FlexwheelError, match="at most 50000000 steps"):
            run_paced(loco, duration)


def test_input_lines():
    lines = InputLines(io.StringIO('{"motor.rear.1": 1.0}\n\n{"motor.rear.1": 2, "brake.front.1": 3}\n'))
    time.sleep(0.1)
    assert lines.latest() == {"motor.rear.1": 2.0, "brake.front.1": 3.0}
    assert lines.latest() == {}
    bad = InputLines(io.StringIO('{"motor.rear.1": "much"}\n'))
    time.sleep(0.1)
    with pytest.raises(ScenarioError, match="JSON object of numbers"):
        bad.latest()


def test_linearised_step_predicts_the_step():
    from flexwheel.systems.locomotive.linearise_locomotive import linearise_step

    loco = locomotive("track.shift_m=0.0", "track.amplitude_mm=0.0", "run.lateral_offset_mm=0.0")
    loco.run(200)
    linear = linearise_step(loco)
    state, saved = loco.compact_state(), loco.save_state()
    loco.step()
    reference = loco.compact_state()
    loco.restore_state(saved)
    change = np.zeros_like(state)
    change[[1, 3]] = 1e-5, 1e-6
    loco.set_compact_state(state + change)
    loco.set_motor_torque(loco.torques[0] + 10.0)
    loco.step()
    motors = np.array([10.0 if name.startswith("motor") else 0.0 for name in loco.inputs])
    predicted = linear.state_matrix @ change + linear.input_matrix @ motors
    got = loco.compact_state() - reference
    assert got[:60] == pytest.approx(predicted[:60], abs=1e-3 * np.abs(predicted[:60]).max())
