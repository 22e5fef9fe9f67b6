"""Time of one wheel-rail contact call: S1002 on 60E1 1:40, per pose, of laws of normal contact and of creep force.

Run with `python benchmarks/contact.py`. Prints microseconds of processor time per call, the least of ten runs; then of
the four wheels of the AS4 in its curve, of radius 300 m at 80 km/h (five patches), together and per patch.
"""

import platform
import time

import numpy as np

from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.normal import NORMAL_LAWS
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle, kernel

POSES = {
    "lifted": (0.0, 3e-3),
    "tread, centred": (0.0, -0.26e-3),
    "tread, 1 mm": (1e-3, -0.23e-3),
    "gauge corner, two patches": (5.3e-3, 0.16e-3),
    "flange": (6.4e-3, 0.5e-3),
}

CURVE = (  # y, z [m], roll, yaw [rad] of the AS4's wheels 3.1 s after its start, mirrored on the right
    (-0.011908, -0.000406, 0.000397, -0.015096),
    (0.006482, 0.000514, -0.003712, 0.014948),
    (0.00622, 0.000466, -0.001593, 0.007649),
    (-0.008205, -0.000491, 0.007199, -0.007611),
)


@kernel
def _repeat(count, tables, motion, scratch, result):
    total, patches = 0.0, 0
    for _ in range(count):
        _, found = wheel_rail_contact(tables, 0.46, motion, scratch, result)
        total += result.wrench[2]
        patches += found
    return total, patches


def main(count=5000, runs=10, tangential_law="fastsim", normal_law=NORMAL_LAWS.default, strips=None):
    """Microseconds per call for each pose, as a dictionary, also printed."""
    rail = rail_60e1(1 / 40)
    laws = {"tangential_law": tangential_law, "normal_law": normal_law}
    tables = make_contact_tables(s1002(), rail, place(rail), strips=strips, **laws)
    tables, scratch, result = handle(tables), handle(make_contact_scratch(tables)), handle(make_contact_result())
    v = np.array([0.01, 0.02, 0.0, 0.0, 22.0 / 0.46, 0.0])
    times, four, patches = {}, 0.0, 0
    poses = {name: (y, z, 0.0, 0.002) for name, (y, z) in POSES.items()}
    poses |= {f"curve, wheel {k}": pose for k, pose in enumerate(CURVE, 1)}
    for name, (y, z, roll, yaw) in poses.items():
        motion = WheelMotion(np.array([0.0, y, z, roll, 0.0, yaw]), v, v[:3].copy(), 22.0)
        _repeat(2, tables, motion, scratch, result)
        best = np.inf
        for _ in range(runs):
            start = time.thread_time()
            force, found = _repeat(count, tables, motion, scratch, result)
            best = min(best, time.thread_time() - start)
        times[name] = 1e6 * best / count
        print(f"{name:28s} {1e-3 * force / count:9.1f} kN {times[name]:8.2f} us")
        if name.startswith("curve"):
            four, patches = four + times[name], patches + found // count
    print(f"four wheels in the curve {four:8.2f} us, {four / patches:.2f} us each of {patches} patches")
    return times


if __name__ == "__main__":
    print(platform.processor() or platform.machine(), platform.python_version())
    for normal in (NORMAL_LAWS.default, "semi_hertzian"):
        for tangential in ("fastsim", "kalker_linear", "polach"):
            print(normal, tangential)
            main(tangential_law=tangential, normal_law=normal)
