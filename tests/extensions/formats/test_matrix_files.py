"""Files of reduced bodies that are broken: one line each, which names the file."""

import shutil
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from small_superelement import PLACES, small_body

import flexwheel as fw
from flexwheel.base.errors import FlexwheelError, MeshError
from flexwheel.body.matrix_format import read_matrices, write_matrices
from flexwheel.body.reduce_superelement import MatrixOptions, reduce_superelement
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.superelement import rigid_coordinates
from flexwheel.extensions.formats.abaqus.abaqus_matrices import read_abaqus
from flexwheel.extensions.formats.matrix_parts import MatrixParts
from flexwheel.extensions.formats.nastran.nastran_binary import read_op2
from flexwheel.extensions.formats.nastran.nastran_matrices import read_nastran


def refused(files, message, **options):
    """The one line that files end in, which matches `message`."""
    with pytest.raises(MeshError, match=message) as told:
        body = read_matrices(files, **options)
        reduce_superelement(body, MatrixOptions({"left": (1,), "right": (2,)}))
    line = str(told.value)
    assert "\n" not in line and len(line) < 500
    return line


def of_netcdf(change):
    def broken(path):
        write_matrices(path, small_body())
        with netCDF4.Dataset(path, "r+") as file:
            change(file)

    return broken


def cut(path):
    write_matrices(path, small_body())
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def renamed(name):
    return of_netcdf(lambda file: file.renameVariable(name, "other"))


def put(name, at, value):
    return of_netcdf(lambda file: file[name].__setitem__(at, value))


NETCDF = {
    "cut": (cut, "damaged"),
    "text": (lambda path: path.write_text("stiffness\n"), "no netCDF file"),
    "empty": (lambda path: path.write_bytes(b""), "no netCDF file"),
    "another": (of_netcdf(lambda file: file.setncattr("format", "results")), "attribute format must be"),
    "no mass": (renamed("mass"), "variable mass is missing"),
    "no coordinates": (renamed("coordinate_node"), "coordinate_node is missing"),
    "nan": (put("stiffness", (0, 0), np.nan), "stiffness must be finite"),
    "component": (put("coordinate_component", 0, 9), "component must be 1 to 6"),
    "twice": (put("coordinate_component", 1, 1), "component 1 twice"),
    "unplaced": (put("node_id", 1, 5), "no place of node 2"),
    "not symmetric": (put("mass", (0, 5), 50.0), "must be symmetric"),
    "half a point": (renamed("point_motion"), "must be given with point_name"),
    "negative": (put("stiffness", (12, 12), -4e5), "not positive"),
}


@pytest.mark.parametrize("broken, message", NETCDF.values(), ids=list(NETCDF))
def test_a_broken_netcdf_file_is_refused_in_one_line(tmp_path, broken, message):
    broken(tmp_path / "car.nc")
    line = refused([tmp_path / "car.nc"], message)
    assert "car.nc" in line or message == "not positive"


def edited(old, new, count=1):
    """The file of the small body with other words."""

    def broken(path):
        write_matrices(path, small_body())
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, count))

    return broken


def ended(share):
    def broken(path):
        write_matrices(path, small_body())
        text = path.read_text()
        path.write_text(text[: text.index("DMIG*   MAAX") + share])

    return broken


PUNCH = {
    "cut": (ended(-100), "no mass matrix"),
    "cut in a card": (ended(90), "no inertia|no mass|is not|smaller|must be the same|truncated"),
    "empty": (lambda path: path.write_text(""), "the file is empty"),
    "binary": (lambda path: path.write_bytes(b"\0\1\2" * 40), "binary data"),
    "no head": (edited("DMIG    KAAX           0       6       2       0\n", ""), "KAAX before its head"),
    "two heads": (edited("DMIG    MAAX", "DMIG    KAAX"), "a second head of the matrix KAAX"),
    "complex": (edited("6       2       0", "6       4       0"), "KAAX is complex"),
    "word": (edited("3.0000000000D+06", "three million   "), "'three million' is not a number"),
    "id": (edited(f"DMIG*   KAAX{1:28}", f"DMIG*   KAAX{'x':>28}"), "not a whole"),
    "name": (edited("MAAX", "XMAA", 10**6), "not read: XMAA, names begin with"),
    "no places": (edited("GRID* ", "$RID* ", 10), "no place of|continuation"),
    "coordinate system": (edited(f"GRID*   {1:16}{'':16}", f"GRID*   {1:16}{77:16}"), "system 77 is not defined"),
    "mode without mass": (edited(f"{3:16}{0:16}1.0000000000D+00", f"{3:16}{0:16}0.0000000000D+00"), "has no mass"),
    "twice": (edited("*                      1               13.0000000000D+06",
                     "*                      1               13.0000000000D+06\n" * 2 + "$"), "entry .* twice"),
}  # fmt: skip


@pytest.mark.parametrize("broken, message", PUNCH.values(), ids=list(PUNCH))
def test_a_broken_punch_is_refused_in_one_line(tmp_path, broken, message):
    broken(tmp_path / "car.pch")
    refused([tmp_path / "car.pch"], message)


def of_op4(change):
    def broken(path):
        write_matrices(path, small_body())
        change(path)

    return broken


def other_op4(**named):
    def broken(path):
        from pyyeti.nastran import op4

        write_matrices(path, small_body())
        op4.write(str(path), [*named], [*named.values()])

    return broken


OP4 = {
    "cut": (of_op4(lambda p: p.write_bytes(p.read_bytes()[:900])), "no OP4 file of matrices, or damaged"),
    "text": (of_op4(lambda p: p.write_text("stiffness")), "no OP4 file"),
    "empty": (of_op4(lambda p: p.write_bytes(b"")), "no OP4 file|no square matrix"),
    "random": (of_op4(lambda p: p.write_bytes(bytes(range(256)) * 9)), "no OP4 file"),
    "zeros": (of_op4(lambda p: p.write_bytes(bytes(4000))), "no OP4 file|no square"),
    "stiffness alone": (other_op4(KAAX=np.eye(13)), "no mass matrix"),
    "two sets": (other_op4(KAA=np.eye(13), MAA=np.eye(13), KXX=np.eye(13), MXX=np.eye(13)), "of several bodies"),
    "vectors": (other_op4(PHI=np.ones((13, 4))), "no square matrix in it; it has: PHI"),
    "other size": (other_op4(KAAX=np.eye(12), MAAX=np.eye(12)), "12 rows for 13 coordinates"),
    "complex": (other_op4(KAAX=1j * np.eye(13), MAAX=np.eye(13)), "no stiffness matrix .*not read: KAAX"),
    "not symmetric": (other_op4(KAAX=np.triu(np.ones((13, 13))), MAAX=np.eye(13)), "must be symmetric"),
    "points": (other_op4(KAAX=np.eye(13), MAAX=np.eye(13), PMOTX=np.ones((9, 13))), "matrix PMOTX of"),
}


@pytest.mark.parametrize("broken, message", OP4.values(), ids=list(OP4))
def test_a_broken_op4_file_is_refused_in_one_line(tmp_path, broken, message):
    pytest.importorskip("pyyeti")
    broken(tmp_path / "car.op4")
    refused([tmp_path / "car.op4", tmp_path / "car.asm"], message)


def test_an_op4_file_needs_its_coordinates_and_pyyeti(tmp_path, monkeypatch):
    pytest.importorskip("pyyeti")
    write_matrices(tmp_path / "car.op4", small_body())
    refused([tmp_path / "car.op4"], "13 rows have no labels: add the file of their coordinates")
    monkeypatch.setitem(sys.modules, "pyyeti.nastran", None)
    with pytest.raises(FlexwheelError, match=r"need pyYeti: pip install 'flexwheel\[nastran\]'"):
        read_matrices([tmp_path / "car.op4"])


def op2_of(**matrices):
    """An OP2 file of double-precision matrices, as Nastran's OUTPUT2 writes it on a machine of 32-bit words.

    Source: MSC Nastran DMAP programmer's guide, OUTPUT2; the records that pyYeti's reader expects.
    """
    record = lambda data: struct.pack("i", len(data)) + data + struct.pack("i", len(data))  # noqa: E731
    key = lambda *numbers: b"".join(record(struct.pack("i", n)) for n in numbers)  # noqa: E731
    out = key(3) + record(struct.pack("3i", 11, 26, 26)) + key(7) + record(b"NASTRAN FORT TAPE ID CODE - ".ljust(28))
    out += key(2) + record(b"LABEL   ") + key(-1, 0)
    for name, matrix in matrices.items():
        rows, columns = matrix.shape
        label = name.encode().ljust(8)
        out += key(2) + record(label) + key(-1, 7) + record(struct.pack("7i", 101, columns, rows, 6, 2, rows, 10000))
        out += key(-2, 1, 0, 2) + record(label) + key(-3, 1, 1)
        for k, column in enumerate(matrix.T):
            out += key(1 + 2 * rows) + record(struct.pack("i", 1) + column.astype("f8").tobytes()) + key(0, -4 - k)
            out += key(1 if k < columns - 1 else 0)
        out += key(0)
    return out


def test_matrices_of_an_op2_file_are_those_of_the_body(tmp_path):
    pytest.importorskip("pyyeti")
    body = small_body()
    write_matrices(tmp_path / "car.op4", body)
    moments, motion = body.first_moments.reshape(9, -1), body.points[0].motion
    whole = {"KAAX": body.stiffness, "MAAX": body.mass, "BAAX": body.damping, "FMOMX": moments, "PMOTX": motion}
    (tmp_path / "car.op2").write_bytes(op2_of(**whole))
    read = read_matrices([tmp_path / "car.op2", tmp_path / "car.asm"])
    for name in ("stiffness", "mass", "damping", "first_moments"):
        np.testing.assert_array_equal(getattr(read, name), getattr(body, name))
    np.testing.assert_array_equal(read.points[0].motion, motion)
    assert list(zip(read.node, read.component, strict=True)) == list(zip(body.node, body.component, strict=True))


def test_dmigs_of_nastran_in_punch_and_op2_are_the_same(tmp_path):
    """A square and a unit matrix that Nastran wrote, under the names of stiffness and mass; pyYeti's test data."""
    pyyeti = pytest.importorskip("pyyeti")
    folder = Path(pyyeti.__file__).parent / "tests" / "nastran_dmig_data"
    if not (folder / "matrix.op2").exists():
        pytest.skip("pyYeti without its test data")
    text = (folder / "matrix_factory.pch").read_text().split("DMIG    CMPLX")[0]
    for old, new in (("RANDM", "KRNDM"), ("IDENT", "MDENT")):
        text = text.replace(old, new)
    (tmp_path / "a.pch").write_text(text)
    data = (folder / "matrix.op2").read_bytes().replace(b"RANDM", b"KRNDM").replace(b"IDENT", b"MDENT")
    (tmp_path / "a.op2").write_bytes(data)
    found = []
    for name, read in (("a.pch", read_nastran), ("a.op2", read_op2)):
        parts = MatrixParts()
        read(tmp_path / name, parts)
        found.append(parts.matrices)
    for kind in ("stiffness", "mass"):
        one, other = (f[kind] for f in found)
        assert list(one.labels) == list(other.labels) and len(one.labels) == 21
        np.testing.assert_allclose(one.matrix.toarray(), other.matrix, rtol=1e-8)


def test_motion_of_points_that_nastran_recovers_is_rigid_under_rigid_motion():
    """MUG1 of EXTSEOUT with the table TUG1, places of the model's own deck; pyYeti's test data."""
    pyyeti = pytest.importorskip("pyyeti")
    folder = Path(pyyeti.__file__).parent / "tests" / "nas2cam_extseout"
    if not (folder / "inboard.dat").exists():
        pytest.skip("pyYeti without its test data")
    read = read_matrices([folder / f"inboard.{ending}" for ending in ("op4", "pch", "dat")])
    rigid = rigid_coordinates(read, np.zeros(3))
    assert len(read.points) == 2
    for point in read.points:
        np.testing.assert_allclose(point.motion @ rigid, rigid_modes(point.position[None]), atol=1e-5)


def test_what_no_scenario_asks_for_is_not_imported():
    code = "import sys, flexwheel.run.simulation, flexwheel.face.scenario; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = [
        name for name in done.stdout.split() if "flexwheel.extensions.formats" in name or name.startswith("pyyeti")
    ]
    assert "flexwheel.run.flexible_bodies" in done.stdout and not found


OP2 = {
    "cut": (lambda p, data: p.write_bytes(data[:900]), "no OP2 file|no square"),
    "text": (lambda p, data: p.write_text("stiffness"), "no OP2 file"),
    "empty": (lambda p, data: p.write_bytes(b""), "no OP2 file"),
    "random": (lambda p, data: p.write_bytes(bytes(range(256)) * 9), "no OP2 file"),
    "zeros": (lambda p, data: p.write_bytes(bytes(4000)), "no OP2 file"),
    "head alone": (lambda p, data: p.write_bytes(data[:8]), "no OP2 file"),
    "cut in the middle": (lambda p, data: p.write_bytes(data[: len(data) // 2]), "no OP2 file|no square|no mass"),
    "overwritten": (
        lambda p, data: p.write_bytes(data[:300] + b"x" * 400 + data[700:]),
        "no OP2 file|no square|no mass",
    ),
    "turned": (lambda p, data: p.write_bytes(data[::-1]), "no OP2 file|no stiffness"),
    "results alone": (lambda p, data: p.write_bytes(data), "no mass matrix|no square"),
}


@pytest.mark.parametrize("broken, message", OP2.values(), ids=list(OP2))
def test_a_broken_op2_file_is_refused_in_one_line(tmp_path, broken, message):
    """The file of a run of Nastran, which pyYeti ships for its own tests."""
    pyyeti = pytest.importorskip("pyyeti")
    file = Path(pyyeti.__file__).parent / "tests" / "nas2cam_extseout" / "assemble.op2"
    if not file.exists():
        pytest.skip("pyYeti without its test data")
    broken(tmp_path / "car.op2", file.read_bytes())
    refused([tmp_path / "car.op2"], message)


def element(text):
    """A linear user element as *SUBSTRUCTURE MATRIX OUTPUT writes one, its words changed."""
    dense = small_body().stiffness[:12, :12]
    rows = ["".join(f"{v:.9e}," for v in row[: k + 1]) for k, row in enumerate(dense)]
    head = ["*USER ELEMENT, NODES=2, LINEAR", "** ELEMENT NODES", "**  1, 2", "1,2,3,4,5,6"]
    whole = "\n".join([*head, "*MATRIX, TYPE=STIFFNESS", *rows, ""])
    return lambda path: path.write_text(text(whole))


ABAQUS = {
    "cut": (lambda p: (edited("*", "*")(p), p.write_text(p.read_text()[:900])), "no stiffness matrix"),
    "empty": (lambda p: p.write_text("\n"), "the file is empty"),
    "binary": (lambda p: p.write_bytes(b"*NODE\n\0\0\1"), "binary data"),
    "number": (edited("4.0000000000000000e+05", "4.00e+0five"), "matrix STIFFNESS: '4.00e.0five' is not a number"),
    "columns": (edited("1, 1, 1, 1, ", "1, 1, 1, "), "a line has 4 numbers"),
    "component": (edited("1, 1, 1, 1, ", "1, 7, 1, 1, "), "components must be 1 to 6"),
    "not assembled": (edited("*MATRIX ASSEMBLE", "** MATRIX ASSEMBLE"), "not read: STIFFNESS"),
    "no mass": (edited("MASS=MASS, ", ""), "no mass matrix"),
    "part": (edited("*NODE\n", "*PART, NAME=A\n*NODE\n"), "PART is not read beside matrices"),
    "two": (edited("MASS=MASS", "MASS=STIFFNESS"), "no mass|second|stiffness"),
    "no file": (edited("NAME=MASS, TYPE", "NAME=MASS, INPUT=none.mtx, TYPE"), "there is no such file"),
    "unnamed lines": (lambda p: p.write_text("1,1,1,1,5.0\n"), "the name of its file must hold _STIF"),
    "element cut": (element(lambda t: t[:700]), "entries, expected 78 for 12 coordinates: is the file truncated"),
    "element without nodes": (element(lambda t: t.replace("**  1, 2", "**")), "of 2 nodes, the comment .* has 0"),
    "element without components": (element(lambda t: t.replace("1,2,3,4,5,6\n", "")), "without the components"),
    "element word": (element(lambda t: t.replace("e+06", "e+0x", 1)), "is not a number"),
    "element alone": (element(lambda t: t.replace("*USER ELEMENT", "** USER")), "a matrix without a keyword"),
}


@pytest.mark.parametrize("broken, message", ABAQUS.values(), ids=list(ABAQUS))
def test_a_broken_abaqus_file_is_refused_in_one_line(tmp_path, broken, message):
    broken(tmp_path / "car.inp")
    refused([tmp_path / "car.inp"], message)


def test_matrices_of_bare_lines_and_of_a_user_element_are_those_written(tmp_path):
    """FORMAT=MATRIX INPUT without keywords, one triangle or both; the element's own form."""
    body = small_body()
    label = [(n, max(c, 1)) for n, c in zip(body.node, body.component, strict=True)]
    for name, matrix in (("job_STIF1.mtx", body.stiffness), ("job_MASS1.mtx", body.mass)):
        lines = [f"{a[0]},{a[1]},{b[0]},{b[1]},{matrix[i, j]:.17g}" for i, a in enumerate(label)
                 for j, b in enumerate(label) if matrix[i, j] and (name != "job_MASS1.mtx" or i >= j)]  # fmt: skip
        (tmp_path / name).write_text("\n".join(["** matrix", *lines]))
    element(lambda text: text)(tmp_path / "element.mtx")
    places = {n: tuple(x) for n, x in body.place.items()}
    read = read_matrices([tmp_path / "job_STIF1.mtx", tmp_path / "job_MASS1.mtx"], places=places)
    np.testing.assert_allclose(read.stiffness.toarray(), body.stiffness, rtol=1e-15)
    np.testing.assert_allclose(read.mass.toarray(), body.mass, rtol=1e-15)
    assert read.component.tolist() == body.component.tolist()  # a node without a place is a further coordinate
    parts = MatrixParts()
    read_abaqus(tmp_path / "element.mtx", parts)
    np.testing.assert_allclose(parts.matrices["stiffness"].matrix, body.stiffness[:12, :12], rtol=1e-9)


CALCULIX = Path(__file__).parent / "calculix"


def of_calculix(change, suffix=".sti"):
    def broken(folder):
        for ending in (".sti", ".mas", ".dof", ".inp"):
            shutil.copy(CALCULIX / f"block{ending}", folder)
        change(folder / f"block{suffix}")

    return broken


def words(old, new):
    return lambda path: path.write_text(path.read_text().replace(old, new, 1))


STORED = {
    "no coordinates": (of_calculix(lambda p: p.unlink(), ".dof"), "block.dof must be the coordinates of block.sti"),
    "coordinates cut": (of_calculix(lambda p: p.write_text(p.read_text()[:100]), ".dof"), "rows run from 1 to 48|NODE"),
    "coordinate": (of_calculix(words("1.1", "1.7"), ".dof"), "block.dof:1: a line must be NODE.COMPONENT, got '1.7'"),
    "coordinate word": (of_calculix(words("1.1", "one"), ".dof"), "must be NODE.COMPONENT, got 'one'"),
    "empty": (of_calculix(lambda p: p.write_text("")), "lines must be row, column, value"),
    "columns": (of_calculix(words("1 1 ", "1 ")), "lines must be row, column, value"),
    "number": (of_calculix(words("e+10", "e+1o")), "lines must be row, column, value"),
    "row": (of_calculix(words("1 1 ", "99 1 ")), "rows run from 1 to 99, block.dof has 48 coordinates"),
    "zero": (of_calculix(words("1 1 ", "0 1 ")), "rows run from 0 to"),
    "binary": (of_calculix(lambda p: p.write_bytes(bytes(range(256)) * 9)), "lines must be row, column, value"),
    "cut": (of_calculix(lambda p: p.write_text(p.read_text()[:6000])), "not positive|must be free|lines must be"),
    "mass cut": (of_calculix(lambda p: p.write_text(p.read_text()[:6000]), ".mas"), "must be the same|lines must be"),
    "nan": (of_calculix(words("1 1  1.2489316239316e+10", "1 1  nan")), "must be finite"),
}


@pytest.mark.parametrize("broken, message", STORED.values(), ids=list(STORED))
def test_broken_matrices_of_calculix_are_refused_in_one_line(tmp_path, broken, message):
    broken(tmp_path)
    with pytest.raises(MeshError, match=message) as told:
        body = read_matrices([tmp_path / f"block{ending}" for ending in (".sti", ".mas", ".inp")])
        reduce_superelement(body, MatrixOptions({"front": (4, 8, 12, 16), "rear": (1, 5, 9, 13)}))
    assert "\n" not in str(told.value)


def test_a_body_in_millimetres_and_tonnes_is_the_one_in_si(tmp_path):
    """N, t, mm, s: stiffness of translations a thousandth of that in N/m, of rotations in N mm."""
    body = small_body()
    write_matrices(tmp_path / "metres.pch", body)
    length = np.where((body.component > 0) & (body.component < 4), 1e-3, 1.0)
    of = lambda a: 1e3 * np.outer(length, length) * a  # noqa: E731
    point = replace(
        body.points[0],
        position=1e3 * body.points[0].position,
        motion=1e3 * body.points[0].motion * length,
        stress=1e-6 * body.points[0].stress * length,
    )
    small = replace(
        body, stiffness=of(body.stiffness), mass=of(body.mass), damping=of(body.damping), points=(point,),
        place={n: 1e3 * x for n, x in body.place.items()}, first_moments=body.first_moments * length,
    )  # fmt: skip
    write_matrices(tmp_path / "millimetres.pch", small)
    one, other = (
        read_matrices([tmp_path / f"{name}.pch"], unit) for name, unit in (("metres", "m"), ("millimetres", "mm"))
    )
    for name in ("stiffness", "mass", "damping"):
        found, expected = (getattr(b, name).toarray() for b in (other, one))
        np.testing.assert_allclose(found, expected, atol=1e-8 * np.abs(expected).max())
    np.testing.assert_allclose(other.first_moments, one.first_moments, rtol=1e-8)
    np.testing.assert_allclose(other.place[2], one.place[2])
    for part in ("position", "motion", "stress"):
        np.testing.assert_allclose(getattr(other.points[0], part), getattr(one.points[0], part), rtol=1e-8)


def test_damping_that_is_not_taken_whole_is_told_of():
    body, options = small_body(), MatrixOptions({"left": (1,), "right": (2,)})
    away = np.zeros(13)
    away[[0, 6, 12]] = 1.0, -1.0, 0.4  # a damper between the nodes that a mode drives too
    damped = reduce_superelement(replace(body, damping=2e3 * np.outer(away, away)), options)
    assert any(line.startswith("WARNING: damping couples modes") for line in damped.audit)
    loss = reduce_superelement(replace(body, damping=None, structural=0.04 * body.stiffness), options)
    np.testing.assert_allclose(loss.damping_ratio, 0.02, rtol=1e-9)
    with pytest.raises(MeshError, match="must not feed energy"):
        reduce_superelement(replace(body, damping=-body.damping), options)


def test_attachments_and_points_of_matrices_by_name_id_mean_and_place(tmp_path):
    write_matrices(tmp_path / "car.nc", small_body())
    write_matrices(tmp_path / "car.pch", small_body())
    own = fw.VehicleBody.from_files(tmp_path / "car.nc", control_nodes=["tip"]).body
    assert own.place_name == ("left", "right", "tip")
    held = {"a": "left", "b": 2, "c": {"nodes": [1]}}
    again = fw.VehicleBody.from_files(
        tmp_path / "car.nc", attachments=held, control_nodes=[{"name": "p", "id": 2}]
    ).body
    np.testing.assert_allclose(again.place[[0, 1, 2, 3]], own.place[[0, 1, 0, 1]])
    text = (tmp_path / "car.pch").read_text()
    (tmp_path / "car.pch").write_text(text.replace(f"GRID*   {2:16}", f"GRID*   {9:16}"))
    place = {"nodes": [2], "position_m": PLACES[2].tolist()}
    moved = fw.VehicleBody.from_files(tmp_path / "car.pch", attachments={"left": 1, "right": place}).body
    np.testing.assert_allclose(moved.frequency_hz, own.frequency_hz, rtol=1e-8)
    for keys, message in (
        ({"attachments": {"a": 7}}, "the matrices have no node 7; they have: 1, 2"),
        ({"attachments": {"a": "middle"}}, "car.nc has no attachment 'middle'; it has: left, right"),
        ({"attachments": {"a": [1, 2]}}, "give one node with six components, or three or more"),
        ({"control_nodes": ["top"]}, "no recovery point 'top'; they have: tip"),
        ({"control_nodes": [{"position_m": [0.0, 0.0, 0.0]}]}, "number 1 must have an id"),
        ({"element": "full"}, "element is of a mesh: take it out"),
        ({"mesh": "car.inp"}, "give exactly one of mesh and matrices"),
        ({"attachments": {"a": {"nodes": [1, 2], "position_m": [0, 0, 0]}}}, "position_m is the place of one node"),
    ):
        with pytest.raises(FlexwheelError, match=message) as told:
            _ = fw.VehicleBody.from_files(tmp_path / "car.nc", **keys).body
        assert "\n" not in str(told.value)


def test_the_small_body_is_whole():
    body = reduce_superelement(small_body(), MatrixOptions({"left": (1,), "right": (2,)}, {"tip": "tip"}))
    assert body.mass == pytest.approx(180.0)
    assert (body.damping_ratio > 0.0).all()


def test_files_that_do_not_go_together_are_refused(tmp_path):
    write_matrices(tmp_path / "a.nc", small_body())
    refused([tmp_path / "a.nc", tmp_path / "a.nc"], "is whole by itself")
    refused([tmp_path / "a.nc"], "is in SI units", unit="mm")
    refused([tmp_path / "a.nc"], "mesh_unit of matrices must be m", unit="in")
    refused([tmp_path / "none.nc"], "there is no such file")
    refused([tmp_path], "is a folder")
    (tmp_path / "a.doc").write_text("x")
    refused([tmp_path / "a.doc"], "is read from ")
    with pytest.raises(MeshError, match="is written as .nc"):
        write_matrices(tmp_path / "a.doc", small_body())
