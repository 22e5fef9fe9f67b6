"""The train's solver against scipy's LSODA with a banded Jacobian on the same equations, written once more in numpy."""

import numpy as np
from scipy.integrate import solve_ivp

from flexwheel.systems.train.driving import BY_TIME, Driving
from flexwheel.systems.train.resistance import resistance_coefficients
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.verification.train.trains import GEAR
from tests.systems.train.train_small import FRICTION_COUPLER, LOCOMOTIVE, WAGON, constant_gradient, train_of

VEHICLES = [LOCOMOTIVE] + [WAGON] * 8
RAMP = Driving(BY_TIME, np.array([0.0, 5.0, 25.0, 30.0]), np.array([[0.0, 8.0, 8.0, 0.0]]))
GRADIENT = 0.003


def coupler_by_numpy(x, w):
    """Equation (7) for the friction coupler of the tests, vectorised, independent of the kernels."""
    half, v_eps = FRICTION_COUPLER.draft_free, FRICTION_COUPLER.transition_speed
    sign = np.sign(x)
    delta, rate = np.maximum(np.abs(x) - half, 0.0), sign * w
    beyond = np.maximum(delta - GEAR.deflection[-1], 0.0) * GEAR.solid_stiffness
    loading = np.interp(delta, GEAR.deflection, GEAR.loading) + beyond
    unloading = np.interp(delta, GEAR.deflection, GEAR.unloading) + beyond
    share = np.clip(rate / v_eps, -1.0, 1.0)
    force = 0.5 * (loading + unloading) + 0.5 * np.abs(loading - unloading) * share
    return np.where(delta > 0, sign * force + FRICTION_COUPLER.damping * w, 0.0)


def rates(t, y):
    """States interleaved: v_0, x_0, v_1, x_1 ... so that the Jacobian has two bands on each side."""
    v, x = y[0::2], y[1::2]
    force = coupler_by_numpy(x, v[:-1] - v[1:])
    mass = np.array([c.mass for c in VEHICLES])
    r = np.array([resistance_coefficients(c.mass, c.axles, c.q_ad) for c in VEHICLES])
    total = -(r[:, 0] + r[:, 1] * v + r[:, 2] * v**2) - mass * 9.81 * GRADIENT
    level = np.interp(t, RAMP.at, RAMP.level[0])
    n = min(int(level), 7)
    lo, hi = (min(500e3 * k / 8, 3.1e6 * (k / 8) ** 2 / v[0]) for k in (n, n + 1))
    total[0] += lo + (level - n) * (hi - lo)
    total[:-1] -= force
    total[1:] += force
    out = np.empty_like(y)
    out[0::2], out[1::2] = total / mass, v[:-1] - v[1:]
    return out


def test_against_lsoda():
    """40 s of pulling away, shutting off and running in: speeds to 1e-4, forces at ticks to 0.1 % of the largest."""
    train = train_of(VEHICLES, FRICTION_COUPLER)
    run = TrainRun(train, constant_gradient(GRADIENT), RAMP, 0.0, 8.0, 40.0, tolerance=1e-6)
    ours = simulate(run)
    n = len(VEHICLES)
    y0 = np.zeros(2 * n - 1)
    y0[0::2] = 8.0
    theirs = solve_ivp(rates, (0.0, 40.0), y0, "LSODA", ours.time, lband=2, uband=2, rtol=1e-8, atol=1e-9, max_step=0.2)
    speed = theirs.y[0::2].T
    force = coupler_by_numpy(theirs.y[1::2], np.diff(-theirs.y[0::2], axis=0)).T
    np.testing.assert_allclose(ours.speed, speed, rtol=1e-4)
    np.testing.assert_allclose(ours.force, force, atol=1e-3 * np.abs(force).max())
    assert np.abs(force).max() > 200e3
