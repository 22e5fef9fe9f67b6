"""`fw.sweep`: a scenario run many times, from Python."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flexwheel.base.errors import ScenarioError
from flexwheel.face.datasets import Results, results_of
from flexwheel.face.scenario import Scenario
from flexwheel.run.progress import progress
from flexwheel.studies.plan import Study, read_study, study_of
from flexwheel.studies.study_keys import STUDY_NAME
from flexwheel.studies.sweep_study import Workforce
from flexwheel.studies.sweep_study import sweep as sweep_study


def sweep(
    study: Scenario | str | Path,
    vary: Mapping[str, Sequence[Any]] | None = None,
    figures: Iterable[Mapping[str, Any]] = (),
    out: str | Path | None = None,
    *,
    sampling: str = "grid",
    runs: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> Results:
    """Run a scenario many times with some of its keys varied, on all processors.

    Parameters
    ----------
    study : str or Path     a study file (docs/studies.md): all it needs stands there
    study : Scenario        one that `vary` changes
    vary : dict             key with dots -> list of values, or (low, high) or (low, high, count) as a tuple
    figures : list of dict  tables [[figure]] of a study file: of, where, take, name, worst ..; default for vehicles:
                            largest Q, magnitudes of Y/Q and sum Y
    out : str or Path       folder of the study; what stands there is not made again. Without it nothing is kept
    sampling : str          grid, together, one_at_a_time, latin_hypercube (with runs)
    workers : int           processes; 0: this one; default: one a processor
    scheduler : str         address of a dask scheduler, or its file (.json), whose workers make the runs
                            (docs/cluster.md)

    Returns
    -------
    Results         dimension run; what is varied, status and message as coordinates, a variable for every figure

    Raises
    ------
    FlexwheelError  a run that cannot be; all scenarios are read before the first one runs

    Example
    -------
    >>> study = fw.sweep(scenario, {"run.speed_kmh": [60.0, 80.0], "contact.friction": (0.1, 0.5, 3)}, out="out/study")
    >>> study.fw.plot.study("safety quotient_max", "map")
    """
    with ExitStack() as stack:
        folder = out
        if folder is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="flexwheel-study-"))
        plan = _study(study, vary, figures, sampling, runs)
        report = stack.enter_context(progress("sweep"))
        found = sweep_study(plan, folder, Workforce(workers, scheduler=scheduler), report)
    return results_of(found, Path(out) / STUDY_NAME if out is not None else None)


def _study(
    study: Scenario | str | Path,
    vary: Mapping[str, Sequence[Any]] | None,
    figures: Iterable[Mapping[str, Any]],
    sampling: str,
    runs: int | None,
) -> Study:
    """Study of a file, or of a scenario and what is varied."""
    if not isinstance(study, Scenario):
        if vary is not None or tuple(figures):
            raise ScenarioError(
                f"{study}: a study file states what is varied: give vary and figures with a Scenario only"
            )
        return read_study(study)
    if not vary:
        raise ScenarioError("sweep of a scenario: vary must be keys and their values, got none")
    tables: dict[str, Any] = {"study": {"sampling": sampling} | ({} if runs is None else {"runs": runs})}
    tables["vary"] = [{"key": key} | _values(key, values) for key, values in vary.items()]
    chosen = [dict(figure) for figure in figures]
    return study_of(study.source, tables | ({"figure": chosen} if chosen else {}))


def _values(key: str, values: Sequence[Any]) -> dict[str, Any]:
    """Keys of a table [[vary]]."""
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise ScenarioError(
            f"vary {key!r} must be a list of values, or (low, high) or (low, high, count), got {values!r}"
        )
    if not isinstance(values, tuple):
        return {"values": [value.item() if hasattr(value, "item") else value for value in values]}
    if len(values) not in (2, 3):
        raise ScenarioError(f"vary {key!r}: a tuple is (low, high) or (low, high, count), got {len(values)} entries")
    return dict(zip(("low", "high", "count"), values, strict=False))
