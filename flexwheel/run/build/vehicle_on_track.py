"""What of a vehicle's scenario is read from its files before anything is compiled: vehicle, alignment, profiles.

The check of a scenario reads this and no more of it; the simulation is built on it.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexwheel.base.coupled_system import coupled_section
from flexwheel.base.errors import ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.run.build.build_contact import PlacedProfiles, placed_profiles, profiles_of_wheels
from flexwheel.run.build.build_drive import build_drive
from flexwheel.run.build.build_roundness import build_roundness, unseen_orders
from flexwheel.run.build.build_track import build_layout
from flexwheel.run.build.wheelset_agreement import mesh_counts, wheelset_disagreements
from flexwheel.run.flexible_bodies import flexible_bodies, taken_from_mesh
from flexwheel.track.layout import Layout
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.vehicle.build_vehicle import vehicle_bodies, vehicle_suspension, vehicle_wheelsets
from flexwheel.vehicle.step.assemble import Assembly, assemble_vehicle
from flexwheel.vehicle.step.model import Drive
from flexwheel.vehicle.vehicle_file import VehicleFile, read_vehicle

EXPLICIT = "dormand_prince"


@dataclass(frozen=True)
class VehicleOnTrack:
    """A vehicle and the line it stands on."""

    vehicle: VehicleFile
    layout: Layout
    profiles: PlacedProfiles  # of wheels and rails that have none of their own
    of_wheels: tuple[PlacedProfiles, ...]  # (2 W)
    assembly: Assembly
    suspension: object  # SuspensionElements
    drive: Drive
    reach: float  # [m] between the outer wheelsets
    end: float  # [m] arc length of the leading wheelset at the end of the run
    roundness: np.ndarray  # of track.roundness
    warnings: tuple[str, ...]


def vehicle_on_track(scenario, bodies, report=lambda line: None) -> VehicleOnTrack:
    """Read and join vehicle, alignment and profiles of a scenario.

    Parameters
    ----------
    scenario : VehicleScenario
    bodies : dict of ReducedBody     of every wheelset with formulation = "flexible"
    report : callable                takes one line of text per stage

    Raises
    ------
    ScenarioError   a file that is not as it should be, or that does not fit the others
    """
    run = scenario.run
    if run.integrator == EXPLICIT and RAIL_MODELS[scenario.track.model].moves:
        raise ScenarioError(
            f"run.integrator = {EXPLICIT!r} with track.model = {scenario.track.model!r}: the explicit step has rails "
            "that do not move; set track.model = 'rigid', or integrator = 'newmark'"
        )
    system, _ = coupled_section(scenario)
    if system is not None:
        system.require(scenario)
    vehicle = read_vehicle(scenario.vehicle.file)
    layout = build_layout(scenario.track, scenario.contact.gauge_mm)
    profiles = placed_profiles(scenario.contact, vehicle.wheel, scenario.accept)
    wheelsets = vehicle_wheelsets(vehicle, profiles.placement.wheel_y, _flexible(scenario, vehicle, bodies))
    names = [w.name for w in wheelsets]
    of_wheels = profiles_of_wheels(scenario.contact, vehicle.wheel, profiles, names, scenario.accept)
    warnings = list(dict.fromkeys(line for own in (profiles, *of_wheels) for line in own.warnings))
    for w in wheelsets:
        if w.body is not None:
            table, wheel_y = vehicle.wheelsets[w.name], profiles.placement.wheel_y
            warnings += wheelset_disagreements(w.name, w.body, table, vehicle.wheel, wheel_y, scenario.accept)
            report(mesh_counts(w.name, w.body, table))
    units = flexible_bodies(scenario, vehicle, report)
    if units and run.integrator == EXPLICIT:
        raise ScenarioError(
            f"run.integrator = {EXPLICIT!r} with the flexible body {next(iter(units))}: the explicit step has rigid "
            "bodies; set integrator = 'newmark'"
        )
    for unit in units.values():
        warnings += [*unit.warnings, *taken_from_mesh(vehicle.bodies[unit.name], unit)]
    own = {name: table | {"mass_kg": units[name].body.mass} for name, table in vehicle.bodies.items() if name in units}
    vehicle = replace(vehicle, bodies=vehicle.bodies | own)
    further = {
        name: dict(flexible=u.body, mass=u.body.mass, inertia=u.body.inertia, reach=u.reach)
        for name, u in units.items()
    }
    assembly = assemble_vehicle(vehicle_bodies(vehicle, further), wheelsets)
    suspension, element_names = vehicle_suspension(vehicle, assembly, GRAVITY)
    assembly = replace(assembly, element_names=element_names)
    axles = [w.position for w in wheelsets]
    end = run.place_at(run.duration)
    if end > layout.length + 1e-6:
        raise ScenarioError(
            f"track too short: the run ends at s = {end:.1f} m, the layout at {layout.length:.1f} m; "
            "lengthen track.layout or shorten run.duration_s"
        )
    drive = build_drive(scenario.drive, run, assembly, vehicle, suspension)
    reach = max(axles) - min(axles)
    roundness = build_roundness(scenario.roundness, wheelsets)
    warnings += unseen_orders(scenario.roundness, wheelsets, run)
    return VehicleOnTrack(
        vehicle, layout, profiles, of_wheels, assembly, suspension, drive, reach, end, roundness, tuple(warnings)
    )


def _flexible(scenario, vehicle, bodies):
    """Flexible wheelsets by name, and names that the vehicle does not have."""
    found = {}
    for name, section in scenario.wheelset.items():
        if section.formulation == "flexible":
            found[name] = dict(
                body=bodies[name],
                mesh_mode=section.mode,
                residual=section.residual == "static",
                centrifugal=section.centrifugal,
                force_distribution=section.force_distribution,
                between_sections=section.between_sections,
            )
        elif name not in vehicle.wheelsets:
            found[name] = {}
    return found
