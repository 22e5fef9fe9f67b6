"""How the answer of GRID settles as its samples come closer, and that looking along the locus leaves nothing out."""

import numpy as np

from flexwheel.assess.detection.compare import POINTS
from flexwheel.assess.detection.configurations import (
    INDENTATION,
    Configurations,
    configuration,
    configuration_of,
    pressed_height,
    wheel_pose,
)
from flexwheel.contact.detection.grid import grid_minima, grid_surface
from flexwheel.numerics.kernels import handle, kernel

STEPS = (2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5)  # [m]
_NEAR = 1e-3  # [m]
_SURFACE_STEP = 1e-4  # [m]


@kernel
def _answers(tables, cases, steps, normal, counts, places, depths):
    """Counts (n, s) and places (n, s, m) for each step; negative ones are of the whole surface."""
    for i in range(cases.yaw.size):
        case = configuration_of(cases, i)
        pose = wheel_pose(tables, case, pressed_height(tables, case, INDENTATION, places[i, 0], depths))
        for k in range(steps.size):
            if steps[k] > 0.0:
                counts[i, k] = grid_minima(tables, pose, steps[k], normal, places[i, k], depths)
            else:
                counts[i, k] = grid_surface(tables, pose, -steps[k], normal, places[i, k], depths)


def grid_convergence(tables, indices, normal, *, radius=0.46, wheel_y=0.75):
    """Percent of configurations whose answer changes when the samples of GRID come twice as close.

    Parameters
    ----------
    tables : DetectionTables
    indices : (n,) int       configurations
    normal : bool            normal distance or vertical difference

    Returns
    -------
    dict                     step [m] -> percent that differ from the answer at half that step
    """
    steps = np.array(STEPS)
    counts, places = _given(tables, indices, steps, normal, radius, wheel_y)
    return {float(steps[k]): _differ(counts[:, k : k + 2], places[:, k : k + 2]) for k in range(len(steps) - 1)}


def surface_difference_share(tables, indices, normal, *, radius=0.46, wheel_y=0.75):
    """Percent of configurations in which a grid over the whole wheel surface and GRID on the locus differ."""
    steps = np.array([STEPS[-2], -_SURFACE_STEP])
    return _differ(*_given(tables, indices, steps, normal, radius, wheel_y))


def _given(tables, indices, steps, normal, radius, wheel_y):
    shape = len(indices), len(steps)
    counts, places = np.zeros(shape, np.int64), np.zeros((*shape, POINTS))
    cases = Configurations(radius, wheel_y, *configuration(indices), np.zeros(len(indices)))
    _answers(handle(tables), cases, steps, normal, counts, places, np.zeros(POINTS))
    return counts, places


def _differ(counts, places):
    wrong = counts[:, 0] != counts[:, 1]
    inside = np.arange(places.shape[2]) < counts[:, :1]
    wrong |= np.any((np.abs(places[:, 0] - places[:, 1]) > _NEAR) & inside, axis=1)
    return 100.0 * float(np.mean(wrong))
