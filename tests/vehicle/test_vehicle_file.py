"""Vehicle files: topology of the AS4 of paper 004, labels kept, bad files refused."""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.build_vehicle import (
    nominal_positions,
    vehicle_bodies,
    vehicle_elements,
    vehicle_suspension,
    vehicle_wheelsets,
)
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.vehicle_file import FOLDER, read_vehicle


@pytest.fixture(scope="module")
def as4():
    vehicle = read_vehicle("as4")
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, 0.75))
    return vehicle, assembly, vehicle_elements(vehicle, assembly)


def test_topology_of_the_paper(as4):
    vehicle, assembly, elements = as4
    assert assembly.unit_names == ("car_body", "front", "rear")
    kinds = [element.kind for element in elements]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "coil_spring": 8,
        "friction_damper": 4,
        "damper": 4,
        "traction_rod": 4,
    }


def test_springs_carry_the_car_body(as4):
    vehicle, assembly, elements = as4
    weight = vehicle.bodies["car_body"]["mass_kg"] * 9.81
    np.testing.assert_allclose(sum(element.preload[2] for element in elements), weight, rtol=1e-12)


def test_elements_are_symmetric_about_the_middle_plane(as4):
    vehicle, assembly, elements = as4
    places = nominal_positions(assembly)
    at_a = np.array([places[e.body_a] + e.point_a for e in elements])
    at_b = np.array([places[e.body_b] + e.point_b for e in elements])
    for points in (at_a, at_b):
        mirrored = points * [1.0, -1.0, 1.0]
        for point in mirrored:
            assert np.abs(points - point).sum(axis=1).min() < 1e-12


def test_assumed_values_are_labelled(as4):
    vehicle = as4[0]
    assert {label.confidence for label in vehicle.labels} <= {"assumed", "derived", "published"}
    assert any(label.key == "bodies.car_body.mass_kg" for label in vehicle.assumed)
    assert all(label.source for label in vehicle.labels)


def test_bounce_lies_between_1_3_and_2_hz(as4):
    vehicle = as4[0]
    stiffness = 8 * vehicle.elements["suspension_spring"]["stiffness_n_per_m"][2]
    bounce = np.sqrt(stiffness / vehicle.bodies["car_body"]["mass_kg"]) / (2 * np.pi)
    assert 1.3 < bounce < 2.0


BAD = [
    ("mass_kg = { value = 33500.0", "mass_kg = { value = -1.0", "positive number"),
    ("mass_kg = { value = 33500.0", "mass_kg = { value = nan", "finite number"),
    ('confidence = "published" }', 'confidence = "sure" }', "got 'sure'"),
    ("[bodies.car_body]\nmass_kg", "[bodies.car_body]\nmas_kg", "did you mean mass_kg"),
    ('kind = "damper"', 'kind = "dampr"', "got 'dampr'"),
    ('other_body = "car_body"', 'other_body = "carbody"', "carbody"),
    (
        'value = "car_body", source = "equilibrium"',
        'value = "coach", source = "equilibrium"',
        "elements.suspension_spring.static_share must be one of car_body, got 'coach'",
    ),
    ("[wheel]", "[wheel", "not valid TOML"),
    (
        'value = 0.0, source = "origin"',
        'value = 4.25, source = "from the middle"',
        "wheelsets.front.position_m must be 0, from which every position_m counts, got 4.25",
    ),
    ('kind = "damper"', 'kind = "damper"\nwheelsets = []', "must be a list out of"),
    ('kind = "damper"', 'kind = "damper"\nwheelsets = ["rear", "rear"]', "wheelsets must be a list of wheelsets, each"),
    (
        'kind = "damper"\n',
        'kind = "damper"\nbody_a = ["car_body", "car_body"]\n',
        "body_a must be the name of a body, or a list of names, each once",
    ),
    ("[bodies.car_body]", "[bodies.rear]", "bodies.rear must have another name than a wheelset"),
    ("[bodies.car_body]", "[bodies.ground]", "bodies.ground must have another name than a wheelset, ground and frame"),
    (
        "value = -8.5,",
        "value = 0.0,",
        "wheelsets.front.position_m must be two wheel radii from wheelsets.rear.position_m = 0 or more, got 0",
    ),
    (
        "[wheel]",
        '[elements.bar]\nkind = "anti_roll_bar"\nbody_a = "car_body"\nother_body = "front"\n'
        "roll_stiffness_n_m_per_rad = 1e5\nx_m = [0.0, 1.0]\n[wheel]",
        "x_m is not read in an anti_roll_bar",
    ),
    (
        "[wheel]",
        '[elements.bar]\nkind = "anti_rol_bar"\nbody_a = "car_body"\n[wheel]',
        "elements.bar.kind must be one of anti_roll_bar, bump_stop",
    ),
    (
        "[wheel]",
        '[elements.bar]\nbody_a = "car_body"\n[wheel]',
        "elements.bar.kind must be given: one of",
    ),
    (
        "[wheel]",
        '[elements.bar]\nkind = "anti_roll_bar"\nbody_a = "car_body"\nother_body = "front"\n[wheel]',
        "roll_stiffness_n_m_per_rad must be given: a number",
    ),
]


@pytest.mark.parametrize(("old", "new", "expected"), BAD)
def test_bad_vehicle_files_are_refused(old, new, expected, tmp_path):
    text = (FOLDER / "as4.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "bad.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        vehicle = read_vehicle(path)
        assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, 0.75))
        vehicle_suspension(vehicle, assembly)
    assert expected in str(caught.value) and "\n" not in str(caught.value)


def test_unknown_vehicle_names_the_shipped_ones():
    with pytest.raises(ScenarioError, match="vehicle must be one of as4"):
        read_vehicle("as5")
