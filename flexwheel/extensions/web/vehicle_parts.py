"""Bodies, force elements, wheels and rails of a run as a page draws them."""

import numpy as np

from flexwheel.run.build.build_contact import placed_profiles
from flexwheel.run.build.build_track import own_supports
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.vehicle.build_vehicle import nominal_positions, vehicle_bodies, vehicle_elements, vehicle_wheelsets
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.vehicle_file import read_vehicle

WIDTH, HEIGHT, OVERHANG = 2.8, 2.6, 3.2  # [m] of a box for a body above several wheelsets, which no file states
FRAME = (0.9, 2.2, 0.25)  # [m] beyond the outer wheelsets, width, height of that of a bogie frame
PROFILE_POINTS = 200  # chords of the tightest arcs within 10 um
BAY = 0.6  # [m] between sleepers where the rail model has none


def vehicle_parts(scenario, wheelsets):
    """Mapping for JSON: boxes of bodies, lines of force elements, profile of wheel and rail, sleepers; all [m].

    scenario : parsed; wheelsets : their names
    """
    vehicle, track = read_vehicle(scenario.vehicle.file), scenario.track
    placed = placed_profiles(scenario.contact, vehicle.wheel, scenario.accept)
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, placed.placement.wheel_y))
    places, names = nominal_positions(assembly), list(assembly.pose_names)
    return {
        "boxes": {name: _box(vehicle, name) for name in vehicle.bodies},
        "poses": _poses(vehicle, names, places),
        "elements": [
            {
                "name": element.name, "kind": element.kind,
                "a": names[element.body_a] if element.body_a >= 0 else "",
                "b": names[element.body_b] if element.body_b >= 0 else "",
                "point_a": _rounded(element.point_a), "point_b": _rounded(element.point_b),
            }
            for element in vehicle_elements(vehicle, assembly)
            if np.any(np.asarray(element.point_a) != element.point_b) or element.body_a != element.body_b
        ],
        "wheel": {
            "radius": placed.placement.radius, "y": placed.placement.wheel_y, "profile": _profile(placed.wheel),
            "axle": max((table.get("journal_y_m", 1.0) for table in vehicle.wheelsets.values()), default=1.0),
        },
        "rail": {"y": placed.placement.rail_y, "profile": _profile(placed.rail)},
        "wheelsets": list(wheelsets),
        "bay": own_supports(track).bay if "bay_m" in RAIL_MODELS[track.model].reads else BAY,
    }  # fmt: skip


def _box(vehicle, name):
    """(half length, half width, lower, upper) about the body's centre: of the wheelsets that it carries, or of all."""
    centre = vehicle.bodies[name]["position_m"]
    tables = vehicle.wheelsets.values()
    carried = [t["position_m"] for t in tables if t.get("frame") == name]
    if carried:
        beyond, width, height = FRAME
        return _rounded((0.5 * (max(carried) - min(carried)) + beyond, 0.5 * width, -0.5 * height, 0.5 * height))
    places = [t["position_m"] for t in tables]
    length = 0.5 * (max(places) - min(places)) + (OVERHANG if len(places) > 1 else 0.5)
    floor = min(0.0, 1.0 - centre[2])
    return _rounded((length, 0.5 * WIDTH, floor, floor + HEIGHT))


def _poses(vehicle, names, places):
    """Pose -> (body that it moves with, place in it); of axle boxes a place on their wheelset."""
    found = {name: [name, [0.0, 0.0, 0.0]] for name in names if name in vehicle.bodies or name in vehicle.wheelsets}
    for name, place in zip(names, places, strict=True):
        owner = next((w for w in vehicle.wheelsets if name.startswith(f"{w} axle box")), None)
        if name not in found and owner is not None:
            found[name] = [owner, _rounded(place - places[names.index(owner)])]
    return found


def _profile(profile):
    """(n, 2) y to the field side and height out of the material."""
    y = np.linspace(profile.y[0], profile.y[-1], PROFILE_POINTS)
    return [_rounded(pair) for pair in zip(y, np.interp(y, profile.y, profile.height), strict=True)]


def _rounded(values):
    return [round(float(x), 6) for x in values]
