"""One run of a study in the process that makes it; what is dear stays there for the next one.

As a program (`workers` starts it) it takes tasks from its standard input, a line of JSON each, and answers each
with a line, its record; the first line says that it is ready.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace

from flexwheel.base.cache_root import cache_root
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.input_files import digest
from flexwheel.base.output_files import output_folder, without_space
from flexwheel.numerics.kernels.cache import PACKAGE, source_stamp
from flexwheel.run.any_kind import run_source
from flexwheel.run.keys.changed_vehicle import contents, source_of_run
from flexwheel.run.keys.toml_text import toml_value
from flexwheel.run.keys.vehicle_keys import WheelsetSection
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.resume import is_begun, resumable
from flexwheel.run.run_folder import folders_released, run_folder
from flexwheel.studies.figures import figures_of, needed_variables
from flexwheel.studies.study_keys import FigureTable

READY = "ready"
COMPLETE, INCOMPLETE, FAILED = "complete", "incomplete", "failed"
WAIT = 0.2  # [s] between looks whether another process has made what this one needs
KEPT = 4  # reduced wheelsets, and sets of figures, in a process
NOT_OF_THE_BODY = {"mode", "force_distribution", "between_sections", "residual", "centrifugal"}
"""Keys of a wheelset that its reduced body does not depend on."""
MARKS = "study"  # folder in the cache


@dataclass(frozen=True)
class Task:
    """What a worker is sent: some kilobytes."""

    number: int
    text: str  # of the scenario
    path: str  # that names it; meshes and tables are found from there
    overrides: tuple[str, ...]
    figures: str  # JSON, of FigureTable
    keep: str = ""  # folder for results.nc


def run_task(task) -> dict:
    """Record of a run: number, status, message, figures, seconds (wall), cpu_seconds.

    status: complete; incomplete: a wheel left the rail or the numbers did not converge, no figures; failed: message
    says why. Nothing is raised but what ends the process.
    """
    begun, cpu = time.perf_counter(), time.process_time()
    try:
        status, message, figures = _figures(task)
    except FlexwheelError as error:
        status, message, figures = FAILED, str(error), {}
    except Exception as error:  # one run of many: kept and listed, the others go on
        status, message, figures = FAILED, f"internal error: {type(error).__name__}: {error}", {}
    record = {"number": task.number, "status": status, "message": " ".join(message.split())[:2000], "figures": figures}
    return record | {"seconds": time.perf_counter() - begun, "cpu_seconds": time.process_time() - cpu}


def _figures(task):
    figures = _tables(task.figures)
    source = source_of_run(task.text, task.path, task.overrides)
    kind = source.scenario.kind
    if not task.keep and kind == "vehicle" and not source.scenario.output.variables:
        if names := needed_variables(figures):
            wanted = f"output.variables={toml_value(list(names))}"
            source = source_of_run(task.text, task.path, (*task.overrides, wanted))
    with _made_once(source.scenario):
        results = _results(source, task.keep)
    if not results.attrs["complete"]:
        if "interrupted" in results.attrs["status"]:  # by Ctrl-C, in this process: that of the study
            raise KeyboardInterrupt
        return INCOMPLETE, str(results.attrs["status"]), {}
    return COMPLETE, "", figures_of(results, figures)


def _results(source, keep):
    """Results of a run; one that was killed in the folder `keep` goes on, unless it was another or cannot."""
    wheelsets = _wheelsets(source.scenario)
    if not keep:
        return run_source(source, wheelsets=wheelsets)
    for goes_on in (True, False) if is_begun(keep) else (False,):
        try:
            with resumable(keep, source, goes_on) as checkpoints:
                return run_source(source, None, wheelsets, keep, checkpoints)
        except FlexwheelError:
            if not goes_on:
                raise


@lru_cache(maxsize=KEPT)
def _tables(text):
    """Figures of a JSON text."""
    return tuple(FigureTable.model_validate(table) for table in json.loads(text))


def _wheelsets(scenario):
    """Flexible wheelsets of a vehicle's run; None for kinds that make their own."""
    if scenario.kind != "vehicle":
        return None
    accepted, parts = tuple(scenario.accept), scenario.wheelset
    return {name: _wheelset(name, text, accepted, contents(parts[name].mesh)) for name, text in _bodies(scenario)}


def _bodies(scenario):
    """(name, JSON of the keys that decide its body) of each flexible wheelset."""
    return [
        (name, part.model_dump_json(exclude=NOT_OF_THE_BODY))
        for name, part in getattr(scenario, "wheelset", {}).items()
        if part.formulation == "flexible"
    ]


@lru_cache(maxsize=KEPT)
def _wheelset(name, text, accepted, _contents):
    """FlexibleWheelset, imported and reduced once in this process."""
    section = WheelsetSection.model_validate_json(text)
    return flexible_wheelsets(SimpleNamespace(wheelset={name: section}, accept=accepted))[name]


def _made_once(scenario):
    """A block in which kernels are compiled and wheelsets reduced by one process of this machine, the others waiting.

    It takes what a mark in the cache says was made to be there; without a folder to keep it nothing is shared.
    """
    root = cache_root() / MARKS
    mark = root / f"{_shape(scenario)}.made"
    try:
        return nullcontext() if mark.is_file() else _alone(output_folder(root), mark)
    except ScenarioError:
        return nullcontext()


@contextmanager
def _alone(folder, mark):
    with folders_released():
        while not mark.is_file():
            try:
                run_folder(folder)
                break
            except ScenarioError:
                if without_space(folder):
                    raise
                time.sleep(WAIT)
        yield
        with suppress(OSError):
            mark.touch()


@lru_cache(maxsize=KEPT)
def _stamp():
    return source_stamp(str(PACKAGE / "vehicle" / "step" / "simulate.py"))


def _shape(scenario):
    """Digest of what decides which kernels and bodies a run needs."""
    run, track = getattr(scenario, "run", None), getattr(scenario, "track", None)
    parts = [_stamp(), scenario.kind, getattr(run, "integrator", ""), getattr(track, "model", ""), *_bodies(scenario)]
    parts += [Path(scenario.vehicle.file).stem] if hasattr(getattr(scenario, "vehicle", None), "file") else []
    return digest(repr(parts))[:24]


def main():
    """Serve until the input ends, which it does with the process that asks; then end at once, amid a run as well."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the process that asks
    asked, told = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what is printed must not come between the records
    tasks = queue.SimpleQueue()
    threading.Thread(target=_take, args=(asked, tasks), daemon=True).start()
    _say(told, READY)
    while True:
        words = json.loads(tasks.get())
        _say(told, json.dumps(run_task(Task(**words | {"overrides": tuple(words["overrides"])}))))


def _take(asked, tasks):
    """Put the lines of a stream in a queue; end the process with them."""
    for line in asked:
        tasks.put(line)
    sys.stderr.flush()
    os._exit(0)


def _say(told, line):
    """Write a line; where nobody reads it any more, the end of the input ends the process."""
    with suppress(OSError):
        told.write(line + "\n")
        told.flush()


if __name__ == "__main__":
    main()
