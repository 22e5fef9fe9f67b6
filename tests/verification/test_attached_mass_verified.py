"""Point masses on a mesh against rigid bodies added by hand (parallel axis theorem) and a two-mass oscillator."""

from dataclasses import replace

import numpy as np
import pytest
from mass_of_matrix import mass_properties

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.attached_mass import mass_points, with_points
from flexwheel.body.eigen import natural_modes
from flexwheel.body.geometric_stiffness import centrifugal_load
from flexwheel.body.invariants import inertia_invariants, mass_centre_inertia, scalar_mass_matrix
from flexwheel.body.mesh import AttachedMass, Material
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties as of_solids
from flexwheel.body.place_wheelset import place_wheelset
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.verification.meshes.box_mesh import box_mesh

STEEL = Material(2.1e11, 0.3, 7850.0)
BOX = box_mesh("hex8", (3, 2, 2), (0.4, 0.3, 0.2), material=STEEL)
TURN = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
DISC = TURN @ np.diag([4.0, 7.5, 3.9]) @ TURN.T


def rigid_body(mesh):
    """Mass, centre, inertia of the mesh with its masses, by hand."""
    solid = of_solids(replace(mesh, masses=()))
    parts = [(solid.mass, solid.centre, solid.inertia)] + [(m.mass, m.position, m.inertia) for m in mesh.masses]
    total = sum(p[0] for p in parts)
    centre = sum(m * c for m, c, _ in parts) / total
    inertia = np.zeros((3, 3))
    for m, c, own in parts:
        d = c - centre
        inertia += own + m * (d @ d * np.eye(3) - np.outer(d, d))
    return total, centre, inertia


CASES = {
    "at a node": AttachedMass("m", 12.0, BOX.nodes[5], np.zeros((3, 3)), node=5),
    "offset": AttachedMass("m", 12.0, BOX.nodes[5] + [0.1, -0.2, 0.3], np.zeros((3, 3)), node=5),
    "inertia": AttachedMass("m", 120.0, BOX.nodes[5] + [0.0, 0.05, 0.0], DISC, node=5),
    "inertia without mass": AttachedMass("m", 0.0, BOX.nodes[5], DISC, node=5),
    "flat inertia": AttachedMass("m", 2.0, BOX.nodes[5], np.diag([0.0, 3.0, 0.0]), node=5),
    "carried by many": AttachedMass("m", 120.0, np.array([0.9, 0.1, 0.1]), DISC, nodes=np.arange(8)),
}


@pytest.mark.parametrize("case", CASES)
def test_rigid_body_of_solid_and_masses(case):
    mesh = replace(BOX, masses=(CASES[case], CASES["at a node"]))
    mass, centre, inertia = rigid_body(mesh)
    _, matrix = assemble(mesh)
    bare = scalar_mass_matrix(assemble(BOX)[1])
    scalar, positions, moved = with_points(mesh, bare, rigid_modes(mesh.nodes).reshape(-1, 3, 6))
    np.testing.assert_allclose(moved.reshape(-1, 6), rigid_modes(positions), atol=1e-12)
    for got in (mass_properties(mesh.nodes, matrix), mass_centre_inertia(scalar, positions), of_solids(mesh)[1:]):
        np.testing.assert_allclose(got[0], mass, rtol=1e-12)
        np.testing.assert_allclose(got[1], centre, atol=1e-12)
        np.testing.assert_allclose(got[2], inertia, rtol=0, atol=1e-11 * np.abs(inertia).max())
    weighted = (scalar @ moved.reshape(-1, 18)).reshape(moved.shape)
    invariants = inertia_invariants(scalar, positions, moved, weighted)
    np.testing.assert_allclose(invariants.s_x, mass * centre, atol=1e-11 * mass)
    np.testing.assert_allclose(
        invariants.p_hh.trace(), rigid_modes(mesh.nodes).T @ matrix @ rigid_modes(mesh.nodes), atol=1e-9
    )
    moved_along = mass * centre[:, None, None] * np.eye(3)  # int rho x_a h_b dV of a unit translation h
    np.testing.assert_allclose(invariants.p_xh[:, :, :3], moved_along, atol=1e-11 * mass)
    arms = positions * [1, 0, 1]
    weight = np.asarray(scalar.sum(axis=0)).ravel()
    load = centrifugal_load(mesh, matrix).reshape(-1, 3)
    np.testing.assert_allclose(load.sum(axis=0), weight @ arms, atol=1e-10)


def test_heavy_mass_on_a_light_bar_is_an_oscillator():
    """Clamped bar with a tip mass: omega = sqrt(E A / (L (M + m/3))) to the order (m/M)^2."""
    bar = box_mesh("hex8", (10, 1, 1), (1.0, 0.05, 0.05), material=Material(2.1e11, 0.0, 7850.0))
    tip = np.flatnonzero(bar.nodes[:, 0] > 1.0 - 1e-9)
    heavy = 500.0
    mesh = replace(bar, masses=(AttachedMass("m", heavy, bar.nodes[tip].mean(axis=0), np.zeros((3, 3)), nodes=tip),))
    stiffness, mass = assemble(mesh)
    held = np.flatnonzero(bar.nodes[:, 0] < 1e-9)
    sideways = np.concatenate([3 * np.arange(len(bar.nodes)) + 1, 3 * np.arange(len(bar.nodes)) + 2])
    frequency, _ = natural_modes(stiffness, mass, 1, np.unique(np.concatenate([3 * held, sideways])))
    bar_mass = 7850.0 * 0.0025
    assert frequency[0] == pytest.approx(np.sqrt(2.1e11 * 0.0025 / (heavy + bar_mass / 3)) / (2 * np.pi), rel=1e-4)


def test_negative_mass_and_inertia_are_refused():
    for wrong in (replace(CASES["at a node"], mass=-1.0), replace(CASES["inertia"], inertia=-DISC)):
        with pytest.raises(MeshError, match="negative"):
            mass_points(replace(BOX, masses=(wrong,)))


POINTS = "\n".join(f"{k}, {x}, {y}, {z}" for k, (x, y, z) in enumerate(BOX.nodes, 1))
CELLS = "\n".join(f"{k}, {', '.join(str(i + 1) for i in row)}" for k, row in enumerate(BOX.blocks[0].connectivity, 1))
INP = f"""*NODE
{POINTS}
*ELEMENT, TYPE=C3D8, ELSET=E
{CELLS}
*SOLID SECTION, ELSET=E, MATERIAL=M
*MATERIAL, NAME=M
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.,
*ELEMENT, TYPE=MASS, ELSET=DISCS
901, 6
902, 1
*MASS, ELSET=DISCS
120.,
*ELEMENT, TYPE=ROTARYI, ELSET=TURN
903, 6
*ROTARY INERTIA, ELSET=TURN
4., 7.5, 3.9, 0.1, -0.2, 0.3
"""


def test_abaqus_masses(tmp_path):
    """Two discs of 120 kg given as *MASS were left out with exit code 0."""
    (tmp_path / "m.inp").write_text(INP)
    mesh, audit = read_mesh(tmp_path / "m.inp")
    assert [(m.mass, mesh.node_ids[m.node]) for m in mesh.masses] == [(120.0, 6), (120.0, 1), (0.0, 6)]
    assert mesh.masses[2].inertia.tolist() == [[4.0, 0.1, -0.2], [0.1, 7.5, 0.3], [-0.2, 0.3, 3.9]]
    assert of_solids(mesh).mass == pytest.approx(0.4 * 0.3 * 0.2 * 7850 + 240, rel=1e-12)
    assert any("240 kg in all" in line for line in audit)
    ignored, audit = read_mesh(tmp_path / "m.inp", ignore=["*MASS", "rotary inertia"])
    assert not ignored.masses and sum(line.startswith("WARNING") for line in audit) == 2
    nodes, *rest = (
        INP.replace("2.1e11", "210000.").replace("7850.", "7.85e-9").replace("120.", "0.12").split("*ELEMENT")
    )
    scaled = "\n".join(f"{k}, {x}, {y}, {z}" for k, (x, y, z) in enumerate(1000 * BOX.nodes, 1))
    rest[-1] = rest[-1].replace("4., 7.5, 3.9, 0.1, -0.2, 0.3", "4e3, 7.5e3, 3.9e3, 1e2, -2e2, 3e2")
    (tmp_path / "mm.inp").write_text("*ELEMENT".join([f"*NODE\n{scaled}\n", *rest]))
    small, _ = read_mesh(tmp_path / "mm.inp", length_unit="mm")
    for a, b in zip(small.masses, mesh.masses, strict=True):
        np.testing.assert_allclose([a.mass, *a.position, *a.inertia.ravel()], [b.mass, *b.position, *b.inertia.ravel()])


BDF = """BEGIN BULK
{grid}
{cells}
PSOLID,1,1
MAT1,1,2.1+11,,.3,7850.
CORD2R,4,,0.,0.,0.,1.,0.,0.
,0.,1.,0.
CONM2,901,6,4,120.,0.1,0.2,0.3
,4.,0.5,7.5,0.,0.,3.9
GRID,99,,0.9,0.1,0.1
CONM2,902,99,-1,12.,1.,2.,3.
RBE3,903,,99,123456,1.,123,1,2
,3,4,5,6
ENDDATA
"""


def test_nastran_masses(tmp_path):
    """Offset in a turned system (z of system 4 is x, its x is y), products with their sign, one carried by RBE3."""
    grid = "\n".join(f"GRID,{k},,{x:.6f},{y:.6f},{z:.6f}" for k, (x, y, z) in enumerate(BOX.nodes, 1))
    cells = "\n".join(
        f"CHEXA,{k},1,{','.join(str(i + 1) for i in row[:6])}\n,{','.join(str(i + 1) for i in row[6:])}"
        for k, row in enumerate(BOX.blocks[0].connectivity, 1)
    )
    path = tmp_path / "m.bdf"
    path.write_text(BDF.format(grid=grid, cells=cells))
    mesh, _ = read_mesh(path)
    first, second = mesh.masses
    np.testing.assert_allclose(first.position, mesh.nodes[first.node] + [0.3, 0.1, 0.2], atol=1e-12)
    turn = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # columns: axes of system 4
    own = np.array([[4.0, -0.5, 0.0], [-0.5, 7.5, 0.0], [0.0, 0.0, 3.9]])
    np.testing.assert_allclose(first.inertia, turn @ own @ turn.T, atol=1e-12)
    assert second.node is None and mesh.node_ids[second.nodes].tolist() == [1, 2, 3, 4, 5, 6]
    np.testing.assert_allclose(second.position, [1.0, 2.0, 3.0])
    assert mesh.node_ids[mesh.node_sets["RBE3_903"]].tolist() == [1, 2, 3, 4, 5, 6]
    path.write_text(path.read_text().replace("RBE3,903,,99,123456,1.,123,1,2\n,3,4,5,6\n", ""))
    with pytest.raises(MeshError, match="CONM2 .1, first in line .*: mass 12 at node 99, which no solid holds"):
        read_mesh(path)


def test_masses_turn_and_move_with_the_mesh():
    mesh = replace(BOX, masses=(CASES["inertia"],))
    placed, _ = place_wheelset(mesh, "x", accepted=("axle_place",))
    for a, b in zip(rigid_body(placed), rigid_body(mesh), strict=True):
        np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(a) if np.ndim(a) == 2 else [0]), np.sort(
            np.linalg.eigvalsh(b) if np.ndim(b) == 2 else [0]), rtol=1e-12)  # fmt: skip
    solid, whole = of_solids(replace(placed, masses=())), placed.masses[0]
    before = of_solids(BOX)
    np.testing.assert_allclose(
        np.linalg.norm(whole.position - solid.centre), np.linalg.norm(mesh.masses[0].position - before.centre)
    )
