"""Mass matrix, momenta and kinetic energy of a flexible body in a floating frame; mesh axes."""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel


class MomentScratch(NamedTuple):
    """Moments of the deformed body with r = X + u."""

    s: np.ndarray  # (3,) int rho r
    sd: np.ndarray  # (3,) int rho u'
    p: np.ndarray  # (3, 3) int rho r r^T
    c: np.ndarray  # (3, 3) int rho r u'^T


class DenseInertia(NamedTuple):
    """`InertiaInvariants` for the kernels of this file, as they are."""

    mode_count: int
    mass: float  # [kg]
    s_x: np.ndarray  # (3,)
    s_h: np.ndarray  # (3, H)
    p_xx: np.ndarray  # (3, 3)
    p_xh: np.ndarray  # (3, 3, H)
    p_hh: np.ndarray  # (3, 3, H, H)


def dense_inertia(invariants) -> DenseInertia:
    """Inertia of `InertiaInvariants`."""
    arrays = (invariants.s_x, invariants.s_h, invariants.p_xx, invariants.p_xh, invariants.p_hh)
    arrays = [np.ascontiguousarray(a, dtype=float) for a in arrays]
    return DenseInertia(arrays[-1].shape[2], float(invariants.mass), *arrays)


def moment_scratch():
    """MomentScratch of any body."""
    return MomentScratch(np.zeros(3), np.zeros(3), *np.zeros((2, 3, 3)))


@kernel
def moments_of_mass(inertia, w, wd, scratch):
    """First and second moments of the deformed body.

    Parameters
    ----------
    inertia : DenseInertia
    w, wd : (H,)
    scratch : MomentScratch     out

    Returns
    -------
    square : float    int rho u'.u'
    """
    s, sd, p, c = scratch
    square = 0.0
    for a in range(3):
        s[a], sd[a] = inertia.s_x[a], 0.0
        for j in range(inertia.mode_count):
            s[a] += inertia.s_h[a, j] * w[j]
            sd[a] += inertia.s_h[a, j] * wd[j]
        for b in range(3):
            p[a, b] = inertia.p_xx[a, b]
            c[a, b] = 0.0
            for j in range(inertia.mode_count):
                p[a, b] += (inertia.p_xh[a, b, j] + inertia.p_xh[b, a, j]) * w[j]
                c[a, b] += inertia.p_xh[a, b, j] * wd[j]
    for j in range(inertia.mode_count):
        for k in range(inertia.mode_count):
            for a in range(3):
                square += inertia.p_hh[a, a, j, k] * wd[j] * wd[k]
                for b in range(3):
                    p[a, b] += inertia.p_hh[a, b, j, k] * w[j] * w[k]
                    c[a, b] += inertia.p_hh[a, b, j, k] * w[j] * wd[k]
    return square


@kernel
def momenta(inertia, velocity, omega, w, wd, linear, angular, scratch):
    """Linear momentum, angular momentum about the origin, kinetic energy.

    Parameters
    ----------
    velocity, omega : (3,)     of the origin and of the mesh frame
    w, wd : (H,)
    linear, angular : (3,)     out [kg m/s, kg m2/s]
    scratch : MomentScratch

    Returns
    -------
    energy : float [J]
    """
    s, sd, p, c = scratch
    square = moments_of_mass(inertia, w, wd, scratch)
    trace = p[0, 0] + p[1, 1] + p[2, 2]
    energy = 0.5 * square
    for a in range(3):
        b, d = (a + 1) % 3, (a + 2) % 3
        relative = omega[b] * s[d] - omega[d] * s[b] + sd[a]  # omega x S + S'
        linear[a] = inertia.mass * velocity[a] + relative
        rotation = trace * omega[a] - (p[a, 0] * omega[0] + p[a, 1] * omega[1] + p[a, 2] * omega[2])
        twist = c[b, d] - c[d, b]
        angular[a] = s[b] * velocity[d] - s[d] * velocity[b] + rotation + twist
        energy += velocity[a] * (0.5 * inertia.mass * velocity[a] + relative)
        energy += omega[a] * (0.5 * rotation + twist)
    return energy


@kernel
def mass_matrix(inertia, w, matrix, scratch):
    """Mass matrix (6 + H, 6 + H) of (acceleration, alpha, w'') at modal coordinates w, mesh axes; a MomentScratch."""
    h = inertia.mode_count
    s, _, p, _ = scratch
    moments_of_mass(inertia, w, w, scratch)
    matrix[:] = 0.0
    trace = p[0, 0] + p[1, 1] + p[2, 2]
    for a in range(3):
        b, d = (a + 1) % 3, (a + 2) % 3
        matrix[a, a] = inertia.mass
        matrix[a, 3 + b], matrix[3 + b, a] = s[d], s[d]  # alpha x S
        matrix[a, 3 + d], matrix[3 + d, a] = -s[b], -s[b]
        for e in range(3):
            matrix[3 + a, 3 + e] = -p[a, e]
        matrix[3 + a, 3 + a] += trace
        for j in range(h):
            matrix[a, 6 + j] = inertia.s_h[a, j]
            matrix[3 + a, 6 + j] = inertia.p_xh[b, d, j] - inertia.p_xh[d, b, j]
    for j in range(h):
        for k in range(h):
            q = inertia.p_hh[:, :, j, k]
            matrix[6 + j, 6 + k] = q[0, 0] + q[1, 1] + q[2, 2]
            for a in range(3):
                b, d = (a + 1) % 3, (a + 2) % 3
                matrix[3 + a, 6 + k] += (q[b, d] - q[d, b]) * w[j]
    for a in range(6):
        for j in range(h):
            matrix[6 + j, a] = matrix[a, 6 + j]
