"""Vehicle files at the door: a flag is no number, and no number is absurd."""

import re

import pytest
from cli_cases import VEHICLE

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.vehicle_file import read_vehicle

NUMBERS = [m.span(1) for m in re.finditer(r"value = (-?[0-9][0-9.e+-]*)", VEHICLE)]


def refused(tmp_path, text):
    (tmp_path / "v.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"v\.toml") as error:
        read_vehicle(tmp_path / "v.toml")
    assert len(str(error.value)) < 600
    return str(error.value)


@pytest.mark.parametrize("value", ["true", "nan", "inf", "1e300", f"1{400 * '0'}"])
def test_no_number_can_be_a_flag_or_absurd(value, tmp_path):
    assert len(NUMBERS) > 25
    missed = []
    for first, last in NUMBERS:
        text = VEHICLE[:first] + value + VEHICLE[last:]
        try:
            refused(tmp_path, text)
        except pytest.fail.Exception:
            missed.append(VEHICLE[:first].rpartition("\n")[2])
    assert missed == []


def test_a_flag_stands_where_one_is_meant(tmp_path):
    (tmp_path / "v.toml").write_text(VEHICLE, encoding="utf-8")
    assert read_vehicle(tmp_path / "v.toml").wheelsets["front"]["driven"] is True
    text = VEHICLE.replace("driven = { value = true", "driven = { value = 1", 1)
    assert "driven" in refused(tmp_path, text)


@pytest.mark.parametrize("key", ["radius_m", "flange_back_m"])
def test_a_wheel_of_no_size_names_file_and_key(key, tmp_path):
    for value in ("5.0", "0.01"):
        text = re.sub(rf"{key} = {{ value = [0-9.]+", f"{key} = {{ value = {value}", VEHICLE)
        assert f"wheel.{key} must be " in refused(tmp_path, text)


def test_masses_and_moments_are_not_next_to_nothing(tmp_path):
    """1e-300 kg left a singular matrix in the linear analysis."""
    found = list(re.finditer(r"(\w*(?:mass_kg|inertia_kg_m2)) = \{ value = ([0-9][0-9.e+-]*)", VEHICLE))
    assert len(found) >= 8
    for m in found:
        text = VEHICLE[: m.start(2)] + "1e-300" + VEHICLE[m.end(2) :]
        assert f"{m[1]} must be a positive number, at least 1e-06, got 1e-300" in refused(tmp_path, text)
