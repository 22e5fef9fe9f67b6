"""Static equilibrium of the vehicle on straight track before a run.

Unknowns are all coordinates but the arc length of the reference body and the spins, and the contact wrenches.
Friction is left out: creep forces build up in the first millimetres of the run.
"""

from __future__ import annotations

import numpy as np

from flexwheel.bodies.suspension import suspension_propose
from flexwheel.contact.wheel_rail import wheel_rail_contact
from flexwheel.dynamics.contact_motion import flip, profile_motion
from flexwheel.dynamics.model import LAGRANGIAN
from flexwheel.dynamics.residual import evaluate, update_motion
from flexwheel.errors import ConvergenceError

NO_FRICTION = 1e-9


def contact_forces(model, state, work, contact_work, rail_compliance):
    """Contact wrenches (W, 2, 6) at the present iterate, rails deflected by `state.wrench` through their static
    compliance (4, 4)."""
    forces = np.zeros_like(state.wrench)
    count = forces.shape[0]
    for w in range(count):
        for side in range(2):
            wrench = state.wrench[w, side]
            load = -np.array([wrench[0], wrench[1], wrench[2], wrench[3]])
            work.rail[w, side, 0] = rail_compliance @ load
            work.rail[w, side, 1:] = 0.0
            work.irregularity[w, side] = 0.0
            profile_motion(model, state, w, side, work)
            status, count = wheel_rail_contact(
                model.contact,
                model.wheelsets.radius[w],
                work.pose[w, side],
                work.rate[w, side],
                work.gap_rate[w, side, 1:4],
                model.speed,
                contact_work,
                work.patches[w, side],
                work.contact_force[w, side],
                work.jac_pose[side],
                work.jac_rate[side],
            )
            work.patch_count[w, side] = count
            if status != 0:
                raise ConvergenceError(f"static equilibrium: wheel {side} of wheelset {w} is off its rail")
            forces[w, side] = work.contact_force[w, side]
            if side == 1:
                flip(forces[w, side])
    return forces


def sink_into_contact(model, state, work, contact_work, q, v, rail_compliance):
    """Lower every wheelset (in q) until both its wheels bear something like their share of the weight."""
    share = state.wrench[:, :, 2].mean()
    for _ in range(200):
        work.q[:], work.qd[:], work.qdd[:] = q, v, 0.0
        update_motion(model, work)
        forces = contact_forces(model, state, work, contact_work, rail_compliance)
        light = forces[:, :, 2].min(axis=1) < 0.3 * share
        if not np.any(light):
            return
        for w in np.flatnonzero(light):
            q[model.units.offset[model.wheelsets.unit[w]] + 2] -= 2e-5
    raise ConvergenceError("static equilibrium: no contact within 4 mm below the nominal place of the wheels")


def static_equilibrium(
    model, assembly, state, work, contact_work, rail_compliance, iterations=60, tolerance=1e-3
):
    """Bring `state` to rest under gravity at its present arc length and speed.

    Parameters
    ----------
    rail_compliance : (4, 4) [m/N ...]   static, of the rail head under one wheel
    tolerance : float [N, N m]           on every equation of motion

    Returns
    -------
    wrench : (W, 2, 6)   contact wrenches, also in state.wrench

    Raises
    ------
    ConvergenceError
    """
    model = model._replace(contact=model.contact._replace(friction=NO_FRICTION))
    offset = model.units.offset
    q = state.history[0, 0].copy()
    v = state.history[0, 1].copy()
    free = np.ones(len(q), dtype=bool)
    free[offset[0]] = False
    for w, u in enumerate(model.wheelsets.unit):
        free[offset[u] + 5] = False
        if model.wheelsets.mesh_mode[w] != LAGRANGIAN:
            state.spin_reference[w] = q[offset[u] + 5]
    index = np.flatnonzero(free)
    shape = state.wrench.shape
    load = sum(model.units.mass) + np.sum(model.wheelsets.box_mass)
    state.wrench[:, :, 2] = load * model.gravity / (shape[0] * 2)

    def equations(z):
        work.q[:] = q
        work.q[index] = z[: len(index)]
        work.qd[:] = v
        work.qdd[:] = 0.0
        state.wrench[:] = z[len(index) :].reshape(shape)
        update_motion(model, work)
        suspension_propose(
            model.suspension,
            work.pose_position,
            work.pose_rotation,
            work.pose_velocity,
            work.pose_omega,
            0.0,
            work.spring_state,
        )
        evaluate(model, state, work)
        forces = contact_forces(model, state, work, contact_work, rail_compliance)
        return np.concatenate([work.residual[index], (forces - state.wrench).ravel()])

    sink_into_contact(model, state, work, contact_work, q, v, rail_compliance)
    z = np.concatenate([q[index], state.wrench.ravel()])
    scale = np.concatenate([np.full(len(index), 1e-7), np.full(state.wrench.size, 1.0)])
    residual = equations(z)
    for _ in range(iterations):
        worst = np.max(np.abs(residual))
        if worst < tolerance:
            break
        jacobian = np.empty((len(z), len(z)))
        for k in range(len(z)):
            trial = z.copy()
            trial[k] += scale[k]
            jacobian[:, k] = (equations(trial) - residual) / scale[k]
        weight = 1.0 / np.maximum(np.max(np.abs(jacobian), axis=1), 1e-12)
        change = np.linalg.lstsq(jacobian * weight[:, None], -residual * weight, rcond=1e-13)[0]
        step = 1.0
        for _ in range(12):
            trial = z + step * change
            try:
                found = equations(trial)
            except ConvergenceError:
                step *= 0.5
                continue
            if (
                np.linalg.norm(found * weight) < (1.0 - 0.1 * step) * np.linalg.norm(residual * weight)
                or step < 1e-3
            ):
                break
            step *= 0.5
        z, residual = trial, found
    else:
        raise ConvergenceError(
            f"no static equilibrium after {iterations} iterations; largest force out of balance {worst:.3g} N"
        )
    equations(z)
    state.history[0, 0, index] = z[: len(index)]
    return state.wrench
