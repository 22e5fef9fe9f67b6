"""Collective of runs: closed forms of damage, life and bound; ten wrong files, one line each."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import t as student

from flexwheel.assess import collective
from flexwheel.assess.collective import STRETCHES, collective_figures, judge_collective, read_collective
from flexwheel.assess.evaluate.fatigue import WoehlerCurve
from flexwheel.assess.evaluate.service_extreme import largest_of_service
from flexwheel.assess.evaluate.strength_grades import given_limit
from flexwheel.assess.node_fatigue import NodeHistories
from flexwheel.base.errors import ScenarioError
from tests.cli_cases import command


def run(amplitudes, way, per_stretch=12):
    """Stretches of equal way, each with its amplitude of bending along the axle."""
    wave = np.cos(np.linspace(0.0, 2.0 * np.pi * per_stretch, 36 * per_stretch, endpoint=False))
    signal = np.concatenate([a * wave for a in amplitudes])
    stress = np.zeros((len(signal), 1, 6))
    stress[:, 0, 1] = signal
    return NodeHistories(stress, way, np.array([np.nan]), np.zeros(1))


def per_km(amplitude, way, slope, per_stretch=12):
    cycles = WoehlerCurve(200e6, 2e6, slope).cycles(2.0 * amplitude)
    return per_stretch * STRETCHES / (way / 1e3) / float(cycles)


def test_two_blocks_and_the_life_of_their_mix():
    blocks = [(180e6, 600.0, 0.25), (90e6, 900.0, 0.75)]
    parts = [run([a] * STRETCHES, way) for a, way, _ in blocks]
    found = collective_figures(parts, [s for *_, s in blocks], [3], [given_limit(100.0)], {"service_km": 1e5})
    (item,) = found["nodes"]
    closed = sum(s * per_km(a, way, 5.0) for a, way, s in blocks)
    assert item["damage_per_km"] == pytest.approx(closed, rel=0.01)  # half a cycle of 120, plane to 0.2 % of the range
    assert item["life_km"] == pytest.approx(1.0 / item["damage_per_km"])
    assert item["damage_of_service"] == pytest.approx(1e5 * item["damage_per_km"])
    # stretches are alike: what scatters is a sample at the ends of each
    assert item["damage_bound_per_km"] == pytest.approx(item["damage_per_km"], rel=0.02)


def test_bound_of_scattered_stretches_is_students():
    rng = np.random.default_rng(5)
    amplitudes = rng.uniform(120e6, 200e6, STRETCHES)
    parts = [run(amplitudes, 2000.0), run([60e6] * STRETCHES, 2000.0)]
    found = collective_figures(parts, [0.5, 0.5], [3], [given_limit(100.0)], {"confidence": 0.9})
    (item,) = found["nodes"]
    each = np.array([per_km(a, 2000.0, 5.0) for a in amplitudes])
    margin = student.ppf(0.9, STRETCHES - 1) * 0.5 * np.std(each, ddof=1) / np.sqrt(STRETCHES)
    assert item["damage_bound_per_km"] - item["damage_per_km"] == pytest.approx(margin, rel=0.05)
    assert item["life_bound_km"] < item["life_km"]


def test_largest_amplitude_of_a_service_of_exponential_excesses():
    """Exponential tail: the level of a service is u + m ln(cycles of it above u); the bound holds 19 of 20 times."""
    rng, km, service = np.random.default_rng(3), 1.0, 1e6
    held, found = 0, []
    for _ in range(400):
        one = 100.0 + rng.exponential(5.0, 2500)
        level, bound = largest_of_service([one], [km], [1.0], service, 0.95)
        held += bound >= 100.0 + 5.0 * np.log(2500.0 * service)
        found.append(level)
    assert np.mean(found) == pytest.approx(100.0 + 5.0 * np.log(2500.0 * service), rel=0.01)
    assert 0.92 < held / 400 < 0.98
    calm = [100.0 + rng.exponential(5.0, 2500), np.full(2500, 60.0)]  # the calm run has no tail that counts
    half = largest_of_service(calm, [km, km], [0.5, 0.5], service, 0.95)
    alone = largest_of_service(calm[:1], [km], [1.0], 0.5 * service, 0.95)
    np.testing.assert_allclose(half, alone, rtol=1e-9)
    twice = largest_of_service([calm[0]] * 2, [km, km], [0.5, 0.5], service, 0.95)
    np.testing.assert_allclose(twice, largest_of_service(calm[:1], [km], [1.0], service, 0.95), rtol=1e-9)
    assert np.isnan(largest_of_service([np.arange(9.0)], [km], [1.0], service, 0.95)).all()
    assert largest_of_service([np.full(100, 7.0)], [km], [1.0], 1e-9, 0.95)[0] == 7.0  # never below what was seen


def test_damage_of_the_service_is_part_of_the_verdict():
    """A utilisation below 1 does not hold a service whose damage passes 1; open where only the bound does."""
    parts = [run([90e6] * STRETCHES, 1200.0), run([60e6] * STRETCHES, 900.0)]
    (item,) = collective_figures(parts, [0.5, 0.5], [3], [given_limit(100.0)], {})["nodes"]
    assert item["verdict"] == "holds" and item["utilisation"] < 1.0 and "damage_of_service" not in item
    for share, word in ((0.5, "holds"), (1.001, "EXCEEDED")):
        data = {"service_km": share * item["life_km"]}
        (found,) = collective_figures(parts, [0.5, 0.5], [3], [given_limit(100.0)], data)["nodes"]
        assert found["verdict"] == word and found["damage_of_service"] == pytest.approx(share)
    scattered = [run(np.linspace(80e6, 95e6, STRETCHES), 1200.0), parts[1]]
    (item,) = collective_figures(scattered, [0.5, 0.5], [3], [given_limit(100.0)], {})["nodes"]
    data = {"service_km": 0.5 * (item["life_km"] + item["life_bound_km"])}
    assert collective_figures(scattered, [0.5, 0.5], [3], [given_limit(100.0)], data)["nodes"][0]["verdict"] == "open"
    short = [part._replace(way=400.0) for part in parts]  # a comparison has no service either
    assert "damage_of_service" not in collective_figures(short, [0.5, 0.5], [3], [given_limit(100.0)], data)["nodes"][0]


def test_the_command_says_the_damage_of_its_service(tmp_path, monkeypatch, capsys):
    """`service_km` of a file, read and printed: twice the life is a damage of 2."""
    mesh = SimpleNamespace(node_ids=np.array([12]), nodes=np.zeros((1, 3)))
    monkeypatch.setattr(collective, "StressOfRun", lambda *_: SimpleNamespace(mesh=mesh, unfinished=""))
    monkeypatch.setattr(collective, "limits_at", lambda *_: ({12: given_limit(100.0)}, {}))
    monkeypatch.setattr(collective, "node_histories", lambda *_: run([90e6] * STRETCHES, 800.0))
    (item,) = judge_collective(read_collective(written(tmp_path, {})))["nodes"]
    assert "damage_of_service" not in item and item["life_km"] > 1e3
    path = written(tmp_path, {"service_km": repr(2.0 * item["life_km"])})
    assert command("collective", path) == 0
    (line,) = [text for text in capsys.readouterr().out.splitlines() if text.startswith("node 12: damage over")]
    assert line.startswith(f"node 12: damage over {2.0 * item['life_km']:g} km 2, bound 95 % ")
    assert command("collective", path, "--json") == 0
    (told,) = json.loads(capsys.readouterr().out)["nodes"]
    assert told["damage_of_service"] == pytest.approx(2.0)
    assert (told["verdict"], told["verdict_of_stress"], told["verdict_of_damage"]) == ("EXCEEDED", "holds", "EXCEEDED")


def test_less_than_a_kilometre_is_a_comparison():
    parts = [run([150e6] * STRETCHES, 400.0), run([90e6] * STRETCHES, 500.0)]
    found = collective_figures(parts, [0.5, 0.5], [3], [given_limit(100.0)], {})
    assert found["comparison"].startswith("comparison only, no life: 0.9 km of 2 runs")
    assert found["nodes"][0]["life_km"] is None and found["nodes"][0]["damage_per_km"] > 0.0


SOUND = {
    "grades": '"assumed"', "grade": '"EA1N"', "zones": '["body:0:900"]', "nodes": "[12]",
    "run": '[{ folder = "a", km = 3.0 }, { folder = "b", km = 1.0 }]',
}  # fmt: skip


def written(tmp_path, changes):
    path = tmp_path / "c.toml"
    rows = {k: v for k, v in (SOUND | changes).items() if v is not None}
    path.write_text("".join(f"{k} = {v}\n" for k, v in rows.items()))
    return path


def test_shares_are_those_of_the_kilometres(tmp_path):
    found = read_collective(written(tmp_path, {}))
    assert found.shares == pytest.approx([0.75, 0.25]) and found.folders[0] == tmp_path / "a"


def test_runs_of_two_meshes_are_refused_and_one_that_stopped_is_said(tmp_path, monkeypatch):
    """Node 12 of another mesh is another place of the wheelset."""
    shift = 0.0

    def opened(folder, *_):
        mesh = SimpleNamespace(node_ids=np.array([7, 12]), nodes=np.eye(2, 3) + shift * (folder.name == "b"))
        return SimpleNamespace(mesh=mesh, unfinished="2 s were simulated (derailed)" * (folder.name == "b"))

    monkeypatch.setattr(collective, "StressOfRun", opened)
    monkeypatch.setattr(collective, "limits_at", lambda *_: ({12: given_limit(100.0)}, {}))
    monkeypatch.setattr(collective, "node_histories", lambda *_: run([90e6] * STRETCHES, 400.0))
    mix = read_collective(written(tmp_path, {}))
    assert judge_collective(mix)["unfinished"] == [f"{tmp_path / 'b'}: 2 s were simulated (derailed)"]
    shift = 1e-3
    with pytest.raises(ScenarioError, match="got another mesh: node 12 lies elsewhere"):
        judge_collective(mix)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"grade": None}, "must have grade"),
        ({"axle": "1"}, "axle must be one of"),
        ({"nodes": "[]"}, "nodes must be ids"),
        ({"nodes": "[1.5]"}, "nodes must be ids"),
        ({"slope": "-5.0"}, "slope must be above 0, got -5"),
        ({"service_km": "500.0"}, "service_km must be 1000 to 1e\\+08, got 500"),
        ({"service_km": "2e9"}, "service_km must be 1000 to 1e\\+08, got 2e\\+09"),
        ({"service_km": "0.0"}, "service_km must be above 0, got 0"),
        ({"service_km": '"long"'}, "service_km must be a number, got 'long'"),
        ({"slope": '"5"'}, "slope must be a number"),
        ({"confidence": "1.0"}, "confidence must be 0.5 to below 1"),
        ({"run": "[]"}, "must have a \\[\\[run\\]\\]"),
        ({"run": '[{ folder = "a" }]'}, "run 1 must have folder and km"),
        ({"run": '[{ folder = "a", km = 0.0 }]'}, "run 1: km must be above 0"),
        ({"zones": "[3]"}, "zones must be texts"),
        (
            {"run": '[{ folder = "a", km = 3.0 }, { folder = "b/../a", km = 1.0 }]'},
            "run 2: folder must be of a run not",
        ),
    ],
)
def test_wrong_files_one_line_each(tmp_path, changes, words):
    with pytest.raises(ScenarioError, match=words) as told:
        read_collective(written(tmp_path, changes))
    assert "\n" not in str(told.value)
