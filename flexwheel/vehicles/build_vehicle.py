"""From a vehicle file to the bodies, wheelsets and suspension elements of the dynamics."""

from __future__ import annotations

import numpy as np

from flexwheel.bodies.suspension_elements import pack_suspension, read_element
from flexwheel.dynamics.assemble import AxleBox, RigidBody, Wheelset
from flexwheel.errors import ScenarioError
from flexwheel.vehicles.vehicle_file import VehicleFile

SIDES = (("left", 1.0), ("right", -1.0))
GROUP_KEYS = {"kind", "other_body", "x_m", "mirror_x", "static_share"}


def vehicle_bodies(vehicle: VehicleFile):
    """Free rigid bodies of the vehicle, list of RigidBody."""
    return [
        RigidBody(
            name,
            body["mass_kg"],
            np.diag([body["roll_inertia_kg_m2"], body["pitch_inertia_kg_m2"], body["yaw_inertia_kg_m2"]]),
            tuple(body["position_m"]),
        )
        for name, body in vehicle.bodies.items()
    ]


def vehicle_wheelsets(vehicle: VehicleFile, lateral, flexible=None):
    """Wheelsets of the vehicle, leading one first.

    Parameters
    ----------
    vehicle : VehicleFile
    lateral : float [m]         half distance of the profile origins
    flexible : dict, optional   wheelset name -> further fields of Wheelset (body, mesh_mode, residual, ...)

    Raises
    ------
    ScenarioError               a name in flexible that the vehicle has not
    """
    flexible = flexible or {}
    for name in flexible:
        if name not in vehicle.wheelsets:
            raise ScenarioError(
                f"wheelset.{name}: the vehicle {vehicle.name} has no such wheelset; it has "
                f"{', '.join(vehicle.wheelsets)}"
            )
    boxes = None
    if vehicle.axle_box is not None:
        box = vehicle.axle_box
        inertia = np.diag([box["roll_inertia_kg_m2"], box["pitch_inertia_kg_m2"], box["yaw_inertia_kg_m2"]])
        boxes = (AxleBox(box["mass_kg"], inertia, tuple(box["centre_m"])),) * 2
    result = []
    for name, table in vehicle.wheelsets.items():
        roll, spin = table["roll_inertia_kg_m2"], table["spin_inertia_kg_m2"]
        result.append(
            Wheelset(
                name=name,
                position=table["position_m"],
                radius=vehicle.wheel["radius_m"],
                lateral=lateral,
                mass=table["mass_kg"],
                inertia=np.diag([roll, spin, roll]),
                journal=(table["journal_y_m"], -table["journal_y_m"]),
                axle_boxes=boxes,
                revolute=bool(vehicle.axle_box and vehicle.axle_box.get("revolute", True)),
                **flexible.get(name, {}),
            )
        )
    return result


def vehicle_elements(vehicle: VehicleFile, assembly, gravity=9.81):
    """Suspension elements of the vehicle, checked, list of SuspensionElement.

    Parameters
    ----------
    vehicle : VehicleFile
    assembly : Assembly         its poses name the bodies
    gravity : float [m/s2]
    """
    bodies = {name: row for row, name in enumerate(assembly.pose_names)}
    mappings = [
        mapping for name, group in vehicle.elements.items() for mapping in _copies(vehicle, name, group, assembly)
    ]
    _share_weight(vehicle, mappings, gravity)
    return [read_element(m, bodies, f"{vehicle.path}: elements.{m['name']}") for m in mappings]


def vehicle_suspension(vehicle: VehicleFile, assembly, gravity=9.81):
    """Suspension elements of the vehicle packed for the kernels (SuspensionElements), and their names."""
    elements = vehicle_elements(vehicle, assembly, gravity)
    packed = pack_suspension(elements, nominal_positions(vehicle, assembly))
    return packed, tuple(element.name for element in elements)


def nominal_positions(vehicle, assembly):
    """Centres (poses, 3) in the nominal pose [m], of axle boxes their journals; s from the leading wheelset, y, z."""
    out = [body.position for body in assembly.body_specs]
    out += [(w.position, 0.0, w.radius) for w in assembly.wheelset_specs]
    for k, w in enumerate(assembly.wheelset_specs):
        for side in range(2):
            journal = assembly.wheelsets.interface_position[k, side]
            out.append((w.position + journal[0], journal[1], w.radius + journal[2]))
    return np.array(out, dtype=float)


def _copies(vehicle, name, group, assembly):
    """Element mappings of a group at every axle box."""
    positions = nominal_positions(vehicle, assembly)
    rows = {pose: row for row, pose in enumerate(assembly.pose_names)}
    other = group.get("other_body", "ground")
    if other != "ground" and other not in rows:
        raise ScenarioError(f"{vehicle.path}: elements.{name}.other_body = {other!r}: expected one of {sorted(rows)}")
    if "kind" not in group:
        raise ScenarioError(f"{vehicle.path}: elements.{name}: kind is missing")
    middle = np.mean([w["position_m"] for w in vehicle.wheelsets.values()])
    plain = {key: value for key, value in group.items() if key not in GROUP_KEYS | {"point_a_m", "point_b_m"}}
    for wheelset, table in vehicle.wheelsets.items():
        for side, sign in SIDES:
            box = f"{wheelset} axle box {side}"
            along = -1.0 if group.get("mirror_x", False) and table["position_m"] < middle else 1.0
            mirror = np.array([along, sign, 1.0])
            for index, x in enumerate(group.get("x_m", [0.0])):
                shift = np.array([x, 0.0, 0.0])
                at_box = mirror * (np.asarray(group["point_a_m"], float) + shift)
                at_other = positions[rows[box]] + mirror * (np.asarray(group["point_b_m"], float) + shift)
                if other != "ground":
                    at_other = at_other - positions[rows[other]]
                label = f"{name} {wheelset} {side}" + (f" {index + 1}" if len(group.get("x_m", [0.0])) > 1 else "")
                yield {
                    **plain,
                    "kind": group["kind"],
                    "name": label,
                    "body_a": box,
                    "body_b": other,
                    "point_a_m": at_box.tolist(),
                    "point_b_m": at_other.tolist(),
                    "_share": group.get("static_share"),
                }


def _share_weight(vehicle, mappings, gravity):
    """Preload each element with its part of the weight of the body it carries."""
    for name, body in vehicle.bodies.items():
        carriers = [m for m in mappings if m["_share"] == name]
        for mapping in carriers:
            mapping["preload_n"] = [0.0, 0.0, body["mass_kg"] * gravity / len(carriers)]
    for mapping in mappings:
        share = mapping.pop("_share")
        if share is not None and share not in vehicle.bodies:
            raise ScenarioError(f"{vehicle.path}: static_share = {share!r}: expected one of {sorted(vehicle.bodies)}")
