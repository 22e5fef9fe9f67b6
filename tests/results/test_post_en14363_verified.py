"""EN 14363 quantities against closed forms: filter attenuation, means over 2 m, sums and limits."""

import numpy as np
import scipy
from synthetic import synthetic_body, synthetic_results

from flexwheel.results.evaluate.en14363 import filter_length, low_pass, safety_quantities, sliding_mean

STEP = 1e-3


def amplitude_after(frequency):
    t = np.arange(20_000) * STEP
    filtered = low_pass(np.sin(2 * np.pi * frequency * t), STEP)
    return np.sqrt(2.0 * np.mean(filtered[5000:15000] ** 2))


def test_low_pass_is_3_db_at_20_hz_and_24_db_per_octave():
    # the bilinear transform warps 20 Hz by (pi f dt)^2 / 3 = 0.13 %
    np.testing.assert_allclose(amplitude_after(20.0), np.sqrt(0.5), rtol=5e-3)
    np.testing.assert_allclose(amplitude_after(2.0), 1.0, rtol=1e-3)
    drop = 20 * np.log10(amplitude_after(60.0) / amplitude_after(120.0))
    np.testing.assert_allclose(drop, 24.0, atol=1.5)


def test_low_pass_is_that_of_scipy():
    """The filter as a banded system, since scipy.signal takes longer to be loaded: a record that drifts."""
    step, values = 1e-3, 1e5 + np.cumsum(np.random.default_rng(3).normal(size=(4_000, 2, 3)), axis=0)
    corner = np.tan(np.pi * 20.0 * step) / (np.sqrt(2.0) - 1.0) ** 0.25
    sections = scipy.signal.butter(2, 2.0 / np.pi * np.arctan(corner), output="sos")
    end = int(np.ceil(filter_length() / step))
    exact = scipy.signal.sosfiltfilt(sections, values, axis=0, padlen=end)[end:-end]
    found = low_pass(values, step)
    assert np.isnan(found[:end]).all() and np.isnan(found[-end:]).all()
    np.testing.assert_allclose(found[end:-end], exact, rtol=1e-11)


def test_sliding_mean_of_straight_and_wave():
    s = np.sort(np.random.default_rng(1).uniform(0.0, 50.0, 4000))
    inner = (s > s[0] + 1) & (s < s[-1] - 1)
    np.testing.assert_allclose(sliding_mean(3.0 * s + 1.0, s)[inner], (3.0 * s + 1.0)[inner], rtol=1e-3)
    s = np.arange(0.0, 50.0, 0.01)
    wave = sliding_mean(np.sin(2 * np.pi * s / 5.0), s)
    inner = (s > 2) & (s < 48)
    # mean over 2 m of a 5 m wave: sinc(2/5)
    np.testing.assert_allclose(wave[inner], (np.sinc(0.4) * np.sin(2 * np.pi * s / 5.0))[inner], atol=1e-4)


def test_sum_and_limit_of_a_known_load():
    run = synthetic_results(synthetic_body(), duration=0.5, step=1e-3)
    run["wheel_force"][:] = 0.0
    run["wheel_force"].loc[{"force": "Q"}] = 80e3
    run["wheel_force"].loc[{"force": "Y", "wheel": "front left"}] = -5e3
    run["wheel_force"].loc[{"force": "Y", "wheel": "front right"}] = 20e3
    quantities = safety_quantities(run, vehicle_factor=1.0)
    whole = np.isfinite(quantities.sum_lateral[:, 0])
    # a metre at 22.22 m/s at either end of what the filter leaves: 9 time constants of its poles at 25 Hz
    assert abs(np.count_nonzero(~whole) - 2 * (84 + 45)) <= 4
    np.testing.assert_allclose(quantities.sum_lateral[whole, 0], -25e3)
    np.testing.assert_allclose(quantities.derailment_quotient[whole, 1], 0.25)
    np.testing.assert_allclose(quantities.sum_lateral_limit, 10e3 + 160e3 / 3)
