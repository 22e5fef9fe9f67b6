"""Nothing of a mesh file that carries mass, stiffness or a constraint is lost without a word."""

import os

import numpy as np
import pytest
from fuzz.mesh_cases import abaqus, gmsh, nastran, vtk

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh_format import read_mesh

ABAQUS = {
    "*MASS": "*ELEMENT, TYPE=MASS, ELSET=P\n50, 77\n*NODE\n77, 5., 5., 5.\n*MASS, ELSET=P\n120.\n",
    "*ROTARY INERTIA": "*ELEMENT, TYPE=ROTARYI, ELSET=P\n50, 1\n*ROTARY INERTIA, ELSET=P, ORIENTATION=O\n1., 2., 3.\n",
    "*SPRING": "*SPRING, ELSET=E\n1\n5.\n",
    "SPRING1": "*ELEMENT, TYPE=SPRING1\n50, 1\n",
    "*MATRIX ASSEMBLE": "*MATRIX ASSEMBLE, STIFFNESS=K, MASS=M\n",
    "*TIE": "*TIE, NAME=T\na, b\n",
    "*COUPLING": "*COUPLING, CONSTRAINT NAME=C, REF NODE=1, SURFACE=S\n*KINEMATIC\n",
    "*MPC": "*MPC\nBEAM, 1, 2\n",
    "*EQUATION": "*EQUATION\n2\n1, 4, 1., 2, 4, -1.\n",
    "*NONSTRUCTURAL MASS": "*NONSTRUCTURAL MASS, UNITS=TOTAL MASS, ELSET=E\n3.\n",
    "*RIGID BODY": "*RIGID BODY, ANALYTICAL SURFACE=S, REF NODE=1\n",
    "*SHELL SECTION": "*SHELL SECTION, ELSET=E, MATERIAL=M\n0.01\n",
    "S4": "*NODE\n13, 3., 0., 0.\n14, 3., 1., 0.\n*ELEMENT, TYPE=S4\n50, 9, 13, 14, 10\n",
    "B31": "*ELEMENT, TYPE=B31\n50, 1, 12\n",
    "*SOLID SECTION, COMPOSITE": "*SOLID SECTION, ELSET=E, COMPOSITE, MATERIAL=M\n",
    "*NO SUCH KEYWORD": "*NO SUCH KEYWORD\n1, 2\n",
}
NASTRAN = {
    "CONM1": "CONM1,50,1,,1.",
    "CONM2": "CONM2,50,99,,10.\nGRID,99,,5.,5.,5.",
    "CELAS2": "CELAS2,50,1.+6,1,2,2,2",
    "CBUSH": "CBUSH,50,1,1,2",
    "CBAR": "CBAR,50,7,1,2,0.,0.,1.",
    "RBE2": "RBE2,50,1,123456,2",
    "RBAR": "RBAR,50,1,2,123456",
    "MPC": "MPC,1,1,4,1.,2,4,-1.",
    "DMIG": "DMIG,KAAX,0,6,1,0",
    "NSM": "NSM,1,PSOLID,1,3.",
    "SEBULK": "SEBULK,1,PRIMARY",
    "CSUPER": "CSUPER,1,0,1,2",
    "CMASS2": "CMASS2,50,3.,1,1",
    "CDAMP2": "CDAMP2,50,3.,1,1",
    "CQUAD4": "CQUAD4,50,7,1,2,3,4\nPSHELL,7,1,0.01",
    "CTRIA3": "CTRIA3,50,8,1,2,12",
    "NOSUCH": "NOSUCH,1,2",
}


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


def refused_unless_ignored(path, name):
    with pytest.raises(MeshError) as caught:
        read_mesh(path)
    said = str(caught.value)
    assert "\n" not in said and f'ignore = ["{name}"' in said and f"{name} (1, first in" in said
    mesh, audit = read_mesh(path, ignore=[name.lower()])
    assert mesh.element_count == 2
    assert any(line.startswith("WARNING") and f"ignored as asked: {name} (1" in line for line in audit)


@pytest.mark.parametrize("name", ABAQUS)
def test_abaqus_card(tmp_path, name):
    path = write(tmp_path, "m.inp", abaqus() + ABAQUS[name])
    if name == "*ROTARY INERTIA":
        with pytest.raises(MeshError, match=r"\*ROTARY INERTIA .1, first in line .*options that are not read"):
            read_mesh(path)
        return
    refused_unless_ignored(path, name)


@pytest.mark.parametrize("name", NASTRAN)
def test_nastran_card(tmp_path, name):
    refused_unless_ignored(
        write(tmp_path, "m.bdf", nastran().replace("BEGIN BULK\n", f"BEGIN BULK\n{NASTRAN[name]}\n")), name
    )


@pytest.mark.parametrize("name", ["K2GG", "M2GG", "K2PP", "B2GG"])
def test_nastran_case_control_matrices(tmp_path, name):
    refused_unless_ignored(write(tmp_path, "m.bdf", nastran().replace("CEND\n", f"CEND\n{name} = X\n")), name)


@pytest.mark.parametrize("name", ["triangle", "line"])
def test_gmsh_elements_off_the_solids(tmp_path, name):
    row = {"triangle": "3 2 2 2 1 1 2 12", "line": "3 1 2 2 1 1 12"}[name]
    text = gmsh().replace("$Elements\n2\n", "$Elements\n3\n").replace("$EndElements", f"{row}\n$EndElements")
    refused_unless_ignored(write(tmp_path, "m.msh", text), name)


def test_vtk_cells_off_the_solids(tmp_path):
    text = vtk().replace("CELLS 2 18\n", "CELLS 3 21\n2 0 11\n").replace("CELL_TYPES 2\n", "CELL_TYPES 3\n3\n")
    refused_unless_ignored(write(tmp_path, "m.vtk", text), "line")


def test_what_marks_faces_and_carries_nothing_is_harmless(tmp_path):
    skin = "*ELEMENT, TYPE=CPS4, ELSET=SKIN\n50, 1, 2, 3, 4\n*ELEMENT, TYPE=T3D2\n51, 1, 2\n*OUTPUT, FIELD\n"
    mesh, audit = read_mesh(write(tmp_path, "m.inp", abaqus() + skin + "*STEP\n*BOUNDARY\n1, 1, 3\n*END STEP\n"))
    assert mesh.element_count == 2 and mesh.node_ids[mesh.node_sets["SKIN"]].tolist() == [1, 2, 3, 4]
    assert not any(line.startswith("WARNING") for line in audit)
    many = "".join(f"*ELEMENT, TYPE=CPS4, ELSET=Surface{n}\n{50 + n}, 1, 2, 3, 4\n" for n in range(40))
    mesh, audit = read_mesh(write(tmp_path, "g.inp", abaqus() + many))
    assert [line for line in audit if "of dropped elements kept" in line] == [
        "set 'Surface0' and 39 more of dropped elements kept as the set of their nodes"
    ]
    cards = "CQUAD4,50,7,1,2,3,4\nFORCE,1,1,0,1.,1.,0.,0.\nPARAM,POST,-1\nPLOTEL,51,1,12\nGRID,99,,5.,5.,5.,,456\n"
    mesh, _ = read_mesh(write(tmp_path, "m.bdf", nastran().replace("BEGIN BULK\n", "BEGIN BULK\n" + cards)))
    assert mesh.element_count == 2


def test_an_equation_follows_turned_axes(tmp_path):
    """Direction 1 turned to y by *TRANSFORM or by the instance; a *TRANSFORM in a part is refused."""
    equation = "*EQUATION\n2\n1, 1, 1., 2, 1, -1.\n"
    transform = "*TRANSFORM, NSET=ALL\n0., 1., 0., -1., 0., 0.\n"
    along = lambda mesh: np.round(mesh.ties[0].coefficients, 12).tolist()  # noqa: E731
    mesh, _ = read_mesh(write(tmp_path, "m.inp", abaqus() + equation))
    assert along(mesh) == [[1, 0, 0], [-1, 0, 0]]
    mesh, _ = read_mesh(write(tmp_path, "m.inp", abaqus() + equation + transform))
    assert along(mesh) == [[0, 1, 0], [0, -1, 0]]
    part, _, steel = abaqus().partition("*MATERIAL")
    for degrees, more, turned in (("0.", "", [1, 0, 0]), ("90.", "", [0, 1, 0]), ("0.", transform, None)):
        instance = f"*INSTANCE, NAME=I, PART=P\n0., 0., 1.\n0., 0., 0., 0., 0., 1., {degrees}\n*END INSTANCE\n"
        part_lines = f"*PART, NAME=P\n{part}{equation}{more}*END PART\n"
        deck = f"{part_lines}*ASSEMBLY, NAME=A\n{instance}*END ASSEMBLY\n*MATERIAL{steel}"
        path = write(tmp_path, "part.inp", deck)
        if turned is None:
            with pytest.raises(MeshError, match=r"EQUATION .*axes of a \*TRANSFORM of its part"):
                read_mesh(path)
        else:
            assert along(read_mesh(path)[0])[0] == turned


def test_supports_before_the_steps_are_left_out_with_a_warning(tmp_path):
    mesh, audit = read_mesh(write(tmp_path, "m.inp", abaqus() + "*BOUNDARY\n1, 1, 3\n"))
    assert mesh.element_count == 2
    assert any(line.startswith("WARNING") and "supports are not taken over: the body is free" in line for line in audit)
    for card in ("SPC1,1,123,1,THRU,4", "GRID,13,,0.,0.,0.,,123"):
        text = nastran().replace("BEGIN BULK\n", f"BEGIN BULK\n{card}\n")
        _, audit = read_mesh(write(tmp_path, "m.bdf", text))
        assert any(line.startswith("WARNING") and "the body is free" in line for line in audit)


@pytest.mark.parametrize(("card", "known"), [("", "none, as all of the file is used"), ("*MPC", "MPC")])
def test_a_name_the_file_does_not_hold_is_refused_with_those_it_holds(tmp_path, card, known):
    path = write(tmp_path, "m.inp", abaqus() + ABAQUS.get(card, ""))
    said = str(pytest.raises(MeshError, read_mesh, path, ignore=["CELAS9", "mpc"] if card else ["celas9"]).value)
    assert "\n" not in said and said.endswith(f"must name what the file holds, got CELAS9; known: {known}"), said


def test_shells_on_solids_with_a_section_carry(tmp_path):
    shells = "*ELEMENT, TYPE=S4, ELSET=S\n50, 1, 2, 3, 4\n*SHELL SECTION, ELSET=S, MATERIAL=M\n0.01\n"
    mesh, audit = read_mesh(write(tmp_path, "m.inp", abaqus() + shells))
    assert mesh.element_count == read_mesh(write(tmp_path, "m.inp", abaqus()))[0].element_count + 1
    assert any(line.startswith("WARNING: 4 nodes of shells are of solids") for line in audit)


def test_included_files_are_read_with_their_own_places(tmp_path):
    (tmp_path / "sub").mkdir()
    head, rest = abaqus().split("*ELEMENT", 1)
    write(tmp_path / "sub", "nodes.inp", "".join(head.partition("*NODE, NSET=ALL\n")[2]))
    write(tmp_path / "sub", "rest.inp", f"** more\n*ELEMENT{rest}")
    path = write(tmp_path, "m.inp", "*NODE, NSET=ALL\n*INCLUDE, INPUT=sub/nodes.inp\n*include, input=sub/rest.inp\n")
    whole, _ = read_mesh(write(tmp_path, "whole.inp", abaqus()))
    mesh, audit = read_mesh(path)
    np.testing.assert_array_equal(mesh.nodes, whole.nodes)
    assert sum(line.startswith("included: ") for line in audit) == 2 and set(mesh.node_sets) == {"ALL", "END", "RUN"}
    write(tmp_path / "sub", "rest.inp", f"** more\n*ELEMENT{rest}*SPRING\n1, 1\n")
    with pytest.raises(MeshError, match=r"sub/rest.inp:\d+: stiffness or damping"):
        read_mesh(path)
    head, rest = nastran().split("GRID,1,", 1)
    write(tmp_path / "sub", "grid.bdf", "GRID,1," + rest.partition("CHEXA")[0])
    split = head + "INCLUDE 'sub/\n  grid.bdf'\nCHEXA" + rest.partition("CHEXA")[2]
    mesh, _ = read_mesh(write(tmp_path, "m.bdf", split))
    np.testing.assert_array_equal(mesh.nodes, whole.nodes)
    write(tmp_path, "loop.bdf", "BEGIN BULK\nINCLUDE 'loop2.bdf'\n")
    write(tmp_path, "loop2.bdf", "INCLUDE 'loop.bdf'\n")
    with pytest.raises(MeshError, match="loop2.bdf:1: .*loop.bdf includes itself"):
        read_mesh(tmp_path / "loop.bdf")


def test_no_enddata_is_taken_where_the_file_ends_between_cards(tmp_path):
    mesh, audit = read_mesh(write(tmp_path, "m.bdf", nastran().replace("ENDDATA\n", "")))
    assert mesh.element_count == 2 and any(line.startswith("WARNING") and "no ENDDATA" in line for line in audit)


@pytest.mark.parametrize("suffix", [".inp", ".bdf", ".msh", ".vtk"])
def test_devices_and_pipes_are_refused(tmp_path, suffix):
    os.mkfifo(tmp_path / f"pipe{suffix}")
    (tmp_path / f"zero{suffix}").symlink_to("/dev/zero")
    for name, said in (("pipe", "is a pipe"), ("zero", "is a device")):
        with pytest.raises(MeshError, match=said):
            read_mesh(tmp_path / f"{name}{suffix}")


def test_absurd_sizes_are_refused_before_they_are_read(tmp_path):
    with (tmp_path / "large.inp").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(MeshError, match="must be a mesh of at most 400 MB, got 1000000 MB"):
        read_mesh(tmp_path / "large.inp")


HOSTILE = {
    "wide set": (".inp", abaqus() + "*NSET, NSET=W, GENERATE\n1, 1000000000000, 1\n", ""),
    "id of 2^63": (".inp", abaqus().replace("12, 2., 1., 1.", "9223372036854775808, 2., 1., 1."), "too large"),
    "set entry": (".inp", abaqus() + "*NSET, NSET=W\n+-+-5\n", r"'\+-\+-5' is neither an id nor"),
    "empty line of elements": (".inp", abaqus().replace("*NSET, NSET=END", ",\n*NSET, NSET=END"), "empty line"),
    "deep sets": (
        ".inp",
        abaqus() + "*NSET, NSET=S0\n1\n" + "".join(f"*NSET, NSET=S{k}\nS{k - 1}\n" for k in range(1, 5000)),
        "",
    ),
    "wide SET1": (".bdf", nastran().replace("SET1,9,1,THRU,8", "SET1,9,1,THRU,1000000000000"), ""),
    "G = 0": (".bdf", nastran().replace("2.1+11,,.3", "2.1+11,0.,"), "G = 0, no nu"),
    "deep systems": (
        ".bdf",
        nastran().replace(
            "BEGIN BULK\n",
            "BEGIN BULK\nGRID,13,2999,0.,0.,0.\n"
            + "".join(f"CORD2R,{k},{k - 1},0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n" for k in range(1, 3000)),
        ),
        "more than 50 deep",
    ),
    "many replicas": (
        ".bdf",
        nastran().replace("CHEXA,1,", "=,*(1),==\n=9999999\nCHEXA,1,"),
        "over 1000000 replicas",
    ),
    "more fields than a line has": (
        ".bdf",
        nastran().replace("SET1,9,1,THRU,8", "SET1,9,1,2,3,4,5,6,7,8"),
        "more than 8",
    ),
    "Gmsh id": (".msh", gmsh().replace("12 2 1 1\n", "1.5 2 1 1\n"), "'1.5' is not a whole number"),
    "physical name": (".msh", gmsh().replace('3 1 "body"', "body"), "PhysicalNames: 'body'"),
    "UTF-16": (".inp", abaqus().encode("utf-16"), "UTF-16"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_end_in_one_line_or_are_read(tmp_path, case):
    suffix, text, said = HOSTILE[case]
    path = tmp_path / f"m{suffix}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    if not said:
        mesh, _ = read_mesh(path)
        assert mesh.element_count == 2 and len(mesh.nodes) == 12
        return
    with pytest.raises(MeshError, match=said) as caught:
        read_mesh(path)
    assert "\n" not in str(caught.value) and str(path) in str(caught.value)


def test_names_of_sets_in_any_encoding(tmp_path):
    for encoding in ("utf-8", "latin-1"):
        path = tmp_path / "m.inp"
        path.write_bytes((abaqus() + "*NSET, NSET=RÄDER\n1, 2, 3\n").encode(encoding))
        assert read_mesh(path)[0].node_sets["RÄDER"].tolist() == [0, 1, 2]
