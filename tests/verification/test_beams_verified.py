"""Beams of decks: frequencies and deflections against exact solutions and solids of CalculiX, mass to rounding, the
same frame in both languages, beams on shells and rigid sets, refusals."""

import json

import numpy as np
import pytest
import scipy.linalg as la
import wagon_case as wagon
from mass_of_matrix import mass_properties as of_matrix

import flexwheel as fw
from flexwheel.assess.node_selection import clamped_dofs
from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.flexible_body import BodyOptions, reduce_body
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.place_wheelset import place_wheelset
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.statics import load_vector, static_solution
from flexwheel.body.ties import free_coordinates, held_columns, held_together
from flexwheel.face.cli import main

E, NU, DENSITY = 2.1e11, 0.3, 7850.0
STEEL = "*MATERIAL, NAME=S\n*ELASTIC\n2.1E11, .3\n*DENSITY\n7850.\n"
RECT = "*BEAM SECTION, ELSET=B, MATERIAL=S, SECTION=RECT\n"


def line(points, section, kind="B31", sets="", tail=""):
    """Deck of beams along points, three to a B32."""
    step = 2 if kind.startswith("B32") else 1
    text = ["*NODE", *(f"{k}, {x:.12g}, {y:.12g}, {z:.12g}" for k, (x, y, z) in enumerate(points, 1))]
    text.append(f"*ELEMENT, TYPE={kind}, ELSET=B")
    for number, first in enumerate(range(1, len(points), step), 1):
        text.append(f"{number}, " + ", ".join(str(first + k) for k in range(step + 1)))
    return "\n".join([*text, f"*NSET, NSET=TIP\n{len(points)}\n*NSET, NSET=ROOT\n1\n{sets}" + STEEL + section + tail])


def straight(count, section, length=2.0, **more):
    return line([(length * k / count, 0.0, 0.0) for k in range(count + 1)], section, **more)


def read(tmp_path, text, name="beam.inp"):
    (tmp_path / name).write_text(text)
    return read_mesh(tmp_path / name)[0]


def frequencies(mesh, count, held=None):
    stiffness, mass = assemble(mesh, FormulationOptions())
    recover = free_coordinates(mesh)
    columns = None if held is None else held_columns(mesh, recover, clamped_dofs(mesh, [held]))[0]
    return natural_modes(*(held_together(recover, a) for a in (stiffness, mass)), count, columns)[0]


def free_hz(mesh, count):
    found = frequencies(mesh, count + 6)
    assert found[5] < 1e-3 * found[6]
    return found[6:]


def tip_motion(mesh, axis, node):
    stiffness, _ = assemble(mesh, FormulationOptions())
    moved = static_solution(mesh, stiffness, clamped_dofs(mesh, ["ROOT"]), load_vector(mesh, [(node, axis, 100.0)]))
    return moved.reshape(-1, 3)[list(mesh.node_ids).index(node), axis]


def in_plane(first, second, inner=(0.0, 0.0)):
    """Area, second moments by the first and second direction of a hollow rectangle."""
    area = first * second - inner[0] * inner[1]
    return area, *(
        (a**3 * b - c**3 * d) / 12.0 for a, b, c, d in ((first, second, *inner), (second, first, *inner[::-1]))
    )


SECTIONS = {  # card and sizes; area, second moments; torsion constant; shear coefficient along the second direction
    "RECT": ("BEAM SECTION, SECTION=RECT", "0.03, 0.05", in_plane(0.03, 0.05), 0.2817325e-6, 13.0 / 15.3),
    "CIRC": (
        "BEAM SECTION, SECTION=CIRC",
        "0.04, 0.04",
        (np.pi * 4e-4, *(np.pi * 0.02**4 / 4.0,) * 2),
        np.pi * 0.02**4 / 2.0,
        7.8 / 8.8,
    ),
    "PIPE": (
        "BEAM GENERAL SECTION, SECTION=PIPE",
        "0.05, 0.006",
        (np.pi * (0.05**2 - 0.044**2), *(np.pi * (0.05**4 - 0.044**4) / 4.0,) * 2),
        np.pi * (0.05**4 - 0.044**4) / 2.0,
        None,
    ),
    "BOX": (
        "BEAM GENERAL SECTION, SECTION=BOX",
        "0.06, 0.10, 0.004, 0.007, 0.004, 0.007",
        in_plane(0.06, 0.10, (0.052, 0.086)),
        2.0 * (0.056 * 0.093) ** 2 / (0.056 / 0.007 + 0.093 / 0.004),
        None,
    ),
}


@pytest.mark.parametrize("card, sizes, geometry, torsion, shear", SECTIONS.values(), ids=list(SECTIONS))
def test_a_cantilever_is_that_of_euler_and_bernoulli(tmp_path, card, sizes, geometry, torsion, shear):
    """Deflection of a bar of 6 m by a force at its end, frequencies of its bending and torsion.

    Deflection P l^3 / (3 E I) + P l / (k G A); k l = 1.875104 of a slender beam, of which rotation and shear take
    1e-4 here; torsion sqrt(G J / (rho I_p)) / (4 l).
    """
    length, name = 6.0, card.split(",")[0]
    text = straight(12, f"*{name}, ELSET=B, MATERIAL=S,{card.split(',')[1]}\n{sizes}\n0., 1., 0.\n", length)
    mesh, (area, first, second) = read(tmp_path, text), geometry
    for axis, moment in ((1, first), (2, second)):
        exact = 100.0 * length**3 / (3.0 * E * moment)
        if axis == 2 and shear:
            exact += 100.0 * length / (shear * E / 2.6 * area)
        assert tip_motion(mesh, axis, 13) == pytest.approx(exact, rel=1e-9 if axis == 2 and shear else 1e-3)
    found = frequencies(mesh, 24, "ROOT")
    for moment in (first, second):
        bending = 1.8751040687**2 / (2.0 * np.pi * length**2) * np.sqrt(E * moment / (DENSITY * area))
        assert np.abs(found / bending - 1.0).min() < 1e-3
    twisted = np.sqrt(E / 2.6 * torsion / (DENSITY * (first + second))) / (4.0 * length)
    assert np.abs(found / twisted - 1.0).min() < 1e-3  # 12 beams: 7e-4
    body = mass_properties(mesh)
    assert body.mass == pytest.approx(DENSITY * area * length, rel=1e-12)
    exact = (
        DENSITY * length * np.array([first + second, area * length**2 / 12.0 + second, area * length**2 / 12.0 + first])
    )
    np.testing.assert_allclose(np.diag(body.inertia), exact, rtol=1e-11)
    assert of_matrix(mesh.nodes, assemble(mesh)[1]).inertia == pytest.approx(body.inertia, rel=1e-9, abs=1e-9)


# CalculiX 2.20, *FREQUENCY of free bodies of steel in 24 x 2 x 2 to 40 x 4 x 2 C3D20R, run 2026-11-27: bar of 2 m,
# 50 x 30 mm; hollow bar of 2 m, 60 x 100 mm with walls of 4 and 7 mm; quarter of a ring of 1 m radius, 20 x 30 mm
CALCULIX_BAR_HZ = (39.84291, 66.3088, 109.6689, 182.0297, 214.5397, 353.6542, 354.722, 526.4807)
CALCULIX_BOX_HZ = (103.9792, 172.8644, 281.4264)
CALCULIX_ARC_HZ = (39.86111, 113.5404, 146.6796, 226.4965, 287.7996, 377.0988)


@pytest.mark.parametrize("kind", ["B31", "B32R"])
def test_free_bars_are_those_of_solids(tmp_path, kind):
    """The solids bend a little stiffer at the higher modes, as their meshes do."""
    mesh = read(tmp_path, straight(20, RECT + "0.05, 0.03\n0., 1., 0.\n", kind=kind))
    np.testing.assert_allclose(free_hz(mesh, 8), CALCULIX_BAR_HZ, rtol=1e-3)
    section = (
        "*BEAM GENERAL SECTION, ELSET=B, MATERIAL=S, SECTION=BOX\n0.06, 0.1, 0.004, 0.007, 0.004, 0.007\n0., 1., 0.\n"
    )
    mesh = read(tmp_path, straight(20, section, kind=kind))
    np.testing.assert_allclose(free_hz(mesh, 3), CALCULIX_BOX_HZ, rtol=1.1e-3)  # walls bend in the third


@pytest.mark.parametrize("kind, count, near", [("B32", 6, 1e-3), ("B31", 24, 2e-3)])
def test_curved_beams_are_those_of_solids(tmp_path, kind, count, near):
    angle = np.linspace(0.0, np.pi / 2.0, count * (2 if kind == "B32" else 1) + 1)
    points = [(np.cos(a), np.sin(a), 0.0) for a in angle]
    mesh = read(tmp_path, line(points, RECT + "0.03, 0.02\n0., 0., 1.\n", kind=kind))
    np.testing.assert_allclose(free_hz(mesh, 6)[:6], CALCULIX_ARC_HZ, rtol=near)


def portal_determinant(hz, bars, area, moment):
    """Sign of the determinant of the dynamic stiffness of bars (a, b) in a chain, in their plane.

    Source: Clough, Penzien 1993, Dynamics of Structures, chapter 20 (bars of distributed mass).
    """
    whole, w = np.zeros((3 * len(bars) + 3,) * 2), 2.0 * np.pi * hz
    p, q = (DENSITY * area * w**2 / (E * moment)) ** 0.25, w * np.sqrt(DENSITY / E)
    for k, (a, b) in enumerate(bars):
        length = np.hypot(*np.subtract(b, a))
        cosine, sine = np.subtract(b, a) / length
        x, y = p * length, q * length
        c, s, ch, sh = np.cos(x), np.sin(x), np.cosh(x), np.sinh(x)
        near = [p**3 * (c * sh + s * ch), p**2 * s * sh, p * (s * ch - c * sh)]
        far = [p**3 * (s + sh), p**2 * (ch - c), p * (sh - s)]
        bending = [[near[0], near[1], -far[0], far[1]], [near[1], near[2], -far[1], far[2]],
                   [-far[0], -far[1], near[0], -near[1]], [far[1], far[2], -near[1], near[2]]]  # fmt: skip
        local = np.zeros((6, 6))
        local[np.ix_([0, 3], [0, 3])] = E * area * q / np.sin(y) * np.array([[np.cos(y), -1.0], [-1.0, np.cos(y)]])
        local[np.ix_([1, 2, 4, 5], [1, 2, 4, 5])] = E * moment / (1.0 - c * ch) * np.array(bending)
        turned = np.kron(np.eye(2), [[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        whole[3 * k : 3 * k + 6, 3 * k : 3 * k + 6] += turned.T @ local @ turned
    return np.linalg.slogdet(whole)[0]


def test_a_portal_frame_is_exact_in_its_plane(tmp_path):
    """Free frame of thin bars: each frequency of its plane lies at a zero of the exact determinant, within 0.1 %."""
    height, width = np.linspace(0.0, 1.0, 9), np.linspace(0.0, 1.5, 13)
    points = [(0.0, 0.0, z) for z in height] + [(x, 0.0, 1.0) for x in width[1:]]
    points += [(1.5, 0.0, z) for z in height[::-1][1:]]
    area, moment = 0.12 * 0.005, 0.12 * 0.005**3 / 12.0
    section = f"*BEAM GENERAL SECTION, ELSET=B, SECTION=GENERAL, DENSITY=7850.\n{area}, {moment}, 0., 7.2E-7, 5E-9\n"
    mesh = read(tmp_path, line(points, section + "0., 1., 0.\n2.1E11, 8E10\n"))
    stiffness, mass = assemble(mesh)
    recover = free_coordinates(mesh)
    frequency, shape = natural_modes(*(held_together(recover, a) for a in (stiffness, mass)), 18)
    y = np.abs((recover @ shape).reshape(len(mesh.nodes), 3, -1)[: len(points), 1]).max(axis=0)
    flat = [hz for hz, across in zip(frequency, y, strict=True) if hz > 0.1 and across < 1e-6]
    bars = [((0.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (1.5, 1.0)), ((1.5, 1.0), (1.5, 0.0))]
    assert len(flat) >= 4
    for hz in flat:
        below, above = (portal_determinant(hz * f, bars, area, moment) for f in (1.0 - 1e-3, 1.0 + 1e-3))
        assert below * above < 0.0


def test_motion_is_that_of_the_body_whatever_its_place(tmp_path):
    """A rigid motion costs no energy; frequencies and inertia of a turned and moved frame are the same."""
    points = np.array([(0.0, 0.0, 0.0), (1.0, 0.2, 0.0), (1.5, 1.0, 0.3), (1.5, 2.0, 0.9)])
    section = "*BEAM SECTION, ELSET=B, MATERIAL=S, SECTION=I, OFFSET2=0.\n0.05, 0.1, 0.08, 0.08, 0.008, 0.008, 0.006\n"
    mesh = read(tmp_path, line(points, section + "0., 0.3, 1.\n"))
    stiffness, mass = assemble(mesh)
    rigid = rigid_modes(mesh.nodes)
    assert np.abs(stiffness @ rigid).max() < 1e-14 * np.abs(stiffness.data).max()
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    normal = ", ".join(f"{v:.15g}" for v in turn @ (0.0, 0.3, 1.0))
    other = read(tmp_path, line(points @ turn.T + (3.0, 1.0, 0.0), section + normal))
    np.testing.assert_allclose(free_hz(other, 6), free_hz(mesh, 6), rtol=1e-9)
    np.testing.assert_allclose(
        mass_properties(other).inertia, turn @ mass_properties(mesh).inertia @ turn.T, rtol=0, atol=1e-9
    )
    placed, _ = place_wheelset(mesh, axle_axis=turn.T @ (0.0, 1.0, 0.0), accepted=("axle_place",))
    np.testing.assert_allclose(free_hz(placed, 6), free_hz(mesh, 6), rtol=1e-9)


def test_an_instance_turns_the_sections_of_its_beams(tmp_path):
    """A quarter of a turn about the bar's line; rods and CIRC of one value, the radius, in an instance too."""
    bar, steel = straight(4, RECT + "0.05, 0.03\n0., 1., 0.\n").split(STEEL)
    whole = f"*PART, NAME=P\n{bar}{steel}*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0., 0., 0.\n"
    whole += "0., 0., 0., 1., 0., 0., 90.\n*END INSTANCE\n*END ASSEMBLY\n" + STEEL
    plain, turned = (mass_properties(read(tmp_path, text)).inertia for text in (bar + STEEL + steel, whole))
    np.testing.assert_allclose(np.diag(turned), np.diag(plain)[[0, 2, 1]], rtol=1e-12)
    assert plain[1, 1] < plain[2, 2]
    round_ = whole.replace("SECTION=RECT\n0.05, 0.03", "SECTION=CIRC\n0.02")
    assert mass_properties(read(tmp_path, round_)).mass == pytest.approx(DENSITY * 2.0 * np.pi * 4e-4, rel=1e-12)


def nastran(cards):
    lines = ["BEGIN BULK", "MAT1,1,2.1+11,,.3,7850."]
    lines += [f"GRID,{k + 1},,{0.25 * k},0.,0." for k in range(9)]
    return "\n".join([*lines, *cards, "ENDDATA", ""])


def elements(name, tail="0.,1.,0."):
    return [f"{name},{k},1,{k},{k + 1},{tail}" for k in range(1, 9)]


NASTRAN = {
    "PBARL BAR": ("CBAR", "PBARL,1,1,,BAR,,,,,\n,0.03,0.05", "RECT", "0.05, 0.03"),
    "PBEAML BOX": (
        "CBEAM",
        "PBEAML,1,1,,BOX,,,,,\n,0.1,0.06,0.004,0.007",
        "BOX",
        "0.06, 0.1, 0.004, 0.007, 0.004, 0.007",
    ),
    "PBARL TUBE": ("CBAR", "PBARL,1,1,,TUBE,,,,,\n,0.05,0.044", "PIPE", "0.05, 0.006"),
    "PBARL ROD": ("CBAR", "PBARL,1,1,,ROD,,,,,\n,0.05", "CIRC", "0.1, 0.1"),
    "PBEAML I": ("CBEAM", "PBEAML,1,1,,I,,,,,\n,.1,.08,.08,.006,.008,.008", "I", ".05, .1, .08, .08, .008, .008, .006"),
}


@pytest.mark.parametrize("element, card, shape, sizes", NASTRAN.values(), ids=list(NASTRAN))
def test_nastran_and_abaqus_read_the_same_beam(tmp_path, element, card, shape, sizes):
    text = nastran([card, *elements(element)])
    direction = "0., 0., -1.\n" if shape == "I" else "0., 1., 0.\n"  # Nastran: height along y
    same = straight(8, f"*BEAM SECTION, ELSET=B, MATERIAL=S, SECTION={shape}\n{sizes}\n" + direction)
    of_nastran, of_abaqus = read(tmp_path, text, "beam.bdf"), read(tmp_path, same)
    np.testing.assert_allclose(free_hz(of_nastran, 8), free_hz(of_abaqus, 8), rtol=1e-9)


GENERAL = {
    "PBAR": ("CBAR", "PBAR,1,1,3.-3,2.5-6,6.-6,5.-6,4.\n,\n,.5,.4,1.-6"),
    "PBEAM": ("CBEAM", "PBEAM,1,1,3.-3,2.5-6,6.-6,1.-6,5.-6,4.\n,\n,YES,1.,3.-3,2.5-6,6.-6,1.-6,5.-6,4.\n,\n,.5,.4"),
}


@pytest.mark.parametrize("element, card", GENERAL.values(), ids=list(GENERAL))
def test_a_section_by_its_numbers(tmp_path, element, card):
    """Deflection along y of a cantilever whose principal directions lie askew: 1 / (E I) is the inverse matrix's."""
    mesh = read(
        tmp_path, nastran([card, *elements(element), "SET3,1,GRID,1", '$HMSET        1        1 "ROOT"']), "b.bdf"
    )
    assert mass_properties(mesh).mass == pytest.approx(2.0 * (DENSITY * 3e-3 + 4.0), rel=1e-12)
    soft = np.linalg.inv([[2.5e-6, 1e-6], [1e-6, 6e-6]]) / E
    for axis, factor in ((1, 0.5), (2, 0.4)):
        exact = 100.0 * (8.0 / 3.0 * soft[axis - 1, axis - 1] + 2.0 / (factor * E / 2.6 * 3e-3))
        assert tip_motion(mesh, axis, 9) == pytest.approx(exact, rel=1e-9)


OPEN = {  # sizes; area, second moments about z and y (plane 1, plane 2) of thin walls worked out by hand
    "T": ((0.12, 0.15, 0.01, 0.008), 0.12 * 0.01 + 0.14 * 0.008, None, 0.01 * 0.12**3 / 12 + 0.14 * 0.008**3 / 12),
    "CHAN": ((0.06, 0.2, 0.006, 0.01), 2 * 0.06 * 0.01 + 0.18 * 0.006, (0.06 * 0.2**3 - 0.054 * 0.18**3) / 12, None),
    "CHAN1": ((0.054, 0.006, 0.18, 0.2), 2 * 0.06 * 0.01 + 0.18 * 0.006, (0.06 * 0.2**3 - 0.054 * 0.18**3) / 12, None),
    "I1": ((0.074, 0.006, 0.18, 0.2), 2 * 0.08 * 0.01 + 0.18 * 0.006, (0.08 * 0.2**3 - 0.074 * 0.18**3) / 12,
           (2 * 0.01 * 0.08**3 + 0.18 * 0.006**3) / 12),
}  # fmt: skip


@pytest.mark.parametrize("kind", list(OPEN))
def test_open_shapes_bend_as_their_walls(tmp_path, kind):
    sizes, area, first, second = OPEN[kind]
    card = f"PBARL,1,1,,{kind},,,,,\n,{','.join(map(str, sizes))}"
    sets = ["SET3,1,GRID,1", '$HMSET        1        1 "ROOT"']
    mesh = read(tmp_path, nastran([card, *elements("CBAR"), *sets]), "a.bdf")
    assert mass_properties(mesh).mass == pytest.approx(2.0 * DENSITY * area, rel=1e-12)
    for axis, moment in ((1, first), (2, second)):
        bending = 100.0 * 8.0 / (3.0 * E * moment) if moment else 0.0
        moved = tip_motion(mesh, axis, 9)
        assert not moment or bending < moved < 1.1 * bending  # beside it shear
    if kind != "I1":
        with pytest.raises(MeshError, match="has a shear centre off its line"):
            read(tmp_path, nastran([card.replace("PBARL", "PBEAML"), *elements("CBEAM")]), "a.bdf")


def test_offsets_are_rigid_arms(tmp_path):
    """Beams whose lines of centroids coincide with those of others move as these do, whatever their nodes."""
    card = "PBAR,1,1,3.-3,2.5-6,6.-6,5.-6"
    plain = read(tmp_path, nastran([card, *elements("CBAR")]), "a.bdf")
    arms = [f"CBAR,{k},1,{k},{k + 1},0.,1.,0.,,\n,,,0.05,0.2,-.1,0.05,0.2,-.1" for k in range(1, 9)]
    moved = read(tmp_path, nastran([card, *arms]), "b.bdf")
    np.testing.assert_allclose(free_hz(moved, 8), free_hz(plain, 8), rtol=1e-8)
    np.testing.assert_allclose(mass_properties(moved).centre - mass_properties(plain).centre, (0.05, 0.2, -0.1))
    np.testing.assert_allclose(mass_properties(moved).inertia, mass_properties(plain).inertia, atol=1e-9)
    own = read(
        tmp_path, straight(8, "*BEAM SECTION, ELSET=B, MATERIAL=S, SECTION=RECT, OFFSET1=0.5\n.05, .03\n0., 1., 0.\n")
    )
    np.testing.assert_allclose(mass_properties(own).centre, (1.0, -0.025, 0.0), atol=1e-12)  # nodes lie above it


@pytest.mark.parametrize("element, flags", [(5, "56"), (4, ",56")])
def test_pins_make_a_hinge(tmp_path, element, flags):
    """Bar held at both ends with a hinge in its middle, under a force there: two cantilevers of half the force."""
    cards = elements("CBAR")
    cards[element - 1] += f",,\n,{flags}"
    bar = ["PBAR,1,1,3.-3,2.5-6,6.-6,5.-6", *cards, "SET3,1,GRID,1,9", '$HMSET        1        1 "ROOT"']
    mesh = read(tmp_path, nastran(bar), "hinge.bdf")
    for axis, moment in ((1, 2.5e-6), (2, 6e-6)):
        assert tip_motion(mesh, axis, 5) == pytest.approx(50.0 / (3.0 * E * moment), rel=1e-9)
    stiffness, _ = assemble(mesh)
    assert np.abs(stiffness @ rigid_modes(mesh.nodes)).max() < 1e-13 * np.abs(stiffness.data).max()
    plain = mass_properties(read(tmp_path, nastran(["PBAR,1,1,3.-3,2.5-6,6.-6,5.-6", *elements("CBAR")]), "b.bdf"))
    np.testing.assert_allclose(of_matrix(mesh.nodes, assemble(mesh)[1]).inertia, plain.inertia, atol=1e-9)
    assert frequencies(mesh, 9)[7] < 1e-3 * frequencies(mesh, 9)[8]  # free: the halves turn about two axes


def test_offsets_of_both_ends_differ(tmp_path):
    """Arms that lift the line of centroids of a bar bit by bit make it that of nodes along a slope."""
    card = "PBAR,1,1,3.-3,2.5-6,6.-6,5.-6"
    arms = [f"CBAR,{k},1,{k},{k + 1},0.,1.,0.,,\n,,,0.,0.,{0.01 * k},0.,0.,{0.01 * k + 0.01}" for k in range(1, 9)]
    lifted = read(tmp_path, nastran([card, *arms]), "a.bdf")
    sloped = nastran([card, *elements("CBAR")])
    for k in range(1, 10):
        sloped = sloped.replace(f"GRID,{k},,{0.25 * (k - 1)},0.,0.", f"GRID,{k},,{0.25 * (k - 1)},0.,{0.01 * k}")
    np.testing.assert_allclose(free_hz(lifted, 8), free_hz(read(tmp_path, sloped, "b.bdf"), 8), rtol=1e-8)


CORNER = [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)]
BARS = [(a, b) for a in range(6) for b in range(a + 1, 6) if a // 2 != b // 2]


def test_rods(tmp_path):
    """Breathing of an octahedron of 12 rods with masses at its corners: a corner is held by 4 rods under 45 degrees,
    each stretched by sqrt(2) times its motion, so k = 4 E A / l, and moves m + 4 / 3 rho A l."""
    area, length, mass = 1e-4, np.sqrt(2.0), 50.0
    exact = np.sqrt(4.0 * E * area / length / (mass + 4.0 * DENSITY * area * length / 3.0)) / (2.0 * np.pi)
    text = ["*NODE", *(f"{k}, {x}, {y}, {z}" for k, (x, y, z) in enumerate(CORNER, 1)), "*ELEMENT, TYPE=T3D2, ELSET=R"]
    text += [f"{k}, {a + 1}, {b + 1}" for k, (a, b) in enumerate(BARS, 1)]
    text += ["*ELEMENT, TYPE=MASS, ELSET=M", *(f"{80 + k}, {k}" for k in range(1, 7)), f"*MASS, ELSET=M\n{mass}"]
    text = "\n".join([*text, STEEL + "*SOLID SECTION, ELSET=R, MATERIAL=S\n1E-4\n"])
    mesh = read(tmp_path, text)
    assert np.abs(frequencies(mesh, 18) / exact - 1.0).min() < 1e-9
    assert mass_properties(mesh).mass == pytest.approx(6 * mass + 12 * DENSITY * area * length, rel=1e-12)
    both = text.replace("*ELEMENT, TYPE=MASS", "*ELEMENT, TYPE=B31, ELSET=B\n70, 1, 2\n*ELEMENT, TYPE=MASS")
    stiffer = read(tmp_path, both + RECT + ".1, .1\n0., 1., 0.\n")
    assert mass_properties(stiffer).mass == pytest.approx(mass_properties(mesh).mass + 2.0 * 0.01 * DENSITY, rel=1e-12)
    assert frequencies(stiffer, 9)[6] < 1e-3 < 1.0 < frequencies(stiffer, 9)[7]  # rods do not hold its turn
    with pytest.raises(MeshError, match="element 1, which is no T3D2 with an area"):
        read(tmp_path, text.replace("\n1E-4\n", "\n"))
    cards = ["BEGIN BULK", "MAT1,1,2.1+11,,.3,7850.", "PROD,1,1,1.-4"]
    cards += [f"GRID,{k},,{x},{y},{z}" for k, (x, y, z) in enumerate(CORNER, 1)]
    cards += [f"CONM2,{80 + k},{k},,{mass}" for k in range(1, 7)]
    rods = [f"CROD,{k},1,{a + 1},{b + 1}" for k, (a, b) in enumerate(BARS, 1)]
    rods[0], (a, b) = "", BARS[0]
    bulk = "\n".join([*cards, f"CONROD,1,{a + 1},{b + 1},1,1.-4", *rods[1:], "ENDDATA", ""])
    np.testing.assert_allclose(frequencies(read(tmp_path, bulk, "a.bdf"), 18)[6:], frequencies(mesh, 18)[6:], rtol=1e-9)
    with pytest.raises(MeshError, match="CROD .*a beam that is not read: torsion J of PROD 1"):
        read(tmp_path, bulk.replace("PROD,1,1,1.-4", "PROD,1,1,1.-4,1.-9"), "a.bdf")


def test_millimetres_and_tonnes(tmp_path):
    """Frequencies and inertia of a frame in m and in mm are the same; so is nonstructural mass."""
    card, bar = "PBAR,1,1,3.-3,2.5-6,6.-6,5.-6,4.", nastran(["PBAR,1,1,3000.,2.5+6,6.+6,5.+6,4.-6", *elements("CBAR")])
    bar = bar.replace("MAT1,1,2.1+11,,.3,7850.", "MAT1,1,2.1+5,,.3,7.85-9")
    for k in range(1, 10):
        bar = bar.replace(f"GRID,{k},,{0.25 * (k - 1)},", f"GRID,{k},,{250.0 * (k - 1)},")
    (tmp_path / "mm.bdf").write_text(bar)
    mesh, same = (
        read_mesh(tmp_path / "mm.bdf", length_unit="mm")[0],
        read(tmp_path, nastran([card, *elements("CBAR")]), "m.bdf"),
    )
    np.testing.assert_allclose(free_hz(mesh, 8), free_hz(same, 8), rtol=1e-9)
    np.testing.assert_allclose(mass_properties(mesh).inertia, mass_properties(same).inertia, rtol=1e-9, atol=1e-12)


# CalculiX 2.20, free plate of 1.2 x 0.8 x 0.01 m with a rib of 12 x 50 mm below its middle, 24 x 17 x 4 C3D20R, run
# 2026-11-27; the line of a beam holds less of the plate than the width of a rib
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
