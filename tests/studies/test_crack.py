"""Crack growth: closed forms of Paris' law with constant Y, limits of the laws, shape; wrong files, one line each."""

import json

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.studies.crack_factors import ROUND_BAR, plate, read_factors
from flexwheel.studies.crack_file import read_crack
from flexwheel.studies.crack_growth import grow, rate
from tests.cli_cases import command

MATERIAL = {
    "law": '"nasgro"', "source": '"a test"', "c": "3e-12", "n": "3.0", "toughness_mpa_sqrt_m": "80.0",
    "threshold_mpa_sqrt_m": "7.0", "p": "0.5", "q": "0.5", "alpha": "2.0", "smax_over_flow": "0.3", "cth_plus": "1.5",
    "cth_minus": "0.1", "intrinsic_mm": "0.0381",
}  # fmt: skip
SOUND = {"diameter_mm": "160.0", "depth_mm": "2.0", "half_length_mm": "2.5", "inspections": "3"}
BLOCK = {"amplitude_mpa": "120.0", "cycles_per_km": "345.0"}
NASGRO = {k: float(v) for k, v in MATERIAL.items() if k not in ("law", "source")}


def written(tmp_path, changes=None, material=None, block=None):
    """File with these keys; None takes one away."""
    path, text = tmp_path / "crack.toml", ""
    for head, table in (("", SOUND | (changes or {})), ("[material]\n", MATERIAL | (material or {})),
                        ("[[block]]\n", {} if block == {} else BLOCK | (block or {}))):  # fmt: skip
        text += head * bool(table) + "".join(f"{k} = {v}\n" for k, v in table.items() if v is not None)
    path.write_text(text)
    return path


def constant(tmp_path, y):
    path = tmp_path / "factors.csv"
    rows = [f"{d},{c},{y},{y}" for d in (0.0, 0.5) for c in (0.0, 1.0)]
    path.write_text("a_over_d,a_over_c,deep,surface\n" + "\n".join(rows) + "\n")
    return read_factors(path, "constant")


@pytest.mark.parametrize("n", [2.0, 3.0, 4.5])
def test_paris_with_constant_y_is_the_closed_form(tmp_path, n):
    """N = (a^(1 - n/2)) between start and end over (1 - n/2) C (Y dS sqrt(pi))^n; its logarithm for n = 2."""
    of, y, first, last = {"c": 1e-11, "n": n, "toughness_mpa_sqrt_m": 400.0}, 0.7, 2e-3, 40e-3
    blocks = np.array([[200.0, 100.0, 50.0], [120.0, 60.0, 300.0]])  # R = 0
    crack = grow(0.16, (first, 3e-3), last, blocks, "paris", of, constant(tmp_path, y))
    per_km = np.sum(blocks[:, 2] * of["c"] * (y * blocks[:, 0] * np.sqrt(np.pi)) ** n)
    power = 1.0 - 0.5 * n
    closed = (np.log(last / first) if n == 2.0 else (last**power - first**power) / power) / per_km
    assert crack.km[-1] == pytest.approx(closed, rel=1e-6)  # fourth order, steps of 1 %
    assert crack.depth[-1] == pytest.approx(last, rel=1e-9) and crack.grows and crack.why == "the depth asked for"
    assert np.ptp(crack.half_length - crack.depth) < 1e-12  # both ends grow alike


def test_compression_does_not_grow_a_crack_by_paris_and_forman():
    of = {"c": 1e-11, "n": 3.0, "toughness_mpa_sqrt_m": 60.0}
    assert rate("paris", of, 20.0, -20.0, 1e-2) == rate("paris", of, 20.0, 0.0, 1e-2) == pytest.approx(8e-8)
    assert rate("forman", of, 20.0, 5.0, 1e-2) == pytest.approx(1e-11 * 15.0**3 / (0.75 * 60.0 - 15.0))
    assert rate("forman", of, -1.0, -20.0, 1e-2) == 0.0
    assert all(np.isinf(rate(law, of | NASGRO | of, 60.0, 0.0, 1e-2)) for law in ("paris", "forman", "nasgro"))


def test_limits_of_the_nasgro_equation():
    plain = NASGRO | {"threshold_mpa_sqrt_m": 0.0, "p": 0.0, "q": 0.0}
    a0 = (0.825 - 0.34 * 2.0 + 0.05 * 4.0) * np.sqrt(np.cos(0.15 * np.pi))
    at_zero = rate("nasgro", plain, 20.0, 0.0, 1e-2)
    assert at_zero == pytest.approx(plain["c"] * ((1.0 - a0) * 20.0) ** 3)  # f = A_0 at R = 0
    # a crack that never closes, f = R: Paris' law with C
    assert rate("nasgro", plain, 20.0, 18.0, 1e-2) == pytest.approx(plain["c"] * 2.0**3, rel=1e-9)
    # R = -1: f = A_0 - A_1, so that part of the range alone counts
    a1 = (0.415 - 0.071 * 2.0) * 0.3
    assert rate("nasgro", plain, 20.0, -20.0, 1e-2) == pytest.approx(plain["c"] * ((1.0 - a0 + a1) * 20.0) ** 3)
    long = NASGRO | {"intrinsic_mm": 0.0}
    assert rate("nasgro", long, 6.999, 0.0, 1e-2) == 0.0 < rate("nasgro", long, 7.001, 0.0, 1e-2)
    assert rate("nasgro", NASGRO, 7.0 * np.sqrt(0.5) + 1e-3, 0.0, 0.0381e-3) > 0.0  # a = a_0


def test_factors_of_the_bar_join_the_plate_and_take_the_load_off_the_surface():
    """Small cracks: plate in tension; bending falls off with depth, so Y of small cracks is below the plate's by about
    the fall of the stress to the crack's depth, 1 - 2 a/d."""
    assert ROUND_BAR.at(0.0, 1.0)[0] == pytest.approx(1.04 / np.sqrt(2.464))  # Newman and Raju, semicircle
    for shape in (0.4, 0.7, 1.0):
        deep, surface = ROUND_BAR.at(0.067, shape)
        assert 1.0 - 2.0 * 0.067 < deep / plate(shape)[0] < 1.0 and surface < plate(shape)[1]
    assert ROUND_BAR.at(0.2335, 0.55) == pytest.approx(
        [np.mean([0.739, 0.690, 0.743, 0.692]), np.mean([0.684, 0.689, 0.728, 0.732])]
    )
    assert ROUND_BAR.at(0.9, 1.3) == pytest.approx(ROUND_BAR.at(0.8, 1.0))


def test_shape_of_small_cracks_tends_to_one_ratio():
    """Where Y of both ends are equal both grow alike, so that shallow and round cracks come together."""
    of = {"c": 1e-12, "n": 3.0, "toughness_mpa_sqrt_m": 400.0}
    shapes = [
        (crack.depth / crack.half_length)[-1]
        for half in (2e-3, 8e-3)
        for crack in [grow(0.16, (2e-3, half), 24e-3, np.array([[200.0, 0.0, 345.0]]), "paris", of, ROUND_BAR)]
    ]
    assert abs(shapes[0] - shapes[1]) < 0.2 * (1.0 - 0.25)  # a fifth of what they began with


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("toughness", np.linspace(40.0, 41.0, 7))
def test_every_stage_of_a_step_may_reach_the_toughness(toughness):
    """Where the last stage of a step alone reached it, the step shrank to nothing: "below the threshold: no growth"."""
    of = {"c": 1e-12, "n": 3.0, "toughness_mpa_sqrt_m": toughness}
    crack = grow(0.164, (2e-3, 2.5e-3), None, np.array([[126.0, 0.0, 379.0]]), "paris", of, ROUND_BAR)
    assert crack.why == "K reaches the toughness" and crack.grows and len(crack.km) < 1000
    assert 0.98 * toughness < crack.largest[-1] <= toughness


def test_a_crack_that_grows_along_the_surface_alone_ends_round_the_bar():
    """It grew to 1e90 m and was called below the threshold."""
    of = {"c": 1e-12, "n": 3.0, "toughness_mpa_sqrt_m": 400.0}

    class Flat:
        depths = ROUND_BAR.depths

        def at(self, depth, shape):
            return np.array([0.0, 1.0])

    crack = grow(0.16, (2e-3, 2.5e-3), None, np.array([[126.0, 0.0, 379.0]]), "paris", of, Flat())
    assert crack.grows and crack.why == "its length is the circumference"
    assert crack.half_length[-1] == pytest.approx(0.5 * np.pi * 0.16, rel=0.01)  # a step


def test_interval_and_arrest_by_the_command(tmp_path, capsys):
    assert command("crack", str(written(tmp_path)), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["grows"] and found["interval_km"] == pytest.approx(found["life_km"] / 3.0)
    assert found["end"] == "K reaches the toughness" and found["largest_k_pa_sqrt_m"][-1] > 0.9 * 80e6
    assert command("crack", str(written(tmp_path))) == 0
    told = capsys.readouterr().out
    assert "load: amplitude to 120 MPa, 345 cycles a km in all" in told
    assert "inspection interval" in told and "source: a test" in told and "Shin and Cai 2004" in told
    assert command("crack", str(written(tmp_path, block={"amplitude_mpa": "20.0"}))) == 0
    told = capsys.readouterr().out
    assert "below the threshold: no growth" in told and "life" not in told


@pytest.mark.parametrize(
    ("changes", "material", "block", "words"),
    [
        ({"diameter_mm": None}, {}, {}, "must have diameter_mm"),
        ({"diameter_mm": '"thick"'}, {}, None, "diameter_mm must be 20 to 500"),
        ({"depth": "2.0"}, {}, None, "depth must be one of diameter_mm"),
        ({"depth_mm": "140.0", "half_length_mm": "150.0"}, {}, None, "0.8 diameter_mm, got 140"),
        ({"depth_mm": "0.002"}, {}, None, "depth_mm must be 0.05 to 500, got 0.002"),
        ({"half_length_mm": "1.0"}, {}, None, "half_length_mm must be depth_mm = 2 or more"),
        ({"inspections": "2.5"}, {}, None, "inspections must be 1 to 100, got 2.5"),
        ({"factors": '"y.csv"'}, {}, None, "factors and factors_source together"),
        ({"collective": '"c.toml"', "node": "3"}, {}, None, "either \\[\\[block\\]\\] or collective and node"),
        ({}, {}, {}, "either \\[\\[block\\]\\] or collective and node"),
        ({}, {"law": '"walker"'}, None, "material.law must be one of paris, forman, nasgro, got 'walker'"),
        ({}, {"source": None}, None, "must have material.source"),
        ({}, {"source": '" "'}, None, "material.source must be text"),
        ({}, {"threshold_mpa_sqrt_m": None}, None, "must have material.threshold_mpa_sqrt_m"),
        ({}, {"n": "nan"}, None, "material.n must be 0.5 to 20, got nan"),
        ({}, {}, {"cycles_per_km": "0.0"}, "block 1.cycles_per_km must be 1e-12 to 1e\\+06"),
        ({"diameter_mm": "16.0"}, {}, None, "diameter_mm must be 20 to 500, got 16"),  # cm
        ({}, {"c": "3e-9"}, None, "got 6.9e-06: c must be for m and MPa sqrt"),  # mm a cycle
        ({}, {"c": "3e-15"}, None, "1.9e-09 to 1.9e-06 m a cycle, as steels do"),
        ({}, {"law": '"paris"', "c": "9.5e-17"} | dict.fromkeys(list(MATERIAL)[5:]), None, "got 7.6e-13"),  # N, mm
        ({}, {"toughness_mpa_sqrt_m": "2.5"}, None, "toughness_mpa_sqrt_m must be 10 to 500"),
        ({}, {}, {"amplitude_mpa": "0.12"}, "amplitude_mpa must be 1 or more in one block"),  # kN/mm2
        ({}, {}, {"range_mpa": "3.0"}, "block 1.range_mpa must be one of amplitude_mpa"),
    ],
)  # fmt: skip
def test_wrong_files_one_line_each(tmp_path, changes, material, block, words):
    with pytest.raises(ScenarioError, match=words) as told:
        read_crack(written(tmp_path, changes, material, block))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n", ":1 must be a_over_d,a_over_c,deep,surface, got a,b"),
        ("a_over_d,a_over_c,deep,surface\n0,0,1\n", ":2 must be four numbers"),
        ("a_over_d,a_over_c,deep,surface\n0,1.5,1,1\n", "a/c up to 1"),
        ("a_over_d,a_over_c,deep,surface\n0,0,1,1\n0.5,1,1,1\n0.5,0,1,1\n", "got 3 rows of 2 a/d and 2 a/c"),
    ],
)
def test_wrong_factors_one_line_each(tmp_path, text, words):
    (tmp_path / "y.csv").write_text(text)
    with pytest.raises(ScenarioError, match=words):
        read_factors(tmp_path / "y.csv", "a test")
