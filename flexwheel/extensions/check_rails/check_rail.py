"""Check rails: the back of a flange against the face of a rail beside the running rail.

The flange back is a plane disc, its rim an arc of the profile; the check rail is a prism along the track, a plane face
with a rounded top edge, open at its ends by a flare. Against the face, a wheel that yaws by psi and leans by b goes
deepest where its disc, below the top of the check rail, lies farthest ahead or behind: the depth at (x, z) is

    depth = c - psi x + b z - R(rho) - E(z),   rho^2 = x^2 + (z_axle - z)^2,

R and E what rim and edge fall away. Both ends of the chord at the top of the check rail carry, each by its own depth:
alike at no yaw, as a plane face presses most at its edges, and soon the deeper one alone. So force and moment are
continuous. Each end is a point of Hertz; both press on the mounting, a spring between check rail and running rail.

Left out: bending of the check rail along the track, and the turn of a wheel's rim against its tread.
Sources: geometry derived here; normal force Hertz, as contact/hertz.py; friction Coulomb, of the sliding velocity.
Verified in tests/extensions/check_rails/test_check_rail_verified.py.
"""

import math
from collections import namedtuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import BESIDE, SIDES
from flexwheel.contact.beside import NONE, RailsBeside, beside_call
from flexwheel.contact.contact_tables import make_contact_result
from flexwheel.contact.hertz import axis_ratio, elliptic_factors
from flexwheel.contact.profiles.placement import gauge_point
from flexwheel.contact.profiles.section_checks import BACK_TO_DATUM
from flexwheel.numerics.kernels import kernel

SLIP = 0.01  # [m/s] sliding velocity below which friction falls; a flange back slides by metres a second
LEAST_CHORD = 0.010  # [m] half length, below which a wheel stands above its check rail
GAUGE_DEPTH = 0.014  # [m] below the crown, where gauge and flangeway are measured
TIGHTEST = -0.005  # [m] of a flange back inside the check rail with the wheelset centred
REACH = 0.4  # [m] ahead and behind of an axle where flange backs touch
MOUNT_STEPS = 40

_COLUMNS = {
    "start": "[m] along the track, flares included",
    "end": "[m]",
    "flare": "[m] length of the flare at either end",
    "opening": "[m] of the face at the ends",
    "face": "[m] y of the face, GAUGE_DEPTH below the crown, less that of the flange back of a centred wheel",
    "top": "[m] above the crown where the rounding of the edge begins",
    "edge": "[m] radius of the edge",
    "inclination": "tangent by which the face leans away with height",
    "compliance": "[m/N] of the mounting",
    "friction": "coefficient",
    "hertz": "[N/m^1.5] of one end",
    "damping": "[N s/m] of a closed contact",
    "onset": "[N] load at which half of it acts",
    "radius": "[m] of the wheel at its profile origin",
    "back": "[m] y of the flange back from the profile origin",
    "flat": "[m] radius of the plane part of the flange back",
    "rim": "[m] radius of the arc that follows it",
}
CHECK = namedtuple("CheckColumns", _COLUMNS, module=__name__)(*range(len(_COLUMNS)))
"""Numbers of a check rail and the wheel beside it."""


@kernel
def deepest_point(numbers, o, yaw, lean, axle):
    """Where a flange back reaches deepest; yaw 0 or more, lean: growth of the depth with height, axle: its height [m].

    Returns half length x of the chord and height z [m], slope E' of the edge there, what rim and edge fall away [m].
    """
    edge, flat, rim = numbers[o + CHECK.edge], numbers[o + CHECK.flat], numbers[o + CHECK.rim]
    z = numbers[o + CHECK.top]
    x = math.sqrt(max(flat * flat - (axle - z) ** 2, LEAST_CHORD**2))
    if lean + yaw * (axle - z) / x < 0.0:  # on the arc below the edge
        slope = math.sqrt(yaw * yaw + lean * lean)
        cosine = 1.0 / math.sqrt(1.0 + slope * slope)
        rho = flat + rim * slope * cosine
        return rho * yaw / slope, axle + rho * lean / slope, 0.0, rim * (1.0 - cosine)
    bent, cosine, edge_cosine = 0.0, 1.0, 1.0
    for _ in range(4):
        slope = yaw * math.sqrt(x * x + (axle - z) ** 2) / x
        cosine = 1.0 / math.sqrt(1.0 + slope * slope)
        rho = flat + rim * slope * cosine
        bent = max(lean + yaw * (axle - z) / x, 0.0)
        edge_cosine = 1.0 / math.sqrt(1.0 + bent * bent)
        z = numbers[o + CHECK.top] + edge * bent * edge_cosine
        x = math.sqrt(max(rho * rho - (axle - z) ** 2, LEAST_CHORD**2))
    return x, z, bent, rim * (1.0 - cosine) + edge * (1.0 - edge_cosine)


@kernel
def flare_at(numbers, o, s):
    """How far the face is open at the arc length s [m], and its slope along the track; 1 m beyond the ends."""
    start, end, flare = numbers[o + CHECK.start], numbers[o + CHECK.end], numbers[o + CHECK.flare]
    if s < start or s > end:
        return 1.0, 0.0
    rise = numbers[o + CHECK.opening] / flare
    if s < start + flare:
        return rise * (start + flare - s), rise
    if s > end - flare:
        return rise * (s - end + flare), -rise
    return 0.0, 0.0


@kernel
def touch(numbers, o, wheel, way):
    """One end of the chord, way 1 ahead and -1 behind: depth along the normal [m], place from P (3,), normal (3,)."""
    d, inclination, back = wheel.d, numbers[o + CHECK.inclination], numbers[o + CHECK.back]
    axle = d[2] + numbers[o + CHECK.radius] + back * d[3]
    x, z, bent, fallen = deepest_point(numbers, o, abs(d[5]), d[3] - inclination, axle)
    along = way * x - back * d[5]  # from P; the disc turns about the profile origin
    opening, slope = flare_at(numbers, o, wheel.place + d[0] + along)
    depth = numbers[o + CHECK.face] - opening - d[1] + 0.5 * back * (d[5] * d[5] + d[3] * d[3]) - way * x * d[5]
    depth += d[3] * (z - d[2]) - inclination * (z + GAUGE_DEPTH) + 0.5 * wheel.curvature * along * along - fallen
    if x <= LEAST_CHORD and bent > 0.0:  # the wheel has climbed
        depth = min(depth, -1e-3)
    upward = inclination + bent
    length = 1.0 / math.sqrt(1.0 + slope * slope + upward * upward)
    place = along, back, z - d[2]
    return depth * length, place, (-slope * length, length, upward * length)


@kernel(inline="always")
def arm_of(place, way):
    """Wrench (6,) about P of a unit force along `way` at a place."""
    x, y, z = place
    a, b, c = way
    return a, b, c, y * c - z * b, z * a - x * c, x * b - y * a


@kernel
def yielding(hertz, compliance, first, second):
    """Displacement [m] of the mounting under both ends, their depths given; Newton from below on a convex function."""
    u = 0.0
    if compliance <= 0.0:
        return u
    for _ in range(MOUNT_STEPS):
        a, b = max(first - u, 0.0), max(second - u, 0.0)
        lack = hertz * (a * math.sqrt(a) + b * math.sqrt(b)) - u / compliance
        change = lack / (1.5 * hertz * (math.sqrt(a) + math.sqrt(b)) + 1.0 / compliance)
        u += change
        if change < 1e-13:
            break
    return u


@kernel
def press_check_rails(numbers, wheel, result, record):
    """Add the check rails beside one wheel to its ContactResult; record (8,), columns variables.BESIDE, is filled."""
    for c in range(record.shape[0]):
        record[c] = 0.0
    record[BESIDE.gap] = np.nan
    for o in range(0, numbers.shape[0], len(CHECK)):
        if numbers[o + CHECK.start] - REACH < wheel.place < numbers[o + CHECK.end] + REACH:
            press(numbers, o, wheel, result, record)
    if record[BESIDE.normal_force] > 0.0:
        record[BESIDE.lead] /= record[BESIDE.normal_force]


@kernel
def press(numbers, o, wheel, result, record):
    """`press_check_rails` of one of them, whose numbers begin at o."""
    ahead, place_a, normal_a = touch(numbers, o, wheel, 1.0)
    behind, place_b, normal_b = touch(numbers, o, wheel, -1.0)
    gap = -max(ahead, behind)
    if gap < 0.5 and not record[BESIDE.gap] < gap:
        record[BESIDE.gap] = gap
    if gap >= 0.0:
        return
    hertz, compliance = numbers[o + CHECK.hertz], numbers[o + CHECK.compliance]
    u = yielding(hertz, compliance, ahead, behind)
    root_a, root_b = math.sqrt(max(ahead - u, 0.0)), math.sqrt(max(behind - u, 0.0))
    stiff_a, stiff_b = 1.5 * hertz * root_a, 1.5 * hertz * root_b
    whole = stiff_a + stiff_b + (1.0 / compliance if compliance > 0.0 else 0.0)
    given = 1.0 / whole if compliance > 0.0 and whole > 0.0 else 0.0
    arm_a, arm_b = arm_of(place_a, normal_a), arm_of(place_b, normal_b)
    load = hertz * (root_a**3 + root_b**3)
    damping = numbers[o + CHECK.damping] / (load + numbers[o + CHECK.onset])
    for end in range(2):
        root, stiff = (root_a, stiff_a) if end == 0 else (root_b, stiff_b)
        if root <= 0.0:
            continue
        place, normal = (place_a, normal_a) if end == 0 else (place_b, normal_b)
        arm = arm_a if end == 0 else arm_b
        force = hertz * root**3
        damp = damping * force
        opening = normal[0] * wheel.speed
        for k in range(6):
            opening += arm[k] * wheel.gap_rate[k]
        force -= damp * opening
        if force <= 0.0:
            continue
        flat = math.sqrt(normal[0] * normal[0] + normal[1] * normal[1])
        along = normal[1] / flat, -normal[0] / flat, 0.0
        up = -normal[2] * normal[0] / flat, -normal[2] * normal[1] / flat, flat
        arm_x, arm_z = arm_of(place, along), arm_of(place, up)
        slip_x, slip_z = 0.0, 0.0
        for k in range(6):
            slip_x += arm_x[k] * wheel.v[k]
            slip_z += arm_z[k] * wheel.v[k]
        speed = math.sqrt(slip_x * slip_x + slip_z * slip_z + SLIP * SLIP)
        slip_x, slip_z, bound = slip_x / speed, slip_z / speed, numbers[o + CHECK.friction]
        each = bound * force / speed
        for i in range(6):
            way = arm[i] - bound * (slip_x * arm_x[i] + slip_z * arm_z[i])
            result.wrench[i] += force * way
            mixed_x = each * ((1.0 - slip_x * slip_x) * arm_x[i] - slip_x * slip_z * arm_z[i])
            mixed_z = each * ((1.0 - slip_z * slip_z) * arm_z[i] - slip_x * slip_z * arm_x[i])
            for k in range(6):
                moved = arm[k] - given * (stiff_a * arm_a[k] + stiff_b * arm_b[k])
                result.jac_d[i, k] -= way * stiff * moved
                result.jac_v[i, k] -= way * damp * arm[k] + mixed_x * arm_x[k] + mixed_z * arm_z[k]
            if i == 0:
                record[BESIDE.x] += force * way
            elif i == 1:
                record[BESIDE.y] += force * way
            elif i == 2:
                record[BESIDE.z] += force * way
        record[BESIDE.normal_force] += force
        record[BESIDE.friction_force] += bound * force * math.sqrt(slip_x * slip_x + slip_z * slip_z)
        record[BESIDE.lead] += force * place[0]


def flange_back(wheel, back):
    """Height of the end of a wheel's plane flange back over its profile origin, and radius of the arc that follows [m].

    The arc touches the back, at y = `back` [m], and the profile where that stands at 45 degrees.

    Raises
    ------
    ScenarioError     the profile ends before
    """
    tip = int(np.argmax(wheel.height))
    steep = np.flatnonzero(wheel.slope[:tip] >= 1.0)
    half = math.sqrt(0.5)
    if not steep.size or not wheel.y[steep[-1]] - back > 1e-4:
        raise ScenarioError(
            f"track.check_rail: profile {wheel.name} ends at y = {1e3 * wheel.y[0]:.1f} mm, before it stands at 45 "
            f"degrees between flange tip and flange back (y = {1e3 * back:.1f} mm): the back's rounding is not known"
        )
    i = steep[-1]
    if i + 1 < tip:
        t = (wheel.slope[i] - 1.0) / (wheel.slope[i] - wheel.slope[i + 1])
        y, height = (values[i] + t * (values[i + 1] - values[i]) for values in (wheel.y, wheel.height))
    else:
        y, height = wheel.y[i], wheel.height[i]
    rim = (y - back) / (1.0 - half)
    return height - half * rim, rim


def hertz_stiffness(rim, edge, turn, modulus):
    """Force over the approach's power 1.5 [N/m^1.5] of two arcs [m] whose planes are turned by `turn` [rad].

    Johnson 1985, section 4.2: with the short over the long axis g, N = 2 pi / (3 g K^1.5) E* sqrt(C / B) approach^1.5.
    """
    c, s = math.cos(turn), math.sin(turn)
    curved = np.diag([0.0, 0.5 / edge]) + 0.5 / rim * np.array([[s * s, s * c], [s * c, c * c]])
    a, b = np.linalg.eigvalsh(curved)
    g = float(axis_ratio(a / b))
    _, factor, k = elliptic_factors(g)
    return 2.0 * math.pi / (3.0 * g * k**1.5) * modulus * math.sqrt(factor / b)


def numbers_of(key, rail, tables, profiles, modulus):
    """Numbers (CHECK) of a CheckRailSection beside a wheel.

    key : str, its name; profiles : PlacedProfiles; modulus [Pa] : E / (2 (1 - nu^2))

    Raises
    ------
    ScenarioError     a check rail that no wheel can pass, or whose flares overlap
    """
    if not rail.end_m - rail.start_m >= 2.0 * rail.flare_length_m:
        least = rail.start_m + 2.0 * rail.flare_length_m
        raise ScenarioError(f"{key}.end_m must be start_m + 2 flare_length_m = {least:g} or more, got {rail.end_m:g}")
    back, radius = -BACK_TO_DATUM, profiles.placement.radius
    low, rim = flange_back(profiles.wheel, back)
    flat, edge = radius + low, 1e-3 * rail.edge_radius_mm
    top = 1e-3 * rail.height_mm - edge
    chord = flat**2 - (radius - top) ** 2
    if not chord > (2.0 * LEAST_CHORD) ** 2:
        raise ScenarioError(
            f"{key}.height_mm - edge_radius_mm must be above {-1e3 * low + 0.5:.1f}, as the plane flange back ends "
            f"{1e3 * low:.1f} below the running surface, got {1e3 * top:g}"
        )
    face = gauge_point(profiles.rail, GAUGE_DEPTH) - 1e-3 * rail.flangeway_mm - tables.offset - back
    if face > -TIGHTEST:
        least = rail.flangeway_mm + 1e3 * (face + TIGHTEST)
        raise ScenarioError(
            f"{key}.flangeway_mm must be {least:.1f} or more for a wheel to pass, got {rail.flangeway_mm:g}"
        )
    of = {
        "start": rail.start_m, "end": rail.end_m, "flare": rail.flare_length_m,
        "opening": 1e-3 * rail.flare_opening_mm, "face": face, "top": top, "edge": edge,
        "inclination": rail.face_inclination,
        "compliance": 0.0 if rail.stiffness_n_m is None else 1.0 / rail.stiffness_n_m,
        "friction": tables.friction if rail.friction is None else rail.friction,
        "hertz": hertz_stiffness(rim, edge, math.asin(math.sqrt(chord) / flat), modulus),
        "damping": tables.normal_damping, "onset": tables.damping_onset, "radius": radius, "back": back, "flat": flat,
        "rim": rim,
    }  # fmt: skip
    return [of[name] for name in CHECK._fields]


def lay_check_rails(contacts, section, rails, profiles):
    """ContactTables (2 W) with the check rails of their sides.

    section : ContactSection; rails : CheckRailSection each; profiles : PlacedProfiles (2 W)
    """
    modulus, found = 0.5 * section.youngs_modulus_pa / (1.0 - section.poissons_ratio**2), []
    for k, (tables, own) in enumerate(zip(contacts, profiles, strict=True)):
        rows = [
            numbers_of(f"track.check_rail.{i}", rail, tables, own, modulus)
            for i, rail in enumerate(rails)
            if rail.side == SIDES[k % 2]
        ]
        call = beside_call(press_check_rails, np.concatenate(rows), make_contact_result()) if rows else NONE
        found.append(tables._replace(beside=call))
    return found


CHECK_RAIL = RailsBeside("check_rail", lay_check_rails)
