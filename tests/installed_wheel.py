"""The package as a user gets it: `python -m tests.installed_wheel` builds the wheel and runs every example from it.

A wheel is built from this clone and installed into a fresh virtual environment; everything after that runs in an
empty folder with an empty home, away from the clone: `flexwheel examples --to`, every example in a short version,
`flexwheel verify`, the example plugin installed beside it. Opt-in: it downloads the dependencies, compiles from nothing
and takes some ten minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.story_calls import CALLS, NEEDS

CLONE = Path(__file__).resolve().parents[1]
ONE_MODE = ["run.compare_modes=[]"]
SHORT = {  # example -> settings of its short version
    "as4_curve": ["run.duration_s=0.05", *ONE_MODE],
    "as4_paper": ["run.duration_s=0.02", *ONE_MODE],
    "as4_stress": ["run.duration_s=0.02"],
    "feve3000_curve": ["run.duration_s=1.0"],
    "freight_wagon_in_train": ["run.duration_s=0.05"],
    "manchester_check_rail": ["run.end_position_m=25.2"],
    "manchester_curve": ["run.end_position_m=35"],
    "manchester_flexible": ["run.duration_s=0.02"],
    "manchester_car_body": ["run.duration_s=0.05"],
    "manchester_frames": ["run.duration_s=0.02"],
    "manchester_s_curve": ["run.end_position_m=25.5"],
    "manchester_tight_curve": ["run.end_position_m=25.2"],
    "ml95_curve": ["run.end_position_m=22"],
    "ml95_small_curve": ["run.end_position_m=22"],
    "ml95_straight": ["run.end_position_m=22"],
    "train_2": ["run.duration_s=60.0"],
    "train_4": ["run.duration_s=60.0"],
    "wagon_in_train": ["run.duration_s=0.05"],
    "wheelset_curve": ["run.end_position_m=7"],
    "wheelset_measured": ["run.end_position_m=7"],
    "wheelset_small_curve": ["run.end_position_m=7"],
}
SCRIPTS = {  # example in Python -> arguments of its main() in the short version
    "as4_from_python": "'out/as4_from_python', 0.05",
    "coach_in_python": "**{'run.end_position_m': 25.5}",
    "four_bar": "",
    "observer": "",
    "spatial_loop": "points=5",
}
STUDIES = {  # study -> settings of its runs in the short version
    "studies/speed_and_radius": [
        "run.duration_s=0.8", "run.settling_s=0.1", "run.compare_modes=[]", "wheelset.front.formulation=rigid",
    ]
}  # fmt: skip
CHECKS = ("FASTSIM against Kalker", "Point mobility", "equivalent conicity")
"""Checks of `flexwheel verify` that read tables and need no long run."""


def commands(python, flexwheel, plugin):
    """(title, command) of everything that is run in the empty folder; plugin: its wheel."""
    yield "examples", [flexwheel, "examples"]
    yield "examples --to .", [flexwheel, "examples", "--to", "."]
    yield "verify --list", [flexwheel, "verify", "--list"]
    for name in CHECKS:
        yield f"verify --only {name}", [flexwheel, "verify", "--only", name]
    for path in sorted(Path("examples").glob("*.toml")):
        settings = [word for text in SHORT[path.stem] for word in ("--set", text)]
        yield path.name, [flexwheel, "run", str(path), "--out", f"out/{path.stem}", *settings]
    for path in sorted(Path("examples").glob("*.py")):
        call = f"import runpy; runpy.run_path({str(path)!r})['main']({SCRIPTS[path.stem]})"
        yield path.name, [python, "-c", call]
    for name, words in STUDIES.items():
        given = f"study.set={json.dumps(words)}"
        out = ["--out", f"out/{name}", "--workers", "0"]
        yield name, [flexwheel, "sweep", f"examples/{name}.toml", *out, "--set", given]
    for name, words in CALLS.items():
        if name not in NEEDS:
            call = f"import runpy; runpy.run_path('examples/stories/{name}.py')['main'](**{words!r})"
            yield f"stories/{name}", [python, "-c", call]
    yield "plugin: install", [python, "-m", "pip", "-q", "install", "--no-deps", "--no-index", plugin]
    scenario = str(CLONE / "examples" / "plugin" / "coasting.toml")
    yield "plugin: check", [flexwheel, "check", scenario]
    yield "plugin: kind of run", [flexwheel, "run", scenario, "--out", "out/coasting", "--view"]
    yield "plugin: command", [flexwheel, "coasting-way", scenario]
    laws = ["--set", "contact.friction_law=hyperbolic", "--set", "run.end_position_m=25.2"]
    example = "examples/manchester_tight_curve.toml"
    yield "plugin: report", [flexwheel, "report", "out/coasting"]
    found = "import pathlib, sys; sys.exit('HEADING' not in pathlib.Path('out/coasting/report.html').read_text())"
    yield "plugin: its section of the report", [python, "-c", found.replace("HEADING", "Way to the stand")]
    yield "plugin: friction law", [flexwheel, "run", example, "--out", "out/friction", *laws]


def installed(folder):
    """Interpreter and command of a fresh environment below `folder` with the built wheel in it; wheel of the plugin."""
    run = lambda *words: subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: E731
    run(sys.executable, "-m", "venv", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "-q", "wheel", "--no-deps", CLONE, "-w", folder / "wheel")
    run(python, "-m", "pip", "-q", "wheel", "--no-deps", CLONE / "examples" / "plugin", "-w", folder / "plugin")
    (wheel,), (plugin,) = ((folder / name).glob("*.whl") for name in ("wheel", "plugin"))
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    run(python, "-m", "pip", "-q", "install", f"{wheel}[report]")
    return str(python), str(python.with_name("flexwheel")), str(plugin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="run only what has this in its title; examples are always copied")
    parser.add_argument("--keep", type=Path, help="empty folder to work in and to keep")
    options = parser.parse_args()
    folder = (options.keep or Path(tempfile.mkdtemp())).resolve()
    failed = 0
    try:
        programs = installed(folder)
        empty, home = folder / "empty", folder / "home"
        empty.mkdir()
        home.mkdir()
        os.chdir(empty)
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "MPLBACKEND": "agg"}
        for title, command in commands(*programs):
            if options.only not in title and "--to" not in title:
                continue
            start = time.perf_counter()
            ran = subprocess.run(command, env=environment, capture_output=True, text=True)
            verdict = "FAILED" if ran.returncode else "ok"
            print(f"{verdict:6s} {time.perf_counter() - start:6.1f} s  {title}", flush=True)
            if ran.returncode:
                failed += 1
                print((ran.stdout + ran.stderr)[-2000:], flush=True)
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
