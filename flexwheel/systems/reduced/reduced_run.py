"""A scenario run with the simplified model, and with the three-dimensional model beside it."""

import time
from dataclasses import dataclass

import numpy as np

from flexwheel.assess.static_contact import static_contact
from flexwheel.base.errors import ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.base.input_files import digest
from flexwheel.base.variables import PATCH, WHEEL_QUANTITIES, force_on_rail
from flexwheel.numerics.kernels.arrays_within import arrays_digest
from flexwheel.results.checkpoint import program_identity
from flexwheel.results.dataset import make_dataset
from flexwheel.run.assumptions import assumed_values
from flexwheel.run.build.build_contact import build_contact, build_profiles, placed_profiles
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.build.build_track import build_irregularity, build_layout
from flexwheel.run.keys.idle_keys import idle_lines
from flexwheel.run.keys.plausibility import file_end_warnings
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.run.run_settings import loop_settings
from flexwheel.run.simulation import run_identity
from flexwheel.systems.reduced.contact_zones import axle_lift, creep_coefficients, loaded_tread, profile_zones
from flexwheel.systems.reduced.reduced_vehicle import reduced_vehicle
from flexwheel.systems.reduced.simplified_model import ContactZones, cone_tread
from flexwheel.systems.reduced.simulate_reduced import ReducedModel, build_model, run
from flexwheel.systems.reduced.validity import validity_warnings
from flexwheel.track.irregularity import record_span
from flexwheel.vehicle.step.simulate import simulate
from flexwheel.vehicle.vehicle_file import read_vehicle

FULL_ORDER = (1, 4, 3, 2, 5)  # of s, y, z, yaw, roll, spin
SHIFTS, TURNS = [0, 3], [1, 2, 4]  # of y, roll, yaw, z, pitch: variables.LABELS of shift and turn
FLANGE_ANGLE = np.radians(30.0)
"""[rad] contact angle from which a patch of the full model counts as flange contact."""


def _contact_warnings(scenario):
    """What was accepted of profiles and gauge."""
    wheel = read_vehicle(scenario.vehicle.file).wheel
    return placed_profiles(scenario.contact, wheel, scenario.accept).warnings


@dataclass(frozen=True)
class FullRun:
    """Samples of the full model in the variables of the simplified one, and the time its loop took."""

    time: np.ndarray
    coordinates: np.ndarray  # (T, U, 5)
    accelerations: np.ndarray
    wheel: np.ndarray  # (T, W, 2, 7)
    complete: bool
    message: str
    seconds: float  # of wall clock
    cpu_seconds: float
    steps: int
    unconverged: int


def build_reduced(scenario, reduced) -> ReducedModel:
    """Simplified model of a scenario and its [reduced] section."""
    file = read_vehicle(scenario.vehicle.file)
    profiles = placed_profiles(scenario.contact, file.wheel, scenario.accept)
    tables, placement = build_contact(scenario.contact, profiles), profiles.placement
    vehicle = reduced_vehicle(file, placement.wheel_y, GRAVITY)
    loads = _static_loads(vehicle)
    zones = contact_zones(scenario.contact, reduced, tables, placement, float(np.mean(loads)), scenario.accept)
    layout = build_layout(scenario.track, scenario.contact.gauge_mm)
    start, speed, duration = scenario.run.start_position_m, scenario.run.speed, scenario.run.duration
    end = start + duration * (speed + 0.5 * reduced.acceleration_m_s2 * duration)
    if end > layout.length + 1e-6:
        raise ScenarioError(
            f"track too short: the run ends at s = {end:.1f} m, the layout at {layout.length:.1f} m; "
            "lengthen track.layout or shorten run.duration_s"
        )
    irregularity = build_irregularity(scenario.irregularity, end + 2.0, start)
    return build_model(vehicle, zones, layout, irregularity, speed, start, reduced.acceleration_m_s2, GRAVITY)


def contact_zones(contact, reduced, tables, placement, load, accepted=()) -> ContactZones:
    """Zones and creep coefficients from the profiles and the static load of a wheel [N]."""
    wheel, rail, _ = build_profiles(contact, accepted)
    found = profile_zones(wheel, rail, placement, 1e-3 * reduced.conicity_amplitude_mm)
    gamma = reduced.conicity if reduced.conicity is not None else found.conicity
    _, _, patches = static_contact(tables, placement.radius, load)
    creep = creep_coefficients(patches, tables.creep_modulus, contact.poissons_ratio)
    clearance = found.flange_clearance if reduced.flange_clearance_mm is None else 1e-3 * reduced.flange_clearance_mm
    roll = placement.radius / found.half_distance
    slope = gamma / (1.0 + gamma * roll) if reduced.tread == "cone" else found.tread_slope
    if reduced.tread == "cone":
        tread, lift = cone_tread(slope), axle_lift(found.contact)
    elif reduced.tread == "conicity":
        shrink = 1.0 - slope * roll
        tread, lift = cone_tread(gamma * shrink, found.angle_growth * shrink, slope), axle_lift(found.contact)
    else:
        tread = loaded_tread(
            tables, placement.radius, load, clearance, slope, contact.poissons_ratio, placement.wheel_y,
            found.half_distance,
        )  # fmt: skip
        lift = np.zeros((2, 2))
    return ContactZones(
        tread=tread,
        tread_slope=slope,
        half_distance=found.half_distance,
        flange_clearance=clearance,
        creep=creep,
        flange_angle=np.radians(reduced.flange_angle_deg),
        flange_stiffness=reduced.flange_stiffness_n_m,
        flange_damping=reduced.flange_damping_ns_m,
        flange_depth=found.flange_depth,
        flange_y=found.flange_y,
        friction=contact.friction,
        saturated=reduced.creep == "saturated",
        load_dependent=reduced.load_dependent,
        climb_shift=1e-3 * reduced.climb_shift_mm,
        notes=(
            f"tread: {reduced.tread}",
            f"equivalent conicity {gamma:.4f} at {reduced.conicity_amplitude_mm:g} mm",
            f"mean contact angle {slope:.4f} rad",
            f"flange play {1e3 * clearance:.1f} mm",
        ),
        lift=lift,
    )


def run_full(scenario, offset=0.0, progress=None, acceleration=0.0, checkpoints=None) -> FullRun:
    """The three-dimensional model of the same scenario.

    offset : float [m]             of all wheelsets to the left at the start
    acceleration : float [m/s2]    where it is not zero, the drive gives the constant force that all masses and the
                                   wheelsets' spin need for it, in place of holding the speed
    checkpoints : Checkpoints, optional    of a run that leaves them
    """
    simulation = build_simulation(scenario, {})
    assembly, state, model = simulation.assembly, simulation.state, simulation.model
    if acceleration:
        force = acceleration * _driven_mass(assembly)
        model = model._replace(drive=model.drive._replace(kind=1, proportional=1e9, limit=abs(force)))
        state.drive_speed[0] = np.copysign(1e6, force)
    at_rest = state.history[0, 0].copy()
    for u in assembly.wheelsets.unit:
        state.history[:, 0, assembly.units.offset[u] + 1] += offset
    checkpoint = None if checkpoints is None else checkpoints.of("full", run_identity(simulation))
    started, cpu = time.perf_counter(), time.thread_time()
    outcome = simulate(
        model, assembly, state, simulation.rail_state, simulation.contact_work, simulation.work,
        scenario.run.duration, loop_settings(scenario), progress=progress, checkpoint=checkpoint,
    )  # fmt: skip
    seconds, cpu = time.perf_counter() - started, time.thread_time() - cpu
    seconds += 0.0 if checkpoint is None else checkpoint.seconds
    records = outcome.records
    samples, wheelsets = len(records.time), len(assembly.wheelset_specs)
    coordinates, accelerations = (
        np.stack([a[:, o : o + 6][:, FULL_ORDER] for o in assembly.units.offset[:-1]], axis=1)
        for a in (records.coordinates - at_rest, records.accelerations)
    )
    coordinates[:, -wheelsets:, 4] = accelerations[:, -wheelsets:, 4] = 0.0
    wheel = np.zeros((samples, wheelsets, 2, len(WHEEL_QUANTITIES)))
    patches = records.patches.astype(np.float32)
    present = np.arange(patches.shape[3]) < records.patch_count[..., None]
    load, angle, fx, fy = (np.where(present, patches[..., k], 0.0) for k in _patch_columns())
    steep = np.abs(angle) > FLANGE_ANGLE
    fy[:, :, 1] *= -1.0  # right wheels are solved mirrored
    for k, values in enumerate((load, fx, fy)):
        wheel[..., k] = np.sum(np.where(steep, 0.0, values), axis=-1)
    wheel[..., 3] = np.sum(np.where(steep, load, 0.0), axis=-1)
    wheel[..., 4] = np.sum(np.where(steep, fx, 0.0), axis=-1)
    rail = force_on_rail(records.wrench.reshape(samples, 2 * wheelsets, 6)).reshape(samples, wheelsets, 2, 3)
    wheel[..., 5:] = rail[..., 1:]
    return FullRun(
        records.time,
        coordinates,
        accelerations,
        wheel,
        outcome.complete,
        outcome.message,
        seconds,
        cpu,
        outcome.steps,
        outcome.unconverged,
    )


def run_both(source, report=None, checkpoints=None):
    """Dataset of a scenario of the simplified model, with the full model where `full_model` asks for it.

    Parameters
    ----------
    source : reader.ScenarioSource
    report : callable(fraction, note), optional
    checkpoints : Checkpoints, optional    of a run that leaves them, or goes on

    Returns
    -------
    Dataset     of reduced_variables.REDUCED; `complete` and `status` as of any run
    """
    report = report or (lambda fraction, note="": None)
    scenario, reduced = source.scenario, source.scenario.reduced
    model = build_reduced(scenario, reduced)
    farthest = 1e3 * (model.zones.flange_clearance + model.zones.climb_shift)
    if abs(reduced.lateral_offset_mm) >= farthest:
        raise ScenarioError(
            f"{source.path}: reduced.lateral_offset_mm must be below {farthest:.3g} (flange play and climb_shift_mm), "
            f"beyond which the wheelset counts as derailed, got {reduced.lateral_offset_mm:g}"
        )
    x = np.zeros(model.size)
    first = 5 * len(model.vehicle.bodies)
    x[first : first + 2 * len(model.vehicle.wheelsets) : 2] = 1e-3 * reduced.lateral_offset_mm
    stride = int(round(scenario.run.output_step_s / reduced.step_s))
    run(model, max(5.0 * reduced.step_s, 0.01), reduced.step_s, state=x, method=reduced.method)  # compiles
    checkpoint = None if checkpoints is None else checkpoints.of("simplified", model_identity(model), at_end=True)
    started = time.perf_counter()
    small = run(model, scenario.run.duration, reduced.step_s, stride, x, method=reduced.method, checkpoint=checkpoint)
    seconds = time.perf_counter() - started + (0.0 if checkpoint is None else checkpoint.seconds)
    full = None
    if reduced.full_model and not small.message.startswith("interrupted"):
        full = run_full(
            scenario, 1e-3 * reduced.lateral_offset_mm,
            lambda now, end: report(now / end, f"full model, t = {now:.2f} of {end:g} s"), reduced.acceleration_m_s2,
            checkpoints,
        )  # fmt: skip
    return reduced_dataset(source, model, small, seconds, full)


def reduced_dataset(source, model, small, seconds, full=None):
    """Dataset of both runs; without the full model its dimension `model` has one entry."""
    records = small.records
    sets = [(records.coordinates, records.accelerations, records.wheel)]
    t, names = records.time, ["simplified"]
    if full is not None:
        t = t[: len(full.time)]
        count = len(t)
        sets = [tuple(a[:count] for a in sets[0]), tuple(
            a[:count] for a in (full.coordinates, full.accelerations, full.wheel))]  # fmt: skip
        names.append("full")
    coordinates, accelerations, wheel = (np.stack(items) for items in zip(*sets, strict=True))
    wheelsets = [w.name for w in model.vehicle.wheelsets]
    k = model.kernels
    arrays = {
        "position": coordinates[..., SHIFTS],
        "angle_position": coordinates[..., TURNS],
        "acceleration": accelerations[..., SHIFTS],
        "angle_acceleration": accelerations[..., TURNS],
        "wheel_force": wheel.reshape(*wheel.shape[:2], 2 * len(wheelsets), len(WHEEL_QUANTITIES)),
        "irregularity": records.irregularity[: len(t)],
        "arc_length": k.start + k.speed * t + 0.5 * k.acceleration * t**2,
    }
    statuses = [small.message or "complete"] + ([] if full is None else [full.message or "complete"])
    complete = small.complete and (full is None or full.complete)
    zones, resolved = model.zones, scenario_toml(source.scenario)
    attributes = {
        "title": source.scenario.run.title,
        "scenario": resolved,
        "scenario_text": source.text,
        "scenario_digest": digest(resolved),
        "vehicle": model.vehicle.name,
        "warnings": [
            *idle_lines(source.scenario),
            *_contact_warnings(source.scenario),
            *model.vehicle.left_out,
            *file_end_warnings(source.scenario, *record_span(k.irregularity), arrays["arc_length"][-1]),
            *validity_warnings(model, records),
        ],
        "assumed": assumed_values(source.scenario, read_vehicle(source.scenario.vehicle.file)),
        "integration_step_s": source.scenario.reduced.step_s,
        "simplified_seconds": seconds,
        "simplified_real_time_factor": seconds / max(small.steps * source.scenario.reduced.step_s, 1e-12),
        "full_seconds": float("nan") if full is None else full.seconds,
        "full_real_time_factor": float("nan")
        if full is None
        else full.seconds / max(full.steps * source.scenario.run.step_s, 1e-12),
        "full_steps_not_converged": 0 if full is None else full.unconverged,
        "tread_slope": zones.tread_slope,
        "flange_clearance_m": zones.flange_clearance,
        "half_distance_m": zones.half_distance,
        "creep_coefficients": np.array(zones.creep),
        "zones": "; ".join(zones.notes),
    }
    labels = {"model": names, "time": t, "body": list(model.vehicle.units), "wheelset": wheelsets}
    status = "; ".join(f"{n}: {s}" for n, s in zip(names, statuses, strict=True))
    return make_dataset("reduced", arrays, labels, complete, status, attributes)


def model_identity(model):
    """What must be as it was for the simplified model to go on: the program of its step, and what it read."""
    inputs = {"simplified model": arrays_digest(kernels=model.kernels, work=model.code.wheelset_work)}
    return program_identity("flexwheel.systems.reduced.simulate_reduced") | inputs


def _driven_mass(assembly):
    """Mass of the vehicle with the spin of its wheelsets, which roll [kg]."""
    boxes = sum(box.mass for w in assembly.wheelset_specs for box in w.axle_boxes or ())
    spin = sum(w.inertia[1, 1] / w.radius**2 for w in assembly.wheelset_specs)
    return float(np.sum(assembly.units.mass)) + boxes + spin


def _static_loads(vehicle):
    """Static load of one wheel of every wheelset [N]."""
    carried = vehicle.preload.reshape(-1, 5)[len(vehicle.bodies) :, 3]
    return [0.5 * (w.mass * GRAVITY - f) for w, f in zip(vehicle.wheelsets, carried, strict=True)]


def _patch_columns():
    return PATCH.normal_force, PATCH.contact_angle, PATCH.force_x, PATCH.force_y
