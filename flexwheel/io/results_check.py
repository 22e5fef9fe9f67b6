"""Whether a netCDF file holds what the table of variables says: what `view` and Python readers may rely on."""

from __future__ import annotations

import numpy as np
import xarray as xr

from flexwheel.errors import ScenarioError
from flexwheel.post.control_nodes import POINTS
from flexwheel.post.result_variables import (
    COORDINATES,
    DERIVED,
    MESH_MODES,
    MODAL,
    REQUIRED,
    SCHEMA_VERSION,
    SIDES,
    VARIABLES,
)

FINITE = ("body_position", "body_velocity", "wheel_force", "contact_wrench", *MODAL)
"""Variables whose values are numbers throughout a complete run; patches without contact are nan, and so are fixed
points where the ring of a control node has no node."""
UNLABELLED = ("patch", "mode")
UNEVEN = 1e-6  # [-] by which sample steps may differ, relative


def check_results(dataset, path):
    """Raise ScenarioError, with the file and what is wrong, unless a Dataset is that of a run.

    Looked at: version, attributes, time, wheels and bodies, dimensions, labels and type of every variable of the
    table, and whether its numbers are numbers. Variables that are not in the table are let through.
    """
    wrong = _attributes(dataset.attrs) or _time(dataset) or _names(dataset) or _variables(dataset)
    if wrong:
        raise ScenarioError(f"{path}: not whole results of 'flexwheel run': {wrong}")


def check_layout(dataset, layout, labels, path, kind):
    """Raise ScenarioError unless a Dataset has numeric variables of the dimensions in layout (name -> dims) and
    coordinates with the labels (name -> the labels, or None for any)."""
    for name, dims in layout.items():
        if name not in dataset.variables:
            raise ScenarioError(f"{path}: not whole results of {kind}: {name} is missing")
        array = dataset[name]
        if array.dims != dims:
            raise ScenarioError(f"{path}: not whole results of {kind}: {name} has {array.dims}, expected {dims}")
        if not np.issubdtype(array.dtype, np.number):
            raise ScenarioError(f"{path}: not whole results of {kind}: {name} is of type {array.dtype}")
    wrong = _time(dataset, even=False)
    for name, wanted in labels.items():
        if name not in dataset.coords:
            wrong = f"coordinate {name} is missing"
        elif wanted is not None and [str(label) for label in dataset[name].values.ravel()] != list(wanted):
            wrong = f"{name} is not {', '.join(wanted)}"
    if wrong:
        raise ScenarioError(f"{path}: not whole results of {kind}: {wrong}")


def whole_run(dataset, path):
    """The attribute `complete` as bool; ScenarioError where it is neither "true" nor "false"."""
    value = dataset.attrs.get("complete", "missing")
    if str(value) not in ("true", "false"):
        raise ScenarioError(f"{path}: attribute complete = {value!r}: expected true or false")
    return str(value) == "true"


def open_whole(path):
    """Dataset of a netCDF-4 file, in memory.

    Raises
    ------
    ScenarioError   when it is no readable netCDF-4 file
    """
    try:
        with xr.open_dataset(path, engine="netcdf4") as opened:
            return opened.load()
    except (OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise ScenarioError(f"{path}: not a readable netCDF-4 file: {error}") from None


def _attributes(attrs):
    version = attrs["schema_version"]
    if not isinstance(version, int | np.integer) or version != SCHEMA_VERSION:
        shown = repr(version) if isinstance(version, str) else version
        return f"schema_version = {shown}, this program reads {SCHEMA_VERSION}"
    for key in ("status", "scenario", "title", "vehicle", "vehicle_kind", "modal_rates"):
        if not isinstance(attrs.get(key, ""), str):
            return f"attribute {key} = {attrs[key]!r}, expected text"
    for key in ("settling_s", "step_s", "static_wheel_load_n"):
        try:
            value = np.asarray(attrs.get(key, 0.0), dtype=float)
        except (TypeError, ValueError):
            value = np.array(np.nan)
        single = key == "static_wheel_load_n" or value.ndim == 0
        if not single or not np.all(np.isfinite(value)) or np.any(value < 0.0):
            return f"attribute {key} = {attrs[key]!r}, expected zero or more"
    return ""


def _time(dataset, even=True):
    time = dataset.variables.get("time")
    if time is None or time.dims != ("time",):
        return "no coordinate time"
    values = time.values
    if not np.issubdtype(values.dtype, np.floating) or not np.all(np.isfinite(values)):
        return "time is not a row of finite numbers"
    steps = np.diff(values)
    if len(steps) and not even and steps.min() <= 0.0:
        return "time does not rise"
    if len(steps) and even and (steps[0] <= 0.0 or np.max(np.abs(steps - steps[0])) > UNEVEN * values[-1] + 1e-9):
        return f"time does not rise in even steps: {steps.min():.6g} to {steps.max():.6g} s"
    return ""


def _names(dataset):
    for name in ("wheelset", "wheel", "body"):
        if name not in dataset.coords or dataset[name].dims != (name,) or not dataset.sizes[name]:
            return f"no coordinate {name}"
        labels = [str(label) for label in dataset[name].values]
        if len(set(labels)) != len(labels):
            return f"{name} has a name twice"
    wheelsets, bodies = ([str(label) for label in dataset[name].values] for name in ("wheelset", "body"))
    if [str(label) for label in dataset.wheel.values] != [f"{w} {side}" for w in wheelsets for side in SIDES]:
        return "wheel is not left and right of every wheelset"
    if set(wheelsets) - set(bodies):
        return f"wheelset {sorted(set(wheelsets) - set(bodies))[0]} is not among the bodies"
    if "flexible" not in dataset.dims:
        return ""
    if "flexible" not in dataset.coords or set(map(str, dataset.flexible.values)) - set(wheelsets):
        return "flexible names no wheelsets of the run"
    modes = list(map(str, dataset["mesh_mode"].values.ravel())) if "mesh_mode" in dataset.coords else []
    if len(modes) != dataset.sizes["flexible"] or set(modes) - set(MESH_MODES):
        return f"mesh_mode = {modes}, expected {', '.join(MESH_MODES)} for every flexible wheelset"
    return ""


def _variables(dataset):
    wanted = [*REQUIRED, *(MODAL if "flexible" in dataset.dims else ())]
    missing = [name for name in wanted if name not in dataset.data_vars]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return f"variable {missing[0]}{more} missing"
    for name, variable in {**VARIABLES, **DERIVED}.items():
        if name not in dataset.data_vars:
            continue
        array = dataset[name]
        if array.dims != variable.dims:
            return f"{name} has dimensions {array.dims}, expected {variable.dims}"
        if not np.issubdtype(array.dtype, np.number) or np.issubdtype(array.dtype, np.complexfloating):
            return f"{name} is of type {array.dtype}, expected numbers"
        for dim in variable.dims:
            if dim not in UNLABELLED and dim not in dataset.coords:
                return f"{name}: {dim} has no names"
            if dim != "time" and not dataset.sizes[dim]:
                return f"{name}: {dim} is empty"
            if dim == "point" and [str(label) for label in dataset.point.values] != list(POINTS):
                return f"{name}: point is not {', '.join(POINTS)}"
            if dim in COORDINATES and [str(label) for label in dataset[dim].values] != list(COORDINATES[dim]):
                return f"{name}: {dim} is not {', '.join(COORDINATES[dim])}"
        if name in FINITE and dataset.attrs["complete"] and not np.all(np.isfinite(array.values)):
            return f"{name} has values that are no numbers"
    return ""
