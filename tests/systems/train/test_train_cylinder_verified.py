"""Brake cylinders by their curves (UIC 540: 95 % filled, 0.4 bar left), against times and values worked out by hand."""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.train.air_brake import AirBrake
from flexwheel.systems.train.coupler import linear_coupler
from flexwheel.systems.train.cylinder import exponential_cylinder, linear_cylinder, table_cylinder
from flexwheel.systems.train.driving import BY_TIME, Driving
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.systems.train.train_vehicle import TrainVehicle
from tests.systems.train.train_small import level_route, train_of

TABLE = table_cylinder(
    "table", [[0, 0], [1, 0.4], [12, 3.8]], [[0, 3.8], [10, 1.0], [20, 0.0]]
)  # a quick first stage, then 0.309 bar/s; release 0.28, then 0.1 bar/s


def pressures(cylinder, at, brake, duration, count=1, growth=0.0):
    """Pressures [-] at every tenth of a second of wagons with this cylinder, and the ticks."""
    wagon = TrainVehicle("braked", 100e3, 25.0, 4, 0.0, brake_force=80e3, cylinder=cylinder)
    train = train_of([wagon] * count, linear_coupler("c", 1e7))
    train = type(train)(
        train.vehicles, train.couplers, train.channel, train.delay, AirBrake(250.0, 100.0, growth=growth)
    )
    schedule = Driving(BY_TIME, np.array([0.0, 1.0]), np.zeros((1, 2)), np.array(at), np.array(brake), tick=0.1)
    results = simulate(TrainRun(train, level_route(), schedule, 0.0, 30.0, duration))
    return results.time, results.pressure


@pytest.mark.parametrize("make", [linear_cylinder, exponential_cylinder])
@pytest.mark.parametrize(("filling", "releasing"), [(4.0, 17.5), (24.0, 52.5)])  # the middle of positions P and G
def test_times_of_the_positions(make, filling, releasing):
    """Full application: 95 % at the filling time; full release from full: 0.4 of 3.8 bar at the release time."""
    hold = 200.0
    t, p = pressures(make("c", filling, releasing), [0.0, 1.0, hold], [0.0, 1.0, 0.0], hold + 1.0 + releasing)
    assert np.interp(1.0 + filling, t, p[:, 0]) == pytest.approx(0.95, abs=1e-9)
    full = p[t <= hold, 0].max()
    assert full == pytest.approx(1.0, abs=1e-3)
    assert np.interp(hold + releasing, t, p[:, 0]) == pytest.approx(full * 0.4 / 3.8, abs=1e-3)


def test_linear_filling_partial_and_in_mid_fill():
    """12 s to 95 %: half service after 6.316 s and not more; released at its own rate; again from what is left."""
    t, p = pressures(linear_cylinder("c", 12.0, 15.0), [0.0, 1.0, 20.0, 24.0], [0.0, 0.5, 0.0, 1.0], 40.0)
    rise, fall = 0.95 / 12.0, (1 - 0.4 / 3.8) / 15.0
    low = 0.5 - 4.0 * fall
    expected = np.select(
        [t < 1.0, t < 20.0, t < 24.0],
        [0.0 * t, np.minimum(0.5, rise * (t - 1.0)), 0.5 - fall * (t - 20.0)],
        np.minimum(1.0, low + rise * (t - 24.0)),
    )
    np.testing.assert_allclose(p[:, 0], expected, atol=1e-12)


def test_table_followed_from_the_pressure_there_is():
    """Released in mid-fill at 2.2 bar, and filled again from 1.36 bar: each along its own curve, knots included."""
    t, p = pressures(TABLE, [0.0, 1.0, 7.8235294117647056, 10.8235294117647056], [0.0, 1.0, 0.0, 1.0], 20.0)
    bar = 3.8 * p[:, 0]
    slope = 3.4 / 11.0
    for when, expected in ((1.5, 0.2), (2.0, 0.4), (5.0, 0.4 + 3 * slope), (7.8, 0.4 + 5.8 * slope)):
        assert np.interp(when, t, bar) == pytest.approx(expected, abs=1e-9), when
    top = 0.4 + (7.8235294117647056 - 2.0) * slope
    low = top - 0.28 * 3.0
    assert np.interp(9.8, t, bar) == pytest.approx(top - 0.28 * (9.8 - 7.8235294117647056), abs=1e-9)
    assert np.interp(14.8, t, bar) == pytest.approx(low + slope * (14.8 - 10.8235294117647056), abs=1e-9)


def test_growth_stretches_a_table():
    """0.1 s/m longer filling: the table's own curve in a time that runs slower by one factor, past its knot."""
    t, p = pressures(TABLE, [0.0, 1.0], [0.0, 1.0], 20.0, count=3, growth=0.1)
    for i in range(3):
        away = 25.0 * i
        slower = (TABLE.filling + 0.1 * away) / TABLE.filling
        expected = np.interp((t - 1.0 - away / 250.0) / slower, TABLE.fill_time, TABLE.fill_pressure)
        np.testing.assert_allclose(p[:, i], expected, atol=1e-9)


def test_propagation_and_growth():
    """Application at 250 m/s, release at 100 m/s from the head; 4 s/km slower filling away from it."""
    t, p = pressures(linear_cylinder("c", 9.5, 15.0), [0.0, 1.0, 15.0], [0.0, 1.0, 0.0], 30.0, count=21, growth=4e-3)
    for i in (0, 10, 20):
        away = 25.0 * i
        rise = 0.95 / (9.5 + 4e-3 * away)
        begun = 1.0 + away / 250.0
        assert np.interp(9.0, t, p[:, i]) == pytest.approx(rise * (9.0 - begun), abs=1e-9)
        falling = t[np.flatnonzero(np.diff(p[:, i]) < 0)[0]]
        assert falling == pytest.approx(15.0 + away / 100.0, abs=0.1)


@pytest.mark.parametrize(
    ("fill", "release", "message"),
    [
        ([[0, 0], [5, 2], [4, 3.8]], [[0, 3.8], [9, 0]], "fill table: time does not rise at row 3"),
        ([[0, 0], [5, 0], [9, 3.8]], [[0, 3.8], [9, 0]], "fill table: pressure does not rise at row 2"),
        ([[0, 0], [9, 3.8]], [[0, 3.0], [9, 0]], "release table must start at 3.8 bar, got 3 bar"),
        ([[0, 0], [9, 3.8]], [[0, 3.8], [9, 0.4]], "release table must end at 0 bar, got 0.4 bar"),
        ([[0, 0.1], [9, 3.8]], [[0, 3.8], [9, 0]], "fill table must start at 0 bar, got 0.1 bar"),
    ],
)
def test_tables_that_are_none(fill, release, message):
    with pytest.raises(ScenarioError, match=message):
        table_cylinder("c", fill, release)
