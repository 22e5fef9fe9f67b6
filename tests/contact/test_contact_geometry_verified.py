"""Contact geometry of a rigid wheelset against cones on round rails (exact) and the touch conditions."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.assess.conicity import DeltaR, equivalent_conicity, nominal_amplitude
from flexwheel.assess.contact_jumps import contact_jumps
from flexwheel.base.errors import ContactError
from flexwheel.contact.geometry import WheelPair, contact_geometry, contact_locus, gauge_clearance, profile_origin
from flexwheel.contact.profiles.placement import Placement, place
from flexwheel.contact.profiles.profile import Profile, profile_height
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002

SHIFTS = 1e-3 * np.array([-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0])


def _cone(slope, rail_radius=0.3):
    """Conical wheel on a rail of one arc."""
    y = np.linspace(-0.035, 0.035, 1401)
    wheel = Profile("cone", "wheel", y, -slope * y, np.full_like(y, -slope), np.zeros_like(y))
    root = np.sqrt(rail_radius**2 - y**2)
    rail = Profile("arc", "rail", y, root - rail_radius, -y / root, np.full_like(y, -1.0 / rail_radius))
    return WheelPair(wheel, rail, Placement(rail_y=0.75, wheel_y=0.75, radius=0.46))


@pytest.fixture(scope="module")
def standard():
    rail = rail_60e1(1 / 40)
    pair = WheelPair(s1002(), rail, place(rail))
    return pair, contact_geometry(pair, pair, SHIFTS)


def test_cone_on_round_rails_has_its_closed_form():
    slope, rail_radius, half = 0.05, 0.3, 0.75
    pair = _cone(slope, rail_radius)
    geometry = contact_geometry(pair, pair, [2e-3])
    # the arcs' centres are at +-0.75 m, rail_radius below the crowns; each cone is a line tangent to its circle.
    # In wheelset axes the lines stand at angles slope +- roll: solve the two tangencies exactly.
    angle, roll = np.arctan(slope), geometry.roll[0]

    def residual(roll, lift):
        out = []
        for sign in (1.0, -1.0):
            lean = angle + sign * roll  # of the line, rising to the field side
            tip = np.array([2e-3 * sign + half * np.cos(roll) + sign * 0.46 * np.sin(roll),
                            0.46 + lift + sign * half * np.sin(roll) - 0.46 * np.cos(roll)])  # fmt: skip
            centre = np.array([half, -rail_radius])
            normal = np.array([-np.sin(lean), np.cos(lean)])
            out.append(normal @ (tip - centre) - rail_radius)
        return out

    np.testing.assert_allclose(residual(roll, geometry.lift[0]), 0.0, atol=2e-9)
    # no-slip-free check of the radii: the point of tangency on each line
    assert geometry.left.angle[0] == pytest.approx(angle + roll, abs=1e-6)
    assert geometry.right.angle[0] == pytest.approx(angle - roll, abs=1e-6)


def test_small_shift_of_a_cone_gives_wickens_conicity():
    slope, rail_radius = 0.05, 0.3
    pair = _cone(slope, rail_radius)
    geometry = contact_geometry(pair, pair, np.linspace(-1e-3, 1e-3, 21))
    conicity = equivalent_conicity(DeltaR(geometry.shift, geometry.delta_r), [1e-3]).integration[0]
    # straight lines: the conicity is the cone's, corrected by the motion of the point over the rail with roll
    angle = np.arctan(slope)
    place_ = 0.75 - rail_radius * np.sin(angle)  # of the contact point on the rail
    roll = np.tan(angle) / (place_ - 0.46 * np.tan(angle))  # rad/m, of both tangents rolling on their circles
    expected = slope * (1.0 + (0.46 + rail_radius) * roll)
    assert conicity == pytest.approx(expected, rel=0.02)


def test_wheels_touch_and_do_not_enter_the_rails(standard):
    pair, geometry = standard
    for sign, points in ((1.0, geometry.left), (-1.0, geometry.right)):
        for k, shift in enumerate(geometry.shift):
            roll, lift = sign * geometry.roll[k], geometry.lift[k]
            d = profile_origin(pair.placement, sign * shift, lift, roll, 0.0)
            eta = np.append(pair.wheel.y[::5], points.y_wheel[k])
            _, y, z = contact_locus(pair, d[1], d[3], 0.0, eta)
            height = profile_height(pair.rail, y)[0]
            gap = (z + d[2] - height)[np.isfinite(height)]
            assert gap.min() > -2e-9
            assert gap[-1] == pytest.approx(0.0, abs=2e-9)


def test_mirror_symmetry(standard):
    _, geometry = standard
    np.testing.assert_allclose(geometry.delta_r, -geometry.delta_r[::-1], atol=1e-9)
    np.testing.assert_allclose(geometry.roll, -geometry.roll[::-1], atol=1e-9)
    np.testing.assert_allclose(geometry.left.y_rail, geometry.right.y_rail[::-1], atol=1e-6)


def test_yaw_to_either_side_is_the_same_for_the_rolling_radii(standard):
    pair, _ = standard
    ahead, back = (contact_geometry(pair, pair, [5.5e-3], yaw=yaw) for yaw in (0.01, -0.01))
    assert ahead.delta_r[0] == pytest.approx(back.delta_r[0], abs=1e-6)
    assert ahead.left.x[0] == pytest.approx(-back.left.x[0], rel=1e-3)
    assert abs(ahead.left.x[0]) > 1e-4


def test_a_smaller_right_wheel_leans_the_axle(standard):
    pair, _ = standard
    small = replace(pair, placement=replace(pair.placement, radius=0.459))
    geometry = contact_geometry(pair, small, [0.0])
    same = contact_geometry(pair, pair, [0.0])
    assert geometry.roll[0] - same.roll[0] == pytest.approx(0.001 / 1.5, rel=0.03)
    assert geometry.delta_r[0] > 0.001  # 1 mm, and what the lean adds


def test_jumps_are_places_of_two_equal_gaps(standard):
    pair, _ = standard
    geometry = contact_geometry(pair, pair, np.arange(4.7e-3, 5.3e-3, 1e-4))
    (jump,) = contact_jumps(pair, pair, geometry)
    assert jump.side == "left" and jump.y_wheel_before - jump.y_wheel_after > 0.010
    around = contact_geometry(pair, pair, [jump.shift - 1e-6, jump.shift + 1e-6])
    assert around.left.y_wheel[0] == pytest.approx(jump.y_wheel_before, abs=2e-5)
    assert around.left.y_wheel[1] == pytest.approx(jump.y_wheel_after, abs=2e-5)


def test_clearance_of_new_profiles_and_nominal_amplitude(standard):
    pair, _ = standard
    assert gauge_clearance(pair.wheel, pair.placement, 1.435) == pytest.approx(0.010, abs=5e-6)  # 1435 - 1425
    assert [nominal_amplitude(c) for c in (0.010, 0.007, 0.006, 0.004)] == pytest.approx([3e-3, 3e-3, 2.5e-3, 2e-3])


@pytest.mark.parametrize(("shift", "text"), [(0.05, "at most 30 mm"), (np.nan, "finite")])
def test_impossible_positions_are_refused(standard, shift, text):
    pair, _ = standard
    with pytest.raises(ContactError, match=text):
        contact_geometry(pair, pair, [shift])
