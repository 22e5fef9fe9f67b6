"""Noise and rounding of the points of a measured section.

White noise shows in the sixth divided differences of the points across the section: of an arc of 13 mm sampled at
1 mm they keep 5e-6 mm, so that curvature is not taken for noise. The noise has a part along y and one along z, told
apart on flat and on steep places; medians leave out corners. Differences within a stair of rounded values vanish:
where there are stairs, noise is not less than that of rounding.

Verified in tests/contact/test_profile_smoothing_verified.py.
"""

from dataclasses import dataclass

import numpy as np

_ORDER = 6  # of the differences
_MEDIAN = 0.6745  # of the size of a normal variable of deviation 1
_FLAT, _STEEP = 0.35, 0.75  # sine of a place up to which it shows noise along z, from which noise along y
_FEWEST = 12  # places for a median
_MOST_DECIMALS = 7
_STAIRS, _SEEN = 8, 0.07  # flights of equal values; a quarter of the noise of rounding, per rounding


@dataclass(frozen=True)
class Noise:
    """Standard deviation of points along both axes [m]."""

    y: float
    z: float

    def across(self, normal):
        """Standard deviation (n,) along the normals (n, 2) of a curve."""
        return np.hypot(self.y * normal[:, 0], self.z * normal[:, 1])


def rounding_of(values, unit):
    """Last decimal in which values (n,) [m] are written, in the unit [m] of their file: [m]; 0 where none is seen."""
    values = np.asarray(values) / unit
    for decimals in range(_MOST_DECIMALS + 1):
        scaled = values * 10.0**decimals
        if np.all(np.abs(scaled - np.rint(scaled)) < 1e-3 * 10.0 ** (decimals - _MOST_DECIMALS) + 1e-12 * abs(scaled)):
            return unit * 10.0**-decimals
    return 0.0


def axes_of(sizes, normal) -> Noise:
    """Noise along y and z of distances (n,) from a curve with normals (n, 2)."""
    steep = np.abs(normal[:, 0])
    flat, side = steep < _FLAT, steep > _STEEP
    z = float(np.median(np.abs(sizes[flat] if np.count_nonzero(flat) >= _FEWEST else sizes)) / _MEDIAN)
    if np.count_nonzero(side) < _FEWEST:
        return Noise(z, z)
    total, share = np.median(np.abs(sizes[side])) / _MEDIAN, np.median(steep[side] ** 2)
    return Noise(float(np.sqrt(max(total**2 - (1.0 - share) * z**2, 0.0) / share)), z)


def white_noise(length, points, normal) -> Noise:
    """Noise of points (n, 2) [m] at arc lengths (n,) [m] of a curve with normals (n, 2), from their differences."""
    index = np.arange(length.size - _ORDER)[:, None] + np.arange(_ORDER + 1)
    apart = (length[index][:, :, None] - length[index][:, None, :]) / np.ptp(length[index], axis=1)[:, None, None]
    apart[:, np.arange(_ORDER + 1), np.arange(_ORDER + 1)] = 1.0
    weight = 1.0 / np.prod(apart, axis=2)
    weight /= np.linalg.norm(weight, axis=1, keepdims=True)
    middle = normal[index[:, _ORDER // 2]]
    return axes_of(np.einsum("ik,ikc,ic->i", weight, points[index], middle), middle)


def with_stairs(noise, points, rounding):
    """Noise with that of rounding where points (n, 2) stand in stairs, and the rounding (2,) that moves points.

    Round numbers by choice, such as a grid of y, move none: neither stairs nor noise show them.
    """
    equal = np.diff(points, axis=0) == 0.0
    stairs = np.count_nonzero(np.diff(equal.astype(int), axis=0) == 1, axis=0) >= _STAIRS
    seen = np.array([noise.y, noise.z]) >= _SEEN * np.asarray(rounding)
    floor = np.where(stairs, rounding, 0.0) / np.sqrt(12.0)
    noise = Noise(max(noise.y, float(floor[0])), max(noise.z, float(floor[1])))
    return noise, np.where(stairs | seen, rounding, 0.0)
