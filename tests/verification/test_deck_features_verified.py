"""What decks hold beside solids, one small deck each, against frequencies of CalculiX 2.20 for the same body.

The body: a free bar of 24 C3D20, 0.2 x 0.3 x 1.5 m, distorted inside; steel. CalculiX' decks are `calculix_decks` with
*FREQUENCY, 12; run 2026-11-26. A mass with inertia is there a set of point masses on a *RIGID BODY: 2.5, 3.75 and
6.25 kg at +-0.2 m along x, y, z of its centre and 5 kg in it. A mass on a mean is there at a node that no equation
eliminates: of one that follows others CalculiX keeps the diagonal of the mass only.
"""

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.ties import free_coordinates, held_together
from flexwheel.extensions.formats.element_order import to_nastran
from flexwheel.verification.meshes.box_mesh import box_mesh

BAR = box_mesh("hex20", (2, 2, 6), (0.2, 0.3, 1.5), distortion=0.15, seed=7)
COUNT = len(BAR.nodes)
FACE = (BAR.node_sets["Z1"] + 1).tolist()
PLACE = np.array([0.1, 0.15, 1.7])  # of the node that masses are given at
OFFSET = np.array([0.05, -0.04, 0.1])
MASS, INERTIA = 30.0, (0.8, 0.7, 0.5)
CENTRE = BAR.nodes[BAR.node_sets["Z1"]].mean(axis=0)


def at(*place):
    """Id of the node at a place."""
    return int(np.argmin(np.abs(BAR.nodes - place).sum(axis=1))) + 1


FOOT, LOW, HIGH, CORNER = at(0, 0, 0), at(0, 0, 1.5), at(0.2, 0.3, 1.5), at(0.2, 0, 1.5)


def node_lines(nodes=BAR.nodes, first=1):
    return [f"{k}, " + ", ".join(repr(float(x)) for x in row) for k, row in enumerate(nodes, first)]


def element_lines(rows=None):
    out = []
    for k, row in enumerate(BAR.blocks[0].connectivity + 1 if rows is None else rows, 1):
        words = [str(k), *map(str, row)]
        out += [", ".join(words[:16]) + ",", ", ".join(words[16:])]
    return out


def ids(name, numbers, kind="NSET"):
    return [f"*{kind}, {kind}={name}", *(", ".join(map(str, numbers[k : k + 8])) for k in range(0, len(numbers), 8))]


STEEL = ["*MATERIAL, NAME=STEEL", "*ELASTIC", "2.1e11, 0.3", "*DENSITY", "7850.",
         "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL"]  # fmt: skip


def abaqus(*more, nodes=None, elements=None):
    lines = [
        *(nodes or ["*NODE", *node_lines()]),
        "*ELEMENT, TYPE=C3D20, ELSET=ALL",
        *(elements or element_lines()),
        *STEEL,
    ]
    return "\n".join([*lines, *ids("FACE", FACE), *more, ""])


def mass_at(node, kilograms, element=901, name="LUMP"):
    return [f"*ELEMENT, TYPE=MASS, ELSET={name}", f"{element}, {node}", f"*MASS, ELSET={name}", f"{kilograms!r}"]


def nastran(*more, system="", head=(), nodes=BAR.nodes, turned=()):
    lines = ["SOL 103", "CEND", *head, "BEGIN BULK", "MAT1,1,2.1+11,,.3,7850.", "PSOLID,1,1"]
    for k, row in enumerate(nodes, 1):
        x, y, z = (f"{v:.9E}".replace("E", "")[:16] for v in row)
        lines += [f"GRID*,{k},{system},{x},{y}", f"*,{z},{9 if k in turned else ''}"]
    for k, row in enumerate(to_nastran("hex20", BAR.blocks[0].connectivity) + 1, 1):
        words = ["CHEXA", str(k), "1", *map(str, row)]
        lines += [",".join(words[:9]), *("," + ",".join(words[s : s + 8]) for s in range(9, len(words), 8))]
    return "\n".join([*lines, *more, "ENDDATA", ""])


def hz(path, count=6, **options):
    mesh, audit = read_mesh(path, **options)
    recover = free_coordinates(mesh)
    stiffness, mass = assemble(mesh, FormulationOptions(hex20="full"))
    frequency = natural_modes(*(held_together(recover, a) for a in (stiffness, mass)), 6 + count)[0]
    assert frequency[5] < 1e-3 * frequency[6]
    return frequency[6:], audit


def check(tmp_path, name, text, wanted, **options):
    path = tmp_path / name
    path.write_text(text)
    found, audit = hz(path, len(wanted), **options)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)  # seven digits
    return audit


def rigid_masses():
    """Points and masses that stand for MASS with INERTIA at PLACE + OFFSET."""
    centre = PLACE + OFFSET
    points = [centre, *(centre + s * 0.2 * e for e in np.eye(3) for s in (1, -1))]
    return points, [5.0, 2.5, 2.5, 3.75, 3.75, 6.25, 6.25]


def calculix_decks():
    """The decks that CalculiX ran, by name."""
    points, masses = rigid_masses()
    own = range(COUNT + 1, COUNT + 8)
    rigid = ["*NODE", *node_lines(np.vstack([points, [PLACE, PLACE]]), COUNT + 1)]
    for k, (node, kilograms) in enumerate(zip(own, masses, strict=True)):
        rigid += mass_at(node, kilograms, 901 + k, f"LUMP{k}")
    rigid += ids("STIFF", [*FACE, *own])
    rigid += [f"*RIGID BODY, NSET=STIFF, REF NODE={COUNT + 8}, ROT NODE={COUNT + 9}"]
    mean = ["*NODE", *node_lines([CENTRE], COUNT + 1), *mass_at(COUNT + 1, 20.0)]
    for axis in (1, 2, 3):
        terms = [*(f"{n}, {axis}, 1." for n in FACE), f"{COUNT + 1}, {axis}, {-float(len(FACE))!r}"]
        mean += ["*EQUATION", str(len(terms)), *terms]
    return {
        "PLAIN": abaqus(),
        "LUMPED": abaqus(*mass_at(CORNER, 15.0)),
        "RIGID": abaqus(*rigid),
        "MEAN": abaqus(*mean),
        "RADIAL": abaqus(*RADIAL),
        "LENGTHS": abaqus(*LENGTHS),
        "SPRUNG": abaqus("*ELEMENT, TYPE=SPRINGA, ELSET=S", f"901, {FOOT}, {CORNER}", "*SPRING, ELSET=S", "", "3.e8"),
    }


RADIAL = [  # nodes at opposite ends of a diagonal keep their distance
    *ids("PAIR", [FOOT, CORNER]), "*TRANSFORM, NSET=PAIR, TYPE=C", "0.1, 0., 0.75, 0.1, 1., 0.75",
    "*EQUATION", "2", f"{FOOT}, 1, 1., {CORNER}, 1, 1.",
]  # fmt: skip
LENGTHS = [  # a node keeps its distance from two, in oblique directions
    "*EQUATION", "2", f"{FOOT}, 3, 1., {LOW}, 3, -1.",
    "*EQUATION", "6", f"{FOOT}, 2, 0.3, {FOOT}, 1, 0.2, {FOOT}, 3, 1.5, {HIGH}, 2, -0.3",
    f"{HIGH}, 1, -0.2, {HIGH}, 3, -1.5",
]  # fmt: skip

PLAIN = (447.083, 629.6963, 917.4529, 1135.204, 1485.209, 1720.405)
LUMPED_HZ = (429.4909, 602.7192, 857.4363, 1084.953, 1373.253, 1604.323)
RIGID_HZ = (356.9823, 512.5928, 839.8939, 879.3417, 1179.552, 1574.76)
MEAN_HZ = (427.06, 603.5164, 917.4529, 1092.48, 1437.112, 1673.229)
RADIAL_HZ = (447.083, 694.5505, 922.3054, 1164.174, 1485.209, 1810.353)
LENGTHS_HZ = (484.3945, 728.8362, 917.4529, 1170.59, 1535.737, 1833.221)
SPRUNG_HZ = (447.083, 645.9069, 918.5071, 1141.559, 1485.209, 1739.279)
A, B, C = np.array([(0.3, -0.2, 0.5), (0.3, 0.4, 1.3), (1.2, 0.1, 0.4)])  # points of a coordinate system


def local(first, second, kind="R"):
    """Nodes of the bar in the system of origin A with B on its first axis and C in the plane of it and the second."""
    u = (B - A) / np.linalg.norm(B - A)
    w = np.cross(u, C - A) / np.linalg.norm(np.cross(u, C - A))
    axes = {"zx": np.column_stack([np.cross(w, u), w, u]), "xy": np.column_stack([u, np.cross(w, u), w])}[
        first + second
    ]
    x, y, z = ((BAR.nodes - A) @ axes).T
    if kind == "C":
        return np.column_stack([np.hypot(x, y), np.degrees(np.arctan2(y, x)), z])
    if kind == "S":
        r = np.sqrt(x**2 + y**2 + z**2)
        return np.column_stack([r, np.degrees(np.arccos(z / r)), np.degrees(np.arctan2(y, x))])
    return np.column_stack([x, y, z])


def card(*words):
    return ",".join(f"{w:.6f}" if isinstance(w, float) else str(w) for w in words)


def test_included_files_and_supports_that_drop_out(tmp_path):
    (tmp_path / "nodes.inp").write_text("\n".join(["*NODE", *node_lines(), ""]))
    text = abaqus("*BOUNDARY", "1, 1, 3", nodes=["*INCLUDE, INPUT=nodes.inp"])
    audit = check(tmp_path, "m.inp", text, PLAIN)
    assert any(line.startswith("WARNING: *BOUNDARY") and "the body is free" in line for line in audit)
    (tmp_path / "rest.bdf").write_text("SPC1,1,123456,1,2\n")
    audit = check(tmp_path, "m.bdf", nastran("INCLUDE 'rest.bdf'"), PLAIN)
    assert any(line.startswith("WARNING: SPC1") and "the body is free" in line for line in audit)


def test_nodes_in_a_system_of_abaqus(tmp_path):
    points = [", ".join(map(str, np.r_[A, B])), ", ".join(map(str, C))]
    check(tmp_path, "m.inp", abaqus(nodes=["*SYSTEM", *points, "*NODE", *node_lines(local("x", "y"))]), PLAIN)
    mesh, _ = read_mesh(tmp_path / "m.inp")
    np.testing.assert_allclose(mesh.nodes, BAR.nodes, atol=1e-12)
    moved = ["*SYSTEM", "0.5, 0., 0.", "*NODE", *node_lines()[:1], "*SYSTEM", "*NODE", *node_lines()[1:]]
    (tmp_path / "m.inp").write_text(abaqus(nodes=moved))
    with pytest.raises(MeshError, match="inverted or degenerate"):  # node 1 alone moved
        read_mesh(tmp_path / "m.inp")


@pytest.mark.parametrize("kind", "RCS")
@pytest.mark.parametrize("by", [1, 2])
def test_nodes_in_the_systems_of_nastran(tmp_path, kind, by):
    own = [f"CORD2{kind},5,,{card(*A)},{card(*B)}", f",{card(*C)}"]
    if by == 1:
        own = [f"CORD1{kind},5,9001,9002,9003", *(card("GRID", 9001 + k, "", *p) for k, p in enumerate((A, B, C)))]
    check(tmp_path, "m.bdf", nastran(*own, system=5, nodes=local("z", "x", kind)), PLAIN)
    mesh, _ = read_mesh(tmp_path / "m.bdf")
    np.testing.assert_allclose(mesh.nodes, BAR.nodes, atol=1e-8)  # ten digits


def test_a_mass_at_a_node(tmp_path):
    check(tmp_path, "m.inp", abaqus(*mass_at(CORNER, 15.0)), LUMPED_HZ)
    check(tmp_path, "m.bdf", nastran(f"CONM2,901,{CORNER},,15."), LUMPED_HZ)


GRID = card("GRID", COUNT + 1, "", *PLACE)
CONM2 = f"{card('CONM2', 901, COUNT + 1, '', MASS, *OFFSET)}\n,0.8,,0.7,,,0.5"
RBE2 = ["RBE2", "7", str(COUNT + 1), "123456", *map(str, FACE)]
MASS_IN_PLACE = ["*NODE", *node_lines([PLACE + OFFSET], COUNT + 1), *mass_at(COUNT + 1, MASS)]
MASS_IN_PLACE += ["*ELEMENT, TYPE=ROTARYI, ELSET=TURN", f"902, {COUNT + 1}"]
MASS_IN_PLACE += ["*ROTARY INERTIA, ELSET=TURN", "0.8, 0.7, 0.5"]
ON_FACE = ["*SURFACE, NAME=F, TYPE=NODE", "FACE,", f"*COUPLING, CONSTRAINT NAME=K, REF NODE={COUNT + 1}, SURFACE=F"]
RIGID = {
    "RIGID BODY": [f"*RIGID BODY, TIE NSET=FACE, REF NODE={COUNT + 1}"],
    "COUPLING": [*ON_FACE, "*KINEMATIC", "1, 6"],
    "KINEMATIC COUPLING": [f"*KINEMATIC COUPLING, REF NODE={COUNT + 1}", "FACE, 1, 6"],
    "CalculiX without blanks": [f"*RIGIDBODY, NSET=FACE, REFNODE={COUNT + 1}"],
}  # fmt: skip


def wrapped(words):
    return "\n".join([",".join(words[:9]), *("," + ",".join(words[k : k + 8]) for k in range(9, len(words), 8))])


@pytest.mark.parametrize("name", RIGID)
def test_a_mass_with_inertia_on_a_rigid_face(tmp_path, name):
    check(tmp_path, "m.inp", abaqus(*MASS_IN_PLACE, *RIGID[name]), RIGID_HZ)


def test_a_mass_with_offset_and_inertia_on_rbe2(tmp_path):
    check(tmp_path, "m.bdf", nastran(GRID, CONM2, wrapped(RBE2)), RIGID_HZ)


MEAN = {
    "COUPLING": [*ON_FACE, "*DISTRIBUTING", "1, 6"],
    "DISTRIBUTING COUPLING": ["*ELEMENT, TYPE=DCOUP3D, ELSET=D", f"902, {COUNT + 1}", "*DISTRIBUTING COUPLING, ELSET=D",
                              "FACE, 1."],
}  # fmt: skip


@pytest.mark.parametrize("name", MEAN)
def test_a_mass_on_the_mean_of_a_face(tmp_path, name):
    own = ["*NODE", *node_lines([CENTRE], COUNT + 1), *mass_at(COUNT + 1, 20.0)]
    check(tmp_path, "m.inp", abaqus(*own, *MEAN[name]), MEAN_HZ)


def test_a_mass_on_rbe3(tmp_path):
    words = ["RBE3", "7", "", str(COUNT + 1), "123456", "1.", "123", *map(str, FACE)]
    grid = card("GRID", COUNT + 1, "", *CENTRE)
    check(tmp_path, "m.bdf", nastran(grid, f"CONM2,901,{COUNT + 1},,20.", wrapped(words)), MEAN_HZ)


def test_an_equation_in_cylindrical_directions(tmp_path):
    check(tmp_path, "m.inp", abaqus(*RADIAL), RADIAL_HZ)
    system = "CORD2C,9,,0.1,0.,0.75,0.1,1.,0.75\n,1.,0.,0.75"
    equation = f"MPC,3,{FOOT},1,1.,{CORNER},1,1."
    check(tmp_path, "m.bdf", nastran(system, equation, head=["MPC = 3"], turned=(FOOT, CORNER)), RADIAL_HZ)


def test_two_equations_of_one_node_in_oblique_directions(tmp_path):
    check(tmp_path, "m.inp", abaqus(*LENGTHS), LENGTHS_HZ)
    twice = [*LENGTHS[:3], *LENGTHS[:3], *LENGTHS[3:]]
    (tmp_path / "m.inp").write_text(abaqus(*twice))
    with pytest.raises(MeshError, match="3 equations of its first node, which are not independent"):
        read_mesh(tmp_path / "m.inp")


def halves(*more):
    """The bar cut in the middle, the upper half with nodes of its own there."""
    middle = np.flatnonzero(np.abs(BAR.nodes[:, 2] - 0.75) < 1e-9)
    twin = {int(k): COUNT + 1 + i for i, k in enumerate(middle)}
    upper = BAR.nodes[BAR.blocks[0].connectivity].mean(axis=1)[:, 2] > 0.75
    rows = [
        [twin.get(int(k), k + 1) if up else k + 1 for k in row]
        for row, up in zip(BAR.blocks[0].connectivity, upper, strict=True)
    ]
    nodes = ["*NODE", *node_lines(np.vstack([BAR.nodes, BAR.nodes[middle]]))]
    sets = [*ids("LOWER", middle + 1), *ids("UPPER", list(twin.values()))]
    sets += ids("BELOW", 1 + np.flatnonzero(~upper), "ELSET") + ids("ABOVE", 1 + np.flatnonzero(upper), "ELSET")
    return abaqus(*sets, *more, nodes=nodes, elements=element_lines(rows))


SURFACES = ["*SURFACE, NAME=LOW, TYPE=ELEMENT", "BELOW,", "*SURFACE, NAME=UP, TYPE=NODE", "UPPER,"]
JOINED = {
    "MPC TIE": ["*MPC", "TIE, UPPER, LOWER"],
    "MPC PIN": ["*MPC", "PIN, UPPER, LOWER"],
    "EQUATION": [line for axis in "123" for line in ("*EQUATION", "2", f"UPPER, {axis}, 1., LOWER, {axis}, -1.")],
    "TIE": [*SURFACES, "*TIE, NAME=T", "UP, LOW"],
    "CONTACT PAIR": [*SURFACES, "*CONTACT PAIR, INTERACTION=I", "UP, LOW", "*SURFACE INTERACTION, NAME=I"],
}


@pytest.mark.parametrize("name", JOINED)
def test_halves_joined_are_the_whole_bar(tmp_path, name):
    check(tmp_path, "m.inp", halves(*JOINED[name]), PLAIN, tied=["UP/LOW"] if name == "CONTACT PAIR" else ())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (JOINED["CONTACT PAIR"], r"CONTACT PAIR .*a contact; to hold it as a tie name it: .*--fit UP/LOW:0"),
        ([*JOINED["TIE"], "*CLEARANCE, MASTER=LOW, SLAVE=UP, VALUE=0.01"], r"\*CLEARANCE .*a constraint"),
    ],
)
def test_contacts_that_no_name_holds_are_refused(tmp_path, more, said):
    (tmp_path / "m.inp").write_text(halves(*more))
    with pytest.raises(MeshError, match=said):
        read_mesh(tmp_path / "m.inp")


def test_springs_between_nodes_of_the_body(tmp_path):
    spring = ["*ELEMENT, TYPE=SPRINGA, ELSET=S", f"901, {FOOT}, {CORNER}", "*SPRING, ELSET=S", "", "3.e8"]
    check(tmp_path, "m.inp", abaqus(*spring), SPRUNG_HZ)
    check(tmp_path, "m.bdf", nastran(f"CBUSH,901,8,{FOOT},{CORNER}", "PBUSH,8,K,3.+8"), SPRUNG_HZ)
    system = "CORD2C,9,,0.1,0.,0.75,0.1,1.,0.75\n,1.,0.,0.75"
    other = f"CELAS2,901,3.+8,{FOOT},3,{LOW},3"  # along an edge
    (tmp_path / "along.bdf").write_text(nastran(system, other))
    by_property = f"CELAS1,901,8,{FOOT},3,{LOW},3\nPELAS,8,3.+8"
    (tmp_path / "property.bdf").write_text(nastran(by_property))
    edge = ["*ELEMENT, TYPE=SPRING2, ELSET=S", f"901, {FOOT}, {LOW}", "*SPRING, ELSET=S", "3, 3", "3.e8"]
    (tmp_path / "m.inp").write_text(abaqus(*edge))
    (tmp_path / "a.inp").write_text(abaqus(*(line.replace("SPRING2", "SPRINGA").replace("3, 3", "") for line in edge)))
    wanted = hz(tmp_path / "a.inp")[0]
    for name in ("along.bdf", "property.bdf", "m.inp"):
        np.testing.assert_allclose(hz(tmp_path / name)[0], wanted, rtol=1e-9)
    assert wanted[0] > 1.01 * PLAIN[0] and wanted[0] < LENGTHS_HZ[0] * 1.001


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (f"CELAS2,901,3.+8,{FOOT},1,{LOW},1", r"CELAS2 .*would hold the body against turning"),
        (f"CELAS2,901,3.+8,{FOOT},1,{LOW},3", r"CELAS2 .*other kinds than between equal directions"),
        (f"CBUSH,901,8,{FOOT},{LOW}\nPBUSH,8,K,3.+8,2.+8", r"CBUSH .*other kinds"),
        (f"CBUSH,901,8,{FOOT},{LOW}\nPBUSH,8,K,3.+8,,,5.", r"CBUSH .*other kinds"),
        (f"CELAS2,901,3.+8,{FOOT},3,9001,3\nGRID,9001,,0.,0.,2.", r"CELAS2 .*node 9001, which no solid holds"),
    ],
)
def test_springs_that_are_not_read_are_refused(tmp_path, more, said):
    (tmp_path / "m.bdf").write_text(nastran(more))
    with pytest.raises(MeshError, match=said):
        read_mesh(tmp_path / "m.bdf")


def test_springs_to_ground_are_supports(tmp_path):
    audit = check(tmp_path, "m.bdf", nastran(f"CELAS2,901,3.+8,{FOOT},1"), PLAIN)
    assert any(line.startswith("WARNING: CELAS2") and "supports" in line for line in audit)
    spring = ["*ELEMENT, TYPE=SPRING1, ELSET=S", f"901, {FOOT}", "*SPRING, ELSET=S", "1", "3.e8"]
    audit = check(tmp_path, "m.inp", abaqus(*spring), PLAIN)
    assert any(line.startswith("WARNING: SPRING1") and "supports" in line for line in audit)


def test_a_spring_or_dashpot_to_a_held_node_is_a_support(tmp_path):
    for element, values in (
        ("SPRINGA", ["*SPRING, ELSET=S", "", "3.e8"]),
        ("DASHPOTA", ["*DASHPOT, ELSET=S", "", "3.e3"]),
    ):
        own = ["*NODE", "9001, 0., 0., -1.", f"*ELEMENT, TYPE={element}, ELSET=S", f"901, 9001, {FOOT}", *values]
        audit = check(tmp_path, "m.inp", abaqus(*own, "*BOUNDARY", "PART.END, 1, 3", "9001, 1, 3"), PLAIN)
        assert any(line.startswith(f"WARNING: {element}") and "supports" in line for line in audit)
        (tmp_path / "m.inp").write_text(abaqus(*own, "*BOUNDARY", "9001, 1, 2"))
        with pytest.raises(MeshError, match="node 9001, which no solid holds" if element == "SPRINGA" else "damping"):
            read_mesh(tmp_path / "m.inp")


def test_initial_stress_is_left_out_with_a_warning(tmp_path):
    audit = check(tmp_path, "m.inp", abaqus("*INITIAL CONDITIONS, TYPE=STRESS", "1, 1, 1., 0., 0., 0., 0., 0."), PLAIN)
    assert any(
        line.startswith("WARNING: *INITIAL CONDITIONS") and "stress is without the initial one" in line
        for line in audit
    )


def test_an_equation_and_a_tie_in_one_deck(tmp_path):
    """The nodes that a tie moves are those of the mesh, whatever stands before it."""
    own = [*LENGTHS, *JOINED["TIE"]]
    check(tmp_path, "m.inp", halves(*own), LENGTHS_HZ)


def test_nodes_of_incompatible_modes_are_dropped(tmp_path):
    cube = box_mesh("hex8", (1, 1, 1))
    row = ", ".join(map(str, [1, *(cube.blocks[0].connectivity[0] + 1), 9, 10]))
    lines = ["*NODE", *node_lines(cube.nodes), "*ELEMENT, TYPE=C3D8I, ELSET=ALL", row, *STEEL, ""]
    (tmp_path / "m.inp").write_text("\n".join(lines))
    mesh, audit = read_mesh(tmp_path / "m.inp")
    assert (
        mesh.blocks[0].kind == "hex8" and len(mesh.nodes) == 8 and any("incompatible modes" in line for line in audit)
    )
