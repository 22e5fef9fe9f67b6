"""flexwheel vibration DIR: levels, orders, spectrograms and coherence of a run's accelerations and forces."""

from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = ("flexwheel vibration out/as4 --out out/as4/vibration",)


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run, or its results.nc.", metavar="DIR")],
    pictures: Annotated[str | None, typer.Option("--out", "-o", help="Folder for pictures.")] = None,
    highest_hz: Annotated[
        float, typer.Option("--highest-hz", help="Highest band; at most 0.4 of the sampling rate.", min=20.0, max=2e4)
    ] = 1250.0,
    highest_order: Annotated[
        int, typer.Option("--highest-order", help="Highest order of the wheel's rotation.", min=1, max=1000)
    ] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, SI units.")] = False,
):
    """Vibration of axle boxes, frames, body and wheel forces after settling.

    Prints levels of third octaves re stated references, the largest orders of the wheel's rotation and the coherence
    of Q with the roughness; draws each, and spectrograms. JSON keys: references, signals ([{name, room, axis, unit,
    bands_hz, rms, level_db, valid_to_hz, orders, coherence}]).
    """
    import json
    import sys

    import numpy as np

    from flexwheel.assess.figures.style import footer_of
    from flexwheel.assess.vibration import draw_vibrations, vibration_lines, vibration_values, vibrations
    from flexwheel.results.files import read_results

    results = read_results(folder, ["vehicle"])
    for line in np.atleast_1d(results.attrs.get("warnings", ())):
        if str(line).startswith("run.output_step_s"):
            print(f"warning: {line}", file=sys.stderr)
    found = vibrations(results, highest_hz, highest_order)
    print(json.dumps(vibration_values(found), indent=1) if as_json else "\n".join(vibration_lines(found)))
    if pictures is not None:
        head = str(results.attrs.get("title", "")) or "run"
        made = draw_vibrations(found, pictures, head, footer_of(results.attrs))
        if not as_json:
            print(f"{len(made)} pictures in {pictures}")


COMMAND = Command("vibration", command, TOPIC, EXAMPLES)
