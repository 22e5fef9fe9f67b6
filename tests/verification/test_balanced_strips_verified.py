"""Balanced strips against Hertz, and against conformal solutions where patches turn, are askew or lift each other."""

import numpy as np
import pytest

from flexwheel.assess.conformal_patches import conformal_patches
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.gap import UPRIGHT
from flexwheel.contact.profiles.placement import Placement, place
from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import WheelMotion, elastic_load, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.verification.worn_profiles import worn_pairs
from tests.hertz_contact import solve

RADIUS = 0.46


def _law(profiles, d, strips=16):
    """Force (2,) across and up, and rows (n, PATCH) of the patches of a pose."""
    tables = make_contact_tables(*profiles, normal_law="balanced_strips", strips=strips, friction=0.0)
    scratch, result = handle(make_contact_scratch(tables)), make_contact_result()
    motion = WheelMotion(np.array(d), np.zeros(6), np.zeros(3), 1.0)
    status, count = wheel_rail_contact(handle(tables), RADIUS, motion, scratch, handle(result))
    assert status == 0
    load, fits = elastic_load(handle(tables), RADIUS, motion.d, scratch)
    assert fits
    assert abs(load - result.wrench[2]) < 1e-6 * load
    return result.wrench[1:3], result.patches[:count], result.jac_d[2, 2]


@pytest.mark.parametrize("ratio", [0.05, 0.4, 1.1, 3.0, 40.0])
def test_ellipses_are_hertz(ratio):
    """A/B from long to wide patches; sixteen strips."""
    y = np.linspace(-0.045, 0.045, 1801)
    A = 0.5 / RADIUS
    B, approach = A / ratio, 3e-5
    flat = Profile("flat", "wheel", y, 0.0 * y, 0.0 * y, 0.0 * y)
    rail = Profile("parabola", "rail", y, -B * y**2, -2.0 * B * y, -2.0 * B / (1.0 + 4.0 * B**2 * y**2) ** 1.5)
    force, rows, stiffness = _law((flat, rail, Placement(0.75, 0.75, RADIUS)), [0.0, 0.0, -approach, 0.0, 0.0, 0.0])
    modulus = 82e9 / 0.72
    hertz = solve(A, B, (approach / solve(A, B, 1.0, modulus).approach) ** 1.5, modulus)
    assert len(rows) == 1
    assert force[1] == pytest.approx(hertz.load, rel=0.02)
    assert rows[0, PATCH.peak_pressure] == pytest.approx(hertz.peak_pressure, rel=0.02)
    assert rows[0, PATCH.area] == pytest.approx(hertz.area, rel=0.03)
    assert -stiffness == pytest.approx(1.5 * hertz.load / approach, rel=0.03)


@pytest.mark.parametrize(
    ("name", "shift", "height", "yaw", "count", "strips"),
    [  # patches that lift each other, 20 mm apart; one of two arcs; askew on a worn flange; facets' edges, as in a run
        ("new on corner 3", -0.00264227, -0.00034696, -0.020803, 2, 16),
        ("new on new", 0.000431793, -0.000244446, 0.0459149, 1, 16),
        ("hollow 4 on crown", 0.00786123, 0.0132118, -0.0794449, 1, 16),
        ("hollow 2 on ground", 0.000131241554, 0.000630426132, 0.032587462, 1, 8),
        ("hollow 2 on ground", 0.0087464971, 0.00748706882, -0.00314302334, 1, 8),
        ("hollow 2 on ground", 0.00513296401, 0.00173310702, -0.015360817, 1, 8),
    ],
)
def test_worn_pairs_are_conformal(name, shift, height, yaw, count, strips):
    pair, d = worn_pairs()[name], [0.0, shift, height, 0.0, 0.0, yaw]
    exact = conformal_patches(pair, np.array(d), 82e9 / 0.72)
    force, rows, _ = _law((pair.wheel, pair.rail, pair.placement), d, strips)
    loads, angles = np.array([(p.normal_force, p.force_angle) for p in exact]).T
    true = np.array([-loads @ np.sin(angles), loads @ np.cos(angles)])
    assert len(exact) == count
    # the worst that a law of a run shall be off
    assert np.hypot(*(force - true)) < 0.03 * np.hypot(*true)
    assert rows[:, PATCH.peak_pressure].max() == pytest.approx(max(p.peak_pressure for p in exact), rel=0.2)


@pytest.mark.parametrize("over", [1e-6, 3e-6, 1e-5])
def test_part_of_a_strip_bears_no_pressure_of_its_own(over):
    """Yawed by a little more than where yaw begins to count, 8.0001 strips: nearly the patches of the eight below it.

    Pose of the AS4 in its curve; the flange's zone ends at a saddle, where the last strip is loaded. The limit is what
    a law of a run shall be off at most; where the part of a strip had a condition of its own, it had 180 GPa.
    """
    rail, bound = rail_60e1(1 / 40), np.arctan(np.sqrt(UPRIGHT))
    pair = s1002(), rail, place(rail)
    _, below, _ = _law(pair, [0.0, 0.00648, 0.00046, -0.005, 0.0, bound], 8)
    _, above, _ = _law(pair, [0.0, 0.00648, 0.00046, -0.005, 0.0, bound + over], 8)
    for name, limit in ("normal_force", 0.03), ("peak_pressure", 0.2):
        column = getattr(PATCH, name)
        np.testing.assert_allclose(above[:, column], below[:, column], rtol=limit)


def test_quick_tangents_halve_an_error():
    """Of nine in ten poses an iteration with them leaves less than half of what one motion of the wheel has changed."""
    pair, rng = worn_pairs()["new on new"], np.random.default_rng(5)
    tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, normal_law="balanced_strips", friction=0.0)
    tables, scratch, result = handle(tables), handle(make_contact_scratch(tables)), make_contact_result()
    off, filled = [], handle(result)
    for _ in range(120):
        d = np.array([0.0, rng.uniform(-4e-3, 6.8e-3), 5e-3, rng.uniform(-4e-3, 4e-3), 0.0, rng.uniform(-0.017, 0.017)])
        load, quick, exact = rng.uniform(2e4, 1.2e5), None, None
        while elastic_load(tables, RADIUS, d, scratch)[0] < load:
            d[2] -= 2e-6
        for k in (False, True):
            motion = WheelMotion(d, np.zeros(6), np.zeros(3), 1.0, exact=k)
            wheel_rail_contact(tables, RADIUS, motion, scratch, filled)
            quick, exact = exact, result.jac_d[1:3].copy()
        off.append(np.linalg.norm(quick - exact, axis=0)[[1, 2, 3, 5]] / np.linalg.norm(exact, axis=0)[[1, 2, 3, 5]])
    assert np.all(np.quantile(off, 0.9, axis=0) < 0.5)


def _wheel_force(strips):
    """Function of pose (6,) and velocity (6,) -> force (3,) [N] of S1002 on 60E1, rolling at 22.2 m/s."""
    rail = rail_60e1(1 / 40)
    tables = make_contact_tables(s1002(), rail, place(rail), normal_law="balanced_strips", strips=strips, friction=0.3)
    scratch, result = handle(make_contact_scratch(tables)), make_contact_result()
    tables, out = handle(tables), handle(result)

    def force(d, v):
        wheel_rail_contact(tables, RADIUS, WheelMotion(d, v, np.zeros(3), 22.2), scratch, out)
        return result.wrench[:3].copy()

    return force


def largest_jump(force, places):
    """Largest change [N] within 1e-4 nm of a path: of the steps that stand out, halved towards the larger change."""
    values = [force(s) for s in places]
    change = np.diff(values, axis=0)
    off, most = np.abs(change[1:-1] - 0.5 * (change[:-2] + change[2:])).max(axis=1), 0.0
    for k in np.argsort(off)[-5:] + 1:
        (low, high), (a, b) = places[k : k + 2], values[k : k + 2]
        while high - low > 1e-13:
            middle = 0.5 * (low + high)
            between = force(middle)
            if np.abs(between - a).max() > np.abs(b - between).max():
                high, b = middle, between
            else:
                low, a = middle, between
        most = max(most, np.abs(b - a).max())
    return most


@pytest.mark.parametrize(
    ("d", "creep"),
    [  # 0.1 mm sideways: an edge strip begins to touch; a second peak comes out on a flange root, on a tread
        ([0.0, 0.00370878, 7.11373e-05, 0.00777806, 0.0, 0.00290963], 0.0253),
        ([0.0, 0.006482, 0.000514, -0.003712, 0.0, 0.014948], 0.0),
        ([0.0, 0.000253704, -0.000228104, -0.00228959, 0.0, -0.00887703], 0.0),
    ],
)
def test_force_does_not_jump(d, creep):
    """A run accepts patches that miss a wheel's force by 50 N (`coupled_step.BEHIND`): it cannot meet a larger jump."""
    force, v = _wheel_force(8), np.array([creep, 0.0, 0.0, 0.0, 22.2 / RADIUS if creep else 0.0, 0.0])
    beside = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    assert largest_jump(lambda s: force(d + s * beside, v), np.linspace(0.0, 9.5e-5, 200)) < 50.0
