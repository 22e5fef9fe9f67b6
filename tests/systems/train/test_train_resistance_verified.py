"""Resistance (equation 6 of the train paper) by hand, traction curves by hand, statics of a train on a gradient."""

import numpy as np
import pytest

from flexwheel.base.gravity import GRAVITY
from flexwheel.systems.train.coupler import linear_coupler
from flexwheel.systems.train.resistance import resistance_coefficients
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.systems.train.traction import locomotive_force, notch_force, notch_power, pack_traction
from flexwheel.systems.train.train_vehicle import TrainVehicle
from tests.systems.train.train_small import (
    FRICTION_COUPLER,
    LOCOMOTIVE,
    WAGON,
    coasting,
    constant_gradient,
    constant_level,
    free_train,
    freight_train,
    level_route,
    train_of,
)


def test_equation_six_by_hand():
    """80 t on 4 axles (P_ax 20 t) at 72 km/h in a curve of 500 m, Q_ad = 0.85.

    m/1000 = 80; 2.943 + 89.2/20 + 0.0306*72 + 0.122*72^2/(20*4) = 2.943 + 4.46 + 2.2032 + 7.9056 = 17.5118;
    80*(0.85*17.5118 + 6116/500) = 80*(14.88503 + 12.232) = 2169.3624 N.
    """
    r0, r1, r2, rc = resistance_coefficients(80e3, 4, 0.85)
    v = 20.0
    assert r0 + r1 * v + r2 * v * v + rc / 500.0 == pytest.approx(2169.3624, rel=1e-9)


def test_single_vehicle_slows_down_by_equation_six():
    """Coasting down: m dv/dt = -(r0 + r1 v + r2 v^2 + rc/R + m g i), solved by separation of variables."""
    r0, r1, r2, rc = resistance_coefficients(WAGON.mass, 4, 1.0)
    total = r0 + rc / 600.0 + WAGON.mass * GRAVITY * 0.002
    route = constant_gradient(0.002, curvature=-1 / 600.0)
    run = TrainRun(train_of([WAGON], None), route, coasting(tick=10.0), 0.0, 20.0, 200.0)
    results = simulate(run)
    root = np.sqrt(4 * r2 * total - r1**2)
    angle = np.arctan((2 * r2 * 20.0 + r1) / root) - root * results.time / (2 * WAGON.mass)
    exact = (root * np.tan(angle) - r1) / (2 * r2)
    np.testing.assert_allclose(results.speed[:, 0], exact, rtol=1e-7)


def test_traction_curves_by_hand():
    """8 notches, 400 kN and 3.2 MW: notch 4 gives 200 kN up to 0.8 MW/200 kN = 4 m/s, then 0.8 MW/v."""
    tables = pack_traction([notch_power("t", 400e3, 3.2e6, 240e3, 2.4e6)])
    for v, force in ((0.0, 200e3), (4.0, 200e3), (8.0, 100e3), (20.0, 40e3)):
        assert locomotive_force(4.0, v, 0, tables)[0] == pytest.approx(force, rel=1e-12), v
    assert locomotive_force(8.0, 8.0, 0, tables)[0] == pytest.approx(400e3, rel=1e-9)
    assert locomotive_force(2.5, 1.0, 0, tables)[0] == pytest.approx(125e3, rel=1e-9)  # between notches
    assert locomotive_force(-8.0, 1.0, 0, tables)[0] == pytest.approx(120e3, rel=1e-9)  # dynamic brake fading
    assert locomotive_force(-8.0, 10.0, 0, tables)[0] == pytest.approx(240e3, rel=1e-9)
    assert locomotive_force(0.0, 5.0, 0, tables)[0] == 0.0


@pytest.mark.parametrize("gradient", [0.005, -0.004])
def test_steady_force_distribution_on_a_gradient(gradient):
    """Constant traction or dynamic brake on a long gradient: coupler j carries what accelerates and resists behind it.

    With equal resistance per mass behind the locomotive all of it moves at one acceleration; coupler force
    F_j = (mass behind j) (a + g i) + (resistance behind j).
    """
    level = 8.0 if gradient > 0 else -8.0
    train = freight_train(wagons=12)
    run = TrainRun(
        train,
        constant_gradient(gradient),
        constant_level(level),
        0.0,
        5.0,
        60.0,
        tolerance=1e-5,
    )
    results = simulate(run)
    k = -1
    a = np.mean((results.speed[k] - results.speed[k - 1]) / 1.0)
    v = np.mean(results.speed[[k, k - 1]], axis=0)
    r = np.array([resistance_coefficients(x.mass, x.axles, x.q_ad) for x in train.vehicles])
    behind = train.mass * (a + GRAVITY * gradient) + r[:, 0] + r[:, 1] * v + r[:, 2] * v**2
    expected = behind[::-1].cumsum()[::-1][1:]
    force = results.force[[k, k - 1]].mean(axis=0)
    # the draft gears creep for long after the start: 0.5 % of the largest force
    np.testing.assert_allclose(force, expected, atol=5e-3 * np.abs(expected).max())
    assert np.all(np.sign(force) == np.sign(gradient))


def test_exact_statics_with_straight_couplers():
    """The same with straight damped couplers, to 1e-5: uphill pull, rigid bars included."""
    coupler = linear_coupler("spring", 2e7, damping=2e6)
    train = train_of([LOCOMOTIVE] + [WAGON] * 8, coupler, pairs=True)
    curve = LOCOMOTIVE.traction
    flat = TrainVehicle("flat", 134e3, 22.0, 6, 0.0, traction=_constant_traction(curve, 300e3))
    wagon = TrainVehicle("bare", 100e3, 11.0, 4, 0.0)
    train = train_of([flat] + [wagon] * 8, coupler, pairs=True)
    run = TrainRun(train, constant_gradient(0.01), constant_level(1.0), 0.0, 5.0, 60.0, tolerance=1e-6)
    results = simulate(run)
    a = 300e3 / train.mass.sum() - GRAVITY * 0.01
    expected = 100e3 * np.arange(8, 0, -1) * (a + GRAVITY * 0.01)
    np.testing.assert_allclose(results.force[-1], expected, rtol=1e-5)
    np.testing.assert_allclose(results.speed[-1], 5.0 + a * 60.0, rtol=1e-5)


def _constant_traction(curves, force):
    from flexwheel.systems.train.traction import TractionCurves

    speed = np.array([0.0, 100.0])
    flat = np.array([[0.0, 0.0], [force, force]])
    return TractionCurves("constant", speed, flat, flat)


def test_vehicles_feel_the_gradient_at_their_own_place():
    """A free train across a summit: total energy (kinetic + height) stays, heights by the route's own integral."""
    distance = np.array([-2e4, 500.0, 900.0, 3000.0, 1e5])
    route = Route(distance, np.array([0.0, 0.004, -0.006, 0.0, 0.0]), np.zeros(5), "summit")
    train = free_train(30, 2e7)
    results = simulate(TrainRun(train, route, coasting(), 300.0, 12.0, 120.0, tolerance=1e-5, account=True))
    assert abs(results.energy.residual) < 1e-6 * results.energy.turnover
    assert results.position[-1, 0] > 1400.0


def test_friction_coupler_of_the_tests_is_valid():
    from flexwheel.systems.train.coupler import check_coupler

    check_coupler(FRICTION_COUPLER)
    assert level_route().distance[0] < 0


def test_slope_of_the_force_at_constant_power():
    """F = P/v, dF/dv = -P/v^2; the starting effort below P/F is constant."""
    assert notch_force.py_func(20.0, 300e3, 4e6) == pytest.approx((2e5, -1e4))
    assert notch_force.py_func(10.0, 300e3, 4e6) == (300e3, 0.0)
