"""Suspension elements: no net force or moment, springs conserve energy, dampers and friction only take it."""

import numpy as np
import pytest
from force_steps import accept, forces, propose

from flexwheel.assess.linear.suspension_matrices import suspension_matrices
from flexwheel.vehicle.elements.columns import Poses, make_suspension_state
from flexwheel.vehicle.suspension_elements import pack_suspension, read_element

BODIES = {"bogie": 0, "car": 1}
NOMINAL = np.array([[1.0, 0.0, 0.6], [1.2, 0.1, 1.5]])
ENDS = dict(body_a="bogie", point_a_m=[0.3, 0.9, 0.1], body_b="car", point_b_m=[0.1, 0.8, -0.2])
SPRING = dict(kind="spring", stiffness_n_per_m=[2e5, 3e5, 5e5], preload_n=[10.0, -20.0, 9e4], **ENDS)
BAR = dict(kind="anti_roll_bar", roll_stiffness_n_m_per_rad=1e6, body_a="bogie", body_b="car")
CONSERVATIVE = {
    "spring": SPRING,
    "spring_of_b": {**SPRING, "axes_of": "b"},
    "coil": {**SPRING, "kind": "coil_spring"},
    "table": dict(
        kind="spring",
        force_table_z=dict(displacement_m=[-0.1, 0.0, 0.02, 0.1], force_n=[-9e4, 0.0, 1e4, 8e4]),
        **ENDS,
    ),
    "rod": dict(kind="traction_rod", stiffness_n_per_m=2e7, preload_n=-500.0, **ENDS),
    "stop": dict(kind="bump_stop", axis=[0, 1, 0.2], clearance_m=0.01, stiffness_n_per_m=4e6, **ENDS),
}
DISSIPATIVE = {
    "damper": dict(kind="damper", damping_n_s_per_m=3e4, **ENDS),
    "blow_off": dict(
        kind="damper",
        force_table=dict(velocity_m_per_s=[-1, -0.1, 0, 0.1, 1], force_n=[-9e3, -6e3, 0, 5e3, 7e3]),
        **ENDS,
    ),
    "bushing": {
        **SPRING,
        "stiffness_n_per_m": [0, 0, 0],
        "preload_n": [0, 0, 0],
        "damping_n_s_per_m": [1e4, 2e4, 5e3],
    },
    "bar": {**BAR, "roll_stiffness_n_m_per_rad": 0.0, "roll_damping_n_m_s_per_rad": 1e4},
}
STATEFUL = {
    "series": dict(kind="damper", damping_n_s_per_m=3e4, series_stiffness_n_per_m=6e6, **ENDS),
    "series_table": {**DISSIPATIVE["blow_off"], "series_stiffness_n_per_m": 6e6},
    "friction": dict(kind="friction_damper", friction_force_n=4e3, series_stiffness_n_per_m=5e6, **ENDS),
}


def rotation(vector):
    angle = np.linalg.norm(vector)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def pack(*specs):
    return pack_suspension([read_element(s, BODIES, "test") for s in specs], NOMINAL)


class Motion:
    """A smooth relative motion of two bodies that run through a curve: heading of 1 rad and more."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.amplitude = 0.02 * rng.normal(size=(2, 6))
        self.phase = rng.uniform(0, 6, size=(2, 6))
        self.rate = rng.uniform(5, 20, size=(2, 6))

    def pose(self, t):
        heading = rotation(np.array([0.0, 0.0, 1.0 + 0.3 * t]))
        wobble = self.amplitude * np.sin(self.rate * t + self.phase)
        position = (NOMINAL + wobble[:, :3] + np.array([30.0 * t + 500.0, 0, 0])) @ heading.T
        frames = np.array([heading @ rotation(wobble[b, 3:]) for b in range(2)])
        return position, frames

    def state(self, t, h=1e-5):
        position, frames = self.pose(t)
        after, before = self.pose(t + h), self.pose(t - h)
        velocity = (after[0] - before[0]) / (2 * h)
        omega = np.empty((2, 3))
        for b in range(2):
            w = (after[1][b] - before[1][b]) / (2 * h) @ frames[b].T
            omega[b] = 0.5 * np.array([w[2, 1] - w[1, 2], w[0, 2] - w[2, 0], w[1, 0] - w[0, 1]])
        return position, frames, velocity, omega


def wrench(elements, s, state=None):
    return forces(elements, s, make_suspension_state(elements) if state is None else state)


def power(applied, s):
    return (applied[:, :3] * s[2]).sum() + (applied[:, 3:] * s[3]).sum()


@pytest.mark.parametrize("name", [*CONSERVATIVE, *DISSIPATIVE, *STATEFUL, "bar_spring"])
def test_no_net_force_or_moment(name):
    spec = {**CONSERVATIVE, **DISSIPATIVE, **STATEFUL, "bar_spring": BAR}[name]
    elements = pack(spec)
    for seed in range(5):
        s = Motion(seed).state(0.2)
        applied = wrench(elements, s)
        centre = s[0].mean(axis=0)
        moment = applied[:, 3:] + np.cross(s[0] - centre, applied[:, :3])
        scale = np.abs(applied).max() + 1.0
        # rounding of vectors of 500 m in a relative position of 1 m
        np.testing.assert_allclose(applied[:, :3].sum(axis=0), 0.0, atol=1e-13 * scale)
        np.testing.assert_allclose(moment.sum(axis=0), 0.0, atol=1e-11 * scale)


@pytest.mark.parametrize("name", list(CONSERVATIVE))
def test_springs_do_no_work_on_a_closed_path(name):
    elements = pack(CONSERVATIVE[name])
    motion = Motion(1)
    motion.rate[:] = 2 * np.pi * np.array([1, 2, 1, 3, 2, 1])  # period 1 s
    steps = 2000
    values = [power(wrench(elements, s), s) for s in (motion.state(i / steps) for i in range(steps))]
    scale = np.abs(values).mean()
    # trapezoidal rule of a periodic function: spectral for smooth laws, (1/2000)^2 at the kinks of stop
    # and table
    tolerance = 1e-4 if name in ("stop", "table") else 1e-7
    assert abs(np.mean(values)) < tolerance * scale


@pytest.mark.parametrize("name", list(DISSIPATIVE))
def test_dampers_only_take_energy(name):
    elements = pack(DISSIPATIVE[name])
    for seed in range(20):
        s = Motion(seed).state(0.1 * seed)
        assert power(wrench(elements, s), s) <= 1e-9
    rigid = Motion(0)
    rigid.amplitude[:] = 1e-9
    assert np.abs(wrench(elements, rigid.state(0.3))).max() < 1e-2  # difference quotient at 500 m


@pytest.mark.parametrize("name", list(STATEFUL))
def test_inner_states_take_energy_over_a_cycle(name):
    elements, motion = pack(STATEFUL[name]), Motion(2)
    motion.rate[:] = 2 * np.pi
    state, dt = make_suspension_state(elements), 1e-3
    work = []
    for i in range(1, 3001):
        s = motion.state(i * dt)
        propose(elements, s, dt, state)
        work.append(power(wrench(elements, s, state), s) * dt)
        accept(state)
    assert sum(work[2000:]) < -1.0


def test_rigid_motion_of_both_bodies_changes_nothing():
    elements = pack(*CONSERVATIVE.values(), *STATEFUL.values(), BAR)
    reference = wrench(elements, (NOMINAL, np.array([np.eye(3)] * 2), np.zeros((2, 3)), np.zeros((2, 3))))
    turn = rotation(np.array([0.1, -0.2, 1.3]))
    spin = np.array([0.3, 0.1, -0.4])
    position = NOMINAL @ turn.T + np.array([300.0, -80.0, 2.0])
    velocity = np.array([20.0, 1.0, 0.0]) + np.cross(spin, position)
    moved = wrench(elements, (position, np.array([turn] * 2), velocity, np.array([spin] * 2)))
    expected = np.hstack([reference[:, :3] @ turn.T, reference[:, 3:] @ turn.T])
    np.testing.assert_allclose(moved, expected, atol=1e-10 * np.abs(reference).max())


def test_matrices_of_unloaded_springs_are_symmetric_and_leave_rigid_motion_alone():
    specs = [{**CONSERVATIVE[n], "preload_n": [0, 0, 0]} for n in ("spring", "spring_of_b", "coil")] + [BAR]
    elements = pack(*specs)
    s = (NOMINAL, np.array([np.eye(3)] * 2), np.zeros((2, 3)), np.zeros((2, 3)))
    stiffness, damping = suspension_matrices(elements, Poses(*s), make_suspension_state(elements))
    scale = np.abs(stiffness).max()
    np.testing.assert_allclose(stiffness, stiffness.T, atol=1e-7 * scale)  # central differences
    np.testing.assert_allclose(damping, 0.0, atol=1e-7 * scale)
    rigid = np.zeros((12, 6))
    for b in range(2):
        rigid[6 * b : 6 * b + 6, :] = np.eye(6)
        for i in range(3):
            rigid[6 * b : 6 * b + 3, 3 + i] = np.cross(np.eye(3)[i], NOMINAL[b])
    np.testing.assert_allclose(stiffness @ rigid, 0.0, atol=1e-7 * scale)
    assert np.linalg.eigvalsh(0.5 * (stiffness + stiffness.T)).min() > -1e-7 * scale
