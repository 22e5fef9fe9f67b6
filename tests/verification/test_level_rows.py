"""Third octaves of two runs, each with its own samples: what lies above half the rate of the coarse ones folds."""

import numpy as np
import xarray as xr

from flexwheel.verification.spectra_basis import level_rows

COUNT, STEP = 50000, 5e-5


def _dataset(values, step):
    dims = ("time", "control_node", "point", "axis")
    parts = {"acceleration": (dims, values[:, None, None]), "von_mises": (dims[:3], values[:, :1, None])}
    coords = {"time": step * np.arange(len(values)), "control_node": ["tread"], "point": ["fixed"]}
    return xr.Dataset(parts, coords)


def test_a_reference_keeps_its_own_samples():
    """A signal of 20 to 1250 Hz beside the same with as strong a one of 5 to 10 kHz: equal by every sample, 2 dB apart
    by every other one."""
    random = np.random.default_rng(4)
    frequency = np.fft.rfftfreq(COUNT, STEP)
    waves = random.normal(size=(2, len(frequency), 3)) + 1j * random.normal(size=(2, len(frequency), 3))
    low = np.fft.irfft(waves[0] * ((frequency > 9.0) & (frequency < 1400.0))[:, None], COUNT, axis=0)
    high = np.fft.irfft(waves[1] * ((frequency > 5000.0) & (frequency < 1e4))[:, None], COUNT, axis=0)
    coarse = _dataset(low[::2], 2 * STEP)
    whole, folded = (_dataset(x, step) for x, step in ((low + high, STEP), ((low + high)[::2], 2 * STEP)))
    own = [row.value for row in level_rows("", coarse, whole, 0.5, "")]
    assert np.max(own) < 0.02
    assert np.min([row.value for row in level_rows("", coarse, folded, 0.5, "")]) > 2.0
