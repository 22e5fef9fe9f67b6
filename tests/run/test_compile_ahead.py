"""The second process that compiles: started once for an installation, never left behind."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from flexwheel.assess import linear_analysis
from flexwheel.numerics.kernels import handle
from flexwheel.numerics.kernels.cache import writable_folder
from flexwheel.numerics.kernels.compile_progress import telling_of_compilation
from flexwheel.run import compile_ahead
from flexwheel.run.build.build_simulation import assemble_simulation
from flexwheel.run.keys.reader import parse_scenario, read_scenario_source
from flexwheel.run.reduced_bodies import flexible_wheelsets

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "as4_curve.toml"
COARSE = 'wheelset.front.mesh="meshes/wheelset_coarse.inp"'


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Processes started, in an empty kernel cache; each sleeps for a minute."""
    found = []

    def start(source):
        found.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))
        return found[-1]

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compile_ahead, "processors", lambda: 2)
    monkeypatch.setattr(compile_ahead, "_start", start)
    return found


def test_once_and_not_left_behind(started, tmp_path):
    for _ in range(2):
        with compile_ahead.compiling_ahead(None):
            pass
    assert len(started) == 1 and started[0].returncode is not None
    state = writable_folder() / compile_ahead.DONE
    state.write_text("of sources that are no more")
    with compile_ahead.compiling_ahead(None):
        pass
    assert len(started) == 2 and state.read_text() != "of sources that are no more"


def test_a_run_that_fails_leaves_it_to_be_done(started, tmp_path):
    with pytest.raises(ValueError), compile_ahead.compiling_ahead(None):
        raise ValueError
    assert started[0].returncode is not None and not (writable_folder() / compile_ahead.DONE).exists()


def test_tells_of_what_is_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    old = writable_folder() / "old.nbi"
    old.touch()
    os.utime(old, (1e9, 1e9))
    told = []
    with telling_of_compilation(told.append):
        (writable_folder() / "some.nbi").touch()
        numba.njit(lambda x: x + 1)(2.0)
    numba.njit(lambda x: x + 2)(2.0)
    assert len(told) == 1 and told[0].startswith("compiling (1 of some ")


def test_a_linear_analysis_tells_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    told = []

    def compiling(*arguments):
        numba.njit(lambda x: x + 3)(2.0)
        raise InterruptedError

    monkeypatch.setattr(linear_analysis, "running_at", compiling)
    scenario = read_scenario_source(EXAMPLE, ["wheelset.front.formulation=rigid"]).scenario
    with pytest.raises(InterruptedError):
        linear_analysis.analyse(scenario, [20.0], report=lambda fraction, note="": told.append(note))
    assert told[-1].startswith("compiling (")


def test_rigid_and_flexible_wheelsets_give_one_type():
    source = read_scenario_source(EXAMPLE, [COARSE])
    rigid = parse_scenario(source.text, source.path, [COARSE, "wheelset.front.formulation=rigid"])
    bodies = {name: item.body for name, item in flexible_wheelsets(source.scenario).items()}
    kinds = []
    for scenario, flexible in ((source.scenario, bodies), (rigid, {})):
        s = assemble_simulation(scenario, flexible)
        items = (s.model, s.state, s.rail_state, s.contact_work, s.work)
        kinds.append([numba.typeof(handle(item)) for item in items])
    assert kinds[0] == kinds[1]


def test_the_second_process_loads_nothing_of_results():
    """xarray, pandas and netCDF4 take a third of a second of its start."""
    text = Path(compile_ahead.__file__).read_text(encoding="utf-8")
    modules = re.findall(r"^ *from (flexwheel[\w.]+) import", text, re.M)
    code = f"import sys, {', '.join(modules)}; sys.exit('xarray' in sys.modules)"
    assert len(modules) > 8 and subprocess.run([sys.executable, "-c", code]).returncode == 0
