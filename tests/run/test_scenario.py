"""Scenario files: resolved values read back to the same scenario; errors name file, line, key and what was expected."""

import tomllib
from pathlib import Path

import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS
from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.keys.reader import parse_scenario, read_scenario, read_scenario_source
from flexwheel.run.keys.toml_text import scenario_toml
from tests import rooms

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "as4_curve.toml"
SMALL = """
[run]
speed_kmh = 80.0
duration_s = 1.0

[wheelset.front]
formulation = "rigid"
"""


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("as4*.toml")), ids=lambda p: p.name)
def test_examples_read_and_read_back(path):
    source = read_scenario_source(path)
    again = parse_scenario(scenario_toml(source.scenario), path)
    assert again == source.scenario
    assert Path(source.scenario.wheelset["front"].mesh).is_file()


def test_paper_values_of_the_example():
    scenario = read_scenario(EXAMPLE)
    assert scenario.run.speed == pytest.approx(80 / 3.6)
    assert scenario.run.duration == 14.0
    assert scenario.run.stride == 1
    assert [item.length_m for item in scenario.track.layout] == [10.0, 50.0, 200.0, 50.0, 1000.0]
    assert scenario.track.layout[2].radius_m == 300.0


def test_overrides_in_order_and_of_all_kinds():
    scenario = read_scenario(
        EXAMPLE,
        [
            "run.speed_kmh=100",
            "run.speed_kmh=120",
            "wheelset.front.mode=lagrangian",
            "track.layout.2.radius_m=-400.0",
            'wheelset.front.control_nodes=["tread_left", 14218, [0.0, -0.75, -0.46]]',
            "run.end_position_m=100",
        ],
    )
    assert scenario.run.speed_kmh == 120.0
    assert scenario.wheelset["front"].mode == "lagrangian"
    assert scenario.track.layout[2].radius_m == -400.0
    nodes = scenario.wheelset["front"].control_nodes
    assert (nodes[0].name, nodes[1].id, nodes[2].position_m) == ("tread_left", 14218, (0.0, -0.75, -0.46))
    assert scenario.run.duration == pytest.approx(100 / (120 / 3.6))


def test_scenario_is_frozen():
    scenario = parse_scenario(SMALL)
    with pytest.raises(ValueError, match="frozen"):
        scenario.run.speed_kmh = 3.0


BAD = {
    "no_section_end": ("[run\nspeed_kmh = 80", "not valid TOML", "line 1"),
    "run_missing": ("[vehicle]\nfile = 'as4'", "run must be given", "s.toml"),
    "unknown_key": ("[run]\nduration_s = 1\nspeed_kph = 80", "did you mean speed_kmh", "s.toml:3"),
    "unknown_section": (SMALL + "[trak]\nmodel = 'massless'", "did you mean track", "s.toml:8"),
    "negative_speed": ("[run]\nduration_s = 1\nspeed_kmh = -5", "above 0, got -5", "s.toml:3"),
    "zero_speed": ("[run]\nduration_s = 1\nspeed_kmh = 0", "above 0, got 0", "s.toml:3"),
    "nan_speed": ("[run]\nduration_s = 1\nspeed_kmh = nan", "got nan", "s.toml:3"),
    "infinite_duration": ("[run]\nduration_s = inf", "got inf", "s.toml:2"),
    "word_for_number": ("[run]\nduration_s = 'long'", "must be a number", "got 'long'"),
    "no_end": ("[run]\nspeed_kmh = 80", "duration_s", "end_position_m"),
    "two_ends": ("[run]\nduration_s = 1\nend_position_m = 10", "exactly one", "s.toml:1"),
    "end_before_start": ("[run]\nend_position_m = -10", "beyond start_position_m", "s.toml"),
    "step_not_a_divisor": ("[run]\nduration_s = 1\noutput_step_s = 7e-5", "whole multiple", "1.4 times"),
    "unknown_integrator": ("[run]\nduration_s = 1\nintegrator = 'rk4'", "'newmark', 'park' or", "got 'rk4'"),
    "flexible_without_mesh": (SMALL.replace("rigid", "flexible"), "mesh must be given", "wheelset.front"),
    "distribution_without_effect": (
        SMALL + "force_distribution = 'inverse_distance'",
        "needs between_sections = linear",
        "wheelset.front",
    ),
    "missing_mesh_file": (SMALL + 'mesh = "nowhere.inp"', "mesh must be a file, got 'nowhere.inp'", "s.toml:8"),
    "short_radius": (SMALL + "[track]\nlayout = [{kind='arc', length_m=5, radius_m=3}]", "at least 20 m", "layout.0"),
    "arc_without_radius": (SMALL + "[[track.layout]]\nkind='arc'\nlength_m=5", "radius_m", "s.toml:8"),
    "radius_on_straight": (
        SMALL + "[[track.layout]]\nkind='straight'\nlength_m=5\nradius_m=9",
        "belong to arcs",
        "layout.0",
    ),
    "negative_length": (SMALL + "[[track.layout]]\nkind='straight'\nlength_m=-5", "at least 0.001", "s.toml:10"),
    "negative_mass": (SMALL + "[track.sleeper]\nmass_kg = -1", "above 0, got -1", "s.toml:9"),
    "friction_too_high": (SMALL + "[contact]\nfriction = 7", "at most 1.5", "s.toml:9"),
    "waves_swapped": (SMALL + "[irregularity]\nlongest_wave_m = 0.5", "must exceed", "s.toml:8"),
    "value_for_a_section": ("run = 3", "a table of keys", "s.toml:1"),
}


@pytest.mark.parametrize("case", BAD, ids=list(BAD))
def test_bad_scenarios_are_refused_in_one_line(case):
    text, *expected = BAD[case]
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, Path("s.toml"))
    message = str(caught.value)
    assert "\n" not in message and len(message) < 700
    for part in expected:
        assert part in message


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("run.speed_kmh", "--set must be section.key=value"),
        ("run.speed_kmh=-1", "run.speed_kmh must be above 0, got -1 (--set run.speed_kmh=-1)"),
        ("run.sped_kmh=1", "did you mean speed_kmh"),
        ("track.layout.9.length_m=3", "index from 0"),
        ("run.speed_kmh.x=3", "is a value, not a section"),
    ],
)
def test_bad_overrides_are_named(override, expected):
    with pytest.raises(ScenarioError) as caught:
        read_scenario(EXAMPLE, [override])
    assert expected in str(caught.value)


def test_missing_file_and_folder():
    with pytest.raises(ScenarioError, match="there is no such file"):
        read_scenario("nowhere.toml")
    with pytest.raises(ScenarioError, match="is a folder"):
        read_scenario(ROOT)


OTHER_KINDS = ("train_2", "feve3000_curve", "ml95_curve")


@pytest.mark.parametrize("path", rooms.examples(*OTHER_KINDS), ids=lambda p: p.stem)
def test_scenario_of_another_kind_is_named(path):
    with pytest.raises(ScenarioError, match=r"kind must be 'vehicle', got '\w+', which 'flexwheel run' takes"):
        read_scenario(path)


@pytest.fixture(scope="module")
def schema():
    from jsonschema import Draft202012Validator

    from flexwheel.run.keys.schema import scenario_schema

    Draft202012Validator.check_schema(scenario_schema())
    return Draft202012Validator(scenario_schema())


@pytest.mark.parametrize("path", rooms.examples(), ids=lambda p: p.stem)
def test_every_example_is_valid_by_the_schema(path, schema):
    assert [error.message for error in schema.iter_errors(tomllib.loads(path.read_text(encoding="utf-8")))] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind = 'ship'", "is not one of"),
        pytest.param("kind = 'train'", "'run' is a required property", marks=rooms.needs("systems/train")),
        ("[run]\nduration_s = -1", "less than or equal to the minimum of 0"),
        ("[run]\nduration_s = 1\nspeed = 80", "'speed' was unexpected"),
        ("[run]\nduration_s = 1\n[wheelset.front]\ncontrol_nodes = [[0, 1]]", "is not valid under any"),
        ("[run]\nduration_s = 1\n[irregularity]\nroughness_shift_db = 500", "greater than the maximum of 200"),
    ],
)
def test_the_schema_refuses(text, expected, schema):
    assert any(expected in error.message for error in schema.iter_errors(tomllib.loads(text)))


def test_the_line_within_an_array_that_runs_over_lines():
    text = SMALL + "[track]\nlayout = [  # ] {\n  { kind = 'straight', length_m = 9.0 },\n\n"
    text += "  { kind = 'arc', length_m = 9.0 }\n]\n"
    with pytest.raises(ScenarioError, match=r"track\.layout\.1: an arc needs radius_m.*s\.toml:12"):
        parse_scenario(text, Path("s.toml"))
    with pytest.raises(ScenarioError, match=r"contact\.friction must be at least 0, .*s\.toml:15"):
        parse_scenario(text.replace("'arc'", "'straight'") + "[contact]\nfriction = -1", Path("s.toml"))


def test_a_former_name_is_refused_with_the_new_one(tmp_path):
    former = (
        ("vehicle", "run", "time_step_s", "step_s"),
        ("realtime", "run", "time_step_s", "step_s"),
        ("realtime", "run", "record_every", "output_step_s"),
        ("train", "run", "start_m", "start_position_m"),
    )
    for kind, section, old, new in (case for case in former if case[0] in KINDS):
        (tmp_path / "s.toml").write_text(f"kind = '{kind}'\n[{section}]\n{old} = 1e-3\n", encoding="utf-8")
        with pytest.raises(ScenarioError, match=rf"unknown key {section}.{old} \(.*s.toml:3\): it is called {new} now"):
            read_scenario_source(tmp_path / "s.toml")


@pytest.mark.parametrize("kind", ["['vehicle']", "{ a = 1 }", "3", "'ship'"])
def test_a_kind_that_is_none_is_refused(kind):
    with pytest.raises(ScenarioError, match="kind must be one of vehicle, "):
        parse_scenario(f"kind = {kind}\n[run]\nstep_s = 1e-3")


@pytest.mark.parametrize("kind", [kind for kind in ("reduced", "train") if kind in KINDS])
def test_a_section_of_another_kind_names_what_to_add(kind):
    key, line = {"reduced": ("reduced", "method = 'rk4'"), "train": ("driving", "mode = 'by_time'")}[kind]
    with pytest.raises(ScenarioError, match=f"unknown key {key} .*: add kind = '{kind}' at the top"):
        parse_scenario(f"{SMALL}[{key}]\n{line}")


def test_a_bare_name_is_a_shipped_example(tmp_path, monkeypatch):
    """Where no file has it: a file of one's own comes first, and a path is a path."""
    monkeypatch.chdir(tmp_path)
    found = read_scenario_source("wheelset_curve")
    assert found.path == EXAMPLES / "wheelset_curve.toml" and found.scenario.run.speed_kmh == 18.0
    for name in ("./wheelset_curve", "wheelset_curve.toml", "wheelset_curves"):
        with pytest.raises(ScenarioError, match="there is no such file"):
            read_scenario_source(name)
    Path("wheelset_curve").write_text("kind = 3\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match="kind"):
        read_scenario_source("wheelset_curve")
