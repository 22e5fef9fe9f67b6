"""Number of minima over roll and lateral shift at fixed yaw: figures 6 and 7 of the paper.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 4.2.1.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.contact.detection.compare import DIFF, NETWORKS, POINTS, run_method
from flexwheel.contact.detection.configurations import ROLL, SHIFT
from flexwheel.kernels import handle


class NumberMap(NamedTuple):
    """Numbers of minima at one yaw."""

    yaw: float  # [rad]
    roll: np.ndarray  # (r,) [rad]
    shift: np.ndarray  # (s,) [m]
    diff: np.ndarray  # (r, s) by DIFF
    network: np.ndarray | None  # (r, s) by the trained classifier


def number_map(tables, yaw, *, radius=0.46, wheel_y=0.75):
    """Number of minima over the paper's rolls and lateral shifts at one yaw [rad], by DIFF and by the networks."""
    roll, shift = (a.ravel() for a in np.meshgrid(ROLL, SHIFT, indexing="ij"))
    quick, shape = handle(tables), (ROLL.size, SHIFT.size)
    scratch = np.zeros(max(POINTS, tables.hidden.shape[1], tables.classifier.shape[0]))
    numbers = {}
    for method in (DIFF, NETWORKS) if tables.classes.size else (DIFF,):
        counts = run_method(
            method, quick, radius, wheel_y, np.full(roll.size, float(yaw)), roll, shift, np.zeros(roll.size), scratch
        )[0]
        numbers[method] = counts.reshape(shape)
    return NumberMap(float(yaw), ROLL, SHIFT, numbers[DIFF], numbers.get(NETWORKS))
