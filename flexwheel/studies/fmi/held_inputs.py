"""Inputs of the unit of a vehicle, which stand still over a communication step.

- `force.BODY.x`, `moment.BODY.x`: on every body, in the axes of the track at its arc length, about its reference point;
- `torque.WHEELSET`: about the axle, positive drives forward; its reaction acts on the body that carries the wheelset;
- `brake.WHEELSET`: a torque against the spin at the beginning of the communication step, with the same reaction.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.run.build.build_drive import motor_carrier
from flexwheel.studies.fmi.model_description import UnitVariable

LARGEST = 1e9  # [N, N m]
SPIN = 5  # coordinate of a wheelset


def held_inputs(simulation):
    """UnitVariable of every input, in order."""
    assembly = simulation.assembly
    wheelsets = [w.name for w in assembly.wheelset_specs]
    forces = [
        UnitVariable(f"{what}.{body}.{axis}", "input", unit, f"{meaning} {body}, track axes", 0.0, -LARGEST, LARGEST)
        for body in assembly.unit_names
        for what, unit, meaning in (("force", "N", "force on"), ("moment", "N m", "moment on"))
        for axis in "xyz"
    ]
    bearers = ["the ground" if c < 0 else assembly.unit_names[c] for c in carriers(simulation)]
    torques = [
        UnitVariable(
            f"{what}.{name}", "input", "N m", f"torque on {name}, {meaning}, reaction on {bearer}", 0.0, least, LARGEST
        )
        for what, meaning, least in (("torque", "drives forward", -LARGEST), ("brake", "against its spin", 0.0))
        for name, bearer in zip(wheelsets, bearers, strict=True)
    ]
    return [*forces, *torques]


def carriers(simulation):
    """Unit that bears the reaction of a torque on each wheelset; -1: the ground."""
    found = []
    for w in range(len(simulation.assembly.wheelset_specs)):
        try:
            found.append(motor_carrier(simulation.vehicle, simulation.assembly, simulation.model.suspension, w))
        except ScenarioError:  # elements to several bodies, and no frame named: none of them
            found.append(-1)
    return found


def apply_inputs(simulation, values, _seconds):
    """Put the inputs into the wrenches from outside, for a communication step."""
    model, state, work = simulation.model, simulation.state, simulation.work
    units = len(simulation.assembly.unit_names)
    wrench = values[: 6 * units].reshape(units, 6).copy()
    torque, brake = values[6 * units :].reshape(2, -1)
    for w, carrier in enumerate(carriers(simulation)) if np.any(values[6 * units :]) else ():
        unit = model.wheelsets.unit[w]
        moment = torque[w] - brake[w] * np.sign(state.history[0, 1, model.units.offset[unit] + SPIN])
        wrench[unit, 4] += moment
        if carrier >= 0:
            wrench[carrier, 4] -= moment
    rotation = work.track.rotation[:units]
    work.external[:units, :3] = np.einsum("uij,uj->ui", rotation, wrench[:, :3])
    work.external[:units, 3:] = np.einsum("uij,uj->ui", rotation, wrench[:, 3:])
