"""Waiting for the main command of the README: wall and processor time of versions in turn, and of their pictures.

    python benchmarks/waiting.py [NAME=CLONE ...] [--rounds 2] [--set run.duration_s=3]

CLONE: a checkout with its own environment in .venv, or CLONE=PROGRAM with the `flexwheel` of another place after a
second `=`. Each version runs once before, so that its kernels and its reduced body are kept: printed as the first run,
which is a newcomer's where no cache was filled (a HOME of its own). Pictures: from the last line of the second run to
the end, the time that a user waits for them.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]


def waited(program, folder, out, settings):
    """Wall and processor seconds of the command, and wall seconds behind the last run."""
    words = [program, "run", "examples/as4_curve.toml", "--out", out, "--view", *settings]
    begun, before, last = time.perf_counter(), os.times(), None
    process = subprocess.Popen(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    for line in process.stdout:
        last = time.perf_counter() if re.match("time loop", line) else last
    if process.wait():
        sys.exit(f"{' '.join(map(str, words))}: status {process.returncode}")
    end, after = time.perf_counter(), os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return end - begun, used, end - (last or end)


def main():
    """Print a line for each version: least wall and processor time of the rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="*")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    settings = [word for value in options.set for word in ("--set", value)]
    versions = {"here": (HERE, Path(sys.executable).with_name("flexwheel"))}
    for text in options.clones:
        name, folder, *program = text.split("=")
        versions[name] = Path(folder), Path(program[0] if program else f"{folder}/.venv/bin/flexwheel")
    found = {name: [] for name in versions}
    first = {}
    with tempfile.TemporaryDirectory() as place:
        for k in range(options.rounds + 1):
            for name, (folder, program) in versions.items():
                figures = waited(program, folder, Path(place) / name, settings)
                first.setdefault(name, figures)
                found[name] += [figures] * bool(k)
    for name, rows in found.items():
        wall, used, pictures = (min(column) for column in zip(*rows, strict=True))
        print(f"{name}: first run {first[name][0]:.1f} s, processor {first[name][1]:.1f} s")
        print(f"{name}: {wall:.1f} s, processor {used:.1f} s, pictures after the last run {pictures:.1f} s")


if __name__ == "__main__":
    main()
