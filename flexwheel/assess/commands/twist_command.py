"""flexwheel twist SCENARIO: wheel unloading at rest on twisted track."""

from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = ("flexwheel twist examples/manchester_tight_curve.toml --body-twist-permille 3 --bogie-twist-permille 5",)


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario file of a vehicle, TOML.", metavar="SCENARIO")],
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    body_twist_permille: Annotated[
        float | None,
        typer.Option("--body-twist-permille", help="Twist between frames or outer wheelsets.", min=0.0, max=30.0),
    ] = None,
    bogie_twist_permille: Annotated[
        float | None,
        typer.Option("--bogie-twist-permille", help="Twist over the wheelbase of a bogie.", min=0.0, max=30.0),
    ] = None,
    unloading_limit: Annotated[
        float | None, typer.Option("--unloading-limit", help="Largest (Q0 - Q)/Q0 permitted.", min=0.0, max=1.0)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, SI units.")] = False,
):
    """Wheel loads of a vehicle at rest while the track under it is twisted, there and back, and the largest unloading.

    Give the twist of the test of your edition of EN 14363, and its limit; wheelsets and rails are rigid. JSON keys:
    body_twist, body_length_m, bogie_twist, bogie_length_m, limit, share, wheels ({name: {q, unloading, within}}).
    """
    import json

    from flexwheel.assess.twist import twist_lines, twist_test, twist_values
    from flexwheel.base.kind import VEHICLE
    from flexwheel.run.keys.reader import read_scenario_source
    from flexwheel.run.progress import progress

    source = read_scenario_source(scenario, settings or [], (VEHICLE,))
    with progress("twist") as report:
        found = twist_test(
            source.scenario, body_twist_permille, bogie_twist_permille, lambda line: report(0.0, line)
        )  # fmt: skip
    limit = float("nan") if unloading_limit is None else unloading_limit
    print(json.dumps(twist_values(found, limit), indent=1) if as_json else "\n".join(twist_lines(found, limit)))


COMMAND = Command("twist", command, TOPIC, EXAMPLES)
