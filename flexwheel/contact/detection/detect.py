"""One interface to every detection method: first-touch points of a wheel in a pose, in place of `find_peaks`.

Whatever found the points, place and depth are those of a largest `gap.depth_at`, along the normal, so that the patches
built on them do not depend on the method: a minimum of the vertical difference is moved to the one of the distance
beside it (on a flange half a millimetre, and several micrometres of depth). Points the bodies do not overlap at are
left out. Where a method sees no contact the scan decides: the distance from tables with straight slopes is 0.2
micrometres out on a steep flange.

Verified in tests/assess/test_detection_verified.py and tests/contact/test_detection_properties.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.detection.detection_tables import DetectionTables
from flexwheel.contact.detection.diff import diff_minima
from flexwheel.contact.detection.dist import dist_points, distance_root
from flexwheel.contact.detection.grid import grid_minima
from flexwheel.contact.detection.network import network_minima
from flexwheel.contact.detection.table import table_minima
from flexwheel.contact.gap import FAST, depth_at
from flexwheel.contact.regions import deepest_beside, find_peaks
from flexwheel.numerics.kernels import kernel, overload, types

SCAN, GRID, DIST, DIFF, NETWORK, TABLE = range(6)
METHODS = {"scan": SCAN, "grid": GRID, "dist": DIST, "diff": DIFF, "network": NETWORK, "table": TABLE}
_GRID_STEP = 5e-4  # [m]
_BESIDE, _SAME = 1e-3, 4e-5  # [m] from a minimum of the vertical difference to that of the distance; one point
_SURE = 0.3  # lead of the chosen class below which DIST takes over
_NEAR, _FAR = 3e-4, 2.4e-3  # [m] around a learnt place in which the root of DIST is looked for


class Detection(NamedTuple):
    """A method other than the scan, as the contact law takes it."""

    method: int  # of METHODS
    tables: DetectionTables
    scratch: np.ndarray  # (h,)


def make_detection(name, tables):
    """Detection by its key in a scenario, with DetectionTables.

    Raises
    ------
    ScenarioError    unknown key, or networks or table that were not trained
    """
    if name not in METHODS:
        raise ScenarioError(f"contact.detection must be one of {', '.join(METHODS)}, got {name!r}")
    learned = {"network": tables.classes, "table": tables.counts}
    if name in learned and learned[name].size == 0:
        raise ScenarioError(
            f"contact.detection = {name!r}: nothing trained for this wheel and rail; run `flexwheel detection-train`"
        )
    return Detection(METHODS[name], tables, make_scratch(tables))


def make_scratch(tables):
    """Scratch array of `learned_points` for one wheel."""
    return np.zeros(max(1, tables.classifier.shape[0], tables.hidden.shape[1]))


@kernel(fastmath=FAST)
def learned_points(method, tables, pose, scratch, places, depths):
    """Contact points from networks or table, each moved to the root of DIST beside it.

    Outside their range, where they are unsure, or where no root is near, DIST answers.
    """
    if method == NETWORK:
        count = network_minima(tables, pose, _SURE, scratch, places)
    else:
        count = table_minima(tables, pose, False, places)
    pair = tables.pair
    found = 0
    for k in range(max(count, 0)):
        reach, root = _NEAR, False
        while not root and reach <= _FAR:
            root, eta, distance = distance_root(pair, pose, places[k] - reach, places[k] + reach)
            reach *= 2.0
        if not root:
            count = -1
            break
        if distance <= 0.0:
            places[found], depths[found] = eta, -distance
            found += 1
    if count < 0:
        return dist_points(tables, pose, places, depths)
    return found


@kernel
def detect(detection, pair, pose, sampled, peaks):
    """First-touch points of one wheel by any method; `find_peaks` with a choice.

    Parameters
    ----------
    detection : Detection
    pair : ProfilePair
    pose : Pose
    sampled : SampledDepth   of `scan`; used by "scan", and where another sees no contact
    peaks : Peaks            out: places and heights

    Returns
    -------
    int                      number of points; m + 1 when there are more than fit
    """
    method, tables, places, heights = detection.method, detection.tables, peaks.places, peaks.heights
    if method == SCAN:
        return find_peaks(pair, pose, sampled, peaks)
    if method == GRID:
        count = grid_minima(tables, pose, _GRID_STEP, True, places, heights)
    elif method == DIST:
        count = dist_points(tables, pose, places, heights)
    elif method == DIFF:
        count = diff_minima(tables, pose, places)
    else:
        count = learned_points(method, tables, pose, detection.scratch, places, heights)
    found = 0
    for k in range(min(count, places.size)):
        eta = places[k]
        if method == DIFF:  # its minima are of the vertical difference
            left = depth_at(pair, pose, eta - _BESIDE)
            right = depth_at(pair, pose, eta + _BESIDE)
            eta, depth = deepest_beside(pair, pose, eta, _BESIDE, left, right)
        else:
            depth = depth_at(pair, pose, eta)
        if depth > 0.0 and (found == 0 or eta - places[found - 1] > _SAME):
            places[found], heights[found] = eta, depth
            found += 1
    fit = found > 0 and count <= places.size
    return found if fit else find_peaks(pair, pose, sampled, peaks)


def first_points(detection, pair, pose, sampled, peaks):
    """`detect`, or `find_peaks` where `detection` is None; decided when a kernel compiles.

    A simulation that scans does not compile the other methods. Arguments and result as `detect`.
    """
    raise NotImplementedError("for compiled kernels")


@overload(first_points)
def _first_points(detection, pair, pose, sampled, peaks):
    if isinstance(detection, types.NoneType):
        return lambda detection, pair, pose, sampled, peaks: find_peaks(pair, pose, sampled, peaks)
    return lambda detection, pair, pose, sampled, peaks: detect(detection, pair, pose, sampled, peaks)
