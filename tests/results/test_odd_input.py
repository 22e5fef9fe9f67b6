"""Runs that end early leave a whole file marked incomplete; odd but legal input runs to its end."""

import contextlib
import os
import re
import shutil
import signal

import numpy as np
import pytest
from cli_cases import MESHES, SCENARIO, command, run

from flexwheel.results.files import read_results
from tests.forked import Forked, needs_fork

CURVE = "[{kind='straight', length_m=5}, {kind='transition', length_m=5}, {kind='arc', length_m=300, radius_m=60}]"


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLEXWHEEL_CACHE", str(tmp_path_factory.mktemp("bodies")))
        yield


@needs_fork
def test_interrupted_run_is_whole_and_marked(tmp_path):
    """Ctrl-C to a process in its time loop, on a terminal: there its progress is said at once."""
    arguments = run(
        "run.duration_s=120", "run.output_step_s=1e-3", "track.layout.1.length_m=4000",
        "wheelset.front.formulation=rigid",
    )(tmp_path)  # fmt: skip
    arguments = [str(a) for a in arguments if a != "--quiet"]
    terminal, end_of_process = os.openpty()
    process = Forked(lambda: command(*arguments), end_of_process)
    os.close(end_of_process)
    said = b""
    while b"t = " not in said and process.poll() is None:
        said += os.read(terminal, 4096)
    os.kill(process.pid, signal.SIGINT)
    with contextlib.suppress(OSError):  # Linux says so that nobody is left at the other end
        while more := os.read(terminal, 4096):
            said += more
    os.close(terminal)
    assert process.ended() == 2, said
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode())  # without what steers the terminal
    last = re.sub(r"\n +", " ", plain.replace("\r\n", "\n").replace("\r", "\n")).strip().splitlines()[-1]  # folded
    assert last.startswith("flexwheel: run not complete: interrupted at t = ") and "Traceback" not in said.decode()
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["results.nc", "resume"]
    results = read_results(tmp_path / "out")
    assert results.attrs["complete"] is False and "interrupted" in results.attrs["status"]
    assert 0.0 < float(results.time[-1]) < 60.0 and np.all(np.isfinite(results.wheel_force.values))


def test_wheel_that_climbs_out_ends_with_a_whole_file(tmp_path, capfd):
    """150 km/h through a 60 m curve without cant on rails of friction 1: 29 m/s2 sideways."""
    arguments = run(
        f"track.layout={CURVE}", "run.speed_kmh=150", "run.duration_s=3", "contact.friction=1.0",
        "wheelset.front.formulation=rigid",
    )(tmp_path)  # fmt: skip
    assert command(*arguments) == 2
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1
    assert re.search(r"run not complete: a wheel left the rail at t = \d.*results\.nc", lines[0]), lines
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["results.nc"]
    results = read_results(tmp_path / "out")
    assert results.attrs["complete"] is False and "left the rail" in results.attrs["status"]
    assert 0.05 < float(results.time[-1]) < 3.0


ODD = {
    "mesh from Gmsh": [f"wheelset.front.mesh={MESHES / 'wheelset_coarse.msh'}", *[
        f"wheelset.front.{key}={value}"
        for key, value in (("youngs_modulus_pa", 2.1e11), ("poissons_ratio", 0.3), ("density_kg_m3", 7850))
    ]],
    "mesh from Nastran": [f"wheelset.front.mesh={MESHES / 'wheelset_coarse.bdf'}"],
    "item of a list": ["track.layout.0.length_m=12.5", "track.layout.1.length_m=20"],
    "node of a list": [
        "wheelset.front.control_nodes=['tread_left', 'tread_right']",
        "wheelset.front.control_nodes.1=1200",
    ],
    "whole number for a speed": ["run.speed_kmh=60", "run.title=sixty"],
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_odd_but_legal(case, tmp_path):
    assert command(*run(*ODD[case])(tmp_path)) == 0
    assert read_results(tmp_path / "out").attrs["complete"] is True


def test_paths_with_spaces_and_relative_paths(tmp_path, monkeypatch):
    folder = tmp_path / "my wheel sets"
    (folder / "FE meshes").mkdir(parents=True)
    shutil.copy(MESHES / "wheelset_coarse.inp", folder / "FE meshes" / "wheel set.inp")
    (folder / "a run.toml").write_text(
        SCENARIO.replace(str(MESHES / "wheelset_coarse.inp"), "FE meshes/wheel set.inp"), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert command("run", "my wheel sets/a run.toml", "--out", "my results/first run", "-q") == 0
    assert read_results("my results/first run").attrs["complete"] is True
