"""flexwheel verify: run the checks and write their table."""

import json
import sys
import time
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "check"
EXAMPLES = (
    "flexwheel verify --quick",
    'flexwheel verify --only "Hertz" --json',
)


def command(
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Part of a check's name or subject; may be repeated.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out checks that take more than a minute.")] = False,
    table: Annotated[
        str | None,
        typer.Option("--table", help="Markdown file for the table; checks not run keep their section there."),
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="Name the checks and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    self_testing: Annotated[
        bool,
        typer.Option(
            "--self-test", help="Give every check wrong answers and list those that pass; slow checks only with --only."
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
):
    """Run the checks against published and independent numbers; exit code 1 when one fails.

    JSON: a list of {check, subject, passed, seconds, error, rows: [{quantity, value, reference, unit, kind, limit,
    passed, ground, source}]}. kind: within (of the reference), distance (of two histories or sets), at most, at least,
    information; ground: reason of the limit. With --list: {check, subject, slow}.

    With --self-test each checked quantity is then shifted by three times its tolerance, set to zero and to
    not-a-number; wrong answers that still pass are listed and end with exit code 2. JSON: {checks, rows, unnoticed:
    [{check, quantity, wrong}]}.
    """
    from flexwheel.base.errors import ScenarioError
    from flexwheel.verification.check_registry import load_checks, run_check
    from flexwheel.verification.checks_report import markdown, plain

    checks = [item for item in load_checks() if _wanted(item, only or [], quick or (self_testing and not only))]
    if not checks:
        raise ScenarioError("verify: no check of that name; see flexwheel verify --list")
    if list_only:
        if as_json:
            print(json.dumps([{"check": item.name, "subject": item.subject, "slow": item.slow} for item in checks]))
        for item in () if as_json else checks:
            print(f"{item.subject:20}{item.name}{' (slow)' if item.slow else ''}")
        return
    before = _table_before(table) if table else ""
    outcomes, began = [], time.monotonic()
    for k, item in enumerate(checks, 1):
        if not quiet:
            print(f"{item.name} ...", end=" ", flush=True, file=sys.stderr)
        outcomes.append(run_check(item))
        left = (time.monotonic() - began) / k * (len(checks) - k)
        said = "pass" if outcomes[-1].passed else f"FAIL {outcomes[-1].error}"
        if quiet:
            continue
        print(f"{said}{f'; about {max(left, 1.0):.0f} s left' if k < len(checks) else ''}", file=sys.stderr, flush=True)
    if table:
        _write_table(table, before, outcomes)
    if self_testing:
        _self_test(outcomes, as_json)
    elif as_json or not quiet:
        print(json.dumps(plain(outcomes), indent=1) if as_json else markdown(outcomes))
    if not all(outcome.passed for outcome in outcomes):
        raise typer.Exit(1)


def _wanted(item, only, quick):
    if quick and item.slow:
        return False
    return not only or any(text.lower() in f"{item.subject}\n{item.name}".lower() for text in only)


def _self_test(outcomes, as_json):
    """Print what wrong answers pass, and fail if any does."""
    from flexwheel.base.errors import FlexwheelError
    from flexwheel.verification.self_test import self_test

    found = self_test(outcomes)
    rows = sum(r.passed is not None for o in outcomes if o.passed for r in o.rows)
    checks = sum(o.passed for o in outcomes)
    if as_json:
        wrong = [{"check": u.check, "quantity": u.quantity, "wrong": u.wrong} for u in found]
        print(json.dumps({"checks": checks, "rows": rows, "unnoticed": wrong}, indent=1))
    else:
        for item in found:
            print(f"{item.check}: {item.quantity or 'the whole check'}: passes with {item.wrong}")
        print(f"{rows} limits of {checks} checks asked: {len(found)} wrong answers would pass")
    if found:
        raise FlexwheelError(f"self-test: {len(found)} wrong answers would pass, listed above; first: {found[0].check}")


def _table_before(path):
    """Text of the file the table goes to, "" where there is none; one that holds something else is refused."""
    import os

    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.input_files import read_text
    from flexwheel.base.output_files import output_folder
    from flexwheel.verification.checks_report import BEGIN, END

    text = read_text(path, "a table of 'flexwheel verify'") if os.path.lexists(path) else ""
    output_folder(os.path.dirname(path) or ".")
    if text.strip() and not (BEGIN in text and END in text):
        raise ScenarioError(f"--table must be a new file or one with a table of 'flexwheel verify', got {path}")
    return text


def _write_table(path, before, outcomes):
    from flexwheel.base.output_files import write_whole
    from flexwheel.verification.checks_report import update_table

    write_whole(path, lambda target: target.write_text(update_table(before, outcomes), encoding="utf-8"))


COMMAND = Command("verify", command, TOPIC, EXAMPLES)
