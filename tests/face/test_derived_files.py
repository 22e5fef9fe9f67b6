"""What commands made of a run's results goes with the run that replaces them; results that cannot be read say so."""

import os
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr
from synthetic import synthetic_body, synthetic_results

from flexwheel.assess.surface_stress import StressOfRun
from flexwheel.base.errors import ScenarioError
from flexwheel.face import cli
from flexwheel.run.derived_files import derived_files_follow

OLD = ("report.html", "report.pdf", "agreement.csv", "pictures/forces.png", "pictures/wheelset_a.vtkhdf",
       "stress/stress.nc", "fatigue/spectra.png", "lagrangian/results.nc")  # fmt: skip
KEPT = ("results.nc", "convergence.nc", "my_report.html", "pictures/notes.txt", "mine/results.nc")


@pytest.fixture
def folder(tmp_path):
    for name in (*OLD, *KEPT):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("of the run before")
        os.utime(tmp_path / name, ns=(10**18, 10**18))
    return tmp_path


def test_they_go_with_the_results(folder):
    said = []
    with pytest.raises(KeyboardInterrupt), derived_files_follow(folder, "results.nc", said.append):
        (folder / "results.nc").write_text("new")
        (folder / "pictures" / "new.png").write_text("drawn by the run itself")
        raise KeyboardInterrupt
    left = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert left == {*KEPT, "pictures/new.png"}
    assert not (folder / "stress").exists()
    words = "report (2), pictures (2), stress (1), fatigue (1), agreement (1), runs beside (1)"
    assert said == [f"removed files made from the former run: {words}"]


def test_they_stay_while_the_results_do(folder):
    with pytest.raises(KeyboardInterrupt), derived_files_follow(folder, "results.nc"):
        raise KeyboardInterrupt
    assert all((folder / name).is_file() for name in (*OLD, *KEPT))


def test_stress_needs_to_know_where_the_load_is_spread():
    stored = xr.Dataset(coords={"control_node_id": ("control_node", [1])}, attrs={"kind": "vehicle"})
    with pytest.raises(ScenarioError, match="stress: load_spread is not in the results"):
        StressOfRun.watched_nodes(SimpleNamespace(results=stored, wheelset="front"))


@pytest.mark.parametrize("complete", [True, False])
def test_stress_of_no_numbers_is_refused_where_the_run_is_whole(complete):
    body = synthetic_body()
    results = synthetic_results(body, duration=0.02).assign_attrs(complete=complete)
    spoilt = results.assign(modal_coordinate=results.modal_coordinate * np.nan)
    run = SimpleNamespace(results=spoilt, path="r.nc", wheelset="front")
    run._require_numbers = lambda history: StressOfRun._require_numbers(run, history)
    blocks = StressOfRun.blocks(run, len(body.frequency_hz))
    if not complete:
        assert len(list(blocks)) == 1
        return
    with pytest.raises(ScenarioError, match="r.nc: not whole results .* modal position of front has values that are"):
        list(blocks)


def test_values_that_cannot_be_read_end_in_one_line(monkeypatch):
    def damaged(**options):
        raise RuntimeError("NetCDF: HDF error")

    monkeypatch.setattr(cli, "make_app", lambda: damaged)
    assert cli._outcome([]) == ("a netCDF file cannot be read, it is damaged: NetCDF: HDF error", 2)
