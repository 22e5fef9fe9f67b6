"""Vehicle side of a scenario: bodies, rigid and flexible wheelsets, suspension, drive."""

from __future__ import annotations

from flexwheel.dynamics.assemble import assemble_vehicle
from flexwheel.dynamics.model import Drive
from flexwheel.errors import ScenarioError
from flexwheel.run.reduced_bodies import reduced_body_of
from flexwheel.vehicles.build_vehicle import vehicle_bodies, vehicle_suspension, vehicle_wheelsets

DRIVE_KINDS = {"none": 0, "body_force": 1, "axle_torque": 2}


def wheelbase(vehicle):
    """Distance of the outer wheelsets [m]."""
    places = [table["position_m"] for table in vehicle.wheelsets.values()]
    return max(places) - min(places)


def flexible_bodies(scenario, report=None):
    """Reduced bodies of the flexible wheelsets: name -> ReducedBody."""
    return {
        name: reduced_body_of(name, section, report)
        for name, section in scenario.wheelset.items()
        if section.formulation == "flexible"
    }


def assembly_of(scenario, vehicle, placement, reduced):
    """Assembly of the vehicle with its flexible wheelsets."""
    flexible = {}
    for name, section in scenario.wheelset.items():
        flexible[name] = {}
        if name in reduced:
            body = reduced[name]
            _check_place(name, body, placement)
            flexible[name] = {
                "body": body,
                "mesh_mode": section.mode,
                "residual": section.residual == "static",
                "centrifugal": section.centrifugal,
            }
    wheelsets = vehicle_wheelsets(vehicle, placement.wheel_y, flexible)
    return assemble_vehicle(vehicle_bodies(vehicle), wheelsets)


def _check_place(name, body, placement, tolerance=2e-3):
    """Refuse a mesh whose treads do not stand where the profiles do."""
    for tread in body.treads:
        if abs(tread.radius - placement.radius) > tolerance or abs(abs(tread.lateral) - placement.wheel_y) > tolerance:
            raise ScenarioError(
                f"wheelset.{name}: the mesh has its treads at y = {tread.lateral:.4f} m, r = {tread.radius:.4f} m; "
                f"the vehicle's wheels have y = {placement.wheel_y:.4f} m, r = {placement.radius:.4f} m"
            )


def suspension_of(vehicle, assembly, gravity):
    """Packed suspension elements and their names."""
    return vehicle_suspension(vehicle, assembly, gravity)


def drive_of(scenario, assembly):
    """Drive of the section [drive]; a force acts at the height of the first free body's centre."""
    section = scenario.drive
    return Drive(
        kind=DRIVE_KINDS[section.kind],
        unit=0,
        speed=scenario.run.speed,
        proportional=section.gain_n_s_m,
        integral=section.integral_gain_n_m,
        height=0.0,
        limit=1e3 * section.force_max_kn,
    )
