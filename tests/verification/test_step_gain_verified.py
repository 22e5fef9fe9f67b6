"""Wheelsets in phase: exact cosine, exact receptance and exact statics of an oscillator; spectral radius of the step
of a wheelset on two contact springs by the eigenvalues of its matrices."""

import numpy as np
import pytest
from scipy.linalg import eigh

from flexwheel.base.shipped import EXAMPLES
from flexwheel.numerics.integration import beta_in_phase
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import keeps_phase, phase_lines
from flexwheel.vehicle.step.simulate import LoopSettings, prepared
from flexwheel.vehicle.step.step_gain import CONTACT_STIFFNESS, RESOLVED, _stable, gain_in_phase
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


def seen(omega, stiffness, mass, beta):
    """Eigenvalue nearest to 1 of M^-1 K D, D the displacement by the acceleration of a swing of `omega` a step."""
    s = 4.0 * np.sin(0.5 * omega) ** 2
    values = np.linalg.eigvals(np.linalg.solve(mass, stiffness * (1.0 / s - beta)))
    return float(values[np.argmin(np.abs(values - 1.0))].real)


@pytest.mark.parametrize("contact", [0.0, 0.4])
def test_box_on_stiff_journal_shapes_keeps_its_frequency(contact):
    """Rigid mass 10, a box of mass 1 that loads it and, in each of two directions, one of two equal shapes of 3.4 rad;
    a third shape without it. With 1/4 for the shapes the box's swing of 0.9 rad a step would be (w h)^2/12 too slow."""
    n = 9
    mass, stiffness = np.diag([10.0] * 6 + [1.0] * 3), np.zeros((n, n))
    for rigid, shape in ((1, 6), (2, 7)):
        to_box = np.zeros(n)
        to_box[[rigid, shape]] = 1.0, 3.6
        mass += np.outer(to_box, to_box)
    angle = np.array([3.4, 3.4, 2.9])
    stiffness[6:, 6:] = np.diag(angle**2)
    stiffness[1, 1] = contact
    full = np.full(n, 1.0 / 6.0)
    less, part = _stable(full, stiffness, mass, np.array([0, 0, 1]), angle < RESOLVED, 0.75)
    assert part == 1.0
    assert less[6] == less[7], "a turned pair"
    values, vectors = eigh(stiffness, mass)
    first = np.flatnonzero(values > 0.5)[0]
    omega = float(np.sqrt(values[first]))
    assert 0.8 < omega < 1.0
    # of fourth order: the omega^4/240 of a beta of its own for 1/12, and what the limit of stability took
    assert abs(seen(omega, stiffness, mass, 0.25 - less) - 1.0) < 0.01
    assert abs(seen(omega, stiffness, mass, 0.25 - np.where(np.arange(n) < 6, full, 0.0)) - 1.0) > 0.1
    assert radius_of(mass, stiffness, 0.25 - less, 1.0) < 1.0 + 1e-7


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


@pytest.mark.parametrize(("step", "kept"), [(1e-4, True), (1e-3, False)])
def test_a_step_too_long_for_stability_is_not_called_in_phase(step, kept):
    """At 1 ms the stiff contact leaves 0.38 of 1/4 - 1/12, so that frequencies hang on the step."""
    keys = "wheelset.front.formulation=rigid", "track.model=rigid", f"run.step_s={step}", f"run.output_step_s={step}"
    s = build_simulation(read_scenario(EXAMPLES / "as4_curve.toml", keys), {})
    prepared(s.model, s.state, s.rail_state, s.work, LoopSettings(in_phase=True))
    assert keeps_phase(s) == kept and bool(phase_lines(s)) != kept
