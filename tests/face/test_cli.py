"""The command line: JSON keys, values against the library, one clear line and exit code 2 for bad input."""

import json
import re
from dataclasses import dataclass
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest

from flexwheel.face.cli import main
from flexwheel.face.command.option_groups import spread
from tests import rooms

ROOT = Path(__file__).resolve().parents[2]
COARSE = str(ROOT / "meshes" / "wheelset_coarse.inp")


def run(capsys, *arguments):
    """Exit code, standard output and standard error of a command."""
    code = 0
    try:
        main(list(arguments))
    except SystemExit as stop:
        code = stop.code or 0
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def box(path, clamp_all=False):
    """A beam 1 x 0.1 x 0.1 m of 8 hexahedra along x, ids from 101, with a set of its fixed end."""
    nodes, rows = [], []
    for i in range(9):
        for j in range(2):
            for k in range(2):
                nodes.append((101 + len(nodes), i / 8, 0.1 * j, 0.1 * k))
    for i in range(8):
        a = 101 + 4 * i
        rows.append((5001 + i, a, a + 4, a + 6, a + 2, a + 1, a + 5, a + 7, a + 3))
    text = "*NODE\n" + "".join(f"{n}, {x}, {y}, {z}\n" for n, x, y, z in nodes)
    text += "*ELEMENT, TYPE=C3D8, ELSET=ALL\n" + "".join(", ".join(map(str, r)) + "\n" for r in rows)
    text += "*NSET, NSET=END\n101, 102, 103, 104\n"
    path.write_text(text)
    return str(path)


@dataclass(frozen=True)
class Load:
    """A group of options."""

    place: Annotated[int, "where"]
    force: Annotated[float, "how much"] = 5.0


def test_options_in_a_group_stand_where_the_group_does():
    def command(mesh: Annotated[str, "file"], *, count: int = 3, load: Load, out: str | None = None):
        """Words."""
        return mesh, count, load, out

    options = signature(spread(command)).parameters
    assert [(p.name, p.default) for p in options.values()] == [
        ("mesh", Parameter.empty), ("count", 3), ("place", Parameter.empty), ("force", 5.0), ("out", None),
    ]  # fmt: skip
    assert options["force"].annotation == Annotated[float, "how much"] == spread(command).__annotations__["force"]
    given = spread(command)(mesh="a.inp", count=4, place=7, force=2.0, out=None)
    assert given == ("a.inp", 4, Load(7, 2.0), None) and spread(command).__doc__ == "Words."
    assert spread(run) is run  # nothing to spread

    def twice(place: int, load: Load):
        pass

    with pytest.raises(ValueError, match="duplicate parameter name"):
        spread(twice)


STEEL = ["-E", "2.1e11", "--nu", "0.3", "--rho", "7850"]


def test_modes_json_keys_and_bending_frequency(capsys, tmp_path):
    mesh = box(tmp_path / "beam.inp")
    code, out, _ = run(capsys, "modes", mesh, "--count", "3", "--clamp", "END", *STEEL, "--json", "--shape-at", "136")
    assert code == 0
    result = json.loads(out)
    assert set(result) == {
        "mesh", "nodes", "elements", "unknowns", "mass_kg", "clamped_nodes", "frequencies_hz", "shapes", "audit",
        "seconds",
    }  # fmt: skip
    assert result["nodes"] == 36 and result["elements"] == 8 and result["unknowns"] == 96
    assert result["clamped_nodes"] == [101, 102, 103, 104]
    assert result["mass_kg"] == pytest.approx(78.5, rel=1e-12)
    # Euler-Bernoulli cantilever 1.8751^2 / (2 pi) sqrt(EI / (rho A L^4)); shear and the mesh change it by 2 %
    theory = 1.8751041**2 / (2 * np.pi) * np.sqrt(2.1e11 * 0.1**4 / 12 / (7850 * 0.01))
    assert result["frequencies_hz"][0] == pytest.approx(theory, rel=0.02)
    assert np.shape(result["shapes"]["136"]) == (3, 3)


def test_static_json_keys_and_deflection(capsys, tmp_path):
    mesh = box(tmp_path / "beam.inp")
    loads = [f"--load={node}:z:-250" for node in (133, 134, 135, 136)]
    code, out, _ = run(capsys, "static", mesh, "--clamp", "x=0", *loads, *STEEL, "--json")
    assert code == 0
    result = json.loads(out)
    assert set(result) == {
        "mesh", "nodes", "elements", "clamped_nodes", "loads", "node_ids", "displacements_m", "stresses_pa",
        "von_mises_pa", "stress_errors_pa", "corners", "reactions_n", "strain_energy_j", "press_fits", "audit",
        "seconds",
    }  # fmt: skip
    assert result["loads"][0] == {"node": 133, "axis": "z", "force_n": -250.0}
    tip = result["displacements_m"][result["node_ids"].index(136)]
    # F L^3 / 3 EI = 190.5 um, and shear F L / (k G A) = 1.5 um; the clamp holds the section's width: 2 %
    assert tip[2] == pytest.approx(-192.0e-6, rel=0.02)
    np.testing.assert_allclose(result["reactions_n"], [0.0, 0.0, 1000.0], atol=1e-5)
    assert result["strain_energy_j"] == pytest.approx(0.5 * 1000 * 192.0e-6, rel=0.02)


def test_static_of_chosen_nodes_keeps_their_order(capsys, tmp_path):
    mesh = box(tmp_path / "beam.inp")
    code, out, _ = run(
        capsys,
        "static",
        mesh,
        "--clamp",
        "END",
        "--load",
        "136:y:10",
        "--node",
        "136",
        "--node",
        "105",
        *STEEL,
        "--json",
    )
    assert code == 0
    assert json.loads(out)["node_ids"] == [136, 105]


def test_tables_without_json(capsys, tmp_path):
    mesh = box(tmp_path / "beam.inp")
    code, out, _ = run(capsys, "modes", mesh, "--count", "7", *STEEL)
    assert code == 0 and re.search(r"^ +7 +\d+\.\d+ Hz$", out, re.MULTILINE)
    code, out, _ = run(capsys, "static", mesh, "--clamp", "END", "--load", "136:y:10", *STEEL)
    assert code == 0 and "reactions" in out


def test_output_file_is_whole(capsys, tmp_path):
    mesh = box(tmp_path / "beam.inp")
    target = tmp_path / "modes.json"
    code, out, _ = run(capsys, "modes", mesh, "--count", "1", *STEEL, "--json", "-o", str(target))
    assert code == 0 and out == ""
    assert len(json.loads(target.read_text())["frequencies_hz"]) == 1


def test_reduce_json_keys(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "cache"))
    code, out, _ = run(capsys, "reduce", COARSE, "--control-node", "tread_left", "--json")
    assert code == 0
    result = json.loads(out)
    assert set(result) == {
        "mesh", "key", "mass_kg", "centre_m", "inertia_kg_m2", "frequencies_hz", "orders", "damping_ratios",
        "closure_defect", "sector_angle_deg", "interfaces_m", "treads", "control_nodes", "audit", "seconds",
    }  # fmt: skip
    assert result["sector_angle_deg"] == pytest.approx(15.0)
    assert [node["name"] for node in result["control_nodes"]] == ["tread_left"]
    assert [tread["side"] for tread in result["treads"]] == ["left", "right"]
    assert len(list((tmp_path / "cache").iterdir())) >= 1


BAD = {
    "missing mesh": (["modes", "nowhere.inp"], "nowhere.inp"),
    "no material": (["modes", "BEAM"], "no material"),
    "half a material": (["modes", "BEAM", "-E", "2.1e11"], "together"),
    "clamp that meets nothing": (["modes", "BEAM", *STEEL, "--clamp", "x=7"], "no node meets 'x=7'"),
    "unknown set": (["modes", "BEAM", *STEEL, "--clamp", "ENDE"], "sets: END"),
    "too many modes": (["modes", "BEAM", *STEEL, "--count", "1000"], "1000 modes"),
    "no modes": (["modes", "BEAM", *STEEL, "--count", "0"], "at least 1"),
    "unknown shape node": (["modes", "BEAM", *STEEL, "--shape-at", "7", "--count", "1"], "no such node"),
    "unknown element": (["modes", "BEAM", *STEEL, "--element", "hex9"], "--element must be one of default, full"),
    "wrong unit": (["modes", "BEAM", *STEEL, "--unit", "furlong"], "furlong"),
    "wrong unit by size": (["modes", "BEAM", *STEEL, "--unit", "mm"], ""),
    "nothing held": (["static", "BEAM", *STEEL, "--load", "136:y:10"], "nothing is held"),
    "no load": (["static", "BEAM", *STEEL, "--clamp", "END"], "no load"),
    "bad load": (["static", "BEAM", *STEEL, "--clamp", "END", "--load", "136:w:10"], "NODE:AXIS:NEWTON"),
    "load of nan": (["static", "BEAM", *STEEL, "--clamp", "END", "--load", "136:x:nan"], "NODE:AXIS:NEWTON"),
    "load on no node": (["static", "BEAM", *STEEL, "--clamp", "END", "--load", "7:x:1"], "no such node"),
    "negative modulus": (
        ["modes", "BEAM", "-E", "-1", "--nu", "0.3", "--rho", "7850"],
        "E must be a positive number, got -1.0",
    ),
    "incompressible": (
        ["modes", "BEAM", "-E", "2e11", "--nu", "0.5", "--rho", "7850"],
        "nu must be -1 to 0.5, got 0.5",
    ),
    "not a wheelset": (["reduce", "BEAM", *STEEL], ""),
    "unknown coupling": (["reduce", COARSE, "--coupling", "glue"], "--coupling"),
    "unknown control node": (["reduce", COARSE, "--control-node", "moon"], "moon"),
    "unwritable output": (["modes", "BEAM", *STEEL, "-o", "/nowhere/x.json"], "no folder"),
    "missing scenario": (["run", "nowhere.toml", "--out", "OUT"], "there is no such file"),
    "bad override": (["run", str(ROOT / "examples" / "as4_curve.toml"), "--out", "OUT", "--set", "run.x=1"], "run.x"),
    "nothing to view": (["view", "OUT"], "there is no such file"),
    "unknown check": (["verify", "--only", "no such check"], "no check of that name"),
}


BAD = rooms.left(BAD, {"verification": ["unknown check"]})


@pytest.mark.parametrize("case", BAD, ids=list(BAD))
def test_bad_input_ends_in_one_line(case, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXWHEEL_CACHE", str(tmp_path / "cache"))
    arguments, expected = BAD[case]
    places = {"BEAM": box(tmp_path / "beam.inp"), "OUT": str(tmp_path / "out")}
    code, out, err = run(capsys, *[places.get(a, a) for a in arguments])
    assert code == 2, err
    lines = [line for line in err.splitlines() if line]
    assert len(lines) == 1 and lines[0].startswith("flexwheel: "), err
    assert expected.lower() in lines[0].lower()
    assert "Traceback" not in err


def test_unknown_command_and_option_exit_with_2(capsys):
    assert run(capsys, "fly")[0] == 2
    assert run(capsys, "modes", "--fast")[0] == 2


def test_version(capsys):
    import flexwheel

    assert run(capsys, "--version")[1].strip() == f"flexwheel {flexwheel.__version__}"
