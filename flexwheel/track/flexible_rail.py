"""Flexible rails in the time domain: one step of both rails as four lanes of block-tridiagonal solves.

The effective matrix A = M + gamma dt C + beta dt^2 K of the whole track is constant and factorised before the run.
Between steps the state holds the predicted d and v of the next one: with a the new acceleration v += dt a, then
d += dt v + (gamma - 1/2) dt^2 a is Newmark's whole step, so that nothing else is kept of the past. A step solves
A a = -K d - C v for all four lanes together (2 rails x planes V, L, which fill one SIMD register), from both ends
towards the middle and back. The contact needs that at the wheels only; their forces join the eliminated loads when the
step is finished, and the way back is gone once more. A multistep method predicts from its past values besides.
A moving window keeps the cost independent of the track's length; it is carried forward by whole bays, at rest ahead,
with absorbing layers at both ends. Kernels only; see rail_model for the interface, flexible_build for the set-up.

Source: Friedman-Kosmatka elements (timoshenko.py); Newmark 1959 for the displacement form.
"""

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.track.bed import coupling_load
from flexwheel.track.flexible_chain import eliminate, solve_about_wheels, substitute
from flexwheel.track.flexible_head import FAST, age_loads, lead_velocities, press, project, stands
from flexwheel.track.flexible_loads import eliminate_loads
from flexwheel.track.flexible_motion import move, substitute_and_move
from flexwheel.track.rail_types import LOAD, RESPONSE, WORK, D, V
from flexwheel.track.support_law import correct_supports, predict_corrections


@kernel(fastmath=FAST)
def flexible_predict(model, state, coefficients):
    """Free acceleration of the rails in response, where the wheels are."""
    _begin(model, state)
    _solve(model, state)


@kernel(fastmath=FAST)
def predict_by_laws(model, state, coefficients):
    """`flexible_predict` over supports with force laws."""
    _begin(model, state)
    predict_corrections(model, state)
    _solve(model, state)


@kernel(fastmath=FAST)
def _begin(model, state):
    """Loads of the last step are the old ones, velocities those of the rail."""
    age_loads(state)
    lead_velocities(model, state, 1.0)


@kernel(fastmath=FAST)
def _solve(model, state):
    """Loads eliminated, and accelerations about the wheels."""
    coupling_load(model.coupling, state.sleeper[D], state.sleeper[V], state.sleeper[LOAD])
    eliminate_loads(model, state)
    lead_velocities(model, state, -1.0)
    solve_about_wheels(model, state)


@kernel(fastmath=FAST)
def _predict_from_past(coefficients, d, v, past):
    """Predictor of one field of a multistep method in place, its history (P, 2, ...) moved on by one step."""
    wd, wv = coefficients.displacement_weights, coefficients.velocity_weights
    flat_d, flat_v = d.reshape(d.size), v.reshape(d.size)
    p = past.reshape((past.shape[0], 2, d.size))
    for k in range(flat_d.size):
        d0, v0 = flat_d[k], flat_v[k]
        flat_d[k], flat_v[k] = wd[0, 0] * d0 + wd[0, 1] * v0, wv[0, 0] * d0 + wv[0, 1] * v0
        for i in range(2):
            flat_d[k] += wd[i + 1, 0] * p[i, 0, k] + wd[i + 1, 1] * p[i, 1, k]
            flat_v[k] += wv[i + 1, 0] * p[i, 0, k] + wv[i + 1, 1] * p[i, 1, k]
        p[1, 0, k], p[1, 1, k] = p[0, 0, k], p[0, 1, k]
        p[0, 0, k], p[0, 1, k] = d0, v0


@kernel(fastmath=FAST)
def flexible_finish(model, state, coefficients):
    """New displacements and velocities, or those predicted from them. Returns 0."""
    _press(model, state, state.rail[WORK], state.rail[RESPONSE])
    substitute_and_move(model, state)
    _end(model, state, coefficients)
    return 0


@kernel(fastmath=FAST)
def finish_by_laws(model, state, coefficients):
    """`flexible_finish` over supports with force laws. Returns 0, or 1 if these did not converge."""
    _press(model, state, state.rail[WORK], state.rail[RESPONSE])
    lead_velocities(model, state, 1.0)
    substitute(model, state.rail[WORK], state.rail[RESPONSE], 0, state.rail.shape[1] - 1)
    status = correct_supports(model, state)
    lead_velocities(model, state, -1.0)
    move(model, state)
    _end(model, state, coefficients)
    return status


@kernel(fastmath=FAST)
def _end(model, state, coefficients):
    """What the new forces add to the projection, and the predictor of a multistep method."""
    project(model, state)
    if state.rail_past.shape[0] > 0:
        _predict_from_past(coefficients, state.rail[D], state.rail[V], state.rail_past)
        _predict_from_past(coefficients, state.sleeper[D], state.sleeper[V], state.sleeper_past)


@kernel(fastmath=FAST)
def _press(model, state, y, x):
    """Add the forces of the wheels to the loads y, eliminated in x."""
    middle = y.shape[0] // 2
    first, last = middle, middle
    for w in range(state.push.shape[0]):
        if stands(state, w):
            first, last = min(first, state.seat[0, w]), max(last, state.seat[0, w] + 1)
    size = 16 * (last + 1 - first)
    added, loads = x[first : last + 1].reshape(size), y[first : last + 1].reshape(size)
    for k in range(size):
        added[k] = 0.0
    for w in range(state.push.shape[0]):
        if stands(state, w):
            press(state, w, x)
    eliminate(model, x, first, last)
    for k in range(size):
        loads[k] += added[k]


@kernel
def flexible_shift(model, state, s_front):
    """Carry the window forward until the front wheel is in or behind the front bay; returns the bays moved."""
    if model.front_bay < 0:
        return 0
    bay = int(np.floor(s_front / model.bay)) - state.first_bay[0]
    bays = bay - model.front_bay
    if bays <= 0:
        return 0
    nodes = bays * model.elements
    for q in range(2):
        carry(state.rail[q], nodes)
        carry(state.sleeper[q], bays)
        carry(state.correction[q], bays)
    for i in range(state.rail_past.shape[0]):
        for q in range(2):
            carry(state.rail_past[i, q], nodes)
            carry(state.sleeper_past[i, q], bays)
    for i in range(state.seat.shape[0]):
        for w in range(state.seat.shape[1]):
            state.seat[i, w] -= nodes
    state.first_bay[0] += bays
    return bays


@kernel
def carry(field, rows):
    """Move an (n, k, l) field rows towards its start, at rest at the end."""
    n = field.shape[0]
    for i in range(n):
        for k in range(field.shape[1]):
            for l in range(field.shape[2]):
                field[i, k, l] = field[i + rows, k, l] if i + rows < n else 0.0
