"""Run a train over a route: the door to the train's own solver."""

from dataclasses import dataclass

import numpy as np

from flexwheel.errors import ConvergenceError, ScenarioError
from flexwheel.train.driving import Controls, Driving, fresh_controls, pack_driving
from flexwheel.train.relative_equations import new_rates, new_stages, new_state
from flexwheel.train.route import Route
from flexwheel.train.train import Train, pack_train
from flexwheel.train.travel import FINISHED, NOT_FINITE, OFF_ROUTE, STEP_TOO_SMALL, Records, Settings, travel

LOOSEST_TOLERANCE = 1e-3


@dataclass(frozen=True)
class TrainRun:
    """What to simulate.

    Attributes
    ----------
    train, route, driving
    start : float [m]         position of the front of the train
    speed : float [m/s]       of every vehicle at the start
    duration : float [s]
    tolerance : float         local error of a deflection is tolerance * 50 mm, of a speed tolerance * 1 m/s,
                              each step, the worst coupling and vehicle
    longest_step : float [s]
    locate : float [s]        changes of branch of a coupling are landed on, unless nearer than this
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


X_SCALE, V_SCALE, SHORTEST_STEP = 0.05, 1.0, 1e-9


def new_records(chain, ticks):
    """Empty records of a run."""
    g, n = len(chain.group_mass), len(chain.mass)
    return Records(
        np.zeros((ticks + 1, g)),
        np.zeros(ticks + 1),
        np.zeros((ticks + 1, n - 1)),
        np.zeros((ticks + 1, g - 1)),
        np.zeros((ticks + 1, n)),
        np.zeros((n - 1, 2)),
        np.zeros((n - 1, 2)),
        np.zeros((g - 1, 2)),
        np.zeros(2),
        np.zeros(4, dtype=np.int64),
    )


def simulate_raw(run: TrainRun):
    """Arrays of a run: (chain, state, controls, records, status, t)."""
    chain = pack_train(run.train, run.route)
    driving = pack_driving(run.driving)
    controls: Controls = fresh_controls(run.driving, run.duration)
    ticks = controls.level.shape[1] - 2
    state, trial = new_state(chain), new_state(chain)
    state.v[:] = run.speed
    state.direction[:] = np.sign(run.speed)
    state.s0[0] = run.start - 0.5 * run.train.vehicles[0].length
    records = new_records(chain, ticks)
    settings = Settings(
        run.duration, run.tolerance, X_SCALE, V_SCALE, run.longest_step, SHORTEST_STEP, run.locate
    )
    status, t = travel(
        state,
        trial,
        new_rates(chain),
        new_rates(chain),
        new_stages(chain),
        controls,
        driving,
        chain,
        settings,
        records,
        np.zeros(max(1, len(chain.mass) - 1)),
    )
    return chain, state, controls, records, status, t
