"""Equations of motion of all units at given coordinates, rates and accelerations: what is still to be supplied.

residual = inertia forces + internal forces - gravity - suspension - contact - drive, as generalised forces.
"""

import numpy as np

from flexwheel.numerics.kernels import entry, far_call, kernel, types
from flexwheel.track.layout import track_frame
from flexwheel.vehicle.floating_frame import PackedInertia, inertia_forces
from flexwheel.vehicle.kinematics import add_generalised_force, bodies_accelerations, bodies_velocities
from flexwheel.vehicle.products import add_columns, row_times
from flexwheel.vehicle.row_slices import slices_of
from flexwheel.vehicle.step.axle_box import BoxBody, FrameMotion, box_demand, journal_motion
from flexwheel.vehicle.step.contact_motion import NO_SPIN
from flexwheel.vehicle.step.iteration_matrix import mesh_angle_of
from flexwheel.vehicle.step.modal_body import flexible_body, places_motion
from flexwheel.vehicle.step.model import LAGRANGIAN
from flexwheel.vehicle.step.vectors import cross, rotate, rotate_back, turn_y
from flexwheel.vehicle.step.wheelset_rows import contact_point_rows, journal_rows
from flexwheel.vehicle.structural import geometric_forces, structural_forces
from flexwheel.vehicle.suspension import suspension_forces, suspension_propose

MOTION, PROPOSAL, EQUATIONS = 1, 2, 4
"""Parts of `find_residual`, to be added up."""
WHOLE = MOTION | PROPOSAL | EQUATIONS


def residual_entry(model, state, work):
    """Entry of `find_residual` for these handles."""
    return entry(find_residual, model, state, work, 1.0, WHOLE)


@kernel
def find_residual(model, state, work, dt, parts):
    """Those of `parts`: motion of everything at the iterate, force elements over a step [s], equations of motion."""
    if parts & MOTION:
        update_motion(model, state, work)
    if parts & PROPOSAL:
        suspension_propose(model.suspension, work.poses, dt, work.spring_state)
    if parts & EQUATIONS:
        evaluate(model, state, work)


call_residual = far_call(find_residual, types.none)


@kernel
def update_motion(model, state, work):
    """Motion of all units, journals and profiles from the present iterate."""
    units = model.units
    wheelsets = model.wheelsets
    for u in range(units.mass.shape[0]):
        o = units.offset[u]
        for i in range(6):
            work.q6[u, i] = work.q[o + i]
            work.qd6[u, i] = work.qd[o + i]
            work.qdd6[u, i] = work.qdd[o + i]
        track = work.track
        track_frame(model.layout, work.q[o], track.position[u], track.rotation[u], track.kappa[u], track.dkappa[u])
    motion = work.motion
    bodies_velocities(work.q6, work.qd6, work.spins, work.track, motion)
    bodies_accelerations(work.qdd6, motion)
    for u in range(units.mass.shape[0]):
        spin_rate = work.qd6[u, 5]
        omega = motion.omega_frame[u]
        work.alpha_frame[u, 0] = motion.alpha[u, 0] + spin_rate * omega[2]
        work.alpha_frame[u, 1] = motion.alpha[u, 1] - work.qdd6[u, 5]
        work.alpha_frame[u, 2] = motion.alpha[u, 2] - spin_rate * omega[0]
        for i in range(3):
            for j in range(3):
                s = 0.0
                for k in range(3):
                    s += work.track.rotation[u, k, i] * motion.rotation[u, k, j]
                work.to_track[u, i, j] = s
            work.poses.position[u, i] = motion.position[u, i]
            work.poses.velocity[u, i] = motion.housing_velocity[u, i]
            work.poses.omega[u, i] = motion.housing_omega[u, i]
            for j in range(3):
                work.poses.rotation[u, i, j] = motion.housing_rotation[u, i, j]
    for w in range(wheelsets.unit.shape[0]):
        wheelset_motion(model, state, w, work)
    places_motion(model, work)


@kernel
def wheelset_motion(model, state, w, work):
    """Journals, axle-box poses and profiles of one wheelset."""
    wheelsets = model.wheelsets
    u = wheelsets.unit[w]
    o = model.units.offset[u]
    h = wheelsets.mode_count[w]
    modal, modal_rate, modal_acc = work.q[o + 6 :], work.qd[o + 6 :], work.qdd[o + 6 :]
    spin_rate = work.qd6[u, 5]
    angle = mesh_angle_of(wheelsets, w, work.q6[u, 5])
    turning = wheelsets.mesh_mode[w] == LAGRANGIAN  # otherwise the rows stay as `prepare` made them
    motion = work.motion
    rotation = motion.rotation[u]
    t, r, slope = work.vectors[0], work.vectors[1], work.vectors[2]
    for side in range(2):
        if turning:
            point = state.contact_point[w, side]
            contact_point_rows(wheelsets, w, side, angle, point, work.tread[w, side], work.tread_slope[w, side])
            journal_rows(wheelsets, w, side, angle, work.journal[w, side])
        for c in NO_SPIN:
            work.shift[w, side, c] = row_times(work.tread[w, side], c, modal, 0, h)
        jm = work.journal_motion[w, side]
        modes, spin = (modal, modal_rate, modal_acc), (spin_rate, work.qdd6[u, 5])
        journal_motion(wheelsets.interface_position[w, side], work.journal[w, side], h, modes, spin, jm)
        p = model.units.mass.shape[0] + 2 * w + side
        pitch = 0.0
        pitch_rate = 0.0
        if wheelsets.box_pitch[w] == 1:
            pitch = modal[h + side]
            pitch_rate = modal_rate[h + side]
        # position and velocity of the journal centre, global
        cross(motion.omega_frame[u], jm[0], t)
        for i in range(3):
            t[i] += motion.velocity[u, i] + jm[1, i]
        rotate(rotation, t, work.poses.velocity[p])
        rotate(rotation, jm[0], r)
        for i in range(3):
            work.poses.position[p, i] = motion.position[u, i] + r[i]
        # angular velocity and axes of the box
        t[0] = motion.omega_frame[u, 0] + jm[4, 0]
        t[1] = motion.omega_frame[u, 1] + pitch_rate
        t[2] = motion.omega_frame[u, 2] + jm[4, 2]
        rotate(rotation, t, work.poses.omega[p])
        slope[0] = jm[3, 0]
        slope[1] = 0.0
        slope[2] = jm[3, 2]
        c = np.cos(pitch)
        s = np.sin(pitch)
        for j in range(3):
            r[0] = r[1] = r[2] = 0.0
            if j == 0:
                r[0] = c
                r[2] = -s
            elif j == 1:
                r[1] = 1.0
            else:
                r[0] = s
                r[2] = c
            cross(slope, r, t)
            for i in range(3):
                r[i] += t[i]
            for i in range(3):
                work.poses.rotation[p, i, j] = rotation[i, 0] * r[0] + rotation[i, 1] * r[1] + rotation[i, 2] * r[2]


@kernel
def evaluate(model, state, work):
    """Fill work.residual at the present iterate with the contact wrenches of `state.wrench`; forces at journals too."""
    units = model.units
    applied, external = work.applied, work.external
    for i in range(applied.shape[0]):
        for j in range(applied.shape[1]):
            applied[i, j] = external[i, j]
    suspension_forces(model.suspension, work.poses, work.spring_state, work.applied)
    add_drive(model, state, work)
    for u in range(units.mass.shape[0]):
        if units.wheelset[u] >= 0:
            wheelset(model, state, u, work)
        elif model.flexible.of_unit[u] >= 0:
            flexible_body(model, u, work)
        else:
            free_body(model, u, work)


@kernel
def drive_force(drive, speed, state):
    """Force [N] of the drive at a speed [m/s] of its unit."""
    force = drive.proportional * (state.drive_speed[0] - speed) + drive.integral * state.drive_integral[0]
    force += drive.mass * state.drive_speed[1]
    return min(max(force, -drive.limit), drive.limit)


@kernel
def add_drive(model, state, work):
    """Drive: a force along the track on one unit, or a torque on the driven wheelsets, each with its reaction."""
    drive = model.drive
    if drive.kind == 0:
        return
    u = drive.unit
    force = drive_force(drive, work.qd[model.units.offset[u]], state)
    if drive.kind == 1:
        a = work.track.rotation[u]
        for i in range(3):
            work.applied[u, i] += force * a[i, 0]
            work.applied[u, 3 + i] += force * drive.height * a[i, 1]
        return
    for w in range(model.wheelsets.unit.shape[0]):
        k, carrier = model.wheelsets.unit[w], drive.carrier[w]
        torque = force * model.wheelsets.radius[w] * drive.share[w]
        for i in range(3):
            work.applied[k, 3 + i] += torque * work.motion.rotation[k, i, 1]
            if carrier >= 0:
                work.applied[carrier, 3 + i] -= torque * work.motion.rotation[k, i, 1]


@kernel
def free_body(model, u, work):
    """Newton-Euler equations of a rigid body whose sixth coordinate is its pitch."""
    units = model.units
    motion = work.motion
    force, moment, t, om, al, iw = (
        work.vectors[0],
        work.vectors[1],
        work.vectors[2],
        work.vectors[3],
        work.vectors[4],
        work.vectors[5],
    )
    rotation = motion.rotation[u]
    pitch = work.q6[u, 5]
    turn_y(-pitch, motion.omega[u], om)
    turn_y(-pitch, motion.alpha[u], al)
    inertia = units.inertia[u]
    rotate(inertia, om, iw)
    cross(om, iw, t)
    rotate(inertia, al, iw)
    for i in range(3):
        t[i] += iw[i]
    turn_y(pitch, t, moment)
    for i in range(3):
        t[i] = -work.applied[u, i]
    t[2] += units.mass[u] * model.gravity
    rotate_back(rotation, t, force)
    for i in range(3):
        force[i] += units.mass[u] * motion.acceleration[u, i]
        work.measured[u, i] = motion.acceleration[u, i] + model.gravity * rotation[2, i]
        t[i] = work.applied[u, 3 + i]
    rotate_back(rotation, t, iw)
    for i in range(3):
        moment[i] -= iw[i]
    o = units.offset[u]
    for i in range(6):
        work.residual[o + i] = 0.0
    add_generalised_force(motion, u, force, moment, work.residual[o : o + 6])


@kernel(inline="always")
def packed_inertia(wheelsets, w):
    """PackedInertia of one wheelset."""
    h = wheelsets.mode_count[w]
    return PackedInertia(
        h,
        wheelsets.mass[w],
        wheelsets.s_x[w],
        wheelsets.s_h[w, :, :h],
        wheelsets.p_xx[w],
        wheelsets.p_xh[w, :, :, :h],
        slices_of(wheelsets.even, w),
        slices_of(wheelsets.odd, w),
    )


@kernel
def wheelset(model, state, u, work):
    """Equations of a wheelset with modes and axle boxes; contact wrenches from the state."""
    units = model.units
    wheelsets = model.wheelsets
    motion = work.motion
    w = units.wheelset[u]
    o = units.offset[u]
    h = wheelsets.mode_count[w]
    rotation = motion.rotation[u]
    v = work.vectors
    force, moment, t, acc, om, al, g = v[0], v[1], v[2], v[3], v[4], v[5], v[6]
    modal = work.modal
    q, qd, qdd = work.q[o + 6 :], work.qd[o + 6 :], work.qdd[o + 6 :]
    angle = mesh_angle_of(wheelsets, w, work.q6[u, 5])
    # gravity as an acceleration of the frame, E axes; then into mesh axes
    for i in range(3):
        g[i] = -model.gravity * rotation[2, i]
        t[i] = motion.acceleration[u, i] - g[i]
        work.measured[u, i] = t[i]
    turn_y(-angle, t, acc)
    turn_y(-angle, motion.omega[u], om)
    turn_y(-angle, motion.alpha[u], al)
    inertia_forces(packed_inertia(wheelsets, w), acc, om, al, q[:h], qd[:h], qdd[:h], force, moment, modal)
    structural_forces(wheelsets.frequency[w, :h], wheelsets.damping[w, :h], q[:h], qd[:h], modal)
    if wheelsets.centrifugal[w] == 1:
        geometric_forces(slices_of(wheelsets.geometric, w), om, al, q[:h], qd[:h], moment, modal)
    turn_y(angle, force, t)
    for i in range(3):
        force[i] = t[i]
    turn_y(angle, moment, t)
    for i in range(3):
        moment[i] = t[i]
    # suspension and drive acting directly on the wheelset, global axes
    for i in range(3):
        t[i] = work.applied[u, i]
    rotate_back(rotation, t, acc)
    for i in range(3):
        force[i] -= acc[i]
        t[i] = work.applied[u, 3 + i]
    rotate_back(rotation, t, acc)
    for i in range(3):
        moment[i] -= acc[i]
    for side in range(2):
        add_journal(model, state, w, side, g, (force, moment, modal), work)
        add_contact(model, state, w, side, (force, moment, modal), work)
    for i in range(6):
        work.residual[o + i] = 0.0
    add_generalised_force(motion, u, force, moment, work.residual[o : o + 6])
    for k in range(h):
        work.residual[o + 6 + k] = modal[k]


@kernel
def add_journal(model, state, w, side, g, sums, work):
    """Demand of one axle box, at its journal; g: gravity, E axes; sums: force, moment, modal forces of the wheelset."""
    wheelsets = model.wheelsets
    u, h = wheelsets.unit[w], wheelsets.mode_count[w]
    force, moment, modal = sums
    motion = work.motion
    p = model.units.mass.shape[0] + 2 * w + side
    o = model.units.offset[u]
    demand = work.wrench6
    v = work.vectors
    applied, t = work.applied6, v[9]
    rotation = motion.rotation[u]
    rotate_back(rotation, work.applied[p, :3], applied[:3])
    rotate_back(rotation, work.applied[p, 3:], applied[3:])
    pitch = pitch_rate = pitch_acc = 0.0
    if wheelsets.box_pitch[w] == 1:
        k = o + 6 + h + side
        pitch, pitch_rate, pitch_acc = work.q[k], work.qd[k], work.qdd[k]
    box = BoxBody(wheelsets.box_mass[w, side], wheelsets.box_inertia[w, side], wheelsets.box_centre[w, side])
    frame = FrameMotion(motion.acceleration[u], motion.omega_frame[u], work.alpha_frame[u], g)
    turn = pitch, pitch_rate, pitch_acc
    box_demand(box, turn, work.journal_motion[w, side], frame, applied, demand, work.box_scratch)
    if wheelsets.box_pitch[w] == 1:
        work.residual[o + 6 + h + side] = demand[4]
    demand[4] = 0.0
    for i in range(3):
        work.box_measured[w, side, i] = work.box_scratch[3, i]  # as box_demand leaves it: of the mass centre, E axes
    for i in range(6):
        state.interface_force[w, side, i] = -demand[i]
    for i in range(3):
        force[i] += demand[i]
        moment[i] += demand[3 + i]
    cross(work.journal_motion[w, side, 0], demand[:3], t)
    for i in range(3):
        moment[i] += t[i]
    rows = work.journal[w, side]
    add_columns(rows, 6, demand, modal, 0, h)


@kernel
def add_contact(model, state, w, side, sums, work):
    """Contact wrench of one wheel about its profile origin, track axes, taken to the wheelset; sums: as before."""
    wheelsets = model.wheelsets
    u, h = wheelsets.unit[w], wheelsets.mode_count[w]
    force, moment, modal = sums
    v = work.vectors
    f, m, p, t = v[9], v[10], v[11], v[12]
    to_track = work.to_track[u]
    rotate_back(to_track, state.wrench[w, side, :3], f)
    rotate_back(to_track, state.wrench[w, side, 3:], m)
    shift = work.shift[w, side]
    p[0] = shift[0]
    p[1] = wheelsets.lateral[w, side] + shift[1]
    p[2] = -wheelsets.radius[w] - work.roundness[w, side, 0] + shift[2]
    cross(p, f, t)
    for i in range(3):
        force[i] -= f[i]
        moment[i] -= m[i] + t[i]
    load = work.profile_rate  # scratch
    for i in range(3):
        load[i] = -f[i]
        load[3 + i] = -m[i]
    add_columns(work.tread[w, side], 6, load, modal, 0, h)
