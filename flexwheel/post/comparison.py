"""Two runs side by side: relative differences of their fluctuating parts and of their third-octave levels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexwheel.errors import FlexwheelError
from flexwheel.post.span import settling_of
from flexwheel.post.spectra import level_difference, third_octaves


class Difference(NamedTuple):
    """One quantity of two runs."""

    name: str
    relative_rms: float  # rms of the difference over the rms of the second's fluctuating part
    mean_difference: float  # difference of means over the second's mean
    largest_band_db: float  # third octaves 10-1250 Hz within 60 dB of the highest; nan where a record tells none


def fluctuating(values):
    """Signal (T, ...) without its mean."""
    values = np.asarray(values, dtype=float)
    return values - values.mean(axis=0)


def relative_difference(first, second):
    """rms of first - second over the rms of the fluctuating part of second, (...) [-]."""
    second = np.asarray(second, dtype=float)
    difference = np.sqrt(np.mean((np.asarray(first) - second) ** 2, axis=0))
    return difference / np.sqrt(np.mean(fluctuating(second) ** 2, axis=0))


def compare_signals(name, first, second, step):
    """Difference of two signals (T,) sampled at the same times, step [s]."""
    mean = float(np.mean(second))
    _, bands_first = third_octaves(first, step)
    _, bands_second = third_octaves(second, step)
    differences = np.abs(level_difference(bands_first, bands_second))
    return Difference(
        name,
        float(relative_difference(first, second)),
        float((np.mean(first) - mean) / mean) if mean else float("nan"),
        float(np.nanmax(differences)) if np.isfinite(differences).any() else float("nan"),
    )


def compare_runs(first, second, skip_s=None):
    """Wheel forces and control nodes of two runs at their common times.

    Parameters
    ----------
    first, second : Dataset     the second is the reference
    skip_s : float [s]          left out at the start; default: the settling time of the runs

    Returns
    -------
    list of Difference

    Raises
    ------
    FlexwheelError  when the runs share fewer than ten times
    """
    step = _common_step(first, second)
    if skip_s is None:
        skip_s = max(settling_of(first), settling_of(second))
    start = max(float(first.time[0]), float(second.time[0]), skip_s)
    last = min(float(first.time[-1]), float(second.time[-1]))
    coarse = first if float(first.time[1] - first.time[0]) >= step * (1.0 - 1e-9) else second
    times = coarse.time.values
    times = times[(times >= start - 0.1 * step) & (times <= last + 0.1 * step)]
    if len(times) < 10:
        raise FlexwheelError(f"runs to compare share {len(times)} samples after {skip_s:g} s; at least 10 are needed")
    try:
        a, b = (run.sel(time=times, method="nearest", tolerance=0.1 * step) for run in (first, second))
    except KeyError:
        raise FlexwheelError("runs to compare are not sampled at common times") from None
    rows = []
    for force in ("Q", "Y"):
        for wheel in b.wheel.values:
            pick = {"wheel": wheel, "force": force}
            rows.append(_row(f"{force} {wheel}", a.wheel_force.sel(pick), b.wheel_force.sel(pick), step))
    for name in ("radial_displacement", "von_mises"):
        if name not in a or name not in b:
            continue
        shared = [node for node in b.control_node.values if node in a.control_node.values]
        for node in shared:
            for point in b.point.values:
                pick = {"control_node": node, "point": point}
                rows.append(_row(f"{name} {node} {point}", a[name].sel(pick), b[name].sel(pick), step))
    return rows


def _row(name, first, second, step):
    return compare_signals(name, first.values, second.values, step)


def _common_step(first, second):
    return max(float(run.time[1] - run.time[0]) for run in (first, second))
