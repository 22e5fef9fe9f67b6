"""Suspension elements against closed forms: Maxwell element, Jenkins element, clamped beam, stop.

Also the door: what a user may get wrong ends in one ScenarioError that names the element and the key.
"""

import numpy as np
import pytest
from force_steps import accept, forces, propose

from flexwheel.assess.linear.suspension_matrices import suspension_matrices
from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.elements.columns import Poses, make_suspension_state
from flexwheel.vehicle.suspension_elements import pack_suspension, read_element
from flexwheel.vehicle.suspension_linear import linear_elements

BODIES = {"a": 0, "b": 1}
NOMINAL = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
LINE = dict(body_a="a", point_a_m=[0, 0, 0], body_b="b", point_b_m=[0, 0, 0])


def pack(spec):
    return pack_suspension([read_element(spec, BODIES, "elements.e1")], NOMINAL)


def force_on_b(elements, displacement, velocity=0.0, axis=2, state=None):
    """Force on b along `axis` when b is displaced and moves along it."""
    position, v = NOMINAL.copy(), np.zeros((2, 3))
    position[1, axis] += displacement
    v[1, axis] = velocity
    pose = Poses(position, np.array([np.eye(3)] * 2), v, np.zeros((2, 3)))
    state = make_suspension_state(elements) if state is None else state
    return forces(elements, pose, state)[1, axis], pose


def march(elements, motion, dt, steps):
    state, history = make_suspension_state(elements), []
    for i in range(1, steps + 1):
        _, pose = force_on_b(elements, motion(i * dt))
        propose(elements, pose, dt, state)
        history.append(force_on_b(elements, motion(i * dt), 0.0, 2, state)[0])
        accept(state)
    return np.array(history)


def test_series_damper_follows_the_maxwell_element_exactly_on_a_ramp():
    c, k, speed, dt = 3e4, 6e6, 0.2, 2e-3
    spec = dict(kind="damper", damping_n_s_per_m=c, series_stiffness_n_per_m=k, **LINE)
    force = march(pack(spec), lambda t: speed * t, dt, 20)
    t = dt * np.arange(1, 21)
    np.testing.assert_allclose(force, -c * speed * (1 - np.exp(-k / c * t)), rtol=1e-10)


@pytest.mark.parametrize("tabulated", [False, True])
def test_series_damper_is_second_order_on_a_harmonic_motion(tabulated):
    c, k, w = 3e4, 6e6, 60.0
    law = dict(damping_n_s_per_m=c)
    if tabulated:
        law = dict(force_table=dict(velocity_m_per_s=[-10.0, 0.0, 10.0], force_n=[-10 * c, 0.0, 10 * c]))
    elements = pack(dict(kind="damper", series_stiffness_n_per_m=k, **law, **LINE))
    errors = []
    for dt in (2e-3, 1e-3, 5e-4):
        steps = round(1.0 / dt)
        force = march(elements, lambda t: 1e-3 * np.sin(w * t), dt, steps)
        t = dt * np.arange(1, steps + 1)
        exact = -1e-3 * np.imag(1j * w * c * k / (k + 1j * w * c) * np.exp(1j * w * t))
        errors.append(np.abs(force - exact)[steps // 2 :].max() / np.abs(exact).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 1.9).all() and errors[-1] < 1e-3


def test_friction_sticks_slides_and_holds():
    k, limit = 5e6, 4e3
    elements = pack(dict(kind="friction_damper", friction_force_n=limit, series_stiffness_n_per_m=k, **LINE))
    path = np.array([0.4e-3, 0.8e-3, 2e-3, 5e-3, 4.5e-3, 3.5e-3, 3.3e-3, 0.0])
    state, forces = make_suspension_state(elements), []
    for x in path:
        _, pose = force_on_b(elements, x)
        propose(elements, pose, 1e-3, state)
        forces.append(force_on_b(elements, x, 0.0, 2, state)[0])
        accept(state)
    slider = [0, 0, 1.2e-3, 4.2e-3, 4.2e-3, 4.2e-3, 4.1e-3, 0.8e-3]
    np.testing.assert_allclose(forces, -k * (path - slider), atol=1e-6)
    # held load: the force stays whatever time passes
    for _ in range(1000):
        propose(elements, pose, 1.0, state)
        accept(state)
    np.testing.assert_allclose(force_on_b(elements, path[-1], 0.0, 2, state)[0], forces[-1], rtol=1e-12)


def test_coil_spring_is_the_clamped_beam():
    """Stiffness of a uniform beam clamped to both bodies: 12 EI/L^3, 6 EI/L^2, 4 EI/L, 2 EI/L."""
    ei, length = 2.0e4, 0.5
    spec = dict(
        kind="coil_spring",
        body_a="a",
        point_a_m=[0, 0, 0.25],
        body_b="b",
        point_b_m=[0, 0, -0.25],
        stiffness_n_per_m=[12 * ei / length**3] * 2 + [5e5],
        rotational_stiffness_n_m_per_rad=[ei / length, ei / length, 0.0],
    )
    elements = pack_suspension([read_element(spec, BODIES, "e")], NOMINAL)
    pose = Poses(NOMINAL, np.array([np.eye(3)] * 2), np.zeros((2, 3)), np.zeros((2, 3)))
    stiffness, _ = suspension_matrices(elements, pose, make_suspension_state(elements))
    # to the ends of the beam: x displacement of the end = x + lever * turn about y
    t = np.zeros((12, 4))  # (u_a, th_a, u_b, th_b) at the ends -> displacements of the centres
    t[0, 0], t[0, 1], t[4, 1] = 1.0, -0.25, 1.0
    t[6, 2], t[6, 3], t[10, 3] = 1.0, 0.25, 1.0
    l = length
    beam = (ei / l**3) * np.array(
        [
            [12, 6 * l, -12, 6 * l],
            [6 * l, 4 * l * l, -6 * l, 2 * l * l],
            [-12, -6 * l, 12, -6 * l],
            [6 * l, 2 * l * l, -6 * l, 4 * l * l],
        ]
    )
    np.testing.assert_allclose(t.T @ stiffness @ t, beam, atol=1e-6 * beam.max())


def test_stop_pushes_beyond_its_clearance_only():
    spec = dict(
        kind="bump_stop", axis=[0, 0, 2], clearance_m=[0.01, 0.02], stiffness_n_per_m=1e6, damping_n_s_per_m=1e5
    )
    elements = pack({**spec, **LINE})
    assert force_on_b(elements, 0.0199)[0] == 0.0
    assert force_on_b(elements, -0.0099)[0] == 0.0
    np.testing.assert_allclose(force_on_b(elements, 0.021)[0], -1000.0, rtol=1e-9)
    np.testing.assert_allclose(force_on_b(elements, -0.013)[0], 3000.0, rtol=1e-9)
    assert force_on_b(elements, 0.021, velocity=-0.1)[0] == 0.0  # would pull: the stop lets go


def test_preload_is_the_force_of_the_nominal_pose():
    spring = pack(dict(kind="spring", stiffness_n_per_m=[1, 1, 1e5], preload_n=[0, 0, 7e3], **LINE))
    np.testing.assert_allclose(force_on_b(spring, 0.0)[0], 7e3)
    np.testing.assert_allclose(force_on_b(spring, -0.01)[0], 8e3, rtol=1e-12)  # compressed: pushes b up harder
    rod = pack(dict(kind="traction_rod", stiffness_n_per_m=1e5, preload_n=500.0, **LINE))
    np.testing.assert_allclose(force_on_b(rod, 0.01)[0], -1500.0, rtol=1e-12)  # tension pulls b back


def test_linear_elements_keep_the_damper_and_the_stuck_slider():
    series = pack(dict(kind="damper", damping_n_s_per_m=3e4, series_stiffness_n_per_m=6e6, **LINE))
    pose = Poses(NOMINAL, np.array([np.eye(3)] * 2), np.zeros((2, 3)), np.zeros((2, 3)))
    _, damping = suspension_matrices(linear_elements(series, series=False), pose, make_suspension_state(series))
    np.testing.assert_allclose(damping[8, 8], 3e4, rtol=1e-8)  # for models without a state for the piston
    stiffness, damping = suspension_matrices(linear_elements(series), pose, make_suspension_state(series))
    np.testing.assert_allclose(stiffness[8, 8], 6e6, rtol=1e-8)  # piston held: its own state moves it
    np.testing.assert_allclose(damping[8, 8], 0.0, atol=1e-3)
    friction = pack(dict(kind="friction_damper", friction_force_n=1.0, series_stiffness_n_per_m=5e6, **LINE))
    for mode, expected in (("sticking", 5e6), ("sliding", 0.0)):
        elements = linear_elements(friction, mode)
        stiffness, _ = suspension_matrices(elements, pose, make_suspension_state(friction))
        np.testing.assert_allclose(stiffness[8, 8], expected, rtol=1e-8)


SPRING = dict(kind="spring", stiffness_n_per_m=[1.0, 1.0, 1.0], **LINE)
DAMPER = dict(kind="damper", damping_n_s_per_m=1.0, **LINE)
TABLE = dict(velocity_m_per_s=[-1.0, 0.0, 1.0], force_n=[-1.0, 0.0, 1.0])


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ({**SPRING, "kind": "sprung"}, "kind"),
        ({**SPRING, "stifness_n_per_m": 1}, "stifness_n_per_m"),
        ({**SPRING, "stiffness_n_per_m": [1.0, -1.0, 1.0]}, "stiffness_n_per_m"),
        ({**SPRING, "stiffness_n_per_m": [1.0, float("nan"), 1.0]}, "stiffness_n_per_m"),
        ({**SPRING, "stiffness_n_per_m": 1.0}, "three numbers"),
        ({**SPRING, "stiffness_n_per_m": ["1", "x", "2"]}, "three numbers"),
        ({k: v for k, v in SPRING.items() if k != "stiffness_n_per_m"}, "stiffness_n_per_m"),
        ({k: v for k, v in SPRING.items() if k != "point_a_m"}, "point_a_m"),
        ({**SPRING, "body_b": "c"}, "body_b"),
        ({**SPRING, "body_b": "a"}, "must be two bodies"),
        ({**SPRING, "axes_of": "c"}, "axes_of"),
        ({**DAMPER, "damping_n_s_per_m": -1.0}, "damping_n_s_per_m"),
        ({**DAMPER, "damping_n_s_per_m": True}, "damping_n_s_per_m"),
        ({**DAMPER, "series_stiffness_n_per_m": 0.0}, "series_stiffness_n_per_m"),
        ({**DAMPER, "force_table": TABLE}, "damping_n_s_per_m"),
        ({"kind": "damper", "force_table": {**TABLE, "force_n": [-1.0, 0.0, -2.0]}, **LINE}, "must not fall"),
        ({"kind": "damper", "force_table": {**TABLE, "force_n": [0.0, 1.0, 2.0]}, **LINE}, "at rest"),
        ({"kind": "damper", "force_table": {**TABLE, "force_n": [0.0, 1.0]}, **LINE}, "equal length"),
        ({"kind": "damper", "force_table": {**TABLE, "velocity_m_per_s": [0, 0, 1]}, **LINE}, "ascend"),
        ({"kind": "friction_damper", "friction_force_n": 1.0, **LINE}, "series_stiffness_n_per_m"),
        ({"kind": "bump_stop", "axis": [0, 0, 0], "clearance_m": 0.1, **LINE}, "axis"),
        ({"kind": "bump_stop", "axis": [0, 0, 1], "clearance_m": -0.1, **LINE}, "clearance_m"),
        ({"kind": "bump_stop", "axis": [0, 0, 1], "clearance_m": [1, 2, 3], **LINE}, "clearance_m"),
    ],
)
def test_bad_input_names_the_element_and_the_key(spec, word):
    with pytest.raises(ScenarioError, match=word) as error:
        read_element(spec, BODIES, "vehicle.toml: suspension[3]")
    assert "vehicle.toml: suspension[3]" in str(error.value)


def test_axial_element_without_length_is_refused():
    spec = {**DAMPER, "point_b_m": [0, 0, -1.0]}
    with pytest.raises(ScenarioError, match="coincide"):
        pack(spec)
