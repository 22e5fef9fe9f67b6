"""Number of minima over roll and lateral shift at fixed yaw: figures 6 and 7 of the paper.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 4.2.1.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.assess.detection.compare import DIFF, NETWORKS, method_scratch, run_method
from flexwheel.assess.detection.configurations import ROLL, SHIFT, Configurations
from flexwheel.numerics.kernels import handle


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
    cases = Configurations(radius, wheel_y, np.full(roll.size, float(yaw)), roll, shift, np.zeros(roll.size))
    quick, scratch, numbers = handle(tables), method_scratch(tables), {}
    for method in (DIFF, NETWORKS) if tables.classes.size else (DIFF,):
        counts = run_method(method, quick, cases, scratch)[0]
        numbers[method] = counts.reshape(ROLL.size, SHIFT.size)
    return NumberMap(float(yaw), ROLL, SHIFT, numbers[DIFF], numbers.get(NETWORKS))
