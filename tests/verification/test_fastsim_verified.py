"""FASTSIM against 70 runs of Kalker's algorithm (1982) with three flexibilities, and against its linear limit."""

import numpy as np
import pytest

from flexwheel.base.errors import ContactError
from flexwheel.contact.contact_tables import ContactOptions
from flexwheel.contact.fastsim import BOUNDS, cells_along, fastsim, fastsim_strips
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.kalker_linear import kalker_linear
from flexwheel.contact.semi_hertzian import STRIP, empty_strips
from flexwheel.run.keys.contact_keys import ContactSection
from flexwheel.verification.reference_rows import creep_case, reference_rows

CASES = [row for row in reference_rows("tangential_contact.csv") if row["method"].startswith("FASTSIM_3flex")]


def _errors(nx, ny):
    """(70, 2) error of fx, fy in units of mu N, and (70,) of Mz in units of mu N sqrt(ab)."""
    force, moment = [], []
    for row in CASES:
        arguments, expected, mz = creep_case(row)
        bound = "parabolic" if row["method"].endswith("par") else "elliptic"
        got = fastsim(**arguments, bound=bound, grid=(nx, ny))
        scale = row["mu"] * row["FN_N"]
        force.append(got[:2] / scale - expected)
        moment.append((got[2] - mz) / (scale * np.sqrt(arguments["a"] * arguments["b"])))
    return np.array(force), np.array(moment)


@pytest.mark.parametrize("grid", [(66, 66), (100, 80), (200, 200)])
def test_reference_runs(grid):
    force, moment = _errors(*grid)
    assert force.shape == (70, 2)
    assert np.abs(force).max() < 0.015  # mu N; the reference's own 66 x 66 grid is good to 0.013
    assert np.abs(force).mean() < 0.006
    assert np.abs(moment).max() < 0.02


def test_coarse_grid_of_the_time_loop():
    force, _ = _errors(14, 16)
    assert np.abs(force).max() < 0.018  # mu N: 0.015 as on fine grids, and what 16 strips of 14 cells may add
    assert np.abs(force).mean() < 0.006


@pytest.mark.parametrize("a_over_b", [0.1, 0.4, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("bound", ["parabolic", "elliptic"])
def test_small_creepage_has_kalkers_slopes(a_over_b, bound):
    b = 5e-3
    a = a_over_b * b
    xi, eta, phi = 1e-9, -2e-9, 3e-7
    kind = dict(bound=bound, grid=(400, 400))
    got = fastsim(a, b, 80e3, 0.3, (xi, eta, 0.0), **kind)[:2]
    np.testing.assert_allclose(got, kalker_linear(a, b, (xi, eta, 0.0))[:2], rtol=2e-3)
    spin = fastsim(a, b, 80e3, 0.3, (0.0, 0.0, phi), **kind)[1]
    c23 = kalker_coefficients(a_over_b, 0.28)[2]
    assert spin == pytest.approx(-82e9 * (a * b) ** 1.5 * c23 * phi, rel=5e-3)


def test_default_bound_is_the_one_nearer_to_exact_solutions():
    """35 rows of the exact half space (CONTACT), whose bound is mu times its own pressure: median error, in mu N."""
    exact = [row for row in reference_rows("tangential_contact.csv") if row["method"].startswith("CONTACT_full")]
    assert len(exact) == 35
    median = {}
    for name, kind in (("default", {}), ("parabolic", {"bound": "parabolic"}), ("elliptic", {"bound": "elliptic"})):
        error = []
        for row in exact:
            arguments, expected, _ = creep_case(row)
            force = fastsim(**arguments, **kind)[:2] / (row["mu"] * row["FN_N"])
            error.append(np.hypot(*(force - expected)))
        median[name] = np.median(error)
    better, worse = sorted(("parabolic", "elliptic"), key=median.get)
    assert median["default"] == median[better] < median[worse]
    # the one default of the program: of the time loop's tables and of the scenario's key too
    assert ContactOptions().bound == better
    assert ContactSection.model_fields["traction_bound"].default == better


def test_full_sliding_is_coulomb():
    force = fastsim(5e-3, 4e-3, 80e3, 0.3, (0.3, -0.4, 0.0), grid=(66, 66))
    assert np.hypot(*force[:2]) == pytest.approx(0.3 * 80e3, rel=2e-3)
    # the direction of sliding is that of the trial traction (xi/L1, eta/L2), a trait of the simplified theory
    c11, c22, _, _ = kalker_coefficients(1.25, 0.28)
    assert force[1] / force[0] == pytest.approx(-0.4 * c22 / (0.3 * c11), rel=1e-3)


def test_bad_input_is_named():
    with pytest.raises(ContactError, match="bound must be one of .*got 'round'"):
        fastsim(5e-3, 4e-3, 80e3, 0.3, (0.0, 0.0, 0.0), bound="round")
    with pytest.raises(ContactError, match="a must be a positive number, got 0"):
        fastsim(0.0, 4e-3, 80e3, 0.3, (0.0, 0.0, 0.0))


@pytest.mark.parametrize("bound", BOUNDS.values())
def test_tangent_is_the_difference_of_forces(bound):
    """Of forces and moment by each creepage and by the bound, from sticking to sliding, with spin, on strips that lean:
    3 % of each (the acceptance) where differences of two steps agree, as they do not across the onset of sliding."""
    n, limit, flexibility, random = 24, 0.3 * 80e3, (5e-14, 6e-14, 7e-14), np.random.default_rng(1)
    u = -1.0 + (2.0 * np.arange(n) + 1.0) / n
    strip, cells = empty_strips(n), cells_along(14, bound)
    strip[STRIP.half, :n], strip[STRIP.s, :n], strip[STRIP.width, :n] = 6e-3 * np.sqrt(1.0 - u * u), 5e-3 * u, 1e-2 / n
    strip[STRIP.offset, :n] = 2e-3 * u
    scale, judged = np.array([1.0, 1.0, 200.0]), 0  # 1/m of spin beside the slip of a patch of 5 mm

    def found(values):
        force = np.zeros(3)
        tangent = fastsim_strips(n, strip, values[3] * limit, values[:3].copy(), flexibility, cells, force)
        return force, np.array(tangent).reshape(3, 3)

    for size in 10.0 ** random.uniform(-4.5, -1.5, 100):
        values = np.append(size * random.normal(size=3) * scale, 1.0)
        force, tangent = found(values)
        columns = np.column_stack([-tangent, force + tangent @ values[:3]])  # of the first degree, Euler
        for k, step in enumerate((*1e-4 * size * scale, 1e-4)):
            h = step * np.eye(4)[k]
            wide, narrow = (
                (found(values + a * h)[0] - found(values - a * h)[0]) / (2.0 * a * step) for a in (1.0, 0.5)
            )
            if np.linalg.norm((wide - narrow) * scale) < 0.01 * np.linalg.norm(narrow * scale):
                assert np.linalg.norm((columns[:, k] - narrow) * scale) < 0.03 * np.linalg.norm(narrow * scale)
                judged += 1
    assert judged > 300
