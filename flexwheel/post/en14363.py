"""Assessment quantities of running safety and track loading after EN 14363.

Y is the lateral wheel force, positive to the field side of its own rail, Q the vertical one; sum Y is the
lateral force of the wheelset on the track. Filters: low pass of 20 Hz (Butterworth of 4th order, run both
ways, so that the phase is kept), and a sliding mean over 2 m of track in steps of at most 0.5 m.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import signal

LOW_PASS_HZ = 20.0
MEAN_LENGTH = 2.0  # [m]
DERAILMENT_LIMIT = 0.8  # Y/Q, flange angle 70 degrees, curves of R >= 250 m
PERCENTILES = (0.15, 50.0, 99.85)


class SafetyQuantities(NamedTuple):
    """Histories after filtering and the limits that belong to them."""

    time: np.ndarray  # (T,) [s]
    position: np.ndarray  # (T,) arc length of the leading wheelset [m]
    lateral: np.ndarray  # (T, wheel) Y, 20 Hz [N]
    vertical: np.ndarray  # (T, wheel) Q, 20 Hz [N]
    derailment_quotient: np.ndarray  # (T, wheel) Y/Q, 2 m mean [-]
    sum_lateral: np.ndarray  # (T, wheelset) sum Y, 2 m mean, positive to the left [N]
    sum_lateral_limit: np.ndarray  # (wheelset,) Prud'homme [N]


def low_pass(values, step, cut_off_hz=LOW_PASS_HZ):
    """Low-passed signal (T, ...): Butterworth of order 4 run both ways, -3 dB at the cut-off after both."""
    order = 2  # doubled by the second pass
    corrected = cut_off_hz / (np.sqrt(2.0) - 1.0) ** (1.0 / (2 * order))
    if corrected >= 0.5 / step:
        return np.asarray(values, dtype=float)
    sections = signal.butter(order, corrected, fs=1.0 / step, output="sos")
    padding = min(len(values) - 1, int(3.0 / (cut_off_hz * step)))
    return signal.sosfiltfilt(sections, values, axis=0, padlen=max(0, padding))


def sliding_mean(values, position, length=MEAN_LENGTH):
    """Mean over the stretch of `length` [m] centred on each sample, shorter at the ends.

    Parameters
    ----------
    values : (T, ...) float
    position : (T,) float, rising   arc length of each sample [m]
    length : float [m]
    """
    values = np.asarray(values, dtype=float)
    steps = np.diff(position).reshape(-1, *[1] * (values.ndim - 1))
    integral = np.concatenate(
        [np.zeros((1, *values.shape[1:])), np.cumsum(0.5 * (values[1:] + values[:-1]) * steps, 0)]
    )
    start = np.clip(position - 0.5 * length, position[0], position[-1])
    end = np.clip(position + 0.5 * length, position[0], position[-1])

    def at(place):
        right = np.clip(np.searchsorted(position, place), 1, len(position) - 1)
        part = (place - position[right - 1]) / (position[right] - position[right - 1])
        part = part.reshape(-1, *[1] * (values.ndim - 1))
        return (1.0 - part) * integral[right - 1] + part * integral[right]

    span = np.broadcast_to((end - start).reshape(-1, *[1] * (values.ndim - 1)), values.shape)
    return np.divide(at(end) - at(start), span, out=values.copy(), where=span > 0.0)


def safety_quantities(results, static_wheelset_load=None, vehicle_factor=0.85):
    """EN 14363 quantities of a run.

    Parameters
    ----------
    results : Dataset
    static_wheelset_load : (wheelset,) float [N], optional     by default the mean of Q over the run
    vehicle_factor : float      of the Prud'homme limit: 1 for locomotives and passenger vehicles of newer
                                editions, 0.85 for freight wagons; the smaller one by default

    Returns
    -------
    SafetyQuantities

    Source: EN 14363:2016 tables 4 and A.1; limit of sum Y = factor (10 kN + 2 Q0 / 3).
    """
    time = results.time.values
    step = float(time[1] - time[0])
    force = results.wheel_force
    lateral = force.sel(force="Y").values
    vertical = force.sel(force="Q").values
    first = str(results.wheelset.values[0])
    position = results.body_position.sel(body=first, body_coordinate="s").values
    sum_lateral = lateral[:, 0::2] - lateral[:, 1::2]
    load = vertical[:, 0::2] + vertical[:, 1::2]
    static = load.mean(axis=0) if static_wheelset_load is None else np.asarray(static_wheelset_load)
    mean_y, mean_q = sliding_mean(lateral, position), sliding_mean(vertical, position)
    return SafetyQuantities(
        time=time,
        position=position,
        lateral=low_pass(lateral, step),
        vertical=low_pass(vertical, step),
        derailment_quotient=np.divide(mean_y, mean_q, out=np.zeros_like(mean_y), where=mean_q > 0.0),
        sum_lateral=sliding_mean(sum_lateral, position),
        sum_lateral_limit=vehicle_factor * (10e3 + static / 3.0),
    )


def percentiles(values):
    """Values (3, ...) at 0.15, 50 and 99.85 % of the samples, as EN 14363 forms them per track section."""
    return np.percentile(values, PERCENTILES, axis=0)
