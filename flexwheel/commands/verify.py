"""flexwheel verify: run the checks and write their table."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer


def command(
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Part of a check's name, or a point's number; may be repeated.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out checks that take more than a minute.")] = False,
    table: Annotated[
        str | None,
        typer.Option("--table", help="Markdown file for the table; checks not run keep their section there."),
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="Name the checks and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Run the checks against published and independent numbers; exit code 1 when one fails.

    JSON: a list of {check, point, passed, seconds, error, rows: [{quantity, value, reference, unit, tolerance,
    passed, source}]}.
    """
    from flexwheel.errors import ScenarioError
    from flexwheel.verification.registry import load_checks, run_check
    from flexwheel.verification.report import markdown, plain

    checks = [item for item in load_checks() if _wanted(item, only or [], quick)]
    if not checks:
        raise ScenarioError("verify: no check of that name; see flexwheel verify --list")
    if list_only:
        for item in checks:
            print(f"{item.point:2d}  {item.name}{' (slow)' if item.slow else ''}")
        return
    outcomes = []
    for item in checks:
        if not as_json:
            print(f"{item.name} ...", end=" ", flush=True, file=sys.stderr)
        outcomes.append(run_check(item))
        if not as_json:
            print("pass" if outcomes[-1].passed else f"FAIL {outcomes[-1].error}", file=sys.stderr, flush=True)
    if table:
        _write_table(table, outcomes)
    print(json.dumps(plain(outcomes), indent=1) if as_json else markdown(outcomes))
    if not all(outcome.passed for outcome in outcomes):
        raise typer.Exit(1)


def _wanted(item, only, quick):
    if quick and item.slow:
        return False
    return not only or any(text == str(item.point) or text.lower() in item.name.lower() for text in only)


def _write_table(path, outcomes):
    from pathlib import Path

    from flexwheel.io.paths import write_whole
    from flexwheel.verification.report import update_table

    path = Path(path)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    write_whole(path, lambda target: target.write_text(update_table(before, outcomes), encoding="utf-8"))
