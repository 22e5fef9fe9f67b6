"""Motion of bodies whose coordinates are relative to the moving track frame, exact in all curve terms.

Coordinates q = (s, y, z, yaw, roll, spin): the centre lies at rho = (0, y, z) in the track frame at the
body's own arc length s, the frame `E` of the body is A_E = A(s) Rz(yaw) Rx(roll), the body itself A_E
Ry(spin). With the curvature vector kappa of the track frame (track axes, dA/ds = A skew(kappa)) and Q =
Rz(yaw) Rx(roll):

    v     = s' e_x + s' kappa x rho + rho'                                   track axes
    a     = dv/dt + s' kappa x v                                             track axes
    w_E   = Q^T s' kappa + yaw' (0, sin roll, cos roll) + roll' e_x          E axes
    w     = w_E + spin' e_y                                                  E axes
    alpha = dw/dt + w_E x w                                                  E axes

Velocities are linear in q', so a Jacobian (6, 6) carries both velocities and generalised forces:
(v, w) = J q', (a, alpha) = J q'' + bias, and a wrench (F, M) at the centre in E axes has the generalised
force J^T (F, M).

Source: kinematics of relative motion, e.g. Shabana, Zaazaa and Sugiyama 2008, Railroad Vehicle Dynamics,
ch. 3. Verified in tests/vehicle/test_bodies_kinematics_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel


class TrackFrames(NamedTuple):
    """Track frame at the arc length of each body; filled by the track layout."""

    position: np.ndarray  # (B, 3) origin, global [m]
    rotation: np.ndarray  # (B, 3, 3) A, track -> global
    kappa: np.ndarray  # (B, 3) curvature vector, track axes [1/m]
    dkappa: np.ndarray  # (B, 3) its derivative along s [1/m2]


class BodyMotion(NamedTuple):
    """Motion of B bodies; E axes unless said otherwise."""

    position: np.ndarray  # (B, 3) centre, global [m]
    rotation: np.ndarray  # (B, 3, 3) A_E, E -> global
    velocity: np.ndarray  # (B, 3) of the centre [m/s]
    omega_frame: np.ndarray  # (B, 3) angular velocity of E [rad/s]
    omega: np.ndarray  # (B, 3) angular velocity of the body [rad/s]
    jacobian: np.ndarray  # (B, 6, 6) (velocity, omega) = J q'
    bias: np.ndarray  # (B, 6) (acceleration, alpha) at q'' = 0
    acceleration: np.ndarray  # (B, 3) of the centre [m/s2]
    alpha: np.ndarray  # (B, 3) angular acceleration of the body [rad/s2]
    housing_rotation: np.ndarray  # (B, 3, 3) frame that carries attachments: E if the body spins, else the body's own
    housing_velocity: np.ndarray  # (B, 3) of the centre, global axes [m/s]
    housing_omega: np.ndarray  # (B, 3) of the housing frame, global axes [rad/s]


def make_track_frames(body_count: int) -> TrackFrames:
    """Straight, level track frames of `body_count` bodies."""
    rotation = np.zeros((body_count, 3, 3))
    rotation[:] = np.eye(3)
    return TrackFrames(np.zeros((body_count, 3)), rotation, np.zeros((body_count, 3)), np.zeros((body_count, 3)))


def make_body_motion(body_count: int) -> BodyMotion:
    """Arrays of the motion of `body_count` bodies, zero."""
    n = body_count
    return BodyMotion(
        position=np.zeros((n, 3)),
        rotation=np.zeros((n, 3, 3)),
        velocity=np.zeros((n, 3)),
        omega_frame=np.zeros((n, 3)),
        omega=np.zeros((n, 3)),
        jacobian=np.zeros((n, 6, 6)),
        bias=np.zeros((n, 6)),
        acceleration=np.zeros((n, 3)),
        alpha=np.zeros((n, 3)),
        housing_rotation=np.zeros((n, 3, 3)),
        housing_velocity=np.zeros((n, 3)),
        housing_omega=np.zeros((n, 3)),
    )


@kernel
def body_velocities(q, qd, spins, track, motion, b):
    """Position, rotation, velocities, Jacobian and bias of body b; see `bodies_velocities`."""
    y, z, yaw, roll, spin = q[b, 1], q[b, 2], q[b, 3], q[b, 4], q[b, 5]
    sd, yd, zd, yawd, rolld, spind = qd[b, 0], qd[b, 1], qd[b, 2], qd[b, 3], qd[b, 4], qd[b, 5]
    kx, ky, kz = track.kappa[b, 0], track.kappa[b, 1], track.kappa[b, 2]
    dx, dy, dz = track.dkappa[b, 0], track.dkappa[b, 1], track.dkappa[b, 2]
    cy, sy = np.cos(yaw), np.sin(yaw)
    cr, sr = np.cos(roll), np.sin(roll)

    # Q = Rz(yaw) Rx(roll)
    q00, q01, q02 = cy, -sy * cr, sy * sr
    q10, q11, q12 = sy, cy * cr, -cy * sr
    q21, q22 = sr, cr  # q20 = 0

    A = track.rotation
    R = motion.rotation
    for i in range(3):
        a0, a1, a2 = A[b, i, 0], A[b, i, 1], A[b, i, 2]
        motion.position[b, i] = track.position[b, i] + a1 * y + a2 * z  # 004 (1)
        R[b, i, 0] = a0 * q00 + a1 * q10
        R[b, i, 1] = a0 * q01 + a1 * q11 + a2 * q21
        R[b, i, 2] = a0 * q02 + a1 * q12 + a2 * q22

    # columns of the Jacobian: track axes turned by Q^T; e_x + kappa x rho for the first
    J = motion.jacobian
    ux, uy, uz = 1.0 + ky * z - kz * y, -kx * z, kx * y
    J[b, 0, 0] = q00 * ux + q10 * uy
    J[b, 1, 0] = q01 * ux + q11 * uy + q21 * uz
    J[b, 2, 0] = q02 * ux + q12 * uy + q22 * uz
    J[b, 0, 1], J[b, 1, 1], J[b, 2, 1] = q10, q11, q12
    J[b, 0, 2], J[b, 1, 2], J[b, 2, 2] = 0.0, q21, q22
    ex = q00 * kx + q10 * ky
    ey = q01 * kx + q11 * ky + q21 * kz
    ez = q02 * kx + q12 * ky + q22 * kz
    J[b, 3, 0], J[b, 4, 0], J[b, 5, 0] = ex, ey, ez
    J[b, 4, 3], J[b, 5, 3] = sr, cr
    J[b, 3, 4] = 1.0
    J[b, 4, 5] = 1.0

    v, w, wf = motion.velocity, motion.omega, motion.omega_frame
    for i in range(3):
        v[b, i] = J[b, i, 0] * sd + J[b, i, 1] * yd + J[b, i, 2] * zd  # 004 (7)
    rx, ry, rz = rolld, yawd * sr, yawd * cr  # of E relative to the track frame
    wf[b, 0] = sd * ex + rx
    wf[b, 1] = sd * ey + ry
    wf[b, 2] = sd * ez + rz
    w[b, 0] = wf[b, 0]
    w[b, 1] = wf[b, 1] + spind
    w[b, 2] = wf[b, 2]

    # bias: s'^2 dkappa x rho + s' kappa x rho' + s' kappa x v, with v = s' u + rho'
    s2 = sd * sd
    px, py, pz = sd * ux, sd * uy + 2.0 * yd, sd * uz + 2.0 * zd
    bx = s2 * (dy * z - dz * y) + sd * (ky * pz - kz * py)
    by = -s2 * dx * z + sd * (kz * px - kx * pz)
    bz = s2 * dx * y + sd * (kx * py - ky * px)
    bias = motion.bias
    bias[b, 0] = q00 * bx + q10 * by
    bias[b, 1] = q01 * bx + q11 * by + q21 * bz
    bias[b, 2] = q02 * bx + q12 * by + q22 * bz
    # Q^T s'^2 dkappa - w_rel x Q^T s' kappa + rates of the yaw axis + w_E x spin' e_y
    bias[b, 3] = s2 * (q00 * dx + q10 * dy) - sd * (ry * ez - rz * ey) - wf[b, 2] * spind
    bias[b, 4] = s2 * (q01 * dx + q11 * dy + q21 * dz) - sd * (rz * ex - rx * ez) + yawd * rolld * cr
    bias[b, 5] = s2 * (q02 * dx + q12 * dy + q22 * dz) - sd * (rx * ey - ry * ex) - yawd * rolld * sr + wf[b, 0] * spind

    # frame that carries suspension points
    H = motion.housing_rotation
    if spins[b]:
        cs, ss, rate = 1.0, 0.0, 0.0
    else:
        cs, ss, rate = np.cos(spin), np.sin(spin), spind
    for i in range(3):
        H[b, i, 0] = cs * R[b, i, 0] - ss * R[b, i, 2]
        H[b, i, 1] = R[b, i, 1]
        H[b, i, 2] = ss * R[b, i, 0] + cs * R[b, i, 2]
        motion.housing_velocity[b, i] = R[b, i, 0] * v[b, 0] + R[b, i, 1] * v[b, 1] + R[b, i, 2] * v[b, 2]
        motion.housing_omega[b, i] = R[b, i, 0] * wf[b, 0] + R[b, i, 1] * (wf[b, 1] + rate) + R[b, i, 2] * wf[b, 2]


@kernel
def bodies_velocities(q, qd, spins, track, motion):
    """Positions, rotations, velocities, Jacobians and biases of all bodies.

    Parameters
    ----------
    q, qd : (B, 6)        coordinates (s, y, z, yaw, roll, spin) and their rates [m, rad, m/s, rad/s]
    spins : (B,) bool     True where attachments ride on the non-spinning frame E (wheelsets), False where
                          `spin` is the pitch of the body that carries them (car body, bogie frame, axle box)
    track : TrackFrames   track frame at each q[b, 0]
    motion : BodyMotion   filled, except acceleration and alpha
    """
    for b in range(q.shape[0]):
        body_velocities(q, qd, spins, track, motion, b)


@kernel
def bodies_accelerations(qdd, motion):
    """Acceleration of the centres and angular acceleration of the bodies for given qdd (B, 6), E axes."""
    J, bias = motion.jacobian, motion.bias
    for b in range(qdd.shape[0]):
        for i in range(3):
            motion.acceleration[b, i] = (
                bias[b, i] + J[b, i, 0] * qdd[b, 0] + J[b, i, 1] * qdd[b, 1] + J[b, i, 2] * qdd[b, 2]
            )
        motion.alpha[b, 0] = bias[b, 3] + J[b, 3, 0] * qdd[b, 0] + qdd[b, 4]
        motion.alpha[b, 1] = bias[b, 4] + J[b, 4, 0] * qdd[b, 0] + J[b, 4, 3] * qdd[b, 3] + qdd[b, 5]
        motion.alpha[b, 2] = bias[b, 5] + J[b, 5, 0] * qdd[b, 0] + J[b, 5, 3] * qdd[b, 3]


@kernel
def add_generalised_force(motion, b, force, moment, generalised):
    """Add J^T (force, moment) of body b to generalised (6,); force and moment (3,) at the centre, E axes."""
    J = motion.jacobian
    for j in range(6):
        total = 0.0
        for i in range(3):
            total += J[b, i, j] * force[i] + J[b, 3 + i, j] * moment[i]
        generalised[j] += total
