"""A train run as a page draws it: vehicles as boxes along the route, coloured by force, brake or speed."""

from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.base.variables import LABELS
from flexwheel.extensions.web.page_scene import BodyColour, PageScene
from flexwheel.run.keys.reader import scenario_source
from flexwheel.systems.train.train_run import build_train_run

GAP, WIDTH, LOW, HIGH = 1.0, 2.9, 0.9, 3.6  # [m] between boxes and of a box, which no file states but for length
TALL = 4.2  # [m] of vehicles with traction
STEP = 20.0  # [m] of the line's table


def train_scenes(results):
    """[PageScene] of a Dataset of kind "train"."""
    built = build_train_run(scenario_source(str(results.attrs["scenario"]), Path("scenario of the results")))
    train, count = built.run.train, results.sizes["time"]
    bodies = [f"{k} {vehicle.name}" for k, vehicle in enumerate(train.vehicles, start=1)]
    place = np.zeros((count, len(bodies), 3))
    place[..., 0] = results.position.values
    force = results.force.values
    ends = np.concatenate([np.zeros((count, 1)), force, np.zeros((count, 1))], axis=1)
    larger = np.where(np.abs(ends[:, 1:]) >= np.abs(ends[:, :-1]), ends[:, 1:], ends[:, :-1])
    colours = [
        BodyColour("coupler_force", "coupler force, draft positive", "kN", 1e-3, larger),
        BodyColour("rear_coupler_force", "force of the rear coupler, draft positive", "kN", 1e-3, ends[:, 1:]),
        BodyColour("brake_pressure", "brake cylinder, 1 full service", "-", 1.0, results.pressure.values),
        BodyColour("speed", "speed", "km/h", 3.6, results.speed.values),
    ]
    names = {"time": results.time, "body": bodies, "wheel": [], "wheelset": []}
    names |= {dim: list(LABELS[dim]) for dim in ("path", "rotation")}
    data = {
        "body_position": (("time", "body", "path"), place),
        "body_angle": (("time", "body", "rotation"), np.zeros_like(place)),
    }
    parts = {
        "boxes": {
            name: [0.5 * max(v.length - GAP, 0.5 * v.length), 0.5 * WIDTH, LOW, TALL if v.traction else HIGH]
            for name, v in zip(bodies, train.vehicles, strict=True)
        },
        "poses": {}, "elements": [], "wheelsets": [], "bay": 0.0,
        "rail": {"y": 0.75, "profile": [[-0.035, 0.0], [0.035, 0.0]]},
    }  # fmt: skip
    line = line_of(built.run.route, results.position.values.min() - 500.0, results.position.values.max() + 500.0)
    note = "the line is drawn from the route's curvature and gradient"
    run = xr.Dataset(data, names, results.attrs)
    return [PageScene("", run, parts, tuple(colours), _peaks(results), line, note)]


def line_of(route, low, high):
    """(n, 5) arc length, x, y, z [m], heading [rad] of a route from `low` to `high`, curvature and gradient integrated.

    Values between the table's rows are those of straight lines, beyond its ends those of the ends.
    """
    s = np.linspace(low, high, max(2, int((high - low) / STEP)))
    curvature, gradient = (np.interp(s, route.distance, y) for y in (route.curvature, route.gradient))
    step = np.diff(s)

    def summed(rate):
        return np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * step)])

    heading = summed(curvature)
    return np.stack([s, summed(np.cos(heading)), summed(np.sin(heading)), summed(gradient), heading], axis=1)


def _peaks(results):
    """Words and time of the largest draft and buff force of the run, at every step of the solver."""
    found = []
    for side in ("draft", "buff"):
        peak = np.nan_to_num(np.abs(results.peak_force.sel(side=side).values))
        if not peak.size or not peak.max():
            continue
        k = int(peak.argmax())
        words = f"largest {side} {peak[k] / 1e3:.0f} kN, coupler {k + 1}"
        found.append((words, float(results.peak_time.sel(side=side)[k])))
    return tuple(found)
