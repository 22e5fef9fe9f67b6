"""Half space on worn pairs in random poses: patches counted twice, exceptions, and the conformal solution beside it.

    python benchmarks/half_space.py --poses 5000 [--conformal 11] [--seed 1] [--first 0]

Shift from -4 mm to the flange, yaw to 80 mrad, 10 to 150 kN, ten pairs (`flexwheel.verification.worn_profiles`). Two
patches are one counted twice when boxes of half their length and width on the rail overlap.

5,000 poses of seed 3 (2026-11-27): 0 exceptions, none twice; beside the conformal solution in 455 of them, direction of
the largest patch p90 0.07 and worst 1.8 mrad, force p90 0.06 %, largest pressure p90 0.6 % (worst 20 %: facets).
"""

import argparse
import time
from collections import Counter

import numpy as np

from flexwheel.assess.conformal_patches import conformal_patches
from flexwheel.assess.exact_patches import exact_load
from flexwheel.verification.worn_profiles import worn_pairs

MODULUS = 82e9 / 0.72


def doubled(patches):
    """Number of pairs of patches that lie on one place."""
    boxes = []
    for patch in patches:
        dx, ds = patch.strips[2].max(), patch.half_width * np.cos(patch.plane_angle)
        boxes.append((patch.x - 0.5 * dx, patch.x + 0.5 * dx, patch.y_rail - 0.5 * ds, patch.y_rail + 0.5 * ds))
    pairs = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]]
    return sum(a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3] for a, b in pairs)


def random_pose(rng):
    """Shift [m], yaw [rad] and load [N]."""
    return rng.uniform(-4e-3, 9e-3), rng.uniform(-0.08, 0.08), float(np.exp(rng.uniform(*np.log([1e4, 1.5e5]))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--poses", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first pose, of a draw made in parts")
    parser.add_argument("--conformal", type=int, default=11, help="beside every n-th pose")
    asked = parser.parse_args()
    rng, pairs, start = np.random.default_rng(asked.seed), worn_pairs(), time.perf_counter()
    twice, errors, counts, rows = [], Counter(), Counter(), []
    for k in range(asked.first + asked.poses):
        name = list(pairs)[k % len(pairs)]
        shift, yaw, load = random_pose(rng)
        if k < asked.first:
            continue
        try:
            height, patches = exact_load(pairs[name], shift, 0.0, yaw, load, MODULUS)
        except Exception as error:  # noqa: BLE001  counted
            errors[f"{type(error).__name__}: {error}"[:110]] += 1
            print(f"{name}, {1e3 * shift:.4f} mm, {1e3 * yaw:.3f} mrad, {1e-3 * load:.3f} kN: {error}", flush=True)
            continue
        counts[len(patches)] += 1
        if doubled(patches):
            twice.append((name, shift, yaw, load))
            print(
                f"{name}, {1e3 * shift:.4f} mm, {1e3 * yaw:.3f} mrad, {1e-3 * load:.3f} kN: one patch twice", flush=True
            )
        if k % asked.conformal == 0:
            pose = np.array([0.0, shift, height, 0.0, 0.0, yaw])
            rows.append(beside(patches, conformal_patches(pairs[name], pose, MODULUS)))
        if k % 100 == 99 or k == asked.first + asked.poses - 1:
            took = time.perf_counter() - start
            print(
                f"{k + 1 - asked.first} poses in {took:.0f} s: {sum(errors.values())} exceptions, {len(twice)} twice",
                flush=True,
            )
    print(f"patches: {dict(sorted(counts.items()))}", *errors.items(), sep="\n")
    if rows:
        table = np.array(rows)
        for column, text in enumerate(("direction of the load [mrad]", "size of the load [%]", "largest pressure [%]")):
            values = np.abs(table[:, column])
            print(
                f"{text}: median {np.median(values):.3f}, p90 {np.percentile(values, 90):.3f}, worst {values.max():.3f}"
            )
        print(f"number of patches alike in {np.mean(table[:, 3]):.1%}")


def beside(half, curved):
    """Half space beside conformal at one height: direction [mrad] of the largest patch, force of the pose [%], largest
    pressure [%], number alike."""
    forces = []
    for patches in (half, curved):
        each = [p.normal_force * np.array([-np.sin(p.force_angle), np.cos(p.force_angle)]) for p in patches]
        forces.append((patches[0].force_angle, np.sum(each, axis=0), max(p.peak_pressure for p in patches)))
    (a, n, p), (b, m, q) = forces
    own = [patch.force_angle for patch in half]
    a = min(own, key=lambda angle: abs(angle - b))
    return 1e3 * (a - b), 100.0 * np.hypot(*(n - m)) / np.hypot(*m), 100.0 * (p / q - 1.0), len(half) == len(curved)


if __name__ == "__main__":
    main()
