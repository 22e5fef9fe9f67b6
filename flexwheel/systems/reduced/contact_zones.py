"""Tread and flange zones of the simplified contact, from the profiles of wheel and rail.

The rigid profiles are brought into contact at every lateral shift of the wheelset (planar, both sides, roll found); the
rolling-radius difference gives the equivalent conicity at a chosen amplitude, the jump of a contact to a steep part of
the wheel gives the play to flange contact; the contact angle and its growth with the shift are fitted up to the same
amplitude. Rolling radii that change with slope gamma / (1 + lambda r0 / b) of the contact's shift have the profiles'
conicity gamma, because the wheelset's roll moves the contacts (lambda: contact angle).

Verified in tests/systems/reduced/test_reduced_model.py.
"""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import cumulative_trapezoid

from flexwheel.assess.conicity import DeltaR, equivalent_conicity
from flexwheel.assess.static_contact import static_contact
from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle

STEEP = np.tan(np.radians(35.0))
"""Slope of the wheel from which a contact is one of the flange."""


LOADED_STEP = 2e-4
"""[m] of the table of loaded contact."""


@dataclass(frozen=True)
class RigidContact:
    """Contact of a shifted wheelset; left side, and right side by mirror."""

    shift: np.ndarray  # (n,) [m]
    roll: np.ndarray  # (n,) [rad]
    radius: np.ndarray  # (n, 2) [m]
    place: np.ndarray  # (n, 2) [m] from the middle of the axle, right one negative
    slope: np.ndarray  # (n, 2) of the wheel profile at the contact, negative toward the flange
    height: np.ndarray  # (n,) of the middle of the axle above the rails' crowns [m]


@dataclass(frozen=True)
class ProfileZones:
    """What the profiles say."""

    conicity: float  # equivalent, at the amplitude asked for
    tread_slope: float  # contact angle of the centred wheelset [rad]
    angle_growth: float  # of that with the shift [rad/m]
    half_distance: float
    flange_clearance: float
    flange_y: float
    flange_depth: float
    contact: RigidContact


def rigid_contact(wheel, rail, placement, shifts):
    """RigidContact of profiles.Profile wheel and rail at lateral shifts (n,) [m]."""
    y = np.linspace(wheel.y[0], wheel.y[-1], 4000)
    height = np.interp(y, wheel.y, wheel.height)
    slope = np.interp(y, wheel.y, wheel.slope)
    arm, depth = placement.wheel_y + y, placement.radius + height

    def gap(shift, roll):
        """Height of the axle's centre at which this side touches, and the index of the contact (left-like side)."""
        across = shift + arm + roll * depth
        down = depth - roll * arm
        on_rail = np.interp(across - placement.rail_y, rail.y, rail.height, left=-1.0, right=-1.0)
        k = int(np.argmax(on_rail + down))
        return on_rail[k] + down[k], k

    out = []
    for shift in shifts:
        roll, step = 0.0, 1e-3
        previous = None
        for _ in range(40):
            (left, i), (right, j) = gap(shift, roll), gap(-shift, -roll)
            f = left - right
            if abs(f) < 1e-9:
                break
            if previous is None or f == previous[1]:
                new = roll + np.sign(f) * step
            else:
                new = roll - f * (roll - previous[0]) / (f - previous[1])
                new = roll + np.clip(new - roll, -0.02, 0.02)
            previous, roll = (roll, f), new
        else:
            raise ScenarioError(
                f"profiles {wheel.name} on {rail.name}: no roll at which both wheels touch, {1e3 * shift:.1f} mm to "
                f"the side: {1e6 * abs(f):.3g} um left after 40 steps"
            )
        out.append((roll, depth[i], depth[j], arm[i], -arm[j], slope[i], slope[j], left))
    a = np.array(out)
    return RigidContact(np.asarray(shifts, float), a[:, 0], a[:, 1:3], a[:, 3:5], a[:, 5:7], a[:, 7])


def axle_lift(contact):
    """Shift [m] and rise of the axle's middle [m] over the centred wheelset (n, 2), of a RigidContact."""
    return np.stack([contact.shift, contact.height - np.interp(0.0, contact.shift, contact.height)], axis=1)


def creep_coefficients(patches, shear_modulus, poisson):
    """f11 [N], f22 [N], f23 [N m], f33 [N m2] of a standing wheel: the sum over its patches of G ab c_ij, by Kalker.

    Of zones that merge, each reading counts by its share, as its creep force does in a run.
    """
    total = np.zeros(4)
    for k in np.flatnonzero(patches["normal_force"] > 0.01 * patches["normal_force"].sum()):
        ab = patches["area"][k] / np.pi
        c = kalker_coefficients(float(patches["half_length"][k] / patches["half_width"][k]), poisson)
        total += patches["share"][k] * shear_modulus * np.array([ab, ab, ab**1.5, ab**2]) * np.asarray(c, float)
    return tuple(float(f) for f in total)


def loaded_tread(tables, radius, load, clearance, slope, poisson, wheel_y, half_distance):
    """Table against the contact's shift from the patches of a wheel standing under its static load.

    The rolling radius is the one at which the longitudinal creepage of the rolling wheel vanishes, so that a contact
    which goes over from one region of the profiles to another does so smoothly, as it does on the elastic wheel; the
    contact angle and the contact's place are those of the patches. All are averaged by load.

    Parameters
    ----------
    tables : ContactTables
    radius, load : float [m, N]
    clearance : float [m]          lateral play of the wheelset to flange contact
    slope : float                  lambda, of the straight tread; lambda r0 / b of a shift come to it by the roll
    poisson : float
    wheel_y, half_distance : float [m]     of the wheel's profile origin, and of the knife edges, from the middle

    Returns
    -------
    (n, 9)                         see simplified_model.ContactZones
    """
    reach = clearance / (1.0 - slope * radius / half_distance)
    half = int(np.floor(reach / LOADED_STEP))
    shift = LOADED_STEP * np.arange(-half, half + 1)
    out = np.zeros((len(shift), 9))
    result = make_contact_result()
    law = handle(tables), radius, handle(make_contact_scratch(tables)), handle(result)  # as a run calls it
    spinning = np.array([0.0, 0.0, 0.0, 0.0, 1.0 / radius, 0.0])  # at 1 m/s, the profile origin rolls without creep
    columns = (PATCH.normal_force, PATCH.xi, PATCH.contact_angle, PATCH.y_wheel)
    for k, s in enumerate(shift):
        height, _, standing = static_contact(tables, radius, load, lateral_shift=s)
        pose = np.array([0.0, s, height, 0.0, 0.0, 0.0])
        motion = WheelMotion(pose, spinning, np.zeros(3), 1.0)
        _, count = wheel_rail_contact(*law[:2], motion, *law[2:])
        carried, creepage, angle, place = (result.patches[:count, column] for column in columns)
        weight = carried / carried.sum()
        out[k, :3] = s, -radius * (weight @ creepage), np.tan(weight @ angle)
        out[k, 3] = wheel_y + weight @ place - (half_distance - s)
        out[k, 4:8] = creep_coefficients(standing, tables.creep_modulus, poisson)
    out[:, 1] -= np.interp(0.0, shift, out[:, 1])
    out[:, 4:8] /= out[half, 4:8]
    out[:, 8] = cumulative_trapezoid(out[:, 2] - slope, shift, initial=0.0)
    out[:, 8] -= out[half, 8]
    far = int(np.ceil(0.02 / LOADED_STEP))
    padded = np.pad(out, ((far, far), (0, 0)), mode="edge")
    padded[:, 0] = LOADED_STEP * np.arange(-half - far, half + far + 1)
    return padded


def profile_zones(wheel, rail, placement, amplitude=0.003):
    """Zones of a pair of profiles.

    Parameters
    ----------
    wheel, rail : Profile       the rail inclined
    placement : Placement
    amplitude : float [m]       at which the equivalent conicity is taken

    Raises
    ------
    ScenarioError               no flange contact within 20 mm, or an amplitude beyond it
    """
    shifts = np.arange(-0.020, 0.0200001, 1e-4)
    contact = rigid_contact(wheel, rail, placement, shifts)
    steep = (contact.slope[:, 0] < -STEEP) & (shifts > 0.0)
    if not np.any(steep):
        raise ScenarioError(f"profiles {wheel.name} on {rail.name}: no flange contact within 20 mm of lateral shift")
    first = int(np.argmax(steep))
    clearance = float(shifts[first])
    if amplitude >= clearance:
        raise ScenarioError(
            f"amplitude for the equivalent conicity must be below the play to flange contact, "
            f"{1e3 * clearance:.1f} mm, got {1e3 * amplitude:g} mm"
        )
    inside = np.abs(shifts) < clearance - 1e-9
    table = DeltaR(shifts[inside], (contact.radius[:, 0] - contact.radius[:, 1])[inside])
    gamma = float(equivalent_conicity(table, [amplitude]).integration[0])  # 001 (conicity)
    if not (np.isfinite(gamma) and gamma > 0.001):
        raise ScenarioError(f"profiles {wheel.name} on {rail.name}: no equivalent conicity at {1e3 * amplitude:g} mm")
    middle = np.abs(shifts) < 0.5 * amplitude
    half = float(np.mean(np.abs(contact.place[middle])))
    part = np.abs(shifts) <= amplitude + 1e-9
    tilt = -contact.slope[part]
    growth = float(shifts[part] @ (0.5 * (tilt[:, 0] - tilt[:, 1])) / (shifts[part] @ shifts[part]))
    return ProfileZones(
        conicity=gamma,
        tread_slope=float(tilt.mean()),
        angle_growth=growth,
        half_distance=half,
        flange_clearance=clearance,
        flange_y=float(contact.place[first, 0]),
        flange_depth=float(contact.radius[first, 0] - placement.radius),
        contact=contact,
    )
