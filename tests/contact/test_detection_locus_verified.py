"""Contact locus of a yawed, rolled wheel: Falomi, Malvezzi and Meli 2011, Wear 271, eqs (5)-(13)."""

import math

import numpy as np
import pytest

from flexwheel.contact.detection.locus import OFF, locus_sine, place_in_track, wheel_slope_for, wheel_slope_in_track
from flexwheel.contact.gap import Pose, large_yaw

R0 = 0.46


def _pose(yaw, roll, y=0.0, z=0.0):
    turned = math.sin(yaw), math.cos(yaw), math.tan(yaw), large_yaw(math.tan(yaw))
    return Pose(R0, y, z, math.sin(roll), math.cos(roll), *turned)


def _rotation(yaw, roll):
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 0], [0, math.cos(roll), -math.sin(roll)], [0, math.sin(roll), math.cos(roll)]]
    )


@pytest.mark.parametrize("yaw, roll", [(0.0, 0.0), (0.0175, 0.0131), (0.0175, -0.0131), (-0.03, 0.02), (0.05, 0.0)])
@pytest.mark.parametrize("slope", [-2.747, -0.5, 0.0, 0.05, 3.0])
def test_normal_has_no_component_along_the_rail_and_the_other_root_is_not_one(yaw, roll, slope):
    sine, cosine = locus_sine(_pose(yaw, roll), slope)
    turn = _rotation(yaw, roll)
    normal = turn @ np.array([sine, -slope, -cosine])  # outward
    assert normal[0] == pytest.approx(0.0, abs=1e-14)  # rounding
    # eq (10) with x = r sine, and both roots of (12)
    r11, r12, r13 = turn[0]
    assert r11 * sine - r12 * slope - r13 * cosine == pytest.approx(0.0, abs=1e-14)
    if roll != 0.0 and yaw != 0.0:
        m = r11**2 + r13**2
        other = (r11 * r12 * slope - r13 * math.sqrt(m - (r12 * slope) ** 2)) / m
        squared = (r11 * other - r12 * slope) ** 2 - r13**2 * (1.0 - other**2)
        assert squared == pytest.approx(0.0, abs=1e-14)  # a root of the squared equation
        assert abs(r11 * other - r12 * slope - r13 * math.sqrt(1.0 - other**2)) > 1e-6  # rejected by (10)


@pytest.mark.parametrize("yaw, roll", [(0.0175, 0.0131), (-0.03, 0.02), (0.01, 0.0)])
def test_slope_across_the_track_and_its_inverse(yaw, roll):
    pose, turn = _pose(yaw, roll), _rotation(yaw, roll)
    for slope in (-2.7, -0.3, 0.02, 1.0):
        sine, cosine = locus_sine(pose, slope)
        normal = turn @ np.array([sine, -slope, -cosine])
        track = wheel_slope_in_track(pose, slope, sine, cosine)
        assert track == pytest.approx(-normal[1] / normal[2], rel=1e-12)
        assert wheel_slope_for(pose, track) == pytest.approx(slope, rel=1e-12, abs=1e-15)


def test_place_is_the_turned_point():
    pose, turn = _pose(0.02, -0.01, y=0.003, z=-0.001), _rotation(0.02, -0.01)
    sine, cosine = locus_sine(pose, -1.2)
    radius, eta = 0.4712, -0.037
    local = np.array([radius * sine, eta, R0 - radius * cosine])
    expected = turn @ local + [0.0, 0.003, -0.001]
    assert np.allclose(place_in_track(pose, radius, eta, sine, cosine), expected, rtol=0.0, atol=1e-15)


def test_no_locus_where_the_slope_exceeds_the_cotangent_of_the_yaw():
    assert locus_sine(_pose(0.05, 0.0), 25.0)[0] == OFF
