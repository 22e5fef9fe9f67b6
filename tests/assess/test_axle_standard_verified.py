"""EN 13103: two published calculations of one axle by others, statics by a beam of finite elements.

The axle: 17 t, hollow EA4T, 2b = 2030, 2s = 1493, R = 430 mm, discs of 138 kg; MATLAB scripts in public GitHub
repositories, named here by what identifies their bytes for good (SWHID, ISO/IEC 18670: git's name of a file):
    A  swh:1:cnt:4089c8491349156477d78011baa4883c095f8272  (2903 bytes, lines end in CR LF)
    B  swh:1:cnt:242dd786cff9a1f8fd255f03c6cdf07259c15b20  (2224 bytes)
They share data, not authors, and write the standard's formulas out. Figures below: those formulas evaluated as they
stand.
"""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.assess.commands.en13103_command import AxleOptions, command
from flexwheel.assess.evaluate.axle_standard import (
    GRAVITY,
    AxleDisc,
    AxleForce,
    AxleLoads,
    axle_forces,
    axle_moments,
    block_force,
    fillet_concentration,
    nominal_stress,
)
from flexwheel.base.errors import ScenarioError

USUAL = {"mass_kg": 14000.0, "height_mm": 800.0}
LOADS = AxleLoads(mass=15578.0, height=1.28, journal_span=2.03, tread_span=1.493, wheel_radius=0.43, lateral=0.35)


def test_published_calculation_of_masses_in_motion():
    """Script A: discs of 115 kg on both wheels, one of 138 kg on the axle; bore 60.5 mm."""
    places = (115.0, 0.0), (138.0, 0.3965), (115.0, 1.493)
    loads = replace(LOADS, discs=tuple(AxleDisc(*place) for place in places), brake=0.0)
    published = {
        "P1": 112375.529,
        "P2": 78649.696,
        "Y1": 53487.063,
        "Y2": 26743.5315,
        "Q1": 124020.778,
        "Q2": 63394.367,
    }
    assert {name: axle_forces(loads)[name] for name in published} == pytest.approx(published, rel=1e-8)
    moment = axle_moments(loads, [0.2685 + 0.1285, 0.2685 + 0.3965])["MR"]
    assert moment == pytest.approx([51530.8848, 48107.6139], rel=1e-8)
    assert nominal_stress(moment[0], 0.180, 0.0605) == pytest.approx(91.165074e6, rel=1e-7)


def test_published_calculation_with_brakes():
    """Script B: two discs (1353 N, Ff Gamma = 45 kN x 0.35, 272 mm); My' = 0.3 P2 R there, bore 60 mm.

    Of its 13 sections the four where it counts the weight of the discs as the standard does: it takes the term right of
    both discs for all places between the wheels. There the brakes' moments are compared alone.
    """
    disc = AxleDisc(1353.0 / GRAVITY, 0.3965, 15750.0, 0.272)
    loads = replace(LOADS, discs=(disc, replace(disc, place=1.0965)))
    loads = replace(loads, brake=0.3 * axle_forces(loads)["P2"] / (0.5 * LOADS.mass * GRAVITY))
    published = {"Q1": 124790.181, "Q2": 63529.0439}
    assert {name: axle_forces(loads)[name] for name in published} == pytest.approx(published, rel=1e-8)
    y, d = np.array([0.069, 0.0955, 0.143, 1.645]), np.array([0.130, 0.1298, 0.1598, 0.180])
    larger, fillet = (0.160, 0.277, 0.277), (0.040, 0.025, 0.075)
    k = [1.0, *(fillet_concentration(*of) for of in zip(d[1:], larger, fillet, strict=True))]
    assert k == pytest.approx([1.0, 1.02001, 1.21021, 1.02115], abs=1e-5)
    moment = axle_moments(loads, y)["MR"]
    assert moment == pytest.approx([8867.35, 12272.9, 18377.3, 41781.7], rel=1e-5)
    stress = nominal_stress(moment, d, 0.060, np.array(k))
    assert stress == pytest.approx([43.0657e6, 61.0978e6, 56.6407e6, 75.4488e6], rel=2e-5)
    between = np.array([0.345, 0.6, 0.735, 1.015])
    braked = axle_moments(loads, between)
    still = axle_moments(replace(loads, discs=tuple(replace(x, friction=0.0) for x in loads.discs)), between)
    assert braked["Mx"] - still["Mx"] == pytest.approx([5433.75, 9450.0, 10473.75, 10473.75])
    assert braked["Mz"] == pytest.approx(2675.01, rel=1e-5)


def test_beam_of_finite_elements_has_the_same_reactions_and_moments():
    """Hermite beam elements on two rigid supports under the wheels, loaded by P1, P2, the discs and Y R alone."""
    rng = np.random.default_rng(13103)
    for _ in range(5):
        inner, outer, radius = rng.uniform(1.0, 1.7), rng.uniform(0.2, 0.4), rng.uniform(0.3, 0.6)
        discs = tuple(AxleDisc(*rng.uniform([50.0, 0.1], [200.0, inner - 0.1])) for _ in range(3))
        loads = AxleLoads(rng.uniform(5e3, 25e3), rng.uniform(0.5, 2.0), inner + 2 * outer, inner, radius, discs=discs)
        f, at_wheel = axle_forces(loads), [outer, outer + inner]
        places = sorted({0.0, *at_wheel, inner + 2 * outer, *(outer + disc.place for disc in discs)})
        load = np.zeros(2 * len(places))  # deflection, slope; upwards
        load[0], load[-2] = -f["P1"], -f["P2"]
        load[2 * places.index(at_wheel[0]) + 1] += f["Y1"] * radius
        load[2 * places.index(at_wheel[1]) + 1] -= f["Y2"] * radius
        for disc in discs:
            load[2 * places.index(outer + disc.place)] += disc.mass * GRAVITY
        stiffness, elements = np.zeros((load.size, load.size)), []
        for i, h in enumerate(np.diff(places)):
            k = np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2],
                          [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]) / h**3  # fmt: skip
            stiffness[2 * i : 2 * i + 4, 2 * i : 2 * i + 4] += k
            elements.append(k)
        held = [2 * places.index(x) for x in at_wheel]
        free = np.setdiff1d(np.arange(load.size), held)
        u = np.zeros(load.size)
        u[free] = np.linalg.solve(stiffness[np.ix_(free, free)], load[free])
        reaction = (stiffness @ u - load)[held]
        assert reaction == pytest.approx([f["Q1"], f["Q2"]], rel=1e-9)
        ends = np.array([k @ u[2 * i : 2 * i + 4] for i, k in enumerate(elements)])
        eps = 1e-9
        left = axle_moments(loads, np.array(places[:-1]) + eps)["Mx"]
        right = axle_moments(loads, np.array(places[1:]) - eps)["Mx"]
        scale = np.abs(left).max()
        assert left == pytest.approx(ends[:, 1], abs=1e-6 * scale)
        assert right == pytest.approx(-ends[:, 3], abs=1e-6 * scale)


def by_hand(loads, y):
    """Moments (upright, twist, along) at y by hand: all forces of the axle in space, reactions from both journals.

    Points are (x forwards, y from journal 1, z up) about the axle; each rail pushes at the tread with half the torque.
    Masses on the axle act upwards, as in the two published programs.
    """
    f, span, radius = axle_forces(loads), loads.journal_span, loads.wheel_radius
    one = 0.5 * (span - loads.tread_span)
    two = one + loads.tread_span
    pull = sum(force.torque for force in loads.forces) / (2.0 * radius)
    acting = [(np.array([0.0, 0.0, -f["P1"]]), np.array([0.0, 0.0, 0.0])),
              (np.array([0.0, 0.0, -f["P2"]]), np.array([0.0, span, 0.0])),
              (np.array([pull, f["Y1"], f["Q1"]]), np.array([0.0, one, -radius])),
              (np.array([pull, -f["Y2"], f["Q2"]]), np.array([0.0, two, -radius]))]  # fmt: skip
    acting += [(np.array([0.0, 0.0, d.mass * GRAVITY]), np.array([0.0, one + d.place, 0.0])) for d in loads.discs]
    acting += [(np.array([x.along, 0.0, x.upright]), np.array([0.0, one + x.place, 0.0])) for x in loads.forces]
    couples = [(x.torque, one + x.place) for x in loads.forces]  # about +y: drives forwards
    total = sum(force for force, _ in acting)
    about = sum(np.cross(at, force) for force, at in acting) + np.array([0.0, sum(c for c, _ in couples), 0.0])
    far = np.array([about[2] / span, 0.0, -about[0] / span])  # at journal 2: no moment is left about journal 1
    acting.append((far, np.array([0.0, span, 0.0])))
    acting.append((np.array([-total[0] - far[0], -total[1], -total[2] - far[2]]), np.zeros(3)))
    assert np.allclose(sum(force for force, _ in acting), 0.0, atol=1e-6)
    for journal in (0.0, span):  # sums of moments about both journals, in space
        left = sum(np.cross(at - [0.0, journal, 0.0], force) for force, at in acting)
        assert np.allclose(left + [0.0, sum(c for c, _ in couples), 0.0], 0.0, atol=1e-5)
    cut = np.array([0.0, y, 0.0])
    moment = sum((np.cross(at - cut, force) for force, at in acting if at[1] <= y), np.zeros(3))
    moment[1] += sum(c for c, at in couples if at < y)
    return moment


def test_a_powered_axle_by_sums_of_forces_and_moments_about_both_journals():
    """Gear wheel, gear box and coupling with forces and torque; half the torque goes to each wheel's rail."""
    rng = np.random.default_rng(13104)
    for _ in range(8):
        forces = tuple(AxleForce(*rng.uniform([0.1, -6e4, -6e4, -2e4], [1.3, 6e4, 6e4, 2e4]), True) for _ in range(2))
        discs = tuple(AxleDisc(rng.uniform(50.0, 400.0), force.place) for force in forces)
        loads = replace(LOADS, discs=discs, forces=forces)
        for y in (0.1, *rng.uniform(0.3, 1.7, 4), 1.95):
            m, hand = axle_moments(loads, [y]), by_hand(loads, y)
            found = np.array([m["Mx"][0], abs(m["My"][0]), m["Mz"][0]])
            assert found == pytest.approx([hand[0], abs(hand[1]), hand[2]], rel=1e-9, abs=1e-3)
            assert m["MR"][0] == pytest.approx(np.linalg.norm(hand), rel=1e-9)
    driven = axle_moments(replace(LOADS, forces=(AxleForce(0.3, torque=12e3, drives=True),)), [0.4, 0.8, 0.1])
    assert driven["My"] == pytest.approx([6e3, 6e3, 0.0])  # in place of 0.3 P' R
    assert axle_moments(LOADS, [0.8])["My"] == pytest.approx(0.3 * 0.5 * LOADS.mass * GRAVITY * 0.43)


def test_brake_blocks_by_statics():
    """One block pushes the wheel back and lifts it by friction; a second one opposite takes both away."""
    front, rear = (block_force(0.0, 30e3, 0.25, angle, 0.43) for angle in (0.0, np.pi))
    assert (front.upright, front.along, front.torque) == pytest.approx((7500.0, -30e3, -7500.0 * 0.43))
    assert (rear.upright, rear.along) == pytest.approx((-7500.0, 30e3), abs=1e-6)
    top = block_force(0.0, 30e3, 0.25, 0.5 * np.pi, 0.43)
    assert (top.upright, top.along) == pytest.approx((-30e3, -7500.0))  # the tread passes forwards there
    one = replace(LOADS, forces=(front, replace(front, place=LOADS.tread_span)))
    still, braked = axle_moments(LOADS, [1.0]), axle_moments(one, [1.0])
    assert braked["Mx"] - still["Mx"] == pytest.approx(7500.0 * 0.2685)
    assert braked["Mz"] == pytest.approx((30e3 + 7500.0) * 0.2685)  # rails and blocks push the wheels back
    assert braked["My"] == pytest.approx(still["My"])  # alike on both wheels: none goes through the axle
    assert axle_moments(replace(LOADS, forces=(front,)), [1.0])["My"] - still["My"] == pytest.approx(
        0.5 * 7500.0 * 0.43
    )
    both = replace(LOADS, forces=(front, rear))
    assert axle_moments(both, [1.0])["Mx"] == pytest.approx(still["Mx"])
    assert axle_moments(both, [1.0])["Mz"] == pytest.approx(7500.0 * 0.2685)  # friction of two blocks at the rails


def test_stress_of_solid_and_hollow_sections():
    """Closed form W = pi d^3 / 32; a bore of half the diameter takes a sixteenth of the second moment."""
    assert nominal_stress(1e4, 0.16) == pytest.approx(1e4 / (np.pi * 0.16**3 / 32))
    assert nominal_stress(1e4, 0.16, 0.08) == pytest.approx(nominal_stress(1e4, 0.16) / (1 - 1 / 16))


def test_loads_that_are_no_numbers_are_refused():
    with pytest.raises(ScenarioError, match="h1 = 1e\\+300 m"):
        replace(LOADS, height=1e300)
    with pytest.raises(ScenarioError, match="m1 = nan"):
        replace(LOADS, mass=float("nan"))
    with pytest.raises(ScenarioError, match="place within 2s"):
        replace(LOADS, discs=(AxleDisc(138.0, 1.6),))
    with pytest.raises(ScenarioError, match="an axle section must be at"):
        axle_moments(LOADS, [2.1])
    with pytest.raises(ScenarioError, match="fillet"):
        fillet_concentration(0.18, 0.17, 0.02)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mass_kg": 14.0}, "--mass-kg must be 200 to 100000 kg, got 14"),  # in t
        ({"height_mm": 0.8}, "--height-mm must be 10 to 5000 mm, got 0.8"),  # in m, as the next
        ({"wheel_radius_mm": 0.46}, "--wheel-radius-mm must be 100 to 1000 mm, got 0.46"),
        ({"journal_span_mm": 2.0}, "--journal-span-mm must be 500 to 5000 mm, got 2"),
        ({"tread_span_mm": 2100.0}, "--tread-span-mm must be below 2000, the journals', got 2100"),
    ],
)
def test_an_axle_in_other_units_is_refused(changes, words):
    with pytest.raises(ScenarioError) as told:
        command(AxleOptions(**USUAL | changes), section=["250:175:body"], grades="assumed", grade="EA1N")
    assert str(told.value) == words
