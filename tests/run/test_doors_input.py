"""Files at the door: whatever a named file is, the answer is its text or one typed error that names it."""

import os
import re

import pytest
import xarray as xr
from cli_cases import command

from flexwheel.assess.delta_r_file import read_delta_r
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import parse_toml, read_text, regular_file
from flexwheel.base.shipped import EXAMPLES, TRACK
from flexwheel.results import files
from flexwheel.run.keys.reader import read_scenario
from flexwheel.track.irregularity import file_record
from flexwheel.track.roughness import roughness_table
from flexwheel.track.track_parameters import flexible_track, rail_section
from flexwheel.vehicle.vehicle_file import read_vehicle
from tests import rooms

READERS = {
    "irregularity": (file_record, "x.csv"),
    "roughness": (roughness_table, "x.csv"),
    "track": (flexible_track, "x.toml"),
    "vehicle": (read_vehicle, "x.toml"),
    "scenario": (read_scenario, "x.toml"),
    "delta r": (read_delta_r, "x.csv"),
}
if rooms.there("systems/locomotive"):
    from flexwheel.systems.locomotive.profile_pieces import read_profile_pieces

    READERS["profile pieces"] = (read_profile_pieces, "x.csv")
readers = pytest.mark.parametrize("name", READERS)


def refused(reader, path):
    with pytest.raises(ScenarioError) as error:
        reader(str(path))
    assert "\n" not in str(error.value)
    return str(error.value)


@readers
def test_latin_1_names_file_line_and_byte(name, tmp_path):
    reader, file = READERS[name]
    (tmp_path / file).write_bytes(b"# first\n# Gr\xf6\xdfe\n")
    text = refused(reader, tmp_path / file)
    assert f"{file}:2: byte 12 (0xf6) is not UTF-8" in text


@readers
def test_utf_16_is_named(name, tmp_path):
    reader, file = READERS[name]
    (tmp_path / file).write_bytes("# first\n".encode("utf-16"))
    assert "UTF-16" in refused(reader, tmp_path / file)


@readers
def test_devices_pipes_and_folders_are_refused(name, tmp_path):
    reader, file = READERS[name]
    os.mkfifo(tmp_path / file)
    assert "is a pipe" in refused(reader, tmp_path / file)
    os.unlink(tmp_path / file)
    (tmp_path / file).symlink_to("/dev/zero")
    assert "is a device" in refused(reader, tmp_path / file)
    os.unlink(tmp_path / file)
    (tmp_path / file).mkdir()
    assert "is a folder" in refused(reader, tmp_path / file)


@readers
def test_names_no_file_can_have(name, tmp_path):
    reader, file = READERS[name]
    assert len(refused(reader, tmp_path / (300 * "a" + file))) < 600
    assert "no user has this name" in refused(reader, f"~nouser/{file}")
    refused(reader, tmp_path / f"a\0{file}")


def test_byte_order_mark_is_no_content(tmp_path):
    file = tmp_path / "r.csv"
    file.write_bytes(b"\xef\xbb\xbfwavelength_m,level_dB\r\n0.1,3.0\r\n0.08,1.0\r\n")
    wavelengths, levels = roughness_table(str(file))
    assert list(wavelengths) == [0.1, 0.08] and list(levels) == [3.0, 1.0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = " + 3000 * "[" + 3000 * "]", "nested too deep"),
        ("a = " + 5000 * "9", "digits"),
        ("a = 2024-02-31", "not valid TOML"),
        ("a = ", "not valid TOML"),
    ],
)
def test_toml_that_python_cannot_hold(text, expected):
    with pytest.raises(ScenarioError, match=expected):
        parse_toml(text, "x.toml")


def test_a_file_too_large_is_refused_unread(tmp_path):
    with open(tmp_path / "x.toml", "wb") as stream:
        stream.truncate(2**40)
    with pytest.raises(ScenarioError, match="MB, got"):
        read_text(tmp_path / "x.toml")


def test_regular_file_gives_the_path(tmp_path):
    (tmp_path / "x").write_text("")
    assert regular_file(tmp_path / "x") == tmp_path / "x"


SHIPPED = {"rail": TRACK / "rail" / "uic60.toml", "flexible": TRACK / "flexible" / "ballasted.toml"}


@pytest.mark.parametrize("kind", SHIPPED)
@pytest.mark.parametrize("value", ["true", "nan", "1e300", "-1.0", '"3"', "[1, 2, 3]", f"1{400 * '0'}", "{ a = 1 }"])
def test_track_files_hold_numbers(kind, value, tmp_path):
    text = SHIPPED[kind].read_text(encoding="utf-8")
    places = [match.span(1) for match in re.finditer(r"value = (-?[0-9][0-9.e+-]*)", text)]
    assert len(places) > 8
    for first, last in places:
        (tmp_path / "x.toml").write_text(text[:first] + value + text[last:], encoding="utf-8")
        refused(rail_section if kind == "rail" else flexible_track, tmp_path / "x.toml")


@pytest.mark.parametrize(
    "text", ["sleeper = 3", "fastener = []", "bay = 0.6", "[fastener]\nvertical = 3", "[bay]\nx = 1"]
)
def test_track_files_hold_tables(text, tmp_path):
    (tmp_path / "x.toml").write_text(text)
    refused(flexible_track, tmp_path / "x.toml")


@pytest.mark.parametrize(
    "arguments",
    [
        ("eigen", EXAMPLES / "manchester_s_curve.toml"),
        pytest.param(("view", "results.nc"), marks=rooms.needs("systems/train")),
    ],
)
def test_an_empty_folder_name_is_no_default(arguments, monkeypatch, capfd):
    """eigen left its pictures out, view drew into the folder of the run."""
    monkeypatch.setattr(files, "read_results", lambda place: xr.Dataset(attrs={"kind": "train"}))
    assert command(*arguments, "--out", "") == 2
    assert "the name of the output folder must not be empty" in capfd.readouterr().err
