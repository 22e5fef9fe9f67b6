"""Estimated error of nodal stress from the mesh: averaged stress less that of patch recovery.

The stress of a node is the mean over its elements, on a free surface as plane stress (free_surface): an error of second
order in the size of elements. Patch recovery converges faster inside and at least as fast at a surface, so that the
difference estimates the error of the mean; no constant is fitted. The stress of corners without a radius has no limit:
there the difference is large on any mesh.

Source: Zienkiewicz, Zhu 1992, International Journal for Numerical Methods in Engineering 33, 1331-1382.
Verified in tests/verification/test_stress_error_verified.py.
"""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from flexwheel.body.mesh import Mesh
from flexwheel.body.patch_recovery import LAYERS, patch_stress, patch_stress_rows
from flexwheel.body.revolution import elements_around, submesh
from flexwheel.body.stress import nodal_stress, stress_rows, von_mises


def node_stress_rows(mesh: Mesh, nodes, options=None, free=None):
    """(6 n, D) csr_matrix [Pa/m] of the stress at nodes; free: FreeSurface of the mesh, None to leave it out."""
    return _on_mesh(mesh, nodes, 1, lambda part, rows: stress_rows(part, rows, options), free, 0)


def stress_error_rows(mesh: Mesh, nodes, options=None, free=None):
    """(6 n, D) csr_matrix [Pa/m] of the estimated error of `node_stress_rows`."""

    def difference(part, rows):
        return stress_rows(part, rows, options) - patch_stress_rows(part, rows, options)

    return _on_mesh(mesh, nodes, LAYERS + 1, difference, free, 1)


def stress_and_error(mesh: Mesh, displacement, options=None, free=None):
    """Stress (N, 6, L) at all nodes and its estimated error (N, 6, L) [Pa] under displacement (D, L) [m]; nan at nodes
    of beams alone."""
    if mesh.beams is None:
        part, used, moved = mesh, slice(None), displacement
    else:
        part, used = submesh(mesh, tuple(np.arange(len(block.ids)) for block in mesh.blocks))
        moved = displacement[(3 * used[:, None] + np.arange(3)).ravel()]
    stress, error = np.full((2, len(mesh.nodes), 6, displacement.shape[1]), np.nan)
    if part.blocks:
        stress[used] = nodal_stress(part, moved, options)
        error[used] = stress[used] - patch_stress(part, moved, options)
    return (stress, error) if free is None else (free.applied(stress), free.applied(error))


def relative_error(stress, error):
    """Relative error (...) over load cases, stress and error (..., J, 6); nan where there is no stress."""
    size = [np.sqrt((von_mises(np.asarray(part)) ** 2).sum(axis=-1)) for part in (error, stress)]
    with np.errstate(divide="ignore", invalid="ignore"):
        return size[0] / size[1]


def stress_warning(error, corner) -> str:
    """Words on a stress with a relative error at a corner [rad], 0 where there is none."""
    if corner > 0.0:
        return f"a corner of {np.degrees(corner):.0f} degrees without a radius, where stress has no limit"
    return f"the stress there is off by about {100 * error:.0f} % on this mesh"


def _on_solids(mesh, nodes):
    held = np.zeros(len(mesh.nodes), dtype=bool)
    for block in mesh.blocks:
        held[block.connectivity] = True
    return held[nodes]


def _on_mesh(mesh, nodes, reach, rows_of, free, part_of_submodels):
    """Rows found on the elements within `reach` layers of the nodes, as columns of the whole mesh; of nodes with a
    submodel that part of its rows, nan of nodes of beams alone."""
    nodes = np.atleast_1d(np.asarray(nodes, dtype=np.int64))
    if not len(nodes):
        return sp.csr_matrix((0, mesh.dof_count))
    if mesh.beams is not None and len(bare := nodes[~_on_solids(mesh, nodes)]):
        unknown = sp.csr_matrix((np.full(6, np.nan), (np.arange(6), np.zeros(6, int))), (6, mesh.dof_count))
        rows = (_on_mesh(mesh, n, reach, rows_of, free, part_of_submodels) if n not in bare else unknown for n in nodes)
        return sp.vstack(list(rows), format="csr")
    local = {} if free is None else free.submodels
    if any(int(node) in local for node in nodes):
        plain = replace(free, submodels={})
        rows = [
            local[int(node)][part_of_submodels]
            if int(node) in local
            else _on_mesh(mesh, node, reach, rows_of, plain, part_of_submodels)
            for node in nodes
        ]
        return sp.vstack(rows, format="csr")
    near = nodes
    for _ in range(reach):
        wide = elements_around(mesh, near)
        near = np.unique(np.concatenate([b.connectivity[r].ravel() for b, r in zip(mesh.blocks, wide, strict=True)]))
    part, used = submesh(mesh, wide)
    found = sp.csr_matrix(rows_of(part, np.searchsorted(used, nodes)))
    columns = 3 * used[found.indices // 3] + found.indices % 3
    found = sp.csr_matrix((found.data, columns, found.indptr), shape=(6 * len(nodes), mesh.dof_count))
    return found if free is None else sp.csr_matrix(free.matrix(nodes) @ found)
