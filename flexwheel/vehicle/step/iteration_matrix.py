"""Iteration matrix of each unit, S = M + gamma dt C + K gain, inverted; and the contact rows G.

Only the block of a unit is kept; force elements that are stiff for the step size, between units or within one, come
on top by `suspension_coupling`, the others are found by the fixed-point iteration of the step. S need not be exact,
its error only slows that iteration; in `lagrangian` it is renewed whenever the mesh has turned by REFRESH_ANGLE.
"""

import numpy as np

from flexwheel.numerics.kernels import entry, far_call, kernel, types
from flexwheel.vehicle.step.model import LAGRANGIAN
from flexwheel.vehicle.step.vectors import invert_spd
from flexwheel.vehicle.step.wheelset_rows import journal_rows

REFRESH_ANGLE = np.radians(4.0)


@kernel
def unit_matrix(model, u, mesh_angle, gain, journal, row, matrix):
    """Fill matrix (n, n) of unit u; gain (N,) of all coordinates; journal (6, H), row (n,) are scratch. Returns n."""
    units = model.units
    wheelsets = model.wheelsets
    n = units.offset[u + 1] - units.offset[u]
    for i in range(n):
        for j in range(n):
            matrix[i, j] = 0.0
    for i in range(3):
        matrix[i, i] = units.mass[u]
    inertia = units.inertia[u]
    order = (2, 0, 1)  # yaw, roll, spin act about z, x, y
    for i in range(3):
        for j in range(3):
            matrix[3 + i, 3 + j] = inertia[order[i], order[j]]
    w = units.wheelset[u]
    gd = model.coefficients.gamma * model.coefficients.dt
    if w < 0:
        bodies, b = model.flexible, model.flexible.of_unit[u]
        for k in range(n - 6):
            f = bodies.frequency[b, k]
            matrix[6 + k, 6 + k] = 1.0 + gd * 2.0 * bodies.damping[b, k] * f + gain[units.offset[u] + 6 + k] * f * f
        return n
    h = wheelsets.mode_count[w]
    first = units.offset[u] + 6
    for k in range(h):
        f = wheelsets.frequency[w, k]
        matrix[6 + k, 6 + k] = 1.0 + gd * 2.0 * wheelsets.damping[w, k] * f + gain[first + k] * f * f
    for side in range(2):
        if wheelsets.box_mass[w, side] > 0.0:
            journal_rows(wheelsets, w, side, mesh_angle, journal)
            add_box(wheelsets, w, side, h, journal, matrix, row, n)
    return n


@kernel
def box_row(wheelsets, w, side, h, journal, c, part, row, n):
    """Row c of the (6, n) map from unit accelerations to those of a point of the box (3) and its rotation (3).

    part : float    where the point stands between the journal centre (0) and the box's mass centre (1)
    """
    y = wheelsets.interface_position[w, side, 1]
    cx = part * wheelsets.box_centre[w, side, 0]
    cy = part * wheelsets.box_centre[w, side, 1]
    cz = part * wheelsets.box_centre[w, side, 2]
    for j in range(n):
        row[j] = 0.0
    pitch = 6 + h + side
    if c >= 3:
        if c == 3:
            row[4] = 1.0
        elif c == 5:
            row[3] = 1.0
        elif pitch < n:
            row[pitch] = 1.0
        if c != 4:
            for k in range(h):
                row[6 + k] = journal[c, k]
        return
    row[c] = 1.0
    for k in range(h):
        row[6 + k] = journal[c, k]
    if c == 0:
        row[3] = -y - cy
        for k in range(h):
            row[6 + k] -= journal[5, k] * cy
        if pitch < n:
            row[pitch] = cz
    elif c == 1:
        row[3] = cx
        row[4] = -cz
        for k in range(h):
            row[6 + k] += journal[5, k] * cx - journal[3, k] * cz
    else:
        row[4] = y + cy
        for k in range(h):
            row[6 + k] += journal[3, k] * cy
        if pitch < n:
            row[pitch] = -cx


@kernel
def add_box(wheelsets, w, side, h, journal, matrix, row, n):
    """Add the inertia of one axle box: matrix += B^T diag(m, I) B."""
    for c in range(6):
        box_row(wheelsets, w, side, h, journal, c, 1.0, row, n)
        weight = wheelsets.box_mass[w, side] if c < 3 else wheelsets.box_inertia[w, side, c - 3, c - 3]
        for i in range(n):
            wi = weight * row[i]
            if wi != 0.0:
                for j in range(n):
                    matrix[i, j] += wi * row[j]


@kernel
def refresh(model, u, mesh_angle, work):
    """Renew the inverse of unit u. Returns 0, or 1 if the matrix is not positive definite."""
    n = unit_matrix(model, u, mesh_angle, work.gain, work.journal_scratch, work.row, work.matrix)
    return invert_spd(work.matrix, n, work.inverse[u], work.matrix2)


call_refresh = far_call(refresh, types.int64)


def refresh_entry(model, work):
    """Entry of `refresh` for these handles."""
    return entry(refresh, model, 1, 1.0, work)


@kernel
def contact_rows(wheelsets, w, side, shift, tread, g):
    """G (6, n): pose of the profile (x, y, z, roll, pitch, yaw) by the coordinates of its wheelset.

    shift (3,) is the flexible shift of the profile; tread (6, H) the profile rows in E axes.
    """
    h = wheelsets.mode_count[w]
    n = 6 + h + (2 if wheelsets.box_pitch[w] == 1 else 0)
    for c in range(6):
        for j in range(n):
            g[c, j] = 0.0
    px = shift[0]
    py = wheelsets.lateral[w, side] + shift[1]
    pz = -wheelsets.radius[w] + shift[2]
    for c in range(3):
        g[c, c] = 1.0
    g[0, 3] = -py
    g[1, 3] = px
    g[5, 3] = 1.0
    g[1, 4] = -pz
    g[2, 4] = py
    g[3, 4] = 1.0
    g[0, 5] = pz
    g[2, 5] = -px
    g[4, 5] = 1.0
    for c in range(6):
        for k in range(h):
            g[c, 6 + k] = tread[c, k]


@kernel
def mesh_angle_of(wheelsets, w, spin):
    """Angle by which the mesh lies turned: the spin itself, or zero where the mesh does not turn."""
    if wheelsets.mesh_mode[w] == LAGRANGIAN:
        return spin
    return 0.0
