"""flexwheel view DIR: pictures of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run, or its results.nc.", metavar="DIR")],
    against: Annotated[
        list[str] | None, typer.Option("--against", help="Results of another run for the control node curves.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Folder for pictures; default DIR/pictures.")] = None,
    time_s: Annotated[
        float | None,
        typer.Option("--time-s", help="Time of the deformed wheelset; default: largest stress at its control nodes."),
    ] = None,
    factor: Annotated[float | None, typer.Option("--factor", help="Magnification of displacements.")] = None,
    frames: Annotated[int, typer.Option("--frames", min=2, max=400, help="Frames of the animation.")] = 36,
    scenes: Annotated[bool, typer.Option("--scenes/--no-scenes", help="Three-dimensional pictures.")] = True,
    spread_nodes: Annotated[
        bool, typer.Option("--spread-nodes", help="Colour also the nodes over which the contact force is spread.")
    ] = False,
    paraview: Annotated[bool, typer.Option("--paraview/--no-paraview", help="VTU and PVD files.")] = True,
):
    """Draw the pictures of a run: track, forces, contact, control nodes, modes, deformed wheelset, animation.

    Results that `run` kept in subfolders for comparison (run.compare_modes) are drawn beside the run's own.
    """
    from flexwheel.io.results import RESULTS_NAME, read_results

    place = Path(folder)
    base = place if place.is_dir() else place.parent
    if (place.is_dir() and (place / "train.nc").is_file()) or place.name == "train.nc":
        from flexwheel.io.train_results import read_train_results
        from flexwheel.run.run_train import draw as draw_train

        draw_train(read_train_results(place), out if out is not None else base / "pictures", print)
        return
    if (place.is_dir() and (place / "reduced.nc").is_file()) or place.name == "reduced.nc":
        from flexwheel.io.reduced_results import read_reduced_results
        from flexwheel.run.run_reduced import draw as draw_reduced

        draw_reduced(read_reduced_results(place), out if out is not None else base / "pictures", print)
        return
    datasets = [read_results(place)]
    beside = [item for item in sorted(base.glob(f"*/{RESULTS_NAME}")) if place.is_dir()]
    datasets += [read_results(item) for item in (against or beside)]
    pictures = out if out is not None else base / "pictures"
    draw(datasets, pictures, print, True, time_s, factor, frames, scenes, paraview, spread_nodes)


def draw(
    datasets, folder, say, show=True, time_s=None, factor=None, frames=36, scenes=True, paraview=True,
    spread_nodes=False,
):  # fmt: skip
    """Pictures of runs into a folder; returns the files made."""
    from flexwheel.errors import ScenarioError
    from flexwheel.io.paths import output_folder
    from flexwheel.io.progress import progress
    from flexwheel.run.pictures import PictureBook, run_names

    if min(results.sizes["time"] for results in datasets) < 50:
        raise ScenarioError("view: fewer than 50 samples in the results; nothing to draw")
    book = PictureBook(run_names(datasets), output_folder(folder), say, spread_nodes)
    first, last = float(book.results.time[0]), float(book.results.time[-1])
    if time_s is not None and not first <= time_s <= last:
        raise ScenarioError(f"--time-s {time_s:g}: the run goes from {first:g} to {last:g} s")
    with progress("pictures", show) as report:
        report(0.0, "figures")
        book.figures()
        if scenes:
            book.scenes(time_s, factor, frames, report)
        if paraview:
            book.paraview(time_s)
    say(f"{len(book.made)} pictures and files in {folder}")
    return book.made
