"""Smooth curve through the noisy points of a section.

By the noise of the points: the most likely section, with a cutoff wavelength of its own at every place
(`local_penalty`). Points whose noise changes the curvature by less than CURVATURE with a cutoff of three spacings are
not smoothed.

With a stated cutoff: smoothing splines over the arc length, which minimise sum w |p - f|^2 + integral |f''|^2. With
w = h (2 pi/cutoff)^4 (h: spacing of the points) waves of the cutoff wavelength pass at half their height.

Source: Reinsch 1967 (smoothing spline). Verified in tests/contact/test_profile_smoothing_verified.py.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy

from flexwheel.contact.profiles.local_penalty import SHORTEST, passing, penalised
from flexwheel.contact.profiles.measured_noise import Noise, axes_of, white_noise, with_stairs

CURVATURE = 0.2  # [1/m] standard deviation of the curvature from noise where there is no shape: a tenth of the
# relative curvature of worn wheel and rail
FEWEST = 50  # points of which noise is estimated
MOST = 1500  # points of which a curve is made; of more the means of neighbours
LONGEST = 16.0  # [mm] cutoff: a quarter of the width of a rail's head
_PILOT = 3.0  # [mm] cutoff below which waves are noise on most of a section
_BETWEEN = 0.15  # [mm] spacing of the places of a curve through points further apart
_FINEST = 0.1  # [mm] spacing of the places of a smoothed curve; of points nearer to each other the means
_LEAP, _NARROWEST = 2.0, 1.5  # [1/m] that noise may add to a leap of the curvature; cutoff there, spacings at least
_LEAST = 0.05  # of the largest noise, that of places where noise along an axis moves points along the section
_BEGIN = 10.0  # spacings, cutoff that the search begins with: from 6, the noise of a few points may pass for shape
_PER_WAVE = 6.0  # spacings; of points wider apart, long waves tell nothing of noise
_LEAST_WAVES = 1e-4  # [mm] of noise with long waves; joints of arcs leave less
# variances of white noise, times spacing over cutoff/(2 pi): in the waves of half to a whole _PILOT, within the curve,
# in its curvature
_LONG, _KEPT, _BENT = 0.1038, 1.0 / math.sqrt(8.0), 1.0 / math.sqrt(128.0)


@dataclass(frozen=True)
class PilotCurve:
    """Points on a smooth curve along them, which gives places and normals; (m,) nodes are means of neighbours."""

    spline: "scipy.interpolate.BSpline"  # (place) -> y, height [mm]
    place: np.ndarray  # (n,) of the points, ascending
    order: np.ndarray  # (n,) their numbers
    node: np.ndarray  # (m,) place
    nodes: np.ndarray  # (m, 2) [mm]
    across: np.ndarray  # (m,) [mm] from the curve
    normal: np.ndarray  # (m, 2) out of the material
    length: np.ndarray  # (m,) [mm] along the curve
    step: np.ndarray  # (m,) [mm] spacing


@dataclass(frozen=True)
class SmoothCurve:
    """Smooth curve, and the points in their order along it, (n,) each."""

    spline: "scipy.interpolate.BSpline"  # (length [mm]) -> y, height [mm]
    length: np.ndarray  # [mm]
    order: np.ndarray  # number of the point
    cutoff: np.ndarray  # [mm]
    distance: np.ndarray  # [mm] of the point from the curve, out of the material
    noise: float  # [mm] standard deviation of the points from the true section


def pilot_curve(points) -> PilotCurve:
    """Smooth curve along points (n, 2) [mm], n >= 5, in the order of a section.

    Points less than a twentieth of the spacing behind the one before are left out.
    """
    apart = np.hypot(*np.diff(points, axis=0).T)
    new = np.append(True, apart > 1e-3 * np.median(apart))
    place = np.append(0.0, np.cumsum(apart))
    node, mean = _means(-(-np.count_nonzero(new) // MOST), place[new], points[new])
    step = _spacing(node)
    spline = _spline(node, mean, _weight(step, max(_PILOT, _PER_WAVE * np.median(step))))
    tangent = spline(place, 1)
    place = place + np.sum((points - spline(place)) * tangent, axis=1) / np.sum(tangent**2, axis=1)
    order = np.argsort(place, kind="stable")
    step = np.diff(place[order])
    order = order[np.append(True, step > 0.05 * np.median(step))]
    place = place[order]
    across = np.sum((points[order] - spline(place)) * _normal(spline, place), axis=1)
    node, across = _means(-(-place.size // MOST), place, across)
    normal = _normal(spline, node)
    length = np.append(0.0, np.cumsum(np.hypot(*np.diff(spline(node), axis=0).T)))
    nodes = spline(node) + across[:, None] * normal
    return PilotCurve(spline, place, order, node, nodes, across, normal, length, _spacing(length))


def noise_of(pilot, points, rounding):
    """Noise of points [mm], as strong in short waves as in long ones, and the rounding (2,) that moves points.

    rounding : (2,) float [mm]     last decimal of y and height; 0: none
    """
    white = white_noise(pilot.length, pilot.nodes, pilot.normal)
    if _PER_WAVE * np.median(pilot.step) <= _PILOT:
        weight = _weight(pilot.step, _PILOT)
        spline = scipy.interpolate.make_smoothing_spline
        across = pilot.across - spline(pilot.length, pilot.across, w=weight, lam=1.0)(pilot.length)
        waves = spline(pilot.length, across, w=2.0**4 * weight, lam=1.0)(pilot.length)
        waves = axes_of(waves / np.sqrt(_LONG * 2.0 * np.pi * pilot.step / _PILOT), pilot.normal)
        if waves.z > _LEAST_WAVES:
            white = Noise(max(white.y, min(waves.y, waves.z)), max(white.z, waves.z))
    return with_stairs(white, points, rounding)


def smooth_curve(pilot, points, noise):
    """SmoothCurve through points [mm] with cutoffs by their noise, or None where it is not worth smoothing."""
    middle = float(np.median(pilot.step))
    sigma = noise.across(pilot.normal)
    if np.median(_cutoff_for(1e-3 * CURVATURE, pilot.step, sigma)) <= SHORTEST * middle:
        return None
    sigma = np.maximum(sigma, _LEAST * sigma.max())
    group = max(round(_FINEST / middle), 1)
    length, node, across, sigma = _means(group, pilot.length, pilot.node, pilot.across, sigma)
    base, normal = pilot.spline(node), _normal(pilot.spline, node)
    start = max(_PILOT, _BEGIN * middle)
    sigma, step = sigma / np.sqrt(group), np.gradient(length)
    narrowest = np.clip(_cutoff_for(1e-3 * _LEAP, step, sigma), _NARROWEST * step, SHORTEST * step)
    u, cutoff, freedom = penalised(length, base, normal, across, sigma, (start, LONGEST, narrowest))
    spline, length = passing_curve(base + u[:, None] * normal)
    at = scipy.interpolate.make_interp_spline(node, length, k=1)(pilot.place)
    distance = np.sum((points[pilot.order] - spline(at)) * _normal(spline, at), axis=1)
    noise = float(np.sqrt(np.sum(distance**2) / max(distance.size - freedom, 1.0)))
    return SmoothCurve(spline, at, pilot.order, np.interp(at, length, cutoff), distance, noise)


def passing_curve(points):
    """Spline through points (n, 2) [mm], and their lengths along it; between points far apart by `passing`."""
    length = np.append(0.0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))
    spline = scipy.interpolate.make_interp_spline(length, points, k=3)
    parts = np.maximum(np.rint(np.diff(length) / _BETWEEN), 1).astype(int)
    if parts.max() > 1:
        node = np.append(np.repeat(length[:-1], parts), length[-1])
        at = np.append(0, np.cumsum(parts))
        node[:-1] += (np.arange(at[-1]) - np.repeat(at[:-1], parts)) * np.repeat(np.diff(length) / parts, parts)
        known = np.isin(np.arange(node.size), at)
        base, normal = spline(node), _normal(spline, node)
        along = np.append(0.0, np.cumsum(np.hypot(*np.diff(base, axis=0).T)))
        base += passing(along, base, normal, known)[:, None] * normal
        length, spline = along[known], scipy.interpolate.make_interp_spline(along, base, k=3)
    return spline, length


def curve_of_cutoff(pilot, points, cutoff) -> SmoothCurve:
    """SmoothCurve through points [mm] with a cutoff wavelength [mm], one or of each node."""
    cutoff = np.broadcast_to(cutoff, pilot.length.shape)
    spline = _spline(pilot.length, pilot.nodes, _weight(pilot.step, cutoff))
    length = scipy.interpolate.make_interp_spline(pilot.node, pilot.length, k=1)(pilot.place)
    distance = np.sum((points[pilot.order] - spline(length)) * _normal(spline, length), axis=1)
    kept = _KEPT * 2.0 * np.pi * pilot.step * pilot.length.size / pilot.place.size / cutoff
    noise = float(np.sqrt(np.mean(distance**2) / (1.0 - np.mean(np.minimum(kept, 0.9)))))
    return SmoothCurve(spline, length, pilot.order, np.interp(length, pilot.length, cutoff), distance, noise)


def _cutoff_for(curvature, step, sigma):
    """Cutoff with which noise sigma changes the curvature by a standard deviation [1/mm]."""
    return 2.0 * np.pi * (_BENT * step * (sigma / curvature) ** 2) ** 0.2


def _means(group, *columns):
    """Means of so many neighbours of columns (n, ...), the last with what is left."""
    first = np.arange(0, len(columns[0]) - group + 1, group)
    count = np.diff(np.append(first, len(columns[0])))
    return tuple((np.add.reduceat(column, first, axis=0).T / count).T for column in columns)


def _spacing(length):
    """Spacing (n,) of points along a section; at gaps that of the nearer neighbour."""
    step = np.diff(length)
    before, after = np.append(step[0], step), np.append(step, step[-1])
    return np.minimum(0.5 * (before + after), 1.5 * np.minimum(before, after))


def _weight(step, cutoff):
    return step * (2.0 * np.pi / cutoff) ** 4


def _spline(length, points, weight):
    columns = [scipy.interpolate.make_smoothing_spline(length, column, w=weight, lam=1.0) for column in points.T]
    return scipy.interpolate.BSpline(columns[0].t, np.stack([column.c for column in columns], axis=1), 3)


def _normal(spline, length):
    """Unit normals (n, 2) of a curve from the flange to the field side, out of the material."""
    tangent = spline(length, 1)
    return np.column_stack([-tangent[:, 1], tangent[:, 0]]) / np.hypot(*tangent.T)[:, None]
