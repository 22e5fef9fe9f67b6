"""Every key of a scenario and of a vehicle file changes what the time loop or the results are given, or is refused.

Scenarios of other kinds: tests/systems. That a key changes the results of a run as well, not
only what the run is given: `python -m tests.fuzz.walk_runs`, whose table is docs/keys.md.
"""

import re

import numpy as np
import pytest
from fuzz.vehicle_walk import missing_keys, vehicle_steps
from fuzz.walk import given_to_the_loop, keys_of, side_files, walk
from made_once import remembered

from flexwheel.base.coupled_system import COUPLED_SYSTEMS
from flexwheel.contact.profiles import profile_file
from flexwheel.run.build import build_track
from flexwheel.run.keys.vehicle_keys import VehicleScenario
from flexwheel.track import flexible_build, irregularity, rail_match

REFUSED = {  # keys of which no other value can be given in the case of the walk; the line that says so
    "wheelset.front.mesh_unit": "length_unit",
    "track.foundation.mesh_unit": "length_unit",
    "body.car_body.mesh_unit": "length_unit",
    "body.car_body.ignore": "NONSTRUCTURAL MASS",
    "body.car_body.attachment_reach_mm": "expected at most 50 mm",
    "wheelset.front.ignore": "NONSTRUCTURAL MASS",
    "wheelset.front.control_node_tolerance_mm": "control",
    "wheelset.front.axle_axis": "axle|axis",
    "contact.wheel_file.unit": "wide when read in ",
    "contact.rail_file.unit": "wide when read in ",
    "contact.wheel_file.decimal": "must have 2 numbers",
    "contact.rail_file.decimal": "must have 2 numbers",
    "contact.wheel_file.mirror_y": "mirror_y",
    "contact.wheel_file.mirror_z": "mirror_z",
    "contact.rail_file.mirror_z": "mirror_z",
    "track.layout.0.kind": "must have a straight or an arc on both sides",
    "wheelsets.front.driven": "no wheelset of .* is driven",
}  # fmt: skip
OWN = re.compile(r"contact\.(wheel|rail)s\.[a-z ]+\.")  # files of single wheels and rails are read as the common ones
SECTIONS = (
    "run", "output", "vehicle", "wheelset", "body", "track", "irregularity", "roundness", "contact", "drive",
    *COUPLED_SYSTEMS, "assumed", "accept",
)  # fmt: skip


def plain_rail(rail, bay, per_bay, dt, beta):
    """As `rail_match._matched`."""
    return rail_match.plain_elements(rail, bay / per_bay, np.zeros(3), (0.0, 1.0))


@pytest.fixture(scope="module", autouse=True)
def once():
    """Waves, smooth curves and margins, which most keys leave as they are, are made once for the same values.

    Elements of rails are not matched to the step, which takes half a second for each rail and step of the walk: what
    they are made of changes them all the same. Nothing of theirs is kept for other tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        dear = (irregularity, "random_waves"), (profile_file, "_smoothed"), (flexible_build, "needed_margin")
        for place, name in dear:
            patch.setattr(place, name, remembered(getattr(place, name)))
        patch.setattr(rail_match, "_matched", plain_rail)
        made = ("kept_arrays", lambda folder, values, sources, make: make())
        for name, value in (("_ERRORS", {}), ("MOST_DB", np.inf), made):
            patch.setattr(build_track, name, value)
        yield


def check(steps):
    count = 0
    for step in steps:
        count += 1
        if step.changed:
            continue
        assert step.refused, f"{step.key} = {step.after!r} in place of {step.before!r} changes nothing ({step.beside})"
        if not step.key.endswith(".body_a"):  # a car body cannot stand on itself
            key = OWN.sub(r"contact.\1_file.", step.key).replace("contact.along.0.file.", "contact.rail_file.")
            assert re.search(REFUSED[key], step.refused), step.refused
    return count


@pytest.mark.parametrize("section", SECTIONS)
def test_every_scenario_key_does_something(section, tmp_path):
    side_files(tmp_path)
    wanted = lambda key: key.split(".")[0] == section  # noqa: E731
    assert check(walk(given_to_the_loop, tmp_path, wanted=wanted)) or section == "accept"


def test_every_vehicle_key_does_something(tmp_path):
    assert not missing_keys()
    assert check(vehicle_steps(given_to_the_loop, tmp_path)) > 100


def test_the_walk_knows_every_section():
    assert {key.split(".")[0] for key, _, _ in keys_of(VehicleScenario)} - {"kind"} <= set(SECTIONS)
