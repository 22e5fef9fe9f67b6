"""What `flexwheel converge` says of a scenario's spectra: refinements, their changes, table, file, refusals."""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from flexwheel.assess import convergence
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.keys.reader import parse_scenario, read_scenario_source
from tests import cf_rules

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
    """Convergence of a made-up run whose lateral forces rise by 0.75 dB with half the step, and by nothing else.

    A tenth of the lateral force above 500 Hz is noise of the iteration. A run with half the step is sampled at each.
    """
    time = 1e-4 * np.arange(1, 40001)
    lines = np.fft.rfft(np.random.default_rng(1).normal(size=(len(time), 2, 3)), axis=0)
    noise = np.fft.irfft(lines, len(time), axis=0)
    other = np.fft.rfft(np.random.default_rng(2).normal(size=(len(time), 2)), axis=0)
    other[np.fft.rfftfreq(len(time), 1e-4) < 560.0] = 0.0
    left = 0.1 * np.fft.irfft(other, len(time), axis=0)

    def run(scenario, report, text, wheelsets):
        factor = np.array([1.0, 10**0.0375 if scenario.run.step_s < 1e-4 else 1.0, 1.0])
        values, at = noise * factor, time
        if scenario.run.step_s < 1e-4:
            assert scenario.run.output_step_s == scenario.run.step_s
            values, at = factor * 2.0 * np.fft.irfft(lines, 2 * len(time), axis=0), 5e-5 * np.arange(1, 80001)
        if scenario.run.contact_tolerance_n < 1.0:
            values[:, :, 1] += left
        forces = (("time", "wheel", "force"), values)
        coordinates = {"time": at, "wheel": ["a left", "a right"], "force": ["longitudinal", "Y", "Q"]}
        return xr.Dataset({"wheel_force": forces}, coordinates, {"complete": True, "status": "", "settling_s": 0.0})

    monkeypatch.setattr(convergence, "run_scenario", run)
    monkeypatch.setattr(convergence, "flexible_wheelsets", lambda scenario, say: {})
    return convergence.convergence(read_scenario_source(AS4, ["run.step_s=1e-4"]), 4.0)


def test_changes_and_where_they_come_from(found):
    most, source = convergence.largest_error(found, ["Y a left", "Y a right"])
    tells = np.isfinite(most) & (found.band.values < 500.0)  # the iteration's noise adds above
    assert np.allclose(most[tells], 1.5, atol=1e-6) and tells.sum() >= 15
    assert {name for name, one in zip(source, tells, strict=True) if one} == {"step and rail"}
    parts = found.error.sel(signal="Y a left").values[:, ~tells]
    assert np.allclose(convergence.total_error(parts) ** 2, np.sum(parts**2, axis=0)) and np.all(parts[0] != 0.0)
    assert np.allclose(found.change.sel(variation="step and rail", signal="Y a left")[tells], 0.75)
    assert np.nanmax(np.abs(found.change.sel(signal=["Q a left", "Q a right"]))) < 1e-12
    assert np.allclose(convergence.band_factor(found, "Y a left")[tells], 10**0.075)
    assert any("1.50 step and rail" in line for line in convergence.convergence_table(found))


def test_the_same_equations_are_not_run_again(found, monkeypatch):
    body = SimpleNamespace(whole_sectors=8)
    monkeypatch.setattr(convergence, "flexible_wheelsets", lambda scenario, say: {"front": SimpleNamespace(body=body)})
    again = convergence.convergence(read_scenario_source(AS4, ["run.step_s=1e-4"]), 4.0)
    mode = again.sel(variation="mesh mode")
    assert np.isnan(mode.change).all() and "not run, the same equations" in str(mode.refinement.values)
    assert np.allclose(
        again.drop_sel(variation="mesh mode").error, found.drop_sel(variation="mesh mode").error, equal_nan=True
    )


def test_a_run_without_noise_that_does_not_converge_is_said(found):
    lost = found.assign_attrs(noise_unknown="41 of 20000 steps did not converge")
    assert "not known" in convergence.noise_lines(lost)[0] and "41 of 20000" in convergence.noise_lines(lost)[0]


def test_file_belongs_to_its_scenario(found, tmp_path):
    assert not cf_rules.broken(convergence.write_convergence(found, tmp_path))
    same, other = (read_scenario_source(AS4, [f"run.step_s={step}"]).scenario for step in (1e-4, 5e-5))
    xr.testing.assert_equal(convergence.read_convergence(tmp_path, same).change, found.change)
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


def test_iteration_noise_is_told_where_it_passes_a_share_of_a_band(found):
    share = found.iteration_noise.sel(signal="Y a left").values
    above = found.band.values > 600.0
    assert np.all(np.abs(share[above] - 0.1) < 0.02) and np.nanmax(share[found.band.values < 500.0]) < 0.01
    assert np.nanmax(found.iteration_noise.sel(signal="Q a left")) == 0.0
    (line,) = convergence.noise_lines(found)
    assert line.startswith("iteration noise of Y: 631 Hz 1") and "1259 Hz" in line and "501 Hz" not in line


@pytest.mark.parametrize("order", [1, 2, 4])
def test_extrapolation_is_exact_for_its_order(order, monkeypatch):
    monkeypatch.setitem(convergence.ORDER, "step", order)
    level = {step: 3.0 + 0.7 * step**order for step in (1.0, 0.5, 0.0)}
    change, error = level[0.5] - level[1.0], level[0.0] - level[1.0]
    assert np.isclose(convergence.Variation("step", "", ()).factor * change, error, rtol=1e-12)
    assert convergence.Variation("window", "", ()).factor == 1.0
