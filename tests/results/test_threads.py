"""Runs from several threads of one process that write and read files: nothing crashes, waits for ever or changes.

netCDF and HDF5 bear one thread at a time; `python benchmarks/threaded_runs.py 100 100` is the long form of this.
"""

import gc
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import xarray as xr

import flexwheel as fw
from flexwheel.base.errors import ScenarioError
from flexwheel.results import netcdf_files
from flexwheel.results.files import loaded, open_results, write_results
from flexwheel.results.netcdf_files import LOCK
from flexwheel.run.run_folder import folders_released, run_folder

SHORT = {"run.duration_s": 0.02, "run.settling_s": 0.0, "run.compare_modes": [], "track.model": "massless"}
RIGID = {"wheelset.front.formulation": "rigid", "run.checkpoint_s": 0.01}
AT_MOST = 240.0  # [s] after which a thread counts as waiting for ever; the work is some seconds


@pytest.fixture(scope="module", autouse=True)
def garbage():
    """Looked for as often as where nobody sets it: it may come within any lock."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Folder of a run made alone."""
    folder = tmp_path_factory.mktemp("alone")
    fw.run(short(), folder, quiet=True)
    return folder


def short():
    return fw.Scenario.example("as4_curve", SHORT | RIGID)


def all_of(function, arguments, threads=6):
    """Results of a function over arguments, in threads that must end."""
    pool = ThreadPoolExecutor(threads)
    try:
        return [future.result(AT_MOST) for future in [pool.submit(function, item) for item in arguments]]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def test_threads_write_what_one_writes(whole, tmp_path):
    alone = loaded(whole / "results.nc")

    def run(number):
        found = fw.run(short(), tmp_path / str(number), quiet=True)
        assert found.complete and float(found.wheel_force.sel(force="Q").max()) > 0.0
        return loaded(tmp_path / str(number) / "results.nc")

    for found in all_of(run, range(4)):
        xr.testing.assert_equal(found, alone)


def test_files_are_opened_read_copied_and_dropped_at_once(whole, tmp_path):
    """Those of the package, and those that the user has opened by xarray: the copy reads what is not read yet."""

    def work(number):
        for turn in range(2):
            ours = open_results(whole / "results.nc")
            file = write_results([ours, own[number]][turn % 2][["wheel_force"]], tmp_path / f"{number}-{turn}.nc")
            if number == 0:
                gc.collect()
            assert float(open_results(file).wheel_force.sum()) == float(ours.wheel_force.sum())
        return True

    own = [xr.open_dataset(whole / "results.nc", engine="netcdf4", cache=False) for _ in range(4)]  # not by threads
    assert all(all_of(work, range(4)))
    for dataset in own:
        dataset.close()
    gc.collect()
    with LOCK:
        pass
    assert not [key for key in netcdf_files._shared if str(tmp_path) in key[0]]


def test_a_file_is_closed_while_another_thread_works(whole):
    """Its last user may go within any lock: nothing waits there, the next one to come closes it."""
    held, go = open_results(whole / "results.nc"), threading.Event()
    before, inside = len(netcdf_files._shared), threading.Event()

    def hold():
        with LOCK:
            inside.set()
            assert go.wait(AT_MOST)

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    assert inside.wait(AT_MOST)
    del held
    gc.collect()
    assert len(netcdf_files._shared) == before
    go.set()
    thread.join(AT_MOST)
    assert not thread.is_alive() and len(netcdf_files._shared) < before


def test_a_process_ends_silently_with_results_open(whole):
    """Results that hold their accessor, which holds them, live until the interpreter takes itself apart."""
    program = "import sys, flexwheel as fw; results = fw.open_results(sys.argv[1]); fields = results.fw"
    done = subprocess.run([sys.executable, "-c", program, str(whole)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_is_one_threads(tmp_path):
    def take(_):
        with pytest.raises(ScenarioError, match="another run of this process writes its results there"):
            run_folder(tmp_path)
        with folders_released():
            return run_folder(tmp_path / "other").is_dir()

    with folders_released():
        run_folder(tmp_path)
        assert all_of(take, [0]) == [True]
        run_folder(tmp_path)  # of another thread's release nothing has gone
    with folders_released():
        assert run_folder(tmp_path).is_dir()


def test_results_on_the_disk_pickle(whole, tmp_path):
    held = fw.open_results(whole)
    text = pickle.dumps(held)
    assert len(text) < (whole / "results.nc").stat().st_size
    again = pickle.loads(text)
    xr.testing.assert_identical(again.load(), held.load())
    assert again.fw.psd("wheel_force", resolution_hz=100.0, force="Q").sizes["wheel"] == 4
    file = write_results(held[["wheel_force"]], tmp_path / "results.nc")
    text = pickle.dumps(open_results(file))
    write_results(held[["wheel_force"]].isel(time=slice(0, -5)), file)
    with pytest.raises(ScenarioError, match="has changed since these results were opened"):
        pickle.loads(text)
    file.unlink()
    with pytest.raises(ScenarioError, match="no such file; the pickled results"):
        pickle.loads(text)
    assert np.isfinite(pickle.loads(pickle.dumps(held.isel(time=-1))).wheel_force).all()


def test_a_run_that_would_store_nothing_is_refused():
    for start, good in ((0.02, True), (0.0201, False), (5.0, False)):
        changes = SHORT | RIGID | {"output.start_s": start}
        if good:
            assert fw.run(fw.Scenario.example("as4_curve", changes), quiet=True).sizes["time"] == 1
            continue
        with pytest.raises(ScenarioError, match="output.start_s must lie before the end of the run, 0.02 s"):
            fw.Scenario.example("as4_curve", changes)
