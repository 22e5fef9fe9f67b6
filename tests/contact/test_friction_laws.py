"""Friction laws: closed forms, one coefficient for every tangential law, and tangents by differences."""

import math

import numpy as np
import pytest

from benchmarks.creep_laws import gains_of_wheels, of_wheels
from flexwheel.assess.wheelset_load import LoadCase, LoadedWheel, wheelset_load
from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import (
    make_contact_result,
    make_contact_scratch,
    make_contact_tables,
    with_friction,
)
from flexwheel.contact.friction.law import FRICTION_LAWS, Sliding, rolling_speed
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.tangential import TANGENTIAL_LAWS
from flexwheel.contact.wheel_rail import OK, WheelMotion, wheel_rail_contact
from flexwheel.extensions.friction.falling import FALLING
from flexwheel.extensions.friction.regional import REGIONAL
from flexwheel.numerics.kernels import handle

SPEED, R0, MU = 22.0, 0.46, 0.4
KEYS = {"limit_ratio": 0.3, "decay_s_m": 1.5}
RAIL = rail_60e1(1 / 40)
AT = place(RAIL)
HEIGHT = first_touch(WheelPair(s1002(), RAIL, AT), 1e-3, 0.0, 0.0)[0] - 1e-4


def falling(w):
    """mu0 ((1 - A) exp(-B w) + A), Polach 2005."""
    a, b = KEYS["limit_ratio"], KEYS["decay_s_m"]
    return MU * ((1.0 - a) * math.exp(-b * w) + a)


@pytest.fixture(scope="module", params=TANGENTIAL_LAWS)
def tables(request):
    law = dict(friction_law="falling", friction_keys=KEYS, tangential_law=request.param)
    return make_contact_tables(s1002(), RAIL, AT, friction=MU, **law)


def contact(tables, v, at=SPEED):
    """Patch, wrench and jac_v of a centred wheel."""
    result = make_contact_result()
    motion = WheelMotion(np.array([0.0, 1e-3, HEIGHT, 0.0, 0.0, 0.0]), v, np.zeros(3), at)
    status, count = wheel_rail_contact(handle(tables), R0, motion, handle(make_contact_scratch(tables)), handle(result))
    assert (status, count) == (OK, 1)
    return result.patches[0], result.wrench, result.jac_v


def rolling(vx, vy=0.0):
    """Velocity of a wheel that slips by vx and vy [m/s] at its tread."""
    return np.array([vx, vy, 0.0, 0.0, SPEED / R0, 0.0])


def test_kernel_is_the_closed_form():
    numbers = np.array(list(KEYS.values()))
    for w in (0.0, 0.01, 0.3, 2.0, 40.0):
        at = [
            FALLING.coefficient(MU, numbers, Sliding(w + h, SPEED, 1e5, 1e-4, 0.0, 0.0, 0.0))
            for h in (-1e-6, 0.0, 1e-6)
        ]
        assert at[1][0] == pytest.approx(falling(w), rel=1e-14)
        assert at[1][1] == pytest.approx((at[2][0] - at[0][0]) / 2e-6, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("slip", [0.02, 0.3, -2.0])
def test_every_tangential_law_takes_the_coefficient(tables, slip):
    """The force is, to the bit, that of a constant coefficient of the value at that slip."""
    v = rolling(slip, 0.3 * slip)
    patch, wrench, _ = contact(tables, v)
    creepage = patch[[PATCH.xi, PATCH.eta]]
    w = np.hypot(*creepage) * rolling_speed(SPEED, patch[PATCH.xi])
    same, other, _ = contact(with_friction(tables, falling(w)), v)
    np.testing.assert_allclose(wrench, other, rtol=1e-9, atol=1e-9)
    plain = contact(with_friction(tables, MU), v)[0]
    assert np.hypot(*plain[[PATCH.force_x, PATCH.force_y]]) > np.hypot(*same[[PATCH.force_x, PATCH.force_y]])


def test_sliding_force_is_the_coefficient_times_the_normal_force(tables):
    patch, _, _ = contact(tables, rolling(3.0))
    w = abs(patch[PATCH.xi]) * rolling_speed(SPEED, patch[PATCH.xi])
    force = np.hypot(patch[PATCH.force_x], patch[PATCH.force_y]) / patch[PATCH.normal_force]
    assert force == pytest.approx(falling(w), rel=2e-3)  # spin takes the rest


@pytest.mark.parametrize("slip", [0.05, 0.15, 0.4, 1.0])
def test_tangent_holds_the_fall(tables, slip):
    """d Fx/d vx by differences. Polach's force grows with its bound nearly, not quite, as the tangent's curve does."""
    v, h, e = rolling(slip), 1e-5, np.eye(6)[0]

    def slopes(tables):
        exact = (contact(tables, v + h * e)[1][0] - contact(tables, v - h * e)[1][0]) / (2.0 * h)
        return exact, contact(tables, v)[2][0, 0]

    polach = tables.tangential_law.numbers.size == 2
    exact, own = slopes(tables)
    plain, plain_own = slopes(with_friction(tables, contact_friction(tables, v)))
    assert own - plain_own == pytest.approx(exact - plain, rel=0.3 if polach else 0.12), (exact, own, plain, plain_own)
    if slip == 1.0:
        assert exact > 0.0 and own > 0.0  # it slides: more slip, less force


def contact_friction(tables, v):
    """Coefficient at a velocity."""
    patch = contact(tables, v)[0]
    return falling(np.hypot(patch[PATCH.xi], patch[PATCH.eta]) * rolling_speed(SPEED, patch[PATCH.xi]))


def sliding(w, place=0.0, angle=0.0):
    return Sliding(w, SPEED, 1e5, 1e-4, 0.0, place, angle)


def falls(mu, ratio, decay, w):
    """mu ((1 - A) exp(-B w) + A), and its derivative."""
    fall = mu * (1.0 - ratio) * math.exp(-decay * w)
    return fall + mu * ratio, -decay * fall


@pytest.mark.parametrize(("angle_deg", "mu"), [(-70.0, MU), (20.0, MU), (30.0, 0.3), (40.0, 0.2), (70.0, 0.2)])
def test_regions_go_by_the_angle_of_contact(angle_deg, mu):
    numbers = np.array([20.0, 40.0, 0.5, 2.0, 0.2])  # top to 20, face from 40 degrees, A, B, coefficient of the face
    for w in (0.0, 0.7):
        found = REGIONAL.coefficient(MU, numbers, sliding(w, angle=math.radians(angle_deg)))
        assert found == pytest.approx(falls(mu, 0.5, 2.0, w), rel=1e-12)


@pytest.mark.parametrize("slip", [0.002, 0.05, 0.5])
@pytest.mark.parametrize("law", TANGENTIAL_LAWS)
def test_initial_slope_scales_the_creepage(law, slip):
    """Every law is a function of modulus times creepage: a slope k at k times less creepage changes no force."""
    options = dict(friction=MU, tangential_law=law)
    soft = make_contact_tables(s1002(), RAIL, AT, initial_slope=0.4, **options)
    v = np.array([0.0, slip, 0.0, 0.0, 0.0, 0.3])  # without change of the rolling speed
    there = contact(make_contact_tables(s1002(), RAIL, AT, **options), 0.4 * v, at=20.0)[0]
    here = contact(soft, v, at=20.0)[0]
    columns = [PATCH.force_x, PATCH.force_y, PATCH.spin_moment]
    np.testing.assert_allclose(here[columns], there[columns], rtol=1e-3)


def test_half_space_contact_takes_it():
    """FASTSIM on the rows of the exact patch."""
    law = dict(friction_law="falling", friction_keys={"limit_ratio": 0.1, "decay_s_m": 100.0})
    case, pair, force = (
        LoadCase(0.0, load_left=8e4, speed=SPEED, spin=1.01 * SPEED / R0),
        WheelPair(s1002(), RAIL, AT),
        {},
    )
    for name, options in {"falling": law, "plain": {}, "tenth": {"friction": 0.1 * MU}}.items():
        wheel = LoadedWheel(pair, "left", **{"friction": MU, **options})
        force[name] = wheelset_load(wheel, None, case, exact=True).wheels[0].force[0]
    assert force["falling"] == pytest.approx(force["tenth"], rel=1e-6)
    assert force["plain"] > 5.0 * force["falling"] > 0.0


def test_what_is_wrong_is_refused():
    make = lambda **law: make_contact_tables(s1002(), RAIL, AT, **law)  # noqa: E731
    assert list(FRICTION_LAWS)[0] == "constant"
    for law, told in (
        (dict(friction_rows=((1.0,),)), "'constant' takes no rows of a table"),
        (dict(friction_law="rising"), "must be one of constant, falling, regional"),
        (dict(friction_law="falling", friction_keys={"a": 1.0}), "unknown key 'a'; known: limit_ratio, decay_s_m"),
        (dict(friction_keys={"decay_s_m": 1.0}), "unknown key 'decay_s_m'; known: none"),
        (
            dict(tangential_law="polach", tangential_keys={"k_slip": 0.4, "k_adhesion": 0.3}),
            r"k_slip must be at most k_adhesion = 0\.3, got 0\.4",
        ),
        (dict(friction_law="falling", friction_keys={"limit_ratio": 1.2}), r"limit_ratio must be 0 to 1, got 1\.2"),
    ):
        with pytest.raises(ScenarioError, match=told):
            make(**law)


@pytest.mark.parametrize("friction", FRICTION_LAWS)
@pytest.mark.parametrize("tangential", TANGENTIAL_LAWS)
def test_no_patch_gains_energy(tangential, friction):
    """20,000 wheels each in benchmarks/creep_laws.py."""
    gains, patches = gains_of_wheels(tangential, friction, 300)
    assert gains == 0 and patches > 290


ACCEPTED = 0.03  # of the tangents by velocity


@pytest.mark.parametrize("friction", FRICTION_LAWS)
@pytest.mark.parametrize("tangential", TANGENTIAL_LAWS)
def test_tangents_by_velocity_of_every_law(tangential, friction):
    """All of 300 poses, in six directions: beside the tangents between both one-sided differences."""
    found = of_wheels(tangential, friction, 300, [(1, k) for k in range(6)])
    assert len(found) == 6
    for name, (_, _, worst, _) in found.items():
        assert worst < ACCEPTED, name


@pytest.mark.parametrize("friction", ["constant", "falling"])
def test_fastsim_has_a_kink_where_a_cell_begins_to_slide(friction):
    """As the slip grows the slope changes by up to a tenth, where one cell more slides, and the force does not: on
    either side the tangent is the difference of that side, at every step, and the central difference is the mean."""
    keys = KEYS if friction == "falling" else {}
    tables = make_contact_tables(s1002(), RAIL, AT, friction=MU, friction_law=friction, friction_keys=keys)
    kinks, step = 0, 1e-4

    def of(slip):
        _, wrench, jac_v = contact(tables, rolling(slip, 0.02))
        return wrench[0], jac_v[0, 0]

    slips = np.arange(0.03, 0.12, step)
    slopes = np.array([of(slip)[1] for slip in slips])
    for k in np.flatnonzero(np.abs(np.diff(slopes)) > 0.05 * np.abs(slopes[1:])):
        low, high = slips[k], slips[k + 1]
        while high - low > 1e-8:
            middle = 0.5 * (low + high)
            beside = abs(of(middle)[1] - slopes[k]) < abs(of(middle)[1] - slopes[k + 1])
            low, high = (middle, high) if beside else (low, middle)
        (below, left), (above, right) = of(low), of(high)
        if abs(right - left) < 0.05 * abs(right):
            continue  # two kinks within a step
        kinks += 1
        assert abs(above - below) < 2.0 * abs(left) * (high - low) + 1e-3
        for h in (1e-4, 3e-5, 1e-5):
            ahead, behind = (of(high + h)[0] - above) / h, (below - of(low - h)[0]) / h
            assert ahead == pytest.approx(right, rel=0.01)
            assert behind == pytest.approx(left, rel=0.01)
            assert 0.5 * (ahead + behind) == pytest.approx(0.5 * (left + right), rel=0.01)
    assert kinks > 2
