"""A run that was killed or interrupted goes on from its last checkpoint to bitwise the same result.

Twenty random kills over more cases, in processes of their own: benchmarks/resume_kills.py.
"""

import json
import signal
import threading
import time
from importlib import import_module

import numpy as np
import pytest
from cli_cases import ROOT, command
from train_scenario_text import GOOD

import flexwheel as fw
from flexwheel.base.errors import ScenarioError
from flexwheel.results import checkpoint
from flexwheel.results.checkpoint import Checkpoint, read_checkpoint
from flexwheel.results.files import PART_NAME, read_results
from flexwheel.run import simulation
from flexwheel.vehicle.step import simulate as vehicle_loop
from flexwheel.vehicle.step.simulate_record import Sampling
from tests import rooms
from tests.forked import Forked, needs_fork
from tests.resume_cases import FLEXIBLE_CASE, different, stopped_once

EXAMPLES = ROOT / "examples"
CASES = {
    "flexible rails, lagrangian": FLEXIBLE_CASE,
    "explicit step": (
        "manchester_s_curve.toml",
        {"run.end_position_m": 28.0, "run.checkpoint_s": 0.02, "run.integrator": "dormand_prince"},
    ),
    "wagon in a train": ("freight_wagon_in_train.toml", {"run.duration_s": 0.1, "run.checkpoint_s": 0.01}),
    "realtime": ("feve3000_curve.toml", {"run.duration_s": 10.0, "run.checkpoint_s": 0.5}),
    "train": (GOOD, {"run.duration_s": 60.0, "run.checkpoint_s": 4.0}),
    "reduced": ("manchester_curve.toml", {"run.end_position_m": 36.0, "run.checkpoint_s": 0.03}),
}
CASES = rooms.left(CASES, {
    "systems/train": ["wagon in a train", "train"], "systems/locomotive": ["realtime"], "systems/reduced": ["reduced"],
})  # fmt: skip
LOOPS = {"realtime": "locomotive.simulator", "train": "train.simulate_train", "reduced": "reduced.simulate_reduced"}
"""Modules below `systems` whose time loop hands arrays to kernels, by case; the others': simulate."""


def arguments(name, folder):
    """Scenario and settings of a case."""
    scenario, settings = CASES[name]
    path = EXAMPLES / scenario
    if scenario == GOOD:
        path = folder / "train.toml"
        path.write_text(GOOD)
    return [path, "--quiet", *(part for key, value in settings.items() for part in ("--set", f"{key}={value}"))]


def killed(words, out, after):
    """Run in a forked process that is killed `after` [s] from its first checkpoint on; whether it was."""
    resume = out / "resume"
    before = {file: file.stat().st_mtime_ns for file in resume.glob("*.npz")}
    process = Forked(lambda: command(*words))
    while process.poll() is None:
        now = {file: file.stat().st_mtime_ns for file in resume.glob("*.npz") if file.exists()}
        if now != before:
            break
        time.sleep(0.001)
    else:
        return False
    time.sleep(after)
    return process.ended(signal.SIGKILL) == -signal.SIGKILL


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLEXWHEEL_CACHE", str(tmp_path_factory.mktemp("bodies")))
        yield


@needs_fork
@pytest.mark.parametrize("name", CASES)
def test_killed_and_resumed_is_bitwise_the_uninterrupted_run(name, tmp_path, monkeypatch, capfd):
    """And everything that a kernel was handed and that moved is in the checkpoint, by another walk than the loops'."""
    loop = import_module(f"flexwheel.systems.{LOOPS[name]}") if name in LOOPS else vehicle_loop
    if name == "reduced":
        monkeypatch.setattr("flexwheel.systems.reduced.run_reduced.draw", lambda *arguments: None)
    unsaved = everything_that_moves(loop, monkeypatch)
    words = arguments(name, tmp_path)
    assert command("run", *words, "--out", tmp_path / "whole") == 0
    assert unsaved == []
    out = tmp_path / "killed"
    killed(["run", *words, "--out", out], out, np.random.default_rng(len(name)).uniform(0.0, 0.1))
    if (out / "resume" / "run.json").is_file():
        assert command("run", "--quiet", "--resume", out) == 0, capfd.readouterr().err
    assert different(tmp_path / "whole", tmp_path / "killed") == []
    assert not (tmp_path / "killed" / "resume").exists()


def everything_that_moves(module, monkeypatch):
    """List that takes the paths of arrays that a loop hands to kernels, that change and are in none of its checkpoints.

    The arrays are found by a walk of the test's own in what the module gives to `handle`, and looked at when a run
    begins and when it saves.
    """
    handed, before, unsaved = [], {}, []
    whole = module.handle
    restore, save = Checkpoint.restore, Checkpoint.save

    def handle(value):
        if not isinstance(value, Sampling):  # its rows are in the file of the run; those that wait are among `grown`
            handed.append((threading.get_ident(), value))
        return whole(value)

    def restored(self, moving, grown=None):
        own = [value for thread, value in handed if thread == threading.get_ident()]  # a train runs twice at once
        before[self.path] = [(name, array, array.tobytes()) for name, array in arrays_in(own)]
        return restore(self, moving, grown)

    def saved(self, moving, grown=None):
        held = [array for array in (*moving.values(), *(grown or {}).values()) if array.size]
        for name, array, old in before[self.path]:
            if array.tobytes() != old and not any(np.may_share_memory(array, other) for other in held):
                unsaved.append(name)
        return save(self, moving, grown)

    monkeypatch.setattr(module, "handle", handle)
    monkeypatch.setattr(Checkpoint, "restore", restored)
    monkeypatch.setattr(Checkpoint, "save", saved)
    return unsaved


def arrays_in(value, where=""):
    """(path, array) of every array inside a value."""
    if isinstance(value, np.ndarray):
        yield where, value
    elif isinstance(value, tuple | list):
        for key, item in enumerate(value):
            yield from arrays_in(item, f"{where}.{getattr(value, '_fields', range(len(value)))[key]}")


def made(tmp_path, *more):
    """Folder of an interrupted run of the coach, and its settings."""
    words = [EXAMPLES / "manchester_s_curve.toml", "--out", tmp_path / "out", "--quiet"]
    for key in ("run.end_position_m=28", "run.checkpoint_s=0.05", *more):
        words += ["--set", key]
    with pytest.MonkeyPatch.context() as patch:
        whole = simulation.simulate

        def stopped(*arguments, progress=None, **options):
            def raising(now, end):
                if now > 0.12:
                    raise KeyboardInterrupt

            return whole(*arguments, progress=raising, **options)

        patch.setattr(simulation, "simulate", stopped)
        assert command("run", *words) == 2
    return tmp_path / "out"


def refusal(out, capfd):
    """The one line with which --resume ends."""
    capfd.readouterr()
    assert command("run", "--resume", out) == 2
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1
    return lines[0]


def test_interrupted_is_whole_and_resumed_is_complete(tmp_path, capfd):
    out = made(tmp_path)
    assert sorted(p.name for p in out.iterdir()) == ["results.nc", "resume"]
    assert "interrupted" in read_results(out).attrs["status"] and read_results(out).attrs["complete"] is False
    capfd.readouterr()
    assert command("run", "--resume", out, "--json") == 0
    assert json.loads(capfd.readouterr().out)[0]["complete"] is True
    again = tmp_path / "again"
    words = ["--set", "run.end_position_m=28", "--set", "run.checkpoint_s=0"]
    assert command("run", EXAMPLES / "manchester_s_curve.toml", "--out", again, "--quiet", *words) == 0
    assert different(out, again) == [] and [p.name for p in out.iterdir()] == ["results.nc"]
    assert refusal(out, capfd).endswith("nothing to resume, the run is complete")


@pytest.mark.parametrize("name", [*(name for name in CASES if name == "train"), "manchester_s_curve"])
def test_from_python_as_by_the_command(name, tmp_path, monkeypatch):
    gone_on = stopped_once(monkeypatch)
    if name == "train":
        (tmp_path / "train.toml").write_text(GOOD)
        settings = {"run.duration_s": 8.0, "run.checkpoint_s": 4.0, "run.check_tolerance": False}
        scenario = fw.Scenario.read(tmp_path / "train.toml", settings)
    else:
        scenario = fw.Scenario.example(name, {"run.end_position_m": 28.0, "run.checkpoint_s": 0.05})
    out = tmp_path / "out"
    assert "interrupted" in fw.run(scenario, out, quiet=True).attrs["status"] and (out / "resume").is_dir()
    with pytest.raises(ScenarioError, match="must be the scenario that the run began with: .*got checkpoint_s = 1.0"):
        fw.run(scenario.changed({"run.checkpoint_s": 1.0}), out, resume=True)
    assert fw.run(scenario, out, resume=True, quiet=True).attrs["complete"] is True and len(gone_on) == 1
    fw.run(scenario, tmp_path / "whole", resume=True, quiet=True)  # where nothing was begun it begins
    assert different(out, tmp_path / "whole") == [] and not (out / "resume").exists()
    with pytest.raises(ScenarioError, match="resume must be given with"):
        fw.run(scenario, resume=True)


def test_what_does_not_fit_is_refused_and_stays(tmp_path, capfd, monkeypatch):
    out = made(tmp_path)
    file, note = out / "resume" / "rigid.npz", out / "resume" / "run.json"
    good, words = file.read_bytes(), note.read_text()
    file.write_bytes(good[: len(good) // 2])
    assert "must be a checkpoint, but cannot be read" in refusal(out, capfd)
    identity = '{"format": 1, "identity": 3, "seconds": 0}'
    for words_of_it in (np.array(["{}"], dtype=object), np.array(identity)):  # objects are not unpickled
        np.savez(file, words=words_of_it)
        assert "must be a checkpoint, but cannot be read" in refusal(out, capfd)
    file.write_bytes(good)
    note.write_text(words.replace("run.end_position_m=28", "run.end_position_m=27"))
    assert "end_position_m = 28.0, got end_position_m = 27.0" in refusal(out, capfd)
    note.write_text("{}")
    assert "run.json: cannot be read" in refusal(out, capfd)
    note.write_text(words)
    with monkeypatch.context() as patch:
        patch.setattr(simulation, "mesh_digests", lambda scenario: {"mesh_digest": ["front: 0"]})
        assert "meshes has changed since the run began" in refusal(out, capfd)
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "FORMAT", 2)
        assert "must be a checkpoint of format 2, got 1" in refusal(out, capfd)
    samples = out / "resume" / "rigid.samples.nc"
    samples.rename(out / "away")
    assert f"{PART_NAME}: no such file" in refusal(out, capfd)
    whole = (out / "away").read_bytes()
    samples.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))  # it opens, and one value is another
    assert "rigid.samples.nc has changed since the run was interrupted" in refusal(out, capfd)
    (out / "away").replace(samples)
    assert command("run", "--resume", out, "--quiet") == 0


def test_no_run_to_resume(tmp_path, capfd):
    assert "no run to resume" in refusal(tmp_path, capfd)
    assert "nowhere must be the folder of a run" in refusal(tmp_path / "nowhere", capfd)
    assert command("run", "--resume", tmp_path, "--set", "run.step_s=1") == 2
    assert command("run", EXAMPLES / "manchester_s_curve.toml") == 2


def test_a_run_that_derailed_is_over(tmp_path, capfd):
    words = ["run.end_position_m=80", "run.speed_kmh=150", "run.checkpoint_s=0.05"]
    scenario = EXAMPLES / "manchester_s_curve.toml"
    settings = [part for key in words for part in ("--set", key)]
    assert command("run", scenario, "--out", tmp_path / "out", "--quiet", *settings) == 2
    assert "nothing to resume, the run ended: " in refusal(tmp_path / "out", capfd)


def test_a_checkpoint_holds_no_objects(tmp_path):
    saved = Checkpoint(tmp_path / "x.npz", 1.0, {"program": "a"})
    saved.save({"x": np.arange(3.0)}, {"rows": np.ones((2, 2))})
    words, arrays = read_checkpoint(tmp_path / "x.npz")
    assert set(arrays) == {"x", "rows"} and words["identity"] == {"program": "a"}
    rows = np.zeros((5, 2))
    assert saved.restore({"x": np.zeros(3)}, {"rows": rows}) and rows.sum() == 4.0
    saved.save({"x": np.zeros(3)}, {"rows": np.array("x")})
    with pytest.raises(ScenarioError, match="array 'rows'"):
        saved.restore({"x": np.zeros(3)}, {"rows": rows})
    for moving, grown in (({"x": np.zeros(4)}, {"rows": rows}), ({"x": np.zeros(3)}, {}), ({"x": np.zeros(3)}, None)):
        with pytest.raises(ScenarioError, match="array"):
            saved.restore(moving, grown)
