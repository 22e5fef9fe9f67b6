"""Power spectral density and third-octave bands of a signal."""

import numpy as np

from flexwheel.base.errors import FlexwheelError

OCTAVE_RATIO = 10.0**0.3  # base ten, IEC 61260-1:2014 eq. (1)
REFERENCE_HZ = 1000.0
HANN_LOBE = 4.0  # bins between the zeros about a line seen through a Hann window


def power_spectral_density(values, step, resolution_hz=2.0):
    """One-sided power spectral density by Welch's method: Hann windows, half overlapping, mean removed.

    Parameters
    ----------
    values : (T, ...) float
    step : float [s]            sample spacing
    resolution_hz : float       bin width; a shorter record gives its own 1/T, and 0 does: one window

    Returns
    -------
    frequency : (F,) [Hz]
    density : (F, ...)          unit^2/Hz; its sum times the bin width is the variance

    Source: Welch 1967, IEEE Trans. Audio Electroacoustics 15(2), 70-73.
    """
    values = np.asarray(values, dtype=float)  # scipy.signal would take longer to be loaded than these take
    count = min(len(values), max(8, round(1.0 / max(resolution_hz * step, 1e-9))))
    window = (0.5 - 0.5 * np.cos(2.0 * np.pi / count * np.arange(count))).reshape(-1, *(1,) * (values.ndim - 1))
    parts = [values[k : k + count] for k in range(0, len(values) - count + 1, count - count // 2)]
    power = sum(np.abs(np.fft.rfft(window * (part - part.mean(axis=0)), axis=0)) ** 2 for part in parts)
    power[1 : (count + 1) // 2] *= 2.0
    return np.fft.rfftfreq(count, step), power * step / (len(parts) * np.sum(window**2))


def third_octave_centres(lowest_hz, highest_hz):
    """Exact mid-band frequencies (B,) [Hz], 1000 * 10^(k/10), from lowest_hz's band to highest_hz's.

    Source: IEC 61260-1:2014 eq. (2).
    """
    first, last = (int(np.round(10.0 * np.log10(f / REFERENCE_HZ))) for f in (lowest_hz, highest_hz))
    return REFERENCE_HZ * 10.0 ** (np.arange(first, last + 1) / 10.0)


def band_edges(centres):
    """Lower and upper edges (B,) [Hz] of third-octave bands: centre times G^(-1/6) and G^(1/6), G = 10^0.3.

    Source: IEC 61260-1:2014 eqs (4)-(5).
    """
    return centres * OCTAVE_RATIO ** (-1 / 6), centres * OCTAVE_RATIO ** (1 / 6)


def third_octaves(values, step, lowest_hz=10.0, highest_hz=1250.0, axis=0):
    """Root-mean-square value of a signal in each third-octave band.

    The power of the discrete Fourier transform (Hann window over the whole record, corrected for its power)
    is summed in each band; bins that a band edge cuts count by the part inside.

    Parameters
    ----------
    values : (..., T, ...) float
    step : float [s]
    lowest_hz, highest_hz : float   nominal or exact mid-band frequencies of the outer bands
    axis : int

    Returns
    -------
    centres : (B,) [Hz]
    rms : (B, ...)              unit of the signal; nan in bands that the record cannot tell: narrower than the main
                                lobe of its window (4 / T), or above half the sampling rate
    """
    values = np.moveaxis(np.asarray(values, dtype=float), axis, 0)
    if len(values) < 2:
        raise FlexwheelError(f"third octaves need two samples or more, got {len(values)}")
    frequency, density = power_spectral_density(values, step, 0.0)
    centres = third_octave_centres(lowest_hz, highest_hz)
    lower, upper = band_edges(centres)
    width = frequency[1] - frequency[0]
    top, foot = np.fmin(frequency + 0.5 * width, upper[:, None]), np.fmax(frequency - 0.5 * width, lower[:, None])
    part = np.clip(top - foot, 0.0, None)
    power = np.tensordot(part, density, axes=(1, 0))
    told = (upper - lower >= HANN_LOBE * width) & (upper <= 0.5 / step)
    power[~told] = np.nan
    return centres, np.sqrt(power)


def decibel(rms, reference):
    """Level 20 log10(rms / reference) [dB]."""
    return 20.0 * np.log10(np.maximum(np.asarray(rms), 1e-300) / reference)


def level_difference(first, second, within_db=60.0):
    """Difference of third-octave levels [dB], nan where a band lies further than within_db below the highest.

    Parameters
    ----------
    first, second : (B, ...)    rms per band; the highest band is that of `second`, per column
    within_db : float
    """
    first, second = decibel(first, 1.0), decibel(second, 1.0)
    highest = np.max(np.where(np.isnan(second), -np.inf, second), axis=0)
    return np.where(second >= highest - within_db, first - second, np.nan)
