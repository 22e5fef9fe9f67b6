"""Contacts that the scan of a run loses: every overlap of new and worn pairs against all places of the wheel looked at.

    python benchmarks/lost_contacts.py [--poses 6000] [--seed 1]

Ten pairs (`flexwheel.verification.worn_profiles`), shift 7.7 to 11 mm (flange) for half of the poses and -4 to 7.7 mm
for the others, half of each without yaw, the others to 80 mrad; pressed 0.03 to 0.3 mm below the first touch. Depths
every 20 um; a maximum deeper than 20 um that stands out by half of its depth is lost where no peak within 0.5 mm has
half of its depth. Maxima on the end of a rail or of a branch of the locus are none.
"""

import argparse

import numpy as np
from scipy.signal import find_peaks

from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.gap import OFF, depth_at, make_pose
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle, kernel
from flexwheel.verification.worn_profiles import worn_pairs

SPACING, LEAST, NEAR = 2e-5, 2e-5, 5e-4  # [m]


@kernel
def _depths(pair, pose, places, depths):
    for i in range(places.size):
        depths[i] = depth_at(pair, pose, places[i])


def lost_of(tables, radius, d, press, places, depths):
    """Places [m] and depths of the maxima that `wheel_rail_contact` does not find, and how many there are."""
    for _ in range(8):  # to the first touch
        _depths(tables.pair, make_pose(tables.offset, radius, d), places, depths)
        d[2] += depths.max()
    d[2] -= press
    _depths(tables.pair, make_pose(tables.offset, radius, d), places, depths)
    scratch, motion = make_contact_scratch(tables), WheelMotion(d, np.zeros(6), np.zeros(3), 1.0)
    _, count = wheel_rail_contact(handle(tables), radius, motion, handle(scratch), handle(make_contact_result()))
    top, found = find_peaks(np.maximum(depths, 0.0), height=LEAST, prominence=LEAST)
    ended = np.minimum(depths[top - 1], depths[top + 1]) < OFF
    top = top[(found["prominences"] > 0.5 * found["peak_heights"]) & ~ended]
    lost = []
    for k in top:
        near = np.abs(scratch.peaks.places - places[k]) < NEAR
        if count == 0 or scratch.peaks.heights[near].max(initial=0.0) < 0.5 * depths[k]:
            lost.append((places[k], depths[k]))
    return lost, top.size


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--poses", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    pairs = worn_pairs()
    lost, seen = {True: 0, False: 0}, {True: 0, False: 0}
    for name, pair in pairs.items():
        tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, friction=0.0)
        end = tables.pair.wheel_start + (len(tables.pair.wheel) - 1) / tables.pair.inverse_step
        places = np.arange(tables.pair.wheel_start, end, SPACING)
        depths = np.zeros(places.size)
        for k in range(asked.poses // len(pairs)):
            shift = rng.uniform(7.7e-3, 11e-3) if k % 2 else rng.uniform(-4e-3, 7.7e-3)
            yaw = rng.uniform(-0.08, 0.08) if k % 4 > 1 else 0.0
            d = np.array([0.0, shift, 0.0, 0.0, 0.0, yaw])
            found, count = lost_of(tables, pair.placement.radius, d, rng.uniform(3e-5, 3e-4), places, depths)
            lost[yaw != 0.0] += bool(found)
            seen[yaw != 0.0] += 1
            if found:
                listed = ", ".join(f"{1e3 * place:.2f} mm ({1e6 * depth:.0f} um)" for place, depth in found)
                print(f"{name}: shift {1e3 * shift:.3f} mm, yaw {1e3 * yaw:.2f} mrad: {listed} of {count}", flush=True)
    print(f"lost in {lost[False]} of {seen[False]} poses without yaw, in {lost[True]} of {seen[True]} with")


if __name__ == "__main__":
    main()
