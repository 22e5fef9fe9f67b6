"""Is a mesh a half-section revolved about the axle (y)? If so: its sectors, rings and section angles.

A mesh is of revolution when one angle step about y maps nodes onto nodes and elements onto elements of the same
material, and the corner nodes lie in planes through the axle, one step apart. Elements then join equal polygons of
two neighbouring planes, so that each sector is its own mirror image.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import ElementBlock, Mesh

ON_AXIS = 1e-7  # of the largest radius: nodes nearer to y lie on the axle
SAME_PLACE = 1e-5  # of the largest radius: a turned node meets its successor; a 9-digit file keeps 1e-8
OFF_PLANES = "the corner nodes do not lie in planes through the axle, one angle step apart"
SAMPLE = 200  # points tried before all are
CORNERS = {"hex8": 8, "hex20": 8, "wedge6": 6, "wedge15": 6, "tet4": 4, "tet10": 4, "pyramid5": 5, "pyramid13": 5}


@dataclass(frozen=True)
class Revolution:
    """Nodes of a mesh of revolution. Orbit: the nodes one node of the first section meets in a full turn.

    Off-axis node k of section s lies at the angle `offset[k] + s * step` counted about +y from the lowest point
    (plus `first`); offset is zero for nodes in the section planes, half a step for circumferential mid nodes.
    """

    step: float  # [rad]
    first: float  # [rad] angle of section 0, in [0, step)
    ring: np.ndarray  # (S, R) node rows: section, orbit
    axis: np.ndarray  # (A,) node rows on the axle
    y: np.ndarray  # (R,) [m]
    radius: np.ndarray  # (R,) [m]
    offset: np.ndarray  # (R,) [rad] within [0, step)
    axis_y: np.ndarray  # (A,) [m]
    sector_elements: tuple[np.ndarray, ...]  # per block: rows of the elements between sections 0 and 1
    following: np.ndarray  # (N,) row of the node one step further about +y

    @property
    def sections(self) -> int:
        return len(self.ring)

    @property
    def orbits(self) -> int:
        return self.ring.shape[1]

    @cached_property
    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Orbit (N,), -1 on the axle, and angle (N,) from section 0, within (-pi, pi], of all nodes."""
        orbit, alpha = np.full(len(self.following), -1), np.zeros(len(self.following))
        orbit[self.ring] = np.arange(self.orbits)[None]
        sections = np.arange(self.sections)
        sections = np.where(sections > self.sections // 2, sections - self.sections, sections)
        alpha[self.ring] = self.step * sections[:, None] + self.offset[None]
        return orbit, alpha

    @property
    def angle(self) -> np.ndarray:
        """(S, R) section angles of the ring nodes [rad]."""
        return self.first + self.step * np.arange(self.sections)[:, None] + self.offset[None]


def section_angle(points: np.ndarray) -> np.ndarray:
    """Angle about +y from the lowest point, in [0, 2 pi): (..., 3) positions -> (...) [rad]."""
    return np.mod(np.arctan2(-points[..., 0], -points[..., 2]), 2 * np.pi)


def detect_revolution(mesh: Mesh) -> tuple[Revolution | None, str]:
    """Rings and sectors of a mesh of revolution about y, or None and the reason.

    Returns
    -------
    revolution : Revolution or None
    reason : str                one line: the angle step found, or why the mesh is not of revolution

    Verified in tests/verification/test_reduction_revolution.py.
    """
    radius = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])
    largest = radius.max()
    off = np.flatnonzero(radius > ON_AXIS * largest)
    axis = np.flatnonzero(radius <= ON_AXIS * largest)
    if len(off) < 9:
        return None, "no nodes off the axle"
    parts = uncommon_parts(mesh)
    if parts:
        return None, parts
    tree = scipy.spatial.cKDTree(mesh.nodes)
    reason, missed = "", []
    for sections in candidate_counts(mesh.nodes, radius, largest):
        step = 2 * np.pi / sections
        following = rows_led_to(tree, turned_nodes(mesh.nodes, step), SAME_PLACE * largest)
        if following is None:
            missed.append(step)
            continue
        blocks_ok = elements_map(mesh, following)
        if not blocks_ok:
            reason = f"a turn by {np.degrees(step):g} degrees maps the nodes but not the elements onto themselves"
            continue
        found = _rings(mesh, radius, off, axis, following, step)
        if isinstance(found, str):
            reason = found
            if reason == OFF_PLANES:  # planes farther apart are some of these
                break
            continue
        return found, f"{sections} sectors of {np.degrees(step):.6g} degrees"
    return None, reason or _missed(mesh, tree, missed, largest)


def rows_led_to(tree: "scipy.spatial.cKDTree", moved: np.ndarray, near: float) -> np.ndarray | None:
    """Row (N,) of the point of a tree on which each moved one (N, 3) comes to lie, within `near` [m]; None where it is
    no one-to-one map."""
    for some in (moved[:: max(1, len(moved) // SAMPLE)], moved):
        distance, led = tree.query(some, distance_upper_bound=near)
        if not np.isfinite(distance).all():
            return None
    return led if (np.bincount(led, minlength=len(moved)) == 1).all() else None


def _missed(mesh, tree, steps, largest):
    """By how much the best of the angle steps [rad] misses."""
    if not steps:
        return "no angle step turns the nodes into one another: too few nodes on the largest radius"
    far = [tree.query(turned_nodes(mesh.nodes, step))[0] for step in steps]
    distance, step, row = min((float(d.max()), step, int(np.argmax(d))) for d, step in zip(far, steps, strict=True))
    return (
        f"no angle step turns the nodes into one another: one of {np.degrees(step):.6g} degrees leaves node "
        f"{mesh.node_ids[row]} {1e3 * distance:.3g} mm from the next node, expected at most "
        f"{1e3 * SAME_PLACE * largest:.2g} mm"
    )


def uncommon_parts(mesh: Mesh) -> str:
    """What a mesh holds beside solid elements, of which the symmetry is not looked for; empty where nothing."""
    if mesh.masses:
        return f"the mesh carries {len(mesh.masses)} point masses"
    if mesh.springs:
        return f"the mesh has springs ({mesh.springs[0].name})"
    return f"parts of the mesh are tied ({mesh.ties[0].name})" if mesh.ties else ""


def placed_on_lowest_point(mesh: Mesh, revolution: Revolution) -> np.ndarray:
    """Nodes (N, 3) turned back by the angle of section 0, so that a section plane holds the lowest point."""
    return turned_nodes(mesh.nodes, -revolution.first)


def submesh(mesh: Mesh, selected: tuple[np.ndarray, ...]) -> tuple[Mesh, np.ndarray]:
    """The selected element rows of each block as a mesh of their own, and the node rows it took."""
    picked = [block.connectivity[rows] for block, rows in zip(mesh.blocks, selected, strict=True)]
    used = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *(p.ravel() for p in picked)]))
    local = np.full(len(mesh.nodes), -1, dtype=np.int64)
    local[used] = np.arange(len(used))
    blocks = tuple(
        ElementBlock(block.kind, local[p], block.ids[rows], block.material)
        for block, p, rows in zip(mesh.blocks, picked, selected, strict=True)
        if len(rows)
    )
    return Mesh(mesh.nodes[used], mesh.node_ids[used], blocks, mesh.materials), used


def elements_around(mesh: Mesh, nodes: np.ndarray) -> tuple[np.ndarray, ...]:
    """Per block, rows of the elements that hold one of the nodes."""
    touched = np.zeros(len(mesh.nodes), dtype=bool)
    touched[nodes] = True
    return tuple(np.flatnonzero(touched[block.connectivity].any(axis=1)) for block in mesh.blocks)


def require_revolution(mesh: Mesh) -> Revolution:
    """As `detect_revolution`, or a MeshError that says why not."""
    revolution, reason = detect_revolution(mesh)
    if revolution is None:
        raise MeshError(f"the mesh is not of revolution about y: {reason}")
    return revolution


def turned_nodes(nodes: np.ndarray, angle: float) -> np.ndarray:
    """Positions (N, 3) turned about +y by an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = nodes.T
    return np.column_stack([c * x + s * z, y, c * z - s * x])


def candidate_counts(nodes: np.ndarray, radius: np.ndarray, largest: float) -> list[int]:
    """Numbers of sectors worth trying, largest first: nodes of the outermost ring and its divisors."""
    far = int(np.argmax(radius))
    same = np.hypot(nodes[:, 1] - nodes[far, 1], radius - radius[far]) < SAME_PLACE * largest
    count = int(same.sum())
    return [n for n in range(count, 2, -1) if count % n == 0]


def _row_hash(rows):
    """Order-independent 64-bit digest of each row of integers."""
    mixed = rows.astype(np.uint64)
    with np.errstate(over="ignore"):
        mixed = (mixed + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(32)
        return mixed.sum(axis=1, dtype=np.uint64)


def elements_map(mesh: Mesh, following: np.ndarray) -> bool:
    """Whether each element, its nodes replaced by their successors, is again an element of kind and material."""
    groups: dict[tuple[str, int], list[np.ndarray]] = {}
    for block in mesh.blocks:
        groups.setdefault((block.kind, block.material), []).append(block.connectivity)
    for parts in groups.values():
        cells = np.concatenate(parts)
        if not np.array_equal(np.sort(_row_hash(cells)), np.sort(_row_hash(following[cells]))):
            return False
    return True


def _rings(mesh, radius, off, axis, following, step):
    """Revolution of a mesh whose nodes and elements map onto themselves, or a reason."""
    sections = round(2 * np.pi / step)
    alpha = section_angle(mesh.nodes)
    corners = np.unique(np.concatenate([b.connectivity[:, : CORNERS[b.kind]].ravel() for b in mesh.blocks]))
    corners = corners[radius[corners] > radius[axis].max(initial=0.0)]
    reference = corners[np.argmax(radius[corners])]
    tolerance = 1e-3 * step
    within = np.mod(alpha - alpha[reference] + tolerance, step) - tolerance
    if np.abs(within[corners] * radius[corners]).max() > SAME_PLACE * radius.max():
        return OFF_PLANES
    first = np.mod(np.median(alpha[reference]) + tolerance, step) - tolerance
    first = 0.0 if abs(first) < 1e-9 else float(first)
    section = np.floor((np.mod(alpha - first + tolerance, 2 * np.pi)) / step).astype(int) % sections
    base = off[section[off] == 0]
    base = base[np.lexsort((radius[base], mesh.nodes[base, 1]))]
    if len(base) * sections != len(off):
        return "the sectors do not hold equal numbers of nodes"
    ring = np.empty((sections, len(base)), dtype=np.int64)
    current = base
    for s in range(sections):
        ring[s] = current
        current = following[current]
    if not np.array_equal(current, base):
        return "a full turn does not bring the nodes back to their places"
    offset = within[base]
    offset[np.abs(offset) < tolerance] = 0.0
    sector_elements = _first_sector(mesh, ring, axis)
    if isinstance(sector_elements, str):
        return sector_elements
    return Revolution(
        step=step,
        first=first,
        ring=ring,
        axis=axis,
        y=mesh.nodes[ring, 1].mean(axis=0),
        radius=radius[ring].mean(axis=0),
        offset=offset,
        axis_y=mesh.nodes[axis, 1],
        sector_elements=sector_elements,
        following=following,
    )


def _first_sector(mesh, ring, axis):
    """Elements between sections 0 and 1, checked to join equal polygons of both planes; or a reason."""
    sections, orbits = ring.shape
    section = np.full(len(mesh.nodes), -1)
    orbit = np.full(len(mesh.nodes), -1)
    section[ring] = np.arange(sections)[:, None]
    orbit[ring] = np.arange(orbits)[None]
    chosen = []
    for block in mesh.blocks:
        corner = block.connectivity[:, : CORNERS[block.kind]]
        s, k = section[corner], orbit[corner]
        rows = np.flatnonzero((np.isin(s, (0, 1, -1)).all(axis=1)) & (s == 0).any(axis=1) & (s == 1).any(axis=1))
        near = np.sort(np.where(s[rows] == 0, k[rows], -1), axis=1)
        far = np.sort(np.where(s[rows] == 1, k[rows], -1), axis=1)
        if len(rows) * sections != len(block.connectivity) or not np.array_equal(near, far):
            return "the elements do not join equal polygons of neighbouring section planes"
        chosen.append(rows)
    return tuple(chosen)
