"""S1002 written to files of rounded points, on the shipped 60E1: contacts lost, and the lateral force they give.

    python benchmarks/rounded_profiles.py [--poses 200] [--seed 1] [--by length y] [--strips 16]

Points every 0.05 to 0.5 mm along the section, or of y, with three to five decimals. Shift 5.2 to 7 mm, yaw 35 to 80
mrad, 10 to 150 kN. Lost: no contact 60 um below the first touch of the shipped profile. The lateral force is that at
equal load, in per cent of the load.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from noisy_pairs import RADIUS, pressed

from flexwheel.contact.contact_tables import make_contact_scratch, make_contact_tables
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.profile import profile_height
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import elastic_load
from flexwheel.numerics.kernels import handle

DEPTH = 6e-5  # [m]


def rounded(folder, profile, spacing, decimals, by):
    """The wheel as read from a file of points every spacing [mm] along `by`."""
    across = np.append(0.0, np.cumsum(np.hypot(np.diff(profile.y), np.diff(profile.height))))
    along = across if by == "length" else profile.y
    y = np.interp(np.arange(along[0], along[-1], 1e-3 * spacing), along, profile.y)
    path = Path(folder) / "wheel.txt"
    points = zip(1e3 * y, 1e3 * profile_height(profile, y)[0], strict=True)
    path.write_text("".join(f"{a:.{decimals}f} {b:.{decimals}f}\n" for a, b in points))
    return read_profile(path, "wheel")


def lost(wheel, rail, poses, touches):
    """Poses without contact DEPTH below their first touch [m]."""
    plain = make_contact_tables(wheel, rail, place(rail), friction=0.0)
    tables, scratch = handle(plain), handle(make_contact_scratch(plain))
    at = [np.array([0.0, s, z - DEPTH, 0.0, 0.0, yaw]) for (s, yaw, _), z in zip(poses, touches, strict=True)]
    return sum(not elastic_load(tables, RADIUS, pose, scratch)[0] > 0.0 for pose in at)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--poses", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", nargs="+", choices=("length", "y"), default=["length", "y"])
    parser.add_argument("--strips", type=int, help="a patch; default: the law's own number")
    asked = parser.parse_args()
    rng, shipped, rail = np.random.default_rng(asked.seed), s1002(), rail_60e1(1 / 40)
    shift, yaw = rng.uniform(5.2e-3, 7e-3, asked.poses), rng.uniform(0.035, 0.08, asked.poses)
    poses = list(zip(shift, yaw * rng.choice([-1, 1], asked.poses), rng.uniform(1e4, 1.5e5, asked.poses), strict=True))
    pair = WheelPair(shipped, rail, place(rail))
    touches = [first_touch(pair, s, 0.0, yaw)[0] for s, yaw, _ in poses]
    wanted = np.array([row[0] for row in pressed(shipped, rail, poses, strips=asked.strips)])
    print(f"shipped: {lost(shipped, rail, poses, touches)} lost of {asked.poses}")
    with tempfile.TemporaryDirectory() as folder:
        for by in asked.by:
            for spacing in (0.05, 0.1, 0.2, 0.5):
                for decimals in (3, 4, 5):
                    wheel = rounded(folder, shipped, spacing, decimals, by)
                    rows = pressed(wheel, rail, poses, strips=asked.strips)
                    force = np.array([np.nan if row is None else row[0] for row in rows])
                    off = np.abs(force - wanted)
                    worst = int(np.nanargmax(off))
                    print(
                        f"{spacing:.2f} mm of {by:6s} {decimals} decimals: {lost(wheel, rail, poses, touches)} lost, "
                        f"lateral force off by p90 {100 * np.nanquantile(off, 0.9):.2f}, worst {100 * off[worst]:.2f} "
                        f"% of the load (shift {1e3 * poses[worst][0]:.3f} mm, yaw {1e3 * poses[worst][1]:.1f} mrad, "
                        f"{1e-3 * poses[worst][2]:.0f} kN), {np.count_nonzero(~(off < 0.01))} above 1 %",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
