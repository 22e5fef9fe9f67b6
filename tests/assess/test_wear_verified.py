"""Wear against closed forms: a cylinder that slides on a crowned rail (Hertz, Johnson 1985), FASTSIM's own energy, laws
by hand. 1 % is the task's; the laws are closed forms themselves."""

import numpy as np
import pytest

from flexwheel.assess.static_contact import static_contact
from flexwheel.assess.wear.accumulate import Samples
from flexwheel.assess.wear.strip_slip import strip_slip
from flexwheel.assess.wear.wear_law import LawTable, wear_law
from flexwheel.assess.wear.worn_wheel import BINS, STEP, lateral_places, orders_of, require_strips, wheel_loss
from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.fastsim import ALONG, BOUNDS, cells_along, fastsim_strips
from flexwheel.contact.profiles.placement import Placement, place
from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from tests.hertz_contact import solve

RADIUS, CROWN, FRICTION, LOAD, SPEED = 0.46, 0.3, 0.3, 80e3, 20.0
SLIP = 0.3  # so large that what the elastic displacement takes of it is nothing
PER_JOULE = 7e-13  # [m3/J]
NONE = np.zeros(0)
BY_ENERGY = LawTable(0, np.zeros(1), np.zeros(1), np.array([PER_JOULE]), NONE, NONE, NONE)
BY_SLIDING = LawTable(2, NONE, NONE, NONE, np.full(1, np.inf), np.full(1, np.inf), np.array([1e-13]))


def cylinder(**law):
    """Tables of a cylinder on a crowned rail."""
    y = np.linspace(-0.045, 0.045, 1801)
    slope = -y / CROWN
    wheel = Profile("cylinder", "wheel", y, 0.0 * y, 0.0 * y, 0.0 * y)
    rail = Profile("crown", "rail", y, -0.5 * y**2 / CROWN, slope, -1.0 / CROWN / (1.0 + slope**2) ** 1.5)
    return make_contact_tables(
        wheel, rail, Placement(rail_y=0.75, wheel_y=0.75, radius=RADIUS), friction=FRICTION, **law
    )


def rolled(tables, turns=2, per_turn=720, load=None, creepage=(SLIP, 0.0, 0.0)):
    """Samples of a wheel that rolls whole turns under loads (T,) with constant creepages."""
    count = turns * per_turn
    angle = 2.0 * np.pi / per_turn * np.arange(count)
    loads = np.full(count, LOAD) if load is None else load(angle)
    pose = np.zeros((count, 6))
    heights = {value: static_contact(tables, RADIUS, value)[0] for value in np.unique(loads)}
    pose[:, 2] = [heights[value] for value in loads]
    way = np.full(count, 2.0 * np.pi * RADIUS / per_turn)
    given = np.tile(np.asarray(creepage, float), (count, 1, 1))
    return Samples(pose, loads[:, None], np.zeros((count, 1)), given, way, np.full(count, SPEED), np.cumsum(way), angle)


def hertz():
    """Half-width [m] of the ellipse."""
    return solve(0.5 / RADIUS, 0.5 / CROWN, LOAD, cylinder().normal.contact_modulus).b


def test_wear_takes_the_friction_law():
    """Energy of a sliding cylinder: mu(w) N times slip, w = slip times the mean of the speeds of wheel and rail."""
    tables = cylinder(friction_law="falling", friction_keys={"limit_ratio": 0.25, "decay_s_m": 3.0})
    loss = wheel_loss(tables, RADIUS, BY_ENERGY, rolled(tables), 2)
    w = SLIP * SPEED / (1.0 + 0.5 * SLIP)
    assert loss.energy / loss.way == pytest.approx(FRICTION * (0.75 * np.exp(-3.0 * w) + 0.25) * LOAD * SLIP, rel=0.01)


@pytest.mark.parametrize(("law", "per_load"), [(BY_ENERGY, PER_JOULE * FRICTION), (BY_SLIDING, 1e-13)])
@pytest.mark.parametrize(
    ("normal", "most", "mean"),
    [  # strips dense at edges; of a width h = 2 b/n: at the edge half of one is spread beyond, h/(2 b) of the largest
        # depth, and the mean of both smoothed by triangles of the variance h^2/6 is 2.5/b^2 of that too small
        ("semi_hertzian", 0.01, 0.01),
        ("balanced_strips", 1.0 / 8.0, 2.5 / 6.0 * (2.0 / 8.0) ** 2),
    ],
)
def test_a_sliding_cylinder_wears_as_the_closed_form(law, per_load, normal, most, mean):
    """Depth a metre at y: loss by force and way times slip times 3 N/(4 b) (1 - y^2/b^2) over the circumference."""
    tables = cylinder(normal_law=normal)
    loss = wheel_loss(tables, RADIUS, law, rolled(tables), 2)
    assert loss.energy / loss.way == pytest.approx(FRICTION * LOAD * SLIP, rel=0.01)
    assert loss.volume / loss.way == pytest.approx(per_load * LOAD * SLIP, rel=0.01)
    b, y = hertz(), lateral_places()

    def share(at):
        at = np.clip(at, -b, b)
        return 0.75 * LOAD / b * (at - at**3 / (3.0 * b * b))

    exact = per_load * SLIP * (share(y + STEP / 2) - share(y - STEP / 2)) / STEP / (2.0 * np.pi * RADIUS)
    assert np.max(np.abs(loss.depth_rate - exact)) < most * np.max(exact)
    # load and wear are both 1 - y^2/b^2 across: the mean of the one weighted with the other is 4/5
    assert loss.band_rate == pytest.approx(0.8 * np.max(exact), rel=mean)
    assert loss.around_rate.shape == (2, BINS)
    found = orders_of(loss.around_rate.mean(axis=0)) / loss.band_rate
    assert found[0] == pytest.approx(1.0, rel=1e-9) and np.abs(found[1:100]).max() < 1e-3


def test_strips_of_a_whole_wheel_wear_where_the_closed_form_does():
    """With eight strips no more wears at a wrong place than half of what the last of eight equal ones holds."""
    tables = cylinder(normal_law="balanced_strips", strips=8)
    require_strips(tables)
    loss = wheel_loss(tables, RADIUS, BY_ENERGY, rolled(tables), 2)
    assert loss.missed == 0.0 and loss.volume / loss.way == pytest.approx(PER_JOULE * FRICTION * LOAD * SLIP, rel=0.01)
    assert loss.depth_rate.sum() * STEP * 2.0 * np.pi * RADIUS * loss.way == pytest.approx(loss.volume, rel=1e-9)
    b, end = hertz(), lateral_places() + STEP / 2

    def before(at):
        at = np.clip(at / b, -1.0, 1.0)
        return 0.5 + 0.75 * (at - at**3 / 3.0)

    worn = np.cumsum(loss.depth_rate) / loss.depth_rate.sum()
    assert np.max(np.abs(worn - before(end))) < 0.5 * before(-0.75 * b)
    width = 2.0 * b / 8
    assert not np.any(loss.depth_rate[np.abs(end - STEP / 2) > b + 0.5 * width])


@pytest.mark.parametrize("law", ["semi_hertzian", "balanced_strips"])
def test_wear_spends_what_the_step_spent(law):
    """Friction energy of a wheel on its tread, on two patches and on its flange: creep forces of the run's contact
    times creepages. FASTSIM's cells give it within 1 %."""
    rail = rail_60e1(1 / 40)
    tables = make_contact_tables(s1002(), rail, place(rail), friction=FRICTION, normal_law=law)
    scratch, result, one = make_contact_scratch(tables), make_contact_result(), np.ones(1)
    v = np.array([0.01, 0.02, 0.0, 0.0, SPEED / RADIUS, 0.0])
    for pose in ((0.0, -0.26e-3, 0.0, 0.002), (5.3e-3, 0.16e-3, 0.0, 0.002), (6.482e-3, 0.514e-3, -3.7e-3, 0.015)):
        d = np.array([0.0, *pose[:3], 0.0, pose[3]])
        motion = WheelMotion(d, v, v[:3].copy(), SPEED)
        _, count = wheel_rail_contact(handle(tables), RADIUS, motion, handle(scratch), handle(result))
        rows = result.patches[:count]
        creepage = rows[:, [PATCH.xi, PATCH.eta, PATCH.phi]]
        force = rows[:, [PATCH.force_x, PATCH.force_y, PATCH.spin_moment]]
        samples = Samples(
            d[None], rows[None, :, PATCH.normal_force].copy(), rows[None, :, PATCH.y_wheel].copy(), creepage[None],
            one, SPEED * one, 0.0 * one, np.pi * one,
        )  # fmt: skip
        loss = wheel_loss(tables, RADIUS, BY_ENERGY, samples, 1)
        assert count > 0 and loss.missed == 0.0
        assert loss.energy == pytest.approx(-np.sum(force * creepage), rel=0.01)
        assert loss.depth_rate.sum() * STEP * 2.0 * np.pi * RADIUS == pytest.approx(loss.volume, rel=1e-9)


def test_slip_spends_the_energy_of_the_forces():
    """Friction energy of the cells is force times creepage, in adhesion, partial and full sliding, and with spin."""

    n, nx = 48, 40
    u = -1.0 + (2.0 * np.arange(n) + 1.0) / n
    strip = np.zeros((len(STRIP), n))
    strip[STRIP.half], strip[STRIP.s], strip[STRIP.width] = 6e-3 * np.sqrt(1 - u * u), 5e-3 * u, 1e-2 / n
    L, limit, force = (4.5e-14, 5.5e-14, 5e-14), FRICTION * LOAD, np.zeros(3)
    work, slide = np.zeros((nx, n)), np.zeros((nx, n))
    for creepage in np.array([[3e-4, 0.0, 0.0], [1e-3, -1e-3, 0.0], [0.02, 0.01, 0.0], [3e-4, 3e-4, 0.3]]):
        for bound in BOUNDS.values():
            cells = cells_along(nx, bound)
            fastsim_strips(n, strip, limit, creepage, L, cells, force)
            strip_slip(n, strip, limit, creepage, L, cells, work, slide)
            spent = np.sum(cells.row[ALONG.width][:, None] * work * strip[STRIP.half] * strip[STRIP.width])
            assert np.all(work >= 0.0)
            assert spent == pytest.approx(-force @ creepage, rel=0.01)
            if np.hypot(*force[:2]) < 0.6 * limit:  # they stick ahead of the middle: less than half a cell's share
                ahead = (work * cells.row[ALONG.width][:, None])[cells.row[ALONG.place] > 0.0]
                assert np.sum(ahead * strip[STRIP.half] * strip[STRIP.width]) < 0.5 / nx * spent


def test_an_uneven_load_wears_unevenly_round_the_wheel():
    """Wear by a load N (1 + 0.2 cos(n angle - phase)) has that order, filtered by the patch's length only."""
    order, phase = 12, 0.7
    levels = np.linspace(-0.2, 0.2, 41)  # loads in steps, each with its height

    def load(angle):
        wanted = 0.2 * np.cos(order * angle - phase)
        return LOAD * (1.0 + levels[np.argmin(np.abs(wanted[:, None] - levels), axis=1)])

    loss = wheel_loss(cylinder(), RADIUS, BY_ENERGY, rolled(cylinder(), load=load), 2)
    found = orders_of(loss.around_rate.mean(axis=0)) / loss.band_rate
    a = solve(0.5 / RADIUS, 0.5 / CROWN, LOAD, cylinder().normal.contact_modulus).a
    k = order * a / RADIUS  # a semi-ellipsoid of pressure: 3 (sin k - k cos k)/k^3
    exact = 0.2 * np.exp(-1j * phase) * 3.0 * (np.sin(k) - k * np.cos(k)) / k**3
    assert abs(found[order] - exact) < 0.01 * abs(exact)
    assert np.abs(np.delete(found[:100], [0, order])).max() < 0.02 * abs(exact)


def test_material_that_has_passed_the_axle_wears():
    """At small creepage only the trailing edge slips: what wears stood below the axle before, at smaller angles."""
    tables = cylinder()
    one = np.ones(1)
    at = static_contact(tables, RADIUS, LOAD)
    samples = Samples(
        np.array([[0.0, 0.0, at[0], 0.0, 0.0, 0.0]]), LOAD * one[:, None], 0.0 * one[:, None],
        np.array([[[5e-4, 0.0, 0.0]]]), one, SPEED * one, 0.0 * one, np.pi * one,
    )  # fmt: skip
    around = wheel_loss(tables, RADIUS, BY_ENERGY, samples, 1).around_rate[0]
    middle = np.average(2.0 * np.pi / BINS * (np.arange(BINS) + 0.5), weights=around) - np.pi
    a = solve(0.5 / RADIUS, 0.5 / CROWN, LOAD, tables.normal.contact_modulus).a
    assert -a / RADIUS < middle < -0.3 * a / RADIUS


def test_shipped_laws_by_hand():
    """Values of the printed formulas at a point of each piece, in their own units."""
    usfd, brr, jendel = (wear_law(name).table for name in ("usfd", "brr", "jendel"))

    def at(table, energy):
        i = np.searchsorted(table.start, energy, side="right") - 1
        return table.constant[i] + table.slope[i] * energy

    density = 7850.0
    for energy, lost in ((4.0, 21.2), (40.0, 55.0), (100.0, 6190.0 - 4723.7)):  # N/mm2, ug/m/mm2
        assert at(usfd, 1e6 * energy) == pytest.approx(1e-3 * lost / density)
    diameter = 920.0
    for energy, area in ((50.0, 12.5 / diameter), (150.0, 25.0 / diameter), (300.0, 203.0 / diameter)):  # N, mm2/km
        assert at(brr, energy) == pytest.approx(1e-6 * area * np.pi * 1e-3 * diameter / 1e3)
    assert jendel.softness * 3e9 == pytest.approx([5.5e-4, 35e-4, 5.5e-4, 350e-4])
    assert jendel.pressure == pytest.approx([2.4e9, 2.4e9, 2.4e9, np.inf])
    assert wear_law("usfd").labels[0].startswith("density = 7850 kg/m3: steel")


def test_a_law_needs_its_strips_and_a_known_name():
    with pytest.raises(ScenarioError, match="must be one of brr, jendel, usfd"):
        wear_law("archard")
