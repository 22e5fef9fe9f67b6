"""What a train run must be: refused here in one line before anything is allocated or integrated."""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.train.driving import HOLD_SPEED

LOOSEST_TOLERANCE, TIGHTEST_TOLERANCE = 1e-3, 1e-10
"""Looser ones are silently wrong by a third in the worst case; tighter ones run into rounding."""
LONGEST_STEP, SHORTEST_CAP = 1.0, 1e-4
LARGEST_RECORD = 2e9
"""[byte] of what is kept at the ticks; the driver acts and results are kept at the same instants."""


def check_run(run):
    """Refuse a run that cannot be right."""
    for key, unit in (("duration", "s"), ("tolerance", ""), ("longest_step", "s")):
        value = getattr(run, key)
        if not (np.isfinite(value) and value > 0):
            raise ScenarioError(f"run: {key} must be > 0, got {value} {unit}")
    if not TIGHTEST_TOLERANCE <= run.tolerance <= LOOSEST_TOLERANCE:
        raise ScenarioError(
            f"run: tolerance must be {TIGHTEST_TOLERANCE:g} to {LOOSEST_TOLERANCE:g} (results are wrong above), got "
            f"{run.tolerance:g}"
        )
    if not SHORTEST_CAP <= run.longest_step <= LONGEST_STEP:
        raise ScenarioError(
            f"run: longest_step must be {SHORTEST_CAP:g} to {LONGEST_STEP:g} s, got {run.longest_step:g} s"
        )
    if not run.locate >= 0:
        raise ScenarioError(f"run: locate must be >= 0, got {run.locate} s")
    if not np.isfinite(run.start):
        raise ScenarioError(f"run: start must be a number, got {run.start} m")
    check_start(run)
    check_size(run)
    first, last = run.route.distance[0], run.route.distance[-1]
    if run.train.length > last - first:
        raise ScenarioError(
            f"route '{run.route.name}' must be longer than the train, {run.train.length:.0f} m, got "
            f"{last - first:.0f} m"
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
    check_controls(run)


def check_start(run):
    """Speeds and deflections at the start."""
    n = len(run.train.vehicles)
    rigid = run.train.rigid
    speed = np.asarray(run.speed, dtype=float)
    if speed.ndim and speed.shape != (n,):
        raise ScenarioError(f"run: speed must be one value or one for each of {n} vehicles, got shape {speed.shape}")
    if not np.all(np.isfinite(speed)):
        raise ScenarioError("run: a speed at the start is not a number")
    if speed.ndim and np.any(np.diff(speed)[rigid] != 0):
        raise ScenarioError("run: speeds of vehicles on a rigid bar must be equal at the start")
    if run.deflection is not None:
        x = np.asarray(run.deflection, dtype=float)
        if x.shape != (n - 1,) or not np.all(np.isfinite(x)):
            raise ScenarioError(f"run: deflection must be {n - 1} numbers, one per coupling")
        if np.any(x[rigid] != 0):
            raise ScenarioError("run: deflection of a rigid bar must be 0 at the start")


def check_size(run):
    """Ticks and vehicles that fit into memory."""
    ticks = run.duration / run.driving.tick
    need = ticks * (5 * len(run.train.vehicles) + np.shape(run.driving.level)[0]) * 8
    if need > LARGEST_RECORD:
        raise ScenarioError(
            f"run: results must be at most {LARGEST_RECORD / 1e9:g} GB, got {need / 1e9:.3g} GB: duration "
            f"{run.duration:g} s at a tick of {run.driving.tick:g} s; shorten the run or lengthen the tick"
        )


def check_controls(run):
    """Refuse a driver's wishes that no vehicle of the train can follow."""
    channels = np.shape(run.driving.level)[0]
    engines = [(v, int(c)) for v, c in zip(run.train.vehicles, run.train.channel, strict=True) if v.traction]
    for channel in range(channels):
        listening = {id(v.traction): v for v, c in engines if c == channel}.values()
        if run.driving.mode == HOLD_SPEED:
            most, least = run.driving.max_traction, -run.driving.max_brake
        else:
            most, least = float(np.max(run.driving.level[channel])), float(np.min(run.driving.level[channel]))
        if not listening and (most > 0 or least < 0) and run.driving.mode != HOLD_SPEED:
            raise ScenarioError(f"driving: channel {channel} has notches and no locomotive listens to it")
        for v in listening:
            top, brake = v.traction.notches
            if most > top:
                raise ScenarioError(f"driving: notch {most:g}; the highest of vehicle '{v.name}' is {top}")
            if -least > brake:
                raise ScenarioError(
                    f"driving: notch {least:g}; vehicle '{v.name}' has "
                    + (f"{brake} notches of dynamic brake" if brake else "no dynamic brake")
                )
    applied = np.any(np.asarray(run.driving.brake) > 0) and run.driving.mode != HOLD_SPEED
    if applied and not any(v.brake_force > 0 for v in run.train.vehicles):
        raise ScenarioError("driving: brake is applied and no vehicle of the train has a brake force")
