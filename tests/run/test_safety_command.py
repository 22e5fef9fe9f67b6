"""`flexwheel safety` and `flexwheel vibration` on made-up results: what they print and draw, and what they refuse."""

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from flexwheel.face.terminal import FittedStream
from flexwheel.results.dataset import make_dataset
from flexwheel.results.files import write_results
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.keys.toml_text import scenario_toml
from tests.cli_cases import command

STEP, SPEED = 1e-3, 25.0
SCENARIO = """[run]
speed_kmh = 90.0
duration_s = 12.0
[track]
layout = [
    { kind = "straight", length_m = 60.0 }, { kind = "transition", length_m = 40.0 },
    { kind = "arc", length_m = 300.0, radius_m = -350.0, cant_mm = 100.0 },
]
"""


def written(folder, leave=(), length=12.0):
    """Results of the AS4 with forces of known size: outer wheel left, Y/Q 0.3 there."""
    time = STEP * np.arange(1, round(length / STEP) + 1)
    count, wave = len(time), np.sin(2.0 * np.pi * 5.0 * time)
    force = np.zeros((count, 4, 3))
    force[:, :, 2] = 90e3 + 5e3 * wave[:, None]
    force[:, ::2, 1], force[:, 1::2, 1] = 27e3 + 1e3 * wave[:, None], 9e3
    place = np.zeros((count, 3, 3))
    place[:, :, 0] = SPEED * time[:, None] - np.array([4.25, 0.0, 8.5])
    angle = np.zeros((count, 3, 3))
    angle[:, 1:, 2] = (SPEED / 0.46) * time[:, None]
    felt = np.zeros((count, 3, 3))
    felt[:, :, 1], felt[:, :, 2] = 0.7, 9.81 + 0.2 * wave[:, None]
    box = np.zeros((count, 4, 3))
    box[:, :, 2] = 9.81 + 2.0 * np.sin(10.0 * angle[:, 1, 2])[:, None]
    uneven = np.zeros((count, 4, 2))
    uneven[:, :, 1] = 1e-5 * np.random.default_rng(1).standard_normal((count, 4))
    arrays = {
        "wheel_force": force, "body_position": place, "body_angle": angle, "body_measured_acceleration": felt,
        "body_angular_acceleration": np.zeros((count, 3, 3)), "axle_box_measured_acceleration": box,
        "irregularity": uneven,
    }  # fmt: skip
    arrays = {name: values for name, values in arrays.items() if name not in leave}
    scenario = scenario_toml(parse_scenario(SCENARIO, Path("s.toml")))
    attributes = {
        "settling_s": 0.5, "scenario": scenario, "vehicle_kind": "railcar", "title": "made up",
        "output_variables": ", ".join(arrays), "static_wheel_load_n": np.full(4, 90e3),
    }  # fmt: skip
    labels = {"time": time, "wheelset": ["front", "rear"], "body": ["car_body", "front", "rear"]}
    write_results(make_dataset("vehicle", arrays, labels, attributes=attributes), folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return written(tmp_path_factory.mktemp("run"))


def test_safety_as_values(folder, capsys):
    assert command("safety", folder, "--json", "--limits", "assumed") == 0
    found = json.loads(capsys.readouterr().out)
    by = {(a["quantity"], a["zone"], a["item"]): a for a in found["assessments"]}
    quotient = by["y_over_q_2m", "4", "front outer"]
    # 90 kN with 5 kN of 5 Hz: over 2 m at 25 m/s the mean of the quotient is within 0.7 % of 0.3 times
    assert quotient["maximum"] == pytest.approx(0.3, rel=0.06) and quotient["within"] and quotient["limit"] == 0.8
    assert by["y_over_q_2m", "4", "rear inner"]["limit"] is None
    assert [round(s["start"]) for s in quotient["sections"]][0] == 100
    # the median of a wave sampled 200 times a period is its mean within 0.02 of its amplitude
    assert by["y_quasi_static", "4", "front outer"]["maximum"] == pytest.approx(27e3, abs=20.0)
    assert by["y_quasi_static", "4", "front inner"]["maximum"] == pytest.approx(9e3, rel=1e-5)
    assert by["y_quasi_static", "4", "front outer"]["limit"] == pytest.approx(30e3 + 10500e3 / 350.0)
    low = 1.0 / (1.0 + (2.0**0.5 - 1.0) / 4.0**4)  # of the 20 Hz filter at 5 Hz; the mean over 2 m is a sinc
    assert by["sum_y_2m", "4", "rear"]["maximum"] == pytest.approx(18e3 + 1e3 * low * np.sinc(0.4), rel=1e-4)
    floor = by["body_lateral_quasi_static", "4", "car_body floor above front"]
    assert floor["maximum"] == pytest.approx(0.7, rel=1e-5) and floor["limit"] == 1.5
    assert dict(found["wheel_unloading"])["front left"] == pytest.approx(5.0 / 90.0, rel=0.01)
    assert all(a["basis"] and (a["limit"] is None) == (not a["limit_source"]) for a in found["assessments"])
    assert found["unloading_limit"] == 0.6 and found["instability"][0]["limit"] == pytest.approx(5e3 + 180e3 / 6.0)
    assert any("compare with the number that your edition asks for" in note for note in found["notes"])
    assert {s["section"]["kind"] for s in found["statistics"]} == {"straight", "transition", "arc"}
    assert [i["wheelset"] for i in found["instability"]] == ["front", "rear"]


def test_safety_as_text(folder, capsys):
    assert command("safety", folder) == 0
    text = capsys.readouterr().out
    for part in ("EN 14363, test zone 4", "k1 = 1 (railcar)", "Nadal's limit", "N_MV", "no limit read", "Prud'homme"):
        assert part in text
    first = text.split("\n")[2]
    assert re.fullmatch(r"EN 14363: (\d+) of \1 estimated maxima within their limit, \d+ have none .*", first)


def test_a_run_without_a_whole_section_says_first_that_no_limit_is_judged(tmp_path, capsys):
    assert command("safety", written(tmp_path, length=4.0)) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[2].startswith("EN 14363: no verdict, no whole section") and "where figures are from:" not in told


def test_safety_at_80_columns(folder, capsys, monkeypatch):
    """Every row of every part of a table keeps what it is of."""
    monkeypatch.setenv("COLUMNS", "80")
    assert command("safety", folder) == 0
    terminal = io.StringIO()
    print(capsys.readouterr().out, file=FittedStream(terminal))
    rows = [row for row in terminal.getvalue().partition("flange climb")[0].split("\n") if re.search(r"\d\.\d{3}", row)]
    assert len(rows) > 100 and all(re.search("front|rear", row) and len(row) <= 80 for row in rows)


def test_pictures_of_safety(folder, tmp_path):
    assert command("safety", folder, "--out", tmp_path / "pictures") == 0
    assert {p.name for p in (tmp_path / "pictures").iterdir()} == {"en14363_4.png", "en14363_transitions.png"}


def test_vibration(folder, tmp_path, capsys):
    assert command("vibration", folder, "--json", "--highest-order", "12") == 0
    found = {s["name"]: s for s in json.loads(capsys.readouterr().out)["signals"]}
    orders = found["front left axle box vertical"]["orders"]
    assert orders["order"][int(np.argmax(orders["rms"]))] == pytest.approx(10.0)
    assert max(orders["rms"]) == pytest.approx(np.sqrt(2.0), rel=0.02)
    assert found["front left Q"]["coherence"]["windows"] > 50 and found["front left Y"]["coherence"] is None
    assert found["car_body floor above rear vertical"]["orders"] is None
    forces = written(tmp_path, ("body_measured_acceleration", "axle_box_measured_acceleration"), 3.0)
    assert command("vibration", forces, "--highest-order", "12", "--out", tmp_path / "p") == 0
    assert "re 1e-06 N" in capsys.readouterr().out
    made = {p.name for p in (tmp_path / "p").iterdir()}
    assert made == {
        "levels_force_y.png", "levels_force_z.png", "spectrogram_force_y.png", "spectrogram_force_z.png",
        "orders_force_y.png", "orders_force_z.png", "coherence_force_z.png",
    }  # fmt: skip


def test_results_without_what_is_wanted(tmp_path, capsys):
    bare = written(tmp_path / "bare", ("wheel_force",))
    assert command("safety", bare) == 2 and "leaves out wheel_force" in capsys.readouterr().err
    forces = written(
        tmp_path / "forces", ("body_measured_acceleration", "axle_box_measured_acceleration", "irregularity"), 3.0
    )
    assert command("safety", forces) == 0 and "no accelerations" in capsys.readouterr().out
    none = written(
        tmp_path / "none", ("body_measured_acceleration", "axle_box_measured_acceleration", "wheel_force"), 3.0
    )
    assert command("vibration", none) == 2 and "no vibration" in capsys.readouterr().err
    short = written(tmp_path / "short", (), 0.55)
    assert command("safety", short) == 2 and "run too short for running safety" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        (lambda d: d.assign_attrs(static_wheel_load_n=0.0), "safety"),
        (lambda d: d.assign_attrs(kind=[1.0, 2.0]), "vibration"),
        (lambda d: d.isel(time=slice(0, 1)), "safety"),
        (lambda d: d.assign_attrs(scenario="x"), "report"),
        (lambda d: d.assign_attrs(source=[1.0, 2.0]), "report"),
    ],
)
def test_what_is_missing_or_odd_is_one_line(changed, name, tmp_path, capfd):
    """Each ended in a traceback once."""
    written(tmp_path / "r", length=2.0)
    with xr.open_dataset(tmp_path / "r" / "results.nc") as opened:
        data = changed(opened.load())
    (tmp_path / "r" / "results.nc").unlink()
    data.to_netcdf(tmp_path / "r" / "results.nc", engine="netcdf4")
    assert command(name, tmp_path / "r") == 2
    lines = capfd.readouterr().err.splitlines()
    assert len([line for line in lines if line.startswith("flexwheel: ")]) == 1 and "internal" not in lines[-1]


@pytest.mark.parametrize("name", ["wheel_force", "body_position"])
def test_report_says_what_it_leaves_out(name, tmp_path):
    """Sections that need a variable which the results do not hold name it."""
    written(tmp_path / "r", length=2.0)
    with xr.open_dataset(tmp_path / "r" / "results.nc") as opened:
        data = opened.load().drop_vars(name)
    (tmp_path / "r" / "results.nc").unlink()
    data.to_netcdf(tmp_path / "r" / "results.nc", engine="netcdf4")
    assert command("report", tmp_path / "r") == 0
    page = (tmp_path / "r" / "report.html").read_text()
    assert f"Left out: the results hold no {name} (output.variables)." in page
