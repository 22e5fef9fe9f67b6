"""Strips of the contact patches of a run: its contact law once for each wheel, asked at any sample."""

import numpy as np

from flexwheel.assess.evaluate.contact_strips import PATCH_NAMES, wheel_strips
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.variables import SIDES
from flexwheel.run.build.build_contact import build_contact, placed_profiles, profiles_of_wheels
from flexwheel.vehicle.vehicle_file import read_vehicle

NEEDED = (*PATCH_NAMES.values(), "body_angle", "body_velocity", "body_position")


def wheel_profiles(results, scenario):
    """PlacedProfiles of each wheel of a run, by its name."""
    section, accepted = scenario.contact, scenario.accept
    wheel, names = read_vehicle(scenario.vehicle.file).wheel, list(map(str, results.wheelset.values))
    common = placed_profiles(section, wheel, accepted)
    of_wheels = profiles_of_wheels(section, wheel, common, names, accepted)
    return dict(zip((f"{name} {side}" for name in names for side in SIDES), of_wheels, strict=True))


def strip_finder(scenario, profiles):
    """A function of one sample (Dataset) and the name of a wheel: [PatchStrips], or a sentence why there are none.

    profiles : of `wheel_profiles`
    """
    laws = {}

    def find(at, name):
        own, (wheelset, side) = profiles[name], name.rsplit(" ", 1)
        if own.along:
            return "contact.along: strips are not drawn on a rail that changes along the track"
        if (id(own), side) not in laws:
            laws[id(own), side] = build_contact(scenario.contact, own, SIDES.index(side))
        wheel, sign = at.sel(wheel=name), 1.0 if side == SIDES[0] else -1.0
        stored = {column: np.asarray(wheel[variable].values, dtype=float) for column, variable in PATCH_NAMES.items()}
        turned = tuple(sign * float(at.body_angle.sel(body=wheelset, rotation=k)) for k in ("yaw", "roll"))
        moving = tuple(float(at[k].sel(body=wheelset, path="s")) for k in ("body_velocity", "body_position"))
        try:
            return wheel_strips(laws[id(own), side], own.placement.radius, stored, turned, moving)
        except FlexwheelError as error:
            return str(error)

    return find


def strips_of_samples(results, scenario, wanted):
    """{(row, wheel): [PatchStrips] or why there are none} of the (row, wheel) wanted, without wheels over a rail that
    changes along the track; None where the run did not store its patches.

    results : Dataset; scenario : parsed; wanted : of (int, str)
    """
    if any(name not in results for name in NEEDED):
        return None
    rows = sorted({row for row, _ in wanted})
    some = results[list(NEEDED)].isel(time=rows).load()
    profiles = wheel_profiles(results, scenario)
    find, samples = strip_finder(scenario, profiles), {row: some.isel(time=k) for k, row in enumerate(rows)}
    asked = sorted({(row, wheel) for row, wheel in wanted if not profiles[wheel].along})
    return {(row, wheel): find(samples[row], wheel) for row, wheel in asked}
