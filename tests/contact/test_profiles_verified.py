"""S1002, UIC60 and their placement against the Manchester contact benchmark (Shackleton and Iwnicki 2006).

Points are taken from the benchmark's own profile files; placement from the contact positions computed with them.
"""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.profile import Profile, profile_height
from flexwheel.contact.profiles.rail_60e1 import MANCHESTER_ORIGIN, rail_60e1, rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002, s1002_height

# benchmark wheel file: y (flange at +y), z down [mm]
WHEEL = np.array(
    [
        [69.612628, 13.485642],
        [58.378841, 27.514488],
        [48.307169, 26.007978],
        [38.962193, 13.471078],
        [37.445947, 9.9062421],
        [30.083593, 3.9526725],
        [19.864809, 1.5764272],
        [-0.087608788, -0.0029303754],
        [-20.177492, -0.31451189],
        [-49.889591, -1.9616491],
    ]
)
# benchmark rail file (already leaned 1:40): y to the field side, z down [mm]
RAIL = np.array(
    [
        [-43.008077, 13.810643],
        [-41.416991, 9.1264297],
        [-34.314414, 3.2657303],
        [-24.522077, 1.2030669],
        [-10.468881, 0.18292609],
        [4.9687627, 0.05865519],
        [13.035481, 0.74704065],
        [21.681023, 2.7839235],
        [27.795636, 9.2022242],
    ]
)


def test_s1002_is_the_benchmark_wheel():
    height = 1e3 * s1002_height(-1e-3 * WHEEL[:, 0])
    np.testing.assert_allclose(height, WHEEL[:, 1], atol=2e-6)  # mm; the file has six decimals


def test_s1002_profile_interpolates_its_sections():
    profile = s1002()
    y = np.linspace(-0.069, 0.0599, 3001)
    height, slope, _ = profile_height(profile, y)
    np.testing.assert_allclose(height, s1002_height(y), atol=1.3e-7)  # m; the sections themselves close to 1.2e-7
    np.testing.assert_allclose(slope, np.gradient(s1002_height(y), y, edge_order=2), atol=0.05)


def test_s1002_refuses_a_coordinate_in_millimetres():
    with pytest.raises(ScenarioError, match="-0.070 to 0.060 m"):
        s1002_height(np.array([-20.0, 20.0]))


def test_uic60_is_the_benchmark_rail():
    rail = rail_uic60_manchester(1 / 40)
    # the benchmark file's origin is 6 micrometres beside the highest point
    y, z = 1e-3 * RAIL[:, 0] + MANCHESTER_ORIGIN, -1e-3 * RAIL[:, 1]
    height, slope, _ = profile_height(rail, y)
    distance = np.abs(height - z) / np.sqrt(1.0 + slope**2)
    assert distance.max() < 1e-7  # m, 1e-4 mm


def test_60e1_arcs_join_with_their_tangents():
    rail = rail_60e1(0.0)
    y, height, slope = rail.y, rail.height, rail.slope
    step = np.diff(height) - 0.5 * np.diff(y) * (slope[1:] + slope[:-1])
    assert np.abs(step)[np.abs(slope[1:]) < 3.0].max() < 3e-9  # m: trapezoidal rule on 50 um steps
    np.testing.assert_allclose(rail.height, np.interp(-y, y, height), atol=1e-12)  # symmetric head


@pytest.mark.parametrize(
    ("rail", "inclination", "crown_y_mm"),
    # crown positions implied by y_cp_track - y_cp_rail of the solver CONTACT for the same profiles
    [(rail_60e1, 1 / 40, 753.0342 + 7.4977), (rail_uic60_manchester, 1 / 40, 760.5325 + 0.0060)],
)
def test_placement_of_the_rail(rail, inclination, crown_y_mm):
    at = place(rail(inclination))
    assert at.rail_y == pytest.approx(1e-3 * crown_y_mm, abs=2e-6)
    assert at.wheel_y == pytest.approx(0.750, abs=1e-12)


def test_gauge_is_the_distance_of_the_gauge_points():
    for inclination in (0.0, 1 / 40, 1 / 20):
        rail = rail_60e1(inclination)
        at = place(rail)
        height = profile_height(rail, 0.7175 - at.rail_y)[0]
        assert height == pytest.approx(-0.014, abs=2e-6)  # m, 14 mm below the crown, steep side


@pytest.mark.parametrize("depth", [0.0137, 0.0090])
def test_gauge_of_a_section_that_ends_above_it(depth):
    """As noise folds its side back there: it goes on by less than 0.05 mm of y. Higher up it is refused."""
    rail = rail_60e1(1 / 40)
    part = [column[rail.height > -depth] for column in (rail.y, rail.height, rail.slope, rail.curvature)]
    short = Profile("short", "rail", *part)
    if depth > 0.01:
        assert place(short).rail_y == pytest.approx(place(rail).rail_y, abs=1e-5)
        return
    with pytest.raises(ScenarioError, match="short: does not reach 14 mm below the crown"):
        place(short)


def test_folded_profile_is_refused():
    y = np.array([0.0, 0.01, 0.005])
    with pytest.raises(ScenarioError, match="folds back"):
        Profile("bad", "rail", y, 0 * y, 0 * y, 0 * y)
