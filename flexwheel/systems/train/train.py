"""A train: vehicles and what couples them, packed for the kernels.

Vehicles joined by rigid bars form one group: one degree of freedom; the force of the bar is a reaction.
Numbers count from the head; coupler k (from 1) joins vehicles k and k + 1, bars are counted.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.train.air_brake import AirBrake, BrakeArrays, pack_air_brake
from flexwheel.systems.train.coupler import Coupler, pack_couplers
from flexwheel.systems.train.coupler_force import CouplerTables
from flexwheel.systems.train.resistance import resistance_coefficients
from flexwheel.systems.train.route import RouteArrays, pack_route
from flexwheel.systems.train.traction import TractionTables, pack_traction
from flexwheel.systems.train.train_vehicle import TrainVehicle, check_vehicle


@dataclass(frozen=True)
class Train:
    """A consist."""

    vehicles: tuple[TrainVehicle, ...]  # from head to tail
    couplers: tuple[Coupler, ...]  # coupler i joins vehicles i and i + 1
    channel: np.ndarray  # (n,) int control channel of each locomotive
    delay: np.ndarray  # (n,) [s] radio delay of each locomotive
    air_brake: AirBrake = field(default_factory=AirBrake)

    @property
    def mass(self):
        """(n,) float [kg]."""
        return np.array([v.mass for v in self.vehicles])

    @property
    def place(self):
        """(n,) float [m]: centre of each vehicle behind the centre of the first, negative, couplings at zero."""
        length = np.array([v.length for v in self.vehicles])
        return -np.concatenate([[0.0], np.cumsum(0.5 * (length[1:] + length[:-1]))])

    @property
    def length(self):
        """Length over couplers [m]."""
        return float(sum(v.length for v in self.vehicles))

    @property
    def rigid(self):
        """(n - 1,) bool: which couplings are rigid bars."""
        return np.array([c.rigid for c in self.couplers], dtype=bool)


class Chain(NamedTuple):
    """The train for the kernels: n vehicles in g groups in m pieces.

    A train by itself is one piece. With force elements each element is a piece, whose first and last groups ride
    with the bodies at its ends. Couplings count by the group (or vehicle) ahead of them; the last one of a piece is
    not used.
    """

    mass: np.ndarray  # (n,) [kg]
    resistance: np.ndarray  # (n, 4)           coefficients of eq (6)
    brake_force: np.ndarray  # (n,) [N]
    friction_speed: np.ndarray  # (n, k) [m/s]
    friction: np.ndarray  # (n, k) [-]
    traction_kind: np.ndarray  # (n,) int      -1: no traction
    channel: np.ndarray  # (n,) int
    delay: np.ndarray  # (n,) [s]
    piece: np.ndarray  # (m + 1,) int          first group of each piece; a whole train is one piece
    start: np.ndarray  # (g + 1,) int          first vehicle of each group
    offset: np.ndarray  # (n,) [m]             vehicle against the first of its group, <= 0
    group_mass: np.ndarray  # (g,) [kg]
    gap: np.ndarray  # (g,) [m]            between first vehicles of groups at zero deflection
    kind: np.ndarray  # (g,) int           coupler table; -1 at the end of a piece
    couplers: CouplerTables
    traction: TractionTables
    brake: BrakeArrays
    route: RouteArrays


def check_train(train):
    """Refuse a train that does not hang together."""
    n = len(train.vehicles)
    if n < 1:
        raise ScenarioError("train: no vehicles")
    if len(train.couplers) != n - 1:
        raise ScenarioError(f"train: {n} vehicles must have {n - 1} couplers, got {len(train.couplers)}")
    if len(train.channel) != n or len(train.delay) != n:
        raise ScenarioError("train: channel and delay need one value per vehicle")
    for vehicle in {id(v): v for v in train.vehicles}.values():
        check_vehicle(vehicle)


def pack_train(train, route) -> Chain:
    """Arrays of a Train on a Route.

    The first vehicle, and every locomotive behind a vehicle that is none, command the brake pipe.
    """
    check_train(train)
    n = len(train.vehicles)
    vehicles = train.vehicles
    kinds = {id(c): c for c in train.couplers if not c.rigid}
    kind_of = {key: i for i, key in enumerate(kinds)}
    engines = {id(v.traction): v.traction for v in vehicles if v.traction is not None}
    engine_of = {key: i for i, key in enumerate(engines)}
    start = np.concatenate([[0], np.flatnonzero(~train.rigid) + 1, [n]]).astype(np.int64)
    first = np.repeat(start[:-1], np.diff(start))
    place = train.place
    knots = max(len(v.brake_speed) for v in vehicles)
    friction_speed, friction = np.zeros((n, knots)), np.zeros((n, knots))
    for i, v in enumerate(vehicles):
        m = len(v.brake_speed)
        friction_speed[i] = np.concatenate([v.brake_speed, v.brake_speed[-1] + 1.0 + np.arange(knots - m)])
        friction[i] = np.concatenate([v.brake_friction, np.full(knots - m, v.brake_friction[-1])])
    powered = np.array([v.traction is not None for v in vehicles])
    leads = powered & ~np.concatenate([[False], powered[:-1]])
    brake_sources = np.union1d([0], np.flatnonzero(leads)).astype(np.int64)
    return Chain(
        mass=train.mass.astype(float),
        resistance=np.array([resistance_coefficients(v.mass, v.axles, v.q_ad) for v in vehicles]),
        brake_force=np.array([v.brake_force for v in vehicles], dtype=float),
        friction_speed=friction_speed,
        friction=friction,
        traction_kind=np.array(
            [-1 if v.traction is None else engine_of[id(v.traction)] for v in vehicles], dtype=np.int64
        ),
        channel=np.asarray(train.channel, dtype=np.int64),
        delay=np.asarray(train.delay, dtype=float),
        piece=np.array([0, len(start) - 1], dtype=np.int64),
        start=start,
        offset=place - place[first],
        group_mass=np.add.reduceat(train.mass, start[:-1]),
        gap=np.append(-np.diff(place[start[:-1]]), 0.0),
        kind=np.array([kind_of[id(c)] for c in train.couplers if not c.rigid] + [-1], dtype=np.int64),
        couplers=pack_couplers(list(kinds.values())),
        traction=pack_traction(list(engines.values())),
        brake=pack_air_brake(
            train.air_brake,
            place,
            brake_sources,
            np.asarray(train.delay, dtype=float)[brake_sources],
            [v.cylinder for v in vehicles],
        ),
        route=pack_route(route),
    )
