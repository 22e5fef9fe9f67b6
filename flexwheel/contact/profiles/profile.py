"""A wheel or rail cross-section as points with exact first and second derivatives."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_quality import ProfileQuality


@dataclass(frozen=True)
class Profile:
    """Cross-section of one wheel or rail, in the left-like frame of the contact room.

    y points to the field side (the wheel's flange is at negative y). `height` is counted **out of the
    material**: upward for a rail, downward (radius increase) for a wheel.
    """

    name: str
    kind: str  # "wheel" or "rail"
    # (n,) [m] strictly increasing; wheel: from the tread datum (70 mm from the flange back); rail: from the crown
    # (highest point of the section as it stands)
    y: np.ndarray
    height: np.ndarray  # (n,) [m] wheel: radius = nominal radius + height(y); rail: z(y), 0 at the crown
    slope: np.ndarray  # (n,) [-] d height / dy
    curvature: np.ndarray  # (n,) [1/m] h'' / (1 + h'^2)^1.5, positive where the material is hollow
    quality: ProfileQuality | None = None  # of the points of its file

    def __post_init__(self):
        if self.kind not in ("wheel", "rail"):
            raise ScenarioError(f"profile {self.name}: kind must be 'wheel' or 'rail', got {self.kind!r}")
        columns = (self.y, self.height, self.slope, self.curvature)
        if any(column.shape != self.y.shape or column.ndim != 1 for column in columns):
            raise ScenarioError(f"profile {self.name}: y, height, slope and curvature must be (n,) alike")
        if not all(np.all(np.isfinite(column)) for column in columns):
            raise ScenarioError(f"profile {self.name}: a value is not finite")
        if np.any(np.diff(self.y) <= 0.0):
            at = int(np.argmax(np.diff(self.y) <= 0.0))
            raise ScenarioError(f"profile {self.name}: folds back at y = {1e3 * self.y[at]:.4f} mm")


def profile_height(profile, y):
    """Height, slope and second derivative of a profile by cubic Hermite interpolation.

    Parameters
    ----------
    profile : Profile
    y : (...) float [m]

    Returns
    -------
    height [m], slope [-], second_derivative [1/m] : (...) float, NaN outside the profile's range
    """
    y = np.asarray(y, float)
    cell = np.clip(np.searchsorted(profile.y, y, side="right") - 1, 0, profile.y.size - 2)
    width = profile.y[cell + 1] - profile.y[cell]
    t = (y - profile.y[cell]) / width
    h0, h1 = profile.height[cell], profile.height[cell + 1]
    m0, m1 = width * profile.slope[cell], width * profile.slope[cell + 1]
    c2 = 3.0 * (h1 - h0) - 2.0 * m0 - m1
    c3 = 2.0 * (h0 - h1) + m0 + m1
    outside = (y < profile.y[0]) | (y > profile.y[-1])
    height = np.where(outside, np.nan, h0 + t * (m0 + t * (c2 + t * c3)))
    slope = np.where(outside, np.nan, (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / width)
    second = np.where(outside, np.nan, (2.0 * c2 + 6.0 * t * c3) / width**2)
    return height, slope, second


def incline(profile, inclination, *, steepest_slope=60.0):
    """A rail profile leaned toward the track centre, with its origin moved to the new crown.

    The section is turned by atan(inclination) about x, so that its top leans to negative y; parts that
    become steeper than `steepest_slope`, up to overhanging, are cut off.

    Parameters
    ----------
    profile : Profile          of kind "rail", upright
    inclination : float [-]    tangent: 1/40, 1/20; 0 keeps the section upright
    steepest_slope : float [-]

    Returns
    -------
    Profile                    y = 0, height = 0 at the highest point of the leaned section
    """
    angle = np.arctan(inclination)
    c, s = np.cos(angle), np.sin(angle)
    turned = np.arctan(profile.slope) + angle
    keep = np.abs(turned) < np.arctan(steepest_slope)
    y = (c * profile.y - s * profile.height)[keep]
    z = (s * profile.y + c * profile.height)[keep]
    slope = np.tan(turned[keep])
    crown_y, crown_z = _crown(y, z, slope)
    curvature = profile.curvature[keep]
    return Profile(profile.name, profile.kind, y - crown_y, z - crown_z, slope, curvature, profile.quality)


def _crown(y, z, slope):
    """Highest point of a section given by points and slopes."""
    top = int(np.argmax(z))
    for i in (top - 1, top):
        if 0 <= i < y.size - 1 and slope[i] >= 0.0 >= slope[i + 1] and slope[i] > slope[i + 1]:
            t = slope[i] / (slope[i] - slope[i + 1])
            width = y[i + 1] - y[i]
            return y[i] + t * width, z[i] + 0.5 * slope[i] * t * width
    return y[top], z[top]
