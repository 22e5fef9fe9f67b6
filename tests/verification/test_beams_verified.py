"""Beams of decks: frequencies and deflections against exact solutions and solids of CalculiX, mass to rounding, the
same frame in both languages."""

import numpy as np
import pytest
from beam_decks import (
    DENSITY,
    RECT,
    STEEL,
    E,
    elements,
    free_hz,
    frequencies,
    in_plane,
    line,
    nastran,
    read,
    straight,
    tip_motion,
)
from mass_of_matrix import mass_properties as of_matrix

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.mesh_properties import mass_properties
from flexwheel.body.place_wheelset import place_wheelset
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.ties import free_coordinates, held_together

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
