"""Mass matrix, momenta and kinetic energy of a flexible body in a floating frame; mesh axes."""

import numpy as np
from numba import njit


@njit(cache=True)
def moments_of_mass(inertia, w, wd, s, sd, p, c):
    """First and second moments of the deformed body.

    Parameters
    ----------
    inertia : PackedInertia
    w, wd : (H,)
    s, sd : (3,)      out: int rho r, int rho u'
    p, c : (3, 3)     out: int rho r r^T, int rho r u'^T with r = X + u

    Returns
    -------
    square : float    int rho u'.u'
    """
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
    q = np.empty((3, 3))
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


@njit(cache=True)
def _unpack_pair(inertia, m, q):
    """The full (3, 3) integral of pair m."""
    v = inertia.pair_value
    q[0, 0], q[1, 1], q[2, 2] = v[m, 0], v[m, 1], v[m, 2]
    q[0, 1], q[1, 0] = v[m, 3] + v[m, 8], v[m, 3] - v[m, 8]
    q[1, 2], q[2, 1] = v[m, 4] + v[m, 6], v[m, 4] - v[m, 6]
    q[2, 0], q[0, 2] = v[m, 5] + v[m, 7], v[m, 5] - v[m, 7]


@njit(cache=True)
def momenta(inertia, velocity, omega, w, wd, linear, angular):
    """Linear momentum, angular momentum about the origin, kinetic energy.

    Parameters
    ----------
    velocity, omega : (3,)     of the origin and of the mesh frame
    w, wd : (H,)
    linear, angular : (3,)     out [kg m/s, kg m2/s]

    Returns
    -------
    energy : float [J]
    """
    s, sd = np.empty(3), np.empty(3)
    p, c = np.empty((3, 3)), np.empty((3, 3))
    square = moments_of_mass(inertia, w, wd, s, sd, p, c)
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


@njit(cache=True)
def mass_matrix(inertia, w, matrix):
    """Mass matrix (6 + H, 6 + H) of (acceleration, alpha, w'') at modal coordinates w, mesh axes."""
    h = inertia.mode_count
    s, sd = np.empty(3), np.empty(3)
    p, c = np.empty((3, 3)), np.empty((3, 3))
    zero = np.zeros(h)
    moments_of_mass(inertia, w, zero, s, sd, p, c)
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
    q = np.empty((3, 3))
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
