"""Sensitivity: changed files say what they said but for one value, factors are read and refused, levels of changes."""

import numpy as np
import pytest

from flexwheel.errors import ScenarioError
from flexwheel.input_files import read_toml
from flexwheel.run.response import ResponseSettings
from flexwheel.run.sensitivity import change_of, times, variations, write_changed
from flexwheel.scenario.reader import read_scenario
from flexwheel.shipped import EXAMPLES
from flexwheel.vehicles.vehicle_file import FOLDER, read_vehicle


def test_a_changed_file_differs_in_one_value(tmp_path):
    data = read_toml(FOLDER / "as4.toml", "a vehicle")
    key = "elements.suspension_spring.stiffness_n_per_m"
    path = write_changed(data, key, times([1.0, 2.0], 1.5), tmp_path / "v.toml")
    again = read_toml(path, "a vehicle")
    assert again["elements"]["suspension_spring"]["stiffness_n_per_m"]["value"] == [1.5, 3.0]
    again["elements"]["suspension_spring"]["stiffness_n_per_m"] = data["elements"]["suspension_spring"][
        "stiffness_n_per_m"
    ]
    assert again == data
    assert read_vehicle(path).bodies == read_vehicle("as4").bodies


def test_every_number_assumed_is_varied_by_the_factor_of_its_file(tmp_path):
    scenario = read_scenario(EXAMPLES / "as4_curve.toml", [])
    found, left = variations(scenario, ResponseSettings(), tmp_path)
    assumed = read_vehicle("as4").assumed
    assert len([v for v in found if v.key.startswith("vehicle")]) + len(left) == len(assumed)
    boxes = next(v for v in found if v.key.endswith("axle_box.roll_inertia_kg_m2"))
    assert boxes.factor == 2.0
    assert read_vehicle(boxes.scenario.vehicle.file).axle_box["roll_inertia_kg_m2"] == 4.0
    assert {v.key.split()[0] for v in found} >= {"vehicle", "track", "contact.friction", "irregularity:"}


@pytest.mark.parametrize("factor", ["1.0", "true", "1e9", "'two'"])
def test_factors_that_are_none_are_refused(tmp_path, factor):
    text = (FOLDER / "as4.toml").read_text(encoding="utf-8").replace("factor = 1.02", f"factor = {factor}")
    (tmp_path / "v.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match="wheel.radius_m: factor = .*expected a number above 1"):
        read_vehicle(tmp_path / "v.toml")


def test_level_of_the_wheel_that_changes_most():
    """One wheel twice as loud is 6.02 dB; a band 80 dB below the highest does not count."""
    old = np.array([[1.0, 1.0], [1e-4, 1.0]])
    new = np.array([[1.0, 2.0], [1.0, 0.9]])
    found = change_of({"x": new}, {"x": old}, "x", lambda x: x)
    np.testing.assert_allclose(found, [20.0 * np.log10(2.0), 20.0 * np.log10(0.9)])
