"""Motion and equations of the flexible bodies that do not spin: floating frame with modes, forces at attachments.

Poses of the places, attachments and points, follow those of axle boxes. Arms and turns stand in body axes.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.floating_frame import inertia_forces
from flexwheel.vehicle.kinematics import add_generalised_force
from flexwheel.vehicle.modal_bodies import body_inertia
from flexwheel.vehicle.products import add_columns, row_times
from flexwheel.vehicle.step.vectors import add_cross, cross, rotate, rotate_back, turn_y
from flexwheel.vehicle.structural import structural_energy, structural_forces

ARM, RATE, TURN, TURN_RATE = 0, 1, 2, 3
"""Rows of work.places: place as it is deformed and its rate, rotation and its rate."""


@kernel
def first_place(model):
    """Pose of the first place."""
    return model.units.mass.shape[0] + 2 * model.wheelsets.unit.shape[0]


@kernel
def places_motion(model, work):
    """Poses of all places from the present iterate."""
    bodies, motion, poses = model.flexible, work.motion, work.poses
    first, v = first_place(model), work.vectors
    arm, t, column = v[0], v[1], v[2]
    for a in range(bodies.owner.shape[0]):
        f = bodies.owner[a]
        u, h = bodies.unit[f], bodies.mode_count[f]
        o, p, place, rows = model.units.offset[u] + 6, first + a, work.places[a], bodies.rows[a]
        for i in range(3):
            place[ARM, i] = bodies.place[a, i] + row_times(rows, i, work.q, o, h)
            place[RATE, i] = row_times(rows, i, work.qd, o, h)
            place[TURN, i] = row_times(rows, 3 + i, work.q, o, h)
            place[TURN_RATE, i] = row_times(rows, 3 + i, work.qd, o, h)
        rotation, omega = motion.housing_rotation[u], motion.housing_omega[u]
        rotate(rotation, place[ARM], arm)
        rotate(rotation, place[RATE], t)
        add_cross(omega, arm, t)
        for i in range(3):
            poses.position[p, i] = motion.position[u, i] + arm[i]
            poses.velocity[p, i] = motion.housing_velocity[u, i] + t[i]
        rotate(rotation, place[TURN_RATE], t)
        for i in range(3):
            poses.omega[p, i] = omega[i] + t[i]
        for j in range(3):
            arm[0] = arm[1] = arm[2] = 0.0
            arm[j] = 1.0
            cross(place[TURN], arm, t)
            for i in range(3):
                t[i] += arm[i]
            rotate(rotation, t, column)
            for i in range(3):
                poses.rotation[p, i, j] = column[i]


@kernel
def flexible_body(model, u, work):
    """Equations of motion of a flexible body whose sixth coordinate is its pitch."""
    bodies, motion, v = model.flexible, work.motion, work.vectors
    f = bodies.of_unit[u]
    o, h, first = model.units.offset[u], bodies.mode_count[f], first_place(model)
    force, moment, t, acc, om, al = v[0], v[1], v[2], v[3], v[4], v[5]
    modal, load, pitch = work.modal, work.wrench6, work.q6[u, 5]
    q, qd, qdd = work.q[o + 6 : o + 6 + h], work.qd[o + 6 : o + 6 + h], work.qdd[o + 6 : o + 6 + h]
    for i in range(3):
        t[i] = motion.acceleration[u, i] + model.gravity * motion.rotation[u, 2, i]
        work.measured[u, i] = t[i]
    turn_y(-pitch, t, acc)
    turn_y(-pitch, motion.omega[u], om)
    turn_y(-pitch, motion.alpha[u], al)
    inertia_forces(body_inertia(bodies, f), acc, om, al, q, qd, qdd, force, moment, modal)
    structural_forces(bodies.frequency[f, :h], bodies.damping[f, :h], q, qd, modal)
    rotation = motion.housing_rotation[u]
    rotate_back(rotation, work.applied[u, :3], t)
    rotate_back(rotation, work.applied[u, 3:], acc)
    for i in range(3):
        force[i] -= t[i]
        moment[i] -= acc[i]
    for a in range(bodies.start[f], bodies.start[f + 1]):
        rotate_back(rotation, work.applied[first + a, :3], t)
        rotate_back(rotation, work.applied[first + a, 3:], acc)
        cross(work.places[a, ARM], t, om)
        for i in range(3):
            force[i] -= t[i]
            moment[i] -= acc[i] + om[i]
            load[i] = -t[i]
            load[3 + i] = -acc[i]
        add_columns(bodies.rows[a], 6, load, modal, 0, h)
    turn_y(pitch, force, t)
    turn_y(pitch, moment, acc)
    for i in range(6):
        work.residual[o + i] = 0.0
    add_generalised_force(motion, u, t, acc, work.residual[o : o + 6])
    for k in range(h):
        work.residual[o + 6 + k] = modal[k]


@kernel
def place_row(model, a, c, row, n):
    """Row c of the (6, n) map from the accelerations of a flexible body to those of place a."""
    bodies = model.flexible
    for j in range(n):
        row[j] = 0.0
    x, y, z = bodies.place[a, 0], bodies.place[a, 1], bodies.place[a, 2]
    if c == 0:
        row[0], row[3], row[5] = 1.0, -y, z
    elif c == 1:
        row[1], row[3], row[4] = 1.0, x, -z
    elif c == 2:
        row[2], row[4], row[5] = 1.0, y, -x
    elif c == 3:
        row[4] = 1.0
    elif c == 4:
        row[5] = 1.0
    else:
        row[3] = 1.0
    for k in range(bodies.mode_count[bodies.owner[a]]):
        row[6 + k] = bodies.rows[a, c, k]


@kernel
def accept_places(model, work):
    """Elastic displacement, acceleration less gravity (body axes) and stress of all places, into `work`.

    After `accept_measured`; the angular acceleration is brought to the accepted step as there.
    """
    bodies, motion, v, step = model.flexible, work.motion, work.vectors, work.step
    t, om, al, c = v[0], v[1], v[2], v[3]
    for a in range(bodies.owner.shape[0]):
        f = bodies.owner[a]
        u, h = bodies.unit[f], bodies.mode_count[f]
        o, pitch, J = model.units.offset[u], work.q6[u, 5], motion.jacobian[u]
        arm, own = work.places[a, ARM], work.place_motion[a]
        t[0] = motion.alpha[u, 0] + J[3, 0] * step[o] + step[o + 4]
        t[1] = motion.alpha[u, 1] + J[4, 0] * step[o] + J[4, 3] * step[o + 3] + step[o + 5]
        t[2] = motion.alpha[u, 2] + J[5, 0] * step[o] + J[5, 3] * step[o + 3]
        turn_y(-pitch, t, al)
        turn_y(-pitch, motion.omega[u], om)
        turn_y(-pitch, work.measured[u], own[1])
        add_cross(al, arm, own[1])
        cross(om, arm, c)
        for i in range(3):
            own[0, i] = row_times(bodies.rows[a], i, work.q, o + 6, h)
            own[1, i] += row_times(bodies.rows[a], i, work.qdd, o + 6, h)
            c[i] += 2.0 * work.places[a, RATE, i]
        add_cross(om, c, own[1])
        for i in range(6 * bodies.point[a]):
            work.place_stress[a, i] = row_times(bodies.stress[a], i, work.q, o + 6, h)


@kernel
def modal_kinetic_energy(inertia, angle, u, h, model, work):
    """Of unit u with its h modes [J]: half its momenta times its velocities, on axes turned back by `angle` [rad].

    Leaves these velocities in work.vectors[:2], zeros in work.vectors[2] and work.step[:h].
    """
    motion, v, o = work.motion, work.vectors, model.units.offset[u] + 6
    velocity, omega, still, force, moment, modal = v[0], v[1], v[2], v[3], v[4], work.modal
    turn_y(-angle, motion.velocity[u], velocity)
    turn_y(-angle, motion.omega[u], omega)
    still[:], work.step[:h] = 0.0, 0.0
    rate, rest = work.qd[o : o + h], work.step[:h]
    inertia_forces(inertia, velocity, still, omega, work.q[o : o + h], rest, rate, force, moment, modal)
    energy = 0.0
    for i in range(3):
        energy += 0.5 * (force[i] * velocity[i] + moment[i] * omega[i])
    for k in range(h):
        energy += 0.5 * modal[k] * rate[k]
    return energy


@kernel
def flexible_modal_energy(model, work):
    """Elastic energy of the modes of all flexible bodies [J]."""
    bodies, energy = model.flexible, 0.0
    for f in range(bodies.unit.shape[0]):
        o, h = model.units.offset[bodies.unit[f]] + 6, bodies.mode_count[f]
        energy += structural_energy(bodies.frequency[f, :h], work.q[o : o + h])
    return energy
