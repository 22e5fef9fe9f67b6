"""Fatigue of the axle under the running vehicle: Crossland, Sines, Dang Van and damage where it bends."""

import flexwheel as fw


def main(out="out/axle_fatigue", mesh="wheelset.inp", **changes):
    places = [{"name": "middle", "position_m": [0.0, 0.0, 0.08]}, {"name": "seat", "position_m": [0.0, 0.63, 0.08]}]
    wheelset = fw.Wheelset.from_mesh(mesh, control_nodes=places)
    curve = fw.Scenario.example("as4_curve", {"wheelset.front": wheelset, "run.compare_modes": [], **changes})
    found = fw.run(curve, out).fw.fatigue(bending_mpa=200.0)
    print(found.to_dataframe())
    assert (found.utilisation < 1.0).all() == (found.crossland < 1.0).all()  # both say whether the axle lasts


if __name__ == "__main__":
    main()
