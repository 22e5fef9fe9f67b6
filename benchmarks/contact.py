"""Time of one wheel-rail contact call: S1002 on 60E1 1:40, per pose, semi-Hertzian and FASTSIM.

Run with `python benchmarks/contact.py`. Prints microseconds of processor time per call, the least of ten runs.
"""

import platform
import time

import numpy as np
from numba import njit

from flexwheel.contact.tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.profiles.placement import place
from flexwheel.profiles.rail_60e1 import rail_60e1
from flexwheel.profiles.s1002 import s1002

POSES = {
    "lifted": (0.0, 3e-3),
    "tread, centred": (0.0, -0.26e-3),
    "tread, 1 mm": (1e-3, -0.23e-3),
    "gauge corner, two patches": (5.3e-3, 0.16e-3),
    "flange": (6.4e-3, 0.5e-3),
}


@njit
def _repeat(count, tables, motion, scratch, result):
    total = 0.0
    for _ in range(count):
        wheel_rail_contact(tables, 0.46, motion, scratch, result)
        total += result.wrench[2]
    return total


def main(count=5000, runs=10, tangential_model="fastsim", normal_model="semi_hertzian"):
    """Microseconds per call for each pose, as a dictionary, also printed."""
    rail = rail_60e1(1 / 40)
    tables = make_contact_tables(
        s1002(), rail, place(rail), tangential_model=tangential_model, normal_model=normal_model
    )
    scratch, result = make_contact_scratch(tables), make_contact_result()
    v = np.array([0.01, 0.02, 0.0, 0.0, 22.0 / 0.46, 0.0])
    times = {}
    for name, (y, z) in POSES.items():
        motion = WheelMotion(np.array([0.0, y, z, 0.0, 0.0, 0.002]), v, v[:3].copy(), 22.0)
        _repeat(2, tables, motion, scratch, result)
        best = np.inf
        for _ in range(runs):
            start = time.thread_time()
            force = _repeat(count, tables, motion, scratch, result) / count
            best = min(best, time.thread_time() - start)
        times[name] = 1e6 * best / count
        print(f"{name:28s} {1e-3 * force:9.1f} kN {times[name]:8.2f} us")
    return times


if __name__ == "__main__":
    print(platform.processor() or platform.machine(), platform.python_version())
    for tangential in ("fastsim", "linear_saturated", "polach"):
        print(tangential)
        main(tangential_model=tangential)
