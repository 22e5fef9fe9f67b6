"""`flexwheel stress --submodel`: what it prints of a run equals the stress rows of a body with submodels."""

import json

import numpy as np
import pytest

from flexwheel.assess.surface_stress import StressOfRun, submodel_figures
from flexwheel.body.stress import von_mises
from tests.cli_cases import SCENARIO, command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("run")
    (place / "s.toml").write_text(SCENARIO, encoding="utf-8")
    assert command("run", place / "s.toml", "--out", place) == 0
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
