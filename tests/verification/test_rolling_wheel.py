"""Element passing against an independent solver (moving_wheel_lines.csv), a step's waves against the beam's."""

import numpy as np
import pytest

from flexwheel.integration import newmark
from flexwheel.track.flexible_assembly import make_elements
from flexwheel.track.loaded_element import DEGREE, M_X, TWICE, loaded_tables, momentum
from flexwheel.track.parameters import flexible_track, rail_section
from flexwheel.track.rail_mass import bending_wave, section_inertia, seen_frequency
from flexwheel.verification.rolling_wheel import reference_lines, settled_lines


def test_no_comb_of_element_passing_on_a_smooth_rail():
    passing = np.arange(40, 351, 40) - 1  # 148 Hz and its multiples: speed over an element's length
    found = settled_lines(np.zeros_like, periods=3, window_bays=90)
    difference = np.abs(found - reference_lines()[:, 1])[passing] / np.sqrt(2.0)
    assert np.max(difference) < 1.0, "N rms; 14 N without the momentum of the loaded element"


@pytest.mark.parametrize("step, elements", [(5e-5, 4), (1e-4, 2), (2.5e-5, 8)])
def test_matched_mass_gives_bending_waves_their_length(step, elements):
    track, coefficients = flexible_track(), newmark(step)
    rail = track.rail
    parts = make_elements(rail, track.bay, elements, "matched", coefficients)
    frequency = np.array([500.0, 900.0, 1068.0, 1300.0])
    inertia = np.diag(section_inertia(rail, 0).sum(axis=0))
    bending = rail.youngs_modulus * rail.second_moment_vertical
    shear = rail.shear_factor_vertical * rail.shear_modulus * rail.area
    k = bending_wave(2.0 * np.pi * frequency, bending, shear, inertia[0], inertia[1])
    turn = np.exp(1j * k * parts.length)[:, None, None]
    stiffness, mass = (
        m[:3, :3] + m[3:, 3:] + turn * m[:3, 3:] + np.conj(turn) * m[3:, :3]
        for m in (parts.stiffness[0], parts.mass[0])
    )
    found = [np.sqrt(np.linalg.eigvals(np.linalg.solve(b, a)).real.min()) for a, b in zip(stiffness, mass, strict=True)]
    wanted = seen_frequency(frequency, coefficients)
    # a peak of loss factor 0.02 moves by less than 0.3 dB at a tenth of its half width
    np.testing.assert_allclose(found, wanted, rtol=2.5e-3)


def test_tables_are_the_integrals_and_the_projection():
    track = flexible_track()
    parts = make_elements(track.rail, track.bay, 4, "matched", newmark(5e-5))
    table, spread = loaded_tables(track.rail, parts)
    middle = spread.shape[1] // 2
    for x in (0.13, 0.5, 0.91):
        row = x ** np.arange(DEGREE, -1, -1) @ table
        for p in range(2):
            m = momentum(track.rail, p, parts, x)
            scale = np.max(np.abs(m), axis=0)
            found = row[M_X + 12 * p : M_X + 12 * p + 12].reshape(2, 6).T
            np.testing.assert_allclose(found / scale, m / scale, atol=1e-10)
            pair = spread[p, middle - 1 : middle + 1].reshape(6, 6)
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
