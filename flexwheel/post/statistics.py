"""Figures of a run: forces, derailment quotient and sum Y over the samples that count, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexwheel.errors import FlexwheelError
from flexwheel.post.en14363 import PERCENTILES, factor_words, percentiles, safety_quantities
from flexwheel.post.span import settled_rows, settling_of

LEAST_SAMPLES = int(np.ceil(100.0 / (100.0 - PERCENTILES[-1])))
"""A 99.85 % value of fewer samples would be their largest one."""


@dataclass(frozen=True)
class RunStatistics:
    """Statistics of one run, N and N/N, over first_s to last_s."""

    first_s: float  # [s]
    last_s: float  # [s]
    settling_s: float  # [s] left out at the start
    vertical_mean: np.ndarray  # (wheel,) Q [N], 20 Hz
    vertical_max: np.ndarray  # (wheel,) [N]
    lateral_percentiles: np.ndarray  # (3, wheel) Y [N], 20 Hz: 0.15, 50, 99.85 %
    quotient_max: np.ndarray  # (wheel,) |Y/Q|, 2 m mean
    sum_lateral_max: np.ndarray  # (wheelset,) |sum Y| [N], 2 m mean
    sum_lateral_limit: np.ndarray  # (wheelset,) [N]
    limit_words: str  # what the limit rests on

    @property
    def span_words(self):
        """The span and what was left out, in a line."""
        return (
            f"{self.first_s:.2f} to {self.last_s:.2f} s (left out: {self.settling_s:.2f} s of settling; ends without "
            "all samples of filter and mean)"
        )


def run_statistics(results):
    """RunStatistics of a result Dataset.

    Raises
    ------
    FlexwheelError  when too little of the run is left after settling and filter ends; see also `safety_quantities`
    """
    quantities = safety_quantities(results)
    rows = quantities.evaluated
    if np.count_nonzero(rows) < LEAST_SAMPLES:
        step = float(quantities.time[1] - quantities.time[0])
        raise FlexwheelError(
            f"no statistics: {np.count_nonzero(rows)} samples, {np.count_nonzero(rows) * step:.3g} s, of a run to "
            f"{quantities.time[-1]:g} s are left after {settling_of(results):.3g} s of settling and the ends of filter "
            f"and mean, expected {LEAST_SAMPLES} at least; lengthen the run, or set run.settling_s or run.output_step_s"
        )
    vertical, lateral = quantities.vertical[rows], quantities.lateral[rows]
    return RunStatistics(
        first_s=float(quantities.time[rows][0]),
        last_s=float(quantities.time[rows][-1]),
        settling_s=settling_of(results),
        vertical_mean=vertical.mean(axis=0),
        vertical_max=vertical.max(axis=0),
        lateral_percentiles=percentiles(lateral),
        quotient_max=np.abs(quantities.derailment_quotient[rows]).max(axis=0),
        sum_lateral_max=np.abs(quantities.sum_lateral[rows]).max(axis=0),
        sum_lateral_limit=quantities.sum_lateral_limit,
        limit_words=factor_words(quantities),
    )


def extremes(results, name):
    """Smallest and largest value (...) of a variable after settling, whatever its other dimensions."""
    values = results[name].values[settled_rows(results)]
    return values.min(axis=0), values.max(axis=0)
