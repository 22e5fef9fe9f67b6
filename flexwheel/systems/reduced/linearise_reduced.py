"""Linear analysis of the simplified model: eigenvalues of straight running, critical speed, steady curving."""

import numpy as np

from flexwheel.assess.linear.stability import onset_of_growth
from flexwheel.base.errors import ConvergenceError
from flexwheel.systems.reduced.simulate_reduced import right_hand_side

POSITION_STEP, RATE_STEP = 1e-6, 1e-5  # of the differences [m, rad] and [m/s, rad/s]
LEAST_HZ = 0.2
TOLERANCE, ITERATIONS = 1e-9, 30  # [m/s2] left of steady running, and steps of Newton's method


def state_matrix(model, x=None, time=0.0):
    """Jacobian (n, n) of the right-hand side about a state (default: all zero) by central differences."""
    n = model.size
    x = np.zeros(n) if x is None else np.asarray(x, float)
    matrix = np.empty((n, n))
    for k in range(n):
        e = np.zeros(n)
        e[k] = POSITION_STEP if k < n // 2 else RATE_STEP
        matrix[:, k] = (right_hand_side(model, x + e, time) - right_hand_side(model, x - e, time)) / (2.0 * e[k])
    return matrix


def eigenvalues(model):
    """Eigenvalues [1/s] of running on straight track, those with an imaginary part >= 0, ascending in frequency."""
    values = np.linalg.eigvals(state_matrix(model))
    values = values[values.imag >= 0.0]
    return values[np.argsort(np.abs(values.imag), kind="stable")]


def critical_speed(model_at, low, high, tolerance=0.02, scans=13):
    """Lowest speed [m/s] between low and high at which an oscillation grows; nan where none does.

    model_at : callable      speed -> ReducedModel on straight track
    """

    def growth(speed):
        values = eigenvalues(model_at(speed))
        return np.max(values[values.imag > 2.0 * np.pi * LEAST_HZ].real)

    return onset_of_growth(growth, low, high, tolerance, scans)


def steady_state(model, time):
    """State of steady running at the track inputs of `time`: rates and accelerations zero.

    Raises
    ------
    ConvergenceError
    """
    n, half = model.size, model.size // 2
    x = np.zeros(n)
    for _ in range(ITERATIONS):
        f = right_hand_side(model, x, time)[half:]
        if np.max(np.abs(f)) < TOLERANCE:
            return x
        jacobian = state_matrix(model, x, time)[half:, :half]
        x[:half] -= np.linalg.lstsq(jacobian, f, rcond=1e-14)[0]
    raise ConvergenceError(f"no steady running after {ITERATIONS} iterations; {np.max(np.abs(f)):.3g} m/s2 left")
