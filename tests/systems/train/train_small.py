"""Small trains for the tests: made of the package's own parts, no files."""

import numpy as np

from flexwheel.systems.train.coupler import Coupler, CouplingSide, linear_coupler, rigid_bar
from flexwheel.systems.train.driving import BY_TIME, Driving
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.traction import notch_power
from flexwheel.systems.train.train import Train
from flexwheel.systems.train.train_vehicle import TrainVehicle

BAR = rigid_bar()
GEAR = CouplingSide(
    1e-3 * np.array([0, 4, 25, 50, 70, 82.5]),
    1e3 * np.array([0, 100, 300, 600, 1100, 2000.0]),
    1e3 * np.array([0, 20, 60, 150, 330, 700.0]),
    1.2e8,
).in_series(2)
FRICTION_COUPLER = Coupler("friction", GEAR, GEAR, 5e-3, 5e-3, 0.01, damping=5e3)
LOCOMOTIVE = TrainVehicle("locomotive", 134e3, 22.0, 6, 1.0, 120e3, traction=notch_power("t", 500e3, 3.1e6, 325e3, 3e6))
WAGON = TrainVehicle("wagon", 100e3, 11.0, 4, 1.0, 70e3)
FREE_WAGON = TrainVehicle("free wagon", 100e3, 11.0, 4, q_ad=0.0)


def coasting(channels=1, tick=1.0):
    """No notch, no brake."""
    return Driving(BY_TIME, np.array([0.0, 1.0]), np.zeros((channels, 2)), tick=tick)


def constant_level(level, tick=1.0):
    """One notch from the first instant on."""
    return Driving(BY_TIME, np.array([0.0, 1.0]), np.full((1, 2), float(level)), tick=tick)


def level_route(length=1e6, start=-1e5):
    """A straight level line."""
    return Route(np.array([start, start + length]), np.zeros(2), np.zeros(2), "level")


def constant_gradient(gradient, length=1e6, start=-1e5, curvature=0.0):
    """A line of one gradient [-] and one curvature [1/m]."""
    return Route(
        np.array([start, start + length]), np.full(2, float(gradient)), np.full(2, float(curvature)), "constant"
    )


def train_of(vehicles, coupler, pairs=False):
    """Train of vehicles with one kind of coupler, every second coupling a rigid bar if pairs."""
    n = len(vehicles)
    couplers = tuple(BAR if pairs and i % 2 else coupler for i in range(n - 1))
    return Train(tuple(vehicles), couplers, np.zeros(n, dtype=int), np.zeros(n))


def free_train(count, stiffness=1e7, unloading_ratio=1.0, **options):
    """Uniform train without resistance, straight couplers."""
    coupler = linear_coupler("spring", stiffness, unloading_ratio, **options)
    return train_of([FREE_WAGON] * count, coupler)


def freight_train(wagons=10, locomotives=1, remote=0):
    """Locomotives, wagons in pairs on rigid bars, remote locomotives, as many wagons again when there are any."""
    vehicles, couplers, delay = [], [], []
    blocks = [(LOCOMOTIVE, locomotives, 0.0), (WAGON, wagons, 0.0)]
    if remote:
        blocks += [(LOCOMOTIVE, remote, 0.5), (WAGON, wagons, 0.0)]
    for vehicle, count, radio in blocks:
        for i in range(count):
            if vehicles:
                couplers.append(BAR if vehicle is WAGON and i % 2 else FRICTION_COUPLER)
            vehicles.append(vehicle)
            delay.append(radio)
    return Train(tuple(vehicles), tuple(couplers), np.zeros(len(vehicles), dtype=int), np.array(delay))
