"""Half-section revolved about the axle (y) into a solid mesh.

Ring k lies at the angle t = 2 pi k / sectors, x = r cos t, z = -r sin t, so that t grows about +y. Node
order: off-axis nodes ring by ring, axis nodes last; elements: hexahedra sector by sector, then the wedges on
the axis.
"""

from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import ElementBlock, Material, Mesh

ON_AXIS = 1e-9  # [m] radius below which a section point lies on the axis


@dataclass(frozen=True)
class MeshSection:
    """Plane mesh in the (y, r) half-plane."""

    points: np.ndarray  # (P, 2) lateral position y and radius r [m]
    quads: np.ndarray  # (Q, 4) rows of points, counter-clockwise in (y, r)
    point_sets: dict[str, np.ndarray] = field(default_factory=dict)  # name -> rows, chains of neighbours
    quad_sets: dict[str, np.ndarray] = field(default_factory=dict)  # name -> rows of quads


def revolve(section: MeshSection, sectors: int, order: int = 1, materials: tuple[Material, ...] = ()) -> Mesh:
    """Solid mesh of revolution from a half-section.

    Parameters
    ----------
    section : MeshSection
    sectors : int                 at least 3; the angle step is 2 pi / sectors
    order : int                   1: hex8 and wedge6; 2: hex20 and wedge15, mid nodes between rings on the arc
    materials : tuple of Material the first one is that of every element

    Returns
    -------
    Mesh                          ids count from 1 in row order; a point set becomes the node set of its rings

    Raises
    ------
    MeshError                     sectors below 3, order not 1 or 2, a point below the axis

    Verified in tests/verification/test_wheelset_section_verified.py.
    """
    if sectors < 3:
        raise MeshError(f"revolve: {sectors} sectors given, at least 3 are needed")
    if order not in (1, 2):
        raise MeshError(f"revolve: order {order} given, expected 1 (linear) or 2 (quadratic)")
    if (section.points[:, 1] < -ON_AXIS).any():
        raise MeshError(f"revolve: section point at radius {section.points[:, 1].min():.6g} m, expected r >= 0")
    points, edges = _with_edge_nodes(section) if order == 2 else (section.points, None)
    rings = _Rings(points, len(section.points), sectors, order)
    blocks, element_sets = [], {name: [] for name in section.quad_sets}
    for kind, cells, quad in _elements(section, edges, rings):
        ids = 1 + sum(len(b.ids) for b in blocks) + np.arange(len(cells))
        if len(cells):
            blocks.append(ElementBlock(f"{kind}{cells.shape[1]}", cells, ids))
        for name, rows in section.quad_sets.items():
            element_sets[name].append(ids[np.isin(quad, rows)])
    nodes = rings.coordinates()
    chains = {name: _with_mid_points(rows, edges, section) for name, rows in section.point_sets.items()}
    return Mesh(
        nodes=nodes,
        node_ids=np.arange(1, len(nodes) + 1),
        blocks=tuple(blocks),
        materials=tuple(materials),
        node_sets={name: rings.all_of(rows) for name, rows in chains.items()},
        element_sets={name: np.concatenate(parts) for name, parts in element_sets.items()},
    )


class _Rings:
    """Node numbers of section points turned into ring k, and of the mid nodes between rings."""

    def __init__(self, points: np.ndarray, vertices: int, sectors: int, order: int):
        self.points, self.sectors = points, sectors
        self.on_axis = points[:, 1] < ON_AXIS
        self.off = np.flatnonzero(~self.on_axis)
        self.mid = self.off[self.off < vertices] if order == 2 else self.off[:0]
        self.per_ring = len(self.off) + len(self.mid)
        self.local = np.empty(len(points), dtype=np.int64)
        self.local[self.off] = np.arange(len(self.off))
        self.local[self.on_axis] = np.arange(self.on_axis.sum())
        self.local_mid = np.full(len(points), -1, dtype=np.int64)
        self.local_mid[self.mid] = np.arange(len(self.mid))

    def node(self, ring: np.ndarray, point: np.ndarray) -> np.ndarray:
        first = np.where(self.on_axis[point], self.sectors, ring % self.sectors) * self.per_ring
        return first + self.local[point]

    def mid_node(self, ring: np.ndarray, point: np.ndarray) -> np.ndarray:
        return (ring % self.sectors) * self.per_ring + len(self.off) + self.local_mid[point]

    def coordinates(self) -> np.ndarray:
        ring = np.arange(self.sectors)[:, None]
        parts = [_turned(self.points[self.off], 2 * np.pi / self.sectors * ring)]
        parts.append(_turned(self.points[self.mid], 2 * np.pi / self.sectors * (ring + 0.5)))
        axis = self.points[self.on_axis]
        nodes = np.concatenate(parts, axis=1).reshape(-1, 3)
        return np.concatenate([nodes, np.column_stack([0 * axis[:, 0], axis[:, 0], 0 * axis[:, 0]])])

    def all_of(self, point: np.ndarray) -> np.ndarray:
        """Every node of the rings of these points, ring by ring in the points' order; axis nodes last."""
        ring = np.arange(self.sectors)[:, None]
        off, axis = point[~self.on_axis[point]], point[self.on_axis[point]]
        mid = off[self.local_mid[off] >= 0]
        around = np.concatenate([self.node(ring, off[None]), self.mid_node(ring, mid[None])], axis=1).ravel()
        return np.concatenate([around, self.node(np.zeros(1, dtype=np.int64), axis)])


def _turned(points: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """(S, n, 3) coordinates of (n, 2) section points at (S, 1) angles."""
    y, r = points[None, :, 0], points[None, :, 1]
    xyz = np.stack([r * np.cos(angle), y + 0 * angle, -r * np.sin(angle)], axis=-1)
    xyz[np.abs(xyz) < 1e-12] = 0.0
    return xyz


def _with_edge_nodes(section: MeshSection) -> tuple[np.ndarray, np.ndarray]:
    """Points with a mid node on each section edge, and (Q, 4) their rows; edge i starts at corner i."""
    quads = section.quads
    pairs = np.sort(np.stack([quads, np.roll(quads, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    unique, first, inverse = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    rank = np.empty(len(unique), dtype=np.int64)
    by_appearance = np.argsort(first)
    rank[by_appearance] = np.arange(len(unique))
    mids = section.points[unique[by_appearance]].mean(axis=1)
    edges = len(section.points) + rank[inverse.reshape(-1)].reshape(-1, 4)
    return np.concatenate([section.points, mids]), edges


def _with_mid_points(rows: np.ndarray, edges: np.ndarray | None, section: MeshSection) -> np.ndarray:
    """A chain of section points with the mid nodes of the edges between its neighbours, in chain order."""
    if edges is None:
        return np.asarray(rows, dtype=np.int64)
    ends = np.stack([section.quads, np.roll(section.quads, -1, axis=1)], axis=-1).reshape(-1, 2)
    middle = {(min(a, b), max(a, b)): e for (a, b), e in zip(ends.tolist(), edges.ravel().tolist(), strict=True)}
    chain = [int(rows[0])]
    for a, b in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True):
        if (min(a, b), max(a, b)) in middle:
            chain.append(middle[min(a, b), max(a, b)])
        chain.append(b)
    return np.array(chain, dtype=np.int64)


def _elements(section: MeshSection, edges: np.ndarray | None, rings: _Rings) -> tuple[tuple, tuple]:
    """Kind, nodes and quads: hexahedra, then wedges from the quads with an edge on the axis."""
    on_axis = rings.on_axis[section.quads]
    core = on_axis.sum(axis=1) == 2
    near = np.arange(rings.sectors)[:, None, None]
    quads = section.quads[~core][None]
    bottom, top = rings.node(near, quads), rings.node(near + 1, quads)
    parts = [bottom, top]  # y, r, t is a right-handed triad
    if edges is not None:
        mid = edges[~core][None]
        parts += [rings.node(near, mid), rings.node(near + 1, mid), rings.mid_node(near, quads)]
    hexes = np.concatenate(parts, axis=2)
    hexes = hexes.reshape(-1, hexes.shape[2])

    corner = section.quads[core]
    shift = np.argmax(on_axis[core] & np.roll(on_axis[core], -1, axis=1), axis=1)
    turn = (np.arange(4)[None] + shift[:, None]) % 4
    a0, a1, r1, r0 = np.take_along_axis(corner, turn, axis=1).T
    k = np.arange(rings.sectors)[:, None]
    front = [rings.node(k, a0), rings.node(k, r0), rings.node(k + 1, r0)]
    back = [rings.node(k, a1), rings.node(k, r1), rings.node(k + 1, r1)]
    parts = front + back
    if edges is not None:
        on, e1, outer, e0 = np.take_along_axis(edges[core], turn, axis=1).T
        parts += [rings.node(k, e0), rings.mid_node(k, r0), rings.node(k + 1, e0)]
        parts += [rings.node(k, e1), rings.mid_node(k, r1), rings.node(k + 1, e1)]
        parts += [rings.node(k, on), rings.node(k, outer), rings.node(k + 1, outer)]
    wedges = np.stack(parts, axis=-1).reshape(-1, len(parts))
    quad = np.arange(len(section.quads))
    return (
        ("hex", hexes, np.tile(quad[~core], rings.sectors)),
        ("wedge", wedges, np.tile(quad[core], rings.sectors)),
    )
