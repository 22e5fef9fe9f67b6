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
reference). Verified in tests/verification/test_floating_frame_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import total
from flexwheel.numerics.kernels.lanes import fill, less, load, more, times
from flexwheel.vehicle.row_slices import RowSlices, add_to_rows, at_rows, slice_rows


class PackedInertia(NamedTuple):
    """Inertia invariants, the mode-mode integrals Q_ab = int rho H_ja H_kb as sparse matrices over j, k.

    With the modes of one parity of the order apart from the other, the matrices fall into two groups, see EVEN, ODD.
    """

    mode_count: int
    mass: float  # [kg]
    s_x: np.ndarray  # (3,) int rho X [kg m]: mass times offset of the undeformed mass centre from the origin
    s_h: np.ndarray  # (3, H)
    p_xx: np.ndarray  # (3, 3)
    p_xh: np.ndarray  # (3, 3, H)
    even: RowSlices  # mode by mode, EVEN
    odd: RowSlices  # ODD


EVEN = 6  # xx yy zz zx of the symmetric part of Q_ab = int rho H_ja H_kb, (Q_zx - Q_xz)/2 and the trace
ODD = 4  # xy yz of the symmetric part, (Q_yz - Q_zy)/2, (Q_xy - Q_yx)/2


def pack_inertia(invariants, threshold=1e-11) -> PackedInertia:
    """Pack `InertiaInvariants` for the kernels of this file.

    Modes of revolution couple only with orders n, n +- 2 (in what half a turn about the axle leaves as it is) and
    n +- 1 (in what changes its sign), so that most entries are zero and cost nothing.

    Parameters
    ----------
    invariants : InertiaInvariants
    threshold : float [-]        entries below threshold * largest value are dropped
    """
    q = np.asarray(invariants.p_hh, dtype=float)
    sym, skew = 0.5 * (q + q.swapaxes(0, 1)), 0.5 * (q - q.swapaxes(0, 1))
    trace = q[0, 0] + q[1, 1] + q[2, 2]
    small = threshold * np.abs(q).max(initial=0.0)
    return PackedInertia(
        int(q.shape[2]),
        float(invariants.mass),
        np.ascontiguousarray(invariants.s_x, dtype=float),
        np.ascontiguousarray(invariants.s_h, dtype=float),
        np.ascontiguousarray(invariants.p_xx, dtype=float),
        np.ascontiguousarray(invariants.p_xh, dtype=float),
        slice_rows(np.stack([sym[0, 0], sym[1, 1], sym[2, 2], sym[2, 0], skew[2, 0], trace]), small),
        slice_rows(np.stack([sym[0, 1], sym[1, 2], skew[1, 2], skew[0, 1]]), small),
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
        slice_rows(np.zeros((EVEN, 0, 0)), 0.0),
        slice_rows(np.zeros((ODD, 0, 0)), 0.0),
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

    Cost is proportional to H plus the number of entries of the integrals.
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
        sx, sy, sz = sx + hx * wj, sy + hy * wj, sz + hz * wj  # 004 (2)-(4)
        vx, vy, vz = vx + hx * vj, vy + hy * vj, vz + hz * vj
        gx, gy, gz = gx + hx * gj, gy + hy * gj, gz + hz * gj
        qxx, qyy, qzz = X[0, 0, j], X[1, 1, j], X[2, 2, j]
        qxy = X[0, 1, j] + X[1, 0, j]
        qyz = X[1, 2, j] + X[2, 1, j]
        qzx = X[2, 0, j] + X[0, 2, j]
        ex = 0.5 * (X[1, 2, j] - X[2, 1, j])
        ey = 0.5 * (X[2, 0, j] - X[0, 2, j])
        ez = 0.5 * (X[0, 1, j] - X[1, 0, j])
        pxx, pyy, pzz = pxx + 2.0 * qxx * wj, pyy + 2.0 * qyy * wj, pzz + 2.0 * qzz * wj
        pxy, pyz, pzx = pxy + qxy * wj, pyz + qyz * wj, pzx + qzx * wj
        cxx, cyy, czz = cxx + qxx * vj, cyy + qyy * vj, czz + qzz * vj
        cxy, cyz, czx = cxy + 0.5 * qxy * vj, cyz + 0.5 * qyz * vj, czx + 0.5 * qzx * vj
        cx, cy, cz = cx + ex * vj, cy + ey * vj, cz + ez * vj
        dx, dy, dz = dx + ex * gj, dy + ey * gj, dz + ez * gj
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

    # mode by mode: products t = Q w and with the rates, four rows at once
    p0, p1, p2, p3, p4, p5 = fill(0.0), fill(0.0), fill(0.0), fill(0.0), fill(0.0), fill(0.0)
    c0, c1, c2, c3, c4, c5 = fill(0.0), fill(0.0), fill(0.0), fill(0.0), fill(0.0), fill(0.0)
    e0, e1, e2 = fill(0.0), fill(0.0), fill(0.0)
    d0, d1, d2 = fill(0.0), fill(0.0), fill(0.0)
    row, start, column, value = inertia.even
    for s in range(row.shape[0]):
        xx, yy, zz, zx = fill(0.0), fill(0.0), fill(0.0), fill(0.0)
        ew, ev, mass = fill(0.0), fill(0.0), fill(0.0)
        for e in range(start[s], start[s + 1]):
            k, at = column[e], 4 * EVEN * e
            wk = fill(w[k])
            xx = more(xx, load(value, at), wk)
            yy = more(yy, load(value, at + 4), wk)
            zz = more(zz, load(value, at + 8), wk)
            zx = more(zx, load(value, at + 12), wk)
            skew = load(value, at + 16)
            ew = more(ew, skew, wk)
            ev = more(ev, skew, fill(wd[k]))
            mass = more(mass, load(value, at + 20), fill(wdd[k]))
        wr, vr, gr = at_rows(w, row, s), at_rows(wd, row, s), at_rows(wdd, row, s)
        p0, p1, p2, p5 = more(p0, xx, wr), more(p1, yy, wr), more(p2, zz, wr), more(p5, zx, wr)
        c0, c1, c2, c5 = more(c0, xx, vr), more(c1, yy, vr), more(c2, zz, vr), more(c5, zx, vr)
        e1, d1 = more(e1, ev, wr), less(d1, ew, gr)
        out = more(more(more(mass, xx, fill(bxx)), yy, fill(byy)), zz, fill(bzz))
        out = more(out, zx, fill(2.0 * bzx))
        add_to_rows(less(less(out, ew, fill(2.0 * ly)), ev, fill(4.0 * oy)), row, s, modal)
    row, start, column, value = inertia.odd
    for s in range(row.shape[0]):
        xy, yz = fill(0.0), fill(0.0)
        xw, xv, zw, zv = fill(0.0), fill(0.0), fill(0.0), fill(0.0)
        for e in range(start[s], start[s + 1]):
            k, at = column[e], 4 * ODD * e
            wk, vk = fill(w[k]), fill(wd[k])
            xy = more(xy, load(value, at), wk)
            yz = more(yz, load(value, at + 4), wk)
            skew = load(value, at + 8)
            xw = more(xw, skew, wk)
            xv = more(xv, skew, vk)
            skew = load(value, at + 12)
            zw = more(zw, skew, wk)
            zv = more(zv, skew, vk)
        wr, vr, gr = at_rows(w, row, s), at_rows(wd, row, s), at_rows(wdd, row, s)
        p3, p4, c3, c4 = more(p3, xy, wr), more(p4, yz, wr), more(c3, xy, vr), more(c4, yz, vr)
        e0, e2 = more(e0, xv, wr), more(e2, zv, wr)
        d0, d2 = less(d0, xw, gr), less(d2, zw, gr)
        out = more(times(xy, fill(2.0 * bxy)), yz, fill(2.0 * byz))
        out = less(less(out, xw, fill(2.0 * lx)), zw, fill(2.0 * lz))
        add_to_rows(less(less(out, xv, fill(4.0 * ox)), zv, fill(4.0 * oz)), row, s, modal)
    pxx, pyy, pzz = pxx + total(p0), pyy + total(p1), pzz + total(p2)
    pxy, pyz, pzx = pxy + total(p3), pyz + total(p4), pzx + total(p5)
    cxx, cyy, czz = cxx + total(c0), cyy + total(c1), czz + total(c2)
    cxy, cyz, czx = cxy + total(c3), cyz + total(c4), czx + total(c5)
    cx, cy, cz = cx + total(e0), cy + total(e1), cz + total(e2)
    dx, dy, dz = dx + total(d0), dy + total(d1), dz + total(d2)

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
