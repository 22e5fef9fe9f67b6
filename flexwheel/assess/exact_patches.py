"""Normal contact of a wheel on a rail by the half-space solution on the true surfaces.

The overlap of the undeformed bodies gives intervals of the profile. Intervals that lie close and have nearly the same
contact angle are one problem in one tangent plane (the pressure of one lifts the other); others are separate problems
of the same rigid position. In the plane, the distance is measured along its normal, from the rail's profile to the
wheel's surface of revolution, rolled and yawed.

The reference point of a plane and its angle are the means over the overlap, weighted with its depth squared (over the
area: depth^2.5 over the profile), the rule that the solver CONTACT follows; where the wheel is yawed, over the way of
its locus across the rail and its length along it.

The distance is planar, the load acts along the local normals of the surface midway between the bodies. A patch that
turns by more than some 20 degrees is better solved on the curved surface (`conformal_patches`).

Verified in tests/verification/test_exact_patches_verified.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from flexwheel.assess.half_space import HalfSpace
from flexwheel.assess.wheel_underside import middle_surface, overlaps, underside, wheel_section
from flexwheel.base.errors import ContactError
from flexwheel.contact.geometry import first_touch, locus_bend
from flexwheel.contact.profiles.profile import profile_height

TOGETHER_ANGLE = np.radians(30.0)
TOGETHER_DISTANCE = 0.010  # [m] between overlaps
LEAST_SHARE = 1e-4  # of the load of a position: less is a grain of the profile, not a patch
_CELLS = 44  # along and across the contact, at least
_TURNS = 12  # of the box of cells, until it holds the patch
_ROWS, _MOST_ROWS = 16, 250  # on the smallest of several patches, on all
_SMALLEST, _LARGEST = 5e-5, 2e-4  # [m] cell across


@dataclass(frozen=True)
class ExactPatch:
    """One connected patch, left-like frame."""

    normal_force: float  # [N] resultant of the pressure along the local normals
    x: float  # [m] centroid of the pressure ahead of P
    y_rail: float  # [m] centroid on the rail, from its crown
    z_rail: float  # [m]
    y_wheel: float  # [m] the same place on the undeformed wheel, from the tread datum
    z_wheel: float  # [m] and from the rail crown
    angle: float  # [rad] contact angle of the rail at the centroid
    plane_angle: float  # [rad] of the tangent plane, in which the creepages count
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
    force_angle: float  # [rad] direction of the load, as the local normals carry it
    turn: float  # [rad] between its outermost normals


class _Plane(NamedTuple):
    """Tangent plane, on the rail."""

    y: float  # [m] from the rail crown
    z: float
    angle: float  # [rad]


class _Overlap(NamedTuple):
    """Overlaps that are solved in one plane."""

    ends: tuple  # (y_low, y_high) [m] on the rail
    limits: tuple  # (y_low, y_high) [m] halfway to the overlaps beside, which are others' part
    plane: _Plane
    reference: np.ndarray  # (3,) [m] below the rail by the largest overlap
    depth: float  # [m] the largest
    leads: tuple  # (x_low, x_high) [m] of the wheel's points below the rail


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
    under, patches = underside(pair, d), []
    for overlap in _overlaps(pair, d, under):
        patches += _solve_plane(pair, d, contact_modulus, under, overlap)
    least = LEAST_SHARE * sum(patch.normal_force for patch in patches)
    return sorted((patch for patch in patches if patch.normal_force > least), key=lambda patch: -patch.normal_force)


def exact_load(
    pair, lateral, roll, yaw, vertical_load, contact_modulus, near=None, added=0.0, patches_of=exact_patches
):
    """Height of P at which the patches carry a vertical load.

    Parameters
    ----------
    pair : WheelPair
    lateral, roll, yaw : float [m, rad]  d_y and angles of P
    vertical_load : float [N]
    contact_modulus : float [Pa]
    near : float [m]                     height to start from; None: below the first touch by Hertz's approach
    added : float [N]                    vertical force that something else already gives (creep forces)
    patches_of : function                `exact_patches` or `conformal_patches`

    Returns
    -------
    height : float [m]
    patches : list of ExactPatch
    """
    target = vertical_load - added
    if not target > 0.0:
        raise ContactError(f"half-space contact: the load carried by pressure must be above 0, got {target:g} N")

    def vertical(height):
        patches = patches_of(pair, np.array([0.0, lateral, height, roll, 0.0, yaw]), contact_modulus)
        return sum(patch.normal_force * np.cos(patch.force_angle) for patch in patches), patches

    if near is None:
        near = first_touch(pair, lateral, roll, yaw)[0] - 1e-4 * (target / 1e5) ** (2.0 / 3.0)
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
    return [(overlap.reference, overlap.plane.angle) for overlap in _overlaps(pair, d, underside(pair, d))]


def _overlaps(pair, d, under):
    """List of _Overlap: neighbours of nearly one angle are solved together."""
    slope = profile_height(pair.rail, under.y)[1]
    groups = []  # [first, last, angle]
    for first, last in overlaps(under):
        deepest = first + int(np.argmax(under.depth[first : last + 1]))
        angle = np.arctan(slope[deepest])
        if groups:
            before = groups[-1]
            apart = np.hypot(under.y[first] - under.y[before[1]], under.x[first] - under.x[before[1]])
            if apart < TOGETHER_DISTANCE and abs(angle - before[2]) < TOGETHER_ANGLE:
                groups[-1] = [before[0], last, 0.5 * (angle + before[2])]
                continue
        groups.append([first, last, angle])
    middles = [0.5 * (under.y[a[1]] + under.y[b[0]]) for a, b in zip(groups, groups[1:], strict=False)]
    limits = zip([-np.inf, *middles], [*middles, np.inf], strict=True)
    return [_overlap(pair, d, under, group, limit) for group, limit in zip(groups, limits, strict=True)]


def _solve_plane(pair, d, contact_modulus, under, overlap):
    """Patches of one plane problem; its grid narrows to the contact."""
    (y_low, y_high), plane = overlap.ends, overlap.plane
    middle = float(np.interp(plane.y, under.y, under.eta))
    reach = np.sqrt(2.0 * (pair.placement.radius + 0.03) * overlap.depth) + 1e-4
    ends = overlap.leads[0] - reach, overlap.leads[1] + reach
    slack = 2e-4 + abs(np.tan(d[5])) * reach
    across, along = _LARGEST, np.inf
    for turn in range(_TURNS):
        box = (*ends, _along(plane, pair, y_low) - slack, _along(plane, pair, y_high) + slack)
        cells = _distance(pair, d, overlap, middle, box, (along, across))
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
        shortest, narrowest = (min(part[k].stop - part[k].start for part in parts) for k in (0, 1))
        along = max(shortest * (x[1] - x[0]) / _ROWS, (ends[1] - ends[0]) / _MOST_ROWS)
        across = max(narrowest * (s[1] - s[0]) / _ROWS, (s[columns[-1]] - s[columns[0]]) / _MOST_ROWS)
    else:
        raise ContactError(
            f"half-space contact: the patch at y = {1e3 * plane.y:.2f} mm of the rail does not end within "
            f"{1e3 * (box[1] - box[0]):.0f} x {1e3 * (box[3] - box[2]):.0f} mm of its tangent plane"
        )
    return _patches(pair, under, overlap, cells, pressure, solver)


def _overlap(pair, d, under, group, limits):
    """_Overlap between two places of the underside."""
    first, last, _ = group
    part = slice(first, last + 1)
    y, eta, depth = under.y[part], under.eta[part], np.maximum(under.depth[part], 0.0)
    weight = depth**2.5 * np.sqrt(np.maximum(locus_bend(pair, d[3], d[5], eta), 1e-9))
    weight /= np.sum(weight)
    centre, angle = float(weight @ y), float(weight @ np.arctan(profile_height(pair.rail, y)[1]))
    at, deepest = float(profile_height(pair.rail, centre)[0]), float(depth.max())
    reference = np.array([float(np.interp(centre, y, under.x[part])), centre, at - deepest])
    leads = under.first[part].min(), under.last[part].max()
    return _Overlap((y[0], y[-1]), limits, _Plane(centre, at, angle), reference, deepest, leads)


def _along(plane, pair, y):
    """Coordinate s along the plane of a place on the rail."""
    return _along_plane(plane, y, float(profile_height(pair.rail, np.clip(y, pair.rail.y[0], pair.rail.y[-1]))[0]))


def _along_plane(plane, y, z):
    """Coordinate s along the plane of a point."""
    return (y - plane.y) * np.cos(plane.angle) + (z - plane.z) * np.sin(plane.angle)


def _distance(pair, d, overlap, middle, box, sizes):
    """Cells of a box of the plane, of sizes at most; middle : float [m] wheel coordinate of the contact."""
    plane = overlap.plane
    x_low, x_high, s_low, s_high = box
    across = np.clip(min(sizes[1], (s_high - s_low) / (1.6 * _CELLS)), _SMALLEST, _LARGEST)
    along = min(sizes[0], (x_high - x_low) / (1.4 * _CELLS))
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
    reached &= (y_rail > overlap.limits[0]) & (y_rail < overlap.limits[1])
    wheel = pair.wheel
    reach = max(abs(s_low), abs(s_high)) / max(ca, 0.2) + 4e-3 + abs(np.tan(d[5])) * (x_high - x_low)
    ends = max(middle - reach, wheel.y[0]), min(middle + reach, wheel.y[-1])
    eta = np.linspace(*ends, 2 + int(np.clip((ends[1] - ends[0]) / (0.25 * across * ca), 400, 5000)))
    height = profile_height(wheel, eta)[0]
    distance = np.empty((x.size, s.size))
    for i in range(x.size):
        y, z = wheel_section(pair, d, x[i], eta, height)
        s_wheel = (y - y0) * ca + (z - z0) * sa
        n_wheel = (z - z0) * ca - (y - y0) * sa
        part = _rising(s_wheel, int(np.argmin(np.abs(s_wheel) + 1e3 * (np.abs(n_wheel) > 0.01))))
        distance[i] = np.interp(s, s_wheel[part], n_wheel[part], left=1e-2, right=1e-2) - n_rail
    distance[:, ~reached] = 1e-2
    return _Cells(x, s, distance, y_rail)


def _rising(values, start):
    """Slice around `start` over which values increase."""
    back = np.flatnonzero(np.diff(values) <= 0.0)
    first = back[back < start][-1] + 1 if (back < start).any() else 0
    last = back[back >= start][0] + 1 if (back >= start).any() else values.size
    return slice(first, last)


def _patches(pair, under, overlap, cells, pressure, solver):
    """ExactPatch of every connected part of a pressure field."""
    x, s, reference = cells.x, cells.s, overlap.reference
    labels, count = ndimage.label(pressure > 0.0)
    dx, ds = x[1] - x[0], s[1] - s[0]
    low, high = overlap.ends
    y, z, angle = middle_surface(pair, under, (under.y >= low - 2e-4) & (under.y <= high + 2e-4) & np.isfinite(under.z))
    normal = np.interp(s, _along_plane(overlap.plane, y, z), angle)
    found = []
    for k in range(1, count + 1):
        own = np.where(labels == k, pressure, 0.0)
        if own.sum() <= LEAST_SHARE * pressure.sum():
            continue
        row = own.sum(axis=0) * solver.cell
        across, upward = -float(row @ np.sin(normal)), float(row @ np.cos(normal))
        x_mean = float((own.sum(axis=1) * x).sum() / own.sum())
        s_mean = float((own.sum(axis=0) * s).sum() / own.sum())
        y_rail = float(np.interp(s_mean, s, cells.rail))
        z_rail, slope, _ = profile_height(pair.rail, y_rail)
        y_wheel, z_wheel = (float(np.interp(y_rail, under.y, column)) for column in (under.eta, under.z))
        rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
        inside = own[:, columns] > 0.0
        half = 0.5 * dx * inside.sum(axis=0)
        middle = (inside * x[:, None]).sum(axis=0) / inside.sum(axis=0)
        box = own[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        found.append(
            ExactPatch(
                normal_force=float(np.hypot(across, upward)),
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
                force_angle=float(np.arctan2(-across, upward)),
                turn=float(np.ptp(normal[columns])),
            )
        )
    return found
