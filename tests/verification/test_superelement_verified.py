"""Bodies of matrices against beam theory, and against the mesh they were reduced from."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg as la
from wagon_case import (
    ATTACHMENTS,
    BASE,
    HEIGHT,
    LENGTH,
    PANEL,
    WIDTH,
    beam_acceleration,
    beam_mesh,
    on_springs,
    write_wagon,
)

import flexwheel as fw
from flexwheel.base.errors import MeshError
from flexwheel.base.gravity import GRAVITY
from flexwheel.body.assembly import assemble
from flexwheel.body.flexible_body import BodyOptions, reduce_body
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.matrix_format import read_matrices, write_matrices
from flexwheel.body.reduce import ReductionOptions, reduce_with_shapes
from flexwheel.body.reduce_superelement import MatrixOptions, reduce_superelement
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.stress_error import node_stress_rows
from flexwheel.body.superelement import Superelement, rigid_coordinates, superelement_of
from flexwheel.body.wheelset_places import wheelset_with_places
from flexwheel.face.cli import main
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ELEMENTS = 32
MIDDLE, FRONT, REAR = (1 + round((0.5 + at / LENGTH) * ELEMENTS) for at in (0.0, 0.5 * BASE, -0.5 * BASE))
BEAM = """
[body.car_body]
matrices = "beam.nc"
modes_up_to_hz = 60.0
damping_ratio = 0.01
attachment_reach_mm = 2000.0
control_nodes = [{{ name = "middle", id = {middle} }}]
"""


def space_beam(elements=ELEMENTS):
    """Stiffness and mass (D, D) of a free beam along x, six coordinates a node, and the places of its nodes.

    Przemieniecki, Theory of Matrix Structural Analysis, 1968, sections 5.6 and 11.5. Stretching and torsion consistent.
    """
    area, e, rho, step = WIDTH * HEIGHT, PANEL.youngs_modulus, PANEL.density, LENGTH / elements
    about_y, about_z, shear = WIDTH * HEIGHT**3 / 12.0, HEIGHT * WIDTH**3 / 12.0, 0.5 * e
    k, m = np.zeros((2, 12, 12))
    for at, stiff, mass in ((0, e * area, rho * area), (3, shear * (about_y + about_z), rho * (about_y + about_z))):
        own = np.ix_([at, at + 6], [at, at + 6])
        k[own] = stiff / step * np.array([[1, -1], [-1, 1]])
        m[own] = mass * step / 6.0 * np.array([[2, 1], [1, 2]])
    for second, dofs, sign in ((about_y, [2, 4, 8, 10], -1.0), (about_z, [1, 5, 7, 11], 1.0)):
        p, h = 12.0 * e * second / (5.0 / 6.0 * shear * area * step**2), step
        bend = np.array([[12, 6 * h, -12, 6 * h], [6 * h, (4 + p) * h * h, -6 * h, (2 - p) * h * h],
                         [-12, -6 * h, 12, -6 * h], [6 * h, (2 - p) * h * h, -6 * h, (4 + p) * h * h]])  # fmt: skip
        heavy = np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                          [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])  # fmt: skip
        turn = np.array([[36, 3 * h, -36, 3 * h], [3 * h, 4 * h * h, -3 * h, -h * h],
                         [-36, -3 * h, 36, -3 * h], [3 * h, -h * h, -3 * h, 4 * h * h]])  # fmt: skip
        slope = np.array([1.0, sign, 1.0, sign])  # rotation about y is the negative slope of z
        k[np.ix_(dofs, dofs)] = bend * e * second / (1 + p) / h**3 * np.outer(slope, slope)
        m[np.ix_(dofs, dofs)] = rho * (area * h * heavy / 420.0 + second / h * turn / 30.0) * np.outer(slope, slope)
    stiffness, mass = np.zeros((2, 6 * elements + 6, 6 * elements + 6))
    for i in range(elements):
        at = slice(6 * i, 6 * i + 12)
        stiffness[at, at] += k
        mass[at, at] += m
    x = np.linspace(-0.5 * LENGTH, 0.5 * LENGTH, elements + 1)
    return stiffness, mass, {n + 1: (float(at), 0.0, 0.0) for n, at in enumerate(x)}


@pytest.fixture(scope="module")
def beam(tmp_path_factory):
    stiffness, mass, nodes = space_beam()
    file = tmp_path_factory.mktemp("beam") / "beam.nc"
    held = {"front": FRONT, "rear": REAR}
    return fw.VehicleBody.from_arrays(file, stiffness, mass, nodes, attachments=held, modes_up_to_hz=100.0), file


def test_a_beam_of_arrays_has_the_frequencies_and_mass_of_a_beam(beam):
    """Bernoulli's free beam across, with the shear and rotary inertia of its slenderness of 1 : 27; exact along it."""
    body = beam[0].body
    mass = PANEL.density * LENGTH * WIDTH * HEIGHT
    assert body.mass == pytest.approx(mass, rel=1e-12)
    of = lambda a, b: mass * (a * a + b * b) / 12.0  # noqa: E731
    np.testing.assert_allclose(
        np.diag(body.inertia), [of(WIDTH, HEIGHT), of(LENGTH, HEIGHT), of(LENGTH, WIDTH)], rtol=1e-9
    )
    first = 4.730041**2 / (2 * np.pi) * np.sqrt(PANEL.youngs_modulus * HEIGHT**2 / 12 / PANEL.density / LENGTH**4)
    assert body.frequency_hz[0] == pytest.approx(first, rel=0.02) and body.frequency_hz[0] < first
    torsion = np.sqrt(0.5 * PANEL.youngs_modulus / PANEL.density) / (2 * LENGTH)
    assert np.abs(body.frequency_hz / torsion - 1.0).min() < 1e-3


def test_a_beam_of_arrays_in_eigen_and_run(beam, tmp_path, capsys):
    """First bending on its springs, sag at rest by Roark's formula, and the middle under a sine of the rails."""
    text = BEAM.format(middle=MIDDLE)
    (tmp_path / "beam.nc").write_bytes(beam[1].read_bytes())
    path = write_wagon(tmp_path, 9.0, 9.0, text)
    main(["eigen", str(path), "--speeds-kmh", "20", "--no-critical", "--json"])
    (found,) = json.loads(capsys.readouterr().out)["oscillations"]
    bending = [label.startswith("car_body mode 1 ") for label in found["dominant"]].index(True)
    stiffness, mass, _, _ = on_springs()
    expected = np.sqrt(la.eigh(stiffness, mass, eigvals_only=True)[2]) / (2 * np.pi)
    assert found["frequency_hz"][bending] == pytest.approx(expected, rel=0.01)  # its damping
    results = fw.run(str(path), quiet=True)
    late = results.isel(time=results.time > 7.0)
    t = 2 * np.pi * 9.0 * late.time.values
    basis = np.stack([np.cos(t), np.sin(t), np.ones_like(t)], axis=1)
    motion = late.body_point_acceleration.sel(body_point="car_body middle", axis="z").values
    cosine, sine, mean = np.linalg.lstsq(basis, motion, rcond=None)[0]
    assert np.hypot(cosine, sine) == pytest.approx(beam_acceleration(9.0, 0.5 * LENGTH), rel=0.02)
    assert mean == pytest.approx(GRAVITY, rel=1e-3)
    moved = late.body_point_displacement.mean("time").sel(axis="z")
    w, inner, over = PANEL.density * GRAVITY * WIDTH * HEIGHT, BASE, 0.5 * (LENGTH - BASE)
    flexural = PANEL.youngs_modulus * WIDTH * HEIGHT**3 / 12.0
    sag = w * inner**2 * (5 * inner**2 - 24 * over**2) / (384 * flexural)
    sag += w * inner**2 / 8.0 / (5.0 / 6.0 * 0.5 * PANEL.youngs_modulus * WIDTH * HEIGHT)
    held = moved[:2].mean() - moved.sel(body_point="car_body middle")
    assert float(held) == pytest.approx(sag, rel=2e-3)
    assert np.isnan(late.body_point_stress.values).all()  # the matrices hold none


def test_damping_of_the_matrices_is_that_of_the_modes(tmp_path):
    """Rayleigh damping: ratio alpha / (2 omega) + beta omega / 2."""
    stiffness, mass, nodes = space_beam(8)
    body = fw.VehicleBody.from_arrays(
        tmp_path / "beam.nc", stiffness, mass, nodes, damping=1e-4 * stiffness, attachments={"a": 3, "b": 7}
    ).body
    np.testing.assert_allclose(body.damping_ratio, 0.5e-4 * 2 * np.pi * body.frequency_hz, rtol=1e-6)
    assert any(line.startswith("damping: of the file") for line in body.audit)


def test_nodes_without_rotations_are_averaged():
    """Translations alone, as of solids: four nodes hold the place of an attachment."""
    mesh = beam_mesh(cells=(8, 2, 1))
    stiffness, mass = assemble(mesh, BodyOptions({"a": "b"}).formulation)
    count = len(mesh.nodes)
    places = {n + 1: x for n, x in enumerate(mesh.nodes)}
    whole = Superelement(
        stiffness, mass, np.repeat(np.arange(1, count + 1), 3), np.tile([1, 2, 3], count), places
    )  # fmt: skip
    ends = {name: np.flatnonzero(np.abs(mesh.nodes[:, 0] - at) < 1e-9) for name, at in (("A", 0.0), ("B", LENGTH))}
    body = reduce_superelement(whole, MatrixOptions({n: tuple(1 + rows) for n, rows in ends.items()}, {}, 60.0))
    expected = reduce_body(replace(mesh, node_sets=ends), BodyOptions({n: n for n in ends}, modes_up_to_hz=60.0))
    np.testing.assert_allclose(body.frequency_hz, expected.frequency_hz, rtol=1e-8)
    np.testing.assert_allclose(body.place, expected.place, atol=1e-12)
    compliance = [
        np.einsum("aih,h,bjh->aibj", b.place_rows, b.frequency_hz**-2.0, b.place_rows) for b in (body, expected)
    ]
    np.testing.assert_allclose(*compliance, atol=1e-9 * compliance[1].max())


@pytest.fixture(scope="module")
def reduced():
    points = {"middle": 1}
    options = BodyOptions({name: name for name in ATTACHMENTS}, points, modes_up_to_hz=60.0)
    return reduce_body(beam_mesh(replace(PANEL, poissons_ratio=0.3)), options)


def compliances(body):
    """Compliance between places, and what deformation adds to the inertia, whatever the sign of the modes."""
    weight = body.frequency_hz**-2.0
    moments = body.p_xh.reshape(9, -1)
    return (
        np.einsum("aih,h,bjh->aibj", body.place_rows, weight, body.place_rows),
        (moments * weight) @ moments.T,
        np.einsum("aih,h,bjh->aibj", body.stress_rows, weight, body.place_rows),
    )


def written(body, file):
    """Files of a body in the format of an ending, those to be read beside it included."""
    if file.suffix == ".op4":
        pytest.importorskip("pyyeti")
    write_matrices(file, body)
    return [file, file.with_suffix(".asm")] if file.suffix == ".op4" else [file]


ENDINGS = [".nc", ".pch", ".op4", ".inp"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_body_comes_back_from_every_file(reduced, tmp_path, ending):
    read = read_matrices(written(superelement_of(reduced), tmp_path / f"car{ending}"))
    points = {"middle": read.points[0].name} if read.points else {}
    again = reduce_superelement(read, MatrixOptions({n: (k,) for k, n in enumerate(ATTACHMENTS, 1)}, points, 60.0))
    assert again.mass == pytest.approx(reduced.mass, rel=1e-9)
    np.testing.assert_allclose(again.inertia, reduced.inertia, atol=1e-8 * reduced.inertia.max())
    np.testing.assert_allclose(again.frequency_hz, reduced.frequency_hz, rtol=1e-7)
    np.testing.assert_allclose(again.damping_ratio, reduced.damping_ratio, rtol=1e-6)
    if ending == ".inp":  # it has no form for points and first moments
        assert not read.points and read.first_moments is None
        return
    for found, expected in zip(compliances(again), compliances(reduced), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-7 * np.abs(expected).max())


@pytest.fixture(scope="module")
def forces(tmp_path_factory):
    """Forces of a run with the mesh, and a function that runs it with files of matrices."""
    folder = tmp_path_factory.mktemp("wagon")
    path = write_wagon(folder, 0.6, 9.0)
    unit = fw.Scenario.read(path).bodies["car_body"].body
    expected = fw.run(str(path), quiet=True)

    def with_files(*files):
        names = json.dumps([Path(file).name for file in files])
        held = "".join(f"{name.lower()} = {k}\n" for k, name in enumerate(ATTACHMENTS, 1))
        text = f"[body.car_body]\nmatrices = {names}\nmodes_up_to_hz = 60.0\n[body.car_body.attachments]\n{held}"
        return fw.run(str(write_wagon(folder, 0.6, 9.0, text)), quiet=True)

    return folder, unit, expected, with_files


@pytest.mark.parametrize("ending", ENDINGS)
def test_forces_of_a_run_are_those_with_the_mesh(forces, ending):
    """Asked for: 1e-6 of their rms."""
    folder, unit, expected, with_files = forces
    found = with_files(*written(superelement_of(unit), folder / f"reduced{ending}")).wheel_force.values
    size = np.sqrt(np.mean(expected.wheel_force.values**2, axis=0))
    off = np.sqrt(np.mean((found - expected.wheel_force.values) ** 2, axis=0))
    assert (off < 1e-6 * size).all()


NASTRAN = {  # mass, centre, inertia about it, of the .out files of the runs
    "inboard": (1.755052, [1039.998, 150.0, 150.0], [3.590520e4, 3.682012e5, 3.682012e5]),
    "outboard": (1.590384, [184.6398, 150.0, 150.0], [3.569328e5, 4.515897e4, 3.763282e5]),
}


@pytest.mark.parametrize("name", NASTRAN)
def test_an_external_superelement_of_nastran(name):
    """EXTSEOUT of NX Nastran 9, a run in pyYeti's test data: 24 boundary coordinates, one node turned, and modes."""
    pyyeti = pytest.importorskip("pyyeti")
    file = Path(pyyeti.__file__).parent / "tests" / "nas2cam_extseout" / f"{name}.op4"
    if not file.exists():
        pytest.skip("pyYeti without its test data")
    mass, centre, inertia = NASTRAN[name]
    read = read_matrices([file, file.with_suffix(".pch")])
    nodes = sorted({n for n, c in zip(read.node.tolist(), read.component, strict=True) if c})
    body = reduce_superelement(read, MatrixOptions({f"n{n}": (n,) for n in nodes}))
    assert body.mass == pytest.approx(mass, rel=1e-6)
    np.testing.assert_allclose(body.centre, centre, rtol=1e-6)
    np.testing.assert_allclose(np.diag(body.inertia), inertia, rtol=1e-6)


CALCULIX = Path(__file__).resolve().parents[1] / "extensions" / "formats" / "calculix"


def test_matrices_of_calculix_have_its_frequencies():
    """A free block of three C3D8: files of CalculiX 2.20's MATRIXSTORAGE, frequencies of its *FREQUENCY."""
    read = read_matrices([CALCULIX / name for name in ("block.sti", "block.mas", "block.inp")])
    ends = {"front": (4, 8, 12, 16), "rear": (1, 5, 9, 13)}
    body = reduce_superelement(read, MatrixOptions(ends, modes_up_to_hz=2000.0))
    np.testing.assert_allclose(body.frequency_hz[:3], [1212.645, 1293.686, 1366.583], rtol=1e-6)
    assert body.mass == pytest.approx(7850.0 * 1.2 * 0.2 * 0.3, rel=1e-9)
    np.testing.assert_allclose(body.centre, [0.6, 0.1, 0.15], atol=1e-9)


def test_a_substructure_of_calculix_is_a_free_body_without_mass():
    """Static condensation of a bar to the corners of its ends, `*SUBSTRUCTURE MATRIX OUTPUT` of CalculiX 2.20."""
    corners = [1, 3, 7, 9, 91, 93, 97, 99]
    at = {n: (2.0 * (n > 50), 0.2 * (n % 10 in (7, 9)), 0.2 * (n % 2 == 1 and n % 10 in (3, 9))) for n in corners}
    with pytest.raises(MeshError, match="no mass matrix .*CalculiX writes no mass of a substructure: read .sti and"):
        read_matrices([CALCULIX / "bar_sub.mtx"], places=at)


@pytest.fixture(scope="module")
def wheelset():
    """Coarse wheelset with its shapes on the mesh; control nodes off the lowest section."""
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=12))
    far = int(mesh.node_ids[np.argmin(np.linalg.norm(mesh.nodes - [0.2, -0.75, 0.3], axis=1))])
    return reduce_with_shapes(mesh, ReductionOptions(modes_up_to_hz=1500.0, control=(far, "web_fillet_right")))


def test_a_written_wheelset_is_that_of_its_mesh(wheelset, tmp_path):
    """Mass, modes, motion of journals, wheels, control nodes and treads under every mode, from its file."""
    body, shapes = wheelset
    write_matrices(tmp_path / "wheelset.nc", superelement_of(wheelset_with_places(body)))
    read = read_matrices([tmp_path / "wheelset.nc"])
    dense = [np.asarray(a) for a in (read.stiffness, read.mass)]
    value, vector = la.eigh(*dense)
    found = np.sqrt(np.abs(value[6:])) / (2 * np.pi)
    np.testing.assert_allclose(found, body.frequency_hz, rtol=1e-8)
    rigid = rigid_coordinates(read, np.zeros(3))
    np.testing.assert_allclose(rigid.T @ dense[1] @ rigid, _mass_matrix(body), atol=1e-9 * body.mass)
    modal, nodes = shapes.modes.shapes, shapes.mesh.nodes - shapes.origin
    to_mesh = np.abs(vector[:, 6:].T @ dense[1] @ vector[:, 6:]) > 0.5  # one mode each, in this order
    assert to_mesh.trace() == len(found)
    for point in read.points:
        row = np.argmin(np.linalg.norm(nodes - point.position, axis=1))
        away = np.linalg.norm(nodes[row] - point.position)
        moved = point.motion @ rigid
        np.testing.assert_allclose(moved, rigid_modes(point.position[None]), atol=1e-9)
        if away < 1e-9:  # a node of the mesh: whatever the basis, motion times motion over all modes
            own = point.motion @ vector[:, 6:]
            np.testing.assert_allclose(own @ own.T, modal[row] @ modal[row].T, atol=1e-8 * (own @ own.T).max())
    away = [np.linalg.norm(nodes - p.position, axis=1).min() for p in read.points]
    assert sum(a < 1e-9 for a in away) >= 2
    own = read.points[0].stress @ vector[:, 6:]
    row = np.argmin(np.linalg.norm(nodes - read.points[0].position, axis=1))
    rows = node_stress_rows(shapes.mesh, np.array([row]), FormulationOptions(), shapes.free)
    expected = (rows @ modal.reshape(-1, modal.shape[-1])).reshape(6, -1)
    np.testing.assert_allclose(own @ own.T, expected @ expected.T, atol=1e-6 * (expected @ expected.T).max())


def _mass_matrix(body):
    """(6, 6) about the origin of the body frame."""
    x, y, z = body.invariants.s_x
    first = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
    return np.block([[body.mass * np.eye(3), first], [first.T, body.inertia_about_origin]])


def test_reduce_writes_a_body_of_a_scenario_and_a_wheelset(tmp_path, capsys):
    path = write_wagon(tmp_path, 0.1)
    main(["reduce", str(path), "--write", str(tmp_path / "car.pch"), "--json", "-q"])
    told = json.loads(capsys.readouterr().out)
    assert told["mass_kg"] == pytest.approx(PANEL.density * LENGTH * WIDTH * HEIGHT)
    assert list(told["places_m"])[:2] == ["front_left", "front_right"] and "24 of front_left" in told["written"]
    body = fw.VehicleBody.from_files(tmp_path / "car.pch", attachments={"a": 1, "b": 4}, modes_up_to_hz=60.0)
    np.testing.assert_allclose(body.frequencies_hz[:3], told["frequencies_hz"][:3], rtol=1e-6)
    fw.Scenario.read(path).bodies["car_body"].write(tmp_path / "again.pch")
    assert (tmp_path / "again.pch").read_text() == (tmp_path / "car.pch").read_text()
    for words, message in (
        (["--of", "bogie"], "--of must name a flexible body or wheelset (car_body), got bogie"),
        (["--unit", "mm"], "--unit is an option of a mesh"),
        (["--write", str(tmp_path / "car.doc")], "is written as .nc"),
    ):
        with pytest.raises(SystemExit):
            main(["reduce", str(path), *words])
        assert message in capsys.readouterr().err
    mesh = EXAMPLES.parent / "meshes" / "wheelset_coarse.bdf"
    main(["reduce", str(mesh), "--write", str(tmp_path / "wheelset.inp"), "-q"])
    assert read_matrices([tmp_path / "wheelset.inp"]).attachments.keys() >= {"journal_left", "wheel_right"}


REFUSED = {
    "held": (lambda k, m, n: (k + 1e4 * np.eye(len(k)), m, n), "must be free"),
    "loose": (lambda k, m, n: (np.where(np.arange(len(k)) % 6 == 3, 0.0, k), m, n), "loose parts"),
    "massless": (lambda k, m, n: (k, 0.0 * m, n), "no mass to a rigid translation"),
    "uneven": (lambda k, m, n: (k, m * np.outer(*2 * [np.where(np.arange(len(k)) % 6 == 0, 0.5, 1.0)]), n), "must be"),
    "nan": (lambda k, m, n: (k * np.nan, m, n), "must be finite"),
    "small": (lambda k, m, n: (k[:6, :6], m[:6, :6], {3: n[3]}), "at least 7 coordinates"),
    "no place": (lambda k, m, n: (k, m, {key: n[key] for key in list(n)[3:]}), "no node 3|must be free"),
    "not square": (lambda k, m, n: (k[:, :-1], m, n), "must be 54 by 54"),
    "mechanism": (lambda k, m, n: (np.zeros_like(k), m, n), "loose parts|must be free"),
    "not symmetric": (lambda k, m, n: (k + np.triu(1e-3 * abs(k)), m, n), "must be symmetric"),
    "other size": (lambda k, m, n: (k, m[:-6, :-6], n), "mass matrix must be"),
}


@pytest.mark.parametrize("change, message", REFUSED.values(), ids=list(REFUSED))
def test_arrays_that_are_no_free_body_are_refused_in_one_line(tmp_path, change, message):
    stiffness, mass, nodes = change(*space_beam(8))
    with pytest.raises(MeshError, match=message) as told:
        fw.VehicleBody.from_arrays(tmp_path / "x.nc", stiffness, mass, nodes, attachments={"a": 3, "b": 7})
    assert "\n" not in str(told.value)
