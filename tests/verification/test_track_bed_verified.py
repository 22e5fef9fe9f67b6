"""Track bed from a mesh: against a bar in compression (E A / h), rigid ground, and a dense matrix of a track."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from rail_steps import add_rail_force, finish, make_state, predict_and_free, rail_free_at, shift

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.mesh import Material
from flexwheel.body.seat_compliance import seat_compliance
from flexwheel.numerics.integration import newmark
from flexwheel.run.build.build_track import bed_notes, build_supports
from flexwheel.run.keys.reader import read_scenario
from flexwheel.track.bed import bed_matrices
from flexwheel.track.bed import on_bed as on_bed_springs
from flexwheel.track.flexible_build import make_full_length, make_window
from flexwheel.track.receptance import receptance
from flexwheel.track.track_parameters import flexible_track
from flexwheel.verification.benches.static_track import rail_static_compliance, solve_static
from flexwheel.verification.meshes.ballast_bed import BedDimensions, ballast_bed_mesh
from flexwheel.verification.track_models import two_columns

SMALL = BedDimensions(bays=3, width=2.4, depth=0.4, seat_inner=0.3, seat_outer=0.9, cells=(4, 8, 1))


@cache
def small_bed(modulus=1.3e8):
    return seat_compliance(ballast_bed_mesh(SMALL, Material(modulus, 0.2, 1800.0, "BED")), SMALL.bay)


def test_columns_give_a_bar_in_compression():
    """k = E A / h without Poisson effect; base found as the lowest nodes; nothing passes between the columns."""
    e, h, area = 2e8, 0.7, 0.3
    block = seat_compliance(two_columns(e, h, area), 0.6).blocks[0]
    np.testing.assert_allclose(np.diag(block)[:2] * e * area / h, 1.0, rtol=1e-9)
    assert np.max(np.abs(block[0::2, 1::2])) < 1e-12 * block[0, 0]
    beam = h * 12.0 / (e * area**2)
    np.testing.assert_allclose(np.diag(block)[4:], beam, rtol=0.1, err_msg="roll as a bent column, coarse mesh")


def test_compliance_is_reciprocal_positive_and_decays():
    seats = small_bed()
    m = len(seats.blocks) // 2
    np.testing.assert_array_equal(seats.blocks, seats.blocks[::-1].transpose(0, 2, 1))
    assert np.linalg.eigvalsh(seats.blocks[m]).min() > 0.0
    assert seats.asymmetry < 1e-10, "the mesh is symmetric; rounding of its solution"
    assert 0.0 < seats.edge < 0.1


def test_uncoupled_bed_is_springs_in_series():
    track = flexible_track()
    own = np.array([2e-8, 2e-8, 5e-8, 5e-8, 1e-7, 1e-7])
    stiffness, damping = bed_matrices(np.diag(own)[None], track.foundation)
    k, c = np.repeat([4e7, 4e7, 5.2e6], 2), np.repeat([4.7e4, 4.7e4, 6.1e3], 2)
    np.testing.assert_allclose(stiffness[0], np.diag(1.0 / (1.0 / k + own)), rtol=1e-12, atol=1e-6)
    np.testing.assert_allclose(damping[0], np.diag(c / (1.0 + k * own) ** 2), rtol=1e-12, atol=1e-9)


def test_matrices_invert_the_compliance_of_a_long_track():
    """K of 61 bays with the springs' own compliance added: its product with the compliance is one in the middle."""
    bed, base = small_bed().blocks, flexible_track().foundation
    stiffness, _ = bed_matrices(bed, base)
    spring = np.diag(1.0 / np.repeat([4e7, 4e7, 5.2e6], 2))
    m, n, bays = len(bed) // 2, len(stiffness) // 2, 61
    s, k = np.zeros((bays, 6, bays, 6)), np.zeros((bays, 6, bays, 6))
    for j in range(bays):
        s[j, :, j] += spring
        for o in range(-m, m + 1):
            if 0 <= j + o < bays:
                s[j + o, :, j] += bed[m + o]
        for o in range(-n, n + 1):
            if 0 <= j + o < bays:
                k[j, :, j + o] = stiffness[n + o]
    scale = np.sqrt(np.diag(stiffness[n]))
    product = np.einsum("iajb,jbc->iac", k, s[:, :, 30]) * scale[None, None, :] / scale[None, :, None]
    product[30] -= np.eye(6)
    assert np.max(np.abs(product)) < 1e-3, "coupling below 1e-4 of the own stiffness is cut"
    assert np.linalg.eigvalsh(k.reshape(366, 366)).min() > 0.0


def test_stiff_bed_is_rigid_ground():
    coefficients, track = newmark(1e-4), flexible_track()
    rigid = rail_static_compliance(make_window(track, coefficients))
    stiff = rail_static_compliance(make_window(replace(track, bed=small_bed(1.3e14).blocks), coefficients))
    assert np.max(np.abs(stiff - rigid)) < 1e-6 * np.max(rigid)
    np.testing.assert_allclose(np.diag(stiff), np.diag(rigid), rtol=1e-6)


def test_receptance_on_a_bed():
    """At rest that of the run's model; on a bed of separate springs that of the track with springs in series."""
    track = flexible_track()
    on_bed = replace(track, bed=small_bed().blocks)
    static = rail_static_compliance(make_window(on_bed, newmark(1e-4)), 0.13)
    low = receptance(on_bed, 0.13, 0.13, [0.01], elements=2, loss_factors=False)[0].real
    np.testing.assert_allclose(low, static, rtol=2e-4, atol=2e-5 * np.max(static))
    own = np.array([2e-8, 2e-8, 5e-8, 5e-8, 1e-7, 1e-7])
    base = on_bed_springs(replace(track, bed=np.diag(own)[None]))[0]
    frequency = [40.0, 230.0, 900.0]
    for s_load, s_response in ((0.0, 0.0), (0.2, 1.53)):
        ring = receptance(replace(track, bed=np.diag(own)[None]), s_load, s_response, frequency, loss_factors=False)
        endless = receptance(base, s_load, s_response, frequency, loss_factors=False)
        error = np.max(np.abs(ring - endless)) / np.max(np.abs(endless))
        assert error < 1e-4, "what has come once round the ring"


def standing(model, coefficients, s, force, steps=0, settle=True):
    """State under one wheel on the left rail at s, after steps of the run."""
    state = make_state(model, 1, coefficients.depth, s)
    if settle:
        solve_static(model, state, [(0, s, 0, force)])
    e, rates = np.zeros(4), np.zeros((2, 4))
    out = np.zeros((steps, 4))
    for n in range(steps):
        shift(model, state, s)
        predict_and_free(model, state, coefficients)
        add_rail_force(model, state, 0, s, 0, force)
        rail_free_at(model, state, 0, s, 0, e, rates[0], rates[1])
        finish(model, state, coefficients)
        out[n] = e
    return state, out


FORCE = np.array([1e3, 2e4, -8e4, 500.0])


def test_static_state_stays_at_rest_and_neighbours_are_coupled():
    """The run's step finds the same equilibrium as the sparse static solution; the right rail sinks with the left."""
    coefficients = newmark(5e-5)
    track = replace(flexible_track(), bed=small_bed().blocks)
    model = make_window(track, coefficients)
    start = standing(model, coefficients, 30.3, FORCE)[0]
    state, _ = standing(model, coefficients, 30.3, FORCE, steps=200)
    scale = np.max(np.abs(start.sleeper[0]))
    drift = np.max(np.abs(state.sleeper[0] - start.sleeper[0]))
    assert drift < 1e-6 * scale, "columns of the inverse mass are cut at 1e-5; cut at 1e-7 it is below 1e-9"
    assert np.max(np.abs(start.sleeper[0][:, 0, 1])) > 1e-5 * scale


def test_harmonic_load_against_the_receptance():
    """Run of the coupled model under 130 Hz against the ring of bays: explicit coupling, damping, both planes."""
    coefficients, frequency, s = newmark(5e-5), 130.0, 30.0
    track = replace(flexible_track(), bed=small_bed(4e7).blocks)
    model = make_window(track, coefficients, window_bays=100)
    state = make_state(model, 1, coefficients.depth, s)
    e, e_dot, e_slope = np.zeros(4), np.zeros(4), np.zeros(4)
    steps = 4000
    t = coefficients.dt * np.arange(1, steps + 1)
    wave = np.sin(2.0 * np.pi * frequency * t) * np.minimum(1.0, t / 0.05)
    head = np.zeros((steps, 4))
    for n in range(steps):
        predict_and_free(model, state, coefficients)
        add_rail_force(model, state, 0, s, 0, FORCE * wave[n])
        rail_free_at(model, state, 0, s, 0, e, e_dot, e_slope)
        finish(model, state, coefficients)
        head[n] = e
    late = t > 0.1
    phase = 2.0 * np.pi * frequency * t[late]
    fit = np.linalg.lstsq(np.stack([np.sin(phase), np.cos(phase)], axis=1), head[late], rcond=None)[0]
    expected = receptance(track, s, s, [frequency], elements=8, loss_factors=False)[0] @ FORCE
    found = fit[0] + 1j * fit[1]
    np.testing.assert_allclose(found[1:], expected[1:], rtol=5e-3)


def test_window_against_full_length_on_a_bed():
    coefficients = newmark(5e-5)
    track = replace(flexible_track(), bed=small_bed().blocks)
    full, window = make_full_length(track, coefficients, 60.0), make_window(track, coefficients, window_bays=80)
    a = standing(full, coefficients, 30.3, FORCE, steps=120, settle=False)[1]
    b = standing(window, coefficients, 30.3, FORCE, steps=120, settle=False)[1]
    assert np.max(np.abs(a - b)) < 1e-6 * np.max(np.abs(a))


def scenario(tmp_path, *overrides):
    path = tmp_path / "bed.toml"
    path.write_text(
        '[run]\nduration_s = 1.0\nspeed_kmh = 60.0\n[track.foundation]\nmesh = "ballast_bed.inp"\n', encoding="utf-8"
    )
    return read_scenario(path, overrides)


def test_shipped_mesh_in_a_scenario(tmp_path):
    track = scenario(tmp_path).track
    made = seat_compliance(ballast_bed_mesh(), 0.6).blocks
    np.testing.assert_allclose(build_supports(track).bed, made, rtol=1e-6, atol=1e-9 * np.max(made))
    notes = bed_notes(track)
    assert "5.954 nm/N" in notes[0] and "up to 3 bays" in notes[1] and "massless" in notes[1]


@pytest.mark.parametrize(
    "override, error, text",
    [
        ("track.foundation.lift_off=true", ScenarioError, "lift_off"),
        ("track.bay_m=0.7", MeshError, "spacing of 0.7 m"),
        ("track.foundation.mesh=wheelset_coarse.inp", MeshError, "no node sets SEAT_LEFT_1"),
        ("track.foundation.mesh=wheelset_coarse.msh", MeshError, "no material"),
    ],
)
def test_bad_beds_in_a_scenario(tmp_path, override, error, text):
    with pytest.raises(error, match=text) as caught:
        build_supports(scenario(tmp_path, override).track)
    assert "\n" not in str(caught.value)


def test_bad_meshes_are_refused():
    mesh = ballast_bed_mesh(SMALL)
    sets = mesh.node_sets
    without = {k: v for k, v in sets.items() if not k.startswith("SEAT_RIGHT")}
    one_less = {k: v for k, v in sets.items() if k != "SEAT_LEFT_2"}
    swapped = {k.replace("LEFT", "x").replace("RIGHT", "LEFT").replace("x", "RIGHT"): v for k, v in sets.items()}
    for changed, bay, text in (
        ({}, 0.6, "no node sets SEAT_LEFT_1"),
        (without, 0.6, "no node sets SEAT_RIGHT_1"),
        (one_less, 0.6, "same odd number"),
        (sets, 0.65, "sleeper spacing of 0.65 m"),
        (swapped, 0.6, "not to the left"),
        (sets | {"FOUNDATION_BASE": sets["SEAT_LEFT_1"]}, 0.6, "on the clamped base"),
        (sets | {"FOUNDATION_BASE": sets["FOUNDATION_BASE"][:2]}, 0.6, "2 nodes are clamped"),
    ):
        with pytest.raises(MeshError, match=text):
            seat_compliance(replace(mesh, node_sets=changed), bay)
    lifting = replace(flexible_track().foundation.vertical, law=((-0.05, 0.0), (0.0, 0.0), (0.05, 2e6)))
    base = replace(flexible_track().foundation, vertical=lifting)
    with pytest.raises(ScenarioError, match="lift-off"):
        bed_matrices(small_bed().blocks, base)
