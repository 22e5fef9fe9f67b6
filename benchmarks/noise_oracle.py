"""Pressure error of ways to smooth noisy worn pairs that know what no file says, beside the package's reader.

    python benchmarks/noise_oracle.py [--noise 2 5 20] [--spacing 0.05 0.1 0.2 0.5 1.0] [--poses 40] [--seed 7]

The same pairs, poses and kind of files as in benchmarks/noisy_pairs.py, noise along the normals of wheel and rail.
Printed are nine of ten errors of the largest pressure [%], of all ten pairs and of the eight without ground facets:

reader     the package's default
cutoff     smoothing splines with one cutoff wavelength a file, of CUTOFFS: for every pair the two with which nine of
           ten errors against the true pair are least
told 2, 6  the most likely section if the mean square of g (`local_penalty`) of the true section within 2 or 6 mm of
           every place is known: of all linear smoothers the best on sections that are as rough (Wiener's)
"""

import argparse
import itertools
import tempfile

import numpy as np
from noise_bound import known_section, section_through
from noisy_pairs import pressed, written

from flexwheel.base.variables import PATCH
from flexwheel.contact.profiles.local_penalty import _least
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.verification.worn_profiles import worn_pairs

CUTOFFS, TOLD = (1.5, 2.2, 3.2, 4.6, 6.8, 10.0, 15.0), (2.0, 6.0)  # [mm]


def pressures(wheel, rail, poses):
    """Largest pressure in every pose [Pa], nan where there is none."""
    return np.array([np.nan if row is None else row[1][PATCH.peak_pressure] for row in pressed(wheel, rail, poses)])


def wiener(profile, spacing, noise, told, rng):
    """The most likely section behind noisy points of a profile, told how rough it is, and that of the points without
    noise; spacing, noise and told in mm."""
    base, normal, sigma, (rows, bent, square) = known_section(profile, spacing, noise, "normal", told)
    u = _least(rows, bent, 1.0 / square, 1.0 / sigma**2, sigma * rng.standard_normal(sigma.size))[1]
    return [section_through(points, profile.kind) for points in (base + u[:, None] * normal, base)]


def pair_errors(pair, poses, spacing, noise, rng):
    """Errors of the pressure in every pose, a row each: reader, cutoff, told ..."""
    with tempfile.TemporaryDirectory() as folder:
        kinds = (pair.wheel, pair.rail)
        clean = [read_profile(written(folder, one, spacing, 0.0, "normal", rng), one.kind) for one in kinds]
        wanted = pressures(*clean, poses)
        files = [written(folder, one, spacing, noise, "normal", rng) for one in kinds]
        of_reader = pressures(*(read_profile(path, one.kind) for path, one in zip(files, kinds, strict=True)), poses)
        asked = [cutoff for cutoff in CUTOFFS if cutoff >= 2.0 * spacing]
        smoothed = [
            [read_profile(path, one.kind, cutoff_mm=cutoff) for cutoff in asked]
            for path, one in zip(files, kinds, strict=True)
        ]
    tried = [np.abs(pressures(*both, poses) / wanted - 1.0) for both in itertools.product(*smoothed)]
    told = []
    for within in TOLD:
        found, true = (
            pressures(*both, poses)
            for both in zip(*(wiener(one, spacing, noise, within, rng) for one in kinds), strict=True)
        )
        told.append(np.abs(found / true - 1.0))
    best = min(tried, key=lambda row: np.nanquantile(row, 0.9))
    return np.array([np.abs(of_reader / wanted - 1.0), best, *told])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--noise", type=float, nargs="+", default=[2.0, 5.0, 20.0], help="um")
    parser.add_argument("--spacing", type=float, nargs="+", default=[0.05, 0.1, 0.2, 0.5, 1.0], help="mm")
    parser.add_argument("--poses", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7, help="of poses and noise")
    asked, poses, pairs = parser.parse_args(), [], worn_pairs()
    rng = np.random.default_rng(asked.seed)
    for _ in range(asked.poses):
        yaw = rng.uniform(-0.08, 0.08) * rng.uniform() ** 2
        poses.append((rng.uniform(-4e-3, 7e-3), yaw, rng.uniform(10e3, 150e3)))
    facets = np.array(["ground" in name for name in pairs])
    for noise in asked.noise:
        for spacing in asked.spacing:
            rows = np.array([pair_errors(pair, poses, spacing, 1e-3 * noise, rng) for pair in pairs.values()])
            for text, part in (("all pairs", rows), ("without facets", rows[~facets])):
                figures = 100.0 * np.nanquantile(np.moveaxis(part, 1, 0).reshape(rows.shape[1], -1), 0.9, axis=1)
                print(
                    "{:g} um, {:.2f} mm, {}: reader {:.1f}, cutoff {:.1f}, told 2 mm {:.1f}, 6 mm {:.1f} %".format(
                        noise, spacing, text, *figures
                    ),
                    flush=True,
                )


if __name__ == "__main__":
    main()
