"""Pages of other kinds than a vehicle's, in a real browser: what a kind declares is drawn, chosen and jumped to."""

import numpy as np
import pytest

from flexwheel.base.shipped import EXAMPLES
from flexwheel.results.files import read_results
from tests.browser import CHROMIUM, Browser
from tests.cli_cases import command
from tests.rooms import needs
from tests.train_scenario_text import GOOD

KINDS = {  # scenario or its text, keys, bodies that one can choose, whether it has wheels
    "train": (GOOD, [], False),
    "realtime": ("feve3000_curve", ["run.duration_s=1"], True),
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if CHROMIUM is None:
        pytest.skip("no chromium here: the pages were not opened")
    browser = Browser(tmp_path_factory.mktemp("kinds") / "profile")
    try:
        browser.size(1000, 600)
        yield browser
    finally:
        browser.close()


@needs("systems/train", "systems/locomotive")
@pytest.mark.parametrize("kind", KINDS)
def test_page_of(kind, browser, tmp_path):
    scenario, keys, rolls = KINDS[kind]
    file = EXAMPLES / f"{scenario}.toml"
    if kind == "train":
        file = tmp_path / "train.toml"
        file.write_text(scenario, encoding="utf-8")
    words = [word for key in keys for word in ("--set", key)]
    assert command("run", file, "--out", tmp_path / "run", "-q", *words) == 0
    assert command("view", tmp_path / "run", "--web") == 0
    browser.open(tmp_path / "run" / "run.html")
    assert browser.run("document.documentElement.dataset.ready") == "yes" and browser.messages == []
    told = "document.getElementById('node_told').textContent"
    if rolls:
        wheel = browser.run("flexwheel.app.scenes[0].run.wheels[0]")
        browser.run("document.getElementById('wheel_show').click()")
        assert f"Wheel {wheel}" in browser.run(told)
        jumps = "document.querySelectorAll('#panel .list button')"
        browser.run(f"{jumps}[0].click()")
        found = browser.run("flexwheel.force(flexwheel.app.scenes[0].run.wheels[0], flexwheel.app.time)[2]")
        assert f"Q {found / 1e3:.1f} kN" in browser.run(f"{jumps}[0].textContent")
    else:
        results = read_results(tmp_path / "run")
        browser.run("document.getElementById('body_show').click()")
        assert "Vehicle 1 " in browser.run(told) and "coupler force" in browser.run(told)
        scene = "flexwheel.app.scenes[0]"
        drawn = browser.run(f"{scene}.bodyValue('rear_coupler_force', {scene}.run.bodies[0], 20)")
        force = results.force.values[:, 0]
        assert drawn == pytest.approx(force[20], abs=np.ptp(force) / 65534)
    assert browser.messages == []
