"""A Dataset of the table of variables: coordinates, units, attributes after the CF conventions."""

import platform
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np
import xarray as xr

import flexwheel
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.variables import LABELS, NAMED, SCHEMA_VERSION, SIDES, variables

CONVENTIONS = "CF-1.8"
LINES = ("assumed", "warnings")
"""Attributes that are lists of lines."""


def wheel_names(wheelsets):
    """Names of the wheels: each wheelset's left, then right."""
    return [f"{wheelset} {side}" for wheelset in wheelsets for side in SIDES]


def make_dataset(kind, arrays, labels, complete=True, status="", attributes=None):
    """Dataset of a run.

    Parameters
    ----------
    kind : str              vehicle, realtime, train or reduced
    arrays : dict           variable name -> array with the dimensions of the table; what a run lacks is left out
    labels : dict           time (T,) [s]; names of each dimension of variables.NAMED that the run has; further
                            coordinates as (dimension, values). Wheels follow from the wheelsets where not given
    complete : bool         whether the run reached its end
    status : str            why it did not
    attributes : dict       further attributes: scenario text and keys, figures of the run

    Raises
    ------
    FlexwheelError  when an array's shape is not that of the table
    """
    known = variables(kind)
    coordinates = {name: values for name, values in labels.items() if name in (*NAMED, "time")}
    if "wheelset" in coordinates and any("wheel" in known[name].dims for name in arrays if name in known):
        coordinates.setdefault("wheel", wheel_names(coordinates["wheelset"]))
    sizes = {name: len(values) for name, values in coordinates.items()}
    data = {}
    for name, array in arrays.items():
        if name not in known:
            raise FlexwheelError(f"results: unknown variable {name!r}; known are {', '.join(known)}")
        data[name] = _checked(known[name], np.asarray(array), sizes)
        coordinates |= {dim: list(LABELS[dim]) for dim in known[name].dims if dim in LABELS}
    time = np.asarray(coordinates["time"], dtype=float)
    # no standard_name and no axis: those of CF want a date from which time counts
    coordinates["time"] = ("time", time, {"units": "s", "long_name": "time since the start of the run"})
    if "wheel" in coordinates:
        of = [str(name).rsplit(" ", 1) for name in coordinates["wheel"]]
        coordinates["wheelset_of_wheel"] = ("wheel", [wheelset for wheelset, _ in of])
        coordinates["side_of_wheel"] = ("wheel", [side for _, side in of])
    coordinates |= {name: values for name, values in labels.items() if name not in coordinates}
    return xr.Dataset(data, coordinates, run_attributes(kind, time, complete, status) | (attributes or {}))


def run_attributes(kind, time, complete, status):
    """Attributes that every result file has."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    own = f"flexwheel {flexwheel.__version__}, python {platform.python_version()}"
    libraries = (f"{name} {version(name)}" for name in ("numpy", "numba", "xarray", "netCDF4"))
    return {
        "Conventions": CONVENTIONS,
        "source": f"flexwheel {flexwheel.__version__}",
        "history": f"{now} flexwheel run",
        "date_created": now,
        "versions": ", ".join((own, *libraries)),
        "schema_version": SCHEMA_VERSION,
        "kind": kind,
        "sample_step_s": float(time[1] - time[0]) if len(time) > 1 else 0.0,
        "complete": bool(complete),
        "status": status or ("complete" if complete else "stopped early"),
    }


def _checked(variable, array, sizes):
    expected = tuple(sizes.get(dim, len(LABELS[dim]) if dim in LABELS else None) for dim in variable.dims)
    if array.ndim != len(expected) or any(
        want is not None and want != got for want, got in zip(expected, array.shape, strict=True)
    ):
        wanted = ", ".join(f"{dim} {'?' if n is None else n}" for dim, n in zip(variable.dims, expected, strict=True))
        raise FlexwheelError(f"results: {variable.name} has shape {array.shape}, expected ({wanted})")
    return variable.dims, array, {"units": variable.units, "long_name": variable.meaning}
