"""Kalman filter on the lateral part of the simplified model: wheelset position and irregularity from accelerations.

State: lateral coordinates and rates of all units; a shaping filter of the alignment (mean lateral irregularity of both
rails) and one of the cross level (left rail over right) under the leading wheelset, both with the spectrum the track is
expected to have; and a shift register of their past, from which the other wheelsets get theirs later by their distance.

The gain is constant (the filter's steady state), so that a step costs one product of a matrix and a vector.

Source: Kalman 1960, J. Basic Eng. 82(1), 35-45; shaping filters: Bryson and Ho 1975, chapter 11.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm, solve_discrete_are

from flexwheel.base.gravity import GRAVITY
from flexwheel.systems.reduced.linearise_reduced import POSITION_STEP, RATE_STEP, state_matrix
from flexwheel.systems.reduced.reduced_step import derivative
from flexwheel.systems.reduced.track_input import track_inputs

MODEL_ERROR = 0.3  # [m/s2 / sqrt(Hz)] process noise on the wheelsets' accelerations: what the linear contact leaves out


@dataclass(frozen=True)
class ObserverSensor:
    """Accelerometers of a body: 'lateral' at a distance along it, or 'roll': two vertical ones left and right."""

    unit: int  # body of the vehicle
    kind: str
    arm: float  # [m] before the centre; of a 'roll' pair half their distance
    noise: float  # standard deviation of a sample [m/s2], [rad/s2] for a pair after division by its distance


@dataclass(frozen=True)
class LateralModel:
    """Linear lateral model: x' = A x + B u + B1 u', u = alignment, then cross level, of every wheelset [m]."""

    a: np.ndarray
    b: np.ndarray
    b_rate: np.ndarray
    index: np.ndarray  # (n,) where the lateral states stand in the state of the simplified model
    bodies: int
    wheelsets: int


@dataclass(frozen=True)
class Observer:
    """Discrete filter: estimate(k+1) = transition estimate(k) + gain (measured(k) - output estimate(k))."""

    transition: np.ndarray
    output: np.ndarray
    gain: np.ndarray
    step: float
    lateral: LateralModel
    rows: dict  # name -> row of the state that gives it
    covariance: np.ndarray


def lateral_model(model):
    """LateralModel about straight running of a ReducedModel."""
    bodies, wheelsets = len(model.vehicle.bodies), len(model.vehicle.wheelsets)
    half = model.size // 2
    positions = [5 * u + k for u in range(bodies) for k in range(3)] + list(range(5 * bodies, half))
    index = np.array(positions + [half + p for p in positions])
    a = state_matrix(model)[np.ix_(index, index)]
    b = np.zeros((2, len(index), 2 * wheelsets))
    for w in range(wheelsets):
        for kind, shape in enumerate(((1.0, 0.0, 1.0, 0.0), (0.0, 0.5, 0.0, -0.5))):
            for order in range(2):
                small = POSITION_STEP if order == 0 else RATE_STEP
                ends = [_rate(model, w, order, sign * small * np.array(shape)) for sign in (1.0, -1.0)]
                b[order, :, kind * wheelsets + w] = (ends[0] - ends[1])[index] / (2.0 * small)
    return LateralModel(a, b[0], b[1], index, bodies, wheelsets)


def _rate(model, wheelset, order, irregularity):
    """Right-hand side at rest with an irregularity (order 0) or its rate (order 1) (4,) under one wheelset."""
    dx = np.zeros(model.size)
    track_inputs(*model.compiled, 0.0)
    for _ in range(3):
        model.scratch.rails[:] = 0.0
        model.scratch.rails[wheelset, 4 * order : 4 * order + 4] = irregularity
        derivative(*model.compiled, np.zeros(model.size), dx)
    return dx


def shaping_filter(spectrum, speed):
    """Filter (F, g, h) in time that makes white noise of unit density into a process with a RationalSpectrum in space.

    F (n, n), g (n,), h (n,): p' = F p + g w, value = h p [m]. A one-sided spectrum S(W) has the two-sided density
    pi S(W) in angular wavenumber.
    """
    poles = np.array(spectrum.corners) * speed
    n = len(poles)
    characteristic = np.poly(-poles)
    f = np.zeros((n, n))
    f[:-1, 1:] = np.eye(n - 1)
    f[-1] = -characteristic[:0:-1]
    g, h = np.zeros(n), np.zeros(n)
    g[-1] = 1.0
    h[spectrum.rise] = np.sqrt(np.pi * spectrum.amplitude * speed ** (2 * n - 2 * spectrum.rise - 1))
    return f, g, h


def build_observer(model, alignment, cross_level, sensors, step) -> Observer:
    """Observer of a ReducedModel on straight track.

    Parameters
    ----------
    model : ReducedModel
    alignment, cross_level : RationalSpectrum     expected spectra; cross level as height left over right [m2/(rad/m)]
    sensors : sequence of ObserverSensor
    step : float [s]                              between samples
    """
    lateral = lateral_model(model)
    speed = model.kernels.speed
    places = np.array([w.position for w in model.vehicle.wheelsets])
    delay = np.round((places.max() - places) / (speed * step)).astype(int)
    depth = int(delay.max()) + 1
    filters = [shaping_filter(s, speed) for s in (alignment, cross_level)]
    n, w = len(lateral.index), lateral.wheelsets
    starts = [n]
    for f, _, _ in filters:
        starts.append(starts[-1] + len(f) + depth)
    size = starts[-1]
    shifts, noise = np.zeros((size, size)), np.zeros((size, size))
    signal, signal_rate = np.zeros((2 * w, size)), np.zeros((2 * w, size))  # irregularity under every wheelset
    rows = {}
    for kind, (name, (f, g, h)) in enumerate(zip(("alignment", "cross_level"), filters, strict=True)):
        at, m = starts[kind], len(f)
        discrete, density = _discrete(f, np.outer(g, g), step)
        shifts[at : at + m, at : at + m] = discrete
        noise[at : at + m, at : at + m] = density
        shifts[at + m, at : at + m] = h
        shifts[at + m + 1 : at + m + depth, at + m : at + m + depth - 1] = np.eye(depth - 1)
        for i in range(w):
            row, slope = signal[kind * w + i], signal_rate[kind * w + i]
            if delay[i] == 0:
                row[at : at + m] = h
                slope[at : at + m] = h @ f
            else:
                k = at + m + delay[i] - 1
                row[k] = 1.0
                slope[k + 1] = -0.5 / step
                if delay[i] > 1:
                    slope[k - 1] = 0.5 / step
                else:
                    slope[at : at + m] += 0.5 / step * h
            rows[f"{name} {i}"] = row.copy()
    # irregularity goes linearly from its value now to the one after the step
    flow = np.zeros((n + 4 * w, n + 4 * w))
    flow[:n] = np.hstack([lateral.a, lateral.b, lateral.b_rate])
    flow[n : n + 2 * w, n + 2 * w :] = np.eye(2 * w)
    held = expm(step * flow)
    after = (signal @ shifts - signal) / step
    shifts[:n, :n] = held[:n, :n]
    shifts[:n] += held[:n, n:] @ np.vstack([signal, after])
    half = n // 2
    wheel_rates = np.arange(half + 3 * lateral.bodies, n)
    noise[wheel_rates, wheel_rates] = MODEL_ERROR**2 * step
    output = np.stack([_sensor_row(lateral, s, signal, signal_rate) for s in sensors])
    spread = np.diag([s.noise**2 for s in sensors])
    noise += 1e-14 * np.eye(size)
    covariance = solve_discrete_are(shifts.T, output.T, noise, spread)
    gain = shifts @ covariance @ output.T @ np.linalg.inv(output @ covariance @ output.T + spread)
    for i in range(w):
        rows[f"lateral {i}"] = np.eye(size)[3 * lateral.bodies + 2 * i]
    return Observer(shifts, output, gain, step, lateral, rows, covariance)


def observe(observer, measured, start=None):
    """Estimates (T, states) from measurements (T, sensors); each row uses the samples before it."""
    x = np.zeros(len(observer.transition)) if start is None else np.array(start, float)
    estimates = np.empty((len(measured), len(x)))
    for k, sample in enumerate(measured):
        estimates[k] = x
        x = observer.transition @ x + observer.gain @ (sample - observer.output @ x)
    return estimates


def measure(sensors, coordinates, accelerations, random):
    """Noisy samples (T, sensors) from motions (T, U, 5) of the bodies; lateral accelerometers feel gravity."""
    columns = []
    for s in sensors:
        roll, a = coordinates[:, s.unit, 1], accelerations[:, s.unit]
        clean = a[:, 0] + s.arm * a[:, 2] + GRAVITY * roll if s.kind == "lateral" else a[:, 1]
        columns.append(clean + s.noise * random.standard_normal(len(clean)))
    return np.stack(columns, axis=1)


def _sensor_row(lateral, sensor, signal, signal_rate):
    """Row of the state that gives a sensor's sample."""
    n = len(lateral.index)
    row = np.zeros(signal.shape[1])
    first = n // 2 + 3 * sensor.unit
    weights = {0: 1.0, 2: sensor.arm} if sensor.kind == "lateral" else {1: 1.0}
    for k, weight in weights.items():
        row[:n] += weight * lateral.a[first + k]
        row += weight * (lateral.b[first + k] @ signal + lateral.b_rate[first + k] @ signal_rate)
    if sensor.kind == "lateral":
        row[3 * sensor.unit + 1] += GRAVITY
    return row


def _discrete(f, density, step):
    """Transition and covariance of the noise over a step (Van Loan)."""
    n = len(f)
    block = expm(step * np.block([[-f, density], [np.zeros((n, n)), f.T]]))
    transition = block[n:, n:].T
    return transition, transition @ block[:n, n:]
