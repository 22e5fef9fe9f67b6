"""flexwheel realtime-export SCENARIO --out DIR: the locomotive as standalone C99 for hardware in the loop."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "realtime"
EXAMPLES = ("flexwheel realtime-export examples/feve3000_curve.toml --out out/c99",)


def command(
    scenario: Annotated[str, typer.Argument(help="Real-time scenario, TOML.", metavar="SCENARIO")],
    out: Annotated[str, typer.Option("--out", help="Folder for the sources.")],
    steps: Annotated[
        int, typer.Option("--steps", help="Steps of the reference trajectory.", min=1, max=100_000)
    ] = 1000,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value, may be repeated.", metavar="KEY=VALUE")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Write a real-time locomotive as C99, with a reference trajectory, a main program that repeats it and a Makefile.

    JSON keys: files, steps.
    """
    from flexwheel.base.output_files import output_folder
    from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
    from flexwheel.systems.locomotive.export_c import export_c
    from flexwheel.systems.locomotive.generated_locomotive import generate_step

    source = read_realtime_scenario(scenario, settings or [])
    kernels = generate_step(source.values, source.motored, fused=False)
    files = export_c(build_locomotive_run(source, kernels), output_folder(out), steps, motored=source.motored)
    if as_json:
        print(json.dumps({"files": [str(path) for path in files], "steps": steps}))
        return
    print(f"{len(files)} files in {files[0].parent}; make && ./locomotive compares {steps} steps with the reference")


COMMAND = Command("realtime-export", command, TOPIC, EXAMPLES)
