"""A short run with its page, and a browser with the page open, for the tests of one file."""

import pytest

from flexwheel.results.files import read_results
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import body_and_surface
from tests.browser import CHROMIUM, Browser
from tests.cli_cases import MESHES, ROOT, command


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tenth of a second of the main job with the coarse mesh, where the curve throws it onto the flange; its page."""
    folder = tmp_path_factory.mktemp("web")
    keys = {
        "run.duration_s": 0.1,
        "run.start_position_m": 60.0,
        "run.compare_modes": "[]",
        "wheelset.front.mesh": MESHES / "wheelset_coarse.inp",
    }
    words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    assert command("run", ROOT / "examples" / "as4_curve.toml", "--out", folder / "run", "--quiet", *words) == 0
    assert command("view", folder / "run", "--web") == 0
    return folder


@pytest.fixture(scope="module")
def browser(folder):
    if CHROMIUM is None:
        pytest.skip("no chromium here: the page was not opened")
    browser = Browser(folder / "profile")
    try:
        browser.size(1000, 600)
        browser.open(folder / "run" / "run.html")
        yield browser
    finally:
        browser.close()


@pytest.fixture(scope="module")
def reduced(folder):
    """Its flexible wheelset, reduced."""
    scenario = parse_scenario(str(read_results(folder / "run").attrs["scenario"]), folder / "scenario.toml")
    return body_and_surface("front", scenario.wheelset["front"])[0]
