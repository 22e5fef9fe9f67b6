"""Trains by themselves against an integration that shares no line with flexwheel/train (independent_train.py)."""

import time

import numpy as np

from flexwheel.systems.train.air_brake import AirBrake
from flexwheel.systems.train.coupler import Coupler, CouplingSide
from flexwheel.systems.train.cylinder import linear_cylinder, table_cylinder
from flexwheel.systems.train.driving import BY_TIME, Driving
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.systems.train.traction import notch_power
from flexwheel.systems.train.train import Train
from flexwheel.systems.train.train_vehicle import TrainVehicle
from flexwheel.verification.check_registry import check, distance, exact, information, other_code
from flexwheel.verification.norms import largest
from flexwheel.verification.train.independent_train import integrate

GEAR = CouplingSide(
    1e-3 * np.array([0, 4, 25, 50, 70, 82.5]),
    1e3 * np.array([0, 100, 300, 600, 1100, 2000.0]),
    1e3 * np.array([0, 20, 60, 150, 330, 700.0]),
    1.2e8,
).in_series(2)
COUPLER = Coupler("friction", GEAR, GEAR, 5e-3, 5e-3, 0.01, damping=5e3)
TWELVE_SECONDS = linear_cylinder("12 s to 95 %", 12.0, 15.0)
BY_TABLE = table_cylinder(
    "12 s with a quick first stage",
    [[0.0, 0.0], [1.0, 0.5], [12.0, 3.61], [16.0, 3.8]],
    [[0.0, 3.8], [4.0, 2.0], [15.0, 0.4], [20.0, 0.0]],
)
FRICTION = np.array([0.0, 40.0, 80.0, 120.0]) / 3.6, np.array([1.0, 0.86, 0.78, 0.74])
HILLS = Route(
    np.array([-3000.0, 0.0, 150.0, 400.0, 800.0, 5000.0]),
    np.array([0.0, 0.0, 0.004, -0.003, 0.0, 0.0]),
    np.array([0.0, 0.0, 0.0, 1 / 500.0, 0.0, 0.0]),
)
DRIVE = Driving(
    BY_TIME,
    np.array([0.0, 3.0, 9.0, 11.0, 16.0, 19.0, 200.0]),
    np.array([[0.0, 4.0, 4.0, 0.0, -4.0, 0.0, 0.0]]),
    np.array([0.0, 12.0, 17.0, 20.0]),  # full service; in mid-fill a release to 0.3; from there a second application
    np.array([0.0, 1.0, 0.3, 0.8]),
)

INDEPENDENT = other_code("independent integration, tolerance 1e-11; 20 N and 1e-4 m/s were asked for beforehand")


def braked_train(count, speed, duration, cylinder=TWELVE_SECONDS):
    """TrainRun of a locomotive and wagons: pull, dynamic brake, filling, release in mid-fill, second application."""
    engine = notch_power("engine", 500e3, 3.1e6, 325e3, 3e6)
    locomotive = TrainVehicle("locomotive", 134e3, 22.0, 6, 1.0, 120e3, *FRICTION, engine, cylinder)
    wagon = TrainVehicle("wagon", 100e3, 11.0, 4, 1.0, 70e3, *FRICTION, None, cylinder)
    vehicles = (locomotive, *[wagon] * (count - 1))
    train = Train(vehicles, (COUPLER,) * (count - 1), np.zeros(count, dtype=int), np.zeros(count), AirBrake())
    return TrainRun(train, HILLS, DRIVE, 100.0, speed, duration)


def compared(run):
    """Rows of one run against the independent integration."""
    ours = simulate(run)
    started = time.thread_time()
    theirs = integrate(run)
    seconds = time.thread_time() - started
    source = "LSODA on equations written again"
    peaks = "largest draft and buff of every coupling: worst difference"
    by_hand = exact("the two curves in closed form; rounding, 1e-9 set beforehand")
    return [
        distance(peaks, ours.peak_force, theirs.peak_force, 20.0, "N", source, largest),
        distance("speed of every vehicle at every second", ours.speed, theirs.speed, 1e-4, "m/s", source, largest),
        distance("cylinder pressure", ours.pressure, theirs.pressure, 1e-9, "-", source, largest, ground=by_hand),
        information("largest draft", theirs.peak_force.max() / 1e3, "kN"),
        information("largest buff", -theirs.peak_force.min() / 1e3, "kN"),
        information("time of the independent integration over ours", seconds / max(ours.seconds, 1e-9), "-"),
    ]


@check("Train of 12 vehicles against an independent integration", slow=True, ground=INDEPENDENT)
def twelve_vehicles():
    """Running brake of 12 s filling to a stop, with linear and with tabled curves."""
    rows = []
    for cylinder in (TWELVE_SECONDS, BY_TABLE):
        rows += compared(braked_train(12, 12.0, 40.0, cylinder))
    return rows


@check("Train of 12 vehicles from standstill against an independent integration", slow=True, ground=INDEPENDENT)
def twelve_from_standstill():
    """Every vehicle comes loose at its instant, rolls, and is braked to a stop."""
    return compared(braked_train(12, 0.0, 40.0))


@check("Train of 100 vehicles against an independent integration", slow=True, ground=INDEPENDENT)
def hundred_vehicles():
    """The same brake along 1.1 km: the command reaches the tail 4.4 s after the head."""
    return compared(braked_train(100, 20.0, 40.0))
