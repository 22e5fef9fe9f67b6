"""Inertia forces of a flexible body in a floating frame, every term, from the volume integrals of the body.

Material point: r = X + u, u = H w, in the axes of the mesh; frame with acceleration A of its origin (the
mesh), angular velocity omega and angular acceleration alpha. The acceleration of the
point is

    a = A + alpha x r + omega x (omega x r) + 2 omega x u' + u''

and what must be supplied to the body is its integral, its moment about the origin and its work on each mode:

    force  = int rho a        = m A + alpha x S + omega x (omega x S) + 2 omega x S' + S''
    moment = int rho r x a    = S x A + I alpha + omega x I omega + 2 (omega tr C - C^T omega) + eps D
    modal  = int rho h . a    = s_h . A + (alpha~ + omega~ omega~) : int rho h r + 2 omega~ : int rho h u'
           + ...

with S = int rho X + s_h w, P = int rho r r^T, I = tr(P) 1 - P, C = int rho r u'^T, D = int rho r u''^T. Nothing is
linearised in w, so the terms agree with a sum over the nodes to rounding.

Source: paper 004, eqs (1)-(9); Shabana 1997, Multibody System Dynamics 1(2), 189-222 (floating frame of
reference). Verified in tests/verification/test_floating_frame.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.kernels import kernel


class PackedInertia(NamedTuple):
    """Inertia invariants with the mode-mode integrals as a list of the pairs of modes that do couple.

    Pair p holds Q_ab = int rho H_ja H_kb of modes j = pair[p, 0] <= k = pair[p, 1] as its symmetric part
    xx yy zz xy yz zx and the vector ((Q_yz - Q_zy)/2, (Q_zx - Q_xz)/2, (Q_xy - Q_yx)/2).
    """

    mode_count: int
    mass: float  # [kg]
    s_x: np.ndarray  # (3,) int rho X [kg m]: mass times offset of the undeformed mass centre from the origin
    s_h: np.ndarray  # (3, H)
    p_xx: np.ndarray  # (3, 3)
    p_xh: np.ndarray  # (3, 3, H)
    pair_count: int
    pair: np.ndarray  # (P, 2) int64
    pair_value: np.ndarray  # (P, 9)


def pack_inertia(invariants, threshold=1e-11, pair_capacity=None) -> PackedInertia:
    """Pack `InertiaInvariants` for the kernels of this file.

    Modes of revolution couple only with orders n, n +- 1, n +- 2, so most pairs are zero and cost nothing.

    Parameters
    ----------
    invariants : InertiaInvariants
    threshold : float [-]        pairs whose nine values are all below threshold * largest value are dropped
    pair_capacity : int or None  length of the pair arrays, to stack several bodies; None: as long as needed
    """
    p_hh = np.asarray(invariants.p_hh, dtype=float)
    count = p_hh.shape[2]
    j, k = np.triu_indices(count)
    q = np.moveaxis(p_hh[:, :, j, k], 2, 0)  # (P, 3, 3)
    values = np.stack(
        [
            q[:, 0, 0],
            q[:, 1, 1],
            q[:, 2, 2],
            0.5 * (q[:, 0, 1] + q[:, 1, 0]),
            0.5 * (q[:, 1, 2] + q[:, 2, 1]),
            0.5 * (q[:, 2, 0] + q[:, 0, 2]),
            0.5 * (q[:, 1, 2] - q[:, 2, 1]),
            0.5 * (q[:, 2, 0] - q[:, 0, 2]),
            0.5 * (q[:, 0, 1] - q[:, 1, 0]),
        ],
        axis=1,
    )
    size = np.abs(values).max(axis=1, initial=0.0)
    keep = size > threshold * size.max(initial=0.0)
    used = int(keep.sum())
    capacity = used if pair_capacity is None else max(pair_capacity, used)
    pair = np.zeros((capacity, 2), dtype=np.int64)
    pair_value = np.zeros((capacity, 9))
    pair[:used] = np.stack([j, k], axis=1)[keep]
    pair_value[:used] = values[keep]
    return PackedInertia(
        int(count),
        float(invariants.mass),
        np.ascontiguousarray(invariants.s_x, dtype=float),
        np.ascontiguousarray(invariants.s_h, dtype=float),
        np.ascontiguousarray(invariants.p_xx, dtype=float),
        np.ascontiguousarray(invariants.p_xh, dtype=float),
        used,
        pair,
        pair_value,
    )


def rigid_inertia(mass, inertia) -> PackedInertia:
    """A rigid body as a flexible one without modes: mass [kg], inertia (3, 3) about the centre [kg m2]."""
    inertia = np.asarray(inertia, dtype=float)
    return PackedInertia(
        0,
        float(mass),
        np.zeros(3),
        np.zeros((3, 0)),
        0.5 * np.trace(inertia) * np.eye(3) - inertia,
        np.zeros((3, 3, 0)),
        0,
        np.zeros((0, 2), dtype=np.int64),
        np.zeros((0, 9)),
    )


@kernel(fastmath={"contract", "reassoc"})
def inertia_forces(inertia, acc, omega, alpha, w, wd, wdd, force, moment, modal):
    """Force, moment and modal forces that the motion demands (mass times acceleration); mesh axes throughout.

    Parameters
    ----------
    inertia : PackedInertia
    acc : (3,) [m/s2]          absolute acceleration of the origin
    omega, alpha : (3,)        angular velocity and acceleration of the mesh frame [rad/s, rad/s2]
    w, wd, wdd : (H,)          modal coordinates and their rates in the mesh frame [m kg^1/2 for
                               orthonormal modes]
    force, moment : (3,)       out [N, N m], moment about the origin
    modal : (H,)               out, generalised forces of the modes

    Cost is proportional to H plus the number of coupled pairs of modes.
    """
    ax, ay, az = acc[0], acc[1], acc[2]
    ox, oy, oz = omega[0], omega[1], omega[2]
    lx, ly, lz = alpha[0], alpha[1], alpha[2]
    # omega~ omega~ = omega omega^T - omega^2 1
    bxx, byy, bzz = -oy * oy - oz * oz, -oz * oz - ox * ox, -ox * ox - oy * oy
    bxy, byz, bzx = ox * oy, oy * oz, oz * ox

    pxx, pyy, pzz = inertia.p_xx[0, 0], inertia.p_xx[1, 1], inertia.p_xx[2, 2]
    pxy, pyz, pzx = inertia.p_xx[0, 1], inertia.p_xx[1, 2], inertia.p_xx[2, 0]
    cxx, cyy, czz, cxy, cyz, czx = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # symmetric part of C
    cx, cy, cz = 0.0, 0.0, 0.0  # antisymmetric part of C: ((C_yz - C_zy)/2, ...)
    dx, dy, dz = 0.0, 0.0, 0.0  # antisymmetric part of D
    sx, sy, sz = inertia.s_x[0], inertia.s_x[1], inertia.s_x[2]
    vx, vy, vz = 0.0, 0.0, 0.0
    gx, gy, gz = 0.0, 0.0, 0.0

    X = inertia.p_xh
    for j in range(inertia.mode_count):
        wj, vj, gj = w[j], wd[j], wdd[j]
        hx, hy, hz = inertia.s_h[0, j], inertia.s_h[1, j], inertia.s_h[2, j]
        sx += hx * wj  # 004 (2)-(4)
        sy += hy * wj
        sz += hz * wj
        vx += hx * vj
        vy += hy * vj
        vz += hz * vj
        gx += hx * gj
        gy += hy * gj
        gz += hz * gj
        qxx, qyy, qzz = X[0, 0, j], X[1, 1, j], X[2, 2, j]
        qxy = X[0, 1, j] + X[1, 0, j]
        qyz = X[1, 2, j] + X[2, 1, j]
        qzx = X[2, 0, j] + X[0, 2, j]
        ex = 0.5 * (X[1, 2, j] - X[2, 1, j])
        ey = 0.5 * (X[2, 0, j] - X[0, 2, j])
        ez = 0.5 * (X[0, 1, j] - X[1, 0, j])
        pxx += 2.0 * qxx * wj
        pyy += 2.0 * qyy * wj
        pzz += 2.0 * qzz * wj
        pxy += qxy * wj
        pyz += qyz * wj
        pzx += qzx * wj
        cxx += qxx * vj
        cyy += qyy * vj
        czz += qzz * vj
        cxy += 0.5 * qxy * vj
        cyz += 0.5 * qyz * vj
        czx += 0.5 * qzx * vj
        cx += ex * vj
        cy += ey * vj
        cz += ez * vj
        dx += ex * gj
        dy += ey * gj
        dz += ez * gj
        # int h r over the undeformed body: here the second index is the mode, which flips the
        # antisymmetric part
        modal[j] = (
            hx * ax
            + hy * ay
            + hz * az
            + bxx * qxx
            + byy * qyy
            + bzz * qzz
            + bxy * qxy
            + byz * qyz
            + bzx * qzx
            + 2.0 * (lx * ex + ly * ey + lz * ez)
        )

    for p in range(inertia.pair_count):
        j, k = inertia.pair[p, 0], inertia.pair[p, 1]
        qxx, qyy, qzz = inertia.pair_value[p, 0], inertia.pair_value[p, 1], inertia.pair_value[p, 2]
        qxy, qyz, qzx = inertia.pair_value[p, 3], inertia.pair_value[p, 4], inertia.pair_value[p, 5]
        wj, vj = w[j], wd[j]
        trace = qxx + qyy + qzz
        sym = bxx * qxx + byy * qyy + bzz * qzz + 2.0 * (bxy * qxy + byz * qyz + bzx * qzx)
        if j == k:
            ww, wv = wj * wj, wj * vj
            modal[j] += sym * wj + trace * wdd[j]
        else:
            ex, ey, ez = inertia.pair_value[p, 6], inertia.pair_value[p, 7], inertia.pair_value[p, 8]
            wk, vk = w[k], wd[k]
            ww, wv = 2.0 * wj * wk, wj * vk + wk * vj
            turn = wj * vk - wk * vj
            push = wj * wdd[k] - wk * wdd[j]
            euler = 2.0 * (lx * ex + ly * ey + lz * ez)
            coriolis = 4.0 * (ox * ex + oy * ey + oz * ez)
            modal[j] += (sym - euler) * wk - coriolis * vk + trace * wdd[k]
            modal[k] += (sym + euler) * wj + coriolis * vj + trace * wdd[j]
            cx += ex * turn
            cy += ey * turn
            cz += ez * turn
            dx += ex * push
            dy += ey * push
            dz += ez * push
        pxx += qxx * ww
        pyy += qyy * ww
        pzz += qzz * ww
        pxy += qxy * ww
        pyz += qyz * ww
        pzx += qzx * ww
        cxx += qxx * wv
        cyy += qyy * wv
        czz += qzz * wv
        cxy += qxy * wv
        cyz += qyz * wv
        czx += qzx * wv

    # force: omega x S + 2 S' enters omega x (.)
    tx = oy * sz - oz * sy + 2.0 * vx
    ty = oz * sx - ox * sz + 2.0 * vy
    tz = ox * sy - oy * sx + 2.0 * vz
    force[0] = inertia.mass * ax + ly * sz - lz * sy + oy * tz - oz * ty + gx  # 004 (9)
    force[1] = inertia.mass * ay + lz * sx - lx * sz + oz * tx - ox * tz + gy
    force[2] = inertia.mass * az + lx * sy - ly * sx + ox * ty - oy * tx + gz

    # I alpha + omega x I omega
    ixx, iyy, izz = pyy + pzz, pzz + pxx, pxx + pyy
    hx = ixx * ox - pxy * oy - pzx * oz
    hy = iyy * oy - pyz * oz - pxy * ox
    hz = izz * oz - pzx * ox - pyz * oy
    # C^T omega = symmetric part times omega - antisymmetric part times omega
    trace = cxx + cyy + czz
    kx = trace * ox - (cxx * ox + cxy * oy + czx * oz) + (cz * oy - cy * oz)
    ky = trace * oy - (cyy * oy + cyz * oz + cxy * ox) + (cx * oz - cz * ox)
    kz = trace * oz - (czz * oz + czx * ox + cyz * oy) + (cy * ox - cx * oy)
    moment[0] = sy * az - sz * ay + ixx * lx - pxy * ly - pzx * lz + oy * hz - oz * hy + 2.0 * kx + 2.0 * dx
    moment[1] = sz * ax - sx * az + iyy * ly - pyz * lz - pxy * lx + oz * hx - ox * hz + 2.0 * ky + 2.0 * dy
    moment[2] = sx * ay - sy * ax + izz * lz - pzx * lx - pyz * ly + ox * hy - oy * hx + 2.0 * kz + 2.0 * dz
