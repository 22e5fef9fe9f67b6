"""DIST beside DIFF by the indentation at which they look: S1002 on UIC60, configurations of the paper's table 1.

Run with `python benchmarks/distance_measures.py`. Prints, in percent of 12,000 configurations, those in which both find
as many points and one is more than 2 mm from those of the other, and those in which the numbers differ.
"""

import numpy as np

from flexwheel.assess.commands.detection_pair import contact_pair
from flexwheel.assess.detection.compare import DIFF, DIST, POINTS, TOLERANCE, points_of
from flexwheel.assess.detection.configurations import (
    INDENTATION,
    Configurations,
    chosen,
    configuration,
    configuration_of,
    pressed_height,
    wheel_pose,
)
from flexwheel.contact.detection.detection_tables import make_detection_tables
from flexwheel.contact.detection.diff import diff_depth
from flexwheel.numerics.kernels import handle


def main(configurations=12_000, depths=(INDENTATION, 1e-4, 3e-5, 1e-5)):
    """Percent off and percent of other number, by inclination and indentation [m]; also printed."""
    found, scratch = {}, np.zeros((2, POINTS))
    where = configuration(chosen(configurations))
    for inclination in ("1:40", "1:20"):
        contact, placement = contact_pair("S1002", "UIC60", inclination, 0.46)
        tables = make_detection_tables(contact, None)
        quick = handle(tables)
        for depth in depths:
            cases = Configurations(placement.radius, placement.wheel_y, *where, np.zeros(configurations))
            for i in range(configurations):
                cases.height[i] = pressed_height(quick, configuration_of(cases, i), depth, *scratch)
            (_, dist), (places, diff) = (points_of(tables, method, cases) for method in (DIST, DIFF))
            off = other = 0
            for i in range(configurations):
                pose = wheel_pose(quick, configuration_of(cases, i), cases.height[i])
                pressed = [not np.isnan(at) and diff_depth(quick, pose, at)[0] >= 0.0 for at in places[i]]
                a, b = dist[i][~np.isnan(dist[i, :, 0])], diff[i][pressed]
                if len(a) != len(b):
                    other += 1
                elif len(a):
                    apart = np.linalg.norm(a[:, None] - b[None], axis=2)
                    off += max(apart.min(axis=0).max(), apart.min(axis=1).max()) > TOLERANCE
            found[inclination, depth] = 100.0 * off / configurations, 100.0 * other / configurations
            print(f"{inclination} {1e3 * depth:5.2f} mm: off {found[inclination, depth][0]:.3f} %, "
                  f"other number {found[inclination, depth][1]:.3f} %", flush=True)  # fmt: skip
    return found


if __name__ == "__main__":
    main()
