"""Pictures of the papers' figures as this package draws them: the paper's quantities, axes, units and panels.

Those of a system are drawn by a module beside its checks. Each function makes the runs that its pictures need.
"""

import numpy as np

from flexwheel.assess.figures.control_node_figures import (
    acceleration_spectrum_figure,
    displacement_figure,
    position_figure,
    stress_figure,
)
from flexwheel.assess.figures.force_figures import body_lateral_figure, wheel_force_figure
from flexwheel.assess.figures.style import COLOURS, PAPER_COLOURS, envelope, label, new_figure, save_figures
from flexwheel.assess.figures.track_figures import layout_figure
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.output_files import output_folder
from flexwheel.base.shipped import MESHES
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.verification.as4_runs import EXAMPLE, FILLET, as4_run, as4_wheelsets, stand_in_runs
from flexwheel.verification.manchester_detection import s_curve
from flexwheel.verification.meshes.wheelset_section import read_dimensions, wheelset_section
from flexwheel.verification.paper_rows import paper_rows


def draw_papers(papers, folder, say):
    """Pictures of the papers named, into a folder; returns the files.

    say : callable(str)    told each file
    """
    folder, made = output_folder(folder), []
    for paper in papers:
        for name, (figure, attributes) in _figures(paper):
            made += save_figures({f"{paper}_{name}.png": figure}, folder, attributes)
            say(str(made[-1]))
    return made


def _figures(paper):
    try:
        if paper == "000":
            from flexwheel.verification.locomotive.locomotive_pictures import figures
        elif paper == "001":
            from flexwheel.verification.reduced.reduced_pictures import figures
        else:
            figures = {"002": train_tables, "003": detection, "004": flexible_wheelset}[paper]
    except ImportError as error:
        raise FlexwheelError(f"pictures of paper {paper} need a system that is not installed: {error}") from error
    return figures()


def train_tables():
    """(name, (figure, attributes)) of tables 1 and 2 of paper 002: its entries and those recorded here."""
    for row in (row for row in paper_rows() if row.paper == "002" and row.figure):
        figure, (axis,) = new_figure(1, f"Paper 002, {row.item}: entries here over the paper's")
        for k, way in enumerate(("train alone: ", "force elements: ", "one body a vehicle: ")):
            found = [f for f in row.figure if f.unit and f.quantity.startswith(way)]
            place, sizes = np.arange(len(found)), [f.recorded / f.paper for f in found]
            axis.bar(place + 0.25 * (k - 1), sizes, 0.25, color=COLOURS[k], label=way.rstrip(": "))
        axis.axhline(1.0, color="black", linewidth=1.2, label="paper, the same three ways")
        texts = [f"{f.quantity.removeprefix(way)}\npaper {f.paper:g} {f.unit}" for f in found]
        axis.set_xticks(place, texts, fontsize=7, rotation=20)
        label(axis, y="here over paper [-]")
        yield row.item.replace(" ", "_"), (figure, {})


def detection():
    """The same of figures 8 to 10 of paper 003: the Manchester coach in the S-curve."""
    run = s_curve("scan")
    wheel = str(run.wheel.values[0])
    yield "figure_08", (body_lateral_figure(run, "car_body"), run.attrs)
    yield "figure_09", (wheel_force_figure(run, wheel, "Q"), run.attrs)
    yield "figure_10", (wheel_force_figure(run, wheel, "Y"), run.attrs)


def flexible_wheelset():
    """The same of figures 14 to 19 of paper 004: the AS4 railcar, both descriptions; on the stand-in as well."""
    scenario = read_scenario(EXAMPLE)
    runs = {
        "Lagrangian": as4_run("wheelset.front.mode=lagrangian"),
        "Eulerian": as4_run("wheelset.front.mode=eulerian"),
    }
    attributes = runs["Eulerian"].attrs
    bodies = {name: item.body for name, item in as4_wheelsets(scenario).items()}
    layout = build_simulation(scenario, bodies).model.layout
    yield "figure_14", (layout_figure(layout, 0.0, 400.0), attributes)
    yield "figure_15", (_irregularities(runs["Eulerian"]), attributes)
    body = bodies["front"]
    row = [f"front {name}" for name in body.control.name].index(FILLET)
    yield "figure_16", (position_figure(body, row, _outline("wheelset_section.toml")), attributes)
    yield "figure_17", (displacement_figure(runs, FILLET), attributes)
    yield "figure_18", (stress_figure(runs, FILLET), attributes)
    yield "figure_19", (acceleration_spectrum_figure(runs, FILLET), attributes)
    drawn = (("17", displacement_figure), ("18", stress_figure), ("19", acceleration_spectrum_figure))
    for paper_settings, text, figures in ((False, "stand_in", drawn[2:]), (True, "stand_in_paper_settings", drawn)):
        runs = stand_in_runs(paper_settings)
        for number, figure in figures:
            yield f"figure_{number}_{text}", (figure(runs, FILLET), runs["Eulerian"].attrs)


def _irregularities(results):
    """Three curves as the paper numbers them, along the track."""
    first = str(results.wheelset.values[0])
    place = results.body_position.sel(body=first, path="s").values
    figure, axes = new_figure(3, "Track irregularities under the leading wheelset", height=7.5)
    panels = (("left", "vertical"), ("right", "vertical"), ("left", "lateral"))
    for axis, (side, direction), colour in zip(axes, panels, PAPER_COLOURS, strict=False):
        values = results.irregularity.sel(wheel=f"{first} {side}", direction=direction).values
        axis.plot(*envelope(place, 1e3 * values), color=colour, linewidth=0.8)
        text = "both rails, horizontal" if direction == "lateral" else f"{side} rail, vertical"
        label(axis, None, f"{text} [mm]", legend=False)
    label(axes[-1], "along the track [m]", legend=False)
    return figure


def _outline(name):
    """Segments (n, 2, 2) in (y, r) of the edge of a half-section [m]."""
    dimensions, refinements = read_dimensions(MESHES / name)
    section = wheelset_section(dimensions, refinements["paper"])
    edges = np.concatenate([section.quads[:, [i, (i + 1) % 4]] for i in range(4)])
    found, count = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    return section.points[found[count == 1]]
