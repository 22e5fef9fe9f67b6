"""Bodies, force elements, wheels and rails of a run as a page draws them."""

import numpy as np

from flexwheel.base.variables import SIDES
from flexwheel.contact.rail_along import FLOOR
from flexwheel.run.build.build_contact import placed_profiles, profiles_of_wheels
from flexwheel.run.build.build_track import own_supports
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.vehicle.build_vehicle import nominal_positions, vehicle_bodies, vehicle_elements, vehicle_wheelsets
from flexwheel.vehicle.elements.element_reader import POINTS
from flexwheel.vehicle.elements.kinds import FORCE_ELEMENTS
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.vehicle_file import read_vehicle

WIDTH, HEIGHT, OVERHANG = 2.8, 2.6, 3.2  # [m] of a box for a body above several wheelsets, which no file states
FRAME = (0.9, 2.2, 0.25)  # [m] beyond the outer wheelsets, width, height of that of a bogie frame
PROFILE_POINTS = 200  # chords of the tightest arcs within 10 um
SECTION_POINTS = 400  # of a rail that changes along the track: a flangeway and two heads
BAY = 0.6  # [m] between sleepers where the rail model has none


def vehicle_parts(scenario, wheelsets):
    """Mapping for JSON: boxes of bodies, lines of force elements, profile of wheel and rail, sleepers; all [m].

    scenario : parsed; wheelsets : their names
    """
    vehicle, track = read_vehicle(scenario.vehicle.file), scenario.track
    placed = placed_profiles(scenario.contact, vehicle.wheel, scenario.accept)
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, placed.placement.wheel_y))
    own = profiles_of_wheels(scenario.contact, vehicle.wheel, placed, list(vehicle.wheelsets), scenario.accept)
    wheels = dict(zip((f"{name} {side}" for name in vehicle.wheelsets for side in SIDES), own, strict=True))
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
            if FORCE_ELEMENTS[element.kind].keys >= POINTS  # one that acts on angles has no place
            and (np.any(np.asarray(element.point_a) != element.point_b) or element.body_a != element.body_b)
        ],
        "wheel": {
            "radius": placed.placement.radius, "y": placed.placement.wheel_y, "profile": _profile(placed.wheel),
            "axle": max((table.get("journal_y_m", 1.0) for table in vehicle.wheelsets.values()), default=1.0),
        },
        "rail": _rail(placed),
        "wheels": {name: _profile(one.wheel) for name, one in wheels.items() if one.wheel is not placed.wheel},
        "rails": {
            side: _rail(one) for side, one in zip(SIDES, own[:2], strict=True)
            if one.along or one.rail is not placed.rail
        },
        "check_rails": [_check_rail(own, 0.5e-3 * scenario.contact.gauge_mm) for own in track.check_rail],
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


def _rail(placed):
    """Place of a rail's crown and its profile; of one that changes along the track also its sections, on one grid."""
    found = {"y": placed.placement.rail_y, "profile": _profile(placed.rail)}
    if not placed.along:
        return found
    heads = [[(head, one.shift - found["y"]) for head in one.heads] for one in placed.along]
    ends = [(head.y[0] + shift, head.y[-1] + shift) for own in heads for head, shift in own]
    y = np.linspace(min(a for a, _ in ends), max(b for _, b in ends), SECTION_POINTS)
    height = np.full((len(heads), len(y)), FLOOR)
    for row, own in zip(height, heads, strict=True):
        for head, shift in own:
            row[:] = np.maximum(row, np.interp(y, head.y + shift, head.height, left=FLOOR, right=FLOOR))
    sections = {
        "s": _rounded(one.place for one in placed.along),
        "across": _rounded(y),
        "height": height.round(6).tolist(),
    }
    return found | {"sections": sections}


def _check_rail(section, half_gauge):
    """Side, and stations along the track [s, distance of the face from the track's middle]; height of the top."""
    face, wider, flare = (
        half_gauge - 1e-3 * section.flangeway_mm,
        1e-3 * section.flare_opening_mm,
        section.flare_length_m,
    )
    way = [
        (section.start_m, wider),
        (section.start_m + flare, 0.0),
        (section.end_m - flare, 0.0),
        (section.end_m, wider),
    ]
    stations = [_rounded((s, face - more)) for s, more in way]
    return {"side": 1 if section.side == SIDES[0] else -1, "stations": stations, "top": 1e-3 * section.height_mm}


def _profile(profile):
    """(n, 2) y to the field side and height out of the material."""
    y = np.linspace(profile.y[0], profile.y[-1], PROFILE_POINTS)
    return [_rounded(pair) for pair in zip(y, np.interp(y, profile.y, profile.height), strict=True)]


def _rounded(values):
    return [round(float(x), 6) for x in values]
