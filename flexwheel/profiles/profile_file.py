"""Wheel and rail profiles from files, measured ones with a stated smoothing.

The points are joined by a parametric cubic spline over the length of their polygon, interpolating (smoothing 0)
or passing them at a stated root mean square distance; slope and curvature are the spline's.

File frame: y to the field side, z down, a wheel's y = 0 at the tread datum. `mirror_y` and `mirror_z` turn other
files; nothing is guessed, but a section that stands upside down or the wrong way round is refused.

Verified in tests/verification/test_profiles_files.py.
"""

import numpy as np
from scipy.interpolate import splev, splprep

from flexwheel.errors import ScenarioError
from flexwheel.profiles.profile import Profile, incline
from flexwheel.profiles.profile_text import read_points

_STEEPEST = 60.0


def read_profile(
    path,
    kind,
    *,
    unit="mm",
    mirror_y=False,
    mirror_z=False,
    inclination=0.0,
    smoothing_mm=0.0,
    shift_y_mm=0.0,
    largest_gap_mm=5.0,
    spacing=5e-5,
):
    """Profile from a text, CSV, .prw or .prr file.

    Parameters
    ----------
    path : str or Path
    kind : str                "wheel" or "rail"
    unit : str                "mm" or "m", of the numbers in the file (a .prw/.prr file's own unit goes first)
    mirror_y, mirror_z : bool change the sign of the file's y or z
    inclination : float [-]   additional lean of a rail toward the track centre, 1/40 or 1/20; 0: as in the file
    smoothing_mm : float      root mean square distance of the spline from the points; 0 passes through them
    shift_y_mm : float        added to y (a wheel file whose y = 0 is not the tread datum)
    largest_gap_mm : float    a longer step between points is refused where the section bends there
    spacing : float [m]       distance of the points of the result

    Returns
    -------
    Profile

    Raises
    ------
    ScenarioError             naming file and line: folded back, gap, wrong unit, not finite, upside down
    """
    if kind not in ("wheel", "rail"):
        raise ScenarioError(f"{path}: kind = {kind!r}, expected 'wheel' or 'rail'")
    points = read_points(path, unit=unit)
    y = (-points.y if mirror_y else points.y) + 1e-3 * shift_y_mm
    down = -points.z if mirror_z else points.z
    height = down if kind == "wheel" else -down
    line = points.line
    if y[-1] < y[0]:
        y, height, line = y[::-1], height[::-1], line[::-1]
    _check_extent(points.source, kind, y, height, unit)
    first, last = _running_part(points.source, kind, y, height, line)
    y, height, line = y[first : last + 1], height[first : last + 1], line[first : last + 1]
    _check_gaps(points.source, y, height, line, 1e-3 * largest_gap_mm)
    y, height, slope, curvature = _spline(points.source, y, height, 1e-3 * smoothing_mm, spacing)
    if kind == "rail":
        return incline(Profile(points.source, kind, y, height, slope, curvature), inclination)
    if not y[0] < 0.0 < y[-1]:
        raise ScenarioError(
            f"{points.source}: the wheel's y from {1e3 * y[0]:.3f} to {1e3 * y[-1]:.3f} mm has no tread datum"
        )
    return Profile(points.source, kind, y, height - np.interp(0.0, y, height), slope, curvature)


def _check_extent(source, kind, y, height, unit):
    """Refuse sizes no wheel or rail has, and sections upside down or the wrong way round."""
    width = np.ptp(y)
    other = "m" if unit == "mm" else "mm"
    if not 0.02 < width < 0.4:
        raise ScenarioError(
            f"{source}: {1e3 * width:.4g} mm wide when read in {unit}, expected 20 to 400 mm; "
            f"is its unit {other}, or its units.len.f wrong?"
        )
    ends = 0.5 * (height[0] + height[-1])
    if kind == "rail" and height.max() - ends < 0.5 * np.ptp(height):
        raise ScenarioError(f"{source}: the rail's head is hollow with z down: set mirror_z")
    if kind == "wheel" and np.ptp(height) > 0.010:
        tip = y[np.argmax(height)]
        if height.max() < -height.min():
            raise ScenarioError(f"{source}: the flange points up with z down: set mirror_z")
        if tip > 0.0:
            raise ScenarioError(f"{source}: the flange is at y = {1e3 * tip:.2f} mm, on the field side: set mirror_y")


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


def _check_gaps(source, y, height, line, largest):
    """Refuse a long step where the section bends."""
    step = np.hypot(np.diff(y), np.diff(height))
    angle = np.arctan2(np.diff(height), np.diff(y))
    bend = np.abs(np.diff(angle))
    bends = np.maximum(np.append(bend, 0.0), np.insert(bend, 0, 0.0))
    wide = np.flatnonzero((step > largest) & (bends > np.radians(1.0)))
    if wide.size:
        k = int(wide[0])
        raise ScenarioError(
            f"{source}, lines {line[k]} to {line[k + 1]}: a gap of {1e3 * step[k]:.2f} mm where the section bends, "
            f"expected at most {1e3 * largest:g} mm"
        )


def _spline(source, y, height, smoothing, spacing):
    """Dense y, height, slope and curvature of the parametric cubic spline."""
    if not (np.isfinite(smoothing) and 0.0 <= smoothing < 1e-3):
        raise ScenarioError(f"{source}: smoothing {1e3 * smoothing:g} mm, expected 0 to 1 mm")
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(y), np.diff(height)))])
    spline, _ = splprep([y, height], u=length, s=y.size * smoothing**2, k=3)
    u = np.linspace(0.0, length[-1], 2 + int(length[-1] / spacing))
    (y, height), (dy, dh), (ddy, ddh) = (splev(u, spline, der=order) for order in (0, 1, 2))
    if np.any(dy <= 0.0):
        flat = np.flatnonzero(dy > np.hypot(dy, dh) / _STEEPEST)
        runs = np.split(flat, np.flatnonzero(np.diff(flat) > 1) + 1)
        keep = max(runs, key=len)
        y, height, dy, dh, ddy, ddh = (part[keep] for part in (y, height, dy, dh, ddy, ddh))
    curvature = (dy * ddh - dh * ddy) / (dy * dy + dh * dh) ** 1.5
    return y, height, dh / dy, curvature
