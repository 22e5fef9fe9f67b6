"""flexwheel run SCENARIO: simulate, keep the results, and draw the pictures on demand."""

from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "run"
EXAMPLES = (
    "flexwheel run examples/as4_curve.toml --out out/as4 --view",
    "flexwheel run examples/as4_curve.toml --out out/slow --set run.speed_kmh=60 --set run.duration_s=5",
    "flexwheel run examples/feve3000_curve.toml --out out/feve --json",
    "flexwheel run --resume out/as4",
)


def command(
    scenario: Annotated[str | None, typer.Argument(help="Scenario file, TOML.", metavar="SCENARIO")] = None,
    out: Annotated[str | None, typer.Option("--out", "-o", help="Folder for the results.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Continue the interrupted run in this folder; no other option.")
    ] = None,
    view: Annotated[bool, typer.Option("--view", help="Draw the pictures as well, into OUT/pictures.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print the audits of meshes and bodies and every assumed value.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures of the run as JSON, in SI units.")] = False,
):
    """Check a scenario, run it and write OUT/results.nc.

    A run that is interrupted (Ctrl-C), or whose wheel leaves the rail, keeps its partial results with the attribute
    complete = false and ends with exit code 2. --resume OUT continues an interrupted or killed run from its last
    checkpoint (run.checkpoint_s); the result equals that of a run that never stopped.

    When results.nc is replaced, files made from the former results in OUT (report, pictures, stress, fatigue,
    compare_modes) are removed.

    JSON, one entry a run: results (file), complete, status,
    seconds_per_simulated_second, loop_seconds, steps, steps_not_converged, assumed, warnings.
    """
    from flexwheel.base.kind import KINDS, RunOptions
    from flexwheel.results.files import RESULTS_NAME
    from flexwheel.run.check_scenario import check_scenario
    from flexwheel.run.derived_files import derived_files_follow
    from flexwheel.run.resume import begun_with, resumable
    from flexwheel.run.run_folder import folders_released, run_folder
    from flexwheel.run.run_plainly import run_plainly

    goes_on = resume is not None
    if goes_on:
        if scenario or out or settings:
            raise typer.BadParameter(
                "--resume takes scenario, --out and --set from the folder; give --resume FOLDER alone"
            )
        scenario, settings = begun_with(resume)
        out = resume
    elif scenario is None or out is None:
        raise typer.BadParameter("give SCENARIO and --out FOLDER, or --resume FOLDER")
    source = check_scenario(scenario, settings or []).source
    say = (lambda *lines: None) if quiet or as_json else (lambda *lines: print("\n".join(lines), flush=True))
    with (
        folders_released(),
        derived_files_follow(folder := run_folder(out), RESULTS_NAME, say),
        resumable(folder, source, goes_on) as checkpoints,
        KINDS[source.scenario.kind].ahead(source),  # before this process loads what a run needs
    ):
        options = RunOptions(say, view, quiet, as_json, verbose)
        (KINDS[source.scenario.kind].command or run_plainly)(source, folder, options, checkpoints)


COMMAND = Command("run", command, TOPIC, EXAMPLES)
