"""What holds the speed of a vehicle, from the [drive] section."""

from itertools import pairwise

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.elements.columns import BODY_A, BODY_B
from flexwheel.vehicle.step.model import Drive


def build_drive(section, run, assembly, vehicle, suspension):
    """Drive of the [drive] section and the speed profile of [run]; ScenarioError where it cannot follow the profile.

    A force acts on the first free body, or on the first wheelset where there is none, and the speed held is its. A
    torque acts in equal parts on the driven wheelsets; its reaction on the frame of each.
    """
    kind = {"none": 0, "body_force": 1, "axle_torque": 2}[section.kind]
    height = 0.0
    if assembly.body_specs:
        height = assembly.wheelset_specs[0].radius - assembly.body_specs[0].position[2]
    driven = np.array([vehicle.wheelsets[w.name].get("driven", False) is True for w in assembly.wheelset_specs])
    carrier = np.full(len(driven), -1)
    if kind == 2:
        if not np.any(driven):
            raise ScenarioError(
                f"drive.kind = 'axle_torque': no wheelset of {vehicle.path} is driven; set driven = true in a table "
                "[wheelsets.NAME] there, or drive.kind = 'body_force'"
            )
        for w in np.flatnonzero(driven):
            carrier[w] = motor_carrier(vehicle, assembly, suspension, int(w))
    share = driven / max(1, np.sum(driven))
    boxes = sum(box.mass for w in assembly.wheelset_specs for box in w.axle_boxes or ())
    spin = np.sum(assembly.units.inertia[assembly.wheelsets.unit, 1, 1] / assembly.wheelsets.radius**2)
    mass = float(np.sum(assembly.units.mass) + boxes + spin)
    profile = run.profile if run.speed_profile_s_kmh else np.zeros((0, 2))
    for (start, before), (end, after) in pairwise(profile):
        needed = 1e-3 * mass * abs(after - before) / (end - start)
        if needed > section.force_max_kn:
            raise ScenarioError(
                f"run.speed_profile_s_kmh from {start:g} s to {end:g} s needs {needed:.3g} kN for {1e-3 * mass:.4g} t, "
                f"drive.force_max_kn is {section.force_max_kn:g}"
            )
    return Drive(
        kind, 0, section.gain_ns_m, section.integral_gain_n_m, height, 1e3 * section.force_max_kn, mass, profile,
        share.astype(float), carrier,
    )  # fmt: skip


def motor_carrier(vehicle, assembly, suspension, w):
    """Unit that bears the reaction of the torque on wheelset w: its frame, or the one body that its elements go to.

    Raises
    ------
    ScenarioError   more than one body could
    """
    name, count = assembly.wheelset_specs[w].name, len(assembly.body_specs)
    frame = vehicle.wheelsets[name].get("frame")
    if frame is not None:
        return assembly.unit_names.index(frame)
    units = len(assembly.unit_names)
    own = {count + w, units + 2 * w, units + 2 * w + 1}
    ends = suspension.integer[:, [BODY_A, BODY_B]].tolist()
    found = {b for pair in ends if own & set(pair) for b in pair if 0 <= b < count}
    if len(found) > 1:
        names = ", ".join(assembly.unit_names[b] for b in sorted(found))
        raise ScenarioError(
            f"{vehicle.path}: wheelsets.{name}.frame must name what bears the motor: its elements lead to {names}"
        )
    return found.pop() if found else -1
