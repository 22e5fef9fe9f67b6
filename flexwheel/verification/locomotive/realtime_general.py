"""The real-time locomotive beside the general multibody model: same vehicle, same contact law, same curve.

Left out in both: irregularities. The general model has free bodies in track coordinates, stiff springs for
joints and elastic contact found by search; the real-time core has 30 coordinates (26 without motors), joints by
construction and contact as constraints. Law of both: Hertz, Kalker's linear theory with the same saturation.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline

from flexwheel.base.errors import ConvergenceError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.profiles.placement import Placement
from flexwheel.contact.profiles.profile import Profile, incline
from flexwheel.numerics.integration import newmark, start_history
from flexwheel.systems.locomotive.build_locomotive import VEHICLES, read_realtime_scenario
from flexwheel.systems.locomotive.contact_law import ContactLaw, Profiles
from flexwheel.systems.locomotive.cubic_pieces import CubicPieces
from flexwheel.systems.locomotive.feve3000_bodies import feve3000_bodies
from flexwheel.systems.locomotive.generated_locomotive import generate_step
from flexwheel.systems.locomotive.profile_pieces import read_profile_pieces
from flexwheel.systems.locomotive.rail_curves import rails_beside
from flexwheel.systems.locomotive.simulator import RealtimeLocomotive
from flexwheel.track.layout import make_layout, track_frame
from flexwheel.track.segments import Arc, Straight, Transition
from flexwheel.vehicle.build_vehicle import vehicle_bodies, vehicle_suspension, vehicle_wheelsets
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.step.simulate import LoopSettings
from flexwheel.verification import norms
from flexwheel.verification.benches.standing_bench import stand
from flexwheel.verification.check_registry import check, distance, information, other_code
from flexwheel.verification.locomotive.realtime_core import (
    contact_blocks,
    contact_places,
    on_its_springs,
    vertical_forces,
)

EXAMPLE = EXAMPLES / "feve3000_curve.toml"
UNMOTORED, MOTORED = (False, False), (False, True)
AXLES = 4
TOLERANCE = 1e-2  # [N]; the stiff joints slow the iteration's convergence, which its own estimate does not see
RIGID = 1e18  # [N/m, N m/rad] stiffness of rails that do not move


@dataclass(frozen=True)
class Case:
    """Curve, running and contact of the comparison."""

    radius: float = 2500.0  # [m]
    straight: float = 60.0  # [m] to the transition
    transition: float = 60.0
    arc: float = 80.0
    speed: float = 23.7  # [m/s]
    duration: float = 10.0  # [s]
    friction: float = 0.4
    start: float = 30.0  # [m] of the leading wheelset
    sample: float = 0.01  # [s]
    profiles: str = "feve3000_profiles_cone.csv"
    cone: float = 0.025  # [-] conicity, where the wheels are cones
    inclination: float = 0.0  # [rad] of the rails
    motored: tuple = UNMOTORED
    motor_torque: float = 0.0  # [N m] of each motor; wheelsets without one are braked as much


@dataclass(frozen=True)
class Motion:
    """Samples: time (T,), lateral displacement of each wheelset from the track's centre line (T, 4) [m], vertical
    force of each wheel (T, 4, 2) [N], left first."""

    time: np.ndarray
    lateral: np.ndarray
    load: np.ndarray


def curve(case):
    """Layout of the case."""
    long = Straight(case.straight + 2.0 * case.speed * case.duration)
    parts = [Straight(case.straight), Transition(case.transition), Arc(case.arc, case.radius, "left")]
    return make_layout([*parts, Transition(case.transition), long])


def centre_line(layout, s):
    """x, y and heading of the centre line at arc lengths s: (2, n), (n,)."""
    points, heading = np.empty((2, len(s))), np.empty(len(s))
    position, rotation, kappa, dkappa = np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    for k, value in enumerate(s):
        track_frame(layout, value, position, rotation, kappa, dkappa)
        points[:, k], heading[k] = position[:2], np.arctan2(rotation[1, 0], rotation[0, 0])
    return points, heading


def profile_curves(case):
    """Cubic pieces of wheels and rail by name."""
    curves = read_profile_pieces(VEHICLES / case.profiles)
    if "cone" in case.profiles:
        for name, sign in (("wheel_left", -1.0), ("wheel_right", 1.0)):
            knots, middle = curves[name].knots, float(curves[name](0.0))
            pieces = np.array([[0.0, 0.0, sign * case.cone, middle + sign * case.cone * u] for u in knots[:-1]])
            curves[name] = CubicPieces(knots, pieces)
    return curves


def sections(case):
    """Wheel and rail of the general model, and how far the leaned rail's crown stands beside its middle [m]."""
    curves = profile_curves(case)
    u = np.linspace(*(curves["wheel_left"].knots[[0, -1]] * 0.999), 1000)
    v = np.linspace(*(curves["rail"].knots[[0, -1]] * 0.999), 2000)
    wheel, rail = _section(curves["wheel_left"], u, "wheel"), _section(curves["rail"], v, "rail")
    leaned = incline(rail, np.tan(case.inclination))
    turned = np.cos(case.inclination) * rail.y - np.sin(case.inclination) * rail.height
    return wheel, leaned, turned[0] - leaned.y[0]


def _section(pieces, y, kind):
    f, f1, f2 = (pieces(y, k) for k in range(3))
    return Profile(f"FEVE 3000 {kind}", kind, y, f - float(pieces(0.0)), f1, f2 / (1.0 + f1 * f1) ** 1.5)


def general_motion(case, values, step):
    """The run of the general multibody model."""
    ratio = values["gear.teeth_wheel"] / values["gear.teeth_rotor"]
    vehicle = feve3000_bodies(values, case.motored, ratio * case.motor_torque)
    wheel, rail, crown = sections(case)
    wheel_y = 0.5 * values["geometry.wheel_reference_spacing"]
    rail_y = 0.5 * values["geometry.rail_reference_spacing"] + crown
    placement = Placement(rail_y, wheel_y, vehicle.wheel["radius_m"])
    young, nu = values["contact.E"], values["contact.nu"]
    contact = make_contact_tables(
        wheel, rail, placement, shear_modulus=young / (2.0 * (1.0 + nu)), poisson=nu, friction=case.friction,
        normal_damping=1e5, normal_law="hertz", tangential_law="kalker_linear",
    )  # fmt: skip
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, wheel_y))
    gravity = values["gravity"]
    suspension, _ = vehicle_suspension(vehicle, assembly, gravity)
    coefficients = newmark(step, 0.25)
    built = stand(assembly, contact, suspension, curve(case), coefficients, case.speed, gravity, case.start, RIGID)
    history = built.state.history
    for unit, name in enumerate(assembly.unit_names):
        if name.endswith("rotor"):
            history[0, 1, assembly.units.offset[unit] + 5] = -ratio * case.speed / vehicle.wheel["radius_m"]
    history[:] = start_history(coefficients, *history[0].copy())
    run = built.run(case.duration, LoopSettings(stride=round(case.sample / step), tolerance=TOLERANCE))
    if not run.complete:
        raise ConvergenceError(f"general model: {run.message}")
    at = [int(assembly.units.offset[unit]) for unit in assembly.wheelsets.unit]
    return Motion(run.records.time, run.records.coordinates[:, [a + 1 for a in at]], run.records.wrench[..., 2])


def realtime_motion(case, values, step):
    """The run of the real-time core."""
    kernels = generate_step(values, case.motored)
    curves = profile_curves(case)
    profiles = Profiles(curves["wheel_left"], curves["wheel_right"], curves["rail"], curves["rail"])
    law = ContactLaw(values["contact.E"], values["contact.nu"], friction=case.friction)
    layout = curve(case)
    s = np.arange(0.0, case.start + case.speed * case.duration + 30.0, 0.5)
    points, heading = centre_line(layout, s)
    half = 0.5 * values["geometry.rail_reference_spacing"]
    rails = rails_beside(0.0, 0.5, points, heading, half, case.inclination, float(curves["rail"](0.0)))
    lead = 0.5 * values["geometry.bogie_pivot_distance"] + values["geometry.semi_wheelbase"]
    loco = RealtimeLocomotive(values, profiles, rails, law, step, case.motored, kernels)
    loco.place(case.start - lead, 0.0, 2.0, 0.7443)
    loco.run(round(5.0 / step))  # comes to rest on its springs
    rest = loco.q.copy()
    loco.place(case.start - lead, 0.0, case.speed, 0.7443)
    on_its_springs(loco, rest)
    if case.motor_torque:
        ratio = values["gear.teeth_wheel"] / values["gear.teeth_rotor"]
        for k, name in enumerate(loco.inputs):
            kind, bogie, _ = name.split(".")
            if case.motored[bogie == "rear"] == (kind == "motor"):
                loco.torques[k] = case.motor_torque * (1.0 if kind == "motor" else ratio)
    record = loco.run(round(case.duration / step), round(case.sample / step), contact_places(loco))
    blocks = contact_blocks(loco, record)
    line = CubicSpline(s, points, axis=1)
    lateral = np.empty((len(record), AXLES))
    for w in range(AXLES):
        centre = blocks["pose"][:, :2, 2 * w]
        along = case.start + case.speed * case.sample * np.arange(1, len(record) + 1) - lead
        for _ in range(8):
            tangent = line(along, 1)
            along = along + ((centre.T - line(along)) * tangent).sum(axis=0) / (tangent**2).sum(axis=0)
        tangent, gap = line(along, 1), centre.T - line(along)
        lateral[:, w] = (tangent[0] * gap[1] - tangent[1] * gap[0]) / np.hypot(*tangent)
    time = case.sample * np.arange(1, len(record) + 1)
    return Motion(time, lateral, vertical_forces(loco, blocks).reshape(-1, AXLES, 2))


def pairs(one, other, static):
    """Pairs of lateral displacements, and of loads over the static one."""
    n = min(len(one.time), len(other.time))
    return (one.lateral[:n], other.lateral[:n]), (one.load[:n] / static, other.load[:n] / static)


SAME_VEHICLE = other_code(
    "general multibody model; what its springs for joints and its elastic contact add is not in the other: 5 % of the "
    "displacement and 2 % of the load set beforehand"
)


def unmotored_values():
    """Parameters of the locomotive as the example has them."""
    return dict(read_realtime_scenario(EXAMPLE).values)


def _compared(case):
    """Steps of 1 ms beside 0.05 ms (the stiff joints need them), then both halved."""
    values, rows, source = unmotored_values(), [], "general model"
    for step, general_step in ((1e-3, 5e-5), (5e-4, 2.5e-5)):
        general = general_motion(case, values, general_step)
        lateral, load = pairs(realtime_motion(case, values, step), general, general.load[0].mean())
        text = f"steps of {1e3 * step:g} and {1e3 * general_step:g} ms"
        rows += [
            distance(f"rms of lateral displacement, {text}", *lateral, 5.0, "%", source, norms.rms_relative, 100.0),
            distance(
                f"largest difference of a wheel load, {text}", *load, 2.0, "% of static", source, norms.largest, 100.0
            ),
        ]
    varied = np.ptp(general.load, axis=0).max() / general.load[0].mean()
    return [
        *rows,
        information("largest lateral displacement", 1e3 * np.abs(general.lateral).max(), "mm"),
        information("range of a wheel load", 100.0 * varied, "% of static"),
    ]


@check("Real-time locomotive against the general multibody model on a curve", slow=True, ground=SAME_VEHICLE)
def on_a_curve():
    """Cones of 1:40, R = 2500 m, 23.7 m/s, no motors."""
    return _compared(Case())


MOTORS = Case(motored=MOTORED, motor_torque=200.0)
TIGHT = replace(MOTORS, cone=0.1, radius=800.0, speed=15.0, duration=14.0)
PUBLISHED = replace(MOTORS, profiles="feve3000_profiles.csv", inclination=0.05, radius=25000.0, friction=0.3)


@check(
    "Real-time locomotive against the general multibody model, motors on a tight curve", slow=True,
    ground=SAME_VEHICLE,
)  # fmt: skip
def motors_on_a_tight_curve():
    """Cones of 1:10, R = 800 m, 15 m/s; motors with 200 N m each in the rear bogie, the front one braked as much."""
    return _compared(TIGHT)


@check(
    "Real-time locomotive against the general multibody model, motors and published profiles", slow=True,
    ground=SAME_VEHICLE,
)  # fmt: skip
def motors_and_published_profiles():
    """Rails 1:20, R = 25 km: beyond 4.9 mm the flange is a second point, which one model lacks."""
    return _compared(PUBLISHED)
