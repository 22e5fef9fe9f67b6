"""Wheel and rail profiles from files, measured ones with a stated smoothing.

The points are joined by a parametric cubic spline over the length of their polygon, interpolating (smoothing 0)
or passing them at a stated root mean square distance; slope and curvature are the spline's.

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
from flexwheel.contact.profiles.profile import Profile, incline
from flexwheel.contact.profiles.profile_format import read_points
from flexwheel.contact.profiles.section_checks import check_section

_STEEPEST = 60.0
_LARGEST_GAP = 5e-3  # [m] a longer step between points is refused where the section bends there
_SPACING = 5e-5  # [m] of the points of the result


@dataclass(frozen=True)
class ProfileFile:
    """How a profile file is to be read."""

    unit: str = "mm"  # "mm" or "m", of the file's numbers (a .prw/.prr or MiniProf file's own unit goes first)
    decimal: str = "point"  # "point" or "comma"
    mirror_y: bool = False  # change the sign of the file's y; mirror_z of its z
    mirror_z: bool = False
    shift_y_mm: float = 0.0  # added to y after that (a wheel file whose y = 0 is not the tread datum)
    smoothing_mm: float = 0.0  # root mean square distance of the spline from the points; 0 passes through them
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
    points = read_points(path, unit=options.unit, decimal=options.decimal, label=options.label)
    y = (-points.y if options.mirror_y else points.y) + 1e-3 * options.shift_y_mm
    down = -points.z if options.mirror_z else points.z
    height = down if kind == "wheel" else -down
    line = points.line
    if y[-1] < y[0]:
        y, height, line = y[::-1], height[::-1], line[::-1]
    check_section(points.source, kind, y, height, options)
    first, last = _running_part(points.source, kind, y, height, line)
    y, height, line = y[first : last + 1], height[first : last + 1], line[first : last + 1]
    _check_gaps(points.source, y, height, line)
    y, height, slope, curvature = _spline(points.source, y, height, options)
    if kind == "rail":
        return incline(Profile(points.source, kind, y, height, slope, curvature), inclination)
    datum = 0.0 if options.heights == "file" else np.interp(0.0, y, height)
    return Profile(points.source, kind, y, height - datum, slope, curvature)


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


def _spline(source, y, height, options):
    """Dense y, height, slope and curvature of the parametric cubic spline."""
    smoothing = 1e-3 * options.smoothing_mm
    if not (np.isfinite(smoothing) and 0.0 <= smoothing < 1e-3):
        raise ScenarioError(
            f"{source}: {options.label('smoothing_mm')} must be 0 to below 1 mm, got {options.smoothing_mm:g}"
        )
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(y), np.diff(height)))])
    spline, _ = scipy.interpolate.splprep([y, height], u=length, s=y.size * smoothing**2, k=3)
    u = np.linspace(0.0, length[-1], 2 + int(length[-1] / _SPACING))
    (y, height), (dy, dh), (ddy, ddh) = (scipy.interpolate.splev(u, spline, der=order) for order in (0, 1, 2))
    if np.any(dy <= 0.0):
        flat = np.flatnonzero(dy > np.hypot(dy, dh) / _STEEPEST)
        runs = np.split(flat, np.flatnonzero(np.diff(flat) > 1) + 1)
        keep = max(runs, key=len)
        y, height, dy, dh, ddy, ddh = (part[keep] for part in (y, height, dy, dh, ddy, ddh))
    curvature = (dy * ddh - dh * ddy) / (dy * dy + dh * dh) ** 1.5
    return y, height, dh / dy, curvature
