"""flexwheel run on a real-time scenario, and the declaration of its kind."""

import json
import time

from flexwheel.base.kind import Kind, Pictures
from flexwheel.base.variables import SIDES
from flexwheel.systems.locomotive.realtime_keys import RealtimeScenario
from flexwheel.systems.locomotive.realtime_variables import REALTIME

WHEELS = 8


def run_realtime(source, folder, options, checkpoints=None):
    """Run a real-time ScenarioSource, write results.nc into a folder, `say` its figures.

    JSON keys: results, complete, status, steps, microseconds_per_step, build_seconds, from_cache,
    tangent_iterations_max, normal_iterations_max, steps_not_converged, contacts_sought, assumed, warnings. Ctrl-C ends
    the run with what there is.
    """
    from flexwheel.base.errors import IncompleteRun
    from flexwheel.results.files import write_results
    from flexwheel.run.assumptions import assumed_summary
    from flexwheel.run.interrupts import held_interrupt
    from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, locomotive_of

    source, say = locomotive_of(source), options.say
    if source.assumed:
        say(*assumed_summary([f"vehicle and scenario: {line}" for line in source.assumed]))
    if source.warnings:
        say(*(f"warning: {line}" for line in source.warnings))
    say("building the model (some seconds the first time, then from the cache)")
    begun = time.perf_counter()
    locomotive = build_locomotive_run(source)
    build_seconds = time.perf_counter() - begun
    dataset, status, seconds = realtime_results(source, locomotive, checkpoints)
    counts = locomotive.run_counts
    with held_interrupt():
        path = write_results(dataset, folder)
    done = counts["steps"]
    figures = {
        "results": str(path),
        "complete": status == "complete",
        "status": status,
        "steps": done,
        "microseconds_per_step": 1e6 * seconds / max(done, 1),
        "build_seconds": build_seconds,
        "from_cache": locomotive.generated.from_cache,
        "tangent_iterations_max": counts["tangent_iterations"],
        "normal_iterations_max": counts["normal_iterations"],
        "steps_not_converged": counts["not_converged"],
        "contacts_sought": int(dataset.contacts_sought.sum()),
        "assumed": list(source.assumed),
        "warnings": list(source.warnings),
    }
    say(
        f"{status}: {done} steps of {1e3 * locomotive.time_step:g} ms, {figures['microseconds_per_step']:.1f} us each "
        f"(paper 000: 256 us); model ready in {build_seconds:.1f} s",
        f"Newton iterations at most: tangent {figures['tangent_iterations_max']}, "
        f"normal {figures['normal_iterations_max']}; steps not converged: {figures['steps_not_converged']}",
        f"results: {path}",
    )
    if options.as_json:
        print(json.dumps(figures, indent=1))
    if status != "complete":
        raise IncompleteRun(f"run not complete: {status}; partial results: {path}")
    if options.view:
        draw(dataset, folder / "pictures", say, locomotive=locomotive)


def realtime_results(source, locomotive, checkpoints=None):
    """Dataset of a built locomotive's run, its status in words, and the wall seconds that its steps took."""
    from flexwheel.base.errors import ContactError, ConvergenceError
    from flexwheel.results.checkpoint import program_identity
    from flexwheel.systems.locomotive.realtime_dataset import make_realtime_dataset, recorded_places
    from flexwheel.vehicle.step.simulate import UNCONVERGED_LEAST

    every = source.run.stride
    places = recorded_places(locomotive)
    start = start_values(locomotive, places)
    identity = program_identity("flexwheel.systems.locomotive.simulator") | {
        "vehicle, profiles and rails": locomotive.digest()
    }
    checkpoint = None if checkpoints is None else checkpoints.of("realtime", identity)
    status, begun = "complete", time.perf_counter()
    try:
        locomotive.run(source.run.steps, every, places, checkpoint)
    except (ContactError, ConvergenceError) as error:
        status = str(error)
    except KeyboardInterrupt:
        status = f"interrupted at t = {locomotive.time:.4f} s"
    seconds, counts = time.perf_counter() - begun, locomotive.run_counts
    seconds += 0.0 if checkpoint is None else checkpoint.seconds
    lost, share = counts["not_converged"], source.run.unconverged_share_max
    if status == "complete" and lost > max(share * counts["steps"], UNCONVERGED_LEAST):
        status = (
            f"contact constraints above their tolerance in {lost} of {counts['steps']} steps, expected at most "
            f"run.unconverged_share_max = {share:g} of them"
        )
    dataset = make_realtime_dataset(source, locomotive, locomotive.recorded, every, status, seconds, start)
    return dataset, status, seconds


def start_values(locomotive, places):
    """Row of the start: what a step evaluates where it begins is taken from the first one, which is then taken back."""
    from flexwheel.base.errors import ContactError, ConvergenceError
    from flexwheel.systems.locomotive.realtime_dataset import evaluated_columns

    start, state = locomotive.values_at(places), locomotive.save_state()
    try:
        locomotive.step()
    except (ContactError, ConvergenceError):  # the run will say so
        return start
    first = evaluated_columns(locomotive)
    start[first] = locomotive.values_at(places)[first]
    locomotive.restore_state(state)
    return start


def draw(dataset, folder, say, options=None, locomotive=None):
    """Pictures of a real-time run into a folder."""
    from flexwheel.base.output_files import output_folder
    from flexwheel.systems.locomotive.operation_counts import patterns
    from flexwheel.systems.locomotive.realtime_figures import draw_realtime

    made = draw_realtime(dataset, output_folder(folder), patterns(locomotive.generated) if locomotive else ())
    say(f"{len(made)} pictures in {folder}")
    return made


def _check(source):
    from flexwheel.systems.locomotive.build_locomotive import locomotive_of, profile_curves

    profile_curves(locomotive_of(source))
    return []


def _results(source, report, wheelsets, out, checkpoints):
    from flexwheel.run.any_kind import written
    from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, locomotive_of

    built = locomotive_of(source)
    return written(realtime_results(built, build_locomotive_run(built), checkpoints)[0], out)


def _wrong(results):
    wheels = [str(label) for label in results.wheel.values] if "wheel" in results.coords else []
    if len(set(wheels)) != WHEELS or not all(wheel.endswith(SIDES) for wheel in wheels):
        return f"wheel names {len(set(wheels))} left and right wheels, expected {WHEELS}"
    places = list(map(str, results.coordinate.values)) if "coordinate" in results.coords else []
    missing = [name for name in "xyz" if places.count(name) != 1]
    return f"coordinate names {missing[0]} not once" if missing else ""


def _summary(results):
    """Lines of a report's first page: forces of the wheels, residual, cost."""
    import numpy as np

    normal, lateral, residual = (results[name].values for name in ("normal_force", "force_y", "residual"))
    a = results.attrs
    return [
        f"Normal force of the wheels {normal.min() / 1e3:.1f} to {normal.max() / 1e3:.1f} kN; lateral creep force at "
        f"most {np.abs(lateral).max() / 1e3:.1f} kN.",
        f"Constraints are kept to {residual.max():.2g}; steps not converged: {a['steps_not_converged']}; "
        f"{a['seconds_per_simulated_second']:.2g} s a simulated second.",
    ]


KIND = Kind(
    name="realtime",
    meaning="the locomotive in real time",
    keys=RealtimeScenario,
    variables=REALTIME,
    check=_check,
    run=_results,
    command=run_realtime,
    summary=_summary,
    wrong=_wrong,
)


def _scenes(results):
    from flexwheel.systems.locomotive.realtime_scene import realtime_scenes

    return realtime_scenes(results)


PICTURES_OF_RUN = Pictures("realtime", draw, scenes=_scenes)
