"""Damper, by itself or in series with a spring (Maxwell element).

The piston of a damper in series with a spring is an internal state, integrated exactly for an elongation linear in
time: f' = k x' - (k/c) f (tabulated: implicit midpoint). In linear analysis z' = (k/c) (x - z).
"""

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.axial import AXIAL, along_line, elongation, line, line_row, pull
from flexwheel.vehicle.elements.columns import (
    DAMPER_TABLE,
    DAMPING,
    FORCE_ROW,
    INNER_ROW,
    PRELOAD,
    RATE_ROW,
    SERIES,
    SLIP,
    SLIP_FORCE,
    STORED,
    STROKE_ROW,
)
from flexwheel.vehicle.elements.element_reader import POINTS
from flexwheel.vehicle.elements.force_law import ForceElement, ForceLaw, damper_kinks
from flexwheel.vehicle.force_tables import solve_table, table_slopes, table_tangent


@kernel
def series_force(elements, e, poses, state, applied):
    """Tension of the spring in series, beside the preload."""
    number = elements.number
    arm_a, arm_b, way, x, _ = line(elements, e, poses)
    pull(elements, e, arm_a, arm_b, way, number[e, PRELOAD] + number[e, SERIES] * (x - state.proposed[e, 0]), applied)


@kernel
def series_propose(elements, e, poses, dt, state):
    """Piston and elongation at the end of the step."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    x, _ = elongation(elements, e, poses)
    k = number[e, SERIES]
    piston, before = state.accepted[e, 0], state.accepted[e, 1]
    force = k * (before - piston)
    if dt <= 0.0:
        force = 0.0
    elif integer[e, DAMPER_TABLE] >= 0:
        mean = force + 0.5 * k * (x - before)
        speed = solve_table(tables, integer[e, DAMPER_TABLE], 0.5 * k * dt, mean)
        force += k * (x - before - speed * dt)
    elif number[e, DAMPING] > 0.0:
        c = number[e, DAMPING]
        ratio = k * dt / c
        force = force * np.exp(-ratio) - c * (x - before) / dt * np.expm1(-ratio)
    else:
        force = 0.0
    state.proposed[e, 0] = x - force / k if dt >= 0.0 else piston
    state.proposed[e, 1] = x


@kernel
def series_measure(elements, e, poses, state, record):
    """Record along the line; the piston is the inner state."""
    number = elements.number
    x, rate = elongation(elements, e, poses)
    stretch = x - state.proposed[e, 0]
    force = number[e, SERIES] * stretch
    record[FORCE_ROW, 0], record[STROKE_ROW, 0], record[RATE_ROW, 0] = number[e, PRELOAD] + force, x, rate
    record[INNER_ROW, SLIP], record[INNER_ROW, SLIP_FORCE] = state.proposed[e, 0], force
    record[INNER_ROW, STORED] = 0.5 * force * stretch + number[e, PRELOAD] * x


@kernel
def series_rate(elements, e, poses, state):
    """Speed at which the damper bears the force of its spring."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    x, _ = elongation(elements, e, poses)
    force = number[e, SERIES] * (x - state.proposed[e, 0])
    if integer[e, DAMPER_TABLE] >= 0:
        return solve_table(tables, integer[e, DAMPER_TABLE], 1e-6, force)
    if number[e, DAMPING] > 0.0:
        return force / number[e, DAMPING]
    return 0.0


@kernel
def series_tangent(elements, e, poses, state, weights, rows):
    """One row: the derivative of the step's formula."""
    integer, number, tables = elements.integer, elements.number, elements.tables
    arm_a, arm_b, way, _, _ = line(elements, e, poses)
    k, c, dt = number[e, SERIES], number[e, DAMPING], weights.dt
    kappa = 0.0
    if integer[e, DAMPER_TABLE] >= 0:
        speed = (state.proposed[e, 0] - state.accepted[e, 0]) / dt
        own = table_tangent(tables, integer[e, DAMPER_TABLE], speed, weights.stiffest)
        kappa = weights.stiffness * k * own / (own + 0.5 * k * dt)
    elif c > 0.0:
        kappa = weights.stiffness * c / dt * -np.expm1(-k * dt / c)
    line_row(arm_a, arm_b, way, kappa, rows)
    return 1


def rest_damping(elements, e):
    """Damping [N s/m] at rest, of a table the mean of the slopes to both sides."""
    table = elements.integer[e, DAMPER_TABLE]
    return elements.number[e, DAMPING] if table < 0 else np.mean(table_slopes(elements.tables, table, 0.0, 1e-9))


SERIES_DAMPER = ForceLaw(
    "series damper",
    series_force,
    series_tangent,
    series_propose,
    series_rate,
    series_measure,
    linear=lambda law, elements, e, friction: AXIAL if rest_damping(elements, e) == 0.0 else law,
    relaxation=lambda elements, e: elements.number[e, SERIES] / rest_damping(elements, e),
    kinks=lambda elements, e, poses, reach, speed_reach: damper_kinks(elements, e, speed_reach),
    note=lambda elements, rows, poses, friction: (
        f"{len(rows)} dampers in series with a spring, each with a state of its own" if len(rows) else ""
    ),
    without_state=AXIAL,
)


def read_damper(read):
    """Fields of a damper."""
    table = read.table("force_table", "velocity_m_per_s", increasing=True)
    read.not_beside_table(table, "damping_n_s_per_m")
    damping = 0.0 if table is not None else read.number("damping_n_s_per_m")
    series = 0.0
    if "series_stiffness_n_per_m" in read.mapping:
        series = read.number("series_stiffness_n_per_m", positive=True)
    return dict(
        law=SERIES_DAMPER if series > 0 else AXIAL,
        damping=(damping, 0.0, 0.0),
        series=series,
        damper_table=table,
        preload=(read.number("preload_n", 0.0, signed=True), 0.0, 0.0),
    )


DAMPER = ForceElement(
    "damper",
    POINTS | {"damping_n_s_per_m", "force_table", "series_stiffness_n_per_m", "preload_n"},
    read_damper,
    along_line,
)
