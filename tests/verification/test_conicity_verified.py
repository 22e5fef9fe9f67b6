"""Equivalent conicity against EN 15302 Annex E (E1 to E5), Klingel's cone and Duffing's exact wave."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from flexwheel.assess.conicity import DeltaR, equivalent_conicity
from flexwheel.base.errors import ContactError
from flexwheel.verification.reference_rows import reference_rows

TABLES, LIMITS = reference_rows("en15302_delta_r.csv"), reference_rows("en15302_conicity.csv")
AMPLITUDES = 1e-3 * np.array([line["amplitude_mm"] for line in LIMITS])


def _table(case):
    points = np.array([(line["y_mm"], line[case]) for line in TABLES if line[case] != ""])
    return DeltaR(*(1e-3 * points.T))


@pytest.mark.parametrize("case", ["E1", "E2", "E3", "E4", "E5"])
def test_inside_the_band_at_every_amplitude(case):
    low, high = (np.array([line[f"{case}_{side}"] for line in LIMITS]) for side in ("low", "high"))
    result = equivalent_conicity(_table(case), AMPLITUDES)
    assert np.all((result.integration >= low) & (result.integration <= high))


@pytest.mark.parametrize("case", ["E1", "E2", "E3", "E4"])
def test_reference_values_within_the_table(case):
    result = equivalent_conicity(_table(case), AMPLITUDES)
    value = np.array([line[case] for line in LIMITS])
    inside = ~result.beyond_table
    assert inside.sum() >= 59
    np.testing.assert_allclose(result.integration[inside], value[inside], atol=8e-4)  # the table has three digits


def test_offset_wheels_oscillate_about_the_place_of_equal_radii():
    result = equivalent_conicity(_table("E5"), [0.003])
    assert result.low[0] + result.high[0] < -0.003  # the radii differ by 1 mm: they are equal at -2.7 mm
    assert result.high[0] - result.low[0] == pytest.approx(0.006, rel=1e-9)


def test_cone_has_its_angle_at_any_amplitude_and_klingels_wave():
    y = np.linspace(-5e-3, 5e-3, 11)
    result = equivalent_conicity(DeltaR(y, 2.0 * 0.025 * y), [1e-4, 3.3e-3, 7e-3])
    for value in (result.integration, result.regression, result.harmonic):
        np.testing.assert_allclose(value, 0.025, rtol=1e-9)
    np.testing.assert_array_equal(result.beyond_table, [False, False, True])
    assert result.wavelength(1.5, 0.46)[0] == pytest.approx(23.341, abs=1e-3)  # Klingel, reference_results


def test_cubic_delta_r_has_duffings_wave():
    y = np.linspace(-6e-3, 6e-3, 2401)
    result = equivalent_conicity(DeltaR(y, 2000.0 * y**3), [2e-3, 5e-3])
    # y'' = -c y^3 from rest at A: quarter wave = K(1/2)/(A sqrt(c)), modulus squared 1/2
    quarter = ellipk(0.5) / (result.amplitude * np.sqrt(2000.0))
    np.testing.assert_allclose(result.integration, 2.0 * np.pi**2 / (4.0 * quarter) ** 2, rtol=1e-5)


def test_negative_conicity_has_a_gap_of_amplitudes():
    y = np.linspace(-6e-3, 6e-3, 241)
    result = equivalent_conicity(DeltaR(y, -0.02 * y + 3000.0 * y**3), 1e-3 * np.array([1.0, 2.0, 2.5, 5.0]))
    assert np.all(np.isfinite(result.integration[[0, 3]])) and np.all(np.isnan(result.integration[1:3]))
    assert result.high[0] < 0.0  # in one well beside the middle
    assert result.low[3] < 0.0 < result.high[3]  # over the barrier
    assert result.regression[1] < 0.0  # falling Delta_r
    # rest y* = sqrt(0.02/3000), small motions there: Delta_r' = 2 * 0.02
    small = equivalent_conicity(DeltaR(y, -0.02 * y + 3000.0 * y**3), [1e-4]).integration[0]
    assert small == pytest.approx(0.02, rel=0.01)


def test_coarse_table_is_integrated_exactly():
    y = 1e-3 * np.array([-4.0, -2.0, -0.5, 0.5, 2.0, 4.0])
    table = DeltaR(y, 1e-3 * np.array([-1.0, 0.1, 0.2, -0.2, -0.1, 1.0]))  # falls through zero in the middle
    result = equivalent_conicity(table, [3.6e-3])
    reached = solve_ivp(
        lambda _, state: [state[1], -np.interp(state[0], table.y, table.delta_r)],
        (0.0, 200.0),
        [result.low[0], 0.0],
        events=_at_rest,
        rtol=1e-11,
        atol=1e-16,
        max_step=0.05,
    )
    half_wave = reached.t_events[0][0]
    assert result.integration[0] == pytest.approx(2.0 * np.pi**2 / (2.0 * half_wave) ** 2, rel=1e-6)


def _at_rest(_, state):
    return state[1] - 1e-15


_at_rest.terminal, _at_rest.direction = True, -1.0


@pytest.mark.parametrize(
    ("y", "delta_r", "text"),
    [
        ([0.0, 1e-3], [0.0, 1e-3], "n >= 3"),
        ([-1e-3, 0.0, 0.0], [-1e-3, 0.0, 1e-3], "must increase"),
        ([-1e-3, 0.0, 1e-3], [-1e-3, np.nan, 1e-3], "not finite"),
        ([-1e-3, 0.0, 1e-3], [1e-3, 0.0, -1e-3], "change the sign of one column"),
        ([-6.8, 0.0, 6.8], [-10.0, 0.0, 10.0], "is the unit right"),
    ],
)
def test_bad_tables_are_refused(y, delta_r, text):
    with pytest.raises(ContactError, match=text):
        DeltaR(y, delta_r)


@pytest.mark.parametrize("amplitude", [0.0, -1e-3, 1e-300, np.nan])
def test_amplitude_is_no_less_than_an_atom(amplitude):
    with pytest.raises(ContactError, match="at least 1e-09 m"):
        equivalent_conicity(_table("E1"), [amplitude])


@pytest.mark.filterwarnings("error")
def test_a_difference_of_no_size_is_none():
    y, delta_r = 1e-3 * np.arange(-8.0, 9.0), 1e-4 * np.arange(-8.0, 9.0)
    delta_r[5] = 0.0
    exact = equivalent_conicity(DeltaR(y, delta_r), [0.003])
    delta_r[5] = 1e-300
    assert equivalent_conicity(DeltaR(y, delta_r), [0.003]).integration == exact.integration
