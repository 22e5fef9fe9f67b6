"""Press fits: pressure and hoop stress by Lame's solution, contact pairs held as ties, prestress of a reduced wheelset.

Lame, thick cylinders in plane stress: Timoshenko, Strength of Materials II, 1956, article 42.
"""

import json

import numpy as np
import pytest
from assembly_deck import STEEL, assembly_deck, ring, sides

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.free_surface import free_surface
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.press_fit import PressFit, press_fits
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.stress import nodal_stress
from flexwheel.face.cli import main

BORE, SEAT, HUB = 0.03, 0.09, 0.18  # [m] radii
OVERLAP = 1e-4  # [m]
TIE = "*TIE, NAME=SEAT, POSITION TOLERANCE=0.003\nB1, S0\n"
PAIR = "*CONTACT PAIR, INTERACTION=DRY\nB1, S0\n"


def lame():
    """Contact pressure and hoop stress of the hub at its bore [Pa]; one modulus of both."""
    inner = (SEAT**2 + BORE**2) / (SEAT**2 - BORE**2)
    outer = (HUB**2 + SEAT**2) / (HUB**2 - SEAT**2)
    pressure = 2.1e11 * OVERLAP / (SEAT * (inner + outer))
    return pressure, pressure * outer


def deck(tmp_path, counts, quadratic, held=TIE, length=0.05):
    lines = []
    for k, (inner, outer) in enumerate(((BORE, SEAT), (SEAT, HUB))):
        nodes, rows = ring(inner, outer, -length, length, counts[k], quadratic)
        lines += ["*NODE", *table(nodes, 10000 * k), f"*ELEMENT, TYPE=C3D{rows.shape[1]}, ELSET=E{k}"]
        lines += table(rows + 10000 * k + 1, 10000 * k)
        for label, chosen in zip(("BORE", "SKIN"), sides(nodes, rows), strict=True):
            lines += [f"*ELSET, ELSET={label}{k}", *map(str, chosen + 10000 * k + 1)]
        lines += [f"*SURFACE, NAME=B{k}", f"BORE{k}, S6", f"*SURFACE, NAME=S{k}", f"SKIN{k}, S4"]
        lines += [f"*SOLID SECTION, ELSET=E{k}, MATERIAL=STEEL"]
    path = tmp_path / "fit.inp"
    path.write_text("\n".join([*lines, STEEL + held]))
    return path


def table(rows, base):
    for number, row in enumerate(rows.tolist(), base + 1):
        words = [str(number), *map(repr, row)]
        yield ",\n".join(", ".join(words[k : k + 10]) for k in range(0, len(words), 10))


def fitted(path, interference=OVERLAP):
    mesh = read_mesh(path)[0]
    return mesh, press_fits(mesh, assemble(mesh, FormulationOptions())[0], [PressFit("SEAT", interference)])


@pytest.mark.parametrize(
    "counts, quadratic",
    [(((24, 4, 2), (24, 4, 2)), False), (((20, 2, 2), (24, 3, 3)), True)],
    ids=["equal linear meshes", "quadratic meshes that do not match"],
)
def test_pressure_and_hoop_stress_are_those_of_lame(tmp_path, counts, quadratic):
    mesh, found = fitted(deck(tmp_path, counts, quadratic))
    pressure, hoop = lame()
    assert found.mean["SEAT"] == pytest.approx(pressure, rel=0.03)
    at = mesh.nodes[found.nodes["SEAT"]]
    angle = np.arctan2(at[:, 2], at[:, 0])
    along = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    stress = nodal_stress(mesh, found.displacement.ravel())[found.nodes["SEAT"]]
    own = stress[:, 0] * along[:, 0] ** 2 + stress[:, 2] * along[:, 1] ** 2
    own += 2 * stress[:, 5] * along[:, 0] * along[:, 1]
    assert own.mean() == pytest.approx(hoop, rel=0.05)


def test_a_fit_leaves_no_force_on_the_body_and_grows_with_its_interference(tmp_path):
    path = deck(tmp_path, ((16, 2, 2), (20, 2, 2)), False)
    mesh, found = fitted(path)
    force = (assemble(mesh, FormulationOptions())[0] @ found.displacement.ravel()).reshape(-1, 3)
    assert np.abs(force.sum(axis=0)).max() < 1e-6 * np.abs(force).max()
    assert fitted(path, 2 * OVERLAP)[1].mean["SEAT"] == pytest.approx(2 * found.mean["SEAT"], rel=1e-6)


def test_the_coarser_surface_first_is_refused(tmp_path):
    with pytest.raises(MeshError, match="name the finer surface first"):
        fitted(deck(tmp_path, ((48, 2, 4), (16, 2, 2)), False))


def test_a_fit_of_no_tie_is_refused(tmp_path):
    mesh = read_mesh(deck(tmp_path, ((8, 1, 1), (8, 1, 1)), False))[0]
    with pytest.raises(MeshError, match=r"no tie of the mesh is called 'HUB'; its ties: SEAT \(B1/S0\)"):
        press_fits(mesh, assemble(mesh, FormulationOptions())[0], [PressFit("HUB", 1e-4)])


def test_a_contact_pair_is_refused_or_held_by_name(tmp_path):
    path = deck(tmp_path, ((16, 2, 2), (20, 2, 2)), False, PAIR)
    with pytest.raises(
        MeshError, match=r'\*CONTACT PAIR .* press_fits = \[\{ pair = "B1/S0", interference_mm = 0 \}\]'
    ):
        read_mesh(path)
    tied, held = read_mesh(path, tied=["b1/s0"])[0].ties[0], fitted(deck(tmp_path, ((16, 2, 2), (20, 2, 2)), False))
    np.testing.assert_array_equal(tied.nodes, held[0].ties[0].nodes)


def test_static_prints_the_pressure(tmp_path, capsys):
    path = str(deck(tmp_path, ((24, 4, 2), (24, 4, 2)), False, PAIR))
    main(["static", path, "--fit", "B1/S0:0.1", "--node", "1", "--json"])
    result = json.loads(capsys.readouterr().out)
    (fit,) = result["press_fits"]
    assert fit["pressure_pa"] == pytest.approx(lame()[0], rel=0.03)
    assert result["von_mises_pa"][0] > 0.5 * lame()[0]


def test_a_reduced_wheelset_keeps_its_prestress(tmp_path):
    path = tmp_path / "wheelset.inp"
    path.write_text(assembly_deck(quadratic=False))
    mesh = read_mesh(path)[0]
    web = int(np.argmin(np.linalg.norm(mesh.nodes - [0.0, 0.685, -0.2], axis=1)))
    options = ReductionOptions(
        modes_up_to_hz=200.0,
        interfaces=("JOURNAL_LEFT", "JOURNAL_RIGHT"),
        control=(int(mesh.node_ids[web]),),
        press_fits=tuple(PressFit(f"WHEEL-{k}", 1.2e-4) for k in (1, 2)),
    )
    body = reduce_wheelset(mesh, options)
    found = press_fits(mesh, assemble(mesh, FormulationOptions())[0], options.press_fits)
    expected = free_surface(mesh).applied(nodal_stress(mesh, found.displacement.ravel()))[web]
    home = body.control.prestress[0, body.control.home[0]]
    assert abs(home[1]) < 1e-6 * abs(home[[0, 2]]).max()  # normal to the free face of the web
    assert home[[0, 2]].sum() == pytest.approx(expected[[0, 2]].sum(), rel=1e-6)  # no turn of axes changes it
    assert any("press fit WHEEL-1: contact pressure" in line for line in body.audit)
