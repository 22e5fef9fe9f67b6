"""Space curves of both rails: base line, camber and irregularity as cubic splines of x along the straight.

The paper's track file is not published. What it states is kept: two parallel straights, a shift of 50 m, a smooth
symmetric double transition 270 m long in x; its form is taken as the quintic 6-15-10 ramp that the authors' repository
uses for a like track, which has continuous curvature.

Source: paper 000, sections 3.1 and 5.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from flexwheel.base.errors import ScenarioError

FORMS = {"quintic": (0, 0, 0, 10, -15, 6), "septic": (0, 0, 0, 0, 35, -84, 70, -20)}


@dataclass(frozen=True)
class RailCurves:
    """Splines of both rails with equal knot spacing."""

    start: float  # [m]
    spacing: float  # [m]
    coefficients: np.ndarray  # (2, n, 16) left and right; a, b, c, d of x, y, z and camber

    @property
    def end(self):
        """Last x [m]."""
        return self.start + self.spacing * self.coefficients.shape[1]

    def evaluate(self, rail, s):
        """x, y, z, camber of a rail (0 left, 1 right) at s: (4, ...) float."""
        k = np.clip(((np.asarray(s) - self.start) / self.spacing).astype(int), 0, self.coefficients.shape[1] - 1)
        t = np.asarray(s) - (self.start + k * self.spacing)
        c = self.coefficients[rail, k]
        return np.stack([((c[..., 4 * i] * t + c[..., 4 * i + 1]) * t + c[..., 4 * i + 2]) * t + c[..., 4 * i + 3]
                         for i in range(4)])  # fmt: skip


@dataclass(frozen=True)
class DoubleTransition:
    """Two parallel straights, joined."""

    shift: float = 0.0  # [m] of the second to the left; 0: one straight
    start: float = 0.0  # [m] of the way between them, in x
    length: float = 1.0  # [m]
    form: str = "quintic"  # "quintic" (curvature continuous) or "septic" (its rate as well)

    def place(self, x):
        """Lateral place and slope of the centre line at x (n,) [m]: (y, dy/dx)."""
        if self.form not in FORMS:
            raise ScenarioError(f"track.transition_form must be one of {', '.join(FORMS)}, got {self.form!r}")
        t = np.clip((np.asarray(x, float) - self.start) / self.length, 0.0, 1.0)
        ramp = np.polynomial.Polynomial(FORMS[self.form])
        return self.shift * ramp(t), self.shift / self.length * ramp.deriv()(t)


@dataclass(frozen=True)
class VerticalWave:
    """Vertical sine of both rails."""

    amplitude: float = 0.0  # [m]
    wavelength: float = 10.0  # [m]
    phase_right: float = 0.0  # [rad] of the right rail's sine relative to the left one's
    start: float | None = None  # [m] where it begins; None: everywhere
    ramp: float = 0.0  # [m] over which it grows
    tilts: bool = False  # sleepers are rigid: both rails turn with the difference of their heights

    def heights(self, x):
        """Heights of the left and of the right rail at x (n,) [m]."""
        grown = np.ones_like(x)
        if self.start is not None:
            t = np.clip((x - self.start) / max(self.ramp, 1e-9), 0.0, 1.0)
            grown = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)
        turn = 2.0 * np.pi * x / self.wavelength
        return [grown * self.amplitude * np.sin(turn + phase) for phase in (0.0, self.phase_right)]


STRAIGHT, SMOOTH = DoubleTransition(), VerticalWave()


def rail_curves(start, end, half_spacing, line=STRAIGHT, wave=SMOOTH, camber=0.0, rail_height=0.0, spacing=0.25):
    """Rails of the paper's run, or a straight track.

    Parameters
    ----------
    start, end : float [m]      range of x
    half_spacing : float [m]    from the centre line to each rail's crown
    line : DoubleTransition
    wave : VerticalWave
    camber : float [rad]        inclination of both rails towards the centre
    rail_height : float [m]     of the crown above the base; an inclined rail's base lies further out
    spacing : float [m]         of the knots

    Raises
    ------
    ScenarioError       when the range is empty or the knots are too wide for the wave
    """
    if not end > start:
        raise ScenarioError(f"track: end must be more than its start, {start!r} m, got {end!r} m")
    if wave.amplitude and spacing > wave.wavelength / 6.0:
        raise ScenarioError(
            f"track: spacing of knots must be at most {wave.wavelength / 6:g} m, a sixth of the wave, got {spacing:g} m"
        )
    count = int(np.ceil((end - start) / spacing))
    x = start + spacing * np.arange(count + 1)
    y, slope = line.place(x)
    heading = np.arctan(slope)
    base = half_spacing + rail_height * np.sin(camber)
    heights = wave.heights(x)
    turned = (heights[0] - heights[1]) / (2.0 * half_spacing) if wave.tilts else np.zeros_like(x)
    cambers = [sign * camber + turned for sign in (1.0, -1.0)]
    return _beside(float(start), float(spacing), x, np.stack([x, y]), heading, base, heights, cambers)


def rails_beside(start, spacing, points, heading, half_spacing, camber=0.0, rail_height=0.0):
    """Level rails beside any centre line, given at equal steps of its parameter (such as its arc length).

    Parameters
    ----------
    start, spacing : float [m]      of the parameter
    points : (2, n) float [m]       x, y of the centre line
    heading : (n,) float [rad]
    half_spacing, camber, rail_height : float   as `rail_curves`
    """
    n = points.shape[1]
    base = half_spacing + rail_height * np.sin(camber)
    knots = start + spacing * np.arange(n)
    level = [np.zeros(n)] * 2
    cambers = [np.full(n, camber), np.full(n, -camber)]
    return _beside(float(start), float(spacing), knots, points, heading, base, level, cambers)


def _beside(start, spacing, knots, points, heading, base, heights, cambers):
    sides = []
    for sign, height, camber in zip((1.0, -1.0), heights, cambers, strict=True):
        across = sign * base * np.stack([-np.sin(heading), np.cos(heading)])
        curves = np.concatenate([points + across, [height, camber]])
        pieces = scipy.interpolate.CubicSpline(knots, curves, axis=1).c  # (4 coefficients, n, 4 curves)
        sides.append(np.transpose(pieces, (1, 2, 0)).reshape(len(knots) - 1, 16))
    return RailCurves(start, spacing, np.ascontiguousarray(np.stack(sides)))
