"""Space curves of both rails: base line, camber and irregularity as cubic splines of x along the straight.

The paper's track file is not published. What it states is kept: two parallel straights, a shift of 50 m, a smooth
symmetric double transition 270 m long in x; its form is taken as the quintic 6-15-10 ramp that the authors' repository
uses for a like track, which has continuous curvature.

Source: paper 000, sections 3.1 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from flexwheel.errors import ScenarioError

FORMS = {"quintic": (0, 0, 0, 10, -15, 6), "septic": (0, 0, 0, 0, 35, -84, 70, -20)}


@dataclass(frozen=True)
class RailCurves:
    """Splines of both rails with equal knot spacing.

    Attributes
    ----------
    start, spacing : float [m]
    coefficients : (2, n, 16) float     left and right; a, b, c, d of x, y, z and camber
    """

    start: float
    spacing: float
    coefficients: np.ndarray

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


def double_transition(x, start, length, shift, form="quintic"):
    """Lateral position and slope of two parallel straights joined over `length` [m]; (y, dy/dx).

    form : str      "quintic" (curvature continuous) or "septic" (its rate as well)
    """
    if form not in FORMS:
        raise ScenarioError(f"track.transition_form = {form!r}, expected one of {', '.join(FORMS)}")
    t = np.clip((np.asarray(x, float) - start) / length, 0.0, 1.0)
    ramp = np.polynomial.Polynomial(FORMS[form])
    return shift * ramp(t), shift / length * ramp.deriv()(t)


def rail_curves(
    *,
    start,
    end,
    half_spacing,
    shift=0.0,
    transition_start=0.0,
    transition_length=1.0,
    transition_form="quintic",
    amplitude=0.0,
    wavelength=10.0,
    phase_right=0.0,
    irregularity_start=None,
    ramp=0.0,
    camber=0.0,
    rail_height=0.0,
    tilt_with_cross_level=False,
    spacing=0.25,
):
    """Rails of the paper's run, or a straight track.

    Parameters
    ----------
    start, end : float [m]              range of x
    half_spacing : float [m]            from the centre line to each rail's crown
    shift, transition_start, transition_length : float [m]
    transition_form : str               of `double_transition`
    amplitude, wavelength : float [m]   vertical sine of both rails
    phase_right : float [rad]           of the right rail's sine relative to the left one's
    irregularity_start, ramp : float [m]   where the sine begins and over which length it grows; None: everywhere
    camber : float [rad]                inclination of both rails towards the centre
    rail_height : float [m]             of the crown above the base; an inclined rail's base lies further out
    tilt_with_cross_level : bool        sleepers are rigid: both rails turn with the difference of their heights
    spacing : float [m]                 of the knots

    Raises
    ------
    ScenarioError       when the range is empty or the knots are too wide for the wave
    """
    if not end > start:
        raise ScenarioError(f"track: end = {end!r} m, expected more than its start, {start!r} m")
    if amplitude and spacing > wavelength / 6.0:
        raise ScenarioError(
            f"track: knots {spacing:g} m apart, expected at most a sixth of the wave, {wavelength / 6:g} m"
        )
    count = int(np.ceil((end - start) / spacing))
    x = start + spacing * np.arange(count + 1)
    y, slope = double_transition(x, transition_start, transition_length, shift, transition_form)
    heading = np.arctan(slope)
    base = half_spacing + rail_height * np.sin(camber)
    grown = np.ones_like(x)
    if irregularity_start is not None:
        t = np.clip((x - irregularity_start) / max(ramp, 1e-9), 0.0, 1.0)
        grown = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)
    heights = [grown * amplitude * np.sin(2.0 * np.pi * x / wavelength + phase) for phase in (0.0, phase_right)]
    turned = (heights[0] - heights[1]) / (2.0 * half_spacing) if tilt_with_cross_level else np.zeros_like(x)
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
        pieces = CubicSpline(knots, curves, axis=1).c  # (4 coefficients, n, 4 curves)
        sides.append(np.transpose(pieces, (1, 2, 0)).reshape(len(knots) - 1, 16))
    return RailCurves(start, spacing, np.ascontiguousarray(np.stack(sides)))
