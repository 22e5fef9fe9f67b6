"""Lateral coupler forces on a vehicle in a curve against F L/R, from the geometry of the pivots on a circle."""

import numpy as np
import pytest

from flexwheel.systems.train.coupler_angle import coupler_angle, coupler_components


@pytest.mark.parametrize("force", [800e3, -800e3])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_sum_is_force_times_length_over_radius(force, side):
    """14 m over couplers, R = 300 m: draft to the inside, buff to the outside; 14/300 of the force within 0.1 %."""
    length, radius = 14.0, side * 300.0
    lateral = 0.0
    for end in (1.0, -1.0):
        angle = coupler_angle(end, 0.5 * length / radius, 0.0, 0.0, 0.9)
        forward, left = coupler_components(force, end, angle)
        lateral += left
        assert forward == pytest.approx(end * force, rel=1e-3)
    assert lateral == pytest.approx(force * length / radius, rel=1e-3)


def test_against_pivots_on_a_circle():
    """Three equal vehicles on a circle: direction from pivot to pivot, without small angles."""
    radius, length, body = 250.0, 14.0, 12.6
    theta = length / radius
    centres = np.array([-theta, 0.0, theta])

    def pivot(k, end):
        at = radius * np.array([np.sin(centres[k]), 1 - np.cos(centres[k])])
        return at + end * 0.5 * body * np.array([np.cos(centres[k]), np.sin(centres[k])])

    lateral = 0.0
    for end, k in ((1.0, 2), (-1.0, 0)):
        line = pivot(k, -end) - pivot(1, end)
        line /= np.linalg.norm(line)
        angle = coupler_angle(end, 0.5 * length / radius, 0.0, 0.0, length - body)
        _, left = coupler_components(1.0, end, angle)
        assert left == pytest.approx(line[1], rel=5e-3)
        lateral += line[1]
    assert lateral == pytest.approx(length / radius, rel=5e-3)


def test_pivot_moved_sideways_turns_the_coupler():
    """A vehicle 20 mm to the left of its neighbours, straight track: draft brings it back with 20/900 at each end."""
    for end in (1.0, -1.0):
        angle = coupler_angle(end, 0.0, 0.020, 0.0, 0.9)
        assert coupler_components(100e3, end, angle)[1] == pytest.approx(-100e3 * 0.020 / 0.9, rel=1e-3)
