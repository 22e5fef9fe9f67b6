"""Shells as solids of their thickness: plates, a tube with folds against CalculiX, Nastran as Abaqus, refusals."""

import numpy as np
import pytest
from assembly_deck import STEEL
from mass_of_matrix import mass_properties

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.flexible_body import BodyOptions, reduce_body
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties as weight
from flexwheel.body.ties import free_coordinates, held_together
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.mesh_writers import write_mesh

SECTION = "*SHELL SECTION, ELSET=P, MATERIAL=STEEL\n"
# CalculiX 2.20, S4 (which it expands into C3D8I and knots): tube of 2 m, 0.2 m square, 8 mm, 80 by 4 x 16 shells, free;
# *FREQUENCY, run 2026-11-26
CALCULIX_TUBE_HZ = (282.5126, 283.6187, 331.9905, 331.9905, 357.9483, 488.7686, 492.0833, 506.1534)


def plate(count, thickness=0.01, distortion=0.0, kind="S4"):
    """Square plate of 1 m as an Abaqus deck."""
    x = np.linspace(0.0, 1.0, count + 1)
    nodes = np.array([(u, v, 0.0) for v in x for u in x])
    inside = np.all((nodes[:, :2] > 0.0) & (nodes[:, :2] < 1.0), axis=1)
    nodes[inside, :2] += np.random.default_rng(1).uniform(-distortion, distortion, (inside.sum(), 2)) / count
    start = [j * (count + 1) + i + 1 for j in range(count) for i in range(count)]
    rows = [(a, a + 1, a + count + 2, a + count + 1) for a in start]
    if kind == "S3":
        rows = [part for a, b, c, d in rows for part in ((a, b, c), (a, c, d))]
    return deck(nodes, rows, thickness, kind)


def tube(along, around, length=2.0, width=0.2, thickness=0.008):
    """Square tube: four plates that meet under right angles."""
    s = np.linspace(-0.5, 0.5, around + 1)[:-1] * width
    half = 0.5 * width
    ring = [(a, -half) for a in s] + [(half, a) for a in s] + [(-a, half) for a in s] + [(-half, -a) for a in s]
    nodes = np.array([(x, y, z) for x in np.linspace(0.0, length, along + 1) for y, z in ring])
    m = len(ring)
    rows = [
        (i * m + j + 1, (i + 1) * m + j + 1, (i + 1) * m + (j + 1) % m + 1, i * m + (j + 1) % m + 1)
        for i in range(along)
        for j in range(m)
    ]
    return deck(nodes, rows, thickness, "S4")


def deck(nodes, rows, thickness, kind):
    lines = ["*NODE", *(f"{i}, {', '.join(map(repr, p))}" for i, p in enumerate(nodes.tolist(), 1))]
    lines += [f"*ELEMENT, TYPE={kind}, ELSET=P", *(f"{i}, {', '.join(map(str, r))}" for i, r in enumerate(rows, 1))]
    return "\n".join([*lines, SECTION + f"{thickness}", STEEL])


def read(tmp_path, text, name="shell.inp"):
    (tmp_path / name).write_text(text)
    return read_mesh(tmp_path / name)


def free_hz(mesh, count):
    stiffness, mass = assemble(mesh, FormulationOptions())
    recover = free_coordinates(mesh)
    found = natural_modes(*(held_together(recover, a) for a in (stiffness, mass)), count)[0]
    assert found[5] < 1e-3 * found[6]
    return found[6:]


@pytest.mark.parametrize("kind, count", [("S4", 8), ("S3", 16)])
@pytest.mark.parametrize("distortion", [0.0, 0.2])
def test_frequencies_of_a_free_plate(tmp_path, distortion, kind, count):
    """Completely free square plate: Leissa 1973, Journal of Sound and Vibration 31(3), 257-293."""
    frequency = free_hz(read(tmp_path, plate(count, distortion=distortion, kind=kind))[0], 11)
    rigidity = 2.1e11 * 0.01**3 / 12.0 / (1.0 - 0.3**2)
    found = 2.0 * np.pi * frequency * np.sqrt(7850.0 * 0.01 / rigidity)
    np.testing.assert_allclose(found, [13.468, 19.596, 24.270, 34.801, 34.801], rtol=0.01)


def test_a_tube_with_folds_is_that_of_calculix(tmp_path):
    mesh, audit = read(tmp_path, tube(20, 4))
    assert "shells: 320 as solids of their thickness, 164 knots" in audit  # at 4 x 21 nodes and 4 x 20 sides
    np.testing.assert_allclose(free_hz(mesh, 14), CALCULIX_TUBE_HZ, rtol=5e-3)
    mass = mass_properties(mesh.nodes, assemble(mesh, FormulationOptions())[1]).mass
    assert mass == pytest.approx(7850.0 * 2.0 * 0.8 * 0.008, rel=1e-9)  # corners overlap as they do in shells


def test_constant_bending_leaves_inner_nodes_without_force(tmp_path):
    """Patch test: stress -E z along x alone."""
    mesh, _ = read(tmp_path, plate(4, thickness=0.05))
    x, y, z = mesh.nodes.T
    moved = np.stack([-z * x, 0.3 * z * y, 0.5 * (x**2 - 0.3 * y**2 + 0.3 * z**2)], axis=1)
    force = (assemble(mesh, FormulationOptions())[0] @ moved.ravel()).reshape(-1, 3)
    inside = (x > 0.01) & (x < 0.99) & (y > 0.01) & (y < 0.99)
    assert np.abs(force[inside]).max() < 1e-9 * np.abs(force).max()


def test_nastran_and_abaqus_read_the_same_plate(tmp_path):
    text = plate(6)
    rows = [line.split(", ") for line in text.splitlines()]
    grid = [r for r in rows if len(r) == 4 and r[0].isdigit()]
    shells = [r for r in rows if len(r) == 5]
    lines = ["BEGIN BULK", "PSHELL,1,1,0.01,1", "MAT1,1,2.1+11,,0.3,7850."]
    lines += [f"GRID,{r[0]},,{','.join(r[1:])}" for r in grid]
    lines += [f"CQUAD4,{r[0]},1,{','.join(r[1:])}" for r in shells]
    same, _ = read(tmp_path, "\n".join([*lines, "ENDDATA", ""]), "plate.bdf")
    np.testing.assert_allclose(free_hz(same, 12), free_hz(read(tmp_path, text)[0], 12), rtol=1e-9)
    heavy, _ = read(tmp_path, "\n".join([*lines, "ENDDATA", ""]).replace("0.01,1\n", "0.01,1,,,,25.\n"), "plate.bdf")
    assert weight(heavy).mass == pytest.approx(7850.0 * 0.01 + 25.0, rel=1e-12)  # nonstructural mass by area
    with pytest.raises(MeshError, match="no solid elements"):  # a membrane: no material of bending
        read(tmp_path, "\n".join([*lines, "ENDDATA", ""]).replace("0.01,1\n", "0.01\n"), "plate.bdf")


def test_a_frame_of_shells_is_reduced(tmp_path):
    """A node set of shells holds all nodes of each; a body of the vehicle with knots and attachments."""
    text = tube(20, 4) + "*NSET, NSET=END\n1, 2, 3, 4, 5\n*NSET, NSET=OTHER\n321, 322, 323, 324\n"
    mesh, _ = read(tmp_path, text)
    assert len(mesh.node_sets["OTHER"]) == 4 * 3  # one of the four is a corner, where two shells meet: no more of it
    body = reduce_body(mesh, BodyOptions({"end": "END", "other": "OTHER"}, modes_up_to_hz=400.0))
    np.testing.assert_allclose(body.frequency_hz[:5], free_hz(mesh, 11), rtol=1e-6)


REFUSED = {
    "composite": (plate(2).replace("ELSET=P, MAT", "ELSET=P, COMPOSITE, MAT"), r"no solid .*TYPE=S4"),
    "thickness": (plate(2, thickness=0.0), "has no area or no positive thickness"),
    "equation": (plate(2) + "*EQUATION\n2\n1, 3, 1., 2, 3, -1.\n", "node of a shell, expected nodes of solids"),
}


@pytest.mark.parametrize("text, message", REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_read_is_refused(tmp_path, text, message):
    with pytest.raises(MeshError, match=message):
        read(tmp_path, text)


# CalculiX 2.20, S8R on the same nodes and the middles between them: plate of 1.2 x 0.8 m, 20 mm, 12 x 8 shells,
# OFFSET 0.5, free; *FREQUENCY, run 2026-11-26
CALCULIX_OFFSET_HZ = (68.946, 74.0048, 158.8541, 172.3263, 198.7003, 230.6197, 294.149, 337.7615)
# CalculiX 2.20, the same plate of 24 x 16 x 3 C3D20R, 20 mm thick in the left half and 30 mm in the right one, upper
# side flush
CALCULIX_STEP_HZ = (82.9775, 83.8945, 194.782, 203.5925, 247.3467, 290.3365, 357.4424, 421.1542)


def stepped(left, right, name="abaqus"):
    """Plate whose halves lie at offsets of their own from the nodes; the right half is numbered the other way round."""
    x, y = np.linspace(0.0, 1.2, 13), np.linspace(0.0, 0.8, 9)
    nodes = np.array([(u, v, 0.0) for v in y for u in x])
    start = [(i < 6, j * 13 + i + 1) for j in range(8) for i in range(12)]
    rows = [(own, (a, a + 1, a + 14, a + 13) if own else (a, a + 13, a + 14, a + 1)) for own, a in start]
    if name == "nastran":
        lines = ["BEGIN BULK", "MAT1,1,2.1+11,,.3,7850.", "PSHELL,1,1,0.02,1"]
        lines += [f"GRID,{k},,{u:.6f},{v:.6f},0." for k, (u, v, _) in enumerate(nodes, 1)]
        off = {True: -0.02 * left, False: 0.02 * right}
        lines += [f"CQUAD4,{k},1,{','.join(map(str, r))},,{off[own]:.6f}" for k, (own, r) in enumerate(rows, 1)]
        return "\n".join([*lines, "ENDDATA", ""])
    text = deck(nodes, [], 0.02, "S4").split("*ELEMENT")[0]
    for half, offset in ((True, left), (False, -right)):
        own = [f"{k}, {', '.join(map(str, r))}" for k, (side, r) in enumerate(rows, 1) if side == half]
        text += "\n".join(
            [
                f"*ELEMENT, TYPE=S4, ELSET=H{half:d}",
                *own,
                f"*SHELL SECTION, ELSET=H{half:d}, MATERIAL=STEEL, OFFSET={offset}",
                "0.02",
                "",
            ]
        )
    return text + STEEL


def test_offset_shells_stand_off_their_nodes(tmp_path):
    """A plate all of whose nodes are on its upper surface is the plate half a thickness lower."""
    for name, text in (("a.inp", stepped(0.5, 0.5)), ("a.bdf", stepped(0.5, 0.5, "nastran"))):
        mesh, audit = read(tmp_path, text, name)
        assert np.ptp(mesh.nodes[:, 2]) == pytest.approx(0.02, rel=1e-9) and mesh.nodes[:, 2].max() == pytest.approx(
            0.0, abs=1e-12
        )
        assert weight(mesh).mass == pytest.approx(7850 * 1.2 * 0.8 * 0.02, rel=1e-9)
        assert any("0 knots, 117 nodes moved to the middle surface" in line for line in audit)
    on_top, _ = read(tmp_path, stepped("SPOS", 0.0).replace("-0.0", "SNEG"), "b.inp")
    assert on_top.nodes[:, 2].max() == pytest.approx(0.0, abs=1e-12)


def test_offset_shells_have_the_frequencies_of_calculix(tmp_path):
    for name, text in (("a.inp", stepped(0.5, 0.5)), ("a.bdf", stepped(0.5, 0.5, "nastran"))):
        found = free_hz(read(tmp_path, text, name)[0], 6 + len(CALCULIX_OFFSET_HZ))
        np.testing.assert_allclose(found, CALCULIX_OFFSET_HZ, rtol=1e-3)


def test_a_step_of_thickness_is_that_of_solids(tmp_path):
    """Knots hold the sections of both halves plane: 0.2 to 0.6 % too stiff; CalculiX' own S8R 0.3 to 1.5 %."""
    text = stepped(0.5, 0.5).replace("OFFSET=-0.5\n0.02", "OFFSET=-0.5\n0.03")
    mesh, audit = read(tmp_path, text)
    assert any("17 knots" in line for line in audit) and np.ptp(mesh.nodes[:, 2]) == pytest.approx(0.03, rel=1e-9)
    np.testing.assert_allclose(free_hz(mesh, 6 + len(CALCULIX_STEP_HZ)), CALCULIX_STEP_HZ, rtol=7e-3)


@pytest.mark.parametrize("offset", ["up", "1e9", "nan"])
def test_an_offset_that_is_no_number_is_refused(tmp_path, offset):
    with pytest.raises(MeshError, match="OFFSET must be SPOS, SNEG or a number"):
        read(tmp_path, stepped(0.5, 0.5).replace("OFFSET=0.5", f"OFFSET={offset}"))


# CalculiX 2.20, quarter of a cylinder of radius 0.5 m, length 0.8 m, 10 mm, free: 8 x 8 S8R, 8 x 8 x 2 S6; *FREQUENCY,
# run 2026-11-27
CALCULIX_PANEL_HZ = {
    "S8R": (54.00197, 83.09322, 129.005, 237.1016, 266.6137, 280.694, 287.5085),
    "S6": (56.35652, 86.08627, 136.2811, 248.2483, 282.094, 303.6605, 307.182),
}


def panel(kind, count=8):
    """Nodes (n, 3) and shells of the second order of a quarter of a cylinder."""
    grid = [(i, j) for j in range(2 * count + 1) for i in range(2 * count + 1) if kind == "S6" or not i * j % 2]
    number = {at: k for k, at in enumerate(grid, 1)}
    nodes = np.array(
        [(0.5 * np.cos(a), 0.5 * np.sin(a), 0.4 * j / count) for i, j in grid for a in [np.pi * i / 4 / count]]
    )
    rows = []
    for i, j in ((2 * i, 2 * j) for i in range(count) for j in range(count)):
        a, b, c, d, ab, bc, cd, da = (
            number[i + u, j + v] for u, v in ((0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1))
        )
        if kind == "S6":
            rows += [(a, b, c, ab, bc, number[i + 1, j + 1]), (a, c, d, number[i + 1, j + 1], cd, da)]
        else:
            rows.append((a, b, c, d, ab, bc, cd, da))
    return nodes, rows


@pytest.mark.parametrize("kind", list(CALCULIX_PANEL_HZ))
def test_curved_shells_of_the_second_order_are_those_of_calculix(tmp_path, kind):
    nodes, rows = panel(kind)
    mesh, audit = read(tmp_path, deck(nodes, rows, 0.01, kind))
    np.testing.assert_allclose(free_hz(mesh, 13), CALCULIX_PANEL_HZ[kind], rtol=1e-3)
    assert weight(mesh).mass == pytest.approx(7850.0 * 0.01 * 0.8 * 0.25 * np.pi, rel=1e-5)
    lines = ["BEGIN BULK", "PSHELL,1,1,0.01,1", "MAT1,1,2.1+11,,0.3,7850."]
    lines += [f"GRID,{k},,{','.join(f'{v:.12g}' for v in x)}" for k, x in enumerate(nodes, 1)]
    card = {"S8R": "CQUAD8", "S6": "CTRIA6"}[kind]
    for k, row in enumerate(rows, 1):
        words = [*map(str, row), *[""] * (5 if kind == "S8R" else 1), "0.002"]  # ZOFFS
        lines += [f"{card},{k},1,{','.join(words[:6])}", f",{','.join(words[6:14])}", f",{','.join(words[14:])}"]
    other, _ = read(tmp_path, "\n".join([*(li for li in lines if li != ","), "ENDDATA", ""]), "panel.bdf")
    assert weight(other).mass == pytest.approx(7850.0 * 0.01 * 0.8 * 0.5 * np.pi * 0.502, rel=1e-5)


# CalculiX 2.20, the panel of 8 x 8 S8R with masses of 5 kg at a corner of it and between two corners of a shell
CALCULIX_LADEN_HZ = (39.91184, 71.9645, 104.1422)


@pytest.mark.parametrize("kind", ["S8R", "S4"])
def test_masses_at_nodes_of_shells(tmp_path, kind):
    """Frequencies of a panel with masses; one with an inertia turns with the shells around its node."""
    nodes, rows = panel("S8R")
    rows = [r[: 8 if kind == "S8R" else 4] for r in rows]
    text = deck(nodes, rows, 0.01, kind) + "*ELEMENT, TYPE=MASS, ELSET=M\n900, 1\n"
    text += ("901, 2\n" if kind == "S8R" else "901, 3\n") + "*MASS, ELSET=M\n5.\n"
    mesh, _ = read(tmp_path, text)
    assert weight(mesh).mass == pytest.approx(7850.0 * 0.01 * 0.8 * 0.25 * np.pi + 10.0, rel=1e-2)
    laden = free_hz(mesh, 9)
    if kind == "S8R":
        np.testing.assert_allclose(laden, CALCULIX_LADEN_HZ, rtol=1e-3)
    turning, _ = read(
        tmp_path, text + "*ELEMENT, TYPE=ROTARYI, ELSET=R\n902, 1\n*ROTARY INERTIA, ELSET=R\n.1, .1, .1\n"
    )
    assert np.all(free_hz(turning, 9) < laden)


def test_a_rigid_set_without_rotations_holds_the_middle_surface(tmp_path):
    """RBE2 of the directions 1 to 3: nodes of the file alone; with all six their normals turn with the set."""
    text = plate(4)
    rows = [line.split(", ") for line in text.splitlines()]
    lines = ["BEGIN BULK", "PSHELL,1,1,0.01,1", "MAT1,1,2.1+11,,0.3,7850."]
    lines += [f"GRID,{r[0]},,{','.join(r[1:])}" for r in rows if len(r) == 4 and r[0].isdigit()]
    lines += [f"CQUAD4,{r[0]},1,{','.join(r[1:])}" for r in rows if len(r) == 5]
    found = []
    for directions, count in (("123", 6), ("123456", 12)):
        bulk = [*lines, f"RBE2,90,7,{directions},9,17,19", "ENDDATA", ""]
        mesh, _ = read(tmp_path, "\n".join(bulk), "plate.bdf")
        assert [len(t.nodes) for t in mesh.ties] == [count]  # node 7 itself is whole
        found.append(free_hz(mesh, 9))
    assert np.all(found[0] < 0.98 * found[1])


# CalculiX 2.20, free plate of 1.2 x 0.8 m, 12 x 8 x 2 C3D20R, 20 and 5 mm thick; *FREQUENCY, run 2026-11-27
CALCULIX_SKIN_HZ = (85.93641, 92.44559, 197.8658, 215.1016, 247.7668, 287.4814, 366.0786, 420.0089)


@pytest.mark.parametrize("kind", ["S4", "S8R"])
def test_a_skin_of_shells_on_solids(tmp_path, kind):
    """The upper 5 mm of a plate as shells on the nodes of its solids, offset by half their thickness."""
    solid = box_mesh("hex20", (12, 8, 1), (1.2, 0.8, 0.02), material=Material(2.1e11, 0.3, 7850.0, "STEEL"))
    write_mesh(tmp_path / "plate.inp", solid)
    at = {tuple(np.round(x, 6)): n for x, n in zip(solid.nodes.tolist(), solid.node_ids.tolist(), strict=True)}
    around = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1)][: 8 if kind == "S8R" else 4]
    rows = [
        [at[tuple(np.round((0.05 * (i + u), 0.05 * (j + v), 0.02), 6))] for u, v in around]
        for i in range(0, 24, 2)
        for j in range(0, 16, 2)
    ]
    text = (tmp_path / "plate.inp").read_text() + f"*ELEMENT, TYPE={kind}, ELSET=SKIN\n"
    text += "".join(f"{900 + k}, {', '.join(map(str, r))}\n" for k, r in enumerate(rows))
    mesh, audit = read(tmp_path, text + "*SHELL SECTION, ELSET=SKIN, MATERIAL=STEEL, OFFSET=-0.5\n0.005\n", "skin.inp")
    np.testing.assert_allclose(free_hz(mesh, 14), CALCULIX_SKIN_HZ, rtol=1e-3)
    assert weight(mesh).mass == pytest.approx(7850.0 * 1.2 * 0.8 * 0.025, rel=1e-9)
    assert any(line.startswith("WARNING") and "an edge is a hinge" in line for line in audit)
