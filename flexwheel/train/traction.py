"""Traction and dynamic brake of a locomotive by notch and speed, from curves given as data."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.errors import ScenarioError
from flexwheel.train.kernel import kernel


@dataclass(frozen=True)
class TractionCurves:
    """Force of a locomotive for each notch as a function of speed.

    Attributes
    ----------
    speed : (k,) float [m/s]                strictly rising from 0
    traction : (notches + 1, k) float [N]   row n is notch n, row 0 is zero
    brake : (brake_notches + 1, k) float [N] dynamic brake, positive, row 0 is zero
    """

    name: str
    speed: np.ndarray
    traction: np.ndarray
    brake: np.ndarray
    source: str = field(default="", compare=False)


class TractionTables(NamedTuple):
    """Curves of every kind of locomotive, for the kernels. Axes: kind, notch, speed."""

    count: np.ndarray  # (kinds, 3) int   speeds, traction notches, brake notches
    speed: np.ndarray  # (kinds, speeds) [m/s]
    traction: np.ndarray  # (kinds, notches + 1, speeds) [N]
    brake: np.ndarray  # (kinds, notches + 1, speeds) [N]


def adhesion_power_curves(
    name, tractive_effort, power, brake_effort, brake_power, notches=8, top_speed=35.0, brake_fade_speed=2.0
):
    """Curves from a starting effort and a power per notch.

    Traction: min(T_max N/n, P_max (N/n)^2 / v). Dynamic brake: rises linearly from standstill to
    `brake_fade_speed`, then min(B_max N/n, P_B N/n / v).

    Source of the form: Cole, "Longitudinal train dynamics", Handbook of Railway Vehicle Dynamics, 2006.
    """
    corners = [power / tractive_effort, brake_power / brake_effort, brake_fade_speed]
    corners += [n / notches * power / tractive_effort for n in range(1, notches)]
    speed = np.unique(np.concatenate([[0.0], corners, np.linspace(2.0, top_speed, 24)]))
    share = np.arange(notches + 1)[:, None] / notches
    v = np.maximum(speed, 1e-9)
    traction = np.minimum(tractive_effort * share, power * share**2 / v)
    brake = np.minimum(brake_effort * share, brake_power * share / v) * np.minimum(1.0, speed / brake_fade_speed)
    return TractionCurves(name, speed, traction, brake)


def check_traction(curves):
    """Refuse curves that are not functions of notch and speed."""
    where = f"traction '{curves.name}'"
    if np.ndim(curves.speed) != 1 or len(curves.speed) < 2:
        raise ScenarioError(f"{where}: needs at least 2 speeds")
    if curves.speed[0] != 0 or np.any(np.diff(curves.speed) <= 0):
        raise ScenarioError(f"{where}: speeds must rise strictly from 0")
    for label, table in (("traction", curves.traction), ("brake", curves.brake)):
        if np.ndim(table) != 2 or table.shape[1] != len(curves.speed) or len(table) < 2:
            raise ScenarioError(
                f"{where}: {label} curves have shape {np.shape(table)}; expected (notches + 1, {len(curves.speed)})"
            )
        if not np.all(np.isfinite(table)) or np.any(table < 0):
            raise ScenarioError(f"{where}: {label} curves must be numbers >= 0")
        if np.any(table[0] != 0):
            raise ScenarioError(f"{where}: {label} notch 0 must be zero force")


def pack_traction(kinds):
    """Arrays of every kind of locomotive."""
    for curves in kinds:
        check_traction(curves)
    k = max([2] + [len(c.speed) for c in kinds])
    nt = max([2] + [len(c.traction) for c in kinds])
    nb = max([2] + [len(c.brake) for c in kinds])
    size = max(1, len(kinds))
    count = np.full((size, 3), 1, dtype=np.int64)
    speed = np.zeros((size, k))
    speed[:] = np.arange(k)
    count[:, 0] = 2
    traction, brake = np.zeros((size, nt, k)), np.zeros((size, nb, k))
    for i, c in enumerate(kinds):
        n = len(c.speed)
        count[i] = n, len(c.traction) - 1, len(c.brake) - 1
        speed[i, :n] = c.speed
        traction[i, : len(c.traction), :n] = c.traction
        brake[i, : len(c.brake), :n] = c.brake
    return TractionTables(count, speed, traction, brake)


@kernel
def bilinear(level, v, kind, notches, tables, table):
    """Value of one table at a level between notches, with its slopes: (F, dF/dv, dF/dlevel)."""
    n = min(int(level), notches - 1)
    a = level - n
    last = tables.count[kind, 0] - 1
    if v >= tables.speed[kind, last]:
        lo, hi = table[kind, n, last], table[kind, n + 1, last]
        return lo + a * (hi - lo), 0.0, hi - lo
    j = 0
    while v >= tables.speed[kind, j + 1]:
        j += 1
    width = tables.speed[kind, j + 1] - tables.speed[kind, j]
    z = (v - tables.speed[kind, j]) / width
    lo = table[kind, n, j] + z * (table[kind, n, j + 1] - table[kind, n, j])
    hi = table[kind, n + 1, j] + z * (table[kind, n + 1, j + 1] - table[kind, n + 1, j])
    lo_v = (table[kind, n, j + 1] - table[kind, n, j]) / width
    hi_v = (table[kind, n + 1, j + 1] - table[kind, n + 1, j]) / width
    return lo + a * (hi - lo), lo_v + a * (hi_v - lo_v), hi - lo


@kernel
def locomotive_force(level, v, kind, tables):
    """Traction (level > 0, along the travel) or dynamic brake (level < 0, size only).

    Parameters
    ----------
    level : float     notch, between notches interpolated; negative is dynamic brake
    v : float [m/s]   speed, size

    Returns
    -------
    F, dF/dv, dF/dlevel : the size of the force and its slopes; for the brake dF/dlevel is per level of brake
    """
    if level >= 0.0:
        top = tables.count[kind, 1]
        return bilinear(min(level, float(top)), v, kind, top, tables, tables.traction)
    top = tables.count[kind, 2]
    return bilinear(min(-level, float(top)), v, kind, top, tables, tables.brake)
