"""Kalker's coefficients and linear theory against table E.3 of Kalker 1990 and no-slip runs of the solver CONTACT."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from flexwheel.base.errors import ContactError
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.kalker_linear import kalker_linear
from flexwheel.contact.saturation import saturation_factor

# a/b, nu, c11, c22, c23 (table E.3), c33 (no-slip run)
TABLE = [
    (0.1, 0.25, 3.31, 2.52, 0.473, 8.5366),
    (0.3, 0.0, 2.68, 2.68, 0.607, 2.5472),
    (0.5, 0.5, 4.83, 3.14, 1.07, 2.2894),
    (1.0, 0.25, 4.12, 3.67, 1.47, 1.2289),
    (2.0, 0.25, 5.10, 4.90, 2.62, 0.8999),
    (5.0, 0.5, 8.82, 9.79, 7.89, 0.6839),
    (10.0, 0.0, 10.7, 10.7, 12.2, 1.5084),
]


@pytest.mark.parametrize("interpolation", ["linear", "smooth"])
@pytest.mark.parametrize(("a_over_b", "nu", "c11", "c22", "c23", "c33"), TABLE)
def test_table_values(a_over_b, nu, c11, c22, c23, c33, interpolation):
    c = kalker_coefficients(a_over_b, nu, interpolation)
    np.testing.assert_allclose(c, [c11, c22, c23, c33], rtol=1e-12)


# c11, c22, c23 of no-slip runs of CONTACT, which carry a discretisation error of their own
@pytest.mark.parametrize(
    ("a_over_b", "nu", "run"),
    [(0.2, 0.25, (3.4112, 2.6592, 0.6075)), (1.0, 0.5, (5.2575, 4.0312, 1.6463)), (5.0, 0.0, (7.0935, 7.0935, 5.7757))],
)
def test_no_slip_runs(a_over_b, nu, run):
    np.testing.assert_allclose(kalker_coefficients(a_over_b, nu)[:3], run, rtol=0.026)


def test_poisson_028_is_the_value_of_the_reference_runs():
    # from L1, L2, L3 printed with the FASTSIM runs for a/b = 0.3 and 3, nu = 0.28 (four digits)
    np.testing.assert_allclose(kalker_coefficients(0.3, 0.28)[:3], [3.5612, 2.7577, 0.73146], rtol=6e-4)
    np.testing.assert_allclose(kalker_coefficients(3.0, 0.28)[:3], [6.1886, 6.2000, 4.0253], rtol=6e-4)


def test_asymptotes_continue_the_table():
    for edge in (0.1, 10.0):
        inside, outside = kalker_coefficients(np.array([edge, edge * (1 + np.sign(edge - 1) * 1e-9)]), 0.3).T
        np.testing.assert_allclose(inside, outside, rtol=1e-7)
    slender = kalker_coefficients(np.array([1e-3]), 0.25)[:, 0]
    # plane theory: c11 -> pi^2/(4 (1 - nu)), c22 -> pi^2/4; the table joins them within 2.5 %
    np.testing.assert_allclose(slender[:2], [np.pi**2 / 3.0, np.pi**2 / 4.0], rtol=0.025)


def test_linear_force_by_hand():
    a, b, G = 6e-3, 4e-3, 82e9
    c11, c22, c23, c33 = kalker_coefficients(1.5, 0.28)
    force = kalker_linear(a, b, (1e-4, -2e-4, 0.3))
    c = np.sqrt(a * b)
    expected = [
        -G * c**2 * c11 * 1e-4,
        -G * c**2 * (-c22 * 2e-4 + c * c23 * 0.3),
        G * c**3 * (-c23 * 2e-4 - c * c33 * 0.3),
    ]
    np.testing.assert_allclose(force, expected, rtol=1e-12)


def test_saturation_is_the_cubic_law():
    mu, load = 0.3, 50e3
    assert saturation_factor(3e-6, mu * load) == pytest.approx(1.0, rel=1e-9)
    assert 5e7 * saturation_factor(5e7, mu * load) == pytest.approx(mu * load, rel=1e-12)
    # f = 1.5: 1.5 - 0.75 + 0.125
    assert 1.5 * saturation_factor(1.5 * mu * load, mu * load) == pytest.approx(0.875, rel=1e-12)


def test_bad_input_is_named():
    with pytest.raises(ContactError, match="nu must be 0 to 0.5, got 0.6"):
        kalker_coefficients(1.0, 0.6)
    with pytest.raises(ContactError, match="a/b"):
        kalker_coefficients(-1.0, 0.3)


def test_smooth_values_are_those_of_the_monotone_cubic_of_scipy():
    """At every Poisson's ratio: c33 has an end whose slope is limited between 0.3 and 0.5."""
    rows = np.concatenate([np.linspace(0.1, 1.0, 10), 1.0 / np.linspace(0.9, 0.1, 9)])
    places = np.geomspace(0.1, 10.0, 301)
    for nu in np.linspace(0.0, 0.5, 51):
        table = kalker_coefficients(rows, nu, "linear")
        wanted = PchipInterpolator(np.log(rows), table, axis=1)(np.log(places))
        np.testing.assert_allclose(kalker_coefficients(places, nu, "smooth"), wanted, rtol=1e-12)
