"""Results on the disk while a run goes on: killed at any moment, they open with what was written before."""

import signal
import threading
import time
from unittest.mock import MagicMock

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.results import stream
from flexwheel.results.files import PART_NAME, read_results
from flexwheel.results.stream import PartFile
from flexwheel.run import simulation
from tests import cf_rules
from tests.forked import Forked, needs_fork

LABELS = {"wheelset": ["front"], "body": ["car", "front"]}
SAMPLES = 40_000
WAIT = 60.0  # [s]
CF_UNREACHED = "time, 5: a coordinate variable that does not rise or fall"  # times not reached yet are zero


def arrays(first, last):
    """Times and arrays of samples; every value follows from the sample's number."""
    row = np.arange(first, last, dtype=float)
    position = np.broadcast_to(row[:, None, None], (len(row), 2, 3)) + np.arange(3.0)
    count = (1 + (np.arange(first, last) % 50 == 49))[:, None] * np.ones((1, 2), dtype=np.int64)
    area = np.broadcast_to(row[:, None, None], (len(row), 2, 6)).astype(np.float32)
    return 1e-3 * row, {"body_position": position, "patch_count": count, "patch_area": area}


def part_of(folder, goes_on=False, most=SAMPLES):
    attributes = {"output_variables": "body_position, patch_*", "sample_step_s": 1e-3}
    return PartFile(folder, arrays(0, 0)[1], LABELS, attributes, most, goes_on)


def as_written(results):
    """Whether the samples are the first ones, whole and in order."""
    row = np.arange(results.sizes["time"], dtype=float)
    two = row % 50 == 49
    area = results.patch_area.values
    return (
        np.array_equal(results.time.values, 1e-3 * row)
        and np.array_equal(results.body_position.values[:, 1, 2], row + 2.0)
        and np.array_equal(results.patch_count.values[:, 0], 1 + two)
        and np.array_equal(area[:, 0, 0], row.astype(np.float32))
        and (area.shape[2] == 1 or np.array_equal(area[:, 1, 1], np.where(two, row, 0.0).astype(np.float32)))
    )


@needs_fork
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_moment(seed, tmp_path):
    most = 20 * SAMPLES  # more than a quick machine writes before it is killed

    def write():
        part = part_of(tmp_path, most=most)
        for first in range(0, most, 40):
            part.append(*arrays(first, first + 40))
            (tmp_path / "ready").touch()  # with the first samples, however long that took

    process = Forked(write)
    while process.poll() is None and not (tmp_path / "ready").exists():
        time.sleep(0.001)
    time.sleep(np.random.default_rng(seed).uniform(0.01, 0.5))
    assert process.ended(signal.SIGKILL) == -signal.SIGKILL
    assert cf_rules.broken(tmp_path / "results.part.nc") in ([], [CF_UNREACHED])
    results = read_results(tmp_path)
    assert results.attrs["complete"] is False and "killed" in results.attrs["status"]
    assert results.sizes["time"] > 0 and results.sizes["time"] % 40 == 0 and as_written(results)


def test_killed_before_its_first_sample(tmp_path):
    """No sample is read where none was written, at time 0 neither, and none is lost where the run goes on."""
    part_of(tmp_path).close()
    with pytest.raises(ScenarioError, match="before its first sample"):
        read_results(tmp_path)
    part = part_of(tmp_path, goes_on=True)
    part.append(*arrays(0, 30))
    part.close()
    assert (results := read_results(tmp_path)).sizes["time"] == 30 and as_written(results)


def test_samples_wait_as_they_are_stored(tmp_path):
    """What is computed of them at the end of a run is what is computed of its result file."""
    time, values = arrays(0, 3)
    values = values | {"rail_roll": np.full((3, 2), 1.0 / 3.0)}  # stored with 32 bits
    empty = {name: value[:0] for name, value in values.items()}
    part = PartFile(tmp_path, empty, LABELS, {"output_variables": "rail_roll"}, 3)
    part.append(time, values)
    (block,) = part.blocks()
    part.close()
    np.testing.assert_array_equal(block.rail_roll.values, np.float32(1.0 / 3.0))
    assert block.body_position.dtype == np.float64


def test_whole_at_its_end(tmp_path):
    """Samples that come twice, as after an interrupt within a write, are kept once; the part file goes."""
    part = part_of(tmp_path)
    part.append(*arrays(0, 30))
    part.append(*arrays(20, 60))
    assert [block.sizes["time"] for block in part.blocks()] == [60]
    part.made = lambda blocks: (blocks, lambda: {"complete": True, "status": "complete"})
    path = part.finish()
    assert [p.name for p in tmp_path.iterdir()] == ["results.nc"] and path.name == "results.nc"
    results = read_results(tmp_path)
    assert results.attrs["complete"] is True and results.sizes["time"] == 60 and as_written(results)


def test_the_result_file_is_written_while_samples_come(tmp_path, monkeypatch):
    """Patches that come later than its first blocks have their room all the same; a run that fails leaves none."""
    monkeypatch.setattr(stream, "BLOCK", 20)
    begun, seen = part_of(tmp_path), threading.Event()

    def made(blocks):
        return (seen.set() or block for block in blocks), lambda: {"complete": True, "status": "complete"}

    begun.made = made
    begun.append(*arrays(0, 30))
    assert seen.wait(WAIT) and begun.slots == 1
    begun.append(*arrays(30, 60))
    begun.append(*arrays(60, 80))
    begun.finish()
    results = read_results(tmp_path)
    assert results.attrs["complete"] is True and results.sizes["time"] == 80 and as_written(results)
    failed = part_of(tmp_path)
    failed.append(*arrays(0, 30))
    failed.leave()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["results.nc", PART_NAME]
    assert read_results(tmp_path / "results.nc").sizes["time"] == 80


def test_what_a_killed_run_left_comes_before_older_results(tmp_path):
    part = part_of(tmp_path)
    part.append(*arrays(0, 60))
    part.finish()
    part = part_of(tmp_path)
    part.append(*arrays(0, 20))
    part.close()
    assert (tmp_path / PART_NAME).is_file() and read_results(tmp_path).sizes["time"] == 20


def test_a_long_run_of_short_chunks(monkeypatch):
    """Chunks that end where samples are passed on are quick, and the next was asked four times as long each time: after
    512 of them the number was infinite."""
    from types import SimpleNamespace

    from flexwheel.vehicle.step import simulate as loop

    state = SimpleNamespace(time=np.zeros(1))
    model = SimpleNamespace(
        coefficients=SimpleNamespace(dt=1e-3), suspension=SimpleNamespace(integer=np.zeros((0, 4))), contact=(None,),
        wheelsets=None,
    )  # fmt: skip
    arrays = {"time": state.time}

    def steps(law, model, *rest):
        count, first, taken = rest[-1], rest[-3], rest[-4]
        for i in range(taken):
            state.time[0] = 1e-3 * (first + i + 1)
            rest[-2].rows[0][count[0]] = state.time.view(np.int64)
            count[0] += 1
        return loop.CONVERGED, taken

    for name, made in {
        "source_arrays": lambda *a: arrays, "handle": lambda value: value, "law_entry": lambda *a: None,
        "residual_entry": lambda *a: None, "make_explicit_work": lambda *a: None, "link": lambda *a, **o: None,
        "link_rows": lambda *a: None, "run_explicit_steps": steps,
    }.items():  # fmt: skip
        monkeypatch.setattr(loop, name, made)
    times = []
    settings = loop.LoopSettings(stride=1, explicit=True)
    work = SimpleNamespace(rail=np.zeros(1))
    run = loop.simulate(
        model, None, state, None, None, work, 300.0, settings, sink=lambda records: times.append(records.time.copy())
    )
    assert run.steps == 300_000 and len(times) > 700
    np.testing.assert_allclose(np.concatenate(times), 1e-3 * np.arange(1, 300_001), rtol=1e-12)
    assert max(len(part) for part in times) <= 401  # less than half a second waits in memory


def test_interrupted_where_it_begins_it_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(file, *rest):
        file.createDimension("time", 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(stream, "define", interrupted)
    with pytest.raises(KeyboardInterrupt):
        part_of(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_of_a_run_that_ended_before_its_first_sample_nothing_is_left(tmp_path):
    part_of(tmp_path).leave()
    assert list(tmp_path.iterdir()) == []
    part = part_of(tmp_path)
    part.append(*arrays(0, 40))
    part.leave()
    assert read_results(tmp_path).sizes["time"] == 40


def test_an_interrupt_before_the_time_loop_leaves_nothing(tmp_path, monkeypatch):
    class Recorder:
        def __init__(self, *rest):
            self.part, self.sink, self.checkpoint = part_of(tmp_path), None, None

    def interrupted(*rest):
        raise KeyboardInterrupt

    for name in ("chosen_variables", "run_labels", "known_before"):
        monkeypatch.setattr(simulation, name, lambda *rest: {"warnings": []})
    monkeypatch.setattr(simulation, "Recorder", Recorder)
    monkeypatch.setattr(simulation, "take_steps", interrupted)
    with pytest.raises(KeyboardInterrupt):
        simulation.execute(MagicMock())
    assert list(tmp_path.iterdir()) == []


def test_many_blocks_are_written_in_their_order(tmp_path):
    """Blocks are made ahead of the one that is written: none is lost, none changes places."""
    import xarray as xr

    from flexwheel.results.files import write_blocks

    def block(k):
        time = 3.0 * k + np.arange(3.0)
        return xr.Dataset({"x": ("time", 10.0 * time)}, {"time": time}, {"kind": "vehicle"})

    path = write_blocks((block(k) for k in range(7)), tmp_path / "x.nc")
    with xr.open_dataset(path) as found:
        np.testing.assert_array_equal(found.time, np.arange(21.0))
        np.testing.assert_array_equal(found.x, 10.0 * np.arange(21.0))
