"""Contact of one wheel with one rail: patches, normal and creep forces, wrench and tangents.

One call per wheel and iteration. Everything is in the left-like frame (x forward, y to the field side, z up;
the flange at negative y); a right wheel is solved mirrored.

Pose d = (x, y, z, roll, pitch, yaw) of the wheel profile origin P relative to the rail: at d = 0, P (the tread
datum, at the lowest point of its circle) stands at the height of the rail crown and, laterally, where the
centred wheelset puts it on the nominal gauge (`tables.offset` from the crown). d_z < 0 presses. x and pitch have
no effect.

Sources: virtual penetration Piotrowski and Kik 2008; FASTSIM Kalker 1982; Polach 1999.
Verified in tests/verification/test_wheel_rail_verified.py and tests/contact/test_contact_wrench.py.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.base.variables import PATCH, PATCH_MAX
from flexwheel.contact.contact_tables import COARSE_EVERY
from flexwheel.contact.creepage import patch_creepage, patch_directions
from flexwheel.contact.detection.detect import first_points
from flexwheel.contact.fastsim import Tangent
from flexwheel.contact.friction.law import coefficient_of_friction
from flexwheel.contact.gap import FAST, SampledDepth, across_wheel, make_pose, off_profile, scan
from flexwheel.contact.mutual_lift import press_together
from flexwheel.contact.normal import NORMAL, wheel_normal
from flexwheel.contact.rail_along import rise_along
from flexwheel.contact.regions import REGION, separate_regions
from flexwheel.contact.tangential import equivalent_ellipse, patch_creep_force
from flexwheel.numerics.kernels import kernel

OK = 0
TOO_MANY_PATCHES = 1
FLANGE_CLIMB = 2
OFF_PROFILE = 3
NOT_FINITE = 4
STATUS_TEXT = {
    OK: "in order",
    TOO_MANY_PATCHES: "more contact patches than a wheel has room for: noise in a profile? see its smoothing_mm",
    FLANGE_CLIMB: "the wheel stands on its flange tip",
    OFF_PROFILE: "the wheel has left the rail head",
    NOT_FINITE: "the wheel's pose or velocity is not finite",
}

CLIMB_ETA = -0.048  # [m] past the 70 degree face of the flange: contact on its tip
POSE_STEP = 1e-8  # [m, rad] of differences
_LEAST_SPEED = 0.05  # [m/s] creepage is counted against at least this speed


class WheelMotion(NamedTuple):
    """Pose and velocity of one wheel against its rail."""

    d: np.ndarray  # (6,) [m, rad] pose of P relative to the rail (module text)
    v: np.ndarray  # (6,) [m/s, rad/s] material velocity of the wheel at P relative to the rail at its crown, and
    # material angular velocity of the wheel (spin included) relative to the rail
    gap_rate: np.ndarray  # (3,) [m/s, rad/s] spatial vy, vz at P and roll rate relative to the rail, for damping
    speed: float  # [m/s] running speed; creepages are counted against the mean of the speeds at which rail and wheel
    # surface pass the contact (Kalker's rolling velocity)
    place: float = 0.0  # [m] arc length along the track, for friction
    exact: bool = False  # tangents by the pose are differences, at seven times the cost
    BY_VALUE = True


@kernel
def wheel_rail_contact(tables, radius, motion, scratch, result):
    """Wrench of the rail on one wheel, with its tangents.

    Tangents by v, at which the gap's rates move along, are exact but for the rolling speed and load that a friction law
    may take; on random poses to the flange within 0.03 % (p90) of differences. Those by d, with the rates held, leave
    out how patches move and change on the profiles: 0 to 6 % (median) and up to 36 % (p90) from differences. With
    `motion.exact` they are differences.

    Parameters
    ----------
    tables : ContactTables
    radius : float [m]            of the wheel at its profile origin
    motion : WheelMotion
    scratch : ContactScratch
    result : ContactResult        out

    Returns
    -------
    status : int                  OK or one of STATUS_TEXT; the outputs are filled as far as possible
    count : int                   patches, 0 without contact; of more than PATCH_MAX, all in the wrench, the heaviest
    """
    d, columns = motion.d, scratch.columns
    status, count = OK, 0
    for i in range(6 if motion.exact else 0, -1, -1):  # the last one without change
        k = max(i - 1, 0)
        moved = d[k]
        d[k] += POSE_STEP if i > 0 else 0.0
        status, count = _contact(tables, radius, motion, scratch, result)
        d[k] = moved
        for c in range(6 if i > 0 else 0):
            columns[c, k] = result.wrench[c]
    for c in range(6 if motion.exact else 0):
        for k in range(6):
            result.jac_d[c, k] = (columns[c, k] - result.wrench[c]) / POSE_STEP
    return status, count


@kernel(fastmath=FAST, forceinline=True)
def touching(tables, radius, d, scratch):
    """Pose, SampledDepth, number of first-touch points (m + 1: more than fit) and of regions in a pose d (6,)."""
    pose, pair, peaks = make_pose(tables.offset, radius, d), tables.pair, scratch.peaks
    first, last = scan(tables.coarse_wheel, pair, pose, scratch.depth)
    sampled = SampledDepth(COARSE_EVERY / pair.inverse_step, scratch.depth, first, last)
    touches = first_points(tables.detection, pair, pose, sampled, peaks)
    fit = min(touches, peaks.places.size)
    count = separate_regions(pair, pose, sampled, peaks, fit, scratch.regions, tables.normal.whole)
    return pose, sampled, touches, count


@kernel(fastmath=FAST)
def _contact(tables, radius, motion, scratch, result):
    """`wheel_rail_contact` with the quick tangents."""
    d, v = motion.d, motion.v
    result.wrench[:], result.jac_d[:], result.jac_v[:] = 0.0, 0.0, 0.0
    for i in range(6):
        if not (math.isfinite(d[i]) and math.isfinite(v[i])):
            return NOT_FINITE, 0
    pose, sampled, touches, count = touching(tables, radius, d, scratch)
    status, elastic = TOO_MANY_PATCHES if touches > scratch.peaks.places.size else OK, 0.0
    count, whole = wheel_normal(tables, pose, sampled, scratch, count), tables.normal.whole
    for p in range(count):
        region = scratch.regions[p]
        elastic += region[REGION.share] * scratch.normal[p, NORMAL.normal_force]
        if region[REGION.place] < CLIMB_ETA:
            status = FLANGE_CLIMB
        if whole:
            continue
        row, arm = scratch.normal[p], scratch.arm
        away = row[NORMAL.x], row[NORMAL.y] - pose.y, row[NORMAL.z] - pose.z
        patch_directions(*away, row[NORMAL.cosine], row[NORMAL.sine], arm)
        for k in range(6):
            scratch.press[p, k] = row[NORMAL.stiffness] * arm[2, k]
    for c in range(6 if whole and count > 0 else 0):
        for k in range(6):
            result.jac_d[c, k] -= scratch.stiffness[c, k]
    if count > 1 and not whole:
        press_together(scratch.lift, count, scratch.normal, scratch.press)
    for p in range(count):
        _add_patch(tables, pose, motion, scratch, p, elastic, result)
    if count == 0 and off_profile(tables.pair, pose):
        status = OFF_PROFILE
    return status, min(count, PATCH_MAX)


@kernel(fastmath=FAST)
def elastic_load(tables, radius, d, scratch):
    """Vertical elastic force [N] on a wheel at a pose d (6,), without friction, and whether its patches fit."""
    (pose, sampled, touches, count), load = touching(tables, radius, d, scratch), 0.0
    for p in range(wheel_normal(tables, pose, sampled, scratch, count)):
        normal = scratch.normal[p]
        load += scratch.regions[p, REGION.share] * normal[NORMAL.normal_force] * normal[NORMAL.cosine]
    return load, touches <= scratch.peaks.places.size and count <= PATCH_MAX


@kernel(fastmath=FAST)
def _add_patch(tables, pose, motion, scratch, p, elastic, result):
    """Add one patch's wrench and tangents, and write its record; elastic [N]: load of all patches."""
    region, normal = scratch.regions[p], scratch.normal[p]
    wrench, jac_d, jac_v = result.wrench, result.jac_d, result.jac_v
    v, gap_rate, share = motion.v, motion.gap_rate, region[REGION.share]
    normal_force, area, press = normal[NORMAL.normal_force], normal[NORMAL.area], scratch.press[p]
    x, y, z = normal[NORMAL.x], normal[NORMAL.y], normal[NORMAL.z]
    ca, sa = normal[NORMAL.cosine], normal[NORMAL.sine]
    half_length, half_width = normal[NORMAL.half_length], normal[NORMAL.half_width]
    arm, force, creepage = scratch.arm, scratch.force, scratch.creepage
    patch_directions(x, y - pose.y, z - pose.z, ca, sa, arm)
    speed = max(abs(motion.speed - 0.5 * (v[0] + v[4] * (z - pose.z) - v[5] * (y - pose.y))), _LEAST_SPEED)
    patch_creepage(arm, v, speed, creepage)
    damping = tables.normal_damping * normal_force / (elastic + tables.damping_onset)
    opening = arm[2, 1] * gap_rate[0] + arm[2, 2] * gap_rate[1] + arm[2, 3] * gap_rate[2]
    rise = rise_along(tables, y)
    ahead = (pose.radius + pose.z - z) * rise
    if rise != 0.0:  # the normal leans back, the contact lies ahead, the rail comes up: see rail_along
        arm[2, 0] = -ca * rise
        arm[2, 4] -= ca * (rise * (z - pose.z) + ahead)
        arm[2, 5] += ca * rise * (y - pose.y) - sa * ahead
        opening -= ca * rise * motion.speed
    elastic_force = normal_force
    normal_force = max(0.0, normal_force - damping * opening)
    t, by_slip = Tangent(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.0
    force[0], force[1], force[2] = 0.0, 0.0, 0.0
    if normal_force > 0.0 and half_width > 1e-6 and half_length > 1e-6:
        ellipse = equivalent_ellipse(tables, area, half_length / half_width)
        strips = int(normal[NORMAL.strips])
        of_patch = normal_force, area, y, math.atan2(sa, ca)
        friction, by_slip = coefficient_of_friction(tables, speed, creepage, of_patch, motion.place)
        load = normal_force, friction
        t = patch_creep_force(tables, ellipse, scratch.strips[p], strips, load, creepage, force)
        if by_slip != 0.0 and friction > 0.0:  # the bound's change with slip, relative to it and per creepage
            by_slip *= speed / (friction * (math.sqrt(creepage[0] ** 2 + creepage[1] ** 2) + 1e-300))
    else:
        damping, press[:] = 0.0, 0.0
    xi, eta, phi = creepage[0], creepage[1], creepage[2]
    # creep forces are of the first degree in creepages and bound; with the load N the patch grows alike, by N^(1/3)
    slip_x, slip_y, slip_m = t.xx * xi + t.xy * eta, t.yx * xi + t.yy * eta, t.px * xi + t.py * eta
    by_bound_x, by_bound_y = force[0] + slip_x + t.xp * phi, force[1] + slip_y + t.yp * phi
    by_bound_m = force[2] + slip_m + t.pp * phi
    each = 1.0 / normal_force if normal_force > 0.0 else 0.0
    gx, gy = each * (force[0] + slip_x / 3.0), each * (force[1] + slip_y / 3.0)
    gm = each * (4.0 * force[2] + slip_m) / 3.0
    lost_x, lost_y, lost_m = by_slip * by_bound_x, by_slip * by_bound_y, by_slip * by_bound_m
    # by xi also through the speed, of which the wheel's has half
    xx = t.xx - lost_x * xi + 0.5 * (slip_x + t.xp * phi)
    yx = t.yx - lost_y * xi + 0.5 * (slip_y + t.yp * phi)
    px = t.px - lost_m * xi + 0.5 * (slip_m + t.pp * phi)
    xy, yy, py, per = t.xy - lost_x * eta, t.yy - lost_y * eta, t.py - lost_m * eta, share / speed
    damping *= share
    direct = 0.0 if tables.normal.whole else 1.0  # the law has the change of all loads
    lead = (pose.radius + pose.z - z) * sa / ca - y + pose.y  # by yaw the patch moves along the rail, slips sideways
    lead_slip = lead * (ca * v[5] - sa * v[4])
    jac_d[4, 5] -= share * lead * (sa * force[1] + ca * normal_force)
    jac_d[5, 5] += share * lead * (ca * force[1] - sa * normal_force)
    for i in range(6):
        ax, at, an, am = arm[0, i], arm[1, i], arm[2, i], arm[2, i - 3] if i > 2 else 0.0
        whole = ax * force[0] + at * force[1] + an * normal_force + am * force[2]
        wrench[i] += share * whole
        jac_d[i, 2] -= region[REGION.share_rate] * whole
        normal_way = direct * an + gx * ax + gy * at + gm * am
        pressed = share * normal_way
        damp = damping * (an + each * (by_bound_x * ax + by_bound_y * at + by_bound_m * am))
        along, across = per * (ax * xx + at * yx + am * px), per * (ax * xy + at * yy + am * py)
        turn = per * (ax * t.xp + at * t.yp + am * t.pp)
        jac_d[i, 5] -= across * lead_slip
        for k in range(6):
            jac_d[i, k] -= pressed * press[k]
            jac_v[i, k] -= along * arm[0, k] + across * arm[1, k] + damp * arm[2, k]
        for k in range(3):
            jac_v[i, 3 + k] -= turn * arm[2, k]
    if p >= PATCH_MAX:  # the row of the lightest is for a heavier one
        p = np.argmin(result.patches[:, PATCH.normal_force])
        if result.patches[p, PATCH.normal_force] >= share * normal_force:
            return
    row = result.patches[p]
    row[PATCH.y_rail] = y
    row[PATCH.y_wheel] = across_wheel(pose, x, y, z)
    row[PATCH.normal_force] = share * normal_force
    row[PATCH.force_x], row[PATCH.force_y] = share * force[0], share * force[1]
    row[PATCH.spin_moment] = share * force[2]
    row[PATCH.xi], row[PATCH.eta], row[PATCH.phi] = creepage[0], creepage[1], creepage[2]
    row[PATCH.area] = area
    damped = normal_force / elastic_force if elastic_force > 0.0 else 0.0
    row[PATCH.peak_pressure] = normal[NORMAL.peak] * damped
    row[PATCH.contact_angle] = math.atan2(sa, ca)
    row[PATCH.half_length], row[PATCH.half_width] = half_length, half_width
    row[PATCH.approach] = region[REGION.depth]
    row[PATCH.x_contact] = x + ahead
    row[PATCH.share] = share
