"""Whether a section from a file can be a plain wheel or rail, and what turns it into one.

Sizes of wheels: flange 26 to 38 mm high (EN 13715, AAR), its tip 50 to 66 mm from the tread datum. Of rails: head 50 to
82 mm wide 14 mm below its top (30 to 75 kg/m). The limits here are wider; a crossing nose, a wing rail with its
running edge, or a grooved rail with its lip is none of them.

Verified in tests/contact/test_profiles_files_verified.py.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_format import PER_METRE

FLANGE = 0.018, 0.045  # [m] height over the tread datum
TIP = -0.075, -0.040  # [m] of the flange from the tread datum
TREAD_SLOPE = 0.35  # largest at the tread datum
BACK_TO_DATUM = 0.070  # [m] tread datum from the flange back, EN 13715
HEAD = 0.042, 0.090  # [m] width 14 mm below the top
GROOVE = 0.0015  # [m] depth from which a rail has two heads
_DEPTH = 0.014
_BESIDE_CROWN = 0.005  # [m] a wheel touches an inclined rail's crown to some mm to its field side


def check_section(source, kind, y, height, options):
    """Refuse sizes no plain wheel or rail has, and sections upside down, the wrong way round or beside their datum.

    Parameters
    ----------
    source : str               the file
    kind : str                 "wheel" or "rail"
    y, height : (n,) float [m] y from the flange or gauge side on, height out of the material
    options : ProfileFile      read with; for its names in messages
    """
    width = np.ptp(y)
    if not 0.02 < width < 0.4:
        as_said = width * PER_METRE[options.unit]
        fits = [unit for unit, per_metre in PER_METRE.items() if 0.02 < as_said / per_metre < 0.4]
        other = " or ".join(fits) or "another"
        raise ScenarioError(
            f"{source}: {1e3 * width:.4g} mm wide when read in {options.unit}, expected 20 to 400 mm; "
            f"is its {options.label('unit')} {other}, its units.len.f wrong, or are other columns y and z?"
        )
    (_check_rail if kind == "rail" else _check_wheel)(source, y, height, options)


def _check_rail(source, y, height, options):
    ends = 0.5 * (height[0] + height[-1])
    if height.max() - ends < 0.5 * np.ptp(height):
        raise ScenarioError(
            f"{source}: the rail's head is hollow with z down: set {options.label('mirror_z')}, or it is no plain rail"
        )
    top = int(np.argmax(height))
    if min(y[top] - y[0], y[-1] - y[top]) < _BESIDE_CROWN:
        raise ScenarioError(
            f"{source}: the rail's top is at the end of its points, at y = {1e3 * y[top]:.1f} mm, expected "
            f"{1e3 * _BESIDE_CROWN:g} mm on both sides of it in one piece; are y and z its columns?"
        )
    for part, side in ((height[top:], y[top:]), (height[top::-1], y[top::-1])):
        lowest = np.minimum.accumulate(part)
        rise = np.where(part[0] - part < _DEPTH, part - lowest, 0.0)
        k = int(np.argmax(rise))
        if rise[k] > GROOVE:
            low = side[int(np.argmin(part[: k + 1]))]
            raise ScenarioError(
                f"{source} must be a plain rail, no crossing, wing or grooved rail, got two heads: from a groove at "
                f"y = {1e3 * low:.1f} mm it rises by {1e3 * rise[k]:.1f} mm to y = {1e3 * side[k]:.1f} mm"
            )
    low = height < height.max() - _DEPTH
    if low[:top].any() and low[top:].any():
        head = y[top + int(np.argmax(low[top:]))] - y[top - int(np.argmax(low[top::-1]))]
        if not HEAD[0] <= head <= HEAD[1]:
            raise ScenarioError(
                f"{source}: the head is {1e3 * head:.1f} mm wide {1e3 * _DEPTH:g} mm below its top, expected "
                f"{1e3 * HEAD[0]:g} to {1e3 * HEAD[1]:g} mm of a plain rail (a crossing nose is narrower, a wing rail "
                "wider)"
            )


def _check_wheel(source, y, height, options):
    rise = np.ptp(height)
    length = np.append(0.0, np.cumsum(np.hypot(np.diff(y), np.diff(height))))
    middle = np.median(np.interp(np.linspace(0.0, length[-1], y.size), length, height))
    if rise > FLANGE[0] and height.max() - middle < 0.4 * rise:
        raise ScenarioError(f"{source}: the flange points up with z down: set {options.label('mirror_z')}")
    tip = int(np.argmax(height))
    if rise <= FLANGE[0]:  # a tread without its flange
        if not y[0] < 0.0 < y[-1]:
            raise ScenarioError(
                f"{source}: the wheel's y from {1e3 * y[0]:.3f} to {1e3 * y[-1]:.3f} mm has no tread datum (y = 0): "
                f"set {options.label('shift_y_mm')}"
            )
        if y[0] < TIP[1] - 0.010:
            raise ScenarioError(
                f"{source}: the flange must be {1e3 * FLANGE[0]:g} to {1e3 * FLANGE[1]:g} mm high, got "
                f"{1e3 * rise:.3g} mm from y = {1e3 * y[0]:.1f} mm on; a tread without flange must begin at "
                f"y = {1e3 * TIP[1] - 10.0:g} mm or later"
            )
        _check_tread(source, y, height, options)
        return
    tip_of_field = int(np.argmax(np.where(y > 0.5 * (y.min() + y.max()), height, -np.inf)))
    if height[tip_of_field] - middle > 0.4 * rise:
        raise ScenarioError(
            f"{source}: the flange is at y = {1e3 * y[tip_of_field]:.2f} mm, on the field side: set "
            f"{options.label('mirror_y')}, or is it a rail?"
        )
    if not (TIP[0] <= y[tip] <= TIP[1] and y.max() > 0.0):
        back = float(y.min()) - 1e-3 * options.shift_y_mm  # as in the file
        back = 0.0 if abs(back) < 2e-3 or y[tip] - y.min() < 5e-3 else back  # a tip 14 mm from it: not in the file
        shift = -1e3 * (back + BACK_TO_DATUM)
        raise ScenarioError(
            f"{source}: the flange's tip is at y = {1e3 * y[tip]:.2f} mm, expected {1e3 * TIP[0]:g} to "
            f"{1e3 * TIP[1]:g} mm from the tread datum (y = 0); where the flange back is at the file's "
            f"y = {1e3 * back:.4g} mm set {options.label('shift_y_mm')} = {shift:.4g}"
        )
    at = np.interp(0.0, y, height)
    flange = float(height[tip] - at)
    if not FLANGE[0] <= flange <= FLANGE[1]:
        raise ScenarioError(
            f"{source}: the flange is {1e3 * flange:.1f} mm over the tread datum, expected {1e3 * FLANGE[0]:g} to "
            f"{1e3 * FLANGE[1]:g} mm"
        )
    _check_tread(source, y, height, options)


def _check_tread(source, y, height, options):
    """Refuse what is no tread at the tread datum."""
    if not (y[0] <= -0.005 and y[-1] >= 0.005):
        return
    slope = (np.interp(0.005, y, height) - np.interp(-0.005, y, height)) / 0.010
    if abs(slope) > TREAD_SLOPE:
        raise ScenarioError(
            f"{source}: the tread rises by {slope:.2f} at y = 0, expected at most {TREAD_SLOPE:g} at the tread datum: "
            f"set {options.label('shift_y_mm')}"
        )
