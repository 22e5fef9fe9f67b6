"""Any rail model, any force: compliance is the response, forces can be taken back, a window shift changes nothing."""

from dataclasses import replace

import numpy as np
import pytest
from rail_steps import (
    add_rail_force,
    ended,
    finish,
    make_state,
    predict_and_free,
    rail_compliance_at,
    rail_free_at,
    shift,
)
from scipy.integrate import solve_ivp

from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.extensions.rails.inertial import make_inertial
from flexwheel.extensions.rails.massless import make_massless
from flexwheel.numerics.integration import newmark, park
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_track import element_warnings
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.track.flexible_assembly import make_elements
from flexwheel.track.flexible_build import carries_inertia, least_compliance, make_full_length, make_window
from flexwheel.track.flexible_head import add_projections
from flexwheel.track.loaded_element import PROJECTED_SLOPE, head_of_section, loaded_tables, momentum, own_values
from flexwheel.track.rail_mass import element_fields, seen_frequency
from flexwheel.track.rail_match import LEAST_YIELDING
from flexwheel.track.rail_types import D, V
from flexwheel.track.support_law import preloaded_law
from flexwheel.track.track_parameters import SemiSleeper, SupportSpring, flexible_track, rail_section
from flexwheel.verification.benches.static_track import rail_static_compliance, solve_static

STIFFNESS, DAMPING = [2e7, 2e7, 4.4e7, 1e6], [1e4, 0.0, 4e5, 1e3]
COEFFICIENTS = {"newmark": newmark(5e-5), "fox_goodwin": newmark(2e-5, 1.0 / 12.0), "park": park(5e-5)}
HEAVY = replace(rail_section("uic60"), density=9.7e4)  # four times osmium


def model_of(kind, coefficients):
    if kind == "massless":
        return make_massless(STIFFNESS, DAMPING, coefficients)
    if kind == "inertial":
        return make_inertial(80.0, 0.9, STIFFNESS, DAMPING, 0.09, 0.08, coefficients)
    return make_window(flexible_track(), coefficients, vehicle_length=2.4)


def free(model, state, axle, s, side):
    e, e_dot, e_slope = np.zeros(4), np.zeros(4), np.zeros(4)
    rail_free_at(model, state, axle, s, side, e, e_dot, e_slope)
    return e, e_dot, e_slope


@pytest.mark.parametrize("scheme", COEFFICIENTS)
@pytest.mark.parametrize("kind", ["massless", "inertial", "flexible"])
def test_compliance_is_the_response_to_the_own_force(kind, scheme):
    coefficients = COEFFICIENTS[scheme]
    random = np.random.default_rng(1)
    model = model_of(kind, coefficients)
    state = make_state(model, 2, coefficients.depth, 50.0)
    compliance, mobility = np.zeros((4, 4)), np.zeros((4, 4))
    for n in range(12):
        s = 50.0 + 0.11 * n
        shift(model, state, s)
        predict_and_free(model, state, coefficients)
        for axle in range(2):
            for side in range(2):
                x = s - 2.4 * axle
                force = random.normal(0.0, [1e3, 1e4, 1e5, 1e3])
                before = free(model, state, axle, x, side)
                other = free(model, state, axle, x, 1 - side)
                rail_compliance_at(model, state, x, side, compliance, mobility)
                # rounding of the clamped twist, 2e-7 rad/(N m), and of what is taken from it
                np.testing.assert_allclose(compliance, compliance.T, rtol=1e-12, atol=2e-18)
                if kind == "flexible":  # less than the clamped element's by the projection of its inertia
                    assert compliance[2, 2] > -2e-10, "a contact yields by 7e-10; across: docs/spectra.md"
                    assert np.all(np.diag(mobility) > 0.0)
                else:
                    assert np.all(np.linalg.eigvalsh(compliance) > 0.0)
                add_rail_force(model, state, axle, x, side, force)
                after = free(model, state, axle, x, side)
                seen = compliance @ force
                scale = np.max(np.abs(seen))
                np.testing.assert_allclose(after[0] - before[0], seen, rtol=1e-8, atol=1e-9 * scale)
                np.testing.assert_allclose(
                    after[1] - before[1], mobility @ force, rtol=1e-8, atol=1e-9 * np.max(np.abs(mobility @ force))
                )
                np.testing.assert_array_equal(other[0], free(model, state, axle, x, 1 - side)[0])
                if n % 3 == 0:
                    add_rail_force(model, state, axle, x, side, -force)
                    back = free(model, state, axle, x, side)
                    np.testing.assert_allclose(
                        back[0], before[0], rtol=0, atol=1e-12 * (scale + np.max(np.abs(before[0])))
                    )
        finish(model, state, coefficients)


@pytest.mark.parametrize("beta", [0.25, 1.0 / 12.0])
def test_seen_frequency_of_a_cosine(beta):
    """Accelerations -W^2 cos(w n h), weighted as the step does, make its second differences."""
    h, hz = 1e-4, 900.0
    cosine = np.cos(2.0 * np.pi * hz * h)
    seen = seen_frequency(hz, newmark(h, beta))
    assert 2.0 - 2.0 * cosine == pytest.approx((h * seen) ** 2 * (1.0 + 2.0 * beta * (cosine - 1.0)), rel=1e-12)


@pytest.mark.parametrize("mass", ["matched", "blended", "lumped"])
@pytest.mark.parametrize("plane", [0, 1])
def test_momentum_of_a_mirrored_load_is_mirrored(plane, mass):
    """Seen from the other end, rotations across and what lies along the rail change their sign; roll does not."""
    values, forces = ((1.0, -1.0, -1.0), (-1.0, 1.0)) if plane == 0 else ((1.0, -1.0, 1.0), (1.0, 1.0))
    rail = rail_section("uic60")
    parts = make_elements(rail, 0.6, 2, mass, newmark(1e-4))
    near, far = momentum(rail, plane, parts, 0.3), momentum(rail, plane, parts, 0.7)
    np.testing.assert_allclose(far[3:6], np.outer(values, forces) * near[:3], rtol=1e-9, atol=1e-20)
    np.testing.assert_allclose(far[:3], np.outer(values, forces) * near[3:6], rtol=1e-9, atol=1e-20)


@pytest.mark.parametrize("plane", [0, 1])
def test_rate_of_the_projected_momentum(plane):
    """N M^-1 dm/ds of the tables, by differences of m over a length of rail."""
    rail = rail_section("uic60")
    parts = make_elements(rail, 0.6, 2, "matched", newmark(1e-4))
    table, spread = loaded_tables(rail, parts)
    x, ds = 0.37, 1e-4

    def block(row, size, at):
        return np.array([np.polyval(table[:, row + k], at) for k in range(2 * size)]).reshape(2, size)

    ahead, behind = (block(14 * plane, 7, x + sign * ds / parts.length) for sign in (1.0, -1.0))
    values = head_of_section(rail, plane) @ element_fields(x, parts.length, parts.phi[plane], parts.inner[plane])
    wanted = values @ own_values(spread[plane]) @ (ahead - behind).T / (2.0 * ds)
    found = block(PROJECTED_SLOPE + 4 * plane, 2, x)
    np.testing.assert_allclose(found, wanted, atol=1e-5 * np.abs(wanted).max())


def test_slope_is_the_derivative_along_the_rail():
    coefficients = newmark(5e-5)
    model = model_of("flexible", coefficients)
    state = make_state(model, 2, 1, 50.0)
    solve_static(model, state, [(0, 48.0, 0, [5e3, 2e4, -1e5, 1e3])])
    for s in (49.31, 50.07, 50.22, 50.41):
        h = 1e-5
        difference = (free(model, state, 1, s + h, 0)[0] - free(model, state, 1, s - h, 0)[0]) / (2.0 * h)
        np.testing.assert_allclose(free(model, state, 1, s, 0)[2], difference, rtol=1e-5, atol=1e-9)


def test_reciprocity_between_two_wheels():
    coefficients = newmark(2e-4)
    answers = []
    for load, response in ((50.13, 49.2), (49.2, 50.13)):
        model = model_of("flexible", coefficients)
        state = make_state(model, 2, 1, 50.0)
        matrix = np.zeros((4, 4))
        for c in range(4):
            force = np.zeros(4)
            force[c] = 1.0
            predict_and_free(model, state, coefficients)
            add_rail_force(model, state, 0, load, 0, force)
            matrix[:, c] = free(model, state, 1, response, 0)[0]
            add_rail_force(model, state, 0, load, 0, -force)
        answers.append(matrix)
    np.testing.assert_allclose(answers[0], answers[1].T, rtol=1e-6, atol=1e-6 * np.max(np.abs(answers[0])))


@pytest.mark.parametrize("scheme", ["newmark", "park"])
def test_window_shift_carries_every_stored_value(scheme):
    """A window that shifts gives the motion of a track that does not."""
    coefficients = COEFFICIENTS[scheme]
    window = make_window(flexible_track(), coefficients, window_bays=90, layer_bays=0)
    results = []
    for model in (window, make_full_length(flexible_track(), coefficients, 60.0)):
        state = make_state(model, 1, coefficients.depth, 30.31)
        first = state.first_bay[0]
        out = []
        for n in range(160):
            s = 30.31 + 0.0307 * n
            shift(model, state, s)
            predict_and_free(model, state, coefficients)
            add_rail_force(model, state, 0, s, 0, np.array([1e3, 1e4, -1e5 * np.sin(0.2 * n), 100.0]))
            out.append(np.concatenate(free(model, state, 0, s, 0)))
            finish(model, state, coefficients)
        assert (state.first_bay[0] > first) == (model is window)
        results.append(np.array(out))
    scale = np.max(np.abs(results[0]), axis=0)
    assert np.max(np.abs(results[0] - results[1]) / scale) < 1e-11, "rounding; no wave has come back in 8 ms"


@pytest.mark.parametrize("kind", ["massless", "inertial"])
def test_against_an_ordinary_differential_equation(kind):
    coefficients = newmark(2e-5)
    model = model_of(kind, coefficients)
    state = make_state(model, 1, 1)

    def force(t):
        return np.array([2e3, 1e4, -1e5, 800.0]) * np.sin(400.0 * t)

    steps = 1500
    for n in range(steps):
        predict_and_free(model, state, coefficients)
        add_rail_force(model, state, 0, 0.0, 1, force(coefficients.dt * (n + 1)))
        finish(model, state, coefficients)
    e, e_dot, _ = free(model, state, 0, 0.0, 1)
    if kind == "massless":
        k, c = np.array(STIFFNESS), np.array(DAMPING)
        damped = c > 0.0

        def rate(t, x):
            return np.where(damped, (force(t) - k * x) / np.where(damped, c, 1.0), 0.0)

        x = solve_ivp(rate, (0.0, steps * coefficients.dt), np.zeros(4), method="Radau", rtol=1e-9, atol=1e-14).y[:, -1]
        exact = np.where(damped, x, force(steps * coefficients.dt) / k)
        np.testing.assert_allclose(e, exact, rtol=1e-5, atol=1e-10)
        carried = (c * e_dot + k * e)[damped]
        np.testing.assert_allclose(carried, force(steps * coefficients.dt)[damped], rtol=1e-9, err_msg="the law itself")
        return
    k, c = np.array(STIFFNESS[1:]), np.array(DAMPING[1:])
    foot = np.array([[1.0, 0.0, 0.08], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    head = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, -0.09], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    mass = np.diag([80.0, 80.0, 0.9])

    def rate(t, x):
        load = head.T @ force(t) - foot.T @ (k * (foot @ x[:3]) + c * (foot @ x[3:]))
        return np.concatenate((x[3:], np.linalg.solve(mass, load)))

    x = solve_ivp(rate, (0.0, steps * coefficients.dt), np.zeros(6), rtol=1e-10, atol=1e-14).y[:, -1]
    scale = np.abs(head @ x[:3]).max()
    np.testing.assert_allclose(
        e[1:], (head @ x[:3])[1:], rtol=0, atol=1e-3 * scale, err_msg="second order, 3e4 steps/s"
    )


def nonlinear(track, pad, base):
    fastener, foundation = track.fastener, track.foundation
    if pad is not None:
        fastener = replace(fastener, vertical=replace(fastener.vertical, law=pad))
    if base is not None:
        foundation = replace(foundation, vertical=replace(foundation.vertical, law=base))
    return replace(track, fastener=fastener, foundation=foundation)


def test_a_tabulated_linear_law_changes_nothing():
    track, coefficients = flexible_track(), newmark(5e-5)
    k, b = track.fastener.vertical.stiffness, track.foundation.vertical.stiffness
    same = nonlinear(track, ((-1.0, -k), (0.0, 0.0), (1.0, k)), ((-1.0, -b), (1.0, b)))
    ends = []
    for t in (track, same):
        model = make_window(t, coefficients)
        state = make_state(model, 1, 1, 50.0)
        for n in range(100):
            s = 50.0 + 0.01 * n
            shift(model, state, s)
            predict_and_free(model, state, coefficients)
            add_rail_force(model, state, 0, s, 0, np.array([0.0, 0.0, -1e5, 0.0]))
            assert finish(model, state, coefficients) == 0
        ends.append(state.rail[D].copy())
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-10 * np.max(np.abs(ends[0])))


def test_stiffening_pad_and_lift_off_obey_their_laws():
    """After a step every support force is the tabulated one; a lifted semi-sleeper carries no tension."""
    track, coefficients = flexible_track(), newmark(2e-4)
    weight = 1700.0
    pad = preloaded_law(((-0.01, -1e4), (0.0, 0.0), (1e-4, 2e4), (4e-4, 1.6e5)), 2e4)
    base = preloaded_law(((-0.1, 0.0), (0.0, 0.0), (1e-3, 4e4), (2e-3, 1.2e5)), weight)
    model = make_window(nonlinear(track, pad, base), coefficients)
    state = make_state(model, 1, 1, 50.0)
    load = [(0, 50.13, 0, np.array([0.0, 0.0, 3e4, 0.0]))]
    solve_static(model, state, load)
    lifted = state.sleeper[D, :, 0, 0]
    force = -np.interp(-lifted, *np.array(base).T)
    assert np.min(-force) >= -weight * (1.0 + 1e-12), "no more than the dead weight is held from below"
    assert np.sum(lifted > 0.05e-3) >= 3
    before = state.rail[D].copy()
    for _ in range(100):
        predict_and_free(model, state, coefficients)
        add_rail_force(model, state, *load[0])
        assert finish(model, state, coefficients) == 0
    drift = np.max(np.abs(state.rail[D] - before)) / np.max(np.abs(before))
    assert drift < 1e-6, "the dynamic equilibrium is the static one; columns of the inverse mass are cut at 1e-5"
    for _ in range(4):
        predict_and_free(model, state, coefficients)
        add_rail_force(model, state, 0, 50.13, 0, np.array([0.0, 0.0, -1.5e5, 0.0]))
        before, stood = state.rail[:2].copy(), state.sleeper[:2].copy()
        assert finish(model, state, coefficients) == 0
    tension, held = [], []
    state.rail[:2] = ended(model, before, state.rail[:2])[:2]
    sleeper = np.array([x[:, 0, 0] for x in ended(model, stood, state.sleeper[:2])])
    add_projections(handle(state), 0, D, -1.0)  # nodes instead of the projection
    for field, law, spring, out in (
        (state.rail[:2, :: model.elements, 0, 0] - sleeper[:2], pad, track.fastener, tension),
        (sleeper, base, track.foundation, held),
    ):
        table = np.array(law)
        flat = (field[D] > -table[1, 0]) & (table[1, 1] == table[0, 1])
        out.append(-np.interp(-field[D], *table.T) + np.where(flat, 0.0, spring.vertical.damping) * field[V])
    acceleration = track.sleeper.mass * sleeper[2]
    np.testing.assert_allclose(acceleration, tension[0] - held[0], rtol=0, atol=0.05, err_msg="N; 1e-3 per iteration")
    assert np.max(np.abs(acceleration)) > 1e3


def test_static_compliance_of_the_rigid_models():
    model = model_of("inertial", newmark(5e-5))
    foot = np.array([[1.0, 0.0, 0.08], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    head = np.array([[1.0, 0.0, -0.09], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    inverse = np.linalg.inv(foot.T @ np.diag(STIFFNESS[1:]) @ foot)
    np.testing.assert_allclose(rail_static_compliance(model)[1:, 1:], head @ inverse @ head.T, rtol=1e-12)
    np.testing.assert_allclose(
        rail_static_compliance(model_of("massless", newmark(5e-5))), np.diag(1.0 / np.array(STIFFNESS)), rtol=1e-15
    )


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: make_massless([1.0, 1.0], DAMPING, newmark(1e-4)), "four positive"),
        (lambda: make_massless([1.0, 1.0, -1.0, 1.0], DAMPING, newmark(1e-4)), "four positive"),
        (
            lambda: make_inertial(-1.0, 1.0, STIFFNESS, DAMPING, 0.1, 0.1, newmark(1e-4)),
            "mass must be a positive number, got -1.0",
        ),
        (lambda: rail_section("uic61"), "uic60"),
        (
            lambda: replace(rail_section("uic60"), second_moment_lateral=1e-300),
            "second_moment_lateral must be .*got 1e-300",
        ),
        (
            lambda: replace(rail_section("uic60"), youngs_modulus=2.1e5),
            "youngs_modulus must be a number >= 1e[+]09, .*got 210000.0",
        ),
        (lambda: make_elements(HEAVY, 0.6, 2, "matched", newmark(1e-4)), "no element matches its section"),
        (lambda: SupportSpring(float("nan")), "stiffness"),
        (lambda: SemiSleeper(-5.0, 1.0), "mass must be a number > 0, .*got -5.0"),
        (lambda: replace(flexible_track(), bay=-0.6), "bay"),
        (lambda: replace(flexible_track(), sleeper=None), "neither"),
        (lambda: make_window(flexible_track(), newmark(1e-4), window_bays=20), "window_bays must be .* got 20"),
        (lambda: make_window(flexible_track(), newmark(1e-4), elements=0), "elements per bay"),
        (lambda: make_window(flexible_track(), newmark(1e-4), mass="heavy"), "rail mass"),
        (lambda: make_window(flexible_track(), newmark(1e-4), vehicle_length=-3.0), "vehicle_length"),
        (lambda: make_full_length(flexible_track(), newmark(1e-4), 5.0), "at least 20 bays"),
        (lambda: make_window(flexible_track(), newmark(5e-5, 1.0 / 12.0)), "the step must be below .* on this track"),
        (lambda: preloaded_law(((0.0, 0.0), (1e-3, 1e4)), 2e4), "outside"),
        (lambda: preloaded_law(((0.0, 0.0), (0.0, 1e4)), 5.0), "compressions must rise"),
        (
            lambda: make_window(nonlinear(flexible_track(), ((0.0, 5.0), (1.0, 6.0)), None), newmark(1e-4)),
            r"must pass \(0, 0\)",
        ),
        (
            lambda: make_window(nonlinear(flexible_track(), None, ((-1.0, 9.0), (1.0, -9.0))), newmark(1e-4)),
            "must not fall",
        ),
    ],
)
def test_refused(make, words):
    with pytest.raises(ScenarioError, match=words):
        make()


def test_state_of_the_flexible_rail_starts_at_rest():
    model = model_of("flexible", newmark(5e-5))
    state = make_state(model, 2, 1, 100.0)
    assert not state.rail.any() and not state.sleeper.any()
    assert state.first_bay[0] * model.bay < 100.0 - 2.4 - 25 * model.bay


def test_compliance_within_a_step_is_upright_where_elements_suit_it():
    """Too long elements (-1e-8 m/N with 1 at 10 us) carry their own deflection without its inertia.

    Elements of twice the best length may be a little below zero: what the match asks of them is LEAST_YIELDING.
    """
    cases = (2, 1e-4, True), (4, 5e-5, True), (4, 2e-5, True), (8, 1e-5, True), (1, 1e-5, False)
    for elements, step, carries in cases:
        model = make_window(flexible_track(), newmark(step), elements=elements, window_bays=61)
        suits = model.bay / elements < 1.2 * 3000.0 * step
        assert least_compliance(model) > (0.0 if suits or not carries else LEAST_YIELDING)
        assert carries_inertia(model) == carries
        assert [f"{elements} at a step of" in line for line in lines_of(elements, step, model)] == [True] * (
            not carries
        )


def lines_of(elements, step, model):
    """Lines of element_warnings on long elements; what else is wrong with the rails is taken."""
    keys = [f"track.elements_per_bay={elements}", "track.rail_mass=consistent"]
    track = read_scenario_source(EXAMPLES / "as4_curve.toml", keys).scenario.track
    return [line for line in element_warnings(track, newmark(step), model) if "too long for the step" in line]
