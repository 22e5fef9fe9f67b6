"""Does a turn about the axle (y) by the n-th part of a full one map a mesh onto itself? If so: its sectors.

A wheel with n holes or bolts and a mesh made sector by sector is n-fold symmetric, though not of revolution. One sector
is a set of elements of which each maps onto another one of every other sector; its sides may be jagged. Nodes that a
sector shares with its neighbours lie on the cut.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from flexwheel.body.mesh import Mesh
from flexwheel.body.revolution import (
    ON_AXIS,
    SAME_PLACE,
    candidate_counts,
    elements_map,
    rows_led_to,
    section_angle,
    turned_nodes,
    uncommon_parts,
)

LEAST = 3  # sectors: the halves of a twofold mesh are hardly worth it
CUTS = 32  # angles of the cut that are tried
LEAST_GAP = 1e-6  # [rad] between the centres of elements on both sides of a cut


@dataclass(frozen=True)
class NFold:
    """Sectors of an n-fold mesh. Orbit: the nodes one node meets in a full turn by whole sectors."""

    ring: np.ndarray  # (n, R) node rows: sector, orbit
    axis: np.ndarray  # (A,) node rows on the axle
    following: np.ndarray  # (N,) row of the node one sector further about +y
    sector_elements: tuple[np.ndarray, ...]  # per block: rows of the elements of sector 0
    route: object = None  # SymmetryRoute
    mirror: tuple[np.ndarray, np.ndarray] | None = None  # reflection (3, 3) and rows (N,) of the nodes it leads to

    @property
    def sections(self) -> int:
        return len(self.ring)

    @property
    def step(self) -> float:
        """Angle of a sector [rad]."""
        return 2 * np.pi / self.sections

    @property
    def why_lagrangian(self) -> str:
        """Why the modes turn by whole sectors only."""
        n = self.sections
        return (
            f"{n}-fold: a mode of harmonic k holds the orders k, {n} - k, {n} + k ... about the axle, which a turn by "
            f"less than {360 / n:.6g} degrees takes out of the basis"
        )


def detect_n_fold(mesh: Mesh) -> tuple[NFold | None, str]:
    """Sectors of the largest number that maps the mesh onto itself, or None and the reason.

    Verified in tests/verification/test_n_fold_verified.py.
    """
    parts = uncommon_parts(mesh)
    if parts:
        return None, parts
    radius = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])
    largest = radius.max()
    axis = np.flatnonzero(radius <= ON_AXIS * largest)
    tree = scipy.spatial.cKDTree(mesh.nodes)
    for n in candidate_counts(mesh.nodes, radius, largest):
        step = 2 * np.pi / n
        following = rows_led_to(tree, turned_nodes(mesh.nodes, step), SAME_PLACE * largest)
        if following is None or not elements_map(mesh, following):
            continue
        first = _orbits(following, n)
        elements = _sector(mesh, first, step, axis)
        if elements is None:
            continue
        own = np.unique(np.concatenate([b.connectivity[r].ravel() for b, r in zip(mesh.blocks, elements, strict=True)]))
        own = own[~np.isin(own, axis)]
        base = own[np.unique(first[own], return_index=True)[1]]
        ring = [base]
        for _ in range(n - 1):
            ring.append(following[ring[-1]])
        return NFold(
            np.array(ring), axis, following, elements, mirror=_mirror(mesh, tree, radius, step)
        ), f"{n}-fold about y"
    return None, "no turn by a third of a full one or less maps the mesh onto itself"


def _orbits(following, n):
    """Smallest row (N,) of the nodes that each meets in a full turn."""
    first, current = np.arange(len(following)), following
    for _ in range(1, n):
        first = np.minimum(first, current)
        current = following[current]
    return first


def _sector(mesh, orbit, step, axis):
    """Rows of the elements between two cuts a sector apart, where the cut meets the fewest orbits; None where an
    element turns into itself."""
    angles = []
    for block in mesh.blocks:
        centre = mesh.nodes[block.connectivity].mean(axis=1)
        if np.hypot(centre[:, 0], centre[:, 2]).min(initial=np.inf) < LEAST_GAP * np.abs(mesh.nodes).max():
            return None
        angles.append(section_angle(centre))
    sorted_angles = np.sort(np.mod(np.concatenate(angles), step))
    gap = np.diff(sorted_angles, append=sorted_angles[0] + step)
    widest = np.argsort(-gap)[:CUTS]
    best, fewest = None, np.inf
    for k in widest[gap[widest] > LEAST_GAP]:
        start = sorted_angles[k] + 0.5 * gap[k]
        chosen = tuple(np.flatnonzero(np.mod(a - start, 2 * np.pi) < step) for a in angles)
        own = [b.connectivity[r].ravel() for b, r in zip(mesh.blocks, chosen, strict=True)]
        own = np.setdiff1d(np.concatenate(own), axis)
        met = len(own) - len(np.unique(orbit[own]))
        if met < fewest:
            best, fewest = chosen, met
    if best is None or sum(map(len, best)) * round(2 * np.pi / step) != mesh.element_count:
        return None
    return best


def _mirror(mesh, tree, radius, step):
    """Reflection at a plane through the axle that maps the mesh onto itself, and where it leads each node; or None."""
    angle, largest = section_angle(mesh.nodes), radius.max()
    far = int(np.argmax(radius))
    same = np.hypot(mesh.nodes[:, 1] - mesh.nodes[far, 1], radius - radius[far]) < SAME_PLACE * largest
    planes = np.unique(np.round(np.mod(0.5 * (angle[far] + angle[same]), 0.5 * step), 6), return_index=True)[1]
    for plane in (0.5 * (angle[far] + angle[same]))[planes]:
        normal = np.array([np.cos(plane), 0.0, -np.sin(plane)])
        reflection = np.eye(3) - 2.0 * np.outer(normal, normal)
        led = rows_led_to(tree, mesh.nodes @ reflection, SAME_PLACE * largest)
        if led is not None and elements_map(mesh, led):
            return reflection, led
    return None
