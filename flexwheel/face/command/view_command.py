"""flexwheel view DIR: pictures of results."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = (
    "flexwheel view out/as4",
    "flexwheel view out/as4 --against out/slow --no-scenes",
    "flexwheel view out/as4 --web",
    "flexwheel view out/as4 --to wheelset.glb",
)


@dataclass(frozen=True)
class PageOptions:
    """One file in place of the pictures."""

    web: Annotated[
        bool, typer.Option("--web", help="One HTML page that moves, DIR/run.html, in place of the pictures.")
    ] = False
    to: Annotated[
        str | None,
        typer.Option(
            "--to", help="One file in place of the pictures: .html, as --web; .glb, glTF of the deformed wheelsets."
        ),
    ] = None
    window: Annotated[bool, typer.Option("--window", help="A window of the desktop, with a slider of time.")] = False
    motions: Annotated[bool, typer.Option("--motions", help="In the page: complex modes of the vehicle.")] = False
    body: Annotated[
        list[str] | None,
        typer.Option("--body", metavar="NAME=FILE[@UNIT]", help="In the page: a mesh for a body; may be repeated."),
    ] = None


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run or of a study, or its file.", metavar="DIR")],
    page: PageOptions,
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
    paraview: Annotated[bool, typer.Option("--paraview/--no-paraview", help="VTKHDF file of a revolution.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Draw the pictures of a run: track, forces, contact, control nodes, modes, deformed wheelset, animation.

    Results that `run` kept in subfolders for comparison (run.compare_modes) are drawn beside the run's own. Of a study
    its figures are drawn.
    JSON keys: files.
    """
    from flexwheel.base.kind import PAGES, PICTURES, ViewOptions, file_of_results
    from flexwheel.results.files import RESULTS_NAME, read_results

    place = Path(folder)
    base = place if place.is_dir() else place.parent
    say = print if not as_json else lambda line: None
    kinds = [kind for kind in PICTURES.values() if kind.file]
    own = next((kind for kind in kinds if (base / kind.file).is_file() and place in (base, base / kind.file)), None)
    results = own.read(base / own.file) if own else read_results(place)
    drawn = PICTURES.require(results.attrs["kind"], "view")
    options = ViewOptions(
        (), time_s, factor, frames, scenes, paraview, spread_nodes, page.motions, (*(page.body or ()),)
    )
    if page.window:
        window = PAGES.require("window", "view --window")
        window.require_heeded(replace(options, against=tuple(against or ())))
        window.make((results,), base, say, options)
        return
    if page.web or page.to is not None:
        file = Path(page.to) if page.to is not None else (Path(out) if out is not None else base) / "run.html"
        shown = (results, *(read_results(item) for item in against or ()))
        made = file_of_results(shown, file, say, options)
    else:
        beside = sorted(base.glob(f"*/{RESULTS_NAME}")) if place.is_dir() and "against" in drawn.options else ()
        options = replace(options, against=tuple(read_results(item, [drawn.name]) for item in (against or beside)))
        drawn.require_heeded(options)
        made = drawn.draw(results, out if out is not None else base / "pictures", say, options)
    if as_json:
        print(json.dumps({"files": [str(path) for path in made]}))


COMMAND = Command("view", command, TOPIC, EXAMPLES, rare=("--frames", "--spread-nodes"))
