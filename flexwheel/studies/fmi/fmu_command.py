"""flexwheel fmu SCENARIO --out FILE.fmu: a scenario as a functional mock-up unit for co-simulation."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "realtime"
EXAMPLES = (
    "flexwheel fmu examples/feve3000_curve.toml --out locomotive.fmu",
    "flexwheel fmu examples/as4_curve.toml --out railcar.fmu --fmi 3.0",
)


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario of kind realtime or vehicle, TOML.", metavar="SCENARIO")],
    out: Annotated[str, typer.Option("--out", "-o", help="Archive to write, FILE.fmu.")],
    fmi: Annotated[str, typer.Option("--fmi", help="Version of the standard: 2.0 or 3.0.")] = "2.0",
    sources_only: Annotated[bool, typer.Option("--sources-only", help="No binary: no C compiler is needed.")] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Write a scenario as an FMU for co-simulation (FMI 2.0 or 3.0), compiled by the system's C compiler.

    The unit of a real-time locomotive is C; inputs: torques. The unit of a vehicle starts Python; inputs: force and
    moment on every body, torques, heights of the rails, the speed to hold; outputs: output.variables, else motion of
    bodies and wheel forces.
    JSON keys: file, fmi, step_s, inputs, outputs, parameters (names).
    """
    from flexwheel.run.progress import progress
    from flexwheel.studies.fmi.fmu_call import archive_of, write_fmu

    file = archive_of(out, fmi, "--")
    with progress("unit", not (quiet or as_json)) as report:
        unit = write_fmu(scenario, settings or [], file, fmi, sources_only, report)
    if as_json:
        print(json.dumps(asdict(unit) | {"file": str(file)}))
    elif not quiet:
        names = {"inputs": unit.inputs, "outputs": unit.outputs, "parameters": unit.parameters}
        counts = ", ".join(f"{len(found)} {kind}" for kind, found in names.items())
        print(f"{file}: FMI {fmi}, step {unit.step_s:g} s, {counts}{', sources only' if sources_only else ''}")


COMMAND = Command("fmu", command, TOPIC, EXAMPLES)
