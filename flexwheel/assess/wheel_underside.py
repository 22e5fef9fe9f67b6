"""Underside of a rolled and yawed wheel over a rail: its lowest point at every place across the track.

The contact locus (`flexwheel.contact.geometry`) holds the points where the wheel's height is stationary along x. On a
yawed flange root it runs back, so that one place across the track has two or three of them. The underside is the lowest
one: a function of the place, in which a patch stands once.

Verified in tests/verification/test_exact_patches_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.contact.geometry import contact_locus
from flexwheel.contact.profiles.profile import profile_height

STEP = 2e-5  # [m] across the track
REACH = 4e-3  # [m] on a profile, in which a normal meets it


class Underside(NamedTuple):
    """Lowest points of a wheel over a rail, (n,) each, by ascending y."""

    y: np.ndarray  # [m] from the rail's crown
    x: np.ndarray  # [m] ahead of P
    z: np.ndarray  # [m] above the crown; inf where the wheel has no point
    eta: np.ndarray  # [m] on the wheel
    rail: np.ndarray  # [m] height of the rail
    first: np.ndarray  # [m] x of the rearmost and of the foremost point below the rail, x itself where there is none
    last: np.ndarray

    @property
    def depth(self):
        """Vertical overlap (n,) [m], negative where the bodies are apart."""
        return self.rail - self.z


def underside(pair, d, step=STEP):
    """Underside of a wheel over its rail.

    Parameters
    ----------
    pair : WheelPair
    d : (6,) float      pose of P: x, y, z [m], roll, pitch, yaw [rad]
    step : float [m]    between places

    Returns
    -------
    Underside
    """
    eta = np.arange(pair.wheel.y[0], pair.wheel.y[-1], step)
    x, y, z = contact_locus(pair, d[1], d[3], d[5], eta)
    z = z + d[2]
    place = np.arange(max(y.min(), pair.rail.y[0]), min(y.max(), pair.rail.y[-1]), step)
    rail = profile_height(pair.rail, place)[0]
    lowest = np.full(place.size, np.inf)
    own_x, own_eta = np.zeros((2, place.size))
    first, last = np.full(place.size, np.inf), np.full(place.size, -np.inf)
    for run in _ahead(y):
        low, high = np.searchsorted(place, [y[run][0], y[run][-1]])
        part = slice(low, high)
        z_run, x_run, eta_run = (np.interp(place[part], y[run], column[run]) for column in (z, x, eta))
        below = z_run < rail[part]
        first[part] = np.where(below, np.minimum(first[part], x_run), first[part])
        last[part] = np.where(below, np.maximum(last[part], x_run), last[part])
        lower = z_run < lowest[part]
        for column, values in ((lowest, z_run), (own_x, x_run), (own_eta, eta_run)):
            column[part] = np.where(lower, values, column[part])
    return Underside(place, own_x, lowest, own_eta, rail, np.minimum(first, own_x), np.maximum(last, own_x))


def _ahead(y):
    """Slices of a locus along which it does not run back; between them no place is left out."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (np.diff(y) > 0.0).astype(int), [0]])))
    return [slice(a, b + 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def overlaps(under):
    """First and last place (k, 2) int of every interval in which the bodies overlap."""
    inside = (under.depth > 0.0).astype(int)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inside, [0]])))
    return np.stack([edges[::2], edges[1::2] - 1], axis=1)


def wheel_section(pair, d, x, eta, height):
    """Points y [m] from the crown, z [m] above it, of the lower wheel surface in the planes x = const.

    Parameters
    ----------
    pair : WheelPair
    d : (6,) float            pose of P
    x, eta, height : float [m], of shapes that fit   place ahead of P, place on the wheel, height of the profile there
    """
    radius, r0 = pair.placement.radius + height, pair.placement.radius
    cr, sr, cy, sy = np.cos(d[3]), np.sin(d[3]), np.cos(d[5]), np.sin(d[5])
    # x = cy rho sin b - sy (cr eta + sr (rho cos b - r0)), relative to P
    right = x + sy * (cr * eta - sr * r0)
    lean = sy * sr
    b = np.arcsin(np.clip(right / (radius * np.hypot(cy, lean)), -1.0, 1.0)) + np.arctan2(lean, cy)
    down = radius * np.cos(b) - r0  # below P, along the wheel's vertical
    y = pair.placement.offset + d[1] + sy * radius * np.sin(b) + cy * (cr * eta + sr * down)
    return y, d[2] + sr * eta - cr * down


def middle_surface(pair, under, part):
    """Surface midway between the rail and a part of the underside, along its own normals.

    Parameters
    ----------
    pair : WheelPair
    under : Underside
    part : (n,) bool          neighbouring places

    Returns
    -------
    y, z, angle : (m,) float [m, m, rad]   one point for each place of the part
    """
    place, lowest = under.y[part], under.z[part]
    wheel_slope = np.gradient(lowest, place) if place.size > 1 else profile_height(pair.rail, place)[1]
    rail_height, rail_slope, _ = profile_height(pair.rail, place)
    y, z = place, 0.5 * (lowest + rail_height)
    angle = 0.5 * (np.arctan(wheel_slope) + np.arctan(rail_slope))
    for _ in range(2):
        ca, sa, points = np.cos(angle), np.sin(angle), []
        for height, slope in ((rail_height, rail_slope), (lowest, wheel_slope)):

            def beside(at, height=height, slope=slope):
                rise = np.interp(at, place, slope)
                return (at - y) * ca + (np.interp(at, place, height) - z) * sa, ca + rise * sa  # noqa: B023

            at = crossing(beside, y, place[0], place[-1])
            points.append((at, np.interp(at, place, height), np.arctan(np.interp(at, place, slope))))
        y, z, angle = np.mean(points, axis=0)
    # a notch, where two places of the wheel meet, has no normal: points that run back lie between those beside them
    order = np.flatnonzero(y > np.concatenate([[-np.inf], np.maximum.accumulate(y)[:-1]]))
    return tuple(np.interp(np.arange(y.size), order, column[order]) for column in (y, z, angle))


def crossing(beside, near, lowest, highest):
    """Places near others at which a rising function is 0, by Newton between bounds that close in.

    Parameters
    ----------
    beside : function            of places (...) to values and derivatives (...)
    near : (...) float [m]       to start from
    lowest, highest : float [m]  ends of the places

    Returns
    -------
    (...) float [m]              an end of the reach where the function has no zero in it
    """
    low, high = np.maximum(near - REACH, lowest), np.minimum(near + REACH, highest)
    place = np.clip(near, low, high)
    for _ in range(14):
        value, rate = beside(place)
        low, high = np.where(value < 0.0, place, low), np.where(value > 0.0, place, high)
        place = place - value / np.where(rate > 0.05, rate, np.inf)
        place = np.where((place < low) | (place > high) | ~(rate > 0.05), 0.5 * (low + high), place)
    return place
