"""Equations of motion of a train in relative coordinates, and one RODAS3 step of them.

Unknowns: deflections x of the couplings between groups, speeds v of the groups, position s0 of the first
vehicle. Relative coordinates do not lose digits after 50 km. Deflections are eliminated from each stage, so that
one symmetric tridiagonal matrix of the speeds remains.

The arrays may hold several pieces of a train one behind the other (see train.Chain). No coupling joins them, so the
same loops serve one train and any number of force elements; only the factorization is told where to stop.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.kernels import kernel
from flexwheel.train.coupler_force import coupler_force
from flexwheel.train.external import cylinders, external_forces
from flexwheel.train.rodas3 import C_21, C_43, GAMMA, GAMMA_1, GAMMA_2
from flexwheel.train.tridiagonal import factor, solve

X_SCALE, V_SCALE, FORCE_SCALE = 0.05, 1.0, 2e6
"""[m], [m/s], [N]: what a tolerance of 1 allows as the local error of a step."""


class State(NamedTuple):
    """All that moves: n vehicles, g groups, m pieces."""

    x: np.ndarray  # (g,) [m]         deflection of the coupling behind each group
    v: np.ndarray  # (g,) [m/s]
    s0: np.ndarray  # (m,) [m]        first vehicle of each piece
    direction: np.ndarray  # (g,)     +1, -1, 0 held
    p: np.ndarray  # (n,) [-]         cylinder pressures
    seen: np.ndarray  # (n,) int      brake commands arrived
    p_rate: np.ndarray  # (n,) [1/s]
    hint: np.ndarray  # (n,) int      interval of the route


class Rates(NamedTuple):
    """Forces and accelerations at one state."""

    a: np.ndarray  # (g,) [m/s2]
    coupler: np.ndarray  # (g,) [N]    coupling behind each group, draft positive
    k: np.ndarray  # (g,) [N/m]
    c: np.ndarray  # (g,) [N s/m]
    external: np.ndarray  # (g,) [N]
    slope: np.ndarray  # (g,) [N s/m]
    rate: np.ndarray  # (g,) [N/s]
    hold: np.ndarray  # (g,) [N]
    q: np.ndarray  # (n,) [N]         external force of each vehicle


class Stages(NamedTuple):
    """Scratch of a step."""

    ux: np.ndarray  # (4, g)       stage vectors
    uv: np.ndarray  # (4, g)
    us: np.ndarray  # (4, m)
    fx: np.ndarray  # (g,)         right-hand sides
    fs: np.ndarray  # (m,)
    r: np.ndarray  # (g,)
    diagonal: np.ndarray  # (g,)   stage matrix, then its factors
    off: np.ndarray  # (g,)
    ratio: np.ndarray  # (g,)
    rates: Rates


def sizes(chain):
    """Vehicles, groups and pieces of a chain."""
    return len(chain.mass), len(chain.group_mass), len(chain.piece) - 1


def new_state(chain):
    """Zero state of a chain."""
    n, g, m = sizes(chain)
    whole = [np.zeros(n, dtype=np.int64) for _ in range(2)]
    return State(np.zeros(g), np.zeros(g), np.zeros(m), np.zeros(g), np.zeros(n), whole[0], np.zeros(n), whole[1])


def new_rates(chain):
    """Empty rates of a chain."""
    n, g, _ = sizes(chain)
    return Rates(*(np.zeros(g) for _ in range(8)), np.zeros(n))


def new_stages(chain):
    """Scratch of a chain."""
    _, g, m = sizes(chain)
    return Stages(
        np.zeros((4, g)),
        np.zeros((4, g)),
        np.zeros((4, m)),
        np.zeros(g),
        np.zeros(m),
        *(np.zeros(g) for _ in range(4)),
        new_rates(chain),
    )


@kernel
def evaluate(t, state, level, tick, chain, rates):
    """Coupler forces, external forces and accelerations; fills rates.

    Groups that ride with a body get the acceleration they would have without the rest of the body.
    """
    external_forces(
        t,
        state,
        level,
        tick,
        chain,
        rates.q,
        rates.external,
        rates.slope,
        rates.rate,
        rates.hold,
    )
    ahead = 0.0
    for g in range(state.v.shape[0]):
        behind = 0.0
        if chain.kind[g] >= 0:
            behind, rates.k[g], rates.c[g] = coupler_force(
                state.x[g], state.v[g] - state.v[g + 1], chain.kind[g], chain.couplers
            )
        rates.coupler[g] = behind
        rates.a[g] = 0.0
        if state.direction[g] != 0.0 and chain.group_mass[g] > 0.0:
            rates.a[g] = (rates.external[g] + ahead - behind) / chain.group_mass[g]  # (5)
        ahead = behind


@kernel
def stage_matrix(h, state, rates, chain, stages):
    """Tridiagonal matrix of the speeds for a step h: M/(h gamma) - dQ/dv + couplings, held groups cut out."""
    hg = GAMMA * h
    above = 0.0
    groups = state.v.shape[0]
    for g in range(groups):
        z = rates.k[g] * hg + rates.c[g]
        stages.diagonal[g] = chain.group_mass[g] / hg - rates.slope[g] + above + z
        stages.off[g] = -z
        above = z
    for g in range(groups):
        if state.direction[g] == 0.0:
            stages.diagonal[g] = 1.0
            stages.off[g] = 0.0
            if g > 0:
                stages.off[g - 1] = 0.0


@kernel
def begin_step(t, h, state, trial, commands, chain):
    """Cylinder pressures at the end of a step, and what does not change within it."""
    cylinders(state.p, state.seen, t, t + h, chain, commands, trial.p, trial.seen, trial.p_rate)
    for g in range(state.v.shape[0]):
        trial.direction[g] = state.direction[g]
    for i in range(state.hint.shape[0]):
        trial.hint[i] = state.hint[i]


@kernel
def stage_state(i, state, trial, stages):
    """State at which stage i is evaluated (2, 3), or the state after the step (4)."""
    ux, uv, us = stages.ux, stages.uv, stages.us
    if i == 2:
        for g in range(state.v.shape[0]):
            trial.x[g] = state.x[g] + 2.0 * ux[0, g]
            trial.v[g] = state.v[g] + 2.0 * uv[0, g]
        for e in range(state.s0.shape[0]):
            trial.s0[e] = state.s0[e] + 2.0 * us[0, e]
        return
    for g in range(state.v.shape[0]):
        trial.x[g] += ux[i - 1, g]
        trial.v[g] += uv[i - 1, g]
    for e in range(state.s0.shape[0]):
        trial.s0[e] += us[i - 1, e]


@kernel
def stage_right_side(i, h, state, trial, rates, chain, stages):
    """Right-hand sides of stage i: stages.fx (deflections), stages.r (speeds, times mass), stages.fs (position).

    The deflections are eliminated from stages.r; held groups get none.
    """
    ux, uv, us = stages.ux, stages.uv, stages.us
    mass, fx, r = chain.group_mass, stages.fx, stages.r
    groups, pieces = state.v.shape[0], state.s0.shape[0]
    if i < 2:
        c = 0.0 if i == 0 else C_21 / h
        d = h * (GAMMA_1 if i == 0 else GAMMA_2)
        for g in range(groups - 1):
            fx[g] = state.v[g] - state.v[g + 1] + c * ux[0, g]
        for g in range(groups):
            r[g] = mass[g] * (rates.a[g] + c * uv[0, g]) + d * rates.rate[g]
        for e in range(pieces):
            stages.fs[e] = state.v[chain.piece[e]] + c * us[0, e]
    else:
        c = 1.0 / h
        d = 0.0 if i == 2 else C_43 / h
        a = stages.rates.a
        for g in range(groups - 1):
            fx[g] = trial.v[g] - trial.v[g + 1] + c * (ux[0, g] - ux[1, g]) + d * ux[2, g]
        for g in range(groups):
            r[g] = mass[g] * (a[g] + c * (uv[0, g] - uv[1, g]) + d * uv[2, g])
        for e in range(pieces):
            stages.fs[e] = trial.v[chain.piece[e]] + c * (us[0, e] - us[1, e]) + d * us[2, e]
    hg = GAMMA * h
    above = 0.0
    for g in range(groups):
        z = rates.k[g] * hg * fx[g]
        r[g] += above - z
        above = z
        if state.direction[g] == 0.0:
            r[g] = 0.0


@kernel
def keep_stage(i, h, chain, stages):
    """Stage vectors from the solved speeds in stages.r."""
    hg = GAMMA * h
    groups = stages.r.shape[0]
    for g in range(groups):
        stages.uv[i, g] = stages.r[g]
    for g in range(groups - 1):
        stages.ux[i, g] = (stages.fx[g] + stages.r[g] - stages.r[g + 1]) * hg
    for e in range(stages.fs.shape[0]):
        stages.us[i, e] = (stages.fs[e] + stages.r[chain.piece[e]]) * hg


@kernel
def step_error(stages, rates, chain, tolerance):
    """Largest component of the embedded error estimate, of speeds, deflections and coupler forces, against its scale.

    A speed within its scale may still be a large force where a coupling creeps: dF/dw is 30 kN per mm/s there.
    """
    v_scale, x_scale, force_scale = tolerance * V_SCALE, tolerance * X_SCALE, tolerance * FORCE_SCALE
    error = 0.0
    groups = stages.r.shape[0]
    for g in range(groups):
        error = max(error, abs(stages.uv[3, g]) / v_scale)
        error = max(error, abs(stages.ux[3, g]) / x_scale)
        if chain.kind[g] >= 0:
            rate = stages.uv[3, g] - stages.uv[3, g + 1]
            error = max(error, abs(rates.k[g] * stages.ux[3, g] + rates.c[g] * rate) / force_scale)
    return error


@kernel
def rodas3_step(t, h, state, rates, trial, level, tick, commands, chain, stages, tolerance):
    """One trial step of a whole train.

    Parameters
    ----------
    state, rates : at t, with the derivatives k, c, slope, rate
    trial : State    receives the state at t + h

    Returns
    -------
    error : float    largest component of the embedded estimate against its scale; accept when <= 1
    """
    groups = state.v.shape[0]
    start = chain.piece[0]  # a plain 0 would compile factor and solve once more for it
    begin_step(t, h, state, trial, commands, chain)
    stage_matrix(h, state, rates, chain, stages)
    factor(start, groups, stages.diagonal, stages.off, stages.ratio)
    for i in range(5):
        if i >= 2:
            stage_state(i, state, trial, stages)
        if i == 4:
            break
        if i >= 2:
            evaluate(t + h, trial, level, tick, chain, stages.rates)
        stage_right_side(i, h, state, trial, rates, chain, stages)
        solve(start, groups, stages.diagonal, stages.off, stages.ratio, stages.r)
        keep_stage(i, h, chain, stages)
    return step_error(stages, rates, chain, tolerance)
