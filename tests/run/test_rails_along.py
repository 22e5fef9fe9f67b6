"""Runs on rails that change along the track: equal sections, going on after a stop, the explicit step, what refuses."""

import numpy as np
import pytest
from cli_cases import command

from flexwheel.assess.linear_analysis import straight_scenario
from flexwheel.assess.wear_of_runs import contacts_of
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import run_scenario
from tests.resume_cases import different, stopped_once

TEXT = """[run]
speed_kmh = 72.0
duration_s = {duration}
step_s = {step}
output_step_s = {step}
integrator = "{integrator}"
start_position_m = 1.0
checkpoint_s = 0.01
[track]
model = "rigid"
layout = [{{ kind = "straight", length_m = 100.0 }}]
[irregularity]
spectrum = "none"
roughness = "none"
"""
EQUAL = "".join(f"[[contact.along]]\nrail = 'right'\nat_m = {s}\n" for s in (1.2, 1.4, 1.6))
LEANING = (
    "[[contact.along]]\nat_m = 1.2\nrail = 'right'\n"
    "[[contact.along]]\nat_m = 1.7\nrail = 'right'\nprofile = '60E1'\ninclination = 0.05\n"
)


FREE = "[vehicle]\nfile = 'free_wheelset'\n"


def written(folder, more, duration=0.03, step=1e-4, integrator="newmark"):
    path = folder / "s.toml"
    path.write_text(TEXT.format(duration=duration, step=step, integrator=integrator) + more)
    return path


def test_equal_sections_are_one_rail_bit_for_bit(tmp_path):
    plain, equal = (run_scenario(read_scenario(written(tmp_path, more))) for more in ("", EQUAL))
    assert plain.wheel_force.values.tobytes() == equal.wheel_force.values.tobytes()
    assert any("rail right changes along the track: 3 sections" in line for line in equal.attrs["warnings"])


def test_a_run_goes_on_bit_for_bit_where_the_inclination_changes(tmp_path, monkeypatch):
    path, whole, parts = written(tmp_path, LEANING), tmp_path / "whole", tmp_path / "parts"
    assert command("run", path, "--out", whole, "--quiet") == 0
    taken = stopped_once(monkeypatch)
    command("run", path, "--out", parts, "--quiet")
    assert command("run", "--resume", parts, "--quiet") == 0 and taken
    assert different(whole, parts) == []


def test_both_steps_agree_where_the_inclination_changes(tmp_path):
    implicit = run_scenario(read_scenario(written(tmp_path, FREE + LEANING, step=2e-5)))
    explicit = run_scenario(read_scenario(written(tmp_path, FREE + LEANING, step=2e-5, integrator="dormand_prince")))
    a, b = (run.wheel_force.sel(wheel="wheelset right").values for run in (implicit, explicit))
    assert np.ptp(a) > 100.0  # something happens
    np.testing.assert_allclose(a, b, atol=0.02 * np.ptp(a))


def test_what_has_rails_that_are_the_same_all_along_refuses(tmp_path):
    chosen = read_scenario(written(tmp_path, LEANING))
    with pytest.raises(ScenarioError, match="contact.along: a linear analysis has rails"):
        straight_scenario(chosen, 20.0)
    with pytest.raises(FlexwheelError, match="contact.along: wear has rails"):
        contacts_of(chosen)
    with pytest.raises(ScenarioError, match="contact.along.* is not read with contact.detection = 'dist'"):
        read_scenario(written(tmp_path, "[contact]\ndetection = 'dist'\n" + LEANING))
