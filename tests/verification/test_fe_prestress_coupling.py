"""Geometric stiffness, coupling, node selection and stress rows: what holds for any mesh."""

import numpy as np
import pytest

from flexwheel.assess.node_selection import clamped_dofs, select_nodes
from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.coupling import averaging_rows, require_turned
from flexwheel.body.eigen import natural_modes
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.geometric_stiffness import centrifugal_load, geometric_stiffness
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.stress import AVERAGES, _apply, nodal_stress, point_operators, stress_rows, von_mises
from flexwheel.verification.meshes.box_mesh import box_mesh
from tests.benches.free_statics import free_static_solution
from tests.benches.rotating_modes import transverse_mass

KINDS = ["hex8", "hex20", "wedge6", "wedge15", "tet4", "tet10"]


@pytest.mark.parametrize("kind", KINDS)
def test_rigid_turn_about_the_spin_axis_stays_free(kind):
    """K_sigma u = M_perp u for the turn, so that a spinning body keeps a zero stiffness about its axis."""
    mesh = box_mesh(kind, (3, 2, 3), (1.0, 0.7, 1.0), distortion=0.15, seed=2)
    centre = np.array([0.5, 0.35, 0.5])
    stiffness, mass = assemble(mesh)
    load = centrifugal_load(mesh, mass, axis=1, point=centre)
    rigid = rigid_modes(mesh.nodes, centre)
    assert np.abs(rigid.T @ load).max() < 1e-9 * np.abs(load).sum()  # balanced: y is a principal axis
    displacement = free_static_solution(stiffness, mass, rigid, load)
    np.testing.assert_allclose(stiffness @ displacement, load, atol=1e-9 * np.abs(load).max())
    k_sigma = geometric_stiffness(mesh, displacement)
    assert abs(k_sigma - k_sigma.T).max() == 0.0
    turn = rigid[:, 4]
    wanted = transverse_mass(mass) @ turn
    np.testing.assert_allclose(k_sigma @ turn, wanted, atol=1e-9 * np.abs(wanted).max())
    assert np.abs(k_sigma @ rigid[:, :3]).max() < 1e-12 * abs(k_sigma).max()


@pytest.mark.parametrize("kind", ["hex8", "hex20", "wedge15", "tet10"])
def test_uniform_tension_adds_its_gradient_form(kind):
    """Under sigma_xx = s alone the energy of u_z = x is s V / 2 for any element."""
    mesh = box_mesh(kind, (2, 2, 2), (1.0, 1.2, 0.8), distortion=0.2, seed=4)
    strain = 1e-3
    field = mesh.nodes * [strain, -0.3 * strain, -0.3 * strain]
    k_sigma = geometric_stiffness(mesh, field.ravel())
    shape = np.zeros_like(mesh.nodes)
    shape[:, 2] = mesh.nodes[:, 0]
    energy = shape.ravel() @ (k_sigma @ shape.ravel())
    assert energy == pytest.approx(2.1e11 * strain * 0.96, rel=1e-10)
    shape[:, 2] = mesh.nodes[:, 1]  # no tension along y
    assert abs(shape.ravel() @ (k_sigma @ shape.ravel())) < 1e-10 * energy


def test_tension_raises_the_bending_frequency_as_theory():
    """Simply supported beam: omega^2 gains the factor 1 + T L^2 / (pi^2 E I) (Timoshenko, Vibration Problems)."""
    mesh = box_mesh("hex20", (20, 2, 1), (20.0, 1.0, 1.0))
    stiffness, mass = assemble(mesh)
    tension = 0.5 * np.pi**2 * 2.1e11 / 12 / 400
    strain = tension / 2.1e11
    field = (mesh.nodes - [0, 0.5, 0.5]) * [strain, -0.3 * strain, -0.3 * strain]
    ends = np.concatenate([mesh.node_sets["X0"], mesh.node_sets["X1"]])
    middle = ends[np.abs(mesh.nodes[ends, 2] - 0.5) < 1e-9]
    first = mesh.node_sets["X0"][np.abs(mesh.nodes[mesh.node_sets["X0"], 2] - 0.5) < 1e-9]
    held = np.unique(np.concatenate([3 * middle + 2, 3 * np.arange(len(mesh.nodes)) + 1, 3 * first]))
    plain = natural_modes(stiffness, mass, 1, held)[0][0]
    tight = natural_modes(stiffness + geometric_stiffness(mesh, field.ravel()), mass, 1, held)[0][0]
    # held in y: plane strain raises E I by 1/(1 - nu^2)
    wanted = 1 + 0.5 * (1 - 0.09)
    assert (tight / plain) ** 2 == pytest.approx(wanted, rel=0.01)  # rotary inertia, shear of a beam L/h = 20


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("average", AVERAGES)
def test_stress_rows_repeat_the_nodal_recovery(kind, average):
    mesh = box_mesh(kind, (2, 3, 2), distortion=0.2, seed=9)
    displacement = np.random.default_rng(1).standard_normal((mesh.dof_count, 2)) * 1e-4
    nodes = np.array([7, 0, 3, 7])
    rows = stress_rows(mesh, nodes, average=average)
    full = nodal_stress(mesh, displacement, average=average)
    assert rows.shape == (24, mesh.dof_count)
    found = (rows @ displacement).reshape(4, 6, 2)
    np.testing.assert_allclose(found, full[nodes], atol=1e-12 * np.abs(full).max())
    one = nodal_stress(mesh, displacement[:, 0], average=average)
    np.testing.assert_allclose(one, full[:, :, 0], atol=1e-12 * np.abs(full).max())


def test_linear_stress_is_recovered_exactly_at_nodes():
    """Pure bending field on regular hexahedra: linear in z, recovered to rounding thanks to the internal modes."""
    for kind in ("hex8", "hex20"):
        mesh = box_mesh(kind, (3, 2, 2), (3.0, 1.0, 1.0))
        x, y, z = mesh.nodes.T
        field = np.stack([x * z, -0.3 * y * z, -0.5 * (x**2 + 0.3 * (z**2 - y**2))], axis=1) * 1e-3
        stress = nodal_stress(mesh, field.ravel())
        wanted = np.zeros_like(stress)
        wanted[:, 0] = 2.1e11 * 1e-3 * z
        if kind == "hex20":
            np.testing.assert_allclose(stress, wanted, atol=1e-9 * np.abs(wanted).max())
        else:  # nodal values of a quadratic field: the internal modes restore it within each element
            np.testing.assert_allclose(stress[:, [0, 3, 5]], wanted[:, [0, 3, 5]], atol=1e-9 * np.abs(wanted).max())


def test_von_mises_of_known_states():
    np.testing.assert_allclose(von_mises([[3.0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 2.0, 0]]), [3.0, 2.0 * np.sqrt(3)])
    assert von_mises(np.array([5.0, 5.0, 5.0, 0, 0, 0])) == 0.0


def test_energy_of_the_recovered_stress_is_the_strain_energy():
    """2x2x2 points are those of the stiffness: sum sigma : C^-1 : sigma dV / 2 = u^T K u / 2."""
    mesh = box_mesh("hex8", (2, 2, 2), distortion=0.0)
    stiffness, _ = assemble(mesh)
    u = np.random.default_rng(5).standard_normal(mesh.dof_count) * 1e-4
    operators, _ = point_operators(mesh, mesh.blocks[0], np.arange(mesh.element_count), None)
    stress = _apply(operators, mesh.blocks[0].connectivity, u[:, None])[..., 0]
    normal, shear = stress[..., :3], stress[..., 3:]
    density = ((normal**2).sum(-1) * 1.3 - 0.3 * normal.sum(-1) ** 2 + 2.6 * (shear**2).sum(-1)) / (2 * 2.1e11)
    assert density.sum() / 64 == pytest.approx(0.5 * u @ (stiffness @ u), rel=1e-12)


def test_averaging_rows_find_a_rigid_motion_again():
    """Mean motion of nodes that move as a rigid body of the point: that motion itself, weights or none."""
    mesh = box_mesh("hex8", (4, 2, 2), distortion=0.2, seed=1)
    for name, offset in (("X0", (0.0, 0.0, 0.0)), ("X1", (0.1, 0.0, 0.05))):
        places = mesh.nodes[mesh.node_sets[name]]
        point = places.mean(axis=0) + offset
        for given in (None, np.random.default_rng(4).uniform(0.5, 2.0, len(places))):
            np.testing.assert_allclose(
                averaging_rows(places, point, given) @ rigid_modes(places, point), np.eye(6), atol=1e-12
            )


def test_bad_interfaces_are_refused():
    mesh = box_mesh("hex8", (2, 2, 2))
    places = mesh.nodes[mesh.node_sets["X0"]]
    with pytest.raises(MeshError, match="at least 3"):
        require_turned("a", places[:2])
    with pytest.raises(MeshError, match="one line"):
        require_turned("a", places[:3])


def test_node_selection_by_condition_and_set():
    mesh = box_mesh("hex8", (4, 2, 2))
    assert len(select_nodes(mesh, "x=0.25")) == 9
    assert len(select_nodes(mesh, " X = 0.25000001 ")) == 9  # within 1e-6 of the diagonal
    assert len(select_nodes(mesh, "x<0.25")) == 9
    assert len(select_nodes(mesh, "x<=0.25")) == 18
    assert len(select_nodes(mesh, "z>0.4")) == 30
    np.testing.assert_array_equal(select_nodes(mesh, "Y1"), mesh.node_sets["Y1"])
    assert len(clamped_dofs(mesh, ["x=0", "x=1", "X1"])) == 54
    with pytest.raises(MeshError, match="nearest coordinate 0.25 m"):
        select_nodes(mesh, "x=0.3")
    with pytest.raises(MeshError, match="sets: INSIDE"):
        select_nodes(mesh, "SEAT")
    with pytest.raises(MeshError, match="is not a number"):
        select_nodes(mesh, "x=1.2.3")
    shifted = box_mesh("hex8", (2, 2, 2), (2.0, 1.0, 1.0))
    both = type(shifted)(shifted.nodes - [1, 0, 0], shifted.node_ids, shifted.blocks, shifted.materials)
    assert len(select_nodes(both, "|x|=1")) == 18


def test_options_are_checked():
    from flexwheel.base.errors import ScenarioError

    with pytest.raises(ScenarioError, match="hex8 must be one of .*got 'plain'"):
        FormulationOptions(hex8="plain")
