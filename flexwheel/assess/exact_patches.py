"""Normal contact of a wheel on a rail by the half-space solution on the true surfaces.

The overlap of the undeformed bodies gives intervals of the profile. Intervals that lie close and have nearly the same
contact angle are one problem in one tangent plane (the pressure of one lifts the other); others are separate problems
of the same rigid position. In the plane, the distance is measured along its normal, from the rail's profile to the
wheel's surface of revolution, rolled and yawed.

The reference point of a plane and its angle are the means over the overlap, weighted with its depth squared (over the
area: depth^2.5 over the profile), the rule that the solver CONTACT follows; where the wheel is yawed, over the way of
its locus across the rail and its length along it.

Planar: a patch that bends by more than some 20 degrees (conformal contact) is beyond a half-space.

Verified in tests/verification/test_exact_patches_verified.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from flexwheel.assess.half_space import HalfSpace
from flexwheel.base.errors import ContactError
from flexwheel.contact.geometry import contact_locus, locus_bend
from flexwheel.contact.profiles.profile import profile_height

TOGETHER_ANGLE = np.radians(30.0)
TOGETHER_DISTANCE = 0.010  # [m] between overlaps
_STEP = 2e-5  # [m] of the scan for overlaps
_CELLS = 44  # along and across the contact, at least
_BESIDE = 4e-3  # [m] of an overlap: where the centre of a patch may lie
_TURNS = 12  # of the box of cells, until it holds the patch
_ROWS, _MOST_ROWS = 16, 250  # across the narrowest of several patches, across all
_SMALLEST, _LARGEST = 5e-5, 2e-4  # [m] cell across


@dataclass(frozen=True)
class ExactPatch:
    """One connected patch, left-like frame."""

    normal_force: float  # [N] along the normal of its plane
    x: float  # [m] centroid of the pressure ahead of P
    y_rail: float  # [m] centroid on the rail, from its crown
    z_rail: float  # [m]
    y_wheel: float  # [m] the same place on the undeformed wheel, from the tread datum
    z_wheel: float  # [m] and from the rail crown
    angle: float  # [rad] contact angle of the rail at the centroid
    plane_angle: float  # [rad] of the tangent plane, in which the load acts
    # (3,) [m] of the plane: x from P, y and z from the crown, below the rail by the largest overlap
    reference: np.ndarray
    area: float  # [m^2]
    peak_pressure: float  # [Pa]
    approach: float  # [m] largest overlap of the undeformed bodies in it
    half_length: float  # [m]
    half_width: float  # [m]
    # (4, m) lateral place from the reference point, width, half-length, offset along x [m] of each row
    strips: np.ndarray
    pressure: np.ndarray  # (k, m) [Pa] over its box of cells
    x_cells: np.ndarray  # (k,) [m] places of the cells along x from P
    s_cells: np.ndarray  # (m,) [m] and along the plane from the reference


class _Plane(NamedTuple):
    """Tangent plane, on the rail."""

    y: float  # [m] from the rail crown
    z: float
    angle: float  # [rad]


class _Overlap(NamedTuple):
    """Overlap between two places of the wheel."""

    ends: tuple  # (y_low, y_high) [m] on the rail
    plane: _Plane
    reference: np.ndarray  # (3,) [m] below the rail by the largest overlap
    depth: float  # [m] the largest
    leads: tuple  # (x_low, x_high) [m] of the contact locus


class _Cells(NamedTuple):
    """Cells of a tangent plane."""

    x: np.ndarray  # (k,) [m]
    s: np.ndarray  # (m,) [m] along the plane
    distance: np.ndarray  # (k, m) [m] undeformed, along the plane's normal
    rail: np.ndarray  # (m,) [m] the rail's y


def exact_patches(pair, d, contact_modulus):
    """Patches of a wheel in a given position.

    Parameters
    ----------
    pair : WheelPair
    d : (6,) float               pose of P: x, y, z [m], roll, pitch, yaw [rad], as `wheel_rail_contact` takes it
    contact_modulus : float [Pa] E* = G/(1 - nu) of two equal bodies

    Returns
    -------
    list of ExactPatch           by falling load; empty without contact
    """
    patches = []
    for interval in _groups(pair, d):
        patches += _solve_group(pair, d, contact_modulus, interval)
    return sorted(patches, key=lambda patch: -patch.normal_force)


def exact_load(pair, lateral, roll, yaw, vertical_load, contact_modulus, near, added=0.0):
    """Height of P at which the patches carry a vertical load.

    Parameters
    ----------
    pair : WheelPair
    lateral, roll, yaw : float [m, rad]  d_y and angles of P
    vertical_load : float [N]
    contact_modulus : float [Pa]
    near : float [m]                     height to start from, that of another model
    added : float [N]                    vertical force that something else already gives (creep forces)

    Returns
    -------
    height : float [m]
    patches : list of ExactPatch
    """
    target = vertical_load - added
    if not target > 0.0:
        raise ContactError(f"half-space contact: the load carried by pressure must be above 0, got {target:g} N")

    def vertical(height):
        patches = exact_patches(pair, np.array([0.0, lateral, height, roll, 0.0, yaw]), contact_modulus)
        return sum(patch.normal_force * np.cos(patch.plane_angle) for patch in patches), patches

    height, (load, patches) = near, vertical(near)
    low, high, last = None, None, None  # (height, load) of too much load, of too little, and of the one before
    for _ in range(40):
        if abs(load - target) <= 1e-4 * target:
            return height, patches
        here = height, load
        low, high = (here, high) if load > target else (low, here)
        if low is not None and high is not None:
            share = _hertzian(low, target) / _hertzian(low, high[1])
            height = low[0] + float(np.clip(share, 0.05, 0.95)) * (high[0] - low[0])
            if high[0] - low[0] < 1e-10:
                return height, patches
        elif last is not None and last[1] != load:
            step = (height - last[0]) * _hertzian(here, target) / _hertzian(here, last[1]) * -1.0
            height += float(np.clip(1.02 * step, -1e-4, 1e-4))
        else:  # stiffness of Hertz: 1.5 load over approach, along the normal
            approach = max((patch.approach / np.cos(patch.plane_angle) for patch in patches), default=0.0)
            step = (load - target) * approach / (1.5 * load) if load > 0.0 else -2e-5
            height += float(np.clip(step, -5e-5, 5e-5))
        last = here
        load, patches = vertical(height)
    raise ContactError(f"half-space contact: no height carries {vertical_load:g} N at {1e3 * lateral:g} mm")


def _hertzian(point, load):
    """Load^(2/3), linear in the height for one Hertz contact: that of a (height, load) minus that of a load."""
    return point[1] ** (2.0 / 3.0) - load ** (2.0 / 3.0)


def reference_points(pair, d):
    """Reference point (3,) [m] and plane angle [rad] of every overlap, as in `ExactPatch`, without solving for it."""
    found = [_overlap(pair, d, low, high) for low, high, _ in _groups(pair, d)]
    return [(overlap.reference, overlap.plane.angle) for overlap in found]


def _groups(pair, d):
    """Intervals (low, high) of the wheel's lateral coordinate solved together."""
    eta = np.arange(pair.wheel.y[0], pair.wheel.y[-1], _STEP)
    _, y, z = contact_locus(pair, d[1], d[3], d[5], eta)
    height = np.interp(y, pair.rail.y, pair.rail.height, left=-1.0, right=-1.0)
    bend = locus_bend(pair, d[3], d[5], eta)
    inside = (height - z - d[2] > 0.0) & (bend > 0.0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(int), [0]])))
    groups = []
    runs_back = np.concatenate([[0], np.cumsum(bend <= 0.0)])  # of the locus: what lies beyond is elsewhere along x
    slope = np.interp(y, pair.rail.y, pair.rail.slope)
    for first, last in zip(edges[::2], edges[1::2] - 1, strict=True):
        depth = (height - z)[first : last + 1]
        angle = np.arctan(slope[first + int(np.argmax(depth))])
        near = groups and eta[first] - groups[-1][1] < TOGETHER_DISTANCE
        if near and runs_back[first] == runs_back[groups[-1][3]] and abs(angle - groups[-1][2]) < TOGETHER_ANGLE:
            groups[-1] = (groups[-1][0], eta[last], 0.5 * (angle + groups[-1][2]), last)
        else:
            groups.append((eta[first], eta[last], angle, last))
    return [group[:3] for group in groups]


def _solve_group(pair, d, contact_modulus, group):
    """Patches of one plane problem; its grid narrows to the contact."""
    overlap = _overlap(pair, d, group[0], group[1])
    (y_low, y_high), plane = overlap.ends, overlap.plane
    locus = _locus_of(pair, d, group[0], group[1])
    middle = float(np.interp(plane.y, locus[0], locus[1]))
    reach = np.sqrt(2.0 * (pair.placement.radius + 0.03) * overlap.depth) + 1e-4
    ends = overlap.leads[0] - reach, overlap.leads[1] + reach
    slack = 2e-4 + abs(np.tan(d[5])) * reach
    across = _LARGEST
    for turn in range(_TURNS):
        box = (*ends, _along(plane, pair, y_low) - slack, _along(plane, pair, y_high) + slack)
        cells = _distance(pair, d, plane, middle, box, across)
        x, s, rail = cells.x, cells.s, cells.rail
        solver = HalfSpace(cells.distance.shape, x[1] - x[0], s[1] - s[0], contact_modulus)
        pressure = solver.solve(cells.distance)
        if not pressure.any():
            return []
        rows, columns = np.flatnonzero(pressure.any(axis=1)), np.flatnonzero(pressure.any(axis=0))
        cut = columns[0] == 0 or columns[-1] == s.size - 1 or rows[0] == 0 or rows[-1] == x.size - 1
        if turn > 0 and not cut:
            break
        margin = 2.5 * (x[1] - x[0])
        more = 0.5 * (x[rows[-1]] - x[rows[0]])
        ends = (
            x[rows[0]] - margin - (more if rows[0] == 0 else 0.0),
            x[rows[-1]] + margin + (more if rows[-1] == x.size - 1 else 0.0),
        )
        y_low, y_high = rail[columns[0]], rail[columns[-1]]
        slack = 2.5 * (s[1] - s[0]) + (1e-3 if columns[0] == 0 or columns[-1] == s.size - 1 else 0.0)
        parts = ndimage.find_objects(ndimage.label(pressure > 0.0)[0])
        narrowest = min(part[1].stop - part[1].start for part in parts) * (s[1] - s[0])
        across = max(narrowest / _ROWS, (s[columns[-1]] - s[columns[0]]) / _MOST_ROWS)
    else:
        raise ContactError(
            f"half-space contact: the patch at y = {1e3 * plane.y:.2f} mm of the rail does not end within "
            f"{1e3 * (box[1] - box[0]):.0f} x {1e3 * (box[3] - box[2]):.0f} mm of its tangent plane"
        )
    return _patches(pair, locus, overlap, cells, pressure, solver)


def _overlap(pair, d, low, high):
    """Overlap between two places of the wheel."""
    eta = np.linspace(low, high, 400)
    x, y, z = contact_locus(pair, d[1], d[3], d[5], eta)
    height, slope, _ = profile_height(pair.rail, np.clip(y, pair.rail.y[0], pair.rail.y[-1]))
    depth = np.maximum(height - z - d[2], 1e-9)
    weight = depth**2.5 * np.sqrt(np.maximum(locus_bend(pair, d[3], d[5], eta), 0.0))
    weight /= np.sum(weight)
    centre, angle = float(weight @ y), float(weight @ np.arctan(slope))
    at = float(profile_height(pair.rail, centre)[0])
    eta_ref = float(np.interp(centre, y, eta))
    reference = np.array([float(np.interp(eta_ref, eta, x)), centre, at - float(depth.max())])
    return _Overlap((y[0], y[-1]), _Plane(centre, at, angle), reference, float(depth.max()), (x.min(), x.max()))


def _along(plane, pair, y):
    """Coordinate s along the plane of a place on the rail."""
    z = float(profile_height(pair.rail, np.clip(y, pair.rail.y[0], pair.rail.y[-1]))[0])
    return (y - plane.y) * np.cos(plane.angle) + (z - plane.z) * np.sin(plane.angle)


def _distance(pair, d, plane, middle, box, across):
    """Cells of a box of the plane; middle : float [m] wheel coordinate of the contact."""
    x_low, x_high, s_low, s_high = box
    across = np.clip(min(across, (s_high - s_low) / (1.6 * _CELLS)), _SMALLEST, _LARGEST)
    along = (x_high - x_low) / (1.4 * _CELLS)
    s = s_low + across * (np.arange(int((s_high - s_low) / across)) + 0.5)
    x = x_low + along * (np.arange(int((x_high - x_low) / along)) + 0.5)
    y0, z0, angle = plane
    ca, sa = np.cos(angle), np.sin(angle)
    rail = pair.rail
    near = np.abs(rail.y - y0) < max(abs(s_low), abs(s_high)) / max(ca, 0.2) + 2e-3
    s_rail = (rail.y[near] - y0) * ca + (rail.height[near] - z0) * sa
    rising = _rising(s_rail, int(np.argmin(np.abs(rail.y[near] - y0))))
    s_rail, y_points = s_rail[rising], rail.y[near][rising]
    y_rail = np.interp(s, s_rail, y_points)
    for _ in range(3):  # onto the curve itself
        z_rail, slope, _ = profile_height(rail, y_rail)
        y_rail = y_rail + (s - (y_rail - y0) * ca - (z_rail - z0) * sa) / (ca + slope * sa)
        y_rail = np.clip(y_rail, y_points[0], y_points[-1])
    z_rail, slope, _ = profile_height(rail, y_rail)
    n_rail = (z_rail - z0) * ca - (y_rail - y0) * sa
    reached = np.abs((y_rail - y0) * ca + (z_rail - z0) * sa - s) < 1e-6
    # wheel: points of its surface in each plane x = const
    offset = pair.placement.offset + d[1]
    wheel = pair.wheel
    reach = max(abs(s_low), abs(s_high)) / max(ca, 0.2) + 4e-3 + abs(np.tan(d[5])) * (x_high - x_low)
    ends = max(middle - reach, wheel.y[0]), min(middle + reach, wheel.y[-1])
    eta = np.linspace(*ends, 2 + int(np.clip((ends[1] - ends[0]) / (0.25 * across * ca), 400, 5000)))
    height = profile_height(wheel, eta)[0]
    radius = pair.placement.radius + height
    cr, sr, cy, sy = np.cos(d[3]), np.sin(d[3]), np.cos(d[5]), np.sin(d[5])
    distance = np.empty((x.size, s.size))
    for i in range(x.size):
        # x = cy rho sin b - sy (cr eta + sr (rho cos b - r0)), relative to P
        right = x[i] + sy * (cr * eta - sr * pair.placement.radius)
        lean = sy * sr
        size = np.hypot(cy, lean)
        b = np.arcsin(np.clip(right / (radius * size), -1.0, 1.0)) + np.arctan2(lean, cy)
        down = radius * np.cos(b) - pair.placement.radius  # below P, along the wheel's vertical
        side = cr * eta + sr * down
        y = offset + sy * radius * np.sin(b) + cy * side
        z = d[2] + sr * eta - cr * down
        s_wheel = (y - y0) * ca + (z - z0) * sa
        n_wheel = (z - z0) * ca - (y - y0) * sa
        part = _rising(s_wheel, int(np.argmin(np.abs(s_wheel) + 1e3 * (np.abs(n_wheel) > 0.01))))
        distance[i] = np.interp(s, s_wheel[part], n_wheel[part], left=1e-2, right=1e-2) - n_rail
    distance[:, ~reached] = 1e-2
    return _Cells(x, s, distance, y_rail)


def _locus_of(pair, d, low, high):
    """Place across the track (ascending), wheel coordinate and height (3, n) [m] of the locus at an overlap."""
    eta = np.linspace(max(low - _BESIDE, pair.wheel.y[0]), min(high + _BESIDE, pair.wheel.y[-1]), 800)
    bends = locus_bend(pair, d[3], d[5], eta) > 0.0
    own = (eta >= low) & (eta <= high)
    first, last = np.flatnonzero(own)[[0, -1]]
    back = np.flatnonzero(~bends)
    before, after = back[back < first], back[back > last]
    run = slice(before[-1] + 1 if before.size else 0, after[0] if after.size else eta.size)
    _, y, z = contact_locus(pair, d[1], d[3], d[5], eta[run])
    return y, eta[run], z + d[2]


def _rising(values, start):
    """Slice around `start` over which values increase."""
    back = np.flatnonzero(np.diff(values) <= 0.0)
    first = back[back < start][-1] + 1 if (back < start).any() else 0
    last = back[back >= start][0] + 1 if (back >= start).any() else values.size
    return slice(first, last)


def _patches(pair, locus, overlap, cells, pressure, solver):
    """ExactPatch of every connected part of a pressure field."""
    x, s, reference = cells.x, cells.s, overlap.reference
    labels, count = ndimage.label(pressure > 0.0)
    dx, ds = x[1] - x[0], s[1] - s[0]
    found = []
    for k in range(1, count + 1):
        own = np.where(labels == k, pressure, 0.0)
        load = float(own.sum()) * solver.cell
        if load <= 1e-6 * float(pressure.sum()) * solver.cell:
            continue
        x_mean = float((own.sum(axis=1) * x).sum() / own.sum())
        s_mean = float((own.sum(axis=0) * s).sum() / own.sum())
        y_rail = float(np.interp(s_mean, s, cells.rail))
        z_rail, slope, _ = profile_height(pair.rail, y_rail)
        y_wheel, z_wheel = (float(np.interp(y_rail, locus[0], column)) for column in locus[1:])
        rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
        inside = own[:, columns] > 0.0
        half = 0.5 * dx * inside.sum(axis=0)
        middle = (inside * x[:, None]).sum(axis=0) / inside.sum(axis=0)
        box = own[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        found.append(
            ExactPatch(
                normal_force=load,
                x=x_mean,
                y_rail=y_rail,
                z_rail=float(z_rail),
                y_wheel=y_wheel,
                z_wheel=z_wheel,
                angle=float(np.arctan(slope)),
                plane_angle=overlap.plane.angle,
                reference=reference,
                area=float(inside.sum()) * solver.cell,
                peak_pressure=float(own.max()),
                approach=float(-cells.distance[labels == k].min()),
                half_length=float(half.max()),
                half_width=0.5 * ds * columns.size,
                strips=np.array([s[columns], np.full(columns.size, ds), half, middle - reference[0]]),
                pressure=box,
                x_cells=x[rows[0] : rows[-1] + 1],
                s_cells=s[columns[0] : columns[-1] + 1],
            )
        )
    return found
