"""Results of a train run as one netCDF-4 file, with units and the whole scenario in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr

import flexwheel
from flexwheel.errors import ScenarioError
from flexwheel.io.paths import output_folder, write_whole
from flexwheel.io.results_check import check_layout, open_whole, whole_run

RESULTS_NAME = "train.nc"
LAYOUT = {
    **{name: ("time", "vehicle") for name in ("position", "speed", "pressure")},
    **{name: ("time", "coupling") for name in ("force", "deflection")},
    **{name: ("coupling", "side") for name in ("peak_force", "peak_time", "peak_deflection")},
    "level": ("time", "channel"),
}
"""Variables of the file and their dimensions."""
LABELS = {"vehicle": None, "coupling": None, "vehicle_name": None, "coupling_name": None, "side": ("draft", "buff")}


def make_train_dataset(scenario, results, checks=(), warnings=()):
    """Dataset of a run.

    Parameters
    ----------
    scenario : TrainScenario
    results : TrainResults
    checks : sequence of ToleranceCheck
    warnings : sequence of str

    Returns
    -------
    xarray.Dataset   dimensions time, vehicle (from 1), coupling (from 1; coupling k joins vehicles k and k + 1), side
    """
    n = results.speed.shape[1]
    train = scenario.run.train

    def variable(dims, values, units, meaning, kind="float64"):
        return (dims, np.asarray(values, dtype=kind), {"units": units, "long_name": meaning})

    data = {
        "position": variable(("time", "vehicle"), results.position, "m", "centre of the vehicle along the route"),
        "speed": variable(("time", "vehicle"), results.speed, "m s-1", "speed"),
        "force": variable(("time", "coupling"), results.force, "N", "coupling force, draft positive"),
        "deflection": variable(("time", "coupling"), results.deflection, "m", "deflection, draft positive", "float32"),
        "pressure": variable(("time", "vehicle"), results.pressure, "1", "brake cylinder, 1 full service", "float32"),
        "level": variable(("time", "channel"), results.level, "1", "notch; negative is dynamic brake"),
        "peak_force": variable(("coupling", "side"), results.peak_force, "N", "largest force of the run"),
        "peak_time": variable(("coupling", "side"), results.peak_time, "s", "time of the largest force"),
        "peak_deflection": variable(("coupling", "side"), results.peak_deflection, "m", "largest deflection"),
    }
    coordinates = {
        "time": ("time", results.time, {"units": "s"}),
        "vehicle": np.arange(1, n + 1),
        "coupling": np.arange(1, n),
        "side": ["draft", "buff"],
        "vehicle_name": ("vehicle", [v.name for v in train.vehicles]),
        "coupling_name": ("coupling", [c.name for c in train.couplers]),
    }
    attributes = {
        "flexwheel_version": flexwheel.__version__,
        "kind": "train",
        "title": scenario.title,
        "scenario": scenario.text,
        "complete": str(results.complete).lower(),
        "status": results.status,
        "tolerance": results.tolerance,
        "solver_seconds": results.seconds,
        "speed_max_m_per_s": results.speed_max,
        "speed_mean_m_per_s": results.speed_mean,
        "deflection_coupler": scenario.deflection_coupler,
        "assumed": "\n".join(scenario.assumed),
        "warnings": list(warnings) or "",
        **{f"count_{key}": value for key, value in results.steps.items()},
    }
    if results.energy is not None:
        attributes |= {f"energy_{key}_J": value for key, value in vars(results.energy).items()}
        attributes["energy_residual_J"] = results.energy.residual
    if checks:
        attributes["halving_changes_largest_force"] = checks[-1].force_change
        attributes["halving_changes_extremes_N"] = checks[-1].extreme_change
    return xr.Dataset(data, coordinates, attributes)


def write_train_results(dataset, folder):
    """Write FOLDER/train.nc whole or not at all; returns its Path."""
    path = output_folder(folder) / RESULTS_NAME
    encoding = {name: {"zlib": True, "complevel": 1} for name, v in dataset.data_vars.items() if v.ndim}
    write_whole(path, lambda target: dataset.to_netcdf(target, engine="netcdf4", encoding=encoding))
    return path


def read_train_results(path):
    """Dataset of a train run; a folder may be given."""
    path = Path(path)
    if path.is_dir():
        path = path / RESULTS_NAME
    if not path.is_file():
        raise ScenarioError(f"{path}: no such file; expected results of a train written by 'flexwheel run'")
    dataset = open_whole(path)
    if dataset.attrs.get("kind") != "train":
        raise ScenarioError(f"{path}: not the results of a train run")
    check_layout(dataset, LAYOUT, LABELS, path, "a train run")
    dataset.attrs["complete"] = whole_run(dataset, path)
    return dataset
