"""Spectra against exact values: IEC 61260-1 band definition, Parseval, sines and white noise."""

import numpy as np
import scipy

from flexwheel.numerics.spectra import (
    band_edges,
    decibel,
    level_difference,
    power_spectral_density,
    third_octave_centres,
    third_octaves,
)

STEP = 2e-4


def test_band_definition():
    centres = third_octave_centres(10.0, 1250.0)
    assert len(centres) == 22
    np.testing.assert_allclose(centres[[0, 10, 20, 21]], [10.0, 100.0, 1000.0, 1258.925412], rtol=1e-9)
    lower, upper = band_edges(centres)
    np.testing.assert_allclose([lower[20], upper[20]], [891.2509381, 1122.018454], rtol=1e-9)
    np.testing.assert_allclose(upper[:-1], lower[1:], rtol=1e-12)


def test_sine_lands_in_its_band():
    t = np.arange(50_000) * STEP
    centres, rms = third_octaves(3.0 * np.sin(2 * np.pi * 500.0 * t) + 7.0, STEP)
    band = int(np.argmin(np.abs(centres - 500.0)))
    # Hann sidelobes outside the band carry less than 1e-6 of the power
    np.testing.assert_allclose(rms[band], 3.0 / np.sqrt(2.0), rtol=1e-5)
    assert np.delete(rms, band).max() < 1e-3 * rms[band]


def test_bands_of_white_noise_rise_with_their_width():
    rng = np.random.default_rng(1)
    centres, rms = third_octaves(rng.normal(size=(200_000, 2)), STEP, 100.0, 1250.0)
    lower, upper = band_edges(centres)
    expected = np.sqrt((upper - lower) * 2.0 * STEP)
    # each band averages over hundreds of bins: 4 standard deviations of 1/sqrt(2 * bins)
    np.testing.assert_allclose(rms, expected[:, None] * np.ones(2), rtol=0.1)


def test_density_integrates_to_variance():
    rng = np.random.default_rng(2)
    values = rng.normal(size=100_000)
    frequency, density = power_spectral_density(values, STEP)
    np.testing.assert_allclose(density.sum() * (frequency[1] - frequency[0]), values.var(), rtol=0.02)
    np.testing.assert_allclose(frequency[1], 2.0, rtol=1e-12)


def test_decibel_and_level_difference():
    np.testing.assert_allclose(decibel(10.0, 1.0), 20.0)
    difference = level_difference(np.array([2.0, 1e-5]), np.array([1.0, 1e-5]))
    np.testing.assert_allclose(difference[0], 20 * np.log10(2.0))
    assert np.isnan(difference[1])


def test_density_is_that_of_scipy():
    """Welch's method written anew, since scipy.signal takes longer to be loaded: a drifting record of odd length."""
    values = 1e5 + np.cumsum(np.random.default_rng(2).normal(size=(5_001, 2)), axis=0)
    for resolution, window in ((20.0, 250), (0.0, 5_001)):
        frequency, density = power_spectral_density(values, STEP, resolution)
        named = dict(window="hann", detrend="constant", axis=0)
        exact = scipy.signal.welch(values, 1.0 / STEP, nperseg=window, noverlap=window // 2, **named)
        np.testing.assert_allclose(frequency, exact[0], rtol=1e-12)
        np.testing.assert_allclose(density, exact[1], rtol=1e-7, atol=1e-12 * exact[1].max())
