"""Statistics of made-up runs of sines and ramps against closed forms, at many lengths (EN 14363 filters, IEC 61260)."""

import numpy as np
import pytest

from flexwheel.base.errors import FlexwheelError
from flexwheel.numerics.spectra import band_edges, power_spectral_density, third_octave_centres, third_octaves
from flexwheel.results.dataset import make_dataset
from flexwheel.results.evaluate import statistics
from flexwheel.results.evaluate.en14363 import VEHICLE_FACTORS, low_pass, safety_quantities, sliding_mean
from flexwheel.results.evaluate.statistics import LEAST_SAMPLES, run_statistics, stored_percentiles

STEP, SPEED, SETTLING = 1e-3, 20.0, 0.5
CLOSE = 5e-3  # statistics of a run are to equal closed forms to 0.5 % at any length
LENGTHS = (0.02, 0.1, 0.3, 0.6, 0.75, 1.0, 1.2, 1.35, 1.5, 2.0, 3.3, 7.0, 14.0)


def gain(frequency):
    """Of the low pass: second-order Butterworth run twice, 1/sqrt(2) at 20 Hz."""
    return 1.0 / (1.0 + (np.sqrt(2.0) - 1.0) * (frequency / 20.0) ** 4)


def made_up(vertical, lateral, length, step=STEP, speed=SPEED, **attributes):
    """Run of one wheelset; vertical and lateral are functions of time (T,) for (left, right)."""
    time = step * np.arange(1, round(length / step) + 1)
    force = np.zeros((len(time), 2, 3))
    for wheel in range(2):
        force[:, wheel, 2], force[:, wheel, 1] = vertical(time), lateral(time) * (1.0 if wheel else 0.5)
    position = np.zeros((len(time), 1, 3))
    position[:, 0, 0] = speed * time
    arrays = {"wheel_force": force, "body_position": position}
    labels = {"time": time, "wheelset": ["front"], "body": ["front"]}
    return make_dataset("vehicle", arrays, labels, attributes={"settling_s": SETTLING, **attributes})


def between(value, first, last):
    """Largest value of a smooth function between two times, and its mean."""
    t = np.linspace(first, last, 20_001)
    return value(t).max(), np.trapezoid(value(t), t) / (last - first)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("frequency", [0.7, 6.1, 19.7, 31.7])  # not commensurate with the sampling
def test_sine_at_any_length(frequency, length):
    def wave(t):
        return np.sin(2.0 * np.pi * frequency * t + 0.3)

    run = made_up(lambda t: 90e3 + 30e3 * wave(t), lambda t: 5e3 + 20e3 * wave(t), length)
    try:
        found = run_statistics(run)
    except FlexwheelError as error:
        assert "no statistics" in str(error) and length < SETTLING + 0.28 + LEAST_SAMPLES * STEP
        return
    # 84 ms of the filter and a metre at 20 m/s
    assert SETTLING < found.first_s < SETTLING + 0.14 and length - 0.14 < found.last_s < length
    most, mean = between(lambda t: 90e3 + 30e3 * gain(frequency) * wave(t), found.first_s, found.last_s)
    np.testing.assert_allclose(found.vertical_max, most, rtol=CLOSE)
    np.testing.assert_allclose(found.vertical_mean, mean, rtol=CLOSE)
    # the 99.85 % value of a sampled sine: below the largest one, above what 0.3 % of the samples exceed
    filtered = 5e3 + 20e3 * gain(frequency) * wave(np.linspace(found.first_s, found.last_s, 200_001))
    np.testing.assert_allclose(
        found.lateral_percentiles[:, 1], np.percentile(filtered, [0.15, 50.0, 99.85]), atol=CLOSE * np.ptp(filtered)
    )


@pytest.mark.parametrize("length", LENGTHS)
def test_ramp_at_any_length(length):
    run = made_up(lambda t: 80e3 + 3e3 * t, lambda t: 2e3 * t, length)
    try:
        found = run_statistics(run)
    except FlexwheelError as error:
        assert "no statistics" in str(error) and length < SETTLING + 0.28 + LEAST_SAMPLES * STEP
        return
    a, b = found.first_s, found.last_s
    # a filter without phase and a centred mean leave a straight line as it is; its percentiles run along it
    np.testing.assert_allclose(found.vertical_max, 80e3 + 3e3 * b, rtol=CLOSE)
    np.testing.assert_allclose(found.vertical_mean, 80e3 + 1.5e3 * (a + b), rtol=CLOSE)
    np.testing.assert_allclose(
        found.lateral_percentiles[:, 1], 2e3 * (a + np.array([0.0015, 0.5, 0.9985]) * (b - a)), rtol=CLOSE
    )
    np.testing.assert_allclose(found.quotient_max[1], 2e3 * b / (80e3 + 3e3 * b), rtol=CLOSE)
    np.testing.assert_allclose(found.sum_lateral_max, 1e3 * b, rtol=CLOSE)


@pytest.mark.parametrize("wave_length", [3.0, 5.0, 20.0])
def test_mean_over_two_metres_is_a_sinc(wave_length):
    number = 2.0 * np.pi * SPEED / wave_length
    run = made_up(lambda t: 0.0 * t + 100e3, lambda t: 10e3 + 20e3 * np.sin(number * t), 4.0)
    found = run_statistics(run)
    most = 10e3 + 20e3 * np.sinc(2.0 / wave_length)
    np.testing.assert_allclose(found.quotient_max, [0.5 * most / 100e3, most / 100e3], rtol=CLOSE)
    np.testing.assert_allclose(found.sum_lateral_max, 0.5 * most, rtol=CLOSE)


def test_start_and_ends_stay_out():
    # 8 kN that the wheels lose in tenths of a second, and a last sample that a filter would run off with
    run = made_up(lambda t: 90e3 + 40e3 * (t > 2.995), lambda t: 1e3 + 7e3 * np.exp(-t / 0.05), 3.0)
    found = run_statistics(run)
    np.testing.assert_allclose(found.vertical_max, 90e3, rtol=CLOSE)
    np.testing.assert_allclose(found.lateral_percentiles[2, 1], 1e3, rtol=CLOSE)
    assert "0.50 s of settling" in found.span_words


def test_nothing_is_made_up_beyond_the_run():
    values = np.ones((400, 2))
    filtered = low_pass(values, STEP)
    ends = int(np.isnan(filtered[:, 0]).sum())
    assert 2 * 70 < ends < 2 * 100  # 9 time constants of the poles at 25 Hz: 84 ms at either end
    np.testing.assert_allclose(filtered[~np.isnan(filtered)], 1.0, rtol=1e-9)
    assert np.isnan(low_pass(values[:150], STEP)).all()
    mean = sliding_mean(values, 0.02 * np.arange(400))
    assert np.isnan(mean[:50]).all() and np.isnan(mean[-50:]).all() and np.isfinite(mean[51:-51]).all()
    with pytest.raises(FlexwheelError, match="does not move forward"):
        sliding_mean(values, np.minimum(0.02 * np.arange(400), 5.0))


@pytest.mark.parametrize("step", [1e-4, 1e-3, 5e-3, 0.01])
def test_gain_at_the_cut_off_whatever_the_sampling(step):
    t = step * np.arange(round(3.0 / step))
    filtered = low_pass(np.sin(2.0 * np.pi * 20.0 * t), step)
    filtered = filtered[np.isfinite(filtered)]
    # bilinear transform warped at the cut-off itself: exact there
    np.testing.assert_allclose(np.sqrt(2.0 * np.mean(filtered**2)), np.sqrt(0.5), rtol=CLOSE)


def test_samples_too_far_apart_are_refused():
    with pytest.raises(FlexwheelError, match=r"must be below 0.02 for a low pass .*got 0.025"):
        low_pass(np.ones(100), 0.025)
    with pytest.raises(FlexwheelError, match="must be below 0.02 for a low pass .*got 0.05"):
        run_statistics(made_up(lambda t: 0 * t, lambda t: 0 * t, 100.0, step=0.05))


def test_limit_of_sum_y_by_kind_of_vehicle():
    """k1: 1 for traction units and passenger vehicles, 0.85 for freight wagons, the smaller one where none is named."""
    assert VEHICLE_FACTORS == {"locomotive": 1.0, "railcar": 1.0, "coach": 1.0, "freight_wagon": 0.85}
    for kind, factor in (*VEHICLE_FACTORS.items(), ("", 0.85)):
        run = made_up(
            lambda t: 80e3 + 0 * t, lambda t: 0 * t, 2.0, vehicle_kind=kind, static_wheel_load_n=np.array([90e3, 90e3])
        )
        found = run_statistics(run)
        np.testing.assert_allclose(found.sum_lateral_limit, factor * (10e3 + 180e3 / 3.0))
        assert f"k1 = {factor:g}" in found.limit_words and (kind.replace("_", " ") or "no kind") in found.limit_words


def test_wheel_without_load_has_no_small_quotient():
    run = made_up(lambda t: np.where((t > 1.0) & (t < 1.5), 0.0, 80e3), lambda t: 1e3 + 0 * t, 3.0)
    assert np.isinf(run_statistics(run).quotient_max).all()
    assert np.isinf(safety_quantities(run).derailment_quotient[1250]).all()


@pytest.mark.parametrize("length", [0.05, 0.2, 0.6, 1.0, 2.0, 5.0])
def test_third_octave_of_a_sine_is_right_or_not_told(length):
    t = STEP * np.arange(round(length / STEP))
    told = 0
    for band, centre in enumerate(third_octave_centres(10.0, 400.0)):
        rms = third_octaves(3.0 * np.sin(2.0 * np.pi * centre * t + 0.4), STEP, 10.0, 1250.0)[1]
        assert np.isnan(rms[-4:]).all()  # above 500 Hz
        if np.isfinite(rms[band]):
            told += 1
            np.testing.assert_allclose(rms[band], 3.0 / np.sqrt(2.0), rtol=CLOSE)
        else:
            lower, upper = band_edges(centre)
            assert (upper - lower) * length < 4.1
    assert told >= (10 if length >= 0.6 else 0)


@pytest.mark.parametrize("length", [0.3, 1.0, 4.0])
def test_density_of_a_sine_holds_its_power(length):
    t = STEP * np.arange(round(length / STEP))
    frequency, density = power_spectral_density(3.0 * np.sin(2.0 * np.pi * 60.0 * t), STEP)
    power = density.sum() * (frequency[1] - frequency[0])
    np.testing.assert_allclose(power, 4.5, rtol=CLOSE)


@pytest.mark.parametrize("at_once", [0, statistics.AT_ONCE])
def test_percentiles_of_a_file_are_exact(tmp_path, monkeypatch, at_once):
    """numpy.percentile of the same values in memory, narrowed down or sorted; both signs, equal ones, both zeros."""
    monkeypatch.setattr(statistics, "AT_ONCE", at_once)
    values = np.random.default_rng(3).standard_normal((5000, 3)) * [1.0, 1e-200, 1e9]
    values[:, 1] = np.round(values[:, 1], 200)
    values[::7, 2] = 12.5
    with open(tmp_path / "x", "w+b") as file:
        values.tofile(file)
        found = stored_percentiles(file, *values.shape)
    np.testing.assert_allclose(found, np.percentile(values, (0.15, 50.0, 99.85), axis=0), rtol=1e-14)


def test_statistics_do_not_depend_on_the_blocks(monkeypatch):
    """The same run in one block and in many; the filter's memory beyond five of its lengths is 1e-20."""
    run = made_up(lambda t: 8e4 + 1e4 * np.sin(2 * np.pi * 3.0 * t), lambda t: 5e3 * np.sin(2 * np.pi * 1.3 * t), 12.0)
    whole = run_statistics(run)
    monkeypatch.setattr(statistics, "BLOCK", 700)
    blocks = run_statistics(run)
    for name, value in vars(whole).items():
        if isinstance(value, str):
            assert getattr(blocks, name) == value
        else:
            np.testing.assert_allclose(getattr(blocks, name), value, rtol=1e-11, err_msg=name)
