"""Wheelsets in phase: exact cosine, exact receptance and exact statics of an oscillator; spectral radius of the step
of a wheelset on two contact springs by the eigenvalues of its matrices."""

import numpy as np
import pytest

from flexwheel.dynamics.step_gain import CONTACT_STIFFNESS, RESOLVED, gain_in_phase
from flexwheel.integration import beta_in_phase
from flexwheel.verification.rigid_limit import coarse_body, wheelset_of
from flexwheel.verification.single_wheelset import SingleWheelset, build


@pytest.mark.parametrize("angle", [1e-3, 0.009, 0.011, 0.3, 1.0, 1.5])
def test_period_is_kept(angle):
    """d'' = -omega^2 d with d_{n+1} - 2 d_n + d_{n-1} = a_n + beta (a_{n+1} - 2 a_n + a_{n-1}), unit step."""
    beta = float(beta_in_phase(angle))
    cosine = np.cos(angle * np.arange(3))
    a = -(angle**2) * cosine
    left = cosine @ (1, -2, 1) - (a[1] + beta * (a @ (1, -2, 1)))
    assert abs(left) < 1e-15 + 1e-11 * angle**2  # rounding; the series below 0.01 is good to 1e-12


def test_receptance_to_fourth_order():
    """1/(w^2 - W^2) of a forced oscillator; equal gains are of second order only."""
    w, driven = 1.0, 0.6
    errors = {"in phase": [], "equal": []}
    for h in (0.8, 0.4):
        discrete = 4.0 * np.sin(0.5 * driven * h) ** 2
        for name, beta in (("in phase", beta_in_phase(w * h)), ("equal", 0.25)):
            square = discrete / (h * h * (1.0 - beta * discrete))  # stands for W^2
            errors[name].append(abs((w**2 - driven**2) / (w**2 - square) - 1.0))
    for name, order in (("in phase", 4.0), ("equal", 2.0)):
        assert abs(np.log2(errors[name][0] / errors[name][1]) - order) < 0.3
    assert errors["in phase"][0] < 0.64 / 20.0 * errors["equal"][0]  # the next term of the series


def radius_of(mass, stiffness, beta, step):
    """Largest modulus of an eigenvalue of the undamped step M a + K d = 0."""
    n = len(mass)
    one, zero = np.eye(n), np.zeros((n, n))
    place = np.hstack([one, step * one, step**2 * np.diag(0.5 - beta)])
    rate = np.hstack([zero, one, 0.5 * step * one])
    new = -np.linalg.solve(mass + stiffness * (beta * step**2), stiffness @ place)
    step_matrix = np.vstack([place + (beta * step**2)[:, None] * new, rate + 0.5 * step * new, new])
    return np.max(np.abs(np.linalg.eigvals(step_matrix)))


def test_wheelset_on_stiff_contacts_is_stable_at_any_step():
    """Shift across and up, and roll, on the stiffest contacts; with 1/12 throughout it is not."""
    case = SingleWheelset()
    mass = np.diag([case.mass, case.mass, case.yaw_inertia])
    rows = np.array([[1.0, 0.0, case.radius], [0.0, 1.0, case.half_distance], [0.0, 1.0, -case.half_distance]])
    stiffness = CONTACT_STIFFNESS * (rows.T @ rows + np.outer(rows[0], rows[0]))
    betas = []
    for step in (2.5e-5, 1e-4, 5e-4, 1e-3, 5e-3):
        built = build(case, 20.0, step)
        gain_in_phase(built.model, built.state, built.work, np.zeros(0))
        beta = built.work.gain[[1, 2, 4]] / step**2
        assert radius_of(mass, stiffness, beta, step) < 1.0 + 1e-7  # double eigenvalue: root of rounding
        betas.append(beta[0])
    assert abs(betas[0] - 1.0 / 12.0) < 1e-12 and betas[-1] > 0.24
    assert radius_of(mass, stiffness, np.full(3, 1.0 / 12.0), 1e-3) > 1.01


def test_resonance_of_a_mode_is_as_high_as_its_damping_has_it():
    """Forced at its own frequency, w'' + 2 r w' + w0^2 w = 1, a mode swings by 1/(2 i r w0) in the step as well."""
    step = 5e-5
    built = build(wheelset_of(coarse_body()), 20.0, step)
    model = gain_in_phase(built.model, built.state, built.work, np.zeros(0))
    wheelsets, h = model.wheelsets, int(model.wheelsets.mode_count[0])
    angle = step * wheelsets.frequency[0, :h]
    assert angle.max() > 0.5
    for k in np.flatnonzero(angle < RESOLVED):  # in steps: displacement, rate and acceleration of a steady swing
        w, rate, beta = angle[k], 2.0 * step * wheelsets.damping[0, k], built.work.gain[6 + k] / step**2
        z = np.exp(1j * w)
        swing = [[z - 1.0, -1.0, -(0.5 - beta) - beta * z], [0.0, z - 1.0, -0.5 - 0.5 * z], [w**2, rate, 1.0]]
        wanted = 0.5 / (1j * step * built.model.wheelsets.damping[0, k] * w)
        assert np.linalg.solve(swing, [0.0, 0.0, 1.0])[0] == pytest.approx(wanted, rel=1e-4)  # rounding of 2 - 2 cos w


def test_stiff_force_elements_leave_the_gains_equal():
    built = build(SingleWheelset(), 20.0, 1e-4)
    built.work.coupling.active[0] = 1
    assert gain_in_phase(built.model, built.state, built.work, np.zeros(0)) is built.model
    np.testing.assert_array_equal(built.work.gain, 0.25e-8)
