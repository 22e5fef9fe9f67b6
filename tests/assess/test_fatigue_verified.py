"""Rainflow: ASTM E1049-85, section 5.4.4, figure 6 (X1.8). Criteria: fatigue tests of Nishihara and Kawamoto 1945 on a
hard steel, said to stand in Papadopoulos and others 1997 (International Journal of Fatigue 19(3), 219-235); neither was
compared with its print.
"""

import numpy as np
import pytest

from flexwheel.assess.evaluate.fatigue import (
    FatigueLimits,
    WoehlerCurve,
    counted_cycles,
    critical_plane,
    damage_of,
    deviator_points,
    fatigue_criteria,
    smallest_ball,
)
from flexwheel.base.errors import ScenarioError

HARD_STEEL = FatigueLimits(bending=313.9e6, torsion=196.2e6, repeated_bending=313.9e6)
ANGLE = np.linspace(0.0, 2.0 * np.pi, 721)


def bending_and_torsion(bending, torsion, lag=0.0):
    stress = np.zeros((len(ANGLE), 6))
    stress[:, 0], stress[:, 3] = bending * np.sin(ANGLE), torsion * np.sin(ANGLE - lag)
    return stress


def test_rainflow_example_of_the_standard():
    cycles = counted_cycles([-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0])
    ranges, number = np.unique(cycles[:, 0], return_inverse=True)
    counts = np.bincount(number, cycles[:, 2])
    assert dict(zip(ranges, counts, strict=True)) == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}


@pytest.mark.parametrize("stress", [bending_and_torsion(313.9e6, 0.0), bending_and_torsion(0.0, 196.2e6)])
def test_criteria_meet_the_two_limits_that_they_are_made_of(stress):
    found = fatigue_criteria(stress, HARD_STEEL)
    assert found["crossland"] == pytest.approx(1.0, abs=2e-3)
    assert found["dang_van"] == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize(("bending", "torsion"), [(138.1e6, 167.1e6), (245.3e6, 122.6e6), (299.1e6, 62.8e6)])
def test_combined_bending_and_torsion_at_the_measured_limit(bending, torsion):
    """Predictions of such criteria scatter by some 5 % about tests in phase (Papadopoulos and others, tables)."""
    found = fatigue_criteria(bending_and_torsion(bending, torsion), HARD_STEEL)
    assert found["crossland"] == pytest.approx(1.0, abs=0.05)
    assert found["dang_van"] == pytest.approx(1.0, abs=0.05)


def test_sines_takes_the_mean_stress_by_repeated_bending():
    limits = FatigueLimits(bending=313.9e6, torsion=196.2e6, repeated_bending=260e6)
    stress = np.zeros((len(ANGLE), 6))
    stress[:, 1] = 260e6 * (1.0 + np.sin(ANGLE))
    assert fatigue_criteria(stress, limits)["sines"] == pytest.approx(1.0, abs=2e-3)


def test_out_of_phase_path_is_an_ellipse_with_its_larger_half_axis():
    points = deviator_points(bending_and_torsion(150.2e6, 181.7e6, np.pi / 2))
    assert smallest_ball(points)[1] == pytest.approx(max(150.2e6 / np.sqrt(3.0), 181.7e6), rel=1e-3)


def test_plane_of_largest_range():
    normal, stress = critical_plane(bending_and_torsion(0.0, 100e6))  # pure shear: 45 degrees, range 2 tau
    assert np.ptp(stress) == pytest.approx(200e6, rel=1e-3)
    assert np.abs(normal @ np.array([1.0, 1.0, 0.0])) / np.sqrt(2.0) in (
        pytest.approx(1.0, abs=0.01),
        pytest.approx(0.0, abs=0.05),
    )


@pytest.mark.parametrize("ratio", [-3.0, 0.0, 0.3, 0.5, 0.8])
def test_mean_stress_after_the_haigh_diagram(ratio):
    """The amplitude borne for ever where the ray of a stress ratio meets the lines through (0, f) and (f0, f0)."""
    limits = FatigueLimits(240e6, 150e6, 190e6)
    m = 240.0 / 190.0 - 1.0
    mean = np.linspace(-400.0, 1500.0, 1_900_001)
    borne = np.interp(mean, [-240.0 / (1.0 - m), 0.0, 190.0], [240.0 / (1.0 - m), 240.0, 190.0])
    borne = np.where(mean > 190.0, 190.0 - m / 3.0 * (mean - 190.0), borne)
    ray = mean * (1.0 - ratio) / (1.0 + ratio)
    at = np.flatnonzero(np.diff(np.sign(ray - borne)))[0]
    cycles = np.array([[2e6 * borne[at], 1e6 * mean[at], 1.0]])
    assert damage_of(cycles, limits.curve(2e6, 5.0)) == pytest.approx(1.0 / 2e6, rel=1e-4)
    still = np.array([[2e6 * borne[at], -9e6 * borne[at], 1.0]])  # all in compression: no more help than at R = -inf
    assert damage_of(still, limits.curve(2e6, 5.0)) < damage_of(cycles, limits.curve(2e6, 5.0))


def test_damage_of_constant_ranges():
    curve = WoehlerCurve(200e6, 2e6, 5.0)
    cycles = np.array([[400e6, 0.0, 10.0], [100e6, 0.0, 10.0]])
    assert damage_of(cycles, curve) == pytest.approx(10 * 2**5 / 2e6 + 10 * 0.5**9 / 2e6)
    for knee, slope in ((2.0, 5.0), (2e6, 50.0)):  # in millions
        with pytest.raises(ScenarioError, match="1e4 to 1e10 cycles, slope 1 to 30"):
            WoehlerCurve(200e6, knee, slope)


def test_limits_that_no_metal_has_are_refused():
    with pytest.raises(ScenarioError, match="torsion over bending"):
        FatigueLimits(100e6, 100e6, 80e6)
