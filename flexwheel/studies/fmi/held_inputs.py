"""Inputs of the unit of a vehicle, which stand still over a communication step but for heights and the speed held.

- `force.BODY.x`, `moment.BODY.x`: on every body, in the axes of the track at its arc length, about its reference point;
- `torque.WHEELSET`: about the axle, positive drives forward; its reaction acts on the body that carries the wheelset;
- `brake.WHEELSET`: a torque against the spin at the beginning of the communication step, with the same reaction;
- `track_height.WHEELSET.left`, `.right`: height of the rail under the wheel beside its irregularity, up positive; from
  the height before it rises in proportion to the way, to the new one at the end of the communication step;
- `drive.speed`, where there is a drive and no run.speed_profile_s_kmh: speed that it holds; from the one before it goes
  evenly in time to the new one at the end of the communication step. Until it is set it is run.speed_kmh.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import SIDES
from flexwheel.run.build.build_drive import motor_carrier
from flexwheel.studies.fmi.model_description import UnitVariable

LARGEST = 1e9  # [N, N m]
HEIGHTS = 0.0, -1.0, 1.0  # [m] of a rail: start, least, most
FASTEST = 500.0 / 3.6  # [m/s], largest run.speed_kmh
LEAST_WAY = 1e-6  # [m] of a communication step over which a rail rises; a vehicle at rest stays on its height
SPIN = 5  # coordinate of a wheelset
SPEED_HELD = "drive.speed"


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
    heights = [
        UnitVariable(f"track_height.{name}.{side}", "input", "m", f"rail under the {side} wheel of {name}", *HEIGHTS)
        for name in wheelsets
        for side in SIDES
    ]
    return [*forces, *torques, *heights, *_speed_held(simulation)]


def inputs_at_start(variables):
    """Values of inputs at the start; nan for the speed held, which is then that of the run."""
    return np.array([np.nan if v.name == SPEED_HELD else 0.0 for v in variables])


def _speed_held(simulation):
    """The input `drive.speed`, where a drive acts that no profile leads."""
    if simulation.model.drive.kind == 0 or len(simulation.model.drive.profile):
        return []
    start, meaning = float(simulation.state.drive_speed[0]), "speed that the drive holds; starts as run.speed_kmh"
    return [UnitVariable(SPEED_HELD, "input", "m/s", meaning, start, 0.0, FASTEST)]


def carriers(simulation):
    """Unit that bears the reaction of a torque on each wheelset; -1: the ground."""
    found = []
    for w in range(len(simulation.assembly.wheelset_specs)):
        try:
            found.append(motor_carrier(simulation.vehicle, simulation.assembly, simulation.model.suspension, w))
        except ScenarioError:  # elements to several bodies, and no frame named: none of them
            found.append(-1)
    return found


def apply_inputs(simulation, values, seconds):
    """Put the inputs into the wrenches and heights from outside, for a communication step of so many seconds."""
    model, work = simulation.model, simulation.work
    now = simulation.state.history[0, :2, model.units.offset[model.wheelsets.unit]]  # (W, 2) way and speed
    units, wheelsets = len(simulation.assembly.unit_names), len(model.wheelsets.unit)
    parts = np.cumsum([6 * units, wheelsets, wheelsets, 2 * wheelsets])
    forces, torque, brake, heights, speed_held = np.split(values, parts)
    wrench = forces.reshape(units, 6).copy()
    for w, carrier in enumerate(carriers(simulation)) if np.any(torque) or np.any(brake) else ():
        unit = model.wheelsets.unit[w]
        spin = simulation.state.history[0, 1, model.units.offset[unit] + SPIN]
        moment = torque[w] - brake[w] * np.sign(spin)
        wrench[unit, 4] += moment
        if carrier >= 0:
            wrench[carrier, 4] -= moment
    rotation = work.track.rotation[:units]
    work.external[:units, :3] = np.einsum("uij,uj->ui", rotation, wrench[:, :3])
    work.external[:units, 3:] = np.einsum("uij,uj->ui", rotation, wrench[:, 3:])
    for rails, (place, speed), wanted in zip(work.track_height, now, heights.reshape(-1, 2), strict=True):
        rails[:, 0] += rails[:, 2] * (place - rails[:, 1])
        rails[:, 1] = place
        rails[:, 2] = (wanted - rails[:, 0]) / (speed * seconds) if abs(speed) * seconds > LEAST_WAY else 0.0
    held = simulation.state.drive_speed
    for wanted in speed_held[np.isfinite(speed_held)]:
        held[1] = (wanted - held[0]) / seconds
