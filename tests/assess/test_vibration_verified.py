"""Levels, orders, spectrograms and coherence of made-up signals against closed forms (Welch; ISO 1683 references)."""

import numpy as np
import pytest

from flexwheel.assess.evaluate.vibration_spectra import coherence, levels, order_spectrum, spectrogram
from flexwheel.base.errors import FlexwheelError

STEP = 1e-3


def angle_of(time):
    """Turn of a wheel that gains speed: 8 to 12 turns a second in 10 s."""
    return 2.0 * np.pi * (8.0 * time + 0.2 * time**2)


def test_orders_stand_still_while_the_speed_changes():
    """3 cos(7 phi - 0.6) and a line of 100 Hz that is no order; the spline is 0.2 % off at the highest order."""
    time = STEP * np.arange(10_000)
    angle = angle_of(time)
    values = 5.0 + 3.0 * np.cos(7.0 * angle - 0.6) + 0.5 * np.cos(2.0 * np.pi * 20.3 * time)
    found = order_spectrum(values, angle, highest=15)
    assert found.rms[np.argmin(np.abs(found.order - 7.0))] == pytest.approx(3.0 / np.sqrt(2.0), rel=3e-3)
    assert found.rms[np.argmin(np.abs(found.order - 10.0))] < 1e-3
    assert np.diff(found.order)[0] == pytest.approx(0.25)


def test_orders_that_the_record_cannot_tell_are_refused():
    time = STEP * np.arange(2_000)
    with pytest.raises(FlexwheelError, match="samples a wave"):
        order_spectrum(np.ones(2000), angle_of(time), highest=60)
    with pytest.raises(FlexwheelError, match="orders need 4 turns"):
        order_spectrum(np.ones(300), angle_of(time[:300]), highest=5)
    with pytest.raises(FlexwheelError, match="does not turn forward"):
        order_spectrum(np.ones(2000), np.zeros(2000), highest=5)


def test_level_of_a_sine():
    """1 m/s2 effective: 120 dB re 1 um/s2 in its band."""
    time = STEP * np.arange(8_000)
    centres, rms, level = levels(np.sqrt(2.0) * np.sin(2.0 * np.pi * 100.0 * time), STEP, "m s-2", 20.0, 300.0)
    band = np.argmin(np.abs(centres - 100.0))
    assert level[band] == pytest.approx(120.0, abs=0.05) and rms[band] == pytest.approx(1.0, rel=5e-3)


def test_spectrogram_holds_the_power_when_it_is_there():
    """A burst of 60 Hz from 2 to 4 s: power 0.5 within, none without."""
    time = STEP * np.arange(6_000)
    found = spectrogram(np.where((time > 2.0) & (time < 4.0), np.sin(2.0 * np.pi * 60.0 * time), 0.0), STEP)
    power = found.density.sum(axis=0) * found.frequency[1]
    inside = (found.time > 2.2) & (found.time < 3.8)
    np.testing.assert_allclose(power[inside], 0.5, rtol=1e-2)
    assert power[(found.time < 1.8) | (found.time > 4.2)].max() < 1e-12
    assert found.frequency[np.argmax(found.density[:, inside].mean(axis=1))] == pytest.approx(60.0, abs=2.0)


def test_coherence_of_a_force_half_of_which_is_noise():
    """y = x + n of equal densities: 1/2; deviation of the mean of 124 bins over 400 windows far below 0.02."""
    x, n = np.random.default_rng(4).standard_normal((2, 50_000))
    found = coherence(x, x + n, STEP)
    assert np.mean(found.coherence[1:-1]) == pytest.approx(0.5, abs=0.02)
    assert np.mean(coherence(x, n, STEP).coherence[1:-1]) < 2.0 / found.averages * 1.5
    with pytest.raises(FlexwheelError, match="coherence needs"):
        coherence(x[:500], n[:500], STEP)
