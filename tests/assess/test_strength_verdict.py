"""One verdict: `fatigue`, `en13103` and `en13979` read one table; a beam in rotating bending is the closed form."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.assess.evaluate.axle_standard import AxleLoads, axle_moments, fillet_concentration, nominal_stress
from flexwheel.assess.evaluate.fatigue import WoehlerCurve
from flexwheel.assess.evaluate.strength_grades import given_limit, read_grades, verdict, zone_limit
from flexwheel.assess.node_fatigue import NodeHistories, fatigue_of_nodes, limits_at, no_life, press_fit_words
from flexwheel.assess.nominal_stress import parse_zone
from flexwheel.base.errors import ScenarioError
from tests.cli_cases import command

EA1N, ER7 = (["--grades", "assumed", "--grade", grade] for grade in ("EA1N", "ER7"))
ROW = '[[limit]]\ngrade = "EA1N"\nzone = "body"\nstress = "local"\nfactor = 1.2\nsource = "given"\n'


def rotating(amplitude, turns=20, way=None):
    """Bending stress along the axle of a point that turns in a standing moment."""
    stress = np.zeros((turns * 72 + 1, 1, 6))
    stress[:, 0, 1] = amplitude * np.cos(np.linspace(0.0, 2.0 * np.pi * turns, turns * 72 + 1))
    return NodeHistories(stress, way or 2.9 * turns, np.array([0.02]), np.zeros(1))


@pytest.mark.parametrize(
    ("section", "y", "diameter", "k"),
    [("body", 0.6, 0.160, 1.0), ("seat", 0.28, 0.185, 1.0),
     ("fillet", 0.36, 0.160, fillet_concentration(0.160, 0.185, 0.040))],
)  # fmt: skip
def test_both_commands_say_the_same_of_the_same_loads(section, y, diameter, k, capsys):
    loads = AxleLoads(14e3, 0.8, 2.0, 1.5, 0.46, brake=0.0)
    stress = float(nominal_stress(axle_moments(loads, [y])["MR"][0], diameter, 0.0, k))
    words = f"{1e3 * y}:{1e3 * diameter}:{section}:{k}"
    told = ["en13103", "--mass-kg", "14000", "--height-mm", "800", "--section", words, *EA1N, "--json"]
    assert command(*told) == 0
    (row,) = json.loads(capsys.readouterr().out)["sections"]
    limit = zone_limit(read_grades("assumed"), "EA1N", section)
    (found,) = fatigue_of_nodes([rotating(stress)], [1.0], [1], [limit])
    assert row["permissible_pa"] == found["permissible_pa"]
    # twist of braking, which the standard adds to the moment: (0.3 P' R / M)^2 / 2 at most; planes lie 0.2 % apart
    assert found["utilisation"] == pytest.approx(row["utilisation"], rel=0.05)
    assert found["verdict"] == row["verdict"] or abs(row["utilisation"] - 1.0) < 0.05


def test_nominal_stress_is_judged_and_the_peak_of_the_mesh_is_told(capsys):
    """A mesh has 1.338 times K times the nominal stress: the limit is for the latter in both commands."""
    words = ["--section", "360:160:fillet:1.02", *EA1N, "--json"]
    assert command("en13103", "--mass-kg", "14000", "--height-mm", "800", *words) == 0
    (row,) = json.loads(capsys.readouterr().out)["sections"]
    limit = zone_limit(read_grades("assumed"), "EA1N", "fillet", "nominal")
    peaks = [np.array([share * 1.338 * row["stress_pa"]]) for share in (1.0, 0.5)]  # of two runs; the larger counts
    parts = [rotating(share * row["stress_pa"])._replace(local=p) for share, p in zip((1.0, 0.5), peaks, strict=True)]
    (found,) = fatigue_of_nodes(parts, [0.5, 0.5], [1], [limit])
    assert found["utilisation"] == pytest.approx(row["utilisation"], rel=5e-3)  # planes lie 0.2 % apart
    assert found["nominal_pa"] == found["amplitude_pa"] == pytest.approx(row["stress_pa"], rel=5e-3)
    assert found["elastic_factor"] == pytest.approx(1.338, rel=5e-3)
    assert "166.7 MPa of K times the nominal stress" in limit.words()


def test_damage_of_a_two_block_collective_is_the_closed_form():
    """D per km = sum of shares times cycles per km over N of each block, Miner."""
    limit, slope = given_limit(166.0), 5.0
    blocks = [(300e6, 0.2, 1000.0), (120e6, 0.8, 2000.0)]  # amplitude, share of the way, length [m] of the run
    parts = [rotating(a, 100, way) for a, _, way in blocks]
    (found,) = fatigue_of_nodes(parts, [s for _, s, _ in blocks], [7], [limit], slope=slope)
    curve = WoehlerCurve(2 * 166e6, 2e6, slope)
    closed = sum(s * 100 / (way / 1e3) / float(curve.cycles(2.0 * a)) for a, s, way in blocks)
    assert found["damage_per_km"] == pytest.approx(closed, rel=2e-3)  # counted in halves at the two ends: exact; plane
    assert found["utilisation"] == pytest.approx(300.0 / 166.0, rel=1e-3) and found["verdict"] == "EXCEEDED"
    assert found["cycles_per_km"] == pytest.approx(0.2 * 100 + 0.8 * 50)


def test_less_than_a_turn_without_a_counted_cycle_is_not_zero():
    """From zero to 90 MPa and no way back: 45 MPa about 45, which is 45 (1 + M) about zero."""
    rise, limit = rotating(90e6), given_limit(150.0)
    (found,) = fatigue_of_nodes([rise._replace(tensors=rise.tensors[54:73])], [1.0], [5], [limit])
    assert len(found["cycles"]) == 0
    assert found["amplitude_pa"] == pytest.approx(45e6 * (1.0 + limit.limits.curve().mean_sensitivity), rel=5e-3)


def test_a_short_run_or_one_alone_gives_no_life():
    assert "comparison only" in no_life(1, 5e3) and "comparison only" in no_life(3, 900.0)
    assert no_life(2, 1.1e3) == ""


def test_mean_stress_of_a_press_fit_counts_in_the_local_stress_and_is_in_nominal_limits():
    """FKM: an amplitude a about a mean m between compression and R = 0 is a + M m about zero, M = f / f0 - 1."""
    fit = np.zeros((1, 6))
    fit[0, 1], fit[0, 2] = 40e6, -60e6  # tension along the axle, as beside the edge of a hub, pressure of the hub
    plain = rotating(90e6)
    pressed = plain._replace(tensors=plain.tensors + fit, fit=fit)
    local = given_limit(150.0)
    (without,), (item,) = (fatigue_of_nodes([part], [1.0], [5], [local]) for part in (plain, pressed))
    sensitivity = local.limits.curve().mean_sensitivity
    assert item["amplitude_pa"] == pytest.approx(90e6 + sensitivity * 40e6, rel=5e-3)  # planes lie 0.2 % apart
    assert item["utilisation"] > 1.05 * without["utilisation"] and item["damage_per_km"] > without["damage_per_km"]
    assert item["fit_pa"] == pytest.approx(40e6, rel=0.01) and without["fit_pa"] == 0.0
    assert press_fit_words([item]) == ["node 5, any: contains 40 MPa mean stress of the press fit"]
    seat = replace(local, zone="seat")
    (bare,) = fatigue_of_nodes([plain], [1.0], [5], [seat])
    assert press_fit_words([bare]) == [
        "node 5, seat: mean stress of a press fit is NOT contained, the mesh has no fit (press_fits)"
    ]
    (item,) = fatigue_of_nodes([plain], [1.0], [5], [replace(seat, stress="nominal")])
    assert item["amplitude_pa"] == pytest.approx(90e6, rel=5e-3) and item["fit_pa"] is None
    assert press_fit_words([item]) == []


def test_error_of_the_stress_is_part_of_the_verdict():
    assert verdict(0.2, 0.0, 0.5) == verdict(1.2, 0.0, 0.5) == "open"  # a corner of any utilisation
    assert [verdict(*of) for of in ((0.9, 0.05), (0.97, 0.05), (1.01, 0.0), (0.9, np.nan))] == [
        "holds", "open", "EXCEEDED", "holds"
    ]  # fmt: skip


def test_a_limit_in_pascal_is_refused():
    with pytest.raises(ScenarioError, match="must be 1 to 5000 MPa, got 1.66e\\+08"):
        given_limit(166e6)


def test_limits_by_the_fkm_rule(tmp_path):
    path = tmp_path / "grades.toml"
    path.write_text(ROW + "tensile_mpa = 600.0\nnotch_factor = 1.5\nsurvival_percent = 97.5\n")
    limit = zone_limit(read_grades(path), "EA1N", "body")
    assert limit.limits.bending == pytest.approx(0.40 * 600e6 / 1.5)
    assert limit.limits.torsion == pytest.approx(0.577 * limit.limits.bending)
    assert limit.limits.curve().mean_sensitivity == pytest.approx(0.11)
    assert limit.permissible == pytest.approx(limit.limits.bending / 1.2) and "97.5 %" in limit.words()


def test_limits_at_the_survival_that_the_file_asks_for(tmp_path):
    """The scatter is the limit of 10 % over that of 90 %; utilisation and damage are those of the converted limit."""
    path = tmp_path / "grades.toml"

    def limit(asked, more):
        path.write_text(f"survival_percent = {asked}\n{ROW}limit_mpa = 200.0\n{more}")
        return zone_limit(read_grades(path), "EA1N", "body")

    plain = limit(50.0, "survival_percent = 50.0\n")  # as stated: no scatter is needed
    assert plain.limits.bending == pytest.approx(200e6, rel=1e-12)
    wide = "survival_percent = 10.0\nscatter = 1.3\n"
    assert limit(90.0, wide).limits.bending == pytest.approx(200e6 / 1.3, rel=1e-12)
    safe = limit(97.5, "survival_percent = 50.0\nscatter = 1.25\n")
    # pyLife: SD / 10**((ppf(native) - ppf(goal)) * 0.39015207303618954 log10(TS)), ppf of failure 0.5 and 0.025
    assert safe.limits.bending == pytest.approx(
        200e6 * 10 ** (-1.959963984540054 * 0.39015207303618954 * 0.09691001300805642)
    )
    assert safe.limits.torsion == pytest.approx(0.577 * safe.limits.bending) and "survival 97.5 %" in safe.words()
    assert safe.utilisation(100e6) / plain.utilisation(100e6) == pytest.approx(1.1861, rel=1e-4)


TWO = ROW + "limit_mpa = 200.0\nsurvival_percent = 50.0\n" + ROW.replace("body", "seat") + "limit_mpa = 120.0\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must have \\[\\[limit\\]\\] rows"),
        (ROW, "limit 1 must have limit_mpa or tensile_mpa"),
        (ROW.replace("source", "origin"), "limit 1: origin must be one of"),
        (ROW.replace('source = "given"\n', "limit_mpa = 200.0\n"), "limit 1 must have source"),
        (ROW + "limit_mpa = 0.2\n", "limit_mpa must be a number from 1 to 5000, got 0.2"),
        (ROW + "limit_mpa = true\n", "got True"),
        (ROW.replace("1.2", "0.5"), "factor must be a number from 1 to 10"),
        (ROW + "limit_mpa = 200.0\ntorsion_mpa = 200.0\n", "torsion over bending"),
        ((ROW + "limit_mpa = 200.0\n") * 2, "a second row of EA1N body"),
        (ROW + "limit_mpa = 200.0\nnotch_factor = nan\n", "notch_factor must be"),
        (ROW.replace('stress = "local"\n', "limit_mpa = 200.0\n"), "limit 1 must have stress"),
        (ROW.replace("local", "elastic") + "limit_mpa = 200.0\n", "stress must be one of nominal, local, got elastic"),
        (ROW + "limit_mpa = 200.0\nsurvival_percent = 0.975\n", "survival_percent must be a number from 1 to 99.9999"),
        (ROW + "limit_mpa = 200.0\nscatter = 0.8\n", "scatter must be a number from 1 to 2"),
        (ROW + "limit_mpa = 200.0\nscatter = 25\n", "scatter must be a number from 1 to 2"),
        (
            "survival_percent = 0.975\n" + ROW + "limit_mpa = 200.0\n",
            "survival_percent must be 50 to 99.9999, got 0.975",
        ),
        ("survival_percent = 'high'\n" + ROW + "limit_mpa = 200.0\n", "survival_percent must be 50 to 99.9999"),
        ("survival_percent = 97.5\n" + ROW + "limit_mpa = 200.0\n", "limit 1 must have survival_percent and scatter"),
        ("survival_percent = 97.5\n" + TWO, "limit 1 must have survival_percent and scatter, to be converted to 97.5"),
        (TWO + "survival_percent = 97.5\n", "limits of EA1N must be for one survival, got 50 % .body. and 97.5 %"),
    ],
)
def test_ten_wrong_tables_one_line_each(tmp_path, text, words):
    path = tmp_path / "grades.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=words) as told:
        read_grades(path)
    assert "\n" not in str(told.value) and str(path) in str(told.value)


AXLE = ["en13103", "--mass-kg", "14000", "--height-mm", "800"]
BODY = ["--section", "250:175:body"]
WHEEL = ["en13979", "meshes/wheelset_coarse.inp", "--wheel-load-kn", "60"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*AXLE, *BODY], "--grades must name"),
        ([*AXLE, *BODY, "--grades", "none.toml"], "no such file"),
        ([*AXLE, *BODY, "--grades", "assumed", "--grade", "EA9"], "EA9, zone body must be a row"),
        ([*AXLE, "--section", "250:175:rim", *EA1N], "zone rim"),
        ([*AXLE, *BODY, "--grades", "assumed"], "--grade must be one of EA1N, EA4T"),
        ([*AXLE, "--section", "250:175", "--grades", "assumed"], "--section must be"),
        ([*AXLE, "--section", "x:175:body", "--grades", "assumed"], "--section must be"),
        ([*AXLE, *BODY, "--grades", "assumed", "--disc", "138"], "--disc must be"),
        ([*AXLE, *BODY, "--grades", "assumed", "--lateral", "2"], "must be 0 to 1"),
        ([*AXLE, *BODY, *EA1N, "--bore-mm", "200"], "bore of an axle"),
        ([*AXLE, "--section", "9000:175:fillet", *EA1N], "axle section must be at"),
        ([*AXLE, "--section", "250:175:web", *ER7], "ER7 web must be for K times the nominal stress here"),
        (WHEEL, "--case must name a load case"),
        ([*WHEEL, "--case", "curve"], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", "curve:1.25:-0.6"], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", "curve:nan"], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", ":1.25"], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", "none:0"], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", "thousands:0.00125"], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", "straight:-1"], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", "straight:1.25"], "--grades must name"),
        ([*WHEEL, "--case", "straight:1.25", "--grades", "assumed", "--grade", "EA1N"], "EA1N, zone web"),
        ([*WHEEL, "--case", "straight:1.25", *ER7, "--side", "up"], "--side must be"),
        (
            [*WHEEL[:2], "--wheel-load-kn", "-1", "--case", "straight:1", *ER7],
            "--wheel-load-kn must be 10 to 500, got -1",
        ),
        ([*WHEEL[:2], "--wheel-load-kn", "60000", "--case", "straight:1", *ER7], "10 to 500, got 60000"),
        ([*WHEEL, "--case", "curve:1:-50:38:10", *ER7], "--case must be NAME:VERTICAL"),
        ([*WHEEL, "--case", "curve:1:-0.6:0.038:0.010", *ER7], "places 0 or 10 (below: 1) to 150 mm"),
        ([*WHEEL, "--case", "curve:1:-0.6:380:100", *ER7], "places 0 or 10 (below: 1) to 150 mm"),
        ([*WHEEL, "--case", "curve:1:-0.6:3.8:1.0", *ER7], "places 0 or 10 (below: 1) to 150 mm"),
        ([*WHEEL, "--case", "curve:1:-0.6:38:-10", *ER7], "must act on the wheel's section"),
        ([*AXLE, "--section", "25:175:body", *EA1N], "a body must lie 250 to 1750 mm from journal 1, got 25"),
        ([*AXLE, "--section", "65:185:seat", *EA1N], "a seat must lie 100 to 1900 mm from journal 1, got 65"),
        ([*AXLE, "--section", "1000:130:journal", *EA1N], "a journal must lie beyond 250 to 1750 mm"),
        ([*WHEEL, "--case", "curve:1", "--case", "curve:1.25", *ER7], "--case names curve twice"),
        ([*WHEEL[:2], "--wheel-load-kn", "6.1", "--case", "straight:1", *ER7], "10 to 500, got 6.1"),
        ([*AXLE, "--section", "0.25:175:body", *EA1N], "--section must be"),
        ([*AXLE, "--section", "250:17.5:body", *EA1N], "--section must be"),
        ([*AXLE, *BODY, *EA1N, "--disc", "138:0.3965:15.75:272"], "--disc must be MASS:PLACE[:FRICTION:RADIUS] in kg"),
        ([*AXLE, *BODY, *EA1N, "--disc", "0.138:396.5"], "--disc must be"),
        ([*AXLE, *BODY, *EA1N, "--disc", "138:396.5:15750:272"], "--disc must be"),
        ([*AXLE, *BODY, *EA1N, "--disc", "138:396.5:15.75:0.272"], "--disc must be"),
        ([*AXLE, *BODY, *EA1N, "--drive", "300"], "--drive must be PLACE:TORQUE[:UPRIGHT:ALONG] in mm, kN m"),
        ([*AXLE, *BODY, *EA1N, "--drive", "0.3:12.5"], "--drive must be"),  # in m, as N m in the next
        ([*AXLE, *BODY, *EA1N, "--drive", "300:12500"], "--drive must be"),
        ([*AXLE, *BODY, *EA1N, "--drive", "300:12.5:-40"], "--drive must be"),
        ([*AXLE, *BODY, *EA1N, "--drive", "1600:12.5"], "its place within 2s = 1.5 m"),
        ([*AXLE, *BODY, *EA1N, "--block", "1:30"], "--block must be WHEEL:FORCE:FRICTION[:ANGLE]"),
        ([*AXLE, *BODY, *EA1N, "--block", "3:30:0.25"], "--block must be"),
        ([*AXLE, *BODY, *EA1N, "--block", "1.5:30:0.25"], "--block must be on wheel 1 or 2"),
        ([*AXLE, *BODY, *EA1N, "--block", "1:0:0.25"], "--block must be on wheel 1 or 2 with a force above 0"),
        ([*AXLE, *BODY, *EA1N, "--block", "1:30:25"], "--block must be"),
        (["en13103", *BODY, *EA1N], "--mass-kg must be given, 200 to 100000 kg, or --run"),
        ([*AXLE, *BODY, *EA1N, "--run", "out"], "--run has the axle's loads and sizes from the run"),
        (["en13103", *BODY, *EA1N, "--run", "none"], "none"),
        ([*AXLE, *BODY, *EA1N, "--wheelset", "front"], "--wheelset needs --run"),
    ],
)
def test_wrong_inputs_of_the_standards_commands_one_line_each(arguments, words, capsys):
    assert command(*arguments) == 2
    text = capsys.readouterr().err.strip()
    assert words in text and len(text.splitlines()) == 1, text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "seat",
        "seat:650",
        "seat:x:800",
        "seat:800:650",
        "seat:-1:5",
        ":0:5",
        "a:0:1e9",
        "a:0:5:160:40",
        "a:0:5:nan",
        "a:0:5:0.16",
        "a:0:0.56",
    ],
)
def test_wrong_zones_of_fatigue(text):
    with pytest.raises(ScenarioError, match="--zone must be ZONE:FROM:TO"):
        parse_zone(text)


def test_a_zone_has_the_section_that_en13103_takes():
    plain, thick, fillet = (parse_zone(f"body:0:600{more}") for more in ("", ":160", ":160:40:185"))
    assert np.isnan(plain.diameter) and plain.concentration == thick.concentration == 1.0
    assert thick.diameter == fillet.diameter == pytest.approx(0.16)
    assert fillet.concentration == pytest.approx(fillet_concentration(0.16, 0.185, 0.04))
    with pytest.raises(ScenarioError, match="d <= D"):
        parse_zone("fillet:0:600:185:40:160")


def test_nodes_get_the_limit_of_their_zone(tmp_path):
    mesh = SimpleNamespace(node_ids=np.array([5, 9]), nodes=np.array([[0.0, -0.7, 0.1], [0.0, 0.3, 0.1]]))
    run, path = SimpleNamespace(mesh=mesh), tmp_path / "grades.toml"
    path.write_text("".join(ROW.replace("body", zone) + "limit_mpa = 200.0\n" for zone in ("body", "seat")))
    table, zones = read_grades(path), [parse_zone("body:0:600"), parse_zone("seat:650:800")]
    found, left = limits_at(run, [5, 9], table, "EA1N", zones)
    assert [x.zone for x in found.values()] == ["seat", "body"] and left == {}
    found, left = limits_at(run, [5, 9], table, "EA1N", zones[:1])
    assert list(found) == [9] and left[5].startswith("node 5 at |y| = 700 mm: in none of the zones")
    assert limits_at(run, [5], read_grades("assumed"), "ER8", ())[0][5].zone == "web"
    for grade, chosen, words in (("EA1N", (), "--zone must say"), ("ER8", zones, "grade ER8, zone body")):
        with pytest.raises(ScenarioError, match=words):
            limits_at(run, [5], table, grade, chosen)


@pytest.mark.parametrize(
    "more",
    [[], ["--grade", "EA1N", "--bending-mpa", "166"], ["--grade", "EA1N"], ["--grade", "EA1N", "--grades", "no"]],
)
def test_fatigue_without_one_limit_is_refused(more, tmp_path, capsys):
    assert command("fatigue", tmp_path, *more) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
