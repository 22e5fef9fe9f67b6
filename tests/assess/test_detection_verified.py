"""Contact points of circles in closed form; methods against GRID after Falomi, Malvezzi and Meli 2011, Wear 271."""

import math

import numpy as np
import pytest
from detection_pairs import R0, WHEEL_Y, circles, detection

from flexwheel.assess.detection.compare import COMPASS, DIFF, DIST, GRID_NORMAL, GRID_VERTICAL, SIMPLEX, compare
from flexwheel.assess.detection.configurations import COUNT, ROLL, SHIFT, YAW, chosen, configuration
from flexwheel.assess.detection.detection_convergence import grid_convergence, surface_difference_share
from flexwheel.assess.detection.explain import explain
from flexwheel.contact.detection.detection_tables import make_detection_tables
from flexwheel.contact.detection.diff import diff_minima
from flexwheel.contact.detection.dist import dist_points
from flexwheel.contact.gap import Pose
from flexwheel.numerics.kernels import handle


def test_configurations_are_those_of_table_1():
    assert COUNT == 2_099_601
    assert YAW[-1] == pytest.approx(math.pi / 180) and YAW[1] == pytest.approx(math.pi / 14400)
    assert ROLL[0] == -ROLL[-1] == pytest.approx(-math.pi / 240) and np.diff(ROLL)[0] == pytest.approx(math.pi / 19200)
    assert SHIFT[0] == -SHIFT[-1] == pytest.approx(-0.010) and np.diff(SHIFT)[0] == pytest.approx(0.125e-3)
    assert [float(v[0]) for v in configuration([COUNT - 1])] == [YAW[-1], ROLL[-1], SHIFT[-1]]
    assert len(np.unique(chosen(5000))) == 5000 and chosen(5000).max() < COUNT


@pytest.mark.parametrize("shift", [0.0, 4e-3, -6e-3])
def test_two_circles(shift):
    """DIST: on the line of centres; DIFF: where the slopes are equal at one lateral place."""
    wheel, rail, gap = 0.10, 0.08, -3e-4
    tables = handle(make_detection_tables(circles(wheel, rail)))
    centres = math.hypot(shift, wheel + rail)
    z = gap + math.sqrt((wheel + rail + gap) ** 2 - shift**2) - (wheel + rail + gap)
    pose = Pose(R0, shift, z, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)
    rise = math.hypot(shift, wheel + rail + z)
    places, depths = np.zeros(8), np.zeros(8)
    assert dist_points(tables, pose, places, depths) == 1
    # slopes are linear within cells of 0.05 mm: heights and places to 1e-8 m
    assert depths[0] == pytest.approx(wheel + rail - rise, abs=1e-8)
    assert places[0] == pytest.approx(-wheel * shift / rise, abs=1e-7)
    assert diff_minima(tables, pose, places) == 1
    assert places[0] == pytest.approx(-wheel * shift / (wheel + rail), abs=1e-7)
    assert centres > 0.0


@pytest.mark.parametrize("inverse, allowed", [(40, 0.1), (20, 0.2)])
def test_dist_and_diff_against_their_grids(inverse, allowed):
    """Errors within 0.1 % at 1:40 and 0.2 % at 1:20; searches far better than chance."""
    tables = detection(inverse)
    sums = compare(tables, chosen(1500), every_search=10, radius=R0, wheel_y=WHEEL_Y)
    assert sums.points[DIST, GRID_NORMAL] >= 1500 and sums.points[DIFF, GRID_VERTICAL] >= 1500
    assert sums.error((DIST, GRID_NORMAL)) <= allowed
    assert sums.error((DIFF, GRID_VERTICAL)) <= allowed
    for search in (SIMPLEX, COMPASS):
        assert sums.error((search, GRID_VERTICAL)) < 5.0  # of few configurations
    assert all(row.explained for row in explain(tables, sums.disagreements, radius=R0, wheel_y=WHEEL_Y))
    assert sums.numbers[1:3].sum() > 0.9 * sums.configurations


@pytest.mark.parametrize("normal", [True, False])
def test_grid_settles_and_the_locus_leaves_nothing_out(normal):
    changes = grid_convergence(detection(20), chosen(150), normal, radius=R0, wheel_y=WHEEL_Y)
    steps = sorted(changes)
    assert changes[steps[0]] <= 1.0 and changes[steps[-1]] >= changes[steps[0]]
    assert surface_difference_share(detection(40), chosen(12), normal, radius=R0, wheel_y=WHEEL_Y) == 0.0
