"""Energy of a vehicle at the motion in a Workspace: kinetic, of weight, of the flexible wheelsets' modes.

The kinetic energy of a flexible body is half its generalised momenta times its velocities; the momenta are the inertia
forces with velocities in the place of accelerations and no rotation besides. The centrifugal prestress comes from the
Lagrangian term -1/2 Omega^2 w^T K_g w, which is quadratic in the rates and so counts as kinetic energy.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.modal_bodies import body_inertia
from flexwheel.vehicle.row_slices import slices_of
from flexwheel.vehicle.step.iteration_matrix import mesh_angle_of
from flexwheel.vehicle.step.modal_body import flexible_modal_energy, modal_kinetic_energy
from flexwheel.vehicle.step.residual import packed_inertia
from flexwheel.vehicle.step.vectors import add_cross, cross, rotate, turn_y
from flexwheel.vehicle.structural import geometric_forces, structural_energy


@kernel
def dot(a, b):
    """Product of two vectors (3,)."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def kinetic_energy(model, work):
    """Of all bodies, modes and axle boxes [J]."""
    units, motion, turned = model.units, work.motion, work.vectors[0]
    energy = 0.0
    for u in range(units.mass.shape[0]):
        if units.wheelset[u] >= 0:
            energy += wheelset_kinetic_energy(model, u, work)
            continue
        f = model.flexible.of_unit[u]
        if f >= 0:
            inertia, h = body_inertia(model.flexible, f), model.flexible.mode_count[f]
            energy += modal_kinetic_energy(inertia, work.q6[u, 5], u, h, model, work)
            continue
        turn_y(-work.q6[u, 5], motion.omega[u], turned)
        rotate(units.inertia[u], turned, work.vectors[1])
        energy += 0.5 * units.mass[u] * dot(motion.velocity[u], motion.velocity[u])
        energy += 0.5 * dot(turned, work.vectors[1])
    return energy


@kernel
def wheelset_kinetic_energy(model, u, work):
    """Of one wheelset with its modes and boxes."""
    wheelsets, v, w = model.wheelsets, work.vectors, model.units.wheelset[u]
    o, h = model.units.offset[u] + 6, wheelsets.mode_count[w]
    q, rest, still, modal = work.q[o : o + h], work.step[:h], v[2], work.modal
    angle = mesh_angle_of(wheelsets, w, work.q6[u, 5])
    energy = modal_kinetic_energy(packed_inertia(wheelsets, w), angle, u, h, model, work)
    if wheelsets.centrifugal[w] == 1:
        for k in range(h):
            modal[k] = 0.0
        geometric_forces(slices_of(wheelsets.geometric, w), v[1], still, q, rest, v[4], modal)
        for k in range(h):
            energy -= 0.5 * q[k] * modal[k]
    for side in range(2):
        energy += box_kinetic_energy(model, w, side, work)
    return energy


@kernel
def box_kinetic_energy(model, w, side, work):
    """Of one axle box: see axle_box.box_demand."""
    wheelsets, v = model.wheelsets, work.vectors
    u = wheelsets.unit[w]
    omega, jm, frame = v[0], work.journal_motion[w, side], work.motion.omega_frame[u]
    velocity, turned, momentum = v[1], v[2], v[3]
    pitch, pitch_rate = box_pitch(model, w, side, work)
    omega[0], omega[1], omega[2] = frame[0] + jm[4, 0], frame[1] + pitch_rate, frame[2] + jm[4, 2]
    box_centre(model, w, side, pitch, work)
    for i in range(3):
        velocity[i] = work.motion.velocity[u, i] + jm[1, i]
    add_cross(frame, jm[0], velocity)
    add_cross(omega, v[5], velocity)
    turn_y(-pitch, omega, turned)
    rotate(wheelsets.box_inertia[w, side], turned, momentum)
    return 0.5 * (wheelsets.box_mass[w, side] * dot(velocity, velocity) + dot(turned, momentum))


@kernel
def box_pitch(model, w, side, work):
    """Pitch of an axle box [rad] and its rate."""
    if model.wheelsets.box_pitch[w] == 0:
        return 0.0, 0.0
    k = model.units.offset[model.wheelsets.unit[w]] + 6 + model.wheelsets.mode_count[w] + side
    return work.q[k], work.qd[k]


@kernel
def box_centre(model, w, side, pitch, work):
    """Mass centre of an axle box from its journal, E axes, into work.vectors[5]."""
    v, jm = work.vectors, work.journal_motion[w, side]
    turn_y(pitch, model.wheelsets.box_centre[w, side], v[5])
    v[6, 0], v[6, 1], v[6, 2] = jm[3, 0], 0.0, jm[3, 2]
    cross(v[6], v[5], v[7])
    for i in range(3):
        v[5, i] += v[7, i]


@kernel
def weight_energy(model, work):
    """Of the weight of everything, by its height above the start of the track [J]."""
    units, wheelsets, motion, v = model.units, model.wheelsets, work.motion, work.vectors
    moment = 0.0  # mass times height
    for u in range(units.mass.shape[0]):
        moment += units.mass[u] * motion.position[u, 2]
        w = units.wheelset[u]
        if w < 0:
            continue
        o = units.offset[u] + 6
        for i in range(3):
            v[0, i] = wheelsets.s_x[w, i]
            for k in range(wheelsets.mode_count[w]):
                v[0, i] += wheelsets.s_h[w, i, k] * work.q[o + k]
        turn_y(mesh_angle_of(wheelsets, w, work.q6[u, 5]), v[0], v[1])
        moment += dot(motion.rotation[u, 2], v[1])
        for side in range(2):
            box_centre(model, w, side, box_pitch(model, w, side, work)[0], work)
            for i in range(3):
                v[5, i] += work.journal_motion[w, side, 0, i]
            moment += wheelsets.box_mass[w, side] * (motion.position[u, 2] + dot(motion.rotation[u, 2], v[5]))
    return model.gravity * moment


@kernel
def modal_energy(model, work):
    """Elastic energy of the modes of wheelsets and flexible bodies [J]."""
    energy = flexible_modal_energy(model, work)
    for w in range(model.wheelsets.unit.shape[0]):
        o, h = model.units.offset[model.wheelsets.unit[w]] + 6, model.wheelsets.mode_count[w]
        energy += structural_energy(model.wheelsets.frequency[w, :h], work.q[o : o + h])
    return energy
