"""Choice of the detection method at compile time: runs that scan the profiles compile none of the other methods."""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from flexwheel.contact.detection.detect import detect, detection_method, make_scratch
from flexwheel.contact.detection.tables import DetectionTables
from flexwheel.contact.regions import find_peaks


class Detection(NamedTuple):
    """A detection method other than the scan; see contact.detection.detect."""

    method: int
    tables: DetectionTables
    scratch: np.ndarray  # (h,)


def choose_detection(name, tables):
    """Detection for the key of a scenario, None for "scan".

    Parameters
    ----------
    name : str                   of detect.METHODS
    tables : DetectionTables     of the profile pair, with networks and table where `name` needs them

    Raises
    ------
    ScenarioError                unknown name, or nothing trained for this pair
    """
    method = detection_method(name, tables)
    return None if name == "scan" else Detection(method, tables, make_scratch(tables))


def first_touch(
    detection, wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, peaks, heights
):  # pragma: no cover
    """First-touch points of one wheel (arguments of `find_peaks`) by `detection`, None: by the scan."""
    raise NotImplementedError("for kernels only")


@overload(first_touch, jit_options={"cache": True})
def _first_touch(detection, wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, peaks, heights):
    if isinstance(detection, types.NoneType):

        def scan(detection, wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, peaks, heights):
            return find_peaks(wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, peaks, heights)

        return scan

    def other(detection, wheel, wheel_start, rail, rail_start, inverse_step, pose, step, coarse, peaks, heights):
        return detect(
            detection.method,
            detection.tables,
            detection.scratch,
            wheel,
            wheel_start,
            rail,
            rail_start,
            inverse_step,
            pose,
            step,
            coarse,
            peaks,
            heights,
        )

    return other
