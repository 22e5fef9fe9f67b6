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
    from flexwheel.kind import KINDS, ViewOptions, require_heeded
    from flexwheel.results.files import RESULTS_NAME, read_results
    from flexwheel.study.sweep import STUDY_NAME, read_figures

    place = Path(folder)
    base = place if place.is_dir() else place.parent
    pictures = out if out is not None else base / "pictures"
    say = print if not as_json else lambda line: None
    study = place / STUDY_NAME if place.is_dir() else place
    results = read_figures(study) if study.name == STUDY_NAME and study.is_file() else read_results(place)
    if results.attrs["kind"] == "study":
        from flexwheel.view.study_figures import draw_study

        made = draw_study(results, pictures)
        say(f"{len(made)} pictures in {pictures}")
    else:
        kind = KINDS[results.attrs["kind"]]
        beside = sorted(base.glob(f"*/{RESULTS_NAME}")) if place.is_dir() and "against" in kind.view_options else ()
        others = tuple(read_results(item, [kind.name]) for item in (against or beside))
        options = ViewOptions(others, time_s, factor, frames, scenes, paraview, spread_nodes)
        require_heeded(options, kind)
        made = kind.draw(results, pictures, say, options)
    if as_json:
        print(json.dumps({"files": [str(path) for path in made]}))
