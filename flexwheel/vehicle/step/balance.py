"""All equations of motion and contact laws at a given state, without a time step: for statics and linearisation."""

import numpy as np

from flexwheel.numerics.kernels import handle, kernel
from flexwheel.vehicle.step.contact_motion import profile_motion
from flexwheel.vehicle.step.contact_system import call_law, crown_arm, law_entry
from flexwheel.vehicle.step.residual import WHOLE, call_residual, residual_entry
from flexwheel.vehicle.step.wheelset_rows import link_rows
from flexwheel.vehicle.suspension import link

MOST_YIELDING = 20  # each leaves about a hundredth of what the last one did
LEAST_YIELDING = 1e-17  # [m, rad]


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
                for level in range(3):
                    work.rail[w, side, level, i] = rail_offset[w, side, level, i]
                work.irregularity[w, side, i] = 0.0
            profile_motion(model, state, w, side, work)
            for _ in range(MOST_YIELDING):
                if not rail_yields(rail_compliance, rail_offset[w, side, 0], model, state, w, side, work):
                    break
            if call_law(law, model, w, side, contact_work, work) != 0 and found == 0:
                found = 1 + 2 * w + side
            for c in range(6):
                forces[w, side, c] = work.contact_force[w, side, c]
    return found


@kernel
def rail_yields(compliance, offset, model, state, w, side, work):
    """Displace a rail head by the wrench of its wheel about the crown as it lies, and the profile against it.

    Returns whether it has moved.
    """
    wrench, rail, moved = state.wrench[w, side], work.rail[w, side, 0], False
    y, z = crown_arm(model, w, side, work)
    roll = wrench[3] + y * wrench[2] - z * wrench[1]
    for i in range(4):
        place = offset[i] - compliance[i, 3] * roll
        for j in range(3):
            place -= compliance[i, j] * wrench[j]
        moved = moved or abs(place - rail[i]) > LEAST_YIELDING
        rail[i] = place
    if moved:
        profile_motion(model, state, w, side, work)
    return moved


def on_rail_heads(model, work, wrench):
    """Forces (W, 2, 4) on the rail heads under the wrenches (W, 2, 6), moment about the crown, at the work's pose."""
    offset = np.reshape([tables.offset for tables in model.contact], (-1, 2))
    roll, y, z = work.rail[:, :, 0, 3], (work.pose[:, :, 1] + offset) * np.array([1.0, -1.0]), work.pose[:, :, 2]
    y, z = np.cos(roll) * y - np.sin(roll) * z, np.sin(roll) * y + np.cos(roll) * z
    force = -wrench[:, :, :4]
    force[:, :, 3] -= y * wrench[:, :, 2] - z * wrench[:, :, 1]
    return force
