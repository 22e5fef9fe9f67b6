"""Pose and velocity of each wheel profile relative to its rail, in the mirrored frame of the contact law.

A rail turns about its crown: the frame of the contact law is that of the moved rail's section.
"""

import math

from flexwheel.contact.rail_along import lay_rail
from flexwheel.numerics.kernels import kernel
from flexwheel.track.irregularity import irregularity_at
from flexwheel.track.rail_model import rail_free_at
from flexwheel.track.roundness import roundness_at
from flexwheel.vehicle.products import row_times
from flexwheel.vehicle.step.vectors import add_cross, cross, rotate

NO_SPIN = (0, 1, 2, 3, 5)  # rows of a profile that move its contact; the turn about the axle is a velocity alone


@kernel
def irregularity_under(model, work, w, s):
    """Fill work.irregularity and rails of both wheels of wheelset w at arc length s [m], work.roundness at its spin."""
    irregularity_at(model.irregularity, s, work.wear4, work.wear_slope4)
    for side in range(2):
        for c in range(2):
            work.irregularity[w, side, c] = work.wear4[2 * side + c]
            work.irregularity[w, side, 2 + c] = work.wear_slope4[2 * side + c]
        height, place, slope = work.track_height[w, side]
        work.irregularity[w, side, 1] += height + slope * (s - place)
        work.irregularity[w, side, 3] += slope
        lay_rail(model.contact[2 * w + side], s)
    roundness_at(model.roundness, w, work.q[model.units.offset[model.wheelsets.unit[w]] + 5], work.roundness[w])


@kernel
def profile_motion(model, state, w, side, work):
    """Fill work.pose, work.rate and work.gap_rate of one wheel, from work.rail and work.irregularity.

    pose (6,)      profile origin from its nominal place in the moved rail's section, in its axes: x, y, z, roll, pitch,
                   yaw [m, rad]
    rate (6,)      velocity of the wheel's material there less that of the rail's, with the full spin [m/s, rad/s]
    gap_rate (6,)  rate of change of the pose, with the travel along the rail's slope
    """
    wheelsets = model.wheelsets
    u = wheelsets.unit[w]
    o = model.units.offset[u]
    h = wheelsets.mode_count[w]
    motion = work.motion
    v = work.vectors
    p, velocity, spatial, t, turn, turn_e = v[0], v[1], v[2], v[3], v[4], v[5]
    shift = work.shift[w, side]
    spin_rate = work.qd6[u, 5]
    p[0] = shift[0]
    p[1] = wheelsets.lateral[w, side] + shift[1]
    p[2] = -wheelsets.radius[w] - work.roundness[w, side, 0] + shift[2]
    rows = work.tread[w, side]
    slope = work.tread_slope[w, side]
    rates = work.profile_rate
    spatial_rates = work.profile_spatial_rate
    rates[4] = row_times(rows, 4, work.qd, o + 6, h)
    for c in NO_SPIN:
        rates[c] = row_times(rows, c, work.qd, o + 6, h)
        spatial_rates[c] = rates[c] + spin_rate * row_times(slope, c, work.q, o + 6, h)
    spatial_rates[2] -= spin_rate * work.roundness[w, side, 1]
    # E axes: material and spatial velocity of the profile origin, material and frame angular velocity
    omega, frame = motion.omega[u], motion.omega_frame[u]
    for i in range(3):
        velocity[i] = motion.velocity[u, i] + rates[i]
        spatial[i] = motion.velocity[u, i] + spatial_rates[i]
    add_cross(omega, p, velocity)
    add_cross(frame, p, spatial)
    to_track = work.to_track[u]
    rotate(to_track, p, t)
    x = t[0]
    kappa = work.track.kappa[u]
    pose, rate, gap_rate = work.pose[w, side], work.rate[w, side], work.gap_rate[w, side]
    # displacements from the nominal place, track axes; the rail curves away under the wheel's lead x
    mirror = 1.0 if side == 0 else -1.0
    rail = work.rail[w, side]
    wear = work.irregularity[w, side]
    pose[0] = x
    pose[1] = work.q6[u, 1] + t[1] - wheelsets.lateral[w, side] - 0.5 * kappa[2] * x * x - rail[0, 1] - wear[0]
    pose[2] = work.q6[u, 2] + t[2] + 0.5 * kappa[1] * x * x - rail[0, 2] - wear[1]
    yaw = work.q6[u, 3]
    roll = work.q6[u, 4]
    pose[3] = roll + shift[3] - kappa[0] * x - rail[0, 3]
    pose[4] = 0.0
    pose[5] = yaw + shift[5] - kappa[2] * x
    # the static residual of the truncated modes, spread over the profile
    wrench = state.wrench[w, side]
    c = wheelsets.residual[w, side]
    pose[1] += compliance_row(c, 1, wrench)
    pose[2] += compliance_row(c, 2, wrench)
    pose[3] += compliance_row(c, 3, wrench)
    pose[5] += compliance_row(c, 5, wrench)
    # velocities
    turn_e[0] = omega[0] + rates[3]
    turn_e[1] = omega[1] + rates[4]
    turn_e[2] = omega[2] + rates[5]
    rotate(to_track, velocity, rate)
    rotate(to_track, turn_e, turn)
    rotate(to_track, spatial, gap_rate)
    # what of the rail lies at the profile origin moves as the rail turns about its crown
    arm_y, arm_z = pose[1] + mirror * model.contact[2 * w + side].offset, pose[2]
    for i in range(3):
        rate[i] -= rail[1, i]
        rate[3 + i] = turn[i]
    rate[1] += rail[1, 3] * arm_z
    rate[2] -= rail[1, 3] * arm_y
    rate[3] -= rail[1, 3]
    travel = work.qd6[u, 0]
    # the track frame itself turns under the body: only the motion relative to it closes the gap
    turn_e[0] = travel * kappa[0]
    turn_e[1] = travel * kappa[1]
    turn_e[2] = travel * kappa[2]
    t[1] += work.q6[u, 1]
    t[2] += work.q6[u, 2]
    cross(turn_e, t, spatial)
    for i in range(3):
        gap_rate[i] -= spatial[i]
    gap_rate[0] -= travel
    lead = gap_rate[0]
    turning = rail[1, 3] + travel * rail[2, 3]
    gap_rate[1] -= kappa[2] * x * lead + rail[1, 1] + travel * (rail[2, 1] + wear[2]) - turning * arm_z
    gap_rate[2] += kappa[1] * x * lead - rail[1, 2] - travel * (rail[2, 2] + wear[3]) - turning * arm_y
    gap_rate[3] = work.qd6[u, 4] + spatial_rates[3] - kappa[0] * lead - turning
    gap_rate[4] = 0.0
    gap_rate[5] = work.qd6[u, 3] + spatial_rates[5] - kappa[2] * lead
    c, s = math.cos(rail[0, 3]), math.sin(rail[0, 3])
    pose[1] += (c - 1.0) * arm_y + s * arm_z
    pose[2] += (c - 1.0) * arm_z - s * arm_y
    turn_x(-rail[0, 3], rate, 1)
    turn_x(-rail[0, 3], rate, 4)
    turn_x(-rail[0, 3], gap_rate, 1)
    if mirror < 0.0:
        flip(pose)
        flip(rate)
        flip(gap_rate)


@kernel
def place_wheel(model, state, rail_state, w, side, work):
    """Pose and rates of one wheel at the corrected iterate (linear in the pending accelerations)."""
    gd = model.coefficients.gamma * model.coefficients.dt
    o = model.units.offset[model.wheelsets.unit[w]]
    n = model.units.offset[model.wheelsets.unit[w] + 1] - o
    rail = work.rail[w, side]
    rail_free_at(model.rail, rail_state, w, work.q[o], side, rail[0], rail[1], rail[2])
    profile_motion(model, state, w, side, work)
    pose, rate, gap_rate = work.pose[w, side], work.rate[w, side], work.gap_rate[w, side]
    g, place, speed = work.g[w, 6 * side : 6 * side + 6], work.applied6, work.wrench6
    for k in range(n):
        work.gained[k] = work.gain[o + k] * work.step[o + k]
    for c in range(6):
        speed[c] = gd * row_times(g, c, work.step, o, n)
        place[c] = row_times(g, c, work.gained, 0, n)
    turn_x(-rail[0, 3], place, 1)
    turn_x(-rail[0, 3], speed, 1)
    for c in range(6):
        sign = -1.0 if side == 1 and (c == 1 or c == 3 or c == 5) else 1.0
        pose[c] += sign * place[c]
        rate[c] += sign * speed[c]
        gap_rate[c] += sign * speed[c]


@kernel(inline="always")
def compliance_row(c, row, wrench):
    """Row of the (6, 6) residual compliance times a wrench (6,)."""
    return (
        c[row, 0] * wrench[0]
        + c[row, 1] * wrench[1]
        + c[row, 2] * wrench[2]
        + c[row, 3] * wrench[3]
        + c[row, 4] * wrench[4]
        + c[row, 5] * wrench[5]
    )


@kernel(inline="always")
def turn_x(angle, values, at):
    """Turn the y and z components of a vector, values[at] and the next one, by an angle [rad] about x."""
    c, s = math.cos(angle), math.sin(angle)
    y, z = values[at], values[at + 1]
    values[at], values[at + 1] = c * y - s * z, s * y + c * z


@kernel(inline="always")
def flip(values):
    """Mirror (6,) at the plane y = 0: polar (x, -y, z), axial (-x, y, -z)."""
    values[1] = -values[1]
    values[3] = -values[3]
    values[5] = -values[5]
