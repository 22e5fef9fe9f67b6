"""What the points of a profile's file hold, and how the curve passes them: for reports and pictures."""

from dataclasses import dataclass

import numpy as np

_WORTH_SAYING = 0.2  # [1/m] of the curvature, from noise


@dataclass(frozen=True)
class ProfileQuality:
    """Points of a file, in order along the section, and the curve through them; (n,) a point."""

    source: str  # the file
    key: str  # option or key of its smoothing
    rounding: float  # [m] last decimal; 0: none is seen
    noise: float  # [m] standard deviation; nan: too few points
    y: np.ndarray  # (n,) [m] of the points, as read
    height: np.ndarray  # (n,) [m]
    distance: np.ndarray  # (n,) [m] of the points from the curve
    cutoff: np.ndarray  # (n,) [m] wavelength; 0: the curve passes through the points
    ignored: tuple[str, ...] = ()  # keys of the file that are not applied, with their values

    @property
    def spacing(self):
        """Median distance of neighbouring points [m]."""
        return float(np.median(np.hypot(np.diff(self.y), np.diff(self.height))))

    @property
    def smoothed(self):
        """Whether the curve passes beside the points."""
        return bool(self.cutoff.max() > 0.0)

    @property
    def curvature(self):
        """Standard deviation of the curvature [1/m] of a curve through the points, from their noise; or nan."""
        return float(np.sqrt(6.0) * self.noise / self.spacing**2)

    def line(self):
        """One line for the screen."""
        rounded = f", rounded to {1e6 * self.rounding:.3g} um" if self.rounding else ""
        noise = ", too few to see noise" if np.isnan(self.noise) else f", noise {1e6 * self.noise:.2g} um"
        ignored = f", {' and '.join(self.ignored)} of the file not applied" if self.ignored else ""
        text = f"{self.source}: {self.y.size} points every {1e3 * self.spacing:.2g} mm{rounded}{noise}{ignored}: "
        if not self.smoothed:
            rough = (
                f", with a curvature uncertain by {self.curvature:.3g} 1/m" if self.curvature > _WORTH_SAYING else ""
            )
            return f"{text}the curve passes through them{rough}"
        k = int(np.argmax(np.abs(self.distance)))
        low, high = 1e3 * self.cutoff.min(), 1e3 * self.cutoff.max()
        return (
            f"{text}smoothed, cutoff wavelength {low:.2g} to {high:.2g} mm, points off the curve by "
            f"{1e6 * np.sqrt(np.mean(self.distance**2)):.2g} um rms, at most {1e6 * abs(self.distance[k]):.2g} um at "
            f"y = {1e3 * self.y[k]:.1f} mm ({self.key})"
        )


def quality_lines(*profiles):
    """Lines on profiles from files that are smoothed, that are not and hold noise or may, or with keys not applied."""
    found = (p.quality for p in profiles if p.quality is not None)
    return [q.line() for q in found if q.smoothed or q.ignored or not q.curvature <= _WORTH_SAYING]
