"""Networks and look-up table of one profile pair from minima found by DIFF."""

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numba import njit

from flexwheel.contact.detection.diff import diff_minima
from flexwheel.contact.detection.levenberg_marquardt import train_network
from flexwheel.contact.detection.pair_key import pair_key
from flexwheel.contact.detection.tables import MAX_POINTS, make_detection_tables
from flexwheel.contact.gap import Pose
from flexwheel.errors import ScenarioError
from flexwheel.handles import handle

_RARE = 5e-4  # share of the range below which a number of minima has no network
_SHEARS = np.arange(0.0, 1.55, 0.1)
LENGTH = 0.035  # [m] scale of the networks' outputs


@dataclass(frozen=True)
class TrainingOptions:
    """How networks and table are made; part of their key.

    Attributes
    ----------
    yaw, roll, shift : float [rad, rad, m]  half-widths of the range (yaw of either sign)
    radius : float [m]           of the wheel
    neurons, class_neurons : int of the hidden layer of each network and of the classifier
    samples, validation : int    configurations for training and for early stopping
    epochs, patience : int       see `train_network`
    table : (int, int, int)      nodes of the look-up table
    seed : int
    """

    yaw: float = np.pi / 180
    roll: float = np.pi / 240
    shift: float = 10.3e-3
    radius: float = 0.46
    neurons: int = 50
    class_neurons: int = 50
    samples: int = 12000
    validation: int = 4000
    epochs: int = 250
    patience: int = 10
    table: tuple = (9, 33, 401)
    seed: int = 1


@dataclass(frozen=True)
class TrainedDetection:
    """Networks and table of a pair, and how well they were learnt.

    Attributes
    ----------
    key : str                    of the profile pair (`pair_key`)
    arrays : dict                the learnt fields of DetectionTables
    options : TrainingOptions
    share : (c,) float           of configurations with 1 ... c minima
    place_error : (c,) float [m] root mean square on the validation set
    epochs : (c + 1,) int        of the classifier and of each network
    """

    key: str
    arrays: dict
    options: TrainingOptions
    share: np.ndarray
    place_error: np.ndarray
    epochs: np.ndarray


@njit(cache=True)
def box_pose(pair, radius, centre, half, a, b, u):
    """Pose, at the height of the crown, of a point of the box (`box_coordinates` turned round)."""
    tan_yaw = math.sqrt(max(centre[0] + half[0] * a, 0.0))
    sin_roll = centre[1] + half[1] * b
    cos_yaw = 1.0 / math.sqrt(1.0 + tan_yaw * tan_yaw)
    y = pair.offset + radius * sin_roll + centre[2] + half[2] * u
    return Pose(radius, y, 0.0, sin_roll, math.sqrt(1.0 - sin_roll * sin_roll), tan_yaw * cos_yaw, cos_yaw, tan_yaw)


@njit(cache=True)
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
    report(0.0, "configurations")
    boxes, counts, places = _samples(quick, options, centre, half, random)
    share = np.bincount(counts)[1:] / counts.size
    classes = int(np.flatnonzero(share >= _RARE)[-1]) + 1  # more minima than that are left to the next lower network
    share = share[:classes]
    near = _near_borders(quick, options, centre, half, random)
    jobs = [(_classifier_set, (boxes, counts, near, classes, options))]
    jobs += [(_place_set, (boxes, counts, places, k + 1, options, quick, centre, half, random)) for k in range(classes)]
    sets = [make(*given) for make, given in jobs]
    done = np.zeros(len(sets))

    def train(job):
        inputs, targets, checks = sets[job]

        def tick(epoch):
            done[job] = epoch / options.epochs
            report(0.1 + 0.8 * float(done.mean()), f"{int(np.sum(done < 1.0))} networks")

        neurons = options.neurons if job else options.class_neurons
        found = train_network(
            inputs, targets, checks, neurons, epochs=options.epochs, patience=options.patience,
            seed=options.seed + job, report=tick,
        )  # fmt: skip
        done[job] = 1.0
        return found

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        networks = list(pool.map(train, range(len(sets))))
    report(0.9, "look-up table")
    arrays = {"centre": centre, "half": half, "classifier": networks[0].hidden, "classes": networks[0].output}
    arrays |= _stacked(networks[1:], options)
    arrays |= _table(quick, options, centre, half)
    errors = [LENGTH * np.sqrt(n.validation_error.min()) for n in networks[1:]]
    epochs = [len(n.training_error) for n in networks]
    return TrainedDetection(pair_key(contact), arrays, options, share, np.array(errors), np.array(epochs))


def _check(options):
    """Refuse ranges the kernels are not made for."""
    for name, value, high in (("yaw", options.yaw, 0.05), ("roll", options.roll, 0.05), ("shift", options.shift, 0.03)):
        if not 0.0 < value <= high:
            raise ScenarioError(f"detection training: {name} range {value!r}, expected above 0 and up to {high:g}")
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


def _samples(quick, options, centre, half, random):
    boxes = _random_boxes(random, 4 * (options.samples + options.validation))
    return boxes, *_minima(quick, options, centre, half, boxes)


def _near_borders(quick, options, centre, half, random):
    """Configurations close to where the number of minima changes, found along the lateral shift, with their numbers."""
    count = options.samples
    lines = _random_boxes(random, max(count // 8, 1))
    u = np.linspace(-1.0, 1.0, 161)
    boxes = np.repeat(lines, u.size, axis=0)
    boxes[:, 2] = np.tile(u, len(lines))
    counts = _minima(quick, options, centre, half, boxes)[0].reshape(len(lines), u.size)
    line, cell = np.nonzero(np.diff(counts, axis=1))
    pick = random.integers(0, line.size, count) if line.size else np.zeros(0, int)
    near = lines[line[pick]]
    near[:, 2] = u[cell[pick]] + (u[1] - u[0]) * random.uniform(-2.0, 3.0, pick.size)
    near[:, 2] = np.clip(near[:, 2], -1.0, 1.0)
    return near, _minima(quick, options, centre, half, near)[0]


def _classifier_set(boxes, counts, near, classes, options):
    """Inputs and one-hot targets, half of them near the borders."""
    cut = options.samples // 2
    check = options.validation
    inputs = np.concatenate([boxes[:cut], near[0][:cut]])
    numbers = np.concatenate([counts[:cut], near[1][:cut]])
    checks = np.concatenate([boxes[-check:], near[0][cut : cut + check]])
    check_numbers = np.concatenate([counts[-check:], near[1][cut : cut + check]])
    one_hot = np.eye(max(classes, 1))
    numbers, check_numbers = np.minimum(numbers, classes), np.minimum(check_numbers, classes)
    return inputs, one_hot[numbers - 1], (checks, one_hot[check_numbers - 1])


def _place_set(boxes, counts, places, number, options, quick, centre, half, random):
    """Inputs and scaled places of the configurations with `number` minima."""
    wanted = options.samples + options.validation
    parts = [(boxes[counts == number], places[counts == number, :number])]
    for _ in range(40):
        if sum(len(part[0]) for part in parts) >= wanted:
            break
        more = _random_boxes(random, 8 * wanted)
        found, where = _minima(quick, options, centre, half, more)
        parts.append((more[found == number], where[found == number, :number]))
    inputs = np.concatenate([part[0] for part in parts])[:wanted]
    targets = np.concatenate([part[1] for part in parts])[:wanted] / LENGTH
    cut = max(len(inputs) - options.validation, (3 * len(inputs)) // 4)
    return inputs[:cut], targets[:cut], (inputs[cut:], targets[cut:])


def _stacked(networks, options):
    """Hidden and output layers of all networks in two arrays."""
    classes = len(networks)
    hidden = np.zeros((classes, options.neurons, 4))
    output = np.zeros((classes, classes, options.neurons + 1))
    for k, network in enumerate(networks):
        hidden[k] = network.hidden
        output[k, : k + 1] = LENGTH * network.output
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
