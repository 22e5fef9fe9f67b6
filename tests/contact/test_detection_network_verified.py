"""Networks and look-up table: Levenberg-Marquardt after Hagan and Menhaj 1994; DIFF as reference of what is learnt."""

import math
from dataclasses import replace

import numpy as np
import pytest
from detection_pairs import R0, WHEEL_Y, detection, manchester

from flexwheel.assess.detection.configurations import ROLL, SHIFT, Configuration, wheel_pose
from flexwheel.assess.detection.levenberg_marquardt import evaluate, train_network
from flexwheel.assess.detection.planes import fit_planes, plane_number
from flexwheel.assess.detection.train_detection import train_detection
from flexwheel.base.errors import ScenarioError
from flexwheel.contact.detection.detect import NETWORK, TABLE, learned_points, make_detection
from flexwheel.contact.detection.detection_file import detection_path, load_detection, save_detection
from flexwheel.contact.detection.detection_tables import make_detection_tables
from flexwheel.contact.detection.diff import diff_minima
from flexwheel.contact.detection.dist import dist_points
from flexwheel.contact.detection.network import OUTSIDE, box_coordinates, fast_tanh, network_minima
from flexwheel.contact.detection.table import table_minima
from flexwheel.contact.detection.trained_detection import TrainingOptions
from flexwheel.numerics.kernels import handle

SMALL = TrainingOptions(neurons=12, class_neurons=14, samples=1500, validation=600, epochs=30, table=(3, 17, 161))


@pytest.fixture(scope="module")
def trained():
    return train_detection(manchester(), SMALL)


@pytest.fixture(scope="module")
def tables(trained):
    return make_detection_tables(manchester(), trained)


def _pose(yaw, roll, shift, height=0.0):
    return wheel_pose(handle(detection()), Configuration(R0, WHEEL_Y, yaw, roll, shift), height)


def test_levenberg_marquardt_fits_a_smooth_function():
    random = np.random.default_rng(3)
    inputs = random.uniform(-1.0, 1.0, (900, 2))
    targets = np.column_stack([np.sin(2.0 * inputs[:, 0]) * inputs[:, 1], np.cos(inputs @ [1.0, 1.0])])
    found = train_network(inputs[:700], targets[:700], (inputs[700:], targets[700:]), 12, epochs=60)
    assert found.validation_error.min() < 1e-5  # twelve neurons; the variance of the targets is about 0.2
    assert np.all(np.diff(found.training_error) < 0.0)
    assert np.mean((evaluate(found.hidden, found.output, inputs) - targets) ** 2) < 1e-5


def test_training_stops_early_and_keeps_the_best_weights():
    random = np.random.default_rng(4)
    inputs, targets = random.uniform(-1.0, 1.0, (40, 1)), random.standard_normal((40, 1))
    found = train_network(inputs[:30], targets[:30], (inputs[30:], targets[30:]), 12, epochs=100, patience=3)
    assert len(found.validation_error) < 100
    best = np.mean((evaluate(found.hidden, found.output, inputs[30:]) - targets[30:]) ** 2)
    assert best == pytest.approx(found.validation_error.min(), rel=1e-12)


def test_pade_tanh():
    x = np.linspace(-12.0, 12.0, 4001)
    assert max(abs(fast_tanh(v) - math.tanh(v)) for v in x) < 2e-5


def test_network_kernel_is_the_trained_network(tables):
    quick, places, scratch = handle(tables), np.zeros(6), np.zeros(14)
    pose = _pose(0.004, 0.002, -0.004)
    count = network_minima(quick, pose, 0.0, scratch, places)
    box = np.array([box_coordinates(tables.pair, tables.centre, tables.half, pose)])
    scores = evaluate(tables.classifier, tables.classes, box)[0]
    chosen = int(np.argmax(scores))
    assert count == tables.class_points[chosen]
    expected = evaluate(tables.hidden[chosen], tables.output[chosen, :count], box)[0]
    assert np.allclose(places[:count], expected, rtol=0.0, atol=2e-5)  # the approximate tanh
    reference = np.zeros(6)
    assert diff_minima(quick, pose, reference) == count
    assert np.allclose(places[:count], reference[:count], rtol=0.0, atol=3e-3)  # a small network, few samples


def test_table_at_its_nodes_is_diff(tables):
    quick, places, reference = handle(tables), np.zeros(6), np.zeros(6)
    _, nb, nu = tables.counts.shape
    compared = 0
    for j in range(2, nb - 2, 4):
        for k in range(40, nu - 40, 7):
            b = -1.0 + 2.0 * j / (nb - 1)
            u = (-1.0 + 2.0 * k / (nu - 1)) / tables.shear[1] - tables.shear[0] * b
            if abs(u) > 1.0:
                continue
            roll = math.asin(tables.centre[1] + tables.half[1] * b)
            pose = _pose(0.0, roll, 0.0)
            lateral = tables.pair.offset + R0 * pose.sin_roll + tables.half[2] * u
            pose = pose._replace(y=lateral)
            count = table_minima(quick, pose, False, places)
            if count < 0:
                continue
            assert diff_minima(quick, pose, reference) == count
            assert np.allclose(places[:count], reference[:count], rtol=0.0, atol=1e-6)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("method", [NETWORK, TABLE])
def test_outside_the_range_dist_takes_over(tables, method):
    quick, scratch = handle(tables), np.zeros(14)
    for yaw, roll, shift in ((0.02, 0.0, 0.0), (0.0, 0.016, -0.005), (0.0, 0.0, 0.0115)):
        high = _pose(yaw, roll, shift, 0.002)
        own = network_minima(quick, high, 0.0, scratch, np.zeros(6))
        assert own == OUTSIDE and table_minima(quick, high, True, np.zeros(6)) == OUTSIDE
        for height in np.linspace(-0.008, 0.004, 13):
            pose = _pose(yaw, roll, shift, height)
            a, b, da, db = (np.zeros(6) for _ in range(4))
            count = dist_points(quick, pose, a, da)
            assert learned_points(method, quick, pose, scratch, b, db) == count
            assert np.array_equal(a, b) and np.array_equal(da, db)


@pytest.mark.parametrize("method", [NETWORK, TABLE])
def test_learnt_points_lie_on_the_root_of_dist(tables, method):
    quick, scratch = handle(tables), np.zeros(14)
    random = np.random.default_rng(5)
    same = 0
    for _ in range(200):
        yaw, roll, shift = random.uniform(-0.0174, 0.0174), random.uniform(-1e-3, 1e-3), random.uniform(-9e-3, 5e-3)
        pose = _pose(yaw, roll, shift, -1e-4)
        a, b, da, db = (np.zeros(6) for _ in range(4))
        count = dist_points(quick, pose, a, da)
        if learned_points(method, quick, pose, scratch, b, db) == count:
            same += np.allclose(a[:count], b[:count], rtol=0.0, atol=1e-7)
    assert same >= 190  # a point near its birth may be seen by one only; a small network


def test_planes_number_most_configurations(tables):
    planes = fit_planes(tables, radius=R0, wheel_y=WHEEL_Y)
    random = np.random.default_rng(6)
    roll, shift = random.choice(ROLL, 400), random.choice(SHIFT, 400)
    quick, places = handle(tables), np.zeros(8)
    counts = [diff_minima(quick, _pose(0.005, b, y), places) for b, y in zip(roll, shift, strict=True)]
    assert np.mean(plane_number(planes, roll, shift) != counts) < 0.03  # the paper's planes: 0.9 %


def test_round_trip_and_refusals(trained, tmp_path):
    path = detection_path(manchester(), tmp_path)
    save_detection(trained, path)
    back = load_detection(path, manchester())
    assert back.key == trained.key and back.options == SMALL
    assert all(np.array_equal(back.arrays[name], trained.arrays[name]) for name in trained.arrays)
    with pytest.raises(ScenarioError, match="made for profile pair .*; train them with"):
        load_detection(path, manchester(20))
    with pytest.raises(ScenarioError, match="belong to profile pair"):
        make_detection_tables(manchester(20), trained)
    with pytest.raises(ScenarioError, match="no networks and tables for this wheel and rail"):
        load_detection(tmp_path / "none.npz", manchester())
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ScenarioError, match="cannot be read"):
        load_detection(path, manchester())


def test_method_names():
    assert make_detection("dist", detection()).method == 2
    with pytest.raises(ScenarioError, match="must be one of scan, grid, dist"):
        make_detection("guess", detection())
    for name in ("network", "table"):
        with pytest.raises(ScenarioError, match="nothing trained"):
            make_detection(name, detection())


def test_training_range_is_checked():
    with pytest.raises(ScenarioError, match="yaw range"):
        train_detection(manchester(), replace(SMALL, yaw=0.2))
