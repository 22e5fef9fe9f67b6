"""Run a train over a route: the door to the train's own solver."""

import time
from dataclasses import dataclass, replace

import numpy as np

from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.numerics.kernels import handle
from flexwheel.numerics.kernels.arrays_within import arrays_within
from flexwheel.systems.train.bodies import new_bodies, no_bodies
from flexwheel.systems.train.check_run import check_run
from flexwheel.systems.train.coupler import linear_coupler
from flexwheel.systems.train.driving import Driving, fresh_controls, pack_driving, replay
from flexwheel.systems.train.hidden_vehicles import cut_elements
from flexwheel.systems.train.records import first_ticks, new_records
from flexwheel.systems.train.results import TrainResults, make_ledger
from flexwheel.systems.train.rodas3 import new_motion
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.time_loop import FINISHED, NOT_FINITE, OFF_ROUTE, STEP_TOO_SMALL, Settings, run_ticks
from flexwheel.systems.train.train import Train, pack_train

FIRST_STEP, SHORTEST_STEP = 1e-3, 1e-9
TICKS_BETWEEN_REPORTS = 50
STEPS_BETWEEN_REPORTS = 50_000
"""Of the longest step: a compiled call cannot be interrupted."""


@dataclass(frozen=True)
class TrainRun:
    """What to simulate."""

    train: Train
    route: Route
    driving: Driving
    start: float  # [m] front of the train on the route
    speed: float | np.ndarray  # [m/s] of the vehicles at the start
    duration: float  # [s]
    # local error of a step, worst coupling and vehicle: tolerance * 50 mm, 1 m/s, 50 MN; the default keeps the largest
    # force of every coupling of the shipped trains within 20 N
    tolerance: float = 1e-6
    longest_step: float = 0.2  # [s]
    locate: float = 1e-5  # [s] changes of branch of a coupling are landed on when further than this inside a step
    account: bool = False  # keep the energy ledger
    deflection: np.ndarray | None = None  # (n - 1,) of the couplings at the start; default mid-clearance


def simulate(run, report=None, keep_interrupted=False, checkpoint=None) -> TrainResults:
    """Simulate a train by itself.

    Parameters
    ----------
    run : TrainRun
    report : callable(fraction), optional   called now and then while it runs
    keep_interrupted : bool                 a KeyboardInterrupt ends the run with what there is, complete = False
    checkpoint : Checkpoint, optional       of results.checkpoint: where it goes on from, and what it leaves on its way

    Raises
    ------
    ScenarioError       input that cannot be run: one line
    ConvergenceError    the step became too small, or the train left its route: when and where
    """
    results, _ = simulate_driven(run, report, keep_interrupted, checkpoint)
    return results


def compile_kernels(run):
    """Compile the time loop for trains by themselves, or load it from the cache; runs nothing."""
    simulate(replace(run, duration=1e-9 * run.driving.tick, account=False))


def simulate_driven(run, report=None, keep_interrupted=False, checkpoint=None):
    """As `simulate`, with the driving of the run by time, to be replayed: (TrainResults, Driving)."""
    check_run(run)
    chain = pack_train(run.train, run.route)
    n = len(run.train.vehicles)
    coupled = np.append(np.ones(n - 1, dtype=bool), False)
    return drive_chain(run, chain, no_bodies(), np.arange(n), coupled, report, keep_interrupted, checkpoint)


def simulate_with_elements(run, bodies) -> TrainResults:
    """Simulate a train with only some vehicles as bodies, all others hidden in force elements.

    Parameters
    ----------
    run : TrainRun               its energy ledger is not kept
    bodies : sequence of int     vehicles that are bodies, from 0, rising; first and last must be among them
    """
    check_run(run)
    n = len(run.train.vehicles)
    if len(bodies) < 2 or bodies[0] != 0 or bodies[-1] != n - 1:
        raise ScenarioError(f"force elements: first and last body must be 1 and {n}, got {[b + 1 for b in bodies]}")
    own = np.zeros((len(bodies) - 1, 2), dtype=bool)
    own[:, 0], own[-1, 1] = True, True
    pieces, vehicle, coupling = cut_elements(pack_train(run.train, run.route), bodies, own)
    results, _ = drive_chain(replace(run, account=False), pieces, new_bodies(pieces), vehicle, coupling)
    return results


STIFF_BAR = 1e10
"""Stiffness [N/m] that stands for a rigid bar between two bodies."""


def simulate_bodies(run, bar_stiffness=STIFF_BAR) -> TrainResults:
    """Simulate a train with one body of one degree of freedom per vehicle: no groups, no hidden vehicles.

    Rigid bars become stiff elastic ones, damped at 1 % of critical for the vehicles they join: a second way to the
    force of a bar, which the other two models find as a reaction.

    Parameters
    ----------
    run : TrainRun                its energy ledger is not kept
    bar_stiffness : float [N/m]
    """
    mass = run.train.mass
    couplers = []
    bars = {}
    for i, coupler in enumerate(run.train.couplers):
        if coupler.rigid:
            reduced = float(mass[i] * mass[i + 1] / (mass[i] + mass[i + 1]))
            if (coupler.name, reduced) not in bars:
                damping = 2 * 0.01 * np.sqrt(bar_stiffness * reduced)
                bars[coupler.name, reduced] = linear_coupler(coupler.name, bar_stiffness, damping=damping)
            coupler = bars[coupler.name, reduced]
        couplers.append(coupler)
    train = replace(run.train, couplers=tuple(couplers))
    return simulate_with_elements(replace(run, train=train), tuple(range(len(train.vehicles))))


def paper_bodies(train, rake_bodies=1):
    """Vehicles that are bodies in the paper: all locomotives, and `rake_bodies` wagons of each rake from its tail.

    Parameters
    ----------
    train : Train
    rake_bodies : int    1 for train 2 (6 bodies), 2 for train 4 (7 bodies)

    Returns
    -------
    tuple of int         from 0
    """
    powered = np.array([v.traction is not None for v in train.vehicles])
    edges = np.flatnonzero(np.diff(np.concatenate([[True], powered, [True]]).astype(int)))
    bodies = {int(b) for b in np.flatnonzero(powered)}
    for first, end in edges.reshape(-1, 2):
        bodies |= {int(end - 1 - (j * (end - first)) // rake_bodies) for j in range(rake_bodies)}
    return tuple(sorted(bodies))


def drive_chain(run, chain, bodies, vehicle, coupling, report=None, keep_interrupted=False, checkpoint=None):
    """Run and collect: (TrainResults, Driving)."""
    controls = fresh_controls(run.driving, float(run.duration))
    ticks = controls.level.shape[1] - 2
    records = new_records(chain, ticks)
    motion = new_motion(chain, bodies)
    set_start(run, chain, motion, vehicle, coupling)
    h_max, locate = float(run.longest_step), float(run.locate)
    settings = Settings(
        float(run.duration), float(run.tolerance), h_max, SHORTEST_STEP, locate, account=bool(run.account)
    )
    clock, seconds = np.array([0.0, FIRST_STEP]), np.zeros(1)
    handed = [handle(part) for part in (motion, controls, pack_driving(run.driving), chain, settings, records)]
    moving = arrays_within(clock=clock, seconds=seconds, motion=motion, controls=controls, records=records)
    status, t = FINISHED, 0.0
    run_ticks(0, 0, clock, *handed)  # compiles, runs nothing
    first = 0
    if checkpoint is not None and checkpoint.restore(moving):
        first = ticks if clock[0] >= run.duration else int(round(clock[0] / run.driving.tick))
    interrupted = False
    try:
        chunk = min(TICKS_BETWEEN_REPORTS, max(1, int(STEPS_BETWEEN_REPORTS * run.longest_step / run.driving.tick)))
        every = ticks if checkpoint is None else checkpoint.steps(run.driving.tick)
        while first < ticks:
            started = time.thread_time()
            end = min(first + chunk, ticks, first - first % every + every)
            status, t = run_ticks(first, end, clock, *handed)
            first = end
            seconds += time.thread_time() - started
            if status != FINISHED:
                break
            if report is not None:
                report(end / ticks)
            if end % every == 0 and end < ticks:
                checkpoint.save(moving)
    except KeyboardInterrupt:
        if checkpoint is not None:
            checkpoint.interrupted = True
            checkpoint.save(moving)  # of ticks, which are whole: none is interrupted
        if not keep_interrupted:
            raise
        interrupted = True
    refuse_failure(status, t, run)
    if checkpoint is not None and checkpoint.at_end and not interrupted:
        checkpoint.save(moving)
    if interrupted and clock[0] < run.duration:
        run = replace(run, duration=float(clock[0]))
        records = first_ticks(records, int(round(clock[0] / run.driving.tick)) + 1)
        results = collect(run, chain, controls, records, float(seconds[0]), vehicle, coupling)
        return replace(results, complete=False, status=f"interrupted at t = {clock[0]:.1f} s"), None
    results = collect(run, chain, controls, records, float(seconds[0]), vehicle, coupling)
    return results, replay(controls)


def set_start(run, chain, motion, vehicle, coupling):
    """Put the chain, and the bodies, where the run starts."""
    n, state, bodies = len(run.train.vehicles), motion.begin.state, motion.bodies
    speed = np.broadcast_to(np.asarray(run.speed, dtype=float), n)
    x = np.zeros(n - 1) if run.deflection is None else np.asarray(run.deflection, dtype=float)
    place = run.start - 0.5 * run.train.vehicles[0].length + run.train.place
    place = place - np.concatenate([[0.0], np.cumsum(x)])
    state.v[:] = speed[vehicle[chain.start[:-1]]]
    state.direction[:] = np.sign(state.v)
    behind = chain.start[1:] - 1
    used = coupling[behind]
    state.x[used] = x[vehicle[behind[used]]]
    first = chain.start[chain.piece[:-1]]
    state.s0[:] = place[vehicle[first]]
    if len(bodies.s):
        ends = np.append(vehicle[first], vehicle[-1])
        bodies.s[:], bodies.v[:] = place[ends], speed[ends]
        bodies.direction[:] = np.sign(bodies.v)


def refuse_failure(status, t, run):
    """Turn the status of the loop into advice."""
    if status == STEP_TOO_SMALL:
        raise ConvergenceError(
            f"train: at t = {t:.3f} s the step fell below {SHORTEST_STEP:g} s; look at couplers with very steep "
            "tables or a transition speed near zero"
        )
    if status == OFF_ROUTE:
        raise ConvergenceError(
            f"train: at t = {t:.1f} s the train left the route '{run.route.name}' "
            f"({run.route.distance[0]:.0f} to {run.route.distance[-1]:.0f} m); shorten the run or lengthen the route"
        )
    if status == NOT_FINITE:
        raise ConvergenceError(f"train: at t = {t:.3f} s a speed is not a number")


def collect(run, chain, controls, records, seconds, vehicle, coupling):
    """Results by vehicle of the train from the records of the chain."""
    n, ticks = len(run.train.vehicles), len(records.position)
    group = np.repeat(np.arange(len(chain.group_mass)), np.diff(chain.start))
    speed, pressure = np.zeros((ticks, n)), np.zeros((ticks, n))
    speed[:, vehicle], pressure[:, vehicle] = records.speed[:, group], records.pressure
    at = vehicle[coupling]
    force, peak_force, peak_time = np.zeros((ticks, n - 1)), np.zeros((n - 1, 2)), np.zeros((n - 1, 2))
    force[:, at] = records.force[:, coupling]
    peak_force[at], peak_time[at] = records.peak_force[coupling], records.peak_time[coupling]
    deflection, peak_x = np.zeros((ticks, n - 1)), np.zeros((n - 1, 2))
    behind = chain.start[1:] - 1  # last vehicle of each group: the coupling behind it deflects
    used = coupling[behind]
    deflection[:, vehicle[behind[used]]] = records.deflection[:, used]
    peak_x[vehicle[behind[used]]] = records.peak_x[used]
    stretch = np.concatenate([np.zeros((ticks, 1)), np.cumsum(deflection, axis=1)], axis=1)
    position = records.position[:, :1] + run.train.place[None, :] - stretch
    ledger = None
    if run.account:
        height = np.array([route_height(run.route, position[j]) for j in (0, -1)])
        ledger = make_ledger(records, GRAVITY * np.sum(run.train.mass * (height[1] - height[0])))
    names = ("steps", "rejected", "located", "stops")
    return TrainResults(
        time=np.minimum(np.arange(ticks) * run.driving.tick, run.duration),
        position=position,
        speed=speed,
        force=force,
        deflection=deflection,
        pressure=pressure,
        level=controls.level[:, :ticks].T.copy(),
        peak_force=peak_force,
        peak_time=peak_time,
        peak_deflection=peak_x,
        speed_max=float(records.speed_max[0]),
        speed_mean=float(records.position[-1, 0] - records.position[0, 0]) / max(run.duration, run.driving.tick),
        steps=dict(zip(names, (int(c) for c in records.counts), strict=True)),
        energy=ledger,
        seconds=seconds,
        tolerance=run.tolerance,
    )


def route_height(route, s):
    """Height [m] at s (k,), exact for gradients that are straight lines between points."""
    j = np.clip(np.searchsorted(route.distance, s, side="right") - 1, 0, len(route.distance) - 2)
    along = s - route.distance[j]
    slope = (route.gradient[j + 1] - route.gradient[j]) / (route.distance[j + 1] - route.distance[j])
    return route.height[j] + route.gradient[j] * along + 0.5 * slope * along**2
