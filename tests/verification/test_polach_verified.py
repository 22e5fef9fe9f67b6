"""Polach's formula against its own limits (Polach 1999) and the exact half-space solution."""

import numpy as np
import pytest

from flexwheel.contact.kalker_linear import kalker_linear
from flexwheel.extensions.tangential_laws.polach import polach
from flexwheel.verification.reference_rows import creep_case, reference_rows

EXACT = [row for row in reference_rows("tangential_contact.csv") if row["method"] == "CONTACT_full_ellbound"]


@pytest.mark.parametrize("a_over_b", [0.3, 1.0, 3.0])
def test_small_creepage_has_kalkers_slopes(a_over_b):
    b = 5e-3
    a = a_over_b * b
    for creepage in ((1e-8, 0.0, 0.0), (0.0, 1e-8, 0.0), (0.0, 0.0, 1e-6)):
        got = polach(a, b, 80e3, 0.3, creepage)
        np.testing.assert_allclose(got, kalker_linear(a, b, creepage), rtol=1e-4, atol=1e-9)


def test_large_creepage_is_coulomb():
    force = polach(5e-3, 4e-3, 80e3, 0.3, (0.6, -0.8, 0.0))
    np.testing.assert_allclose(force, [-0.6 * 24e3, 0.8 * 24e3, 0.0], rtol=1e-3, atol=1e-2)


def test_against_the_exact_solution_without_spin():
    errors = []
    for row in EXACT:
        if row["phi_1_mm"] != 0.0:
            continue
        arguments, expected, _ = creep_case(row)
        got = polach(**arguments)[:2] / (row["mu"] * row["FN_N"])
        errors.append(got - expected)
    assert len(errors) >= 15
    assert np.abs(errors).mean() < 0.03  # mu N, measured 0.02: the accuracy of the formula, not of the program
    assert np.abs(errors).max() < 0.10


def test_spin_moment_against_the_exact_solution():
    """Within 0.3 mu N sqrt(ab), the error that the formula's own lateral force by spin has over mu N, 0.34."""
    errors = []
    for row in EXACT:
        if row["phi_1_mm"] == 0.0:
            continue
        arguments, _, moment = creep_case(row)
        unit = row["mu"] * row["FN_N"] * np.sqrt(arguments["a"] * arguments["b"])
        errors.append((polach(**arguments)[2] - moment) / unit)
    assert len(errors) >= 15
    assert np.abs(errors).max() < 0.3


def test_factors_are_those_of_the_slopes():
    """At small creepage (k_adhesion + k_slip)/2 of Kalker's slope; the power of spin stays positive (Polach 2005)."""
    a, b, xi = 5e-3, 4e-3, 1e-8
    force = polach(a, b, 80e3, 0.3, (xi, 0.0, 0.0), k_adhesion=0.3, k_slip=0.1)
    assert force[0] == pytest.approx(0.2 * kalker_linear(a, b, (xi, 0.0, 0.0))[0], rel=1e-4)
    for creepage in np.random.default_rng(3).normal(0, [1e-3, 1e-3, 0.3], (300, 3)):
        assert polach(a, b, 80e3, 0.3, creepage, k_adhesion=0.3, k_slip=0.1) @ creepage < 0.0
