"""A study from its plan to one Dataset: runs that are missing are made, failures kept, figures gathered."""

import json
import re
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr

import flexwheel
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.results.files import loaded, write_results
from flexwheel.run.keys.section import unit_of
from flexwheel.run.run_folder import folders_released, run_folder
from flexwheel.studies.cluster import cluster_records
from flexwheel.studies.journal import JOURNAL_NAME, Journal, read_records
from flexwheel.studies.plan import planned_runs
from flexwheel.studies.study_keys import STUDY_NAME
from flexwheel.studies.worker import COMPLETE, FAILED, Task
from flexwheel.studies.workers import records

MISSING = "missing"
SPEED = re.compile(r",?\s*(at )?\b[0-9.]+ (km/h|m/s)")


@dataclass(frozen=True)
class Workforce:
    """Who makes the runs."""

    workers: int | None = None  # processes; 0: this one; None: one a processor
    retry_failed: bool = False  # make runs again that failed before
    scheduler: str | None = None  # of a dask cluster, whose workers make the runs: address, or its file (.json)

    def __post_init__(self):
        if self.workers is not None and not 0 <= self.workers <= 512:
            raise ScenarioError(f"--workers must be 0 to 512, got {self.workers}")
        if self.scheduler is not None and self.workers is not None:
            raise ScenarioError("--workers is of processes of this machine: leave it out where --scheduler is given")


def sweep(study, out, force=None, report=None):
    """Make the runs of a study that are missing in a folder, and gather the figures of all.

    Parameters
    ----------
    study : Study                   of plan.read_study or plan.study_of
    out : str or Path               folder of the study; runs that stand in its journal are not made again
    force : Workforce, optional
    report : callable(fraction, note), optional

    Returns
    -------
    Dataset         dimension run; what is varied, status, message and seconds as coordinates, a variable for every
                    figure, nan where a run has none; also in study.nc of the folder

    Raises
    ------
    FlexwheelError  a run that cannot be (key, values), a folder that another process uses; nothing is run then
    """
    force, report = force or Workforce(), report or (lambda fraction, note="": None)
    report(0.0, "reading all scenarios")
    planned = planned_runs(study)
    with folders_released():
        folder = run_folder(out)
        known = read_records(folder)
        done = {
            run.digest: known[run.digest]
            for run in planned
            if run.digest in known and not (force.retry_failed and known[run.digest]["status"] == FAILED)
        }
        missing = {run.number: run for run in planned if run.digest not in done}
        begun = time.perf_counter()
        try:
            if missing:
                _make(study, planned, missing, done, folder, force, report)
        finally:
            if done:
                made = len(missing) - sum(run.digest not in done for run in planned)
                dataset = gathered(study, planned, done)
                dataset = dataset.assign_attrs(seconds=time.perf_counter() - begun, made_now=made)
                write_results(dataset, folder / STUDY_NAME)
    return dataset


def _make(study, planned, missing, done, folder, force, report):
    """Make the missing runs; their records go into `done` and the journal as they come."""
    figures = json.dumps([figure.model_dump(mode="json", exclude_unset=True) for figure in study.file.figure])
    keep = study.file.study.keep_results
    tasks = [
        Task(
            run.number, study.base.text, str(Path(study.base.path).resolve()), run.overrides, figures,
            str((folder / "runs" / f"{run.number:05d}").resolve()) if keep else "",
        )
        for run in missing.values()
    ]  # fmt: skip
    report(0.0, f"{len(tasks)} of {len(planned)} runs to make; workers start")
    made = cluster_records(tasks, force.scheduler) if force.scheduler else records(tasks, folder, force.workers)
    with Journal(folder) as journal, closing(made) as found:
        failed = 0
        for count, record in enumerate(found, 1):
            run = missing[record["number"]]
            record = record | {"digest": run.digest, "values": list(run.values)}
            journal.add(record)
            done[run.digest] = record
            failed += record["status"] != COMPLETE
            report(
                count / len(tasks), f"{count} of {len(tasks)} runs" + (f", {failed} without figures" if failed else "")
            )


def gathered(study, planned, done):
    """Dataset of the figures of a study; done: digest -> record."""
    found = [done.get(run.digest, {"status": MISSING, "message": "", "figures": {}}) for run in planned]
    coordinates = {"run": np.arange(len(planned))}
    for k, item in enumerate(study.file.vary):
        units = unit_of(item.keys[0])
        coordinates[item.label] = (
            "run",
            _column([run.values[k] for run in planned]),
            {"units": units, "key": item.keys[0]},
        )
    for name in ("status", "message"):
        coordinates[name] = ("run", [record[name] for record in found])
    for name in ("seconds", "cpu_seconds"):
        values = [record.get(name, np.nan) for record in found]
        coordinates[name] = ("run", np.array(values, dtype=float), {"units": "s", "long_name": f"{name} of the run"})
    data, inner, taken = {}, {}, {*coordinates, *(figure.label for figure in study.file.figure)}
    for figure in study.file.figure:
        dims, labels, units, values = _figure([record["figures"].get(figure.label) for record in found])
        for dim in dims:
            # of another number or choice, or named as what is varied or taken: a dimension of its own
            if dim in taken or inner.setdefault(dim, labels[dim]) != labels[dim]:
                renamed = f"{dim} of {figure.label}"
                inner[renamed], dims = labels[dim], tuple(renamed if d == dim else d for d in dims)
        words = {"units": units, "long_name": figure.label, "of": figure.of, "take": figure.take}
        data[figure.label] = (("run", *dims), values, words)
    title, keys = study.name, {key for item in study.file.vary for key in item.keys}
    if "run.speed_kmh" in keys:  # a title of one speed is not that of a study of several
        title = SPEED.sub("", title) or title
    attributes = {
        "kind": "study", "title": title, "sampling": study.file.study.sampling,
        "source": f"flexwheel {flexwheel.__version__}",
        "varied": "\n".join(item.label for item in study.file.vary), "scenario_text": study.base.text,
        "study": study.file.model_dump_json(exclude_unset=True),
    }  # fmt: skip
    return xr.Dataset(data, coordinates | inner, attributes)


def read_figures(path):
    """Dataset of a study's file, in memory.

    Raises
    ------
    ScenarioError       not a netCDF file, or not that of a study
    """
    dataset = loaded(path)
    told = [dataset.attrs.get(name) for name in ("kind", "title", "sampling", "varied")]
    keys = str(told[3]).split("\n")
    whole = [dataset[name].dims == ("run",) for name in keys if name in dataset.coords]
    figures = [
        "run" in v.dims and np.issubdtype(v.dtype, np.number) and set(v.dims) <= set(dataset.coords)
        for v in dataset.data_vars.values()
    ]
    said = told[0] == "study" and all(isinstance(text, str) for text in told)
    if not said or len(whole) < len(keys) or not all([*whole, *figures]):
        raise ScenarioError(f"{path}: not the figures of a study, as `flexwheel sweep` writes them")
    return dataset


def _column(values):
    """Values of a key in every run: numbers where all are, words otherwise; nan where the scenario's own stays."""
    plain = [value for value in values if value is not None]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in plain):
        return np.array([np.nan if value is None else float(value) for value in values])
    return np.array(["" if value is None else str(value) for value in values], dtype=object)


def _figure(found):
    """Dimensions, labels, unit and values (run, ...) of a figure; labels that only some runs have are joined."""
    told = [item for item in found if item is not None]
    if not told:
        return (), {}, "", np.full(len(found), np.nan)
    dims = tuple(told[0]["dims"])
    if any(tuple(item["dims"]) != dims for item in told):
        raise ScenarioError(f"{JOURNAL_NAME}: runs with different dimensions of a figure; remove it, and run again")
    labels = {dim: list(dict.fromkeys(label for item in told for label in item["labels"][dim])) for dim in dims}
    values = np.full((len(found), *(len(labels[dim]) for dim in dims)), np.nan)
    for k, item in enumerate(found):
        if item is not None:
            places = [[labels[dim].index(label) for label in item["labels"][dim]] for dim in dims]
            values[(k, *np.ix_(*places))] = np.array(item["values"], dtype=float)
    return dims, labels, told[0]["units"], values


def require_some(dataset):
    """Refuse a study of which no run has figures."""
    if not (dataset.status.values == COMPLETE).any():
        first = str(dataset.message.values[0])
        raise FlexwheelError(f"none of {dataset.sizes['run']} runs has figures; the first one: {first}")
