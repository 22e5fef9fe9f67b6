"""Measured profiles and a measured track: files in, and back out of the results."""

import numpy as np

import flexwheel as fw
from flexwheel.base.shipped import TRACK


def main(folder, duration_s=3.0, model="flexible"):
    """Write a profile and an irregularity as a measuring car would, run with them; returns results and a picture."""
    random = np.random.default_rng(7)
    shape = np.loadtxt(TRACK / "profiles" / "S1002.csv", delimiter=",", skiprows=2)
    shape[:, 1] += 0.003 * random.normal(size=len(shape))  # [mm] of noise
    np.savetxt(folder / "wheel.csv", shape, "%.4f", ",", header="y_mm,z_mm", comments="")
    place = np.arange(0.0, 220.0, 0.25)
    height = 3.0 * np.sin(2.0 * np.pi * place / 12.5)  # [mm]
    rows = np.column_stack([place, height, height])
    np.savetxt(
        folder / "track.csv", rows, "%.4f", ",", header="distance_m,left_vertical_mm,right_vertical_mm", comments=""
    )
    changes = {
        "wheelset.front.formulation": "rigid",
        "run.compare_modes": [],
        "run.duration_s": duration_s,
        "track.model": model,
        "track.layout": [{"kind": "straight", "length_m": 300.0}],
        "contact.wheel_profile": str(folder / "wheel.csv"),
        "irregularity": {"file": str(folder / "track.csv"), "roughness": "none"},
    }
    railcar = fw.Scenario.example("as4_curve", changes)
    results = fw.run(railcar)
    picture = results.fw.plot.forces().save(folder / "measured_input.png")
    # the wheel meets the file's height where it stands
    met = results.irregularity.sel(wheel="front left", direction="vertical")
    way = results.body_position.sel(body="front", path="s")
    late = way > 15.0  # the irregularity grows over the first metres
    np.testing.assert_allclose(met[late], 3e-3 * np.sin(2.0 * np.pi * way[late] / 12.5), atol=3e-5)
    return results, picture
