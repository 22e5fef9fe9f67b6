"""Speed of the simplified vehicle against the full three-dimensional model: same scenario, machine, process and output.

Run it:  python benchmarks/reduced.py [SCENARIO ...]        default: the six scenarios of docs/reduced.md
Both models are compiled before they are timed; the simplified one is run several times and its median is given. Wall
clock and CPU time of the thread stand side by side, because other processes of the machine disturb the first.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from pathlib import Path

import numpy as np

from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.systems.reduced.reduced_run import build_reduced, run_full
from flexwheel.systems.reduced.simulate_reduced import run

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SCENARIOS = (
    "wheelset_curve", "wheelset_small_curve", "ml95_curve", "ml95_small_curve", "ml95_straight", "manchester_curve",
)  # fmt: skip
REPEATS = 9


def measure(name, repeats=REPEATS):
    """Figures of one scenario: dict."""
    source = read_scenario_source(EXAMPLES / f"{name}.toml")
    scenario, reduced = source.scenario, source.scenario.reduced
    begun = time.perf_counter()
    model = build_reduced(scenario, reduced)
    built = time.perf_counter() - begun
    stride = round(scenario.run.output_step_s / reduced.step_s)
    duration = scenario.run.duration
    run(model, 0.1, reduced.step_s, stride, method=reduced.method)
    wall, cpu = [], []
    for _ in range(repeats):
        begun, used = time.perf_counter(), time.thread_time()
        outcome = run(model, duration, reduced.step_s, stride, method=reduced.method)
        wall.append(time.perf_counter() - begun)
        cpu.append(time.thread_time() - used)
    short = read_scenario_source(EXAMPLES / f"{name}.toml", ["run.duration_s=0.05"])
    run_full(short.scenario)
    full = run_full(scenario)
    return {
        "built": built,
        "wall": float(np.median(wall)) / duration,
        "cpu": float(np.median(cpu)) / duration,
        "microseconds_per_step": 1e6 * float(np.median(cpu)) / outcome.steps,
        "full_wall": full.seconds / duration,
        "full_cpu": full.cpu_seconds / duration,
    }


def main(names=SCENARIOS):
    """Table of real-time factors."""
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'scenario':22s} {'simplified':>21s} {'us/step':>8s} {'full':>17s} {'ratio':>13s} {'build s':>8s}")
    print(f"{'':22s} {'wall':>10s} {'cpu':>10s} {'cpu':>8s} {'wall':>8s} {'cpu':>8s} {'wall':>6s} {'cpu':>6s}")
    for name in names:
        f = measure(name)
        print(
            f"{name:22s} {f['wall']:10.5f} {f['cpu']:10.5f} {f['microseconds_per_step']:8.2f} {f['full_wall']:8.4f} "
            f"{f['full_cpu']:8.4f} {f['full_wall'] / f['wall']:6.0f} {f['full_cpu'] / f['cpu']:6.0f} {f['built']:8.2f}",
            flush=True,
        )
    print("simplified (median) and full: time over simulated time; cpu: of the thread. Paper 001: ratio 4")


if __name__ == "__main__":
    main(sys.argv[1:] or SCENARIOS)
