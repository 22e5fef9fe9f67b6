"""Driving: notch and air brake by time or by distance, or a driver who holds a speed.

The driver acts at ticks of equal length; between ticks the notch is a straight line in time. Positive levels are
traction notches, negative ones dynamic-brake notches. What was driven is kept and can be replayed by time.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.air_brake import BrakeCommands, give_command, no_commands

BY_TIME, BY_DISTANCE, HOLD_SPEED = 0, 1, 2


@dataclass(frozen=True)
class Driving:
    """What the driver does."""

    mode: int  # BY_TIME, BY_DISTANCE or HOLD_SPEED
    at: np.ndarray  # (k,) [s or m] points of the notch schedule (or of the speed to hold, over distance)
    level: np.ndarray  # (channels, k) notch per control channel, straight lines between points
    # (b,) [s or m] points from which a brake fraction holds
    brake_at: np.ndarray = field(default_factory=lambda: np.zeros(1))
    brake: np.ndarray = field(default_factory=lambda: np.zeros(1))  # (b,) [-] fraction of full service, 0..1
    speed: np.ndarray = field(default_factory=lambda: np.zeros(1))  # (k,) [m/s] speed to hold over distance
    tick: float = 1.0  # [s] time between decisions
    gain: float = 4.0  # HOLD_SPEED: notches per m/s
    reset: float = 0.02  # [1/s] HOLD_SPEED: of the integral
    max_traction: float = 8.0  # HOLD_SPEED: largest notch used
    max_brake: float = 8.0  # HOLD_SPEED: largest notch of the dynamic brake used
    level_rate: float = 0.25  # [1/s] HOLD_SPEED: notches per second
    whole_notches: bool = False  # HOLD_SPEED: only whole notches (the instants of change then depend on rounding)
    air_brake_above: float = 1.5  # [m/s] HOLD_SPEED: excess of speed that calls the air brake
    air_brake: float = 0.3  # [-] HOLD_SPEED: fraction of full service it is called with


class DrivingArrays(NamedTuple):
    """Driving for the kernels."""

    mode: int
    at: np.ndarray
    level: np.ndarray
    brake_at: np.ndarray
    brake: np.ndarray
    speed: np.ndarray
    hold: np.ndarray  # gain, reset, max_traction, max_brake, level_rate, whole, above, fraction


class Controls(NamedTuple):
    """What has been driven so far: filled by the driver, read by the forces."""

    level: np.ndarray  # (channels, ticks + 2)
    memory: np.ndarray  # (4,)  next brake row, integral, air brake on, notch last chosen
    commands: BrakeCommands
    tick: float  # [s] between the levels


def check_driving(driving):
    """Refuse a schedule that is not a function of time or distance."""
    for label, a in (("notch schedule", driving.at), ("brake schedule", driving.brake_at)):
        if not np.all(np.isfinite(a)) or np.any(np.diff(a) <= 0):
            raise ScenarioError(f"driving: the points of the {label} must rise strictly")
    if np.ndim(driving.level) != 2 or driving.level.shape[1] != len(driving.at):
        raise ScenarioError(
            f"driving: level must have shape (channels, {len(driving.at)}), got {np.shape(driving.level)}"
        )
    if not np.all(np.isfinite(driving.level)):
        raise ScenarioError("driving: a notch is not a number")
    if np.any(driving.brake < 0) or np.any(driving.brake > 1) or len(driving.brake) != len(driving.brake_at):
        raise ScenarioError("driving: brake fractions must be one per point and within 0..1")
    if driving.mode == HOLD_SPEED and (len(driving.speed) != len(driving.at) or np.any(driving.speed <= 0)):
        raise ScenarioError("driving: the speeds to hold must be one per point and positive")
    if not 0 < driving.tick <= 60:
        raise ScenarioError(f"driving: tick must be within 0..60, got {driving.tick} s")


def pack_driving(driving):
    """Arrays for the kernels."""
    check_driving(driving)
    hold = [driving.gain, driving.reset, driving.max_traction, driving.max_brake, driving.level_rate]
    hold += [float(driving.whole_notches), driving.air_brake_above, driving.air_brake]
    as_array = [
        np.ascontiguousarray(a, dtype=float)
        for a in (driving.at, driving.level, driving.brake_at, driving.brake, driving.speed)
    ]
    return DrivingArrays(int(driving.mode), *as_array, np.array(hold))


def fresh_controls(driving, duration):
    """Controls at the start of a run of `duration` seconds."""
    ticks = int(np.ceil(duration / driving.tick - 1e-9))
    level = np.zeros((driving.level.shape[0], ticks + 2))
    most = ticks + 1 if driving.mode == HOLD_SPEED else len(driving.brake_at)
    return Controls(level, np.zeros(4), no_commands(most), float(driving.tick))


def replay(controls):
    """What was driven in a run as Driving by time, free of any feedback."""
    n, tick = int(controls.commands.count[0]), controls.tick
    at = tick * np.arange(controls.level.shape[1])
    if n == 0:
        return Driving(BY_TIME, at, controls.level.copy(), tick=tick)
    brake_at, brake = controls.commands.time[:n].copy(), controls.commands.target[:n].copy()
    keep = np.append(np.diff(brake_at) > 0, True)
    return Driving(BY_TIME, at, controls.level.copy(), brake_at[keep], brake[keep], tick=tick)


@kernel
def interpolate(x, at, value):
    """Straight lines between points, constant outside."""
    last = at.shape[0] - 1
    if x <= at[0]:
        return value[0]
    if x >= at[last]:
        return value[last]
    lo, hi = 0, last
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if at[mid] <= x:
            lo = mid
        else:
            hi = mid
    return value[lo] + (x - at[lo]) / (at[hi] - at[lo]) * (value[hi] - value[lo])


@kernel
def drive(k, s, v, driving, controls):
    """Decide at tick k: the notch at tick k + 1, and brake commands of the coming interval.

    Parameters
    ----------
    k : int               tick number; its time is k*tick
    s, v : floats [m, m/s]  position and speed of the leading vehicle
    """
    tick = controls.tick
    t = k * tick
    if driving.mode == HOLD_SPEED:
        hold_speed(k, s, v, driving, controls)
        return
    here, ahead = (t, t + tick) if driving.mode == BY_TIME else (s, s + v * tick)
    for c in range(controls.level.shape[0]):
        if k == 0:
            controls.level[c, 0] = interpolate(here, driving.at, driving.level[c])
        controls.level[c, k + 1] = interpolate(ahead, driving.at, driving.level[c])
    row = int(controls.memory[0])
    while row < driving.brake_at.shape[0] and driving.brake_at[row] <= ahead:
        when = t
        if driving.brake_at[row] > here:
            when = t + (driving.brake_at[row] - here) / (ahead - here) * tick
        before = driving.brake[row - 1] if row > 0 else 0.0
        if driving.brake[row] != before:
            give_command(when, driving.brake[row], controls.commands)
        row += 1
    controls.memory[0] = row


@kernel
def hold_speed(k, s, v, driving, controls):
    """A driver who holds the speed given over distance, by notch, dynamic brake and, last, air brake."""
    gain, reset, most, least = driving.hold[0], driving.hold[1], driving.hold[2], -driving.hold[3]
    error = interpolate(s, driving.at, driving.speed) - v
    integral = controls.memory[1] + gain * reset * error * controls.tick
    integral = min(most, max(least, integral))
    wish = min(most, max(least, gain * error + integral))
    controls.memory[1] = integral
    if driving.hold[5] > 0.0:
        if abs(wish - controls.memory[3]) > 0.75:
            controls.memory[3] = np.floor(wish + 0.5)
        wish = controls.memory[3]
    ramp = driving.hold[4] * controls.tick
    for c in range(controls.level.shape[0]):
        now = controls.level[c, k]
        controls.level[c, k + 1] = now + min(ramp, max(-ramp, wish - now))
    if controls.memory[2] == 0.0 and -error > driving.hold[6]:
        controls.memory[2] = 1.0
        give_command(k * controls.tick, driving.hold[7], controls.commands)
    elif controls.memory[2] > 0.0 and error > 0.0:
        controls.memory[2] = 0.0
        give_command(k * controls.tick, 0.0, controls.commands)


@kernel
def level_at(t, channel, controls):
    """Notch of a channel at time t and its rate: (level, d level/dt)."""
    level, tick = controls.level, controls.tick
    if t < 0.0:
        return level[channel, 0], 0.0
    k = min(int(t / tick), level.shape[1] - 2)
    rate = (level[channel, k + 1] - level[channel, k]) / tick
    return level[channel, k] + rate * (t - k * tick), rate
