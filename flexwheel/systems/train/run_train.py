"""flexwheel run on a train scenario, the declaration of its kind, and of the train around a vehicle."""

import json

from flexwheel.assess.assessment import Assessment
from flexwheel.base.coupled_system import CoupledSystem
from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import Kind, Pictures
from flexwheel.systems.train.train_keys import TrainAround, TrainScenario
from flexwheel.systems.train.train_variables import AROUND, TRAIN


def run_train(source, folder, options, checkpoints=None):
    """Run a train's ScenarioSource, write results.nc into a folder, `say` the rows of the benchmark's tables.

    JSON keys: results, complete, status, speed_max_m_per_s, speed_mean_m_per_s, draft_N, draft_at, buff_N, buff_at,
    draft_mean_N, buff_mean_N, deflection_at, deflection_draft_m, deflection_buff_m, tolerance,
    halving_changes_largest_force, halving_changes_extremes_N, solver_seconds, steps, energy_residual (share of the
    turnover), assumed, warnings.
    """
    from flexwheel.base.errors import IncompleteRun
    from flexwheel.results.files import write_results
    from flexwheel.run.assumptions import assumed_summary
    from flexwheel.run.interrupts import held_interrupt
    from flexwheel.run.progress import progress
    from flexwheel.systems.train.results import benchmark_row
    from flexwheel.systems.train.train_run import build_train_run

    source, say = build_train_run(source), options.say
    if source.assumed:
        parts = [key.rpartition(".") for key in source.assumed]
        say(*assumed_summary([f"{part or 'train'}: {key}" for part, _, key in parts]))
    with progress("train", not options.quiet) as report:
        dataset, results, checks, warnings = train_results(source, report, checkpoints)
    with held_interrupt():
        path = write_results(dataset, folder)
    row = benchmark_row(results, source.deflection_coupler)
    say(*summary(source, results, checks, row), *(f"warning: {line}" for line in warnings), f"results: {path}")
    if options.as_json:
        print(json.dumps(figures(path, source, results, checks, row) | {"warnings": warnings}, indent=1))
    if not results.complete:
        raise IncompleteRun(f"run not complete: {results.status}; partial results: {path}")
    if options.view:
        draw(dataset, folder / "pictures", say)


def train_results(source, report, checkpoints=None):
    """Dataset of a TrainScenario, its TrainResults, checks of the tolerance and warnings."""
    from flexwheel.run.interrupts import held_interrupt
    from flexwheel.systems.train.simulate_train import compile_kernels, simulate
    from flexwheel.systems.train.tolerance_check import simulate_checked
    from flexwheel.systems.train.train_dataset import make_train_dataset
    from flexwheel.systems.train.warnings import train_warnings

    identity = None if checkpoints is None else train_identity(source.run)

    def checkpoint_of(tolerance):
        if checkpoints is not None:
            return checkpoints.of(f"tolerance {tolerance:g}", identity, at_end=source.check_tolerance)

    report(0.0, "compiling, the first time only")
    compile_kernels(source.run)
    if source.check_tolerance:
        results, checks = simulate_checked(source.run, report=report, checkpoint_of=checkpoint_of)
    else:
        results, checks = simulate(source.run, report, True, checkpoint_of(source.run.tolerance)), []
    with held_interrupt():
        warnings = train_warnings(source.run, results, checks)
        return make_train_dataset(source, results, checks, warnings), results, checks, warnings


def train_identity(run):
    """What must be as it was for a TrainRun to go on: the program of its step, and its vehicles, route and driving."""
    from flexwheel.numerics.kernels.arrays_within import arrays_digest
    from flexwheel.results.checkpoint import program_identity
    from flexwheel.systems.train.driving import pack_driving
    from flexwheel.systems.train.train import pack_train

    inputs = {"train and route": pack_train(run.train, run.route), "driving": pack_driving(run.driving)}
    return program_identity("flexwheel.systems.train.simulate_train") | {
        name: arrays_digest(**{name: value}) for name, value in inputs.items()
    }


def draw(dataset, folder, say, options=None):
    """Pictures of a train run into a folder."""
    from flexwheel.base.output_files import output_folder
    from flexwheel.systems.train.train_figures import draw_train

    made = draw_train(dataset, output_folder(folder))
    say(f"{len(made)} pictures in {folder}")
    return made


def summary(source, results, checks, row):
    """Lines for the reader."""
    from flexwheel.systems.train.results import format_rows

    steps = results.steps
    lines = [
        f"{source.title}: {results.speed.shape[1]} vehicles, {results.time[-1]:.0f} s, "
        f"{(results.position[-1, 0] - results.position[0, 0]) / 1e3:.2f} km, solver {results.seconds:.2f} s CPU",
        f"steps {steps['steps']}, sent back for error {steps['rejected']}, for a coupling's branch "
        f"{steps['located']}, for a standstill {steps['stops']}; tolerance {results.tolerance:g}",
        format_rows([("train by itself", row)]),
        "couplers count from the head, bars included: coupler k joins vehicles k and k + 1; means over all couplings",
    ]
    for check in checks:
        lines.append(
            f"tolerance {check.tolerance:g} against twice of it: largest forces change by at most "
            f"{check.extreme_change:.1f} N (coupling {check.coupling}), head speed by {100 * check.speed_change:.4f} "
            "%: " + ("passed" if check.passed else "more than 10 N")
        )
    if results.energy is not None:
        lines.append(energy_line(results.energy))
    return lines


def energy_line(energy):
    """The energy ledger in one line."""
    parts = [f"{key.replace('_', ' ')} {value / 1e6:.1f}" for key, value in vars(energy).items()]
    share = energy.residual / energy.turnover if energy.turnover else 0.0
    return f"energy [MJ]: {', '.join(parts)}; does not close by {100 * share:.4f} % of the turnover"


def figures(path, source, results, checks, row):
    """What --json prints, SI units."""
    energy = results.energy
    return {
        "results": str(path),
        "complete": results.complete,
        "status": results.status,
        "speed_max_m_per_s": results.speed_max,
        "speed_mean_m_per_s": results.speed_mean,
        "draft_N": row.draft * 1e3,
        "draft_at": row.draft_at,
        "buff_N": row.buff * 1e3,
        "buff_at": row.buff_at,
        "draft_mean_N": row.draft_mean * 1e3,
        "buff_mean_N": row.buff_mean * 1e3,
        "deflection_at": row.deflection_at,
        "deflection_draft_m": row.deflection_draft * 1e-3,
        "deflection_buff_m": row.deflection_buff * 1e-3,
        "tolerance": results.tolerance,
        "halving_changes_largest_force": checks[-1].force_change if checks else None,
        "halving_changes_extremes_N": checks[-1].extreme_change if checks else None,
        "solver_seconds": results.seconds,
        "steps": results.steps,
        "energy_residual": energy.residual / energy.turnover if energy and energy.turnover else None,
        "assumed": list(source.assumed),
    }


def _check(source):
    from flexwheel.systems.train.train_run import build_train_run

    build_train_run(source)
    return []


def _results(source, report, wheelsets, out, checkpoints):
    from flexwheel.run.any_kind import written
    from flexwheel.systems.train.train_run import build_train_run

    return written(train_results(build_train_run(source), report, checkpoints)[0], out)


def _wrong(results):
    for name, dim in (("vehicle_name", "vehicle"), ("coupling_name", "coupling")):
        if name not in results.coords or results[name].dims != (dim,):
            return f"no coordinate {name}"
    return ""


def _summary(results):
    """Lines of a report's first page: largest coupling forces, speeds, energy balance."""
    import numpy as np

    ends = []
    for k, name in enumerate(("draft", "buff")):
        forces = results.peak_force.values[:, k]
        at = int(np.argmax(np.abs(forces)))
        ends.append(
            f"{name} {abs(forces[at]) / 1e3:.0f} kN at coupling {int(results.coupling[at])} after "
            f"{float(results.peak_time[at, k]):.0f} s"
        )
    a, head = results.attrs, results.position.values[:, 0]
    lines = [
        f"Largest coupling forces: {', '.join(ends)}.",
        f"{results.sizes['vehicle']} vehicles over {(head[-1] - head[0]) / 1e3:.2f} km; speed: mean "
        f"{3.6 * a['speed_mean_m_per_s']:.1f}, largest {3.6 * a['speed_max_m_per_s']:.1f} km/h.",
    ]
    if "halving_changes_extremes_N" in a:
        change = a["halving_changes_extremes_N"]
        lines.append(f"Twice the tolerance changes the largest forces by at most {change:.1f} N.")
    return lines


KIND = Kind(
    name="train",
    meaning="longitudinal dynamics of a train",
    keys=TrainScenario,
    variables=TRAIN,
    check=_check,
    run=_results,
    command=run_train,
    summary=_summary,
    wrong=_wrong,
    even_samples=False,
    constant_speed=False,
)


def _scenes(results):
    from flexwheel.systems.train.train_scene import train_scenes

    return train_scenes(results)


PICTURES_OF_RUN = Pictures("train", draw, scenes=_scenes)


def _energy(run, say):
    from flexwheel.assess.figures.report_blocks import Table, Text

    begin, end = "energy_", "_J"
    parts = {key[len(begin) : -len(end)]: v for key, v in run.results.attrs.items() if key.startswith(begin)}
    rows = tuple((name.replace("_", " "), f"{value / 1e6:.3f}") for name, value in parts.items())
    yield Table("Energy of the run", ("", "[MJ]"), rows) if rows else Text("The run kept no energy balance.")


ENERGY = Assessment("energy_of_train", "Energy balance", _energy, ("train",))


def _require_around(scenario):
    from flexwheel.run.build.vehicle_on_track import EXPLICIT

    if scenario.drive.kind != "none":
        raise ScenarioError(
            f"drive.kind = {scenario.drive.kind!r} with [train], which drives the vehicle: set drive.kind = 'none'"
        )
    if scenario.run.integrator == EXPLICIT:
        raise ScenarioError(f"run.integrator must be 'newmark' or 'park' with a [train], got {EXPLICIT!r}")


def _check_around(section, parts):
    from flexwheel.systems.train.build_train import train_of

    train_of(section, parts.vehicle, parts.assembly)


def _build_around(scenario, parts):
    from flexwheel.systems.train.build_train import build_train

    return build_train(AROUND_VEHICLE, scenario, parts)


AROUND_VEHICLE = CoupledSystem(
    name="train",
    meaning="train around the vehicle",
    keys=TrainAround,
    variables=AROUND,
    require=_require_around,
    check=_check_around,
    build=_build_around,
)
