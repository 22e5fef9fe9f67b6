"""Motion and demand of an axle box on a spinning, bending axle, against time derivatives of its place."""

import numpy as np
import pytest

from flexwheel.vehicle.step.axle_box import BoxBody, FrameMotion, box_demand, journal_motion

STEP = 1e-3  # [s] of the seven-point differences; their error and rounding stay below 1e-9 of the largest term
RNG = np.random.default_rng(5)
H = 4
ROWS = RNG.normal(size=(6, H))  # mesh axes
WAY = RNG.normal(size=(3, H)) * np.array([[1e-2], [0.5], [20.0]])  # modes: value, rate, acceleration
PLACE = np.array([0.0, 1.0, 0.0])
SPIN, SPIN_RATE, SPIN_ACC = 0.3, 60.0, 15.0
WEIGHTS = np.array([[-1, 9, -45, 0, 45, -9, 1], [2, -27, 270, -490, 270, -27, 2]]) / np.array([[60.0], [180.0]])


def rates(function):
    """Value, first and second derivative at t = 0."""
    values = np.array([function(k * STEP) for k in range(-3, 4)])
    first, second = (np.tensordot(w, values, 1) for w in WEIGHTS)
    return values[3], first / STEP, second / STEP**2


def about(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    return {
        "x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def modes(t):
    return WAY[0] + t * WAY[1] + 0.5 * t * t * WAY[2]


def spin(t):
    return SPIN + t * SPIN_RATE + 0.5 * t * t * SPIN_ACC


def journal(t):
    """Centre of the journal from the wheelset's, axes that do not spin."""
    return PLACE + about("y", spin(t)) @ ROWS[:3] @ modes(t)


def motion_here(rows):
    turned = np.vstack([about("y", SPIN) @ rows[:3], about("y", SPIN) @ rows[3:]])
    motion = np.zeros((6, 3))
    journal_motion.py_func(PLACE, turned, H, WAY, (SPIN_RATE, SPIN_ACC), motion)
    return motion


def test_motion_of_the_journal_and_its_slope():
    motion = motion_here(ROWS)
    for first, function in ((0, journal), (3, lambda t: about("y", spin(t)) @ ROWS[3:] @ modes(t))):
        for order, expected in enumerate(rates(function)):
            # the seven-point formula leaves (h Omega)^6, 5e-8 of the highest derivative
            assert motion[first + order] == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(expected).max())


def frame(t):
    """Axes of the wheelset that do not spin: yaw, then roll."""
    return about("z", 0.2 + 0.8 * t - 1.5 * t * t) @ about("x", -0.1 + 1.1 * t + 0.7 * t * t)


def centre(t):
    return np.array([20.0 * t + 3.0 * t * t, 0.1 * t - 2.0 * t * t, 0.46 + 1.5 * t * t])


def pitch(t):
    return 0.15 + 0.9 * t - 1.2 * t * t


def test_demand_is_the_rate_of_momentum_of_the_box():
    """No bending slope: the box turns with the axes and its own pitch, exactly."""
    mass, inertia = 120.0, np.array([[3.0, 0.4, -0.2], [0.4, 5.0, 0.3], [-0.2, 0.3, 4.0]])
    offset = np.array([0.08, -0.05, 0.11])
    gravity = np.array([0.0, 0.0, -9.81])
    rows = ROWS.copy()
    rows[3:] = 0.0
    turn, turn_rate, turn_acc = rates(frame)
    spatial = turn_rate @ turn.T
    omega = np.array([spatial[2, 1], spatial[0, 2], spatial[1, 0]])
    change = turn_acc @ turn.T + turn_rate @ turn_rate.T
    alpha = np.array([change[2, 1], change[0, 2], change[1, 0]])
    applied = np.array([100.0, -200.0, 3000.0, 40.0, 50.0, -60.0])
    demand, work = np.zeros(6), np.zeros((8, 3))
    _, _, acceleration = rates(centre)
    box_demand.py_func(
        BoxBody(mass, inertia, offset), tuple(float(x) for x in rates(pitch)), motion_here(rows),
        FrameMotion(*(turn.T @ x for x in (acceleration, omega, alpha, gravity))), applied, demand, work,
    )  # fmt: skip

    def housing(t):
        return frame(t) @ about("y", pitch(t))

    def place(t):
        return centre(t) + frame(t) @ journal(t) + housing(t) @ offset

    _, _, acc = rates(place)
    force = mass * (acc - gravity)

    def momentum(t):
        """About the box's centre, of its turning alone, global axes."""
        values = np.array([housing(t + k * STEP) for k in range(-3, 4)])
        rate = np.tensordot(WEIGHTS[0], values, 1) / STEP @ values[3].T
        own = np.array([rate[2, 1], rate[0, 2], rate[1, 0]])
        return values[3] @ inertia @ values[3].T @ own

    _, torque, _ = rates(momentum)
    moment = torque + np.cross(housing(0.0) @ offset, force)
    expected = np.concatenate([turn.T @ force, turn.T @ moment]) - applied
    assert demand == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.abs(expected).max())
