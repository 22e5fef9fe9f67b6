"""Speed of the simplified vehicle against the full three-dimensional model: same scenario, machine, process and output.

Run it:  python benchmarks/reduced.py [SCENARIO ...]        default: the six scenarios of docs/reduced.md
Both models are compiled before they are timed; the simplified one is run several times and its median and best are
given, because other processes of the machine disturb a run of some ten milliseconds.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from flexwheel.kernel_cache import use_kernel_cache

use_kernel_cache()

import numpy as np

from flexwheel.io.reduced_scenario import read_reduced_scenario
from flexwheel.reduced.simulate import run
from flexwheel.run.reduced import build_reduced, run_full

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SCENARIOS = (
    "wheelset_curve", "wheelset_small_curve", "ml95_curve", "ml95_small_curve", "ml95_straight", "manchester_curve",
)  # fmt: skip
REPEATS = 9


def measure(name, repeats=REPEATS, with_full=True):
    """Figures of one scenario: dict."""
    source = read_reduced_scenario(EXAMPLES / f"{name}.toml")
    scenario, reduced = source.scenario, source.reduced
    begun = time.perf_counter()
    model = build_reduced(scenario, reduced)
    built = time.perf_counter() - begun
    stride = round(scenario.run.output_step_s / reduced.step_s)
    duration = scenario.run.duration
    run(model, 0.1, reduced.step_s, stride, method=reduced.method)
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        outcome = run(model, duration, reduced.step_s, stride, method=reduced.method)
        seconds.append(time.perf_counter() - begun)
    figures = {
        "simulated": duration,
        "built": built,
        "best": min(seconds) / duration,
        "median": float(np.median(seconds)) / duration,
        "microseconds_per_step": 1e6 * min(seconds) / outcome.steps,
        "full": float("nan"),
    }
    if with_full:
        short = read_reduced_scenario(EXAMPLES / f"{name}.toml", ["run.duration_s=0.05"])
        run_full(short.scenario)
        figures["full"] = run_full(scenario).seconds / duration
    return figures


def main(names=SCENARIOS):
    """Table of real-time factors."""
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(
        f"{'scenario':22s} {'simplified best':>16s} {'median':>9s} {'us/step':>8s} {'full':>8s} {'ratio':>7s} {'build s':>8s}"
    )
    for name in names:
        f = measure(name)
        print(
            f"{name:22s} {f['best']:16.5f} {f['median']:9.5f} {f['microseconds_per_step']:8.2f} {f['full']:8.4f} "
            f"{f['full'] / f['median']:7.0f} {f['built']:8.2f}",
            flush=True,
        )
    print("simplified, full: wall time over simulated time; ratio: full over the median of simplified; paper 001: 4")


if __name__ == "__main__":
    main(sys.argv[1:] or SCENARIOS)
