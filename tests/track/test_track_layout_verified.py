"""Alignment against exact geometry: circle, Euler spiral by Fresnel integrals, parabola; layout of Pogorelov et al."""

import numpy as np
from scipy.special import fresnel

from flexwheel.track.layout import make_layout, track_frame
from flexwheel.track.segments import Arc, GradeChange, Straight, Transition
from tests.paper_layout import paper_layout


def frame(layout, s):
    position, rotation, kappa, dkappa = np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    track_frame(layout, s, position, rotation, kappa, dkappa)
    return position, rotation, kappa, dkappa


def test_circle():
    layout = make_layout([Arc(500.0, 300.0, "right")])
    for s in np.linspace(0.0, 500.0, 37):
        angle = s / 300.0
        exact = [300.0 * np.sin(angle), -300.0 * (1.0 - np.cos(angle)), 0.0]
        np.testing.assert_allclose(
            frame(layout, s)[0], exact, rtol=0, atol=2e-13 * 500.0, err_msg="rounding over 500 m"
        )


def test_euler_spiral_and_all_of_the_paper_layout():
    layout = paper_layout("left")
    scale = np.sqrt(np.pi * 300.0 * 50.0)
    for t in np.linspace(0.0, 50.0, 23):
        sine, cosine = fresnel(t / scale)
        exact = [10.0 + scale * cosine, scale * sine, 0.0]
        np.testing.assert_allclose(frame(layout, 10.0 + t)[0], exact, rtol=0, atol=1e-12, err_msg="rounding")
    in_the_arc = 25.0 / 300.0 + 40.0 / 300.0
    tangent = frame(layout, 100.0)[1][:, 0]
    np.testing.assert_allclose(tangent, [np.cos(in_the_arc), np.sin(in_the_arc), 0.0], rtol=0, atol=1e-14)
    heading = 50.0 / 300.0 + 200.0 / 300.0
    _, rotation, kappa, _ = frame(layout, 700.0)
    np.testing.assert_allclose(rotation[:, 0], [np.cos(heading), np.sin(heading), 0.0], rtol=0, atol=1e-14)
    np.testing.assert_allclose(kappa, 0.0, atol=1e-18)
    assert layout.length == 1310.0
    assert frame(layout, 100.0)[2][2] == 1.0 / 300.0


def test_height_is_a_parabola_in_arc_length():
    layout = make_layout([Straight(400.0)], grades=[GradeChange(100.0, 20.0, 80.0)])
    assert frame(layout, 50.0)[0][2] == 0.0
    np.testing.assert_allclose(frame(layout, 100.0)[0][2], 0.5 * 0.02 / 80.0 * 40.0**2, rtol=1e-13)
    np.testing.assert_allclose(frame(layout, 300.0)[0][2], 0.02 * 200.0, rtol=1e-13)
    position, rotation, kappa, _ = frame(layout, 300.0)
    np.testing.assert_allclose(rotation[2, 0], 0.02, rtol=1e-14)
    assert frame(layout, 100.0)[2][1] < 0.0, "a sag pitches up: negative about y"


def test_cant_raises_the_outer_rail_about_the_centre_line_or_the_low_rail():
    segments = [Straight(20.0), Transition(50.0), Arc(100.0, 300.0, "right", 120.0), Transition(50.0), Straight(20.0)]
    middle = make_layout(segments)
    low = make_layout(segments, cant_about="low_rail")
    rail = np.array([0.0, 0.75, 0.0])
    for layout, left, right in ((middle, 0.06, -0.06), (low, 0.12, 0.0)):
        position, rotation, _, _ = frame(layout, 120.0)
        np.testing.assert_allclose((position + rotation @ rail)[2], left, rtol=0, atol=1e-13)
        np.testing.assert_allclose((position - rotation @ rail)[2], right, rtol=0, atol=1e-13)


def test_twist_of_a_linear_ramp_and_its_rounding():
    segments = [Straight(20.0), Transition(50.0), Arc(100.0, 300.0, "left", 100.0), Transition(50.0), Straight(20.0)]
    layout = make_layout(segments, cant_smoothing=4.0)
    rate = -0.1 / 1.5 / 50.0
    position, rotation, kappa, _ = frame(layout, 45.0)
    np.testing.assert_allclose(kappa[0], rate / np.sqrt(1.0 - (0.05 / 1.5) ** 2), rtol=1e-12)
    np.testing.assert_allclose(frame(layout, 20.0)[2][0], 0.5 * rate, rtol=1e-6, err_msg="half the rate at the kink")
    np.testing.assert_allclose(frame(layout, 120.0)[1][2, 1], -0.1 / 1.5, rtol=1e-13)


def test_straight_on_beyond_both_ends():
    layout = paper_layout("right")
    end, rotation, _, _ = frame(layout, 1310.0)
    position, same, kappa, dkappa = frame(layout, 1330.0)
    np.testing.assert_allclose(position, end + 20.0 * rotation[:, 0], rtol=1e-15)
    np.testing.assert_array_equal(frame(layout, -7.0)[0], [-7.0, 0.0, 0.0])
    assert not kappa.any() and not dkappa.any()
