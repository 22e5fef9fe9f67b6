"""All equations of motion and contact laws at a given state, without a time step: for statics and linearisation."""

from flexwheel.numerics.kernels import handle, kernel
from flexwheel.vehicle.step.contact_motion import profile_motion
from flexwheel.vehicle.step.contact_system import call_law, law_entry
from flexwheel.vehicle.step.residual import WHOLE, call_residual, residual_entry
from flexwheel.vehicle.step.wheelset_rows import link_rows
from flexwheel.vehicle.suspension import link


def balance_arguments(model, state, work, contact_work):
    """First arguments of `balance`: its entries, compiled, and the handles."""
    link(model.suspension)
    link_rows(model.wheelsets)
    handles = [handle(item) for item in (model, state, work, contact_work)]
    return residual_entry(*handles[:3]), law_entry(handle(model.contact[0]), handles[3], work), *handles


@kernel
def balance(residual, law, model, state, work, contact_work, rail_compliance, rail_offset, dt, forces):
    """Residual of the equations of motion in work.residual, contact wrenches by the contact law in `forces`.

    Parameters
    ----------
    residual, law : Entry          of `residual_entry` and `law_entry`
    model, state, work, contact_work : handles   iterate in work.q, work.qd, work.qdd, wrenches in state.wrench
    rail_compliance : (4, 4)       static, of each rail head, under the wrenches of the state
    rail_offset : (W, 2, 3, 4)     displacement of the rail heads besides, their velocity, their slope along the track
    dt : float                     0: internal states of force elements settle; -1: they are held as accepted
    forces : (W, 2, 6)             out, track axes

    Returns
    -------
    status : int    0, or 1 + 2 w + side of the first wheel that has left its rail
    """
    call_residual(residual, (model, state, work, dt, WHOLE))
    found = 0
    for w in range(forces.shape[0]):
        for side in range(2):
            for i in range(4):
                s = rail_offset[w, side, 0, i]
                for j in range(4):
                    s -= rail_compliance[i, j] * state.wrench[w, side, j]
                work.rail[w, side, 0, i] = s
                work.rail[w, side, 1, i] = rail_offset[w, side, 1, i]
                work.rail[w, side, 2, i] = rail_offset[w, side, 2, i]
                work.irregularity[w, side, i] = 0.0
            profile_motion(model, state, w, side, work)
            if call_law(law, model, w, side, contact_work, work) != 0 and found == 0:
                found = 1 + 2 * w + side
            for c in range(6):
                forces[w, side, c] = work.contact_force[w, side, c]
    return found
