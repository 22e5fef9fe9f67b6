"""Runs of every kind killed at random moments and resumed until they are complete, compared bit by bit with runs that
never stopped.

    python benchmarks/resume_kills.py               twenty kills over all cases
    python benchmarks/resume_kills.py --kills 5 --only train --seed 3

Each run is a process of its own, ended by SIGKILL between its first new checkpoint and its end. A line a case:
kills, and the variables that differ: none.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from flexwheel.base.shipped import EXAMPLES, MESHES
from flexwheel.results.files import open_results

COARSE = {"wheelset.front.mesh": MESHES / "wheelset_coarse.inp", "run.compare_modes": "[]"}
AS4 = ("as4_curve.toml", COARSE | {"run.duration_s": 1.0, "run.checkpoint_s": 0.1})
COACH = ("manchester_s_curve.toml", {"run.end_position_m": 60.0, "run.checkpoint_s": 0.2})
TRAIN = ("train_2.toml", {"run.duration_s": 1500.0, "run.checkpoint_s": 50.0})


def varied(case, **settings):
    """A case with further settings."""
    return case[0], case[1] | {key.replace("__", "."): value for key, value in settings.items()}


CASES = {
    "eulerian, flexible rails": AS4,
    "lagrangian, inertial rails": varied(AS4, wheelset__front__mode="lagrangian", track__model="inertial"),
    "interpolated, massless rails": varied(AS4, wheelset__front__mode="eulerian_interpolated", track__model="massless"),
    "two modes": varied(AS4, run__compare_modes='["lagrangian"]', run__duration_s=0.5),
    "rigid rails": COACH,
    "Park": varied(COACH, run__integrator="park"),
    "explicit": varied(COACH, run__integrator="dormand_prince"),
    "wagon in a train": ("freight_wagon_in_train.toml", {"run.duration_s": 2.0, "run.checkpoint_s": 0.2}),
    "realtime": ("feve3000_curve.toml", {"run.checkpoint_s": 1.0}),
    "train": TRAIN,
    "train, tolerance not checked": varied(TRAIN, run__check_tolerance="false"),
    "reduced": ("manchester_curve.toml", {"run.end_position_m": 130.0, "run.checkpoint_s": 0.2}),
}


def arguments(name):
    """Scenario and settings of a case."""
    scenario, settings = CASES[name]
    return [str(EXAMPLES / scenario), *(w for k, v in settings.items() for w in ("--set", f"{k}={v}"))]


def saved(out):
    """Checkpoints of a run with the times they were written at."""
    found = {}
    for file in (out / "resume").glob("*.npz"):
        try:
            found[file.name] = file.stat().st_mtime_ns
        except FileNotFoundError:
            continue
    return found


def run(words, out, kill=None):
    """Exit code of `flexwheel run`, wall time [s] from its first new checkpoint to its end; killed `kill` [s] after."""
    before = saved(out)
    program = "from flexwheel.face.cli import main; main()"
    process = subprocess.Popen([sys.executable, "-c", program, "run", "--quiet", *map(str, words)])
    while process.poll() is None and saved(out) == before:
        time.sleep(1e-3)
    begun = time.perf_counter()
    try:
        process.wait(kill)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return process.returncode, time.perf_counter() - begun


def different(a, b):
    """Names of variables that are not equal bit by bit."""
    a, b = (open_results(folder / "results.nc") for folder in (a, b))

    def same(name):
        x, y = a[name].values, b[name].values
        return x.dtype == y.dtype and (np.array_equal(x, y) if x.dtype == object else x.tobytes() == y.tobytes())

    return sorted(name for name in {*a.variables, *b.variables} if not (name in a and name in b and same(name)))


def killed_and_resumed(name, kills, folder, rng):
    """(kills that hit, folders compared, variables that differ) of a case."""
    whole, out, hits = folder / f"{name} whole", folder / f"{name} killed", 0
    words = [*arguments(name), "--out", out]
    run([*arguments(name), "--out", whole], whole)  # what is not compiled yet, and reduced bodies
    code, span = run([*arguments(name), "--out", whole], whole)
    if code != 0:
        raise SystemExit(f"{name}: the run that is not killed failed")
    while hits < kills:
        code, _ = run(words, out, rng.uniform(0.0, span / max(1, kills - hits)))
        hits += code != 0
        if code == 0 and hits < kills:  # it came to its end: another one
            words = [*arguments(name), "--out", out]
        elif code != 0:
            words = ["--resume", out] if (out / "resume" / "run.json").is_file() else [*arguments(name), "--out", out]
    if code != 0 and "--resume" in words and run(words, out)[0] != 0:
        raise SystemExit(f"{name}: the resumed run failed")
    pairs = [(whole / p.parent.name, p.parent) for p in out.glob("*/results.nc")]
    differing = [v for a, b in [(whole, out), *pairs] for v in different(a, b)]
    return hits, 1 + len(pairs), differing


def main():
    """A line a case; exit code 1 when a variable differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=CASES)
    given = parser.parse_args()
    names = [given.only] if given.only else list(CASES)
    rng, failed, hits = np.random.default_rng(given.seed), False, 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            kills = given.kills // len(names) + (number < given.kills % len(names))
            hit, results, differing = killed_and_resumed(name, kills, Path(folder), rng)
            hits, failed = hits + hit, failed or bool(differing)
            print(f"{name}: {hit} kills, {results} results, differing: {', '.join(differing) or 'none'}", flush=True)
    print(f"{hits} kills; seed {given.seed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
