"""Flexible bodies of a vehicle against the whole mesh on springs, beam theory, and the rigid body."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg as la
from wagon_case import (
    ATTACHMENTS,
    BASE,
    BODY,
    HEIGHT,
    LENGTH,
    PANEL,
    WIDTH,
    beam_acceleration,
    beam_mesh,
    on_springs,
    write_frame,
    write_wagon,
)

import flexwheel as fw
from flexwheel.base.errors import FlexwheelError, MeshError
from flexwheel.base.gravity import GRAVITY
from flexwheel.body.assembly import assemble
from flexwheel.body.body_cache import cached_flexible
from flexwheel.body.eigen import natural_modes
from flexwheel.body.flexible_body import BodyOptions, reduce_body
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.interfaces import interface_of
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import read_mesh
from flexwheel.face.cli import main
from flexwheel.run.summary import _point_lines
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OPTIONS = BodyOptions({name: name for name in ATTACHMENTS}, modes_up_to_hz=60.0)


@pytest.fixture(scope="module")
def mesh():
    return beam_mesh(replace(PANEL, poissons_ratio=0.3))


@pytest.fixture(scope="module")
def body(mesh):
    return reduce_body(mesh, OPTIONS)


def test_frequencies_on_springs_are_those_of_the_whole_mesh_on_springs(mesh, body):
    """Springs of 1 and 3 MN/m and 50 kN m/rad at every attachment; modes up to where the basis ends."""
    spring = np.diag([1e6, 1e6, 3e6, 5e4, 5e4, 5e4])
    count = len(body.frequency_hz)
    k, m = np.zeros((2, 6 + count, 6 + count))
    m[:3, :3], m[3:6, 3:6], m[6:, 6:] = body.mass * np.eye(3), body.inertia, np.eye(count)
    k[6:, 6:] = np.diag((2 * np.pi * body.frequency_hz) ** 2)
    for place, rows in zip(body.place, body.place_rows, strict=True):
        x, y, z = place
        arm = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
        g = np.hstack([np.block([[np.eye(3), arm], [np.zeros((3, 3)), np.eye(3)]]), rows])
        k += g.T @ spring @ g
    found = np.sqrt(la.eigh(k, m, eigvals_only=True)) / (2 * np.pi)
    stiffness, mass = assemble(mesh, OPTIONS.formulation)
    whole = stiffness.tolil()
    for name in ATTACHMENTS:
        patch = interface_of(mesh, name, mesh.node_sets[name])
        dofs = (3 * patch.nodes[:, None] + np.arange(3)).ravel()
        whole[np.ix_(dofs, dofs)] += patch.average.T @ spring @ patch.average
    expected = natural_modes(whole.tocsr(), mass, 14)[0]
    within = expected < 60.0
    assert within.sum() > 10
    np.testing.assert_allclose(found[: within.sum()], expected[within], rtol=1e-6)


def test_a_basis_holds_all_modes_below_a_low_frequency(mesh):
    """Of which there is one, far below most of the mesh's."""
    body = reduce_body(mesh, replace(OPTIONS, modes_up_to_hz=12.0))
    expected = natural_modes(*assemble(mesh, OPTIONS.formulation), 8)[0]
    assert expected[6] < 12.0 < expected[7]
    np.testing.assert_allclose(body.frequency_hz[0], expected[6], rtol=1e-6)


def test_mass_and_inertia_are_those_of_the_box(body):
    mass = PANEL.density * LENGTH * WIDTH * HEIGHT
    of = lambda a, b: mass * (a * a + b * b) / 12.0  # noqa: E731
    assert body.mass == pytest.approx(mass, rel=1e-9)
    np.testing.assert_allclose(
        np.diag(body.inertia), [of(WIDTH, HEIGHT), of(LENGTH, HEIGHT), of(LENGTH, WIDTH)], rtol=1e-9
    )
    assert np.abs(body.s_h).max() < 1e-9 * np.sqrt(mass)
    turned = np.stack([body.p_xh[a, b] - body.p_xh[b, a] for a, b in ((0, 1), (1, 2), (2, 0))])
    assert np.abs(turned).max() < 1e-8 * np.sqrt(mass) * LENGTH  # no mode turns the body


def test_bending_and_torsion_of_the_shipped_car_body_are_those_of_calculix():
    """CalculiX 2.20, C3D20R, free; every hexahedron of the first shipped mesh (52 along, 8 by 6 in the walls) cut into
    eight; halving changed these by 0.1 %. Run 2026-11-26."""
    mesh, _ = read_mesh(EXAMPLES.parent / "meshes" / "car_body.inp")
    stiffness, mass = assemble(mesh, FormulationOptions())
    frequency, shapes = natural_modes(stiffness, mass, 20)[:2]
    x, y, z = (mesh.nodes - mesh.nodes.mean(axis=0)).T
    still, half_wave = np.zeros_like(x), np.sin(np.pi * x / np.ptp(x))
    twist = np.stack([still, -z * half_wave, y * half_wave], axis=1).ravel()
    share = (shapes.T @ (mass @ twist)) ** 2
    assert frequency[6] == pytest.approx(10.84606, rel=0.01)  # bending in the vertical plane
    assert frequency[7] == pytest.approx(12.05707, rel=0.01)  # in the horizontal
    assert frequency[6 + np.argmax(share[6:])] == pytest.approx(27.56522, rel=0.01)


def test_a_body_comes_back_from_the_cache(mesh, body, tmp_path):
    first, second = (cached_flexible(mesh, OPTIONS, "body", folder=tmp_path) for _ in range(2))
    assert len(list(tmp_path.glob("*.npz"))) == 1
    np.testing.assert_array_equal(first.place_rows, second.place_rows)
    assert second.place_name == body.place_name and second.audit == first.audit


@pytest.mark.parametrize("frequency", [8.0, 9.0])
def test_bending_in_a_run_is_that_of_a_beam(tmp_path, frequency):
    """First bending at 8.8 Hz; a sine of the rails below and at it. Asked for: 2 %."""
    results = fw.run(str(write_wagon(tmp_path, 9.0, frequency)))
    late = results.isel(time=results.time > 7.0)
    t = 2 * np.pi * frequency * late.time.values
    basis = np.stack([np.cos(t), np.sin(t), np.ones_like(t)], axis=1)
    for name, place in (("middle", 8.0), ("seat", 10.5)):
        values = late.body_point_acceleration.sel(body_point=f"car_body {name}", axis="z").values
        cosine, sine, mean = np.linalg.lstsq(basis, values, rcond=None)[0]
        assert np.hypot(cosine, sine) == pytest.approx(beam_acceleration(frequency, place), rel=0.02), name
        assert mean == pytest.approx(GRAVITY, rel=1e-3)


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    """A run on smooth rails."""
    path = write_wagon(tmp_path_factory.mktemp("wagon"), 1.0)
    return path, fw.run(str(path))


def test_sag_and_stress_at_rest_are_those_of_a_beam(standing):
    """Beam on two supports with overhangs under its weight: Roark's Formulas, and shear."""
    _, results = standing
    moved = results.body_point_displacement.isel(time=-1).sel(axis="z")
    w, inner, over = PANEL.density * GRAVITY * WIDTH * HEIGHT, BASE, 0.5 * (LENGTH - BASE)
    flexural = PANEL.youngs_modulus * WIDTH * HEIGHT**3 / 12.0
    sag = w * inner**2 * (5 * inner**2 - 24 * over**2) / (384 * flexural)
    sag += w * inner**2 / 8.0 / (5.0 / 6.0 * 0.5 * PANEL.youngs_modulus * WIDTH * HEIGHT)
    held = moved[:4].mean() - moved.sel(body_point="car_body middle")
    assert float(held) == pytest.approx(sag, rel=0.02)
    moment = w * (inner**2 / 8.0 - over**2 / 2.0)
    stress = results.body_point_stress.isel(time=-1).sel(body_point="car_body middle", stress_component="xx")
    assert float(stress) == pytest.approx(-moment * 0.5 * HEIGHT * 12.0 / (WIDTH * HEIGHT**3), rel=0.02)


def test_stress_at_control_nodes_carries_its_error(standing):
    """In the results, not a number at attachments; the summary marks what the mesh does not hold."""
    results = standing[1]
    error = results.body_point_stress_error
    assert np.isnan(error.values[:4]).all() and (error.values[4:] > 0.0).all()
    assert float(results.body_point_stress_corner.max()) == 0.0
    shaken = results.assign_coords(body_point_stress_error=("body_point", [np.nan] * 4 + [0.2, 0.01]))
    lines = _point_lines(shaken)
    assert lines[1].startswith("car_body middle") and lines[1].endswith("mesh error about 20 %")
    assert lines[2].startswith("car_body seat") and "error" not in lines[2] and len(lines) == 4


def test_eigen_finds_bending_on_springs(standing, capsys):
    main(["eigen", str(standing[0]), "--speeds-kmh", "20", "--no-critical", "--json"])
    (found,) = json.loads(capsys.readouterr().out)["oscillations"]
    bending = [label.startswith("car_body mode 1 ") for label in found["dominant"]].index(True)
    stiffness, mass, _, _ = on_springs()
    expected = np.sqrt(la.eigh(stiffness, mass, eigvals_only=True)[2]) / (2 * np.pi)
    assert found["frequency_hz"][bending] == pytest.approx(expected, rel=0.01)


def test_energy_is_accounted_for(tmp_path):
    path = write_wagon(tmp_path, 1.5, 9.0)
    path.write_text(path.read_text() + '[output]\nalso = ["energy"]\n')
    results = fw.run(str(path))
    assert float(results.energy_modes.max()) > 40.0
    assert float(np.abs(results.energy_residual).max()) < 1e-3 * float(results.energy_lost_dampers[-1])


def test_car_body_and_frames_flexible_in_one_coach(tmp_path):
    """Springs, dampers, bars and stops between flexible bodies: the energy of all is accounted for."""
    sets = write_frame(tmp_path)
    text = (EXAMPLES / "manchester_car_body.toml").read_text(encoding="utf-8")
    text = text.replace("../meshes", (EXAMPLES.parent / "meshes").as_posix()).replace("step_s = 5e-4", "step_s = 1e-4")
    text = text.replace("duration_s = 8.0", "duration_s = 0.6").replace(
        "[assumed]", '[output]\nalso = ["energy"]\n[assumed]'
    )
    for bogie in ("front_bogie", "rear_bogie"):
        text += f'\n[body.{bogie}]\nmesh = "frame.inp"\nmodes_up_to_hz = 200.0\nattachment_reach_mm = 600.0\n'
        text += f"[body.{bogie}.attachments]\n" + "".join(f'{name.lower()} = "{name}"\n' for name in sets)
    (tmp_path / "coach.toml").write_text(text, encoding="utf-8")
    results = fw.run(str(tmp_path / "coach.toml"))
    assert results.attrs["complete"] and results.attrs["steps_not_converged"] == 0
    assert {str(name).split()[0] for name in results.body_point.values} == {"car_body", "front_bogie", "rear_bogie"}
    assert float(results.energy_modes[0]) > 50.0  # [J] they carry the weight
    lost = float(results.energy_lost_dampers[-1] + results.energy_lost_creep[-1])
    assert float(np.abs(results.energy_residual).max()) < 1e-3 * lost


def test_a_stiff_body_is_a_rigid_one(tmp_path):
    stiff = Material(2e12, 0.0, PANEL.density, "PANEL")
    runs = [fw.run(str(write_wagon(tmp_path, 1.0, 3.0, body, stiff))) for body in (BODY, "")]
    force, rigid = (r.wheel_force.sel(force="Q").values for r in runs)
    assert np.abs(force - rigid).max() < 3e-3 * np.ptp(rigid)  # bending at 113 Hz: (3 / 113)^2, twice


WRONG = {
    "body": (("[body.car_body", "[body.car"), r"body\.car must name a body of the vehicle Wagon \(car_body\)"),
    "set": (('"REAR_LEFT"', '"REAR"'), "has no node set 'REAR'"),
    "node": (("position_m = [8.0, 1.2, 0.6]", "id = 99999"), "the mesh has no node 99999"),
    "step": (("step_s = 2e-4", 'step_s = 2e-4\nintegrator = "dormand_prince"'), "the explicit step has rigid bodies"),
    "reach": (
        ('rear_left = "REAR_LEFT"\n', ""),
        r"primary rear left takes hold of the flexible body car_body at \(.*\) m from its mass centre, 1800 mm from "
        r"the nearest attachment \(rear_right\), expected at most 50 mm \(body\.car_body\.attachment_reach_mm\)",
    ),
}


@pytest.mark.parametrize("change, message", WRONG.values(), ids=list(WRONG))
def test_what_does_not_fit_is_refused_in_one_line(tmp_path, change, message):
    path = write_wagon(tmp_path, 0.1)
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(FlexwheelError, match=message):
        fw.run(str(path))


def test_a_point_as_attachment_moves_with_its_node_and_turns_with_the_elements_around(mesh):
    """Under a unit wrench: the motion of the node, the work of the wrench; a face of the same place turns alike."""
    x, y, z = (mesh.nodes - [0.5 * LENGTH, 0.5 * WIDTH, 0.0]).T
    corner = np.flatnonzero((x == x.max()) & (y == 0.0) & (z == 0.0))
    face = np.flatnonzero(x == x.max())
    sets = mesh.node_sets | {"POINT": corner, "FACE": face, "LINE": np.flatnonzero((x == x.min()) & (z == 0.0))}
    names = {name: name for name in (*ATTACHMENTS, "POINT", "FACE", "LINE")}
    node = int(mesh.node_ids[corner[0]])
    body = reduce_body(replace(mesh, node_sets=sets), BodyOptions(names, {"node": node}, modes_up_to_hz=60.0))
    at = {name: body.place_rows[k] for k, name in enumerate(body.place_name)}
    np.testing.assert_allclose(at["POINT"][:3], at["node"][:3], atol=1e-12)
    low = body.frequency_hz < 60.0
    np.testing.assert_allclose(at["POINT"][3:5, low], at["FACE"][3:5, low], atol=0.02 * np.abs(at["FACE"][3:5]).max())
    assert np.all(np.isfinite(at["LINE"])) and np.abs(body.s_h).max() < 1e-9 * np.sqrt(body.mass)
    said = [line for line in body.audit if "is no face" in line]
    assert len(said) == 2 and said[0].startswith("WARNING: attachment POINT")
    with pytest.raises(MeshError, match="attachment POINT: 1 nodes .* cannot be turned as a rigid body: take"):
        reduce_body(replace(mesh, node_sets=sets), BodyOptions({"POINT": "POINT"}, coupling="rigid"))


def test_stress_of_a_point_is_that_of_a_free_surface(mesh):
    """On the roof nothing acts along z; the middle between the attachments is no corner and bends as a beam."""
    x, y, z = mesh.nodes.T
    roof = int(np.argmin(np.abs(x - x.mean()) + np.abs(y - y.mean()) - 10.0 * z))
    body = reduce_body(mesh, replace(OPTIONS, points={"roof": int(mesh.node_ids[roof])}))
    rows = np.abs(body.stress_rows[0]).max(axis=1)
    assert rows[[2, 4, 5]].max() < 1e-9 * rows[0] and rows[0] == rows.max()


def test_a_point_whose_stress_has_no_limit_is_told_of():
    wheelset = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=8))
    place = wheelset.nodes - [0.0, 0.63, -0.08]
    corner = int(wheelset.node_ids[np.argmin(np.linalg.norm(place, axis=1))])
    sets = {name: name for name in ("AXLE_BOX_LEFT", "AXLE_BOX_RIGHT")}
    body = reduce_body(wheelset, BodyOptions(sets, {"seat": corner}, modes_up_to_hz=200.0))
    (line,) = (line for line in body.audit if line.startswith("WARNING"))
    assert line.startswith("WARNING: point seat: a corner of") and "no limit" in line
    assert body.corner[0] > 0.0 and np.isfinite(body.stress_error[0])
