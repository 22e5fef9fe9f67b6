"""The band in which a spectrum holds: each reason's frequency, and what of it a selection, a file and a line keep."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

import flexwheel.face.accessor  # noqa: F401  registers results.fw
from flexwheel.assess.figures.force_figures import force_spectrum_figure
from flexwheel.base.shipped import EXAMPLES
from flexwheel.numerics.integration import newmark
from flexwheel.results.evaluate.valid_band import (
    FORCES,
    MESH,
    Bound,
    band_lines,
    basis_bounds,
    bound_of,
    coordinates,
    lowest,
    mesh_bounds,
    sample_bound,
    step_bound,
    with_bands,
)
from flexwheel.results.files import open_results, write_results
from flexwheel.run import valid_bands
from flexwheel.run.build.build_track import error_lines
from flexwheel.run.keys.reader import read_scenario
from tests.synthetic import synthetic_body, synthetic_results

GOOD, POOR = Bound(2000.0, "samples every 0.2 ms"), Bound(153.0, "mesh: the mode at 153 Hz is 7.1 % too high")


@pytest.fixture(scope="module")
def results():
    """A made-up run; forces hold to 2000 Hz, Y of the front wheels to 153 Hz."""
    made = synthetic_results(synthetic_body(), duration=2.0)
    rows = [[GOOD, POOR if str(wheel).startswith("front") else GOOD, GOOD] for wheel in made.wheel.values]
    return with_bands(made, coordinates(FORCES, rows, ("wheel", "force")))


def test_a_selection_keeps_the_lowest_bound_of_what_it_holds(results):
    force = results.wheel_force
    assert bound_of(force) == POOR and bound_of(force.sel(force="Y")) == POOR
    assert bound_of(force.sel(force="Q")) == GOOD and bound_of(force.sel(force="Y", wheel="rear left")) == GOOD
    assert bound_of(results.body_position) is None
    spectrum = results.fw.third_octaves("wheel_force", force="Y", wheel="front left")
    assert spectrum.attrs["valid_to_hz"] == POOR.to_hz and spectrum.attrs["valid_cause"] == POOR.cause
    assert bound_of(results.fw.psd("wheel_force", force="Y").sel(wheel="rear right")) == GOOD


def test_a_file_and_a_line_keep_it(results, tmp_path):
    opened = open_results(write_results(results, tmp_path))
    assert bound_of(opened.wheel_force) == POOR
    assert band_lines(opened, 1000.0) == [f"spectra of force Y of front left, front right hold to 153 Hz: {POOR.cause}"]
    assert len(band_lines(opened)) == 2


def test_a_picture_shades_what_lies_beyond(results):
    upper, lower = force_spectrum_figure(results).axes
    texts = [[text.get_text() for text in axis.get_legend().get_texts()] for axis in (upper, lower)]
    assert not any("not valid" in text for text in texts[0])
    assert any(text.startswith("not valid above 153 Hz (mesh") for text in texts[1])


def test_the_bound_of_a_step_is_where_an_oscillator_is_out_by_a_hundredth():
    """Newmark 1/4 over whole periods: the frequency of the discrete oscillator, from its matrix."""
    step = 1e-4
    omega = 2.0 * np.pi * step_bound(step).to_hz
    c = newmark(step, 0.25)
    found = 2.0 * np.arctan(0.5 * omega * step) / step  # exact phase of the trapezoidal rule
    assert c.beta == 0.25
    assert 1.0 - found / omega == pytest.approx(0.01, rel=0.1)  # the series is cut after its first term


def test_bounds_of_a_body_name_the_first_mode_that_is_out_and_the_end_of_its_basis():
    body = synthetic_body()
    assert mesh_bounds(body) == [] and basis_bounds(body)[0].to_hz == pytest.approx(body.complete_hz / 1.5)
    error = np.full(len(body.frequency_hz), 0.1 * MESH)
    error[2] = 2.0 * MESH
    (bound,) = mesh_bounds(replace(body, mesh_error=error))
    assert bound.to_hz == body.frequency_hz[2] and "6.0 %" in bound.cause
    assert basis_bounds(body, residual=False)[0].to_hz == 0.0
    assert sample_bound(2e-4).to_hz == pytest.approx(2000.0)


def test_nothing_is_said_without_bounds():
    assert band_lines(xr.Dataset({"a": ("time", np.zeros(3))})) == []


def test_rails_bound_the_forces_that_feel_them(monkeypatch):
    """Two elements in a bay of 0.75 m: what `error_lines` tells of each direction ends the band of its force."""
    monkeypatch.setattr(valid_bands, "carries_inertia", lambda rail: True)
    keys = ["track.bay_m=0.75", "run.compare_modes=[]"]
    scenario = read_scenario(EXAMPLES / "as4_curve.toml", keys)
    model = SimpleNamespace(coefficients=newmark(scenario.run.step_s, 0.25), rail=None)
    found = valid_bands._rail_bounds(SimpleNamespace(scenario=scenario, model=model))
    (told,) = error_lines(scenario.track, model.coefficients)
    assert {name for name, bounds in found.items() if bounds} >= {"Y", "longitudinal"}
    for name, words in (("Y", "lateral"), ("Q", "vertical")):
        assert any(words in bound.cause for bound in found[name]) == (f"{words} " in told)
        assert all(50.0 < bound.to_hz < 1250.0 for bound in found[name])
    assert lowest(found["longitudinal"]).to_hz <= valid_bands.LONGITUDINAL_HZ
