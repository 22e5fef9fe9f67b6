"""Momentum and energy of a train: kept where nothing acts, balanced where all is accounted for."""

import numpy as np
import pytest

from flexwheel.base.gravity import GRAVITY
from flexwheel.systems.train.driving import BY_TIME, Driving
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from tests.systems.train.train_small import (
    FREE_WAGON,
    FRICTION_COUPLER,
    coasting,
    constant_gradient,
    free_train,
    freight_train,
    level_route,
    train_of,
)

HILLS = Route(
    np.array([-5000.0, 0.0, 400.0, 1000.0, 1500.0, 2500.0, 50000.0]),
    np.array([0.0, 0.0, 0.006, -0.004, 0.003, 0.0, 0.0]),
    np.array([0.0, 0.0, 0.0, 1 / 500.0, 0.0, 0.0, 0.0]),
    "hills",
)
DRIVE = Driving(
    BY_TIME,
    np.array([0.0, 10.0, 40.0, 50.0, 80.0, 90.0, 200.0]),
    np.array([[0.0, 8.0, 8.0, 0.0, -6.0, 0.0, 0.0]]),
    np.array([0.0, 60.0, 75.0, 110.0]),
    np.array([0.0, 0.5, 0.0, 0.8]),
)


def test_momentum_of_a_free_train_of_friction_couplers():
    """Inner forces only: the momentum stays to rounding while the kinetic energy falls."""
    train = train_of([FREE_WAGON] * 20, FRICTION_COUPLER, pairs=True)
    speed = 10.0 + np.repeat(np.random.default_rng(3).uniform(-0.4, 0.4, 11), 2)[1:21]
    results = simulate(TrainRun(train, level_route(), coasting(), 0.0, speed, 30.0, account=True))
    momentum = results.speed @ train.mass
    assert np.abs(momentum / momentum[0] - 1).max() < 1e-12
    assert results.energy.couplers > 0.2 * -results.energy.kinetic_change


def test_impulse_of_the_slope():
    """On a constant gradient without resistance momentum falls by weight times gradient times time, to rounding."""
    train = free_train(15)
    results = simulate(TrainRun(train, constant_gradient(0.003), coasting(), 0.0, 20.0, 50.0))
    expected = 20.0 - GRAVITY * 0.003 * results.time
    np.testing.assert_allclose(results.speed @ train.mass / train.mass.sum(), expected, rtol=1e-11)


@pytest.mark.parametrize(("tolerance", "closes"), [(1e-3, 1.5e-5), (1e-4, 4e-6), (1e-5, 1.5e-6)])
def test_energy_ledger_closes(tolerance, closes):
    """Climb, curve, dynamic brake, two brake applications, stop: all energy accounted for, better with tolerance."""
    run = TrainRun(freight_train(12, 1, 1), HILLS, DRIVE, 100.0, 8.0, 160.0, tolerance=tolerance, account=True)
    energy = simulate(run).energy
    assert abs(energy.residual) < closes * energy.turnover
    for lost in (energy.dynamic_brake, energy.air_brake, energy.ordinary, energy.curving, energy.couplers):
        assert lost > 0
