"""Ride index: mean comfort of EN 12299 and Wz after Sperling, of accelerations on a vehicle's floor.

Weighting filters act on the Fourier transform of the record, without the digital filter's warping.
"""

import numpy as np

from flexwheel.numerics.spectra import power_spectral_density

WEIGHTS = {
    "Wd": (2.0, 2.0, None, 1.0),
    "Wb": (16.0, 16.0, (2.5, 4.0), 0.4),
}
"""Transition f3, f4 [Hz], upward step f5, f6 [Hz], gain K. Source: EN 12299:2009 with Q 0.63 and 0.8, as the open
programs PyRidy and comfpy have them (tobias-bettinger/comfpy, comfpy/filters.py: Wb, Wd); the standard was not read."""
LIMITS_HZ, Q_LIMIT, Q_TRANSITION, Q_STEP = (0.4, 100.0), np.sqrt(0.5), 0.63, 0.8
BLOCK_S, BLOCKS = 5.0, 60
"""EN 12299: effective values over 5 s (PyRidy); 60 of them, 5 minutes, to a mean comfort (chosen)."""
WZ_FACTORS = {"y": 1.25 * 0.588, "z": 0.588}
WZ_RANGE = (0.5, 30.0)  # [Hz]
WZ_BASIS = "Sperling's weighting for comfort as the open program comfpy has it (comfpy/filters.py: Bz, By)"


def weighting(name, frequency):
    """Complex gain (F,) of a weighting filter of EN 12299 at frequencies [Hz]."""
    f3, f4, step, gain = WEIGHTS[name]
    s = 1j * np.asarray(frequency, dtype=float)
    low, high = LIMITS_HZ
    out = s**2 / (s**2 + low / Q_LIMIT * s + low**2) * high**2 / (s**2 + high / Q_LIMIT * s + high**2)
    out = out * gain * (1.0 + s / f3) * f4**2 / (s**2 + f4 / Q_TRANSITION * s + f4**2)
    if step is not None:
        f5, f6 = step
        out = out * (s**2 + f5 / Q_STEP * s + f5**2) / (s**2 + f6 / Q_STEP * s + f6**2) * (f6 / f5) ** 2
    return out


def weighted(values, step, name):
    """Weighted acceleration (T,) of one sampled every `step` [s]; its mean is taken out, the record goes on as zero."""
    values = np.asarray(values, dtype=float) - np.mean(values)
    size = 2 * len(values)  # room for the filter's memory, else the end would come back at the start
    spectrum = np.fft.rfft(values, size)
    return np.fft.irfft(spectrum * weighting(name, np.fft.rfftfreq(size, step)), size)[: len(values)]


def block_values(values, step):
    """Effective values (B,) over successive 5 s; whole blocks only."""
    size = round(BLOCK_S / step)
    count = len(values) // size
    return np.sqrt(np.mean(values[: count * size].reshape(count, size) ** 2, axis=1)) if count else np.zeros(0)


def mean_comfort(x, y, z, step):
    """N_MV = 6 sqrt(sum of the squared 95 % values of the weighted 5 s effective values) and the number of blocks.

    x, y, z : (T,) accelerations at the floor [m/s2]; nan and 0 where the record holds no 5 s. Fewer than BLOCKS are
    said. Source: EN 12299:2009 as PyRidy has it
    (ifs-rwth-aachen/PyRidy, pyridy/processing/comfort.py: n_mv); the standard was not read.
    """
    pairs = (x, "Wd"), (y, "Wd"), (z, "Wb")
    blocks = [block_values(weighted(values, step, name), step) for values, name in pairs]
    if not len(blocks[0]):
        return np.nan, 0
    return float(6.0 * np.sqrt(sum(np.percentile(b, 95.0) ** 2 for b in blocks))), len(blocks[0])


def sperling_weight(frequency, axis):
    """B (F,) of comfort along y or z at frequencies [Hz]."""
    f = np.asarray(frequency, dtype=float)
    above = 1.911 * f**2 + (0.25 * f**2) ** 2
    below = (1.0 - 0.277 * f**2) ** 2 + (1.563 * f - 0.0368 * f**3) ** 2
    return WZ_FACTORS[axis] * np.sqrt(above / below)


def ride_index(values, step, axis):
    """Wz of an acceleration (T,) [m/s2] along y or z: 4.42 of its weighted effective value to the power 0.3.

    4.42 = (100 sqrt(2))^0.3, for Wz = (a B)^0.3 of an amplitude a in cm/s2.
    """
    frequency, density = power_spectral_density(values, step, 0.1)
    band = (frequency >= WZ_RANGE[0]) & (frequency <= WZ_RANGE[1])
    power = np.sum(density[band] * sperling_weight(frequency[band], axis) ** 2) * (frequency[1] - frequency[0])
    return float((2.0 * 1e4 * power) ** 0.15)
