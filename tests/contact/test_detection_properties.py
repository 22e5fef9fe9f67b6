"""What must hold for every pose and every detection method."""

import math

import numpy as np
import pytest
from detection_pairs import R0, WHEEL_Y, detection, manchester
from numba import njit
from numba.core.runtime import _nrt_python, rtsys

from flexwheel.assess.detection.configurations import Configuration, pressed_height, wheel_pose
from flexwheel.base.errors import ScenarioError
from flexwheel.contact.contact_tables import COARSE_EVERY
from flexwheel.contact.detection.detect import METHODS, Detection, detect, first_points, make_scratch
from flexwheel.contact.detection.diff import diff_minima
from flexwheel.contact.detection.dist import dist_points, rail_foot
from flexwheel.contact.detection.locus import rail_section, vertical_difference
from flexwheel.contact.gap import SampledDepth, make_pose, scan
from flexwheel.contact.regions import Peaks, find_peaks
from flexwheel.numerics.kernels import handle

WITHOUT_TRAINING = [name for name in METHODS if name not in ("network", "table")]


def _random_poses(count, seed):
    random = np.random.default_rng(seed)
    for _ in range(count):
        yield random.uniform(-0.0175, 0.0175), random.uniform(-0.013, 0.013), random.uniform(-0.01, 0.01)


def _find(method, contact, tables, d):
    """Places and depths by `detect` as the simulation calls it."""
    pose, sampled = _sampled(contact, d)
    peaks = _peaks()
    detection = handle(Detection(METHODS[method], tables, make_scratch(tables)))
    count = detect(detection, contact.pair, pose, sampled, peaks)
    return peaks.places[:count], peaks.heights[:count]


def _sampled(contact, d):
    """Pose and sampled depth."""
    pose = make_pose(contact.offset, R0, d)
    depth = np.zeros(contact.coarse_wheel.shape[1])
    first, last = scan(contact.coarse_wheel, contact.pair, pose, depth)
    return pose, SampledDepth(COARSE_EVERY / contact.pair.inverse_step, depth, first, last)


def _peaks():
    return Peaks(*(np.zeros(12) for _ in range(4)))


@pytest.mark.parametrize("method", WITHOUT_TRAINING)
def test_every_method_finds_the_points_of_running(method):
    """Poses of ordinary running: the deepest point and its depth are the same by all methods."""
    contact, tables = manchester(), detection()
    random = np.random.default_rng(1)
    compared = 0
    for _ in range(60):
        y = random.uniform(-6e-3, 6e-3)
        d = np.array([0.0, y, 0.0, random.uniform(-1e-3, 1e-3), 0.0, random.uniform(-0.015, 0.015)])
        d[2] = 0.0 if y < 5e-3 else 0.2e-3
        for _ in range(60):  # lowered until it touches
            peaks, heights = _find("scan", contact, tables, d)
            if len(peaks) and heights.max() > 5e-5:
                break
            d[2] -= 2e-5
        own, depths = _find(method, contact, tables, d)
        assert len(own) > 0
        assert np.all(np.diff(own) > 0.0) and np.all(depths > 0.0)
        k, m = int(np.argmax(heights)), int(np.argmax(depths))
        # the measures differ to second order of the depth; searches end within their last step
        assert depths[m] == pytest.approx(heights[k], rel=1e-2, abs=2e-7)
        compared += abs(own[m] - peaks[k]) < 5e-4
    assert compared >= 54  # in flat places equal depths may be a millimetre apart


# the sole contact is a flange that the least vertical difference is 0.1 to 0.2 micrometres short of, or a narrow one
FLANGES = (
    (6.487748975946195e-3, 9.8e-4, -1.5309886529116677e-3, -0.01863099231055386),
    (6.3769118268794285e-3, 9.4e-4, 1.7204616551079058e-3, 0.019152279984601044),
    (6.488053668443534e-3, 8.0e-4, 9.142146695279262e-4, -0.010619591933207042),
)


@pytest.mark.parametrize("method", WITHOUT_TRAINING)
def test_a_sole_contact_is_found_at_the_foot_of_its_normal(method):
    """Before: diff misplaced them, and missed them where shallow."""
    contact, tables = manchester(), detection()
    for y, z, roll, yaw in FLANGES:
        d = np.array([0.0, y, z, roll, 0.0, yaw])
        assert len(_find("scan", contact, tables, d)[0]) == 1
        shallow, raised = d.copy(), d[2] + 1e-4
        while raised - shallow[2] > 1e-8:  # until hardly anything is left
            middle = np.array([0.0, y, 0.5 * (shallow[2] + raised), roll, 0.0, yaw])
            if _find("scan", contact, tables, middle)[1].max(initial=0.0) > 5e-8:
                shallow = middle
            else:
                raised = middle[2]
        for here in (d, shallow):
            places, depths = _find(method, contact, tables, here)
            assert len(places) == 1
            at, largest = _largest_distance(contact, here, places[0])
            assert abs(places[0] - at) < 2e-6
            # the cosine of the rail is linear over its cells: h^2/(8 R^2 cos^4) = 1.3e-4 of the depth at the steepest
            # of these, h = 0.05 mm, R = 13 mm
            assert depths[0] == pytest.approx(largest, rel=2e-4, abs=1e-9)


def _largest_distance(contact, d, near):
    """Place and value of the largest distance of a wheel point from the foot of its normal, by sampling near a place.

    Written again from the tables' cubics: the points whose normal has no component along the rail, nearest rail point.
    """
    eta = near + np.arange(-3e-4, 3.001e-4, 1e-6)
    h, slope, _ = _cubic(contact.pair.wheel, contact.pair.wheel_start, contact.pair.inverse_step, eta)
    sr, cr, sy, cy = math.sin(d[3]), math.cos(d[3]), math.sin(d[5]), math.cos(d[5])
    sine = np.zeros(eta.size)
    for _ in range(5):
        sine = sy / cy * (sr * np.sqrt(1.0 - sine**2) - cr * slope)
    up = R0 - (R0 + h) * np.sqrt(1.0 - sine**2)
    y = contact.offset + d[1] + sy * (R0 + h) * sine + cy * (cr * eta - sr * up)
    z = d[2] + sr * eta + cr * up
    foot = y.copy()
    for _ in range(8):
        below, lean, bend = _cubic(contact.pair.rail, contact.pair.rail_start, contact.pair.inverse_step, foot)
        foot += (y - foot + (z - below) * lean) / (1.0 + lean**2 - (z - below) * bend)
    below = _cubic(contact.pair.rail, contact.pair.rail_start, contact.pair.inverse_step, foot)[0]
    distance = np.copysign(np.hypot(y - foot, z - below), below - z)
    k = int(np.argmax(distance))
    return eta[k], distance[k]


def _cubic(table, start, inverse_step, y):
    """Value, slope and second derivative of a profile table."""
    cell = ((y - start) * inverse_step).astype(int)
    t = (y - start) * inverse_step - cell
    c0, c1, c2, c3 = table[cell, :4].T * [[1.0], [1.0 / inverse_step], [1.0], [1.0]]
    first, second = c1 + t * (2.0 * c2 + 3.0 * t * c3), 2.0 * c2 + 6.0 * t * c3
    return c0 + t * (c1 + t * (c2 + t * c3)), first * inverse_step, second * inverse_step**2


def test_height_does_not_move_the_minima_of_the_vertical_difference():
    tables = handle(detection(20))
    for yaw, roll, shift in _random_poses(50, 2):
        a, b = np.zeros(8), np.zeros(8)
        low = wheel_pose(tables, Configuration(R0, WHEEL_Y, yaw, roll, shift), -0.004)
        high = wheel_pose(tables, Configuration(R0, WHEEL_Y, yaw, roll, shift), 0.03)
        count = diff_minima(tables, low, a)
        assert diff_minima(tables, high, b) == count > 0
        assert np.array_equal(a, b)


def test_turning_the_yaw_mirrors_along_the_track_only():
    tables = handle(detection())
    for yaw, roll, shift in _random_poses(50, 3):
        a, b, da, db = (np.zeros(8) for _ in range(4))
        left = wheel_pose(tables, Configuration(R0, WHEEL_Y, yaw, roll, shift), 0.0)
        right = wheel_pose(tables, Configuration(R0, WHEEL_Y, -yaw, roll, shift), 0.0)
        assert diff_minima(tables, left, a) == diff_minima(tables, right, b)
        assert np.allclose(a, b, rtol=0.0, atol=1e-9)
        assert dist_points(tables, left, a, da) == dist_points(tables, right, b, db)
        assert np.allclose(da, db, rtol=0.0, atol=1e-12)


def test_contact_points_are_indented_and_normals_parallel():
    plain, tables = detection(), handle(detection())
    points = 0
    for yaw, roll, shift in _random_poses(80, 4):
        places, depths = np.zeros(8), np.zeros(8)
        case = Configuration(R0, WHEEL_Y, yaw, roll, shift)
        pose = wheel_pose(tables, case, pressed_height(tables, case, 2e-4, places, depths))
        for k in range(dist_points(tables, pose, places, depths)):
            assert depths[k] > 0.0
            _, _, y, z, wheel, _ = vertical_difference(plain.pair, pose, places[k])
            foot = rail_foot(plain.pair, y, z)
            below, rail = rail_section(plain.pair, foot)
            # the inverse of the rail's slope is tabulated at 7 micrometres on the 13 mm arc
            assert math.atan(rail) == pytest.approx(math.atan(wheel), abs=1e-3)
            assert math.hypot(y - foot, z - below) == pytest.approx(depths[k], abs=1e-9)
            points += 1
    assert points >= 80


@njit(cache=True)
def _repeat(detection, pair, pose, sampled, peaks):
    total = 0
    for _ in range(50):
        total += detect(detection, pair, pose, sampled, peaks)
    return total


@njit(cache=True)
def _first(detection, pair, pose, sampled, peaks):
    return first_points(detection, pair, pose, sampled, peaks)


def test_without_a_method_the_depth_is_scanned():
    contact = manchester()
    pose, sampled = _sampled(contact, np.array([0.0, 0.001, -3e-4, 0.0, 0.0, 0.005]))
    a, b = _peaks(), _peaks()
    count = _first(None, contact.pair, pose, sampled, a)
    assert count == find_peaks(contact.pair, pose, sampled, b)
    assert count > 0 and np.array_equal(a.places, b.places)


def test_nothing_is_allocated():
    """No array or tuple of arrays is made while points are found."""
    contact, tables = manchester(), detection()
    pose, sampled = _sampled(contact, np.array([0.0, 0.001, -3e-4, 0.0, 0.0, 0.005]))
    _nrt_python.memsys_enable_stats()
    for name in ("grid", "dist", "diff"):
        given = (handle(Detection(METHODS[name], tables, np.zeros(1))), contact.pair, pose, sampled, _peaks())
        _repeat(*given)
        before = rtsys.get_allocation_stats().mi_alloc
        assert _repeat(*given) > 0
        assert rtsys.get_allocation_stats().mi_alloc - before < 20  # arguments of one call, not of 50
    _nrt_python.memsys_disable_stats()


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["detection-compare", "--configurations", "3"], "--configurations must be 10 to 2099601, got 3"),
        (["detection-compare", "--inclination", "1:30"], "--inclination must be 1:40, 1:20 or both, got 1:30"),
        (["detection-train", "--inclination", "steep"], "--inclination must be 1:40"),
        (["detection-train", "--rail", "none.prr"], "--rail none.prr: neither a shipped rail profile"),
        (["detection-train", "--yaw-mrad", "400"], "yaw range"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, text, capsys):
    from flexwheel.face.cli import main

    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    shown = capsys.readouterr().err.strip().splitlines()
    assert len(shown) == 1 and text in shown[0]


def test_networks_of_another_pair_are_refused(tmp_path):
    from flexwheel.assess.detection.train_detection import train_detection
    from flexwheel.contact.detection.detection_file import load_detection, save_detection
    from flexwheel.contact.detection.trained_detection import TrainingOptions

    tiny = TrainingOptions(neurons=3, class_neurons=3, samples=100, validation=40, epochs=1, table=(2, 3, 5))
    save_detection(train_detection(manchester(20), tiny), tmp_path / "other.npz")
    with pytest.raises(ScenarioError, match="made for profile pair"):
        load_detection(tmp_path / "other.npz", manchester(40))


def test_a_rail_without_inverse_gives_the_same_points():
    """DIST by the nearest rail point, as for a hollow rail, and by the inverse of the rail's slope."""
    plain = detection()
    inverse, nearest = handle(plain), handle(plain._replace(pair=plain.pair._replace(invertible=0)))
    compared = 0
    for yaw, roll, shift in _random_poses(60, 6):
        a, b, da, db = (np.zeros(8) for _ in range(4))
        case = Configuration(R0, WHEEL_Y, yaw, roll, shift)
        pose = wheel_pose(inverse, case, pressed_height(inverse, case, 2e-4, a, da))
        count = dist_points(inverse, pose, a, da)
        assert dist_points(nearest, pose, b, db) == count
        # the inverse is tabulated at 7 micrometres on the 13 mm arc
        assert np.allclose(a[:count], b[:count], rtol=0.0, atol=5e-5)
        assert np.allclose(da[:count], db[:count], rtol=0.0, atol=2e-8)
        compared += count
    assert compared >= 60
