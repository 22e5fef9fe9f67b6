"""Explicit fifth-order step of rigid wheelsets on rails that do not move, on the right-hand side of the implicit one.

Coordinates, velocities and the pistons of series dampers are integrated by the six stages of Dormand and Prince's
fifth-order formula at a fixed step (no error control); the accelerations of a stage follow from the same residual as
the coupled step's, with the inverse mass matrix of each unit and as many corrections as the residual asks for.

Source: Dormand and Prince 1980, J. Comput. Appl. Math. 6, 19-26, table 2 (their fifth-order weights).
Verified in tests/verification/test_manchester_verified.py (the same run as by the implicit step).
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.columns import LAW
from flexwheel.vehicle.elements.force_law import LAWS
from flexwheel.vehicle.step.contact_motion import irregularity_under, profile_motion
from flexwheel.vehicle.step.contact_system import (
    CONVERGED,
    DERAILED,
    DIVERGED,
    NOT_CONVERGED,
    NOT_FINITE,
    call_law,
    failure_of,
    jumped,
)
from flexwheel.vehicle.step.residual import EQUATIONS, MOTION, call_residual
from flexwheel.vehicle.suspension import suspension_rates

STAGES = 6
STAGE = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [1 / 5, 0.0, 0.0, 0.0, 0.0],
        [3 / 40, 9 / 40, 0.0, 0.0, 0.0],
        [44 / 45, -56 / 15, 32 / 9, 0.0, 0.0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    ]
)
WEIGHT = np.array([35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84])
CORRECTIONS = 6
ACCURACY = 1e-9  # [m/s2, rad/s2] of the accelerations


class ExplicitWork(NamedTuple):
    """Stages of one step; row 0 holds the rates at the accepted state."""

    velocity: np.ndarray  # (6, N)
    acceleration: np.ndarray  # (6, N)
    piston_rate: np.ndarray  # (6, E) [m/s]
    position0: np.ndarray  # (N,) at the start of the step
    velocity0: np.ndarray  # (N,)
    piston0: np.ndarray  # (E,) [m]
    fresh: np.ndarray  # (1,) int: 0 until row 0 is filled


def make_explicit_work(model, assembly) -> ExplicitWork:
    """Scratch of the explicit step.

    Raises
    ------
    ScenarioError   a flexible wheelset, or an element whose state no smooth formula integrates, such as dry friction
    """
    if np.any(model.wheelsets.mode_count > 0):
        raise ScenarioError(
            "run.integrator must be 'newmark' for flexible wheelsets, got 'dormand_prince': their modes are far above "
            "what an explicit step can follow"
        )
    rough = {LAWS[place].name for place in model.suspension.integer[:, LAW] if LAWS[place].rate is None}
    if rough:
        raise ScenarioError(
            f"run.integrator = 'dormand_prince': the vehicle has {', '.join(sorted(rough))}s, which stick and slide; "
            "use 'newmark'"
        )
    n, e = assembly.coordinate_count, len(model.suspension.integer)
    z = np.zeros
    return ExplicitWork(z((STAGES, n)), z((STAGES, n)), z((STAGES, e)), z(n), z(n), z(e), np.zeros(1, dtype=np.int64))


@kernel
def contact_forces(law, model, state, contact_work, work):
    """Contact wrenches of all wheels at the present motion into state.wrench. Returns a failure code, 0 if none."""
    for w in range(model.wheelsets.unit.shape[0]):
        s = work.q[model.units.offset[model.wheelsets.unit[w]]]
        irregularity_under(model, work, w, s)
        for side in range(2):
            profile_motion(model, state, w, side, work)
            failed = failure_of(call_law(law, model, w, side, contact_work, work))
            if failed != 0:
                work.culprit[0] = model.units.mass.shape[0] + w
                accepted = work.accepted_pose[w, side]
                if failed == DERAILED and jumped(work.pose[w, side], accepted, model.coefficients.dt):
                    return DIVERGED
                return failed
            for c in range(6):
                state.wrench[w, side, c] = work.contact_force[w, side, c]
    return 0


@kernel
def stage_rates(entries, model, state, contact_work, work, acceleration, piston_rate):
    """Accelerations and piston rates at work.q, work.qd and the proposed pistons; work.qdd is where to start from.

    Returns a failure code, 0 if none.
    """
    law, residual = entries
    units = model.units
    call_residual(residual, (model, state, work, 0.0, MOTION))
    failed = contact_forces(law, model, state, contact_work, work)
    if failed != 0:
        return failed
    suspension_rates(model.suspension, work.poses, work.spring_state, piston_rate)
    for correction in range(CORRECTIONS):
        parts = EQUATIONS if correction == 0 else MOTION | EQUATIONS
        call_residual(residual, (model, state, work, 0.0, parts))
        largest = 0.0
        for u in range(units.mass.shape[0]):
            o = units.offset[u]
            n = units.offset[u + 1] - o
            for i in range(n):
                change = 0.0
                for j in range(n):
                    change -= work.inverse[u, i, j] * work.residual[o + j]
                work.step[o + i] = change
                largest = max(largest, abs(change))
        for k in range(work.q.shape[0]):
            work.qdd[k] += work.step[k]
        if not np.isfinite(largest):
            return NOT_FINITE
        if largest < ACCURACY:
            break
    for k in range(work.q.shape[0]):
        acceleration[k] = work.qdd[k]
    return 0


@kernel
def explicit_step(entries, model, state, contact_work, work, scratch):
    """Advance everything by one step of the fifth-order formula.

    Parameters
    ----------
    entries : Entry, Entry                             of `law_entry` and `residual_entry`
    model, state, contact_work, work, scratch : handles

    Returns
    -------
    status, evaluations : int, int
    """
    dt = model.coefficients.dt
    n = work.q.shape[0]
    pistons = scratch.piston0.shape[0]
    position0, velocity0, piston0 = scratch.position0, scratch.velocity0, scratch.piston0
    proposed, accepted = work.spring_state.proposed, work.spring_state.accepted
    for k in range(n):
        position0[k] = state.history[0, 0, k]
        velocity0[k] = state.history[0, 1, k]
    for e in range(pistons):
        piston0[e] = accepted[e, 0]
    speed = velocity0[model.units.offset[model.drive.unit]]
    for stage in range(STAGES):
        if stage == 0 and scratch.fresh[0] == 1:
            continue  # known from the end of the last step
        for k in range(n):
            x, v = 0.0, 0.0
            for j in range(stage):
                x += STAGE[stage, j] * scratch.velocity[j, k]
                v += STAGE[stage, j] * scratch.acceleration[j, k]
            work.q[k] = position0[k] + dt * x
            work.qd[k] = velocity0[k] + dt * v
            scratch.velocity[stage, k] = work.qd[k]
        for e in range(pistons):
            x = 0.0
            for j in range(stage):
                x += STAGE[stage, j] * scratch.piston_rate[j, e]
            proposed[e, 0] = piston0[e] + dt * x
        failed = stage_rates(
            entries, model, state, contact_work, work, scratch.acceleration[stage], scratch.piston_rate[stage]
        )
        if failed != 0:
            return failed, stage
    for k in range(n):
        x, v = 0.0, 0.0
        for j in range(STAGES):
            x += WEIGHT[j] * scratch.velocity[j, k]
            v += WEIGHT[j] * scratch.acceleration[j, k]
        work.q[k] = position0[k] + dt * x
        work.qd[k] = velocity0[k] + dt * v
    for e in range(pistons):
        x = 0.0
        for j in range(STAGES):
            x += WEIGHT[j] * scratch.piston_rate[j, e]
        proposed[e, 0] = piston0[e] + dt * x
    state.time[0] += dt
    state.drive_integral[0] += dt * (state.drive_speed[0] - speed)
    failed = stage_rates(entries, model, state, contact_work, work, scratch.acceleration[0], scratch.piston_rate[0])
    if failed != 0:
        return failed, STAGES
    for k in range(n):
        state.history[0, 0, k] = work.q[k]
        state.history[0, 1, k] = work.qd[k]
        state.history[0, 2, k] = work.qdd[k]
        scratch.velocity[0, k] = work.qd[k]
    for e in range(pistons):
        accepted[e, 0] = proposed[e, 0]
    scratch.fresh[0] = 1
    for w in range(work.pose.shape[0]):
        for side in range(2):
            for c in range(6):
                work.accepted_pose[w, side, c] = work.pose[w, side, c]
    return CONVERGED, STAGES


__all__ = ["CONVERGED", "NOT_CONVERGED", "ExplicitWork", "explicit_step", "make_explicit_work"]
