"""A mesh from the disk is the one that was read, and it is read again where anything that it depends on has changed."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from fuzz.mesh_cases import abaqus

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import (
    AttachedMass,
    Beams,
    ElementBlock,
    Equation,
    Material,
    Mesh,
    RigidSet,
    Spring,
    Tie,
)
from flexwheel.body.mesh_format import read_mesh
from flexwheel.extensions.formats import kept_mesh, mesh_import

RNG = np.random.default_rng(1)


def of_all_parts():
    """A mesh that holds every kind of part, with and without what they may leave out."""
    rows, words = RNG.integers(0, 9, (4, 8)), {"A": np.array([3, 1]), "none": np.empty(0, np.int64)}
    mass = AttachedMass("CONM2 1", 2.5, RNG.normal(size=3), np.eye(3), node=np.int64(4))
    ties = (
        Tie("T", rows[0], rows[:, :3].T, RNG.normal(size=(3, 4)), "A/B"),
        RigidSet("R", rows[1]), RigidSet("S", rows[1], RNG.normal(size=(8, 3, 2))),
        Equation("E", rows[2], RNG.normal(size=(8, 3))),
    )  # fmt: skip
    beams = Beams(*(RNG.normal(size=shape) for shape in ((2,), (2, 6), (2, 18, 18), (2, 3, 3), (2, 3), (2, 3, 3, 18))))
    return Mesh(
        RNG.normal(size=(9, 3)), np.arange(9) * 7, (ElementBlock("hex8", rows, np.arange(4), 1),),
        (Material(2.1e11, 0.3, 7850.0, "steel"), Material(7e10, 0.33, 2700.0)), words, {"E": np.array([2])},
        (mass, AttachedMass("m", 1.0, np.zeros(3), np.eye(3), nodes=rows[3])), ties,
        (Spring("K", rows[0, :2], np.eye(3)),), beams,
    )  # fmt: skip


def same(a, b):
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if is_dataclass(a):
        return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return len(a) == len(b) and all(map(same, a, b)) if isinstance(a, tuple) else a == b


def test_every_part_comes_back():
    mesh = of_all_parts()
    back, audit = kept_mesh._unpacked(kept_mesh._packed((mesh, ("one", "WARNING: two"))))
    assert same(mesh, back) and audit == ("one", "WARNING: two")


@pytest.fixture
def scans(tmp_path, monkeypatch):
    """Function that reads a file, and how many times one was scanned."""
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_mesh, "SMALLEST", 0)
    count, inner = [], mesh_import._read
    monkeypatch.setattr(mesh_import, "_read", lambda *given: count.append(1) or inner(*given))
    return count


def test_a_file_is_scanned_once(tmp_path, scans):
    path = tmp_path / "a.inp"
    path.write_text(abaqus())
    (first, told), (again, of_kept) = read_mesh(path), read_mesh(path)
    assert len(scans) == 1 and same(first, again) and of_kept[:-1] == told[:-1]
    assert of_kept[-1].endswith(", as kept from an earlier one") and not told[-1].endswith("earlier one")


@pytest.mark.parametrize("change", ["octet", "name", "unit", "material", "program", "damage"])
def test_what_it_depends_on_has_it_scanned_again(tmp_path, scans, monkeypatch, change):
    path, asked = tmp_path / "a.inp", {"materials": Material(7e10, 0.3, 2700.0)}
    path.write_text(abaqus())
    read_mesh(path, **asked)
    if change == "octet":
        path.write_text(abaqus() + "** end\n")
    elif change == "name":
        path = path.rename(tmp_path / "b.inp")
    elif change == "program":
        monkeypatch.setattr("flexwheel.numerics.kept_arrays.source_stamp", lambda source: "other")
    elif change == "damage":
        (kept,) = (tmp_path / "cache" / "meshes").iterdir()
        kept.write_bytes(kept.read_bytes()[:-500])
    else:
        asked |= {"unit": {"length_unit": "dm"}, "material": {"materials": Material(7e10, 0.3, 2800.0)}}[change]
    read_mesh(path, **asked)
    assert len(scans) == 2


def test_a_file_that_changes_as_it_is_read_is_refused(tmp_path, scans, monkeypatch):
    path, scan = tmp_path / "a.inp", mesh_import._read
    path.write_text(abaqus())

    def rewritten(*given):
        path.write_text(abaqus() + "** more\n")
        return scan(*given)

    monkeypatch.setattr(mesh_import, "_read", rewritten)
    with pytest.raises(MeshError, match="a.inp: the file changed while it was read"):
        read_mesh(path)
    assert not (tmp_path / "cache").exists()


def test_a_file_that_includes_others_is_scanned_each_time(tmp_path, scans):
    head, tail = abaqus().split("*ELEMENT", 1)
    (tmp_path / "nodes.inp").write_text(head)
    path = tmp_path / "a.inp"
    path.write_text("*Include, input=nodes.inp\n*ELEMENT" + tail)
    read_mesh(path), read_mesh(path)
    assert len(scans) == 2
