"""Collapsed hexahedra and wedges, and pyramids: volume, patch test and faces against exact values."""

import itertools

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.elements import EDGES, LINEAR_KIND, REFERENCE_NODES
from flexwheel.body.mesh import ElementBlock, Material, Mesh
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.statics import static_solution
from flexwheel.extensions.formats.import_steps.collapsed import proper_elements, proper_faces
from flexwheel.extensions.formats.raw_mesh import RawElements
from flexwheel.verification.meshes.box_mesh import box_mesh

CUBE = REFERENCE_NODES["hex8"]
COLLAPSED = {  # corner each corner of the cube goes to: a wedge, a pyramid, a tetrahedron; volume of the unit cube's
    "wedge6": ((0, 1, 2, 2, 4, 5, 6, 6), 4.0),
    "pyramid5": ((0, 1, 2, 3, 4, 4, 4, 4), 8 / 3),
    "tet4": ((0, 1, 2, 2, 4, 4, 4, 4), 4 / 3),
}
TURNS = [
    turn
    for axes in itertools.permutations(range(3))
    for signs in itertools.product((1, -1), repeat=3)
    if np.linalg.det(turn := np.eye(3)[list(axes)] * np.array(signs)) > 0
]


def deck(nodes, elements):
    """Abaqus input of elements {TYPE: rows of node numbers}."""
    lines = ["*NODE", *(f"{k}, {x!r}, {y!r}, {z!r}" for k, (x, y, z) in enumerate(nodes.tolist(), 1))]
    number = itertools.count(1)
    for kind, rows in elements.items():
        lines.append(f"*ELEMENT, TYPE={kind}, ELSET=ALL")
        for row in rows:
            words = [str(next(number)), *(str(n) for n in row)]
            lines += [", ".join(words[k : k + 16]) + "," * (k + 16 < len(words)) for k in range(0, len(words), 16)]
    lines += [
        "*MATERIAL, NAME=S",
        "*ELASTIC",
        "2.1e11, 0.3",
        "*DENSITY",
        "7850.",
        "*SOLID SECTION, ELSET=ALL, MATERIAL=S",
        "",
    ]
    return "\n".join(lines)  # fmt: skip


@pytest.mark.parametrize("kind", COLLAPSED)
@pytest.mark.parametrize("turn", range(24))
def test_a_collapsed_cube_has_its_volume_however_it_is_numbered(tmp_path, kind, turn):
    corners, volume = COLLAPSED[kind]
    order = [int(np.argmin(np.abs(CUBE - c).sum(axis=1))) for c in CUBE @ TURNS[turn].T]
    row = [corners[k] + 1 for k in order]
    (tmp_path / "m.inp").write_text(deck(CUBE, {"C3D8": [row]}))
    mesh, audit = read_mesh(tmp_path / "m.inp")
    assert [block.kind for block in mesh.blocks] == [kind]
    assert mass_properties(mesh).volume == pytest.approx(volume, rel=1e-12)
    assert any(f"read as 1 {kind}" in line for line in audit) and not any("mirrored" in line for line in audit)


@pytest.mark.parametrize("kind", COLLAPSED)
def test_mid_nodes_of_edges_that_stay_are_kept(kind):
    """Columns by the places of the nodes: each mid node halfway between its corners."""
    corners, _ = COLLAPSED[kind]
    row = list(corners)
    places = {k: CUBE[k] for k in set(corners)}
    for a, b in EDGES["hex20"]:
        ends = tuple(sorted((corners[a], corners[b])))
        number = ends[0] if ends[0] == ends[1] else 100 * ends[0] + ends[1] + 1000
        places[number] = 0.5 * (CUBE[ends[0]] + CUBE[ends[1]])
        row.append(number)
    (block,), _ = proper_elements("m", (RawElements("hex20", np.array([7]), np.array([row])),))
    assert LINEAR_KIND[block.kind] == kind and block.kind != kind
    count = len(REFERENCE_NODES[kind])
    for k, (a, b) in enumerate(EDGES[block.kind]):
        ends = [places[block.nodes[0, c]] for c in (a, b)]
        np.testing.assert_array_equal(places[block.nodes[0, count + k]], 0.5 * sum(ends))


@pytest.mark.parametrize(
    ("kind", "row", "said"),
    [
        ("hex8", [1, 2, 3, 4, 5, 6, 7, 7], "7 different corners"),
        ("hex8", [1, 1, 1, 1, 5, 5, 5, 5], "2 different corners"),
        ("hex8", [1, 2, 3, 4, 1, 2, 3, 4], "4 different corners"),
        ("tet4", [1, 2, 3, 3], "3 different corners"),
        ("hex20", [1, 2, 3, 4, 5, 5, 5, 5, *range(9, 21)], "an edge that has vanished"),
        ("hex20", [1, 2, 3, 3, 5, 6, 7, 7, 9, 10, 3, 11, 12, 13, 7, 14, 15, 16, 17, 18], "two mid nodes"),
    ],
)
def test_what_collapses_to_no_element_is_refused(kind, row, said):
    with pytest.raises(MeshError, match=said):
        proper_elements("m", (RawElements(kind, np.array([7]), np.array([row])),))


def test_a_side_of_a_collapsed_face_leaves_a_triangle():
    quads = np.array([[1, 2, 3, 4], [5, 5, 6, 7], [5, 6, 6, 7], [5, 6, 7, 7], [5, 6, 7, 5]])
    assert [f.tolist() for f in proper_faces(quads)] == [[[1, 2, 3, 4]]] + [[[5, 6, 7]]] * 4
    (six,) = proper_faces(np.array([[5, 6, 7, 7, 56, 67, 7, 75]]))
    assert six.tolist() == [[5, 6, 7, 56, 67, 75]]
    (six,) = proper_faces(np.array([[5, 6, 7, 5, 56, 67, 75, 5]]))
    assert six.tolist() == [[5, 6, 7, 56, 67, 75]]


def mixed(order):
    """Distorted box of 27 cells: hexahedra, cells of six pyramids, and two whose common pyramids are tetrahedra."""
    box = box_mesh("hex8", (3, 3, 3), (1.0, 1.2, 0.8), distortion=0.2, seed=4)
    nodes, rows = box.nodes.tolist(), {"hex8": [], "pyramid5": [], "tet4": []}
    cells = box.blocks[0].connectivity
    low = {tuple(np.round(3 * box.nodes[c].min(axis=0) / (1.0, 1.2, 0.8) + 0.3).astype(int)): c for c in cells}
    assert len(low) == 27
    pair = [low[1, 1, 1], low[2, 1, 1]]
    common = set(pair[0]) & set(pair[1])
    for place, cell in low.items():
        if sum(place) % 2 == 0 and not any(cell is p for p in pair):
            rows["hex8"].append(cell.tolist())
            continue
        nodes.append(np.mean([nodes[k] for k in cell], axis=0).tolist())
        for face in ((0, 1, 2, 3), (7, 6, 5, 4), (4, 5, 1, 0), (5, 6, 2, 1), (6, 7, 3, 2), (7, 4, 0, 3)):
            base = [int(cell[k]) for k in face]
            if any(cell is p for p in pair) and set(base) == common:
                start = base.index(min(base))
                a, b, c, d = base[start:] + base[:start]
                rows["tet4"] += [[a, b, c, len(nodes) - 1], [a, c, d, len(nodes) - 1]]
            else:
                rows["pyramid5"].append([*base, len(nodes) - 1])
    if order == 2:
        mids, second = {}, {"hex8": "hex20", "pyramid5": "pyramid13", "tet4": "tet10"}
        for kind in list(rows):
            own = []
            for row in rows.pop(kind):
                for a, b in EDGES[second[kind]]:
                    key = tuple(sorted((row[a], row[b])))
                    if key not in mids:
                        mids[key] = len(nodes)
                        nodes.append(np.mean([nodes[k] for k in key], axis=0).tolist())
                own.append(row + [mids[tuple(sorted((row[a], row[b])))] for a, b in EDGES[second[kind]]])
            rows[second[kind]] = own
    blocks = tuple(ElementBlock(kind, np.array(r), np.arange(len(r))) for kind, r in rows.items())
    x = np.array(nodes)
    outside = np.flatnonzero(np.abs(x / (1.0, 1.2, 0.8) - 0.5).max(axis=1) > 0.5 - 1e-9)
    return Mesh(x, np.arange(len(x)), blocks, (Material(2.1e11, 0.3, 7850.0),)), outside


@pytest.mark.parametrize("order", [1, 2])
def test_pyramids_between_hexahedra_and_tetrahedra_pass_the_patch_test(order):
    mesh, outside = mixed(order)
    assert mass_properties(mesh).volume == pytest.approx(0.96, rel=1e-12)
    stiffness, mass = assemble(mesh)
    assert mass.sum() / 3 == pytest.approx(7850 * 0.96, rel=1e-12)
    gradient = 1e-3 * np.array([[1.0, 0.3, -0.2], [0.1, -0.7, 0.4], [0.5, 0.2, 0.6]])
    wanted = (mesh.nodes @ gradient.T).ravel()
    held = (3 * outside[:, None] + np.arange(3)).ravel()
    moved = np.zeros(mesh.dof_count)
    moved[held] = wanted[held]
    found = moved + static_solution(mesh, stiffness, held, -(stiffness @ moved))
    np.testing.assert_allclose(found, wanted, atol=1e-12)  # rounding; the displacement is 1e-3


def test_a_bar_of_pyramids_bends_as_one_of_hexahedra():
    """First bending of a free bar, four cells through its height, against 20-node hexahedra on the same cells."""
    first = {}
    for kind in ("hex20", "pyramid13", "pyramid5", "tet4"):
        mesh = box_mesh(kind, (4, 4, 20), (0.1, 0.1, 1.0))
        first[kind] = natural_modes(*assemble(mesh), 7)[0][6]
    assert first["pyramid13"] == pytest.approx(first["hex20"], rel=1e-3)
    assert 1.0 < first["pyramid5"] / first["hex20"] < first["tet4"] / first["hex20"]
