"""Worn and ground wheel and rail profiles, made from the shipped ones by removing material along the normal.

For tests and benchmarks: hollow treads, worn flanges, worn gauge corners and crowns, and gauge corners ground in facets
as against head checks. The sizes are those that inspections report (hollow to 4 mm, flange to 3 mm, gauge corner to
3 mm, grinding 0.2 to 0.6 mm); the shapes are assumed.
"""

import numpy as np
from scipy.interpolate import CubicSpline

from flexwheel.contact.geometry import WheelPair
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.profile import Profile, incline, profile_height
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002

_SPACING = 1e-4  # [m] of the points of a section
_SOFT = 1e-5  # [m] over which facets go over into each other


def worn_wheel(hollow=0.0, flange=0.0, middle=0.004):
    """S1002 with a hollow tread and a worn flange.

    Parameters
    ----------
    hollow : float [m]   depth of the tread, largest around `middle` [m] from the tread datum
    flange : float [m]   removed from the flange's face along its normal
    """
    along, y, height, normal = _section(s1002())
    removed = hollow * np.exp(-(((y - middle) / 0.019) ** 4)) + flange * _bump(
        along, np.interp(-0.039, y, along), 0.018
    )
    y, height = _removed(y, height, normal, removed, "wheel")
    height = height - np.interp(0.0, y, height)
    return _profile(f"S1002 hollow {1e3 * hollow:g} flange {1e3 * flange:g}", "wheel", y, height)


def worn_rail(corner=0.0, crown=0.0, ground=0.0, inclination=1 / 40):
    """60E1 with a worn gauge corner, a worn crown and facets ground on the gauge corner.

    Parameters
    ----------
    corner : float [m]       removed from the gauge corner along its normal
    crown : float [m]        removed from the running band
    ground : float [m]       largest depth of six facets from 10 to 60 degrees
    inclination : float [-]
    """
    along, y, height, normal = _section(rail_60e1())
    removed = corner * _bump(along, np.interp(-0.029, y, along), 0.016) + crown * _bump(y, 0.0, 0.034)
    if ground:
        layers = [removed]
        for angle in np.radians([10.0, 20.0, 30.0, 40.0, 50.0, 60.0]):
            above = -np.sin(angle) * y + np.cos(angle) * height  # of points, square to the facet
            facet = above - above.max() + ground
            layers.append(facet / np.maximum(normal @ [-np.sin(angle), np.cos(angle)], 0.5))
        removed = _SOFT * np.logaddexp.reduce(np.array(layers) / _SOFT, axis=0)
    y, height = _removed(y, height, normal, removed, "rail")
    name = f"60E1 corner {1e3 * corner:g} crown {1e3 * crown:g} ground {1e3 * ground:g}"
    return incline(_profile(name, "rail", y, height), inclination)


def bumped(profile, place, width, size):
    """A profile with a bump cos^2 of a width and size [m], out of the material, around its y = place [m]."""
    along, y, height, normal = _section(profile)
    at = (along - np.interp(place, y, along)) / width
    removed = -size * np.where(np.abs(at) < 0.5, np.cos(np.pi * at) ** 2, 0.0)
    return _profile(f"{profile.name} bump", profile.kind, *_removed(y, height, normal, removed, profile.kind))


def worn_pairs():
    """Ten pairs by name, WheelPair each; the first is new."""
    wheels = {
        "new": {}, "hollow 1": {"hollow": 1e-3}, "hollow 2": {"hollow": 2e-3}, "hollow 4": {"hollow": 4e-3},
        "flange 2": {"flange": 2e-3}, "both": {"hollow": 3e-3, "flange": 2.5e-3},
    }  # fmt: skip
    rails = {
        "new": {}, "corner 1": {"corner": 1e-3}, "corner 3": {"corner": 3e-3, "crown": 5e-4},
        "ground": {"ground": 4e-4}, "crown": {"crown": 1e-3, "inclination": 1 / 20},
    }  # fmt: skip
    chosen = (
        ("new", "new"), ("hollow 1", "new"), ("hollow 2", "crown"), ("hollow 4", "new"), ("flange 2", "corner 1"),
        ("both", "corner 3"), ("hollow 2", "ground"), ("new", "ground"), ("new", "corner 3"), ("hollow 4", "crown"),
    )  # fmt: skip
    pairs = {}
    for wheel, rail in chosen:
        section = worn_rail(**rails[rail])
        pairs[f"{wheel} on {rail}"] = WheelPair(worn_wheel(**wheels[wheel]), section, place(section))
    return pairs


def _bump(y, middle, half):
    """1 at the middle, 0 beyond half a width, three times differentiable."""
    return np.maximum(1.0 - ((y - middle) / half) ** 2, 0.0) ** 4


def _section(profile):
    """Lengths, y and height (n,) [m] of points of a profile and its normals (n, 2) out of the material."""
    length = np.append(0.0, np.cumsum(np.hypot(np.diff(profile.y), np.diff(profile.height))))
    at = np.arange(0.0, length[-1], _SPACING)
    y = np.interp(at, length, profile.y)
    height, slope, _ = profile_height(profile, y)
    return at, y, height, np.stack([-slope, np.ones_like(slope)], axis=1) / np.sqrt(1.0 + slope**2)[:, None]


def _removed(y, height, normal, removed, kind):
    """Points moved into the material, as far as the section does not fold."""
    y, height = y - removed * normal[:, 0], height - removed * normal[:, 1]
    if np.any(np.diff(y) <= 0.0):
        raise ValueError(f"worn {kind}: folds back at y = {1e3 * y[np.argmin(np.diff(y))]:.2f} mm")
    return y, height


def _profile(name, kind, y, height):
    """Profile through points, with the derivatives of a cubic spline along their polygon."""
    length = np.append(0.0, np.cumsum(np.hypot(np.diff(y), np.diff(height))))
    curve = CubicSpline(length, np.stack([y, height], axis=1))
    fine = np.linspace(0.0, length[-1], 2 * length.size)
    (y, height), (dy, dh), (ddy, ddh) = (curve(fine, order).T for order in (0, 1, 2))
    return Profile(name, kind, y, height, dh / dy, (dy * ddh - dh * ddy) / (dy**2 + dh**2) ** 1.5)
