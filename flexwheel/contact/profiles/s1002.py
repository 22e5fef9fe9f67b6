"""Wheel profile S1002 (EN 13715) from its eight sections A to H.

Lateral coordinate y from the tread datum (70 mm from the flange back), to the field side; the flange is at
negative y. Height is positive **toward the rail**, so that the running radius is r0 + height: about +28 mm
at the flange tip, negative on the field side.

Source: EN 13715, sections A-H. Joints close to 1.2e-4 mm; curvature jumps at five of them are real.
Verified in tests/contact/test_profiles_verified.py.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile import Profile

# coefficients in mm, lowest power first
_A = (1.364323640, -0.066666667)
_B = (
    0.0,
    -3.358537058e-02,
    1.565681624e-03,
    -2.810427944e-05,
    5.844240864e-08,
    -1.562379023e-08,
    5.309217349e-15,
    -5.957839843e-12,
    2.646656573e-13,
)
_C = (
    -4.320221063e03,
    -1.038384026e03,
    -1.065501873e02,
    -6.051367875,
    -2.054332446e-01,
    -4.169739389e-03,
    -4.687195829e-05,
    -2.252755540e-07,
)
FACE = (-93.576667419, -2.747477419)  # the flange at 70 degrees: height at the datum [mm], slope

# (y_from, y_to, kind, data) in mm; an arc is (centre y, centre height, radius, sign of the root)
_SECTIONS = (
    (-70.0, -62.764705882, "arc", (-49.5, 9.519259302, 20.5, 1.0)),  # H
    (-62.764705882, -49.662510381, "arc", (-55.0, 16.0, 12.0, 1.0)),  # G, flange tip
    (-49.662510381, -39.764473993, "arc", (-58.558326413, 8.834924130, 20.0, 1.0)),  # F
    (-39.764473993, -38.426669071, "poly", FACE),  # E, 70 degrees
    (-38.426669071, -35.0, "arc", (-26.210665, 16.446, 13.0, -1.0)),  # D
    (-35.0, -26.0, "poly", _C),  # C
    (-26.0, 32.15796, "poly", _B),  # B
    (32.15796, 60.0, "poly", _A),  # A
)


def _section(kind, data, y):
    """Height [mm], slope [-] and second derivative [1/mm] of one section at y [mm]."""
    if kind == "poly":
        poly = np.polynomial.Polynomial(data)
        return poly(y), poly.deriv()(y), poly.deriv(2)(y)
    centre_y, centre_h, radius, sign = data
    root = np.sqrt(np.maximum(radius**2 - (y - centre_y) ** 2, 1e-300))
    return centre_h + sign * root, -sign * (y - centre_y) / root, -sign * radius**2 / root**3


def _evaluate(y):
    """Height [m], slope and second derivative [1/m] at y (n,) [m]; checks the range."""
    y_mm = 1e3 * np.atleast_1d(np.asarray(y, float))
    if np.any(~np.isfinite(y_mm)) or np.any(y_mm < -70.0 - 1e-9) or np.any(y_mm > 60.0 + 1e-9):
        raise ScenarioError(
            f"S1002 is defined for y from -0.070 to 0.060 m, got {1e-3 * y_mm.min():g} to {1e-3 * y_mm.max():g}"
        )
    height, slope, second = np.empty((3, y_mm.size))
    flat = y_mm.ravel()
    for start, end, kind, data in _SECTIONS:
        inside = (flat >= start - 1e-9) & (flat <= end + 1e-9)
        height[inside], slope[inside], second[inside] = _section(kind, data, flat[inside])
    return height * 1e-3, slope, second * 1e3


def s1002_height(y):
    """Radius increase of the S1002 tread, positive toward the rail.

    Parameters
    ----------
    y : (...) float [m]    from the tread datum, flange at negative y, -0.070 to 0.060

    Returns
    -------
    height : (...) float [m]   running radius = r0 + height; 0 at y = 0, 0.028 at the flange tip

    Source: EN 13715. Verified in tests/contact/test_profiles_verified.py.
    """
    y = np.asarray(y, float)
    return _evaluate(y)[0].reshape(y.shape)


def s1002(spacing=5e-5):
    """S1002 as a Profile of kind "wheel", with a point at every joint of its sections.

    Parameters
    ----------
    spacing : float [m]     largest distance of points
    """
    start, end = -0.0695, 0.060
    joints = [1e-3 * section[1] for section in _SECTIONS[:-1]]
    edges = [start, *joints, end]
    y = np.unique(
        np.concatenate([np.linspace(a, b, 2 + int((b - a) / spacing)) for a, b in zip(edges, edges[1:], strict=False)])
    )
    height, slope, second = _evaluate(y)
    return Profile("S1002", "wheel", y, height, slope, second / (1.0 + slope**2) ** 1.5)
