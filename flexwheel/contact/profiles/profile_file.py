"""Wheel and rail profiles from files.

Points without noise are passed through by a curve over the length of their polygon. Noise is estimated
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
from flexwheel.contact.profiles.smoothing import (
    FEWEST,
    curve_of_cutoff,
    noise_of,
    passing_curve,
    pilot_curve,
    smooth_curve,
)

_STEEPEST = 60.0
_LARGEST_GAP = 5e-3  # [m] a longer step between points is refused where the section bends there; lost behind a fold
_SPACING = 5e-5  # [m] of the points of the result
_SAME = 1e-8  # [m] points nearer to each other are one
_MOST_NOISE = 0.2  # [mm] ten times that of a poor measurement
_SPIKE, _SPIKE_OF_NOISE = 0.05, 12.0  # [mm], times the noise: a point further off its neighbours is a mistake
_TURN = 0.2  # [1/mm] times the spacing: a segment turns so far beside its neighbours where two roots of 13 mm meet
_HEAD = 0.060  # [m] of a rail below its top: its head and the begin of its web
_LONGEST_CUTOFF = 200.0  # [mm]


@dataclass(frozen=True)
class ProfileFile:
    """How a profile file is to be read."""

    unit: str = "mm"  # of PER_METRE, of the file's numbers (a .prw/.prr or MiniProf file's own unit goes first)
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
    if kind == "rail":  # its head alone, of a whole section
        top, deep = int(np.argmax(height)), np.flatnonzero(height < height.max() - _HEAD)
        head = slice(deep[deep < top].max(initial=-1) + 1, deep[deep > top].min(initial=y.size))
        y, height, line = _from_gauge_side(head, y, height, line)
    _check_spikes(points.source, 1e3 * np.column_stack([y, height]), line, _MOST_NOISE)
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
    new = np.append(True, np.hypot(np.diff(y), np.diff(height)) > _SAME)
    return points, *_from_gauge_side(new, y, height, points.line)


def _from_gauge_side(part, y, *others):
    back = y[part][-1] < y[part][0]
    return tuple(column[part][:: -1 if back else 1] for column in (y, *others))


def _check_smoothing(path, options):
    """Refuse values of smoothing out of range, and both at once."""
    smoothing, cutoff = options.smoothing_mm, options.cutoff_mm
    if smoothing is not None and not 0.0 <= smoothing < 1.0:
        raise ScenarioError(f"{path}: {options.label('smoothing_mm')} must be 0 to below 1 mm, got {smoothing:g}")
    if cutoff is not None and not 0.05 <= cutoff <= 50.0:
        raise ScenarioError(f"{path}: {options.label('cutoff_mm')} must be 0.05 to 50 mm, got {cutoff:g}")
    if None not in (smoothing, cutoff):
        raise ScenarioError(f"{path}: give one of {options.label('smoothing_mm')} and {options.label('cutoff_mm')}")


def _check_gaps(source, y, height, line):
    """Refuse a long step where the section bends, on the part a wheel can run on."""
    step = np.hypot(np.diff(y), np.diff(height))
    bend = np.abs(np.diff(np.arctan2(np.diff(height), np.diff(y))))
    bends = np.maximum(np.append(bend, 0.0), np.insert(bend, 0, 0.0))
    wide = np.flatnonzero((step > _LARGEST_GAP) & (bends > np.radians(1.0)) & (np.diff(y) > step / _STEEPEST))
    if wide.size:
        k = int(wide[0])
        raise ScenarioError(
            f"{source}, lines {line[k]} to {line[k + 1]}: a gap of {1e3 * step[k]:.2f} mm where the section bends, "
            f"expected at most {1e3 * _LARGEST_GAP:g} mm"
        )


def _check_spikes(source, points, line, noise):
    """Refuse a segment between points (n, 2) [mm] far beside, or back on, the way of the two before and after it."""
    place = np.append(0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))  # points within _SPIKE count as one
    points, line = (part[np.unique(place // _SPIKE, return_index=True)[1]] for part in (points, line))
    step = np.diff(points, axis=0)
    if len(step) < 5:
        return
    length = np.maximum(np.hypot(*step.T), 1e-9)[:, None]  # a way out and back ends where it began
    around = np.pad(np.hstack([step / length, length]), ((2, 2), (0, 0)), "reflect")
    around = np.median(np.lib.stride_tricks.sliding_window_view(around, 5, axis=0), axis=-1)
    way = around[:, :2] / np.maximum(np.hypot(*around[:, :2].T), 1e-9)[:, None]
    along = np.maximum(np.sum(step * way, axis=1), 0.0)
    off = np.hypot(*(step - along[:, None] * way).T)
    most = np.maximum(max(_SPIKE, _SPIKE_OF_NOISE * noise), _TURN * around[:, 2] ** 2)
    most *= np.maximum(along / around[:, 2], 1.0)  # over a gap
    if np.any(off > most):
        off, most = np.pad(off, 1, "edge"), most[int(np.argmax(off > most))]
        k = int(np.argmax(off[1:] + off[:-1]))
        raise ScenarioError(
            f"{source}, line {line[k]}: at y = {points[k, 0]:.3f} mm a point {max(off[k : k + 2]):.3f} mm off its "
            f"neighbours, expected less than {most:.2g} mm: take it out, or put points in order, two scans in line"
        )


def _curve_at(pilot, points, residual):
    """Curve at a root mean square distance [mm] from points [mm], with one cutoff for all of it."""

    def short_of(log_cutoff):
        distance = curve_of_cutoff(pilot, points, np.exp(log_cutoff)).distance
        return np.log(np.sqrt(np.mean(distance**2)) / residual + 1e-9)

    low, high = np.log([0.5 * np.median(pilot.step), _LONGEST_CUTOFF])
    inside = short_of(low) < 0.0 < short_of(high)
    found = scipy.optimize.brentq(short_of, low, high, xtol=1e-3) if inside else low if short_of(low) >= 0.0 else high
    return curve_of_cutoff(pilot, points, np.exp(found))


def _plain_section(source, place, first, second):
    """y, height, slope and curvature of a curve (2, n) from its derivatives, without what is steeper than _STEEPEST."""
    (y, height), (dy, dh), (ddy, ddh) = place, first, second
    if np.any(dy <= 0.0):
        flat = np.flatnonzero(dy > np.hypot(dy, dh) / _STEEPEST)
        runs = np.split(flat, np.flatnonzero(np.diff(flat) > 1) + 1)
        keep = max(runs, key=len)
        if not flat.size or np.ptp(y[keep]) < np.ptp(y) - _LARGEST_GAP:
            raise ScenarioError(f"{source}: its curve folds back, beyond y = {1e3 * y[max(keep, default=0)]:.2f} mm")
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
        of_point = np.sqrt(pilot.place.size / pilot.node.size) * max(found.y, found.z)
        _check_spikes(source, given[pilot.order], line[pilot.order], of_point)
        by_noise = None if asked else smooth_curve(pilot, given, found)
    if by_noise is not None:
        return by_noise.noise, rounding, by_noise
    if options.cutoff_mm is not None:
        return noise, rounding, curve_of_cutoff(pilot, given, options.cutoff_mm)
    return noise, rounding, _curve_at(pilot, given, options.smoothing_mm) if options.smoothing_mm else None


def section_curve(points, kind, y, height, line, options):
    """Dense y, height, slope and curvature of the part a wheel can run on, and the quality of the points."""
    if y.size < 5:
        raise ScenarioError(f"{points.source}: a profile must have 5 points or more at different places, got {y.size}")
    axes = points.y, points.z
    rounding = 1e3 * np.array([max(rounding_of(axis, unit) for unit in (1e-3, 0.0254)) for axis in axes])
    given = 1e3 * np.column_stack([y, height])
    noise, rounding, curve = _smoothed(points.source, given, rounding, line, options)
    cutoff = distance = np.zeros(y.size)
    if curve is not None:
        y, height = 1e-3 * curve.spline(curve.length).T
        line, cutoff, distance = line[curve.order], 1e-3 * curve.cutoff, 1e-3 * curve.distance
    key = options.label("cutoff_mm" if options.smoothing_mm is None else "smoothing_mm")
    quality = ProfileQuality(
        points.source, key, 1e-3 * rounding.max(), 1e-3 * noise, y, height, distance, cutoff, points.ignored
    )
    _check_gaps(points.source, y, height, line)
    spline, length = (
        passing_curve(1e3 * np.column_stack([y, height])) if curve is None else (curve.spline, curve.length)
    )
    u = 1e-3 * np.linspace(length[0], length[-1], 2 + int(1e-3 * np.ptp(length) / _SPACING))
    found = [1e-3 * 1e3**order * spline(1e3 * u, order).T for order in (0, 1, 2)]
    return *_plain_section(points.source, *found), quality
