"""flexwheel check SCENARIO: look at a scenario and all it names, without running it."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "run"
EXAMPLES = ("flexwheel check examples/as4_curve.toml", "flexwheel check examples/train_4.toml --json")


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario file, TOML, of any kind.", metavar="SCENARIO")],
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Check a scenario and every file it names: keys, profiles, tables, vehicle, track, parts of trains, meshes.

    `run` makes the same check first. Nothing is reduced, compiled or written. An error is one line, exit code 2.
    The mass of meshes is compared with the vehicle; the vehicle is brought to rest; one that is unstable at walking
    pace is refused. Of mesh files over 25 MB only sets and material are checked; `run` checks the rest.
    JSON keys: scenario, kind, files, warnings.
    """
    from flexwheel.run.check_scenario import check_scenario

    found = check_scenario(scenario, settings or [])
    kind = found.source.scenario.kind
    if as_json:
        figures = {"scenario": scenario, "kind": kind, "files": list(found.files), "warnings": list(found.warnings)}
        print(json.dumps(figures, indent=1))
        return
    for line in found.warnings:
        print(f"warning: {line}")
    print(f"{scenario}: in order, kind = {kind!r}; files: {', '.join(found.files) or 'no files'}")


COMMAND = Command("check", command, TOPIC, EXAMPLES)
