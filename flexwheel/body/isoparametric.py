"""Element kernels of all solids: gradients, stiffness with or without internal modes, mass.

One kernel serves every element kind, fed with the tables of `elements.py` (ElementTables). The internal (incompatible)
modes of the 8-node hexahedron are three more "nodes" with the gradient (det J0 / det J) J0^-1 (-2 xi_k
e_k), J0 the Jacobian at the centre, so that every constant stress state does no work on them (patch
test); they are condensed in the element. The 6-node wedge has the one along its edges, xi_3: a row of wedges on the
axle then bends without shear.

Source: Taylor, Beresford, Wilson 1976, IJNME 10, 1211-1219; Wilson, Ibrahimbegovic 1990, Finite Elements
in Analysis and Design 7, 229-241.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel


class ElementScratch(NamedTuple):
    """What the kernels fill anew for every element of n nodes and b internal modes."""

    x: np.ndarray  # (n, 3) coordinates
    inverse: np.ndarray  # (3, 3) of the Jacobian at a point
    centre_inverse: np.ndarray  # (3, 3) at the centre
    g: np.ndarray  # (n + b, 3) gradients
    ke: np.ndarray  # (3 (n + b), 3 (n + b)) stiffness
    recovery: np.ndarray  # (3 b, 3 n) internal amplitudes per nodal displacement
    me: np.ndarray  # (n, n) of one direction
    u: np.ndarray  # (n + b, 3) displacements
    h: np.ndarray  # (3, 3) displacement gradient
    sigma: np.ndarray  # (3, 3) stress
    column: np.ndarray  # (6,)


def element_scratch(nodes, internal):
    """ElementScratch of an element type with this many nodes and internal modes."""
    total, z = nodes + internal, np.zeros
    return ElementScratch(
        z((nodes, 3)), z((3, 3)), z((3, 3)), z((total, 3)), z((3 * total, 3 * total)), z((3 * internal, 3 * nodes)),
        z((nodes, nodes)), z((total, 3)), z((3, 3)), z((3, 3)), z(6),
    )  # fmt: skip


@kernel
def node_positions(nodes, connectivity, e, x):
    """Fill x (n, 3) with the positions of the nodes of element e."""
    for k in range(x.shape[0]):
        for a in range(3):
            x[k, a] = nodes[connectivity[e, k], a]


@kernel
def inverse_jacobian(x, reference, inverse):
    """Fill inverse[b, a] = d xi_a / d x_b; return det J. x (n, 3), reference gradients (n, 3)."""
    j00 = j01 = j02 = j10 = j11 = j12 = j20 = j21 = j22 = 0.0
    for k in range(x.shape[0]):
        d0, d1, d2 = reference[k, 0], reference[k, 1], reference[k, 2]
        x0, x1, x2 = x[k, 0], x[k, 1], x[k, 2]
        j00 += d0 * x0
        j01 += d0 * x1
        j02 += d0 * x2
        j10 += d1 * x0
        j11 += d1 * x1
        j12 += d1 * x2
        j20 += d2 * x0
        j21 += d2 * x1
        j22 += d2 * x2
    c0 = j11 * j22 - j12 * j21
    c1 = j12 * j20 - j10 * j22
    c2 = j10 * j21 - j11 * j20
    det = j00 * c0 + j01 * c1 + j02 * c2
    if det == 0.0:
        return det
    f = 1.0 / det
    inverse[0, 0] = c0 * f
    inverse[0, 1] = (j02 * j21 - j01 * j22) * f
    inverse[0, 2] = (j01 * j12 - j02 * j11) * f
    inverse[1, 0] = c1 * f
    inverse[1, 1] = (j00 * j22 - j02 * j20) * f
    inverse[1, 2] = (j02 * j10 - j00 * j12) * f
    inverse[2, 0] = c2 * f
    inverse[2, 1] = (j01 * j20 - j00 * j21) * f
    inverse[2, 2] = (j00 * j11 - j01 * j10) * f
    return det


@kernel
def gradients_at(x, reference, bubble, centre_inverse, centre_det, inverse, g):
    """Fill g (n + b, 3) with the gradients of shape functions and internal modes by x; return det J."""
    det = inverse_jacobian(x, reference, inverse)
    n = x.shape[0]
    for k in range(n):
        for b in range(3):
            g[k, b] = (
                inverse[b, 0] * reference[k, 0] + inverse[b, 1] * reference[k, 1] + inverse[b, 2] * reference[k, 2]
            )
    if bubble.shape[0] > 0 and det != 0.0:
        ratio = centre_det / det
        for k in range(bubble.shape[0]):
            for b in range(3):
                g[n + k, b] = ratio * centre_inverse[b, 3 - bubble.shape[0] + k] * bubble[k]
    return det


@kernel
def full_stiffness(x, tables, lame, shear, inverse, centre_inverse, g, ke):
    """Fill ke, upper triangle of node blocks, nodes and internal modes alike; return the smallest det J.

    Block (i, j) of an isotropic body: lame g_i g_j^T + shear (g_j g_i^T + g_i . g_j I).
    """
    total = x.shape[0] + tables.bubbles.shape[1]
    ke[:, :] = 0.0
    centre_det = inverse_jacobian(x, tables.centre, centre_inverse)
    smallest = np.inf
    for q in range(tables.weights.shape[0]):
        det = gradients_at(x, tables.gradients[q], tables.bubbles[q], centre_inverse, centre_det, inverse, g)
        smallest = min(smallest, det)
        if not det > 0.0:
            return det
        volume = det * tables.weights[q]
        for i in range(total):
            l0, l1, l2 = volume * lame * g[i, 0], volume * lame * g[i, 1], volume * lame * g[i, 2]
            s0, s1, s2 = volume * shear * g[i, 0], volume * shear * g[i, 1], volume * shear * g[i, 2]
            for j in range(i, total):
                h0, h1, h2 = g[j, 0], g[j, 1], g[j, 2]
                dot = s0 * h0 + s1 * h1 + s2 * h2
                r, c = 3 * i, 3 * j
                ke[r, c] += l0 * h0 + s0 * h0 + dot
                ke[r, c + 1] += l0 * h1 + s1 * h0
                ke[r, c + 2] += l0 * h2 + s2 * h0
                ke[r + 1, c] += l1 * h0 + s0 * h1
                ke[r + 1, c + 1] += l1 * h1 + s1 * h1 + dot
                ke[r + 1, c + 2] += l1 * h2 + s2 * h1
                ke[r + 2, c] += l2 * h0 + s0 * h2
                ke[r + 2, c + 1] += l2 * h1 + s1 * h2
                ke[r + 2, c + 2] += l2 * h2 + s2 * h2 + dot
    return smallest


@kernel
def eliminate_internal(ke, n, recovery):
    """Condense the DOF beyond n = 3*nodes out of ke (upper triangle in, symmetric upper triangle out).

    recovery (m, n) is filled with the internal amplitudes per nodal displacement: alpha = recovery u.
    The internal block is positive definite: Cholesky in place, L below the diagonal of that block.
    """
    m = ke.shape[0] - n
    for i in range(m):
        for j in range(i, m):
            s = ke[n + i, n + j]
            for k in range(i):
                s -= ke[n + i, n + k] * ke[n + j, n + k]
            if i == j:
                ke[n + i, n + i] = np.sqrt(s)
            else:
                ke[n + j, n + i] = s / ke[n + i, n + i]
    for c in range(n):
        for i in range(m):  # forward: L y = k_alpha,u
            s = ke[c, n + i]
            for k in range(i):
                s -= ke[n + i, n + k] * recovery[k, c]
            recovery[i, c] = s / ke[n + i, n + i]
    for r in range(n):
        for c in range(r, n):
            s = 0.0
            for k in range(m):
                s += recovery[k, r] * recovery[k, c]
            ke[r, c] -= s
    for c in range(n):
        for i in range(m - 1, -1, -1):  # backward: L^T alpha = -y
            s = -recovery[i, c]
            for k in range(i + 1, m):
                s -= ke[n + k, n + i] * recovery[k, c]
            recovery[i, c] = s / ke[n + i, n + i]


@kernel
def scalar_mass(x, tables, density, inverse, me):
    """Fill me (n, n) with the consistent mass of one coordinate direction; return the smallest det J."""
    n = x.shape[0]
    me[:, :] = 0.0
    smallest = np.inf
    for q in range(tables.mass_weights.shape[0]):
        det = inverse_jacobian(x, tables.mass_gradients[q], inverse)
        smallest = min(smallest, det)
        for i in range(n):
            factor = density * det * tables.mass_weights[q] * tables.mass_shape[q, i]
            for j in range(i, n):
                me[i, j] += factor * tables.mass_shape[q, j]
    for i in range(n):
        for j in range(i):
            me[i, j] = me[j, i]
    return smallest


@kernel
def lump(me):
    """Replace me by its diagonal, scaled to the element's mass.

    Source: Hinton, Rock, Zienkiewicz 1976, Earthquake Engineering and Structural Dynamics 4, 245-249.
    """
    total, trace = 0.0, 0.0
    for i in range(me.shape[0]):
        trace += me[i, i]
        for j in range(me.shape[0]):
            total += me[i, j]
    for i in range(me.shape[0]):
        for j in range(me.shape[0]):
            me[i, j] = me[i, j] * total / trace if i == j else 0.0
