"""`flexwheel wear` on short runs: files it reads again, shares, limits of a batch; and what it refuses, in one line."""

import json
import re
import shutil
from contextlib import redirect_stdout

import netCDF4
import numpy as np
import pytest

from flexwheel.base.shipped import TRACK
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.results.files import read_results
from flexwheel.run.keys.reader import read_scenario
from tests import cf_rules
from tests.cli_cases import command

SCENARIO = """[run]
speed_kmh = 60.0
duration_s = {duration}
settling_s = 0.2
step_s = 2e-4
output_step_s = 4e-4
[track]
model = "rigid"
layout = [
    {{ kind = "straight", length_m = 2.0 }}, {{ kind = "arc", length_m = 60.0, radius_m = 800.0 }},
]
[irregularity]
spectrum = "none"
roughness = "none"
[roundness."front left"]
orders = [{{ order = 5, amplitude_mm = 0.01 }}]
"""


@pytest.fixture(scope="module")
def worn(tmp_path_factory):
    """Scenario and folder of two batches."""
    folder = tmp_path_factory.mktemp("wear")
    path = folder / "s.toml"
    path.write_text(SCENARIO.format(duration=0.65), encoding="utf-8")
    arguments = "--kilometres", 30000, "--batches", 2, "--highest-order", 20, "--depth-per-batch-mm", 0.05
    with (folder / "said.txt").open("w") as said, redirect_stdout(said):
        assert command("wear", path, "--out", folder / "out", *arguments) == 0
    return path, folder / "out"


def test_files_of_a_wear_computation(worn, tmp_path):
    """Profiles and circumferences are read again as they were left; the volume is that under the depth."""
    _, folder = worn
    assert sorted(p.name for p in folder.iterdir() if p.is_dir()) == ["batch_01", "batch_02"]
    moved = shutil.copytree(folder, tmp_path / "moved")
    scenario = read_scenario(moved / "worn_1.toml")
    assert str(moved) in scenario.contact.wheels["front left"].profile
    assert set(scenario.contact.wheels) == {"front left", "front right", "rear left", "rear right"}
    assert scenario.roundness["front left"].orders[0].order == 5
    assert not cf_rules.broken(folder / "wear.nc")
    with netCDF4.Dataset(folder / "wear.nc") as file:
        wheels, y = list(file["wheel"][:]), file["lateral"][:].data
        deepest = file["wear_depth"][:].max(axis=2)
        assert np.all(np.diff(deepest, axis=0) >= 0.0) and deepest[-1].max() > 1e-5
        assert np.all(np.diff(file["distance"][:]) > 0.0)
        lost = file["depth_rate"][:].sum(axis=2) * 2e-4 * 2.0 * np.pi * 0.46
        np.testing.assert_allclose(lost, file["volume_rate"][:], rtol=1e-9)
        k = wheels.index("front left")
        again = read_profile(scenario.contact.wheels["front left"].profile, "wheel", heights="file")
        height = np.interp(y, again.y, again.height, left=np.nan, right=np.nan)
        np.testing.assert_allclose(height, file["profile_height"][-1, k], atol=2e-9)
        kept = np.isfinite(height) & np.isfinite(file["profile_height"][0, k].filled(np.nan))
        gone = file["profile_height"][0, k] - file["profile_height"][-1, k]
        np.testing.assert_allclose(gone[kept], file["wear_depth"][-1, k][kept], atol=3e-7)
    assert command("check", folder / "worn_1.toml") == 0
    for name in ("profile_front.png", "orders_front.png", "circumference_rear.png"):
        assert (folder / name).stat().st_size > 10_000


def test_a_way_that_is_not_covered_is_said(worn):
    """JSON alone had it; 30,000 km were asked for and two batches are far less."""
    lines = (worn[0].parent / "said.txt").read_text().splitlines()
    assert [x for x in lines if re.fullmatch(r"warning: [0-9.e+]+ of 30000 km: --batches 2 ends it", x)], lines


def test_a_run_with_the_variables_gives_the_same_rates(worn, tmp_path, capsys, monkeypatch):
    drawn = "flexwheel.assess.wear_results.draw_wear"
    monkeypatch.setattr(drawn, lambda *arguments: [])  # pictures are those of the files above
    scenario, folder = worn
    names = '["body_*", "patch_*", "profile_*"]'
    assert command("run", scenario, "--out", tmp_path / "run", "-q", "--set", f"output.variables={names}") == 0
    out = shutil.copytree(folder, tmp_path / "out")
    shutil.copy(folder / "worn_1.toml", out / "worn_2.toml")
    assert command("wear", tmp_path / "run", "--out", out, "--json", "--kilometres", 10) == 0
    plain = json.loads(capsys.readouterr().out)
    stored = read_results(tmp_path / "run")
    with netCDF4.Dataset(folder / "wear.nc") as file:
        for k, name in enumerate(file["wheel"][:]):
            turns = int(file["turns"][0, k])
            assert plain["wheels"][name]["friction_energy_n"][0] == pytest.approx(
                recorded(stored, name, turns), rel=0.01
            )
            assert plain["wheels"][name]["friction_energy_n"][0] == pytest.approx(float(file["friction_energy"][0, k]))
    assert (
        plain["distance_asked_m"] == 1e4
        and plain["ended_by"] == ["the distance asked for"]
        and plain["distance_m"] == [0.0, 1e4]
    )
    assert command("wear", tmp_path / "run", "--out", out, "--kilometres", 1e6) == 0
    assert " of 1e+06 km: results of a run give one batch; give its scenario" in capsys.readouterr().out
    assert {p.name for p in out.glob("[bw]*")} == {"batch_01", "worn_1.toml", "wear.nc"}  # what was longer is gone


def recorded(results, wheel, turns):
    """Mean of force times creepage over the same turns."""
    begin = 2.0 * np.pi if wheel == "front left" else 0.0  # out-of-roundness grows over a turn
    spin = results.body_angle.sel(body=wheel.split()[0], rotation="spin").values
    bin_ = 2.0 * np.pi / 1024
    first = np.ceil(spin[(results.time.values >= 0.2) & (spin >= begin)][0] / bin_) * bin_
    part = results.sel(wheel=wheel).isel(time=(spin >= first) & (spin < first + 2.0 * np.pi * turns)).fillna(0.0)
    pairs = ("xi", "creep_force_x"), ("eta", "creep_force_y"), ("phi", "spin_moment")
    return -sum((part[f"patch_{c}"] * part[f"patch_{f}"]).sum("patch").values.mean() for c, f in pairs)


def entry(value, unit):
    return f'{{ value = {value}, unit = "{unit}", source = "s", confidence = "assumed" }}'


PIECE = f"[[piece]]\nfrom = {entry(0.0, 'N')}\nconstant = {entry(0.0, 'mm3/km')}\nslope = {entry(0.25, 'mm3/km/N')}\n"
PATCH = 'kind = "energy_per_patch"\n'
SLIDING = f'kind = "sliding"\nhardness = {entry(3e9, "Pa")}\n'
LAWS = {  # text of a law file -> what the line says
    "": "kind must be one of",
    "kind = 3\n": "kind must be one of energy_per_area, energy_per_patch, sliding, got 3",
    "kind = [\n": "law.toml",
    PATCH: "at least one table [[piece]] must be given",
    f"{PATCH}piece = 3\n": "at least one table [[piece]] must be given",
    f"{PATCH}[[piece]]\nfrom = 0.0\n": "piece 1.from must be { value, unit, source, confidence }, got 0.0",
    PATCH + PIECE.replace('"N"', '"kN"'): "piece 1.from.unit must be 'N', got 'kN'",
    PATCH + PIECE.replace("0.25", "nan"): "piece 1.slope.value must be a number",
    PATCH + PIECE.replace("0.25", '"a"'): "piece 1.slope.value must be a number",
    PATCH
    + PIECE.replace("0.25", "-0.25"): "piece 1: wear must be >= 0 from 0 to inf, got constant = 0 and slope = -0.25",
    PATCH
    + PIECE.replace(
        'value = 0.0, unit = "N"', 'value = 5.0, unit = "N"'
    ): "the first must have from = 0, each further one a larger from, got 5",
    PATCH + PIECE + PIECE: "each further one a larger from, got 0, 0",
    f"{PATCH}density = 3\n{PIECE}": "unknown key density",
    f"{SLIDING}[[region]]\nk = {entry(-1.0, '1')}\n": "region 1.k.value must be a number >= 0",
    f"{SLIDING}[[region]]\nslip_below = {entry(0.2, 'm/s')}\nk = {entry(1.0, '1')}\n": "pressure_below, got slip_below",
    f"{SLIDING}[[region]]\nslip = {entry(0.2, 'm/s')}\nk = {entry(1.0, '1')}\n": "unknown key region 1.slip",
}


@pytest.mark.parametrize("text", LAWS)
def test_bad_laws_end_in_one_line(text, tmp_path, capsys):
    law, scenario = tmp_path / "law.toml", tmp_path / "s.toml"
    law.write_text(text, encoding="utf-8")
    scenario.write_text(SCENARIO.format(duration=0.65), encoding="utf-8")
    refused(("wear", scenario, "--out", tmp_path / "out", "--law", law), LAWS[text], capsys)
    assert not (tmp_path / "out").exists()


def refused(arguments, words, capsys):
    """The command ends with code 2 and one line with these words."""
    assert command(*arguments) == 2
    said = capsys.readouterr().err.strip()
    assert words in said and len(said.splitlines()) == 1 and "Traceback" not in said, said


PROFILES = {  # text of a wheel's file -> what the line says
    "": "a profile must have 5 points or more, got 0",
    "y_mm,z_mm\n1,2\n3\n": "must have 2 numbers",
    "y_mm,z_mm\n0,nan\n": "not finite",
    "\0\0": "it is not text",
    "y_mm,z_mm\n" + "".join(f"{0.001 * k},0.0\n" for k in range(10)): "wide when read in mm",
    "mirrored": "on the field side",
}


@pytest.mark.parametrize("text", PROFILES)
def test_bad_profiles_end_in_one_line(text, tmp_path, capsys):
    if text == "mirrored":
        rows = [line.split(",") for line in (TRACK / "profiles" / "S1002.csv").read_text().splitlines()[2:] if line]
        content = "\n".join(f"{-float(y)},{z}" for y, z in rows)
    else:
        content = text
    (tmp_path / "own.csv").write_text(content, encoding="utf-8")
    scenario = tmp_path / "s.toml"
    own = '[contact.wheels."rear left"]\nprofile = "own.csv"\nheights = "file"\n'
    scenario.write_text(SCENARIO.format(duration=0.65) + own, encoding="utf-8")
    refused(("wear", scenario, "--out", tmp_path / "out"), PROFILES[text], capsys)


def test_other_slips_end_in_one_line(worn, tmp_path, capsys):
    scenario, folder = worn
    out = "--out", tmp_path / "out"
    refused(("wear", scenario, *out, "--law", "archard"), "must be one of brr, jendel, usfd", capsys)
    refused(("wear", scenario, *out, "--share", 1, "--share", 2), "must be a number >= 0 for each of 1 pieces", capsys)
    refused(("wear", scenario, *out, "--share", -1), "must be a number >= 0", capsys)
    refused(("wear", scenario, *out, "--feed", "rail"), "--feed must be both, profile or circumference", capsys)
    refused(("wear", folder, *out), "holds no results.nc", capsys)
    refused(
        ("wear", scenario, *out, "--set", "contact.tangential=polach"), "contact.tangential must be 'fastsim'", capsys
    )
    refused(("wear", scenario, *out, "--set", "run.settling_s=0.9"), "over before it has settled (0.9 s)", capsys)
    assert command("run", scenario, "--out", tmp_path / "run", "-q") == 0
    refused(("wear", tmp_path / "run", *out), "the run has not stored profile_y", capsys)
    refused(("wear", tmp_path / "run", scenario, *out), f"not both, got {tmp_path / 'run'} (run), {scenario}", capsys)
    refused(("wear", tmp_path / "run", *out, "--set", "run.step_s=1e-4"), "has its settings", capsys)
    assert not (tmp_path / "out").exists()
