"""Waves along a uniform train: exact solution of the chain of masses and springs, and its long-wave speed."""

import numpy as np
import pytest

from flexwheel.systems.train.simulate_train import TrainRun, simulate
from tests.systems.train.train_small import FREE_WAGON, coasting, free_train, level_route

COUNT, STIFFNESS = 60, 1e7


def exact_speeds(v0, time):
    """Speeds (T, n) of the free chain that starts with speeds v0 and no deflection, by cosine modes."""
    n, m = len(v0), FREE_WAGON.mass
    j = np.arange(n)
    modes = np.cos(np.pi * np.outer(j + 0.5, j) / n)
    modes /= np.linalg.norm(modes, axis=0)
    omega = 2 * np.sqrt(STIFFNESS / m) * np.sin(np.pi * j / (2 * n))
    return (np.cos(np.outer(time, omega)) * (modes.T @ v0)) @ modes.T


def test_pulse_against_the_exact_chain():
    """A smooth pulse of speed at the head, 20 s: every vehicle within 1 % of the pulse."""
    bump = 0.2 * np.exp(-((np.arange(COUNT) - 5) ** 2) / 8.0)
    run = TrainRun(
        free_train(COUNT, STIFFNESS),
        level_route(),
        coasting(tick=0.05),
        0.0,
        10.0 + bump,
        10.0,
        tolerance=1e-6,
    )
    results = simulate(run)
    exact = 10.0 + exact_speeds(bump, results.time)
    assert np.abs(results.speed - exact).max() < 0.002 * 0.2


def test_wave_speed():
    """The front of a long wave travels at L sqrt(k/m) per second: 110 m/s here."""
    bump = 0.2 * np.exp(-((np.arange(COUNT) - 8) ** 2) / 18.0)
    run = TrainRun(
        free_train(COUNT, STIFFNESS),
        level_route(),
        coasting(tick=0.02),
        0.0,
        10.0 + bump,
        4.0,
        tolerance=1e-6,
    )
    results = simulate(run)
    passing = [results.time[np.argmax(results.speed[:, j])] for j in (25, 45)]
    speed = 20 * FREE_WAGON.length / (passing[1] - passing[0])
    assert speed == pytest.approx(FREE_WAGON.length * np.sqrt(STIFFNESS / FREE_WAGON.mass), rel=0.01)
