"""Pages of runs at the edge: interrupted, without modal coordinates, rigid, 10,001 samples and ten million.

    python benchmarks/page_edges.py [--samples 10000000] [--only interrupted]

Runs are made with the coarse mesh of the AS4; the one of many samples is a rigid run of 10,001 whose samples are
written again and again, further along the track, so that a page has as many to read. Of each the command's answer,
seconds, processor seconds and peak memory, size, seconds until a browser is ready, and what the page says of itself.
Ends with 1 where a page lacks its word or says something in the console.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import netCDF4
import numpy as np

from flexwheel.base.shipped import EXAMPLES, MESHES
from tests import browser as driven
from tests.browser import Browser

SHORT = {"run.compare_modes": "[]", "run.duration_s": 1.0, "run.start_position_m": 60.0}
COARSE = SHORT | {"wheelset.front.mesh": MESHES / "wheelset_coarse.inp"}
LITTLE = {"output.variables": '["body_position", "body_angle", "wheel_force"]'}
RIGID = SHORT | {"wheelset.front.formulation": "rigid"}
CASES = {  # settings of the run, what its page must say
    "interrupted": (COARSE | {"run.duration_s": 14.0}, "incomplete run: "),
    "without modal coordinates": (COARSE | LITTLE, "modal coordinates were not stored"),
    "rigid": (RIGID, ""),
    "10,001 samples": (COARSE, ""),
    "many samples": (RIGID | LITTLE, "1 sample in"),
}
BLOCK = 500_000  # samples written at a time


def program(*words):
    """A command of flexwheel as a list of words."""
    return [str(Path(sys.executable).with_name("flexwheel")), *map(str, words)]


def run(folder, settings, interrupted):
    """Make a run; interrupted: by Ctrl-C, once its files have ten megabytes."""
    words = [w for key, value in settings.items() for w in ("--set", f"{key}={value}")]
    process = subprocess.Popen(
        program("run", EXAMPLES / "as4_curve.toml", "--out", folder, "-q", *words), stderr=subprocess.DEVNULL
    )
    while interrupted and process.poll() is None:
        time.sleep(0.05)
        with contextlib.suppress(FileNotFoundError):
            if sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) > 1e7:
                process.send_signal(signal.SIGINT)
                break
    code = process.wait()
    if code != (2 if interrupted else 0):
        sys.exit(f"the run ended with {code}")


def lengthen(file, count):
    """Write the samples of a results file again until there are `count`; time and place along the track go on."""
    with netCDF4.Dataset(file, "a") as data:
        data.set_auto_mask(False)
        time_of, place = data["time"][:], data["body_position"][:]
        step, far = time_of[1] - time_of[0], place[-1, :, 0] - place[0, :, 0]
        moving = [name for name, v in data.variables.items() if v.dimensions[:1] == ("time",) and v.ndim > 1]
        kept = {name: data[name][:] for name in moving}
        rounds = max(1, BLOCK // len(time_of))
        while len(data["time"]) < count:
            start = len(data["time"])
            some = min(rounds * len(time_of), count - start)
            rows = (start + np.arange(some)) % len(time_of)
            data["time"][start : start + some] = time_of[0] + step * (start + np.arange(some))
            for name, values in kept.items():
                block = values[rows]
                if name == "body_position":
                    block[:, :, 0] += ((start + np.arange(some)) // len(time_of))[:, None] * far
                data[name][start : start + some] = block


def viewed(folder):
    """(seconds, processor seconds, peak memory [MB], exit code, lines) of the command that writes the page."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(program("view", folder, "--web"), stdout=told, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - begun
        told.seek(0)
        lines = told.read().splitlines()
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3, process.returncode, lines


def opened(page):
    """(seconds until it is ready, its words, messages)."""
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            browser.size(1400, 900)
            ready = browser.open(page)
            browser.run("flexwheel.app.to(flexwheel.app.scenes[0].samples - 1)")
            return ready, browser.run("document.body.textContent"), browser.messages
        finally:
            browser.close()


def main():
    """Print a paragraph a case; 1 where a page is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=10_000_000)
    parser.add_argument("--only", choices=list(CASES))
    given = parser.parse_args()
    driven.PATIENCE, good = 600.0, True  # a busy machine
    for name, (settings, said) in CASES.items():
        if given.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "run"
            run(folder, settings, name == "interrupted")
            if name == "many samples":
                lengthen(folder / "results.nc", given.samples)
            with netCDF4.Dataset(folder / "results.nc") as data:
                count = len(data["time"])
            size = (folder / "results.nc").stat().st_size
            wall, used, memory, code, lines = viewed(folder)
            print(f"{name}: {count:,} samples, {size / 1e6:,.0f} MB; exit {code}, {wall:.1f} s, {used:.1f} s of "
                  f"processor time, {memory:,.0f} MB of memory")  # fmt: skip
            for line in lines:
                print(f"  {line[:200]}")
            if code == 0:
                ready, words, messages = opened(folder / "run.html")
                good &= said in words and not messages
                print(f"  ready after {ready:.1f} s, messages {len(messages)}, says {said!r}: {said in words}")
            else:
                good &= len(lines) == 1
    if not good:
        sys.exit("a page is not as it must be")


if __name__ == "__main__":
    main()
