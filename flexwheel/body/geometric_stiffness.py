"""Geometric stiffness of a prestressed body, and the centrifugal load that prestresses a spinning one.

In axes that turn with the body at the rate Omega the small motion u obeys M u'' + 2 Omega G u' + (K +
Omega^2 (K_sigma - M_perp)) u = f, K_sigma from the prestress of 1 rad/s, M_perp the mass on the two axes
across the spin. A rigid turn about the spin axis keeps exactly zero stiffness only with both terms:
K_sigma u_turn = M_perp u_turn.

Source: Bathe, Finite Element Procedures 1996, section 6.3 (the stress part of the tangent stiffness).
"""

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import column_of, expand_scalar, lame_parameters, node_pattern
from flexwheel.body.attached_mass import mass_points
from flexwheel.body.elements import element_tables
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.isoparametric import (
    element_scratch,
    eliminate_internal,
    full_stiffness,
    gradients_at,
    inverse_jacobian,
    node_positions,
)
from flexwheel.body.mesh import Mesh
from flexwheel.numerics.kernels import kernel


def centrifugal_load(mesh: Mesh, mass, axis=1, point=(0.0, 0.0, 0.0)):
    """Load of a unit spin (1 rad/s) about a coordinate direction through `point`: f = M x_perp.

    Parameters
    ----------
    mesh : Mesh
    mass : (D, D) sparse [kg]
    axis : int                    0, 1, 2: the spin axis is along x, y, z
    point : (3,) [m]

    Returns
    -------
    load : (D,) [N/(rad/s)^2]     away from the axis
    """
    arm = mesh.nodes - np.asarray(point, dtype=float)
    arm[:, axis] = 0.0
    load = mass @ arm.ravel()
    if mesh.has_points:  # in the product above they follow the field of arms, which is no rigid motion
        points = mass_points(mesh)
        own = points.position - np.asarray(point, dtype=float)
        own[:, axis] = 0.0
        load += points.rows.T @ (np.repeat(points.mass, 3) * (own.ravel() - points.rows @ arm.ravel()))
    return load


def geometric_stiffness(mesh: Mesh, displacement, options: FormulationOptions | None = None):
    """Geometric stiffness of the stress that a static displacement causes.

    Parameters
    ----------
    mesh : Mesh
    displacement : (D,) [m]       static solution of the prestressing loads, linear
    options : FormulationOptions  as in `assemble`

    Returns
    -------
    (D, D) csr_matrix [N/m]       symmetric, couples equal axes only; int grad(u) sigma grad(v), stress at the
                                  points of the stiffness with the internal modes in it; the internal modes
                                  themselves carry no geometric stiffness
    """
    displacement = np.ascontiguousarray(displacement, dtype=float)
    if displacement.shape != (mesh.dof_count,):
        raise MeshError(f"prestress displacement has shape {displacement.shape}, expected ({mesh.dof_count},)")
    indptr, indices = node_pattern(mesh)
    data = np.zeros(len(indices))
    for block in mesh.blocks:
        tables = element_tables(block.kind, options or FormulationOptions())
        lame, shear = lame_parameters(mesh.materials[block.material])
        connectivity = np.ascontiguousarray(block.connectivity, dtype=np.int64)
        scratch = element_scratch(connectivity.shape[1], tables.bubbles.shape[1])
        _add_geometric(mesh.nodes, connectivity, displacement, tables, (lame, shear), (indptr, indices), data, scratch)
    return expand_scalar(indptr, indices, data)


@kernel
def _add_geometric(nodes, connectivity, displacement, tables, moduli, pattern, data, scratch):
    """Add int g_i . sigma g_j of every element; moduli: lame, shear; pattern: indptr, indices of the pairs of nodes."""
    (lame, shear), (indptr, indices) = moduli, pattern
    n = connectivity.shape[1]
    internal = tables.bubbles.shape[1]
    total = n + internal
    x, inverse, centre_inverse, g, ke, recovery, scalar, u, h, sigma, traction = scratch
    for e in range(connectivity.shape[0]):
        node_positions(nodes, connectivity, e, x)
        for k in range(n):
            for a in range(3):
                u[k, a] = displacement[3 * connectivity[e, k] + a]
        if internal > 0:
            full_stiffness(x, tables, lame, shear, inverse, centre_inverse, g, ke)
            eliminate_internal(ke, 3 * n, recovery)
            for k in range(3 * internal):
                s = 0.0
                for c in range(3 * n):
                    s += recovery[k, c] * u[c // 3, c % 3]
                u[n + k // 3, k % 3] = s
        centre_det = inverse_jacobian(x, tables.centre, centre_inverse)
        scalar[:, :] = 0.0
        for q in range(tables.weights.shape[0]):
            det = gradients_at(x, tables.gradients[q], tables.bubbles[q], centre_inverse, centre_det, inverse, g)
            h[:, :] = 0.0
            for k in range(total):
                for a in range(3):
                    for b in range(3):
                        h[a, b] += u[k, a] * g[k, b]
            dilatation = lame * (h[0, 0] + h[1, 1] + h[2, 2])
            for a in range(3):
                for b in range(3):
                    sigma[a, b] = shear * (h[a, b] + h[b, a])
                sigma[a, a] += dilatation
            volume = det * tables.weights[q]
            for i in range(n):
                for b in range(3):
                    traction[b] = volume * (sigma[b, 0] * g[i, 0] + sigma[b, 1] * g[i, 1] + sigma[b, 2] * g[i, 2])
                for j in range(i, n):
                    scalar[i, j] += traction[0] * g[j, 0] + traction[1] * g[j, 1] + traction[2] * g[j, 2]
        for i in range(n):
            row = connectivity[e, i]
            for j in range(n):
                value = scalar[i, j] if i <= j else scalar[j, i]
                data[column_of(indptr, indices, row, connectivity[e, j])] += value
