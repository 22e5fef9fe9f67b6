"""Readers on any text: a value of the promised kind, or one line; what is written reads back."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.run.keys.overrides import apply_override
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.run.keys.vehicle_keys import VehicleScenario
from flexwheel.track.irregularity import file_record
from flexwheel.track.roughness import roughness_table
from tests import rooms

LAWS = settings(
    derandomize=True, database=None, deadline=None, max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
CELL = st.one_of(
    st.floats(-1e3, 1e3).map(lambda x: f"{x:.6g}"), st.integers().map(str),
    st.sampled_from(["nan", "inf", "1e999", "", " ", "x", "1,5", "-", "\u00e9", "0x10", "1_0", '"1"', "#"]),
)  # fmt: skip
ROWS = st.lists(st.lists(CELL, min_size=1, max_size=4), max_size=12)
HEADS = st.sampled_from([
    "y_mm,z_mm", "wavelength_m,level_dB", "s_m,left_lateral_mm", "distance_m,notch", "time_s,notch,brake", "", "a,b,c",
    "distance_m,gradient_permille,radius_m",
])  # fmt: skip
TABLE = st.builds(
    lambda head, rows, end: end.join([head, *(",".join(r) for r in rows), ""]),
    HEADS, ROWS, st.sampled_from(["\n", "\r\n", ";\n"]),
)  # fmt: skip
CONTENT = st.one_of(TABLE.map(lambda text: text.encode()), st.binary(max_size=200))


def arrays_of(value):
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        return [a for v in value.values() for a in arrays_of(v)]
    if isinstance(value, tuple):
        return [a for v in value for a in arrays_of(v)]
    return [a for v in vars(value).values() for a in arrays_of(v)] if hasattr(value, "__dict__") else []


READERS = {
    "wheel profile": lambda path: read_profile(str(path), "wheel"),
    "rail profile": lambda path: read_profile(str(path), "rail"),
    "irregularity": file_record,
    "roughness": roughness_table,
}
if rooms.there("systems/train"):
    from flexwheel.systems.train.train_run import read_columns

    READERS["columns of a train"] = read_columns


@pytest.mark.parametrize("name", READERS)
@LAWS
@given(content=CONTENT)
def test_a_table_of_finite_numbers_or_one_line(tmp_path, name, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    try:
        value = READERS[name](path)
    except FlexwheelError as error:
        assert str(error).strip() and "\n" not in str(error)
        return
    assert all(np.all(np.isfinite(a)) for a in arrays_of(value) if a.dtype.kind == "f")


@LAWS
@given(text=st.text(max_size=60), key=st.sampled_from(["run.title", "run.speed_kmh", "contact.rail_profile", "a..b"]))
def test_an_override_is_a_value_or_one_line(text, key):
    data = {}
    try:
        apply_override(data, f"{key}={text}", VehicleScenario)
    except ScenarioError as error:
        assert str(error).startswith("--set ")
        return
    section, name = key.split(".")
    assert name in data[section]
    if key == "contact.rail_profile":
        assert isinstance(data[section][name], str | list | dict)


@LAWS
@given(
    speed=st.floats(0.1, 500.0), seed=st.integers(0, 2**40), title=st.text(max_size=30),
    friction=st.floats(0.0, 1.5), nodes=st.lists(st.one_of(st.integers(0, 10**9), st.tuples(*[st.floats(-9, 9)] * 3))),
)  # fmt: skip
def test_a_scenario_written_reads_back_the_same(speed, seed, title, friction, nodes):
    made = VehicleScenario.model_validate({
        "run": {"duration_s": 1.0, "speed_kmh": speed, "title": title}, "irregularity": {"seed": seed},
        "contact": {"friction": friction},
        "wheelset": {"front": {"formulation": "flexible", "mesh": "m", "control_nodes": nodes}},
    })  # fmt: skip
    assert parse_scenario(scenario_toml(made)) == made
