"""Assemblies: moved instances, ties between meshes that do not match, masses on couplings, equations."""

import json

import numpy as np
import pytest
from assembly_deck import BOX_KG, PLACES, STEEL, assembly_deck, parts, ring, sides

from flexwheel.assess.figures.found_scene import mesh_marks, parts_of
from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.statics import static_solution
from flexwheel.body.stress import nodal_stress, von_mises
from flexwheel.body.ties import free_coordinates, held_together
from flexwheel.face.cli import main

# CalculiX 2.20, C3D20R: the same nodes and elements written flat, *TIE with POSITION TOLERANCE=0.005, *RIGID BODY with
# REF NODE and ROT NODE at the masses, *FREQUENCY; run 2026-11-26
CALCULIX_HZ = (
    64.91156, 73.97413, 74.42316, 161.8533, 162.8879, 302.5222, 343.9131, 344.7755, 390.3551, 448.7817, 583.3666,
    590.9362, 591.2625, 599.7471, 637.8918, 638.1162, 756.3084, 757.5561, 774.6750, 776.0154, 782.0324, 798.2552,
    798.2596, 798.2998, 798.3005, 915.1692,
)  # fmt: skip
# CalculiX 2.20, C3D20R, as above but *STATIC: nodes of both end faces under 90 mm radius held, (0, -40, 100) kN at the
# lowest line of the left tread (1/6, 4/6, 1/6 of it at its three nodes); run 2026-11-26. Inner face of the left web,
# turned back by 7 degrees: radius [m], angle [degrees] from x to z, von Mises stress [MPa] of *EL FILE
CALCULIX_WEB = (
    (0.18250, -90.0, 10.30523), (0.22875, -90.0, 8.74513), (0.275, -112.5, 8.04528),
    (0.32125, -90.0, 9.13139), (0.36750, -90.0, 11.85057),
)  # fmt: skip
TIE = "*TIE, NAME=T, POSITION TOLERANCE=0.06\nB1, S0\n"


@pytest.fixture(scope="module")
def assembly(tmp_path_factory):
    path = tmp_path_factory.mktemp("deck") / "wheelset.inp"
    path.write_text(assembly_deck())
    return read_mesh(path)


def free_hz(mesh, count):
    stiffness, mass = assemble(mesh, FormulationOptions())
    recover = free_coordinates(mesh)
    return natural_modes(*(held_together(recover, a) for a in (stiffness, mass)), count)[0]


def test_instances_stand_where_the_deck_puts_them(assembly):
    mesh, audit = assembly
    found, element_ids = parts(), np.concatenate([b.ids for b in mesh.blocks])
    connectivity = np.concatenate([b.connectivity for b in mesh.blocks])
    for name, (part, place, turn) in PLACES.items():
        own = np.unique(connectivity[np.isin(element_ids, mesh.element_sets[f"{name}.ALL"])])
        nodes, angle = found[part][0], np.radians(turn)
        turned = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
        off = np.abs(mesh.nodes[own] - (nodes @ turned.T + [0.0, place, 0.0])).max(axis=1)
        bore = np.hypot(*nodes[:, [0, 2]].T) < 0.0901  # moved onto the axle by less than the height of a chord
        assert len(own) == len(nodes) and off[~bore].max(initial=0.0) < 1e-12
        assert off.max() < 0.09 * (1 - np.cos(np.pi / 24))
    assert sum(item.mass for item in mesh.masses) == 2 * BOX_KG
    assert any("ids of the part plus" in line for line in audit)


def test_frequencies_of_a_tied_wheelset_are_those_of_calculix(assembly):
    frequency = free_hz(assembly[0], 6 + len(CALCULIX_HZ))
    assert frequency[5] < 1e-3 * frequency[6]
    np.testing.assert_allclose(frequency[6:], CALCULIX_HZ, rtol=5e-3)


def test_stress_at_the_web_of_a_tied_wheel_is_that_of_calculix(assembly):
    mesh = assembly[0]
    at = lambda r, angle, y: _nearest(mesh, r, angle - 7.0, y)  # noqa: E731
    end = np.abs(np.abs(mesh.nodes[:, 1]) - 1.1) < 1e-9
    held = np.flatnonzero(end & (np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2]) < 0.0899))
    load = np.zeros((len(mesh.nodes), 3))
    for y, share in ((0.685, 1 / 6), (0.75, 4 / 6), (0.815, 1 / 6)):
        load[at(0.46, -90.0, y)] = share * np.array([0.0, -40e3, 100e3])
    stiffness = assemble(mesh, FormulationOptions())[0]
    moved = static_solution(mesh, stiffness, (3 * held[:, None] + np.arange(3)).ravel(), load.ravel())
    found = von_mises(nodal_stress(mesh, moved)) / 1e6
    for radius, angle, expected in CALCULIX_WEB:
        assert found[at(radius, angle, 0.685)] == pytest.approx(expected, rel=0.03)


def test_parts_are_what_elements_connect(assembly):
    """Five parts that ties alone hold together; each is where its instance stands."""
    mesh = assembly[0]
    part = parts_of(mesh)
    assert sorted(set(part)) == [0, 1, 2, 3, 4]
    lateral = [np.ptp(mesh.nodes[part == k, 1]) for k in range(5)]
    assert lateral[0] > 2.0 and max(lateral[1:]) < 0.3
    count = np.bincount(part)
    assert np.all(np.diff(count) <= 0)


def test_every_tie_and_point_mass_is_marked(assembly):
    """Ties lie where disc and wheel meet the axle; the masses beside the journals."""
    mesh = assembly[0]
    marks = mesh_marks(mesh)
    ties = [mark for mark in marks if mark.name.startswith("tie")]
    assert len(ties) == 4
    for tie in ties:
        assert np.ptp(np.hypot(tie.points[:, 0], tie.points[:, 2])) < 0.01
    masses = [mark for mark in marks if mark.label.endswith("kg")]
    assert len(masses) == len(mesh.masses) == 2


def _nearest(mesh, radius, angle, y):
    """Row of the node at a radius [m], an angle [degrees] from x to z, and y [m]."""
    turn = np.radians(angle)
    away = np.linalg.norm(mesh.nodes - [radius * np.cos(turn), y, radius * np.sin(turn)], axis=1)
    assert away.min() < 1e-3
    return int(np.argmin(away))


def rings(tmp_path, extra, counts=((6, 1, 3), (9, 1, 3)), gap=0.0):
    """Two rings in one another, their surfaces B0, S0, B1, S1, and what holds them."""
    lines = []
    for k, (inner, outer) in enumerate(((0.1, 0.2), (0.2 + gap, 0.3))):
        nodes, rows = ring(inner, outer, -0.1, 0.1, counts[k], quadratic=False)
        lines += ["*NODE", *table(nodes, 1000 * k), f"*ELEMENT, TYPE=C3D8, ELSET=E{k}"]
        lines += table(rows + 1000 * k + 1, 1000 * k)
        for label, chosen in zip(("BORE", "SKIN"), sides(nodes, rows), strict=True):
            lines += [f"*ELSET, ELSET={label}{k}", *map(str, chosen + 1000 * k + 1)]
        lines += [f"*SURFACE, NAME=B{k}", f"BORE{k}, S6", f"*SURFACE, NAME=S{k}", f"SKIN{k}, S4"]
        lines += [f"*SOLID SECTION, ELSET=E{k}, MATERIAL=STEEL"]
    path = tmp_path / "rings.inp"
    path.write_text("\n".join([*lines, STEEL + extra]))
    return read_mesh(path)[0]


def table(rows, base):
    return [f"{base + i}, {', '.join(map(repr, row))}" for i, row in enumerate(rows.tolist(), 1)]


def test_a_tie_keeps_rigid_motions_free_of_force(tmp_path):
    frequency = free_hz(rings(tmp_path, TIE), 8)
    assert frequency[5] < 1e-3 * frequency[6]


def test_equal_meshes_tied_are_one_mesh(tmp_path):
    tied = rings(tmp_path, TIE, counts=((8, 1, 3), (8, 1, 3)))
    nodes, rows = ring(0.1, 0.3, -0.1, 0.1, (8, 2, 3), quadratic=False)
    lines = ["*NODE", *table(nodes, 0), "*ELEMENT, TYPE=C3D8, ELSET=E", *table(rows + 1, 0)]
    path = tmp_path / "one.inp"
    path.write_text("\n".join([*lines, "*SOLID SECTION, ELSET=E, MATERIAL=STEEL", STEEL]))
    np.testing.assert_allclose(free_hz(tied, 20)[6:], free_hz(read_mesh(path)[0], 20)[6:], rtol=1e-9)


def test_equations_hold_as_a_tie_does(tmp_path):
    tied = rings(tmp_path, TIE, counts=((8, 1, 3), (8, 1, 3)))
    (tie,) = tied.ties
    partner = tie.faces[np.arange(len(tie.nodes)), tie.weights.argmax(axis=1)]
    pairs = zip(tied.node_ids[tie.nodes], tied.node_ids[partner], strict=True)
    text = "".join(f"2\n{a}, {k}, 1., {b}, {k}, -1.\n" for a, b in pairs for k in (1, 2, 3))
    same = rings(tmp_path, "*EQUATION\n" + text, counts=((8, 1, 3), (8, 1, 3)))
    np.testing.assert_allclose(free_hz(same, 20)[6:], free_hz(tied, 20)[6:], rtol=1e-9)


def test_an_equation_holds_with_its_signs(tmp_path):
    """Frequencies do not show them: where all of a part moves the other way, its energy is the same."""
    mesh = rings(tmp_path, TIE + "*EQUATION\n3\n1, 1, 2., 2, 2, -3., 3, 3, 0.5\n")
    recover = free_coordinates(mesh)
    moved = (recover @ np.random.default_rng(1).standard_normal(recover.shape[1])).reshape(-1, 3)
    x, y, z = (moved[np.flatnonzero(mesh.node_ids == 1 + k)[0], k] for k in range(3))
    assert abs(2.0 * x - 3.0 * y + 0.5 * z) < 1e-12 < abs(x)


def in_nastran(tmp_path, mesh, cards):
    """A mesh of hexahedra as bulk data with further cards."""
    lines = ["BEGIN BULK", "PSOLID,1,1", "MAT1,1,2.1+11,,0.3,7850."]
    lines += [f"GRID,{n},,{','.join(map(repr, p))}" for n, p in zip(mesh.node_ids, mesh.nodes.tolist(), strict=True)]
    for block in mesh.blocks:
        for number, row in zip(block.ids, mesh.node_ids[block.connectivity].tolist(), strict=True):
            lines.append(f"CHEXA,{number},1,{','.join(map(str, row[:6]))}\n,{row[6]},{row[7]}")
    path = tmp_path / "mesh.bdf"
    path.write_text("\n".join([*lines, *cards, "ENDDATA"]) + "\n")
    return read_mesh(path)[0]


def test_nastran_and_abaqus_hold_alike(tmp_path):
    """MPC as *EQUATION, RBE2 as *COUPLING with *KINEMATIC, CONM2 as *MASS at its reference node."""
    tied = rings(tmp_path, TIE, counts=((8, 1, 3), (8, 1, 3)))
    (tie,) = tied.ties
    partner = tie.faces[np.arange(len(tie.nodes)), tie.weights.argmax(axis=1)]
    pairs = list(zip(tied.node_ids[tie.nodes], tied.node_ids[partner], strict=True))
    top = tied.node_ids[tied.nodes[:, 1] == 0.1][:5].tolist()  # of the first ring
    text = "*NODE, NSET=P\n9000, 0., 0.3, 0.05\n*ELEMENT, TYPE=MASS, ELSET=M\n9000, 9000\n*MASS, ELSET=M\n40.\n"
    text += f"*NSET, NSET=TOP\n{','.join(map(str, top))}\n*SURFACE, NAME=T, TYPE=NODE\nTOP\n"
    text += "*COUPLING, CONSTRAINT NAME=C, REF NODE=9000, SURFACE=T\n*KINEMATIC\n"
    equations = "".join(f"2\n{a}, {k}, 1., {b}, {k}, -1.\n" for a, b in pairs for k in (1, 2, 3))
    abaqus = rings(tmp_path, text + "*EQUATION\n" + equations, counts=((8, 1, 3), (8, 1, 3)))
    cards = [f"MPC,1,{a},{k},1.,{b},{k},-1." for a, b in pairs for k in (1, 2, 3)]
    cards += ["GRID,9000,,0.,0.3,0.05", "CONM2,9001,9000,,40.", f"RBE2,9002,9000,123456,{','.join(map(str, top))}"]
    nastran = in_nastran(tmp_path, tied, cards)
    np.testing.assert_allclose(free_hz(nastran, 20)[6:], free_hz(abaqus, 20)[6:], rtol=1e-9)
    assert free_hz(nastran, 7)[6] < 0.99 * free_hz(tied, 7)[6]  # the mass is there


def test_a_rigid_set_moves_as_a_body_with_six_freedoms(tmp_path):
    mesh = rings(tmp_path, TIE + "*NSET, NSET=R\n1001, 1002, 1003, 1004\n*RIGID BODY, NSET=R\n")
    recover = free_coordinates(mesh)
    moved = (recover @ np.random.default_rng(1).standard_normal(recover.shape[1])).reshape(-1, 3)
    own = next(t.nodes for t in mesh.ties if t.name.startswith("*RIGID BODY"))
    arms = mesh.nodes[own] - mesh.nodes[own[0]]
    for k in range(1, 4):  # small motions: no point of a rigid body moves along the line to another
        assert abs((moved[own[k]] - moved[own[0]]) @ arms[k]) < 1e-12


def test_reactions_balance_a_load_that_reaches_the_clamp_through_a_tie(tmp_path, capsys):
    nodes = ring(0.1, 0.2, -0.1, 0.1, (6, 1, 3), quadratic=False)[0]
    skin = np.flatnonzero(np.isclose(np.hypot(*nodes[:, [0, 2]].T), 0.2)) + 1  # what the second ring follows
    mesh = rings(tmp_path, TIE + "*NSET, NSET=HELD\n" + "\n".join(map(str, skin)) + "\n")
    far = int(mesh.node_ids[np.argmax(np.hypot(*mesh.nodes[:, [0, 2]].T))])
    path = str(tmp_path / "rings.inp")
    main(["static", path, "--clamp", "HELD", "--load", f"{far}:z:1000", "--node", str(far), "--json"])
    np.testing.assert_allclose(json.loads(capsys.readouterr().out)["reactions_n"], [0.0, 0.0, -1000.0], atol=1e-5)


def test_surfaces_that_do_not_touch_are_refused(tmp_path):
    with pytest.raises(MeshError, match=r"\*TIE T: no node lies within .* mm of the other surface"):
        rings(tmp_path, TIE.replace("0.06", "0.001"), gap=0.05)


def test_parts_that_nothing_holds_together_are_refused(tmp_path):
    with pytest.raises(MeshError, match="falls into 2 parts that share no node"):
        rings(tmp_path, "")


def test_a_circle_of_equations_is_refused(tmp_path):
    mesh = rings(tmp_path, TIE + "*EQUATION\n2\n1, 1, 1., 2, 1, -1.\n2\n2, 1, 1., 1, 1, -1.\n")
    with pytest.raises(MeshError, match="follows in a circle"):
        free_coordinates(mesh)
