"""Tabulated force laws: piecewise linear, continued by the end slopes."""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel


class ForceTables(NamedTuple):
    """All tables of a model behind one another."""

    first: np.ndarray  # (T,) first row of each table
    count: np.ndarray  # (T,) rows, >= 2
    x: np.ndarray  # (R,) displacement [m, rad] or velocity [m/s, rad/s], ascending within a table
    force: np.ndarray  # (R,) [N, N m]


def make_tables(tables) -> ForceTables:
    """Pack a list of (x, force) pairs of arrays."""
    count = np.array([len(x) for x, _ in tables], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(count)])[: len(count)].astype(np.int64)
    x = np.concatenate([np.empty(0)] + [np.asarray(x, dtype=float) for x, _ in tables])
    force = np.concatenate([np.empty(0)] + [np.asarray(f, dtype=float) for _, f in tables])
    return ForceTables(first, count, x, force)


def check_table(x, force, where, increasing):
    """Refuse a table that is not a law; returns it as two arrays.

    increasing: True where the force may never fall with x (dampers), or the law would feed energy in.
    """
    try:
        x, force = np.asarray(x, dtype=float), np.asarray(force, dtype=float)
    except (TypeError, ValueError) as error:
        raise ScenarioError(f"{where}: table of numbers expected, got {x!r} and {force!r}") from error
    if x.ndim != 1 or x.shape != force.shape or len(x) < 2:
        raise ScenarioError(
            f"{where}: two columns of equal length >= 2 expected, got shapes {x.shape} and {force.shape}"
        )
    if not (np.isfinite(x).all() and np.isfinite(force).all()):
        raise ScenarioError(f"{where}: table holds a value that is not finite")
    if not (np.diff(x) > 0).all():
        raise ScenarioError(f"{where}: first column must ascend, got {x.tolist()}")
    if increasing and (np.diff(force) < 0).any():
        raise ScenarioError(f"{where}: force must not fall with velocity, got {force.tolist()}")
    if increasing and (np.interp(0.0, x, force) * 1.0 != 0.0 or x[0] > 0 or x[-1] < 0):
        raise ScenarioError(f"{where}: a damper has no force at rest; table gives {np.interp(0.0, x, force)} N")
    return x, force


@kernel
def table_force(tables, t, x):
    """Force of table t at x, and its slope."""
    first, last = tables.first[t], tables.first[t] + tables.count[t] - 1
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if x < tables.x[middle]:
            high = middle
        else:
            low = middle
    slope = (tables.force[high] - tables.force[low]) / (tables.x[high] - tables.x[low])
    return tables.force[low] + slope * (x - tables.x[low]), slope


@kernel
def table_work(tables, t, x):
    """Integral of table t from 0 to x: energy stored [J] where x is a displacement."""
    first, last = tables.first[t], tables.first[t] + tables.count[t] - 1
    sign, low, high = (1.0, 0.0, x) if x >= 0.0 else (-1.0, x, 0.0)
    work = 0.0
    for k in range(first, last):
        start = low if k == first else max(low, tables.x[k])
        end = high if k == last - 1 else min(high, tables.x[k + 1])
        if end > start:
            slope = (tables.force[k + 1] - tables.force[k]) / (tables.x[k + 1] - tables.x[k])
            work += (tables.force[k] + slope * (0.5 * (start + end) - tables.x[k])) * (end - start)
    return sign * work


@kernel
def solve_table(tables, t, slope, target):
    """The x at which force(x) + slope * x = target; the force must not fall with x and slope must be
    positive."""
    first, last = tables.first[t], tables.first[t] + tables.count[t] - 1
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if target < tables.force[middle] + slope * tables.x[middle]:
            high = middle
        else:
            low = middle
    own = (tables.force[high] - tables.force[low]) / (tables.x[high] - tables.x[low])
    return tables.x[low] + (target - tables.force[low] - slope * tables.x[low]) / (own + slope)


@kernel
def table_tangent(tables, t, x, stiffest):
    """Slope of table t at x, or its steepest (stiffest > 0); never negative."""
    if stiffest == 0.0:
        return max(0.0, table_force(tables, t, x)[1])
    steepest = 0.0
    for k in range(tables.first[t] + 1, tables.first[t] + tables.count[t]):
        steepest = max(steepest, (tables.force[k] - tables.force[k - 1]) / (tables.x[k] - tables.x[k - 1]))
    return steepest


def table_slopes(tables, table, x, reach):
    """Slopes of a table below and above x, at a distance `reach`."""
    return tuple(table_force.py_func(tables, table, x + side * reach)[1] for side in (-1.0, 1.0))
