"""Functions given by cubic pieces (paper 000, eq 5): profiles of wheels and rails, space curves of the rails."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError

SMOOTHNESS = 1e-6


@dataclass(frozen=True)
class CubicPieces:
    """Piecewise cubic f(u) = ((a t + b) t + c) t + d with t = u - knot."""

    knots: np.ndarray  # (n+1,)
    coefficients: np.ndarray  # (n, 4) a, b, c, d of each piece

    def __call__(self, u, derivative=0):
        """Value, first or second derivative; the end pieces go on outside the range."""
        k = np.clip(np.searchsorted(self.knots, u, side="right") - 1, 0, len(self.coefficients) - 1)
        a, b, c, d = self.coefficients[k].T
        t = u - self.knots[k]
        if derivative == 0:
            return ((a * t + b) * t + c) * t + d  # 000 (5)
        return (3 * a * t + 2 * b) * t + c if derivative == 1 else 6 * a * t + 2 * b


def checked_pieces(name, knots, coefficients):
    """Pieces after a check.

    Raises
    ------
    ScenarioError     when the knots do not increase (a fold), a number is not finite, or the pieces do not join
    """
    knots, coefficients = np.asarray(knots, float), np.asarray(coefficients, float)
    if knots.ndim != 1 or len(knots) < 2 or coefficients.shape != (len(knots) - 1, 4):
        raise ScenarioError(
            f"{name}: {knots.shape} knots and {coefficients.shape} coefficients, expected n + 1 and (n, 4)"
        )
    if not (np.isfinite(knots).all() and np.isfinite(coefficients).all()):
        raise ScenarioError(f"{name}: not a number among the spline's values")
    folds = np.flatnonzero(np.diff(knots) <= 0.0)
    if folds.size:
        at = folds[0]
        raise ScenarioError(
            f"{name}: the spline folds back at knot {at + 1}, u = {knots[at + 1]:g} m after {knots[at]:g} m; "
            "expected increasing knots"
        )
    pieces = CubicPieces(knots, coefficients)
    h = np.diff(knots)[:-1]
    a, b, c, d = coefficients[:-1].T
    joins = (
        ("value", ((a * h + b) * h + c) * h + d - coefficients[1:, 3], SMOOTHNESS),
        ("slope", (3 * a * h + 2 * b) * h + c - coefficients[1:, 2], 1e3 * SMOOTHNESS),
    )
    for what, jump, allowed in joins:
        if jump.size and np.abs(jump).max() > allowed:
            at = int(np.abs(jump).argmax())
            raise ScenarioError(
                f"{name}: {what} must not jump by more than {allowed:g}, got {jump[at]:.3g} at u = {knots[at + 1]:g} m"
            )
    return pieces
