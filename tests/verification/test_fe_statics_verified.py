"""Static displacement and stress: CalculiX 2.20 (verification/data), beam theory, spinning disc."""

import numpy as np
import pytest

from flexwheel.assess.node_selection import clamped_dofs
from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.geometric_stiffness import centrifugal_load
from flexwheel.body.mesh import Material
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.statics import load_vector, static_solution
from flexwheel.body.stress import nodal_stress
from flexwheel.verification.finite_elements import (
    STATIC_LOADS,
    _each_vector,
    _of_vectors,
    c3d8i_statics,
    c3d20r_statics,
)
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.revolve import MeshSection, revolve
from flexwheel.verification.norms import each
from tests.benches.free_statics import free_static_solution


@pytest.mark.parametrize("case", list(STATIC_LOADS)[:3])
def test_c3d20r_displacement_and_von_mises(case):
    """Same formulation and recovery, 80 nodes: 0.001 % and 0.03 % (acceptance asks for 1 % and 3 %)."""
    displacement, mises = c3d20r_statics(case)
    assert _of_vectors(*displacement) < 1e-5
    assert each(*mises) < 3e-4


@pytest.mark.parametrize("case", STATIC_LOADS)
def test_incompatible_hexahedron_against_c3d8i(case):
    """Another element, stiffer wedges on the axis: displacement within 2.5 %, von Mises in the web within 5 %."""
    displacement, mises = c3d8i_statics(case)
    assert _each_vector(*displacement) < 0.025
    assert mises == pytest.approx(1.0, abs=0.05)


def bending_energy(kind, cells, options):
    """Energy of a 10 x 1 x 1 bar whose end faces turn against each other by 1 mrad, free to contract sideways."""
    mesh = box_mesh(kind, cells, (10.0, 1.0, 1.0), material=Material(2.1e11, 0.3, 7850.0))
    stiffness, _ = assemble(mesh, options)
    z = mesh.nodes[:, 2] - 0.5
    displacement = np.zeros(mesh.dof_count)
    displacement[3 * mesh.node_sets["X1"]] = 1e-3 * z[mesh.node_sets["X1"]]
    ends = np.concatenate([mesh.node_sets["X0"], mesh.node_sets["X1"]])
    corner = [np.flatnonzero(np.all(mesh.nodes == point, axis=1))[0] for point in ([0, 0, 0], [0, 1, 0])]
    held = np.unique(np.concatenate([3 * ends, [3 * corner[0] + 1, 3 * corner[0] + 2, 3 * corner[1] + 2]]))
    displacement += static_solution(mesh, stiffness, held, -stiffness @ displacement)
    return 0.5 * displacement @ (stiffness @ displacement)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("hex8", FormulationOptions()),
        ("hex20", FormulationOptions()),
        ("hex20", FormulationOptions(hex20="full")),
        ("wedge15", FormulationOptions()),
        ("tet10", FormulationOptions()),
    ],
)
def test_pure_bending_is_exact(kind, options):
    """E I theta^2 / (2 L), the exact three-dimensional solution: quadratic in the displacement."""
    wanted = 2.1e11 / 12 * 1e-6 / 20
    assert bending_energy(kind, (5, 2, 1), options) == pytest.approx(wanted, rel=1e-9)


def test_plain_hexahedron_locks_in_bending():
    """Parasitic shear: more than twice the energy at aspect 2, why it is not the default."""
    wanted = 2.1e11 / 12 * 1e-6 / 20
    assert bending_energy("hex8", (5, 1, 1), FormulationOptions(hex8="full")) > 2 * wanted


@pytest.mark.parametrize("order", [1, 2])
def test_spinning_disc_of_constant_thickness(order):
    """Solid disc, plane stress, nu 0.3: hoop and radial stress (3+nu)/8 rho w^2 (b^2 - r^2 (1+3nu or 3+nu)/(3+nu))."""
    inner, outer, thick = 0.1, 0.4, 0.01
    radii = np.linspace(inner, outer, 13)
    points = np.array([(y, r) for y in (0.0, thick) for r in radii])
    quads = np.array([(k, k + 13, k + 14, k + 1) for k in range(12)])
    mesh = revolve(MeshSection(points, quads), 36, order, (Material(2.1e11, 0.3, 7850.0),))
    stiffness, mass = assemble(mesh)
    load = centrifugal_load(mesh, mass)
    u = free_static_solution(stiffness, mass, rigid_modes(mesh.nodes), load)
    # rounded bore instead of a polygon: compare between the edges
    stress = nodal_stress(mesh, u)
    r = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])
    pick = np.flatnonzero((np.abs(mesh.nodes[:, 2]) < 1e-9) & (mesh.nodes[:, 0] > 0) & (r > 0.15) & (r < 0.35))
    a, b, q = inner, outer, 7850.0 / 8
    radial = 3.3 * q * (a * a + b * b - (a * b / r[pick]) ** 2 - r[pick] ** 2)
    hoop = q * (3.3 * (a * a + b * b + (a * b / r[pick]) ** 2) - 1.9 * r[pick] ** 2)
    scale = hoop.max()
    assert len(pick) > 10
    np.testing.assert_allclose(stress[pick, 2], hoop, atol=0.02 * scale)  # 36 sectors, 12 cells
    np.testing.assert_allclose(stress[pick, 0], radial, atol=0.02 * scale)


def test_loads_and_supports_are_checked():
    mesh = box_mesh("hex8", (3, 3, 3))
    stiffness, _ = assemble(mesh)
    with pytest.raises(MeshError, match="no such node"):
        load_vector(mesh, [(999, 0, 1.0)])
    with pytest.raises(MeshError, match="axis"):
        load_vector(mesh, [(1, 3, 1.0)])
    with pytest.raises(MeshError, match="not finite"):
        load_vector(mesh, [(1, 2, np.nan)])
    load = load_vector(mesh, [(64, 2, 1.0)])
    with pytest.raises(MeshError, match="at least 6"):
        static_solution(mesh, stiffness, [], load)
    with pytest.raises(MeshError, match="free to move"):
        static_solution(mesh, stiffness, clamped_dofs(mesh, ["x=0"])[1::3], load)
