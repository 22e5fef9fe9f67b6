"""Decks written by hand after the Abaqus keywords guide, the Nastran quick reference and the Gmsh manual.

The body is a unit cube, or two cubes in a row; what a card means is known without a reader.
"""

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.body.elements import EDGES
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import read_mesh
from flexwheel.extensions.formats.element_order import mirrored
from flexwheel.verification.meshes.box_mesh import box_mesh

CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
BAR = CUBE + [(2, 0, 0), (2, 1, 0), (2, 0, 1), (2, 1, 1)]  # ids 9, 10, 11, 12
SECOND = [2, 9, 10, 3, 6, 11, 12, 7]
STEEL = Material(2.1e11, 0.3, 7850.0, "STEEL")


def read(tmp_path, name, content, **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    mesh, audit = read_mesh(path, **options)
    return mesh, "\n".join(audit)


def ids_of(mesh, name):
    return mesh.node_ids[mesh.node_sets[name]].tolist()


def volume(audit):
    """Printed with nine digits."""
    line = next(line for line in audit.splitlines() if line.startswith("volume"))
    return float(line.split()[1])


def node_lines(points, first=1):
    return "\n".join(f"{i}, {x}, {y}, {z}" for i, (x, y, z) in enumerate(points, first))


ABAQUS = f"""** comment
*Heading
 a title
*node, nset=Everything
{node_lines(BAR)}
77, 5., 5., 5.
** a comment inside data
*Element, type=c3d8r, elset=Left
10, 1,2,3,4,5,6,7,8
*ELEMENT, TYPE=C3D8I, ELSET=right
20, 2,9,10,3,
 6,11,12,7
*Element, type=S4, elset=Skin
30, 1,2,3,4
*Element, type=MASS, elset=Lump
31, 77
*Elset, elset=Odd, generate
10, 20, 10
*Elset, elset=Both
LEFT, Right
*Nset, nset=Base, generate
1, 4
*Nset, nset="Far"
10, 12, 9,
11
*Nset, nset=Ends
base, FAR
*Surface, name=Top, type=element
Left, S2
*Coupling, constraint name=c1, ref node=77, surface=Top
*Kinematic
*Mass, elset=Lump
 3.,
*Material, name=Iron
*Density
7200.,
*Elastic, type=ISOTROPIC
1.1d11, 0.26
*Solid Section, elset=Both, material=IRON
*Boundary
base, 1, 3
*Step
*Static
*Nset, nset=inside the step
1,
*End Step
"""


ABAQUS_IGNORED = ("*COUPLING", "mass")


def test_abaqus_keywords(tmp_path):
    mesh, audit = read(tmp_path, "bar.inp", ABAQUS, ignore=ABAQUS_IGNORED)
    assert mesh.node_ids.tolist() == list(range(1, 13))
    assert [(b.kind, b.ids.tolist()) for b in mesh.blocks] == [("hex8", [10, 20])]
    assert mesh.blocks[0].connectivity.tolist()[1] == [i - 1 for i in SECOND]
    assert ids_of(mesh, "Base") == [1, 2, 3, 4]
    assert ids_of(mesh, "Far") == [10, 12, 9, 11]
    assert ids_of(mesh, "Ends") == [1, 2, 3, 4, 10, 12, 9, 11]
    assert ids_of(mesh, "Everything") == list(range(1, 13))
    assert ids_of(mesh, "Skin") == [1, 2, 3, 4]
    assert mesh.element_sets["Both"].tolist() == [10, 20]
    assert mesh.element_sets["Odd"].tolist() == [10, 20]
    assert mesh.materials == (Material(1.1e11, 0.26, 7200.0, "Iron"),)
    assert volume(audit) == pytest.approx(2.0, rel=1e-8)
    for told in ("C3D8R as hex8", "C3D8I as hex8", "*COUPLING", "*MASS", "*BOUNDARY", "TYPE=S4"):
        assert told in audit
    assert "dropped" in audit and "77" in audit
    assert "inside the step" not in audit


def test_abaqus_one_part_with_one_instance(tmp_path):
    deck = f"""*Part, name=P
*Node
{node_lines(CUBE)}
*Element, type=C3D8
1, 1,2,3,4,5,6,7,8
*Nset, nset=S, generate
 1, 4, 1
*Elset, elset=All
 1,
*Solid Section, elset=All, material=M
,
*End Part
*Assembly, name=A
*Instance, name=P-1, part=P
*End Instance
*Node
      1,  9., 9., 9.
*Nset, nset=RP
 1,
*Nset, nset=S, instance=P-1
 5, 6
*Elset, elset=Again, instance=P-1
 1,
*End Assembly
*Material, name=M
*Elastic
 2.1e11, 0.3
*Density
 7850.,
"""
    mesh, audit = read(tmp_path, "part.inp", deck)
    assert len(mesh.nodes) == 8 and np.abs(mesh.nodes).max() == 1.0
    assert ids_of(mesh, "S") == [1, 2, 3, 4]
    assert ids_of(mesh, "ASSEMBLY.S") == [5, 6]
    assert "RP" not in mesh.node_sets
    assert mesh.materials[0].youngs_modulus == 2.1e11
    assert "instance P-1 of part P: 8 nodes" in audit and "orphan" in audit


def test_abaqus_cylindrical_nodes(tmp_path):
    lines = []
    for i, (x, y, z) in enumerate(CUBE, 1):
        lines.append(f"{i}, {np.hypot(x, y):.17g}, {np.degrees(np.arctan2(y, x)):.17g}, {z}")
    deck = "*NODE, SYSTEM=C\n" + "\n".join(lines) + "\n*ELEMENT, TYPE=C3D8\n1,1,2,3,4,5,6,7,8\n"
    mesh, audit = read(tmp_path, "polar.inp", deck)
    assert np.allclose(mesh.nodes, CUBE, rtol=0, atol=1e-15)
    assert "cylindrical" in audit


def test_abaqus_millimetres_convert_the_material_too(tmp_path):
    deck = f"*NODE\n{node_lines(1000 * np.array(CUBE))}\n*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n"
    deck += "*MATERIAL, NAME=M\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85e-9,\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
    mesh, _ = read(tmp_path, "mm.inp", deck, length_unit="mm")
    assert mesh.nodes.max() == pytest.approx(1.0, rel=1e-15)
    assert mesh.materials[0].youngs_modulus == pytest.approx(2.1e11, rel=1e-12)
    assert mesh.materials[0].density == pytest.approx(7850.0, rel=1e-12)


def test_material_of_the_rest_is_converted_too(tmp_path):
    deck = f"*NODE\n{node_lines(1000 * np.array(BAR))}\n*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n"
    deck += f"2,{','.join(map(str, SECOND))}\n*ELSET, ELSET=ONE\n1\n*MATERIAL, NAME=M\n*ELASTIC\n210000., 0.3\n"
    deck += "*DENSITY\n7.85e-9,\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
    mesh, _ = read(tmp_path, "mm.inp", deck, length_unit="mm", materials={"ONE": STEEL})
    assert len(mesh.materials) == 2
    for material in mesh.materials:
        assert material.density == pytest.approx(7850.0, rel=1e-12)


NASTRAN = f"""$ by hand
SOL 103
CEND
SET 5 = 1 THRU 3, 8
BEGIN BULK
CORD2R,7,,0.,0.,0.,0.,0.,1.
,1.,0.,0.
CORD2C  2       0       0.      0.      0.      0.      0.      1.
        1.      0.      0.
GRID    1               0.      0.      0.
GRID,2,0,1.,0.,0.
GRID    3       2       1.414214 45.     0.     0
GRID*   {4:>16}{2:>16}{"1.":>16}{"90.":>16}*
*       0.
GRID*   5                               0.              0.
*       1.
GRID,6,7,1.0+0,0.,1.D0
GRID    7               1.      1.      10.-1
GRID    8               0.      .1+1    1.
GRID    99              7.      7.      7.
CHEXA   41      3       1       2       3       4       5       {6:<8}+A
+A      7       8
RBE2    50      99      123456  5       6       7       8
CONM2   51      99              10.
PSOLID  3       12
MAT1    12      2.1+11          .3      7.85-9
PARAM   WTMASS  1.+12
$HMSET         9        1 "TOP"
SET1    9       5       THRU    8
SPC1    1       123456  1
ENDDATA
"""


def test_nastran_fields_systems_and_sets(tmp_path):
    mesh, audit = read(tmp_path, "cube.bdf", NASTRAN, ignore=("RBE2", "CONM2", "SPC1"))
    assert mesh.node_ids.tolist() == list(range(1, 9))
    assert np.allclose(mesh.nodes, CUBE, rtol=0, atol=1e-6)  # small field: 7 digits of the square root of 2
    assert np.allclose(mesh.nodes[3], CUBE[3], rtol=0, atol=1e-15)
    assert mesh.blocks[0].ids.tolist() == [41]
    assert ids_of(mesh, "TOP") == [5, 6, 7, 8]
    assert ids_of(mesh, "SET_5") == [1, 2, 3, 8]
    assert mesh.element_sets["PROPERTY_3"].tolist() == [41]
    assert mesh.materials[0].density == pytest.approx(7850.0, rel=1e-12)
    for told in ("RBE2", "CONM2", "SPC1", "WTMASS", "coordinate system 2", "99"):
        assert told in audit


QUADRATIC_CARDS = {  # edges (1-based corners) of the mid nodes in the order of the manuals
    "hex20 bdf": (CUBE, "CHEXA", "12 23 34 41 15 26 37 48 56 67 78 85"),
    "wedge15 bdf": (
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
        "CPENTA",
        "12 23 31 14 25 36 45 56 64",
    ),
    "tet10 bdf": ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], "CTETRA", "12 23 31 14 24 34"),
    "hex20 inp": (CUBE, "C3D20R", "12 23 34 41 56 67 78 85 15 26 37 48"),
    "wedge15 inp": (
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
        "C3D15",
        "12 23 31 45 56 64 14 25 36",
    ),
    "tet10 inp": ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], "C3D10M", "12 23 31 14 24 34"),
    "hex20 msh": (CUBE, 17, "12 14 15 23 26 34 37 48 56 58 67 78"),
    "wedge15 msh": (
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
        18,
        "12 13 14 23 25 36 45 46 56",
    ),
    "tet10 msh": ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], 11, "12 23 13 14 34 24"),
}


@pytest.mark.parametrize("case", QUADRATIC_CARDS)
def test_mid_nodes_of_quadratic_elements(tmp_path, case):
    corners, card, edges = QUADRATIC_CARDS[case]
    kind, suffix = case.split()
    pairs = [(int(e[0]) - 1, int(e[1]) - 1) for e in edges.split()]
    points = np.array(corners + [(np.array(corners[a]) + np.array(corners[b])) / 2 for a, b in pairs])
    ids = list(range(1, len(points) + 1))
    if suffix == "inp":
        rows = [ids[:15], ids[15:]] if len(ids) > 15 else [ids]
        body = ",\n".join(", ".join(map(str, row)) for row in rows if row)
        deck = f"*NODE\n{node_lines(points)}\n*ELEMENT, TYPE={card}\n1, {body}\n"
    elif suffix == "bdf":
        fields = [f"{v:>8}" for v in [1, 1, *ids]]
        lines = ["".join(fields[k : k + 8]) for k in range(0, len(fields), 8)]
        grid = "\n".join(f"GRID,{i},,{x},{y},{z}" for i, (x, y, z) in zip(ids, points, strict=True))
        deck = "BEGIN BULK\n" + grid + f"\n{card:<8}" + "\n        ".join(lines) + "\nENDDATA\n"
    else:
        grid = "\n".join(f"{i} {x} {y} {z}" for i, (x, y, z) in zip(ids, points, strict=True))
        deck = f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{len(ids)}\n{grid}\n$EndNodes\n$Elements\n1\n"
        deck += f"1 {card} 2 0 1 {' '.join(map(str, ids))}\n$EndElements\n"
    mesh, _ = read(tmp_path, f"one.{suffix}", deck)
    block = mesh.blocks[0]
    assert block.kind == kind
    x, n = mesh.nodes[block.connectivity[0]], len(corners)
    for k, (a, b) in enumerate(EDGES[kind]):
        assert np.allclose(x[n + k], (x[a] + x[b]) / 2, rtol=0, atol=1e-12), f"mid node {k}"


GMSH_41 = """$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
0 4 "tip"
2 5 "skin"
3 6 "body"
$EndPhysicalNames
$Entities
1 0 1 1
3 1 0 0 1 4
1 0 0 0 1 1 0 1 5 0
2 0 0 0 1 1 1 1 6 1 1
$EndEntities
$Nodes
3 13 1 50
0 3 0 1
2
1 0 0
2 1 1 3
1
3
4
0 0 0 0.5 0.5
1 1 0 1.5 1.5
0 1 0 0.5 1.5
3 2 0 9
5
6
7
8
9
10
11
12
50
0 0 1
1 0 1
1 1 1
0 1 1
2 0 0
2 1 0
2 0 1
2 1 1
9 9 9
$EndNodes
$Elements
3 4 1 40
0 3 15 1
1 2
2 1 3 1
2 1 2 3 4
3 2 5 2
30 1 2 3 4 5 6 7 8
40 2 9 10 3 6 11 12 7
$EndElements
$Periodic
0
$EndPeriodic
"""


def test_gmsh_41_entities_parametric_nodes_orphans_and_groups(tmp_path):
    mesh, audit = read(tmp_path, "bar.msh", GMSH_41)
    assert sorted(mesh.node_ids.tolist()) == list(range(1, 13))
    assert np.array_equal(mesh.nodes[np.argsort(mesh.node_ids)], np.array(BAR, dtype=float))
    assert mesh.blocks[0].ids.tolist() == [30, 40]
    assert volume(audit) == pytest.approx(2.0, rel=1e-8)
    assert ids_of(mesh, "tip") == [2] and ids_of(mesh, "skin") == [1, 2, 3, 4]
    assert mesh.element_sets["body"].tolist() == [30, 40]
    assert "1 orphan nodes (in no element): 50" in audit and "$Periodic" in audit


@pytest.mark.parametrize("swap", ["<", ">"])
@pytest.mark.parametrize("version", ["2.2", "4.1"])
def test_gmsh_binary(tmp_path, version, swap):
    def pack(values, kind):
        return np.array(values, dtype=swap + kind).tobytes()

    head = f"$MeshFormat\n{version} 1 8\n".encode() + pack([1], "i4") + b"\n$EndMeshFormat\n"
    if version == "2.2":
        points = b"".join(pack([i], "i4") + pack(p, "f8") for i, p in enumerate(BAR, 1))
        records = b"".join(pack([i, 6, 1, *row], "i4") for i, row in ((30, list(range(1, 9))), (40, SECOND)))
        body = b"$Nodes\n12\n" + points + b"\n$EndNodes\n$Elements\n2\n" + pack([5, 2, 2], "i4") + records
    else:
        body = b"$Entities\n" + pack([0, 0, 0, 1], "u8") + pack([1], "i4") + pack([0, 0, 0, 2, 1, 1], "f8")
        body += pack([1], "u8") + pack([6], "i4") + pack([0], "u8") + b"\n$EndEntities\n$Nodes\n"
        body += pack([1, 12, 1, 12], "u8") + pack([3, 1, 0], "i4") + pack([12, *range(1, 13)], "u8") + pack(BAR, "f8")
        body += b"\n$EndNodes\n$Elements\n" + pack([1, 2, 30, 40], "u8") + pack([3, 1, 5], "i4")
        body += pack([2, 30, *range(1, 9), 40, *SECOND], "u8")
    mesh, audit = read(tmp_path, "bar.msh", head + body + b"\n$EndElements\n")
    assert np.array_equal(mesh.nodes, np.array(BAR, dtype=float))
    assert mesh.blocks[0].connectivity.tolist() == [list(range(8)), [i - 1 for i in SECOND]]
    assert mesh.element_sets["PHYSICAL_VOLUME_6"].tolist() == [30, 40]
    assert f"Gmsh {version} binary" in audit


def test_gmsh_22_element_in_two_groups_counts_once(tmp_path):
    grid = "\n".join(f"{i} {x} {y} {z}" for i, (x, y, z) in enumerate(CUBE, 1))
    deck = f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n{grid}\n$EndNodes\n$Elements\n2\n"
    deck += "1 5 2 1 1 1 2 3 4 5 6 7 8\n2 5 2 2 1 1 2 3 4 5 6 7 8\n$EndElements\n"
    mesh, audit = read(tmp_path, "twice.msh", deck)
    assert mesh.element_count == 1 and "1 copies" in audit
    assert mesh.element_sets["PHYSICAL_VOLUME_1"].tolist() == mesh.element_sets["PHYSICAL_VOLUME_2"].tolist() == [1]


VTK = """# vtk DataFile Version 2.0
two tetrahedra and a wedge
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 7 double
0 0 0  1 0 0  0 1 0  0 0 1  1 0 1  0 1 1  0.3 0.3 -1
CELLS 2 12
4 0 2 1 6
6 0 2 1 3 5 4
CELL_TYPES 2
10
13
CELL_DATA 2
SCALARS mat_id int 1
LOOKUP_TABLE default
3
4
"""


def test_vtk_with_part_numbers(tmp_path):
    """The triangle 0 1 2 of a VTK wedge has its normal outwards (VTK documentation, vtkWedge)."""
    mesh, audit = read(tmp_path, "body.vtk", VTK)
    assert [b.kind for b in mesh.blocks] == ["tet4", "wedge6"]
    assert volume(audit) == pytest.approx(0.5 + 1 / 6, rel=1e-8)
    assert {k: v.tolist() for k, v in mesh.element_sets.items()} == {"mat_id_3": [1], "mat_id_4": [2]}
    assert "numbered from 1" in audit and "mirrored" not in audit


def test_wedges_against_the_vtk_order_are_turned(tmp_path):
    _, audit = read(tmp_path, "body.vtk", VTK.replace("6 0 2 1 3 5 4", "6 0 1 2 3 4 5"))
    assert volume(audit) == pytest.approx(0.5 + 1 / 6, rel=1e-8)
    assert "mirrored node order" in audit


def test_material_of_element_sets_and_of_all(tmp_path):
    soft = Material(7e10, 0.33, 2700.0, "ALUMINIUM")
    mesh, audit = read(tmp_path, "bar.inp", ABAQUS, materials={"Left": soft}, ignore=ABAQUS_IGNORED)
    assert {mesh.materials[b.material].name: b.ids.tolist() for b in mesh.blocks} == {"ALUMINIUM": [10], "Iron": [20]}
    whole, _ = read(tmp_path, "bar.inp", ABAQUS, materials=STEEL, ignore=ABAQUS_IGNORED)
    assert whole.materials == (STEEL,) and len(whole.blocks) == 1


def test_ids_are_found_again(tmp_path):
    mesh, _ = read(tmp_path, "bar.inp", ABAQUS, ignore=ABAQUS_IGNORED)
    assert 11 in mesh.node_ids


@pytest.mark.parametrize("kind", ["tet4", "tet10"])
def test_single_tetrahedra_numbered_the_other_way_are_turned(tmp_path, kind):
    """Every third element mirrored: the body is the same; a node moved through its neighbours is refused."""
    box = box_mesh(kind, (2, 2, 2), (1.0, 1.2, 0.8), distortion=0.2, seed=1)
    rows = box.blocks[0].connectivity.copy()
    rows[::3] = mirrored(kind, rows[::3])
    elements = "\n".join(f"{k}, {', '.join(map(str, row + 1))}" for k, row in enumerate(rows, 1))
    deck = f"*NODE\n{node_lines(box.nodes.tolist())}\n*ELEMENT, TYPE=C3D{rows.shape[1]}\n{elements}\n*NSET, NSET=A\n1\n"
    mesh, audit = read(tmp_path, "m.inp", deck)
    assert volume(audit) == pytest.approx(0.96, rel=1e-8) and f"16 of 48 {kind} elements had mirrored" in audit
    np.testing.assert_array_equal(mesh.blocks[0].connectivity, box.blocks[0].connectivity)
    nodes = box.nodes.copy()
    nodes[int(box.node_sets["INSIDE"][0])] = (2.0, 0.6, 0.4)
    if kind == "tet4":
        with pytest.raises(MeshError, match="inverted or degenerate"):
            read(tmp_path, "m.inp", deck.replace(node_lines(box.nodes.tolist()), node_lines(nodes.tolist())))
