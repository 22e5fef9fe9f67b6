"""Assessment quantities of running safety and track loading after EN 14363.

Y is the lateral wheel force, positive to the field side of its own rail, Q the vertical one; sum Y is the
lateral force of the wheelset on the track. Filters: low pass of 20 Hz (Butterworth of 4th order, run both
ways, so that the phase is kept), and of what passed it a sliding mean over 2 m of track, of the quotient and of sum Y,
at every sample. Where the filter would take samples that do not exist, and where less than 2 m of filtered track lie in
the run, there is no value (nan).
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dtbtrs

from flexwheel.base.errors import FlexwheelError
from flexwheel.results.evaluate.span import settling_of

LOW_PASS_HZ = 20.0
MEAN_LENGTH = 2.0  # [m]
DERAILMENT_LIMIT = 0.8  # Y/Q over 2 m, UIC 518 as quoted by railwaynews.net: track/limits/read.toml
PERCENTILES = (0.15, 50.0, 99.85)
VEHICLE_FACTORS = {"locomotive": 1.0, "railcar": 1.0, "coach": 1.0, "freight_wagon": 0.85}
"""k1 of the limit of sum Y by kind of vehicle: 1 for traction units and passenger vehicles, 0.85 for freight wagons.
The formula is Prud'homme's as quoted (track/limits/read.toml); 0.85 is assumed, smaller and so on the safe side."""
HIGH_PASS = np.sqrt(np.sqrt(2.0) - 1.0)
"""Cut-off of the low pass whose complement is a high pass, by the high pass's own."""
LEFT_OUT = 1e-4  # share of the filter's answer to a step that lies outside its length


class SafetyQuantities(NamedTuple):
    """Histories after filtering, nan where they have no value, and the limits that belong to them."""

    time: np.ndarray  # (T,) [s]
    position: np.ndarray  # (T,) arc length of the leading wheelset [m]
    lateral: np.ndarray  # (T, wheel) Y, 20 Hz [N]
    vertical: np.ndarray  # (T, wheel) Q, 20 Hz [N]
    derailment_quotient: np.ndarray  # (T, wheel) Y/Q, 2 m mean [-], inf where Q <= 0
    sum_lateral: np.ndarray  # (T, wheelset) sum Y, 2 m mean, positive to the left [N]
    sum_lateral_limit: np.ndarray  # (wheelset,) Prud'homme [N]
    evaluated: np.ndarray  # (T,) bool: samples that count: after settling, every quantity has a value
    vehicle_factor: float  # k1 in the limit
    vehicle_kind: str  # it belongs to; empty where the vehicle file names none


HISTORIES = tuple(name for name in SafetyQuantities._fields if not name.startswith(("vehicle_", "sum_lateral_limit")))
"""Fields with a value a sample."""


def filter_length(cut_off_hz=LOW_PASS_HZ):
    """Time [s] after which the low pass has forgotten: its poles decay with Omega / sqrt(2)."""
    corner = 2.0 * np.pi * cut_off_hz / (np.sqrt(2.0) - 1.0) ** 0.25
    return float(np.log(1.0 / LEFT_OUT) * np.sqrt(2.0) / corner)


def low_pass(values, step, cut_off_hz=LOW_PASS_HZ):
    """Low-passed signal (T, ...): Butterworth of order 4 run both ways, -3 dB at the cut-off after both.

    Within `filter_length` of either end the result would hang on samples that do not exist: nan.

    Raises
    ------
    FlexwheelError  when samples lie too far apart for the cut-off
    """
    values = np.asarray(values, dtype=float)
    if not step > 0.0:
        raise FlexwheelError(f"{len(values)} samples: expected two at least")
    if step * cut_off_hz >= 0.4:
        raise FlexwheelError(
            f"run.output_step_s must be below {0.4 / cut_off_hz:g} for a low pass of {cut_off_hz:g} Hz, got {step:g}"
        )
    # gain 1 / (1 + (w/c)^4) of both passes is 1/sqrt(2) at the cut-off; w = tan(pi f step) of the bilinear transform
    corner = np.tan(np.pi * cut_off_hz * step) / (np.sqrt(2.0) - 1.0) ** 0.25
    out = np.full(values.shape, np.nan)
    end = int(np.ceil(filter_length(cut_off_hz) / step))
    if len(values) > 2 * end:
        columns = values.reshape(len(values), -1)
        before, after = 2.0 * columns[0] - columns[end:0:-1], 2.0 * columns[-1] - columns[-2 : -end - 2 : -1]
        filtered = _passed(_passed(np.concatenate([before, columns, after]), corner)[::-1], corner)[::-1]
        out[end:-end] = filtered[2 * end : -2 * end].reshape(-1, *values.shape[1:])
    return out


def _passed(x, corner):
    """Columns of x (T, n) through Butterworth's low pass of order 2, which had x[0] before: y + a1 y' + a2 y'' =
    b (x + 2 x' + x'') of earlier samples, a banded system (scipy.signal would take a second to be loaded)."""
    of_all = 1.0 + np.sqrt(2.0) * corner + corner**2
    a = 1.0, 2.0 * (corner**2 - 1.0) / of_all, (1.0 - np.sqrt(2.0) * corner + corner**2) / of_all
    held = np.concatenate([x[:1], x[:1], x])
    right = corner**2 / of_all * (held[2:] + 2.0 * held[1:-1] + held[:-2])
    right[:2] -= np.outer([a[1] + a[2], a[2]], x[0])
    return dtbtrs(np.repeat(np.transpose([a]), len(x), axis=1), right, uplo="L")[0]


def sliding_mean(values, position, length=MEAN_LENGTH):
    """Mean over the stretch of `length` [m] centred on each sample; nan where the stretch leaves the run.

    Parameters
    ----------
    values : (T, ...) float         taken as linear between samples
    position : (T,) float, rising   arc length of each sample [m]
    length : float [m]

    Raises
    ------
    FlexwheelError  when the arc length does not rise
    """
    values = np.asarray(values, dtype=float)
    if len(position) < 2 or np.any(np.diff(position) <= 0.0):
        raise FlexwheelError(f"no means over {length:g} m: the vehicle does not move forward in every step")
    columns = (-1, *[1] * (values.ndim - 1))
    steps = np.diff(position).reshape(columns)
    integral = np.zeros(values.shape)
    np.cumsum(0.5 * (values[1:] + values[:-1]) * steps, axis=0, out=integral[1:])

    def at(place):
        left = np.clip(np.searchsorted(position, place) - 1, 0, len(position) - 2)
        d = (place - position[left]).reshape(columns)
        rise = (values[left + 1] - values[left]) / steps[left]
        return integral[left] + d * (values[left] + 0.5 * d * rise)

    start, end = position - 0.5 * length, position + 0.5 * length
    inside = (start >= position[0]) & (end <= position[-1])
    out = np.full(values.shape, np.nan)
    out[inside] = (at(end[inside]) - at(start[inside])) / length
    return out


def band_pass(values, step, low, high):
    """Signal (T, ...) between two cut-offs [Hz], each -3 dB after both ways; low = 0: the low pass alone.

    What a high pass leaves is the signal less a low pass: 1 - 1/(1 + x^4) = x^4/(1 + x^4) of both ways, whose -3 dB lie
    (sqrt(2) - 1)^(-1/2) higher than those of that low pass.
    """
    passed = low_pass(values, step, high)
    return passed if low == 0.0 else passed - low_pass(values, step, HIGH_PASS * low)


def inner_mean(values, position, length=MEAN_LENGTH):
    """`sliding_mean` of values (T, n) that are nan in all columns at either end, nan where it would take them."""
    out = np.full(values.shape, np.nan)
    rows = np.flatnonzero(np.isfinite(values).all(axis=1))
    if len(rows) > 1:
        inner = slice(rows[0], rows[-1] + 1)
        out[inner] = sliding_mean(values[inner], position[inner], length)
    elif len(position) > 1 and np.any(np.diff(position) <= 0.0):
        sliding_mean(position, position, length)  # refuses it
    return out


def mean_quotient(lateral, vertical, position):
    """Mean over 2 m of Y/Q (T, n) of filtered forces; inf where a wheel has no load in them."""
    lifted = vertical <= 0.0
    quotient = np.divide(lateral, vertical, out=np.where(lifted, 0.0, np.nan), where=~lifted)
    mean = inner_mean(quotient, position)
    if np.any(lifted):
        mean[inner_mean(np.where(np.isnan(vertical), np.nan, lifted), position) > 0.0] = np.inf
    return mean


def vehicle_factor_of(results):
    """k1 of a run's vehicle and its kind; the smallest factor and an empty kind where its file names none."""
    kind = str(results.attrs.get("vehicle_kind", ""))
    return VEHICLE_FACTORS.get(kind, min(VEHICLE_FACTORS.values())), kind if kind in VEHICLE_FACTORS else ""


def factor_words(quantities):
    """What the limit of sum Y rests on, in a few words."""
    whose = quantities.vehicle_kind.replace("_", " ") or "vehicle file names no kind: the smaller one"
    return f"EN 14363, k1 = {quantities.vehicle_factor:g}: {whose}"


def safety_quantities(results, static_wheelset_load=None, vehicle_factor=None) -> SafetyQuantities:
    """EN 14363 quantities of a run.

    Parameters
    ----------
    results : Dataset
    static_wheelset_load : (wheelset,) float [N], optional     by default that at rest, or the mean of Q where the
                                                               results do not have it
    vehicle_factor : float, optional    k1 of the Prud'homme limit; by default that of the vehicle's kind

    Raises
    ------
    FlexwheelError  when samples are fewer than two or too far apart, or the vehicle does not move forward throughout

    Source: EN 14363:2016 tables 4 and A.1; limit of sum Y = k1 (10 kN + 2 Q0 / 3).
    """
    time = results.time.values
    if len(time) < 2:
        raise FlexwheelError(f"{len(time)} samples: expected two at least")
    step = float(time[1] - time[0])
    position = results.body_position.sel(body=str(results.wheelset.values[0]), path="s").values
    filtered = [low_pass(results.wheel_force.sel(force=name).values, step) for name in ("Y", "Q")]
    quotient = mean_quotient(*filtered, position)
    factor, kind = vehicle_factor_of(results) if vehicle_factor is None else (vehicle_factor, "given")
    sum_lateral = inner_mean(filtered[0][:, 0::2] - filtered[0][:, 1::2], position)
    after = settling_of(results) + filter_length()
    reach = position - 0.5 * MEAN_LENGTH >= np.interp(after, time, position)  # their 2 m hold settled samples only
    load = static_load(results) if static_wheelset_load is None else np.asarray(static_wheelset_load)
    return SafetyQuantities(
        time=time,
        position=position,
        lateral=filtered[0],
        vertical=filtered[1],
        derailment_quotient=quotient,
        sum_lateral=sum_lateral,
        sum_lateral_limit=factor * (10e3 + load / 3.0),
        evaluated=np.isfinite(sum_lateral).all(axis=1) & reach,
        vehicle_factor=factor,
        vehicle_kind=kind,
    )


def static_load(results):
    """2 Q0 (wheelset,) [N]: at rest, or the mean of Q where the results do not have it."""
    wheels = np.asarray(results.attrs.get("static_wheel_load_n", ()))
    wheels = wheels if wheels.shape == (results.sizes["wheel"],) else results.wheel_force.sel(force="Q").values.mean(0)
    return wheels[0::2] + wheels[1::2]
