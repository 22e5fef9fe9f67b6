"""Whether what a command answered with exit code 0 can be: finite, and within the bounds of a railway."""

from __future__ import annotations

import json
import math
import re

import numpy as np

from flexwheel.vehicle.step.simulate import UNCONVERGED_LEAST

RESULTS = ("results.nc", "train.nc", "reduced.nc", "realtime.nc")
BOUNDS = {  # variable -> largest magnitude
    "wheel_force": 2e6,  # [N] ten times a heavy wheel load, as of a blow
    "patch_peak_pressure": 2e10,  # [Pa]
    "coupler_force": 2e7,  # [N]
    "force": 2e7,
    "speed": 150.0,  # [m/s] 540 km/h
    "von_mises": 5e9,  # [Pa]
    "body_velocity": 400.0,
    "irregularity": 0.2,  # [m]
}
MAY_BE_NAN = ("patch_", "time_of", "peak_time", "first_", "coupler_angle")
STATIC = 0.35  # of the weight of the vehicle that the mean of all wheel loads may be off without a warning


def implausible(folder, known=()):
    """Lines on what is wrong with the result files in a folder, written by a command that ended with 0.

    known : of `result_times`: files that were there before, as they were
    """
    files = [path for path, time in result_times(folder) if (path, time) not in known]
    return [fault for path in files for fault in _results(path)]


def result_times(folder):
    """Result files in a folder and when each was written."""
    return sorted((p, p.stat().st_mtime_ns) for p in folder.rglob("*.nc") if p.name in RESULTS)


def answered(case, text):
    """Lines on what is wrong with the answers printed by a command that ended with 0."""
    if case.door == "view" or not text.strip():
        return []
    given = [str(a) for a in case.arguments]
    if "--json" in given and not {"--help", "--help-all"} & set(given):
        try:
            if not _all_finite(json.loads(text)):
                return ["silent: JSON holds nan or infinity"]
        except ValueError as error:
            return [] if "Extra data" in str(error) else [f"not JSON: {error}"]
        return []
    odd = next(
        (line for line in text.splitlines() if re.search(r"(?<![\w/.'\"-])[-+]?(nan|inf)(?![\w/.'\"-])", line)), None
    )
    return [] if odd is None else [f"silent: prints {odd.strip()[:160]!r}"]


def _all_finite(value):
    if isinstance(value, dict):
        return all(_all_finite(v) for v in value.values())
    if isinstance(value, list):
        return all(_all_finite(v) for v in value)
    return not isinstance(value, float) or math.isfinite(value)


def _results(path):
    import xarray as xr

    faults = []
    try:
        with xr.open_dataset(path, engine="netcdf4") as opened:
            data = opened.load()
    except Exception as error:
        return [f"half-written file {path.name}: {error}"]
    warned = bool(str(data.attrs.get("warnings", "")).strip())
    if str(data.attrs.get("complete", "true")).lower() not in ("true", "1"):
        faults.append(f"silent: exit 0 and complete = {data.attrs.get('complete')}: {data.attrs.get('status')}")
    samples = data.sizes.get("time", data.sizes.get("sample", 1))
    if samples == 0:
        return faults + [f"silent: {path.name} without a sample"]
    steps = int(data.attrs.get("steps", 0) or 0) if np.isscalar(data.attrs.get("steps", 0)) else 0
    lost = int(data.attrs.get("steps_not_converged", 0) or 0)
    if lost > max(0.01 * steps, UNCONVERGED_LEAST) and not warned:  # fewer are counted and printed
        faults.append(f"silent: {lost} of {steps} steps not converged")
    for name, variable in data.data_vars.items():
        if not np.issubdtype(variable.dtype, np.number) or name.startswith(MAY_BE_NAN):
            continue
        values = variable.values
        if not np.all(np.isfinite(values)):
            faults.append(f"silent: {name} is not finite")
        elif name in BOUNDS and values.size and np.abs(values).max() > BOUNDS[name] and not warned:
            faults.append(f"silent: {name} of {np.abs(values).max():.3g} without a warning")
    if "wheel_force" in data and "static_wheel_load_n" in data.attrs and not warned and not faults:
        still = np.sum(np.atleast_1d(data.attrs["static_wheel_load_n"]))
        mean = float(data.wheel_force.values[..., 2].sum(axis=-1).mean())
        if not still > 0 or abs(mean - still) > STATIC * still:
            faults.append(f"silent: wheels carry {mean:.4g} N in the mean, {still:.4g} N at rest, without a warning")
    return faults
