"""A run that can be taken up again: what it was begun with, and its checkpoints, in the folder `resume` of its results.

The folder is there while a run goes on and after one that was killed or interrupted; a run that reached its end, or
ended for a reason that stays (a derailment), takes it away.
"""

import json
from contextlib import contextmanager, suppress
from pathlib import Path

from flexwheel.base.errors import ContactError, ConvergenceError, FlexwheelError, IncompleteRun, ScenarioError
from flexwheel.base.input_files import clipped
from flexwheel.base.output_files import output_folder, write_whole
from flexwheel.results.checkpoint import DONE, FORMAT, SAMPLES, SEAL, Checkpoints
from flexwheel.results.files import PART_NAME, RESULTS_NAME, stored_attributes
from flexwheel.run.keys.toml_text import scenario_toml

FOLDER, NOTE = "resume", "run.json"
AT_ITS_END = (ConvergenceError, ContactError, IncompleteRun)
"""Errors after which a run would end again as it did, unless it was interrupted."""


def begun_with(out):
    """(scenario file, settings) that the run into a folder was begun with.

    Raises
    ------
    FlexwheelError     no run there, or one that is complete or cannot go on: one line
    """
    out = Path(out)
    if not is_begun(out):
        raise FlexwheelError(_nothing_to_resume(out))
    note = _note(out)
    return note["path"], note["settings"]


def is_begun(out):
    """Whether a folder holds what a run goes on from."""
    return (Path(out) / FOLDER / NOTE).is_file()


def _note(out):
    path = out / FOLDER / NOTE
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
        version = note["format"]
        words = note["path"], note["scenario"], *note["settings"]
        if not isinstance(note["settings"], list) or not all(isinstance(word, str) for word in words):
            raise ValueError("path, scenario and settings are not all text")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ScenarioError(f"{path}: cannot be read: {error}; run the scenario again") from None
    if version != FORMAT:
        raise ScenarioError(f"{path} must be of format {FORMAT}, got {version}; run the scenario again")
    return note


def _nothing_to_resume(out):
    """Why a folder without the note of a run cannot be resumed."""
    if (out / PART_NAME).is_file():
        return f"{out}: its run kept no checkpoints (run.checkpoint_s = 0); run the scenario again"
    if not (out / RESULTS_NAME).is_file():
        return f"{out} must be the folder of a run that was killed or interrupted, but has no run to resume"
    try:
        results = stored_attributes(out / RESULTS_NAME)
        complete, status = results["complete"] == "true", results["status"]
    except KeyError:
        return f"{out / RESULTS_NAME}: not the results of a run; run the scenario again"
    return f"{out}: nothing to resume, the run {'is complete' if complete else f'ended: {status}'}"


@contextmanager
def resumable(out, source, resume=False):
    """Checkpoints of a run of a ScenarioSource into a folder; None where it keeps none.

    Raises
    ------
    ScenarioError      resume: the scenario is not the one the run was begun with
    """
    folder = output_folder(out) / FOLDER
    if not resume:
        _clear(folder)
    interval = source.scenario.run.checkpoint_s
    if interval == 0.0:
        yield None
        return
    resolved = scenario_toml(source.scenario)
    if resume:
        _require_same(resolved, _note(Path(out))["scenario"], source.path)
    else:
        output_folder(folder)
        note = {"format": FORMAT, "path": str(source.path.resolve()), "settings": list(source.overrides)}
        text = json.dumps(note | {"scenario": resolved})
        write_whole(folder / NOTE, lambda target: target.write_text(text, encoding="utf-8"))
    checkpoints = Checkpoints(folder, interval)
    stays = False
    try:
        yield checkpoints
        stays = checkpoints.interrupted
    except AT_ITS_END:
        stays = checkpoints.interrupted
        raise
    except BaseException:
        stays = resume or any(folder.glob("*.npz"))
        raise
    finally:
        if not stays:
            _clear(folder)


def _clear(folder):
    """Remove the folder with what a run keeps in it; what is not a run's stays."""
    for pattern in (NOTE, "*.npz", f"*{SAMPLES}", f"*{SEAL}", f"*{DONE}", ".*.part.*"):
        for file in folder.glob(pattern):
            file.unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


def _require_same(now, then, path):
    """Refuse a scenario that is not the one a run was begun with, by the first line that differs."""
    if now == then:
        return
    now, then = now.splitlines(), then.splitlines()
    here = next((k for k, (a, b) in enumerate(zip(now, then, strict=False)) if a != b), min(len(now), len(then)))
    came, expected = (clipped(lines[here]) if here < len(lines) else "nothing" for lines in (now, then))
    raise ScenarioError(
        f"{path} must be the scenario that the run began with: {expected}, got {came}; undo the change, or start a new "
        "run"
    )
