"""Results of a run of the simplified model: one netCDF-4 file and the table of agreement."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexwheel.errors import ScenarioError
from flexwheel.io.paths import output_folder, write_whole
from flexwheel.io.results_check import check_layout, open_whole, whole_run
from flexwheel.reduced.simulate import WHEEL_QUANTITIES

RESULTS_NAME = "reduced.nc"
TABLE_NAME = "agreement.csv"
COORDINATES = ("y", "roll", "yaw", "z", "pitch")
RAILS = ("left lateral", "left vertical", "right lateral", "right vertical")
MODELS = ("simplified", "full")
LAYOUT = {
    **{name: ("model", "time", "body", "coordinate") for name in ("position", "acceleration")},
    "wheel_force": ("model", "time", "wheel", "quantity"),
    "irregularity": ("time", "wheelset", "rail"),
    "arc_length": ("time",),
}
"""Variables of the file and their dimensions."""
LABELS = {
    **dict.fromkeys(("model", "body", "wheel", "wheelset")),
    "coordinate": COORDINATES,
    "quantity": WHEEL_QUANTITIES,
    "rail": RAILS,
}
"""Coordinates and their labels."""


def write_reduced_results(dataset, folder, table=""):
    """Write FOLDER/reduced.nc, and FOLDER/agreement.csv where there is a table; returns the path of the first."""
    path = output_folder(folder) / RESULTS_NAME
    stored = dataset.copy()
    stored.attrs = {key: _storable(value) for key, value in dataset.attrs.items()}
    encoding = {name: {"zlib": True, "complevel": 1} for name in stored.data_vars}
    write_whole(path, lambda target: stored.to_netcdf(target, engine="netcdf4", encoding=encoding))
    if table:
        write_whole(path.with_name(TABLE_NAME), lambda target: target.write_text(table, encoding="utf-8"))
    return path


def read_reduced_results(path):
    """Dataset of a result file or of its folder.

    Raises
    ------
    ScenarioError   no such file, or not one of the simplified model
    """
    path = Path(path)
    path = path / RESULTS_NAME if path.is_dir() else path
    if not path.is_file():
        raise ScenarioError(f"{path}: no such file; expected results of a scenario of kind 'reduced'")
    dataset = open_whole(path)
    if dataset.attrs.get("kind") != "reduced":
        raise ScenarioError(f"{path}: not written by a scenario of kind 'reduced'")
    check_layout(dataset, LAYOUT, LABELS, path, "the simplified model")
    wheels = [f"{wheelset} {side}" for wheelset in dataset.wheelset.values for side in ("left", "right")]
    bodies, models = ([str(label) for label in dataset[name].values] for name in ("body", "model"))
    if [str(wheel) for wheel in dataset.wheel.values] != wheels:
        raise ScenarioError(f"{path}: wheel is not left and right of every wheelset")
    if set(map(str, dataset.wheelset.values)) - set(bodies) or set(models) - set(MODELS):
        raise ScenarioError(f"{path}: body does not name every wheelset, or model is none of {', '.join(MODELS)}")
    dataset.attrs["complete"] = whole_run(dataset, path)
    for name in ("assumed", "warnings"):
        dataset.attrs[name] = [line for line in str(dataset.attrs.get(name, "")).split("\n") if line]
    return dataset


def _storable(value):
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, list) and (not value or isinstance(value[0], str)):
        return "\n".join(value)
    return value
