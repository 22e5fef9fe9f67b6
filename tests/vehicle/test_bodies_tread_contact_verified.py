"""Rows of the running surface against known displacement fields on a synthetic rim.

A rim of S sections and P profile nodes; modes are fields whose motion of any point is known in closed
form: rigid translation, harmonics cos(n alpha) of radial, lateral and tangential displacement.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.body.reduced_body import Tread
from flexwheel.vehicle.between_sections import HARMONIC, SPLINE, between_sections
from flexwheel.vehicle.step.model import LAGRANGIAN
from flexwheel.vehicle.step.wheelset_rows import journal_rows, tread_rows
from flexwheel.vehicle.tread_contact import (
    INVERSE_DISTANCE,
    LEAST_SQUARES,
    SHAPE_FUNCTIONS,
    contact_rows_at,
    profile_rows_at,
    tread_table,
)

RADIUS, LATERAL = 0.46, 0.75


def ry(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rim(fields, sections=180, generator=None, defect=np.nan, wanted="smooth"):
    """Tread of a rim on which mode k displaces body point X by fields[k](X); linear where no generator is given."""
    profile = np.array([[LATERAL + e, RADIUS - 0.05 * e + 4.0 * e**2] for e in (-0.04, -0.01, 0.02, 0.05)])
    angle = 2 * np.pi * np.arange(sections) / sections
    node_rows = np.empty((sections, len(profile), 3, len(fields)))
    profile_rows = np.empty((sections, 6, len(fields)))
    fit = np.zeros((3 * len(profile), 6))
    for p, (y, r) in enumerate(profile):
        dy, dz = y - LATERAL, RADIUS - r
        fit[3 * p : 3 * p + 3] = [[1, 0, 0, 0, dz, -dy], [0, 1, 0, -dz, 0, 0], [0, 0, 1, dy, 0, 0]]
    for s, a in enumerate(angle):
        for p, (y, r) in enumerate(profile):
            point = np.array([-r * np.sin(a), y, -r * np.cos(a)])
            for k, field in enumerate(fields):
                node_rows[s, p, :, k] = ry(a).T @ field(point)
        profile_rows[s] = np.linalg.lstsq(fit, node_rows[s].reshape(-1, len(fields)), rcond=None)[0]
    tread = Tread(1, RADIUS, LATERAL, angle, profile, node_rows, profile_rows, np.zeros((6, 6)))
    if generator is None:
        generator, wanted = np.zeros((len(fields), len(fields))), "linear"
    return tread_table(tread, between_sections(generator, defect, wanted))


def translation(axis):
    return lambda point: np.eye(3)[axis]


def harmonic(n, kind, phase=0.3):
    def field(point):
        a = np.arctan2(-point[0], -point[2])
        directions = {"radial": [-np.sin(a), 0, -np.cos(a)], "lateral": [0, 1, 0]}
        return np.cos(n * a + phase) * np.array(directions[kind])

    return field


@pytest.mark.parametrize("distribution", [LEAST_SQUARES, SHAPE_FUNCTIONS, INVERSE_DISTANCE])
def test_translation_of_the_body_is_seen_in_frame_e(distribution):
    table = rim([translation(i) for i in range(3)])
    for mesh_angle in (0.0, 0.01, 1.234, -7.0, 50.0):
        rows = np.empty((6, 3))
        contact_rows_at(table, distribution, mesh_angle, 0.01, 0.005, 0.0, rows)
        # the chord reduces nothing, since a translation is linear; inverse distance misses by beta^2
        tolerance = 1e-5 if distribution == INVERSE_DISTANCE else 1e-12
        np.testing.assert_allclose(rows[:3], ry(mesh_angle), atol=tolerance)
        np.testing.assert_allclose(rows[3:], 0.0, atol=1e-12)


@pytest.mark.parametrize("kind", ["radial", "lateral"])
def test_error_of_the_interpolation_falls_with_the_sector_angle_squared(kind):
    worst = []
    for sections in (90, 180, 360):
        table = rim([harmonic(4, kind)], sections)
        error = 0.0
        for mesh_angle in np.linspace(0.0, 0.3, 41):
            rows = np.empty((6, 1))
            profile_rows_at(table.profile_rows, table.angle, mesh_angle, rows)
            exact = ry(mesh_angle) @ harmonic(4, kind)(
                np.array([RADIUS * np.sin(mesh_angle), LATERAL, -RADIUS * np.cos(mesh_angle)])
            )
            error = max(error, np.abs(rows[:3, 0] - exact).max())
        worst.append(error)
    orders = np.log2(np.array(worst[:-1]) / worst[1:])
    assert ((orders > 1.9) & (orders < 2.1)).all()


@pytest.mark.parametrize("distribution", [SHAPE_FUNCTIONS, INVERSE_DISTANCE])
def test_work_of_a_force_is_that_of_the_displaced_point(distribution):
    """rows^T (wrench about P) equals force . displacement of the contact point on the facet."""
    rng = np.random.default_rng(0)
    fields = [harmonic(n, kind) for n in (0, 1, 2, 3) for kind in ("radial", "lateral")]
    table = rim(fields)
    for _ in range(20):
        mesh_angle = rng.uniform(-10, 10)
        x, y = rng.uniform(-0.02, 0.02), rng.uniform(-0.035, 0.045)
        radius = np.interp(y + LATERAL, table.profile[:, 0], table.profile[:, 1])
        z = RADIUS - np.sqrt(radius**2 - x**2)
        rows = np.empty((6, len(fields)))
        contact_rows_at(table, distribution, mesh_angle, x, y, z, rows)
        force = rng.normal(size=3)
        moment = np.cross([x, y, z], force)
        work = rows.T @ np.r_[force, moment]
        point = ry(mesh_angle).T @ np.array([x, y + LATERAL, z - RADIUS])
        exact = np.array([force @ ry(mesh_angle) @ field(point) for field in fields])
        # interpolation of order-3 fields over 2 degrees: (3 * 0.035)^2 / 8
        np.testing.assert_allclose(work, exact, atol=2e-3 * np.abs(force).sum())


@pytest.mark.parametrize("distribution", [LEAST_SQUARES, SHAPE_FUNCTIONS, INVERSE_DISTANCE])
@pytest.mark.parametrize("y", [-0.035, 0.0, 0.045])
def test_a_rotation_moves_the_profile_origin_whatever_the_point(distribution, y):
    """Rotation of the body moves P by theta x P, exactly, seen from any contact point."""
    axes = np.eye(3)
    table = rim([lambda point, axis=axis: np.cross(axis, point) for axis in axes])
    z = RADIUS - np.interp(y + LATERAL, table.profile[:, 0], table.profile[:, 1])
    rows = np.empty((6, 3))
    contact_rows_at(table, distribution, 0.0, 0.0, y, z, rows)
    np.testing.assert_allclose(rows[:3], np.cross(axes, [0.0, LATERAL, -RADIUS]).T, atol=1e-12)
    np.testing.assert_allclose(rows[3:], np.eye(3), atol=1e-12)


def test_contact_ahead_is_the_turned_mesh_seen_ahead():
    """A point ahead of the lowest one on a mesh not turned is the lowest one of a turned mesh."""
    table = rim([harmonic(2, "radial")])
    turn = 0.05
    ahead, below = np.empty((6, 1)), np.empty((6, 1))
    x, z = RADIUS * np.sin(turn), RADIUS * (1 - np.cos(turn))
    contact_rows_at(table, SHAPE_FUNCTIONS, 0.0, x, 0.0, z, ahead)
    contact_rows_at(table, SHAPE_FUNCTIONS, turn, 0.0, 0.0, 0.0, below)
    rotation = ahead[3:, 0]
    point = ahead[:3, 0] + np.cross(rotation, [x, 0, z])
    np.testing.assert_allclose(ry(turn) @ point, below[:3, 0], atol=1e-12)


def pairs(orders):
    """cos and sin members of radial and lateral fields, and their generator."""
    fields, generator = [], np.zeros((4 * len(orders), 4 * len(orders)))
    for m, (n, kind) in enumerate((n, kind) for n in orders for kind in ("radial", "lateral")):
        fields += [harmonic(n, kind, 0.4), harmonic(n, kind, 0.4 - np.pi / 2)]  # neither is zero at section 0
        generator[2 * m + 1, 2 * m], generator[2 * m, 2 * m + 1] = n, -n
    return fields, generator


def wheelset_rows_at(table, mesh_angle):
    """Rows and slope (6, H) as the step takes them."""
    h, count = table.profile_rows.shape[2], len(table.angle)
    wheelsets = SimpleNamespace(
        tread_rows=table.profile_rows[None, None], tread_slopes=table.profile_slopes[None, None], mode_count=[h],
        section_count=[count], mesh_mode=[LAGRANGIAN], between=[table.between.rule], pair=[table.between.pair],
        pair_order=[table.between.order],
    )  # fmt: skip
    rows, slope = np.empty((6, h)), np.empty((6, h))
    tread_rows.py_func(wheelsets, 0, 0, mesh_angle, rows, slope)
    return rows, slope


def exact_shift(fields, mesh_angle):
    """Shift (3, H) of the profile at the lowest point in its own frame, which is E at that point."""
    a = -mesh_angle
    point = np.array([-RADIUS * np.sin(a), LATERAL, -RADIUS * np.cos(a)])
    return np.array([ry(a).T @ field(point) for field in fields]).T


@pytest.mark.parametrize("sections", [24, 180])
def test_harmonics_between_sections_are_exact(sections):
    fields, generator = pairs((1, 2, 3, 5))
    table = rim(fields, sections, generator, 0.0)
    assert table.between.rule == HARMONIC
    for mesh_angle in np.linspace(-7.0, 7.0, 29):
        rows, slope = wheelset_rows_at(table, mesh_angle)
        d = 1e-5
        slopes = (exact_shift(fields, mesh_angle + d) - exact_shift(fields, mesh_angle - d)) / (2 * d)
        np.testing.assert_allclose(rows[:3], exact_shift(fields, mesh_angle), atol=1e-12)
        np.testing.assert_allclose(slope[:3], slopes, atol=1e-7)  # 125 d^2 / 6 and rounding over 2 d
        for distribution in (SHAPE_FUNCTIONS, INVERSE_DISTANCE):
            at_point = np.empty_like(rows)
            contact_rows_at(table, distribution, mesh_angle, 0.0, 0.0, 0.0, at_point)
            np.testing.assert_allclose(at_point, rows, atol=1e-12)


def test_spline_between_sections_is_of_fourth_order_and_keeps_its_slope():
    fields, generator = pairs((4,))
    worst = []
    for sections in (90, 180):
        table = rim(fields, sections, 0.0 * generator)  # not known to turn into themselves
        assert table.between.rule == SPLINE
        angles = np.linspace(0.0, 0.3, 41)
        worst.append(max(np.abs(wheelset_rows_at(table, a)[0][:3] - exact_shift(fields, a)).max() for a in angles))
        at_section = table.angle[3]
        left, right = (wheelset_rows_at(table, at_section + e) for e in (-1e-9, 1e-9))
        np.testing.assert_allclose(left[1], right[1], atol=1e-6)  # 2e-9 times the curvature 16, and rounding
        rows = np.empty_like(left[0])
        contact_rows_at(table, SHAPE_FUNCTIONS, at_section + 0.01, 0.0, 0.0, 0.0, rows)
        np.testing.assert_allclose(rows, wheelset_rows_at(table, at_section + 0.01)[0], atol=1e-12)
    assert 3.8 < np.log2(worst[0] / worst[1]) < 4.2


def test_linear_rule_jumps_in_slope_at_a_section():
    """The paper's rule: the slope jumps by curvature times sector angle, n^2 step for a unit harmonic."""
    fields, generator = pairs((4,))
    table = rim(fields, 180, generator, 0.0, "linear")
    jumps = []
    for s in range(0, 180, 5):
        left, right = (wheelset_rows_at(table, table.angle[s] + e)[1][2] for e in (-1e-9, 1e-9))
        jumps.append(np.abs(left - right).max())
    np.testing.assert_allclose(max(jumps), 16 * table.angle[1], rtol=0.02)


def test_interface_rows_turn_with_the_spin():
    rng = np.random.default_rng(3)
    source = rng.normal(size=(6, 4))
    rows = np.empty((6, 4))
    wheelsets = SimpleNamespace(mode_count=[4], mesh_mode=[LAGRANGIAN], interface_rows=source[None, None])
    journal_rows.py_func(wheelsets, 0, 0, 0.7, rows)
    np.testing.assert_allclose(rows, np.vstack([ry(0.7) @ source[:3], ry(0.7) @ source[3:]]), atol=1e-14)
