"""Complex modes of a run's vehicle about straight running, as `flexwheel eigen` has them, for a page."""

from pathlib import Path

import numpy as np

from flexwheel.assess.linear_analysis import running_at
from flexwheel.assess.linearise import dominant_coordinates, eigenvalues
from flexwheel.base.page_scene import ComplexMode
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets

MOST = 60
"""Motions of lowest frequency that a page lists."""


def vehicle_motions(results, say):
    """[ComplexMode] of the vehicle of a run on straight smooth track at its speed, dry friction sticking, ascending.

    Parameters
    ----------
    results : Dataset of kind "vehicle"
    say : callable(str)    what the linear model assumes

    Raises
    ------
    ScenarioError          where the vehicle has no linear model, such as a force law at a kink
    """
    scenario = parse_scenario(str(results.attrs["scenario"]), Path("scenario of the results"))
    bodies = {name: item.body for name, item in flexible_wheelsets(scenario, say).items()}
    linear = running_at(scenario, bodies, "sticking")(scenario.run.speed)
    for line in (*linear.notes, *linear.warnings):
        say(line)
    values, shapes = eigenvalues(linear)
    chosen = np.flatnonzero(values.imag > 1e-6)
    chosen = chosen[np.argsort(np.abs(values[chosen]))][:MOST]
    names, _ = dominant_coordinates(linear, shapes[:, chosen])
    units = [label.removesuffix(" along") for label in linear.labels if label.endswith(" along")]
    rows = {name: linear.labels.index(f"{name} along") + np.arange(6) for name in units}
    modal = {name: [k for k, x in enumerate(linear.labels) if x.startswith(f"{name} mode ")] for name in bodies}
    return [
        ComplexMode(
            names[n],
            float(np.abs(values[k]) / (2.0 * np.pi)),
            float(-values[k].real / np.abs(values[k])),
            {name: shapes[own, k] for name, own in rows.items()},
            {name: shapes[own, k] for name, own in modal.items()},
        )
        for n, k in enumerate(chosen)
    ]
