"""Everything of a scenario built, brought to rest, run and recorded."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from flexwheel.bodies.suspension import make_suspension_state
from flexwheel.contact.tables import make_workspace as make_contact_workspace
from flexwheel.dynamics.assemble import Assembly, make_state, make_workspace
from flexwheel.dynamics.assemble import prepare as prepare_matrices
from flexwheel.dynamics.equilibrium import rail_at_rest, static_equilibrium
from flexwheel.dynamics.model import Model
from flexwheel.dynamics.simulate import simulate
from flexwheel.io.results import make_results
from flexwheel.io.scenario import scenario_toml
from flexwheel.run.contact_setup import contact_of
from flexwheel.run.recording import results_arrays
from flexwheel.run.track_setup import (
    check_length,
    coefficients_of,
    irregularity_of,
    layout_of,
    rail_model_of,
)
from flexwheel.run.vehicle_setup import assembly_of, drive_of, flexible_bodies, suspension_of, wheelbase
from flexwheel.track.rail_types import make_state as make_rail_state
from flexwheel.vehicles.vehicle_file import VehicleFile, read_vehicle

GRAVITY = 9.81
REST_ROUNDS = 4
REST_TOLERANCE = 1.0  # [N] change of a wheel load between rounds


@dataclass
class Prepared:
    """A run ready to start; state, rail_state, work and contact_work change as it goes."""

    scenario: object
    vehicle: VehicleFile
    assembly: Assembly
    model: Model
    state: object
    rail_state: object
    work: object
    contact_work: object
    reduced: dict  # name of a flexible wheelset -> ReducedBody
    element_names: tuple[str, ...]


def run_scenario(scenario, report=None, text="", reduced=None):
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario
    report : callable(fraction, note), optional     progress
    text : str                                      the scenario as the user wrote it, kept with the results
    reduced : dict, optional                        name -> ReducedBody, in place of those the scenario names

    Returns
    -------
    Dataset         complete = False with the reason when the run was interrupted or a wheel left the rail

    Raises
    ------
    FlexwheelError  when the scenario cannot be built, or the numbers fail
    """
    prepared = prepare(scenario, reduced=reduced, report=report)
    bring_to_rest(prepared)
    return execute(prepared, report, text)


def prepare(scenario, reduced=None, report=None) -> Prepared:
    """Build the model of a scenario and its state before equilibrium."""
    vehicle = read_vehicle(scenario.vehicle.file)
    length = wheelbase(vehicle)
    check_length(scenario, length)
    coefficients = coefficients_of(scenario.run)
    placement, contact = contact_of(scenario, vehicle)
    reduced = flexible_bodies(scenario, report) if reduced is None else reduced
    assembly = assembly_of(scenario, vehicle, placement, reduced)
    suspension, names = suspension_of(vehicle, assembly, GRAVITY)
    model = Model(
        coefficients=coefficients,
        layout=layout_of(scenario.track),
        irregularity=irregularity_of(scenario),
        rail=rail_model_of(scenario, coefficients, length),
        units=assembly.units,
        wheelsets=assembly.wheelsets,
        contact=contact,
        suspension=suspension,
        drive=drive_of(scenario, assembly),
        gravity=GRAVITY,
        speed=scenario.run.speed,
    )
    start = scenario.run.start_position_m
    state = make_state(assembly, start, scenario.run.speed)
    work = make_workspace(assembly, make_suspension_state(suspension))
    rail_state = make_rail_state(model.rail, len(assembly.wheelset_specs), coefficients.depth, start)
    return Prepared(
        scenario, vehicle, assembly, model, state, rail_state, work, make_contact_workspace(contact), reduced, names
    )


def bring_to_rest(prepared):
    """Static equilibrium of vehicle and rails; returns the wheel loads (W, 2) [N]."""
    p = prepared
    rail = np.zeros((4, 4))
    offset, before = None, None
    for _ in range(REST_ROUNDS):
        wrench = static_equilibrium(p.model, p.assembly, p.state, p.work, p.contact_work, rail, rail_offset=offset)
        if before is not None and np.abs(wrench[..., 2] - before).max() < REST_TOLERANCE:
            break
        before = wrench[..., 2].copy()
        offset = rail_at_rest(p.model, p.assembly, p.state, p.rail_state, p.work, wrench)
    prepare_matrices(p.model, p.work)
    return wrench[..., 2].copy()


def execute(prepared, report=None, text=""):
    """Time loop and results of a prepared run."""
    p, run = prepared, prepared.scenario.run
    started = time.perf_counter()
    progress = None if report is None else lambda now, end: report(now / end, f"t = {now:.2f} of {end:g} s")
    loads = p.state.wrench[:, :, 2].copy()
    outcome = simulate(
        p.model,
        p.assembly,
        p.state,
        p.rail_state,
        p.contact_work,
        p.work,
        run.duration,
        stride=run.stride,
        limit=run.contact_iterations_max,
        progress=progress,
    )
    seconds = time.perf_counter() - started
    flexible = list(p.reduced)
    modes = [p.scenario.wheelset[name].mode for name in flexible]
    simulated = outcome.steps * run.step_s
    return make_results(
        results_arrays(outcome.records, p.assembly),
        outcome.records.time,
        [w.name for w in p.assembly.wheelset_specs],
        list(p.assembly.unit_names),
        flexible,
        modes,
        complete=outcome.complete,
        status=outcome.message,
        attributes={
            "title": run.title,
            "scenario_text": text,
            "scenario": scenario_toml(p.scenario),
            "vehicle": p.vehicle.name,
            "assumed": [f"{label.key} = {label.value}: {label.source}" for label in p.vehicle.assumed],
            "modal_rates": "material",
            "static_wheel_load_n": loads.ravel().tolist(),
            "loop_seconds": seconds,
            "seconds_per_simulated_second": seconds / max(simulated, 1e-12),
            "iterations_mean": outcome.iterations_mean,
            "steps": outcome.steps,
            "steps_not_converged": outcome.unconverged,
        },
    )
