"""Contact forces of one iteration: contact law, compliance of wheelset and rail, Newton step on the wrenches."""

import numpy as np

from flexwheel.base.variables import BESIDE, PATCH
from flexwheel.contact.beside import WheelBeside, press_beside
from flexwheel.contact.contact_tables import ContactResult
from flexwheel.contact.gap import CELL, cell_of
from flexwheel.contact.wheel_rail import FLANGE_CLIMB, OFF_PROFILE, WheelMotion, wheel_rail_contact
from flexwheel.contact.wheel_rail import NOT_FINITE as POSE_NOT_FINITE
from flexwheel.numerics.kernels import entry, far_call, kernel, types
from flexwheel.numerics.kernels.lanes import fill, less, load, store
from flexwheel.track.rail_model import add_rail_force
from flexwheel.vehicle.products import add_columns, row_times
from flexwheel.vehicle.step.contact_motion import flip, place_wheel, turn_x
from flexwheel.vehicle.step.suspension_coupling import couple_contact

CONVERGED, NOT_CONVERGED, SINGULAR, NOT_FINITE, DERAILED, DIVERGED = 0, 1, 2, 3, 4, 5
JUMP = 1e-3  # [m] a wheel moves this much against its rail in a step, or the speed below times the step
JUMP_SPEED = 2.0  # [m/s]
QUICK_STEPS = 4  # iterations with the contact law's own tangents
MOMENT_WEIGHT = 10.0  # [1/m] moments count as forces at 0.1 m
LEAST_CREEP_FORCE = 1.0  # [N] of a wheel, whose direction is the slip's

_law = far_call(wheel_rail_contact, types.UniTuple(types.int64, 2))


def law_entry(contact, contact_work, work):
    """Entry of the contact law, for the handles of its tables and scratch and a Workspace."""
    return entry(
        wheel_rail_contact,
        contact,
        1.0,
        WheelMotion(work.pose[0, 0], work.rate[0, 0], work.gap_rate[0, 0, 1:4], 1.0, 0.0, False),
        contact_work,
        ContactResult(work.patches[0, 0], work.contact_force[0, 0], work.jac_pose[0, 0], work.jac_rate[0, 0]),
    )


@kernel
def solve_contacts(law, model, state, rail_state, contact_work, work, iteration, least):
    """One Newton step on the contact wrenches of each wheelset; its effect is added to work.step.

    law: of `law_entry`; after QUICK_STEPS iterations it is differentiated numerically, its own tangents being too
    coarse. At iteration 0 its last tangents stand in its place (`foresee`). Wheels whose patches miss their force by
    `least` [N] or less are not pressed anew.

    Returns the largest change of a force [N] (moments divided by 0.1 m), and a failure code.
    """
    wheelsets = model.wheelsets
    units = model.units
    dt = model.coefficients.dt
    gd = model.coefficients.gamma * dt
    largest = 0.0
    for w in range(wheelsets.unit.shape[0]):
        if not behind(state, w, least, work) or iteration == 0 and not (work.known[w, 0] and work.known[w, 1]):
            continue
        u = wheelsets.unit[w]
        o = units.offset[u]
        n = units.offset[u + 1] - o
        s_position = work.q[o]
        for side in range(2):
            if not work.pressed[side]:
                continue
            if iteration == 0:
                foresee(model, state, rail_state, w, side, work)
                continue
            failed = press(law, model, state, rail_state, w, side, contact_work, work, iteration > QUICK_STEPS)
            if failed != 0:
                if failed == DERAILED and jumped(work.pose[w, side], work.accepted_pose[w, side], dt):
                    failed = DIVERGED
                work.culprit[0] = units.mass.shape[0] + w
                return 0.0, failed
        singular = newton_step(model, state, w, gd, work)
        if singular == 0 and steepen_turned_slip(model, w, gd, work):
            singular = newton_step(model, state, w, gd, work)
        if singular != 0:
            work.culprit[0] = units.mass.shape[0] + w
            return 0.0, SINGULAR
        rhs = work.small_rhs
        worst = 0.0
        for c in range(12):
            worst = max(worst, abs(rhs[c]) * (1.0 if c % 6 < 3 else MOMENT_WEIGHT))
        for side in range(2):
            for c in range(6):
                state.wrench[w, side, c] += rhs[6 * side + c]
            add_wheel_to_rail(model, state, rail_state, w, side, s_position, work)
        add_columns(work.sg[w], 12, rhs, work.step, o, n)
        if work.coupling.active[0] == 1:
            couple_contact(model, w, rhs, work)
        work.contact_change[w] = worst
        largest = max(largest, worst)
    return largest, 0


@kernel
def newton_step(model, state, w, gd, work):
    """Change (12,) of the wrenches of wheelset w by the tangents of the contact law, in small_rhs; 1 if singular."""
    small, rhs = work.small, work.small_rhs
    small[:, :] = 0.0
    for c in range(12):
        small[c, c] = 1.0
    for side in range(2):
        for c in range(6):
            lacks = work.contact_force[w, side, c] - state.wrench[w, side, c]
            rhs[6 * side + c] = lacks if work.pressed[side] else 0.0
        contact_columns(model, w, side, gd, work, small)
    return solve_twelve(small, rhs)


@kernel
def steepen_turned_slip(model, w, gd, work):
    """Where the Newton step would turn a wheel's slip round, give its creep force the slope of the secant there.

    A sliding wheel's creep force hardly changes along the slip, and a Newton step from there may end beyond sticking,
    sliding the other way, from where the next one comes back: at 3 km/h for good. Along the force F the secant's slope
    is the slope t across it, as F points against the slip F/t and changes with its length alone. Its steps stop short
    of sticking, where both slopes are the same. Source: Kachanov's method, secants in place of tangents, which
    converges where forces grow with slip less than linearly.

    Returns whether a slope was changed.
    """
    changed = False
    for side in range(2):
        slope = work.jac_rate[w, side]
        x, y = work.contact_force[w, side, 0], work.contact_force[w, side, 1]
        force = np.sqrt(x * x + y * y)
        if force < LEAST_CREEP_FORCE:
            continue
        x, y = x / force, y / force
        tangent = -(x * (slope[0, 0] * x + slope[0, 1] * y) + y * (slope[1, 0] * x + slope[1, 1] * y))
        secant = -(y * (slope[0, 0] * y - slope[0, 1] * x) - x * (slope[1, 0] * y - slope[1, 1] * x))
        turn = x * slip_change(model, w, side, 0, gd, work) + y * slip_change(model, w, side, 1, gd, work)
        if secant > tangent and turn * secant > force:
            excess = secant - tangent
            slope[0, 0] -= excess * x * x
            slope[0, 1] -= excess * x * y
            slope[1, 0] -= excess * y * x
            slope[1, 1] -= excess * y * y
            changed = True
    return changed


@kernel
def slip_change(model, w, side, component, gd, work):
    """Change of a wheel's velocity against its rail, along x (0) or y (1) [m/s], by the wrenches in small_rhs."""
    step, row = work.small_rhs, work.x[w, 6 * side + component]
    mobility, (y, z) = work.rail_compliance[w, side, 1], crown_arm(model, w, side, work)
    own, lever = step[6 * side : 6 * side + 4], 0.0 if component == 0 else -z
    change = (mobility[component, 3] + lever * mobility[3, 3]) * (own[3] + y * own[2] - z * own[1])
    for k in range(3):
        change += (mobility[component, k] + lever * mobility[3, k]) * own[k]
    for e in range(12):
        change += gd * row[e] * step[e]
    return change


@kernel
def solve_twelve(matrix, rhs):
    """Gaussian elimination with partial pivoting of matrix (12, 12), rows in three registers; rhs (12,) becomes the
    solution. Returns 0, or 1 if singular."""
    for k in range(12):
        p = k
        for i in range(k + 1, 12):
            if abs(matrix[i, k]) > abs(matrix[p, k]):
                p = i
        if not abs(matrix[p, k]) > 0.0:
            return 1
        first = k - k % 4
        if p != k:
            for j in range(first, 12, 4):
                row = load(matrix, 12 * k + j)
                store(matrix, 12 * k + j, load(matrix, 12 * p + j))
                store(matrix, 12 * p + j, row)
            t = rhs[k]
            rhs[k] = rhs[p]
            rhs[p] = t
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, 12):
            f = matrix[i, k] * inverse
            for j in range(first, 12, 4):
                store(matrix, 12 * i + j, less(load(matrix, 12 * i + j), load(matrix, 12 * k + j), fill(f)))
            rhs[i] -= f * rhs[k]
    for k in range(11, -1, -1):
        for j in range(k + 1, 12):
            rhs[k] -= matrix[k, j] * rhs[j]
        rhs[k] /= matrix[k, k]
    return 0


@kernel
def foresee(model, state, rail_state, w, side, work):
    """Contact wrench of one wheel at the corrected iterate by the tangents of its last evaluation.

    The AS4, with four wheels, takes 4.4 evaluations of the law a step with it and 6.7 without.
    """
    before, pose, rate = work.before, work.pose[w, side], work.rate[w, side]
    for c in range(6):
        before[0, c], before[1, c] = pose[c], rate[c]
    place_wheel(model, state, rail_state, w, side, work)
    for c in range(6):
        before[0, c], before[1, c] = pose[c] - before[0, c], rate[c] - before[1, c]
    for i in range(2):
        if side == 1:
            flip(before[i])
        turn_x(work.rail[w, side, 0, 3], before[i], 1)
    turn_x(work.rail[w, side, 0, 3], before[1], 4)
    for c in range(6):
        change = row_times(work.jac_pose[w, side], c, before[0], 0, 6)
        work.contact_force[w, side, c] += change + row_times(work.jac_rate[w, side], c, before[1], 0, 6)


@kernel
def press(law, model, state, rail_state, w, side, contact_work, work, exact):
    """Contact wrench of one wheel and its tangents at the corrected iterate."""
    place_wheel(model, state, rail_state, w, side, work)
    work.known[w, side] = True
    return failure_of(call_law(law, model, w, side, contact_work, work, exact))


@kernel
def behind(state, w, least, work):
    """Mark in work.pressed the wheels of wheelset w whose force differs from that of their patches by more than `least`
    [N]; whether there is one.

    Patches are of the pose before the last change; where a wheel's force is within the tolerance, a creep force that
    hangs much on the slip may be some kN off.
    """
    found = False
    for side in range(2):
        work.pressed[side] = least < 0.0
        for c in range(3):
            work.pressed[side] |= abs(state.wrench[w, side, c] - work.contact_force[w, side, c]) > least
        found |= work.pressed[side]
    return found


@kernel
def jumped(pose, accepted, dt):
    """Whether a wheel is farther from its last accepted pose than it can have run within one step."""
    reach = JUMP + JUMP_SPEED * dt
    return not (abs(pose[1] - accepted[1]) < reach and abs(pose[2] - accepted[2]) < reach)


@kernel
def failure_of(status):
    """Failure code of a step from the contact law's status, 0 where the step can go on."""
    if status == POSE_NOT_FINITE:
        return NOT_FINITE
    if status == FLANGE_CLIMB or status == OFF_PROFILE:
        return DERAILED
    return 0


@kernel
def call_law(law, model, w, side, contact_work, work, exact=False):
    """Contact law at the pose and rates in `work`; force and tangents mirrored and turned back to track axes."""
    speed = work.qd6[model.wheelsets.unit[w], 0]
    place = work.q[model.units.offset[model.wheelsets.unit[w]]]
    motion = WheelMotion(work.pose[w, side], work.rate[w, side], work.gap_rate[w, side, 1:4], speed, place, exact)
    jp, jr = work.jac_pose[w, side], work.jac_rate[w, side]
    result = ContactResult(work.patches[w, side], work.contact_force[w, side], jp, jr)
    status, count = _law(law, (model.contact[2 * w + side], model.wheelsets.radius[w], motion, contact_work, result))
    work.patch_count[w, side] = count
    if model.contact[2 * w + side].beside.there:
        touch_beside(model, w, side, work, result)
    if side == 1:
        flip(work.contact_force[w, side])
        for c in range(6):
            for e in range(6):
                if (c % 2 == 1) != (e % 2 == 1):
                    jp[c, e] = -jp[c, e]
                    jr[c, e] = -jr[c, e]
    roll = work.rail[w, side, 0, 3]
    for at in (1, 4):
        turn_x(roll, work.contact_force[w, side], at)
    for c in range(6):
        turn_x(roll, jp[c], 1)
        turn_x(roll, jr[c], 1)
        turn_x(roll, jr[c], 4)
    for c in range(6):
        for at in (1, 4):
            turn_x(roll, jp[:, c], at)
            turn_x(roll, jr[:, c], at)
    return status


@kernel
def touch_beside(model, w, side, work, result):
    """Add what touches a wheel beside its running rail to its result, left-like frame; record it in track axes."""
    u, sign = model.wheelsets.unit[w], 1.0 if side == 0 else -1.0
    beside, record, place = model.contact[2 * w + side].beside, work.beside[w, side], work.q[model.units.offset[u]]
    pose, rate, gap_rate = work.pose[w, side], work.rate[w, side], work.gap_rate[w, side]
    wheel = WheelBeside(pose, rate, gap_rate, place, work.qd6[u, 0], sign * work.track.kappa[u, 2])
    press_beside(beside.entry, (beside.numbers, wheel, result, record))
    record[BESIDE.y] *= sign
    y, z, roll = record[BESIDE.y], record[BESIDE.z], work.rail[w, side, 0, 3]
    c, s = np.cos(roll), np.sin(roll)
    record[BESIDE.y], record[BESIDE.z] = c * y - s * z, s * y + c * z


@kernel
def contact_columns(model, w, side, gd, work, small):
    """small -= J_pose D + J_rate V for the rows of one wheel; D, V: motion per unit wrench of both wheels."""
    b = 6 * side
    jp, jr = work.jac_pose[w, side], work.jac_rate[w, side]
    sd, sv = work.rail_compliance[w, side, 0], work.rail_compliance[w, side, 1]
    residual, x, x_gain = model.wheelsets.residual[w, side], work.x[w], work.x_gain[w]
    y, z = crown_arm(model, w, side, work)
    arm, force = (0.0, -z, y, 1.0), work.contact_force[w, side]
    for c in range(6):
        for e in range(0, 12, 4):
            s = load(small, 12 * (b + c) + e)
            for k in range(6):
                at = 12 * (b + k) + e
                s = less(less(s, load(x_gain, at), fill(jp[c, k])), load(x, at), fill(gd * jr[c, k]))
            store(small, 12 * (b + c) + e, s)
        # rail: components x, y, z, roll; force on the rail is minus the wrench, its moment taken to the crown, about
        # which the rail turns what of it lies at the profile origin, and the wrench
        by_roll = jp[c, 3] + y * jp[c, 2] - z * jp[c, 1] - turned_wrench(force, c)
        by_turning = jr[c, 3] + y * jr[c, 2] - z * jr[c, 1]
        turned = by_roll * sd[3, 3] + by_turning * sv[3, 3]
        for k in range(3):
            turned += jp[c, k] * sd[k, 3] + jr[c, k] * sv[k, 3]
        for e in range(4):
            s = turned * arm[e]
            if e < 3:
                s += by_roll * sd[3, e] + by_turning * sv[3, e]
                for k in range(3):
                    s += jp[c, k] * sd[k, e] + jr[c, k] * sv[k, e]
            small[b + c, b + e] -= s
        for e in range(6):
            s = jp[c, 5] * residual[5, e]  # pitch moves no contact, and along the rail it is not in the pose
            for k in range(1, 4):
                s += jp[c, k] * residual[k, e]
            small[b + c, b + e] -= s


@kernel(inline="always")
def turned_wrench(wrench, c):
    """Component c of the rate at which a wrench (6,) changes as it turns about x."""
    return 0.0 if c % 3 == 0 else (-wrench[c + 1] if c % 3 == 1 else wrench[c - 1])


@kernel(inline="always")
def crown_arm(model, w, side, work):
    """y and z [m] from the rail's crown to the profile origin, track axes."""
    y = (work.pose[w, side, 1] + model.contact[2 * w + side].offset) * (1.0 if side == 0 else -1.0)
    z, c, s = work.pose[w, side, 2], np.cos(work.rail[w, side, 0, 3]), np.sin(work.rail[w, side, 0, 3])
    return c * y - s * z, s * y + c * z


@kernel
def add_wheel_to_rail(model, state, rail_state, w, side, s, work):
    """Bring the force that the rail feels in this step up to the present wrench of one wheel."""
    wrench = state.wrench[w, side]
    force = work.rail_force[w, side]
    change = work.rail_change
    y, z = crown_arm(model, w, side, work)
    for c in range(4):
        change[c] = -wrench[c] - force[c]
    change[3] -= y * wrench[2] - z * wrench[1]  # from the profile origin to the crown
    for c in range(4):
        force[c] += change[c]
    add_rail_force(model.rail, rail_state, w, s, side, change)


@kernel
def locate_contact(model, state, w, side, work):
    """Centre of the contact forces of one wheel, from the profile origin; kept while there is no contact."""
    for c in range(6):
        work.accepted_pose[w, side, c] = work.pose[w, side, c]
    load, x, y = 0.0, 0.0, 0.0
    for p in range(work.patch_count[w, side]):
        share = work.patches[w, side, p, PATCH.normal_force]
        load += share
        x += share * work.patches[w, side, p, PATCH.x_contact]
        y += share * work.patches[w, side, p, PATCH.y_wheel]
    if load <= 0.0:
        return
    y /= load
    pair = model.contact[2 * w + side].pair
    i, _ = cell_of(pair.wheel, pair.wheel_start, pair.inverse_step, y)
    state.contact_point[w, side, 0] = x / load
    state.contact_point[w, side, 1] = y if side == 0 else -y
    state.contact_point[w, side, 2] = -pair.wheel[int(i), CELL.height]
