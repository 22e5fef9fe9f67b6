"""What every element must satisfy: completeness, patch test, no energy in rigid motions, exact mass."""

import numpy as np
import pytest
from mass_of_matrix import mass_properties

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.elements import REFERENCE_NODES, element_tables, shape_functions, shape_gradients
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh import ElementBlock, Material, Mesh
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.statics import static_solution
from flexwheel.body.stress import nodal_stress
from flexwheel.verification.meshes.box_mesh import box_mesh

KINDS = list(REFERENCE_NODES)
VARIANTS = [
    *((kind, FormulationOptions()) for kind in KINDS),
    ("hex8", FormulationOptions(hex8="full")),
    ("hex20", FormulationOptions(hex20="full")),
    ("wedge6", FormulationOptions(wedge6="reduced")),
]
IDS = [f"{k}-{o.hex8}-{o.hex20}-{o.wedge6}" for k, o in VARIANTS]
STRAIN = np.array([[1.0, 0.3, -0.2], [0.1, -0.7, 0.4], [0.5, 0.2, 0.6]]) * 1e-3  # displacement gradient
MATERIAL = Material(2.1e11, 0.3, 7850.0)


def exact_stress():
    e = 0.5 * (STRAIN + STRAIN.T)
    lame, shear = 0.3 * 2.1e11 / (1.3 * 0.4), 2.1e11 / 2.6
    s = lame * np.trace(e) * np.eye(3) + 2 * shear * e
    return np.array([s[0, 0], s[1, 1], s[2, 2], s[0, 1], s[1, 2], s[2, 0]])


@pytest.mark.parametrize("kind", KINDS)
def test_shape_functions_are_nodal_complete_and_consistent_with_their_gradients(kind):
    nodes = REFERENCE_NODES[kind]
    np.testing.assert_allclose(shape_functions(kind, nodes), np.eye(len(nodes)), atol=1e-13)
    points = np.random.default_rng(1).uniform(0.05, 0.3, (7, 3))
    n, dn = shape_functions(kind, points), shape_gradients(kind, points)
    np.testing.assert_allclose(n.sum(axis=1), 1.0, rtol=1e-13)
    np.testing.assert_allclose(n @ nodes, points, atol=1e-13)
    step = 1e-6
    for axis in range(3):
        shift = step * np.eye(3)[axis]
        slope = (shape_functions(kind, points + shift) - shape_functions(kind, points - shift)) / (2 * step)
        np.testing.assert_allclose(dn[:, :, axis], slope, atol=1e-9)  # central difference of polynomials


@pytest.mark.parametrize("kind", KINDS)
def test_rules_integrate_the_volume(kind):
    tables = element_tables(kind)
    volume = {"hex": 8.0, "wed": 1.0, "tet": 1 / 6, "pyr": 4 / 3}[kind[:3]]
    assert tables.weights.sum() == pytest.approx(volume, rel=1e-14)
    assert tables.mass_weights.sum() == pytest.approx(volume, rel=1e-14)


@pytest.mark.parametrize(("kind", "options"), VARIANTS, ids=IDS)
def test_patch_of_distorted_elements_reproduces_constant_strain(kind, options):
    mesh = box_mesh(kind, (3, 3, 3), (1.0, 1.2, 0.8), distortion=0.25, seed=3)
    stiffness, _ = assemble(mesh, options)
    exact = (mesh.nodes @ STRAIN.T).ravel()
    outside = np.setdiff1d(np.arange(len(mesh.nodes)), mesh.node_sets["INSIDE"])
    assert len(mesh.node_sets["INSIDE"]) >= 8
    held = (3 * outside[:, None] + np.arange(3)).ravel()
    free = np.setdiff1d(np.arange(mesh.dof_count), held)
    load = np.zeros(mesh.dof_count)
    load[free] = -(stiffness[free][:, held] @ exact[held])
    solution = static_solution(mesh, stiffness, held, load)
    solution[held] = exact[held]
    np.testing.assert_allclose(solution, exact, atol=1e-12 * np.abs(exact).max())  # rounding of the solver
    wanted = exact_stress()
    scale = np.abs(wanted).max()
    assert np.abs(nodal_stress(mesh, solution, options) - wanted).max() < 1e-10 * scale


@pytest.mark.parametrize(("kind", "options"), VARIANTS, ids=IDS)
def test_stiffness_is_symmetric_and_leaves_rigid_motions_free(kind, options):
    mesh = box_mesh(kind, (2, 3, 2), distortion=0.2, seed=5)
    stiffness, mass = assemble(mesh, options)
    assert abs(stiffness - stiffness.T).max() == 0.0
    assert abs(mass - mass.T).max() == 0.0
    force = stiffness @ rigid_modes(mesh.nodes)
    assert np.abs(force).max() < 1e-14 * abs(stiffness).sum(axis=1).max()
    values = np.linalg.eigvalsh(stiffness.toarray())
    assert (values < 1e-9 * values[-1]).sum() == 6
    assert values[0] > -1e-12 * values[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_consistent_mass_gives_the_exact_inertia_of_a_box(kind):
    size = np.array([1.0, 1.2, 0.8])
    mesh = box_mesh(kind, (2, 2, 2), size, distortion=0.2, seed=7)
    properties = mass_properties(mesh.nodes + 3.0, assemble(mesh)[1])
    mass = 7850.0 * np.prod(size)
    assert properties.mass == pytest.approx(mass, rel=1e-12)
    np.testing.assert_allclose(properties.centre, size / 2 + 3.0, rtol=1e-12)
    inertia = np.diag([mass / 12 * (size @ size - s * s) for s in size])
    np.testing.assert_allclose(properties.inertia, inertia, atol=1e-10 * mass)


@pytest.mark.parametrize("kind", KINDS)
def test_lumped_mass_is_diagonal_positive_and_keeps_the_mass(kind):
    mesh = box_mesh(kind, (2, 2, 2), distortion=0.2, seed=7)
    mass = assemble(mesh, FormulationOptions(mass="lumped"))[1]
    assert mass.nnz == mesh.dof_count
    assert mass.diagonal().min() > 0
    assert mass.sum() == pytest.approx(3 * 7850.0, rel=1e-12)


def test_consistent_mass_equals_the_integral_for_a_quadratic_field():
    """int rho (x y)^2 dV over the unit cube is rho/9, exact on undistorted hex20 whose field xy is in the space."""
    mesh = box_mesh("hex20", (2, 2, 2))
    field = np.zeros((len(mesh.nodes), 3))
    field[:, 2] = mesh.nodes[:, 0] * mesh.nodes[:, 1]
    mass = assemble(mesh)[1]
    assert field.ravel() @ (mass @ field.ravel()) == pytest.approx(7850.0 / 9, rel=1e-12)


def test_mixed_materials_and_kinds_share_nodes():
    hexes = box_mesh("hex8", (2, 1, 1))
    conn = hexes.blocks[0].connectivity
    wedges = conn[1][[0, 1, 2, 4, 5, 6]], conn[1][[0, 2, 3, 4, 6, 7]]
    soft = Material(7e10, 0.33, 2700.0)
    blocks = (
        ElementBlock("hex8", conn[:1], np.array([1]), 0),
        ElementBlock("wedge6", np.array(wedges), np.array([2, 3]), 1),
    )
    mesh = Mesh(hexes.nodes, hexes.node_ids, blocks, (MATERIAL, soft), {})
    stiffness, mass = assemble(mesh)
    assert mass.sum() / 3 == pytest.approx(0.5 * (7850.0 + 2700.0), rel=1e-12)
    assert np.abs(stiffness @ rigid_modes(mesh.nodes)).max() < 1e-14 * abs(stiffness).sum(axis=1).max()


@pytest.mark.parametrize("kind", KINDS)
def test_inverted_element_is_refused_by_its_id(kind):
    mesh = box_mesh(kind, (1, 1, 1))
    mirrored = Mesh(mesh.nodes * [1, 1, -1], mesh.node_ids, mesh.blocks, mesh.materials)
    with pytest.raises(MeshError, match=f"{kind} element 1: Jacobian"):
        assemble(mirrored)


def test_bad_meshes_and_materials_are_refused():
    mesh = box_mesh("hex8", (1, 1, 1))
    orphan = Mesh(np.vstack([mesh.nodes, [5, 5, 5]]), np.arange(1, 10), mesh.blocks, mesh.materials)
    with pytest.raises(MeshError, match="no element"):
        assemble(orphan)
    with pytest.raises(MeshError, match="no elements"):
        assemble(Mesh(mesh.nodes, mesh.node_ids, (), mesh.materials))
    with pytest.raises(MeshError, match="not finite"):
        assemble(Mesh(mesh.nodes * np.nan, mesh.node_ids, mesh.blocks, mesh.materials))
    for e, nu, rho, word in ((-1.0, 0.3, 1.0, "E must be"), (1.0, 0.5, 1.0, "Poisson"), (1.0, 0.3, -1.0, "density")):
        with pytest.raises(MeshError, match=word):
            assemble(Mesh(mesh.nodes, mesh.node_ids, mesh.blocks, (Material(e, nu, rho),)))
