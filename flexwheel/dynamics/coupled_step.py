"""One implicit step of vehicle, contact and track together.

Predict; find what the equations of motion still lack (residual); correct the accelerations by the constant iteration
matrix of each unit; solve the contact forces of each wheelset with the compliance of wheelset, rail and truncated
modes; add their effect. Residual, contact law and rail response are all evaluated at the same iterate, so the
converged step satisfies every equation at the new time whatever the iteration matrices.

Source: the scheme of Newmark-type integrators with a reduced contact system; Park 1975 for the paper's integrator.
"""

import numpy as np
from numba import njit

from flexwheel.bodies.suspension import suspension_accept, suspension_propose
from flexwheel.bodies.tread_contact import LEAST_SQUARES
from flexwheel.contact.wheel_rail import FLANGE_CLIMB, LOAD, OFF_PROFILE, X_CONTACT, Y_WHEEL, wheel_rail_contact
from flexwheel.contact.wheel_rail import NOT_FINITE as POSE_NOT_FINITE
from flexwheel.dynamics.contact_motion import flip, profile_motion
from flexwheel.dynamics.iteration_matrix import REFRESH_ANGLE, contact_rows, mesh_angle_of, refresh
from flexwheel.dynamics.model import EULERIAN, LAGRANGIAN
from flexwheel.dynamics.residual import evaluate, update_motion
from flexwheel.dynamics.vectors import solve_in_place
from flexwheel.dynamics.wheelset_rows import contact_point_rows, interpolate_modes, turn_modes
from flexwheel.integration import advance, predict
from flexwheel.track.irregularity import irregularity_at
from flexwheel.track.rail_model import (
    add_rail_force,
    finish,
    predict_and_free,
    rail_compliance_at,
    rail_free_at,
    shift,
)
from flexwheel.track.rail_types import FLEXIBLE

CONVERGED, NOT_CONVERGED, SINGULAR, NOT_FINITE, DERAILED = 0, 1, 2, 3, 4
RESIDUAL_ROWS = (0, 1, 2, 3, 5)  # wrench components that the five profile rows carry


@njit(cache=True)
def coupled_step(model, state, rail_state, contact_work, work, tolerance, limit):
    """Advance everything by one step.

    Parameters
    ----------
    tolerance : float [N]     on the change of every contact force between two iterations
    limit : int               iterations at most

    Returns
    -------
    status, iterations : int, int
    """
    dt = model.coefficients.dt
    begin_step(model, state, rail_state, work)
    status = NOT_CONVERGED
    iteration = 0
    for iteration in range(1, limit + 1):
        update_motion(model, state, work)
        suspension_propose(
            model.suspension,
            work.pose_position,
            work.pose_rotation,
            work.pose_velocity,
            work.pose_omega,
            dt,
            work.spring_state,
        )
        evaluate(model, state, work)
        correct_accelerations(model, work)
        change, failed = solve_contacts(model, state, rail_state, contact_work, work)
        if failed != 0:
            return failed, iteration
        if not np.isfinite(change):
            return NOT_FINITE, iteration
        apply_step(model, work)
        if change < tolerance and iteration > 1:
            status = CONVERGED
            break
    end_step(model, state, rail_state, work)
    return status, iteration


@njit(cache=True)
def begin_step(model, state, rail_state, work):
    """Shift the track window, refer the modes to the mesh's next place, predict, renew iteration matrices."""
    units = model.units
    wheelsets = model.wheelsets
    history = state.history
    coefficients = model.coefficients
    state.time[0] += coefficients.dt
    predict(coefficients, history, work.q, work.qd)
    refer_modes(model, state, work)
    for k in range(work.q.shape[0]):
        work.qdd[k] = history[0, 2, k]
        work.q[k] += coefficients.beta * coefficients.dt**2 * work.qdd[k]
        work.qd[k] += coefficients.gamma * coefficients.dt * work.qdd[k]
    front = -1e300
    for w in range(wheelsets.unit.shape[0]):
        front = max(front, work.q[units.offset[wheelsets.unit[w]]])
    shift(model.rail, rail_state, front)
    predict_and_free(model.rail, rail_state, coefficients)
    state.drive_integral[0] += coefficients.dt * (model.drive.speed - history[0, 1, units.offset[model.drive.unit]])
    for u in range(units.mass.shape[0]):
        w = units.wheelset[u]
        if w < 0:
            continue
        angle = mesh_angle_of(wheelsets, w, work.q[units.offset[u] + 5])
        stale = not abs(angle - state.mesh_angle_of_matrix[w]) < REFRESH_ANGLE
        if stale:
            refresh(model, u, angle, work)
            state.mesh_angle_of_matrix[w] = angle
        if stale or wheelsets.mesh_mode[w] == LAGRANGIAN or wheelsets.distribution[w] != LEAST_SQUARES:
            contact_compliance(model, state, u, w, angle, work)
    for w in range(wheelsets.unit.shape[0]):
        for side in range(2):
            s = work.q[units.offset[wheelsets.unit[w]]]
            irregularity_at(model.irregularity, s, work.wear4, work.wear_slope4)
            work.irregularity[w, side, 0] = work.wear4[2 * side]
            work.irregularity[w, side, 1] = work.wear4[2 * side + 1]
            work.irregularity[w, side, 2] = work.wear_slope4[2 * side]
            work.irregularity[w, side, 3] = work.wear_slope4[2 * side + 1]
            rail_compliance_at(
                model.rail,
                rail_state,
                s,
                side,
                work.rail_compliance[w, side, 0],
                work.rail_compliance[w, side, 1],
            )
            for c in range(4):
                work.rail_force[w, side, c] = 0.0
            add_wheel_to_rail(model, state, rail_state, w, side, s, work)


@njit(cache=True)
def refer_modes(model, state, work):
    """Eulerian variants: refer every stored modal value to the mesh turned back by the predicted spin increment."""
    wheelsets = model.wheelsets
    for w in range(wheelsets.unit.shape[0]):
        h = wheelsets.mode_count[w]
        if wheelsets.mesh_mode[w] == LAGRANGIAN or h == 0:
            continue
        o = model.units.offset[wheelsets.unit[w]]
        spin = work.q[o + 5] + model.coefficients.beta * model.coefficients.dt**2 * state.history[0, 2, o + 5]
        angle = spin - state.spin_reference[w]
        state.spin_reference[w] = spin
        exact = wheelsets.mesh_mode[w] == EULERIAN
        for i in range(model.coefficients.depth):
            for j in range(3):
                if exact:
                    turn_modes(wheelsets, w, angle, state.history[i, j, o + 6 : o + 6 + h])
                else:
                    interpolate_modes(wheelsets, w, angle, state.history[i, j, o + 6 : o + 6 + h], work.modal)
        if exact:
            turn_modes(wheelsets, w, angle, work.q[o + 6 : o + 6 + h])
            turn_modes(wheelsets, w, angle, work.qd[o + 6 : o + 6 + h])
        else:
            interpolate_modes(wheelsets, w, angle, work.q[o + 6 : o + 6 + h], work.modal)
            interpolate_modes(wheelsets, w, angle, work.qd[o + 6 : o + 6 + h], work.modal)


@njit(cache=True)
def correct_accelerations(model, work):
    """work.step = -S^-1 residual, unit by unit."""
    units = model.units
    for u in range(units.mass.shape[0]):
        o = units.offset[u]
        n = units.offset[u + 1] - o
        inverse = work.inverse[u]
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += inverse[i, j] * work.residual[o + j]
            work.step[o + i] = -s


@njit(cache=True)
def solve_contacts(model, state, rail_state, contact_work, work):
    """One Newton step on the contact wrenches of each wheelset; their effect is added to work.step.

    Returns the largest change of a force [N] (moments divided by 0.1 m) and a failure code.
    """
    wheelsets = model.wheelsets
    units = model.units
    dt = model.coefficients.dt
    gd = model.coefficients.gamma * dt
    bd = model.coefficients.beta * dt * dt
    largest = 0.0
    for w in range(wheelsets.unit.shape[0]):
        u = wheelsets.unit[w]
        o = units.offset[u]
        n = units.offset[u + 1] - o
        s_position = work.q[o]
        small, rhs = work.small, work.small_rhs
        for side in range(2):
            rail_free_at(
                model.rail,
                rail_state,
                w,
                s_position,
                side,
                work.rail[w, side, 0],
                work.rail[w, side, 1],
                work.rail[w, side, 2],
            )
            add_local_deflection(model, w, side, work)
            profile_motion(model, state, w, side, work)
        small[:, :] = 0.0
        for c in range(12):
            small[c, c] = 1.0
        for side in range(2):
            failed = contact_law(model, w, side, contact_work, n, o, bd, gd, work)
            if failed != 0:
                return 0.0, failed
            b = 6 * side
            for c in range(6):
                rhs[b + c] = work.contact_force[w, side, c] - state.wrench[w, side, c]
            contact_columns(model, w, side, bd, gd, work, small)
        if solve_in_place(small, rhs, 12) != 0:
            return 0.0, SINGULAR
        for side in range(2):
            b = 6 * side
            for c in range(6):
                change = rhs[b + c]
                state.wrench[w, side, c] += change
                largest = max(largest, abs(change) * (1.0 if c < 3 else 10.0))
            add_wheel_to_rail(model, state, rail_state, w, side, s_position, work)
        for j in range(n):
            s = 0.0
            for c in range(12):
                s += work.sg[w, c, j] * rhs[c]
            work.step[o + j] += s
    return largest, 0


@njit(cache=True)
def contact_compliance(model, state, u, w, angle, work):
    """G S^-1 and G S^-1 G^T of one wheelset: what a contact wrench does to its accelerations and to its profiles."""
    wheelsets = model.wheelsets
    n = model.units.offset[u + 1] - model.units.offset[u]
    g, sg = work.g[w], work.sg[w]
    for side in range(2):
        point = state.contact_point[w, side]
        contact_point_rows(wheelsets, w, side, angle, point, work.tread[w, side], work.tread_slope[w, side])
        contact_rows(wheelsets, w, side, work.shift[w, side], work.tread[w, side], g[6 * side : 6 * side + 6])
    inverse = work.inverse[u]
    for c in range(12):
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += g[c, k] * inverse[k, j]
            sg[c, j] = s
    for c in range(12):
        for e in range(12):
            s = 0.0
            for k in range(n):
                s += sg[c, k] * g[e, k]
            work.x[w, c, e] = s


@njit(cache=True)
def contact_law(model, w, side, contact_work, n, o, bd, gd, work):
    """Contact wrench and its tangents at the corrected iterate (linear in the pending change of accelerations)."""
    pose, rate, gap_rate = work.pose[w, side], work.rate[w, side], work.gap_rate[w, side]
    g = work.g[w, 6 * side : 6 * side + 6]
    for c in range(6):
        s = 0.0
        for j in range(n):
            s += g[c, j] * work.step[o + j]
        sign = -1.0 if side == 1 and (c == 1 or c == 3 or c == 5) else 1.0
        pose[c] += sign * bd * s
        rate[c] += sign * gd * s
        gap_rate[c] += sign * gd * s
    status, count = wheel_rail_contact(
        model.contact,
        model.wheelsets.radius[w],
        pose,
        rate,
        gap_rate[1:4],
        model.speed,
        contact_work,
        work.patches[w, side],
        work.contact_force[w, side],
        work.jac_pose[side],
        work.jac_rate[side],
    )
    work.patch_count[w, side] = count
    if side == 1:
        flip(work.contact_force[w, side])
        for c in range(6):
            for e in range(6):
                if (c % 2 == 1) != (e % 2 == 1):
                    work.jac_pose[side, c, e] = -work.jac_pose[side, c, e]
                    work.jac_rate[side, c, e] = -work.jac_rate[side, c, e]
    if status == POSE_NOT_FINITE:
        return NOT_FINITE
    if status == FLANGE_CLIMB or status == OFF_PROFILE:
        return DERAILED
    return 0


@njit(cache=True)
def contact_columns(model, w, side, bd, gd, work, small):
    """small -= J_pose D + J_rate V for the rows of one wheel; D, V: motion per unit wrench of both wheels."""
    b = 6 * side
    jp, jr = work.jac_pose[side], work.jac_rate[side]
    sd, sv = work.rail_compliance[w, side, 0], work.rail_compliance[w, side, 1]
    residual = model.wheelsets.residual[w, side]
    for c in range(6):
        for e in range(12):
            s = 0.0
            for k in range(6):
                s += (jp[c, k] * bd + jr[c, k] * gd) * work.x[w, b + k, e]
            small[b + c, e] -= s
        # rail: components x, y, z, roll; force on the rail is minus the wrench
        for e in range(4):
            s = 0.0
            for k in range(4):
                s += jp[c, k] * sd[k, e] + jr[c, k] * sv[k, e]
            small[b + c, b + e] -= s
        for e in range(5):
            s = 0.0
            for k in range(1, 5):
                s += jp[c, RESIDUAL_ROWS[k]] * residual[k, e]
            small[b + c, b + RESIDUAL_ROWS[e]] -= s


@njit(cache=True)
def add_local_deflection(model, w, side, work):
    """Static deflection of the rail element that carries the load, clamped at its ends, which no node shows."""
    if model.rail.kind != FLEXIBLE:
        return
    ratio = model.coefficients.beta * model.coefficients.dt / model.coefficients.gamma
    sd, sv = work.rail_compliance[w, side, 0], work.rail_compliance[w, side, 1]
    for c in range(4):
        for e in range(4):
            work.rail[w, side, 0, c] += (sd[c, e] - ratio * sv[c, e]) * work.rail_force[w, side, e]


@njit(cache=True)
def add_wheel_to_rail(model, state, rail_state, w, side, s, work):
    """Bring the force that the rail feels in this step up to the present wrench of one wheel."""
    wrench = state.wrench[w, side]
    force = work.rail_force[w, side]
    change = work.rail_change
    y = work.pose[w, side, 1] * (1.0 if side == 0 else -1.0)
    z = work.pose[w, side, 2]
    for c in range(4):
        change[c] = -wrench[c] - force[c]
    change[3] -= y * wrench[2] - z * wrench[1]  # from the profile origin to the crown
    for c in range(4):
        force[c] += change[c]
    add_rail_force(model.rail, rail_state, w, s, side, change)


@njit(cache=True)
def apply_step(model, work):
    """Add the change of the accelerations to the iterate."""
    dt = model.coefficients.dt
    gd = model.coefficients.gamma * dt
    bd = model.coefficients.beta * dt * dt
    for k in range(work.q.shape[0]):
        work.qdd[k] += work.step[k]
        work.qd[k] += gd * work.step[k]
        work.q[k] += bd * work.step[k]


@njit(cache=True)
def end_step(model, state, rail_state, work):
    """Accept the step."""
    for w in range(model.wheelsets.unit.shape[0]):
        for side in range(2):
            locate_contact(model, state, w, side, work)
    advance(model.coefficients, state.history, work.q, work.qd, work.qdd)
    suspension_accept(work.spring_state)
    finish(model.rail, rail_state, model.coefficients)


@njit(cache=True)
def locate_contact(model, state, w, side, work):
    """Centre of the contact forces of one wheel, from the profile origin; kept while there is no contact."""
    load, x, y = 0.0, 0.0, 0.0
    for p in range(work.patch_count[w, side]):
        share = work.patches[w, side, p, LOAD]
        load += share
        x += share * work.patches[w, side, p, X_CONTACT]
        y += share * work.patches[w, side, p, Y_WHEEL]
    if load <= 0.0:
        return
    y /= load
    wheel = model.contact.wheel
    i = int((y - model.contact.wheel_start) * model.contact.inverse_step)
    i = min(max(i, 0), wheel.shape[0] - 1)
    state.contact_point[w, side, 0] = x / load
    state.contact_point[w, side, 1] = y if side == 0 else -y
    state.contact_point[w, side, 2] = -wheel[i, 0]
