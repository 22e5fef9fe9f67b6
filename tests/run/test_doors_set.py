"""--set: the value is read by the declared type of the key; one override, one value."""

import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.run.keys.overrides import takes_only_text
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.keys.vehicle_keys import VehicleScenario

TEXT = "[run]\nduration_s = 1.0\n[wheelset.front]\n"


def scenario(*overrides):
    return parse_scenario(TEXT, overrides=overrides)


@pytest.mark.parametrize("quoted", ["60E1", '"60E1"', "'60E1'"])
def test_a_profile_named_like_a_number_is_text(quoted):
    assert scenario(f"contact.rail_profile={quoted}").contact.rail_profile == "60E1"


@pytest.mark.parametrize("word", ["54E1", "1e3", "true", "2024-01-01", "0x10", "inf", "[1]", "a b", ""])
def test_text_keys_take_any_bare_word(word):
    assert scenario(f"run.title={word}").run.title == word


def test_other_keys_are_toml():
    s = scenario("run.speed_kmh=1e2", "wheelset.front.mode=lagrangian", "run.compare_modes=['eulerian']")
    assert (s.run.speed_kmh, s.wheelset["front"].mode, s.run.compare_modes) == (100.0, "lagrangian", ("eulerian",))


def test_declared_types():
    text = [
        "contact.rail_profile", "run.title", "wheelset.front.mesh", "wheelset.front.mode", "track.layout.0.kind",
        "assumed.x", "vehicle.file", "irregularity.file",
    ]  # fmt: skip
    other = [
        "run.speed_kmh", "wheelset.front.interface_sets", "track.layout.0.radius_m", "run", "nowhere.x", "wheelset",
        "irregularity.lateral",
    ]  # fmt: skip
    assert all(takes_only_text(VehicleScenario, key.split(".")) for key in text)
    assert not any(takes_only_text(VehicleScenario, key.split(".")) for key in other)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("run.speed_kmh=1\nstep_s = 3", "--set must be one value"),
        ("run..speed_kmh=1", "--set must be section.key=value"),
        (".=1", "--set must be section.key=value"),
        ("track.layout.\u00b2.length_m=3", "index|section"),
        ("run.speed_kmh=" + 3000 * "[" + 3000 * "]", "nested too deep"),
        ("run.speed_kmh=" + 5000 * "9", "number"),
    ],
)
def test_bad_overrides_are_one_line(override, expected):
    with pytest.raises(ScenarioError, match=expected) as error:
        parse_scenario(TEXT + '[track]\nlayout = [{kind = "straight", length_m = 9.0}]\n', overrides=[override])
    assert "\n" not in str(error.value) and len(str(error.value)) < 400
