"""Outer surface of a solid mesh, and mode shapes on it for pictures.

Faces of second-order elements are drawn by their corners. The surface is kept apart from `ReducedBody`, since
the time loop never needs it.
"""

from dataclasses import dataclass, field

import numpy as np

from flexwheel.body.elements import LINEAR_KIND, REFERENCE_NODES
from flexwheel.body.mesh import Mesh

CORNER_FACES = {
    "hex8": ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)),
    "wedge6": ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
    "tet4": ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),
    "pyramid5": ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)),
}
"""Faces of each kind by its corner nodes, anticlockwise seen from outside."""
CORNER_FACES |= {second: CORNER_FACES[first] for second, first in LINEAR_KIND.items() if second != first}


@dataclass(frozen=True)
class Surface:
    """Outer surface of a mesh."""

    node_rows: np.ndarray  # (Ns,) rows of Mesh.nodes that lie on it
    quads: np.ndarray  # (Q, 4) rows of node_rows
    triangles: np.ndarray  # (T, 3) rows of node_rows


@dataclass(frozen=True)
class SurfaceModes:
    """Mode shapes of a reduced body on its outer surface, body axes (origin on the axle).

    With modal coordinates w the surface node displacements are rows @ w [m]. Stress and the static residual of the
    truncated modes are optional; the residual belongs to loads that stand (control_nodes.standing_loads) and so
    suits a mesh that does not turn: K = 6 W + 6 I + 1 for the wrench (about the profile origin) at the
    lowest section of each tread, that on each interface, and the square of the spin rate.
    """

    name: str
    key: str  # that of the ReducedBody
    node_id: np.ndarray  # (Ns,) original ids
    position: np.ndarray  # (Ns, 3) [m]
    quads: np.ndarray  # (Q, 4)
    triangles: np.ndarray  # (T, 3)
    rows: np.ndarray  # (Ns, 3, H) [m per modal unit]
    frequency_hz: np.ndarray  # (H,)
    order: np.ndarray  # (H,) circumferential order, -1 unknown
    stress_rows: np.ndarray | None = None  # (Ns, 6, H) xx yy zz xy yz zx [Pa]
    load_displacement: np.ndarray | None = None  # (Ns, 3, K) [m/N, m/(N m), m s2]
    load_stress: np.ndarray | None = None  # (Ns, 6, K) [Pa/N, Pa/(N m), Pa s2]
    prestress: np.ndarray | None = None  # (Ns, 6) [Pa] of the press fits
    families: dict[str, np.ndarray] = field(default_factory=dict)  # further shapes by name: (Ns, 3, K)
    family_hz: dict[str, np.ndarray] = field(default_factory=dict)  # their frequencies, nan where there is none


def outer_surface(mesh: Mesh, faces=None) -> Surface:
    """Faces that belong to one element only.

    Parameters
    ----------
    mesh : Mesh
    faces : dict, optional      `outer_faces` of the mesh

    Faces of hexahedra and wedges that a coarser neighbour meets with two triangles count as outer.
    """
    single = {size: found for size, (found, _) in (faces or outer_faces(mesh)).items()}
    node_rows = np.unique(np.concatenate([single[3].ravel(), single[4].ravel()]))
    place = np.full(len(mesh.nodes), -1)
    place[node_rows] = np.arange(len(node_rows))
    return Surface(node_rows, place[single[4]], place[single[3]])


def outer_faces(mesh: Mesh) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Corner nodes (F, n) of the faces of 3 and of 4 corners that belong to one element only, and the middles (F, 3) of
    these elements."""
    found = {}
    for size in (3, 4):
        faces, middles = [np.empty((0, size), int)], [np.empty((0, 3))]
        for block in mesh.blocks:
            corners = block.connectivity[:, : len(REFERENCE_NODES[LINEAR_KIND[block.kind]])]
            centre = mesh.nodes[corners].mean(axis=1)
            own = [block.connectivity[:, face] for face in CORNER_FACES[block.kind] if len(face) == size]
            faces, middles = faces + own, middles + [centre] * len(own)
        faces = np.concatenate(faces)
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        first = np.sort(first[count == 1])
        found[size] = faces[first], np.concatenate(middles)[first]
    return found


def surface_modes(mesh, origin, modes, frequency_hz, order, surface=None, **optional) -> SurfaceModes:
    """Mode shapes on the outer surface from those of the whole mesh.

    Parameters
    ----------
    mesh : Mesh
    origin : (3,) [m]           of the body frame, mesh coordinates
    modes : (3 N, H)            mode shapes, DOF = 3*node + axis
    frequency_hz, order : (H,)
    surface : Surface, optional `outer_surface` of the mesh
    optional                    name, key; stress_rows (N, 6, H), load_displacement (N, 3, K), load_stress (N, 6, K),
                                prestress (N, 6) at all nodes; families, a dict of (3 N, K) shapes; family_hz, a dict
                                of (K,)
    """
    surface = surface or outer_surface(mesh)
    rows = surface.node_rows
    at_surface = {
        label: np.ascontiguousarray(optional[label][rows])
        for label in ("stress_rows", "load_displacement", "load_stress", "prestress")
        if optional.get(label) is not None
    }
    families = {
        label: shapes.reshape(len(mesh.nodes), 3, -1)[rows]
        for label, shapes in (optional.get("families") or {}).items()
    }
    return SurfaceModes(
        name=optional.get("name", "body"),
        key=optional.get("key", ""),
        node_id=mesh.node_ids[rows],
        position=mesh.nodes[rows] - np.asarray(origin),
        quads=surface.quads,
        triangles=surface.triangles,
        rows=np.ascontiguousarray(modes.reshape(len(mesh.nodes), 3, -1)[rows]),
        frequency_hz=np.asarray(frequency_hz),
        order=np.asarray(order),
        families=families,
        family_hz=optional.get("family_hz") or {},
        **at_surface,
    )
