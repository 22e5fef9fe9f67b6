"""flexwheel report DIR [DIR2 ...]: one file with everything a run is to be judged by."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = (
    "flexwheel report out/as4",
    "flexwheel report out/as4 out/slow --out compared.html",
)


def command(
    folders: Annotated[
        list[str],
        typer.Argument(help="Folders of runs; the first in full, others beside it.", metavar="DIR [DIR2 ...]"),
    ],
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="HTML file; default report.html in the first folder.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", hidden=True)] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Write a report: one HTML file whose figures zoom; it needs no network and prints on A4.

    Inputs, assumed values, audit of the model, modes, running safety, stress and fatigue, spectra (with error bands
    where `converge` left convergence.nc in the folder), comparison of several runs, provenance. The scenario in it
    repeats the run. JSON keys: files.
    """
    from flexwheel.base.errors import ScenarioError
    from flexwheel.run.progress import progress

    if pdf:
        raise ScenarioError("--pdf: print the HTML file, say chromium --headless --print-to-pdf=report.pdf report.html")
    with progress("report") as tell:
        made = write_report(folders, out, tell)
    if as_json:
        print(json.dumps({"files": [str(path) for path in made]}))
        return
    print("\n".join(f"report: {path}" for path in made))


def write_report(folders, out=None, tell=lambda fraction, note="": None):
    """Write the report on runs as HTML; returns its path in a list."""
    from pathlib import Path

    from flexwheel.assess.figures.report_blocks import require
    from flexwheel.assess.report import report_of
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import write_whole

    for library in ("jinja2", "plotly"):
        require(library)
    first = Path(folders[0])
    target = Path(out) if out is not None else (first if first.is_dir() else first.parent) / "report.html"
    if target.suffix.lower() not in (".html", ".htm"):
        raise ScenarioError(f"--out must be a name that ends in .html, got {out}")
    report = report_of(folders, lambda line: tell(0.0, line))
    from flexwheel.assess.figures.report_html import html_text

    text = html_text(report)
    write_whole(target, lambda part: part.write_text(text, encoding="utf-8"))
    return [target]


COMMAND = Command("report", command, TOPIC, EXAMPLES)
