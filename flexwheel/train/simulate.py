"""Run a train over a route: the door to the train's own solver."""

import time
from dataclasses import dataclass, replace

import numpy as np

from flexwheel.errors import ConvergenceError, ScenarioError
from flexwheel.train.driving import Driving, fresh_controls, pack_driving, replay
from flexwheel.train.relative_equations import new_rates, new_stages, new_state
from flexwheel.train.resistance import GRAVITY
from flexwheel.train.results import TrainResults, make_ledger
from flexwheel.train.route import Route
from flexwheel.train.train import Train, pack_train
from flexwheel.train.travel import NOT_FINITE, OFF_ROUTE, STEP_TOO_SMALL, Records, Settings, travel

LOOSEST_TOLERANCE = 1e-3
"""Looser ones are silently wrong by a third in the worst case."""
LONGEST_STEP = 1.0
X_SCALE, V_SCALE, SHORTEST_STEP = 0.05, 1.0, 1e-9


@dataclass(frozen=True)
class TrainRun:
    """What to simulate.

    Attributes
    ----------
    train, route, driving
    start : float [m]         front of the train on the route
    speed : float [m/s]       of every vehicle at the start
    duration : float [s]
    tolerance : float         local error of a step, worst coupling and vehicle: tolerance * 50 mm, tolerance * 1 m/s
    longest_step : float [s]
    locate : float [s]        changes of branch of a coupling are landed on when further than this inside a step
    account : bool            keep the energy ledger
    """

    train: Train
    route: Route
    driving: Driving
    start: float
    speed: float
    duration: float
    tolerance: float = 1e-4
    longest_step: float = 0.2
    locate: float = 1e-3
    account: bool = False


def simulate(run):
    """Simulate a train.

    Parameters
    ----------
    run : TrainRun

    Returns
    -------
    TrainResults

    Raises
    ------
    ScenarioError       input that cannot be run: one line
    ConvergenceError    the step became too small, or the train left its route: when and where
    """
    results, _ = simulate_driven(run)
    return results


def simulate_driven(run):
    """As `simulate`, with the driving of the run by time, to be replayed: (TrainResults, Driving)."""
    check_run(run)
    chain = pack_train(run.train, run.route)
    controls = fresh_controls(run.driving, run.duration)
    started = time.thread_time()
    records, state, status, t = run_kernel(run, chain, controls)
    seconds = time.thread_time() - started
    refuse_failure(status, t, run)
    return collect(run, chain, controls, records, seconds), replay(controls, run.driving.tick)


def run_kernel(run, chain, controls):
    """The time loop on fresh arrays: (records, state, status, t)."""
    ticks = controls.level.shape[1] - 2
    state = starting_state(run, chain)
    records = new_records(chain, ticks)
    settings = Settings(
        float(run.duration),
        float(run.tolerance),
        X_SCALE,
        V_SCALE,
        float(run.longest_step),
        SHORTEST_STEP,
        float(run.locate),
        bool(run.account),
    )
    status, t = travel(
        state,
        new_state(chain),
        new_state(chain),
        new_rates(chain),
        new_rates(chain),
        new_stages(chain),
        controls,
        pack_driving(run.driving),
        chain,
        settings,
        records,
        np.zeros(max(1, len(chain.mass) - 1)),
        np.zeros((3, 7)),
    )
    return records, state, status, t


def starting_state(run, chain):
    """All vehicles at one speed, couplings at mid-clearance."""
    state = new_state(chain)
    state.v[:] = run.speed
    state.direction[:] = np.sign(run.speed)
    state.s0[0] = run.start - 0.5 * run.train.vehicles[0].length
    return state


def new_records(chain, ticks):
    """Empty records of a run."""
    g, n = len(chain.group_mass), len(chain.mass)
    return Records(
        speed=np.zeros((ticks + 1, g)),
        position=np.zeros(ticks + 1),
        force=np.zeros((ticks + 1, n - 1)),
        deflection=np.zeros((ticks + 1, g - 1)),
        pressure=np.zeros((ticks + 1, n)),
        peak_force=np.zeros((n - 1, 2)),
        peak_time=np.zeros((n - 1, 2)),
        peak_x=np.zeros((g - 1, 2)),
        speed_stats=np.zeros(2),
        counts=np.zeros(4, dtype=np.int64),
        energy=np.zeros(7),
        held=np.zeros((2, 2)),
    )


def check_run(run):
    """Refuse a run that cannot be right."""
    for key, unit in (("duration", "s"), ("tolerance", ""), ("longest_step", "s")):
        value = getattr(run, key)
        if not (np.isfinite(value) and value > 0):
            raise ScenarioError(f"run: {key} = {value} {unit}; expected > 0")
    if run.tolerance > LOOSEST_TOLERANCE:
        raise ScenarioError(
            f"run: tolerance = {run.tolerance:g}; expected at most {LOOSEST_TOLERANCE:g} (looser ones are silently wrong)"
        )
    if run.longest_step > LONGEST_STEP:
        raise ScenarioError(
            f"run: longest_step = {run.longest_step:g} s; expected at most {LONGEST_STEP:g} s"
        )
    if not np.isfinite(run.speed):
        raise ScenarioError(f"run: speed = {run.speed} m/s; expected a number")
    first, last = run.route.distance[0], run.route.distance[-1]
    if run.train.length > last - first:
        raise ScenarioError(
            f"route '{run.route.name}': {last - first:.0f} m long, the train {run.train.length:.0f} m; "
            "expected a route longer than the train"
        )
    if run.start > last or run.start - run.train.length < first:
        raise ScenarioError(
            f"run: the train stands from {run.start - run.train.length:.0f} to {run.start:.0f} m; the route "
            f"'{run.route.name}' goes from {first:.0f} to {last:.0f} m"
        )
    channels = np.shape(run.driving.level)[0]
    if len(run.train.channel) and int(np.max(run.train.channel)) >= channels:
        raise ScenarioError(
            f"driving: {channels} control channel(s), a locomotive listens to channel {int(np.max(run.train.channel))}"
        )


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


def collect(run, chain, controls, records, seconds):
    """Results by vehicle from the records by group."""
    n = len(chain.mass)
    group = np.repeat(np.arange(len(chain.group_mass)), np.diff(chain.start))
    ticks = len(records.position)
    coupled = chain.start[1:-1] - 1
    deflection, peak = np.zeros((ticks, n - 1)), np.zeros((n - 1, 2))
    deflection[:, coupled], peak[coupled] = records.deflection, records.peak_x
    position = (
        records.position[:, None]
        + run.train.place[None, :]
        - np.concatenate([np.zeros((ticks, 1)), np.cumsum(deflection, axis=1)], axis=1)
    )
    when = np.minimum(np.arange(ticks) * run.driving.tick, run.duration)
    ledger = None
    if run.account:
        height = np.array([route_height(run.route, position[j]) for j in (0, -1)])
        ledger = make_ledger(records, GRAVITY * np.sum(chain.mass * (height[1] - height[0])))
    return TrainResults(
        time=when,
        position=position,
        speed=records.speed[:, group],
        force=records.force,
        deflection=deflection,
        pressure=records.pressure,
        level=controls.level[:, :ticks].T.copy(),
        peak_force=records.peak_force,
        peak_time=records.peak_time,
        peak_deflection=peak,
        speed_max=float(records.speed_stats[0]),
        speed_mean=float(records.speed_stats[1]),
        steps=dict(
            zip(("steps", "rejected", "located", "stops"), (int(c) for c in records.counts), strict=True)
        ),
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


@dataclass(frozen=True)
class ToleranceCheck:
    """What halving the tolerance changed.

    Attributes
    ----------
    tolerance : float            of the run that is trusted
    force_change : float [-]     of the largest force, draft and buff, relative: the larger of the two
    speed_change : float [-]     largest change of the leading vehicle's speed against the top speed
    passed : bool                force_change <= limit
    """

    tolerance: float
    force_change: float
    speed_change: float
    passed: bool


def simulate_checked(run, limit=0.002, halvings=4):
    """Simulate, halve the tolerance until the largest force no longer changes by more than `limit`.

    Returns
    -------
    results : TrainResults          of the last but one tolerance that passed
    checks : list of ToleranceCheck one per halving; the last one says whether it passed
    """
    coarse = simulate(run)
    checks = []
    for _ in range(halvings):
        run = replace(run, tolerance=0.5 * run.tolerance)
        fine = simulate(run)
        checks.append(compare(coarse, fine, limit))
        if checks[-1].passed:
            return coarse, checks
        coarse = fine
    return coarse, checks


def compare(coarse, fine, limit):
    """ToleranceCheck of two runs of the same train."""
    change = 0.0
    for side, sign in ((0, 1.0), (1, -1.0)):
        a, b = (sign * r.peak_force[:, side] for r in (coarse, fine))
        if b.size and b.max() > 0:
            change = max(change, abs(a.max() / b.max() - 1.0))
    top = max(fine.speed_max, 1e-9)
    speed = float(np.abs(coarse.speed[:, 0] - fine.speed[:, 0]).max()) / top
    return ToleranceCheck(coarse.tolerance, float(change), speed, change <= limit)
