"""Coupler law against equation (7) of the train paper by hand, and against closed forms of two vehicles."""

import numpy as np
import pytest

from flexwheel.systems.train.coupler import Coupler, CouplingSide, linear_coupler, pack_couplers
from flexwheel.systems.train.coupler_force import coupler_force
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from tests.systems.train.train_small import FRICTION_COUPLER, coasting, free_train, level_route

V_EPS = 0.01
LAW = linear_coupler("law", 1e7, unloading_ratio=0.25, clearance=0.02, transition_speed=V_EPS)


def run_pair(coupling_stiffness, approach, duration, unloading_ratio=1.0, transition_speed=V_EPS, **options):
    """Two free wagons meeting at a speed of approach [m/s]."""
    train = free_train(2, coupling_stiffness, unloading_ratio, transition_speed=transition_speed)
    run = TrainRun(
        train,
        level_route(),
        coasting(tick=options.pop("tick", 1e-3)),
        0.0,
        np.array([10.0, 10.0 + approach]),
        duration,
        **options,
    )
    return simulate(run)


def test_law_by_hand():
    """F_L = 1e7 delta, F_U = F_L/4, delta = |x| - 10 mm; equation (7) at 30 mm: F_L = 200 kN, F_U = 50 kN."""
    tables = pack_couplers([LAW])
    cases = [
        (0.005, 1.0, 0.0),  # in the clearance
        (0.030, 0.5, 200e3),  # draft, loading
        (0.030, -0.5, 50e3),  # draft, unloading
        (0.030, 0.0, 125e3),  # F_M
        (0.030, V_EPS / 2, 125e3 + 75e3 / 2),
        (0.030, -V_EPS, 50e3),
        (-0.030, -0.5, -200e3),  # buff, loading
        (-0.030, 0.5, -50e3),
        (-0.030, -V_EPS / 2, -125e3 - 75e3 / 2),
    ]
    for x, w, expected in cases:
        force, _, _ = coupler_force(x, w, 0, tables)
        assert force == pytest.approx(expected, rel=1e-12, abs=1e-9), (x, w)


def test_slopes_are_derivatives():
    """dF/dx and dF/dw against central differences away from the corners, coupler and overlapping hook and buffers."""
    hook = CouplingSide(np.array([0, 0.02, 0.05]), np.array([0, 2e5, 8e5]), np.array([0, 6e4, 3e5]), 3e7)
    buffer = CouplingSide(np.array([0, 0.08, 0.2]), np.array([0, 2e5, 1.2e6]), np.array([0, 8e4, 5e5]), 5e7)
    tables = pack_couplers([FRICTION_COUPLER, Coupler("screw", hook, buffer, 0.0, -0.004, 0.01, damping=5e3)])
    random = np.random.default_rng(1)
    step_x, step_w = 1e-8, 1e-8
    for kind in range(2):
        for x, w in zip(random.uniform(-0.19, 0.19, 300), random.uniform(-0.03, 0.03, 300), strict=True):
            _, k, c = coupler_force(x, w, kind, tables)
            by_x = [coupler_force(x + s * step_x, w, kind, tables)[0] for s in (-1, 1)]
            by_w = [coupler_force(x, w + s * step_w, kind, tables)[0] for s in (-1, 1)]
            assert k == pytest.approx((by_x[1] - by_x[0]) / (2 * step_x), rel=1e-5, abs=1e2)
            assert c == pytest.approx((by_w[1] - by_w[0]) / (2 * step_w), rel=1e-5, abs=1e2)


def test_linear_impact():
    """Two masses m on a spring k: largest force dv sqrt(k m/2), after pi sqrt(m/(2k))."""
    k, m, dv = 1e7, 100e3, 0.5
    results = run_pair(k, dv, 1.0, tolerance=1e-5)
    assert -results.peak_force[0, 1] == pytest.approx(dv * np.sqrt(k * m / 2), rel=2e-4)
    assert results.peak_time[0, 1] == pytest.approx(0.5 * np.pi * np.sqrt(m / (2 * k)), rel=2e-3)
    assert -results.peak_deflection[0, 1] == pytest.approx(dv * np.sqrt(m / (2 * k)), rel=2e-4)
    omega = np.sqrt(2 * k / m)
    exact = -k * dv / omega * np.sin(omega * results.time)
    assert np.abs(results.force[:, 0] - exact).max() < 2e-3 * np.abs(exact).max()


def test_impact_with_hysteresis():
    """Loading at k, unloading at k/4: the vehicles part with sqrt(1/4) of the speed they met with, as v_eps -> 0.

    The transition acts at less than v_eps only: its effect on the force is of order (v_eps/dv)^2, on the parting speed
    of order v_eps/dv.
    """
    k, m, dv = 1e7, 100e3, 0.5
    side = linear_coupler("one side", k, 0.25, transition_speed=1e-4).buff
    train = free_train(2)
    train = type(train)(
        train.vehicles,
        (Coupler("buff only", None, side, 0.0, 0.0, 1e-4),),
        train.channel,
        train.delay,
    )
    run = TrainRun(
        train,
        level_route(),
        coasting(tick=0.01),
        0.0,
        np.array([10.0, 10.5]),
        1.0,
        tolerance=1e-5,
    )
    results = simulate(run)
    assert -results.peak_force[0, 1] == pytest.approx(dv * np.sqrt(k * m / 2), rel=2e-4)
    parting = results.speed[-1, 0] - results.speed[-1, 1]
    assert parting == pytest.approx(dv * 0.5, rel=2e-3)
    assert results.force[-1, 0] == 0.0


def test_largest_force_between_steps_is_found():
    """The force peaks where the rate falls through v_eps: sqrt(k m/2 (dv^2 - v_eps^2)), then drops at once.

    Wide transition, loose tolerance, no landing on branches: the peak lies between two steps and is located.
    """
    k, m, dv, v_eps = 1e7, 100e3, 0.5, 0.2
    results = run_pair(k, dv, 0.3, 0.25, v_eps, tick=0.3, tolerance=1e-3, locate=np.inf, longest_step=0.05)
    assert -results.peak_force[0, 1] == pytest.approx(np.sqrt(k * m / 2 * (dv**2 - v_eps**2)), rel=1e-3)


def test_clearance_is_crossed_freely():
    """In the clearance the speeds stay as they are, until half of it is used up."""
    train = free_train(2, 1e7, clearance=0.02)
    run = TrainRun(train, level_route(), coasting(tick=0.01), 0.0, np.array([10.0, 10.1]), 0.09)
    results = simulate(run)
    np.testing.assert_allclose(results.speed[-1], [10.0, 10.1], rtol=1e-12)
    assert results.deflection[-1, 0] == pytest.approx(-0.009, rel=1e-9)
    assert results.peak_force[0, 1] == 0.0


def test_pretension_of_hook_and_buffers():
    """Hook k_h from 0, buffers k_b compressed by p: they rest at x = p k_b/(k_h + k_b), both carrying k_h x."""
    hook = linear_coupler("h", 2e7).draft
    buffer = linear_coupler("b", 5e6).buff
    tables = pack_couplers([Coupler("screw", hook, buffer, 0.0, -0.010)])
    rest = 0.010 * 5e6 / 2.5e7
    assert coupler_force(rest, 0.0, 0, tables)[0] == pytest.approx(0.0, abs=1e-6)
    assert coupler_force(rest + 1e-3, 0.0, 0, tables)[0] == pytest.approx(2.5e4, rel=1e-9)
    assert coupler_force(0.012, 0.0, 0, tables)[0] == pytest.approx(0.012 * 2e7, rel=1e-9)  # buffers off
    assert coupler_force(-0.005, 0.0, 0, tables)[0] == pytest.approx(-0.015 * 5e6, rel=1e-9)  # hook slack
