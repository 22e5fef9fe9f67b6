"""flexwheel realtime-pace SCENARIO: run against the wall clock, inputs from stdin, outputs to stdout."""

import json
import sys
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "realtime"
EXAMPLES = ("flexwheel realtime-pace examples/feve3000_curve.toml --duration 5 --every 10",)


def command(
    scenario: Annotated[str, typer.Argument(help="Real-time scenario, TOML.", metavar="SCENARIO")],
    duration: Annotated[float, typer.Option("--duration", help="Simulated seconds.")] = 10.0,
    every: Annotated[
        int, typer.Option("--every", help="Steps between outputs on stdout; 0: none.", min=0, max=10_000_000)
    ] = 0,
    pace: Annotated[float, typer.Option("--pace", help="Simulated seconds per second.")] = 1.0,
    listen: Annotated[
        bool, typer.Option("--listen", help='Read lines like {"motor.rear.1": 300.0} from stdin as inputs.')
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no statistics.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the statistics as the last JSON object.")] = False,
):
    """Run a locomotive against the wall clock: outputs, one JSON object a line, on stdout, statistics on stderr.

    JSON keys of the statistics: steps, overruns, latest_s (against the deadline), computing_s (median, 99 %, 99.9 %,
    largest).
    """
    from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
    from flexwheel.systems.locomotive.input_lines import InputLines
    from flexwheel.systems.locomotive.paced_runner import run_paced

    locomotive = build_locomotive_run(read_realtime_scenario(scenario))
    saved = locomotive.save_state()
    locomotive.step(10)
    locomotive.restore_state(saved)

    def send(values):
        plain = {k: v.tolist() if hasattr(v, "tolist") else v for k, v in values.items()}
        sys.stdout.write(json.dumps(plain) + "\n")

    lines = InputLines(sys.stdin) if listen else None
    inputs = (lambda _: lines.latest()) if lines else None
    report = run_paced(locomotive, duration, inputs, send if every > 0 else None, pace, max(every, 1))
    if as_json:
        said = {"steps": report.steps, "overruns": report.overruns, "latest_s": report.latest}
        print(json.dumps({**said, "computing_s": [float(x) for x in report.computing]}))
    elif not quiet:
        print(*report.lines(), sep="\n", file=sys.stderr)


COMMAND = Command("realtime-pace", command, TOPIC, EXAMPLES)
