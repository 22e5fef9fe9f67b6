"""Equations of motion of a train in relative coordinates, and one RODAS3 step of them.

Unknowns: deflections x (g - 1,) of the couplings between groups, speeds v (g,) of the groups, position s0 of the
first vehicle. Relative coordinates do not lose digits after 50 km. Deflections are eliminated from each stage, so that one
symmetric tridiagonal matrix of the speeds remains.
"""

from typing import NamedTuple

import numpy as np
from flexwheel.train.kernel import kernel

from flexwheel.train.coupler_force import coupler_force
from flexwheel.train.external import cylinders, external_forces
from flexwheel.train.rodas3 import C_21, C_43, GAMMA, GAMMA_1, GAMMA_2
from flexwheel.train.tridiagonal import factor, solve


class State(NamedTuple):
    """All that moves."""

    x: np.ndarray  # (g - 1,) [m]     deflections
    v: np.ndarray  # (g,) [m/s]
    s0: np.ndarray  # (1,) [m]
    direction: np.ndarray  # (g,)     +1, -1, 0 held
    p: np.ndarray  # (n,) [-]         cylinder pressures
    seen: np.ndarray  # (n,) int      brake commands arrived
    p_rate: np.ndarray  # (n,) [1/s]
    hint: np.ndarray  # (n,) int      interval of the route


class Rates(NamedTuple):
    """Forces and accelerations at one state."""

    a: np.ndarray  # (g,) [m/s2]
    coupler: np.ndarray  # (g - 1,) [N]
    k: np.ndarray  # (g - 1,) [N/m]
    c: np.ndarray  # (g - 1,) [N s/m]
    external: np.ndarray  # (g,) [N]
    slope: np.ndarray  # (g,) [N s/m]
    rate: np.ndarray  # (g,) [N/s]
    hold: np.ndarray  # (g,) [N]
    q: np.ndarray  # (n,) [N]        external force of each vehicle


def new_state(chain):
    """Zero state of a train."""
    g, n = len(chain.group_mass), len(chain.mass)
    return State(
        np.zeros(g - 1),
        np.zeros(g),
        np.zeros(1),
        np.zeros(g),
        np.zeros(n),
        np.zeros(n, dtype=np.int64),
        np.zeros(n),
        np.zeros(n, dtype=np.int64),
    )


def new_rates(chain):
    """Empty rates of a train."""
    g, n = len(chain.group_mass), len(chain.mass)
    return Rates(
        np.zeros(g),
        np.zeros(g - 1),
        np.zeros(g - 1),
        np.zeros(g - 1),
        np.zeros(g),
        np.zeros(g),
        np.zeros(g),
        np.zeros(g),
        np.zeros(n),
    )


class Stages(NamedTuple):
    """Scratch of a step."""

    ux: np.ndarray  # (4, g - 1)
    uv: np.ndarray  # (4, g)
    fx: np.ndarray  # (g - 1,)
    diagonal: np.ndarray  # (g,)
    off: np.ndarray  # (g,)
    ratio: np.ndarray  # (g,)
    r: np.ndarray  # (g,)
    rates: Rates


def new_stages(chain):
    """Scratch of a train."""
    g = len(chain.group_mass)
    return Stages(
        np.zeros((4, g - 1)),
        np.zeros((4, g)),
        np.zeros(g - 1),
        np.zeros(g),
        np.zeros(g),
        np.zeros(g),
        np.zeros(g),
        new_rates(chain),
    )


@kernel
def evaluate(t, state, level, tick, chain, rates):
    """Coupler forces, external forces and accelerations at a state; fills rates."""
    external_forces(
        t,
        state.s0[0],
        state.x,
        state.v,
        state.direction,
        state.p,
        state.p_rate,
        state.hint,
        level,
        tick,
        chain,
        rates.q,
        rates.external,
        rates.slope,
        rates.rate,
        rates.hold,
    )
    groups = state.v.shape[0]
    ahead = 0.0
    for g in range(groups):
        behind = 0.0
        if g < groups - 1:
            behind, rates.k[g], rates.c[g] = coupler_force(
                state.x[g], state.v[g] - state.v[g + 1], chain.kind[g], chain.couplers
            )
            rates.coupler[g] = behind
        rates.a[g] = 0.0
        if state.direction[g] != 0.0:
            rates.a[g] = (rates.external[g] + ahead - behind) / chain.group_mass[g]  # (5)
        ahead = behind


@kernel
def factor_stage_matrix(h, state, rates, chain, stages):
    """Tridiagonal matrix of the speeds for a step h: M/(h gamma) - dQ/dv + couplings, held groups cut out."""
    groups = state.v.shape[0]
    g_h = 1.0 / (GAMMA * h)
    for g in range(groups):
        stages.diagonal[g] = g_h * chain.group_mass[g] - rates.slope[g]
    for g in range(groups - 1):
        z = rates.k[g] / g_h + rates.c[g]
        stages.diagonal[g] += z
        stages.diagonal[g + 1] += z
        stages.off[g] = -z
    for g in range(groups):
        if state.direction[g] == 0.0:
            stages.diagonal[g] = 1.0
            stages.off[g] = 0.0
            if g > 0:
                stages.off[g - 1] = 0.0
    factor(stages.diagonal, stages.off, stages.ratio)


@kernel
def solve_stage(i, h, state, rates, chain, stages):
    """Stage i from its right-hand sides: stages.fx (deflections) and stages.r (speeds times mass)."""
    groups = state.v.shape[0]
    hg = GAMMA * h
    for g in range(groups - 1):
        z = rates.k[g] * hg * stages.fx[g]
        stages.r[g] -= z
        stages.r[g + 1] += z
    for g in range(groups):
        if state.direction[g] == 0.0:
            stages.r[g] = 0.0
    solve(stages.diagonal, stages.off, stages.ratio, stages.r)
    for g in range(groups):
        stages.uv[i, g] = stages.r[g]
    for g in range(groups - 1):
        stages.ux[i, g] = (stages.fx[g] + stages.r[g] - stages.r[g + 1]) * hg


@kernel
def rodas3_step(t, h, state, rates, trial, level, tick, commands, chain, stages, x_scale, v_scale):
    """One trial step.

    Parameters
    ----------
    state, rates : at t, with the derivatives k, c, slope, rate
    trial : State    receives the state at t + h

    Returns
    -------
    error : float    largest component of the embedded estimate against its scale; accept when <= 1
    """
    groups = state.v.shape[0]
    ux, uv, inner = stages.ux, stages.uv, stages.rates
    factor_stage_matrix(h, state, rates, chain, stages)
    cylinders(state.p, state.seen, t, t + h, chain, commands, trial.p, trial.seen, trial.p_rate)
    for g in range(groups):
        trial.direction[g] = state.direction[g]
    for i in range(state.hint.shape[0]):
        trial.hint[i] = state.hint[i]
    mass = chain.group_mass
    for g in range(groups - 1):
        stages.fx[g] = state.v[g] - state.v[g + 1]
    for g in range(groups):
        stages.r[g] = mass[g] * rates.a[g] + h * GAMMA_1 * rates.rate[g]
    solve_stage(0, h, state, rates, chain, stages)
    for g in range(groups - 1):
        stages.fx[g] = state.v[g] - state.v[g + 1] + C_21 / h * ux[0, g]
    for g in range(groups):
        stages.r[g] = mass[g] * (rates.a[g] + C_21 / h * uv[0, g]) + h * GAMMA_2 * rates.rate[g]
    solve_stage(1, h, state, rates, chain, stages)
    for g in range(groups - 1):
        trial.x[g] = state.x[g] + 2.0 * ux[0, g]
    for g in range(groups):
        trial.v[g] = state.v[g] + 2.0 * uv[0, g]
    us0 = GAMMA * h * (state.v[0] + uv[0, 0])
    us1 = GAMMA * h * (state.v[0] + uv[1, 0] + C_21 / h * us0)
    trial.s0[0] = state.s0[0] + 2.0 * us0
    evaluate(t + h, trial, level, tick, chain, inner)
    for g in range(groups - 1):
        stages.fx[g] = trial.v[g] - trial.v[g + 1] + (ux[0, g] - ux[1, g]) / h
    for g in range(groups):
        stages.r[g] = mass[g] * (inner.a[g] + (uv[0, g] - uv[1, g]) / h)
    us2 = trial.v[0] + (us0 - us1) / h
    solve_stage(2, h, state, rates, chain, stages)
    us2 = GAMMA * h * (us2 + uv[2, 0])
    for g in range(groups - 1):
        trial.x[g] += ux[2, g]
    for g in range(groups):
        trial.v[g] += uv[2, g]
    trial.s0[0] += us2
    evaluate(t + h, trial, level, tick, chain, inner)
    for g in range(groups - 1):
        stages.fx[g] = trial.v[g] - trial.v[g + 1] + (ux[0, g] - ux[1, g] + C_43 * ux[2, g]) / h
    for g in range(groups):
        stages.r[g] = mass[g] * (inner.a[g] + (uv[0, g] - uv[1, g] + C_43 * uv[2, g]) / h)
    us3 = trial.v[0] + (us0 - us1 + C_43 * us2) / h
    solve_stage(3, h, state, rates, chain, stages)
    us3 = GAMMA * h * (us3 + uv[3, 0])
    error = 0.0
    for g in range(groups - 1):
        trial.x[g] += ux[3, g]
        error = max(error, abs(ux[3, g]) / x_scale)
    for g in range(groups):
        trial.v[g] += uv[3, g]
        error = max(error, abs(uv[3, g]) / v_scale)
    trial.s0[0] += us3
    return error
