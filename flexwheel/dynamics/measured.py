"""What accelerometers on bodies and axle boxes measure, brought from the last iterate to the accepted step."""

from flexwheel.bodies.products import row_times
from flexwheel.dynamics.vectors import add_cross
from flexwheel.kernels import kernel


@kernel
def accept_measured(model, work):
    """Add to work.measured and work.box_measured what the last change of the accelerations (work.step) does there.

    The residual leaves both at the iterate before that change; without it they would lag by the predictor's error, 4e-4
    of a motion of 230 Hz at 5e-5 s. The change of the rates within the last iteration, gamma dt times as large, is left
    out.
    """
    units, wheelsets, J, step = model.units, model.wheelsets, work.motion.jacobian, work.step
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
            box, rows = work.box_measured[w, side], work.journal[w, side]
            for i in range(3):
                box[i] += motion[i] + row_times(rows, i, step, o + 6, wheelsets.mode_count[w])
            add_cross(turn, work.journal_motion[w, side, 0], box)
