"""Vibration: levels of third octaves, orders of the wheel's turn, spectrograms, coherence."""

from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.base.errors import FlexwheelError
from flexwheel.numerics.spectra import decibel, third_octaves

REFERENCES = {"m s-2": 1e-6, "N": 1e-6, "m s-1": 1e-9}
"""Reference of a level, unit -> value in that unit: 1 um/s2, 1 uN, 1 nm/s. Source: 1 um/s2 as ISO 1683 has it,
asastandards.org/Terms/vibratory-acceleration-level; the others chosen."""
SAMPLES_AN_ORDER = 8  # of a wave of the highest order, over which a signal is laid by a cubic spline: 0.2 %


class OrderSpectrum(NamedTuple):
    """Mean power of a signal by order of the wheel's turn."""

    order: np.ndarray  # (O,) waves in a turn
    rms: np.ndarray  # (O, ...) effective value of a line at that order
    blocks: int


class Spectrogram(NamedTuple):
    """Density of a signal over time."""

    time: np.ndarray  # (B,) [s] middles
    frequency: np.ndarray  # (F,) [Hz]
    density: np.ndarray  # (F, B) unit^2/Hz


class Coherence(NamedTuple):
    """Share of a force's power that goes with the roughness."""

    frequency: np.ndarray  # (F,) [Hz]
    coherence: np.ndarray  # (F,) 0 to 1
    averages: int  # windows; of n independent signals 1/n is left


def levels(values, step, unit, lowest_hz=10.0, highest_hz=1250.0):
    """Third octaves of a signal (T,): mid-band frequencies, effective values, levels [dB] re REFERENCES[unit]."""
    centres, rms = third_octaves(values, step, lowest_hz, highest_hz)
    return centres, rms, decibel(rms, REFERENCES[unit])


def over_angle(values, angle, samples):
    """A signal at evenly spaced angles of a turning wheel.

    Parameters
    ----------
    values : (T,) float
    angle : (T,) float [rad]    rising
    samples : int               a turn

    Returns
    -------
    (n,) float      n = samples times the whole turns that the record holds, from its first angle on

    Raises
    ------
    FlexwheelError  when the wheel does not turn forward throughout
    """
    from scipy.interpolate import CubicSpline

    if len(angle) < 2 or np.any(np.diff(angle) <= 0.0):
        raise FlexwheelError("no orders: the wheel does not turn forward in every step")
    turns = int((angle[-1] - angle[0]) / (2.0 * np.pi))
    wanted = angle[0] + 2.0 * np.pi / samples * np.arange(turns * samples)
    return CubicSpline(angle, values)(wanted)


def order_spectrum(values, angle, highest=60, turns=4):
    """OrderSpectrum of a signal (T,) over the angle (T,) [rad]: Hann windows of some turns, half overlapping.

    A line at a whole order has its own effective value there, whatever the speed does; the mean is taken out.

    Raises
    ------
    FlexwheelError  a record of fewer turns than a window, or samples too far apart for the highest order
    """
    per_turn = SAMPLES_AN_ORDER * highest
    step = float(np.max(np.diff(angle))) if len(angle) > 1 else np.inf
    if step * highest > np.pi / 2.0:
        raise FlexwheelError(
            f"order {highest} must have 4 samples a wave or more, got {2.0 * np.pi / (step * highest):.1f}; take a "
            "lower order or a smaller run.output_step_s"
        )
    even = over_angle(values, angle, per_turn)
    size = turns * per_turn
    if len(even) < size:
        raise FlexwheelError(f"orders need {turns} turns or more, got {len(even) / per_turn:g}")
    order, power = scipy.signal.welch(even, per_turn, "hann", size, size // 2, detrend="constant", scaling="spectrum")
    kept = order <= highest
    return OrderSpectrum(order[kept], np.sqrt(power[kept]), 2 * len(even) // size - 1)


def spectrogram(values, step, window_s=0.25):
    """Spectrogram of a signal (T,): Hann windows, three quarters overlapping, their mean taken out."""
    size = min(len(values), max(8, round(window_s / step)))
    frequency, time, density = scipy.signal.spectrogram(
        np.asarray(values, dtype=float), 1.0 / step, "hann", size, 3 * size // 4, detrend="constant"
    )
    return Spectrogram(time, frequency, density)


def coherence(roughness, force, step, resolution_hz=4.0):
    """Coherence of roughness and force (T,): |cross density|^2 over both densities, Hann windows, half overlapping."""
    size = max(8, round(1.0 / (resolution_hz * step)))
    if len(force) < 3 * size:
        raise FlexwheelError(
            f"coherence needs {3.0 / resolution_hz:g} s or more, got {len(force) * step:.3g} s, for bins of "
            f"{resolution_hz:g} Hz"
        )
    frequency, found = scipy.signal.coherence(roughness, force, 1.0 / step, "hann", size, size // 2)
    return Coherence(frequency, found, 2 * len(force) // size - 1)
