"""flexwheel run on the scenario of a vehicle, and the declaration of the kind."""

import json
from contextlib import nullcontext
from pathlib import Path

from flexwheel.base.kind import PICTURES, VEHICLE, Kind, ViewOptions
from flexwheel.base.variables import DERIVED, vehicle_variables
from flexwheel.run.keys.vehicle_keys import VehicleScenario


def run_vehicle(source, folder, options, checkpoints=None):
    """Run a vehicle's ScenarioSource and the modes it is compared with, write results.nc, tell the figures.

    JSON keys, one entry a run: results (file), complete, status, seconds_per_simulated_second, loop_seconds, steps,
    steps_not_converged, assumed, warnings.
    """
    from flexwheel.base.errors import IncompleteRun
    from flexwheel.results.files import RESULTS_NAME, read_results
    from flexwheel.run.any_kind import run_source
    from flexwheel.run.assumed_ranking import read_ranking
    from flexwheel.run.assumptions import irregularity_line, most_important
    from flexwheel.run.build.build_simulation import check_inputs
    from flexwheel.run.flexible_bodies import flexible_bodies
    from flexwheel.run.keys.plausibility import plausibility_warnings, vehicle_warnings
    from flexwheel.run.keys.reader import scenario_source
    from flexwheel.run.paper_example import is_paper_example
    from flexwheel.run.progress import progress
    from flexwheel.run.reduced_bodies import flexible_wheelsets
    from flexwheel.run.run_size import require_fit, run_size
    from flexwheel.run.summary import interpolation_damping, run_summary, wheelset_table
    from flexwheel.vehicle.vehicle_file import read_vehicle

    say, quiet = options.say, options.quiet
    size, vehicle = run_size(source.scenario), read_vehicle(source.scenario.vehicle.file)
    if options.view and VEHICLE in PICTURES:
        late = source.scenario.output.start_s / source.scenario.run.output_step_s
        PICTURES[VEHICLE].require_samples(size.samples - int(late))
    require_fit(size, source.scenario, folder)
    ranking = read_ranking(folder, source.scenario)
    say(size.line(source.scenario.run.step_s), irregularity_line(source.scenario.irregularity))
    doubts = plausibility_warnings(source.scenario) + vehicle_warnings(vehicle)
    say(*(f"warning: {line}" for line in doubts))
    files, outcomes = [], []
    beside = PICTURES[VEHICLE].beside(source.scenario, folder / "pictures") if options.view else nullcontext()
    with beside as drawing:
        with progress("import and reduction", not quiet) as report:
            if any(part.formulation == "flexible" for part in source.scenario.wheelset.values()):
                report(0.0, "vehicle, track and profiles")
                check_inputs(source.scenario)
            wheelsets = flexible_wheelsets(source.scenario, lambda line: report(0.0, line))
            units = flexible_bodies(source.scenario, vehicle, lambda line: report(0.0, line))
        if drawing:
            drawing.begin(wheelsets)
        for unit in units.values():
            say(f"flexible body {unit.name}", *_audit(unit.audit, options))
        for item in wheelsets.values():
            table = wheelset_table(item, is_paper_example(source.scenario))
            say(*table, *_audit((*item.audit, *item.body.audit), options))
        for mode, target in _modes(source.scenario, wheelsets, folder):
            overrides = [*source.overrides, *(f"wheelset.{name}.mode={mode}" for name in wheelsets if mode)]
            chosen = scenario_source(source.text, source.path, overrides)
            with progress(f"run{f' {mode}' if mode else ''}", not quiet) as report:
                results = run_source(chosen, report, wheelsets, target, checkpoints)
            if not outcomes:
                assumed = results.attrs["assumed"]
                say(*most_important(assumed, *ranking), *(f"  {line}" for line in assumed if options.verbose))
            for item in wheelsets.values() if mode == "eulerian_interpolated" else ():
                rates = interpolation_damping(item.body, chosen.scenario.run.speed, item.body.treads[0].radius)
                words = ", ".join(f"n = {n}: {r:.2f}" for n, r in rates.items())
                say(f"damping added by the interpolation [1/s]: {words}")
            files.append(str(Path(target) / RESULTS_NAME))
            if drawing:
                drawing.take(files[-1])
            outcomes.append(results)
            say(f"results: {files[-1]}" + (f" ({mode})" if mode else ""), *run_summary(results))
            if not results.attrs["complete"]:
                break
        if options.as_json:
            told = [_figures(file, results.attrs) for file, results in zip(files, outcomes, strict=True)]
            print(json.dumps(told, indent=1))
        if not outcomes[-1].attrs["complete"]:
            raise IncompleteRun(f"run not complete: {outcomes[-1].attrs['status']}; partial results: {files[-1]}")
        if not options.view:
            return
        with progress("pictures", not quiet) as report:
            drawn = drawing and drawing.finished(say, report)
        if not drawn:
            first, *others = (read_results(file) for file in files)
            PICTURES[VEHICLE].draw(first, folder / "pictures", say, ViewOptions(tuple(others)), not quiet)


def _audit(lines, options):
    """What was found in a mesh and made of it; its warnings are told with those of the run."""
    return [f"  {line}" for line in lines] if options.verbose else [f"  {len(lines)} lines on it: --verbose"]


def _modes(scenario, wheelsets, folder):
    """(mode, folder) of each run: the scenario's own first, then run.compare_modes."""
    from flexwheel.run.simulation import own_stage

    if not wheelsets:
        return [("", folder)]
    own = own_stage(scenario)
    further = [mode for mode in scenario.run.compare_modes if mode != own]
    return [(own, folder), *((mode, Path(folder) / mode) for mode in further)]


def _figures(file, attributes):
    plain = {
        "complete": bool, "status": str, "seconds_per_simulated_second": float, "loop_seconds": float, "steps": int,
        "steps_not_converged": int, "assumed": list, "warnings": list,
    }  # fmt: skip
    return {"results": file} | {name: kind(attributes[name]) for name, kind in plain.items()}


def _check(source):
    from flexwheel.run.check_vehicle import check_vehicle

    return check_vehicle(source)


def _results(source, report, wheelsets, out, checkpoints):
    from flexwheel.run.simulation import own_stage, run_scenario

    resume = checkpoints and (checkpoints, own_stage(source.scenario))
    return run_scenario(source.scenario, report, source.text, wheelsets, out, resume)


def _ahead(source):
    from flexwheel.run.compile_ahead import compiling_ahead

    return compiling_ahead(source)


def _wrong(results):
    from flexwheel.results.check_results import wrong_bodies, wrong_flexible

    return wrong_bodies(results) or wrong_flexible(results)


KIND = Kind(
    name=VEHICLE,
    meaning="a vehicle on its track",
    keys=VehicleScenario,
    variables=(*vehicle_variables(), *DERIVED),
    check=_check,
    run=_results,
    command=run_vehicle,
    ahead=_ahead,
    wrong=_wrong,
    curves_in_report=False,
)
