"""From a scenario to a simulation ready to run: track, profiles, vehicle, reduced wheelsets, equilibrium."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexwheel.bodies.suspension import BODY_A, BODY_B, make_suspension_state, suspension_accept
from flexwheel.builders.contact import build_contact
from flexwheel.builders.track import build_irregularity, build_layout, build_rail, build_rail_state
from flexwheel.builders.train import build_train
from flexwheel.builders.wheelset_agreement import mesh_counts, wheelset_disagreements
from flexwheel.contact.tables import ContactWorkspace
from flexwheel.contact.tables import make_workspace as make_contact_workspace
from flexwheel.dynamics.assemble import Assembly, assemble_vehicle, make_state, make_workspace, prepare
from flexwheel.dynamics.equilibrium import borne_by_the_ground, rail_at_rest, static_equilibrium
from flexwheel.dynamics.model import Drive, Model, VehicleState, Workspace
from flexwheel.dynamics.train_coupling import TrainCoupling
from flexwheel.errors import ScenarioError
from flexwheel.fe.reduced_body import ReducedBody
from flexwheel.integration import newmark, park, start_history
from flexwheel.track.flexible_build import MARGIN
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.track.rail_types import RailState
from flexwheel.vehicles.build_vehicle import vehicle_bodies, vehicle_suspension, vehicle_wheelsets
from flexwheel.vehicles.vehicle_file import VehicleFile, read_vehicle

GRAVITY = 9.81
EXPLICIT = "dormand_prince"
HUNG_SHARE = 0.01  # of the weight, above which it is said that force elements to the ground bear it
REST_STEP = 5e-5  # [s] with which the rails come to rest under the standing vehicle


@dataclass(frozen=True)
class Simulation:
    """Everything a run needs; `state`, `rail_state` and `work` move."""

    scenario: object  # scenario.vehicle_keys.VehicleScenario
    vehicle: VehicleFile
    model: Model
    assembly: Assembly
    state: VehicleState
    rail_state: RailState
    contact_work: ContactWorkspace
    work: Workspace
    bodies: dict[str, ReducedBody]  # name of a flexible wheelset -> reduced body
    static_wrench: np.ndarray  # (W, 2, 6) contact wrenches at rest
    train: TrainCoupling | None = None  # couplers of the train around the vehicle
    train_labels: tuple = ()  # sources of the train's parts
    warnings: tuple[str, ...] = ()  # what is doubtful but was accepted


def build_simulation(scenario, bodies, report=lambda line: None) -> Simulation:
    """Simulation of a scenario, in static equilibrium.

    Parameters
    ----------
    scenario : Scenario                    of scenario.reader.read_scenario
    bodies : dict of ReducedBody           for every wheelset with formulation = "flexible"
    report : callable                      takes one line of text per stage

    Raises
    ------
    ScenarioError, ConvergenceError
    """
    simulation = assemble_simulation(scenario, bodies, report)
    report("static equilibrium")
    return _at_rest(simulation)


def _at_rest(s):
    """The simulation after its state has been moved to the static equilibrium."""
    rigid = np.zeros((4, 4))
    wrench = static_equilibrium(s.model, s.assembly, s.state, s.work, s.contact_work, rigid)
    offset = _rails_at_rest(s, wrench)
    wrench = static_equilibrium(s.model, s.assembly, s.state, s.work, s.contact_work, rigid, rail_offset=offset)
    suspension_accept(s.work.spring_state)  # sliders and pistons where they settle at rest
    s.state.history[:] = start_history(s.model.coefficients, *s.state.history[0].copy())  # past of a multistep method
    s.state.past_wrench[:] = wrench
    lift, text = borne_by_the_ground(s.model, s.assembly, s.work)
    weight = GRAVITY * (sum(s.model.units.mass) + s.model.wheelsets.box_mass.sum())
    hung = (f"at rest {text} of {1e-3 * weight:.1f} kN weight",) if abs(lift) > HUNG_SHARE * weight else ()
    return replace(s, static_wrench=wrench.copy(), warnings=s.warnings + hung)


def check_inputs(scenario):
    """Read and assemble everything a run takes but its meshes, so that what is wrong with a profile, a table, the
    vehicle, its train or the alignment is said before a mesh is read and reduced.

    Raises
    ------
    ScenarioError and its like, as `assemble_simulation`
    """
    rigid = {name: part.model_copy(update={"formulation": "rigid"}) for name, part in scenario.wheelset.items()}
    assemble_simulation(scenario.model_copy(update={"wheelset": rigid}), {})


def _rails_at_rest(s, wrench):
    """Displacement of the rail heads under the standing vehicle; found with a step of its own, whatever the run's."""
    dt = s.model.coefficients.dt
    if 0.5 * REST_STEP <= dt <= 2.0 * REST_STEP:
        return rail_at_rest(s.model, s.assembly, s.state, s.rail_state, s.work, wrench)
    run, track = s.scenario.run, s.scenario.track
    coefficients = newmark(REST_STEP)
    axles = [w.position for w in s.assembly.wheelset_specs]
    reach = max(axles) - min(axles)
    end = run.start_position_m + run.duration * run.speed
    model = s.model._replace(coefficients=coefficients, rail=build_rail(track, coefficients, reach, end + MARGIN))
    rest = build_rail_state(model, s.assembly, run.start_position_m, reach)
    offset = rail_at_rest(model, s.assembly, s.state, rest, s.work, wrench)
    for name in ("wheel", "rail", "sleeper"):
        held = getattr(rest, name)[0]
        getattr(s.rail_state, name)[0] = held
        for past in getattr(s.rail_state, f"{name}_past"):
            past[0] = held
    s.rail_state.wheel[3:] = rest.wheel[3:]  # forces on massless rails, from which they relax
    s.rail_state.first_bay[:] = rest.first_bay
    s.rail_state.correction[:] = rest.correction
    return offset


def assemble_simulation(scenario, bodies, report=lambda line: None) -> Simulation:
    """As `build_simulation`, in the nominal position, without the equilibrium."""
    vehicle = read_vehicle(scenario.vehicle.file)
    if scenario.run.integrator == EXPLICIT and RAIL_MODELS[scenario.track.model].moves:
        raise ScenarioError(
            f"run.integrator = {EXPLICIT!r} with track.model = {scenario.track.model!r}: the explicit step has rails "
            "that do not move; set track.model = 'rigid', or integrator = 'newmark'"
        )
    coefficients = build_integrator(scenario.run)
    layout = build_layout(scenario.track)
    contact, placement, warnings = build_contact(scenario.contact, vehicle.wheel, scenario.accept)
    flexible = {}
    for name, section in scenario.wheelset.items():
        if section.formulation == "flexible":
            flexible[name] = dict(
                body=bodies[name],
                mesh_mode=section.mode,
                residual=section.residual == "static",
                centrifugal=section.centrifugal,
                force_distribution=section.force_distribution,
            )
        elif name not in vehicle.wheelsets:
            flexible[name] = {}
    wheelsets = vehicle_wheelsets(vehicle, placement.wheel_y, flexible)
    for w in wheelsets:
        if w.body is not None:
            table = vehicle.wheelsets[w.name]
            warnings += wheelset_disagreements(w.name, w.body, table, vehicle.wheel, placement.wheel_y, scenario.accept)
            report(mesh_counts(w.name, w.body, table))
    check_stability(wheelsets, coefficients)
    assembly = assemble_vehicle(vehicle_bodies(vehicle), wheelsets)
    suspension, element_names = vehicle_suspension(vehicle, assembly, GRAVITY)
    assembly = replace(assembly, element_names=element_names)
    start, speed = scenario.run.start_position_m, scenario.run.speed
    axles = [w.position for w in wheelsets]
    reach = max(axles) - min(axles)
    end = start + scenario.run.duration * speed
    if end > layout.length + 1e-6:
        raise ScenarioError(
            f"track too short: the run ends at s = {end:.1f} m, the layout at {layout.length:.1f} m; "
            "lengthen track.layout or shorten run.duration_s"
        )
    rail = build_rail(scenario.track, coefficients, reach, end + MARGIN)
    report(f"track: {layout.length:.0f} m, {scenario.track.model}")
    irregularity = build_irregularity(scenario.irregularity, end + 2.0, start, speed)
    drive = build_drive(scenario.drive, assembly, speed, vehicle, suspension)
    model = Model(
        coefficients,
        layout,
        irregularity,
        rail,
        assembly.units,
        assembly.wheelsets,
        contact,
        suspension,
        drive,
        GRAVITY,
        speed,
    )
    state = make_state(assembly, start, speed)
    rail_state = build_rail_state(model, assembly, start, reach)
    work = make_workspace(assembly, make_suspension_state(suspension))
    contact_work = make_contact_workspace(contact)
    prepare(model, work)
    train, train_labels = None, ()
    if scenario.train is not None:
        check_train_keys(scenario)
        report("train")
        total = int(round(scenario.run.duration / coefficients.dt)) // scenario.run.stride
        train, train_labels, said = build_train(
            scenario.train, layout, vehicle, assembly, start, speed, scenario.run.duration, total
        )
        warnings = (*warnings, *said)
    return Simulation(
        scenario,
        vehicle,
        model,
        assembly,
        state,
        rail_state,
        contact_work,
        work,
        dict(bodies),
        state.wrench.copy(),
        train,
        train_labels,
        tuple(warnings),
    )


def check_train_keys(scenario):
    """Refuse what does not go with a train around the vehicle."""
    if scenario.drive.kind != "none":
        raise ScenarioError(
            f"drive.kind = {scenario.drive.kind!r} with [train], which drives the vehicle: set drive.kind = 'none'"
        )
    if scenario.run.integrator == EXPLICIT:
        raise ScenarioError(f"run.integrator = {EXPLICIT!r} with a [train]: expected 'newmark' or 'park'")


def build_integrator(run):
    """Integrator coefficients of the [run] section."""
    if run.integrator == "park":
        return park(run.step_s)
    return newmark(run.step_s, run.newmark_beta)


def check_stability(wheelsets, coefficients):
    """Refuse a conditionally stable Newmark step that the highest mode of a flexible wheelset would blow up."""
    if coefficients.depth > 1 or coefficients.beta >= 0.5 * coefficients.gamma:
        return
    limit = 1.0 / np.sqrt(0.5 * coefficients.gamma - coefficients.beta)  # on angular frequency times step
    for w in wheelsets:
        if w.body is None:
            continue
        highest = float(np.max(w.body.frequency_hz))
        if 2.0 * np.pi * highest * coefficients.dt > limit:
            raise ScenarioError(
                f"run.step_s = {coefficients.dt:g} is unstable with run.newmark_beta = {coefficients.beta:g}: wheelset "
                f"{w.name} has modes up to {highest:.0f} Hz, expected a step below "
                f"{limit / (2.0 * np.pi * highest):.3g} s, or newmark_beta = 0.25"
            )


def build_drive(section, assembly, speed, vehicle, suspension):
    """Drive of the [drive] section.

    A force acts on the first free body, or on the first wheelset where there is none, and the speed held is its. A
    torque acts in equal parts on the driven wheelsets; its reaction on the frame of each.
    """
    kind = {"none": 0, "body_force": 1, "axle_torque": 2}[section.kind]
    height = 0.0
    if assembly.body_specs:
        height = assembly.wheelset_specs[0].radius - assembly.body_specs[0].position[2]
    driven = np.array([vehicle.wheelsets[w.name].get("driven", False) is True for w in assembly.wheelset_specs])
    carrier = np.full(len(driven), -1)
    if kind == 2:
        if not np.any(driven):
            raise ScenarioError(
                f"drive.kind = 'axle_torque': no wheelset of {vehicle.path} is driven; set driven = true in a table "
                "[wheelsets.NAME] there, or drive.kind = 'body_force'"
            )
        for w in np.flatnonzero(driven):
            carrier[w] = motor_carrier(vehicle, assembly, suspension, int(w))
    share = driven / max(1, np.sum(driven))
    return Drive(
        kind, 0, speed, section.gain_ns_m, section.integral_gain_n_m, height, 1e3 * section.force_max_kn,
        share.astype(float), carrier,
    )  # fmt: skip


def motor_carrier(vehicle, assembly, suspension, w):
    """Unit that bears the reaction of the torque on wheelset w: its frame, or the one body that its elements go to.

    Raises
    ------
    ScenarioError   more than one body could
    """
    name, count = assembly.wheelset_specs[w].name, len(assembly.body_specs)
    frame = vehicle.wheelsets[name].get("frame")
    if frame is not None:
        return assembly.unit_names.index(frame)
    units = len(assembly.unit_names)
    own = {count + w, units + 2 * w, units + 2 * w + 1}
    ends = suspension.integer[:, [BODY_A, BODY_B]].tolist()
    found = {b for pair in ends if own & set(pair) for b in pair if 0 <= b < count}
    if len(found) > 1:
        names = ", ".join(assembly.unit_names[b] for b in sorted(found))
        raise ScenarioError(
            f"{vehicle.path}: wheelsets.{name} is driven and held by {names}: expected frame = what bears its motor"
        )
    return found.pop() if found else -1
