"""Stress at nodes from a second, local mesh: the elements around each split, moved at their boundary as the mesh is.

Cut are the elements within `CUT_LAYERS` layers around a node, each split into eight (`refinement`). The faces of the
cut, and nodes that carry loads or follow other parts, move as the mesh there; the rest is in equilibrium. The second
split is a submodel of the first. With K of the split elements, f its free and d its driven coordinates, R the rows of
the stress and P the nodes from those of the mesh,

    sigma = (R_d - Y^T K_fd) P_d u,    K_ff Y = R_f^T

are rows on the displacement u of the mesh: modes, static residual and loads of a run take them as those of the mesh
itself. Not seen is what the mesh leaves of the motion at the cut, among it that a polygon is softer than its circle.
Inertia and centrifugal forces within the cut are left out: (2 pi f L / c)^2 / 8 of the stress for a cut of length L and
a speed c of shear waves, 0.5 % for 0.1 m at 1 kHz.

Source: Cormier and others 1999, Finite Elements in Analysis and Design 33(3), 199-217 (submodelling).
Verified in tests/verification/test_submodel_verified.py.
"""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from flexwheel.body.assembly import assemble
from flexwheel.body.control_rings import Ring, only_home
from flexwheel.body.elements import EDGES
from flexwheel.body.free_surface import FreeSurface, free_surface
from flexwheel.body.mesh import Mesh
from flexwheel.body.multifrontal import multifrontal_cholesky
from flexwheel.body.refinement import refined
from flexwheel.body.revolution import elements_around, submesh
from flexwheel.body.stress_error import node_stress_rows
from flexwheel.body.surface import outer_faces

CUT_LAYERS = {1: 6, 2: 3}  # by order of the elements: a fillet of six cells and the smooth stress beside it
LINE_LAYERS = 2  # beyond the cut: nodes of lines that end in it
SPLITS = 2  # one less shows whether the stress has a limit


def with_submodels(mesh: Mesh, rings: list[Ring], of_first: bool, options, free: FreeSurface):
    """Rings of control nodes, the surface with their stress by submodels and its change by the last split, and lines.

    Nodes of `free.driven` are left out: there the motion of the mesh is all that is known.

    of_first : bool     submodels of the first node of each ring, which stands for the others; else of the control
                        node itself, and the ring has no others
    """
    watched, found = [int(ring.nodes[0] if of_first else ring.row) for ring in rings], {}
    for node in np.setdiff1d(watched, free.driven):
        rows = submodel_rows(mesh, int(node), options, free, SPLITS)
        found[int(node)] = rows[-6:], rows[-6:] - rows[-12:-6]
    left = ", ".join(ring.name for ring, node in zip(rings, watched, strict=True) if node not in found)
    said = [f"WARNING: no submodel of control nodes on surfaces that carry loads ({left}): their stress is the mesh's"]
    return [ring if of_first else only_home(ring) for ring in rings], replace(free, submodels=found), said * bool(left)


def submodel_rows(mesh, node, options, free, splits=SPLITS):
    """(6 splits, D) csr_matrix [Pa/m] of a node's stress after each split; `free.driven` nodes move as the mesh."""
    part, around, used = _around(mesh, node)
    local = np.full(len(mesh.nodes), -1)
    local[used] = np.arange(len(used))
    driven, corners = (local[nodes[np.isin(nodes, used)]] for nodes in (free.driven, free.corners))
    fine, operator, same, held = refined(part, around, corners, np.union1d(_cut(part, around), driven))
    surface = free_surface(fine, np.flatnonzero(held))
    target = int(same[local[node]])
    stress = node_stress_rows(fine, [target], options, surface)
    if splits > 1:
        stress = sp.vstack([stress, submodel_rows(fine, target, options, surface, splits - 1)])
    stress = stress.tocsc()
    stiffness, _ = assemble(fine, options)
    inner, outer = (np.flatnonzero(np.repeat(which, 3)) for which in (~held, held))
    rows = stiffness[inner]
    influence = multifrontal_cholesky(rows[:, inner]).solve(stress[:, inner].toarray().T)
    on_driven = stress[:, outer] - sp.csr_matrix(influence.T @ rows[:, outer])
    found = sp.csr_matrix(on_driven @ sp.kron(operator[held], sp.identity(3), format="csr"))
    columns = 3 * used[found.indices // 3] + found.indices % 3
    return sp.csr_matrix((found.data, columns, found.indptr), shape=(6 * splits, mesh.dof_count))


def _around(mesh, node):
    """The elements of the cut around a node, with those whose lines end in it, both on the nodes of the latter, and
    these as rows of the mesh."""
    near, layers = np.array([node]), []
    cut = CUT_LAYERS[2 if any(block.kind in EDGES for block in mesh.blocks) else 1]
    for _ in range(cut + LINE_LAYERS):
        layers.append(elements_around(mesh, near))
        near = np.unique(
            np.concatenate([b.connectivity[r].ravel() for b, r in zip(mesh.blocks, layers[-1], strict=True)])
        )
    around, used = submesh(mesh, layers[-1])
    inner = [np.isin(outer, own) for outer, own in zip(layers[-1], layers[cut - 1], strict=True) if len(outer)]
    blocks = tuple(
        replace(block, connectivity=block.connectivity[own], ids=block.ids[own])
        for block, own in zip(around.blocks, inner, strict=True)
        if own.any()
    )
    return replace(around, blocks=blocks), around, used


def _cut(part, around):
    """Nodes of the outer faces of `part` that are not those of `around`."""
    own, known = (
        {size: np.sort(faces, axis=1) for size, (faces, _) in outer_faces(mesh).items()} for mesh in (part, around)
    )
    nodes = [np.empty(0, np.int64)]
    for size, faces in own.items():
        both, index = np.unique(np.concatenate([known[size], faces]), axis=0, return_inverse=True)
        there = np.zeros(len(both), dtype=bool)
        there[index.ravel()[: len(known[size])]] = True
        nodes.append(faces[~there[index.ravel()[len(known[size]) :]]].ravel())
    return np.unique(np.concatenate(nodes))
