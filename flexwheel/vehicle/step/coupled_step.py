"""One implicit step of vehicle, contact and track together.

Predict; find what the equations of motion still lack (residual); correct the accelerations by the constant iteration
matrix of each unit; solve the contact forces of each wheelset with the compliance of wheelset, rail and truncated
modes; add their effect. Residual, contact law and rail response are all evaluated at the same iterate, so the
converged step satisfies every equation at the new time whatever the iteration matrices.

Source: the scheme of Newmark-type integrators with a reduced contact system; Park 1975 for the paper's integrator.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.integration import advance, predict
from flexwheel.numerics.kernels import Entry, entry, far_call, handle, kernel, types
from flexwheel.track.rail_model import finish, predict_and_free, rail_compliance_at, shift
from flexwheel.vehicle.eulerian_map import interpolate_modes, pair_turns, turn_modes
from flexwheel.vehicle.products import add_columns
from flexwheel.vehicle.step.contact_compliance import call_matrices, matrices_entry
from flexwheel.vehicle.step.contact_motion import irregularity_under
from flexwheel.vehicle.step.contact_system import (
    CONVERGED,
    DERAILED,
    DIVERGED,
    NOT_CONVERGED,
    NOT_FINITE,
    QUICK_STEPS,
    SINGULAR,
    add_wheel_to_rail,
    locate_contact,
    solve_contacts,
)
from flexwheel.vehicle.step.coupling_renewal import call_renewal, renewal_entry
from flexwheel.vehicle.step.iteration_matrix import refresh_entry
from flexwheel.vehicle.step.load_rates import keep_loads
from flexwheel.vehicle.step.measured import accept_measured
from flexwheel.vehicle.step.modal_body import accept_places
from flexwheel.vehicle.step.model import EULERIAN, LAGRANGIAN
from flexwheel.vehicle.step.residual import WHOLE, call_residual, residual_entry
from flexwheel.vehicle.step.suspension_coupling import couple_units
from flexwheel.vehicle.suspension import suspension_accept

__all__ = [
    "CONVERGED", "DERAILED", "DIVERGED", "NOT_CONVERGED", "NOT_FINITE", "SINGULAR", "call_step", "coupled_step",
    "step_entry",
]  # fmt: skip

_DOUBT = 1.02  # growth of the contraction kept from before
BEHIND = 10.0
"""Tolerances by which the patches of a wheel may miss its force: 50 N by default.

Else the contacts are solved again, for one wheel in 9 steps of the AS4, and forces are foreseen in the next step.
Third octaves of its nodes, 5 N against 0.05 N: 0.04 dB with 10 tolerances, and with 100.
"""
_AGAIN = 3  # solutions of the contacts alone at most

_contacts = far_call(solve_contacts, types.Tuple((types.float64, types.int64)))


class StepParts(NamedTuple):
    """Entries of the large kernels of a step."""

    begin: Entry
    matrices: Entry
    refresh: Entry
    residual: Entry
    contacts: Entry
    law: Entry
    renewal: Entry
    end: Entry


def step_entry(law, model, state, rail_state, contact_work, work, stiff):
    """Entry of `coupled_step` for these handles and a `law_entry`, and the handle of its parts; all compiled.

    stiff : bool    `judge_coupling` has taken up an element
    """
    parts = StepParts(
        matrices=matrices_entry(model, state, work),
        renewal=renewal_entry(model, work, stiff),
        residual=residual_entry(model, state, work),
        refresh=refresh_entry(model, work),
        law=law,
        **own_entries(law, model, state, rail_state, contact_work, work),
    )
    return whole_entry(model, state, rail_state, contact_work, work), handle(parts)


def own_entries(law, model, state, rail_state, contact_work, work):
    """Entries of the parts of a step that stand here and of `solve_contacts`, from a `law_entry` and handles."""
    handles = model, state, rail_state, work
    return {
        "begin": entry(begin_step, *handles),
        "contacts": entry(solve_contacts, law, *handles[:3], contact_work, work, 1, -1.0),
        "end": entry(end_step, *handles),
    }


def whole_entry(model, state, rail_state, contact_work, work):
    """Entry of `coupled_step` for these handles."""
    not_yet = handle(StepParts(*[Entry(0, 0)] * len(StepParts._fields)))
    return entry(coupled_step, not_yet, model, state, rail_state, contact_work, work, 1.0, 1)


@kernel
def coupled_step(parts, model, state, rail_state, contact_work, work, tolerance, limit):
    """Advance everything by one step.

    Parameters
    ----------
    parts, model, state, rail_state, contact_work, work : handles
    tolerance : float [N]     on the estimated error of every contact force (moments divided by 0.1 m) and of every
                              unit's inertia force
    limit : int               iterations at most

    Returns
    -------
    status, iterations : int, int
    """
    dt = model.coefficients.dt
    coupling = work.coupling
    _begin(parts.begin, (model, state, rail_state, work))
    call_matrices(parts.matrices, (parts.refresh, model, state, work, 0))
    solve, law, behind = parts.contacts, parts.law, BEHIND * tolerance
    status = NOT_CONVERGED
    iteration, previous = 0, 1e30
    for iteration in range(1, limit + 1):
        call_residual(parts.residual, (model, state, work, dt, WHOLE))
        if coupling.active[0] == 1 and (coupling.stale[0] == 1 or iteration % QUICK_STEPS == 0):
            call_renewal(parts.renewal, (model, work))
            call_matrices(parts.matrices, (parts.refresh, model, state, work, 1))
        correct_accelerations(model, work)
        foreseen = 0.0
        if iteration == 1 and state.contraction[1] > behind:  # so that the law is asked near the end of the step
            foreseen, _ = _contacts(solve, (law, model, state, rail_state, contact_work, work, 0, -1.0))
        change, failed = _contacts(solve, (law, model, state, rail_state, contact_work, work, iteration, -1.0))
        state.contraction[1] = max(change, foreseen) if iteration == 1 else state.contraction[1]
        if failed != 0:
            return failed, iteration
        if not np.isfinite(change):
            blame(model, work)
            return NOT_FINITE, iteration
        change = max(change, inertia_change(model.units, work))
        if coupling.active[0] == 1:
            change = max(change, turning_change(model.units, work))
        # what is still to come, from the rate at which the changes fall; after one change, from the rate seen last,
        # trusted less with every step that did not measure it
        rate = change / previous if iteration > 1 else state.contraction[0]
        previous = change
        settled = change == 0.0 or (rate < 0.9 and change * rate < tolerance * (1.0 - rate))
        for _ in range(_AGAIN * settled):
            more, failed = _contacts(solve, (law, model, state, rail_state, contact_work, work, iteration, behind))
            if failed != 0:
                return failed, iteration
            settled = more < tolerance
            if more == 0.0 or not settled:
                break
        apply_step(model, work)
        if settled:
            status = CONVERGED
            if change > 0.0:
                state.contraction[0] = rate * (1.0 if iteration > 1 else _DOUBT)
            break
        state.contraction[0] = 1.0
    if status == NOT_CONVERGED:
        blame(model, work)
    if _end(parts.end, (model, state, rail_state, work)) != 0:
        status = NOT_CONVERGED
        work.culprit[0] = model.units.mass.shape[0] + model.wheelsets.unit.shape[0]
    if status == NOT_CONVERGED:
        work.failures[work.culprit[0]] += 1
    return status, iteration


call_step = far_call(coupled_step, types.UniTuple(types.int64, 2))


@kernel
def begin_step(model, state, rail_state, work):
    """Shift the track window, refer the modes to the mesh's next place, predict."""
    units = model.units
    wheelsets = model.wheelsets
    history = state.history
    coefficients = model.coefficients
    start = coefficients.start_weights
    state.time[0] += coefficients.dt
    predict(coefficients, history, work.q, work.qd)
    bd = coefficients.beta * coefficients.dt**2
    for k in range(work.q.shape[0]):
        work.q[k] += (bd - work.gain[k]) * history[0, 2, k]
    refer_modes(model, state, work)
    for k in range(work.q.shape[0]):
        work.qdd[k] = start[0] * history[0, 2, k] + start[1] * history[1, 2, k] + start[2] * history[2, 2, k]
        work.q[k] += work.gain[k] * work.qdd[k]
        work.qd[k] += coefficients.gamma * coefficients.dt * work.qdd[k]
    predict_forces(state, start)
    front = -1e300
    for w in range(wheelsets.unit.shape[0]):
        front = max(front, work.q[units.offset[wheelsets.unit[w]]])
    shift(model.rail, rail_state, front)
    predict_and_free(model.rail, rail_state, coefficients)
    state.drive_integral[0] += coefficients.dt * (state.drive_speed[0] - history[0, 1, units.offset[model.drive.unit]])
    follow_profile(model.drive.profile, state, coefficients.dt)
    for w in range(wheelsets.unit.shape[0]):
        s = work.q[units.offset[wheelsets.unit[w]]]
        irregularity_under(model, work, w, s)
        for side in range(2):
            rail_compliance_at(
                model.rail, rail_state, s, side, work.rail_compliance[w, side, 0], work.rail_compliance[w, side, 1]
            )
            for c in range(4):
                work.rail_force[w, side, c] = 0.0
            add_wheel_to_rail(model, state, rail_state, w, side, s, work)


_begin = far_call(begin_step, types.none)


@kernel
def follow_profile(profile, state, dt):
    """Speed held and its rate at the end of a step, by the profile where there is one."""
    held, time, i, last = state.drive_speed, state.time[0], 0, profile.shape[0] - 1
    if last < 0:
        held[0] += dt * held[1]
        return
    while i < last and profile[i + 1, 0] < time:
        i += 1
    held[1] = (profile[i + 1, 1] - profile[i, 1]) / (profile[i + 1, 0] - profile[i, 0]) if i < last else 0.0
    held[0] = profile[i, 1] + held[1] * (time - profile[i, 0])


@kernel
def predict_forces(state, weights):
    """Contact forces to start from: those of the last three steps by their weights."""
    now, past = state.wrench, state.past_wrench
    for w in range(now.shape[0]):
        for side in range(2):
            for c in range(6):
                value, before = now[w, side, c], past[0, w, side, c]
                now[w, side, c] = weights[0] * value + weights[1] * before + weights[2] * past[1, w, side, c]
                past[1, w, side, c] = before
                past[0, w, side, c] = value


@kernel
def refer_modes(model, state, work):
    """Eulerian variants: refer every stored modal value to the mesh turned back by the predicted spin increment."""
    wheelsets = model.wheelsets
    for w in range(wheelsets.unit.shape[0]):
        h = wheelsets.mode_count[w]
        if wheelsets.mesh_mode[w] == LAGRANGIAN or h == 0:
            continue
        o = model.units.offset[wheelsets.unit[w]]
        spin = work.q[o + 5] + work.gain[o + 5] * state.history[0, 2, o + 5]
        angle = spin - state.spin_reference[w]
        state.spin_reference[w] = spin
        if wheelsets.mesh_mode[w] == EULERIAN:
            pair_turns(wheelsets.pair_order[w], angle, work.turn)
        for i in range(state.history.shape[0]):
            for j in range(3):
                refer(wheelsets, w, angle, state.history[i, j, o + 6 : o + 6 + h], work)
        refer(wheelsets, w, angle, work.q[o + 6 : o + 6 + h], work)
        refer(wheelsets, w, angle, work.qd[o + 6 : o + 6 + h], work)


@kernel
def refer(wheelsets, w, angle, values, work):
    """Modal values (H,) of wheelset w on the mesh turned back by `angle` [rad], by its own variant."""
    if wheelsets.mesh_mode[w] == EULERIAN:
        turn_modes(wheelsets.pair[w], work.turn, values)
    else:
        interpolate_modes(wheelsets.sector_map[w], wheelsets.sector_angle[w], angle, values, work.modal)


@kernel
def correct_accelerations(model, work):
    """work.step = -S^-1 residual, unit by unit, then what couples them."""
    units = model.units
    for u in range(units.mass.shape[0]):
        o = units.offset[u]
        n = units.offset[u + 1] - o
        work.step[o : o + n] = 0.0
        add_columns(work.inverse[u], n, work.residual[o : o + n], work.step, o, n)  # which is symmetric
    for k in range(work.step.shape[0]):
        work.step[k] = -work.step[k]
    if work.coupling.active[0] == 1:
        couple_units(model, work)


@kernel
def inertia_change(units, work):
    """Largest change of an inertia force [N] in this iteration, over the centres of all units.

    Stiff joints show here before they reach a contact force.
    """
    largest = 0.0
    for u in range(units.mass.shape[0]):
        for c in range(3):
            largest = max(largest, units.mass[u] * abs(work.step[units.offset[u] + c]))
    return largest


@kernel
def turning_change(units, work):
    """Largest change of an inertia moment, at 1 m [N], over the rotations of all units."""
    largest = 0.0
    for u in range(units.mass.shape[0]):
        for c in range(3):
            axis = (c + 2) % 3  # yaw, roll, spin act about z, x, y
            largest = max(largest, units.inertia[u, axis, axis] * abs(work.step[units.offset[u] + 3 + c]))
    return largest


@kernel
def blame(model, work):
    """Note what changed most in the last iteration: a unit, or the contacts of a wheelset."""
    units = model.units
    worst = -1.0
    for u in range(units.mass.shape[0]):
        o = units.offset[u]
        for c in range(6):
            axis = (c + 2) % 3
            inertia = units.mass[u] if c < 3 else units.inertia[u, axis, axis]
            change = inertia * abs(work.step[o + c])
            if not np.isfinite(change):
                change = 1e300
            if change > worst:
                worst = change
                work.culprit[0] = u
    for w in range(model.wheelsets.unit.shape[0]):
        if work.contact_change[w] > worst:
            worst = work.contact_change[w]
            work.culprit[0] = units.mass.shape[0] + w


@kernel
def apply_step(model, work):
    """Add the change of the accelerations to the iterate."""
    gd = model.coefficients.gamma * model.coefficients.dt
    for k in range(work.q.shape[0]):
        work.qdd[k] += work.step[k]
        work.qd[k] += gd * work.step[k]
        work.q[k] += work.gain[k] * work.step[k]


@kernel
def end_step(model, state, rail_state, work):
    """Accept the step. Returns 0, or 1 if the nonlinear supports of the rails did not settle."""
    for w in range(model.wheelsets.unit.shape[0]):
        for side in range(2):
            locate_contact(model, state, w, side, work)
    accept_measured(model, state, work)
    accept_places(model, work)
    advance(state.history, work.q, work.qd, work.qdd)
    keep_loads(model, state, work)
    suspension_accept(work.spring_state)
    return finish(model.rail, rail_state, model.coefficients)


_end = far_call(end_step, types.int64)
