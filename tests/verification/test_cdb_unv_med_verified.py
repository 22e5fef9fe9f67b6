"""Ansys archives, universal files and MED files against what was written, by hand after the formats' descriptions."""

import re
import sys

import numpy as np
import pytest

from flexwheel.base.errors import MeshError
from flexwheel.body.attached_mass import mass_points
from flexwheel.body.elements import EDGES
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.verification.meshes.box_mesh import box_mesh

SIZE = (1.0, 1.2, 0.8)
RINGS = {  # universal files number parabolic elements around their rings
    "tet10": (0, 4, 1, 5, 2, 6, 7, 8, 9, 3),
    "wedge15": (0, 6, 1, 7, 2, 8, 12, 13, 14, 3, 9, 4, 10, 5, 11),
    "hex20": (0, 8, 1, 9, 2, 10, 3, 11, 16, 17, 18, 19, 4, 12, 5, 13, 6, 14, 7, 15),
}
UNV_TYPE = {"tet4": 111, "wedge6": 112, "hex8": 115, "tet10": 118, "wedge15": 113, "hex20": 116}
ANSYS_TYPE = {"hex8": 185, "wedge6": 185, "pyramid5": 185, "tet4": 185, "hex20": 186, "tet10": 187}
DEGENERATE = {
    "wedge6": (0, 1, 2, 2, 3, 4, 5, 5),
    "pyramid5": (0, 1, 2, 3, 4, 4, 4, 4),
    "tet4": (0, 1, 2, 2, 3, 3, 3, 3),
}
MED_TYPE = {"tet4": "TE4", "pyramid5": "PY5", "wedge6": "PE6", "hex8": "HE8", "tet10": "T10", "pyramid13": "P13",
            "wedge15": "P15", "hex20": "H20"}  # fmt: skip


def box(kind):
    return box_mesh(kind, (2, 2, 1), SIZE, distortion=0.1, seed=2)


def cdb(mesh, extra="", more_types=""):
    """Archive of a mesh: node ids plus 100, element ids plus 1000, a component of a face and of the first elements."""
    (block,) = mesh.blocks
    lines = ["/COM,ANSYS RELEASE", "/PREP7", f"ET,        1,{ANSYS_TYPE[block.kind]}", more_types]
    lines += [f"NBLOCK,6,SOLID,{100 + len(mesh.nodes):10d},{len(mesh.nodes):10d}", "(3i9,6e21.13e3)"]
    for k, row in enumerate(mesh.nodes, 101):
        words = [f"{x:21.13E}".replace("E+", "E+0").replace("E-", "E-0")[-21:] for x in row]
        lines.append(f"{k:9d}{0:9d}{0:9d}" + "".join(f"{w:>21}" for w in words))
    lines += ["N,R5.3,LOC,       -1,", f"EBLOCK,19,SOLID,{1000 + len(block.ids):10d},{len(block.ids):10d}", "(19i10)"]
    for k, row in enumerate(
        block.connectivity[:, list(DEGENERATE.get(block.kind, range(block.connectivity.shape[1])))]
    ):
        head = [1, 1, 1, 1, 0, 0, 0, 0, len(row), 0, 1001 + k, *(row[:8] + 101)]
        lines.append("".join(f"{n:10d}" for n in head))
        lines += ["".join(f"{n + 101:10d}" for n in row[s : s + 19]) for s in range(8, len(row), 19)]
    lines += [
        "        -1",
        "CMBLOCK,END     ,NODE,       3  ! users node component",
        "(8i10)",
        f"{101:10d}{-103:10d}{105:10d}",
    ]
    lines += ["CMBLOCK,FIRST   ,ELEM,       2", "(8i10)", f"{1001:10d}{-1002:10d}"]
    lines += ["MPTEMP,R5.0, 1, 1,  0.0,", "MPDATA,R5.0, 1,EX  ,       1, 1,  210000000000.    ,"]
    lines += ["MPDATA,R5.0, 1,PRXY,       1, 1, 0.300000000    ,", "MP,DENS,1,7850.", extra, "FINISH", ""]
    return "\n".join(lines)


def unv(mesh, extra=(), unit="SI"):
    """Universal file of a mesh, with a group of nodes, one of elements, one of a face."""
    (block,) = mesh.blocks
    factor = {"SI": 1.0, "mm": 1000.0}[unit]
    lines = [
        "    -1",
        "   164",
        f"{1:10d}{'unit':<20}{2:10d}",
        f"{factor:25.17E}{1:25.17E}{1:25.17E}".replace("E", "D"),
    ]
    lines += [f"{273.15:25.17E}", "    -1", "    -1", "  2411"]
    for k, row in enumerate(mesh.nodes * factor, 101):
        lines += [f"{k:10d}{1:10d}{1:10d}{11:10d}", "".join(f"{x:25.16E}" for x in row).replace("E", "D")]
    lines += ["    -1", "    -1", "  2412"]
    for k, row in enumerate(block.connectivity[:, list(RINGS.get(block.kind, range(block.connectivity.shape[1])))]):
        lines.append("".join(f"{n:10d}" for n in (1001 + k, UNV_TYPE[block.kind], 1, 1 + k % 2, 7, len(row))))
        lines += ["".join(f"{n + 101:10d}" for n in row[s : s + 8]) for s in range(0, len(row), 8)]
    lines += [
        "".join(f"{n:10d}" for n in (2001, 94, 1, 1, 7, 4)),
        "".join(f"{n + 101:10d}" for n in block.connectivity[0, :4]),
    ]
    lines += ["      2002        21         1         1         7         2", "         0         1         1"]
    lines += [f"{101:10d}{102:10d}", "    -1", "    -1", "  2467"]
    groups = (("END", [(7, 101), (7, 102), (7, 105)]), ("FIRST", [(8, 1001), (8, 1002)]), ("FACE", [(8, 2001)]))
    for number, (name, members) in enumerate(groups, 1):
        lines += ["".join(f"{n:10d}" for n in (number, 0, 0, 0, 0, 0, 0, len(members))), name]
        words = [f"{kind:10d}{i:10d}{0:10d}{0:10d}" for kind, i in members]
        lines += ["".join(words[k : k + 2]) for k in range(0, len(words), 2)]
    return "\n".join([*lines, "    -1", *extra, ""])


def write_med(path, mesh, unit="", change=lambda file: None):
    """MED file of a mesh, with a group of nodes and one of elements; elements as they are."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        own = file.create_group("ENS_MAA/Box")
        own.attrs["UNI"] = np.bytes_(unit.ljust(16) * 3)
        step = own.create_group("-0000000000000000001-0000000000000000001")
        coordinates = step.create_dataset("NOE/COO", data=mesh.nodes.T.ravel())
        coordinates.attrs["NBR"] = len(mesh.nodes)
        step["NOE/NUM"] = np.arange(101, 101 + len(mesh.nodes), dtype=np.int32)
        family = np.zeros(len(mesh.nodes), dtype=np.int32)
        family[[0, 1, 4]] = 3
        step["NOE/FAM"] = family
        for block in mesh.blocks:
            rows = step.create_dataset(f"MAI/{MED_TYPE[block.kind]}/NOD", data=(block.connectivity.T + 1).ravel())
            rows.attrs["NBR"] = len(block.ids)
            step[f"MAI/{MED_TYPE[block.kind]}/NUM"] = block.ids + 1000
            step[f"MAI/{MED_TYPE[block.kind]}/FAM"] = -np.arange(len(block.ids), dtype=np.int32)[::-1] // 2
        for kind, number, name in (("NOEUD", 3, "END"), ("ELEME", -1, "FIRST")):
            group = file.create_group(f"FAS/Box/{kind}/FAM_{number}")
            group.attrs["NUM"] = number
            text = np.zeros((1, 80), dtype=np.int8)
            text[0, : len(name)] = list(name.encode())
            group["GRO/NOM"] = text
        change(file)


def written(tmp_path, suffix, mesh):
    path = tmp_path / f"m{suffix}"
    if suffix == ".med":
        write_med(path, mesh)
    else:
        path.write_text({".cdb": cdb, ".unv": unv}[suffix](mesh))
    return path


CASES = (
    [(".cdb", kind) for kind in ANSYS_TYPE]
    + [(".unv", kind) for kind in UNV_TYPE]
    + [(".med", kind) for kind in MED_TYPE]
)


@pytest.mark.parametrize(("suffix", "kind"), CASES)
def test_nodes_elements_and_sets_are_those_written(tmp_path, suffix, kind):
    mesh = box(kind)
    read, audit = read_mesh(written(tmp_path, suffix, mesh))
    np.testing.assert_allclose(read.nodes, mesh.nodes, rtol=1e-12, atol=1e-13)
    assert read.node_ids.tolist() == list(range(101, 101 + len(mesh.nodes)))
    found = {int(i): row for b in read.blocks for i, row in zip(b.ids, b.connectivity, strict=True)}
    assert {b.kind for b in read.blocks} == {kind}
    assert sorted(found) == (mesh.blocks[0].ids + 1000).tolist()
    for i, row in zip(mesh.blocks[0].ids, mesh.blocks[0].connectivity, strict=True):
        order = np.sort if suffix == ".cdb" and kind in DEGENERATE else np.asarray  # another corner may come first
        assert order(found[int(i) + 1000]).tolist() == order(row).tolist()
    assert mass_properties(read).volume == pytest.approx(np.prod(SIZE), rel=1e-12)
    wanted = {".med": [101, 102, 105], ".unv": [101, 102, 105], ".cdb": [101, 102, 103, 105]}[suffix]
    assert read.node_ids[read.node_sets["END"]].tolist() == wanted
    if suffix != ".med":
        assert read.element_sets["FIRST"].tolist() == [1001, 1002]
    else:
        assert len(read.element_sets["FIRST"]) == 2
    assert not any("mirrored" in line for line in audit)


def test_archive_has_its_material_and_says_what_it_left_out(tmp_path):
    path = tmp_path / "m.cdb"
    path.write_text(cdb(box("hex8"), "D,101,UX,0.\nF,102,FX,1.\nACEL,0,0,9.81"))
    mesh, audit = read_mesh(path)
    (steel,) = mesh.materials
    assert (steel.youngs_modulus, steel.poissons_ratio, steel.density) == (2.1e11, 0.3, 7850.0)
    text = "\n".join(audit)
    assert "WARNING: D (" in text and "the body is free" in text and "F (1, first" in text and "ACEL" in text


def test_units_of_the_file_must_be_those_given(tmp_path):
    for name, text in (("m.cdb", cdb(box("hex8"), "/UNITS,MPA")), ("m.unv", unv(box("hex8"), unit="mm"))):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(MeshError, match="must be 'mm', got 'm'"):
            read_mesh(path)
    mesh, _ = read_mesh(tmp_path / "m.unv", length_unit="mm")
    assert mass_properties(mesh).volume == pytest.approx(np.prod(SIZE), rel=1e-12)
    write_med(tmp_path / "m.med", box("hex8"), "mm")
    with pytest.raises(MeshError, match="must be 'mm', got 'm'"):
        read_mesh(tmp_path / "m.med")


RIGID = (
    "ET,2,21\nKEYOP,2,3,0\nET,3,184\nKEYOP,3,1,1\nRLBLOCK,1,2,6,7\n(2i9,6g16.9)\n(7g16.9)\n"
    f"{2:9d}{6:9d}" + "".join(f"{v:16.9g}" for v in (20.0, 20.0, 20.0, 3.0, 4.0, 5.0)) + "\n"
)


def test_mass_on_rigid_beams_of_an_archive(tmp_path):
    """MASS21 of 20 kg at a node off the box, held by MPC184 to four corners: mass, centre, inertia about the box."""
    mesh = box("hex8")
    corners = [int(np.argmin(np.abs(mesh.nodes - (0.0, y, z)).sum(axis=1))) + 101 for y in (0, 1.2) for z in (0, 0.8)]
    more = [
        "NBLOCK,6,SOLID",
        "(3i9,6e21.13e3)",
        f"{900:9d}{0:9d}{0:9d}{-0.5:21.13E}{0.6:21.13E}{0.4:21.13E}",
        "        -1",
    ]
    more += ["EBLOCK,19,SOLID", "(19i10)"]
    rows = [(1, 2, 2, 3001, [900]), *((1, 3, 1, 3002 + k, [900, c]) for k, c in enumerate(corners))]
    more += ["".join(f"{n:10d}" for n in (m, t, r, 1, 0, 0, 0, 0, len(n), 0, e, *n)) for m, t, r, e, n in rows]
    path = tmp_path / "m.cdb"
    path.write_text(cdb(mesh, "\n".join([*more, "        -1"]), RIGID))
    read, audit = read_mesh(path)
    (item,) = read.masses
    assert (
        item.mass == 20.0
        and np.diag(item.inertia).tolist() == [3.0, 4.0, 5.0]
        and item.position.tolist() == [-0.5, 0.6, 0.4]
    )
    assert sorted(read.node_ids[item.nodes].tolist()) == sorted(corners) and len(read.ties[0].nodes) == 4
    solid = 7850 * np.prod(SIZE)
    assert mass_properties(read).mass == pytest.approx(solid + 20.0, rel=1e-12)
    assert mass_points(read).mass.sum() == pytest.approx(20.0, rel=1e-12)


OTHER = {
    "shell": ("ET,2,181", (1, 2, 1, [101, 102, 105, 104]), r"SHELL181 \(1, first in line \d+: stiffness or mass\)"),
    "beam": ("ET,2,188", (1, 2, 1, [101, 102]), "BEAM188"),
    "spring": ("ET,2,14", (1, 2, 1, [101, 102]), "COMBIN14"),
    "contact": ("ET,2,174", (1, 2, 1, [101, 102, 105, 104]), r"CONTA174 \(1, first in line \d+: a contact\)"),
    "heat": ("ET,2,70", (1, 2, 1, [*range(101, 109)]), r"SOLID70 .*another physics"),
    "link that is no beam": ("ET,2,184", (1, 2, 1, [101, 102]), r"MPC184 .*no rigid beam"),
    "mass without constants": ("ET,2,21", (1, 2, 9, [101]), "MASS21"),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_an_archive_would_lose_is_refused_by_name(tmp_path, name):
    types, (m, t, r, nodes), said = OTHER[name]
    head = "".join(f"{n:10d}" for n in (m, t, r, 1, 0, 0, 0, 0, len(nodes), 0, 3001, *nodes))
    path = tmp_path / "m.cdb"
    path.write_text(cdb(box("hex8"), f"EBLOCK,19,SOLID\n(19i10)\n{head}\n        -1", types))
    with pytest.raises(MeshError, match=said):
        read_mesh(path)
    card = re.search(r'ignore = \["([A-Z]+\d+)"\]', str(pytest.raises(MeshError, read_mesh, path).value)).group(1)
    mesh, audit = read_mesh(path, ignore=[card])
    assert len(mesh.nodes) == 18 and any(f"ignored as asked: {card}" in line for line in audit)


@pytest.mark.parametrize("command", ["CE,R5.0,DEFI,       1,       3, 0.0", "CP,1,UX,101,102"])
def test_constraints_of_an_archive_are_refused(tmp_path, command):
    path = tmp_path / "m.cdb"
    path.write_text(cdb(box("hex8"), command))
    with pytest.raises(MeshError, match=f"{command[:2]} .*a constraint"):
        read_mesh(path)


def test_faces_of_a_universal_file_are_sets_of_nodes_and_the_rest_is_named(tmp_path):
    path = tmp_path / "m.unv"
    path.write_text(unv(box("hex8"), ["    -1", "  1710", "what it is", "    -1"]))
    mesh, audit = read_mesh(path)
    assert mesh.node_ids[mesh.node_sets["FACE"]].tolist() == sorted(mesh.blocks[0].connectivity[0, :4] + 101)
    assert mesh.element_sets["MATERIAL_2"].tolist() == [1002, 1004]
    assert any("dataset 1710" in line and "give E, nu and density" in line for line in audit)
    lump = "".join(f"{n:10d}" for n in (3001, 161, 1, 1, 7, 1)) + f"\n{101:10d}"
    path.write_text(unv(box("hex8"), ["    -1", "  2412", lump, "    -1"]))
    with pytest.raises(MeshError, match=r"lumped mass 161 \(1, first in line \d+"):
        read_mesh(path)


def test_a_med_file_without_h5py_is_refused_with_the_way_out(tmp_path, monkeypatch):
    write_med(tmp_path / "m.med", box("hex8"))
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(MeshError, match=r"need h5py: pip install 'flexwheel\[med\]'"):
        read_mesh(tmp_path / "m.med")


def replaced(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


CDB, UNV = cdb(box("hex8")), unv(box("hex8"))
NOT_RIGHT = {
    "cdb: empty": ("m.cdb", "", "empty"),
    "cdb: other text": ("m.cdb", "solid part\nfacet normal 0 0 1\n", "no NBLOCK"),
    "cdb: binary": ("m.cdb", CDB[:300] + "\0\0", "binary data"),
    "cdb: cut in the nodes": ("m.cdb", CDB[: CDB.index("N,R5.3")], "the file ends within NBLOCK"),
    "cdb: nodes missing": ("m.cdb", replaced(CDB, CDB.splitlines()[6] + "\n", ""), "NBLOCK holds 17 records, 18"),
    "cdb: cut in the elements": ("m.cdb", CDB[: CDB.index("        -1")], "the file ends within EBLOCK"),
    "cdb: word in a coordinate": (
        "m.cdb",
        replaced(CDB, "1.0000000000000E+000", "one                 "),
        "'one' is not a number",
    ),
    "cdb: no format": ("m.cdb", replaced(CDB, "(3i9,6e21.13e3)", "(free)"), "is no format"),
    "cdb: no element type": ("m.cdb", replaced(CDB, "ET,        1,185", ""), "which no ET defines"),
    "cdb: five nodes": (
        "m.cdb",
        re.sub(r"(?m)^(.{80})         8(.{20}.{50}).{30}$", r"\1         5\2", CDB),
        "has 5 nodes",
    ),
    "cdb: node not there": (
        "m.cdb",
        re.sub(r"(?m)^(.{110}).{10}(.{70})$", r"\1       999\2", CDB),
        "refers to node 999",
    ),
    "cdb: range without begin": (
        "m.cdb",
        replaced(CDB, f"{101:10d}{-103:10d}", f"{-103:10d}{104:10d}"),
        "ends no range",
    ),
    "cdb: one by one": ("m.cdb", replaced(CDB, "N,R5.3,LOC,       -1,", "N,R5.3,LOC,       1, 0.,0.,0."), "one by one"),
    "cdb: elements without SOLID": ("m.cdb", replaced(CDB, "EBLOCK,19,SOLID", "EBLOCK,10,"), "EBLOCK without SOLID"),
    "unv: empty": ("m.unv", "", "empty"),
    "unv: other text": ("m.unv", "solid part\n", "no datasets"),
    "unv: binary": ("m.unv", UNV[:300] + "\0\0", "binary data"),
    "unv: does not end": ("m.unv", UNV.rstrip()[:-2], "does not end"),
    "unv: cut in a record": (
        "m.unv",
        re.sub(r"(?s)(  2411\n.*?\n).*?(    -1\n)", r"\1\2", UNV, count=1),
        "ends within a record",
    ),
    "unv: word in a coordinate": ("m.unv", replaced(UNV, "8.0000000000000004D-01\n", "one\n"), "'one' is not a number"),
    "unv: two coordinates": ("m.unv", re.sub(r"(?m)^(.{50}).{25}$", r"\1", UNV), "2 reals, expected 3"),
    "unv: node not there": (
        "m.unv",
        replaced(UNV, "       8\n       103", "       8\n       999"),
        "refers to node 999",
    ),
    "unv: seven nodes": (
        "m.unv",
        replaced(UNV, "         7         8\n", "         7         7\n"),
        "8 whole numbers, expected 1",
    ),
    "unv: number of a dataset": ("m.unv", replaced(UNV, "  2411", "nodes"), "is no number of a dataset"),
    "unv: no nodes": ("m.unv", replaced(UNV, "  2411", "  2414"), "no dataset 2411"),
    "unv: group of what is not there": (
        "m.unv",
        replaced(UNV, f"{7:10d}{105:10d}", f"{7:10d}{999:10d}"),
        "'END' names node 999",
    ),
    "unv: unknown unit": (
        "m.unv",
        replaced(UNV, "1.00000000000000000D+00", "3.28083989501312300D+00"),
        "length of 1/3.28",
    ),
}


@pytest.mark.parametrize("name", NOT_RIGHT)
def test_broken_text_files_are_refused_in_one_line(tmp_path, name):
    file, text, said = NOT_RIGHT[name]
    path = tmp_path / file
    path.write_text(text)
    message = str(pytest.raises(MeshError, read_mesh, path).value)
    assert message.startswith(str(path)) and "\n" not in message
    assert re.search(said, message), message


STEP = "ENS_MAA/Box/-0000000000000000001-0000000000000000001"


def _short(file, name, count):
    values = file[f"{STEP}/{name}"][()][:-count]
    attributes = dict(file[f"{STEP}/{name}"].attrs)
    del file[f"{STEP}/{name}"]
    file.create_dataset(f"{STEP}/{name}", data=values).attrs.update(attributes)


NO_MED = {
    "no mesh": (lambda f: f.__delitem__("ENS_MAA"), "no ENS_MAA"),
    "two meshes": (lambda f: f.create_group("ENS_MAA/Other"), "must hold one mesh, got 2"),
    "no nodes": (lambda f: f.__delitem__(f"{STEP}/NOE"), "no nodes or no elements"),
    "no elements": (lambda f: f.__delitem__(f"{STEP}/MAI"), "no nodes or no elements"),
    "coordinates missing": (lambda f: _short(f, "NOE/COO", 2), "coordinates of 18 nodes"),
    "numbers missing": (lambda f: _short(f, "NOE/NUM", 2), "16 numbers"),
    "families missing": (lambda f: _short(f, "NOE/FAM", 2), "16 families"),
    "nodes of elements missing": (lambda f: _short(f, "MAI/HE8/NOD", 3), "29 nodes of 4 elements HE8"),
    "node not there": (lambda f: f[f"{STEP}/MAI/HE8/NOD"].__setitem__(0, 99), "name node 99 of 18"),
    "unknown elements": (lambda f: f.move(f"{STEP}/MAI/HE8", f"{STEP}/MAI/H27"), "type H27 are not read"),
    "no count": (lambda f: f[f"{STEP}/NOE/COO"].attrs.__delitem__("NBR"), "coordinates of 0 nodes"),
    "elements without nodes": (lambda f: f.__delitem__(f"{STEP}/MAI/HE8/NOD"), "cannot read MED file"),
}


@pytest.mark.parametrize("name", NO_MED)
def test_broken_med_files_are_refused_in_one_line(tmp_path, name):
    change, said = NO_MED[name]
    write_med(tmp_path / "m.med", box("hex8"), change=change)
    message = str(pytest.raises(MeshError, read_mesh, tmp_path / "m.med").value)
    assert message.startswith(str(tmp_path)) and "\n" not in message
    assert re.search(said, message), message


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_med_file_cut_off_is_refused_in_one_line(tmp_path, share):
    path = tmp_path / "m.med"
    write_med(path, box("hex8"))
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    message = str(pytest.raises(MeshError, read_mesh, path).value)
    assert message.startswith(str(path)) and "\n" not in message


def test_rings_are_those_of_the_edges():
    """Every mid node of RINGS stands between its neighbours in the ring, or below a corner of the next one."""
    for kind, ring in RINGS.items():
        count = {"tet10": 3, "wedge15": 3, "hex20": 4}[kind]
        first = len(ring) - len(EDGES[kind])
        for k in range(1, 2 * count, 2):
            assert set(EDGES[kind][ring[k] - first]) == {ring[k - 1], ring[(k + 1) % (2 * count)]}
