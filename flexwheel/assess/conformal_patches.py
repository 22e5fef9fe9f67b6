"""Normal contact on the curved surfaces of a wheel and a rail: every strip across the track has its own normal.

The surface on which pressure acts lies midway between the undeformed wheel and rail, as two bodies of one material
deform alike; its strips carry pressure along their normals (`conformal_influence`). Distances are measured along those
normals, from the rail's profile to the wheel's surface of revolution, rolled and yawed. All overlaps of a position are
one problem: no plane has to be chosen, a patch may turn by any angle, and distant patches lift each other.

Verified in tests/verification/test_conformal_patches_verified.py.
"""

from typing import NamedTuple

import numpy as np
from scipy import ndimage

from flexwheel.assess.conformal_influence import ConformalInfluence
from flexwheel.assess.exact_patches import LEAST_SHARE, ExactPatch
from flexwheel.assess.half_space import contact_pressure
from flexwheel.assess.wheel_underside import crossing, middle_surface, overlaps, underside, wheel_section
from flexwheel.contact.profiles.profile import profile_height

FINE = 28  # strips across the narrowest contact, cells along the longest
_FEWEST, _MOST = 10, 90  # strips of one interval
_SMALLEST, _LARGEST = 2e-5, 1e-4  # [m] width of a strip, as far as _MOST allows
_SIDE = 2e-4  # [m] of surface kept beside an overlap
_APART = 1e-2  # [m] distance where a normal meets no wheel


class _Strips(NamedTuple):
    """Strips across the track, (m,) each."""

    y: np.ndarray  # [m] on the surface midway
    z: np.ndarray
    angle: np.ndarray  # [rad]
    width: np.ndarray  # [m]
    s: np.ndarray  # [m] along the curve
    interval: np.ndarray  # number of its interval
    x: np.ndarray  # [m] middle of its cells
    eta: np.ndarray  # [m] on the wheel
    lowest: np.ndarray  # [m] x of the wheel's lowest point
    rail: np.ndarray  # [m] the rail along the normal, from the surface midway
    y_rail: np.ndarray  # [m] where the normal meets the rail


def conformal_patches(pair, d, contact_modulus, fine=FINE):
    """Patches of a wheel in a given position, on curved surfaces.

    Parameters
    ----------
    pair : WheelPair
    d : (6,) float               pose of P: x, y, z [m], roll, pitch, yaw [rad], as `wheel_rail_contact` takes it
    contact_modulus : float [Pa] E* = G/(1 - nu) of two equal bodies
    fine : int                   strips across the narrowest contact, cells along the longest

    Returns
    -------
    list of ExactPatch           by falling load; empty without contact. `plane_angle` is the direction of the load
    """
    under = underside(pair, d)
    spans = [(under.y[first], under.y[last]) for first, last in overlaps(under)]
    if not spans:
        return []
    radius = pair.placement.radius + 0.03
    reach = float(np.sqrt(2.0 * radius * under.depth.max())) + 1e-4
    for turn in range(3):
        strips, length = _strips(pair, d, under, spans, reach, fine)
        count = max(int(1.4 * fine), 24)
        dx = length / (count - 2)
        # cells of all strips on one lattice: staggered ones, long and thin, make a matrix that is not positive
        start = dx * np.round((strips.x - 0.5 * length) / dx)
        distance = _distance(pair, d, strips, start[None, :] + dx * np.arange(count)[:, None])
        influence = ConformalInfluence(
            strips.y, strips.z, strips.angle, strips.width, start, count, dx, contact_modulus
        )
        pressure = contact_pressure(distance, influence.displacement, strips.width / strips.width.max())
        if not pressure.any():
            return []
        if turn == 2:
            break
        spans, reach = _narrowed(pressure, strips, start, dx)
    return _patches(pair, strips, start, dx, distance, pressure)


def _strips(pair, d, under, spans, reach, fine):
    """Strips over intervals of the track, and the length [m] of their cells' rows."""
    narrowest = min(high - low for low, high in spans)
    columns, half = [], 0.0
    for number, (low, high) in enumerate(spans):
        part = (under.y >= low - _SIDE) & (under.y <= high + _SIDE) & np.isfinite(under.z)
        y, z, angle = middle_surface(pair, under, part)
        s = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(y), np.diff(z)))])
        ends = np.interp([low, high], under.y[part], s)
        size = ends[1] - ends[0]
        width = min(size / _FEWEST, narrowest * size / ((high - low) * fine), _LARGEST * FINE / fine)
        m = max(int(np.ceil(size / max(width, size / _MOST, _SMALLEST))), 1)
        middle = ends[0] + size / m * (np.arange(m) + 0.5)
        lowest = np.interp(middle, s, under.x[part])
        lean = np.polynomial.Polynomial.fit(middle, lowest, 1)(middle) if m > 2 else lowest
        half = max(
            half,
            float(np.max(np.interp(middle, s, under.last[part]) - lean)) + reach,
            float(np.max(lean - np.interp(middle, s, under.first[part]))) + reach,
        )
        own = (np.interp(middle, s, column) for column in (y, z, angle))
        eta = np.interp(middle, s, under.eta[part])
        columns.append([*own, np.full(m, size / m), middle, np.full(m, number), lean, eta, lowest])
    y, z, angle, width, s, number, x, eta, lowest = np.concatenate(columns, axis=1)
    rail, y_rail = _rail_along(pair.rail, y, z, angle)
    return _Strips(y, z, angle, width, s, number, x, eta, lowest, rail, y_rail), 2.0 * half


def _rail_along(rail, y, z, angle):
    """Distance [m] of the rail along normals, and its y there."""
    ca, sa = np.cos(angle), np.sin(angle)

    def beside(place):
        height, slope, _ = profile_height(rail, place)
        return (place - y) * ca + (height - z) * sa, ca + slope * sa

    place = crossing(beside, y, rail.y[0], rail.y[-1])
    height = profile_height(rail, place)[0]
    return (height - z) * ca - (place - y) * sa, place


def _distance(pair, d, strips, x):
    """Undeformed distance (k, m) [m] along the normals in the planes x (k, m)."""
    wheel, ca, sa = pair.wheel, np.cos(strips.angle), np.sin(strips.angle)
    near = strips.eta - np.sin(d[5]) * (x - strips.lowest)
    small = 1e-6

    def section(eta):
        return wheel_section(pair, d, x, eta, profile_height(wheel, eta)[0])

    def along(y, z):
        return (y - strips.y) * ca + (z - strips.z) * sa

    def beside(eta):
        ahead = np.minimum(eta + small, wheel.y[-1])
        here, there = along(*section(eta)), along(*section(ahead))
        return here, (there - here) / np.maximum(ahead - eta, 1e-9)

    eta = crossing(beside, np.clip(near, wheel.y[0], wheel.y[-1] - small), wheel.y[0], wheel.y[-1] - small)
    y, z = section(eta)
    out = (z - strips.z) * ca - (y - strips.y) * sa - strips.rail
    return np.where(np.abs(along(y, z)) < 1e-7, out, _APART)


def _narrowed(pressure, strips, start, dx):
    """Intervals that hold the contact and the reach [m] beside its middle line."""
    touched = np.flatnonzero(pressure.any(axis=0))
    breaks = np.flatnonzero((np.diff(touched) > 3) | (np.diff(strips.interval[touched]) != 0))
    spans = []
    for run in np.split(touched, breaks + 1):
        side = 1.5 * strips.width[run[0]] * np.cos(strips.angle[[run[0], run[-1]]])
        spans.append((strips.y[run[0]] - side[0], strips.y[run[-1]] + side[1]))
    for k in range(1, len(spans)):  # neighbours meet midway
        if spans[k][0] < spans[k - 1][1]:
            middle = 0.5 * (spans[k][0] + spans[k - 1][1])
            spans[k - 1], spans[k] = (spans[k - 1][0], middle), (middle, spans[k][1])
    x = start[None, :] + dx * np.arange(pressure.shape[0])[:, None]
    return spans, float(np.abs(x - strips.lowest)[pressure > 0.0].max()) + 1.5 * dx


def _patches(pair, strips, start, dx, distance, pressure):
    """ExactPatch of every connected part."""
    gaps = np.flatnonzero(np.diff(strips.interval) != 0) + 1
    labels = np.insert(pressure, gaps, 0.0, axis=1)
    labels, count = ndimage.label(labels > 0.0)
    labels = np.delete(labels, gaps + np.arange(gaps.size), axis=1)
    load = pressure * strips.width * dx
    x = start[None, :] + dx * np.arange(pressure.shape[0])[:, None]
    found = []
    for k in range(1, count + 1):
        own = np.where(labels == k, load, 0.0)
        row = own.sum(axis=0)
        if row.sum() <= LEAST_SHARE * load.sum():
            continue
        found.append(
            _patch(pair, strips, x, dx, np.where(labels == k, pressure, 0.0), own, -distance[labels == k].min())
        )
    return sorted(found, key=lambda patch: -patch.normal_force)


def _patch(pair, strips, x, dx, pressure, own, approach):
    """ExactPatch of one connected part with loads `own` (k, m) [N] of its cells."""
    row, total = own.sum(axis=0), own.sum()
    force = np.array([-row @ np.sin(strips.angle), row @ np.cos(strips.angle)])
    direction = float(np.arctan2(-force[0], force[1]))
    x_mean = float((own * x).sum() / total)
    y_rail, y_wheel, y, z, s = (
        float(row @ column / total) for column in (strips.y_rail, strips.eta, strips.y, strips.z, strips.s)
    )
    z_rail, slope, _ = profile_height(pair.rail, y_rail)
    rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(row)
    inside = own[:, columns] > 0.0
    half = 0.5 * dx * inside.sum(axis=0)
    middle = (inside * x[:, columns]).sum(axis=0) / inside.sum(axis=0)
    reference = np.array([x_mean, y_rail, float(z_rail) - approach])
    return ExactPatch(
        normal_force=float(np.hypot(*force)),
        x=x_mean,
        y_rail=y_rail,
        z_rail=float(z_rail),
        y_wheel=y_wheel,
        z_wheel=z,
        angle=float(np.arctan(slope)),
        plane_angle=direction,
        reference=reference,
        area=float((inside * strips.width[columns]).sum()) * dx,
        peak_pressure=float(pressure.max()),
        approach=float(approach),
        half_length=float(half.max()),
        half_width=0.5 * float(strips.width[columns].sum()),
        strips=np.array([strips.s[columns] - s, strips.width[columns], half, middle - x_mean]),
        pressure=pressure[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1],
        x_cells=x[rows[0] : rows[-1] + 1, columns].mean(axis=1),
        s_cells=strips.s[columns[0] : columns[-1] + 1] - s,
        force_angle=direction,
        turn=float(np.ptp(strips.angle[columns])),
    )
