"""Utilisation of an axle in a run at single nodes (`fatigue`) beside `en13103 --run`, and the stress of the mesh there.

    python benchmarks/axle_of_run.py RUN --place body:480:500 --place fillet:600:653:160:40:185 --place seat:653:660

A --place is a --zone of `flexwheel fatigue`; on either side of the axle the ring of it with the largest stress of the
mesh is taken, at one angle. `factor` is the mesh's stress over K M / W under the forces of EN 13103, `of run` the same
in the run, half ranges both; `fatigue` judges K M / W by statics of the run's own loads at that node (EA1N, `assumed`
limits), `en13103` that of the point of the section with the largest range; `mesh` is the utilisation that the stress of
the mesh over `factor` would have. A zone narrower than a few rings takes a minute a side.
"""

import argparse

import numpy as np

from flexwheel.assess.evaluate.strength_grades import read_grades
from flexwheel.assess.node_fatigue import fatigue_of_nodes, limits_at, node_histories, section_of_run
from flexwheel.assess.nominal_stress import judged_section, parse_zone, turning_axle
from flexwheel.assess.section_moments import axle_run
from flexwheel.assess.surface_stress import StressOfRun
from flexwheel.body.revolution import detect_revolution

HEADS = ("zone", "y [mm]", "factor", "of run", "fatigue", "en13103", "ratio", "mesh", "ratio")


def skin(mesh, zone, side):
    """Rows of nodes in the first section plane on the axle's surface of a zone on one side, y times side above 0."""
    revolution, _ = detect_revolution(mesh)
    rows = revolution.ring[0]
    y, radius = side * mesh.nodes[rows, 1], np.hypot(mesh.nodes[rows, 0], mesh.nodes[rows, 2])
    inside = np.flatnonzero((y >= zone.first - 1e-6) & (y <= zone.last + 1e-6) & (radius <= 0.52 * widest(zone)))
    return [rows[k] for k in inside if radius[k] >= radius[inside][np.abs(y[inside] - y[k]) < 1e-6].max() - 1e-6]


def widest(zone):
    """Diameter [m] that a zone's surface has at most; 0.2 m where it is not given."""
    return 0.2 if np.isnan(zone.diameter) else max(zone.diameter, 0.2)


def main(path, places):
    """Print the table; returns the largest relative difference of `en13103` and `fatigue`."""
    run, worst = StressOfRun(path), 0.0
    mesh, table = run.mesh, read_grades("assumed")
    print("".join(f"{head:>10}" for head in HEADS))
    for zone in map(parse_zone, places):
        for side in (1, -1):
            nodes = [int(mesh.node_ids[row]) for row in skin(mesh, zone, side)]
            known, left = limits_at(run, nodes, table, "EA1N", [zone])
            if not known:
                print(f"{zone.name:>10}  none: {next(iter(left.values()), 'no node')}")
                continue
            nodes, limits = list(known), list(known.values())
            histories = node_histories(run, nodes, limits)
            best = int(np.argmax(histories.local))
            found = fatigue_of_nodes([histories], [1.0], nodes, limits)[best]
            body, shapes = run.body_of_nodes(nodes)
            y = body.control.position[best, 1]
            factor = judged_section(turning_axle(mesh, body), best, zone)[1]
            largest = section_of_run(axle_run(run, [y], (body, shapes)), 0, limits[best].section, limits[best])
            share, mesh_share = found["utilisation"], found["utilisation"] * found["elastic_factor"] / factor
            ratio = largest["utilisation"] / share
            worst = max(worst, abs(ratio - 1.0))
            print(f"{zone.name:>10}{1e3 * y:10.1f}{factor:10.3f}{found['elastic_factor']:10.3f}{share:10.4f}", end="")
            print(f"{largest['utilisation']:10.4f}{ratio:10.3f}{mesh_share:10.4f}{mesh_share / share:10.3f}")
    print(f"largest difference of en13103 and fatigue: {100.0 * worst:.2f} %")
    return worst


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("run")
    options.add_argument("--place", action="append", required=True)
    given = options.parse_args()
    main(given.run, given.place)
