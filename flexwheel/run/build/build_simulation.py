"""From a scenario to a simulation ready to run: track, profiles, vehicle, reduced wheelsets, equilibrium."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from flexwheel.base.coupled_system import Coupled, coupled_section
from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.body.reduced_body import ReducedBody
from flexwheel.contact.contact_tables import ContactScratch, make_contact_scratch
from flexwheel.contact.rail_along import lay_at
from flexwheel.numerics.integration import newmark, park, start_history
from flexwheel.numerics.kernels import without_compiling
from flexwheel.run.build.build_contact import build_contacts
from flexwheel.run.build.build_track import (
    build_irregularity,
    build_rail,
    build_rail_state,
    build_supports,
    element_warnings,
)
from flexwheel.run.build.vehicle_on_track import EXPLICIT, vehicle_on_track
from flexwheel.track.flexible_build import MARGIN
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.track.rail_types import RailState
from flexwheel.vehicle.elements.columns import make_suspension_state
from flexwheel.vehicle.step.assemble import Assembly, make_state, make_workspace, prepare
from flexwheel.vehicle.step.equilibrium import borne_by_the_ground, rail_at_rest, static_equilibrium
from flexwheel.vehicle.step.ledger import make_ledger
from flexwheel.vehicle.step.load_rates import make_load_rates
from flexwheel.vehicle.step.model import Model, VehicleState, Workspace
from flexwheel.vehicle.step.watch import Watch, make_watch
from flexwheel.vehicle.suspension import suspension_accept
from flexwheel.vehicle.vehicle_file import VehicleFile

HUNG_SHARE = 0.01  # of the weight, above which it is said that force elements to the ground bear it
BEHIND = 5e-4  # [m] of a jump of curvature: springs move a wheelset by micrometres
REST_STEP = 5e-5  # [s] with which the rails come to rest under the standing vehicle


@dataclass(frozen=True)
class Simulation:
    """Everything a run needs; `state`, `rail_state` and `work` move."""

    scenario: object  # vehicle_keys.VehicleScenario
    vehicle: VehicleFile
    model: Model
    assembly: Assembly
    state: VehicleState
    rail_state: RailState
    contact_work: ContactScratch
    work: Workspace
    bodies: dict[str, ReducedBody]  # name of a flexible wheelset -> reduced body
    static_wrench: np.ndarray  # (W, 2, 6) contact wrenches at rest
    coupled: Coupled | None = None  # system that is advanced with the vehicle
    warnings: tuple[str, ...] = ()  # what is doubtful but was accepted
    watch: Watch | None = None  # what is measured beside the run


def build_simulation(scenario, bodies, report=lambda line: None) -> Simulation:
    """Simulation of a scenario, in static equilibrium.

    Parameters
    ----------
    scenario : Scenario                    of reader.read_scenario
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
    wrench = _equilibrium(s, rigid)
    offset = _rails_at_rest(s, wrench)
    wrench = _equilibrium(s, rigid, offset)
    suspension_accept(s.work.spring_state)  # sliders and pistons where they settle at rest
    s.state.history[:] = start_history(s.model.coefficients, *s.state.history[0].copy())  # past of a multistep method
    s.state.past_wrench[:] = wrench
    lift, text = borne_by_the_ground(s.model, s.assembly, s.work)
    weight = GRAVITY * (sum(s.model.units.mass) + s.model.wheelsets.box_mass.sum())
    hung = (f"at rest {text} of {1e-3 * weight:.1f} kN weight",) if abs(lift) > HUNG_SHARE * weight else ()
    return replace(s, static_wrench=wrench.copy(), warnings=s.warnings + hung)


def _equilibrium(s, rigid, offset=None):
    """Contact wrenches at rest; where the curvature of the track jumps under a body, at rest on the side behind it.

    A curvature that jumps under a wheelset has no equilibrium: the load jumps with it, and the force of the springs
    moves the wheelset from the one side to the other. Then the vehicle is brought to rest BEHIND and put back, so that
    the run begins with the jump.
    """
    along, places = s.state.history[:, 0], s.model.units.offset[:-1]
    begun, wrench = s.state.history.copy(), s.state.wrench.copy()

    def at_rest():
        return static_equilibrium(s.model, s.assembly, s.state, s.work, s.contact_work, rigid, rail_offset=offset)

    inner = s.model.layout.start[1:-1]
    if not np.any(np.abs(along[0, places, None] - inner) <= BEHIND):
        return at_rest()
    try:
        return at_rest()
    except ConvergenceError:
        s.state.history[:], s.state.wrench[:] = begun, wrench
    along[:, places] -= 2.0 * BEHIND
    try:
        return at_rest()
    except ConvergenceError as error:
        raise ConvergenceError(
            f"{error}; a body is where the curvature of the track jumps (track.layout, track.vertical): move "
            "run.start_position_m by some centimetres"
        ) from None
    finally:
        along[:, places] += 2.0 * BEHIND


def check_inputs(scenario):
    """Read and assemble everything a run takes but its meshes, so that what is wrong with a profile, a table, the
    vehicle, what is coupled to it or the alignment is said before a mesh is read and reduced.

    Raises
    ------
    ScenarioError and its like, as `assemble_simulation`
    """
    rigid = {name: part.model_copy(update={"formulation": "rigid"}) for name, part in scenario.wheelset.items()}
    with without_compiling():  # a second process does, meanwhile: compile_ahead.py
        assemble_simulation(scenario.model_copy(update={"wheelset": rigid, "body": {}}), {})


def _rails_at_rest(s, wrench):
    """Displacement of the rail heads under the standing vehicle; found with a step of its own, whatever the run's."""
    dt = s.model.coefficients.dt
    if 0.5 * REST_STEP <= dt <= 2.0 * REST_STEP:
        return rail_at_rest(s.model, s.assembly, s.state, s.rail_state, s.work, wrench)
    run, track = s.scenario.run, s.scenario.track
    coefficients = newmark(REST_STEP)
    axles = [w.position for w in s.assembly.wheelset_specs]
    reach = max(axles) - min(axles)
    end = run.place_at(run.duration)
    rail = s.model.rail
    if rail.front_bay >= 0:  # the margin of the run, which its step may have decided
        margin = (len(rail.place) - 1) // rail.elements - 1 - rail.front_bay
        track = track.model_copy(update={"window_margin_bays": margin})
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
    parts = vehicle_on_track(scenario, bodies, report)
    assembly, layout, reach = parts.assembly, parts.layout, parts.reach
    coefficients = build_integrator(scenario.run)
    check_stability(assembly, coefficients)
    contacts = build_contacts(scenario.contact, parts.of_wheels, scenario.track.check_rail)
    start, speed = scenario.run.start_position_m, scenario.run.speed
    rail = build_rail(scenario.track, coefficients, reach, parts.end + MARGIN)
    report(f"track: {layout.length:.0f} m, {scenario.track.model}")
    irregularity = build_irregularity(scenario.irregularity, parts.end + 2.0, start)
    model = Model(
        coefficients, layout, irregularity, rail, assembly.units, assembly.wheelsets, contacts, parts.suspension,
        parts.drive, GRAVITY, speed, parts.roundness, assembly.flexible,
    )  # fmt: skip
    flexible = [w for w, spec in enumerate(assembly.wheelset_specs) if spec.body is not None]
    near = [set(assembly.wheelset_specs[w].body.near.tread) for w in flexible]
    loads = make_load_rates(flexible, coefficients.dt, [(f, side) for f, sides in enumerate(near) for side in sides])
    state = make_state(assembly, start, speed)._replace(loads=loads)
    for wheel, tables in enumerate(contacts):
        if tables.along.place.size:
            lay_at(tables, state.history[0, 0, assembly.units.offset[assembly.wheelsets.unit[wheel // 2]]])
    rail_state = build_rail_state(model, assembly, start, reach)
    work = make_workspace(assembly, make_suspension_state(parts.suspension))
    contact_work = make_contact_scratch(contacts[0])
    prepare(model, work)
    warnings = (*parts.warnings, *element_warnings(scenario.track, coefficients, rail))
    system, _ = coupled_section(scenario)
    coupled = None
    if system is not None:
        report(system.name)
        coupled = system.build(scenario, parts)
        warnings = (*warnings, *coupled.warnings)
    return Simulation(
        scenario, parts.vehicle, model, assembly, state, rail_state, contact_work, work, dict(bodies),
        state.wrench.copy(), coupled, tuple(warnings), build_watch(scenario, model, assembly, rail_state),
    )  # fmt: skip


def build_watch(scenario, model, assembly, rail_state):
    """What is measured beside a run: nothing, force elements, or these and the energy ledger."""
    groups, track = scenario.output.groups, scenario.track
    if "energy" not in groups:
        return make_watch(model, assembly) if groups else None
    if scenario.run.integrator == EXPLICIT:
        raise ScenarioError(
            f"run.integrator must be 'newmark' or 'park' with output.also = ['energy'], got {EXPLICIT!r}: the sums are "
            "those of the implicit step"
        )
    energy, supports = RAIL_MODELS[track.model].energy, partial(build_supports, track)

    def ledger(own):
        return make_ledger(model, assembly, own, rail_state, energy, track, supports)

    return make_watch(model, assembly, ledger)


def build_integrator(run):
    """Integrator coefficients of the [run] section."""
    if run.integrator == "park":
        return park(run.step_s)
    return newmark(run.step_s, run.newmark_beta)


def check_stability(assembly, coefficients):
    """Refuse a conditionally stable Newmark step that the highest mode of a flexible body would blow up."""
    if coefficients.depth > 1 or coefficients.beta >= 0.5 * coefficients.gamma:
        return
    limit = 1.0 / np.sqrt(0.5 * coefficients.gamma - coefficients.beta)  # on angular frequency times step
    modes = {f"wheelset {w.name}": w.body for w in assembly.wheelset_specs}
    modes |= {f"body {b.name}": b.flexible for b in assembly.body_specs}
    for name, body in modes.items():
        if body is None:
            continue
        highest = float(np.max(body.frequency_hz))
        if 2.0 * np.pi * highest * coefficients.dt > limit:
            raise ScenarioError(
                f"run.step_s = {coefficients.dt:g} is unstable with run.newmark_beta = {coefficients.beta:g}: {name} "
                f"has modes up to {highest:.0f} Hz, expected a step below "
                f"{limit / (2.0 * np.pi * highest):.3g} s, or newmark_beta = 0.25"
            )
