"""What noise on worn pairs leaves open to a reader that is told how rough their sections are at every place.

    python benchmarks/noise_bound.py [--noise 10] [--spacing 0.1 0.5] [--along y] [--told 2] [--poses 16] [--draws 6]

Sections are drawn that points with noise do not tell from the true one. Second differences of the curvature are normal
and independent, with the mean square of the true ones within `--told` mm (cutoffs to 20 mm). Pressures of the draws
spread by what no reader can know, on average over sections as rough as these (posterior of the best estimate). It is no
bound where sections are not of that kind: an edge between facets is three large differences that belong together, which
`ground_edges` uses. Ten pairs and poses of benchmarks/noisy_pairs.py.
"""

import argparse

import numpy as np
import scipy
from noisy_pairs import pressed

from flexwheel.base.variables import PATCH
from flexwheel.contact.profiles.local_penalty import _differences, _least
from flexwheel.contact.profiles.profile import Profile, incline, profile_height
from flexwheel.contact.profiles.profile_file import _plain_section
from flexwheel.contact.profiles.smoothing import passing_curve
from flexwheel.verification.worn_profiles import worn_pairs

FINEST, LONGEST, FLATTEST = 0.1, 20.0, 0.01  # [mm, mm], sine of a place that noise along y moves along itself


def known_section(profile, spacing, noise, along, told):
    """Points of a section, its normals, the deviation of their noise, and rows, values and mean squares of its g.

    spacing, noise and told in mm; g of flexwheel.contact.profiles.local_penalty.
    """
    step = max(spacing, FINEST)
    length = np.append(0.0, np.cumsum(np.hypot(np.diff(profile.y), np.diff(profile.height))))
    y = np.interp(np.arange(0.0, length[-1], 1e-3 * step), length, profile.y)
    height, slope, _ = profile_height(profile, y)
    normal = np.column_stack([-slope, np.ones_like(slope)]) / np.sqrt(1.0 + slope**2)[:, None]
    base = 1e3 * np.column_stack([y, height])
    length = np.append(0.0, np.cumsum(np.hypot(*np.diff(base, axis=0).T)))
    sigma = noise * np.sqrt(spacing / step) * np.ones(y.size)
    if along == "y":
        sigma *= np.maximum(np.abs(normal[:, 0]), FLATTEST)
    rows, bent = _differences(length, base, normal)
    around = max(round(told / step), 1)
    square = np.convolve(
        np.pad(bent**2, (around // 2, around - 1 - around // 2), "edge"), np.full(around, 1.0 / around)
    )
    square = np.maximum(square[around - 1 : bent.size + around - 1], sigma[2:-2] ** 2 * (2.0 * np.pi / LONGEST) ** 8)
    return base, normal, sigma, (rows, bent, square)


def section_through(points, kind):
    """Profile through points (n, 2) [mm]."""
    spline, along_it = passing_curve(points)
    at = np.linspace(along_it[0], along_it[-1], 2 + int(np.ptp(along_it) / 0.05))
    y_of, z_of, *rest = _plain_section("drawn", *[1e-3 * 1e3**k * spline(at, k).T for k in range(3)])
    datum = np.interp(0.0, y_of, z_of) if kind == "wheel" else 0.0
    drawn = Profile("drawn", kind, y_of, z_of - datum, *rest)
    return drawn if kind == "wheel" else incline(drawn, 0.0)


def sections(profile, spacing, noise, along, told, draws, rng):
    """Sections drawn, as Profile; spacing, noise and told in mm."""
    base, normal, sigma, (rows, bent, square) = known_section(profile, spacing, noise, along, told)
    factor = _least(rows, 0.0 * bent, 1.0 / square, 1.0 / sigma**2, 0.0 * sigma)[0]
    width = factor.shape[0] - 1
    upper = np.stack([np.pad(factor[width - k], (width - k, 0))[: sigma.size] for k in range(width + 1)])
    for _ in range(draws):
        u = scipy.linalg.solve_banded((0, width), upper, rng.standard_normal(sigma.size))
        yield section_through(base + u[:, None] * normal, profile.kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--noise", type=float, default=10.0, help="um")
    parser.add_argument("--spacing", type=float, nargs="+", default=[0.05, 0.1, 0.2, 0.5, 1.0], help="mm")
    parser.add_argument("--along", choices=("normal", "y"), default="normal")
    parser.add_argument("--told", type=float, default=2.0, help="mm")
    parser.add_argument("--poses", type=int, default=16)
    parser.add_argument("--draws", type=int, default=6)
    asked, rng, poses = parser.parse_args(), np.random.default_rng(7), []
    for _ in range(asked.poses):
        yaw = rng.uniform(-0.08, 0.08) * rng.uniform() ** 2
        poses.append((rng.uniform(-4e-3, 7e-3), yaw, rng.uniform(10e3, 150e3)))
    facets = np.array(["ground" in name for name in worn_pairs()])
    for spacing in asked.spacing:
        how, found = (spacing, 1e-3 * asked.noise, asked.along, asked.told, asked.draws, rng), []
        for pair in worn_pairs().values():
            drawn = zip(sections(pair.wheel, *how), sections(pair.rail, *how), strict=True)
            rows = [[(np.nan, np.nan) if r is None else (np.log(r[1][PATCH.peak_pressure]), r[0]) for r in of]
                    for of in (pressed(*both, poses) for both in drawn)]  # fmt: skip
            found.append(np.abs(rows - np.nanmedian(rows, axis=0)))
        pressure, force = np.moveaxis(np.array(found), -1, 0)
        parts = [100.0 * np.nanquantile(part, 0.9) for part in (pressure, pressure[~facets], pressure[facets], force)]
        print("{:.2f} mm: pressure {:.1f} % (plain {:.1f}, facets {:.1f}), force {:.2f} %".format(spacing, *parts),
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
