"""Wheel and rail profiles from files.

Points without noise are joined by a parametric cubic spline over the length of their polygon. Noise is estimated
(`smoothing`), and a smooth curve passes noisy points: with a cutoff wavelength of its own at every place, with a stated
one (`cutoff_mm`), or at a stated root mean square distance (`smoothing_mm`; 0 passes through them). Slope and
curvature are the curve's. Whether a section folds back is seen on the curve.

File frame: y to the field side, z down, a wheel's y = 0 at the tread datum. `mirror_y`, `mirror_z` and `shift_y_mm`
turn other files (heights need no shift: a rail's count from its crown, a wheel's from its tread datum); nothing is
guessed, but a section that stands upside down, the wrong way round, beside its datum or is no plain wheel or rail is
refused.

Verified in tests/contact/test_profiles_files_verified.py.
"""

from dataclasses import dataclass, field

import numpy as np
import scipy

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.measured_noise import rounding_of
from flexwheel.contact.profiles.profile import Profile, incline
from flexwheel.contact.profiles.profile_format import read_points
from flexwheel.contact.profiles.profile_quality import ProfileQuality
from flexwheel.contact.profiles.section_checks import check_section
from flexwheel.contact.profiles.smoothing import FEWEST, curve_of_cutoff, noise_of, pilot_curve, smooth_curve

_STEEPEST = 60.0
_LARGEST_GAP = 5e-3  # [m] a longer step between points is refused where the section bends there
_SPACING = 5e-5  # [m] of the points of the result
_SAME = 1e-8  # [m] points nearer to each other are one
_MOST_NOISE = 0.2  # [mm] ten times that of a poor measurement
_SPIKE, _SPIKE_OF_NOISE = 0.05, 12.0  # [mm], times the noise: a point further off its neighbours is a mistake
_LONGEST_CUTOFF = 200.0  # [mm]


@dataclass(frozen=True)
class ProfileFile:
    """How a profile file is to be read."""

    unit: str = "mm"  # "mm" or "m", of the file's numbers (a .prw/.prr or MiniProf file's own unit goes first)
    decimal: str = "point"  # "point" or "comma"
    mirror_y: bool = False  # change the sign of the file's y; mirror_z of its z
    mirror_z: bool = False
    shift_y_mm: float = 0.0  # added to y after that (a wheel file whose y = 0 is not the tread datum)
    smoothing_mm: float | None = None  # root mean square distance of the curve from the points; 0 passes through them
    cutoff_mm: float | None = None  # wavelength of the smoothing everywhere; both None: by the noise of the points
    heights: str = "tread_datum"  # a wheel's count from there, or from the "file"'s z = 0
    # of these, as the user gives them ("mirror_y": "--mirror-wheel"); for messages
    names: dict = field(default_factory=dict)

    def label(self, name):
        """Name of an option as the user gives it."""
        return self.names.get(name, name)


def read_profile(path, kind, options=None, *, inclination=0.0, **given) -> Profile:
    """Profile from a text, CSV, .prw, .prr or MiniProf file.

    Parameters
    ----------
    path : str or Path
    kind : str                "wheel" or "rail"
    options : ProfileFile     or its fields as keywords
    inclination : float [-]   additional lean of a rail toward the track centre, 1/40 or 1/20; 0: as in the file

    Raises
    ------
    ScenarioError             naming file and line: folded back, gap, wrong unit, not finite, upside down, no plain rail
    """
    if kind not in ("wheel", "rail"):
        raise ScenarioError(f"{path}: kind must be 'wheel' or 'rail', got {kind!r}")
    options = ProfileFile(**given) if options is None else options
    points, y, height, line = oriented_points(path, kind, options)
    check_section(points.source, kind, y, height, options)
    y, height, slope, curvature, quality = section_curve(points, kind, y, height, line, options)
    if kind == "rail":
        return incline(Profile(points.source, kind, y, height, slope, curvature, quality), inclination)
    datum = 0.0 if options.heights == "file" else np.interp(0.0, y, height)
    return Profile(points.source, kind, y, height - datum, slope, curvature, quality)


def oriented_points(path, kind, options):
    """Points of a file, and their y to the field side [m], heights out of the material [m] and lines, from the gauge
    side on."""
    _check_smoothing(path, options)
    points = read_points(path, unit=options.unit, decimal=options.decimal, label=options.label)
    y = (-points.y if options.mirror_y else points.y) + 1e-3 * options.shift_y_mm
    down = -points.z if options.mirror_z else points.z
    height = down if kind == "wheel" else -down
    back = slice(None, None, -1 if y[-1] < y[0] else 1)
    return points, y[back], height[back], points.line[back]


def _check_smoothing(path, options):
    """Refuse values of smoothing out of range, and both at once."""
    smoothing, cutoff = options.smoothing_mm, options.cutoff_mm
    if smoothing is not None and not 0.0 <= smoothing < 1.0:
        raise ScenarioError(f"{path}: {options.label('smoothing_mm')} must be 0 to below 1 mm, got {smoothing:g}")
    if cutoff is not None and not 0.05 <= cutoff <= 50.0:
        raise ScenarioError(f"{path}: {options.label('cutoff_mm')} must be 0.05 to 50 mm, got {cutoff:g}")
    if None not in (smoothing, cutoff):
        raise ScenarioError(f"{path}: give one of {options.label('smoothing_mm')} and {options.label('cutoff_mm')}")


def _running_part(source, kind, y, height, line):
    """First and last point of the part a wheel can roll on; it must not fold back."""
    if kind == "rail":
        start = int(np.argmax(height))
        may_end = height < height.max() - 0.014
    else:
        start = int(np.argmin(np.abs(y)))
        may_end = y < y[np.argmax(height)] + 1e-9 if np.ptp(height) > 0.010 else np.zeros(y.size, bool)
        may_end |= y > 0.055
    back = np.flatnonzero(np.diff(y) <= 0.0)
    first, last = 0, y.size - 1
    for k in back:
        if not (may_end[k] or may_end[k + 1]):
            raise ScenarioError(
                f"{source}, line {line[k + 1]}: folds back, y = {1e3 * y[k + 1]:.4f} mm after {1e3 * y[k]:.4f} mm"
            )
        if k < start:
            first = max(first, k + 1)
        else:
            last = min(last, k)
    return first, last


def _check_gaps(source, y, height, line):
    """Refuse a long step where the section bends."""
    step = np.hypot(np.diff(y), np.diff(height))
    angle = np.arctan2(np.diff(height), np.diff(y))
    bend = np.abs(np.diff(angle))
    bends = np.maximum(np.append(bend, 0.0), np.insert(bend, 0, 0.0))
    wide = np.flatnonzero((step > _LARGEST_GAP) & (bends > np.radians(1.0)))
    if wide.size:
        k = int(wide[0])
        raise ScenarioError(
            f"{source}, lines {line[k]} to {line[k + 1]}: a gap of {1e3 * step[k]:.2f} mm where the section bends, "
            f"expected at most {1e3 * _LARGEST_GAP:g} mm"
        )


def _check_spikes(source, points, line, noise):
    """Refuse a point (n, 2) [mm] far off the line between its neighbours, while these are off to the other side."""
    before, after = np.diff(points[:-1], axis=0), np.diff(points[1:], axis=0)
    chord = before + after
    off = (chord[:, 0] * before[:, 1] - chord[:, 1] * before[:, 0]) / np.hypot(*chord.T)
    off = np.append(0.0, np.append(off, 0.0))
    beside = np.minimum(-off[:-2] * np.sign(off[1:-1]), -off[2:] * np.sign(off[1:-1]))
    spike = (np.abs(off[1:-1]) > max(_SPIKE, _SPIKE_OF_NOISE * noise)) & (beside > 0.3 * np.abs(off[1:-1]))
    if spike.any():
        k = 1 + int(np.argmax(spike))
        raise ScenarioError(
            f"{source}, line {line[k]}: at y = {points[k, 0]:.3f} mm a point {abs(off[k]):.3f} mm off its neighbours, "
            f"expected less than {_SPIKE:g} mm and {_SPIKE_OF_NOISE:g} times the noise of {noise:.2g} mm; take it out"
        )


def _curve_at(pilot, points, residual):
    """Curve at a root mean square distance [mm] from points [mm], with one cutoff for all of it."""

    def short_of(log_cutoff):
        distance = curve_of_cutoff(pilot, points, np.exp(log_cutoff)).distance
        return np.log(np.sqrt(np.mean(distance**2)) / residual + 1e-9)

    low, high = np.log([0.5 * np.median(pilot.step), _LONGEST_CUTOFF])
    if short_of(low) >= 0.0:
        return curve_of_cutoff(pilot, points, np.exp(low))
    if short_of(high) <= 0.0:
        return curve_of_cutoff(pilot, points, np.exp(high))
    return curve_of_cutoff(pilot, points, np.exp(scipy.optimize.brentq(short_of, low, high, xtol=1e-3)))


def _plain_section(source, place, first, second):
    """y, height, slope and curvature of a curve (2, n) from its derivatives, without what is steeper than _STEEPEST."""
    (y, height), (dy, dh), (ddy, ddh) = place, first, second
    if np.any(dy <= 0.0):
        flat = np.flatnonzero(dy > np.hypot(dy, dh) / _STEEPEST)
        if not flat.size:
            raise ScenarioError(f"{source}: its curve folds back everywhere")
        runs = np.split(flat, np.flatnonzero(np.diff(flat) > 1) + 1)
        keep = max(runs, key=len)
        y, height, dy, dh, ddy, ddh = (part[keep] for part in (y, height, dy, dh, ddy, ddh))
    curvature = (dy * ddh - dh * ddy) / (dy * dy + dh * dh) ** 1.5
    return y, height, dh / dy, curvature


def _smoothed(source, given, rounding, line, options):
    """Noise of the points (n, 2) [mm], rounding (2,) [mm] that moves them, and their SmoothCurve or None."""
    pilot, noise, by_noise = pilot_curve(given), np.nan, None
    asked = options.smoothing_mm is not None or options.cutoff_mm is not None
    if pilot.length.size >= FEWEST:
        found, rounding = noise_of(pilot, given, rounding)
        noise = float(np.sqrt(np.mean(found.across(pilot.normal) ** 2)))
        if noise > _MOST_NOISE:
            raise ScenarioError(
                f"{source}: noise of {noise:.2g} mm, expected at most {_MOST_NOISE:g} mm: look at the "
                f"order of its points and at {options.label('unit')}"
            )
        _check_spikes(source, given, line, max(found.y, found.z))
        by_noise = None if asked else smooth_curve(pilot, given, found)
    if by_noise is not None:
        k = int(np.argmax(np.abs(by_noise.distance)))
        if abs(by_noise.distance[k]) > _SPIKE + _SPIKE_OF_NOISE * by_noise.noise:
            raise ScenarioError(
                f"{source}, line {line[by_noise.order[k]]}: at y = {given[by_noise.order[k], 0]:.3f} mm a point "
                f"{abs(by_noise.distance[k]):.3g} mm off the smooth curve, with a noise of {by_noise.noise:.2g} mm"
            )
        return by_noise.noise, rounding, by_noise
    if options.cutoff_mm is not None:
        return noise, rounding, curve_of_cutoff(pilot, given, options.cutoff_mm)
    return noise, rounding, _curve_at(pilot, given, options.smoothing_mm) if options.smoothing_mm else None


def section_curve(points, kind, y, height, line, options):
    """Dense y, height, slope and curvature of the part a wheel can run on, and the quality of the points."""
    new = np.append(True, np.hypot(np.diff(y), np.diff(height)) > _SAME)
    y, height, line = y[new], height[new], line[new]
    if y.size < 5:
        raise ScenarioError(f"{points.source}: a profile must have 5 points or more at different places, got {y.size}")
    rounding = np.array([1e3 * rounding_of(axis, 1e-3) for axis in (points.y, points.z)])
    given = 1e3 * np.column_stack([y, height])
    noise, rounding, curve = _smoothed(points.source, given, rounding, line, options)
    cutoff = distance = np.zeros(y.size)
    if curve is not None:
        y, height = 1e-3 * curve.spline(curve.length).T
        line, cutoff, distance = line[curve.order], 1e-3 * curve.cutoff, 1e-3 * curve.distance
    key = options.label("cutoff_mm" if options.smoothing_mm is None else "smoothing_mm")
    quality = ProfileQuality(points.source, key, 1e-3 * rounding.max(), 1e-3 * noise, y, height, distance, cutoff)
    first, last = _running_part(points.source, kind, y, height, line)
    _check_gaps(points.source, y[first : last + 1], height[first : last + 1], line[first : last + 1])
    if curve is None:
        y, height = y[first : last + 1], height[first : last + 1]
        length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(y), np.diff(height)))])
        spline, _ = scipy.interpolate.splprep([y, height], u=length, s=0.0, k=3)
        u = np.linspace(0.0, length[-1], 2 + int(length[-1] / _SPACING))
        found = [scipy.interpolate.splev(u, spline, der=order) for order in (0, 1, 2)]
    else:
        start, end = 1e-3 * curve.length[[first, last]]
        u = np.linspace(start, end, 2 + int((end - start) / _SPACING))
        found = [1e-3 * 1e3**order * curve.spline(1e3 * u, order).T for order in (0, 1, 2)]
    return *_plain_section(points.source, *found), quality
