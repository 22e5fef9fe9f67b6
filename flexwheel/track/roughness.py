"""Short-wave rail roughness from third-octave levels, with the filter of the finite contact patch."""

from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, exists, read_text
from flexwheel.base.shipped import TRACK as TRACK_DATA

REFERENCE = 1e-6
"""[m] 0 dB of a roughness level (rms)."""

PATCH_HALF_LENGTH = 0.006
"""[m] of the contact filter: usual size, assumed."""

BAND_HALF_WIDTH = 10.0**0.05
"""Ratio of the edge of a third-octave band to its centre (base-ten bands)."""


HIGHEST_DB = 100.0  # re 1 um: 0.1 m


def roughness_table(name="iso3095"):
    """Third-octave table: wavelengths (k,) [m], descending, and levels (k,) [dB re 1 um].

    name : 'iso3095', 'average_network', or the path of a CSV file with columns wavelength_m, level_dB

    Raises ScenarioError with file and line.
    """
    path = Path(name) if str(name).endswith(".csv") else TRACK_DATA / "roughness" / f"{name}.csv"
    if not str(name).endswith(".csv") and not exists(path):
        known = sorted(p.stem for p in (TRACK_DATA / "roughness").glob("*.csv"))
        raise ScenarioError(
            f"roughness must be one of {', '.join(known)} or the path of a .csv file, got {str(name)!r}"
        )
    rows, header = [], None
    for number, line in enumerate(read_text(path, "a CSV table of roughness levels").split("\n"), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        cells = [c.strip() for c in line.split(",")]
        if header is None:
            header = cells
            if header != ["wavelength_m", "level_dB"]:
                raise ScenarioError(
                    f"{path}:{number}: the header must be wavelength_m,level_dB, got {clipped(repr(cells))}"
                )
            continue
        try:
            wave, level = (float(c) for c in cells)
        except ValueError:
            raise ScenarioError(f"{path}:{number} must be two numbers, got {clipped(repr(line))}") from None
        if not (1e-4 <= wave <= 100.0 and abs(level) <= HIGHEST_DB):
            raise ScenarioError(
                f"{path}:{number} must be a wavelength of 0.0001 to 100 m and a level within +-{HIGHEST_DB:g} dB, got "
                f"{clipped(repr(line))}"
            )
        rows.append((wave, level))
    if len(rows) < 2:
        raise ScenarioError(f"{path} must have two bands or more")
    table = np.array(sorted(rows, reverse=True))
    ratio = table[:-1, 0] / table[1:, 0]
    if np.any(np.abs(10.0 * np.log10(ratio) - 1.0) > 0.1):
        raise ScenarioError(f"{path}: bands must be consecutive third octaves, a factor of 1.26 apart")
    return table[:, 0], table[:, 1]


def roughness_variance(wavelengths, levels, longest_wave, shortest_wave, contact_semi_axis=0.0):
    """Cumulative variance of a table whose density is constant over each band.

    Parameters
    ----------
    wavelengths, levels : (k,) [m], [dB re 1 um]   descending wavelengths
    longest_wave, shortest_wave : float [m]        bands centred outside are left out
    contact_semi_axis : float [m]                  a of the contact filter, 0 for none

    Returns
    -------
    frequency (m,) [1/m], variance (m,) [m2]       as for random_waves.random_waves
    """
    inside = (wavelengths <= longest_wave * 1.001) & (wavelengths >= shortest_wave * 0.999)
    if not np.any(inside):
        raise ScenarioError(f"no roughness band lies between {longest_wave:g} and {shortest_wave:g} m")
    centre = 10.0 ** (np.round(10.0 * np.log10(1.0 / wavelengths[inside])) / 10.0)
    square = REFERENCE**2 * 10.0 ** (levels[inside] / 10.0)
    frequency, steps = [centre[0] / BAND_HALF_WIDTH], [0.0]
    for f, variance in zip(centre, square, strict=True):
        edges = np.linspace(f / BAND_HALF_WIDTH, f * BAND_HALF_WIDTH, 33)
        middle = 0.5 * (edges[1:] + edges[:-1])
        frequency.extend(edges[1:])
        steps.extend(variance / 32.0 * contact_filter(middle, contact_semi_axis))
    return np.array(frequency), np.cumsum(steps)


def contact_filter(frequency, semi_axis):
    """|H|^2 of the contact patch at spatial frequency [1/m]: 1 / (1 + pi/4 (k a)^3), k = 2 pi f, a = semi_axis [m].

    Source: Remington 1976, J. Sound Vib. 46(3), 419-436, as quoted in Thompson, Railway Noise and Vibration, ch. 5.
    """
    return 1.0 / (1.0 + 0.25 * np.pi * (2.0 * np.pi * np.asarray(frequency) * semi_axis) ** 3)
