"""Bad input of trains: one clear line each, that names what came, what was expected and where."""

import re

import numpy as np
import pytest
from train_scenario_text import GOOD

from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.systems.train.simulate_train import simulate
from flexwheel.systems.train.train_run import read_train_scenario

COUPLER = """
[coupler.mine]
gears = 1
draft = {draft}
solid_kn_mm = 100.0
"""

PAIRED = '{ vehicle = "ore_wagon", count = 10, pair = "rigid_bar" }'
USE_MINE = (PAIRED, '{ vehicle = "ore_wagon", count = 10, coupler = "mine" }')

CASES = {
    "loading below unloading": (
        [USE_MINE, ("[route]", COUPLER.format(draft="[[0, 0, 0], [40, 100, 200], [80, 500, 300]]") + "[route]")],
        r"coupler 'mine', draft table: loading must not be below unloading, got 100 kN < 200 kN in row 2",
    ),
    "deflection not rising": (
        [USE_MINE, ("[route]", COUPLER.format(draft="[[0, 0, 0], [40, 100, 20], [40, 500, 300]]") + "[route]")],
        r"deflection must rise strictly, got 40 mm, then 40 mm in row 3",
    ),
    "loading falls": (
        [USE_MINE, ("[route]", COUPLER.format(draft="[[0, 0, 0], [40, 100, 20], [80, 90, 30]]") + "[route]")],
        r"loading must not fall, got 100, then 90 kN in row 3",
    ),
    "table does not start at zero": (
        [USE_MINE, ("[route]", COUPLER.format(draft="[[0, 50, 0], [40, 100, 20]]") + "[route]")],
        r"loading must start at 0, got 50000",
    ),
    "row of two values": (
        [USE_MINE, ("[route]", COUPLER.format(draft="[[0, 0, 0], [40, 100]]") + "[route]")],
        r"draft: row 2 must have 3 values, got 2",
    ),
    "unknown coupler": (
        [("pair = \"rigid_bar\"", "pair = \"rigid_bra\"")],
        r"formation\[1\]: unknown coupler 'rigid_bra'; did you mean rigid_bar\?",
    ),
    "unknown vehicle": (
        [("\"ore_wagon\"", "\"ore_wagons\"")],
        r"unknown vehicle 'ore_wagons'; did you mean ore_wagon\?",
    ),
    "missing curve": (
        [("[route]", "[vehicle.locomotive]\nmass_t = 100\nlength_m = 20\ntraction = \"steam\"\n[route]")],
        r"vehicle.locomotive: unknown traction 'steam'; known: diesel_3100",
    ),
    "traction without curve": (
        [("[route]", "[traction.diesel_3100]\nspeed_kmh = [0, 50]\n[route]")],
        r"traction.diesel_3100: no curve; give speed_kmh and traction_kn",
    ),
    "curve of wrong length": (
        [("[route]", "[traction.diesel_3100]\nspeed_kmh = [0, 50]\ntraction_kn = [[100, 80], [200]]\n[route]")],
        r"traction_kn of notch 2 must have 2 values.*got 1",
    ),
    "train longer than route": (
        [("[0, 1000, 5000]", "[0, 50, 100]")],
        r"must be longer than the train, 132 m, got 100 m",
    ),
    "train stands before the route": (
        [("start_position_m = 400.0", "start_position_m = 100.0")],
        r"the train stands from -32 to 100 m; the route .* goes from 0 to 5000 m",
    ),
    "distance not rising": (
        [("[0, 1000, 5000]", "[0, 1000, 900]")],
        r"distance does not rise at row 3: 1000 m then 900 m",
    ),
    "gradient in per cent of something": (
        [("[0, 2, 0]", "[0, 200, 0]")],
        r"gradient must be within 100 per mille, got 200 in row 2",
    ),
    "columns of unequal length": ([("[0, 2, 0]", "[0, 2]")], r"route .*: columns of unequal length"),
    "negative mass": (
        [("[route]", "[vehicle.ore_wagon]\nmass_t = -1\nlength_m = 11\n[route]")],
        r"vehicle.ore_wagon.mass_t must be at least 0.01, got -1",
    ),
    "unknown key": (
        [("duration_s = 20.0", "duration_s = 20.0\ntolerence = 1e-4")],
        r"unknown key run.tolerence \(.*:5\), did you mean tolerance",
    ),
    "loose tolerance": (
        [("duration_s = 20.0", "duration_s = 20.0\ntolerance = 0.01")],
        r"tolerance must be .* to 0.001 .*got 0.01",
    ),
    "notches and points differ": ([("notch = [2, 6]", "notch = [2]")], r"one value for each of the 2 points, got 1"),
    "notch missing": ([("notch = [2, 6]", "")], r"driving.notch must be given"),
    "file missing": (
        [("at = [0, 10]\nnotch = [2, 6]", "file = \"none.csv\"")],
        r"driving.file must be a file, got .*none.csv",
    ),
    "brake beyond full": (
        [("notch = [2, 6]", "notch = [2, 6]\nbrake_at = [0]\nbrake = [1.5]")],
        r"must be at most 1, got 1.5",
    ),
    "not TOML": ([("[run]", "[run")], r"not valid TOML"),
    "no duration": ([("duration_s = 20.0", "")], r"run.duration_s must be given"),
    "speed of the wrong kind": (
        [("duration_s = 20.0", "duration_s = 20.0\nspeed_kmh = \"fast\"")],
        r"run.speed_kmh must be a number, got 'fast'",
    ),
    "no formation": ([(GOOD[GOOD.index("formation") : GOOD.index("[route]")], "formation = []\n")], r"formation"),
}  # fmt: skip


def written(tmp_path, edits):
    text = GOOD
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "train.toml"
    path.write_text(text)
    return path


def test_the_good_one_runs(tmp_path):
    path = written(tmp_path, [])
    scenario = read_train_scenario(path)
    assert len(scenario.run.train.vehicles) == 11
    results = simulate(scenario.run)
    assert results.speed[-1, 0] > 1.0
    assert "vehicle.ore_wagon.mass_t" in scenario.assumed


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_one_line(tmp_path, name):
    edits, pattern = CASES[name]
    path = written(tmp_path, edits)
    with pytest.raises(ScenarioError) as caught:
        read_train_scenario(path)
    message = str(caught.value)
    assert "\n" not in message
    assert re.search(pattern, message), message


def test_route_file_without_gradient(tmp_path):
    (tmp_path / "line.csv").write_text("distance_m,radius_m\n0,0\n1000,500\n")
    path = written(tmp_path, [(GOOD[GOOD.index("distance_m") : GOOD.index("[driving]")], 'file = "line.csv"\n')])
    with pytest.raises(
        ScenarioError, match=r"line.csv: column gradient_permille must be given; it has distance_m, radius_m"
    ):
        read_train_scenario(path)


def test_leaving_the_route_says_when_and_where(tmp_path):
    path = written(tmp_path, [("start_position_m = 400.0", "start_position_m = 4950.0\nspeed_kmh = 60.0")])
    with pytest.raises(ConvergenceError, match=r"at t = 4.0 s the train left the route .* \(0 to 5000 m\)"):
        simulate(read_train_scenario(path).run)


def test_override_and_unknown_override(tmp_path):
    path = written(tmp_path, [])
    assert read_train_scenario(path, ["run.speed_kmh=36"]).run.speed == pytest.approx(10.0)
    assert len(read_train_scenario(path, ["train.formation.1.count=4"]).run.train.vehicles) == 5
    with pytest.raises(ScenarioError, match="unknown key run.sped "):
        read_train_scenario(path, ["run.sped=36"])
    with pytest.raises(ScenarioError, match="--set must be section.key=value"):
        read_train_scenario(path, ["nonsense"])


def test_radius_and_curvature_columns_agree(tmp_path):
    routes = []
    for name, head, values in (("a", "radius_m", (0, 500, -800)), ("b", "curvature_per_km", (0, 2, -1.25))):
        rows = "\n".join(f"{s},0,{v}" for s, v in zip((0, 1000, 5000), values, strict=True))
        (tmp_path / f"{name}.csv").write_text(f"# remark\ndistance_m,gradient_permille,{head}\n{rows}\n")
        path = written(tmp_path, [(GOOD[GOOD.index("distance_m") : GOOD.index("[driving]")], f'file = "{name}.csv"\n')])
        routes.append(read_train_scenario(path).run.route)
    np.testing.assert_allclose(routes[0].curvature, routes[1].curvature, rtol=1e-12)
