"""From an own mesh to the hot spots of a wheelset in a curve."""

import flexwheel as fw


def main(out="out/hot_spots", mesh="wheelset.inp", **changes):
    wheelset = fw.Wheelset.from_mesh(mesh, control_nodes=["web_fillet_right"])
    curve = fw.Scenario.example("as4_curve", {"wheelset.front": wheelset, "run.compare_modes": [], **changes})
    results = fw.run(curve, out)
    spots = results.fw.hot_spots(10)
    print(spots[["node_id", "von_mises", "von_mises_time"]].to_dataframe())
    assert spots.von_mises[0] >= results.von_mises.sel(point="rotating").max()  # one node of all of them


if __name__ == "__main__":
    main()
