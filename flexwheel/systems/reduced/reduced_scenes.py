"""Results of the simplified vehicle as a page draws them: a vehicle with rigid wheelsets for each model."""

from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.base.variables import LABELS
from flexwheel.extensions.web.page_scene import PageScene
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.vehicle.vehicle_file import read_vehicle


def reduced_scenes(results):
    """[PageScene] of a Dataset of kind "reduced", one of each model.

    Place along the track is that of the nominal vehicle, wheelsets roll without slip: the model has neither.
    """
    scenario = parse_scenario(str(results.attrs["scenario"]), Path("scenario of the results"), kinds=("reduced",))
    vehicle = read_vehicle(scenario.vehicle.file)
    bodies, radius = [str(name) for name in results.body.values], vehicle.wheel["radius_m"]
    nominal = np.array([_nominal(vehicle, name, radius) for name in bodies])
    along, count = results.arc_length.values, results.sizes["time"]
    wheels = [str(name) for name in results.wheel.values]
    names = {"time": results.time, "body": bodies, "wheel": wheels, "wheelset": results.wheelset.values}
    names |= {dim: list(LABELS[dim]) for dim in ("path", "rotation", "force", "direction")}
    found = []
    for model in map(str, results.model.values):
        own = results.sel(model=model)
        place, angle = np.zeros((2, count, len(bodies), 3))
        place[:] = nominal
        place[:, :, 0] += along[:, None]
        place[:, :, 1:] += own.position.sel(shift=["y", "z"]).values
        angle[:] = own.angle_position.sel(turn=["yaw", "roll", "pitch"]).values
        for b, name in enumerate(bodies):
            if name in vehicle.wheelsets:
                angle[:, b, 2] = (along - along[0]) / radius
        force = own.wheel_force
        ahead = -(force.sel(quantity="creep_x") + force.sel(quantity="flange_x")).values
        on_rail = [ahead, *(force.sel(quantity=q).values for q in ("lateral_force", "vertical_force"))]
        irregularity = results.irregularity.values.reshape(count, len(wheels), 2)
        data = {
            "body_position": (("time", "body", "path"), place), "body_angle": (("time", "body", "rotation"), angle),
            "wheel_force": (("time", "wheel", "force"), np.stack(on_rail, axis=-1)),
            "irregularity": (("time", "wheel", "direction"), irregularity),
        }  # fmt: skip
        found.append(PageScene(model, xr.Dataset(data, names, results.attrs)))
    return found


def _nominal(vehicle, name, radius):
    """(s, y, z) of a body's centre in the nominal pose [m]."""
    if name in vehicle.wheelsets:
        return vehicle.wheelsets[name]["position_m"], 0.0, radius
    return vehicle.bodies[name]["position_m"]
