"""Results as one xarray Dataset and one netCDF-4 file, written whole or not at all.

A run that was interrupted, or stopped because a wheel climbed out, is written just the same, with
the attribute `complete` false and the reason in `status`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr

import flexwheel
from flexwheel.errors import FlexwheelError, ScenarioError
from flexwheel.io.paths import output_folder, write_whole
from flexwheel.io.results_check import check_results, open_whole, whole_run
from flexwheel.post.result_variables import COORDINATES, DERIVED, SCHEMA_VERSION, SIDES, VARIABLES

RESULTS_NAME = "results.nc"
LINES = ("assumed", "warnings")  # attributes that are lists of lines


def wheel_names(wheelsets):
    """Names of the wheels: each wheelset's left, then right."""
    return [f"{wheelset} {side}" for wheelset in wheelsets for side in SIDES]


def make_results(
    arrays, time, wheelsets, bodies, flexible=(), mesh_modes=(), complete=True, status="", attributes=None
):
    """Dataset of a run.

    Parameters
    ----------
    arrays : dict                   variable name -> array with the dimensions of VARIABLES or DERIVED;
                                    what a run does not have is left out
    time : (T,) float [s]
    wheelsets : sequence of str     W names in running order; wheels are 2 per wheelset, left then right
    bodies : sequence of str        B names, order of body_position
    flexible : sequence of str      names of the flexible wheelsets, order of modal_coordinate
    mesh_modes : sequence of str    lagrangian, eulerian_interpolated or eulerian of each of these
    complete : bool                 whether the run reached its end
    status : str                    why it did not
    attributes : dict               further attributes: scenario text and keys, figures of the run

    Returns
    -------
    xarray.Dataset

    Raises
    ------
    FlexwheelError  when an array's shape is not that of the schema
    """
    known = {**VARIABLES, **DERIVED}
    coordinates = {
        "time": ("time", np.asarray(time, dtype=float), {"units": "s", "long_name": "time"}),
        "wheelset": list(wheelsets),
        "wheel": wheel_names(wheelsets),
        "body": list(bodies),
    }
    if len(flexible):
        coordinates["flexible"] = list(flexible)
    sizes = {name: len(value[1] if name == "time" else value) for name, value in coordinates.items()}
    if len(flexible):
        coordinates["mesh_mode"] = ("flexible", list(mesh_modes))
    data = {}
    for name, array in arrays.items():
        if name not in known:
            raise FlexwheelError(f"results: unknown variable {name!r}; known are {', '.join(known)}")
        data[name] = _checked(name, np.asarray(array), known[name], sizes)
        for dim in known[name].dims:
            if dim in COORDINATES:
                coordinates.setdefault(dim, list(COORDINATES[dim]))
    dataset = xr.Dataset(data, coordinates)
    dataset.attrs.update(
        flexwheel_version=flexwheel.__version__,
        schema_version=SCHEMA_VERSION,
        complete=bool(complete),
        status=status or ("complete" if complete else "stopped early"),
        **(attributes or {}),
    )
    return dataset


def _checked(name, array, variable, sizes):
    expected = tuple(sizes.get(dim, len(COORDINATES[dim]) if dim in COORDINATES else None) for dim in variable.dims)
    if array.ndim != len(expected) or any(
        want is not None and want != got for want, got in zip(expected, array.shape, strict=True)
    ):
        wanted = ", ".join(f"{dim} {'?' if n is None else n}" for dim, n in zip(variable.dims, expected, strict=True))
        raise FlexwheelError(f"results: {name} has shape {array.shape}, expected ({wanted})")
    return variable.dims, array, {"units": variable.units, "long_name": variable.meaning}


def write_results(dataset, path):
    """Write a Dataset as netCDF-4 so that the file appears whole or not at all; returns its Path.

    A folder may be given; the file is then results.nc in it.
    """
    path = Path(path)
    if path.suffix != ".nc":
        path = output_folder(path) / RESULTS_NAME
    stored = dataset.copy()
    stored.attrs = {key: _storable(value) for key, value in dataset.attrs.items()}
    encoding = {
        name: {"zlib": True, "complevel": 1, "shuffle": True, **_precision(name, variable)}
        for name, variable in stored.data_vars.items()
        if variable.ndim and np.issubdtype(variable.dtype, np.number)
    }
    write_whole(path, lambda target: stored.to_netcdf(target, engine="netcdf4", encoding=encoding))
    return path


def read_results(path):
    """Dataset of a result file, in memory; a folder may be given.

    Raises
    ------
    ScenarioError   when there is no such file, or it is not a whole result file of this package; see results_check
    """
    path = Path(path)
    if path.is_dir():
        path = path / RESULTS_NAME
    if not path.is_file():
        raise ScenarioError(f"{path}: no such file; expected results written by 'flexwheel run'")
    dataset = open_whole(path)
    if "schema_version" not in dataset.attrs:
        raise ScenarioError(f"{path}: netCDF, but not written by flexwheel (no attribute schema_version)")
    for name in LINES:
        if name in dataset.attrs:
            dataset.attrs[name] = str(dataset.attrs[name]).split("\n") if str(dataset.attrs[name]) else []
    dataset.attrs["complete"] = whole_run(dataset, path)
    check_results(dataset, path)
    return dataset


def single_precision(name):
    """Whether a variable is kept with seven digits: all but places and velocities of bodies."""
    return name not in ("time", "body_position", "body_velocity")


def _precision(name, variable):
    single = single_precision(name) and np.issubdtype(variable.dtype, np.floating)
    return {"dtype": "float32"} if single else {}


def _storable(value):
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value
