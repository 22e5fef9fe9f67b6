"""Linear matrices of every shipped vehicle are the differences of the time step's residual; a series damper exactly."""

import numpy as np
import pytest

from flexwheel.assess.linearise import DISPLACEMENT_STEP, RATE_STEP, SIDES, derivative, eigenvalues, linearise
from flexwheel.base.errors import ScenarioError
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.vehicle.step.balance import balance, balance_arguments
from flexwheel.vehicle.suspension_linear import relaxations

VEHICLES = ("as4", "manchester_v1", "ml95", "free_wheelset", "freight_wagon")
SCENARIO = """
[run]
speed_kmh = 90.0
duration_s = 0.01
[vehicle]
file = "{vehicle}"
[track]
model = "rigid"
layout = [{{ kind = "straight", length_m = 100.0 }}]
[irregularity]
spectrum = "none"
roughness = "none"
"""
RIGID = np.zeros((4, 4))


def standing(tmp_path, vehicle, accept=()):
    path = tmp_path / "straight.toml"
    path.write_text(f"accept = {list(accept)}\n" + SCENARIO.format(vehicle=vehicle))
    s = build_simulation(read_scenario(path, []), {})
    return s, (s.model, s.assembly, s.state, s.work, s.contact_work, RIGID)


@pytest.mark.parametrize("vehicle", VEHICLES)
def test_matrices_are_differences_of_the_residual(vehicle, tmp_path):
    """Contact forces follow the motion, pistons are held; their own rates from a step of the suspension."""
    s, arguments = standing(tmp_path, vehicle)
    linear = linearise(*arguments)
    q, v, a, _ = linear.steady
    compiled = balance_arguments(s.model, s.state, s.work, s.contact_work)
    forces, offset = np.zeros(s.state.wrench.shape), np.zeros((*s.state.wrench.shape[:2], 3, 4))
    spring = s.work.spring_state
    series, _ = relaxations(s.model.suspension)
    assert len(series) == len(linear.state_rate)

    def residual(dq, dv, da, dz, dt=-1.0):
        s.work.q[:], s.work.qd[:], s.work.qdd[:] = q + dq, v + dv, a + da
        spring.accepted[series, 0] += dz
        for _ in range(2):  # forces of the law, then the equations under them
            balance(*compiled, RIGID, offset, dt, forces)
            s.state.wrench[:] = forces
        spring.accepted[series, 0] -= dz
        return s.work.residual.copy()

    def piston_rates(dq, dz):
        """(p(dt) - p) / dt for dt to 0, of the step's own update of the pistons."""
        found = []
        for dt in (2e-6, 1e-6):
            residual(dq, nothing, nothing, dz)
            length = spring.proposed[series, 1].copy()  # at which the step stays
            held = spring.accepted.copy()
            spring.accepted[series, 0] += dz
            spring.accepted[series, 1] = length
            s.work.q[:], s.work.qd[:] = q + dq, v
            balance(*compiled, RIGID, offset, dt, forces)
            found.append((spring.proposed[series, 0] - spring.accepted[series, 0]) / dt)
            spring.accepted[:] = held
        return 2.0 * found[1] - found[0]

    nothing, still = np.zeros(len(q)), np.zeros(len(series))
    residual(nothing, nothing, nothing, still, 0.0)
    spring.accepted[:] = spring.proposed
    size, states = len(q), len(series)
    # the contact law has no derivative finer than its strips where a patch begins (ML95: three patches a wheel, 1e-3
    # of the stiffness between steps of 0.25 and 0.5 um): the comparison takes the steps of the linearisation
    for place, matrix, step in (
        (0, linear.stiffness, DISPLACEMENT_STEP),
        (1, linear.damping, RATE_STEP),
        (2, linear.mass, 1.0),
        (3, linear.state_force, DISPLACEMENT_STEP),
    ):
        found = np.empty((size, matrix.shape[1]))
        for k in range(matrix.shape[1]):
            change = [nothing, nothing, nothing, still]
            unit = np.arange(matrix.shape[1]) == k
            found[:, k] = derivative(
                [residual(*change[:place], side * step * unit, *change[place + 1 :]) for side in SIDES], step
            )
        assert matrix.shape[1] == 0 or np.abs(found - matrix).max() < 1e-6 * np.abs(matrix).max()
    if states == 0:
        return
    rates = np.empty((states, size + states))
    for k in range(size + states):
        unit = np.arange(size + states) == k
        rates[:, k] = derivative(
            [piston_rates(side * 1e-5 * unit[:size], side * 1e-5 * unit[size:]) for side in SIDES], 1e-5
        )
    exact = np.hstack([linear.state_drive, linear.state_rate])
    assert np.abs(rates - exact).max() < 1e-6 * np.abs(exact).max()


BODY = """
name = "body beside a wheelset"
source = "test"
[wheel]
radius_m = 0.46
flange_back_m = 1.36
[bodies.body]
mass_kg = {mass}
roll_inertia_kg_m2 = 500.0
pitch_inertia_kg_m2 = 500.0
yaw_inertia_kg_m2 = 500.0
position_m = [0.0, 0.0, 1.5]
[wheelsets.wheelset]
position_m = 0.0
mass_kg = 10000.0
roll_inertia_kg_m2 = 800.0
spin_inertia_kg_m2 = 100.0
journal_y_m = 1.0
[elements.carrier]
kind = "spring"
body_a = "body"
sides = "middle"
point_a_m = [0.0, 0.0, 0.0]
point_b_m = [0.0, 0.0, 0.0]
axes_of = "b"
stiffness_n_per_m = [0.0, {stiffness}, 1e6]
rotational_stiffness_n_m_per_rad = [1e6, 1e6, 1e6]
static_share = "body"
[elements.pull]
kind = "spring"
other_body = "body"
point_a_m = [0.0, 0.0, 0.0]
point_b_m = [0.0, 0.0, 0.0]
stiffness_n_per_m = [1e6, 0.0, 0.0]
[elements.damper]
kind = "damper"
body_a = "body"
sides = "middle"
point_a_m = [0.0, 0.0, 0.0]
point_b_m = [0.0, 1.0, 0.0]
{law}
series_stiffness_n_per_m = {series}
"""
MASS, STIFFNESS, DAMPING, SERIES = 1000.0, 2e5, 2e4, 5e5
LINEAR = f"damping_n_s_per_m = {DAMPING}"
KINK = "force_table = { velocity_m_per_s = [-1.0, 0.0, 1.0], force_n = [-1e4, 0.0, 3e4] }"


def hung_body(tmp_path, law, accept=()):
    path = tmp_path / "body.toml"
    path.write_text(BODY.format(mass=MASS, stiffness=STIFFNESS, series=SERIES, law=law))
    return standing(tmp_path, path, accept)


def test_series_damper_is_the_third_order_system(tmp_path):
    """m y'' + k y + f = 0, f' = s y' - (s/c) f: roots of the cubic."""
    s, arguments = hung_body(tmp_path, LINEAR)
    found, _ = eigenvalues(linearise(*arguments))
    rate = SERIES / DAMPING
    cubic = [1.0, rate, (STIFFNESS + SERIES) / MASS, rate * STIFFNESS / MASS]
    for root in np.roots(cubic):
        if root.imag >= 0.0:
            assert np.abs(found - root).min() < 1e-6 * abs(root)


def test_two_slopes_are_refused_or_said(tmp_path):
    s, arguments = hung_body(tmp_path, KINK)
    with pytest.raises(ScenarioError, match="damper body.*1e\\+04 N s/m.*3e\\+04"):
        linearise(*arguments)
    linear = linearise(*arguments, accepted=("kink",))
    assert "damper body" in linear.warnings[0]
    cubic = [1.0, SERIES / 2e4, (STIFFNESS + SERIES) / MASS, SERIES / 2e4 * STIFFNESS / MASS]  # the mean: 2e4 N s/m
    assert np.abs(eigenvalues(linear)[0] - np.roots(cubic)[0]).min() < 1e-6 * abs(np.roots(cubic)[0])
