"""Integrators of second-order equations, as coefficients of one displacement form.

    d_{n+1} = d_pred + beta dt^2 a_{n+1},     v_{n+1} = v_pred + gamma dt a_{n+1}

The predictors are linear in up to three past steps of (d, v, a). Every solver of the package shares this
form, so a linear system is advanced by one constant effective matrix M + gamma dt C + beta dt^2 K whatever
the method.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel

BAND_HZ, BAND, NOISE = 1500.0, 0.15, 1e-3
"""Forces hold what is below this frequency, times the step no more than this, over white noise of this share."""


class IntegratorCoefficients(NamedTuple):
    """One integrator at one step size.

    dt : float [s]
    beta, gamma : float [-]
    depth : int                      number of past steps used (1: Newmark, 3: Park)
    displacement_weights : (3, 3)    d_pred = sum over row i (step n - i) of [d, v, a] weights; units 1, s,
                                     s^2
    velocity_weights : (3, 3)        v_pred likewise; units 1/s, 1, s
    start_weights : (3,)             of the last three values of a force or an acceleration in the one that the
                                     iteration of a step starts from
    """

    BY_VALUE = True  # see flexwheel.numerics.kernels.handles

    dt: float
    beta: float
    gamma: float
    depth: int
    displacement_weights: np.ndarray
    velocity_weights: np.ndarray
    start_weights: np.ndarray


def start_weights(dt):
    """Weights (3,) of the last three values that predict the next one best, in the mean square.

    Of a signal with a flat spectrum to BAND_HZ, or as far as BAND lets the step see, over white noise that keeps its
    share of what a parabola misses whatever the step; a constant is predicted exactly. A parabola, 3, -3, 1, errs by a
    quarter of what lies at a tenth of the sampling rate, and by more of noise.

    Source: Wiener's predictor of three values (normal equations of the autocorrelation sin(x)/x).
    """
    band = min(BAND_HZ * dt, BAND)
    matrix = np.zeros((4, 4))
    matrix[:3, :3] = np.sinc(2.0 * band * np.subtract.outer(np.arange(3), np.arange(3)))
    matrix[:3, :3] += NOISE * (band / BAND) ** 6 * np.eye(3)
    matrix[3, :3] = matrix[:3, 3] = 1.0
    return np.linalg.solve(matrix, np.append(np.sinc(2.0 * band * np.arange(1, 4)), 1.0))[:3]


def newmark(dt, beta=0.25, gamma=0.5):
    """Newmark's method with step dt [s].

    beta = 1/4: trapezoidal rule, unconditionally stable, no dissipation. beta = 1/12: Fox-Goodwin (Numerov),
    fourth order in phase, stable for omega_max dt < 2.449 only.

    Source: Newmark 1959, J. Eng. Mech. Div. ASCE 85(3). Verified in
    tests/base/test_track_integration_verified.py.
    """
    _check_step(dt)
    if not 0.0 < beta <= 1.0:
        raise ScenarioError(f"Newmark beta must be a number in (0, 1], got {beta!r}")
    if not 0.5 <= gamma <= 1.0:
        raise ScenarioError(f"Newmark gamma must be 0.5 (no dissipation) to 1, got {gamma!r}")
    displacement, velocity = np.zeros((3, 3)), np.zeros((3, 3))
    displacement[0] = 1.0, dt, (0.5 - beta) * dt * dt
    velocity[0] = 0.0, 1.0, (1.0 - gamma) * dt
    return IntegratorCoefficients(float(dt), float(beta), float(gamma), 1, displacement, velocity, start_weights(dt))


def beta_in_phase(angle):
    """Newmark's beta that leaves an undamped oscillator its own period.

    Parameters
    ----------
    angle : array [rad]   frequency times step, 0 to below pi; 0 gives 1/12 (Fox-Goodwin)

    With d_{n+1} - 2 d_n + d_{n-1} = dt^2 (a_n + beta (a_{n+1} - 2 a_n + a_{n-1})) and a = -omega^2 d the discrete
    frequency W obeys 1/(omega dt)^2 + beta = 1/(4 sin^2(W dt/2)); W = omega gives beta. At other frequencies the
    receptance is right to fourth order, at rest exactly. Verified in tests/verification/test_step_gain_verified.py.
    """
    angle = np.asarray(angle, dtype=float)
    small = np.maximum(angle, 0.01)  # where the closed form has lost digits, its series is good to 1e-12
    closed = 0.25 / np.sin(0.5 * small) ** 2 - 1.0 / small**2
    return np.where(angle > 0.01, closed, 1.0 / 12.0 + angle**2 / 240.0)


def park(dt):
    """Park's stiffly stable method with step dt [s]: the mean of the two- and three-step backward
    differences.

    v_{n+1} = (10 d_{n+1} - 15 d_n + 6 d_{n-1} - d_{n-2}) / (6 dt), a from v likewise. Second order,
    unconditionally stable, dissipates what the step does not resolve. beta = 0.36, gamma = 0.6.

    Source: Park 1975, J. Appl. Mech. 42(2), 464-470. Verified in
    tests/base/test_track_integration_verified.py.
    """
    _check_step(dt)
    displacement, velocity = np.zeros((3, 3)), np.zeros((3, 3))
    past = np.array([1.5, -0.6, 0.1])
    displacement[:, 0] = past
    displacement[:, 1] = 0.6 * dt * past
    velocity[:, 1] = past
    return IntegratorCoefficients(float(dt), 0.36, 0.6, 3, displacement, velocity, start_weights(dt))


def _check_step(dt):
    """A step is a positive finite time."""
    if not (np.isfinite(dt) and dt > 0.0):
        raise ScenarioError(f"time step must be a positive number, got {dt!r} s")


def start_history(coefficients, displacement, velocity, acceleration):
    """Past values for the first step of a multistep method, by Taylor expansion backwards.

    Parameters
    ----------
    displacement, velocity, acceleration : array [m, m/s, m/s^2]   at the start

    Returns
    -------
    history : (3, 3) + shape   [step n - i, (d, v, a)]; exact for steady acceleration
    """
    history = np.zeros((3, 3) + np.shape(displacement))
    for i in range(3):
        t = -i * coefficients.dt
        history[i, 0] = displacement + t * np.asarray(velocity) + 0.5 * t * t * np.asarray(acceleration)
        history[i, 1] = velocity + t * np.asarray(acceleration)
        history[i, 2] = acceleration
    return history


@kernel
def predict(coefficients, history, displacement, velocity):
    """Predictors of n degrees of freedom.

    history (3, 3, n): [step n - i, (d, v, a)]; fills displacement (n,) [m] and velocity (n,) [m/s].
    """
    for k in range(displacement.shape[0]):
        d, v = 0.0, 0.0
        for i in range(coefficients.depth):
            for j in range(3):
                d += coefficients.displacement_weights[i, j] * history[i, j, k]
                v += coefficients.velocity_weights[i, j] * history[i, j, k]
        displacement[k] = d
        velocity[k] = v


@kernel
def advance(history, displacement, velocity, acceleration):
    """Push the new step (each (n,)) into history (3, 3, n)."""
    for k in range(displacement.shape[0]):
        for i in range(history.shape[0] - 1, 0, -1):
            for j in range(3):
                history[i, j, k] = history[i - 1, j, k]
        history[0, 0, k] = displacement[k]
        history[0, 1, k] = velocity[k]
        history[0, 2, k] = acceleration[k]
