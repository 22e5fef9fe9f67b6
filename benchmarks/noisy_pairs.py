"""Noise on worn pairs: pressure and lateral force against the clean pair, and what no reader of the points can tell.

    python benchmarks/noisy_pairs.py [--poses 60] [--noise 5] [--spacing 0.05 0.1 0.2 0.5 1.0] [--seed 7]
                                     [--along normal y] [--paths] [--law balanced_strips]

Ten pairs (`flexwheel.verification.worn_profiles`), noise on both profiles, along the normal, the height or y. Shift
-4 to 7 mm, yaw to 80 mrad, 10 to 150 kN. `--paths`: largest step of the lateral force in shifts of 5 um near the flange
and on the tread, noisy over clean (of clean, 0.5 % of the load at least).

No reader: two sections that differ by bumps cos^2 of 4, 6, 8 mm width on wheel and rail at the patch, outward in one
and inward in the other. Who has noisy points of one takes it for the other in Phi(-d/2) of the cases, d the distance of
both over the noise, and is then wrong by half their difference or more (Le Cam 1973, Annals of Statistics 1). Any way
to smooth that serves both errs so, on average over both. The errors that it exceeds in one of ten cases are printed.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.normal import NORMAL_LAWS
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.profile import profile_height
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.contact.wheel_rail import OK, WheelMotion, elastic_load, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.verification.worn_profiles import bumped, worn_pairs

RADIUS = 0.46
WIDTHS, LOOKED_AT = (4e-3, 6e-3, 8e-3), 16  # [m] of bumps, poses a pair


def pressed(wheel, rail, poses, law=NORMAL_LAWS.default, strips=None):
    """Lateral force over the load and the patch of the largest pressure in every pose, None where there is none."""
    pair = WheelPair(wheel, rail, place(rail))
    tables = make_contact_tables(wheel, rail, pair.placement, friction=0.0, normal_law=law, strips=strips)
    scratch, result, found = handle(make_contact_scratch(tables)), make_contact_result(), []
    tables, filled = handle(tables), handle(result)
    for shift, yaw, load in poses:
        pose = np.array([0.0, shift, 0.0, 0.0, 0.0, yaw])
        touch = first_touch(pair, shift, 0.0, yaw)[0]
        low, high = touch - 1.5e-3, touch + 5e-5
        for _ in range(28):
            pose[2] = 0.5 * (low + high)
            heavy = elastic_load(tables, RADIUS, pose, scratch)[0] > load
            low, high = (pose[2], high) if heavy else (low, pose[2])
        motion = WheelMotion(pose, np.zeros(6), np.zeros(3), 20.0)
        status, count = wheel_rail_contact(tables, RADIUS, motion, scratch, filled)
        patches = result.patches[:count]
        good = status == OK and count
        bear = patches[:, PATCH.normal_force] > 0.01 * patches[:, PATCH.normal_force].sum()  # others decide nothing
        k = int(np.argmax(np.where(bear, patches[:, PATCH.peak_pressure], 0.0))) if good else 0
        found.append((result.wrench[1] / load, patches[k].copy()) if good else None)
    return found


def written(folder, profile, spacing, noise, form, rng):
    """File of points every spacing [mm] of a profile, with noise [mm]."""
    length = np.append(0.0, np.cumsum(np.hypot(np.diff(profile.y), np.diff(profile.height))))
    y = np.interp(np.arange(0.0, length[-1], 1e-3 * spacing), length, profile.y)
    height, slope, _ = profile_height(profile, y)
    sign = 1.0 if profile.kind == "wheel" else -1.0
    normal = np.column_stack([-slope, np.full(y.size, sign)]) / np.sqrt(1.0 + slope**2)[:, None]
    way = {"normal": normal, "height": np.array([[0.0, 1.0]]), "y": np.array([[1.0, 0.0]])}[form]
    points = 1e3 * np.column_stack([y, sign * height]) + noise * rng.standard_normal(y.size)[:, None] * way
    path = Path(folder) / f"{profile.kind}.txt"
    path.write_text("".join(f"{y:.6f} {z:.6f}\n" for y, z in points))
    return path


def read(folder, profile, *points):
    """The profile as read from such a file."""
    return read_profile(written(folder, profile, *points), profile.kind)


def largest_step(wheel, rail, law, load=60e3):
    """Largest step of the lateral force over the load in shifts of 5 um, on paths of 0.3 mm; none where lost: nan."""
    steps = []
    for start in (-3e-3, 0.0, 3e-3, 5e-3, 6e-3, 6.5e-3):
        found = pressed(wheel, rail, [(start + 5e-6 * k, 0.0, load) for k in range(60)], law)
        steps.append(np.abs(np.diff([np.nan if row is None else row[0] for row in found])).max())
    return np.array(steps)


def told_apart(pairs, poses, width, law):
    """Per pose, change of the logarithm of the pressure, and of the lateral force over the load, by bumps of 1 um and a
    width [m] on both profiles: (n, 2)."""
    changes = []
    for pair in pairs:
        for pose, row in zip(poses, pressed(pair.wheel, pair.rail, poses, law), strict=True):
            both = []
            for size in (1e-6, -1e-6) if row else ():
                wheel = bumped(pair.wheel, row[1][PATCH.y_wheel], width, size)
                both += pressed(wheel, bumped(pair.rail, row[1][PATCH.y_rail], width, size), [pose], law)
            if both and all(both):
                outward, inward = (np.array([np.log(found[1][PATCH.peak_pressure]), found[0]]) for found in both)
                changes.append(0.5 * np.abs(outward - inward))
    return np.array(changes)


def bound(changes, width, spacing, noise):
    """Error of what changes by bumps of a width [m] that no reader avoids in one of ten cases, with noise [mm]."""
    deviations = np.maximum(changes, 1e-6) * 1e3 * noise / np.sqrt(0.75 * 1e3 * width / spacing)
    return brentq(lambda error: np.mean(norm.cdf(-error / deviations)) - 0.1, 0.0, 5.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--poses", type=int, default=60)
    parser.add_argument("--noise", type=float, default=5.0, help="um")
    parser.add_argument("--spacing", type=float, nargs="+", default=[0.05, 0.1, 0.2, 0.5, 1.0], help="mm")
    parser.add_argument("--seed", type=int, default=7, help="of poses and noise")
    parser.add_argument("--along", nargs="+", choices=("normal", "height", "y"), default=["normal", "height"])
    parser.add_argument("--paths", action="store_true", help="also steps of the lateral force along paths")
    parser.add_argument("--law", default=NORMAL_LAWS.default, help="of flexwheel.contact.normal.NORMAL_LAWS")
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    noise, poses = 1e-3 * asked.noise, []
    for _ in range(asked.poses):
        yaw = rng.uniform(-0.08, 0.08) * rng.uniform() ** 2
        poses.append((rng.uniform(-4e-3, 7e-3), yaw, rng.uniform(10e3, 150e3)))
    pairs, facets = list(worn_pairs().values()), ["ground" in name for name in worn_pairs()]
    changes = [told_apart(pairs, poses[:LOOKED_AT], width, asked.law) for width in WIDTHS]
    with tempfile.TemporaryDirectory() as folder:
        for spacing in asked.spacing:
            clean = [
                pressed(
                    *(read(folder, one, spacing, 0.0, "normal", rng) for one in (p.wheel, p.rail)), poses, asked.law
                )
                for p in pairs
            ]
            for k, what in enumerate(("pressure", "force")):
                limits = [bound(one[:, k], width, spacing, noise) for one, width in zip(changes, WIDTHS, strict=True)]
                print(
                    f"{spacing:.2f} mm: {what}, no reader " + ", ".join(f"{100 * x:.2f}" for x in limits) + " %",
                    flush=True,
                )
            for form in asked.along:
                errors, lost, steps = [], 0, []
                for pair, rows, ground in zip(pairs, clean, facets, strict=True):
                    noisy = [read(folder, one, spacing, noise, form, rng) for one in (pair.wheel, pair.rail)]
                    if asked.paths:
                        plain = (read(folder, one, spacing, 0.0, form, rng) for one in (pair.wheel, pair.rail))
                        steps.append(
                            largest_step(*noisy, asked.law) / np.maximum(largest_step(*plain, asked.law), 5e-3)
                        )
                    for found, wanted in zip(pressed(*noisy, poses, asked.law), rows, strict=True):
                        if found is None or wanted is None:
                            lost += 1
                            continue
                        ratio = found[1][PATCH.peak_pressure] / wanted[1][PATCH.peak_pressure]
                        errors.append((abs(ratio - 1.0), abs(found[0] - wanted[0]), ground))
                errors = np.array(errors)
                pressure, force, _ = np.quantile(errors, 0.9, axis=0)
                plain, facet = (np.quantile(errors[errors[:, 2] == k, 0], 0.9) for k in (0, 1))
                print(
                    f"  {form:6s} pressure p90 {100 * pressure:.1f} % (without facets {100 * plain:.1f}, with "
                    f"{100 * facet:.1f}), force p90 {100 * force:.2f} % of the load, {lost} lost",
                    flush=True,
                )
                if steps:
                    above = np.count_nonzero(~(np.array(steps) <= 2.0))
                    print(
                        f"    steps: at most {np.nanmax(steps):.2f} of the clean pair's, {above} above 2 or lost",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
