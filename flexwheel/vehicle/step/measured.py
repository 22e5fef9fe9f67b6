"""What accelerometers measure and what journals transmit, brought from the last iterate to the accepted step."""

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.products import row_times
from flexwheel.vehicle.step.vectors import add_cross, rotate


@kernel
def accept_measured(model, state, work):
    """Bring measured accelerations and the forces at the journals to the accepted step.

    The residual leaves both at the iterate before the last change of the accelerations (work.step). Without that change
    they would lag by the predictor's error: 4e-4 of a motion of 230 Hz at 5e-5 s, 2 to 9 % of the journals' forces at
    1 kHz. The change of the rates within the last iteration, gamma dt times as large, is left out.
    """
    units, J, step = model.units, work.motion.jacobian, work.step
    turn, motion = work.vectors[0], work.vectors[1]
    for u in range(units.mass.shape[0]):
        o, w = units.offset[u], units.wheelset[u]
        for i in range(3):
            motion[i] = J[u, i, 0] * step[o] + J[u, i, 1] * step[o + 1] + J[u, i, 2] * step[o + 2]
            work.measured[u, i] += motion[i]
        if w < 0:
            continue
        turn[0] = J[u, 3, 0] * step[o] + step[o + 4]
        turn[1] = J[u, 4, 0] * step[o] + J[u, 4, 3] * step[o + 3]
        turn[2] = J[u, 5, 0] * step[o] + J[u, 5, 3] * step[o + 3]
        for side in range(2):
            accept_box(model, state, w, side, (motion, turn), work)


@kernel
def accept_box(model, state, w, side, change, work):
    """The same of one axle box; change: of the wheelset's acceleration and angular acceleration."""
    wheelsets = model.wheelsets
    h, o = wheelsets.mode_count[w], model.units.offset[wheelsets.unit[w]] + 6
    rows, step, centre = work.journal[w, side], work.step, wheelsets.box_centre[w, side]
    motion, turn = change
    own, own_turn, force, moment = work.vectors[2], work.vectors[3], work.vectors[4], work.vectors[5]
    for i in range(3):
        own[i] = motion[i] + row_times(rows, i, step, o, h)
        own_turn[i] = turn[i] + row_times(rows, 3 + i, step, o, h)
    own_turn[1] = turn[1] + (step[o + h + side] if wheelsets.box_pitch[w] == 1 else 0.0)
    add_cross(turn, work.journal_motion[w, side, 0], own)
    for i in range(3):
        work.box_measured[w, side, i] += own[i]
    add_cross(own_turn, centre, own)
    for i in range(3):
        force[i] = wheelsets.box_mass[w, side] * own[i]
    rotate(wheelsets.box_inertia[w, side], own_turn, moment)
    add_cross(centre, force, moment)
    for i in range(3):
        state.interface_force[w, side, i] -= force[i]
        if i != 1:  # the bearing passes no moment about the axle
            state.interface_force[w, side, 3 + i] -= moment[i]
