"""flexwheel realtime-tables: operations and times of the real-time core beside tables 1 and 2 of paper 000."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "realtime"
EXAMPLES = (
    "flexwheel realtime-tables",
    "flexwheel realtime-tables --parts --json",
)


def command(
    scenario: Annotated[
        str | None,
        typer.Argument(help="Real-time scenario, TOML. Default: the example feve3000_curve.", metavar="SCENARIO"),
    ] = None,
    steps: Annotated[int, typer.Option("--steps", help="Steps to time.", min=1, max=10_000_000)] = 5000,
    parts: Annotated[bool, typer.Option("--parts", help="Divide the operations of the contact functions.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Operations per function and time per part of a step, compared with tables 1 and 2 of paper 000.

    JSON: {operations: [{function, total, at_run_time, paper_atoms, paper_operations}], times: [{task, microseconds,
    paper_microseconds}]}. Times are medians over the given steps on this machine. With --parts instead: {parts:
    [{function, paper_operations, all, poses, surfaces, both, base_line, level, flat}]}: operations that depend on the
    vehicle's coordinates alone, on contact points alone, on both; all with the rail's tangent along its base line,
    without camber, and on rails without height.
    """
    from flexwheel.base.shipped import EXAMPLES as SHIPPED
    from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
    from flexwheel.systems.locomotive.operation_counts import breakdown, table_2
    from flexwheel.systems.locomotive.step_times import table_1

    source = read_realtime_scenario(scenario if scenario is not None else SHIPPED / "feve3000_curve.toml")
    if parts:
        _print_parts(breakdown(source.values, source.motored), as_json)
        return
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


def _print_parts(rows, as_json):
    if as_json:
        parts = [{"function": name, "paper_operations": paper, **counted} for name, paper, counted in rows]
        print(json.dumps({"parts": parts}, indent=1))
        return
    titles = {
        "all": "all", "poses": "poses", "surfaces": "surfaces", "both": "both", "base_line": "t_x on base line",
        "level": "no camber", "flat": "no height",
    }  # fmt: skip
    print(f"{'operations':12s} {'paper':>6s}", *(f"{t:>16s}" for t in titles.values()))
    for name, paper, counted in rows:
        print(f"{name:12s} {paper:6d}", *(f"{counted[key]:16d}" for key in titles))


COMMAND = Command("realtime-tables", command, TOPIC, EXAMPLES)
