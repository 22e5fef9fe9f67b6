"""`flexwheel view DIR --to FILE.glb`: the deformed wheelsets of a run at an instant, coloured by von Mises stress."""

from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import VEHICLE, Page
from flexwheel.base.output_files import write_whole
from flexwheel.extensions.gltf.drawn_fields import deformation, fitting_factor, surface_stress
from flexwheel.extensions.gltf.gltf_file import Shell, gltf_bytes
from flexwheel.extensions.web.surface_tables import largest_stress
from flexwheel.extensions.web.time_tracks import flexible_fields, has_modes
from flexwheel.results.evaluate.load_spread import spread_nodes
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import body_and_surface

INSTANTS = 250  # at which the largest stress is sought
GREY = (0.6, 0.6, 0.6)  # of nodes over which the contact force is spread
VIRIDIS = ("440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725")
"""Van der Walt, Smith, Firing 2015, in the public domain (CC0)."""


def make_gltf(datasets, path, say, options):
    """Write the flexible wheelsets of a run; returns the files made.

    Parameters
    ----------
    datasets : (Dataset,)       of the run
    path : Path
    say : callable(str)
    options : ViewOptions       time_s (default: largest stress), factor, spread_nodes

    Raises
    ------
    ScenarioError   results of another kind, or without flexible wheelsets; a time outside the run
    """
    results, path = datasets[0], Path(path)
    kind, source = results.attrs.get("kind", VEHICLE), Path("scenario of the results")
    if kind != VEHICLE or not has_modes(results):
        raise ScenarioError(f"view: {path}: results must be of kind {VEHICLE!r} with flexible wheelsets")
    scenario, time = parse_scenario(str(results.attrs["scenario"]), source), results.time.values
    if options.time_s is not None and not time[0] <= options.time_s <= time[-1]:
        raise ScenarioError(f"--time-s {options.time_s:g}: the run goes from {time[0]:g} to {time[-1]:g} s")
    bodies = {}
    for name in map(str, results.flexible.values):
        section = scenario.wheelset[name]
        body, surface = body_and_surface(name, section, scenario.accept, say)
        spinning = bool(np.any(surface.order < 0))
        standing = section.residual == "static" and not spinning and surface.load_displacement is not None
        hidden = None if spinning or options.spread_nodes else spread_nodes(surface, body.treads, body.centre)
        bodies[name] = body, surface, standing, hidden
    row = _largest(results, bodies) if options.time_s is None else int(np.argmin(np.abs(time - options.time_s)))
    fields = {}
    for name, (body, surface, standing, hidden) in bodies.items():
        coordinates, loads = flexible_fields(results, [row], name, body, standing)
        given = surface, coordinates[0], None if loads is None else loads[0]
        fields[name] = deformation(*given), surface_stress(*given), hidden
    factor = options.factor or min(fitting_factor(bodies[name][1], field[0]) for name, field in fields.items())
    shown = [
        stress[~hidden] if hidden is not None else stress for _, stress, hidden in fields.values() if stress is not None
    ]
    top = max((float(one.max()) for one in shown if len(one)), default=0.0)
    at = results.body_position.isel(time=row)
    lead = float(at.sel(body=next(iter(bodies)), path="s"))
    shells = []
    for name, (move, stress, hidden) in fields.items():
        surface = bodies[name][1]
        size = np.linalg.norm(move, axis=1) if stress is None else stress
        colour = _viridis(size / (top if stress is not None else size.max()))
        if hidden is not None and stress is not None:
            colour[hidden] = GREY
        faces = np.concatenate([surface.quads[:, [0, 1, 2]], surface.quads[:, [0, 2, 3]], surface.triangles])
        values = {"displacement": np.linalg.norm(move, axis=1), "node_id": surface.node_id}
        values |= {} if stress is None else {"von_mises": stress}
        place = float(at.sel(body=name, path="s")) - lead, 0.0, 0.0
        shells.append(Shell(name, surface.position + factor * move, faces, colour, values, place))
    about = {"title": str(results.attrs.get("title", "")), "time_s": float(time[row]), "displacement_factor": factor}
    about |= {"colour": "von Mises stress, viridis from 0", "colour_top_pa": top}
    octets = gltf_bytes(shells, about)
    write_whole(path, lambda target: target.write_bytes(octets))
    say(f"{path}: t = {time[row]:.4f} s, displacement x {factor:g}, colours from 0 to {1e-6 * top:.1f} MPa")
    return [path]


def _largest(results, bodies):
    """Sample of the largest von Mises stress of the nodes shown."""
    count, best, found = results.sizes["time"], -1.0, results.sizes["time"] // 2
    rows = np.unique(np.linspace(0.1 * count, count - 1, min(count, INSTANTS)).astype(int))
    for name, (body, surface, standing, hidden) in bodies.items():
        if surface.stress_rows is None:
            continue
        stress, sample = largest_stress(surface, *flexible_fields(results, rows, name, body, standing))
        stress = stress if hidden is None else np.where(hidden, -1.0, stress)
        k = int(np.argmax(stress))
        if stress[k] > best:
            best, found = float(stress[k]), int(rows[sample[k]])
    return found


def _viridis(share):
    """(N, 3) sRGB of numbers from 0 to 1."""
    table = np.array([[int(text[k : k + 2], 16) for k in (0, 2, 4)] for text in VIRIDIS]) / 255.0
    place = np.linspace(0.0, 1.0, len(table))
    return np.stack([np.interp(share, place, column) for column in table.T], axis=1)


PAGE = Page("gltf", make_gltf, (".glb",), ("time_s", "factor", "spread_nodes"))
