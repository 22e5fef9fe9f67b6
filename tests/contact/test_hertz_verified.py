"""Hertz contact against closed forms and an independent quadrature of the elliptic integrals (Johnson 1985, ch. 4)."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipkm1, elliprd

from flexwheel.contact.hertz import elliptic_factors, zone_factors
from tests.hertz_contact import solve

MODULUS = 115.0e9  # Pa


def test_circle_is_the_sphere_formula():
    radius, load = 0.3, 40e3
    A = 0.5 / radius
    contact = solve(A, A, load, MODULUS)
    a = (0.75 * load * radius / MODULUS) ** (1 / 3)
    np.testing.assert_allclose([contact.a, contact.b], a, rtol=1e-12)
    np.testing.assert_allclose(contact.approach, a**2 / radius, rtol=1e-12)
    np.testing.assert_allclose(contact.peak_pressure, 1.5 * load / (np.pi * a**2), rtol=1e-12)


@pytest.mark.parametrize("ratio", [0.002, 0.027, 0.3, 0.99, 1.0, 1.7, 36.5, 900.0])
def test_displacements_fit_the_undeformed_distance(ratio):
    # the displacement of a semi-ellipsoidal pressure, integrated directly, is approach - A x^2 - B y^2
    A, B = 1.1, 1.1 / ratio
    contact = solve(A, B, 60e3, MODULUS)
    a, b, p0 = contact.a, contact.b, contact.peak_pressure

    def integral(power_a, power_b):
        long = max(a, b)

        def integrand(t):  # w = t^2 long^2 / (1 - t^2) maps the half line
            w = (t * long) ** 2 / (1.0 - t * t)
            dw = 2.0 * long**2 * t / (1.0 - t * t) ** 2
            return dw / ((a * a + w) ** power_a * (b * b + w) ** power_b * np.sqrt(w))

        return quad(integrand, 0.0, 1.0, epsabs=0.0, epsrel=1e-11, limit=400)[0]

    factor = p0 * a * b / (2.0 * MODULUS)
    np.testing.assert_allclose(factor * integral(0.5, 0.5), contact.approach, rtol=1e-6)
    np.testing.assert_allclose(factor * integral(1.5, 0.5), A, rtol=1e-6)
    np.testing.assert_allclose(factor * integral(0.5, 1.5), B, rtol=1e-6)
    np.testing.assert_allclose(2 / 3 * np.pi * a * b * p0, 60e3, rtol=1e-12)


def test_approach_grows_with_the_load_to_two_thirds():
    small, large = (solve(1.1, 0.4, load, MODULUS).approach for load in (1.0, 71e3))
    assert (large / small) ** 1.5 == pytest.approx(71e3, rel=1e-12)


def test_zone_factors_are_those_of_the_ellipse():
    for ratio in (0.03, 0.5, 1.0, 4.0, 40.0):
        contact = solve(ratio, 1.0, 1e5, MODULUS)
        eps_x, eps_y, a_over_b = zone_factors(ratio)
        np.testing.assert_allclose(eps_x, ratio * contact.a**2 / contact.approach, rtol=1e-10)
        np.testing.assert_allclose(eps_y, contact.b**2 / contact.approach, rtol=1e-10)
        np.testing.assert_allclose(a_over_b, contact.a / contact.b, rtol=1e-10)


def test_elliptic_factors_are_carlsons_integrals():
    """scipy's, by Carlson's duplication: D = R_D(0, g^2, 1)/3, C = g^2 R_D(0, 1, g^2)/3; from a line to a circle."""
    g = np.exp(-np.concatenate([np.logspace(-16, 0, 200), np.linspace(0.0, 40.0, 400)]))
    wanted = elliprd(0.0, g * g, 1.0) / 3.0, g * g * elliprd(0.0, 1.0, g * g) / 3.0, ellipkm1(g * g)
    # C is K - D: of a line, K = 41, it loses two of sixteen digits
    for found, expected, tolerance in zip(elliptic_factors(g), wanted, (2e-15, 2e-14, 2e-15), strict=True):
        np.testing.assert_allclose(found, expected, rtol=tolerance)
