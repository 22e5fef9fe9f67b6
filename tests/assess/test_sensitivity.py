"""Sensitivity: changed files say what they said but for one value, factors are read and refused, levels of changes."""

import numpy as np
import pytest

from flexwheel.assess.response import ResponseSettings, input_matrix
from flexwheel.assess.sensitivity import (
    Change,
    change_of,
    sensitivity_record,
    times,
    variations,
    write_changed,
    write_sensitivity,
)
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import read_toml
from flexwheel.base.shipped import EXAMPLES
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.run.assumed_ranking import read_ranking
from flexwheel.run.assumptions import _key, assumed_values, most_important
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.vehicle.vehicle_file import FOLDER, read_vehicle


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


SILENT = ("wheel_profile", "rail_profile", "friction = ", '"contact.friction"', "gauge_mm", "rail_inclination")


def scenario_of(*overrides, without=()):
    text = (EXAMPLES / "as4_curve.toml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(without)]
    return parse_scenario("\n".join(lines), EXAMPLES / "as4_curve.toml", overrides)


@pytest.mark.parametrize("overrides, without", [((), ()), (("irregularity.spectrum=fra",), SILENT)])
def test_every_assumed_value_is_varied_or_said_not_to_be(tmp_path, overrides, without):
    """Of vehicle, rail, support, spectrum, filter, profiles, friction, and what the scenario itself names."""
    scenario = scenario_of(*overrides, without=without)
    found, left = variations(scenario, ResponseSettings(), tmp_path)
    lines = assumed_values(scenario, read_vehicle(scenario.vehicle.file))
    heads = [line.partition(" = ")[0] for line in left if not line.startswith("scenario")]
    heads += [": ".join(line.split(": ")[:2]) for line in left if line.startswith("scenario")]
    assert {_key(v.key) for v in found} | {_key(head) for head in heads} == {_key(line) for line in lines}
    boxes = next(v for v in found if v.key.endswith("axle_box.roll_inertia_kg_m2"))
    assert boxes.factor == 2.0
    assert read_vehicle(boxes.scenario.vehicle.file).axle_box["roll_inertia_kg_m2"] == 4.0
    changed = {v.key: v for v in found}
    assert changed["irregularity: contact_filter"].settings.patch_half_length_m == pytest.approx(0.009)
    if without:
        wheel = changed["contact: wheel_profile"].scenario.contact.wheel_profile
        assert np.ptp(read_profile(wheel, "wheel").height) == pytest.approx(1.1 * np.ptp(s1002().height), rel=1e-3)
        hz = 1.5 * np.arange(1, 40)
        spectra = changed["irregularity: spectrum fra: vertical_cm2"].settings, ResponseSettings()
        more, usual = (input_matrix(scenario.irregularity, hz, 22.2, how) for how in spectra)
        np.testing.assert_allclose(more[:10, 1, 1].real, 1.5 * usual[:10, 1, 1].real)
    else:
        assert changed["scenario: contact.friction"].scenario.contact.friction == pytest.approx(1.3 * 0.3)


def test_a_run_finds_its_own_ranking_and_says_when_it_is_another_scenarios(tmp_path):
    scenario = scenario_of()
    lines = assumed_values(scenario, read_vehicle("as4"))
    shipped = most_important(lines, *read_ranking(tmp_path, scenario))
    assert len(shipped) == 4 and "AS4 example" in shipped[0] and "flexwheel sensitivity" in shipped[0]
    other = most_important(lines, *read_ranking(tmp_path, scenario_of("vehicle.file=manchester_v1")))
    assert len(other) == 1 and "AS4" not in other[0] and "flexwheel sensitivity SCENARIO" in other[0]
    change = Change("contact: normal_damping_ns_m", 1e4, 2.0, {"lateral force": np.array([0.1, -3.0])})
    write_sensitivity(sensitivity_record(scenario, np.array([100.0, 125.0]), [change], []), tmp_path)
    own = most_important(lines, *read_ranking(tmp_path, scenario))
    assert "this scenario" in own[0] and own[1].endswith("; times 2: -3.0 dB lateral force at 125 Hz")
    assert not read_ranking(tmp_path, scenario_of("run.speed_kmh=90"))[1]
    (tmp_path / "sensitivity.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(ScenarioError, match="sensitivity.json: not a file of 'flexwheel sensitivity'"):
        read_ranking(tmp_path, scenario)


@pytest.mark.parametrize("factor", ["1.0", "true", "1e9", "'two'"])
def test_factors_that_are_none_are_refused(tmp_path, factor):
    text = (FOLDER / "as4.toml").read_text(encoding="utf-8").replace("factor = 1.02", f"factor = {factor}")
    (tmp_path / "v.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match="wheel.radius_m.factor must be a number above 1"):
        read_vehicle(tmp_path / "v.toml")


def test_level_of_the_wheel_that_changes_most():
    """One wheel twice as loud is 6.02 dB; a band 80 dB below the highest does not count."""
    old = np.array([[1.0, 1.0], [1e-4, 1.0]])
    new = np.array([[1.0, 2.0], [1.0, 0.9]])
    found = change_of({"x": new}, {"x": old}, "x", lambda x: x)
    np.testing.assert_allclose(found, [20.0 * np.log10(2.0), 20.0 * np.log10(0.9)])
