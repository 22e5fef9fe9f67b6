"""RODAS3, and one step of a train by it: linearly implicit, four stages, order 3, stiffly accurate.

Stage i solves (1/(h gamma) - J) U_i = f(t + alpha_i h, y + sum a_ij U_j) + sum c_ij/h U_j + h gamma_i df/dt;
y_new = y + 2 U_1 + U_3 + U_4; the error estimate, of an embedded method of order 2, is U_4.

The deflections are eliminated from each stage, so that one symmetric tridiagonal matrix of the speeds remains. Where
bodies host force elements, the elements are condensed to their ends, the bodies solved, the elements expanded.

Source: Sandu, Verwer, Blom, Spee, Carmichael, Potra, Atmospheric Environment 31 (1997) 3459-3472, in the form of
Hairer and Wanner, Solving Ordinary Differential Equations II, eq (IV.7.25).
Order verified in tests/systems/train/test_train_integrator_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.bodies import Bodies, evaluate_all
from flexwheel.systems.train.external import cylinders
from flexwheel.systems.train.hidden_vehicles import condense, expand_stage, reduce_stage
from flexwheel.systems.train.relative_equations import Instant, Rates, State, new_instant, new_rates, new_state, sizes
from flexwheel.systems.train.tridiagonal import factor, solve

GAMMA = 0.5
# (stage) alpha: 0, 0, 1, 1; gamma_i: 1/2, 3/2, 0, 0
GAMMA_1, GAMMA_2 = 0.5, 1.5
# stage 3: y + 2 U_1; stage 4: y + 2 U_1 + U_3; f of stages 1 and 2 is the same
# c: stage 2: 4 U_1; stage 3: U_1 - U_2; stage 4: U_1 - U_2 - 8/3 U_3
C_21 = 4.0
C_43 = -8.0 / 3.0

X_SCALE, V_SCALE, FORCE_SCALE = 0.05, 1.0, 2e6
"""[m], [m/s], [N]: what a tolerance of 1 allows as the local error of a step."""


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


class TrainMotion(NamedTuple):
    """All that moves in a run: bodies, the step from begin to end, and its scratch."""

    bodies: Bodies  # none for a train by itself
    begin: Instant
    end: Instant
    middle: State  # of the energy ledger
    stages: Stages


def new_motion(chain, bodies):
    """Motion of a chain, at rest, with its bodies."""
    n, g, m = sizes(chain)
    z = np.zeros
    right_sides = (z((4, g)), z((4, g)), z((4, m)), z(g), z(m), *(z(g) for _ in range(4)))
    stages = Stages(*right_sides, new_rates(chain))
    return TrainMotion(bodies, new_instant(chain), new_instant(chain), new_state(chain), stages)


@kernel
def stage_matrix(h, state, rates, chain, stages):
    """Tridiagonal matrix of the speeds for a step h: M/(h gamma) - dQ/dv + couplings, held groups cut out."""
    hg = GAMMA * h
    above = 0.0
    groups = state.v.shape[0]
    for g in range(groups):
        z = rates.k[g] * hg + rates.c[g]
        stages.diagonal[g] = chain.group_mass[g] / hg - rates.slope[g] + above + z  # 002 (2)
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
    cylinders(t, t + h, state, commands, chain, trial)
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
def rodas3_step(t, h, motion, controls, chain, tolerance):
    """One trial step of a whole train, or of bodies and elements.

    Parameters
    ----------
    motion : TrainMotion    begin at t, with the derivatives k, c, slope, rate; its end receives the state at t + h

    Returns
    -------
    error : float    largest component of the embedded estimate against its scale; accept when <= 1
    """
    bodies, stages = motion.bodies, motion.stages
    state, rates, trial = motion.begin.state, motion.begin.rates, motion.end.state
    count, groups = bodies.s.shape[0], state.v.shape[0]
    start = chain.piece[0]  # a plain 0 would compile factor and solve once more for it
    begin_step(t, h, state, trial, controls.commands, chain)
    stage_matrix(h, state, rates, chain, stages)
    if count > 0:
        condense(chain, stages, bodies.front, bodies.rear, bodies.diagonal, bodies.off)
        factor(start, count, bodies.diagonal, bodies.off, bodies.ratio)
    else:
        factor(start, groups, stages.diagonal, stages.off, stages.ratio)
    for i in range(5):
        if i >= 2:
            stage_state(i, state, trial, stages)
        if i == 4:
            break
        if i >= 2:
            evaluate_all(t + h, bodies, trial, controls, chain, stages.rates)
        stage_right_side(i, h, state, trial, rates, chain, stages)
        if count > 0:
            reduce_stage(chain, stages, bodies.r)
            solve(start, count, bodies.diagonal, bodies.off, bodies.ratio, bodies.r)
            expand_stage(bodies.r, chain, stages, bodies.front, bodies.rear)
        else:
            solve(start, groups, stages.diagonal, stages.off, stages.ratio, stages.r)
        keep_stage(i, h, chain, stages)
    return step_error(stages, rates, chain, tolerance)
