"""flexwheel realtime-tables: operations and times of the real-time core beside tables 1 and 2 of paper 000."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def command(
    scenario: Annotated[
        str, typer.Argument(help="Real-time scenario, TOML.", metavar="SCENARIO")
    ] = "examples/feve3000_curve.toml",
    steps: Annotated[int, typer.Option("--steps", help="Steps to time.")] = 5000,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Operations per function and time per part of a step, beside the paper's columns.

    JSON: {operations: [{function, total, at_run_time, paper_atoms, paper_operations}], times: [{task, microseconds,
    paper_microseconds}]}. Times are medians over the given steps on this machine.
    """
    from flexwheel.io.realtime_scenario import build_locomotive_run, read_realtime_scenario
    from flexwheel.realtime.operation_counts import table_2
    from flexwheel.realtime.step_times import table_1

    source = read_realtime_scenario(scenario)
    operations = table_2(source.values, source.motored)
    times = table_1(build_locomotive_run(source), steps)
    if as_json:
        names = ("function", "total", "at_run_time", "paper_atoms", "paper_operations")
        rows = [dict(zip(names, row, strict=True)) for row in operations]
        keys = ("task", "microseconds", "paper_microseconds")
        print(json.dumps({"operations": rows, "times": [dict(zip(keys, r, strict=True)) for r in times]}, indent=1))
        return
    print(f"{'function':12s} {'operations':>11s} {'at run time':>12s} {'paper: atoms':>13s} {'operations':>11s}")
    for name, total, running, atoms, paper in operations:
        print(f"{name:12s} {total:11d} {running:12d} {atoms:13d} {paper:11d}")
    print(f"\n{'task':66s} {'us':>8s} {'paper us':>9s}")
    for task, here, paper in times:
        print(f"{task:66s} {here:8.2f} {paper if paper is not None else '':>9}")
