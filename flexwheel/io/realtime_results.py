"""Results of a real-time run: recorded blocks as one netCDF-4 file, with units and the scenario in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr

import flexwheel
from flexwheel.io.paths import write_whole

RESULTS_NAME = "realtime.nc"
WHEEL_BLOCKS = {
    "normal_force": (1, ("N",)),
    "surface": (4, ("rad", "m", "m", "m")),
    "creep": (4, ("m s-1", "m s-1", "rad s-1", "m s-1")),
    "creep_coefficient": (4, ("", "", "", "")),
    "stop_force": (1, ("N",)),
    "residual": (5, ("m", "m", "1", "1", "m")),
}


def recorded_places(locomotive):
    """Places of the work array that a run records, in the order `make_realtime_dataset` expects."""
    places = locomotive.record_places("q") + locomotive.record_places("qd")
    for name in WHEEL_BLOCKS:
        places += locomotive.record_places(name)
    return places


def make_realtime_dataset(scenario, locomotive, record, every, status, seconds):
    """Dataset of a run.

    Parameters
    ----------
    scenario : RealtimeScenario
    locomotive : RealtimeLocomotive
    record : (rows, columns) float     as recorded with `recorded_places`
    every : int                        steps between rows
    status : str                       "complete", or what stopped the run
    seconds : float                    of wall clock in the loop

    Returns
    -------
    xarray.Dataset    dimensions time, coordinate, wheel, part
    """
    n, rows = len(locomotive.coordinates), len(record)
    dt = locomotive.time_step
    data = {
        "q": (("time", "coordinate"), record[:, :n], {"units": "m or rad", "long_name": "coordinates"}),
        "qd": (("time", "coordinate"), record[:, n : 2 * n], {"units": "m s-1 or rad s-1", "long_name": "velocities"}),
    }
    at = 2 * n
    for name, (parts, _) in WHEEL_BLOCKS.items():
        values = record[:, at : at + 8 * parts].reshape(rows, parts, 8)
        at += 8 * parts
        if name == "normal_force":
            data[name] = (("time", "wheel"), values[:, 0], {"units": "N", "long_name": "normal force"})
        elif name == "stop_force":
            words = {"units": "N", "long_name": "force of the lateral stop on the wheel"}
            data[name] = (("time", "wheel"), values[:, 0], words)
        elif name == "surface":
            for k, part in enumerate(("contact_angle", "u_wheel", "s_rail", "u_rail")):
                units = "rad" if k == 0 else "m"
                data[part] = (("time", "wheel"), values[:, k], {"units": units, "long_name": part.replace("_", " ")})
        elif name == "creep":
            creep = values
        elif name == "creep_coefficient":
            c11, c22, c23, c33 = np.moveaxis(values / locomotive.creep_scale, 1, 0)
        else:
            worst = np.abs(values).max(axis=1)
            data["residual"] = (("time", "wheel"), worst, {"units": "m or 1", "long_name": "constraint residual found"})
    vx, vy, spin, speed = np.moveaxis(creep, 1, 0)
    for name, values, units in (
        ("creepage_x", vx / speed, "1"), ("creepage_y", vy / speed, "1"), ("creepage_spin", spin / speed, "m-1"),
        ("force_x", -c11 * vx, "N"), ("force_y", -c22 * vy - c23 * spin, "N"),
        ("moment_z", c23 * vy - c33 * spin, "N m"),
    ):  # fmt: skip
        data[name] = (
            ("time", "wheel"),
            values,
            {"units": units, "long_name": name.replace("_", " ") + " on the wheel"},
        )
    counts = record[:, -3:]
    for k, name in enumerate(("tangent_iterations", "normal_iterations", "contacts_sought")):
        data[name] = (("time",), counts[:, k].astype("int32"), {"units": "1"})
    return xr.Dataset(
        data,
        coords={
            "time": ("time", dt * every * np.arange(1, rows + 1), {"units": "s"}),
            "coordinate": list(locomotive.coordinates),
            "wheel": [locomotive.wheel_name(k) for k in range(8)],
        },
        attrs={
            "flexwheel_version": flexwheel.__version__,
            "kind": "realtime",
            "title": scenario.title,
            "scenario": scenario.text,
            "assumed": list(scenario.assumed),
            "status": status,
            "complete": int(status == "complete"),
            "time_step": dt,
            "seconds_per_simulated_second": seconds / max(dt * every * rows, 1e-12),
        },
    )


def write_realtime_results(dataset, folder):
    """Write OUT/realtime.nc; returns the path. The file appears whole or not at all."""
    path = Path(folder) / RESULTS_NAME
    write_whole(path, lambda target: dataset.to_netcdf(target, engine="netcdf4"))
    return path
