"""Stress of a displaced mesh at recovery points and at nodes, as values and as rows of a matrix.

Order of components: xx, yy, zz, xy, yz, zx [Pa]. The recovery points are the 2x2x2 points of hexahedra,
3x2 of wedges (3x3 quadratic), 1 or 4 of tetrahedra; the stress of the incompatible hexahedron includes
its internal modes. Nodal stress: the linear field through an element's recovery points taken at its
nodes, then averaged over the elements of the node, whatever their material.
"""

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import lame_parameters
from flexwheel.body.elements import element_tables
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.isoparametric import (
    element_scratch,
    eliminate_internal,
    full_stiffness,
    gradients_at,
    inverse_jacobian,
    node_positions,
    scalar_mass,
)
from flexwheel.body.mesh import Mesh
from flexwheel.numerics.kernels import kernel

_CHUNK = 500  # elements whose operators are held at once
AVERAGES = ("count", "volume")
STRESS_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # axes of the components


def stress_rows(mesh: Mesh, node_rows, options: FormulationOptions | None = None, average="count"):
    """Rows that give the averaged nodal stress from the displacement.

    Parameters
    ----------
    mesh : Mesh
    node_rows : (P,) int              rows of mesh.nodes
    options : FormulationOptions      as in `assemble`
    average : str                     "count": elements of a node weigh the same; "volume": by their volume

    Returns
    -------
    (6 P, D) csr_matrix [Pa/m]        row 6*p + component; the same recovery as `nodal_stress`

    Raises
    ------
    MeshError                         a node without element, an unknown average
    """
    node_rows = np.atleast_1d(np.asarray(node_rows, dtype=np.int64))
    wanted, place = np.unique(node_rows, return_inverse=True)
    position = np.full(len(mesh.nodes), -1)
    position[wanted] = np.arange(len(wanted))
    rows, columns, values, weight_sum = [], [], [], np.zeros(len(wanted))
    for block in mesh.blocks:
        touching = np.flatnonzero((position[block.connectivity] >= 0).any(axis=1))
        n = block.connectivity.shape[1]
        for chunk in _chunks(touching):
            operator, weight = _nodal_operators(mesh, block, chunk, options, average)
            nodes = block.connectivity[chunk]
            element, local = np.nonzero(position[nodes] >= 0)
            target = position[nodes[element, local]]
            np.add.at(weight_sum, target, weight[element])
            values.append((operator[element, local] * weight[element, None, None]).ravel())
            rows.append(np.repeat((6 * target[:, None] + np.arange(6)).ravel(), 3 * n))
            dofs = (3 * nodes[element][:, :, None] + np.arange(3)).reshape(len(element), 3 * n)
            columns.append(np.repeat(dofs, 6, axis=0).ravel())
    if not np.all(weight_sum > 0):
        raise MeshError(f"node {mesh.node_ids[wanted[np.argmin(weight_sum)]]} has no element to take stress from")
    matrix = sp.coo_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(6 * len(wanted), mesh.dof_count),
    ).tocsr()
    matrix = sp.csr_matrix(sp.diags(np.repeat(1.0 / weight_sum, 6)) @ matrix)
    if np.array_equal(wanted, node_rows):
        return matrix
    return matrix[(6 * place[:, None] + np.arange(6)).ravel()]


def nodal_stress(mesh: Mesh, displacement, options: FormulationOptions | None = None, average="count"):
    """Averaged stress at every node.

    Parameters
    ----------
    displacement : (D,) or (D, L) [m]

    Returns
    -------
    stress : (N, 6) or (N, 6, L) [Pa]
    """
    displacement = np.asarray(displacement, dtype=float)
    loads = displacement.reshape(mesh.dof_count, -1)
    total = np.zeros((len(mesh.nodes), 6, loads.shape[1]))
    weight_sum = np.zeros(len(mesh.nodes))
    for block in mesh.blocks:
        for chunk in _chunks(np.arange(len(block.connectivity))):
            operator, weight = _nodal_operators(mesh, block, chunk, options, average)
            nodes = block.connectivity[chunk]
            stress = _apply(operator, nodes, loads)
            there, of = np.unique(nodes, return_inverse=True)
            place = of.ravel(), np.arange(nodes.size)
            gather = sp.csr_matrix((np.repeat(weight, nodes.shape[1]), place), shape=(len(there), nodes.size))
            total[there] += (gather @ stress.reshape(nodes.size, -1)).reshape(len(there), 6, -1)
            np.add.at(weight_sum, nodes.ravel(), np.repeat(weight, nodes.shape[1]))
    total /= weight_sum[:, None, None]
    return total.reshape(len(mesh.nodes), 6, *displacement.shape[1:])


def element_stress(mesh: Mesh, block, elements, displacement, options: FormulationOptions | None = None):
    """Stress at the nodes of each element before averaging, some elements at a time.

    Yields
    ------
    chunk (E,) rows of the block, stress (E, n, 6, L) [Pa] under displacement (D, L) [m], volume (E,) [m3]
    """
    for chunk in _chunks(elements):
        operator, volume = _nodal_operators(mesh, block, chunk, options, "volume")
        yield chunk, _apply(operator, block.connectivity[chunk], displacement), volume


def von_mises(stress, axis=-1):
    """Von Mises equivalent of stress components xx yy zz xy yz zx along `axis`."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(np.asarray(stress), axis, 0)
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * normal + 3.0 * (xy**2 + yz**2 + zx**2))


def _chunks(elements):
    return (elements[k : k + _CHUNK] for k in range(0, len(elements), _CHUNK))


def _apply(operator, nodes, loads):
    """Stress (E, S, 6, L) from operators (E, S, 6, 3n) and the displacement of all DOF."""
    dofs = (3 * nodes[:, :, None] + np.arange(3)).reshape(len(nodes), -1)
    elements, points = operator.shape[:2]
    stress = operator.reshape(elements, points * 6, -1) @ loads[dofs]
    return stress.reshape(elements, points, 6, -1)


def _nodal_operators(mesh, block, chunk, options, average):
    """Operators (E, n, 6, 3n) of the extrapolated stress at an element's nodes, and the elements' weights."""
    if average not in AVERAGES:
        raise MeshError(f"stress average must be one of {', '.join(AVERAGES)}, got {average!r}")
    operator, volume = point_operators(mesh, block, chunk, options)
    extrapolation = element_tables(block.kind, options or FormulationOptions()).extrapolation
    elements, points = operator.shape[:2]
    at_nodes = extrapolation @ operator.reshape(elements, points, -1)
    weight = volume if average == "volume" else np.ones(elements)
    return at_nodes.reshape(elements, len(extrapolation), 6, -1), weight


def point_operators(mesh, block, chunk, options):
    """Operators (E, S, 6, 3n) of the stress at the recovery points of elements of a block, and volumes (E,)."""
    tables = element_tables(block.kind, options or FormulationOptions())
    lame, shear = lame_parameters(mesh.materials[block.material])
    connectivity = np.ascontiguousarray(block.connectivity[chunk], dtype=np.int64)
    n = connectivity.shape[1]
    operator = np.zeros((len(chunk), len(tables.stress_gradients), 6, 3 * n))
    volume = np.zeros(len(chunk))
    scratch = element_scratch(n, tables.bubbles.shape[1])
    _stress_operators(mesh.nodes, connectivity, tables, lame, shear, operator, volume, scratch)
    return operator, volume


@kernel
def _stress_operators(nodes, connectivity, tables, lame, shear, operator, volume, scratch):
    """Fill operator (E, S, 6, 3n) and volume (E,)."""
    n = connectivity.shape[1]
    internal = tables.bubbles.shape[1]
    total = n + internal
    x, inverse, centre_inverse, g, ke, recovery, me = scratch[:7]
    column = scratch.column
    for e in range(connectivity.shape[0]):
        node_positions(nodes, connectivity, e, x)
        scalar_mass(x, tables, 1.0, inverse, me)
        for i in range(n):
            for j in range(n):
                volume[e] += me[i, j]
        if internal > 0:
            full_stiffness(x, tables, lame, shear, inverse, centre_inverse, g, ke)
            eliminate_internal(ke, 3 * n, recovery)
        centre_det = inverse_jacobian(x, tables.centre, centre_inverse)
        for s in range(tables.stress_gradients.shape[0]):
            reference, bubbles = tables.stress_gradients[s], tables.stress_bubbles[s]
            gradients_at(x, reference, bubbles, centre_inverse, centre_det, inverse, g)
            for k in range(total):
                for a in range(3):
                    _stress_of_unit_displacement(g[k], a, lame, shear, column)
                    for component in range(6):
                        if k < n:
                            operator[e, s, component, 3 * k + a] += column[component]
                        else:
                            for c in range(3 * n):
                                operator[e, s, component, c] += column[component] * recovery[3 * (k - n) + a, c]


@kernel
def _stress_of_unit_displacement(g, a, lame, shear, column):
    """Stress of a unit amplitude along axis a whose shape has the gradient g."""
    column[:] = 0.0
    for b in range(3):
        column[b] = lame * g[a]
    column[a] += 2 * shear * g[a]
    for b in range(3):  # shear component of the pair (a, b): xy 3, yz 4, zx 5
        if b != a:
            column[3 if a + b == 1 else (4 if a + b == 3 else 5)] = shear * g[b]
