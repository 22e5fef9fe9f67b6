"""One wheelset held by springs on smooth straight rails: cones on narrow rails, or the standard profiles.

The springs stand on ground axes and have no longitudinal stiffness, so that the wheelset may run along the track;
a vertical force on the axle stands for the carried load.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexwheel.base.variables import PATCH
from flexwheel.body.reduced_body import ReducedBody
from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.profiles.placement import Placement
from flexwheel.contact.profiles.profile import Profile
from flexwheel.numerics.integration import newmark
from flexwheel.numerics.kernels import Each
from flexwheel.track.layout import make_layout
from flexwheel.track.segments import Straight
from flexwheel.vehicle.step.assemble import WheelsetSpec, assemble_vehicle
from flexwheel.vehicle.suspension_elements import pack_suspension, read_element
from flexwheel.verification.benches.standing_bench import Standing, stand

SHEAR_MODULUS = 82e9
UNBOUNDED = 1e9  # friction coefficient at which nothing saturates
FORCE_TOLERANCE = 1e-3  # [N] of the equilibrium


@dataclass(frozen=True)
class SingleWheelset:
    """What the checks vary."""

    mass: float = 1250.0
    yaw_inertia: float = 700.0  # also about x
    spin_inertia: float = 100.0
    radius: float = 0.45
    half_distance: float = 0.75  # of the contacts
    conicity: float = 0.15
    lateral_stiffness: float = 0.0
    yaw_stiffness: float = 0.0
    carried: float = 0.0  # [N] on the axle besides its own weight
    gravity: float = 9.81
    creep: tuple = (1e7, 1e7, 0.0, 0.0)  # f11 [N], f22 [N], f23 [N m], f33 [N m2] of one wheel
    rail_radius: float = 0.010  # [m] of the rail's crown
    inertia: np.ndarray | None = None  # (3, 3) in place of the two above
    body: ReducedBody | None = None  # flexible, its own mass and inertia
    spring_distance: float = 1.0  # [m] half distance of the springs, at the journals
    centrifugal: str = "both"  # of a flexible wheelset


def cone(conicity):
    """Conical wheel profile, radius growing to the flange side by `conicity`."""
    y = np.linspace(-0.060, 0.060, 241)
    flat = np.zeros_like(y)
    return Profile(f"cone {conicity:g}", "wheel", y, -conicity * y, flat - conicity, flat)


def narrow_rail(radius):
    """Parabolic rail head with crown radius [m], nearly a knife edge."""
    y = np.linspace(-0.012, 0.012, 961)
    slope = -y / radius
    return Profile("narrow rail", "rail", y, -0.5 * y**2 / radius, slope, -1.0 / radius / (1.0 + slope**2) ** 1.5)


def build(case: SingleWheelset, speed, step=1e-3, start=0.0) -> Standing:
    """Wheelset on its rails in static equilibrium at `speed` [m/s]."""
    placement = Placement(
        rail_y=case.half_distance + case.rail_radius * case.conicity, wheel_y=case.half_distance, radius=case.radius
    )
    contact = make_contact_tables(
        cone(case.conicity), narrow_rail(case.rail_radius), placement, shear_modulus=SHEAR_MODULUS, friction=0.3,
        tangential_law="kalker_linear",
    )  # fmt: skip
    inertia = case.inertia
    if inertia is None:
        inertia = np.diag([case.yaw_inertia, case.spin_inertia, case.yaw_inertia])
    wheelset = WheelsetSpec(
        "wheelset", 0.0, case.radius, case.half_distance, body=case.body, mass=case.mass, inertia=inertia,
        journal=(case.spring_distance, -case.spring_distance), centrifugal=case.centrifugal,
    )  # fmt: skip
    assembly = assemble_vehicle([], [wheelset])
    layout, suspension = make_layout([Straight(5000.0)]), _springs(case, assembly, start)
    built = stand(
        assembly, contact, suspension, layout, newmark(step, 0.25), speed, case.gravity, start,
        tolerance=FORCE_TOLERANCE,
    )  # fmt: skip
    return replace(built, model=with_creep_at_rest(built, case.creep))


def with_creep_at_rest(built, creep):
    """Model whose creep coefficients f11, f22, f23, f33 stand for the first patch of a Standing vehicle."""
    area = built.work.patches[0, 0, 0, PATCH.area]
    contact = with_creep(built.model.contact[0], creep, area / np.pi)
    return built.model._replace(contact=Each([contact] * len(built.model.contact)))


def with_creep(contact, creep, ab):
    """Tables whose creep coefficients at a patch of semi-axes a b = `ab` [m2] are f11, f22, f23, f33; no saturation."""
    f11, f22, f23, f33 = creep
    row = np.array([f11 / ab, f22 / ab, f23 / ab**1.5, f33 / ab**2]) / contact.shear_modulus
    return contact._replace(kalker=np.tile(row, (len(contact.kalker), 1)), friction=UNBOUNDED)


def kalker_creep(f11):
    """f11, f22, f23, f33 of Kalker's theory for the circular patch whose f11 is given."""
    c11, c22, c23, c33 = kalker_coefficients(1.0, 0.28)
    ab = f11 / (SHEAR_MODULUS * c11)
    return f11, f11 * c22 / c11, SHEAR_MODULUS * ab**1.5 * c23, SHEAR_MODULUS * ab**2 * c33


def linear_model(case, speed):
    """LinearModel of the wheelset at `speed` [m/s]."""
    return build(case, speed).linearised()


def scaled(case, factor):
    """The same ratio of conicity to radius with both multiplied: roll of the wheelset goes with factor squared."""
    return replace(case, radius=case.radius * factor, conicity=case.conicity * factor)


def _springs(case, assembly, start):
    """Half of each stiffness and of the carried load at each journal."""
    names = {name: k for k, name in enumerate(assembly.pose_names)}
    d = case.spring_distance
    positions = np.zeros((3, 3))
    elements = []
    for row, (side, sign) in enumerate((("left", 1.0), ("right", -1.0))):
        positions[1 + row] = 0.0, sign * d, case.radius
        at = [start, sign * d, case.radius]
        elements.append(
            read_element(
                {
                    "kind": "spring",
                    "body_a": f"wheelset axle box {side}",
                    "body_b": "ground",
                    "point_a_m": [0.0, 0.0, 0.0],
                    "point_b_m": at,
                    "stiffness_n_per_m": [0.0, 0.5 * case.lateral_stiffness, 0.0],
                    "rotational_stiffness_n_m_per_rad": [0.0, 0.0, 0.5 * case.yaw_stiffness],
                    "preload_n": [0.0, 0.0, 0.5 * case.carried],
                    "axes_of": "b",
                },
                names,
                "single wheelset",
            )
        )
    positions[0] = 0.0, 0.0, case.radius
    return pack_suspension(elements, positions)
