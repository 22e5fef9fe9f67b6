"""Commands contact, creep and conicity: keys, units, frames, and refusals in one line."""

import json

import numpy as np
import pytest
from cli_cases import command

from flexwheel.assess.delta_r_file import read_delta_r
from flexwheel.contact.fastsim import fastsim
from flexwheel.contact.profiles.s1002 import s1002

CONE = "y_mm,delta_r_mm\n" + "".join(f"{y},{0.1 * y}\n" for y in range(-5, 6))


def _json(capsys, *arguments):
    assert command(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


def _refused(capsys, *arguments):
    assert command(*arguments) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    lines = [line for line in lines if " gone, " not in line]  # progress, where a first use compiles for long
    assert len(lines) == 1 and lines[0].startswith("flexwheel: ")
    return lines[0]


def test_geometry_keys(capsys):
    found = _json(capsys, "contact", "--wheel", "S1002", "--rail", "60E1", "--inclination", "1:40",
                  "--range-mm", "-4:4:1")  # fmt: skip
    assert found["lateral_shift_m"] == pytest.approx(1e-3 * np.arange(-4, 5))
    for name in ("delta_r_m", "roll_rad", "lift_m"):
        assert len(found[name]) == 9
    for side in ("left", "right"):
        names = "rolling_radius_m contact_angle_rad x_m y_rail_m z_rail_m y_wheel_m y_track_m".split()
        assert sorted(found[side]) == sorted(names)
    radii = np.array(found["left"]["rolling_radius_m"]) - found["right"]["rolling_radius_m"]
    assert found["delta_r_m"] == pytest.approx(radii)
    assert found["left"]["y_track_m"][4] == pytest.approx(-found["right"]["y_track_m"][4], abs=1e-6)
    assert {"side", "lateral_shift_m", "y_wheel_before_m", "y_rail_after_m"} <= set(found["jumps"][0])
    assert {"amplitude_m", "conicity", "conicity_regression", "turning_points_m"} <= set(found["conicity"])
    assert found["nominal"]["gauge_clearance_m"] == pytest.approx(0.010, abs=1e-5)
    assert found["contact_angle_parameter"]["per_shift_1_m"] and found["roll_parameter"]["per_shift_1_m"]


def test_loaded_wheel_keys_and_mirror(capsys, tmp_path):
    left = _json(capsys, "contact", "--rail", "UIC60", "--lateral-shift-mm", "5.1", "--load-kn", "20", "--side", "left",
                 "--out", tmp_path)  # fmt: skip
    right = _json(capsys, "contact", "--rail", "UIC60", "--lateral-shift-mm", "-5.1", "--load-kn", "20",
                  "--side", "right")  # fmt: skip
    (one,), (other,) = (found["configurations"][0]["wheels"] for found in (left, right))
    assert one["regions"] == other["regions"] == 2
    assert one["force_n"] == pytest.approx([0.0, -other["force_n"][1], other["force_n"][2]], abs=1e-3)
    assert one["force_n"][2] == pytest.approx(20e3, rel=1e-3)
    for mine, yours in zip(one["patches"], other["patches"], strict=True):
        assert mine["y_m"] == pytest.approx(-yours["y_m"])
        assert mine["load_n"] == pytest.approx(yours["load_n"])
        assert mine["xi"] is None and mine["peak_pressure_pa"] > 1e8 and 1e-6 < mine["area_m2"] < 1e-4
    assert sum(patch["load_n"] for patch in one["patches"]) == pytest.approx(one["load_n"])
    assert len(left["pictures"]) == 2 and all(
        (tmp_path / name.split("/")[-1]).stat().st_size for name in left["pictures"]
    )


def test_rolling_wheelset_in_a_curve(capsys):
    found = _json(capsys, "contact", "--lateral-shift-mm", "3:4:1", "--yaw-mrad", "2", "--speed-kmh", "36",
                  "--curve-radius-m", "500", "--normal", "semi_hertzian")  # fmt: skip
    assert [one["lateral_shift_m"] for one in found["configurations"]] == pytest.approx([3e-3, 4e-3])
    first = found["configurations"][0]
    assert [wheel["side"] for wheel in first["wheels"]] == ["left", "right"]
    assert first["spin_rad_s"] == pytest.approx(10.0 / 0.46, rel=5e-3)
    patch = first["wheels"][0]["patches"][0]
    assert abs(patch["force_x_n"]) + abs(patch["force_y_n"]) > 1e3
    assert np.hypot(patch["force_x_n"], patch["force_y_n"]) <= 0.4 * patch["load_n"] * (1 + 1e-9)
    # yawed to the left both wheels slide to the right, and are pushed to the left
    for wheel in first["wheels"]:
        assert wheel["patches"][0]["eta"] < 0.0 < wheel["patches"][0]["force_y_n"]


def test_profile_without_flange(capsys, tmp_path):
    y = np.linspace(-35.0, 35.0, 141)
    path = tmp_path / "cone.txt"
    np.savetxt(path, np.column_stack([y, -0.05 * y]))
    found = _json(capsys, "contact", "--wheel", path, "--range-mm", "-2:2:1")
    assert found["nominal"]["gauge_clearance_m"] is None
    assert 0.045 < found["conicity_3mm"] < 0.06


def test_creep_is_the_library_in_both_frames(capsys):
    options = ["--method", "fastsim", "--a-mm", "5", "--b-mm", "3", "--load-kn", "60", "--mu", "0.3", "--eta", "0.001",
               "--phi-1-mm", "0.0002", "--cells", "66", "--strips", "66"]  # fmt: skip
    wheel = _json(capsys, "creep", *options, "--xi", "0.002")
    rail = _json(capsys, "creep", *options, "--xi", "-0.002", "--frame", "rail")
    force = fastsim(5e-3, 3e-3, 60e3, 0.3, (0.002, 0.001, 0.2), grid=(66, 66))
    assert [wheel[k] for k in ("force_x_n", "force_y_n", "moment_z_n_m")] == pytest.approx(force.tolist())
    assert [rail[k] for k in ("force_x_n", "force_y_n")] == pytest.approx([-force[0], force[1]])
    assert wheel["force_x_mu_n"] == pytest.approx(force[0] / 18e3)
    assert wheel["saturation"] <= 1.0 + 1e-12 and set(wheel["kalker"]) == {"c11", "c22", "c23", "c33"}


def test_bounds_differ_and_linear_needs_no_load(capsys):
    options = ["creep", "--a-mm", "5", "--b-mm", "3", "--xi", "0.002"]
    loaded = [*options, "--load-kn", "60", "--mu", "0.3", "--method"]
    par, ell = (_json(capsys, *loaded, "fastsim", "--bound", bound)["force_x_n"] for bound in ("parabolic", "elliptic"))
    assert abs(par - ell) > 50.0
    plain, saturated = _json(capsys, *options, "--method", "linear"), _json(capsys, *loaded, "linear")
    assert abs(plain["force_x_n"]) > abs(saturated["force_x_n"]) and plain["saturation"] is None
    assert _json(capsys, *loaded, "polach")["moment_z_n_m"] == 0.0


def test_conicity_keys(capsys, tmp_path):
    path = tmp_path / "cone.csv"
    path.write_text(CONE)
    found = _json(capsys, "conicity", path, "--amplitudes-mm", "1:4:1", "--out", tmp_path)
    assert found["amplitude_m"] == pytest.approx([1e-3, 2e-3, 3e-3, 4e-3])
    for name in ("conicity", "conicity_regression", "conicity_harmonic"):
        assert found[name] == pytest.approx([0.05] * 4)
    assert found["wavelength_m"] == pytest.approx([16.505] * 4, abs=1e-3)  # Klingel, e = 1.5 m, r0 = 0.46 m
    assert found["conicity_3mm"] == pytest.approx(0.05)
    assert found["turning_points_m"][0] == pytest.approx([-1e-3, 1e-3])
    assert (tmp_path / "conicity.png").stat().st_size > 1000


def test_conicity_without_oscillation_is_null(capsys, tmp_path):
    path = tmp_path / "hollow.txt"
    y = np.linspace(-6, 6, 121)
    path.write_text("\n".join(f"{a} {-0.02 * a + 0.003 * a**3}" for a in y))
    found = _json(capsys, "conicity", path, "--amplitudes-mm", "2")
    assert found["conicity"] == [None] and found["conicity_regression"][0] < 0.0


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("y_m;delta_r_m\n-0.005;-0.0005\n0;0\n0.005;0.0005\n", None),
        ("# measured\n-5 -0.5\n\n0 0\n5 0.5\n", None),
        ("5,0.5\n0,0\n-5,-0.5\n", None),
        ("case,y_mm,delta_r_mm\nA,-5,-0.5\nB,-5,-1\nA,0,0\nB,0,0\nA,5,0.5\nB,5,1\n", "A"),
    ],
)
def test_delta_r_files(tmp_path, text, case):
    path = tmp_path / "t.csv"
    path.write_text(text)
    table = read_delta_r(path, case)
    np.testing.assert_allclose(table.y, [-5e-3, 0.0, 5e-3])
    np.testing.assert_allclose(table.delta_r, [-5e-4, 0.0, 5e-4], atol=1e-18)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["contact", "--wheel", "nothing"], "--wheel nothing: neither a shipped"),
        (["contact", "--inclination", "40"], "--inclination must "),
        (["contact", "--gauge-mm", "1.435"], "--gauge-mm must be 500"),
        (["contact", "--gauge-mm", "1520"], "must put the tread datum over the rail"),
        (["contact", "--range-mm", "3:1:1"], "--range-mm must "),
        (
            ["contact", "--speed-kmh", "80"],
            "--speed-kmh needs --lateral-shift-mm, got --speed-kmh 80.0 without a shift",
        ),
        (["contact", "--normal", "conformal"], "--normal needs --lateral-shift-mm, got --normal conformal"),
        (["contact", "--range-mm", "0:1:1", "--lateral-shift-mm", "2"], "without --lateral-shift-mm only, got 0:1:1"),
        (["contact", "--lateral-shift-mm", "a"], "--lateral-shift-mm must "),
        (["contact", "--lateral-shift-mm", "25", "--side", "left"], "flange tip"),
        (["contact", "--lateral-shift-mm", "1", "--load-kn", "-5"], "--load-kn must "),
        (["contact", "--lateral-shift-mm", "1", "--normal", "exact"], "--normal must "),
        (["contact", "--lateral-shift-mm", "1", "--curve-radius-m", "5"], "--curve-radius-m must "),
        (["contact", "--lateral-shift-mm", "1", "--yaw-mrad", "500"], "--yaw-mrad must "),
        (["creep", "--method", "contact", "--a-mm", "5", "--b-mm", "3"], "--method must "),
        (["creep", "--method", "fastsim", "--a-mm", "5", "--b-mm", "3"], "needs --load-kn and --mu"),
        (["creep", "--method", "linear", "--a-mm", "0", "--b-mm", "3"], "--a-mm must "),
        (
            [
                "creep",
                "--method",
                "polach",
                "--a-mm",
                "5",
                "--b-mm",
                "3",
                "--load-kn",
                "60",
                "--mu",
                "0.3",
                "--k-adhesion",
                "1e40",
            ],
            "k_adhesion = 1e+40",
        ),
        (["creep", "--method", "linear", "--a-mm", "5", "--b-mm", "3", "--nu", "0.7"], "--nu must "),
        (["creep", "--method", "linear", "--a-mm", "5", "--b-mm", "3", "--xi", "nan"], "--xi must "),
        (["conicity", "missing.csv"], "there is no such file"),
    ],
)
def test_refused_in_one_line(capsys, arguments, text):
    assert text in _refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("", "is empty"),
        ("a,b\n1,2\n2,3\n3,4\n", "columns must be y_mm, delta_r_mm"),
        ("1,2\n2,x\n3,4\n", "line 2"),
        ("1,2\n2,3\n", "3 points or more, got 2"),
        ("-6,1\n0,0\n6,-1\n", "change the sign of one column"),
        ("0,0\n0,1\n6,2\n", "must increase"),
        ("-6000,-1\n0,0\n6000,1\n", "is the unit right"),
        ("case,y_mm,delta_r_mm\nA,0,0\nB,1,1\n", "choose one with --case"),
    ],
)
def test_bad_delta_r_files(capsys, tmp_path, content, text):
    path = tmp_path / "t.csv"
    path.write_text(content)
    assert text in _refused(capsys, "conicity", path)


def test_bad_profile_files(capsys, tmp_path):
    wheel = s1002(5e-4)
    down = np.column_stack([1e3 * wheel.y, 1e3 * wheel.height])
    folded = down.copy()
    folded[150:160, 0] = folded[160:150:-1, 0]
    for name, points, text in (
        ("folded", folded, "lines 150 to 151: a gap of 5.47 mm"),
        ("metres", 1e-3 * down, "is its --profile-unit m, its"),
        ("inches", down / 25.4, "5.098 mm wide when read in mm, expected 20 to 400 mm; is its --profile-unit in, its"),
        ("turned", down * [-1.0, 1.0], "set --mirror-wheel"),
    ):
        path = tmp_path / f"{name}.txt"
        np.savetxt(path, points)
        assert text in _refused(capsys, "contact", "--wheel", path)


@pytest.mark.parametrize(
    "given, words",
    [
        (["--profile-unit", "ft"], "--profile-unit: without effect on shipped profiles; name a wheel or rail file"),
        (["--cutoff-mm", "3"], "--cutoff-mm: without effect on shipped profiles; name a wheel or rail file"),
        (["--mirror-wheel"], "--mirror-wheel: without effect on shipped profiles; name a wheel file"),
        (["--rail-upright"], "--rail-inclined: without effect on shipped profiles; name a rail file"),
    ],
)
def test_options_of_files_are_refused_without_one(capsys, given, words):
    assert words in _refused(capsys, "contact", *given)
