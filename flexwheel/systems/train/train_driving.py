"""Driving of a train from the section [driving]: by time, by distance, or a driver who holds a speed."""

import numpy as np

from flexwheel.base.errors import ScenarioError, of_place
from flexwheel.systems.train.driving import BY_DISTANCE, BY_TIME, HOLD_SPEED, Driving, check_driving
from flexwheel.systems.train.train_tables import read_columns

MODES = {"by_time": BY_TIME, "by_distance": BY_DISTANCE, "hold_speed": HOLD_SPEED}


def make_driving(k, path, train):
    """Driving of the keys for a train."""
    hold = k.mode == "hold_speed"
    at, level, brake_at, brake = k.at, None if k.notch is None else [k.notch], k.brake_at, k.brake
    speed = k.speed_kmh
    if k.file is not None:
        table = driving_columns(k.mode, k.file)
        at, level, speed = table[0], table[1], table[4]
        if table[3] is not None and brake is not None:
            raise ScenarioError(f"{path}: driving.brake must not be given beside the column brake of {k.file}")
        if table[3] is not None:
            brake_at, brake = table[2], table[3]
    if at is None:
        raise ScenarioError(f"{path}: driving.file must be given, or driving.at with notch or speed_kmh")
    if hold and speed is None:
        raise ScenarioError(f"{path}: driving.speed_kmh must be given with driving.mode = 'hold_speed'")
    if hold:
        level = [np.zeros(len(at))] * (int(max(train.channel, default=0)) + 1)
    if level is None:
        raise ScenarioError(f"{path}: driving.notch must be given, one for each point of driving.at")
    if any(len(row) != len(at) for row in level):
        raise ScenarioError(
            f"{path}: driving.notch must have one value for each of the {len(at)} points, got {len(level[0])}"
        )
    if (brake_at is None) != (brake is None):
        raise ScenarioError(f"{path}: driving.brake_at and driving.brake must be given together, or neither")
    given = (k.max_notch, k.max_brake_notch)
    most = [highest_notch(train, side) if given[side] is None else given[side] for side in range(2)]
    driving = Driving(
        MODES[k.mode],
        np.array(at, dtype=float),
        np.array(level, dtype=float),
        np.zeros(1) if brake_at is None else np.array(brake_at, dtype=float),
        np.zeros(1) if brake is None else np.array(brake, dtype=float),
        np.zeros(1) if speed is None else np.array(speed, dtype=float) / 3.6,
        k.tick_s,
        k.gain_notch_s_m,
        k.reset_1_s,
        *most,
        k.notch_rate_1_s,
        k.whole_notches,
        k.air_brake_above_kmh / 3.6,
        k.air_brake,
    )
    with of_place(path):
        check_driving(driving)
    return driving


def highest_notch(train, side):
    """Highest notch of traction (side 0) or dynamic brake (1) that every locomotive with any has; 0: none has."""
    highest = (v.traction.notches[side] for v in train.vehicles if v.traction)
    return float(min((n for n in highest if n), default=0))


def driving_columns(mode, file):
    """Points, notches by channel, brake points and fractions, and speeds of a driving file; None: it has none."""
    axis = "time_s" if mode == "by_time" else "distance_m"
    table = read_columns(file)
    notches = sorted((n for n in table if n == "notch" or n.startswith("notch_")), key=lambda n: (len(n), n))
    expected = ["speed_kmh"] if mode == "hold_speed" else notches or ["notch"]
    missing = [name for name in (axis, *expected) if name not in table]
    if missing:
        raise ScenarioError(
            f"{file}: needs the columns {axis} and {expected[0]} for mode {mode}; it has {', '.join(table)}"
        )
    channels = ["notch"] if notches == ["notch"] else [f"notch_{i}" for i in range(len(notches))]
    if mode != "hold_speed" and notches != channels:
        raise ScenarioError(f"{file}: columns must be notch, or notch_0, notch_1 and so on, got {', '.join(notches)}")
    known = {axis, "speed_kmh"} if mode == "hold_speed" else {axis, "brake", *notches}
    unknown = [name for name in table if name not in known]
    if unknown:
        raise ScenarioError(
            f"{file}: column {unknown[0]!r} does nothing in mode {mode}; known: {', '.join(sorted(known))}"
        )
    if mode == "hold_speed":
        return table[axis], None, None, None, table["speed_kmh"]
    brake = table.get("brake")
    return table[axis], [table[n] for n in notches], None if brake is None else table[axis], brake, None
