"""flexwheel report DIR [DIR2 ...]: one file with everything a run is to be judged by."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = (
    "flexwheel report out/as4",
    "flexwheel report out/as4 out/slow --out compared.html",
    "flexwheel report out/as4 --pdf --web",
)


def command(
    folders: Annotated[
        list[str],
        typer.Argument(help="Folders of runs; the first in full, others beside it.", metavar="DIR [DIR2 ...]"),
    ],
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="HTML file; default report.html in the first folder.")
    ] = None,
    template: Annotated[
        str | None, typer.Option("--template", help="TOML file: order, logo, author, revision, language.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Print it as PDF as well, by a browser of this machine.")] = False,
    web: Annotated[
        bool, typer.Option("--web", help="With the page that moves, of the first run; above 3 MB with fewer samples.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Write a report: one HTML file whose figures zoom; it needs no network and prints on A4.

    First page: what was asked, verdicts with utilisation, the governing curve, what was assumed. Then vehicle, track,
    loads, running safety, stress and fatigue, spectra (with error bands where `converge` left convergence.nc in the
    folder), comparison of several runs; appendices: assumed values, model, inputs, provenance. The scenario in it
    repeats the run. JSON keys: files.
    """
    from flexwheel.run.progress import progress

    with progress("report") as tell:
        made = write_report(folders, out, tell, template, pdf, web)
    if as_json:
        print(json.dumps({"files": [str(path) for path in made]}))
        return
    print("\n".join(f"report: {path}" for path in made))


def write_report(folders, out=None, tell=lambda fraction, note="": None, template=None, pdf=False, web=False):
    """Write the report on runs as HTML, and as PDF beside it; returns the paths in a list.

    Raises
    ------
    FlexwheelError      wrong name, template or results; no browser for the PDF
    """
    from pathlib import Path

    from flexwheel.assess.figures.report_blocks import require
    from flexwheel.assess.figures.report_pdf import browser, printed
    from flexwheel.assess.report import report_of
    from flexwheel.assess.report_template import read_template
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import output_file, write_whole

    for library in ("jinja2", "plotly"):
        require(library)
    first = Path(folders[0])
    target = Path(out) if out is not None else (first if first.is_dir() else first.parent) / "report.html"
    if target.suffix.lower() not in (".html", ".htm"):
        raise ScenarioError(f"--out must be a name that ends in .html, got {out}")
    if not target.parent.is_dir():
        raise ScenarioError(f"--out must be in a folder that exists, got {out}")
    output_file(target)
    chosen, program = read_template(template), browser() if pdf else None
    shares = [0.0]  # of the sections made

    def say(line, share=0.0):
        shares.append(max(share, shares[-1]))
        tell(0.8 * shares[-1], line)

    report = report_of(folders, say, chosen)
    from flexwheel.assess.figures.report_html import html_text
    from flexwheel.assess.report_page import with_page

    report, beside = with_page(report, first, target, lambda line: tell(0.8, line)) if web else (report, [])

    text = html_text(report, chosen)
    write_whole(target, lambda part: part.write_text(text, encoding="utf-8"))
    if not pdf:
        return [target, *beside]
    tell(0.9, "PDF")
    write_whole(target.with_suffix(".pdf"), lambda part: printed(program, target, part))
    return [target, target.with_suffix(".pdf"), *beside]


COMMAND = Command("report", command, TOPIC, EXAMPLES)
