"""Air brake: propagation along the pipe, then build-up and release in each cylinder.

A command (fraction of full service) travels from every brake source (leading locomotive, and distributed power
units after their radio delay) along the pipe; each cylinder follows what has reached it by its filling and release
curves (cylinder.py), or where it has none as a first-order lag. Both are solved exactly, so the pressures are known
functions of time and no states of the integrator.

A lag lets a partial application take as long as a full one and approach its end ever more slowly; a distributor does
neither. Where the times of a brake are known, curves are the model to take.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.cylinder import CylinderCurves, follow, pack_cylinders


@dataclass(frozen=True)
class AirBrake:
    """The pipe of the whole train, and the lag of cylinders without curves of their own."""

    apply_speed: float = 250.0  # [m/s] of the command along the pipe
    release_speed: float = 200.0  # [m/s] of the command along the pipe
    build_up_time: float = 12.0  # [s] of the lag: to 95 % of the change in the cylinder
    release_time: float = 20.0  # [s] of the lag: to 95 % of the change in the cylinder
    growth: float = 0.0  # [s/m] longer filling and release per metre from the nearest source
    source: str = ""


class BrakeArrays(NamedTuple):
    """Delays and lags or curves of every vehicle, for the kernels."""

    apply_delay: np.ndarray  # (n,) [s]
    release_delay: np.ndarray  # (n,) [s]
    apply_lag: np.ndarray  # (n,) [s]       time constant of the lag
    release_lag: np.ndarray  # (n,) [s]
    curve: np.ndarray  # (n,) int           kind of cylinder; -1: the lag
    fill_stretch: np.ndarray  # (n,) [-]    of the curves' times
    release_stretch: np.ndarray  # (n,) [-]
    curves: CylinderCurves


class BrakeCommands(NamedTuple):
    """Commands given so far; filled by the driver."""

    time: np.ndarray  # (k,) [s]
    target: np.ndarray  # (k,) [-]  fraction of full service
    count: np.ndarray  # (1,) int


def check_air_brake(brake):
    """Refuse speeds and times that are not positive."""
    for key in ("apply_speed", "release_speed", "build_up_time", "release_time"):
        value = getattr(brake, key)
        if not (np.isfinite(value) and value > 0):
            raise ScenarioError(f"air brake: {key} must be > 0, got {value}")
    if not (np.isfinite(brake.growth) and brake.growth >= 0):
        raise ScenarioError(f"air brake: growth must be >= 0, got {brake.growth}")


def pack_air_brake(brake, place, sources, radio_delay, cylinders) -> BrakeArrays:
    """Delays and cylinders of every vehicle.

    Parameters
    ----------
    brake : AirBrake
    place : (n,) float [m]          position of the vehicles in the undeformed train
    sources : (k,) int              vehicles at which commands enter the pipe
    radio_delay : (k,) float [s]    later than the leading one
    cylinders : sequence of n Cylinder or None   None: the lag
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
    kinds = {id(c): c for c in cylinders if c is not None}
    kind_of = {key: i for i, key in enumerate(kinds)}
    longer = brake.growth * near
    return BrakeArrays(
        apply,
        release,
        (brake.build_up_time + longer) * third,
        (brake.release_time + longer) * third,
        np.array([-1 if c is None else kind_of[id(c)] for c in cylinders], dtype=np.int64),
        np.array([1.0 if c is None else 1.0 + d / c.filling for c, d in zip(cylinders, longer, strict=True)]),
        np.array([1.0 if c is None else 1.0 + d / c.releasing for c, d in zip(cylinders, longer, strict=True)]),
        pack_cylinders(list(kinds.values())),
    )


def brake_of(brake, vehicle):
    """BrakeArrays of some vehicles, (k,) int."""
    per_vehicle = {name: getattr(brake, name)[vehicle] for name in BrakeArrays._fields if name != "curves"}
    return brake._replace(**per_vehicle)


def no_commands(most):
    """An empty list with room for `most` commands."""
    return BrakeCommands(np.zeros(most), np.zeros(most), np.zeros(1, dtype=np.int64))


@kernel
def give_command(t, target, commands):
    """Append a command; the list has room for all that can be given (driving.fresh_controls)."""
    k = commands.count[0]
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
        rising = target > p
        until = t1
        more = False
        if seen < commands.count[0]:
            at = arrival(seen, i, brake, commands)
            if at <= t1:
                until = max(at, t)
                more = True
        rate = 0.0
        if p != target and brake.curve[i] >= 0:
            stretch = brake.fill_stretch[i] if rising else brake.release_stretch[i]
            p, rate = follow(p, target, until - t, stretch, brake.curve[i], brake.curves)
        elif p != target:
            lag = brake.apply_lag[i] if rising else brake.release_lag[i]
            p = target + (p - target) * np.exp(-(until - t) / lag)
            if abs(p - target) < 1e-12:
                p = target
            rate = (target - p) / lag
        t = until
        if not more:
            return p, seen, rate
        seen += 1
