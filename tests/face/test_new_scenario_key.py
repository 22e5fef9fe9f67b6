"""A new key of a scenario is its declaration alone: the diff that docs/extending.md prints, applied by this test.

Reader, check, page, schema, overrides, idle keys, plausibility and the walk of the keys follow.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHERE = "flexwheel/run/keys/vehicle_keys.py"
ASKED = """
import importlib.util, json, sys
name = "flexwheel.run.keys.vehicle_keys"
spec = importlib.util.spec_from_file_location(name, sys.argv[1])
sys.modules[name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[name])
from flexwheel.base.errors import FlexwheelError
from flexwheel.run.check_scenario import check_scenario
from docs.keys_document import scenario_document
from flexwheel.run.keys.schema import scenario_schema
from tests.fuzz.walk import keys_of, rules_along
from flexwheel.base.kind import KINDS

def asked(*settings):
    try:
        found = check_scenario("examples/manchester_tight_curve.toml", settings)
        return [found.source.scenario.drive.ramp_s, *found.warnings]
    except FlexwheelError as error:
        return str(error)

vehicle = KINDS["vehicle"].keys
print(json.dumps({
    "page": [line for line in scenario_document().splitlines() if "`ramp_s`" in line],
    "schema": scenario_schema()["$defs"]["DriveSection"]["properties"]["ramp_s"],
    "given": asked("drive.ramp_s=5"), "default": asked(), "unusual": asked("drive.ramp_s=120"),
    "negative": asked("drive.ramp_s=-1"), "idle": asked("drive.kind=none", "drive.ramp_s=5"),
    "misspelt": asked("drive.ramps=5"),
    "walk": "drive.ramp_s" in [key for key, _, _ in keys_of(vehicle)],
    "beside": [decides for decides, _ in rules_along(vehicle, ["drive", "ramp_s"])],
}))
"""


def printed_diff():
    """(line of the file that stays, lines put after it) of the diff on the page."""
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    block = page.partition(f"--- {WHERE}\n")[2].partition("```")[0].splitlines()
    stays = next(line[1:] for line in reversed(block[: block.index(next(x for x in block if x[:1] == "+"))]))
    return stays, [line[1:] for line in block if line[:1] == "+"]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    stays, added = printed_diff()
    text = (ROOT / WHERE).read_text(encoding="utf-8")
    assert text.count(stays + "\n") == 1 and added, "the diff of docs/extending.md does not fit the file"
    path = tmp_path_factory.mktemp("key") / "vehicle_keys.py"
    path.write_text(text.replace(stays + "\n", "\n".join([stays, *added, ""])), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", ASKED, str(path)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_page_and_schema(answers):
    (row,) = answers["page"]
    assert "number >= 0 <= 10000" in row and "`0.0`" in row and "only with `drive.kind` = `body_force`" in row
    assert answers["schema"]["minimum"] == 0.0 and answers["schema"]["maximum"] == 1e4
    assert answers["schema"]["description"] == "time over which the drive comes in at the start"


def test_reader_and_check(answers):
    assert answers["given"][0] == 5.0 and answers["default"][0] == 0.0
    assert any("drive.ramp_s = 120: expected 0 to 60 s (a minute to full force)" in x for x in answers["unusual"][1:])
    assert answers["negative"] == "drive.ramp_s must be at least 0, got -1 (--set drive.ramp_s=-1)"
    assert "drive.ramp_s is not read with drive.kind = 'none'" in answers["idle"]
    assert "did you mean ramp_s?" in answers["misspelt"]


def test_walk_of_the_keys(answers):
    assert answers["walk"] and answers["beside"] == ["drive.kind"]
