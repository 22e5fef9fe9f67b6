"""Mass matrix, momenta and kinetic energy of a flexible body in a floating frame; mesh axes."""

from typing import NamedTuple

import numpy as np

from flexwheel.kernels import kernel


class MomentScratch(NamedTuple):
    """Moments of the deformed body with r = X + u, and one integral unpacked."""

    s: np.ndarray  # (3,) int rho r
    sd: np.ndarray  # (3,) int rho u'
    p: np.ndarray  # (3, 3) int rho r r^T
    c: np.ndarray  # (3, 3) int rho r u'^T
    q: np.ndarray  # (3, 3) of a pair


def moment_scratch():
    """MomentScratch of any body."""
    return MomentScratch(np.zeros(3), np.zeros(3), *np.zeros((3, 3, 3)))


@kernel
def moments_of_mass(inertia, w, wd, scratch):
    """First and second moments of the deformed body.

    Parameters
    ----------
    inertia : PackedInertia
    w, wd : (H,)
    scratch : MomentScratch     out: all of it but q

    Returns
    -------
    square : float    int rho u'.u'
    """
    s, sd, p, c, q = scratch
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
    for m in range(inertia.pair_count):
        j, k = inertia.pair[m, 0], inertia.pair[m, 1]
        _unpack_pair(inertia, m, q)
        trace = q[0, 0] + q[1, 1] + q[2, 2]
        square += trace * wd[j] * wd[k] * (1.0 if j == k else 2.0)
        for a in range(3):
            for b in range(3):
                p[a, b] += q[a, b] * w[j] * w[k]
                c[a, b] += q[a, b] * w[j] * wd[k]
                if j != k:
                    p[a, b] += q[b, a] * w[j] * w[k]
                    c[a, b] += q[b, a] * w[k] * wd[j]
    return square


@kernel
def _unpack_pair(inertia, m, q):
    """The full (3, 3) integral of pair m."""
    v = inertia.pair_value
    q[0, 0], q[1, 1], q[2, 2] = v[m, 0], v[m, 1], v[m, 2]
    q[0, 1], q[1, 0] = v[m, 3] + v[m, 8], v[m, 3] - v[m, 8]
    q[1, 2], q[2, 1] = v[m, 4] + v[m, 6], v[m, 4] - v[m, 6]
    q[2, 0], q[0, 2] = v[m, 5] + v[m, 7], v[m, 5] - v[m, 7]


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
    s, sd, p, c, _ = scratch
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
    s, _, p, _, q = scratch
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
    for m in range(inertia.pair_count):
        j, k = inertia.pair[m, 0], inertia.pair[m, 1]
        _unpack_pair(inertia, m, q)
        trace = q[0, 0] + q[1, 1] + q[2, 2]
        matrix[6 + j, 6 + k] = trace
        matrix[6 + k, 6 + j] = trace
        if j != k:
            for a in range(3):
                b, d = (a + 1) % 3, (a + 2) % 3
                twist = q[b, d] - q[d, b]
                matrix[3 + a, 6 + k] += twist * w[j]
                matrix[3 + a, 6 + j] -= twist * w[k]
    for a in range(6):
        for j in range(h):
            matrix[6 + j, a] = matrix[a, 6 + j]
