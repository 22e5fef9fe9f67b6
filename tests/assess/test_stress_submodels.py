"""`flexwheel stress --submodel`: what it prints of a run equals the stress rows of a body with submodels."""

import json
import shutil

import numpy as np
import pytest

from flexwheel.assess.collective import judge_collective, read_collective
from flexwheel.assess.section_moments import axle_run, point_stress
from flexwheel.assess.surface_stress import StressOfRun, submodel_figures
from flexwheel.body.stress import von_mises
from flexwheel.results.evaluate.span import settled_rows
from tests.cli_cases import SCENARIO, command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("run")
    (place / "s.toml").write_text(SCENARIO, encoding="utf-8")
    assert command("run", place / "s.toml", "--out", place, "--set", "run.settling_s=0.002") == 0
    return place


def test_hot_spots_with_submodels(folder, capsys):
    capsys.readouterr()
    assert command("stress", folder, "--submodel", "--top", "2", "--json", "--out", folder / "s") == 0
    spots = json.loads(capsys.readouterr().out)["hot_spots"]
    for spot in spots:
        assert spot["submodel_error"] > 0.01
        assert spot["submodel_von_mises_pa"] == pytest.approx(spot["von_mises_pa"], rel=1.5 * spot["submodel_error"])
    assert command("stress", folder, "--submodel", "--top", "1", "--out", folder / "s") == 0
    text = capsys.readouterr().out
    assert "submodel [MPa]" in text and "last split" in text


def test_figures_are_those_of_the_tensors(folder):
    run = StressOfRun(folder)
    web, tread = (int(run.mesh.node_ids[run.mesh.node_sets[name][0]]) for name in ("WEB_INNER_LEFT", "TREAD_LEFT"))
    fine, plain = (run.at_nodes([web], submodel=which).stress.values[:, 0, 0] for which in (True, False))
    found, loaded = submodel_figures(run, [web, tread])
    worst = np.argmax(von_mises(fine))
    assert found["submodel_von_mises_pa"] == pytest.approx(von_mises(fine[worst]), rel=1e-5)
    wanted = von_mises(plain[worst] - fine[worst]) / von_mises(fine[worst])
    assert found["submodel_error"] == pytest.approx(wanted, rel=1e-3)
    assert set(loaded.values()) == {None}


def test_moments_of_the_runs_own_loads_are_those_of_the_stress_of_its_mesh(folder, capsys):
    """`en13103 --run` at a body section: statics of loads and inertia, against K times nominal stress by `fatigue`."""
    run = StressOfRun(folder)
    x, y, z = run.mesh.nodes.T
    node = int(run.mesh.node_ids[np.argmin(np.linalg.norm(run.mesh.nodes - [0.0, 0.0, -0.08], axis=1))])
    capsys.readouterr()
    options = ["--grades", "assumed", "--grade", "EA1N", "--json"]
    assert command("fatigue", folder, "--node", node, "--zone", "body:0:560", *options, "--out", folder / "f") == 0
    (item,) = json.loads(capsys.readouterr().out)["nodes"]
    journals, treads = run.places()
    mesh = run.at_nodes([node]).stress.sel(point="rotating").values[:, 0, 1]
    mesh /= item["elastic_factor"]
    rows = settled_rows(run.results)
    axle = axle_run(run, [0.0])
    place = run.mesh.nodes[run.mesh.node_ids == node][0]
    nominal, _ = point_stress(axle, 0, (2.0 * np.hypot(place[0], place[2]), 0.0), place[[0, 2]])
    assert nominal == pytest.approx(mesh[rows], abs=0.05 * np.abs(mesh).max())
    assert command("en13103", "--run", folder, "--section", f"{1e3 * journals[0]}:160:body", *options) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = found["sections"]
    assert row["bending_nm"] == pytest.approx(axle.wrench[:, 0, 3][np.argmax(np.abs(axle.wrench[:, 0, 3]))], rel=1e-3)
    assert row["time_s"] in axle.time and found["forces_n"] == {} and "own loads" in found["source"]
    assert command("en13103", "--run", folder, "--section", "3000:160:fillet", *options) == 2
    assert "an axle section must be at 0 to" in capsys.readouterr().err


def test_a_crack_under_a_collective_of_runs(folder, tmp_path, capsys):
    """Run, collective, crack: it grows as under the counted cycles written as blocks; a comparison has no life."""
    mesh = StressOfRun(folder).mesh
    ahead = [-0.08 * np.sin(0.4), 0.0, 0.08 * np.cos(0.4)]  # passes the highest place in the run: a cycle in tension
    node = int(mesh.node_ids[np.argmin(np.linalg.norm(mesh.nodes - ahead, axis=1))])
    runs = zip((folder, shutil.copytree(folder, tmp_path / "again")), (3.0, 1.0), strict=True)
    rows = "".join(f'[[run]]\nfolder = "{run}"\nkm = {km}\n' for run, km in runs)
    head = f'grades = "assumed"\ngrade = "EA1N"\nzones = ["body:0:560"]\nnodes = [{node}]\n'
    (tmp_path / "mix.toml").write_text(head + rows, encoding="utf-8")
    (item,) = judge_collective(read_collective(tmp_path / "mix.toml"))["nodes"]
    assert item["elastic_factor"] == pytest.approx(1.0, abs=0.1)  # two elements across, halves of 11 % were measured
    blocks = "".join(
        f"[[block]]\namplitude_mpa = {0.5e-6 * a}\nmean_mpa = {1e-6 * m}\ncycles_per_km = {n}\n"
        for a, m, n in item["cycles"] * [item["elastic_factor"], item["elastic_factor"], 1.0]  # the stress of the mesh
    )
    sound = "diameter_mm = 160.0\ndepth_mm = 5.0\nhalf_length_mm = 6.0\n"
    law = '[material]\nlaw = "paris"\nsource = "a test"\nc = 3e-11\nn = 3.0\ntoughness_mpa_sqrt_m = 80.0\n'
    grown = []
    for more, load in ((f'collective = "mix.toml"\nnode = {node}\n', ""), ("", blocks)):
        (tmp_path / "crack.toml").write_text(sound + more + law + load, encoding="utf-8")
        assert command("crack", tmp_path / "crack.toml", "--json") == 0
        grown.append(json.loads(capsys.readouterr().out))
    assert grown[0]["grows"], grown[0]
    assert grown[0]["km"] == pytest.approx(grown[1]["km"], rel=1e-9)
    assert grown[0]["life_km"] is None and "comparison only" in grown[0]["comparison"]
    assert grown[1]["life_km"] > 0.0 and grown[1]["elastic_factor"] is None
    below = int(mesh.node_ids[np.argmin(np.linalg.norm(mesh.nodes - [0.0, 0.0, -0.08], axis=1))])
    (tmp_path / "mix.toml").write_text(head.replace(str(node), str(below)) + rows, encoding="utf-8")
    (tmp_path / "crack.toml").write_text(sound + f'collective = "mix.toml"\nnode = {below}\n' + law, encoding="utf-8")
    assert command("crack", tmp_path / "crack.toml") == 2
    assert f"node {below} has no whole cycle in these runs" in capsys.readouterr().err
