"""What lies behind a disagreement between a method and its GRID: the root of the distance's derivative.

A point that only one of the two gives is explained when the derivative along the contact locus is shown to rise
through zero there. How far off the next root is, at which the derivative falls, says how close minimum and maximum lie,
and the depth of the basin between them what is at stake.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.assess.detection.compare import DIST, GRID_STEP, POINTS
from flexwheel.assess.detection.configurations import Configuration, configuration, wheel_pose
from flexwheel.contact.detection.diff import diff_minima, slope_difference
from flexwheel.contact.detection.dist import dist_points, tangent_offset
from flexwheel.contact.detection.grid import difference_or_off, distance_or_off, grid_minima
from flexwheel.numerics.kernels import handle, kernel

_LOOKS = ((6e-4, 5e-7), (5e-6, 1e-9))  # [m] reach around a point and spacing; the second for roots closer together
_NEAR = 3e-4  # [m] on the wheel: points nearer than this are the same
_STEPS = (2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5, 1.5625e-5, 7.8e-6)  # [m] of finer GRIDs


class Disagreement(NamedTuple):
    """One point that one method gives and the other does not."""

    method: str
    index: int  # of the configuration
    yaw_deg: float
    roll_deg: float
    shift_mm: float
    eta_mm: float  # wheel coordinate of the point
    given_by: str  # the method, or GRID
    root_mm: float  # wheel coordinate at which the derivative rises through zero; NaN: none within 0.6 mm
    derivative_before: (
        float  # one or two spacings before the root: slope difference [-] (DIFF) or tangent offset [m] (DIST)
    )
    derivative_after: float  # after it
    partner_um: float  # distance of the nearest root at which the derivative falls; NaN: none within 0.6 mm
    basin_nm: float  # value at that root minus value at the minimum
    grid_step_um: float  # distance of samples at which GRID gives the point too; NaN: none tried

    @property
    def explained(self):
        """Whether the derivative's root was found."""
        return bool(np.isfinite(self.root_mm))


@kernel
def _derivative(normal, tables, pose, eta, values, heights):
    """Derivative's sign function and the function itself at points eta (n,)."""
    pair = tables.pair
    for i in range(eta.size):
        if normal:
            values[i] = tangent_offset(pair, pose, eta[i])[0]
            heights[i] = distance_or_off(pair, pose, eta[i])
        else:
            values[i] = slope_difference(pair, pose, eta[i])
            heights[i] = difference_or_off(pair, pose, eta[i])


def explain(tables, disagreements, *, radius=0.46, wheel_y=0.75):
    """Every point of `Comparison.disagreements` with the derivative's root beside it.

    Returns
    -------
    list of Disagreement
    """
    quick = handle(tables)
    rows = []
    for method, index, height in disagreements:
        yaw, roll, shift = configuration(index)
        pose = wheel_pose(quick, Configuration(radius, wheel_y, yaw, roll, shift), height)
        normal = method == DIST
        own, depths = np.zeros(POINTS), np.zeros(POINTS)
        count = dist_points(quick, pose, own, depths) if normal else diff_minima(quick, pose, own)
        own = own[:count]
        ref = _grid(quick, pose, 0.5 * GRID_STEP, normal)
        name = "DIST" if normal else "DIFF"
        points = [(eta, name) for eta in _alone(own, ref)] + [(eta, "GRID") for eta in _alone(ref, own)]
        for eta, given_by in points:
            place = (name, int(index), np.degrees(yaw), np.degrees(roll), 1e3 * shift, 1e3 * eta, given_by)
            rows.append(Disagreement(*map(_plain, place), *_root(quick, pose, eta, normal)))
    return rows


def _plain(value):
    return value if isinstance(value, str | int) else float(value)


def _grid(quick, pose, step, normal):
    places, depths = np.zeros(POINTS), np.zeros(POINTS)
    return places[: grid_minima(quick, pose, step, normal, places, depths)]


def _alone(points, others):
    return [eta for eta in points if others.size == 0 or np.abs(others - eta).min() > _NEAR]


def _root(quick, pose, eta, normal):
    """root_mm ... grid_step_um of a Disagreement."""
    for reach, spacing in _LOOKS:
        at = eta + np.arange(-reach, reach, spacing)
        value, height = np.zeros(at.size), np.zeros(at.size)
        _derivative(normal, quick, pose, at, value, height)
        rising = np.flatnonzero((value[:-1] < 0.0) & (value[1:] >= 0.0))
        falling = np.flatnonzero((value[:-1] >= 0.0) & (value[1:] < 0.0))
        if rising.size:
            break
    nan = float("nan")
    step = nan
    for finer in _STEPS:
        if not _alone(np.array([eta]), _grid(quick, pose, finer, normal)):
            step = 1e6 * finer
            break
    if rising.size == 0:
        return nan, nan, nan, nan, nan, step
    k = rising[np.argmin(np.abs(at[rising] - eta))]
    low, high = max(k - 1, 0), min(k + 2, at.size - 1)
    partner = basin = nan
    if falling.size:
        m = falling[np.argmin(np.abs(falling - k))]
        partner, basin = 1e6 * abs(at[m] - at[k]), 1e9 * (height[m] - height[k])
    return 1e3 * float(at[k]), float(value[low]), float(value[high]), float(partner), float(basin), step
