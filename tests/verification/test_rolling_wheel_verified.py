"""Element passing against an independent solver (moving_wheel_lines.csv), a step's waves and receptance, exact ones."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.numerics.integration import newmark
from flexwheel.track.flexible_assembly import make_elements
from flexwheel.track.loaded_element import DEGREE, M_X, TWICE, loaded_tables, momentum, own_values
from flexwheel.track.rail_mass import chain_motions, free_waves, seen_frequency
from flexwheel.track.track_parameters import flexible_track, rail_section
from flexwheel.verification.benches.struck_rail import PLACES, receptance_error
from flexwheel.verification.rolling_wheel_checks import reference_lines, settled_lines


def test_no_comb_of_element_passing_on_a_smooth_rail():
    passing = np.arange(40, 351, 40) - 1  # 148 Hz and its multiples: speed over an element's length
    found = settled_lines(np.zeros_like, periods=3, window_bays=90)
    difference = np.abs(found - reference_lines()[:, 1])[passing] / np.sqrt(2.0)
    assert np.max(difference) < 1.0, "N rms; 14 N without the momentum of the loaded element"


LIMITS = {
    # a peak of loss factor 0.02 moves by less than 0.3 dB at a tenth of its half width; 0.6 dB at twice that, where
    # elements are longer than the step wants them
    (8e-5, 3): 2.5e-3, (5e-5, 4): 2.5e-3, (2.5e-5, 8): 2.5e-3, (5e-5, 8): 2.5e-3, (1e-4, 2): 5e-3, (2.5e-5, 4): 5e-3,
}  # fmt: skip


@pytest.mark.parametrize("step, elements", LIMITS)
def test_matched_mass_gives_the_waves_their_length(step, elements):
    """Those with whole half waves in a bay, which no support damps, within a tenth of the limit of the others."""
    track, coefficients = flexible_track(), newmark(step)
    parts = make_elements(track.rail, track.bay, elements, "matched", coefficients)
    for plane, used in ((0, 6), (1, 7)):
        for half_waves, branch in ((0.4, 0), (0.7, 0), (1.0, 0), (1.4, 0), (0.4, 1), (0.8, 1), (1.0, 1)):
            k = half_waves * np.pi / track.bay
            exact = free_waves(track.rail, plane, k)[branch]
            if exact > 1400.0:
                continue
            pair = parts.stiffness[plane, :used, :used], parts.mass[plane, :used, :used]
            found = 2.0 * np.pi * chain_motions(*pair, [k * parts.length])[0][0, branch]
            limit = LIMITS[step, elements] * (0.1 if half_waves == 1.0 else 1.0)
            assert found == pytest.approx(seen_frequency(exact, coefficients), rel=limit), (plane, half_waves, branch)


@pytest.mark.filterwarnings("error")
def test_a_rail_with_hardly_any_shear_stiffness_is_matched():
    track = flexible_track()
    soft = replace(track.rail, shear_factor_vertical=1e-3)
    assert np.all(np.isfinite(make_elements(soft, track.bay, 4, "matched", newmark(5e-5)).mass))


def test_tables_are_the_integrals_and_the_projection():
    track = flexible_track()
    parts = make_elements(track.rail, track.bay, 4, "matched", newmark(5e-5))
    table, spread = loaded_tables(track.rail, parts)
    for x in (0.13, 0.5, 0.91):
        row = x ** np.arange(DEGREE, -1, -1) @ table
        for p in range(2):
            m = momentum(track.rail, p, parts, x)
            scale = np.max(np.abs(m), axis=0)
            found = row[M_X + 14 * p : M_X + 14 * p + 14].reshape(2, 7).T
            np.testing.assert_allclose(found / scale, m / scale, atol=1e-10)
            pair = own_values(spread[p])
            np.testing.assert_allclose(
                row[TWICE + 4 * p : TWICE + 4 * p + 4].reshape(2, 2), m.T @ pair @ m, rtol=1e-9, atol=1e-22
            )


def test_momentum_is_that_of_the_clamped_deflection():
    """Force in the middle of a short element: it deflects in shear, as a triangle of height l/(4 kGA)."""
    rail = rail_section("uic60")
    parts = make_elements(rail, 0.05, 1, "consistent")
    shear = rail.shear_factor_vertical * rail.shear_modulus * rail.area
    m = momentum(rail, 0, parts, 0.5)
    exact = rail.density * rail.area * 0.05**2 / (8.0 * shear)
    assert m[0, 0] + m[3, 0] == pytest.approx(0.0, abs=1e-6 * exact)
    assert m[0, 1] + m[3, 1] == pytest.approx(exact, rel=2e-2)


@pytest.mark.parametrize("name", PLACES)
def test_receptance_of_the_step_is_that_of_the_exact_rail(name):
    """The default elements, step and window, whose ends the lateral wave at 480 Hz hardly comes back from."""
    frequency = np.unique(np.r_[100.0:1400.1:10.0, 470.0:490.1, 1060.0:1075.1, 1140.0:1160.1])
    for step, elements in ((5e-5, 4), (8e-5, 3), (1e-4, 2)):
        options = {"length": 0.4, "elements": elements}
        error = receptance_error(flexible_track(), newmark(step), PLACES[name], frequency, **options)
        assert np.max(np.abs(error)) < 0.3, "dB; lateral 3.0 to 3.9 and torsional 2.5 to 3.6 with a linear twist"
