"""Input spectra: displacement of the two rails as a matrix of densities over time frequency at a speed.

Channels: left lateral, left vertical, right lateral, right vertical, as in track.irregularity. Each density is averaged
over the bin of its frequency, so that the variance of a band is exact.
"""

import numpy as np
import scipy

from flexwheel.track.psd import cumulative_variance

SHAPES = {
    "vertical": (0.0, 1.0, 0.0, 1.0),
    "lateral": (1.0, 0.0, 1.0, 0.0),
    "gauge": (0.5, 0.0, -0.5, 0.0),
}


def binned_density(frequency, variance, hz, speed):
    """Density (F,) [m2/Hz] at equally spaced time frequencies hz from a cumulative variance over 1/m."""
    step = hz[1] - hz[0]
    edges = (np.append(hz, hz[-1] + step) - 0.5 * step) / speed
    return np.diff(np.interp(edges, frequency, variance)) / step


def spectral_matrix(spectra, longest_wave, shortest_wave, lateral, hz, speed):
    """Density matrix (F, 4, 4) of TrackSpectra."""
    out = np.zeros((len(hz), 4, 4))
    shapes = (SHAPES["vertical"], SHAPES["lateral"], (0.0, spectra.half_spacing, 0.0, -spectra.half_spacing))
    for spectrum, shape in zip(spectra[:4], (*shapes, SHAPES["gauge"]), strict=True):
        density = binned_density(*cumulative_variance(spectrum, longest_wave, shortest_wave), hz, speed)
        out += density[:, None, None] * np.outer(shape, shape)
    if not lateral:
        out[:, 0::2] = 0.0
        out[:, :, 0::2] = 0.0
    return out


def roughness_matrix(frequency, variance, hz, speed):
    """Density matrix (F, 4, 4) of roughness, both rails alike and independent."""
    out = np.zeros((len(hz), 4, 4))
    out[:, 1, 1] = out[:, 3, 3] = binned_density(frequency, variance, hz, speed)
    return out


def record_matrix(values, step, hz, speed):
    """Density matrix (F, 4, 4) complex of samples (T, 4) every `step` [m], by Welch's method at the given spacing."""
    rate = speed / step
    spacing = hz[1] - hz[0]
    window = int(min(len(values), max(8, round(rate / spacing))))
    out = np.zeros((len(hz), 4, 4), dtype=complex)
    for a in range(4):
        for b in range(4):
            f, density = scipy.signal.csd(
                values[:, b], values[:, a], rate, "hann", window, window // 2, detrend="constant", scaling="density"
            )
            out[:, a, b] = np.interp(hz, f, density.real, 0.0, 0.0) + 1j * np.interp(hz, f, density.imag, 0.0, 0.0)
    return out


def span_matrix(values, step, hz, speed):
    """Density matrix (F, 4, 4) complex of samples (T, 4) every `step` [m], of all of them at once.

    Lines of what repeats along the track stay in the bin of their frequency, whose power is kept.
    """
    window = np.hanning(len(values) + 1)[:-1, None]
    found = np.fft.rfft(window * (values - values.mean(axis=0)), axis=0)
    fine = np.arange(len(found)) * speed / (step * len(values))
    power = 2.0 * found[:, :, None] * found.conj()[:, None, :] / (np.sum(window**2) * len(values))
    total = np.concatenate([np.zeros((1, 4, 4)), np.cumsum(power, axis=0)])
    width = hz[1] - hz[0]
    ends = np.append(fine - 0.5 * fine[1], fine[-1] + 0.5 * fine[1])
    at = np.append(hz, hz[-1] + width) - 0.5 * width
    flat = total.reshape(len(total), 16)
    parts = [np.interp(at, ends, part[:, k]) for part in (flat.real, flat.imag) for k in range(16)]
    cumulative = np.stack(parts[:16], axis=1) + 1j * np.stack(parts[16:], axis=1)
    return (np.diff(cumulative, axis=0) / width).reshape(len(hz), 4, 4)


def amplitudes(matrix):
    """Columns (F, 4, K) whose products with their conjugates add up to the density matrix (F, 4, 4)."""
    value, vector = np.linalg.eigh(matrix)
    return vector * np.sqrt(np.maximum(value, 0.0))[:, None, :]
