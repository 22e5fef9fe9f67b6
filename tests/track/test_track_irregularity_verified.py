"""Irregularity: ERRI B176 against published rms and closed-form variance, ISO 3095 levels by third octaves."""

import numpy as np
import pytest
from scipy.ndimage import correlate1d
from scipy.signal import welch

from flexwheel.base.errors import ScenarioError
from flexwheel.track.irregularity import (
    _REACH,
    _coefficients,
    file_record,
    irregularity_at,
    make_irregularity,
    roughness_record,
    spectral_record,
)
from flexwheel.track.psd import cumulative_variance, erri_b176, fra
from flexwheel.track.roughness import BAND_HALF_WIDTH, contact_filter, roughness_table


def at(table, s):
    out, slope = np.zeros(4), np.zeros(4)
    irregularity_at(table, s, out, slope)
    return out, slope


@pytest.mark.parametrize(
    "level, field, short, long",
    [
        ("low", "lateral", 0.714, 1.695),
        ("high", "lateral", 1.213, 2.881),
        ("low", "vertical", 0.984, 2.338),
        ("high", "vertical", 1.611, 3.826),
    ],
)
def test_erri_rms_between_3_m_and_25_or_100_m(level, field, short, long):
    spectrum = getattr(erri_b176(level), field)
    for wave, rms in ((25.0, short), (100.0, long)):
        found = 1e3 * np.sqrt(cumulative_variance(spectrum, wave, 3.0)[1][-1])
        assert abs(found - rms) < 6e-4, "mm, three decimals known"


def test_variance_in_closed_form_and_of_the_record():
    spectrum = erri_b176("high").vertical
    r, c = spectrum.corners
    low, high = 2.0 * np.pi / 80.0, 2.0 * np.pi / 1.5

    def primitive(w):
        return spectrum.amplitude / (c * c - r * r) * (np.arctan(w / r) / r - np.arctan(w / c) / c)

    exact = primitive(high) - primitive(low)
    np.testing.assert_allclose(cumulative_variance(spectrum, 80.0, 1.5)[1][-1], exact, rtol=1e-9)
    length = 20000.0
    record = spectral_record(erri_b176("high"), length, 3, 80.0, 1.5)
    mean = 0.5 * (record.values[:, 1] + record.values[:, 3])
    w = np.linspace(low, high, 100001)
    scatter = np.sqrt(2.0 * np.pi * np.trapezoid(spectrum(w) ** 2, w) / length) / exact
    np.testing.assert_allclose(np.mean(mean**2), exact, rtol=3.0 * scatter, err_msg="of a Gaussian process: 6 %")


def test_spectral_density_of_the_records():
    spectra = erri_b176("low")
    record = spectral_record(spectra, 40000.0, 11, 50.0, 2.0)
    left_y, left_z, right_y, right_z = record.values.T
    processes = (
        (0.5 * (left_z + right_z), spectra.vertical),
        (0.5 * (left_y + right_y), spectra.lateral),
        ((left_z - right_z) / 1.5, spectra.cross_level),
        (left_y - right_y, spectra.gauge),
    )
    for process, spectrum in processes:
        f, density = welch(process, 1.0 / record.step, nperseg=2048)
        band = (f > 1.0 / 40.0) & (f < 1.0 / 2.2)
        ratio = density[band] / (2.0 * np.pi * spectrum(2.0 * np.pi * f[band]))
        assert abs(np.mean(ratio) - 1.0) < 0.03 and np.std(ratio) < 0.2, "300 segments: 8 % scatter"
        assert np.max(density[f > 1.0 / 1.8]) < 1e-4 * np.min(density[band])


def test_third_octave_levels_of_the_roughness():
    wavelengths, levels = roughness_table("iso3095")
    length = 400.0
    for axis in (0.0, 0.006):
        record = roughness_record(length, 5, contact_semi_axis=axis)
        for side in range(2):
            x = record.values[:, side]
            square = 2.0 * np.abs(np.fft.rfft(x) / len(x)) ** 2
            f = np.fft.rfftfreq(len(x), record.step)
            for wave, level in zip(wavelengths, levels, strict=True):
                centre = 10.0 ** (np.round(10.0 * np.log10(1.0 / wave)) / 10.0)
                band = (f >= centre / BAND_HALF_WIDTH) & (f < centre * BAND_HALF_WIDTH)
                found = 10.0 * np.log10(np.sum(square[band]) / 1e-12)
                expected = level + 10.0 * np.log10(contact_filter(centre, axis))
                width = centre * (BAND_HALF_WIDTH - 1.0 / BAND_HALF_WIDTH)
                limit = 3.0 * 4.34 / np.sqrt(width * length) + (0.5 if axis else 0.0)
                assert abs(found - expected) < limit, f"dB at {wave} m: of a Gaussian process; the filter falls in it"


def test_iso_3095_table_and_filter():
    wavelengths, levels = roughness_table("iso3095")
    assert len(levels) == 19 and wavelengths[0] == 0.63 and wavelengths[-1] == 0.01
    assert dict(zip(wavelengths, levels, strict=True))[0.1] == 4.9
    np.testing.assert_allclose(
        contact_filter(1.0 / (2.0 * np.pi * 0.005), 0.005), 1.0 / (1.0 + np.pi / 4.0), rtol=1e-14
    )


def test_fra_class_six_density():
    spectra = fra(6)
    w = 0.5
    exact = 0.25 * 0.0339e-4 * 0.8245**2 / (w**2 * (w**2 + 0.8245**2))
    np.testing.assert_allclose(spectra.vertical(w), exact, rtol=1e-12)


def test_spline_value_slope_ramp_and_ends():
    record = spectral_record(erri_b176("low"), 300.0, 4)
    short = roughness_record(300.0, 4)
    table = make_irregularity(record, short, start=20.0, ramp=10.0)
    only_long = make_irregularity(record, None, ramp=0.0)
    foot = 10.0 * (record.step / 10.0) ** 3 * 6e-3 / 6.0  # run-in at the first knot, of 6 mm, in its spline's foot
    for s in (-5.0, 0.0, 19.99, 400.0):
        out, slope = at(table, s)
        assert np.max(np.abs(out)) < foot and np.max(np.abs(slope)) < 3.0 * foot / record.step
    for k in (700, 1200, 1900):
        np.testing.assert_allclose(
            at(only_long, record.start + k * record.step)[0], record.values[k], rtol=0, atol=1e-12
        )
    for s in (33.3331, 77.77, 150.002):
        h = 2e-5
        difference = (at(table, s + h)[0] - at(table, s - h)[0]) / (2.0 * h)
        np.testing.assert_allclose(at(table, s)[1], difference, rtol=1e-3, atol=1e-7)
    halfway = at(table, 25.0)[0] / at(make_irregularity(record, short, ramp=0.0), 25.0)[0]
    np.testing.assert_allclose(halfway, 0.5, rtol=1e-2, err_msg="the ramp's middle; splines filter a little")
    smooth = make_irregularity(None, None)
    assert not at(smooth, 10.0)[0].any()


def test_same_seed_same_track():
    a, b, c = (spectral_record(erri_b176("low"), 200.0, seed).values for seed in (1, 1, 2))
    np.testing.assert_array_equal(a, b)
    assert np.max(np.abs(a - c)) > 1e-4
    flat = spectral_record(erri_b176("low"), 200.0, 1, lateral=False).values
    assert not flat[:, 0::2].any()
    np.testing.assert_array_equal(flat[:, 1::2], a[:, 1::2])


def test_file(tmp_path):
    path = tmp_path / "track.csv"
    path.write_text(
        "# measured\ndistance_m,left_vertical_mm,right_lateral_um\n"
        + "".join(f"{0.25 * i},{np.sin(0.1 * i)},{100.0 * i}\n" for i in range(200)),
        encoding="utf-8",
    )
    record = file_record(path)
    assert record.step == 0.25 and record.values.shape == (200, 4)
    np.testing.assert_allclose(record.values[50], [0.0, 1e-3 * np.sin(5.0), 5e-3, 0.0], rtol=1e-12)


@pytest.mark.parametrize(
    "text, words",
    [
        ("x,y\n1,2\n1,2\n1,2\n1,2\n", "first column"),
        ("distance_m,left_up_mm\n0,1\n1,1\n2,1\n3,1\n", "left_up_mm"),
        ("distance_m,left_vertical_ft\n0,1\n1,1\n2,1\n3,1\n", "with _m, _mm or _um"),
        ("distance_m,left_vertical_mm\n0,1\n1,1\n1,1\n3,1\n", ":4: distance"),
        ("distance_m,left_vertical_mm\n0,1\n1,nan\n2,1\n3,1\n", "finite"),
        ("distance_m,left_vertical_mm\n0,1\n1\n2,1\n3,1\n", "must be 2 numbers"),
        ("distance_m\n", "four rows or more"),
    ],
)
def test_bad_file(tmp_path, text, words):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match=words):
        file_record(path)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: erri_b176("medium"), "'low' or 'high'"),
        (lambda: fra(7), "1 to 6"),
        (lambda: spectral_record(erri_b176("low"), 100.0, 1, 1.0, 2.0), "must exceed"),
        (lambda: spectral_record(erri_b176("low"), -1.0, 1), "length"),
        (lambda: roughness_table("iso"), "average_network"),
        (lambda: roughness_record(10.0, 1, longest_wave=1e-3, shortest_wave=1e-4), "no roughness band"),
        (lambda: file_record("nowhere.csv"), "no such file"),
        (lambda: make_irregularity(ramp=-1.0), "ramp"),
    ],
)
def test_refused(make, words):
    with pytest.raises(ScenarioError, match=words):
        make()


def test_coefficients_of_the_spline_are_the_filter_to_the_bit():
    values = np.random.default_rng(3).normal(size=(200, 4))
    weights = np.sqrt(3.0) * (np.sqrt(3.0) - 2.0) ** np.abs(np.arange(-_REACH, _REACH + 1))
    np.testing.assert_array_equal(_coefficients(values), correlate1d(values, weights, axis=0, mode="nearest"))
