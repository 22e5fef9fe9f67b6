"""EN 13103: what must hold for its forces by statics; no published worked example was found to compare with.

Free body of the axle: forces and moments balance, the bending moment ends at zero beyond the other journal.
"""

import numpy as np
import pytest

from flexwheel.errors import ScenarioError
from flexwheel.post.axle_standard import (
    GRAVITY,
    AxleLoads,
    axle_forces,
    axle_moments,
    nominal_stress,
    permissible_stress,
)

LOADS = AxleLoads(mass=18000.0, height=1.0, journal_span=2.0, tread_span=1.5, wheel_radius=0.46)


def test_forces_balance():
    f = axle_forces(LOADS)
    assert f["P1"] + f["P2"] == pytest.approx(1.25 * LOADS.mass * GRAVITY)
    assert f["Q1"] + f["Q2"] == pytest.approx(f["P1"] + f["P2"])
    s, b = 0.75, 1.0  # moments about the middle of the track, at the axle: wheels, journals, lateral forces
    assert (f["Q1"] - f["Q2"]) * s == pytest.approx((f["P1"] - f["P2"]) * b + f["H"] * LOADS.wheel_radius)


def test_bending_moment_closes_at_the_other_journal():
    bending, torsion, resultant = axle_moments(LOADS, [0.0, 0.125, 1.0, 2.0])
    assert bending[0] == 0.0 and bending[3] == pytest.approx(0.0, abs=1e-6 * bending[2])
    assert bending[1] == pytest.approx(axle_forces(LOADS)["P1"] * 0.125)
    assert torsion[0] == torsion[3] == 0.0 and resultant[2] == pytest.approx(np.hypot(bending[2], torsion[2]))


def test_stress_of_solid_and_hollow_sections():
    """Closed form W = pi d^3 / 32; a bore of half the diameter takes a sixteenth of the second moment."""
    assert nominal_stress(1e4, 0.16) == pytest.approx(1e4 / (np.pi * 0.16**3 / 32))
    assert nominal_stress(1e4, 0.16, 0.08) == pytest.approx(nominal_stress(1e4, 0.16) / (1 - 1 / 16))
    assert permissible_stress("EA1N", False, "body") == pytest.approx(200e6 / 1.2)


@pytest.mark.parametrize("zone", ["rim", "bore"])
def test_unknown_zone_is_named(zone):
    with pytest.raises(ScenarioError, match=zone):
        permissible_stress("EA1N", False, zone)


def test_loads_that_are_no_numbers_are_refused():
    with pytest.raises(ScenarioError, match="m1 = nan"):
        AxleLoads(mass=float("nan"), height=1.0, journal_span=2.0, tread_span=1.5, wheel_radius=0.46)
    with pytest.raises(ScenarioError, match="section at"):
        axle_moments(LOADS, [2.1])
