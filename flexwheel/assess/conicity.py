"""Equivalent conicity of a wheelset from its rolling-radius difference.

The free wheelset follows e r0 y'' = -Delta_r(y); a cone of angle gamma has Delta_r = 2 y tan(gamma) and the wave
2 pi sqrt(e r0 / (2 tan gamma)). Equivalent is the cone with the same wave at the same amplitude, the amplitude being
half of the distance between the turning points. Neither e nor r0 is left in it.

- integration: the equation of motion, solved exactly for a Delta_r that is linear between the points of its table.
  With U the integral of Delta_r and v = sqrt(2 (E - U)), a cell of slope s takes 2/sqrt(s) atan(sqrt(s) dy/(v0 + v1))
  (atanh where s < 0).
- regression: half of the slope of the straight line fitted to Delta_r between the turning points.
- harmonic: half of the first Fourier coefficient of Delta_r for a sinusoidal motion between the turning points.

A table that ends before the turning point is continued with its last slope up to the start of the flange, and
from there with the flange's; such values are marked.

Source: EN 15302:2008, annexes B (integration) and C (regression); UIC 519.
Verified in tests/verification/test_conicity_verified.py.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ContactError

FLANGE_START = 0.013  # [m] Delta_r at which a standard flange runs straight (S1002: 12 to 13 mm)
FLANGE_SLOPE = np.tan(np.radians(70.0))
FARTHEST = 0.003  # [m] a table is continued by at most this
NOTHING = 1e-12  # [m] of Delta_r, a thousandth of an atom
LEAST_AMPLITUDE = 1e-9  # [m] ten atoms


@dataclass(frozen=True)
class DeltaR:
    """Rolling-radius difference against the lateral shift of the wheelset."""

    y: np.ndarray  # (n,) [m] increasing
    delta_r: np.ndarray  # (n,) [m] radius on the side the wheelset moves to when y grows, minus the other

    def __post_init__(self):
        y, delta_r = np.asarray(self.y, float), np.asarray(self.delta_r, float)
        object.__setattr__(self, "y", y)
        object.__setattr__(self, "delta_r", delta_r)
        if y.ndim != 1 or y.shape != delta_r.shape or y.size < 3:
            raise ContactError(
                f"delta r: y and delta_r must have the same shape (n,), n >= 3, got {y.shape} and {delta_r.shape}"
            )
        if not (np.all(np.isfinite(y)) and np.all(np.isfinite(delta_r))):
            raise ContactError("delta r: a value is not finite")
        if np.any(np.diff(y) <= 0.0):
            at = int(np.argmax(np.diff(y) <= 0.0))
            raise ContactError(f"delta r: y must increase, {1e3 * y[at + 1]:g} mm after {1e3 * y[at]:g} mm")
        if np.ptp(y) > 0.2 or np.abs(delta_r).max() > 0.2:
            raise ContactError(
                f"delta r: width of y and delta_r must be at most 200 mm, got {1e3 * np.ptp(y):g} and "
                f"{1e3 * np.abs(delta_r).max():g} mm; is the unit right?"
            )
        if delta_r[-1] < delta_r[0]:
            raise ContactError(
                f"delta r must rise over the table, got {1e3 * delta_r[0]:g} to {1e3 * delta_r[-1]:g} mm; it is the "
                "radius on the side y points to minus the other; change the sign of one column"
            )


@dataclass(frozen=True)
class Conicity:
    """Equivalent conicity against amplitude; not a number where there is no such oscillation."""

    amplitude: np.ndarray  # (n,) [m]
    integration: np.ndarray  # (n,) [-] tan gamma_e by the three methods
    regression: np.ndarray
    harmonic: np.ndarray
    low: np.ndarray  # (n,) [m] turning points
    high: np.ndarray  # (n,) [m] turning points
    beyond_table: np.ndarray  # (n,) bool a turning point lies in the continued part

    def wavelength(self, contact_distance, radius):
        """Wave of the free wheelset [m] (n,), infinite at zero conicity; contact_distance e, radius r0 [m]."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return 2.0 * np.pi * np.sqrt(contact_distance * radius / (2.0 * self.integration))


def equivalent_conicity(table, amplitudes) -> Conicity:
    """Equivalent conicity of a rolling-radius difference at given amplitudes.

    Parameters
    ----------
    table : DeltaR
    amplitudes : (n,) float [m]    at least LEAST_AMPLITUDE

    Notes
    -----
    The wheelset oscillates about a stable place of rolling, where Delta_r rises through zero; of several the one with
    the lowest potential is taken. Where Delta_r falls through zero (negative conicity), motions about a place
    beside the middle end at the barrier and those over it begin at a larger amplitude: between these `integration`
    and `harmonic` are not numbers, and `regression` is taken about the top of the barrier, where it is negative. On
    a bottom without slope the wave is infinite and the conicity zero.

    Source: EN 15302:2008, annexes B and C. Verified in tests/verification/test_conicity_verified.py.
    """
    amplitudes = np.atleast_1d(np.asarray(amplitudes, float))
    if amplitudes.size == 0 or not np.all(np.isfinite(amplitudes) & (amplitudes >= LEAST_AMPLITUDE)):
        raise ContactError(
            f"equivalent conicity: amplitudes must be at least {LEAST_AMPLITUDE:g} m, got {amplitudes!r}"
        )
    y, delta_r = _with_zeros(*_continued(table))
    potential = np.concatenate([[0.0], np.cumsum(0.5 * (delta_r[1:] + delta_r[:-1]) * np.diff(y))])
    rows = [_at_amplitude(y, delta_r, potential, amplitude) for amplitude in amplitudes]
    integration, regression, harmonic, low, high = np.array(rows).T
    beyond = (low < table.y[0] - 1e-12) | (high > table.y[-1] + 1e-12)
    return Conicity(amplitudes, integration, regression, harmonic, low, high, beyond)


def _continued(table):
    """Table with the flange added at both ends where Delta_r rises there."""
    y, delta_r = table.y, table.delta_r
    middle = 0.5 * (delta_r[0] + delta_r[-1])
    y_end, r_end = _flange(y[-2:], delta_r[-2:] - middle)
    y_start, r_start = _flange(-y[1::-1], middle - delta_r[1::-1])
    return (
        np.concatenate([-y_start[::-1], y, y_end]),
        np.concatenate([middle - r_start[::-1], delta_r, middle + r_end]),
    )


def _flange(y, rise):
    """Points beyond the last of two: on with their slope to FLANGE_START, then with FLANGE_SLOPE."""
    slope = (rise[1] - rise[0]) / (y[1] - y[0])
    if slope <= 0.0:
        return np.empty(0), np.empty(0)
    way = (FLANGE_START - rise[1]) / slope
    if way >= FARTHEST:
        return y[1:] + FARTHEST, rise[1:] + slope * FARTHEST
    first = max(way, 0.0)
    ends = np.array([FARTHEST]) if first < 1e-9 else np.array([first, FARTHEST])
    start = rise[1] + slope * first
    return y[1] + ends, start + FLANGE_SLOPE * (ends - first)


def _with_zeros(y, delta_r):
    """The same line with a point wherever it crosses zero, so that every extreme of its integral is at a point."""
    delta_r = np.where(np.abs(delta_r) < NOTHING, 0.0, delta_r)  # else two points may fall together
    cross = np.flatnonzero(delta_r[:-1] * delta_r[1:] < 0.0)
    at = y[cross] - delta_r[cross] * np.diff(y)[cross] / np.diff(delta_r)[cross]
    return np.insert(y, cross + 1, at), np.insert(delta_r, cross + 1, 0.0)


def _at_amplitude(y, delta_r, potential, amplitude):
    """integration, regression, harmonic, low, high at one amplitude."""
    inner = potential[1:-1]
    wells = 1 + np.flatnonzero((inner <= potential[:-2]) & (inner <= potential[2:]))
    none = (np.nan, _regression(y, delta_r, -amplitude, amplitude), np.nan, np.nan, np.nan)
    if wells.size == 0:
        return none
    bottom = int(wells[np.argmin(potential[wells])])
    lowest, highest = potential[bottom], min(potential[:bottom].max(), potential[bottom:].max())
    if _width(y, delta_r, potential, bottom, highest) < 2.0 * amplitude * (1.0 - 1e-9):
        return none
    below, above = lowest, highest
    for _ in range(200):
        energy = 0.5 * (below + above)
        if energy in (below, above):
            break
        if _width(y, delta_r, potential, bottom, energy) < 2.0 * amplitude:
            below = energy
        else:
            above = energy
    low, high = _turning_points(y, delta_r, potential, bottom, above)
    if high - low > 2.0 * amplitude * (1.0 + 1e-9):
        inside = _width(y, delta_r, potential, bottom, below)
        if inside < 1e-12:  # flat bottom, any place on it is one of rest
            middle = 0.5 * (low + high)
            return 0.0, 0.0, 0.0, middle - amplitude, middle + amplitude
        part = (y >= low) & (y <= high)
        top = y[part][np.argmax(potential[part][1:-1]) + 1]
        return np.nan, _regression(y, delta_r, top - amplitude, top + amplitude), np.nan, np.nan, np.nan
    half_wave = _half_wave(y, delta_r, potential, above, low, high)
    return (
        2.0 * np.pi**2 / (2.0 * half_wave) ** 2,
        _regression(y, delta_r, low, high),
        _harmonic(y, delta_r, low, high),
        low,
        high,
    )


def _turning_points(y, delta_r, potential, bottom, energy):
    """Ends of the stretch around `bottom` where the potential is below `energy`."""
    right = bottom + int(np.argmax(potential[bottom:] >= energy))
    left = bottom - int(np.argmax(potential[bottom::-1] >= energy))
    if right == bottom or left == bottom:  # energy at the bottom itself
        right, left = bottom + 1, bottom - 1
    return -_crossing(-y, -delta_r, potential, left + 1, left, energy), _crossing(
        y, delta_r, potential, right - 1, right, energy
    )


def _crossing(y, delta_r, potential, start, end, energy):
    """Place between two points where the potential, rising from the first, reaches `energy`."""
    slope = (delta_r[end] - delta_r[start]) / (y[end] - y[start])
    missing = max(energy - potential[start], 0.0)
    force = max(delta_r[start], 0.0)
    speed = force + np.sqrt(max(force * force + 2.0 * slope * missing, 0.0))
    return y[start] + (min(2.0 * missing / speed, y[end] - y[start]) if speed > 0.0 else 0.0)


def _width(y, delta_r, potential, bottom, energy):
    low, high = _turning_points(y, delta_r, potential, bottom, energy)
    return high - low


def _half_wave(y, delta_r, potential, energy, low, high):
    """Time of y'' = -Delta_r from one turning point to the other."""
    inside = (y > low) & (y < high)
    at = np.concatenate([[low], y[inside], [high]])
    speed = np.concatenate([[0.0], np.sqrt(2.0 * np.maximum(energy - potential[inside], 0.0)), [0.0]])
    middle = 0.5 * (at[1:] + at[:-1])
    cell = np.clip(np.searchsorted(y, middle, side="right") - 1, 0, y.size - 2)
    slope = (np.diff(delta_r) / np.diff(y))[cell]
    with np.errstate(divide="ignore"):
        plain = np.diff(at) / (speed[1:] + speed[:-1])
    root = np.sqrt(np.abs(slope))
    with np.errstate(invalid="ignore", divide="ignore"):
        hollow = np.arctan(root * plain) / root
        crest = np.arctanh(np.minimum(root * plain, 1.0)) / root
    return float(2.0 * np.sum(np.where(slope > 0.0, hollow, np.where(slope < 0.0, crest, plain))))


def _regression(y, delta_r, low, high):
    """Half of the slope of the straight line of least squares over low ... high; none beyond the points."""
    if low < y[0] - 1e-12 or high > y[-1] + 1e-12:
        return np.nan
    at = np.linspace(low, high, 2001)
    return 0.5 * float(np.polyfit(at - at.mean(), np.interp(at, y, delta_r), 1)[0])


def _harmonic(y, delta_r, low, high):
    """Half of the first Fourier coefficient of Delta_r over a sinusoidal motion, by the amplitude."""
    angle = np.pi * (np.arange(4000) + 0.5) / 4000
    amplitude = 0.5 * (high - low)
    at = 0.5 * (low + high) - amplitude * np.cos(angle)
    return float(-np.mean(np.interp(at, y, delta_r) * np.cos(angle)) / amplitude)


def nominal_amplitude(clearance):
    """Amplitude [m] at which EN 15302 and EN 14363 take the equivalent conicity, from the gauge clearance [m]."""
    if clearance >= 0.007:
        return 0.003
    return max(0.5 * (clearance - 0.001), 0.002)
