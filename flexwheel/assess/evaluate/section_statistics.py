"""Statistics of a run's forces and accelerations per stretch of the alignment, from all samples that count."""

from dataclasses import dataclass, replace

import numpy as np

from flexwheel.assess.evaluate.en14363_evaluation import filtered_signals
from flexwheel.assess.evaluate.en14363_quantities import QUANTITIES
from flexwheel.results.evaluate.en14363 import PERCENTILES

SHOWN = ("q_max", "y_quasi_static", "y_over_q_2m", "sum_y_2m", "body_lateral_quasi_static", "box_vertical")
"""Quantities whose filtered signals are told, each once: Q, Y, Y/Q, sum Y, accelerations; all of 20 Hz."""


@dataclass(frozen=True)
class SectionStatistics:
    """Of one signal within one stretch."""

    section: object  # track_sections.AssessedSection
    signal: str  # en14363_quantities: Y, Q, ...
    unit: str
    item: str
    start: float  # [m] of what counts
    end: float  # [m]
    samples: int
    mean: float
    rms: float
    percentiles: tuple[float, float, float]  # 0.15, 50, 99.85 %
    largest: float  # and its place
    smallest: float
    largest_at: float  # [m]
    smallest_at: float  # [m]

    def words(self):
        """What the stretch is, and from where to where it counts."""
        return replace(self.section, start=self.start, end=self.end).words()


def section_statistics(results, sections, points=()):
    """SectionStatistics of every signal in every stretch that holds samples after settling with values of its filter.

    Parameters
    ----------
    results : Dataset
    sections : sequence of TrackSection
    points : sequence of measured_points.MeasuredPoint
    """
    out = []
    for quantity in QUANTITIES:
        if quantity.name not in SHOWN:
            continue
        for signal in filtered_signals(results, quantity, points):
            for section in sections:
                rows = slice(*np.searchsorted(signal.position, (section.start, section.end)))
                position, values = signal.position[rows], signal.values[rows]
                counts = ~np.isnan(values)
                if np.any(counts):
                    out.append(_of(section, quantity, signal.item, position[counts], values[counts]))
    return out


def _of(section, quantity, item, position, values):
    """Of values of which some may be infinite (Y/Q of a wheel without load): those that are not, if there are any."""
    finite = values[np.isfinite(values)]
    if len(finite):
        middle = np.mean(finite), np.sqrt(np.mean(finite**2)), *np.percentile(finite, PERCENTILES)
    else:
        middle = (np.inf,) * 5
    high, low = int(np.argmax(values)), int(np.argmin(values))
    return SectionStatistics(
        section, quantity.of, quantity.unit, item, float(position[0]), float(position[-1]), len(values),
        float(middle[0]), float(middle[1]), tuple(float(p) for p in middle[2:]),
        float(values[high]), float(values[low]), float(position[high]), float(position[low]),
    )  # fmt: skip
