"""Utilisation of an axle in a run: `fatigue` (stress of the mesh) beside `en13103 --run` (statics of the run's loads).

    python benchmarks/axle_of_run.py RUN --place body:480:500 --place fillet:600:653:160:40:185 --place seat:653:660

A --place is a --zone of `flexwheel fatigue`; on either side of the axle the ring of it with the largest utilisation by
`fatigue` (EA1N, `assumed` limits) is taken, at one angle. `statics` is that of the same point by the moments of the
run's own loads, K M / W; `largest` the one that `en13103 --run` prints, of the point with the largest range;
`resultant` K MR / W at the time of the largest resultant. A zone narrower than a few rings takes a minute a side.
"""

import argparse
from dataclasses import replace

import numpy as np

from flexwheel.assess.evaluate.axle_standard import nominal_stress
from flexwheel.assess.evaluate.strength_grades import read_grades
from flexwheel.assess.node_fatigue import fatigue_of_nodes, limits_at, node_histories
from flexwheel.assess.nominal_stress import parse_zone
from flexwheel.assess.section_moments import axle_run, section_of_run
from flexwheel.assess.surface_stress import StressOfRun
from flexwheel.body.revolution import detect_revolution

HEADS = ("zone", "y [mm]", "factor", "fatigue", "statics", "ratio", "largest", "resultant")


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
    """Print the table; returns the largest relative difference of statics and `fatigue`."""
    run, worst = StressOfRun(path), 0.0
    mesh, table = run.mesh, read_grades("assumed")
    row_of = {int(number): k for k, number in enumerate(mesh.node_ids)}
    print("".join(f"{head:>10}" for head in HEADS))
    for zone in map(parse_zone, places):
        for side in (1, -1):
            nodes = [int(mesh.node_ids[row]) for row in skin(mesh, zone, side)]
            known, left = limits_at(run, nodes, table, "EA1N", [zone])
            if not known:
                print(f"{zone.name:>10}  none: {next(iter(left.values()), 'no node')}")
                continue
            nodes, limits = list(known), list(known.values())
            figures = fatigue_of_nodes([node_histories(run, nodes)], [1.0], nodes, limits)
            best = max(range(len(nodes)), key=lambda k: figures[k]["utilisation"])
            found, (x, y, z) = figures[best], mesh.nodes[row_of[nodes[best]]]
            size = (2.0 * np.hypot(x, z) if np.isnan(zone.diameter) else zone.diameter, 0.0)
            axle = axle_run(run, [y])
            plain = replace(limits[best], elastic=1.0)
            own = section_of_run(axle, 0, size, zone.concentration, plain, angles=[np.arctan2(x, -z)])
            most = section_of_run(axle, 0, size, zone.concentration, plain)
            resultant = nominal_stress(np.linalg.norm(own["moment_nm"]), size[0], 0.0, zone.concentration)
            ratio = own["utilisation"] / found["utilisation"]
            worst = max(worst, abs(ratio - 1.0))
            print(f"{zone.name:>10}{1e3 * y:10.1f}{found['elastic_factor']:10.3f}{found['utilisation']:10.4f}", end="")
            print(f"{own['utilisation']:10.4f}{ratio:10.3f}{most['utilisation']:10.4f}", end="")
            print(f"{float(plain.utilisation(resultant)):10.4f}", flush=True)
    print(f"largest difference of statics and fatigue: {100.0 * worst:.2f} %")
    return worst


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("run")
    options.add_argument("--place", action="append", required=True)
    given = options.parse_args()
    main(given.run, given.place)
