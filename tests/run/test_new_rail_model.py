"""A new rail model is its own file and a line in the list: `tests/winkler_rail.py`, put in the list by this test.

Closed form: Hetenyi 1946, deflection of a beam on a Winkler foundation under a load. docs/extending.md prints the
file and the line.
"""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from winkler_rail import WINKLER

from flexwheel.assess.linear_analysis import static_rail_compliance
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.keys.track_keys import TrackSection
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.track.track_parameters import flexible_track
from flexwheel.vehicle.step.simulate import simulate

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def scenario(monkeypatch):
    monkeypatch.setitem(RAIL_MODELS.declared, "winkler", WINKLER)
    settings = ["wheelset.front.formulation=rigid", "run.duration_s=0.02", "irregularity.spectrum=none",
                "irregularity.roughness=none", "track.model=massless", "drive.kind=none"]  # fmt: skip
    found = read_scenario(ROOT / "examples" / "as4_curve.toml", settings)
    track = found.track.model_copy(update={"model": "winkler"})
    return found.model_copy(update={"track": track})


def test_the_vehicle_stands_and_runs_on_it(scenario):
    supports = flexible_track()
    rail, pad = supports.rail, supports.fastener.vertical.stiffness / supports.bay
    stiffness = 2.0 * np.sqrt(2.0) * (rail.youngs_modulus * rail.second_moment_vertical * pad**3) ** 0.25
    s = build_simulation(scenario, {})
    np.testing.assert_allclose(-s.rail_state.wheel[0, :, 2], s.static_wrench[:, :, 2].ravel() / stiffness, rtol=1e-9)
    np.testing.assert_allclose(static_rail_compliance(scenario.track)[2, 2], 1.0 / stiffness, rtol=1e-12)
    run = simulate(s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work, 0.02)
    assert run.complete and run.unconverged == 0
    uz, load = run.records.rail[:, :, :, 0, 2], run.records.wrench[:, :, :, 2]
    np.testing.assert_allclose(-uz, load / stiffness, rtol=2e-3)  # the rails follow the load slowly


def test_the_words_of_track_model_are_the_list():
    assert get_args(TrackSection.model_fields["model"].annotation) == tuple(RAIL_MODELS)


def test_the_page_prints_it():
    lines = (ROOT / "tests" / "winkler_rail.py").read_text().splitlines()
    assert "\n".join(f"+{line}" for line in lines) in (ROOT / "docs" / "extending.md").read_text()
