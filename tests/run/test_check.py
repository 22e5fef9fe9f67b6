"""`flexwheel check`: every example is in order; broken files are refused with their name before anything is reduced."""

import json
import re
import sys
from pathlib import Path

import pytest
from train_scenario_text import GOOD

from flexwheel.base.errors import FlexwheelError
from flexwheel.face.cli import main
from flexwheel.run.check_scenario import check_scenario
from tests import rooms

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, MESHES, TRACK, VEHICLES = (
    ROOT / "examples",
    ROOT / "meshes",
    ROOT / "track",
    ROOT / "flexwheel" / "vehicle" / "files",
)
COARSE, LARGE = (MESHES / "wheelset_coarse.inp").read_text(encoding="utf-8"), str(MESHES / "wheelset.inp")
AS4 = (VEHICLES / "as4.toml").read_text(encoding="utf-8")
FEVE = (VEHICLES / "feve3000.toml").read_text(encoding="utf-8")
WHEEL = (TRACK / "profiles" / "S1002.csv").read_text(encoding="utf-8")
SUPPORT = (TRACK / "flexible" / "ballasted.toml").read_text(encoding="utf-8")
RAIL = (TRACK / "rail" / "uic60.toml").read_text(encoding="utf-8")
BED = (MESHES / "ballast_bed.inp").read_text(encoding="utf-8")
FRONT = "wheelset.front."
VEHICLE = """kind = "vehicle"
[run]
duration_s = 0.5
[wheelset.front]
formulation = "flexible"
mesh = "mesh.inp"
"""
TRAIN = (EXAMPLES / "freight_wagon_in_train.toml").read_text(encoding="utf-8")
TREADS = FRONT + 'tread_sets=["TREAD_LEFT", "B"]'


def without(text, word):
    """Text without the first line that has a word, and the line after it."""
    lines = text.splitlines()
    at = next(k for k, line in enumerate(lines) if word in line)
    return "\n".join([*lines[:at], *lines[at + 2 :], ""])


BROKEN = {  # what is wrong: side file and its text, overrides, what the message says; of VEHICLE unless a text is given
    "word in a wheel profile": (
        "w.csv",
        WHEEL.replace(WHEEL.splitlines()[40], "1.0,high"),
        ["contact.wheel_profile=w.csv"],
        r"w\.csv",
    ),
    "wheel profile of one point": ("w.csv", "y_mm,z_mm\n0,0\n", ["contact.wheel_profile=w.csv"], r"w\.csv"),
    "name of a mesh that no file has": (
        "other.inp",
        COARSE,
        [FRONT + r'mesh="\u0000"'],
        r"wheelset\.front\.mesh: .* must be a mesh file",
    ),
    "rail file that does not say how it stands": (
        "r.csv",
        (TRACK / "profiles" / "60E1.csv").read_text(),
        ["contact.rail_profile=r.csv"],
        "inclined",
    ),
    "unknown profile": ("x", "", ["contact.rail_profile=60E9"], "neither a shipped rail profile"),
    "unknown column of irregularity": (
        "i.csv",
        "s_m,left_up_mm\n0,1\n1,2\n2,1\n3,2\n4,1\n",
        ["irregularity.file=i.csv"],
        r"i\.csv.*left_up_mm",
    ),
    "irregularity without a place": (
        "i.csv",
        "x,left_vertical_mm\n0,1\n1,2\n2,1\n3,2\n4,1\n",
        ["irregularity.file=i.csv"],
        "must be s_m or distance_m",
    ),
    "nan in irregularity": (
        "i.csv",
        "s_m,left_vertical_mm\n0,1\n1,nan\n2,1\n3,2\n4,1\n",
        ["irregularity.file=i.csv"],
        r"i\.csv:3",
    ),
    "word in a roughness table": (
        "n.csv",
        "wavelength_m,level_dB\n0.1,ten\n",
        ["irregularity.roughness=n.csv"],
        r"n\.csv:2",
    ),
    "unknown roughness": ("x", "", ["irregularity.roughness=iso9999"], "iso9999"),
    "support without its sleeper's mass": (
        "s.toml",
        SUPPORT.replace("mass", "masse"),
        ["track.support=s.toml"],
        r"s\.toml",
    ),
    "rail section without its area": ("s.toml", RAIL.replace("area", "aria"), ["track.rail=s.toml"], r"s\.toml"),
    "unknown rail section": ("x", "", ["track.rail=uic61"], "uic61"),
    "bed without seats": ("b.inp", BED.replace("SEAT_LEFT", "SEATS"), ["track.foundation.mesh=b.inp"], "SEAT_LEFT"),
    "vehicle with a name alone": ("v.toml", 'name = "x"\n', ["vehicle.file=v.toml"], r"v\.toml"),
    "body of negative mass": (
        "v.toml",
        re.sub(r"(mass_kg = \{ value = )", r"\g<1>-", AS4, count=1),
        ["vehicle.file=v.toml"],
        r"v\.toml.*mass_kg",
    ),
    "element on no body": (
        "v.toml",
        AS4.replace('other_body = "car_body"', 'other_body = "car"', 1),
        ["vehicle.file=v.toml"],
        r"v\.toml.*'car'",
    ),
    "torque without a driven wheelset": (
        "v.toml",
        AS4.replace("driven = { value = true", "driven = { value = false"),
        ["vehicle.file=v.toml", "drive.kind=axle_torque"],
        "driven",
    ),
    "wheelset the vehicle does not have": ("x", "", ["wheelset.middle.formulation=rigid"], "middle"),
    "mesh of an unknown format": (
        "m.step",
        "ISO-10303-21;\n",
        [FRONT + "mesh=m.step"],
        r"m\.step: a mesh is read from .*, got \.step",
    ),
    "empty mesh": ("m.inp", "\n", [FRONT + "mesh=m.inp"], r"m\.inp.*empty"),
    "truncated mesh": ("m.inp", COARSE[: len(COARSE) // 2], [FRONT + "mesh=m.inp"], r"m\.inp"),
    "mesh without material": ("m.inp", without(COARSE, "*ELASTIC"), [FRONT + "mesh=m.inp"], r"m\.inp"),
    "mass that is not read": (
        "m.inp",
        COARSE + "*NONSTRUCTURAL MASS, ELSET=SOLID_STEEL, UNITS=TOTAL MASS\n10.,\n",
        [FRONT + "mesh=m.inp"],
        "NONSTRUCTURAL MASS",
    ),
    "mesh in another unit": ("x", "", [FRONT + "mesh_unit=mm"], "length_unit"),
    "axle along another axis": ("x", "", [FRONT + "axle_axis=x"], "axle_axis"),
    "no such tread set": ("x", "", [TREADS], "no node set 'B'"),
    "no such interface set": ("x", "", [FRONT + 'interface_sets=["A", "AXLE_BOX_RIGHT"]'], "no node set 'A'"),
    "no such control node": ("x", "", [FRONT + 'control_nodes=["web_filet"]'], r"control_nodes\.0: 'web_filet'"),
    "no such node id": ("x", "", [FRONT + "control_nodes=[999999]"], r"control_nodes\.0: .* no node 999999"),
    "control node off the mesh": ("x", "", [FRONT + "control_nodes=[[0.0, 3.0, 0.0]]"], "mm off"),
    "no such set of a large mesh": ("x", "", [FRONT + f"mesh={LARGE}", TREADS], "set 'B'"),
    "no such control node of a large mesh": (
        "x",
        "",
        [FRONT + f"mesh={LARGE}", FRONT + 'control_nodes=["webb"]'],
        "'webb'",
    ),
    "track too short": ("x", "", ["run.duration_s=100"], "track too short"),
    "explicit step on rails that move": ("x", "", ["run.integrator=dormand_prince"], "track.model = 'flexible'"),
    "unknown vehicle of the train": ("x", "", ["train.formation.1.vehicle=wagon"], "unknown vehicle 'wagon'", TRAIN),
    "detailed vehicle of another mass": ("x", "", ["train.place=1"], "must be within 1 %", TRAIN),
    "part with an unknown key": (
        "p.toml",
        "[coupler.autocoupler]\ngear = 2\ndraft = [[0, 0, 0], [9, 9, 9]]\n",
        ["train.parts=['train_stock.toml', 'p.toml']"],
        r"unknown key coupler\.autocoupler\.gear.*p\.toml|solid_kn_mm must be given",
        TRAIN,
    ),
    "route without gradient": (
        "l.csv",
        "distance_m,radius_m\n0,0\n9000,500\n",
        ["route={file='l.csv'}"],
        r"l\.csv",
        GOOD,
    ),
    "driving with an unknown column": (
        "d.csv",
        "time_s,notch,break\n0,2,0\n9,3,0\n",
        ["driving={mode='by_time', file='d.csv'}"],
        r"d\.csv.*'break'",
        GOOD,
    ),
    "unknown parameter of a locomotive": (
        "v.toml",
        FEVE + '"primary.kk" = 1.0\n',
        ["vehicle.file=v.toml"],
        r"primary\.kk.*v\.toml:\d+",
        'kind = "realtime"\n',
    ),
    "profiles without a rail": (
        "p.csv",
        "curve,u_start_m,u_end_m,a,b,c,d\nwheel_left,0,1,0,0,0,1\n",
        ["vehicle.profiles=p.csv"],
        r"p\.csv: curve 'rail' must be given",
        'kind = "realtime"\n',
    ),
    "profile of the simplified model": (
        "w.csv",
        "y_mm,z_mm\n0,0\n",
        ["contact.wheel_profile=w.csv"],
        r"w\.csv",
        (EXAMPLES / "ml95_curve.toml").read_text(encoding="utf-8"),
    ),
}


def written(folder, case):
    file, content, settings, expected, *text = BROKEN[case]
    (folder / file).write_text(content, encoding="utf-8")
    (folder / "mesh.inp").write_text(COARSE, encoding="utf-8")
    (folder / "s.toml").write_text((text or [VEHICLE])[0], encoding="utf-8")
    return folder / "s.toml", settings, expected


BROKEN = {name: case for name, case in BROKEN.items() if rooms.known("\n".join(case[4:]))}  # of kinds that are there


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused(case, tmp_path, monkeypatch):
    """One line; a mesh is never assembled or reduced for it."""
    import flexwheel.body.body_cache as body_cache

    monkeypatch.setattr(body_cache, "cached_body", lambda *a: pytest.fail("reduced first"))
    path, settings, expected = written(tmp_path, case)
    with pytest.raises(FlexwheelError, match=expected) as caught:
        check_scenario(path, settings)
    assert "\n" not in str(caught.value)


def test_the_unbroken_ones_pass(tmp_path):
    """The texts of the cases above are in order themselves, so that each is refused for what is broken in it."""
    (tmp_path / "mesh.inp").write_text(COARSE, encoding="utf-8")
    (tmp_path / "s.toml").write_text(VEHICLE, encoding="utf-8")
    found = check_scenario(tmp_path / "s.toml")
    assert str(tmp_path / "mesh.inp") in found.files
    check_scenario(tmp_path / "s.toml", [FRONT + f"mesh={LARGE}"])
    for text in {case[4] for case in BROKEN.values() if len(case) > 4}:
        (tmp_path / "s.toml").write_text(text, encoding="utf-8")
        check_scenario(tmp_path / "s.toml")


@pytest.mark.parametrize("path", rooms.examples(), ids=lambda p: p.stem)
def test_examples_are_in_order(path, capsys):
    main(["check", str(path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] in ("vehicle", "realtime", "train", "reduced") and isinstance(found["warnings"], list)


def test_run_checks_first(tmp_path, capsys):
    """What the command finds, `run` finds before it makes its folder."""
    path, settings, _ = written(tmp_path, "no such control node")
    with pytest.raises(SystemExit) as stop:
        main(["run", str(path), "--out", str(tmp_path / "out"), "--set", settings[0]])
    assert stop.value.code == 2 and "control_nodes.0" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_nothing_heavy_is_imported():
    """Neither results nor pictures nor sweeps, nor a mesh reader where no wheelset is flexible."""
    import subprocess

    heavy = "xarray pandas matplotlib pyvista meshio".split()
    code = (
        "import sys; from flexwheel.run.check_scenario import check_scenario; "
        f"check_scenario({str(EXAMPLES / 'as4_curve.toml')!r}, ['wheelset.front.formulation=rigid']); "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]", done.stdout
