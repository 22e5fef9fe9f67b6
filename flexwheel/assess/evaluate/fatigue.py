"""Fatigue of a point from the history of its stress tensor: multiaxial criteria, critical plane, counting and damage.

Source of the criteria: Papadopoulos, Davoli, Gorla, Filippini, Bernasconi 1997, International Journal of Fatigue 19(3),
219-235; Dang Van 1993, ASTM STP 1191, 120-130; counting: ASTM E1049-85, rainflow counting (library rainflow); damage:
Miner's rule with the slope 2 m - 1 below the knee (Haibach); mean stress: the FKM guideline's Haigh diagram as the open
program pyLife has it (boschresearch/pylife, src/pylife/strength/meanstress.py: fkm_goodman).
Verified in tests/assess/test_fatigue_verified.py.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.evaluate.surface_stress_field import principal_stresses
from flexwheel.base.errors import ScenarioError
from flexwheel.body.control_rings import STRESS_PAIRS

DIRECTIONS = 600  # on the half sphere: 5 degrees apart, a range errs by 0.2 %
BALL_STEPS = 4000


@dataclass(frozen=True)
class FatigueLimits:
    """Amplitudes that a material bears for ever [Pa]."""

    bending: float  # fully reversed (rotating) bending
    torsion: float  # fully reversed torsion
    repeated_bending: float  # amplitude in bending from zero

    def __post_init__(self):
        low, high = 0.5, np.sqrt(3.0) / 2.0
        torsion, repeated = (
            part / self.bending if self.bending > 0.0 else np.nan for part in (self.torsion, self.repeated_bending)
        )
        if not (0.5 <= repeated <= 1.0 and low <= torsion <= high):
            raise ScenarioError(
                f"fatigue limits {self.bending / 1e6:g} (bending), {self.torsion / 1e6:g} (torsion), "
                f"{self.repeated_bending / 1e6:g} MPa (from zero): expected above 0, torsion over bending {low:g} to "
                f"{high:.3f}, from zero over bending 0.5 to 1"
            )

    @classmethod
    def of_bending(cls, bending, torsion=None, repeated_bending=None):
        """Limits [Pa]; where None: torsion 0.577 of bending (FKM, see strength_grades), from zero 0.83, assumed."""
        return cls(
            bending,
            0.577 * bending if torsion is None else torsion,
            0.83 * bending if repeated_bending is None else repeated_bending,
        )

    def curve(self, knee_cycles=2e6, slope=5.0):
        """Woehler curve with its knee at the limit in bending, mean stress as the limit from zero has it."""
        sensitivity = self.bending / self.repeated_bending - 1.0
        return WoehlerCurve(2.0 * self.bending, knee_cycles, slope, sensitivity)


@dataclass(frozen=True)
class WoehlerCurve:
    """Cycles N = knee_cycles (range / knee_range)^-slope above the knee, slope 2 slope - 1 below, at mean stress 0."""

    knee_range: float  # [Pa] stress range, twice the amplitude
    knee_cycles: float = 2e6
    slope: float = 5.0
    mean_sensitivity: float = 0.0  # M: the amplitude borne falls by M for each unit of mean stress, R from -inf to 0

    def __post_init__(self):
        numbers = self.knee_range > 0.0 and 1e4 <= self.knee_cycles <= 1e10 and 1.0 <= self.slope <= 30.0
        if not (numbers and 0.0 <= self.mean_sensitivity <= 1.0):
            raise ScenarioError(
                f"Woehler curve with knee {self.knee_range / 1e6:g} MPa, {self.knee_cycles:g} cycles, slope "
                f"{self.slope:g}, mean stress sensitivity {self.mean_sensitivity:g}: expected a knee above 0 at 1e4 "
                "to 1e10 cycles, slope 1 to 30, sensitivity 0 to 1"
            )

    def cycles(self, ranges):
        """Cycles that a range about mean stress 0 is borne."""
        ratio = np.maximum(np.asarray(ranges, dtype=float), 1e-300) / self.knee_range
        return self.knee_cycles * ratio ** -np.where(ratio >= 1.0, self.slope, 2.0 * self.slope - 1.0)

    def reversed_ranges(self, ranges, means):
        """Ranges about mean stress 0 that do the damage of ranges about means [Pa].

        Amplitude a, mean m, R = (m - a) / (m + a): slope 0 for R above 1 (all in compression), M for R up to 0, M / 3
        beyond.
        """
        amplitude, mean = 0.5 * np.asarray(ranges, dtype=float), np.asarray(means, dtype=float)
        m = self.mean_sensitivity
        alternating = amplitude + m * np.clip(mean, -amplitude, amplitude)
        swelling = (1.0 + m) / (1.0 + m / 3.0) * (amplitude + m / 3.0 * mean)
        return 2.0 * np.where(mean > amplitude, swelling, alternating)


def fatigue_criteria(stress, limits):
    """Utilisation by the criteria of Crossland, Sines and Dang Van: 1 at the fatigue limit.

    Parameters
    ----------
    stress : (T, 6) [Pa]        xx yy zz xy yz zx of a material point
    limits : FatigueLimits

    Returns
    -------
    dict    crossland, sines, dang_van [-]; amplitude [Pa] of the square root of J2
    """
    stress = np.asarray(stress, dtype=float)
    mean = stress[:, :3].mean(axis=1)
    centre, amplitude = smallest_ball(deviator_points(stress))
    f, t = limits.bending, limits.torsion
    crossland = (amplitude + (3.0 * t / f - np.sqrt(3.0)) * mean.max()) / t
    middle = 0.5 * (mean.max() + mean.min())
    sines = (amplitude + (3.0 * t / limits.repeated_bending - np.sqrt(3.0)) * middle) / t
    local = principal_stresses(_deviator(deviator_points(stress) - centre))
    shear = 0.5 * (local[:, 2] - local[:, 0])
    dang_van = np.max(shear + (3.0 * t / f - 1.5) * mean) / t
    return {"crossland": crossland, "sines": sines, "dang_van": float(dang_van), "amplitude": amplitude}


def deviator_points(stress):
    """(T, 5) coordinates of the deviator in which lengths are square roots of J2 [Pa]."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(np.asarray(stress, dtype=float), -1, 0)
    return np.stack([(2.0 * xx - yy - zz) / np.sqrt(12.0), 0.5 * (yy - zz), xy, yz, zx], axis=-1)


def _deviator(points):
    """Deviators (..., 6) of such coordinates."""
    a, b, xy, yz, zx = np.moveaxis(points, -1, 0)
    xx = 2.0 * a / np.sqrt(3.0)
    return np.stack([xx, b - 0.5 * xx, -b - 0.5 * xx, xy, yz, zx], axis=-1)


def smallest_ball(points):
    """Centre and radius of the smallest ball about points (T, n), the radius at most 0.1 % above the smallest.

    Source: Badoiu, Clarkson 2003, SODA, 801-802: steps towards the farthest point, step k by its part 1/(k + 1).
    """
    unit = np.random.default_rng(1).normal(size=(points.shape[1], 600))
    ends = points @ unit
    few = points[np.unique(np.concatenate([ends.argmax(axis=0), ends.argmin(axis=0)]))]
    centre = few.mean(axis=0)
    for k in range(1, BALL_STEPS):
        centre = centre + (few[np.argmax(((few - centre) ** 2).sum(axis=1))] - centre) / (k + 1.0)
    return centre, float(np.sqrt(((points - centre) ** 2).sum(axis=1).max()))


def critical_plane(stress):
    """Direction (3,) in which the normal stress has the largest range, and that stress (T,) [Pa]."""
    k = np.arange(DIRECTIONS) + 0.5  # points of a spiral on the half sphere
    z, turn = 1.0 - k / DIRECTIONS, np.pi * (1.0 + np.sqrt(5.0)) * k
    normals = np.stack([np.sqrt(1.0 - z**2) * np.cos(turn), np.sqrt(1.0 - z**2) * np.sin(turn), z], axis=1)
    stress = np.asarray(stress, dtype=float)
    best = normals[np.argmax(np.ptp(normal_stress(stress, normals), axis=0))]
    for size in (0.05, 0.01, 0.002):
        offsets = size * np.random.default_rng(2).normal(size=(60, 3))
        around = np.concatenate([best[None], best + offsets])
        around /= np.linalg.norm(around, axis=1)[:, None]
        best = around[np.argmax(np.ptp(normal_stress(stress, around), axis=0))]
    return best, normal_stress(stress, best[None])[:, 0]


def normal_stress(stress, normals):
    """(T, n) stress across planes with normals (n, 3)."""
    weight = np.stack(
        [normals[:, a] * normals[:, b] * (1.0 if a == b else 2.0) for a, b in STRESS_PAIRS], axis=0
    )  # fmt: skip
    return np.asarray(stress) @ weight


def counted_cycles(signal):
    """(n, 3) range, mean [Pa] and number (1 or 0.5) of the cycles of a signal (T,), by rainflow counting."""
    from rainflow import extract_cycles

    found = [(size, mean, number) for size, mean, number, _, _ in extract_cycles(turning_points(signal))]
    return np.array(found, dtype=float).reshape(-1, 3)


def turning_points(signal):
    """Values of a signal at its ends and where it turns."""
    signal = np.asarray(signal, dtype=float)
    signal = signal[np.append(True, np.diff(signal) != 0.0)]
    if len(signal) < 3:
        return signal
    way = np.diff(signal) > 0.0
    return signal[np.concatenate([[True], way[1:] != way[:-1], [True]])]


def damage_of(cycles, curve):
    """Miner's sum of cycles (n, 3): range, mean [Pa], number."""
    if not len(cycles):
        return 0.0
    return float(np.sum(cycles[:, 2] / curve.cycles(curve.reversed_ranges(cycles[:, 0], cycles[:, 1]))))
