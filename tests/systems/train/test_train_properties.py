"""What must hold for any train and any coupler: passivity, momentum, mirror symmetry, tables of any shape."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.systems.train.coupler import Coupler, CouplingSide, pack_couplers
from flexwheel.systems.train.coupler_force import coupler_dissipation, coupler_energy, coupler_force
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.systems.train.tolerance_check import simulate_checked
from tests.systems.train.train_small import (
    FREE_WAGON,
    coasting,
    constant_gradient,
    constant_level,
    freight_train,
    level_route,
    train_of,
)

SEEDS = range(6)


def random_side(random):
    """A table with 3 to 8 rows, loading above unloading, both rising."""
    k = int(random.integers(3, 9))
    deflection = np.concatenate([[0.0], np.cumsum(random.uniform(0.004, 0.03, k - 1))])
    unloading = np.concatenate([[0.0], np.cumsum(random.uniform(0.0, 1e5, k - 1))])
    loading = unloading + np.concatenate([[0.0], np.cumsum(random.uniform(0.0, 1e5, k - 1))])
    return CouplingSide(deflection, loading, unloading, random.uniform(2e7, 2e8))


def random_coupler(random):
    """Clearance or overlap, equal or different sides, with or without damping."""
    free = random.uniform(-0.004, 0.02)
    return Coupler(
        "random",
        random_side(random),
        random_side(random),
        free,
        free,
        10 ** random.uniform(-3, -1.3),
        random.choice([0.0, 1e4]),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_coupler_never_gives_energy(seed):
    """Power = rate of stored energy + loss, loss >= 0, at any deflection and rate."""
    random = np.random.default_rng(seed)
    tables = pack_couplers([random_coupler(random)])
    step = 1e-9
    for x, w in zip(random.uniform(-0.15, 0.15, 200), random.uniform(-0.2, 0.2, 200), strict=True):
        force, _, _ = coupler_force(x, w, 0, tables)
        loss = coupler_dissipation(x, w, 0, tables)
        slope = (coupler_energy(x + step, 0, tables) - coupler_energy(x - step, 0, tables)) / (2 * step)
        assert loss >= 0.0
        assert force * w == pytest.approx(slope * w + loss, rel=1e-4, abs=1.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_force_is_continuous(seed):
    """Steps of 1 um and 1 um/s change the force by no more than the steepest slopes allow."""
    random = np.random.default_rng(seed)
    coupler = random_coupler(random)
    tables = pack_couplers([coupler])
    steepest = coupler.draft.stiffest() + coupler.buff.stiffest()
    for w in random.uniform(-0.1, 0.1, 4):
        x = np.arange(-0.1, 0.1, 1e-6)[:: int(random.integers(1, 5))]
        force = np.array([coupler_force(v, w, 0, tables)[0] for v in x[:40_000]])
        jump = np.abs(np.diff(force)).max()
        assert jump < steepest * (x[1] - x[0]) + 1.0 + 2 * coupler.damping * abs(w)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_train_keeps_its_momentum_and_loses_energy(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 15))
    vehicles = [replace(FREE_WAGON, mass=float(random.uniform(20e3, 150e3))) for _ in range(n)]
    train = train_of(vehicles, random_coupler(random), pairs=bool(random.integers(2)))
    speed = np.full(n, 12.0)
    for i in range(1, n):
        speed[i] = speed[i - 1] if train.couplers[i - 1].rigid else 12.0 + random.uniform(-0.5, 0.5)
    results = simulate(TrainRun(train, level_route(), coasting(), 0.0, speed, 20.0, account=True))
    momentum = results.speed @ train.mass
    assert np.abs(momentum / momentum[0] - 1).max() < 1e-12
    ledger = results.energy
    assert abs(ledger.residual) < 1e-3 * (ledger.couplers + abs(ledger.coupler_change)) + 1.0
    assert ledger.couplers >= 0


def test_mirror_uphill_and_downhill():
    """Rolling backwards down what one climbs forwards: the same forces with draft and buff as they were, by symmetry.

    A train let run forwards on a slope, and its mirror image backwards on the mirrored slope: coupling k of one is
    n - k of the other with the same force, speeds opposite.
    """
    vehicles = [replace(FREE_WAGON, mass=m) for m in (80e3, 120e3, 60e3, 100e3, 140e3)]
    coupler = Coupler("c", random_side(np.random.default_rng(7)), random_side(np.random.default_rng(8)))
    speeds = np.array([5.0, 5.2, 4.9, 5.1, 5.0])
    forward = simulate(TrainRun(train_of(vehicles, coupler), constant_gradient(-0.01), coasting(), 0.0, speeds, 10.0))
    backward = simulate(
        TrainRun(train_of(vehicles[::-1], coupler), constant_gradient(0.01), coasting(), 0.0, -speeds[::-1], 10.0)
    )
    np.testing.assert_allclose(backward.force[:, ::-1], forward.force, atol=1e-3 * np.abs(forward.force).max())
    np.testing.assert_allclose(backward.speed[:, ::-1], -forward.speed, atol=1e-4)


@pytest.mark.parametrize("notch", [1.0, 4.0, 8.0])
def test_halving_the_tolerance_changes_nothing_that_matters(notch):
    """The default tolerance: every coupling within 10 N of twice of it, so within 20 N of a converged run."""
    run = TrainRun(freight_train(12, 1, 1), constant_gradient(0.001), constant_level(notch), 0.0, 0.0, 40.0)
    _, checks = simulate_checked(run)
    assert checks[-1].passed and checks[-1].extreme_change <= 10.0


def test_an_interrupted_run_is_the_first_part_of_the_whole(monkeypatch):
    monkeypatch.setattr("flexwheel.systems.train.simulate_train.TICKS_BETWEEN_REPORTS", 5)
    run = TrainRun(freight_train(12, 1, 1), constant_gradient(0.001), constant_level(4.0), 0.0, 0.0, 40.0, account=True)
    whole = simulate(run)

    def stop(part):
        if part > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(run, stop)
    part = simulate(run, stop, keep_interrupted=True)
    n = len(part.time)
    assert whole.complete and not part.complete and 0.3 * len(whole.time) < n < 0.7 * len(whole.time)
    assert part.status == f"interrupted at t = {part.time[-1]:.1f} s"
    for name in ("time", "position", "speed", "force", "deflection", "pressure", "level"):
        assert np.array_equal(getattr(part, name), getattr(whole, name)[:n]), name
    assert abs(part.energy.residual) < 1e-3 * part.energy.turnover
    checked, checks = simulate_checked(run, report=stop)
    assert not checked.complete and checks == [] and len(checked.time) == n
