"""Half-space patches on the true surfaces against the solver CONTACT (rows of normal_contact.csv)."""

import numpy as np
import pytest

from flexwheel.assess.conformal_patches import conformal_patches
from flexwheel.assess.exact_patches import exact_load, exact_patches, reference_points
from flexwheel.base.errors import ContactError
from flexwheel.contact.geometry import WheelPair, contact_locus, first_touch
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.verification.reference_rows import reference_rows
from flexwheel.verification.wheel_rail_benchmarks import MODULUS, _pair, half_space_row
from flexwheel.verification.worn_profiles import worn_rail, worn_wheel

ROWS = {line["case"]: line for line in reference_rows("normal_contact.csv") if line["method"] == "CONTACT_full"}
PAIRS = {}


@pytest.mark.parametrize("case", ["n20_b0_01a", "n20_b0_09a", "n20_b0_10a", "n100_b0_13a", "e60_20_15a", "e60_20_15b"])
def test_one_region(case):
    line = ROWS[case]
    found = half_space_row(_pair(PAIRS, line), line)
    assert found["regions"] == 1
    assert found["load"] == pytest.approx(1.0, abs=2e-3)
    assert found["peak"] == pytest.approx(1.0, abs=0.01)
    assert found["area"] == pytest.approx(1.0, abs=0.03)  # the table's own grid error
    assert found["approach"] == pytest.approx(1.0, abs=5e-3)
    assert abs(found["centroid_mm"]) < 0.005


@pytest.mark.parametrize("case", ["n20_b0_17a", "two20_comb_05a", "two20_comb_06a"])
def test_two_regions_share_the_load(case):
    line = ROWS[case]
    found = half_space_row(_pair(PAIRS, line), line)
    loads = [float(part.split("/")[0]) for part in line["regions"].split()]
    assert found["regions"] == 2
    assert found["shares"][0] == pytest.approx(max(loads) / sum(loads), abs=0.01)


def test_reference_point_and_angle_are_those_of_contact():
    for case in ("n20_b0_09a", "n20_b0_11a", "n100_b0_22a", "e60_20_13a"):
        line = ROWS[case]
        pair = _pair(PAIRS, line)
        d = np.array([0.0, 1e-3 * line["y_ws_mm"], -1e-3 * line["z_ws_mm"], 0.0, 0.0, 0.0])
        ((reference, angle),) = reference_points(pair, d)
        assert 1e3 * (reference[1] + pair.placement.rail_y) == pytest.approx(line["y_cp_track_mm"], abs=0.006)
        assert angle == pytest.approx(-line["delta_rad"], abs=1e-4)


def test_yawed_wheel_leads_and_touches_where_it_is_deepest():
    rail = rail_60e1(1 / 40)
    pair = WheelPair(s1002(), rail, place(rail))
    height, _ = first_touch(pair, 6.8e-3, 0.0, 0.02)
    patches = exact_patches(pair, np.array([0.0, 6.8e-3, height - 3e-5, 0.0, 0.0, 0.02]), MODULUS)
    mirrored = exact_patches(pair, np.array([0.0, 6.8e-3, height - 3e-5, 0.0, 0.0, -0.02]), MODULUS)
    assert abs(patches[0].x) > 5e-3  # on the flange
    locus = contact_locus(pair, 6.8e-3, 0.0, 0.02, np.array([patches[0].y_wheel]))
    assert patches[0].x == pytest.approx(float(locus[0, 0]), rel=0.03)  # the true surfaces, against the contact locus
    assert patches[0].x == pytest.approx(-mirrored[0].x, rel=0.02)  # the reversed yaw trails
    assert patches[0].normal_force == pytest.approx(mirrored[0].normal_force, rel=1e-3)


@pytest.mark.parametrize(
    ("shift", "yaw", "height"),
    [(8.63607265424e-3, 17.913684310e-3, 0.0007638605), (8.87535608098e-3, 25.453082519e-3, 0.001714866)],
)
def test_one_patch_is_one_where_the_locus_runs_back(shift, yaw, height):
    """A worn pair. Before: 18.2 kN twice at one place, and an IndexError. The curved surface knows no groups."""
    rail = worn_rail(corner=1e-3)
    pair = WheelPair(worn_wheel(flange=2e-3), rail, place(rail))
    pose = np.array([0.0, shift, height, 0.0, 0.0, yaw])
    found, curved = exact_patches(pair, pose, MODULUS), conformal_patches(pair, pose, MODULUS)
    places = [sorted((patch.x, patch.y_rail) for patch in patches) for patches in (found, curved)]
    np.testing.assert_allclose(*places, atol=4e-4)  # one patch each place; a cell
    flange = [max(patches, key=lambda patch: patch.force_angle) for patches in (found, curved)]
    assert flange[0].force_angle == pytest.approx(flange[1].force_angle, abs=5e-3)


def test_a_load_that_creep_forces_already_carry_is_refused():
    rail = rail_60e1(1 / 40)
    pair = WheelPair(s1002(), rail, place(rail))
    with pytest.raises(ContactError, match="load carried by pressure must be above 0"):
        exact_load(pair, 0.0, 0.0, 0.0, 1e4, MODULUS, -2e-4, added=2e4)
