"""Linear equations of a vehicle of rigid bodies rolling slowly on a straight track, without anything compiled.

    M x'' + C x' + K x + P z = 0,    z' = A z + B x

as `linearise` has them, with wheelsets rigid, rails that do not move and the creep forces of Kalker's linear theory on
the contact of a cone: at low speed they hold a wheelset to rolling, whatever their size, so that what grows here grows
because of the vehicle. Hunting above a critical speed is not looked for with these equations.

Source of the contact terms: Wickens 2003, Fundamentals of Rail Vehicle Dynamics, chapter 2; Kalker 1990, table E.3;
Hertz: Johnson 1985, section 4.2 (circle).
"""

from dataclasses import dataclass, field

import numpy as np

from flexwheel.contact.profiles.profile import profile_height
from flexwheel.vehicle.step.coordinate_labels import coordinate_labels
from flexwheel.vehicle.step.rigid_vehicle import HELD, STEP
from flexwheel.vehicle.suspension_linear import relaxations

SHIFT = 2e-3  # [m] of a wheelset, to which a cone is fitted: half the usual play of the flanges is 5 to 7 mm
CREEP = 4.0  # Kalker's c11 and c22 at a/b = 0.8 to 1.2 and nu = 0.28 lie between 3.4 and 4.3
RAIL_HEAD = 0.3  # [m] radius of a rail's head, for the size of the contact
MODULUS = 2.1e11 / (2.0 * (1.0 - 0.28**2))  # [Pa] contact modulus of steel on steel
SHEAR = 2.1e11 / 2.56  # [Pa]


@dataclass(frozen=True)
class ConeContact:
    """Contact of a wheelset that rolls on two equal profiles, linear in its shift."""

    half_distance: float  # [m] of the contact points
    radius: float  # [m]
    conicity: float  # [-] growth of the rolling radius by the shift
    angle: float  # [rad] of the contact plane, centred
    angle_rate: float  # [rad/m] by which the contact angle of a wheel grows as the wheelset moves to its side


@dataclass(frozen=True)
class RigidLinear:
    """M, C, K (N, N), P (N, Z), A (Z, Z), B (Z, N) as in `LinearModel`."""

    speed: float  # [m/s]
    mass: np.ndarray
    damping: np.ndarray
    stiffness: np.ndarray
    labels: tuple[str, ...]
    along: tuple[int, ...]  # arc lengths, of the reference body first
    spins: tuple[int, ...]  # spin angles
    state_force: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    state_rate: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    state_drive: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))


def cone_contact(profiles) -> ConeContact:
    """ConeContact of a wheel's and a rail's profile, placed; by the highest point of their sum over the width.

    profiles : PlacedProfiles (wheel, rail, placement)
    """
    wheel, placement = profiles.wheel, profiles.placement

    def touched(shift):
        y, own, total = heights_over(profiles, shift)
        at = int(np.nanargmax(total))
        height, slope, _ = profile_height(wheel, own[at])
        return y[at], float(height), -float(np.arctan(slope))

    _, low, flat = touched(-SHIFT)
    _, high, steep = touched(SHIFT)
    centre = touched(0.0)
    return ConeContact(
        placement.rail_y + centre[0],
        placement.radius,
        (high - low) / (2.0 * SHIFT),
        centre[2],
        (steep - flat) / (2.0 * SHIFT),
    )


def heights_over(profiles, shift):
    """Places (n,) on rail and wheel and how far the wheel, at its nominal height, reaches over the rail there [m].

    profiles : PlacedProfiles; shift : float [m] of the wheel to the field side
    """
    y = np.linspace(profiles.rail.y[0], profiles.rail.y[-1], 20001)  # some 3.5 um apart
    own = y - profiles.placement.offset - shift
    return y, own, profile_height(profiles.wheel, own)[0] + profile_height(profiles.rail, y)[0]


def slow_running(vehicle, q, loads, contacts, speed) -> RigidLinear:
    """RigidLinear of a RigidVehicle at rest at q (N,), rolling at `speed` [m/s].

    Parameters
    ----------
    loads : (W, 2) [N]             of the wheels
    contacts : sequence (W) of ConeContact
    """
    stiffness, damping = vehicle.stiffness(q), vehicle.damping(q)
    assembly, offset = vehicle.assembly, vehicle.offset
    for w, u in enumerate(assembly.wheelsets.unit):
        own = slice(offset[u], offset[u] + 6)
        k, c = contact_matrices(contacts[w], max(float(np.mean(loads[w])), 1.0), speed)
        stiffness[own, own] += k
        damping[own, own] += c
    bodies = len(assembly.body_specs)
    wheelsets = [int(offset[u]) for u in assembly.wheelsets.unit]
    force, rate, drive = _states(vehicle, q)
    return RigidLinear(
        speed,
        vehicle.mass(q),
        damping,
        stiffness,
        coordinate_labels(assembly),
        (*(int(o) for o in offset[:bodies]), *wheelsets),
        tuple(o + 5 for o in wheelsets),
        force,
        rate,
        drive,
    )


def contact_matrices(contact, load, speed):
    """Stiffness and damping (6, 6) by s, y, z, yaw, roll, spin of a wheelset with a load [N] on each wheel."""
    distance, radius = contact.half_distance, contact.radius
    mean = np.sqrt(radius * RAIL_HEAD)  # of a circle in place of an ellipse of axis ratio 1.2
    size = (0.75 * load * mean / MODULUS) ** (1.0 / 3.0)
    creep = CREEP * SHEAR * size**2 / speed  # [N s/m]
    spring = 2.0 * MODULUS * size
    k, c = np.zeros((6, 6)), np.zeros((6, 6))
    for side in (1.0, -1.0):
        normal = np.array([0.0, 0.0, 1.0, 0.0, side * distance, 0.0])
        along = np.array([1.0, 0.0, 0.0, -side * distance, 0.0, -radius])
        across = np.array([0.0, 1.0, 0.0, 0.0, radius, 0.0])
        k += spring * np.outer(normal, normal)
        c += creep * (np.outer(along, along) + np.outer(across, across))
        # creepage along also of the grown radius, across of the heading
        k += creep * speed * np.outer(along, [0.0, -side * contact.conicity / radius, 0.0, 0.0, 0.0, 0.0])
        k += creep * speed * np.outer(across, [0.0, 0.0, 0.0, -1.0, 0.0, 0.0])
    k[1, 1] += 2.0 * load * contact.angle_rate
    k[3, 3] -= 2.0 * load * distance * contact.angle
    return k, c


def wheel_loads(vehicle, q, contacts):
    """Loads (W, 2) [N] of the wheels under the vehicle at rest at q (N,)."""
    carried = vehicle.forces(q, np.zeros(len(q)), HELD) + vehicle.weight(q)
    loads = np.zeros((len(contacts), 2))
    for w, u in enumerate(vehicle.assembly.wheelsets.unit):
        o = vehicle.offset[u]
        down, turn = -carried[o + 2], -carried[o + 4]
        loads[w] = 0.5 * (down + turn / contacts[w].half_distance), 0.5 * (down - turn / contacts[w].half_distance)
    return loads


def _states(vehicle, q):
    """P, A, B of the force elements with internal states."""
    elements, state = vehicle.elements, vehicle.state
    rows, rate = relaxations(elements)
    count, v = len(q), np.zeros(len(q))
    force, drive = np.zeros((count, len(rows))), np.zeros((len(rows), count))
    piston = state.accepted[:, 0]
    for k, e in enumerate(rows):
        ends = []
        for side in (1.0, -1.0):
            piston[e] += side * STEP
            ends.append(vehicle.forces(q, v, HELD, [e]))
            piston[e] -= side * STEP
        force[:, k] = -(ends[0] - ends[1]) / (2.0 * STEP)
    for u, own in enumerate(vehicle.touching):
        mine = [k for k, e in enumerate(rows) if e in own]
        for j in range(vehicle.offset[u], vehicle.offset[u + 1]) if mine else ():
            step = np.zeros(count)
            step[j] = STEP
            lengths = []
            for side in (1.0, -1.0):
                vehicle.forces(q + side * step, v, HELD, [rows[k] for k in mine])
                lengths.append(state.proposed[rows[mine], 1].copy())
            drive[mine, j] = rate[mine] * (lengths[0] - lengths[1]) / (2.0 * STEP)
    return force, np.diag(-rate), drive
