"""flexwheel run SCENARIO: simulate, keep the results, and draw the pictures on demand."""

import json
from pathlib import Path
from typing import Annotated

import typer

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
        str | None, typer.Option("--resume", help="Folder of a killed or interrupted run, which goes on. Alone.")
    ] = None,
    view: Annotated[bool, typer.Option("--view", help="Draw the pictures as well, into OUT/pictures.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures of the run as JSON, in SI units.")] = False,
):
    """Check a scenario, run it and write OUT/results.nc.

    An interrupted run (Ctrl-C) and one whose wheel leaves the rail are written as far as they went, with the
    attribute complete = false, and end with exit code 2. An interrupted or killed run goes on with --resume OUT from
    its last checkpoint (run.checkpoint_s), to the same result as one that never stopped.

    What was made in OUT of the results of a run before (report, pictures, stress, fatigue, compare_modes) is removed
    when results.nc is replaced.

    JSON, one entry a run: results (file), complete, status,
    seconds_per_simulated_second, loop_seconds, steps, steps_not_converged, assumed, warnings.
    """
    from flexwheel.io.derived_files import derived_files_follow
    from flexwheel.io.run_folder import folders_released, run_folder
    from flexwheel.results.files import RESULTS_NAME
    from flexwheel.run.check import check_scenario
    from flexwheel.run.resume import begun_with, resumable

    goes_on = resume is not None
    if goes_on:
        if scenario or out or settings:
            raise typer.BadParameter(
                "the run has its scenario, --out and --set; expected the folder alone with --resume"
            )
        scenario, settings = begun_with(resume)
        out = resume
    elif scenario is None or out is None:
        raise typer.BadParameter("expected SCENARIO --out FOLDER, or --resume FOLDER")
    source = check_scenario(scenario, settings or []).source
    say = (lambda *lines: None) if quiet or as_json else (lambda *lines: print("\n".join(lines), flush=True))
    with (
        folders_released(),
        derived_files_follow(folder := run_folder(out), RESULTS_NAME, say),
        resumable(folder, source, goes_on) as checkpoints,
    ):
        if source.scenario.kind == "realtime":
            from flexwheel.run.run_realtime import run_realtime

            run_realtime(source, folder, say, view, as_json, checkpoints)
        elif source.scenario.kind == "reduced":
            from flexwheel.run.run_reduced import run_reduced

            run_reduced(source, folder, say, quiet, as_json, checkpoints)
        elif source.scenario.kind == "train":
            from flexwheel.run.run_train import run_train

            run_train(source, folder, say, view, quiet, as_json, checkpoints)
        else:
            _run(source, folder, say, view, quiet, as_json, checkpoints)


def _run(source, folder, say, view, quiet, as_json, checkpoints):
    from flexwheel.builders.simulation import check_inputs
    from flexwheel.errors import IncompleteRun
    from flexwheel.io.progress import progress
    from flexwheel.results.files import RESULTS_NAME, read_results
    from flexwheel.run.any_kind import run_source
    from flexwheel.run.assumptions import irregularity_line, most_important
    from flexwheel.run.compile_ahead import compiling_ahead
    from flexwheel.run.paper_example import is_paper_example
    from flexwheel.run.reduced_bodies import flexible_wheelsets
    from flexwheel.run.run_size import require_fit, run_size
    from flexwheel.run.sensitivity import read_ranking
    from flexwheel.run.summary import interpolation_damping, run_summary, wheelset_table
    from flexwheel.scenario.plausibility import plausibility_warnings, vehicle_warnings
    from flexwheel.scenario.reader import scenario_source
    from flexwheel.vehicles.vehicle_file import read_vehicle

    size = run_size(source.scenario)
    require_fit(size, source.scenario, folder)
    ranking = read_ranking(folder, source.scenario)
    say(size.line(source.scenario.run.step_s), irregularity_line(source.scenario.irregularity))
    doubts = plausibility_warnings(source.scenario) + vehicle_warnings(read_vehicle(source.scenario.vehicle.file))
    say(*(f"warning: {line}" for line in doubts))
    files, outcomes = [], []
    with compiling_ahead(source):
        with progress("import and reduction", not quiet) as report:
            if any(part.formulation == "flexible" for part in source.scenario.wheelset.values()):
                report(0.0, "vehicle, track and profiles")
                check_inputs(source.scenario)
            wheelsets = flexible_wheelsets(source.scenario, lambda line: report(0.0, line))
        for item in wheelsets.values():
            say(
                *wheelset_table(item, is_paper_example(source.scenario)),
                *(f"  {line}" for line in (*item.audit, *item.body.audit)),
            )
        for mode, target in _modes(source.scenario, wheelsets, folder):
            overrides = [*source.overrides, *(f"wheelset.{name}.mode={mode}" for name in wheelsets if mode)]
            chosen = scenario_source(source.text, source.path, overrides)
            with progress(f"run{f' {mode}' if mode else ''}", not quiet) as report:
                results = run_source(chosen, report, wheelsets, target, checkpoints)
            if not outcomes:
                say(*most_important(results.attrs["assumed"], *ranking))
            for item in wheelsets.values():
                if mode == "eulerian_interpolated":
                    rates = interpolation_damping(item.body, chosen.scenario.run.speed, item.body.treads[0].radius)
                    say(
                        "damping added by the interpolation [1/s]: "
                        + ", ".join(f"n = {n}: {r:.2f}" for n, r in rates.items())
                    )
            files.append(str(Path(target) / RESULTS_NAME))
            outcomes.append(results)
            say(f"results: {files[-1]}" + (f" ({mode})" if mode else ""), *run_summary(results))
            if not results.attrs["complete"]:
                break
    if as_json:
        print(json.dumps([_figures(file, results) for file, results in zip(files, outcomes, strict=True)], indent=1))
    if not outcomes[-1].attrs["complete"]:
        raise IncompleteRun(f"run not complete: {outcomes[-1].attrs['status']}; partial results: {files[-1]}")
    if view:
        from flexwheel.commands.view import draw

        draw([read_results(file) for file in files], folder / "pictures", say, not quiet)


def _modes(scenario, wheelsets, folder):
    """(mode, folder) of each run: the scenario's own first, then run.compare_modes."""
    from flexwheel.run.simulation import own_stage

    if not wheelsets:
        return [("", folder)]
    own = own_stage(scenario)
    further = [mode for mode in scenario.run.compare_modes if mode != own]
    return [(own, folder), *((mode, Path(folder) / mode) for mode in further)]


def _figures(file, results):
    attributes = results.attrs
    return {
        "results": file,
        "complete": bool(attributes["complete"]),
        "status": attributes["status"],
        "seconds_per_simulated_second": attributes["seconds_per_simulated_second"],
        "loop_seconds": attributes["loop_seconds"],
        "steps": int(attributes["steps"]),
        "steps_not_converged": int(attributes["steps_not_converged"]),
        "assumed": list(attributes["assumed"]),
        "warnings": list(attributes["warnings"]),
    }
