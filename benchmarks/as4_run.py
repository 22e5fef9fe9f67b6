"""Wall time of the AS4 run, window against full length and mesh against mesh, in one session.

    python benchmarks/as4_run.py [seconds simulated] [--write]

Kernels are compiled before anything is timed. With --write the table goes to docs/speed.md. Times are of one process on
the machine named in the first line; the ratios carry over to other machines better than the seconds do.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import processor

from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario

ROOT = Path(__file__).resolve().parents[1]
CASES = (
    ("eulerian, window, 56,021 nodes", ()),
    ("lagrangian, window, 56,021 nodes", ("wheelset.front.mode=lagrangian",)),
    ("eulerian_interpolated, window, 56,021 nodes", ("wheelset.front.mode=eulerian_interpolated",)),
    ("eulerian, window, 2,955 nodes", ('wheelset.front.mesh="meshes/wheelset_coarse.inp"',)),
    ("rigid wheelset, window", ("wheelset.front.formulation=rigid",)),
)


def measure(overrides, seconds):
    """Figures of one case: processor and wall seconds per simulated second, iterations a step."""
    scenario = read_scenario(ROOT / "examples" / "as4_curve.toml", [*overrides, f"run.duration_s={seconds}"])
    wheelsets = flexible_wheelsets(scenario)
    short = read_scenario(ROOT / "examples" / "as4_curve.toml", [*overrides, "run.duration_s=0.01"])
    run_scenario(short, wheelsets=wheelsets)
    started = time.process_time()
    results = run_scenario(scenario, wheelsets=wheelsets)
    spent = time.process_time() - started
    return spent / seconds, results.attrs["seconds_per_simulated_second"], results.attrs["iterations_mean"]


def first_run():
    """Wall time [s] of a run of 0.01 s with empty caches."""
    with tempfile.TemporaryDirectory() as folder:
        place = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "FLEXWHEEL_CACHE")}
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from flexwheel.face.cli import main; main()", "run", "examples/as4_curve.toml"]
            + ["--out", f"{folder}/out", "--quiet", "--set", "run.duration_s=0.01", "--set", "run.compare_modes=[]"],
            env={**place, "XDG_CACHE_HOME": folder},
            cwd=ROOT,
            check=True,
        )
        return time.perf_counter() - started


def main(seconds=14.0, write=False):
    """Measure every case; returns the lines of the table."""
    lines = [
        "# Speed",
        "",
        f"`python benchmarks/as4_run.py {seconds:g} --write` on {processor()}, Python {platform.python_version()}.",
        "Paper 004: about 300 s per simulated second.",
        "",
        "| case | loop, wall s per simulated s | with set-up and stresses, CPU s per simulated s | iterations a step |",
        "|---|---|---|---|",
    ]
    for name, overrides in CASES:
        cpu, wall, iterations = measure(overrides, seconds)
        lines.append(f"| {name} | {wall:.2f} | {cpu:.2f} | {iterations:.2f} |")
        print(lines[-1], flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    lines += ["", f"{seconds:g} s simulated. Peak memory of the process {peak:.2f} GB."]
    lines += [f"First run after an installation, with import, reduction and compilation: {first_run():.0f} s wall."]
    if write:
        path = ROOT / "docs" / "speed.md"
        _, mark, others = path.read_text(encoding="utf-8").partition("<!--")  # tables of benchmarks/speed.py stay
        path.write_text("\n".join(lines) + "\n" + (f"\n{mark}{others}" if mark else ""), encoding="utf-8")
    return lines


if __name__ == "__main__":
    numbers = [float(a) for a in sys.argv[1:] if not a.startswith("-")]
    print("\n".join(main(numbers[0] if numbers else 14.0, "--write" in sys.argv)))
