"""Pictures drawn by a process of their own: the same as those of `view`; it ends with who asked, and says when not."""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from synthetic import synthetic_body, synthetic_results

from flexwheel.assess import draw_as_they_come, draw_vehicle, drawing_process, pictures
from flexwheel.assess.drawing_process import PictureProcess
from flexwheel.assess.figures.rendering import RenderingError
from flexwheel.base.kind import ViewOptions
from flexwheel.base.shipped import EXAMPLES
from flexwheel.results.evaluate.histories import with_control_nodes
from flexwheel.run.keys.reader import read_scenario_source

ATTRIBUTES = {"title": "a run", "scenario": "[run]\nduration_s = 0.5\n"}
WAIT = 60.0  # [s]


def test_the_same_pictures_as_all_at_once(tmp_path, monkeypatch):
    body = synthetic_body()
    results = with_control_nodes(synthetic_results(body, duration=0.5, step=2e-4), {"front": body})
    results = results.assign_attrs(ATTRIBUTES, settling_s=0.1)
    runs = {Path("own"): results, Path("beside"): results.copy()}
    seen = []
    monkeypatch.setattr(draw_as_they_come, "_held", runs.get)
    monkeypatch.setattr(draw_as_they_come, "open_results", runs.get)
    for module in (draw_as_they_come, pictures):
        monkeypatch.setattr(module, "require_drawable", lambda results: None)

    def figure(self, name, make, *arguments, **named):
        seen.append((name, [sorted(item) for item in arguments if isinstance(item, dict) and "" in item]))

    monkeypatch.setattr(pictures.PictureBook, "_figure", figure)
    monkeypatch.setattr(pictures.PictureBook, "_strips", lambda *arguments: {})
    for name in ("shapes", "scenes", "paraview"):
        note = lambda self, *arguments, name=name, **named: seen.append((name, self._flexible()))  # noqa: E731
        monkeypatch.setattr(pictures.PictureBook, name, note)
    draw_vehicle.draw(results, tmp_path, lambda *lines: None, ViewOptions((runs[Path("beside")],)), False)
    at_once, seen[:] = sorted(seen), []
    order = {"folder": str(tmp_path), "attributes": ATTRIBUTES, "flexible": {"front": ""}}
    for which in ({},), ({"figures": False}, {"scenes": False}):
        seen.clear()
        for part in which:
            draw_as_they_come.draw_of_files(order, iter(runs), lambda line: None, lambda *state: None, **part)
        assert sorted(seen) == at_once
        assert seen[0] == ("shapes", ["front"]) and len(seen) > 15


def test_scenes_that_a_machine_cannot_draw_are_left_out(monkeypatch):
    """The process that draws them may be ended by VTK: only then it is asked whether this machine can draw any."""
    told, killed = [], (0, signal.SIGKILL)
    monkeypatch.setattr(draw_as_they_come.os, "waitpid", lambda *arguments: killed)
    monkeypatch.setattr(draw_as_they_come, "_tell", told.append)
    monkeypatch.setattr(draw_as_they_come, "require_rendering", lambda: None)
    with pytest.raises(SystemExit):
        draw_as_they_come._require_scenes(1)

    def none_here():
        raise RenderingError("no three-dimensional pictures")

    monkeypatch.setattr(draw_as_they_come, "require_rendering", none_here)
    draw_as_they_come._require_scenes(1)
    assert told == ["no three-dimensional pictures"]


@pytest.mark.skipif(sys.platform != "linux", reason="divides there")
def test_a_divided_process_outlives_who_it_writes_to(monkeypatch):
    """The process of the scenes ends before the one of the curves hears that all runs are over."""

    def main():
        reads, writes = os.pipe()
        os.close(reads)
        with suppress(BrokenPipeError):
            os.write(writes, b"all")
        draw_as_they_come._tell(3)

    monkeypatch.setattr(drawing_process.threading, "active_count", lambda: 1)
    told, process = [], PictureProcess({"folder": "here"}, main)
    assert process.finished(lambda *lines: told.extend(lines), None)
    assert told == ["3 pictures and files in here"]


def test_pictures_need_no_extra(tmp_path, monkeypatch):
    """Without dask, which sweeps alone need, as README's first command installs it."""
    for name in ("dask", "dask.array"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(drawing_process, "processors", lambda: 1)  # no process begins
    scenario = read_scenario_source(EXAMPLES / "as4_curve.toml").scenario
    with drawing_process.drawing(scenario, tmp_path, None) as process:
        assert process.known["attributes"]["vehicle"]


def test_both_halves_are_drawn(tmp_path):
    """Where one of them fails the process does, so that all is drawn anew by who asked."""

    def draw(some):
        for k in range(3)[some]:
            (tmp_path / str(k)).touch()
        return len(range(3)[some])

    draw_as_they_come._by_two(draw)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1", "2"]
    for half in (0, 1) if sys.platform == "linux" else ():
        with pytest.raises((ZeroDivisionError, SystemExit)):
            draw_as_they_come._by_two(lambda some, half=half: 1 // (some.start - half))


@pytest.fixture
def waiting(tmp_path):
    """A process that waits for its first file."""
    process = PictureProcess({"folder": str(tmp_path / "pictures"), "attributes": ATTRIBUTES})
    process.begin({})
    yield process
    process.end()
    assert process.process.poll() is not None


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities of POSIX")
def test_pictures_give_way_to_the_run(waiting):
    own, end, found = os.getpriority(os.PRIO_PROCESS, 0), time.monotonic() + WAIT, None
    while found != min(own + draw_as_they_come.GIVES_WAY, 19) and time.monotonic() < end:
        found = os.getpriority(os.PRIO_PROCESS, waiting.process.pid)
        time.sleep(0.05)
    assert found > own or own == 19


def test_a_process_whose_asker_is_gone_ends(waiting):
    waiting.process.stdin.close()  # what the system does with the pipes of a killed process
    assert waiting.process.wait(WAIT) in (-signal.SIGTERM, 1)


def test_a_process_that_fails_says_so(waiting, tmp_path):
    waiting.take(tmp_path / "results.nc")  # no such file
    told = []
    assert not waiting.finished(lambda *lines: told.extend(lines), lambda *state: None)
    assert told == ["pictures are drawn anew: the process that drew them ended with status 1"]
    assert list((tmp_path / "pictures").iterdir()) == []
