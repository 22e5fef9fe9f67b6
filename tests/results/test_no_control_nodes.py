"""What a run has not: control nodes of a flexible wheelset, variables of parts that are asked for."""

import pytest

import flexwheel as fw
from flexwheel.base.errors import ScenarioError


def test_a_run_without_control_nodes_has_no_variables_of_them(tmp_path):
    settings = {
        "run.duration_s": 0.02, "run.compare_modes": [], "track.model": "massless", "wheelset.front.control_nodes": [],
        "wheelset.front.mesh": "../meshes/wheelset_coarse.inp", "wheelset.front.modes_up_to_hz": 300.0,
    }  # fmt: skip
    results = fw.run(fw.Scenario.example("as4_curve", settings), tmp_path / "out", quiet=True)
    assert results.attrs["complete"] and "control_node" not in results.dims
    assert "modal_coordinate" in results and not (tmp_path / "out" / "results.part.nc").exists()


def test_variables_of_parts_that_a_run_has_not_are_named():
    settings = {"run.duration_s": 0.01, "output.variables": ["modal_coordinate", "wheel_force"]}
    results = fw.run(fw.Scenario.example("manchester_s_curve", settings), quiet=True)
    assert (
        "wheel_force" in results and "output.variables: this run has no modal_coordinate" in results.attrs["warnings"]
    )
    settings["output.variables"] = ["modal_coordinate"]
    with pytest.raises(ScenarioError, match="must name a variable that this run has, got modal_coordinate"):
        fw.run(fw.Scenario.example("manchester_s_curve", settings), quiet=True)
