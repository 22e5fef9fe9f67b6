"""Does the vehicle of a scenario stand, and does it stay where it stands? Without anything compiled.

A vehicle that falls apart does so in a run after seconds, as a step that fails. Here its bodies are brought to rest on
their wheelsets on straight track, and what grows from there at walking pace is named (`rigid_linear`).
Hunting above a critical speed is no fault of the vehicle and is not looked for.
"""

import numpy as np

from flexwheel.base.disagreements import disagree
from flexwheel.base.errors import ConvergenceError
from flexwheel.base.gravity import GRAVITY
from flexwheel.numerics.kernels.arrays_within import arrays_digest
from flexwheel.vehicle.elements.columns import BODY_A, BODY_B
from flexwheel.vehicle.step.assemble import make_state
from flexwheel.vehicle.step.equilibrium import NO_LOAD
from flexwheel.vehicle.step.growth import growing, listed
from flexwheel.vehicle.step.rigid_linear import cone_contact, slow_running, wheel_loads
from flexwheel.vehicle.step.rigid_vehicle import RigidVehicle
from flexwheel.vehicle.suspension_linear import linear_elements

SPEED = 1.0  # [m/s] walking pace
NOTHING = 1.0  # [N/m], [N m/rad], [N s/m], [N m s/rad] that hold nothing of a vehicle

_found = {}  # digest of all that is read -> what was found


def standing_warnings(parts, vehicle, accepted=()) -> list[str]:
    """Warnings on what grows although it is accepted.

    Parameters
    ----------
    parts : VehicleOnTrack     wheelsets rigid
    vehicle : str              file, for messages
    accepted : sequence of str    names of disagreements that are meant

    Raises
    ------
    ScenarioError        what grows at walking pace or is held by nothing, and what cures it
    ConvergenceError     no equilibrium, a wheel without load
    """
    profiles = {id(own): own for own in parts.of_wheels}
    cones = {key: cone_contact(own) for key, own in profiles.items()}
    contacts = [cones[id(own)] for own in parts.of_wheels[::2]]
    assembly = parts.assembly
    key = arrays_digest(units=assembly.units, wheelsets=assembly.wheelsets, elements=parts.suspension), tuple(contacts)
    if key not in _found:
        _found[key] = _look(parts, contacts)
    light, text = _found[key]
    if light:
        raise ConvergenceError(f"{vehicle}: {light}")
    return [disagree("growth", f"{vehicle}: {text}", accepted)] if text else []


def _look(parts, contacts):
    """Texts on a wheel without load and on what grows; empty where there is none."""
    assembly = parts.assembly
    nominal = make_state(assembly, 0.0, 0.0).history[0, 0]
    vehicle = RigidVehicle(assembly, linear_elements(parts.suspension), nominal, GRAVITY)
    alone = [name for u, name in enumerate(assembly.unit_names) if not (vehicle.spins[u] or vehicle.touching[u])]
    if alone:
        return "", f"{listed(alone)}: held by nothing; no force element names it: add one in the vehicle file"
    q = vehicle.at_rest()
    loads = wheel_loads(vehicle, q, contacts)
    light = np.argwhere(loads < NO_LOAD * abs(loads.mean()))
    if len(light):
        wheels = [f"{assembly.wheelset_specs[w].name} {('left', 'right')[side]}" for w, side in light]
        mean = f"mean load of a wheel {1e-3 * loads.mean():.1f} kN"
        return f"static equilibrium: no load on {listed(wheels)} ({mean}); look at the places of bodies and wheels", ""
    linear = slow_running(vehicle, q, loads, contacts, SPEED)
    loose = _held_by_nothing(linear, vehicle.free())
    if loose:
        return "", f"{listed(loose)}: held by nothing; {cure(assembly, parts.suspension, loose)}"
    found = growing(linear)
    if not found:
        return "", ""
    grown = {name for growth in found for name in growth.names}
    names = tuple(label for label in dict.fromkeys(linear.labels) if label in grown)
    said = found[0].text().partition(": ")[2]
    text = f"{listed(names)}: {said}, at {3.6 * SPEED:.3g} km/h already: no smaller run.step_s cures that"
    return "", f"{text}; {cure(assembly, parts.suspension, names)}"


def _held_by_nothing(linear, free):
    """Labels of the coordinates that neither a stiffness nor a damping nor another coordinate holds."""
    holds = np.maximum(np.abs(linear.stiffness), np.abs(linear.damping))[free].max(axis=1, initial=0.0)
    if linear.state_force.size:
        holds = np.maximum(holds, np.abs(linear.state_force[free]).max(axis=1))
    return tuple(linear.labels[k] for k in free[holds < NOTHING])


def cure(assembly, elements, names) -> str:
    """What to look at, for coordinates by name: keys of the vehicle file and the elements that hold them."""
    boxes = [name for name in names if " axle box " in name and name.endswith(" pitch")]
    if boxes:
        return (
            "hold the axle boxes against pitching: axle_box.revolute = false in the vehicle file, or elements at the "
            "boxes that bear a moment (rotational_stiffness_n_m_per_rad, or two that stand apart along the track)"
        )
    holding = dict.fromkeys(element for name in names for element in _elements_at(assembly, elements, name))
    if not holding:
        return "no force element holds it: add one in the vehicle file"
    return (
        f"it is held by {listed(tuple(holding))}: look at their stiffness, damping, tables and places, and at the "
        "height of what stands on them"
    )


def _elements_at(assembly, elements, label):
    """Names of the force elements at the body of a coordinate; groups as the vehicle file names them."""
    unit = next((u for u, name in enumerate(assembly.unit_names) if label.startswith(f"{name} ")), None)
    if unit is None:
        return
    name = assembly.unit_names[unit]
    poses = [p for p, pose in enumerate(assembly.pose_names) if pose == name or pose.startswith(f"{name} axle box ")]
    for e, ends in enumerate(elements.integer[:, [BODY_A, BODY_B]]):
        if any(end in poses for end in ends):
            yield assembly.element_names[e].partition(" ")[0]
