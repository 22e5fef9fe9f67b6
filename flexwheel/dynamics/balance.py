"""All equations of motion and contact laws at a given state, without a time step: for statics and linearisation."""


from flexwheel.bodies.suspension import suspension_propose
from flexwheel.contact.wheel_rail import wheel_rail_contact
from flexwheel.dynamics.contact_motion import flip, profile_motion
from flexwheel.dynamics.residual import evaluate, update_motion
from flexwheel.kernel import kernel


@kernel()
def balance(model, state, work, contact_work, rail_compliance, rail_offset, forces):
    """Residual of the equations of motion in work.residual, contact wrenches by the contact law in `forces`.

    Parameters
    ----------
    model, state, work, contact_work : handles   iterate in work.q, work.qd, work.qdd, wrenches in state.wrench
    rail_compliance : (4, 4)       static, of each rail head, under the wrenches of the state
    rail_offset : (W, 2, 4)        displacement of the rail heads besides
    forces : (W, 2, 6)             out, track axes

    Returns
    -------
    status : int    0, or 1 where a wheel has left its rail
    """
    update_motion(model, state, work)
    suspension_propose(
        model.suspension,
        work.pose_position,
        work.pose_rotation,
        work.pose_velocity,
        work.pose_omega,
        0.0,
        work.spring_state,
    )
    evaluate(model, state, work)
    found = 0
    for w in range(forces.shape[0]):
        for side in range(2):
            for i in range(4):
                s = rail_offset[w, side, i]
                for j in range(4):
                    s -= rail_compliance[i, j] * state.wrench[w, side, j]
                work.rail[w, side, 0, i] = s
                work.rail[w, side, 1, i] = 0.0
                work.rail[w, side, 2, i] = 0.0
                work.irregularity[w, side, i] = 0.0
            profile_motion(model, state, w, side, work)
            status, count = wheel_rail_contact(
                model.contact,
                model.wheelsets.radius[w],
                work.pose[w, side],
                work.rate[w, side],
                work.gap_rate[w, side, 1:4],
                model.speed,
                contact_work,
                work.patches[w, side],
                work.contact_force[w, side],
                work.jac_pose[side],
                work.jac_rate[side],
            )
            work.patch_count[w, side] = count
            if status != 0:
                found = 1
            for c in range(6):
                forces[w, side, c] = work.contact_force[w, side, c]
            if side == 1:
                flip(forces[w, side])
    return found
