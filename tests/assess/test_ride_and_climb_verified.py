"""Ride index and flange climb: closed forms, the table of ISO 2631-1 (not compared with it), Nadal's limit of 1.2."""

import numpy as np
import pytest

from flexwheel.assess.evaluate.flange_climb import flange_angle, flange_climb, nadal
from flexwheel.assess.evaluate.ride_comfort import mean_comfort, ride_index, sperling_weight, weighted, weighting
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.results.dataset import make_dataset

STEP = 2e-3


@pytest.mark.parametrize(
    ("frequency", "gain"), [(0.5, 0.853), (1.0, 1.011), (2.0, 0.890), (4.0, 0.512), (8.0, 0.253), (16.0, 0.125)]
)
def test_lateral_weighting(frequency, gain):
    """W_d of ISO 2631-1 table 3 (no print seen), three digits; its rows stand at exact third octaves, so 1 %."""
    assert abs(weighting("Wd", frequency)) == pytest.approx(gain, rel=0.012)


def test_vertical_weighting():
    """W_b: 0.4 between the limits below its step, towards 1 above it, falling as 1/f beyond 16 Hz (BS 6841)."""
    gain = np.abs(weighting("Wb", np.array([1.0, 8.0, 31.5, 63.0])))
    assert gain[0] == pytest.approx(0.4, rel=0.06) and gain[1] == pytest.approx(1.0, rel=0.1)
    assert gain[2] / gain[3] == pytest.approx(2.0, rel=0.12)


def test_mean_comfort_of_a_sine():
    """6 times the weighted effective value, of each direction by itself and together."""
    time = STEP * np.arange(round(60.0 / STEP))
    wave, none = 0.3 * np.sin(2.0 * np.pi * 2.0 * time), np.zeros(len(time))
    lateral = 6.0 * 0.3 / np.sqrt(2.0) * abs(weighting("Wd", 2.0))
    vertical = 6.0 * 0.3 / np.sqrt(2.0) * abs(weighting("Wb", 2.0))
    found, blocks = mean_comfort(none, wave, none, STEP)
    assert found == pytest.approx(lateral, rel=1e-2) and blocks == 12
    assert mean_comfort(none, wave, wave, STEP)[0] == pytest.approx(np.hypot(lateral, vertical), rel=1e-2)
    assert np.isnan(mean_comfort(*3 * (none[:100],), STEP)[0])
    inner = weighted(wave, STEP, "Wd")[5000:-5000]
    assert np.sqrt(2.0) * inner.std() == pytest.approx(0.3 * abs(weighting("Wd", 2.0)), rel=2e-3)


@pytest.mark.parametrize(("axis", "frequency"), [("y", 1.5), ("z", 6.0)])
def test_wz_of_a_sine(axis, frequency):
    """Wz = (a B)^0.3, a in cm/s2."""
    time = STEP * np.arange(round(60.0 / STEP))
    found = ride_index(0.4 * np.sin(2.0 * np.pi * frequency * time), STEP, axis)
    assert found == pytest.approx((40.0 * sperling_weight(frequency, axis)) ** 0.3, rel=3e-3)


def test_nadal():
    """70 degrees and 0.36 give the 1.2 of EN 14363; the flank of S1002 has 70 degrees."""
    assert nadal(np.radians(70.0), 0.36) == pytest.approx(1.2, abs=2e-3)
    assert flange_angle(s1002()) == pytest.approx(np.radians(70.0), abs=2e-3)


def test_climb_by_duration():
    """Pulses of 20 ms at 1.5 and of 80 ms at 1.3 above a limit of 1.2, 20 m/s; the lifted wheel counts as above it."""
    step = 1e-3
    time = step * np.arange(1, 3001)
    force = np.zeros((3000, 2, 3))
    force[:, :, 2] = 50e3
    force[:, 0, 1] = np.select([(time > 1.5) & (time < 1.5205), (time > 2.0) & (time < 2.0805)], [75e3, 65e3], 10e3)
    force[2500:2510, 1, 1:] = 5e3, 0.0
    position = np.zeros((3000, 1, 3))
    position[:, 0, 0] = 20.0 * time
    arrays = {"wheel_force": force, "body_position": position}
    labels = {"time": time, "wheelset": ["front"], "body": ["front"]}
    left, right = flange_climb(make_dataset("vehicle", arrays, labels, attributes={"settling_s": 0.5}), 1.2)
    assert left.times == 2 and left.largest == pytest.approx(1.5) and left.at == pytest.approx(1.501)
    assert left.longest == pytest.approx(0.08) and left.farthest == pytest.approx(1.6)
    # 1.5 in 20 ms may be 1.2 x 50/20 = 3; 1.3 in 80 ms may be 1.2
    assert left.ratio == pytest.approx(1.3 / 1.2, rel=1e-6)
    assert right.times == 1 and np.isinf(right.largest)
