"""The paper's classifier: planes in roll and lateral shift between configurations with different numbers of minima.

Going to larger lateral shift, minima appear and vanish, each at about the same place of the wheel whatever the roll and
the yaw; the changes at one place are taken for one plane, fitted by least squares.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 4.2.1.
Verified in tests/contact/test_detection_network_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.assess.detection.configurations import ROLL, SHIFT, YAW, Configuration, wheel_pose
from flexwheel.contact.detection.detection_tables import MAX_POINTS
from flexwheel.contact.detection.diff import diff_minima
from flexwheel.numerics.kernels import handle, kernel

_APART = 3e-3  # [m] between the places of two kinds of change
_JUMP = 1.5e-3  # [m] farther than a minimum moves between neighbouring shifts


class Planes(NamedTuple):
    """Planes shift = at + tilt * roll at which the number of minima changes."""

    at: np.ndarray  # (p,) [m]
    tilt: np.ndarray  # (p,) [m/rad]
    change: np.ndarray  # (p,) +1 or -1 toward larger shift
    first: int  # number of minima before all planes


@kernel
def _lines(tables, where, yaw, roll, shift, counts, places):
    """Minima at every shift (s,) of each yaw and roll (n,); where: radius and wheel_y."""
    for i in range(yaw.size):
        for k in range(shift.size):
            pose = wheel_pose(tables, Configuration(where[0], where[1], yaw[i], roll[i], shift[k]), 0.0)
            counts[i, k] = min(diff_minima(tables, pose, places[i, k]), places.shape[2])


def fit_planes(tables, *, radius=0.46, wheel_y=0.75):
    """Planes between the numbers of minima of a profile pair, over the paper's range.

    Returns
    -------
    Planes
    """
    yaw, roll = (a.ravel() for a in np.meshgrid(YAW[::20], ROLL[::4], indexing="ij"))
    counts = np.zeros((yaw.size, SHIFT.size), np.int64)
    places = np.zeros((yaw.size, SHIFT.size, MAX_POINTS))
    _lines(handle(tables), (radius, wheel_y), yaw, roll, SHIFT, counts, places)
    changes = []
    for i, k in zip(*np.nonzero(np.diff(counts, axis=1)), strict=True):
        before, after = places[i, k, : counts[i, k]], places[i, k + 1, : counts[i, k + 1]]
        middle = 0.5 * (SHIFT[k] + SHIFT[k + 1])
        changes += [(1, eta, roll[i], middle) for eta in _lost(after, before)]
        changes += [(-1, eta, roll[i], middle) for eta in _lost(before, after)]
    at, tilt, sign = [], [], []
    for change in (1, -1):
        found = np.array(sorted(c[1:] for c in changes if c[0] == change)).reshape(-1, 3)
        for group in np.split(found, np.flatnonzero(np.diff(found[:, 0]) > _APART) + 1):
            if len(group) > 2 and np.ptp(group[:, 1]) > 0.0:
                slope, start = np.polyfit(group[:, 1], group[:, 2], 1)
                at.append(start)
                tilt.append(slope)
                sign.append(change)
    first = int(np.median(counts[:, 0]))
    return Planes(np.array(at), np.array(tilt), np.array(sign, np.int64), first)


def _lost(places, others):
    """Places without one of `others` nearby."""
    return [eta for eta in places if others.size == 0 or np.abs(others - eta).min() > _JUMP]


def plane_number(planes, roll, shift):
    """Number of minima (n,) by the planes, for roll (n,) [rad] and lateral shift (n,) [m]."""
    number = np.full(np.shape(roll), planes.first)
    for at, tilt, change in zip(planes.at, planes.tilt, planes.change, strict=True):
        number = number + change * (shift > at + tilt * roll)
    return np.maximum(number, 1)
