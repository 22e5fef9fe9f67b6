"""Fourier harmonics against the matrices of the whole mesh: equal energies are exact, to rounding."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.body.assembly import assemble
from flexwheel.body.cyclic import (
    COSINE,
    SectorMatrix,
    amplitude_count,
    expand,
    harmonic_blocks,
    harmonic_rows,
    rigid_amplitudes,
    whole_scalar_mass,
)
from flexwheel.body.revolution import require_revolution, submesh
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

SECTORS = 12


@pytest.fixture(scope="module", params=[1, 2], ids=["linear", "quadratic"])
def case(request):
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=SECTORS), order=request.param)
    revolution = require_revolution(mesh)
    sector, nodes = submesh(mesh, revolution.sector_elements)
    folded = [SectorMatrix(revolution, nodes, a) for a in assemble(sector)]
    return mesh, revolution, folded, assemble(mesh), (nodes, assemble(sector)[1])


@pytest.mark.parametrize("order", [0, 1, 2, 5, SECTORS // 2])
def test_energy_of_each_order_equals_that_of_the_mesh(case, order):
    mesh, revolution, folded, whole, _ = case
    rng = np.random.default_rng(order)
    for block in harmonic_blocks(*folded, order):
        amplitude = np.zeros((amplitude_count(revolution, order), 1))
        amplitude[block.dof, 0] = rng.standard_normal(len(block.dof))
        for phase in block.phases:
            field = np.empty((len(mesh.nodes), 3, 1))
            expand(revolution, order, phase, amplitude, field)
            rows = harmonic_rows(revolution, np.arange(len(mesh.nodes)), order, phase)
            np.testing.assert_allclose(rows @ amplitude[:, 0], field.ravel(), atol=1e-12)  # rounding of unit fields
            for small, big in zip((block.stiffness, block.mass), whole, strict=True):
                expected = field.ravel() @ (big @ field.ravel())
                value = amplitude[block.dof, 0] @ (small @ amplitude[block.dof, 0])
                assert value == pytest.approx(expected, rel=1e-12)  # sums of some 1e5 terms


def test_orders_do_not_couple(case):
    mesh, revolution, _, (stiffness, _), _ = case
    rng = np.random.default_rng(0)
    fields = []
    for order in (2, 3):
        field = np.empty((len(mesh.nodes), 3, 1))
        expand(revolution, order, COSINE, rng.standard_normal((amplitude_count(revolution, order), 1)), field)
        fields.append(field.ravel())
    a, b = fields
    assert abs(a @ (stiffness @ b)) < 1e-12 * np.sqrt((a @ (stiffness @ a)) * (b @ (stiffness @ b)))


def test_rigid_motions_of_both_members(case):
    mesh, revolution, _, _, _ = case
    rigid = rigid_modes(mesh.nodes, (0.0, 0.2, 0.0))
    expected = {
        (0, 0): rigid[:, [1]],
        (0, 1): rigid[:, [4]],
        (1, 0): rigid[:, [2, 3]],
        (1, 1): rigid[:, [0, 5]] * [1, -1],
    }
    for order, member, phases in (
        (0, 0, (0.0,)),
        (0, 1, (-np.pi / 2,)),
        (1, 0, (0.0, -np.pi / 2)),
        (1, 1, (0.0, -np.pi / 2)),
    ):
        amplitude = rigid_amplitudes(revolution, order, phases, 0.2)
        rows = harmonic_rows(revolution, np.arange(len(mesh.nodes)), order, phases[member if order else 0])
        np.testing.assert_allclose(rows @ amplitude, expected[order, member], atol=1e-12)  # rounding near 1 m


def test_turned_field_has_its_phase_turned(case):
    mesh, revolution, _, _, _ = case
    order, theta = 3, revolution.step
    amplitude = np.random.default_rng(1).standard_normal((amplitude_count(revolution, order), 1))
    before, after = (np.empty((len(mesh.nodes), 3, 1)) for _ in range(2))
    expand(revolution, order, 0.4, amplitude, before)
    expand(revolution, order, 0.4 - order * theta, amplitude, after)
    c, s = np.cos(theta), np.sin(theta)
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    np.testing.assert_allclose(after[revolution.following, :, 0], before[:, :, 0] @ turn.T, atol=1e-12)


def test_mass_between_nodes_of_the_whole_mesh(case):
    _, revolution, _, (_, mass), (nodes, sector_mass) = case
    difference = whole_scalar_mass(revolution, nodes, sector_mass) - mass[::3, ::3]
    assert abs(difference).max() < 1e-13 * abs(mass).max()
