"""From a vehicle file to the bodies, wheelsets and suspension elements of the dynamics."""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.vehicle.attachments import on_attachments
from flexwheel.vehicle.step.assemble import AxleBox, RigidBody, WheelsetSpec
from flexwheel.vehicle.suspension_elements import pack_suspension, read_element
from flexwheel.vehicle.vehicle_file import GROUP_KEYS, VehicleFile

SIDES = {"both": (("left", 1.0), ("right", -1.0)), "left": (("left", 1.0),), "right": (("right", -1.0),)}
MIDDLE = (("", 1.0),)
VECTORS = ("axis", "preload_n")  # turn over with the side


def vehicle_bodies(vehicle: VehicleFile, flexible=None):
    """Free bodies of the vehicle, list of RigidBody; flexible: name -> further fields of RigidBody."""
    return [
        RigidBody(
            **dict(
                name=name,
                mass=body["mass_kg"],
                inertia=np.diag([body["roll_inertia_kg_m2"], body["pitch_inertia_kg_m2"], body["yaw_inertia_kg_m2"]]),
                position=tuple(body["position_m"]),
            )
            | (flexible or {}).get(name, {})
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
                f"wheelset.{name} must name a wheelset of the vehicle {vehicle.name} ({', '.join(vehicle.wheelsets)}), "
                f"got {name!r}"
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
            WheelsetSpec(
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


def vehicle_elements(vehicle: VehicleFile, assembly, gravity=GRAVITY):
    """Suspension elements of the vehicle, checked, list of SuspensionElement.

    Parameters
    ----------
    vehicle : VehicleFile
    assembly : Assembly         its poses name the bodies
    gravity : float [m/s2]
    """
    bodies = {name: row for row, name in enumerate(assembly.pose_names)}
    groups = [list(_copies(vehicle, name, group, assembly)) for name, group in vehicle.elements.items()]
    _share_weight(vehicle, groups, gravity)
    elements = [read_element(m, bodies, f"{vehicle.path}: elements.{m['name']}") for group in groups for m in group]
    return [on_attachments(element, assembly, nominal_positions(assembly), vehicle.path) for element in elements]


def vehicle_suspension(vehicle: VehicleFile, assembly, gravity=GRAVITY):
    """Suspension elements of the vehicle packed for the kernels (SuspensionElements), and their names."""
    elements = vehicle_elements(vehicle, assembly, gravity)
    packed = pack_suspension(elements, nominal_positions(assembly))
    return packed, tuple(element.name for element in elements)


def nominal_positions(assembly):
    """Centres (poses, 3) in the nominal pose [m], of axle boxes their journals; s from the leading wheelset, y, z."""
    out = [body.position for body in assembly.body_specs]
    out += [(w.position, 0.0, w.radius) for w in assembly.wheelset_specs]
    for k, w in enumerate(assembly.wheelset_specs):
        for side in range(2):
            journal = assembly.wheelsets.interface_position[k, side]
            out.append((w.position + journal[0], journal[1], w.radius + journal[2]))
    bodies = assembly.flexible
    out += [np.add(out[bodies.unit[f]], place) for f, place in zip(bodies.owner, bodies.place, strict=True)]
    return np.array(out, dtype=float)


def _copies(vehicle, name, group, assembly):
    """Element mappings of a group at every place it stands for."""
    where = f"{vehicle.path}: elements.{name}"
    positions = nominal_positions(assembly)
    rows = {pose: row for row, pose in enumerate(assembly.pose_names)}
    middle = np.mean([w["position_m"] for w in vehicle.wheelsets.values()])
    points = {"point_a_m", "point_b_m"}
    plain = {key: value for key, value in group.items() if key not in points | set(GROUP_KEYS)}
    for label, body, carrier, sign in _places(vehicle, group, rows, where):
        other = _other_body(group, carrier, rows, where)
        home = positions[rows[body]]
        along = -1.0 if group.get("mirror_x", False) and home[0] < middle else 1.0
        mirror = np.array([along, sign, 1.0])
        for index, x in enumerate(group.get("x_m", [0.0])):
            number = f" {index + 1}" if len(group.get("x_m", [0.0])) > 1 else ""
            mapping = {**plain, "name": f"{name} {label}{number}".strip(), "body_a": body, "body_b": other}
            mapping.update({key: (mirror * group[key]).tolist() for key in VECTORS if _is_vector(group.get(key))})
            if points <= set(group):
                lower = np.array([0.0, 0.0, home[2] if group.get("heights") == "rail" else 0.0])
                shift = np.array([x, 0.0, 0.0]) - lower
                at_other = home + mirror * (np.asarray(group["point_b_m"], float) + shift)
                mapping["point_a_m"] = (mirror * (np.asarray(group["point_a_m"], float) + shift)).tolist()
                mapping["point_b_m"] = (at_other - (0.0 if other == "ground" else positions[rows[other]])).tolist()
            share = group.get("static_share", ())
            share = [carrier if s == "frame" else s for s in ([share] if isinstance(share, str) else share)]
            if not set(share) <= set(vehicle.bodies):
                known, came = ", ".join(sorted(vehicle.bodies)), group["static_share"]
                raise ScenarioError(f"{where}.static_share must be one of {known}, got {came!r}")
            mapping["_share"] = share
            yield mapping


def _is_vector(value):
    """Whether it is three numbers; a preload along an element's line is one, which stays as it is on both sides."""
    number = lambda x: isinstance(x, int | float) and not isinstance(x, bool)  # noqa: E731
    return isinstance(value, list) and len(value) == 3 and all(number(x) for x in value)


def _places(vehicle, group, rows, where):
    """(label, body a, body that carries the wheelset, side) of every copy of a group."""
    sides = MIDDLE if group["kind"] == "anti_roll_bar" else SIDES.get(group.get("sides", "both"), MIDDLE)
    if "body_a" in group:
        bodies = [group["body_a"]] if isinstance(group["body_a"], str) else group["body_a"]
        if not isinstance(bodies, list) or not bodies:
            raise ScenarioError(f"{where}.body_a must be the name of a body, or a list of names, got {bodies!r}")
        for body in bodies:
            if body not in rows:
                raise ScenarioError(f"{where}.body_a must be one of {', '.join(sorted(rows))}, got {body!r}")
            for side, sign in sides:
                yield f"{body} {side}", body, None, sign
        return
    chosen = group.get("wheelsets", list(vehicle.wheelsets))
    if not isinstance(chosen, list) or not chosen or not set(map(str, chosen)) <= set(vehicle.wheelsets):
        raise ScenarioError(f"{where}.wheelsets must be a list out of {sorted(vehicle.wheelsets)}, got {chosen!r}")
    if sides is MIDDLE:
        raise ScenarioError(f"{where}.body_a must be given for an element in the middle; axle boxes are left and right")
    for wheelset in chosen:
        for side, sign in sides:
            yield f"{wheelset} {side}", f"{wheelset} axle box {side}", vehicle.wheelsets[wheelset].get("frame"), sign


def _other_body(group, carrier, rows, where):
    other = group.get("other_body", "ground")
    if other == "frame":
        if carrier is None:
            raise ScenarioError(f"{where}.other_body = 'frame': a wheelset of it has no key `frame`; name it there")
        return carrier
    if other != "ground" and other not in rows:
        known = ", ".join(sorted(rows))
        raise ScenarioError(f"{where}.other_body must be one of {known}, frame or ground, got {other!r}")
    return other


def _share_weight(vehicle, groups, gravity):
    """Preload each element, on its body b, with its part of the weight of the bodies that its group carries.

    The force on body a is the opposite one, so that an element that carries its own body a pulls where one that
    carries body b, or what stands on it, pushes.
    """
    for mappings in groups:
        carried = [m.pop("_share") for m in mappings]
        for mapping, bodies in zip(mappings, carried, strict=True):
            weight = {body: vehicle.bodies[body]["mass_kg"] * gravity for body in bodies}
            load = sum(weight[body] / sum(body in others for others in carried) for body in bodies)
            if bodies:
                mapping["preload_n"] = [0.0, 0.0, -load if mapping["body_a"] in bodies else load]
