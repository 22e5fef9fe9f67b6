"""Air brake against closed forms: arrival along the pipe, build-up and release, stopping distance, holding."""

from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.base.gravity import GRAVITY
from flexwheel.systems.train.air_brake import AirBrake, arrival
from flexwheel.systems.train.coupler import linear_coupler
from flexwheel.systems.train.driving import BY_TIME, Driving
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.systems.train.train import Train
from flexwheel.systems.train.train_vehicle import TrainVehicle
from tests.systems.train.train_small import (
    coasting,
    constant_gradient,
    constant_level,
    freight_train,
    level_route,
    train_of,
)

BRAKED = TrainVehicle("braked", 100e3, 11.0, 4, 0.0, brake_force=80e3)


def braking(fraction, release=None, start=5.0, tick=1.0):
    """Apply at `start`, release at `release` [s]."""
    at, brake = ([0.0, start], [0.0, fraction]) if start > 0 else ([0.0], [fraction])
    if release is not None:
        at, brake = [*at, release], [*brake, 0.0]
    return Driving(BY_TIME, np.array([0.0, 1.0]), np.zeros((1, 2)), np.array(at), np.array(brake), tick=tick)


def lag(time_to_95):
    return time_to_95 / np.log(20.0)


def test_cylinders_follow_the_pipe():
    """Application at 5.3 s at 250 m/s, release at 40 s at 200 m/s; first-order lags; between ticks as well."""
    air = AirBrake(250.0, 200.0, 12.0, 20.0)
    n = 80
    train = Train((BRAKED,) * n, (linear_coupler("c", 1e7),) * (n - 1), np.zeros(n, dtype=int), np.zeros(n), air)
    results = simulate(TrainRun(train, level_route(), braking(0.6, 40.0, start=5.3), 0.0, 30.0, 70.0, account=False))
    for i in (0, 40, 79):
        on = 5.3 + 11.0 * i / 250.0
        off = 40.0 + 11.0 * i / 200.0
        t = results.time
        up = 0.6 * (1 - np.exp(-(np.clip(t, on, off) - on) / lag(12.0)))
        expected = np.where(t < off, up, up * np.exp(-(t - off) / lag(20.0)))
        np.testing.assert_allclose(results.pressure[:, i], expected, atol=1e-9)


def test_distributed_power_brakes_from_two_places():
    """A remote unit commands the pipe after its radio delay: the wave comes from the nearer source."""
    train = freight_train(40, 1, 1)
    results = simulate(TrainRun(train, level_route(), braking(0.5, start=5.0, tick=0.05), 0.0, 20.0, 8.0))
    place = -train.place
    remote = 41
    speed = train.air_brake.apply_speed
    arrival = np.minimum(place / speed, 0.5 + np.abs(place - place[remote]) / speed) + 5.0
    first = np.array([results.time[np.argmax(p > 0)] for p in results.pressure.T])
    assert np.all(first >= arrival - 1e-9) and np.all(first - arrival <= 0.051)


def test_stopping_distance():
    """One braked vehicle, force p(t) F with p = 1 - exp(-t/tau): speed and distance in closed form until it stops."""
    train = Train((BRAKED,), (), np.zeros(1, dtype=int), np.zeros(1), AirBrake(build_up_time=10.0))
    v0, tau, b = 20.0, lag(10.0), 80e3 / 100e3
    results = simulate(TrainRun(train, level_route(), braking(1.0, start=0.0), 1000.0, v0, 60.0))

    def speed(t):
        return v0 - b * (t - tau * (1 - np.exp(-t / tau)))

    lo, hi = 0.0, 100.0
    for _ in range(200):
        mid = 0.5 * (lo + hi)
        lo, hi = (mid, hi) if speed(mid) > 0 else (lo, mid)
    distance = v0 * lo - b * (0.5 * lo**2 - tau * lo + tau**2 * (1 - np.exp(-lo / tau)))
    assert results.position[-1, 0] - results.position[0, 0] == pytest.approx(distance, rel=2e-6)
    assert results.speed[-1, 0] == 0.0
    assert np.all(results.speed[results.time > lo + 1e-6, 0] == 0.0)


def test_stopping_distance_of_a_train():
    """Equal brake force per mass on all, one arrival: no coupler force, the single vehicle's distance."""
    n = 20
    air = AirBrake(apply_speed=1e9, build_up_time=10.0)
    train = Train((BRAKED,) * n, (linear_coupler("c", 1e7),) * (n - 1), np.zeros(n, dtype=int), np.zeros(n), air)
    single = Train((BRAKED,), (), np.zeros(1, dtype=int), np.zeros(1), air)
    runs = [simulate(TrainRun(t, level_route(), braking(1.0, start=0.0), 1000.0, 15.0, 50.0)) for t in (train, single)]
    travelled = [r.position[-1, 0] - r.position[0, 0] for r in runs]
    assert travelled[0] == pytest.approx(travelled[1], rel=1e-6)
    assert np.abs(runs[0].force).max() < 1.0


def test_braked_train_holds_on_a_gradient_exactly():
    """80 kN on 100 t holds on 2 % (19.6 kN): after the stop nothing moves, not even slowly."""
    train = train_of([BRAKED] * 10, linear_coupler("c", 1e7, damping=1e5))
    results = simulate(TrainRun(train, constant_gradient(0.02), braking(1.0, start=0.0), 500.0, 3.0, 120.0))
    still = results.time > 60.0
    assert np.all(results.speed[still] == 0.0)
    assert np.ptp(results.position[still], axis=0).max() == 0.0


def test_too_little_brake_lets_it_roll_back():
    """A fifth of the brake (16 kN) does not hold 19.6 kN: it stops uphill and rolls back at (19.6 - 16)/m."""
    train = Train((BRAKED,), (), np.zeros(1, dtype=int), np.zeros(1), AirBrake(build_up_time=0.01))
    results = simulate(TrainRun(train, constant_gradient(0.02), braking(0.2, start=0.0), 500.0, 2.0, 60.0))
    back = GRAVITY * 0.02 - 0.2 * 0.8
    t = results.time[results.time > 20.0]
    v = results.speed[results.time > 20.0, 0]
    np.testing.assert_allclose(np.diff(v) / np.diff(t), -back, rtol=1e-6)


def test_resistance_alone_holds_on_a_slight_gradient():
    """A wagon stands on a gradient just below its ordinary resistance at rest and rolls just above it."""
    wagon = TrainVehicle("plain", 100e3, 11.0, 4)
    limit = 100.0 * (2.943 + 89.2 / 25.0) / (100e3 * GRAVITY)
    for factor, moves in ((0.95, False), (1.05, True)):
        train = Train((wagon,), (), np.zeros(1, dtype=int), np.zeros(1))
        run = TrainRun(train, constant_gradient(-limit * factor), coasting(), 0.0, 0.0, 30.0)
        assert (simulate(run).speed[-1, 0] > 0) == moves


def test_start_from_rest_takes_up_the_slack_one_by_one():
    """Notch 3 from standstill: vehicles begin to move in their order, none backwards, none before it is pulled."""
    train = freight_train(12)
    results = simulate(TrainRun(train, level_route(), constant_level(3.0, tick=0.05), 0.0, 0.0, 12.0))
    assert results.speed.min() >= -1e-6
    first = np.array([results.time[np.argmax(v > 0)] for v in results.speed.T])
    assert np.all(np.diff(first) >= 0) and first[0] < first[3] < first[7] < first[11]


def test_curve_holds_more_than_straight():
    """Curving resistance at rest: 6116/300 N/t holds where straight track does not."""
    wagon = TrainVehicle("plain", 100e3, 11.0, 4)
    train = Train((wagon,), (), np.zeros(1, dtype=int), np.zeros(1))
    gradient = -0.0015
    straight = simulate(TrainRun(train, constant_gradient(gradient), coasting(), 0.0, 0.0, 20.0))
    route = Route(np.array([-1e4, 1e4]), np.full(2, gradient), np.full(2, 1 / 300.0), "curve")
    curved = simulate(TrainRun(train, route, coasting(), 0.0, 0.0, 20.0))
    assert straight.speed[-1, 0] > 0.1 and curved.speed[-1, 0] == 0.0


def test_release_does_not_overtake_the_application():
    """Pipe of 4 s for an application and 2 s for a release: 10 s + 4 s, then 14 s, not 13 s; 30 s + 2 s later on."""
    brake = SimpleNamespace(apply_delay=np.array([4.0]), release_delay=np.array([2.0]))
    commands = SimpleNamespace(time=np.array([10.0, 11.0, 30.0]), target=np.array([0.8, 0.3, 0.0]))
    assert [arrival.py_func(k, 0, brake, commands) for k in range(3)] == [14.0, 14.0, 32.0]
