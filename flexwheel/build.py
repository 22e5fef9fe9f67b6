"""From a scenario to a simulation ready to run: track, profiles, vehicle, reduced wheelsets, equilibrium."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from flexwheel.bodies.suspension import make_suspension_state, suspension_accept
from flexwheel.contact.tables import ContactTables, ContactWorkspace, make_contact_tables
from flexwheel.contact.tables import make_workspace as make_contact_workspace
from flexwheel.dynamics.assemble import Assembly, assemble_vehicle, make_state, make_workspace, prepare
from flexwheel.dynamics.equilibrium import rail_at_rest, static_equilibrium
from flexwheel.dynamics.model import Drive, Model, VehicleState, Workspace
from flexwheel.errors import ScenarioError
from flexwheel.fe.reduced_body import ReducedBody
from flexwheel.integration import newmark, park, start_history
from flexwheel.profiles.placement import place
from flexwheel.profiles.profile import incline
from flexwheel.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.profiles.s1002 import s1002
from flexwheel.track.flexible_build import make_full_length, make_window
from flexwheel.track.inertial import make_inertial
from flexwheel.track.irregularity import file_record, make_irregularity, roughness_record, spectral_record
from flexwheel.track.layout import make_layout
from flexwheel.track.massless import make_massless
from flexwheel.track.parameters import flexible_track, rail_section
from flexwheel.track.psd import erri_b176, fra
from flexwheel.track.rail_types import FLEXIBLE, RailState
from flexwheel.track.rail_types import make_state as make_rail_state
from flexwheel.track.segments import Arc, GradeChange, Straight, Transition
from flexwheel.vehicles.build_vehicle import vehicle_bodies, vehicle_suspension, vehicle_wheelsets
from flexwheel.vehicles.vehicle_file import VehicleFile, read_vehicle

GRAVITY = 9.81
EXPLICIT = "dormand_prince"
RIGID = 1e18  # [N/m, N m/rad] stiffness of a rail that does not move
MARGIN = 36.0  # [m] of track kept beyond the outer wheelsets on a full-length track


@dataclass(frozen=True)
class Simulation:
    """Everything a run needs; `state`, `rail_state` and `work` move."""

    scenario: object  # io.scenario_keys.Scenario
    vehicle: VehicleFile
    model: Model
    assembly: Assembly
    state: VehicleState
    rail_state: RailState
    contact_work: ContactWorkspace
    work: Workspace
    bodies: dict[str, ReducedBody]  # name of a flexible wheelset -> reduced body
    static_wrench: np.ndarray  # (W, 2, 6) contact wrenches at rest


def build_simulation(scenario, bodies, report=lambda line: None) -> Simulation:
    """Simulation of a scenario.

    Parameters
    ----------
    scenario : Scenario                    of io.scenario.read_scenario
    bodies : dict of ReducedBody           for every wheelset with formulation = "flexible"
    report : callable                      takes one line of text per stage

    Raises
    ------
    ScenarioError, ConvergenceError
    """
    vehicle = read_vehicle(scenario.vehicle.file)
    if scenario.run.integrator == EXPLICIT and scenario.track.model != "rigid":
        raise ScenarioError(
            f"run.integrator = {EXPLICIT!r} with track.model = {scenario.track.model!r}: the explicit step has rails "
            "that do not move; set track.model = 'rigid', or integrator = 'newmark'"
        )
    coefficients = build_integrator(scenario.run)
    layout = build_layout(scenario.track)
    contact, placement = build_contact(scenario.contact, vehicle.wheel)
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
    check_radius(wheelsets, placement)
    check_stability(wheelsets, coefficients)
    assembly = assemble_vehicle(vehicle_bodies(vehicle), wheelsets)
    suspension, _ = vehicle_suspension(vehicle, assembly, GRAVITY)
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
    drive = build_drive(scenario.drive, assembly, speed)
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
    report("static equilibrium")
    rigid = np.zeros((4, 4))
    wrench = static_equilibrium(model, assembly, state, work, contact_work, rigid)
    offset = rail_at_rest(model, assembly, state, rail_state, work, wrench)
    wrench = static_equilibrium(model, assembly, state, work, contact_work, rigid, rail_offset=offset)
    suspension_accept(work.spring_state)  # sliders and pistons where they settle at rest
    state.history[:] = start_history(coefficients, *state.history[0].copy())  # the past of a multistep method
    return Simulation(
        scenario, vehicle, model, assembly, state, rail_state, contact_work, work, dict(bodies), wrench.copy()
    )


def build_integrator(run):
    """Integrator coefficients of the [run] section."""
    if run.integrator == "park":
        return park(run.step_s)
    return newmark(run.step_s, run.newmark_beta)


def build_layout(track):
    """Alignment of the [track] section."""
    segments = []
    for segment in track.layout:
        if segment.kind == "straight":
            segments.append(Straight(segment.length_m))
        elif segment.kind == "transition":
            segments.append(Transition(segment.length_m))
        else:
            turn = "left" if segment.radius_m > 0.0 else "right"
            segments.append(Arc(segment.length_m, abs(segment.radius_m), turn, segment.cant_mm or 0.0))
    segments = with_joints(segments, track.joint_length_m)
    grades = [GradeChange(p.position_m, p.gradient_permille, max(p.rounding_m, 1.0)) for p in track.vertical]
    return make_layout(segments, grades)


def with_joints(segments, length):
    """Segments with a transition of `length` [m], half of it in each neighbour, where the curvature would jump.

    A body that is described relative to the track frame would be turned with the track at a jump of curvature,
    as if it had no inertia.
    """
    value = [(s.curvature, s.cant) if isinstance(s, Arc) else (0.0, 0.0) for s in segments]
    out, taken = [], [0.0] * len(segments)
    jumps = []
    for i in range(len(segments) - 1):
        plain = not isinstance(segments[i], Transition) and not isinstance(segments[i + 1], Transition)
        if plain and value[i][0] != value[i + 1][0] and value[i][1] == value[i + 1][1]:
            jumps.append(i)
            taken[i] += 0.5 * length
            taken[i + 1] += 0.5 * length
    for i, segment in enumerate(segments):
        if taken[i] >= segment.length_m:
            raise ScenarioError(
                f"track.layout.{i}: {segment.length_m:g} m is too short for curvature joints of {length:g} m; lower "
                "track.joint_length_m or add a transition"
            )
        out.append(replace(segment, length_m=segment.length_m - taken[i]) if taken[i] else segment)
        if i in jumps:
            out.append(Transition(length))
    return out


def build_contact(section, wheel) -> tuple[ContactTables, object]:
    """Contact tables and placement of the [contact] section; wheel: radius_m and flange_back_m of the vehicle."""
    wheel_profile = build_profile(section.wheel_profile, "wheel", 0.0)
    rail_profile = build_profile(section.rail_profile, "rail", section.rail_inclination)
    placement = place(
        rail_profile,
        gauge=1e-3 * section.gauge_mm,
        flange_back=wheel.get("flange_back_m", 1.360),
        radius=wheel["radius_m"],
    )
    normal = section.normal
    if normal == "semi_hertzian" and section.penetration == "classical":
        normal = "plain_kp"
    tangential = {"kalker_linear": "linear_saturated"}.get(section.tangential, section.tangential)
    tables = make_contact_tables(
        wheel_profile,
        rail_profile,
        placement,
        shear_modulus=section.youngs_modulus_pa / (2.0 * (1.0 + section.poissons_ratio)),
        poisson=section.poissons_ratio,
        friction=section.friction,
        normal_damping=section.normal_damping_ns_m,
        normal_model=normal,
        tangential_model=tangential,
        strips=section.strips,
        cells=section.cells_per_strip,
    )
    return tables, placement


def build_profile(name, kind, inclination):
    """Profile of a shipped name or a file."""
    shipped = {"s1002": s1002, "60e1": rail_60e1, "uic60": rail_uic60_manchester}
    maker = shipped.get(name.lower())
    if maker is not None and (kind == "wheel") == (name.lower() == "s1002"):
        return maker() if kind == "wheel" else maker(inclination)
    if not Path(name).is_file():
        known = ", ".join(label for label in ("S1002", "60E1", "UIC60") if (label == "S1002") == (kind == "wheel"))
        raise ScenarioError(f"contact.{kind}_profile = {name!r}: neither a shipped {kind} profile ({known}) nor a file")
    from flexwheel.profiles.profile_file import read_profile

    profile = read_profile(name, kind)
    return incline(profile, inclination) if kind == "rail" and inclination else profile


def check_radius(wheelsets, placement):
    """A flexible wheelset's tread has to be the wheel that the vehicle names."""
    for w in wheelsets:
        if w.body is None:
            continue
        tread = w.body.treads[0]
        if abs(tread.radius - w.radius) > 2e-3:
            raise ScenarioError(
                f"wheelset {w.name}: the mesh rolls on a radius of {1e3 * tread.radius:.1f} mm, the vehicle's "
                f"wheel.radius_m is {1e3 * w.radius:.1f} mm"
            )
        if abs(abs(tread.lateral) - placement.wheel_y) > 2e-3:
            raise ScenarioError(
                f"wheelset {w.name}: the mesh has its tread datum at y = {1e3 * abs(tread.lateral):.1f} mm, the "
                f"vehicle's flange back distance puts it at {1e3 * placement.wheel_y:.1f} mm"
            )


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


def build_rail(track, coefficients, reach, end):
    """Rail model of the [track] section; reach: distance of the outer wheelsets [m], end: end of the track [m]."""
    if track.model == "rigid":
        return make_massless([RIGID] * 4, [0.0] * 4, coefficients)
    rigid = track.rigid_rail
    stiffness = [
        rigid.longitudinal_stiffness_n_m,
        rigid.lateral_stiffness_n_m,
        rigid.vertical_stiffness_n_m,
        rigid.roll_stiffness_nm_rad,
    ]
    damping = [
        rigid.longitudinal_damping_ns_m,
        rigid.lateral_damping_ns_m,
        rigid.vertical_damping_ns_m,
        rigid.roll_damping_nms_rad,
    ]
    if track.model == "massless":
        return make_massless(stiffness, damping, coefficients)
    section = rail_section(track.rail)
    if track.model == "inertial":
        return make_inertial(
            rigid.mass_kg,
            rigid.roll_inertia_kg_m2,
            stiffness,
            damping,
            section.head_above_centroid,
            section.centroid_height,
            coefficients,
        )
    supports = build_supports(track)
    if track.extent == "window":
        bays = 2 * track.window_margin_bays + int(np.ceil(reach / supports.bay)) + 1
        return make_window(
            supports,
            coefficients,
            reach,
            window_bays=bays,
            elements=track.elements_per_bay,
            mass=track.rail_mass,
            layer_bays=track.absorbing_bays,
            layer_rate=track.absorbing_rate_1_s,
        )
    return make_full_length(
        supports, coefficients, end + reach + MARGIN, elements=track.elements_per_bay, mass=track.rail_mass
    )


def build_supports(track):
    """Flexible track of the support file with the scenario's own values put in."""
    base = flexible_track(track.support, track.rail)
    if track.bay_m is not None:
        base = replace(base, bay=track.bay_m)
    fastener = {name: _spring(getattr(base.fastener, name), keys) for name, keys in track.fastener}
    base = replace(base, fastener=replace(base.fastener, **fastener))
    if base.sleeper is not None:
        own = {"mass": track.sleeper.mass_kg, "roll_inertia": track.sleeper.roll_inertia_kg_m2}
        base = replace(base, sleeper=replace(base.sleeper, **{k: v for k, v in own.items() if v is not None}))
        names = ("vertical", "lateral", "roll")
        springs = {name: _spring(getattr(base.foundation, name), getattr(track.foundation, name)) for name in names}
        if track.foundation.lift_off and springs["vertical"].law is None:
            k = springs["vertical"].stiffness
            law = ((-0.05, 0.0), (0.0, 0.0), (0.05, 0.05 * k))
            springs["vertical"] = replace(springs["vertical"], law=law)
        base = replace(base, foundation=replace(base.foundation, **springs))
    if track.foundation.mesh is not None:
        raise ScenarioError("track.foundation.mesh: a foundation from a mesh is not available in this version")
    return base


def _spring(spring, keys):
    """SupportSpring with the keys given."""
    found = {}
    for name, value in keys:
        if value is None:
            continue
        if name.startswith("stiffness"):
            found["stiffness"] = value
        elif name.startswith("damping"):
            found["damping"] = value
        else:
            found["law"] = tuple((1e-3 * u, 1e3 * f) for u, f in value)
    return replace(spring, **found) if found else spring


def build_rail_state(model, assembly, start, reach):
    """Rail at rest under the vehicle's starting place."""
    axles = len(assembly.wheelset_specs)
    front = start + max(w.position for w in assembly.wheelset_specs)
    rail_state = make_rail_state(model.rail, axles, model.coefficients.depth, front)
    if model.rail.kind == FLEXIBLE and model.rail.front_bay < 0:
        rail_state.first_bay[0] = int(np.floor((start - reach - MARGIN) / model.rail.bay))
    return rail_state


def build_irregularity(section, length, start, speed):
    """Irregularity table of the [irregularity] section over `length` [m], growing from `start` on."""
    long, rough = None, None
    if section.file is not None:
        long = file_record(section.file)
        long = long._replace(
            values=long.values * (np.array([1, 1, 1, 1]) if section.lateral else np.array([0, 1, 0, 1]))
        )
    elif section.spectrum != "none":
        long = spectral_record(
            erri_b176(section.level) if section.spectrum == "erri_b176" else fra(section.track_class),
            length + 2.0 * section.ramp_m,
            section.seed,
            section.longest_wave_m,
            section.shortest_wave_m,
            lateral=section.lateral,
        )
    if section.roughness != "none":
        rough = roughness_record(
            length + 2.0 * section.ramp_m,
            section.seed,
            section.roughness,
            section.roughness_shift_db,
            section.roughness_longest_wave_m,
            section.roughness_shortest_wave_m,
            0.006 if section.contact_filter else 0.0,
        )
    return make_irregularity(long, rough, start=max(start, 0.0), ramp=section.ramp_m)


def build_drive(section, assembly, speed):
    """Drive of the [drive] section; it acts on the first free body, or on the first wheelset where there is none."""
    kind = {"none": 0, "body_force": 1, "axle_torque": 2}[section.kind]
    height = 0.0
    if assembly.body_specs:
        height = assembly.wheelset_specs[0].radius - assembly.body_specs[0].position[2]
    return Drive(kind, 0, speed, section.gain_n_s_m, section.integral_gain_n_m, height, 1e3 * section.force_max_kn)
