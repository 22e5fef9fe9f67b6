"""Wall time of the AS4 run, window against full length and mesh against mesh, in one session.

    python benchmarks/as4_run.py [seconds simulated] [--write]

Kernels are compiled before anything is timed. With --write the table goes to docs/speed.md. Times are of the command on
the machine named in the first line, the least of three: the loop's wall time, beside which samples are evaluated and
written, and processor time of all; the ratios carry over to other machines better than the seconds do.
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

from flexwheel.results.files import open_results

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 3
CASES = (
    ("eulerian, window, 56,021 nodes", ()),
    ("lagrangian, window, 56,021 nodes", ("wheelset.front.mode=lagrangian",)),
    ("eulerian_interpolated, window, 56,021 nodes", ("wheelset.front.mode=eulerian_interpolated",)),
    ("eulerian, window, 2,955 nodes", ('wheelset.front.mesh="meshes/wheelset_coarse.inp"',)),
    ("rigid wheelset, window", ("wheelset.front.formulation=rigid",)),
)


def command(folder, overrides, seconds, **options):
    """Run the example by the command, into a folder."""
    words = [sys.executable, "-c", "from flexwheel.face.cli import main; main()", "run", "examples/as4_curve.toml"]
    for setting in ("run.compare_modes=[]", f"run.duration_s={seconds}", *overrides):
        words += ["--set", setting]
    subprocess.run([*words, "--out", f"{folder}/out", "--quiet"], cwd=ROOT, check=True, **options)


def measure(overrides, seconds):
    """Figures of one case: processor and wall seconds per simulated second, the least of ROUNDS, iterations a step."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        command(folder, overrides, 0.01)
        for _ in range(ROUNDS):
            before = os.times()
            command(folder, overrides, seconds)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            with open_results(f"{folder}/out/results.nc") as results:
                found.append(
                    (spent / seconds, results.attrs["loop_seconds"] / seconds, results.attrs["iterations_mean"])
                )
    return map(min, zip(*found, strict=True))


def first_run():
    """Wall time [s] of a run of 0.01 s with empty caches."""
    with tempfile.TemporaryDirectory() as folder:
        place = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "FLEXWHEEL_CACHE")}
        started = time.perf_counter()
        command(folder, (), 0.01, env={**place, "XDG_CACHE_HOME": folder})
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
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    lines += ["", f"{seconds:g} s simulated. Peak memory of a run {peak:.2f} GB."]
    lines += [f"First run after an installation, with import, reduction and compilation: {first_run():.0f} s wall."]
    if write:
        path = ROOT / "docs" / "speed.md"
        _, mark, others = path.read_text(encoding="utf-8").partition("<!--")  # tables of benchmarks/speed.py stay
        path.write_text("\n".join(lines) + "\n" + (f"\n{mark}{others}" if mark else ""), encoding="utf-8")
    return lines


if __name__ == "__main__":
    numbers = [float(a) for a in sys.argv[1:] if not a.startswith("-")]
    print("\n".join(main(numbers[0] if numbers else 14.0, "--write" in sys.argv)))
