"""Rows that tie a wheelset's coordinates to its profiles and journals, in E axes at the present mesh angle."""

import numpy as np

from flexwheel.numerics.kernels import Entry, entry, far_call, handle, kernel, types
from flexwheel.vehicle.between_sections import HARMONIC, SPLINE, Between, hermite, turned_rows, turned_slope
from flexwheel.vehicle.step.model import LAGRANGIAN
from flexwheel.vehicle.tread_contact import LEAST_SQUARES, TreadTable, contact_rows_at

_PROFILE, _POINT = 0, 1  # rows of Wheelsets.calls
_ROLES = ("rows of a profile", "rows at a contact point")
_profile = far_call(_ROLES[_PROFILE], types.none)
_at_point = far_call(_ROLES[_POINT], types.none)

TWO_PI = 2.0 * np.pi


@kernel
def tread_rows(wheelsets, w, side, mesh_angle, rows, slope_rows):
    """Profile rows of the section that lies at the bottom, and their rate for a mesh turned under a fixed point.

    Parameters
    ----------
    mesh_angle : float [rad]   angle by which the mesh is turned about +y; the section at -mesh_angle is at the bottom
    rows : (6, H)              shift and rotation of the profile about x, y, z, E axes
    slope_rows : (6, H)        d rows / d mesh_angle, so that the spatial rate is rows w' + Omega slope_rows w

    Between two sections by the wheelset's own rule (between_sections); exact where the mesh does not turn.
    """
    table = wheelsets.tread_rows[w, side]
    between = Between(wheelsets.between[w], wheelsets.pair[w], wheelsets.pair_order[w])
    if wheelsets.mesh_mode[w] != LAGRANGIAN or between.rule == HARMONIC:
        turned_rows(between, table, mesh_angle if wheelsets.mesh_mode[w] == LAGRANGIAN else 0.0, rows)
        turned_slope(between, rows, slope_rows)
        return
    h = wheelsets.mode_count[w]
    count = wheelsets.section_count[w]
    step = TWO_PI / count
    t = -mesh_angle / step
    i = int(np.floor(t))
    f = t - i
    i0 = i % count
    i1 = (i + 1) % count
    if between.rule == SPLINE:
        slopes = wheelsets.tread_slopes[w, side]
        value, rate = hermite(f, step)
        for c in range(6):
            for k in range(h):
                r0, m0, r1, m1 = table[i0, c, k], slopes[i0, c, k], table[i1, c, k], slopes[i1, c, k]
                rows[c, k] = value[0] * r0 + value[1] * m0 + value[2] * r1 + value[3] * m1
                slope_rows[c, k] = -(rate[0] * r0 + rate[1] * m0 + rate[2] * r1 + rate[3] * m1)
        return
    for c in range(6):
        for k in range(h):
            r0 = table[i0, c, k]
            r1 = table[i1, c, k]
            rows[c, k] = (1.0 - f) * r0 + f * r1
            slope_rows[c, k] = (r0 - r1) / step


@kernel
def contact_point_rows(wheelsets, w, side, mesh_angle, point, rows, slope_rows):
    """As `tread_rows`, for a force at `point` (3,) from the profile origin by the wheelset's own distribution."""
    _profile(_called(wheelsets, _PROFILE), (wheelsets, w, side, mesh_angle, rows, slope_rows))
    if wheelsets.distribution[w] != LEAST_SQUARES and wheelsets.mode_count[w] > 0:
        _at_point(_called(wheelsets, _POINT), (wheelsets, w, side, mesh_angle, point, rows))


@kernel
def _called(wheelsets, which):
    return Entry(wheelsets.calls[which, 0], wheelsets.calls[which, 1])


def link_rows(wheelsets):
    """Fill wheelsets.calls with the entries of the kernels of rows in use, compiled if they are not yet."""
    rows, calls = np.zeros((6, 1)), wheelsets.calls
    first = handle(wheelsets), 1, 1, 1.0
    calls[_PROFILE] = entry(tread_rows, *first, rows, rows, role=_ROLES[_PROFILE])
    if any((wheelsets.distribution != LEAST_SQUARES) & (wheelsets.mode_count > 0)):
        calls[_POINT] = entry(rows_at_point, *first, np.zeros(3), rows, role=_ROLES[_POINT])


@kernel
def rows_at_point(wheelsets, w, side, mesh_angle, point, rows):
    """Rows (6, H) of one wheelset's distribution for a force at `point` (3,) from the profile origin."""
    h = wheelsets.mode_count[w]
    count = wheelsets.section_count[w]
    table = TreadTable(
        wheelsets.lateral[w, side],
        wheelsets.radius[w],
        wheelsets.section_angle[w, :count],
        wheelsets.profile_nodes[w, side],
        wheelsets.node_rows[w, side, :count, :, :, :h],
        wheelsets.tread_rows[w, side, :count, :, :h],
        Between(wheelsets.between[w], wheelsets.pair[w], wheelsets.pair_order[w]),
        wheelsets.node_slopes[w, side, :, :, :, :h],
        wheelsets.tread_slopes[w, side, :, :, :h],
    )
    angle = mesh_angle if wheelsets.mesh_mode[w] == LAGRANGIAN else 0.0
    contact_rows_at(table, wheelsets.distribution[w], angle, point[0], point[1], point[2], rows[:, :h])


@kernel
def journal_rows(wheelsets, w, side, mesh_angle, rows):
    """Interface rows (6, H), translation and rotation, turned from the mesh into E axes."""
    h = wheelsets.mode_count[w]
    table = wheelsets.interface_rows[w, side]
    angle = mesh_angle if wheelsets.mesh_mode[w] == LAGRANGIAN else 0.0
    c = np.cos(angle)
    s = np.sin(angle)
    for k in range(h):
        for o in (0, 3):
            x = table[o, k]
            z = table[o + 2, k]
            rows[o, k] = c * x + s * z
            rows[o + 1, k] = table[o + 1, k]
            rows[o + 2, k] = -s * x + c * z


def lay_rows(wheelsets, work):
    """Rows of all profiles and journals where the meshes have not turned."""
    constant = handle(wheelsets)
    for w in range(len(wheelsets.unit)):
        for side in range(2):
            tread_rows(constant, w, side, 0.0, work.tread[w, side], work.tread_slope[w, side])
            journal_rows(constant, w, side, 0.0, work.journal[w, side])
