"""Random heights along a rail as a function of place and seed alone, from a spectrum.

The line is cut into blocks of fixed place and fixed length. Each block is a sum of lines that carry exactly the
variance of their bins, with random phases drawn for this seed, channel and block alone; a block covers two hops and
fades into the next one by windows whose squares add up to one, so that the variance is the same everywhere. What is
asked for (length, start) decides how many blocks are made, never what is in them.
"""

import numpy as np

WAVES_PER_BLOCK = 64
"""Longest waves in a block, at least: its window widens a line by 1/64 of the lowest frequency."""

BYTES_PER_SAMPLE = 80.0
"""[byte] at work for a sample of a block: numbers, phases, lines, heights, window and their products."""


def block_samples(frequency, step):
    """Samples of a block, a power of two: of a spectrum from `frequency` [1/m] up, at `step` [m]."""
    return 2 ** int(np.ceil(np.log2(WAVES_PER_BLOCK / (frequency * step))))


def random_waves(frequency, variance, step, first, count, key):
    """Heights (count,) [m] at the places (first + i) step, i = 0 ... count - 1.

    Parameters
    ----------
    frequency : (k,) [1/m]         ascending
    variance : (k,) [m2]           cumulative from the first frequency
    step : float [m]               between samples, at most a sixth of the shortest wave
    first, count : int             first sample, not before -block_samples/2, and number of samples
    key : tuple of int             seed and channel

    Returns
    -------
    height : (count,) [m]          the same number at the same place, bit by bit, whatever first and count are

    Source of the window, which is smooth to its second derivative: power-complementary window of the Vorbis I
    specification, section 1.3.2. Verified in tests/track/test_random_waves_verified.py.
    """
    n = block_samples(frequency[0], step)
    hop = n // 2
    df = 1.0 / (n * step)
    last = int(np.ceil(frequency[-1] / df)) + 1
    bins = np.diff(np.interp((np.arange(last + 2) - 0.5) * df, frequency, variance))
    amplitude = n * np.sqrt(0.5 * np.maximum(bins, 0.0))
    amplitude[0] = 0.0
    window = np.sin(0.5 * np.pi * np.sin(np.pi * (np.arange(n) + 0.5) / n) ** 2)
    height = np.zeros(count)
    for block in range(first // hop, (first + count - 1) // hop + 2):
        values = window * np.fft.irfft(amplitude * np.exp(1j * _phases(last + 1, key, block)), n)
        begin = (block - 1) * hop - first
        low, high = max(begin, 0), min(begin + n, count)
        height[low:high] += values[low - begin : high - begin]
    return height


def _phases(count, key, block):
    """Phases (count,) [rad], 0 to 2 pi, of a block: raw numbers of Philox, which no version changes."""
    numbers = np.random.Philox(np.random.SeedSequence([*key, block + 1])).random_raw(count)
    return (numbers >> np.uint64(11)) * (2.0 * np.pi / 2.0**53)
