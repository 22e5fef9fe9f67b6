"""Error of the rails as built, told from their matrices, against rails that are struck; what a run says and refuses."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.assess.linear.fixed_receptance import fixed_receptance
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.numerics.integration import newmark, park
from flexwheel.run.build.build_track import MOST_DB, TOLD_DB, error_lines
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.track.flexible_assembly import make_elements
from flexwheel.track.flexible_build import make_window
from flexwheel.track.rail_error import DIRECTIONS, PLACES, built_receptance, exact_receptance, rail_error, step_factors
from flexwheel.track.rail_mass import plain_elements, seen_frequency, without_inner
from flexwheel.track.track_parameters import flexible_track
from flexwheel.track.window_margin import LEVEL
from flexwheel.verification.benches.struck_rail import COMPONENTS, struck_head, struck_window

FREQUENCY = np.array([80.0, 200.0, 500.0, 900.0, 1040.0, 1150.0, 1259.0, 1400.0])
GOOD, BAD = (2, 1e-4, 0.6), (1, 6e-5, 0.6)


@pytest.mark.parametrize(("elements", "dt", "bay"), [GOOD, BAD])
def test_told_error_is_that_of_a_struck_rail(elements, dt, bay):
    """Within 0.06 dB and a tenth of what it is: dampers feel the velocity of the loaded element's own deflection to
    second order of the step, which is left out, and matters where elements are too long."""
    track, coefficients = replace(flexible_track(), bay=bay), newmark(dt)
    parts = make_elements(track.rail, bay, elements, "matched", coefficients)
    model = make_window(track, coefficients, elements=elements)
    rows = list(COMPONENTS.values())  # DIRECTIONS are the components of the head in turn
    exact = exact_receptance(track, FREQUENCY)[rows]
    told = decibels(built_receptance(track, parts, elements, coefficients, FREQUENCY)[rows] / exact)
    for k in (0, 3, 6):
        found = decibels(struck_window(model, coefficients, PLACES[k] * bay, FREQUENCY, 0.4) / exact[:, k])
        assert np.all(np.abs(told[:, k] - found) < 0.06 + 0.1 * np.max(np.abs(found)))
    third = np.abs(rail_error(track, parts, elements, coefficients).third[rows]).max(axis=(1, 2))
    assert np.all(third < TOLD_DB) if (elements, dt, bay) == GOOD else np.all(third > 1.0)


@pytest.mark.parametrize(("elements", "dt"), [(2, 1e-4), (3, 8e-5), (4, 5e-5)])
def test_matched_elements_slow_no_wave_along_the_rail(elements, dt):
    """It brings an axle's creep force to the next one; limit: the error of elements that are not matched."""
    track, coefficients = flexible_track(), newmark(dt)
    rail, length = track.rail, track.bay / elements
    speed = np.sqrt(rail.youngs_modulus / rail.density)
    for hz in (600.0, 1000.0, 1250.0):
        phase, seen = 2.0 * np.pi * hz / speed * length, seen_frequency(hz, coefficients) / (2.0 * np.pi)
        error = []
        for parts in (
            make_elements(rail, track.bay, elements, "matched", coefficients),
            plain_elements(rail, length, np.zeros(3)),
        ):
            bar = np.ix_([2, 5], [2, 5])  # in plane V bar and bending do not couple
            k, m = (without_inner(x)[bar] for x in (parts.stiffness[0], parts.mass[0]))
            turn = np.array([1.0, np.exp(1j * phase)])
            squared = (turn.conj() @ k @ turn).real / (turn.conj() @ m @ turn).real
            error.append(abs(np.sqrt(squared) / (2.0 * np.pi) / seen - 1.0))
        assert error[0] < error[1] * (1.0 + 1e-9)


def test_ends_of_a_window_send_no_wave_along_the_rail_back():
    """Struck window of the default size against endless elements; limit: that of the receptance across."""
    track, coefficients, elements = flexible_track(), newmark(1e-4), 2
    parts = make_elements(track.rail, track.bay, elements, "matched", coefficients)
    hz = np.arange(150.0, 1251.0, 25.0)
    endless = built_receptance(track, parts, elements, coefficients, hz)[list(DIRECTIONS).index("along")]
    model = make_window(track, coefficients, elements=elements)
    for k in (0, 3, 6):
        answer = struck_head(model, coefficients, PLACES[k] * track.bay, 4000)[:, 1, 0]
        found = np.exp(-2j * np.pi * coefficients.dt * np.outer(hz, np.arange(4000))) @ answer
        assert np.max(np.abs(decibels(found / endless[k]))) < LEVEL, "0.7 dB with a layer"


def decibels(ratio):
    return 20.0 * np.log10(np.abs(ratio))


def test_exact_rail_is_the_periodic_one():
    track = flexible_track()
    found = exact_receptance(track, FREQUENCY)
    for k, place in enumerate(PLACES):
        wanted = fixed_receptance(track, place * track.bay, FREQUENCY)
        for d, c in enumerate((0, 1, 2, 3)):
            np.testing.assert_allclose(found[d, k], wanted[:, c, c], rtol=1e-9)


@pytest.mark.parametrize("scheme", [newmark(7e-5), newmark(3e-5, 1.0 / 12.0), park(5e-5)])
def test_factors_of_a_scheme(scheme):
    """A sampled exponential goes through the scheme's own predictor and corrector."""
    w = 2.0 * np.pi * np.array([300.0, 1200.0])
    velocity, acceleration = step_factors(scheme, w)
    motion = np.stack([np.ones(2), velocity, acceleration])
    d, v = np.zeros(2, complex), np.zeros(2, complex)
    for i in range(scheme.depth):
        before = motion * np.exp(-1j * (i + 1) * w * scheme.dt)
        d, v = d + scheme.displacement_weights[i] @ before, v + scheme.velocity_weights[i] @ before
    np.testing.assert_allclose(d + scheme.beta * scheme.dt**2 * acceleration, 1.0, rtol=1e-9)
    np.testing.assert_allclose(v + scheme.gamma * scheme.dt * acceleration, velocity, rtol=1e-9)


def lines(*settings):
    """What is said of a track of the AS4's curve."""
    scenario = read_scenario_source(EXAMPLES / "as4_curve.toml", settings).scenario
    scheme = park(scenario.run.step_s) if scenario.run.integrator == "park" else newmark(scenario.run.step_s)
    return error_lines(scenario.track, scheme)


def test_good_rails_are_not_told_of_and_poor_ones_by_direction():
    assert lines() == []
    (said,) = lines("track.bay_m=0.75")
    assert "lateral" in said and "torsion" in said and "vertical" not in said
    assert "track.elements_per_bay = 2 at a step of 0.0001 s" in said and f"above the limit of {TOLD_DB:g} dB" in said
    assert "better with track.elements_per_bay = 3" in said
    assert lines("track.bay_m=0.75", "track.elements_per_bay=3") == []


def test_rails_that_cannot_be_right_are_refused_unless_they_are_a_papers_choice():
    poor = "track.elements_per_bay=1", "run.step_s=1.5e-4", "run.output_step_s=3e-4"
    with pytest.raises(
        ScenarioError, match=rf"elements_per_bay = 1 at a step of 0.00015 s.*above the limit of {MOST_DB:g} dB; set"
    ):
        lines(*poor)
    for own in (*poor, "track.rail_mass=consistent"), ("track.elements_per_bay=1", "run.integrator=park"):
        (said,) = lines(*own)
        assert "is asked for" in said and "lateral" in said
