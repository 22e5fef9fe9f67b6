"""Stiffness and mass matrices of a mesh, DOF = 3*node + axis.

The pattern of node pairs is found first; element matrices are then added straight into the CSR arrays,
so that no list of triplets is held (25 million of them for the mesh of the paper).
"""

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.attached_mass import attached_matrix, mass_points
from flexwheel.body.elements import element_tables
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.isoparametric import (
    element_scratch,
    eliminate_internal,
    full_stiffness,
    lump,
    node_positions,
    scalar_mass,
)
from flexwheel.body.mesh import Mesh
from flexwheel.body.springs import spring_matrix
from flexwheel.numerics.kernels import kernel


def assemble(mesh: Mesh, options: FormulationOptions | None = None):
    """Stiffness and mass matrix.

    Parameters
    ----------
    mesh : Mesh
    options : FormulationOptions         default: incompatible hex8, reduced hex20, consistent mass

    Returns
    -------
    stiffness : (D, D) csr_matrix [N/m]   D = 3 N, symmetric to the last bit, semi-definite
    mass : (D, D) csr_matrix [kg]         symmetric, couples equal axes only but for attached masses with inertia

    Raises
    ------
    MeshError                            an element with a Jacobian <= 0 (its original id is named), a node
                                         without element, a material without positive E and density or with nu
                                         outside (-1, 0.5)
    """
    options = options or FormulationOptions()
    check_materials(mesh)
    indptr, indices = node_pattern(mesh)
    stiffness = np.zeros(9 * len(indices))
    mass = np.zeros(len(indices))
    for block in mesh.blocks:
        tables = element_tables(block.kind, options)
        material = mesh.materials[block.material]
        lame, shear = lame_parameters(material)
        connectivity = np.ascontiguousarray(block.connectivity, dtype=np.int64)
        scratch = element_scratch(connectivity.shape[1], tables.bubbles.shape[1])
        bad = _add_stiffness(mesh.nodes, connectivity, tables, lame, shear, (indptr, indices), stiffness, scratch)
        if bad < 0:
            lumped = options.mass == "lumped"
            pattern = indptr, indices
            bad = _add_mass(mesh.nodes, connectivity, tables, material.density, lumped, pattern, mass, scratch)
        if bad >= 0:
            raise MeshError(
                f"{block.kind} element {block.ids[bad]}: Jacobian not positive, the element is inverted or "
                f"degenerate (nodes {', '.join(str(mesh.node_ids[k]) for k in connectivity[bad])})"
            )
    whole_stiffness = _expand_blocks(indptr, indices, stiffness)  # before the mass, whose zeros are taken out in place
    whole = expand_scalar(indptr, indices, mass)
    if mesh.springs or mesh.beams is not None:
        whole_stiffness = (whole_stiffness + spring_matrix(mesh)).tocsr()
        whole_stiffness.sort_indices()
    if mesh.has_points:
        whole = (whole + attached_matrix(mass_points(mesh))).tocsr()
        whole.sort_indices()
    return whole_stiffness, whole


def lame_parameters(material):
    """First Lame parameter and shear modulus [Pa]."""
    e, nu = material.youngs_modulus, material.poissons_ratio
    return e * nu / ((1 + nu) * (1 - 2 * nu)), e / (2 * (1 + nu))


def check_materials(mesh):
    """Refuse materials that would give an indefinite or empty matrix."""
    for m in mesh.materials:
        if not (np.isfinite(m.youngs_modulus) and m.youngs_modulus > 0):
            raise MeshError(f"material {m.name!r}: E must be a positive number, got {m.youngs_modulus} Pa")
        if not (np.isfinite(m.density) and m.density > 0):
            raise MeshError(f"material {m.name!r}: density must be a positive number, got {m.density} kg/m3")
        if not -1 < m.poissons_ratio < 0.5:
            raise MeshError(f"material {m.name!r}: Poisson ratio must be between -1 and 0.5, got {m.poissons_ratio}")


def node_pattern(mesh):
    """Sorted pairs of nodes that share an element, as CSR (indptr, indices), indices int32."""
    count = len(mesh.nodes)
    if not np.all(np.isfinite(mesh.nodes)):
        row = int(np.argwhere(~np.isfinite(mesh.nodes).all(axis=1))[0, 0])
        raise MeshError(f"node {mesh.node_ids[row]}: coordinates {mesh.nodes[row]} are not finite")
    if mesh.element_count == 0:
        raise MeshError("the mesh has no elements")
    pattern = sp.csr_matrix((count, count), dtype=bool)
    for block in mesh.blocks:
        nodes = np.asarray(block.connectivity, dtype=np.int32)
        elements, n = nodes.shape
        if elements == 0:
            continue
        if nodes.min() < 0 or nodes.max() >= count:
            raise MeshError(f"{block.kind} block: node rows {nodes.min()}..{nodes.max()}, expected 0..{count - 1}")
        incidence = sp.csr_matrix(
            (np.ones(elements * n, dtype=bool), nodes.ravel(), n * np.arange(elements + 1)), shape=(elements, count)
        )
        pattern = pattern + incidence.T @ incidence
    pattern.sort_indices()
    lonely = np.diff(pattern.indptr) == 0
    if mesh.beams is not None:
        lonely[np.concatenate([mesh.beams.nodes.ravel(), *(tie.nodes for tie in mesh.ties)])] = False
    lonely = np.flatnonzero(lonely)
    if len(lonely):
        ids = ", ".join(str(mesh.node_ids[k]) for k in lonely[:5])
        raise MeshError(f"{len(lonely)} nodes belong to no element (ids {ids} ...): drop them at import")
    return pattern.indptr.astype(np.int64), pattern.indices.astype(np.int32)


@kernel
def column_of(indptr, indices, row, column):
    """Position of `column` in the sorted row."""
    low, high = indptr[row], indptr[row + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < column:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _add_stiffness(nodes, connectivity, tables, lame, shear, pattern, data, scratch):
    """Add the element stiffnesses of one block; return the first bad element or -1. pattern: as _add_mass."""
    indptr, indices = pattern
    n = connectivity.shape[1]
    internal = tables.bubbles.shape[1]
    x, inverse, centre_inverse, g, ke, recovery = scratch[:6]
    for e in range(connectivity.shape[0]):
        node_positions(nodes, connectivity, e, x)
        det = full_stiffness(x, tables, lame, shear, inverse, centre_inverse, g, ke)
        if not det > 0.0:
            return e
        if internal > 0:
            eliminate_internal(ke, 3 * n, recovery)
        for i in range(n):
            row = connectivity[e, i]
            width = 3 * (indptr[row + 1] - indptr[row])
            for j in range(n):
                offset = 3 * (column_of(indptr, indices, row, connectivity[e, j]) - indptr[row])
                for a in range(3):
                    start = 9 * indptr[row] + a * width + offset
                    for b in range(3):
                        r, c = 3 * i + a, 3 * j + b
                        data[start + b] += ke[r, c] if r <= c else ke[c, r]
    return -1


@kernel
def _add_mass(nodes, connectivity, tables, density, lumped, pattern, data, scratch):
    """Add the element masses of one block, one entry per node pair; return the first bad element or -1.

    pattern : (indptr, indices) of the pairs of nodes
    """
    indptr, indices = pattern
    n = connectivity.shape[1]
    x, inverse, me = scratch.x, scratch.inverse, scratch.me
    for e in range(connectivity.shape[0]):
        node_positions(nodes, connectivity, e, x)
        det = scalar_mass(x, tables, density, inverse, me)
        if not det > 0.0:
            return e
        if lumped:
            lump(me)
        for i in range(n):
            row = connectivity[e, i]
            for j in range(n):
                data[column_of(indptr, indices, row, connectivity[e, j])] += me[i, j]
    return -1


def _expand_blocks(indptr, indices, data):
    """CSR matrix of DOF from node pairs whose 3x3 blocks are already stored row by row."""
    widths = np.diff(indptr)
    dof_indptr = np.concatenate([[0], np.cumsum(np.repeat(3 * widths, 3))])
    dof_indices = np.empty(9 * len(indices), dtype=np.int32)
    _fill_block_columns(indptr, indices, dof_indices)
    size = len(dof_indptr) - 1
    index_type = np.int32 if len(dof_indices) < 2**31 else np.int64
    matrix = sp.csr_matrix((data, dof_indices, dof_indptr.astype(index_type)), shape=(size, size))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


@kernel
def _fill_block_columns(indptr, indices, out):
    at = 0
    for row in range(len(indptr) - 1):
        for _ in range(3):
            for k in range(indptr[row], indptr[row + 1]):
                for b in range(3):
                    out[at] = 3 * indices[k] + b
                    at += 1


def expand_scalar(indptr, indices, data):
    """CSR matrix of DOF that couples equal axes only, from one number per node pair; zeros are dropped."""
    scalar = sp.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1,) * 2)
    scalar.eliminate_zeros()
    return sp.kron(scalar, sp.identity(3), format="csr")
