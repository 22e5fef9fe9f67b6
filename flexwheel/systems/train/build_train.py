"""The train around a detailed vehicle from the [train] section: elements or prescribed forces, coupler geometry."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from flexwheel.base.coupled_system import Coupled
from flexwheel.base.errors import ScenarioError
from flexwheel.systems.train.check_run import check_run
from flexwheel.systems.train.coupler_link import CouplerLink, make_link_work
from flexwheel.systems.train.driving import HOLD_SPEED, fresh_controls, pack_driving
from flexwheel.systems.train.resistance import resistance_coefficients
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.systems.train.train_coupling import ELEMENT, PRESCRIBED, TrainCoupling, run_train_steps
from flexwheel.systems.train.train_run import make_driving, make_train, read_all_parts
from flexwheel.systems.train.vehicle_element import element_start, end_mass, make_element
from flexwheel.track.layout import track_frame

MASS_TOLERANCE = 0.01  # of the vehicle in the formation against the detailed one
TICK = 0.05  # [s] between samples of the train alone
SETTLE = 10.0  # [m] between points of the route made from the layout


def build_train(system, scenario, parts) -> Coupled:
    """The train around a vehicle, from the [train] section of its scenario.

    Parameters
    ----------
    system : CoupledSystem
    scenario : VehicleScenario
    parts : VehicleOnTrack         line and detailed vehicle; its first body carries the couplers

    Raises
    ------
    ScenarioError   as `train_of`
    """
    section, layout, assembly, run = scenario.train, parts.layout, parts.assembly, scenario.run
    start, speed, duration = run.start_position_m, run.speed, run.duration
    train, driving, labels = train_of(section, parts.vehicle, assembly)
    place = section.place - 1
    own = train.vehicles[place]
    body = assembly.body_specs[0]
    centre = start + body.position[0]
    route = route_of(layout, centre, train.length)
    head = centre + train.place[0] - train.place[place]
    link = make_link(section, train, place, assembly)
    elements = elements_of(train, route, driving, place, duration, head, centre, speed)
    table_time, table = np.zeros(1), np.zeros((4, 1))
    alone = TrainRun(train, route, driving, head + 0.5 * train.vehicles[0].length, speed, duration)
    check_run(alone)
    if section.forces == "prescribed":
        alone = simulate(replace(alone, driving=replace(driving, tick=min(driving.tick, TICK))))
        none = np.zeros(len(alone.time))
        front = alone.force[:, place - 1] if place > 0 else none
        rear = alone.force[:, place] if place < len(train.vehicles) - 1 else none
        table_time = alone.time.copy()
        table = np.ascontiguousarray(np.stack([front, rear, alone.speed[:, place], alone.pressure[:, place]]))
    memory = np.zeros(8)
    memory[0] = -1.0
    coupling = TrainCoupling(
        kind=PRESCRIBED if section.forces == "prescribed" else ELEMENT,
        link=link,
        work=make_link_work(),
        vehicle_mass=float(body.mass),
        memory=memory,
        table_time=table_time,
        table=table,
        **elements,
    )
    return Coupled(
        system, coupling, run_train_steps, tuple(labels), brake_warning(own, driving), partial(train_peaks, coupling)
    )


def train_peaks(coupling):
    """Attributes with the largest draft and buff force of every coupling of the train, from the head [N]."""
    if coupling.kind != ELEMENT:
        return {}
    return {"train_peak_draft_n": coupling.peaks[:, 0].copy(), "train_peak_buff_n": coupling.peaks[:, 1].copy()}


def train_of(section, vehicle, assembly):
    """Train, Driving and the labels of the parts used, of a [train] section around a detailed vehicle.

    Raises
    ------
    ScenarioError   a place outside the formation, a mass that is not the detailed vehicle's, a vehicle without body
    """
    where = Path("train")
    if not assembly.body_specs:
        raise ScenarioError("train: the vehicle must have a body that carries the couplers")
    train, labels = read_train(section, where)
    place = section.place - 1
    if place >= len(train.vehicles) or len(train.vehicles) < 2:
        raise ScenarioError(
            f"train.place must be in the formation of {len(train.vehicles)} vehicles, got {section.place}"
        )
    own = train.vehicles[place]
    mass = float(sum(assembly.units.mass) + np.sum(assembly.wheelsets.box_mass))
    if abs(own.mass - mass) > MASS_TOLERANCE * mass:
        raise ScenarioError(
            f"train.place = {section.place}: mass of vehicle {own.name!r} must be within 1 % of {mass:.0f} kg, that of "
            f"the detailed vehicle {vehicle.name}, got {own.mass:.0f} kg"
        )
    make_link(section, train, place, assembly)
    return train, make_driving(section.driving, where, train), labels


def brake_warning(own, driving):
    """Line on the air brake of the detailed vehicle where it may be applied."""
    wish = driving.air_brake if driving.mode == HOLD_SPEED else np.max(driving.brake)
    if own.brake_force == 0.0 or wish == 0.0:
        return ()
    return (
        f"train: the air brake of the detailed vehicle ({own.brake_force / 1e3:g} kN) acts on its body, not as torque "
        "on its wheelsets: speed and coupler forces hold, creep forces and load transfer of its braking are missing",
    )


def read_train(section, where):
    """Train of the formation, and the labels of its parts."""
    train, _, labels = make_train(section, read_all_parts(section.parts), where)
    return train, labels


def route_of(layout, centre, reach):
    """Gradient and curvature of the line for the train, from `reach` [m] behind to as much beyond its end."""
    inside = np.concatenate([layout.start[:-1] + 1e-6, layout.start[1:] - 1e-6])
    even = np.arange(0.0, layout.length, SETTLE)
    first, last = min(0.0, centre) - reach - 100.0, layout.length + reach + 100.0
    distance = np.unique(np.concatenate([[first], inside, even, [last]]))
    distance = distance[np.append(np.diff(distance) > 1e-7, True)]
    position, rotation, kappa, dkappa = np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    gradient, curvature = np.zeros(len(distance)), np.zeros(len(distance))
    for i, s in enumerate(distance):
        track_frame(layout, s, position, rotation, kappa, dkappa)
        gradient[i], curvature[i] = rotation[2, 0], kappa[2]
    return Route(distance, gradient, curvature, "of the track layout")


def make_link(section, train, place, assembly):
    """Geometry of the vehicle's couplers."""
    body = assembly.body_specs[0]
    carriers = assembly.body_specs[1:] or assembly.wheelset_specs
    along = [c.position for c in carriers]
    along = [p if np.isscalar(p) else p[0] for p in along]
    bogie = 0.5 * (max(along) - min(along))
    own = train.vehicles[place]
    half = 0.5 * own.length
    if bogie <= 0.0 or bogie >= half - 0.5 * section.coupler_length_m:
        raise ScenarioError(
            f"train: vehicle {own.name!r} of {own.length:g} m over couplers has its pivots within its bogies or axles, "
            f"{bogie:g} m from the middle; look at its length_m and train.coupler_length_m"
        )
    ahead = train.vehicles[place - 1] if place > 0 else own
    behind = train.vehicles[place + 1] if place < len(train.vehicles) - 1 else own
    neighbour = 0.5 * np.array([ahead.length, behind.length])
    return CouplerLink(
        unit=0,
        pivot=half - 0.5 * section.coupler_length_m,
        height=section.pivot_height_m - body.position[2],
        half_length=half,
        bogie=bogie,
        coupler_length=section.coupler_length_m,
        neighbour_half_length=neighbour,
        neighbour_bogie=neighbour * bogie / half,
        alike=1.0 if section.neighbours == "alike" else 0.0,
        rail_height=float(body.position[2]),
        resistance=resistance_coefficients(own.mass, own.axles, own.q_ad)[:3].copy(),
        brake_force=float(own.brake_force),
        brake_speed=np.asarray(own.brake_speed, dtype=float).copy(),
        brake_friction=np.asarray(own.brake_friction, dtype=float).copy(),
    )


def elements_of(train, route, driving, place, duration, head, centre, speed):
    """Force elements ahead and behind with their states at the start: fields of TrainCoupling."""
    last = len(train.vehicles) - 1
    controls = fresh_controls(driving, duration)
    front = rear = None
    front_mass = rear_mass = 0.0
    front_states, rear_states = np.zeros(0), np.zeros(0)
    if place > 0:
        front = make_element(train, route, 0, place, own=(True, False))
        front_states = element_start(front, head, speed)
        front_mass = end_mass(front)[0]
    if place < last:
        rear = make_element(train, route, place, last, own=(False, True))
        rear_states = element_start(rear, centre, speed)
        rear_mass = end_mass(rear)[1]
    tail = head + train.place[-1]
    state = np.concatenate([front_states, rear_states, [head, speed, centre, speed, tail, speed]])
    return dict(
        front=front or rear,
        rear=rear or front,
        front_mass=front_mass,
        rear_mass=rear_mass,
        driving=pack_driving(driving),
        controls=controls,
        state=state,
        stages=np.zeros((4, len(state))),
        trial=np.zeros(len(state)),
        front_states=front_states.copy(),
        rear_states=rear_states.copy(),
        front_rates=np.zeros(len(front_states)),
        rear_rates=np.zeros(len(rear_states)),
        front_force=np.zeros(place + 1 if place > 0 else 0),
        rear_force=np.zeros(last - place + 1 if place < last else 0),
        peaks=np.zeros((last, 4)),
    )
