"""Time of the package beside other versions of itself, in one run on one machine; how a step's cost grows.

    python benchmarks/speed.py 32e8ffb=/path/of/a/clone ... [--rounds 3] [--write]
    python benchmarks/speed.py --curves [--write]         cost of a step against sizes, what arithmetic alone takes

Clones are named NAME=FOLDER or NAME=FOLDER=CACHE, where CACHE holds numba/ and bodies/ of that clone (else each has
fresh ones, and compiles). Versions take turns, a process for each case; every version does the same pieces of work, of
each piece the least processor time of the rounds counts, and these are summed: what a quiet moment gives. With --write
the tables go to docs/speed.md, between their marks.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from machine import processor
from speed_case import CASES, PIECE

ROOT = Path(__file__).resolve().parents[1]
SECONDS, STEP, WHOLE = "s per simulated s", "us a step", "s"
UNITS = {  # of a case: what is printed, and its factor from the mean of a piece and its steps
    "AS4, eulerian": SECONDS,
    "AS4, eulerian, sizes of 32e8ffb": SECONDS,
    "AS4, lagrangian": SECONDS,
    "coach, four flexible wheelsets": SECONDS,
    "coach, rigid, S-curve": STEP,
    "locomotive": STEP,
    "simplified model, ML95": STEP,
    "train 4": WHOLE,
    "train 4, tolerance 1e-4": WHOLE,
}
HERE, COACH = "here", "manchester_flexible.toml"


def run_case(case, clone, cache):
    """What speed_case.py prints for a case, run with the package of a clone; None where that cannot run it."""
    places = {"NUMBA_CACHE_DIR": f"{cache}/numba", "FLEXWHEEL_CACHE": f"{cache}/bodies"} if cache else {}
    environment = {**os.environ, **places, "PYTHONPATH": str(clone), "OPENBLAS_NUM_THREADS": "1"}
    folders = [clone / "examples"]
    if not (folders[0] / COACH).exists():
        folders += [plain_coach("kind"), plain_coach("kind", "accept")] if "flexible" in case else []
        folders = folders[1:] or folders
    for folder in folders:
        done = subprocess.run(
            [sys.executable, str(ROOT / "benchmarks" / "speed_case.py"), case, str(folder)],
            env=environment,
            cwd=clone,
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            return json.loads(done.stdout.splitlines()[-1])
    print(f"{case}: {clone}: {(done.stderr or done.stdout).strip().splitlines()[-1]}", flush=True)
    return None


def plain_coach(*keys):
    """A folder with the flexible coach for versions that do not know these keys."""
    folder = Path(tempfile.mkdtemp())
    text = (ROOT / "examples" / COACH).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.split(" ")[0] not in keys]
    text = "\n".join(lines).replace("../meshes", str(ROOT / "meshes"))
    (folder / COACH).write_text(text, encoding="utf-8")
    return folder


def least(rounds):
    """Seconds of the pieces, the least of the rounds of each, summed, over the steps of all pieces."""
    pieces = [min(of_piece) for of_piece in zip(*(r["seconds"] for r in rounds), strict=True)]
    return sum(pieces), len(pieces) * rounds[0]["steps"], len(pieces)


def figure(case, rounds):
    """The printed figure of a case."""
    seconds, steps, pieces = least(rounds)
    if UNITS[case] == STEP:
        return 1e6 * seconds / steps
    return seconds / (pieces * PIECE) if UNITS[case] == SECONDS else seconds


def compare(clones, rounds, cases):
    """Rows of the table of versions: every case, every version, ratio to the first of the others."""
    names = [HERE, *clones]
    lines = [
        "| case | "
        + " | ".join(names)
        + " | unit | "
        + " | ".join(f"{HERE} / {n}" for n in clones)
        + " | iterations |",
        "|---|" + "---|" * (len(names) + len(clones) + 2),
    ]
    for case in cases:
        found = {name: [] for name in names}
        for _ in range(rounds):
            for name in names:
                folder, cache = clones.get(name, (ROOT, None))
                done = run_case(case, folder, cache)
                if done is not None:
                    found[name].append(done)
        values = {name: figure(case, all_rounds) if all_rounds else None for name, all_rounds in found.items()}
        ratio = [f"{values[HERE] / values[n]:.2f}" if values[n] and values[HERE] else "-" for n in clones]
        iterations = [f"{r[0]['iterations']:.2f}" for r in found.values() if r and "iterations" in r[0]]
        shown = [f"{values[n]:.3g}" if values[n] else "-" for n in names]
        row = [case, *shown, UNITS[case], *ratio, ", ".join(iterations) or "-"]
        lines.append("| " + " | ".join(row) + " |")
        print(lines[-1], flush=True)
    return lines


def put(mark, lines):
    """Write lines between the marks of docs/speed.md."""
    path = ROOT / "docs" / "speed.md"
    text = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    if begin not in text:
        text = f"{text.rstrip()}\n\n{begin}\n{end}\n"
    head, rest = text.split(begin, 1)
    path.write_text(head + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + rest.split(end, 1)[1], encoding="utf-8")


def named(text):
    """(name, (folder, cache)) of NAME=FOLDER[=CACHE]."""
    name, folder, *cache = text.split("=")
    if not (Path(folder) / "flexwheel").is_dir():
        raise argparse.ArgumentTypeError(f"{folder}: no folder flexwheel in it")
    return name, (Path(folder).resolve(), cache[0] if cache else tempfile.mkdtemp())


def main():
    """Measure what is asked for; prints, and with --write files the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="*", type=named)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--curves", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    machine = f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(machine, flush=True)
    if options.curves:
        from speed_curves import measure_curves

        mark, lines = "curves", measure_curves(ROOT / "docs" / "images" if options.write else None)
    else:
        mark = "versions"
        lines = compare(dict(options.clones), options.rounds, [c for c in CASES if options.only in c])
    lines = [f"`python benchmarks/speed.py{' --curves' if options.curves else ''}` on {machine}.", "", *lines]
    if options.write:
        put(mark, lines)


if __name__ == "__main__":
    main()
