"""`flexwheel view DIR --window`: the flexible wheelsets of a run in pyvista's window, with a slider of time."""

import os
import sys
from pathlib import Path

import numpy as np

from flexwheel.assess.pictures import PictureBook
from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import VEHICLE, Page
from flexwheel.extensions.gltf.drawn_fields import deformation, fitting_factor, surface_stress
from flexwheel.extensions.web.time_tracks import flexible_fields, has_modes
from flexwheel.results.evaluate.load_spread import spread_nodes
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import body_and_surface

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def open_window(datasets, path, say, options):
    """Open the window and come back when it is closed; returns no files.

    options : ViewOptions       time_s of the first picture (default: largest stress at its control nodes), factor

    Raises
    ------
    ScenarioError   no display; results of another kind, or without modal coordinates; a time outside the run
    """
    results = datasets[0]
    require_display()
    if results.attrs.get("kind", VEHICLE) != VEHICLE or not has_modes(results):
        raise ScenarioError(f"view --window: results must be of kind {VEHICLE!r} with flexible wheelsets")
    time = results.time.values
    first = PictureBook(results, path, say).chosen_time() if options.time_s is None else options.time_s
    if not time[0] <= first <= time[-1]:
        raise ScenarioError(f"--time-s {first:g}: the run goes from {time[0]:g} to {time[-1]:g} s")
    plotter = window_of(results, first, options.factor, say)
    say("close the window to go on; drag to turn, wheel to approach")
    plotter.show()
    return []


def require_display(system=sys.platform, environment=os.environ):
    """Refuse a machine without a display, on which VTK would end the process."""
    if system.startswith("linux") and not any(environment.get(name) for name in DISPLAYS):
        raise ScenarioError("view --window needs a desktop (DISPLAY is not set): take --web, for any browser")


def window_of(results, first, factor, say, off_screen=False):
    """pyvista Plotter of the wheelsets at the time `first` [s]; nodes over which the load is spread are grey."""
    import pyvista

    scenario = parse_scenario(str(results.attrs["scenario"]), Path("scenario of the results"))
    plotter, shown, time = pyvista.Plotter(off_screen=off_screen, title="flexwheel"), [], results.time.values
    lead = None
    for name in map(str, results.flexible.values):
        section = scenario.wheelset[name]
        body, surface = body_and_surface(name, section, scenario.accept, say)
        spinning = bool(np.any(surface.order < 0))
        standing = section.residual == "static" and not spinning and surface.load_displacement is not None
        at = float(results.body_position.sel(body=name, path="s")[0])
        lead = at if lead is None else lead
        hidden = False if spinning else spread_nodes(surface, body.treads, body.centre)
        faces = [np.insert(part, 0, part.shape[1], axis=1).ravel() for part in (surface.quads, surface.triangles)]
        place = surface.position + (at - lead, 0.0, 0.0)
        shown.append(
            (name, body, surface, standing, hidden, place, pyvista.PolyData(place.copy(), np.concatenate(faces)))
        )
    scale = [factor]

    def to(wanted):
        row = int(np.argmin(np.abs(time - wanted)))
        for name, body, surface, standing, hidden, place, mesh in shown:
            coordinates, loads = flexible_fields(results, [row], name, body, standing)
            given = surface, coordinates[0], None if loads is None else loads[0]
            moved, stress = deformation(*given), surface_stress(*given)
            scale[0] = scale[0] or fitting_factor(surface, moved)
            mesh.points = place + scale[0] * moved
            mesh["value"] = (
                1e6 * np.linalg.norm(moved, axis=1) if stress is None else np.where(hidden, np.nan, 1e-6 * stress)
            )
        words = f"{results.attrs.get('title', '')}\nt = {time[row]:.4f} s, displacement x {scale[0]:g}"
        plotter.add_text(words, name="words", font_size=10)

    to(first)
    stressed = all(surface.stress_rows is not None for _, _, surface, *_ in shown)
    title = "von Mises stress [MPa]" if stressed else "displacement [um]"
    top = max(float(np.nanmax(mesh["value"])) for *_, mesh in shown)
    for *_, mesh in shown:
        plotter.add_mesh(
            mesh, scalars="value", clim=(0.0, top), cmap="viridis", nan_color="grey",
            scalar_bar_args={"title": title, "fmt": "%.4g"},
        )  # fmt: skip
    ends = time[0], time[-1]
    plotter.add_slider_widget(to, ends, value=first, title="time [s]", fmt="%.3f", interaction_event="always")
    plotter.add_axes(xlabel="running", ylabel="left", zlabel="up")
    plotter.camera_position = "xz"
    plotter.camera.azimuth, plotter.camera.elevation = 125.0, 20.0
    return plotter


PAGE = Page("window", open_window, (), ("time_s", "factor"))
