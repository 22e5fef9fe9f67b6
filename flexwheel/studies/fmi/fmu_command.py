"""flexwheel fmu SCENARIO --out FILE.fmu: a scenario as a functional mock-up unit for co-simulation."""

import json
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
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.input_files import expanded
    from flexwheel.base.output_files import output_file, output_folder
    from flexwheel.numerics.kernels.compile_progress import telling_of_compilation
    from flexwheel.run.keys.reader import read_scenario_source
    from flexwheel.run.progress import progress
    from flexwheel.studies.fmi.model_description import VERSIONS

    if fmi not in VERSIONS:
        raise ScenarioError(f"--fmi must be one of {', '.join(VERSIONS)}, got {fmi}")
    file = expanded(out)
    if file.suffix != ".fmu":
        raise ScenarioError(f"--out must be a name that ends in .fmu, got {out}")
    output_folder(file.parent)
    output_file(file)
    source = read_scenario_source(scenario, settings or [])
    kind = source.scenario.kind
    if kind not in ("realtime", "vehicle"):
        raise ScenarioError(f"{scenario}: kind must be 'realtime' or 'vehicle', got {kind!r}")
    with (
        progress("unit", not (quiet or as_json)) as report,
        telling_of_compilation(lambda line: report(0.0, line)),
    ):
        if kind == "realtime":
            from flexwheel.studies.locomotive.locomotive_unit import locomotive_unit
            from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, locomotive_of

            locomotive = locomotive_of(source)
            model = locomotive_unit(build_locomotive_run(locomotive), locomotive, fmi, file, not sources_only)
        else:
            from flexwheel.studies.fmi.vehicle_unit import vehicle_unit

            model = vehicle_unit(scenario, settings or [], fmi, file, not sources_only)
    kinds = ("input", "output", "parameter")
    names = {kind: [v.name for v in model.variables if v.causality == kind] for kind in kinds}
    if as_json:
        said = {f"{kind}s": found for kind, found in names.items()}
        print(json.dumps({"file": str(file), "fmi": fmi, "step_s": model.step, **said}))
    elif not quiet:
        counts = ", ".join(f"{len(found)} {kind}s" for kind, found in names.items())
        print(f"{file}: FMI {fmi}, step {model.step:g} s, {counts}{', sources only' if sources_only else ''}")


COMMAND = Command("fmu", command, TOPIC, EXAMPLES)
