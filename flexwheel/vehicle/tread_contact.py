"""Rows that tie the modes to the running surface: motion of the profile and of a contact point, E axes.

The mesh is turned by `mesh_angle` about +y, so the section at alpha = -mesh_angle is at the bottom.
Displacements of a point between two sections follow the modes' own harmonics or a spline in the frame of the
section (`between_sections`); by the rule LINEAR they are interpolated on the chord between their nodes, as the facet
of the mesh does (paper 004, figure 6), in axes that do not turn with the section. Motion and force use the same
rows, so contact creates no energy.

Distribution of a contact force (rows about the profile origin P, shift and rotation about x, y, z):

- LEAST_SQUARES: transposed rows of the profile's rigid shift and rotation, eqs (12)-(14)
- SHAPE_FUNCTIONS: bilinear functions of the facet at the contact point. On a mesh of revolution the Newton
iteration
  for xi and eta has the closed solution used here: eta from y, xi from the direction of the point
- INVERSE_DISTANCE: two stages, to the two sections and then to two nodes on each, inversely to the distance

In the last two the shift rows are those of the contact point, carried to P with the profile's rotation
rows, so that rows^T (wrench about P) is exactly the work of the force at the point.

Verified in tests/vehicle/test_bodies_tread_contact_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.between_sections import (
    HARMONIC,
    LINEAR,
    SPLINE,
    Between,
    hermite,
    section_slopes,
    turn_columns,
    turned_rows,
)

LEAST_SQUARES, SHAPE_FUNCTIONS, INVERSE_DISTANCE = 0, 1, 2
DISTRIBUTIONS = {
    "least_squares": LEAST_SQUARES,
    "shape_functions": SHAPE_FUNCTIONS,
    "inverse_distance": INVERSE_DISTANCE,
}


class TreadTable(NamedTuple):
    """Running surface of one wheel, for the kernels; profile nodes in ascending y."""

    lateral: float  # y of the profile origin P [m]
    radius: float  # of P [m]
    angle: np.ndarray  # (S,) ascending in [0, 2 pi)
    profile: np.ndarray  # (P, 2) y and r [m]
    node_rows: np.ndarray  # (S, P, 3, H) section frame
    profile_rows: np.ndarray  # (S, 6, H) section frame
    between: Between
    node_slopes: np.ndarray  # (S, P, 3, H) and (S, 6, H) by the section angle; only where the rule is SPLINE
    profile_slopes: np.ndarray


def tread_table(tread, between) -> TreadTable:
    """Table of a `reduced_body.Tread`; between: how rows go on between sections."""
    angle = np.ascontiguousarray(tread.angle, dtype=float)
    nodes = np.ascontiguousarray(tread.node_rows, dtype=float)
    profile = np.ascontiguousarray(tread.profile_rows, dtype=float)
    splined = between.rule == SPLINE
    return TreadTable(
        float(tread.lateral),
        float(tread.radius),
        angle,
        np.ascontiguousarray(tread.profile, dtype=float),
        nodes,
        profile,
        between,
        section_slopes(angle, nodes) if splined else nodes[:1],
        section_slopes(angle, profile) if splined else profile[:1],
    )


@kernel
def neighbours(angle, alpha):
    """Sections on either side of angle alpha: rows i and j, angle from i to alpha, angle from i to j."""
    two_pi = 2.0 * np.pi
    count = angle.shape[0]
    alpha = alpha - two_pi * np.floor(alpha / two_pi)
    i = np.searchsorted(angle, alpha, side="right") - 1
    if i < 0:  # before the first section
        i = count - 1
        alpha += two_pi
    j = i + 1
    span = (angle[j] if j < count else angle[0] + two_pi) - angle[i]
    return i, j % count, alpha - angle[i], span


@kernel
def add_turned(weight, turn, source, first, target, base):
    """target[base : base + 3] += weight * Ry(turn) source[first : first + 3], column by column."""
    c, s = weight * np.cos(turn), weight * np.sin(turn)
    for k in range(target.shape[1]):
        x, z = source[first, k], source[first + 2, k]
        target[base, k] += c * x + s * z
        target[base + 1, k] += weight * source[first + 1, k]
        target[base + 2, k] += c * z - s * x


@kernel
def profile_rows_at(profile_rows, angle, mesh_angle, rows):
    """Profile rows (6, H) of the lowest point for a mesh turned by mesh_angle, E axes.

    Shift and rotation turn as vectors from the frame of each section.
    """
    i, j, past, span = neighbours(angle, -mesh_angle)
    right = np.sin(past) / (np.sin(past) + np.sin(span - past))
    rows[:] = 0.0
    for end in range(2):
        section = i if end == 0 else j
        weight = 1.0 - right if end == 0 else right
        turn = -past if end == 0 else span - past  # section frame to E: Ry(section angle + mesh angle)
        add_turned(weight, turn, profile_rows[section], 0, rows, 0)
        add_turned(weight, turn, profile_rows[section], 3, rows, 3)


@kernel
def smooth_rows(between, angle, table, slopes, alpha, rows):
    """Rows (C, H) of a table (S, C, H) at section angle alpha by HARMONIC or SPLINE, section frame."""
    if between.rule == HARMONIC:
        turned_rows(between, table, -alpha, rows)
        return
    i, j, past, span = neighbours(angle, alpha)
    value, _ = hermite(past / span, span)
    for c in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            rows[c, m] = value[0] * table[i, c, m] + value[1] * slopes[i, c, m]
            rows[c, m] += value[2] * table[j, c, m] + value[3] * slopes[j, c, m]


@kernel
def smooth_point(tread, alpha, turn, k, up, rows):
    """Shift rows[:3] of the surface point at section angle alpha between profile nodes k, k + 1, by Ry(turn)."""
    between = tread.between
    i, j, past, span = neighbours(tread.angle, alpha)
    value, _ = hermite(past / span, span)
    nodes, slopes = tread.node_rows, tread.node_slopes
    for c in range(3):
        for m in range(rows.shape[1]):
            if between.rule == HARMONIC:
                rows[c, m] = (1.0 - up) * nodes[0, k, c, m] + up * nodes[0, k + 1, c, m]
            else:
                low = value[0] * nodes[i, k, c, m] + value[2] * nodes[j, k, c, m]
                low += value[1] * slopes[i, k, c, m] + value[3] * slopes[j, k, c, m]
                high = value[0] * nodes[i, k + 1, c, m] + value[2] * nodes[j, k + 1, c, m]
                high += value[1] * slopes[i, k + 1, c, m] + value[3] * slopes[j, k + 1, c, m]
                rows[c, m] = (1.0 - up) * low + up * high
    if between.rule == HARMONIC:
        turn_columns(between, -alpha, rows[:3])
    c, s = np.cos(turn), np.sin(turn)
    for m in range(rows.shape[1]):
        x, z = rows[0, m], rows[2, m]
        rows[0, m] = c * x + s * z
        rows[2, m] = c * z - s * x


@kernel
def contact_weights(tread, distribution, alpha, y):
    """Sections i, j and profile nodes k, k + 1 around a surface point, and the weights of j and of k + 1.

    alpha : section angle of the point on the mesh; y : body frame [m]. Beyond the edge of the profile the
    outermost facet is continued.
    """
    i, j, past, span = neighbours(tread.angle, alpha)
    count = tread.profile.shape[0]
    k = min(max(np.searchsorted(tread.profile[:, 0], y) - 1, 0), count - 2)
    width = tread.profile[k + 1, 0] - tread.profile[k, 0]
    up = (y - tread.profile[k, 0]) / width
    if distribution == INVERSE_DISTANCE:
        up = min(max(up, 0.0), 1.0)
        to_i, to_j = np.sin(0.5 * past), np.sin(0.5 * (span - past))  # chords, radius left out
        right = to_i / (to_i + to_j)
    else:
        right = np.sin(past) / (np.sin(past) + np.sin(span - past))
    return i, j, k, right, up, past, span


@kernel
def contact_rows_at(tread, distribution, mesh_angle, x, y, z, rows):
    """Rows (6, H) about P of a wrench whose force acts at a contact point, E axes.

    Parameters
    ----------
    tread : TreadTable
    distribution : int         LEAST_SQUARES, SHAPE_FUNCTIONS or INVERSE_DISTANCE
    mesh_angle : float [rad]   0 in the Eulerian variants
    x, y, z : float [m]        contact point from P, E axes
    rows : (6, H)              out; modal force = rows^T (Fx, Fy, Fz, Mx, My, Mz) about P
    """
    linear = tread.between.rule == LINEAR
    if linear:
        profile_rows_at(tread.profile_rows, tread.angle, mesh_angle, rows)
    else:
        smooth_rows(tread.between, tread.angle, tread.profile_rows, tread.profile_slopes, -mesh_angle, rows)
    if distribution == LEAST_SQUARES:
        return
    # direction (-sin a, 0, -cos a) of the point seen from the axle
    ahead = np.arctan2(-x, tread.radius - z)
    i, j, k, right, up, past, span = contact_weights(tread, distribution, ahead - mesh_angle, y + tread.lateral)
    if linear:
        for c in range(3):
            for m in range(rows.shape[1]):
                rows[c, m] = 0.0
        # section frame to E: Ry(section angle + mesh angle) = Ry(ahead - past)
        add_turned((1.0 - right) * (1.0 - up), ahead - past, tread.node_rows[i, k], 0, rows, 0)  # 004 (15), (16)
        add_turned((1.0 - right) * up, ahead - past, tread.node_rows[i, k + 1], 0, rows, 0)
        add_turned(right * (1.0 - up), ahead + span - past, tread.node_rows[j, k], 0, rows, 0)
        add_turned(right * up, ahead + span - past, tread.node_rows[j, k + 1], 0, rows, 0)
    else:
        smooth_point(tread, ahead - mesh_angle, ahead, k, up, rows)
    # shift of P = shift of the point - rotation x (x, y, z)
    for m in range(rows.shape[1]):
        rx, ry, rz = rows[3, m], rows[4, m], rows[5, m]
        rows[0, m] -= ry * z - rz * y
        rows[1, m] -= rz * x - rx * z
        rows[2, m] -= rx * y - ry * x
