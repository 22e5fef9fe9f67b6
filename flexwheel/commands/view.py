"""flexwheel view DIR: pictures of results."""

import json
from pathlib import Path
from typing import Annotated

import typer

TOPIC = "judge"
EXAMPLES = (
    "flexwheel view out/as4",
    "flexwheel view out/as4 --against out/slow --no-scenes",
)


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run or of a study, or its file.", metavar="DIR")],
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Draw the pictures of a run: track, forces, contact, control nodes, modes, deformed wheelset, animation.

    Results that `run` kept in subfolders for comparison (run.compare_modes) are drawn beside the run's own. Of a study
    its figures are drawn.
    JSON keys: files.
    """
    from flexwheel.results.files import RESULTS_NAME, read_results
    from flexwheel.study.sweep import STUDY_NAME, read_figures

    place = Path(folder)
    base = place if place.is_dir() else place.parent
    pictures = out if out is not None else base / "pictures"
    say = print if not as_json else lambda line: None
    study = place / STUDY_NAME if place.is_dir() else place
    results = read_figures(study) if study.name == STUDY_NAME and study.is_file() else read_results(place)
    kind = results.attrs["kind"]
    if kind == "study":
        from flexwheel.view.study_figures import draw_study

        made = draw_study(results, pictures)
        say(f"{len(made)} pictures in {pictures}")
    elif kind == "train":
        from flexwheel.run.run_train import draw as draw_train

        made = draw_train(results, pictures, say)
    elif kind == "reduced":
        from flexwheel.run.run_reduced import draw as draw_reduced

        made = draw_reduced(results, pictures, say)
    elif kind == "realtime":
        from flexwheel.run.run_realtime import draw as draw_realtime

        made = draw_realtime(results, None, pictures, say)
    else:
        beside = [item for item in sorted(base.glob(f"*/{RESULTS_NAME}")) if place.is_dir()]
        datasets = [results, *(read_results(item, ["vehicle"]) for item in (against or beside))]
        made = draw(datasets, pictures, say, True, time_s, factor, frames, scenes, paraview, spread_nodes)
    if as_json:
        print(json.dumps({"files": [str(path) for path in made]}))


def draw(
    datasets, folder, say, show=True, time_s=None, factor=None, frames=36, scenes=True, paraview=True,
    spread_nodes=False,
):  # fmt: skip
    """Pictures of runs into a folder; returns the files made."""
    from flexwheel.errors import ScenarioError
    from flexwheel.io.progress import progress
    from flexwheel.output_files import output_folder
    from flexwheel.results.check import require_variables
    from flexwheel.run.pictures import PictureBook, run_names

    if min(results.sizes["time"] for results in datasets) < 50:
        raise ScenarioError("view: fewer than 50 samples in the results; nothing to draw")
    for results in datasets:
        require_variables(results, "view")
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
