"""The walk by short runs: python -m tests.fuzz.walk_runs [--only PREFIX] > docs/keys.md; minutes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from .vehicle_walk import vehicle_steps
from .walk import results_of_run, side_files, walk

ROOT = Path(__file__).resolve().parents[2]
HEAD = """# What each key changes

Made by `python -m tests.fuzz.walk_runs > docs/keys.md`: every key of a vehicle's scenario and of a vehicle file,
changed by itself in a run of 0.05 s (AS4 at 72 km/h from s = 20 m into a curve; a made-up vehicle with every kind of
element for the keys of vehicle files; 3 s for a wagon in a train). `front` and `0` stand for any name and number. A
change that changed nothing and was not refused would stand here as **nothing**. Scenarios of other kinds:
tests/systems. `accept` turns an error into a warning and `source` is kept with the vehicle; they change no result.

| key | changed from, to | beside | effect |
|---|---|---|---|"""


def rows(steps, folder):
    """Lines of a table in Markdown, and keys whose change did nothing and was not refused; folder: of side files."""
    idle = []
    for step in steps:
        if step.changed:
            names = [name.lstrip(".") for name in step.changed]
            count = f" and {len(names) - 2} more" if len(names) > 2 else ""
            effect = f"changes {', '.join(names[:2])}{count}"
        elif step.refused:
            effect = (
                "refused: " + step.refused.split(": ", 1)[-1].replace(f"{ROOT}/", "").replace(f"{folder}/", "")[:120]
            )
        else:
            effect = "**nothing**"
            idle.append(step.key)
        yield f"| `{step.key}` | {_short(step.before)} to {_short(step.after)} | {step.beside} | {effect} |", idle


def _short(value):
    text = str(value).replace("|", "/")
    text = Path(text).name if text.startswith("/") else text
    return text if len(text) <= 40 else text[:37] + "..."


def main():
    """Print the table; exit code 1 when a key did nothing."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.walk_runs", description=__doc__)
    parser.add_argument("--only", default="", help="keys that begin so")
    given = parser.parse_args()
    began, idle = time.monotonic(), []
    print(HEAD)
    with tempfile.TemporaryDirectory() as folder:
        side_files(Path(folder))
        wanted = lambda key: key.startswith(given.only)  # noqa: E731
        for steps in (walk(results_of_run, Path(folder), wanted=wanted),
                      vehicle_steps(results_of_run, Path(folder), wanted)):  # fmt: skip
            for line, found in rows(steps, folder):
                print(line.replace(f"{ROOT}/", ""), flush=True)
                idle += [key for key in found if key not in idle]
    print(f"{time.monotonic() - began:.0f} s; without effect: {', '.join(idle) or 'none'}", file=sys.stderr)
    sys.exit(1 if idle else 0)


if __name__ == "__main__":
    main()
