"""Matrices of the wheelsets in a step's iteration: inverses, rows G of their profiles, compliance at the contacts.

Compiled once, for the beginning of a step and for a renewal of the coupling (`coupling_renewal`).
"""

from flexwheel.numerics.kernels import entry, far_call, kernel, types
from flexwheel.vehicle.products import products, responses
from flexwheel.vehicle.step.iteration_matrix import (
    REFRESH_ANGLE,
    call_refresh,
    contact_rows,
    mesh_angle_of,
    refresh_entry,
)
from flexwheel.vehicle.step.model import LAGRANGIAN
from flexwheel.vehicle.step.suspension_coupling import stiffen_contact
from flexwheel.vehicle.step.wheelset_rows import contact_point_rows
from flexwheel.vehicle.tread_contact import LEAST_SQUARES


def matrices_entry(model, state, work):
    """Entry of `renew_matrices` for these handles."""
    return entry(renew_matrices, refresh_entry(model, work), model, state, work, 1)


@kernel
def renew_matrices(refresh, model, state, work, coupled):
    """Renew what no longer fits the mesh's angle or the contact points; all compliances where `coupled` is not 0.

    refresh : Entry    of iteration_matrix.refresh
    """
    wheelsets = model.wheelsets
    for w in range(wheelsets.unit.shape[0]):
        u = wheelsets.unit[w]
        angle = mesh_angle_of(wheelsets, w, work.q[model.units.offset[u] + 5])
        stale = coupled != 0
        if not stale and not abs(angle - state.mesh_angle_of_matrix[w]) < REFRESH_ANGLE:
            call_refresh(refresh, (model, u, angle, work))
            work.coupling.stale[0] = 1
            state.mesh_angle_of_matrix[w] = angle
            stale = True
        if stale or wheelsets.mesh_mode[w] == LAGRANGIAN or wheelsets.distribution[w] != LEAST_SQUARES:
            contact_compliance(model, state, u, w, angle, work)


call_matrices = far_call(renew_matrices, types.none)


@kernel
def contact_compliance(model, state, u, w, angle, work):
    """What a contact wrench does to the accelerations of a wheelset (G S^-1) and to those and the places of its
    profiles."""
    wheelsets = model.wheelsets
    n = model.units.offset[u + 1] - model.units.offset[u]
    g, sg = work.g[w], work.sg[w]
    for side in range(2):
        point = state.contact_point[w, side]
        contact_point_rows(wheelsets, w, side, angle, point, work.tread[w, side], work.tread_slope[w, side])
        contact_rows(wheelsets, w, side, work.shift[w, side], work.tread[w, side], g[6 * side : 6 * side + 6])
    gain = work.gain[model.units.offset[u] : model.units.offset[u + 1]]
    products(g, work.inverse[u], n, sg)
    responses(g, sg, gain, n, work.g_columns, work.x[w], work.x_gain[w])
    if work.coupling.active[0] == 1:  # all gains are equal then
        stiffen_contact(model, w, n, work)
        for c in range(12):
            for e in range(12):
                work.x_gain[w, c, e] = gain[0] * work.x[w, c, e]
