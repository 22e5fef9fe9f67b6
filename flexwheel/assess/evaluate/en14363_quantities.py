"""What is assessed after EN 14363: signal, filter, statistic, estimated maximum and where each is from.

Filters, means over 2 m and percentiles of forces and ride were read in a course page on UIC 518 and EN 14363
(gensys.se/course/UIC518_tests.html); what is chosen here says so in its `basis`. Limits: en14363_limits.
"""

from dataclasses import dataclass

READ = "filter, mean and percentile: gensys.se/course/UIC518_tests.html"
CHOSEN = "filter chosen here, read in no text"
SAFETY, LOADING, RIDE = "running safety", "track loading", "running behaviour"
MAXIMUM_FACTORS = {SAFETY: 3.0, LOADING: 2.2, RIDE: 2.2}
"""k of the estimated maximum, mean + k s of the sections' values; chosen: of a normal distribution 0.13 and 1.4 % lie
above."""
PROBABILITIES = {SAFETY: 0.99, LOADING: 0.95, RIDE: 0.95}
"""Of the two-sided interval of Student's distribution about a regression; chosen."""


@dataclass(frozen=True)
class Quantity:
    """One assessed quantity."""

    name: str
    symbol: str
    unit: str
    of: str  # signal: Y, Q, Y/Q, sum Y, or body, frame, box and its direction
    band: tuple[float, float]  # [Hz] high pass (0: none) and low pass
    mean: float  # [m] length of the sliding mean, 0: none
    statistic: str  # upper: 99.85 %; extreme: 0.15 or 99.85 %, whichever is larger; median; rms
    group: str
    arcs: bool = False  # assessed in arcs only
    basis: str = READ


QUANTITIES = (
    Quantity("sum_y_2m", "sum Y, 2 m", "N", "sum Y", (0.0, 20.0), 2.0, "extreme", SAFETY),
    Quantity("y_over_q_2m", "Y/Q, 2 m", "1", "Y/Q", (0.0, 20.0), 2.0, "upper", SAFETY),
    Quantity(
        "body_lateral_safety", "body lateral, safety", "m/s2", "body y", (0.0, 6.0), 0.0, "extreme", SAFETY,
        basis=CHOSEN,
    ),
    Quantity(
        "body_vertical_safety", "body vertical, safety", "m/s2", "body z", (0.4, 4.0), 0.0, "extreme", SAFETY,
        basis=CHOSEN,
    ),
    Quantity(
        "frame_lateral_safety", "bogie frame lateral", "m/s2", "frame y", (0.0, 10.0), 0.0, "extreme", SAFETY,
        basis=CHOSEN,
    ),
    Quantity("box_lateral", "axle box lateral", "m/s2", "box y", (0.0, 20.0), 0.0, "extreme", SAFETY, basis=CHOSEN),
    Quantity("box_vertical", "axle box vertical", "m/s2", "box z", (0.0, 20.0), 0.0, "extreme", SAFETY, basis=CHOSEN),
    Quantity("q_max", "Q", "N", "Q", (0.0, 20.0), 0.0, "upper", LOADING),
    Quantity("y_quasi_static", "Y quasi-static", "N", "Y", (0.0, 20.0), 0.0, "median", LOADING, arcs=True),
    Quantity("q_quasi_static", "Q quasi-static", "N", "Q", (0.0, 20.0), 0.0, "median", LOADING, arcs=True),
    Quantity("body_lateral", "body lateral", "m/s2", "body y", (0.4, 10.0), 0.0, "extreme", RIDE),
    Quantity("body_vertical", "body vertical", "m/s2", "body z", (0.4, 10.0), 0.0, "extreme", RIDE),
    Quantity("body_lateral_rms", "body lateral, rms", "m/s2", "body y", (0.4, 10.0), 0.0, "rms", RIDE),
    Quantity("body_vertical_rms", "body vertical, rms", "m/s2", "body z", (0.4, 10.0), 0.0, "rms", RIDE),
    Quantity(
        "body_lateral_quasi_static", "body lateral, quasi-static", "m/s2", "body y", (0.0, 20.0), 0.0, "median", RIDE,
        arcs=True,
    ),
)  # fmt: skip
NAMES = tuple(quantity.name for quantity in QUANTITIES)
