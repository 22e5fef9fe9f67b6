"""Renewal of the matrices of stiff force elements in the step's iteration; see `suspension_coupling`."""

import numpy as np

from flexwheel.numerics.kernels import entry, far_call, handle, kernel, types
from flexwheel.vehicle.elements.columns import BODY_A, BODY_B, Weights
from flexwheel.vehicle.step.iteration_matrix import box_row, mesh_angle_of
from flexwheel.vehicle.step.modal_body import first_place, place_row
from flexwheel.vehicle.step.suspension_coupling import unit_of_pose
from flexwheel.vehicle.step.vectors import solve_columns
from flexwheel.vehicle.step.wheelset_rows import journal_rows
from flexwheel.vehicle.suspension import link, tangent_rows

SLOW = 0.05  # contraction of the iteration without an element's tangent above which the element is taken up
SLOW_AT_PLACES = 0.2
"""Of an element on a flexible body, whose modes make taking up as dear as an iteration."""

_RENEWAL = "renewal of the coupling"


def judge_coupling(model, work):
    """Take up the elements that need it at this step size; `work` holds the poses at rest.

    Returns
    -------
    contraction : (E,) of the iteration without each element's tangent, every stop closed, every table at its steepest
    """
    coupling = work.coupling
    ends = model.suspension.integer[:, [BODY_A, BODY_B]]
    link(model.suspension)
    compiled, scratch = handle(model), handle(work)
    coupling.active[0] = 0
    coupling.element[:] = 1
    _touch(coupling, model, ends)
    rate = np.zeros(len(ends))
    if len(ends):
        find_rows(compiled, scratch)
        for e in range(len(ends)):
            coupling.element[:] = 0
            coupling.element[e] = 1
            fill_stiffness(compiled, scratch, 1.0)
            rows = [6 * coupling.place[b] + i for b in ends[e] if b >= 0 for i in range(6)]
            at = np.ix_(rows, rows)
            rate[e] = np.max(np.abs(np.linalg.eigvals(coupling.compliance[at] @ coupling.stiffness[at])))
    at_places = (ends >= len(model.units.mass) + 2 * len(model.wheelsets.unit)).any(axis=1)
    coupling.element[:] = rate > np.where(at_places, SLOW_AT_PLACES, SLOW)
    _touch(coupling, model, ends[coupling.element == 1])
    coupling.active[0] = np.any(coupling.element)
    coupling.stale[0] = 1
    return rate


def _touch(coupling, model, ends):
    """Number the poses that these elements, ends (E, 2), touch."""
    found = sorted({int(b) for b in ends.ravel() if b >= 0})
    coupling.place[:] = -1
    coupling.own[:] = -1
    coupling.poses[0] = len(found)
    units = len(model.units.mass)
    for place, pose in enumerate(found):
        coupling.pose[place], coupling.place[pose] = pose, place
        w = model.units.wheelset[pose] if pose < units else (pose - units) // 2
        if 0 <= w < len(coupling.own):
            coupling.own[w, 0 if pose < units else 1 + (pose - units) % 2] = place


def renewal_entry(model, work, stiff):
    """Entry of `renew_coupling`; where no element is taken up, of a kernel that does nothing and takes no compiling."""
    return entry(renew_coupling if stiff else _renew_nothing, model, work, role=_RENEWAL)


@kernel
def find_rows(model, work):
    """B, S0^-1 B^T and X of the touched poses."""
    coupling = work.coupling
    units, wheelsets = model.units, model.wheelsets
    count = coupling.poses[0]
    order, first = (3, 4, 5), first_place(model)
    for a in range(count):
        pose = coupling.pose[a]
        u = unit_of_pose(model, pose)
        o = units.offset[u]
        n = units.offset[u + 1] - o
        row, column = coupling.row[a], coupling.column[a]
        row[:, :] = 0.0
        if pose == u:
            for i in range(3):
                row[i, i] = 1.0
            row[order[0], 4] = 1.0  # roll about x
            if units.wheelset[u] < 0:
                row[order[1], 5] = 1.0  # pitch; the housing of a wheelset does not spin
            row[order[2], 3] = 1.0  # yaw about z
        elif pose >= first:
            for c in range(6):
                place_row(model, pose - first, c, row[c], n)
        else:
            w = units.wheelset[u]
            side = (pose - units.mass.shape[0]) % 2
            journal_rows(wheelsets, w, side, mesh_angle_of(wheelsets, w, work.q[o + 5]), work.journal_scratch)
            for c in range(6):
                h = wheelsets.mode_count[w]
                box_row(wheelsets, w, side, h, work.journal_scratch, c, 0.0, row[c], n)
        inverse = work.inverse[u]
        for i in range(6):
            for k in range(n):
                s = 0.0
                for j in range(n):
                    s += row[i, j] * inverse[j, k]
                column[i, k] = s
    for a in range(count):
        u = unit_of_pose(model, coupling.pose[a])
        n = units.offset[u + 1] - units.offset[u]
        for b in range(count):
            same = unit_of_pose(model, coupling.pose[b]) == u
            for i in range(6):
                for j in range(6):
                    s = 0.0
                    if same:
                        for k in range(n):
                            s += coupling.column[a, i, k] * coupling.row[b, j, k]
                    coupling.compliance[6 * a + i, 6 * b + j] = s


@kernel
def fill_stiffness(model, work, stiffest):
    """K of the elements taken up, at the poses in `work`."""
    coupling = work.coupling
    dt = model.coefficients.dt
    weights = Weights(dt, model.coefficients.beta * dt * dt, model.coefficients.gamma * dt, stiffest)
    size = 6 * coupling.poses[0]
    for i in range(size):
        for j in range(size):
            coupling.stiffness[i, j] = 0.0
    integer = model.suspension.integer
    for e in range(integer.shape[0]):
        if coupling.element[e] == 0:
            continue
        count = tangent_rows(model.suspension, e, work.poses, work.spring_state, weights, coupling.tangent)
        for r in range(count):
            add_tangent(model, work, coupling.tangent[r], integer[e, BODY_A], integer[e, BODY_B])


@kernel
def add_tangent(model, work, tangent, body_a, body_b):
    """K += kappa d d^T, d in the track axes of both units."""
    coupling = work.coupling
    d = coupling.arm
    for end in range(2):
        body = body_a if end == 0 else body_b
        if body < 0:
            continue
        sign = -1.0 if end == 0 else 1.0
        axes = work.track.rotation[unit_of_pose(model, body)]
        gx, gy, gz = tangent[1], tangent[2], tangent[3]
        f = 4 + 3 * end
        rx, ry, rz = tangent[f], tangent[f + 1], tangent[f + 2]
        mx, my, mz = ry * gz - rz * gy, rz * gx - rx * gz, rx * gy - ry * gx
        if tangent[10] > 0.5:
            mx, my, mz, gx, gy, gz = gx, gy, gz, 0.0, 0.0, 0.0
        for i in range(3):
            d[6 * end + i] = sign * (axes[0, i] * gx + axes[1, i] * gy + axes[2, i] * gz)
            d[6 * end + 3 + i] = sign * (axes[0, i] * mx + axes[1, i] * my + axes[2, i] * mz)
    for end in range(2):
        row = body_a if end == 0 else body_b
        if row < 0:
            continue
        for other in range(2):
            column = body_a if other == 0 else body_b
            if column < 0:
                continue
            first, second = 6 * coupling.place[row], 6 * coupling.place[column]
            for i in range(6):
                for j in range(6):
                    coupling.stiffness[first + i, second + j] += tangent[0] * d[6 * end + i] * d[6 * other + j]


@kernel
def renew_coupling(model, work):
    """All matrices at the poses in `work`; what they do to the compliance at the contacts is left to be found."""
    coupling = work.coupling
    find_rows(model, work)
    fill_stiffness(model, work, 0.0)
    size = 6 * coupling.poses[0]
    for i in range(size):
        for j in range(size):
            coupling.inner[i, j] = coupling.stiffness[i, j]
            s = 1.0 if i == j else 0.0
            for k in range(size):
                s += coupling.stiffness[i, k] * coupling.compliance[k, j]
            coupling.matrix[i, j] = s
    failed = solve_columns(coupling.matrix, coupling.inner, size)
    if failed != 0:  # leaves the step without the coupling, and its failure to the count of steps
        for i in range(size):
            for j in range(size):
                coupling.inner[i, j] = 0.0
    coupling.stale[0] = 0
    return failed


@kernel
def _renew_nothing(model, work):
    return 0


call_renewal = far_call(_RENEWAL, types.int64)
