"""Integrators against the exact oscillator: order of Newmark 1/4 and 1/12 and of Park, amplitude, stability limit."""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.integration import BAND, BAND_HZ, advance, newmark, park, predict, start_history, start_weights


def oscillate(coefficients, steps, omega=2.0, damping=0.0):
    """Displacement of d'' + 2 damping omega d' + omega^2 d = 0 from d = 1, v = 0."""
    beta, gamma = coefficients.beta * coefficients.dt**2, coefficients.gamma * coefficients.dt
    c, k = 2.0 * damping * omega, omega**2
    history = np.zeros((3, 3, 1))
    for i in range(3):
        t = -i * coefficients.dt
        history[i, :, 0] = np.cos(omega * t), -omega * np.sin(omega * t), -(omega**2) * np.cos(omega * t)
    d, v, a = np.zeros(1), np.zeros(1), np.zeros(1)
    out = np.zeros(steps)
    for n in range(steps):
        predict(coefficients, history, d, v)
        a[:] = (-c * v - k * d) / (1.0 + gamma * c + beta * k)
        d += beta * a
        v += gamma * a
        advance(history, d, v, a)
        out[n] = d[0]
    return out


@pytest.mark.parametrize(
    "make, order",
    [
        (lambda dt: newmark(dt, 0.25), 2.0),
        (lambda dt: newmark(dt, 1.0 / 12.0), 4.0),
        (park, 2.0),
    ],
)
def test_order(make, order):
    errors = []
    for steps in (200, 400):
        dt = 10.0 / steps
        exact = np.cos(2.0 * dt * np.arange(1, steps + 1))
        errors.append(np.max(np.abs(oscillate(make(dt), steps) - exact)))
    measured = np.log2(errors[0] / errors[1])
    assert abs(measured - order) < 0.15, f"order {measured:.2f}, asymptotic at 40 steps per period"


def test_park_is_the_published_difference_formula():
    dt = 0.1
    c = park(dt)
    d = np.array([0.3, -0.2, 0.5, 0.7])  # d_{n+1}, d_n, d_{n-1}, d_{n-2}
    history = np.zeros((3, 3, 1))
    history[:, 0, 0] = d[1:]
    history[:, 1, 0] = 1.1, -0.4, 0.2
    dp, vp = np.zeros(1), np.zeros(1)
    predict(c, history, dp, vp)
    a = (d[0] - dp[0]) / (c.beta * dt**2)
    v = vp[0] + c.gamma * dt * a
    np.testing.assert_allclose(v, (10 * d[0] - 15 * d[1] + 6 * d[2] - d[3]) / (6 * dt), rtol=1e-12)
    np.testing.assert_allclose(a, (10 * v - 15 * 1.1 + 6 * -0.4 - 0.2) / (6 * dt), rtol=1e-12)


def test_trapezoid_keeps_amplitude_and_park_damps_what_it_does_not_resolve():
    late = oscillate(newmark(0.3), 4000)[-200:]
    np.testing.assert_allclose(np.max(np.abs(late)), 1.0, rtol=0.01, err_msg="sampled peak")
    assert np.max(np.abs(oscillate(park(1.5), 60)[-10:])) < 1e-3


def test_fox_goodwin_limit_is_the_square_root_of_six():
    assert np.max(np.abs(oscillate(newmark(2.44 / 2.0, 1.0 / 12.0), 2000))) < 30.0
    assert np.max(np.abs(oscillate(newmark(2.46 / 2.0, 1.0 / 12.0), 2000))) > 1e6


def test_history_is_exact_for_steady_acceleration():
    c = park(0.2)
    history = start_history(c, np.array([1.0]), np.array([2.0]), np.array([3.0]))
    d, v = np.zeros(1), np.zeros(1)
    for _ in range(3):
        predict(c, history, d, v)
        a = np.array([3.0])
        d += c.beta * c.dt**2 * a
        v += c.gamma * c.dt * a
        advance(history, d, v, a)
    np.testing.assert_allclose(v, 2.0 + 3.0 * 0.6, rtol=1e-13)


@pytest.mark.parametrize("make", [lambda: newmark(0.0), lambda: park(-1.0), lambda: newmark(1e-3, beta=0.0)])
def test_refused(make):
    with pytest.raises(ScenarioError):
        make()


@pytest.mark.parametrize("step", [1e-5, 5e-5, 8e-5, 1e-3])
def test_start_weights_are_exact_for_a_constant_and_no_worse_than_a_parabola(step):
    """In the mean square over a flat band, which the least of all errors cannot miss."""
    weights, band = start_weights(step), min(BAND_HZ, BAND / step)
    assert np.sum(weights) == pytest.approx(1.0, abs=1e-9)
    turn = np.exp(-2j * np.pi * step * np.outer(np.linspace(0.0, band, 500), [1, 2, 3]))
    own, parabola = (np.mean(np.abs(1.0 - turn @ np.array(w)) ** 2) for w in (weights, (3.0, -3.0, 1.0)))
    assert own < 0.5 * parabola
    noise = np.sum(weights**2)
    assert noise < 19.0, "a parabola makes 19 times the power of white noise"
