"""Flexible rail in time against exact solutions: clamped beam, travelling load on a Winkler foundation, receptance."""

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

from flexwheel.assess.linear.moving_receptance import moving_receptance
from flexwheel.numerics.integration import newmark, park
from flexwheel.track.flexible_assembly import make_elements
from flexwheel.track.flexible_build import make_full_length, make_window
from flexwheel.track.rail_types import D, V
from flexwheel.track.receptance import receptance
from flexwheel.track.timoshenko import clamped_compliance
from flexwheel.track.track_parameters import (
    Fastener,
    FlexibleTrack,
    Foundation,
    SupportSpring,
    flexible_track,
    rail_section,
)
from flexwheel.verification.benches.static_track import rail_static_compliance, solve_static

NONE = SupportSpring(0.0)


def drive(model, coefficients, start, speed, forces):
    """Head displacement and material velocity (2, n, 4) under one wheel that travels from start with forces (n, 4)."""
    state = make_state(model, 1, coefficients.depth, start)
    e, e_dot, e_slope = np.zeros(4), np.zeros(4), np.zeros(4)
    compliance, mobility = np.zeros((4, 4)), np.zeros((4, 4))
    out = np.zeros((2, len(forces), 4))
    for n, force in enumerate(forces):
        s = start + speed * coefficients.dt * (n + 1)
        shift(model, state, s)
        predict_and_free(model, state, coefficients)
        rail_free_at(model, state, 0, s, 0, e, e_dot, e_slope)
        rail_compliance_at(model, state, s, 0, compliance, mobility)
        out[:, n] = e + compliance @ force, e_dot + mobility @ force
        add_rail_force(model, state, 0, s, 0, force)
        assert finish(model, state, coefficients) == 0
    return out


def smooth(t, ramp):
    x = np.clip(t / ramp, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


def test_clamped_element_at_midspan():
    bending, shear, length = 6.4e6, 2.5e8, 0.6
    deflection, cross, rotation = clamped_compliance(0.5, length, bending, shear)
    exact = length**3 / (192.0 * bending) + length / (4.0 * shear)
    np.testing.assert_allclose(deflection, exact, rtol=1e-13)
    assert abs(cross) < 1e-20 and rotation > 0.0


def test_clamped_element_beside_midspan():
    """Stiff in shear, load at a from one end, b from the other: a^3 b^3/(3 EI l^3), turn a^2 b^2 (b - a)/(2 EI l^3)."""
    bending, l, a, b = 6.4e6, 0.6, 0.15, 0.45
    deflection, slope, _ = clamped_compliance(a / l, l, bending, 1e20)
    assert deflection == pytest.approx((a * b / l) ** 3 / (3.0 * bending), rel=1e-9)
    assert slope == pytest.approx((a * b) ** 2 * (b - a) / (2.0 * bending * l**3), rel=1e-9)


def test_static_compliance_does_not_depend_on_the_elements_and_equals_the_endless_track():
    track, coefficients = flexible_track(), newmark(5e-5)
    for s in (0.0, 0.13, 0.3):
        exact = receptance(track, s, s, [1e-3], loss_factors=False)[0].real
        scale = np.sqrt(np.outer(np.diag(exact), np.diag(exact)))
        for elements in (1, 2, 4):
            model = make_window(track, coefficients, window_bays=80, elements=elements)
            error = np.abs(rail_static_compliance(model, s) - exact) / scale
            assert np.max(error[1:, 1:]) < 1e-7, "statics of the element are exact; 40 bays hold the deflection"
            assert np.max(error) < 0.02, "axial deflection is cut off by the window's ends"


def winkler_deflection(rail, stiffness, damping, speed):
    """Deflection [m/N] under a constant travelling load on a Timoshenko beam with k [N/m2], c [N s/m2], by Fourier."""
    limit = 400.0
    k = np.linspace(-limit, limit, 400001)
    w = -k * speed
    loss = 1.0 + 1j * w * rail.stiffness_damping
    bending = rail.youngs_modulus * rail.second_moment_vertical * loss
    shear = rail.shear_factor_vertical * rail.shear_modulus * rail.area
    mass, rotary = rail.density * rail.area, rail.density * rail.second_moment_vertical
    upper = shear * loss * k**2 - mass * w**2 + stiffness + 1j * w * damping
    lower = bending * k**2 + shear * loss - rotary * w**2
    inside = np.trapezoid(1.0 / (upper - (shear * loss * k) ** 2 / lower), k).real / (2.0 * np.pi)
    return inside + 1.0 / (np.pi * shear * limit)


@pytest.mark.parametrize("speed", [22.2, 100.0])
def test_travelling_load_on_winkler_foundation(speed):
    rail, bay, k, c = rail_section("uic60"), 0.2, 6.67e7, 3.3e3
    seat = SupportSpring(k * bay, c * bay)
    track = FlexibleTrack(rail, Fastener(seat, seat, NONE, SupportSpring(6e4)), None, None, bay)
    coefficients = newmark(1e-4)
    model = make_window(track, coefficients, window_bays=150, elements=1, layer_bays=25)
    t = coefficients.dt * np.arange(1, 2001)
    forces = np.zeros((len(t), 4))
    forces[:, 2] = -5e4 * smooth(t, 0.08)
    mean = np.mean(drive(model, coefficients, 50.0, speed, forces)[0, -900:, 2])
    exact = -5e4 * winkler_deflection(rail, k, c, speed)
    assert abs(mean / exact - 1.0) < 1e-3, "0.07 % measured: supports every 0.2 m stand for the continuum"


def test_turning_of_the_head_under_a_rolling_load_has_no_comb():
    """Material velocity along the rail under a vertical load, which is creepage: exact periodic rail."""
    track, steps, bays = flexible_track(), 200, 6
    coefficients = newmark(5e-5)
    speed = track.bay / steps / coefficients.dt
    model = make_window(track, coefficients, window_bays=90, elements=4)
    forces = np.zeros((16 * steps, 4))
    forces[:, 2] = smooth(np.arange(len(forces)) / steps, 4.0)
    velocity = drive(model, coefficients, 20.0, speed, forces)[1, -bays * steps :, 0]
    first = 20.0 / track.bay + (len(forces) - bays * steps + 1) / steps
    order = np.arange(6)  # of the sleeper passing; the fourth is the element passing
    found = np.fft.fft(velocity)[bays * order] / len(velocity) * np.exp(-2j * np.pi * order * first)
    exact = moving_receptance(track, speed, 0.0, (0.0,), 5, speed / track.bay).velocity[0, 5:, 0, 0, 2]
    limit = (2.0 * np.pi * order[-1] / steps) ** 2 / 12.0  # of the step's waves at the highest order: 2e-3
    assert np.max(np.abs(found - exact)) < limit * np.max(np.abs(exact)), "6e-2 at rest and 2e-2 in element passing"


@pytest.mark.parametrize(
    "component, frequency, s", [(2, 180.0, 30.0), (2, 700.0, 30.13), (1, 300.0, 30.3), (3, 90.0, 30.2)]
)
def test_harmonic_load_in_time_against_the_frequency_domain(component, frequency, s):
    track, coefficients = flexible_track(), newmark(2.5e-5)
    model = make_full_length(track, coefficients, 60.0, layer_bays=25, layer_rate=300.0)
    t = coefficients.dt * np.arange(1, 3201)
    forces = np.zeros((len(t), 4))
    forces[:, component] = smooth(t, 0.03) * np.cos(2.0 * np.pi * frequency * t)
    answer, _ = drive(model, coefficients, s, 0.0, forces)
    periods = int(0.03 * frequency)
    late = t > t[-1] - periods / frequency
    wave = np.stack((np.cos(2.0 * np.pi * frequency * t[late]), -np.sin(2.0 * np.pi * frequency * t[late])), axis=1)
    found = np.linalg.lstsq(wave, answer[late], rcond=None)[0]
    exact = receptance(track, s, s, [frequency], elements=16, loss_factors=False)[0, :, component]
    error = np.abs(found[0] + 1j * found[1] - exact)
    scale = np.abs(exact[component])
    assert error[component] < 0.01 * scale, "0.09 dB; step of 2.5e-5 s, 30 ms of settling"


def energy(parts, model, rail, sleeper, track):
    """Energy of rails (Elements `parts`), fasteners, semi-sleepers and foundation; d and v (2, ...) of both."""
    total = 0.0
    for matrix, row in ((parts.stiffness, D), (parts.mass, V)):
        for lane in range(4):
            x = rail[row][:, :, lane]
            values = np.hstack([x[:-1, :3], x[1:, :3], x[:-1, 3:]])
            total += 0.5 * np.einsum("ni,ij,nj->", values, matrix[lane // 2], values)
    seat, f, b, m = rail[D][:: model.elements], track.fastener, track.foundation, track.sleeper
    z, y, _, roll = np.moveaxis(sleeper[D], 1, 0)
    foot = seat[:, 0, 2:] + track.rail.shear_centre_height * seat[:, 2, 2:]
    along = seat[:, 2, :2] + track.rail.centroid_height * seat[:, 1, :2]
    for spring, stretch in (
        (f.vertical, seat[:, 0, :2] - z),
        (f.lateral, foot - y),
        (f.roll, seat[:, 2, 2:] - roll),
        (f.longitudinal, along),
        (b.vertical, z),
        (b.lateral, y),
        (b.roll, roll),
    ):
        total += 0.5 * spring.stiffness * np.sum(stretch**2)
    inertia = np.array([m.mass, m.mass, 0.0, m.roll_inertia])[:, None]
    return total + 0.5 * np.sum(inertia * sleeper[V] ** 2)


@pytest.mark.parametrize(("elements", "length", "bays"), [(4, 12.0, 20), (3, 12.6, 22), (3, 13.2, 22)])
def test_energy_is_kept_without_damping_and_falls_with_it(elements, length, bays):
    """An even number of elements in all, so that there is a middle node, is made up by one more bay."""
    rail = replace(rail_section("uic60"), stiffness_damping=0.0)
    known = flexible_track()
    for damping, rate in ((0.0, 0.0), (3e3, 0.0), (0.0, 500.0)):
        seat, base = SupportSpring(2e8, damping), SupportSpring(4e7)
        roll = SupportSpring(3e5)
        track = FlexibleTrack(rail, Fastener(seat, seat, seat, roll), known.sleeper, Foundation(base, base, roll))
        coefficients = newmark(2e-4)
        model = make_full_length(track, coefficients, length, elements, layer_bays=5 if rate else 0, layer_rate=rate)
        assert len(model.place) == bays * elements + 1
        state = make_state(model, 1, 1)
        parts = make_elements(track.rail, track.bay, model.elements, "matched", coefficients)
        solve_static(model, state, [(0, 5.13, 0, [2e4, 1e4, -1e5, 2e3]), (0, 5.13, 1, [0.0, -2e4, -7e4, 0.0])])
        values = []
        for _ in range(301):
            before = state.rail[:2].copy(), state.sleeper[:2].copy()
            predict_and_free(model, state, coefficients)
            finish(model, state, coefficients)
            nodes, sleepers = ended(model, before[0], state.rail[:2]), ended(model, before[1], state.sleeper[:2])
            values.append(energy(parts, model, nodes, sleepers, track))
        if damping == 0.0 and rate == 0.0:
            np.testing.assert_allclose(values, values[0], rtol=1e-9, err_msg="the trapezoidal rule keeps it; rounding")
        else:
            assert values[-1] < 0.9 * values[0]
            assert np.all(np.diff(values) < 1e-9 * values[0])


@pytest.mark.parametrize("make", [newmark, park])
def test_standing_wheels_stay_in_equilibrium(make):
    coefficients = make(5e-5)
    model = make_window(flexible_track(), coefficients, vehicle_length=4.2)
    state = make_state(model, 2, coefficients.depth, 100.0)
    loads = [(0, 100.13, 0, np.array([3e3, -1e4, -1e5, 500.0])), (1, 95.9, 1, np.array([0.0, 5e3, -8e4, 0.0]))]
    solve_static(model, state, loads)
    before = state.rail[D].copy()
    for _ in range(50):
        predict_and_free(model, state, coefficients)
        for load in loads:
            add_rail_force(model, state, *load)
        finish(model, state, coefficients)
    drift = np.max(np.abs(state.rail[D] - before)) / np.max(np.abs(before))
    assert drift < 2e-6, "columns of the inverse mass are cut at 1e-5 of their peak"
