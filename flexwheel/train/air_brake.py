"""Air brake: propagation along the pipe, then build-up and release in each cylinder.

A command (fraction of full service) travels from every brake source (leading locomotive, and distributed power
units after their radio delay) along the pipe; each cylinder follows what has reached it as a first-order lag.
The lag is solved exactly, so the pressures are known functions of time and no states of the integrator.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.errors import ScenarioError
from flexwheel.train.kernel import kernel

MAX_COMMANDS = 2048


@dataclass(frozen=True)
class AirBrake:
    """Pipe and cylinders, the same for the whole train.

    Attributes
    ----------
    apply_speed, release_speed : float [m/s]   of the command along the pipe
    build_up_time, release_time : float [s]    to 95 % of the change in the cylinder
    growth : float [s/m]                       longer build-up and release per metre from the nearest source
    """

    apply_speed: float = 250.0
    release_speed: float = 200.0
    build_up_time: float = 12.0
    release_time: float = 20.0
    growth: float = 0.0
    source: str = ""


class BrakeArrays(NamedTuple):
    """Delays and lags of every vehicle, for the kernels."""

    apply_delay: np.ndarray  # (n,) [s]
    release_delay: np.ndarray  # (n,) [s]
    apply_lag: np.ndarray  # (n,) [s]     time constant
    release_lag: np.ndarray  # (n,) [s]


class BrakeCommands(NamedTuple):
    """Commands given so far; filled by the driver."""

    time: np.ndarray  # (MAX_COMMANDS,) [s]
    target: np.ndarray  # (MAX_COMMANDS,) [-]  fraction of full service
    count: np.ndarray  # (1,) int


def check_air_brake(brake):
    """Refuse speeds and times that are not positive."""
    for key in ("apply_speed", "release_speed", "build_up_time", "release_time"):
        if not getattr(brake, key) > 0:
            raise ScenarioError(f"air brake: {key} = {getattr(brake, key)}; expected > 0")
    if not brake.growth >= 0:
        raise ScenarioError(f"air brake: growth = {brake.growth}; expected >= 0")


def pack_air_brake(brake, place, sources, radio_delay):
    """Delays of every vehicle.

    Parameters
    ----------
    brake : AirBrake
    place : (n,) float [m]          position of the vehicles in the undeformed train
    sources : (k,) int              vehicles at which commands enter the pipe
    radio_delay : (k,) float [s]    later than the leading one

    Returns
    -------
    BrakeArrays
    """
    check_air_brake(brake)
    if len(sources) == 0:
        raise ScenarioError("air brake: the train has no locomotive to command it from")
    away = np.abs(place[:, None] - place[np.asarray(sources)][None, :])
    radio = np.asarray(radio_delay, dtype=float)[None, :]
    apply = (radio + away / brake.apply_speed).min(axis=1)
    release = (radio + away / brake.release_speed).min(axis=1)
    near = away.min(axis=1)
    third = 1.0 / np.log(20.0)  # 95 % is ln 20 time constants
    return BrakeArrays(
        apply,
        release,
        (brake.build_up_time + brake.growth * near) * third,
        (brake.release_time + brake.growth * near) * third,
    )


def no_commands():
    """An empty list of commands."""
    return BrakeCommands(np.zeros(MAX_COMMANDS), np.zeros(MAX_COMMANDS), np.zeros(1, dtype=np.int64))


@kernel
def give_command(t, target, commands):
    """Append a command; a full list keeps its last place for the newest."""
    k = min(commands.count[0], commands.time.shape[0] - 1)
    commands.time[k] = t
    commands.target[k] = target
    commands.count[0] = k + 1


@kernel
def arrival(k, i, brake, commands):
    """Time at which command k reaches vehicle i; a release never overtakes the application before it."""
    earlier = commands.target[k - 1] if k > 0 else 0.0
    if commands.target[k] > earlier:
        return commands.time[k] + brake.apply_delay[i]
    at = commands.time[k] + brake.release_delay[i]
    if k > 0:
        at = max(at, commands.time[k - 1] + brake.apply_delay[i])
    return at


@kernel
def cylinder(i, p, seen, t0, t1, brake, commands):
    """Cylinder pressure of vehicle i at t1, exact.

    Parameters
    ----------
    p : float [-]       pressure at t0, fraction of full service
    seen : int          commands that have reached the vehicle by t0

    Returns
    -------
    p, seen, rate : at t1; rate [1/s]
    """
    t = t0
    while True:
        target = commands.target[seen - 1] if seen > 0 else 0.0
        lag = brake.apply_lag[i] if target > p else brake.release_lag[i]
        until = t1
        more = False
        if seen < commands.count[0]:
            at = arrival(seen, i, brake, commands)
            if at <= t1:
                until = max(at, t)
                more = True
        if p != target:
            p = target + (p - target) * np.exp(-(until - t) / lag)
            if abs(p - target) < 1e-12:
                p = target
        t = until
        if not more:
            return p, seen, (target - p) / lag
        seen += 1
