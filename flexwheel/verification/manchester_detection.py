"""The Manchester coach on the S-curve with every detection method: the same histories."""

from __future__ import annotations

import numpy as np

from flexwheel.build import build_simulation
from flexwheel.errors import ScenarioError
from flexwheel.io.scenario import read_scenario
from flexwheel.run.simulation import execute
from flexwheel.verification.manchester import S_CURVE
from flexwheel.verification.registry import bound, check, information

METHODS = ("dist", "diff", "grid", "simplex", "compass", "table", "network")


def s_curve(method):
    """Results of the S-curve with one detection method."""
    return execute(build_simulation(read_scenario(S_CURVE, (f"contact.detection={method}",)), {}))


@check("Manchester coach: S-curve with every detection method", slow=True)
def every_detection_method():
    """Wheel forces of each method beside those of the scan, rms of the difference over the static load."""
    scan = s_curve("scan")
    load = float(np.mean(scan.attrs["static_wheel_load_n"]))
    rows = []
    for method in METHODS:
        try:
            other = s_curve(method)
        except ScenarioError as error:  # networks and table that were not trained
            rows.append(information(f"{method}: {error}", float("nan")))
            continue
        difference = other.wheel_force.values - scan.wheel_force.values
        rms = float(np.sqrt(np.mean(difference**2, axis=0)).max()) / load
        rows.append(bound(f"{method}: rms of the difference of a wheel force over the load", rms, 1e-2, "-", "scan"))
        seconds = other.attrs["loop_seconds"] / other.attrs["steps"]
        rows.append(information(f"{method}: time of a step, compilation included", 1e6 * seconds, "us"))
    return rows
