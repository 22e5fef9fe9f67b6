"""`fw.fit`: parameters of a model from measured values by least squares, over runs, `response`, `eigen`, `linear`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from flexwheel.assess.figures.notebook_pages import html_table
from flexwheel.base.errors import ConvergenceError, FlexwheelError, ScenarioError
from flexwheel.face.display import Displayed
from flexwheel.studies.numbers import numbers

MOST_CONDITION = 1e8
"""Of the scaled sensitivities: above it a combination of the parameters is not seen in what was measured."""
SETTLED = 1e-4
"""Part of the sum of squares that the last step gains: the values are then within 0.01 sqrt(n) standard errors."""


@dataclass(frozen=True, repr=False)
class Fit(Displayed):
    """What `fw.fit` found.

    Example
    -------
    >>> found = fw.fit(predict, measured, {"stiffness": 1e6})
    >>> found.value["stiffness"], found.standard_error["stiffness"]
    """

    value: dict[str, float]
    standard_error: dict[
        str, float
    ]  # of the values, from the residuals: independent, of one variance, model linear there
    residual: npt.NDArray[np.float64]  # predicted less measured, in units of `sigma`
    predicted: npt.NDArray[np.float64]
    runs: int  # of the model

    def _head(self):
        parts = [f"{name} = {x:.6g} +- {self.standard_error[name]:.2g}" for name, x in self.value.items()]
        rms = float(np.sqrt(np.mean(self.residual**2)))
        return ", ".join(parts), f"{self.runs} runs, rms residual {rms:.4g}"

    def _parts(self):
        rows = [(name, x, self.standard_error[name]) for name, x in self.value.items()]
        return [html_table(("parameter", "value", "standard error"), rows)]


def fit(
    predict: Callable[..., npt.ArrayLike],
    measured: npt.ArrayLike,
    start: Mapping[str, float],
    bounds: Mapping[str, Sequence[float]] | None = None,
    *,
    sigma: npt.ArrayLike = 1.0,
    step: float = 1e-3,
    most_runs: int = 200,
) -> Fit:
    """Parameters with which a model comes closest to measured values, by least squares.

    Parameters
    ----------
    predict : callable      parameters by keyword -> values of any shape, from fw.run, fw.response, fw.eigen ..
    measured : array        the same values as measured
    start : dict            name -> first value, not zero: it is the scale too
    bounds : dict           name -> (low, high); default: same sign as the start, up to a thousand times it
    sigma : array           standard deviation of the measured values, in their unit; scales the residuals
    step : float            of the differences, as a part of the value; above the noise of the model
    most_runs : int         of the model

    Returns
    -------
    Fit                     values, standard errors, residuals

    Raises
    ------
    ScenarioError           shapes that differ, fewer values than parameters, a start that is zero or out of bounds,
                            values that are not finite, parameters that cannot be told apart
    ConvergenceError        most_runs is reached

    Example
    -------
    >>> fw.fit(lambda k: fw.eigen(coach(k), [80.0], critical=False).frequency.values[0, :3], measured, {"k": 1e6})
    """
    from scipy.optimize import least_squares

    names, scale, low, high = _parameters(start, bounds or {})
    wanted, runs = numbers("fit: measured", measured), 0
    deviation = np.broadcast_to(numbers("fit: sigma", sigma), wanted.shape)
    if not np.all(deviation > 0.0):
        raise ScenarioError("fit: sigma must be above 0")
    if wanted.size < len(names):
        raise ScenarioError(f"fit: measured must have a value a parameter or more, {len(names)}, got {wanted.size}")

    def values(x):
        nonlocal runs
        if runs >= most_runs:
            raise ConvergenceError(
                f"fit: not settled after {runs} runs of the model; the last was at {_words(names, x * scale)}"
            )
        runs += 1
        given = dict(zip(names, (float(v) for v in x * scale), strict=True))
        try:
            found = numbers("fit: values of predict", predict(**given))
        except FlexwheelError as error:
            raise type(error)(f"fit at {_words(names, x * scale)}: {error}") from error
        if found.shape != wanted.shape:
            raise ScenarioError(f"fit: predict must give values of shape {wanted.shape} as measured, got {found.shape}")
        return found

    def out_of(x):
        return ((values(x) - wanted) / deviation).ravel()

    ends = dict(bounds=(low, high), ftol=SETTLED, xtol=1e-7)
    found = least_squares(out_of, np.ones(len(names)), diff_step=step, x_scale=1.0, **ends)
    seen = np.linalg.svd(found.jac, compute_uv=False)
    if not seen[-1] * MOST_CONDITION > seen[0]:
        raise ScenarioError(
            f"fit: what was measured does not tell {', '.join(names)} apart at {_words(names, found.x * scale)}"
        )
    free = wanted.size - len(names)
    spread = np.sqrt(np.sum(found.fun**2) / free) if free else float("nan")
    error = spread * np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac))) * np.abs(scale)
    x, residual = found.x * scale, found.fun.reshape(wanted.shape)
    return Fit(_named(names, x), _named(names, error), residual, wanted + residual * deviation, runs)


def _parameters(start: Mapping[str, Any], bounds: Mapping[str, Any]):
    """Names and scales (k,) of the parameters, bounds over the scales."""
    if not start:
        raise ScenarioError("fit: start must name a parameter or more, got none")
    for name in bounds:
        if name not in start:
            raise ScenarioError(f"fit: bounds of {name!r}: must be one of {', '.join(start)}")
    scale = numbers("fit: start", list(start.values()), 1)
    ends = []
    for name, value in zip(start, scale, strict=True):
        if value == 0.0:
            raise ScenarioError(f"fit: start of {name!r} must not be zero, which is the scale too")
        low, high = sorted(bounds.get(name, (1e-3 * value, 1e3 * value)))
        if not low <= value <= high:
            raise ScenarioError(f"fit: start of {name!r} must be within {low:g} and {high:g}, got {value:g}")
        ends.append(sorted((low / value, high / value)))
    return list(start), scale, *np.array(ends).T


def _named(names, values):
    return {name: float(value) for name, value in zip(names, values, strict=True)}


def _words(names, values):
    return ", ".join(f"{name} = {value:.6g}" for name, value in zip(names, values, strict=True))
