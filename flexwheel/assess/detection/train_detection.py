"""Networks and look-up table of one profile pair from minima found by DIFF.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 4.2; the classes of configurations are finer than the paper's.
Verified in tests/contact/test_detection_network_verified.py.
"""

import math
import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from flexwheel.assess.detection.levenberg_marquardt import train_network
from flexwheel.assess.detection.region_classes import Regions, label_regions, nodes_of, region_of
from flexwheel.base.errors import ScenarioError
from flexwheel.contact.detection.detection_tables import MAX_POINTS, make_detection_tables
from flexwheel.contact.detection.diff import diff_minima
from flexwheel.contact.detection.pair_key import pair_key
from flexwheel.contact.detection.trained_detection import TrainedDetection, TrainingOptions
from flexwheel.contact.gap import Pose, large_yaw
from flexwheel.numerics.kernels import handle, kernel

_SHEARS = np.arange(0.0, 1.55, 0.1)
LENGTH = 0.035  # [m] scale of the networks' outputs


@kernel
def box_pose(pair, radius, centre, half, a, b, u):
    """Pose, at the height of the crown, of a point of the box (`box_coordinates` turned round)."""
    tan_yaw = math.sqrt(max(centre[0] + half[0] * a, 0.0))
    sin_roll = centre[1] + half[1] * b
    cos_yaw = 1.0 / math.sqrt(1.0 + tan_yaw * tan_yaw)
    y = pair.offset + radius * sin_roll + centre[2] + half[2] * u
    cos_roll = math.sqrt(1.0 - sin_roll * sin_roll)
    return Pose(radius, y, 0.0, sin_roll, cos_roll, tan_yaw * cos_yaw, cos_yaw, tan_yaw, large_yaw(tan_yaw))


@kernel
def box_minima(tables, radius, centre, half, boxes, counts, places):
    """Minima by DIFF at points (n, 3) of the box; counts (n,), places (n, m)."""
    for i in range(counts.size):
        pose = box_pose(tables.pair, radius, centre, half, boxes[i, 0], boxes[i, 1], boxes[i, 2])
        counts[i] = min(diff_minima(tables, pose, places[i]), places.shape[1])


def train_detection(contact, options=None, report=None, workers=None):
    """Networks and look-up table for a profile pair.

    Parameters
    ----------
    contact : ContactTables        of the pair
    options : TrainingOptions
    report : function(fraction, note)
    workers : int                  threads; all cores by default

    Returns
    -------
    TrainedDetection

    Raises
    ------
    ScenarioError                  options out of range
    """
    options = options or TrainingOptions()
    _check(options)
    report = report or (lambda fraction, note="": None)
    tables = make_detection_tables(contact)
    quick = handle(tables)
    centre, half = _box(options)
    random = np.random.default_rng(options.seed)
    report(0.0, "look-up table")
    table = _table(quick, options, centre, half)
    report(0.05, "configurations")
    regions = label_regions(table, options.by_number)
    problem = _Problem(quick, options, centre, half, table, regions)
    sets = [_classifier_set(problem, random), *(_place_set(problem, k, random) for k in range(regions.points.size))]
    done = np.zeros(len(sets))

    def train(job):
        inputs, targets, checks = sets[job]

        def tick(epoch):
            done[job] = epoch / options.epochs
            report(0.1 + 0.9 * float(done.mean()), f"{int(np.sum(done < 1.0))} networks")

        neurons = options.neurons if job else options.class_neurons
        found = train_network(
            inputs, targets, checks, neurons, epochs=options.epochs, patience=options.patience,
            seed=options.seed + job, report=tick,
        )  # fmt: skip
        done[job] = 1.0
        return found

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        networks = list(pool.map(train, range(len(sets))))
    arrays = {"centre": centre, "half": half, "classifier": networks[0].hidden, "classes": networks[0].output}
    arrays |= _stacked(networks[1:], options) | table | {"class_points": regions.points}
    errors = [LENGTH * np.sqrt(n.validation_error.min(initial=np.inf)) for n in networks[1:]]
    epochs = [len(n.training_error) for n in networks]
    return TrainedDetection(pair_key(contact), arrays, options, regions.share, np.array(errors), np.array(epochs))


class _Problem(NamedTuple):
    """What the training sets are drawn from."""

    quick: object  # handle of the tables
    options: TrainingOptions
    centre: np.ndarray
    half: np.ndarray
    table: dict
    regions: Regions


def _check(options):
    """Refuse ranges the kernels are not made for."""
    for name, value, high in (("yaw", options.yaw, 0.05), ("roll", options.roll, 0.05), ("shift", options.shift, 0.03)):
        if not 0.0 < value <= high:
            raise ScenarioError(f"detection training: {name} range must be above 0 and up to {high:g}, got {value!r}")
    counts = (options.neurons, options.class_neurons, options.samples, options.validation, options.epochs)
    if min(counts) < 1 or min(options.table) < 2:
        raise ScenarioError("detection training: neurons, samples and epochs must be at least 1, table nodes 2")


def _box(options):
    """Centre and half-widths of the box of configurations."""
    half = np.array([0.5 * math.tan(options.yaw) ** 2, math.sin(options.roll), options.shift])
    half *= 1.0 + 1e-9
    return np.array([half[0], 0.0, 0.0]), half


def _random_boxes(random, count):
    """Points of the box, uniform in yaw, roll and shift."""
    boxes = random.uniform(-1.0, 1.0, (count, 3))
    boxes[:, 0] = 2.0 * random.uniform(0.0, 1.0, count) ** 2 - 1.0
    return boxes


def _minima(quick, options, centre, half, boxes):
    counts, places = np.zeros(len(boxes), np.int64), np.full((len(boxes), MAX_POINTS), np.nan)
    box_minima(quick, options.radius, centre, half, boxes, counts, places)
    return counts, places


def _classified(problem, boxes):
    """Classes (n,) of points of the box, -1 where none, and their places (n, m)."""
    counts, places = _minima(*problem[:4], boxes)
    return region_of(problem.table, problem.regions, boxes, counts, places), places


def _near_borders(problem, count, random):
    """Points of the box close to where the class changes, found along the lateral shift."""
    lines = _random_boxes(random, max(count // 8, 1))
    u = np.linspace(-1.0, 1.0, 161)
    boxes = np.repeat(lines, u.size, axis=0)
    boxes[:, 2] = np.tile(u, len(lines))
    classes = _classified(problem, boxes)[0].reshape(len(lines), u.size)
    line, cell = np.nonzero(np.diff(classes, axis=1))
    pick = random.integers(0, line.size, count) if line.size else np.zeros(0, int)
    near = lines[line[pick]]
    near[:, 2] = u[cell[pick]] + (u[1] - u[0]) * random.uniform(-2.0, 3.0, pick.size)
    near[:, 2] = np.clip(near[:, 2], -1.0, 1.0)
    return near


def _classifier_set(problem, random):
    """Inputs and one-hot targets, half of them near the borders."""
    options = problem.options
    total = options.samples + options.validation
    boxes = np.concatenate([_random_boxes(random, total // 2), _near_borders(problem, total - total // 2, random)])
    classes = _classified(problem, boxes)[0]
    boxes, classes = boxes[classes >= 0], classes[classes >= 0]
    return _split(boxes, np.eye(problem.regions.points.size)[classes], options, random)


def _place_set(problem, number, random):
    """Inputs and scaled places of the configurations of one class."""
    options, points = problem.options, int(problem.regions.points[number])
    wanted = options.samples // 2 + options.validation // 2
    found, where = [], []
    for _ in range(12):
        near = nodes_of(problem.table, problem.regions, number, wanted, random)
        boxes = near[np.all(np.abs(near) <= 1.0, axis=1)]
        classes, places = _classified(problem, boxes)
        found.append(boxes[classes == number])
        where.append(places[classes == number, :points])
        if sum(map(len, found)) >= wanted:
            break
    inputs, targets = np.concatenate(found)[:wanted], np.concatenate(where)[:wanted] / LENGTH
    return _split(inputs, targets, options, random)


def _split(inputs, targets, options, random):
    """Training and validation samples in random order."""
    order = random.permutation(len(inputs))
    cut = int(len(inputs) * options.samples / (options.samples + options.validation))
    inputs, targets = inputs[order], targets[order]
    return inputs[:cut], targets[:cut], (inputs[cut:], targets[cut:])


def _stacked(networks, options):
    """Hidden and output layers of all networks in two arrays."""
    classes = len(networks)
    hidden = np.zeros((classes, options.neurons, 4))
    most = max(network.output.shape[0] for network in networks)
    output = np.zeros((classes, most, options.neurons + 1))
    for k, network in enumerate(networks):
        hidden[k] = network.hidden
        output[k, : network.output.shape[0]] = LENGTH * network.output
    return {"hidden": hidden, "output": output}


def _table(quick, options, centre, half):
    """Number and places of the minima at the nodes of a grid over the box, sheared so that fewest cells are unsure."""
    coarse = (2, 33, 121)
    unsure = [_unsure_share(_nodes(quick, options, centre, half, shear, coarse)[0]) for shear in _SHEARS]
    shear = _SHEARS[int(np.argmin(unsure))]
    counts, places = _nodes(quick, options, centre, half, shear, options.table)
    return {
        "counts": counts.astype(np.int8),
        "places": np.ascontiguousarray(np.nan_to_num(places)),
        "shear": np.array([shear, 1.0 / (1.0 + abs(shear))]),
    }


def _nodes(quick, options, centre, half, shear, shape):
    """Counts (a, b, u) and places (a, b, u, m) at the nodes of a sheared grid."""
    axes = [np.linspace(-1.0, 1.0, n) for n in shape]
    boxes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    boxes[:, 2] = (1.0 + abs(shear)) * boxes[:, 2] - shear * boxes[:, 1]
    counts, places = _minima(quick, options, centre, half, boxes)
    return counts.reshape(shape), places.reshape(*shape, MAX_POINTS)


def _unsure_share(counts):
    """Share of cells whose corners differ in the number of minima."""
    corners = np.stack([counts[i : i - 1 or None, j : j - 1 or None, k : k - 1 or None]
                        for i in (0, 1) for j in (0, 1) for k in (0, 1)])  # fmt: skip
    return float(np.mean(corners.min(axis=0) != corners.max(axis=0)))
