"""Yaw dampers in series with a spring: eigenvalues against small-disturbance time runs of the same coach.

The coach is the Manchester benchmark's vehicle 1 with yaw dampers of 500 kN s/m between bogies and car body, each in
series with a spring. A time run starts from the shape of the least damped swing, 3 um large, on smooth straight track;
its growth is read from the motion itself. 3 um, grown at most twentyfold, stay below what changes the slopes of the
contact by 1 %, and above the rounding of contact forces.
"""

import tempfile
from pathlib import Path

import numpy as np

from flexwheel.assess.linearise import critical_speed, eigenvalues, linearise
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.vehicle.step.simulate import LoopSettings, simulate
from flexwheel.vehicle.suspension_linear import relaxations
from flexwheel.vehicle.vehicle_file import FOLDER
from flexwheel.verification.check_registry import check, information, order, row
from flexwheel.verification.rigid_limit import fitted_growth

DAMPING = 5e5  # [N s/m]
SERIES = (1e6, 2e6, 5e6, 1e9)  # [N/m]
SPEEDS = (0.9, 1.1, 1.25)  # of the critical speed, at which growth rates are compared
STEP, SECONDS, SIZE = 5e-4, 1.2, 3e-6  # [s], [s], [m] of the time runs
LARGEST_GROWTH = 20.0
YAW_DAMPERS = """
[elements.yaw_damper]
kind = "damper"
body_a = ["front_bogie", "rear_bogie"]
other_body = "car_body"
heights = "rail"
point_a_m = [0.0, 1.3, 0.6]
point_b_m = [1.0, 1.3, 0.6]
mirror_x = true
damping_n_s_per_m = {damping}
series_stiffness_n_per_m = {series}
"""
SCENARIO = """
[run]
duration_s = {seconds}
speed_kmh = {speed_kmh}
step_s = {step}
output_step_s = {step}
[vehicle]
file = "coach.toml"
[track]
model = "rigid"
layout = [{{ kind = "straight", length_m = 1000.0 }}]
[irregularity]
spectrum = "none"
roughness = "none"
"""


def coach(series, speed, seconds=SECONDS):
    """Simulation at rest of the coach with yaw dampers in series with `series` [N/m], at `speed` [m/s]."""
    with tempfile.TemporaryDirectory() as folder:
        text = (FOLDER / "manchester_v1.toml").read_text(encoding="utf-8")
        text += YAW_DAMPERS.format(damping=DAMPING, series=series)
        (Path(folder) / "coach.toml").write_text(text, encoding="utf-8")
        path = Path(folder) / "run.toml"
        path.write_text(SCENARIO.format(seconds=seconds, speed_kmh=3.6 * speed, step=STEP), encoding="utf-8")
        return build_simulation(read_scenario(path, []), {})


def linear_at(s):
    """speed [m/s] -> LinearModel of a simulation at rest."""

    def linear(speed):
        model, state = s.model._replace(speed=float(speed)), s.state._replace(drive_speed=np.array([speed, 0.0]))
        return linearise(model, s.assembly, state, s.work, s.contact_work, np.zeros((4, 4)))

    return linear


def hunting(linear):
    """Eigenvalue [1/s] and shape (N,) of the fastest growing swing of 2 to 15 Hz, above those of the car body."""
    values, shapes = eigenvalues(linear)
    swing = np.flatnonzero((values.imag > 4.0 * np.pi) & (values.imag < 30.0 * np.pi))
    k = swing[np.argmax(values[swing].real)]
    return values[k], shapes[:, k]


def disturb(s, linear, value, shape, size=SIZE):
    """Add a swing of `size` [m] to the state at rest; returns the coordinate that swings most to the side."""
    offset = s.assembly.units.offset
    lateral = max((o + 1 for o in offset[:-1]), key=lambda k: abs(shape[k]))
    shape = shape * (size / shape[lateral])
    for rate in range(3):
        s.state.history[0, rate] += (value**rate * shape).real
    series, _ = relaxations(s.model.suspension)
    states = np.linalg.solve(value * np.eye(len(series)) - linear.state_rate, linear.state_drive @ shape)
    elongation = np.linalg.solve(-linear.state_rate, linear.state_drive @ shape)
    accepted = s.work.spring_state.accepted
    accepted[series, 0] += states.real
    accepted[series, 1] += elongation.real
    return lateral


def growth_of_run(series, speed, seconds=SECONDS):
    """Eigenvalue and complex growth rate [1/s] of a time run of the coach, fitted after its first fifth."""
    s = coach(series, speed, seconds)
    linear = linear_at(s)(speed)
    value, shape = hunting(linear)
    k = disturb(s, linear, value, shape)
    seconds = min(seconds, np.log(LARGEST_GROWTH) / max(value.real, 1e-3))
    settings = LoopSettings(stride=1, tolerance=0.05, limit=30)
    parts = s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work
    records = simulate(*parts, seconds, settings).records
    return value, fitted_growth(records, k, len(records.time) // 5)


def critical_speed_of_runs(series, guess, reach=0.02):
    """Speed [m/s] at which the growth of time runs at guess (1 -+ reach) passes zero."""
    speeds = guess * np.array([1.0 - reach, 1.0 + reach])
    growth = [growth_of_run(series, speed)[1].real for speed in speeds]
    return speeds[0] - growth[0] * (speeds[1] - speeds[0]) / (growth[1] - growth[0])


@check(
    "Yaw dampers in series with a spring",
    ground=order("trapezoidal rule at 0.5 ms leaves (46 1/s dt)^2 / 12 = 4e-5 of |s|, 0.002 1/s, and the fit as much; "
                 "1 % of speed changes growth by 0.15 to 0.8 1/s, 2 % of growth are 0.03 1/s or more"),
)  # fmt: skip
def series_dampers():
    """Critical speeds and growth rates, linear analysis against time runs of 3 um disturbances."""
    source = "time runs of 3 um disturbances, same coach and contact"
    rows = []
    for series in SERIES:
        linear = linear_at(coach(series, 80.0))
        found = critical_speed(linear, 60.0, 137.0, 0.02)
        runs = critical_speed_of_runs(series, found)
        rows.append(row(f"critical speed, {1e-6 * series:g} MN/m", 3.6 * found, 3.6 * runs, "km/h", relative=0.01,
                        source=source))  # fmt: skip
        if series != 2e6:
            continue
        for share in SPEEDS:
            value, run = growth_of_run(series, share * found)
            rows.append(row(f"growth at {3.6 * share * found:.0f} km/h, 2 MN/m", value.real, run.real, "1/s",
                            relative=0.02, source=source))  # fmt: skip
            rows.append(information("its frequency", run.imag / (2.0 * np.pi), "Hz"))
    return rows
