"""Beams of decks on shells, solids, rigid sets and masses, in vehicles and from the command line; refusals."""

import json

import numpy as np
import pytest
import scipy.linalg as la
import wagon_case as wagon
from beam_decks import (
    DENSITY,
    RECT,
    STEEL,
    E,
    elements,
    free_hz,
    frequencies,
    line,
    nastran,
    read,
    straight,
    tip_motion,
)

import flexwheel as fw
from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.flexible_body import BodyOptions, reduce_body
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.statics import load_vector, static_solution
from flexwheel.face.cli import main

CALCULIX_RIB_HZ = (36.66077, 81.10459, 83.63539, 86.54562, 104.4735, 152.4431, 162.6615)


@pytest.mark.parametrize("kind", ["S4", "S8R"])
def test_a_rib_on_a_plate_of_shells(tmp_path, kind):
    count = (24, 16) if kind == "S8R" else (12, 8)
    x, y = np.linspace(0.0, 1.2, count[0] + 1), np.linspace(0.0, 0.8, count[1] + 1)
    number = lambda i, j: j * len(x) + i + 1  # noqa: E731
    around = [(0, 0), (1, 0), (1, 1), (0, 1)]
    if kind == "S8R":
        around = [(2 * i, 2 * j) for i, j in around] + [(1, 0), (2, 1), (1, 2), (0, 1)]
    step = 2 if kind == "S8R" else 1
    inside = {(1, 1)} if step == 2 else set()
    nodes = [
        f"{number(i, j)}, {u}, {v}, 0."
        for j, v in enumerate(y)
        for i, u in enumerate(x)
        if (i % step, j % step) not in inside
    ]
    starts = [(i, j) for j in range(0, count[1], step) for i in range(0, count[0], step)]
    shells = [f"{k}, " + ", ".join(str(number(i + a, j + b)) for a, b in around) for k, (i, j) in enumerate(starts, 1)]
    middle = count[1] // 2
    ribs = [
        f"{900 + i}, " + ", ".join(str(number(i + k, middle)) for k in range(step + 1))
        for i in range(0, count[0], step)
    ]
    text = ["*NODE", *nodes, f"*ELEMENT, TYPE={kind}, ELSET=P", *shells]
    text += [f"*ELEMENT, TYPE={'B32R' if step == 2 else 'B31'}, ELSET=B", *ribs, STEEL.strip()]
    text += ["*SHELL SECTION, ELSET=P, MATERIAL=S\n0.01"]
    text += ["*BEAM SECTION, ELSET=B, MATERIAL=S, SECTION=RECT, OFFSET2=0.6\n0.012, 0.05\n0., 1., 0.\n"]
    mesh = read(tmp_path, "\n".join(text))
    np.testing.assert_allclose(free_hz(mesh, 7), CALCULIX_RIB_HZ, rtol=0.0135)
    assert mass_properties(mesh).mass == pytest.approx(DENSITY * (1.2 * 0.8 * 0.01 + 1.2 * 0.012 * 0.05), rel=1e-12)


def test_rigid_sets_turn_the_ends_of_beams(tmp_path):
    """Two halves of a bar joined by a rigid set bend as one; so do they through a node between them."""
    section = RECT + "0.05, 0.03\n0., 1., 0.\n"
    whole = straight(8, section)
    cut = whole.replace("5, 5, 6", "5, 50, 6").replace("*ELEMENT", "50, 1., 0., 0.\n*ELEMENT", 1)
    with pytest.raises(MeshError, match="2 parts that share no node"):
        read(tmp_path, cut)
    joined = cut + "*NSET, NSET=J\n5, 50\n*RIGID BODY, NSET=J\n"
    np.testing.assert_allclose(free_hz(read(tmp_path, joined), 6), free_hz(read(tmp_path, whole), 6), rtol=1e-9)
    cards = [c.replace("CBAR,5,1,5,6", "CBAR,5,1,50,6") for c in elements("CBAR")]
    bar = ["PBARL,1,1,,BAR,,,,,\n,0.03,0.05", "GRID,50,,1.,0.,0.", *cards]
    same = read(tmp_path, nastran([*bar, "RBE2,9,5,123456,50"]), "a.bdf")
    np.testing.assert_allclose(free_hz(same, 6), free_hz(read(tmp_path, whole), 6), rtol=1e-9)
    chain = [
        *bar,
        "GRID,51,,1.,0.,0.",
        "GRID,52,,1.,0.,0.",
        "RBE2,9,5,123456,51",
        "RBE2,10,52,123456,50",
        "RBE2,11,51,123456,52",
    ]
    chain += ["CBAR,20,1,51,9,0.,1.,0.", "CBAR,21,1,52,9,0.,1.,0."]  # nodes of beams between, so that they count
    tied = read(tmp_path, nastran(chain), "a.bdf")
    assert len([t for t in tied.ties if len(t.nodes) == 16]) == 1  # four nodes and their frames
    through = ["GRID,60,,1.,3.,0.", "RBE2,9,60,123456,5", "RBE2,10,60,123456,50"]  # a node of no element between them
    same = read(tmp_path, nastran([*bar, *through]), "a.bdf")
    np.testing.assert_allclose(free_hz(same, 6), free_hz(read(tmp_path, whole), 6), rtol=1e-9)
    with pytest.raises(MeshError, match="RBE3 9: its node 60 follows a mean and RBE2 10 as well"):
        read(tmp_path, nastran([*bar, through[0], "RBE3,9,,60,123456,1.,123,3,4", ",5", through[2]]), "a.bdf")
    with pytest.raises(MeshError, match="RBE2 9 leaves the rotation of node 50 of a beam free: bind directions 1 to 6"):
        read(tmp_path, nastran([*bar, "RBE2,9,5,123,50"]), "a.bdf")


@pytest.mark.parametrize("join", ["*RIGID BODY, NSET=J", "*COUPLING, REF NODE=90, SURFACE=F\n*DISTRIBUTING", "RBE3"])
def test_a_beam_goes_on_where_solids_end(tmp_path, join):
    """Cantilever of 2 m of solids and 2 m of beams: deflection of one bar; solids whose ends are held in their width
    are stiffer by up to 1 %."""
    section = [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)]
    places = [(0.25 * k, *yz) for k in range(9) for yz in section] + [(2.0 + 0.5 * k, 0.0, 0.0) for k in range(5)]
    ids = [*range(1, 37), *range(90, 95)]
    solids = [[4 * k + j for j in (1, 2, 3, 4, 5, 6, 7, 8)] for k in range(8)]
    beams = [(90 + k, 91 + k) for k in range(4)]
    if join == "RBE3":
        text = ["BEGIN BULK", "MAT1,1,2.1+11,,.3,7850.", "PSOLID,1,1", "PBARL,2,1,,BAR,,,,,", ",0.2,0.2"]
        text += [f"GRID,{n},,{x},{y},{z}" for n, (x, y, z) in zip(ids, places, strict=True)]
        text += [f"CHEXA,{k},1,{','.join(map(str, r[:6]))}\n,{r[6]},{r[7]}" for k, r in enumerate(solids, 1)]
        text += [f"CBAR,{50 + k},2,{a},{b},0.,1.,0." for k, (a, b) in enumerate(beams)]
        text += ["RBE3,80,,90,123456,1.,123,33,34", ",35,36", "SET3,1,GRID,1,2,3,4", '$HMSET        1        1 "ROOT"']
        mesh = read(tmp_path, "\n".join([*text, "ENDDATA", ""]), "joined.bdf")
    else:
        text = ["*NODE", *(f"{n}, {x}, {y}, {z}" for n, (x, y, z) in zip(ids, places, strict=True))]
        text += ["*ELEMENT, TYPE=C3D8, ELSET=V", *(f"{k}, {', '.join(map(str, r))}" for k, r in enumerate(solids, 1))]
        text += ["*ELEMENT, TYPE=B31, ELSET=B", *(f"{50 + k}, {a}, {b}" for k, (a, b) in enumerate(beams))]
        text += ["*NSET, NSET=ROOT\n1, 2, 3, 4\n*NSET, NSET=J\n33, 34, 35, 36, 90\n*NSET, NSET=E\n33, 34, 35, 36"]
        text += ["*SURFACE, NAME=F, TYPE=NODE\nE", STEEL + "*SOLID SECTION, ELSET=V, MATERIAL=S"]
        mesh = read(tmp_path, "\n".join([*text, RECT + "0.2, 0.2\n0., 1., 0.", join + "\n"]))
    area, moment = 0.04, 0.2**4 / 12.0
    exact = 100.0 * (4.0**3 / (3.0 * E * moment) + 4.0 / (13.0 / 15.3 * E / 2.6 * area))
    assert tip_motion(mesh, 2, 94) == pytest.approx(exact, rel=1e-2)
    assert free_hz(mesh, 1)[0] > 1.0


def test_a_mass_at_a_node_turns_with_it(tmp_path):
    """Mass of 20 kg, then inertia of 3 kg m2, at the tip: Rayleigh's quotient of the deflection under the mass, which
    turns the tip by 3/2 of the deflection over the length, bounds from above."""
    text = straight(8, RECT + "0.05, 0.03\n0., 1., 0.\n")
    text += "*ELEMENT, TYPE=MASS, ELSET=M\n90, 9\n*MASS, ELSET=M\n20.\n"
    plain = frequencies(read(tmp_path, text), 2, "ROOT")
    moment = np.array([0.05**3 * 0.03, 0.03**3 * 0.05]) / 12.0
    stiffness, moved = 3.0 * E * moment[::-1] / 8.0, 20.0 + 33.0 / 140.0 * DENSITY * 3e-3
    approximate = np.sqrt(stiffness / moved) / (2.0 * np.pi)
    np.testing.assert_allclose(plain, approximate, rtol=2e-3)  # Rayleigh
    text += "*ELEMENT, TYPE=ROTARYI, ELSET=R\n91, 9\n*ROTARY INERTIA, ELSET=R\n3., 3., 3.\n"
    turned = frequencies(read(tmp_path, text), 2, "ROOT")
    approximate = np.sqrt(stiffness / (moved + 3.0 * (3.0 / 4.0) ** 2)) / (2.0 * np.pi)
    np.testing.assert_allclose(turned, approximate, rtol=1e-2)
    assert np.all(turned < approximate)


def test_a_frame_of_beams_is_reduced(tmp_path):
    """Ladder of two sills and four cross beams: free modes, attachments at single nodes that turn, unknown stress."""
    points = [(x, y, 0.0) for y in (-1.0, 1.0) for x in np.linspace(-3.0, 3.0, 7)]
    bars = [(k + 7 * s, k + 7 * s + 1) for s in (0, 1) for k in range(1, 7)] + [(k, k + 7) for k in (1, 3, 5, 7)]
    text = ["*NODE", *(f"{k}, {x}, {y}, {z}" for k, (x, y, z) in enumerate(points, 1)), "*ELEMENT, TYPE=B31, ELSET=B"]
    text += [f"{k}, {a}, {b}" for k, (a, b) in enumerate(bars, 1)]
    text += [f"*NSET, NSET=N{k}\n{k}" for k in (2, 6, 9, 13)]
    section = "*BEAM SECTION, ELSET=B, MATERIAL=S, SECTION=BOX\n0.1, 0.15, 0.008, 0.008, 0.008, 0.008\n"
    mesh = read(tmp_path, "\n".join([*text, STEEL + section]))
    options = BodyOptions({f"a{k}": f"N{k}" for k in (2, 6, 9, 13)}, {"middle": 4}, modes_up_to_hz=100.0)
    body = reduce_body(mesh, options)
    free = free_hz(mesh, 6)
    np.testing.assert_allclose(body.frequency_hz[: len(free[free < 100.0])], free[free < 100.0], rtol=1e-6)
    assert body.mass == pytest.approx(DENSITY * (0.1 * 0.15 - 0.084 * 0.134) * (2 * 6.0 + 4 * 2.0), rel=1e-12)
    assert np.abs(body.s_h).max() < 1e-9 * body.mass
    assert np.isnan(body.stress_rows).all() and np.isnan(body.stress_error).all()
    stiffness, _ = assemble(mesh)
    load = load_vector(mesh, [(2, 2, 1.0), (6, 2, -1.0), (9, 2, -1.0), (13, 2, 1.0)])
    rows = {int(i): k for k, i in enumerate(mesh.node_ids)}
    held = [3 * rows[4] + k for k in range(3)] + [3 * rows[11], 3 * rows[11] + 2, 3 * rows[5] + 2]
    moved = static_solution(mesh, stiffness, held, load)
    force = np.zeros((5, 6))
    force[:4, 2] = 1.0, -1.0, -1.0, 1.0
    modal = np.einsum("ac,ach->h", force, body.place_rows)
    energy = modal @ (modal / (2.0 * np.pi * body.frequency_hz) ** 2)
    assert energy == pytest.approx(load @ moved, rel=1e-6)


BEAM = straight(2, RECT + "0.05, 0.03\n")


def test_a_wagon_whose_body_is_a_beam(tmp_path, capsys):
    """The body of wagon_case.py as beams: first bending on its springs, sag at rest between them."""
    points = [(0.5 * k, 0.0, 0.0) for k in range(33)]
    steel = STEEL.replace("2.1E11, .3", "1.2E10, 0.").replace("7850.", "900.")
    sets = "*NSET, NSET=FRONT\n27\n*NSET, NSET=REAR\n7\n"
    text = line(points, RECT + f"{wagon.WIDTH}, {wagon.HEIGHT}\n0., 1., 0.\n", sets=sets).replace(STEEL, steel)
    body = '[body.car_body]\nmesh = "beam.inp"\nmodes_up_to_hz = 60.0\nattachment_reach_mm = 1500.0\n'
    body += 'control_nodes = [{ name = "middle", position_m = [8.0, 0.0, 0.0] }]\n'
    body += '[body.car_body.attachments]\nfront = "FRONT"\nrear = "REAR"\n'
    path = wagon.write_wagon(tmp_path, 0.5, body=body)
    (tmp_path / "beam.inp").write_text(text)
    main(["eigen", str(path), "--speeds-kmh", "20", "--no-critical", "--json"])
    (found,) = json.loads(capsys.readouterr().out)["oscillations"]
    bending = [label.startswith("car_body mode 1 ") for label in found["dominant"]].index(True)
    stiffness, mass, ends, middle = wagon.on_springs()
    expected = np.sqrt(la.eigh(stiffness, mass, eigvals_only=True)[2]) / (2 * np.pi)
    assert found["frequency_hz"][bending] == pytest.approx(expected, rel=2e-3)  # wheels on the rails give way
    results = fw.run(str(path))
    moved = results.body_point_displacement.isel(time=-1).sel(axis="z").values
    weight = np.zeros(len(mass))
    weight[::2] = -9.80665
    rest = np.linalg.solve(stiffness, mass @ weight)
    assert moved[:2].mean() - moved[2] == pytest.approx(rest[ends].mean() - rest[middle], rel=1e-2)
    assert np.isnan(results.body_point_stress.isel(time=-1).sel(body_point="car_body middle")).all()


def test_a_cantilever_from_the_command_line(tmp_path, capsys):
    """--clamp of a coordinate holds a node of beams with its rotation; reactions; stress that is not known."""
    path = tmp_path / "beam.inp"
    path.write_text(straight(4, RECT + "0.05, 0.03\n0., 1., 0.\n"))
    main(["static", str(path), "--clamp", "x=0", "--load", "5:z:100", "--json"])
    found = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(found["reactions_n"], [0.0, 0.0, -100.0], atol=1e-6)
    exact = 100.0 * 8.0 / (3.0 * E * 0.05 * 0.03**3 / 12.0)
    assert found["displacements_m"][4][2] == pytest.approx(exact, rel=1e-3)
    assert set(found["von_mises_pa"]) == {None}
    main(["modes", str(path), "--clamp", "x=0", "--count", "2", "--json"])
    found = json.loads(capsys.readouterr().out)
    exact = 1.8751040687**2 / (8.0 * np.pi) * np.sqrt(E / DENSITY / 12.0) * np.array([0.03, 0.05])
    np.testing.assert_allclose(found["frequencies_hz"], exact, rtol=1e-3)
    assert found["unknowns"] == 24


def test_a_post_that_nothing_holds_about_its_line_is_refused(tmp_path):
    """Shells do not hold the turn about their normal."""
    nodes = [f"{5 * j + i + 1}, {0.25 * i}, {0.25 * j}, 0." for j in range(5) for i in range(5)]
    shells = [f"{k + 1}, {k + 1}, {k + 2}, {k + 7}, {k + 6}" for k in range(20) if k % 5 < 4]
    text = ["*NODE", *nodes, "40, .5, .5, .5", "*ELEMENT, TYPE=S4, ELSET=P", *shells]
    text += ["*ELEMENT, TYPE=B31, ELSET=B\n50, 13, 40\n*NSET, NSET=A\n1, 2, 6\n*NSET, NSET=J\n40, 12, 13, 14, 18"]
    text += [STEEL + "*SHELL SECTION, ELSET=P, MATERIAL=S\n.01\n" + RECT + ".03, .02\n1., 0., 0.\n"]
    with pytest.raises(MeshError, match=r"moves freely.* \(a hinge.*: hold it by a rigid set"):
        reduce_body(read(tmp_path, "\n".join(text)), BodyOptions({"a": "A"}))
    held = "\n".join(text).replace("50, 13, 40", "50, 13, 40\n51, 40, 18")  # a strut
    assert reduce_body(read(tmp_path, held), BodyOptions({"a": "A"})).frequency_hz[0] > 1.0


CORNERS = "2. 0. 0., 3. 0. 0., 3. 1. 0., 2. 1. 0., 2. 0. 1., 3. 0. 1., 3. 1. 1., 2. 1. 1.".split(",")
SOLID = "*NODE\n" + "".join(f"{k}, {', '.join(x.split())}\n" for k, x in enumerate(CORNERS, 21))
SOLID += "*ELEMENT, TYPE=C3D8, ELSET=V\n50, 21, 22, 23, 24, 25, 26, 27, 28\n*SOLID SECTION, ELSET=V, MATERIAL=S\n"
REFUSED = {
    "hinge": (BEAM.replace("2, 2, 3", "2, 2, 21") + SOLID, r"\*BEAM SECTION \(1, .*node 21 of a solid as in a hinge"),
    "circle": (BEAM.replace("RECT\n0.05, 0.03", "CIRC\n0.05"), "a radius to Abaqus and a diameter to CalculiX"),
    "sizes": (BEAM.replace("0.05, 0.03", "0.05, -0.03"), "SECTION=RECT must have positive sizes"),
    "along": (BEAM + "1., 0., 0.\n", "beam 1 runs along the direction of its section"),
    "shape": (BEAM.replace("RECT\n0.05, 0.03", "TRAPEZOID\n.1, .1, .1, .1"), r"\*BEAM SECTION"),
    "length": (BEAM.replace("2, 1, 0, 0", "2, 0, 0, 0"), "beam 1 has no length"),
    "equation": (BEAM + "*EQUATION\n2\n1, 3, 1., 2, 3, -1.\n", "node of a beam, which cannot follow"),
    "node": (BEAM.replace("2, 2, 3", "2, 2, 31"), "beam 2 names node 31, which is not defined"),
    "material": (BEAM.replace("*DENSITY\n7850.\n", ""), "have no material"),
}


@pytest.mark.parametrize("text, message", REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_read_is_refused(tmp_path, text, message):
    with pytest.raises(MeshError, match=message):
        read(tmp_path, text)


REFUSED_NASTRAN = {
    "pins": (elements("CBAR", "0.,1.,0.,,\n,4,4"), "beam 1: its pins leave it loose"),
    "flags": (elements("CBAR", "0.,1.,0.,,\n,457"), "CBAR 1: pin flags must be of 1 to 6, got 457"),
    "axes": (elements("CBAR", "0.,1.,0.,BGG"), "OFFT or BIT BGG"),
    "direction": (elements("CBAR", ""), "without an orientation vector"),
    "shape": (["PBARL,1,1,,HAT,,,,,\n,.1,.01,.1,.1", *elements("CBAR")], "of shape HAT"),
    "taper": (
        ["PBEAM,1,1,3.-3,2.-6,6.-6,,5.-6\n,\n,YES,1.,2.-3,2.-6,6.-6,,5.-6\n,", *elements("CBEAM")],
        "changes along it",
    ),
    "torsion": (["PBAR,1,1,3.-3,2.-6,6.-6", *elements("CBAR")], "torsion constant must be positive, got 0"),
    "defaults": (["BAROR,,,,,0.,1.,0.", *elements("CBAR")], "BAROR"),
}


@pytest.mark.parametrize("cards, message", REFUSED_NASTRAN.values(), ids=list(REFUSED_NASTRAN))
def test_what_cannot_be_read_of_nastran_is_refused(tmp_path, cards, message):
    whole = cards if cards[0].startswith("P") else ["PBAR,1,1,3.-3,2.-6,6.-6,5.-6", *cards]
    with pytest.raises(MeshError, match=message):
        read(tmp_path, nastran(whole), "beam.bdf")
