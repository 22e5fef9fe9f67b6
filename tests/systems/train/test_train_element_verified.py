"""Force element with hidden vehicles against the train by itself, one body per vehicle, and scipy's Radau as a host."""

from dataclasses import replace

import numpy as np
import pytest
from made_once import made_once
from scipy.integrate import solve_ivp

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.train.driving import BY_TIME, Driving, fresh_controls
from flexwheel.systems.train.external import vehicle_force
from flexwheel.systems.train.hidden_vehicles import Ends
from flexwheel.systems.train.resistance import resistance_coefficients
from flexwheel.systems.train.route import Route
from flexwheel.systems.train.simulate_train import (
    TrainRun,
    paper_bodies,
    simulate,
    simulate_bodies,
    simulate_driven,
    simulate_with_elements,
)
from flexwheel.systems.train.vehicle_element import (
    accept_step,
    element_forces,
    element_rates,
    element_start,
    end_mass,
    make_element,
)
from tests.systems.train.train_small import BAR, FRICTION_COUPLER, LOCOMOTIVE, freight_train

HILLS = Route(
    np.array([-5000.0, 0.0, 400.0, 1000.0, 1500.0, 2500.0, 50000.0]),
    np.array([0.0, 0.0, 0.006, -0.004, 0.003, 0.0, 0.0]),
    np.array([0.0, 0.0, 0.0, 1 / 500.0, 0.0, 0.0, 0.0]),
    "hills",
)
DRIVE = Driving(
    BY_TIME,
    np.array([0.0, 10.0, 40.0, 50.0, 80.0, 90.0, 200.0]),
    np.array([[0.0, 8.0, 8.0, 0.0, -6.0, 0.0, 0.0]]),
    np.array([0.0, 60.0, 75.0, 110.0]),
    np.array([0.0, 0.5, 0.0, 0.8]),
)
RUN = TrainRun(freight_train(12, 2, 1), HILLS, DRIVE, 100.0, 8.0, 160.0)
"""Start, climb, curve, dynamic brake, two applications of the air brake, stop."""


@pytest.fixture(scope="module")
def alone():
    return simulate(RUN)


def agree(a, b, force, speed):
    """Largest forces, their couplings, and speeds of two runs of the same train."""
    for side, sign in ((0, 1), (1, -1)):
        peak_a, peak_b = sign * a.peak_force[:, side], sign * b.peak_force[:, side]
        assert peak_a.max() == pytest.approx(peak_b.max(), rel=force)
        assert peak_a.argmax() == peak_b.argmax()
        np.testing.assert_allclose(peak_a, peak_b, atol=force * peak_a.max())
    assert np.abs(a.speed - b.speed).max() < speed * a.speed_max


@pytest.mark.parametrize("rake_bodies", [1, 2])
def test_elements_against_the_train_alone(alone, rake_bodies):
    """The paper's layout: locomotives and wagons on the rakes' pairs as bodies, bars at the elements' ends."""
    bodies = paper_bodies(RUN.train, rake_bodies)
    hosted = simulate_with_elements(RUN, bodies)
    agree(alone, hosted, 2e-4, 2e-4)
    assert hosted.speed[-1].max() == 0.0
    np.testing.assert_allclose(hosted.position, alone.position, atol=2e-3)


def test_one_body_per_vehicle_against_the_train_alone():
    """No groups: a bar's force as that of a very stiff spring equals the reaction found in the group."""
    fine = replace(RUN, tolerance=1e-5)
    agree(simulate(fine), simulate_bodies(fine), 2e-3, 1e-3)


def test_bars_in_the_first_group():
    """A train that begins with a pair on a bar: its reaction equals the force of a stiff spring in its place."""
    train = freight_train(8, 1)
    order = [1, 2, 3, 4, 0, 5, 6, 7, 8]  # two pairs ahead of the locomotive
    couplers = [BAR, FRICTION_COUPLER] * 2 + [FRICTION_COUPLER, BAR, FRICTION_COUPLER, BAR]
    train = replace(
        train, vehicles=tuple(train.vehicles[i] for i in order), couplers=tuple(couplers), delay=np.zeros(9)
    )
    run = replace(RUN, train=train, tolerance=1e-5, duration=55.0)
    a, b = simulate(run), simulate_bodies(run)
    top = np.abs(a.peak_force).max()
    np.testing.assert_allclose(a.peak_force, b.peak_force, atol=2e-3 * top)
    np.testing.assert_allclose(a.force[1:], b.force[1:], atol=5e-3 * top)
    assert np.abs(a.peak_force[0]).max() > 0.05 * top


def test_paper_layouts():
    """Train 2: 6 bodies, 2 x 49 hidden; train 4: 7 bodies, 4 x 59 hidden, from the tail 1, 61, 121 (loco), 122, 182."""
    two = paper_bodies(freight_train(50, 2, 2), 1)
    assert [104 - b for b in two] == [104, 103, 53, 52, 51, 1]
    four = paper_bodies(freight_train(120, 2, 1), 2)
    assert [243 - b for b in four] == [243, 242, 182, 122, 121, 61, 1]
    hidden = np.diff(four) - 1
    assert sorted(hidden) == [0, 0, 59, 59, 59, 59]


def test_element_in_a_general_integrator():
    """Two bodies and one element, integrated by scipy's Radau: largest forces within 0.1 % of the train alone.

    Radau knows nothing of trains: it gets the rates of two bodies and of the element's states. The last hidden wagon
    rides with the rear body on a rigid bar; the first coupler joins the locomotive. Stretch without standstill.
    """
    train = freight_train(10, 1)
    run = TrainRun(train, HILLS, DRIVE, 100.0, 8.0, 60.0, tolerance=1e-6)
    reference, driven = simulate_driven(run)
    rear = len(train.vehicles) - 1
    element = make_element(train, HILLS, 0, rear, own=(False, False))
    controls = fresh_controls(driven, 60.0)
    controls.level[:] = driven.level
    controls.commands.time[0], controls.commands.target[0], controls.commands.count[0] = 60.0, 0.5, 1
    mass = np.array([train.mass[0], train.mass[rear]]) + end_mass(element)
    assert end_mass(element) == (0.0, 100e3)
    own = resistance_coefficients(train.mass[rear], 4, 1.0)
    head = replace(run, train=type(train)((LOCOMOTIVE,), (), np.zeros(1, dtype=int), np.zeros(1)))
    from flexwheel.systems.train.relative_equations import new_state
    from flexwheel.systems.train.train import pack_train

    chain = pack_train(head.train, HILLS)
    s0 = 100.0 - 0.5 * LOCOMOTIVE.length
    u0 = element_start(element, s0, 8.0)
    length = float(element.chain.gap.sum())
    assert length == pytest.approx(16.5 + 9 * 11.0)
    engine = new_state(chain)
    engine.direction[0] = 1.0

    def rates(t, y):
        s_f, v_f, s_r, v_r = y[:4]
        du = np.empty(len(u0))
        own_states, ends = np.ascontiguousarray(y[4:]), Ends(*y[:4])
        f_front, f_rear = element_rates(t, own_states, ends, made_once(controls), made_once(element), du)
        engine.v[0] = v_f
        f_loco = vehicle_force(0, 0, t, s_f, *(made_once(part) for part in (engine, controls, chain)))[0]
        gradient = np.interp(s_r, HILLS.distance, HILLS.gradient)
        curvature = np.interp(s_r, HILLS.distance, HILLS.curvature)
        f_tail = -(own[0] + own[1] * v_r + own[2] * v_r**2 + own[3] * curvature) - train.mass[rear] * 9.81 * gradient
        return np.concatenate([[v_f, (f_front + f_loco) / mass[0], v_r, (f_rear + f_tail) / mass[1]], du])

    y0 = np.concatenate([[s0, 8.0, s0 - length, 8.0], u0])
    t_eval = np.arange(0.0, 60.01, 1.0)
    solution = solve_ivp(rates, (0, 60.0), y0, method="Radau", t_eval=t_eval, rtol=1e-6, atol=1e-7, max_step=0.5)
    assert solution.success
    top = reference.peak_force[:, 0].max()
    force = np.zeros((len(t_eval), len(train.vehicles)))
    for k, (t, y) in enumerate(zip(t_eval, solution.y.T, strict=True)):
        dy = rates(t, y)
        element_forces(dy[1], dy[3], made_once(element), force[k])
    np.testing.assert_allclose(force[1:, :-1], reference.force[1:], atol=1e-3 * top)
    np.testing.assert_allclose(solution.y[1], reference.speed[:, 0], rtol=2e-4)
    np.testing.assert_allclose(solution.y[3], reference.speed[:, -1], rtol=2e-4)


def test_action_and_reaction_with_hidden_masses():
    """End forces differ by what the hidden masses take: F_front + F_rear = external on hidden - sum m a."""
    train = freight_train(10, 1)
    element = make_element(train, HILLS, 0, 9)
    controls = fresh_controls(DRIVE, 10.0)
    random = np.random.default_rng(5)
    u = element_start(element, 500.0, 8.0)
    hidden = len(u) // 2
    u[:hidden] = random.uniform(-0.08, 0.08, hidden)
    u[hidden:] += random.uniform(-0.05, 0.05, hidden)
    du = np.empty(len(u))
    length = float(element.chain.gap.sum())
    ends = Ends(500.0, 8.02, 500.0 - length - u[:hidden].sum() - 0.03, 7.99)
    front, rear = element_rates(1.0, u, ends, made_once(controls), made_once(element), du)
    masses = element.chain.group_mass[1:-1]
    external = element.rates.external
    total = front + rear + (masses * du[hidden:]).sum()
    assert total == pytest.approx(external.sum(), rel=1e-9)


def test_hidden_vehicles_are_held_at_standstill():
    """Ends at rest, all at rest on a gradient the resistance can hold: no rate, and accept_step keeps it so."""
    train = freight_train(10, 1)
    route = Route(np.array([-1e4, 1e4]), np.full(2, 3e-4), np.zeros(2), "slight")
    element = make_element(train, route, 0, 9)
    controls = fresh_controls(DRIVE, 10.0)
    u = element_start(element, 500.0, 0.0)
    du = np.empty(len(u))
    ends = Ends(500.0, 0.0, 500.0 - float(element.chain.gap.sum()), 0.0)
    for t in (0.0, 1.0, 2.0):
        accept_step(t, u, ends, made_once(controls), made_once(element))
        element_rates(t, u, ends, made_once(controls), made_once(element), du)
        assert np.all(du == 0.0)


def test_bodies_that_cannot_be_are_refused():
    with pytest.raises(ScenarioError, match="joined by rigid bars only"):
        simulate_with_elements(RUN, (0, 2, 3, len(RUN.train.vehicles) - 1))
    with pytest.raises(ScenarioError, match="first and last body must be 1"):
        simulate_with_elements(RUN, (1, 5))
