"""Formats that a plugin declares are found by their suffix; what no format reads is refused with those there are."""

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.body.matrix_format import MATRIX_FORMATS, MatrixFormat, read_matrices, write_matrices
from flexwheel.body.mesh import ElementBlock, Mesh
from flexwheel.body.mesh_format import MESH_FORMATS, MeshFormat, MeshHeader, read_mesh, read_mesh_header

CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


def one_tetrahedron(path, materials, length_unit, ignore, tied):
    block = ElementBlock("tet4", np.array([[0, 1, 2, 3]]), np.array([1]))
    return Mesh(CORNERS, np.arange(4), (block,), (), {}, {}), (f"{length_unit}: {path.read_text()}",)


def test_a_mesh_format_from_outside(tmp_path, monkeypatch):
    own = MeshFormat("own", "one tetrahedron", (".own",), one_tetrahedron, lambda path: MeshHeader(frozenset({"A"})))
    monkeypatch.setitem(MESH_FORMATS.declared, "own", own)
    file = tmp_path / "body.OWN"
    file.write_text("hello")
    mesh, audit = read_mesh(file, length_unit="mm")
    assert len(mesh.nodes) == 4 and audit == ("mm: hello",)
    assert read_mesh_header(file).sets == {"A"}
    with pytest.raises(MeshError, match=r"a mesh is read from \.inp, .*\.own, got \.step"):
        read_mesh(tmp_path / "body.step")
    with pytest.raises(MeshError, match="length_unit .* must be one of m, .*, got 'ell'"):
        read_mesh(file, length_unit="ell")


def test_no_other_format_takes_a_suffix(tmp_path, monkeypatch, capsys):
    thief = MeshFormat("thief", "takes what is Abaqus'", (".inp",), one_tetrahedron, lambda path: MeshHeader())
    monkeypatch.setitem(MESH_FORMATS.declared, "thief", thief)
    (tmp_path / "m.inp").write_text("hello")
    for _ in range(2):
        with pytest.raises(MeshError, match="m.inp"):
            read_mesh(tmp_path / "m.inp")
    assert capsys.readouterr().err == "warning: .inp is of mesh format 'abaqus', not of 'thief'\n"


def test_a_matrix_format_from_outside(tmp_path, monkeypatch):
    wrote = []
    own = MatrixFormat(
        "own", "", (".own",), lambda files, unit, places: (files, unit), (".own",), lambda *a: wrote.append(a)
    )
    monkeypatch.setitem(MATRIX_FORMATS.declared, "own", own)
    file, other = tmp_path / "a.own", tmp_path / "b.pch"
    for path in (file, other):
        path.write_text("")
    assert read_matrices([file], "mm") == ([file], "mm")
    write_matrices(file, "body", {"more": 1})
    assert wrote == [(file, "body", {"more": 1})]
    with pytest.raises(MeshError, match=r"b\.pch: files of one body are of one format, this is finite_element, a\.own"):
        read_matrices([file, other])
    with pytest.raises(MeshError, match=r"is written as .*\.own, got \.step"):
        write_matrices(tmp_path / "a.step", "body")
