"""Irregularity of both rails along the track, as cubic splines for the time loop.

Displacement of each rail head from its ideal place in track axes, lateral to the left and vertical up on both sides.
Three layers are added: long waves (lateral and vertical of both rails), short-wave roughness (vertical), and what
excitations add by place (`excitation`). All grow from zero over a run-in length; before the start and after the end
they are zero. What is random is a function of place and seed alone, bit by bit, from the end of the run-in on: knots
lie at fixed places, a coefficient of the splines depends on its next 28 neighbours only, and the run-in multiplies
coefficients.
"""

from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.base.capacity import require_memory
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_text
from flexwheel.numerics.kernels import kernel
from flexwheel.track.excitation import excitations_of, sampled_heights
from flexwheel.track.psd import cumulative_variance
from flexwheel.track.random_waves import BYTES_PER_SAMPLE, block_samples, random_waves
from flexwheel.track.roughness import roughness_table, roughness_variance

KNOTS_PER_WAVE = 8
"""Spline knots in the shortest long wave; 6 in the shortest roughness wave."""

_REACH = 28  # knots on each side that a coefficient depends on: 0.268^28 is below rounding
_PAD = _REACH + 2
MOST_MEMORY = 4e9  # [byte] of an irregularity: 100 km in waves of 2 cm
MOST_OF_BLOCK = 2**23  # samples: however short the run, three blocks of each channel are made, 6 s of CPU


class IrregularityTable(NamedTuple):
    """Uniform cubic B-splines of the irregularity."""

    long_start: float  # [m] arc length of coefficient 0
    long_step: float  # [m] knot spacing
    long: np.ndarray  # (n, 4) [m] coefficients: left lateral, left vertical, right lateral, right vertical
    short_start: float  # [m]
    short_step: float  # [m]
    short: np.ndarray  # (m, 2) [m] left vertical, right vertical
    local_start: float  # [m]
    local_step: float  # [m]
    local: np.ndarray  # (k, 4) [m] of excitations, in the order of `long`


class Record(NamedTuple):
    """Equidistant samples from s = start [m] on: step [m], values (n, channels) [m]."""

    start: float
    step: float
    values: np.ndarray


def spectral_record(spectra, length, seed, longest_wave=100.0, shortest_wave=1.0, lateral=True):
    """Left lateral, left vertical, right lateral, right vertical from TrackSpectra, for s = 0 to length [m] and beyond.

    Each rail is the mean of both plus or minus half the cross level (angle times half_spacing) or half the gauge
    deviation. The same seed gives the same height at the same place, whatever the length; each of the four processes
    has its own phases.
    """
    for name, value in (("length", length), ("longest_wave", longest_wave), ("shortest_wave", shortest_wave)):
        if not (np.isfinite(value) and value > 0.0):
            raise ScenarioError(f"irregularity {name} must be a positive number, got {value!r} m")
    if longest_wave <= shortest_wave:
        raise ScenarioError(f"longest_wave {longest_wave:g} m must exceed shortest_wave {shortest_wave:g} m")
    step = shortest_wave / KNOTS_PER_WAVE
    _require_size(length, step, longest_wave, 4, f"irregularity.shortest_wave_m = {shortest_wave:g}")
    process = [
        random_waves(*cumulative_variance(spectrum, longest_wave, shortest_wave), step, *_samples(length, step), key)
        for spectrum, key in zip(spectra[:4], ((seed, channel) for channel in range(4)), strict=True)
    ]
    mean_z, mean_y, angle, gauge = process
    rise = spectra.half_spacing * angle
    values = np.stack((mean_y + 0.5 * gauge, mean_z + rise, mean_y - 0.5 * gauge, mean_z - rise), axis=1)
    values[:, 0::2] *= float(lateral)
    return Record(-_PAD * step, step, values)


def roughness_record(
    length, seed, table="iso3095", shift_db=0.0, longest_wave=0.63, shortest_wave=0.01, contact_semi_axis=0.006
):
    """Roughness of the left and the right rail (n, 2), independent, from third-octave levels.

    contact_semi_axis [m] is the filter's patch half-length along the rail, 0 for no filter; shift_db is added to
    every level.
    """
    wavelengths, levels = roughness_table(table)
    frequency, variance = roughness_variance(
        wavelengths, levels + shift_db, longest_wave, shortest_wave, contact_semi_axis
    )
    step = 1.0 / (6.0 * frequency[-1])
    key = f"irregularity.roughness_shortest_wave_m = {shortest_wave:g}"
    _require_size(length, step, 1.0 / frequency[0], 2, key)
    rails = [random_waves(frequency, variance, step, *_samples(length, step), (seed, 10 + side)) for side in range(2)]
    return Record(-_PAD * step, step, np.stack(rails, axis=1))


def excitation_record(section, length):
    """Heights of the excitations of [irregularity], for s = 0 to length [m] and beyond; None where there is none."""
    spacing = min((value.spacing(keys) for value, keys in excitations_of(section)), default=None)
    if spacing is None:
        return None
    _require_size(length, spacing, 100.0 * spacing, 4, f"irregularity, knots every {spacing:g} m")
    values, step = sampled_heights(section, -_PAD * spacing, length + _PAD * spacing)
    return Record(-_PAD * step, step, values)


def _samples(length, step):
    """First sample and their number from s = 0 to length [m], with what the splines need at both ends."""
    return -_PAD, int(np.ceil(length / step)) + 1 + 2 * _PAD


def _require_size(length, step, longest_wave, channels, key):
    """Refuse a record that does not fit: a block at work, the record and its spline 40 byte a sample and channel.

    One whose shortest and longest waves are so far apart that a block takes long is refused as well.
    """
    samples, block = length / step, block_samples(1.0 / longest_wave, step)
    size = BYTES_PER_SAMPLE * block + 40.0 * channels * samples
    require_memory(
        size, f"{key} over {length:.4g} m: {samples:.3g} samples", "raise it or shorten the run", MOST_MEMORY
    )
    if block > MOST_OF_BLOCK:
        raise ScenarioError(f"{key} beside waves of {longest_wave:.4g} m: too far apart; raise it or lower the longest")


FILE_COLUMNS = ("left_lateral", "left_vertical", "right_lateral", "right_vertical")
_UNITS = {"m": 1.0, "mm": 1e-3, "um": 1e-6}


def file_record(path):
    """Irregularity from a CSV file: distance_m (or s_m) and left_lateral_mm ... right_vertical_mm (unit m, mm or um).

    A missing column counts as zero. Distances rise; unequal ones are resampled to the smallest spacing by a cubic
    spline.
    """
    text = read_text(path, "a CSV table of the irregularity")
    lines = [(i, line.split("#")[0].strip()) for i, line in enumerate(text.split("\n"), 1)]
    lines = [(i, text) for i, text in lines if text]
    if len(lines) < 5:
        raise ScenarioError(f"{path} must have a header and four rows or more")
    header = [c.strip() for c in lines[0][1].split(",")]
    where, scale = _columns(path, lines[0][0], header)
    rows = np.zeros((len(lines) - 1, len(header)))
    for k, (number, text) in enumerate(lines[1:]):
        cells = text.split(",")
        try:
            rows[k] = np.array([float(c) for c in cells]).reshape(len(header))
        except ValueError:
            raise ScenarioError(f"{path}:{number} must be {len(header)} numbers, got {clipped(repr(text))}") from None
        if not np.all(np.isfinite(rows[k])):
            raise ScenarioError(f"{path}:{number} must be finite numbers, got {clipped(repr(text))}")
        if k and rows[k, 0] <= rows[k - 1, 0]:
            raise ScenarioError(f"{path}:{number}: distance {rows[k, 0]:g} m does not exceed the one before")
    s = rows[:, 0]
    values = np.zeros((len(s), 4))
    for channel in range(4):
        if where[channel] is not None:
            values[:, channel] = scale[channel] * rows[:, where[channel]]
    step = float(np.min(np.diff(s)))
    if not s[-1] - s[0] <= 5_000_000 * step:
        raise ScenarioError(f"{path}: spacing of {step:g} m over {s[-1] - s[0]:g} m: too many samples")
    count = int(np.floor((s[-1] - s[0]) / step * (1.0 + 1e-9))) + 1
    if np.max(np.abs(np.diff(s) - step)) > 1e-6 * step:
        values = scipy.interpolate.CubicSpline(s, values)(s[0] + step * np.arange(count))
    return Record(float(s[0]), step, values[:count])


def _columns(path, number, header):
    """Column and unit factor of each channel."""
    if header[0] not in ("distance_m", "s_m"):
        raise ScenarioError(f"{path}:{number}: first column must be s_m or distance_m, got {header[0]!r}")
    where, scale = [None] * 4, [0.0] * 4
    for column, name in enumerate(header[1:], 1):
        base, _, unit = name.rpartition("_")
        if base not in FILE_COLUMNS or unit not in _UNITS:
            raise ScenarioError(
                f"{path}:{number}: column must be one of {', '.join(FILE_COLUMNS)} with _m, _mm or _um, got {name!r}"
            )
        if where[FILE_COLUMNS.index(base)] is not None:
            raise ScenarioError(f"{path}:{number}: column {base} is there twice")
        where[FILE_COLUMNS.index(base)], scale[FILE_COLUMNS.index(base)] = column, _UNITS[unit]
    return where, scale


def make_irregularity(long=None, roughness=None, start=0.0, ramp=10.0, local=None) -> IrregularityTable:
    """Spline table from Records (None: without).

    Parameters
    ----------
    long : Record with 4 channels or None
    roughness : Record with 2 channels or None
    local : Record with 4 channels or None     of excitations
    start : float [m]         all are zero up to here,
    ramp : float [m]          and grow to full size over this length (smooth to the second derivative); they fall to
                              zero over the same length before their end
    """
    if not (np.isfinite(ramp) and ramp >= 0.0 and np.isfinite(start)):
        raise ScenarioError(f"irregularity start must be a number and ramp a number >= 0, got {start!r} and {ramp!r} m")
    fields = []
    for record, channels in ((long, 4), (roughness, 2), (local, 4)):
        if record is None:
            fields += [0.0, 1.0, np.zeros((0, channels))]
            continue
        if record.values.shape[1] != channels or not np.all(np.isfinite(record.values)):
            raise ScenarioError(
                f"an irregularity record must be finite values of {channels} channels, got {record.values.shape}"
            )
        s = record.start + record.step * np.arange(len(record.values))
        window = _grow(s, max(start, s[0]), ramp) * _grow(-s, -s[-1], ramp)
        coefficients = np.zeros((len(s) + 2 * _PAD, channels))
        coefficients[_PAD:-_PAD] = window[:, None] * _coefficients(record.values)
        fields += [float(record.start - _PAD * record.step), float(record.step), coefficients]
    return IrregularityTable(*fields)


def _coefficients(values):
    """Coefficients (n, c) of the cubic B-spline through samples (n, c): their sums with weights sqrt(3) z^|k|.

    Source: Unser, Aldroubi and Eden 1993, IEEE Trans. Signal Processing 41(2), 821-833: z = sqrt(3) - 2.
    """
    weights = np.sqrt(3.0) * (np.sqrt(3.0) - 2.0) ** np.abs(np.arange(-_REACH, _REACH + 1))
    padded, total = np.pad(values, ((_REACH, _REACH), (0, 0)), mode="edge"), weights[_REACH] * values
    for k in range(_REACH):
        total += weights[k] * (padded[k : k + len(values)] + padded[2 * _REACH - k : len(padded) - k])
    return total


def record_span(table):
    """First and last arc length [m] of the long waves of an IrregularityTable."""
    step = table.long_step
    return table.long_start + _PAD * step, table.long_start + (len(table.long) - 1 - _PAD) * step


def _grow(s, start, ramp):
    """Smooth step from 0 at start to 1 at start + ramp."""
    t = np.clip((s - start) / ramp, 0.0, 1.0) if ramp > 0.0 else (s >= start).astype(float)
    return t**3 * (10.0 - 15.0 * t + 6.0 * t * t)


@kernel
def irregularity_at(table, s, out, slope):
    """Irregularity at arc length s [m]: fills out (4,) [m] and slope (4,) [-] = d out / ds.

    Order: left lateral, left vertical, right lateral, right vertical; lateral to the left, vertical up.
    """
    for c in range(4):
        out[c] = 0.0
        slope[c] = 0.0
    _add_layer(table.long_start, table.long_step, table.long, s, out, slope)
    n = table.short.shape[0]
    t = (s - table.short_start) / table.short_step
    if n > 3 and 1.0 <= t < n - 2.0:
        i = int(t)
        w, d = spline_weights(t - i, table.short_step)
        for c in range(2):
            a, b, e, f = table.short[i - 1, c], table.short[i, c], table.short[i + 1, c], table.short[i + 2, c]
            out[2 * c + 1] += w[0] * a + w[1] * b + w[2] * e + w[3] * f
            slope[2 * c + 1] += d[0] * a + d[1] * b + d[2] * e + d[3] * f
    _add_layer(table.local_start, table.local_step, table.local, s, out, slope)


@kernel
def _add_layer(start, step, coefficients, s, out, slope):
    """Add a layer of four channels at arc length s [m] to out and slope."""
    n = coefficients.shape[0]
    t = (s - start) / step
    if n > 3 and 1.0 <= t < n - 2.0:
        i = int(t)
        w, d = spline_weights(t - i, step)
        for c in range(4):
            a, b, e, f = coefficients[i - 1, c], coefficients[i, c], coefficients[i + 1, c], coefficients[i + 2, c]
            out[c] += w[0] * a + w[1] * b + w[2] * e + w[3] * f
            slope[c] += d[0] * a + d[1] * b + d[2] * e + d[3] * f


@kernel(inline="always")
def spline_weights(x, step):
    """Weights of four B-spline coefficients for the value, and for the slope [1/m]."""
    y = 1.0 - x
    value = (
        y * y * y / 6.0,
        (3.0 * x * x * x - 6.0 * x * x + 4.0) / 6.0,
        (3.0 * y * y * y - 6.0 * y * y + 4.0) / 6.0,
        x * x * x / 6.0,
    )
    h = 0.5 / step
    return value, (-h * y * y, h * (3.0 * x * x - 4.0 * x), -h * (3.0 * y * y - 4.0 * y), h * x * x)
