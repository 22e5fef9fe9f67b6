"""Stress of the whole wheelset, its hot spots, and fatigue of the axle."""

import flexwheel as fw


def main(folder, mesh="wheelset_coarse.inp", **changes):
    """Run the railcar into its curve; returns hot spots, fatigue and a picture of the stress at a control node."""
    places = ["web_fillet_right", {"name": "axle", "position_m": [0.0, 0.0, 0.08]}]
    wheelset = fw.Wheelset.from_mesh(mesh, control_nodes=places)
    settings = {"wheelset.front": wheelset, "run.compare_modes": [], "run.duration_s": 6.0} | changes
    results = fw.run(fw.Scenario.example("as4_curve", settings), folder / "run")
    spots = results.fw.hot_spots(8)
    print(spots[["node_id", "von_mises"]].to_dataframe())
    fatigue = results.fw.fatigue(bending_mpa=200.0)
    print(fatigue.to_dataframe())
    picture = results.fw.plot.stress().save(folder / "stress_and_fatigue.png")
    # the envelope is at least what the control node reached, one node of all
    web = results.von_mises.sel(control_node="front web_fillet_right", point="rotating")
    assert float(spots.von_mises[0]) >= float(web.max())
    return spots, fatigue, picture
