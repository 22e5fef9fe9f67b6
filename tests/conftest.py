"""Two processes, one compilation: which file comes when, and no third process that compiles.

With `-n 2 --dist loadfile` both processes begin with an empty kernel cache. The first file compiles the step of the
vehicle, which most others need; meanwhile the second process takes files that run no vehicle, and those that do come
after them. Small files are left for the end, where they keep both processes busy.

Linear algebra takes one thread in each: those of two processes on two cores wait for each other by spinning (whole-mesh
frequencies: 8.7 CPU s with one thread, 22 to 100 s with two).

Garbage is not looked for while files are collected, nor among what is there then (a third of the time that collection
takes), and afterwards more seldom than Python does by itself.
"""

import functools
import gc
import os
import re
import sys
from pathlib import Path

import typer

os.environ.setdefault("OMP_NUM_THREADS", "1")
HERE = Path(__file__).parent
sys.path[:0] = [str(path) for path in (HERE, HERE.parent, HERE.parent / "examples" / "plugin")]
from flexwheel.face import app  # noqa: E402
from tests import rooms  # noqa: E402

gc.disable()
FIRST = "test_run.py"
RUNS_A_VEHICLE = re.compile(r"run_scenario|(build|assemble)_simulation|cli import main|linear_model|import walk|sound")


collect_ignore = [rooms.ROOT / name for name in rooms.folders_of([r for r in rooms.OUTSIDE if not rooms.there(r)])]


def pytest_configure(config):
    """Files keep the order given here; a worker of xdist shares the machine, and neither it nor a run that it starts
    as a process of its own starts a second compiler. Hundreds of commands are called in a process, which builds the
    application with the options of all commands once."""
    config.option.loadscopereorder = False
    app.make_app = functools.cache(app.make_app)
    typer.main.get_command = functools.cache(typer.main.get_command)
    if hasattr(config, "workerinput"):
        from flexwheel.numerics.kernels.cache import writable_folder
        from flexwheel.run import compile_ahead

        compile_ahead._start = lambda source: None
        if folder := writable_folder():
            (folder / compile_ahead.DONE).write_text(compile_ahead.state_of_step(), encoding="utf-8")


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(items):
    turns = {path: _turn(path) for path in {item.path for item in items}}
    items.sort(key=lambda item: turns[item.path])


def _turn(path):
    """Place of a file: what compiles for all, what needs none of it, what needs it, what is small."""
    text = path.read_text(encoding="utf-8")
    if path.name == FIRST:
        return 0
    if RUNS_A_VEHICLE.search(text) or path.parent.name == "whole":
        return 2
    return 1 if path.stem.endswith("_verified") else 3
