"""Interface nodes of a wheelset: which mesh nodes each of the two is tied to (see coupling.py for how)."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.coupling import averaging_rows, on_a_line, require_turned
from flexwheel.body.mesh import Mesh
from flexwheel.body.rigid_motion import rigid_modes

NAMED_SETS = {"journals": ("AXLE_BOX_LEFT", "AXLE_BOX_RIGHT"), "end_faces": ("ENDFACE_LEFT", "ENDFACE_RIGHT")}
SAME_LATERAL = 1e-6  # [m]
MOST_OFF_AXLE = 5e-3
"""[m] by which the mean of journal nodes may miss the axle: nodes of an irregular ring are not evenly spread."""


@dataclass(frozen=True)
class Interface:
    """One interface node, its patch, and the matrices of both couplings."""

    name: str
    nodes: np.ndarray  # (n,) rows of the mesh
    centre: np.ndarray  # (3,) position of the interface node, coordinates of the nodes given
    rigid_motion: np.ndarray  # (3 n, 6) patch displacements under unit translations and rotations about the centre
    average: np.ndarray  # (6, 3 n) least-squares translation and rotation of the patch
    turned_by_elements: bool = False  # its own nodes have no rotation: the nodes of the elements around them give it


def find_interfaces(
    mesh: Mesh, where: str | tuple = "journals", journal_range: tuple[float, float] = (0.915, 1.10)
) -> tuple[Interface, Interface]:
    """Left (+y) and right interface.

    Parameters
    ----------
    mesh : Mesh
    where : "journals"           sets AXLE_BOX_LEFT, AXLE_BOX_RIGHT if the mesh has them, else the outermost nodes
                                 with |y| within `journal_range` [m]
            "end_faces"          sets ENDFACE_LEFT, ENDFACE_RIGHT if the mesh has them, else the nodes of largest |y|
            (left, right)        names of two node sets

    Raises
    ------
    MeshError                    a set that is missing or empty, fewer than 3 nodes, nodes in one line, wrong sides
    """
    names = NAMED_SETS.get(where, where) if isinstance(where, str) else where
    if isinstance(names, str) or len(names) != 2:
        raise MeshError(
            f"interfaces must be 'journals', 'end_faces' or the names of two node sets, left first, got {where!r}"
        )
    if isinstance(where, str) and not any(name in mesh.node_sets for name in names):
        patches = [_by_position(mesh, where, side, journal_range) for side in (1, -1)]
    else:
        patches = [nodes_of_set(mesh, name) for name in names]
    left, right = (interface_of(mesh, name, nodes) for name, nodes in zip(names, patches, strict=True))
    if not left.centre[1] > right.centre[1]:
        raise MeshError(
            f"interfaces: {left.name} at y = {left.centre[1]:.4g} m is given as the left one, {right.name} at "
            f"y = {right.centre[1]:.4g} m as the right one; left must have the larger y"
        )
    return left, right


def bearing_centre(interface: Interface, origin: np.ndarray) -> np.ndarray:
    """Bearing centre (3,) from the origin (3,) [m]: on the axle, about which it turns, at the y of the interface."""
    off = float(np.hypot(interface.centre[0], interface.centre[2]))
    if off > MOST_OFF_AXLE:
        raise MeshError(
            f"interface {interface.name}: the mean of its nodes lies {1e3 * off:.1f} mm off the axle, expected at most "
            f"{1e3 * MOST_OFF_AXLE:g} mm: take whole rings about it"
        )
    return np.array([0.0, interface.centre[1] - origin[1], 0.0])


def nodes_of_set(mesh: Mesh, name: str) -> np.ndarray:
    """Rows of the nodes of a set; MeshError where there is none."""
    if name not in mesh.node_sets:
        known = ", ".join(sorted(mesh.node_sets)) or "none"
        raise MeshError(f"interface node set {name!r} is not in the mesh; its node sets: {known}")
    return np.unique(mesh.node_sets[name])


def interface_rows(interface: Interface, shapes: np.ndarray) -> np.ndarray:
    """(6, H) translation and rotation of an interface under fields (N, 3, H)."""
    return interface.average @ shapes[interface.nodes].reshape(3 * len(interface.nodes), -1)


def _by_position(mesh, where, side, journal_range):
    y = side * mesh.nodes[:, 1]
    radius = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])
    if where == "end_faces":
        return np.flatnonzero(y > y.max() - SAME_LATERAL)
    low, high = journal_range
    inside = np.flatnonzero((y > low - SAME_LATERAL) & (y < high + SAME_LATERAL))
    if len(inside) == 0:
        raise MeshError(
            f"no nodes on the {'left' if side > 0 else 'right'} journal: |y| from {low:g} to {high:g} m is empty (the "
            f"mesh reaches {y.max():.4g} m); name two node sets of the journals (interface_sets, --interface-set)"
        )
    return inside[radius[inside] > (1 - 1e-3) * radius[inside].max()]


def interface_of(mesh: Mesh, name: str, nodes: np.ndarray) -> Interface:
    """Interface of nodes (n,); MeshError for fewer than three or nodes in a line."""
    points = mesh.nodes[nodes]
    require_turned(name, points)
    centre = points.mean(axis=0)
    centre[np.abs(centre) < 1e-12] = 0.0
    return Interface(name, nodes, centre, rigid_modes(points, centre), averaging_rows(points, centre))


def attachment_of(mesh: Mesh, name: str, nodes: np.ndarray, kind: str) -> Interface:
    """Interface of nodes (n,); that of one, two or a line is moved by them and turned by the elements around.

    Raises
    ------
    MeshError       such nodes with rigid coupling
    """
    points = mesh.nodes[nodes]
    if not on_a_line(points):
        return interface_of(mesh, name, nodes)
    if kind == "rigid":
        raise MeshError(
            f"attachment {name}: {len(nodes)} nodes on one point or line cannot be turned as a rigid body: take three "
            'nodes or more, or coupling = "averaging"'
        )
    held = [b.connectivity[np.isin(b.connectivity, nodes).any(axis=1)].ravel() for b in mesh.blocks]
    around = interface_of(mesh, name, np.unique(np.concatenate(held)))
    point, places = points.mean(axis=0), mesh.nodes[around.nodes]
    average = averaging_rows(places, point)
    average[:3] = np.kron(np.isin(around.nodes, nodes) / len(nodes), np.eye(3))
    return Interface(name, around.nodes, point, rigid_modes(places, point), average, turned_by_elements=True)
