"""Every example of every command's help, run as a user would: `python -m tests.help_examples [WORD ...]`.

WORD chooses the examples that hold it; without any, all run, in the order in which one needs another's results (about
half an hour). They run in a folder of their own that holds `examples`, `meshes` and the files named in `OWN`.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from flexwheel.base.command import COMMANDS
from flexwheel.base.shipped import EXAMPLES, MESHES
from tests.rooms import known_line

OWN = {"delta_r.csv": "y_mm,delta_r_mm\n" + "".join(f"{y},{0.1 * y + 0.002 * y**3:.6f}\n" for y in range(-10, 11))}
"""Files that the help takes for a user's own."""
QUICK = (
    "check examples/train_4", "conicity", "creep", "en13103", "examples", "realtime-tables --parts", "schema",
    "twist examples/manchester_tight_curve.toml --body",
)  # fmt: skip
"""Beginnings of those that take less than a second or two once kernels are compiled."""
FIRST = ("run examples/as4_curve.toml --out out/as4", "run examples", "sensitivity", "run --resume")


def examples():
    """Command lines of all commands' help, what others need first."""
    found = [line for command in COMMANDS.values() for line in command.examples]
    return sorted(found, key=_turn)


def quick_examples():
    """Those of `QUICK`."""
    lines = [line for line in examples() if line.removeprefix("flexwheel ").startswith(QUICK)]
    return [line for line in lines if known_line(line)]


def prepare(folder):
    """Lay what the examples name into a folder."""
    for name, place in (("examples", EXAMPLES), ("meshes", MESHES)):
        (folder / name).symlink_to(place)
    for name, text in OWN.items():
        (folder / name).write_text(text, encoding="utf-8")


def _turn(line):
    words = line.removeprefix("flexwheel ")
    return next((k for k, start in enumerate(FIRST) if words.startswith(start)), len(FIRST))


def main(words):
    """Run those that hold one of the words; 1 where one fails."""
    chosen = [line for line in examples() if not words or any(word in line for word in words)]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        for line in chosen:
            begun = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-P", "-c", "from flexwheel.face.cli import main; main()", *shlex.split(line)[1:]],
                cwd=name, env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1])},
                capture_output=True, text=True,
            )  # fmt: skip
            failed += done.returncode != 0
            last = done.stderr.strip().splitlines()[-1:] if done.returncode else []
            print(f"{done.returncode:3d} {time.perf_counter() - begun:7.1f} s  {line}", *last, sep="\n    ", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
