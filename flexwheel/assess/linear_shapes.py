"""Shapes of the linear vehicle for a page: its complex modes, and its response to a waviness of the rails."""

from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.assess.linear.on_rails import solve_harmonics
from flexwheel.assess.linear.response_solution import irregularity_inputs
from flexwheel.assess.linear_analysis import running_at
from flexwheel.assess.linearise import dominant_coordinates, eigenvalues
from flexwheel.assess.response import response_scenario, vehicle_on_rails
from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import VEHICLE
from flexwheel.base.variables import LABELS
from flexwheel.extensions.web.page_scene import PageMotion, PageScene
from flexwheel.results.dataset import run_attributes, wheel_names
from flexwheel.run.build.build_contact import placed_profiles
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.vehicle.build_vehicle import nominal_positions, vehicle_bodies, vehicle_wheelsets
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.vehicle_file import read_vehicle

MOST = 200  # complex modes of lowest frequency that a page lists
CHANNELS = {"level": (0, 1, 0, 1), "cross level": (0, 1, 0, -1), "alignment": (1, 0, 1, 0)}
"""Wavinesses of the rails, of left lateral, left vertical, right lateral, right vertical: both up, left up and right
down, both to the left."""


def vehicle_motions(results, say):
    """[PageMotion] of the vehicle of a run on straight smooth track at its speed, dry friction sticking, ascending.

    Raises
    ------
    ScenarioError          where the vehicle has no linear model, such as a force law at a kink
    """
    scenario = parse_scenario(str(results.attrs["scenario"]), Path("scenario of the results"))
    return complex_modes(scenario, _bodies(scenario, say), scenario.run.speed, "sticking", say)


def complex_modes(scenario, bodies, speed, friction_dampers, say):
    """[PageMotion] of the linear vehicle at a speed [m/s], ascending.

    bodies : dict          ReducedBody of each flexible wheelset
    friction_dampers : str "sticking" or "sliding"
    say : callable(str)    what the linear model assumes
    """
    linear = running_at(scenario, bodies, friction_dampers)(speed)
    for line in (*linear.notes, *linear.warnings):
        say(line)
    values, shapes = eigenvalues(linear)
    chosen = np.flatnonzero(values.imag > 1e-6)
    chosen = chosen[np.argsort(np.abs(values[chosen]))][:MOST]
    names, _ = dominant_coordinates(linear, shapes[:, chosen])
    size = np.abs(values[chosen])
    return [
        PageMotion(
            names[n], size[n] / (2.0 * np.pi), *_parts(linear.labels, bodies, shapes[:, k]), -values[k].real / size[n]
        )
        for n, k in enumerate(chosen)
    ]


def response_shapes(scenario, bodies, settings, frequencies, say):
    """[PageMotion] of the vehicle over rails of a waviness of 1 m amplitude, of CHANNELS at each frequency [Hz].

    scenario : of `response.response_scenario`; bodies : ReducedBody of its flexible wheelsets
    settings : response.ResponseSettings        whose grid of frequencies the nearest one is taken of

    Raises
    ------
    ScenarioError       a frequency outside the grid
    """
    running, _, _ = vehicle_on_rails(scenario, bodies, settings, say)
    grid = running.rail.frequency
    for hz in frequencies:
        if not grid[1] <= hz <= settings.highest_hz:
            raise ScenarioError(
                f"--shapes-hz must be from {grid[1]:.3g} to {settings.highest_hz:g} (--highest-hz), got {hz:g}"
            )
    index = np.unique([int(np.argmin(np.abs(grid - hz))) for hz in frequencies])
    middle = len(running.rail.harmonics) // 2
    drive = np.zeros((len(index), 2 * middle + 1, 10 * running.places.count, 4), dtype=complex)
    drive[:, middle] = irregularity_inputs(running, grid[index])
    inputs = solve_harmonics(running.system, running.coupling, running.parts, index, drive)[:, middle]
    moved = running.system.coordinate[index] @ (running.system.wrench[index] @ inputs)
    labels = running.linear.labels
    return [
        PageMotion(name, grid[i], *_parts(labels, bodies, moved[n] @ np.array(channels, dtype=float)))
        for n, i in enumerate(index)
        for name, channels in CHANNELS.items()
    ]


def modes_scene(scenario, speed, friction_dampers, say):
    """PageScene of the complex modes of a vehicle scenario at a speed [m/s]."""
    motions = complex_modes(scenario, _bodies(scenario, say), speed, friction_dampers, say)
    note = f"complex modes at {3.6 * speed:g} km/h on straight smooth track, dry friction {friction_dampers}"
    return PageScene("", at_rest(scenario), note=note, motions=tuple(motions), rest=True)


def response_scene(scenario, settings, frequencies, say):
    """PageScene of the response of a vehicle scenario at frequencies [Hz]."""
    chosen = response_scenario(scenario, settings)
    motions = response_shapes(chosen, _bodies(chosen, say), settings, frequencies, say)
    note = f"response at {chosen.run.speed_kmh:g} km/h to rails of a sine, as flexwheel response solves it"
    return PageScene("", at_rest(chosen), note=note, motions=tuple(motions), rest=True)


def at_rest(scenario):
    """Dataset of the vehicle at its nominal place, two samples, without forces."""
    vehicle = read_vehicle(scenario.vehicle.file)
    across = placed_profiles(scenario.contact, vehicle.wheel, scenario.accept).placement.wheel_y
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, across))
    names = list(assembly.unit_names)
    wheelsets = [spec.name for spec in assembly.wheelset_specs]
    place = np.broadcast_to(nominal_positions(assembly)[: len(names)], (2, len(names), 3))
    time, wheels = np.array([0.0, 1.0]), wheel_names(wheelsets)
    flexible = [name for name, part in scenario.wheelset.items() if part.formulation == "flexible"]
    data = {
        "body_position": (("time", "body", "path"), place),
        "body_angle": (("time", "body", "rotation"), np.zeros(place.shape)),
        "wheel_force": (("time", "wheel", "force"), np.zeros((2, len(wheels), 3))),
    }
    labels = {"time": time, "body": names, "wheelset": wheelsets, "wheel": wheels}
    labels |= {"flexible": flexible} if flexible else {}
    labels |= {dim: list(LABELS[dim]) for dim in ("path", "rotation", "force")}
    attributes = {"title": scenario.run.title, "scenario": scenario_toml(scenario)}
    return xr.Dataset(data, labels, run_attributes(VEHICLE, time, True, "") | attributes)


def _bodies(scenario, say):
    return {name: item.body for name, item in flexible_wheelsets(scenario, say).items()}


def _parts(labels, bodies, shape):
    """(6,) of each body, and modal coordinates of each flexible wheelset, of a shape (N,)."""
    units = [label.removesuffix(" along") for label in labels if label.endswith(" along")]
    modal = {name: [k for k, label in enumerate(labels) if label.startswith(f"{name} mode ")] for name in bodies}
    rigid = {name: shape[labels.index(f"{name} along") + np.arange(6)] for name in units}
    return rigid, {name: shape[own] for name, own in modal.items()}
