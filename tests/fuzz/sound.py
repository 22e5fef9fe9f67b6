"""What the cases need made beforehand, once: results of every kind, cached bodies, compiled kernels."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from flexwheel.results.checkpoint import Checkpoint

from . import bases
from .mutate import toml


@cache
def _folder():
    holder = tempfile.TemporaryDirectory(prefix="fuzz_sound")
    _folder.holder = holder
    return Path(holder.name)


def _command(*arguments):
    from flexwheel.face.cli import main

    with contextlib.redirect_stdout(io.StringIO()):
        try:
            main([str(a) for a in arguments])
        except SystemExit as stop:
            return stop.code or 0
    return 0


@cache
def results_of(kind):
    """Path of the results of a kind: of short runs, of a study, or made up, of 4 s."""
    if kind == "made up":
        from tests.run.test_safety_command import written

        return written(_folder() / "made_up", length=4.0) / "results.nc"
    if kind == "assessed":  # with what `converge` and `stress` leave beside them
        folder = _folder() / "assessed"
        shutil.copytree(results_of("flexible").parent, folder)
        assert _command("stress", folder, "--out", folder / "stress") == 0
        _write_convergence(folder)
        return folder / "results.nc"
    if kind == "study":
        results_of("train")
        study, out = _folder() / "study.toml", _folder() / "study"
        study.write_text(
            '[study]\nscenario = "train.toml"\nset = ["run.duration_s=2.0"]\n[[vary]]\nkey = "run.speed_kmh"\n'
            'values = [30.0, 31.0]\n[[figure]]\nof = "force"\ntake = "max"\n[[figure]]\nof = "speed"\nworst = true\n'
        )
        assert _command("sweep", study, "--out", out, "--workers", "0", "--quiet") == 0
        return out / "study.nc"
    make = {
        "flexible": bases.flexible_run,
        "results": bases.coach_run,
        "train": bases.train_run,
        "reduced": bases.reduced_run,
        "realtime": bases.realtime_run,
    }[kind]
    tree = make()
    if kind in ("results", "reduced"):
        tree["run"]["duration_s"] = 0.12
    scenario, out = _folder() / f"{kind}.toml", _folder() / kind
    scenario.write_text(toml(tree))
    assert _command("run", scenario, "--out", out, "--quiet") == 0, kind
    return next(out.glob("*.nc"))


def _write_convergence(folder):
    """convergence.nc of the run in a folder: 1 dB in two bands."""
    import numpy as np
    import xarray as xr

    from flexwheel.assess.convergence import identity, write_convergence
    from flexwheel.assess.safety import scenario_of
    from flexwheel.results.files import read_results

    results = read_results(folder)
    signals = [f"Q {wheel}" for wheel in results.wheel.values]
    one = np.ones((1, 2, len(signals)))
    data = {"rms": (("band", "signal"), one[0]), "iteration_noise": (("band", "signal"), 0.1 * one[0])}
    data |= {name: (("variation", "band", "signal"), one) for name in ("change", "error")}
    coordinates = {"band": [10.0, 1250.0], "signal": signals, "variation": ["step"]}
    attributes = {"kind": "convergence", "scenario_digest": identity(scenario_of(results))}
    write_convergence(xr.Dataset(data, coordinates, attributes), folder)


@cache
def interrupted(kind):
    """Folder of a run of a kind that was interrupted behind a checkpoint."""
    scenario, out = _folder() / f"{kind}.toml", _folder() / f"{kind}_interrupted"
    results_of(kind)
    save, saved = Checkpoint.save, []

    def once(self, moving, grown=None):
        save(self, moving, grown)
        if not saved:
            saved.append(True)
            raise KeyboardInterrupt

    Checkpoint.save = once
    try:
        share = {"results": 0.05, "train": 4.0, "realtime": 0.02}[kind]
        assert _command("run", scenario, "--out", out, "--quiet", "--set", f"run.checkpoint_s={share}") == 2
    finally:
        Checkpoint.save = save
    assert (out / "resume" / "run.json").is_file(), kind
    return out


@cache
def cached_bodies():
    """Folder with the reduced bodies of the flexible run."""
    folder = _folder() / "bodies"
    before = os.environ.get("FLEXWHEEL_CACHE")
    os.environ["FLEXWHEEL_CACHE"] = str(folder)
    scenario = _folder() / "flexible.toml"
    scenario.write_text(toml(bases.flexible_run()))
    try:
        assert _command("run", scenario, "--out", _folder() / "flexible", "--quiet") == 0
    finally:
        os.environ.pop("FLEXWHEEL_CACHE")
        if before is not None:
            os.environ["FLEXWHEEL_CACHE"] = before
    return folder


def prepare():
    """What every case would otherwise load in its own process: imports, kernels, bodies; results come when asked."""
    import matplotlib

    matplotlib.use("Agg")
    for name in ("vehicle_run", "wagon_in_train"):
        scenario = _folder() / f"{name}.toml"
        scenario.write_text(toml(getattr(bases, name)()))
        assert _command("run", scenario, "--out", _folder() / name, "--quiet") == 0, name
    os.environ["FLEXWHEEL_CACHE"] = str(cached_bodies())
    bases.small_meshes()
    box = _folder() / "box.inp"
    box.write_text(bases.box_inp())
    eigen = ["eigen", _folder() / "vehicle_run.toml", "--speeds-kmh", "40", "--no-critical"]
    contact = ["contact", "--lateral-shift-mm", "0"]
    static = ["static", box, "--clamp", "y=0", "--load", "8:z:1"]
    for arguments in (["modes", box, "-n", "6"], static, contact, eigen):
        assert _command(*arguments) == 0, arguments
