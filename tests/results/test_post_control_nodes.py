"""Control nodes: the same field must give the same answers whatever mesh motion it was stored in."""

import dataclasses

import numpy as np
import pytest
import scipy
from scipy.spatial.transform import Rotation
from synthetic import ORDERS, ring_rows, synthetic_body, synthetic_results

from flexwheel.body.stress import von_mises
from flexwheel.results.evaluate.control_nodes import control_node_results
from flexwheel.results.evaluate.histories import wheelset_history, with_control_nodes, wrench_in_frame
from flexwheel.results.evaluate.mode_turning import mode_turning, turned
from flexwheel.results.evaluate.residual_motion import add_residual_motion, influence_spline

DURATION, STEP = 0.3, 2e-4


@pytest.fixture(scope="module")
def body():
    return synthetic_body()


def results_of(body, mode, rates="spatial"):
    run = synthetic_results(body, mode, rates, duration=DURATION, step=STEP)
    return control_node_results(body, wheelset_history(run, "front"))


@pytest.mark.parametrize(("mode", "rates"), [("eulerian", "material"), ("lagrangian", "material")])
def test_same_field_same_answers(body, mode, rates):
    reference = results_of(body, "eulerian", "spatial")
    other = results_of(body, mode, rates)
    for name, value in reference.items():
        scale = np.abs(value).max()
        # rounding: rates are differences of terms about (n Omega / omega) times larger
        np.testing.assert_allclose(other[name], value, rtol=0, atol=1e-9 * scale, err_msg=name)


def test_rotating_node_follows_the_ring(body):
    """At the time its angle is phi, the rotating node has the displacement of the place phi."""
    run = synthetic_results(body, "eulerian", duration=DURATION, step=STEP)
    history = wheelset_history(run, "front")
    got = control_node_results(body, history, modal_only=True)["displacement"][:, 0, 0]
    at = ring_rows(3, 11)[1]
    expected = 0.03 * np.einsum("tih,th->ti", at(history.spin), history.modal_position)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_a_press_fit_adds_its_stress_to_that_of_the_rotating_node(body):
    held = np.random.default_rng(4).normal(size=body.control.prestress.shape)
    fitted = dataclasses.replace(body, control=dataclasses.replace(body.control, prestress=held))
    before, after = results_of(body, "lagrangian"), results_of(fitted, "lagrangian")
    added = held[np.arange(2), body.control.home]
    np.testing.assert_allclose(
        (after["stress"] - before["stress"])[:, :, 0], added[None] + 0 * before["stress"][:, :, 0], atol=1e-6
    )
    np.testing.assert_array_equal(after["displacement"], before["displacement"])


def test_rates_are_derivatives_of_the_rotating_node(body):
    """Velocity and acceleration of the rotating node against central differences of its displacement."""
    run = synthetic_results(body, "lagrangian", duration=0.02, step=2e-6, lines=40)
    got = control_node_results(body, wheelset_history(run, "front"), modal_only=True)
    u, v, a = (got[name][:, :, 0] for name in ("displacement", "velocity", "acceleration"))
    first = np.gradient(u, 2e-6, axis=0)[2:-2]
    second = np.gradient(v, 2e-6, axis=0)[2:-2]
    # central differences at 1300 Hz: (omega dt)^2 / 6 = 4.5e-5
    np.testing.assert_allclose(v[2:-2], first, rtol=0, atol=1e-4 * np.abs(v).max())
    np.testing.assert_allclose(a[2:-2], second, rtol=0, atol=1e-4 * np.abs(a).max())


def test_residual_rates_are_derivatives_of_the_rotating_node(body):
    """With the static residual, under loads that change and a wheel that turns; the ends are reflected."""
    run = synthetic_results(body, "lagrangian", duration=0.01, step=2e-6, lines=40)
    history = wheelset_history(run, "front")
    time, up = 2e-6 * np.arange(len(history.spin)), 4e3 * (np.arange(6) == 5)  # [rad/s2] on top: it spins up
    history = dataclasses.replace(
        history, spin=history.spin + 0.5 * up[5] * time**2,
        body_velocity=history.body_velocity + time[:, None] * up, body_acceleration=history.body_acceleration + up,
    )  # fmt: skip
    whole, modal = (control_node_results(body, history, modal_only) for modal_only in (False, True))
    u, v, a = (
        (whole[name] - modal[name])[:, :, 0] for name in ("displacement", "velocity", "acceleration")
    )  # the residual alone, which the modes would hide
    inner = slice(610, 890)  # 600 samples see an end, and the ramp of one load from 1500 on
    first, second = (np.gradient(x, 2e-6, axis=0)[inner] for x in (u, v))
    # central differences at 900 Hz, the highest of the loads: (omega dt)^2 / 6 = 2.1e-5
    np.testing.assert_allclose(v[inner], first, rtol=0, atol=1e-4 * np.abs(first).max())
    np.testing.assert_allclose(a[inner], second, rtol=0, atol=1e-4 * np.abs(second).max())


def test_an_angle_that_is_no_number_spoils_its_sample_alone(body):
    """Results of a run that failed may end so; the place in the table of influences would be no index."""
    history = wheelset_history(synthetic_results(body, "lagrangian", duration=0.01, step=1e-4), "front")
    spin = np.where(np.arange(len(history.spin)) < 60, history.spin, np.nan)
    whole, damaged = (
        control_node_results(body, x)["stress"] for x in (history, dataclasses.replace(history, spin=spin))
    )
    assert np.all(np.isnan(damaged[60:, :, 0]))
    np.testing.assert_array_equal(damaged[:60], whole[:60])


def test_particle_at_the_fixed_point_moves_as_the_rotating_node_there(body):
    """At the place of the rotating node the particle under the fixed point is that node: all rates agree."""
    run = synthetic_results(body, "eulerian", duration=0.02, step=1e-4)
    history = wheelset_history(run, "front")
    at_home = dataclasses.replace(history, spin=np.zeros_like(history.spin))  # it turns, but is seen at its place
    for name, value in control_node_results(body, at_home).items():
        atol = 1e-12 * np.abs(value).max()
        np.testing.assert_allclose(value[:, :, 0], value[:, :, 1], rtol=0, atol=atol, err_msg=name)


def test_absolute_acceleration_of_a_rolling_rigid_wheel(body):
    """Steady rolling without flexibility: centripetal acceleration towards the axle, nothing else."""
    run = synthetic_results(body, duration=0.01, step=1e-4)
    history = wheelset_history(run, "front")
    zero = {n: np.zeros_like(getattr(history, n)) for n in ("modal_position", "modal_velocity", "modal_acceleration")}
    velocity = np.zeros_like(history.body_velocity)
    velocity[:, 5] = 48.3
    quiet = dataclasses.replace(
        history, **zero, body_velocity=velocity, body_acceleration=np.zeros_like(history.body_acceleration)
    )
    got = control_node_results(body, quiet, modal_only=True)["absolute_acceleration"]
    radius = np.abs(body.control.position[:, 2])
    expected = np.zeros_like(got)
    expected[..., 2] = 48.3**2 * radius[None, :, None]
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("turning", [3, 4], ids=["yaw", "roll"])
def test_absolute_acceleration_of_a_spinning_axle_that_turns(body, turning):
    """Second derivative of the place of a point of the rigid wheel, by differences, at the instant of no turn."""
    turn, spin = np.array([0.3, 7.0]), np.array([48.3, 20.0])  # rate and its rate
    history = wheelset_history(synthetic_results(body, duration=0.003, step=1e-3), "front")
    state = np.zeros((2, 1, 6))
    state[:, 0, turning], state[:, 0, 5] = turn, spin
    none = np.zeros((1, len(ORDERS)))
    still = dataclasses.replace(
        history, spin=np.zeros(1), body_velocity=state[0], body_acceleration=state[1], modal_position=none,
        modal_velocity=none, modal_acceleration=none,
    )  # fmt: skip
    got = control_node_results(body, still, modal_only=True)["absolute_acceleration"][0]
    for node, x in enumerate(body.control.position):

        def place(t, x=x):
            angles = (rate * t + 0.5 * change * t * t for rate, change in (turn, spin))
            return Rotation.from_euler("ZY" if turning == 3 else "XY", list(angles)).apply(x)

        h = 1e-5
        wanted = (place(h) - 2.0 * place(0.0) + place(-h)) / h**2
        np.testing.assert_allclose(got[node, 0], wanted, atol=1e-4 * np.abs(wanted).max())  # rounding: 1e-16 / h^2


def test_residual_of_fixed_point_is_home_row_times_load(body):
    run = synthetic_results(body, duration=0.01, step=1e-4)
    history = wheelset_history(run, "front")
    with_residual = control_node_results(body, history)["stress"][:, :, 1]
    without = control_node_results(body, history, modal_only=True)["stress"][:, :, 1]
    control = body.control
    expected = np.einsum("cnwk,twk->tcn", control.tread_stress[:, 0], history.tread_wrench)
    expected += np.einsum("cnwk,twk->tcn", control.interface_stress[:, 0], history.interface_wrench)
    for name in ("tread", "interface"):
        rate = getattr(history, f"{name}_rate")
        second, fourth = getattr(control, f"{name}_stress_dynamic")[:, :, 0]
        expected -= np.einsum("cnwk,twk->tcn", second, rate[:, 1])
        expected += np.einsum("cnwk,twk->tcn", fourth, rate[:, 3])
    np.testing.assert_allclose(with_residual - without, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_ring_interpolation_agrees_with_exact_turning(body):
    """A body not known to be of revolution takes the fixed point from a periodic spline through its sections."""
    run = synthetic_results(body, "lagrangian", duration=DURATION, step=STEP)
    exact = control_node_results(body, wheelset_history(run, "front"), modal_only=True)["displacement"][:, :, 1]
    general = dataclasses.replace(body, order=np.full(len(ORDERS), -1))
    got = control_node_results(general, wheelset_history(run, "front"), modal_only=True)["displacement"][:, :, 1]
    # cubic between 48 sections: (n step)^4 / 384 = 6e-5 of the n = 3 part
    np.testing.assert_allclose(got, exact, rtol=0, atol=1e-4 * np.abs(exact).max())


@pytest.mark.parametrize("mixed", [False, True])
def test_turning_is_the_exponential_of_the_generator(mixed):
    """Pairs of one order, which turn into themselves, and a generator whose square is not diagonal."""
    rng = np.random.default_rng(6)
    generator = np.zeros((7, 7))
    for i, order in ((0, 1), (2, 2), (4, 3)):
        generator[i, i + 1], generator[i + 1, i] = -order, order
    if mixed:
        basis = np.linalg.qr(rng.normal(size=(7, 7)))[0]
        generator = basis @ generator @ basis.T
    turning, w = mode_turning(generator), rng.normal(size=(5, 7))
    assert (turning.vectors is None) is not mixed
    angle = np.array([-400.0, -1.0, 0.0, 0.3, 900.0])
    expected = [scipy.linalg.expm(generator * (a % (2.0 * np.pi))) @ row for a, row in zip(angle, w, strict=True)]
    np.testing.assert_allclose(turned(turning, w, angle), expected, rtol=0, atol=1e-11)  # 2700 rad rounded


def test_turning_is_a_group(body):
    rng = np.random.default_rng(5)
    w = rng.normal(size=(7, len(ORDERS)))
    a, b = rng.uniform(-9, 9, (2, 7))
    turning = mode_turning(body.generator)
    np.testing.assert_allclose(turned(turning, turned(turning, w, a), b), turned(turning, w, a + b), atol=1e-13)
    np.testing.assert_allclose(turned(turning, w, np.zeros(7)), w, atol=1e-14)


def test_wrench_in_frame_keeps_length_and_turns_back():
    rng = np.random.default_rng(6)
    wrench = rng.normal(size=(5, 2, 6))
    yaw, roll = rng.normal(size=(2, 5))
    got = wrench_in_frame(wrench, yaw, roll)
    np.testing.assert_allclose(np.linalg.norm(got[..., :3], axis=-1), np.linalg.norm(wrench[..., :3], axis=-1))
    quarter = wrench_in_frame(np.array([[[1.0, 0, 0, 0, 0, 0]]]), np.array([np.pi / 2]), np.zeros(1))
    np.testing.assert_allclose(quarter[0, 0, :3], [0.0, -1.0, 0.0], atol=1e-15)
    axes = Rotation.from_euler("ZX", np.stack([yaw, roll], axis=1))
    for wheel in range(2):
        np.testing.assert_allclose(axes.apply(got[:, wheel, 3:]), wrench[:, wheel, 3:], atol=1e-12)


def test_von_mises_of_simple_states():
    states = np.array([[2.0, 0, 0, 0, 0, 0], [0, 0, 0, 3.0, 0, 0], [5.0, 5, 5, 0, 0, 0]])
    np.testing.assert_allclose(von_mises(states), [2.0, 3.0 * np.sqrt(3.0), 0.0], atol=1e-14)


def test_dataset_gets_named_control_nodes(body):
    run = synthetic_results(body, duration=0.01)
    full = with_control_nodes(run, {"front": body})
    assert list(full.control_node.values) == ["front web_fillet_right", "front tread_right"]
    assert full.von_mises.attrs["units"] == "Pa"
    assert full.attrs["stress"] == "with static residual"
    chosen = full.radial_displacement.sel(control_node="front tread_right", point="fixed")
    assert chosen.shape == run.time.shape


@pytest.mark.parametrize("sections", [12, 13])
def test_splines_of_influences_pass_through_fouriers_series(sections):
    """Motion and stress under moving loads, by the periodic spline through 16 values of the series to a section."""
    random = np.random.default_rng(1)
    table = random.normal(size=(sections, 9, 2, 5))
    finer = scipy.signal.resample(table, 16 * sections)
    knots = np.linspace(0.0, 2.0 * np.pi, len(finer) + 1)
    spline = scipy.interpolate.CubicSpline(knots, np.concatenate([finer, finer[:1]]), bc_type="periodic")
    angle, loads, rates = (
        random.uniform(-9.0, 9.0, 50),
        random.normal(size=(50, 5, 5)),
        np.tile([30.0, 4.0], (50, 1)),
    )
    found = np.zeros((50, 15))
    add_residual_motion(influence_spline(table), loads, angle, rates, found)
    value, slope, curvature = (spline(angle % (2.0 * np.pi), order) for order in range(3))  # (T, 9, 2, 5)

    def total(influence, derivative):
        return sum(np.einsum("trk,tk->tr", influence[:, :, m], loads[:, 2 * m + derivative]) for m in range(2))

    moved, turned_by = total(value, 0), total(slope, 0)[:, :3]
    velocity = 30.0 * turned_by + total(value, 1)[:, :3]
    acceleration = 900.0 * total(curvature, 0)[:, :3] + 4.0 * turned_by + 60.0 * total(slope, 1)[:, :3]
    acceleration += total(value, 2)[:, :3]
    for part, expected in zip(
        np.split(found, [3, 6, 9], axis=1), (moved[:, :3], velocity, acceleration, moved[:, 3:]), strict=True
    ):
        np.testing.assert_allclose(part, expected, rtol=0, atol=1e-11 * np.abs(expected).max())  # rounding
