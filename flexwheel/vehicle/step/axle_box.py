"""Axle box on a flexible journal: motion of the journal centre and of the box, and what the box demands of the axle.

A revolute joint about the axle: the box follows the journal centre and its bending slope, does not spin, and has a
pitch of its own. Exact by construction, no constraint equations and no drift. All vectors in E axes.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.products import row_times
from flexwheel.vehicle.step.vectors import add_cross, cross, turn_y


class BoxBody(NamedTuple):
    """An axle box."""

    mass: float  # [kg]
    inertia: np.ndarray  # (3, 3) about its centre [kg m2]
    centre: np.ndarray  # (3,) from the journal centre, box axes [m]


class FrameMotion(NamedTuple):
    """Of the wheelset's frame, E axes, (3,) each."""

    acceleration: np.ndarray  # of the wheelset centre [m/s2]
    omega: np.ndarray  # [rad/s]
    alpha: np.ndarray  # [rad/s2]
    gravity: np.ndarray  # [m/s2]


@kernel
def journal_motion(position, rows, h, modes, spin, motion):
    """Journal centre from the wheelset centre and its slope vector, with spatial rates.

    Parameters
    ----------
    position : (3,) [m]         undeformed journal centre, on the axle
    rows : (6, H)               interface rows in E axes
    h : int                     how many modes
    modes : 3 of (H,)           material modal coordinates, their rates and accelerations
    spin : 2 floats             spin rate [rad/s] and its rate
    motion : (6, 3)             out: rho, rho', rho'', slope, slope', slope''
    """
    w, wd, wdd = modes
    spin_rate, spin_rate_dot = spin
    for o in range(2):
        base = 3 * o
        for c in range(3):
            motion[base, c] = row_times(rows, base + c, w, 0, h) + (position[c] if o == 0 else 0.0)
            motion[base + 1, c] = row_times(rows, base + c, wd, 0, h)
            motion[base + 2, c] = row_times(rows, base + c, wdd, 0, h)
        # a vector that turns with the mesh: r' = r'_mesh + Omega e_y x r
        x, z = motion[base, 0], motion[base, 2]
        xd, zd = motion[base + 1, 0], motion[base + 1, 2]
        motion[base + 1, 0] += spin_rate * z
        motion[base + 1, 2] -= spin_rate * x
        motion[base + 2, 0] += 2.0 * spin_rate * zd + spin_rate_dot * z - spin_rate * spin_rate * x
        motion[base + 2, 2] += -2.0 * spin_rate * xd - spin_rate_dot * x - spin_rate * spin_rate * z


@kernel
def box_demand(box, turn, motion, frame, applied, demand, work):
    """Wrench (6,) that the axle must supply at the journal centre: inertia of the box less what is applied to it.

    Parameters
    ----------
    box : BoxBody
    turn : 3 floats             pitch of the box about the axle, its rate and acceleration [rad, rad/s, rad/s2]
    motion : (6, 3)             of `journal_motion`
    frame : FrameMotion
    applied : (6,) [N, N m]     suspension wrench on the box about the journal centre
    demand : (6,)               out
    work : (8, 3)               scratch
    """
    mass, inertia, centre = box
    pitch, pitch_rate, pitch_acc = turn
    acc, omega, alpha, gravity = frame
    wb, ab, c, a, t, u, v, i_w = work[0], work[1], work[2], work[3], work[4], work[5], work[6], work[7]
    # angular velocity and acceleration of the box; its own spin about y is the pitch, never that of the axle
    t[0] = motion[4, 0]
    t[1] = pitch_rate
    t[2] = motion[4, 2]
    cross(omega, t, ab)
    for i in range(3):
        wb[i] = omega[i] + t[i]
        ab[i] += alpha[i]
    ab[0] += motion[5, 0]
    ab[1] += pitch_acc
    ab[2] += motion[5, 2]
    # mass centre from the journal centre
    turn_y(pitch, centre, c)
    t[0] = motion[3, 0]
    t[1] = 0.0
    t[2] = motion[3, 2]
    cross(t, c, u)
    for i in range(3):
        c[i] += u[i]
    # acceleration of the mass centre
    cross(omega, motion[0], t)
    cross(omega, t, a)
    add_cross(alpha, motion[0], a)
    cross(omega, motion[1], t)
    cross(wb, c, u)
    cross(wb, u, v)
    cross(ab, c, u)
    for i in range(3):
        a[i] += acc[i] + 2.0 * t[i] + motion[2, i] + u[i] + v[i] - gravity[i]
        demand[i] = mass * a[i]
    # moment about the mass centre, in box axes, then to the journal centre
    turn_y(-pitch, wb, t)
    turn_y(-pitch, ab, u)
    for i in range(3):
        i_w[i] = inertia[i, 0] * t[0] + inertia[i, 1] * t[1] + inertia[i, 2] * t[2]
    cross(t, i_w, v)
    for i in range(3):
        v[i] += inertia[i, 0] * u[0] + inertia[i, 1] * u[1] + inertia[i, 2] * u[2]
    turn_y(pitch, v, t)
    add_cross(c, demand[:3], t)
    for i in range(3):
        demand[i] -= applied[i]
        demand[3 + i] = t[i] - applied[3 + i]
