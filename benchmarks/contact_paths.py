"""Jumps of a wheel's contact force on fine paths, and its tangents against differences: S1002 on 60E1 1:40.

    python benchmarks/contact_paths.py [--law balanced_strips --strips 8] [--paths 2000] [--steps-um 1 0.1] [--seed 1]

Poses are those of the AS4's wheels in its curve (`benchmarks/contact.py`) and random ones: shift from -8 mm to the
flange, roll and yaw to 15 mrad, 30 to 150 kN, creepages to 3 permille; spin and gap rates as they come. A path goes 100
steps sideways, upwards or by roll and yaw (1 um: 2 microrad). Where a step's change is off the mean of its neighbours'
by more than the tolerance of a run's step, the step is halved towards the larger change until it is 1e-4 nm: what is
left is a jump. Printed: jumps over 5 and 50 N (of elastic and of all forces), the largest and where, and how steep the
force is at most over 1 nm; tangents [%]: median and p90 of their errors, over the norm of the differences.
"""

import argparse

import numpy as np
from contact import CURVE

from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import WheelMotion, elastic_load, wheel_rail_contact
from flexwheel.numerics.kernels import handle

RADIUS, SPEED = 0.46, 22.2  # [m], [m/s]
TOLERANCE = 5.0  # [N] of a run's step
FINEST = 1e-13  # [m] a jump's step
WAYS = {  # per m of path: y, z [m], roll, yaw [rad]
    "y": (1.0, 0.0, 0.0, 0.0),
    "z": (0.0, 1.0, 0.0, 0.0),
    "roll": (0.0, 0.0, 2.0, 0.0),
    "yaw": (0.0, 0.0, 0.0, 2.0),
}
LATERAL, UP, ROLL, YAW = 1, 2, 3, 5


class Wheel:
    """One wheel's contact by a law."""

    def __init__(self, law, strips, friction):
        rail = rail_60e1(1 / 40)
        tables = make_contact_tables(s1002(), rail, place(rail), normal_law=law, strips=strips, friction=friction)
        self.result, self.scratch = make_contact_result(), make_contact_scratch(tables)
        self.handles = handle(tables), RADIUS, handle(self.scratch), handle(self.result)

    def force(self, d, v, exact=False):
        """Wrench (6,) in a pose d (6,) with the velocities v (6,), and its tangents (6, 6) by both."""
        tables, radius, scratch, result = self.handles
        wheel_rail_contact(tables, radius, WheelMotion(d, v, v[1:4].copy(), SPEED, 0.0, exact), scratch, result)
        return self.result.wrench.copy(), self.result.jac_d.copy(), self.result.jac_v.copy()

    def load(self, d):
        """Vertical elastic force [N]."""
        return elastic_load(self.handles[0], RADIUS, d, self.handles[2])[0]


def random_poses(wheel, seed, count):
    """(pose (6,), velocity (6,)) of the AS4's wheels and as many random ones."""
    rng, poses = np.random.default_rng(seed), []
    for y, z, roll, yaw in CURVE:
        poses.append((np.array([0.0, y, z, roll, 0.0, yaw]), velocity(rng)))
    while len(poses) < count:
        d = np.array([0.0, rng.uniform(-8e-3, 6.8e-3), 0.0, 0.0, 0.0, 0.0])
        d[ROLL], d[YAW] = rng.uniform(-0.015, 0.015, 2)
        load, low, high = rng.uniform(3e4, 1.5e5), -2e-3, 5e-3
        for _ in range(40):
            d[UP] = 0.5 * (high + low)
            if wheel.load(d) > load:
                low = d[UP]
            else:
                high = d[UP]
        poses.append((d, velocity(rng)))
    return poses


def velocity(rng):
    """(6,) of the wheel against the rail: creepages to 3 permille, rolling."""
    v = np.zeros(6)
    v[:2] = rng.uniform(-3e-3, 3e-3, 2) * SPEED
    v[4] = SPEED / RADIUS
    return v


def path_jumps(force, step, steps=100):
    """Rows (place [m], jump [N]) of a path, and the largest slope [N/m] over 1 nm beside the steps that stand out.

    force : function of the place -> (k,) [N]
    """
    places = step * np.arange(steps + 1)
    values = np.array([force(s) for s in places])
    change = np.diff(values, axis=0)
    about = 0.5 * (change[:-2] + change[2:])
    off = np.abs(change[1:-1] - about).max(axis=1)
    rows, steepest = [], 0.0
    for k in np.flatnonzero(off > TOLERANCE) + 1:
        if off[k - 1] < max(off[max(k - 2, 0)], off[min(k, len(off) - 1)]):
            continue  # that beside it
        low, high = places[k], places[k + 1]
        a, b = values[k], values[k + 1]
        while high - low > FINEST:
            middle = 0.5 * (low + high)
            c = force(middle)
            if np.abs(c - a).max() > np.abs(b - c).max():
                high, b = middle, c
            else:
                low, a = middle, c
            if high - low < 1e-9 <= 2.0 * (high - low):
                steepest = max(steepest, np.abs(b - a).max() / (high - low))
        rows.append((low, np.abs(b - a).max()))
    return rows, steepest


def jumps(wheel, poses, step, sliding):
    """Print the jumps of the elastic or the whole force over the paths from the poses."""
    found, steepest, count = [], [], 0
    for k, (d, v) in enumerate(poses):
        for way, direction in WAYS.items():
            turn = np.zeros(6)
            turn[[LATERAL, UP, ROLL, YAW]] = direction

            def force(s, d=d, v=v * sliding, turn=turn):
                return wheel.force(d + s * turn, v)[0][:3]

            rows, steep = path_jumps(force, step)
            found += [(jump, k, way, s) for s, jump in rows if jump > TOLERANCE]
            steepest.append((steep, k, way))
            count += 1
    found.sort(reverse=True)
    large = sum(row[0] > 10.0 * TOLERANCE for row in found)
    most = "; ".join(f"{jump:.0f} N, pose {k}, {way} at {1e6 * s:.3f} um" for jump, k, way, s in found[:5])
    steep, k, way = max(steepest)
    print(
        f"{1e6 * step:g} um, {'all' if sliding else 'elastic'} forces: {len(found)} jumps over {TOLERANCE:g} N,",
        end=" ",
    )
    print(f"{large} over {10 * TOLERANCE:g} N on {count} paths ({most});", end=" ")
    print(f"steepest {steep:.1e} N/m (pose {k}, {way})")
    return found


def tangents(wheel, poses, step=2e-8):
    """Print the errors of the tangents [%]."""
    errors = {}
    for d, v in poses:
        _, by_d, by_v = wheel.force(d, v)
        for name, column, size, given in [*((n, c, step, by_d) for n, c in zip(WAYS, (1, 2, 3, 5), strict=True)),
                                          *((f"velocity {c}", c, 1e-4, by_v) for c in range(6))]:  # fmt: skip
            sides = []
            for sign in (1.0, -1.0):
                moved = d.copy(), v.copy()
                moved[given is by_v][column] += sign * size
                sides.append(wheel.force(*moved)[0])
            exact = (sides[0] - sides[1])[:3] / (2.0 * size)
            errors.setdefault(name, []).append(
                100.0 * np.linalg.norm(given[:3, column] - exact) / np.linalg.norm(exact)
            )
    for name, values in errors.items():
        print(f"tangent by {name:11s} median {np.median(values):6.2f}  p90 {np.percentile(values, 90):7.2f}  "
              f"worst {np.max(values):8.2f} %")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--law", default="balanced_strips")
    parser.add_argument("--strips", type=int, default=8)
    parser.add_argument("--paths", type=int, default=200, help="poses; four paths each")
    parser.add_argument("--steps-um", type=float, nargs="+", default=[1.0, 0.1])
    parser.add_argument("--friction", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    wheel = Wheel(asked.law, asked.strips, asked.friction)
    poses = random_poses(wheel, asked.seed, asked.paths)
    for step in asked.steps_um:
        for sliding in (False, True):
            jumps(wheel, poses, 1e-6 * step, sliding)
    tangents(wheel, poses)


if __name__ == "__main__":
    main()
