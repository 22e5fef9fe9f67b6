"""Contact of one wheel with one rail: patches, normal and creep forces, wrench and tangents.

One call per wheel and iteration. Everything is in the left-like frame (x forward, y to the field side, z up;
the flange at negative y); a right wheel is solved mirrored.

Pose d = (x, y, z, roll, pitch, yaw) of the wheel profile origin P relative to the rail: at d = 0, P (the tread
datum, at the lowest point of its circle) stands at the height of the rail crown and, laterally, where the
centred wheelset puts it on the nominal gauge (`tables.offset` from the crown). d_z < 0 presses. x and pitch have
no effect.

Sources: virtual penetration Piotrowski and Kik 2008; FASTSIM Kalker 1982; Polach 1999.
Verified in tests/verification/test_wheel_rail.py and tests/property/test_contact_wrench.py.
"""

import math

from flexwheel.contact.creepage import patch_creepage, patch_directions
from flexwheel.contact.detection.detect import first_points
from flexwheel.contact.gap import FAST, make_pose, off_profile, scan
from flexwheel.contact.patch import patch_normal
from flexwheel.contact.regions import separate_regions
from flexwheel.contact.tables import COARSE_EVERY
from flexwheel.contact.tangential import patch_creep_force
from flexwheel.kernels import kernel
from flexwheel.variables import PATCH, PATCH_MAX

OK = 0
TOO_MANY_PATCHES = 1
FLANGE_CLIMB = 2
OFF_PROFILE = 3
NOT_FINITE = 4
STATUS_TEXT = {
    OK: "in order",
    TOO_MANY_PATCHES: "more separate contact patches than expected",
    FLANGE_CLIMB: "the wheel stands on its flange tip",
    OFF_PROFILE: "the wheel has left the rail head",
    NOT_FINITE: "the wheel's pose or velocity is not finite",
}

_CLIMB_ETA = -0.048  # [m] past the 70 degree face of the flange: contact on its tip
_LEAST_SPEED = 0.05  # [m/s] creepage is counted against at least this speed


@kernel(fastmath=FAST)
def wheel_rail_contact(tables, radius, d, v, gap_rate, speed, work, patches, wrench, jac_d, jac_v):
    """Wrench of the rail on one wheel, with its tangents.

    Parameters
    ----------
    tables : ContactTables
    radius : float [m]            of the wheel at its profile origin
    d : (6,) [m, rad]             pose of P relative to the rail (module text)
    v : (6,) [m/s, rad/s]         material velocity of the wheel at P relative to the rail at its crown, and
                                  material angular velocity of the wheel (spin included) relative to the rail
    gap_rate : (3,) [m/s, rad/s]  spatial vy, vz at P and roll rate relative to the rail, for normal damping
    speed : float [m/s]           running speed; creepages are counted against the mean of the speeds at which rail
                                  and wheel surface pass the contact (Kalker's rolling velocity)
    work : ContactWorkspace       scratch
    patches : (PATCH_MAX, K)   out: one row per patch, columns of variables.PATCH; while two regions merge, the
                                  merged and the separate readings stand in it with shares that add up to one
    wrench : (6,) [N, N m]        out: force and moment about P on the wheel
    jac_d : (6, 6)                out: d wrench / d d, by the normal force and the creep force's growth with it
    jac_v : (6, 6)                out: d wrench / d v, creep and damping

    Returns
    -------
    status : int                  OK or one of STATUS_TEXT; the outputs are filled as far as possible
    count : int                   patches found, 0 without contact
    """
    for i in range(6):
        wrench[i] = 0.0
        for k in range(6):
            jac_d[i, k] = 0.0
            jac_v[i, k] = 0.0
        if not (math.isfinite(d[i]) and math.isfinite(v[i])):
            return NOT_FINITE, 0
    pose = make_pose(tables.offset, radius, d)
    wheel, rail, start, rail_start = tables.wheel, tables.rail, tables.wheel_start, tables.rail_start
    inverse_step = tables.inverse_step
    step = COARSE_EVERY / inverse_step
    scan(tables.coarse_wheel, rail, rail_start, inverse_step, pose, work.coarse)
    eta, height = work.peaks, work.heights
    peaks = first_points(
        tables.detection,
        tables.detection_tables,
        tables.detection_scratch,
        wheel,
        start,
        rail,
        rail_start,
        inverse_step,
        pose,
        step,
        work.coarse,
        eta,
        height,
    )
    status = OK
    if peaks > work.peaks.size:
        status = TOO_MANY_PATCHES
        peaks = work.peaks.size
    count = separate_regions(
        wheel,
        start,
        rail,
        rail_start,
        inverse_step,
        pose,
        step,
        work.coarse,
        eta,
        height,
        peaks,
        work.saddles,
        work.regions,
    )
    if count > PATCH_MAX:
        status = TOO_MANY_PATCHES
        count = PATCH_MAX
    elastic = 0.0
    for p in range(count):
        r = work.regions[p]
        normal = patch_normal(tables, pose, work.coarse, eta, height, work.saddles, r, work.parts, work.strips[p])
        for k in range(12):
            work.normal[p, k] = normal[k]
        elastic += r[4] * normal[0]
        if r[0] < _CLIMB_ETA:
            status = FLANGE_CLIMB
    for p in range(count):
        _add_patch(tables, pose, work, p, elastic, v, gap_rate, speed, patches[p], wrench, jac_d, jac_v)
    if count == 0 and off_profile(tables, pose):
        status = OFF_PROFILE
    return status, count


@kernel(fastmath=FAST)
def _saturation(friction, fx, fy, load, slope_x, slope_y):
    """Tangent of the creep force from its secant, and its growth with the load.

    The shape of the curve is Vermeulen and Johnson's, T = mu N (1 - (1 - u/3)^3), entered at the actual force: along
    the force the slope is lower than the secant, across it is the secant, and dT/dN = mu (T/(mu N) - u (1 - u/3)^2).

    Returns
    -------
    bx, by : float     the tangent is the secant less (bx, by) (bx, by)^T
    gx, gy : float     growth of the force with the load
    """
    actual = math.sqrt(fx * fx + fy * fy)
    bound = friction * load
    if actual < 1e-6 * bound or bound <= 0.0:
        return 0.0, 0.0, 0.0, 0.0
    part = min(actual / bound, 0.999)
    rest = (1.0 - part) ** (1.0 / 3.0)
    u = 3.0 * (1.0 - rest)
    tangent = max(u * rest * rest / part, 0.05)  # over the secant; not to zero, for the iteration's sake
    growth = friction * (part - u * rest * rest) / actual
    ease = math.sqrt(max(1.0 - tangent, 0.0)) / actual
    return (
        ease * math.sqrt(max(slope_x, 0.0)) * fx,
        ease * math.sqrt(max(slope_y, 0.0)) * fy,
        growth * fx,
        growth * fy,
    )


@kernel(fastmath=FAST)
def _add_patch(tables, pose, work, p, elastic, v, gap_rate, speed, row, wrench, jac_d, jac_v):
    """Add one patch's wrench and tangents, and write its record."""
    share, normal = work.regions[p, 4], work.normal[p]
    load, factor, stiffness, x, y, z = normal[0], normal[1], normal[2], normal[3], normal[4], normal[5]
    ca, sa, half_length, half_width, area = normal[6], normal[7], normal[8], normal[9], normal[10]
    arm, force = work.arm, work.force
    patch_directions(x, y - pose.y, z - pose.z, ca, sa, arm)
    speed = max(abs(speed - 0.5 * (v[0] + v[4] * (z - pose.z) - v[5] * (y - pose.y))), _LEAST_SPEED)
    patch_creepage(arm, v, speed, work.creepage)
    damping = tables.normal_damping * load / (elastic + tables.damping_onset)
    opening = arm[2, 1] * gap_rate[0] + arm[2, 2] * gap_rate[1] + arm[2, 3] * gap_rate[2]
    elastic_load = load
    load = max(0.0, load - damping * opening)
    slope_x, slope_y, slope_spin = 0.0, 0.0, 0.0
    force[0], force[1], force[2] = 0.0, 0.0, 0.0
    if load > 0.0 and half_width > 1e-6 and half_length > 1e-6:
        slope_x, slope_y, slope_spin = patch_creep_force(
            tables,
            work.strips[p],
            int(normal[11]),
            area,
            half_length,
            half_width,
            load,
            work.creepage,
            work.flexibility,
            force,
        )
    else:
        damping, stiffness = 0.0, 0.0
    bx, by, gx, gy = _saturation(tables.friction, force[0], force[1], load, slope_x, slope_y)
    per = share / speed
    xx, xy, yy = per * (bx * bx - slope_x), per * bx * by, per * (by * by - slope_y)
    stiffness, damping, spin = share * stiffness, share * damping, per * slope_spin
    for i in range(6):
        ax, at, an = arm[0, i], arm[1, i], arm[2, i]
        wrench[i] += share * (ax * force[0] + at * force[1] + an * load)
        normal_way = an + gx * ax + gy * at
        along, across, press, damp = xx * ax + xy * at, xy * ax + yy * at, stiffness * normal_way, damping * normal_way
        for k in range(6):
            jac_d[i, k] -= press * arm[2, k]
            jac_v[i, k] += along * arm[0, k] + across * arm[1, k] - damp * arm[2, k]
    for i in range(3):
        wrench[3 + i] += share * force[2] * arm[2, i]
        for k in range(3):
            jac_v[3 + i, 3 + k] -= spin * arm[2, i] * arm[2, k]
    row[PATCH.y_rail] = y
    row[PATCH.y_wheel] = work.regions[p, 0]
    row[PATCH.load] = share * load
    row[PATCH.force_x], row[PATCH.force_y] = share * force[0], share * force[1]
    row[PATCH.spin_moment] = share * force[2]
    row[PATCH.xi], row[PATCH.eta], row[PATCH.phi] = work.creepage[0], work.creepage[1], work.creepage[2]
    row[PATCH.area] = area
    row[PATCH.peak_pressure] = factor * half_length * (load / elastic_load if elastic_load > 0.0 else 0.0)
    row[PATCH.contact_angle] = math.atan2(sa, ca)
    row[PATCH.half_length], row[PATCH.half_width] = half_length, half_width
    row[PATCH.approach] = work.regions[p, 1]
    row[PATCH.x_contact] = x
    row[PATCH.share] = share
