"""Flange climb: how long and how far Y/Q, as computed, stands above Nadal's limit."""

from dataclasses import dataclass

import numpy as np

from flexwheel.results.evaluate.span import sample_step, settled_rows

SHORT = 0.05
"""[s] below which a peak may be higher: limit times SHORT over its duration (Japanese practice, 0.8 at 0.05 s, 0.04/t
below, as it is told; chosen here)."""


@dataclass(frozen=True)
class Climb:
    """A wheel against Nadal's limit."""

    wheel: str
    largest: float  # Y/Q
    at: float  # [s] its time
    limit: float  # Nadal
    times: int  # stretches above it
    longest: float  # [s]
    farthest: float  # [m] of track in one stretch
    ratio: float  # largest of peak over what its duration permits; above 1 it climbs by that measure


def nadal(flange_angle, friction):
    """Limit of Y/Q: (tan d - mu)/(1 + mu tan d). Source: Nadal 1896."""
    slope = np.tan(flange_angle)
    return float((slope - friction) / (1.0 + friction * slope))


def flange_angle(profile):
    """Steepest slope [rad] of a wheel profile's flange flank: below the tread datum, radius growing to the inside."""
    return float(np.arctan(np.max(-profile.slope[profile.y < 0.0])))


def flange_climb(results, limit):
    """Climbs of every wheel over the settled samples; one without load stands above the limit while Y presses."""
    rows, step = settled_rows(results), sample_step(results)
    time, out = results.time.values[rows], []
    for w, wheelset in enumerate(results.wheelset.values):
        position = results.body_position.sel(body=str(wheelset), path="s").values[rows]
        for wheel in results.wheel.values[2 * w : 2 * w + 2]:
            force = results.wheel_force.sel(wheel=wheel)
            y, q = (force.sel(force=f).values[rows].astype(float) for f in ("Y", "Q"))
            quotient = np.divide(y, q, out=np.where(y > 0.0, np.inf, 0.0), where=q > 0.0)
            above = np.concatenate([[False], quotient > limit, [False]])
            starts, ends = np.flatnonzero(above[1:] & ~above[:-1]), np.flatnonzero(above[:-1] & ~above[1:])
            durations = (ends - starts) * step
            peaks = [quotient[a:b].max() for a, b in zip(starts, ends, strict=True)]
            permitted = limit * np.maximum(SHORT / np.maximum(durations, step), 1.0)
            top = int(np.argmax(quotient))
            out.append(
                Climb(
                    str(wheel), float(quotient[top]), float(time[top]), limit, len(starts),
                    float(max(durations, default=0.0)),
                    float(max(position[np.minimum(ends, len(position) - 1)] - position[starts], default=0.0)),
                    float(max(peaks / permitted, default=quotient[top] / limit)),
                )
            )  # fmt: skip
    return out
