"""Cases on which the simplified model is checked: cones on knife edges, by itself and beside the full model."""

from dataclasses import replace

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from flexwheel.base.gravity import GRAVITY
from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.profiles.placement import Placement
from flexwheel.numerics.integration import newmark
from flexwheel.systems.reduced.knife_edge import knife_edge
from flexwheel.systems.reduced.reduced_vehicle import reduced_vehicle
from flexwheel.systems.reduced.simplified_model import ContactZones, ReducedVehicle, SmallWheelset, cone_tread
from flexwheel.systems.reduced.simulate_reduced import build_model
from flexwheel.track.irregularity import make_irregularity
from flexwheel.track.layout import make_layout
from flexwheel.track.segments import Straight
from flexwheel.vehicle.build_vehicle import vehicle_bodies, vehicle_suspension, vehicle_wheelsets
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.vehicle_file import read_vehicle
from flexwheel.verification.benches.standing_bench import stand
from flexwheel.verification.single_wheelset import FORCE_TOLERANCE, SHEAR_MODULUS, cone, narrow_rail, with_creep_at_rest

RAIL_RADIUS = 0.010  # [m] of the crown that stands for the knife edge in the full model


def exact_constraint(y, yaw, irregularity, r0, b, conicity):
    """Vertical displacement [m] and roll [rad] of a yawed cone pair resting on two lines along the track.

    The lowest point of each cone over its line is searched for around the wheel; the roll is the one at which both
    sides touch.
    """
    rails = ((1.0, b + irregularity[0] - y, irregularity[1]), (-1.0, irregularity[2] - b - y, irregularity[3]))

    def height(roll, side, across, up):
        """Height of the axle's centre at which this side touches."""
        cy, sy, cr, sr = np.cos(yaw), np.sin(yaw), np.cos(roll), np.sin(roll)

        def below(angle):
            # lateral place of the surface point at `angle` is linear in its place along the axle
            ca, sa = np.cos(angle), np.sin(angle)
            swing = sy * sa + cy * sr * ca
            place = (across - swing * (r0 + conicity * b)) / (cy * cr - side * conicity * swing)
            radius = r0 - conicity * (side * place - b)
            return sr * place - cr * radius * ca

        found = minimize_scalar(below, bounds=(-0.3, 0.3), method="bounded", options={"xatol": 1e-10})
        return up - found.fun

    roll = brentq(lambda t: height(t, *rails[0]) - height(t, *rails[1]), -0.2, 0.2, xtol=1e-14)
    return height(roll, *rails[0]) - r0, roll


def constraint_pairs(cases, seed=1):
    """Closed form and `exact_constraint` over random cases: vertical [m] and roll [rad], (cases, 2) each.

    Shifts to +-6 mm, yaw to +-20 mrad, irregularities to +-5 mm, conicity 0.025 to 0.2.
    """
    random = np.random.default_rng(seed)
    found = np.zeros((2, cases, 2))
    for case in range(cases):
        y, yaw = random.uniform(-0.006, 0.006), random.uniform(-0.02, 0.02)
        irregularity = random.uniform(-0.005, 0.005, 4)
        r0, b, conicity = random.uniform(0.4, 0.5), 0.75, random.uniform(0.025, 0.2)
        closed = knife_edge(y, yaw, irregularity, r0, b, conicity, root=np.sqrt)
        found[0, case] = closed.z, closed.roll
        found[1, case] = exact_constraint(y, yaw, irregularity, r0, b, conicity)
    return found


def cone_zones(conicity, creep, half_distance=0.75, **options):
    """ContactZones of cones on knife edges, creep unbounded."""
    return ContactZones(
        tread=cone_tread(conicity), tread_slope=conicity, half_distance=half_distance, flange_clearance=0.03,
        creep=creep, saturated=False, **options,
    )  # fmt: skip


def small_wheelset(case, speed, layout=None, carried=0.0):
    """Simplified model of a verification.single_wheelset.SingleWheelset."""
    stiffness = np.diag([case.lateral_stiffness, 0.0, case.yaw_stiffness, 0.0, 0.0])
    vehicle = ReducedVehicle(
        "wheelset", (),
        (SmallWheelset("wheelset", case.mass, case.yaw_inertia, case.spin_inertia, 0.0, case.radius),),
        stiffness, np.zeros((5, 5)), np.array([0.0, 0.0, 0.0, -carried, 0.0]),
    )  # fmt: skip
    zones = cone_zones(case.conicity, case.creep, case.half_distance, load_dependent=False)
    return build_model(
        vehicle, zones, layout or make_layout([Straight(2000.0)]), make_irregularity(), speed, gravity=case.gravity
    )


def vehicle_on_cones(name, conicity, creep, speed):
    """Simplified model of a shipped vehicle on cones."""
    vehicle = reduced_vehicle(read_vehicle(name), 0.75)
    zones = cone_zones(conicity, creep, load_dependent=True)
    return build_model(vehicle, zones, make_layout([Straight(2000.0)]), make_irregularity(), speed)


def full_vehicle_on_cones(name, conicity, creep, speed):
    """LinearModel of the full model of the same vehicle, cones on rails with a narrow crown."""
    file = read_vehicle(name)
    placement = Placement(0.75 + RAIL_RADIUS * conicity, 0.75, file.wheel["radius_m"])
    contact = make_contact_tables(
        cone(conicity), narrow_rail(RAIL_RADIUS), placement, shear_modulus=SHEAR_MODULUS, friction=0.3,
        tangential_law="kalker_linear",
    )  # fmt: skip
    assembly = assemble_vehicle(vehicle_bodies(file), vehicle_wheelsets(file, placement.wheel_y))
    suspension, _ = vehicle_suspension(file, assembly, GRAVITY)
    built = stand(
        assembly, contact, suspension, make_layout([Straight(5000.0)]), newmark(1e-3, 0.25), speed, GRAVITY, 100.0,
        tolerance=FORCE_TOLERANCE,
    )  # fmt: skip
    return replace(built, model=with_creep_at_rest(built, creep)).linearised()
