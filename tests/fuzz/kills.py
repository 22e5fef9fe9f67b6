"""Commands killed at random moments and begun again: python -m tests.fuzz.kills [--kills 20] [--only sweep] [--seed 1].

`reduce`, `report`, `sweep`, a run with checkpoints and a first compilation are ended by SIGKILL somewhere in the time
that they take, then begun again (a run with --resume) until they end. What they make must equal, bit by bit, what a
command makes that was never killed; no half-written file may be left, nothing but the answer printed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import flexwheel as fw
from flexwheel.base.child_python import safe_environment

from . import bases
from .mutate import toml

TIMES = ("seconds", "cpu_seconds")  # that the runs of a study took
PROGRAM = "from flexwheel.face.cli import main; main()"


class Place:
    """A folder with input and caches of its own."""

    def __init__(self, folder, shared=True):
        self.folder, self.shared = Path(folder), shared
        self.folder.mkdir(parents=True, exist_ok=True)

    def start(self, *words):
        """Process of a command."""
        own = {} if self.shared else {"NUMBA_CACHE_DIR": str(self.folder / "kernels")}
        environment = safe_environment({**os.environ, "FLEXWHEEL_CACHE": str(self.folder / "bodies"), **own})
        words = [sys.executable, "-c", PROGRAM, *map(str, words)]
        pipe = subprocess.PIPE
        return subprocess.Popen(words, cwd=self.folder, env=environment, stdout=pipe, stderr=pipe, text=True)


def scenario(place, tree, name="s.toml"):
    """Path of a scenario file of a tree."""
    path = place.folder / name
    path.write_text(toml(tree))
    return path


def coach():
    """The coach, half a second, in checkpoints of 0.05 s."""
    tree = bases.coach_run()
    tree["run"] |= {"duration_s": 1.0, "checkpoint_s": 0.05}
    return tree


def reduce_words(place):
    """A reduction into the cache, and what it exports."""
    return ["reduce", bases.MESHES / "wheelset_coarse.inp", "-o", "body.json"]


def sweep_words(place):
    """A study of eight speeds in two workers."""
    scenario(place, bases.coach_run())
    study = {
        "study": {"scenario": "s.toml", "set": ["run.duration_s=0.05", "run.settling_s=0.0"]},
        "vary": [{"key": "run.speed_kmh", "values": [float(v) for v in range(30, 46, 2)]}],
        "figure": [{"name": "q", "of": "wheel_force", "take": "max"}],
    }
    (place.folder / "study.toml").write_text(toml(study))
    return ["sweep", "study.toml", "--out", "o", "--workers", "2", "--quiet"]


def report_words(place):
    """Report on a run that is there."""
    source, made = place.folder / "run", place.folder.parent / "made up"  # one for all, with one date
    if not made.is_dir():
        from tests.run.test_safety_command import written

        written(made, length=6.0)
    if not source.is_dir():
        shutil.copytree(made, source)
    return ["report", "run", "--out", "report.html"]


def run_words(place):
    """A run that goes on from its last checkpoint."""
    scenario(place, coach())
    if (place.folder / "o" / "resume" / "run.json").is_file():
        return ["run", "--resume", "o", "--quiet"]
    return ["run", "s.toml", "--out", "o", "--quiet"]


def compile_words(place):
    """A first run with an empty kernel cache."""
    tree = bases.coach_run()
    tree["run"] |= {"duration_s": 0.01}
    scenario(place, tree)
    return ["run", "s.toml", "--out", "o", "--quiet"]


COMMANDS = {
    "reduce": reduce_words,
    "sweep": sweep_words,
    "report": report_words,
    "run": run_words,
    "compilation": compile_words,
}


def dataset_values(path):
    """Name -> bytes of every variable of a netCDF file."""
    data = fw.open_results(path).load()
    return {
        name: (str(v.dtype), v.values.astype("U").tobytes() if v.dtype == object else v.values.tobytes())
        for name, v in data.variables.items()
        if name not in TIMES
    }


def made(name, place):
    """What a command made, as values to be compared."""
    if name == "report":
        lines = (place.folder / "report.html").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if "made on" not in line and "date" not in line.lower()]
    if name == "reduce":
        found = {}
        for path in sorted((place.folder / "bodies").glob("*.npz")):
            with np.load(path) as archive:
                found |= {f"{path.name} {key}": archive[key].tobytes() for key in archive.files if key != "words"}
        return found
    return dataset_values(place.folder / "o" / ("study.nc" if name == "sweep" else "results.nc"))


def ended(name, place, kill=None):
    """(exit code, seconds, errors) of a command, killed after `kill` seconds."""
    process, began = place.start(*COMMANDS[name](place)), time.perf_counter()
    try:
        _, errors = process.communicate(timeout=kill)
    except subprocess.TimeoutExpired:
        process.kill()
        _, errors = process.communicate()
    return process.returncode, time.perf_counter() - began, errors


def faults_of(name, kills, folder, rng):
    """(kills that hit, faults) of a command killed `kills` times on its way to one result."""
    whole = Place(folder / f"{name} whole", shared=name != "compilation")
    out = Place(folder / f"{name} killed", shared=name != "compilation")
    code, span, errors = ended(name, whole)
    if code != 0:
        return 0, [f"the command that is not killed ends with {code}: {errors[-300:]}"]
    hits, faults = 0, []
    for _ in range(20 * kills):
        code, _, errors = ended(name, out, rng.uniform(0.0, span)) if hits < kills else ended(name, out)
        hits += code == -9
        if code not in (0, -9) or "Traceback" in errors:
            return hits, [*faults, f"exit code {code} after {hits} kills: {errors[-400:]}"]
        if code == 0 and hits < kills:  # done before it was hit: from the beginning
            faults += differences(name, whole, out)
            shutil.rmtree(out.folder)
            out = Place(out.folder, out.shared)
        elif code == 0:
            break
    return hits, faults + differences(name, whole, out)


def differences(name, whole, out):
    """What a killed command made otherwise than the whole one, and what it left."""
    wanted, found = made(name, whole), made(name, out)
    if isinstance(wanted, dict):
        different = sorted(key for key in {*wanted, *found} if wanted.get(key) != found.get(key))
    else:
        different = [] if wanted == found else ["text"]
    left = [path.name for path in out.folder.rglob("*") if path.name.endswith((".tmp", ".part.nc"))]
    return [f"differs: {', '.join(different[:8])}"] * bool(different) + [f"left: {left}"] * bool(left)


def main():
    """A line a command; exit code 1 where one has a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.kills", description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=COMMANDS)
    given = parser.parse_args()
    names = [given.only] if given.only else list(COMMANDS)
    rng, total, failed = np.random.default_rng(given.seed), 0, False
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            kills = given.kills // len(names) + (number < given.kills % len(names))
            hits, faults = faults_of(name, kills, Path(folder), rng)
            total, failed = total + hits, failed or bool(faults)
            print(f"{name}: {hits} kills; {'; '.join(faults) or 'equal to the last bit'}", flush=True)
    print(f"{total} kills; seed {given.seed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
