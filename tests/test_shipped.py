"""Data that travel with the package: found from a clone and from an installed wheel; examples copied whole."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from flexwheel.assess.example_files import copy_example, example_titles
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.face.cli import main
from tests.installed_wheel import SCRIPTS, SHORT, STUDIES

ROOT = Path(__file__).resolve().parents[1]
READ_ALL = """
from flexwheel.base import shipped
from flexwheel.assess.example_files import example_titles
from flexwheel.track.track_parameters import rail_section
from flexwheel.track.psd import erri_b176
from flexwheel.run.keys.reader import read_scenario
assert shipped.ROOT.name == "shipped_data", shipped.ROOT
assert rail_section("uic60").area > 0
assert len(example_titles()) > 10
scenario = read_scenario(shipped.EXAMPLES / "as4_curve.toml")
print(scenario.wheelset["front"].mesh)
"""


def wheel_mapping():
    """Top-level folder -> place in the wheel, as pyproject.toml states it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]


def test_installed_layout_needs_no_clone(tmp_path):
    """The package as a wheel lays it out, in another folder, with nothing beside it."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "flexwheel", tmp_path / "site" / "flexwheel", ignore=skip)
    for source, place in wheel_mapping().items():
        shutil.copytree(ROOT / source, tmp_path / "site" / place, ignore=skip)
    elsewhere = tmp_path / "empty"
    elsewhere.mkdir()
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    ran = subprocess.run(
        [sys.executable, "-c", READ_ALL], cwd=elsewhere, env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip().startswith(str((tmp_path / "site").resolve()))


def test_every_example_is_copied_with_its_files(tmp_path):
    """One by one, and the short versions of tests/installed_wheel.py name each."""
    titles, stories = example_titles(), {path.stem for path in (EXAMPLES / "stories").glob("*.py")}
    further = {f"stories/{name}.py" for name in stories} | set(STUDIES)
    assert set(titles) == set(SHORT) | {f"{name}.py" for name in SCRIPTS} | further and all(titles.values())
    for name in titles:
        example, others = copy_example(name, tmp_path)
        assert example == tmp_path / "examples" / (name if name.endswith(".py") else f"{name}.toml")
        if name in SHORT:
            named = re.findall(r'"(?:\.\./|measured/)[^"]*"', example.read_text(encoding="utf-8"))
            assert len(set(named)) == sum("_coarse" not in path.name for path in others), name
        assert all(path.is_file() for path in others)
    meshes = {"wheelset.inp", "wheelset_coarse.inp"}  # the help of `static` and `modes` names the coarse one
    assert {path.name for path in copy_example("as4_from_python.py", tmp_path)[1]} == {"as4_curve.toml", *meshes}


def test_all_are_copied_with_a_folder_alone(tmp_path, capsys):
    main(["examples", "--to", str(tmp_path)])
    assert {path.name for path in (tmp_path / "examples").iterdir()} == {
        p.name for p in EXAMPLES.glob("*") if p.name[0] not in "_." and p.name != "plugin"
    }
    assert capsys.readouterr().out.count("wheelset.inp") == 1


def test_unknown_example_and_foreign_file(tmp_path):
    with pytest.raises(ScenarioError, match="did you mean as4_curve"):
        copy_example("as4_curv", tmp_path)
    target = tmp_path / "examples" / "train_2.toml"
    target.parent.mkdir()
    target.write_text("mine")
    with pytest.raises(ScenarioError, match="another file"):
        copy_example("train_2", tmp_path)
    assert target.read_text() == "mine"
