"""Spectra at points of a flexible body: those of a response beside those of a run on the same rails."""

import numpy as np
import pytest
from wagon_case import write_wagon

import flexwheel as fw
from flexwheel.assess.linear.body_points import point_rows
from flexwheel.assess.response import ResponseSettings, response_of
from flexwheel.base.gravity import GRAVITY
from flexwheel.numerics.spectra import band_edges, third_octave_centres
from flexwheel.run.keys.reader import read_scenario

SPEED = 80.0 / 3.6  # [m/s] of the wagon
EDGES_HZ = np.concatenate(band_edges(third_octave_centres(10.0, 40.0)))
LINES_HZ = np.array([f for f in np.arange(9.5, 44.5, 0.5) if np.abs(EDGES_HZ - f).min() > 0.3])
"""Of the rails, whole numbers of periods in 8 s; none at an edge of a third octave: a window spreads them."""
BEGIN, DURATION = 6.0, 8.0  # [s]
CENTRE = slice(0, 6)  # bands of 10 to 31.5 Hz


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Third octaves (band, point, axis) by the run and by the response, of each quantity."""
    folder = tmp_path_factory.mktemp("wagon")
    path = write_wagon(folder, BEGIN + DURATION, 10.0)
    random, s = np.random.default_rng(3), np.arange(0.0, 450.0, SPEED / LINES_HZ[-1] / 30.0)
    rails = [
        np.sin(2 * np.pi * np.outer(s, LINES_HZ / SPEED) + random.uniform(0, 2 * np.pi, len(LINES_HZ)))
        @ (30.0 / LINES_HZ**2)
        for _ in range(2)
    ]
    rows = [f"{a:.9g},{b:.9g},{c:.9g}" for a, b, c in zip(s, *rails, strict=True)]
    (folder / "waves.csv").write_text("\n".join(["distance_m,left_vertical_mm,right_vertical_mm", *rows]) + "\n")
    run = fw.run(str(path))
    late = run.isel(time=np.arange(round(BEGIN / 0.002), round((BEGIN + DURATION) / 0.002)))
    response = response_of(read_scenario(path), ResponseSettings(highest_hz=31.5, step_hz=0.05))
    lower, upper = band_edges(response.band.values)
    found = {}
    for quantity in ("displacement", "acceleration", "stress"):
        values = late[f"body_point_{quantity}"]
        assert list(values.body_point.values) == list(response.body_point.values)
        power = 2.0 * np.abs(np.fft.rfft(values.values.astype(float), axis=0) / len(values)) ** 2
        hz = np.fft.rfftfreq(len(values), 0.002)
        bands = [power[(hz >= a) & (hz < b)].sum(axis=0) for a, b in zip(lower, upper, strict=True)]
        found[quantity] = np.sqrt(bands), response[f"body_point_{quantity}_band"].values
    return response, found


@pytest.mark.parametrize("quantity", ["displacement", "acceleration", "stress"])
def test_third_octaves_are_those_of_the_run(both, quantity):
    """Each component but those below 2 % of the largest at the point, where rounding of the stored samples shows.

    The response takes the rails' file by windows of 20 s: 0.05 Hz wide, over resonances of 0.2 Hz."""
    run, response = (part[CENTRE] for part in both[1][quantity])
    if quantity == "stress":
        assert np.isnan(run[:, :4]).all() and np.isnan(response[:, :4]).all()  # none at attachments
        run, response = run[:, 4:], response[:, 4:]
    counts = run > 0.02 * run.max(axis=2, keepdims=True)
    assert counts.sum() > 15
    assert np.abs(20.0 * np.log10(response[counts] / run[counts])).max() < 0.2


def test_notes_say_up_to_where_the_body_holds(both):
    assert any("all of its mesh below 60 Hz" in note for note in both[0].attrs["notes"])


def test_a_body_that_leans_feels_gravity():
    """Rolled about x its y axis points up, pitched about y its x axis points down."""

    class Body:
        place, place_rows = np.array([[1.0, 2.0, 3.0]]), np.zeros((1, 6, 0))
        stress_rows, frequency_hz, attachments = np.zeros((0, 6, 0)), np.zeros(0), 1

    still, moving = point_rows(Body)
    roll, pitch = still[0, 3:6, 4], still[0, 3:6, 5]
    np.testing.assert_array_equal(np.stack([roll, pitch]), [[0.0, GRAVITY, 0.0], [-GRAVITY, 0.0, 0.0]])
    np.testing.assert_array_equal(moving[0, 3:6, 3], [-2.0, 1.0, 0.0])  # yaw turns (1, 2) by (-2, 1)
