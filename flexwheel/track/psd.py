"""Long-wave track irregularity spectra.

Spectra are one-sided in the angular wavenumber W [rad/m]: variance = integral of S dW over the band.
"""

import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import TRACK as TRACK_DATA


class RationalSpectrum(NamedTuple):
    """S(W) = amplitude W^(2 rise) / product of (W^2 + corner^2); m2/(rad/m), or rad2/(rad/m) for an angle."""

    amplitude: float
    rise: int
    corners: tuple

    def __call__(self, wavenumber):
        w2 = np.asarray(wavenumber, dtype=float) ** 2
        out = self.amplitude * w2**self.rise
        for corner in self.corners:
            out = out / (w2 + corner**2)
        return out


class TrackSpectra(NamedTuple):
    """Spectra of a track: both rails together and their difference.

    vertical, lateral, gauge [m2/(rad/m)], cross_level [rad2/(rad/m)] (angle); half_spacing [m]
    """

    vertical: RationalSpectrum
    lateral: RationalSpectrum
    cross_level: RationalSpectrum
    gauge: RationalSpectrum
    half_spacing: float


def _constants(name, path):
    """Table of a spectrum's constants, of the shipped file or another."""
    return tomllib.loads(Path(path or TRACK_DATA / "irregularity" / f"{name}.toml").read_text(encoding="utf-8"))


def erri_b176(level, path=""):
    """ERRI B176 spectra, level 'low' or 'high'.

    path: a file of other constants. Source: ORE B176; constants and their sources in track/irregularity/erri_b176.toml.
    Verified in tests/track/test_track_irregularity_verified.py.
    """
    table = _constants("erri_b176", path)
    if level not in ("low", "high"):
        raise ScenarioError(f"irregularity level must be 'low' or 'high', got {level!r}")
    c, r, s, b = (table[k]["value"] for k in ("corner_c", "corner_r", "corner_s", "half_spacing"))
    vertical, lateral, gauge = (table[level][k]["value"] for k in ("vertical", "lateral", "gauge"))
    return TrackSpectra(
        RationalSpectrum(vertical * c * c, 0, (r, c)),
        RationalSpectrum(lateral * c * c, 0, (r, c)),
        RationalSpectrum(vertical * c * c / b**2, 1, (r, c, s)),
        RationalSpectrum(gauge * c * c, 1, (r, c, s)),
        b,
    )


def fra(track_class, path=""):
    """FRA spectra, class 1 (worst) to 6; constants in track/irregularity/fra.toml, or in the file `path`."""
    table = _constants("fra", path)
    if track_class not in range(1, 7):
        raise ScenarioError(f"FRA class must be 1 to 6, got {track_class!r}")
    i = track_class - 1
    k, c, b = table["k"]["value"], table["corner_c"]["value"], table["half_spacing"]["value"]
    vertical, lateral, s = (table[name]["value"][i] for name in ("vertical_cm2", "lateral_cm2", "corner_s"))
    vertical, lateral = k * vertical * 1e-4, k * lateral * 1e-4
    return TrackSpectra(
        RationalSpectrum(vertical * c * c, 0, (0.0, c)),
        RationalSpectrum(lateral * c * c, 0, (0.0, c)),
        RationalSpectrum(4.0 * vertical * c * c / (2.0 * b) ** 2, 0, (c, s)),
        RationalSpectrum(4.0 * vertical * c * c, 0, (c, s)),
        b,
    )


def cumulative_variance(spectrum, longest_wave, shortest_wave, points=4001):
    """Frequencies f [1/m] and the variance [m2] from 1/longest_wave up to each."""
    w = 2.0 * np.pi * np.geomspace(1.0 / longest_wave, 1.0 / shortest_wave, points)
    x, weight = np.polynomial.legendre.leggauss(4)
    middle, half = 0.5 * (w[1:] + w[:-1]), 0.5 * np.diff(w)
    steps = half * np.sum(weight[:, None] * spectrum(middle + half * x[:, None]), axis=0)
    return w / (2.0 * np.pi), np.concatenate(([0.0], np.cumsum(steps)))
