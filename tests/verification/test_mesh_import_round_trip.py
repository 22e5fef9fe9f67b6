"""What is written is read back: any kind of element, any ids, any sets, in each format; and meshio agrees."""

from dataclasses import replace
from pathlib import Path

import meshio
import numpy as np
import pytest

from flexwheel.body.mesh import ElementBlock, Material, Mesh
from flexwheel.body.mesh_format import read_mesh
from flexwheel.extensions.formats.abaqus.abaqus_scan import scan_abaqus
from flexwheel.extensions.formats.element_order import MESHIO_TYPE, mirrored
from flexwheel.extensions.formats.import_steps.mesh_materials import split_by_material
from flexwheel.extensions.formats.nastran.nastran_scan import scan_nastran
from flexwheel.extensions.formats.others.gmsh_scan import scan_gmsh
from flexwheel.verification.meshes.mesh_writers import write_mesh
from flexwheel.verification.meshes.wheelset_section import WheelsetDimensions, wheelset_mesh

MESHES = Path(__file__).parents[2] / "meshes"
FORMATS = [".inp", ".msh", ".bdf"]
HEX_TO_TETS = [(0, 1, 3, 4), (1, 2, 3, 6), (1, 3, 4, 6), (3, 4, 6, 7), (1, 4, 5, 6)]
SUFFIX_TOLERANCE = 1e-11  # 12 significant digits of coordinates up to 1.1 m


def tetrahedral_bar(order):
    """A bar of five tetrahedra per cube; mid nodes when order is 2."""
    corners = np.array([(x, y, z) for z in (0, 1) for y in range(4) for x in (0, 1)], dtype=float) * [0.3, 0.25, 0.2]
    cells = []
    for k in range(3):
        cube = [2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2]
        cube += [c + 8 for c in cube]
        if k % 2:
            cube = [cube[i] for i in (1, 2, 3, 0, 5, 6, 7, 4)]
        cells += [[cube[i] for i in tet] for tet in HEX_TO_TETS]
    nodes, cells = list(map(tuple, corners)), [list(c) for c in cells]
    if order == 2:
        for cell in cells:
            for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
                middle = tuple((corners[cell[a]] + corners[cell[b]]) / 2)
                if middle not in nodes:
                    nodes.append(middle)
                cell.append(nodes.index(middle))
    kind = "tet10" if order == 2 else "tet4"
    block = ElementBlock(kind, np.array(cells), np.arange(1, len(cells) + 1))
    return Mesh(np.array(nodes), np.arange(1, len(nodes) + 1), (block,), ())


def with_random_ids(mesh, seed):
    """Ids with gaps in random order, random sets, two materials split at random."""
    rng = np.random.default_rng(seed)
    node_ids = rng.permutation(np.arange(101, 101 + 3 * len(mesh.nodes)))[: len(mesh.nodes)]
    count = mesh.element_count
    ids = rng.permutation(np.arange(5001, 5001 + 2 * count))[:count]
    blocks, start = [], 0
    for block in mesh.blocks:
        blocks.append(ElementBlock(block.kind, block.connectivity, ids[start : start + len(block.ids)]))
        start += len(block.ids)
    node_sets = {f"NODES_{k}": rng.permutation(len(mesh.nodes))[: 3 + 7 * k] for k in range(3)}
    mesh = Mesh(mesh.nodes, node_ids, tuple(blocks), (), node_sets, {})
    table = (Material(2.1e11, 0.3, 7850.0, "STEEL"), Material(7.0e10, 0.33, 2700.0, "ALUMINIUM"))
    return split_by_material(mesh, table, rng.integers(0, 2, count))


def by_element(mesh):
    """{id: (kind, nodes' ids, material name)}."""
    return {
        int(i): (b.kind, tuple(mesh.node_ids[row]), mesh.materials[b.material].name if mesh.materials else "")
        for b in mesh.blocks
        for i, row in zip(b.ids, b.connectivity, strict=True)
    }


BODIES = {
    "hex8, wedge6": lambda: wheelset_mesh(),
    "hex20, wedge15": lambda: wheelset_mesh(order=2),
    "hex20": lambda: wheelset_mesh(WheelsetDimensions(bore_radius=0.03), order=2),
    "tet4": lambda: tetrahedral_bar(1),
    "tet10": lambda: tetrahedral_bar(2),
}


def read_by_meshio(path):
    """What meshio reads; None where it gives up, in whatever way."""
    try:
        return meshio.read(path)
    except (Exception, SystemExit):
        return None


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("body", BODIES)
def test_round_trip(tmp_path, body, suffix):
    mesh = with_random_ids(BODIES[body](), seed=7)
    path = tmp_path / f"mesh{suffix}"
    write_mesh(path, mesh)
    again, _ = read_mesh(path)
    assert np.array_equal(again.node_ids, mesh.node_ids)
    assert np.abs(again.nodes - mesh.nodes).max() < SUFFIX_TOLERANCE
    expected = by_element(mesh)
    if suffix == ".msh":
        expected = {i: (kind, nodes, "") for i, (kind, nodes, _) in expected.items()}
    assert by_element(again) == expected
    for name, rows in mesh.node_sets.items():
        assert np.array_equal(again.node_sets[name], rows), name
    theirs = read_by_meshio(path)
    assert (theirs is None) == ("wedge15" in body)  # which it does not know
    if theirs is not None:
        assert np.abs(theirs.points - again.nodes).max() < SUFFIX_TOLERANCE
        counts = {kind: sum(len(c.data) for c in theirs.cells if c.type == kind) for kind in MESHIO_TYPE.values()}
        ours = {kind: sum(len(b.ids) for b in again.blocks if MESHIO_TYPE[b.kind] == kind) for kind in counts}
        assert counts == ours


@pytest.mark.parametrize("body", BODIES)
def test_mirrored_numbering_is_turned_back(tmp_path, body):
    mesh = BODIES[body]()
    blocks = tuple(replace(b, connectivity=mirrored(b.kind, b.connectivity)) for b in mesh.blocks)
    write_mesh(tmp_path / "mesh.inp", replace(mesh, blocks=blocks))
    again, audit = read_mesh(tmp_path / "mesh.inp")
    assert "".join(audit).count("mirrored node order") == len(mesh.blocks)
    for a, b in zip(again.blocks, mesh.blocks, strict=True):
        assert np.array_equal(a.connectivity, b.connectivity), a.kind


@pytest.mark.parametrize(("body", "suffix"), [("hex20", ".bdf"), ("hex20", ".msh"), ("tet10", ".msh")])
def test_meshio_reads_the_same_mid_nodes(tmp_path, body, suffix):
    mesh = BODIES[body]()  # meshio has no 15-node wedges
    path = tmp_path / f"mesh{suffix}"
    write_mesh(path, mesh)
    theirs = meshio.read(path)
    for block in mesh.blocks:
        cells = [c.data for c in theirs.cells if c.type == MESHIO_TYPE[block.kind]]
        assert np.array_equal(np.concatenate(cells), block.connectivity), block.kind


def test_shipped_coarse_formats_give_the_same_mesh():
    first, *others = (read_mesh(MESHES / f"wheelset_coarse{suffix}")[0] for suffix in FORMATS)
    for other in others:
        assert np.array_equal(other.nodes, first.nodes)  # bitwise: the same 12 digits
        assert np.array_equal(other.node_ids, first.node_ids)
        for a, b in zip(other.blocks, first.blocks, strict=True):
            assert (a.kind, a.material) == (b.kind, b.material)
            assert np.array_equal(a.connectivity, b.connectivity) and np.array_equal(a.ids, b.ids)
        assert other.node_sets.keys() == first.node_sets.keys()
        for key, rows in first.node_sets.items():
            assert np.array_equal(other.node_sets[key], rows), key
        for key in ("AXLE", "WHEEL_LEFT", "WHEEL_RIGHT"):
            assert np.array_equal(np.sort(other.element_sets[key]), np.sort(first.element_sets[key])), key
    assert others[1].materials == first.materials and not others[0].materials


def test_shipped_large_formats_hold_the_same_mesh():
    scans = {".inp": scan_abaqus, ".msh": scan_gmsh, ".bdf": scan_nastran}
    first, *others = (scans[suffix](MESHES / f"wheelset{suffix}") for suffix in FORMATS)
    for other in others:
        assert np.array_equal(other.nodes, first.nodes) and np.array_equal(other.node_ids, first.node_ids)
        for a, b in zip(other.elements, first.elements, strict=True):
            assert a.kind == b.kind and np.array_equal(a.nodes, b.nodes) and np.array_equal(a.ids, b.ids)
        for key, ids in first.node_sets.items():
            assert np.array_equal(other.node_sets[key], ids), key


def test_shipped_coarse_mesh_is_what_the_section_draws():
    mesh, _ = read_mesh(MESHES / "wheelset_coarse.inp")
    drawn = wheelset_mesh()
    assert np.abs(mesh.nodes - drawn.nodes).max() < SUFFIX_TOLERANCE
    for a, b in zip(mesh.blocks, drawn.blocks, strict=True):
        assert np.array_equal(a.connectivity, b.connectivity)
