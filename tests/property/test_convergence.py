"""What `flexwheel converge` says of a scenario's spectra: refinements, their changes, table, file, refusals."""

import numpy as np
import pytest
import xarray as xr

from flexwheel.errors import ScenarioError
from flexwheel.run import convergence
from flexwheel.scenario.reader import parse_scenario, read_scenario_source
from flexwheel.shipped import EXAMPLES

AS4 = EXAMPLES / "as4_curve.toml"


def test_refinements_change_what_they_say():
    source = read_scenario_source(AS4)
    for item in convergence.variations(source.scenario):
        changed = parse_scenario(source.text, source.path, item.overrides)
        assert changed != source.scenario, item
        assert convergence.identity(changed) != convergence.identity(source.scenario)
    names = [item.name for item in convergence.variations(source.scenario)]
    assert names == ["modes", "step and rail", "window", "mesh mode"]
    lumped = read_scenario_source(AS4, ["track.rail_mass=lumped"]).scenario
    assert [item.name for item in convergence.variations(lumped)][1:3] == ["step", "rail"]


def test_a_longer_run_is_the_same_scenario():
    texts = [["run.title=short"], ["run.title=long", "output.start_s=1"]]
    first, second = (read_scenario_source(AS4, settings).scenario for settings in texts)
    assert convergence.identity(first) == convergence.identity(second)


@pytest.fixture
def found(monkeypatch):
    """Convergence of a made-up run whose lateral forces rise by 1 dB with half the step, and by nothing else."""
    time = 1e-4 * np.arange(1, 40001)
    noise = np.random.default_rng(1).normal(size=(len(time), 2, 3))

    def run(scenario, report, text, wheelsets):
        factor = np.array([1.0, 10**0.05 if scenario.run.step_s < 1e-4 else 1.0, 1.0])
        forces = (("time", "wheel", "force"), noise * factor)
        coordinates = {"time": time, "wheel": ["a left", "a right"], "force": ["longitudinal", "Y", "Q"]}
        return xr.Dataset({"wheel_force": forces}, coordinates, {"complete": True, "status": "", "settling_s": 0.0})

    monkeypatch.setattr(convergence, "run_scenario", run)
    monkeypatch.setattr(convergence, "flexible_wheelsets", lambda scenario, say: {})
    return convergence.convergence(read_scenario_source(AS4, ["run.step_s=1e-4"]), 4.0)


def test_changes_and_where_they_come_from(found):
    most, source = convergence.largest_change(found, ["Y a left", "Y a right"])
    assert np.allclose(most[np.isfinite(most)], 1.0, atol=1e-9) and np.isfinite(most).sum() >= 20
    assert set(source) == {"step and rail"}
    assert np.nanmax(np.abs(found.change.sel(signal=["Q a left", "Q a right"]))) < 1e-12
    assert np.allclose(convergence.band_factor(found, "Y a left")[5:], 10**0.05)
    assert any("1.00 step and rail" in line for line in convergence.convergence_table(found))


def test_file_belongs_to_its_scenario(found, tmp_path):
    convergence.write_convergence(found, tmp_path)
    same, other = (read_scenario_source(AS4, [f"run.step_s={step}"]).scenario for step in (1e-4, 5e-5))
    xr.testing.assert_identical(convergence.read_convergence(tmp_path, same).change, found.change)
    assert convergence.read_convergence(tmp_path, other) is None
    (tmp_path / convergence.CONVERGENCE_NAME).write_text("no file of that kind")
    with pytest.raises(ScenarioError, match="convergence.nc"):
        convergence.read_convergence(tmp_path, same)


@pytest.mark.parametrize(
    ("settings", "seconds", "said"),
    [([], 0.1, "--seconds"), ([], 500.0, "runs for"), (["run.output_step_s=1e-3"], 2.0, "run.output_step_s")],
)
def test_refusals(settings, seconds, said):
    with pytest.raises(ScenarioError, match=said):
        convergence.convergence(read_scenario_source(AS4, settings), seconds)
