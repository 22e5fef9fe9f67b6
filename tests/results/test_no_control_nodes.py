"""A flexible wheelset without control nodes: it runs, and its results have none."""

import flexwheel as fw


def test_a_run_without_control_nodes_has_no_variables_of_them(tmp_path):
    settings = {
        "run.duration_s": 0.02, "run.compare_modes": [], "track.model": "massless", "wheelset.front.control_nodes": [],
        "wheelset.front.mesh": "../meshes/wheelset_coarse.inp", "wheelset.front.modes_up_to_hz": 300.0,
    }  # fmt: skip
    results = fw.run(fw.Scenario.example("as4_curve", settings), tmp_path / "out", quiet=True)
    assert results.attrs["complete"] and "control_node" not in results.dims
    assert "modal_coordinate" in results and not (tmp_path / "out" / "results.part.nc").exists()
