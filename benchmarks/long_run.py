"""Memory and disk of a long run, and what a kill leaves: the Manchester coach on a straight at 1 ms output.

Each run is a process of its own, `flexwheel run`, whose peak memory the system counts. Run it:

    python benchmarks/long_run.py                    one minute against ten, then kills
    python benchmarks/long_run.py --minutes 1 60     one minute against an hour
    python benchmarks/long_run.py --kills 20         kills alone: killed at random moments, opened, compared bit by bit
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.results.files import read_results

SPEED_KMH = 72.0
KILL_SECONDS = 60.0  # [s] simulated by a run that is killed before


def command(seconds, out):
    """Command line of a run of so many seconds."""
    length = 30.0 + SPEED_KMH / 3.6 * seconds + 30.0
    settings = {
        "run.speed_kmh": SPEED_KMH,
        "run.start_position_m": 25.0,
        "run.end_position_m": 25.0 + SPEED_KMH / 3.6 * seconds,
        "run.output_step_s": 1e-3,
        "track.layout": f"[{{kind='straight', length_m={length}}}]",
        "assumed": "{}",
    }
    given = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    program = "from flexwheel.face.cli import main; main()"
    scenario = str(EXAMPLES / "manchester_tight_curve.toml")
    return [sys.executable, "-c", program, "run", scenario, "--out", str(out), "--quiet", *given]


def measured(seconds, folder):
    """Wall time [s], peak memory [MB] and results [MB] of a run."""
    out = folder / f"{seconds:g}"
    begun = time.perf_counter()
    process = subprocess.Popen(command(seconds, out))
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"the run of {seconds:g} s failed")
    return time.perf_counter() - begun, usage.ru_maxrss / 1e3, (out / "results.nc").stat().st_size / 1e6


def memory_table(minutes, folder):
    """Print wall time, memory and disk of runs of so many minutes."""
    measured(2.0, folder)  # compiles what is not compiled yet
    first = None
    for count in minutes:
        wall, memory, disk = measured(60.0 * count, folder)
        first = first or memory
        print(f"{count:6g} min simulated: {wall:8.1f} s, peak memory {memory:7.1f} MB ({memory / first - 1:+.1%}), "
              f"results.nc {disk:8.1f} MB", flush=True)  # fmt: skip


def kill_table(kills, folder, seed=1):
    """Kill runs at random moments; open what they leave and compare it with a run that was not killed."""
    whole = folder / "whole"
    begun = time.perf_counter()
    subprocess.run(command(KILL_SECONDS, whole), check=True)
    wall, rng, kept = time.perf_counter() - begun, np.random.default_rng(seed), read_results(whole)
    for k in range(kills):
        out = folder / f"killed_{k}"
        process = subprocess.Popen(command(KILL_SECONDS, out))
        time.sleep(rng.uniform(0.1, 1.0) * wall)
        process.send_signal(signal.SIGKILL)
        process.wait()
        try:
            results = read_results(out)
        except ScenarioError as error:
            print(f"kill {k + 1}: before the first sample: {error}", flush=True)
            continue
        part = kept.isel(time=slice(0, results.sizes["time"]))
        slots = results.sizes.get("patch", 0)
        wrong = [name for name in results.data_vars
                 if not np.array_equal(results[name].values.astype(part[name].dtype),
                                       part[name].isel(patch=slice(0, slots)).values if "patch" in part[name].dims
                                       else part[name].values, equal_nan=True)]  # fmt: skip
        print(f"kill {k + 1}: {results.sizes['time']} samples to t = {float(results.time[-1]):.3f} s, complete = "
              f"{results.attrs['complete']}, differing: {wrong or 'none'}", flush=True)  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, nargs="+")
    parser.add_argument("--kills", type=int)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        if chosen.minutes or chosen.kills is None:
            memory_table(chosen.minutes or [1, 10], Path(place))
        if chosen.kills or not chosen.minutes:
            kill_table(chosen.kills or 5, Path(place))
