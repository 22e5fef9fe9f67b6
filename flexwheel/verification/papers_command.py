"""flexwheel papers: the five papers figure by figure beside what this package shows."""

import json
import sys
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "check"
EXAMPLES = (
    "flexwheel papers --paper 004",
    "flexwheel papers --check --paper 000",
    "flexwheel papers --pictures out/papers --paper 000",
)


def command(
    paper: Annotated[list[str] | None, typer.Option("--paper", help="000 to 004; may be repeated.")] = None,
    checking: Annotated[
        bool, typer.Option("--check", help="Compute the figures again; exit code 1 when one has moved.")
    ] = False,
    table: Annotated[str | None, typer.Option("--table", help="Markdown page whose marked part is written.")] = None,
    pictures: Annotated[
        str | None, typer.Option("--pictures", help="Folder for pictures of the papers' figures, from runs made now.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Each figure and table of the papers: what it shows, what this package shows, the difference and its cause.

    With --check the checks of `flexwheel verify` that the figures stand on run again, with --pictures the runs that
    the papers' figures show (some minutes each for all papers).

    JSON: a list of {paper, item, kind, place, shows, ours, cause, reason, evidence, command, picture, figure:
    [{quantity, check, of, paper, unit, recorded, within, least, ground}]}; with --check: {checks, moved: [text]}.
    """
    from flexwheel.base.errors import FlexwheelError, ScenarioError
    from flexwheel.base.input_files import read_text
    from flexwheel.base.output_files import write_whole
    from flexwheel.verification.paper_rows import TITLES, markdown, page, paper_rows

    for name in paper or ():
        if name not in TITLES:
            raise ScenarioError(f"--paper must be one of {', '.join(TITLES)}, got {name!r}")
    rows = [row for row in paper_rows() if not paper or row.paper in paper]
    if table:
        if paper:
            raise ScenarioError("--table is written of all papers; leave out --paper")
        text = page(read_text(table, "a page of 'flexwheel papers'"), rows)
        write_whole(table, lambda target: target.write_text(text, encoding="utf-8"))
    if pictures:
        from flexwheel.verification.paper_pictures import draw_papers

        draw_papers(paper or list(TITLES), pictures, lambda line: print(line, file=sys.stderr, flush=True))
    if checking:
        moved, checks = _moved(rows)
        if as_json:
            print(json.dumps({"checks": checks, "moved": moved}, indent=1))
        for line in () if as_json else moved:
            print(line)
        if moved:
            raise FlexwheelError(f"papers: {len(moved)} figures have moved from what is recorded, listed above")
        if not as_json:
            print(f"{sum(len(row.figure) for row in rows)} figures of {len(checks)} checks are as recorded")
    elif not (table or pictures):
        print(json.dumps([row.model_dump() for row in rows], indent=1) if as_json else markdown(rows))


def _moved(rows):
    """Lines of what has moved, and the names of the checks that ran."""
    from flexwheel.verification.check_registry import load_checks, run_check
    from flexwheel.verification.paper_rows import checks_of, drifts

    names = checks_of(rows)
    outcomes = []
    for item in (item for item in load_checks() if item.name in names):
        print(f"{item.name} ...", end=" ", flush=True, file=sys.stderr)
        outcomes.append(run_check(item))
        print(outcomes[-1].error or f"{outcomes[-1].seconds:.1f} s", file=sys.stderr, flush=True)
    return drifts(rows, outcomes), [outcome.check.name for outcome in outcomes]


COMMAND = Command("papers", command, TOPIC, EXAMPLES)
