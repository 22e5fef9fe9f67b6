"""Whatever is wrong with a mesh file ends in one MeshError line that names the file and what to look at."""

import re
from pathlib import Path

import numpy as np
import pytest

from flexwheel.base.errors import FlexwheelError, MeshError
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import read_mesh
from flexwheel.verification.meshes.mesh_writers import write_mesh

MESHES = Path(__file__).parents[2] / "meshes"
NODES = """*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 0., 0., 1.
6, 1., 0., 1.
7, 1., 1., 1.
8, 0., 1., 1.
"""
ELEMENT = "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
CUBE = NODES + ELEMENT
SECTION = "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
MATERIAL = "*MATERIAL, NAME=M\n*ELASTIC\n{young}, {poisson}\n*DENSITY\n{density},\n"
SHELL = (
    "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n*ELEMENT, TYPE=S3, ELSET=P\n1, 1, 2, 3\n"
    "*SHELL SECTION, ELSET=P, MATERIAL=M\n0.01\n"
)
BULK = """BEGIN BULK
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,0.,1.,0.
GRID,4,{system},0.,0.,1.
CTETRA,1,1,1,2,3,4
PSOLID,1,1
MAT1,1,2.1+11,,.3,7850.
{extra}
ENDDATA
"""
GMSH = """$MeshFormat
{version} 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
{elements}
$EndElements
"""

ABAQUS = {
    "empty": ("", "empty"),
    "blank": ("  \n\n", "empty"),
    "not Abaqus": ("hello\nworld\n", "no Abaqus keyword"),
    "no solids": (NODES + "*ELEMENT, TYPE=S4\n1, 1, 2, 3, 4\n", "no solid elements.*S4"),
    "cut in a record": (CUBE[:-8], "1 of TYPE=C3D8|truncated|element 1"),
    "cut before the elements": (NODES, "no solid elements"),
    "too many nodes": (CUBE.replace("7, 8\n", "7, 8, 9\n"), r":11: element 1 of TYPE=C3D8 has 9 nodes, expected 8"),
    "shell without thickness": (SHELL.replace("0.01\n", ""), "no positive thickness"),
    "shell at no place": (SHELL.replace("1., 1., 0.", "nan, 1., 0."), "shell 1 has no area"),
    "shell without nodes": (SHELL[SHELL.index("*ELEMENT") :], "no nodes in the file"),
    "equation of no terms": (CUBE + "*EQUATION\n0\n", "must have at least one term, got 0"),
    "unknown element": (CUBE.replace("C3D8", "C3D27"), r":10: element TYPE=C3D27"),
    "continuum shell": (CUBE.replace("C3D8", "SC8R"), r":10: element TYPE=SC8R"),
    "no element type": (CUBE.replace("TYPE=C3D8, ", ""), r":10: element TYPE=\(none\)"),
    "inverted": (CUBE + "2, 5, 6, 7, 8, 1, 2, 3, 4\n", "same nodes"),
    "inverted among others": (
        NODES + "9,0.,0.,2.\n10,1.,0.,2.\n11,1.,1.,2.\n12,0.,1.,2.\n" + ELEMENT + "2, 9,10,11,12,5,6,7,8\n",
        "hex8 element 2 is inverted.*1 of 2",
    ),
    "flat": (CUBE.replace("5, 0., 0., 1.", "5, 0., 0., 0."), "inverted or degenerate"),
    "collapsed": (CUBE.replace("7, 8\n", "7, 7\n"), "element 1 names a node twice and has 7 different corners"),
    "two parts": (
        CUBE + CUBE.replace("\n", "\n1").replace(", 0., 0., 0", ", 5., 0., 0")[:-1],
        "twice|defined 2 times|share no node|TYPE",
    ),
    "disconnected": (
        CUBE + "*NODE\n11,5,0,0\n12,6,0,0\n13,5,1,0\n14,5,0,1\n*ELEMENT, TYPE=C3D4\n2, 11, 12, 13, 14\n",
        "2 parts that share no node: 8 nodes .*4 nodes",
    ),
    "not merged": (
        CUBE + "*NODE\n11,1,0,0\n12,2,0,0\n13,1,1,0\n14,1,0,1\n*ELEMENT, TYPE=C3D4\n2, 11, 12, 13, 14\n",
        "3 pairs of nodes coincide",
    ),
    "node twice": (CUBE + "*NODE\n3, 1., 1., 0.\n", "node id 3 is defined 2 times"),
    "element twice": (CUBE + "1, 1, 2, 3, 4, 5, 6, 7, 8\n", "element id 1 is defined 2 times"),
    "missing node": (CUBE.replace("7, 8\n", "7, 88\n"), "element 1 refers to node 88"),
    "NaN": (CUBE.replace("7, 1., 1., 1.", "7, 1., nan, 1."), "node 7 has coordinates"),
    "infinite": (CUBE.replace("7, 1., 1., 1.", "7, 1., 1e999, 1."), "node 7 has coordinates"),
    "keyword ends in a comma": (CUBE.replace("ELSET=E\n", "ELSET=E,\n"), ":11: the line before ends in a comma"),
    "no number": (CUBE.replace("7, 1., 1., 1.", "7, 1., one, 1."), r":8: node data"),
    "too long": (CUBE.replace("1.", "1000."), "1000 m long with length_unit = 'm'"),
    "too short": (CUBE.replace("1.", "0.001"), "0.001 m long"),
    "include of nothing": ("*INCLUDE, INPUT=other.inp\n" + CUBE, r":1: included file 'other.inp' not found"),
    "include of itself": ("*INCLUDE, INPUT=mesh.inp\n" + CUBE, r":1: .*mesh.inp includes itself"),
    "include without name": ("*INCLUDE\n" + CUBE, r":1: INCLUDE names no file"),
    "system": ("*SYSTEM\n0., 0., 0., 1., 0., 0.\n2., 0., 0.\n" + CUBE, r":1: the points of \*SYSTEM"),
    "spherical": (CUBE.replace("*NODE", "*NODE, SYSTEM=S"), "SYSTEM=S"),
    "node file": (CUBE.replace("*NODE", "*NODE, INPUT=n.inp"), "INPUT=n.inp"),
    "generated nodes": (CUBE + "*NGEN\n1, 8, 1\n", r"\*NGEN"),
    "generated elements": (CUBE + "*ELGEN\n1, 2, 1, 1\n", r"\*ELGEN"),
    "moved instance": (
        "*PART, NAME=P\n" + CUBE + "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0., 0., 3.\n"
        "0., 0., 0., 0., 0., 0., 30.\n*END INSTANCE\n",
        r":17: \*INSTANCE 'I' must turn about two different points",
    ),
    "two instances": (
        "*PART, NAME=P\n" + CUBE + "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n"
        "*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n",
        r"second \*INSTANCE 'I'",
    ),
    "set of an unknown set": (CUBE + "*ELSET, ELSET=A\nB\n", r":12: set 'B' is named but not defined"),
    "set in itself": (CUBE + "*ELSET, ELSET=A\nB\n*ELSET, ELSET=B\nA\n", "contains itself"),
    "set of an unknown node": (CUBE + "*NSET, NSET=A\n1, 99\n", "node set 'A' names node 99"),
    "empty GENERATE": (CUBE + "*NSET, NSET=A, GENERATE\n8, 1, 1\n", "GENERATE 8, 1, 1 makes no ids"),
    "section of an unknown set": (CUBE + SECTION.replace("E,", "X,"), r":12: set 'X'"),
    "section of an unknown material": (CUBE + SECTION, "material 'M', which is not defined"),
    "elements without material": (
        CUBE
        + "*NODE\n9, 0.5, 0.5, 2.\n*ELEMENT, TYPE=C3D4\n2, 5, 6, 7, 9\n"
        + SECTION
        + MATERIAL.format(young=2.1e11, poisson=0.3, density=7850),
        "1 elements have no material .first: element 2",
    ),
    "MPa": (CUBE + SECTION + MATERIAL.format(young=2.1e5, poisson=0.3, density=7850), "E = 210000 Pa"),
    "tonnes": (CUBE + SECTION + MATERIAL.format(young=2.1e11, poisson=0.3, density=7.85e-9), "density = 7.85e-09"),
    "negative density": (
        CUBE + SECTION + MATERIAL.format(young=2.1e11, poisson=0.3, density=-1),
        "density must be a positive number, got -1",
    ),
    "Poisson": (
        CUBE + SECTION + MATERIAL.format(young=2.1e11, poisson=0.5, density=7850),
        "nu must be -1 to 0.5, got 0.5",
    ),
}
NASTRAN = {
    "no ENDDATA, open line": (BULK.format(system="", extra="").replace("\n\nENDDATA\n", ""), "no ENDDATA.*no end"),
    "no ENDDATA, ends with an element": (
        BULK.format(system="", extra="").partition("PSOLID")[0],
        "no ENDDATA.*ends with a CTETRA",
    ),
    "no ENDDATA, no MAT1": (
        BULK.format(system="", extra="").replace("MAT1", "$").replace("ENDDATA\n", ""),
        "no ENDDATA.*MAT1 1 is missing",
    ),
    "no ENDDATA, orphan": (
        BULK.format(system="", extra="").replace("GRID,2", "GRID,9,,1.,1.,1.\nGRID,2").replace("ENDDATA\n", ""),
        "1 of 5 nodes belong to no element.*truncated",
    ),
    "system not defined": (BULK.format(system="4", extra=""), "coordinate system 4 is not defined"),
    "system on a line": (
        BULK.format(system="4", extra="CORD2R,4,,0.,0.,0.,0.,0.,1.\n,0.,0.,2."),
        ":9: the points of coordinate system 4",
    ),
    "system by itself": (BULK.format(system="4", extra="CORD2R,4,4,0.,0.,0.,0.,0.,1.\n,1.,0.,0."), "defined by itself"),
    "unknown element": (BULK.format(system="", extra="CHEXA27,2,1,1,2,3,4,1"), ":9: element card CHEXA27"),
    "include of nothing": (BULK.format(system="", extra="INCLUDE 'grid.bdf'"), ":9: included file 'grid.bdf' not"),
    "superelement": (BULK.format(system="", extra="BEGIN SUPER=1"), ":9: superelements"),
    "missing node": (BULK.format(system="", extra="").replace("2,3,4\n", "2,3\n"), ":6: CTETRA 1 has 3 nodes"),
    "missing mid node": (
        BULK.format(system="", extra="").replace("2,3,4\n", "2,3,4,1,2\n"),
        ":6: CTETRA 1 has 6 nodes, expected 4 or 10",
    ),
    "bad number": (BULK.format(system="", extra="").replace("GRID,2,,1.", "GRID,2,,x."), ":3: GRID field 4: 'x.'"),
    "bad id": (BULK.format(system="", extra="").replace("GRID,2,", "GRID,two,"), ":3: GRID field 2: 'two'"),
    "continuation of another card": (
        BULK.format(system="", extra=f"{'CTETRA':<8}{2:8}{1:8}{1:8}{2:8}{3:8}{4:8}{1:8}{2:8}+A\n+B      {3:8}"),
        ":10: continuation 'B' where 'A' was expected",
    ),
    "continuation of nothing expected": (
        BULK.format(system="", extra="").replace("CTETRA,1,", "+TETRA,1,"),
        ":6: continuation 'TETRA' where none",
    ),
    "a line of another card": (
        BULK.format(system="", extra="").replace("CTETRA,1,", ",1,"),
        ":5: GRID 4 has over 8 fields",
    ),
    "node twice": (BULK.format(system="", extra="GRID,2,,1.,0.,0."), "node id 2 is defined 2 times"),
    "inverted among others": (
        BULK.format(system="", extra="GRID,5,,0.,0.,2.\nCTETRA,2,1,1,3,2,5"),
        "element 2 is inv",
    ),
}
GMSH_FILES = {
    "no UTF-8": (GMSH.format(version="\u00a5", elements="0").encode("latin-1"), "Gmsh format . is not read"),
    "version 4.0": (GMSH.format(version="4", elements="0"), "Gmsh format 4 is not read"),
    "no end": (GMSH.format(version="2.2", elements="1\n1 4 0 1 2 3 4")[:-14], "no .EndElements"),
    "no elements": (GMSH.format(version="2.2", elements="0"), "no solid elements"),
    "fewer elements than said": (GMSH.format(version="2.2", elements="2\n1 4 0 1 2 3 4"), "ends before its counts"),
    "more elements than said": (GMSH.format(version="2.2", elements="1\n1 4 0 1 2 3 4 5"), "1 numbers more"),
    "pyramid": (GMSH.format(version="2.2", elements="1\n1 7 0 1 2 3 4 1"), "pyramid5 element 1 names a node twice"),
    "word": (GMSH.format(version="2.2", elements="1\n1 4 0 1 2 3 four"), "section .Elements"),
    "missing node": (GMSH.format(version="2.2", elements="1\n1 4 0 1 2 3 9"), "element 1 refers to node 9"),
    "not Gmsh": ("solid\n", "no .MeshFormat"),
    "empty": ("", "empty"),
    "2.2 data in 4.1": (GMSH.format(version="4.1", elements="1\n1 4 0 1 2 3 4"), "section .Nodes"),
}
VTK_HEX = (
    "# vtk DataFile Version 2.0\nbox\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
    "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n"
)
VTK = {
    "empty": ("", "cannot read|empty"),
    "garbage": ("# vtk DataFile Version 2.0\nx\nASCII\nDATASET", "cannot read"),
    "not vtk": ("hello", "cannot read"),
    "cut in the points": (VTK_HEX[: VTK_HEX.index("1 0 1")], "cannot read"),
    "cut in the cells": (VTK_HEX[: VTK_HEX.index(" 5 6 7")], "cannot read"),
    "more cells than there are": (VTK_HEX.replace("CELLS 1 9", "CELLS 2 9"), "cannot read|2 cells by its count"),
    "no types": (VTK_HEX[: VTK_HEX.index("CELL_TYPES")], "cannot read"),
    "point that there is not": (VTK_HEX.replace(" 6 7\n", " 6 9\n"), "node"),
    "coordinate no number": (VTK_HEX.replace("1 0 1", "1 x 1"), "cannot read"),
    "coordinate not finite": (VTK_HEX.replace("1 0 1", "1 nan 1"), "expected finite numbers"),
    "point taken twice": (VTK_HEX.replace(" 6 7\n", " 6 6\n"), "element 1"),
    "faces alone": (VTK_HEX.replace("1 9\n8 0 1 2 3 4 5 6 7", "1 5\n4 0 1 2 3").replace("\n12\n", "\n9\n"), "no solid"),
    "points in one plane": (
        VTK_HEX.replace("0 0 1\n1 0 1\n1 1 1\n0 1 1\n", "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"),
        "degenerate",
    ),
}
CASES = [
    pytest.param(name, text, said, id=f"{suffix}: {label}")
    for suffix, name, cases in (
        ("inp", "mesh.inp", ABAQUS),
        ("bdf", "mesh.bdf", NASTRAN),
        ("msh", "mesh.msh", GMSH_FILES),
        ("vtk", "mesh.vtk", VTK),
    )
    for label, (text, said) in cases.items()
]


def refused(path, **options):
    with pytest.raises(MeshError) as caught:
        read_mesh(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(("name", "text", "said"), CASES)
def test_bad_files_are_refused_in_one_line(tmp_path, name, text, said, capfd):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    message = refused(path)
    assert message.startswith(str(path))
    assert re.search(said, message), message
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err == ""


def test_the_cube_itself_is_read(tmp_path):
    path = tmp_path / "mesh.inp"
    path.write_text(CUBE)
    mesh, _ = read_mesh(path)
    assert mesh.element_count == 1 and mesh.materials == ()


@pytest.mark.parametrize("suffix", [".inp", ".msh", ".bdf"])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.55, 0.8, 0.93])
def test_truncated_wheelset_files_are_refused_or_still_whole(tmp_path, suffix, share):
    whole = (MESHES / f"wheelset_coarse{suffix}").read_bytes()
    path = tmp_path / f"cut{suffix}"
    path.write_bytes(whole[: int(share * len(whole))])
    refused(path)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("suffix", [".inp", ".bdf"])
def test_no_cut_between_lines_passes_unnoticed(tmp_path, suffix, seed):
    """What a cut at the end of a line leaves is well formed: refused, whole, or taken with a warning."""
    whole = (MESHES / f"wheelset_coarse{suffix}").read_bytes()
    ends = np.flatnonzero(np.frombuffer(whole, dtype=np.uint8) == 10) + 1
    ends = ends[ends > 0.75 * len(whole)]
    path = tmp_path / f"cut{suffix}"
    path.write_bytes(whole[: int(np.random.default_rng(seed).choice(ends))])
    try:
        mesh, audit = read_mesh(path)
    except MeshError as error:
        assert str(path) in str(error)
    else:
        told = any(line.startswith("WARNING") and "truncated" in line for line in audit)
        assert mesh.element_count == 2256 or (told and suffix == ".inp")


@pytest.mark.parametrize("seed", range(8))
def test_no_cut_of_an_abaqus_file_passes_unnoticed(tmp_path, seed):
    whole = (MESHES / "wheelset_coarse.inp").read_bytes()
    path = tmp_path / "cut.inp"
    path.write_bytes(whole[: int(np.random.default_rng(seed).integers(len(whole)))])
    try:
        mesh, audit = read_mesh(path)
    except MeshError as error:
        assert str(path) in str(error)
    else:  # a cut at the end of a line leaves a well-formed file: only its orphan nodes tell
        assert mesh.element_count == 2256 or "truncated" in "".join(audit)


def test_missing_file_folder_and_format(tmp_path):
    for name in ("none.inp", "none.bdf", "none.msh", "none.vtk"):
        assert name in refused(tmp_path / name)
    (tmp_path / "folder.inp").mkdir()
    assert "folder.inp" in refused(tmp_path / "folder.inp")
    assert ".stl" in refused(tmp_path / "mesh.stl")


def test_wheelset_in_the_wrong_unit(tmp_path):
    assert "length_unit = 'mm'" in refused(MESHES / "wheelset_coarse.msh", length_unit="mm")
    assert "furlong" in refused(MESHES / "wheelset_coarse.msh", length_unit="furlong")


def test_material_for_a_missing_set():
    message = refused(MESHES / "wheelset_coarse.inp", materials={"WHEELS": Material(2e11, 0.3, 7800.0)})
    assert "no element set 'WHEELS'" in message and "WHEEL_LEFT" in message


def test_unwritable_mesh_leaves_nothing(tmp_path):
    mesh, _ = read_mesh(MESHES / "wheelset_coarse.msh")
    with pytest.raises(FlexwheelError, match="cannot be written"):
        write_mesh(tmp_path / "no" / "mesh.inp", mesh)
    with pytest.raises(MeshError, match="'.stl'"):
        write_mesh(tmp_path / "mesh.stl", mesh)
    assert list(tmp_path.iterdir()) == []
