"""Reduction of the coarse wheelset against the matrices of its whole mesh (3 N, 3 N), which are exact here."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la
from mass_of_matrix import mass_properties

from flexwheel.body.assembly import assemble
from flexwheel.body.craig_bampton import count_without_split
from flexwheel.body.eigen import natural_modes
from flexwheel.body.reduce import ReductionOptions, reduce_with_shapes
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.tread import profile_operator
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

MESH = wheelset_mesh(refinement=REFINEMENTS["coarse"])
OPTIONS = ReductionOptions(fixed_interface_modes=29, control=("web_fillet_right",))


@pytest.fixture(scope="module")
def matrices():
    return assemble(MESH)


@pytest.fixture(scope="module")
def full(matrices):
    """Flexible modes [Hz] of the whole mesh, to beyond 2 kHz."""
    return natural_modes(*matrices, 60)[0][6:]


@pytest.fixture(scope="module")
def cyclic():
    return reduce_with_shapes(MESH, OPTIONS)


def flat(shapes):
    return shapes.modes.shapes.reshape(MESH.dof_count, -1)


def test_thirty_five_modes_orthonormal_with_diagonal_stiffness(cyclic, matrices):
    stiffness, mass = matrices
    body, modes = cyclic[0], flat(cyclic[1])
    assert body.frequency_hz.shape == (35,)
    np.testing.assert_allclose(modes.T @ (mass @ modes), np.eye(35), atol=1e-10)  # rounding of 9000-term sums
    omega2 = (2 * np.pi * body.frequency_hz) ** 2
    reduced = modes.T @ (stiffness @ modes)
    np.testing.assert_allclose(reduced, np.diag(omega2), atol=1e-10 * omega2[-1])  # same, of the largest entry
    rigid = rigid_modes(MESH.nodes)
    scale = np.sqrt(np.diag(rigid.T @ (mass @ rigid)))
    assert np.abs(rigid.T @ (mass @ modes) / scale[:, None]).max() < 1e-10  # rigid modes dropped, none left inside


def test_frequencies_below_1_khz_are_those_of_the_full_mesh(cyclic, full):
    low = full < 1000.0
    error = np.abs(cyclic[0].frequency_hz[: low.sum()] / full[low] - 1).max()
    print(f"{low.sum()} modes below 1 kHz: largest error {100 * error:.1e} %")
    assert error < 1e-3  # accepted; the modes below 1300 Hz are exact, rounding remains


def test_craig_bampton_alone_is_an_upper_bound(cyclic):
    plain, _ = reduce_with_shapes(MESH, replace(OPTIONS, exact_below_hz=0.0, residual=False))
    exact = cyclic[0].frequency_hz
    low = exact < 1000.0
    excess = plain.frequency_hz[: low.sum()] / exact[low] - 1
    print(f"12 + 29 - 6 modes without exact ones: up to {100 * excess.max():.2f} % high below 1 kHz")
    assert excess.min() > -1e-9  # Rayleigh-Ritz; rounding
    assert excess.max() > 1e-3
    assert len(plain.frequency_hz) == 35


def test_basis_by_frequency_holds_every_mode_below_it_and_the_journals_shapes(matrices, full):
    options = replace(OPTIONS, fixed_interface_modes=None, modes_up_to_hz=2000.0, residual=False)
    body, shapes = reduce_with_shapes(MESH, options)
    low = full < 2000.0
    assert not low[-1]
    np.testing.assert_allclose(body.frequency_hz[: low.sum()], full[low], rtol=1e-8)  # two solvers
    assert len(body.frequency_hz) == low.sum() + 2 * (12 - 6)
    assert any("every circumferential order is complete up to 2000 Hz" in line for line in body.audit)
    mass = matrices[1]
    span = np.hstack([rigid_modes(MESH.nodes), flat(shapes)])
    constraint = shapes.modes.constraint_shapes.reshape(MESH.dof_count, -1).astype(float)
    inside = span @ la.solve(span.T @ (mass @ span), span.T @ (mass @ constraint))
    # pictures are kept in single precision
    np.testing.assert_allclose(inside, constraint, atol=1e-5 * np.abs(constraint).max())


def test_mass_properties_are_those_of_the_mesh(cyclic, matrices):
    body = cyclic[0]
    expected = mass_properties(MESH.nodes, matrices[1])
    assert body.mass == pytest.approx(expected.mass, rel=1e-9)
    np.testing.assert_allclose(body.centre, expected.centre, atol=1e-9)
    np.testing.assert_allclose(body.inertia, expected.inertia, atol=1e-9 * expected.inertia.max())


def test_invariants_against_nodal_sums(cyclic, matrices):
    """Each integral as a product of nodal vectors with the mass matrix of all DOF."""
    body, modes = cyclic[0], flat(cyclic[1])
    mass = matrices[1]
    nodes = MESH.nodes - body.centre
    unit = np.eye(3)
    inv = body.invariants
    only = [np.kron(np.ones(len(nodes)), unit[a]) for a in range(3)]
    for a in range(3):
        np.testing.assert_allclose(inv.s_h[a], (mass @ only[a]) @ modes, atol=1e-9)
        for b in range(3):
            position = np.kron(nodes[:, a], unit[b])
            np.testing.assert_allclose(inv.p_xh[a, b], (mass @ position) @ modes, atol=1e-9)
            assert inv.p_xx[a, b] == pytest.approx(position @ (mass @ np.kron(nodes[:, b], unit[b])), abs=1e-9)
            moved = np.zeros_like(modes)
            moved[b::3] = modes[a::3]  # component a carried to the place of component b
            kept = np.zeros_like(modes)
            kept[b::3] = modes[b::3]
            np.testing.assert_allclose(inv.p_hh[a, b], moved.T @ (mass @ kept), atol=1e-11)


def test_generator_turns_the_modes_as_the_mesh_does(cyclic):
    body = cyclic[0]
    assert body.closure_defect < 1e-9
    np.testing.assert_allclose(
        la.expm(body.generator * body.sector_angle), body.sector_map, atol=1e-10 + body.closure_defect
    )
    np.testing.assert_allclose(body.generator, -body.generator.T, atol=0)
    np.testing.assert_allclose(np.sqrt((body.generator**2).sum(axis=0)), body.order, atol=1e-12)


def test_tread_rows_turn_with_the_generator(cyclic):
    """The row of section s applied to w equals the row of section 0 applied to w turned back by its angle."""
    body = cyclic[0]
    for tread in body.treads:
        for s in (1, 7, 16):
            back = la.expm(-body.generator * tread.angle[s])
            np.testing.assert_allclose(
                tread.profile_rows[s], tread.profile_rows[0] @ back, atol=1e-10 * np.abs(tread.profile_rows).max()
            )


def test_splitting_a_pair_opens_the_basis(cyclic, matrices):
    """Without the last member of a pair the one-step map of the rest is no longer orthogonal."""
    body = cyclic[0]
    last = int(np.flatnonzero(body.order == 2)[-1])
    keep = np.delete(np.arange(35), last)
    cut = body.sector_map[np.ix_(keep, keep)]
    assert la.svdvals(cut)[-1] == pytest.approx(np.cos(2 * body.sector_angle), rel=1e-6)


def test_first_torsion_does_not_depend_on_speed(cyclic):
    """Free wheelset in axes that turn with it, Coriolis, centrifugal and geometric terms, 0 and 200 km/h."""
    body = cyclic[0]
    p = body.invariants.p_hh
    omega = 200 / 3.6 / body.treads[0].radius
    count = len(body.frequency_hz)
    first = int(np.flatnonzero(body.order == 0)[0])
    found = {}
    for geometric in (True, False):
        stiffness = np.diag((2 * np.pi * body.frequency_hz) ** 2) - omega**2 * (p[0, 0] + p[2, 2])
        if geometric:
            stiffness = stiffness + omega**2 * body.geometric_stiffness
        first_order = np.block(
            [[np.zeros((count, count)), np.eye(count)], [-stiffness, -2 * omega * (p[0, 2] - p[2, 0])]]
        )
        value, vector = la.eig(first_order)
        up = value.imag > 1
        found[geometric] = value.imag[up][np.argmax(np.abs(vector[first, up]))] / (2 * np.pi)
    print(f"first torsion at 200 km/h: {found[True]:.4f} Hz, without geometric stiffness {found[False]:.4f} Hz")
    assert found[True] == pytest.approx(body.frequency_hz[first], rel=2e-3)
    assert found[False] < 0.97 * body.frequency_hz[first]


def test_tread_rows_of_rigid_motions():
    """Exact for any rigid motion, whatever the tread nodes."""
    rng = np.random.default_rng(5)
    profile = np.column_stack([0.75 + np.sort(rng.uniform(-0.07, 0.06, 9)), 0.46 + rng.uniform(-0.01, 0.03, 9)])
    operator = profile_operator(profile, 0.75, 0.46)
    arm = np.column_stack([np.zeros(9), profile[:, 0] - 0.75, 0.46 - profile[:, 1]])
    shift, rotation = rng.standard_normal(3), rng.standard_normal(3)
    moved = shift + np.cross(rotation, arm)
    np.testing.assert_allclose(operator @ moved.ravel(), [*shift, *rotation], atol=1e-11)
    force = (operator.T @ [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).reshape(9, 3)
    np.testing.assert_allclose(force.sum(axis=0), [1, 2, 3], atol=1e-10)  # the transposed rows carry the wrench
    np.testing.assert_allclose(np.cross(arm, force).sum(axis=0), [4, 5, 6], atol=1e-10)


def test_tread_without_a_flange_has_no_row_about_the_axle():
    """On a cone rotations about y and z move its nodes alike: a wheel in torsion moves it as the datum's radius."""
    profile = np.column_stack([0.75 + np.linspace(-0.03, 0.06, 7), 0.46 - np.linspace(-0.03, 0.06, 7) / 20])
    operator = profile_operator(profile, 0.75, 0.46)
    torsion = np.zeros((7, 3))
    torsion[:, 0] = -profile[:, 1]
    np.testing.assert_allclose(operator @ torsion.ravel(), [-0.46, 0, 0, 0, 0, -0.05], atol=1e-12)


def test_count_keeps_pairs_together():
    frequency = np.array([10.0, 20.0, 20.0, 30.0, 40.0, 40.0, 40.001, 40.001, 50.0])
    assert count_without_split(frequency, 2) == 3  # 1 and 3 are as near: the larger
    assert count_without_split(frequency, 4) == 4
    assert count_without_split(frequency, 5) == 4
    assert count_without_split(frequency, 7) == 8  # 40 and 40.001 differ by less than the tolerance: one group
    assert count_without_split(frequency, 0) == 0
