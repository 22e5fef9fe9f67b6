"""Brake cylinders by their filling and release curves.

A distributor fills its cylinder along one curve of time and empties it along another, whatever the brake pipe asks: a
partial application stops on the filling curve, and each change sets out from the pressure there is. So the pressure
alone says where on a curve a cylinder stands. Pressures are fractions of the largest one (full service).

Source: filling to 95 % of the largest pressure and release to 0.4 bar as UIC 540 and EN 14198 define the times of the
positions G and P.
Verified in tests/systems/train/test_train_cylinder_verified.py.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel

FILLED = 0.95
"""Part of the largest pressure at which a filling time ends."""
RELEASED_BAR = 0.4
"""Pressure [bar] at which a release time ends."""


@dataclass(frozen=True)
class Cylinder:
    """Filling from empty and release from full."""

    name: str
    fill_time: np.ndarray  # (k,) [s] from 0, strictly rising
    fill_pressure: np.ndarray  # (k,) [-] from 0 to 1, strictly rising
    release_time: np.ndarray  # (k,) [s] from 0, strictly rising
    release_pressure: np.ndarray  # (k,) [-] from 1 to 0, strictly falling
    filling: float  # [s] to 95 %
    releasing: float  # [s] to 0.4 bar
    fill_constant: float = 0.0  # [s] c of 1 - exp(-t/c) in place of the table where > 0
    release_constant: float = 0.0  # [s] c of exp(-t/c) in place of the table where > 0
    source: str = field(default="", compare=False)


class CylinderCurves(NamedTuple):
    """Curves of every kind of cylinder, for the kernels. Axes: kind, fill or release, knot."""

    count: np.ndarray  # (kinds, 2) int
    time: np.ndarray  # (kinds, 2, knots) [s]
    pressure: np.ndarray  # (kinds, 2, knots) [-]
    constant: np.ndarray  # (kinds, 2) [s]     0: by the table


def linear_cylinder(name, filling, releasing, largest_bar=3.8):
    """Straight filling and release: `filling` [s] to 95 %, `releasing` [s] to 0.4 bar of largest_bar."""
    check_times(name, filling, releasing, largest_bar)
    two = np.array([0.0, 1.0])
    empty = releasing / (1.0 - RELEASED_BAR / largest_bar)
    return Cylinder(name, two * filling / FILLED, two, two * empty, 1.0 - two, float(filling), float(releasing))


def exponential_cylinder(name, filling, releasing, largest_bar=3.8):
    """1 - exp(-t/c) and exp(-t/c) with the same two times; neither end is ever quite reached."""
    check_times(name, filling, releasing, largest_bar)
    two = np.array([0.0, 1.0])
    constants = filling / np.log(1.0 / (1.0 - FILLED)), releasing / np.log(largest_bar / RELEASED_BAR)
    return Cylinder(name, two, two, two, 1.0 - two, float(filling), float(releasing), *map(float, constants))


def table_cylinder(name, fill, release):
    """Curves by points.

    Parameters
    ----------
    fill, release : (k, 2) float [s, bar]   from empty to the largest pressure, and back to 0; times from 0

    Raises
    ------
    ScenarioError   a table that does not rise or fall strictly, or does not begin or end where it must
    """
    fill, release = np.asarray(fill, dtype=float), np.asarray(release, dtype=float)
    for label, table, first in (("fill", fill, "rise"), ("release", release, "fall")):
        where = f"cylinder '{name}', {label} table"
        if table.ndim != 2 or table.shape[1] != 2 or len(table) < 2 or not np.all(np.isfinite(table)):
            raise ScenarioError(f"{where} must have two rows or more of time [s] and pressure [bar]")
        change = np.diff(table[:, 1]) * (1.0 if first == "rise" else -1.0)
        steps = np.diff(table[:, 0])
        for what, bad in (("time does not rise", steps <= 0), (f"pressure does not {first}", change <= 0)):
            if np.any(bad):
                row = int(np.argmax(bad)) + 2
                raise ScenarioError(
                    f"{where}: {what} at row {row}: {table[row - 2, 0]:g} s {table[row - 2, 1]:g} bar then "
                    f"{table[row - 1, 0]:g} s {table[row - 1, 1]:g} bar"
                )
        if table[0, 0] != 0.0:
            raise ScenarioError(f"{where}: time must start at 0, got {table[0, 0]:g} s")
    largest = fill[-1, 1]
    for label, came, expected in (
        ("fill table must start at", fill[0, 1], 0.0),
        ("release table must end at", release[-1, 1], 0.0),
        ("release table must start at", release[0, 1], largest),
    ):
        if came != expected:
            raise ScenarioError(f"cylinder '{name}': the {label} {expected:g} bar, got {came:g} bar")
    pressures = fill[:, 1] / largest, release[:, 1] / largest
    filling = float(np.interp(FILLED, pressures[0], fill[:, 0]))
    emptied = min(RELEASED_BAR / largest, 0.5)
    releasing = float(np.interp(-emptied, -pressures[1], release[:, 0]))
    return Cylinder(name, fill[:, 0], pressures[0], release[:, 0], pressures[1], filling, releasing)


def check_times(name, filling, releasing, largest_bar):
    """Refuse times and pressures that give no curve."""
    for label, value in (("filling", filling), ("release", releasing)):
        if not (np.isfinite(value) and value > 0):
            raise ScenarioError(f"cylinder '{name}': {label} time must be > 0, got {value} s")
    if not largest_bar > RELEASED_BAR:
        raise ScenarioError(
            f"cylinder '{name}': largest pressure must be > {RELEASED_BAR} bar, got {largest_bar:g} bar"
        )


def pack_cylinders(kinds):
    """CylinderCurves of a sequence of Cylinder."""
    knots = max([2] + [max(len(c.fill_time), len(c.release_time)) for c in kinds])
    size = max(1, len(kinds))
    curves = CylinderCurves(
        np.full((size, 2), 2, dtype=np.int64),
        np.zeros((size, 2, knots)),
        np.zeros((size, 2, knots)),
        np.zeros((size, 2)),
    )
    for i, c in enumerate(kinds):
        filling = c.fill_time, c.fill_pressure, c.fill_constant
        releasing = c.release_time, c.release_pressure, c.release_constant
        for s, (time, pressure, constant) in enumerate((filling, releasing)):
            n = len(time)
            curves.count[i, s], curves.constant[i, s] = n, constant
            curves.time[i, s, :n], curves.pressure[i, s, :n] = time, pressure
    return curves


@kernel
def follow(p, target, dt, stretch, kind, curves):
    """Pressure after dt on the way to a target, and its rate there.

    Parameters
    ----------
    p, target : floats [-]
    dt : float [s]
    stretch : float [-]     of the curve's time, > 1 far from a source

    Returns
    -------
    p, rate : floats [-, 1/s]
    """
    if p == target:
        return p, 0.0
    side, sign = (0, 1.0) if target > p else (1, -1.0)
    constant = curves.constant[kind, side] * stretch
    if constant > 0.0:
        end = 1.0 if side == 0 else 0.0
        p = end + (p - end) * np.exp(-dt / constant)
        if sign * (p - target) >= 0.0:
            return target, 0.0
        return p, (end - p) / constant
    last = curves.count[kind, side] - 1
    time, pressure = curves.time, curves.pressure
    j = 0
    while j < last - 1 and sign * p >= sign * pressure[kind, side, j + 1]:
        j += 1
    slope = (pressure[kind, side, j + 1] - pressure[kind, side, j]) / (time[kind, side, j + 1] - time[kind, side, j])
    at = time[kind, side, j] + (p - pressure[kind, side, j]) / slope + dt / stretch
    moved = False
    while j < last - 1 and at >= time[kind, side, j + 1]:
        j += 1
        moved = True
    if moved:
        slope = (pressure[kind, side, j + 1] - pressure[kind, side, j]) / (
            time[kind, side, j + 1] - time[kind, side, j]
        )
        p = pressure[kind, side, j] + slope * (at - time[kind, side, j])
    else:
        p += slope * dt / stretch
    if sign * (p - target) >= 0.0:
        return target, 0.0
    return p, slope / stretch
