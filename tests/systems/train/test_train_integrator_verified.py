"""RODAS3 of a train against the exact solution of its linear equations (matrix exponential)."""

import numpy as np
import pytest
from scipy.linalg import expm

from flexwheel.numerics.kernels import handle
from flexwheel.systems.train.bodies import no_bodies
from flexwheel.systems.train.driving import fresh_controls
from flexwheel.systems.train.relative_equations import evaluate
from flexwheel.systems.train.rodas3 import new_motion, rodas3_step
from flexwheel.systems.train.train import pack_train
from tests.systems.train.train_small import FREE_WAGON, constant_level, free_train, level_route

STIFFNESS, DAMPING, COUNT = 2e6, 4e4, 5
START = np.array([0.01, -0.02, 0.015, 0.01, 10.3, 10.0, 9.8, 10.1, 10.0])  # x, v; no deflection is exactly zero


def exact_propagator(h):
    """exp(A h) of (x, v) for the uniform chain."""
    n = COUNT
    a = np.zeros((2 * n - 1, 2 * n - 1))
    m = FREE_WAGON.mass
    for j in range(n - 1):
        a[j, n - 1 + j], a[j, n + j] = 1.0, -1.0
        for row, sign in ((n - 1 + j, -1.0), (n + j, 1.0)):
            a[row, j] += sign * STIFFNESS / m
            a[row, n - 1 + j] += sign * DAMPING / m
            a[row, n + j] -= sign * DAMPING / m
    return expm(a * h)


def march(h, duration):
    """Fixed steps of the kernel; returns (x, v)."""
    chain = pack_train(free_train(COUNT, STIFFNESS, damping=DAMPING), level_route())
    controls = fresh_controls(constant_level(0.0), duration)
    motion = new_motion(chain, no_bodies())
    state = motion.begin.state
    state.x[: COUNT - 1] = START[: COUNT - 1]
    state.v[:] = START[COUNT - 1 :]
    state.direction[:] = 1.0
    back_and_forth = [handle(m) for m in (motion, motion._replace(begin=motion.end, end=motion.begin))]
    chain, controls = handle(chain), handle(controls)
    instants = [(handle(i.state), handle(i.rates)) for i in (motion.begin, motion.end)]
    for k in range(int(round(duration / h))):
        state, rates = instants[k % 2]
        evaluate(k * h, state, controls, chain, rates)
        rodas3_step(k * h, h, back_and_forth[k % 2], controls, chain, 1.0)
    state = (motion.begin, motion.end)[(k + 1) % 2].state
    return np.concatenate([state.x[: COUNT - 1], state.v])


def test_order_three():
    exact = exact_propagator(0.8) @ START
    errors = [np.abs(march(h, 0.8) - exact).max() for h in (0.02, 0.01, 0.005)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert errors[-1] < 2e-5
    np.testing.assert_allclose(orders, 3.0, atol=0.25)


def test_error_estimate_scales_with_the_error():
    """The embedded estimate is of order 2: halving the step divides it by about 8."""
    train = free_train(COUNT, STIFFNESS)
    chain = pack_train(train, level_route())
    controls = fresh_controls(constant_level(0.0), 1.0)
    motion = new_motion(chain, no_bodies())
    state = motion.begin.state
    state.v[:] = 10.0 + np.array([0.3, 0.0, -0.2, 0.1, 0.0])
    state.x[:] = 0.01
    state.direction[:] = 1.0
    estimates = []
    chain, controls, moving = handle(chain), handle(controls), handle(motion)
    for h in (0.008, 0.004, 0.002):
        evaluate(0.0, handle(state), controls, chain, handle(motion.begin.rates))
        estimates.append(rodas3_step(0.0, h, moving, controls, chain, 1.0))
    ratios = np.array(estimates[:-1]) / estimates[1:]
    assert np.all((6.0 < ratios) & (ratios < 10.0)), ratios


def test_external_force_that_changes_with_time_keeps_the_order():
    """A notch that ramps: the term df/dt is in the stages. One locomotive, traction L t: v = v0 + L t^2/(2 m)."""
    from flexwheel.systems.train.driving import BY_TIME, Driving
    from flexwheel.systems.train.simulate_train import TrainRun, simulate
    from flexwheel.systems.train.traction import TractionCurves
    from flexwheel.systems.train.train import Train
    from flexwheel.systems.train.train_vehicle import TrainVehicle

    speed = np.array([0.0, 100.0])
    curves = TractionCurves("constant", speed, np.array([[0.0, 0.0], [1e5, 1e5]]), np.array([[0.0, 0.0], [1e5, 1e5]]))
    engine = TrainVehicle("engine", 100e3, 20.0, 4, q_ad=0.0, traction=curves)
    train = Train((engine,), (), np.zeros(1, dtype=int), np.zeros(1))
    driving = Driving(BY_TIME, np.array([0.0, 10.0]), np.array([[0.0, 1.0]]))
    results = simulate(TrainRun(train, level_route(), driving, 0.0, 5.0, 10.0))
    assert results.speed[-1, 0] == pytest.approx(5.0 + 0.5 * 1.0 * 10.0, rel=1e-9)
