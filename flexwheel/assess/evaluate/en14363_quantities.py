"""What EN 14363 assesses: signal, filter, statistic, estimated maximum, limit and where each is written.

Filters, means over 2 m and percentiles were read in a course page on UIC 518 and EN 14363 (gensys.se/course); limits,
factors of the estimated maximum and numbers of clauses are remembered. `basis` says so of each.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

READ = "filter and percentile read in a course page (gensys.se), limit and clause remembered, unverified"
REMEMBERED = "remembered, unverified"
SAFETY, LOADING, RIDE = "running safety", "track loading", "running behaviour"
MAXIMUM_FACTORS = {SAFETY: 3.0, LOADING: 2.2, RIDE: 2.2}
"""k of the estimated maximum, mean + k s of the sections' values: 99 % for safety, 95 % for the rest; remembered."""
PROBABILITIES = {SAFETY: 0.99, LOADING: 0.95, RIDE: 0.95}
"""Of the two-sided interval of Student's distribution about a regression; remembered."""


@dataclass(frozen=True)
class Circumstances:
    """What limits depend on."""

    kind: str  # of vehicle; empty where its file names none
    factor: float  # k1 of sum Y
    speed_kmh: float
    radius: float  # [m] mean of the sections' radii; inf on straight track
    axle_load: float  # [N] at rest
    wheel_load: float  # [N] at rest


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
    clause: str
    limit: Callable = lambda c: np.nan  # Circumstances -> largest permitted [unit of the signal]
    arcs: bool = False  # assessed in arcs only
    basis: str = READ


def wheel_force_limit(c):
    """Q [N]: 90 kN + Q0, at most 200 kN up to 160 km/h and 10 kN less every 40 to 50 km/h beyond."""
    steps = ((160.0, 200e3), (200.0, 190e3), (250.0, 180e3), (300.0, 170e3), (np.inf, 160e3))
    return min(90e3 + c.wheel_load, next(most for speed, most in steps if c.speed_kmh <= speed))


def quasi_static_limit(c):
    """Guiding force [N]: (30 + 10500 m/R) kN."""
    return 30e3 + 10500e3 / c.radius


NORMAL = "EN 14363:2016, 7.5"
QUANTITIES = (
    Quantity(
        "sum_y_2m", "sum Y, 2 m", "N", "sum Y", (0.0, 20.0), 2.0, "extreme", SAFETY, f"{NORMAL}, track shift force",
        lambda c: c.factor * (10e3 + c.axle_load / 3.0),
    ),
    Quantity(
        "y_over_q_2m", "Y/Q, 2 m", "1", "Y/Q", (0.0, 20.0), 2.0, "upper", SAFETY, f"{NORMAL}, derailment quotient",
        lambda c: 0.8,
    ),
    Quantity(
        "body_lateral_safety", "body lateral, safety", "m/s2", "body y", (0.0, 6.0), 0.0, "extreme", SAFETY,
        "EN 14363:2016, 7.5, simplified method", lambda c: 3.0, basis=REMEMBERED,
    ),
    Quantity(
        "body_vertical_safety", "body vertical, safety", "m/s2", "body z", (0.4, 4.0), 0.0, "extreme", SAFETY,
        "EN 14363:2016, 7.5, simplified method", lambda c: 5.0, basis=REMEMBERED,
    ),
    Quantity(
        "frame_lateral_safety", "bogie frame lateral", "m/s2", "frame y", (0.0, 10.0), 0.0, "extreme", SAFETY,
        "EN 14363:2016, 7.5, simplified method; limit 12 - M/5 by the bogie's mass not formed", basis=REMEMBERED,
    ),
    Quantity(
        "box_lateral", "axle box lateral", "m/s2", "box y", (0.0, 20.0), 0.0, "extreme", SAFETY,
        "no limit; information", basis=REMEMBERED,
    ),
    Quantity(
        "box_vertical", "axle box vertical", "m/s2", "box z", (0.0, 20.0), 0.0, "extreme", SAFETY,
        "no limit; information", basis=REMEMBERED,
    ),
    Quantity(
        "q_max", "Q", "N", "Q", (0.0, 20.0), 0.0, "upper", LOADING, f"{NORMAL}, maximum wheel force", wheel_force_limit
    ),
    Quantity(
        "y_quasi_static", "Y quasi-static", "N", "Y", (0.0, 20.0), 0.0, "median", LOADING, f"{NORMAL}, guiding force",
        quasi_static_limit, arcs=True,
    ),
    Quantity(
        "q_quasi_static", "Q quasi-static", "N", "Q", (0.0, 20.0), 0.0, "median", LOADING, f"{NORMAL}, wheel force",
        lambda c: 145e3, arcs=True,
    ),
    Quantity(
        "body_lateral", "body lateral", "m/s2", "body y", (0.4, 10.0), 0.0, "extreme", RIDE, f"{NORMAL}, ride",
        lambda c: 3.0 if c.kind == "freight_wagon" else 2.5,
    ),
    Quantity(
        "body_vertical", "body vertical", "m/s2", "body z", (0.4, 10.0), 0.0, "extreme", RIDE, f"{NORMAL}, ride",
        lambda c: 5.0 if c.kind == "freight_wagon" else 2.5,
    ),
    Quantity(
        "body_lateral_rms", "body lateral, rms", "m/s2", "body y", (0.4, 10.0), 0.0, "rms", RIDE, f"{NORMAL}, ride",
        lambda c: 1.3 if c.kind == "freight_wagon" else 0.5,
    ),
    Quantity(
        "body_vertical_rms", "body vertical, rms", "m/s2", "body z", (0.4, 10.0), 0.0, "rms", RIDE, f"{NORMAL}, ride",
        lambda c: {"freight_wagon": 2.0, "locomotive": 1.0}.get(c.kind, 0.75),
    ),
    Quantity(
        "body_lateral_quasi_static", "body lateral, quasi-static", "m/s2", "body y", (0.0, 20.0), 0.0, "median", RIDE,
        f"{NORMAL}, ride", lambda c: 1.3 if c.kind == "freight_wagon" else 1.5, arcs=True,
    ),
)  # fmt: skip
INSTABILITY_CLAUSE = "EN 14363:2016, 7.5, stability: half the limit of sum Y on the rms over 100 m in steps of 10 m"
UNLOADING = 0.6
"""Largest (Q0 - Q)/Q0 of the quasi-static test on twisted track, EN 14363:2016, 6.1; remembered, unverified."""
