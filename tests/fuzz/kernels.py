"""Damaged kernel caches: python -m tests.fuzz.kernels [--cases 20] [--seed 1].

Files of a warm kernel cache are damaged, emptied, exchanged or removed, then a run is made in a process of its own: it
must end well, without a traceback, and give the results of the warm cache to the last bit.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from flexwheel.base.child_python import safe_environment

from . import bases
from .kills import PROGRAM, dataset_values
from .mutate import damage, pick, toml


def run(folder, kernels, out):
    """(exit code, errors) of a short run of the coach with a kernel cache."""
    environment = safe_environment({**os.environ, "NUMBA_CACHE_DIR": str(kernels)})
    words = [sys.executable, "-c", PROGRAM, "run", folder / "s.toml", "--out", folder / out, "--quiet"]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment, timeout=300)
    return done.returncode, done.stderr


def harmed(rng, kernels):
    """Damage a few files of a cache; what was done."""
    files = sorted(path for path in kernels.rglob("*") if path.suffix in (".nbi", ".nbc"))
    said = []
    for _ in range(int(rng.integers(1, 6))):
        file, other = pick(rng, files), pick(rng, files)
        kind = pick(rng, ["damage", "damage", "gone", "exchanged"])
        if kind == "gone":
            file.unlink(missing_ok=True)
        elif kind == "exchanged" and other.is_file():
            shutil.copy(other, file.with_name("x"))
            os.replace(file.with_name("x"), file)
        elif file.is_file():
            content, kind = damage(rng, file.read_bytes())
            file.write_bytes(content)
        said.append(f"{file.name[:40]} {kind}")
    return "; ".join(said)


def main():
    """A line a case that fails; exit code 1 where one does."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.kernels", description=__doc__.split("\n\n")[0])
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given, failed = parser.parse_args(), 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "s.toml").write_text(toml(bases.coach_run()))
        warm = folder / "warm"
        warm.mkdir(mode=0o700)
        for _ in range(2):
            code, errors = run(folder, warm, "sound")
            assert code == 0, errors
        wanted = dataset_values(folder / "sound" / "results.nc")
        for number in range(given.cases):
            rng, kernels = np.random.default_rng([given.seed, number]), folder / "harmed"
            shutil.copytree(warm, kernels)
            what = harmed(rng, kernels)
            code, errors = run(folder, kernels, "out")
            same = code == 0 and dataset_values(folder / "out" / "results.nc") == wanted
            if code != 0 or "Traceback" in errors or not same:
                failed += 1
                print(f"FAIL {number}: code {code}, same {same}: {what}: {errors[-300:]}", flush=True)
            shutil.rmtree(kernels)
            shutil.rmtree(folder / "out", ignore_errors=True)
    print(f"{given.cases} cases, {failed} failed; seed {given.seed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
