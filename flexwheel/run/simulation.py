"""A scenario run to its results: model built, brought to rest, stepped, recorded, stresses recovered."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from flexwheel.builders.simulation import Simulation, build_simulation
from flexwheel.builders.track import bed_notes
from flexwheel.builders.vehicle_on_track import EXPLICIT
from flexwheel.dynamics.simulate import simulate
from flexwheel.dynamics.train_coupling import ELEMENT
from flexwheel.io.interrupts import held_interrupt
from flexwheel.io.results import make_results
from flexwheel.kernels.progress import telling_of_compilation
from flexwheel.post.histories import with_control_nodes
from flexwheel.post.result_bounds import result_warnings
from flexwheel.post.span import default_settling
from flexwheel.run.assumptions import assumed_values
from flexwheel.run.paper_example import is_paper_example
from flexwheel.run.recording import results_arrays
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.scenario.idle_keys import idle_lines
from flexwheel.scenario.plausibility import (
    irregularity_warnings,
    plausibility_warnings,
    vehicle_warnings,
    wheel_load_warnings,
)
from flexwheel.scenario.toml_text import scenario_toml
from flexwheel.track.irregularity import record_span


def run_scenario(scenario, report=None, text="", wheelsets=None):
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario                 of scenario.reader.read_scenario
    report : callable(fraction, note), optional     told how far the work is
    text : str                          the scenario as the user wrote it, kept with the results
    wheelsets : dict, optional          name -> FlexibleWheelset already at hand

    Returns
    -------
    Dataset         variables of post.result_variables; complete = False with the reason in `status` when the run
                    was interrupted or a wheel left the rail

    Raises
    ------
    FlexwheelError  when the scenario cannot be built, or the numbers fail
    """
    report = report or (lambda fraction, note="": None)
    say = lambda line: report(0.0, line)  # noqa: E731
    wheelsets = flexible_wheelsets(scenario, say) if wheelsets is None else wheelsets
    bodies = {name: item.body for name, item in wheelsets.items()}
    with telling_of_compilation(say):
        simulation = build_simulation(scenario, bodies, say)
        of_meshes = (line for item in wheelsets.values() for line in item.warnings)
        simulation = replace(simulation, warnings=(*simulation.warnings, *of_meshes))
        take_steps(simulation, 0.0)
    results = execute(simulation, report, text)
    results.attrs["warnings"] = [*results.attrs["warnings"], *result_warnings(results)]
    if results.sizes["time"] == 0:
        return results
    modal_only = all(scenario.wheelset[name].residual == "modal_only" for name in bodies)
    with held_interrupt():
        report(1.0, "displacement and stress at the control nodes")
        return with_control_nodes(results, bodies, modal_only)


def execute(simulation: Simulation, report=None, text=""):
    """Time loop of a simulation at rest, and its samples as a Dataset."""
    scenario = simulation.scenario
    run = scenario.run
    report = report or (lambda fraction, note="": None)
    started = time.perf_counter()
    outcome = take_steps(simulation, run.duration, lambda now, end: report(now / end, f"t = {now:.2f} of {end:g} s"))
    seconds = time.perf_counter() - started
    assembly = simulation.assembly
    flexible = list(simulation.bodies)
    arrays = results_arrays(outcome.records, assembly)
    if simulation.train is not None:
        arrays.update(coupler_arrays(simulation.train, len(outcome.records.time)))
    return make_results(
        arrays,
        outcome.records.time,
        [w.name for w in assembly.wheelset_specs],
        list(assembly.unit_names),
        flexible,
        [scenario.wheelset[name].mode for name in flexible],
        complete=outcome.complete,
        status=outcome.message,
        attributes={
            "title": run.title,
            "step_s": run.step_s,
            "scenario_text": text,
            "scenario": scenario_toml(scenario),
            "vehicle": simulation.vehicle.name,
            "vehicle_kind": simulation.vehicle.kind,
            "settling_s": settling_time(scenario),
            "paper_example": is_paper_example(scenario),
            "assumed": assumed_values(scenario, simulation.vehicle, simulation.train_labels),
            "warnings": run_warnings(simulation),
            **train_peaks(simulation.train),
            **bed_attributes(scenario.track),
            "modal_rates": "material",
            "static_wheel_load_n": np.asarray(simulation.static_wrench)[..., 2].ravel(),
            "loop_seconds": seconds,
            "seconds_per_simulated_second": seconds / max(outcome.steps * run.step_s, 1e-12),
            "iterations_mean": outcome.iterations_mean,
            "steps": outcome.steps,
            "steps_not_converged": outcome.unconverged,
        },
    )


def take_steps(simulation: Simulation, duration, progress=None):
    """Run of a simulation over a duration [s] with the settings of its scenario; of none, to compile the step."""
    run = simulation.scenario.run
    return simulate(
        simulation.model,
        simulation.assembly,
        simulation.state,
        simulation.rail_state,
        simulation.contact_work,
        simulation.work,
        duration,
        stride=run.stride,
        limit=run.contact_iterations_max,
        tolerance=run.contact_tolerance_n,
        explicit=run.integrator == EXPLICIT,
        train=simulation.train,
        unconverged_share=run.unconverged_share_max,
        progress=progress,
    )


def coupler_arrays(train, samples):
    """Variables of the couplers from the record of a TrainCoupling."""
    record = train.records[:samples]
    names = ("coupler_force", "coupler_angle", "coupler_lateral_force", "coupler_pivot_offset")
    return {name: record[:, :, column].copy() for column, name in enumerate(names)}


def train_peaks(train):
    """Attributes with the largest draft and buff force of every coupling of the train, from the head [N]."""
    if train is None or train.kind != ELEMENT:
        return {}
    return {"train_peak_draft_n": train.peaks[:, 0].copy(), "train_peak_buff_n": train.peaks[:, 1].copy()}


def bed_attributes(track):
    """Attribute with what is to be known of an elastic track bed."""
    notes = bed_notes(track)
    return {"track_bed": notes} if notes else {}


def run_warnings(simulation):
    """Lines on what is doubtful in a run: implausible values, keys that nothing reads, accepted disagreements."""
    idle = idle_lines(simulation.scenario)
    wheels = [f"{w.name} {side}" for w in simulation.assembly.wheelset_specs for side in ("left", "right")]
    return [
        *plausibility_warnings(simulation.scenario),
        *vehicle_warnings(simulation.vehicle),
        *irregularity_warnings(simulation.model.irregularity),
        *wheel_load_warnings(wheels, np.asarray(simulation.static_wrench)[..., 2]),
        *idle,
        *_irregularity_end(simulation),
        *simulation.warnings,
    ]


def _irregularity_end(simulation):
    """A line where the irregularity of a file does not reach as far as the run."""
    run, table = simulation.scenario.run, simulation.model.irregularity
    file = simulation.scenario.irregularity.file
    start, end = run.start_position_m, run.start_position_m + run.duration * run.speed
    first, last = record_span(table)
    if file is None or (first <= start and last >= end):
        return []
    return [
        f"irregularity.file: {file} goes from s = {first:.1f} to {last:.1f} m, the run to {end:.1f} m: "
        "no irregularity of the file beyond"
    ]


def settling_time(scenario):
    """run.settling_s, or its default [s]: the time over the ramp of irregularity, and that of the bodies."""
    if scenario.run.settling_s is not None:
        return scenario.run.settling_s
    section = scenario.irregularity
    smooth = section.file is None and section.spectrum == "none" and section.roughness == "none"
    return default_settling(0.0 if smooth else section.ramp_m, scenario.run.speed)
