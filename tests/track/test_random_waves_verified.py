"""Random irregularity as a function of place and seed alone, and its spectrum against the one asked for."""

import numpy as np
import pytest

from flexwheel.numerics.kernels import kernel
from flexwheel.run.build.build_track import build_irregularity
from flexwheel.run.keys.irregularity_keys import IrregularitySection
from flexwheel.track.irregularity import irregularity_at
from flexwheel.track.random_waves import block_samples, random_waves

SECTION = IrregularitySection(ramp_m=5.0)
PLACES = np.sort(np.random.default_rng(7).uniform(5.0, 19.0, 1000))


@kernel
def _fill(table, places, out, slope):
    for i in range(len(places)):
        irregularity_at(table, places[i], out[i], slope[i])


def heights(length, start=0.0, places=PLACES, section=SECTION):
    """Height and slope (n, 4, 2) at the places."""
    out = np.zeros((2, len(places), 4))
    _fill(build_irregularity(section, length, start), places, *out)
    return np.moveaxis(out, 0, -1)


def test_same_place_same_height_for_any_length():
    """A run's speed, duration and steps reach the irregularity through its length alone."""
    short = heights(20.0)
    assert np.all(np.std(short[..., 0], axis=0) > 1e-5)
    for length in (20.0001, 24.3, 33.0, 100.0, 333.3, 2000.0):
        np.testing.assert_array_equal(heights(length), short, err_msg=f"{length} m")


def test_same_place_same_height_for_any_start():
    """From two knots beyond the run-in on, and across the joints of blocks: 24 m of roughness, 512 m of long waves."""
    places = np.sort(np.random.default_rng(8).uniform(490.0, 540.0, 1000))
    section = SECTION.model_copy(update={"longest_wave_m": 12.0})
    far = heights(570.0, 0.0, places, section)
    for start in (17.3, 234.5, 484.0):
        np.testing.assert_array_equal(heights(550.0, start, places, section), far, err_msg=f"{start} m")
    other = heights(550.0, 0.0, places, section.model_copy(update={"seed": 2}))
    assert abs(np.corrcoef(other[:, 1, 0], far[:, 1, 0])[0, 1]) < 0.9


def test_any_part_of_the_samples_is_the_part_of_the_whole():
    """Parts that begin and end anywhere, over many blocks of 1024 samples."""
    spectrum = np.array([0.5, 1.0]), np.array([0.0, 1.0])
    assert block_samples(0.5, 0.15) == 1024
    whole = random_waves(*spectrum, 0.15, -30, 20000, (3, 1))
    for first, last in ((-30, -29), (-1, 1), (511, 513), (512, 1024), (1000, 9000), (19000, 19970)):
        np.testing.assert_array_equal(
            random_waves(*spectrum, 0.15, first, last - first, (3, 1)), whole[first + 30 : last + 30]
        )


@pytest.mark.parametrize("step", [0.05, 0.15])
def test_density_of_many_blocks(step):
    """Flat from 0.5 to 1/m, of variance 1: periodograms of 250 pieces, each of the length of four blocks."""
    n = 4 * block_samples(0.5, step)
    x = random_waves(np.array([0.5, 1.0]), np.array([0.0, 1.0]), step, 0, 250 * n, (5, 0)).reshape(250, n)
    f = np.fft.rfftfreq(n, step)
    density = np.mean(2.0 * step / n * np.abs(np.fft.rfft(x * np.hanning(n), axis=1)) ** 2, axis=0) * 8.0 / 3.0
    inside, outside = (f > 0.52) & (f < 0.98), (f < 0.46) | (f > 1.04)
    bands = np.array([np.mean(b) for b in np.array_split(density[inside], 8)])
    scatter = 1.0 / np.sqrt(250 * n * step * 0.46 / 8.0)
    np.testing.assert_allclose(bands, 2.0, rtol=4.0 * scatter, err_msg="of a Gaussian process in its bands")
    assert np.max(density[outside]) < 1e-4 * 2.0, "the window's side lobes fall as the fourth power"
    lags = np.mean(x**2), np.mean(np.mean(x**2, axis=0).reshape(8, -1), axis=1)
    np.testing.assert_allclose(lags[0], 1.0, rtol=4.0 / np.sqrt(250 * n * step * 0.5))
    np.testing.assert_allclose(lags[1], 1.0, rtol=4.0 / np.sqrt(250 * n * step * 0.5 / 8.0), err_msg="all places alike")
    kurtosis = np.mean(x**4) / np.mean(x**2) ** 2
    assert abs(kurtosis - 3.0) < 0.1, "nearly Gaussian: 64 lines and more"


def test_neighbouring_blocks_and_channels_have_nothing_in_common():
    spectrum = np.array([0.5, 1.0]), np.array([0.0, 1.0])
    x, y = (random_waves(*spectrum, 0.15, 0, 400_000, (5, channel)) for channel in range(2))
    scatter = 1.0 / np.sqrt(400_000 * 0.15 * 0.5)
    assert abs(np.mean(x * y)) < 4.0 * scatter
    for hops in (1, 2, 3):
        lag = 512 * hops
        assert abs(np.mean(x[lag:] * x[:-lag])) < 6.0 * scatter, "of a band of 0.5/m, twice the variance at a lag"
