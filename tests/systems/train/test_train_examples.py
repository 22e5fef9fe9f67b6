"""The shipped trains: formations of the paper, and a few figures of a short run that should not move unnoticed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flexwheel.results.files import read_results, write_results
from flexwheel.systems.train.results import benchmark_row
from flexwheel.systems.train.simulate_train import paper_bodies, simulate, simulate_with_elements
from flexwheel.systems.train.train_dataset import make_train_dataset
from flexwheel.systems.train.train_run import read_train_scenario
from tests import cf_rules

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "vehicles", "locomotives", "bodies", "hidden"),
    [("train_2.toml", 104, [1, 2, 53, 54], 6, [49, 49]), ("train_4.toml", 243, [1, 2, 123], 7, [59] * 4)],
)
def test_formations_of_the_paper(name, vehicles, locomotives, bodies, hidden):
    scenario = read_train_scenario(EXAMPLES / name)
    train = scenario.run.train
    assert len(train.vehicles) == vehicles
    assert [i + 1 for i, v in enumerate(train.vehicles) if v.traction is not None] == locomotives
    places = paper_bodies(train, 1 if vehicles == 104 else 2)
    assert len(places) == bodies
    assert [n for n in np.diff(places) - 1 if n] == hidden
    assert sum(c.rigid for c in train.couplers) == (vehicles - len(locomotives)) // 2
    clearances = {round(c.draft_free + c.buff_free, 6) for c in train.couplers if not c.rigid}
    assert clearances == {0.010}
    assert scenario.assumed


def test_train_2_first_minutes(tmp_path):
    """Start from rest to full notch: the largest draft of the whole trip is here, behind the remote locomotives."""
    scenario = read_train_scenario(EXAMPLES / "train_2.toml", ["run.duration_s=120"])
    results = simulate(scenario.run)
    row = benchmark_row(results, scenario.deflection_coupler)
    assert row.draft_at == 54
    assert row.draft == pytest.approx(991.0, abs=2.0)
    assert row.speed_max == pytest.approx(51.6, abs=0.1)
    dataset = make_train_dataset(scenario, results)
    assert not cf_rules.broken(write_results(dataset, tmp_path))
    back = read_results(tmp_path)
    assert back.force.shape == (121, 103) and back.force.units == "N"
    assert "train_2" not in back.attrs["title"] and "formation" in back.attrs["scenario"]
    hosted = simulate_with_elements(replace(scenario.run, account=False), paper_bodies(scenario.run.train))
    np.testing.assert_allclose(hosted.peak_force, results.peak_force, atol=1e-3 * results.peak_force.max())


def test_pictures(tmp_path):
    from flexwheel.systems.train.train_figures import draw_train

    scenario = read_train_scenario(EXAMPLES / "train_2.toml", ["run.duration_s=20"])
    made = draw_train(make_train_dataset(scenario, simulate(scenario.run)), tmp_path)
    assert len(made) == 5 and all(Path(p).stat().st_size > 5000 for p in made)


@pytest.mark.parametrize("name", ["autocoupler", "sa3", "hook_and_buffers", "elastic_bar"])
def test_every_shipped_coupler_runs(name):
    """Each kind of coupling in train 2, from rest: its deflections stay within what it has."""
    settings = ["run.duration_s=30", f'train.coupler="{name}"', "run.tolerance=5e-4"]
    results = simulate(read_train_scenario(EXAMPLES / "train_2.toml", settings).run)
    assert 300e3 < results.peak_force.max() < 2e6
    assert np.abs(results.peak_deflection).max() < 0.3
    assert abs(results.energy.residual) < 1e-4 * results.energy.turnover


def test_command_line(tmp_path, capsys):
    """flexwheel run on a train scenario: JSON in SI, a result file."""
    import json

    from flexwheel.face.command.run_command import command

    settings = ["run.duration_s=40", "run.check_tolerance=true"]
    command(str(EXAMPLES / "train_2.toml"), str(tmp_path), settings, as_json=True, quiet=True)
    printed = json.loads(capsys.readouterr().out)
    assert printed["draft_at"] == 54 and printed["halving_changes_extremes_N"] < 10.0
    assert Path(printed["results"]).is_file() and "coupler.autocoupler.draft" in printed["assumed"]
