"""The paper's comparison of the methods over its configurations: errors against GRID, and times.

A point of the reference that the tested method does not give within the tolerance is an error, and so is a point of the
tested method that the reference does not give; both are counted against the points of the reference.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 5.1.
"""

import math
import time
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.assess.detection.configurations import (
    INDENTATION,
    Configurations,
    configuration,
    configuration_of,
    pressed_height,
    wheel_pose,
)
from flexwheel.assess.detection.converged_grid import converged_grid_minima
from flexwheel.assess.detection.planes import plane_number
from flexwheel.assess.detection.surface_search import search_minima
from flexwheel.contact.detection.detect import NETWORK, TABLE, learned_points
from flexwheel.contact.detection.diff import diff_depth, diff_minima
from flexwheel.contact.detection.dist import dist_points
from flexwheel.contact.detection.locus import vertical_difference
from flexwheel.contact.detection.network import network_minima
from flexwheel.contact.detection.table import table_minima
from flexwheel.numerics.kernels import handle, kernel

TOLERANCE = 2e-3  # [m] table 2
NETWORK_TOLERANCE = 1e-3  # [m] eq 23
POINTS = 8
CHUNK = 4096
GRID_STEP, GRID_LEAST = 1e-3, 1e-6  # [m]
(
    GRID_VERTICAL,
    GRID_NORMAL,
    DIST,
    DIFF,
    SIMPLEX,
    COMPASS,
    NETWORKS,
    LOOK_UP,
    NETWORK_POINTS,
    TABLE_POINTS,
) = range(10)
NAMES = (
    "GRID of the vertical difference",
    "GRID of the normal distance",
    "DIST",
    "DIFF",
    "simplex",
    "compass search",
    "networks",
    "look-up table",
    "networks, in use",
    "look-up table, in use",
)
SEARCHES = (SIMPLEX, COMPASS)
PAIRS = (
    (DIST, GRID_NORMAL),
    (DIFF, GRID_VERTICAL),
    (DIST, DIFF),
    (SIMPLEX, GRID_VERTICAL),
    (COMPASS, GRID_VERTICAL),
    (NETWORKS, GRID_VERTICAL),
    (LOOK_UP, GRID_VERTICAL),
    (NETWORK_POINTS, GRID_NORMAL),
    (TABLE_POINTS, GRID_NORMAL),
)


@dataclass
class Comparison:
    """Sums over the configurations so far.

    Attributes
    ----------
    configurations : int
    seconds, runs : dict          processor time and configurations of each method
    missed, extra, points : dict  errors of each pair of methods, and points of its reference
    numbers : (9,) int            configurations with 0 ... 8 minima by DIFF
    network_errors : (5, 2) int   eq 23 for 1 ... 4 points as DIFF counts them: errors and points
    class_errors : dict           sums of differences in the number of minima, by classifier
    disagreements : list          (method, index, height, place, missed) of DIST and DIFF against their GRID
    finest : float [m]            smallest distance of samples a GRID needed
    """

    configurations: int = 0
    seconds: dict = field(default_factory=dict)
    runs: dict = field(default_factory=dict)
    missed: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    points: dict = field(default_factory=dict)
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(POINTS + 1, np.int64))
    network_errors: np.ndarray = field(default_factory=lambda: np.zeros((5, 2), np.int64))
    class_errors: dict = field(default_factory=lambda: {"planes": 0, "network": 0})
    disagreements: list = field(default_factory=list)
    finest: float = GRID_STEP

    def error(self, pair):
        """Errors of a pair in percent of the points of its reference."""
        return 100.0 * (self.missed[pair] + self.extra[pair]) / max(self.points[pair], 1)

    def microseconds(self, method):
        """Mean processor time per wheel and configuration."""
        return 1e6 * self.seconds[method] / max(self.runs[method], 1)

    def class_error(self, name):
        """Ec: differences in the number of minima per configuration, percent."""
        return 100.0 * self.class_errors[name] / max(self.configurations, 1)

    def network_error(self):
        """E_NN of eq 24 in percent: eq 23 for each number of points, weighted with its points."""
        return 100.0 * self.network_errors[:, 0].sum() / max(self.network_errors[:, 1].sum(), 1)  # 003 (24)


@kernel
def _run(method, tables, cases, scratch, counts, places, depths, steps):
    """One method over a chunk of configurations."""
    for i in range(cases.yaw.size):
        pose = wheel_pose(tables, configuration_of(cases, i), cases.height[i])
        if method == GRID_VERTICAL or method == GRID_NORMAL:
            counts[i], steps[i] = converged_grid_minima(
                tables, pose, GRID_STEP, GRID_LEAST, method == GRID_NORMAL, places[i], depths[i], scratch
            )
        elif method == DIST:
            counts[i] = dist_points(tables, pose, places[i], depths[i])
        elif method == DIFF:
            counts[i] = diff_minima(tables, pose, places[i])
        elif method == SIMPLEX or method == COMPASS:
            counts[i] = search_minima(method == SIMPLEX, tables, pose, places[i], depths[i])
        elif method == NETWORKS:
            counts[i] = network_minima(tables, pose, 0.0, scratch, places[i])
        elif method == LOOK_UP:
            counts[i] = table_minima(tables, pose, True, places[i])
        elif method == NETWORK_POINTS:
            counts[i] = learned_points(NETWORK, tables, pose, scratch, places[i], depths[i])
        else:
            counts[i] = learned_points(TABLE, tables, pose, scratch, places[i], depths[i])


@kernel
def press(tables, cases, places, depths):
    """Set the heights of Configurations to those of the paper's indentation; places, depths (m,): scratch."""
    for i in range(cases.yaw.size):
        cases.height[i] = pressed_height(tables, configuration_of(cases, i), INDENTATION, places, depths)


@kernel
def _positions(tables, cases, counts, places, indented, points):
    """x, y [m] of every point; where `indented`, points without indentation are left out. Returns nothing."""
    for i in range(cases.yaw.size):
        pose = wheel_pose(tables, configuration_of(cases, i), cases.height[i])
        for k in range(points.shape[1]):
            points[i, k, 0] = points[i, k, 1] = np.nan
            if k < counts[i] and (not indented or diff_depth(tables, pose, places[i, k])[0] >= 0.0):
                point = vertical_difference(tables.pair, pose, places[i, k])
                points[i, k, 0], points[i, k, 1] = point.x, point.y


@kernel
def unmatched(points, others, tolerance, missing):
    """Number of `points` (n, m, 2) of each configuration without one of `others` nearby, and of all points."""
    total = 0
    for i in range(points.shape[0]):
        missing[i] = 0
        for k in range(points.shape[1]):
            if math.isnan(points[i, k, 0]):
                continue
            total += 1
            near = False
            for m in range(others.shape[1]):
                distance = math.hypot(points[i, k, 0] - others[i, m, 0], points[i, k, 1] - others[i, m, 1])
                near = near or distance <= tolerance
            if not near:
                missing[i] += 1
    return total


def compare(tables, indices, *, planes=None, every_search=1, radius=0.46, wheel_y=0.75, report=None):
    """Run every method over configurations of the paper.

    Parameters
    ----------
    tables : DetectionTables     with networks and table, or without: they are then left out
    indices : (n,) int           configurations, counted as in `configuration`
    planes : Planes or None      the paper's classifier
    every_search : int           simplex and compass search run on every such configuration only
    radius, wheel_y : float [m]  of the wheel, and its profile origin from the wheelset's centre
    report : function(fraction)

    Returns
    -------
    Comparison
    """
    quick = handle(tables)
    learned = tables.classes.size > 0
    methods = [m for m in range(len(NAMES)) if learned or m < NETWORKS]
    sums = Comparison()
    for pair in PAIRS:
        sums.missed[pair] = sums.extra[pair] = sums.points[pair] = 0
    for method in methods:
        sums.seconds[method], sums.runs[method] = 0.0, 0
    task = _Task(quick, methods, method_scratch(tables), planes, every_search, radius, wheel_y)
    _chunk(Comparison(), task._replace(every_search=1), indices[:2], time_it=False)
    for start in range(0, len(indices), CHUNK):
        part = indices[start : start + CHUNK]
        _chunk(sums, task, part)
        if report is not None:
            report((start + len(part)) / len(indices))
    return sums


class _Task(NamedTuple):
    """What `compare` is asked for."""

    quick: object  # handle of the tables
    methods: list
    scratch: np.ndarray
    planes: object
    every_search: int
    radius: float
    wheel_y: float


def method_scratch(tables):
    """Scratch array of `run_method`."""
    return np.zeros(max(POINTS, tables.hidden.shape[1], tables.classifier.shape[0]))


def run_method(method, quick, cases, scratch):
    """One method over Configurations (n,).

    Returns
    -------
    counts (n,), places (n, POINTS) [m], smallest distance of a GRID's samples [m], processor time [s]
    """
    n = len(cases.yaw)
    counts, steps = np.zeros(n, np.int64), np.full(n, GRID_STEP)
    places, depths = np.zeros((n, POINTS)), np.zeros((n, POINTS))
    started = time.thread_time()
    _run(method, quick, cases, scratch, counts, places, depths, steps)
    elapsed = time.thread_time() - started
    return np.clip(counts, 0, POINTS), places, float(steps.min()), elapsed


def points_of(tables, method, cases):
    """Contact points of one method in Configurations.

    Returns
    -------
    places (n, POINTS) [m] on the wheel's profile; points (n, POINTS, 2) [m] x, y; NaN where there are fewer
    """
    quick = handle(tables)
    counts, places, _, _ = run_method(method, quick, cases, method_scratch(tables))
    points = np.empty((len(cases.yaw), POINTS, 2))
    _positions(quick, cases, counts, places, False, points)
    return np.where(np.isnan(points[..., 0]), np.nan, places), points


def _chunk(sums, task, part, time_it=True):
    """Add one chunk of configurations to the sums."""
    methods, size = task.methods, len(part)
    yaw, roll, shift = configuration(part)
    cases = Configurations(task.radius, task.wheel_y, yaw, roll, shift, np.zeros(size))
    press(task.quick, cases, np.zeros(POINTS), np.zeros(POINTS))
    some = {m: slice(None, None, task.every_search if m in SEARCHES else None) for m in methods}
    counts, points, inside = {}, {}, {}
    for method in methods:
        chosen = cases[:2] + tuple(np.ascontiguousarray(column[some[method]]) for column in cases[2:])
        given = Configurations(*chosen)
        counts[method], places, finest, elapsed = run_method(method, task.quick, given, task.scratch)
        points[method] = np.empty((len(given.yaw), POINTS, 2))
        inside[method] = np.empty_like(points[method])
        _positions(task.quick, given, counts[method], places, False, points[method])
        _positions(task.quick, given, counts[method], places, True, inside[method])
        if time_it:
            sums.seconds[method] += elapsed
            sums.runs[method] += len(given.yaw)
        if method in (GRID_VERTICAL, GRID_NORMAL):
            sums.finest = min(sums.finest, finest)
    if not time_it:
        return
    sums.configurations += size
    sums.numbers += np.bincount(counts[DIFF], minlength=POINTS + 1)[: POINTS + 1]
    missing, surplus = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for tested, reference in PAIRS:
        if tested not in methods:
            continue
        ref, own = points[reference][some[tested]], points[tested]
        if (tested, reference) == (DIST, DIFF):
            ref = inside[reference]
        n = len(ref)
        sums.points[tested, reference] += unmatched(ref, own, TOLERANCE, missing[:n])
        unmatched(own, ref, TOLERANCE, surplus[:n])
        sums.missed[tested, reference] += int(missing[:n].sum())
        sums.extra[tested, reference] += int(surplus[:n].sum())
        if (tested, reference) in PAIRS[:2]:
            wrong = np.flatnonzero(missing[:n] + surplus[:n])
            sums.disagreements += [(tested, int(part[i]), float(cases.height[i])) for i in wrong]
    if NETWORKS in methods:
        _count_classes(sums, counts, roll, shift, task.planes)
        _count_networks(sums, counts, points)


def _count_classes(sums, counts, roll, shift, planes):
    sums.class_errors["network"] += int(np.abs(counts[NETWORKS] - counts[DIFF]).sum())
    if planes is not None:
        sums.class_errors["planes"] += int(np.abs(plane_number(planes, roll, shift) - counts[DIFF]).sum())


def _count_networks(sums, counts, points):
    """Eq 23: points of DIFF farther than 1 mm from those of the network for their number."""
    for number in range(1, 6):
        chosen = (counts[NETWORKS] == number) & (counts[DIFF] == number)
        missing = np.zeros(int(chosen.sum()), np.int64)
        total = unmatched(points[DIFF][chosen], points[NETWORKS][chosen], NETWORK_TOLERANCE, missing)
        sums.network_errors[number - 1] += int(missing.sum()), total  # 003 (23)
